//! Reduces font stacks to the families that a person would write.

use limner_component_model::css::split_list::split_commas;

/// Families that stand for a platform's own user interface font. A stack that begins with one is a system stack.
const SANS_ALIASES: &[&str] = &["-apple-system", "blinkmacsystemfont", "system-ui", "ui-sans-serif"];

/// Families of system stacks without serifs: fonts that come with a platform.
#[rustfmt::skip]
const SANS: &[&str] = &[
    "segoe ui", "segoe ui variable", "segoe ui variable text", "roboto", "helvetica neue", "helvetica", "arial", "noto sans",
    "liberation sans", "ubuntu", "cantarell", "oxygen", "oxygen-sans", "fira sans", "droid sans", "open sans", "lucida grande",
    ".sfnstext-regular", "sf pro text", "sf pro display", "sans-serif",
];
const SERIF: &[&str] = &["ui-serif", "georgia", "cambria", "times new roman", "times", "serif"];
#[rustfmt::skip]
const MONO: &[&str] = &[
    "ui-monospace", "sfmono-regular", "sf mono", "menlo", "monaco", "consolas", "cascadia mono", "segoe ui mono", "roboto mono",
    "oxygen mono", "ubuntu mono", "ubuntu monospace", "source code pro", "fira mono", "droid sans mono", "liberation mono",
    "lucida console", "courier new", "courier", "monospace",
];

/// Families for emoji, which browsers also find by themselves.
const EMOJI: &[&str] = &["apple color emoji", "segoe ui emoji", "segoe ui symbol", "noto color emoji", "noto emoji"];

const GENERIC: &[&str] = &["sans-serif", "serif", "monospace", "cursive", "fantasy", "math"];

/// Returns the theme's stack (`sans`, `serif`, `mono`) that a system stack is a spelling of.
pub(super) fn system_stack(stack: &str) -> Option<&'static str> {
    let all: Vec<String> = split_commas(stack).into_iter().map(key).collect();
    let mut families = all.iter().map(String::as_str).filter(|family| !EMOJI.contains(family));
    let first = families.next()?;
    let mut rest_is = |known: &[&str], more: &[&str]| families.all(|own| known.contains(&own) || more.contains(&own));
    match first {
        alias if SANS_ALIASES.contains(&alias) => rest_is(SANS, SANS_ALIASES).then_some("sans"),
        "ui-serif" => rest_is(SERIF, &[]).then_some("serif"),
        "ui-monospace" | "sfmono-regular" | "sf mono" | "menlo" => rest_is(MONO, &[]).then_some("mono"),
        // The stack of Tailwind before version 2.
        "georgia" if all.get(1).is_some_and(|second| second == "cambria") => rest_is(SERIF, &[]).then_some("serif"),
        _ => None,
    }
}

/// Returns the named families of a stack and its generic one. Named ones behind a platform's own font are left out.
/// A stack without a generic family stays as it is.
pub(super) fn named_families(families: &[String]) -> Vec<String> {
    let is = |family: &String, names: &[&str]| names.contains(&key(family).as_str());
    let Some(generic) = families.iter().find(|family| is(family, GENERIC)) else { return families.to_vec() };
    let is_end = |family: &String| [SANS_ALIASES, OTHER_ALIASES, GENERIC].iter().any(|names| is(family, names));
    let named = families.iter().take_while(|family| !is_end(family)).filter(|family| !is(family, EMOJI));
    let named: Vec<String> = named.cloned().collect();
    if named.is_empty() {
        return families.to_vec();
    }
    named.into_iter().chain([generic.clone()]).collect()
}

/// Aliases of the other kinds.
const OTHER_ALIASES: &[&str] = &["ui-monospace", "ui-serif", "ui-rounded"];

/// Returns a family without quotes, in lower case.
fn key(family: impl AsRef<str>) -> String {
    family.as_ref().trim_matches(['"', '\'']).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::{named_families, system_stack};

    #[test]
    fn system_stacks_are_recognized() {
        for (stack, expected) in [
            ("system-ui, sans-serif", Some("sans")),
            (
                "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Arial, sans-serif, 'Apple Color Emoji'",
                Some("sans"),
            ),
            ("ui-sans-serif,system-ui,sans-serif,\"Apple Color Emoji\",\"Noto Color Emoji\"", Some("sans")),
            ("SFMono-Regular, Menlo, Monaco, Consolas, 'Liberation Mono', 'Courier New', monospace", Some("mono")),
            ("Georgia, Cambria, 'Times New Roman', Times, serif", Some("serif")),
            ("Georgia, serif", None),
            ("Arial, sans-serif", None),
            ("system-ui, 'Comic Neue', sans-serif", None),
            ("sans-serif", None),
            ("monospace", None),
        ] {
            assert_eq!(system_stack(stack), expected, "{stack}");
        }
    }

    #[test]
    fn named_families_and_the_generic_one_are_kept() {
        for (stack, expected) in [
            ("Inter|ui-sans-serif|system-ui|sans-serif|'Noto Color Emoji'", "Inter|sans-serif"),
            ("Lato|'Helvetica Neue'|Arial|sans-serif", "Lato|'Helvetica Neue'|Arial|sans-serif"),
            ("'Roboto Slab'|-apple-system|Arial|serif", "'Roboto Slab'|serif"),
            ("Inter|system-ui", "Inter|system-ui"),
            ("system-ui|Inter|sans-serif", "system-ui|Inter|sans-serif"),
        ] {
            let families: Vec<String> = stack.split('|').map(str::to_owned).collect();
            assert_eq!(named_families(&families).join("|"), expected);
        }
    }
}
