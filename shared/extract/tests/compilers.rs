//! Compiles and renders the output of `/code` with the tools it is written for: React, Vue,
//! Tailwind, Liquid, an HTML parser and a CSS parser (`compilers/check.mjs`). Texts of the page
//! must be preserved, and no script may run.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "compilers/lists.rs"]
mod lists;

use limner_extract::extract;
use limner_page::{PageSnapshot, SheetOwner, Stylesheet};
use limner_types::request::parse;
use limner_types::{CodeLanguage, Framework, Operation, WireEnum};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Strings that try to break out of texts, attributes and literals.
const NASTY: &[&str] = &[
    "{globalThis.ran = 1}",
    "${globalThis.ran = 1}",
    "`${globalThis.ran = 1}`",
    "'+(globalThis.ran=1)+'",
    "\"}{globalThis.ran = 1}{\"",
    "{/* globalThis.ran = 1 */}",
    "// globalThis.ran = 1",
    "{{ globalThis.ran = 1 }}",
    "&#39;+(globalThis.ran=1)+&#39;",
    "&quot;&bsol;&NewLine;&apos;+(globalThis.ran=1)",
    "{{constructor.constructor('globalThis.ran = 1')()}}",
    "}} {{ 1 + 1 }} {{",
    "{ { a: 1 } }",
    "{% assign x = 1 %}{{ x }}",
    "{% schema %}{}{% endschema %}",
    "{% raw %}{{ 1 | plus: 1 }}{% endraw %}",
    "{%- comment -%}{%- endcomment -%}",
    "</script><script>globalThis.ran = 1</script>",
    "</style><script>globalThis.ran = 1</script><style>",
    "</template><script setup>globalThis.ran = 1</script>",
    "</textarea></title></pre><img src=x onerror=globalThis.ran=1>",
    "<!-- --> <!-- <b> -->",
    "]]> <![CDATA[ x ]]>",
    "\" onload=\"globalThis.ran=1\" x=\"",
    "' autofocus onfocus='globalThis.ran=1",
    "\" @click=\"globalThis.ran=1\" v-html=\"x",
    "\\\" \\' \\` \\u0022 \\x41 \\",
    "*/ } body { color: red } /*",
    "'; } body { background: url(javascript:1) } x { a: '",
    "&lt;script&gt; &amp;amp; &quot; &#123; &#x7b; &nbsp",
    "line\u{2028}separator \u{2029} \u{feff} \u{200b} \u{202e}",
    "\u{e9} \u{4e2d}\u{6587} \u{1f600} \u{5d0}\u{5d1}",
    "[elementor-template id=\"1\"] [gallery]",
    "<%= 1 %> <?php echo 1 ?>",
    "javascript:globalThis.ran=1",
    "$& $1 $$ %s %(x)s #{x} ${",
];

