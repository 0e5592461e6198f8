//! Writes colours as the suffix of a utility: `white`, `sky-600`, `black/50`, `[#1a2b3c]`.

use super::arbitrary::arbitrary;
use super::palette::{FAMILIES, SHADES, VERSION_3};
use super::parse_value::{is_integer, plain, variable_name};
use limner_css_values::color::difference::{Lab, ciede2000};
use limner_css_values::color::{self, Color, Scheme, Space};
use limner_css_values::value::{Component, parse_components, serialize_authored, split_commas};
use std::collections::HashMap;
use std::sync::LazyLock;

/// Theme shades inside the sRGB gamut, by their hexadecimal colour.
static BY_HEX: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    let mut names =
        HashMap::from([("#000000".to_owned(), "black".to_owned()), ("#ffffff".to_owned(), "white".to_owned())]);
    for (family, shades) in FAMILIES {
        for (shade, components) in SHADES.iter().zip(shades) {
            if let Some(color) = oklch(components).filter(is_in_srgb) {
                names.entry(color.to_hex()).or_insert_with(|| format!("{family}-{shade}"));
            }
        }
    }
    // What an author of version 3 called by the name stays so, unless version 4 shifted the shade too far.
    for (family, shades) in VERSION_3 {
        let of_version_4 = FAMILIES.iter().find(|(name, _)| name == family);
        let pairs = SHADES.iter().zip(shades).zip(of_version_4.iter().flat_map(|(_, shades)| shades));
        for ((shade, color), components) in pairs {
            let hex = format!("#{color:06x}");
            let shift = color::parse(&hex, Scheme::Light)
                .zip(oklch(components))
                .map(|(old, new)| ciede2000(lab(&old), lab(&new)));
            if shift.is_some_and(|shift| shift <= MAX_SHIFT) {
                names.entry(hex).or_insert_with(|| format!("{family}-{shade}"));
            }
        }
    }
    names
});

/// The largest CIEDE2000 difference at which a colour takes the name of a shade: the eye does not tell the two apart.
const NOTICEABLE: f64 = 1.0;

/// The largest difference between a shade of version 3 and that of the same name in version 4 at which the name stands for
/// both.
const MAX_SHIFT: f64 = 2.0;

/// Families that early releases of v4 lack. They name their own colours only, not similar ones.
const LATE_FAMILIES: &[&str] = &["mauve", "olive", "mist", "taupe"];

/// Theme colours with their CIE Lab components.
static IN_LAB: LazyLock<Vec<(String, Lab)>> = LazyLock::new(|| {
    let families = FAMILIES.iter().filter(|(family, _)| !LATE_FAMILIES.contains(family));
    let shades = families.flat_map(|(family, shades)| {
        let named = SHADES.iter().zip(shades);
        named.filter_map(move |(shade, components)| Some((format!("{family}-{shade}"), lab(&oklch(components)?))))
    });
    let ends = [("white".to_owned(), [100.0, 0.0, 0.0]), ("black".to_owned(), [0.0; 3])];
    ends.into_iter().chain(shades).collect()
});

fn lab(color: &Color) -> Lab {
    color.to_space(Space::Lab).components().map(|component| if component.is_nan() { 0.0 } else { component })
}

/// Returns the theme colour nearest to an opaque colour, if the eye does not tell them apart.
fn nearest_name(color: &Color) -> Option<String> {
    let own = lab(color);
    let near = IN_LAB.iter().filter(|(_, theme)| (theme[0] - own[0]).abs() < 2.0 * NOTICEABLE);
    let differences = near.map(|(name, theme)| (ciede2000(own, *theme), name));
    let (difference, name) = differences.min_by(|(one, _), (other, _)| one.total_cmp(other))?;
    (difference <= NOTICEABLE).then(|| name.clone())
}

/// Returns true for colours that draw nothing.
pub(super) fn is_transparent(value: &str) -> bool {
    parsed(value).is_some_and(|color| color.alpha() <= 0.0)
}

