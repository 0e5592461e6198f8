//! A utility without its variants.

use std::borrow::Cow;

/// A class such as `px-4`, and what Tailwind sorts it by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Utility {
    /// The class, without variants.
    pub(super) class: String,
    /// The properties that its rule declares.
    pub(super) properties: Vec<Cow<'static, str>>,
}

impl Utility {
    /// A utility whose rule declares these properties.
    pub(super) fn new(class: impl Into<String>, properties: &[&'static str]) -> Self {
        Self { class: class.into(), properties: properties.iter().map(|name| Cow::Borrowed(*name)).collect() }
    }

    /// `[property:value]`; `None` when the value cannot be written so.
    pub(super) fn arbitrary_property(property: &str, value: &str) -> Option<Self> {
        let value = super::arbitrary::arbitrary(value)?;
        Some(Self { class: format!("[{property}:{value}]"), properties: vec![Cow::Owned(property.to_owned())] })
    }

    /// Whether it is a utility of the theme, not an arbitrary value.
    pub(super) fn is_named(&self) -> bool {
        !self.class.contains('[')
    }
}

/// A value that is nothing but a custom property has brackets of its own: `w-(--size)`.
pub(super) fn canonical(class: &str) -> Cow<'_, str> {
    let parts = class.split_once("-[var(").and_then(|(root, rest)| Some((root, rest.strip_suffix(")]")?)));
    match parts {
        Some((root, name)) if !name.contains([')', ',']) => Cow::Owned(format!("{root}-({name})")),
        _ => Cow::Borrowed(class),
    }
}
