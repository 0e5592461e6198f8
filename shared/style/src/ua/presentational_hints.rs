//! Presentational hints: attributes that stand for declarations (HTML, section 15; SVG 2, "presentation attributes").

use limner_page::dimension::Dimension;
use limner_page::dom::Element;
use limner_page::{Document, NodeId};
use std::fmt::Write;

/// Returns the colour that the document's `body` gives to links.
pub(crate) fn link_color(document: &Document) -> Option<String> {
    document.element(document.body()?)?.attr("link").and_then(legacy_color)
}

/// Returns the presentational hints of an element as a declaration list. `link_color` is that of the document.
pub(crate) fn hints(document: &Document, node: NodeId, element: &Element, link_color: Option<&str>) -> Option<String> {
    let of_table = matches!(element.name(), "td" | "th" | "thead" | "tbody" | "tfoot" | "colgroup");
    if element.attributes().is_empty() && !of_table {
        return None;
    }
    let mut list = HintList(String::new());
    if element.in_svg() {
        svg(&mut list, element);
    } else if element.in_html() {
        html(&mut list, document, node, element);
        let is_link = matches!(element.name(), "a" | "area") && element.attr("href").is_some();
        if let Some(color) = link_color.filter(|_| is_link) {
            list.add("color", color);
        }
    }
    (!list.0.is_empty()).then_some(list.0)
}

struct HintList(String);

impl HintList {
    fn add(&mut self, property: &str, value: &str) {
        // Writing to a String cannot fail.
        let _ = write!(self.0, "{property}:{value};");
    }

    fn color(&mut self, element: &Element, attribute: &str, property: &str) {
        if let Some(color) = element.attr(attribute).and_then(legacy_color) {
            self.add(property, &color);
        }
    }

    fn dimension(&mut self, element: &Element, attribute: &str, property: &str) {
        if let Some(length) = element.attr(attribute).and_then(Dimension::parse) {
            self.add(property, &length.to_css());
        }
    }

    fn pixels(&mut self, element: &Element, attribute: &str, properties: &[&str]) {
        if let Some(pixels) = element.attr(attribute).and_then(integer) {
            for property in properties {
                self.add(property, &format!("{pixels}px"));
            }
        }
    }
}

fn svg(list: &mut HintList, element: &Element) {
    for attribute in element.attributes().iter().filter(|a| a.name.ns.is_empty()) {
        let name = &*attribute.name.local;
        let is_size =
            matches!(name, "width" | "height") && matches!(element.name(), "svg" | "rect" | "image" | "foreignObject");
        if is_size || PRESENTATION.contains(&name) {
            if name == "transform" {
                continue;
            }
            let value = attribute.value.replace([';', '{', '}'], " ");
            // Attributes need no unit (SVG 2, "presentation attributes").
            let is_bare = (is_size || LENGTHS.contains(&name)) && value.trim().parse::<f64>().is_ok_and(f64::is_finite);
            let unit = if is_bare { "px" } else { "" };
            list.add(name, &format!("{}{unit}", value.trim()));
        }
    }
}

/// Attributes that are lengths, for which stylesheets allow no plain numbers.
const LENGTHS: &[&str] = &["cx", "cy", "font-size", "letter-spacing", "r", "rx", "ry", "word-spacing", "x", "y"];

const PRESENTATION: &[&str] = &[
    "alignment-baseline",
    "clip-path",
    "clip-rule",
    "color",
    "color-interpolation",
    "cursor",
    "direction",
    "display",
    "dominant-baseline",
    "fill",
    "fill-opacity",
    "fill-rule",
    "filter",
    "flood-color",
    "flood-opacity",
    "font-family",
    "font-size",
    "font-stretch",
    "font-style",
    "font-variant",
    "font-weight",
    "image-rendering",
    "letter-spacing",
    "lighting-color",
    "marker-end",
    "marker-mid",
    "marker-start",
    "mask",
    "mask-type",
    "opacity",
    "overflow",
    "paint-order",
    "pointer-events",
    "shape-rendering",
    "stop-color",
    "stop-opacity",
    "stroke",
    "stroke-dasharray",
    "stroke-dashoffset",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-miterlimit",
    "stroke-opacity",
    "stroke-width",
    "text-anchor",
    "text-decoration",
    "text-overflow",
    "text-rendering",
    "unicode-bidi",
    "vector-effect",
    "visibility",
    "white-space",
    "word-spacing",
    "writing-mode",
    "cx",
    "cy",
    "r",
    "rx",
    "ry",
    "x",
    "y",
];

