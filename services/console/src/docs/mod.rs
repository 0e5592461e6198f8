//! The documentation: pages in Markdown, rendered once. The reference is made from the OpenAPI document.

mod guides;
mod reference;
mod samples;
mod search;

use crate::view::errors::catalogue;
use crate::view::markdown;
use search::SearchIndex;
use serde_json::Value;
use std::fmt::Write;

pub(crate) use search::Hit;

/// A part of the documentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DocsPart {
    Guides,
    Reference,
    More,
}

impl DocsPart {
    pub(crate) const ALL: [Self; 3] = [Self::Guides, Self::Reference, Self::More];

    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Guides => "Guides",
            Self::Reference => "API reference",
            Self::More => "More",
        }
    }
}

/// A page of the documentation.
pub(crate) struct DocsPage {
    /// Its path on the console, such as `/docs/guides/start`.
    pub(crate) path: String,
    pub(crate) title: String,
    /// One sentence about it.
    pub(crate) about: String,
    pub(crate) part: DocsPart,
    /// The text without its title.
    pub(crate) markdown: String,
    pub(crate) html: String,
    /// Id and text of its headings, without those below them.
    pub(crate) contents: Vec<(String, String)>,
}

impl DocsPage {
    fn new(path: &str, title: &str, about: &str, part: DocsPart, markdown: String) -> Self {
        let html = markdown::to_html(&markdown);
        let contents = markdown::contents(&markdown);
        let [path, title, about] = [path, title, about].map(str::to_owned);
        Self { path, title, about, part, markdown, html, contents }
    }

    /// Returns the whole page as Markdown, with absolute links.
    pub(crate) fn to_markdown(&self, console_url: &str) -> String {
        let text = self.markdown.replace("](/", &format!("]({console_url}/"));
        format!("# {}\n\n{}\n\n{}\n", self.title, self.about, deeper_headings(text.trim()))
    }
}

/// The documentation of an installation.
pub(crate) struct Docs {
    /// The OpenAPI document.
    pub(crate) openapi: String,
    /// In reading order.
    pub(crate) pages: Vec<DocsPage>,
    pub(crate) search: SearchIndex,
}

impl Docs {
    /// Returns the documentation of an API, and of its MCP server if it has one. Its examples read `example_page`. An
    /// unexpected OpenAPI document gives a reference without operations, never an error.
    pub(crate) fn new(openapi: &Value, api_url: &str, mcp_url: Option<&str>, example_page: &str) -> Self {
        let mut pages = guides::pages(api_url, mcp_url, example_page);
        pages.extend(reference::pages(openapi, api_url, example_page));
        pages.push(errors());
        pages.extend(changelogs());
        Self { openapi: openapi.to_string(), search: SearchIndex::new(&pages), pages }
    }

    /// Returns the page at a path, and its neighbours.
    pub(crate) fn find(&self, path: &str) -> Option<(&DocsPage, Option<&DocsPage>, Option<&DocsPage>)> {
        let index = self.pages.iter().position(|page| page.path == path)?;
        let previous = index.checked_sub(1).and_then(|index| self.pages.get(index));
        Some((self.pages.get(index)?, previous, self.pages.get(index + 1)))
    }

    /// Returns the pages of a part.
    pub(crate) fn pages_of(&self, part: &DocsPart) -> Vec<&DocsPage> {
        self.pages.iter().filter(|page| page.part == *part).collect()
    }

    /// Returns the index of all pages for language models (llmstxt.org).
    pub(crate) fn index(&self, console_url: &str) -> String {
        let mut text = "# Limner\n\n> An HTTP API that reads a public web page and returns its design as data: components, brand, design \
                        tokens, images, SVGs, media and fonts.\n\nEvery page of the documentation is Markdown at these addresses.\n"
            .to_owned();
        for part in DocsPart::ALL {
            let _ = write!(text, "\n## {}\n\n", part.title());
            for page in self.pages_of(&part) {
                let _ = writeln!(text, "- [{}]({console_url}{}.md): {}", page.title, page.path, page.about);
            }
        }
        let _ = writeln!(text, "- [OpenAPI 3.1]({console_url}/openapi.json): The API as a machine-readable document.");
        text
    }
}

fn errors() -> DocsPage {
    let mut text = "Branch on `data.code`, never on the message. Every response has an `X-Request-Id`; failed calls cost nothing.\n".to_owned();
    for entry in catalogue() {
        let retry = if entry.retry { " May be retried." } else { "" };
        let (code, status, means, remedy) = (entry.code, entry.status, entry.means, entry.remedy);
        let _ = write!(text, "\n# `{code}`\n\nStatus {status}.{retry} {means}\n\n**What to do:** {remedy}\n");
    }
    let about = "What each error code means and what to do about it.";
    DocsPage::new("/docs/errors", "Error catalogue", about, DocsPart::More, text)
}

const CHANGELOG: &str = include_str!("../../../../CHANGELOG.md");
/// Parts of a release that the short changelog has.
const SHORT_PARTS: [&str; 2] = ["In short", "Before an upgrade"];

/// Returns the short changelog and the whole one.
fn changelogs() -> [DocsPage; 2] {
    // Its headings begin one level deeper than those of the other pages.
    let text = CHANGELOG.trim_start_matches("# Changelog").replace("\n## ", "\n# ").replace("\n### ", "\n## ");
    let (short, all) = ("What has changed, in short.", "Every change of every release.");
    [
        DocsPage::new("/docs/changelog", "Changelog", short, DocsPart::More, short_changelog(&text)),
        DocsPage::new("/docs/changelog/all", "All changes", all, DocsPart::More, text),
    ]
}

