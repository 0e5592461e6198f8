//! A selector map: looks up the selectors that can match an element by its id, classes, name and attributes.

use crate::ancestor_names::AncestorNames;
use crate::selector::StyleSelectorImpl;
use foldhash::HashMap;
use limner_page::dom::Element;
use limner_page::{Document, NodeId};
use markup5ever::LocalName;
use selectors::attr::{AttrSelectorOperator, ParsedCaseSensitivity};
use selectors::parser::{Combinator, Component, Selector};

/// Selectors by the most selective condition on their subject, or on the element next to it.
#[derive(Debug, Default)]
pub(crate) struct SelectorMap {
    by_subject: HashMap<SelectorKey, Bucket>,
    /// By the name of an attribute, then by its value or a word of it.
    by_attribute_value: HashMap<LocalName, HashMap<Box<str>, Bucket>>,
    /// By the element before the subject, where the subject has no class or id.
    by_previous_sibling: HashMap<SelectorKey, Bucket>,
    /// The same for its parent.
    by_parent: HashMap<SelectorKey, Bucket>,
    /// True if selectors are filed under the names of attributes.
    has_attributes: bool,
    any: Bucket,
    /// Selectors with `:host`, which match the host of the tree.
    pub(crate) host: Vec<u32>,
    /// Selectors with `::slotted()`.
    pub(crate) slotted: Vec<u32>,
    /// Selectors with `::part()`, which match elements of other trees.
    pub(crate) part: Vec<u32>,
}

/// Selectors with one key. So that not all rules about a type are tried on all elements of it, further selectors than the
/// first ones are filed by an id or class that an ancestor must have.
#[derive(Debug, Default)]
struct Bucket {
    listed: Vec<u32>,
    by_ancestor: HashMap<SelectorKey, Vec<u32>>,
}

impl Bucket {
    /// Maximum number of selectors that are tried below any ancestor, though they need a certain one: the Bloom filter
    /// rules out most of a few faster than they are looked up.
    const MAX_LISTED: usize = 64;

    fn add(&mut self, number: u32, selector: &Selector<StyleSelectorImpl>, fold_case: bool) {
        let ancestor = if self.listed.len() < Self::MAX_LISTED { None } else { ancestor_key(selector, fold_case) };
        match ancestor {
            Some(key) => self.by_ancestor.entry(key).or_default().push(number),
            None => self.listed.push(number),
        }
    }

    /// Adds the selectors that may match an element below some ancestors. Returns the number of look-ups.
    fn collect(&self, ancestors: &AncestorNames, out: &mut Vec<u32>) -> usize {
        out.extend(&self.listed);
        if self.by_ancestor.len() < ancestors.listed().len() {
            let below = self.by_ancestor.iter().filter(|(key, _)| ancestors.contains(key));
            out.extend(below.flat_map(|(_, numbers)| numbers));
        } else {
            out.extend(ancestors.listed().iter().filter_map(|key| self.by_ancestor.get(key)).flatten());
        }
        self.by_ancestor.len().min(ancestors.listed().len())
    }
}

/// A condition on one element.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum SelectorKey {
    Id(LocalName),
    Class(LocalName),
    /// An attribute with this value, or with this word in its value.
    AttributeValue(LocalName, Box<str>),
    Name(LocalName),
    Attribute(LocalName),
}

impl SelectorKey {
    /// Selectivity of the key: the higher the rank, the fewer elements have it.
    fn rank(&self) -> u8 {
        match self {
            Self::Id(_) => 4,
            Self::Class(_) => 3,
            Self::AttributeValue(..) => 2,
            Self::Name(_) => 1,
            Self::Attribute(_) => 0,
        }
    }

    /// Returns the key under which ids and classes are found in quirks mode, where case does not matter.
    fn folded(self, fold_case: bool) -> Self {
        match self {
            Self::Id(id) if fold_case => Self::Id(id.to_ascii_lowercase()),
            Self::Class(class) if fold_case => Self::Class(class.to_ascii_lowercase()),
            key => key,
        }
    }
}

/// Maximum number of alternatives in `:is()`; a selector with more goes to the bucket that every element is tried with.
const MAX_KEYS: usize = 64;

