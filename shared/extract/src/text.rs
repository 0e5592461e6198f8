//! Small questions about text.

/// Whether `text` contains `word` (ASCII) in any case.
pub(crate) fn contains_ignore_case(text: &str, word: &str) -> bool {
    let (text, word) = (text.as_bytes(), word.as_bytes());
    let Some(first) = word.first() else { return true };
    text.windows(word.len()).any(|window| window[0].eq_ignore_ascii_case(first) && window.eq_ignore_ascii_case(word))
}
