//! Reads object literals in the source text of scripts, as far as they consist of objects, arrays and strings.
//!
//! Scripts are not evaluated: any other value (a function, a variable, a template with expressions) is skipped.

/// Maximum length of an object literal, in bytes.
const MAX_BYTES: usize = 64 * 1024;
/// Maximum length of a string that is read by itself, in bytes.
const MAX_STRING_BYTES: usize = 4 * 1024;
/// Maximum length of the quote and scheme before a host, in bytes, with slashes that are escaped.
const MAX_SCHEME_BYTES: usize = 12;
/// Maximum nesting.
const MAX_DEPTH: usize = 12;

/// A value in a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Literal {
    Text(String),
    List(Vec<Literal>),
    Object(Vec<(String, Literal)>),
    /// A value that only running the script would tell.
    Unknown,
}

impl Literal {
    /// Returns the value of a member of an object; of several with that name the last.
    pub(super) fn member(&self, name: &str) -> Option<&Self> {
        let Self::Object(members) = self else { return None };
        members.iter().rev().find(|(own, _)| own == name).map(|(_, value)| value)
    }

    pub(super) fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// Returns the strings of an array.
    pub(super) fn texts(&self) -> Vec<&str> {
        let Self::List(items) = self else { return Vec::new() };
        items.iter().filter_map(Self::text).collect()
    }
}

/// Returns the object literal at the start of a text, after the punctuation of a call or an assignment.
pub(super) fn object_after(text: &str) -> Option<Literal> {
    let text = &text[..text.floor_char_boundary(MAX_BYTES)];
    let start = text.trim_start_matches(|letter: char| letter.is_whitespace() || matches!(letter, '(' | '='));
    let mut reader = LiteralReader { text: start, at: 0 };
    (reader.peek() == Some('{')).then(|| reader.value(0))
}

/// Returns the string that is the value of a member, at the start of the text behind the member's name.
pub(super) fn string_after(text: &str) -> Option<String> {
    let text = &text[..text.floor_char_boundary(MAX_STRING_BYTES)];
    let text = text.trim_start_matches(['"', '\'']).trim_start().strip_prefix(':')?.trim_start();
    text.starts_with(['"', '\'', '`']).then(|| LiteralReader { text, at: 0 }.string()).flatten()
}

/// Returns the string that contains a position a few bytes behind its start, as the host of a URL is.
pub(super) fn string_around(script: &str, at: usize) -> Option<String> {
    let before = &script[script.floor_char_boundary(at.saturating_sub(MAX_SCHEME_BYTES))..at];
    let start = at - before.len() + before.rfind(['"', '\'', '`'])?;
    let text = &script[start..script.floor_char_boundary(start.saturating_add(MAX_STRING_BYTES))];
    LiteralReader { text, at: 0 }.string()
}

struct LiteralReader<'a> {
    text: &'a str,
    /// Byte offset of the next character.
    at: usize,
}

