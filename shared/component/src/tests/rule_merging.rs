//! Tests for utilities and selectors that an ancestor declares once for many similar descendants.

use super::states::classes;
use super::{attributes, component, component_for, texts};

fn sheet(body: &str, rules: &str) -> (String, String) {
    let component = component(body, rules);
    let text = |name: &str| component[name].as_str().unwrap().to_owned();
    (text("code"), text("css"))
}

const RULES: &str = ".list a{color:#005eb8;text-decoration:underline;padding:4px 8px;font-weight:600}\
                     .list a:hover{color:#7c2855;background:#ffeb3b} .list li{margin-bottom:8px}";

fn list(more: &str) -> String {
    let item = |n: usize| format!("<li><a href=/{n}>Link {n}</a></li>");
    let items: String = (0..12).map(item).collect();
    format!("<h1>Links</h1><p><a href=/home>Home</a></p><ul class=list>{items}{more}</ul>")
}

#[test]
fn links_of_a_list_share_their_utilities() {
    let code = classes(&list(""), RULES);
    let around = &attributes(&code, "ul", "class")[0];
    for class in ["[&_a]:text-(--accent)", "[&_a]:hover:text-(--accent-hover)", "[&_a]:underline", "[&_a]:px-2"] {
        assert!(around.contains(class), "{class} in {code}");
    }
    assert_eq!(texts(&code, "li[class=mb-2] > a[href='https://a.test/3']:not([class])"), ["Link 3"], "{code}");
    assert_eq!(code.matches("hover:text-(--accent-hover)").count(), 1, "{code}");
}

#[test]
fn differing_elements_share_unrelated_utilities() {
    let code = classes(&list("<li><a href=/x style=color:red>Other</a></li>"), RULES);
    assert!(code.contains("[&_a]:underline") && code.contains("[&_a]:hover:bg-(--accent-hover)"), "{code}");
    assert!(!code.contains("[&_a]:text-") && !code.contains("[&_a]:hover:text-"), "{code}");
    let own = "a[class='text-(--accent) hover:text-(--pink)'][href='https://a.test/3']";
    assert_eq!(texts(&code, own), ["Link 3"], "{code}");
    let code = classes(&list("<li><a href=/x style='all:unset'>Other</a></li>"), RULES);
    assert!(!code.contains("[&_a]") && code.matches("hover:text-(--accent-hover)").count() >= 12, "{code}");
}

/// Returns paragraphs, lists and headings with inline code, as in documentation.
fn documentation() -> String {
    let part = |n: usize| {
        format!(
            "<h3><code>f{n}()</code></h3><p>Text with <code>a{n}</code> and <code>b{n}</code>.</p>\
             <ul><li><code>x</code> one</li><li><code>y</code> two</li><li>three</li></ul>"
        )
    };
    format!("<h1>Manual</h1><div class=doc>{}</div>", (0..16).map(part).collect::<String>())
}

const MANUAL: &str = ".doc code{background:#f2e2d2;padding:2px 4px;border-radius:3px;color:#142434}\
                      .doc h3 code{background:none;padding:0} .doc li{margin-bottom:8px} .doc li:last-child{margin:0}";

const BETWEEN: &str = ".doc li:not(:last-child){padding-bottom:5px;border-bottom:1px solid #ddd}";

#[test]
fn groups_with_different_parents_share_by_parent() {
    let code = classes(&documentation(), MANUAL);
    for class in ["[&_:is(li,p)>code]:bg-(--surface)", "[&_:is(li,p)>code]:px-1", "[&_h2>code]:text-(--text)"] {
        assert_eq!(code.matches(class).count(), 1, "{class} in {code}");
    }
    assert_eq!(texts(&code, "p")[3], "Text with a3 and b3.", "{code}");
    assert_eq!(texts(&code, "p > code[class]"), [""; 0], "{code}");
}

#[test]
fn groups_with_different_positions_share_by_position() {
    let code = classes(&documentation(), &format!("{MANUAL} {BETWEEN}"));
    assert!(code.contains("[&_li:not(:last-child)]:mb-2"), "{code}");
    assert_eq!(texts(&code, "li:not([class]) > code:not([class])").len(), 32, "{code}");
}

