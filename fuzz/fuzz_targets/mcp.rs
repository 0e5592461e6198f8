//! Arguments of tools, as models and whoever speaks through them write them.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use limner_types::request;
use serde_json::{Map, Value};

/// The server itself is built without: its reader of arguments needs nothing of it.
#[path = "../../services/mcp/src/tools/arguments.rs"]
#[allow(dead_code, reason = "only what reads is used")]
mod arguments;

fuzz_target!(|data: &[u8]| -> Corpus {
    let Some((choice, json)) = data.split_first() else { return Corpus::Reject };
    let Ok(arguments) = serde_json::from_slice::<Map<String, Value>>(json) else { return Corpus::Reject };
    let tool = arguments::ToolName::ALL[usize::from(*choice) % arguments::ToolName::ALL.len()];
    match arguments::ToolCall::parse(tool, &arguments) {
        Ok(call) => {
            assert!(call.page >= 1 && !call.operations.is_empty() && call.operations.len() <= arguments::KINDS.len());
            assert!(!call.url.trim().is_empty());
            for operation in &call.operations {
                // Every parameter is one that the interface has.
                if let Ok(parsed) = request::parse(*operation, &call.query) {
                    assert!(parsed.ignored.is_empty(), "{:?}", parsed.ignored);
                    assert_eq!(parsed.request.render, call.renders);
                }
            }
        }
        Err(fault) => assert!(!fault.is_empty()),
    }
    Corpus::Keep
});
