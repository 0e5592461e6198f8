//! Tests the split into sections on pages with careless markup.

use super::ask_of;
use limner_page::PageSnapshot;
use limner_types::Theme;

const FEATURES: &str =
    "<h2>Features of it</h2><p>A sentence about one of them, and another about the next, and then an end.</p>";
const PRICING: &str =
    "<h2>Pricing of it</h2><p>It is $9 a month for one, and $29 a month for all of the others of them.</p>";
const HEADLINE: &str = "<h1>Ship faster</h1><p>Copy that says what it is that is shipped.</p><a href=/s>Start</a>";

fn selectors(body: &str) -> Vec<String> {
    let html = format!("<!doctype html><html><body>{body}</body></html>");
    let page = PageSnapshot { url: "https://a.test/".into(), html, ..PageSnapshot::default() };
    let result = ask_of(&page, None, Theme::Light).unwrap();
    let sections = result["sections"].as_array().unwrap();
    sections.iter().map(|section| section["selector"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn headlines_beside_sections_add_their_parent_as_a_section() {
    let sections = format!("<section id=f>{FEATURES}</section><section id=p>{PRICING}</section>");
    for (body, hero) in [
        (format!("{HEADLINE}{sections}"), "body"),
        (format!("<main>{HEADLINE}{sections}</main>"), "body > main"),
        (format!("<article>{HEADLINE}{sections}</article>"), "body > article"),
        (format!("<main><h1>Ship faster</h1><p>Copy that says what.</p>{sections}</main>"), "body > main"),
    ] {
        assert_eq!(selectors(&body), [hero, "#f", "#p"], "{body}");
    }
}

#[test]
fn page_wrappers_are_no_sections() {
    let parts = format!("<div id=h>{HEADLINE}</div><div id=f>{FEATURES}</div><div id=p>{PRICING}</div>");
    assert_eq!(selectors(&format!("<div id=wrap>{parts}</div>")), ["#h", "#f", "#p"]);
    let alike = parts.replace("<div id", "<div class=s id");
    assert_eq!(selectors(&format!("<div><div id=wrap>{alike}</div></div>")), ["#h", "#f", "#p"]);
}

#[test]
fn labels_are_words_and_no_prices() {
    let html = format!("<main><section>{HEADLINE}</section><section id=p>{PRICING}<h1>$0/mo</h1></section></main>");
    let page = PageSnapshot { url: "https://a.test/".into(), html, ..PageSnapshot::default() };
    let result = ask_of(&page, None, Theme::Light).unwrap();
    assert_eq!(result["sections"][1]["label"], "Pricing of it");
}

#[test]
fn running_text_is_one_section() {
    let text =
        format!("<h1>A title</h1><p>{0}</p><h2>A part</h2><p>{0}</p><h2>A part</h2><p>{0}</p>", "Words. ".repeat(30));
    assert_eq!(selectors(&format!("<main>{text}</main>")), ["body > main"]);
    assert_eq!(selectors(&format!("<div>{text}</div>")), ["body > div"]);
}
