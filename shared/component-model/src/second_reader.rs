//! Checks emitted HTML with a second reader, [`scraper`].
//!
//! It shares tokenizer and tree construction with the core's own document, and nothing that comes after. The tree, the names,
//! the attributes and the texts are compared with the component, and whatever executes or leads to an address that is not
//! absolute is reported. Assertions of development builds and tests use it; no answer depends on it.

use crate::model::{Child, Component, Element, ElementId, Namespace};
use limner_types::Framework;
use markup5ever::{QualName, ns};
use scraper::{ElementRef, Html, Node};
use serde_json::Value;
use std::collections::HashMap;
use url::Url;

/// Elements that run something, load something that does, or change what addresses of others mean. A `style` is one except
/// ahead of the component, where frameworks without a style sheet of their own have it.
const ACTIVE: &[&str] = &[
    "applet", "base", "embed", "frame", "frameset", "link", "meta", "noscript", "object", "portal", "script",
    "template",
];

/// Attributes whose value is an address.
const ADDRESSES: &[&str] = &["action", "cite", "data", "formaction", "href", "poster", "src", "xlink:href"];

/// Returns the first thing that is wrong with the code of a component, or with the files of a page.
pub fn fault(component: &Component, framework: Framework, code: &str, files: &[(String, String)]) -> Option<String> {
    match framework {
        Framework::Html => difference(component, code),
        Framework::Tailwind => {
            // The faces of its fonts stand before it.
            let markup = code.rsplit_once("</style>\n\n").map_or(code, |(_, markup)| markup);
            difference(component, markup).or_else(|| hazard(&read(code)))
        }
        Framework::Vue => {
            let mut codes = std::iter::once(code).chain(files.iter().map(|(_, file)| file.as_str()));
            codes.find_map(|code| hazard_of(&[vue_template(code).map(without_interpolations)]))
        }
        Framework::Shopify if files.is_empty() => hazard_of(&[liquid(code)]),
        // The page itself is a list of its sections.
        Framework::Shopify => files.iter().find_map(|(_, file)| hazard_of(&[liquid(file)])),
        Framework::Elementor => hazard_of(&html_blocks(code)),
        // Not HTML.
        Framework::Jsx => None,
    }
}

/// Returns the first hazard in parts of files that become HTML, or that there is no such part.
fn hazard_of(templates: &[Option<impl AsRef<str>>]) -> Option<String> {
    if templates.is_empty() {
        return Some("there is no template".to_owned());
    }
    templates.iter().find_map(|template| match template {
        Some(markup) => hazard(&read(markup.as_ref())),
        None => Some("there is no template".to_owned()),
    })
}

/// Returns the template of a Vue component. Texts of its script cannot end the script.
fn vue_template(code: &str) -> Option<&str> {
    let rest = if code.starts_with("<script") { code.split_once("</script>\n\n")?.1 } else { code };
    Some(rest.strip_prefix("<template>\n")?.rsplit_once("</template>")?.0)
}

/// Returns a template of Vue without the expressions between its texts: they are evaluated and become text, whatever is in
/// them. In attributes such braces have no meaning.
fn without_interpolations(template: &str) -> String {
    let (mut kept, mut rest) = (String::with_capacity(template.len()), template);
    while let Some(at) = rest.find(['<', '{']) {
        let (text, own) = rest.split_at(at);
        kept.push_str(text);
        let end = match own.strip_prefix("{{") {
            Some(expression) => expression.find("}}").map_or(own.len(), |end| end + 4),
            None => {
                let end = if own.starts_with('<') { tag_end(own) } else { 1 };
                kept.push_str(&own[..end]);
                end
            }
        };
        rest = &own[end..];
    }
    kept + rest
}

/// Returns the end of the tag at the start of a text.
fn tag_end(text: &str) -> usize {
    let mut quote = None;
    let end = text.bytes().position(|byte| match quote {
        Some(open) => {
            quote = quote.filter(|_| byte != open);
            false
        }
        None => {
            quote = Some(byte).filter(|byte| matches!(byte, b'"' | b'\''));
            byte == b'>'
        }
    });
    end.map_or(text.len(), |end| end + 1)
}

