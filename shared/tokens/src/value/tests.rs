use super::*;
use limner_style::property::{DeclaredValue, expand};

/// Returns the values of one kind in a declaration, each once.
fn keys(kind: TokenKind, name: &str, value: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for declared in expand(name, value).unwrap_or_default().iter() {
        let DeclaredValue::Components(components) = &declared.value else { continue };
        for value in values(declared.longhand, components).into_iter().filter(|value| value.kind == kind) {
            if !found.contains(&value.key) {
                found.push(value.key);
            }
        }
    }
    found
}

#[test]
fn values_have_one_canonical_spelling() {
    use TokenKind as K;
    for (kind, name, value, expected) in [
        (K::Colors, "color", "RED", vec!["#ff0000"]),
        (K::Colors, "color", "#FfF", vec!["#ffffff"]),
        (K::Colors, "color", "#12345678", vec!["#12345678"]),
        (K::Colors, "color", "rgb(0 0 0 / 10%)", vec!["#0000001a"]),
        (K::Colors, "color", "hsl(120deg 100% 25%)", vec!["#008000"]),
        (K::Colors, "color", "hwb(0 0% 0%)", vec!["#ff0000"]),
        (K::Colors, "color", "lab(100% 0 0)", vec!["#ffffff"]),
        (K::Colors, "color", "lch(0% 0 0)", vec!["#000000"]),
        (K::Colors, "color", "oklab(1 0 0)", vec!["#ffffff"]),
        (K::Colors, "color", "oklch(63.7% 0.237 25.331)", vec!["#fb2c36"]),
        (K::Colors, "color", "color(srgb 1 0.5 0)", vec!["#ff8000"]),
        (K::Colors, "color", "color-mix(in srgb, red, blue)", vec!["#800080"]),
        (K::Colors, "color", "rgb(from red r g b / 50%)", vec!["#ff000080"]),
        (K::Colors, "color", "canvastext", vec!["#000000"]),
        (K::Colors, "color", "light-dark(white, black)", vec!["#ffffff", "#000000"]),
        (K::Colors, "color", "currentcolor", vec![]),
        (K::Colors, "color", "inherit", vec![]),
        (K::Colors, "fill", "none", vec![]),
        (K::Colors, "border", "1px solid tan", vec!["#d2b48c"]),
        (K::Colors, "box-shadow", "0 0 red, 0 0 blue", vec!["#ff0000", "#0000ff"]),
        (
            K::Colors,
            "background",
            "linear-gradient(red, rgba(0,0,255,.5)), green",
            vec!["#ff0000", "#0000ff80", "#008000"],
        ),
        (K::FontSizes, "font", "700 1.50rem/1.2 Inter", vec!["1.5rem"]),
        (K::FontSizes, "font-size", "X-Large", vec!["x-large"]),
        (K::FontSizes, "font-size", "smaller", vec![]),
        (K::FontSizes, "font-size", "clamp(1rem, 2vw + 1rem, 3rem)", vec!["clamp(1rem, 1rem + 2vw, 3rem)"]),
        (
            K::FontSizes,
            "font-size",
            "CLAMP(calc(1.5 * 2rem), calc(2vw + 1rem), calc((1px + 1px) * 10))",
            vec!["clamp(3rem, 1rem + 2vw, 20px)"],
        ),
        (K::FontSizes, "font-size", "clamp(1rem, round(2vw, 1px), 3rem)", vec!["clamp(1rem, round(2vw, 1px), 3rem)"]),
        (
            K::FontFamilies,
            "font-family",
            "'Inter',Open Sans, SANS-SERIF, 'serif'",
            vec!["Inter, \"Open Sans\", sans-serif, \"serif\""],
        ),
        (K::FontWeights, "font-weight", "bold", vec!["700"]),
        (K::FontWeights, "font", "12px serif", vec!["400"]),
        (K::FontWeights, "font-weight", "lighter", vec![]),
        (K::LetterSpacings, "letter-spacing", "-.05EM", vec!["-0.05em"]),
        (K::LineHeights, "line-height", "1.50", vec!["1.5"]),
        (K::LineHeights, "line-height", "normal", vec![]),
        (K::Spacing, "margin", "0 auto 10PX", vec!["0", "10px"]),
        (K::Spacing, "gap", "1rem 5%", vec!["1rem", "5%"]),
        (K::Spacing, "padding-inline", "0.0px", vec!["0"]),
        (K::Spacing, "padding", "calc(.25rem*4)", vec!["1rem"]),
        (K::Spacing, "padding", "calc(0px) calc(100% + 0px)", vec!["0", "100%"]),
        (K::LineHeights, "line-height", "calc(1.42857)", vec!["1.42857"]),
        (K::BorderRadiuses, "border-radius", "calc(infinity * 1px)", vec!["9999px"]),
        (K::Durations, "transition-duration", "calc(.1s * 2)", vec!["200ms"]),
        (K::Spacing, "padding", "calc(1rem - (2px + 100%) * 2)", vec!["calc(-200% - 4px + 1rem)"]),
        (K::Spacing, "margin", "calc(infinity * 1px)", vec!["calc(infinity * 1px)"]),
        (K::BorderRadiuses, "border-radius", "1px 2px / 50%", vec!["1px", "50%", "2px"]),
        (K::BorderWidths, "border", "thin solid", vec!["thin"]),
        (K::BorderWidths, "border", "solid red", vec![]),
        (K::BoxShadows, "box-shadow", "inset 0 1px red", vec!["0 1px 0 0 #ff0000 inset"]),
        (
            K::BoxShadows,
            "box-shadow",
            "#0000001a 0px 1px 2px -1px,0 0 3px",
            vec!["0 1px 2px -1px #0000001a, 0 0 3px 0 currentcolor"],
        ),
        (K::BoxShadows, "box-shadow", "none", vec![]),
        (K::TextShadows, "text-shadow", "1px 1px #000", vec!["1px 1px 0 #000000"]),
        (K::Opacities, "opacity", "50%", vec!["0.5"]),
        (K::Opacities, "opacity", "2", vec!["1"]),
        (K::Opacities, "opacity", "calc(1 - .3)", vec!["0.7"]),
        (K::Opacities, "opacity", "calc(2 * .8)", vec!["1"]),
        (K::Opacities, "opacity", "calc(.5 - 1)", vec!["0"]),
        (K::Opacities, "opacity", "calc(50% * 3)", vec!["1"]),
        (K::Opacities, "opacity", "150%", vec!["1"]),
        (K::Opacities, "opacity", "-1", vec!["0"]),
        (
            K::Gradients,
            "background",
            "linear-gradient(to bottom, red 0, #00F 100%) no-repeat, url(a.png)",
            vec!["linear-gradient(#ff0000 0px, #0000ff 100%)"],
        ),
        (
            K::Gradients,
            "background-image",
            "linear-gradient(.5turn, transparent, #fff)",
            vec!["linear-gradient(#00000000, #ffffff)"],
        ),
        (
            K::Gradients,
            "mask-image",
            "radial-gradient(circle at 50% 0, black, transparent)",
            vec!["radial-gradient(circle at 50% 0px, #000000, #00000000)"],
        ),
        (
            K::Gradients,
            "background-image",
            "conic-gradient(from 0, red, blue)",
            vec!["conic-gradient(#ff0000, #0000ff)"],
        ),
        (K::Durations, "transition", "color .3s, opacity 150ms", vec!["300ms", "150ms"]),
        (K::Easings, "transition", "color .3s", vec!["ease"]),
        (
            K::Easings,
            "transition-timing-function",
            "cubic-bezier(.4,0,.2,1), steps(4,end), steps(2, start)",
            vec!["cubic-bezier(0.4, 0, 0.2, 1)", "steps(4)", "steps(2, start)"],
        ),
        (
            K::Easings,
            "animation-timing-function",
            "linear(0, .25, 1 50%, .9)",
            vec!["linear(0 0%, 0.25 25%, 1 50%, 0.9 100%)"],
        ),
        (K::Easings, "animation-timing-function", "linear(0 20% 40%, 1)", vec!["linear(0 20%, 0 40%, 1 100%)"]),
        (K::ZIndexes, "z-index", "010", vec!["10"]),
        (K::ZIndexes, "z-index", "2147483647", vec!["2147483647"]),
        (K::ZIndexes, "z-index", "auto", vec![]),
        (K::Spacing, "margin", "1000000px 16777217px 1234567.5px", vec!["1000000px", "16777217px", "1234567.5px"]),
        (K::Spacing, "margin", "min(2000000px, 50%)", vec!["min(2000000px, 50%)"]),
        (K::Spacing, "margin", "max(0px, calc((1.3em - 1.5em) / 2))", vec!["max(0px, -0.1em)"]),
        (K::Spacing, "margin", "max(0em, calc((1.3em - 1.5em) / 2)) min(3px, 2px + 2px)", vec!["0", "3px"]),
        (K::Spacing, "margin", "calc(1000000px + 1px)", vec!["1000001px"]),
        (K::Spacing, "margin", "13.33333333px", vec!["13.3333px"]),
        (K::Durations, "transition-duration", "99999s", vec!["99999000ms"]),
    ] {
        assert_eq!(keys(kind, name, value), expected, "{name}: {value}");
    }
}

