//! Parses tool arguments into API calls. Every error message tells the model how to correct the call.

use limner_types::{Operation, WireEnum};
use serde_json::{Map, Value};

/// One tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ToolName {
    DesignTokens,
    Svgs,
    Code,
    Brand,
    Assets,
}

impl ToolName {
    pub(crate) const ALL: [Self; 5] = [Self::DesignTokens, Self::Brand, Self::Code, Self::Svgs, Self::Assets];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::DesignTokens => "extract_design_tokens",
            Self::Svgs => "extract_svgs",
            Self::Code => "extract_code",
            Self::Brand => "extract_brand",
            Self::Assets => "extract_assets",
        }
    }

    pub(crate) fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.as_str() == name)
    }

    /// Returns the operation it calls; `None`: the operations in `kinds`.
    pub(crate) fn operation(self) -> Option<Operation> {
        match self {
            Self::DesignTokens => Some(Operation::Extract),
            Self::Svgs => Some(Operation::Svg),
            Self::Code => Some(Operation::Code),
            Self::Brand => Some(Operation::Brand),
            Self::Assets => None,
        }
    }

    /// Returns the arguments that only some tools have.
    pub(crate) fn specific_arguments(self) -> &'static [&'static str] {
        match self {
            Self::DesignTokens => &["format", "scope", "fields"],
            Self::Svgs => &[],
            Self::Code => &["framework", "language", "section", "selector", "scope", "theme", "name", "fields"],
            Self::Brand => &["scope", "fields"],
            Self::Assets => &["kinds", "animations"],
        }
    }
}

/// The arguments that every tool has.
pub(crate) const COMMON: [&str; 5] = ["url", "render", "fresh", "screenshot", "page"];
/// The operations that `extract_assets` bundles.
pub(crate) const KINDS: [Operation; 5] =
    [Operation::Images, Operation::Videos, Operation::Audio, Operation::Lottie, Operation::Fonts];
/// Fields of `extract_code` by default: the theme's tokens and lists of files would fill a model's context.
pub(crate) const CODE_FIELDS: &str = "code,files,css,theme,selector,autoDetected,sections,framework";

/// A tool call with parsed arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ToolCall {
    pub(crate) tool: ToolName,
    pub(crate) url: String,
    pub(crate) operations: Vec<Operation>,
    /// The parameters of the HTTP API.
    pub(crate) query: Vec<(String, String)>,
    /// The page of the result, from 1.
    pub(crate) page: usize,
    /// True if the JSON of animations is included.
    pub(crate) animations: bool,
    pub(crate) renders: bool,
}

impl ToolCall {
    /// Parses the arguments of a call.
    ///
    /// # Errors
    /// The error message for the model.
    pub(crate) fn parse(tool: ToolName, arguments: &Map<String, Value>) -> Result<Self, String> {
        let known = || COMMON.iter().chain(tool.specific_arguments());
        if let Some(unknown) = arguments.keys().find(|name| !known().any(|known| known == name)) {
            let list: Vec<&str> = known().copied().collect();
            return Err(format!("`{unknown}` is not an argument of {}. It has: {}.", tool.as_str(), list.join(", ")));
        }
        let given = ToolArguments(arguments);
        let url = given.text("url")?.ok_or("`url` is missing: give the address of a public web page.")?.to_owned();
        let screenshot = given.choice("screenshot", &["viewport", "full"])?;
        let renders = given.flag("render")? || screenshot.is_some();
        let page = given.page()?;
        let mut query = vec![("url".to_owned(), url.clone())];
        let mut add = |name: &str, value: Option<String>| query.extend(value.map(|value| (name.to_owned(), value)));
        add("render", renders.then(|| "true".to_owned()));
        // Further pages belong to the same result as the first one.
        add("fresh", (given.flag("fresh")? && page == 1).then(|| "true".to_owned()));
        add("screenshot", screenshot.map(|extent| if extent == "full" { "full" } else { "true" }.to_owned()));
        for name in tool.specific_arguments() {
            match *name {
                "kinds" | "animations" => {}
                "fields" => add("fields", given.fields()?),
                name => add(name, given.text(name)?.map(str::to_owned)),
            }
        }
        if tool == ToolName::Code && !arguments.contains_key("fields") {
            add("fields", Some(CODE_FIELDS.to_owned()));
        }
        let operations = match tool.operation() {
            Some(operation) => vec![operation],
            None => given.kinds()?,
        };
        Ok(Self { tool, url, operations, query, page, animations: given.flag("animations")?, renders })
    }
}

struct ToolArguments<'a>(&'a Map<String, Value>);

