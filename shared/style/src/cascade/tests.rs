mod element_values;
mod flows;
mod gradients;

use crate::property::Longhand;
use crate::selector::{PseudoElement, State};
use crate::{Environment, StyleIndex, color::Scheme};
use limner_page::{Document, PageSnapshot, SheetOwner, Stylesheet};

/// Builds a page with one stylesheet; tests read the element with id `x`.
fn page(css: &str, html: &str) -> PageSnapshot {
    let sheet = Stylesheet {
        owner: SheetOwner::Adopted,
        base_url: "https://a.test/".into(),
        text: Some(css.into()),
        ..Stylesheet::default()
    };
    PageSnapshot { html: format!("<!doctype html>{html}"), sheets: vec![sheet], ..PageSnapshot::default() }
}

fn value_in(css: &str, html: &str, property: &str, environment: &Environment) -> String {
    let page = page(css, html);
    let document = Document::parse(&page.html);
    let index = StyleIndex::new(&page, &document);
    let (node, _) = document.elements().find(|(_, e)| e.attr("id") == Some("x")).expect("an element with id x");
    let style = index.styles(environment).get(node).expect("a style");
    style.value(property).unwrap_or_else(|| "(none)".into())
}

fn value(css: &str, html: &str, property: &str) -> String {
    value_in(css, html, property, &Environment::default())
}

const P: &str = "<div class=o><p id=x class='a b'>";

/// (css, expected z-index of `p#x.a.b` in `div.o`)
fn check_order(table: &[(&str, &str)]) {
    for (css, expected) in table {
        assert_eq!(value(css, P, "z-index"), *expected, "{css}");
    }
}

#[test]
fn cascade_5_section_6_1_order() {
    check_order(&[
        ("p{z-index:1} p{z-index:2}", "2"),
        (".a{z-index:1} p{z-index:2}", "1"),
        ("#x{z-index:1} .a.b{z-index:2}", "1"),
        ("p{z-index:1!important} #x{z-index:2}", "1"),
        ("p{z-index:1!important} #x{z-index:2!important}", "2"),
        (":where(#x){z-index:1} p{z-index:2}", "2"),
        (":is(#x, p){z-index:1} .a{z-index:2}", "1"),
        ("p{z-index:1} p{z-index:red}", "1"),
        ("p{z-index:1;z-index:2}", "2"),
        ("p{z-index:1!important;z-index:2}", "1"),
    ]);
    assert_eq!(value("p{z-index:1!important} #x{z-index:3}", "<p id=x style='z-index:2'>", "z-index"), "1");
    assert_eq!(value("#x{z-index:1}", "<p id=x style='z-index:2'>", "z-index"), "2");
}

#[test]
fn cascade_5_section_6_4_layers() {
    check_order(&[
        ("@layer a{p{z-index:1}} p{z-index:2} @layer b{p{z-index:3}}", "2"),
        ("@layer a,b; @layer b{p{z-index:1}} @layer a{#x{z-index:2}}", "1"),
        ("@layer a{p{z-index:1!important}} p{z-index:2!important}", "1"),
        ("@layer a{p{z-index:1!important}} @layer b{p{z-index:2!important}}", "1"),
        ("@layer a{@layer b{p{z-index:1}} p{z-index:2} @layer c{p{z-index:3}}}", "2"),
        ("@layer a.b{p{z-index:1}} @layer a{p{z-index:2}}", "2"),
        ("@layer{p{z-index:1}} @layer{p{z-index:2}}", "2"),
        ("@layer a{p{z-index:1}} @layer b{p{z-index:2;z-index:revert-layer}}", "1"),
        ("@layer a{p{z-index:1}} p{z-index:revert-layer}", "1"),
    ]);
}

