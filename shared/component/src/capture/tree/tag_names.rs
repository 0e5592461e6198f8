//! Maps the names of elements. Names are written into markup, JavaScript and Liquid without escaping, so only names of
//! the standards and of custom elements are kept. Other elements are replaced by one that looks the same without a
//! style.
//!
//! Before → after: `center` → `div`, `font` → `span`.

use limner_component_model::model::Namespace;

/// Returns the name of an element in a component; `None` if it is left out with its contents.
pub(crate) fn component_tag_name(name: &str, namespace: Namespace) -> Option<&str> {
    match namespace {
        Namespace::Html => Some(html(name)),
        Namespace::Svg => is_known(SVG, name).then_some(name),
        Namespace::MathMl => is_known(MATHML, name).then_some(name),
    }
}

/// Replaces elements that are not, or no more, in the standard by one that looks the same without a style.
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

/// Returns true for names of custom elements that every target syntax allows: JSX allows letters, digits and hyphens.
fn is_custom(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.contains('-')
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_'))
}

/// Returns true if the name of an attribute can be written into markup and Liquid.
pub(crate) fn is_attribute(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.'))
}

fn is_known(names: &[&str], name: &str) -> bool {
    names.binary_search(&name).is_ok()
}

/// The elements of HTML, except for those that are never part of a section.
#[rustfmt::skip]
const HTML: &[&str] = &[
    "a", "abbr", "address", "area", "article", "aside", "audio", "b", "bdi", "bdo", "blockquote", "br", "button",
    "canvas", "caption", "cite", "code", "col", "colgroup", "data", "datalist", "dd", "del", "details", "dfn", "dialog",
    "div", "dl", "dt", "em", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6",
    "header", "hgroup", "hr", "i", "iframe", "img", "input", "ins", "kbd", "label", "legend", "li", "main", "map", "mark",
    "menu", "meter", "nav", "ol", "optgroup", "option", "output", "p", "picture", "pre", "progress", "q", "rp", "rt",
    "ruby", "s", "samp", "search", "section", "select", "small", "source", "span", "strong", "sub", "summary", "sup",
    "table", "tbody", "td", "textarea", "tfoot", "th", "thead", "time", "tr", "track", "u", "ul", "var", "video", "wbr",
];

/// The elements of SVG 2, SVG Animations and Filter Effects. Browsers do not render unknown SVG elements.
#[rustfmt::skip]
const SVG: &[&str] = &[
    "a", "animate", "animateMotion", "animateTransform", "circle", "clipPath", "defs", "desc", "ellipse", "feBlend",
    "feColorMatrix", "feComponentTransfer", "feComposite", "feConvolveMatrix", "feDiffuseLighting", "feDisplacementMap",
    "feDistantLight", "feDropShadow", "feFlood", "feFuncA", "feFuncB", "feFuncG", "feFuncR", "feGaussianBlur", "feImage",
    "feMerge", "feMergeNode", "feMorphology", "feOffset", "fePointLight", "feSpecularLighting", "feSpotLight", "feTile",
    "feTurbulence", "filter", "foreignObject", "g", "image", "line", "linearGradient", "marker", "mask", "mpath", "path",
    "pattern", "polygon", "polyline", "radialGradient", "rect", "set", "stop", "svg", "switch", "symbol", "text",
    "textPath", "title", "tspan", "use", "view",
];

/// The elements of MathML Core, and older ones still in use. Annotations are never rendered.
#[rustfmt::skip]
const MATHML: &[&str] = &[
    "maction", "math", "menclose", "merror", "mfenced", "mfrac", "mi", "mmultiscripts", "mn", "mo", "mover", "mpadded",
    "mphantom", "mprescripts", "mroot", "mrow", "ms", "mspace", "msqrt", "mstyle", "msub", "msubsup", "msup", "mtable",
    "mtd", "mtext", "mtr", "munder", "munderover", "none", "semantics",
];

#[cfg(test)]
mod tests;
