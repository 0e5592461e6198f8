//! Selector lists of rules, parsed at once or lazily at the first match.

use crate::selector::{Extent, MAX_SELECTOR_BYTES, Namespaces, SelectorParser, StyleSelectorImpl};
use cssparser::{Parser, ToCss};
use selectors::parser::{ParseRelative, Selector, SelectorList};
use std::sync::{Arc, OnceLock};

/// A rule's selector list.
#[derive(Debug, Clone)]
pub(crate) enum LazySelectorList {
    Parsed(SelectorList<StyleSelectorImpl>),
    Written(Arc<DeferredSelectors>),
}

/// A list that is known to be valid and is parsed lazily, as most are never matched.
#[derive(Debug)]
pub(crate) struct DeferredSelectors {
    text: Box<str>,
    selectors: usize,
    is_flat: bool,
    parsed: OnceLock<SelectorList<StyleSelectorImpl>>,
}

impl LazySelectorList {
    pub(crate) fn slice(&self) -> &[Selector<StyleSelectorImpl>] {
        self.list().slice()
    }

    /// Returns the number of selectors.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Parsed(list) => list.len(),
            Self::Written(written) => written.selectors,
        }
    }

    pub(super) fn list(&self) -> &SelectorList<StyleSelectorImpl> {
        match self {
            Self::Parsed(list) => list,
            Self::Written(written) => written.parsed.get_or_init(|| parse(&written.text)),
        }
    }

    /// Returns the selectors as the CSSOM serializes them (CSSOM 1 §5.2).
    pub(crate) fn texts(&self) -> Box<dyn Iterator<Item = String> + '_> {
        match self {
            Self::Written(written) if written.is_flat => Box::new(written.text.split(',').map(serialized)),
            _ => Box::new(self.slice().iter().map(ToCss::to_css_string)),
        }
    }

    /// Returns false if every selector requires a class that is none of the known ones.
    pub(crate) fn may_match(&self, is_known: &dyn Fn(&str) -> bool) -> bool {
        let Self::Written(written) = self else { return true };
        // A flat list contains no strings and no numbers, so a dot starts a class and a comma ends a selector.
        let all_known =
            |selector: &str| selector.split('.').skip(1).all(|rest| is_known(&rest[..name_end(rest.as_bytes(), 0)]));
        !written.is_flat || written.text.split(',').any(all_known)
    }

    /// Returns the class that the selector consists of; `None` for other selectors and for lists.
    pub(crate) fn only_class(&self) -> Option<&str> {
        match self {
            Self::Written(written) => {
                let name = written.text.trim().strip_prefix('.')?;
                (!name.is_empty() && name_end(name.as_bytes(), 0) == name.len()).then_some(name)
            }
            Self::Parsed(list) => {
                let [selector] = list.slice() else { return None };
                let mut parts = selector.iter_raw_match_order();
                match (parts.next(), parts.next()) {
                    (Some(selectors::parser::Component::Class(name)), None) => Some(name.as_str()),
                    _ => None,
                }
            }
        }
    }

    /// Returns all classes in the selectors, if nothing else in them could be a theme selector.
    pub(crate) fn classes_if_only(&self) -> Option<impl Iterator<Item = &str>> {
        let Self::Written(written) = self else { return None };
        if !written.is_flat {
            return None;
        }
        // A flat list contains no strings and no numbers, so a dot starts a class.
        Some(written.text.split('.').skip(1).map(|rest| &rest[..name_end(rest.as_bytes(), 0)]))
    }
}

/// Parses a deferred list. It is known to be valid; an invalid one would match no element.
fn parse(text: &str) -> SelectorList<StyleSelectorImpl> {
    let namespaces = Namespaces::default();
    let parsed = SelectorList::parse(&SelectorParser::new(&namespaces), &mut Parser::new(text), ParseRelative::No);
    parsed.unwrap_or_else(|_| SelectorList::from_iter(std::iter::empty()))
}

const COMBINATORS: [char; 3] = ['>', '+', '~'];

