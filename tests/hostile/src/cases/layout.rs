//! Boxes: what the layout engine nests, wraps, floats and measures.

use super::{BOXED_BRAND, BOXED_CODE, LAYOUT};
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

/// Markup that is repeated in the page, with a rule, for what is decided by boxes: sections, their order and look, what
/// covers what, where a logo is.
const BOXED: &[(&str, &str, &str)] = &[
    ("sections", "", "<section><h2>Title {i}</h2><p>Some words of it.</p></section>"),
    ("section-names", "", "<section class='hero-{i} pricing-{i}' id=s{i}><h2>Title {i}</h2></section>"),
    ("headers", "", "<header><a href=/><img src=/logo{i}.svg alt=Logo></a></header>"),
    ("footers", "", "<footer><a href=/{i}>x</a></footer>"),
    ("navigations", "", "<nav><a href=/{i}>x{i}</a></nav>"),
    ("logos", "", "<a href=/><img class=logo src=/{i}.svg alt='logo {i}'></a>"),
    ("buttons", ".c{i}{background:rgb({i} 2 3);padding:9px}", "<a class='btn c{i}' href=/{i}>Start {i}</a>"),
    ("backgrounds", "p{background:#123}", "<p style='background:rgb({i} 2 3)'>x</p>"),
    ("pictures-behind", "", "<div style='background-image:url(/{i}.png)'><h2>x</h2></div>"),
    ("overlays", "b{position:absolute;inset:0;background:#0008}", "<div style='position:relative'><b></b>x</div>"),
    ("fixed", "b{position:fixed;top:0;width:100%;background:#fff}", "<b>x{i}</b>"),
    ("sticky", ".c{i}{position:sticky;top:{i}px}", "<b class=c{i}>x</b>"),
    ("stacked", ".c{i}{position:relative;z-index:{i};opacity:.9}", "<b class=c{i}>x</b>"),
    ("cards", "", "<div class=card><img src=/{i}.png><h3>Card {i}</h3><p>Words</p><a href=/{i}>More</a></div>"),
    ("banners", "", "<div role=dialog class=cookie-banner><p>Cookies {i}</p><button>Accept</button></div>"),
    ("quotes", "", "<blockquote><p>Words {i}</p><cite>Name</cite></blockquote>"),
    ("fields", "", "<form><input name=a{i}><button>Send</button></form>"),
    ("icons", "", "<svg viewBox='0 0 9 9'><path fill='#1{i}2' d='M0 0h9'/></svg>"),
    ("code-blocks", "", "<pre><code><b>x</b>{i}</code></pre>"),
];

/// Markup that is nested in itself, for the same.
const NESTED_BOXED: &[(&str, &str)] = &[
    ("sections", "<section><h2>x</h2>{inner}</section>"),
    ("backgrounds", "<div style='background:#1{i}3'><p>x</p>{inner}</div>"),
    ("wrappers", "<div>{inner}</div>"),
    (
        "overlays",
        "<div style='position:relative'><b style='position:absolute;inset:0;background:#123'></b>{inner}</div>",
    ),
    ("transparent", "<div style='opacity:.9;z-index:1;position:relative'>{inner}</div>"),
    ("clipped", "<div style='overflow:hidden;height:9px'>{inner}</div>"),
    ("headers", "<header><a href=/>x</a>{inner}</header>"),
];

/// Rules of what is above a section: pictures, places, and a page that is not white.
const ABOVE: &str = "body{background:#123 url(/b.png)}main{position:relative;background:linear-gradient(red,blue)}\
                     .target{position:sticky;top:0}.target>i{position:absolute;inset:0}";

fn in_section(content: &str) -> String {
    format!("<section class=target><i></i><h2>Title</h2>{content}</section>")
}

pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (place, rule, element) in BOXED {
        cases.push(Case::new(format!("layout/boxed-{place}"), &[BOXED_BRAND, BOXED_CODE], 60, |size| {
            let rules = if rule.contains("{i}") { repeated(rule, size) } else { (*rule).to_owned() };
            Page::styled(&rules, &repeated(element, size))
        }));
    }
    // The same in the section that is captured, below elements whose look and place it may take over.
    for (place, rule, element) in BOXED {
        cases.push(Case::new(format!("layout/boxed-inside-{place}"), &[BOXED_CODE], 20, |size| {
            let rules = if rule.contains("{i}") { repeated(rule, size) } else { (*rule).to_owned() };
            Page::styled(&format!("{ABOVE}{rules}"), &in_section(&repeated(element, size))).selecting(".target")
        }));
    }
    cases.push(Case::new("layout/boxed-below", &[BOXED_CODE], 20, |size| {
        let above = "<div style='position:relative;background:rgb({i} 2 3)'><p>x</p>{inner}</div>";
        Page::styled(ABOVE, &nested(above, &in_section("<p>Words</p>"), size)).selecting(".target")
    }));
    cases.push(Case::new("layout/boxed-beside", &[BOXED_CODE], 20, |size| {
        let covers = "<b style='position:absolute;inset:0;background:url(/{i}.png)'></b>";
        Page::styled(ABOVE, &format!("{}{}", repeated(covers, size), in_section("<p>Words</p>"))).selecting(".target")
    }));
    for (place, element) in NESTED_BOXED {
        cases.push(Case::new(format!("layout/boxed-nested-{place}"), &[BOXED_BRAND, BOXED_CODE], 12, |size| {
            Page::of_body(&nested(element, "some words", size))
        }));
    }
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