/// Returns the family of the theme that an opaque colour is nearest to.
pub(super) fn family(value: &str) -> Option<&'static str> {
    let own = lab(&parsed(value)?);
    let differences = IN_LAB.iter().map(|(name, theme)| (ciede2000(own, *theme), name));
    let (_, name) = differences.min_by(|(one, _), (other, _)| one.total_cmp(other))?;
    let (lightness, _) = lightness_and_chroma(value)?;
    Some(match name.split('-').next().unwrap_or(name) {
        // The eye sees no hue in what is nearly white or black.
        "white" => "paper",
        "black" => "ink",
        _ if lightness >= 0.94 => "paper",
        _ if lightness <= 0.22 => "ink",
        family => family,
    })
}

/// Returns the lightness, from 0 to 1, and the chroma of a colour.
pub(super) fn lightness_and_chroma(value: &str) -> Option<(f64, f64)> {
    let [lightness, chroma, _] = parsed(value)?.to_space(Space::Oklch).components();
    Some((lightness, if chroma.is_nan() { 0.0 } else { chroma }))
}

/// Returns the suffix for a colour. `None` if the value cannot be part of a class.
pub(super) fn suffix(value: &str) -> Option<String> {
    let value = value.trim();
    match value.to_ascii_lowercase().as_str() {
        "currentcolor" => return Some("current".into()),
        "transparent" => return Some("transparent".into()),
        "inherit" => return Some("inherit".into()),
        _ => {}
    }
    let (pure, share) = mixed_with_transparent(value).unwrap_or_else(|| (value.to_owned(), 1.0));
    if let Some((name, opacity)) = variable_name(&pure).zip(opacity(share, false)) {
        return Some(if share == 1.0 { format!("({name})") } else { format!("({name})/{opacity}") });
    }
    if pure.eq_ignore_ascii_case("currentcolor")
        && let Some(opacity) = opacity(share, false)
    {
        return Some(if share == 1.0 { "current".to_owned() } else { format!("current/{opacity}") });
    }
    if is_context_independent(&pure)
        && let Some(color) = parsed(&pure).map(|color| color.with_scaled_alpha(share))
    {
        if let Some(named) = theme_color_name(&color) {
            return Some(named);
        }
        // Build tools write `lab()`, people do not.
        let is_computed = color.space() == Space::Lab && is_in_srgb(&color);
        if is_legacy(&color) || is_computed {
            return Some(format!("[{}]", short_hex(&color)));
        }
    }
    arbitrary(value).map(|text| format!("[{text}]"))
}

/// Parses a literal colour. `color-mix()` with other colours stays as it is.
fn parsed(text: &str) -> Option<Color> {
    let color = color::parse(text, Scheme::Light)?;
    Some(if text.starts_with("color(") { quantized_to_bytes(color) } else { color })
}

/// Converts an sRGB colour with components from 0 to 1, as `color-mix()` computes them, to bytes if
/// it is exactly one.
fn quantized_to_bytes(color: Color) -> Color {
    let bytes = color.components().map(|part| part * 255.0);
    let is_exact = |byte: &f64| (byte - byte.round()).abs() < 1e-3 && (0.0..=255.0).contains(&byte.round());
    if color.space() != Space::Srgb || !bytes.iter().all(is_exact) {
        return color;
    }
    let [red, green, blue] = bytes.map(f64::round);
    color::parse(&format!("rgba({red}, {green}, {blue}, {})", color.alpha()), Scheme::Light).unwrap_or(color)
}

/// Returns the colour and its share in a `color-mix()` with `transparent`. In any colour space that
/// is the same colour with a lower opacity.
fn mixed_with_transparent(value: &str) -> Option<(String, f64)> {
    let components = parse_components(value)?;
    let [Component::Function { name, arguments }] = components.as_slice() else { return None };
    let parts = split_commas(arguments);
    let [[method, ..], [color, share @ ..], [none, rest @ ..]] = parts.as_slice() else { return None };
    let share = match (share, rest) {
        ([], []) => 50.0,
        ([Component::Percentage(share)], []) => *share,
        ([], [Component::Percentage(rest)]) => 100.0 - rest,
        _ => return None,
    };
    if &**name != "color-mix" || !method.is_ident("in") || !none.is_ident("transparent") {
        return None;
    }
    let color = serialize_authored(std::slice::from_ref(color));
    let (pure, inner) = mixed_with_transparent(&color).unwrap_or((color, 1.0));
    (0.0..=100.0).contains(&share).then_some((pure, inner * share / 100.0))
}

