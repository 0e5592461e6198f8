//! Tests features of CSS of 2025 and 2026: what they do on the page has to be in the component.

use super::component;
use super::states::classes;

fn css(body: &str, css: &str) -> String {
    component(body, css)["css"].as_str().unwrap().to_owned()
}

#[test]
fn values_that_depend_on_the_element_are_written_for_each() {
    let list = "<ul><li>A</li><li>B</li></ul>";
    for (body, rules, parts) in [
        (list, "li{width:calc(40px * sibling-index())}", &["40px", "80px"][..]),
        ("<p>A</p>", "p{width:if(media(width > 700px): 50%; else: 90%)}", &["50%", "90%", "701px"]),
        ("<p data-w=120>A</p>", "p{width:attr(data-w px)}", &["120px"]),
        ("<p>A</p>", "@function --f(--x){result:calc(var(--x) * 2)} p{width:--f(21px)}", &["42px"]),
    ] {
        let written = css(body, rules);
        for part in parts {
            assert!(written.contains(part), "{part} for {rules}: {written}");
        }
    }
}

#[test]
fn gap_decorations_are_kept() {
    let body = "<div class=g><b>A</b><b>B</b></div>";
    for (rules, parts) in [
        (
            ".g{display:grid;gap:9px;column-rule:2px solid red;row-rule:4px dashed blue}",
            &["column-rule-width: 2px", "column-rule-style: solid", "row-rule-width: 4px", "row-rule-style: dashed"][..],
        ),
        (".g{display:flex;gap:9px;rule:1px solid red}", &["column-rule-width: 1px", "row-rule-width: 1px"]),
        (".g{display:grid;rule:1px solid red, 2px dotted blue}", &["column-rule-width: 1px, 2px"]),
    ] {
        let written = css(body, rules);
        for part in parts {
            assert!(written.contains(part), "{part} for {rules}: {written}");
        }
    }
    let none = css(body, ".g{column-rule:2px solid red}");
    assert!(!none.contains("rule"), "no columns, no gaps: {none}");
}

#[test]
fn parts_of_carousels_are_kept() {
    let body = "<ul class=c><li>A</li><li>B</li></ul>";
    let rules = ".c{overflow-x:auto;scroll-marker-group:after} .c::scroll-button(*){color:red} \
                 .c::scroll-button(left){content:'<'} .c::scroll-button(*):disabled{opacity:.3} \
                 .c::scroll-marker-group{display:flex} .c li::scroll-marker{content:''} \
                 .c li::scroll-marker:target-current{background:red} p::scroll-button(up){content:'x'}";
    let written = css(body, rules);
    for part in [
        "::scroll-button(*) {",
        "::scroll-button(left) {",
        "::scroll-button(*):disabled {",
        "::scroll-marker-group {",
        "::scroll-marker {",
        "::scroll-marker:target-current {",
        "scroll-marker-group: after",
    ] {
        assert!(written.contains(part), "{part} in {written}");
    }
    assert!(!written.contains("button(up)"), "a paragraph does not scroll: {written}");
    assert!(classes(body, rules).contains("[&::scroll-marker:target-current]:bg-"), "{}", classes(body, rules));
}

/// Tailwind's utilities of an axis are flow-relative.
#[test]
fn sides_of_vertical_lines_are_named_one_by_one() {
    let rules = "section{padding:1px 2px} p{writing-mode:vertical-rl;padding:12px 8px} b{margin:0 4px}";
    let written = classes("<p>A <b>B</b></p>", rules);
    for class in ["py-px", "px-0.5", "pt-3", "pr-2", "pb-3", "pl-2", "mr-1", "ml-1"] {
        assert!(written.contains(class), "{class} in {written}");
    }
    assert!(!written.contains("px-2") && !written.contains("py-3") && !written.contains("mx-"), "{written}");
}

#[test]
fn addresses_of_scripts_are_taken_out_of_values() {
    let written = css("<p>A</p>", "p{background:url('javascript:alert(1)') red;cursor:url('VBScript:x'),pointer}");
    assert!(written.contains("about:invalid") && !written.to_lowercase().contains("script:"), "{written}");
}
