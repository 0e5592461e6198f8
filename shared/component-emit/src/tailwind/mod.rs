//! Writes the rules of an element as Tailwind v4 utilities: `padding: 16px` → `p-4`.
//!
//! [`styles`] returns the classes of every element of a component that was captured against
//! Tailwind's preflight. Rules are [normalized](prepare) and made independent of their order
//! ([`variant_resolution`]); then each block becomes utilities: theme utilities where they exist, else
//! arbitrary values, else arbitrary properties.

mod arbitrary;
mod backgrounds;
mod box_sides;
mod class_order;
mod color;
mod declaration_block;
mod em_resolution;
mod equal_columns;
mod filters;
mod font_stack;
mod gradient;
mod group_peer;
mod hoist_utilities;
mod inline_variables;
mod keywords;
mod layout;
mod line_height;
mod near_breakpoints;
mod normalize;
mod palette;
mod parse_value;
mod property_groups;
mod redundant_values;
mod repeated_values;
mod scale;
pub(crate) mod shadow;
mod theme;
mod theme_animations;
mod transform;
mod transitions;
mod typography;
mod utility;
mod variant;
mod variant_resolution;
mod writing_mode;

use crate::at_rules;
use class_order::SortableClass;
use declaration_block::ElementFacts;
use group_peer::GroupPeerNames;
use limner_component_model::element_relations::ElementRelations;
use limner_component_model::model::{Component, ElementId, Emitted, PseudoElement};
use line_height::Leading;
use normalize::{GuardedDeclarations, prepare};
use shadow::Shadows;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use utility::Utility;
use variant::{Guard, Rank, Variants, WidthUnit};

/// The classes of all elements of a component.
#[derive(Debug, Default)]
pub(super) struct Styles {
    /// Indexed like [`Component::elements`]; each is in Tailwind's class order, separated by
    /// spaces.
    pub(super) classes: Vec<String>,
    /// Every class that is a utility, as opposed to a `group` or `peer` marker.
    utilities: HashMap<String, UtilityInfo>,
    /// Number of theme utilities, and of utilities with an arbitrary value or property.
    counts: (usize, usize),
    /// Number of declarations that no utility expresses.
    dropped: usize,
}

/// Facts about a utility that outlive its conversion to a class.
#[derive(Debug)]
struct UtilityInfo {
    /// True for a utility of the theme, without an arbitrary value.
    is_named: bool,
    /// The properties that the utility declares.
    properties: Vec<Cow<'static, str>>,
}

impl Styles {
    /// Returns the result of a component whose code has these styles.
    pub(super) fn emitted(&self, component: &Component, code: String, repeated_groups: usize) -> Emitted {
        let (mapped_to_tailwind, arbitrary) = self.counts;
        Emitted {
            code,
            css: at_rules::keyframes(component, &|keyframes| {
                theme_animations::is_in_theme(keyframes, self.utilities.keys().map(String::as_str))
            }),
            mapped_to_tailwind,
            arbitrary,
            dropped: self.dropped,
            repeated_groups,
            setup_hint: None,
        }
    }
}

/// Facts about an element's text.
#[derive(Debug, Clone, Copy)]
struct TextInfo<'a> {
    leading: &'a Leading,
    /// A descendant or generated text has a font size that differs from the element's.
    has_font_size_changes: bool,
    /// The font size in pixels, if it is the same under all conditions.
    size: Option<f64>,
    /// Lines may be vertical.
    is_vertical: bool,
    /// The contents fit into a narrow column.
    contents_fit: bool,
}

/// Writes the output of a target without loops.
pub(super) fn emit_written_out(component: &Component, write: &dyn Fn(&Styles) -> Emitted) -> Emitted {
    emit_shorter(component, inline_variables::Repetition::Written, write)
}

/// Writes the output of a target with loops.
pub(super) fn emit_with_loops(component: &Component, write: &dyn Fn(&Styles) -> Emitted) -> Emitted {
    emit_shorter(component, inline_variables::Repetition::Looped, write)
}

/// Writes the output with the classes of each element on it: there readers look for them. Utilities that many equal
/// elements share are hoisted to an ancestor only if it makes the code at least a quarter shorter.
fn emit_shorter(
    component: &Component,
    repetition: inline_variables::Repetition,
    write: &dyn Fn(&Styles) -> Emitted,
) -> Emitted {
    let mut styles = styles(component, repetition);
    let own = write(&styles);
    if !hoist_utilities::share(component, &mut styles) {
        return own;
    }
    let shared = write(&styles);
    if shared.code.len() * 4 < own.code.len() * 3 { shared } else { own }
}

