//! The value definition syntax (Values 4, section 2): parses grammars and matches values with them.

use super::component::Component;
use super::position_set::{PositionSet, SortedPositions};
use super::types::Type;
use smallvec::SmallVec;
use std::cell::Cell;

/// Maximum number of steps of one match; values that need more are invalid.
const MAX_STEPS: u32 = 100_000;
/// Maximum number of parts that a grammar takes in any order, since every subset of them is tried.
const MAX_IN_ANY_ORDER: usize = 10;
/// Maximum number of multipliers of one part, each applied to the part with those before it.
const MAX_MULTIPLIERS: usize = 4;

/// A grammar in the value definition syntax.
#[derive(Debug, Clone)]
pub enum Grammar {
    /// A keyword, in lower case.
    Keyword(Box<str>),
    /// `<length>`: a component of a basic type.
    Type {
        /// The type.
        of: Type,
        /// True for `[0,∞]`: plain negative numbers don't fit.
        positive: bool,
    },
    /// `,`
    Comma,
    /// `/`
    Slash,
    /// All, in order.
    Sequence(Vec<Grammar>),
    /// `&&`: all, in any order.
    AllInAnyOrder(Vec<Grammar>),
    /// `||`: one or more, in any order.
    OneOrMore(Vec<Grammar>),
    /// `|`: exactly one.
    One(Vec<Grammar>),
    /// `*`, `+`, `?`, `#` or `{min,max}`: repetitions.
    Repeat {
        /// The grammar of one repetition.
        of: Box<Grammar>,
        /// Minimum number of repetitions.
        min: usize,
        /// Maximum number of repetitions.
        max: usize,
        /// True for `#`: commas separate the repetitions.
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
         |-webkit-inline-box|-webkit-flex|-webkit-inline-flex|[block|inline]||[flow|flow-root|table|flex|grid|ruby|math]\
         |[block|inline]?&&[flow|flow-root]?&&list-item",
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
    /// Parses a grammar; returns `None` if the text is invalid, as it may be in `@property` rules.
    pub fn parse(text: &str) -> Option<Self> {
        let mut reader = SyntaxReader { remaining: text.as_bytes(), depth: 0 };
        let grammar = reader.alternatives()?;
        reader.skip_space();
        reader.remaining.is_empty().then_some(grammar)
    }

    /// Returns true if the whole value fits.
    pub fn matches(&self, value: &[Component]) -> bool {
        if let [component] = value {
            return self.matches_one(component);
        }
        let matcher = SyntaxMatcher::new(value);
        if matcher.is_short() {
            matcher.match_ends::<u64>(self, 0).contains(value.len())
        } else {
            matcher.match_ends::<SortedPositions>(self, 0).contains(value.len())
        }
    }

    /// Returns true if a single component fits; most values are one component.
    fn matches_one(&self, component: &Component) -> bool {
        match self {
            Self::Keyword(word) => component.is_ident(word),
            Self::Type { of, positive } => of.matches(component, *positive),
            Self::Comma => *component == Component::Comma,
            Self::Slash => *component == Component::Slash,
            Self::One(list) | Self::OneOrMore(list) => list.iter().any(|item| item.matches_one(component)),
            Self::Sequence(list) | Self::AllInAnyOrder(list) => {
                let mut needed = list.iter().filter(|item| !item.matches_none());
                match (needed.next(), needed.next()) {
                    (None, _) => list.iter().any(|item| item.matches_one(component)),
                    (Some(item), None) => item.matches_one(component),
                    (Some(_), Some(_)) => false,
                }
            }
            Self::Repeat { of, min: least, max: most, .. } => {
                *most > 0 && (*least <= 1 || of.matches_none()) && of.matches_one(component)
            }
        }
    }

    /// Returns true if the grammar matches the empty value.
    fn matches_none(&self) -> bool {
        match self {
            Self::Keyword(_) | Self::Type { .. } | Self::Comma | Self::Slash => false,
            Self::One(list) | Self::OneOrMore(list) => list.iter().any(Self::matches_none),
            Self::Sequence(list) | Self::AllInAnyOrder(list) => list.iter().all(Self::matches_none),
            Self::Repeat { of, min: least, .. } => *least == 0 || of.matches_none(),
        }
    }

    /// Returns the length of the longest prefix that fits, in components.
    pub(crate) fn longest(&self, value: &[Component]) -> Option<usize> {
        let matcher = SyntaxMatcher::new(value);
        let mut longest = 0;
        let mut take = |end: usize| longest = end;
        if matcher.is_short() {
            matcher.match_ends::<u64>(self, 0).for_each(&mut take);
        } else {
            matcher.match_ends::<SortedPositions>(self, 0).for_each(&mut take);
        }
        Some(longest).filter(|end| *end > 0)
    }
}

struct SyntaxReader<'a> {
    remaining: &'a [u8],
    depth: usize,
}

