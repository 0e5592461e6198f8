//! Writes linear gradients of two or three colours: `bg-linear-to-r from-sky-500 to-indigo-500`.

use super::color::suffix as color_suffix;
use super::parse_value::{degrees, function, is_integer, percent, plain, split_commas, split_spaces};
use super::utility::Utility;
use limner_css_values::color::{self, Scheme, Space};

/// A colour stop.
#[derive(Clone, Copy)]
struct Stop<'v> {
    color: &'v str,
    at: Option<f64>,
}

/// Returns the utilities of an image that is one such gradient. `None` unless it is interpolated in
/// Oklab, Tailwind's default, or in sRGB between colours that are names or digits.
pub(super) fn utilities(image: &str) -> Option<Vec<Utility>> {
    let (_, arguments) = function(image).filter(|(name, _)| name.eq_ignore_ascii_case("linear-gradient"))?;
    let parts = split_commas(arguments);
    let first = split_spaces(parts.first()?);
    let way = direction(&first);
    let stops: Vec<Stop<'_>> =
        parts[usize::from(way.is_some())..].iter().map(|part| stop(part)).collect::<Option<_>>()?;
    let (direction, space) = way.unwrap_or(("to-b".to_owned(), None));
    let modifier = match space {
        Some("oklab") => "",
        Some("srgb") => "/srgb",
        Some(_) => return None,
        None if stops.iter().all(|stop| is_legacy(stop.color)) => "/srgb",
        None if stops.iter().any(|stop| is_modern(stop.color)) => "",
        None => return None,
    };
    let suffixes: Vec<String> = stops.iter().map(|stop| color_suffix(stop.color)).collect::<Option<_>>()?;
    let is_readable = |suffix: &String| !suffix.starts_with('[') || suffix.starts_with("[#");
    if modifier == "/srgb" && !suffixes.iter().all(is_readable) {
        return None;
    }
    let mut all =
        vec![Utility::new(format!("bg-linear-{direction}{modifier}"), &["--tw-gradient-position", "background-image"])];
    let places: &[(&str, f64)] = match stops.len() {
        2 => &[("from", 0.0), ("to", 100.0)],
        3 => &[("from", 0.0), ("via", 50.0), ("to", 100.0)],
        _ => return None,
    };
    // A middle stop without position is half-way between the two others.
    let ends = [stops.first()?, stops.last()?].map(|stop| stop.at);
    let is_middle = ends[0].is_none_or(|at| at == 0.0) && ends[1].is_none_or(|at| at == 100.0);
    for ((stop, suffix), (root, usual)) in stops.iter().zip(suffixes).zip(places) {
        if *root == "via" && stop.at.is_none() && !is_middle {
            return None;
        }
        all.push(Utility::new(format!("{root}-{suffix}"), color_properties(root)));
        if let Some(at) = stop.at.filter(|at| at != usual) {
            all.push(Utility::new(format!("{root}-{}%", plain(at)), position_properties(root)));
        }
    }
    Some(all)
}

fn color_properties(root: &str) -> &'static [&'static str] {
    match root {
        "from" => &["--tw-gradient-from", "--tw-gradient-stops"],
        "via" => &["--tw-gradient-via", "--tw-gradient-via-stops", "--tw-gradient-stops"],
        _ => &["--tw-gradient-to", "--tw-gradient-stops"],
    }
}

fn position_properties(root: &str) -> &'static [&'static str] {
    match root {
        "from" => &["--tw-gradient-from-position"],
        "via" => &["--tw-gradient-via-position"],
        _ => &["--tw-gradient-to-position"],
    }
}

