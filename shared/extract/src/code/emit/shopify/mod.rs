//! `shopify`: a theme section. Headings, texts, labels, addresses and pictures are settings of the theme editor, with
//! what the page had as defaults.

mod grounds;
mod liquid;
mod settings;

use super::classes::Classes;
use super::print::print;
use super::tree::Tag;
use super::{scope, sheet};
use crate::code::model::{Component, Emitted};
use limner_types::naming::title;
use liquid::{Liquid, without_liquid_in_css, without_liquid_in_json};
use serde_json::json;
use settings::Settings;

/// Stands for the element that a shop puts around the section until the sheet has no Liquid of the page's in it.
const AROUND: &str = "#shopify-section-\u{e000}";
/// What a shop calls the section.
const SECTION: &str = "{{ section.id }}";

/// What a shop may put around a section.
const LANDMARKS: [&str; 5] = ["article", "aside", "footer", "header", "section"];

/// Writes a component.
pub(super) fn emit(component: &Component) -> Emitted {
    let component = &scope::apart(component);
    let classes = Classes::of(component);
    let mut settings = Settings::default();
    let mut css = without_liquid_in_css(&sheet::write_in(&format!("{AROUND} "), component, &classes));
    css.push_str(&sheet::harmless(&grounds::write(&format!("{AROUND} "), component, &classes, &mut settings)));
    let css = format!("{}\n{css}", scope::reset(AROUND)).replace(AROUND, &format!("#shopify-section-{SECTION}"));
    let mut root = Tag::of(component, &classes.names);
    settings.of(&mut root);
    let body = print(&Liquid, &root, 0);
    let name = title(&component.name);
    let schema = json!({
        "name": name.trim_ascii(),
        "tag": if LANDMARKS.contains(&root.name.as_str()) { "div" } else { "section" },
        "settings": settings.list,
        "presets": [{ "name": name.trim_ascii() }],
    });
    let schema = without_liquid_in_json(&serde_json::to_string_pretty(&schema).unwrap_or_default());
    let code = format!("<style>\n{css}</style>\n\n{body}\n{{% schema %}}\n{schema}\n{{% endschema %}}\n");
    Emitted { code, ..Emitted::default() }
}
