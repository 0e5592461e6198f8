//! Tests repeated structures that become blocks of a Shopify section.

use super::{component_for, count};
use limner_types::Framework;
use serde_json::Value;
use std::collections::BTreeSet;

fn section(body: &str, css: &str) -> (String, Value) {
    let component = component_for(body, css, Framework::Shopify);
    let code = component["code"].as_str().unwrap().to_owned();
    let (_, rest) = code.split_once("{% schema %}").unwrap();
    let schema = serde_json::from_str(rest.split_once("{% endschema %}").unwrap().0).unwrap();
    (code, schema)
}

fn list(of: &Value) -> Vec<Value> {
    of.as_array().cloned().unwrap_or_default()
}

fn ids(settings: &Value) -> Vec<String> {
    list(settings).iter().map(|own| own["id"].as_str().unwrap().to_owned()).collect()
}

#[track_caller]
fn assert_all(code: &str, expected: &[&str]) {
    for part in expected {
        assert!(code.contains(part), "{part}: {code}");
    }
}

fn card(at: usize) -> String {
    format!(
        "<div class=card><img src=/{at}.png alt='Picture {at}'><h3>Card {at}</h3><p>Words of {at}</p><a href=/c/{at}>More</a></div>"
    )
}

fn cards(count: usize) -> String {
    format!("<h2>Cards</h2><div class=cards>{}</div>", (1..=count).map(card).collect::<String>())
}

#[test]
fn cards_are_blocks_with_settings_and_a_preset() {
    let (code, schema) = section(&cards(3), ".card{padding:8px} .card h3{color:red}");
    assert_eq!(count(&code, "h3"), 1, "{code}");
    assert_all(
        &code,
        &[
            "{% for block in section.blocks %}",
            "{{ block.shopify_attributes }}>",
            "{{ block.settings.title | escape }}",
            "href=\"{{ block.settings.link | default: '#' | escape }}\"",
            "src=\"{% if block.settings.image %}{{ block.settings.image | image_url: width: 1920 }}{% else %}{{ block.settings.image_address | escape }}{% endif %}\"",
            "{% endfor %}",
        ],
    );
    assert_eq!(schema["blocks"][0]["type"], "card");
    assert_eq!(schema["blocks"][0]["name"], "Card");
    let own = ["image", "image_address", "alt", "title", "text", "label", "link"];
    assert_eq!(ids(&schema["blocks"][0]["settings"]).iter().collect::<BTreeSet<_>>().len(), own.len(), "{schema}");
    assert!(own.iter().all(|id| ids(&schema["blocks"][0]["settings"]).iter().any(|known| known == id)), "{schema}");
    let preset = list(&schema["presets"][0]["blocks"]);
    assert_eq!(preset.len(), 3);
    assert_eq!(preset[1]["type"], "card");
    let settings = &preset[1]["settings"];
    assert_eq!(settings["title"], "Card 2");
    assert_eq!(settings["link"], "https://a.test/c/2");
    assert_eq!(settings["image_address"], "https://a.test/2.png");
    assert_eq!(ids(&schema["settings"]), ["heading"]);
}

#[test]
fn long_lists_of_cards_are_complete() {
    let (_, schema) = section(&cards(24), "");
    assert_eq!(list(&schema["presets"][0]["blocks"]).len(), 24);
}

#[test]
fn lists_beyond_the_block_limit_have_settings_for_whole_items() {
    let (code, schema) = section(&cards(51), "");
    assert!(schema["blocks"].is_null() && !code.contains("{% for"), "{code}");
    // Each card has an image, a heading, a text, a label and a URL.
    let settings = list(&schema["settings"]);
    assert_eq!(settings.len() % 5, 1, "{schema}");
    assert!(settings.len() > 30 && settings.len() <= 40, "{schema}");
    let last = (settings.len() - 1) / 5;
    let texts: BTreeSet<&str> = settings.iter().filter_map(|own| own["default"].as_str()).collect();
    assert!(
        texts.contains(format!("Words of {last}").as_str()) && !texts.contains(format!("Card {}", last + 1).as_str())
    );
}

#[test]
fn elements_outside_lists_have_settings_before_list_items() {
    let (_, schema) = section(&format!("{}<p>The end</p><a href=/go>Go there</a>", cards(60)), "");
    let texts: Vec<Value> = list(&schema["settings"]).iter().map(|own| own["default"].clone()).collect();
    assert!(texts.iter().any(|text| text == "The end") && texts.iter().any(|text| text == "Go there"), "{schema}");
}

