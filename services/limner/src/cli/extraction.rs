//! The command line of what reads pages: `limner extract` and `limner diff`.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use limner_types::{
    BrandScope, CodeLanguage, CodeScope, Framework, Operation, Screenshot, SectionRole, Theme, TokenFormat, TokenScope,
    WireEnum,
};
use serde_json::Value;
use std::fmt;
use std::path::PathBuf;

/// An operation, by its name on the command line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OperationName(pub(crate) Operation);

impl ValueEnum for OperationName {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Self(Operation::Code),
            Self(Operation::Brand),
            Self(Operation::Extract),
            Self(Operation::Images),
            Self(Operation::Svg),
            Self(Operation::Videos),
            Self(Operation::Audio),
            Self(Operation::Lottie),
            Self(Operation::Fonts),
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let value = PossibleValue::new(self.as_str());
        Some(if self.0 == Operation::Extract { value.alias("extract") } else { value })
    }
}

impl OperationName {
    /// Returns the name.
    pub(crate) fn as_str(self) -> &'static str {
        match self.0 {
            Operation::Extract => "tokens",
            operation => operation.as_str(),
        }
    }
}

impl fmt::Display for OperationName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Returns a parser of the operations whose results are compared.
fn compared_operations() -> impl TypedValueParser<Value = OperationName> {
    let operations = [Operation::Extract, Operation::Brand, Operation::Code].map(OperationName);
    PossibleValuesParser::new(operations.iter().filter_map(ValueEnum::to_possible_value))
        .try_map(|name| OperationName::from_str(&name, false))
}

/// Returns a parser of the values of a parameter, which help and completions list.
fn values_of<T: WireEnum>() -> PossibleValuesParser {
    PossibleValuesParser::new(T::ALL.iter().map(|value| value.as_str()))
}

fn booleans() -> PossibleValuesParser {
    PossibleValuesParser::new(["true", "false"])
}

fn screenshots() -> PossibleValuesParser {
    PossibleValuesParser::new(Screenshot::ALL.iter().map(|extent| extent.as_str()).chain(["false"]))
}

/// Returns a parser of the scopes of all operations, each once.
fn scopes() -> PossibleValuesParser {
    let mut scopes: Vec<&str> = CodeScope::ALL.iter().map(|scope| scope.as_str()).collect();
    let others = TokenScope::ALL.iter().map(|scope| scope.as_str());
    for scope in others.chain(BrandScope::ALL.iter().map(|scope| scope.as_str())) {
        if !scopes.contains(&scope) {
            scopes.push(scope);
        }
    }
    PossibleValuesParser::new(scopes)
}

#[derive(Debug, Args)]
pub(crate) struct ExtractArgs {
    /// The operation
    #[arg(value_name = "OP")]
    pub(crate) operation: OperationName,
    /// The page's URL, or several; https:// is assumed when the scheme is missing
    #[arg(value_name = "URL", required = true)]
    pub(crate) urls: Vec<String>,
    /// Print the result as JSON instead of a summary; of several pages, one line for each
    #[arg(long)]
    pub(crate) json: bool,
    /// code: print the component's code and no summary, as when standard output is not a terminal. Files of tokens
    /// (--format) are always printed
    #[arg(long, conflicts_with = "json")]
    pub(crate) print: bool,
    /// Also write the result, and the files that it lists, into this directory; of several pages, into one below it each
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// tokens: one result with the values of all pages
    #[arg(long)]
    pub(crate) merge: bool,
    /// With --out: do not download the files that the result lists
    #[arg(long, requires = "out")]
    pub(crate) no_download: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    #[command(flatten)]
    pub(crate) parameters: Parameters,
}

/// The reader of pages: this process, or a Limner that runs elsewhere.
#[derive(Debug, Args)]
pub(crate) struct ReadArgs {
    /// Never use a browser, not even for a page that is empty or refused without one
    #[arg(long, conflicts_with = "render")]
    pub(crate) no_browser: bool,
    /// Let the Limner at this URL extract, with the account of the key, instead of this process
    #[arg(long, value_name = "URL", env = super::url_variable())]
    pub(crate) api: Option<String>,
    /// With --api: the API key; LIMNER_API_KEY is safer, because arguments are visible in process lists
    #[arg(long, value_name = "KEY", requires = "api")]
    pub(crate) key: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// A page's URL, or a JSON file that `limner extract` wrote
    #[arg(value_name = "A")]
    pub(crate) before: String,
    /// Like A; what has changed since A is shown
    #[arg(value_name = "B")]
    pub(crate) after: String,
    /// The results to compare: tokens, brand, or code (the looks of a section); default: what a file has, otherwise tokens
    #[arg(long = "op", value_name = "OP", value_parser = compared_operations())]
    pub(crate) operation: Option<OperationName>,
    /// Exit with status 1 if there are more differences than this
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) threshold: usize,
    /// Colours that are at most this far apart (CIEDE2000) are the same; an eye sees a difference from about 1 on
    #[arg(long, value_name = "DELTA_E", default_value_t = 1.0)]
    pub(crate) tolerance: f64,
    /// Print the differences as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    #[command(flatten)]
    pub(crate) parameters: Parameters,
}

