//! Values of properties: colours, gradients, calculations, fonts, and whatever else a declaration may say.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use limner_fuzz::input::choice_and_text;
use limner_fuzz::markup::escape;
use limner_fuzz::page::{answer, chosen_call_of_style, page};
use limner_style::color::{self, Scheme};
use limner_style::property::{Longhand, expand};
use limner_style::value::{parse_components, serialize};

/// Shorthands, and longhands with a grammar of their own, come up more often.
const NAMES: &[&str] = &[
    "background",
    "background-image",
    "border",
    "border-radius",
    "box-shadow",
    "color",
    "filter",
    "flex",
    "font",
    "font-family",
    "font-variation-settings",
    "grid",
    "grid-template",
    "mask",
    "offset",
    "text-shadow",
    "transform",
    "transition",
    "animation",
    "width",
    "--x",
    "content",
    "list-style",
    "columns",
    "text-decoration",
    "line-height",
    "aspect-ratio",
    "clip-path",
    "inset",
    "all",
];

fuzz_target!(|data: &[u8]| -> Corpus {
    let Some((choice, text)) = choice_and_text(data) else { return Corpus::Reject };
    let name = match text.split_once(':') {
        Some((name, _)) if Longhand::from_name(name).is_some() => name,
        _ => NAMES[usize::from(choice) % NAMES.len()],
    };
    let value = text.split_once(':').filter(|(given, _)| *given == name).map_or(&*text, |(_, value)| value);
    if let Some(color) = color::parse(value, Scheme::Light) {
        let alpha = color.alpha();
        assert!(alpha.is_nan() || (0.0..=1.0).contains(&alpha), "the alpha of {value} is {alpha}");
        let hex = color.to_hex();
        assert_eq!(color::parse(&hex, Scheme::Light).map(|again| again.to_hex()), Some(hex));
    }
    if let Some(components) = parse_components(value) {
        let written = serialize(&components);
        let again = parse_components(&written);
        assert_eq!(again.map(|again| serialize(&again)), Some(written));
    }
    expand(name, value);
    let style = escape(&format!("{name}:{value}"));
    let html = format!(
        "<!doctype html><main style=\"--y:1px;font-size:20px\"><section style=\"{style}\"><h1>Title of it</h1><p style=\"{style}\">Text</p></section></main>"
    );
    answer(&page(&html), &chosen_call_of_style(choice));
    Corpus::Keep
});
