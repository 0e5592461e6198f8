//! Names components after their sections: by role, by the words of their author, by their title or their contents.

use crate::Section;
use crate::semantic_names::author_words;
use crate::translated_titles::english_name;
use limner_page::dom::NodeKind;
use limner_page::{Document, NodeId};
use limner_page_view::omitted_elements::is_omitted;
use limner_types::{SectionRole, WireEnum, component_name};

/// Returns the role that names a section: that of plans, questions or quotes which open a page as its hero.
pub fn naming_role(section: &Section) -> Option<SectionRole> {
    let is_subject =
        |role: &SectionRole| matches!(role, SectionRole::Pricing | SectionRole::Faq | SectionRole::Testimonials);
    section.secondary_role.filter(is_subject).or(section.role)
}

/// Returns the name of a component: by role, else by the author's semantic name, else by its title.
pub fn name_component(document: &Document, node: NodeId, role: Option<SectionRole>, known: Option<&Section>) -> String {
    candidate_names(document, node, role, known).into_iter().next().unwrap_or_else(|| "Section".to_owned())
}

/// Returns the names that a component could have, the best one first.
pub fn candidate_names(
    document: &Document,
    node: NodeId,
    role: Option<SectionRole>,
    known: Option<&Section>,
) -> Vec<String> {
    let by_role = role.map(|role| role.as_str().to_owned());
    let subject = |node: NodeId| {
        let words = document.element(node).into_iter().flat_map(author_words);
        words.map(|word| without_container_words(&word).to_owned()).find(|word| is_subject_word(word))
    };
    let by_author = subject(node);
    let titled = known
        .filter(|known| known.has_title)
        .map(|known| joined_letters(known.reference.label.replace(['\'', '’'], "")));
    let titled = titled.filter(|title| is_short(title)).map(|title| english_name(&title).map_or(title, str::to_owned));
    let titled = titled.map(|title| without_shouting(&title));
    let by_container = document.ancestors(node).take(MAX_CONTAINERS).find_map(subject);
    let headline = known.filter(|known| known.has_title).and_then(|known| first_words(&known.reference.label));
    let of_contents = contents_name(document, node);
    let (figures, others) = match of_contents {
        // A row of figures is not what else its role stands for.
        Some(name @ "stats") if role == Some(SectionRole::Features) => (Some(name), None),
        name => (None, name),
    };
    let words =
        figures.map(str::to_owned).into_iter().chain(by_role).chain(by_author).chain(titled).chain(by_container);
    let words = words.chain(headline).chain(others.map(str::to_owned));
    words.filter_map(|word| component_name(&word).ok()).collect()
}

/// Minimum number of figures of a row of figures, and the maximum number of its texts; minimum number of pictures of a row of
/// logos, and the maximum number of its words.
const MIN_FIGURES: usize = 3;
const MAX_TEXTS: usize = 16;
const MIN_LOGOS: usize = 4;
const MAX_LOGO_WORDS: usize = 12;

/// Returns a name for what a section without a name consists of: figures, logos, pictures, an image, a form.
fn contents_name(document: &Document, node: NodeId) -> Option<&'static str> {
    let (mut texts, mut words, mut figures, mut images, mut logos, mut fields) = (0, 0, 0, 0, 0, 0);
    for inner in document.descendants(node) {
        if let NodeKind::Text(text) = document.kind(inner) {
            let is_shown =
                document.parent(inner).and_then(|parent| document.element(parent)).is_some_and(|own| !is_omitted(own));
            let count = text.split_whitespace().count();
            if is_shown && count > 0 {
                texts += 1;
                words += count;
                figures += usize::from(is_figure(text));
            }
            continue;
        }
        let Some(element) = document.element(inner) else { continue };
        if element.is_html("img") {
            images += 1;
            let said = ["src", "alt", "class"].iter().filter_map(|name| element.attr(name));
            let is_logo = |text: &str| ["logo", "brand", "client", "partner"].iter().any(|word| text.contains(word));
            logos += usize::from(said.map(str::to_ascii_lowercase).any(|text| is_logo(&text)));
        }
        fields += usize::from(["input", "select", "textarea"].iter().any(|name| element.is_html(name)));
    }
    match () {
        () if figures >= MIN_FIGURES && texts <= MAX_TEXTS && 4 * figures >= texts => Some("stats"),
        () if images >= MIN_LOGOS && words <= MAX_LOGO_WORDS => {
            Some(if 2 * logos >= images { "logos" } else { "gallery" })
        }
        () if fields > 1 => Some("form"),
        () if words == 0 => Some("banner"),
        () => None,
    }
}

/// Returns true for a number with a unit at most: `98 %`, `16000+`, `2K+`.
fn is_figure(text: &str) -> bool {
    let text = text.trim();
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    digits > 0 && letters <= 2 && text.chars().count() <= 10
}

/// Returns a headline up to its first punctuation mark, if that is short enough for a name: `Our way` of `Our way: step by step`.
fn first_words(headline: &str) -> Option<String> {
    const MARKS: [char; 12] = [':', ';', '.', ',', '!', '?', '|', '–', '—', '(', '/', '…'];
    let headline = joined_letters(headline.replace(['\'', '’'], ""));
    let start = headline.trim_start_matches(|c: char| !c.is_alphabetic());
    let words = start.split(MARKS).next().unwrap_or_default().trim();
    let count = words.split_whitespace().count();
    let words = without_accents(words)?;
    let is_told = words.chars().filter(char::is_ascii_alphabetic).count() >= 4;
    ((1..=5).contains(&count) && words.len() <= 36 && is_told).then(|| without_shouting(&words))
}

