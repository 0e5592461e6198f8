//! Custom properties (Custom Properties 1; Properties and Values 1).

use super::cascade_order::AppliedDeclaration;
use super::component_values::compute_components;
use super::compute_context::ComputeContext;
use super::computed_style::ComputedStyle;
use super::custom_property_map::CustomProperties;
use super::element_values::ElementValues;
use super::string_interner::StringInterner;
use super::substitution::{References, has_functions};
use crate::property::CssWide;
use crate::selector::Atom;
use crate::sheet::{DeclarationMeaning, Origin, Registration};
use crate::value::component::serialize;
use foldhash::{HashMap, HashMapExt};
use std::sync::Arc;

type Registrations = HashMap<Atom, Registration>;

/// Resolves the custom properties of an element.
pub(crate) fn resolve(
    applied: &[AppliedDeclaration<'_>],
    inherited: &ComputedStyle,
    registrations: &Registrations,
    texts: &StringInterner,
    element: ElementValues<'_>,
) -> Arc<CustomProperties> {
    let declared = declared(applied);
    let is_root = inherited.custom.is_empty();
    if declared.is_empty() && (registrations.is_empty() || (!is_root && registrations.values().all(|r| r.inherits))) {
        return inherited.custom.clone();
    }
    let (declared, done) = (&declared, HashMap::new());
    let mut resolver =
        Resolver { declared, inherited, registrations, element, texts, done, substitutions_left: 20_000 };
    let mut own = HashMap::new();
    for (name, registration) in registrations {
        // Registered properties always have a value; those that don't inherit have their initial value on every
        // element. If the parent has the same value, the map stays shared.
        let starts_anew = !declared.contains_key(name) && (!registration.inherits || is_root);
        if starts_anew && inherited.custom.get(name) != registration.initial.as_ref() {
            own.insert(name.clone(), registration.initial.clone());
        }
    }
    // Sorted, so that the result is deterministic: the place where a limit cuts a chain of references depends on where
    // its resolution starts.
    let mut names: Vec<&Atom> = declared.keys().collect();
    names.sort_unstable();
    for name in names {
        let value = resolver.value(name, &mut Vec::new());
        own.insert(name.clone(), value);
    }
    CustomProperties::child(&inherited.custom, own)
}

/// Returns the strongest declaration of each name, with `revert` and `revert-layer` rolled back.
fn declared<'a>(applied: &[AppliedDeclaration<'a>]) -> HashMap<Atom, Arc<str>> {
    let mut all: HashMap<Atom, Vec<&AppliedDeclaration<'a>>> = HashMap::new();
    for candidate in applied {
        if let DeclarationMeaning::Custom(name) = &candidate.declaration.effect {
            all.entry(name.clone()).or_default().push(candidate);
        }
    }
    all.into_iter().filter_map(|(name, list)| strongest(&list).map(|value| (name, value))).collect()
}

fn strongest(list: &[&AppliedDeclaration<'_>]) -> Option<Arc<str>> {
    let mut rest = list;
    while let Some((last, before)) = rest.split_last() {
        let value = last.declaration.value.trim();
        let end = match CssWide::from_keyword(value) {
            Some(CssWide::RevertLayer) => before.iter().rposition(|c| c.key.level() != last.key.level()),
            Some(CssWide::Revert) => {
                before.iter().rposition(|c| c.key.origin < last.key.origin && c.key.origin == Origin::UserAgent)
            }
            _ => return Some(last.declaration.value.clone()),
        };
        match end {
            Some(end) => rest = &before[..=end],
            None => return Some(Arc::from("unset")),
        }
    }
    None
}

/// Resolves references between the properties of one element.
struct Resolver<'r> {
    declared: &'r HashMap<Atom, Arc<str>>,
    inherited: &'r ComputedStyle,
    registrations: &'r Registrations,
    element: ElementValues<'r>,
    texts: &'r StringInterner,
    done: HashMap<Atom, Option<Arc<str>>>,
    /// Remaining substitutions for the whole element.
    substitutions_left: usize,
}

