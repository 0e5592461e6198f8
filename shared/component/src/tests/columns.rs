//! Tests sections beside others: columns of an application, sidebars, off-canvas drawers.

use super::{ask_of, page_of};
use limner_types::Theme;

fn css_of(css: &str) -> String {
    let html = "<!doctype html><html><body><div class=o><section class=h><h1>Words on a page</h1></section></div></body></html>";
    let page = page_of(html.to_owned(), css);
    ask_of(&page, Some(".h"), Theme::Light).unwrap()["css"].as_str().unwrap().to_owned()
}

#[test]
fn scrolling_columns_have_the_height_of_the_viewport() {
    const ROW: &str = "html,body{height:100%} .o{display:flex;height:100%}";
    for (css, height) in [
        (".h{overflow:auto}", Some("height: 100vh;")),
        (".h{overflow-y:scroll;padding:0 0 30px}", Some("height: calc(100vh - 30px);")),
        (".h{overflow-y:scroll;padding:0 0 30px;box-sizing:border-box}", Some("height: 100vh;")),
        (".o{height:600px} .h{overflow:auto}", Some("height: 600px;")),
        (".o{height:auto} .h{overflow:auto}", None),
        (".o{flex-direction:column} .h{overflow:auto}", None),
        (".o{flex-wrap:wrap} .h{overflow:auto}", None),
        (".o{align-items:flex-start} .h{overflow:auto}", None),
        (".h{overflow:auto;align-self:center}", None),
        (".h{color:red}", None),
    ] {
        let written = css_of(&format!("{ROW} {css}"));
        match height {
            Some(height) => assert!(written.contains(height), "{css}: {written}"),
            None => assert!(!written.contains("  height: "), "{css}: {written}"),
        }
    }
}

#[test]
fn column_widths_adapt_to_the_available_width() {
    for (css, inside, without) in [
        (".o{display:flex} .h{width:30em;overflow:auto}", "max-width: 100%;", "%%"),
        (".o{display:flex} .h{width:30em;overflow:auto;flex-shrink:0}", "width: 30em;", "max-width"),
        (".o{display:flex} .h{width:30em}", "width: 30em;", "max-width"),
        (".h{width:30em;overflow:auto}", "width: 30em;", "max-width"),
        (".o{display:flex} .h{width:100%;padding:0 30px;overflow:auto}", "padding", "width: 100%"),
        (".h{width:100%;padding:0 30px;overflow:auto}", "width: 100%", "%%"),
        (".h{float:right;width:calc(100% - 240px);color:red}", "color", "width"),
        (".h{position:absolute;left:240px;width:calc(100% - 240px);color:red}", "color", "width"),
        (".h{float:left;width:calc(100% + 1rem)}", "width: calc(100% + 1rem)", "%%"),
    ] {
        let written = css_of(css);
        assert!(written.contains(inside) && !written.contains(without), "{css}: {written}");
    }
}

#[test]
fn drawers_stay_offscreen_in_narrow_viewports() {
    let drawer = |base: &str, narrow: &str| {
        css_of(&format!(".h{{position:fixed;top:0;width:250px;{base}}} @media (max-width:680px){{.h{{{narrow}}}}}"))
    };
    for (base, narrow, is_beside) in [
        ("left:0", "left:-250px", true),
        ("left:0", "left:-260px;transition:left .2s", true),
        ("left:0", "left:-100%", true),
        ("left:0", "left:-100px", false),
        ("left:0", "transform:translateX(-100%)", true),
        ("left:0", "translate:-250px", true),
        ("left:0;width:auto", "transform:translate3d(-100%,0,0)", true),
        ("left:0;width:auto", "left:-250px", false),
        ("right:0", "right:-250px", true),
        ("right:0", "transform:translateX(100%)", true),
        ("right:0", "transform:translateX(50%)", false),
        ("left:0", "left:100%", true),
        // Always outside of the viewport: an interaction must show it.
        ("left:-250px", "color:red", false),
    ] {
        let written = drawer(base, narrow);
        let kept = written.contains("position: fixed;") && written.contains("top: 0");
        assert_eq!(kept, is_beside, "{base} {narrow}: {written}");
        assert!(written.contains("position: relative;"), "{base} {narrow}: {written}");
    }
}

#[test]
fn sections_between_edges_keep_the_minimum_width_of_their_containing_block() {
    for (css, width) in [
        ("body{position:absolute;min-width:800px} .h{position:absolute;left:0;right:0}", Some("800px")),
        (
            "body{position:relative;min-width:800px;padding:9px} .h{position:absolute;left:10px;right:10px}",
            Some("798px"),
        ),
        ("body{min-width:800px} .h{position:absolute;left:0;right:0}", None),
        ("body{position:relative;min-width:800px} .h{position:absolute;left:0}", None),
        (".o{min-width:800px} .h{overflow:hidden;width:100%;max-width:1000px;margin:auto}", Some("800px")),
        (".o{min-width:800px} .h{max-width:700px}", None),
        ("body{min-width:800px} .o{display:table;width:100%} .h{display:table-row}", Some("800px")),
        ("body{min-width:800px} .o{display:table} .h{display:table-row}", None),
    ] {
        let written = css_of(css);
        let own = written.contains("  min-width: ").then_some(width.unwrap_or_default());
        assert_eq!(own, width, "{css}: {written}");
        assert!(width.is_none_or(|px| written.contains(&format!("  min-width: {px};"))), "{css}: {written}");
    }
}

#[test]
fn percentage_heights_of_positioned_sections_become_lengths() {
    for (css, height) in [
        (".h{position:absolute;min-height:100%}", Some("min-height: 100vh;")),
        (".h{position:fixed;height:50%}", Some("  height: 50vh;")),
        (".o{position:relative} .h{position:fixed;height:100%}", Some("  height: 100vh;")),
        (".o{position:relative;height:400px} .h{position:absolute;height:100%}", Some("  height: 400px;")),
        (".o{position:relative} .h{position:absolute;height:100%}", None),
        // Transforms and containment make containing blocks as well.
        (".o{scale:1.1;height:400px} .h{position:absolute;height:100%}", Some("  height: 400px;")),
        (".o{contain:layout;height:400px} .h{position:fixed;height:50%}", Some("  height: 200px;")),
        (".h{min-height:100%}", None),
    ] {
        let written = css_of(css);
        match height {
            Some(height) => assert!(written.contains(height), "{css}: {written}"),
            None => assert!(!written.contains("height: "), "{css}: {written}"),
        }
    }
}