impl SelectorMap {
    /// Files a selector under `number`.
    pub(crate) fn add(&mut self, number: u32, selector: &Selector<StyleSelectorImpl>, fold_case: bool) {
        if selector.is_slotted() {
            self.slotted.push(number);
            return;
        }
        if selector.is_part() {
            self.part.push(number);
            return;
        }
        if selects_host(selector) {
            self.host.push(number);
        }
        let (keys, neighbour) = keys(selector);
        if keys.as_deref().is_none_or(|keys| lowest_rank(keys) <= SelectorKey::Name(LocalName::default()).rank())
            && let Some((combinator, key)) = neighbour
        {
            let bucket =
                if combinator == Combinator::Child { &mut self.by_parent } else { &mut self.by_previous_sibling };
            return bucket.entry(key.folded(fold_case)).or_default().add(number, selector, fold_case);
        }
        let Some(keys) = keys else { return self.any.add(number, selector, fold_case) };
        for key in keys {
            self.has_attributes |= matches!(key, SelectorKey::Attribute(_));
            let bucket = match key {
                SelectorKey::AttributeValue(name, value) => {
                    self.by_attribute_value.entry(name).or_default().entry(value).or_default()
                }
                key => self.by_subject.entry(key.folded(fold_case)).or_default(),
            };
            bucket.add(number, selector, fold_case);
        }
    }

    /// Returns the ids and classes of ancestors that selectors are filed by.
    pub(crate) fn ancestor_keys(&self) -> impl Iterator<Item = &SelectorKey> {
        let by_value = self.by_attribute_value.values().flat_map(HashMap::values);
        let by_key =
            [&self.by_subject, &self.by_previous_sibling, &self.by_parent].into_iter().flat_map(HashMap::values);
        by_value.chain(by_key).chain([&self.any]).flat_map(|bucket| bucket.by_ancestor.keys())
    }

    /// Adds the selectors that may match an element with these ancestors, some of them twice. Returns the
    /// number of look-ups of ancestors.
    pub(crate) fn candidates(
        &self,
        document: &Document,
        node: NodeId,
        ancestors: &AncestorNames,
        fold_case: bool,
        out: &mut Vec<u32>,
    ) -> usize {
        let Some(element) = document.element(node) else { return 0 };
        let mut steps = self.any.collect(ancestors, out);
        let mut add = |buckets: &HashMap<SelectorKey, Bucket>, element: &Element| {
            let found = element_keys(element, fold_case).filter_map(|key| buckets.get(&key));
            steps += found.map(|bucket| bucket.collect(ancestors, out)).sum::<usize>();
        };
        add(&self.by_subject, element);
        if !self.by_previous_sibling.is_empty() {
            let earlier = std::iter::successors(document.previous_sibling(node), |at| document.previous_sibling(*at));
            earlier.filter_map(|at| document.element(at)).take(1).for_each(|at| add(&self.by_previous_sibling, at));
        }
        if let Some(parent) = document.parent(node).and_then(|parent| document.element(parent)) {
            add(&self.by_parent, parent);
        }
        let attributes = || element.attributes().iter();
        if self.has_attributes {
            let keys = attributes().map(|attribute| SelectorKey::Attribute(attribute.name.local.clone()));
            let found = keys.filter_map(|key| self.by_subject.get(&key));
            steps += found.map(|bucket| bucket.collect(ancestors, out)).sum::<usize>();
        }
        if !self.by_attribute_value.is_empty() {
            for attribute in attributes() {
                let Some(values) = self.by_attribute_value.get(&attribute.name.local) else { continue };
                let texts = std::iter::once(&*attribute.value).chain(attribute.value.split_ascii_whitespace());
                let found = texts.filter_map(|text| values.get(text));
                steps += found.map(|bucket| bucket.collect(ancestors, out)).sum::<usize>();
            }
        }
        steps
    }
}

/// Returns the id, classes and name of an element.
pub(crate) fn element_keys(element: &Element, fold_case: bool) -> impl Iterator<Item = SelectorKey> + '_ {
    let id = element.id().map(|id| SelectorKey::Id(id.clone()));
    let classes = element.classes().iter().map(|class| SelectorKey::Class(class.clone()));
    let keys = id.into_iter().chain(classes).map(move |key| key.folded(fold_case));
    keys.chain(std::iter::once(SelectorKey::Name(element.local_name().clone())))
}