fn liquid(code: &str) -> Option<&str> {
    Some(code.split_once("{% schema %}")?.0)
}

/// Returns the HTML of each block of an Elementor template.
fn html_blocks(code: &str) -> Vec<Option<String>> {
    let file: Value = serde_json::from_str(code).unwrap_or_default();
    let containers = file["content"].as_array().into_iter().flatten();
    containers.map(|own| Some(own.pointer("/elements/0/settings/html")?.as_str()?.to_owned())).collect()
}

/// Returns the first difference between a component and the HTML that was written from it, or what is active in that.
pub fn difference(component: &Component, markup: &str) -> Option<String> {
    let html = read(markup);
    let written = elements(&html);
    // The tree counts in the order in which the parser made its nodes.
    let places: HashMap<_, _> = written.iter().enumerate().map(|(at, element)| (element.id(), at)).collect();
    let place_of = |element: ElementRef<'_>| places.get(&element.id()).copied();
    if let Some(at) = in_tree_order(component).iter().enumerate().position(|(at, id)| at != id.0) {
        return Some(format!("element {at} is not in document order"));
    }
    for (at, element) in component.elements.iter().enumerate() {
        let Some(read) = written.get(at) else { return Some(format!("element {at}, <{}>, is missing", element.tag)) };
        let lang = component.lang.as_deref().filter(|_| at == 0);
        if let Some(difference) = difference_of(element, lang, read, &place_of) {
            return Some(format!("element {at}, <{}>, {difference}", element.tag));
        }
    }
    let more = written.get(component.elements.len());
    more.map(|element| format!("<{}> is not of the component", element.value().name())).or_else(|| hazard(&html))
}

/// Returns the elements of a component as its tree has them.
fn in_tree_order(component: &Component) -> Vec<ElementId> {
    let mut order = Vec::new();
    let mut steps = vec![ElementId(0)];
    while let Some(id) = steps.pop() {
        order.push(id);
        steps.extend(component.elements[id.0].children.iter().rev().filter_map(|child| match child {
            Child::Element(child) => Some(*child),
            Child::Text(_) => None,
        }));
    }
    order
}