/// Returns the name of a theme colour that looks the same, with its opacity as a modifier.
fn theme_color_name(color: &Color) -> Option<String> {
    let opaque = if is_legacy(color) {
        let ([r, g, b], _) = color.to_rgba();
        BY_HEX.get(&format!("#{r:02x}{g:02x}{b:02x}")).cloned().or_else(|| nearest_name(color))?
    } else {
        shade(color).or_else(|| nearest_name(color))?
    };
    let alpha = color.alpha();
    if alpha >= 1.0 {
        return Some(opaque);
    }
    if alpha <= 0.0 && opaque == "black" {
        return Some("transparent".to_owned());
    }
    opacity(alpha, is_legacy(color)).map(|modifier| format!("{opaque}/{modifier}"))
}

/// Returns the opacity in percent, in the quarter steps that Tailwind supports. For colours in
/// bytes it is enough that the opacity rounds to the same byte.
pub(super) fn opacity(alpha: f64, in_bytes: bool) -> Option<String> {
    // The tokenizer keeps seven digits.
    let percent = (alpha * 100.0 * 1e4).round() / 1e4;
    if is_integer(percent * 4.0) {
        return Some(plain(percent));
    }
    let nearest = percent.round();
    let same_byte = (nearest / 100.0 * 255.0).round() == (alpha * 255.0).round();
    // 0.502 is byte 128 written in decimals; 0.333 is no byte and is meant literally.
    let is_byte = (alpha * 255.0 - (alpha * 255.0).round()).abs() < 0.02;
    (in_bytes && same_byte && is_byte).then(|| plain(nearest))
}

/// Returns the theme shade with exactly these components.
fn shade(color: &Color) -> Option<String> {
    if color.space() != Space::Oklch {
        return None;
    }
    if let Some(end) = end(color) {
        return Some(end.to_owned());
    }
    // A grey has no hue: `none` and 0 are equal there.
    let known = |component: f64| if component.is_nan() { 0.0 } else { component };
    let same = |theme: &[f64; 3]| {
        let components = oklch(theme).map(|theme| theme.components()).unwrap_or([-1.0; 3]);
        components.iter().zip(color.components()).all(|(a, b)| (known(*a) - known(b)).abs() < 1e-6)
    };
    FAMILIES.iter().find_map(|(family, shades)| {
        let at = shades.iter().position(same)?;
        Some(format!("{family}-{}", SHADES[at]))
    })
}

/// Returns `white` or `black` for a grey at either end of the lightness range.
fn end(color: &Color) -> Option<&'static str> {
    let [lightness, chroma, _] = color.components();
    match lightness {
        _ if chroma.abs() > 1e-6 => None,
        l if l >= 1.0 => Some("white"),
        l if l <= 0.0 => Some("black"),
        _ => None,
    }
}

fn oklch([lightness, chroma, hue]: &[f64; 3]) -> Option<Color> {
    let hue = if hue.is_nan() { "none".to_owned() } else { hue.to_string() };
    color::parse(&format!("oklch({lightness}% {chroma} {hue})"), Scheme::Light)
}

fn is_in_srgb(color: &Color) -> bool {
    color.to_space(Space::Srgb).components().iter().all(|c| (-0.0005..=1.0005).contains(c))
}

fn is_legacy(color: &Color) -> bool {
    matches!(color.space(), Space::Legacy | Space::Hsl | Space::Hwb)
}

/// Returns true if the value does not depend on the text colour, the colour scheme or the user's
/// system.
fn is_context_independent(value: &str) -> bool {
    let value = value.to_ascii_lowercase();
    if value.contains("currentcolor") || value.contains("light-dark(") {
        return false;
    }
    // A colour scheme changes system colours but not named colours.
    let [light, dark] = [Scheme::Light, Scheme::Dark].map(|scheme| color::parse(&value, scheme));
    light == dark && !value.starts_with('-') && !SYSTEM_COLORS.contains(&value.as_str())
}

/// System colours that are the same in both colour schemes.
const SYSTEM_COLORS: &[&str] =
    &["accentcolor", "accentcolortext", "highlight", "highlighttext", "mark", "marktext", "selecteditem"];

/// Returns `#abc` for `#aabbcc`, or else all six digits.
fn short_hex(color: &Color) -> String {
    let hex = color.to_hex();
    let digits = hex.as_bytes()[1..].chunks(2);
    if digits.clone().all(|pair| pair[0] == pair[1]) {
        return std::iter::once('#').chain(digits.map(|pair| char::from(pair[0]))).collect();
    }
    hex
}

