//! Counts the elements of the page that have a value: for each element the declarations that win at rest, on a desktop
//! and on a phone, in light and in dark.
//!
//! Elements with the same rules share the outcome of the cascade, and those that inherit the same values as well share
//! one style, so that few values are looked at more than once.

use super::composite_styles::{BORDER_STYLES, CompositeId, CompositeReader, Composites};
use super::typical_styles::{ElementStyle, TypicalStyles, part_of_design};
use super::{ValueCounter, ValueId};
use crate::custom_properties::{
    ContextId, DeclarationContexts, LookupScope, PAGE_ENVIRONMENTS, is_custom, page_environment,
};
use crate::theme_document::only_theme;
use crate::value::holds_design_values;
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use limner_page::NodeId;
use limner_style::property::{CssWide, DeclaredValue, Longhand};
use limner_style::selector::PseudoElement;
use limner_style::value::Component;
use limner_style::{ApplicableDeclaration, AuthoredDeclaration, ConditionId, StyleIndex, Styles, ValueTemplate};
use limner_types::Theme;
use std::rc::Rc;
use std::sync::Arc;

/// Index of a style.
type StyleId = u32;

/// The source of a longhand's value on an element.
#[derive(Clone, Copy)]
enum Source<'i> {
    Declared(AuthoredDeclaration<'i>),
    Inherit,
    Initial,
}

/// The outcome of the cascade.
struct Cascaded<'i> {
    sources: Vec<(Longhand, Source<'i>)>,
    /// True if it generates the content of a pseudo-element.
    has_content: bool,
}

/// The outcomes of the cascade in each environment.
type CascadedByEnvironment<'i> = Rc<[Rc<Cascaded<'i>>]>;

/// The design values of an element or pseudo-element in a theme.
pub(super) struct Style {
    values: Vec<(Longhand, Rc<[ValueId]>)>,
    composites: Vec<CompositeId>,
    theme: Theme,
}

impl Style {
    /// Returns the only value of a longhand.
    pub(super) fn value(&self, longhand: Longhand) -> Option<ValueId> {
        let (_, values) = self.values.iter().find(|(own, _)| *own == longhand)?;
        if let [only] = **values { Some(only) } else { None }
    }
}

/// The cache key of the cascade: the ids of the lists of rules and of declarations in attributes.
type CascadeKey = ((u32, u32), (usize, usize), Option<PseudoElement>);

/// The page and the caches of a count of its elements.
pub(crate) struct ElementCounter<'s, 'i> {
    index: &'i StyleIndex<'i>,
    contexts: &'s DeclarationContexts,
    environments: Vec<(usize, Styles<'i>, Theme)>,
    holds: HashMap<ConditionId, Vec<bool>>,
    cascades: HashMap<CascadeKey, CascadedByEnvironment<'i>>,
    styles: Vec<Style>,
    shared: HashMap<(Option<StyleId>, usize, ContextId, usize), StyleId>,
    of_node: Vec<HashMap<NodeId, StyleId>>,
    /// The values of declarations: by the address of their longhands, context and theme.
    values: HashMap<(usize, ContextId, Theme), Declared>,
    conditions: HashSet<ConditionId>,
    composites: CompositeReader,
}

/// The facts about a page's elements besides the number of those that have each value.
pub(crate) struct CountedElements {
    /// The conditions of the rules that match any.
    pub(crate) conditions: Vec<ConditionId>,
    /// The usual styles of headings, text and buttons.
    pub(crate) styles: Vec<ElementStyle>,
    /// Their borders and transitions.
    pub(crate) composites: Composites,
}

/// The values of a declaration's longhands.
type Declared = Rc<[(Longhand, Rc<[ValueId]>)]>;

/// Elements that show nothing and contain nothing that is shown.
const UNSEEN: [&str; 10] =
    ["head", "meta", "title", "link", "script", "style", "template", "base", "noscript", "param"];

impl<'i> ValueCounter<'i> {
    /// Counts the elements of the page for each value. `has_dark` is false if nothing on the page depends on the theme.
    pub(crate) fn count_elements(
        &mut self,
        index: &'i StyleIndex<'_>,
        contexts: &DeclarationContexts,
        has_dark: bool,
    ) -> CountedElements {
        let mut survey = ElementCounter::new(index, contexts, has_dark);
        let mut typical = TypicalStyles::default();
        let mut sets: HashMap<Vec<StyleId>, usize> = HashMap::new();
        for (node, element) in index.document().elements() {
            if UNSEEN.contains(&element.name()) || !index.document().work_budget().spend(8) {
                continue;
            }
            let styles = survey.styles_of(self, node);
            *sets.entry(styles).or_default() += 1;
            if let Some(part) = part_of_design(element) {
                let own = survey.style(self, node, 0);
                typical.add(part, &survey.styles[own as usize]);
            }
        }
        self.count_sets(&survey.styles, &sets);
        let composites = survey.composites.count(sets.iter().map(|(styles, elements)| {
            let of_styles = styles.iter().flat_map(|style| survey.styles[*style as usize].composites.iter().copied());
            (of_styles, *elements)
        }));
        self.knows_elements = true;
        let styles = typical.styles(|value| {
            let entry = &self.entries[value as usize];
            entry.css.as_deref().unwrap_or(&entry.key).to_owned()
        });
        CountedElements { conditions: survey.conditions.into_iter().collect(), styles, composites }
    }

