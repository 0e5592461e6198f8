//! Distances of colours: CIEDE2000 (ISO/CIE 11664-6) of sRGB colours under D65.

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

/// Returns the CIEDE2000 distance, with the variables of Sharma, Wu and Dalal (2005).
fn ciede2000([l1, a1, b1]: [f64; 3], [l2, a2, b2]: [f64; 3]) -> f64 {
    let pow7 = |value: f64| value.powi(7);
    let saturation = |chroma: f64| (pow7(chroma) / (pow7(chroma) + pow7(25.0))).sqrt();
    let mean = (a1.hypot(b1) + a2.hypot(b2)) / 2.0;
    let g = 0.5 * (1.0 - saturation(mean));
    let (a1, a2) = (a1 * (1.0 + g), a2 * (1.0 + g));
    let (c1, c2) = (a1.hypot(b1), a2.hypot(b2));
    let hue = |a: f64, b: f64| if a == 0.0 && b == 0.0 { 0.0 } else { b.atan2(a).to_degrees().rem_euclid(360.0) };
    let (h1, h2) = (hue(a1, b1), hue(a2, b2));
    let is_grey = c1 * c2 == 0.0;
    let turn = match h2 - h1 {
        _ if is_grey => 0.0,
        turn if turn > 180.0 => turn - 360.0,
        turn if turn < -180.0 => turn + 360.0,
        turn => turn,
    };
    let mean_hue = match h1 + h2 {
        sum if is_grey => sum,
        sum if (h1 - h2).abs() <= 180.0 => sum / 2.0,
        sum if sum < 360.0 => (sum + 360.0) / 2.0,
        sum => (sum - 360.0) / 2.0,
    };
    let (dl, dc) = (l2 - l1, c2 - c1);
    let dh = 2.0 * (c1 * c2).sqrt() * (turn / 2.0).to_radians().sin();
    let (ml, mc) = ((l1 + l2) / 2.0, (c1 + c2) / 2.0);
    let cos = |degrees: f64| degrees.to_radians().cos();
    let t = 1.0 - 0.17 * cos(mean_hue - 30.0) + 0.24 * cos(2.0 * mean_hue) + 0.32 * cos(3.0 * mean_hue + 6.0)
        - 0.20 * cos(4.0 * mean_hue - 63.0);
    let sl = 1.0 + 0.015 * (ml - 50.0).powi(2) / (20.0 + (ml - 50.0).powi(2)).sqrt();
    let (sc, sh) = (1.0 + 0.045 * mc, 1.0 + 0.015 * mc * t);
    let theta = 30.0 * (-((mean_hue - 275.0) / 25.0).powi(2)).exp();
    let rt = -2.0 * saturation(mc) * (2.0 * theta).to_radians().sin();
    ((dl / sl).powi(2) + (dc / sc).powi(2) + (dh / sh).powi(2) + rt * (dc / sc) * (dh / sh)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs 1, 4, 7, 9, 17, 20, 25, 31 and 34 of the test data published with the formula.
    #[test]
    fn distances_are_those_of_the_published_test_data() {
        for (one, other, expected) in [
            ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
            ([50.0, -1.3802, -84.2814], [50.0, 0.0, -82.7485], 1.0000),
            ([50.0, 0.0, 0.0], [50.0, -1.0, 2.0], 2.3669),
            ([50.0, 2.4900, -0.0010], [50.0, -2.4900, 0.0009], 7.1792),
            ([50.0, 2.5, 0.0], [73.0, 25.0, -18.0], 27.1492),
            ([50.0, 2.5, 0.0], [58.0, 24.0, 15.0], 19.4535),
            ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
            ([22.7233, 20.0904, -46.6940], [23.0331, 14.9730, -42.5619], 2.0373),
            ([2.0776, 0.0795, -1.1350], [0.9033, -0.0636, -0.5514], 0.9082),
        ] {
            let distance = ciede2000(one, other);
            assert!((distance - expected).abs() < 1e-4, "{one:?} {other:?}: {distance}");
        }
    }

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
