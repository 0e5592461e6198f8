//! Writes shadows: theme shadows, rings, and arbitrary ones.
//!
//! Tailwind keeps a ring, an inset ring and a shadow of a box in separate custom properties and
//! draws them together. One that a block sets carries over to other blocks, so all blocks have to
//! be known.

use super::arbitrary::arbitrary;
use super::color::{opacity, suffix as color_suffix};
use super::declaration_block::DeclarationBlock;
use super::normalize::GuardedDeclarations;
use super::parse_value::{plain, px, split_commas, split_spaces};
use super::scale::is_css_wide;
use super::theme::{INSET_SHADOWS, OLDER_SHADOWS, SHADOWS, text_step};
use limner_css_values::color::{self, Scheme};

/// Facts about the shadows of all blocks of an element.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Shadows {
    /// At most one block declares a shadow.
    are_single: bool,
    /// Some have rings, and all can be split into parts.
    have_rings: bool,
    /// Every shadow is a theme shadow in another colour.
    are_tinted: bool,
    inner_ring: ShadowSlot,
    gap: ShadowSlot,
    ring: ShadowSlot,
    shadow: ShadowSlot,
}

/// Use of one part of the box shadow among the blocks.
#[derive(Debug, Clone, Copy, Default)]
struct ShadowSlot {
    is_used: bool,
    /// The part is equal in all blocks, one of which always applies.
    is_constant: bool,
}

/// A box shadow, split into the parts that Tailwind composes.
#[derive(Debug, PartialEq)]
struct ShadowParts {
    inner_ring: Option<Ring>,
    /// The ring offset: between the box and the ring.
    gap: Option<Ring>,
    ring: Option<Ring>,
    /// The remaining shadow, or `none`.
    shadow: String,
}

/// A shadow without offset and blur, which draws a solid edge.
#[derive(Debug, PartialEq)]
struct Ring {
    width: f64,
    color: String,
}

impl Shadows {
    pub(super) fn from_blocks(blocks: &[GuardedDeclarations]) -> Self {
        let values = || blocks.iter().filter_map(|(guard, own)| Some((guard, own.get("box-shadow")?)));
        let are_single = values().count() <= 1;
        if values().any(|(_, value)| is_css_wide(value)) {
            return Self { are_single, ..Self::default() };
        }
        let parts: Vec<ShadowParts> = values().map(|(_, value)| ShadowParts::parse(value)).collect();
        let is_stated = values().any(|(guard, _)| guard.is_open());
        let mut shadows = parts.iter().map(|parts| parts.shadow.as_str()).filter(|shadow| *shadow != "none").peekable();
        let are_tinted = shadows.peek().is_some() && shadows.all(|shadow| tinted(shadow).is_some());
        let place = |is_empty: fn(&ShadowParts) -> bool, is_alike: fn(&ShadowParts, &ShadowParts) -> bool| ShadowSlot {
            is_used: parts.iter().any(|parts| !is_empty(parts)),
            is_constant: is_stated && parts.iter().all(|own| is_alike(own, &parts[0])),
        };
        let inner_ring = place(|own| own.inner_ring.is_none(), |a, b| a.inner_ring == b.inner_ring);
        let gap = place(|own| own.gap.is_none(), |a, b| a.gap == b.gap);
        let ring = place(|own| own.ring.is_none(), |a, b| a.ring == b.ring);
        let shadow = place(|own| own.shadow == "none", |a, b| a.shadow == b.shadow);
        Self { are_single, have_rings: inner_ring.is_used || ring.is_used, are_tinted, inner_ring, gap, ring, shadow }
    }
}

