//! Tests significant and insignificant white space.

use super::{component, component_for};
use limner_types::Framework;

/// Returns the markup of a paragraph, without its own tags.
fn paragraph_markup(body: &str, css: &str) -> String {
    let component = component(&format!("<h1>A</h1><p>{body}</p>"), css);
    let code: String = component["code"].as_str().unwrap().lines().map(str::trim).collect();
    let from = code.find("<p").unwrap();
    let own = code[from..].split_once('>').unwrap().1.split("</p>").next().unwrap();
    let class = |part: &str| {
        part.split_once(" class=\"")
            .map_or(part.to_owned(), |(tag, rest)| format!("{tag}{}", rest.split_once('"').unwrap().1))
    };
    own.split_inclusive('<').map(class).collect()
}

#[test]
fn spaces_at_line_edges_are_removed_at_any_depth() {
    for (body, css, expected) in [
        (
            "<a href=/> <img src=/a.png alt=X> </a>",
            "",
            "<a href=\"https://a.test/\"><img src=\"https://a.test/a.png\" alt=\"X\"></a>",
        ),
        ("<b> <i> B</i> </b>", "b{color:red} i{color:blue}", "<b><i>B</i></b>"),
        ("<b>B </b><br><i> C</i> ", "", "<b>B</b><br><i>C</i>"),
        ("<b> B</b><span class=x> </span> <i>C</i>", ".x{float:left;width:9px}", "<b>B</b><span></span> <i>C</i>"),
        ("<b> B</b> <u class=x>C</u>", ".x{display:block}", "<b>B</b><u>C</u>"),
        ("<b hidden>B</b> C", "", "<b hidden>B</b>C"),
        ("<i></i> C", "", "C"),
    ] {
        assert_eq!(paragraph_markup(body, css), expected, "{body} {css}");
    }
}

#[test]
fn elements_made_inline_by_a_state_keep_their_spaces() {
    for (body, css) in [
        ("B <u class=x>C</u>", ".x{display:none} p:hover .x{display:inline}"),
        ("<u class=x>C</u> <b>B</b>", ".x{display:none} p:hover .x{display:inline}"),
        ("B <u class=x>C</u> D", ".x{display:none} p:hover .x{display:inline-block}"),
        ("B <u class=x>C</u>", ".x{position:absolute;left:-999px} p:hover .x{position:static}"),
        ("B <u class=x>C</u>", ".x{float:left} p:hover .x{float:none}"),
        ("B <u class=x>C</u> D", ".x{display:block} p:hover .x{display:inline}"),
    ] {
        assert_eq!(paragraph_markup(body, css), body.replace(" class=x", ""), "{css}");
    }
    assert_eq!(paragraph_markup("B <u class=x>C</u>", ".x{display:none} p:hover .x{display:block}"), "B<u>C</u>");
}

#[test]
fn collapsed_spaces_keep_the_first() {
    for (body, css, expected) in [
        ("B <b> C</b>", "", "B <b>C</b>"),
        ("B<b> C </b> D", "", "B<b> C </b>D"),
        ("B<b> C</b> D", "", "B<b> C</b> D"),
        ("B <b>C</b> <i> </i> D", "i{background:red}", "B <b>C</b> <i></i>D"),
        ("B <u class=x>C</u> D", ".x{float:left}", "B <u>C</u>D"),
        // An element stands between them, or has no box to be taken out of flow.
        ("B <u class=x>C</u> D", ".x{display:contents;position:absolute}", "B <u>C</u> D"),
        ("B <u class=x> C </u> D", ".x{display:inline-block}", "B <u>C</u> D"),
        ("B <img src=/a.png alt=X> D", "", "B <img src=\"https://a.test/a.png\" alt=\"X\"> D"),
        ("B <u class=x></u> D", ".x::before{content:'x'}", "B <u></u> D"),
        ("<u class=x> C </u>", ".x::before{content:'x'} .x::after{content:'y'}", "<u> C </u>"),
        ("B <u class=x> C</u>", ".x{white-space:pre}", "B <u> C</u>"),
        ("B <u class=x> C</u>", "@media (min-width:700px){.x{display:inline-block}}", "B <u> C</u>"),
    ] {
        assert_eq!(paragraph_markup(body, css), expected, "{body} {css}");
    }
}

#[test]
fn white_space_between_options_is_removed() {
    let body = "<label>Cake <select>\n  <optgroup label=Sweet>\n    <option>Choco  late</option>\n    <option>Plum</option>\n\
                </optgroup>\n  <option>None</option>\n</select></label>";
    let code = component_for(body, "select{white-space:pre}", Framework::Jsx)["code"].as_str().unwrap().to_owned();
    assert!(!code.contains("\\n"), "{code}");
    assert!(code.contains(">Choco late</option>"), "{code}");
}

#[test]
fn listings_keep_their_lines() {
    let body = "<h1>A</h1><pre>if (a) {\n  b(`${c}`);\n}\n</pre>";
    let code = component_for(body, "", Framework::Jsx)["code"].as_str().unwrap().to_owned();
    assert!(code.contains("{`if (a) {\n  b(\\`\\${c}\\`);\n}\n`}</pre>"), "{code}");
}

#[test]
fn line_clamp_boxes_keep_inline_white_space() {
    let body = "<b>Anna</b>, who wrote it, <i>never</i>\u{2014}not once";
    let clamped = "p{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}";
    assert_eq!(paragraph_markup(body, clamped), body);
    let boxes = "p{display:-webkit-box;-webkit-box-orient:vertical}";
    assert!(
        paragraph_markup(body, boxes).contains("</b>, who wrote it,<i>"),
        "items: {}",
        paragraph_markup(body, boxes)
    );
}
