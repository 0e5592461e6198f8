//! The operator's terms, privacy notice and imprint, as pages.

use crate::config::Config;
use crate::error::ConsoleError;
use crate::view::markdown;

/// Begins a gap of the templates that the operator has to fill.
const GAP: &str = "[[";

/// The operator's texts as HTML.
pub(crate) struct LegalTexts {
    /// The terms; `None`: this installation has none.
    pub(crate) terms: Option<String>,
    /// The privacy notice; `None`: this installation has none.
    pub(crate) privacy: Option<String>,
    /// The imprint; `None`: this installation has none.
    pub(crate) imprint: Option<String>,
}

/// The texts that pages link to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LegalLinks {
    pub(crate) has_terms: bool,
    pub(crate) has_privacy: bool,
    pub(crate) has_imprint: bool,
}

impl LegalTexts {
    /// # Errors
    /// A text still has a gap of the template.
    pub(crate) fn new(config: &Config) -> Result<Self, ConsoleError> {
        let page = |setting: &str, text: Option<&str>| {
            text.map(|text| filled(setting, text).map(markdown::to_html)).transpose()
        };
        Ok(Self {
            terms: page("console.terms_file", config.terms.as_deref())?,
            privacy: page("console.privacy_file", config.privacy.as_deref())?,
            imprint: page("console.imprint_file", config.imprint.as_deref())?,
        })
    }

    pub(crate) fn links(&self) -> LegalLinks {
        LegalLinks {
            has_terms: self.terms.is_some(),
            has_privacy: self.privacy.is_some(),
            has_imprint: self.imprint.is_some(),
        }
    }
}

/// Returns the text if the operator has filled every gap.
fn filled<'a>(setting: &str, text: &'a str) -> Result<&'a str, ConsoleError> {
    let Some((before, gap)) = text.split_once(GAP) else { return Ok(text) };
    let gap: String = gap.chars().take_while(|c| !matches!(c, ']' | '\n')).take(60).collect();
    let line = before.lines().count().max(1);
    Err(ConsoleError::Config(format!("{setting}: line {line} is to be filled in: [[{gap}…]]")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unfilled_templates_are_refused() {
        let templates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/legal");
        for template in ["terms.md", "privacy.md", "imprint.md"] {
            let template = std::fs::read_to_string(templates.join(template)).unwrap();
            let refused = filled("console.terms_file", &template).unwrap_err().to_string();
            assert!(refused.starts_with("console.terms_file: line 1 is to be filled in: [[Template"), "{refused}");
        }
        let refused = filled("console.terms_file", "# Terms\n\nOf [[your company]].").unwrap_err().to_string();
        assert_eq!(refused, "console.terms_file: line 3 is to be filled in: [[your company…]]");
        assert_eq!(filled("console.terms_file", "# Terms [1]").unwrap(), "# Terms [1]");
    }
}
