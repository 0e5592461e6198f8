//! Tests `container_units`.

use super::*;

#[test]
fn container_units_are_recognized() {
    for (value, expected) in
        [("50cqw", true), ("clamp(1rem, 2.5cqmin, 3rem)", true), ("5px", false), ("\"cqw\"", false), ("1.cqi", true)]
    {
        assert_eq!(has_container_unit(value), expected, "{value}");
    }
}
