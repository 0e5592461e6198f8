//! Recurring components of a page with their looks: buttons, inputs, cards and badges, at rest, in states and in dark.

use super::call_to_action::button_weight;
use super::color::Rgba;
use super::name_tokens::{contains_any, split_words};
use super::page_regions::RegionFlags;
use super::rendered_page::{RenderedPage, VisibleElement};
use super::state_styles::{ElementState, StateStyles};
use super::status_pills::is_pill;
use limner_page::dom::Element;
use limner_style::ComputedStyle;
use limner_style::property::Longhand;
use limner_types::result::{BrandComponents, ComponentLook};
use std::collections::BTreeMap;

/// Maximum number of looks of a component.
const MAX_LOOKS: usize = 6;
/// Maximum number of different looks that are told apart on one page.
const MAX_KNOWN: usize = 400;
/// Size of a card in CSS pixels.
const CARD_WIDTHS: std::ops::RangeInclusive<f32> = 140.0..=760.0;
const CARD_HEIGHTS: std::ops::RangeInclusive<f32> = 80.0..=1_000.0;
/// Maximum number of ancestors among which the background behind a card is looked for.
const MAX_ANCESTORS: usize = 64;
/// Minimum number of letters in a card.
const MIN_CARD_LETTERS: usize = 20;

/// CSS properties and values.
type Look = BTreeMap<String, String>;

/// The kinds, in the order of [`BrandComponents`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Button,
    Input,
    Card,
    Badge,
}

/// Returns the components of a page; `dark` is the same page in dark.
pub(super) fn components(page: &RenderedPage<'_>, dark: Option<&RenderedPage<'_>>) -> BrandComponents {
    let mut looks: BTreeMap<(Kind, Look), (usize, usize)> = BTreeMap::new();
    for (number, seen) in page.elements.iter().enumerate() {
        let Some(element) = page.view.document.element(seen.node) else { continue };
        let Some(kind) = kind_of(page, seen, element) else { continue };
        let key = (kind, look(seen, &seen.style));
        if looks.len() < MAX_KNOWN || looks.contains_key(&key) {
            looks.entry(key).or_insert((0, number)).0 += 1;
        }
    }
    let mut states = StateStyles::new(page);
    let mut sorted: Vec<(Kind, Look, usize, usize)> =
        looks.into_iter().map(|((kind, look), (count, first))| (kind, look, count, first)).collect();
    sorted.sort_by(|a, b| b.2.cmp(&a.2).then(a.3.cmp(&b.3)));
    let mut found = BrandComponents::default();
    for (kind, style, count, first) in sorted {
        let list = match kind {
            Kind::Button => &mut found.button,
            Kind::Input => &mut found.input,
            Kind::Card => &mut found.card,
            Kind::Badge => &mut found.badge,
        };
        if list.len() < MAX_LOOKS {
            list.push(component(page, &page.elements[first], (style, count), &mut states, dark));
        }
    }
    found
}

fn component(
    page: &RenderedPage<'_>,
    seen: &VisibleElement,
    (style, count): (Look, usize),
    states: &mut StateStyles<'_>,
    dark: Option<&RenderedPage<'_>>,
) -> ComponentLook {
    let mut changes = BTreeMap::new();
    for state in ElementState::ALL {
        let Some(own) = states.get(seen.node, state) else { continue };
        let changed = difference(&style, &look(seen, &own));
        // Pressed buttons have the pointer on them: only what differs from that is theirs.
        let is_hover = state == ElementState::Active && changes.get(ElementState::Hover.name()) == Some(&changed);
        if !changed.is_empty() && !is_hover {
            changes.insert(state.name().to_owned(), changed);
        }
    }
    let in_dark = dark.and_then(|dark| dark.visible_element(seen.node));
    let dark = in_dark.map(|own| difference(&style, &look(own, &own.style))).unwrap_or_default();
    ComponentLook { count, selector: page.view.document.unique_selector(seen.node), style, states: changes, dark }
}

/// Returns the properties of `other` that are not those of `usual`; what is unset there is `none`.
fn difference(usual: &Look, other: &Look) -> Look {
    let mut changed: Look = other
        .iter()
        .filter(|(name, value)| usual.get(*name) != Some(value))
        .map(|(n, v)| (n.clone(), v.clone()))
        .collect();
    for name in usual.keys().filter(|name| !other.contains_key(*name)) {
        let unset = if name.ends_with("color") { "transparent" } else { "none" };
        changed.insert(name.clone(), unset.to_owned());
    }
    changed
}

fn kind_of(page: &RenderedPage<'_>, seen: &VisibleElement, element: &Element) -> Option<Kind> {
    if seen.flags.has_any(RegionFlags::NOT_SITE.union(RegionFlags::SVG)) {
        return None;
    }
    if is_input(element) {
        return Some(Kind::Input);
    }
    if button_weight(page, seen, element) > 0.0 {
        return Some(Kind::Button);
    }
    if is_pill(page, seen, element) {
        return Some(Kind::Badge);
    }
    is_card(page, seen, element).then_some(Kind::Card)
}

fn is_input(element: &Element) -> bool {
    let kind = || element.attr("type").unwrap_or("text").to_ascii_lowercase();
    match element.name() {
        "select" | "textarea" => element.in_html(),
        "input" => matches!(
            kind().as_str(),
            "text"
                | "search"
                | "email"
                | "url"
                | "tel"
                | "password"
                | "number"
                | "date"
                | "time"
                | "datetime-local"
                | "month"
                | "week"
        ),
        _ => false,
    }
}