impl ShadowParts {
    /// Splits a shadow. Rings come first, the inset one before the others. Of two outer rings the
    /// first covers a part of the second.
    fn parse(value: &str) -> Self {
        let visible = visible_layers(value);
        let mut layers = split_commas(&visible);
        let inner_ring = layers.first().and_then(|layer| Ring::parse(layer, true));
        layers.drain(..usize::from(inner_ring.is_some()));
        let mut around: Vec<Ring> = layers.iter().map_while(|layer| Ring::parse(layer, false)).take(2).collect();
        if !matches!(around.as_slice(), [gap, ring] if gap.width < ring.width) {
            around.truncate(1);
        }
        layers.drain(..around.len());
        let mut ring = around.pop();
        let gap = around.pop();
        if let (Some(gap), Some(ring)) = (&gap, &mut ring) {
            ring.width -= gap.width;
        }
        let shadow = if layers.is_empty() { "none".to_owned() } else { layers.join(", ") };
        Self { inner_ring, gap, ring, shadow }
    }
}

impl Ring {
    fn parse(layer: &str, is_inside: bool) -> Option<Self> {
        let ShadowLayer { inset, lengths, color } = ShadowLayer::parse(layer)?;
        let [x, y, blur, width] = lengths.as_slice() else { return None };
        let is_edge = [x, y, blur].iter().all(|length| px(length) == Some(0.0));
        let width = px(width).filter(|width| *width > 0.0 && width.fract() == 0.0)?;
        let color = color_suffix(color?)?;
        (is_edge && inset == is_inside).then_some(Self { width, color })
    }
}

/// Takes the box shadow.
pub(super) fn take_shadow(block: &mut DeclarationBlock<'_>) {
    let Some(value) = block.get("box-shadow").filter(|value| !is_css_wide(value)) else { return };
    if block.facts.shadows.have_rings { write_shadow_parts(block, value) } else { write_single_shadow(block, value) }
}

fn write_single_shadow(block: &mut DeclarationBlock<'_>, value: &str) {
    let value = &visible_layers(value);
    let inset = key(value).and_then(|key| text_step(INSET_SHADOWS, &key));
    if let Some(step) = inset.filter(|_| block.facts.shadows.are_single && block.facts.unconditional) {
        block.take("box-shadow");
        return block.add(format!("inset-shadow-{step}"), &["--tw-inset-shadow", "box-shadow"]);
    }
    if outer(block, value) {
        block.take("box-shadow");
    }
}

/// Writes the shadow that is not a ring.
fn outer(block: &mut DeclarationBlock<'_>, value: &str) -> bool {
    const SHADOW_PROPERTIES: &[&str] = &["--tw-shadow", "box-shadow"];
    let tint = tinted(value).filter(|_| block.facts.shadows.are_tinted);
    if let Some((step, color)) = tint {
        block.add(format!("shadow-{step}"), SHADOW_PROPERTIES);
        block.add(format!("shadow-{color}"), &["--tw-shadow-color"]);
        return true;
    }
    let older = key(value).and_then(|key| text_step(OLDER_SHADOWS, &key)).map(str::to_owned);
    let suffix = older.or_else(|| suffix(value, SHADOWS));
    if let Some(suffix) = &suffix {
        block.add(format!("shadow-{suffix}"), SHADOW_PROPERTIES);
    }
    suffix.is_some()
}

fn write_shadow_parts(block: &mut DeclarationBlock<'_>, value: &str) {
    let parts = ShadowParts::parse(value);
    let Shadows { inner_ring, gap, ring, shadow, .. } = block.facts.shadows;
    let is_open = block.facts.unconditional;
    let is_said = |place: ShadowSlot| place.is_used && (is_open || !place.is_constant);
    if is_said(shadow) && !(is_open && parts.shadow == "none") && !outer(block, &parts.shadow) {
        return;
    }
    block.take("box-shadow");
    if is_said(inner_ring) {
        edge(block, "inset-ring", parts.inner_ring, ["--tw-inset-ring-shadow", "--tw-inset-ring-color"]);
    }
    if is_said(ring) {
        edge(block, "ring", parts.ring, ["--tw-ring-shadow", "--tw-ring-color"]);
    }
    if is_said(gap) {
        edge(block, "ring-offset", parts.gap, ["--tw-ring-offset-width", "--tw-ring-offset-color"]);
    }
}