impl SyntaxReader<'_> {
    fn skip_space(&mut self) {
        self.remaining = self.remaining.trim_ascii_start();
    }

    fn take(&mut self, word: &str) -> bool {
        self.skip_space();
        match self.remaining.strip_prefix(word.as_bytes()) {
            Some(rest) => {
                self.remaining = rest;
                true
            }
            None => false,
        }
    }

    fn alternatives(&mut self) -> Option<Grammar> {
        let mut list = vec![self.double_bar()?];
        loop {
            self.skip_space();
            if self.remaining.starts_with(b"||") || !self.take("|") {
                break;
            }
            list.push(self.double_bar()?);
        }
        single_or(list, Grammar::One)
    }

    fn double_bar(&mut self) -> Option<Grammar> {
        let mut list = vec![self.double_ampersand()?];
        while self.take("||") {
            list.push(self.double_ampersand()?);
        }
        if list.len() > MAX_IN_ANY_ORDER {
            return None;
        }
        single_or(list, Grammar::OneOrMore)
    }

    fn double_ampersand(&mut self) -> Option<Grammar> {
        let mut list = vec![self.sequence()?];
        while self.take("&&") {
            list.push(self.sequence()?);
        }
        if list.len() > MAX_IN_ANY_ORDER {
            return None;
        }
        single_or(list, Grammar::AllInAnyOrder)
    }

    fn sequence(&mut self) -> Option<Grammar> {
        let mut list = Vec::new();
        loop {
            self.skip_space();
            match self.remaining.first() {
                None | Some(b'|' | b'&' | b']') => break,
                _ => list.push(self.multiplied()?),
            }
        }
        if list.is_empty() { None } else { single_or(list, Grammar::Sequence) }
    }

    fn multiplied(&mut self) -> Option<Grammar> {
        let mut grammar = self.term()?;
        for _ in 0..=MAX_MULTIPLIERS {
            let (least, most, commas) = match self.remaining.first() {
                Some(b'?') => (0, 1, false),
                Some(b'*') => (0, usize::MAX, false),
                Some(b'+') => (1, usize::MAX, false),
                Some(b'#') => (1, usize::MAX, true),
                Some(b'{') => {
                    let end = self.remaining.iter().position(|b| *b == b'}')?;
                    let range = std::str::from_utf8(&self.remaining[1..end]).ok()?;
                    self.remaining = &self.remaining[end..];
                    let (least, most) = range.split_once(',').unwrap_or((range, range));
                    (least.parse().ok()?, most.parse().ok()?, false)
                }
                _ => return Some(grammar),
            };
            self.remaining = &self.remaining[1..];
            grammar = Grammar::Repeat { of: Box::new(grammar), min: least, max: most, commas };
        }
        None
    }

    fn term(&mut self) -> Option<Grammar> {
        self.skip_space();
        let (first, rest) = self.remaining.split_first()?;
        match first {
            b'[' => {
                self.remaining = rest;
                self.depth += 1;
                if self.depth > 16 {
                    return None;
                }
                let inner = self.alternatives()?;
                self.depth -= 1;
                self.take("]").then_some(inner)
            }
            b',' => {
                self.remaining = rest;
                Some(Grammar::Comma)
            }
            b'/' => {
                self.remaining = rest;
                Some(Grammar::Slash)
            }
            b'<' => {
                let end = rest.iter().position(|b| *b == b'>')?;
                let name = std::str::from_utf8(&rest[..end]).ok()?;
                self.remaining = &rest[end + 1..];
                named_type(name)
            }
            _ => {
                let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'-' || *b == b'_' || *b >= 0x80;
                let end = self.remaining.iter().position(|b| !is_word(b)).unwrap_or(self.remaining.len());
                let word = std::str::from_utf8(&self.remaining[..end]).ok().filter(|word| !word.is_empty())?;
                self.remaining = &self.remaining[end..];
                Some(Grammar::Keyword(word.to_ascii_lowercase().into()))
            }
        }
    }
}

fn single_or(mut list: Vec<Grammar>, many: fn(Vec<Grammar>) -> Grammar) -> Option<Grammar> {
    if list.len() == 1 { list.pop() } else { Some(many(list)) }
}

