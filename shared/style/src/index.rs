//! The style index: a page's rules, matched against its elements under all relevant states.

use crate::cascade::{CustomFunctions, Keyframes};
use crate::color::{Scheme, SupportedSchemes};
use crate::condition::Conditions;
use crate::matcher::ElementMatcher;
use crate::property::Longhand;
use crate::radio_groups::RadioGroups;
use crate::selector::{
    HasScopeSelector, PseudoElement, PseudoName, ScopeSelector, StateSet, StyleSelectorImpl, contains_has,
    distinguishes_elements, has_scope, mentioned_states, quirks, refers_to_scope, scope_scheme,
};
use crate::sheet::{
    self, AtRule, Declaration, DeclarationInterner, DeclarationMeaning, Filter, Inline, Layers, Origin, Rule,
    SheetInfo, Sheets, parse_inline,
};
use crate::sibling_counts::SiblingCounts;
use crate::sibling_matching::{ChildLists, SiblingSelector};
use crate::start_state::states::StartStates;
use crate::value_features::ValueFeatures;
use crate::zero_advance::ZeroAdvances;
use crate::{ConditionId, SubstringSet, environment::Environment};
use foldhash::{HashMap, HashMapExt, HashSet};
use limner_page::dom::FlatTree;
use limner_page::{Document, NodeId, PageSnapshot};
use selectors::parser::AncestorHashes;
use selectors::parser::Selector;
use std::sync::{Arc, OnceLock};

/// One selector of one rule.
pub(crate) struct Entry {
    pub(crate) number: u32,
    pub(crate) rule: u32,
    /// Index in the rule's selector list.
    pub(crate) selector: u32,
    pub(crate) pseudo: Option<PseudoElement>,
    /// True if it styles a pseudo-element whose style this crate does not compute.
    pub(crate) ignored: bool,
    pub(crate) specificity: u32,
    pub(crate) state_dependencies: StateSet,
    /// True if it can only match while elements are in different states.
    pub(crate) distinguishes_elements: bool,
    /// True if it contains `:has()`.
    pub(crate) contains_has: bool,
    /// True if it contains `:scope`: whether it matches depends on the scoping root.
    pub(crate) refers_to_scope: bool,
    /// The anchor of its state-dependent `:has()`.
    pub(crate) has_scope: HasScopeSelector,
    pub(crate) hashes: AncestorHashes,
    /// The parts of a selector with `~`.
    pub(crate) siblings: Option<Box<SiblingSelector>>,
}

impl Entry {
    /// Returns the interaction states that the selector mentions.
    pub(crate) fn mentioned(&self) -> StateSet {
        self.state_dependencies
    }
}

/// Maximum number of states whose combinations are told apart in one selector.
pub(crate) const MAX_STATES: usize = 3;

/// A selector that matches an element under at least one combination of states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Match {
    pub(crate) entry: u32,
    /// Steps to the scope's root; `u16::MAX` outside of scopes.
    pub(crate) proximity: u16,
    /// The tree of the rule's stylesheet: 0 an inner one (`:host`, `::slotted`), 1 the element's, 2 an outer one
    /// (`::part`).
    pub(crate) context: u8,
    /// Bit *n*: the selector matches when the mentioned states are those of *n* in binary, for every element. All bits
    /// are 0 if elements must be in different states.
    pub(crate) truth: u8,
}

impl Match {
    pub(crate) fn matches_under(self, mentioned: StateSet, states: StateSet) -> bool {
        if states.is_empty() {
            return self.truth & 1 != 0;
        }
        let index = mentioned.iter().take(MAX_STATES).enumerate().filter(|(_, state)| states.contains(*state));
        let index: u8 = index.map(|(bit, _)| 1_u8 << bit).sum();
        self.truth & (1 << index) != 0
    }
}

