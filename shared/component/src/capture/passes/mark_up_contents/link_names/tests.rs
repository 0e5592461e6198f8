//! Tests `link_names`.

use super::name_of_target;

#[test]
fn targets_of_links_have_names() {
    for (address, expected) in [
        ("https://www.facebook.com/ada", Some("Facebook")),
        ("https://m.youtube.com", Some("YouTube")),
        ("https://notfacebook.com/", None),
        ("https://example.com/facebook.com", None),
        ("tel:+49123", Some("+49123")),
        ("mailto:ada@example.com?subject=Hi", Some("ada@example.com")),
        ("mailto:", None),
        ("#top", None),
    ] {
        assert_eq!(name_of_target(address).as_deref(), expected, "{address}");
    }
}
