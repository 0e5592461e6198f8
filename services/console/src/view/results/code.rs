//! `/code`: a component with its stylesheet, tokens and sections.

use super::{list, text};
use serde_json::Value;

/// A component.
pub(crate) struct CodeView {
    pub(crate) framework: String,
    pub(crate) code: String,
    pub(crate) css: String,
    pub(crate) tokens: String,
    pub(crate) selector: String,
    pub(crate) auto_detected: bool,
    pub(crate) theme: String,
    pub(crate) coverage: String,
    pub(crate) sections: Vec<Section>,
    /// True if a browser can show it without a build step.
    pub(crate) can_preview: bool,
}

/// A section that can be requested.
pub(crate) struct Section {
    pub(crate) selector: String,
    pub(crate) label: String,
    pub(crate) elements: String,
    pub(crate) preview: String,
}

impl CodeView {
    pub(super) fn new(value: &Value) -> Self {
        let framework = text(&value["framework"]);
        let section = |section: &Value| Section {
            selector: text(&section["selector"]),
            label: text(&section["label"]),
            elements: text(&section["elements"]),
            preview: text(&section["preview"]),
        };
        let tokens = &value["tokens"];
        Self {
            can_preview: framework == "html",
            framework,
            code: text(&value["code"]),
            css: text(&value["css"]),
            tokens: if tokens.is_object() {
                serde_json::to_string_pretty(tokens).unwrap_or_default()
            } else {
                String::new()
            },
            selector: text(&value["selector"]),
            auto_detected: value["autoDetected"].as_bool().unwrap_or_default(),
            theme: text(&value["theme"]),
            coverage: text(&value["summary"]["styledCoverage"]),
            sections: list(&value["sections"]).map(section).collect(),
        }
    }
}