fn is_card(page: &RenderedPage<'_>, seen: &VisibleElement, element: &Element) -> bool {
    let is_box = matches!(element.name(), "div" | "article" | "section" | "li" | "a" | "figure" | "aside");
    let has_size = CARD_WIDTHS.contains(&seen.area.width) && CARD_HEIGHTS.contains(&seen.area.height);
    if !is_box || !has_size || !is_card_like(page, seen) {
        return false;
    }
    let document = &page.view.document;
    let words: Vec<String> = element.classes().iter().take(16).flat_map(|class| split_words(class)).collect();
    let is_named = contains_any(&words, &["card", "tile"]);
    let is_repeated = || {
        let siblings = document.parent(seen.node).into_iter().flat_map(|parent| document.child_elements(parent));
        siblings.take(64).any(|(node, other)| {
            node != seen.node && other.name() == element.name() && other.attr("class") == element.attr("class")
        })
    };
    let letters = || {
        let texts = document.descendants(seen.node).take(200).filter_map(|node| document.text(node));
        texts.map(|text| text.chars().filter(|letter| !letter.is_whitespace()).count()).sum::<usize>()
    };
    (is_named || is_repeated()) && letters() >= MIN_CARD_LETTERS
}

/// Returns true for a box with a border on all sides, a shadow, or a background of its own and round corners.
fn is_card_like(page: &RenderedPage<'_>, seen: &VisibleElement) -> bool {
    let style = &seen.style;
    let sides =
        [Longhand::BorderTopWidth, Longhand::BorderRightWidth, Longhand::BorderBottomWidth, Longhand::BorderLeftWidth];
    let has_border =
        sides.iter().all(|side| style.get(*side) != "0px") && style.get(Longhand::BorderTopStyle) != "none";
    let has_shadow = style.get(Longhand::BoxShadow) != "none";
    let is_round = style.get(Longhand::BorderTopLeftRadius) != "0px";
    let around = page.view.document.ancestors(seen.node).take(MAX_ANCESTORS).find_map(|node| {
        page.visible_element(node)?.color(Longhand::BackgroundColor).filter(|shade| shade.rgba[3] > 200)
    });
    let around = around.unwrap_or(page.background);
    let fill = seen.color(Longhand::BackgroundColor);
    let is_filled = || fill.is_some_and(|shade| shade.composite_over(around).distance(around) > 0.005);
    has_border || has_shadow || (is_round && is_filled())
}

/// Returns what a designer notes about a component: the values that are not initial.
fn look(seen: &VisibleElement, style: &ComputedStyle) -> Look {
    let mut look = Look::new();
    let mut add = |name: &str, value: Option<String>| look.extend(value.map(|value| (name.to_owned(), value)));
    add("background-color", seen.color_in(style, Longhand::BackgroundColor).map(Rgba::hex));
    let plain = |longhand: Longhand, initial: &str| Some(style.get(longhand).to_owned()).filter(|own| own != initial);
    add("background-image", plain(Longhand::BackgroundImage, "none").filter(|image| image.contains("gradient(")));
    add("color", Some(Rgba::from_color(&style.color()).hex()));
    add("border", line(style, [Longhand::BorderTopWidth, Longhand::BorderTopStyle, Longhand::BorderTopColor]));
    add("border-radius", plain(Longhand::BorderTopLeftRadius, "0px"));
    add("padding", padding(style));
    add("box-shadow", plain(Longhand::BoxShadow, "none"));
    add("font-size", plain(Longhand::FontSize, ""));
    add("font-weight", plain(Longhand::FontWeight, ""));
    add("letter-spacing", plain(Longhand::LetterSpacing, "normal").filter(|own| own != "0px"));
    add("text-transform", plain(Longhand::TextTransform, "none"));
    add("text-decoration", plain(Longhand::TextDecorationLine, "none"));
    add("outline", line(style, [Longhand::OutlineWidth, Longhand::OutlineStyle, Longhand::OutlineColor]));
    add("opacity", plain(Longhand::Opacity, "1"));
    add("transform", plain(Longhand::Transform, "none"));
    look
}

/// Returns a border or outline, if it is visible.
fn line(style: &ComputedStyle, [width, kind, color]: [Longhand; 3]) -> Option<String> {
    let (width, kind) = (style.get(width), style.get(kind));
    if width == "0px" || matches!(kind, "none" | "hidden") {
        return None;
    }
    let color = match style.get(color) {
        "currentcolor" => Some(Rgba::from_color(&style.color())),
        value => Rgba::parse(value),
    };
    Some(format!("{width} {kind} {}", color.map_or_else(|| "auto".to_owned(), Rgba::hex)))
}

/// Returns the padding in its shortest form.
fn padding(style: &ComputedStyle) -> Option<String> {
    let sides = [Longhand::PaddingTop, Longhand::PaddingRight, Longhand::PaddingBottom, Longhand::PaddingLeft];
    let [top, right, bottom, left] = sides.map(|side| style.get(side));
    let text = match () {
        () if [right, bottom, left] == [top; 3] => top.to_owned(),
        () if (top, right) == (bottom, left) => format!("{top} {right}"),
        () => format!("{top} {right} {bottom} {left}"),
    };
    (text != "0px").then_some(text)
}
