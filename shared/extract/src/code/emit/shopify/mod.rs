//! `shopify`: a theme section. Headings, texts, labels, addresses and pictures are settings of the theme editor, with
//! what the page had as defaults; repeated structures are blocks, which the preset has as the page has them.

mod blocks;
mod grounds;
mod liquid;
mod settings;

use super::classes::Classes;
use super::print::print;
use super::tree::Tag;
use super::{scope, sheet};
use crate::code::model::{Component, Emitted};
use blocks::Blocks;
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
    let blocks = Blocks::of(&mut root, component.role);
    settings.of(&mut root, &blocks.items);
    let body = blocks.assigned() + &print(&Liquid, &root, 0);
    let schema = schema(component, &root, settings, &blocks);
    let code = format!("<style>\n{css}</style>\n\n{body}\n{{% schema %}}\n{schema}\n{{% endschema %}}\n");
    Emitted { code, repeated_groups: blocks.len(), ..Emitted::default() }
}

/// What the section asks the theme editor for.
fn schema(component: &Component, root: &Tag, settings: Settings, blocks: &Blocks) -> String {
    let name = title(&component.name);
    let mut preset = json!({ "name": name.trim_ascii() });
    let mut schema = json!({
        "name": name.trim_ascii(),
        "tag": if LANDMARKS.contains(&root.name.as_str()) { "div" } else { "section" },
        "settings": settings.list,
    });
    if blocks.len() > 0 {
        schema["blocks"] = blocks.schema().into();
        preset["blocks"] = blocks.preset().into();
    }
    schema["presets"] = json!([preset]);
    without_liquid_in_json(&serde_json::to_string_pretty(&schema).unwrap_or_default())
}