#[test]
fn several_lists_become_several_block_types() {
    let faq: String =
        (1..=3).map(|at| format!("<details><summary>Question {at}?</summary><p>Answer {at}.</p></details>")).collect();
    let (code, schema) = section(&format!("{}<div class=faq>{faq}</div>", cards(3)), "");
    assert_all(
        &code,
        &[
            "{% assign card_blocks = section.blocks | where: 'type', 'card' %}",
            "{% assign question_blocks = section.blocks | where: 'type', 'question' %}",
            "{% for block in card_blocks %}",
            "{% for block in question_blocks %}",
        ],
    );
    let types: Vec<Value> = list(&schema["presets"][0]["blocks"]).iter().map(|own| own["type"].clone()).collect();
    assert_eq!(types, ["card", "card", "card", "question", "question", "question"]);
}

#[test]
fn largest_lists_become_blocks() {
    let links: String = (1..=20).map(|at| format!("<li><a href=/l/{at}>Link {at}</a></li>")).collect();
    let (code, schema) = section(&format!("<ul>{links}</ul>{}", cards(40)), "");
    assert_eq!(list(&schema["blocks"]).len(), 1);
    assert_eq!(list(&schema["presets"][0]["blocks"]).len(), 40);
    assert!(code.contains("{% for block in section.blocks %}") && count(&code, "li") == 20, "{code}");
}

#[test]
fn nested_lists_become_numbered_settings() {
    let plan = |name: &str, features: &[&str]| {
        let features: String = features.iter().map(|own| format!("<li>{own}</li>")).collect();
        format!("<div class=plan><h3>{name}</h3><p>For {name}</p><ul>{features}</ul></div>")
    };
    let body = format!(
        "<h2>Plans</h2><div>{}{}{}</div>",
        plan("Free", &["One seat", "Mail"]),
        plan("Pro", &["Nine seats", "Mail", "Phone"]),
        plan("Max", &["All seats", "Chat", "Phone", "Visits"]),
    );
    let (code, schema) = section(&body, "li{color:red}");
    let names = ids(&schema["blocks"][0]["settings"]);
    assert_eq!(names.iter().filter(|id| id.starts_with("item") || id.starts_with("feature")).count(), 4, "{schema}");
    assert_eq!(count(&code, "li"), 4, "{code}");
    assert_eq!(code.matches(" != blank %}").count(), 2, "the third and the fourth may be missing: {code}");
}

#[test]
fn classes_depend_on_position_and_flags_are_checkboxes() {
    let item = |at: usize, class: &str| format!("<li class='item {class}'><h3>Step {at}</h3><p>Do {at}</p></li>");
    let steps = format!("<ol>{}{}{}{}</ol>", item(1, "a"), item(2, ""), item(3, ""), item(4, ""));
    let (code, _) = section(&steps, ".item{padding:4px} .a{margin-left:7px}");
    assert_all(&code, &["{% if forloop.first %}"]);
    let steps = format!("<ol>{}{}{}{}{}</ol>", item(1, ""), item(2, "a"), item(3, ""), item(4, ""), item(5, ""));
    let (code, schema) = section(&steps, ".item{padding:4px} .a{margin-left:7px;background:red}");
    let boxes: Vec<Value> =
        list(&schema["blocks"][0]["settings"]).into_iter().filter(|own| own["type"] == "checkbox").collect();
    assert_eq!(boxes.len(), 1, "{schema}");
    let id = boxes[0]["id"].as_str().unwrap();
    assert_all(&code, &[&format!("{{% if block.settings.{id} %}}")]);
    let set: Vec<bool> = list(&schema["presets"][0]["blocks"]).iter().map(|own| own["settings"][id] == true).collect();
    assert_eq!(set, [false, true, false, false, false]);
}

