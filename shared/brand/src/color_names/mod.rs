//! Colour names: greys by lightness and temperature, tints and muted colours by hue, others by the nearest name of a
//! list (`names.txt`) with about the same hue, in OKLCh.

use super::color::Rgba;
use std::collections::HashMap;
use std::sync::OnceLock;

const NAMES: &str = include_str!("names.txt");

struct NamedColor {
    name: String,
    color: Rgba,
}

static LIST: OnceLock<Vec<NamedColor>> = OnceLock::new();

/// Chroma below which a colour is named as a grey.
const NEUTRAL: f64 = 0.02;
/// The same for hues from cyan to violet: screens and eyes take more of them for grey.
const COOL_NEUTRAL: f64 = 0.028;
/// Lightness from which a colour with this chroma has a name of its hue.
const FAINT: (f64, f64) = (0.93, 0.0145);
/// Lightness below which a colour is named as a grey.
const NEARLY_BLACK: f64 = 0.16;
/// Chroma below which a grey is neither warm nor cool.
const COLORLESS: f64 = 0.004;
/// Chroma below which a colour that is no tint is muted.
const MUTED: f64 = 0.05;
/// The same for violet and purple, which are pale already where blue is not.
const MUTED_VIOLET: f64 = 0.07;
/// Lightness and chroma of tints.
const TINT: (f64, f64) = (0.88, 0.07);
/// Maximum difference in hue, in degrees, between a colour and one whose name it has.
const MAX_HUE_DIFFERENCE: f64 = 16.0;
/// Distance from which two colours are clearly different, so that they cannot have one name.
const CLEARLY_DIFFERENT: f64 = 0.04;
/// Number of names of the list that a colour can have.
const MAX_CHOICES: usize = 12;

/// Greys with the lower bounds of their lightness.
const GREYS: [(f64, &str); 13] = [
    (0.995, "White"),
    (0.965, "Off-White"),
    (0.93, "Very Light Grey"),
    (0.88, "Light Grey"),
    (0.8, "Silver"),
    (0.69, "Medium Light Grey"),
    (0.55, "Grey"),
    (0.46, "Medium Dark Grey"),
    (0.36, "Dark Grey"),
    (0.28, "Very Dark Grey"),
    (0.215, "Charcoal"),
    (0.1, "Near Black"),
    (0.0, "Black"),
];

/// Tints by the upper bound of their hue: faint ones, and others.
const TINTS: [(f64, &str, &str); 12] = [
    (25.0, "Pale Pink", "Light Pink"),
    (68.0, "Pale Peach", "Peach"),
    (88.0, "Cream", "Light Apricot"),
    (118.0, "Ivory", "Pale Yellow"),
    (140.0, "Pale Lime", "Light Lime"),
    (170.0, "Pale Green", "Light Mint"),
    (200.0, "Pale Mint", "Pale Turquoise"),
    (230.0, "Pale Cyan", "Light Sky"),
    (272.0, "Pale Blue", "Light Blue"),
    (300.0, "Pale Lavender", "Light Lavender"),
    (335.0, "Pale Lilac", "Light Lilac"),
    (361.0, "Pale Pink", "Light Pink"),
];

/// Muted colours by the upper bound of their hue: light, medium and dark ones.
const MUTED_COLORS: [(f64, [&str; 3]); 7] = [
    (45.0, ["Dusty Rose", "Rosy Brown", "Dark Cocoa"]),
    (85.0, ["Sand", "Taupe", "Dark Taupe"]),
    (115.0, ["Light Khaki", "Khaki", "Dark Khaki"]),
    (185.0, ["Sage", "Grey Green", "Dark Grey Green"]),
    (262.0, ["Light Slate", "Slate", "Dark Slate"]),
    (300.0, ["Lavender Grey", "Slate Blue", "Dark Navy"]),
    (361.0, ["Light Mauve", "Mauve", "Dark Mauve"]),
];

fn list() -> &'static [NamedColor] {
    LIST.get_or_init(|| NAMES.lines().filter_map(parse_line).collect())
}