/// Keeps the short parts of each release; a release without them is only named.
fn short_changelog(text: &str) -> String {
    let mut short = "[All changes](/docs/changelog/all) has the whole list.\n".to_owned();
    for release in text.split("\n# ").skip(1) {
        let (name, parts) = release.split_once('\n').unwrap_or((release, ""));
        let _ = write!(short, "\n# {name}\n");
        let kept = parts.split("\n## ").filter(|part| SHORT_PARTS.iter().any(|kept| part.starts_with(kept)));
        let kept: String = kept.map(|part| format!("\n## {}\n", part.trim_end())).collect();
        short.push_str(if kept.is_empty() { "\nSee [all changes](/docs/changelog/all).\n" } else { &kept });
    }
    short
}

/// Makes every heading one level deeper, below the title of the page. Blocks of code stay as they are.
fn deeper_headings(text: &str) -> String {
    let mut is_code = false;
    let lines = text.lines().map(|line| {
        is_code ^= line.starts_with("```");
        if line.starts_with('#') && !is_code { format!("#{line}") } else { line.to_owned() }
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn docs() -> Docs {
        Docs::new(
            &json!({}),
            "https://api.limner.test",
            Some("https://mcp.limner.test/mcp"),
            "http://demo.limner.test/",
        )
    }

    #[test]
    fn links_lead_to_pages() {
        let docs = docs();
        let known = [
            "/billing",
            "/keys",
            "/usage",
            "/connections",
            "/playground",
            "/openapi.json",
            "/status",
            "/pricing",
            "/docs",
        ];
        for page in &docs.pages {
            for link in page.markdown.split("](/").skip(1) {
                let path = format!("/{}", link.split([')', '#']).next().unwrap());
                let is_operation = path.starts_with("/docs/reference/");
                assert!(
                    is_operation || known.contains(&path.as_str()) || docs.find(&path).is_some(),
                    "{}: {path}",
                    page.path
                );
            }
        }
    }

    #[test]
    fn pages_are_complete_and_name_the_installation() {
        let docs = docs();
        assert!(docs.pages.len() > 14, "{}", docs.pages.len());
        for page in &docs.pages {
            assert!(!page.markdown.contains("example.com/v1") && !page.about.is_empty(), "{}", page.path);
            assert!(page.html.contains("<p>"), "{}", page.path);
        }
        let start = &docs.find("/docs/guides/start").unwrap().0.markdown;
        assert!(start.contains("https://api.limner.test/v1/brand?url=http://demo.limner.test/'"), "{start}");
        assert!(!docs.pages.iter().any(|page| page.part == DocsPart::Guides && page.markdown.contains("rust-lang")));
        assert!(Docs::new(&json!({}), "https://api.limner.test", None, "a.test").find("/docs/guides/mcp").is_none());
    }

    /// Returns the words of a text that are not code.
    fn prose(markdown: &str) -> String {
        let outside = |text: &str, fence: &str| text.split(fence).step_by(2).collect::<Vec<_>>().join(" ");
        outside(&outside(markdown, "```"), "`")
    }

    #[test]
    fn prose_has_one_spelling_of_colour() {
        for page in docs().pages.iter().filter(|page| page.part == DocsPart::Guides) {
            let prose = prose(&page.markdown).to_lowercase();
            let found = prose.split(|c: char| !c.is_alphabetic()).find(|word| word.starts_with("color"));
            assert_eq!(found, None, "{}", page.path);
        }
    }

    #[test]
    fn markdown_has_its_title_and_absolute_links() {
        let page = DocsPage::new(
            "/docs/x",
            "X",
            "About x.",
            DocsPart::More,
            "[a](/docs/b)\n\n# Y\n\n```\n# no heading\n```\n".to_owned(),
        );
        let expected = "# X\n\nAbout x.\n\n[a](https://limner.test/docs/b)\n\n## Y\n\n```\n# no heading\n```\n";
        assert_eq!(page.to_markdown("https://limner.test"), expected);
    }

    #[test]
    fn changelog_is_short_first_and_whole_on_a_page_of_its_own() {
        let text = "\nIntroduction\n\n# Unreleased\n\n## In short\n\n- Less.\n\n## Tokens\n\n- More.\n\n## Before an upgrade\n\n- \
                    Look.\n\n# 0.1.0\n\n## API\n\n- All.\n";
        let short = short_changelog(text);
        for (part, is_kept) in [("- Less.", true), ("- More.", false), ("- Look.", true), ("- All.", false)] {
            assert_eq!(short.contains(part), is_kept, "{part}: {short}");
        }
        assert!(short.contains("\n# 0.1.0\n\nSee [all changes]"), "{short}");
        let docs = docs();
        let lines = |path: &str| docs.find(path).unwrap().0.markdown.lines().count();
        let (short, all) = (lines("/docs/changelog"), lines("/docs/changelog/all"));
        assert!(short < 60 && all > 2 * short, "{short} of {all} lines");
    }

    #[test]
    fn index_lists_every_page() {
        let (docs, text) = (docs(), docs().index("https://limner.test"));
        assert!(text.starts_with("# Limner\n\n> "), "{text}");
        for page in &docs.pages {
            assert!(text.contains(&format!("](https://limner.test{}.md): ", page.path)), "{}", page.path);
        }
    }
}
