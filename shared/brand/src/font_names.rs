//! Names of font families as people know them, instead of those that hosts and build tools give them.

use super::name_tokens::{contains_any, split_words};

/// Names of the system's UI font.
const SYSTEM: &[&str] = &["system-ui", "-apple-system", "blinkmacsystemfont", "ui-sans-serif"];
const GENERIC: &[&str] = &[
    "serif",
    "sans-serif",
    "monospace",
    "cursive",
    "fantasy",
    "math",
    "ui-serif",
    "ui-monospace",
    "ui-rounded",
    "emoji",
];

/// Returns the common name of the family that a stack requests: the first that is not a fallback and that `draws` the
/// text. A stack of system fonts is `system-ui`, if it names one of them.
pub(super) fn family(stack: &str, draws: &dyn Fn(&str) -> bool) -> Option<String> {
    let listed = split(stack);
    let drawing = listed.iter().position(|name| draws(name)).unwrap_or(0);
    let named = |number: usize| clean_family_name(&listed[number], listed.get(number + 1).map(String::as_str));
    let families: Vec<String> = (drawing..listed.len()).filter_map(named).collect();
    let first = families.first()?;
    let is = |name: &str, list: &[&str]| list.contains(&name.to_ascii_lowercase().as_str());
    if is(first, SYSTEM) {
        let system = families.iter().find(|name| name.eq_ignore_ascii_case("system-ui"));
        return Some(system.unwrap_or(first).clone());
    }
    if is(first, GENERIC) && !is(first, &["serif", "sans-serif", "monospace", "cursive", "fantasy"]) {
        return families.iter().find(|name| !is(name, GENERIC) && !is(name, SYSTEM)).or(Some(first)).cloned();
    }
    Some(first.clone())
}

/// Returns the name by which a stack requests the family of [`family`].
pub(super) fn requested_name(stack: &str, draws: &dyn Fn(&str) -> bool) -> Option<String> {
    let listed = split(stack);
    let drawing = listed.iter().position(|name| draws(name)).unwrap_or(0);
    let is_named =
        |number: &usize| clean_family_name(&listed[*number], listed.get(number + 1).map(String::as_str)).is_some();
    (drawing..listed.len()).find(is_named).map(|number| listed[number].clone())
}

/// Returns true for generic families, which name no font.
pub(super) fn is_generic(name: &str) -> bool {
    GENERIC.contains(&name.to_ascii_lowercase().as_str())
}

/// Returns the names in a stack, without quotes.
fn split(stack: &str) -> Vec<String> {
    let mut names = vec![String::new()];
    let mut quote = None;
    for letter in stack.chars().take(2_000) {
        match (letter, quote) {
            ('"' | '\'', None) => quote = Some(letter),
            (_, Some(open)) if letter == open => quote = None,
            (',', None) => names.push(String::new()),
            _ => names.iter_mut().last().into_iter().for_each(|name| name.push(letter)),
        }
    }
    names.iter().map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
}

/// Removes the additions of build tools and font hosts from a name: `__Inter_a1b2c3` is Inter, `avenir-lt-w01_35-light`
/// Avenir LT. `next` is the family after it in the stack. Returns `None` for fallbacks that tools generate from system
/// fonts.
fn clean_family_name(name: &str, next: Option<&str>) -> Option<String> {
    const FALLBACK_SUFFIXES: &[&str] = &[" fallback", "_fallback", " placeholder", "-fallback"];
    let lower = name.to_ascii_lowercase();
    if FALLBACK_SUFFIXES.iter().any(|end| lower.ends_with(end))
        || lower.contains("_fallback_")
        || lower.contains(" fallback: ")
    {
        return None;
    }
    if let Some((family, hash)) = name.strip_prefix("__").and_then(|rest| rest.rsplit_once('_')) {
        let is_hash = hash.len() == 6 && hash.chars().all(|digit| digit.is_ascii_hexdigit());
        return Some(if is_hash && !family.is_empty() { family.replace('_', " ") } else { name.to_owned() });
    }
    Some(hosted_name(&lower, next).unwrap_or_else(|| plain_name(without_format(name))))
}

