//! The document in its dark theme, if that hangs on a class or attribute of the root: rules such as `.dark .card` match
//! only there.

use crate::theme_detection;
use crate::theme_detection::is_theme_scope;
use limner_page::{Document, NodeId};
use limner_style::color::Scheme;
use limner_style::selector::ScopeSelector;
use limner_style::{ApplicableDeclaration, StyleIndex};
use limner_types::Theme;
use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of classes and attributes that are set together.
const MAX_MARKS: usize = 4;
/// Maximum number of those that are looked at, of each theme.
const MAX_MARKS_READ: usize = 64;

/// A class (an attribute without a value) or an attribute with its value.
type Mark = (String, Option<String>);

/// Returns the document in its dark theme, with the class or attribute that rules require on its root; `None` if no rule
/// requires any, or if the document is dark already.
pub fn find_dark_document(index: &StyleIndex<'_>) -> Option<Document> {
    let (marks, rules) = read_rules(index);
    rules.iter().any(Option::is_some).then(|| marks.dark(index.document())).flatten()
}

/// Returns the document in its dark theme, and for each rule true if it is for elements in that theme; `None` if
/// elements are the same in both.
pub(crate) fn dark(index: &StyleIndex<'_>) -> Option<(Document, Vec<bool>)> {
    let (marks, rules) = read_rules(index);
    let differs = rules.iter().flatten().any(|own| *own != RuleOfTheme::Defaults);
    let document = differs.then(|| marks.dark(index.document())).flatten()?;
    Some((document, rules.into_iter().map(|own| own == Some(RuleOfTheme::Elements)).collect()))
}

/// The purpose of a rule that depends on a dark theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RuleOfTheme {
    /// It only sets custom properties where the theme is: they are its defaults.
    Defaults,
    /// It is for elements.
    Elements,
    /// It is for elements as long as the page is not dark.
    UnlessDark,
}

/// Returns the marks of themes, and the purpose of each rule that depends on the marks of dark.
fn read_rules(index: &StyleIndex<'_>) -> (ThemeMarks, Vec<Option<RuleOfTheme>>) {
    let mut marks = ThemeMarks::default();
    let rules = index.rules().map(|rule| {
        let is_by_media = index.condition_facts(rule.condition()).scheme.is_some();
        let mut declarations = rule.declarations().peekable();
        if is_by_media || declarations.peek().is_none() {
            return None;
        }
        let found: RefCell<Vec<(Scheme, Mark)>> = RefCell::default();
        let scheme = rule.scope_scheme(&|mark| {
            let scheme = theme_detection::scheme_of_scope(mark, || rule.declarations())?;
            found.borrow_mut().push((scheme, owned(mark)));
            Some(scheme)
        })?;
        let found = found.into_inner();
        let names_dark = found.iter().any(|(own, _)| *own == Scheme::Dark);
        marks.add(found);
        let mut is_for_elements = || declarations.any(|own| own.longhands().is_some()) || !is_theme_scope(&rule);
        match scheme {
            Scheme::Dark if is_for_elements() => Some(RuleOfTheme::Elements),
            Scheme::Dark => Some(RuleOfTheme::Defaults),
            Scheme::Light => names_dark.then_some(RuleOfTheme::UnlessDark),
        }
    });
    let rules = rules.collect();
    (marks, rules)
}

/// Returns the only theme in which a candidate applies, on a page with [`dark`].
pub(crate) fn only_theme(index: &StyleIndex<'_>, candidate: &ApplicableDeclaration<'_>) -> Option<Theme> {
    if candidate.is_in_theme {
        return Some(Theme::Dark);
    }
    let scheme_of = |mark: ScopeSelector<'_>| theme_detection::scheme_of_scope(mark, std::iter::empty);
    let is_light = index.has_theme() && candidate.scope_scheme(&scheme_of) == Some(Scheme::Light);
    is_light.then_some(Theme::Light)
}

fn owned(mark: ScopeSelector<'_>) -> Mark {
    match mark {
        ScopeSelector::Class(name) => (name.to_owned(), None),
        ScopeSelector::Attribute { name, value } => (name.to_owned(), Some(value.unwrap_or_default().to_owned())),
    }
}

/// The classes and attributes that rules require for a theme, with the number of rules.
#[derive(Default)]
struct ThemeMarks {
    dark: BTreeMap<Mark, usize>,
    light: BTreeSet<Mark>,
}

impl ThemeMarks {
    fn add(&mut self, found: Vec<(Scheme, Mark)>) {
        for (scheme, mark) in found {
            if scheme == Scheme::Dark {
                *self.dark.entry(mark).or_default() += 1;
            } else if self.light.len() < MAX_MARKS_READ {
                self.light.insert(mark);
            }
        }
    }

    /// Returns the document with the marks of dark, and without those of light; `None` if it has and lacks them already.
    fn dark(self, document: &Document) -> Option<Document> {
        let roots: Vec<NodeId> = document.document_element().into_iter().chain(document.body()).collect();
        let mut wanted: Vec<(&Mark, &usize)> = self.dark.iter().collect();
        wanted.sort_by_key(|(mark, rules)| (Reverse(**rules), (*mark).clone()));
        wanted.truncate(MAX_MARKS_READ);
        // Names of parts of the page switch no theme.
        let is_part = |node: NodeId, mark: &Mark| !roots.contains(&node) && has(document, node, mark);
        wanted.retain(|(mark, _)| !document.elements().any(|(node, _)| is_part(node, mark)));
        let mut names = BTreeSet::new();
        // An attribute has one value.
        wanted.retain(|((name, value), _)| value.is_none() || names.insert(name));
        wanted.truncate(MAX_MARKS);
        let has_any = |mark: &Mark| roots.iter().any(|root| has(document, *root, mark));
        let lacks = wanted.iter().any(|(mark, _)| !has_any(mark));
        if !lacks && !self.light.iter().any(has_any) {
            return None;
        }
        let mut themed = document.clone();
        for root in roots {
            self.light.iter().for_each(|mark| remove(&mut themed, root, mark));
            wanted.iter().for_each(|(mark, _)| set(&mut themed, root, mark));
        }
        Some(themed)
    }
}

fn has(document: &Document, node: NodeId, (name, value): &Mark) -> bool {
    let Some(element) = document.element(node) else { return false };
    match value {
        None => element.classes().iter().any(|class| **class == **name),
        Some(value) => element.attr(name).is_some_and(|own| value.is_empty() || own == value),
    }
}

fn set(document: &mut Document, node: NodeId, mark: &Mark) {
    if has(document, node, mark) {
        return;
    }
    let (name, value) = mark;
    match value {
        Some(value) => document.set_attribute(node, name, Some(value)),
        None => {
            let Some(element) = document.element(node) else { return };
            let classes = element.attr("class").map_or_else(|| name.clone(), |own| format!("{own} {name}"));
            document.set_attribute(node, "class", Some(&classes));
        }
    }
}

fn remove(document: &mut Document, node: NodeId, mark: &Mark) {
    if !has(document, node, mark) {
        return;
    }
    let (name, value) = mark;
    if value.is_some() {
        return document.set_attribute(node, name, None);
    }
    let Some(element) = document.element(node) else { return };
    let kept: Vec<String> = element.classes().iter().map(ToString::to_string).filter(|class| class != name).collect();
    document.set_attribute(node, "class", Some(&kept.join(" ")));
}