#[test]
fn cascade_5_section_7_defaulting() {
    for (css, property, expected) in [
        ("div{color:red}", "color", "rgb(255, 0, 0)"),
        ("div{color:red} p{color:initial}", "color", "rgb(0, 0, 0)"),
        ("div{z-index:3} p{z-index:inherit}", "z-index", "3"),
        ("div{z-index:3}", "z-index", "auto"),
        ("div{color:red} p{color:blue;color:unset}", "color", "rgb(255, 0, 0)"),
        ("p{display:flex} p{display:revert}", "display", "block"),
        ("p{all:unset}", "display", "inline"),
        ("div{color:red} p{all:initial}", "color", "rgb(0, 0, 0)"),
        ("div{color:red;border:2px solid} p{border-left:inherit}", "border-left-color", "rgb(255, 0, 0)"),
        ("p{color:red;border:1px solid}", "border-top-color", "rgb(255, 0, 0)"),
    ] {
        assert_eq!(value(css, P, property), expected, "{css}");
    }
}

#[test]
fn cascade_6_scope_proximity() {
    let html = "<div class=light><div class=dark><p id=x>";
    let near = "@scope (.light){p{z-index:1}} @scope (.dark){p{z-index:2}}";
    assert_eq!(value(near, html, "z-index"), "2");
    let swapped = "@scope (.dark){p{z-index:2}} @scope (.light){p{z-index:1}}";
    assert_eq!(value(swapped, html, "z-index"), "2");
    assert_eq!(value("@scope (.light) to (.dark){p{z-index:1}}", html, "z-index"), "auto");
    assert_eq!(value("@scope (.light){:scope{z-index:4} & p{z-index:1}}", html, "z-index"), "1");
    for (css, expected) in [
        // The end of a scope is out of it, and so is everything inside; a root inside starts anew.
        ("@scope (.light) to (p){p{z-index:1}}", "auto"),
        ("@scope (div) to (.dark){p{z-index:1}}", "1"),
        ("@scope (div) to (:scope > .dark){p{z-index:1}}", "1"),
        ("@scope (.light) to (:scope > .dark){p{z-index:1}}", "auto"),
        ("@scope (.light) to (:scope > p){p{z-index:1}}", "1"),
        // The nearest root for which the selector matches counts.
        ("@scope (div){:scope > p{z-index:1}} @scope (.light){:scope p{z-index:2}}", "1"),
        ("@scope (div){:where(:scope > div) > p{z-index:1}} @scope (.dark){p{z-index:2}}", "2"),
        ("@scope (div) to (.dark){:scope > div > p{z-index:1}}", "auto"),
    ] {
        assert_eq!(value(css, html, "z-index"), expected, "{css}");
    }
}

#[test]
fn custom_properties_1_references_are_substituted() {
    for (css, property, expected) in [
        ("p{--a:red;color:var(--a)}", "color", "rgb(255, 0, 0)"),
        ("div{--a:red} p{color:var(--a)}", "color", "rgb(255, 0, 0)"),
        ("p{color:var(--none, blue)}", "color", "rgb(0, 0, 255)"),
        ("div{color:green} p{color:red;color:var(--none)}", "color", "rgb(0, 128, 0)"),
        ("p{--a:var(--b);--b:var(--a);color:var(--a, blue)}", "color", "rgb(0, 0, 255)"),
        ("p{--a:var(--b, 1px);--b:initial;margin-top:var(--a)}", "margin-top", "1px"),
        ("p{--a:1px 2px;margin:var(--a) var(--a)}", "margin-left", "2px"),
        ("p{--a:10;z-index:calc(var(--a) * 2)}", "z-index", "20"),
        ("div{--a:1px} p{--a:initial;margin-top:var(--a, 3px)}", "margin-top", "3px"),
        ("div{--a:1px} p{--a:inherit;margin-top:var(--a)}", "margin-top", "1px"),
        ("p{--a: ;margin-top:var(--a)4px}", "margin-top", "4px"),
        ("p{--A:1px;--a:2px;margin-top:var(--A)}", "margin-top", "1px"),
        ("p{margin-top:5px;margin-top:var(--a,)}", "margin-top", "0px"),
        ("p{--a:12px}", "--a", "12px"),
        ("p{--r:255,0;color:rgb(var(--r),0)}", "color", "rgb(255, 0, 0)"),
        ("p{padding:env(safe-area-inset-top) env(unknown, 3px)}", "padding-left", "3px"),
        ("@layer a{p{--a:1px}} p{--a:revert-layer;margin-top:var(--a)}", "margin-top", "1px"),
    ] {
        assert_eq!(value(css, P, property), expected, "{css}");
    }
}