impl Resolver<'_> {
    /// Returns a property's value; `None` if it is guaranteed invalid.
    fn value(&mut self, name: &Atom, open: &mut Vec<Atom>) -> Option<Arc<str>> {
        let Some(declared) = self.declared.get(name) else {
            let registration = self.registrations.get(name);
            if let Some(registration) = registration.filter(|r| !r.inherits) {
                return registration.initial.clone();
            }
            let inherited = self.inherited.custom.get(name).cloned();
            return inherited.or_else(|| registration.and_then(|r| r.initial.clone()));
        };
        if let Some(known) = self.done.get(name) {
            return known.clone();
        }
        if open.len() >= 100 {
            return None;
        }
        if let Some(start) = open.iter().position(|other| other == name) {
            // The whole cycle is invalid, not only the property at which it is detected.
            for member in &open[start..] {
                let value = self.invalid(member);
                self.done.insert(member.clone(), value);
            }
            return None;
        }
        open.push(name.clone());
        let value = self.computed(name, &declared.clone(), open);
        open.pop();
        if let Some(known) = self.done.get(name) {
            return known.clone();
        }
        self.done.insert(name.clone(), value.clone());
        value
    }

    fn computed(&mut self, name: &Atom, declared: &Arc<str>, open: &mut Vec<Atom>) -> Option<Arc<str>> {
        let registration = self.registrations.get(name);
        let from_parent = || self.inherited.custom.get(name).cloned();
        let initial = || registration.and_then(|r| r.initial.clone());
        let unset = || match registration {
            Some(r) if !r.inherits => initial(),
            _ => from_parent().or_else(initial),
        };
        match CssWide::from_keyword(declared.trim()) {
            Some(CssWide::Initial) => return initial(),
            Some(CssWide::Inherit) => return from_parent().or_else(initial),
            Some(_) => return unset(),
            None => {}
        }
        let text: Option<Arc<str>> = if has_functions(declared) {
            let texts = self.texts;
            texts.fill(declared, &mut DeclaredValues { resolver: self, open })
        } else {
            Some(declared.clone())
        };
        let Some(registration) = registration else { return text };
        text.and_then(|text| self.typed(registration, &text)).or_else(|| self.invalid(name))
    }

    /// Returns the value of a property whose declaration is invalid at computed-value time: unset if it is registered,
    /// guaranteed invalid otherwise (Properties and Values 1, section 2.4).
    fn invalid(&self, name: &Atom) -> Option<Arc<str>> {
        let registration = self.registrations.get(name)?;
        let inherited = self.inherited.custom.get(name).filter(|_| registration.inherits).cloned();
        inherited.or_else(|| registration.initial.clone())
    }

    /// Returns the computed value of a registered property; `None` if the text does not fit its syntax.
    fn typed(&self, registration: &Registration, text: &Arc<str>) -> Option<Arc<str>> {
        if registration.is_universal() {
            return Some(text.clone());
        }
        let components = registration.fitting(text)?;
        let context = ComputeContext::new(self.inherited, self.inherited, self.element.environment, None);
        Some(serialize(&compute_components(&components, &context, registration.zero_is_length(), false)).into())
    }
}

/// The custom properties of an element while they are being resolved; `open` are those that refer to the current one.
struct DeclaredValues<'d, 'r> {
    resolver: &'d mut Resolver<'r>,
    open: &'d mut Vec<Atom>,
}

impl References for DeclaredValues<'_, '_> {
    fn variable(&mut self, name: &str) -> Option<Arc<str>> {
        self.resolver.substitutions_left = self.resolver.substitutions_left.checked_sub(1)?;
        self.resolver.value(&Atom::from(name), self.open)
    }

    fn element(&self) -> Option<ElementValues<'_>> {
        Some(self.resolver.element)
    }
}

/// The resolved custom properties of an element.
struct ResolvedValues<'v> {
    custom: &'v CustomProperties,
    element: ElementValues<'v>,
}

impl References for ResolvedValues<'_> {
    fn variable(&mut self, name: &str) -> Option<Arc<str>> {
        self.custom.get(&Atom::from(name)).cloned()
    }

    fn element(&self) -> Option<ElementValues<'_>> {
        Some(self.element)
    }
}

/// Replaces every reference in a value; returns `None` if that makes it invalid.
pub(crate) fn substitute(
    text: &str,
    custom: &CustomProperties,
    texts: &StringInterner,
    element: ElementValues<'_>,
) -> Option<Arc<str>> {
    texts.fill(text, &mut ResolvedValues { custom, element })
}
