//! Writes a component as a document that any browser shows as it is, whatever its framework.

use crate::capture::PREFLIGHT;
use limner_component_model::html;
use limner_component_model::html_syntax::{escape_attribute, escape_text};
use limner_component_model::model::{Baseline, Component};
use limner_types::Theme;

/// Returns the component in a document without scripts, with the stylesheet that it builds upon.
pub(super) fn document(component: &Component) -> String {
    let (markup, sheet) = html::markup_and_sheet(component);
    let lang = component.lang.as_deref().map(|lang| format!(" lang=\"{}\"", escape_attribute(lang)));
    let scheme = if component.theme == Some(Theme::Dark) { "dark" } else { "light" };
    let preflight = if component.baseline == Baseline::Preflight { PREFLIGHT } else { "" };
    format!(
        "<!doctype html>\n<html{}>\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"script-src 'none'; object-src 'none'\">\n\
         <title>{}</title>\n<style>\n{preflight}:root {{ color-scheme: {scheme}; }}\nbody {{ margin: 0; }}\n</style>\n\
         <style>\n{}</style>\n</head>\n<body>\n{markup}</body>\n</html>\n",
        lang.unwrap_or_default(),
        escape_text(&component.name),
        // Nothing of the page ends the style element.
        sheet.replace("</", "<\\/"),
    )
}
