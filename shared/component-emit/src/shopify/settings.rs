//! Makes texts, URLs and images of the markup settings of the theme editor.

use super::blocks::InlineItems;
use super::liquid::without_liquid;
use limner_component_model::html_syntax::{attribute_text, escape_attribute, escape_text};
use limner_component_model::ir::{Node, OutputElement, Value};
use limner_component_model::model::Namespace;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// Maximum number of settings; more are hard to use in the editor's sidebar. The remaining texts
/// stay in the markup.
const MAX_SETTINGS: usize = 40;
/// Maximum number of characters of a text that is edited in a single-line field.
const SHORT_TEXT: usize = 60;

/// The setting type of single-line texts.
pub(super) const TEXT: &str = "text";
/// The setting type of multi-line texts.
pub(super) const LONG_TEXT: &str = "textarea";

/// The settings of a section or of a block in it.
#[derive(Clone)]
pub(super) struct Settings {
    pub(super) list: Vec<Json>,
    /// The Liquid object that has the settings.
    owner: &'static str,
    counts: BTreeMap<String, usize>,
    /// Remaining number of settings for texts in elements that do not tell the role of the text.
    plain_texts: usize,
    /// True if a setting was refused because of the limit.
    pub(super) refused: bool,
    /// Remaining number of settings for items of lists. Either all texts of an item become settings
    /// or none.
    item_settings_left: usize,
}

impl Default for Settings {
    fn default() -> Self {
        let (list, counts) = (Vec::new(), BTreeMap::new());
        Self { list, owner: "section", counts, plain_texts: 0, refused: false, item_settings_left: 0 }
    }
}

impl Settings {
    /// Creates the settings of a block, in which every text becomes a setting.
    pub(super) fn for_block() -> Self {
        Self { owner: "block", plain_texts: usize::MAX, ..Self::default() }
    }

    /// Makes settings of the contents of an element. If there are too many, headings, paragraphs,
    /// labels, links and images have priority over other texts, and elements outside of lists over
    /// list items.
    pub(super) fn extract(&mut self, root: &mut OutputElement, items: &InlineItems) {
        let left = MAX_SETTINGS.saturating_sub(self.list.len());
        let mut alone = Self::default();
        alone.extract_in(&mut root.clone(), items);
        let room_for_items = left.saturating_sub(alone.list.len());
        let mut important = Self { item_settings_left: room_for_items, ..Self::default() };
        important.extract_in(&mut root.clone(), items);
        self.item_settings_left = room_for_items;
        self.plain_texts = left.saturating_sub(important.list.len());
        self.extract_in(root, items);
    }

    fn extract_in(&mut self, tag: &mut OutputElement, items: &InlineItems) {
        // Blocks have their own settings.
        if tag.namespace != Namespace::Html || tag.preserves_whitespace || tag.repeat.is_some() {
            return;
        }
        self.text(tag);
        match tag.name.as_str() {
            "a" => self.address(tag),
            "img" => self.picture(&mut [tag]),
            "picture" => return self.pictures(tag),
            _ => {}
        }
        let none = InlineItems::default();
        for (at, child) in tag.tags_mut().enumerate() {
            match items.nested.get(at).unwrap_or(&none) {
                own if own.is_item => self.item(child),
                own => self.extract_in(child, own),
            }
        }
    }

    /// Makes settings of a whole item if there is room for it. From the first item without room on,
    /// items stay static.
    fn item(&mut self, tag: &mut OutputElement) {
        if self.item_settings_left == 0 {
            return;
        }
        let mut attempt = Self { plain_texts: usize::MAX, refused: false, ..self.clone() };
        let mut item = tag.clone();
        attempt.extract_in(&mut item, &InlineItems::default());
        let used = attempt.list.len() - self.list.len();
        if attempt.refused || used > self.item_settings_left {
            self.item_settings_left = 0;
            return;
        }
        let (plain_texts, refused, room_for_items) = (self.plain_texts, self.refused, self.item_settings_left - used);
        *self = Self { plain_texts, refused, item_settings_left: room_for_items, ..attempt };
        *tag = item;
    }