fn edge(block: &mut DeclarationBlock<'_>, root: &str, ring: Option<Ring>, [width, color]: [&'static str; 2]) {
    match ring {
        Some(ring) => {
            block.add(format!("{root}-{}", plain(ring.width)), &[width, "box-shadow"]);
            block.add(format!("{root}-{}", ring.color), &[color]);
        }
        None if block.facts.unconditional => {}
        None => block.add(format!("{root}-0"), &[width, "box-shadow"]),
    }
}

/// Returns the layers of a shadow but the transparent ones without extent.
pub(crate) fn drawn_layers(value: &str) -> Vec<&str> {
    let is_empty = |layer: &str| layer_key(layer).is_some_and(|key| key.starts_with("0 0 0 0 ") && key.ends_with(",0"));
    split_commas(value).into_iter().filter(|layer| !is_empty(layer)).collect()
}

/// Removes the layers that utilities of older Tailwind versions leave empty: `0 0 #0000`, and,
/// beside other layers, `0 0 0 0px #fff`.
fn visible_layers(value: &str) -> String {
    let lies_below = |layer: &&str| layer_key(layer).is_some_and(|key| key.starts_with("0 0 0 0 "));
    let layers = drawn_layers(value);
    let seen: Vec<&str> = layers.iter().copied().filter(|layer| !lies_below(layer)).collect();
    match (seen.is_empty(), layers.is_empty()) {
        (false, _) => seen.join(", "),
        // Its spread may be animated from zero; its colour shows then.
        (true, false) => layers.join(", "),
        (true, true) => "none".to_owned(),
    }
}

/// Returns the suffix after `shadow-`, `text-shadow-` and `drop-shadow-`.
pub(super) fn suffix(value: &str, scale: &'static [(&'static str, &'static str)]) -> Option<String> {
    if value == "none" {
        return Some("none".into());
    }
    match key(value).and_then(|key| text_step(scale, &key)) {
        Some(step) => Some(step.to_owned()),
        None => arbitrary(&lengths_first(value)).map(|value| format!("[{value}]")),
    }
}

/// Returns the theme step of a shadow in a single other colour, and that colour.
fn tinted(value: &str) -> Option<(&'static str, String)> {
    let layers = split_commas(value);
    let mut colors = layers.iter().map(|layer| ShadowLayer::parse(layer)?.color);
    let first = colors.next()??;
    if !colors.all(|color| color == Some(first)) {
        return None;
    }
    let lengths = |key: &str| -> Vec<String> {
        key.split('|').map(|layer| layer.rsplit_once(' ').map_or("", |(lengths, _)| lengths).to_owned()).collect()
    };
    let own = key(value)?;
    let (step, theme) = SHADOWS.iter().find(|(_, theme)| lengths(theme) == lengths(&own))?;
    let color = color_suffix(first).filter(|_| *theme != own)?;
    Some((step, color))
}

/// Moves colours after the lengths. Tailwind reads a value that begins with a colour as a colour.
fn lengths_first(value: &str) -> String {
    let ordered = split_commas(value).into_iter().map(|layer| {
        let own = ShadowLayer::parse(layer)?;
        let parts = own.inset.then_some("inset").into_iter().chain(own.lengths).chain(own.color);
        Some(parts.collect::<Vec<_>>().join(" "))
    });
    let ordered: Option<Vec<String>> = ordered.collect();
    ordered.map_or_else(|| value.to_owned(), |layers| layers.join(", "))
}

/// Returns a canonical spelling: lengths in pixels, colours in bytes with opacity. `None` if a
/// colour or length is not constant.
pub(super) fn key(value: &str) -> Option<String> {
    let layers: Option<Vec<String>> = split_commas(value).into_iter().map(layer_key).collect();
    layers.map(|layers| layers.join("|"))
}

/// One shadow of a list, as written.
struct ShadowLayer<'v> {
    inset: bool,
    lengths: Vec<&'v str>,
    color: Option<&'v str>,
}

