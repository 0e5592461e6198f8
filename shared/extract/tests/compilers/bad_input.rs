//! Sections that are hard to write as loops and data: each gives code that compiles, with all its texts, or says that it was cut.

use super::hostile::{NASTY, escaped};
use super::{CodeLanguage, check, component, outputs, page_of, page_outputs, run};
use limner_types::Framework;
use serde_json::{Value, json};

fn case(name: &str, texts: &[&str], html: &str, css: &str) -> Value {
    json!({ "name": name, "texts": texts, "titles": [], "outputs": outputs(html.to_owned(), css.to_owned()) })
}

fn section(inner: &str) -> String {
    format!("<section id=top><h2>Title</h2>{inner}</section>")
}

/// A section with its texts and its sheet.
struct Section {
    name: &'static str,
    texts: Vec<&'static str>,
    html: String,
    css: String,
}

/// Compiles sections in all frameworks, with strict types, and as linters want it.
#[test]
fn mixed_and_nested_lists_compile_everywhere() {
    let sections = [items_that_differ_in_every_field(), lists_in_lists_in_lists(), classes_that_are_keywords()];
    let cases = sections.each_ref().map(|Section { name, texts, html, css }| case(name, texts, html, css));
    check(&cases);
    let typed = sections.map(|Section { name, html, css, .. }| {
        let page = page_of(html, css);
        let code = |framework| component(&page, framework, CodeLanguage::Ts)["code"].clone();
        let files = json!({ "Own.tsx": code(Framework::Jsx), "OwnSection.vue": code(Framework::Vue) });
        json!({ "name": name, "files": files })
    });
    run("typecheck.mjs", &[], &typed);
    run("lint.mjs", &[], &typed);
}

/// Nothing but their element is the same.
fn items_that_differ_in_every_field() -> Section {
    let parts = [
        "<h3>One</h3><p>Words of one</p>",
        "<img src=/2.png alt='Two'><ul><li>Point</li><li>Other point</li></ul>",
        "<blockquote><p>Three said it</p></blockquote><cite>Somebody</cite>",
        "<form><label>Four <input name=four></label><button>Send</button></form>",
        "<svg viewBox='0 0 9 9'><path d='M0 0h9'/></svg><b>Five</b> and <i>more</i> words",
        "<table><tr><td>Six</td><td>6</td></tr></table>",
        "<details><summary>Seven?</summary><p>Yes</p></details><a href=/7>Seven</a>",
    ];
    let item = |(at, part): (usize, &&str)| {
        format!(
            "<div class='card k{at}' data-at={at} title='Card {at}' style='padding:{at}px;color:#{at}{at}0'>{part}</div>"
        )
    };
    let items: String = parts.iter().enumerate().map(item).collect();
    let css: String = (0..7).map(|at| format!(".k{at}{{margin:{at}px;background:#{at}0{at}0{at}0}}")).collect();
    let texts = vec!["Words of one", "Other point", "Three said it", "Four", "Five", "Six", "Seven?"];
    Section { name: "different items", texts, html: section(&format!("<div>{items}</div>")), css }
}

#[test]
fn lists_of_thousands_compile_or_are_truncated() {
    let item = |at: usize| {
        format!(
            "<li class=row><a href=/{at}>Item number {at}</a><p>Words {at}</p><span class=tag>Tag {}</span></li>",
            at % 7
        )
    };
    let html = section(&format!("<ul>{}</ul>", (0..5_000).map(item).collect::<String>()));
    let case = case("thousands", &["Item number 0", "Words 30"], &html, ".row{padding:4px} .tag{color:#c00}");
    for (framework, output) in case["outputs"].as_object().unwrap() {
        let has_last = output["code"].as_str().unwrap().contains("Item number 4999");
        assert!(has_last != output["truncated"].as_bool().unwrap(), "{framework}");
    }
    check(&[case]);
}

fn lists_in_lists_in_lists() -> Section {
    let leaf = |path: &str| format!("<li class=leaf><a href=/{path}>Leaf {path}</a> <b>{path}</b></li>");
    let list = |path: &str, inner: &dyn Fn(&str) -> String| {
        let items: String = (1..4).map(|at| inner(&format!("{path}{at}"))).collect();
        format!("<ul class=list>{items}</ul>")
    };
    let branch =
        |path: &str, inner: &str| format!("<li class=branch><h4>Branch {path}</h4><p>About {path}</p>{inner}</li>");
    let third = |path: &str| branch(path, &list(path, &|path| leaf(path)));
    let second = |path: &str| branch(path, &list(path, &third));
    let html = section(&list("", &|path| branch(path, &list(path, &second))));
    let texts = vec!["Branch 1", "Branch 23", "About 321", "Leaf 1111", "Leaf 3333"];
    let css = ".list{padding:3px} .leaf{color:#345} .branch{margin:2px}".to_owned();
    Section { name: "lists in lists in lists", texts, html, css }
}

