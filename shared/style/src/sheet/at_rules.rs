//! Reduces a stylesheet to the at-rules of one name.

use super::scan::{Scan, Unsure, is_strange};
use std::borrow::Cow;

/// Maximum nesting that is read.
const MAX_DEPTH: usize = 32;

/// Returns the text of a stylesheet up to its last at-rule named `name`, without style rules: for callers that read
/// only those rules and the rules that enclose them. A text whose rules cannot be delimited with certainty is returned
/// unchanged.
pub fn with_at_rules_alone<'t>(text: &'t str, name: &str) -> Cow<'t, str> {
    let Some(last) = last_at_rule(text.as_bytes(), name.as_bytes()) else { return Cow::Borrowed("") };
    let mut sieve = Sieve { scan: Scan::new(text), last, kept: String::new(), copied: 0 };
    match sieve.rule_list(0) {
        Ok(()) => {
            sieve.copy_up_to(sieve.scan.at);
            Cow::Owned(sieve.kept)
        }
        Err(Unsure) => Cow::Borrowed(text),
    }
}

/// Returns the start of the last at-rule of a name, or of a name with an escape.
fn last_at_rule(bytes: &[u8], name: &[u8]) -> Option<usize> {
    let mut before = bytes.len();
    while let Some(at) = bytes[..before].iter().rposition(|byte| *byte == b'@') {
        let written = &bytes[at + 1..bytes.len().min(at + 1 + name.len())];
        if written.eq_ignore_ascii_case(name) || written.contains(&b'\\') {
            return Some(at);
        }
        before = at;
    }
    None
}

struct Sieve<'t> {
    scan: Scan<'t>,
    /// Start of the last rule to read; blocks that enclose it stay open.
    last: usize,
    kept: String,
    /// Position up to which the text was copied to `kept` or left out.
    copied: usize,
}

impl Sieve<'_> {
    fn copy_up_to(&mut self, end: usize) {
        self.kept.push_str(&self.scan.text[self.copied..end]);
        self.copied = end;
    }

    fn rule_list(&mut self, depth: usize) -> Result<(), Unsure> {
        loop {
            if self.scan.at > self.last {
                return Ok(());
            }
            self.scan.skip_space()?;
            match self.scan.peek() {
                None if depth == 0 => return Ok(()),
                Some(b'}') if depth > 0 => {
                    self.scan.at += 1;
                    return Ok(());
                }
                None | Some(b'}' | b'<') => return Err(Unsure),
                Some(b'@') => self.at_rule(depth)?,
                Some(_) => self.style_rule()?,
            }
        }
    }

    fn at_rule(&mut self, depth: usize) -> Result<(), Unsure> {
        let holds_rules = super::outline::holds_rules(self.scan.at_keyword()?);
        match self.scan.up_to_block(true)? {
            b'{' if holds_rules && depth < MAX_DEPTH => self.rule_list(depth + 1),
            b'{' => self.scan.block(),
            _ => Ok(()),
        }
    }

    fn style_rule(&mut self) -> Result<(), Unsure> {
        self.copy_up_to(self.scan.at);
        if is_strange(&self.scan.text[self.scan.at..]) {
            return Err(Unsure);
        }
        self.scan.up_to_block(false)?;
        self.scan.block()?;
        self.copied = self.scan.at;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn style_rules_are_removed() {
        for (text, left) in [
            (
                "a{}b{font:x}@media print{c{--x:1}@font-face{font-family:x}d{}}e{}",
                "@media print{@font-face{font-family:x}",
            ),
            ("@FONT-face{a:b}@font-feature-values x{}", "@FONT-face{a:b}"),
            ("a{}b{c:d}@layer x{@f\\6f nt-face{}}", "@layer x{@f\\6f nt-face{}"),
            ("@import 'x';a{}@font-face{}", "@import 'x';@font-face{}"),
            ("@media print{a{}}", ""),
            ("a{}b{@font-face{}}c{}", ""),
            ("a{}@font-face{src:'", "a{}@font-face{src:'"),
            ("--> @font-face{}", "--> @font-face{}"),
            ("@;a{}@font-face{}", "@;a{}@font-face{}"),
        ] {
            assert_eq!(with_at_rules_alone(text, "font-face"), left, "{text}");
        }
    }
}
