//! Tests `link_names`.

use super::{control_name, name_of_page, name_of_target};

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

#[test]
fn controls_are_named_by_words_of_authors() {
    for (word, expected) in [
        ("carousel-control-prev", Some("Previous")),
        ("next", Some("Next")),
        ("slider-arrow-left", Some("Previous")),
        ("navbar-toggler", Some("Menu")),
        ("preview", None),
        ("closed", None),
    ] {
        assert_eq!(control_name(word), expected, "{word}");
    }
}

#[test]
fn pages_are_named_by_their_address() {
    for (address, expected) in [
        ("https://example.com/about-us.html", Some("About us")),
        ("https://example.com/", Some("Home")),
        ("https://example.com", Some("Home")),
        ("https://example.com/de/index.html", Some("Home")),
        ("https://example.com/shop/Games/", Some("Games")),
        ("https://example.com/p/12345", None),
        ("https://example.com/a9f3-b2", None),
        ("#top", None),
    ] {
        assert_eq!(name_of_page(address).as_deref(), expected, "{address}");
    }
}
