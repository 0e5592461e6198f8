//! The value counter: counts the declarations of each value, with longhands, variables, themes and selectors.

mod composite_styles;
mod element_usage;
mod groups;
mod resolution;
mod root_tokens;
mod section_usage;
mod token_variable;
mod typical_styles;
mod utility_classes;
mod variable_origins;

use super::custom_properties::{ContextId, CustomProperties, NameId, SubstitutionStep, ThemedContext, is_custom};
use super::value::{DesignValue, hold_same_values, holds_design_values, values};
pub(super) use composite_styles::{BORDER_STYLES, Border, Composites, Transition};
pub(super) use element_usage::CountedElements;
use foldhash::{HashMap, HashMapExt};
use limner_style::AuthoredDeclaration;
use limner_style::property::{DeclaredValue, ExpandedLonghand, Longhand};
use limner_types::result::TokenKind;
use limner_types::{Theme, TokenScope};
pub use section_usage::{SectionUsage, ThemeSet, UsedDeclaration};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use token_variable::{PageValue, VariableKey};
pub(super) use token_variable::{TokenVariable, VariableValue};
pub(super) use typical_styles::ElementStyle;
use variable_origins::variable_origins;

/// Maximum number of blocks recorded for a value; several may have the same selector.
const MAX_BLOCKS: usize = 8;
/// Maximum number of distinct values on a page.
const MAX_VALUES: usize = 60_000;

/// Index of a value.
type ValueId = u32;

/// A value that a declaration sets a longhand to.
#[derive(Debug, Clone)]
struct Occurrence {
    longhand: Longhand,
    value: ValueId,
    theme: Option<Theme>,
    variables: Rc<[NameId]>,
    provenance: Provenance,
    /// True if a custom property contains the whole value.
    is_entire_value: bool,
    /// True if it does not depend on which of several rules applies to an element.
    is_certain: bool,
}

impl Occurrence {
    /// Returns true if a list has the same value for the longhand.
    fn is_contained_in(&self, list: &[Self]) -> bool {
        list.iter().any(|other| other.longhand == self.longhand && other.value == self.value)
    }
}

/// The provenance of a declaration's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Provenance {
    /// The declared value.
    Declared,
    /// The value in another theme.
    OtherTheme,
    /// The value for a variant, which this rule sets.
    Variant(u32),
    /// The value that would apply if the declaration's rule did not set the variables.
    PageWide,
    /// A colour in the declared shadow or gradient.
    Component,
}

/// The number of declarations that have a value from a custom property.
#[derive(Debug)]
struct VariableCount {
    id: NameId,
    count: usize,
    /// The last declaration that counted.
    counted_in: u32,
}

/// The statistics of one value.
#[derive(Debug)]
struct ValueStats {
    kind: TokenKind,
    key: Box<str>,
    /// Text as first written.
    original: Box<str>,
    /// The first value in its own colour spaces, if the key is less exact.
    css: Option<Box<str>>,
    /// Number of declarations with the value.
    declared: usize,
    /// Number of declarations that may have the value.
    alternative: usize,
    properties: Vec<Longhand>,
    variables: Vec<VariableCount>,
    /// The last declaration that counted as declared, and as alternative.
    counted_in: [u32; 2],
    /// True if it is declared for no theme, for light, for dark.
    themes: [bool; 3],
    blocks: Vec<u32>,
    /// Number of elements of the page that have it.
    used: usize,
    /// Number of those that have it in light, and in dark.
    used_in: [usize; 2],
    /// The narrowest scope to which a custom property of the root with this value belongs.
    root_token: Option<TokenScope>,
    /// The class of a rule that sets nothing else.
    class: Option<Box<str>>,
}

impl ValueStats {
    /// Returns the number of declarations with the value: a shorthand counts once, for its default value. A value that
    /// only occurs in another theme or in a variant counts the declarations that may have it; a colour that only occurs
    /// in shadows and gradients counts those.
    fn count(&self) -> usize {
        if self.declared > 0 { self.declared } else { self.alternative }
    }
}

