//! Tests of the sliders and rows of site builders, whose scripts give them their size and show the first slide.

use super::page;
use crate::property::Longhand;
use crate::{Environment, StyleIndex};
use limner_page::Document;

/// Returns a computed value of the element with an ID, once all start states have ended.
#[track_caller]
pub(super) fn value(css: &str, html: &str, id: &str, longhand: Longhand) -> String {
    let page = page(css, html);
    let document = Document::parse(&page.html);
    let index = StyleIndex::new(&page, &document).with_start_states_ended();
    let (node, _) = document.elements().find(|(_, element)| element.id().is_some_and(|own| *own == *id)).expect(id);
    index.styles(&Environment::default()).get(node).expect("a style").get(longhand).to_owned()
}

const LAYER_SLIDER: &str = ".ls-wp-container{visibility:hidden;position:relative;max-width:100%}
    .ls-slide{visibility:hidden!important;position:absolute!important;display:block!important}";

fn layer_slider(options: &str) -> String {
    format!(
        "<div id=slider class=ls-wp-container style='width:1200px;height:600px;margin:0 auto'>\
         <div id=first class=ls-slide><img id=picture class=ls-bg src=a.jpg><p id=pixels class=ls-l style='top:200px;left:100px'>A</p>\
         <p id=share class=ls-l style='top:50%;left:50%'>B</p></div><div id=second class=ls-slide><img src=b.jpg></div></div>\
         <script>jQuery(\"#slider\").layerSlider({{sliderVersion: '6.7.6', {options}}});</script>"
    )
}

#[test]
fn layer_sliders_show_their_first_slide() {
    let html = layer_slider("type: 'fullwidth'");
    for (id, longhand, expected) in [
        ("slider", Longhand::Visibility, "visible"),
        ("first", Longhand::Visibility, "visible"),
        ("first", Longhand::Height, "100%"),
        ("second", Longhand::Display, "none"),
        ("picture", Longhand::ObjectFit, "cover"),
        ("pixels", Longhand::Left, "calc(50% - 500px)"),
        ("share", Longhand::Left, "50%"),
    ] {
        assert_eq!(value(LAYER_SLIDER, &html, id, longhand), expected, "{id} {longhand:?}");
    }
}

#[test]
fn layer_sliders_have_their_declared_size() {
    for (options, width, height, ratio) in [
        ("type: 'responsive'", "1200px", "auto", "1200 / 600"),
        ("type: 'fullwidth'", "auto", "600px", "auto"),
        ("type: 'fullsize'", "auto", "900px", "auto"),
        ("responsiveUnder: 1200", "auto", "600px", "auto"),
    ] {
        let html = layer_slider(options);
        let own = |longhand| value(LAYER_SLIDER, &html, "slider", longhand);
        assert_eq!((own(Longhand::Width).as_str(), own(Longhand::Height).as_str()), (width, height), "{options}");
        assert_eq!(own(Longhand::AspectRatio), ratio, "{options}");
    }
}

