//! `/code` of pages, read by a parser that is not the core's.

use crate::corpus;
use limner_page::{PageSnapshot, SheetOwner, Stylesheet};
use limner_types::{Framework, Operation, WireEnum, request};
use scraper::{Html, Node};
use serde_json::Value;
use url::Url;

/// A section whose markup is hard to write and to read back.
const PAGE: &str = "<!doctype html><html lang=en><body><main><section class=hero><h1>Ship &lt;b&gt; &amp;amp; \"it\"</h1>\
    <p>Every <b>word</b> <i>of</i>\n it, 5 &lt; 6.<a href='/start?a=1&amp;b=2' title='a \"b\" &lt;i>' onclick='steal()'>Start</a>\
    <a href='javascript:steal()'>x</a><script>steal()</script><svg viewBox='0 0 9 9'><a xlink:href=/a><path d='M0 0h9' onload='steal()'/></a></svg>\
    <table><tr><td>1<td>2</table><pre>\n\n a\n</pre><textarea>\n&lt;/textarea></textarea><math><mi>x</mi></math>\
    <img src=a.png srcset='a.png 1x, b.png 2x' alt='A &quot;lamp&quot;'></p></section></main>";

fn pages() -> Vec<(String, PageSnapshot)> {
    let url = "https://a.test/".to_owned();
    let text = Some(".hero{padding:2rem;color:#123} .hero b{color:red}".into());
    let sheet = Stylesheet { owner: SheetOwner::Adopted, base_url: url.clone(), text, ..Stylesheet::default() };
    let own = PageSnapshot { url, html: PAGE.to_owned(), sheets: vec![sheet], ..PageSnapshot::default() };
    std::iter::once(("own".to_owned(), own)).chain(corpus::pages()).collect()
}

fn code(page: &PageSnapshot, framework: Framework, scope: &str) -> Value {
    let pairs = [("url", page.url.as_str()), ("framework", framework.as_str()), ("scope", scope)];
    let pairs = pairs.map(|(name, value)| (name.into(), value.into()));
    let request = request::parse(Operation::Code, &pairs).unwrap().request;
    serde_json::from_slice(&limner_extract::extract(page, &request).unwrap().body).unwrap()
}

/// In development builds `/code` itself holds every element, attribute and text against the component.
#[test]
fn code_is_read_back_by_another_parser() {
    for (name, page) in pages() {
        for (framework, scope) in Framework::ALL.iter().flat_map(|own| [(*own, "section"), (*own, "page")]) {
            let result = code(&page, framework, scope);
            if framework == Framework::Html {
                check(&name, &result);
            }
        }
    }
}

fn check(name: &str, result: &Value) {
    let html = Html::parse_fragment(result["code"].as_str().unwrap());
    let mut count = 0;
    for element in html.root_element().descendants().filter_map(|node| match node.value() {
        Node::Element(element) => Some(element),
        Node::Comment(comment) => panic!("{name}: a comment {:?}", &**comment),
        _ => None,
    }) {
        count += 1;
        let tag = element.name();
        assert!(!matches!(tag, "script" | "object" | "embed" | "base" | "link" | "meta"), "{name}: <{tag}>");
        for (attribute, value) in element.attrs() {
            assert!(!attribute.starts_with("on") && attribute != "style", "{name}: <{tag} {attribute}>");
            let is_address = matches!(attribute, "href" | "src" | "action" | "poster" | "formaction");
            let leads = |url: Url| matches!(url.scheme(), "http" | "https" | "mailto" | "tel" | "sms" | "data");
            let is_harmless = || value.starts_with('#') || Url::parse(value).is_ok_and(leads);
            assert!(!is_address || is_harmless(), "{name}: <{tag} {attribute}={value:?}>");
        }
    }
    // The fragment's own root is the first.
    assert_eq!(count - 1, result["summary"]["elements"].as_u64().unwrap(), "{name}");
}
