//! Closed string enums: the valid values of parameters.

/// A closed set of case-sensitive strings, such as the values of the `framework` parameter.
pub trait WireEnum: Sized + Copy + 'static {
    /// All values, in the order of error messages.
    const ALL: &'static [Self];

    /// Returns the string on the wire.
    fn as_str(self) -> &'static str;

    /// Returns the value of a string, case-sensitively.
    fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|choice| choice.as_str() == word)
    }

    /// Returns all strings, comma-separated, for error messages.
    fn valid_values() -> String {
        let words: Vec<&str> = Self::ALL.iter().map(|choice| choice.as_str()).collect();
        words.join(", ")
    }
}

/// Declares an enum of strings with [`WireEnum`], `Display`, serde and schema.
macro_rules! wire_enum {
    ($(#[doc = $doc:literal])+ pub enum $name:ident { $($(#[doc = $vdoc:literal])+ $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name { $($(#[doc = $vdoc])+ #[serde(rename = $word)] $variant),+ }

        // By hand: the derive ignores a `rename` that a macro produces, and would use the variants' names.
        #[cfg(feature = "utoipa")]
        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                $crate::wire_enum::schema(concat!($($doc),+), &[$(($word, concat!($($vdoc),+))),+])
            }
        }

        #[cfg(feature = "utoipa")]
        impl utoipa::ToSchema for $name {}

        impl $crate::WireEnum for $name {
            const ALL: &'static [Self] = &[$(Self::$variant),+];
            fn as_str(self) -> &'static str { match self { $(Self::$variant => $word),+ } }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str($crate::WireEnum::as_str(*self))
            }
        }
    };
}
pub(crate) use wire_enum;

/// Returns the schema of a string enum, with the meaning of each value.
#[cfg(feature = "utoipa")]
pub(crate) fn schema(about: &str, words: &[(&str, &str)]) -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
    use utoipa::openapi::schema::{ObjectBuilder, Type};
    let mut description = format!("{}\n", about.trim());
    for (word, stands_for) in words {
        description.push_str(&format!("\n- `{word}`: {}", stands_for.trim()));
    }
    let string = ObjectBuilder::new().schema_type(Type::String).description(Some(description));
    string.enum_values(Some(words.iter().map(|(word, _)| *word))).into()
}