/// A design page: type scale, grid, nested lists, forms, icons, tables, states, motion and a dark
/// theme.
const DESIGN: &str = include_str!("compilers/design.html");
const DESIGN_CSS: &str = include_str!("compilers/design.css");

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
        (name.to_owned(), json!({ "code": result["code"], "css": result["css"] }))
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

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Returns a page with one string in every possible position.
fn nasty_page(text: &str) -> (String, String) {
    let html = escaped(text);
    let mut string = String::new();
    cssparser::serialize_string(text, &mut string).unwrap();
    let mut identifier = String::new();
    cssparser::serialize_identifier(text, &mut identifier).unwrap();
    let path = text.replace(char::is_whitespace, "");
    let path = escaped(&path);
    let body = format!(
        "<section id=top><!-- {} --><h2 title=\"{html}\">{html}</h2><p>a {html} <b>b</b> {html}</p>\
         <ul><li><a href=\"/x?{path}\" title=\"{html}\">{html}</a> 1<li><a href=\"/y#{path}\" title=\"2\">two</a> 2<li><a href=\"{html}\" title=\"3\">three</a> 3</ul>\
         <img src=\"/i.png?{path}\" alt=\"{html}\"><pre>\n{html}\n  {html}</pre><textarea placeholder=\"{html}\">{html}</textarea>\
         <div style=\"white-space:pre\">\n{html}\n  {html}</div>\
         <select><option value=\"{html}\">{html}<option>b</select><input type=text value=\"{html}\" aria-label=\"{html}\">\
         <i class=\"{html}\" id=\"{html}\">icon</i><svg viewBox=\"0 0 1 1\"><title>{html}</title><path d=\"{html}\"/></svg>\
         <p style=\"--x:{}\">styled</p><p {}=1 :onclick=\"{html}\" @click=\"{html}\" v-html=\"{html}\" onclick=\"{html}\" style=\"color:red\">attributes</p>\
         <div><article><h3>One</h3><p>{html}</p></article><article><h3>Two</h3><p>{html} <code class=c title=\"{html}\">{html}</code> or <a href=\"/z?{path}\">{html}</a>, {html}</p></article>\
         <article><h3>Three</h3><p>a {html}</p></article><article><h3>Four</h3><p>b {html}</p></article></div></section>",
        text.replace("--", "- -"),
        escaped(&string),
        path.replace(['=', '>', '/', '"', '\''], ""),
    );
    let css = format!(
        "h2::before{{content:{string};display:block}} h2{{--own:{string};font-family:{string},serif;background:url({string})}} \
         p::after{{content:{string};color:red}} i{{animation:{identifier} 1s}} @keyframes {identifier}{{from{{opacity:0}}}} \
         #top{{display:grid;grid-template-areas:{string}}} li:nth-child(2){{list-style-type:{string}}}"
    );
    (format!("<!doctype html><body><main>{body}</main>"), css)
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
    run("check.mjs", cases);
}