/// Serializes a simple selector with one space around each combinator, and two colons before each pseudo-element.
fn serialized(selector: &str) -> String {
    let mut out = String::with_capacity(selector.len() + 2);
    for word in selector.split_ascii_whitespace() {
        let mut rest = word;
        if !out.is_empty() && !out.ends_with(' ') && !rest.starts_with(COMBINATORS) {
            out.push(' ');
        }
        while let Some(at) = rest.find(COMBINATORS) {
            out.push_str(&rest[..at]);
            out.push_str(if out.ends_with(' ') { "" } else { " " });
            out.push_str(&rest[at..=at]);
            out.push(' ');
            rest = &rest[at + 1..];
        }
        out.push_str(rest);
    }
    match out.rfind(':') {
        Some(at) if !out[..at].ends_with(':') && PSEUDO_ELEMENTS.contains(&&out.as_bytes()[at + 1..]) => {
            out.insert(at, ':');
        }
        _ => {}
    }
    out
}

/// A selector list at the start of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SimpleSelectors<'t> {
    text: &'t str,
    selectors: usize,
    /// Number of simple selectors and combinators.
    size: usize,
    /// True if the list contains no brackets and no escapes.
    is_flat: bool,
}

impl SimpleSelectors<'_> {
    /// Returns an upper bound of the list's extent: `:not()` may count as one level too many.
    pub(super) fn extent(&self) -> Extent {
        Extent { simple: self.size, depth: 2 }
    }

    pub(super) fn to_deferred(&self) -> LazySelectorList {
        LazySelectorList::Written(Arc::new(DeferredSelectors {
            text: self.text.trim_ascii_end().into(),
            selectors: self.selectors,
            is_flat: self.is_flat,
            parsed: OnceLock::new(),
        }))
    }
}

/// Scans the selector list before a block. Returns `None` unless it consists of names, classes, ids, attributes,
/// combinators and the most common pseudo-classes only, so that it is certain to be valid.
pub(super) fn plain(text: &str) -> Option<SimpleSelectors<'_>> {
    let mut scan = SelectorScanner { bytes: text.as_bytes(), position: 0, selectors: 1, size: 0, is_flat: true };
    scan.list()?;
    let SelectorScanner { selectors, size, is_flat, .. } = scan;
    Some(SimpleSelectors { text: text.get(..scan.position)?, selectors, size, is_flat })
}

/// Pseudo-classes that the scanner accepts.
const PSEUDO_CLASSES: &[&[u8]] = &[
    b"hover",
    b"focus",
    b"active",
    b"visited",
    b"link",
    b"disabled",
    b"enabled",
    b"checked",
    b"root",
    b"empty",
    b"first-child",
    b"last-child",
    b"only-child",
    b"first-of-type",
    b"last-of-type",
    b"focus-visible",
    b"focus-within",
];
const PSEUDO_ELEMENTS: &[&[u8]] = &[b"before", b"after"];

struct SelectorScanner<'t> {
    bytes: &'t [u8],
    position: usize,
    selectors: usize,
    size: usize,
    is_flat: bool,
}