#[test]
fn first_slides_of_libraries_are_shown_alone() {
    let smart = |first: &str, second: &str| {
        format!(
            "<ss3-force-full-width id=wide><div class=n2-section-smartslider><div class=n2-ss-slider><svg viewBox='0 0 12 6'></svg>\
             <div class=n2-ss-slide {first}><div class=n2-ss-layers-container>One</div></div>\
             <div class=n2-ss-slide {second}><div class=n2-ss-layers-container>Two</div></div></div></div></ss3-force-full-width>"
        )
    };
    let nivo = |first: &str, second: &str| {
        format!("<div class='nivoSlider'><img src=a.jpg {first}><a href=/b><img src=b.jpg {second}></a></div>")
    };
    let flex = |first: &str, second: &str| {
        format!(
            "<div class='flexslider'><ul class=slides><li {first}><img src=a.jpg></li><li {second}><img src=b.jpg></li></ul></div>"
        )
    };
    let soliloquy = |first: &str, second: &str| {
        format!(
            "<div class=soliloquy-container><ul><li class=soliloquy-item {first}>A</li><li class=soliloquy-item {second}>B</li></ul></div>"
        )
    };
    let css = "ss3-force-full-width,.n2-ss-layers-container{opacity:0} .n2-ss-slide{transform:translateX(-10000px)}
               .nivoSlider img{position:absolute;display:none} .flexslider .slides>li{display:none}
               .soliloquy-item,.carousel-inner>.item{display:none}
               .slideshow__image{position:absolute;opacity:0;visibility:hidden}";
    let qode = |first: &str, second: &str| {
        format!(
            "<div class=q_slider><div class='carousel slide full_screen'><div class=carousel-inner><div class=item {first}>A</div>\
             <div class=item {second}>B</div></div></div></div>"
        )
    };
    let shopify = |first: &str, second: &str| {
        format!(
            "<div class=slideshow><div class=slideshow__slide {first}><div id=image class='slideshow__image js'></div></div>\
             <div class=slideshow__slide {second}></div></div>"
        )
    };
    let all: [&dyn Fn(&str, &str) -> String; 6] = [&smart, &nivo, &flex, &soliloquy, &qode, &shopify];
    for html in all {
        let (first, second) = (html("id=x", ""), html("", "id=x"));
        assert_ne!(value(css, &first, "x", Longhand::Display), "none", "{first}");
        assert_eq!(value(css, &first, "x", Longhand::Transform), "none", "{first}");
        assert_eq!(value(css, &second, "x", Longhand::Display), "none", "{second}");
    }
    assert_eq!(value(css, &smart("", ""), "wide", Longhand::Opacity), "1");
    assert_eq!(value(css, &shopify("", ""), "image", Longhand::Visibility), "visible");
    let carousel = flex("", "id=x").replace("flexslider", "flexslider carousel");
    assert_eq!(value("", &carousel, "x", Longhand::Display), "list-item", "several at once");
    let ready = soliloquy("", "id=x").replace("=soliloquy-container", "='soliloquy-container soliloquy-ready'");
    assert_eq!(value("", &ready, "x", Longhand::Display), "list-item", "the script has run");
    let moved = flex("class=flex-active-slide", "id=x");
    assert_eq!(value("", &moved, "x", Longhand::Display), "list-item", "saved after its script");
}

#[test]
fn full_width_rows_leave_their_column() {
    let row =
        |attributes: &str| format!("<div style='width:1000px;margin:auto'><div id=x {attributes}>Row</div></div>");
    let css = ".vc_row{margin:0 -15px}";
    let outside = "calc(50% - 720px)";
    for (attributes, margin, padding) in [
        ("class=vc_row data-vc-full-width=true", outside, "max(0px, calc(-50% + 705px))"),
        ("class=vc_row data-vc-full-width=true data-vc-stretch-content=true", outside, "0px"),
        ("class='elementor-section elementor-section-stretched'", outside, "0px"),
        ("class=vc_row", "-15px", "0px"),
        ("class=vc_row data-vc-full-width=true data-vc-full-width-init=true", "-15px", "0px"),
    ] {
        let html = row(attributes);
        let own = |longhand| value(css, &html, "x", longhand);
        assert_eq!(
            (own(Longhand::MarginLeft).as_str(), own(Longhand::PaddingLeft).as_str()),
            (margin, padding),
            "{html}"
        );
    }
}

const REVOLUTION: &str =
    "<script>setREVStartSize({c: 'rs', gw:[1200,480], gh:[600,400], layout:'fullwidth'});</script>";

