//! Pictures of design tokens. Everything drawn is a number that was parsed here; a value that only CSS can draw is passed
//! on as text, for a script to apply.

/// A picture of a token, drawn in a box of 120 × 64.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Mark {
    None,
    /// A specimen in this size, weight, family and tracking; empty texts are left out.
    Type {
        size: String,
        weight: String,
        family: String,
        tracking: String,
    },
    /// Two lines of text at this distance.
    Lines {
        distance: String,
    },
    /// A bar of a length out of 112.
    Bar {
        length: String,
    },
    /// A corner of a radius.
    Corner {
        radius: String,
    },
    /// A line of a width.
    Stroke {
        width: String,
    },
    /// An opacity from 0 to 1.
    Opacity {
        share: String,
    },
    /// An easing as a curve, from the lower left to the upper right of 60 × 60.
    Curve {
        path: String,
    },
    /// A value of `property`, which a script applies.
    Style {
        property: &'static str,
        value: String,
    },
}

/// The largest specimen, bar, corner, line and distance that fit, in pixels.
const MAX_TYPE: f64 = 54.0;
const MAX_BAR: f64 = 112.0;
const MAX_CORNER: f64 = 54.0;
const MAX_STROKE: f64 = 24.0;
const MAX_DISTANCE: f64 = 40.0;
/// Size of the text whose line height is shown.
const LINE_TEXT: f64 = 16.0;
/// Maximum number of steps and points of an easing.
const MAX_POINTS: usize = 60;

impl Mark {
    /// Returns the picture of a value of a group. `largest` is the greatest number in the group.
    pub(super) fn new(group: &str, value: &str, largest: f64) -> Self {
        let length = quantity(value);
        let of_length = |mark: fn(f64) -> Self| length.map_or(Self::None, mark);
        match group {
            "fontSizes" => of_length(|size| Self::specimen(size, "", "", "")),
            "fontWeights" if is_weight(value) => Self::specimen(32.0, value, "", ""),
            "fontFamilies" => Self::specimen(32.0, "", value, ""),
            "letterSpacings" if length.is_some() && !value.contains(['%', '(']) => Self::specimen(24.0, "", "", value),
            "lineHeights" => of_length(|height| {
                // A number is a multiple of the font's size.
                let height = if height < 5.0 { height * LINE_TEXT } else { height };
                Self::Lines { distance: short(height.clamp(0.0, MAX_DISTANCE)) }
            }),
            "spacing" | "durations" | "breakpoints" => match length {
                Some(length) if largest > 0.0 => {
                    Self::Bar { length: short((MAX_BAR * length / largest).clamp(0.0, MAX_BAR)) }
                }
                _ => Self::None,
            },
            "borderRadiuses" if value.ends_with('%') => Self::Corner { radius: short(MAX_CORNER / 2.0) },
            "borderRadiuses" => of_length(|radius| Self::Corner { radius: short(radius.clamp(0.0, MAX_CORNER)) }),
            "borderWidths" => of_length(|width| Self::Stroke { width: short(width.clamp(0.0, MAX_STROKE)) }),
            "opacities" => of_length(|share| Self::Opacity { share: short(share.clamp(0.0, 1.0)) }),
            "easings" => curve(value).map_or(Self::None, |path| Self::Curve { path }),
            "boxShadows" => Self::style("boxShadow", value),
            "textShadows" => Self::style("textShadow", value),
            "gradients" => Self::style("backgroundImage", value),
            _ => Self::None,
        }
    }

    /// Returns a specimen of a text style; parts that are not understood are left out.
    pub(super) fn text(size: &str, weight: &str, family: &str) -> Self {
        let weight = if is_weight(weight) { weight } else { "" };
        quantity(size).map_or(Self::None, |size| Self::specimen(size, weight, family, ""))
    }

    fn specimen(size: f64, weight: &str, family: &str, tracking: &str) -> Self {
        let [weight, family, tracking] = [weight, family, tracking].map(str::to_owned);
        Self::Type { size: short(size.clamp(0.0, MAX_TYPE)), weight, family, tracking }
    }

    /// Values that would load something are not applied.
    fn style(property: &'static str, value: &str) -> Self {
        let loads = ["url", "image", "element", "src"].iter().any(|function| value.contains(&format!("{function}(")));
        if loads { Self::None } else { Self::Style { property, value: value.to_owned() } }
    }
}

fn is_weight(value: &str) -> bool {
    matches!(value, "normal" | "bold" | "bolder" | "lighter") || value.parse::<u16>().is_ok()
}

/// Returns a length in pixels (`rem` and `em` are 16), a duration in milliseconds, or a number.
pub(super) fn quantity(value: &str) -> Option<f64> {
    let digits = value.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-' | '+'))).unwrap_or(value.len());
    let (number, unit) = value.split_at(digits);
    let factor = match unit {
        "" | "px" | "ms" => 1.0,
        "rem" | "em" => 16.0,
        "pt" => 96.0 / 72.0,
        "s" => 1_000.0,
        "%" => 0.16,
        _ => return None,
    };
    number.parse::<f64>().ok().map(|number| number * factor).filter(|number| number.is_finite())
}

fn short(number: f64) -> String {
    let hundredths = (number * 100.0).round() / 100.0;
    // No negative zero.
    (hundredths + 0.0).to_string()
}

