//! The parameters of a call, parsed and validated by the same rules for the HTTP API, the command line and MCP tools.

use crate::{
    BrandScope, CodeLanguage, CodeScope, Framework, Operation, Screenshot, SectionRole, Theme, TokenFormat, TokenScope,
    WireEnum,
};
use serde::{Deserialize, Serialize};

/// A call with validated parameters. The URL is as given by the caller; its rules are applied later.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperationRequest {
    /// The operation.
    pub operation: Operation,
    /// The page, as given (scheme optional).
    pub url: String,
    /// Load the page in a browser and run its scripts first.
    pub render: bool,
    /// Skip the cache and replace its copy.
    pub fresh: bool,
    /// Capture the page as well.
    pub screenshot: Option<Screenshot>,
    /// Response fields to keep; `None` keeps all.
    pub fields: Option<Vec<String>>,
    /// Parameters of this operation only.
    pub options: OperationOptions,
}

/// Parameters that only one operation has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum OperationOptions {
    /// The operation has none.
    None,
    /// `/brand`.
    Brand {
        /// The parts of the result.
        scope: BrandScope,
    },
    /// `/code`.
    Code(CodeOptions),
    /// `/extract`.
    Extract {
        /// Output form.
        format: TokenFormat,
        /// The values to return.
        scope: TokenScope,
    },
}

/// Parameters of `/code`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeOptions {
    /// CSS selector of the section; wins over `section`.
    pub selector: Option<String>,
    /// Part of the page by name.
    pub section: Option<SectionRole>,
    /// Output form.
    pub framework: Framework,
    /// Component name for `jsx`, in PascalCase. Not part of the cache key.
    pub name: Option<String>,
    /// The theme in which the component is captured.
    pub theme: Theme,
    /// The language of `jsx` and `vue`; JavaScript for the others.
    pub language: CodeLanguage,
    /// Return the component as a page that any browser shows, too.
    pub preview: bool,
    /// One section, or the whole page.
    pub scope: CodeScope,
}

/// A parsed call, and its unknown parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedRequest {
    /// The call.
    pub request: OperationRequest,
    /// Unknown parameter names in the given order, each once (`X-Ignored-Params`).
    pub ignored: Vec<String>,
    /// Names of given parameters that the framework of a component does not have.
    pub without_effect: Vec<&'static str>,
}

/// A parameter that is missing, repeated or invalid. The message lists the valid values.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct InvalidParameter {
    /// The parameter's name.
    pub parameter: String,
    /// Message for the caller.
    pub message: String,
}

impl InvalidParameter {
    /// Returns an error of `parameter`.
    pub fn new(parameter: &str, message: impl Into<String>) -> Self {
        Self { parameter: parameter.to_owned(), message: message.into() }
    }

    /// Returns the error for a `selector` that is not valid CSS.
    pub fn selector(given: &str) -> Self {
        bad_value("selector", given, "CSS selectors, such as `main > section.hero`")
    }
}

const COMMON: &[&str] = &["url", "render", "fresh", "screenshot", "fields"];
const CODE: &[&str] = &["selector", "framework", "section", "name", "theme", "language", "preview", "scope"];
const BRAND: &[&str] = &["scope"];
const EXTRACT: &[&str] = &["format", "scope"];

/// Returns the parameters of an operation, common ones first.
pub fn known_parameters(operation: Operation) -> Vec<&'static str> {
    let own: &[&str] = match operation {
        Operation::Code => CODE,
        Operation::Extract => EXTRACT,
        Operation::Brand => BRAND,
        _ => &[],
    };
    COMMON.iter().chain(own).copied().collect()
}