#[cfg(test)]
mod tests {
    use super::suffix;

    #[test]
    fn theme_colours_are_preferred() {
        let cases = [
            ("#fff", "white"),
            ("WHITE", "white"),
            ("rgb(0, 0, 0)", "black"),
            ("rgba(0,0,0,.5)", "black/50"),
            ("rgb(255 255 255 / 7.5%)", "white/7.5"),
            ("#00000080", "black/50"),
            ("rgba(0,0,0,0.333)", "[#0005]"),
            ("currentColor", "current"),
            ("transparent", "transparent"),
            ("inherit", "inherit"),
            ("oklch(62.3% 0.214 259.815)", "blue-500"),
            ("oklch(0.623 0.214 259.815 / 0.25)", "blue-500/25"),
            ("oklch(1 0 0)", "white"),
            ("oklch(100% 0 0 / 10%)", "white/10"),
            ("oklch(0 0 0)", "black"),
            ("rgba(0, 0, 0, 0)", "transparent"),
            ("oklch(62.4% 0.214 259.815)", "blue-500"),
            ("oklch(66% 0.214 259.815)", "[oklch(66%_0.214_259.815)]"),
            ("#1A2B3C", "[#1a2b3c]"),
            ("#aabbcc", "[#abc]"),
            ("hsl(0 100% 50%)", "[#f00]"),
            ("#1a2b3c4d", "[#1a2b3c4d]"),
            ("lab(33.2605% -9.98287 -24.043 / 0.04)", "[#1b54740a]"),
            ("CanvasText", "[CanvasText]"),
            ("color-mix(in oklab, oklch(20.8% 0.042 265.755) 5%, transparent)", "slate-900/5"),
            ("color-mix(in srgb, #6b7280 100%, transparent)", "gray-500"),
            ("color-mix(in oklab, color-mix(in oklab, #000 50%, transparent) 50%, transparent)", "black/25"),
            ("color-mix(in srgb, #1a2b3c 50%, transparent)", "[#1a2b3c80]"),
            ("color-mix(in oklab, currentcolor 50%, transparent)", "current/50"),
            ("color-mix(in srgb, #1a2b3c, transparent 50%)", "[#1a2b3c80]"),
            ("color-mix(in srgb, #000, transparent 95%)", "black/5"),
            ("color-mix(in srgb, #000 50%, transparent 20%)", "black/50"),
            ("color-mix(in srgb, currentColor 50%, red)", "[color-mix(in_srgb,currentColor_50%,red)]"),
            ("light-dark(red, blue)", "[light-dark(red,blue)]"),
            ("var(--brand)", "(--brand)"),
            ("color-mix(in srgb, var(--brand) 15%, transparent)", "(--brand)/15"),
            ("color-mix(in srgb, var(--brand), red)", "[color-mix(in_srgb,var(--brand),red)]"),
            ("var(--brand, red)", "[var(--brand,red)]"),
        ];
        for (value, expected) in cases {
            assert_eq!(suffix(value).as_deref(), Some(expected), "{value}");
        }
        assert_eq!(suffix("red; x"), None);
    }

    #[test]
    fn colours_that_look_like_a_shade_take_its_name() {
        for (value, expected) in [
            ("#334155", "slate-700"),
            ("#3b82f6", "blue-500"),
            ("#4f46e5", "[#4f46e5]"),
            ("#dc2626", "[#dc2626]"),
            ("#f97316", "[#f97316]"),
            ("#fa7417", "[#fa7417]"),
            ("#f9fafc", "slate-50"),
            ("#fefefe", "white"),
            ("#010101", "black"),
            ("#f3f4f699", "gray-100/60"),
            ("#f8f9fa", "gray-50"),
            ("#212529", "[#212529]"),
            ("#e9ecef", "[#e9ecef]"),
        ] {
            assert_eq!(suffix(value).as_deref(), Some(expected), "{value}");
        }
    }

    #[test]
    fn shades_in_gamut_round_trip() {
        assert_eq!(suffix("#f9fafb").as_deref(), Some("gray-50"));
        assert!(super::BY_HEX.len() > 150, "{}", super::BY_HEX.len());
    }
}
