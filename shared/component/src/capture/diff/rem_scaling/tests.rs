//! Tests `rem_scaling`.

use super::*;

#[test]
fn values_in_proportion_to_the_font_size_become_one_multiple() {
    let sizes = [Some(16.0), Some(17.0), Some(20.0)].into_iter().collect();
    for (values, expected) in [
        (["1rem", "17px", "20px"], ["1em"; 3]),
        (["12px 1rem", "12.75px 17px", "15px 20px"], ["0.75em 1em"; 3]),
        (["-1rem", "-17px", "-20px"], ["-1em"; 3]),
        (["0 0 0 2px red", "0 0 0 2.125px red", "0 0 0 2.5px red"], ["0 0 0 0.125em red"; 3]),
        (["calc(100% - 1rem)", "calc(100% - 17px)", "calc(100% - 20px)"], ["calc(100% - 1em)"; 3]),
        // Values that stay the same, or are not in proportion to the font size.
        (["1px", "1px", "1px"], ["1px"; 3]),
        (["1px", "1px", "2px"], ["1px", "1px", "2px"]),
        (["none", "10px", "30px"], ["none", "10px", "30px"]),
        (["1rem", "17px", "10px"], ["1em", "1em", "10px"]),
        (["1px", "17px", "20px"], ["1px", "1em", "1em"]),
        (["1em", "2em", "url(\"16px.png\")"], ["1em", "2em", "url(\"16px.png\")"]),
    ] {
        let [values, expected] =
            [values, expected].map(|all| all.into_iter().map(|value| Some(value.to_owned())).collect());
        let expected: EnvMap<_> = expected;
        assert_eq!(as_font_size_multiples(values, &sizes), expected);
    }
}

#[test]
fn factor_with_endless_digits_is_rounded_away_from_zero() {
    for (px, size) in [(16.0, 28.0), (17.0, 29.75), (20.0, 35.0), (-10.0, 21.0)] {
        let product = factor(px, size).unwrap() * size;
        assert!(product.abs() >= px.abs() && (product - px).abs() < 1e-3, "{px} {size} {product}");
    }
    assert_eq!(factor(0.0, 16.0), None);
}
