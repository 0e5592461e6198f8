//! Pagination of long results, so that a page fits an agent's context. Equal results are always split into equal pages.

use super::arguments::ToolCall;
use limner_types::{Operation, WireEnum};
use serde_json::{Map, Value, json};

/// Maximum length of a page's items together, in characters of JSON. A single longer item is a page of its own.
const PAGE_CHARACTERS: usize = 40_000;
const PAGE_ITEMS: usize = 100;
/// Maximum number of values of each group of tokens on a page.
const GROUP_VALUES: usize = 40;
/// Maximum length of a page of text, in characters: most components and token files are one page.
const TEXT_CHARACTERS: usize = 60_000;
/// Maximum length of a `data:` URL; a longer one is shortened, because an image is useless as text.
const MAX_DATA_URL_LEN: usize = 400;

/// A page of a result.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ResultPage {
    pub(crate) result: Map<String, Value>,
    pub(crate) page_count: usize,
}

/// Returns the requested page of a JSON result.
pub(crate) fn from_object(operation: Operation, mut result: Map<String, Value>, wish: &ToolCall) -> ResultPage {
    for value in result.values_mut() {
        shorten_data_urls(value);
    }
    match operation {
        Operation::Extract => groups(result, wish.page),
        Operation::Code => {
            drop_previews(&mut result);
            code(result, wish.page)
        }
        Operation::Brand => ResultPage { result, page_count: 1 },
        _ => {
            if !wish.animations {
                drop_animations(&mut result);
            }
            list(operation, result, wish.page)
        }
    }
}

/// Returns the requested page of a text, and the number of pages.
pub(crate) fn text_page(text: &str, number: usize) -> (&str, usize) {
    let parts = text_pages(text);
    (parts.get(number - 1).copied().unwrap_or_default(), parts.len())
}

/// Splits a text into its pages, at least one.
fn text_pages(text: &str) -> Vec<&str> {
    let (mut parts, mut rest) = (Vec::new(), text);
    loop {
        let (part, next) = rest.split_at(split_page(rest));
        parts.push(part);
        rest = next;
        if rest.is_empty() {
            return parts;
        }
    }
}

/// Returns the end of a text's first page: after a line break, if its last half has one.
fn split_page(text: &str) -> usize {
    let Some((most, _)) = text.char_indices().nth(TEXT_CHARACTERS) else { return text.len() };
    match text[..most].rfind('\n') {
        Some(line) if line > most / 2 => line + 1,
        _ => most,
    }
}

fn code(mut result: Map<String, Value>, number: usize) -> ResultPage {
    let Some(Value::String(code)) = result.get("code") else { return ResultPage { result, page_count: 1 } };
    let (part, of) = text_page(code, number);
    let room = TEXT_CHARACTERS.saturating_sub(text_page(code, of).0.chars().count());
    let part = part.to_owned();
    result.insert("code".to_owned(), part.into());
    let files = result.get("files").and_then(Value::as_array).map_or_else(Vec::new, |files| file_pages(files, room));
    // The first files are on the last page of the code.
    let page_count = of + files.len().saturating_sub(1);
    if result.contains_key("files") {
        let own = number.checked_sub(of).and_then(|at| files.get(at)).cloned().unwrap_or_default();
        result.insert("files".to_owned(), own.into());
    }
    if number > 1 {
        // Further pages do not repeat the other members.
        result.retain(|name, _| matches!(name.as_str(), "url" | "usage" | "code" | "files" | "framework" | "selector"));
    }
    ResultPage { result, page_count }
}

/// Distributes files over pages, of which the first one has `room` characters left. A long file is in several parts.
fn file_pages(files: &[Value], mut room: usize) -> Vec<Vec<Value>> {
    let mut pages = vec![Vec::new()];
    for file in files {
        let code = file["code"].as_str().unwrap_or_default();
        for part in text_pages(code) {
            let length = part.chars().count();
            if length > room {
                pages.push(Vec::new());
                room = TEXT_CHARACTERS;
            }
            room = room.saturating_sub(length);
            if let Some(page) = pages.last_mut() {
                page.push(json!({ "path": file["path"], "code": part }));
            }
        }
    }
    pages
}

