//! Converts values to those of the Design Tokens Format Module 2025.10 (sections 8 and 9).

use super::VENDOR;
use crate::value::{distribute_stops, length};
use crate::value_counter::{Border, ElementStyle, Transition};
use limner_style::color::{Color, Scheme, Space, color_from_component, parse};
use limner_style::property::Longhand;
use limner_style::value::{Component, parse_components, split_commas};
use limner_types::result::{BreakpointUsage, TokenKind};
use serde_json::{Map, Number, Value, json};

/// A token without its usage.
pub(super) struct DtcgToken {
    kind: &'static str,
    value: Value,
    /// The CSS value, if the token is less precise.
    css: Option<String>,
}

impl DtcgToken {
    fn plain(kind: &'static str, value: Value) -> Self {
        Self { kind, value, css: None }
    }

    /// Returns the token as another name of the token that `reference` refers to.
    pub(super) fn into_alias(self, reference: &str) -> Self {
        Self { value: reference.into(), css: None, ..self }
    }

    /// Returns the token as a JSON object; `own` is extension data.
    pub(super) fn into_value(self, mut own: Map<String, Value>) -> Value {
        if let Some(css) = self.css {
            own.insert("css".to_owned(), css.into());
        }
        let mut token = Map::new();
        token.insert("$type".to_owned(), self.kind.into());
        token.insert("$value".to_owned(), self.value);
        if !own.is_empty() {
            token.insert("$extensions".to_owned(), json!({ VENDOR: own }));
        }
        Value::Object(token)
    }
}

/// Returns the token of a value; `None` if the format has no type for it.
pub(super) fn token(kind: TokenKind, value: &str) -> Option<DtcgToken> {
    match kind {
        TokenKind::Colors => Some(DtcgToken::plain("color", color(&parse(value, Scheme::Light)?)?)),
        TokenKind::FontSizes
        | TokenKind::LetterSpacings
        | TokenKind::Spacing
        | TokenKind::BorderRadiuses
        | TokenKind::BorderWidths => Some(DtcgToken::plain("dimension", dimension(value)?)),
        TokenKind::LineHeights => match number(value) {
            Some(number) => Some(DtcgToken::plain("number", number)),
            None => Some(DtcgToken::plain("dimension", dimension(value)?)),
        },
        TokenKind::Opacities | TokenKind::ZIndexes => Some(DtcgToken::plain("number", number(value)?)),
        TokenKind::FontFamilies => families(value),
        TokenKind::FontWeights => weight(value),
        TokenKind::BoxShadows | TokenKind::TextShadows => Some(DtcgToken::plain("shadow", shadow(value)?)),
        TokenKind::Gradients => gradient(value),
        TokenKind::Durations => Some(DtcgToken::plain("duration", with_unit(value, &["ms"])?)),
        TokenKind::Easings => easing(value),
    }
}

/// Returns a breakpoint with its usage.
pub(super) fn breakpoint(width: &str, usage: &BreakpointUsage) -> Option<Value> {
    let mut own = Map::new();
    own.insert("count".to_owned(), usage.count.into());
    own.insert("type".to_owned(), json!(usage.bound));
    own.insert("query".to_owned(), usage.query.clone().into());
    Some(DtcgToken::plain("dimension", dimension(width)?).into_value(own))
}

/// Returns the composite token of a text style; `None` if the format does not support one of its values.
pub(super) fn typography(style: &ElementStyle) -> Option<Value> {
    let size = dimension(style.value(Longhand::FontSize)?)?;
    let family = families(style.value(Longhand::FontFamily)?)?.value;
    let weight = match style.value(Longhand::FontWeight) {
        Some(weight) => number(weight)?,
        None => 400.into(),
    };
    let height = match style.value(Longhand::LineHeight) {
        Some(height) => number(height)?,
        None => return None,
    };
    let spacing = dimension(style.value(Longhand::LetterSpacing).unwrap_or("0"))?;
    let value = json!({
        "fontFamily": family, "fontSize": size, "fontWeight": weight, "lineHeight": height, "letterSpacing": spacing,
    });
    let own = Map::from_iter([("used".to_owned(), style.elements.into())]);
    Some(DtcgToken::plain("typography", value).into_value(own))
}

/// Returns the composite token of a border; `None` if the format does not support one of its values.
pub(super) fn border(border: &Border, used: usize) -> Option<Value> {
    let (width, color) = (dimension(&border.width)?, color(&parse(&border.color, Scheme::Light)?)?);
    let value = json!({ "color": color, "width": width, "style": border.style });
    let own = Map::from_iter([("used".to_owned(), used.into())]);
    Some(DtcgToken::plain("border", value).into_value(own))
}

