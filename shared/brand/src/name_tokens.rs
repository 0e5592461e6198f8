//! Splits names into words: classes, ids, file names.

/// Returns the words of a name in lower case: split at everything but letters and digits, at camel humps, and before a
/// number that follows a word. `siteHeader__logo-dark2` is `site`, `header`, `logo`, `dark`, `2`; `h1` stays.
pub(super) fn split_words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut before_is_lower = false;
    // Longer names are URLs or data, not names.
    for letter in name.chars().take(300) {
        let starts_hump = letter.is_uppercase() && before_is_lower;
        let starts_number = letter.is_ascii_digit() && word.len() >= 4 && !word.ends_with(|c: char| c.is_ascii_digit());
        if (!letter.is_alphanumeric() || starts_hump || starts_number) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if letter.is_alphanumeric() {
            word.extend(letter.to_lowercase());
        }
        before_is_lower = letter.is_lowercase() || letter.is_ascii_digit();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// Returns true if one of the words is in the list.
pub(super) fn contains_any(words: &[String], list: &[&str]) -> bool {
    words.iter().any(|word| list.contains(&word.as_str()))
}

/// Normalizes a name to its letters and digits in lower case, which different spellings have in common.
pub(super) fn squashed(text: &str) -> String {
    text.chars().take(300).filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_into_words() {
        for (name, expected) in [
            ("siteHeader__logo-dark2", "site header logo dark 2"),
            ("firefox-logo120.png", "firefox logo 120 png"),
            ("h1 a2a col4", "h1 a2a col4"),
            ("LOGO", "logo"),
            ("mdl-layout__header", "mdl layout header"),
            ("HTMLLogo", "htmllogo"),
            ("fc-Rose_Écran", "fc rose écran"),
            ("--", ""),
        ] {
            assert_eq!(split_words(name).join(" "), expected, "{name}");
        }
        assert_eq!(squashed("The Acme™ Co."), "theacmeco");
        assert!(contains_any(&split_words("a-b"), &["b"]) && !contains_any(&split_words("ab"), &["b"]));
    }
}