/// Elements whose `align` has another meaning, or none.
const OTHER_ALIGN_ELEMENTS: &[&str] = &[
    "button", "caption", "col", "colgroup", "div", "embed", "hr", "iframe", "img", "input", "marquee", "object", "p",
    "select", "table", "tbody", "td", "textarea", "tfoot", "th", "thead", "tr",
];

fn html(list: &mut HintList, document: &Document, node: NodeId, element: &Element) {
    if !OTHER_ALIGN_ELEMENTS.contains(&element.name()) {
        match element.attr("align").map(str::to_ascii_lowercase).as_deref() {
            Some("middle") => list.add("text-align", "center"),
            Some(align @ ("left" | "center" | "right" | "justify")) => list.add("text-align", align),
            _ => {}
        }
    }
    match element.name() {
        "body" => {
            list.color(element, "bgcolor", "background-color");
            list.color(element, "text", "color");
            list.pixels(element, "marginwidth", &["margin-left", "margin-right"]);
            list.pixels(element, "marginheight", &["margin-top", "margin-bottom"]);
            list.pixels(element, "leftmargin", &["margin-left", "margin-right"]);
            list.pixels(element, "topmargin", &["margin-top", "margin-bottom"]);
            background(list, element);
        }
        "table" | "tbody" | "thead" | "tfoot" | "tr" | "td" | "th" | "col" | "colgroup" | "caption" => {
            table_part(list, document, node, element);
        }
        "img" | "video" | "canvas" | "embed" | "object" | "iframe" | "input" | "marquee" => {
            if element.name() == "marquee" {
                list.color(element, "bgcolor", "background-color");
            }
            replaced(list, element);
        }
        "font" => font(list, element),
        "hr" => rule(list, element),
        "textarea" if element.attr("wrap").is_some_and(|wrap| wrap.eq_ignore_ascii_case("off")) => {
            list.add("white-space", "pre");
        }
        "br" => match element.attr("clear").map(str::to_ascii_lowercase).as_deref() {
            Some("all" | "both") => list.add("clear", "both"),
            Some(side @ ("left" | "right")) => list.add("clear", side),
            _ => {}
        },
        _ => {}
    }
}

fn background(list: &mut HintList, element: &Element) {
    if let Some(address) = element.attr("background").filter(|address| !address.trim().is_empty()) {
        let mut url = String::new();
        let _ = cssparser::serialize_string(address.trim(), &mut url);
        list.add("background-image", &format!("url({url})"));
    }
}

fn table_part(list: &mut HintList, document: &Document, node: NodeId, element: &Element) {
    let name = element.name();
    list.color(element, "bgcolor", "background-color");
    background(list, element);
    list.dimension(element, "width", "width");
    list.dimension(element, "height", "height");
    match name {
        "table" => table(list, element),
        "caption" => {
            if element.attr("align").is_some_and(|align| align.eq_ignore_ascii_case("bottom")) {
                list.add("caption-side", "bottom");
            }
        }
        _ => {
            if let Some(value) = element.attr("valign") {
                let value = value.to_ascii_lowercase();
                if matches!(value.as_str(), "top" | "middle" | "bottom" | "baseline") {
                    list.add("vertical-align", &value);
                }
            }
            if let Some(align) = element.attr("align").map(str::to_ascii_lowercase) {
                match align.as_str() {
                    "center" | "middle" => list.add("text-align", "-webkit-center"),
                    "left" => list.add("text-align", "-webkit-left"),
                    "right" => list.add("text-align", "-webkit-right"),
                    "absmiddle" => list.add("text-align", "center"),
                    "justify" => list.add("text-align", "justify"),
                    _ => {}
                }
            }
        }
    }
    match name {
        "td" | "th" => {
            if element.attr("nowrap").is_some() {
                list.add("white-space", "nowrap");
            }
            cell(list, document, node);
        }
        "thead" | "tbody" | "tfoot" => group(list, document, node, &["top", "bottom"], "inherit"),
        "colgroup" => group(list, document, node, &["left", "right"], "currentcolor"),
        _ => {}
    }
}

