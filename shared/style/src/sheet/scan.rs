//! Scans the text of a stylesheet component by component, without tokenizing it.

use smallvec::SmallVec;

/// The end of a rule cannot be determined with certainty: unbalanced brackets, broken strings, unusual line ends.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unsure;

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
pub(super) struct Scan<'t> {
    pub(super) text: &'t str,
    bytes: &'t [u8],
    pub(super) at: usize,
    /// True if a skipped component may mean more or less to a parser than its text: a comment, or a URL that may be
    /// invalid.
    pub(super) odd: bool,
}

impl<'t> Scan<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, bytes: text.as_bytes(), at: 0, odd: false }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Skips bytes while `like` returns true.
    pub(super) fn pass(&mut self, like: impl Fn(u8) -> bool) {
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().position(|byte| !like(*byte)).unwrap_or(rest.len());
    }

    /// Skips the characters of a name, as far as it is written without escapes and in ASCII.
    pub(super) fn name(&mut self) -> &'t str {
        let start = self.at;
        self.pass(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        &self.text[start..self.at]
    }

    /// Skips the keyword of an at-rule, as far as it is written without escapes and in ASCII.
    pub(super) fn at_keyword(&mut self) -> Result<&'t str, Unsure> {
        self.at += 1;
        let name = self.name();
        let goes_on = self.peek().is_some_and(|byte| byte == b'\\' || !byte.is_ascii());
        let is_keyword = starts_name(name.as_bytes()) || (matches!(name, "" | "-") && goes_on);
        if is_keyword { Ok(name) } else { Err(Unsure) }
    }

    /// Skips a prelude and the `{` after it, or a `;` if a rule may end with one; returns the last byte skipped.
    pub(super) fn up_to_block(&mut self, or_semicolon: bool) -> Result<u8, Unsure> {
        loop {
            match self.peek().ok_or(Unsure)? {
                byte @ b'{' => {
                    self.at += 1;
                    return Ok(byte);
                }
                byte @ b';' if or_semicolon => {
                    self.at += 1;
                    return Ok(byte);
                }
                b'}' => return Err(Unsure),
                b';' => self.at += 1,
                _ => self.component()?,
            }
        }
    }

    /// Skips the rest of a block, whatever its contents, with its `}`.
    pub(super) fn block(&mut self) -> Result<(), Unsure> {
        let mut depth = 1_usize;
        while depth > 0 {
            match self.peek().ok_or(Unsure)? {
                b'{' => depth += 1,
                b'}' => depth -= 1,
                b';' => {}
                _ => {
                    self.component()?;
                    continue;
                }
            }
            self.at += 1;
        }
        Ok(())
    }

    /// Skips white space and comments.
    #[inline]
    pub(super) fn skip_space(&mut self) -> Result<(), Unsure> {
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' => self.at += 1,
                b'/' if self.bytes.get(self.at + 1) == Some(&b'*') => self.comment()?,
                _ => break,
            }
        }
        Ok(())
    }

    fn comment(&mut self) -> Result<(), Unsure> {
        let end = self.text[self.at + 2..].find("*/").ok_or(Unsure)?;
        self.at += 2 + end + 2;
        Ok(())
    }

    /// Skips some characters, a string, a comment, or a block in round or square brackets.
    pub(super) fn component(&mut self) -> Result<(), Unsure> {
        match self.peek().ok_or(Unsure)? {
            b'"' | b'\'' => self.string(),
            b'/' if self.bytes.get(self.at + 1) == Some(&b'*') => {
                self.odd = true;
                self.comment()
            }
            b'\\' => self.escaped_name(),
            b'(' | b'[' => self.brackets(),
            b')' | b']' | b'\0' => Err(Unsure),
            _ => {
                self.at += 1;
                self.pass(|byte| !SPECIAL[usize::from(byte)]);
                Ok(())
            }
        }
    }

    /// Skips an escape, with the white space that ends one of digits.
    fn escape(&mut self) -> Result<(), Unsure> {
        /// Maximum number of digits of an escape.
        const DIGITS: usize = 6;
        self.at += 1;
        let character = self.text[self.at..].chars().next().ok_or(Unsure)?;
        if matches!(character, '\n' | '\r' | '\x0c') {
            return Err(Unsure);
        }
        if !character.is_ascii_hexdigit() {
            self.at += character.len_utf8();
            return Ok(());
        }
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().take(DIGITS).take_while(|byte| byte.is_ascii_hexdigit()).count();
        if self.bytes[self.at..].starts_with(b"\r\n") {
            self.at += 1;
        }
        self.at += usize::from(self.peek().is_some_and(|byte| byte.is_ascii_whitespace()));
        Ok(())
    }

    /// Skips a name from an escape on. Fails if it may spell `url`, since the brackets after it then follow other
    /// rules.
    fn escaped_name(&mut self) -> Result<(), Unsure> {
        loop {
            match self.peek() {
                Some(b'\\') => self.escape()?,
                Some(byte) if is_in_names(byte) => self.pass(is_in_names),
                Some(b'(') => return Err(Unsure),
                _ => return Ok(()),
            }
        }
    }

    fn string(&mut self) -> Result<(), Unsure> {
        let quote = self.bytes[self.at];
        self.at += 1;
        loop {
            self.pass(|byte| !matches!(byte, b'"' | b'\'' | b'\\' | b'\n' | b'\r' | b'\x0c'));
            match self.peek().ok_or(Unsure)? {
                b'\\' if self.bytes.get(self.at + 1) == Some(&b'\n') => self.at += 2,
                b'\\' => self.escape()?,
                b'\n' | b'\r' | b'\x0c' => return Err(Unsure),
                byte => {
                    self.at += 1;
                    if byte == quote {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Returns true if the bracket here belongs to an unquoted `url()`, which is one token whatever it contains.
    fn starts_address(&self) -> Result<bool, Unsure> {
        let Some(before) =
            self.bytes[..self.at].len().checked_sub(3).map(|start| self.bytes[..self.at].split_at(start))
        else {
            return Ok(false);
        };
        if !before.1.eq_ignore_ascii_case(b"url") || before.0.last().is_some_and(|byte| is_in_names(*byte)) {
            return Ok(false);
        }
        if matches!(before.0.last(), Some(b'#' | b'@' | b'\\')) {
            return Err(Unsure);
        }
        let inside = self.bytes[self.at + 1..].trim_ascii_start();
        Ok(!matches!(inside.first(), Some(b'"' | b'\'')))
    }

    fn address(&mut self) -> Result<(), Unsure> {
        self.at += 1;
        loop {
            // Data URLs of images and fonts are too long to be scanned byte by byte.
            let end = self.at + self.text[self.at..].find(')').ok_or(Unsure)?;
            let inside = &self.bytes[self.at..end];
            self.odd |= inside.iter().fold(false, |odd, byte| odd | is_odd_in_addresses(*byte));
            while let Some(escape) = self.text[self.at..end].find('\\') {
                self.at += escape;
                self.escape()?;
                if self.at > end {
                    break;
                }
            }
            if self.at <= end {
                self.at = end + 1;
                return Ok(());
            }
        }
    }

    /// Skips a block in round or square brackets, which contains no `{}` blocks.
    fn brackets(&mut self) -> Result<(), Unsure> {
        /// Nesting that any parser accepts.
        const USUAL: usize = 32;
        let mut open = SmallVec::<[u8; 16]>::new();
        loop {
            self.odd |= open.len() > USUAL;
            match self.peek().ok_or(Unsure)? {
                b'(' if self.starts_address()? => self.address()?,
                byte @ (b'(' | b'[') => {
                    open.push(if byte == b'(' { b')' } else { b']' });
                    self.at += 1;
                }
                close @ (b')' | b']') if open.last() == Some(&close) => {
                    open.pop();
                    self.at += 1;
                }
                b')' | b']' | b'{' | b'}' | b'\0' => return Err(Unsure),
                b';' => self.at += 1,
                b'"' | b'\'' => self.string()?,
                b'/' if self.bytes.get(self.at + 1) == Some(&b'*') => {
                    self.odd = true;
                    self.comment()?;
                }
                b'\\' => self.escaped_name()?,
                _ => {
                    self.at += 1;
                    self.pass(|byte| !SPECIAL[usize::from(byte)]);
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
pub(super) fn is_strange(prelude: &str) -> bool {
    ["--", "-\\", "\\"].iter().any(|start| prelude.starts_with(start))
}

/// Returns true if a URL that contains the byte may be invalid.
fn is_odd_in_addresses(byte: u8) -> bool {
    byte <= b' ' || matches!(byte, b'"' | b'\'' | b'(' | 0x7f)
}

/// Returns true if names may contain the byte, escapes aside.
fn is_in_names(byte: u8) -> bool {
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
            let mut scan = Scan::new(text);
            let end = scan.component().map_or(0, |()| scan.at);
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
            let mut scan = Scan { at: 3, ..Scan::new(&text) };
            let end = scan.component().map_or(3, |()| scan.at);
            assert_eq!((&text[3..end], scan.odd), (passed, odd), "{text}");
        }
    }

    #[test]
    fn deeply_nested_urls_end_as_uncertain() {
        let text = "url('' ".repeat(200_000);
        assert_eq!(Scan::new(&text[3..]).component(), Err(Unsure));
    }
}
