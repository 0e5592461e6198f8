//! How wide a `0` is, which `ch` is a multiple of (Values 4, section 6.1.1).

use std::sync::{Arc, LazyLock};

/// Families with the width of their `0`. Cheap to clone.
#[derive(Debug, Clone, PartialEq)]
pub struct DigitWidths {
    /// Names with em.
    known: Arc<[(String, f64)]>,
    other: f64,
}

/// Families that are installed nearly everywhere, or that stand for them, in em.
const USUAL: &[(&str, f64)] = &[
    ("arial", 0.556),
    ("helvetica", 0.556),
    ("helvetica neue", 0.556),
    ("liberation sans", 0.556),
    ("roboto", 0.562),
    ("segoe ui", 0.539),
    ("verdana", 0.636),
    ("dejavu sans", 0.636),
    ("tahoma", 0.546),
    ("trebuchet ms", 0.524),
    ("georgia", 0.614),
    ("sans-serif", 0.556),
    ("system-ui", 0.556),
    ("ui-sans-serif", 0.556),
    ("courier new", 0.6),
    ("menlo", 0.602),
    ("consolas", 0.55),
    ("monospace", 0.6),
    ("ui-monospace", 0.6),
];
/// That of Times.
const USUAL_OTHER: f64 = 0.5;

impl Default for DigitWidths {
    /// Of usual computers.
    fn default() -> Self {
        // Every page asks for it.
        static OF_USUAL: LazyLock<DigitWidths> =
            LazyLock::new(|| DigitWidths::new(USUAL.iter().map(|(name, em)| ((*name).to_owned(), *em)), USUAL_OTHER));
        OF_USUAL.clone()
    }
}

impl DigitWidths {
    /// From names of families that are installed, generic ones included, and what holds where none of them is named; in
    /// em.
    pub fn new(known: impl IntoIterator<Item = (String, f64)>, other: f64) -> Self {
        Self { known: known.into_iter().collect(), other }
    }

    /// In em, in the first known family of a computed `font-family`.
    pub fn of(&self, families: &str) -> f64 {
        let names = families.split(',').map(|name| name.trim().trim_matches(['"', '\'']));
        let known = |name: &str| self.known.iter().find(|(family, _)| family.eq_ignore_ascii_case(name));
        names.filter_map(known).next().map_or(self.other, |(_, em)| *em)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_known_family_counts() {
        let widths = DigitWidths::new([("Some Serif".to_owned(), 0.6), ("sans-serif".to_owned(), 0.7)], 0.4);
        for (families, em) in [
            ("\"Some Serif\", sans-serif", 0.6),
            ("Arial, 'some serif'", 0.6),
            ("Arial, sans-serif", 0.7),
            ("Arial", 0.4),
            ("", 0.4),
        ] {
            assert_eq!(widths.of(families), em, "{families}");
        }
        assert_eq!(DigitWidths::default().of("Arial"), 0.556);
    }
}
