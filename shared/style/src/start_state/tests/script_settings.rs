//! Tests of backgrounds and sizes that scripts set at once.

use super::builders::value;
use crate::property::Longhand;

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