fn table(list: &mut HintList, element: &Element) {
    if let Some(spacing) = element.attr("cellspacing").and_then(integer) {
        list.add("border-spacing", &format!("{spacing}px"));
    }
    match element.attr("align").map(str::to_ascii_lowercase).as_deref() {
        Some(side @ ("left" | "right")) => list.add("float", side),
        Some("center") => list.add("margin-inline", "auto"),
        _ => {}
    }
    list.pixels(element, "hspace", &["margin-left", "margin-right"]);
    list.pixels(element, "vspace", &["margin-top", "margin-bottom"]);
    if let Some(border) = element.attr("border") {
        list.add("border-width", &format!("{}px", integer(border).unwrap_or(1)));
    }
    list.color(element, "bordercolor", "border-color");
    let rules = rules(element);
    if rules.is_some() {
        list.add("border-collapse", "collapse");
    }
    if let Some(framed) = element.attr("frame").and_then(frame) {
        list.add("border-width", "thin");
        for side in ["top", "right", "bottom", "left"] {
            list.add(&format!("border-{side}-style"), if framed.contains(&side) { "solid" } else { "hidden" });
        }
    } else if is_bordered(element) || has_border_color(element) {
        list.add("border-style", if has_border_color(element) { "solid" } else { "outset" });
    } else if rules.is_some() {
        // Overrides the borders of cells in collapsed borders.
        list.add("border-style", "hidden");
    }
}

fn is_bordered(table: &Element) -> bool {
    table.attr("border").is_some_and(|border| integer(border) != Some(0))
}

fn has_border_color(table: &Element) -> bool {
    table.attr("bordercolor").is_some_and(|color| !color.is_empty())
}

/// Returns the table's `rules`: the lines between its cells.
fn rules(table: &Element) -> Option<&'static str> {
    let written = table.attr("rules")?;
    ["none", "groups", "rows", "cols", "all"].into_iter().find(|rules| written.eq_ignore_ascii_case(rules))
}

/// Returns the sides on which a table has a border.
fn frame(written: &str) -> Option<&'static [&'static str]> {
    Some(match written.to_ascii_lowercase().as_str() {
        "above" => &["top"],
        "below" => &["bottom"],
        "hsides" => &["top", "bottom"],
        "vsides" => &["left", "right"],
        "lhs" => &["left"],
        "rhs" => &["right"],
        "box" | "border" => &["top", "right", "bottom", "left"],
        "void" => &[],
        _ => return None,
    })
}

/// Returns the table that contains a part of it.
fn ancestor_table(document: &Document, node: NodeId) -> Option<&Element> {
    document.ancestors(node).take(8).filter_map(|n| document.element(n)).find(|e| e.is_html("table"))
}

/// Adds the hints of a table's attributes for its cells.
fn cell(list: &mut HintList, document: &Document, node: NodeId) {
    let Some(table) = ancestor_table(document, node) else { return };
    if let Some(padding) = table.attr("cellpadding").and_then(integer) {
        list.add("padding", &format!("{padding}px"));
    }
    match rules(table) {
        Some("rows") => lines(list, &["top", "bottom"], "inherit"),
        Some("cols") => lines(list, &["left", "right"], "inherit"),
        Some("none" | "groups") => {}
        all if all.is_some() || is_bordered(table) => {
            let is_solid = all.is_some() || has_border_color(table);
            list.add("border-width", "1px");
            list.add("border-style", if is_solid { "solid" } else { "inset" });
            list.add("border-color", "inherit");
        }
        _ => {}
    }
}