/// Returns the family of a PostScript name with a cut (`HelveticaNeue-Light`), and several words in lower case with
/// capitals (`helvetica neue`); any other name as it is.
fn plain_name(name: &str) -> String {
    let of_face = name.split_once('-').filter(|(family, cuts)| {
        // Abbreviations are part of the name: `SFMono-Regular`.
        let is_capitalised = matches!(family.as_bytes(), [first, second, ..] if first.is_ascii_uppercase() && second.is_ascii_lowercase());
        let is_camel = is_capitalised && family.chars().all(|c| c.is_ascii_alphanumeric());
        is_camel && consists_of_cuts(&cuts.to_ascii_lowercase())
    });
    if let Some((family, _)) = of_face {
        let mut spaced = String::new();
        let mut after_lower = false;
        for letter in family.chars() {
            if after_lower && letter.is_ascii_uppercase() {
                spaced.push(' ');
            }
            after_lower = letter.is_ascii_lowercase();
            spaced.push(letter);
        }
        return spaced;
    }
    let is_lower = name.contains(' ') && name.chars().all(|c| c.is_ascii_lowercase() || c == ' ');
    if is_lower { title_case(name) } else { name.to_owned() }
}

/// Returns true if a text in lower case is one or more of [`CUTS`] without anything between: `semibolditalic`.
fn consists_of_cuts(text: &str) -> bool {
    let mut rest = text;
    while !rest.is_empty() {
        let Some(cut) = CUTS.iter().filter(|cut| rest.starts_with(**cut)).max_by_key(|cut| cut.len()) else {
            return false;
        };
        rest = &rest[cut.len()..];
    }
    !text.is_empty()
}

/// Endings of the names of single weights and styles.
const CUTS: &[&str] = &[
    "thin",
    "hairline",
    "extralight",
    "ultralight",
    "light",
    "book",
    "regular",
    "roman",
    "normal",
    "medium",
    "semibold",
    "demi",
    "demibold",
    "bold",
    "extrabold",
    "ultrabold",
    "heavy",
    "black",
    "italic",
    "oblique",
];

/// Returns the family of a name that a font host made from it, which is written in lower case: `avenir-lt-w01_35-light`
/// (a character set and a cut), `playfairdisplay-bold` before `playfair display`, `proxima-nova`.
fn hosted_name(lower: &str, next: Option<&str>) -> Option<String> {
    if let Some(family) = before_character_set(lower) {
        return Some(title_case(family));
    }
    let parts: Vec<&str> = lower.split('-').collect();
    let cuts = parts.iter().rev().take_while(|part| CUTS.contains(part)).count().min(parts.len() - 1);
    let family = parts[..parts.len() - cuts].join("-");
    let squash = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    let same = next.filter(|next| cuts > 0 && squash(next) == squash(&family));
    same.map(|next| if next.chars().any(char::is_uppercase) { next.to_owned() } else { title_case(next) })
}

/// Returns the part of a name before the mark of a character set: `-w01-` to `-w99_`.
fn before_character_set(lower: &str) -> Option<&str> {
    let at = lower.match_indices("-w").map(|(at, _)| at).find(|at| {
        let rest = &lower.as_bytes()[at + 2..];
        matches!(rest, [tens, ones, ..] if tens.is_ascii_digit() && ones.is_ascii_digit())
            && matches!(rest.get(2), None | Some(b'-' | b'_'))
    })?;
    Some(&lower[..at]).filter(|family| !family.is_empty())
}

/// Removes what says that a file is for the web, or has variable axes.
fn without_format(name: &str) -> &str {
    const FORMATS: &[&str] = &[" web", " webfont", "-webfont", " variable", " vf", " var"];
    let end = FORMATS.iter().find_map(|format| {
        let start = name.len().checked_sub(format.len())?;
        (start > 0 && name.is_char_boundary(start) && name[start..].eq_ignore_ascii_case(format)).then_some(start)
    });
    &name[..end.unwrap_or(name.len())]
}