/// Returns how an element was read otherwise than it is in the component.
fn difference_of(
    element: &Element,
    lang: Option<&str>,
    read: &ElementRef<'_>,
    place_of: &dyn Fn(ElementRef<'_>) -> Option<usize>,
) -> Option<String> {
    let namespace = match element.namespace {
        Namespace::Html => ns!(html),
        Namespace::Svg => ns!(svg),
        Namespace::MathMl => ns!(mathml),
    };
    let name = &read.value().name;
    if *name.local != *element.tag || name.ns != namespace {
        return Some(format!("is <{}>", name.local));
    }
    let lang = lang.filter(|_| element.attribute("lang").is_none());
    let own = element.attributes.iter().map(|attribute| (attribute.name.clone(), attribute.value.clone()));
    let mut attributes: Vec<_> = own.chain(lang.map(|lang| ("lang".to_owned(), lang.to_owned()))).collect();
    let mut found: Vec<_> = attributes_of(read).filter(|(name, _)| name != "class").collect();
    attributes.sort_unstable();
    found.sort_unstable();
    if attributes != found {
        return Some(format!("has {found:?}, not {attributes:?}"));
    }
    let children = merged(element.children.iter().map(|child| match child {
        Child::Element(child) => Part::Element(child.0),
        Child::Text(text) => Part::Text(text.clone()),
    }));
    let inside = merged(read.children().filter_map(|child| match child.value() {
        Node::Text(text) => Some(Part::Text(text.to_string())),
        _ => ElementRef::wrap(child).and_then(place_of).map(Part::Element),
    }));
    (children != inside).then(|| format!("holds {inside:?}, not {children:?}"))
}

/// The content of an element.
#[derive(Debug, PartialEq)]
enum Part {
    Element(usize),
    /// Without white space: where it stands is a matter of layout.
    Text(String),
}

/// Returns the parts with neighbouring texts as one, and without texts that say nothing.
fn merged(parts: impl Iterator<Item = Part>) -> Vec<Part> {
    let mut merged: Vec<Part> = Vec::new();
    for part in parts {
        match (merged.last_mut(), part) {
            (Some(Part::Text(before)), Part::Text(text)) => before.extend(text.split_ascii_whitespace()),
            (_, Part::Text(text)) => merged.push(Part::Text(text.split_ascii_whitespace().collect())),
            (_, element) => merged.push(element),
        }
        merged.pop_if(|part| matches!(part, Part::Text(text) if text.is_empty()));
    }
    merged
}

/// Returns the first element or attribute that executes, or leads where nothing may lead.
fn hazard(html: &Html) -> Option<String> {
    elements(html).iter().find_map(|element| {
        let name = element.value().name();
        let is_ahead =
            || element.prev_siblings().filter_map(ElementRef::wrap).all(|before| before.value().name() == "style");
        // Vue's compiler removes it.
        let is_directive = || name == "template" && element.value().attrs().any(|(name, _)| name.starts_with("v-"));
        if ACTIVE.contains(&name) && !is_directive() || name == "style" && !is_ahead() {
            return Some(format!("<{name}> is active"));
        }
        let is_animation = name == "set" || name.starts_with("animate");
        attributes_of(element).find_map(|(attribute, value)| {
            let lower = attribute.to_ascii_lowercase();
            let is_active = lower.starts_with("on") || matches!(lower.as_str(), "srcdoc" | "style" | "ping" | "is");
            let target = value.trim().to_ascii_lowercase();
            let animates =
                is_animation && lower == "attributename" && (target.ends_with("href") || target.starts_with("on"));
            let leads = ADDRESSES.contains(&lower.as_str()) && !is_harmless(name, &value)
                || lower == "srcset" && value.split(", ").any(|candidate| !is_harmless(name, candidate));
            (is_active || animates || leads).then(|| format!("<{name} {attribute}={value:?}> is active"))
        })
    })
}

/// Returns true if an address is a place in the same document, or absolute and shown or visited without running anything.
fn is_harmless(element: &str, address: &str) -> bool {
    // An expression of a theme or a framework stands for an address that was checked where it is kept.
    if address.starts_with('#') || address.starts_with("{{") || address.starts_with("{%") {
        return true;
    }
    let Ok(url) = Url::parse(address) else { return false };
    let holds_media = || {
        ["image/", "video/", "audio/", "font/"]
            .iter()
            .any(|kind| url.path().trim_start().to_ascii_lowercase().starts_with(kind))
    };
    match url.scheme() {
        "http" | "https" | "mailto" | "tel" | "sms" => true,
        "data" => !matches!(element, "a" | "area" | "button" | "form" | "iframe") && holds_media(),
        _ => false,
    }
}

fn read(markup: &str) -> Html {
    Html::parse_document(&format!("<!doctype html><html><head></head><body>{markup}"))
}

/// Returns the elements of the body in document order.
fn elements(html: &Html) -> Vec<ElementRef<'_>> {
    let body = html.root_element().child_elements().find(|element| element.value().name() == "body");
    body.into_iter().flat_map(|body| body.descendent_elements().skip(1)).collect()
}

/// Returns attributes under their names as HTML writes them.
fn attributes_of<'a>(element: &ElementRef<'a>) -> impl Iterator<Item = (String, String)> + use<'a> {
    let name = |name: &QualName| match &name.prefix {
        Some(prefix) if !prefix.is_empty() => format!("{prefix}:{}", name.local),
        _ => name.local.to_string(),
    };
    element.value().attrs.iter().map(move |(own, value)| (name(own), value.to_string()))
}

#[cfg(test)]
mod tests;
