//! Compiles, renders, type-checks and lints the output of `/code` with the tools it is written for: React, Vue,
//! Tailwind, Liquid, an HTML parser and a CSS parser (`check.mjs`), TypeScript (`typecheck.mjs`), ESLint and Shopify's
//! theme check (`lint.mjs`). Texts of the page must be preserved, and no script may run.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bad_input;
mod designs;
mod hostile;
mod linters;
mod lists;

use limner_extract::extract;
use limner_page::{PageSnapshot, SheetOwner, Stylesheet};
use limner_types::request::parse;
use limner_types::{CodeLanguage, Framework, Operation, WireEnum};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A design page: type scale, grid, nested lists, forms, icons, tables, states, motion and a dark
/// theme.
const DESIGN: &str = include_str!("design.html");
const DESIGN_CSS: &str = include_str!("design.css");

const FRAMEWORKS: [(&str, Framework); 6] = [
    ("html", Framework::Html),
    ("tailwind", Framework::Tailwind),
    ("jsx", Framework::Jsx),
    ("vue", Framework::Vue),
    ("elementor", Framework::Elementor),
    ("shopify", Framework::Shopify),
];

fn page_of(html: String, css: String) -> PageSnapshot {
    let base_url = "https://a.test/".to_owned();
    let sheet =
        Stylesheet { owner: SheetOwner::Adopted, base_url: base_url.clone(), text: Some(css), ..Stylesheet::default() };
    PageSnapshot { url: base_url, html, sheets: vec![sheet], ..PageSnapshot::default() }
}

fn outputs(html: String, css: String) -> Value {
    let page = page_of(html, css);
    let written = FRAMEWORKS.map(|(name, framework)| {
        let result = component(&page, framework, CodeLanguage::Js);
        let truncated = &result["summary"]["truncated"];
        (name.to_owned(), json!({ "code": result["code"], "css": result["css"], "truncated": truncated }))
    });
    Value::Object(written.into_iter().collect())
}

/// Returns the code of a whole page in each framework.
fn page_outputs(html: String, css: String, language: CodeLanguage) -> Value {
    let page = page_of(html, css);
    let written = FRAMEWORKS.map(|(name, framework)| {
        let pairs = [("url", "a.test"), ("scope", "page"), ("framework", name), ("language", language.as_str())];
        let result = extracted(&page, &pairs);
        let files = &result["files"];
        assert_eq!(
            files.is_array(),
            matches!(framework, Framework::Jsx | Framework::Vue | Framework::Shopify),
            "{name}"
        );
        let mut output = json!({ "code": result["code"], "css": result["css"], "isPage": true });
        if files.is_array() {
            output["files"] = files.clone();
        }
        (name.to_owned(), output)
    });
    Value::Object(written.into_iter().collect())
}

fn extracted(page: &PageSnapshot, pairs: &[(&str, &str)]) -> Value {
    let pairs: Vec<(String, String)> =
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let request = parse(Operation::Code, &pairs).unwrap().request;
    serde_json::from_slice(&extract(page, &request).unwrap().body).unwrap()
}

fn component(page: &PageSnapshot, framework: Framework, language: CodeLanguage) -> Value {
    let pairs =
        [("url", "a.test"), ("selector", "#top"), ("framework", framework.as_str()), ("language", language.as_str())];
    extracted(page, &pairs)
}

/// Returns the React and the Vue component in TypeScript, and the one in JavaScript under the name of a TypeScript file.
fn typed_files(html: String, css: String) -> Value {
    let page = page_of(html, css);
    let code = |framework, language| component(&page, framework, language)["code"].clone();
    json!({
        "Typed.tsx": code(Framework::Jsx, CodeLanguage::Ts),
        "Typed.vue": code(Framework::Vue, CodeLanguage::Ts),
        "Renamed.tsx": code(Framework::Jsx, CodeLanguage::Js),
    })
}

/// Returns the folder of the checker, if it can run.
fn checker() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compilers");
    if Command::new("node").arg("--version").output().is_err() {
        eprintln!("node is not here: nothing was compiled");
        return None;
    }
    assert!(folder.join("node_modules").exists(), "the compilers are not in {}: run `make setup`", folder.display());
    Some(folder)
}

/// Compiles and renders all cases.
#[track_caller]
fn check(cases: &[Value]) {
    run("check.mjs", &[], cases);
}

/// Compiles and renders all cases, whose utilities must be in Tailwind's canonical form.
#[track_caller]
fn check_utilities(cases: &[Value]) {
    run("check.mjs", &["--canonical"], cases);
}

/// Runs a script of the folder over all cases.
#[track_caller]
fn run(script: &str, options: &[&str], cases: &[Value]) {
    let problems = problems(script, options, cases);
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

/// Returns the problems that a script of the folder finds in the cases; none where there is no Node.
#[track_caller]
fn problems(script: &str, options: &[&str], cases: &[Value]) -> Vec<String> {
    let Some(folder) = checker() else { return Vec::new() };
    let mut child = Command::new("node")
        .arg(script)
        .args(options)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&serde_json::to_vec(cases).unwrap()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "the checker itself failed");
    serde_json::from_slice(&output.stdout).unwrap()
}
