//! Functions in a page's values that need more than the cascade.

use crate::property::DeclaredValue;
use crate::sheet::{Declaration, DeclarationMeaning};

/// The functions in the values of a page.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ValueFeatures {
    /// Some value depends on the element itself, so that elements with the same rules may have different styles:
    /// `attr()`, `sibling-index()`.
    pub(crate) by_element: bool,
    /// Some value has conditions of its own: `if()`, custom functions.
    pub(crate) conditional: bool,
}

impl ValueFeatures {
    /// Reads the declarations of a page, and the values in its custom functions.
    pub(crate) fn from_values<'v>(
        declarations: impl Iterator<Item = &'v Declaration>,
        functions: impl Iterator<Item = &'v str>,
    ) -> Self {
        let mut features = Self::default();
        declarations.filter(|own| has_references(own)).for_each(|own| features.add(&own.value));
        for value in functions {
            features.conditional = true;
            features.add(value);
        }
        features
    }

    fn add(&mut self, value: &str) {
        self.by_element |= contains(value, "sibling-") || contains(value, "attr(");
        self.conditional |= contains_conditional(value);
    }
}

/// Returns true if the functions of a value are replaced before it is parsed.
fn has_references(declaration: &Declaration) -> bool {
    match &declaration.effect {
        DeclarationMeaning::Custom(_) => declaration.value.contains('('),
        DeclarationMeaning::Longhands(list) => list.first().is_some_and(|own| own.value == DeclaredValue::Pending),
        DeclarationMeaning::Invalid => false,
    }
}

/// Returns true if a value may contain `if()`.
pub(crate) fn contains_conditional(value: &str) -> bool {
    contains(value, "if(")
}

/// Returns true if a value contains a part of a function's name, in any case.
pub(crate) fn contains(value: &str, name: &str) -> bool {
    value.as_bytes().windows(name.len()).any(|window| window.eq_ignore_ascii_case(name.as_bytes()))
}