/// Adds the hints of a table's attributes for groups of its rows or columns.
fn group(list: &mut HintList, document: &Document, node: NodeId, sides: &[&str], color: &str) {
    if ancestor_table(document, node).and_then(rules) == Some("groups") {
        lines(list, sides, color);
    }
}

fn lines(list: &mut HintList, sides: &[&str], color: &str) {
    for side in sides {
        list.add(&format!("border-{side}"), "thin solid");
        list.add(&format!("border-{side}-color"), color);
    }
}

fn replaced(list: &mut HintList, element: &Element) {
    let is_image_input = element.attr("type").is_some_and(|kind| kind.eq_ignore_ascii_case("image"));
    if element.name() == "input" && !is_image_input {
        return;
    }
    list.dimension(element, "width", "width");
    list.dimension(element, "height", "height");
    ratio(list, element);
    if matches!(element.name(), "video" | "canvas") {
        return;
    }
    list.pixels(element, "hspace", &["margin-left", "margin-right"]);
    list.pixels(element, "vspace", &["margin-top", "margin-bottom"]);
    if element.name() == "marquee" {
        return;
    }
    if element.name() == "iframe" {
        if let Some(border) = element.attr("frameborder")
            && matches!(border.trim(), "0" | "no")
        {
            list.add("border-width", "0px");
        }
    } else if let Some(border) = element.attr("border").and_then(integer) {
        list.add("border", &format!("{border}px solid"));
    }
    match element.attr("align").map(str::to_ascii_lowercase).as_deref() {
        Some(side @ ("left" | "right")) => {
            list.add("float", side);
            list.add("vertical-align", "top");
        }
        Some("absmiddle" | "abscenter") => list.add("vertical-align", "middle"),
        Some("center" | "middle") => list.add("vertical-align", "-webkit-baseline-middle"),
        Some("absbottom") => list.add("vertical-align", "bottom"),
        Some("top") => list.add("vertical-align", "top"),
        Some("texttop") => list.add("vertical-align", "text-top"),
        Some("bottom") => list.add("vertical-align", "baseline"),
        _ => {}
    }
}

/// Adds the aspect ratio that `width` and `height` give until the image is loaded.
fn ratio(list: &mut HintList, element: &Element) {
    if !matches!(element.name(), "img" | "video" | "canvas" | "input") {
        return;
    }
    let length = |name: &str| Dimension::parse(element.attr(name)?).filter(|own| !own.is_percentage());
    if let (Some(width), Some(height)) = (length("width"), length("height")) {
        list.add("aspect-ratio", &format!("auto {} / {}", width.number(), height.number()));
    }
}

fn font(list: &mut HintList, element: &Element) {
    list.color(element, "color", "color");
    if let Some(face) = element.attr("face").filter(|face| !face.trim().is_empty()) {
        list.add("font-family", &face.replace([';', '{', '}'], " "));
    }
    if let Some(size) = element.attr("size").and_then(font_size) {
        list.add("font-size", size);
    }
}

/// HTML, "rules for parsing a legacy font size".
fn font_size(text: &str) -> Option<&'static str> {
    let text = text.trim();
    let (relative, digits) = match text.strip_prefix('+') {
        Some(rest) => (Some(1), rest),
        None => match text.strip_prefix('-') {
            Some(rest) => (Some(-1), rest),
            None => (None, text),
        },
    };
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    if end == 0 {
        return None;
    }
    // A number with too many digits counts as the largest size.
    let number: i64 = digits[..end].parse().unwrap_or(i64::MAX);
    let size = relative.map_or(number, |sign: i64| 3_i64.saturating_add(sign * number));
    Some(match size.clamp(1, 7) {
        1 => "x-small",
        2 => "small",
        3 => "medium",
        4 => "large",
        5 => "x-large",
        6 => "xx-large",
        _ => "xxx-large",
    })
}

