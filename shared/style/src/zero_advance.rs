//! The advance width of `0`, which the `ch` unit is based on (Values 4, section 6.1.1).

use std::sync::{Arc, LazyLock};

/// Advance widths of `0` by font family. Cheap to clone.
#[derive(Debug, Clone, PartialEq)]
pub struct ZeroAdvances {
    /// Family names with the advance in em.
    advances: Arc<[(String, f64)]>,
    other: f64,
}

/// Families that are installed on most computers, or their substitutes, in em.
const COMMON_FAMILIES: &[(&str, f64)] = &[
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
/// Advance in Times.
const DEFAULT_ADVANCE: f64 = 0.5;

impl Default for ZeroAdvances {
    /// Returns the advances of fonts on usual computers.
    fn default() -> Self {
        // Shared, because every page needs it.
        static OF_USUAL: LazyLock<ZeroAdvances> = LazyLock::new(|| {
            ZeroAdvances::new(COMMON_FAMILIES.iter().map(|(name, em)| ((*name).to_owned(), *em)), DEFAULT_ADVANCE)
        });
        OF_USUAL.clone()
    }
}

impl ZeroAdvances {
    /// Creates a table from the families that are installed, generic ones included, and the advance for other families;
    /// in em.
    pub fn new(known: impl IntoIterator<Item = (String, f64)>, other: f64) -> Self {
        Self { advances: known.into_iter().collect(), other }
    }

    /// Returns the advance in em, in the first known family of a computed `font-family`.
    pub fn advance(&self, families: &str) -> f64 {
        let names = families.split(',').map(|name| name.trim().trim_matches(['"', '\'']));
        let known = |name: &str| self.advances.iter().find(|(family, _)| family.eq_ignore_ascii_case(name));
        names.filter_map(known).next().map_or(self.other, |(_, em)| *em)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_advance_is_that_of_the_first_known_family() {
        let widths = ZeroAdvances::new([("Some Serif".to_owned(), 0.6), ("sans-serif".to_owned(), 0.7)], 0.4);
        for (families, em) in [
            ("\"Some Serif\", sans-serif", 0.6),
            ("Arial, 'some serif'", 0.6),
            ("Arial, sans-serif", 0.7),
            ("Arial", 0.4),
            ("", 0.4),
        ] {
            assert_eq!(widths.advance(families), em, "{families}");
        }
        assert_eq!(ZeroAdvances::default().advance("Arial"), 0.556);
    }
}