/// Parses the decoded query pairs of a call.
///
/// # Errors
/// The first error in this order: repeated parameters, `url`, then the others in the order of [`known_parameters`].
pub fn parse(operation: Operation, pairs: &[(String, String)]) -> Result<ParsedRequest, InvalidParameter> {
    let known = known_parameters(operation);
    let given = QueryPairs::new(&known, pairs)?;
    let url = given.address()?.trim().to_owned();
    let render = given.boolean("render")?;
    let fresh = given.boolean("fresh")?;
    let screenshot = given.screenshot(render)?;
    let fields = given.fields(operation)?;
    let mut without_effect = Vec::new();
    let options = match operation {
        Operation::Code => {
            let code = given.code()?;
            without_effect.extend(given.without_effect(code.framework));
            OperationOptions::Code(code)
        }
        Operation::Extract => OperationOptions::Extract {
            format: given.choice("format")?.unwrap_or(TokenFormat::Json),
            scope: given.choice("scope")?.unwrap_or(TokenScope::Sheet),
        },
        Operation::Brand => OperationOptions::Brand { scope: given.choice("scope")?.unwrap_or(BrandScope::Usual) },
        _ => OperationOptions::None,
    };
    let request = OperationRequest { operation, url, render, fresh, screenshot, fields, options };
    Ok(ParsedRequest { request, ignored: given.ignored, without_effect })
}

struct QueryPairs<'a> {
    values: Vec<(&'static str, &'a str)>,
    ignored: Vec<String>,
}

impl<'a> QueryPairs<'a> {
    fn new(known: &[&'static str], pairs: &'a [(String, String)]) -> Result<Self, InvalidParameter> {
        let mut given = QueryPairs { values: Vec::new(), ignored: Vec::new() };
        for (name, value) in pairs {
            match known.iter().find(|k| **k == name) {
                // Most generated clients repeat a parameter that is a list.
                Some(k) if *k != "fields" && given.get(k).is_some() => {
                    return Err(InvalidParameter::new(
                        k,
                        format!("The parameter `{k}` is given more than once. Give it once."),
                    ));
                }
                Some(k) => given.values.push((k, value)),
                None if name.is_empty() || given.ignored.iter().any(|ignored| ignored == name) => {}
                None => given.ignored.push(name.clone()),
            }
        }
        Ok(given)
    }

    fn get(&self, name: &str) -> Option<&'a str> {
        self.values.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// Returns the value of a parameter, if given. An empty value is an error: it is never what a caller means.
    fn optional(&self, name: &str, expected: impl FnOnce() -> String) -> Result<Option<&'a str>, InvalidParameter> {
        self.get(name).map(|value| not_empty(name, value, expected)).transpose()
    }

