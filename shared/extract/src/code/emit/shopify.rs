//! `shopify`: a theme section. Headings, texts, labels, addresses and pictures are settings of the theme editor, with
//! what the page had as defaults.

use super::classes::Classes;
use super::markup::{self, Html, attribute_text, escape_attribute, escape_text};
use super::print::{Syntax, print};
use super::sheet;
use super::tree::{Each, Node, Tag, Value};
use crate::code::model::{Component, Emitted, Namespace};
use limner_types::naming::title;
use serde_json::{Value as Json, json};

/// Beyond this an editor's sidebar is of no use; what is left stays as it is.
const MAX_SETTINGS: usize = 40;
/// A longer text is edited in a field of several lines.
const SHORT_TEXT: usize = 60;

/// Writes a component.
pub(super) fn emit(component: &Component) -> Emitted {
    let classes = Classes::of(component);
    let css = without_liquid_in_css(&sheet::write(component, &classes));
    let mut root = Tag::of(component, &classes.names);
    let mut settings = Settings::default();
    settings.inside(&mut root);
    let body = print(&Liquid, &root, 0);
    let name = title(&component.name);
    let schema = json!({
        "name": name.trim_ascii(),
        "tag": "section",
        "settings": settings.list,
        "presets": [{ "name": name.trim_ascii() }],
    });
    let schema = without_liquid_in_json(&serde_json::to_string_pretty(&schema).unwrap_or_default());
    let code = format!("<style>\n{css}</style>\n\n{body}\n{{% schema %}}\n{schema}\n{{% endschema %}}\n");
    Emitted { code, ..Emitted::default() }
}

#[derive(Default)]
struct Settings {
    list: Vec<Json>,
    counts: std::collections::BTreeMap<&'static str, usize>,
}

impl Settings {
    fn inside(&mut self, tag: &mut Tag) {
        if tag.namespace != Namespace::Html || tag.preserves_space {
            return;
        }
        self.text(tag);
        match tag.name.as_str() {
            "a" => self.address(tag),
            "img" => self.picture(tag),
            _ => {}
        }
        for child in &mut tag.children {
            if let Node::Tag(child) = child {
                self.inside(child);
            }
        }
    }

    /// A new setting; gives the object it is read from.
    fn add(&mut self, kind: &str, thing: &'static str, default: Option<&str>) -> Option<String> {
        if self.list.len() >= MAX_SETTINGS {
            return None;
        }
        let count = self.counts.entry(thing).or_default();
        *count += 1;
        let (id, label) = match *count {
            1 => (thing.to_owned(), capital(thing)),
            count => (format!("{thing}_{count}"), format!("{} {count}", capital(thing))),
        };
        let mut setting = json!({ "type": kind, "id": id, "label": label });
        if let (Some(default), Json::Object(fields)) = (default, &mut setting) {
            fields.insert("default".to_owned(), Json::String(default.to_owned()));
        }
        self.list.push(setting);
        Some(format!("section.settings.{id}"))
    }

    /// An element that holds a text and nothing else.
    fn text(&mut self, tag: &mut Tag) {
        let thing = match tag.name.as_str() {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => "heading",
            "p" | "li" | "blockquote" | "figcaption" | "dd" | "dt" => "text",
            "a" | "button" => "label",
            _ => return,
        };
        let [Node::Text(value @ Value::Fixed(_))] = tag.children.as_mut_slice() else { return };
        let Value::Fixed(text) = &*value else { return };
        let trimmed = text.trim_ascii();
        if trimmed.is_empty() || (!tag.free_space && trimmed.len() != text.len()) {
            return;
        }
        let kind = if trimmed.chars().count() > SHORT_TEXT { "textarea" } else { "text" };
        let default = trimmed.to_owned();
        if let Some(setting) = self.add(kind, thing, Some(&default)) {
            *value = Value::Field(format!("{{{{ {setting} | escape }}}}"));
        }
    }

    fn address(&mut self, tag: &mut Tag) {
        let Some(attribute) = tag.attributes.iter_mut().find(|attribute| attribute.name == "href") else { return };
        let Value::Fixed(address) = &attribute.value else { return };
        // An address cannot be the default of a setting, and one with quotes no literal.
        if address.starts_with('#') || address.contains(['\'', '\\', '{', '}']) || address.is_empty() {
            return;
        }
        let address = escape_attribute(address);
        if let Some(setting) = self.add("url", "link", None) {
            attribute.value = Value::Field(format!("{{{{ {setting} | default: '{address}' }}}}"));
        }
    }

    /// A picture: the chosen one, else the page's.
    fn picture(&mut self, tag: &mut Tag) {
        if tag.attribute("srcset").is_some() {
            return;
        }
        let Some(attribute) = tag.attributes.iter_mut().find(|attribute| attribute.name == "src") else { return };
        let Value::Fixed(address) = &attribute.value else { return };
        if address.contains(['\'', '{', '}']) || address.is_empty() {
            return;
        }
        let address = escape_attribute(address);
        if let Some(setting) = self.add("image_picker", "image", None) {
            attribute.value = Value::Field(format!(
                "{{% if {setting} %}}{{{{ {setting} | image_url: width: 1920 }}}}{{% else %}}{address}{{% endif %}}"
            ));
        }
    }
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// HTML in which fields are Liquid, and nothing else is.
struct Liquid;

impl Syntax for Liquid {
    fn start(&self, tag: &Tag, self_closing: bool) -> String {
        markup::start(tag, self_closing, |name, value| match value {
            Value::Fixed(value) => Some(without_liquid(&attribute_text(name, value))),
            Value::Field(liquid) => Some(liquid.clone()),
            Value::FixedAndField(..) | Value::Switch(_) => None,
        })
    }

    fn is_single(&self, tag: &Tag) -> bool {
        Html.is_single(tag)
    }

    fn text(&self, text: &str) -> String {
        without_liquid(&escape_text(text))
    }

    fn verbatim(&self, text: &str) -> String {
        self.text(text)
    }

    fn field(&self, expression: &str) -> String {
        expression.to_owned()
    }

    fn slot(&self, _expression: &str) -> String {
        String::new()
    }

    fn each(&self, _each: &Each) -> Option<(String, String)> {
        None
    }

    fn when(&self, _expression: &str) -> Option<(String, String)> {
        None
    }
}

fn without_liquid(markup: &str) -> String {
    markup.replace('{', "&#123;")
}

/// In a sheet, two braces or a brace and a percent sign stand together only in strings and addresses.
fn without_liquid_in_css(css: &str) -> String {
    let mut out = String::with_capacity(css.len());
    let mut chars = css.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek().copied()) {
            ('\\', Some('{')) => {
                chars.next();
                out.push_str("\\7b ");
            }
            ('\\', Some(escaped)) => {
                chars.next();
                out.extend([c, escaped]);
            }
            ('{', Some('{' | '%')) => out.push_str("\\7b "),
            // The second of two.
            ('{', _) if out.ends_with("\\7b ") => out.push_str("\\7b "),
            _ => out.push(c),
        }
    }
    out
}

fn without_liquid_in_json(json: &str) -> String {
    json.replace("{{", "\\u007b\\u007b").replace("{%", "\\u007b%")
}
