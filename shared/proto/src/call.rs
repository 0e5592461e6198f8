//! Conversion between [`v1::Call`] and the parsed request.

use crate::v1;
use limner_types::request::CodeOptions;
use limner_types::{
    BrandScope, CodeLanguage, CodeScope, Framework, Operation, OperationOptions, OperationRequest, Screenshot,
    SectionRole, Theme, TokenFormat, TokenScope, WireEnum,
};

/// A value on the wire that this build does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidCall(pub String);

impl std::fmt::Display for InvalidCall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "invalid call: {}", self.0)
    }
}

impl std::error::Error for InvalidCall {}

impl From<&OperationRequest> for v1::Call {
    fn from(request: &OperationRequest) -> Self {
        let mut call = v1::Call {
            operation: request.operation.to_string(),
            render: request.render,
            screenshot: request.screenshot.map(|s| s.to_string()).unwrap_or_default(),
            ..Self::default()
        };
        match &request.options {
            OperationOptions::None => {}
            OperationOptions::Brand { scope } => call.scope = scope.to_string(),
            OperationOptions::Extract { format, scope } => {
                (call.format, call.scope) = (format.to_string(), scope.to_string());
            }
            OperationOptions::Code(code) => {
                call.code = Some(v1::CodeOptions {
                    selector: code.selector.clone(),
                    section: code.section.map(|s| s.to_string()),
                    framework: code.framework.to_string(),
                    name: code.name.clone(),
                    theme: code.theme.to_string(),
                    language: code.language.to_string(),
                    preview: code.preview,
                    scope: code.scope.to_string(),
                });
            }
        }
        call
    }
}

impl v1::Call {
    /// Returns the request that this call represents, for the page at `url`.
    ///
    /// # Errors
    /// A value that is in none of the closed sets.
    pub fn to_request(&self, url: &str) -> Result<OperationRequest, InvalidCall> {
        let operation: Operation = parse_enum("operation", &self.operation)?;
        let options = match operation {
            Operation::Extract => OperationOptions::Extract {
                format: word_or("format", &self.format, TokenFormat::Json)?,
                scope: word_or("scope", &self.scope, TokenScope::Sheet)?,
            },
            Operation::Brand => OperationOptions::Brand { scope: word_or("scope", &self.scope, BrandScope::Usual)? },
            Operation::Code => OperationOptions::Code(code_options(self.code.as_ref())?),
            _ => OperationOptions::None,
        };
        let screenshot = match self.screenshot.as_str() {
            "" => None,
            some => Some(parse_enum::<Screenshot>("screenshot", some)?),
        };
        Ok(OperationRequest {
            operation,
            url: url.to_owned(),
            render: self.render,
            fresh: false,
            screenshot,
            fields: None,
            options,
        })
    }
}

fn code_options(code: Option<&v1::CodeOptions>) -> Result<CodeOptions, InvalidCall> {
    let empty = v1::CodeOptions::default();
    let code = code.unwrap_or(&empty);
    let section = code.section.as_deref().map(|s| parse_enum::<SectionRole>("section", s)).transpose()?;
    Ok(CodeOptions {
        selector: code.selector.clone(),
        section,
        framework: word_or("framework", &code.framework, Framework::Tailwind)?,
        name: code.name.clone(),
        theme: word_or("theme", &code.theme, Theme::Light)?,
        language: word_or("language", &code.language, CodeLanguage::Js)?,
        preview: code.preview,
        scope: word_or("scope", &code.scope, CodeScope::Section)?,
    })
}

fn parse_enum<T: WireEnum>(what: &str, value: &str) -> Result<T, InvalidCall> {
    T::parse(value)
        .ok_or_else(|| InvalidCall(format!("`{value}` is not a valid {what}. Valid values: {}", T::valid_values())))
}

fn word_or<T: WireEnum>(what: &str, value: &str, default: T) -> Result<T, InvalidCall> {
    if value.is_empty() { Ok(default) } else { parse_enum(what, value) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use limner_types::request::parse;

    #[test]
    fn every_option_round_trips() {
        let query = [
            ("url", "https://a.com/"),
            ("framework", "jsx"),
            ("name", "Hero"),
            ("section", "faq"),
            ("theme", "dark"),
            ("language", "ts"),
            ("preview", "true"),
            ("selector", "main > p"),
            ("render", "true"),
            ("screenshot", "full"),
        ];
        let pairs: Vec<(String, String)> = query.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        let request = parse(Operation::Code, &pairs).unwrap().request;
        assert_eq!(v1::Call::from(&request).to_request("https://a.com/").unwrap(), request);
        let page = [("url", "https://a.com/"), ("framework", "vue"), ("scope", "page")];
        let pairs: Vec<(String, String)> = page.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        let request = parse(Operation::Code, &pairs).unwrap().request;
        assert_eq!(v1::Call::from(&request).to_request("https://a.com/").unwrap(), request);
    }

    #[test]
    fn options_of_tokens_round_trip() {
        let query = [("url", "https://a.com/"), ("format", "css"), ("scope", "page")];
        let pairs: Vec<(String, String)> = query.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        let request = parse(Operation::Extract, &pairs).unwrap().request;
        assert_eq!(v1::Call::from(&request).to_request("https://a.com/").unwrap(), request);
        // A caller of the last release sends no scope.
        let older = v1::Call { scope: String::new(), ..v1::Call::from(&request) }.to_request("https://a.com/").unwrap();
        let sheet = OperationOptions::Extract { format: TokenFormat::Css, scope: TokenScope::Sheet };
        assert_eq!(older.options, sheet);
    }

    #[test]
    fn unknown_values_are_named() {
        let call = v1::Call { operation: "paint".to_owned(), ..v1::Call::default() };
        assert!(call.to_request("").unwrap_err().0.contains("paint"));
    }
}