/// A page's stylesheets and their matches in the document, computed once for all environments.
pub struct StyleIndex<'d> {
    pub(crate) document: &'d Document,
    pub(crate) flat: FlatTree,
    pub(crate) supported: SupportedSchemes,
    pub(crate) sheets: Sheets,
    pub(crate) entries: Vec<Entry>,
    pub(crate) layer_ranks: Vec<u32>,
    /// Distinct lists of matches; the first is empty.
    pub(crate) lists: Vec<Arc<[Match]>>,
    /// The list of each node.
    pub(crate) list_of: Vec<u32>,
    pub(crate) in_theme: Option<ThemeMatches>,
    pub(crate) inline: HashMap<NodeId, Arc<Inline>>,
    pub(crate) hints: HashMap<NodeId, Arc<Inline>>,
    pub(crate) keyframes: Keyframes,
    pub(crate) digits: ZeroAdvances,
    pub(crate) child_lists: ChildLists,
    pub(crate) start_states: StartStates,
    pub(crate) radio_groups: OnceLock<RadioGroups>,
    pub(crate) sibling_counts: OnceLock<SiblingCounts>,
    pub(crate) functions: CustomFunctions,
    pub(crate) value_features: ValueFeatures,
}

impl<'d> StyleIndex<'d> {
    /// Parses the page's stylesheets (imported ones in place) and matches their rules against the document. Linear in
    /// rules and in elements.
    pub fn new(page: &PageSnapshot, document: &'d Document) -> Self {
        Self::matched(page, document, None)
    }

    /// Like [`StyleIndex::new`], for the values of some properties only. It skips the rules that set none of them, so
    /// it is faster; other properties have the values of a page that does not declare them.
    pub fn for_properties(page: &PageSnapshot, document: &'d Document, wanted: &[Longhand]) -> Self {
        Self::matched(page, document, Some(wanted))
    }

    fn matched(page: &PageSnapshot, document: &'d Document, wanted: Option<&[Longhand]>) -> Self {
        let mut interner = DeclarationInterner::new(document.quirks_mode());
        let mut sheets = Sheets::default();
        let filter = wanted.map(Filter::new);
        sheet::user_agent(&mut sheets, &mut interner, document, filter.as_ref());
        sheet::collect(&mut sheets, &mut interner, page, document, false, filter.as_ref());
        let mut index = Self::unmatched(document, sheets, wanted);
        index.keyframes = Keyframes::from_rules(&index.sheets.at_rules, &mut interner);
        index.inline_styles(&mut interner);
        index.functions = CustomFunctions::from_rules(&index.sheets.at_rules, document.quirks_mode());
        let inline = index.inline.values().flat_map(|own| own.iter());
        let declarations = index.sheets.declarations.iter().chain(inline);
        index.value_features = ValueFeatures::from_values(declarations, index.functions.values());
        index.hints(&mut interner);
        index.sheets.truncated |= interner.is_truncated();
        index.match_elements(document.elements().map(|(node, _)| node));
        index
    }

    /// Reads what the page's stylesheets (alternate ones included, the user agent's left out) declare for some
    /// properties. It is much faster than [`StyleIndex::new`], since rules are matched against the root element only,
    /// and only those that set custom properties or the colour scheme. For other elements it knows only their `style`
    /// attributes; keyframes and presentational hints are left out. Rules whose prelude contains one of the `marks` (words that show the purpose
    /// of a rule) are kept whatever they declare.
    pub fn for_root_only(
        page: &PageSnapshot,
        document: &'d Document,
        wanted: &[Longhand],
        marks: &SubstringSet,
    ) -> Self {
        /// The property that is computed for the root besides custom properties.
        const OF_ROOT: Longhand = Longhand::ColorScheme;
        let mut interner = DeclarationInterner::new(document.quirks_mode());
        let mut sheets = Sheets::default();
        let wanted = [wanted, &[OF_ROOT]].concat();
        sheet::collect(
            &mut sheets,
            &mut interner,
            page,
            document,
            true,
            Some(&Filter::for_declarations(&wanted, marks)),
        );
        // After the page's rules, whose indexes are thus those of `rules`; origins come before the order of rules.
        // They do not count against the limit of the page's values.
        let mut own = DeclarationInterner::new(document.quirks_mode());
        sheet::user_agent(&mut sheets, &mut own, document, Some(&Filter::new(&wanted)));
        let mut index = Self::unmatched(document, sheets, Some(&[OF_ROOT]));
        index.inline_styles(&mut interner);
        index.sheets.truncated |= interner.is_truncated();
        index.match_elements(document.document_element().into_iter());
        index
    }