/// Returns the classes of every element for outputs of several files, where no ancestor may have them for others.
pub(super) fn unshared_styles(component: &Component) -> Styles {
    styles(component, inline_variables::Repetition::Looped)
}

/// Returns the classes of every element.
fn styles(component: &Component, repetition: inline_variables::Repetition) -> Styles {
    let inlined = inline_variables::inline_variables(component, repetition);
    let component = &*near_breakpoints::move_to_breakpoints(repeated_values::name_repeated_values(inlined, repetition));
    let family = ElementRelations::from_component(component);
    let names = GroupPeerNames::from_component(component, &family);
    let variants = Variants { names: &names, unit: WidthUnit::for_component(component), component, family: &family };
    let leadings = line_height::line_heights(component, &family);
    let sized = line_height::has_font_size_changes(component, &family);
    let vertical = writing_mode::vertical_elements(component, &family);
    let fits = equal_columns::contents_fit(component, &family);
    let mut styles = Styles::default();
    for (at, size) in em_resolution::font_sizes(component, &family).into_iter().enumerate() {
        let is_vertical = vertical[at];
        let (leading, has_font_size_changes, contents_fit) = (&leadings[at], sized[at], fits[at]);
        let text = TextInfo { leading, has_font_size_changes, size, is_vertical, contents_fit };
        let class = styles.element(component, ElementId(at), &variants, text);
        styles.classes.push(class);
    }
    styles
}

impl Styles {
    /// Returns the classes of one element and records its utilities.
    fn element(&mut self, component: &Component, id: ElementId, variants: &Variants<'_>, text: TextInfo<'_>) -> String {
        let element = &component.elements[id.0];
        let mut pseudos: Vec<Option<PseudoElement>> = element.rules.iter().map(|rule| rule.pseudo).collect();
        pseudos.sort_unstable();
        pseudos.dedup();
        let mut sorted = Vec::new();
        for pseudo in pseudos {
            let em = em_resolution::pseudo_font_size(element, pseudo, text.size);
            let mut rules = prepare(&element.rules, pseudo, em);
            redundant_values::drop_redundant(&mut rules, component, id, pseudo);
            // The `transform` attribute is a presentation attribute that the `transform` property
            // overrides; next to `translate`, `rotate` and `scale` it would still apply.
            if pseudo.is_some() || element.attribute("transform").is_none() {
                transform::split_transform(&mut rules);
            }
            let blocks = blocks(&rules, &|guard| {
                variants.for_guard(id, guard, pseudo).map(|variants| Rank::from_variants(&variants)).unwrap_or_default()
            });
            let facts = facts(&blocks, pseudo, component, id, text);
            for (guard, declarations) in &blocks {
                let Some(prefix) = variants.for_guard(id, guard, pseudo) else {
                    self.dropped += declarations.len();
                    continue;
                };
                let rank = Rank::from_variants(&prefix);
                let prefix: String = prefix.iter().flat_map(|variant| [variant.name.as_str(), ":"]).collect();
                let facts = ElementFacts { unconditional: guard.is_open(), ..facts.clone() };
                let declarations = declarations.iter().map(|(property, value)| (property.as_str(), value.as_str()));
                let (utilities, dropped) = property_groups::utilities(declarations, &facts);
                self.dropped += dropped;
                for utility in utilities {
                    let class = format!("{prefix}{}", utility::canonical(&utility.class));
                    sorted.push(SortableClass::new(class.clone(), rank.clone(), &utility));
                    self.count(class, utility);
                }
            }
        }
        sorted.sort_by(SortableClass::compare);
        let mut classes = variants.names.markers(id);
        classes.extend(sorted.into_iter().map(|sorted| sorted.class));
        classes.join(" ")
    }

    fn count(&mut self, class: String, utility: Utility) {
        let is_named = utility.is_theme_utility();
        *(if is_named { &mut self.counts.0 } else { &mut self.counts.1 }) += 1;
        self.utilities.entry(class).or_insert(UtilityInfo { is_named, properties: utility.properties });
    }
}

