//! The search in the documentation: an index of all sections, made once.

use super::DocsPage;
use crate::view::markdown;

/// Maximum number of results.
const MAX_HITS: usize = 30;
/// Maximum number of words of a query; further ones are ignored.
const MAX_WORDS: usize = 8;
/// Characters shown before the first match, and in all.
const BEFORE: usize = 60;
const EXCERPT: usize = 220;
/// Words of questions that tell nothing about the subject.
#[rustfmt::skip]
const FILLERS: [&str; 20] = [
    "a", "an", "and", "are", "can", "do", "does", "for", "how", "i", "in", "is", "my", "of", "on", "the", "to", "what",
    "when", "why",
];

/// The sections of all pages.
pub(crate) struct SearchIndex {
    sections: Vec<IndexedSection>,
}

/// A page's introduction, or what follows one of its headings. Only ASCII letters are compared without case: all
/// documentation is in English.
struct IndexedSection {
    href: String,
    page: String,
    /// Empty for the introduction.
    heading: String,
    text: String,
    lower_page: String,
    lower_heading: String,
    lower_text: String,
}

/// A result.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Hit<'i> {
    pub(crate) href: &'i str,
    pub(crate) page: &'i str,
    pub(crate) heading: &'i str,
    /// Parts of the text; true for those that match.
    pub(crate) excerpt: Vec<(&'i str, bool)>,
}

impl SearchIndex {
    pub(super) fn new(pages: &[DocsPage]) -> Self {
        Self { sections: pages.iter().flat_map(sections_of).collect() }
    }

    /// Returns the sections that contain every word of the query, the best first; without any, those with at least
    /// half of the words.
    pub(crate) fn find(&self, query: &str) -> Vec<Hit<'_>> {
        let query = query.to_ascii_lowercase();
        let words: Vec<&str> = query.split_whitespace().take(MAX_WORDS).collect();
        let telling: Vec<&str> = words.iter().copied().filter(|word| !FILLERS.contains(word)).collect();
        let words = if telling.is_empty() { words } else { telling };
        if words.is_empty() {
            return Vec::new();
        }
        let with = |least: usize| {
            let scored = self.sections.iter().filter_map(|section| Some((section.score(&words, least)?, section)));
            scored.collect::<Vec<(usize, &IndexedSection)>>()
        };
        let mut scored = with(words.len());
        if scored.is_empty() {
            scored = with(words.len().div_ceil(2));
        }
        // Stable: sections with equal scores stay in reading order.
        scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        scored.into_iter().take(MAX_HITS).map(|(_, section)| section.hit(&words)).collect()
    }
}

fn sections_of(page: &DocsPage) -> Vec<IndexedSection> {
    let indexed = |(id, heading, text): (String, String, String)| IndexedSection {
        href: if id.is_empty() { page.path.clone() } else { format!("{}#{id}", page.path) },
        lower_page: page.title.to_ascii_lowercase(),
        lower_heading: heading.to_ascii_lowercase(),
        lower_text: text.to_ascii_lowercase(),
        page: page.title.clone(),
        heading,
        text,
    };
    let mut sections = markdown::sections(&page.markdown);
    if let Some((_, _, introduction)) = sections.first_mut() {
        *introduction = format!("{} {introduction}", page.about);
    }
    sections.into_iter().map(indexed).collect()
}

impl IndexedSection {
    /// Returns `None` if fewer than `least` words occur. Headings count more than text, beginnings of words more than
    /// their middles.
    fn score(&self, words: &[&str], least: usize) -> Option<usize> {
        let of_word = |word: &&str| {
            let fields = [(&self.lower_heading, 12), (&self.lower_page, 6), (&self.lower_text, 2)];
            fields.iter().map(|(field, weight)| weight * rank(field, word)).sum::<usize>()
        };
        let points: Vec<usize> = words.iter().map(of_word).filter(|points| *points > 0).collect();
        if points.len() < least {
            return None;
        }
        // A section with more of the words comes before one where few of them have more weight.
        let total = 100 * points.len() + points.iter().sum::<usize>();
        // A page is found by its title first, then its sections.
        let is_introduction = usize::from(self.heading.is_empty());
        let in_title = words.iter().all(|word| self.lower_page.contains(*word));
        Some(total + 20 * is_introduction * usize::from(in_title))
    }

