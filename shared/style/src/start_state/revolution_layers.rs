//! The layers of Slider Revolution: their attributes say where its script puts them, and in which size, at each of up to
//! four widths. `data-xy="x:l,l,c,c;xo:50px,36px,0,0;y:m;yo:20px"` is from version 6, `data-x="['left','center']"` and
//! `data-hoffset="['50','0']"` from before that.

use super::revolution::Grid;
use limner_page::dom::Element;

/// Maximum length of an attribute.
const MAX_ATTRIBUTE: usize = 2_000;

/// Width of the viewport at which the values of the first width apply, in CSS pixels.
const WIDE: f64 = 1_440.0;

/// The element that a layer is placed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The slider, by its canvas.
    Slider,
    /// A group, by its own box.
    Group,
    /// A column, below or beside the others.
    Column,
}

/// Returns the declarations with which a zone, a row, a column or a group ends, which otherwise its script wraps.
pub(super) fn end_of_container(element: &Element, grid: &Grid) -> Option<String> {
    const SHOWN: &str = "visibility: visible; opacity: 1";
    let layer = Layer { element };
    match element.name() {
        "rs-zone" => Some(SHOWN.to_owned()),
        "rs-row" => {
            let (wide, _) = grid.widths();
            let edges = layer.declared(&EDGES, grid);
            Some(format!("{SHOWN}; display: table; max-width: {wide}px; margin: 0 auto{edges}"))
        }
        "rs-column" => {
            let width = layer.first("data-column", "w").filter(|width| is_length(width));
            let width = width.map_or_else(String::new, |width| format!("; width: {width} !important"));
            let align = layer.first("data-column", "a").filter(|align| matches!(*align, "top" | "middle" | "bottom"));
            let texts = layer.first("data-text", "a").filter(|own| matches!(*own, "left" | "center" | "right"));
            let texts = texts.map_or_else(String::new, |texts| format!("; text-align: {texts}"));
            let (align, edges) = (align.unwrap_or("top"), layer.declared(&EDGES, grid));
            Some(format!("{SHOWN}; display: table-cell; vertical-align: {align}{width}{texts}{edges}"))
        }
        _ => None,
    }
}

/// The lengths of a layer's edges: property, attribute and key.
const EDGES: [(&str, &str, &str); 8] = [
    ("padding-top", "data-padding", "t"),
    ("padding-right", "data-padding", "r"),
    ("padding-bottom", "data-padding", "b"),
    ("padding-left", "data-padding", "l"),
    ("margin-top", "data-margin", "t"),
    ("margin-right", "data-margin", "r"),
    ("margin-bottom", "data-margin", "b"),
    ("margin-left", "data-margin", "l"),
];

/// Returns the declarations with which a layer ends.
pub(super) fn end(element: &Element, grid: &Grid, place: Place) -> String {
    let layer = Layer { element };
    let mut end = String::from("opacity: 1; visibility: visible");
    if layer.first("data-vbility", "").is_some_and(|shown| shown == "f" || shown == "off") {
        end.push_str("; display: none");
        return end;
    }
    let lengths = [
        ("font-size", layer.lengths("data-text", "s").or_else(|| layer.lengths("data-fontsize", ""))),
        ("line-height", layer.lengths("data-text", "l").or_else(|| layer.lengths("data-lineheight", ""))),
        ("letter-spacing", layer.lengths("data-text", "ls")),
        ("padding-top", layer.lengths("data-padding", "t")),
        ("padding-right", layer.lengths("data-padding", "r")),
        ("padding-bottom", layer.lengths("data-padding", "b")),
        ("padding-left", layer.lengths("data-padding", "l")),
        ("width", layer.lengths("data-dim", "w").or_else(|| layer.lengths("data-width", ""))),
        ("height", layer.lengths("data-dim", "h").or_else(|| layer.lengths("data-height", ""))),
    ];
    let is_text = element.attr("data-type").is_none_or(|kind| matches!(kind, "text" | "button"));
    for (property, value) in lengths {
        let default = match property {
            "font-size" if is_text && element.is_html("rs-layer") => Some(Lengths::Pixels(vec![20.0])),
            "line-height" if is_text && element.is_html("rs-layer") => Some(Lengths::Pixels(vec![25.0])),
            _ => None,
        };
        if let Some(value) = value.or(default) {
            end.push_str(&format!("; {property}: {}", value.css(grid)));
        }
    }
    if let Some(weight) = layer.first("data-text", "fw").filter(|weight| weight.parse::<u16>().is_ok()) {
        end.push_str(&format!("; font-weight: {weight}"));
    }
    if let Some(radius) = layer.first("data-border", "bor").filter(|radius| is_length(radius)) {
        end.push_str(&format!("; border-radius: {radius}"));
    }
    end.push_str(&layer.border());
    if let Some(color) = color(element, is_text) {
        end.push_str(&format!("; color: {color}"));
    }
    match place {
        Place::Column => {
            let margins = layer.declared(&EDGES[4..], grid);
            let display = element.attr("data-disp").filter(|own| own.starts_with("inline")).unwrap_or("block");
            end.push_str(&format!("; position: relative; left: auto; top: auto; display: {display}{margins}"));
        }
        Place::Group | Place::Slider => end.push_str(&layer.place(grid, place)),
    }
    end
}