/// Parses a line `acc2d9 cloudy blue`; returns `None` for comments.
fn parse_line(line: &str) -> Option<NamedColor> {
    let (hex, name) = line.split_once(' ')?;
    let rgb = u32::from_str_radix(hex, 16).ok()?.to_be_bytes();
    let name = title_case(name.trim_start_matches("+ "));
    Some(NamedColor { name, color: Rgba::from_rgb([rgb[1], rgb[2], rgb[3]]) })
}

fn title_case(name: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default()
    };
    name.split(' ').map(capital).collect::<Vec<_>>().join(" ")
}

/// Returns the name of a colour; opacity is ignored.
pub(super) fn name(shade: Rgba) -> String {
    choices(shade).into_iter().next().unwrap_or_default()
}

/// Returns the names of a palette: clearly different colours have different names. The first ones have the first choice.
pub(super) fn names_of(palette: &[Rgba]) -> Vec<String> {
    let mut taken: HashMap<String, Rgba> = HashMap::new();
    let mut names = Vec::new();
    for shade in palette {
        let is_free = |name: &String, taken: &HashMap<String, Rgba>| {
            taken.get(name).is_none_or(|other| other.distance(*shade) < CLEARLY_DIFFERENT)
        };
        let choices = choices(*shade);
        let free = choices.iter().find(|name| is_free(name, &taken)).cloned();
        let name = free.unwrap_or_else(|| {
            let first = choices.into_iter().next().unwrap_or_default();
            let is_lighter = taken.get(&first).is_some_and(|other| other.lightness() < shade.lightness());
            let compared = compared(&first, is_lighter);
            let last = compared.last().cloned().unwrap_or_default();
            let numbered = (2..).map(|number| format!("{last} {number}"));
            let mut tried = compared.into_iter().chain(numbered);
            tried.find(|name| is_free(name, &taken)).unwrap_or_default()
        });
        taken.entry(name.clone()).or_insert(*shade);
        names.push(name);
    }
    names
}

/// Returns names for a colour that is lighter or darker than the one with this name.
fn compared(name: &str, is_lighter: bool) -> Vec<String> {
    let (comparative, degree, extreme, opposite) =
        if is_lighter { ("Lighter", "Light", "Pale", "Dark") } else { ("Darker", "Dark", "Deep", "Light") };
    if name.contains(extreme) {
        return vec![name.replace(extreme, &format!("Very {extreme}"))];
    }
    if name.contains(degree) {
        return vec![name.replace(&format!("Very {degree}"), extreme).replace(degree, extreme)];
    }
    if name == "Grey" || name.ends_with(" Grey") && !name.contains(opposite) {
        let medium = name.replace("Grey", &format!("Medium {degree} Grey"));
        return vec![format!("{comparative} {name}"), medium];
    }
    let extreme = (!name.contains(opposite)).then(|| format!("{extreme} {name}"));
    std::iter::once(format!("{comparative} {name}")).chain(extreme).collect()
}

/// Returns the names that a colour can have, the best first.
fn choices(shade: Rgba) -> Vec<String> {
    let (lightness, chroma, hue) = (shade.lightness(), shade.chroma(), shade.hue());
    // What is nearly black shows no hue; what is nearly white shows it early.
    let neutral = match hue {
        _ if lightness >= FAINT.0 => FAINT.1,
        170.0..320.0 => COOL_NEUTRAL,
        _ => NEUTRAL,
    };
    if chroma < neutral || lightness < NEARLY_BLACK {
        return vec![grey(lightness, chroma, hue)];
    }
    let below = |end: &f64| hue < *end;
    // Sand is no tint yet where other hues are.
    let is_sandy = (60.0..118.0).contains(&hue) && lightness < 0.92;
    if lightness >= TINT.0 && chroma < TINT.1 && !is_sandy {
        let Some((_, faint, strong)) = TINTS.iter().find(|(end, ..)| below(end)) else { return Vec::new() };
        let names = if chroma < TINT.1 / 2.0 { [faint, strong] } else { [strong, faint] };
        return names.map(|name| (*name).to_owned()).to_vec();
    }
    if chroma < if hue >= 270.0 { MUTED_VIOLET } else { MUTED } {
        let at = usize::from(lightness < 0.68) + usize::from(lightness < 0.42);
        return MUTED_COLORS
            .iter()
            .find(|(end, _)| below(end))
            .map(|(_, names)| names[at].to_owned())
            .into_iter()
            .collect();
    }
    let difference = |other: f64| ((hue - other + 540.0) % 360.0 - 180.0).abs();
    let mut near: Vec<&NamedColor> =
        list().iter().filter(|named| difference(named.color.hue()) <= MAX_HUE_DIFFERENCE).collect();
    near.sort_by(|a, b| a.color.distance(shade).total_cmp(&b.color.distance(shade)));
    near.into_iter().take(MAX_CHOICES).map(|named| named.name.clone()).collect()
}

