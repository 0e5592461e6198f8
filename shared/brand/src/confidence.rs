//! Computes the confidence of a result: how much of it the site declared, and how much was inferred.
//!
//! Each part of a brand has a weight, of which its evidence counts a share: all if the part is declared, seven tenths
//! if it is observed on the page, four tenths if it is inferred, none if it is missing. A page that could only be read
//! in part counts for less. So the confidence never falls if a page declares more. `docs/brand.md` has the table.

use limner_types::result::{BrandEvidence, EvidenceKind};
use std::collections::BTreeMap;

/// Weights of the parts; their sum is 1.
const WEIGHTS: &[(&str, f64)] = &[
    ("colors.primary", 0.20),
    ("logo", 0.18),
    ("fonts.primary", 0.12),
    ("colors.background", 0.10),
    ("siteName", 0.10),
    ("colors.text", 0.08),
    ("title", 0.05),
    ("description", 0.05),
    ("themeColor", 0.04),
    ("ogImage", 0.03),
    ("colors.accent", 0.02),
    ("theme", 0.03),
];
/// Factor for a page that could only be read in part.
const DEGRADED: f64 = 0.6;

/// Returns the confidence from 0 to 1, with two decimals.
pub(super) fn confidence(evidence: &BTreeMap<String, BrandEvidence>, is_degraded: bool) -> f64 {
    let part =
        |(name, weight): &(&str, f64)| weight * evidence.get(*name).map_or(0.0, |evidence| strength(evidence.basis));
    let sum: f64 = WEIGHTS.iter().map(part).sum();
    let sum = if is_degraded { sum * DEGRADED } else { sum };
    (sum.clamp(0.0, 1.0) * 100.0).round() / 100.0
}

fn strength(basis: EvidenceKind) -> f64 {
    match basis {
        EvidenceKind::Declared => 1.0,
        EvidenceKind::Observed => 0.7,
        EvidenceKind::Inferred => 0.4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence(parts: &[(&str, EvidenceKind)]) -> BTreeMap<String, BrandEvidence> {
        let one = |(name, basis): &(&str, EvidenceKind)| {
            ((*name).to_owned(), BrandEvidence { basis: *basis, from: Vec::new() })
        };
        parts.iter().map(one).collect()
    }

    #[test]
    fn confidence_is_1_if_all_is_declared_and_0_without_evidence() {
        let all: Vec<(&str, EvidenceKind)> = WEIGHTS.iter().map(|(name, _)| (*name, EvidenceKind::Declared)).collect();
        assert_eq!(confidence(&evidence(&all), false), 1.0);
        assert_eq!(confidence(&evidence(&all), true), 0.6);
        assert_eq!(confidence(&evidence(&[]), false), 0.0);
        assert_eq!(confidence(&evidence(&[("socials.x", EvidenceKind::Declared)]), false), 0.0);
    }

    #[test]
    fn stronger_evidence_never_lowers_confidence() {
        for (name, _) in WEIGHTS {
            let of = |basis| confidence(&evidence(&[("title", EvidenceKind::Declared), (name, basis)]), false);
            let without = confidence(&evidence(&[("title", EvidenceKind::Declared)]), false);
            let rising = [of(EvidenceKind::Inferred), of(EvidenceKind::Observed), of(EvidenceKind::Declared)];
            assert!(rising.is_sorted(), "{name}: {rising:?}");
            assert!(*name == "title" || rising[0] > without || rising[2] > without, "{name}");
        }
    }
}
