//! Writes the rules of an element as Tailwind v4 utilities: `padding: 16px` → `p-4`.
//!
//! [`styles`] returns the classes of every element of a component that was captured against
//! Tailwind's preflight. Rules are [normalized](prepare) and made independent of their order
//! ([`resolve`]); then each block becomes utilities: theme utilities where they exist, else
//! arbitrary values, else arbitrary properties.

mod arbitrary;
mod block;
mod color;
mod effects;
mod ems;
mod gradient;
mod keywords;
mod layout;
mod leading;
mod motion;
mod names;
mod order;
mod paint;
mod palette;
mod prepare;
mod resolve;
mod scale;
mod shadow;
mod share;
mod sides;
mod text;
mod theme;
mod transform;
mod utility;
mod value;
mod variant;

use crate::code::emit::family::Family;
use crate::code::model::{Component, ElementId, Emitted, PseudoElement};
use block::Facts;
use leading::Leading;
use names::Names;
use order::Sorted;
use prepare::{Guarded, prepare};
use shadow::Shadows;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use utility::Utility;
use variant::{Guard, Rank, Variants, WidthUnit};

/// The classes of all elements of a component.
#[derive(Debug, Default)]
pub(super) struct Styles {
    /// Indexed like [`Component::elements`]; each is in Tailwind's class order, separated by
    /// spaces.
    pub(super) classes: Vec<String>,
    /// Every class that is a utility, as opposed to a `group` or `peer` marker.
    utilities: HashMap<String, Facet>,
    /// Number of theme utilities, and of utilities with an arbitrary value or property.
    counts: (usize, usize),
}

/// Facts about a utility that outlive its conversion to a class.
#[derive(Debug)]
struct Facet {
    /// True for a utility of the theme, without an arbitrary value.
    is_named: bool,
    /// The properties that the utility declares.
    properties: Vec<Cow<'static, str>>,
}

impl Styles {
    /// Returns the number of theme utilities.
    pub(super) fn named(&self) -> usize {
        self.counts.0
    }

    /// Returns the number of utilities with an arbitrary value or property.
    pub(super) fn arbitrary(&self) -> usize {
        self.counts.1
    }
}

/// Facts about an element's text.
#[derive(Debug, Clone, Copy)]
struct Text<'a> {
    leading: &'a Leading,
    /// A descendant or generated text has a font size that differs from the element's.
    sizes_inside: bool,
    /// The font size in pixels, if it is the same under all conditions.
    size: Option<f64>,
}

/// Returns the classes of every element for outputs without loops: utilities that many equal
/// elements share are hoisted to an ancestor.
pub(super) fn shared_styles(component: &Component) -> Styles {
    let mut styles = styles(component);
    share::share(component, &mut styles);
    styles
}

/// Writes the output of a target with loops. Loops already factor out most repetition; hoisting
/// utilities as in [`shared_styles`] is used only if it makes the code at least a quarter shorter.
pub(super) fn looped(component: &Component, write: &dyn Fn(&Styles) -> Emitted) -> Emitted {
    let mut styles = styles(component);
    let own = write(&styles);
    if !share::share(component, &mut styles) {
        return own;
    }
    let shared = write(&styles);
    if shared.code.len() * 4 < own.code.len() * 3 { shared } else { own }
}

/// Returns the classes of every element.
fn styles(component: &Component) -> Styles {
    let family = Family::of(component);
    let names = Names::of(component, &family);
    let variants = Variants { names: &names, unit: WidthUnit::of(component), component, family: &family };
    let leadings = leading::of(component, &family);
    let sized = leading::sizes_inside(component, &family);
    let mut styles = Styles::default();
    for (at, size) in ems::of(component, &family).into_iter().enumerate() {
        let text = Text { leading: &leadings[at], sizes_inside: sized[at], size };
        let class = styles.element(component, ElementId(at), &variants, text);
        styles.classes.push(class);
    }
    styles
}