/// Returns the colour that a layer names for the widest viewport. Texts without one are white since version 6.
fn color(element: &Element, is_text: bool) -> Option<&str> {
    let named = element.attr("data-color").and_then(|colors| colors.split("||").next()).map(str::trim);
    let has_color = || element.attr("style").is_some_and(|style| style.contains("color:"));
    match named {
        Some(color) => (!color.is_empty() && !color.contains(';')).then_some(color),
        None => (is_text && element.is_html("rs-layer") && !has_color()).then_some("#fff"),
    }
}

/// Returns true for a number of pixels or a percentage.
fn is_length(text: &str) -> bool {
    let number = text.strip_suffix("px").or_else(|| text.strip_suffix('%')).unwrap_or(text);
    number.parse::<f64>().is_ok()
}

/// The lengths of a layer at the widths of its slider.
enum Lengths {
    Pixels(Vec<f64>),
    /// A percentage or `auto`.
    Other(String),
}

impl Lengths {
    /// Returns CSS that is the first length on wide viewports, and shrinks with the slider.
    fn css(&self, grid: &Grid) -> String {
        let pixels = match self {
            Self::Other(text) => return text.clone(),
            Self::Pixels(pixels) => pixels,
        };
        let (Some(full), Some(last)) = (pixels.first().copied(), pixels.last().copied()) else { return "auto".into() };
        let (wide, narrow) = grid.widths();
        let narrow = if pixels.len() > 1 { narrow } else { wide };
        let mut share = last / narrow * 100.0;
        if (share * WIDE / 100.0).abs() < full.abs() || share * full < 0.0 {
            share = full / wide * 100.0;
        }
        let share = (share * 100.0).round() / 100.0;
        let which = if full < 0.0 { "max" } else { "min" };
        if full == 0.0 { "0px".to_owned() } else { format!("{which}({full}px, {share}vw)") }
    }
}

struct Layer<'e> {
    element: &'e Element,
}