impl SelectorScanner<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.position).copied()
    }

    /// Skips white space; returns true if there was any.
    fn space(&mut self) -> bool {
        let start = self.position;
        while self.peek().is_some_and(|byte| matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | b'\x0c')) {
            self.position += 1;
        }
        self.position > start
    }

    /// Scans up to the `{`.
    fn list(&mut self) -> Option<()> {
        self.space();
        loop {
            let ends = self.compound(false)?;
            let has_space = self.space();
            match self.peek()? {
                b'{' => return (self.position <= MAX_SELECTOR_BYTES).then_some(()),
                b',' => {
                    self.selectors += 1;
                    self.position += 1;
                }
                _ if ends => return None,
                b'>' | b'+' | b'~' => {
                    self.size += 1;
                    self.position += 1;
                }
                _ if has_space => {
                    self.size += 1;
                    continue;
                }
                _ => return None,
            }
            self.space();
        }
    }

    /// Returns the end of the name that starts at `start`.
    fn name_end(&mut self, start: usize) -> usize {
        let mut end = name_end(self.bytes, start);
        // Escaped punctuation is serialized as it is written.
        while end > start && self.bytes.get(end) == Some(&b'\\') && self.bytes.get(end + 1).is_some_and(is_escaped) {
            self.is_flat = false;
            end += 2 + self.bytes[end + 2..].iter().take_while(|byte| is_name_byte(**byte)).count();
        }
        end
    }

    /// Scans `[name]` or `[name="value"]`.
    fn attribute(&mut self) -> Option<()> {
        self.is_flat = false;
        let name = self.position + 1;
        self.position = name_end(self.bytes, name);
        if self.position == name {
            return None;
        }
        if self.peek()? != b']' {
            self.position += usize::from(matches!(self.peek()?, b'~' | b'|' | b'^' | b'$' | b'*'));
            if self.peek()? != b'=' {
                return None;
            }
            let value = self.position + 1;
            self.position = match *self.bytes.get(value)? {
                quote @ (b'"' | b'\'') => {
                    let is_plain =
                        |byte: &&u8| !matches!(**byte, b'\\' | b'\n' | b'\r' | b'\x0c' | 0) && **byte != quote;
                    let end = value + 1 + self.bytes[value + 1..].iter().take_while(is_plain).count();
                    if *self.bytes.get(end)? != quote {
                        return None;
                    }
                    end + 1
                }
                _ => name_end(self.bytes, value),
            };
            if self.position == value {
                return None;
            }
        }
        let is_closed = self.peek()? == b']';
        self.position += 1;
        is_closed.then_some(())
    }

    /// Scans the argument of `:not()`.
    fn negation(&mut self) -> Option<()> {
        self.is_flat = false;
        self.position += 1;
        self.size += 1;
        let ends = self.compound(true)?;
        if ends || self.peek()? != b')' {
            return None;
        }
        self.position += 1;
        Some(())
    }

    /// Scans a compound selector; returns true if only a comma may follow.
    fn compound(&mut self, is_negated: bool) -> Option<bool> {
        let start = self.position;
        if self.peek() == Some(b'*') {
            self.position += 1;
            // Serialization omits `*` before another simple selector.
            if self.peek().is_some_and(|byte| matches!(byte, b'.' | b'#' | b':')) {
                return None;
            }
        } else {
            self.position = self.name_end(self.position);
        }
        self.size += usize::from(self.position > start);
        loop {
            match self.peek()? {
                b'.' | b'#' => {
                    let name = self.position + 1;
                    self.position = self.name_end(name);
                    if self.position == name {
                        return None;
                    }
                }
                b'[' => self.attribute()?,
                b':' if !is_negated && self.bytes[self.position..].starts_with(b":not(") => {
                    self.position += 4;
                    self.negation()?;
                }
                b':' => {
                    if self.pseudo()? {
                        self.size += 1;
                        return Some(true);
                    }
                }
                _ => return (self.position > start).then_some(false),
            }
            self.size += 1;
        }
    }

    /// Scans a pseudo-class or pseudo-element; returns true for the latter.
    fn pseudo(&mut self) -> Option<bool> {
        let colons = if self.bytes.get(self.position + 1) == Some(&b':') { 2 } else { 1 };
        let name = self.position + colons;
        self.position = name_end(self.bytes, name);
        let name = &self.bytes[name..self.position];
        if PSEUDO_ELEMENTS.contains(&name) {
            return Some(true);
        }
        (colons == 1 && PSEUDO_CLASSES.contains(&name)).then_some(false)
    }
}

/// Returns the end of the name without escapes that starts at `start`, or `start` if there is none.
fn name_end(bytes: &[u8], start: usize) -> usize {
    let first = start + usize::from(bytes.get(start) == Some(&b'-'));
    if !bytes.get(first).is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_') {
        return start;
    }
    first + bytes[first..].iter().take_while(|byte| is_name_byte(**byte)).count()
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

