//! Writes a Shopify theme section. Headings, texts, labels, URLs and images become settings of the
//! theme editor, with the page's values as defaults; repeated structures become blocks, and the
//! preset has the page's items as blocks.

mod background_settings;
mod blocks;
mod liquid;
mod settings;

use super::theme_isolation;
use blocks::SectionBlocks;
use limner_component_model::css::class_names::ClassAssignment;
use limner_component_model::css::stylesheet;
use limner_component_model::ir::OutputElement;
use limner_component_model::model::{Component, Emitted};
use limner_component_model::printer::print;
use limner_types::component_name::title;
use liquid::{Liquid, without_liquid_in_css, without_liquid_in_json};
use serde_json::json;
use settings::Settings;

/// Stands for the selector of the section's wrapper until Liquid from the page is escaped in the
/// stylesheet.
const WRAPPER_SELECTOR: &str = "#shopify-section-\u{e000}";
/// The section's ID in Liquid.
const SECTION: &str = "{{ section.id }}";

/// Elements of which Shopify may wrap a section in one.
const LANDMARKS: [&str; 5] = ["article", "aside", "footer", "header", "section"];

/// Writes a component as a section.
pub(super) fn emit(component: &Component) -> Emitted {
    let component = &theme_isolation::isolate(component);
    let classes = ClassAssignment::from_component(component);
    let mut settings = Settings::default();
    let mut css = without_liquid_in_css(&stylesheet::write_in(&format!("{WRAPPER_SELECTOR} "), component, &classes));
    css.push_str(&stylesheet::harmless(&background_settings::write(
        &format!("{WRAPPER_SELECTOR} "),
        component,
        &classes,
        &mut settings,
    )));
    let css = format!("{}\n{css}", theme_isolation::reset_rules(WRAPPER_SELECTOR))
        .replace(WRAPPER_SELECTOR, &format!("#shopify-section-{SECTION}"));
    let mut root = OutputElement::from_component(component, &classes.names);
    let blocks = SectionBlocks::extract(&mut root, component.role);
    settings.extract(&mut root, &blocks.items);
    let body = blocks.assigned() + &print(&Liquid, &root, 0);
    let schema = schema(component, &root, settings, &blocks);
    let code = format!("<style>\n{css}</style>\n\n{body}\n{{% schema %}}\n{schema}\n{{% endschema %}}\n");
    Emitted { code, repeated_groups: blocks.len(), ..Emitted::default() }
}

/// Returns the section's schema: settings, blocks and preset.
fn schema(component: &Component, root: &OutputElement, settings: Settings, blocks: &SectionBlocks) -> String {
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
