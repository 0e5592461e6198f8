//! Writes conditions, states and pseudo-elements as variants, and ranks classes as Tailwind does.

use super::arbitrary::arbitrary;
use super::group_peer::GroupPeerNames;
use super::parse_value::{plain, px};
use super::theme::{BREAKPOINTS, CONTAINERS, step};
use limner_component_model::element_relations::ElementRelations;
use limner_component_model::model::{
    Component, Condition, ElementId, InteractionState, PseudoElement, SiblingSide, StateCondition, StateSourceListId,
    StateTarget,
};

/// The condition and states under which a declaration applies.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Guard {
    pub(super) condition: Condition,
    /// All of these must hold.
    pub(super) states: Vec<StateCondition>,
}

impl Guard {
    /// Returns true if the guard always holds.
    pub(super) fn is_open(&self) -> bool {
        *self == Self::default()
    }
}

/// A prefix of a utility, with its position in Tailwind's order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Variant {
    /// Without the colon.
    pub(super) name: String,
    order: VariantOrder,
    /// Number of pseudo-classes that the variant adds to the selector.
    specificity: u32,
}

/// Registration order of the variant, then values that order two variants of the same kind.
type VariantOrder = (u16, i64, String);

/// The precedence of a utility of a property: specificity, then Tailwind's order of variants.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Rank {
    specificity: u32,
    /// Latest first: Tailwind compares the latest variants of two classes before the others.
    variant_orders: Vec<VariantOrder>,
}

impl Rank {
    pub(super) fn from_variants(variants: &[Variant]) -> Self {
        let mut variant_orders: Vec<VariantOrder> = variants.iter().map(|variant| variant.order.clone()).collect();
        variant_orders.sort_unstable_by(|a, b| b.cmp(a));
        variant_orders.dedup();
        Self { specificity: variants.iter().map(|variant| variant.specificity).sum(), variant_orders }
    }

    /// Returns the position of the class in Tailwind's order.
    pub(super) fn order_key(&self) -> &[VariantOrder] {
        &self.variant_orders
    }
}

/// The unit of widths without a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WidthUnit {
    Px,
    /// Used beside named breakpoints, which are in `rem`: Tailwind sorts `px` and `rem` separately.
    Rem,
}

impl WidthUnit {
    /// Returns the unit for a component: pixels, unless it also uses named breakpoints.
    pub(super) fn for_component(component: &Component) -> Self {
        let widths = component
            .elements
            .iter()
            .flat_map(|element| &element.rules)
            .flat_map(|rule| [rule.condition.min_width, rule.condition.max_width_exclusive])
            .flatten();
        if widths.into_iter().any(|width| step(BREAKPOINTS, f64::from(width)).is_some()) { Self::Rem } else { Self::Px }
    }

    fn write(self, width: u32) -> (String, i64) {
        match self {
            Self::Px => (format!("[{width}px]"), i64::from(width)),
            // Tailwind compares only the integer part.
            Self::Rem => (format!("[{}rem]", plain(f64::from(width) / 16.0)), i64::from(width / 16)),
        }
    }
}

/// Everything needed to name variants.
#[derive(Debug)]
pub(super) struct Variants<'a> {
    pub(super) names: &'a GroupPeerNames,
    pub(super) unit: WidthUnit,
    pub(super) component: &'a Component,
    pub(super) family: &'a ElementRelations,
}

const NOT: u16 = 0;
const GROUP: u16 = 1;
const PEER: u16 = 2;
const HAS: u16 = 40;
const SUPPORTS: u16 = 50;
const MOTION_REDUCE: u16 = 52;
const MAX: u16 = 60;
const MIN: u16 = 61;
const CONTAINER_MAX: u16 = 62;
const CONTAINER_MIN: u16 = 63;
const DARK: u16 = 75;
const STARTING: u16 = 76;
const ARBITRARY: u16 = 1000;