impl LiteralReader<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += letter.len_utf8();
        Some(letter)
    }

    fn takes(&mut self, wanted: char) -> bool {
        let is_next = self.peek() == Some(wanted);
        self.at += if is_next { wanted.len_utf8() } else { 0 };
        is_next
    }

    /// Skips white space and comments.
    fn skip_space(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            let end = match trimmed.get(..2) {
                Some("//") => trimmed.find('\n'),
                Some("/*") => trimmed[2..].find("*/").map(|end| end + 4),
                _ => return,
            };
            self.at += end.unwrap_or(trimmed.len());
        }
    }

    fn value(&mut self, depth: usize) -> Literal {
        self.skip_space();
        let read = match self.peek() {
            Some('{') if depth < MAX_DEPTH => self.object(depth),
            Some('[') if depth < MAX_DEPTH => self.list(depth),
            Some('"' | '\'' | '`') => self.string().map_or(Literal::Unknown, Literal::Text),
            _ => Literal::Unknown,
        };
        self.skip_space();
        if matches!(self.peek(), None | Some(',' | ']' | '}' | ')' | ';')) && read != Literal::Unknown {
            return read;
        }
        if depth > 0 {
            self.skip_expression();
            return Literal::Unknown;
        }
        read
    }

    fn object(&mut self, depth: usize) -> Literal {
        self.next();
        let mut members = Vec::new();
        loop {
            self.skip_space();
            let name = match self.peek() {
                None => break,
                Some('}') => {
                    self.next();
                    break;
                }
                Some('"' | '\'') => self.string().unwrap_or_default(),
                _ => self.name(),
            };
            self.skip_space();
            if self.takes(':') {
                members.push((name, self.value(depth + 1)));
            } else {
                self.skip_expression();
            }
            self.end_item('}');
        }
        Literal::Object(members)
    }

    /// Skips the comma after an item, or a bracket of another kind: then the text is no literal.
    fn end_item(&mut self, closing: char) {
        if !self.takes(',') && self.peek() != Some(closing) {
            self.next();
        }
    }

    fn list(&mut self, depth: usize) -> Literal {
        self.next();
        let mut items = Vec::new();
        loop {
            self.skip_space();
            match self.peek() {
                None => break,
                Some(']') => {
                    self.next();
                    break;
                }
                _ => items.push(self.value(depth + 1)),
            }
            self.end_item(']');
        }
        Literal::List(items)
    }

    fn name(&mut self) -> String {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$'))).unwrap_or(rest.len());
        self.at += end;
        rest[..end].to_owned()
    }

    /// Reads a string; `None` for a template with expressions.
    fn string(&mut self) -> Option<String> {
        let quote = self.next()?;
        let mut text = String::new();
        let mut is_constant = true;
        while let Some(letter) = self.next() {
            match letter {
                '\\' => text.extend(self.next().filter(|escaped| *escaped != '\n')),
                letter if letter == quote => break,
                '$' if quote == '`' && self.peek() == Some('{') => is_constant = false,
                letter => text.push(letter),
            }
        }
        is_constant.then_some(text)
    }

    /// Skips an expression up to the comma or bracket that ends it.
    fn skip_expression(&mut self) {
        let mut depth = 0_usize;
        while let Some(letter) = self.peek() {
            match letter {
                '"' | '\'' | '`' => {
                    self.string();
                    continue;
                }
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' if depth == 0 => return,
                ')' | ']' | '}' => depth -= 1,
                ',' if depth == 0 => return,
                _ => {}
            }
            self.next();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_in_objects_and_arrays_are_read() {
        let script = r#"({ /* fonts */ google: { "families": ["Lato:400", 'Noto Sans',], api: x }, // eol
            active: function () { log("}", [1]); }, timeout: 2000, a: `b` })"#;
        let read = object_after(script).unwrap();
        let google = read.member("google").unwrap();
        assert_eq!(google.member("families").unwrap().texts(), ["Lato:400", "Noto Sans"]);
        assert_eq!(google.member("api"), Some(&Literal::Unknown));
        assert_eq!(read.member("active"), Some(&Literal::Unknown));
        assert_eq!(read.member("a").and_then(Literal::text), Some("b"));
    }

    #[test]
    fn texts_without_object_literals_are_ignored() {
        for script in ["(config)", "= load()", "", ".load({})"] {
            assert_eq!(object_after(script), None, "{script}");
        }
    }

    #[test]
    fn broken_literals_end_without_a_value() {
        for script in ["{", "{a", "{a:", "{a:[", "{a:[}", "{a:['", "{a:\"x", "{)", "{a:[1}]", "{,", "{a:b}}", "{\\"] {
            assert!(matches!(object_after(script), Some(Literal::Object(_))), "{script}");
        }
        let deep = format!("{{a:{}", "[".repeat(50_000));
        assert!(object_after(&deep).is_some());
    }
}
