//! Names lists, items and fields.

use super::fixed_text::fixed;
use super::item_contents::{last_words, name_for_contents};
use super::similarity::{TITLES, has_any};
use super::usable_words::is_generic;
use limner_component_model::ir::{Loop, OutputElement};
use std::collections::{HashMap, HashSet};

/// Names that are taken in the module, and the remaining budget for comparisons.
#[derive(Debug)]
pub(super) struct NameScope {
    reserved: HashSet<String>,
    /// By singular name: the highest number known to be taken.
    numbers: HashMap<String, usize>,
    /// Undo log of `taken` and `numbers`.
    changes: Vec<NameChange>,
    work: usize,
    /// The words of the heading above, in camel case.
    pub(super) heading: Option<String>,
    /// The words of the title of the section or subsection, in camel case.
    pub(super) title: Option<String>,
    /// The words of the link or button before, in camel case.
    pub(super) label: Option<String>,
}

#[derive(Debug)]
enum NameChange {
    Reserved(String),
    Numbered(String, usize),
}

/// A checkpoint in the undo log.
#[derive(Debug, Clone, Copy)]
pub(super) struct Checkpoint(usize);

/// Budget of element comparisons for one tree: base, per element, and maximum. Siblings that are
/// similar in pairs but not together would take quadratic time.
const WORK: usize = 20_000;
const WORK_PER_ELEMENT: usize = 100;
const MAX_WORK: usize = 400_000;

/// Maximum number of names that differ in a number only.
const MAX_NUMBERED: usize = 1000;

/// Reserved words of JavaScript and of the frameworks.
const RESERVED: &[&str] = &[
    "abstract",
    "arguments",
    "async",
    "await",
    "boolean",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "eval",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "from",
    "function",
    "get",
    "if",
    "implements",
    "import",
    "in",
    "index",
    "infinity",
    "instanceof",
    "interface",
    "key",
    "let",
    "nan",
    "new",
    "null",
    "of",
    "package",
    "private",
    "props",
    "protected",
    "public",
    "ref",
    "return",
    "set",
    "slot",
    "slots",
    "static",
    "style",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "type",
    "typeof",
    "undefined",
    "var",
    "void",
    "while",
    "with",
    "yield",
    "attrs",
    "emit",
    "react",
    "string",
    "number",
    "object",
    "array",
    "symbol",
    "map",
    "math",
    "date",
    "promise",
    "window",
    "document",
    "name",
    "constructor",
    "prototype",
];

impl NameScope {
    pub(super) fn new(reserved: &[&str], elements: usize) -> Self {
        let reserved = reserved.iter().map(|name| (*name).to_owned()).collect();
        let work = MAX_WORK.min(WORK + elements * WORK_PER_ELEMENT);
        Self { reserved, numbers: HashMap::new(), changes: Vec::new(), work, heading: None, title: None, label: None }
    }

    /// Consumes one comparison; `None` if the budget is exhausted.
    pub(super) fn spend_comparison(&mut self) -> Option<()> {
        self.work = self.work.checked_sub(1)?;
        Some(())
    }

    /// Returns a checkpoint for [`Self::restore`].
    pub(super) fn mark(&self) -> Checkpoint {
        Checkpoint(self.changes.len())
    }

    /// Releases the names that were taken since the checkpoint.
    pub(super) fn restore(&mut self, mark: Checkpoint) {
        for change in self.changes.drain(mark.0..).rev() {
            match change {
                NameChange::Reserved(name) => drop(self.reserved.remove(&name)),
                NameChange::Numbered(thing, number) => drop(self.numbers.insert(thing, number)),
            }
        }
    }

    /// Marks a name as taken.
    pub(super) fn reserve(&mut self, name: &str) {
        if self.reserved.insert(name.to_owned()) {
            self.changes.push(NameChange::Reserved(name.to_owned()));
        }
    }

    /// Returns the names of a list and of its items; `otherwise` is the singular if the page gives
    /// none.
    pub(super) fn list_and_item_names(
        &mut self,
        parent: &OutputElement,
        item: &OutputElement,
        otherwise: Option<&str>,
    ) -> (String, String) {
        // A heading names the outer one of several lists.
        let of_title = || self.title.as_deref().and_then(known_thing_in_heading);
        let of_heading = self.heading.as_deref().and_then(thing_in_heading).or_else(of_title);
        let of_heading = of_heading.filter(|thing| !self.is_reserved(thing) && !self.is_reserved(&plural(thing)));
        let mut singular = item_name(parent, item, otherwise, of_heading);
        if singular.eq_ignore_ascii_case(Loop::INDEX) {
            // `index` with a number is the index variable of nested loops.
            "entry".clone_into(&mut singular);
        }
        let mut qualified = self.qualified_names(parent, &singular).into_iter();
        let known = self.numbers.get(&singular).copied().unwrap_or(1);
        let mut number = known;
        let (list, item) = loop {
            let (list, item) = match qualified.next() {
                Some(item) => (plural(&item), item),
                None => {
                    number += 1;
                    (format!("{}{number}", plural(&singular)), format!("{singular}{number}"))
                }
            };
            if !self.is_reserved(&list) && !self.is_reserved(&item) {
                break (list, item);
            }
        };
        if number > known {
            self.numbers.insert(singular.clone(), number);
            self.changes.push(NameChange::Numbered(singular, known));
        }
        self.reserve(&item);
        (list, item)
    }