/// Returns the id, class or name that every element that matches a compound selector has.
pub(crate) fn compound_key<'a>(
    compound: impl Iterator<Item = &'a Component<StyleSelectorImpl>>,
    fold_case: bool,
) -> Option<SelectorKey> {
    let [key] = <[SelectorKey; 1]>::try_from(compound_keys(compound)?).ok()?;
    let key = key.folded(fold_case);
    matches!(key, SelectorKey::Id(_) | SelectorKey::Class(_) | SelectorKey::Name(_)).then_some(key)
}

fn selects_host(selector: &Selector<StyleSelectorImpl>) -> bool {
    selector.iter_raw_match_order().any(|component| match component {
        Component::Host(_) => true,
        Component::Is(list) | Component::Where(list) => list.slice().iter().any(selects_host),
        _ => false,
    })
}

/// Returns the keys of which a matching element must have one, `None` if any element may match; and the id or class that
/// its previous sibling or its parent must have, with the combinator.
fn keys(selector: &Selector<StyleSelectorImpl>) -> (Option<Vec<SelectorKey>>, Option<(Combinator, SelectorKey)>) {
    let mut iter = selector.iter();
    if selector.has_pseudo_element() {
        // The subject is the element before the pseudo-element.
        for _ in &mut iter {}
        if !iter.next_sequence().is_some_and(|combinator| combinator.is_pseudo_element()) {
            return (None, None);
        }
    }
    let own = compound_keys(&mut iter);
    let combinator = iter.next_sequence();
    let neighbour = combinator.filter(|own| matches!(own, Combinator::Child | Combinator::NextSibling));
    let key = neighbour.and_then(|combinator| Some((combinator, compound_key(iter, false)?)));
    (own, key.filter(|(_, key)| matches!(key, SelectorKey::Id(_) | SelectorKey::Class(_))))
}

/// Returns an id or class that an ancestor of every matching element has: that of the nearest ancestor with one.
fn ancestor_key(selector: &Selector<StyleSelectorImpl>, fold_case: bool) -> Option<SelectorKey> {
    let mut iter = selector.iter();
    // The elements beside an ancestor need not be ancestors, but theirs are.
    let mut is_ancestor = false;
    loop {
        let key = compound_key(&mut iter, fold_case);
        if is_ancestor && let Some(key @ (SelectorKey::Id(_) | SelectorKey::Class(_))) = key {
            return Some(key);
        }
        is_ancestor = match iter.next_sequence()? {
            Combinator::Child | Combinator::Descendant => true,
            Combinator::NextSibling | Combinator::LaterSibling | Combinator::PseudoElement => false,
            Combinator::SlotAssignment | Combinator::Part => return None,
        };
    }
}

/// Returns the keys of which an element that matches a compound selector must have one.
fn compound_keys<'a>(compound: impl Iterator<Item = &'a Component<StyleSelectorImpl>>) -> Option<Vec<SelectorKey>> {
    let mut best: Option<Vec<SelectorKey>> = None;
    for component in compound {
        let own = match component {
            Component::ID(id) => Some(vec![SelectorKey::Id(id.0.clone())]),
            Component::Class(class) => Some(vec![SelectorKey::Class(class.0.clone())]),
            Component::LocalName(name) if name.name == name.lower_name => {
                Some(vec![SelectorKey::Name(name.lower_name.0.clone())])
            }
            Component::LocalName(name) => {
                Some(vec![SelectorKey::Name(name.lower_name.0.clone()), SelectorKey::Name(name.name.0.clone())])
            }
            Component::AttributeInNoNamespaceExists { local_name_lower, local_name, .. }
                if local_name_lower == local_name =>
            {
                Some(vec![SelectorKey::Attribute(local_name.0.clone())])
            }
            Component::AttributeInNoNamespace {
                local_name,
                operator: AttrSelectorOperator::Equal | AttrSelectorOperator::Includes,
                value,
                case_sensitivity: ParsedCaseSensitivity::CaseSensitive | ParsedCaseSensitivity::ExplicitCaseSensitive,
            } => Some(vec![SelectorKey::AttributeValue(local_name.0.clone(), value.as_ref().into())]),
            Component::AttributeInNoNamespace { local_name, .. } => {
                Some(vec![SelectorKey::Attribute(local_name.0.clone())])
            }
            Component::Root => {
                Some(vec![SelectorKey::Name(LocalName::from("html")), SelectorKey::Name(LocalName::from("svg"))])
            }
            Component::Is(list) | Component::Where(list) => alternatives(list.slice()),
            _ => None,
        };
        if let Some(own) = own
            && best.as_ref().is_none_or(|best| lowest_rank(&own) > lowest_rank(best))
        {
            best = Some(own);
        }
    }
    best
}