impl<'a> ToolArguments<'a> {
    /// Returns an argument; null is treated as missing.
    fn get(&self, name: &str) -> Option<&'a Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    fn text(&self, name: &str) -> Result<Option<&'a str>, String> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::String(text)) if !text.trim().is_empty() => Ok(Some(text.trim())),
            Some(_) => Err(format!("`{name}` must be a text that is not empty.")),
        }
    }

    fn flag(&self, name: &str) -> Result<bool, String> {
        match self.get(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(format!("`{name}` must be true or false.")),
        }
    }

    fn choice(&self, name: &str, words: &[&'static str]) -> Result<Option<&'static str>, String> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        let found = words.iter().copied().find(|word| *word == text);
        found.map(Some).ok_or_else(|| format!("`{name}` must be one of {}.", words.join(", ")))
    }

    fn string_list(&self, name: &str) -> Result<Option<Vec<&'a str>>, String> {
        let wrong = || format!("`{name}` must be a list of texts.");
        match self.get(name) {
            None => Ok(None),
            Some(Value::Array(items)) => {
                items.iter().map(|item| item.as_str().ok_or_else(wrong)).collect::<Result<_, _>>().map(Some)
            }
            // Many models write lists as a string.
            Some(Value::String(list)) => Ok(Some(list.split(',').map(str::trim).collect())),
            Some(_) => Err(wrong()),
        }
    }

    fn fields(&self) -> Result<Option<String>, String> {
        Ok(self.string_list("fields")?.filter(|fields| !fields.is_empty()).map(|fields| fields.join(",")))
    }

    fn kinds(&self) -> Result<Vec<Operation>, String> {
        let list = KINDS.map(Operation::as_str).join(", ");
        let given = self.string_list("kinds")?.filter(|kinds| !kinds.is_empty());
        let given = given.ok_or_else(|| format!("`kinds` is missing: a list with some of {list}."))?;
        let mut kinds = Vec::new();
        for word in given {
            let kind = Operation::parse(word).filter(|kind| KINDS.contains(kind));
            let kind = kind.ok_or_else(|| format!("`{word}` is not one of the kinds: {list}."))?;
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        Ok(kinds)
    }

    fn page(&self) -> Result<usize, String> {
        match self.get("page") {
            None => Ok(1),
            Some(value) => {
                let page = value.as_u64().filter(|page| *page >= 1).and_then(|page| usize::try_from(page).ok());
                page.ok_or_else(|| "`page` must be a whole number from 1.".to_owned())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn parse(tool: ToolName, arguments: &Value) -> Result<ToolCall, String> {
        ToolCall::parse(tool, arguments.as_object().unwrap())
    }

    #[test]
    fn guide_names_every_argument() {
        let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/../console/guides/mcp.md");
        let guide = std::fs::read_to_string(guide).unwrap();
        for tool in ToolName::ALL {
            for name in COMMON.iter().chain(tool.specific_arguments()) {
                assert!(guide.contains(&format!("`{name}`")), "{name} of {}", tool.as_str());
            }
        }
    }

    #[test]
    fn arguments_become_api_parameters() {
        let query = |tool, arguments: &Value| {
            let wish = parse(tool, arguments).unwrap();
            let pairs: Vec<String> = wish.query.iter().map(|(name, value)| format!("{name}={value}")).collect();
            pairs.join("&")
        };
        let table = [
            (ToolName::Brand, json!({ "url": " a.com " }), "url=a.com"),
            (ToolName::Brand, json!({ "url": "a.com", "render": false, "fields": null }), "url=a.com"),
            (ToolName::Brand, json!({ "url": "a.com", "fields": ["colors", "logo"] }), "url=a.com&fields=colors,logo"),
            (
                ToolName::Svgs,
                json!({ "url": "a.com", "screenshot": "viewport" }),
                "url=a.com&render=true&screenshot=true",
            ),
            (ToolName::Svgs, json!({ "url": "a.com", "screenshot": "full" }), "url=a.com&render=true&screenshot=full"),
            (
                ToolName::DesignTokens,
                json!({ "url": "a.com", "format": "css", "scope": "page", "fresh": true }),
                "url=a.com&fresh=true&format=css&scope=page",
            ),
            (
                ToolName::Code,
                json!({ "url": "a.com", "framework": "jsx", "section": "hero", "fields": "code, css" }),
                "url=a.com&framework=jsx&section=hero&fields=code,css",
            ),
        ];
        for (tool, arguments, expected) in table {
            assert_eq!(query(tool, &arguments), expected, "{arguments}");
        }
        assert!(query(ToolName::Code, &json!({ "url": "a.com" })).ends_with(CODE_FIELDS));
        let assets =
            parse(ToolName::Assets, &json!({ "url": "a.com", "kinds": ["fonts", "images", "fonts"] })).unwrap();
        assert_eq!(assets.operations, [Operation::Fonts, Operation::Images]);
    }

    #[test]
    fn errors_explain_the_correct_call() {
        let table = [
            (ToolName::Brand, json!({}), "`url` is missing"),
            (ToolName::Brand, json!({ "url": " " }), "must be a text"),
            (ToolName::Brand, json!({ "url": 7 }), "must be a text"),
            (ToolName::Brand, json!({ "url": "a", "kinds": [] }), "is not an argument of extract_brand"),
            (ToolName::Brand, json!({ "url": "a", "render": "yes" }), "true or false"),
            (ToolName::Brand, json!({ "url": "a", "screenshot": "half" }), "viewport, full"),
            (ToolName::Brand, json!({ "url": "a", "page": 0 }), "from 1"),
            (ToolName::Brand, json!({ "url": "a", "fields": [1] }), "a list of texts"),
            (ToolName::Assets, json!({ "url": "a" }), "images, videos, audio, lottie, fonts"),
            (ToolName::Assets, json!({ "url": "a", "kinds": ["svg"] }), "`svg` is not one of the kinds"),
        ];
        for (tool, arguments, says) in table {
            let fault = parse(tool, &arguments).unwrap_err();
            assert!(fault.contains(says), "{arguments}: {fault}");
        }
    }
}
