//! Finds the URLs that a page refers to: stylesheets in order, their imports, the redirect target, and the subresources
//! that some operations read.
//!
//! This module only finds URLs. The fetcher reads them, after `netguard` has checked each.

mod imports;
mod noscript;
mod script_literals;
mod script_stylesheets;
mod unsized_images;

pub use imports::imports;
pub use noscript::stylesheets_with_scripting_disabled;
pub use unsized_images::images_without_size;

use crate::DocumentBase;
use crate::dom::{Document, Element, NodeId, NodeKind};
use encoding_rs::Encoding;
use url::Url;

/// Number of copies of a reference until the snapshot is complete: the key by which repetitions are found, and the URLs
/// of the stylesheet.
const COPIES_OF_A_REFERENCE: usize = 4;

/// Returns a URL without its fragment: the address of the file.
pub fn without_fragment(url: &str) -> &str {
    url.split_once('#').map_or(url, |(file, _)| file)
}

/// A top-level stylesheet that the document refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StylesheetReference {
    /// Index in [`Document::sheet_elements`]; `None` for a stylesheet that a script of the page applies (`link
    /// rel=preload as=style` with an `onload` that makes it a stylesheet; the configuration of a font loader), and for one
    /// inside `noscript`.
    pub element: Option<u32>,
    /// The location of its text.
    pub source: StylesheetSource,
    /// The media query list; empty means all.
    pub media: String,
    /// True if it is not applied: an alternate or disabled stylesheet.
    pub alternate: bool,
    /// The integrity metadata, if the page has any.
    pub integrity: Option<Integrity>,
    /// The encoding that the link declares with the obsolete `charset`, for a file that declares none.
    pub encoding: Option<&'static Encoding>,
}

/// Subresource Integrity metadata of a link.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Integrity {
    /// One or more hashes, separated by spaces: `sha384-…`.
    pub metadata: String,
    /// True if the page requests CORS, without which a file of another origin cannot be checked.
    pub with_cors: bool,
}

/// The location of a stylesheet's text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum StylesheetSource {
    /// In an external file.
    External(Url),
    /// In the document.
    Inline(String),
    /// A disabled `link`, which browsers do not load.
    Unread(Url),
}

/// Returns every stylesheet of the document, in document order, as with scripting enabled.
pub fn sheets(document: &Document, base: &DocumentBase) -> Vec<StylesheetReference> {
    stylesheets_by_element(document, base).into_iter().map(|(_, sheet)| sheet).collect()
}

/// Returns every stylesheet with the element that refers to it.
fn stylesheets_by_element(document: &Document, base: &DocumentBase) -> Vec<(NodeId, StylesheetReference)> {
    let numbered: Vec<NodeId> = document.sheet_elements();
    let preferred = preferred_set(document, &numbered);
    let mut found = Vec::new();
    let mut number = 0_u32;
    for (node, element) in document.elements() {
        if numbered.get(number as usize) == Some(&node) {
            let title = if in_shadow_tree(document, node) { "" } else { title(element) };
            let other_set = !title.is_empty() && preferred.as_deref() != Some(title);
            let sheet = stylesheet_reference(document, node, element, base, number, other_set);
            found.extend(sheet.filter(|sheet| keep(document, sheet, base)).map(|sheet| (node, sheet)));
            number += 1;
        } else if is_async_stylesheet(element)
            && let Some(url) = http_url(element, base)
        {
            let media = media(element).to_owned();
            let (source, integrity) = (StylesheetSource::External(url), integrity(element));
            let (alternate, encoding) = (false, encoding(element));
            let sheet = StylesheetReference { element: None, source, media, alternate, integrity, encoding };
            found.extend(Some(sheet).filter(|sheet| keep(document, sheet, base)).map(|sheet| (node, sheet)));
        }
    }
    found
}

/// Charges what a reference keeps to the document's work budget: a long base URL is part of every URL.
fn keep(document: &Document, sheet: &StylesheetReference, base: &DocumentBase) -> bool {
    let bytes = match &sheet.source {
        StylesheetSource::External(url) | StylesheetSource::Unread(url) => url.as_str().len(),
        StylesheetSource::Inline(text) => text.len() + base.as_str().len(),
    };
    document.work_budget().reserve_bytes(COPIES_OF_A_REFERENCE * (size_of::<StylesheetReference>() + bytes))
}

fn stylesheet_reference(
    document: &Document,
    node: NodeId,
    element: &Element,
    base: &DocumentBase,
    number: u32,
    other_set: bool,
) -> Option<StylesheetReference> {
    if !is_css(element) {
        return None;
    }
    let source = if element.name() == "style" {
        StylesheetSource::Inline(document.children(node).filter_map(|child| document.text(child)).collect())
    } else if element.attr("disabled").is_some() {
        StylesheetSource::Unread(sheet_url(element, base)?)
    } else {
        StylesheetSource::External(sheet_url(element, base)?)
    };
    let alternate = other_set || matches!(source, StylesheetSource::Unread(_));
    let (media, integrity, encoding) = (media(element).to_owned(), integrity(element), encoding(element));
    Some(StylesheetReference { element: Some(number), source, media, alternate, integrity, encoding })
}

fn encoding(element: &Element) -> Option<&'static Encoding> {
    let label = element.attr("charset").filter(|_| element.is_html("link"))?;
    Encoding::for_label(label.as_bytes())
}

fn integrity(element: &Element) -> Option<Integrity> {
    let metadata = element.attr("integrity").filter(|_| element.is_html("link"))?.trim().to_owned();
    (!metadata.is_empty()).then(|| Integrity { metadata, with_cors: element.attr("crossorigin").is_some() })
}

