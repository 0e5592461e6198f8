//! Tests of the sliders of plugins, by their documented markup and calls.

use super::builders::value;
use crate::property::Longhand;

/// The markup of each slider's documentation with two slides, `{1}` and `{2}` in their tags.
const SLIDERS: &[&str] = &[
    "<div class='camera_wrap'><div data-src=a.jpg {1}><div class=camera_caption>A</div></div><div data-src=b.jpg {2}></div></div>",
    "<div class=cycle-slideshow data-cycle-fx=fade><img src=a.jpg {1}><img src=b.jpg {2}><div class=cycle-pager></div></div>",
    "<div class=cycle-slideshow data-cycle-slides='> .s'><p>All</p><div class=s {1}>A</div><div class=s {2}>B</div></div>",
    "<div id=slides><ul class=slides-container><li {1}><img src=a.jpg></li><li {2}><img src=b.jpg></li></ul></div>",
    "<div class='skitter skitter-large'><ul><li {1}><a href=/><img src=a.jpg></a></li><li {2}><img src=b.jpg></li></ul></div>",
    "<div class=slider-pro><div class=sp-slides><div class=sp-slide {1}>A</div><div class=sp-slide {2}>B</div></div></div>",
    "<div class=master-slider id=m><div class=ms-slide {1}><img src=a.jpg></div><div class=ms-slide {2}></div></div>",
    "<div class='royalSlider rsMinW'><div class=rsContent {1}><img class=rsImg src=a.jpg></div><div class=rsContent {2}></div></div>",
    "<div id=a><div {1}>A</div><div {2}>B</div></div><script>$('#a').cycle({fx: 'fade'})</script>",
    "<ul class=b><li {1}>A</li><li {2}>B</li></ul><script>jQuery('.b').bxSlider();</script>",
    "<div class=owl-carousel id=a><div {1}>A</div><div {2}>B</div></div><script>$('#a').owlCarousel({items: 1})</script>",
    "<div class=s><div {1}>A</div><div {2}>B</div></div><script>$('.s').slick({dots: true})</script>",
    "<div class=s><ul><li {1}>A</li><li {2}>B</li></ul></div><script>$('.s').unslider()</script>",
    "<ul id=l><li {1}>A</li><li {2}>B</li></ul><script>$('#l').lightSlider({item:1})</script>",
    "<div id=n><img src=a.jpg {1}><img src=b.jpg {2}></div><script>$('#n').nivoSlider()</script>",
    "<div id=S><img src=a.jpg {1}><img src=b.jpg {2}></div>\
     <script>Sliderman.slider({container: 'S', width: 920, height: 300})</script>",
];

#[test]
fn sliders_of_plugins_show_their_first_slide() {
    let css = ".camera_wrap,.slides-container,.skitter ul,.owl-carousel{display:none}";
    for html in SLIDERS {
        let (first, second) = (html.replace("{1}", "id=x"), html.replace("{2}", "id=x"));
        assert_ne!(value(css, &first, "x", Longhand::Display), "none", "{first}");
        assert_eq!(value(css, &second, "x", Longhand::Display), "none", "{second}");
    }
}

#[test]
fn sliders_that_show_several_keep_their_slides() {
    for html in [
        "<div class=a><p>A</p><p id=x>B</p></div><script>$('.a').slick({slidesToShow: 3, responsive: [{settings: {slidesToShow: 1}}]})</script>",
        "<div id=a><p>A</p><p id=x>B</p></div><script>$('#a').owlCarousel({responsive: {0: {items: 1}, 600: {items: 3}}})</script>",
        "<div id=a><p>A</p><p id=x>B</p></div><script>$('#a').slider({range: true})</script>",
        "<div id=a><p>A</p><p id=x>B</p></div><script>$('#a').cycle('pause')</script>",
        "<div id=a><p>A</p><p id=x style='z-index:3'>B</p></div><script>$('#a').cycle({fx: 'fade'})</script>",
        "<ul class=b><li>A</li><li id=x>B</li></ul><script>$('.b').bxSlider({maxSlides: 4})</script>",
        "<div class='slider-pro sp-horizontal'><div class=sp-mask><div class=sp-slide>A</div><div class=sp-slide id=x>B</div></div></div>",
    ] {
        assert_ne!(value("", html, "x", Longhand::Display), "none", "{html}");
    }
}

