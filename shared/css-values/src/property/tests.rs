use super::*;
use crate::value::component::serialize;
use crate::value::parse_components;

fn expanded(name: &str, value: &str) -> Option<Vec<String>> {
    let shown = |declared: &ExpandedLonghand| match &declared.value {
        DeclaredValue::Components(components) => format!("{}: {}", declared.longhand.name(), serialize(components)),
        other => format!("{}: {other:?}", declared.longhand.name()),
    };
    expand(name, value).map(|list| list.iter().map(shown).collect())
}

#[test]
fn grammars_of_all_longhands_accept_the_initial_value() {
    for longhand in Longhand::ALL {
        assert!(Grammar::parse(table::ROWS[*longhand as usize].syntax).is_some(), "{}", longhand.name());
        let initial = parse_components(longhand.initial()).unwrap();
        assert!(longhand.accepts(&initial), "{}: {}", longhand.name(), longhand.initial());
    }
}

#[test]
fn cascade_5_section_2_1_shorthands() {
    for (name, value, expected) in [
        ("margin", "1px 2px", "margin-top: 1px; margin-right: 2px; margin-bottom: 1px; margin-left: 2px"),
        ("padding", "0", "padding-top: 0; padding-right: 0; padding-bottom: 0; padding-left: 0"),
        ("gap", "1em", "row-gap: 1em; column-gap: 1em"),
        ("border-top", "solid red", "border-top-width: medium; border-top-style: solid; border-top-color: red"),
        ("outline", "none", "outline-color: currentcolor; outline-style: none; outline-width: medium"),
        (
            "outline",
            "5px auto -webkit-focus-ring-color",
            "outline-color: -webkit-focus-ring-color; outline-style: auto; outline-width: 5px",
        ),
        ("flex", "1", "flex-grow: 1; flex-shrink: 1; flex-basis: 0%"),
        ("flex", "none", "flex-grow: 0; flex-shrink: 0; flex-basis: auto"),
        ("flex", "1 0 10rem", "flex-grow: 1; flex-shrink: 0; flex-basis: 10rem"),
        ("flex", "0 auto", "flex-grow: 0; flex-shrink: 1; flex-basis: auto"),
        ("flex-flow", "column wrap", "flex-direction: column; flex-wrap: wrap"),
        ("overflow", "hidden auto", "overflow-x: hidden; overflow-y: auto"),
        ("list-style", "none", "list-style-position: outside; list-style-image: none; list-style-type: none"),
        ("list-style", "square inside", "list-style-position: inside; list-style-image: none; list-style-type: square"),
        ("white-space", "pre-wrap", "white-space-collapse: preserve; text-wrap-mode: wrap"),
        ("place-items", "center", "align-items: center; justify-items: center"),
        ("place-content", "center space-between", "align-content: center; justify-content: space-between"),
        (
            "grid-area",
            "main",
            "grid-row-start: main; grid-column-start: main; grid-row-end: main; grid-column-end: main",
        ),
        ("grid-row", "1 / span 2", "grid-row-start: 1; grid-row-end: span 2"),
        (
            "text-decoration",
            "underline dotted",
            "text-decoration-line: underline; text-decoration-thickness: auto; \
          text-decoration-style: dotted; text-decoration-color: currentcolor",
        ),
        ("margin-inline", "auto", "margin-left: auto; margin-right: auto"),
        (
            "border-radius",
            "1px 2px / 3px",
            "border-top-left-radius: 1px 3px; border-top-right-radius: 2px 3px; \
          border-bottom-right-radius: 1px 3px; border-bottom-left-radius: 2px 3px",
        ),
        ("-webkit-box-shadow", "none", "box-shadow: none"),
        ("inset", "0", "top: 0; right: 0; bottom: 0; left: 0"),
        (
            "transition",
            "color .2s ease-in, opacity 1s 2s",
            "transition-duration: 0.2s, 1s; \
          transition-timing-function: ease-in, ease; transition-delay: 0s, 2s; transition-behavior: normal, normal; \
          transition-property: color, opacity",
        ),
        ("background-position", "right 10px top", "background-position-x: right 10px; background-position-y: top"),
    ] {
        assert_eq!(
            expanded(name, value).unwrap_or_else(|| panic!("{name}: {value}")).join("; "),
            expected,
            "{name}: {value}"
        );
    }
}

