//! Rewrites XHTML as HTML.
//!
//! Browsers parse a document that was sent as XML by the rules of XML: an empty element such as `<script src="…"/>` ends
//! there, and CDATA sections are text. In the HTML written here the same elements come out of an HTML parser, so that
//! all later steps need to know one syntax only. What no HTML parser gives, such as a `p` inside a `p`, is lost.

use crate::character_references::{resolve, unescape};
use crate::dom::categories::serializes_as_void;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// The namespace of XHTML.
const XHTML: &str = "http://www.w3.org/1999/xhtml";
/// Maximum number of attributes of one element.
const MAX_ATTRIBUTES: usize = 1_000;

/// Returns the elements of a document in HTML syntax. After a well-formedness error nothing follows, as in browsers.
pub fn to_html(xml: &str) -> String {
    let mut reader = Reader::from_str(xml.trim_start_matches('\u{feff}').trim_start());
    reader.config_mut().check_end_names = true;
    let mut writer = HtmlWriter { html: "<!DOCTYPE html>".to_owned(), open: Vec::new() };
    while let Ok(event) = reader.read_event() {
        match event {
            Event::Start(element) => writer.start(&element, false),
            Event::Empty(element) => writer.start(&element, true),
            Event::End(_) => writer.end(),
            Event::Text(text) => writer.text(&String::from_utf8_lossy(&text)),
            Event::CData(text) => writer.text(&String::from_utf8_lossy(&text)),
            Event::GeneralRef(name) => {
                let name = String::from_utf8_lossy(&name).into_owned();
                writer.text(&resolve(&name).unwrap_or_else(|| format!("&{name};")));
            }
            Event::Eof => break,
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
    writer.html
}

struct HtmlWriter {
    html: String,
    open: Vec<OpenElement>,
}

struct OpenElement {
    /// The name in HTML.
    name: String,
    /// The prefixes that stand for XHTML in this element; an empty one is the default namespace.
    html_prefixes: Vec<String>,
}

impl HtmlWriter {
    fn start(&mut self, element: &BytesStart<'_>, is_empty: bool) {
        let attributes = attributes(element);
        let mut html_prefixes = self.open.last().map(|open| open.html_prefixes.clone()).unwrap_or_default();
        for (name, value) in &attributes {
            let prefix = if name == "xmlns" { Some("") } else { name.strip_prefix("xmlns:") };
            let Some(prefix) = prefix else { continue };
            html_prefixes.retain(|known| known != prefix);
            if value == XHTML {
                html_prefixes.push(prefix.to_owned());
            }
        }
        let written = String::from_utf8_lossy(element.name().as_ref()).into_owned();
        let (prefix, local) = written.split_once(':').unwrap_or(("", &written));
        let is_html = html_prefixes.iter().any(|known| known == prefix);
        let name = if is_html || matches!(prefix, "svg" | "math") { local } else { written.as_str() }.to_owned();
        self.open_tag(&name, &attributes);
        let is_void = is_html && serializes_as_void(&name);
        if is_empty && !is_void {
            self.html.push_str(&format!("</{name}>"));
        } else if !is_empty {
            // A void element may have an end tag in XML.
            self.open.push(OpenElement { name: if is_void { String::new() } else { name }, html_prefixes });
        }
    }

    fn open_tag(&mut self, name: &str, attributes: &[(String, String)]) {
        self.html.push('<');
        self.html.push_str(name);
        for (name, value) in attributes {
            self.html.push(' ');
            self.html.push_str(name);
            self.html.push_str("=\"");
            self.html.push_str(&value.replace('&', "&amp;").replace('"', "&quot;"));
            self.html.push('"');
        }
        self.html.push('>');
    }

    fn end(&mut self) {
        if let Some(OpenElement { name, .. }) = self.open.pop()
            && !name.is_empty()
        {
            self.html.push_str(&format!("</{name}>"));
        }
    }

    fn text(&mut self, text: &str) {
        let Some(parent) = self.open.last() else { return };
        // The contents of these elements are not parsed as markup.
        let is_raw = matches!(parent.name.as_str(), "style" | "script" | "xmp" | "iframe" | "noembed" | "noframes");
        if is_raw {
            // A reference to `<` is an event of its own.
            if self.html.ends_with('<') && text.starts_with('/') {
                self.html.push('\\');
            }
            self.html.push_str(&text.replace("</", "<\\/"));
        } else {
            self.html.push_str(&text.replace('&', "&amp;").replace('<', "&lt;"));
        }
    }
}

/// Returns the names and values of the attributes.
fn attributes(element: &BytesStart<'_>) -> Vec<(String, String)> {
    let mut all = element.attributes();
    let read = all.with_checks(false).take(MAX_ATTRIBUTES).flatten();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    read.map(|attribute| (text(attribute.key.as_ref()), unescape(&text(&attribute.value)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Document;

    fn body(markup: &str) -> String {
        let page = format!("<html xmlns=\"{XHTML}\"><head><title>x</title></head><body>{markup}</body></html>");
        let html = to_html(&page);
        let start = html.find("<body>").unwrap() + "<body>".len();
        html[start..].trim_end_matches("</html>").trim_end_matches("</body>").to_owned()
    }

    #[test]
    fn self_closing_elements_have_no_children() {
        for (markup, expected) in [
            ("<script src='/a.js'/><img src='a.png'/>", "<script src=\"/a.js\"></script><img src=\"a.png\">"),
            ("<iframe src='/f'/><textarea/><p/>x", "<iframe src=\"/f\"></iframe><textarea></textarea><p></p>x"),
            ("<img src='a.png'></img><br></br>x", "<img src=\"a.png\"><br>x"),
            (
                "<style><![CDATA[ a>b{background:url(/c.png)} ]]></style>",
                "<style> a>b{background:url(/c.png)} </style>",
            ),
            ("<script>if (a &lt; b &amp;&amp; c) {}</script>", "<script>if (a < b && c) {}</script>"),
            ("<script>x = '&lt;/script&gt;'</script>", "<script>x = '<\\/script>'</script>"),
            (
                "<p title='&quot;&eacute;'>&amp;&nbsp;&lt;<![CDATA[<b>]]></p>",
                "<p title=\"&quot;é\">&amp;\u{a0}&lt;&lt;b></p>",
            ),
            (
                "<svg xmlns='http://www.w3.org/2000/svg'><path d='M0 0'/></svg>",
                "<svg xmlns=\"http://www.w3.org/2000/svg\"><path d=\"M0 0\"></path></svg>",
            ),
            ("<!-- <img src='x'/> --><?x y?>z", "z"),
        ] {
            assert_eq!(body(markup), expected, "{markup}");
        }
    }

    #[test]
    fn prefixes_and_the_beginning_of_a_document_are_those_of_xml() {
        let prefixed = format!(
            "\n<?xml version='1.0'?><!DOCTYPE html [<!ENTITY a 'b'>]><h:html xmlns:h='{XHTML}'><h:body><h:img src='a'/></h:body></h:html>"
        );
        let document = Document::parse(&to_html(&prefixed));
        assert_eq!(document.elements_named("img").count(), 1);
        assert!(!matches!(document.quirks_mode(), crate::dom::QuirksMode::Quirks));
    }

    /// Browsers show what comes before the error.
    #[test]
    fn content_after_an_xml_error_is_dropped() {
        for (markup, expected) in [("<p>a</p><b>x</i><p>c</p>", "<p>a</p><b>x"), ("<p>a</p><img src='x", "<p>a</p>")] {
            assert_eq!(body(markup), expected, "{markup}");
        }
    }
}
