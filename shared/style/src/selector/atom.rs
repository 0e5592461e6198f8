//! Interned strings with the traits that the `selectors` crate requires.

use cssparser::{ToCss, serialize_identifier, serialize_string};
use markup5ever::LocalName;
use precomputed_hash::PrecomputedHash;
use std::borrow::Borrow;
use std::fmt;

/// An identifier: element, class, id or custom property name.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub(crate) struct Atom(pub(crate) LocalName);

impl Atom {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Atom {
    fn from(text: &str) -> Self {
        Self(LocalName::from(text))
    }
}

impl Borrow<LocalName> for Atom {
    fn borrow(&self) -> &LocalName {
        &self.0
    }
}

impl AsRef<str> for Atom {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl ToCss for Atom {
    fn to_css<W: fmt::Write>(&self, dest: &mut W) -> fmt::Result {
        serialize_identifier(&self.0, dest)
    }
}

impl PrecomputedHash for Atom {
    fn precomputed_hash(&self) -> u32 {
        self.0.precomputed_hash()
    }
}

/// An attribute's value in a selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AttributeValue(Box<str>);

impl From<&str> for AttributeValue {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl AsRef<str> for AttributeValue {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl ToCss for AttributeValue {
    fn to_css<W: fmt::Write>(&self, dest: &mut W) -> fmt::Result {
        serialize_string(&self.0, dest)
    }
}

/// A namespace URL.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct NamespaceUrl(pub(crate) markup5ever::Namespace);

impl Borrow<markup5ever::Namespace> for NamespaceUrl {
    fn borrow(&self) -> &markup5ever::Namespace {
        &self.0
    }
}

impl PrecomputedHash for NamespaceUrl {
    fn precomputed_hash(&self) -> u32 {
        self.0.precomputed_hash()
    }
}