/// Counts the values in declaration blocks. Equal declarations are evaluated once.
pub struct ValueCounter<'i> {
    variables: CustomProperties<'i>,
    entries: Vec<ValueStats>,
    ids: HashMap<TokenKind, HashMap<Box<str>, ValueId>>,
    literal: HashMap<usize, Rc<[Occurrence]>>,
    pending: HashMap<usize, PendingDeclaration>,
    none: Rc<[NameId]>,
    /// Design values by property and text without references.
    replaced: HashMap<Box<str>, HashMap<Arc<str>, Rc<[ResolvedValue]>>>,
    /// The block in which each longhand was last counted, first by physical, then by flow-relative property names: in
    /// the CSSOM these are two properties, whichever of them wins the cascade.
    counted: Vec<u32>,
    /// Longhands of the current block that count, with the place of their declaration.
    won: Vec<(usize, Longhand)>,
    block: u32,
    /// Number of the declaration that is counted, from 1.
    declaration: u32,
    /// Values of page-wide custom properties: by default, in light and in dark.
    defaults: BTreeMap<VariableKey, [Option<PageValue>; 3]>,
    /// The values of declarations on elements.
    on_elements: HashMap<(usize, ContextId, Option<Theme>), Rc<[Occurrence]>>,
    truncated: bool,
    /// True once the elements of the page are counted.
    knows_elements: bool,
}

/// A declaration block.
#[derive(Clone, Copy)]
struct Block<'b, 'i> {
    /// Identifies the block in [`ValueCounter::groups`].
    number: u32,
    theme: Option<Theme>,
    /// The custom properties that it sets.
    own: &'b [(&'i str, &'i str)],
    /// The contexts of its elements.
    contexts: &'b [ThemedContext],
}

/// A design value of a longhand after substitution.
struct ResolvedValue {
    longhand: Longhand,
    id: ValueId,
    kind: TokenKind,
    /// Text as written.
    original: Box<str>,
    /// The value in its own colour spaces.
    css: Box<str>,
    /// True for a colour in a shadow or gradient.
    is_part: bool,
    /// The theme it is for, if the value itself has one.
    theme: Option<Theme>,
}

/// The values of a declaration with `var()` whose rule sets none of the names.
struct PendingDeclaration {
    names: Rc<[NameId]>,
    occurrences: Rc<[Occurrence]>,
}

impl<'i> ValueCounter<'i> {
    /// Creates a counter without values.
    pub fn new(variables: CustomProperties<'i>) -> Self {
        Self {
            variables,
            entries: Vec::new(),
            ids: HashMap::new(),
            literal: HashMap::new(),
            pending: HashMap::new(),
            none: Rc::from([]),
            replaced: HashMap::new(),
            counted: vec![0; 2 * Longhand::ALL.len()],
            won: Vec::new(),
            block: 0,
            declaration: 0,
            defaults: BTreeMap::new(),
            on_elements: HashMap::new(),
            truncated: false,
            knows_elements: false,
        }
    }

