//! Limits on depth, element count and end tags, applied to tokens before they reach the tree builder.
//!
//! The tree builder searches its stack of open elements for most tags, so unbounded depth costs quadratic time; a cap
//! in the tree alone would come too late.

use super::categories::serializes_as_void;
use super::tree_sink::{ArenaSink, Handle};
use super::{MAX_DEPTH, MAX_ELEMENTS, MAX_STRAY_END_TAGS};
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::TreeBuilder;
use markup5ever::LocalName;
use markup5ever::interface::Tracer;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

pub(super) struct LimitingSink {
    builder: TreeBuilder<Handle, ArenaSink>,
    /// Start tags dropped for depth, by name, so that their end tags close no other element.
    dropped: RefCell<HashMap<LocalName, usize>>,
    /// Size of the tree builder's stacks when last counted, and the element count at that time.
    counted: Cell<(usize, usize)>,
    /// True if the tree builder has processed a tag since then.
    may_have_popped: Cell<bool>,
    end_tags: Cell<usize>,
    tokens: Cell<u64>,
    attributes_dropped: Cell<bool>,
}

impl LimitingSink {
    pub(super) fn new(builder: TreeBuilder<Handle, ArenaSink>) -> Self {
        Self {
            builder,
            dropped: RefCell::new(HashMap::new()),
            counted: Cell::new((0, 0)),
            may_have_popped: Cell::new(false),
            end_tags: Cell::new(0),
            tokens: Cell::new(0),
            attributes_dropped: Cell::new(false),
        }
    }

    /// Returns the number of tokens so far.
    pub(super) fn tokens(&self) -> u64 {
        self.tokens.get()
    }

    /// Records that a tag has lost attributes.
    pub(super) fn drop_attributes(&self) {
        self.attributes_dropped.set(true);
    }

    /// Returns true if limits have removed content from the tree.
    pub(super) fn is_truncated(&self) -> bool {
        self.is_full() || self.attributes_dropped.get()
    }

    pub(super) fn is_full(&self) -> bool {
        let elements = self.builder.sink.elements();
        elements >= MAX_ELEMENTS || self.end_tags.get() > elements + MAX_STRAY_END_TAGS
    }

    pub(super) fn into_sink(self) -> ArenaSink {
        self.builder.sink
    }

    /// Returns true if the open and the active formatting elements have reached [`MAX_DEPTH`]. The builder does not
    /// report pops, so they are counted again, but only once enough elements were created since to reach the limit.
    fn is_at_max_depth(&self) -> bool {
        let elements = self.builder.sink.elements();
        let (open, elements_then) = self.counted.get();
        if open + (elements - elements_then) < MAX_DEPTH {
            return false;
        }
        if elements == elements_then && !self.may_have_popped.get() {
            return true;
        }
        let counter = StackCounter(Cell::new(0));
        self.builder.trace_handles(&counter);
        self.counted.set((counter.0.get(), elements));
        self.may_have_popped.set(false);
        counter.0.get() >= MAX_DEPTH
    }

    fn drops(&self, tag: &Tag) -> bool {
        let at_max_depth = self.is_at_max_depth();
        match tag.kind {
            TagKind::StartTag => {
                let drop = at_max_depth && contains_elements(&tag.name);
                if drop {
                    *self.dropped.borrow_mut().entry(tag.name.clone()).or_insert(0) += 1;
                }
                drop
            }
            TagKind::EndTag => {
                let mut dropped = self.dropped.borrow_mut();
                if !at_max_depth {
                    // Back above the limit: dropped start tags that are still unmatched were closed by implication.
                    dropped.clear();
                }
                match dropped.get_mut(&tag.name) {
                    Some(count) if *count > 0 => {
                        *count -= 1;
                        true
                    }
                    _ => false,
                }
            }
        }
    }
}

struct StackCounter(Cell<usize>);

impl Tracer for StackCounter {
    type Handle = Handle;

    fn trace_handle(&self, _: &Handle) {
        self.0.set(self.0.get() + 1);
    }
}

/// Returns true if elements of that name can contain others. Void elements and raw text elements never deepen the tree,
/// and dropping the latter would make the tokenizer read their text as markup.
fn contains_elements(name: &LocalName) -> bool {
    !serializes_as_void(name)
        && !matches!(
            &**name,
            "image"
                | "script"
                | "style"
                | "textarea"
                | "title"
                | "xmp"
                | "iframe"
                | "noembed"
                | "noframes"
                | "noscript"
                | "plaintext"
        )
}

impl TokenSink for LimitingSink {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        self.tokens.set(self.tokens.get() + 1);
        let skip = match &token {
            Token::EOFToken => false,
            _ if self.is_full() => true,
            Token::TagToken(tag) => self.drops(tag),
            _ => false,
        };
        if skip {
            return TokenSinkResult::Continue;
        }
        if let Token::TagToken(tag) = &token {
            self.may_have_popped.set(true);
            self.end_tags.set(self.end_tags.get() + usize::from(tag.kind == TagKind::EndTag));
        }
        self.builder.process_token(token, line)
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}