impl<'e> Layer<'e> {
    /// Returns the list of an attribute, or of one of its keys: `k:1,2;l:3`, `['1','2']`.
    fn list(&self, attribute: &str, key: &str) -> Option<Vec<&'e str>> {
        let text = self.element.attr(attribute).filter(|text| text.len() <= MAX_ATTRIBUTE)?;
        let list = match key {
            "" => text.trim_matches(['[', ']']),
            _ => text.split(';').find_map(|item| item.trim().split_once(':').filter(|(own, _)| *own == key))?.1,
        };
        Some(list.split(',').map(|item| item.trim().trim_matches(['\'', '"'])).collect())
    }

    fn first(&self, attribute: &str, key: &str) -> Option<&'e str> {
        self.list(attribute, key)?.into_iter().next().filter(|item| !item.is_empty())
    }

    /// Returns the declarations of those properties that an attribute declares.
    fn declared(&self, properties: &[(&str, &str, &str)], grid: &Grid) -> String {
        let own = |(property, attribute, key): &(&str, &str, &str)| {
            Some(format!("; {property}: {}", self.lengths(attribute, key)?.css(grid)))
        };
        properties.iter().filter_map(own).collect()
    }

    fn lengths(&self, attribute: &str, key: &str) -> Option<Lengths> {
        let list = self.list(attribute, key)?;
        let pixels: Option<Vec<f64>> = list.iter().map(|item| item.trim_end_matches("px").parse().ok()).collect();
        let first = list.first().copied().unwrap_or_default();
        match pixels {
            Some(pixels) => Some(Lengths::Pixels(pixels)),
            None if first == "auto" || first.ends_with('%') && is_length(first) => {
                Some(Lengths::Other(first.to_owned()))
            }
            None => {
                let first: f64 = first.trim_end_matches("px").parse().ok()?;
                Some(Lengths::Pixels(vec![first]))
            }
        }
    }

    /// Returns the declarations of a border, which without a colour is transparent: `bos:solid;bow:1px,1px,1px,1px;boc:#fff;`.
    fn border(&self) -> String {
        let widths = self.list("data-border", "bow").filter(|widths| widths.iter().all(|width| is_length(width)));
        let style = self.first("data-border", "bos").filter(|style| style.chars().all(|c| c.is_ascii_lowercase()));
        let color = self.element.attr("data-border").and_then(|own| own.split_once("boc:"));
        let color = color.and_then(|(_, color)| color.split(';').next());
        let Some(((widths, style), color)) = widths.zip(style).zip(color) else { return String::new() };
        format!("; border: 0 {style} {color}; border-width: {}", widths.join(" "))
    }

    /// Returns the alignment and the offset along an axis.
    fn axis(&self, keys: [&str; 2], attributes: [&str; 2], grid: &Grid) -> (&'e str, String) {
        let [place, offset] = keys;
        let own = self.first("data-xy", place).or_else(|| self.first(attributes[0], ""));
        // A number is an offset from the start.
        let at_start = own.is_some_and(|own| own.starts_with(|c: char| c.is_ascii_digit() || c == '-'));
        let lengths = match at_start {
            true => self.lengths("data-xy", place).or_else(|| self.lengths(attributes[0], "")),
            false => self.lengths("data-xy", offset).or_else(|| self.lengths(attributes[1], "")),
        };
        let offset = lengths.map_or_else(|| "0px".to_owned(), |lengths| lengths.css(grid));
        (own.filter(|_| !at_start).unwrap_or("start"), offset)
    }

    /// Returns the declarations that place a layer on the grid in the middle of its slider, or on the slide.
    fn place(&self, grid: &Grid, place: Place) -> String {
        let (x, dx) = self.axis(["x", "xo"], ["data-x", "data-hoffset"], grid);
        let (y, dy) = self.axis(["y", "yo"], ["data-y", "data-voffset"], grid);
        let is_on_slide = place == Place::Group || self.element.attr("data-basealign") == Some("slide");
        let (wide, _) = grid.widths();
        let (start, top) = if is_on_slide {
            (dx.clone(), dy.clone())
        } else {
            let top = match grid.height().filter(|_| grid.is_fullscreen) {
                Some(height) => format!("calc(50% - {}px + {dy})", height / 2.0),
                None => dy.clone(),
            };
            (format!("calc(50% - min({}px, 50vw) + {dx})", wide / 2.0), top)
        };
        let (horizontal, tx) = match x {
            "c" | "center" => (format!("left: calc(50% + {dx}); right: auto"), "-50%"),
            "r" | "right" => (format!("right: {start}; left: auto"), "0"),
            _ => (format!("left: {start}; right: auto"), "0"),
        };
        let (vertical, ty) = match y {
            "m" | "c" | "middle" | "center" => (format!("top: calc(50% + {dy}); bottom: auto"), "-50%"),
            "b" | "bottom" => (format!("bottom: {top}; top: auto"), "0"),
            _ => (format!("top: {top}; bottom: auto"), "0"),
        };
        let wraps = self.first("data-text", "w").or_else(|| self.first("data-whitespace", ""));
        let white_space = wraps.filter(|own| matches!(*own, "normal" | "nowrap")).unwrap_or("nowrap");
        let width = match self.lengths("data-dim", "w").is_some() || self.lengths("data-width", "").is_some() {
            true => "",
            false => "; width: max-content",
        };
        let moved = if tx == "0" && ty == "0" { "none".to_owned() } else { format!("translate({tx}, {ty})") };
        format!("; position: absolute; {horizontal}; {vertical}; transform: {moved}; white-space: {white_space}{width}")
    }
}
