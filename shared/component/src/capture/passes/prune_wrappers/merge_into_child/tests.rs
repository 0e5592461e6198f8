//! Tests `merge_into_child`.

use super::has_font_unit;

#[test]
fn units_of_the_font_are_found() {
    for (value, expected) in
        [("1.5em", true), ("calc(100% - 2ch)", true), ("2rem", false), ("12px", false), ("auto", false), ("1LH", true)]
    {
        assert_eq!(has_font_unit(value), expected, "{value}");
    }
}