fn groups(mut result: Map<String, Value>, number: usize) -> ResultPage {
    let mut totals = Map::new();
    let mut of = 1;
    for name in Operation::Extract.fields() {
        let Some(Value::Object(group)) = result.get_mut(*name) else { continue };
        totals.insert((*name).to_owned(), group.len().into());
        of = of.max(group.len().div_ceil(GROUP_VALUES));
        let values = std::mem::take(group).into_iter().skip((number - 1) * GROUP_VALUES).take(GROUP_VALUES);
        *group = values
            .map(|(value, mut usage)| {
                // The list of elements is only useful for a style inspector.
                if let Some(usage) = usage.as_object_mut() {
                    usage.shift_remove("selectors");
                }
                (value, usage)
            })
            .collect();
    }
    result.retain(|name, value| !totals.contains_key(name) || value.as_object().is_some_and(|group| !group.is_empty()));
    result.insert("totals".to_owned(), totals.into());
    ResultPage { result, page_count: of }
}

/// Returns the name of an operation's list.
pub(crate) fn list_name(operation: Operation) -> &'static str {
    match operation {
        Operation::Svg => "svgs",
        operation => operation.as_str(),
    }
}

fn list(operation: Operation, mut result: Map<String, Value>, number: usize) -> ResultPage {
    let name = list_name(operation);
    let Some(Value::Array(items)) = result.get_mut(name) else { return ResultPage { result, page_count: 1 } };
    let mut page = 1;
    let (mut characters, mut count) = (0, 0);
    let mut shown = Vec::new();
    for item in std::mem::take(items) {
        let length = item.to_string().len();
        if count > 0 && (count == PAGE_ITEMS || characters + length > PAGE_CHARACTERS) {
            page += 1;
            (characters, count) = (0, 0);
        }
        characters += length;
        count += 1;
        if page == number {
            shown.push(item);
        }
    }
    *items = shown;
    ResultPage { result, page_count: page }
}

fn drop_animations(result: &mut Map<String, Value>) {
    let items = result.get_mut("lottie").and_then(Value::as_array_mut).into_iter().flatten();
    for item in items.filter_map(Value::as_object_mut) {
        item.shift_remove("animation");
    }
}

/// Removes the sections' text and size: a section is chosen by its label.
fn drop_previews(result: &mut Map<String, Value>) {
    let sections = result.get_mut("sections").and_then(Value::as_array_mut).into_iter().flatten();
    for section in sections.filter_map(Value::as_object_mut) {
        section.retain(|name, _| matches!(name.as_str(), "selector" | "label" | "role"));
    }
}

fn shorten_data_urls(value: &mut Value) {
    match value {
        Value::String(text) if text.len() > MAX_DATA_URL_LEN && text.starts_with("data:") => {
            let media_type = text.split([',', ';']).next().unwrap_or("data:").to_owned();
            *text = format!("{media_type},… ({} characters left out)", text.len());
        }
        Value::Array(items) => items.iter_mut().for_each(shorten_data_urls),
        Value::Object(members) => members.values_mut().for_each(shorten_data_urls),
        _ => {}
    }
}

/// Returns the `page` member of a result.
pub(crate) fn page_info(number: usize, of: usize) -> Value {
    json!({ "number": number, "of": of, "next": (number < of).then_some(number + 1) })
}

#[cfg(test)]
mod tests {
    use super::super::arguments::ToolName;
    use super::*;

    fn tool_call(tool: ToolName, page: usize) -> ToolCall {
        let arguments = json!({ "url": "a.com", "kinds": ["images"], "page": page });
        let mut arguments = arguments.as_object().unwrap().clone();
        arguments.retain(|name, _| name != "kinds" || tool == ToolName::Assets);
        ToolCall::parse(tool, &arguments).unwrap()
    }