#[test]
fn layered_shorthands_are_expanded_by_layer() {
    let find = |list: &[String], name: &str| {
        let prefix = format!("{name}: ");
        list.iter().find_map(|entry| entry.strip_prefix(&prefix)).map(str::to_owned).unwrap()
    };
    let background =
        expanded("background", "url(a.png) no-repeat center / cover, linear-gradient(red, blue) #fff").unwrap();
    assert_eq!(find(&background, "background-image"), "url(\"a.png\"), linear-gradient(red, blue)");
    assert_eq!(find(&background, "background-size"), "cover, auto");
    assert_eq!(find(&background, "background-repeat"), "no-repeat, repeat");
    assert_eq!(find(&background, "background-color"), "#fff");
    let font = expanded("font", "italic bold 12px/1.5 \"A B\", serif").unwrap();
    for (name, value) in [
        ("font-style", "italic"),
        ("font-weight", "bold"),
        ("font-size", "12px"),
        ("line-height", "1.5"),
        ("font-family", "\"A B\", serif"),
    ] {
        assert_eq!(find(&font, name), value);
    }
    let animation = expanded("animation", "1s ease-out 2s infinite both spin").unwrap();
    for (name, value) in [
        ("animation-duration", "1s"),
        ("animation-delay", "2s"),
        ("animation-name", "spin"),
        ("animation-iteration-count", "infinite"),
        ("animation-fill-mode", "both"),
    ] {
        assert_eq!(find(&animation, name), value);
    }
}

/// (shorthand, start, end), as Chromium computes them, without the offsets that every range has
#[test]
fn animation_ranges_have_names_and_offsets() {
    for (value, start, end) in [
        ("entry 0% cover 50%", "entry 0%", "cover 50%"),
        ("entry", "entry", "entry"),
        ("entry 10% exit", "entry 10%", "exit"),
        ("cover 20%", "cover 20%", "cover"),
        ("10% 90%", "10%", "90%"),
        ("20px", "20px", "normal"),
        ("normal", "normal", "normal"),
        ("entry normal", "entry", "normal"),
        ("entry exit", "entry", "exit"),
        ("normal 50%", "normal", "50%"),
        ("entry 25% 75%", "entry 25%", "75%"),
        ("entry calc(10% + 5px) cover 50%", "entry calc(10% + 5px)", "cover 50%"),
        ("contain 10px, exit 5% 80%", "contain 10px, exit 5%", "contain, 80%"),
    ] {
        let range = expanded("animation-range", value).unwrap();
        assert_eq!(
            range,
            [format!("animation-range-start: {start}"), format!("animation-range-end: {end}")],
            "{value}"
        );
    }
    for value in ["entry 0% cover 50% 1%", "normal 10% 20% 30%", "entry,", "entry exit cover"] {
        assert!(expanded("animation-range", value).is_none(), "{value}");
    }
}

#[test]
fn invalid_declarations_set_nothing() {
    for (name, value) in [
        ("color", "notacolor"),
        ("width", "-1px"),
        ("width", "10"),
        ("margin", "1px 2px 3px 4px 5px"),
        ("display", "flexbox"),
        ("background", "red, blue"),
        ("font", "bold"),
        ("flex", "1 2 3 4"),
        ("unknown", "1"),
        ("opacity", "50px"),
        ("border", "1px 2px"),
        ("transition", "none, color 1s"),
        ("color", "red!"),
        ("width", "calc(1px + 1)"),
        ("z-index", "1.5"),
        ("background-image", "-moz-linear-gradient(red, blue)"),
        ("display", "-ms-flexbox"),
        ("filter", "alpha(opacity=50)"),
        ("clip-path", "inset()"),
    ] {
        assert_eq!(expanded(name, value), None, "{name}: {value}");
    }
}

#[test]
fn shapes_as_large_as_their_box_need_no_arguments() {
    for (name, value) in
        [("clip-path", "circle()"), ("clip-path", "ellipse() padding-box"), ("shape-outside", "circle()")]
    {
        assert!(expand(name, value).is_some(), "{name}: {value}");
    }
}

#[test]
fn values_with_substitutions_are_pending_for_all_their_longhands() {
    assert_eq!(expand("margin", "var(--x) 0").unwrap().len(), 4);
    assert!(expand("margin", "var(--x) 0").unwrap().iter().all(|declared| declared.value == DeclaredValue::Pending));
    assert_eq!(expand("color", "inherit").unwrap()[0].value, DeclaredValue::Wide(CssWide::Inherit));
    assert!(expand("all", "unset").unwrap().len() > 300);
}
