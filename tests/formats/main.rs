//! Validates the files that `/extract` generates with their consumers: `dtcg` with the published schema, Style
//! Dictionary and Terrazzo, `dtcg-resolver` with Terrazzo, `design-md` with its linter, `tailwind` with Tailwind's command line (`formats/check.mjs`), `css` with Chromium; and the HTML
//! of `/code` with a second parser.
#![allow(clippy::unwrap_used, reason = "a test says by panicking what is wrong")]

mod browser;
mod code;
mod corpus;

use limner_page::{Document, PageSnapshot, SheetOwner, Stylesheet};
use limner_types::{Operation, request};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Values of every kind, in notations that are hard to parse.
const SHEETS: &[(&str, &str)] = &[
    ("nothing", ""),
    ("design", include_str!("pages/design.css")),
    ("colours", include_str!("pages/colours.css")),
    ("names", include_str!("pages/names.css")),
    ("themes", include_str!("pages/themes.css")),
    ("units", include_str!("pages/units.css")),
    ("composites", include_str!("pages/composites.css")),
];

fn pages() -> Vec<(String, PageSnapshot)> {
    let own = SHEETS.iter().map(|(name, css)| {
        let url = "https://a.test/".to_owned();
        let sheet = Stylesheet {
            owner: SheetOwner::Adopted,
            base_url: url.clone(),
            text: Some((*css).into()),
            ..Stylesheet::default()
        };
        let html = "<!doctype html><title>A</title><body><h1 class=a>A</h1>".to_owned();
        ((*name).to_owned(), PageSnapshot { url, html, sheets: vec![sheet], ..PageSnapshot::default() })
    });
    own.chain(corpus::pages()).collect()
}

/// Returns the result of `/extract` in that format.
fn file(page: &PageSnapshot, format: &str) -> String {
    let pairs = [("url", page.url.as_str()), ("format", format)].map(|(name, value)| (name.into(), value.into()));
    let request = request::parse(Operation::Extract, &pairs).unwrap().request;
    String::from_utf8(limner_extract::extract(page, &request).unwrap().body).unwrap()
}

/// Returns the directory of the checking program, if it can run.
fn checker() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("formats");
    if !limner_tests::has_node() {
        eprintln!("Node 20 is not here: no file was read by others");
        return None;
    }
    assert!(folder.join("node_modules").exists(), "the consumers are not in {}: run `make setup`", folder.display());
    Some(folder)
}

#[test]
fn tokens_and_themes_are_accepted_by_their_consumers() {
    let Some(folder) = checker() else { return };
    let pages = pages();
    let cases = pages.iter().map(|(name, page)| {
        json!({
            "name": name,
            "dtcg": file(page, "dtcg"),
            "resolver": file(page, "dtcg-resolver"),
            "tailwind": file(page, "tailwind"),
            "design": file(page, "design-md"),
        })
    });
    let cases: Vec<Value> = cases.collect();
    let mut child = Command::new("node")
        .arg("check.mjs")
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&serde_json::to_vec(&cases).unwrap()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "the checker itself failed");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let problems = report["problems"].as_array().unwrap();
    assert!(problems.is_empty(), "{} problems:\n{problems:#?}", problems.len());
    assert_eq!(report["cases"], cases.len());
    assert!(report["tokens"].as_u64() > Some(100), "hardly anything was compared: {}", report["tokens"]);
}

/// Runs in the browser: returns the declarations that its parser drops from each text.
const DROPPED: &str = r"
    const plain = text => text.replace(/\/\*[^]*?\*\//g, '');
    const found = texts.map(text => {
        const style = document.head.appendChild(document.createElement('style'));
        style.textContent = text;
        const kept = [];
        const walk = rules => { for (const rule of rules) { if (rule.style) kept.push(...rule.style); if (rule.cssRules) walk(rule.cssRules); } };
        walk(style.sheet.cssRules);
        style.remove();
        const written = [...plain(text).matchAll(/^\s*([\w-]+|--(?:[^\s:\\]|\\.)+):/gm)].map(match => match[1].replace(/\\(.)/g, '$1'));
        const left = [...kept];
        const dropped = written.filter(name => { const at = left.indexOf(name); if (at >= 0) left.splice(at, 1); return at < 0; });
        return { written: written.length, kept: kept.length, dropped };
    });
    document.body.innerHTML = '<pre id=found></pre>';
    document.getElementById('found').textContent = JSON.stringify(found);
";

#[test]
fn no_declaration_is_dropped_by_chromium() {
    let pages = pages();
    let texts: Vec<String> = pages.iter().map(|(_, page)| file(page, "css")).collect();
    let html = |texts: &[String]| {
        let texts = serde_json::to_string(texts).unwrap().replace("</", "<\\/");
        format!("<!doctype html><meta charset=utf-8><body><script>const texts = {texts};{DROPPED}</script>")
    };
    let read = |texts: &[String]| -> Option<Vec<Value>> {
        let markup = browser::dump(&html(texts))?;
        let document = Document::parse(&markup);
        let (found, _) = document.elements_named("pre").next().expect("the script ran");
        Some(serde_json::from_str(&document.text_content(found)).unwrap())
    };
    let Some(found) = read(&texts) else { return };
    assert_eq!(found.len(), pages.len());
    let mut kept = 0;
    for ((name, _), found) in pages.iter().zip(&found) {
        assert_eq!(found["dropped"], json!([]), "{name}");
        assert_eq!(found["kept"], found["written"], "{name}");
        kept += found["kept"].as_u64().unwrap();
    }
    assert!(kept > 100, "hardly anything was read: {kept}");
    // Dropped declarations are detected.
    let broken = read(&[":root {\n  --a: 1;\n  --b: );\n}\n".to_owned()]).unwrap();
    assert_eq!(broken[0]["dropped"], json!(["--b"]));
}
