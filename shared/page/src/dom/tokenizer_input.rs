//! Feeds markup to the tokenizer, with a limit on the attributes of one tag.
//!
//! The tokenizer compares every attribute with all before it, so a tag of a million attributes costs hours. It reports
//! no token while it is inside a tag, but everything else at once. Markup is therefore cut after the first character
//! behind each `<`: everything before the `<` has then been reported, and as long as no further token is, the tokenizer
//! is inside the tag (or comment) that began there. Attributes beyond [`MAX_ATTRIBUTES`] are never fed.

use super::MAX_ATTRIBUTES;
use super::limiting_sink::LimitingSink;
use crate::work_budget::WorkBudget;
use html5ever::TokenizerResult;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{BufferQueue, Tokenizer};

/// Maximum number of bytes fed at once, so that limits are checked often.
const CHUNK: usize = 16 * 1024;
/// Tags up to this length cannot have too many attributes: each takes at least two bytes.
const SHORT_TAG: usize = 2 * MAX_ATTRIBUTES;

/// Feeds `html` until its end, or until the tree is full or the budget is spent.
pub(super) fn feed(html: &str, tokenizer: &Tokenizer<LimitingSink>, work: &WorkBudget) {
    let mut feeder = TokenizerFeeder {
        tokenizer,
        input: BufferQueue::default(),
        document_text: StrTendril::from_slice(html),
        position: 0,
    };
    let mut pending: Option<PendingTag> = None;
    while feeder.position < html.len() && !tokenizer.sink.is_full() {
        let piece = Chunk::next(html, feeder.position);
        if !work.spend((piece.end - feeder.position) as u64) {
            return;
        }
        let excess = pending.as_mut().and_then(|pending| pending.attribute_too_many(html.as_bytes(), piece.end));
        if let (Some(excess), Some(tag)) = (excess, &mut pending) {
            feeder.feed_to(excess.max(feeder.position));
            if tag.tokens == tokenizer.sink.tokens() {
                tokenizer.sink.drop_attributes();
                feeder.position = tag.end(html.as_bytes());
            }
            pending = None;
            continue;
        }
        feeder.feed_to(piece.end);
        let tokens = tokenizer.sink.tokens();
        if pending.as_ref().is_none_or(|pending| pending.tokens != tokens) {
            pending = piece.opens.map(|start| PendingTag::new(html.as_bytes(), start, tokens));
        }
    }
}

/// A chunk of markup that is fed at once.
struct Chunk {
    end: usize,
    /// Position of the `<`, if the chunk ends with the first character behind one.
    opens: Option<usize>,
}

impl Chunk {
    fn next(html: &str, from: usize) -> Self {
        let most = html.floor_char_boundary(from.saturating_add(CHUNK));
        let Some(opens) = html[from..most].find('<').map(|at| from + at) else {
            return Self { end: most, opens: None };
        };
        let behind = html[opens + 1..].chars().next().map_or(0, char::len_utf8);
        Self { end: opens + 1 + behind, opens: Some(opens) }
    }
}

struct TokenizerFeeder<'a> {
    tokenizer: &'a Tokenizer<LimitingSink>,
    input: BufferQueue,
    document_text: StrTendril,
    /// Position up to which the markup was fed or left out.
    position: usize,
}

impl TokenizerFeeder<'_> {
    fn feed_to(&mut self, end: usize) {
        let (Ok(from), Ok(length)) = (u32::try_from(self.position), u32::try_from(end - self.position)) else { return };
        self.position = end;
        if length > 0 {
            self.input.push_back(self.document_text.subtendril(from, length));
            // Scripts never run here, so the tokenizer only pauses at their end tags and continues.
            while !matches!(self.tokenizer.feed(&self.input), TokenizerResult::Done) {}
        }
    }
}

/// A tag or comment that began at a `<` and for which the tokenizer has reported no token yet.
struct PendingTag {
    start: usize,
    /// Number of tokens at its start.
    tokens: u64,
    /// The state of the tag at `scanned`; `None` if it is not a tag or has ended.
    tag: Option<TagScanner>,
    scanned: usize,
}

impl PendingTag {
    fn new(html: &[u8], start: usize, tokens: u64) -> Self {
        let is_tag = match &html[start..] {
            [b'<', b'/', name, ..] | [b'<', name, ..] => name.is_ascii_alphabetic(),
            _ => false,
        };
        // The first letter of the name, or the slash before it, changes no state.
        Self { start, tokens, tag: is_tag.then(TagScanner::default), scanned: start + 2 }
    }

    /// Returns the start of the name of the first attribute beyond the limit, if it is before `end`.
    fn attribute_too_many(&mut self, html: &[u8], end: usize) -> Option<usize> {
        if end - self.start <= SHORT_TAG {
            return None;
        }
        let tag = self.tag.as_mut()?;
        while self.scanned < end {
            tag.step(html[self.scanned]);
            if tag.attributes > MAX_ATTRIBUTES {
                return Some(self.scanned);
            }
            if tag.state == State::End {
                self.tag = None;
                return None;
            }
            self.scanned += 1;
        }
        None
    }

    /// Returns the position of the tag's `>` after too many attributes; the end of the markup if there is none.
    fn end(&mut self, html: &[u8]) -> usize {
        let Some(tag) = &mut self.tag else { return html.len() };
        let ends = |byte: &u8| {
            tag.step(*byte);
            tag.state == State::End
        };
        let rest = &html[self.scanned + 1..];
        rest.iter().position(ends).map_or(html.len(), |at| self.scanned + 1 + at)
    }
}

/// The tokenizer's states inside a tag (HTML Standard §13.2.5.8, §13.2.5.32 to .40), as far as they delimit attributes.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    TagName,
    BeforeName,
    Name,
    AfterName,
    BeforeValue,
    Quoted(u8),
    Unquoted,
    AfterQuoted,
    SelfClosing,
    End,
}

#[derive(Default)]
struct TagScanner {
    state: State,
    attributes: usize,
}

impl TagScanner {
    fn step(&mut self, byte: u8) {
        use State::*;
        let is_space = matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ');
        self.state = match (self.state, byte) {
            (Quoted(quote), _) if byte == quote => AfterQuoted,
            (Quoted(_), _) => self.state,
            (BeforeValue, _) if is_space => BeforeValue,
            (BeforeValue, b'"' | b'\'') => Quoted(byte),
            (End, _) | (_, b'>') => End,
            (Unquoted, _) if !is_space => Unquoted,
            (BeforeValue, _) => Unquoted,
            (Name | AfterName, b'=') => BeforeValue,
            (Name | AfterName, _) if is_space => AfterName,
            (_, _) if is_space => BeforeName,
            (_, b'/') => SelfClosing,
            (TagName | Name, _) => self.state,
            _ => {
                self.attributes += 1;
                Name
            }
        };
    }
}