/// Media features that have a variant.
const MEDIA: &[(&str, &str, u16)] = &[
    ("(prefers-contrast:more)", "contrast-more", 53),
    ("(prefers-contrast:less)", "contrast-less", 54),
    ("(prefers-reduced-motion:no-preference)", "motion-safe", 51),
    ("(orientation:portrait)", "portrait", 70),
    ("(orientation:landscape)", "landscape", 71),
    ("print", "print", 77),
    ("(forced-colors:active)", "forced-colors", 78),
    ("(inverted-colors:inverted)", "inverted-colors", 79),
    ("(pointer:none)", "pointer-none", 80),
    ("(pointer:coarse)", "pointer-coarse", 81),
    ("(pointer:fine)", "pointer-fine", 82),
    ("(any-pointer:none)", "any-pointer-none", 83),
    ("(any-pointer:coarse)", "any-pointer-coarse", 84),
    ("(any-pointer:fine)", "any-pointer-fine", 85),
    ("(scripting:none)", "noscript", 86),
];

impl Variants<'_> {
    /// Returns the variants for a guard of an element, outermost first. `None` if a condition has
    /// no variant.
    pub(super) fn for_guard(
        &self,
        owner: ElementId,
        guard: &Guard,
        pseudo: Option<PseudoElement>,
    ) -> Option<Vec<Variant>> {
        let condition = &guard.condition;
        let mut variants = Vec::new();
        if condition.dark {
            variants.push(plain_variant("dark", DARK));
        }
        for rule in &condition.at_rules {
            variants.push(at_rule(rule)?);
        }
        if condition.reduced_motion {
            variants.push(plain_variant("motion-reduce", MOTION_REDUCE));
        }
        variants.extend(condition.min_width.map(|width| self.width(width, "min-", MIN, 1)));
        variants.extend(condition.max_width_exclusive.map(|width| self.width(width, "max-", MAX, -1)));
        for state in &guard.states {
            match self.compound_variant(owner, state) {
                Some(variant) => variants.push(variant),
                None => {
                    variants.extend(state.all_of.iter().map(|action| self.state_variant(owner, state.target, *action)))
                }
            }
        }
        variants.extend(pseudo.map(pseudo_element));
        Some(variants)
    }

    fn width(&self, width: u32, prefix: &str, place: u16, sign: i64) -> Variant {
        let (suffix, order) = match step(BREAKPOINTS, f64::from(width)) {
            Some(step) => (step.to_owned(), i64::from(width / 16)),
            None => self.unit.write(width),
        };
        let is_named_min = sign > 0 && !suffix.starts_with('[');
        let name = if is_named_min { suffix } else { format!("{prefix}{suffix}") };
        Variant { name, order: (place, sign * order, String::new()), specificity: 0 }
    }

    /// Writes several states of one member of a list as a single variant: separate variants could
    /// match two different members.
    fn compound_variant(&self, owner: ElementId, state: &StateCondition) -> Option<Variant> {
        let (StateTarget::Sibling(_, list) | StateTarget::Descendant(list) | StateTarget::Within(_, list)) =
            state.target
        else {
            return None;
        };
        if state.all_of.len() < 2 || self.component.state_sources[list.0].len() < 2 {
            return None;
        }
        let words: String = state.all_of.iter().map(|action| action.selector()).collect();
        self.list_variant(owner, state.target, &words)
    }

    /// Returns the variant of a state of the element itself (`hover`), of an ancestor (`group-hover`), of a sibling
    /// (`peer-hover`), or of any of a list.
    fn state_variant(&self, owner: ElementId, target: StateTarget, action: InteractionState) -> Variant {
        let name = action.name();
        let place = state_order(action);
        let labelled = |kind: &str, at: u16, label: Option<&str>| Variant {
            name: label.map_or_else(|| format!("{kind}-{name}"), |label| format!("{kind}-{name}/{label}")),
            order: (at, i64::from(place), label.unwrap_or_default().to_owned()),
            specificity: 1,
        };
        let own = || Variant { name: name.to_owned(), order: (place, 0, String::new()), specificity: 1 };
        match target {
            StateTarget::Ancestor(id) => labelled("group", GROUP, self.names.group(id)),
            StateTarget::Sibling(side, list) if self.matches_peer(owner, side, list) => {
                labelled("peer", PEER, self.names.peer(list))
            }
            of => self.list_variant(owner, of, action.selector()).unwrap_or_else(own),
        }
    }

    /// Returns true if `peer-*` matches the members of a list: all earlier siblings of the element
    /// itself, or the only one.
    fn matches_peer(&self, owner: ElementId, side: SiblingSide, list: StateSourceListId) -> bool {
        let is_all = side == SiblingSide::Before
            || side == SiblingSide::JustBefore && self.component.state_sources[list.0].len() == 1;
        is_all && self.family.preceding_siblings(list, owner).is_none()
    }

    /// Returns the variant for the states, given as selectors, of a member of a list; `None` if the
    /// target is no list.
    fn list_variant(&self, owner: ElementId, of: StateTarget, words: &str) -> Option<Variant> {
        Some(match of {
            StateTarget::SelfElement | StateTarget::Ancestor(_) => return None,
            StateTarget::Sibling(side, list) => {
                let beside = self.family.preceding_siblings(list, owner);
                let sign = match side {
                    SiblingSide::JustBefore if self.component.state_sources[list.0].len() > 1 => "+",
                    SiblingSide::Before | SiblingSide::JustBefore | SiblingSide::After => "~",
                    SiblingSide::JustAfter => "+",
                };
                match (side, beside) {
                    (SiblingSide::Before | SiblingSide::JustBefore, None) => self.follower(list, words, sign),
                    // For elements inside a later sibling of the members; `peer-*` is about the
                    // sibling itself.
                    (SiblingSide::Before | SiblingSide::JustBefore, Some(_)) => {
                        self.follower(list, words, &format!("{sign}*_"))
                    }
                    (SiblingSide::After | SiblingSide::JustAfter, beside) => {
                        self.has_variant(beside, &format!("{sign}{}", self.marked(list)), words)
                    }
                }
            }
            StateTarget::Within(around, list) => self.has_variant(Some(around), &self.marked(list), words),
            // The tag, if it matches exactly the members, else their marker.
            StateTarget::Descendant(list) => match self.names.tag(owner, list) {
                Some(tag) => self.has_variant(None, tag, words),
                None => self.has_variant(None, &self.marked(list), words),
            },
        })
    }

    /// Returns the marker class of a list as a selector between brackets.
    fn marked(&self, list: StateSourceListId) -> String {
        let label = self.names.peer(list).map(|label| format!("\\/{}", label.replace('_', "\\_")));
        format!(".peer{}", label.unwrap_or_default())
    }

    /// Returns a variant for elements after a member of a list. Its specificity equals that of
    /// named variants.
    fn follower(&self, list: StateSourceListId, words: &str, sign: &str) -> Variant {
        let name = format!("[:where({}){words}{sign}&]", self.marked(list));
        Variant { order: (ARBITRARY, 0, name.clone()), name, specificity: 1 }
    }

    /// Returns a variant for an element that has a member inside or after it, or that is inside
    /// `group`, which has one.
    fn has_variant(&self, group: Option<ElementId>, whose: &str, words: &str) -> Variant {
        let has = format!("has-[{whose}{words}]");
        let Some(group) = group else {
            return Variant { order: (HAS, 0, has.clone()), name: has, specificity: 2 };
        };
        let label = self.names.group(group).map(|label| format!("/{label}")).unwrap_or_default();
        let name = format!("group-{has}{label}");
        Variant { order: (GROUP, i64::from(HAS), name.clone()), name, specificity: 2 }
    }
}