    fn map(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn pages_of_a_list_have_every_item_once() {
        let items: Vec<Value> = (0..250).map(|n| json!({ "url": format!("https://a.com/{n}.png") })).collect();
        let result = map(json!({ "url": "https://a.com/", "images": items, "count": 250 }));
        let pages: Vec<ResultPage> = (1..=4)
            .map(|page| from_object(Operation::Images, result.clone(), &tool_call(ToolName::Assets, page)))
            .collect();
        assert!(pages.iter().all(|page| page.page_count == 3 && page.result["count"] == 250));
        let shown: Vec<Value> =
            pages.iter().flat_map(|page| page.result["images"].as_array().unwrap().clone()).collect();
        assert_eq!(shown, items);
        assert!(pages[3].result["images"].as_array().unwrap().is_empty(), "past the end");
    }

    #[test]
    fn long_item_is_a_page_of_its_own() {
        let code = |length: usize| json!({ "type": "inline", "code": "x".repeat(length) });
        let result = map(json!({ "svgs": [code(10), code(PAGE_CHARACTERS * 2), code(10), code(10)] }));
        let count = |page| {
            let page = from_object(Operation::Svg, result.clone(), &tool_call(ToolName::Svgs, page));
            (page.page_count, page.result["svgs"].as_array().unwrap().len())
        };
        assert_eq!([count(1), count(2), count(3)], [(3, 1), (3, 1), (3, 2)]);
    }

    #[test]
    fn files_of_a_page_follow_its_code() {
        let file = |name: &str, lines: usize| json!({ "path": name, "code": format!("{name}\n").repeat(lines) });
        let files = [file("a", 10), file("b", 100_000), file("c", 10)];
        let result = map(json!({ "code": "page", "css": "", "files": files }));
        let page = |number| from_object(Operation::Code, result.clone(), &tool_call(ToolName::Code, number));
        let count = page(1).page_count;
        assert!(count > 2 && page(1).result["code"] == "page" && page(1).result.contains_key("css"));
        let mut joined: Vec<(String, String)> = Vec::new();
        for number in 1..=count {
            let page = page(number).result;
            assert!(page["code"] == if number == 1 { "page" } else { "" });
            for part in page["files"].as_array().unwrap() {
                let [path, code] = ["path", "code"].map(|name| part[name].as_str().unwrap().to_owned());
                match joined.last_mut().filter(|(last, _)| *last == path) {
                    Some((_, whole)) => whole.push_str(&code),
                    None => joined.push((path, code)),
                }
            }
        }
        let expected: Vec<(String, String)> = files
            .iter()
            .map(|file| (file["path"].as_str().unwrap().to_owned(), file["code"].as_str().unwrap().to_owned()))
            .collect();
        assert!(joined == expected);
    }

    #[test]
    fn parts_of_a_text_join_to_the_whole() {
        for text in [String::new(), "ü".repeat(TEXT_CHARACTERS * 2 + 5), "line ü\n".repeat(30_000)] {
            let (_, of) = text_page(&text, 1);
            let joined: String = (1..=of).map(|page| text_page(&text, page).0).collect();
            assert_eq!(joined, text);
            assert_eq!(text_page(&text, of + 1).0, "");
        }
    }

    #[test]
    fn groups_are_paged_together() {
        let colors: Map<String, Value> =
            (0..90).map(|n| (format!("#{n:06}"), json!({ "count": 90 - n, "selectors": ["a"] }))).collect();
        let result = map(
            json!({ "url": "u", "colors": colors, "spacing": { "4px": { "count": 1 } }, "colorSchemes": ["light"] }),
        );
        let page = |number| from_object(Operation::Extract, result.clone(), &tool_call(ToolName::DesignTokens, number));
        let (first, last) = (page(1), page(3));
        assert_eq!((first.page_count, first.result["totals"]["colors"].as_u64()), (3, Some(90)));
        assert_eq!(first.result["colors"]["#000000"], json!({ "count": 90 }));
        assert_eq!(last.result["colors"].as_object().unwrap().len(), 10);
        assert!(last.result.get("spacing").is_none() && last.result["colorSchemes"] == json!(["light"]));
    }

    #[test]
    fn data_urls_are_shortened() {
        let data = format!("data:image/png;base64,{}", "A".repeat(5_000));
        let result =
            map(json!({ "logo": data, "logos": [{ "url": data }], "lottie": [{ "url": "u", "animation": {} }] }));
        let brand = from_object(Operation::Brand, result.clone(), &tool_call(ToolName::Brand, 1)).result;
        assert_eq!(brand["logo"], "data:image/png,… (5022 characters left out)");
        assert_eq!(brand["logos"][0]["url"], brand["logo"]);
        let lottie = from_object(Operation::Lottie, result, &tool_call(ToolName::Assets, 1)).result;
        assert_eq!(lottie["lottie"], json!([{ "url": "u" }]));
    }
}
