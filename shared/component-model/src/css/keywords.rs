//! Keywords that every property accepts, and those of lists of fonts.

use limner_css_values::property::is_generic_family;

/// Returns true for CSS-wide keywords.
pub(crate) fn is_css_wide(value: &str) -> bool {
    matches!(value, "inherit" | "initial" | "unset" | "revert" | "revert-layer")
}

/// Returns true for a name that is a font of that name only in quotes (<https://drafts.csswg.org/css-fonts-4/#family-name-syntax>).
pub fn is_reserved_family(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    is_css_wide(&name) || is_generic_family(&name) || matches!(name.as_str(), "emoji" | "fangsong" | "default")
}
