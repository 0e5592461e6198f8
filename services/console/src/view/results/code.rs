//! `/code`: a component with its stylesheet, tokens and sections.

use super::sources::MediaSources;
use super::{language_of, list, text};
use limner_types::component_name::{code_file, stylesheet_file};
use limner_types::{CodeLanguage, CodeScope, Framework, WireEnum};
use serde_json::Value;

/// A component.
pub(crate) struct CodeView {
    pub(crate) framework: String,
    pub(crate) code: String,
    /// Names of the files of the code and of the stylesheet.
    pub(crate) code_file: String,
    pub(crate) css_file: String,
    /// Path and content of the files that a page consists of.
    pub(crate) files: Vec<(String, String)>,
    pub(crate) css: String,
    pub(crate) tokens: String,
    pub(crate) selector: String,
    pub(crate) auto_detected: bool,
    pub(crate) theme: String,
    pub(crate) coverage: String,
    pub(crate) sections: Vec<Section>,
    /// The component as a document that a browser shows; empty if there is none.
    pub(crate) preview: String,
}

/// A section that can be requested.
pub(crate) struct Section {
    pub(crate) selector: String,
    pub(crate) label: String,
    pub(crate) elements: String,
    pub(crate) preview: String,
    /// True for the section that the result shows.
    pub(crate) is_shown: bool,
}

impl Section {
    pub(super) fn new(section: &Value, shown: &str) -> Self {
        Self {
            is_shown: section["selector"] == shown,
            selector: text(&section["selector"]),
            label: text(&section["label"]),
            elements: text(&section["elements"]),
            preview: text(&section["preview"]),
        }
    }
}

impl CodeView {
    pub(crate) fn new(value: &Value, language: CodeLanguage, sources: &MediaSources) -> Self {
        let tokens = &value["tokens"];
        let selector = text(&value["selector"]);
        let (code_file, css_file) = file_names(value, language);
        Self {
            framework: text(&value["framework"]),
            code: text(&value["code"]),
            code_file,
            css_file,
            files: list(&value["files"]).map(|file| (text(&file["path"]), text(&file["code"]))).collect(),
            css: text(&value["css"]),
            tokens: if tokens.is_object() {
                serde_json::to_string_pretty(tokens).unwrap_or_default()
            } else {
                String::new()
            },
            auto_detected: value["autoDetected"].as_bool().unwrap_or_default(),
            theme: text(&value["theme"]),
            coverage: text(&value["summary"]["styledCoverage"]),
            sections: list(&value["sections"]).map(|section| Section::new(section, &selector)).collect(),
            selector,
            preview: sources.in_document(&text(&value["preview"])),
        }
    }
}

impl CodeView {
    /// Returns the name of the language of one of its files for the highlighter.
    pub(crate) fn language_of(&self, file_name: &str) -> &'static str {
        language_of(file_name)
    }
}

/// Returns the names of the files of a component and of its stylesheet.
pub(super) fn file_names(value: &Value, language: CodeLanguage) -> (String, String) {
    let name: String = text(&value["defaultName"]).chars().filter(char::is_ascii_alphanumeric).collect();
    let name = if name.is_empty() { "Section".to_owned() } else { name };
    let framework = Framework::parse(&text(&value["framework"])).unwrap_or(Framework::Html);
    let scope = if value["files"].is_array() { CodeScope::Page } else { CodeScope::Section };
    let code = code_file(&name, framework, language, scope);
    let css = stylesheet_file(&code);
    (code, css)
}
