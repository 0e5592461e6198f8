use super::*;
use crate::color::Scheme;
use limner_page::dom::QuirksMode;

fn matches(query: &str, environment: &Environment) -> bool {
    MediaQueryList::parse(query).matches(environment)
}

#[test]
fn css_syntax_3_section_4_2_other_white_space_belongs_to_names() {
    let mut conditions = Conditions::default();
    for (says, expected) in [
        (" screen\t", Evaluated::Always),
        ("\x0cscreen\r\n", Evaluated::Always),
        ("screen\u{a0}", Evaluated::Never),
        ("\u{2003}screen", Evaluated::Never),
        ("screen\u{b}", Evaluated::Never),
    ] {
        let read = |says: &str| Some(MediaQueryList::test(says));
        let id = conditions.state(ConditionId::default(), "media", says, read).unwrap();
        let answers = conditions.evaluate(&Environment::default());
        assert_eq!(Conditions::evaluation_of(&answers, id), expected, "{says:?}");
    }
}

#[test]
fn media_queries_4_section_3_syntax() {
    let desktop = Environment::default();
    for (query, expected) in [
        ("", true),
        ("all", true),
        ("screen", true),
        ("print", false),
        ("not print", true),
        ("not screen", false),
        ("only screen", true),
        ("screen and (min-width: 600px)", true),
        ("screen and (max-width: 600px)", false),
        ("print, (min-width: 1px)", true),
        ("(min-width: 600px) and (max-width: 1440px)", true),
        ("(min-width: 2000px) or (min-height: 900px)", true),
        ("not (min-width: 600px)", false),
        ("(not (hover))", false),
        ("(color)", true),
        ("(monochrome)", false),
        ("screen and (min-width: 600px) or (color)", false),
        ("(unknown)", false),
        ("not (unknown)", false),
        ("screen or print", false),
        ("(width: 1440px)", true),
        ("(min-width: 90em)", true),
        ("(min-width: 90.1em)", false),
        ("screen and", false),
        ("&, screen", true),
        ("(min-width: calc(1000px + 20rem))", true),
        ("((min-width: 1px) and (color))", true),
        ("(width: red)", false),
    ] {
        assert_eq!(matches(query, &desktop), expected, "{query}");
    }
}

#[test]
fn media_queries_4_section_2_4_3_range_context() {
    let desktop = Environment::default();
    for (query, expected) in [
        ("(width >= 600px)", true),
        ("(width < 1440px)", false),
        ("(width <= 1440px)", true),
        ("(600px <= width)", true),
        ("(600px < width <= 1440px)", true),
        ("(2000px > width > 1440px)", false),
        ("(height = 900px)", true),
        ("(aspect-ratio > 1/1)", true),
        ("(resolution >= 1dppx)", true),
        ("(min-resolution: 2dppx)", false),
        ("(-webkit-min-device-pixel-ratio: 1.5)", false),
        ("(orientation: landscape)", true),
        ("(orientation: sideways)", false),
    ] {
        assert_eq!(matches(query, &desktop), expected, "{query}");
    }
}

#[test]
fn media_queries_5_user_preferences() {
    let dark =
        Environment { scheme: Scheme::Dark, reduced_motion: true, touch: true, width: 390.0, ..Environment::default() };
    for (query, expected) in [
        ("(prefers-color-scheme: dark)", true),
        ("(prefers-color-scheme: light)", false),
        ("(prefers-reduced-motion: reduce)", true),
        ("(prefers-reduced-motion)", true),
        ("(prefers-reduced-motion: no-preference)", false),
        ("(hover: hover)", false),
        ("(hover)", false),
        ("(pointer: coarse)", true),
        ("(forced-colors: none)", true),
        ("(prefers-contrast: more)", false),
        ("(scripting: enabled)", true),
        ("(width <= 400px)", true),
        ("(display-mode: standalone)", false),
        ("(update: fast)", true),
    ] {
        assert_eq!(matches(query, &dark), expected, "{query}");
    }
}

#[test]
fn conditional_3_section_6_supports() {
    for (query, expected) in [
        ("(display: grid)", true),
        ("(display: -ms-grid)", false),
        ("not (display: -ms-grid)", true),
        ("(color: color-mix(in srgb, red, blue))", true),
        ("(display: grid) and (not (display: inline-grid))", false),
        ("(display: grid) or (foo: bar)", true),
        ("selector(:has(a))", true),
        ("selector(:unknown)", false),
        ("(--x: y)", true),
        ("(-webkit-appearance: none)", true),
        ("(-moz-appearance: none)", false),
        ("font-tech(color-COLRv1)", true),
        ("((display: flex))", true),
        ("(color: red) and (color: blue) or (color: green)", false),
        ("", false),
        ("(-webkit-backdrop-filter: none) or (backdrop-filter: none)", true),
        ("(mask-image: linear-gradient(red, blue))", true),
        ("selector(a:focus-visible)", true),
        ("(overflow: clip)", true),
        ("(unknown(x))", false),
    ] {
        assert_eq!(supports::supports(query, QuirksMode::NoQuirks), expected, "{query}");
    }
}

#[test]
fn conditional_5_container_queries() {
    struct Box400;
    impl container::Container for Box400 {
        fn width(&self) -> Option<f64> {
            Some(400.0)
        }
        fn custom(&self, name: &str) -> Option<String> {
            (name == "--theme").then(|| " dark ".to_owned())
        }
    }
    let lengths = crate::value::Lengths::initial(1000.0, 1000.0);
    for (query, expected) in [
        ("(min-width: 400px)", true),
        ("(width > 25rem)", false),
        ("card (inline-size >= 20em)", true),
        ("style(--theme: dark)", true),
        ("style(--theme)", true),
        ("style(--none)", false),
        ("not (min-width: 400px)", false),
        ("(min-width: 1px) and style(--theme: light)", false),
        ("scroll-state(stuck: top)", false),
        ("card", true),
    ] {
        assert_eq!(ContainerQuery::parse(query).unwrap().matches(&Box400, &lengths), expected, "{query}");
    }
}
