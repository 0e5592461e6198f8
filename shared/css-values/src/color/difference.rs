//! Computes the CIEDE2000 difference of two colours (CIE 142:2001), which is about 1 where an observer begins to notice
//! it.

/// A colour in CIE Lab: lightness from 0 to 100, then the axes from green to red and from blue to yellow.
pub type Lab = [f64; 3];

/// 25 to the power of 7.
const POW25_7: f64 = 6_103_515_625.0;

/// Returns the difference of two colours.
pub fn ciede2000([l1, a1, b1]: Lab, [l2, a2, b2]: Lab) -> f64 {
    let chroma_weight = |chroma: f64| (chroma.powi(7) / (chroma.powi(7) + POW25_7)).sqrt();
    let gain = 1.5 - 0.5 * chroma_weight((a1.hypot(b1) + a2.hypot(b2)) / 2.0);
    let (c1, c2) = ((a1 * gain).hypot(b1), (a2 * gain).hypot(b2));
    let hue = |a: f64, b: f64| if a == 0.0 && b == 0.0 { 0.0 } else { b.atan2(a).to_degrees().rem_euclid(360.0) };
    let (h1, h2) = (hue(a1 * gain, b1), hue(a2 * gain, b2));
    let is_gray = c1 * c2 == 0.0;
    let turn = if is_gray { 0.0 } else { (h2 - h1 + 180.0).rem_euclid(360.0) - 180.0 };
    let mean_hue = if is_gray { h1 + h2 } else { h1 + turn / 2.0 };
    let (mean_lightness, mean_chroma) = ((l1 + l2) / 2.0, (c1 + c2) / 2.0);
    let cosine = |factor: f64, shift: f64| (factor * mean_hue + shift).to_radians().cos();
    let hue_weight =
        1.0 - 0.17 * cosine(1.0, -30.0) + 0.24 * cosine(2.0, 0.0) + 0.32 * cosine(3.0, 6.0) - 0.2 * cosine(4.0, -63.0);
    let middle = (mean_lightness - 50.0).powi(2);
    let lightness = (l2 - l1) / (1.0 + 0.015 * middle / (20.0 + middle).sqrt());
    let chroma = (c2 - c1) / (1.0 + 0.045 * mean_chroma);
    let hue = 2.0 * (c1 * c2).sqrt() * (turn / 2.0).to_radians().sin() / (1.0 + 0.015 * mean_chroma * hue_weight);
    let distance_to_blue = (mean_hue.rem_euclid(360.0) - 275.0) / 25.0;
    let rotation = -2.0 * chroma_weight(mean_chroma) * (60.0 * (-distance_to_blue.powi(2)).exp()).to_radians().sin();
    (lightness.powi(2) + chroma.powi(2) + hue.powi(2) + rotation * chroma * hue).max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::ciede2000;

    /// Pairs of Sharma, Wu and Dalal, "The CIEDE2000 Color-Difference Formula" (2005), table 1.
    #[test]
    fn published_pairs_have_their_differences() {
        for (one, other, expected) in [
            ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
            ([50.0, -1.3802, -84.2814], [50.0, 0.0, -82.7485], 1.0),
            ([50.0, -1.0, 2.0], [50.0, 0.0, 0.0], 2.3669),
            ([50.0, 2.49, -0.001], [50.0, -2.49, 0.0009], 7.1792),
            ([50.0, 2.5, 0.0], [50.0, 0.0, -2.5], 4.3065),
            ([50.0, 2.5, 0.0], [73.0, 25.0, -18.0], 27.1492),
            ([50.0, 2.5, 0.0], [58.0, 24.0, 15.0], 19.4535),
            ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
            ([22.7233, 20.0904, -46.694], [23.0331, 14.973, -42.5619], 2.0373),
            ([2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514], 0.9082),
            ([90.8027, -2.0831, 1.441], [91.1528, -1.6435, 0.0447], 1.4441),
        ] {
            assert!((ciede2000(one, other) - expected).abs() < 1e-4, "{one:?} {other:?}: {}", ciede2000(one, other));
        }
    }
}
