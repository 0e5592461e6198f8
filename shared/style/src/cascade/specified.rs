//! Specified values: the result of the cascade before computation, written so that they are valid on other pages.

use super::cascade_order::DeclarationSource;
use super::computed_style::ComputedStyle;
use super::fluid_rem::FluidRem;
use super::style_sharing::SharingKey;
use super::variable_references;
use super::{CascadeOutcome, DeclarationBlock, PendingCache, StyleComputation, Styles};
use crate::color::Scheme;
use crate::property::Longhand;
use crate::selector::{Atom, PseudoElement};
use crate::sheet::Origin;
use crate::value::address::{INVALID_ADDRESS, runs_script};
use crate::value::component::{Component, parse_components, serialize, serialize_authored, serialize_exact};
use foldhash::{HashMap, HashMapExt};
use limner_page::NodeId;
use std::sync::Arc;
use url::Url;

/// The value that the winning declaration specifies for a longhand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecifiedValue {
    /// The longhand.
    pub longhand: Longhand,
    /// `var()` is substituted, URLs are absolute, and `rem` becomes pixels, or the specified font size of the root if
    /// that depends on the viewport; with a root of 16 pixels it stays. `inherit` and `initial` stay; the other
    /// CSS-wide keywords are resolved.
    pub value: String,
    /// The value with `var()` for the [variables](super::variable_references::Variable) that the author names, if any.
    pub reference: Option<Box<str>>,
    /// Cascade origin of the declaration.
    pub origin: Origin,
}

/// An element's specified values and its computed style.
#[derive(Debug, Clone)]
pub struct SpecifiedStyle {
    /// Sorted by longhand; longhands without a declaration are left out.
    pub values: Arc<[SpecifiedValue]>,
    /// The computed style.
    pub style: Arc<ComputedStyle>,
}

impl SpecifiedStyle {
    /// Returns the value specified for a longhand.
    pub fn get(&self, longhand: Longhand) -> Option<&SpecifiedValue> {
        let at = self.values.binary_search_by_key(&longhand, |value| value.longhand).ok()?;
        self.values.get(at)
    }
}

