//! Our own texts, written as Markdown. Markup inside them is shown, not made.

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

/// The text as HTML. Headings are a level deeper than written: the page has its own, and each can be linked to.
pub(crate) fn to_html(text: &str) -> String {
    let events: Vec<Event<'_>> = Parser::new_ext(text, Options::ENABLE_TABLES).collect();
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
    // Code may be wider than a phone: who scrolls it by keyboard has to get there.
    const SCROLLED: &str = "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table\"><table>";
    let made = made.replace("<pre>", "<pre tabindex=\"0\">");
    made.replace("<table>", SCROLLED).replace("</table>", "</table></div>")
}

fn deeper(level: HeadingLevel) -> HeadingLevel {
    match level {
        HeadingLevel::H1 => HeadingLevel::H2,
        HeadingLevel::H2 => HeadingLevel::H3,
        _ => HeadingLevel::H4,
    }
}

/// The words of a heading, joined by hyphens.
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

    #[test]
    fn headings_are_deeper_and_markup_is_text() {
        let html = to_html("# One `two`\n\n<script>alert(1)</script>\n\n[x](https://example.org) <b>bold</b>\n");
        assert!(html.contains("<h2 id=\"one-two\">One <code>two</code></h2>"), "{html}");
        assert!(!html.contains("<script") && !html.contains("<b>"), "{html}");
    }
}
