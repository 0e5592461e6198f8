//! The value definition syntax (Values 4, section 2): grammars, and whether a value fits one.

use super::component::Component;
use super::types::Type;
use smallvec::{SmallVec, smallvec};
use std::cell::Cell;

/// Steps that one match may take; values that need more are invalid.
const MAX_STEPS: u32 = 100_000;

/// A grammar.
#[derive(Debug, Clone)]
pub(crate) enum Grammar {
    Keyword(Box<str>),
    Type {
        of: Type,
        positive: bool,
    },
    Comma,
    Slash,
    /// All, in order.
    Sequence(Vec<Grammar>),
    /// `&&`: all, in any order.
    All(Vec<Grammar>),
    /// `||`: one or more, in any order.
    Some(Vec<Grammar>),
    /// `|`: exactly one.
    One(Vec<Grammar>),
    Repeat {
        of: Box<Grammar>,
        least: usize,
        most: usize,
        commas: bool,
    },
}

/// Named parts that grammars share.
const RULES: &[(&str, &str)] = &[
    ("shadow", "inset?&&[<length>{2} [<length+> <length>?]?]&&<color>?"),
    ("line-width", "thin|medium|thick|<length+>"),
    ("line-style", "none|hidden|dotted|dashed|solid|double|groove|ridge|inset|outset"),
    ("bg-size", "cover|contain|[auto|<length-percentage+>]{1,2}"),
    ("repeat-style", "repeat-x|repeat-y|[repeat|space|round|no-repeat]{1,2}"),
    (
        "position",
        "[[left|center|right|<length-percentage>] [top|center|bottom|<length-percentage>]]\
         |[left|center|right|top|bottom|<length-percentage>]|[left|center|right]&&[top|center|bottom]\
         |[center|[[left|right] <length-percentage>?]]&&[center|[[top|bottom] <length-percentage>?]]",
    ),
    (
        "transform-origin",
        "[[left|center|right|<length-percentage>] [top|center|bottom|<length-percentage>] <length>?]\
         |[[left|center|right]&&[top|center|bottom]] <length>?|[left|center|right|top|bottom|<length-percentage>]",
    ),
    (
        "blend-mode",
        "normal|multiply|screen|overlay|darken|lighten|color-dodge|color-burn|hard-light|soft-light|difference|exclusion\
         |hue|saturation|color|luminosity",
    ),
    ("visual-box", "content-box|padding-box|border-box"),
    ("geometry-box", "content-box|padding-box|border-box|margin-box|fill-box|stroke-box|view-box"),
    (
        "sizing",
        "min-content|max-content|fit-content|stretch|-webkit-fill-available|-webkit-fit-content|-webkit-min-content\
         |-webkit-max-content|<length-percentage+>|<sizing-function>",
    ),
    ("anchor-size", "<sizing-function>"),
    ("inset", "auto|<length-percentage>|<anchor-function>"),
    ("ratio", "<number+>[/<number+>]?"),
    ("family", "<string>|<ident>+"),
    ("paint", "none|<color>|<url>[none|<color>]?|context-fill|context-stroke"),
    ("intrinsic", "auto?[none|<length+>]"),
    (
        "display",
        "none|contents|list-item|inline-block|inline-table|inline-flex|inline-grid|table-row-group|table-header-group\
         |table-footer-group|table-row|table-cell|table-column-group|table-column|table-caption|ruby-text|-webkit-box\
         |-webkit-inline-box|-webkit-flex|-webkit-inline-flex|math|masonry|inline-masonry\
         |[[block|inline|run-in]||[flow|flow-root|table|flex|grid|ruby|math]||list-item]",
    ),
    ("content-distribution", "space-between|space-around|space-evenly|stretch"),
    ("overflow-position", "safe|unsafe"),
    ("content-position", "center|start|end|flex-start|flex-end"),
    ("self-position", "center|start|end|self-start|self-end|flex-start|flex-end"),
    ("baseline-position", "baseline|first baseline|last baseline"),
    ("track-size", "<length-percentage+>|<flex>|min-content|max-content|auto|<track-function>"),
    ("track-list", "subgrid <line-names>*|[<track-size>|<line-names>]+"),
    ("grid-line", "auto|<ident>|[<integer>&&<ident>?]|[span&&[<integer>||<ident>]]"),
];

