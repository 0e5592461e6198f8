//! Tests `unread_inheritance`.

use super::*;

#[test]
fn lengths_in_units_of_the_font_are_found() {
    for (value, expected) in [
        ("1em", true),
        ("calc(100% - .5em)", true),
        ("2lh", true),
        ("1.em", true),
        ("1rem", false),
        ("10px", false),
        ("url(2em-x.png)", false),
        ("system", false),
        ("1emu", false),
    ] {
        assert_eq!(has_font_unit(value), expected, "{value}");
    }
}
