//! Names of files, from texts of a page: safe on every system, and unique in their directory.

use std::collections::HashSet;

/// Maximum length of a name without its extension, in characters.
const MAX_LEN: usize = 60;
/// Names that Windows reserves for devices, with any extension.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// Returns a text as a name: letters and digits in lower case with dots and hyphens between words, cut at a word. Empty
/// if the text has no letters or digits.
pub fn slug(text: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut len = 0;
    for word in text.to_lowercase().split(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '_'))) {
        let word: String = word.trim_matches(['.', '_']).chars().take(MAX_LEN).collect();
        let more = word.chars().count() + usize::from(!words.is_empty());
        if word.is_empty() {
            continue;
        }
        if len + more > MAX_LEN {
            break;
        }
        len += more;
        words.push(word);
    }
    let name = words.join("-");
    if is_device(&name) { format!("{name}-file") } else { name }
}

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    let is_port = |port: &str| stem.strip_prefix(port).is_some_and(|number| number.len() == 1);
    DEVICES.contains(&stem) || is_port("com") || is_port("lpt")
}

/// The names taken in a directory, without regard to case.
#[derive(Debug, Default)]
pub struct FileNames(HashSet<String>);

impl FileNames {
    /// Returns `stem.extension`, or the first of `stem-2.extension`, … that is free, and takes it.
    pub fn unique(&mut self, stem: &str, extension: &str) -> String {
        let dot = if extension.is_empty() { "" } else { "." };
        let numbered = (2..).map(|number| format!("{stem}-{number}{dot}{extension}"));
        let mut names = std::iter::once(format!("{stem}{dot}{extension}")).chain(numbered);
        // The names never end.
        names.find(|name| self.0.insert(name.to_lowercase())).unwrap_or_default()
    }

    /// Returns true if `stem.extension` is not taken.
    pub fn is_free(&self, stem: &str, extension: &str) -> bool {
        !self.0.contains(&format!("{stem}.{extension}").to_lowercase())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_on_every_system() {
        for (text, name) in [
            ("Three paper lamps over a fjord at dusk", "three-paper-lamps-over-a-fjord-at-dusk"),
            ("../../etc/passwd", "etc-passwd"),
            ("a\0b\u{1b}[2J\u{202e}c:d\\e|f?g*\"h\"", "a-b-2j-c-d-e-f-g-h"),
            (".hidden", "hidden"),
            ("-rf ~", "rf"),
            ("  ", ""),
            ("CON", "con-file"),
            ("lpt1.txt", "lpt1.txt-file"),
            ("Ünï cöde 漢字", "ünï-cöde-漢字"),
            ("icon_cart", "icon_cart"),
            ("v1.2", "v1.2"),
        ] {
            assert_eq!(slug(text), name, "{text:?}");
        }
        let long = slug(&"word ".repeat(40));
        assert!(long.len() <= MAX_LEN && long.ends_with("word"), "{long}");
        assert_eq!(slug(&"x".repeat(300)).len(), MAX_LEN);
    }

    #[test]
    fn names_are_unique_without_regard_to_case() {
        let mut names = FileNames::default();
        let given: Vec<String> =
            ["lamp", "Lamp", "lamp-2", "lamp"].iter().map(|stem| names.unique(stem, "png")).collect();
        assert_eq!(given, ["lamp.png", "Lamp-2.png", "lamp-2-2.png", "lamp-3.png"]);
        assert_eq!(names.unique("lamp", ""), "lamp");
    }
}
