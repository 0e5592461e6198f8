//! Tests of sliders as sections of a page.

use super::{BAR, MORE, band, sections};

const SLIDES: &str = "<div class=slide><h2>Clean words</h2><p>A place to read about things, and more of them.</p></div>\
                      <div class=slide><h2>Other words</h2><p>A place to read about others, and more of those.</p></div>";

/// The hero is the whole slider rather than one of its parts or slides.
#[test]
fn slider_of_a_library_is_one_section() {
    for slider in [
        "<div id=s class=fusion-slider-container data-box='0 60 1440 500'><div class=tfs-slider>{}</div></div>",
        "<div id=s class=ls-wp-container data-box='0 60 1440 500'>{}</div>",
        "<rs-module-wrap id=s data-box='0 60 1440 500'><rs-module>{}</rs-module></rs-module-wrap>",
        "<div id=s class='n2-section-smartslider' data-box='0 60 1440 500'>{}</div>",
        "<div id=s class='carousel slide' data-box='0 60 1440 500'><div>{}</div></div>",
        "<div id=s class=swiper data-box='0 60 1440 500'><div>{}</div></div>",
    ] {
        let slider = slider.replace("{}", SLIDES);
        let body = format!("{BAR}{slider}{}{}", band(560, "a", MORE), band(960, "b", MORE));
        let hero = &sections("h2{font-size:40px}", &body)[0].reference;
        assert_eq!((hero.selector.as_str(), hero.role.as_deref()), ("#s", Some("hero")), "{slider}");
    }
}

/// A slider in the page's header is a section of its own, beside the bar.
#[test]
fn slider_in_a_header_is_the_hero() {
    let slider = |height: u32| {
        format!(
            "<div id=s data-box='0 60 1440 {height}'><div class=rev_slider_wrapper data-box='0 60 1440 {height}'>{SLIDES}</div></div>"
        )
    };
    let below = [band(660, "a", MORE), band(1_060, "b", MORE)].concat();
    for header in ["<header>{}</header>", "<header><div class=block>{}</div></header>", "<div id=header>{}</div>"] {
        let page = |height: u32| format!("{}{below}", header.replace("{}", &format!("{BAR}{}", slider(height))));
        let found = sections("h2{font-size:40px}", &page(600));
        assert_eq!(found[0].reference.selector, "#s", "{found:?}");
        assert!(found.iter().any(|one| one.reference.role.as_deref() == Some("header")), "{found:?}");
        let low = sections("h2{font-size:20px}", &page(120));
        assert_ne!(low[0].reference.selector, "#s", "a ticker of news");
    }
    for (before, after) in [("<header>", "</header>"), ("<div id=header_wrap><header>", "</header></div>")] {
        let alone = format!("{before}{}{after}{below}", slider(600));
        assert_eq!(sections("h2{font-size:40px}", &alone)[0].reference.selector, "#s", "{before}");
    }
}

/// Modules of HubSpot and rows of WPBakery are sections, although one inline element or landmark contains all.
#[test]
fn modules_and_rows_of_builders_are_sections() {
    for (around, class) in [
        ("<div class=content><span data-box=''>{}</span></div>", "hs_cos_wrapper hs_cos_wrapper_type_module"),
        ("<section class=content data-box='0 60 1440 2000'>{}</section>", "wpb_row vc_row-fluid"),
    ] {
        let row = |y: u32, inner: &str| format!("<div class='{class}' data-box='0 {y} 1440 600'>{inner}</div>");
        let rows = [row(60, super::HERO), row(660, MORE), row(1_260, MORE)].concat();
        let found = sections("h1{font-size:50px}", &format!("{BAR}{}", around.replace("{}", &rows)));
        assert_eq!(found.len(), 4, "{class}: {found:?}");
        assert!(found[0].reference.preview.starts_with("The words"), "{class}: {found:?}");
    }
}
