//! Boxes: what the layout engine nests, wraps, floats and measures.

use super::LAYOUT;
use crate::case::{Case, nested, repeated};
use crate::page::Page;

/// Markup that is repeated in the body, with a rule.
const REPEATED: &[(&str, &str, &str)] = &[
    ("blocks", "", "<div>x</div>"),
    ("texts", "", "word{i} "),
    ("inlines", "", "<b>a{i}</b><i>b</i>"),
    ("inline-blocks", "b{display:inline-block;padding:1px}", "<b>a{i}</b>"),
    ("floats", "b{float:left;width:{i}px}", "<b>x</b>"),
    ("flex-items", ".target{display:flex;flex-wrap:wrap}", "<b>item {i}</b>"),
    ("grid-items", ".target{display:grid;grid-template-columns:repeat(3,auto)}", "<b>item {i}</b>"),
    ("absolute", "b{position:absolute;left:1px}", "<b>x{i}</b>"),
    ("columns", ".target{columns:3}", "<p>word {i}</p>"),
    ("tables", "", "<table><tr><td>{i}<td>x</table>"),
    ("lists", "", "<ul><li>{i}<li>x</ul>"),
    ("pictures", "", "<img src=/{i}.png width=9 height=9>"),
    ("fonts", ".c{i}{font:{i}px F{i},serif}", "<p class=c{i}>x</p>"),
    ("generated", ".target b::before{content:'{i}'}", "<b>x</b>"),
];

/// Markup that is nested in itself.
const NESTED: &[(&str, &str)] = &[
    ("blocks", "<div>{inner}</div>"),
    ("inlines", "<b>x{inner}</b>"),
    ("flex", "<div style='display:flex'><i>a</i>{inner}</div>"),
    ("flex-columns", "<div style='display:flex;flex-direction:column'>{inner}</div>"),
    ("grids", "<div style='display:grid;grid-template-columns:1fr auto'>{inner}</div>"),
    ("inline-blocks", "<div style='display:inline-block'>{inner}</div>"),
    ("floats", "<div style='float:left'>{inner}</div>"),
    ("tables", "<table><tr><td>{inner}</table>"),
    ("lists", "<ul><li>{inner}</ul>"),
];

pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (place, rule, element) in REPEATED {
        cases.push(Case::new(format!("layout/{place}"), &[LAYOUT], 40, |size| {
            let rules = if rule.contains("{i}") { repeated(rule, size) } else { (*rule).to_owned() };
            Page::styled(&rules, &format!("<section class=target>{}</section>", repeated(element, size)))
        }));
    }
    for (place, element) in NESTED {
        cases.push(Case::new(format!("layout/nested-{place}"), &[LAYOUT], 6, |size| {
            Page::of_body(&nested(element, "some words", size))
        }));
    }
    cases.extend([
        Case::new("layout/word-long", &[LAYOUT], 400, |size| Page::of_body(&format!("<p>{}</p>", "w".repeat(size)))),
        Case::new("layout/table-cells", &[LAYOUT], 6, |size| {
            let row = format!("<tr>{}</tr>", repeated("<td>{i}</td>", 10));
            Page::of_body(&format!("<table>{}</table>", row.repeat(size)))
        }),
        Case::new("layout/grid-tracks", &[LAYOUT], 20, |size| {
            let tracks = repeated("minmax(1px,{i}fr) ", size);
            Page::of_body(&format!("<div style='display:grid;grid-template-columns:{tracks}'><p>x</p></div>"))
        }),
    ]);
    cases
}
