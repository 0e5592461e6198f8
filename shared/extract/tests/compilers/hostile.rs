//! Pages that try to break out of the component that is made from them.

use super::{check, outputs};
use serde_json::{Value, json};

/// Strings that try to break out of texts, attributes and literals.
pub(super) const NASTY: &[&str] = &[
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

pub(super) fn escaped(text: &str) -> String {
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
