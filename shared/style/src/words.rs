//! Words that are looked for in many texts.

/// Words to be found in texts of any case, inside of other words too: one look at most bytes, however many words there
/// are.
#[derive(Debug, Clone, Copy)]
pub struct Words {
    words: &'static [&'static str],
    /// Where the rarest letter of each is.
    places: [usize; MOST],
    /// The words that a byte is the rarest letter of, in either case: a bit for each.
    rare: [u8; 256],
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
        let (mut rare, mut places, mut at) = ([0; 256], [0; MOST], 0);
        while at < words.len() {
            let word = words[at].as_bytes();
            places[at] = rarest(word);
            let byte = word[places[at]];
            rare[byte.to_ascii_uppercase() as usize] |= 1 << at;
            rare[byte as usize] = rare[byte.to_ascii_uppercase() as usize];
            at += 1;
        }
        Self { words, places, rare }
    }

    /// Whether one of them is in a text.
    pub fn are_in(&self, text: &str) -> bool {
        let bytes = text.as_bytes();
        let is_around = |at: usize, word: &str, place: usize| {
            let found = at.checked_sub(place).and_then(|start| bytes.get(start..start + word.len()));
            found.is_some_and(|found| found.eq_ignore_ascii_case(word.as_bytes()))
        };
        bytes.iter().enumerate().any(|(at, byte)| {
            let mut candidates = self.rare[usize::from(*byte)];
            while candidates != 0 {
                let word = candidates.trailing_zeros() as usize;
                if is_around(at, self.words[word], self.places[word]) {
                    return true;
                }
                candidates &= candidates - 1;
            }
            false
        })
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