    fn hit(&self, words: &[&str]) -> Hit<'_> {
        let first = words.iter().filter_map(|word| self.lower_text.find(word)).min().unwrap_or(0);
        let start = self.text.floor_char_boundary(first.saturating_sub(BEFORE));
        let start = if start == 0 { 0 } else { self.text[start..].find(' ').map_or(start, |space| start + space + 1) };
        let end = self.text.floor_char_boundary((start + EXCERPT).min(self.text.len()));
        Hit { href: &self.href, page: &self.page, heading: &self.heading, excerpt: self.marked(start, end, words) }
    }

    /// Splits a part of the text at the matches.
    fn marked(&self, mut from: usize, end: usize, words: &[&str]) -> Vec<(&str, bool)> {
        let mut parts = Vec::new();
        while from < end {
            let rest = &self.lower_text[from..end];
            let next = words.iter().filter_map(|word| Some((rest.find(word)?, word.len()))).min();
            let Some((at, length)) = next else { break };
            if at > 0 {
                parts.push((&self.text[from..from + at], false));
            }
            parts.push((&self.text[from + at..from + at + length], true));
            from += at + length;
        }
        if from < end {
            parts.push((&self.text[from..end], false));
        }
        parts
    }
}

/// Returns 2 if a word of the text begins like this, 1 if it occurs elsewhere, otherwise 0.
fn rank(text: &str, word: &str) -> usize {
    let begins = |at: usize| !text[..at].ends_with(|c: char| c.is_alphanumeric());
    match text.match_indices(word).map(|(at, _)| begins(at)).max() {
        Some(true) => 2,
        Some(false) => 1,
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::docs::DocsPart;

    fn index() -> SearchIndex {
        let page = |path: &str, title: &str, text: &str| {
            DocsPage::new(path, title, "About it.", DocsPart::Guides, text.to_owned())
        };
        SearchIndex::new(&[
            page("/docs/a", "Brand identity", "Colours first.\n\n# Evidence\n\nEvery `primary` has evidence — 98 %.\n"),
            page(
                "/docs/b",
                "Tokens",
                "The brand is elsewhere.\n\n# Evidence\n\nNone.\n\n# Evidence\n\nAlias évidence.\n",
            ),
        ])
    }

    fn hrefs(query: &str) -> Vec<String> {
        index().find(query).into_iter().map(|hit| hit.href.to_owned()).collect()
    }

    #[test]
    fn sections_with_every_word_are_found() {
        assert_eq!(hrefs("evidence primary"), ["/docs/a#evidence"]);
        assert_eq!(hrefs("BRAND")[0], "/docs/a", "the page that is called so comes first");
        assert_eq!(hrefs("alias"), ["/docs/b#evidence-2"], "ids are those of the page");
        assert_eq!(hrefs("what is the primary"), ["/docs/a#evidence"], "fillers are no subject");
        assert_eq!(hrefs("primary nowhere"), ["/docs/a#evidence"], "half of the words, if no section has all");
        for query in ["", "  ", "nowhere", "evidence nowhere never"] {
            assert_eq!(hrefs(query), [""; 0], "{query:?}");
        }
    }

    #[test]
    fn excerpts_mark_the_words() {
        let index = index();
        let hits = index.find("primary evid");
        let marked: Vec<&str> =
            hits[0].excerpt.iter().filter(|(_, is_match)| *is_match).map(|(text, _)| *text).collect();
        assert_eq!(marked, ["primary", "evid"]);
        let whole: String = hits[0].excerpt.iter().map(|(text, _)| *text).collect();
        assert_eq!(whole, "Every primary has evidence — 98 %.");
        for query in ["é", "—", "%", "e", &"x ".repeat(100)] {
            index.find(query);
        }
    }
}
