//! The sizes that sliders have from their script: as the call that starts a slider says, or as its library assumes.

use super::script_calls::ScriptCall;
use super::stretched_rows::WIDE;
use limner_page::dom::Element;

/// Returns no declarations: the slider has the size of its sheet, or of its first slide.
pub(super) fn leave_size(_: &Element, _: Option<&ScriptCall>) -> String {
    String::new()
}

/// Camera is half as high as wide unless its call names a share or pixels.
pub(super) fn camera(_: &Element, call: Option<&ScriptCall>) -> String {
    let height = call.and_then(|call| call.text("height")).unwrap_or("50%");
    let share = height.strip_suffix('%').and_then(|share| share.parse::<f64>().ok()).filter(|share| *share > 0.0);
    match (share, call.and_then(|call| call.number("height"))) {
        (Some(share), _) => format!("aspect-ratio: 100 / {share}"),
        (None, Some(height)) => format!("height: {height}px"),
        _ => "aspect-ratio: 100 / 50".to_owned(),
    }
}

/// Slider Pro is 500 by 300 pixels unless its call names a size; it shrinks with its column, or fills the window.
pub(super) fn slider_pro(_: &Element, call: Option<&ScriptCall>) -> String {
    let Some(call) = call else { return String::new() };
    let number = |key| call.number(key);
    let text = |key| call.text(key).unwrap_or_default();
    let (width, height) = (number("width").unwrap_or(500.0), number("height").unwrap_or(300.0));
    match text("forceSize") {
        "fullWindow" => format!("{WIDE}; height: 100vh"),
        "fullWidth" => format!("{WIDE}; height: {height}px"),
        _ if text("width").ends_with('%') => format!("width: {}; height: {height}px", text("width")),
        _ => format!("width: 100%; max-width: {width}px; margin: 0 auto; aspect-ratio: {width} / {height}"),
    }
}

/// Master Slider is 300 by 150 pixels unless its call names a size, in its column or as wide as the window.
pub(super) fn master_slider(_: &Element, call: Option<&ScriptCall>) -> String {
    let Some(call) = call else { return String::new() };
    let (width, height) = (call.number("width").unwrap_or(300.0), call.number("height").unwrap_or(150.0));
    let layout = call.text("layout").unwrap_or("boxed");
    match layout {
        "fullscreen" => format!("{WIDE}; height: 100vh"),
        "fullwidth" => format!("{WIDE}; height: min({height}px, {}vw)", share(height, width)),
        "fillwidth" => format!("width: 100%; height: min({height}px, {}vw)", share(height, width)),
        "autofill" => "width: 100%; height: 100%".to_owned(),
        _ => format!("width: 100%; max-width: {width}px; margin: 0 auto; aspect-ratio: {width} / {height}"),
    }
}

/// Returns a height as a share of a width in percent, rounded.
fn share(height: f64, width: f64) -> f64 {
    (height / width * 10_000.0).round() / 100.0
}

/// RoyalSlider has the size of its sheet unless its call names a ratio.
pub(super) fn royal_slider(_: &Element, call: Option<&ScriptCall>) -> String {
    let scaled = call.filter(|call| call.text("autoScaleSlider").is_some_and(|value| value != "false"));
    let number = |key| scaled.and_then(|call| call.number(key));
    match (number("autoScaleSliderWidth"), number("autoScaleSliderHeight")) {
        (Some(width), Some(height)) => format!("height: auto; aspect-ratio: {width} / {height}"),
        _ => String::new(),
    }
}

/// Sliderman has the pixels that its call names.
pub(super) fn pixels(_: &Element, call: Option<&ScriptCall>) -> String {
    let number = |key| call.and_then(|call| call.number(key));
    match (number("width"), number("height")) {
        (Some(width), Some(height)) => {
            format!("position: relative; width: {width}px; height: {height}px; overflow: hidden")
        }
        _ => String::new(),
    }
}
