//! Reduces a stylesheet to the at-rules of one name.

use super::scanner::{NeedsFullParser, Scanner, needs_parser_for_prelude};
use std::borrow::Cow;

/// Maximum nesting that is read.
const MAX_DEPTH: usize = 32;

/// Returns the text of a stylesheet up to its last at-rule named `name`, without style rules: for callers that read
/// only those rules and the rules that enclose them. A text whose rules cannot be delimited with certainty is returned
/// unchanged.
pub fn keep_at_rule<'t>(text: &'t str, name: &str) -> Cow<'t, str> {
    let Some(last) = last_at_rule(text.as_bytes(), name.as_bytes()) else { return Cow::Borrowed("") };
    let mut sieve = AtRuleFilter { scan: Scanner::new(text), last, output: String::new(), copied: 0 };
    match sieve.rule_list(0) {
        Ok(()) => {
            sieve.copy_up_to(sieve.scan.position);
            Cow::Owned(sieve.output)
        }
        Err(NeedsFullParser) => Cow::Borrowed(text),
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

struct AtRuleFilter<'t> {
    scan: Scanner<'t>,
    /// Start of the last rule to read; blocks that enclose it stay open.
    last: usize,
    output: String,
    /// Position up to which the text was copied to `kept` or left out.
    copied: usize,
}

impl AtRuleFilter<'_> {
    fn copy_up_to(&mut self, end: usize) {
        self.output.push_str(&self.scan.text[self.copied..end]);
        self.copied = end;
    }

    fn rule_list(&mut self, depth: usize) -> Result<(), NeedsFullParser> {
        loop {
            if self.scan.position > self.last {
                return Ok(());
            }
            self.scan.skip_space()?;
            match self.scan.peek() {
                None if depth == 0 => return Ok(()),
                Some(b'}') if depth > 0 => {
                    self.scan.position += 1;
                    return Ok(());
                }
                None | Some(b'}' | b'<') => return Err(NeedsFullParser),
                Some(b'@') => self.at_rule(depth)?,
                Some(_) => self.style_rule()?,
            }
        }
    }

    fn at_rule(&mut self, depth: usize) -> Result<(), NeedsFullParser> {
        let holds_rules = super::shallow_parser::contains_rules(self.scan.at_keyword()?);
        match self.scan.skip_prelude(true)? {
            b'{' if holds_rules && depth < MAX_DEPTH => self.rule_list(depth + 1),
            b'{' => self.scan.block(),
            _ => Ok(()),
        }
    }

    fn style_rule(&mut self) -> Result<(), NeedsFullParser> {
        self.copy_up_to(self.scan.position);
        if needs_parser_for_prelude(&self.scan.text[self.scan.position..]) {
            return Err(NeedsFullParser);
        }
        self.scan.skip_prelude(false)?;
        self.scan.block()?;
        self.copied = self.scan.position;
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
            assert_eq!(keep_at_rule(text, "font-face"), left, "{text}");
        }
    }
}
