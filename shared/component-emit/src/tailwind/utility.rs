//! Defines a utility without its variants.

use std::borrow::Cow;

/// A class such as `px-4`, with the properties that Tailwind sorts it by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Utility {
    /// The class, without variants.
    pub(super) class: String,
    /// The properties that its rule declares.
    pub(super) properties: Vec<Cow<'static, str>>,
}

impl Utility {
    /// Creates a utility whose rule declares these properties.
    pub(super) fn new(class: impl Into<String>, properties: &[&'static str]) -> Self {
        Self { class: class.into(), properties: properties.iter().map(|name| Cow::Borrowed(*name)).collect() }
    }

    /// Returns `[property:value]`; `None` if the value cannot be written so.
    pub(super) fn arbitrary_property(property: &str, value: &str) -> Option<Self> {
        let value = super::arbitrary::arbitrary(value)?;
        Some(Self { class: format!("[{property}:{value}]"), properties: vec![Cow::Owned(property.to_owned())] })
    }

    /// Returns true for a utility of the theme, without an arbitrary value.
    pub(super) fn is_theme_utility(&self) -> bool {
        !self.class.contains('[')
    }
}

/// Shortens a value that is a single custom property: `w-[var(--size)]` → `w-(--size)`.
pub(super) fn canonical(class: &str) -> Cow<'_, str> {
    let parts = class.split_once("-[var(").and_then(|(root, rest)| Some((root, rest.strip_suffix(")]")?)));
    match parts {
        Some((root, name)) if !name.contains([')', ',']) => Cow::Owned(format!("{root}-({name})")),
        _ => Cow::Borrowed(class),
    }
}
