//! Writes XML that an HTML parser parses into the same tree.

/// Appends escaped text. Characters that are invalid in XML are dropped.
pub(super) fn push_text(out: &mut String, text: &str) {
    for c in text.chars().filter(|c| is_xml_char(*c)) {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            // In text only `]]>` is invalid; elsewhere `>` stays readable.
            '>' if out.ends_with("]]") => out.push_str("&gt;"),
            '\r' => out.push('\n'),
            _ => out.push(c),
        }
    }
}

/// Appends ` name="value"`. White space becomes spaces, as XML normalizes it.
pub(super) fn push_attribute(out: &mut String, name: &str, value: &str) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    for c in value.chars().filter(|c| is_xml_char(*c)) {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => out.push(' '),
            _ => out.push(c),
        }
    }
    out.push('"');
}

/// Returns true for a character of XML 1.0, production 2.
fn is_xml_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

/// Returns true for an `NCName` of Namespaces in XML: a name without prefix.
pub(super) fn is_name(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(is_name_start) && letters.all(is_name_char)
}

fn is_name_start(c: char) -> bool {
    c.is_ascii_alphabetic()
        || c == '_'
        || matches!(c,
            '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{2ff}' | '\u{370}'..='\u{37d}'
            | '\u{37f}'..='\u{1fff}' | '\u{200c}'..='\u{200d}' | '\u{2070}'..='\u{218f}' | '\u{2c00}'..='\u{2fef}'
            | '\u{3001}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fffd}' | '\u{10000}'..='\u{effff}')
}

fn is_name_char(c: char) -> bool {
    is_name_start(c)
        || c.is_ascii_digit()
        || matches!(c, '-' | '.' | '\u{b7}' | '\u{300}'..='\u{36f}' | '\u{203f}'..='\u{2040}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_attributes_are_escaped() {
        let mut out = String::new();
        push_text(&mut out, "a<b & c > d ]]> \u{0}\u{b}\u{ffff}é");
        assert_eq!(out, "a&lt;b &amp; c > d ]]&gt; é");
        let mut out = String::new();
        push_attribute(&mut out, "d", "M0 0\n\"<&>'");
        assert_eq!(out, " d=\"M0 0 &quot;&lt;&amp;>'\"");
    }

    #[test]
    fn names_have_no_prefix() {
        for (name, valid) in [
            ("d", true),
            ("data-x.1", true),
            ("é", true),
            ("x:y", false),
            ("@click", false),
            ("1a", false),
            ("", false),
            ("a\"", false),
        ] {
            assert_eq!(is_name(name), valid, "{name}");
        }
    }
}