fn named_type(name: &str) -> Option<Grammar> {
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

struct SyntaxMatcher<'v> {
    value: &'v [Component],
    steps: Cell<u32>,
}

impl<'v> SyntaxMatcher<'v> {
    fn new(value: &'v [Component]) -> Self {
        Self { value, steps: Cell::new(MAX_STEPS) }
    }

    /// Returns true if every position, the end included, fits into the bits of a `u64`.
    fn is_short(&self) -> bool {
        self.value.len() < 64
    }

    /// Returns every position at which a match starting at `at` can end.
    fn match_ends<P: PositionSet>(&self, grammar: &Grammar, at: usize) -> P {
        let Some(left) = self.steps.get().checked_sub(1) else { return P::default() };
        self.steps.set(left);
        if let Some(fits) = self.leaf(grammar, at) {
            return if fits { P::single(at + 1) } else { P::default() };
        }
        match grammar {
            Grammar::Keyword(_) | Grammar::Type { .. } | Grammar::Comma | Grammar::Slash => P::default(),
            Grammar::One(list) => self.match_alternatives(list, at),
            Grammar::Sequence(list) => {
                let mut ends = P::single(at);
                for item in list {
                    if ends.is_none() {
                        break;
                    }
                    ends = self.step(&ends, item);
                }
                ends
            }
            Grammar::AllInAnyOrder(list) => self.any_order(list, at).pop().unwrap_or_default(),
            Grammar::OneOrMore(list) => {
                let mut ends = P::default();
                self.any_order(list, at).iter().skip(1).for_each(|with_some| ends.union_with(with_some));
                ends
            }
            Grammar::Repeat { of, min: least, max: most, commas } => self.repeat(of, at, *least, *most, *commas),
        }
    }

    /// Returns true if the component at `at` fits a grammar of one component; `None` if the grammar takes several.
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

    /// Matches alternatives. Long lists are of keywords, which cost no step each; the list costs steps by its length.
    fn match_alternatives<P: PositionSet>(&self, list: &[Grammar], at: usize) -> P {
        let length = u32::try_from(list.len() / 8).unwrap_or(u32::MAX);
        self.steps.set(self.steps.get().saturating_sub(length));
        let mut ends = P::default();
        for item in list {
            match self.leaf(item, at) {
                Some(true) => ends.insert(at + 1),
                Some(false) => {}
                None => ends.union_with(&self.match_ends(item, at)),
            }
        }
        ends
    }

    fn step<P: PositionSet>(&self, starts: &P, grammar: &Grammar) -> P {
        let mut ends = P::default();
        starts.for_each(&mut |start| ends.union_with(&self.match_ends(grammar, start)));
        ends
    }

    /// Returns the end positions for each subset of parts, indexed by its bit set.
    fn any_order<P: PositionSet>(&self, list: &[Grammar], at: usize) -> SmallVec<[P; 16]> {
        let sets = 1 << list.len();
        // Allocating the subsets costs time as well.
        self.steps.set(self.steps.get().saturating_sub(sets / 8));
        let mut after: SmallVec<[P; 16]> = (0..sets).map(|_| P::default()).collect();
        after[0].insert(at);
        for used in 0..after.len() {
            if after[used].is_none() {
                continue;
            }
            for (index, item) in list.iter().enumerate().filter(|(index, _)| used & (1 << index) == 0) {
                let ends = self.step(&after[used], item);
                after[used | 1 << index].union_with(&ends);
            }
        }
        after
    }

    fn repeat<P: PositionSet>(&self, of: &Grammar, at: usize, least: usize, most: usize, commas: bool) -> P {
        // A part that may be empty can be repeated any number of times.
        let least = if least > 0 && of.matches_none() { 0 } else { least };
        let (mut found, mut starts) = (P::default(), P::single(at));
        if least == 0 {
            found.insert(at);
        }
        for count in 1..=most {
            let ends: P = self.step(&starts, of);
            if ends.is_none() || ends == starts {
                break;
            }
            if count >= least {
                found.union_with(&ends);
            }
            starts = if commas { self.after_commas(&ends) } else { ends };
        }
        found
    }

    fn after_commas<P: PositionSet>(&self, places: &P) -> P {
        let mut behind = P::default();
        places.for_each(&mut |at| {
            if self.value.get(at) == Some(&Component::Comma) {
                behind.insert(at + 1);
            }
        });
        behind
    }
}

#[cfg(test)]
mod tests;