#[test]
fn custom_properties_1_section_3_3_long_values_are_invalid() {
    let bomb: String = (0..40).map(|n| format!("--v{}:var(--v{n}) var(--v{n}) var(--v{n});", n + 1)).collect();
    let css = format!("p{{--v0:aaaaaaaaaa;{bomb}color:var(--v40, red)}}");
    assert_eq!(value(&css, P, "color"), "rgb(255, 0, 0)");
    let cycle: String = (0..500).map(|n| format!("--v{n}:var(--v{});", (n + 1) % 500)).collect();
    assert_eq!(value(&format!("p{{{cycle}color:var(--v0, red)}}"), P, "color"), "rgb(255, 0, 0)");
}

#[test]
fn properties_and_values_1_registrations_apply() {
    let registered = "@property --l{syntax:'<length>';inherits:false;initial-value:7px} @property --c{syntax:'<color>';inherits:true;initial-value:red}";
    for (css, property, expected) in [
        ("p{margin-top:var(--l)}", "margin-top", "7px"),
        ("div{--l:1px} p{margin-top:var(--l)}", "margin-top", "7px"),
        ("p{--l:2px;margin-top:var(--l)}", "margin-top", "2px"),
        ("p{--l:red;margin-top:var(--l)}", "margin-top", "7px"),
        ("div{--c:blue} p{color:var(--c)}", "color", "rgb(0, 0, 255)"),
        ("div{--c:blue} p{--c:10px;color:var(--c)}", "color", "rgb(0, 0, 255)"),
        ("p{color:var(--c)}", "color", "rgb(255, 0, 0)"),
        // A zero is a length in a syntax that takes no numbers, also as the initial value.
        (
            "@property --z{syntax:'<length>';inherits:false;initial-value:0} p{margin-top:calc(2px + var(--z))}",
            "margin-top",
            "2px",
        ),
        ("p{--l:0;margin-top:calc(2px + var(--l))}", "margin-top", "2px"),
        ("@property --n{syntax:'<number>';inherits:false;initial-value:0} p{opacity:var(--n)}", "opacity", "0"),
        ("@property --n{syntax:'<number>';inherits:false;initial-value:1} p{--n:0;opacity:var(--n)}", "opacity", "0"),
        (
            "@property --a{syntax:'<angle>';inherits:false;initial-value:9deg} p{--a:0deg;rotate:var(--a)}",
            "rotate",
            "0deg",
        ),
        (
            "@property --s{syntax:'<length>+';inherits:false;initial-value:0 1px} p{text-shadow:calc(1px + 1px) var(--s)}",
            "text-shadow",
            "rgb(0, 0, 0) 2px 0px 1px",
        ),
        // An initial value that does not fit its syntax makes the registration invalid.
        ("@property --w{syntax:'<length>';inherits:false;initial-value:red} p{--w:7;z-index:var(--w)}", "z-index", "7"),
        (
            "@property --w{syntax:'<length>';inherits:false;initial-value:var(--l)} div{--w:3px} p{margin-top:var(--w)}",
            "margin-top",
            "3px",
        ),
    ] {
        assert_eq!(value(&format!("{registered}{css}"), P, property), expected, "{css}");
    }
}

#[test]
fn nesting_1_rules_match_and_cascade() {
    check_order(&[
        ("div{p{z-index:1}}", "1"),
        ("div{& p{z-index:1}}", "1"),
        (".a{&.b{z-index:1}}", "1"),
        (".a{.o &{z-index:1}}", "1"),
        ("div{> p{z-index:1}}", "1"),
        (".a{z-index:1;&:hover{z-index:2}}", "1"),
        (".a{z-index:1;@media (width > 10px){z-index:2}}", "2"),
        (".a{@media print{z-index:2} z-index:3}", "3"),
        (".a{.b &{z-index:9} z-index:4;}", "4"),
        ("div, #none{p{z-index:1}} .o .a{z-index:2}", "1"),
        (".a{@layer l{z-index:1}}", "1"),
        ("div{p{color:red;&.b{z-index:5}}}", "5"),
    ]);
}