    /// Matches the rules of [`StyleIndex::for_root_only`] against every element: the page's, and those of the user agent
    /// that set one of its properties. It skips rules that cannot apply on a screen, and rules with a class that no
    /// element has.
    pub fn match_rules(&mut self) {
        let mut matched = vec![false; self.sheets.rules.len()];
        self.entries.iter().for_each(|entry| matched[entry.rule as usize] = true);
        // Quirks mode ignores the case of classes.
        let all = (quirks(self.document) != selectors::context::QuirksMode::Quirks).then(|| classes(self.document));
        let can_match = |rule: &Rule| {
            let facts = self.sheets.conditions.facts(rule.condition);
            let is_on_screen = !facts.print_only && !facts.is_never;
            is_on_screen && all.as_ref().is_none_or(|all| rule.selectors.may_match(&|class| all.contains(class)))
        };
        self.entries = entries(&self.sheets, self.document, &|number, rule| matched[number] || can_match(rule));
        self.match_elements(self.document.elements().map(|(node, _)| node));
    }

    /// Matches some rules of [`StyleIndex::for_root_only`], by their index, against the document as it is in another
    /// theme: `themed` is the same document with other attributes on its root. See
    /// [`StyleIndex::candidates_with_theme`].
    pub fn match_rules_in_theme(&mut self, themed: &'d Document, rules: &[bool]) {
        let first = self.entries.len();
        let mut added = entries(&self.sheets, themed, &|number, _| rules.get(number) == Some(&true));
        for (number, entry) in (first..).zip(&mut added) {
            entry.number = u32::try_from(number).unwrap_or(u32::MAX);
        }
        self.entries.extend(added);
        let own = std::mem::replace(&mut self.document, themed);
        let nodes = themed.elements().map(|(node, _)| node);
        let (lists, list_of) = self.distinct_matches(ElementMatcher::for_entries(self, first), nodes);
        self.document = own;
        self.in_theme = Some(ThemeMatches { lists, list_of });
    }

    fn unmatched(document: &'d Document, sheets: Sheets, wanted: Option<&[Longhand]>) -> Self {
        let concerns = |_, rule: &Rule| {
            let declarations = &sheets.declarations[rule.declarations.start as usize..rule.declarations.end as usize];
            wanted.is_none_or(|wanted| declarations.iter().any(|declaration| concerns(declaration, wanted)))
        };
        Self {
            document,
            flat: FlatTree::new(document),
            supported: SupportedSchemes::from_document(document),
            layer_ranks: sheets.layers.ranks(),
            entries: entries(&sheets, document, &concerns),
            sheets,
            lists: Vec::new(),
            list_of: vec![0; document.len()],
            in_theme: None,
            inline: HashMap::new(),
            hints: HashMap::new(),
            keyframes: Keyframes::default(),
            digits: ZeroAdvances::default(),
            child_lists: ChildLists::default(),
            start_states: StartStates::default(),
            radio_groups: OnceLock::new(),
            sibling_counts: OnceLock::new(),
            functions: CustomFunctions::default(),
            value_features: ValueFeatures::default(),
        }
    }

    /// Uses the given advances of `0` instead of those of usual computers.
    pub fn with_digit_widths(self, digits: ZeroAdvances) -> Self {
        Self { digits, ..self }
    }

    /// Returns the checked radio button that checking another one of its group unchecks.
    pub(crate) fn radio_unchecked_by(&self, node: NodeId) -> Option<NodeId> {
        self.radio_groups.get_or_init(|| RadioGroups::new(self.document)).unchecked_by(node)
    }

