//! `/brand` with `scope=all`: colour schemes, the contrast report and components. Drawn are only colours in hex and
//! lengths that were parsed here.

use super::marks::quantity;
use super::{list, text};
use crate::view::color::{Swatch, hex};
use serde_json::{Map, Value};
use std::fmt::Write;

/// Maximum number of pairs of the contrast report shown; the JSON has all.
const MAX_PAIRS: usize = 60;
/// Kinds of components and their headings.
const KINDS: [(&str, &str); 4] = [("button", "Buttons"), ("input", "Inputs"), ("card", "Cards"), ("badge", "Badges")];
/// The largest border and corner that a sample shows, in pixels.
const MAX_LINE: f64 = 8.0;
const MAX_CORNER: f64 = 20.0;

/// The colours of a scheme that the page is not shown in.
pub(crate) struct Scheme {
    pub(crate) name: &'static str,
    pub(crate) roles: Vec<Swatch>,
    pub(crate) palette: Vec<Swatch>,
}

/// The contrast report.
pub(crate) struct ContrastReport {
    pub(crate) failures: String,
    pub(crate) total: String,
    /// The number of elements with text on an image.
    pub(crate) on_images: Option<String>,
    pub(crate) pairs: Vec<ContrastPair>,
    pub(crate) more: usize,
}

/// A text colour on a background.
pub(crate) struct ContrastPair {
    pub(crate) text: String,
    pub(crate) background: String,
    pub(crate) ratio: String,
    pub(crate) aa: bool,
    pub(crate) aaa: bool,
    pub(crate) size: String,
    pub(crate) state: String,
    pub(crate) theme: String,
    pub(crate) elements: String,
    pub(crate) selector: String,
}

/// The looks of a kind of component.
pub(crate) struct ComponentKind {
    pub(crate) label: &'static str,
    pub(crate) looks: Vec<Look>,
}

/// A look of a component.
pub(crate) struct Look {
    /// Its class in the stylesheet.
    pub(crate) class: String,
    pub(crate) elements: String,
    pub(crate) selector: String,
    pub(crate) samples: Vec<Sample>,
}

/// A component in one state, drawn as a box with a text.
pub(crate) struct Sample {
    pub(crate) state: String,
    pub(crate) fill: String,
    pub(crate) line: String,
    pub(crate) line_width: String,
    pub(crate) radius: String,
    pub(crate) ink: String,
}

/// A family of the brand's fonts.
pub(crate) struct FontFamily {
    pub(crate) name: String,
    pub(crate) facts: String,
    pub(crate) files: Vec<String>,
}

/// Returns the schemes whose colours are not those that the brand has anyway.
pub(super) fn schemes(brand: &Value) -> Vec<Scheme> {
    let differs = |theme: &Value| theme["colors"] != brand["colors"] || theme["palette"] != brand["palette"];
    let scheme = |name: &'static str| {
        let theme = Some(&brand["themes"][name]).filter(|theme| theme.is_object() && differs(theme))?;
        Some(Scheme { name, roles: super::brand::roles(theme), palette: super::brand::palette(&theme["palette"]) })
    };
    ["light", "dark"].into_iter().filter_map(scheme).collect()
}

/// Returns the contrast report, if there is one.
pub(super) fn contrast_report(report: &Value) -> Option<ContrastReport> {
    let pair = |pair: &Value| {
        Some(ContrastPair {
            text: hex(pair["text"].as_str()?)?,
            background: hex(pair["background"].as_str()?)?,
            ratio: format!("{:.2}", pair["ratio"].as_f64()?),
            aa: pair["aa"].as_bool()?,
            aaa: pair["aaa"].as_bool()?,
            size: text(&pair["size"]),
            state: text(&pair["state"]),
            theme: text(&pair["theme"]),
            elements: text(&pair["elements"]),
            selector: text(&pair["selector"]),
        })
    };
    report.is_object().then(|| ContrastReport {
        failures: text(&report["failures"]),
        total: text(&report["total"]),
        on_images: report["onImages"].as_u64().filter(|count| *count > 0).map(|_| counted(&report["onImages"])),
        more: list(&report["pairs"]).count().saturating_sub(MAX_PAIRS),
        pairs: list(&report["pairs"]).take(MAX_PAIRS).filter_map(pair).collect(),
    })
}

