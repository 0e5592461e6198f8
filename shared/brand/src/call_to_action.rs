//! Weighs elements as calls to action.

use super::background_layers::LayerFill;
use super::name_tokens::{contains_any, split_words};
use super::page_regions::RegionFlags;
use super::rendered_page::{RenderedPage, VisibleElement};
use limner_page::dom::Element;
use limner_style::computed::{Display, Position};
use limner_style::property::Longhand;

/// Returns the weight of an element as a call to action; 0 if it is not one.
pub(super) fn button_weight(page: &RenderedPage<'_>, seen: &VisibleElement, element: &Element) -> f64 {
    let class_words: Vec<String> = element.classes().iter().take(16).flat_map(|class| split_words(class)).collect();
    let is_named = contains_any(&class_words, &["btn", "button", "cta", "buttonlink"]);
    let is_control = match element.name() {
        "button" => true,
        "input" => matches!(element.attr("type").unwrap_or_default(), "submit" | "button"),
        // Scripts give some links their target.
        "a" => element.attr("href").is_some() || is_named,
        _ => element.attr("role").is_some_and(|role| role.trim() == "button"),
    };
    let is_link_like_one = is_named && seen.flags.has_any(RegionFlags::LINK);
    if !is_control && !is_link_like_one {
        return 0.0;
    }
    let padding = |longhand| seen.style.get(longhand).trim_end_matches("px").parse().unwrap_or(0.0_f64);
    let (width, mut height) = (f64::from(seen.area.width), f64::from(seen.area.height));
    if seen.style.display() == Display::Inline {
        // An inline box is painted beyond its line, whose height does not include its padding.
        height += padding(Longhand::PaddingTop) + padding(Longhand::PaddingBottom);
    }
    let fits = (20.0..=110.0).contains(&height) && (40.0..=720.0).contains(&width);
    if !fits || !is_filled_or_outlined(page, seen) || !has_label(page, seen, element) {
        return 0.0;
    }
    let has_padding = padding(Longhand::PaddingLeft) >= 8.0 && padding(Longhand::PaddingRight) >= 8.0;
    if !is_named && !has_padding && !is_roomy(seen) {
        return 0.0;
    }
    let mut weight = if is_named || element.name() != "a" { 1.0 } else { 0.7 };
    if contains_any(&class_words, &["primary", "cta", "main", "hero", "brand"]) {
        weight *= 1.6;
    }
    if contains_any(
        &class_words,
        &["secondary", "ghost", "outline", "tertiary", "light", "close", "toggle", "icon", "default"],
    ) {
        weight *= 0.4;
    }
    let is_first_screen = seen.area.y < 900.0;
    let in_nav = seen.flags.has_any(RegionFlags::NAV) && !seen.flags.has_any(RegionFlags::HEADER);
    let is_form = seen.flags.has_any(RegionFlags::FOOTER) || in_nav;
    weight * if is_first_screen { 1.6 } else { 1.0 } * if is_form { 0.5 } else { 1.0 } * fixed_position_weight(seen)
}

/// Returns true for a line of text in the middle of a box that is larger on all sides: page builders set the sizes of their
/// buttons rather than a padding.
fn is_roomy(seen: &VisibleElement) -> bool {
    let line = seen.style.font_size() as f32;
    let is_centred = seen.style.get(Longhand::TextAlign) == "center";
    is_centred && seen.area.height >= 2.0 * line && seen.area.width >= 3.0 * seen.area.height
}

/// Returns true if its text names an action; a round button with an arrow has none.
fn has_label(page: &RenderedPage<'_>, seen: &VisibleElement, element: &Element) -> bool {
    let document = &page.view.document;
    let inner = document.descendants(seen.node).take(60);
    let texts = inner.filter_map(|node| Some((document.text(node)?, document.element(document.parent(node)?)?)));
    let words = texts.filter(|(_, around)| !is_icon(around)).map(|(text, _)| text);
    let letters = |text: &str| text.chars().filter(|letter| letter.is_alphanumeric()).count();
    words.chain(element.attr("value")).map(letters).sum::<usize>() >= 2
}

fn is_filled_or_outlined(page: &RenderedPage<'_>, seen: &VisibleElement) -> bool {
    let fill = seen.color(Longhand::BackgroundColor).filter(|shade| shade.rgba[3] > 100);
    // A line below the words is not a background.
    let is_gradient = seen
        .layers
        .iter()
        .any(|layer| matches!(layer.fill, LayerFill::Colors(_)) && layer.visible_share(seen.area) >= 0.3);
    let document = &page.view.document;
    let around = document.ancestors(seen.node).find_map(|node| {
        let outer = page.visible_element(node)?;
        outer.color(Longhand::BackgroundColor).filter(|shade| shade.rgba[3] > 200)
    });
    let background = around.unwrap_or(page.background);
    let fillings = seen.fillings().filter_map(|filling| filling.color);
    let stands_out =
        fill.into_iter().chain(fillings).any(|shade| shade.composite_over(background).distance(background) > 0.03);
    let has_border = seen.style.get(Longhand::BorderTopStyle) == "solid"
        && seen.style.get(Longhand::BorderTopWidth) != "0px"
        && seen.style.get(Longhand::BorderBottomStyle) == "solid"
        && seen
            .color(Longhand::BorderTopColor)
            .is_some_and(|shade| shade.composite_over(background).distance(background) > 0.03);
    stands_out || is_gradient || has_border
}

pub(super) fn is_icon(element: &Element) -> bool {
    const ICONS: &[&str] = &["icon", "icons", "fa", "fas", "fab", "far"];
    element.is_html("i") || element.classes().iter().any(|class| contains_any(&split_words(class), ICONS))
}

/// Returns a lower factor for fixed elements (back to top, chat, a demo's ribbon), which float over the page and are
/// not part of its design.
pub(super) fn fixed_position_weight(seen: &VisibleElement) -> f64 {
    if seen.style.position() == Position::Fixed { 0.3 } else { 1.0 }
}
