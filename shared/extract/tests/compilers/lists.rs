//! Repeated structures: loops, and blocks with their presets.

use super::hostile::{NASTY, escaped};
use super::{check_utilities, outputs};
use serde_json::{Value, json};

/// One run for all of them: Tailwind's tables take longer to prepare than a list to check.
#[test]
fn lists_render_the_page() {
    let mut cases = vec![inline_lists_with_spaces(), inline_blocks_with_spaces(), nested_lists()];
    cases.extend(shopify_presets());
    cases.extend(lists_about_the_block_limit());
    check_utilities(&cases);
}

fn inline_lists_with_spaces() -> Value {
    let link = |at: usize| format!("<a href=/{at}>link {at}</a>");
    let badge = |at: usize| format!("<li><a href=/n{at}>item {at}{}</a></li>", [" <b>new</b>", ""][at % 2]);
    let html = format!(
        "<section id=top><h2>Title</h2><nav>{}</nav><p>Tags: {} end</p><div>{}</div><ul>{}</ul></section>",
        (1..6).map(link).collect::<Vec<_>>().join(" "),
        (6..11).map(link).collect::<Vec<_>>().join("\n  "),
        (1..4)
            .map(|row| format!("<p>{}</p>", (11..11 + row).map(link).collect::<Vec<_>>().join(" ")))
            .collect::<String>(),
        (0..4).map(badge).collect::<String>(),
    );
    let mut outputs = outputs(html, "a{color:#06c;padding:2px} b{color:#c00}".to_owned());
    // The other frameworks have no loops, and a line may end at any space.
    outputs.as_object_mut().unwrap().retain(|framework, _| matches!(framework.as_str(), "jsx" | "vue"));
    for (framework, between) in [("jsx", " > 0 && ' ',"), ("vue", " > 0 ? ' ' : '' }}")] {
        let code = outputs[framework]["code"].as_str().unwrap();
        assert_eq!(code.matches(between).count(), 3, "{code}");
    }
    json!({
        "name": "lists in a line",
        "texts": ["Title"],
        "titles": [],
        "exact": [
            "link 1 link 2 link 3 link 4 link 5",
            "Tags: link 6 link 7 link 8 link 9 link 10 end",
            "link 11 link 12 link 13",
            "item 0 new",
            "item 1",
        ],
        "outputs": outputs,
    })
}

/// Items with all kinds of differences, and a string that tries to break out.
fn shopify_presets() -> Vec<Value> {
    let card = |at: usize, text: &str| {
        let text = escaped(text);
        let class = if at == 1 { " first" } else { "" };
        let badge = if at == 2 { "<span class=badge>New</span>" } else { "" };
        let tags: String = (0..=at % 3).map(|tag| format!("<li>Tag {at} {tag}</li>")).collect();
        format!(
            "<article class='card{class}' id=card-{at}>{badge}<img src=/{at}.png srcset='/{at}.png 1x, /{at}b.png 2x' alt=\"{text}\">\
             <svg viewBox='0 0 9 9'><path d='M0 {at}h9'/></svg><h3>{text}</h3><p class=words>About {at}, <b>really</b> and {text}</p>\
             <ul>{tags}</ul><a href='/card/{at}?a=1&amp;b={at}' aria-label='Card {at}'>Read on</a></article>"
        )
    };
    let striped = |at: usize| format!("<tr class=row{}><td>Row {at}</td><td>{at}</td></tr>", at % 2);
    let css = ".card{padding:8px;border:1px solid red} .card.first{margin-left:9px} .badge{color:red} .words b{color:blue}\
               .row0{background:#eee} .row1{background:#fff} .q{padding:3px} .q:last-child{border-bottom:1px solid} td{padding:1px}";
    let cases: Vec<Value> = NASTY
        .iter()
        .map(|text| {
            let questions: String = (0..4)
                .map(|at| format!("<details class=q{}><summary>Question {at}</summary><p>Answer {at}</p></details>", if at == 0 { " open" } else { "" }))
                .collect();
            let html = format!(
                "<section id=top><h2>Title</h2><div class=cards>{}</div><div>{questions}</div><table><tbody>{}</tbody></table></section>",
                (0..5).map(|at| card(at, text)).collect::<String>(),
                (0..6).map(striped).collect::<String>(),
            );
            json!({ "name": text, "texts": [text, "Tag 2 2"], "titles": [text], "outputs": outputs(html, css.to_owned()) })
        })
        .collect();
    let code = cases[0]["outputs"]["shopify"]["code"].as_str().unwrap();
    assert_eq!(code.matches("{% for block in ").count(), 3, "{code}");
    cases
}

fn lists_about_the_block_limit() -> [Value; 2] {
    let html = |count: usize| {
        let item = |at: usize| format!("<li><h3>Item {at}</h3><p>About {at}</p><a href=/i/{at}>More</a></li>");
        format!("<section id=top><h2>Items</h2><ul>{}</ul></section>", (0..count).map(item).collect::<String>())
    };
    [50, 51].map(|count| {
        let outputs = outputs(html(count), "li{padding:4px}".to_owned());
        let code = outputs["shopify"]["code"].as_str().unwrap();
        assert_eq!(code.contains("{% for block in section.blocks %}"), count == 50, "{code}");
        json!({ "name": count.to_string(), "texts": ["Item 0", "About 49"], "titles": [], "outputs": outputs })
    })
}

fn inline_blocks_with_spaces() -> Value {
    let link = |at: usize| format!("<a href=/{at}>link {at}</a>");
    let links = |from: usize, between: &str| (from..from + 4).map(link).collect::<Vec<_>>().join(between);
    let html = format!(
        "<section id=top><h2>Title</h2><nav>{}</nav><p>Tags: {} end</p><p>{}</p></section>",
        links(1, " "),
        links(5, "\n  "),
        links(9, ""),
    );
    let mut outputs = outputs(html, "a{color:#06c;padding:2px}".to_owned());
    outputs.as_object_mut().unwrap().retain(|framework, _| framework == "shopify");
    let code = outputs["shopify"]["code"].as_str().unwrap();
    assert_eq!(code.matches("{% unless forloop.first %} {% endunless %}").count(), 2, "{code}");
    let exact = ["link 1 link 2 link 3 link 4", "Tags: link 5 link 6 link 7 link 8 end", "link 9link 10link 11link 12"];
    json!({ "name": "blocks in a line", "texts": ["Title"], "titles": [], "exact": exact, "outputs": outputs })
}

fn nested_lists() -> Value {
    let icon = |at: usize| {
        let paths: String = (0..=at % 3).map(|path| format!("<path class=p d='M{at} {path}h9'/>")).collect();
        format!("<svg viewBox='0 0 {at} 9'><g transform='scale({at})'>{paths}<path class=p d='M{at} 9v9'/></g></svg>")
    };
    let card = |at: usize| format!("<div class=card>{}<h3>Card {at}</h3><p>About {at}</p></div>", icon(at));
    let row = |at: usize| format!("<div class=row>{}{}</div>", card(2 * at), card(2 * at + 1));
    let html = format!("<section id=top><h2>Rows</h2><div>{}{}{}</div></section>", row(1), row(2), row(3));
    let outputs = outputs(html, ".card{padding:4px} .row{display:flex} .p{fill:red}".to_owned());
    assert!(outputs["shopify"]["code"].as_str().unwrap().contains("{% for block in "), "{}", outputs["shopify"]);
    let texts = ["Card 2", "About 7"];
    json!({ "name": "lists in lists", "texts": texts, "titles": [], "outputs": outputs })
}