/// Returns the kinds of components that the page has.
pub(super) fn components(kinds: &Value) -> Vec<ComponentKind> {
    let look = |kind: &str, (index, look): (usize, &Value)| Look {
        class: class_of(kind, index),
        elements: counted(&look["count"]),
        selector: text(&look["selector"]),
        samples: samples(look),
    };
    let kind = |(name, label): (&str, &'static str)| ComponentKind {
        label,
        looks: list(&kinds[name]).enumerate().map(|item| look(name, item)).collect(),
    };
    KINDS.into_iter().map(kind).filter(|kind| !kind.looks.is_empty()).collect()
}

/// Returns the number of elements as text.
pub(super) fn counted(count: &Value) -> String {
    match count.as_u64() {
        Some(1) => "1 element".to_owned(),
        _ => format!("{} elements", text(count)),
    }
}

fn class_of(kind: &str, index: usize) -> String {
    if index == 0 { kind.to_owned() } else { format!("{kind}-{}", index + 1) }
}

/// Returns a look at rest, in each state, and in a dark scheme.
fn samples(look: &Value) -> Vec<Sample> {
    let none = Map::new();
    let rest = look["style"].as_object().unwrap_or(&none);
    let states = look["states"].as_object().into_iter().flatten();
    let dark = look["dark"].as_object().map(|changes| ("dark", changes));
    let changed = states.filter_map(|(name, changes)| Some((name.as_str(), changes.as_object()?))).chain(dark);
    std::iter::once(("rest", &none)).chain(changed).map(|(state, changes)| Sample::new(state, rest, changes)).collect()
}

impl Sample {
    fn new(state: &str, rest: &Map<String, Value>, changes: &Map<String, Value>) -> Self {
        let of = |property: &str| changes.get(property).or_else(|| rest.get(property)).and_then(Value::as_str);
        let color = |value: Option<&str>| value.and_then(hex).unwrap_or_else(|| "none".to_owned());
        let mut border = of("border").unwrap_or_default().split_whitespace();
        let width = border.next().and_then(quantity).unwrap_or_default().clamp(0.0, MAX_LINE);
        let radius = of("border-radius").and_then(quantity).unwrap_or_default().clamp(0.0, MAX_CORNER);
        Self {
            state: state.to_owned(),
            fill: color(of("background-color")),
            line: color(border.nth(1)),
            line_width: width.to_string(),
            radius: radius.to_string(),
            ink: color(of("color")),
        }
    }
}

/// Returns a stylesheet with a class for each look; empty without components.
pub(super) fn stylesheet(kinds: &Value) -> String {
    let mut sheet = String::new();
    for (kind, _) in KINDS {
        for (index, look) in list(&kinds[kind]).enumerate() {
            let class = class_of(kind, index);
            let rule = |selector: &str, style: &Value, indent: &str| {
                let all = style.as_object().into_iter().flatten();
                let lines: String = all.map(|(name, value)| format!("{indent}  {name}: {};\n", text(value))).collect();
                if lines.is_empty() { lines } else { format!("{indent}{selector} {{\n{lines}{indent}}}\n") }
            };
            sheet.push_str(&rule(&format!(".{class}"), &look["style"], ""));
            for (state, changes) in look["states"].as_object().into_iter().flatten() {
                sheet.push_str(&rule(&format!(".{class}:{state}"), changes, ""));
            }
            let dark = rule(&format!(".{class}"), &look["dark"], "  ");
            if !dark.is_empty() {
                let _ = write!(sheet, "@media (prefers-color-scheme: dark) {{\n{dark}}}\n");
            }
        }
    }
    sheet
}

