//! The user agent's styles, compared with values that Chromium computes.

use crate::{Environment, StyleIndex};
use limner_page::{Document, PageSnapshot, SheetOwner, Stylesheet};

const STANDARDS: &str = "<!doctype html>";
const QUIRKS: &str = "";

/// Returns the computed value of the element with id `x`.
fn value(doctype: &str, css: &str, html: &str, property: &str) -> String {
    let sheet = Stylesheet { owner: SheetOwner::Adopted, text: Some(css.into()), ..Stylesheet::default() };
    let page = PageSnapshot { html: format!("{doctype}{html}"), sheets: vec![sheet], ..PageSnapshot::default() };
    let document = Document::parse(&page.html);
    let index = StyleIndex::new(&page, &document);
    let (node, _) = document.elements().find(|(_, e)| e.attr("id") == Some("x")).expect("an element with id x");
    let style = index.styles(&Environment::default()).get(node).expect("a style");
    style.value(property).unwrap_or_else(|| "(none)".into())
}

#[test]
fn quirks_mode_colors_without_hash_and_lengths_without_unit() {
    let css = "#x{color:ff0000;width:100;line-height:2;background:0f0;border:3 solid;margin-inline-start:4;\
               --w:50;height:var(--w)} @supports (color: 00ff00){#x{z-index:1}}";
    for (property, quirky, standard) in [
        ("color", "rgb(255, 0, 0)", "rgb(0, 0, 0)"),
        ("width", "100px", "auto"),
        ("padding-left", "3px", "0px"),
        ("z-index", "1", "auto"),
        // Not in other shorthands, not in substituted variables.
        ("background-color", "rgba(0, 0, 0, 0)", "rgba(0, 0, 0, 0)"),
        ("border-top-style", "none", "none"),
        ("margin-left", "0px", "0px"),
        ("height", "auto", "auto"),
        // A number is a multiple of the font size.
        ("line-height", "32px", "32px"),
    ] {
        let html = "<p id=x style='padding:7 3;position:relative'>";
        assert_eq!(value(QUIRKS, css, html, property), quirky, "{property} in quirks mode");
        assert_eq!(value(STANDARDS, css, html, property), standard, "{property}");
    }
}

#[test]
fn quirks_mode_tables_have_the_color_of_the_body() {
    for (doctype, css, html, expected) in [
        (QUIRKS, "body{color:red}", "<div style=color:blue><table id=x>", "rgb(255, 0, 0)"),
        (QUIRKS, "", "<body text=navy><div style=color:blue><table><td id=x>", "rgb(0, 0, 128)"),
        (QUIRKS, "html{color:lime} table{color:inherit}", "<div style=color:blue><table id=x>", "rgb(0, 0, 255)"),
        (STANDARDS, "", "<body text=navy><div style=color:blue><table id=x>", "rgb(0, 0, 255)"),
    ] {
        assert_eq!(value(doctype, css, html, "color"), expected, "{css} {html}");
    }
}

