//! Tests the names of transitions.

use super::states::classes;

#[test]
fn lists_of_animated_properties_have_the_name_that_does_the_same() {
    for (animated, hover, expected) in [
        ("color,background-color", "color:red;background:tan;opacity:.5", " transition-colors "),
        ("background,border,color", "color:red;background:tan;border-color:red", " transition-colors "),
        // The outline would be animated.
        ("background,color", "color:red;background:tan;outline:2px solid tan", "transition-[background,color]"),
        ("color,box-shadow", "color:red;box-shadow:0 0 9px red", " transition "),
        ("color,box-shadow", "color:red;box-shadow:0 0 9px red;opacity:.5", "transition-[color,box-shadow]"),
        ("color,width", "color:red;width:9px", "transition-[color,width]"),
    ] {
        let rules = format!(".p{{display:block;transition:.15s;transition-property:{animated}}} .p:hover{{{hover}}}");
        let code = classes("<a class=p href=/a>Words</a>", &rules);
        assert!(code.contains(expected), "{animated}, {hover}: {code}");
    }
}