#[test]
fn light_dark_labels_different_values() {
    let Some(declared) = expand("box-shadow", "0 0 light-dark(red, blue)") else { panic!("valid") };
    let DeclaredValue::Components(components) = &declared[0].value else { panic!("components") };
    let found: Vec<(String, Option<Theme>)> =
        values(declared[0].longhand, components).into_iter().map(|value| (value.key, value.theme)).collect();
    let expected = [
        ("0 0 0 0 #ff0000".to_owned(), Some(Theme::Light)),
        ("#ff0000".to_owned(), Some(Theme::Light)),
        ("0 0 0 0 #0000ff".to_owned(), Some(Theme::Dark)),
        ("#0000ff".to_owned(), Some(Theme::Dark)),
    ];
    assert_eq!(found, expected);
}

/// Images 4, section 3: all spellings of one gradient have one value.
#[test]
fn gradients_omit_defaults() {
    for (written, expected) in [
        ("linear-gradient(to bottom in oklch, red, blue)", "linear-gradient(in oklch, #ff0000, #0000ff)"),
        ("linear-gradient(to top left in oklch, red, blue)", "linear-gradient(to left top in oklch, #ff0000, #0000ff)"),
        ("linear-gradient(to bottom right, red, blue)", "linear-gradient(to right bottom, #ff0000, #0000ff)"),
        (
            "linear-gradient(90deg, red, 30%, blue 0 2px)",
            "linear-gradient(90deg, #ff0000, 30%, #0000ff 0px, #0000ff 2px)",
        ),
        ("radial-gradient(ellipse at center, red, blue)", "radial-gradient(#ff0000, #0000ff)"),
        (
            "radial-gradient(circle farthest-corner at 50% center, red, blue)",
            "radial-gradient(circle, #ff0000, #0000ff)",
        ),
        (
            "radial-gradient(ellipse closest-side at 50% 150%, red, blue)",
            "radial-gradient(closest-side at 50% 150%, #ff0000, #0000ff)",
        ),
        ("radial-gradient(circle 5px, red, blue)", "radial-gradient(5px, #ff0000, #0000ff)"),
        ("radial-gradient(at top left, red, blue)", "radial-gradient(at left top, #ff0000, #0000ff)"),
        (
            "linear-gradient(in oklch longer hue 180deg, red, blue)",
            "linear-gradient(in oklch longer hue, #ff0000, #0000ff)",
        ),
        ("conic-gradient(at 0 0, red 0, blue)", "conic-gradient(at 0px 0px, #ff0000 0deg, #0000ff)"),
        (
            "linear-gradient(color-mix(in srgb, currentcolor, red) 0 10px, blue)",
            "linear-gradient(color-mix(in srgb, currentcolor, #ff0000) 0px, color-mix(in srgb, currentcolor, #ff0000) 10px, #0000ff)",
        ),
        ("radial-gradient(at bottom, red, blue)", "radial-gradient(at center bottom, #ff0000, #0000ff)"),
        ("conic-gradient(at 30%, red, blue)", "conic-gradient(at 30% center, #ff0000, #0000ff)"),
        (
            "radial-gradient(at bottom 20px right 10px in oklch, red, blue)",
            "radial-gradient(at right 10px bottom 20px in oklch, #ff0000, #0000ff)",
        ),
        ("radial-gradient(in oklch at left, red, blue)", "radial-gradient(at left center in oklch, #ff0000, #0000ff)"),
        ("radial-gradient(in oklch, red, blue)", "radial-gradient(in oklch, #ff0000, #0000ff)"),
        (
            "conic-gradient(from 0 at center, red 0 90deg, blue 0)",
            "conic-gradient(#ff0000 0deg, #ff0000 90deg, #0000ff 0deg)",
        ),
        ("conic-gradient(currentcolor 10% 20%, blue)", "conic-gradient(currentcolor 10%, currentcolor 20%, #0000ff)"),
        (
            "repeating-linear-gradient(45deg, red 0 10px, blue 10px 20px)",
            "repeating-linear-gradient(45deg, #ff0000 0px, #ff0000 10px, #0000ff 10px, #0000ff 20px)",
        ),
        (
            "-webkit-radial-gradient(center, ellipse, red, blue)",
            "-webkit-radial-gradient(center, ellipse, #ff0000, #0000ff)",
        ),
    ] {
        assert_eq!(keys(TokenKind::Gradients, "background-image", written), [expected], "{written}");
    }
}