impl Styles<'_> {
    /// Keeps references to these registered custom properties in specified values (`var(--angle)`), as animations of
    /// them need. Only properties whose initial value is a plain quantity or colour can be kept. Other custom
    /// properties are substituted as usual, including those that refer to a kept one.
    #[must_use]
    pub fn preserving_registered<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Self {
        let registrations = &self.index.sheets.registrations;
        let known = names.into_iter().map(Atom::from).filter_map(|name| {
            let initial = registrations.get(&name)?.initial.clone()?;
            Some((name, initial))
        });
        let kept =
            known.enumerate().filter_map(|(at, (name, initial))| Some((name, placeholder_of_kind(&initial, at)?)));
        self.preserved = kept.collect();
        self
    }

    /// Returns the specified values of an element or pseudo-element. `holds` decides by index whether a match of the
    /// element applies; where it returns `None`, the environment's states decide. URLs in attributes resolve against
    /// `document_base`. `None` for nodes without a style.
    pub fn specified(
        &mut self,
        node: NodeId,
        pseudo: Option<PseudoElement>,
        document_base: &Url,
        holds: &dyn Fn(usize) -> Option<bool>,
    ) -> Option<SpecifiedStyle> {
        let own = self.get(node)?;
        let parent = match pseudo {
            Some(_) => Some(own),
            None => self.index.flat.parent(self.index.document, node).and_then(|parent| self.get(parent)),
        };
        Some(self.specified_with_parent(node, pseudo, parent.as_ref(), document_base, holds))
    }

    /// Like [`Self::specified`], with another parent's style; a `parent` of `None` means none, as for the root.
    pub fn specified_with_parent(
        &mut self,
        node: NodeId,
        pseudo: Option<PseudoElement>,
        parent: Option<&Arc<ComputedStyle>>,
        document_base: &Url,
        holds: &dyn Fn(usize) -> Option<bool>,
    ) -> SpecifiedStyle {
        let blocks = self.blocks(node, parent, pseudo, holds);
        let origins = self.sharing_key(node, pseudo, parent, &blocks);
        if let Some(known) = origins.as_ref().and_then(|origins| self.specifications.get(origins)) {
            return known;
        }
        let found = self.specification(node, pseudo, parent, document_base, &blocks);
        if let Some(origins) = origins {
            self.specifications.insert(origins, parent, &found);
        }
        found
    }

    /// Returns the key under which elements share their values; `None` if these are of one element.
    fn sharing_key(
        &self,
        node: NodeId,
        pseudo: Option<PseudoElement>,
        parent: Option<&Arc<ComputedStyle>>,
        blocks: &[DeclarationBlock<'_>],
    ) -> Option<SharingKey> {
        // A start state, and a value that depends on the element, is that of one element.
        let is_shared = !self.index.start_states.contains(node) && !self.index.value_features.by_element;
        let element = self.index.document.element(node).filter(|_| is_shared)?;
        SharingKey::for_element(element, parent, pseudo, blocks)
    }

    fn specification(
        &self,
        node: NodeId,
        pseudo: Option<PseudoElement>,
        parent: Option<&Arc<ComputedStyle>>,
        document_base: &Url,
        blocks: &[DeclarationBlock<'_>],
    ) -> SpecifiedStyle {
        self.computing(node, parent, pseudo, blocks, |computing| {
            let mut pending = HashMap::new();
            let style = Arc::new(computing.compute(&mut pending));
            self.index.document.work_budget().reserve_bytes(style.unshared_bytes(parent.map(|parent| &**parent)));
            let rem = match self.fluid_root() {
                Some(size) => FluidRem::Fluid(size.clone()),
                None if (style.root_font_size - 16.0).abs() > 1e-6 => FluidRem::Pixels(style.root_font_size),
                None => FluidRem::Same,
            };
            if !self.preserved.is_empty() {
                computing.custom = computing.custom.with_values(&self.preserved);
                pending.clear();
            }
            let mut values = computing.specified(document_base, &rem, &mut pending);
            let named = computing.named_variables(&self.variables, style.scheme());
            if !named.is_empty() {
                let custom = computing.custom.with_values(&variable_references::stand_ins(&named));
                let own = std::mem::replace(&mut computing.custom, custom);
                let with_stand_ins = computing.specified(document_base, &rem, &mut HashMap::new());
                computing.custom = own;
                variable_references::add_references(&mut values, &with_stand_ins, &named, &rem);
            }
            SpecifiedStyle { values: values.into(), style }
        })
    }

    /// Returns the computed style of an element or pseudo-element with another parent's style.
    pub fn computed_with_parent(
        &mut self,
        node: NodeId,
        pseudo: Option<PseudoElement>,
        parent: Option<&Arc<ComputedStyle>>,
    ) -> Arc<ComputedStyle> {
        let blocks = self.blocks(node, parent, pseudo, &|_| None);
        let key = self.sharing_key(node, pseudo, parent, &blocks);
        if let Some(known) = key.as_ref().and_then(|key| self.reparented.get(key)) {
            return known;
        }
        let style = Arc::new(self.compute_blocks(node, parent, pseudo, blocks));
        if let Some(key) = key {
            self.reparented.insert(key, parent, &style);
        }
        style
    }
}

impl StyleComputation<'_> {
    fn specified(&self, document_base: &Url, rem: &FluidRem, pending: &mut PendingCache) -> Vec<SpecifiedValue> {
        let flow = if self.applied.is_empty() { self.inherited.flow } else { self.flow(pending) };
        let winners = self.winners(flow);
        let mut values = Vec::with_capacity(winners.iter().len());
        for (longhand, (at, _)) in winners.iter() {
            let (specified, origin) = match self.decide(longhand, flow, &winners, pending) {
                CascadeOutcome::Components(value, source) => {
                    let is_root_size = longhand == Longhand::FontSize && self.parent.is_none() && self.pseudo.is_none();
                    let written = match rem {
                        FluidRem::Fluid(size) if is_root_size => serialize(std::slice::from_ref(size)),
                        // In the root's font size a `rem` is relative to the initial value and stays.
                        _ if is_root_size => self.specified_text(&value, source, document_base, &FluidRem::Same),
                        _ => (longhand == Longhand::LineHeight)
                            .then(|| factor(&value))
                            .flatten()
                            .unwrap_or_else(|| self.specified_text(&value, source, document_base, rem)),
                    };
                    (written, self.source_origin(source))
                }
                CascadeOutcome::Inherit => ("inherit".to_owned(), self.applied[at].key.origin),
                CascadeOutcome::Initial => ("initial".to_owned(), self.applied[at].key.origin),
            };
            values.push(SpecifiedValue { longhand, value: self.restore_names(specified), reference: None, origin });
        }
        values
    }

    /// Replaces the placeholders of kept custom properties with `var()`.
    fn restore_names(&self, value: String) -> String {
        self.styles.preserved.iter().fold(value, |value, (name, stand_in)| {
            if value.contains(&**stand_in) {
                value.replace(&**stand_in, &format!("var({})", name.as_str()))
            } else {
                value
            }
        })
    }

    fn source_origin(&self, source: DeclarationSource) -> Origin {
        match source {
            DeclarationSource::Rule { rule, .. } => self.styles.index.sheets.rules[rule as usize].origin,
            DeclarationSource::Inline(_) => Origin::Author,
            DeclarationSource::Hint(_) => Origin::Hint,
            DeclarationSource::Keyframes => Origin::Animation,
        }
    }

    fn specified_text(
        &self,
        value: &[Component],
        source: DeclarationSource,
        document_base: &Url,
        rem: &FluidRem,
    ) -> String {
        let has_address = value.iter().any(has_address);
        if !has_address && (*rem == FluidRem::Same || !value.iter().any(has_rem)) {
            return serialize_exact(value);
        }
        let base = self.base_url(source).filter(|_| has_address).and_then(|base| Url::parse(base).ok());
        let base = base.as_ref().unwrap_or(document_base);
        let portable: Vec<Component> = value.iter().map(|component| to_portable(component, base, rem)).collect();
        serialize_exact(&portable)
    }
}

