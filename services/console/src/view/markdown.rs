//! Renders our own Markdown texts. HTML inside them is escaped.

use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};
use std::collections::HashSet;

/// Renders the text as HTML. Headings are one level deeper than written, because the page has its own title, and each
/// has an anchor. Blocks of code have a copy button; neighbours with a `tab=…` after their language become tabs. For one
/// text per page: blocks are numbered.
pub(crate) fn to_html(text: &str) -> String {
    let events = without_repository_links(Parser::new_ext(text, Options::ENABLE_TABLES));
    let mut out = Vec::with_capacity(events.len());
    let (mut ids, mut codes, mut index) = (HashSet::new(), 0, 0);
    while let Some(event) = events.get(index) {
        index += 1;
        match event {
            Event::Html(text) | Event::InlineHtml(text) => out.push(Event::Text(text.clone())),
            Event::Start(Tag::Heading { level, .. }) => {
                let id = unique(slug(&heading_text(&events[index..])), &mut ids);
                let (level, id) = (deeper(*level), Some(CowStr::from(id)));
                out.push(Event::Start(Tag::Heading { level, id, classes: Vec::new(), attrs: Vec::new() }));
            }
            Event::End(TagEnd::Heading(level)) => {
                out.push(Event::Html(anchor(&out).into()));
                out.push(Event::End(TagEnd::Heading(deeper(*level))));
            }
            Event::Start(Tag::CodeBlock(_)) => {
                let (blocks, end) = code_blocks(&events, index - 1);
                index = end;
                out.push(Event::Html(code_html(&blocks, codes).into()));
                codes += blocks.len();
            }
            other => out.push(other.clone()),
        }
    }
    let mut made = String::new();
    html::push_html(&mut made, out.into_iter());
    scrollable_tables(&made)
}

