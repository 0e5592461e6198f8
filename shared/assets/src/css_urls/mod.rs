//! Collects the URLs to which CSS declarations refer, and resolves them.
//!
//! It finds `url()`, `image-set()`, `cross-fade()` and similar functions in all rules regardless of
//! their conditions, and keeps them as a browser would: invalid declarations are dropped, and so
//! are those that a later declaration of the same block overrides. Selectors are not matched; that
//! is the task of the style engine.

mod rules;
mod url_properties;
mod value_urls;

use limner_page::references::without_fragment;
use limner_page::{PageSnapshot, Stylesheet};
use rules::{RuleReader, UrlItem};
use std::collections::HashSet;
use std::rc::Rc;
use url::Url;

pub(crate) use url_properties::UrlUse;

/// Maximum length of a chain of `@import` rules.
const MAX_IMPORT_DEPTH: usize = 32;
/// Maximum length of a rule's condition including those of enclosing rules, in bytes. Rules with a
/// longer one are skipped, because each reference and each font carries its condition.
pub(crate) const MAX_CONDITION_BYTES: usize = 4_096;
/// Maximum size of all URLs read from the stylesheets of a page, in bytes; each may begin with the
/// same long base.
const MAX_BYTES: usize = 64 * 1024 * 1024;

/// A URL in a declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CssReference {
    /// The absolute URL.
    pub(crate) url: Url,
    /// The use of the URL by the property.
    pub(crate) role: UrlUse,
    /// The resolution in `image-set()`.
    pub(crate) descriptor: Option<String>,
    /// `type()` in `image-set()`.
    pub(crate) media_type: Option<String>,
    /// The enclosing media queries, joined with `and`, outermost first.
    pub(crate) media: Option<Rc<str>>,
}

/// Reads the stylesheets of one page. An imported stylesheet is read once, at its first import.
pub(crate) struct CssReader<'a> {
    page: &'a PageSnapshot,
    imported: HashSet<String>,
    /// Remaining number of bytes of URLs to read.
    bytes_left: usize,
}

impl<'a> CssReader<'a> {
    pub(crate) fn new(page: &'a PageSnapshot) -> Self {
        Self { page, imported: HashSet::new(), bytes_left: MAX_BYTES }
    }

    /// Returns the references of a stylesheet and of its imports, in source order.
    pub(crate) fn sheet(&mut self, sheet: &Stylesheet) -> Vec<CssReference> {
        let mut found = Vec::new();
        if let (Some(text), Ok(base)) = (&sheet.text, Url::parse(&sheet.base_url)) {
            self.collect_references(text, &base, condition(&sheet.media), 0, &mut found);
        }
        found
    }

    /// Returns the references of a `style` attribute; each is resolved when the iterator reaches
    /// it.
    pub(crate) fn style_attribute(declarations: &str, base: &'a Url) -> impl Iterator<Item = CssReference> + use<'a> {
        let items = if may_refer(declarations) { RuleReader::declarations(declarations) } else { Vec::new() };
        items.into_iter().filter_map(|item| resolve(item, base))
    }

    fn collect_references(&mut self, text: &str, base: &Url, media: &str, depth: usize, found: &mut Vec<CssReference>) {
        if !may_refer(text) || media.len() > MAX_CONDITION_BYTES {
            return;
        }
        for item in RuleReader::sheet(text, media) {
            match item {
                UrlItem::Import { address, media } => self.import(&address, base, &media, depth, found),
                item => {
                    let Some(reference) = resolve(item, base) else { continue };
                    let Some(left) = self.bytes_left.checked_sub(reference.url.as_str().len()) else { return };
                    self.bytes_left = left;
                    found.push(reference);
                }
            }
        }
    }

    fn import(&mut self, address: &str, base: &Url, media: &str, depth: usize, found: &mut Vec<CssReference>) {
        let page = self.page;
        let Ok(url) = base.join(address.trim()) else { return };
        let sheet = page.imports.get(url.as_str()).or_else(|| page.imports.get(without_fragment(url.as_str())));
        let Some(sheet) = sheet.filter(|_| depth < MAX_IMPORT_DEPTH && self.imported.insert(url.to_string())) else {
            return;
        };
        if let Ok(base) = Url::parse(&sheet.base_url) {
            self.collect_references(&sheet.text, &base, media, depth + 1, found);
        }
    }
}

fn resolve(item: UrlItem, base: &Url) -> Option<CssReference> {
    let UrlItem::Reference { reference, role, media } = item else { return None };
    let address = reference.url.trim();
    // A bare fragment refers to the document the rule applies to, not to the stylesheet.
    if address.is_empty() || address.starts_with('#') {
        return None;
    }
    let url = base.join(address).ok()?;
    let media = media.filter(|media| !media.is_empty());
    Some(CssReference { url, role, descriptor: reference.descriptor, media_type: reference.media_type, media })
}

/// Returns a media query list, or an empty string for `all`.
fn condition(media: &str) -> &str {
    let media = media.trim();
    if media.eq_ignore_ascii_case("all") { "" } else { media }
}

/// Returns true if a text may contain a reference; most `style` attributes and many stylesheets do
/// not.
fn may_refer(css: &str) -> bool {
    // An escape may be part of a function's name.
    css.bytes().enumerate().any(|(at, byte)| match byte {
        b'\\' => true,
        b'(' => ["url", "image-set", "image", "src"].iter().any(|name| ends_with(&css.as_bytes()[..at], name)),
        b'@' => css.as_bytes()[at + 1..].get(..6).is_some_and(|name| name.eq_ignore_ascii_case(b"import")),
        _ => false,
    })
}

fn ends_with(text: &[u8], name: &str) -> bool {
    text.len() >= name.len() && text[text.len() - name.len()..].eq_ignore_ascii_case(name.as_bytes())
}

#[cfg(test)]
mod tests;
