use crate::property::Longhand;
use crate::start_state::StartEvidence;
use crate::{Environment, StyleIndex};
use limner_page::{Document, NodeId, PageSnapshot, SheetOwner, Stylesheet};

mod builders;
mod plugins;
mod script_settings;

fn page(css: &str, html: &str) -> PageSnapshot {
    let sheet = Stylesheet { owner: SheetOwner::Adopted, text: Some(css.into()), ..Stylesheet::default() };
    PageSnapshot { html: format!("<!doctype html>{html}"), sheets: vec![sheet], ..PageSnapshot::default() }
}

/// Returns the evidence for the element with id `x`, and its opacity, visibility, transform and display.
fn ended(css: &str, html: &str) -> (Option<StartEvidence>, [String; 4]) {
    let page = page(css, html);
    let document = Document::parse(&page.html);
    let index = StyleIndex::new(&page, &document).with_start_states_ended();
    let by_id = |node: &NodeId| document.element(*node).is_some_and(|element| element.attr("id") == Some("x"));
    let node = document.elements().map(|(node, _)| node).find(by_id).expect("an element with id x");
    let style = index.styles(&Environment::default()).get(node).expect("a style");
    let evidence = index.start_states().into_iter().find(|state| state.node == node).map(|state| state.evidence);
    let values = [Longhand::Opacity, Longhand::Visibility, Longhand::Transform, Longhand::Display];
    (evidence, values.map(|longhand| style.get(longhand).to_owned()))
}

#[track_caller]
fn check_shown(css: &str, html: &str, evidence: StartEvidence) {
    let (found, [opacity, visibility, transform, _]) = ended(css, html);
    assert_eq!(found, Some(evidence), "{css} {html}");
    assert_eq!((opacity.as_str(), visibility.as_str(), transform.as_str()), ("1", "visible", "none"), "{css} {html}");
}

#[test]
fn entrances_of_libraries_and_builders_end() {
    use StartEvidence::{Gap, InlineStyle, LibraryMark};
    const WEBFLOW: &str = "opacity:0;-webkit-transform:translate3d(0,40px,0);transform:translate3d(0,40px,0)";
    for (css, html, evidence) in [
        ("", &*format!("<h1 id=x data-w-id=5a style='{WEBFLOW}'>Boats</h1>"), LibraryMark),
        (
            ".pill{position:absolute} .pill div{height:40px;background:#fff2}",
            "<div class=pill style='opacity:0;transform:translateY(-90px)'><div></div></div>
             <div class=pill id=x style='opacity:0;transform:translateY(-90px)'><div></div></div>",
            InlineStyle,
        ),
        (
            ".t-animate{opacity:0} [data-animate-style=fadeinup]{transform:translate3d(0,100px,0)}",
            "<div class='tn-elem t-animate' data-animate-style=fadein style='position:absolute'>A</div>
             <div class='tn-elem t-animate' id=x data-animate-style=fadeinup style='position:absolute'>B</div>",
            LibraryMark,
        ),
        (
            "",
            "<div id=x data-framer-appear-id=1 style='opacity:0.001;transform:translateY(24px)'><p>Ship</div>",
            LibraryMark,
        ),
        ("", "<p id=x style='opacity:0;transform:translateY(20px)'>Repair</p>", InlineStyle),
        ("", "<h2>Set it <span id=x style='opacity:0.001;filter:blur(4px)'>—</span> go</h2>", InlineStyle),
        ("", "<p id=x style='will-change:transform;opacity:0.001'>Repair</p>", InlineStyle),
        (
            "[data-aos^=fade][data-aos^=fade]{opacity:0}[data-aos=fade-up]{transform:translate3d(0,100px,0)}
             [data-aos].aos-animate{opacity:1}",
            "<div id=x data-aos=fade-up><p>One</div>",
            LibraryMark,
        ),
        (".wow{visibility:hidden}", "<div id=x class='wow fadeInUp'>One</div>", LibraryMark),
        (
            "[data-interaction-hidden-on-load]{visibility:hidden}",
            "<h1 id=x data-interaction-hidden-on-load=1>One</h1>",
            LibraryMark,
        ),
        (".elementor-invisible{visibility:hidden}", "<h1 id=x class=elementor-invisible>One</h1>", LibraryMark),
        (".et-waypoint{opacity:0}", "<div id=x class='et_pb_blurb et-waypoint'>One</div>", LibraryMark),
        (
            ".reveal{opacity:0;transform:translateY(30px)}.reveal.on{opacity:1;transform:none}",
            "<div id=x class=reveal>One</div>",
            LibraryMark,
        ),
        (".title{visibility:hidden}", "<h2 id=x class=title>One</h2>", Gap),
        (".hidden{opacity:0;filter:blur(5px);transform:translateX(-100%)}", "<div id=x class=hidden>One</div>", Gap),
        ("body{opacity:0}", "<body id=x><h1>One</h1>", Gap),
        ("@media (max-width:600px){#x{display:none}}", "<div id=x style='opacity:0'>One</div>", InlineStyle),
    ] {
        check_shown(css, html, evidence);
    }
}

