//! Tests `resolve_source_media`.

use super::*;

#[test]
fn scheme_in_media_query_is_evaluated() {
    for (query, dark) in [
        ("(prefers-color-scheme: dark)", Some("")),
        ("(min-width: 600px) and (Prefers-Color-Scheme:dark)", Some("(min-width: 600px)")),
        ("(prefers-color-scheme: light)", Some("not all")),
        ("(min-width: 600px)", None),
        ("(prefers-color-scheme: dark), print", None),
    ] {
        assert_eq!(media_in(query).as_deref(), dark, "{query}");
    }
}
