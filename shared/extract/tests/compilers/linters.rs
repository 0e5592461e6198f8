//! TypeScript's strict checks, and linters.

use super::*;

/// TypeScript's strict checks of the typed components, and of JavaScript in a renamed file where no type is needed.
#[test]
fn components_pass_strict_type_checks() {
    let row = |at: usize, attribute: &str| {
        format!(
            "<li class=row><form><img src=/{at}.png alt='Picture {at}' loading={attribute} width={at}0 height=40><h3>Title {at}</h3>\
             <p>Words <b>{at}</b> of it</p><button type={}>Go {at}</button><input type={} aria-label='Name {at}' {}>\
             <ul><li><a href=/{at}/1>One {at}</a></li><li><a href=/{at}/2 aria-current=page>Two {at}</a></li><li><a href=/{at}/3>Three {at}</a></li></ul>\
             <svg viewBox='0 0 9 9' stroke-linecap={}><path d='M{at} 0h9'/></svg></form></li>",
            ["submit", "button", "reset"][at % 3],
            ["email", "text", "search"][at % 3],
            ["required", "", "disabled"][at % 3],
            ["round", "square", "butt"][at % 3],
        )
    };
    let rows: String = (1..5).map(|at| row(at, ["lazy", "eager"][at % 2])).collect();
    let controls = format!("<section id=top><h2>Rows</h2><ul>{rows}</ul></section>");
    let custom = "<section id=top><h2>Own</h2><x-card class=c title=A><y-icon name=b></y-icon> Words</x-card><search>Find</search></section>";
    let table = "<section id=top><table><tr><th scope=col>Name</th><th>Price</th></tr><tr><td colspan=2>One</td></tr>\
                 <tr><td>Two</td><td>9</td></tr><tr><td>Three</td><td>8</td></tr><tr><td>Four</td><td>7</td></tr></table></section>";
    let cases = [
        ("design", DESIGN, DESIGN_CSS),
        ("controls", &controls, ".row{display:flex}"),
        ("table", table, "td{padding:2px}"),
    ]
    .map(|(name, html, css)| json!({ "name": name, "files": typed_files(html.to_owned(), css.to_owned()) }));
    let cases = cases
        .into_iter()
        .chain([json!({ "name": "custom", "files": typed_files(custom.to_owned(), ".c{color:red}".to_owned()) })]);
    let site =
        page_outputs(limner_test_pages::SITE_HTML.to_owned(), limner_test_pages::SITE_CSS.to_owned(), CodeLanguage::Ts);
    let page = |framework: &str, extension: &str| {
        let mut files = json!({ (format!("Page.{extension}")): site[framework]["code"] });
        for file in site[framework]["files"].as_array().unwrap() {
            files[file["path"].as_str().unwrap()] = file["code"].clone();
        }
        json!({ "name": format!("page in {framework}"), "files": files })
    };
    let cases = cases.chain([page("jsx", "tsx"), page("vue", "vue")]);
    let cases: Vec<Value> = cases
        .map(|mut case| {
            // JavaScript has no words for sets of values, nor declarations of elements that React does not know.
            if case["name"] != "table" {
                case["files"].as_object_mut().unwrap().remove("Renamed.tsx");
            }
            case
        })
        .collect();
    run("typecheck.mjs", &[], &cases);

    let wrong = "export default function Hero() {\n  return <b>{missing}</b>;\n}\n";
    let folder = checker();
    assert!(
        folder.is_none()
            || !problems("typecheck.mjs", &[], &[json!({ "name": "wrong", "files": { "A.tsx": wrong } })]).is_empty()
    );
}

/// Returns the files of a section in each framework that has a linter.
fn linted_section(name: &str, html: &str, css: &str) -> Value {
    let page = page_of(html.to_owned(), css.to_owned());
    let code = |framework, language| component(&page, framework, language)["code"].clone();
    let files = json!({
        "Own.jsx": code(Framework::Jsx, CodeLanguage::Js),
        "Own.tsx": code(Framework::Jsx, CodeLanguage::Ts),
        "OwnSection.vue": code(Framework::Vue, CodeLanguage::Js),
        "TypedSection.vue": code(Framework::Vue, CodeLanguage::Ts),
        "sections/own.liquid": code(Framework::Shopify, CodeLanguage::Js),
    });
    json!({ "name": name, "files": files })
}

/// Returns the files of a whole page in each framework that has a linter.
fn linted_page(name: &str, html: &str, css: &str) -> Value {
    let mut files = serde_json::Map::new();
    for language in [CodeLanguage::Js, CodeLanguage::Ts] {
        let outputs = page_outputs(html.to_owned(), css.to_owned(), language);
        for (framework, page) in [("jsx", "Page"), ("vue", "HomePage"), ("shopify", "templates/index")] {
            let own: Vec<(&str, &str)> = outputs[framework]["files"]
                .as_array()
                .unwrap()
                .iter()
                .map(|file| (file["path"].as_str().unwrap(), file["code"].as_str().unwrap()))
                .collect();
            let extension = match framework {
                "shopify" => "json",
                _ => own[0].0.rsplit('.').next().unwrap(),
            };
            let folder =
                if framework == "shopify" { String::new() } else { format!("{framework}-{}/", language.as_str()) };
            let code = outputs[framework]["code"].as_str().unwrap();
            files.insert(format!("{folder}{page}.{extension}"), code.into());
            files.extend(own.into_iter().map(|(path, code)| (format!("{folder}{path}"), code.into())));
        }
    }
    json!({ "name": name, "files": files })
}

#[test]
fn components_have_no_remarks_of_linters() {
    let links = "<section id=top><h2>Menu</h2><nav><a href=/a>One</a> <a href=/b>Two</a> <a href=/c aria-current=page>Three</a></nav>\
                 <ul><li><a href=/d>Four</a></li><li><a href=/e>Five</a></li><li><a href=/f>Six</a></li></ul></section>";
    run(
        "lint.mjs",
        &[],
        &[
            linted_section("design", DESIGN, DESIGN_CSS),
            linted_section("links", links, "a{color:#06c;padding:2px} a:hover{color:#c00}"),
            linted_page("site", limner_test_pages::SITE_HTML, limner_test_pages::SITE_CSS),
        ],
    );
    // Each linter finds something where there is something.
    let Some(_) = checker() else { return };
    let wrong = [
        ("A.jsx", "export default function A() {\n  return [1].map(() => <b>x</b>);\n}\n", "react/jsx-key"),
        ("A.tsx", "export default function A() {\n  return <img src=\"/a\" />;\n}\n", "jsx-a11y/alt-text"),
        ("AnA.vue", "<template>\n  <p id=\"a\" v-if=\"true\">x</p>\n</template>\n", "vue/attributes-order"),
        ("sections/a.liquid", "{{ nothing }}", "UndefinedObject"),
    ];
    let cases = wrong.map(|(file, code, _)| json!({ "name": file, "files": { (file): code } }));
    let found = problems("lint.mjs", &[], &cases);
    for (file, _, rule) in wrong {
        let has_remark = found.iter().any(|problem| problem.contains(file) && problem.contains(rule));
        assert!(has_remark, "{file}: {found:?}");
    }
}
