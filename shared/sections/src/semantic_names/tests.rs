//! Tests `semantic_names`.

use super::{modifiers, readable, semantic_name};
use limner_page::dom::Document;

#[test]
fn class_name_with_affixes_of_a_tool_yields_the_chosen_word() {
    for (class, expected) in [
        ("card__title", Some("title")),
        ("card--wide", Some("card")),
        ("heroTitle", Some("hero-title")),
        ("home_card__1yR4b", Some("card")),
        ("home_secondary__yrcbp", Some("secondary")),
        ("_card_1a2b3_12", Some("card")),
        ("styles__Card-sc-1q3kx9-2", Some("card")),
        ("site_header__title", Some("title")),
        ("my_card__image", Some("image")),
        ("goToTop", Some("go-to-top")),
        ("addToBag", Some("add-to-bag")),
        ("sc-jSFiLV", None),
        ("hUnVWd", None),
        ("c-dhzjXW", None),
        ("c-gyxbJk-ijxZBvK-css", None),
        ("MuiCard-root", Some("card")),
        ("wp-block-post", Some("post")),
        ("elementor-element", Some("element")),
        ("framer-1x2y3", None),
        ("rhythm", Some("rhythm")),
        ("mediaRatioBox", Some("media-ratio-box")),
        ("cds--btn", Some("btn")),
        ("chakra-card__root", Some("card")),
        ("v-timeline", Some("timeline")),
        ("v-neck", Some("v-neck")),
        ("q-and-a", Some("q-and-a")),
        ("mat-mdc-card", Some("card")),
        ("rt-reset", None),
        ("VPNavBarAppearance", Some("vp-nav-bar-appearance")),
        ("NHSUKFrontend", Some("frontend")),
        ("ApplicationUICode", Some("application-ui-code")),
        ("iconExternalLink_nPIU", Some("icon-external-link")),
        ("card_body", Some("card-body")),
        ("astro-kmkmnagf", None),
        ("astro-code", Some("astro-code")),
        ("svelte-abcdefg", None),
        ("md:w-1/2", None),
        ("col-6", None),
        ("backdrop-blur-sm", None),
        ("to-transparent", None),
        ("et_pb_blurb", Some("blurb")),
        ("lucide", None),
        ("lucide-star", Some("star")),
        ("wuiqsim", None),
        ("vvubrbo", None),
        ("yprdduq-wuiqsim", None),
        ("tyczxies", None),
        ("lightbox", Some("lightbox")),
        ("banquet", Some("banquet")),
        ("equipment", Some("equipment")),
        ("nightsky", Some("nightsky")),
    ] {
        assert_eq!(readable(class).as_deref(), expected, "{class}");
    }
}

#[test]
fn parts_of_a_grid_system_are_names_of_last_resort() {
    for (classes, expected) in [
        ("container", "container"),
        ("container-fluid px-4", "container"),
        ("elementor-container", "container"),
        ("row g-0", "row"),
        ("col-lg-4 col-sm-6 mb-4", "col"),
        ("col-md", "col"),
        ("col-12", "col"),
        ("grid gap-4", "grid"),
        ("row team-member", "team-member"),
        ("col-span-2", "box"),
        ("flex", "box"),
    ] {
        let document = Document::parse(&format!("<div class='{classes}'></div>"));
        let (_, element) = document.elements_named("div").next().unwrap();
        assert_eq!(semantic_name(element), expected, "{classes}");
    }
}

#[test]
fn modifiers_distinguish_an_element_from_similar_ones() {
    for (classes, expected) in [
        ("btn btn--primary", &["primary"][..]),
        ("btn btn-primary btn-lg", &["primary"]),
        ("plan plan-featured", &["featured"]),
        ("nav-link active", &["active"]),
        ("card-title", &[]),
        ("btn", &[]),
    ] {
        let document = Document::parse(&format!("<p class='{classes}'>"));
        let (_, element) = document.elements_named("p").next().unwrap();
        assert_eq!(modifiers(element), expected, "{classes}");
    }
}
