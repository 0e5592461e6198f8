//! Design pages, and what is special about some CSS.

use super::hostile::{NASTY, escaped};
use super::{CodeLanguage, DESIGN, DESIGN_CSS, check_utilities, outputs, page_outputs};
use serde_json::{Value, json};

/// One run for all of them: Tailwind's tables take longer to prepare than a design to check.
#[test]
fn designs_compile_everywhere() {
    let mut cases = vec![design(), shared_utilities(), shared_selectors(), shadows_gradients_and_transforms()];
    cases.extend([states_of_siblings(), has_selectors(), hidden_and_scroll_driven_elements()]);
    cases.extend([controls_with_browser_defaults(), significant_white_space()]);
    cases.extend(pages());
    check_utilities(&cases);
}

fn design() -> Value {
    let texts = ["Ship it", "Everything in Starter", "Enterprise", "Terms & conditions"];
    json!({
        "name": "design",
        "texts": texts,
        "titles": ["you@example.com"],
        "outputs": outputs(DESIGN.to_owned(), DESIGN_CSS.to_owned()),
    })
}

/// The files of a page import each other, and the page has the texts of all of them.
fn pages() -> [Value; 3] {
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
    [
        of("site", &texts, site.to_owned(), limner_test_pages::SITE_CSS, CodeLanguage::Js),
        of("typed site", &texts, site.to_owned(), limner_test_pages::SITE_CSS, CodeLanguage::Ts),
        of("nasty site", &[], format!("<!doctype html><body><main>{nasty}</main>"), nasty_css, CodeLanguage::Js),
    ]
}

fn shared_utilities() -> Value {
    let items: String = (0..12).map(|n| format!("<li><a href=/{n}>Link {n}</a></li>")).collect();
    let html = format!("<section id=top><h2>Links</h2><ul class=list>{items}</ul></section>");
    let css = ".list a{color:#005eb8;text-decoration:underline;padding:4px 9px} .list a::before{content:'>'}\
               .list a:hover{color:#7c2855} @media (min-width:700px){.list a{font-size:19px}}\
               @media (prefers-color-scheme:dark){.list a{color:#fff}} .list:hover a{letter-spacing:1px}";
    let texts = ["Links", "Link 0", "Link 11"];
    json!({ "name": "list", "texts": texts, "titles": [], "outputs": outputs(html, css.to_owned()) })
}

fn shared_selectors() -> Value {
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
    json!({ "name": "manual", "texts": texts, "titles": [], "outputs": outputs(html, css.to_owned()) })
}

fn shadows_gradients_and_transforms() -> Value {
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
    json!({ "name": "shadows", "texts": ["Title"], "titles": [], "outputs": outputs(format!("<!doctype html>{body}"), css.to_owned()) })
}

fn states_of_siblings() -> Value {
    let html = "<section id=top><h2>Menu</h2><input type=checkbox id=a><input type=checkbox id=b><div class=w>\
                <p class=x>First</p><p class=y>Second</p></div><input placeholder=x required id=c><label>Name</label><div popover id=p>In</div></section>";
    let css = "#a:checked~.w .x{display:none} #b:not(:checked)~.w .y{opacity:.5} #b:hover~.w .y::before{content:'>'}\
               #c:not(:placeholder-shown)~label,#c:focus~label{font-size:10px}\
               #c:user-invalid{color:red} #c:user-invalid~label{color:red} #p:popover-open{color:red}";
    let texts = ["Menu", "First", "Second", "Name"];
    json!({ "name": "beside", "texts": texts, "titles": [], "outputs": outputs(html.into(), css.into()) })
}

fn has_selectors() -> Value {
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
    json!({ "name": "has", "texts": texts, "titles": [], "outputs": outputs(html, css.into()) })
}

fn hidden_and_scroll_driven_elements() -> Value {
    let html = "<section id=top><h2>Menu</h2><p class=force hidden>Forced</p><p class=x>Text</p><p class=y>Late</p>\
                <details name=q><summary>Open</summary><p>Inside</p></details></section>";
    let css = "details::details-content{block-size:0;overflow:clip;transition:block-size .3s,content-visibility .3s allow-discrete}\
               details[open]::details-content{block-size:auto} #top{interpolate-size:allow-keywords}\
               .force[hidden]{display:flex} .x{animation:f linear both;animation-timeline:view();animation-range:entry 0% cover 50%}\
               .y{animation:f 0s 1s;animation-timeline:scroll()} @keyframes f{from{opacity:0}}";
    let texts = ["Menu", "Forced", "Text", "Late"];
    json!({ "name": "hidden", "texts": texts, "titles": [], "outputs": outputs(html.into(), css.into()) })
}

fn controls_with_browser_defaults() -> Value {
    let html = "<section id=top><h2>Form</h2><button>Go</button><input placeholder=Name><select><option>One</option>\
                </select><textarea></textarea><input type=file><progress value=.4></progress></section>";
    let css = "button:hover{background:#eee} input:focus{border-color:red}";
    let texts = ["Form", "Go", "One"];
    json!({ "name": "controls", "texts": texts, "titles": [], "outputs": outputs(html.into(), css.into()) })
}

fn significant_white_space() -> Value {
    let html = "<section id=top><h2>Title</h2>\
        <div class=code>public class <b>Integer</b>\n<b>extends</b> Number\n  and\tmore\n<b>of  it</b>\n</div>\
        <div class=code>if (a) {{ b }} \\n\n'c' `d` &lt;/template> &amp;lt;b&amp;gt;</div>\
        <pre>one\n<b>two</b>\n  <b>three</b></pre><p>four<b> </b>five <i>six</i> <i>seven</i></p>\
        <textarea>eight\n  nine</textarea></section>";
    json!({
        "name": "white space",
        "texts": ["Title"],
        "titles": [],
        "exact": [
            "public class Integer\nextends Number\n  and\tmore\nof  it\n",
            "if (a) {{ b }} \\n\n'c' `d` </template> &lt;b&gt;",
            "one\ntwo\n  three",
            "four five six seven",
            "eight\n  nine",
        ],
        "outputs": outputs(html.to_owned(), ".code{white-space:pre-wrap} pre{white-space:pre} pre>b{font-size:1.25em;line-height:1px}".to_owned()),
    })
}