/// Every text of a list is code of some language.
#[test]
fn data_that_is_code_compiles() {
    let item = |text: &&str| {
        let text = escaped(text);
        format!(
            "<article class=card><h3>{text}</h3><p>{text}, and more</p><a href='/x' title=\"{text}\">Go {text}</a></article>"
        )
    };
    let items: String = NASTY.iter().map(item).collect();
    let html = section(&format!("<div>{items}</div>"));
    let css = ".card{padding:8px;border:1px solid #ddd} .card a{color:#06c}";
    check(&[json!({ "name": "code", "texts": NASTY, "titles": NASTY, "outputs": outputs(html, css.to_owned()) })]);
}

/// Lists, items and fields are named after classes.
fn classes_that_are_keywords() -> Section {
    const KEYWORDS: &[&str] = &[
        "default",
        "function",
        "delete",
        "new",
        "class",
        "return",
        "await",
        "enum",
        "import",
        "null",
        "constructor",
        "prototype",
        "__proto__",
        "toString",
        "arguments",
        "eval",
        "undefined",
        "this",
        "props",
        "Hero",
        "React",
        "key",
        "index",
        "item",
    ];
    let block = |(at, word): (usize, &&str)| {
        let item = |own: usize| {
            format!(
                "<div class={word}><h4 class={word}-{word}>Title {at} {own}</h4><p class={word}>Text {at} {own}</p>\
                 <small class={word}-note>Note {at} {own}</small><a class={word} href=/{at}/{own}>Link {at} {own}</a></div>"
            )
        };
        format!("<div class={word}s>{}</div>", (0..4).map(item).collect::<String>())
    };
    let html = section(&KEYWORDS.iter().enumerate().map(block).collect::<String>());
    let texts = vec!["Title 0 0", "Text 12 3", "Note 23 1", "Link 5 2"];
    let css = "h4{color:#345} p{color:#543} small{color:#888} a{color:#06c}".to_owned();
    Section { name: "keywords", texts, html, css }
}

/// Components of a page are named after its sections, their properties after elements and attributes.
#[test]
fn properties_that_clash_with_component_names_compile() {
    const NAMES: &[&str] =
        &["Title", "Label", "Href", "Text", "Items", "Links", "Button", "Heading", "Questions", "Description"];
    let part = |(at, name): (usize, &&str)| {
        let links: String = (0..3).map(|own| format!("<li><a href=/{at}/{own}>Entry {at} {own}</a></li>")).collect();
        format!(
            "<section class=s aria-label={name}><h2 class=t>About {name}</h2><p>{}</p><a class=b href=/{at}>Go to {name}</a><ul>{links}</ul></section>",
            format!("Words of {name}. ").repeat(12)
        )
    };
    let html = format!("<main>{}</main>", NAMES.iter().enumerate().map(part).collect::<String>());
    let css = ".s{padding:60px 0;min-height:300px} .t{margin:0;font-size:31px;color:#123456;letter-spacing:.3px}\
               .b{display:inline-block;padding:9px 21px;border-radius:7px;background:#0a5c7a;color:#fff}";
    let texts = ["About Title", "Go to Href", "Words of Button.", "Entry 9 2"];
    let cases = [CodeLanguage::Js, CodeLanguage::Ts].map(|language| {
        json!({ "name": "clashes", "texts": texts, "titles": [], "outputs": page_outputs(html.clone(), css.to_owned(), language) })
    });
    check(&cases);
}

#[test]
fn data_of_a_megabyte_compiles_or_is_truncated() {
    let item = |at: usize| {
        let words = format!("Sentence {at} of \"many\", with `ticks` and ${{braces}}. ").repeat(60);
        format!("<article class=card><h3>Entry {at}</h3><p>{words}</p><a href=/{at}>Read {at}</a></article>")
    };
    let html = section(&format!("<div>{}</div>", (0..400).map(item).collect::<String>()));
    assert!(html.len() > 1_000_000, "{}", html.len());
    let case = case("a megabyte", &["Entry 0"], &html, ".card{padding:8px}");
    for (framework, output) in case["outputs"].as_object().unwrap() {
        let has_last = output["code"].as_str().unwrap().contains("Entry 399");
        assert!(has_last != output["truncated"].as_bool().unwrap(), "{framework}");
    }
    check(&[case]);
}
