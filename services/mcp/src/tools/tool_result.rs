//! Turns responses of the gateway into tool results.

use super::arguments::{ToolCall, ToolName};
use super::{errors, pagination, render_text};
use crate::backend::{Backend, BackendResponse, CallError, CallOptions, Caller};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use futures::future::join_all;
use limner_types::{ErrorCode, Operation};
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value, json};

/// Maximum side length of an image that models accept, in pixels.
const MAX_IMAGE_SIDE: u32 = 8_000;

/// Makes the gateway calls of a tool call.
pub(super) async fn call_tool(
    backend: &dyn Backend,
    caller: &Caller,
    wish: &ToolCall,
    name: Option<&str>,
) -> CallToolResult {
    let result = match wish.tool {
        ToolName::Assets => assets(backend, caller, wish, name).await,
        _ => single(backend, caller, wish, name).await,
    };
    result.unwrap_or_else(|why| CallToolResult::error(vec![ContentBlock::text(why)]))
}

async fn single(
    backend: &dyn Backend,
    caller: &Caller,
    wish: &ToolCall,
    name: Option<&str>,
) -> Result<CallToolResult, String> {
    let operation = wish.operations.first().copied().unwrap_or(Operation::Brand);
    let answer = backend.call(caller, operation, &wish.query, call_options(wish, name)).await;
    let answer = answer.map_err(|error| failure(&error, wish))?;
    if let Some(format) = file_format(wish) {
        return file(wish, format, &answer);
    }
    let page = pagination::from_object(operation, object(&answer)?, wish);
    check_page(wish, page.page_count)?;
    let body = render_text::render(operation, &page.result);
    Ok(finish(backend, wish, page.result, page.page_count, body).await)
}

/// Returns the call options: further pages come from the cache, so that they are free as documented, or fail.
fn call_options<'a>(wish: &ToolCall, name: Option<&'a str>) -> CallOptions<'a> {
    CallOptions { name, cached_only: wish.page > 1 }
}

fn failure(error: &CallError, wish: &ToolCall) -> String {
    match error.body.data.code {
        ErrorCode::NotFound if wish.page > 1 => format!(
            "not_found: The result is no longer kept, so it has no page {}. Next: call again without `page`, which reads \
             anew and is charged.",
            wish.page
        ),
        _ => errors::text(error, wish.renders),
    }
}

/// Returns `format`, if it is not the JSON one.
fn file_format(wish: &ToolCall) -> Option<&str> {
    let format = wish.query.iter().find(|(name, _)| name == "format");
    format.map(|(_, format)| format.as_str()).filter(|format| *format != "json")
}

fn file(wish: &ToolCall, format: &str, answer: &BackendResponse) -> Result<CallToolResult, String> {
    let whole = String::from_utf8_lossy(&answer.body);
    let (part, of) = pagination::text_page(&whole, wish.page);
    check_page(wish, of)?;
    let mut said = vec![ContentBlock::text(part)];
    if of > 1 {
        said.push(ContentBlock::text(page_text(wish.page, of)));
    }
    let structured =
        json!({ "url": wish.url, "format": format, "text": part, "page": pagination::page_info(wish.page, of) });
    Ok(with_structure(said, structured))
}

async fn assets(
    backend: &dyn Backend,
    caller: &Caller,
    wish: &ToolCall,
    name: Option<&str>,
) -> Result<CallToolResult, String> {
    let calls = wish.operations.iter().map(|operation| async {
        (*operation, backend.call(caller, *operation, &wish.query, call_options(wish, name)).await)
    });
    let mut all = Map::new();
    let (mut counts, mut failed) = (Map::new(), Map::new());
    let (mut body, mut of) = (String::new(), 1);
    for (operation, answer) in join_all(calls).await {
        let page = match kind(operation, answer, wish) {
            Ok(page) => page,
            Err(why) => {
                body.push_str(&format!("{operation} failed: {why}\n"));
                failed.insert(operation.to_string(), why.into());
                continue;
            }
        };
        of = of.max(page.page_count);
        body.push_str(&render_text::render(operation, &page.result));
        for (name, value) in page.result {
            match name.as_str() {
                "count" => _ = counts.insert(operation.to_string(), value),
                "usage" => add_usage(&mut all, value),
                "hint" => add_hint(&mut all, value),
                _ => _ = all.insert(name, value),
            }
        }
    }
    if failed.len() == wish.operations.len() {
        return Err(body);
    }
    check_page(wish, of)?;
    all.insert("counts".to_owned(), counts.into());
    if !failed.is_empty() {
        all.insert("failed".to_owned(), failed.into());
    }
    Ok(finish(backend, wish, all, of, body).await)
}

