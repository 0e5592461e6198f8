//! Scans the text of a stylesheet component by component, without tokenizing it.

use smallvec::SmallVec;

/// The end of a rule cannot be determined with certainty: unbalanced brackets, broken strings, unusual line ends.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NeedsFullParser;

/// Bytes that may end a run of component_ends_are_found; all others are skipped at once.
const SPECIAL: [bool; 256] = {
    let (mut table, special) = ([false; 256], *b"{};\"'/\\()[]\0");
    let mut at = 0;
    while at < special.len() {
        table[special[at] as usize] = true;
        at += 1;
    }
    table
};

/// A position in a text.
pub(super) struct Scanner<'t> {
    pub(super) text: &'t str,
    bytes: &'t [u8],
    pub(super) position: usize,
    /// True if a skipped component may mean more or less to a parser than its text: a comment, or a URL that may be
    /// invalid.
    pub(super) odd: bool,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, bytes: text.as_bytes(), position: 0, odd: false }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.position).copied()
    }

    /// Skips bytes while `like` returns true.
    pub(super) fn skip_while(&mut self, like: impl Fn(u8) -> bool) {
        let rest = &self.bytes[self.position..];
        self.position += rest.iter().position(|byte| !like(*byte)).unwrap_or(rest.len());
    }

    /// Skips the characters of a name, as far as it is written without escapes and in ASCII.
    pub(super) fn name(&mut self) -> &'t str {
        let start = self.position;
        self.skip_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        &self.text[start..self.position]
    }

    /// Skips the keyword of an at-rule, as far as it is written without escapes and in ASCII.
    pub(super) fn at_keyword(&mut self) -> Result<&'t str, NeedsFullParser> {
        self.position += 1;
        let name = self.name();
        let goes_on = self.peek().is_some_and(|byte| byte == b'\\' || !byte.is_ascii());
        let is_keyword = starts_name(name.as_bytes()) || (matches!(name, "" | "-") && goes_on);
        if is_keyword { Ok(name) } else { Err(NeedsFullParser) }
    }

    /// Skips a prelude and the `{` after it, or a `;` if a rule may end with one; returns the last byte skipped.
    pub(super) fn skip_prelude(&mut self, or_semicolon: bool) -> Result<u8, NeedsFullParser> {
        loop {
            match self.peek().ok_or(NeedsFullParser)? {
                byte @ b'{' => {
                    self.position += 1;
                    return Ok(byte);
                }
                byte @ b';' if or_semicolon => {
                    self.position += 1;
                    return Ok(byte);
                }
                b'}' => return Err(NeedsFullParser),
                b';' => self.position += 1,
                _ => self.component()?,
            }
        }
    }

    /// Skips the rest of a block, whatever its contents, with its `}`.
    pub(super) fn block(&mut self) -> Result<(), NeedsFullParser> {
        let mut depth = 1_usize;
        while depth > 0 {
            match self.peek().ok_or(NeedsFullParser)? {
                b'{' => depth += 1,
                b'}' => depth -= 1,
                b';' => {}
                _ => {
                    self.component()?;
                    continue;
                }
            }
            self.position += 1;
        }
        Ok(())
    }

    /// Skips white space and comments.
    #[inline]
    pub(super) fn skip_space(&mut self) -> Result<(), NeedsFullParser> {
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' => self.position += 1,
                b'/' if self.bytes.get(self.position + 1) == Some(&b'*') => self.comment()?,
                _ => break,
            }
        }
        Ok(())
    }

    fn comment(&mut self) -> Result<(), NeedsFullParser> {
        let end = self.text[self.position + 2..].find("*/").ok_or(NeedsFullParser)?;
        self.position += 2 + end + 2;
        Ok(())
    }

    /// Skips some characters, a string, a comment, or a block in round or square brackets.
    pub(super) fn component(&mut self) -> Result<(), NeedsFullParser> {
        match self.peek().ok_or(NeedsFullParser)? {
            b'"' | b'\'' => self.string(),
            b'/' if self.bytes.get(self.position + 1) == Some(&b'*') => {
                self.odd = true;
                self.comment()
            }
            b'\\' => self.escaped_name(),
            b'(' | b'[' => self.brackets(),
            b')' | b']' | b'\0' => Err(NeedsFullParser),
            _ => {
                self.position += 1;
                self.skip_while(|byte| !SPECIAL[usize::from(byte)]);
                Ok(())
            }
        }
    }

    /// Skips an escape, with the white space that ends one of digits.
    fn escape(&mut self) -> Result<(), NeedsFullParser> {
        /// Maximum number of digits of an escape.
        const DIGITS: usize = 6;
        self.position += 1;
        let character = self.text[self.position..].chars().next().ok_or(NeedsFullParser)?;
        if matches!(character, '\n' | '\r' | '\x0c') {
            return Err(NeedsFullParser);
        }
        if !character.is_ascii_hexdigit() {
            self.position += character.len_utf8();
            return Ok(());
        }
        let rest = &self.bytes[self.position..];
        self.position += rest.iter().take(DIGITS).take_while(|byte| byte.is_ascii_hexdigit()).count();
        if self.bytes[self.position..].starts_with(b"\r\n") {
            self.position += 1;
        }
        self.position += usize::from(self.peek().is_some_and(|byte| byte.is_ascii_whitespace()));
        Ok(())
    }

    /// Skips a name from an escape on. Fails if it may spell `url`, since the brackets after it then follow other
    /// rules.
    fn escaped_name(&mut self) -> Result<(), NeedsFullParser> {
        loop {
            match self.peek() {
                Some(b'\\') => self.escape()?,
                Some(byte) if is_name_byte(byte) => self.skip_while(is_name_byte),
                Some(b'(') => return Err(NeedsFullParser),
                _ => return Ok(()),
            }
        }
    }

    fn string(&mut self) -> Result<(), NeedsFullParser> {
        let quote = self.bytes[self.position];
        self.position += 1;
        loop {
            self.skip_while(|byte| !matches!(byte, b'"' | b'\'' | b'\\' | b'\n' | b'\r' | b'\x0c'));
            match self.peek().ok_or(NeedsFullParser)? {
                b'\\' if self.bytes.get(self.position + 1) == Some(&b'\n') => self.position += 2,
                b'\\' => self.escape()?,
                b'\n' | b'\r' | b'\x0c' => return Err(NeedsFullParser),
                byte => {
                    self.position += 1;
                    if byte == quote {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Returns true if the bracket here belongs to an unquoted `url()`, which is one token whatever it contains.
    fn starts_address(&self) -> Result<bool, NeedsFullParser> {
        let Some(before) =
            self.bytes[..self.position].len().checked_sub(3).map(|start| self.bytes[..self.position].split_at(start))
        else {
            return Ok(false);
        };
        if !before.1.eq_ignore_ascii_case(b"url") || before.0.last().is_some_and(|byte| is_name_byte(*byte)) {
            return Ok(false);
        }
        if matches!(before.0.last(), Some(b'#' | b'@' | b'\\')) {
            return Err(NeedsFullParser);
        }
        let inside = self.bytes[self.position + 1..].trim_ascii_start();
        Ok(!matches!(inside.first(), Some(b'"' | b'\'')))
    }

    fn address(&mut self) -> Result<(), NeedsFullParser> {
        self.position += 1;
        loop {
            // Data URLs of images and fonts are too long to be scanned byte by byte.
            let end = self.position + self.text[self.position..].find(')').ok_or(NeedsFullParser)?;
            let inside = &self.bytes[self.position..end];
            self.odd |= inside.iter().fold(false, |odd, byte| odd | needs_parser_for_url(*byte));
            while let Some(escape) = self.text[self.position..end].find('\\') {
                self.position += escape;
                self.escape()?;
                if self.position > end {
                    break;
                }
            }
            if self.position <= end {
                self.position = end + 1;
                return Ok(());
            }
        }
    }

    /// Skips a block in round or square brackets, which contains no `{}` blocks.
    fn brackets(&mut self) -> Result<(), NeedsFullParser> {
        /// Nesting that any parser accepts.
        const USUAL: usize = 32;
        let mut open = SmallVec::<[u8; 16]>::new();
        loop {
            self.odd |= open.len() > USUAL;
            match self.peek().ok_or(NeedsFullParser)? {
                b'(' if self.starts_address()? => self.address()?,
                byte @ (b'(' | b'[') => {
                    open.push(if byte == b'(' { b')' } else { b']' });
                    self.position += 1;
                }
                close @ (b')' | b']') if open.last() == Some(&close) => {
                    open.pop();
                    self.position += 1;
                }
                b')' | b']' | b'{' | b'}' | b'\0' => return Err(NeedsFullParser),
                b';' => self.position += 1,
                b'"' | b'\'' => self.string()?,
                b'/' if self.bytes.get(self.position + 1) == Some(&b'*') => {
                    self.odd = true;
                    self.comment()?;
                }
                b'\\' => self.escaped_name()?,
                _ => {
                    self.position += 1;
                    self.skip_while(|byte| !SPECIAL[usize::from(byte)]);
                }
            }
            if open.is_empty() {
                return Ok(());
            }
        }
    }
}

/// Returns true if a name may start that way: a dash before a digit starts a number.
pub(super) fn starts_name(name: &[u8]) -> bool {
    let rest = name.strip_prefix(b"-").unwrap_or(name);
    rest.first().is_some_and(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_'))
}

/// Returns true if a parser may read a prelude as something other than selectors: the end of an HTML comment, or a
/// custom property.
pub(super) fn needs_parser_for_prelude(prelude: &str) -> bool {
    ["--", "-\\", "\\"].iter().any(|start| prelude.starts_with(start))
}

/// Returns true if a URL that contains the byte may be invalid.
fn needs_parser_for_url(byte: u8) -> bool {
    byte <= b' ' || matches!(byte, b'"' | b'\'' | b'(' | 0x7f)
}

/// Returns true if names may contain the byte, escapes aside.
fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | 0x80..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn component_ends_are_found() {
        for (text, passed) in [
            ("'a;\\'b' c", "'a;\\'b'"),
            ("'\\A\nb'", "'\\A\nb'"),
            ("(a;[b)c](d)) e", ""),
            ("(a;[b{c])", ""),
            ("(a;[b;c](d)) e", "(a;[b;c](d))"),
            ("(url(a'b)')') c", "(url(a'b)')')"),
            ("(url( 'a)' )) b", "(url( 'a)' ))"),
            ("(\u{e4}url(a'b)')) c", "(\u{e4}url(a'b)'))"),
            ("/*a*/b", "/*a*/"),
            ("\\31 23 4", "\\31 23"),
            ("\\:a\\/b:c", "\\:a\\/b"),
            ("ab c;", "ab c"),
        ] {
            let mut scan = Scanner::new(text);
            let end = scan.component().map_or(0, |()| scan.position);
            assert_eq!(&text[..end], passed, "{text}");
        }
    }

    #[test]
    fn unquoted_urls_are_skipped_as_one_token() {
        for (text, passed, odd) in [
            ("(a/b+c=) d", "(a/b+c=)", false),
            ("(a\\)b)c", "(a\\)b)", false),
            ("(a\\29)b)c", "(a\\29)", false),
            ("(\\)\\))c", "(\\)\\))", false),
            ("( a)", "( a)", true),
            ("(a'b)", "(a'b)", true),
            ("(a(b)", "(a(b)", true),
            ("(a\\)", "", false),
            ("(a", "", false),
        ] {
            let text = format!("url{text}");
            let mut scan = Scanner { position: 3, ..Scanner::new(&text) };
            let end = scan.component().map_or(3, |()| scan.position);
            assert_eq!((&text[3..end], scan.odd), (passed, odd), "{text}");
        }
    }

    #[test]
    fn deeply_nested_urls_end_as_uncertain() {
        let text = "url('' ".repeat(200_000);
        assert_eq!(Scanner::new(&text[3..]).component(), Err(NeedsFullParser));
    }
}