/// Replaces the letters of European languages by those of ASCII; `None` if there are others.
fn without_accents(words: &str) -> Option<String> {
    #[rustfmt::skip]
    const LETTERS: &[(&str, &str)] = &[
        ("àáâãåāăą", "a"), ("çćč", "c"), ("ďđ", "d"), ("èéêëēėęě", "e"), ("ğ", "g"), ("ìíîïīįı", "i"), ("łľ", "l"),
        ("ñńň", "n"), ("òóôõøőō", "o"), ("řŕ", "r"), ("śšşș", "s"), ("ťțţ", "t"), ("ùúûůűū", "u"), ("ýÿ", "y"),
        ("źżž", "z"), ("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss"), ("æ", "ae"), ("œ", "oe"),
    ];
    let mut out = String::with_capacity(words.len());
    for c in words.chars() {
        if c.is_ascii() {
            out.push(c);
            continue;
        }
        let small: String = c.to_lowercase().collect();
        let (_, plain) = LETTERS.iter().find(|(letters, _)| letters.contains(small.as_str()))?;
        out.push_str(plain);
    }
    Some(out)
}

/// Writes words in capitals as others: `GET IN TOUCH` → `get in touch`.
fn without_shouting(words: &str) -> String {
    let is_long = words.contains(char::is_whitespace) || words.chars().count() >= MIN_LOUD_WORD;
    let is_loud = is_long && !words.chars().any(char::is_lowercase);
    if is_loud { words.to_lowercase() } else { words.to_owned() }
}

/// Joins the letters of a word that are in elements of their own: `T o k e n` → `Token`.
fn joined_letters(words: String) -> String {
    let are_letters = words.split_whitespace().all(|word| word.chars().count() == 1);
    if are_letters && words.split_whitespace().count() > 2 { words.split_whitespace().collect() } else { words }
}

/// Minimum length of a word in capitals that is no abbreviation.
const MIN_LOUD_WORD: usize = 5;

/// Maximum number of elements around a section whose names are asked.
const MAX_CONTAINERS: usize = 3;

/// Returns a name without words at its end that only say that something is inside: `menu-container` → `menu`.
fn without_container_words(name: &str) -> &str {
    const CONTAINERS: &[&str] = &["area", "block", "box", "container", "inner", "outer", "section", "wrap", "wrapper"];
    let mut own = name;
    while let Some((before, _)) = own.rsplit_once('-').filter(|(_, last)| CONTAINERS.contains(last)) {
        own = before;
    }
    own
}

/// Returns true if a class word tells the subject of a section; most words are about layout, in
/// endless variety.
fn is_subject_word(word: &str) -> bool {
    #[rustfmt::skip]
    const SUBJECTS: &[&str] = &[
        "about", "announcement", "app", "apps", "articles", "awards", "banner", "benefits", "blog", "booking", "brands",
        "careers", "case", "categories", "changelog", "clients", "collection", "collections", "community", "comparison",
        "contact", "customers", "demo", "docs", "download", "downloads", "events", "examples", "experience", "facts",
        "figures", "gallery", "history", "instagram", "integrations", "introduction", "jobs", "location", "locations",
        "logos", "map", "members", "menu", "metrics", "mission", "news", "newsletter", "numbers", "offers", "overview",
        "panels", "partners", "people", "platform", "portfolio", "posts", "press", "pricing", "process", "products", "profile",
        "projects", "resources", "results", "reviews", "roadmap", "schedule", "screenshots", "security", "services", "shop",
        "showcase", "skills", "slider", "solutions", "speakers", "sponsors", "statistics", "stats", "steps", "story",
        "subscribe", "support", "team", "testimonials", "timeline", "tools", "topics", "tour", "tutorials", "updates", "values", "video",
        "videos", "vision", "work", "works",
    ];
    word.split('-').any(|part| SUBJECTS.contains(&part))
}

/// Returns true if a label is short enough for a name.
fn is_short(label: &str) -> bool {
    label.len() <= 30 && label.split_whitespace().count() <= 3
}

#[cfg(test)]
mod tests {
    use super::{contents_name, first_words, without_container_words};
    use limner_page::Document;

    #[test]
    fn headlines_give_their_first_words() {
        for (headline, expected) in [
            ("The secret of mining: why patience wins", Some("The secret of mining")),
            ("¿Por qué elegirnos?", Some("Por que elegirnos")),
            ("Über unsere Gärten", Some("ueber unsere Gaerten")),
            ("Наша команда", None),
            ("Trust comes from work that is done well", None),
            ("24/7", None),
            ("GET IN TOUCH", Some("get in touch")),
            ("We’re glad you came", Some("Were glad you came")),
        ] {
            assert_eq!(first_words(headline).as_deref(), expected, "{headline}");
        }
    }

    #[test]
    fn sections_without_a_name_are_called_by_their_contents() {
        let figures = "<b>16000+<br>users</b><b>110k+<br>orders</b><b>11<br>nations</b>";
        let logos = "<img src=logo-a.svg><img src=logo-b.svg><img src=c.svg><img alt='D logo'>";
        for (html, expected) in [
            (figures, Some("stats")),
            (logos, Some("logos")),
            ("<img src=a.jpg><img src=b.jpg><img src=c.jpg><img src=d.jpg>", Some("gallery")),
            ("<div class=image></div>", Some("banner")),
            ("<input><input> Send", Some("form")),
            ("<p>Words of a text</p>", None),
        ] {
            let document = Document::parse(&format!("<body>{html}"));
            assert_eq!(contents_name(&document, document.body().unwrap()), expected, "{html}");
        }
    }

    #[test]
    fn names_say_nothing_of_containers() {
        for (name, expected) in [("menu-container", "menu"), ("team-section-wrapper", "team"), ("wrapper", "wrapper")] {
            assert_eq!(without_container_words(name), expected);
        }
    }
}
