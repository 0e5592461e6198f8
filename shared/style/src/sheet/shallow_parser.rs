//! Shallow parser: finds style rules and their declarations in the text of a stylesheet without tokenizing it, and
//! marks the rest for the full parser. Most of a stylesheet is simple, and callers that need a few properties read
//! little of it.
//!
//! Invariant: the outline may defer a rule to cssparser, but a rule that it returns equals cssparser's. There is no
//! outline of a text whose rules cannot be delimited with certainty (unbalanced brackets, broken strings).

use super::declaration::MAX_VALUE_BYTES;
use super::property_filter::Filter;
use super::scanner::{NeedsFullParser, Scanner, needs_parser_for_prelude, starts_name};
use super::{MAX_DECLARATIONS, MAX_RULES};
use std::ops::Range;

/// Maximum nesting that is read.
const MAX_DEPTH: usize = 32;
/// Usual number of stylesheet bytes for each declaration that is kept.
const BYTES_PER_DECLARATION: usize = 64;

/// A range of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TextSpan {
    start: u32,
    end: u32,
}

impl TextSpan {
    pub(super) fn slice(self, text: &str) -> &str {
        &text[self.start as usize..self.end as usize]
    }

    /// Returns the text from the start of the range on.
    pub(super) fn slice_from(self, text: &str) -> &str {
        &text[self.start as usize..]
    }
}

/// An item of a stylesheet, or of a block of rules in it. Lines are counted from 1.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ShallowItem {
    Rule(SimpleRule),
    /// The start of an at-rule with a block of rules, which follow up to its `Close`.
    Open {
        name: TextSpan,
        prelude: TextSpan,
    },
    Close,
    /// A rule that is deferred to the full parser.
    Written {
        text: TextSpan,
        line: u32,
    },
}

/// A style rule whose block contains only declarations.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SimpleRule {
    pub(super) selectors: TextSpan,
    /// Index range into the outline's declarations.
    pub(super) declarations: Range<u32>,
    pub(super) line: u32,
    /// True if its selectors may contain one of the filter's marks.
    pub(super) is_marked: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct SimpleDeclaration {
    pub(super) name: TextSpan,
    /// Without `!important`.
    pub(super) value: TextSpan,
    pub(super) is_important: bool,
    pub(super) line: u32,
}

#[derive(Debug, Default)]
pub(super) struct ShallowSheet {
    pub(super) items: Vec<ShallowItem>,
    pub(super) declarations: Vec<SimpleDeclaration>,
}

impl ShallowSheet {
    /// Reads the outline of a text, limited to the filter's properties; `None` if the text is not simple enough.
    pub(super) fn parse(text: &str, filter: Option<&Filter<'_>>) -> Option<Self> {
        if u32::try_from(text.len()).is_err() || has_unusual_line_endings(text.as_bytes()) {
            return None;
        }
        let outline = Self { items: Vec::new(), declarations: Vec::with_capacity(text.len() / BYTES_PER_DECLARATION) };
        let mut outliner =
            ShallowParser { scan: Scanner::new(text), filter, outline, counted: 0, line: 1, is_first: true };
        outliner.rule_list(0, filter.is_none()).ok()?;
        Some(outliner.outline)
    }
}

/// Returns true if a line ends with anything but a line feed or a carriage return with a line feed.
fn has_unusual_line_endings(bytes: &[u8]) -> bool {
    let is_strange = |at: usize| bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n');
    bytes.contains(&b'\x0c') || (bytes.contains(&b'\r') && (0..bytes.len()).any(is_strange))
}

/// Counts line feeds. Sums over chunks of bytes are vectorized by the compiler.
fn lines(bytes: &[u8]) -> u32 {
    let in_chunk = |chunk: &[u8]| chunk.iter().map(|byte| u8::from(*byte == b'\n')).sum::<u8>();
    bytes.chunks(usize::from(u8::MAX)).map(|chunk| u32::from(in_chunk(chunk))).sum()
}

/// The block of a style rule.
enum Block {
    Plain,
    /// Contains rules or unusual syntax; true if any of it may concern the filter.
    Odd(bool),
}

struct ShallowParser<'f, 't> {
    scan: Scanner<'t>,
    filter: Option<&'f Filter<'f>>,
    outline: ShallowSheet,
    /// Position up to which lines are counted, and the line there.
    counted: usize,
    line: u32,
    /// True until the first style rule.
    is_first: bool,
}