/// Returns true for punctuation, which an escape makes part of a name.
fn is_escaped(byte: &u8) -> bool {
    byte.is_ascii_punctuation() && !is_name_byte(*byte)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn simple_lists_are_scanned() {
        for (text, selectors) in [
            ("a{", 1),
            (" .a , #b\n>*{", 2),
            ("ul.x-y li+li~.-z:hover::before,b:after {", 2),
            (":root{", 1),
            ("a  .b:focus-visible{", 1),
            (".a:first-child:last-child{", 1),
            ("input[type=button],a[href^='x, y']{", 2),
            ("[data-a]:not(.b):hover{", 1),
            (".a:not([b|=c]) > d:not(:disabled)::after{", 1),
            (".md\\:w-1\\/2:hover>.a\\,b{", 1),
        ] {
            assert_eq!(plain(text).map(|plain| plain.selectors), Some(selectors), "{text}");
        }
    }

    #[test]
    fn lists_that_are_not_simple_are_left_to_the_parser() {
        for text in [
            "",
            "{",
            "a",
            "a,{",
            ",a{",
            ">a{",
            "a>{",
            "a>>b{",
            "..a{",
            ".1{",
            "#1{",
            "a|b{",
            "*|*{",
            "a:is(b){",
            "[a i]{",
            "[a=]{",
            "[a=1]{",
            "[ a]{",
            "[a='b]{",
            "[a='\\62']{",
            "[a|b]{",
            "[a=b{",
            "a:not(){",
            "a:not(b c){",
            "a:not(b,c){",
            "a:not(:not(b)){",
            "a:not(::before){",
            "a:not(b::before){",
            "a:not(b{",
            ".\\31 0{",
            ".a\\{",
            "&{",
            "a::hover{",
            "a:before b{",
            "a::after:hover{",
            "a:before>b{",
            ".é{",
            "a/**/b{",
            "a:HOVER{",
            "a**{",
            "a::placeholder{",
            "--a{",
            ".--a{",
            "a;b{",
            "*.a{",
            "a}{",
            "*a{",
        ] {
            assert_eq!(plain(text), None, "{text}");
        }
    }

    #[test]
    fn classes_of_a_deferred_list_are_found() {
        let list = plain("ul.a.b-c > .d:hover,#e,.f{").unwrap().to_deferred();
        assert_eq!(list.classes_if_only().unwrap().collect::<Vec<_>>(), ["a", "b-c", "d", "f"]);
        assert!(LazySelectorList::Parsed(parse(".a")).classes_if_only().is_none());
        assert!(plain("[a='.b']{").unwrap().to_deferred().classes_if_only().is_none());
    }

    #[test]
    fn lists_with_unknown_classes_cannot_match() {
        let is_known = |class: &str| matches!(class, "a" | "b-c");
        for (text, expected) in [
            (".a{", true),
            (".d{", false),
            ("ul.a .b-c:hover{", true),
            ("ul.a .b{", false),
            (".d,.a{", true),
            (".d,.e .a{", false),
            ("p{", true),
            // What may not be required is not looked at.
            (".a:not(.d){", true),
            (".d:not(.a){", true),
        ] {
            assert_eq!(plain(text).unwrap().to_deferred().may_match(&is_known), expected, "{text}");
        }
        assert!(LazySelectorList::Parsed(parse(".d")).may_match(&is_known));
    }

    #[test]
    fn single_class_is_recognized() {
        for (text, expected) in [
            (".text-xs", Some("text-xs")),
            (".a.b", None),
            (".a,.b", None),
            (".a:hover", None),
            ("p", None),
            ("p.a", None),
        ] {
            assert_eq!(LazySelectorList::Parsed(parse(text)).only_class(), expected, "{text}");
            assert_eq!(plain(&format!("{text}{{")).unwrap().to_deferred().only_class(), expected, "{text}");
        }
        assert_eq!(LazySelectorList::Parsed(parse(".p-0\\.5")).only_class(), Some("p-0.5"));
    }

    #[test]
    fn scanned_pseudo_selectors_are_valid() {
        for (colons, names) in [(":", PSEUDO_CLASSES), (":", PSEUDO_ELEMENTS), ("::", PSEUDO_ELEMENTS)] {
            for name in names {
                let text = format!("a{colons}{}", std::str::from_utf8(name).unwrap());
                assert!(!parse(&text).slice().is_empty(), "{text}");
            }
        }
    }

    proptest! {
        #[test]
        fn scanned_list_equals_the_parsed_one(text in "([abA*.#:>+~, \n-]|:hover|::before|:after|\\.x|#y|[0-9]|:not\\(|\\)|\\[|\\]|\\[x\\]|\\[y\\^='z,'\\]|=|'|\\\\|\\\\:){1,12}") {
            if let Some(plain) = plain(&format!("{text}{{")) {
                let parsed = parse(&text);
                prop_assert!(!parsed.slice().is_empty(), "{}", text);
                let kept = plain.to_deferred();
                prop_assert_eq!(kept.len(), kept.slice().len());
                let Extent { simple, depth } = Extent::measure(kept.slice(), Extent::ONE);
                prop_assert!(simple <= plain.size + plain.selectors && depth <= plain.extent().depth);
                let css = |list: &[Selector<StyleSelectorImpl>]| list.iter().map(ToCss::to_css_string).collect::<Vec<_>>();
                prop_assert_eq!(css(kept.slice()), css(parsed.slice()));
                prop_assert_eq!(kept.texts().collect::<Vec<_>>(), css(kept.slice()));
            }
        }
    }
}