/// Puts each table into a region that can be scrolled by keyboard. Regions of a page have different names.
fn scrollable_tables(html: &str) -> String {
    let mut parts = html.split("<table>");
    let mut made = parts.next().unwrap_or_default().to_owned();
    for (number, rest) in (1..).zip(parts) {
        made += &format!(r#"<div class="scroll" tabindex="0" role="region" aria-label="Table {number}"><table>"#);
        made += &rest.replace("</table>", "</table></div>");
    }
    made
}

/// Returns the parts of a text that its headings divide it into: anchor, heading and plain text. The first, before all
/// headings, has neither anchor nor heading.
pub(crate) fn sections(text: &str) -> Vec<(String, String, String)> {
    let events = without_repository_links(Parser::new_ext(text, Options::ENABLE_TABLES));
    let mut sections = vec![(String::new(), String::new(), String::new())];
    let (mut ids, mut is_heading) = (HashSet::new(), false);
    for (index, event) in events.iter().enumerate() {
        let Some((_, _, words)) = sections.last_mut() else { break };
        match event {
            Event::Start(Tag::Heading { .. }) => {
                let heading = heading_text(&events[index + 1..]);
                is_heading = true;
                sections.push((unique(slug(&heading), &mut ids), heading, String::new()));
            }
            Event::End(TagEnd::Heading(_)) => is_heading = false,
            Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) if !is_heading => {
                words.push_str(text);
            }
            Event::SoftBreak | Event::HardBreak | Event::End(_) if !words.ends_with(' ') => words.push(' '),
            _ => {}
        }
    }
    for (_, _, words) in &mut sections {
        *words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    sections
}

/// Returns id and text of the headings of the first level.
pub(crate) fn contents(text: &str) -> Vec<(String, String)> {
    let events = without_repository_links(Parser::new_ext(text, Options::ENABLE_TABLES));
    let (mut found, mut ids) = (Vec::new(), HashSet::new());
    for (index, event) in events.iter().enumerate() {
        if let Event::Start(Tag::Heading { level, .. }) = event {
            let heading = heading_text(&events[index + 1..]);
            let id = unique(slug(&heading), &mut ids);
            if *level == HeadingLevel::H1 {
                found.push((id, heading));
            }
        }
    }
    found
}

/// A block of code.
struct CodeBlock {
    language: String,
    /// Title of its tab.
    tab: Option<String>,
    text: String,
}

/// Returns the block at an index, with those that follow it as tabs of the same group, and the index after them.
fn code_blocks(events: &[Event<'_>], mut index: usize) -> (Vec<CodeBlock>, usize) {
    let mut blocks: Vec<CodeBlock> = Vec::new();
    while let Some(Event::Start(Tag::CodeBlock(kind))) = events.get(index) {
        let info = match kind {
            CodeBlockKind::Fenced(info) => info.as_ref(),
            CodeBlockKind::Indented => "",
        };
        let (language, rest) = info.split_once(' ').unwrap_or((info, ""));
        let tab = rest.strip_prefix("tab=").map(str::to_owned);
        if !blocks.is_empty() && tab.is_none() {
            break;
        }
        let mut text = String::new();
        index += 1;
        while let Some(Event::Text(part)) = events.get(index) {
            text.push_str(part);
            index += 1;
        }
        index += 1;
        let is_alone = tab.is_none();
        blocks.push(CodeBlock { language: language.to_owned(), tab, text });
        if is_alone {
            break;
        }
    }
    (blocks, index)
}

/// Renders blocks whose numbers begin with `first`. Code may be wider than a phone: it must be scrollable by keyboard.
fn code_html(blocks: &[CodeBlock], first: usize) -> String {
    let mut made = String::new();
    let is_group = blocks.len() > 1;
    for (number, block) in (first..).zip(blocks) {
        let code = format!(
            "<div class=\"codebox\"><button type=\"button\" class=\"quiet small\" data-copy=\"#code-{number}\" hidden>Copy</button>\
             <pre tabindex=\"0\" id=\"code-{number}\"><code class=\"language-{}\">{}</code></pre></div>\n",
            escaped(&block.language),
            escaped(&block.text)
        );
        match block.tab.as_deref().filter(|_| is_group).map(escaped) {
            Some(tab) => made.push_str(&format!("<section data-tab=\"{tab}\"><h3>{tab}</h3>{code}</section>\n")),
            None => made.push_str(&code),
        }
    }
    if is_group { format!("<div data-tabs=\"Variants of this code\">\n{made}</div>\n") } else { made }
}

/// Renders a text in which only code, between backticks, is marked up. HTML inside it is escaped.
pub(crate) fn with_code(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    // The last backtick of an odd number is text.
    let codes = (parts.len() - 1) / 2;
    let (marked, rest) = parts.split_at(2 * codes);
    let marked = marked.chunks(2).map(|pair| format!("{}<code>{}</code>", escaped(pair[0]), escaped(pair[1])));
    marked.collect::<String>() + &escaped(&rest.join("`"))
}

fn escaped(text: &str) -> String {
    let mut made = String::new();
    html::push_html(&mut made, std::iter::once(Event::Text(text.into())));
    made.replace('"', "&quot;")
}

/// Returns a link to the heading that was opened last.
fn anchor(events: &[Event<'_>]) -> String {
    let start = events.iter().rposition(|event| matches!(event, Event::Start(Tag::Heading { .. }))).unwrap_or_default();
    let Some(Event::Start(Tag::Heading { id: Some(id), .. })) = events.get(start) else { return String::new() };
    let words = escaped(&heading_text(&events[start + 1..]));
    format!("<a class=\"anchor\" href=\"#{id}\" aria-label=\"Link to “{words}”\"></a>")
}

/// Removes links to files of the repository, which are no pages of the console. Their text stays.
fn without_repository_links<'a>(events: impl Iterator<Item = Event<'a>>) -> Vec<Event<'a>> {
    let mut is_removed = false;
    let stays = |event: &Event<'_>| match event {
        Event::Start(Tag::Link { dest_url, .. }) => {
            is_removed = !dest_url.starts_with(['/', '#']) && !dest_url.contains(':');
            !is_removed
        }
        Event::End(TagEnd::Link) => !is_removed,
        _ => true,
    };
    events.filter(stays).collect()
}

fn deeper(level: HeadingLevel) -> HeadingLevel {
    match level {
        HeadingLevel::H1 => HeadingLevel::H2,
        HeadingLevel::H2 => HeadingLevel::H3,
        _ => HeadingLevel::H4,
    }
}

/// Returns the text of the heading that these events continue.
fn heading_text(events: &[Event<'_>]) -> String {
    let mut words = String::new();
    for event in events {
        match event {
            Event::End(TagEnd::Heading(_)) => break,
            Event::Text(text) | Event::Code(text) => words.push_str(text),
            _ => {}
        }
    }
    words
}

/// Returns the words of a text, joined by hyphens.
pub(crate) fn slug(text: &str) -> String {
    let plain = text.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric() && c != '_', " ");
    plain.split_whitespace().collect::<Vec<_>>().join("-")
}

