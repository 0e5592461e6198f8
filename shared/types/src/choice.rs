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

/// Declares an enum of words with [`Choice`], `Display` and serde by the same words.
macro_rules! words {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$vmeta:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
        pub enum $name { $($(#[$vmeta])* #[serde(rename = $word)] $variant),+ }

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