/// The query parameters of the API, by the same names.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Parameters of the API")]
pub(crate) struct Parameters {
    /// Load the page in a browser and run its scripts first
    #[arg(long, value_name = "BOOL", value_parser = booleans(), num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    render: Option<String>,
    /// With --api: skip the cache and replace its copy. Nothing is cached here
    #[arg(long, value_name = "BOOL", value_parser = booleans(), num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    fresh: Option<String>,
    /// Capture a screenshot of the viewport (`true`) or of the whole page; needs --render
    #[arg(long, value_name = "EXTENT", value_parser = screenshots())]
    screenshot: Option<String>,
    /// Only these fields, separated by commas
    #[arg(long, value_name = "A,B")]
    fields: Vec<String>,
    /// code: the section to extract
    #[arg(long, value_name = "CSS")]
    selector: Option<String>,
    /// code: the form of the component; tailwind by default
    #[arg(long, value_parser = values_of::<Framework>())]
    framework: Option<String>,
    /// code: the part of the page
    #[arg(long, value_parser = values_of::<SectionRole>())]
    section: Option<String>,
    /// code: the component's name in jsx
    #[arg(long)]
    name: Option<String>,
    /// code: the theme that is captured
    #[arg(long, value_parser = values_of::<Theme>())]
    theme: Option<String>,
    /// code: the language of jsx and vue
    #[arg(long, value_parser = values_of::<CodeLanguage>())]
    language: Option<String>,
    /// code: `true` adds the component as a page that any browser shows
    #[arg(long, value_name = "BOOL", value_parser = booleans(), num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    preview: Option<String>,
    /// tokens: the form of the result
    #[arg(long, value_parser = values_of::<TokenFormat>())]
    format: Option<String>,
    /// code: section or page (all sections, and what composes them). tokens: sheet (all values of the stylesheets) or page
    /// (those that elements of the page have). brand: brand or all (also the colours of each scheme, a contrast report and
    /// components)
    #[arg(long, value_parser = scopes())]
    scope: Option<String>,
}

impl Parameters {
    /// Returns the parameters for the looks of a section, which are compared in HTML: of the section that an earlier result
    /// is of, unless one is named. A whole page (`scope=page`, or an earlier result of `body`) has no section to name.
    pub(crate) fn for_looks(&self, earlier: Option<&Value>) -> Self {
        let kept = |member: &str| earlier.and_then(|earlier| earlier[member].as_str()).map(str::to_owned);
        let is_named = self.selector.is_some() || self.section.is_some();
        let selector = if is_named { self.selector.clone() } else { kept("selector") };
        let is_page = match &self.scope {
            Some(scope) => scope == "page",
            None => !is_named && selector.as_deref() == Some("body"),
        };
        let (selector, scope) = if is_page { (None, Some("page".to_owned())) } else { (selector, self.scope.clone()) };
        let theme = self.theme.clone().or_else(|| kept("theme"));
        let framework = self.framework.clone().or_else(|| Some("html".to_owned()));
        Self { selector, scope, theme, framework, ..self.clone() }
    }

    /// Returns the parameters for a brand that is compared: with contrasts and components if the earlier result has them.
    pub(crate) fn for_brand(&self, earlier: Option<&Value>) -> Self {
        let has_all = earlier.is_some_and(|earlier| earlier.get("components").is_some());
        let scope = self.scope.clone().or_else(|| has_all.then(|| "all".to_owned()));
        Self { scope, ..self.clone() }
    }

    /// Returns the fields that were asked for, if any were.
    pub(crate) fn fields(&self) -> Option<Vec<&str>> {
        let fields = self.fields.iter().flat_map(|list| list.split(',')).map(str::trim);
        (!self.fields.is_empty()).then(|| fields.collect())
    }

    /// Returns the query pairs of the parameters.
    pub(crate) fn pairs(&self) -> Vec<(String, String)> {
        let given = [
            ("render", &self.render),
            ("fresh", &self.fresh),
            ("screenshot", &self.screenshot),
            ("selector", &self.selector),
            ("framework", &self.framework),
            ("section", &self.section),
            ("name", &self.name),
            ("theme", &self.theme),
            ("language", &self.language),
            ("preview", &self.preview),
            ("format", &self.format),
            ("scope", &self.scope),
        ];
        let given = given.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
        let fields = self.fields.iter().map(|list| ("fields", list));
        given.chain(fields).map(|(name, value)| (name.to_owned(), value.clone())).collect()
    }
}
