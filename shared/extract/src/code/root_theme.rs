//! The theme that the root of a page declares, as far as it is that of the component.
//!
//! A mark on the root (`class=dark`, `data-theme=light`) says how the page reads, unless the theme that forms the
//! component was chosen against it. Never answers with the theme that was asked for where the page says nothing of it.

use super::themes::Themes;
use crate::tokens::theme::{scheme_of_attribute, scheme_of_mark};
use limner_page::{Document, NodeId};
use limner_style::color::{Scheme, SupportedSchemes};
use limner_style::selector::Mark;

/// What is known of a component's theme before anything is painted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct RootTheme {
    /// By the marks of the root, where they hold for the component.
    marked: Option<Scheme>,
    /// What nothing but marks tells where nothing is painted behind the text.
    otherwise: Option<Scheme>,
    /// Whether the page follows what the visitor prefers: what it declares against that is no longer so.
    follows_visitor: bool,
}

impl RootTheme {
    /// `is_changed`: the root had to be marked otherwise for the theme that forms the component.
    pub(super) fn of(themes: &Themes, document: &Document, scheme: Scheme, is_changed: bool) -> Self {
        let own = document.document_element().and_then(|root| marked(document, root));
        let holds = match own {
            Some(own) if own == scheme || !is_changed => Some(own),
            Some(_) if themes.has_mark(scheme) => Some(scheme),
            _ => None,
        };
        let of_body = document.body().and_then(|body| marked(document, body));
        let otherwise = if is_changed { Some(scheme) } else { of_body };
        Self { marked: holds, otherwise, follows_visitor: themes.follows_visitor() }
    }

    /// The theme that is declared, whatever is painted: by marks, by the root's computed `color-scheme`, by metadata.
    pub(super) fn declared(self, color_scheme: &str, metadata: SupportedSchemes, made_for: Scheme) -> Option<Scheme> {
        let declared = self.any_declared(color_scheme, metadata)?;
        (declared == made_for || !self.follows_visitor).then_some(declared)
    }

    /// The theme where nothing is painted behind the text.
    pub(super) fn unpainted(self, color_scheme: &str, metadata: SupportedSchemes) -> Option<Scheme> {
        self.any_declared(color_scheme, metadata).or(self.otherwise)
    }

    fn any_declared(self, color_scheme: &str, metadata: SupportedSchemes) -> Option<Scheme> {
        let has = |keyword: &str| color_scheme.split_ascii_whitespace().any(|word| word == keyword);
        let of_property = SupportedSchemes { light: has("light"), dark: has("dark") };
        self.marked.or_else(|| only(of_property)).or_else(|| only(metadata))
    }
}

/// The one scheme that is named.
fn only(named: SupportedSchemes) -> Option<Scheme> {
    match (named.light, named.dark) {
        (true, false) => Some(Scheme::Light),
        (false, true) => Some(Scheme::Dark),
        _ => None,
    }
}

/// The one scheme that the classes and attributes of an element stand for.
fn marked(document: &Document, node: NodeId) -> Option<Scheme> {
    let element = document.element(node)?;
    let classes = element.classes().iter().filter_map(|name| scheme_of_mark(Mark::Class(name)));
    let attributes = element.attributes().iter().filter(|attribute| &*attribute.name.local != "class");
    let attributes = attributes.filter_map(|attribute| {
        let (name, value) = (&*attribute.name.local, &*attribute.value);
        scheme_of_attribute(name, value)
    });
    let mut schemes = classes.chain(attributes);
    let first = schemes.next()?;
    schemes.all(|scheme| scheme == first).then_some(first)
}