    /// Returns the place of an element among its siblings, from 1, and their number.
    pub(crate) fn sibling_place(&self, node: NodeId) -> (u64, u64) {
        self.sibling_counts.get_or_init(|| SiblingCounts::new(self.document)).place(node)
    }

    /// Returns true if checking an element unchecks another one.
    pub fn unchecks_another(&self, node: NodeId) -> bool {
        self.radio_unchecked_by(node).is_some()
    }

    /// The document.
    pub fn document(&self) -> &'d Document {
        self.document
    }

    /// The colour schemes that the page's metadata names.
    pub fn supported_schemes(&self) -> SupportedSchemes {
        self.supported
    }

    /// Returns the flat tree: the document's elements where shadow trees slot them.
    pub fn flat_tree(&self) -> &FlatTree {
        &self.flat
    }

    /// Returns every stylesheet with its URL; the user agent's comes first.
    pub fn sheets(&self) -> &[SheetInfo] {
        &self.sheets.infos
    }

    /// Returns the at-rules kept as data: `font-face`, `keyframes`, `property`, …
    pub fn at_rules(&self) -> &[AtRule] {
        &self.sheets.at_rules
    }

    /// Returns the number of rules dropped because a browser would reject their selectors.
    pub fn dropped_rules(&self) -> usize {
        self.sheets.dropped_rules
    }

    /// Returns true if a limit cut rules or declarations short.
    pub fn truncated(&self) -> bool {
        self.sheets.truncated
    }

    /// Returns the conditions of a stack as written, from the outermost: `@media (width > 40em)`.
    #[cfg(test)]
    pub(crate) fn condition_text(&self, condition: ConditionId) -> Vec<&str> {
        let mut stack: Vec<&str> = self.sheets.conditions.stack(condition).map(|node| &*node.text).collect();
        stack.reverse();
        stack
    }

    /// Returns true if a stack of conditions holds in an environment; container queries count as holding.
    pub fn condition_holds(&self, condition: ConditionId, environment: &Environment) -> bool {
        let answers = self.sheets.conditions.evaluate(environment);
        Conditions::evaluation_of(&answers, condition) != crate::condition::Evaluated::Never
    }

    /// Returns every declaration block that can apply to an element or pseudo-element, under any condition and state,
    /// in cascade order (the strongest last; `!important` is not taken into account).
    pub fn declarations(&self, node: NodeId, pseudo: Option<PseudoElement>) -> Vec<MatchedBlock<'_>> {
        let mut blocks: Vec<(_, MatchedBlock<'_>)> = self
            .matches_for(node)
            .iter()
            .filter_map(|found| {
                let entry = &self.entries[found.entry as usize];
                (entry.pseudo == pseudo && !entry.ignored).then(|| self.matched_block(entry, *found))
            })
            .collect();
        if pseudo.is_none() {
            for (origin, map) in [(Origin::Hint, &self.hints), (Origin::Author, &self.inline)] {
                if let Some(list) = map.get(&node) {
                    let strength = if origin == Origin::Author { u32::MAX } else { 0 };
                    blocks.push((
                        (origin, 1, u32::MAX, strength, 0, u32::MAX),
                        MatchedBlock::from_attributes(list, origin),
                    ));
                }
            }
        }
        blocks.sort_by_key(|(key, _)| *key);
        blocks.into_iter().map(|(_, block)| block).collect()
    }

    /// Returns the matches of an element; none once the page's budget is spent.
    pub(crate) fn matches_for(&self, node: NodeId) -> &[Match] {
        let list = self.list_of.get(node.index()).map_or(0, |list| *list as usize);
        let matches = &self.lists[list];
        if self.document.work_budget().spend(1 + matches.len() as u64) { matches } else { &[] }
    }

    fn matched_block(&self, entry: &Entry, found: Match) -> ((Origin, u8, u32, u32, u16, u32), MatchedBlock<'_>) {
        let rule = &self.sheets.rules[entry.rule as usize];
        let layer = Layers::rank(&self.layer_ranks, rule.layer);
        let key = (rule.origin, found.context, layer, entry.specificity, u16::MAX - found.proximity, entry.rule);
        let selector = &rule.selectors.slice()[entry.selector as usize];
        let block = MatchedBlock {
            origin: rule.origin,
            selector: Some(cssparser::ToCss::to_css_string(selector)),
            specificity: entry.specificity,
            condition: rule.condition,
            layer: self.sheets.layers.name(rule.layer),
            states: entry.state_dependencies,
            truth: found.truth,
            sheet: Some(rule.sheet),
            line: rule.line,
            parsed: Some(selector),
            declarations: self.rule_declarations(rule),
        };
        (key, block)
    }

    pub(crate) fn rule_declarations(&self, rule: &Rule) -> &[Declaration] {
        &self.sheets.declarations[rule.declarations.start as usize..rule.declarations.end as usize]
    }

    fn inline_styles(&mut self, interner: &mut DeclarationInterner) {
        let mut known: HashMap<&'d str, Arc<Inline>> = HashMap::new();
        for (node, element) in self.document.elements() {
            if let Some(style) = element.attr("style").filter(|style| !style.trim().is_empty()) {
                let parsed = known.entry(style).or_insert_with(|| Arc::new(parse_inline(style, interner)));
                self.inline.insert(node, parsed.clone());
            }
        }
    }

    /// Collects the presentational hints: the declarations that attributes stand for.
    fn hints(&mut self, interner: &mut DeclarationInterner) {
        let mut known: HashMap<String, Arc<Inline>> = HashMap::new();
        let link_color = crate::ua::link_color(self.document);
        for (node, element) in self.document.elements() {
            if let Some(text) = crate::ua::hints(self.document, node, element, link_color.as_deref()) {
                let parsed = known.entry(text).or_insert_with_key(|text| Arc::new(parse_inline(text, interner)));
                self.hints.insert(node, parsed.clone());
            }
        }
    }

    fn match_elements(&mut self, elements: impl Iterator<Item = NodeId>) {
        (self.lists, self.list_of) = self.distinct_matches(ElementMatcher::for_entries(self, 0), elements);
    }

    /// Returns the distinct lists of matches of elements, and the list of each node.
    fn distinct_matches(
        &self,
        mut matcher: ElementMatcher<'_, 'd>,
        elements: impl Iterator<Item = NodeId>,
    ) -> (Vec<Arc<[Match]>>, Vec<u32>) {
        let mut known: HashMap<Arc<[Match]>, u32> = HashMap::new();
        let mut lists: Vec<Arc<[Match]>> = vec![Arc::from([])];
        known.insert(lists[0].clone(), 0);
        let mut list_of = vec![0; self.document.len()];
        let budget = self.document.work_budget();
        for node in elements.take_while(|_| !budget.is_exhausted()) {
            let found = matcher.element(node);
            list_of[node.index()] = match known.get(found.as_slice()) {
                Some(list) => *list,
                None => {
                    budget.reserve_bytes(size_of_val(found.as_slice()));
                    let list: Arc<[Match]> = found.into();
                    let number = u32::try_from(lists.len()).unwrap_or(0);
                    lists.push(list.clone());
                    known.insert(list, number);
                    number
                }
            };
        }
        (lists, list_of)
    }
}