/// GSAP leaves what it animates to a rule of the author, smooth-scroll wrappers wait for their script as a whole.
#[test]
fn entrances_of_gsap_and_smooth_scrolling_end() {
    use StartEvidence::{Gap, Headline, InlineStyle, LibraryMark};
    for (css, html, evidence) in [
        ("[data-gsap]{visibility:hidden}", "<p id=x data-gsap=fade-up>One</p>", LibraryMark),
        (".gsap-line{opacity:0;transform:translateY(100%)}", "<p id=x class=gsap-line>One</p>", LibraryMark),
        (".title{opacity:0}", "<h1 id=x class=title>One</h1>", Gap),
        (
            "",
            "<h1 id=x style='opacity:0;translate:none;rotate:none;scale:none;transform:translate(0px, 50px)'>One</h1>",
            InlineStyle,
        ),
        (
            ".pin{position:absolute;inset:0;visibility:hidden}",
            "<section id=x class=pin><h1>One</h1></section>",
            Headline,
        ),
        ("[data-scroll-container]{opacity:0}", "<main id=x data-scroll-container><h1>One</h1></main>", LibraryMark),
        (
            "[data-scroll-section]{visibility:hidden}",
            "<section id=x data-scroll-section><h1>One</h1></section>",
            LibraryMark,
        ),
        ("[data-scroll]{opacity:0}[data-scroll].is-inview{opacity:1}", "<p id=x data-scroll>One</p>", LibraryMark),
        (
            "#smooth-content{opacity:0}",
            "<div id=smooth-wrapper><div id=x style='opacity:0'><h1>One</h1></div></div>",
            InlineStyle,
        ),
    ] {
        check_shown(css, html, evidence);
    }
}

#[test]
fn centring_stays_when_an_entrance_ends() {
    let (_, [opacity, _, transform, _]) =
        ended("", "<div data-w-id=1 id=x style='opacity:0;transform:translateX(-50%) translateY(20px)'>One</div>");
    assert_eq!((opacity.as_str(), transform.as_str()), ("1", "translateX(-50%)"));
    let (_, [_, _, transform, _]) =
        ended("#x{transform:translate(-50%,-50%)}.wow{opacity:0}", "<div id=x class=wow>One</div>");
    assert_eq!(transform, "translate(-50%, -50%)", "declared apart from the start");
}

