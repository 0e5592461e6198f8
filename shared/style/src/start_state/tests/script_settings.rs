//! Tests of backgrounds and sizes that scripts set at once.

use super::builders::value;
use super::page;
use crate::property::Longhand;
use crate::{Environment, StyleIndex};
use limner_page::Document;

#[test]
fn backgrounds_that_a_script_names_are_shown() {
    for html in [
        "<div id=x></div><script>$('#x').vegas({delay: 5000, slides: [{src: 'img/a.jpg'}, {src: 'img/b.jpg'}]})</script>",
        "<div id=x></div><script>$('#x').backstretch([\"img/a.jpg\"])</script>",
        "<body id=x><script>$.backstretch('img/a.jpg');</script>",
        "<body id=x><script>jQuery.supersized({slides: [{image: 'img/a.jpg', title: 'A'}]})</script>",
        "<div id=x data-zs-src='[\"img/a.jpg\", \"img/b.jpg\"]' data-zs-overlay=dots></div>",
        "<div class='vc_row wpb_row' id=x></div><div class='vc_row-full-width'></div><!-- Row Backgrounds -->\
         <div class=upb_bg_img data-ultimate-bg='url(img/a.jpg)' data-bg-img-size=cover></div>",
    ] {
        let image = value("", html, "x", Longhand::BackgroundImage);
        assert!(image.contains("img/a.jpg"), "{html}: {image}");
        assert_eq!(value("", html, "x", Longhand::BackgroundSize), "cover", "{html}");
    }
    let own =
        "<div id=x style='background:url(own.jpg)'></div><script>$('#x').vegas({slides: [{src: 'a.jpg'}]})</script>";
    assert!(value("", own, "x", Longhand::BackgroundImage).contains("own.jpg"));
    let color = "<div class=vc_row id=x></div><div class=upb_color data-bg-color='#23304b'></div>";
    assert_eq!(value("", color, "x", Longhand::BackgroundColor), "rgb(35, 48, 75)");
}

#[test]
fn backgrounds_replace_their_small_copies() {
    for (style, expected) in [
        ("", "big.jpg"),
        ("background-image:url(a/-/resize/20x/big.jpg)", "big.jpg"),
        ("background-image:url(a__-__resize__20x__big.jpg)", "big.jpg"),
        ("background-image:url(own.jpg)", "own.jpg"),
    ] {
        for (attribute, class) in [("data-original", "t-bgimg"), ("data-content-cover-bg", "t-cover__carrier")] {
            let html = format!("<div class={class} {attribute}=big.jpg id=x style='{style}'></div>");
            let image = value("", &html, "x", Longhand::BackgroundImage);
            assert!(image.contains(expected) && !image.contains("20x"), "{html}: {image}");
        }
    }
}

#[test]
fn sizes_that_a_script_sets_apply() {
    for (html, longhand, expected) in [
        ("<div class=js-fullheight id=x>A</div>", Longhand::Height, "900px"),
        ("<div uk-height-viewport id=x>A</div>", Longhand::MinHeight, "900px"),
        ("<div uk-height-viewport='offset-top: true' id=x>A</div>", Longhand::MinHeight, "0px"),
        (
            "<div class=et_pb_video_box><iframe id=x width=1080 height=608 src=//v.test></iframe></div>",
            Longhand::AspectRatio,
            "1080 / 608",
        ),
        (
            "<div class=nectar-slider-wrap data-fullscreen=false><div class=swiper-container data-height=640 id=x></div></div>",
            Longhand::Height,
            "640px",
        ),
        (
            "<div class=content-fill><img id=x data-src=a.jpg data-image-focal-point='0.5,0.25'></div>",
            Longhand::ObjectPosition,
            "50% 25%",
        ),
        ("<div><iframe id=x width=1080 height=608 src=//v.test></iframe></div>", Longhand::AspectRatio, "auto"),
        (
            "<div class=h data-ultimate-target='.h h3' data-responsive-json-new='{\"font-size\":\"desktop:30px;mobile:20px;\"}'>\
             <h3 id=x>A</h3></div>",
            Longhand::FontSize,
            "30px",
        ),
    ] {
        assert_eq!(value("", html, "x", longhand), expected, "{html}");
    }
}