    /// Returns the required URL of the page.
    fn address(&self) -> Result<&'a str, InvalidParameter> {
        let fault = match self.get("url") {
            Some(value) if !value.trim().is_empty() => return Ok(value),
            Some(_) => "empty",
            None => "missing",
        };
        let mut message = format!(
            "The parameter `url` is {fault}. Give the address of a public web page, such as `?url=example.com`."
        );
        // Most likely the name is misspelt.
        if let Some(unknown) = self.ignored.first() {
            message.push_str(&format!(" There is no parameter `{}`.", shortened(unknown)));
        }
        Err(InvalidParameter::new("url", message))
    }

    fn boolean(&self, name: &str) -> Result<bool, InvalidParameter> {
        match self.optional(name, || "`true` or `false`".to_owned())? {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(other) => Err(bad_value(name, other, "true, false")),
        }
    }

    fn choice<T: WireEnum>(&self, name: &str) -> Result<Option<T>, InvalidParameter> {
        let Some(word) = self.optional(name, || format!("one of {}", T::valid_values()))? else { return Ok(None) };
        T::parse(word).map(Some).ok_or_else(|| bad_value(name, word, &T::valid_values()))
    }

    fn screenshot(&self, render: bool) -> Result<Option<Screenshot>, InvalidParameter> {
        let valid = "true, full, false";
        let screenshot = match self.optional("screenshot", || format!("one of {valid}"))? {
            None | Some("false") => return Ok(None),
            Some(word) => Screenshot::parse(word).ok_or_else(|| bad_value("screenshot", word, valid))?,
        };
        if !render {
            let message =
                "The parameter `screenshot` needs a browser: add `render=true` (+5 credits) or leave `screenshot` out.";
            return Err(InvalidParameter::new("screenshot", message));
        }
        Ok(Some(screenshot))
    }

    fn fields(&self, operation: Operation) -> Result<Option<Vec<String>>, InvalidParameter> {
        let allowed = operation.fields();
        let mut fields: Option<Vec<String>> = None;
        for (_, list) in self.values.iter().filter(|(name, _)| *name == "fields") {
            let list = not_empty("fields", list, || format!("a comma-separated list of {}", allowed.join(", ")))?;
            let fields = fields.get_or_insert_default();
            for name in list.split(',').map(str::trim) {
                if HEADER_FIELDS.contains(&name) {
                    let message = format!(
                        "`{name}` is not a valid value of `fields`: a result that has it always keeps it. Valid values: {}.",
                        allowed.join(", ")
                    );
                    return Err(InvalidParameter::new("fields", message));
                }
                if !allowed.contains(&name) {
                    return Err(bad_value("fields", name, &allowed.join(", ")));
                }
                if !fields.iter().any(|field| field == name) {
                    fields.push(name.to_owned());
                }
            }
        }
        Ok(fields)
    }

    fn code(&self) -> Result<CodeOptions, InvalidParameter> {
        let selector = self.optional("selector", || "a CSS selector".to_owned())?.map(trimmed_selector);
        let framework = self.choice("framework")?.unwrap_or(Framework::Tailwind);
        let section = self.choice("section")?;
        let name = match (self.optional("name", || "a component name in PascalCase".to_owned())?, framework) {
            (Some(name), Framework::Jsx) => Some(component_name(name)?),
            // Other outputs have no component name: the specification ignores it there.
            _ => None,
        };
        let theme = self.choice("theme")?.unwrap_or(Theme::Light);
        let language = self.choice("language")?.filter(|_| has_script(framework)).unwrap_or(CodeLanguage::Js);
        let preview = self.boolean("preview")?;
        let scope = self.choice("scope")?.unwrap_or(CodeScope::Section);
        if scope == CodeScope::Page && (selector.is_some() || section.is_some()) {
            let message = "`scope=page` is the whole page: leave `selector` and `section` out, or leave `scope` out.";
            return Err(InvalidParameter::new("scope", message));
        }
        Ok(CodeOptions { selector, section, framework, name, theme, language, preview, scope })
    }

    /// Returns the given parameters that a framework does not have.
    fn without_effect(&self, framework: Framework) -> impl Iterator<Item = &'static str> {
        let foreign = [("name", framework == Framework::Jsx), ("language", has_script(framework))];
        foreign.into_iter().filter(|(name, has_it)| !has_it && self.get(name).is_some()).map(|(name, _)| name)
    }
}

/// Returns true if components of the framework contain a script.
fn has_script(framework: Framework) -> bool {
    matches!(framework, Framework::Jsx | Framework::Vue)
}

/// Fields of every result, which `fields` can neither name nor leave out.
pub const HEADER_FIELDS: [&str; 5] = ["url", "hint", "screenshot", "truncated", "usage"];

fn not_empty<'a>(name: &str, value: &'a str, expected: impl FnOnce() -> String) -> Result<&'a str, InvalidParameter> {
    if value.trim().is_empty() {
        let message = format!("The parameter `{name}` is empty. Give {} or leave it out.", expected());
        return Err(InvalidParameter::new(name, message));
    }
    Ok(value)
}

fn bad_value(parameter: &str, value: &str, valid: &str) -> InvalidParameter {
    let shown = shortened(value);
    InvalidParameter::new(parameter, format!("`{shown}` is not a valid value of `{parameter}`. Valid values: {valid}."))
}

/// Returns the part of a given text that a message shows.
fn shortened(given: &str) -> String {
    given.chars().take(80).collect()
}