#[test]
fn conditional_3_to_5_rules() {
    check_order(&[
        ("@media (min-width:1000px){p{z-index:1}}", "1"),
        ("@media (max-width:1000px){p{z-index:1}}", "auto"),
        ("@supports (display:grid){p{z-index:1}}", "1"),
        ("@supports not (display:grid){p{z-index:1}}", "auto"),
        ("@media screen{@supports (color:red){@layer x{p{z-index:1}}}}", "1"),
        ("div{container-type:inline-size;width:300px} @container (max-width:400px){p{z-index:1}}", "1"),
        ("div{container-type:inline-size;width:300px} @container (min-width:400px){p{z-index:1}}", "auto"),
        ("@container (min-width:1px){p{z-index:1}}", "auto"),
        ("div{container:card / inline-size} @container card (width > 1000px){p{z-index:1}}", "1"),
        ("div{--t:dark} @container style(--t: dark){p{z-index:1}}", "1"),
        ("@starting-style{p{z-index:1}}", "auto"),
        ("@unknown x{p{z-index:1}} p{z-index:2}", "2"),
        ("p{z-index:1} } p{z-index:2}", "1"),
        ("p{z-index:1", "1"),
        ("@media all{p{z-index:1", "1"),
        ("<!-- p{z-index:1} -->", "1"),
        ("@charset \"x\"; p{z-index:1}", "1"),
        ("p:unknown, p{z-index:1}", "auto"),
        ("p{z-index:1;;;color}; p{z-index:2}", "1"),
    ]);
}

#[test]
fn values_4_units_are_converted() {
    for (css, property, expected) in [
        ("p{margin-top:1in}", "margin-top", "96px"),
        ("div{font-size:20px} p{margin-top:2em}", "margin-top", "40px"),
        ("html{font-size:10px} p{margin-top:2rem}", "margin-top", "20px"),
        ("p{margin-top:10vw}", "margin-top", "144px"),
        ("p{margin-top:calc(10vh + 1px)}", "margin-top", "91px"),
        ("p{width:calc(100% - 1em)}", "width", "calc(100% - 16px)"),
        ("p{font-size:1.5em}", "font-size", "24px"),
        ("p{font-size:larger}", "font-size", "19.2px"),
        ("p{font-size:x-large}", "font-size", "24px"),
        ("p{font-family:monospace}", "font-size", "13px"),
        ("p{font-family:monospace, monospace}", "font-size", "16px"),
        ("p{font-size:20px;line-height:1.5}", "line-height", "30px"),
        ("p{min-width:-webkit-fill-available}", "min-width", "stretch"),
        ("p{width:-webkit-MIN-content}", "width", "min-content"),
        ("p{width:1px;width:intrinsic}", "width", "1px"),
        ("div{line-height:1.5} p{font-size:20px}", "line-height", "30px"),
        ("div{line-height:150%} p{font-size:20px}", "line-height", "24px"),
        ("p{line-height:2;margin-top:1lh}", "margin-top", "32px"),
        ("p{transition-duration:150ms}", "transition-duration", "0.15s"),
        ("p{margin-top:0}", "margin-top", "0px"),
        ("p{border:1.7px solid;}", "border-top-width", "1px"),
        ("p{border:.3px solid;}", "border-top-width", "1px"),
        ("p{border-width:5px}", "border-top-width", "0px"),
        ("p{border-style:solid}", "border-top-width", "3px"),
        ("div{font-weight:500} p{font-weight:bolder}", "font-weight", "700"),
    ] {
        assert_eq!(value(css, P, property), expected, "{css}");
    }
}