impl ShallowParser<'_, '_> {
    /// Returns the line of a position, which must not precede the last one that was passed.
    fn line_at(&mut self, at: usize) -> u32 {
        self.line += lines(&self.scan.text.as_bytes()[self.counted..at]);
        self.counted = at;
        self.line
    }

    /// Returns true if the prelude contains one of the filter's words, possibly hidden by an escape.
    fn is_marked(&self, prelude: Range<usize>) -> bool {
        let prelude = &self.scan.text[prelude];
        let hides =
            |(at, _)| prelude[at + 1..].starts_with(|c: char| c.is_ascii_alphanumeric() || c.is_ascii_whitespace());
        self.filter.is_none_or(|filter| {
            filter.is_marked(prelude) || (filter.has_marks() && prelude.match_indices('\\').any(hides))
        })
    }

    fn push(&mut self, item: ShallowItem) -> Result<(), NeedsFullParser> {
        /// A rule and the one that may enclose it, each with its end.
        const MAX_SPANS: usize = 4 * MAX_RULES;
        let has_room = self.outline.items.len() < MAX_SPANS && self.outline.declarations.len() <= MAX_DECLARATIONS;
        self.outline.items.push(item);
        if has_room { Ok(()) } else { Err(NeedsFullParser) }
    }

    /// Reads the rules of a stylesheet, or of a conditional group rule up to its end.
    fn rule_list(&mut self, depth: usize, keeps_all: bool) -> Result<(), NeedsFullParser> {
        loop {
            self.scan.skip_space()?;
            match self.scan.peek() {
                None if depth == 0 => return Ok(()),
                Some(b'}') if depth > 0 => {
                    self.scan.position += 1;
                    return Ok(());
                }
                None | Some(b'}' | b'<') => return Err(NeedsFullParser),
                Some(b'@') => self.at_rule(depth, keeps_all)?,
                Some(_) => self.style_rule(depth, keeps_all)?,
            }
        }
    }

    fn at_rule(&mut self, depth: usize, keeps_all: bool) -> Result<(), NeedsFullParser> {
        let start = self.scan.position;
        let name = start + 1..start + 1 + self.scan.at_keyword()?.len();
        let ends_there = self.scan.peek().is_some_and(|byte| byte != b'\\' && byte.is_ascii());
        let is_list = ends_there && contains_rules(&self.scan.text[name.clone()]) && depth < MAX_DEPTH;
        let end = self.scan.skip_prelude(true)?;
        if end == b'{' && is_list {
            let prelude = name.end..self.scan.position - 1;
            let keeps_all = keeps_all || self.is_marked(prelude.clone());
            self.push(ShallowItem::Open { name: span(name), prelude: span(prelude) })?;
            self.rule_list(depth + 1, keeps_all)?;
            return self.push(ShallowItem::Close);
        }
        if end == b'{' {
            self.scan.block()?;
        }
        let line = self.line_at(start);
        self.push(ShallowItem::Written { text: span(start..self.scan.position), line })
    }

    fn style_rule(&mut self, depth: usize, keeps_all: bool) -> Result<(), NeedsFullParser> {
        let start = self.scan.position;
        let line = self.line_at(start);
        self.scan.skip_prelude(false)?;
        let prelude = start..self.scan.position - 1;
        if needs_parser_for_prelude(&self.scan.text[prelude.clone()]) {
            self.scan.block()?;
            return self.push(ShallowItem::Written { text: span(start..self.scan.position), line });
        }
        let is_marked = self.is_marked(prelude.clone());
        // No `@import` is valid after the first rule of a stylesheet.
        let is_first = depth == 0 && std::mem::take(&mut self.is_first);
        let keeps_all = keeps_all || is_marked;
        let first = self.outline.declarations.len();
        match self.block(keeps_all)? {
            Block::Plain => {
                let declarations = index(first)..index(self.outline.declarations.len());
                if declarations.is_empty() && !keeps_all && !is_first {
                    return Ok(());
                }
                let is_marked = is_marked || !self.filter.is_some_and(Filter::has_marks);
                self.push(ShallowItem::Rule(SimpleRule { selectors: span(prelude), declarations, line, is_marked }))
            }
            Block::Odd(says_something) => {
                self.outline.declarations.truncate(first);
                if !says_something && !keeps_all && !is_first {
                    return Ok(());
                }
                self.push(ShallowItem::Written { text: span(start..self.scan.position), line })
            }
        }
    }

