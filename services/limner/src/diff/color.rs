//! Distances of colours: CIEDE2000 of sRGB colours under D65.

use limner_style::color::difference::ciede2000;

/// Returns the distance of two hex colours, with six digits or, with opacity, eight: the larger one of those over white
/// and over black. `None` unless both are colours.
pub(super) fn delta_e(one: &str, other: &str) -> Option<f64> {
    let (one, other) = (channels(one)?, channels(other)?);
    let over = |ground: f64| ciede2000(lab(composite(one, ground)), lab(composite(other, ground)));
    Some(over(1.0).max(over(0.0)))
}

/// Parses a hex colour into red, green, blue and opacity, from 0 to 1.
fn channels(hex: &str) -> Option<[f64; 4]> {
    let digits = hex.strip_prefix('#').filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    let digits = match digits.len() {
        3 | 4 => digits.chars().flat_map(|digit| [digit, digit]).collect(),
        6 | 8 => digits.to_owned(),
        _ => return None,
    };
    let channel = |at: usize| match digits.get(at..at + 2) {
        Some(pair) => u8::from_str_radix(pair, 16).ok().map(|byte| f64::from(byte) / 255.0),
        None => Some(1.0),
    };
    Some([channel(0)?, channel(2)?, channel(4)?, channel(6)?])
}

fn composite([red, green, blue, alpha]: [f64; 4], ground: f64) -> [f64; 3] {
    [red, green, blue].map(|channel| channel * alpha + ground * (1.0 - alpha))
}

/// Converts sRGB to CIE L*a*b* with the white point D65.
fn lab(rgb: [f64; 3]) -> [f64; 3] {
    let [red, green, blue] =
        rgb.map(|channel| if channel <= 0.040_45 { channel / 12.92 } else { ((channel + 0.055) / 1.055).powf(2.4) });
    let x = (0.412_456_4 * red + 0.357_576_1 * green + 0.180_437_5 * blue) / 0.950_47;
    let y = 0.212_672_9 * red + 0.715_152_2 * green + 0.072_175 * blue;
    let z = (0.019_333_9 * red + 0.119_192 * green + 0.950_304_1 * blue) / 1.088_83;
    let [x, y, z] =
        [x, y, z].map(|part| if part > 216.0 / 24_389.0 { part.cbrt() } else { part * 841.0 / 108.0 + 4.0 / 29.0 });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_colours_have_distances() {
        assert_eq!(delta_e("#d9622b", "#d9622b"), Some(0.0));
        assert_eq!(delta_e("#fff", "#ffffffff"), Some(0.0));
        assert!((delta_e("#000000", "#ffffff").unwrap() - 100.0).abs() < 0.01);
        let faint = delta_e("#00000010", "#00000018").unwrap();
        assert!((0.5..5.0).contains(&faint), "{faint}");
        for value in ["12px", "#ggg", "rgb(1 2 3)", ""] {
            assert_eq!(delta_e("#000000", value), None, "{value}");
        }
    }
}
