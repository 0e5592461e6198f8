//! Categories of elements that HTML defines, by local name. Each is for the names of HTML elements unless it says
//! otherwise.

/// Returns true for elements that never have contents nor an end tag
/// (<https://html.spec.whatwg.org/multipage/syntax.html#void-elements>).
pub fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "br"
            | "col"
            | "embed"
            | "hr"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "source"
            | "track"
            | "wbr"
    )
}

/// Returns true for void elements and for obsolete ones that are written like them
/// (<https://html.spec.whatwg.org/multipage/parsing.html#serializes-as-void>).
pub fn serializes_as_void(name: &str) -> bool {
    is_void(name) || matches!(name, "basefont" | "bgsound" | "frame" | "keygen" | "param")
}

/// Returns true for embedded content, of HTML or of another vocabulary
/// (<https://html.spec.whatwg.org/multipage/dom.html#embedded-content-2>).
pub fn is_embedded(name: &str) -> bool {
    matches!(name, "audio" | "canvas" | "embed" | "iframe" | "img" | "math" | "object" | "picture" | "svg" | "video")
}

/// Returns true for replaced elements (<https://html.spec.whatwg.org/multipage/rendering.html#replaced-elements>), also
/// for the `svg` of SVG 2 (<https://svgwg.org/svg2-draft/struct.html#SVGElement>) unless it is in another one. Images
/// and frames count whether or not they can be loaded.
pub fn is_replaced<'a>(name: &str, attribute: impl Fn(&str) -> Option<&'a str>) -> bool {
    match name {
        "canvas" | "embed" | "iframe" | "img" | "object" | "svg" | "video" => true,
        "audio" => attribute("controls").is_some(),
        "input" => attribute("type").is_some_and(|kind| kind.eq_ignore_ascii_case("image")),
        _ => false,
    }
}

/// Returns true for phrasing content of HTML, which paragraphs, headings and buttons may contain
/// (<https://html.spec.whatwg.org/multipage/dom.html#phrasing-content>). `area`, `link`, `main` and `meta` are not
/// counted: they are phrasing content only in some places. Drawings and formulas are, by their outermost element.
pub fn is_phrasing(name: &str) -> bool {
    is_embedded(name)
        || matches!(
            name,
            "a" | "abbr"
                | "b"
                | "bdi"
                | "bdo"
                | "br"
                | "button"
                | "cite"
                | "code"
                | "data"
                | "datalist"
                | "del"
                | "dfn"
                | "em"
                | "i"
                | "input"
                | "ins"
                | "kbd"
                | "label"
                | "map"
                | "mark"
                | "meter"
                | "noscript"
                | "output"
                | "progress"
                | "q"
                | "ruby"
                | "s"
                | "samp"
                | "script"
                | "select"
                | "selectedcontent"
                | "slot"
                | "small"
                | "span"
                | "strong"
                | "sub"
                | "sup"
                | "template"
                | "textarea"
                | "time"
                | "u"
                | "var"
                | "wbr"
        )
}