fn plain_variant(name: &str, place: u16) -> Variant {
    Variant { name: name.to_owned(), order: (place, 0, String::new()), specificity: 0 }
}

fn state_order(action: InteractionState) -> u16 {
    match action {
        InteractionState::Unchecked | InteractionState::Closed | InteractionState::Filled => NOT,
        InteractionState::Open | InteractionState::PopoverOpen => 21,
        InteractionState::Checked => 22,
        InteractionState::PlaceholderShown => 24,
        InteractionState::Valid => 28,
        InteractionState::Invalid => 29,
        InteractionState::UserValid => 30,
        InteractionState::UserInvalid => 31,
        InteractionState::FocusWithin => 32,
        InteractionState::Hover => 33,
        InteractionState::Focus => 34,
        InteractionState::FocusVisible => 35,
        InteractionState::Active => 36,
        InteractionState::Enabled => 37,
        InteractionState::Disabled => 38,
    }
}

fn pseudo_element(pseudo: PseudoElement) -> Variant {
    let (name, place) = match pseudo {
        PseudoElement::FirstLetter => ("first-letter", 3),
        PseudoElement::FirstLine => ("first-line", 4),
        PseudoElement::Marker => ("marker", 5),
        PseudoElement::Selection => ("selection", 6),
        PseudoElement::FileSelectorButton => ("file", 7),
        PseudoElement::Placeholder => ("placeholder", 8),
        PseudoElement::Backdrop => ("backdrop", 9),
        PseudoElement::Part("details-content") => ("details-content", 10),
        PseudoElement::Before => ("before", 11),
        PseudoElement::After => ("after", 12),
        PseudoElement::Part(name) => {
            let name = format!("[&::{name}]");
            return Variant { order: (ARBITRARY, 0, name.clone()), name, specificity: 0 };
        }
    };
    plain_variant(name, place)
}