impl Styles {
    /// Returns the classes of one element and records its utilities.
    fn element(&mut self, component: &Component, id: ElementId, variants: &Variants<'_>, text: Text<'_>) -> String {
        let element = &component.elements[id.0];
        let mut pseudos: Vec<Option<PseudoElement>> = element.rules.iter().map(|rule| rule.pseudo).collect();
        pseudos.sort_unstable();
        pseudos.dedup();
        let mut sorted = Vec::new();
        for pseudo in pseudos {
            let em = ems::of_pseudo(element, pseudo, text.size);
            let mut rules = prepare(&element.rules, pseudo, em);
            // The `transform` attribute is a presentation attribute that the `transform` property
            // overrides; next to `translate`, `rotate` and `scale` it would still apply.
            if pseudo.is_some() || element.attribute("transform").is_none() {
                transform::take_apart(&mut rules);
            }
            let blocks = blocks(&rules, &|guard| {
                variants.of(id, guard, pseudo).map(|variants| Rank::of(&variants)).unwrap_or_default()
            });
            let facts = facts(&blocks, pseudo, component, id, text);
            for (guard, declarations) in &blocks {
                let Some(prefix) = variants.of(id, guard, pseudo) else { continue };
                let rank = Rank::of(&prefix);
                let prefix: String = prefix.iter().flat_map(|variant| [variant.name.as_str(), ":"]).collect();
                let facts = Facts { unconditional: guard.is_open(), ..facts.clone() };
                let declarations = declarations.iter().map(|(property, value)| (property.as_str(), value.as_str()));
                for utility in block::utilities(declarations, &facts) {
                    let class = format!("{prefix}{}", utility::canonical(&utility.class));
                    sorted.push(Sorted::new(class.clone(), rank.clone(), &utility));
                    self.count(class, utility);
                }
            }
        }
        sorted.sort_by(Sorted::compare);
        let mut classes = variants.names.markers(id);
        classes.extend(sorted.into_iter().map(|sorted| sorted.class));
        classes.join(" ")
    }

    fn count(&mut self, class: String, utility: Utility) {
        let is_named = utility.is_named();
        *(if is_named { &mut self.counts.0 } else { &mut self.counts.1 }) += 1;
        self.utilities.entry(class).or_insert(Facet { is_named, properties: utility.properties });
    }
}

/// Groups declarations by guard. The order of the blocks does not matter.
fn blocks(rules: &[Guarded], rank: &dyn Fn(&Guard) -> Rank) -> Vec<Guarded> {
    let mut by_property: BTreeMap<&str, Vec<resolve::Entry>> = BTreeMap::new();
    for (guard, declarations) in rules {
        for (property, value) in declarations {
            by_property.entry(property).or_default().push((guard.clone(), value.clone()));
        }
    }
    let mut blocks: BTreeMap<Guard, BTreeMap<String, String>> = BTreeMap::new();
    for (property, entries) in by_property {
        for (guard, value) in resolve::settle(&entries, rank) {
            blocks.entry(guard).or_default().insert(property.to_owned(), value);
        }
    }
    blocks.into_iter().collect()
}

fn facts(
    blocks: &[Guarded],
    pseudo: Option<PseudoElement>,
    component: &Component,
    id: ElementId,
    text: Text<'_>,
) -> Facts {
    let all = |property: &'static str| blocks.iter().filter_map(move |(_, declarations)| declarations.get(property));
    let says_size_alone = |(_, declarations): &Guarded| {
        declarations.contains_key("font-size") && !declarations.contains_key("line-height")
    };
    let stated = blocks.iter().filter(|(guard, _)| guard.is_open());
    let leading = stated.filter_map(|(_, declarations)| declarations.get("line-height")).next();
    let (has_leading, takes_leading) = (leading.is_some(), leading.is_some_and(|leading| scale::is_css_wide(leading)));
    const STYLES: [&str; 4] = ["border-top-style", "border-right-style", "border-bottom-style", "border-left-style"];
    let leading = if pseudo.is_some() { &text.leading.own } else { &text.leading.inherited };
    let generated = matches!(pseudo, Some(PseudoElement::Before | PseudoElement::After));
    Facts {
        unconditional: true,
        has_children: pseudo.is_none()
            && component.elements[id.0]
                .children
                .iter()
                .any(|child| matches!(child, crate::code::model::Child::Element(_))),
        preserves_space: component.elements[id.0].preserves_space,
        splits_leading: all("line-height").next().is_some() && blocks.iter().any(says_size_alone),
        has_leading,
        takes_leading,
        inherited_leading: leading.clone().filter(|_| all("line-height").next().is_none()),
        sizes_inside: pseudo.is_none() && text.sizes_inside,
        filters_alike: ["filter", "backdrop-filter"].iter().all(|property| value::are_alike(all(property))),
        turns_alike: value::are_alike(all("transform")),
        has_usual_times: all("transition-duration").all(|value| motion::is_usual_time(value)),
        has_usual_easing: all("transition-timing-function").all(|value| motion::is_usual_easing(value)),
        moves: [0, 1].map(|axis| all("translate").any(|value| transform::axes(value)[axis])),
        has_one_image: all("background-image").filter(|value| *value != "none").count() <= 1,
        leads_by_size: text::leads_by_size(blocks),
        says_shrink: all("flex-shrink").next().is_some(),
        shadows: Shadows::of(blocks),
        styles_borders: STYLES.iter().flat_map(|property| all(property)).any(|style| style != "solid"),
        hides_outline: all("outline-style").any(|style| style == "none"),
        only_hides_outline: paint::only_hides_outline(blocks),
        draws_borders: sides::drawn(blocks, pseudo.is_none() && component.elements[id.0].tag == "hr"),
        says_outline_width: all("outline-width").next().is_some(),
        implies_content: generated && all("content").all(|value| matches!(value.as_str(), "\"\"" | "''")),
    }
}
