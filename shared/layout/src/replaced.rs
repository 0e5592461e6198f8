//! Builds replaced elements for the engine.

use crate::engine_tree::BoxContent;
use crate::natural_size::NaturalSize;
use limner_style::ComputedStyle;
use limner_style::computed::{BoxSizing, Display};
use limner_style::property::Longhand;

/// The size assumed for a photograph.
const PHOTOGRAPH: (f32, f32) = (1200.0, 800.0);

/// Sets up a replaced element as an empty box of its natural size. If `is_compressible`, its width may be automatic.
pub(crate) fn replaced(body: &mut BoxContent, natural: NaturalSize, style: &ComputedStyle, is_compressible: bool) {
    let is_auto = |longhand| style.get(longhand) == "auto";
    let compressible = if is_compressible { compressible_size(natural, style) } else { None };
    if let Some((width, height)) = compressible {
        body.name = "canvas";
        body.attributes = vec![("width", width.to_string()), ("height", height.to_string())];
        body.extra.push_str("width:auto;aspect-ratio:auto;");
        if let Some(height) = px(style, Longhand::Height) {
            // A percentage that makes it narrower does not make it lower.
            body.extra.push_str(&format!("min-height:{height}px;"));
        }
        return;
    }
    if !is_auto(Longhand::Width) && style.get(Longhand::Height).ends_with("px") {
        // The engine would keep the ratio if a maximum makes the box smaller.
        body.extra.push_str("aspect-ratio:auto;");
        if style.display() == Display::Inline {
            body.extra.push_str("display:inline-block;");
        }
        return;
    }
    body.name = "canvas";
    match natural {
        NaturalSize::Size(width, height) => {
            body.attributes = vec![("width", width.to_string()), ("height", height.to_string())];
        }
        NaturalSize::Ratio(ratio) => {
            // Without a natural size it is as wide as its container.
            if is_auto(Longhand::Width) && is_auto(Longhand::Height) {
                body.extra.push_str("width:100%;");
            }
            if is_auto(Longhand::AspectRatio) {
                body.extra.push_str(&format!("aspect-ratio:{ratio};"));
            }
            body.attributes = vec![("width", "0".to_owned()), ("height", "0".to_owned())];
        }
        NaturalSize::Photograph if is_auto(Longhand::Width) && is_auto(Longhand::Height) && !has_max_size(style) => {
            body.name = "img";
        }
        NaturalSize::Photograph => {
            // Most likely shown smaller, so only the ratio counts.
            let (width, height) = PHOTOGRAPH;
            body.attributes = vec![("width", width.to_string()), ("height", height.to_string())];
        }
        NaturalSize::Unknown | NaturalSize::Broken => body.name = "img",
    }
}

/// Returns the size of the content box of a block-level replaced element whose specified width is limited by a
/// percentage, if the size follows from the style. Its min-content contribution is 0 (Sizing 3, section 5.2.2); the
/// engine compresses natural widths only.
fn compressible_size(natural: NaturalSize, style: &ComputedStyle) -> Option<(f32, f32)> {
    let is_limited = style.get(Longhand::MaxWidth).contains('%');
    let is_block = !matches!(style.display(), Display::Inline | Display::InlineBlock);
    let has_other_limits = style.get(Longhand::MaxHeight) != "none"
        || !matches!(style.get(Longhand::MinHeight), "auto" | "0px")
        || !matches!(style.get(Longhand::MinWidth), "auto" | "0px");
    if !is_limited || !is_block || has_other_limits || natural == NaturalSize::Broken {
        return None;
    }
    let (width, specified_height) = (px(style, Longhand::Width)?, px(style, Longhand::Height));
    if specified_height.is_none() && style.get(Longhand::Height) != "auto" {
        return None;
    }
    let (mut beside, mut above) = (0.0, 0.0);
    if style.box_sizing() == BoxSizing::BorderBox {
        for longhand in [Longhand::PaddingLeft, Longhand::PaddingRight] {
            beside += px(style, longhand)?;
        }
        for longhand in [Longhand::PaddingTop, Longhand::PaddingBottom] {
            above += px(style, longhand)?;
        }
        beside += px(style, Longhand::BorderLeftWidth)? + px(style, Longhand::BorderRightWidth)?;
        above += px(style, Longhand::BorderTopWidth)? + px(style, Longhand::BorderBottomWidth)?;
    }
    let content_width = (width - beside).max(0.0);
    let content_height = match specified_height {
        Some(height) => (height - above).max(0.0),
        None => content_width / preferred_ratio(natural, style)?,
    };
    Some((content_width, content_height))
}

/// Returns the width for each unit of height of a replaced element (Sizing 4, section 5.1).
fn preferred_ratio(natural: NaturalSize, style: &ComputedStyle) -> Option<f32> {
    let specified = style.get(Longhand::AspectRatio);
    let ratio = specified.trim_start_matches("auto").trim();
    let (width, height) = ratio.split_once('/').unwrap_or((ratio, "1"));
    let given = width.trim().parse::<f32>().ok().zip(height.trim().parse::<f32>().ok()).map(|(w, h)| w / h);
    let own = match natural {
        NaturalSize::Size(width, height) => Some(width / height),
        NaturalSize::Ratio(ratio) => Some(ratio),
        NaturalSize::Photograph => given.or(Some(PHOTOGRAPH.0 / PHOTOGRAPH.1)),
        NaturalSize::Unknown | NaturalSize::Broken => given,
    };
    let ratio = if specified.starts_with("auto") { own } else { given };
    ratio.filter(|ratio| ratio.is_finite() && *ratio > 0.0)
}

fn px(style: &ComputedStyle, longhand: Longhand) -> Option<f32> {
    style.get(longhand).strip_suffix("px")?.parse().ok()
}

fn has_max_size(style: &ComputedStyle) -> bool {
    [Longhand::MaxWidth, Longhand::MaxHeight].into_iter().any(|longhand| style.get(longhand) != "none")
}

/// Returns the automatic minimum width of a replaced flex item in a row (Flexbox 1, section 4.5), which the engine
/// lacks: the specified width, else the natural one, limited by the maximum sizes.
pub(crate) fn automatic_min_width(natural: NaturalSize, style: &ComputedStyle) -> Option<String> {
    let get = |longhand| style.get(longhand);
    if get(Longhand::MinWidth) != "auto" || style.overflow_x().scrolls() {
        return None;
    }
    let px = |longhand| get(longhand).strip_suffix("px").and_then(|px| px.parse::<f32>().ok());
    let width = match (get(Longhand::Width), px(Longhand::Width), natural) {
        (_, Some(width), natural) if natural != NaturalSize::Broken => width,
        ("auto", None, NaturalSize::Size(width, height)) => match px(Longhand::Height) {
            Some(given) if height > 0.0 => given * width / height,
            None if get(Longhand::Height) != "auto" => return None,
            _ => width,
        },
        _ => return None,
    };
    let width = match px(Longhand::MaxHeight) {
        Some(most) => match natural {
            NaturalSize::Size(w, h) if h > 0.0 => width.min(most * w / h),
            _ => width,
        },
        None => width,
    };
    Some(match get(Longhand::MaxWidth) {
        "none" => format!("min-width:{width}px;"),
        most if most.ends_with("px") || most.ends_with('%') => format!("min-width:min({width}px,{most});"),
        _ => return None,
    })
}
