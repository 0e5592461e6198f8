//! Tests of colours on pages whose buttons are another's, or hardly coloured, or that have none.

use super::{PROSE, brand};
use serde_json::Value;

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
