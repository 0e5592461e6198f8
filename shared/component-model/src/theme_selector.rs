//! Defines the selectors by which a page switches its theme.

use limner_page::dom::escape_identifier;

/// A theme selector: a class or attribute of the root that selects a theme.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum ThemeSelector {
    /// A class.
    Class(String),
    /// An attribute with a value, which may be empty.
    Attribute(String, String),
}

impl ThemeSelector {
    /// Returns the CSS selector of elements that have it.
    pub fn selector(&self) -> String {
        match self {
            Self::Class(name) => format!(".{}", escape_identifier(name)),
            Self::Attribute(name, value) if value.is_empty() => format!("[{}]", escape_identifier(name)),
            Self::Attribute(name, value) => {
                let value = value.replace('\\', "\\\\").replace('"', "\\\"");
                format!("[{}=\"{value}\"]", escape_identifier(name))
            }
        }
    }

    /// Returns the name and value of the attribute.
    pub fn attribute(&self) -> (&str, &str) {
        match self {
            Self::Class(name) => ("class", name),
            Self::Attribute(name, value) => (name, value),
        }
    }

    /// Returns true if both are values of one attribute.
    pub fn is_alternative_to(&self, other: &Self) -> bool {
        matches!((self, other), (Self::Attribute(one, _), Self::Attribute(other, _)) if one == other)
    }
}