/// Returns the composite token of a transition; `None` if the format does not support one of its values.
pub(super) fn transition(transition: &Transition, used: usize) -> Option<Value> {
    let time = |css: &str| with_unit(css, &["ms"]);
    let DtcgToken { value: curve, css: keyword, .. } = easing(&transition.easing)?;
    let value = json!({
        "duration": time(&transition.duration)?, "delay": time(&transition.delay)?, "timingFunction": curve,
    });
    let own = Map::from_iter([("used".to_owned(), used.into())]);
    Some(DtcgToken { css: keyword.map(|_| transition.css()), ..DtcgToken::plain("transition", value) }.into_value(own))
}

/// Rounds to six decimals, which are more than a byte or a screen can show.
fn rounded(value: f64) -> Option<Number> {
    let rounded = (value * 1e6).round() / 1e6;
    if rounded.fract() == 0.0 && rounded.abs() < 1e15 {
        Some(Number::from(rounded as i64))
    } else {
        Number::from_f64(rounded)
    }
}

fn number(value: &str) -> Option<Value> {
    rounded(value.parse().ok().filter(|number: &f64| number.is_finite())?).map(Value::Number)
}

fn dimension(value: &str) -> Option<Value> {
    if value == "0" {
        return Some(json!({ "value": 0, "unit": "px" }));
    }
    with_unit(value, &["px", "rem"])
}

fn with_unit(value: &str, units: &[&str]) -> Option<Value> {
    let digits = value.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-' | '+'))).unwrap_or(value.len());
    let (number, unit) = value.split_at(digits);
    let number = rounded(number.parse().ok().filter(|number: &f64| number.is_finite())?)?;
    units.contains(&unit).then(|| json!({ "value": number, "unit": unit }))
}

/// Returns the colour in its space if the format supports it, else in sRGB; always with a fallback in hex.
fn color(color: &Color) -> Option<Value> {
    let (space, components, alpha) = match wide_gamut_components(color) {
        Some(found) => found,
        None => in_srgb(color)?,
    };
    let mut value = Map::new();
    value.insert("colorSpace".to_owned(), space.into());
    value.insert("components".to_owned(), components.into());
    if alpha < 1.0 {
        value.insert("alpha".to_owned(), Value::Number(rounded(alpha)?));
    }
    value.insert("hex".to_owned(), color.to_hex().get(..7)?.into());
    Some(Value::Object(value))
}

/// Returns the colour that a component is.
fn paint(component: &Component) -> Option<Value> {
    color(&color_from_component(component, Scheme::Light, None)?)
}

