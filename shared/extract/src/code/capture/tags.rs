//! What elements are called in a component. Names go into markup, JavaScript and Liquid as they are, so only those of the
//! standards and of custom elements do; what browsers show anyway has a name that says as little.

use crate::code::model::Namespace;

/// The name of an element in a component; `None` when it is left out with all that is in it.
pub(super) fn name_of(name: &str, namespace: Namespace) -> Option<&str> {
    match namespace {
        Namespace::Html => Some(html(name)),
        Namespace::Svg => is_known(SVG, name).then_some(name),
        Namespace::MathMl => is_known(MATHML, name).then_some(name),
    }
}

/// Elements that are no more in the standard, or never were, are what they look like without a style.
fn html(name: &str) -> &str {
    match name {
        "html" | "body" | "center" | "marquee" => "div",
        "listing" | "plaintext" | "xmp" => "pre",
        "dir" => "ul",
        "acronym" => "abbr",
        "strike" => "s",
        name if is_known(HTML, name) || is_custom(name) => name,
        _ => "span",
    }
}

/// Whether a name is one of a custom element that every framework can write: JSX knows letters, digits and hyphens.
fn is_custom(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.contains('-')
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_'))
}

/// Whether the name of an attribute can stand in markup and in Liquid.
pub(super) fn is_attribute(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.'))
}

fn is_known(names: &[&str], name: &str) -> bool {
    names.binary_search(&name).is_ok()
}

/// HTML, "The elements of HTML", but for those that are no part of a section.
const HTML: &[&str] = &[
    "a",
    "abbr",
    "address",
    "area",
    "article",
    "aside",
    "audio",
    "b",
    "bdi",
    "bdo",
    "blockquote",
    "br",
    "button",
    "canvas",
    "caption",
    "cite",
    "code",
    "col",
    "colgroup",
    "data",
    "datalist",
    "dd",
    "del",
    "details",
    "dfn",
    "dialog",
    "div",
    "dl",
    "dt",
    "em",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "hr",
    "i",
    "iframe",
    "img",
    "input",
    "ins",
    "kbd",
    "label",
    "legend",
    "li",
    "main",
    "map",
    "mark",
    "menu",
    "meter",
    "nav",
    "ol",
    "optgroup",
    "option",
    "output",
    "p",
    "picture",
    "pre",
    "progress",
    "q",
    "rp",
    "rt",
    "ruby",
    "s",
    "samp",
    "search",
    "section",
    "select",
    "small",
    "source",
    "span",
    "strong",
    "sub",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "textarea",
    "tfoot",
    "th",
    "thead",
    "time",
    "tr",
    "track",
    "u",
    "ul",
    "var",
    "video",
    "wbr",
];

/// SVG 2, SVG Animations and Filter Effects. What a browser does not know of SVG it does not show.
const SVG: &[&str] = &[
    "a",
    "animate",
    "animateMotion",
    "animateTransform",
    "circle",
    "clipPath",
    "defs",
    "desc",
    "ellipse",
    "feBlend",
    "feColorMatrix",
    "feComponentTransfer",
    "feComposite",
    "feConvolveMatrix",
    "feDiffuseLighting",
    "feDisplacementMap",
    "feDistantLight",
    "feDropShadow",
    "feFlood",
    "feFuncA",
    "feFuncB",
    "feFuncG",
    "feFuncR",
    "feGaussianBlur",
    "feImage",
    "feMerge",
    "feMergeNode",
    "feMorphology",
    "feOffset",
    "fePointLight",
    "feSpecularLighting",
    "feSpotLight",
    "feTile",
    "feTurbulence",
    "filter",
    "foreignObject",
    "g",
    "image",
    "line",
    "linearGradient",
    "marker",
    "mask",
    "mpath",
    "path",
    "pattern",
    "polygon",
    "polyline",
    "radialGradient",
    "rect",
    "set",
    "stop",
    "svg",
    "switch",
    "symbol",
    "text",
    "textPath",
    "title",
    "tspan",
    "use",
    "view",
];

/// MathML Core, and what is older and still written. Annotations are never shown.
const MATHML: &[&str] = &[
    "maction",
    "math",
    "menclose",
    "merror",
    "mfenced",
    "mfrac",
    "mi",
    "mmultiscripts",
    "mn",
    "mo",
    "mover",
    "mpadded",
    "mphantom",
    "mprescripts",
    "mroot",
    "mrow",
    "ms",
    "mspace",
    "msqrt",
    "mstyle",
    "msub",
    "msubsup",
    "msup",
    "mtable",
    "mtd",
    "mtext",
    "mtr",
    "munder",
    "munderover",
    "none",
    "semantics",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_every_framework_can_write() {
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
            assert_eq!(name_of(name, namespace), expected, "{name}");
        }
        for (name, expected) in [("aria-label", true), ("xlink:href", true), ("aria-{{x}}", false), ("[x]", false)] {
            assert_eq!(is_attribute(name), expected, "{name}");
        }
    }
}
