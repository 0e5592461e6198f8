//! A page that says hostile texts in every place that emitted code keeps, and what has to be there afterwards.

use crate::markup::{escape, squeeze};
use crate::page::{call, json, page_with_sheet};
use limner_types::Operation;
use serde_json::Value;

/// Elements of the page, and those that templates put around them. Whatever else is in emitted code broke out of a text.
pub const NAMES: &[&str] = &[
    "a",
    "article",
    "b",
    "button",
    "code",
    "component",
    "div",
    "em",
    "h2",
    "h3",
    "html",
    "i",
    "img",
    "input",
    "label",
    "li",
    "main",
    "option",
    "p",
    "path",
    "pre",
    "section",
    "select",
    "span",
    "style",
    "svg",
    "template",
    "textarea",
    "title",
    "ul",
];

/// An input that begins with this byte or a greater one asks for TypeScript.
const FIRST_CHOICE_OF_TS: usize = 128;

/// Longest text. What is longer may be cut, and sheets and lists have limits of their own.
const MAX_TEXT_CHARS: usize = 200;

/// Contents of the section, one of which an input chooses: what is read and emitted at once is small, so that many are tried.
/// `{q}` is the next text that shows, `{t}` the next title, `{a}` the first one again, `{c}` a class or an id and `{p}` a
/// part of an address.
const CONTENTS: &[(&str, &str)] = &[
    (
        "<h2 title=\"{t}\">{q}</h2><p title=\"{t}\">1 {q} <b>b</b> {q}</p>",
        "h2::before{content:{s};display:block} h2{--own:{s};font-family:{s},serif;background:url({s})} p::after{content:{s}}",
    ),
    (
        "<ul class=\"{c}\"><li class=\"{c}\"><a href=\"/1?{p}\" title=\"{t}\">{q}</a> 1<li><a href=\"/2#{p}\" title=\"{t}\">{q}</a> 2\
         <li><a href=/3 title=\"{t}\">{q}</a> 3</ul>",
        "li:nth-child(2){list-style-type:{s}} .{i}{color:blue}",
    ),
    (
        "<pre title=\"{t}\">{q}\n  1</pre><textarea placeholder=\"{a}\" title=\"{t}\">{q}</textarea>",
        "pre::after{content:{s}}",
    ),
    (
        "<select title=\"{t}\"><option value=\"{a}\">{q}<option>b</select><input type=text value=\"{a}\" aria-label=\"{a}\">",
        "#top{display:grid;grid-template-areas:{s}}",
    ),
    (
        "<img src=\"/i.png?{p}\" alt=\"{a}\"><i class=\"{c}\" id=\"{c}\" title=\"{t}\">{q}</i>\
         <svg viewBox=\"0 0 1 1\"><title>{q}</title><path d=\"M0 0\"/></svg>",
        "i{animation:{i} 1s} @keyframes {i}{from{opacity:0}} .{i}{color:blue}",
    ),
    (
        "<div class=\"{c}s\"><article class=\"{c}\"><h3>One</h3><p>{q}</p></article><article><h3>Two</h3><p>{q} <code class=c title=\"{t}\">{q}</code></p></article>\
         <article><h3>Three</h3><p>a {q}</p></article><article><h3>Four</h3><p>{q}</p></article></div>",
        ".{i}{color:blue}",
    ),
];

/// Texts of the page.
pub struct Texts {
    /// Shown as text.
    pub shown: Vec<String>,
    /// Values of `title` attributes.
    pub titles: Vec<String>,
    /// The language of scripts.
    pub language: &'static str,
    content: &'static str,
    sheet: &'static str,
    css: String,
    identifier: String,
    path: String,
}