impl Grammar {
    /// Reads a grammar. `None` when it is not one: `@property` rules bring their own.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut reader = Reader { rest: text.as_bytes(), depth: 0 };
        let grammar = reader.alternatives()?;
        reader.skip_space();
        reader.rest.is_empty().then_some(grammar)
    }

    /// Whether the whole value fits.
    pub(crate) fn matches(&self, value: &[Component]) -> bool {
        if let [component] = value {
            return self.matches_one(component);
        }
        let matcher = Matcher { value, steps: Cell::new(MAX_STEPS) };
        matcher.ends(self, 0).contains(&value.len())
    }

    /// Whether one component fits all by itself, as most values are.
    fn matches_one(&self, component: &Component) -> bool {
        match self {
            Self::Keyword(word) => component.is_ident(word),
            Self::Type { of, positive } => of.matches(component, *positive),
            Self::Comma => *component == Component::Comma,
            Self::Slash => *component == Component::Slash,
            Self::One(list) | Self::Some(list) => list.iter().any(|item| item.matches_one(component)),
            Self::Sequence(list) | Self::All(list) => {
                let mut needed = list.iter().filter(|item| !item.matches_none());
                match (needed.next(), needed.next()) {
                    (None, _) => list.iter().any(|item| item.matches_one(component)),
                    (Some(item), None) => item.matches_one(component),
                    (Some(_), Some(_)) => false,
                }
            }
            Self::Repeat { of, least, most, .. } => {
                *most > 0 && (*least <= 1 || of.matches_none()) && of.matches_one(component)
            }
        }
    }

    /// Whether it may be left out.
    fn matches_none(&self) -> bool {
        match self {
            Self::Keyword(_) | Self::Type { .. } | Self::Comma | Self::Slash => false,
            Self::One(list) | Self::Some(list) => list.iter().any(Self::matches_none),
            Self::Sequence(list) | Self::All(list) => list.iter().all(Self::matches_none),
            Self::Repeat { of, least, .. } => *least == 0 || of.matches_none(),
        }
    }

    /// How many components from the start fit, at most.
    pub(crate) fn longest(&self, value: &[Component]) -> Option<usize> {
        let matcher = Matcher { value, steps: Cell::new(MAX_STEPS) };
        matcher.ends(self, 0).into_iter().max().filter(|end| *end > 0)
    }
}

struct Reader<'a> {
    rest: &'a [u8],
    depth: usize,
}

impl Reader<'_> {
    fn skip_space(&mut self) {
        self.rest = self.rest.trim_ascii_start();
    }

    fn take(&mut self, word: &str) -> bool {
        self.skip_space();
        match self.rest.strip_prefix(word.as_bytes()) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn alternatives(&mut self) -> Option<Grammar> {
        let mut list = vec![self.some()?];
        loop {
            self.skip_space();
            if self.rest.starts_with(b"||") || !self.take("|") {
                break;
            }
            list.push(self.some()?);
        }
        single_or(list, Grammar::One)
    }

    fn some(&mut self) -> Option<Grammar> {
        let mut list = vec![self.all()?];
        while self.take("||") {
            list.push(self.all()?);
        }
        single_or(list, Grammar::Some)
    }

    fn all(&mut self) -> Option<Grammar> {
        let mut list = vec![self.sequence()?];
        while self.take("&&") {
            list.push(self.sequence()?);
        }
        single_or(list, Grammar::All)
    }

    fn sequence(&mut self) -> Option<Grammar> {
        let mut list = Vec::new();
        loop {
            self.skip_space();
            match self.rest.first() {
                None | Some(b'|' | b'&' | b']') => break,
                _ => list.push(self.multiplied()?),
            }
        }
        if list.is_empty() { None } else { single_or(list, Grammar::Sequence) }
    }

    fn multiplied(&mut self) -> Option<Grammar> {
        let mut grammar = self.term()?;
        loop {
            let (least, most, commas) = match self.rest.first() {
                Some(b'?') => (0, 1, false),
                Some(b'*') => (0, usize::MAX, false),
                Some(b'+') => (1, usize::MAX, false),
                Some(b'#') => (1, usize::MAX, true),
                Some(b'{') => {
                    let end = self.rest.iter().position(|b| *b == b'}')?;
                    let range = std::str::from_utf8(&self.rest[1..end]).ok()?;
                    self.rest = &self.rest[end..];
                    let (least, most) = range.split_once(',').unwrap_or((range, range));
                    (least.parse().ok()?, most.parse().ok()?, false)
                }
                _ => return Some(grammar),
            };
            self.rest = &self.rest[1..];
            grammar = Grammar::Repeat { of: Box::new(grammar), least, most, commas };
        }
    }

    fn term(&mut self) -> Option<Grammar> {
        self.skip_space();
        let (first, rest) = self.rest.split_first()?;
        match first {
            b'[' => {
                self.rest = rest;
                self.depth += 1;
                if self.depth > 16 {
                    return None;
                }
                let inner = self.alternatives()?;
                self.depth -= 1;
                self.take("]").then_some(inner)
            }
            b',' => {
                self.rest = rest;
                Some(Grammar::Comma)
            }
            b'/' => {
                self.rest = rest;
                Some(Grammar::Slash)
            }
            b'<' => {
                let end = rest.iter().position(|b| *b == b'>')?;
                let name = std::str::from_utf8(&rest[..end]).ok()?;
                self.rest = &rest[end + 1..];
                named(name)
            }
            _ => {
                let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'-' || *b == b'_' || *b >= 0x80;
                let end = self.rest.iter().position(|b| !is_word(b)).unwrap_or(self.rest.len());
                let word = std::str::from_utf8(&self.rest[..end]).ok().filter(|word| !word.is_empty())?;
                self.rest = &self.rest[end..];
                Some(Grammar::Keyword(word.to_ascii_lowercase().into()))
            }
        }
    }
}

