use crate::{ExtractError, extract};
use limner_page::{PageSnapshot, Sheet, SheetOwner};
use limner_types::{CodeOptions, Framework, Operation, OperationOptions, Request, Theme};
use serde_json::Value;

const CSS: &str = ":root{--brand:#06c} body{margin:0;font:16px/1.5 Inter,sans-serif;color:#222} .hero{padding:2rem;background:var(--brand)} \
                   .hero h1{font-size:3rem} .cta{color:#fff;text-decoration:none} .cta:hover{color:#ff0} .card:hover .more{opacity:1} .more{opacity:0} \
                   @media (min-width:768px){.hero{padding:4rem}} .dark .hero{background:#111}";

const HTML: &str = "<html lang=en><body><header><nav><a href=/a>A</a> <a href=/b>B</a> <a href=/c>C</a></nav></header>\
                    <main><section class=hero id=top><h1>Ship it today</h1><p>All the words that a hero needs to be one.</p>\
                    <a class=cta href=/start onclick=steal()>Start</a><a href='javascript:steal()'>x</a><script>steal()</script>\
                    <div class=card><b class=more>More</b></div></section><section class=b><h2>Features of it</h2><p>And a lot more text.</p></section></main>";

fn page() -> PageSnapshot {
    let sheet = Sheet {
        owner: SheetOwner::Adopted,
        base_url: "https://a.test/".into(),
        text: Some(CSS.into()),
        ..Sheet::default()
    };
    PageSnapshot {
        url: "https://a.test/".into(),
        html: format!("<!doctype html>{HTML}"),
        sheets: vec![sheet],
        ..PageSnapshot::default()
    }
}

fn ask(selector: Option<&str>, theme: Theme) -> Result<Value, ExtractError> {
    let options = CodeOptions {
        selector: selector.map(str::to_owned),
        section: None,
        framework: Framework::Html,
        name: None,
        theme,
    };
    let request = Request {
        operation: Operation::Code,
        url: "a.test".into(),
        render: false,
        fresh: false,
        screenshot: None,
        fields: None,
        options: OperationOptions::Code(options),
    };
    let extraction = extract(&page(), &request)?;
    Ok(serde_json::from_slice(&extraction.body).unwrap())
}

#[test]
fn the_hero_is_found_and_stands_alone() {
    let result = ask(None, Theme::Light).unwrap();
    assert_eq!((&result["selector"], &result["autoDetected"]), (&"#top".into(), &true.into()));
    assert_eq!(result["sections"][0]["role"], "hero");
    let (code, css) = (result["code"].as_str().unwrap(), result["css"].as_str().unwrap());
    assert!(code.contains("href=\"https://a.test/start\"") && code.contains("Ship it today"), "{code}");
    for hostile in ["steal", "javascript", "onclick", "<script"] {
        assert!(!code.contains(hostile), "{hostile} in {code}");
    }
    for part in ["#06c", "@media (min-width: 768px)", ":hover", "prefers-color-scheme: dark", "#111", "Inter"] {
        assert!(css.contains(part), "{part} in {css}");
    }
    assert!(!css.contains("var("), "{css}");
    assert!(result["tokens"]["colors"].as_object().is_some_and(|colors| !colors.is_empty()));
}

#[test]
fn the_dark_theme_forms_the_component() {
    let result = ask(None, Theme::Dark).unwrap();
    let css = result["css"].as_str().unwrap();
    assert!(css.contains("#111") && !css.contains("prefers-color-scheme"), "{css}");
    assert_eq!(result["theme"], "dark");
}

#[test]
fn a_selector_that_matches_nothing_lists_the_sections() {
    for selector in [".nothing", "script", "head"] {
        let Err(ExtractError::NotFound { message, sections }) = ask(Some(selector), Theme::Light) else {
            panic!("{selector} was found")
        };
        assert!(message.contains("#top") && sections.len() >= 3, "{message}");
    }
    assert_eq!(ask(Some("html"), Theme::Light).unwrap()["autoDetected"], false);
}

#[test]
fn the_same_page_gives_the_same_bytes() {
    assert_eq!(ask(None, Theme::Light).unwrap(), ask(None, Theme::Light).unwrap());
}
