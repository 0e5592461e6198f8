//! Images whose maximum width is a percentage (Sizing 3, section 5.2.2), with Chromium's sizes.

use crate::rect;

const PICTURE: &str = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='1000' height='500'/%3E";

/// Lays out `markup` in a box of 600 px, with an image for `IMG` and an image with more declarations for `IMG{…}`.
#[track_caller]
fn assert_image_size(markup: &str, width: f32, height: f32) {
    let image = format!("<img id=x width=1000 height=500 src=\"{PICTURE}\" style='");
    let markup = markup.replace("IMG{", &image).replace('}', "'>").replace("IMG", &format!("{image}'>"));
    let html = format!(
        "<!doctype html><style>body{{margin:0;width:600px}}img{{display:block;max-width:100%;height:auto}}</style>{markup}"
    );
    let found = rect(&html, "x");
    let is_near = (found.width - width).abs() < 0.1 && (found.height - height).abs() < 0.1;
    assert!(is_near, "{} by {}: {markup}", found.width, found.height);
}

#[test]
fn sizing_3_section_5_2_2_images_with_a_width_add_nothing_to_the_min_content_width() {
    const BESIDE: &str = "<div style='flex:none;width:200px'></div>";
    for (item, width, height) in [
        ("<div>IMG</div>", 400.0, 200.0),
        ("<div><a style='display:block'>IMG</a></div>", 400.0, 200.0),
        ("<div style='display:flex'>IMG</div>", 400.0, 200.0),
        ("<div>IMG{height:50px}</div>", 400.0, 50.0),
        ("<div>IMG{aspect-ratio:1}</div>", 400.0, 400.0),
        ("<div>IMG{max-width:50%}</div>", 200.0, 100.0),
        ("<div>IMG{width:80px}</div>", 80.0, 40.0),
        ("<div>IMG{box-sizing:border-box;padding:10px;border:5px solid}</div>", 400.0, 215.0),
    ] {
        assert_image_size(&format!("<div style='display:flex'>{item}{BESIDE}</div>"), width, height);
    }
    assert_image_size("<div style='display:grid;grid-template-columns:1fr 1fr'><div>IMG</div></div>", 300.0, 150.0);
    assert_image_size("<div style='display:grid'>IMG{width:80px}</div>", 80.0, 40.0);
    assert_image_size("<div style='display:flex;flex-direction:column'>IMG{width:80px}</div>", 80.0, 40.0);
}

#[test]
fn css_2_section_10_3_5_shrink_to_fit_boxes_around_images_are_at_most_as_wide_as_their_container() {
    for (markup, width, height) in [
        ("<div style='display:inline-block'>IMG</div>", 600.0, 300.0),
        ("<div style='display:inline-flex'>IMG</div>", 600.0, 300.0),
        ("<div style='width:fit-content'>IMG</div>", 600.0, 300.0),
        ("<div style='float:left'>IMG{width:auto}</div>", 600.0, 300.0),
        ("<div style='float:left;padding:10px;margin:5px;border:1px solid'>IMG</div>", 568.0, 284.0),
        ("<div style='float:left'><div style='float:left'>IMG</div></div>", 600.0, 300.0),
        ("<div style='float:left'>IMG{width:80px}</div>", 80.0, 40.0),
        (
            "<div style='position:relative;width:400px'><div style='position:absolute;left:100px'>IMG</div></div>",
            300.0,
            150.0,
        ),
        ("<div style='display:grid;justify-items:center'><div>IMG</div></div>", 600.0, 300.0),
        ("<div style='display:flex;flex-direction:column;align-items:center'><div>IMG</div></div>", 600.0, 300.0),
        (
            "<div style='display:inline-block'><figure style='margin:0'><picture>IMG</picture></figure></div>",
            600.0,
            300.0,
        ),
    ] {
        assert_image_size(markup, width, height);
    }
}