/// The matches of rules for another theme.
pub(crate) struct ThemeMatches {
    /// Distinct lists; the first is empty.
    pub(crate) lists: Vec<Arc<[Match]>>,
    /// The list of each node.
    pub(crate) list_of: Vec<u32>,
}

/// A declaration block that matches an element.
#[derive(Debug, Clone)]
pub struct MatchedBlock<'i> {
    /// Cascade origin.
    pub origin: Origin,
    /// The selector that matches; `None` for attributes.
    pub selector: Option<String>,
    /// The selector's specificity, ten bits for each part.
    pub specificity: u32,
    /// The conditions that wrap its rule.
    pub condition: ConditionId,
    /// Dotted name of its cascade layer.
    pub layer: Option<String>,
    /// Interaction states that the selector mentions.
    pub states: StateSet,
    truth: u8,
    /// Index into [`StyleIndex::sheets`].
    pub sheet: Option<u32>,
    /// Line in its stylesheet, from 1.
    pub line: u32,
    parsed: Option<&'i Selector<StyleSelectorImpl>>,
    pub(crate) declarations: &'i [Declaration],
}

impl<'i> MatchedBlock<'i> {
    fn from_attributes(list: &'i Inline, origin: Origin) -> Self {
        Self {
            origin,
            selector: None,
            specificity: 0,
            condition: ConditionId::default(),
            layer: None,
            states: StateSet::NONE,
            truth: 1,
            sheet: None,
            line: 0,
            parsed: None,
            declarations: list,
        }
    }

