//! Parses HTML to a document with html5ever.

use super::Document;
use super::limiting_sink::LimitingSink;
use super::streamed_content;
use super::tokenizer_input::feed;
use super::tree_sink::{ArenaSink, Handle};
use crate::work_budget::WorkBudget;
use html5ever::tokenizer::{Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use markup5ever::interface::{ElementFlags, TreeSink};
use markup5ever::{QualName, local_name, ns};

/// Bytes that a document takes besides its nodes.
const DOCUMENT_BYTES: usize = 1_024;

pub(super) fn parse_document(html: &str, work: &WorkBudget) -> Document {
    let builder = TreeBuilder::new(sink_for(html), builder_options());
    parse_with(html, builder, None, work)
}

pub(super) fn parse_fragment(html: &str, work: &WorkBudget) -> Document {
    let sink = sink_for(html);
    let body = QualName::new(None, ns!(html), local_name!("body"));
    let context = sink.create_element(body, Vec::new(), ElementFlags::default());
    let builder = TreeBuilder::new_for_fragment(sink, context, None, builder_options());
    let state = builder.tokenizer_state_for_context_elem(true);
    parse_with(html, builder, Some(state), work)
}

/// Returns a sink with room for the nodes: usually an element and a text for every two tags.
fn sink_for(html: &str) -> ArenaSink {
    ArenaSink::with_capacity(1 + html.bytes().filter(|byte| *byte == b'<').count())
}

fn builder_options() -> TreeBuilderOpts {
    TreeBuilderOpts { scripting_enabled: true, ..TreeBuilderOpts::default() }
}

type Builder = TreeBuilder<Handle, ArenaSink>;

fn parse_with(
    html: &str,
    builder: Builder,
    initial_state: Option<html5ever::tokenizer::states::State>,
    work: &WorkBudget,
) -> Document {
    let options = TokenizerOpts { initial_state, ..TokenizerOpts::default() };
    let tokenizer = Tokenizer::new(LimitingSink::new(builder), options);
    work.reserve_bytes(DOCUMENT_BYTES);
    feed(html, &tokenizer, work);
    tokenizer.end();
    let truncated = tokenizer.sink.is_truncated() || work.is_exhausted();
    let sink = tokenizer.sink.into_sink();
    streamed_content::put_in_place(&sink);
    sink.finish_document(truncated).with_budget(work)
}
