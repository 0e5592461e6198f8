//! Keywords that every property accepts.

/// Returns true for CSS-wide keywords.
pub(crate) fn is_css_wide(value: &str) -> bool {
    matches!(value, "inherit" | "initial" | "unset" | "revert" | "revert-layer")
}
