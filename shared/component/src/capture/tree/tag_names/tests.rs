//! Tests `tag_names`.

use super::*;

#[test]
fn name_outside_of_the_standards_is_replaced_or_dropped() {
    for names in [HTML, SVG, MATHML] {
        assert!(names.is_sorted(), "{names:?}");
    }
    let cases = [
        ("section", Namespace::Html, Some("section")),
        ("my-card", Namespace::Html, Some("my-card")),
        ("center", Namespace::Html, Some("div")),
        ("xmp", Namespace::Html, Some("pre")),
        ("font", Namespace::Html, Some("span")),
        ("transition", Namespace::Html, Some("span")),
        ("o:p", Namespace::Html, Some("span")),
        ("a-b.c", Namespace::Html, Some("span")),
        ("emotion-\u{1f60d}", Namespace::Html, Some("span")),
        ("b{...x}", Namespace::Html, Some("span")),
        ("a-b\":x=\"y", Namespace::Html, Some("span")),
        ("x{{shop}}", Namespace::Html, Some("span")),
        ("linearGradient", Namespace::Svg, Some("linearGradient")),
        ("iframe", Namespace::Svg, None),
        ("sodipodi:namedview", Namespace::Svg, None),
        ("mi", Namespace::MathMl, Some("mi")),
        ("style", Namespace::MathMl, None),
        ("annotation-xml", Namespace::MathMl, None),
    ];
    for (name, namespace, expected) in cases {
        assert_eq!(component_tag_name(name, namespace), expected, "{name}");
    }
    for (name, expected) in [("aria-label", true), ("xlink:href", true), ("aria-{{x}}", false), ("[x]", false)] {
        assert_eq!(is_attribute(name), expected, "{name}");
    }
}