fn kind(
    operation: Operation,
    answer: Result<BackendResponse, CallError>,
    wish: &ToolCall,
) -> Result<pagination::ResultPage, String> {
    let answer = answer.map_err(|error| failure(&error, wish))?;
    Ok(pagination::from_object(operation, object(&answer)?, wish))
}

/// Adds a hint to those of other calls, unless it is one of them.
fn add_hint(all: &mut Map<String, Value>, hint: Value) {
    let known = all.get("hint").and_then(Value::as_str).unwrap_or_default().to_owned();
    let added = hint.as_str().filter(|hint| !known.contains(hint)).map(|hint| format!("{known} {hint}"));
    all.insert("hint".to_owned(), added.map_or(known, |all| all.trim_start().to_owned()).into());
}

/// Adds up the credits of several calls; the remaining credits are those after the last call.
fn add_usage(all: &mut Map<String, Value>, mut usage: Value) {
    let before = all.get("usage").map_or(0, |usage| usage["creditsSpent"].as_u64().unwrap_or_default());
    let spent = before + usage["creditsSpent"].as_u64().unwrap_or_default();
    usage["creditsSpent"] = spent.into();
    if let Some(others) = all.get("usage") {
        usage["cached"] = (usage["cached"] == true && others["cached"] == true).into();
    }
    all.insert("usage".to_owned(), usage);
}

fn object(answer: &BackendResponse) -> Result<Map<String, Value>, String> {
    let object = serde_json::from_slice(&answer.body);
    object.map_err(|cause| errors::text(&CallError::internal(format!("a result is no JSON object: {cause}")), false))
}

fn check_page(wish: &ToolCall, of: usize) -> Result<(), String> {
    match wish.page <= of {
        true => Ok(()),
        false => Err(format!("There is no page {}: the result has {of}. Call again with a smaller `page`.", wish.page)),
    }
}

fn page_text(number: usize, of: usize) -> String {
    match number < of {
        true => format!("Page {number} of {of}. For more, call again with page {} (free).", number + 1),
        false => format!("Page {number} of {of}, the last one."),
    }
}

/// Adds the members of every result: page, credits, hint and screenshot.
async fn finish(
    backend: &dyn Backend,
    wish: &ToolCall,
    mut result: Map<String, Value>,
    of: usize,
    mut body: String,
) -> CallToolResult {
    result.insert("page".to_owned(), pagination::page_info(wish.page, of));
    if of > 1 {
        body.push_str(&page_text(wish.page, of));
        body.push('\n');
    }
    if result.get("truncated").is_some_and(|truncated| *truncated == true) {
        body.push_str("Truncated: the page has more than a result lists.\n");
    }
    if let Some(hint) = result.get("hint").and_then(Value::as_str) {
        body.push_str(&format!("Hint: {hint}\n"));
    }
    if let Some(usage) = result.get("usage") {
        body.push_str(&usage_text(usage));
    }
    let mut said = vec![ContentBlock::text(body.trim_end())];
    if let Some(url) = result.get("screenshot").and_then(Value::as_str) {
        said.push(match backend.picture(url).await.filter(is_displayable) {
            Some(png) => ContentBlock::image(STANDARD.encode(png), "image/png"),
            None => ContentBlock::text(format!("The picture is too large to be shown here: {url}")),
        });
    }
    with_structure(said, result.into())
}

fn usage_text(usage: &Value) -> String {
    let spent = match usage["cached"] == true {
        true => "Free: from the cache".to_owned(),
        false => format!("{} credits spent", usage["creditsSpent"]),
    };
    match usage["remaining"].as_u64() {
        Some(remaining) => format!("{spent}; {remaining} left this month.\n"),
        None => format!("{spent}.\n"),
    }
}

/// Returns true if a model accepts the image: a PNG (its header contains the size) that is not too tall.
fn is_displayable(png: &Bytes) -> bool {
    let side = |at: usize| png.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map(u32::from_be_bytes);
    let fits = |side: Option<u32>| side.is_some_and(|side| side <= MAX_IMAGE_SIDE);
    png.starts_with(b"\x89PNG\r\n\x1a\n") && fits(side(16)) && fits(side(20))
}

fn with_structure(said: Vec<ContentBlock>, structured: Value) -> CallToolResult {
    let mut result = CallToolResult::success(said);
    result.structured_content = Some(structured);
    result
}