/// Returns the name of a grey, with its temperature if it has one.
fn grey(lightness: f64, chroma: f64, hue: f64) -> String {
    let plain = GREYS.iter().find(|(least, _)| lightness >= *least).map_or("Black", |(_, name)| *name);
    let temperature = match hue {
        _ if chroma < COLORLESS || plain == "Black" => return plain.to_owned(),
        20.0..130.0 => "Warm",
        170.0..320.0 => "Cool",
        _ => return plain.to_owned(),
    };
    match plain {
        "White" | "Off-White" => format!("{temperature} White"),
        other => format!("{temperature} {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shade(hex: &str) -> Rgba {
        Rgba::parse(hex).unwrap()
    }

    #[test]
    fn colors_have_the_names_that_people_use() {
        for (hex, expected) in [
            ("#ffffff", "White"),
            ("#000000", "Black"),
            ("#e50000", "Red"),
            ("#0343df", "Blue"),
            ("#029386", "Teal"),
            ("#222222", "Charcoal"),
            ("#808080", "Grey"),
            ("#f5f5f5", "Off-White"),
            ("#eeeeee", "Very Light Grey"),
            // Greys that lean towards a hue, the backgrounds of many pages.
            ("#e9ecef", "Cool Very Light Grey"),
            ("#f6f5fb", "Cool White"),
            ("#fbf6ee", "Warm White"),
            ("#fbf8f2", "Warm White"),
            ("#feecdc", "Pale Peach"),
            ("#e7ddcc", "Sand"),
            ("#23283b", "Dark Navy"),
            ("#334155", "Dark Slate"),
            ("#d1fae5", "Light Mint"),
            ("#dbeafe", "Pale Blue"),
            ("#fef3c7", "Pale Yellow"),
            ("#ede9fe", "Pale Lavender"),
            ("#fce7f3", "Pale Pink"),
        ] {
            assert_eq!(name(shade(hex)), expected, "{hex}");
        }
    }

    #[test]
    fn no_grey_has_the_name_of_a_hue() {
        const HUES: [&str; 10] =
            ["Pink", "Red", "Green", "Blue", "Yellow", "Purple", "Lilac", "Rose", "Peach", "Lavender"];
        for lightness in 0..=255_u8 {
            for (red, blue) in [(0, 0), (2, 0), (0, 2), (2, 2)] {
                let grey = Rgba::from_rgb([lightness.saturating_sub(red), lightness, lightness.saturating_sub(blue)]);
                let name = name(grey);
                assert!(!HUES.iter().any(|hue| name.contains(hue)), "{}: {name}", grey.hex());
            }
        }
    }

    /// A lighter grey has no name of a darker one.
    #[test]
    fn names_of_greys_are_monotone() {
        let place = |grey: Rgba| GREYS.iter().position(|(_, own)| *own == name(grey)).unwrap();
        let places: Vec<usize> = (0..=255_u8).map(|level| place(Rgba::from_rgb([level; 3]))).collect();
        assert!(places.is_sorted_by(|darker, lighter| darker >= lighter), "{places:?}");
    }

    #[test]
    fn hues_have_names_of_their_hue() {
        for (hex, words) in [
            ("#0d6efd", "Blue Azure"),
            ("#198754", "Green Fern Emerald Jade Shamrock"),
            ("#dc3545", "Red Crimson"),
            ("#ffc107", "Amber Yellow Gold Marigold Saffron"),
            ("#fd7e14", "Orange Pumpkin Tangerine"),
            ("#6f42c1", "Purple Violet Indigo"),
            ("#d63384", "Pink Magenta Rose Raspberry"),
            ("#20c997", "Green Aquamarine Turquoise Mint"),
            ("#0dcaf0", "Sky Cyan"),
            ("#046c4e", "Emerald Green Pine Forest Teal"),
            ("#4d4712", "Olive"),
            ("#7c2d12", "Brown Rust Brick Chestnut"),
            ("#831843", "Wine Burgundy Maroon Claret"),
            ("#003087", "Blue Navy Royal Cobalt Sapphire"),
            ("#003366", "Navy Marine"),
            ("#5a9fd4", "Sky Blue Steel"),
            ("#e85600", "Orange"),
            ("#cc0000", "Red Scarlet"),
            ("#ffe873", "Yellow Butter Gold"),
            ("#1d3557", "Navy Marine"),
            ("#7048e8", "Purple Violet Indigo"),
            ("#020817", "Black"),
            ("#edf2ff", "Blue"),
            ("#f8f0fc", "Lavender Lilac"),
            ("#f08c00", "Orange Amber Tangerine"),
            ("#ffa8a8", "Pink Salmon Rose"),
            ("#d95f0e", "Orange"),
        ] {
            let name = name(shade(hex));
            assert!(words.split(' ').any(|word| name.contains(word)), "{hex}: {name}");
        }
    }

    #[test]
    fn clearly_different_colors_of_a_palette_have_different_names() {
        let palettes: [[&str; 12]; 3] = [
            [
                "#ffffff", "#f8f9fa", "#e9ecef", "#dee2e6", "#ced4da", "#adb5bd", "#6c757d", "#495057", "#343a40",
                "#212529", "#000000", "#0d6efd",
            ],
            [
                "#eff6ff", "#dbeafe", "#bfdbfe", "#93c5fd", "#60a5fa", "#3b82f6", "#2563eb", "#1d4ed8", "#1e40af",
                "#1e3a8a", "#172554", "#0055ff",
            ],
            [
                "#fdf2f8", "#fce7f3", "#fbcfe8", "#f9a8d4", "#f472b6", "#ec4899", "#db2777", "#be185d", "#9d174d",
                "#831843", "#500724", "#111111",
            ],
        ];
        for palette in palettes {
            let colors = palette.map(shade);
            let names = names_of(&colors);
            for (at, name) in names.iter().enumerate() {
                assert!(!name.is_empty(), "{}", palette[at]);
                for other in 0..at {
                    let is_same = colors[at].distance(colors[other]) < CLEARLY_DIFFERENT;
                    assert!(is_same || *name != names[other], "{} and {}: {name}", palette[at], palette[other]);
                }
            }
        }
    }

    #[test]
    fn colors_are_compared_without_numbers_or_contradictions() {
        let names = |palette: &[&str]| names_of(&palette.iter().map(|hex| shade(hex)).collect::<Vec<_>>());
        assert_eq!(
            names(&["#64748b", "#475569", "#94a3b8", "#334155", "#1e293b"])[1..],
            ["Darker Slate", "Light Slate", "Dark Slate", "Deep Slate"]
        );
        assert_eq!(names(&["#999999", "#888888", "#767676"]), ["Grey", "Darker Grey", "Medium Dark Grey"]);
        assert_eq!(compared("Cool Very Dark Grey", false), ["Cool Deep Grey"]);
        assert_eq!(compared("Cool Very Dark Grey", true), ["Lighter Cool Very Dark Grey"]);
    }

    #[test]
    fn every_line_of_the_list_is_read() {
        let lines = NAMES.lines().filter(|line| !line.starts_with('#')).count();
        assert!(lines > 350);
        assert_eq!(list().len(), lines);
    }
}