type Components = (&'static str, Vec<Value>, f64);

fn in_srgb(color: &Color) -> Option<Components> {
    let ([r, g, b], alpha) = color.to_rgba();
    let components = [r, g, b].map(|byte| rounded(f64::from(byte) / 255.0).map(Value::Number));
    Some(("srgb", components.into_iter().collect::<Option<_>>()?, alpha))
}

/// Returns the components in spaces with a larger gamut than sRGB.
fn wide_gamut_components(color: &Color) -> Option<Components> {
    let space = match color.space() {
        Space::Oklch => "oklch",
        Space::Oklab => "oklab",
        Space::Lab => "lab",
        Space::Lch => "lch",
        Space::DisplayP3 => "display-p3",
        Space::A98Rgb => "a98-rgb",
        Space::ProphotoRgb => "prophoto-rgb",
        Space::Rec2020 => "rec2020",
        Space::SrgbLinear => "srgb-linear",
        Space::XyzD65 => "xyz-d65",
        Space::XyzD50 => "xyz-d50",
        _ => return None,
    };
    let components = color.components();
    let in_unit = |value: f64| value.is_nan() || (0.0..=1.0).contains(&value);
    let is_sayable = match space {
        "oklch" | "lch" | "oklab" | "lab" => true,
        _ => components.iter().all(|value| in_unit(*value)),
    };
    let say = |value: &f64| if value.is_nan() { Some(Value::from("none")) } else { rounded(*value).map(Value::Number) };
    let said: Vec<Value> = components.iter().map(say).collect::<Option<_>>()?;
    is_sayable.then_some((space, said, color.alpha()))
}

/// Returns names without quotes.
fn families(stack: &str) -> Option<DtcgToken> {
    let components = parse_components(stack)?;
    let mut names: Vec<Value> = Vec::new();
    let mut is_quoted_keyword = false;
    for part in split_commas(&components) {
        let name = match part {
            [Component::String(name)] => {
                is_quoted_keyword |=
                    name.eq_ignore_ascii_case("serif") || name.ends_with("-serif") || name.starts_with("ui-");
                name.to_string()
            }
            words => words.iter().map(Component::as_ident).collect::<Option<Vec<_>>>()?.join(" "),
        };
        // Such a name would be read as a reference.
        if name.starts_with('{') && name.ends_with('}') {
            return None;
        }
        names.push(name.into());
    }
    let css = is_quoted_keyword.then(|| stack.to_owned());
    (!names.is_empty()).then(|| DtcgToken { kind: "fontFamily", value: names.into(), css })
}

fn weight(value: &str) -> Option<DtcgToken> {
    let number = number(value)?;
    let fits = number.as_f64().is_some_and(|weight| (1.0..=1000.0).contains(&weight));
    fits.then(|| DtcgToken::plain("fontWeight", number))
}

fn easing(value: &str) -> Option<DtcgToken> {
    let points: [f64; 4] = match value {
        "ease" => [0.25, 0.1, 0.25, 1.0],
        "linear" => [0.0, 0.0, 1.0, 1.0],
        "ease-in" => [0.42, 0.0, 1.0, 1.0],
        "ease-out" => [0.0, 0.0, 0.58, 1.0],
        "ease-in-out" => [0.42, 0.0, 0.58, 1.0],
        other => {
            let inner = other.strip_prefix("cubic-bezier(")?.strip_suffix(')')?;
            let points: Vec<f64> = inner.split(", ").map(str::parse).collect::<Result<_, _>>().ok()?;
            points.try_into().ok()?
        }
    };
    let in_range =
        [points[0], points[2]].iter().all(|x| (0.0..=1.0).contains(x)) && points.iter().all(|p| p.is_finite());
    let said: Vec<Value> = points.iter().map(|point| rounded(*point).map(Value::Number)).collect::<Option<_>>()?;
    let css = (!value.starts_with("cubic-bezier")).then(|| value.to_owned());
    in_range.then(|| DtcgToken { kind: "cubicBezier", value: said.into(), css })
}

/// Returns one layer, or a list of several.
fn shadow(value: &str) -> Option<Value> {
    let components = parse_components(value)?;
    let layers: Vec<Value> = split_commas(&components).into_iter().map(shadow_layer).collect::<Option<_>>()?;
    match <[Value; 1]>::try_from(layers) {
        Ok([only]) => Some(only),
        Err(layers) => Some(layers.into()),
    }
}

fn shadow_layer(layer: &[Component]) -> Option<Value> {
    let mut lengths = Vec::new();
    let mut color = None;
    let mut is_inset = false;
    for component in layer {
        match component {
            Component::Ident(word) if &**word == "inset" => is_inset = true,
            Component::Ident(_) => return None,
            other => match paint(other) {
                Some(found) => color = Some(found),
                None => lengths.push(dimension(&length(other)?)?),
            },
        }
    }
    let spread = if lengths.len() > 3 { lengths.pop() } else { dimension("0") };
    let [x, y, blur] = <[Value; 3]>::try_from(lengths).ok()?;
    let mut layer = json!({ "color": color?, "offsetX": x, "offsetY": y, "blur": blur, "spread": spread? });
    if is_inset {
        layer["inset"] = true.into();
    }
    Some(layer)
}

/// Returns the stops; type and geometry of the gradient stay in CSS.
fn gradient(value: &str) -> Option<DtcgToken> {
    let components = parse_components(value)?;
    let [function] = components.as_slice() else { return None };
    let (name, arguments) = function.as_function()?;
    if name.starts_with('-') {
        return None;
    }
    let is_conic = name.contains("conic");
    let parts = split_commas(arguments);
    let has_line = parts.first().is_some_and(|part| !part.iter().any(|component| paint(component).is_some()));
    let mut stops: Vec<(Value, Option<f64>)> = Vec::new();
    for part in &parts[usize::from(has_line)..] {
        let [first, places @ ..] = *part else { return None };
        let paint = paint(first)?;
        let places: Vec<f64> = places.iter().map(|place| position(place, is_conic)).collect::<Option<_>>()?;
        if places.is_empty() {
            stops.push((paint, None));
        } else {
            stops.extend(places.into_iter().map(|place| (paint.clone(), Some(place))));
        }
    }
    let given: Vec<Option<f64>> = stops.iter().map(|(_, place)| *place).collect();
    let places = distribute_stops(&given, 1.0);
    if stops.is_empty() || !places.iter().all(|place| (0.0..=1.0).contains(place)) {
        return None;
    }
    let say = |((paint, _), place): (&(Value, Option<f64>), f64)| {
        Some(json!({ "color": paint, "position": rounded(place)? }))
    };
    let said: Vec<Value> = stops.iter().zip(places).map(say).collect::<Option<_>>()?;
    Some(DtcgToken { kind: "gradient", value: said.into(), css: Some(value.to_owned()) })
}

/// Returns the position of a stop as a share of the gradient line; `None` for lengths.
fn position(component: &Component, is_conic: bool) -> Option<f64> {
    match component {
        Component::Percentage(value) => Some(value / 100.0),
        Component::Dimension { value, unit } => match &**unit {
            _ if *value == 0.0 => Some(0.0),
            "deg" if is_conic => Some(value / 360.0),
            "turn" if is_conic => Some(*value),
            _ => None,
        },
        _ => None,
    }
}