    /// Adds a setting and returns the Liquid expression to read it; `None` if there are too many.
    pub(super) fn add(&mut self, kind: &str, thing: &str, default: Option<&str>) -> Option<String> {
        if self.list.len() >= MAX_SETTINGS {
            self.refused = true;
            return None;
        }
        let count = self.counts.entry(thing.to_owned()).or_default();
        *count += 1;
        let id = if *count > 1 { format!("{thing}_{count}") } else { thing.to_owned() };
        let mut setting = json!({ "type": kind, "id": id, "label": label(&id) });
        if let (Some(default), Json::Object(fields)) = (default, &mut setting) {
            fields.insert("default".to_owned(), Json::String(default.to_owned()));
        }
        self.list.push(setting);
        Some(format!("{}.settings.{id}", self.owner))
    }

    /// Returns true if a text is edited in a multi-line field.
    pub(super) fn is_long(text: &str) -> bool {
        text.chars().count() > SHORT_TEXT
    }

    /// Returns the name of a text setting for an element with this tag.
    pub(super) fn setting_name(name: &str) -> Option<&'static str> {
        match name {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => Some("heading"),
            "a" | "button" => Some("label"),
            "p" | "li" | "blockquote" | "figcaption" | "dd" | "dt" => Some("text"),
            _ => None,
        }
    }

    /// Makes a setting of the text of an element that contains only a text, possibly with emphasis.
    pub(super) fn text(&mut self, tag: &mut OutputElement) {
        let thing = match (Self::setting_name(&tag.name), tag.name.as_str()) {
            (Some(thing), _) => thing,
            // Such elements also contain symbols, and texts that only scripts or controls show.
            (None, "option" | "script" | "style" | "textarea" | "title") => return,
            _ if self.plain_texts > 0 && has_word_characters(tag) => {
                self.plain_texts -= 1;
                "text"
            }
            _ => return,
        };
        if let Some(rich) = rich_text(tag) {
            if let Some(setting) = self.add("inline_richtext", thing, Some(&rich)) {
                tag.children = vec![Node::Text(Value::Field(format!("{{{{ {setting} }}}}")))];
            }
            return;
        }
        let [Node::Text(value @ Value::Fixed(_))] = tag.children.as_mut_slice() else { return };
        let Value::Fixed(text) = &*value else { return };
        let trimmed = text.trim_ascii();
        // Shopify rejects defaults of white space only, including Unicode white space.
        if trimmed.trim().is_empty() || (!tag.whitespace_insignificant && trimmed.len() != text.len()) {
            return;
        }
        let kind = if Self::is_long(trimmed) { LONG_TEXT } else { TEXT };
        let default = trimmed.to_owned();
        if let Some(setting) = self.add(kind, thing, Some(&default)) {
            *value = Value::Field(format!("{{{{ {setting} | escape }}}}"));
        }
    }

    pub(super) fn address(&mut self, tag: &mut OutputElement) {
        let Some(attribute) = tag.attributes.iter_mut().find(|attribute| attribute.name == "href") else { return };
        let Value::Fixed(address) = &attribute.value else { return };
        // A URL cannot be the default of a setting, and one with quotes cannot be a Liquid literal.
        if address.contains(['\'', '\\', '{', '}']) || address.is_empty() {
            return;
        }
        let address = escape_attribute(address);
        if let Some(setting) = self.add("url", "link", None) {
            attribute.value = Value::Field(format!("{{{{ {setting} | default: '{address}' }}}}"));
        }
    }

    /// Makes one setting of a `picture` with all its sources.
    fn pictures(&mut self, tag: &mut OutputElement) {
        let own = |child: &Node| child.tag().is_some_and(|child| child.name == "img");
        if !tag.children.iter().any(own) {
            return;
        }
        let tags = tag.children.iter_mut().filter_map(|child| match child {
            Node::Tag(child) if matches!(child.name.as_str(), "img" | "source") => Some(child),
            _ => None,
        });
        self.picture(&mut tags.collect::<Vec<_>>());
    }

    /// Writes the chosen image, or else the page's.
    pub(super) fn picture(&mut self, tags: &mut [&mut OutputElement]) {
        const URL_ATTRIBUTES: [&str; 2] = ["src", "srcset"];
        let own = tags.iter().flat_map(|tag| &tag.attributes).filter(|own| URL_ATTRIBUTES.contains(&own.name.as_str()));
        let is_literal =
            |value: &Value| matches!(value, Value::Fixed(own) if !own.is_empty() && !own.contains(['{', '}']));
        let mut values = own.map(|own| &own.value).peekable();
        if values.peek().is_none() || !values.all(is_literal) {
            return;
        }
        let Some(setting) = self.add("image_picker", "image", None) else { return };
        for attribute in tags.iter_mut().flat_map(|tag| &mut tag.attributes) {
            let Value::Fixed(own) = &attribute.value else { continue };
            let chosen = match attribute.name.as_str() {
                name if URL_ATTRIBUTES.contains(&name) => format!("{{{{ {setting} | image_url: width: 1920 }}}}"),
                "alt" => format!("{{{{ {setting}.alt | escape }}}}"),
                _ => continue,
            };
            let own = without_liquid(&attribute_text(&attribute.name, own));
            attribute.value = Value::Field(format!("{{% if {setting} %}}{chosen}{{% else %}}{own}{{% endif %}}"));
        }
    }
}