    /// Returns a free name for a list and its items: `copies` and `copy`, or both with a number.
    pub(super) fn numbered_names(&mut self, singular: &str) -> (String, String) {
        let numbered = (2..).map(|number| (format!("{}{number}", plural(singular)), format!("{singular}{number}")));
        let all = std::iter::once((plural(singular), singular.to_owned())).chain(numbered);
        let is_free = |(list, item): &(String, String)| !self.is_reserved(list) && !self.is_reserved(item);
        let names = all.take(MAX_NUMBERED).find(is_free).unwrap_or_default();
        self.reserve(&names.0);
        self.reserve(&names.1);
        names
    }

    /// Returns names for items: the singular, then with words that tell several lists apart.
    fn qualified_names(&self, parent: &OutputElement, singular: &str) -> Vec<String> {
        let landmark = matches!(parent.name.as_str(), "nav" | "header" | "footer" | "aside" | "form" | "main");
        let of_parent = camel(&parent.semantic_name);
        let of_parent = if is_generic(&parent.semantic_name) { String::new() } else { of_parent };
        let of_landmark = if landmark { parent.name.clone() } else { String::new() };
        let of_label = self.label.clone().unwrap_or_default();
        let words = [self.heading.clone().unwrap_or_default(), of_parent, of_label, of_landmark];
        let words = words.into_iter().filter(|word| !word.is_empty() && word != singular && *word != plural(singular));
        let qualified = words.map(|word| camel(&format!("{word}-{singular}")));
        let ordinal = (2..=10).filter_map(|number| with_ordinal(singular, number));
        std::iter::once(singular.to_owned()).chain(qualified).chain(ordinal).collect()
    }

    fn is_reserved(&self, name: &str) -> bool {
        self.reserved.contains(name) || RESERVED.contains(&name.to_ascii_lowercase().as_str())
    }
}

/// Returns the singular of the items: the item's semantic name, the list's, or a name for the tag or the contents.
fn item_name(
    parent: &OutputElement,
    item: &OutputElement,
    otherwise: Option<&str>,
    of_heading: Option<String>,
) -> String {
    let own = thing_words(last_words(without_wrapper_words(&item.semantic_name)));
    // What a script follows is called a link as well.
    let leads = |word: &str| word != "link" || has_any(item, &["a", "button"]);
    let own = if leads(&own) { own } else { String::new() };
    // A figure without a name has that of what figures usually show.
    let is_unnamed = item.name == "figure" && otherwise.is_some() && matches!(own.as_str(), "figure" | "image");
    if !is_unnamed && !is_generic(&own) && !camel(&own).is_empty() {
        return singular(&camel(&own));
    }
    let list = thing_words(last_words(without_wrapper_words(&parent.semantic_name)));
    let words = camel(&list);
    if !is_generic(&list) && words.len() > 3 && words.ends_with('s') && !words.ends_with("ss") {
        return singular(&words);
    }
    if let Some(otherwise) = otherwise {
        return otherwise.to_owned();
    }
    let known = match item.name.as_str() {
        "a" if is_social(item) => "socialLink",
        "li" if item.tags().count() == 1 && item.tags().all(is_social) => "socialLink",
        "a" if item.attribute("href").is_none() && has_any(item, TITLES) => "card",
        "a" => "link",
        "li" if item.tags().count() == 1 && item.tags().all(|tag| tag.name == "a") => "link",
        "img" | "picture" => "image",
        "figure" => "figure",
        "button" => "button",
        "option" => "option",
        "tr" => "row",
        "td" => "cell",
        "th" => "column",
        "p" => "paragraph",
        "path" => "path",
        "circle" | "rect" | "polygon" | "line" | "ellipse" | "g" => "shape",
        "stop" => "colorStop",
        "details" => "question",
        "article" => "article",
        "section" => "part",
        "source" => "source",
        "span" => "label",
        _ => return of_heading.unwrap_or_else(|| name_for_contents(item).to_owned()),
    };
    known.to_owned()
}

