//! Addresses in CSS: what the declarations of a page refer to, resolved.
//!
//! Finds every `url()`, `image-set()`, `cross-fade()` and the like in every rule whatever its condition, as a browser
//! would keep them: declarations that do not parse are dropped, and so is what a later declaration of the same block
//! overrides. Never asks which element a rule matches: that is the style engine's work.

mod property;
mod rules;
mod value;

use limner_page::{PageSnapshot, Sheet};
use rules::{Item, Reader};
use std::collections::HashSet;
use std::rc::Rc;
use url::Url;

pub(crate) use property::Role;

/// Deepest chain of `@import` rules that is followed.
const MAX_IMPORT_DEPTH: usize = 32;
/// Longest condition of rules, with those around it. Everything under one that is longer is passed over: each reference
/// and each font carries its condition along.
pub(crate) const MAX_CONDITION_BYTES: usize = 4_096;
/// Bytes of addresses that are read of the sheets of one page: every one of them may begin with the same long base.
const MAX_BYTES: usize = 64 * 1024 * 1024;

/// An address that a declaration refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CssReference {
    /// Absolute.
    pub(crate) url: Url,
    /// What the property makes of it.
    pub(crate) role: Role,
    /// Resolution in `image-set()`.
    pub(crate) descriptor: Option<String>,
    /// `type()` in `image-set()`.
    pub(crate) media_type: Option<String>,
    /// The media queries around it, joined with `and` from the outside in.
    pub(crate) media: Option<Rc<str>>,
}

/// Reads the sheets of one page. An imported sheet is read once, wherever it is first imported.
pub(crate) struct CssReader<'a> {
    page: &'a PageSnapshot,
    imported: HashSet<String>,
    /// How many more bytes of addresses are read.
    left: usize,
}

impl<'a> CssReader<'a> {
    pub(crate) fn new(page: &'a PageSnapshot) -> Self {
        Self { page, imported: HashSet::new(), left: MAX_BYTES }
    }

    /// Every reference of a sheet and of what it imports, in the order of the text.
    pub(crate) fn sheet(&mut self, sheet: &Sheet) -> Vec<CssReference> {
        let mut found = Vec::new();
        if let (Some(text), Ok(base)) = (&sheet.text, Url::parse(&sheet.base_url)) {
            self.read(text, &base, condition(&sheet.media), 0, &mut found);
        }
        found
    }

    /// Every reference of a `style` attribute, resolved as it is asked for.
    pub(crate) fn style_attribute(declarations: &str, base: &'a Url) -> impl Iterator<Item = CssReference> + use<'a> {
        let items = if may_refer(declarations) { Reader::declarations(declarations) } else { Vec::new() };
        items.into_iter().filter_map(|item| resolve(item, base))
    }

    fn read(&mut self, text: &str, base: &Url, media: &str, depth: usize, found: &mut Vec<CssReference>) {
        if !may_refer(text) || media.len() > MAX_CONDITION_BYTES {
            return;
        }
        for item in Reader::sheet(text, media) {
            match item {
                Item::Import { address, media } => self.import(&address, base, &media, depth, found),
                item => {
                    let Some(reference) = resolve(item, base) else { continue };
                    let Some(left) = self.left.checked_sub(reference.url.as_str().len()) else { return };
                    self.left = left;
                    found.push(reference);
                }
            }
        }
    }

    fn import(&mut self, address: &str, base: &Url, media: &str, depth: usize, found: &mut Vec<CssReference>) {
        let page = self.page;
        let Ok(url) = base.join(address.trim()) else { return };
        let sheet = page.imports.get(url.as_str()).or_else(|| page.imports.get(without_fragment(&url)));
        let Some(sheet) = sheet.filter(|_| depth < MAX_IMPORT_DEPTH && self.imported.insert(url.to_string())) else {
            return;
        };
        if let Ok(base) = Url::parse(&sheet.base_url) {
            self.read(&sheet.text, &base, media, depth + 1, found);
        }
    }
}

fn resolve(item: Item, base: &Url) -> Option<CssReference> {
    let Item::Reference { reference, role, media } = item else { return None };
    let address = reference.address.trim();
    // A fragment alone always means the document the rule applies to, not the sheet.
    if address.is_empty() || address.starts_with('#') {
        return None;
    }
    let url = base.join(address).ok()?;
    let media = media.filter(|media| !media.is_empty());
    Some(CssReference { url, role, descriptor: reference.descriptor, media_type: reference.media_type, media })
}

fn without_fragment(url: &Url) -> &str {
    url.as_str().split('#').next().unwrap_or_default()
}

/// A media query list that says something.
fn condition(media: &str) -> &str {
    let media = media.trim();
    if media.eq_ignore_ascii_case("all") { "" } else { media }
}

/// Whether a text can hold a reference at all: most `style` attributes and many sheets can't.
fn may_refer(css: &str) -> bool {
    // An escape may spell a function's name.
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