#[test]
fn computed_values_are_serialized_like_chromium() {
    for (css, property, expected) in [
        (
            "p{box-shadow:0 1px 2px red, inset 0 0 1px 2px #0003}",
            "box-shadow",
            "rgb(255, 0, 0) 0px 1px 2px 0px, rgba(0, 0, 0, 0.2) 0px 0px 1px 2px inset",
        ),
        ("p{text-shadow:1px 1px}", "text-shadow", "rgb(0, 0, 0) 1px 1px 0px"),
        ("p{transform:translate(10px,2px) rotate(90deg)}", "transform", "matrix(0, 1, -1, 0, 10, 2)"),
        ("p{filter:blur(1px) brightness(50%)}", "filter", "blur(1px) brightness(0.5)"),
        ("p{aspect-ratio:16/9}", "aspect-ratio", "16 / 9"),
        ("p{background:url(a.png) center/cover}", "background-image", "url(\"https://a.test/a.png\")"),
        (
            "p{background-image:image-set('a.png' 1x, 'b.png' type('image/png') 2x)}",
            "background-image",
            "image-set(url(\"https://a.test/a.png\") 1dppx, url(\"https://a.test/b.png\") type(\"image/png\") 2dppx)",
        ),
        ("p{background-position:right 10px top}", "background-position-x", "calc(100% - 10px)"),
        (
            "p{background-image:none,none;background-repeat:no-repeat no-repeat, repeat no-repeat}",
            "background-repeat",
            "no-repeat, repeat-x",
        ),
        ("p{background-size:20px}", "background-size", "20px auto"),
        ("p{transition:all .2s cubic-bezier(.4,0,.2,1)}", "transition-timing-function", "cubic-bezier(0.4, 0, 0.2, 1)"),
        ("p{float:left;display:inline}", "display", "block"),
        ("p{position:absolute;float:left}", "float", "none"),
        ("div{display:flex} p{display:inline-block}", "display", "block"),
        ("p{display:inline flow-root}", "display", "inline-block"),
        ("p{overflow-y:auto}", "overflow-x", "auto"),
        ("p{color:oklch(0.7 0.1 200)}", "color", "oklch(0.7 0.1 200)"),
        ("p{fill:currentColor;color:red}", "fill", "rgb(255, 0, 0)"),
        ("p{font-family:Arial,'Open Sans',SANS-SERIF}", "font-family", "Arial, \"Open Sans\", sans-serif"),
        ("p{transform:translate3d(0,0,0)}", "transform", "matrix(1, 0, 0, 1, 0, 0)"),
        ("p{transform:rotateY(180deg)}", "transform", "matrix3d(-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1)"),
        ("p{grid-auto-flow:row dense}", "grid-auto-flow", "dense"),
        ("p{background:red;background:linear-gradient(top,red,blue)}", "background-image", "none"),
        (
            "p{background-image:linear-gradient(currentcolor,#fff 50%)}",
            "background-image",
            "linear-gradient(rgb(0, 0, 0), rgb(255, 255, 255) 50%)",
        ),
        ("p{z-index:2147483647}", "z-index", "2147483647"),
        ("p{order:calc(3000000 + 1)}", "order", "3000001"),
        (
            "p{background-image:linear-gradient(180deg,red,blue),linear-gradient(to bottom,red,blue)}",
            "background-image",
            "linear-gradient(rgb(255, 0, 0), rgb(0, 0, 255)), linear-gradient(rgb(255, 0, 0), rgb(0, 0, 255))",
        ),
        (
            "p{background-image:-webkit-linear-gradient(red,blue)}",
            "background-image",
            "-webkit-linear-gradient(top, rgb(255, 0, 0), rgb(0, 0, 255))",
        ),
        (
            "p{background-image:linear-gradient(.25turn,red,blue)}",
            "background-image",
            "linear-gradient(90deg, rgb(255, 0, 0), rgb(0, 0, 255))",
        ),
        ("p{opacity:150%}", "opacity", "1"),
        ("div{display:flex}", "min-width", "auto"),
        ("div{direction:rtl} p{margin-inline-start:3px}", "margin-right", "3px"),
    ] {
        assert_eq!(value(css, P, property), expected, "{css}");
    }
}

#[test]
fn values_depend_on_scheme_and_states_of_the_environment() {
    let dark = Environment { scheme: Scheme::Dark, ..Environment::default() };
    let css = ":root{color-scheme:light dark} p{background:light-dark(red,blue)} @media (prefers-color-scheme:dark){p{z-index:1}}";
    assert_eq!(value_in(css, P, "background-color", &dark), "rgb(0, 0, 255)");
    assert_eq!(value_in(css, P, "color", &dark), "rgb(255, 255, 255)");
    assert_eq!(value_in(css, P, "z-index", &dark), "1");
    assert_eq!(value(css, P, "background-color"), "rgb(255, 0, 0)");
    let hover = Environment { states: State::Hover.into(), ..Environment::default() };
    let css = "p:hover{z-index:1} div:hover > p{color:red} p:not(:hover){order:3} a:hover{color:blue}";
    assert_eq!(value_in(css, P, "z-index", &hover), "1");
    assert_eq!(value_in(css, P, "color", &hover), "rgb(255, 0, 0)");
    assert_eq!(value_in(css, P, "order", &hover), "0");
    assert_eq!(value(css, P, "order"), "3");
}

