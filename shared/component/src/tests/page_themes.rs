//! Tests components in a Shopify theme or on a WordPress page, whose rules apply to elements.

use super::{attributes, component_for, count, texts};
use limner_types::Framework;
use serde_json::Value;

const BODY: &str = "<style>@keyframes fade{from{opacity:0}}</style><h1 class=t>Ship <strong>it</strong></h1><p class=x>Words</p>\
                    <p>&nbsp;</p><span class=b>New</span><span>×</span><a class=l href=#top>More</a>\
                    <picture><source media='(max-width:600px)' srcset=/small.png><img src=/big.png alt='A \"cat\"'></picture>";
const CSS: &str = "#top{background:linear-gradient(#000,#fff),url(/hero.jpg) 50%/cover} .t{font-size:3rem;animation:fade 1s}\
                   .x{padding:1rem} .b{color:red} .l{background:url(/arrow.png)} @keyframes fade{from{opacity:0}}";

fn code(framework: Framework) -> String {
    component_for(BODY, CSS, framework)["code"].as_str().unwrap().to_owned()
}

fn schema(code: &str) -> Value {
    let (_, rest) = code.split_once("{% schema %}").unwrap();
    serde_json::from_str(rest.split_once("{% endschema %}").unwrap().0).unwrap()
}

fn sheet(code: &str) -> String {
    texts(code, "style").concat()
}

#[test]
fn shopify_rules_are_scoped_to_the_section() {
    let code = code(Framework::Shopify);
    let scope = "#shopify-section-{{ section.id }}";
    for line in sheet(&code).lines().filter(|line| line.ends_with('{') || line.ends_with(',')) {
        let is_of_animation = line.starts_with('@') || line == "  from {";
        assert!(line.trim_start().starts_with(scope) || is_of_animation, "{line} in {code}");
    }
    for part in [" {\n  all: initial;", " .hero-title {", "font-size: 48px", "padding: 16px"] {
        assert!(code.contains(part), "{part} in {code}");
    }
    assert!(!code.contains("rem"), "a theme may have another root font size: {code}");
}

#[test]
fn texts_links_and_images_become_settings() {
    let code = code(Framework::Shopify);
    let schema = schema(&code);
    let settings = schema["settings"].as_array().unwrap();
    let of =
        |id: &str| settings.iter().find(|setting| setting["id"] == id).unwrap_or_else(|| panic!("no {id}: {code}"));
    assert_eq!(of("heading")["type"], "inline_richtext");
    assert_eq!(of("heading")["default"], "Ship <strong>it</strong>");
    assert_eq!(of("text")["default"], "Words");
    assert_eq!(of("text_2")["default"], "New");
    assert_eq!(of("background")["type"], "image_picker");
    assert!(settings.iter().all(|setting| setting["default"] != "\u{a0}" && setting["default"] != "×"), "{schema}");
    assert_eq!(schema["tag"], "div", "the section brings its own landmark");
    for part in [
        "{{ section.settings.link | default: '#top' }}",
        "srcset=\"{% if section.settings.image %}{{ section.settings.image | image_url: width: 1920 }}{% else %}https://a.test/small.png",
        "src=\"{% if section.settings.image %}",
        "alt=\"{% if section.settings.image %}{{ section.settings.image.alt | escape }}{% else %}A &quot;cat&quot;{% endif %}\"",
        "{% if section.settings.background %}\n#shopify-section-{{ section.id }} .hero {\n  background-image: linear-gradient(#000, #fff), url(\"{{ section.settings.background | image_url: width: 2400 }}\");",
    ] {
        assert!(code.contains(part), "{part} in {code}");
    }
    assert!(!code.contains("background_2"), "an image that does not cover its box is no setting: {code}");
}

#[test]
fn headings_have_settings_before_other_texts() {
    let headings: String = (0..45).map(|at| format!("<div>Text {at}</div><h3>Heading {at}</h3>")).collect();
    let component = component_for(&headings, "", Framework::Shopify);
    let schema = schema(component["code"].as_str().unwrap());
    let settings = schema["settings"].as_array().unwrap();
    assert_eq!(settings.len(), 40);
    assert!(settings.iter().all(|setting| setting["label"].as_str().unwrap().starts_with("Heading")), "{schema}");
}

#[test]
fn wordpress_blocks_are_isolated() {
    let template: Value = serde_json::from_str(&code(Framework::Elementor)).unwrap();
    let html = template["content"][0]["elements"][0]["settings"]["html"].as_str().unwrap();
    let id = &attributes(html, "div", "id")[0];
    assert!(id.starts_with("block-") && html.contains(&format!("#{id} .hero-title {{")), "{html}");
    assert!(html.contains(&format!("#{id} {{\n  all: initial;")) && !html.contains("rem"), "{html}");
    let named = html.split_once("@keyframes fade-").unwrap().1;
    let suffix = &named[..7];
    assert!(html.contains(&format!("fade-{suffix} 1s")), "the animation name is unique: {html}");
}

#[test]
fn background_rules_cannot_close_the_style_element() {
    let css = "#top{background-image:url(\"x.png\"),-webkit-cross-fade(linear-gradient(red,blue),\
               image-set(linear-gradient(red,blue) type(\"\\3c/style>\\3cimg src=x onerror=alert(1)>\")),50%);background-size:cover}";
    let component = component_for("<h1>Ship it</h1>", css, Framework::Shopify);
    let code = component["code"].as_str().unwrap();
    assert_eq!((count(code, "style"), count(code, "[onerror]")), (1, 0), "{code}");
}

#[test]
fn sizes_from_attributes_override_the_theme() {
    let body = "<h1>Ship it</h1><img src=/logo.png height=40><img class=w src=/b.png width=50% height=20><svg width=2rem viewBox='0 0 9 9'/>";
    for framework in [Framework::Shopify, Framework::Elementor] {
        let component = component_for(body, ".w{width:90px}", framework);
        let code = component["code"].as_str().unwrap();
        for part in ["height: 40px", "height: 20px", "width: 90px"] {
            assert!(code.contains(part), "{part} in {code}");
        }
        assert!(!code.contains("width: 50%") && !code.contains("2rem"), "{code}");
        assert!(code.contains(":where([hidden], input[type=image], ol[type])"), "hidden elements stay hidden: {code}");
    }
}

#[test]
fn lone_links_have_label_and_url_settings() {
    let component = component_for("<h1>Ship it</h1><ul><li><a href=/x>One</a></li></ul>", "", Framework::Shopify);
    let schema = schema(component["code"].as_str().unwrap());
    let types: Vec<&str> =
        schema["settings"].as_array().unwrap().iter().map(|own| own["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["text", "text", "url"], "{schema}");
}