/// Trims white space from a selector, except an escaped space, which is part of a name.
fn trimmed_selector(given: &str) -> String {
    let trimmed = given.trim();
    let escapes = trimmed.len() - trimmed.trim_end_matches('\\').len();
    let after = given.trim_start()[trimmed.len()..].chars().next();
    trimmed.chars().chain(after.filter(|_| escapes % 2 == 1)).collect()
}

/// Normalizes a component name into PascalCase: words are split at anything that is neither a letter nor a digit.
///
/// # Errors
/// Nothing is left, or the rest does not start with a letter.
pub fn component_name(given: &str) -> Result<String, InvalidParameter> {
    let words = given.split(|c: char| !is_name_char(c)).filter(|word| !word.is_empty());
    let mut name = String::new();
    for word in words {
        let mut letters = word.chars();
        if let Some(first) = letters.next() {
            name.extend(first.to_uppercase());
            name.push_str(letters.as_str());
        }
    }
    // JSX treats a name that starts with a lower-case letter as an element.
    let valid = name.starts_with(char::is_uppercase) && name.len() <= 100;
    if valid {
        Ok(name)
    } else {
        let shown: String = given.chars().take(80).collect();
        Err(InvalidParameter::new(
            "name",
            format!(
                "`{shown}` is not a valid value of `name`. Give a component name in PascalCase, such as `PricingTable` (letters and digits, first a letter, at most 100)."
            ),
        ))
    }
}

/// Accepts ASCII letters and digits, and letters of Latin, Greek and Cyrillic: valid in identifiers in every version of
/// JavaScript.
fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || (('\u{c0}'..='\u{52f}').contains(&c) && c.is_alphabetic())
}

impl OperationRequest {
    /// Returns the credits of this call if it is answered freshly.
    pub fn price(&self) -> u32 {
        self.operation.price(self.render)
    }