#[test]
fn color_adjust_1_normal_takes_the_schemes_of_the_page() {
    let dark = Environment { scheme: Scheme::Dark, ..Environment::default() };
    let (white, black) = ("rgb(255, 255, 255)", "rgb(0, 0, 0)");
    for (content, css, light_value, dark_value) in [
        ("dark", "", white, white),
        ("light dark", "", black, white),
        ("light", "", black, black),
        ("only", "", black, black),
        ("dark", ":root{color-scheme:light}", black, black),
        ("dark", ":root{color-scheme:normal}", white, white),
        ("dark", "body{color-scheme:light} p{color:CanvasText}", black, black),
    ] {
        let html = format!("<meta name=Color-Scheme content='{content}'>{P}");
        assert_eq!(value(css, &html, "color"), light_value, "{content} {css}");
        assert_eq!(value_in(css, &html, "color", &dark), dark_value, "{content} {css}");
    }
}

#[test]
fn elements_have_values_that_chromium_adjusts() {
    const BOX: &str = "input{border:1px solid red;border-radius:3px;padding:2px}";
    for (css, html, element, property, expected) in [
        (BOX, "<input type=checkbox>", "input", "border-top-width", "0px"),
        (BOX, "<input type=CHECKBOX>", "input", "border-top-left-radius", "0px"),
        (BOX, "<input type=radio>", "input", "border-top-left-radius", "50%"),
        (BOX, "<input type=radio>", "input", "padding-left", "0px"),
        (BOX, "<input type=text>", "input", "padding-left", "2px"),
        ("input{border:1px solid red;appearance:none}", "<input type=radio>", "input", "border-top-width", "1px"),
        ("input{appearance:none}", "<input type=radio>", "input", "border-top-left-radius", "0px"),
        ("b{appearance:button}", "<b>", "b", "display", "inline-block"),
        ("b{appearance:auto;display:table}", "<b>", "b", "display", "block"),
        ("b{appearance:textfield;display:table-cell}", "<b>", "b", "display", "inline-block"),
        ("", "<p align=center>", "p", "text-align", "-webkit-center"),
        ("", "<p align=Middle>", "p", "text-align", "-webkit-center"),
        ("", "<h2 align=center>", "h2", "text-align", "center"),
        ("", "<h3 align=right>", "h3", "text-align", "right"),
        ("table{border:1px solid red}", "<table><thead><tr><td>x", "thead", "border-top-color", "rgb(255, 0, 0)"),
        ("tr{color:red}", "<table><tr><td>x", "tr", "border-top-color", "rgb(255, 0, 0)"),
    ] {
        let page = page(css, html);
        let document = Document::parse(&page.html);
        let index = StyleIndex::new(&page, &document);
        let (node, _) = document.elements_named(element).next().unwrap();
        let mut styles = index.styles(&Environment::default());
        assert_eq!(styles.get(node).unwrap().value(property).unwrap(), expected, "{css} {html} {property}");
    }
}

#[test]
fn pseudo_elements_make_boxes_only_with_content() {
    let page = page("p::before{content:'x';color:red} p::after{color:red}", P);
    let document = Document::parse(&page.html);
    let index = StyleIndex::new(&page, &document);
    let (node, _) = document.elements_named("p").next().unwrap();
    let mut styles = index.styles(&Environment::default());
    assert_eq!(styles.pseudo(node, PseudoElement::Before).unwrap().get(Longhand::Content), "\"x\"");
    assert!(styles.pseudo(node, PseudoElement::After).is_none());
}