fn lowest_rank(keys: &[SelectorKey]) -> u8 {
    keys.iter().map(SelectorKey::rank).min().unwrap_or(u8::MAX)
}

fn alternatives(list: &[Selector<StyleSelectorImpl>]) -> Option<Vec<SelectorKey>> {
    let mut all = Vec::new();
    for selector in list {
        if selector.has_pseudo_element() {
            continue;
        }
        all.extend(keys(selector).0?);
        if all.len() > MAX_KEYS {
            return None;
        }
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use crate::selector::select;
    use crate::{Origin, StyleIndex};
    use limner_page::{Document, NodeId, PageSnapshot, SheetOwner, Stylesheet};
    use std::collections::BTreeSet;

    /// Selectors about the same subjects below many ancestors.
    const TEMPLATES: &[&str] = &[
        ".c{i} b",
        ".c{i} > b",
        ".c{i} > * > b",
        ".c{i} .s",
        ".c{i} [title]",
        ".c{i} [title=\"t\"]",
        ".c{i} *",
        "#d{i} b",
        ".c{i} ~ b",
        ".c{i} + i > b",
        ".c{i} p ~ b",
        ".c{i} ~ p b",
        ":is(.c{i}, .o) b",
        ":is(.c{i}) b",
        ":not(.c{i}) b",
        ".C{i} b",
        "section.c{i} i > b.s",
        ".c{i} b:not(:hover)",
    ];

    fn page(doctype: &str) -> (PageSnapshot, Vec<String>) {
        let inner = "<i title=t><b class=s>x</b></i><p>y</p><b title='t u'>z</b>";
        let body: String = (0..40)
            .map(|at| {
                format!("<section class='c{at} o' id=d{at}><div class=c{}>{inner}</div></section>{inner}", at * 3)
            })
            .collect();
        let selectors: Vec<String> = (0..100)
            .flat_map(|at| TEMPLATES.iter().map(move |template| template.replace("{i}", &at.to_string())))
            .collect();
        let rules = selectors.iter().map(|selector| format!("{selector}{{top:0}}")).collect();
        let sheet = Stylesheet { owner: SheetOwner::Adopted, text: Some(rules), ..Stylesheet::default() };
        let html = format!("{doctype}{body}");
        (PageSnapshot { html, sheets: vec![sheet], ..PageSnapshot::default() }, selectors)
    }

    #[test]
    fn selectors_filed_by_ancestors_match_what_they_select() {
        for doctype in ["<!doctype html>", ""] {
            let (page, selectors) = page(doctype);
            let document = Document::parse(&page.html);
            let index = StyleIndex::new(&page, &document);
            let index = &index;
            let matched = |node: NodeId| {
                let blocks = index.declarations(node, None).into_iter();
                let own = blocks.filter(|block| block.origin == Origin::Author);
                own.filter_map(move |block| Some((block.selector?, node)))
            };
            let found: BTreeSet<(String, NodeId)> = document.elements().flat_map(|(node, _)| matched(node)).collect();
            let selected = |selector: &String| {
                let selector = selector.clone();
                select(&document, &selector).into_iter().map(move |node| (selector.clone(), node))
            };
            let expected: BTreeSet<(String, NodeId)> = selectors.iter().flat_map(selected).collect();
            let differing: Vec<_> = found.symmetric_difference(&expected).take(5).collect();
            assert!(differing.is_empty() && expected.len() > 5_000, "{doctype}: {differing:?} of {}", expected.len());
        }
    }
}