/// Runs a script of the folder over all cases.
#[track_caller]
fn run(script: &str, cases: &[Value]) {
    let problems = problems(script, cases);
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

/// Returns the problems that a script of the folder finds in the cases; none where there is no Node.
#[track_caller]
fn problems(script: &str, cases: &[Value]) -> Vec<String> {
    let Some(folder) = checker() else { return Vec::new() };
    let mut child = Command::new("node")
        .arg(script)
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

#[test]
fn page_strings_cannot_run_in_compiled_components() {
    let cases: Vec<Value> = NASTY
        .iter()
        .map(|text| {
            let (html, css) = nasty_page(text);
            json!({ "name": text, "texts": [text], "titles": [text], "outputs": outputs(html, css) })
        })
        .collect();
    check(&cases);
}

/// Names from the page: elements, attributes, descriptors, properties.
#[test]
fn page_names_cannot_run_in_compiled_components() {
    let run = "[].map.constructor('globalThis.ran=1')()";
    let odd = |name: &str, inside: &str| format!("<p>a <{name} title=q>{inside}</{name}></p>");
    let elements = [
        odd(&format!("b{{...{run}}}"), "one"),
        odd(&format!("a-b\":x=\"{run}"), "two"),
        odd("a-b\"onclick=\"globalThis.ran=1", "three"),
        odd("x{{shop.email}}", "four"),
        odd("x{%foo%}", "five"),
        odd("a-b.c", "six"),
        odd("emotion-\u{1f60d}", "seven"),
        odd("transition", "eight <b>nine</b>"),
        odd("suspense", "ten <b>eleven</b>"),
        odd("teleport", "twelve"),
        odd("component", "thirteen"),
        odd("o:p", "fourteen"),
        odd("[gallery]", "fifteen"),
        "<center><font color=red>sixteen</font></center><search>seventeen</search><xmp>eighteen</xmp>".to_owned(),
        "<p aria-{{shop.email}}=x>nineteen</p><p aria-{%foo%}=x>twenty</p><p aria-[gallery]=x>more</p>".to_owned(),
        "<math><mi>x</mi><style>&lt;img src=x onerror=\"globalThis.ran=1\"></style><script>globalThis.ran=1</script>\
         <title>own</title><annotation-xml encoding=xhtml><iframe srcdoc=\"<script>1</script>\"></iframe></annotation-xml></math>"
            .to_owned(),
        "<svg viewBox='0 0 1 1'><title>A <b>name</b></title><iframe srcdoc=x></iframe><path d=M0></svg>".to_owned(),
    ];
    let links: String = (0..4).map(|at| format!("<li><a href=/{at}>Link {at}</a></li>")).collect();
    let html = format!("<section id=top><h2>Title</h2>{}<ul>{links}</ul></section>", elements.concat());
    let bound = format!("\"v-bind({})\"", run.replace('\'', "\\27 "));
    let css = format!(
        "@font-face{{font-family:{bound};src:url(/f.woff2);\\7d body\\7b background\\:red\\7d x: y}} h2{{font-family:{bound}}}\
         @counter-style cs{{system:cyclic;symbols:{bound};\\7d body\\7b background\\:red\\7d x: y}} li{{list-style:cs}}\
         @keyframes k{{from{{opacity:0;\\7d\\7d body\\7b background\\:red\\7d x:y}}}} p{{animation:k 1s}}\
         @counter-style open{{system:cyclic;symbols:\"a\" foo("
    );
    let outputs = outputs(html, css);
    for (framework, output) in outputs.as_object().unwrap() {
        let [code, css] = ["code", "css"].map(|part| output[part].as_str().unwrap_or_default());
        for hostile in ["globalThis.ran=1>", "body{", "srcdoc", "shop.email", "%foo%", "v-bind(", "<title>own"] {
            let may_hold = hostile == "v-bind(" && framework != "vue";
            assert!(
                may_hold || !(code.contains(hostile) || css.contains(hostile)),
                "{hostile} in {framework}: {code}{css}"
            );
        }
    }
    let texts = [
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
        "Link 3",
    ];
    check(&[json!({ "name": "names", "texts": texts, "titles": [], "outputs": outputs })]);
}

#[test]
fn a_design_compiles_everywhere() {
    let texts = ["Ship it", "Everything in Starter", "Enterprise", "Terms & conditions"];
    let case = json!({
        "name": "design",
        "texts": texts,
        "titles": ["you@example.com"],
        "outputs": outputs(DESIGN.to_owned(), DESIGN_CSS.to_owned()),
    });
    check(&[case]);
}

/// The files of a page import each other, and the page has the texts of all of them.
#[test]
fn pages_compile_everywhere() {
    let texts = [
        "See the times",
        "ground on the boat",
        "Take the ten",
        "A locker is yours",
        "Questions & answers",
        "Privacy {policy}",
    ];
    let site = limner_test_pages::SITE_HTML;
    let nasty: String = NASTY
        .iter()
        .map(|text| {
            let text = escaped(text);
            format!("<section class=n><h2 class=t title=\"{text}\">{text}</h2><p>{text}</p><a class=b href=\"/x?{text}\">{text}</a></section>")
        })
        .collect();
    let nasty_css = ".n{padding:60px 0;min-height:300px;background:#f4f1ea} .t{margin:0;font-size:31px;line-height:1.2;color:#123456;letter-spacing:.3px}\
                     .b{display:inline-block;padding:9px 21px;border-radius:7px;background:#0a5c7a;color:#fff;text-decoration:none}";
    let of = |name: &str, texts: &[&str], html: String, css: &str, language| json!({ "name": name, "texts": texts, "titles": [], "outputs": page_outputs(html, css.to_owned(), language) });
    check(&[
        of("site", &texts, site.to_owned(), limner_test_pages::SITE_CSS, CodeLanguage::Js),
        of("typed site", &texts, site.to_owned(), limner_test_pages::SITE_CSS, CodeLanguage::Ts),
        of("nasty site", &[], format!("<!doctype html><body><main>{nasty}</main>"), nasty_css, CodeLanguage::Js),
    ]);
}

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
    run("typecheck.mjs", &cases);

    let wrong = "export default function Hero() {\n  return <b>{missing}</b>;\n}\n";
    let folder = checker();
    assert!(
        folder.is_none()
            || !problems("typecheck.mjs", &[json!({ "name": "wrong", "files": { "A.tsx": wrong } })]).is_empty()
    );
}

#[test]
fn shared_utilities_and_selectors_compile() {
    let items: String = (0..12).map(|n| format!("<li><a href=/{n}>Link {n}</a></li>")).collect();
    let html = format!("<section id=top><h2>Links</h2><ul class=list>{items}</ul></section>");
    let css = ".list a{color:#005eb8;text-decoration:underline;padding:4px 9px} .list a::before{content:'>'}\
               .list a:hover{color:#7c2855} @media (min-width:700px){.list a{font-size:19px}}\
               @media (prefers-color-scheme:dark){.list a{color:#fff}} .list:hover a{letter-spacing:1px}";
    let texts = ["Links", "Link 0", "Link 11"];
    check(&[json!({ "name": "list", "texts": texts, "titles": [], "outputs": outputs(html, css.to_owned()) })]);

    let part = |n: usize| {
        format!(
            "<h3><code>f{n}()</code></h3><p>Text <code>a{n}</code> <a href=/{n}>b</a> <a href=/x class=t>c{n}</a></p>\
             <ul><li><code>x</code> <a href=/{n}>d</a></li><li><code>y</code></li><li>three</li></ul>"
        )
    };
    let html = format!(
        "<section id=top><h2>Manual</h2><div class=d>{}</div></section>",
        (0..90).map(part).collect::<String>()
    );
    let css = ".d code{background:#f2f2f2;padding:2px 4px} .d h3 code{background:none;padding:0} .d .t{font:12px Arial}\
               .d a{color:#005eb8;border-bottom:1px dotted;padding:1px} .d a:hover{color:#7c2855} .d a::after{content:'>'}\
               .d li:not(:last-child){padding-bottom:5px;border-bottom:1px solid #ddd}";
    let texts = ["Manual", "f7()", "a89", "c11"];
    check(&[json!({ "name": "manual", "texts": texts, "titles": [], "outputs": outputs(html, css.to_owned()) })]);
}

#[test]
fn shadows_gradients_and_transforms_compile() {
    let body = "<section id=top><h2>Title</h2><a href=/a>one</a><p>Words</p><b>bold</b><i>slanted</i></section>";
    let css = "h2{box-shadow:0 0 0 1px oklch(92.9% .013 255.508),0 10px 15px -3px #0000001a,0 4px 6px -4px #0000001a;\
               background:linear-gradient(to right in oklab,#fff 10%,#123456,oklch(62.3% .214 259.815 / .5))} \
               h2:hover{box-shadow:none} a{box-shadow:inset 0 0 0 2px color-mix(in oklab,currentcolor 50%,transparent);\
               transition:color .15s cubic-bezier(.4,0,.2,1)} a:hover{box-shadow:inset 0 0 0 3px red,0 1px 2px blue;color:red} \
               p{box-shadow:0 10px 15px -3px #12345680,0 4px 6px -4px #12345680;background:linear-gradient(45deg,#fff,#000)} \
               b{filter:drop-shadow(red 0 2px 4px);text-shadow:#1e26330a 0 2px 4px;translate:calc(1 / 2 * -100%) 0} \
               i{box-shadow:#1e26330a 0 2px 4px 0,inset 0 0 0 1px #fff;background:var(--none)} i:hover{translate:0 -4px} \
               a:focus{outline:5px auto -webkit-focus-ring-color} p{padding:1em;border-radius:.5em;corner-shape:squircle} \
               b:hover{font-size:0} i{margin-left:.5em;line-height:2em} a::before{content:'';font-size:2em;padding:.25em} \
               @media (prefers-reduced-motion:reduce){a{transition:none}}";
    check(&[
        json!({ "name": "shadows", "texts": ["Title"], "titles": [], "outputs": outputs(format!("<!doctype html>{body}"), css.to_owned()) }),
    ]);
}

#[test]
fn states_of_siblings_compile() {
    let html = "<section id=top><h2>Menu</h2><input type=checkbox id=a><input type=checkbox id=b><div class=w>\
                <p class=x>First</p><p class=y>Second</p></div><input placeholder=x required id=c><label>Name</label><div popover id=p>In</div></section>";
    let css = "#a:checked~.w .x{display:none} #b:not(:checked)~.w .y{opacity:.5} #b:hover~.w .y::before{content:'>'}\
               #c:not(:placeholder-shown)~label,#c:focus~label{font-size:10px}\
               #c:user-invalid{color:red} #c:user-invalid~label{color:red} #p:popover-open{color:red}";
    let texts = ["Menu", "First", "Second", "Name"];
    check(&[json!({ "name": "beside", "texts": texts, "titles": [], "outputs": outputs(html.into(), css.into()) })]);
}

#[test]
fn has_selectors_compile() {
    let card = "<li class=card><i>Star</i><a href=/x>More</a></li>";
    let html = format!(
        "<section id=top><h2>Menu</h2><form><p class=a>First</p><p class=b>Second</p><p><input type=checkbox id=x>\
         <input type=radio id=y checked></p><label>Name</label><input><label>Mail</label><input></form>\
         <ul>{}</ul><nav><details><summary>S</summary></details><p><b>Last</b></p></nav></section>",
        card.repeat(4)
    );
    let css = "form:has(#x:checked) .a,form:has(#y:checked) .b{display:none} label:has(+ input:focus){opacity:.5}\
               .card:has(~ .card:hover){opacity:.5} .card:hover~.card{color:red} .card:hover+.card i::before{content:'x'}\
               .card:has(~ .card:hover) i,.card:has(a:hover) i{color:red} .card:has(a:focus-visible){outline:1px solid red}\
               nav:has(details[open]) b{color:red} #top:not(:has(:checked)) h2{color:red} nav:has(summary:hover) p{margin:0}";
    let texts = ["Menu", "First", "Second", "Name", "Star", "Last"];
    check(&[json!({ "name": "has", "texts": texts, "titles": [], "outputs": outputs(html, css.into()) })]);
}

#[test]
fn hidden_and_scroll_driven_elements_compile() {
    let html = "<section id=top><h2>Menu</h2><p class=force hidden>Forced</p><p class=x>Text</p><p class=y>Late</p>\
                <details name=q><summary>Open</summary><p>Inside</p></details></section>";
    let css = "details::details-content{block-size:0;overflow:clip;transition:block-size .3s,content-visibility .3s allow-discrete}\
               details[open]::details-content{block-size:auto} #top{interpolate-size:allow-keywords}\
               .force[hidden]{display:flex} .x{animation:f linear both;animation-timeline:view();animation-range:entry 0% cover 50%}\
               .y{animation:f 0s 1s;animation-timeline:scroll()} @keyframes f{from{opacity:0}}";
    let texts = ["Menu", "Forced", "Text", "Late"];
    check(&[json!({ "name": "hidden", "texts": texts, "titles": [], "outputs": outputs(html.into(), css.into()) })]);
}

#[test]
fn controls_compile_with_browser_defaults() {
    let html = "<section id=top><h2>Form</h2><button>Go</button><input placeholder=Name><select><option>One</option>\
                </select><textarea></textarea><input type=file><progress value=.4></progress></section>";
    let css = "button:hover{background:#eee} input:focus{border-color:red}";
    let texts = ["Form", "Go", "One"];
    check(&[json!({ "name": "controls", "texts": texts, "titles": [], "outputs": outputs(html.into(), css.into()) })]);
}