/// Returns true if a text is more than a symbol.
fn has_word_characters(tag: &OutputElement) -> bool {
    let text =
        |child: &Node| matches!(child, Node::Text(Value::Fixed(text)) if text.chars().any(char::is_alphanumeric));
    matches!(tag.children.as_slice(), [child] if text(child)) || rich_text(tag).is_some()
}

/// Returns the markup of a text with bold, italic or linked words and without other styling, which
/// the editor preserves. `None` if there is no such word.
fn rich_text(tag: &OutputElement) -> Option<String> {
    let (out, has_words) = inline_markup(tag)?;
    let trimmed = out.trim_ascii();
    let is_label = matches!(tag.name.as_str(), "a" | "button");
    (has_words && !is_label && (tag.edge_whitespace_insignificant || trimmed.len() == out.len()))
        .then(|| trimmed.to_owned())
}

/// Returns a text as markup that the editor preserves, and whether it contains such words. `None`
/// if it contains anything else.
pub(super) fn inline_markup(tag: &OutputElement) -> Option<(String, bool)> {
    let mut out = String::new();
    let (mut has_words, mut has_link, mut has_text) = (false, false, false);
    for child in &tag.children {
        match child {
            Node::Text(Value::Fixed(text)) => {
                has_text |= !text.trim().is_empty();
                out.push_str(&escape_text(text));
            }
            Node::Tag(inner) if matches!(inner.name.as_str(), "a" | "b" | "em" | "i" | "strong") => {
                let [Node::Text(Value::Fixed(text))] = inner.children.as_slice() else { return None };
                let name = &inner.name;
                let address = match inner.attributes.as_slice() {
                    [] if name != "a" => String::new(),
                    [own] if name == "a" && own.name == "href" => {
                        let Value::Fixed(address) = &own.value else { return None };
                        format!(" href=\"{}\"", escape_attribute(address))
                    }
                    _ => return None,
                };
                out.push_str(&format!("<{name}{address}>{}</{name}>", escape_text(text)));
                has_words |= !text.trim().is_empty();
                has_link |= name == "a";
            }
            _ => return None,
        }
    }
    // A lone link has its own settings for label and URL.
    has_words &= has_text || !has_link;
    Some((out, has_words))
}

/// Returns the label of a setting or block in the editor: `is_featured` → "Featured".
pub(super) fn label(id: &str) -> String {
    let words = match (id.strip_prefix("is_"), id.strip_prefix("has_")) {
        (Some(is), _) => is.to_owned(),
        (_, Some(has)) => format!("show_{has}"),
        _ => {
            if id == "alt" {
                "alt_text".to_owned()
            } else {
                id.to_owned()
            }
        }
    };
    let words = words.replace('_', " ");
    let mut chars = words.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
