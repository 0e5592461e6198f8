//! Formats numbers: as Chromium prints them, with six significant digits, and as authors write them.

/// Formats a number in the shortest form with six significant digits.
pub fn format_number(value: f64) -> String {
    if !value.is_finite() {
        return if value.is_nan() {
            "NaN".into()
        } else if value > 0.0 {
            "infinity".into()
        } else {
            "-infinity".into()
        };
    }
    if value == 0.0 {
        return "0".into();
    }
    if value.fract() == 0.0 && value.abs() < 1e6 {
        return (value as i64).to_string();
    }
    if let Some(text) = short_decimal(value) {
        return text;
    }
    let magnitude = value.abs().log10().floor();
    if !(-7.0..21.0).contains(&magnitude) {
        return format_scientific(value);
    }
    if magnitude >= 6.0 {
        let scale = 10_f64.powf(magnitude - 5.0);
        return format_scientific((value / scale).round() * scale);
    }
    let decimals = (5.0 - magnitude).clamp(0.0, 12.0) as usize;
    let text = format!("{value:.decimals$}");
    let trimmed = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if trimmed == "-0" { "0".into() } else { trimmed.to_owned() }
}

/// Like [`format_number`], without exponents: whole numbers from a million on have all their digits.
pub fn format_decimal(value: f64) -> String {
    let is_short = value == 0.0 || !value.is_finite() || (1e-7..1e6).contains(&value.abs());
    if is_short { format_number(value) } else { format_shortest(value) }
}

/// Formats a number with the fewest digits that mean the same number, without exponents.
pub(crate) fn format_shortest(value: f64) -> String {
    if value.is_finite() && value != 0.0 { value.to_string() } else { format_number(value) }
}

/// Formats a percentage with the digits that single precision distinguishes: with six, five twelfths of 1,140 pixels
/// are less than 475, which browsers cut to 64ths of a pixel. Twelfths are written as is usual, `41.666667`.
pub fn format_percentage(value: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "browsers have it in single precision")]
    let single = |value: f64| value as f32;
    let short = format_number(value);
    if !value.is_finite() || short.parse::<f64>().is_ok_and(|short| single(short) == single(value)) {
        return short;
    }
    // The tokenizer stores hundredths, which have a rounding error of their own.
    let twelfths = format!("{:.6}", (value * 0.12).round() / 0.12);
    let is_near = |twelfths: f64| (twelfths - value).abs() < 1e-7 * value.abs();
    if value.abs() < 1e4 && !twelfths.ends_with('0') && twelfths.parse().is_ok_and(is_near) {
        return twelfths;
    }
    single(value).to_string()
}

/// Formats numbers with few digits, as most authored numbers have: these need no search for the nearest.
fn short_decimal(value: f64) -> Option<String> {
    let scaled = [(1, 1e1), (2, 1e2), (3, 1e3), (4, 1e4)].into_iter().find_map(|(digits, power): (usize, f64)| {
        let scaled = (value * power).round();
        (scaled.abs() < 1e6 && scaled / power == value).then_some((scaled, digits))
    });
    let (scaled, digits) = scaled?;
    let mut rest = scaled.abs() as u32;
    let mut text = String::with_capacity(8);
    // From the last digit.
    for place in 0.. {
        if place == digits {
            text.push('.');
        }
        if rest == 0 && place > digits {
            break;
        }
        text.push(char::from(b'0' + (rest % 10) as u8));
        rest /= 10;
    }
    if value < 0.0 {
        text.push('-');
    }
    Some(text.chars().rev().collect())
}

/// `1.23457e+06`
fn format_scientific(value: f64) -> String {
    let text = format!("{value:.5e}");
    let Some((mantissa, exponent)) = text.split_once('e') else { return text };
    let mantissa = if mantissa.contains('.') { mantissa.trim_end_matches('0').trim_end_matches('.') } else { mantissa };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    format!("{mantissa}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_are_written_with_six_significant_digits() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (13.333_333_3, "13.3333"),
            (0.1, "0.1"),
            (-2.5, "-2.5"),
            (1_234_567.0, "1.23457e+06"),
            (999_999.0, "999999"),
            (33_554_400.0, "3.35544e+07"),
            (0.000_123_456_7, "0.000123457"),
            (100.0, "100"),
            (0.05, "0.05"),
            (-0.0625, "-0.0625"),
            (12_345.6, "12345.6"),
            (123_456.7, "123457"),
        ] {
            assert_eq!(format_number(value), text);
        }
    }

    #[test]
    fn plain_numbers_have_no_exponents() {
        for (value, plain, shortest) in [
            (0.0, "0", "0"),
            (-0.0, "0", "0"),
            (13.333_333, "13.3333", "13.333333"),
            (999_999.6, "1000000", "999999.6"),
            (1e6, "1000000", "1000000"),
            (-16_777_217.0, "-16777217", "-16777217"),
            (2_147_483_647.0, "2147483647", "2147483647"),
            (1_234_567.8, "1234567.8", "1234567.8"),
            (1e-8, "0.00000001", "0.00000001"),
            (f64::NEG_INFINITY, "-infinity", "-infinity"),
        ] {
            assert_eq!((format_decimal(value).as_str(), format_shortest(value).as_str()), (plain, shortest), "{value}");
        }
    }

    #[test]
    fn percentages_have_all_their_digits() {
        for (value, text) in [
            (50.0, "50"),
            (33.333_332, "33.333333"),
            (41.666_664, "41.666667"),
            (58.333_332, "58.333333"),
            (8.333_333, "8.333333"),
            (-16.666_666, "-16.666667"),
            (48.717_95, "48.71795"),
            (112.5, "112.5"),
            (24.999_999, "24.999998"),
            (99.999_99, "99.99999"),
            (123_456_789.0, "123456790"),
            (f64::INFINITY, "infinity"),
        ] {
            assert_eq!(format_percentage(value), text);
        }
    }

    proptest! {
        #[test]
        fn formatted_percentage_parses_to_the_same_value(value: f32) {
            let text = format_percentage(f64::from(value));
            if value.is_finite() {
                prop_assert!((text.parse::<f32>().unwrap() - value).abs() <= 2e-7 * value.abs());
            }
        }

        #[test]
        fn short_decimal_equals_the_shortest_format(digits in -9_999_999_i32..9_999_999, places in 0_i32..7) {
            let value = f64::from(digits) / 10_f64.powi(places);
            if let Some(text) = short_decimal(value).filter(|_| value.fract() != 0.0) {
                let magnitude = value.abs().log10().floor();
                let decimals = (5.0 - magnitude).clamp(0.0, 12.0) as usize;
                let long = format!("{value:.decimals$}");
                prop_assert_eq!(text, long.trim_end_matches('0'));
            }
        }
    }
}
