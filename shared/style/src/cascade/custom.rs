//! Custom properties (Custom Properties 1; Properties and Values 1).

use super::compute::{Context, generic};
use super::order::Applied;
use super::style::ComputedStyle;
use crate::environment::Environment;
use crate::property::CssWide;
use crate::selector::Atom;
use crate::sheet::{Effect, Origin, Registration};
use crate::value::component::{parse_components, serialize};
use cssparser::{Parser, Token};
use std::collections::HashMap;
use std::sync::Arc;

/// Longest value after substitution, in bytes.
const MAX_BYTES: usize = 64 * 1024;
/// Substitutions in one value.
const MAX_SUBSTITUTIONS: usize = 4_096;
/// Maps in a chain before they are merged into one.
const MAX_CHAIN: usize = 6;

/// Custom properties of an element: its own, and through a shared link those it inherits.
#[derive(Debug, Default)]
pub(crate) struct CustomProperties {
    /// `None`: guaranteed invalid.
    own: HashMap<Atom, Option<Arc<str>>>,
    parent: Option<Arc<CustomProperties>>,
    chain: usize,
}

impl CustomProperties {
    pub(crate) fn get(&self, name: &Atom) -> Option<&str> {
        let mut at = Some(self);
        while let Some(map) = at {
            if let Some(value) = map.own.get(name) {
                return value.as_deref();
            }
            at = map.parent.as_deref();
        }
        None
    }

    /// The same with some other values.
    pub(crate) fn with(self: &Arc<Self>, values: &[(Atom, Arc<str>)]) -> Arc<Self> {
        Self::child(self, values.iter().map(|(name, value)| (name.clone(), Some(value.clone()))).collect())
    }

    fn child(parent: &Arc<Self>, own: HashMap<Atom, Option<Arc<str>>>) -> Arc<Self> {
        if own.is_empty() {
            return parent.clone();
        }
        if parent.chain < MAX_CHAIN {
            return Arc::new(Self { own, parent: Some(parent.clone()), chain: parent.chain + 1 });
        }
        let mut merged = HashMap::new();
        let mut at = Some(&**parent);
        let mut maps = Vec::new();
        while let Some(map) = at {
            maps.push(map);
            at = map.parent.as_deref();
        }
        for map in maps.into_iter().rev() {
            merged.extend(map.own.iter().map(|(name, value)| (name.clone(), value.clone())));
        }
        merged.extend(own);
        Arc::new(Self { own: merged, parent: None, chain: 0 })
    }
}

type Registrations = HashMap<Atom, Registration>;

/// The custom properties of an element.
pub(crate) fn resolve(
    applied: &[Applied<'_>],
    inherited: &ComputedStyle,
    registrations: &Registrations,
    environment: &Environment,
) -> Arc<CustomProperties> {
    let declared = declared(applied);
    let is_root = inherited.custom.own.is_empty() && inherited.custom.parent.is_none();
    if declared.is_empty() && (registrations.is_empty() || (!is_root && registrations.values().all(|r| r.inherits))) {
        return inherited.custom.clone();
    }
    let mut resolver =
        Resolver { declared: &declared, inherited, registrations, environment, done: HashMap::new(), left: 20_000 };
    let mut own = HashMap::new();
    for (name, registration) in registrations {
        // Registered properties always have a value; those that don't inherit start anew on every element. Where the
        // parent has the same, the map stays shared.
        let starts_anew = !declared.contains_key(name) && (!registration.inherits || is_root);
        if starts_anew && inherited.custom.get(name) != registration.initial.as_deref() {
            own.insert(name.clone(), registration.initial.clone());
        }
    }
    for name in declared.keys() {
        let value = resolver.value(name, &mut Vec::new());
        own.insert(name.clone(), value);
    }
    CustomProperties::child(&inherited.custom, own)
}

/// The strongest declaration of each name, `revert` and `revert-layer` already rolled back.
fn declared<'a>(applied: &[Applied<'a>]) -> HashMap<Atom, Arc<str>> {
    let mut all: HashMap<Atom, Vec<&Applied<'a>>> = HashMap::new();
    for candidate in applied {
        if let Effect::Custom(name) = &candidate.declaration.effect {
            all.entry(name.clone()).or_default().push(candidate);
        }
    }
    all.into_iter().filter_map(|(name, list)| strongest(&list).map(|value| (name, value))).collect()
}