/// Returns true for interactive content, which buttons and links may not contain
/// (<https://html.spec.whatwg.org/multipage/dom.html#interactive-content-2>).
pub fn is_interactive<'a>(name: &str, attribute: impl Fn(&str) -> Option<&'a str>) -> bool {
    match name {
        "button" | "details" | "embed" | "iframe" | "label" | "select" | "textarea" => true,
        "a" => attribute("href").is_some(),
        "audio" | "video" => attribute("controls").is_some(),
        "img" => attribute("usemap").is_some(),
        "input" => !attribute("type").is_some_and(|kind| kind.eq_ignore_ascii_case("hidden")),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Document;

    #[test]
    fn phrasing_content_is_recognized() {
        // The list of the standard without those of some places only.
        let phrasing = "a abbr audio b bdi bdo br button canvas cite code data datalist del dfn em embed i iframe img input \
                        ins kbd label map mark math meter noscript object output picture progress q ruby s samp script \
                        select selectedcontent slot small span strong sub sup svg template textarea time u var video wbr";
        for name in phrasing.split(' ') {
            assert!(is_phrasing(name), "{name}");
        }
        for name in
            "area link meta source track option rt rp p div h1 ul li table td hr pre blockquote address".split(' ')
        {
            assert!(!is_phrasing(name), "{name}");
        }
    }

    #[test]
    fn interactive_content_is_recognized() {
        for (markup, expected) in [
            ("<a href=/>x</a>", true),
            ("<a>x</a>", false),
            ("<audio controls></audio>", true),
            ("<audio></audio>", false),
            ("<button></button>", true),
            ("<details></details>", true),
            ("<embed>", true),
            ("<iframe></iframe>", true),
            ("<img>", false),
            ("<img usemap=#a>", true),
            ("<input>", true),
            ("<input type=Hidden>", false),
            ("<label></label>", true),
            ("<select></select>", true),
            ("<textarea></textarea>", true),
            ("<video controls></video>", true),
            ("<video></video>", false),
            ("<summary></summary>", false),
            ("<span tabindex=0></span>", false),
        ] {
            let document = Document::parse_fragment(markup);
            let (_, element) = document.elements().last().unwrap();
            assert_eq!(is_interactive(element.name(), |name| element.attr(name)), expected, "{markup}");
        }
    }

    #[test]
    fn void_elements_are_recognized() {
        // The list of the standard, and names that look alike.
        let void = "area base br col embed hr img input link meta source track wbr";
        for name in void.split(' ') {
            assert!(is_void(name), "{name}");
        }
        for name in ["param", "frame", "keygen", "basefont", "bgsound", "command", "colgroup", "image", "svg", "p"] {
            assert!(!is_void(name), "{name}");
        }
        for name in void.split(' ').chain(["basefont", "bgsound", "frame", "keygen", "param"]) {
            assert!(serializes_as_void(name), "{name}");
        }
        for name in ["command", "menuitem", "frameset", "image", "div"] {
            assert!(!serializes_as_void(name), "{name}");
        }
    }

    #[test]
    fn embedded_content_is_recognized() {
        for name in ["audio", "canvas", "embed", "iframe", "img", "math", "object", "picture", "svg", "video"] {
            assert!(is_embedded(name), "{name}");
        }
        for name in ["source", "track", "map", "input", "frame", "div", "image", "noscript"] {
            assert!(!is_embedded(name), "{name}");
        }
    }

    /// (markup, whether its last element is replaced)
    const REPLACED: &[(&str, bool)] = &[
        ("<img>", true),
        ("<picture>", false),
        ("<video></video>", true),
        ("<audio></audio>", false),
        ("<audio controls></audio>", true),
        ("<canvas></canvas>", true),
        ("<iframe></iframe>", true),
        ("<object></object>", true),
        ("<embed>", true),
        ("<input>", false),
        ("<input type=Image>", true),
        ("<input type=text>", false),
        ("<textarea></textarea>", false),
        ("<button></button>", false),
        ("<select></select>", false),
        ("<svg></svg>", true),
        ("<svg><image/></svg>", false),
        ("<svg><g/></svg>", false),
        ("<math></math>", false),
        ("<svg><foreignObject><img></foreignObject></svg>", true),
        ("<svg><video/></svg>", false),
        ("<hr>", false),
        ("<span></span>", false),
    ];

    #[test]
    fn replaced_elements_are_recognized() {
        for (markup, expected) in REPLACED {
            let document = Document::parse_fragment(markup);
            let (_, element) = document.elements().last().unwrap();
            assert_eq!(element.is_replaced(), *expected, "{markup}");
        }
    }

    #[test]
    fn categories_are_those_of_html_elements() {
        for (markup, expected) in [("<link>", true), ("<svg><link/></svg>", false)] {
            let document = Document::parse_fragment(markup);
            let (_, element) = document.elements().last().unwrap();
            assert_eq!(element.is_void(), expected, "{markup}");
        }
    }
}
