//! Tests the custom properties of the page that components keep.

use super::{ask_for, page_of};
use limner_types::{Framework, Theme};
use serde_json::Value;

const CSS: &str = ":root{--brand:#5b3df5;--brand-deep:#4527d6;--surface:#ffffff;--ink:#1b1830;--quiet:#6b6781;--round:14px;\
     --lift:0 1px 2px #0002, 0 8px 24px rgb(20 10 60 / 8%);--body:Inter,'Segoe UI',sans-serif;--unused:#123;--tw-x:#c00;--ratio:1.5} \
     @media (prefers-color-scheme:dark){:root{--brand:#8a73ff;--brand-deep:#a594ff;--surface:#0e0b1a;--ink:#f1effb;--quiet:#a29dbb}} \
     @media (min-width:800px){:root{--round:20px}} \
     body{margin:0;background:var(--surface);color:var(--ink);font:16px/1.5 Georgia,serif} \
     p{color:var(--quiet);line-height:var(--ratio)} .off{--quiet:#b4232a} b{color:var(--tw-x)} h2,.cta{font-family:var(--body)} \
     .card{border:1px solid var(--quiet);border-radius:var(--round);box-shadow:var(--lift);background:var(--surface)} \
     .cta{background:var(--brand);color:#fff} .cta:hover{background:var(--brand-deep)} \
     i{color:color-mix(in srgb,var(--brand) 60%,transparent)} .two{border-color:var(--brand)}";

const HTML: &str = "<!doctype html><body><main><section class=s><h2>Plans</h2><div class=card><p>Small <i>new</i></p>\
     <a class=cta href=/a>Choose</a></div><div class='card two'><p class=off>Large <b>old</b></p><a class=cta href=/b>Choose</a></div>\
     </section></main>";

fn ask(framework: Framework) -> Value {
    let result = ask_for(&page_of(HTML, CSS), Some(".s"), Theme::Light, framework).unwrap();
    assert_eq!(result["summary"]["styledCoverage"], 100.0, "{result}");
    result
}

fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

#[test]
fn variables_in_use_are_declared_once_on_the_root() {
    let result = ask(Framework::Html);
    let css = result["css"].as_str().unwrap();
    for (name, values) in [("--brand", 2), ("--brand-deep", 2), ("--surface", 2), ("--ink", 2), ("--lift", 1)] {
        assert_eq!(count(css, &format!(" {name}: ")), values, "{name} in {css}");
        assert!(css.contains(&format!("var({name})")), "{name} in {css}");
    }
    assert_eq!(count(css, " --round: "), 2, "{css}");
    let (always, dark) = css.split_once("@media (prefers-color-scheme: dark)").unwrap();
    assert_eq!(count(dark, "{\n"), 2, "the root is all that has a rule for the dark theme: {dark}");
    for part in ["--brand: #5b3df5", "--body: Inter, \"Segoe UI\", sans-serif", "background-color: var(--surface)"] {
        assert!(always.contains(part), "{part} in {always}");
    }
    for part in ["--unused", "--tw-x", "--ratio", "--round: 20px;\n  color"] {
        assert!(!css.contains(part), "{part} in {css}");
    }
}

#[test]
fn variables_with_another_value_below_the_root_are_resolved() {
    let result = ask(Framework::Html);
    let css = result["css"].as_str().unwrap();
    assert!(css.contains("color: #b4232a"), "{css}");
    assert!(css.contains("color: var(--quiet)"), "{css}");
    assert!(css.contains("var(--quiet)") && count(css, "#b4232a") == 1, "{css}");
}

#[test]
fn utilities_refer_to_variables_of_the_root() {
    let result = ask(Framework::Tailwind);
    let code = result["code"].as_str().unwrap();
    for part in [
        "[--brand:#5b3df5]",
        "dark:[--brand:#8a73ff]",
        "bg-(--brand)",
        "border-(--brand)",
        "text-(--brand)/60",
        "border-(--quiet)",
        "font-(family-name:--body)",
    ] {
        assert!(code.contains(part), "{part} in {code}");
    }
    assert_eq!(count(code, "[--brand:"), 2, "{code}");
    // A length has a name on the scale, or an arbitrary value.
    assert!(!code.contains("--round") && !code.contains("--lift"), "{code}");
}

#[test]
fn variables_that_save_nothing_are_resolved_in_utilities() {
    let page = page_of(
        HTML,
        ":root{--ink:#334155;--once:#5b3df5;--twice:#b4232a;--themed:#fdfcfb} @media (prefers-color-scheme:dark){:root{--themed:#0e0b1a}} \
         p,h2{color:var(--ink)} i{color:var(--once)} a{color:var(--twice)} b{background:var(--themed)}",
    );
    let result = ask_for(&page, Some(".s"), Theme::Light, Framework::Tailwind).unwrap();
    let code = result["code"].as_str().unwrap();
    assert!(!code.contains("--"), "{code}");
    for part in ["text-slate-700", "text-[#5b3df5]", "text-[#b4232a]", "bg-stone-50", "dark:bg-[#0e0b1a]"] {
        assert!(code.contains(part), "{part} in {code}");
    }
}
