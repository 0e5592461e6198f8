//! Tests `build_names`.

use super::without_hash;

#[test]
fn hashes_of_build_tools_are_removed() {
    for (family, expected) in [
        ("__Sofia_ed0e3a", Some("Sofia")),
        ("__DM_Sans_Fallback_ed0e3a", Some("DM Sans Fallback")),
        ("__Source_Sans_3_ed0e3a", None),
        ("__Sofia_regular", None),
        ("Sofia", None),
    ] {
        assert_eq!(without_hash(family).as_deref(), expected, "{family}");
    }
}