    /// Adds up the elements with the same styles, for each value once.
    fn count_sets(&mut self, all: &[Style], sets: &HashMap<Vec<StyleId>, usize>) {
        // The last set in which a value was counted: in any theme, in light, in dark.
        let mut last: Vec<[usize; 3]> = vec![[0; 3]; self.entries.len()];
        for (number, (styles, elements)) in sets.iter().enumerate() {
            for style in styles.iter().map(|style| &all[*style as usize]) {
                let in_theme = if style.theme == Theme::Dark { 1 } else { 0 };
                for value in style.values.iter().flat_map(|(_, values)| values.iter()) {
                    let last = &mut last[*value as usize];
                    let entry = &mut self.entries[*value as usize];
                    if std::mem::replace(&mut last[0], number + 1) != number + 1 {
                        entry.used += elements;
                    }
                    if std::mem::replace(&mut last[1 + in_theme], number + 1) != number + 1 {
                        entry.used_in[in_theme] += elements;
                    }
                }
            }
        }
    }

    /// Returns the values of a declaration's longhands in a theme, on elements with a context.
    fn values_in_context(
        &mut self,
        declaration: &AuthoredDeclaration<'i>,
        context: ContextId,
        theme: Theme,
    ) -> Vec<(Longhand, ValueId)> {
        let Some(longhands) = declaration.longhands() else { return Vec::new() };
        let is_of_theme = |of: Option<Theme>| of.is_none_or(|of| of == theme);
        if longhands.first().is_none_or(|declared| declared.value != DeclaredValue::Pending) {
            let found = self.literal(declaration, longhands);
            let found = found.iter().filter(|own| is_of_theme(own.theme));
            return found.map(|own| (own.longhand, own.value)).collect();
        }
        let Some(text) = self.text_in_context(declaration, context, theme) else { return Vec::new() };
        let found = self.design_values_of(declaration.name, &text);
        found.iter().filter(|own| is_of_theme(own.theme)).map(|own| (own.longhand, own.id)).collect()
    }

    /// Returns the text of a declaration without references, on elements with a context.
    fn text_in_context(
        &mut self,
        declaration: &AuthoredDeclaration<'i>,
        context: ContextId,
        theme: Theme,
    ) -> Option<Arc<str>> {
        let scope = LookupScope {
            theme: Some(theme).filter(|theme| *theme == Theme::Dark),
            rule_variables: &[],
            variant: None,
            context: Some(context),
        };
        self.variables.resolve(&ValueTemplate::new(declaration.value), scope).text
    }
}

impl<'s, 'i> ElementCounter<'s, 'i> {
    fn new(index: &'i StyleIndex<'_>, contexts: &'s DeclarationContexts, has_dark: bool) -> Self {
        let wanted = (0..PAGE_ENVIRONMENTS.len()).map(|number| (number, page_environment(number)));
        let wanted = wanted.filter(|(_, (_, theme))| has_dark || *theme == Theme::Light);
        let environments: Vec<_> =
            wanted.map(|(number, (environment, theme))| (number, index.styles(&environment), theme)).collect();
        Self {
            index,
            contexts,
            of_node: environments.iter().map(|_| HashMap::new()).collect(),
            environments,
            holds: HashMap::new(),
            cascades: HashMap::new(),
            styles: Vec::new(),
            shared: HashMap::new(),
            values: HashMap::new(),
            conditions: HashSet::new(),
            composites: CompositeReader::default(),
        }
    }

