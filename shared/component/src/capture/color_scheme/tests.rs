//! Tests `color_scheme`.

use super::*;

#[test]
fn light_dark_resolves_to_the_argument_of_the_scheme() {
    for (value, light, dark) in [
        ("light-dark(#fff, #000)", "#fff", "#000"),
        ("1px solid Light-Dark(rgb(1, 2, 3), rgb(4, 5, 6))", "1px solid rgb(1, 2, 3)", "1px solid rgb(4, 5, 6)"),
        ("light-dark(light-dark(a, b), c), light-dark(d,e)", "a, d", "c, e"),
        ("light-dark(a", "light-dark(a", "light-dark(a"),
        ("light-dark(a)", "light-dark(a)", "light-dark(a)"),
        ("red", "red", "red"),
        ("\"light-dark(a, b)\" c", "\"light-dark(a, b)\" c", "\"light-dark(a, b)\" c"),
    ] {
        assert_eq!(
            (resolve_light_dark(value, Scheme::Light), resolve_light_dark(value, Scheme::Dark)),
            (light.into(), dark.into())
        );
    }
}
