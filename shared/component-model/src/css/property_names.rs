//! Names of properties and of their shorthands.

/// Returns true if a property is `prefix`, or begins with it and a hyphen.
pub fn is_or_begins(name: &str, prefix: &str) -> bool {
    name.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}