#[test]
fn html_section_15_controls_and_presentational_attributes_equal_chromium() {
    for (html, property, expected) in [
        ("<input id=x type=file>", "box-sizing", "content-box"),
        ("<input id=x type=file disabled>", "background-color", "rgba(0, 0, 0, 0)"),
        ("<input id=x type=date>", "font-family", "monospace"),
        ("<input id=x type=date>", "padding-top", "0px"),
        ("<input id=x type=date>", "padding-left", "1px"),
        ("<input id=x type=range disabled>", "color", "rgb(197, 197, 197)"),
        ("<input id=x type=color disabled>", "color", "rgba(16, 16, 16, 0.3)"),
        ("<input id=x type=image>", "text-align", "start"),
        ("<select id=x multiple>", "border-top-left-radius", "2px"),
        ("<select id=x multiple size=1>", "border-top-left-radius", "0px"),
        ("<select id=x size=2>", "overflow-y", "scroll"),
        ("<select size=2><option id=x>", "align-items", "normal"),
        ("<select size=2><option id=x>", "min-height", "16px"),
        ("<select multiple><optgroup><option id=x>", "padding-left", "20px"),
        ("<select><optgroup><option id=x>", "padding-left", "2px"),
        ("<select><option id=x>", "min-height", "24px"),
        ("<select><option id=x disabled>", "color", "rgb(0, 0, 0)"),
        ("<select size=2><option id=x disabled>", "color", "rgb(128, 128, 128)"),
        ("<select id=x style=color-scheme:dark>", "background-color", "rgb(107, 107, 107)"),
        ("<select id=x disabled style=color-scheme:dark>", "color", "rgb(170, 170, 170)"),
        ("<hr id=x noshade>", "background-color", "rgb(128, 128, 128)"),
        ("<marquee id=x bgcolor=red>", "background-color", "rgb(255, 0, 0)"),
        ("<marquee id=x>", "overflow-x", "hidden"),
        ("<fieldset><legend id=x align=right>", "text-align", "right"),
        ("<h1 id=x align=middle>", "text-align", "center"),
        ("<blockquote id=x align=Justify>", "text-align", "justify"),
        ("<button id=x align=right>", "text-align", "center"),
        ("<p id=x align=right>", "text-align", "-webkit-right"),
        ("<hr id=x color>", "border-top-style", "solid"),
        ("<svg font-size=12><text id=x letter-spacing=' 1 ' x=3>", "font-size", "12px"),
        ("<svg font-size=12><text id=x letter-spacing=' 1 ' x=3>", "letter-spacing", "1px"),
        ("<svg><text id=x font-size=1e999>", "font-size", "16px"),
        ("<svg id=x width=20 height=50%>", "width", "20px"),
        ("<button id=x style='padding:.75em'>", "padding-left", "10px"),
        ("<button id=x>", "font-size", "13.3333px"),
        ("<math id=x>", "font-family", "math"),
        ("<center><table id=x>", "text-align", "start"),
        ("<center><table><tr><td id=x>", "text-align", "start"),
        ("<table align=center><caption id=x>", "text-align", "-webkit-center"),
        ("<table><tr align=absmiddle><td id=x>", "text-align", "center"),
        ("<table><form id=x>", "display", "none"),
        ("<body link=green><a id=x href=/>", "color", "rgb(0, 128, 0)"),
        ("<body link=green><a id=x>", "color", "rgb(0, 0, 0)"),
        ("<table id=x border=2>", "border-top-style", "outset"),
        ("<table id=x border=0>", "border-top-style", "none"),
        ("<table id=x border bordercolor=red>", "border-top-style", "solid"),
        ("<table border bordercolor=red><td id=x>", "border-top-style", "solid"),
        ("<table border bordercolor=red><td id=x>", "border-top-color", "rgb(255, 0, 0)"),
        ("<table border><td id=x>", "border-top-style", "inset"),
        ("<table id=x rules=groups>", "border-top-style", "hidden"),
        ("<table rules=groups><tbody id=x>", "border-top-width", "1px"),
        ("<table rules=groups><colgroup id=x>", "border-left-style", "solid"),
        ("<table border=2 rules=none><td id=x>", "border-top-width", "0px"),
        ("<table rules=rows><td id=x>", "border-left-style", "none"),
        ("<table rules=rows><td id=x>", "border-top-style", "solid"),
        ("<table rules=all><td id=x>", "border-left-style", "solid"),
        ("<table id=x border=5 frame=hsides>", "border-left-style", "hidden"),
        ("<table id=x frame=hsides>", "border-top-width", "1px"),
        ("<img id=x align=middle>", "vertical-align", "-webkit-baseline-middle"),
        ("<img id=x align=absmiddle>", "vertical-align", "middle"),
        ("<img id=x align=absbottom>", "vertical-align", "bottom"),
        ("<img id=x align=center>", "vertical-align", "-webkit-baseline-middle"),
        ("<table border=1 bordercolor><td id=x>", "border-top-style", "inset"),
        ("<table id=x frame=box border=5>", "border-top-width", "1px"),
        ("<table rules=groups bordercolor=red><colgroup id=x>", "border-left-color", "rgb(0, 0, 0)"),
        ("<table rules=groups bordercolor=red><tbody id=x>", "border-top-color", "rgb(255, 0, 0)"),
        ("<marquee id=x align=right hspace=3>", "float", "none"),
        ("<marquee id=x align=right hspace=3>", "margin-left", "3px"),
        ("<video id=x align=right hspace=3>", "float", "none"),
        ("<video id=x align=right hspace=3>", "margin-left", "0px"),
    ] {
        assert_eq!(value(STANDARDS, "", html, property), expected, "{property} of {html}");
    }
}

#[test]
fn link_color_is_read_once() {
    let html = format!("{}<body link=green>{}<a id=x href>", "<!-->".repeat(100_000), "<area href>".repeat(100_000));
    assert_eq!(value(STANDARDS, "", &html, "color"), "rgb(0, 128, 0)");
}
