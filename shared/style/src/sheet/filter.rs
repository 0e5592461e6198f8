//! Leaves out of a sheet's text the rules and declarations that say nothing about some properties, without parsing them:
//! for whoever asks for the values of a few properties alone, most of a sheet is such rules.
//!
//! What remains parses to what it would have been in the whole sheet, line numbers included. A text that is not plain
//! enough to be sure of that (unbalanced brackets, broken strings) is left as it is.

use crate::Words;
use crate::property::{Longhand, expand};
use foldhash::HashMap;
use smallvec::SmallVec;
use std::borrow::Cow;
use std::cell::RefCell;

/// The properties that are asked for.
pub(crate) struct Filter<'w> {
    wanted: &'w [Longhand],
    /// Rules with any of these in what stands before their block, or before that of a rule around them, are kept as they
    /// are.
    marks: Option<&'w Words>,
    /// Whether what rules match is asked of few of them.
    matches_few: bool,
    /// Whether a property has a say in the values of those, by name in lower case.
    known: RefCell<HashMap<Box<str>, bool>>,
}

/// The text of a sheet up to its last at-rule of a name, without style rules: for whoever reads those rules, and what is
/// around them, alone. A text that is not plain enough to be sure where its rules end is left as it is.
pub fn with_at_rules_alone<'t>(text: &'t str, name: &str) -> Cow<'t, str> {
    let Some(last) = last_at_rule(text.as_bytes(), name.as_bytes()) else { return Cow::Borrowed("") };
    Filter::new(&[]).kept_until(text, last)
}

/// Where the last at-rule of a name starts, or one whose name is written with an escape.
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

/// How many lines end there. Sums of bytes are what processors add many of at once.
fn lines(bytes: &[u8]) -> usize {
    let in_chunk = |chunk: &[u8]| chunk.iter().map(|byte| u8::from(*byte == b'\n')).sum::<u8>();
    bytes.chunks(usize::from(u8::MAX)).map(|chunk| usize::from(in_chunk(chunk))).sum()
}

/// The text is not plain enough.
struct Unsure;

/// What is kept of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keep {
    All,
    WhatSaysSomething,
}

impl<'w> Filter<'w> {
    pub(crate) fn new(wanted: &'w [Longhand]) -> Self {
        Self { wanted, marks: None, matches_few: false, known: RefCell::default() }
    }

    /// The same for whoever reads what rules declare and hardly what they match. Rules that are marked by one of these
    /// words are kept.
    pub(crate) fn of_declarations(wanted: &'w [Longhand], marks: &'w Words) -> Self {
        Self { marks: Some(marks), matches_few: true, ..Self::new(wanted) }
    }

    /// Whether selectors need not be parsed before somebody asks.
    pub(super) fn matches_few(&self) -> bool {
        self.matches_few
    }

    fn is_marked(&self, prelude: &str) -> bool {
        self.marks.is_some_and(|marks| marks.are_in(prelude))
    }

    /// The text without the rules that say nothing.
    pub(super) fn kept<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.kept_until(text, usize::MAX)
    }

    /// The same of the text up to the end of the rule that starts there; blocks around it stay open.
    fn kept_until<'t>(&self, text: &'t str, last: usize) -> Cow<'t, str> {
        let bytes = text.as_bytes();
        let mut scan = Scan { filter: self, text, bytes, at: 0, last, kept: String::new(), copied: 0, rules: 0 };
        match scan.rule_list(0) {
            Ok(()) if scan.copied > 0 => {
                scan.kept.push_str(&text[scan.copied..scan.at]);
                Cow::Owned(scan.kept)
            }
            Ok(()) => Cow::Borrowed(&text[..scan.at]),
            Err(Unsure) => Cow::Borrowed(text),
        }
    }

    fn concerns(&self, name: &str) -> bool {
        if self.wanted.is_empty() {
            return false;
        }
        if name.starts_with("--") {
            // Any value may refer to it.
            return true;
        }
        // Most names are written in lower case.
        if let Some(known) = self.known.borrow().get(name) {
            return *known;
        }
        let name = name.to_ascii_lowercase();
        if let Some(known) = self.known.borrow().get(name.as_str()) {
            return *known;
        }
        // Every property takes this, and a shorthand sets all its longhands to it.
        let set = expand(&name, "inherit").unwrap_or_default();
        let concerns = set.iter().any(|one| self.wanted.contains(&one.longhand) || self.wanted.contains(&one.rtl));
        self.known.borrow_mut().insert(name.into(), concerns);
        concerns
    }
}

/// Deepest nesting that is looked into.
const MAX_DEPTH: usize = 32;