/// Returns the id, with a number if it is taken.
fn unique(id: String, taken: &mut HashSet<String>) -> String {
    let mut free = (1..).map(|number| if number == 1 { id.clone() } else { format!("{id}-{number}") });
    let found = free.find(|candidate| !taken.contains(candidate)).unwrap_or_default();
    taken.insert(found.clone());
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use scraper::{Html, Selector};

    fn found(html: &str, selector: &str) -> Vec<(String, String)> {
        let (html, selector) = (Html::parse_fragment(html), Selector::parse(selector).unwrap());
        html.select(&selector).map(|element| (element.inner_html(), element.text().collect())).collect()
    }

    #[test]
    fn headings_are_deeper_and_markup_is_text() {
        let html = to_html("# One `two`\n\n<script>alert(1)</script>\n\n[x](https://example.org) <b>bold</b>\n");
        let anchor = "<a aria-label=\"Link to “One two”\" class=\"anchor\" href=\"#one-two\"></a>";
        assert_eq!(found(&html, "h2#one-two"), [(format!("One <code>two</code>{anchor}"), "One two".to_owned())]);
        assert_eq!(found(&html, "script, b"), []);
    }

    #[test]
    fn links_to_files_of_the_repository_are_text() {
        let html = to_html("[a](docs/brand.md) [b](/docs) [c](#d) [e](https://example.org) [f](mailto:g@example.org)");
        let links: Vec<String> = found(&html, "a[href]").into_iter().map(|(_, text)| text).collect();
        assert_eq!(links, ["b", "c", "e", "f"]);
        assert_eq!(found(&html, "p")[0].1, "a b c e f");
    }

    #[test]
    fn tables_scroll_in_regions_of_different_names() {
        let table = "| a |\n|---|\n| b |\n";
        let html = to_html(&format!("{table}\n\nc\n\n{table}"));
        for number in [1, 2] {
            let cells =
                found(&html, &format!(".scroll[role=region][tabindex='0'][aria-label='Table {number}'] > table td"));
            assert_eq!(cells.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(), ["b"], "{html}");
        }
    }

    #[test]
    fn every_block_of_code_can_be_copied() {
        let html = to_html("a\n\n```\none </pre>\n```\n\nb\n\n```json\n{}\n```\n");
        for (number, code) in [(0, "one </pre>\n"), (1, "{}\n")] {
            let copied =
                found(&html, &format!(".codebox > button[data-copy='#code-{number}'] + pre#code-{number} > code"));
            assert_eq!(copied.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(), [code], "{html}");
        }
        assert_eq!(found(&html, "button").len(), 2);
    }

    #[test]
    fn neighbouring_blocks_with_titles_are_tabs() {
        let html = to_html("```sh tab=curl\na\n```\n\n```ts tab=TypeScript\n<b>\n```\n\n```json\n{}\n```\n");
        let tabs = found(&html, "[data-tabs] > section[data-tab] pre > code");
        assert_eq!(tabs.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(), ["a\n", "<b>\n"]);
        assert_eq!(
            found(&html, "[data-tabs] h3").iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(),
            ["curl", "TypeScript"]
        );
        assert_eq!(found(&html, "pre#code-2 > code.language-json")[0].1, "{}\n");
    }

    #[test]
    fn only_code_of_a_text_is_marked_up() {
        for (text, html) in [
            ("`a<b>` and `c`.", "<code>a&lt;b&gt;</code> and <code>c</code>."),
            ("one ` alone <i>", "one ` alone &lt;i&gt;"),
            ("`x` and ` alone", "<code>x</code> and ` alone"),
            ("", ""),
        ] {
            assert_eq!(with_code(text), html, "{text}");
        }
    }

    #[test]
    fn equal_headings_have_different_anchors() {
        let html = to_html("# `not_found`\n\n# Not found\n\n# Not found\n");
        for id in ["not_found", "not-found", "not-found-2"] {
            assert_eq!(found(&html, &format!("h2#{id} > a[href='#{id}']")).len(), 1, "{html}");
        }
    }
}