/// Returns true for a link to a profile in a network.
fn is_social(link: &OutputElement) -> bool {
    const HOSTS: &[&str] = &[
        "facebook.com",
        "instagram.com",
        "linkedin.com",
        "pinterest.com",
        "t.me",
        "threads.net",
        "tiktok.com",
        "twitter.com",
        "vimeo.com",
        "wa.me",
        "x.com",
        "youtube.com",
    ];
    let address = link.attribute("href").and_then(fixed).unwrap_or_default();
    let host = address.split("://").nth(1).and_then(|rest| rest.split(['/', '?', '#']).next()).unwrap_or_default();
    let is_of = |known: &&str| host.strip_suffix(*known).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    link.name == "a" && HOSTS.iter().any(is_of)
}

/// Returns the singular of the things that a heading names: `service` for `ourServices`.
fn thing_in_heading(heading: &str) -> Option<String> {
    const BEFORE: &[&str] = &[
        "our", "the", "my", "your", "all", "latest", "recent", "featured", "popular", "related", "more", "key", "core",
        "meet",
    ];
    let is_next = |rest: &&str| rest.starts_with(char::is_uppercase);
    let word = BEFORE.iter().find_map(|before| heading.strip_prefix(before).filter(is_next)).unwrap_or(heading);
    let is_one_word = !word.chars().skip(1).any(char::is_uppercase);
    let thing = singular(&camel(word));
    (is_one_word && thing.len() < word.len() && !is_generic(&thing)).then_some(thing)
}

/// Things that lists are about.
#[rustfmt::skip]
const THINGS: &[&str] = &[
    "article", "benefit", "card", "category", "client", "course", "event", "faq", "feature", "icon", "image", "job", "link",
    "logo", "member", "partner", "person", "plan", "post", "product", "project", "question", "quote", "review", "service",
    "slide", "stat", "step", "testimonial",
];

/// Returns the thing that a title of several words names: `project` for `notableProjects`.
fn known_thing_in_heading(heading: &str) -> Option<String> {
    let starts: Vec<usize> =
        heading.char_indices().filter(|(at, c)| *at == 0 || c.is_uppercase()).map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([heading.len()]);
    let mut words = starts.iter().zip(ends).map(|(start, end)| heading[*start..end].to_ascii_lowercase());
    words.find_map(|word| Some(singular(&word)).filter(|thing| *thing != word && THINGS.contains(&thing.as_str())))
}

/// Returns what an author's words name: without prefixes of a letter or two, with the words that are abbreviated in
/// full, and without the word for an item after a word that names one. Empty if all words are generic.
///
/// `sp-slide` → `slide`, `testi-row` → `testimonial`, `elem-atom` → nothing.
fn thing_words(name: &str) -> String {
    const ABBREVIATIONS: &[(&str, &str)] = &[
        ("cat", "category"),
        ("feat", "feature"),
        ("prod", "product"),
        ("serv", "service"),
        ("testi", "testimonial"),
        ("testis", "testimonials"),
    ];
    const SLIDERS: &[&str] = &["carousel", "glide", "slick", "slider", "splide", "swiper"];
    let in_full = |word| ABBREVIATIONS.iter().find(|(short, _)| *short == word).map_or(word, |(_, long)| *long);
    let all: Vec<&str> = name.split('-').map(in_full).collect();
    let start = if all.len() > 1 { all.iter().take_while(|word| word.len() < 3).count().min(all.len() - 1) } else { 0 };
    match &all[start..] {
        words if words.len() > 1 && words.iter().all(|word| is_generic(word)) => String::new(),
        [around, thing @ ..] if SLIDERS.contains(around) && thing.first().is_some_and(|word| THINGS.contains(word)) => {
            thing.join("-")
        }
        [thing, rest @ ..]
            if !rest.is_empty() && THINGS.contains(thing) && rest.iter().all(|word| is_generic(word)) =>
        {
            (*thing).to_owned()
        }
        words => words.join("-"),
    }
}

/// Returns a semantic name without words at its end that only say that it is around something: `card-wrap` → `card`.
fn without_wrapper_words(name: &str) -> &str {
    const WRAPPERS: &[&str] =
        &["block", "container", "element", "holder", "inner", "outer", "single", "wrap", "wrapper"];
    let mut own = name;
    while let Some((before, _)) = own.rsplit_once('-').filter(|(_, last)| WRAPPERS.contains(last)) {
        own = before;
    }
    own
}

/// Converts to camel case: `card-title` → `cardTitle`. Characters that an identifier may not
/// contain are dropped.
pub(super) fn camel(word: &str) -> String {
    let mut out = String::new();
    for (at, part) in word.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty()).enumerate() {
        let mut chars = part.chars();
        let Some(first) = chars.next() else { continue };
        if at == 0 {
            out.push(first.to_ascii_lowercase())
        } else {
            out.push(first.to_ascii_uppercase())
        }
        out.extend(chars);
    }
    if out.starts_with(|c: char| c.is_ascii_digit()) {
        out.insert_str(0, "item");
    }
    out
}