    /// Returns the colour scheme that the selector is scoped to; see [`crate::StyleRuleRef::scope_scheme`].
    pub fn scope_scheme(&self, scheme_of: &dyn Fn(ScopeSelector<'_>) -> Option<Scheme>) -> Option<Scheme> {
        scope_scheme(self.parsed?, scheme_of)
    }

    /// Returns true if the selector matches when these states hold for every element.
    pub fn matches_under_states(&self, states: StateSet) -> bool {
        Match { entry: 0, proximity: 0, context: 0, truth: self.truth }.matches_under(self.states, states)
    }
}

/// Returns true if a declaration can influence the values of those properties.
fn concerns(declaration: &Declaration, wanted: &[Longhand]) -> bool {
    match &declaration.effect {
        // Any value may refer to a custom property.
        DeclarationMeaning::Custom(_) => true,
        DeclarationMeaning::Longhands(declared) => declared.iter().any(|declared| wanted.contains(&declared.longhand)),
        DeclarationMeaning::Invalid => false,
    }
}

/// Returns the pseudo-element of a selector: a part of a carousel in the state that the selector names after it.
fn part_in_state(pseudo: PseudoElement, selector: &Selector<StyleSelectorImpl>) -> PseudoElement {
    let PseudoElement::Part(_) = pseudo else { return pseudo };
    let state = selector.iter().find_map(|simple| match simple {
        selectors::parser::Component::NonTSPseudoClass(class) => class.state_of_part(),
        _ => None,
    });
    state.map_or(pseudo, |state| pseudo.in_state(state))
}

/// Returns every class in a document.
fn classes(document: &Document) -> HashSet<&str> {
    document.elements().flat_map(|(_, element)| element.classes()).map(|class| &**class).collect()
}

/// Returns the selectors of the rules that `is_wanted` accepts, by their index.
fn entries(sheets: &Sheets, document: &Document, is_wanted: &dyn Fn(usize, &Rule) -> bool) -> Vec<Entry> {
    let mode = quirks(document);
    let mut entries = Vec::new();
    for (rule_index, rule) in sheets.rules.iter().enumerate().filter(|(number, rule)| is_wanted(*number, rule)) {
        for (selector_index, selector) in rule.selectors.slice().iter().enumerate() {
            let (pseudo, ignored) = match selector.pseudo_element() {
                None => (None, false),
                Some(PseudoName::Known(known)) => (Some(part_in_state(*known, selector)), false),
                Some(PseudoName::Other(_)) => (None, true),
            };
            entries.push(Entry {
                number: u32::try_from(entries.len()).unwrap_or(u32::MAX),
                rule: u32::try_from(rule_index).unwrap_or(u32::MAX),
                selector: u32::try_from(selector_index).unwrap_or(u32::MAX),
                pseudo,
                ignored,
                specificity: selector.specificity(),
                state_dependencies: mentioned_states(selector),
                distinguishes_elements: distinguishes_elements(selector),
                contains_has: contains_has(selector),
                refers_to_scope: rule.scope.is_some() && refers_to_scope(selector),
                has_scope: has_scope(selector),
                hashes: AncestorHashes::new(selector, mode),
                siblings: SiblingSelector::new(selector, mode),
            });
        }
    }
    entries
}