/// Returns the path of an easing (CSS Easing Functions 2).
fn curve(value: &str) -> Option<String> {
    let bezier = |[x1, y1, x2, y2]: [f64; 4]| {
        let point = |x: f64, y: f64| place(x.clamp(0.0, 1.0), y);
        format!("M0 60C{} {} 60 0", point(x1, y1), point(x2, y2))
    };
    Some(match value.trim() {
        "linear" => "M0 60L60 0".to_owned(),
        "ease" => bezier([0.25, 0.1, 0.25, 1.0]),
        "ease-in" => bezier([0.42, 0.0, 1.0, 1.0]),
        "ease-out" => bezier([0.0, 0.0, 0.58, 1.0]),
        "ease-in-out" => bezier([0.42, 0.0, 0.58, 1.0]),
        "step-start" => steps(1, "jump-start"),
        "step-end" => steps(1, "jump-end"),
        other => {
            let (name, arguments) = other.strip_suffix(')')?.split_once('(')?;
            let arguments: Vec<&str> = arguments.split(',').map(str::trim).collect();
            match name {
                "cubic-bezier" => {
                    let numbers: Vec<f64> = arguments.iter().filter_map(|text| text.parse().ok()).collect();
                    bezier(numbers.try_into().ok().filter(|numbers: &[f64; 4]| numbers.iter().all(|n| n.abs() < 10.0))?)
                }
                "steps" => {
                    let count = arguments.first()?.parse().ok().filter(|count| (1..=MAX_POINTS).contains(count))?;
                    steps(count, arguments.get(1).unwrap_or(&"jump-end"))
                }
                "linear" => points(&arguments)?,
                _ => return None,
            }
        }
    })
}

fn place(x: f64, y: f64) -> String {
    format!("{} {}", short(60.0 * x), short(60.0 - 60.0 * y.clamp(-1.0, 2.0)))
}

fn steps(count: usize, position: &str) -> String {
    let starts_high = matches!(position, "start" | "jump-start" | "jump-both");
    let jumps = match position {
        "jump-none" => count.saturating_sub(1),
        "jump-both" => count + 1,
        _ => count,
    };
    let height = |step: usize| (step + usize::from(starts_high)) as f64 / jumps.max(1) as f64;
    let mut path = format!("M{}", place(0.0, height(0)));
    for step in 0..count {
        let at = |offset: usize| (step + offset) as f64 / count as f64;
        path.push_str(&format!("L{}L{}", place(at(0), height(step)), place(at(1), height(step))));
    }
    path
}

/// Returns the path of `linear()`. Points without a place are spread evenly.
fn points(arguments: &[&str]) -> Option<String> {
    if !(2..=MAX_POINTS).contains(&arguments.len()) {
        return None;
    }
    let last = (arguments.len() - 1) as f64;
    let mut path = String::new();
    for (index, argument) in arguments.iter().enumerate() {
        let mut parts = argument.split_whitespace();
        let y: f64 = parts.next()?.parse().ok()?;
        let x = parts.next().and_then(|share| share.strip_suffix('%')?.parse::<f64>().ok());
        let x = x.map_or(index as f64 / last, |share| share / 100.0);
        path.push_str(&format!("{}{}", if index == 0 { 'M' } else { 'L' }, place(x.clamp(0.0, 1.0), y)));
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_with_a_look_has_a_picture() {
        let largest = 96.0;
        for (group, value, expected) in [
            ("spacing", "1.5rem", Mark::Bar { length: "28".to_owned() }),
            ("durations", "0.096s", Mark::Bar { length: "112".to_owned() }),
            ("borderRadiuses", "12px", Mark::Corner { radius: "12".to_owned() }),
            ("borderRadiuses", "9999px", Mark::Corner { radius: "54".to_owned() }),
            ("borderRadiuses", "50%", Mark::Corner { radius: "27".to_owned() }),
            ("borderWidths", "2px", Mark::Stroke { width: "2".to_owned() }),
            ("lineHeights", "1.5", Mark::Lines { distance: "24".to_owned() }),
            ("lineHeights", "28px", Mark::Lines { distance: "28".to_owned() }),
            ("opacities", "0.4", Mark::Opacity { share: "0.4".to_owned() }),
            (
                "boxShadows",
                "0 1px 2px #0003",
                Mark::Style { property: "boxShadow", value: "0 1px 2px #0003".to_owned() },
            ),
            ("spacing", "calc(1px + 1em)", Mark::None),
            ("zIndexes", "10", Mark::None),
            ("gradients", "image-set(url(https://a.test/x))", Mark::None),
        ] {
            assert_eq!(Mark::new(group, value, largest), expected, "{group} {value}");
        }
        let Mark::Type { size, .. } = Mark::new("fontSizes", "1.25rem", largest) else { panic!("a specimen") };
        assert_eq!(size, "20");
        assert!(matches!(Mark::new("fontWeights", "600\" onload=\"x", largest), Mark::None));
    }

    #[test]
    fn easings_are_curves() {
        for (value, path) in [
            ("linear", "M0 60L60 0"),
            ("ease-out", "M0 60C0 60 34.8 0 60 0"),
            ("cubic-bezier(0.3, 1.5, 0.7, 1)", "M0 60C18 -30 42 0 60 0"),
            ("steps(2)", "M0 60L0 60L30 60L30 30L60 30"),
            ("steps(2, jump-start)", "M0 30L0 30L30 30L30 0L60 0"),
            ("linear(0, 0.5 25%, 1)", "M0 60L15 30L60 0"),
        ] {
            assert_eq!(curve(value).as_deref(), Some(path), "{value}");
        }
        for value in ["", "cubic-bezier(1, 2)", "steps(0)", "steps(1000000)", "linear(0)", "url(x)", "cubic-bezier(a"] {
            assert_eq!(curve(value), None, "{value}");
        }
    }
}
