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
use limner_component_model::page::EmittedPage;
use limner_component_model::printer::print;
use limner_types::component_name::{kebab, title};
use liquid::{Liquid, without_liquid_in_css, without_liquid_in_json};
use serde_json::{Map, Value as Json, json};
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
    emit_section(component).0
}

/// Maximum number of sections in a JSON template.
const MAX_TEMPLATE_SECTIONS: usize = 25;

/// Writes a page: a JSON template, and a file for each of its sections.
pub(super) fn emit_page(sections: &[Component]) -> EmittedPage {
    let (mut files, mut entries, mut order) = (Vec::new(), Map::new(), Vec::new());
    let mut groups = 0;
    for (at, section) in sections.iter().enumerate() {
        let (written, blocks) = emit_section(section);
        let name = file_name(&section.name, at);
        groups += written.repeated_groups;
        files.push((format!("sections/{name}.liquid"), written.code));
        if order.len() < MAX_TEMPLATE_SECTIONS {
            entries.insert(name.clone(), template_entry(&name, &blocks));
            order.push(name);
        }
    }
    let template = json!({ "sections": entries, "order": order });
    let code = serde_json::to_string_pretty(&template).unwrap_or_default();
    let most =
        || format!("A template of Shopify has {MAX_TEMPLATE_SECTIONS} sections at most: it lists the first ones.");
    let setup_hint = (sections.len() > MAX_TEMPLATE_SECTIONS).then(most);
    EmittedPage { page: Emitted { code, repeated_groups: groups, setup_hint, ..Emitted::default() }, files }
}

/// Returns a section's entry in a JSON template, which has no preset: all blocks are in it.
fn template_entry(name: &str, preset: &[Json]) -> Json {
    let ids = (1..=preset.len()).map(|number| format!("block-{number}"));
    let order: Vec<String> = ids.collect();
    let blocks: Map<String, Json> = order.iter().cloned().zip(preset.iter().map(without_dynamic_sources)).collect();
    if order.is_empty() {
        return json!({ "type": name, "settings": {} });
    }
    json!({ "type": name, "blocks": blocks, "block_order": order, "settings": {} })
}

/// Escapes what the theme editor would replace in the values of a template: `{{ product.title }}`.
fn without_dynamic_sources(value: &Json) -> Json {
    match value {
        Json::String(text) => Json::String(text.replace("{{", "{\u{2060}{")),
        Json::Array(items) => items.iter().map(without_dynamic_sources).collect(),
        Json::Object(fields) => {
            fields.iter().map(|(name, value)| (name.clone(), without_dynamic_sources(value))).collect()
        }
        other => other.clone(),
    }
}

/// Returns the name of a section's file: letters, digits and hyphens.
fn file_name(name: &str, at: usize) -> String {
    let name = kebab(name);
    if name.is_ascii() { name } else { format!("section-{}", at + 1) }
}

/// Writes a component as a section, and returns the blocks of its preset.
fn emit_section(component: &Component) -> (Emitted, Vec<Json>) {
    let component = &theme_isolation::isolate(component);
    let classes = ClassAssignment::for_each_element(component);
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
    (Emitted { code, repeated_groups: blocks.len(), ..Emitted::default() }, blocks.preset())
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