fn single_or(mut list: Vec<Grammar>, many: fn(Vec<Grammar>) -> Grammar) -> Option<Grammar> {
    if list.len() == 1 { list.pop() } else { Some(many(list)) }
}

fn named(name: &str) -> Option<Grammar> {
    let (plain, positive) = match name.strip_suffix('+') {
        Some(plain) => (plain, true),
        None => (name, false),
    };
    if let Some(of) = Type::from_name(plain) {
        return Some(Grammar::Type { of, positive });
    }
    match plain {
        "transform-list" => Grammar::parse("<transform>+"),
        _ => RULES.iter().find(|(rule, _)| *rule == plain).and_then(|(_, syntax)| Grammar::parse(syntax)),
    }
}

/// Places in a value: few, as values are short.
type Ends = SmallVec<[usize; 8]>;

struct Matcher<'v> {
    value: &'v [Component],
    steps: Cell<u32>,
}

impl Matcher<'_> {
    /// Every place where a match that starts `at` can end.
    fn ends(&self, grammar: &Grammar, at: usize) -> Ends {
        let Some(left) = self.steps.get().checked_sub(1) else { return Ends::new() };
        self.steps.set(left);
        if let Some(fits) = self.leaf(grammar, at) {
            return if fits { smallvec![at + 1] } else { Ends::new() };
        }
        match grammar {
            Grammar::Keyword(_) | Grammar::Type { .. } | Grammar::Comma | Grammar::Slash => Ends::new(),
            Grammar::One(list) => self.one_of(list, at),
            Grammar::Sequence(list) => list.iter().fold(smallvec![at], |starts: Ends, item| self.step(&starts, item)),
            Grammar::All(list) => self.any_order(list, at, true),
            Grammar::Some(list) => self.any_order(list, at, false),
            Grammar::Repeat { of, least, most, commas } => self.repeat(of, at, *least, *most, *commas),
        }
    }

    /// Whether the component there fits a grammar that is for one; `None`: it is for more.
    fn leaf(&self, grammar: &Grammar, at: usize) -> Option<bool> {
        let here = self.value.get(at);
        Some(match grammar {
            Grammar::Keyword(word) => here.is_some_and(|component| component.is_ident(word)),
            Grammar::Type { of, positive } => here.is_some_and(|component| of.matches(component, *positive)),
            Grammar::Comma => here == Some(&Component::Comma),
            Grammar::Slash => here == Some(&Component::Slash),
            _ => return None,
        })
    }

    /// Long lists are of keywords: these cost no list of ends each.
    fn one_of(&self, list: &[Grammar], at: usize) -> Ends {
        let mut ends = Ends::new();
        for item in list {
            match self.leaf(item, at) {
                Some(true) if !ends.contains(&(at + 1)) => ends.push(at + 1),
                Some(_) => {}
                None => ends.extend(self.ends(item, at)),
            }
        }
        ends.sort_unstable();
        ends.dedup();
        ends
    }

    fn step(&self, starts: &[usize], grammar: &Grammar) -> Ends {
        let mut ends: Ends = starts.iter().flat_map(|start| self.ends(grammar, *start)).collect();
        ends.sort_unstable();
        ends.dedup();
        ends
    }

    fn any_order(&self, list: &[Grammar], at: usize, all: bool) -> Ends {
        let complete = (1_u32 << list.len()) - 1;
        let mut seen: SmallVec<[(u32, usize); 8]> = smallvec![(0, at)];
        let mut next = 0;
        while let Some((used, at)) = seen.get(next).copied() {
            next += 1;
            for (index, item) in list.iter().enumerate().filter(|(index, _)| used & (1 << index) == 0) {
                for end in self.ends(item, at) {
                    let state = (used | 1 << index, end);
                    if !seen.contains(&state) {
                        seen.push(state);
                    }
                }
            }
        }
        let fits = |(used, _): &&(u32, usize)| if all { *used == complete } else { *used != 0 };
        let mut ends: Ends = seen.iter().filter(fits).map(|(_, end)| *end).collect();
        ends.sort_unstable();
        ends.dedup();
        ends
    }

    fn repeat(&self, of: &Grammar, at: usize, least: usize, most: usize, commas: bool) -> Ends {
        let mut found: Ends = if least == 0 { smallvec![at] } else { Ends::new() };
        let mut starts: Ends = smallvec![at];
        for count in 1..=most {
            let ends = self.step(&starts, of);
            if ends.is_empty() || ends == starts {
                break;
            }
            if count >= least {
                found.extend_from_slice(&ends);
            }
            starts = if commas {
                ends.iter().filter(|end| self.value.get(**end) == Some(&Component::Comma)).map(|end| end + 1).collect()
            } else {
                ends
            };
            if starts.is_empty() {
                break;
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::parse_components;

    #[test]
    fn one_component_fits_as_it_fits_among_many() {
        let texts = [
            "auto",
            "none",
            "0",
            "1",
            "-1",
            "1px",
            "-1px",
            "10%",
            "red",
            "#fff",
            "'x'",
            "url(x)",
            ",",
            "/",
            "1s",
            "1fr",
            "inset",
            "left",
            "center",
            "span",
            "block",
            "first",
            "a",
            "calc(1px + 1%)",
            "rgb(0, 0, 0)",
            "[a]",
            "scale(2)",
            "linear-gradient(red, blue)",
            "subgrid",
            "content-box",
            "1deg",
            "1.5",
            "2",
        ];
        let own = ["a? b?", "a* 1px", "[a? 1px?]+", "[a|b?] c?", "a{2}", "a#", "a?&&b?", "a?||1px", "a{0,3} 1px{0}"];
        let own = own.iter().map(|syntax| Grammar::parse(syntax).unwrap_or_else(|| panic!("{syntax}")));
        let all: Vec<Grammar> = own
            .chain(RULES.iter().map(|(rule, _)| named(rule).unwrap()))
            .chain(crate::property::Longhand::ALL.iter().map(|longhand| Grammar::parse(longhand.syntax()).unwrap()))
            .collect();
        for text in texts {
            let value = parse_components(text).unwrap();
            for grammar in &all {
                let matcher = Matcher { value: &value, steps: Cell::new(MAX_STEPS) };
                let fits = matcher.ends(grammar, 0).contains(&1);
                assert_eq!(grammar.matches(&value), fits, "{text}: {grammar:?}");
            }
        }
    }

    #[test]
    fn long_grammars_take_no_longer_than_they_are() {
        let grammar = Grammar::parse(&"a?".repeat(200_000)).unwrap();
        assert!(!grammar.matches(&parse_components("b").unwrap()));
        assert!(grammar.matches(&parse_components("a").unwrap()));
    }

    #[test]
    fn values_4_section_2_value_definition_syntax() {
        for (syntax, fits, fails) in [
            ("a|b c", vec!["a", "b c"], vec!["b", "c", "a b", ""]),
            ("a||b", vec!["a", "b", "b a"], vec!["", "a a"]),
            ("a&&b?", vec!["a", "a b", "b a"], vec!["b"]),
            ("<length>{1,2}", vec!["1px", "0 2em", "calc(1px + 1em)"], vec!["1", "1px 1px 1px", "50%"]),
            ("<length+>", vec!["0", "calc(0px - 1px)"], vec!["-1px"]),
            ("<number>#", vec!["1", "1, 2, 3"], vec!["1 2", "1,", ",1"]),
            ("[a <integer>?]+", vec!["a", "a 1 a a 2"], vec!["1", "a 1.5"]),
            ("<ratio>", vec!["16 / 9", "1"], vec!["1 / 2 / 3", "-1"]),
            ("<shadow>#", vec!["0 0 red", "inset 1px 1px 2px 3px #000, red 0 0"], vec!["0", "0 0 -1px", "red"]),
            (
                "<position>",
                vec!["left", "top left", "right 10px bottom 5px", "10% 20%"],
                vec!["left left", "1px left 2px top"],
            ),
            (
                "<easing>",
                vec!["ease", "cubic-bezier(0, 0, 1, 1)", "steps(4, end)"],
                vec!["cubic-bezier(0, 0)", "swing"],
            ),
            ("<display>", vec!["block", "inline flow-root", "flex inline"], vec!["flexbox", "block block"]),
        ] {
            let grammar = Grammar::parse(syntax).unwrap();
            for value in fits {
                assert!(grammar.matches(&parse_components(value).unwrap()), "{syntax}: {value}");
            }
            for value in fails {
                assert!(!grammar.matches(&parse_components(value).unwrap()), "{syntax}: {value}");
            }
        }
    }
}