impl<'v> ShadowLayer<'v> {
    fn parse(layer: &'v str) -> Option<Self> {
        let mut own = Self { inset: false, lengths: Vec::new(), color: None };
        for part in split_spaces(layer) {
            let is_length = part.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+'))
                || ["calc(", "min(", "max(", "clamp("].iter().any(|function| part.starts_with(function));
            if part.eq_ignore_ascii_case("inset") {
                own.inset = true;
            } else if is_length {
                own.lengths.push(part);
            } else if own.color.replace(part).is_some() {
                return None;
            }
        }
        (2..=4).contains(&own.lengths.len()).then_some(own)
    }
}

fn layer_key(layer: &str) -> Option<String> {
    let ShadowLayer { inset, lengths, color } = ShadowLayer::parse(layer)?;
    let mut lengths: Vec<f64> = lengths.into_iter().map(px).collect::<Option<_>>()?;
    lengths.resize(4, 0.0);
    let ([r, g, b], alpha) = color::parse(color?, Scheme::Light)?.to_rgba();
    let lengths: Vec<String> = lengths.into_iter().map(plain).collect();
    // In hexadecimal digits 10 % is 26 of 255.
    let known = opacity(alpha, true).and_then(|percent| percent.parse::<f64>().ok());
    let alpha = plain(known.map_or_else(|| (alpha * 1000.0).round() / 1000.0, |percent| percent / 100.0));
    Some(format!("{}{} {r},{g},{b},{alpha}", if inset { "inset " } else { "" }, lengths.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tailwind::declaration_block::ElementFacts;
    use crate::tailwind::property_groups::utilities;
    use crate::tailwind::variant::Guard;
    use limner_component_model::model::Condition;
    use std::collections::BTreeMap;

    #[test]
    fn empty_layers_are_removed() {
        for (value, expected) in [
            ("0 0 #0000, 0 0 #0000, 0 1px 2px 0 rgba(0, 0, 0, 0.05)", "0 1px 2px 0 rgba(0, 0, 0, 0.05)"),
            ("0 0 0 0px #fff, 0 0 0 1px #123, 0 0 #0000", "0 0 0 1px #123"),
            ("0 0 0 0 #123", "0 0 0 0 #123"),
            ("0 0 0 rgba(0, 0, 0, 0)", "none"),
            ("0 0 0 3px #0000", "0 0 0 3px #0000"),
            ("none", "none"),
            ("inset 0 0 #000", "inset 0 0 #000"),
        ] {
            assert_eq!(visible_layers(value), expected, "{value}");
        }
    }

    #[test]
    fn lengths_come_before_colours() {
        for (value, expected) in [
            ("#1e26330a 0 2px 4px 0", "[0_2px_4px_0_#1e26330a]"),
            ("rgb(0 0 0/.2) 0 1px 2px, inset red 0 0 1em 1em", "[0_1px_2px_rgb(0_0_0/0.2),inset_0_0_1em_1em_red]"),
            ("#f00 0 calc(1em + 2px)", "[0_calc(1em+2px)_#f00]"),
            ("0 1px red inset", "[inset_0_1px_red]"),
        ] {
            assert_eq!(suffix(value, SHADOWS).as_deref(), Some(expected), "{value}");
        }
    }

    /// Returns the classes of an element at rest, and those from a width on.
    fn classes(values: [Option<&str>; 2]) -> [String; 2] {
        let wide = Condition { min_width: Some(640), ..Condition::default() };
        let guards = [Guard::default(), Guard { condition: wide, states: Vec::new() }];
        let block = |value: &str| BTreeMap::from([("box-shadow".to_owned(), value.to_owned())]);
        let of = |(guard, value): (&Guard, &Option<&str>)| Some((guard.clone(), block(value.as_ref()?)));
        let blocks: Vec<GuardedDeclarations> = guards.iter().zip(&values).filter_map(of).collect();
        [0, 1].map(|at| {
            let facts = ElementFacts {
                unconditional: at == 0,
                shadows: Shadows::from_blocks(&blocks),
                ..ElementFacts::default()
            };
            let (found, _) = utilities(values[at].map(|value| ("box-shadow", value)), &facts);
            found.iter().map(|utility| utility.class.as_str()).collect::<Vec<_>>().join(" ")
        })
    }

    #[test]
    fn theme_rings_and_shadows_become_named_utilities() {
        const LG: &str = "0 10px 15px -3px #0000001a, 0 4px 6px -4px #0000001a";
        const TINTED: &str = "0 10px 15px -3px oklch(92.9% 0.013 255.508), 0 4px 6px -4px oklch(92.9% 0.013 255.508)";
        let ringed = format!("0 0 0 2px #fff, {LG}");
        for (at_rest, wide, expected) in [
            (Some("0 0 0 1px oklch(92.9% 0.013 255.508)"), None, ["ring-1 ring-slate-200", ""]),
            (Some("inset 0 0 0 3px #00000080"), None, ["inset-ring-3 inset-ring-black/50", ""]),
            (Some(LG), Some(ringed.as_str()), ["shadow-lg", "ring-2 ring-white"]),
            (Some(ringed.as_str()), Some(LG), ["shadow-lg ring-2 ring-white", "ring-0"]),
            (Some(ringed.as_str()), Some("none"), ["shadow-lg ring-2 ring-white", "shadow-none ring-0"]),
            (None, Some("0 0 0 2px #fff"), ["", "ring-2 ring-white"]),
            (
                None,
                Some("0 0 0 2px #fff, 0 0 0 4px #000, 0 0 #0000"),
                ["", "ring-2 ring-black ring-offset-2 ring-offset-white"],
            ),
            (
                Some("0 0 0 1px #000"),
                Some("0 0 0 2px #fff, 0 0 0 4px #000"),
                ["ring-1 ring-black", "ring-2 ring-black ring-offset-2 ring-offset-white"],
            ),
            (
                Some("0 0 0 2px #fff, 0 0 0 4px #000"),
                Some("0 0 0 1px #000"),
                ["ring-2 ring-black ring-offset-2 ring-offset-white", "ring-1 ring-black ring-offset-0"],
            ),
            (Some("0 0 0 4px #fff, 0 0 0 2px #000"), None, ["shadow-[0_0_0_2px_#000] ring-4 ring-white", ""]),
            (Some(TINTED), None, ["shadow-lg shadow-slate-200", ""]),
            (
                Some(TINTED),
                Some(LG),
                [
                    "shadow-[0_10px_15px_-3px_oklch(92.9%_0.013_255.508),0_4px_6px_-4px_oklch(92.9%_0.013_255.508)]",
                    "shadow-lg",
                ],
            ),
            (Some(TINTED), Some("none"), ["shadow-lg shadow-slate-200", "shadow-none"]),
            (Some("inset 0 2px 4px 0 #0000000d"), None, ["inset-shadow-sm", ""]),
            (Some("inset 0 2px 4px 0 rgba(0,0,0,.06)"), None, ["inset-shadow-sm", ""]),
            (Some("0 10px 15px -3px rgba(0,0,0,.1), 0 4px 6px -2px rgba(0,0,0,.05)"), None, ["shadow-lg", ""]),
            (
                Some("inset 0 2px 4px 0 #0000000d"),
                Some("none"),
                ["shadow-[inset_0_2px_4px_0_#0000000d]", "shadow-none"],
            ),
            (Some("inset 0 0 0 3px red"), Some("inherit"), ["shadow-[inset_0_0_0_3px_red]", ""]),
        ] {
            let [rest, conditional] = classes([at_rest, wide]);
            if wide != Some("inherit") {
                assert_eq!(conditional, expected[1], "{at_rest:?} {wide:?}");
            }
            assert_eq!(rest, expected[0], "{at_rest:?} {wide:?}");
        }
    }
}