fn rule(list: &mut HintList, element: &Element) {
    match element.attr("align").map(str::to_ascii_lowercase).as_deref() {
        Some("left") => {
            list.add("margin-left", "0");
            list.add("margin-right", "auto");
        }
        Some("right") => {
            list.add("margin-left", "auto");
            list.add("margin-right", "0");
        }
        Some("center") => list.add("margin-inline", "auto"),
        _ => {}
    }
    list.dimension(element, "width", "width");
    if let Some(color) = element.attr("color") {
        list.add("border-style", "solid");
        if let Some(color) = legacy_color(color) {
            list.add("border-color", &color);
            list.add("background-color", &color);
        }
    } else if element.attr("noshade").is_some() {
        list.add("border-style", "solid");
        list.add("border-color", "gray");
        list.add("background-color", "gray");
    }
    if let Some(size) = element.attr("size").and_then(integer) {
        if size <= 1 {
            list.add("border-bottom-width", "0px");
        } else {
            list.add("height", &format!("{}px", size - 2));
        }
    }
}

/// HTML, "rules for parsing non-negative integers".
fn integer(text: &str) -> Option<u32> {
    /// A table's attributes are parsed again for each of its cells.
    const MAX_CHARACTERS: usize = 100;
    let text = text.char_indices().nth(MAX_CHARACTERS).map_or(text, |(end, _)| &text[..end]).trim_start();
    let text = text.strip_prefix('+').unwrap_or(text);
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

/// HTML, "rules for parsing a legacy color value".
fn legacy_color(text: &str) -> Option<String> {
    let text = text.trim();
    if text.is_empty() || text.eq_ignore_ascii_case("transparent") {
        return None;
    }
    let scheme = crate::color::Scheme::Light;
    let is_name = text.bytes().all(|b| b.is_ascii_alphabetic());
    let is_hash = text.starts_with('#') && matches!(text.len(), 4 | 7);
    if (is_name || is_hash) && !text.eq_ignore_ascii_case("currentcolor") && crate::color::parse(text, scheme).is_some()
    {
        return Some(text.to_owned());
    }
    let text = text.strip_prefix('#').unwrap_or(text);
    let mut digits: Vec<u8> =
        text.chars().take(128).map(|c| if c.is_ascii_hexdigit() { c as u8 } else { b'0' }).collect();
    while digits.is_empty() || !digits.len().is_multiple_of(3) {
        digits.push(b'0');
    }
    let length = digits.len() / 3;
    let mut parts: Vec<&[u8]> = digits.chunks(length).collect();
    if length > 8 {
        parts = parts.into_iter().map(|part| &part[length - 8..]).collect();
    }
    while parts[0].len() > 2 && parts.iter().all(|part| part[0] == b'0') {
        parts = parts.into_iter().map(|part| &part[1..]).collect();
    }
    let channel = |part: &[u8]| format!("{:0>2}", String::from_utf8_lossy(&part[..part.len().min(2)]));
    Some(format!("#{}{}{}", channel(parts[0]), channel(parts[1]), channel(parts[2])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_section_2_4_6_legacy_colors() {
        for (text, color) in
            [("red", "red"), ("#fff", "#fff"), ("chucknorris", "#c00000"), ("000080", "#000080"), ("#xyz", "#000000")]
        {
            assert_eq!(legacy_color(text).unwrap(), color, "{text}");
        }
        assert_eq!(legacy_color("transparent"), None);
    }

    #[test]
    fn font_size_is_clamped_to_seven_sizes() {
        for (text, size) in [
            ("3", Some("medium")),
            (" +1px", Some("large")),
            ("-1", Some("small")),
            ("0", Some("x-small")),
            ("9223372036854775807", Some("xxx-large")),
            ("+9223372036854775807", Some("xxx-large")),
            ("-9223372036854775807", Some("x-small")),
            ("99999999999999999999", Some("xxx-large")),
            ("-99999999999999999999", Some("x-small")),
            ("", None),
            ("+", None),
            ("x", None),
        ] {
            assert_eq!(font_size(text), size, "{text}");
        }
    }
}
