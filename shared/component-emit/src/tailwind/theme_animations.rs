//! Finds the keyframes that Tailwind's theme has.
//!
//! Before → after: `animate-spin` and `@keyframes spin { to { transform: rotate(360deg) } }` → `animate-spin`.

use limner_component_model::model::Keyframes;

/// The theme's keyframes, in the form of [`canonical`].
const FRAMES: &[(&str, &str)] = &[
    (
        "bounce",
        "0%,100%{animation-timing-function:cubic-bezier(0.8,0,1,1);transform:translateY(-25%)}50%{animation-timing-function:cubic-bezier(0,0,0.2,1);transform:none}",
    ),
    ("ping", "75%,100%{opacity:0;transform:scale(2)}"),
    ("pulse", "50%{opacity:0.5}"),
    ("spin", "100%{transform:rotate(360deg)}"),
];

/// Returns true for keyframes that the theme has under their name, if a utility of the theme asks for them and no other
/// animation does: only then Tailwind writes them.
pub(super) fn is_in_theme<'c>(keyframes: &Keyframes, classes: impl Iterator<Item = &'c str>) -> bool {
    let name = keyframes.name.as_str();
    let Some((_, frames)) = FRAMES.iter().find(|(known, _)| *known == name) else { return false };
    let (mut is_used, mut is_arbitrary) = (false, false);
    for class in classes {
        let utility = class.rsplit(':').next().unwrap_or(class);
        is_used |= utility.strip_prefix("animate-") == Some(name);
        is_arbitrary |= class.contains("animate-[") && class.contains(name);
    }
    is_used && !is_arbitrary && canonical(keyframes) == *frames
}

/// Writes keyframes without white space, with sorted declarations, percentages and zeros before the point.
fn canonical(keyframes: &Keyframes) -> String {
    let mut out = String::new();
    for (selector, declarations) in &keyframes.frames {
        let offsets = selector.split(',').map(|offset| match offset.trim() {
            "from" => "0%",
            "to" => "100%",
            offset => offset,
        });
        out.push_str(&offsets.collect::<Vec<_>>().join(","));
        let value = |value: &str| {
            let plain: String = value.chars().filter(|c| !c.is_whitespace()).collect();
            plain.replace("(.", "(0.").replace(",.", ",0.")
        };
        let number = |text: String| if text.starts_with('.') { format!("0{text}") } else { text };
        let mut own: Vec<String> =
            declarations.iter().map(|(name, own)| format!("{name}:{}", number(value(own)))).collect();
        own.sort();
        out.push_str(&format!("{{{}}}", own.join(";")));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::is_in_theme;
    use limner_component_model::model::Keyframes;

    #[test]
    fn keyframes_of_the_theme_are_found() {
        let pulse = |opacity: &str| Keyframes {
            name: "pulse".to_owned(),
            frames: vec![("50%".to_owned(), vec![("opacity".to_owned(), opacity.to_owned())])],
        };
        for (frames, classes, expected) in [
            (pulse(".5"), &["md:animate-pulse"][..], true),
            (pulse(".4"), &["animate-pulse"], false),
            (pulse(".5"), &["animate-[pulse_3s_infinite]"], false),
            (pulse(".5"), &["animate-pulse", "hover:animate-[pulse_3s_infinite]"], false),
        ] {
            assert_eq!(is_in_theme(&frames, classes.iter().copied()), expected, "{classes:?}");
        }
        let spin = Keyframes {
            name: "spin".to_owned(),
            frames: vec![("to".to_owned(), vec![("transform".to_owned(), "rotate(360deg)".to_owned())])],
        };
        assert!(is_in_theme(&spin, std::iter::once("animate-spin")));
        let bounce = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let bounce = Keyframes {
            name: "bounce".to_owned(),
            frames: vec![
                (
                    "0%, to".to_owned(),
                    vec![
                        bounce("transform", "translateY(-25%)"),
                        bounce("animation-timing-function", "cubic-bezier(.8,0,1,1)"),
                    ],
                ),
                (
                    "50%".to_owned(),
                    vec![
                        bounce("animation-timing-function", "cubic-bezier(0, 0, 0.2, 1)"),
                        bounce("transform", "none"),
                    ],
                ),
            ],
        };
        assert!(is_in_theme(&bounce, std::iter::once("animate-bounce")));
    }
}
