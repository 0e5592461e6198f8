//! Closed sets of words: the values a parameter may take.

/// A closed set of case-sensitive words, such as the values of the `framework` parameter.
pub trait Choice: Sized + Copy + 'static {
    /// Every value, in the order a message lists them.
    const ALL: &'static [Self];

    /// The word on the wire.
    fn as_str(self) -> &'static str;

    /// The value of that word, if it is one of the set. Words are case-sensitive.
    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|choice| choice.as_str() == word)
    }

    /// All words, comma-separated, as error messages list them.
    fn list() -> String {
        let words: Vec<&str> = Self::ALL.iter().map(|choice| choice.as_str()).collect();
        words.join(", ")
    }
}

/// Declares an enum of words with [`Choice`], `Display`, serde and schema by the same words.
macro_rules! words {
    ($(#[doc = $doc:literal])+ pub enum $name:ident { $($(#[doc = $vdoc:literal])+ $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name { $($(#[doc = $vdoc])+ #[serde(rename = $word)] $variant),+ }

        // By hand: the derive does not see a `rename` that comes out of a macro, and would name the variants.
        #[cfg(feature = "utoipa")]
        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                $crate::choice::schema(concat!($($doc),+), &[$(($word, concat!($($vdoc),+))),+])
            }
        }

        #[cfg(feature = "utoipa")]
        impl utoipa::ToSchema for $name {}

        impl $crate::Choice for $name {
            const ALL: &'static [Self] = &[$(Self::$variant),+];
            fn as_str(self) -> &'static str { match self { $(Self::$variant => $word),+ } }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str($crate::Choice::as_str(*self))
            }
        }
    };
}
pub(crate) use words;

/// A string that is one of the words, each with what it stands for.
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