/// Returns a value of the same kind as `initial` that no author writes. Numbers are printed with six digits.
fn placeholder_of_kind(initial: &str, at: usize) -> Option<Arc<str>> {
    let components = crate::value::parse_components(initial)?;
    let number = 7_001 + at;
    let text = match components.as_slice() {
        [Component::Dimension { unit, .. }] => format!("{number}.25{unit}"),
        [Component::Percentage(_)] => format!("{number}.25%"),
        [Component::Number { .. }] => format!("{}", 70_001 + at),
        [_] if crate::color::parse(initial, Scheme::Light).is_some() => format!("#c0ffe{:x}", at % 16),
        _ => return None,
    };
    Some(Arc::from(text))
}

/// Returns a unitless line height with all its digits. Browsers cut heights to 64ths of a pixel, so that six digits of
/// 10/7 make each line of 20 pixels a little lower, which adds up.
fn factor(line_height: &[Component]) -> Option<String> {
    match line_height {
        [Component::Number { value, .. }] => Some(value.to_string()),
        _ => None,
    }
}

fn has_address(component: &Component) -> bool {
    match component {
        Component::Url(_) => true,
        Component::Function { name, arguments } => {
            matches!(&**name, "url" | "src" | "image-set" | "-webkit-image-set") || arguments.iter().any(has_address)
        }
        Component::Block(_, inner) => inner.iter().any(has_address),
        _ => false,
    }
}

fn has_rem(component: &Component) -> bool {
    match component {
        Component::Dimension { unit, .. } => &**unit == "rem",
        Component::Function { arguments, .. } => arguments.iter().any(has_rem),
        Component::Block(_, inner) => inner.iter().any(has_rem),
        _ => false,
    }
}

impl ComputedStyle {
    /// Converts each `rem` of a page's value (in keyframes, for example) to pixels, for use where a `rem` is 16 pixels.
    /// The value stays as it is if the page's `rem` is 16 pixels too, or if it cannot be parsed.
    pub fn rem_in_pixels(&self, value: &str) -> String {
        let is_the_same = (self.root_font_size - 16.0).abs() <= 1e-6;
        let read = if is_the_same || !value.contains("rem") { None } else { parse_components(value) };
        let Some(components) = read else { return value.to_owned() };
        let rem = FluidRem::Pixels(self.root_font_size);
        serialize_authored(&components.iter().map(|component| with_rem(component, &rem)).collect::<Vec<_>>())
    }
}

fn with_rem(component: &Component, rem: &FluidRem) -> Component {
    let all = |list: &[Component]| list.iter().map(|inner| with_rem(inner, rem)).collect::<Vec<_>>();
    match component {
        Component::Dimension { value, unit } if &**unit == "rem" => rem.times(*value),
        Component::Function { name, arguments } => Component::function(name, all(arguments)),
        Component::Block(open, inner) => Component::Block(*open, all(inner)),
        other => other.clone(),
    }
}

/// Rewrites a component so that it means the same on any page. Parsing caps the nesting, so the recursion is bounded.
pub(super) fn to_portable(component: &Component, base: &Url, rem: &FluidRem) -> Component {
    let all = |list: &[Component]| list.iter().map(|inner| to_portable(inner, base, rem)).collect::<Vec<_>>();
    match component {
        Component::Url(address) => Component::Url(absolute(address, base)),
        Component::Dimension { value, unit } if &**unit == "rem" => rem.times(*value),
        Component::Function { name, arguments } => match (&**name, arguments.as_slice()) {
            ("url" | "src", [Component::String(address), ..]) => Component::Url(absolute(address, base)),
            ("image-set" | "-webkit-image-set", list) => {
                let set = list.iter().map(|inner| match inner {
                    Component::String(address) => Component::Url(absolute(address, base)),
                    other => to_portable(other, base, rem),
                });
                Component::function(name, set.collect())
            }
            (name, list) => Component::function(name, all(list)),
        },
        Component::Block(open, inner) => Component::Block(*open, all(inner)),
        other => other.clone(),
    }
}

/// Resolves a URL; fragment-only and empty URLs refer to the document itself and stay as they are.
fn absolute(address: &str, base: &Url) -> Box<str> {
    if address.starts_with('#') || address.is_empty() {
        return address.into();
    }
    if runs_script(address) {
        return INVALID_ADDRESS.into();
    }
    base.join(address.trim()).map_or_else(|_| address.into(), |url| String::from(url).into())
}

#[cfg(test)]
#[path = "specified_tests.rs"]
mod tests;
