//! Case-insensitive search for several substrings at once.

/// Substrings to find in texts of any case, also inside of longer words. The search visits most bytes once, however
/// many substrings there are.
#[derive(Debug, Clone, Copy)]
pub struct SubstringSet {
    words: &'static [&'static str],
    /// Index of the rarest letter of each word.
    rarest_index: [usize; MAX_WORDS],
    /// For each byte in either case, a bit for each word whose rarest letter it is.
    rare: [u8; 256],
}

/// Maximum number of words in a set.
const MAX_WORDS: usize = 8;

/// Letters in English and in identifiers, the rarest first.
const BY_RARITY: &[u8] = b"qjzxvkywgbpfmhudclsrnoiate";

/// Returns the index of a word's rarest letter.
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

impl SubstringSet {
    /// Creates a set of lower-case ASCII words: at most eight, none of them empty.
    pub const fn new(words: &'static [&'static str]) -> Self {
        let (mut rare, mut rarest_index, mut at) = ([0; 256], [0; MAX_WORDS], 0);
        while at < words.len() {
            let word = words[at].as_bytes();
            rarest_index[at] = rarest(word);
            let byte = word[rarest_index[at]];
            rare[byte.to_ascii_uppercase() as usize] |= 1 << at;
            rare[byte as usize] = rare[byte.to_ascii_uppercase() as usize];
            at += 1;
        }
        Self { words, rarest_index, rare }
    }

    /// Returns true if a text contains one of the words.
    pub fn is_match(&self, text: &str) -> bool {
        let bytes = text.as_bytes();
        let is_around = |at: usize, word: &str, place: usize| {
            let found = at.checked_sub(place).and_then(|start| bytes.get(start..start + word.len()));
            found.is_some_and(|found| found.eq_ignore_ascii_case(word.as_bytes()))
        };
        bytes.iter().enumerate().any(|(at, byte)| {
            let mut candidates = self.rare[usize::from(*byte)];
            while candidates != 0 {
                let word = candidates.trailing_zeros() as usize;
                if is_around(at, self.words[word], self.rarest_index[word]) {
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
    fn substrings_are_found_in_any_case() {
        const WORDS: SubstringSet = SubstringSet::new(&["dark", "night"]);
        for text in ["dark", "a.DARK", "midNight", "ddark", "darkness"] {
            assert!(WORDS.is_match(text), "{text}");
        }
        for text in ["", "d", "dar", "da rk", "light", "ni\u{1F319}ght"] {
            assert!(!WORDS.is_match(text), "{text}");
        }
        assert!(!SubstringSet::new(&[]).is_match("dark"));
    }
}