fn strongest(list: &[&Applied<'_>]) -> Option<Arc<str>> {
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
    environment: &'r Environment,
    done: HashMap<Atom, Option<Arc<str>>>,
    /// Substitutions left for the whole element.
    left: usize,
}

impl Resolver<'_> {
    /// A property's value; `None` when it is guaranteed invalid.
    fn value(&mut self, name: &Atom, open: &mut Vec<Atom>) -> Option<Arc<str>> {
        let Some(declared) = self.declared.get(name) else {
            let registration = self.registrations.get(name);
            if let Some(registration) = registration.filter(|r| !r.inherits) {
                return registration.initial.clone();
            }
            let inherited = self.inherited.custom.get(name).map(Arc::from);
            return inherited.or_else(|| registration.and_then(|r| r.initial.clone()));
        };
        if let Some(known) = self.done.get(name) {
            return known.clone();
        }
        if open.len() >= 100 {
            return None;
        }
        if let Some(start) = open.iter().position(|other| other == name) {
            // Everything in the cycle is invalid, not only where it is found.
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
        let from_parent = || self.inherited.custom.get(name).map(Arc::from);
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
            let mut lookup = |name: &str| {
                self.left = self.left.checked_sub(1)?;
                self.value(&Atom::from(name), open)
            };
            replace(declared, &mut lookup).map(Arc::from)
        } else {
            Some(declared.clone())
        };
        let Some(registration) = registration else { return text };
        text.and_then(|text| self.typed(registration, &text)).or_else(|| self.invalid(name))
    }

    /// What a property is when its declaration is invalid at computed-value time: unset where it is registered,
    /// guaranteed invalid otherwise (Properties and Values 1, section 2.4).
    fn invalid(&self, name: &Atom) -> Option<Arc<str>> {
        let registration = self.registrations.get(name)?;
        let inherited = self.inherited.custom.get(name).filter(|_| registration.inherits).map(Arc::from);
        inherited.or_else(|| registration.initial.clone())
    }

    /// The computed value of a registered property; `None` when the text does not fit its syntax.
    fn typed(&self, registration: &Registration, text: &Arc<str>) -> Option<Arc<str>> {
        let Some(syntax) = &registration.syntax else { return Some(text.clone()) };
        let components = parse_components(text)?;
        if !syntax.matches(&components) {
            return None;
        }
        let context = Context::new(self.inherited, self.inherited, self.environment, None);
        Some(serialize(&generic(&components, &context, true, false)).into())
    }
}

fn has_functions(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr_ignore_case(bytes, b"var(") || memchr_ignore_case(bytes, b"env(") || memchr_ignore_case(bytes, b"attr(")
}

fn memchr_ignore_case(haystack: &[u8], needle: &[u8]) -> bool {
    haystack.windows(needle.len()).any(|window| window.eq_ignore_ascii_case(needle))
}

/// A value with every `var()` and `env()` replaced; `None` when that makes it invalid.
pub(crate) fn substitute(text: &str, custom: &CustomProperties) -> Option<String> {
    replace(text, &mut |name| custom.get(&Atom::from(name)).map(Arc::from))
}

/// A value with every `var()` replaced by what `lookup` knows of the custom property, or by its fallback, and every
/// `env()` by its value here. `None` when that makes it invalid, or longer than any value should be.
pub fn substitute_with(text: &str, lookup: &mut dyn FnMut(&str) -> Option<Arc<str>>) -> Option<String> {
    replace(text, lookup)
}