#[test]
fn scoping_1_shadow_trees() {
    let html = "<style>p{z-index:1} div{z-index:1}</style><div id=h><template shadowrootmode=open><style>p{z-index:2} :host{z-index:3;order:4} ::slotted(b){order:5}</style><p id=x>\
                <slot></slot></template><b id=s></b></div>";
    let document = Document::parse(html);
    let elements = document.sheet_elements();
    let sheets = elements.iter().enumerate().map(|(at, node)| Stylesheet {
        owner: SheetOwner::Style,
        element: u32::try_from(at).ok(),
        text: Some(document.text_content(*node)),
        ..Stylesheet::default()
    });
    let page = PageSnapshot { html: html.into(), sheets: sheets.collect(), ..PageSnapshot::default() };
    let index = StyleIndex::new(&page, &document);
    let mut styles = index.styles(&Environment::default());
    let mut get = |id: &str, property: &str| {
        let (node, _) = document.elements().find(|(_, e)| e.attr("id") == Some(id)).unwrap();
        styles.get(node).unwrap().value(property).unwrap()
    };
    assert_eq!(get("x", "z-index"), "2");
    assert_eq!(get("h", "z-index"), "1");
    assert_eq!(get("h", "order"), "4");
    assert_eq!(get("s", "order"), "5");
}

#[test]
fn animations_1_section_3_forwards_fill_keeps_the_last_frame() {
    const FADE: &str = "@keyframes k{from{opacity:0}to{opacity:.5}}";
    for (css, expected) in [
        ("p{animation:k 1s}", "1"),
        ("p{animation:k 1s forwards}", "0.5"),
        ("p{animation:k 1s both}", "0.5"),
        ("p{animation:k 1s backwards}", "1"),
        ("p{animation:k 1s infinite both}", "1"),
        ("p{animation:k 1s 1.5 both}", "1"),
        ("p{animation:k 1s both paused}", "1"),
        ("p{animation:k 1s both reverse}", "0"),
        ("p{animation:k 1s both alternate 2}", "0"),
        ("p{animation:k 1s both alternate 3}", "0.5"),
        ("p{animation:k 1s both alternate-reverse 2}", "0.5"),
        ("p{animation:nobody 1s both}", "1"),
        ("#x{opacity:.2;animation:k 1s both}", "0.5"),
        ("p{opacity:.2!important;animation:k 1s both}", "0.2"),
        ("@keyframes k{to{opacity:.7}}p{animation:k 1s both}", "0.7"),
        ("@media print{@keyframes k{to{opacity:.7}}}p{animation:k 1s both}", "0.5"),
        ("@-webkit-keyframes j{to{opacity:.7}}p{-webkit-animation:j 1s both}", "0.7"),
        ("@keyframes k{50%{opacity:0}}p{animation:k 1s both}", "1"),
        ("@keyframes k{0%,100%{opacity:.3}}p{animation:k 1s both}", "0.3"),
        ("@keyframes k{to{opacity:.3!important}}p{animation:k 1s both}", "1"),
        ("@keyframes 'a b'{to{opacity:.3}}p{animation:'a b' 1s both}", "0.3"),
        ("@keyframes k{to{opacity:var(--o)}}p{--o:.25;animation:k 1s both}", "0.25"),
        ("@keyframes j{to{opacity:.6}}p{animation:k 1s both,j 1s both}", "0.6"),
        ("@keyframes j{to{opacity:.6}}p{animation:k 1s both,j 1s}", "0.5"),
        ("@keyframes k{to{opacity:red;", "1"),
    ] {
        assert_eq!(value(&format!("{FADE}{css}"), P, "opacity"), expected, "{css}");
    }
    let nested = "@keyframes k{to{font-size:2em}}p{animation:k 1s both;width:1em}";
    assert_eq!(value(nested, P, "width"), "32px", "values relative to an animated value follow it");
}

