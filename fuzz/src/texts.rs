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

/// Longest text. What is longer may be cut, and sheets and lists have limits of their own.
const LONGEST: usize = 200;
/// Texts that show.
const SHOWN: usize = 15;
/// Texts in attributes.
const TITLES: usize = 7;

/// What the page says.
pub struct Texts {
    /// Shown as text.
    pub shown: Vec<String>,
    /// Values of `title` attributes.
    pub titles: Vec<String>,
    css: String,
    identifier: String,
    path: String,
}

impl Texts {
    /// Reads an input: shown texts and titles in turn, each ended by a separator.
    pub fn read(data: &[u8]) -> Self {
        // A parser drops NUL, and reads a carriage return as a line feed; the others stand for something in checks.
        let fields: Vec<String> = crate::input::fields(data)
            .into_iter()
            .map(|field| field.replace(['\0', '\r', '\u{e000}', '\u{e001}'], " ").chars().take(LONGEST).collect())
            .collect();
        let field = |at: usize| fields[at % fields.len()].clone();
        // Each place has a mark, at either end, by which its text is told from the same text elsewhere.
        let marked = |kind: char, at: usize, text: String| match at % 2 {
            0 => format!("{kind}{at}m{text}"),
            _ => format!("{text}{kind}{at}m"),
        };
        Self {
            shown: (0..SHOWN).map(|at| marked('q', at, field(at * 2))).collect(),
            titles: (0..TITLES).map(|at| marked('t', at, field(at * 2 + 1))).collect(),
            css: field(1),
            identifier: field(0),
            path: percent_encoding::utf8_percent_encode(&field(1), percent_encoding::NON_ALPHANUMERIC).to_string(),
        }
    }

    /// Writes the page and asks for its section as code.
    pub fn emitted(&self, framework: &str) -> Option<Value> {
        let (html, css) = (self.html(), self.sheet());
        let call = call(Operation::Code, &[("framework", framework), ("selector", "#top")]);
        json(&page_with_sheet(&html, &css), &call)
    }

    fn html(&self) -> String {
        let shown = |at: usize| escape(&self.shown[at]);
        let title = |at: usize| escape(&self.titles[at]);
        let path = &self.path;
        let class = escape(&self.identifier);
        let [h2, before, after, one, two, three, pre, area, option, name, first, second, code, third, fourth] =
            std::array::from_fn(shown);
        let [t, u, v, w, x, y, z] = std::array::from_fn(title);
        format!(
            "<!doctype html><html lang=en><body><main><section id=top><h2 title=\"{t}\">{h2}</h2><p title=\"{u}\">1 {before} <b>b</b> {after}</p>\
             <ul class=\"{class}\"><li class=\"{class}\"><a href=\"/1?{path}\" title=\"{v}\">{one}</a> 1<li><a href=\"/2#{path}\" title=\"{w}\">{two}</a> 2<li><a href=/3 title=\"{x}\">{three}</a> 3</ul>\
             <img src=\"/i.png?{path}\" alt=\"{t}\"><pre title=\"{y}\">{pre}\n  1</pre><textarea placeholder=\"{t}\">{area}</textarea>\
             <select><option value=\"{t}\">{option}<option>b</select><input type=text value=\"{t}\" aria-label=\"{t}\">\
             <i class=\"{class}\" id=\"{class}\">icon</i><svg viewBox=\"0 0 1 1\"><title>{name}</title><path d=\"M0 0\"/></svg>\
             <div class=\"{class}s\"><article class=\"{class}\"><h3>One</h3><p>{first}</p></article><article><h3>Two</h3><p>{second} <code class=c title=\"{z}\">{code}</code></p></article>\
             <article><h3>Three</h3><p>a {third}</p></article><article><h3>Four</h3><p>{fourth}</p></article></div></section></main>"
        )
    }

    fn sheet(&self) -> String {
        let (string, identifier) = (string(&self.css), identifier(&self.identifier));
        format!(
            "h2::before{{content:{string};display:block}} h2{{--own:{string};font-family:{string},serif;background:url({string})}} \
             p::after{{content:{string};color:red}} i{{animation:{identifier} 1s}} @keyframes {identifier}{{from{{opacity:0}}}} \
             .{identifier}{{color:blue}} #top{{display:grid;grid-template-areas:{string}}} li:nth-child(2){{list-style-type:{string}}}"
        )
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