#[test]
fn sliders_of_plugins_have_their_declared_size() {
    let slider = |class: &str, call: &str| format!("<div class={class} id=x><div>A</div></div><script>{call}</script>");
    for (class, call, width, height, ratio) in [
        ("camera_wrap", "", "100%", "auto", "100 / 50"),
        ("camera_wrap", "$('#x').camera({height: '40%'})", "100%", "auto", "100 / 40"),
        ("camera_wrap", "$('#x').camera({height: '420px'})", "100%", "420px", "auto"),
        ("slider-pro", "$('#x').sliderPro({width: 960, height: 400})", "100%", "auto", "960 / 400"),
        ("slider-pro", "$('#x').sliderPro({width: '100%', height: 400})", "100%", "400px", "auto"),
        ("master-slider", "s.setup('x', {width: 1000, height: 500})", "100%", "auto", "1000 / 500"),
        (
            "master-slider",
            "s.setup(\"x\", {\"width\":2000,\"height\":500,\"layout\":\"fullwidth\"})",
            "auto",
            "360px",
            "auto",
        ),
        ("master-slider", "s.setup('x', {width: 1000, layout: 'fullscreen'})", "auto", "900px", "auto"),
        (
            "royalSlider",
            "$('#x').royalSlider({autoScaleSlider: true, autoScaleSliderWidth: 960, autoScaleSliderHeight: 340})",
            "auto",
            "auto",
            "960 / 340",
        ),
        ("s", "Sliderman.slider({container: 'x', width: 920, height: 300})", "920px", "300px", "auto"),
    ] {
        let html = slider(class, call);
        let own = |longhand| value("", &html, "x", longhand);
        assert_eq!((own(Longhand::Width).as_str(), own(Longhand::Height).as_str()), (width, height), "{class} {call}");
        assert_eq!(own(Longhand::AspectRatio), ratio, "{class} {call}");
    }
}

#[test]
fn slides_stay_in_flow_without_a_declared_size() {
    for (script, position) in [("", "relative"), ("<script>$('#s').sliderPro({width: 960})</script>", "absolute")] {
        let html = format!("<div class=slider-pro id=s><div class=sp-slide id=x>A</div></div>{script}");
        assert_eq!(value(".sp-slide{position:absolute}", &html, "x", Longhand::Position), position, "{script}");
    }
}

#[test]
fn slides_have_the_picture_of_their_attribute() {
    let html = "<div class=camera_wrap><div data-src=a.jpg id=x></div><div data-src=b.jpg></div></div>";
    assert!(value("", html, "x", Longhand::BackgroundImage).contains("a.jpg"));
    assert_eq!(value("", html, "x", Longhand::BackgroundSize), "cover");
}

/// A page that was saved while FlexSlider ran has slides in the width of that window.
#[test]
fn flexsliders_saved_while_they_ran_fill_their_column() {
    let html = |active: &str, clone: &str, track: &str| {
        format!(
            "<div class=flexslider><div class=flex-viewport><ul class=slides {track} style='width:600%;transform:translate3d(-900px,0,0)'>\
             <li class=clone {clone} style='width:900px'>B</li><li class=flex-active-slide {active} style='width:900px;float:left'>A</li></ul></div></div>"
        )
    };
    assert_eq!(value("", &html("id=x", "", ""), "x", Longhand::Width), "auto");
    assert_eq!(value("", &html("", "id=x", ""), "x", Longhand::Display), "none");
    assert_eq!(value("", &html("", "", "id=x"), "x", Longhand::Transform), "none");
}