type Lookup<'l> = &'l mut dyn FnMut(&str) -> Option<Arc<str>>;

fn replace(text: &str, lookup: Lookup<'_>) -> Option<String> {
    let mut parser = Parser::new(text);
    let mut out = Output { text: String::new(), left: MAX_SUBSTITUTIONS };
    copy(&mut parser, &mut out, lookup)?;
    Some(out.text)
}

struct Output {
    text: String,
    left: usize,
}

impl Output {
    fn push(&mut self, text: &str) -> Option<()> {
        if self.text.len() + text.len() > MAX_BYTES {
            return None;
        }
        self.text.push_str(text);
        Some(())
    }

    /// Adds a value so that its tokens don't run into those around it.
    fn push_value(&mut self, text: &str) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        let joins =
            self.text.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '%' | '#' | '.' | '+'));
        if joins && !text.starts_with([' ', '\n', '\t']) {
            self.push("/**/")?;
        }
        self.push(text)
    }
}

/// Copies tokens up to the end of the block.
fn copy(input: &mut Parser<'_>, out: &mut Output, lookup: Lookup<'_>) -> Option<()> {
    loop {
        let start = input.position();
        let (close, function) = match input.next_including_whitespace_and_comments() {
            Err(_) => return Some(()),
            Ok(Token::Comment(_)) => continue,
            Ok(Token::Function(name)) => (")", Some(name.to_ascii_lowercase())),
            Ok(Token::ParenthesisBlock) => (")", None),
            Ok(Token::SquareBracketBlock) => ("]", None),
            Ok(Token::CurlyBracketBlock) => ("}", None),
            Ok(_) => {
                let token = input.slice_from(start);
                out.push(token)?;
                continue;
            }
        };
        let opening = input.slice_from(start);
        let handled = input.parse_nested_block(|inner| {
            let done = match function.as_deref() {
                Some("var") => variable(inner, out, lookup),
                Some("env") => environment_variable(inner, out, lookup),
                _ => out.push(opening).and_then(|()| copy(inner, out, lookup)).and_then(|()| out.push(close)),
            };
            done.ok_or_else(|| cssparser::ParseError::<()>::custom(()))
        });
        handled.ok()?;
    }
}

/// `var(--name, fallback)`
fn variable(input: &mut Parser<'_>, out: &mut Output, lookup: Lookup<'_>) -> Option<()> {
    let name = input.expect_ident().ok().filter(|name| name.starts_with("--"))?.to_string();
    let has_fallback = input.try_parse(|input| input.expect_comma()).is_ok();
    if !has_fallback && !input.is_exhausted() {
        return None;
    }
    match lookup(&name) {
        Some(value) => {
            skip(input);
            out.push_value(value.trim())
        }
        None if has_fallback => fallback(input, out, lookup),
        None => None,
    }
}

/// `env(name, fallback)`: the insets are zero, the rest is unknown.
fn environment_variable(input: &mut Parser<'_>, out: &mut Output, lookup: Lookup<'_>) -> Option<()> {
    let name = input.expect_ident().ok()?.to_ascii_lowercase();
    while input.try_parse(|input| input.expect_integer()).is_ok() {}
    let has_fallback = input.try_parse(|input| input.expect_comma()).is_ok();
    let known = name.starts_with("safe-area-inset-")
        || name.starts_with("safe-area-max-inset-")
        || name == "keyboard-inset-height";
    if known {
        skip(input);
        return out.push_value("0px");
    }
    if has_fallback { fallback(input, out, lookup) } else { None }
}

fn fallback(input: &mut Parser<'_>, out: &mut Output, lookup: Lookup<'_>) -> Option<()> {
    let mut inner = Output { text: String::new(), left: out.left };
    copy(input, &mut inner, lookup)?;
    out.left = inner.left;
    out.push_value(inner.text.trim())
}

fn skip(input: &mut Parser<'_>) {
    while input.next_including_whitespace_and_comments().is_ok() {}
}
