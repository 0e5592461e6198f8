//! The theme scope of a selector: the classes and attributes that it requires on ancestors or on the root.

use super::StyleSelectorImpl;
use super::pseudo::{PseudoElement, PseudoName};
use crate::color::Scheme;
use selectors::attr::AttrSelectorOperator;
use selectors::parser::{Combinator, Component, Selector};

/// A class or attribute selector that may select a theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScopeSelector<'s> {
    /// `.name`
    Class(&'s str),
    /// `[name]`, or `[name=value]`.
    Attribute {
        /// Lower case in HTML.
        name: &'s str,
        /// The value that the attribute must equal or contain.
        value: Option<&'s str>,
    },
}

/// Returns the colour scheme that a selector is scoped to, by the theme selectors for which `scheme_of` returns one:
/// `.dark .card`, `[data-theme=dark]`, `:root.dark`, `.card:where(.dark *)`, `:root:not(.light)`. A theme selector
/// among others on the subject itself (`.button.dark`) is a variant of that component, not a scope.
pub(crate) fn scheme(
    selector: &Selector<StyleSelectorImpl>,
    scheme_of: &dyn Fn(ScopeSelector<'_>) -> Option<Scheme>,
) -> Option<Scheme> {
    let mut compound = CompoundScan { is_subject: true, ..CompoundScan::default() };
    for component in selector.iter_raw_match_order() {
        if component.is_combinator() {
            if let Some(found) = compound.scheme() {
                return Some(found);
            }
            // A pseudo-element belongs to the compound before it.
            let is_subject =
                compound.is_subject && matches!(component, Component::Combinator(Combinator::PseudoElement));
            let generates_box = is_subject && compound.generates_box;
            compound = CompoundScan { is_subject, generates_box, ..CompoundScan::default() };
        } else {
            compound.add(component, scheme_of);
        }
    }
    compound.scheme()
}

/// The simple selectors between two combinators.
#[derive(Default)]
struct CompoundScan {
    is_subject: bool,
    /// Scheme of a theme selector in this compound.
    marked: Option<Scheme>,
    /// Scheme of a scope in the arguments of a pseudo-class: `:where(.dark *)`.
    scoped: Option<Scheme>,
    /// True if the compound has other simple selectors besides theme selectors and `:root`.
    is_particular: bool,
    /// True if `::before` or `::after` follows: the only class before that names an icon (`.icon-dark-mode::before`).
    generates_box: bool,
    /// True if the compound names the root or the body.
    is_root: bool,
}

impl CompoundScan {
    fn scheme(&self) -> Option<Scheme> {
        let is_particular = self.is_particular || self.generates_box && !self.is_root;
        let marked = self.marked.filter(|_| !(self.is_subject && is_particular));
        self.scoped.or(marked)
    }

    fn add(
        &mut self,
        component: &Component<StyleSelectorImpl>,
        scheme_of: &dyn Fn(ScopeSelector<'_>) -> Option<Scheme>,
    ) {
        match component {
            Component::Negation(list) => {
                let inner = list.slice().iter().find_map(|inner| scheme(inner, scheme_of));
                self.marked = self.marked.or(inner.map(opposite));
            }
            Component::Is(list) | Component::Where(list) => {
                // Walked once each: lists nest, and two walks of each would double the time with every level.
                for found in list.slice().iter().map(|inner| scheme(inner, scheme_of)) {
                    self.scoped = self.scoped.or(found);
                    self.is_particular |= found.is_none();
                }
            }
            Component::Host(Some(inner)) => self.marked = self.marked.or_else(|| scheme(inner, scheme_of)),
            Component::Root | Component::Scope | Component::Host(None) => self.is_root = true,
            Component::ExplicitUniversalType | Component::ExplicitAnyNamespace => {}
            Component::LocalName(name) => {
                let is_root = matches!(name.lower_name.as_str(), "html" | "body");
                self.is_root |= is_root;
                self.is_particular |= !is_root;
            }
            Component::PseudoElement(name) => {
                self.generates_box = matches!(name, PseudoName::Known(PseudoElement::Before | PseudoElement::After));
                self.is_particular = true;
            }
            other => match mark(other).and_then(scheme_of) {
                Some(found) => self.marked = self.marked.or(Some(found)),
                None => self.is_particular = true,
            },
        }
    }
}

fn mark(component: &Component<StyleSelectorImpl>) -> Option<ScopeSelector<'_>> {
    match component {
        Component::Class(name) => Some(ScopeSelector::Class(name.as_str())),
        Component::AttributeInNoNamespaceExists { local_name_lower, .. } => {
            Some(ScopeSelector::Attribute { name: local_name_lower.as_str(), value: None })
        }
        Component::AttributeInNoNamespace { local_name, operator, value, .. } => {
            let whole = matches!(operator, AttrSelectorOperator::Equal | AttrSelectorOperator::Includes);
            whole.then(|| ScopeSelector::Attribute { name: local_name.as_str(), value: Some(value.as_ref()) })
        }
        _ => None,
    }
}

fn opposite(scheme: Scheme) -> Scheme {
    if scheme == Scheme::Dark { Scheme::Light } else { Scheme::Dark }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selector::parse_list;

    fn by_name(mark: ScopeSelector<'_>) -> Option<Scheme> {
        match mark {
            ScopeSelector::Class("dark") | ScopeSelector::Attribute { value: Some("dark"), .. } => Some(Scheme::Dark),
            ScopeSelector::Class("light") | ScopeSelector::Attribute { name: "data-light", value: None } => {
                Some(Scheme::Light)
            }
            _ => None,
        }
    }

    #[test]
    fn theme_scopes_are_distinguished_from_variants() {
        let (light, dark) = (Some(Scheme::Light), Some(Scheme::Dark));
        for (text, expected) in [
            (".dark", dark),
            (".dark .card", dark),
            ("html.dark", dark),
            (":root[data-theme=dark] a::before", dark),
            ("[data-theme='dark']", dark),
            ("[data-light] *", light),
            (":root:not(.dark)", light),
            ("body:not(.light) .card", dark),
            (".card:where(.dark, .dark *)", dark),
            (".card:is(.dark *):hover", dark),
            (".card.dark > a", dark),
            (".button.dark", None),
            (".button.dark::after", None),
            (".dark::before", None),
            ("html.dark::before", dark),
            (".dark::selection", dark),
            (".button:not(.dark)", None),
            (".card", None),
            (".darkness .card", None),
            ("a:has(.dark)", None),
        ] {
            let list = parse_list(text).unwrap();
            assert_eq!(scheme(&list.slice()[0], &by_name), expected, "{text}");
        }
    }
}