/// The attributes of a layer name a place and sizes for each of the slider's widths.
#[test]
fn layers_of_revolution_have_their_place_and_size() {
    let html = |layer: &str| {
        format!(
            "<div id=rs_wrapper><rs-module id=rs><rs-slides><rs-slide>{layer}</rs-slide></rs-slides></rs-module></div>{REVOLUTION}"
        )
    };
    let text = html(
        "<rs-layer id=x data-type=text data-color='#ffd||#fff' data-xy='x:l,c;xo:50px,0;y:m;yo:-40px;' data-text='w:normal;s:60,30;l:70;fw:700;' \
         data-dim='w:500px,300px;' data-padding='r:35;'>One</rs-layer>",
    );
    for (longhand, expected) in [
        (Longhand::Position, "absolute"),
        (Longhand::Left, "calc(50% - 550px)"),
        (Longhand::Top, "calc(50% - 40px)"),
        (Longhand::FontSize, "60px"),
        (Longhand::LineHeight, "70px"),
        (Longhand::FontWeight, "700"),
        (Longhand::Color, "rgb(255, 255, 221)"),
        (Longhand::Width, "500px"),
        (Longhand::PaddingRight, "35px"),
        (Longhand::WhiteSpaceCollapse, "collapse"),
    ] {
        assert_eq!(value("", &text, "x", longhand), expected, "{longhand:?}");
    }
    assert_eq!(value("", &text, "rs_wrapper", Longhand::MarginLeft), "calc(50% - 720px)", "as wide as the window");
    let in_column = text.replace("fullwidth", "auto");
    assert_eq!(value("", &in_column, "rs_wrapper", Longhand::MarginLeft), "0px");
    let cover = html("<rs-layer id=x data-type=shape data-basealign=slide data-dim='w:100%;h:100%;'></rs-layer>");
    let size = [Longhand::Width, Longhand::Height, Longhand::Left].map(|longhand| value("", &cover, "x", longhand));
    assert_eq!(size, ["100%", "100%", "0px"]);
    let old = html(
        "<div id=x class=tp-caption data-x=\"['right','center']\" data-hoffset=\"['30','0']\" data-y=100>One</div>",
    );
    let place = [Longhand::Right, Longhand::Top].map(|longhand| value("", &old, "x", longhand));
    assert_eq!(place, ["calc(50% - 570px)", "100px"]);
    let hidden = html("<rs-layer id=x data-type=text data-vbility='f,f,t,t'>One</rs-layer>");
    assert_eq!(value("", &hidden, "x", Longhand::Display), "none", "at this width");
}

/// A page that a browser read, or that was saved, has the slide that is shown then.
#[test]
fn sliders_of_revolution_stay_as_their_script_left_them() {
    let html = |class: &str| {
        format!(
            "<div id=rs_wrapper><rs-module id=rs class='{class}'><rs-slides><rs-slide></rs-slide><rs-slide id=x>B</rs-slide></rs-slides>\
             </rs-module></div>{REVOLUTION}"
        )
    };
    assert_eq!(value("", &html(""), "x", Longhand::Display), "none");
    assert_eq!(value("", &html("revslider-initialised"), "x", Longhand::Display), "inline");
}

/// Rows and columns are tables without the elements that the script puts around them.
#[test]
fn columns_and_groups_of_revolution_place_their_layers() {
    let html = |own: &str, inside: &str| {
        format!(
            "<div id=rs_wrapper><rs-module id=rs><rs-slides><rs-slide><rs-zone><rs-row><rs-column {own} \
             data-column='w:66.67%;a:bottom;' data-padding='r:60;' style='width:100%'>{inside}</rs-column></rs-row></rs-zone>\
             <rs-group id=group data-xy='x:c;y:m;' data-dim='w:400px;h:200px;'><rs-layer id=inner data-xy='x:r;xo:20px;y:b;yo:10px;'>\
             Two</rs-layer></rs-group></rs-slide></rs-slides></rs-module></div>{REVOLUTION}"
        )
    };
    let css = "rs-column{width:100%!important} rs-layer{position:absolute}";
    let column = html("id=x", "");
    let layer = html("", "<rs-layer id=x data-type=text data-margin='b:24;' data-disp=inline-block>One</rs-layer>");
    for (html, id, longhand, expected) in [
        (&column, "x", Longhand::Display, "table-cell"),
        (&column, "x", Longhand::Width, "66.67%"),
        (&column, "x", Longhand::VerticalAlign, "bottom"),
        (&column, "x", Longhand::PaddingRight, "60px"),
        (&layer, "x", Longhand::Position, "relative"),
        (&layer, "x", Longhand::Display, "inline-block"),
        (&layer, "x", Longhand::MarginBottom, "24px"),
        (&layer, "inner", Longhand::Right, "20px"),
        (&layer, "inner", Longhand::Bottom, "10px"),
    ] {
        assert_eq!(value(css, html, id, longhand), expected, "{id} {longhand:?}");
    }
}