impl Texts {
    /// Reads an input: a byte that chooses the content, then shown texts and titles in turn, each ended by a separator.
    pub fn read(data: &[u8]) -> Self {
        let (choice, data) = data.split_first().map_or((0, data), |(choice, data)| (usize::from(*choice), data));
        let (content, sheet) = CONTENTS[choice % CONTENTS.len()];
        // A parser drops NUL, and reads a carriage return as a line feed; the others stand for something in checks.
        let fields: Vec<String> = crate::input::fields(data)
            .into_iter()
            .map(|field| {
                field.replace(['\0', '\r', '\u{e000}', '\u{e001}'], " ").chars().take(MAX_TEXT_CHARS).collect()
            })
            .collect();
        let field = |at: usize| fields[at % fields.len()].clone();
        // Each place has a mark, at either end, by which its text is told from the same text elsewhere.
        let marked = |kind: char, at: usize, text: String| match at % 2 {
            0 => format!("{kind}{at}m{text}"),
            _ => format!("{text}{kind}{at}m"),
        };
        let places = |name: &str| 0..content.matches(name).count();
        Self {
            shown: places("{q}").map(|at| marked('q', at, field(at * 2))).collect(),
            titles: places("{t}").map(|at| marked('t', at, field(at * 2 + 1))).collect(),
            language: if choice < FIRST_CHOICE_OF_TS { "js" } else { "ts" },
            content,
            sheet,
            css: field(1),
            identifier: field(0),
            path: percent_encoding::utf8_percent_encode(&field(1), percent_encoding::NON_ALPHANUMERIC).to_string(),
        }
    }

    /// Writes the page and asks for its section as code; as `html`, also as a document that shows it.
    pub fn emitted(&self, framework: &str) -> Option<Value> {
        let (html, css) = (self.html(), self.sheet());
        // The document is the same for every framework.
        let preview = if framework == "html" { "true" } else { "false" };
        let options =
            [("framework", framework), ("selector", "#top"), ("language", self.language), ("preview", preview)];
        let call = call(Operation::Code, &options);
        json(&page_with_sheet(&html, &css), &call)
    }

    fn html(&self) -> String {
        let (mut shown, mut titles) = (self.shown.iter(), self.titles.iter());
        let content = filled(self.content, |place| match place {
            'q' => shown.next().map(|text| escape(text)),
            't' => titles.next().map(|text| escape(text)),
            'a' => Some(escape(&self.titles[0])),
            'c' => Some(escape(&self.identifier)),
            'p' => Some(self.path.clone()),
            _ => None,
        });
        format!("<!doctype html><html lang=en><body><main><section id=top>{content}</section></main>")
    }

    fn sheet(&self) -> String {
        filled(self.sheet, |place| match place {
            's' => Some(string(&self.css)),
            'i' => Some(identifier(&self.identifier)),
            _ => None,
        })
    }

    /// Panics unless every text is part of one of those that were found.
    pub fn check_shown(&self, found: &[String], code: &str) {
        let found: Vec<String> = found.iter().map(|text| squeeze(text)).collect();
        for text in &self.shown {
            let text = squeeze(text);
            assert!(found.iter().any(|found| found.contains(&text)), "{text:?} does not show: {found:?}\n{code}");
        }
    }

    /// Panics unless every title is among those that were found.
    pub fn check_titles(&self, found: &[String], code: &str) {
        for title in &self.titles {
            assert!(found.contains(title), "the title {title:?} is not kept: {found:?}\n{code}");
        }
    }
}

/// Replaces places such as `{q}` in a template, in their order. What stands for a place is not looked at again.
fn filled(template: &str, mut text_of: impl FnMut(char) -> Option<String>) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some(at) = rest.find('{') {
        out.push_str(&rest[..at]);
        let place = rest[at + 1..].chars().next().filter(|_| rest[at + 2..].starts_with('}'));
        match place.and_then(&mut text_of) {
            Some(text) => {
                out.push_str(&text);
                rest = &rest[at + 3..];
            }
            None => {
                out.push('{');
                rest = &rest[at + 1..];
            }
        }
    }
    out + rest
}

/// Serialises a CSS string (CSSOM, "serialize a string").
fn string(text: &str) -> String {
    let inside: String = text
        .chars()
        .map(|c| match c {
            '"' | '\\' => format!("\\{c}"),
            c if c.is_ascii_control() => format!("\\{:x} ", u32::from(c)),
            c => c.to_string(),
        })
        .collect();
    format!("\"{inside}\"")
}

/// Serialises a CSS identifier: everything that is not a letter is escaped.
fn identifier(text: &str) -> String {
    let first = text.split_whitespace().next().unwrap_or("x");
    first
        .chars()
        .map(
            |c| if c.is_ascii_alphabetic() || !c.is_ascii() { c.to_string() } else { format!("\\{:x} ", u32::from(c)) },
        )
        .collect()
}