fn is_css(element: &Element) -> bool {
    let kind = element.attr("type").map(|kind| kind.split(';').next().unwrap_or_default().trim());
    let fits = |kind: &str| kind.is_empty() || kind.eq_ignore_ascii_case("text/css");
    // For `style` the attribute must be exactly that; browsers do not parse parameters there.
    match (element.name(), element.attr("type")) {
        ("style", Some(exact)) => exact.is_empty() || exact.eq_ignore_ascii_case("text/css"),
        _ => kind.is_none_or(fits),
    }
}

/// Returns the media query list. `media="print" onload="this.media='all'"` loads a stylesheet without blocking: it
/// counts as applied.
fn media(element: &Element) -> &str {
    let media = element.attr("media").unwrap_or_default().trim();
    let onload = || element.attr("onload").unwrap_or_default();
    if media.eq_ignore_ascii_case("print") && onload().contains("media") { "" } else { media }
}

/// Returns true for `<link rel="preload" as="style" onload="this.rel='stylesheet'">`.
fn is_async_stylesheet(element: &Element) -> bool {
    element.is_html("link")
        && element.attr_has_token("rel", "preload")
        && element.attr("as").is_some_and(|kind| kind.eq_ignore_ascii_case("style"))
        && element.attr("onload").is_some_and(|script| script.contains("rel") && script.contains("stylesheet"))
}

fn title(element: &Element) -> &str {
    element.attr("title").unwrap_or_default()
}

fn in_shadow_tree(document: &Document, node: NodeId) -> bool {
    document.ancestors(node).any(|ancestor| matches!(document.kind(ancestor), NodeKind::ShadowRoot))
}

/// Returns the name of the stylesheet set that applies (CSSOM, "preferred CSS style sheet set name"): the one in
/// `default-style`, else the title of the first stylesheet that has one and is not alternate.
fn preferred_set(document: &Document, sheets: &[NodeId]) -> Option<String> {
    let is_default_style = |e: &Element| e.attr("http-equiv").is_some_and(|h| h.eq_ignore_ascii_case("default-style"));
    let named = document.elements_named("meta").find(|(_, meta)| is_default_style(meta));
    if let Some(name) = named.and_then(|(_, meta)| meta.attr("content")).filter(|name| !name.is_empty()) {
        return Some(name.to_owned());
    }
    let titled = sheets
        .iter()
        .filter(|node| !in_shadow_tree(document, **node))
        .filter_map(|node| document.element(*node))
        .find(|e| !title(e).is_empty() && !e.attr_has_token("rel", "alternate") && e.attr("disabled").is_none());
    titled.map(|element| title(element).to_owned())
}

/// Returns the URL in `href`, if it can be fetched.
fn http_url(element: &Element, base: &DocumentBase) -> Option<Url> {
    sheet_url(element, base).filter(|url| url.scheme() != "data")
}

fn sheet_url(element: &Element, base: &DocumentBase) -> Option<Url> {
    let href = element.attr("href").map(str::trim).filter(|href| !href.is_empty())?;
    base.join(href).ok().filter(|url| matches!(url.scheme(), "http" | "https" | "data"))
}

/// Returns the URL of the web app manifest.
pub fn manifest(document: &Document, base: &DocumentBase) -> Option<Url> {
    let link = document.elements_named("link").find(|(_, link)| link.attr_has_token("rel", "manifest"));
    link.and_then(|(_, link)| http_url(link, base))
}

/// Maximum delay in seconds of a `meta refresh` that redirects; longer ones reload the page to keep it current.
const REDIRECTING_DELAY: f64 = 5.0;

/// Returns the target of a `meta refresh` that redirects soon and to another page.
pub fn meta_refresh(document: &Document, page: &Url, base: &DocumentBase) -> Option<Url> {
    let is_refresh = |e: &Element| e.attr("http-equiv").is_some_and(|h| h.trim().eq_ignore_ascii_case("refresh"));
    let (_, meta) = document.elements_named("meta").find(|(_, meta)| is_refresh(meta))?;
    refresh(meta.attr("content")?, page, base)
}

/// Returns the target of a `Refresh` header, or of the `content` of a `meta refresh`.
pub fn refresh(content: &str, page: &Url, base: &DocumentBase) -> Option<Url> {
    let (delay, target) = read_refresh(content)?;
    let mut url = base.join(target).ok()?;
    url.set_fragment(None);
    let elsewhere = matches!(url.scheme(), "http" | "https") && url != *page;
    (elsewhere && delay <= REDIRECTING_DELAY).then_some(url)
}

/// Parses `5; url='…'` and the variants in use (HTML, "shared declarative refresh steps").
fn read_refresh(content: &str) -> Option<(f64, &str)> {
    let content = content.trim_start();
    let digits_end = content.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(content.len());
    let (delay, rest) = content.split_at(digits_end);
    let delay: f64 = delay.split('.').next().unwrap_or_default().parse().unwrap_or(0.0);
    let separators = |c: char| c.is_ascii_whitespace() || matches!(c, ';' | ',');
    let rest = rest.trim_start_matches(separators);
    let named = rest.get(..3).filter(|name| name.eq_ignore_ascii_case("url")).map(|_| rest[3..].trim_start());
    let target = named.and_then(|after| after.strip_prefix('=')).unwrap_or(rest).trim_start();
    let target = match target.chars().next()? {
        quote @ ('"' | '\'') => target[1..].split(quote).next()?,
        _ => target.trim_end(),
    };
    (!target.is_empty()).then_some((delay, target))
}

#[cfg(test)]
mod tests;