#[test]
fn icons_are_chosen_for_each_block() {
    let card = |name: &str, path: &str| {
        format!(
            "<div class=card><svg viewBox='0 0 9 9'><path d='{path}'/></svg><h3>{name}</h3><p>About {name}</p></div>"
        )
    };
    let body = format!("<div>{}{}{}</div>", card("A", "M0 0h9"), card("B", "M0 0v9"), card("C", "M0 0h9"));
    let (code, schema) = section(&body, "");
    let settings = list(&schema["blocks"][0]["settings"]);
    let icon = settings.iter().find(|own| own["id"] == "icon").unwrap();
    assert_eq!((icon["type"].as_str(), list(&icon["options"]).len()), (Some("select"), 2));
    let chosen: Vec<Value> =
        list(&schema["presets"][0]["blocks"]).iter().map(|own| own["settings"]["icon"].clone()).collect();
    assert_eq!(chosen, ["icon_1", "icon_2", "icon_1"]);
    assert_all(&code, &["{% if block.settings.icon == 'icon_1' %}", "{% if block.settings.icon == 'icon_2' %}"]);
}

#[test]
fn differences_without_a_setting_type_stay_static() {
    let fields = "<form><p><label>Name</label><input name=a></p><p><label>Mail</label><input name=b type=email></p>\
                  <p><label>Phone</label><input name=c type=tel></p></form>";
    let (code, schema) = section(fields, "");
    assert!(schema["blocks"].is_null() && count(&code, "input") == 3, "{code}");
    let stars = "<div class=stars><i>★</i><i>★</i><i>★</i><i>★</i></div>";
    let (code, _) = section(&format!("<h2>Stars</h2>{stars}"), "");
    assert_eq!(code.matches('★').count() + code.matches("block.settings").count(), 4, "{code}");
}

#[test]
fn output_is_deterministic() {
    let body =
        format!("{}<ul><li><a href=/a>A</a></li><li><a href=/b>B</a></li><li><a href=/c>C</a></li></ul>", cards(9));
    assert_eq!(section(&body, ".card{color:red}"), section(&body, ".card{color:red}"));
}

#[test]
fn slightly_different_items_form_one_list() {
    let cards = cards(4)
        .replacen("<div class=card>", "<div class='card wide'>", 2)
        .replace("<p>Words of 3", "<p class=loud>Words of 3");
    let (code, schema) = section(&cards, ".card{padding:8px} .wide{width:50%} .loud{color:red}");
    assert_eq!(list(&schema["presets"][0]["blocks"]).len(), 4, "{schema}");
    assert_all(&code, &["{% case forloop.index0 %}"]);
    assert!(!code.contains('\0'), "{code}");
}

#[test]
fn item_numbers_become_loop_indices() {
    let question = |at: usize| {
        format!(
            "<div class=q><h3 id=question-{at}>Question {at}?</h3><p aria-labelledby=question-{at}>Answer {at}</p></div>"
        )
    };
    let (code, _) = section(&format!("<div>{}</div>", (1..=20).map(question).collect::<String>()), "");
    assert_all(&code, &["id=\"question-{{ forloop.index }}\"", "aria-labelledby=\"question-{{ forloop.index }}\""]);
}

#[test]
fn aria_current_becomes_a_checkbox() {
    let link = |at: usize| {
        let current = if at == 2 { " aria-current=page class=on" } else { "" };
        format!("<li><a href=/{at}{current}>Link {at}</a></li>")
    };
    let body = format!("<h2>Menu</h2><ul>{}</ul>", (1..=4).map(link).collect::<String>());
    let (code, schema) = section(&body, "a{color:red} .on{color:blue}");
    assert_all(&code, &["{% if block.settings.is_current %}aria-current=\"page\"{% endif %}"]);
    let preset = list(&schema["presets"][0]["blocks"]);
    let current: Vec<bool> = preset.iter().map(|own| own["settings"]["is_current"] == true).collect();
    assert_eq!(current, [false, true, false, false], "{schema}");
}

#[test]
fn answers_become_rich_text() {
    let answer = |name: &str, words: &str| format!("<div class=item><h3>{name}?</h3><div class=a>{words}</div></div>");
    let body = format!(
        "<h2>Questions</h2><div>{}{}{}</div>",
        answer("What", "<p>An <b>API</b>.</p>"),
        answer("How", "<p>So.</p><p>And so.</p>"),
        answer("Where", "<ul><li>Here</li><li>There</li></ul>"),
    );
    let (_, schema) = section(&body, "");
    let settings = list(&schema["blocks"][0]["settings"]);
    let rich = settings.iter().find(|own| own["type"] == "richtext").unwrap_or_else(|| panic!("{schema}"));
    let second = &schema["presets"][0]["blocks"][1]["settings"][rich["id"].as_str().unwrap()];
    assert_eq!(second, "<p>So.</p><p>And so.</p>");
}
