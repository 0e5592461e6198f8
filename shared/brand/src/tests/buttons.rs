//! Tests of colours on pages whose buttons are another's, or hardly coloured, or that have none.

use super::{PROSE, brand};
use serde_json::{Value, json};

const BUTTON: &str = ".btn{display:inline-block;padding:14px 28px;color:#fff}";

fn primary_of(html: &str) -> Value {
    brand(html)["colors"]["primary"].clone()
}

#[test]
fn primary_is_not_the_color_of_a_button_of_others() {
    let page = |style: &str, more: &str| {
        format!(
            "<style>body{{color:#222}}h2{{color:#14539a}}{BUTTON}{style}</style><h2>We take care of you and of yours</h2><p>{PROSE}</p>{more}"
        )
    };
    let consent = "<p>We use cookies to make this site work. <a href=/privacy>Privacy</a></p><button class=btn style='background:#16a34a'>Accept all</button>";
    let chat = "<a class=btn style='background:#25d366' href='https://wa.me/4912345'>Write to us</a>";
    for (name, html, expected) in [
        (
            "a consent banner without a name that floats",
            page(
                ".box{position:fixed;left:24px;bottom:24px;width:420px;background:#fff}",
                &format!("<div class=box>{consent}</div>"),
            ),
            "#14539a",
        ),
        ("a dialog about cookies", page("", &format!("<div role=dialog>{consent}</div>")), "#14539a"),
        ("words about cookies in the page itself", page("", &format!("<div>{consent}</div>")), "#16a34a"),
        (
            "words about cookies in a shell that is fixed as a whole",
            format!(
                "<div style='position:fixed;top:0;left:0;width:1440px;height:900px'><main>{}</main></div>",
                page("", &format!("<div>{consent}</div>"))
            ),
            "#16a34a",
        ),
        ("a chat in the chat's own green", page("", chat), "#14539a"),
        (
            "a chat in the site's colour",
            page("", "<a class=btn style='background:#b91c1c' href='https://wa.me/4912345'>Write to us</a>"),
            "#b91c1c",
        ),
        (
            "a form in that green",
            page("", "<a class=btn style='background:#25d366' href='/contact'>Write to us</a>"),
            "#25d366",
        ),
    ] {
        assert_eq!(primary_of(&html), expected, "{name}");
    }
}

#[test]
fn muted_color_that_fills_the_buttons_is_primary() {
    let page = |fill: &str, more: &str| {
        format!(
            "<style>body{{color:{fill};background:#fffbf9}}{BUTTON}.btn{{background:{fill}}}.sale{{background:#e11d48;color:#fff;padding:4px 10px}}\
             h2 a{{color:#4338ca}}</style><p>{PROSE}</p><a class=btn href=/book>Book now</a>{more}"
        )
    };
    let sale = "<span class=sale>Sale!</span><del style='color:#e11d48'>$30</del>".repeat(8);
    let titles = "<h2><a href=/a>A title in the colour of the brand</a></h2>".repeat(4);
    for (name, html, expected) in [
        ("sage, in which the words are as well", page("#5f6750", ""), json!("#5f6750")),
        ("petrol, beside the red of sales", page("#264653", &sale), json!("#264653")),
        ("brown, with a contrast that is not that of black", page("#6b4f3a", ""), json!("#6b4f3a")),
        ("slate, beside titles in the colour of the brand", page("#334155", &titles), json!("#4338ca")),
        ("a grey of medium contrast is no choice", page("#767676", ""), json!(null)),
    ] {
        assert_eq!(primary_of(&html), expected, "{name}");
    }
}

#[test]
fn only_color_of_a_page_is_primary() {
    let lines = |colors: &[&str]| {
        let title = |color: &&str| format!("<h2 style='border-bottom:3px solid {color}'>A point</h2>");
        format!("<style>body{{color:#222}}</style>{}<p>{PROSE}</p>", colors.iter().map(title).collect::<String>())
    };
    for (name, colors, expected) in [
        ("lines in one colour", &["#0e7c86"; 6][..], json!("#0e7c86")),
        ("lines in colours of the rainbow", &["#e11d48", "#16a34a", "#0e7c86", "#b45309"][..], json!(null)),
        ("one line", &["#0e7c86"][..], json!(null)),
        ("lines in the colour of a framework", &["#0d6efd"; 6][..], json!(null)),
    ] {
        assert_eq!(primary_of(&lines(colors)), expected, "{name}");
    }
}

#[test]
fn gradient_of_a_headline_counts_as_its_text() {
    let html = format!(
        "<style>body{{color:#222}}{BUTTON}.btn{{background:#111}}.grad{{background:linear-gradient(90deg,#6366f1,#a855f7);-webkit-background-clip:text;background-clip:text;color:transparent}}</style>\
         <h1>Write <span class=grad>with agents that know your voice</span></h1><p>{PROSE}</p><a class=btn href=/start>Start now</a>"
    );
    assert_eq!(brand(&html)["colors"]["accent"], "#6366f1");
}
