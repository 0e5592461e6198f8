//! Builds replaced elements for the engine.

use crate::engine_tree::BoxContent;
use crate::natural_size::NaturalSize;
use limner_style::ComputedStyle;
use limner_style::computed::Display;
use limner_style::property::Longhand;

/// Sets up a replaced element as an empty box of its natural size.
pub(crate) fn replaced(body: &mut BoxContent, natural: NaturalSize, style: &ComputedStyle) {
    let is_auto = |longhand| style.get(longhand) == "auto";
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
            body.attributes = vec![("width", "1200".to_owned()), ("height", "800".to_owned())];
        }
        NaturalSize::Unknown | NaturalSize::Broken => body.name = "img",
    }
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