const ORDINALS: &[&str] = &["second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

/// Returns a name with the ordinal of a number from 2 on: `secondHref`. `None` if there are too many.
pub(super) fn with_ordinal(name: &str, number: usize) -> Option<String> {
    ORDINALS.get(number.checked_sub(2)?).map(|ordinal| camel(&format!("{ordinal}-{name}")))
}

/// Returns the number of a name with an ordinal: 2 of `secondHref`.
pub(super) fn ordinal(name: &str) -> Option<usize> {
    let begins = |ordinal: &&str| name.strip_prefix(*ordinal).is_some_and(|rest| rest.starts_with(char::is_uppercase));
    ORDINALS.iter().position(begins).map(|at| at + 2)
}

/// Returns the words of a short heading as a name; `None` for sentences and for words that no identifier can have.
pub(super) fn heading_name(text: &str) -> Option<String> {
    let text = text.trim();
    let is_plain = text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-' | '&'));
    let name = camel(&text.to_ascii_lowercase());
    let is_short = text.split_ascii_whitespace().count() <= 3 && (3..=20).contains(&name.len());
    (is_plain && is_short && name.starts_with(|c: char| c.is_ascii_lowercase())).then_some(name)
}

fn plural(word: &str) -> String {
    let ends = |endings: &[&str]| endings.iter().any(|ending| word.ends_with(ending));
    if word.ends_with('y') && !ends(&["ay", "ey", "oy", "uy"]) {
        return format!("{}ies", &word[..word.len() - 1]);
    }
    if ends(&["s", "x", "z", "ch", "sh"]) {
        return format!("{word}es");
    }
    format!("{word}s")
}

fn singular(word: &str) -> String {
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 2) {
        return format!("{stem}y");
    }
    if ["ches", "shes", "xes", "sses"].iter().any(|ending| word.ends_with(ending)) {
        return word[..word.len() - 2].to_owned();
    }
    match word.strip_suffix('s') {
        Some(stem) if stem.len() > 2 && !word.ends_with("ss") && !word.ends_with("us") && !word.ends_with("is") => {
            stem.to_owned()
        }
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{camel, plural, singular, thing_words};
    use crate::loops::collapse;
    use crate::loops::tests::{DIALECT, root, tag, text};

    #[test]
    fn words_become_identifiers() {
        let cases = [
            ("card-title", "cardTitle"),
            ("Plan", "plan"),
            ("3d-card", "item3dCard"),
            ("a_b", "aB"),
            ("é", ""),
            ("--", ""),
        ];
        for (word, expected) in cases {
            assert_eq!(camel(word), expected, "{word}");
        }
    }

    #[test]
    fn words_of_authors_name_things() {
        for (name, expected) in [
            ("sp-slide", "slide"),
            ("slider-slide", "slide"),
            ("testi-row", "testimonial"),
            ("faq-item", "faq"),
            ("elem-atom", ""),
            ("menu-item", "menu-item"),
            ("process-item", "process-item"),
            ("atom", "atom"),
        ] {
            assert_eq!(thing_words(name), expected, "{name}");
        }
    }

    #[test]
    fn titles_of_several_words_name_things() {
        for (title, expected) in [
            ("notableProjects", Some("project")),
            ("servicesWeOffer", Some("service")),
            ("getInTouch", None),
            ("project", None),
        ] {
            assert_eq!(super::known_thing_in_heading(title).as_deref(), expected, "{title}");
        }
    }

    #[test]
    fn lists_are_told_apart_by_the_link_before_them() {
        let menu = |word: &str| {
            let link = |at: usize| {
                let own = tag(
                    "a",
                    &[("class", "p-4 text-sm"), ("href", &*format!("/{word}/{at}"))],
                    vec![text(&format!("{word} {at}"))],
                );
                tag("li", &[], vec![own])
            };
            tag("ul", &[], (1..5).map(link).collect())
        };
        let more = vec![tag("a", &[("href", "/sap")], vec![text("SAP Basis")]), menu("sap")];
        let mut tree = root(vec![tag("div", &[], vec![menu("page")]), tag("main", &[], more)]);
        let names: Vec<String> = collapse(&mut tree, DIALECT, &[]).lists.into_iter().map(|list| list.name).collect();
        assert_eq!(names, ["links", "sapBasisLinks"]);
    }

    #[test]
    fn nouns_are_pluralized_and_singularized() {
        let cases =
            [("plan", "plans"), ("category", "categories"), ("box", "boxes"), ("key", "keys"), ("branch", "branches")];
        for (one, many) in cases {
            assert_eq!(plural(one), many);
            assert_eq!(singular(many), one);
        }
        for same in ["class", "status", "analysis"] {
            assert_eq!(singular(same), same);
        }
    }
}