/// Capitalises words; foundries' and scripts' short forms have capitals only.
fn title_case(name: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        match letters.next() {
            Some(_)
                if matches!(
                    word,
                    "lt" | "mt" | "pt" | "ps" | "std" | "itc" | "bt" | "fs" | "ff" | "dm" | "jp" | "tc" | "sc" | "kr"
                ) =>
            {
                word.to_uppercase()
            }
            Some(first) => first.to_uppercase().chain(letters).collect(),
            None => String::new(),
        }
    };
    name.split(['-', '_', ' ']).filter(|part| !part.is_empty()).map(word).collect::<Vec<String>>().join(" ")
}

/// Returns true if the first family of a stack is an icon font.
pub(super) fn is_icon_font(stack: &str) -> bool {
    const ICONS: &[&str] = &[
        "fontawesome",
        "icomoon",
        "glyphicons",
        "dashicons",
        "ionicons",
        "octicons",
        "themify",
        "linearicons",
        "flaticon",
        "boxicons",
        "lineicons",
        "fontello",
        "genericons",
        "remixicon",
        "typicons",
        "eicons",
        "videojs",
        "slick",
        "etmodules",
        "codicon",
        "devicon",
        "feather",
        "entypo",
        "foundicons",
        "mfglabs",
        "stroke7",
        "nucleo",
        "primeicons",
        "tabler",
    ];
    let Some(first) = split(stack).into_iter().next() else { return false };
    let words = split_words(&first);
    let squashed: String = words.concat();
    contains_any(&words, &["icon", "icons", "symbols", "glyphs", "awesome"])
        || ICONS.iter().any(|name| squashed.starts_with(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_have_their_common_names() {
        for (stack, expected) in [
            ("__Inter_a1b2c3, __Inter_Fallback_a1b2c3, sans-serif", "Inter"),
            ("__IBM_Plex_Sans_d65c78", "IBM Plex Sans"),
            ("\"Inter Fallback\", Roboto", "Roboto"),
            ("\"Roboto Slab\", -apple-system, serif", "Roboto Slab"),
            ("-apple-system, BlinkMacSystemFont, \"Segoe UI\"", "-apple-system"),
            ("ui-sans-serif, system-ui, -apple-system", "system-ui"),
            ("ui-monospace, SFMono-Regular, Menlo", "SFMono-Regular"),
            ("sans-serif", "sans-serif"),
            ("\"A, B\", serif", "A, B"),
            ("__init", "__init"),
            // Names that hosts make.
            ("avenir-lt-w01_85-heavy1475544, sans-serif", "Avenir LT"),
            ("din-next-w01-light, sans-serif", "Din Next"),
            ("playfairdisplay-semibold, \"playfair display\", serif", "Playfair Display"),
            ("raleway-bold, raleway, sans-serif", "Raleway"),
            ("poppins-extralight-italic, Poppins, sans-serif", "Poppins"),
            ("\"Founders Grotesk Web\", serif", "Founders Grotesk"),
            ("\"Inter Variable\", sans-serif", "Inter"),
            ("\"Variable\", sans-serif", "Variable"),
            ("brand-bold, Georgia, serif", "brand-bold"),
            ("proxima-nova, sans-serif", "proxima-nova"),
            ("bold, serif", "bold"),
            ("HelveticaNeue-Light, Arial", "Helvetica Neue"),
            ("OpenSans-SemiBold", "Open Sans"),
            ("\"helvetica neue\", arial", "Helvetica Neue"),
            ("Pro-Forma", "Pro-Forma"),
        ] {
            assert_eq!(family(stack, &|_| true).as_deref(), Some(expected), "{stack}");
        }
        assert_eq!(family("", &|_| true), None);
        assert_eq!(family("Digits, Sans, serif", &|name| name != "Digits").as_deref(), Some("Sans"));
        assert_eq!(family("Digits, Sans", &|_| false).as_deref(), Some("Digits"));
    }

    #[test]
    fn icon_fonts_are_recognised() {
        for (stack, expected) in [
            ("\"Font Awesome 6 Free\"", true),
            ("FontAwesome", true),
            ("\"Material Symbols Outlined\"", true),
            ("bootstrap-icons", true),
            ("icomoon", true),
            ("Inter, \"Material Icons\"", false),
            ("Symbol", false),
            ("Silicon Valley", false),
        ] {
            assert_eq!(is_icon_font(stack), expected, "{stack}");
        }
    }
}