/// With the script, Chromium 156 has the cell's text in the middle of the slide; without, at its top.
#[test]
fn contents_of_divi_slides_are_as_high_as_the_slide() {
    const SLIDE: &str = "<div class=et_pb_slide style='height:600px'><div class=et_pb_container id=x>A</div></div>";
    const HIGHER: &str =
        "<div class=et_pb_slide style='min-height:600px'><div class=et_pb_container id=x>A</div></div>";
    const ROW: &str = "<div class=et_pb_row style='height:600px'><div class=et_pb_container id=x>A</div></div>";
    let css = ".et_pb_container{display:table}";
    for (html, height, min_height) in [(SLIDE, "100%", "0px"), (HIGHER, "100%", "600px"), (ROW, "auto", "0px")] {
        assert_eq!(value(css, html, "x", Longhand::Height), height, "{html}");
        assert_eq!(value(css, html, "x", Longhand::MinHeight), min_height, "{html}");
    }
}

/// Chromium 156 has a text of 218 pixels at 227 of an artboard of 900 (336 less half of the height) once the script ran.
#[test]
fn texts_of_tilda_artboards_are_centred_with_their_height() {
    let translate = |axis: &str, distance: &str, top: &str| {
        let html = format!(
            "<div class=t396__artboard style='height:100vh'><div class='t396__elem tn-elem' id=x data-field-axisy-value={axis} \
             data-field-top-value={distance} style='position:absolute;top:{top}'>A</div></div>"
        );
        value("", &html, "x", Longhand::Translate)
    };
    for (axis, distance, top, expected) in [
        ("center", "-114", "calc(50vh - 0px + -114px)", "0px -50%"),
        ("bottom", "-40", "calc(100vh - 0px + -40px)", "0px -100%"),
        // The sheet knows the height.
        ("center", "143", "calc(50vh - 30px + 143px)", "none"),
        ("top", "-114", "-114px", "none"),
    ] {
        assert_eq!(translate(axis, distance, top), expected, "{axis} {top}");
    }
}

/// Chromium 156 has this element at 134 of a window of 1,440 pixels once the script ran, and not at 194.
#[test]
fn elements_of_tilda_artboards_are_placed_by_their_attributes() {
    let own = |longhand: Longhand, artboard: &str, sheet: &str| {
        let html = format!(
            "<div class=t396__artboard {artboard}><div class='t396__elem tn-elem' id=x data-field-axisx-value=left \
             data-field-container-value=grid data-field-left-value=14 data-field-left-res-960-value=47 data-field-left-res-480-value=10 \
             data-field-width-value=660 style='position:absolute;{sheet}'>A</div></div>"
        );
        value("", &html, "x", longhand)
    };
    let edited = "left:calc(50% - 600px + 74px);width:620px";
    assert_eq!(own(Longhand::Left, "", edited), "calc(50% - 586px)");
    assert_eq!(own(Longhand::Width, "", edited), "660px");
    assert_eq!(own(Longhand::Left, "data-artboard-upscale=window", edited), "calc(50% - 526px)");
    let page = page(
        "",
        "<div class=t396__artboard><div class='t396__elem' id=x data-field-axisx-value=left data-field-container-value=grid \
         data-field-left-value=14 data-field-left-res-960-value=47 data-field-left-res-480-value=10>A</div></div>",
    );
    let document = Document::parse(&page.html);
    let index = StyleIndex::new(&page, &document).with_start_states_ended();
    let (node, _) = document.elements().find(|(_, element)| element.attr("id") == Some("x")).unwrap();
    for (width, expected) in [
        (1_200.0, "calc(50% - 586px)"),
        (1_000.0, "calc(50% - 433px)"),
        (700.0, "calc(50% - 273px)"),
        (390.0, "calc(50% - 150px)"),
    ] {
        let environment = Environment { width, ..Environment::default() };
        assert_eq!(index.styles(&environment).get(node).unwrap().get(Longhand::Left), expected, "{width}");
    }
}