#[test]
fn stylesheets_select_large_groups_by_structure() {
    let part = documentation();
    let many = part.repeat(5).replacen("Manual", "Handbook", 1);
    let (code, css) = sheet(&format!("<div>{many}</div>"), MANUAL);
    assert!(css.contains(" :is(li, p) > code {"), "{css}");
    assert_eq!(texts(&code, "p:not([class]) > code:not([class])").len(), 160, "{code}");
    let (code, css) = sheet(&part, MANUAL);
    assert!(!css.contains(" > ") && !texts(&code, "code[class]").is_empty(), "{code} {css}");
}

#[test]
fn unknown_element_names_become_spans_and_foreign_namespaces_stay() {
    let odd = |open: &str, close: &str| format!("<li>{open}Words{close}</li>").repeat(12);
    let rules = "li *{color:#005eb8;text-decoration:underline;padding:4px 8px;font-weight:600;letter-spacing:3px}";
    for items in [odd("<fb:like>", "</fb:like>"), odd("<my_item>", "</my_item>"), odd("<x.y>", "</x.y>")] {
        let code = classes(&format!("<h1>Links</h1><ul>{items}</ul>"), rules);
        assert!(code.contains("[&_span]:text-(--accent)"), "{code}");
        assert_eq!(texts(&code, "li:not([class]) > span:not([class])"), ["Words"; 12], "{code}");
    }
    let svg = "<li><svg viewBox='0 0 9 9'><a href=/s><path d='M0 0h9'/></a></svg></li>";
    let code = classes(&list(svg), RULES.split_once(".list a:hover").unwrap().0);
    assert!(!code.contains("[&_a]"), "{code}");
}

#[test]
fn small_groups_keep_their_own_utilities() {
    let code =
        classes("<h1>Links</h1><ul class=list><li><a href=/1>One</a></li><li><a href=/2>Two</a></li></ul>", RULES);
    assert!(!code.contains("[&_") && code.matches("hover:text-[#7c2855]").count() == 2, "{code}");
}

#[test]
fn repetition_without_loops_is_hoisted() {
    use limner_types::Framework;
    let rules = ".d code{background:#f2e2d2;padding:2px 4px;border-radius:3px;font-family:Menlo,Consolas,monospace}";
    let part = |n: usize| {
        // No two parts have the same shape, so they are no rows of a list.
        let words: String = (0..n % 7 + 1).map(|m| format!("<code>a{m}</code> then <b>{n}</b> ")).collect();
        format!("<p>Text {words}</p>{}", "<hr>".repeat(n % 3))
    };
    let body = format!("<h2>Manual</h2><div class=d>{}</div>", (0..60).map(part).collect::<String>());
    for framework in [Framework::Jsx, Framework::Vue] {
        let result = component_for(&body, rules, framework);
        let code = result["code"].as_str().unwrap();
        assert!(code.matches("rounded-[3px]").count() < 10, "{code}");
    }
    // A loop declares the utilities once on its item.
    let list: String = (0..60).map(|n| format!("<li><code>{n}</code></li>")).collect();
    let result = component_for(&format!("<h2>Manual</h2><ul class=d>{list}</ul>"), rules, Framework::Jsx);
    let code = result["code"].as_str().unwrap();
    assert!(code.contains("<code className=\"rounded-[3px]"), "{code}");
}

#[test]
fn one_rule_sets_the_box_sizing_of_all_elements() {
    let body = "<p class=a>A</p><p class=b>B</p><p class=c>C</p><p class=d>D</p>";
    let boxes = "p{padding:4px;width:50%} .a{color:red} .b{color:tan} .c{color:blue} .d{color:navy}";
    let (_, shared) = sheet(body, &format!("*{{box-sizing:border-box}} {boxes}"));
    assert_eq!(shared.matches("box-sizing").count(), 1, "{shared}");
    assert!(shared.contains(".hero,\n.hero * {\n  box-sizing: border-box;\n}"), "{shared}");
    let (_, mixed) = sheet(body, &format!("p{{box-sizing:border-box}} {boxes}"));
    assert!(!mixed.contains(".hero *") && mixed.matches("box-sizing").count() >= 1, "the root is another one: {mixed}");
}