/// Writes an at-rule as a variant: a named one, or the whole rule in brackets.
fn at_rule(rule: &str) -> Option<Variant> {
    let rule = rule.trim();
    let (name, prelude) = rule.split_once([' ', '(']).map_or((rule, ""), |(name, _)| (name, rule[name.len()..].trim()));
    let compact: String = prelude.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
    match name {
        "@media" => {
            if let Some((_, name, place)) = MEDIA.iter().find(|(query, ..)| *query == compact) {
                return Some(plain_variant(name, *place));
            }
        }
        "@starting-style" => return Some(plain_variant("starting", STARTING)),
        "@container" => {
            if let Some(variant) = container(prelude) {
                return Some(variant);
            }
        }
        "@supports" => {
            // A single declaration is written without its parentheses.
            let single = prelude.strip_prefix('(').and_then(|inner| inner.strip_suffix(')'));
            let inner = single.filter(|inner| !inner.contains(['(', ')'])).unwrap_or(prelude);
            let text = prelude_text(inner)?;
            let name = format!("supports-[{text}]");
            return Some(Variant { order: (SUPPORTS, 0, name.clone()), name, specificity: 0 });
        }
        _ => {}
    }
    let text = prelude_text(prelude)?;
    let gap = if text.starts_with('(') { "" } else { "_" };
    let name = format!("[{name}{gap}{text}]");
    Some(Variant { order: (ARBITRARY, 0, name.clone()), name, specificity: 0 })
}

/// Writes a prelude between brackets. The comparison signs of the range syntax are not part of a
/// value.
fn prelude_text(prelude: &str) -> Option<String> {
    if let Some(text) = arbitrary(prelude) {
        return Some(text);
    }
    let usual = |c: char| c.is_ascii_alphanumeric() || " ():<>=.,-/%".contains(c);
    let words: Vec<&str> = prelude.split_whitespace().collect();
    (prelude.chars().all(usual) && !words.is_empty()).then(|| words.join("_"))
}

/// Writes `@md:`, `@max-[30rem]/card:`.
fn container(prelude: &str) -> Option<Variant> {
    let open = prelude.find('(')?;
    let name = prelude[..open].trim();
    let feature: String = prelude[open..].chars().filter(|c| !c.is_whitespace()).collect();
    let feature = feature.strip_prefix('(')?.strip_suffix(')')?;
    let (is_min, width) = match feature.split_once(':') {
        Some(("min-width", width)) => (true, width),
        Some(_) => return None,
        None => match feature.strip_prefix("width>=") {
            Some(width) => (true, width),
            None => (false, feature.strip_prefix("width<").filter(|width| !width.starts_with('='))?),
        },
    };
    let length = px(width)?;
    let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') && !matches!(name, "not" | "and" | "or");
    if !is_word {
        return None;
    }
    let suffix = match step(CONTAINERS, length) {
        Some(step) => step.to_owned(),
        None => format!("[{width}]"),
    };
    let label = if name.is_empty() { String::new() } else { format!("/{name}") };
    let prefix = match (is_min, suffix.starts_with('[')) {
        (true, true) => "@min-",
        (true, false) => "@",
        (false, _) => "@max-",
    };
    let (place, order) = if is_min { (CONTAINER_MIN, length as i64) } else { (CONTAINER_MAX, -(length as i64)) };
    Some(Variant { name: format!("{prefix}{suffix}{label}"), order: (place, order, name.to_owned()), specificity: 0 })
}