    /// Reads the block of a style rule, up to its end.
    fn block(&mut self, keeps_all: bool) -> Result<Block, NeedsFullParser> {
        let inside = self.scan.position;
        loop {
            self.scan.skip_space()?;
            let is_plain = match self.scan.peek().ok_or(NeedsFullParser)? {
                b'}' => {
                    self.scan.position += 1;
                    return Ok(Block::Plain);
                }
                b';' => {
                    self.scan.position += 1;
                    true
                }
                b'@' => false,
                byte if byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_') => self.declaration(keeps_all)?,
                byte => byte.is_ascii() && byte != b'\\' && self.statement()?,
            };
            if !is_plain {
                self.scan.position = inside;
                return self.skip_block().map(Block::Odd);
            }
        }
    }

    /// Skips a statement that is not a declaration; returns true if it is not a rule either, so that it has no effect.
    fn statement(&mut self) -> Result<bool, NeedsFullParser> {
        loop {
            match self.scan.peek().ok_or(NeedsFullParser)? {
                b';' | b'}' => return Ok(true),
                b'{' => return Ok(false),
                _ => self.scan.component()?,
            }
        }
    }

    /// Reads a declaration, or a statement that starts like one; returns true if the full parser would read the same.
    fn declaration(&mut self, keeps_all: bool) -> Result<bool, NeedsFullParser> {
        let start = self.scan.position;
        let name = self.scan.name();
        let name_end = self.scan.position;
        self.scan.skip_while(|byte| byte.is_ascii_whitespace());
        if self.scan.peek() != Some(b':') {
            // An escape may continue the name, or a comment follow it.
            let may_be = self.scan.peek().is_none_or(|byte| !byte.is_ascii() || matches!(byte, b'\\' | b'/'));
            return Ok(!may_be && self.statement()?);
        }
        self.scan.position += 1;
        let value_start = self.scan.position;
        self.scan.odd = false;
        if !self.statement()? {
            return Ok(false);
        }
        if !keeps_all && !self.filter.is_some_and(|filter| filter.concerns(name)) {
            return Ok(true);
        }
        if self.scan.odd || !starts_name(name.as_bytes()) {
            return Ok(false);
        }
        let Some(value) = value(&self.scan.text[value_start..self.scan.position]) else { return Ok(false) };
        if value.text.is_empty() && !name.starts_with("--") {
            return Ok(true);
        }
        if value.text.len() > MAX_VALUE_BYTES {
            return Ok(false);
        }
        let value_start = value_start + value.position;
        let line = self.line_at(start);
        self.outline.declarations.push(SimpleDeclaration {
            name: span(start..name_end),
            value: span(value_start..value_start + value.text.len()),
            is_important: value.is_important,
            line,
        });
        Ok(true)
    }

    /// Skips a block, whatever its contents; returns true if a possible declaration in it, or in a nested block,
    /// concerns the filter.
    fn skip_block(&mut self) -> Result<bool, NeedsFullParser> {
        let (mut says_something, mut depth, mut at_start) = (false, 1_usize, true);
        loop {
            self.scan.skip_space()?;
            let byte = self.scan.peek().ok_or(NeedsFullParser)?;
            match byte {
                b'{' | b';' | b'}' => {
                    self.scan.position += 1;
                    at_start = true;
                    depth = if byte == b'{' { depth + 1 } else { depth - usize::from(byte == b'}') };
                    if depth == 0 {
                        return Ok(says_something);
                    }
                }
                _ if at_start => {
                    at_start = false;
                    let name = self.scan.name();
                    let goes_on = self.scan.peek().is_some_and(|byte| byte == b'\\' || !byte.is_ascii());
                    let concerns = !name.is_empty() && self.filter.is_none_or(|filter| filter.concerns(name));
                    // Nested at-rules always concern the filter: their conditions and layers are needed, whatever they
                    // contain.
                    says_something |= goes_on || concerns || byte == b'@';
                }
                _ => self.scan.component()?,
            }
        }
    }
}

/// The value of a declaration.
#[derive(Debug, PartialEq, Eq)]
struct SimpleValue<'t> {
    /// Start of the text.
    position: usize,
    text: &'t str,
    is_important: bool,
}

/// Splits the text between the colon and the end of a declaration into value and `!important`; `None` if uncertain.
fn value(written: &str) -> Option<SimpleValue<'_>> {
    let at = written.len() - written.trim_ascii_start().len();
    let (text, is_important) = match written.rfind('!') {
        None => (written, false),
        Some(mark) if written[mark + 1..].trim_ascii().eq_ignore_ascii_case("important") => (&written[..mark], true),
        Some(_) => return None,
    };
    let untrimmed = text.get(at..).unwrap_or_default();
    let text = untrimmed.trim_ascii_end();
    // White space may be part of an escape.
    let has_escape = text.contains('\\') && text.len() < untrimmed.len();
    let has_more = is_important && (text.contains('!') || text.ends_with('\\'));
    (!has_escape && !has_more).then_some(SimpleValue { position: at, text, is_important })
}

