//! Determines the theme that the root of a page declares, as far as it applies to the component.
//!
//! A theme selector on the root (`class=dark`, `data-theme=light`) declares the theme, unless the
//! component is captured in the other theme. If the page declares no theme, the requested theme is
//! never returned instead.

use super::themes::Themes;
use limner_page::{Document, NodeId};
use limner_style::color::{Scheme, SupportedSchemes};
use limner_style::selector::ScopeSelector;
use limner_tokens::theme_detection::{scheme_of_attribute, scheme_of_mark};

/// The facts about a component's theme that do not depend on painted backgrounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct RootTheme {
    /// The theme of the root's theme selectors, if they apply to the component.
    marked: Option<Scheme>,
    /// The theme for pages whose text has no painted background, where only theme selectors declare
    /// one.
    fallback: Option<Scheme>,
    /// True if the page follows the visitor's preference, which overrides a contrary declaration.
    follows_visitor: bool,
}

impl RootTheme {
    /// Determines the root theme. `is_changed` is true if the root's theme selectors were changed
    /// to capture the component.
    pub(super) fn detect(themes: &Themes, document: &Document, scheme: Scheme, is_changed: bool) -> Self {
        let own = document.document_element().and_then(|root| marked(document, root));
        let holds = match own {
            Some(own) if own == scheme || !is_changed => Some(own),
            Some(_) if themes.has_selector(scheme) => Some(scheme),
            _ => None,
        };
        let of_body = document.body().and_then(|body| marked(document, body));
        let fallback = if is_changed { Some(scheme) } else { of_body };
        Self { marked: holds, fallback, follows_visitor: themes.follows_system_preference() }
    }

    /// Returns the theme declared by theme selectors, by the root's computed `color-scheme`, or by
    /// metadata.
    pub(super) fn declared(self, color_scheme: &str, metadata: SupportedSchemes, made_for: Scheme) -> Option<Scheme> {
        let declared = self.declared_scheme(color_scheme, metadata)?;
        (declared == made_for || !self.follows_visitor).then_some(declared)
    }

    /// Returns the theme if there is no painted background behind the text.
    pub(super) fn unpainted(self, color_scheme: &str, metadata: SupportedSchemes) -> Option<Scheme> {
        self.declared_scheme(color_scheme, metadata).or(self.fallback)
    }

    fn declared_scheme(self, color_scheme: &str, metadata: SupportedSchemes) -> Option<Scheme> {
        let has = |keyword: &str| color_scheme.split_ascii_whitespace().any(|word| word == keyword);
        let of_property = SupportedSchemes { light: has("light"), dark: has("dark") };
        self.marked.or_else(|| single_scheme(of_property)).or_else(|| single_scheme(metadata))
    }
}

/// Returns the scheme if exactly one is named.
fn single_scheme(named: SupportedSchemes) -> Option<Scheme> {
    match (named.light, named.dark) {
        (true, false) => Some(Scheme::Light),
        (false, true) => Some(Scheme::Dark),
        _ => None,
    }
}

/// Returns the scheme of an element's classes and attributes, if they agree.
fn marked(document: &Document, node: NodeId) -> Option<Scheme> {
    let element = document.element(node)?;
    let classes = element.classes().iter().filter_map(|name| scheme_of_mark(ScopeSelector::Class(name)));
    let attributes = element.attributes().iter().filter(|attribute| &*attribute.name.local != "class");
    let attributes = attributes.filter_map(|attribute| {
        let (name, value) = (&*attribute.name.local, &*attribute.value);
        scheme_of_attribute(name, value)
    });
    let mut schemes = classes.chain(attributes);
    let first = schemes.next()?;
    schemes.all(|scheme| scheme == first).then_some(first)
}