/// What may end a run of components that need no look: all else is passed at once.
const SPECIAL: [bool; 256] = {
    let (mut table, special) = ([false; 256], *b"{};\"'/\\()[]\0");
    let mut at = 0;
    while at < special.len() {
        table[special[at] as usize] = true;
        at += 1;
    }
    table
};

struct Scan<'s, 't> {
    filter: &'s Filter<'s>,
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    /// Nothing is read after the rule that starts here.
    last: usize,
    kept: String,
    /// What of the text is in `kept` or left out.
    copied: usize,
    rules: usize,
}

impl Scan<'_, '_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Passes bytes as long as they are like that.
    fn pass(&mut self, like: impl Fn(u8) -> bool) {
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().position(|byte| !like(*byte)).unwrap_or(rest.len());
    }

    /// The rules of a sheet, or of the block of a rule with a condition, up to its end.
    fn rule_list(&mut self, depth: usize) -> Result<(), Unsure> {
        loop {
            if self.at > self.last {
                return Ok(());
            }
            self.skip_space()?;
            match self.peek() {
                None if depth == 0 => return Ok(()),
                Some(b'}') if depth > 0 => {
                    self.at += 1;
                    return Ok(());
                }
                None | Some(b'}' | b'<') => return Err(Unsure),
                Some(b'@') => self.at_rule(depth)?,
                Some(_) => self.style_rule()?,
            }
        }
    }

    fn at_rule(&mut self, depth: usize) -> Result<(), Unsure> {
        let start = self.at + 1;
        self.at += 1;
        self.pass(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        let name = self.text[start..self.at].to_ascii_lowercase();
        match self.up_to_block(true)? {
            b';' => Ok(()),
            _ if self.filter.is_marked(&self.text[start..self.at]) => self.block(Keep::All).map(drop),
            _ if matches!(name.as_str(), "media" | "supports" | "layer" | "container") && depth < MAX_DEPTH => {
                self.rule_list(depth + 1)
            }
            _ => self.block(Keep::All).map(drop),
        }
    }

    fn style_rule(&mut self) -> Result<(), Unsure> {
        let (start, kept, copied) = (self.at, self.kept.len(), self.copied);
        self.up_to_block(false)?;
        if self.filter.is_marked(&self.text[start..self.at]) {
            self.rules += 1;
            return self.block(Keep::All).map(drop);
        }
        let says_something = self.block(Keep::WhatSaysSomething)?;
        self.rules += 1;
        // After the first rule of a sheet nothing is imported any more.
        if says_something || self.rules == 1 {
            return Ok(());
        }
        // With what was left out inside of it.
        self.kept.truncate(kept);
        self.copied = copied;
        self.leave_out(start);
        Ok(())
    }

    /// Leaves out what was passed since `start`, but for its lines.
    fn leave_out(&mut self, start: usize) {
        self.kept.push_str(&self.text[self.copied..start]);
        let lines = lines(&self.bytes[start..self.at]);
        self.kept.extend(std::iter::repeat_n('\n', lines));
        self.copied = self.at;
    }

    /// Passes what stands before a block, and its `{`; or before a `;`, where a rule may end with one.
    fn up_to_block(&mut self, or_semicolon: bool) -> Result<u8, Unsure> {
        loop {
            match self.peek().ok_or(Unsure)? {
                b'{' => {
                    self.at += 1;
                    return Ok(b'{');
                }
                b';' if or_semicolon => {
                    self.at += 1;
                    return Ok(b';');
                }
                b'}' | b';' => return Err(Unsure),
                _ => self.component()?,
            }
        }
    }

    /// Passes a block up to its `}`; whether a declaration in it, or in a block inside, concerns what is wanted.
    fn block(&mut self, keep: Keep) -> Result<bool, Unsure> {
        let mut says_something = false;
        let mut depth = 1_usize;
        let mut at_start = true;
        // Where a declaration begins that can be left out, if it is one and no selector.
        let mut idle = None;
        // Whether a block that begins now may be a value, or an at-rule's: nothing is left out of those. Its depth.
        let (mut is_whole, mut whole) = (false, if keep == Keep::All { 1 } else { usize::MAX });
        loop {
            self.skip_space()?;
            let byte = self.peek().ok_or(Unsure)?;
            match byte {
                b'{' => {
                    depth += 1;
                    self.at += 1;
                    at_start = true;
                    idle = None;
                    if is_whole {
                        whole = whole.min(depth);
                    }
                }
                b';' | b'}' => {
                    idle.take().into_iter().for_each(|start| self.leave_out(start));
                    self.at += 1;
                    at_start = true;
                    depth -= usize::from(byte == b'}');
                    if depth < whole {
                        whole = usize::MAX;
                    }
                    if depth == 0 {
                        return Ok(says_something);
                    }
                }
                _ if at_start => {
                    at_start = false;
                    let start = self.at;
                    let has_a_say = self.says_something()?;
                    let is_name = byte.is_ascii_alphabetic() || byte == b'-';
                    idle = (!has_a_say && is_name && depth < whole).then_some(start);
                    is_whole = has_a_say || byte == b'@';
                    says_something |= has_a_say;
                }
                _ => self.component()?,
            }
        }
    }

    /// Passes the name that a declaration starts with; whether it concerns what is wanted.
    fn says_something(&mut self) -> Result<bool, Unsure> {
        let start = self.at;
        self.pass(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        if self.peek().is_some_and(|byte| byte == b'\\' || !byte.is_ascii()) {
            return Ok(true);
        }
        if self.at == start {
            self.component()?;
            return Ok(false);
        }
        let name = &self.text[start..self.at];
        if self.peek() == Some(b'(') {
            // A function, which is no declaration.
            self.function(name.as_bytes())?;
            return Ok(false);
        }
        Ok(self.filter.concerns(name))
    }

    fn skip_space(&mut self) -> Result<(), Unsure> {
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

    /// Passes a character, a string, a comment, or something in round or square brackets.
    fn component(&mut self) -> Result<(), Unsure> {
        match self.peek().ok_or(Unsure)? {
            b'"' | b'\'' => self.string(),
            b'/' if self.bytes.get(self.at + 1) == Some(&b'*') => self.comment(),
            b'\\' => self.escape(),
            b'(' | b'[' => self.brackets(),
            b')' | b']' | b'\0' => Err(Unsure),
            _ => {
                let start = self.at;
                self.at += 1;
                self.pass(|byte| !SPECIAL[usize::from(byte)]);
                if self.peek() == Some(b'(') {
                    let passed = &self.bytes[start..self.at];
                    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | 0x80..);
                    let name = passed.iter().rev().take_while(|byte| is_name(byte)).count();
                    return self.function(&passed[passed.len() - name..]);
                }
                Ok(())
            }
        }
    }

    fn escape(&mut self) -> Result<(), Unsure> {
        self.at += 1;
        match self.text[self.at..].chars().next() {
            None | Some('\n' | '\r' | '\x0c') => Err(Unsure),
            Some(character) => {
                self.at += character.len_utf8();
                Ok(())
            }
        }
    }

    fn string(&mut self) -> Result<(), Unsure> {
        let quote = self.bytes[self.at];
        self.at += 1;
        loop {
            match self.peek().ok_or(Unsure)? {
                byte if byte == quote => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' if self.bytes.get(self.at + 1) == Some(&b'\n') => self.at += 2,
                b'\\' => self.escape()?,
                b'\n' | b'\r' | b'\x0c' => return Err(Unsure),
                _ => self.at += 1,
            }
        }
    }

    /// Passes the arguments of a function; an address without quotes is one token, whatever is in it.
    fn function(&mut self, name: &[u8]) -> Result<(), Unsure> {
        if !name.eq_ignore_ascii_case(b"url") {
            return self.brackets();
        }
        let rest = self.bytes[self.at + 1..].trim_ascii_start();
        if matches!(rest.first(), Some(b'"' | b'\'')) {
            return self.brackets();
        }
        loop {
            match self.peek().ok_or(Unsure)? {
                b')' => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' => self.escape()?,
                _ => self.at += 1,
            }
        }
    }

    /// Passes something in round or square brackets, in which there are no blocks.
    fn brackets(&mut self) -> Result<(), Unsure> {
        let mut open = SmallVec::<[u8; 16]>::new();
        loop {
            match self.peek().ok_or(Unsure)? {
                b'(' => open.push(b')'),
                b'[' => open.push(b']'),
                close @ (b')' | b']') if open.last() == Some(&close) => {
                    open.pop();
                }
                b')' | b']' | b'{' | b'}' => return Err(Unsure),
                b';' => {}
                b'"' | b'\'' => {
                    self.string()?;
                    continue;
                }
                b'/' if self.bytes.get(self.at + 1) == Some(&b'*') => {
                    self.comment()?;
                    continue;
                }
                b'\\' => {
                    self.escape()?;
                    continue;
                }
                b'u' | b'U' if self.is_address() => {
                    self.at += 3;
                    self.function(b"url")?;
                    continue;
                }
                _ => {
                    self.at += 1;
                    self.pass(|byte| !SPECIAL[usize::from(byte)] && !matches!(byte, b'u' | b'U'));
                    continue;
                }
            }
            self.at += 1;
            if open.is_empty() {
                return Ok(());
            }
        }
    }

    /// Whether `url(` starts here, as a word of its own or as the end of one: to be passed alike.
    fn is_address(&self) -> bool {
        self.bytes.get(self.at..self.at + 4).is_some_and(|word| word.eq_ignore_ascii_case(b"url("))
            && !self.bytes[..self.at]
                .last()
                .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(text: &str) -> String {
        Filter::new(&[Longhand::FontFamily, Longhand::Display]).kept(text).into_owned()
    }

    #[test]
    fn rules_that_say_nothing_are_left_out() {
        for (text, left) in [
            ("a{}b{color:red}c{font-family:x}", "a{}c{font-family:x}"),
            ("a{}\nb{\ncolor:red}\nc{FONT:x}", "a{}\n\n\nc{FONT:x}"),
            ("a{}b{color:red;all:unset}c{--x:1}d{x:var(--x)}", "a{}b{;all:unset}c{--x:1}"),
            ("a{margin:0;font:x;\n-x-y:\n1px}", "a{;font:x;\n\n}"),
            ("a{}b{--x:{c:d;e{f:g;}};h:i}", "a{}b{--x:{c:d;e{f:g;}};}"),
            ("a{}b{c:d;&:hover{color:red;font:x}e:f}", "a{}b{;&:hover{;font:x}}"),
            (
                "a{}b{c:hover{display:none}d(e;f)}g{@media print{h:i;all:unset}}",
                "a{}b{c:hover{display:none}}g{@media print{h:i;all:unset}}",
            ),
            ("@media print{a{}b{color:red}}c{margin:0}", "@media print{a{}}"),
            ("a{}b{c{color:red}d{display:none}}e{f{color:red}}", "a{}b{c{}d{display:none}}"),
            (
                "@font-face{font-family:x;src:url(y)}@keyframes x{to{left:0}}a{}b{left:0}",
                "@font-face{font-family:x;src:url(y)}@keyframes x{to{left:0}}a{}",
            ),
            ("a{}b{content:'}display:none'}c{background:url(x;}display:)}", "a{}"),
            ("a{}b:not([x='{']){color:red}/*display*/", "a{}/*display*/"),
            ("a{}b{*display:none;color:red}c{\\64isplay:none}", "a{}c{\\64isplay:none}"),
            ("a{}b{x:1px url(};) y;color:red}c{x:\u{e4}url(y);color:red}d{font:x}", "a{}d{font:x}"),
        ] {
            assert_eq!(kept(text), left, "{text}");
        }
    }

    #[test]
    fn rules_with_a_mark_are_kept() {
        let marks = Words::new(&["dark"]);
        let filter = Filter::of_declarations(&[Longhand::Color], &marks);
        let text = "a{}.Dark b{x:y}@media (z:dark){c{x:y}}d{x:y}";
        assert_eq!(filter.kept(text), "a{}.Dark b{x:y}@media (z:dark){c{x:y}}");
    }

    #[test]
    fn at_rules_alone() {
        for (text, left) in [
            (
                "a{}b{font:x}@media print{c{--x:1}@font-face{font-family:x}d{}}e{}",
                "a{}@media print{@font-face{font-family:x}",
            ),
            ("@FONT-face{a:b}@font-feature-values x{}", "@FONT-face{a:b}"),
            ("a{}b{c:d}@layer x{@f\\6f nt-face{}}", "a{}@layer x{@f\\6f nt-face{}"),
            ("@media print{a{}}", ""),
            ("a{}b{@font-face{}}c{}", "a{}"),
            ("a{}@font-face{src:'", "a{}@font-face{src:'"),
        ] {
            assert_eq!(with_at_rules_alone(text, "font-face"), left, "{text}");
        }
    }

    #[test]
    fn long_texts_have_their_lines_counted() {
        assert_eq!(lines("\n".repeat(1_000).as_bytes()), 1_000);
        assert_eq!(lines(b""), 0);
    }

    #[test]
    fn what_is_not_plain_stays_as_it_is() {
        for text in [
            "a{}b{color:red",
            "a{}b{color:red}}c{}",
            "a{}b{x:'\n'}c{}",
            "a{}b{x:(}c{}",
            "<!-- a{}b{color:red} -->",
            "a{}b{}/*",
        ] {
            assert_eq!(kept(text), text, "{text}");
        }
    }
}
