//! Words that are looked for in many texts.

/// Words to be found in texts of any case, inside of other words too: one look at most bytes, however many words there
/// are.
#[derive(Debug, Clone, Copy)]
pub struct Words {
    words: &'static [&'static str],
    /// Bytes that one of them starts with, in both cases.
    firsts: [bool; 256],
}

impl Words {
    /// Words of ASCII in lower case, none of them empty.
    pub const fn new(words: &'static [&'static str]) -> Self {
        let (mut firsts, mut at) = ([false; 256], 0);
        while at < words.len() {
            let first = words[at].as_bytes()[0];
            firsts[first as usize] = true;
            firsts[first.to_ascii_uppercase() as usize] = true;
            at += 1;
        }
        Self { words, firsts }
    }

    /// Whether one of them is in a text.
    pub fn are_in(&self, text: &str) -> bool {
        let starts = |rest: &[u8], word: &str| {
            word.len() <= rest.len() && word.bytes().zip(rest).all(|(byte, other)| byte == other.to_ascii_lowercase())
        };
        let bytes = text.as_bytes();
        let mut candidates = bytes.iter().enumerate().filter(|(_, byte)| self.firsts[usize::from(**byte)]);
        candidates.any(|(at, _)| self.words.iter().any(|word| starts(&bytes[at..], word)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_texts() {
        const WORDS: Words = Words::new(&["dark", "night"]);
        for text in ["dark", "a.DARK", "midNight", "ddark", "darkness"] {
            assert!(WORDS.are_in(text), "{text}");
        }
        for text in ["", "d", "dar", "da rk", "light", "ni\u{1F319}ght"] {
            assert!(!WORDS.are_in(text), "{text}");
        }
        assert!(!Words::new(&[]).are_in("dark"));
    }
}