/// Returns the direction as the suffix of a utility, and the interpolation colour space.
fn direction<'v>(words: &[&'v str]) -> Option<(String, Option<&'v str>)> {
    let (direction, space) = match words {
        [direction @ .., "in", space] => (direction, Some(*space)),
        direction => (direction, None),
    };
    let sides = |sides: &[&str]| {
        let has = |side: &str| sides.contains(&side);
        let vertical = if has("top") {
            "t"
        } else if has("bottom") {
            "b"
        } else {
            ""
        };
        let horizontal = if has("left") {
            "l"
        } else if has("right") {
            "r"
        } else {
            ""
        };
        format!("to-{vertical}{horizontal}")
    };
    let direction = match direction {
        [] if space.is_some() => "to-b".to_owned(),
        ["to", rest @ ..] if (1..=2).contains(&rest.len()) => sides(rest),
        [angle] => match degrees(angle).filter(|angle| is_integer(*angle) && (0.0..360.0).contains(angle))? {
            0.0 => "to-t".to_owned(),
            90.0 => "to-r".to_owned(),
            180.0 => "to-b".to_owned(),
            270.0 => "to-l".to_owned(),
            angle => plain(angle),
        },
        _ => return None,
    };
    Some((direction, space))
}

fn stop(part: &str) -> Option<Stop<'_>> {
    match split_spaces(part).as_slice() {
        [color] if is_color(color) => Some(Stop { color, at: None }),
        [color, at] if is_color(color) => {
            let at = percent(at).filter(|at| is_integer(*at) && (0.0..=100.0).contains(at))?;
            Some(Stop { color, at: Some(at) })
        }
        _ => None,
    }
}

fn is_color(text: &str) -> bool {
    color::parse(text, Scheme::Light).is_some()
}

/// Returns true for colours whose gradients are interpolated in sRGB by default.
fn is_legacy(text: &str) -> bool {
    color::parse(text, Scheme::Light)
        .is_some_and(|color| matches!(color.space(), Space::Legacy | Space::Hsl | Space::Hwb))
}

/// Returns true for colours whose gradients are interpolated in Oklab by default.
fn is_modern(text: &str) -> bool {
    text.starts_with("oklch(") || text.starts_with("oklab(")
}

#[cfg(test)]
mod tests {
    use super::utilities;

    #[test]
    fn theme_gradients_become_named_utilities() {
        for (image, expected) in [
            (
                "linear-gradient(to right in oklab, oklch(97.7% 0.013 236.62) 0%, #fff 50%, oklch(62.3% 0.214 259.815) 100%)",
                Some("bg-linear-to-r from-sky-50 via-white to-blue-500"),
            ),
            (
                "linear-gradient(to bottom right in oklab, #123456 10%, transparent)",
                Some("bg-linear-to-br from-[#123456] from-10% to-transparent"),
            ),
            ("linear-gradient(#fff, #000)", Some("bg-linear-to-b/srgb from-white to-black")),
            (
                "linear-gradient(45deg, rgb(0 0 0 / 0.5), transparent)",
                Some("bg-linear-45/srgb from-black/50 to-transparent"),
            ),
            ("linear-gradient(0.3turn, #fff, #000)", Some("bg-linear-108/srgb from-white to-black")),
            ("linear-gradient(180deg, #123456, #000)", Some("bg-linear-to-b/srgb from-[#123456] to-black")),
            ("linear-gradient(90deg, #fff, #000)", Some("bg-linear-to-r/srgb from-white to-black")),
            ("linear-gradient(to left in hsl, #fff, #000)", None),
            ("linear-gradient(#fff 10%, #000, #fff)", None),
            ("linear-gradient(#fff, 30%, #000)", None),
            ("linear-gradient(#fff 10px, #000)", None),
            ("linear-gradient(#fff 10% 20%, #000)", None),
            ("linear-gradient(#fff, #000), linear-gradient(#fff, #000)", None),
            ("radial-gradient(#fff, #000)", None),
        ] {
            let found =
                utilities(image).map(|all| all.iter().map(|own| own.class.as_str()).collect::<Vec<_>>().join(" "));
            assert_eq!(found.as_deref(), expected, "{image}");
        }
    }
}