/// Returns the families with their origin, weights and files.
pub(super) fn families(families: &Value) -> Vec<FontFamily> {
    let family = |family: &Value| {
        let words = |field: &str| list(&family[field]).map(text).collect::<Vec<_>>().join(", ");
        let facts = [words("roles"), text(&family["origin"]), words("weights")];
        FontFamily {
            name: text(&family["family"]),
            facts: facts.into_iter().filter(|fact| !fact.is_empty()).collect::<Vec<_>>().join(" · "),
            files: list(&family["files"]).filter_map(|file| super::link(file.as_str()?)).collect(),
        }
    };
    list(families).map(family).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn component_is_drawn_in_each_state_and_written_as_a_stylesheet() {
        let kinds = json!({ "button": [
            { "count": 2, "selector": ".btn",
              "style": { "background-color": "#D9622B", "border": "1px solid #e7ddcc", "border-radius": "999px", "color": "#ffffff" },
              "states": { "hover": { "background-color": "#b54a18" } }, "dark": { "color": "#000000" } },
            { "count": 1, "selector": "a", "style": { "color": "url(x)", "border-radius": "calc(1px)" } },
        ], "input": [], "card": "x" });
        let [buttons] = &components(&kinds)[..] else { panic!("one kind") };
        let [first, second] = &buttons.looks[..] else { panic!("two looks") };
        assert_eq!((first.class.as_str(), first.elements.as_str()), ("button", "2 elements"));
        let drawn: Vec<_> = first
            .samples
            .iter()
            .map(|sample| [&sample.state, &sample.fill, &sample.line, &sample.line_width, &sample.radius, &sample.ink])
            .collect();
        let expected = [
            ["rest", "#d9622b", "#e7ddcc", "1", "20", "#ffffff"],
            ["hover", "#b54a18", "#e7ddcc", "1", "20", "#ffffff"],
            ["dark", "#d9622b", "#e7ddcc", "1", "20", "#000000"],
        ];
        assert_eq!(drawn, expected);
        let plain = &second.samples[0];
        assert_eq!((plain.fill.as_str(), plain.ink.as_str(), plain.radius.as_str()), ("none", "none", "0"));
        let sheet = stylesheet(&kinds);
        assert!(sheet.contains(".button:hover {\n  background-color: #b54a18;\n}\n"), "{sheet}");
        let dark = "@media (prefers-color-scheme: dark) {\n  .button {\n    color: #000000;\n  }\n}\n.button-2 {\n";
        assert!(sheet.contains(dark), "{sheet}");
        assert_eq!(stylesheet(&json!(null)), "");
    }

    #[test]
    fn only_schemes_with_other_colours_are_shown() {
        let theme = |primary: &str| json!({ "colors": { "primary": primary }, "palette": [] });
        let mut brand = theme("#111111");
        brand["themes"] = json!({ "light": theme("#111111"), "dark": theme("#eeeeee") });
        let shown = schemes(&brand);
        assert_eq!(
            shown.iter().map(|scheme| (scheme.name, &*scheme.roles[0].hex)).collect::<Vec<_>>(),
            [("dark", "#eeeeee")]
        );
        brand["themes"]["dark"] = Value::Null;
        assert!(schemes(&brand).is_empty());
    }

    #[test]
    fn report_of_contrast_is_cut_and_has_plain_colours_only() {
        let pair = |color: &str| {
            json!({ "text": color, "background": "#ffffff", "ratio": 3.5, "aa": false, "aaa": false, "size": "normal",
                "state": "hover", "theme": "light", "elements": 1, "characters": 2, "selector": "p" })
        };
        let mut pairs = vec![pair("#888888"); MAX_PAIRS + 2];
        pairs[0] = pair("red");
        let report = json!({ "failures": 62, "total": 70, "onImages": 0, "pairs": pairs });
        let report = contrast_report(&report).unwrap();
        assert_eq!((report.pairs.len(), report.more, &report.on_images), (MAX_PAIRS - 1, 2, &None));
        assert_eq!((report.pairs[0].ratio.as_str(), report.pairs[0].state.as_str()), ("3.50", "hover"));
        assert!(contrast_report(&Value::Null).is_none());
    }
}