/// The transform with which an entrance ends keeps the element above a layer that is positioned.
#[test]
fn texts_stay_above_an_overlay_when_their_entrance_ends() {
    let css =
        "[data-aos]{opacity:0;transform:translateY(9px)} [data-aos].aos-animate{opacity:1;transform:translateZ(0)}
               .top{position:relative} .over::before{content:'';position:absolute;inset:0;background:#000c}";
    let transform = |class: &str, layer: &str| {
        let html = format!("<section class='top {class}'>{layer}<div><h1 id=x data-aos=fade>One</h1></div></section>");
        ended(css, &html).1[2].clone()
    };
    let flat = "matrix(1, 0, 0, 1, 0, 0)";
    assert_eq!(transform("over", ""), flat);
    assert_eq!(transform("", "<i style='position:absolute;inset:0'></i>"), flat);
    assert_eq!(transform("", ""), "none", "nothing is over it");
    assert_eq!(transform("", "<i></i>"), "none");
}

#[test]
fn headlines_and_pictures_above_others_are_shown() {
    check_shown(
        ".layer{position:absolute;top:0;opacity:0}",
        "<div class=layer id=x><h1>One</h1></div>",
        StartEvidence::Headline,
    );
    check_shown(".lazy{opacity:0}", "<img id=x class=lazy src=a.png>", StartEvidence::FadingMedia);
}

/// Pages replace the class `no-js` as soon as a script runs.
#[test]
fn rule_for_visitors_without_scripts_hides_nothing() {
    let css = "html.no-js .no-js{display:none!important} .gone{display:none} .lazy{opacity:0}";
    let display = |class: &str, root: &str| {
        ended(css, &format!("<html class='{root}'><p id=x class='{class}'>One</p>")).1[3].clone()
    };
    assert_eq!(display("no-js", "no-touch no-js"), "block");
    assert_eq!(display("no-js gone", "no-js"), "none");
    assert_eq!(display("gone", "no-js"), "none");
    assert_eq!(display("no-js", "js"), "block", "the rule does not apply");
    let (_, [opacity, ..]) = ended(css, "<html class=no-js><div class=no-js><img id=x class=lazy src=a.png></div>");
    assert_eq!(opacity, "1", "in an element that such a rule hides");
}

/// A script uncovers the picture for whom it is pointed at; without the watermark it fades in once it is loaded.
#[test]
fn pictures_over_their_own_watermark_stay_hidden() {
    let css = ".view{position:absolute} .main{opacity:0} .copy{opacity:.03} .start{opacity:.001}";
    let pair = |second: &str| {
        format!("<div><img id=x class='view main' src=a.png><img class='view {second}' src=b.png></div>")
    };
    assert_eq!(ended(css, &pair("copy")).0, None);
    check_shown(css, &pair("start"), StartEvidence::FadingMedia);
}

#[test]
fn rule_of_a_state_that_an_important_one_overrides_shows_nothing() {
    check_shown(
        ".animate-in{opacity:0!important;visibility:hidden!important} .btn:hover{opacity:1}",
        "<a class='btn animate-in popup-link' id=x>One</a>",
        StartEvidence::LibraryMark,
    );
}

/// Elements that the visitor opens, points at or never sees stay as they are.
#[test]
fn elements_that_wait_for_the_visitor_stay_hidden() {
    for (css, html) in [
        (
            ".menu{position:absolute;opacity:0;visibility:hidden}.open .menu{opacity:1}",
            "<ul class=menu id=x><li>One</ul>",
        ),
        (".card p{opacity:0}.card:hover p{opacity:1}", "<div class=card><p id=x>More</p></div>"),
        (
            ".animate-in{opacity:0!important}.card:hover p{opacity:1!important}",
            "<div class=card><p class=animate-in id=x>More</p></div>",
        ),
        (
            ".card .more{opacity:0}.card:focus-within .more{opacity:1}",
            "<div class=card><p class=more id=x>More</p></div>",
        ),
        (
            ".slide{position:absolute;background:url(a.jpg)}",
            "<i class=slide></i><i class=slide id=x style='opacity:0;transform:scale(1.1)'></i>",
        ),
        (".modal{position:fixed;inset:0;opacity:0}", "<div class=modal id=x><h1>Sign up</h1></div>"),
        (".m{visibility:hidden}", "<div role=dialog class=m id=x>Sign up</div>"),
        (".m{opacity:0}", "<span class='tooltip m' id=x>Tip</span>"),
        (".m{opacity:0}", "<div role=tabpanel class=m id=x>Tab</div>"),
        (
            ".tab{opacity:0}.tab.active{opacity:1}",
            "<div><div class='tab active'>One</div><div class=tab id=x>Two</div></div>",
        ),
        (
            ".s{position:absolute;opacity:0}.s:first-child{opacity:1}",
            "<div><h1 class=s>One</h1><h1 class=s id=x>Two</h1></div>",
        ),
        (".a{max-height:0;overflow:hidden;opacity:0}", "<div class=a id=x>Answer</div>"),
        (".a{height:0;overflow:hidden}.b{opacity:0}", "<div class=a><p class=b id=x>Answer</p></div>"),
        ("#c:checked~.a{opacity:1}.a{opacity:0}", "<input type=checkbox id=c><div class=a id=x>Answer</div>"),
        ("section:not(:has(:checked)) p{opacity:0}", "<section><input type=checkbox><p id=x>Answer</section>"),
        ("input{opacity:0}", "<input type=file id=x>"),
        (".g{visibility:hidden}", "<span class=g id=x aria-hidden=true>Longest</span>"),
        (
            ".g{visibility:hidden}.o{position:absolute}",
            "<p><span class=g id=x>Longest</span><span class=o>Short</span></p>",
        ),
        (".up{position:fixed;bottom:0;opacity:0}", "<a class=up id=x href='#'>Up</a>"),
        ("", "<div popover style='opacity:0' id=x>One</div>"),
        (".n{opacity:0}", "<div class=n id=x></div>"),
    ] {
        let (found, [opacity, visibility, ..]) = ended(css, html);
        assert_eq!(found, None, "{css} {html}");
        assert!(opacity == "0" || visibility == "hidden", "{css} {html}");
    }
}

#[test]
fn loading_screens_go_away() {
    let css = ".loader{position:fixed;top:0;left:0;width:100%;height:100%;background:#fff;z-index:99}
               .bare{position:fixed;inset:0;z-index:50;background:#123}
               .noise{position:fixed;inset:0;z-index:50;background:transparent}
               .bar{position:fixed;top:0;left:0;width:100%;height:60px;background:#fff;z-index:99}";
    for (html, goes) in [
        ("<div class=loader id=x><div class=spinner></div></div>", true),
        ("<div><div class='page-loader loader' id=x><p>Loading 0%</p></div></div>", true),
        ("<div class=bare id=x></div>", true),
        ("<div class=noise id=x></div>", false),
        ("<div class=bare id=x><nav><a href=/>One</a></nav></div>", false),
        ("<div class=bar id=x></div>", false),
    ] {
        let (found, [_, _, _, display]) = ended(css, html);
        assert_eq!((found, display == "none"), (goes.then_some(StartEvidence::LoadingOverlay), goes), "{html}");
    }
}

#[test]
fn sliders_show_their_first_slide_and_cloaks_are_taken_off() {
    let css = ".owl-carousel{display:none}[v-cloak]{display:none}";
    let slides = |first: &str, second: &str| {
        format!("<div class=owl-carousel><div {first}><h2>One</h2></div><div {second}><h2>Two</h2></div></div>")
    };
    let display = |html: &str| ended(css, html).1[3].clone();
    assert_eq!(display(&slides("id=x", "")), "block");
    assert_eq!(display(&slides("", "id=x")), "none");
    assert_eq!(display("<div class=owl-carousel id=x><p>One<p>Two</div>"), "block");
    assert_eq!(display("<div v-cloak id=x>One</div>"), "block");
    assert_eq!(display("<div v-cloak v-show=open id=x>One</div>"), "none");
    let css = "[data-et-multi-view-load-phone-hidden=true]:not(.et_multi_view_swapped){display:none!important}";
    let divi = ended(css, "<div data-et-multi-view-load-phone-hidden=true id=x>One</div>");
    assert_eq!(divi.1[3], "block");
}

/// Rows of slides: what hides them until the script runs ends, and slides that hold a headline are as wide as the slider.
#[test]
fn rows_of_slides_are_laid_out() {
    use StartEvidence::Slider;
    for (css, html) in [
        (
            ".splide{visibility:hidden}.splide.is-rendered{visibility:visible}",
            "<div class=splide id=x><div class=splide__track><ul class=splide__list><li class=splide__slide>One<li>Two</ul></div></div>",
        ),
        (
            ".swiper{opacity:0}.swiper-initialized{opacity:1}",
            "<div class=swiper id=x><div class=swiper-wrapper><p>One<p>Two</div></div>",
        ),
        (
            ".swiper-slide{position:absolute;opacity:0}.swiper-slide-active{opacity:1}",
            "<div class=swiper-wrapper><div class=swiper-slide id=x>One</div><div class=swiper-slide>Two</div></div>",
        ),
        (
            ".words{position:absolute;opacity:0;transform:translateY(40px)}.swiper-slide-active .words{opacity:1;transform:none}",
            "<div class=swiper-container><div class=swiper-wrapper><div class=swiper-slide><div><p class=words id=x>One</p></div></div><div>Two</div></div></div>",
        ),
        (
            ".glide__slide{opacity:0}.glide__slide--active{opacity:1}",
            "<ul class=glide__slides><li class=glide__slide id=x>One<li class=glide__slide>Two</ul>",
        ),
        (
            ".embla{opacity:0}",
            "<div class=embla id=x><div class=embla__viewport><div class=embla__container><p>One<p>Two</div></div></div>",
        ),
        (
            ".keen-slider__slide{visibility:hidden}",
            "<div class=keen-slider><div class=keen-slider__slide id=x>One</div><div class=keen-slider__slide>Two</div></div>",
        ),
    ] {
        check_shown(css, html, Slider);
    }
    let width = |css: &str, html: &str| {
        let page = page(css, html);
        let document = Document::parse(&page.html);
        let index = StyleIndex::new(&page, &document).with_start_states_ended();
        let (slide, _) = document.elements_named("li").next().unwrap();
        let style = index.styles(&Environment::default()).get(slide).unwrap();
        (style.get(Longhand::Width).to_owned(), style.get(Longhand::FlexShrink).to_owned())
    };
    let row = |class: &str, tag: &str| format!("<ul class={class}><li><{tag}>One</{tag}><li><{tag}>Two</{tag}></ul>");
    let full = ("100%".to_owned(), "0".to_owned());
    let keen = ".keen-slider{display:flex;overflow:hidden}.keen-slider li{width:100%}";
    assert_eq!(width(keen, &row("keen-slider", "h2")), full, "slides would share the width");
    assert_eq!(width(".splide__list{display:flex}li{flex-shrink:0}", &row("splide__list", "h2")), full);
    assert_eq!(width(".embla__container{display:flex}li{flex:0 0 60%}", &row("embla__container", "h2")).0, "auto");
    assert_eq!(width(keen, &row("keen-slider", "p")).1, "1", "several at a time");
    assert_eq!(width(".swiper-wrapper{display:flex}li{width:400px}", &row("swiper-wrapper", "h2")).0, "400px");
}

/// Rows that a rule shows at some widths only, and rows that their script has laid out, are as the page says.
#[test]
fn rows_without_a_box_stay_without() {
    for (css, html) in [
        (".swiper-wrapper{display:none}", "<div class=swiper-wrapper id=x><h2>One</h2><h2>Two</h2></div>"),
        (
            "",
            "<div class='swiper swiper-initialized'><div class=swiper-wrapper><h2>One</h2><h2 id=x>Two</h2></div></div>",
        ),
    ] {
        assert_eq!(ended(css, html).0, None, "{html}");
    }
    let stacked = "<div class=swiper><div class=swiper-wrapper><h2>One</h2><h2 id=x>Two</h2></div></div>";
    assert_eq!(ended("", stacked).1[3], "none", "the sheet of the library is missing");
}

/// Slides that wait far outside of the viewport: the first comes in, the others and what is hidden there stay.
#[test]
fn first_slide_comes_into_sight() {
    let css = ".away{transform:translateX(-100000px)}";
    let (evidence, [_, _, transform, _]) =
        ended(css, "<div><svg></svg><div class=away id=x>One</div><div class=away>Two</div></div>");
    assert_eq!((evidence, transform.as_str()), (Some(StartEvidence::Slider), "none"));
    for html in [
        "<div><div class=away>One</div><div class=away id=x>Two</div></div>",
        "<div><a class=away id=x href='#main'>Skip</a><p>Words</p></div>",
        "<header><h1 class=away id=x>Boats</h1></header>",
    ] {
        let (evidence, [_, _, transform, _]) = ended(css, html);
        assert_eq!(evidence, None, "{html}");
        assert!(transform.contains("-100000"), "{transform} {html}");
    }
}

/// The height of a slider of Slider Revolution is that of the page's call, at both ends of its widths.
#[test]
fn sliders_of_revolution_have_their_height_and_first_slide() {
    let css =
        "rs-module-wrap{visibility:hidden;display:block} rs-module{display:block} rs-slides,rs-slide{position:absolute}
               rs-slide{display:block;visibility:hidden} rs-layer{opacity:0;visibility:hidden}";
    let call = |arguments: &str| {
        format!("<script>function setREVStartSize(e){{}} setREVStartSize({{c: 'rs', {arguments}}});</script>")
    };
    let slider = |class: &str, call: &str, marked: [&str; 4]| {
        let [around, first, layer, second] = marked;
        let slides = format!(
            "<rs-slide {first}><img class=rev-slidebg src=/a.jpg><rs-layer {layer}>One</rs-layer></rs-slide><rs-slide {second}>Two</rs-slide>"
        );
        format!(
            "<div {around} class='{class}'><rs-module-wrap id=rs_wrapper class='{class}'><rs-module id=rs><rs-slides>{slides}</rs-slides></rs-module></rs-module-wrap></div>{call}"
        )
    };
    let grids =
        "rl:[1240,1024,778,480], el:[], gw:[1200,1024,768,480],gh:[809,600,630,600],layout:'fullwidth',mh:\"0\"";
    for (at, expected) in [(1, ["1", "visible", "block"]), (2, ["1", "visible", "block"]), (3, ["1", "hidden", "none"])]
    {
        let mut marked = [""; 4];
        marked[at] = "id=x";
        let [opacity, visibility, _, display] = ended(css, &slider("", &call(grids), marked)).1;
        assert_eq!([&*opacity, &*visibility, &*display], expected, "{at}");
    }
    let height = |class: &str, call: &str, (width, height): (f64, f64)| {
        let page = page(css, &slider(class, call, [""; 4]));
        let document = Document::parse(&page.html);
        let index = StyleIndex::new(&page, &document).with_start_states_ended();
        let node = document.elements().find(|(_, element)| element.attr("id") == Some("rs_wrapper")).unwrap().0;
        let environment = Environment { width, height, ..Environment::default() };
        let style = index.styles(&environment).get(node).unwrap();
        (style.get(Longhand::Height).to_owned(), style.get(Longhand::Visibility).to_owned())
    };
    let (desktop, phone) = ((1440.0, 900.0), (390.0, 844.0));
    let shown = |height: &str| (height.to_owned(), "visible".to_owned());
    assert_eq!(height("", &call(grids), desktop), shown("809px"));
    assert_eq!(height("", &call(grids), phone), shown("487.5px"));
    assert_eq!(height("", &call(&grids.replace("fullwidth", "fullscreen")), phone), shown("844px"));
    assert_eq!(height("", &call(&grids.replace("[]", "[700]")), desktop), shown("700px"));
    assert_eq!(height("rs-modal", &call(grids), desktop), ("auto".to_owned(), "hidden".to_owned()), "a dialog");
    assert_eq!(height("", &call("gw:[0]"), desktop).0, "auto", "no height");
}

/// A dialog of Tilda shows records that stand between the others.
#[test]
fn records_of_popups_are_not_shown() {
    for (id, expected) in [("rec345", "none"), ("rec34", "block"), ("345", "block")] {
        let html = format!(
            "<div id={id}><h1>Menu</h1></div><div class=t-rec><div class=t-popup data-popup-rec-ids='12, 345'></div></div>"
        );
        let page = page("", &html);
        let document = Document::parse(&page.html);
        let index = StyleIndex::new(&page, &document).with_start_states_ended();
        let node = document.elements().find(|(_, element)| element.attr("id") == Some(id)).unwrap().0;
        let style = index.styles(&Environment::default()).get(node).unwrap();
        assert_eq!(style.get(Longhand::Display), expected, "{id}");
    }
}

/// The texts of a slide have the colour that they name for the widest viewport.
#[test]
fn layers_of_revolution_have_their_color() {
    let call = "<script>setREVStartSize({c: 'rs', gw:[1200],gh:[800]});</script>";
    for (attribute, expected) in [
        ("data-color='#ffffff||#000000'", "rgb(255, 255, 255)"),
        ("data-color='rgba(255, 0, 0, 1)'", "rgb(255, 0, 0)"),
        ("data-color='red;display:none'", "rgb(17, 17, 17)"),
        ("data-type=text", "rgb(255, 255, 255)"),
        ("data-type=text style='color:#111'", "rgb(17, 17, 17)"),
        ("data-type=shape", "rgb(17, 17, 17)"),
    ] {
        let html = format!(
            "<rs-module id=rs><rs-slides><rs-slide><rs-layer id=x {attribute}>One</rs-layer></rs-slide></rs-slides></rs-module>{call}"
        );
        let page = page("body{color:#111}rs-layer{opacity:0}", &html);
        let document = Document::parse(&page.html);
        let index = StyleIndex::new(&page, &document).with_start_states_ended();
        let node = document.elements().find(|(_, element)| element.attr("id") == Some("x")).unwrap().0;
        let style = index.styles(&Environment::default()).get(node).unwrap();
        let color = style.get(Longhand::Color);
        assert_eq!((color, style.get(Longhand::Opacity)), (expected, "1"), "{attribute}");
    }
}

/// Themes hide the slider behind a preloader in the flow; before version 6 sliders were lists, called by `jQuery`.
#[test]
fn sliders_of_revolution_come_in_place_of_their_preloader() {
    let call = "<script>setREVStartSize({ c: jQuery('#rs'), gridwidth: [1140], gridheight: [500], sliderLayout: 'auto' });</script>";
    let html = |preloader: &str, around: &str, layer: &str| {
        format!(
            "<div {preloader}><i></i></div><div class=wait {around}><div id=rs_wrapper><div id=rs style='display:none'><ul>\
             <li><b class=tp-caption {layer}>One</b></li><li>Two</li></ul></div></div></div>{call}"
        )
    };
    let css = ".wait{opacity:0;height:0} .tp-caption{visibility:hidden}";
    let display = |html: &str| ended(css, html).1[3].clone();
    assert_eq!(display(&html("class=preloader id=x", "", "")), "none");
    assert_eq!(display(&html("class=offer id=x", "", "")), "block");
    assert_eq!(ended(css, &html("", "id=x", "")).1[0], "1");
    let [_, visibility, ..] = ended(css, &html("", "", "id=x")).1;
    assert_eq!(visibility, "visible");
}

/// The first slide of a Fusion Slider takes the place of its word for loading.
#[test]
fn fusion_sliders_show_their_first_slide() {
    let css = "li{display:none} .slide-content{opacity:0}";
    let html = |loading: &str, first: &str, second: &str| {
        let slide = |id: &str| {
            format!(
                "<li><div class=slide-content-container style='display:none' {id}><p class=slide-content>A</p></div></li>"
            )
        };
        format!(
            "<div class=fusion-slider-container><div class=fusion-slider-loading {loading}>Loading</div><ul>{}{}</ul></div>",
            slide(first),
            slide(second)
        )
    };
    let display = |html: &str| ended(css, html).1[3].clone();
    assert_eq!(display(&html("id=x", "", "")), "none");
    assert_eq!(display(&html("", "id=x", "")), "block");
    assert_eq!(ended(css, &html("", "", "id=x")).0, None);
}

/// Floating slides without a width have that of the slider.
#[test]
fn floating_slides_fill_their_slider() {
    let html = |at: &str| {
        format!("<div class=elementor-slides><div class=s id={at}><b>One</b></div><div class=s>Two</div></div>")
    };
    let page = page(".s{float:left;height:300px}", &html("x"));
    let document = Document::parse(&page.html);
    let index = StyleIndex::new(&page, &document).with_start_states_ended();
    let slides: Vec<NodeId> = document.elements_named("div").map(|(node, _)| node).skip(1).collect();
    let mut styles = index.styles(&Environment::default());
    let mut value = |at: usize, longhand| styles.get(slides[at]).unwrap().get(longhand).to_owned();
    assert_eq!((value(0, Longhand::Width).as_str(), value(1, Longhand::Display).as_str()), ("100%", "none"));
}

/// A rule about a state still applies to an element whose start has ended.
#[test]
fn states_apply_after_the_end() {
    let css = ".reveal{opacity:0;transform:translateY(9px)}.reveal:hover{transform:scale(2)}";
    let page = page(css, "<div class=reveal id=x>One</div>");
    let document = Document::parse(&page.html);
    let index = StyleIndex::new(&page, &document).with_start_states_ended();
    let (node, _) = document.elements_named("div").next().unwrap();
    let hover = Environment { states: [crate::selector::State::Hover].into_iter().collect(), ..Environment::default() };
    let style = index.styles(&hover).get(node).unwrap();
    assert_eq!((style.get(Longhand::Opacity), style.get(Longhand::Transform)), ("1", "matrix(2, 0, 0, 2, 0, 0)"));
}

#[test]
fn backgrounds_that_scripts_set_are_there() {
    let shown = |css: &str, html: &str| {
        let page = page(css, html);
        let document = Document::parse(&page.html);
        let index = StyleIndex::new(&page, &document).with_start_states_ended();
        let by_id = |node: &NodeId| document.element(*node).is_some_and(|element| element.attr("id") == Some("x"));
        let node = document.elements().map(|(node, _)| node).find(by_id).unwrap();
        let style = index.styles(&Environment::default()).get(node).unwrap();
        let evidence = index.start_states().into_iter().find(|state| state.node == node).map(|state| state.evidence);
        (evidence, style.get(Longhand::BackgroundImage).to_owned(), style.get(Longhand::BackgroundSize).to_owned())
    };
    let lazy = Some(StartEvidence::LazyBackground);
    for (css, html, image, size) in [
        (".b{background-size:cover}", "<div id=x class=b data-bg=/img/a.jpg></div>", "/img/a.jpg", "cover"),
        (
            "",
            "<div id=x style=\"background-image:url('/s/spacer.png?v=1')\" data-bgset='a.jpg 400w, b.jpg 800w, c.jpg 600w'></div>",
            "b.jpg",
            "auto",
        ),
        ("", "<div id=x data-setbg='a b.webp?v=2'></div>", "a b.webp?v=2", "auto"),
        ("", "<div id=x data-background-image=\"url('/a.png')\"></div>", "/a.png", "auto"),
        (
            "#x{background:url(data:image/gif;base64,R0)}",
            "<div id=x data-bg-url=//c.test/a></div>",
            "//c.test/a",
            "auto",
        ),
        ("", "<div id=x class=w-background-video data-poster-url=/p.jpg></div>", "/p.jpg", "cover"),
        ("", "<section id=x data-parallax=scroll data-image-src=/p.jpg></section>", "/p.jpg", "cover"),
        (
            "",
            r#"<section id=x data-settings='{"background_slideshow_gallery":[{"id":3,"url":"https:\/\/c.test\/p.jpg"}]}'></section>"#,
            "https://c.test/p.jpg",
            "cover",
        ),
        (
            "#x{background-image:url(/own.jpg)} .e-con:not(.e-lazyloaded){background-image:none!important}",
            "<div id=x class=e-con></div>",
            "/own.jpg",
            "auto",
        ),
    ] {
        let (evidence, found, found_size) = shown(css, html);
        assert_eq!((evidence, found_size.as_str()), (lazy, size), "{html}");
        assert!(found.starts_with("url(") && found.contains(image), "{found} {html}");
    }
    for (css, html) in [
        ("", "<div id=x data-background=#fff></div>"),
        ("", "<div id=x data-bg=dark></div>"),
        ("", "<div id=x style='background-image:url(/own.jpg)' data-bgset='a.jpg 400w'></div>"),
        ("", "<div id=x data-bg='{{ image }}.jpg'></div>"),
        ("#x{background-image:url(/own.jpg)}", "<div id=x data-bg=/a.jpg></div>"),
        ("", "<div id=x class=w-background-video data-poster-url=/p.jpg><video></video></div>"),
        (
            ".plain{background:none!important} .lazy{color:red}",
            "<div id=x class='plain lazy' style='background:url(a.png)'></div>",
        ),
    ] {
        assert_eq!(shown(css, html).0, None, "{html}");
    }
}