    /// Counts a declaration block: for each longhand the declaration that wins in the block. `number` identifies the
    /// block in [`ValueCounter::groups`]; `contexts` are those of the elements that it applies to, if its values depend
    /// on them.
    pub(crate) fn add(
        &mut self,
        number: u32,
        theme: Option<Theme>,
        declarations: &[AuthoredDeclaration<'i>],
        contexts: &[ThemedContext],
    ) {
        self.block += 1;
        self.variables.begin_rule();
        let own: Vec<(&'i str, &'i str)> =
            declarations.iter().filter(|d| is_custom(d)).map(|d| (d.name, d.value)).collect();
        let block = Block { number, theme, own: &own, contexts };
        let mut won = std::mem::take(&mut self.won);
        won.clear();
        for important in [true, false] {
            for (at, declaration) in declarations.iter().enumerate().rev().filter(|(_, d)| d.important == important) {
                self.add_won_longhands(at, declaration, &mut won);
            }
        }
        // The first notation of a value is its original.
        won.sort_by_key(|(at, _)| *at);
        for of_declaration in won.chunk_by(|(at, _), (next, _)| at == next) {
            self.declaration(block, &declarations[of_declaration[0].0], of_declaration);
        }
        self.won = won;
    }

    /// Adds the longhands with design values that no later declaration of the block overrides.
    fn add_won_longhands(
        &mut self,
        at: usize,
        declaration: &AuthoredDeclaration<'i>,
        won: &mut Vec<(usize, Longhand)>,
    ) {
        let by_name = if is_flow_relative(declaration.name) { Longhand::ALL.len() } else { 0 };
        for declared in declaration.longhands().into_iter().flat_map(|longhands| longhands.iter().rev()) {
            let last = &mut self.counted[declared.longhand as usize + by_name];
            if std::mem::replace(last, self.block) != self.block && holds_design_values(declared.longhand) {
                won.push((at, declared.longhand));
            }
        }
    }

    /// Counts a declaration of the current block.
    fn declaration(&mut self, block: Block<'_, 'i>, declaration: &AuthoredDeclaration<'i>, won: &[(usize, Longhand)]) {
        let Some(longhands) = declaration.longhands() else { return };
        let is_pending = longhands.first().is_some_and(|declared| declared.value == DeclaredValue::Pending);
        let occurrences =
            if is_pending { self.pending(declaration, longhands, block) } else { self.literal(declaration, longhands) };
        self.declaration += 1;
        for occurrence in occurrences.iter() {
            if won.iter().any(|(_, longhand)| *longhand == occurrence.longhand) {
                self.count(occurrence, block.theme, block.number);
            }
        }
    }

    /// Counts an occurrence of the current declaration, which counts once for each value.
    fn count(&mut self, occurrence: &Occurrence, theme: Option<Theme>, number: u32) {
        let current = self.declaration;
        let entry = &mut self.entries[occurrence.value as usize];
        let is_declared = occurrence.provenance == Provenance::Declared;
        let is_new = std::mem::replace(&mut entry.counted_in[usize::from(!is_declared)], current) != current;
        let mut block = number;
        match occurrence.provenance {
            Provenance::Declared => entry.declared += usize::from(is_new),
            Provenance::OtherTheme | Provenance::Component => entry.alternative += usize::from(is_new),
            Provenance::Variant(rule) => {
                entry.alternative += usize::from(is_new);
                block = rule;
            }
            Provenance::PageWide => entry.alternative = entry.alternative.max(1),
        }
        if !entry.properties.contains(&occurrence.longhand) {
            entry.properties.push(occurrence.longhand);
        }
        if entry.blocks.len() < MAX_BLOCKS && entry.blocks.last() != Some(&block) {
            entry.blocks.push(block);
        }
        entry.themes[match theme.or(occurrence.theme) {
            None => 0,
            Some(Theme::Light) => 1,
            Some(Theme::Dark) => 2,
        }] = true;
        for id in occurrence.variables.iter() {
            match entry.variables.iter_mut().find(|known| known.id == *id) {
                Some(known) if known.counted_in == current => {}
                Some(known) => {
                    known.count += 1;
                    known.counted_in = current;
                }
                None => entry.variables.push(VariableCount { id: *id, count: 1, counted_in: current }),
            }
        }
    }

    /// Returns the values of a declaration without `var()`.
    fn literal(
        &mut self,
        declaration: &AuthoredDeclaration<'i>,
        longhands: &Arc<[ExpandedLonghand]>,
    ) -> Rc<[Occurrence]> {
        let address = longhands.as_ptr() as usize;
        if let Some(known) = self.literal.get(&address) {
            return known.clone();
        }
        let mut found: Vec<Occurrence> = Vec::new();
        // Sides usually have equal values.
        let mut last: Option<(&ExpandedLonghand, usize)> = None;
        for declared in longhands.iter().filter(|declared| holds_design_values(declared.longhand)) {
            let from = found.len();
            if let Some((_, start)) = last.filter(|(last, _)| covers_longhand(last, declared)) {
                found.extend_from_within(start..from);
                found[from..].iter_mut().for_each(|occurrence| occurrence.longhand = declared.longhand);
            } else {
                for value in design_values(longhands, declared, declaration.value) {
                    found.extend(self.occurrence(declared.longhand, &value));
                }
            }
            last = Some((declared, from));
        }
        let found: Rc<[Occurrence]> = found.into();
        self.literal.insert(address, found.clone());
        found
    }

    fn occurrence(&mut self, longhand: Longhand, value: &DesignValue) -> Option<Occurrence> {
        let id = self.intern(value)?;
        let provenance = provenance_of_part(value.is_part, Provenance::Declared);
        Some(Occurrence {
            longhand,
            value: id,
            theme: value.theme,
            variables: self.none.clone(),
            provenance,
            is_entire_value: false,
            is_certain: true,
        })
    }

    fn intern(&mut self, value: &DesignValue) -> Option<ValueId> {
        let of_kind = self.ids.entry(value.kind).or_default();
        if let Some(known) = of_kind.get(value.key.as_str()) {
            return Some(*known);
        }
        if self.entries.len() >= MAX_VALUES {
            self.truncated = true;
            return None;
        }
        let id = ValueId::try_from(self.entries.len()).ok()?;
        self.entries.push(ValueStats {
            kind: value.kind,
            key: value.key.as_str().into(),
            original: value.original.as_str().into(),
            css: value.css.as_deref().map(Box::from),
            declared: 0,
            alternative: 0,
            properties: Vec::new(),
            variables: Vec::new(),
            counted_in: [0; 2],
            themes: [false; 3],
            blocks: Vec::new(),
            used: 0,
            used_in: [0; 2],
            root_token: None,
            class: None,
        });
        of_kind.insert(value.key.as_str().into(), id);
        Some(id)
    }
}

/// Returns the design values of one of a declaration's longhands.
fn design_values(longhands: &[ExpandedLonghand], declared: &ExpandedLonghand, text: &str) -> Vec<DesignValue> {
    let DeclaredValue::Components(components) = &declared.value else { return Vec::new() };
    let mut found = values(declared.longhand, components);
    if is_implied_by_none(longhands, &found, text) {
        found.clear();
    }
    found
}

/// Returns true if two longhands contain the same design values.
fn covers_longhand(one: &ExpandedLonghand, other: &ExpandedLonghand) -> bool {
    hold_same_values(one.longhand, other.longhand) && one.value == other.value
}

/// Returns true if a colour is only implied: in `background: none` the colour `transparent` is just the initial value.
fn is_implied_by_none(longhands: &[ExpandedLonghand], found: &[DesignValue], text: &str) -> bool {
    let [only] = found else { return false };
    longhands.len() > 1 && only.original == "transparent" && !text.to_ascii_lowercase().contains("transparent")
}

/// Returns the provenance of a value, given that of its declaration.
fn provenance_of_part(is_part: bool, declaration: Provenance) -> Provenance {
    if is_part && declaration == Provenance::Declared { Provenance::Component } else { declaration }
}

fn opposite_theme(theme: Theme) -> Theme {
    if theme == Theme::Dark { Theme::Light } else { Theme::Dark }
}

/// Returns true for flow-relative property names (Logical Properties 1, section 4).
fn is_flow_relative(name: &str) -> bool {
    let is_old =
        name.starts_with("-webkit-") && ["-start", "-end", "-before", "-after"].iter().any(|end| name.ends_with(end));
    let bytes = name.as_bytes();
    let names_axis = |rest: &[u8]| rest.starts_with(b"-inline") || rest.starts_with(b"-block");
    is_old || (0..bytes.len()).any(|at| bytes[at] == b'-' && names_axis(&bytes[at..]))
}