/// Groups declarations by guard. The order of the blocks does not matter.
fn blocks(rules: &[GuardedDeclarations], rank: &dyn Fn(&Guard) -> Rank) -> Vec<GuardedDeclarations> {
    let mut by_property: BTreeMap<&str, Vec<variant_resolution::Entry>> = BTreeMap::new();
    for (guard, declarations) in rules {
        for (property, value) in declarations {
            by_property.entry(property).or_default().push((guard.clone(), value.clone()));
        }
    }
    let mut blocks: BTreeMap<Guard, BTreeMap<String, String>> = BTreeMap::new();
    for (property, entries) in by_property {
        for (guard, value) in variant_resolution::order_entries(&entries, rank) {
            blocks.entry(guard).or_default().insert(property.to_owned(), value);
        }
    }
    blocks.into_iter().collect()
}

/// Returns the properties that states or the theme change.
fn changing_properties(blocks: &[GuardedDeclarations]) -> Rc<[String]> {
    // Only lists of animated properties ask for them.
    if !blocks.iter().any(|(_, own)| own.contains_key("transition-property")) {
        return Rc::default();
    }
    let changes = |guard: &Guard| !guard.states.is_empty() || guard.condition.dark;
    let changing: BTreeSet<&String> =
        blocks.iter().filter(|(guard, _)| changes(guard)).flat_map(|(_, own)| own.keys()).collect();
    changing.into_iter().filter(|property| !property.starts_with("transition-")).cloned().collect()
}

fn facts(
    blocks: &[GuardedDeclarations],
    pseudo: Option<PseudoElement>,
    component: &Component,
    id: ElementId,
    text: TextInfo<'_>,
) -> ElementFacts {
    let all = |property: &'static str| blocks.iter().filter_map(move |(_, declarations)| declarations.get(property));
    let says_size_alone = |(_, declarations): &GuardedDeclarations| {
        declarations.contains_key("font-size") && !declarations.contains_key("line-height")
    };
    let stated = blocks.iter().filter(|(guard, _)| guard.is_open());
    let leading = stated.filter_map(|(_, declarations)| declarations.get("line-height")).next();
    let (has_leading, takes_leading) = (leading.is_some(), leading.is_some_and(|leading| scale::is_css_wide(leading)));
    const STYLES: [&str; 4] = ["border-top-style", "border-right-style", "border-bottom-style", "border-left-style"];
    let leading = if pseudo.is_some() { &text.leading.line_height } else { &text.leading.inherited };
    let generated = matches!(pseudo, Some(PseudoElement::Before | PseudoElement::After));
    ElementFacts {
        unconditional: true,
        has_children: pseudo.is_none()
            && component.elements[id.0]
                .children
                .iter()
                .any(|child| matches!(child, limner_component_model::model::Child::Element(_))),
        preserves_whitespace: component.elements[id.0].preserves_whitespace,
        splits_leading: all("line-height").next().is_some() && blocks.iter().any(says_size_alone),
        has_leading,
        takes_leading,
        inherited_leading: leading.clone().filter(|_| all("line-height").next().is_none()),
        has_font_size_changes: pseudo.is_none() && text.has_font_size_changes,
        contents_fit: pseudo.is_none() && text.contents_fit,
        has_uniform_filters: ["filter", "backdrop-filter"]
            .iter()
            .all(|property| parse_value::have_same_functions(all(property))),
        has_uniform_transforms: parse_value::have_same_functions(all("transform")),
        changing: changing_properties(blocks),
        has_usual_times: all("transition-duration").all(|value| transitions::is_default_duration(value)),
        has_usual_easing: all("transition-timing-function").all(|value| transitions::is_default_easing(value)),
        moves: [0, 1].map(|axis| all("translate").any(|value| transform::axes(value)[axis])),
        has_one_image: all("background-image").filter(|value| *value != "none").count() <= 1,
        uses_size_line_heights: typography::uses_size_line_heights(blocks),
        says_shrink: all("flex-shrink").next().is_some(),
        shadows: Shadows::from_blocks(blocks),
        styles_borders: STYLES.iter().flat_map(|property| all(property)).any(|style| style != "solid"),
        hides_outline: all("outline-style").any(|style| style == "none"),
        only_hides_outline: backgrounds::outlines_are_only_hidden(blocks),
        draws_borders: box_sides::drawn_borders(blocks, pseudo.is_none() && component.elements[id.0].tag == "hr"),
        says_outline_width: all("outline-width").next().is_some(),
        is_vertical: text.is_vertical || all("writing-mode").any(|mode| writing_mode::is_vertical(mode)),
        is_square: box_sides::is_square(blocks, &component.elements[id.0], pseudo),
        implies_content: generated && all("content").all(|value| matches!(value.as_str(), "\"\"" | "''")),
    }
}
