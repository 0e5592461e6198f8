//! Writes a Shopify theme section. Headings, texts, labels, URLs and images become settings of the
//! theme editor, with the page's values as defaults; repeated structures become blocks, and the
//! preset has the page's items as blocks.

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

/// Stands for the selector of the section's wrapper until Liquid from the page is escaped in the
/// stylesheet.
const AROUND: &str = "#shopify-section-\u{e000}";
/// The section's ID in Liquid.
const SECTION: &str = "{{ section.id }}";

/// Elements of which Shopify may wrap a section in one.
const LANDMARKS: [&str; 5] = ["article", "aside", "footer", "header", "section"];

/// Writes a component as a section.
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

/// Returns the section's schema: settings, blocks and preset.
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
