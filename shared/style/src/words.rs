//! Words that are looked for in many texts.

/// Words to be found in texts of any case, inside of other words too: one look at most bytes, however many words there
/// are.
#[derive(Debug, Clone, Copy)]
pub struct Words {
    words: &'static [&'static str],
    /// Where the rarest letter of each is.
    places: [usize; MOST],
    /// The rarest bytes of each, in both cases.
    rare: [bool; 256],
}

/// Most words that are looked for together.
const MOST: usize = 8;

/// Letters of English and of names in code, from the rarest.
const BY_RARITY: &[u8] = b"qjzxvkywgbpfmhudclsrnoiate";

/// Where the rarest letter of a word is.
const fn rarest(word: &[u8]) -> usize {
    let mut letter = 0;
    while letter < BY_RARITY.len() {
        let mut at = 0;
        while at < word.len() {
            if word[at] == BY_RARITY[letter] {
                return at;
            }
            at += 1;
        }
        letter += 1;
    }
    0
}

impl Words {
    /// Words of ASCII in lower case, eight at most, none of them empty.
    pub const fn new(words: &'static [&'static str]) -> Self {
        let (mut rare, mut places, mut at) = ([false; 256], [0; MOST], 0);
        while at < words.len() {
            let word = words[at].as_bytes();
            places[at] = rarest(word);
            let byte = word[places[at]];
            rare[byte as usize] = true;
            rare[byte.to_ascii_uppercase() as usize] = true;
            at += 1;
        }
        Self { words, places, rare }
    }

    /// Whether one of them is in a text.
    pub fn are_in(&self, text: &str) -> bool {
        let bytes = text.as_bytes();
        let is_around = |at: usize, (word, place): (&&str, &usize)| {
            let found = at.checked_sub(*place).and_then(|start| bytes.get(start..start + word.len()));
            found.is_some_and(|found| found.eq_ignore_ascii_case(word.as_bytes()))
        };
        let mut candidates = bytes.iter().enumerate().filter(|(_, byte)| self.rare[usize::from(**byte)]);
        candidates.any(|(at, _)| self.words.iter().zip(&self.places).any(|word| is_around(at, word)))
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
