//! Resolves character references in texts of XML: numeric ones, and the named ones of HTML, which documents use without
//! declaring them.

use markup5ever::data::NAMED_ENTITIES;

/// Maximum length of a reference, in bytes; the longest name of HTML has 31.
const MAX_REFERENCE_BYTES: usize = 31;

/// Replaces the character references in a text. Unknown ones, and ampersands that begin none, stay as written.
pub fn unescape(text: &str) -> String {
    let mut read = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        read.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let name = after.bytes().take(MAX_REFERENCE_BYTES + 1).position(|byte| byte == b';').map(|end| &after[..end]);
        match name.and_then(|name| Some((name, resolve(name)?))) {
            Some((name, letters)) => {
                read.push_str(&letters);
                rest = &after[name.len() + 1..];
            }
            None => {
                read.push('&');
                rest = after;
            }
        }
    }
    read.push_str(rest);
    read
}

/// Returns the characters that a reference such as `eacute` or `#233` stands for.
pub fn resolve(name: &str) -> Option<String> {
    let number = |digits: &str, radix| u32::from_str_radix(digits, radix).ok().and_then(char::from_u32);
    match name.strip_prefix('#') {
        Some(hex) if hex.starts_with(['x', 'X']) => number(&hex[1..], 16).map(String::from),
        Some(decimal) => number(decimal, 10).map(String::from),
        None => {
            let (first, second) = *NAMED_ENTITIES.get(&format!("{name};")).filter(|(first, _)| *first > 0)?;
            Some([first, second].into_iter().filter(|code| *code > 0).filter_map(char::from_u32).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_resolved() {
        for (text, expected) in [
            ("a &amp; b &lt;c&gt; &quot;d&apos;", "a & b <c> \"d'"),
            ("Snj&oacute;l &ndash; &hellip;&#233;&#xE9;&nbsp;x", "Snjól – …éé\u{a0}x"),
            ("&NotEqualTilde;", "≂\u{338}"),
            ("AT&T & Co; &unknown; &amp", "AT&T & Co; &unknown; &amp"),
            ("&#0; &#xD800; &#x110000; &#;", "\0 &#xD800; &#x110000; &#;"),
            ("&a&lt;", "&a<"),
        ] {
            assert_eq!(unescape(text), expected, "{text}");
        }
    }
}