    /// Returns the identity of the result, given the normalized URL: equal for two calls exactly if one may be served
    /// the other's result. `name`, `fields` and `fresh` are not part of it.
    pub fn cache_identity(&self, normalised_url: &str) -> String {
        let screenshot = self.screenshot.map_or("", WireEnum::as_str);
        let options = match &self.options {
            OperationOptions::None | OperationOptions::Brand { scope: BrandScope::Usual } => String::new(),
            OperationOptions::Brand { scope } => format!("scope={scope}"),
            OperationOptions::Extract { format, scope } => format!("format={format}&scope={scope}"),
            OperationOptions::Code(code) => {
                let section = code.section.map_or("", WireEnum::as_str);
                let selector = code.selector.as_deref().unwrap_or("");
                let language = if code.language == CodeLanguage::Ts { "&language=ts" } else { "" };
                let preview = if code.preview { "&preview=true" } else { "" };
                let scope = if code.scope == CodeScope::Page { "&scope=page" } else { "" };
                format!(
                    "framework={}&theme={}&section={section}&selector={selector}{language}{preview}{scope}",
                    code.framework, code.theme
                )
            }
        };
        format!("{}\n{normalised_url}\nrender={}\nscreenshot={screenshot}\n{options}", self.operation, self.render)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(query: &[(&str, &str)]) -> Vec<(String, String)> {
        query.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
    }

    #[test]
    fn defaults_are_those_of_the_specification() {
        let parsed = parse(Operation::Code, &pairs(&[("url", "example.com"), ("nmae", "x")])).unwrap();
        assert_eq!(parsed.ignored, ["nmae"]);
        assert!(!parsed.request.render && !parsed.request.fresh);
        let OperationOptions::Code(code) = parsed.request.options else { panic!("code options") };
        assert_eq!((code.framework, code.theme, code.selector), (Framework::Tailwind, Theme::Light, None));
    }

    #[test]
    fn errors_name_the_parameter_and_list_valid_values() {
        let table: &[(Operation, &[(&str, &str)], &str, &str)] = &[
            (Operation::Images, &[], "url", "missing"),
            (Operation::Images, &[("ulr", "a.com")], "url", "There is no parameter `ulr`."),
            (Operation::Images, &[("url", " ")], "url", "is empty. Give the address of a public web page, such as"),
            (Operation::Images, &[("url", "a.com"), ("url", "b.com")], "url", "more than once"),
            (Operation::Images, &[("url", "a.com"), ("render", "TRUE")], "render", "true, false"),
            (Operation::Images, &[("url", "a.com"), ("render", "1")], "render", "true, false"),
            (Operation::Images, &[("url", "a.com"), ("fresh", "")], "fresh", "empty"),
            (Operation::Images, &[("url", "a.com"), ("screenshot", "true")], "screenshot", "render=true"),
            (
                Operation::Images,
                &[("url", "a.com"), ("render", "true"), ("screenshot", "half")],
                "screenshot",
                "true, full, false",
            ),
            (Operation::Images, &[("url", "a.com"), ("fields", "images,svgs")], "fields", "images, count"),
            (Operation::Images, &[("url", "a.com"), ("fields", "images,,count")], "fields", "images, count"),
            // Always kept, but not a valid value.
            (Operation::Images, &[("url", "a.com"), ("fields", "url")], "fields", "images, count"),
            (Operation::Images, &[("url", "a.com"), ("fields", "screenshot")], "fields", "always keeps it"),
            (Operation::Code, &[("url", "a.com"), ("fields", "code,usage")], "fields", "code, css"),
            (Operation::Extract, &[("url", "a.com"), ("format", "JSON")], "format", "json, css, tailwind, dtcg"),
            (Operation::Extract, &[("url", "a.com"), ("scope", "all")], "scope", "sheet, page"),
            (Operation::Brand, &[("url", "a.com"), ("scope", "page")], "scope", "brand, all"),
            (
                Operation::Code,
                &[("url", "a.com"), ("framework", "svelte")],
                "framework",
                "tailwind, html, jsx, vue, elementor, shopify",
            ),
            (Operation::Code, &[("url", "a.com"), ("section", "nav")], "section", "hero, header, footer"),
            (Operation::Code, &[("url", "a.com"), ("theme", "auto")], "theme", "light, dark"),
            (Operation::Code, &[("url", "a.com"), ("framework", "jsx"), ("name", "9 lives")], "name", "PascalCase"),
            (Operation::Code, &[("url", "a.com"), ("framework", "jsx"), ("name", "")], "name", "PascalCase"),
            (Operation::Code, &[("url", "a.com"), ("name", " ")], "name", "empty"),
            (Operation::Code, &[("url", "a.com"), ("preview", "yes")], "preview", "true, false"),
        ];
        for (operation, query, parameter, says) in table {
            let fault = parse(*operation, &pairs(query)).unwrap_err();
            assert_eq!(fault.parameter, *parameter, "{query:?}");
            assert!(fault.message.contains(says), "{query:?}: {}", fault.message);
        }
    }

    #[test]
    fn parameters_that_the_framework_does_not_have_are_without_effect() {
        for (framework, without_effect) in [
            ("jsx", vec![]),
            ("vue", vec!["name"]),
            ("tailwind", vec!["name", "language"]),
            ("shopify", vec!["name", "language"]),
        ] {
            let given =
                [("url", "a.com"), ("nmae", "x"), ("name", "Hero"), ("language", "ts"), ("framework", framework)];
            let parsed = parse(Operation::Code, &pairs(&given)).unwrap();
            assert_eq!(
                (parsed.without_effect, parsed.ignored),
                (without_effect, vec!["nmae".to_owned()]),
                "{framework}"
            );
        }
    }

    #[test]
    fn whole_page_has_no_section_and_results_of_its_own() {
        let code = |query: &[(&str, &str)]| parse(Operation::Code, &pairs(query));
        for other in [("selector", "main"), ("section", "hero")] {
            let fault = code(&[("url", "a.com"), ("scope", "page"), other]).unwrap_err();
            assert_eq!(fault.parameter, "scope");
            assert!(fault.message.contains("leave `selector` and `section` out"), "{}", fault.message);
            assert!(code(&[("url", "a.com"), ("scope", "section"), other]).is_ok());
        }
        let identity = |query: &[(&str, &str)]| code(query).unwrap().request.cache_identity("https://a.com/");
        let section = identity(&[("url", "a.com")]);
        assert_eq!(identity(&[("url", "a.com"), ("scope", "section")]), section);
        assert_eq!(identity(&[("url", "a.com"), ("scope", "page")]), format!("{section}&scope=page"));
    }

    #[test]
    fn fields_may_be_repeated() {
        let fields = |given: &[&str]| {
            let query: Vec<(&str, &str)> =
                std::iter::once(("url", "a.com")).chain(given.iter().map(|list| ("fields", *list))).collect();
            parse(Operation::Brand, &pairs(&query)).map(|parsed| parsed.request.fields)
        };
        let expected = Some(vec!["colors".to_owned(), "fonts".to_owned(), "logo".to_owned()]);
        assert_eq!(fields(&["colors,fonts,logo"]).unwrap(), expected);
        assert_eq!(fields(&["colors", "fonts", "logo"]).unwrap(), expected);
        assert_eq!(fields(&["colors, fonts", "colors", "logo"]).unwrap(), expected);
        assert_eq!(fields(&[]).unwrap(), None);
        assert!(fields(&["colors", ""]).unwrap_err().message.contains("is empty"));
        assert!(fields(&["colors", "font"]).unwrap_err().message.contains("`font` is not a valid value"));
    }

    #[test]
    fn component_names_are_tidied() {
        for (given, tidy) in [
            ("pricing table", "PricingTable"),
            ("Hero", "Hero"),
            ("my-hero_2", "MyHero2"),
            ("pricing_table", "PricingTable"),
            ("été à Paris", "ÉtéÀParis"),
            ("Ⓐ цены²", "Цены"),
        ] {
            assert_eq!(component_name(given).unwrap(), tidy);
        }
        for given in ["", "1 2", "料金", "²", "-"] {
            assert!(component_name(given).is_err(), "{given}");
        }
    }

    #[test]
    fn white_space_around_a_selector_is_trimmed() {
        for (given, selector) in
            [(" .a > b ", ".a > b"), ("#\\ sp\\ ", "#\\ sp\\ "), ("#\\ sp\\   ", "#\\ sp\\ "), ("  #a\\\\ ", "#a\\\\")]
        {
            let query = pairs(&[("url", "a.com"), ("selector", given)]);
            let OperationOptions::Code(options) = parse(Operation::Code, &query).unwrap().request.options else {
                panic!()
            };
            assert_eq!(options.selector.as_deref(), Some(selector));
        }
    }

    #[test]
    fn scope_of_a_brand_is_part_of_the_cache_identity() {
        let identity = |query: &[(&str, &str)]| {
            let request = parse(Operation::Brand, &pairs(query)).unwrap().request;
            request.cache_identity("https://a.com/")
        };
        assert_eq!(identity(&[("url", "a.com")]), identity(&[("url", "a.com"), ("scope", "brand")]));
        assert_ne!(identity(&[("url", "a.com")]), identity(&[("url", "a.com"), ("scope", "all")]));
    }

    #[test]
    fn parameters_without_effect_on_the_result_are_not_in_the_cache_identity() {
        let identity = |query: &[(&str, &str)]| {
            let mut all = vec![("url", "a.com")];
            all.extend_from_slice(query);
            parse(Operation::Code, &pairs(&all)).unwrap().request.cache_identity("https://a.com/")
        };
        let plain = identity(&[]);
        assert_eq!(plain, identity(&[("fresh", "true"), ("fields", "code"), ("framework", "tailwind")]));
        assert_eq!(identity(&[("framework", "jsx"), ("name", "A")]), identity(&[("framework", "jsx"), ("name", "B")]));
        for different in
            [("theme", "dark"), ("render", "true"), ("selector", "main"), ("section", "faq"), ("preview", "true")]
        {
            assert_ne!(plain, identity(&[different]), "{different:?}");
        }
    }
}