/// Returns true if the block of an at-rule contains rules that can be read one by one.
pub(super) fn contains_rules(name: &str) -> bool {
    ["media", "supports", "layer", "container"].iter().any(|known| name.eq_ignore_ascii_case(known))
}

fn index(at: usize) -> u32 {
    // Texts with larger positions have no outline.
    u32::try_from(at).unwrap_or(u32::MAX)
}

fn span(range: Range<usize>) -> TextSpan {
    TextSpan { start: index(range.start), end: index(range.end) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SubstringSet;
    use crate::property::Longhand;

    /// Formats an outline: `selectors{name:value;}`, `@name prelude{`, `}`, and `«text»` for deferred rules; each rule
    /// with its line.
    fn format_outline(text: &str, filter: Option<&Filter<'_>>) -> Option<String> {
        let outline = ShallowSheet::parse(text, filter)?;
        let declaration = |declaration: &SimpleDeclaration| {
            let SimpleDeclaration { name, value, is_important, line } = declaration;
            let mark = if *is_important { "!" } else { "" };
            format!("{}:{}{mark}@{line};", name.slice(text), value.slice(text))
        };
        let item = |item: &ShallowItem| match item {
            ShallowItem::Rule(SimpleRule { selectors, declarations, line, is_marked: _ }) => {
                let own = &outline.declarations[declarations.start as usize..declarations.end as usize];
                format!("{line} {}{{{}}}", selectors.slice(text), own.iter().map(declaration).collect::<String>())
            }
            ShallowItem::Open { name, prelude } => format!("@{}{}{{", name.slice(text), prelude.slice(text)),
            ShallowItem::Close => "}".to_owned(),
            ShallowItem::Written { text: span, line } => format!("{line} «{}»", span.slice(text)),
        };
        Some(outline.items.iter().map(item).collect::<Vec<_>>().join(" "))
    }

    fn of_some(text: &str) -> Option<String> {
        format_outline(text, Some(&Filter::new(&[Longhand::FontFamily, Longhand::Display])))
    }

    #[test]
    fn rules_without_requested_properties_are_left_out() {
        for (text, left) in [
            ("a{}b{color:red}c{font-family:x}", "1 a{} 1 c{font-family:x@1;}"),
            ("a{}\nb{\ncolor:red}\nc{FONT:x}", "1 a{} 4 c{FONT:x@4;}"),
            ("a{}b{color:red;all:unset}c{--x:1}d{x:var(--x)}", "1 a{} 1 b{all:unset@1;} 1 c{--x:1@1;}"),
            ("a{margin:0;font:x;\n-x-y:\n1px;\n display : y }", "1 a{font:x@1;display:y@4;}"),
            ("a{}@media print{b{color:red}}c{margin:0}", "1 a{} @media print{ }"),
            ("a{}b{*display:none;color:red}c{d;font:x;e(f;g)}", "1 a{} 1 c{font:x@1;}"),
            ("a{}b:not([x='{']){color:red}/*display*/", "1 a{}"),
            ("a{}b{x:1px url(};) y;color:red}d{font:x}", "1 a{} 1 d{font:x@1;}"),
            ("a{}b{content:'}display:none'}c{background:url(x;}display:)}", "1 a{}"),
        ] {
            assert_eq!(of_some(text).as_deref(), Some(left), "{text}");
        }
    }

    #[test]
    fn unusual_rules_are_deferred_to_the_parser() {
        for (text, left) in [
            ("a{}b{--x:{c:d;e{f:g;}};h:i}", "1 a{} 1 «b{--x:{c:d;e{f:g;}};h:i}»"),
            ("a{}\nb{c:d;&:hover{color:red;font:x}e:f}", "1 a{} 2 «b{c:d;&:hover{color:red;font:x}e:f}»"),
            ("a{}b{c:hover{display:none}}d{e:hover{f:g}}", "1 a{} 1 «b{c:hover{display:none}}»"),
            ("a{}b{@media print{c:d}}e{@x y;}f{g{h:i}}", "1 a{} 1 «b{@media print{c:d}}» 1 «e{@x y;}»"),
            ("a{}c{\\64isplay:none}d{displa\\79:none}", "1 a{} 1 «c{\\64isplay:none}» 1 «d{displa\\79:none}»"),
            ("a{}b{font:x/**/}c{font:url(x y)}d{-1font:x}", "1 a{} 1 «b{font:x/**/}» 1 «c{font:url(x y)}»"),
            ("a{}b{font:x!y}c{font:'!'}d{font:x\\9 }", "1 a{} 1 «b{font:x!y}» 1 «c{font:'!'}» 1 «d{font:x\\9 }»"),
            ("@font-face{font-family:x}\n@import 'x';", "1 «@font-face{font-family:x}» 2 «@import 'x';»"),
            ("--> a{}--x:hover{color:red}", "1 «--> a{}» 1 «--x:hover{color:red}»"),
            ("a{}b{--x:y\\!important}", "1 a{} 1 «b{--x:y\\!important}»"),
            ("@media_x{a{}}@m\\65 dia print{a{}}", "1 «@media_x{a{}}» 1 «@m\\65 dia print{a{}}»"),
        ] {
            assert_eq!(of_some(text).as_deref(), Some(left), "{text}");
        }
    }

    #[test]
    fn escapes_that_may_hide_a_mark_keep_the_rule() {
        let marks = SubstringSet::new(&["dark"]);
        let filter = Filter::for_declarations(&[Longhand::Color], &marks);
        for (text, expected) in
            [("a{}.da\\rk{x:y}", 2), ("a{}.\\64 ark{x:y}", 2), ("a{}[b='da\\\nrk']{x:y}", 2), ("a{}.b\\:c{x:y}", 1)]
        {
            assert_eq!(ShallowSheet::parse(text, Some(&filter)).unwrap().items.len(), expected, "{text}");
        }
    }

    #[test]
    fn marked_rule_is_kept() {
        let marks = SubstringSet::new(&["dark"]);
        let filter = Filter::for_declarations(&[Longhand::Color], &marks);
        let text = "a{}.Dark b{x:y}@media (z:dark){c{x:y}}d{x:y}";
        let left = "1 a{} 1 .Dark b{x:y@1;} @media (z:dark){ 1 c{x:y@1;} }";
        assert_eq!(format_outline(text, Some(&filter)).as_deref(), Some(left));
        let is_marked = |item: &ShallowItem| matches!(item, ShallowItem::Rule(SimpleRule { is_marked: true, .. }));
        assert_eq!(
            ShallowSheet::parse(text, Some(&filter)).unwrap().items.iter().filter(|item| is_marked(item)).count(),
            1
        );
    }

    #[test]
    fn outline_without_filter_keeps_all_rules() {
        for (text, left) in [
            ("a{}b{color:red ! IMPORTANT;--x:;--y: !important;e:;f}", "1 a{} 1 b{color:red!@1;--x:@1;--y:!@1;}"),
            ("@LAYER x{@layer{a{b:c}}}", "@LAYER x{ @layer{ 1 a{b:c@1;} } }"),
            ("a{b:c};d{e:f}", "1 a{b:c@1;} 1 ;d{e:f@1;}"),
            ("a{\r\nb:c\r\n}\r\nd{e:f}", "1 a{b:c@2;} 4 d{e:f@4;}"),
        ] {
            assert_eq!(format_outline(text, None).as_deref(), Some(left), "{text}");
        }
    }

    #[test]
    fn ambiguous_texts_have_no_outline() {
        for text in [
            "a{}b{color:red",
            "a{}b{color:red}}c{}",
            "a{}b{x:'\n'}c{}",
            "a{}b{x:(}c{}",
            "a{}b{x:)}c{}",
            "<!-- a{}b{color:red} -->",
            "a{}b{}/*",
            "a{b:c}\rd{}",
            "a{b:c\x0c}",
            "a{b:\\75 rl(})}",
            "@;a{}",
            "@ media print{}",
            "@-1 a{}",
            "a{b:#url(')')}",
        ] {
            assert_eq!(of_some(text), None, "{text:?}");
        }
    }

    #[test]
    fn oversized_values_are_deferred_to_the_parser() {
        let long = format!("a{{--x:{}}}", "y".repeat(MAX_VALUE_BYTES + 1));
        let deep = format!("a{{--x:{}{}}}", "(".repeat(40), ")".repeat(40));
        for text in [long, deep] {
            let outline = ShallowSheet::parse(&text, None).unwrap();
            assert!(matches!(outline.items.as_slice(), [ShallowItem::Written { .. }]));
        }
    }

    #[test]
    fn long_texts_have_their_lines_counted() {
        assert_eq!(lines("\n".repeat(1_000).as_bytes()), 1_000);
        assert_eq!(lines(b""), 0);
    }
}
