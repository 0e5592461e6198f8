//! Renders our own Markdown texts. HTML inside them is escaped.

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

/// Renders the text as HTML. Headings are one level deeper than written, because the page has its own title, and each
/// has an anchor.
pub(crate) fn to_html(text: &str) -> String {
    let events = without_repository_links(Parser::new_ext(text, Options::ENABLE_TABLES));
    let mut out = Vec::with_capacity(events.len());
    for (index, event) in events.iter().enumerate() {
        out.push(match event {
            Event::Html(text) | Event::InlineHtml(text) => Event::Text(text.clone()),
            Event::Start(Tag::Heading { level, .. }) => {
                let id = Some(CowStr::from(slug(&events[index + 1..])));
                Event::Start(Tag::Heading { level: deeper(*level), id, classes: Vec::new(), attrs: Vec::new() })
            }
            Event::End(TagEnd::Heading(level)) => Event::End(TagEnd::Heading(deeper(*level))),
            other => other.clone(),
        });
    }
    let mut made = String::new();
    html::push_html(&mut made, out.into_iter());
    // Code may be wider than a phone: it must be scrollable by keyboard.
    const SCROLLED: &str = "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table\"><table>";
    let made = made.replace("<pre>", "<pre tabindex=\"0\">");
    made.replace("<table>", SCROLLED).replace("</table>", "</table></div>")
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

/// Adds a copy button to every code block. For one text per page: blocks are numbered.
pub(crate) fn with_copy_buttons(html: &str) -> String {
    let mut parts = html.split("<pre tabindex=\"0\">");
    let mut made = parts.next().unwrap_or_default().to_owned();
    for (number, part) in parts.enumerate() {
        let button =
            format!("<button type=\"button\" class=\"quiet small\" data-copy=\"#code-{number}\" hidden>Copy</button>");
        let part = part.replacen("</pre>", "</pre></div>", 1);
        made.push_str(&format!("<div class=\"codebox\">{button}<pre tabindex=\"0\" id=\"code-{number}\">{part}"));
    }
    made
}

fn deeper(level: HeadingLevel) -> HeadingLevel {
    match level {
        HeadingLevel::H1 => HeadingLevel::H2,
        HeadingLevel::H2 => HeadingLevel::H3,
        _ => HeadingLevel::H4,
    }
}

/// Returns the words of a heading, joined by hyphens.
fn slug(events: &[Event<'_>]) -> String {
    let mut words = String::new();
    for event in events {
        match event {
            Event::End(TagEnd::Heading(_)) => break,
            Event::Text(text) | Event::Code(text) => words.push_str(text),
            _ => {}
        }
    }
    let plain = words.to_lowercase().replace(|character: char| !character.is_ascii_alphanumeric(), " ");
    plain.split_whitespace().collect::<Vec<_>>().join("-")
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
        assert_eq!(found(&html, "h2#one-two"), [("One <code>two</code>".to_owned(), "One two".to_owned())]);
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
    fn every_block_of_code_can_be_copied() {
        let html = with_copy_buttons(&to_html("a\n\n```\none </pre>\n```\n\nb\n\n```json\n{}\n```\n"));
        for (number, code) in [(0, "one </pre>\n"), (1, "{}\n")] {
            let copied =
                found(&html, &format!(".codebox > button[data-copy='#code-{number}'] + pre#code-{number} > code"));
            assert_eq!(copied.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(), [code], "{html}");
        }
        assert_eq!(found(&html, "button").len(), 2);
    }
}