#[test]
fn index_of_some_properties_leaves_others_initial() {
    let css = ":root { --face: Inter } div { font: 700 20px/2 Inter, serif; color: red } p { color: blue }\
               .a { all: initial } .b { font-family: var(--face) } i { display: none } b { margin: 3px }\
               @media (width < 1px) { p { font-family: Never } } p::before { content: 'x'; font-style: italic }";
    let html =
        "<div><p>one<i>two</i><b>three</b></p><p class=a>four</p><p class=b style='font-style: oblique'>five</p></div>";
    let page = page(css, html);
    let document = Document::parse(&page.html);
    let wanted =
        [Longhand::FontFamily, Longhand::FontWeight, Longhand::FontStyle, Longhand::Display, Longhand::Content];
    let (all, some) = (StyleIndex::new(&page, &document), StyleIndex::for_properties(&page, &document, &wanted));
    let environment = Environment::default();
    let (mut of_all, mut of_some) = (all.styles(&environment), some.styles(&environment));
    for (node, element) in document.elements() {
        let pairs = [(of_all.get(node), of_some.get(node))].into_iter();
        let pseudo = (of_all.pseudo(node, PseudoElement::Before), of_some.pseudo(node, PseudoElement::Before));
        for pair in pairs.chain([pseudo]) {
            let (Some(all), Some(some)) = pair else {
                assert_eq!(pair.0.is_some(), pair.1.is_some(), "{}", element.local_name());
                continue;
            };
            for longhand in wanted {
                assert_eq!(all.get(longhand), some.get(longhand), "{longhand:?} of {}", element.local_name());
            }
            assert_eq!(all.is_hidden(), some.is_hidden());
        }
    }
    let (paragraph, _) = document.elements().find(|(_, element)| element.is_html("b")).expect("a b");
    assert_ne!(of_all.get(paragraph).expect("a style").get(Longhand::MarginTop), "0px");
    assert_eq!(of_some.get(paragraph).expect("a style").get(Longhand::MarginTop), "0px");
}

#[test]
fn color_4_section_6_2_inherited_currentcolor_follows_the_color_of_the_heir() {
    for property in ["fill", "stroke", "caret-color", "-webkit-text-fill-color", "text-emphasis-color"] {
        let css = format!("div{{{property}:currentColor;color:red}} p{{color:blue}}");
        assert_eq!(value(&css, P, property), "rgb(0, 0, 255)", "{property}");
    }
    assert_eq!(
        value("div{border-color:currentColor;color:red} p{border-color:inherit}", P, "border-top-color"),
        "rgb(255, 0, 0)"
    );
}

#[test]
fn display_3_section_2_5_children_of_contents_are_items() {
    let html = "<div class=o><ul><li id=x>";
    for (css, property, expected) in [
        (".o{display:grid} ul{display:contents} li{display:inline}", "display", "block"),
        (".o{display:grid} ul{display:contents}", "min-width", "auto"),
        (".o{display:grid} ul{display:block} li{display:inline}", "display", "inline"),
        (".o{display:block} ul{display:contents} li{display:inline}", "display", "inline"),
        (".o{display:flex} li{display:contents}", "min-width", "0px"),
    ] {
        assert_eq!(value(css, html, property), expected, "{css}");
    }
    assert_eq!(
        value(".o{display:flex} ul{display:contents;min-width:auto}", "<div class=o><ul id=x>", "min-width"),
        "0px"
    );
}

#[test]
fn text_4_section_6_1_match_parent_resolves_by_the_direction_of_the_parent() {
    for (css, expected) in [
        ("p{text-align:-webkit-match-parent}", "left"),
        ("div{direction:rtl} p{text-align:-webkit-match-parent}", "right"),
        ("div{text-align:center} p{text-align:-webkit-match-parent}", "center"),
        ("div{text-align:right} p{text-align:inherit;text-align:match-parent}", "right"),
    ] {
        assert_eq!(value(css, P, "text-align"), expected, "{css}");
    }
}

#[test]
fn values_4_section_6_1_1_ch_is_the_width_of_a_zero_of_the_first_known_family() {
    for (family, px) in [
        ("Arial", "55.6px"),
        ("Nobody, 'Helvetica Neue', serif", "55.6px"),
        ("Menlo, monospace", "60.2px"),
        ("Times", "50px"),
    ] {
        let css = format!("p{{font:10px {family};width:10ch}}");
        assert_eq!(value(&css, P, "width"), px, "{family}");
    }
}

/// The iteration order of a hash map differs from page to page.
#[test]
fn chain_of_custom_properties_beyond_the_limit_has_one_value() {
    let chain: String = (0..150).map(|number| format!("--p{number}:a var(--p{},b);", number + 1)).collect();
    let css = format!("#x{{{chain}}}");
    let values: Vec<String> = (0..8).map(|_| value(&css, P, "--p60")).collect();
    assert!(values.iter().all(|value| *value == values[0]), "{values:?}");
}