    /// Returns the styles of an element and its generated content in all environments, each once.
    fn styles_of(&mut self, counter: &mut ValueCounter<'i>, node: NodeId) -> Vec<StyleId> {
        let mut all: Vec<StyleId> = Vec::new();
        let pseudos = self.index.styled_pseudo_elements(node).into_iter();
        let pseudos: Vec<PseudoElement> =
            pseudos.filter(|own| matches!(own, PseudoElement::Before | PseudoElement::After)).collect();
        for at in 0..self.environments.len() {
            let own = self.style(counter, node, at);
            all.push(own);
            for pseudo in &pseudos {
                let cascaded = self.cascaded(node, Some(*pseudo))[at].clone();
                if cascaded.has_content {
                    let context = self.contexts.of_element(node, Some(*pseudo), self.environments[at].0);
                    all.push(self.share(counter, Some(own), &cascaded, (context, at)));
                }
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Returns the style of an element in an environment.
    fn style(&mut self, counter: &mut ValueCounter<'i>, node: NodeId, at: usize) -> StyleId {
        let (document, flat) = (self.index.document(), self.index.flat_tree());
        let mut chain = vec![node];
        let mut parent = None;
        while let Some(next) = chain.last().and_then(|last| flat.parent(document, *last)) {
            parent = self.of_node[at].get(&next).copied();
            if parent.is_some() {
                break;
            }
            chain.push(next);
        }
        for node in chain.into_iter().rev() {
            let known = self.of_node[at].get(&node).copied();
            let own = known.unwrap_or_else(|| {
                let cascaded = self.cascaded(node, None)[at].clone();
                let context = self.contexts.of_element(node, None, self.environments[at].0);
                self.share(counter, parent, &cascaded, (context, at))
            });
            self.of_node[at].insert(node, own);
            parent = Some(own);
        }
        parent.unwrap_or_default()
    }

    /// Returns the style that a child of elements with a style has.
    fn share(
        &mut self,
        counter: &mut ValueCounter<'i>,
        parent: Option<StyleId>,
        cascaded: &Rc<Cascaded<'i>>,
        (context, at): (ContextId, usize),
    ) -> StyleId {
        let theme = self.environments[at].2;
        let in_theme = usize::from(theme == Theme::Dark);
        let key = (parent, Rc::as_ptr(cascaded).cast::<u8>() as usize, context, in_theme);
        if let Some(known) = self.shared.get(&key) {
            return *known;
        }
        let own = self.computed(counter, parent, cascaded, (context, theme));
        let next = StyleId::try_from(self.styles.len()).unwrap_or(StyleId::MAX);
        let work = own.values.len() + cascaded.sources.len();
        self.index.document().work_budget().spend(work as u64);
        self.index.document().work_budget().reserve_bytes(own.values.len() * size_of::<(Longhand, Rc<[ValueId]>)>());
        self.styles.push(own);
        self.shared.insert(key, next);
        next
    }

    fn computed(
        &mut self,
        counter: &mut ValueCounter<'i>,
        parent: Option<StyleId>,
        cascaded: &Cascaded<'i>,
        (context, theme): (ContextId, Theme),
    ) -> Style {
        let of_parent = |own: &Self, longhand: Longhand| {
            let values = &own.styles.get(parent? as usize)?.values;
            values.iter().find(|(known, _)| *known == longhand).map(|(_, values)| values.clone())
        };
        let mut values: Vec<(Longhand, Rc<[ValueId]>)> = Vec::new();
        for (longhand, source) in &cascaded.sources {
            let found = match source {
                Source::Initial => None,
                Source::Inherit => of_parent(self, *longhand),
                Source::Declared(declaration) => {
                    let declared = self.declared(counter, declaration, (context, theme));
                    declared.iter().find(|(own, _)| own == longhand).map(|(_, values)| values.clone())
                }
            };
            values.extend(found.map(|found| (*longhand, found)));
        }
        if let Some(parent) = parent.and_then(|parent| self.styles.get(parent as usize)) {
            let is_set = |longhand: Longhand| cascaded.sources.iter().any(|(own, _)| *own == longhand);
            let inherited = parent.values.iter().filter(|(own, _)| own.is_inherited() && !is_set(*own));
            values.extend(inherited.cloned());
        }
        let declared = cascaded.sources.iter().filter_map(|(longhand, source)| match source {
            Source::Declared(declaration) => Some((*longhand, *declaration)),
            _ => None,
        });
        let text = |declaration: &AuthoredDeclaration<'i>| counter.text_in_context(declaration, context, theme);
        let composites = self.composites.read(declared, text, (context, theme));
        Style { values, composites, theme }
    }

    /// Returns the values of a declaration by longhand.
    fn declared(
        &mut self,
        counter: &mut ValueCounter<'i>,
        declaration: &AuthoredDeclaration<'i>,
        (context, theme): (ContextId, Theme),
    ) -> Declared {
        let address = declaration.longhands().map_or(0, |longhands| longhands.as_ptr() as usize);
        let key = (address, context, theme);
        if let Some(known) = self.values.get(&key) {
            return known.clone();
        }
        let mut found = counter.values_in_context(declaration, context, theme);
        found.sort_unstable();
        found.dedup();
        let of_longhand = found.chunk_by(|a, b| a.0 == b.0);
        let declared: Declared =
            of_longhand.map(|own| (own[0].0, own.iter().map(|(_, value)| *value).collect())).collect();
        self.values.insert(key, declared.clone());
        declared
    }

    /// Returns the outcomes of the cascade for an element or pseudo-element.
    fn cascaded(&mut self, node: NodeId, pseudo: Option<PseudoElement>) -> CascadedByEnvironment<'i> {
        let own = if pseudo.is_none() { self.index.attribute_list_id(node) } else { (0, 0) };
        let key = (self.index.rule_list_id_with_theme(node), own, pseudo);
        if let Some(known) = self.cascades.get(&key) {
            return known.clone();
        }
        let mut candidates = self.index.candidates_with_theme(node, pseudo);
        candidates.retain(|own| own.is_at_rest() && !is_custom(&own.declaration));
        for own in &candidates {
            self.conditions.insert(own.condition);
            if !self.holds.contains_key(&own.condition) {
                let holds = self.environments.iter().map(|(_, styles, _)| styles.condition_holds(own.condition));
                let holds = holds.map(|holds| holds != Some(false)).collect();
                self.holds.insert(own.condition, holds);
            }
        }
        let themes: Vec<Option<Theme>> = candidates.iter().map(|own| only_theme(self.index, own)).collect();
        let applies = |number: usize, at: usize| {
            let is_of_theme = themes[number].is_none_or(|theme| theme == self.environments[at].2);
            is_of_theme && self.holds[&candidates[number].condition][at]
        };
        let mut outcomes: Vec<Rc<Cascaded<'i>>> = Vec::new();
        for at in 0..self.environments.len() {
            // Most lists of rules apply in the same way everywhere.
            let is_like = |other: &usize| (0..candidates.len()).all(|own| applies(own, *other) == applies(own, at));
            let same = (0..at).find(is_like).map(|other| outcomes[other].clone());
            let outcome = same.unwrap_or_else(|| {
                let applied = candidates.iter().enumerate().filter(|(number, _)| applies(*number, at));
                Rc::new(Cascaded::decide(applied.map(|(_, own)| own)))
            });
            outcomes.push(outcome);
        }
        let outcomes: CascadedByEnvironment<'i> = outcomes.into();
        self.cascades.insert(key, outcomes.clone());
        outcomes
    }
}

impl<'i> Cascaded<'i> {
    /// Returns the outcome of declarations, the strongest last.
    fn decide<'c>(applied: impl Iterator<Item = &'c ApplicableDeclaration<'i>>) -> Self
    where
        'i: 'c,
    {
        let mut sources: Vec<(Longhand, Source<'i>)> = Vec::new();
        let mut has_content = false;
        for ApplicableDeclaration { declaration, .. } in applied {
            let longhands = declaration.longhands().map(|list| &**list).unwrap_or_default();
            for declared in longhands.iter().filter(|declared| concerns(declared.longhand)) {
                let longhand = declared.longhand;
                let source = match &declared.value {
                    DeclaredValue::Wide(CssWide::Revert | CssWide::RevertLayer) => continue,
                    DeclaredValue::Wide(CssWide::Inherit) => Source::Inherit,
                    DeclaredValue::Wide(CssWide::Unset) if longhand.is_inherited() => Source::Inherit,
                    DeclaredValue::Wide(CssWide::Unset | CssWide::Initial) => Source::Initial,
                    DeclaredValue::Components(_) | DeclaredValue::Pending => Source::Declared(*declaration),
                };
                if longhand == Longhand::Content {
                    has_content = generates_content(&declared.value);
                }
                match sources.iter_mut().find(|(known, _)| *known == longhand) {
                    Some(known) => known.1 = source,
                    None => sources.push((longhand, source)),
                }
            }
        }
        Self { sources, has_content }
    }
}

/// Returns true if a longhand has design values, or is a part of a composite one.
fn concerns(longhand: Longhand) -> bool {
    holds_design_values(longhand) || BORDER_STYLES.contains(&longhand)
}

/// Returns true if a value of `content` generates a pseudo-element.
fn generates_content(value: &DeclaredValue) -> bool {
    match value {
        DeclaredValue::Components(components) => !matches!(
            &components[..],
            [Component::Ident(word)] if word.eq_ignore_ascii_case("none") || word.eq_ignore_ascii_case("normal")
        ),
        DeclaredValue::Pending => true,
        DeclaredValue::Wide(_) => false,
    }
}
