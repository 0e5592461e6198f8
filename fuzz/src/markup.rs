//! Emitted HTML as html5ever reads it.

use crate::texts::{NAMES, Texts};
use scraper::{ElementRef, Html, Node};

/// The findings of a parser in markup.
#[derive(Debug, Default)]
pub struct Found {
    /// The text of everything, scripts and sheets left out.
    pub texts: Vec<String>,
    /// Values of `title` attributes.
    pub titles: Vec<String>,
}

/// Escapes a text for markup: between tags, and between double quotes.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Removes white space, which emitters may write otherwise.
pub fn squeeze(text: &str) -> String {
    let is_space = |c: char| c.is_whitespace() || matches!(c, '\u{200b}' | '\u{feff}' | '\u{180e}');
    text.chars().filter(|c| !is_space(*c)).collect()
}

/// Elements of a document around a component.
const NAMES_OF_DOCUMENT: [&str; 3] = ["head", "meta", "body"];

/// Reads emitted markup.
///
/// # Panics
/// When there is an element or an attribute in it that the page has not, or an address that runs a script.
pub fn read(markup: &str) -> Found {
    read_parsed(&Html::parse_fragment(markup), &[], markup)
}

/// Reads a document that shows a component, and panics as [`read`] does.
pub fn read_document(markup: &str) -> Found {
    read_parsed(&Html::parse_document(markup), &NAMES_OF_DOCUMENT, markup)
}

fn read_parsed(document: &Html, others: &[&str], markup: &str) -> Found {
    let mut found = Found::default();
    let mut text = String::new();
    for node in document.root_element().descendants() {
        match node.value() {
            Node::Element(element) => {
                let name = element.name();
                assert!(NAMES.contains(&name) || others.contains(&name), "<{name}> in {markup}");
                for (attribute, value) in element.attrs() {
                    check_attribute(attribute, value, markup);
                    if attribute == "title" {
                        found.titles.push(value.to_owned());
                    }
                }
            }
            Node::Text(own) if !is_in_style(node.parent().and_then(ElementRef::wrap)) => text.push_str(own),
            Node::Comment(comment) => panic!("a comment {:?} in {markup}", &**comment),
            _ => {}
        }
    }
    found.texts.push(text);
    found
}

/// Panics at what runs scripts.
pub fn check_attribute(name: &str, value: &str, code: &str) {
    let name = name.to_ascii_lowercase();
    assert!(!name.starts_with("on"), "the attribute {name} in {code}");
    if matches!(name.as_str(), "href" | "src" | "action" | "formaction" | "xlink:href") {
        let plain: String = value.chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect();
        assert!(!plain.to_ascii_lowercase().starts_with("javascript:"), "{value:?} in {code}");
    }
}

fn is_in_style(parent: Option<ElementRef<'_>>) -> bool {
    parent.is_some_and(|parent| parent.value().name() == "style")
}

/// Holds emitted markup against the texts that are in it.
pub fn check(texts: &Texts, code: &str) {
    check_found(texts, &read(code), code);
}

/// Holds a document that shows a component against the texts that are in it.
pub fn check_document(texts: &Texts, code: &str) {
    check_found(texts, &read_document(code), code);
}

fn check_found(texts: &Texts, found: &Found, code: &str) {
    texts.check_shown(&found.texts, code);
    texts.check_titles(&found.titles, code);
}
