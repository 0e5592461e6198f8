//! Tests of what `scope=all` adds: schemes, contrast, components.

use super::{PROSE, brand};
use limner_test_pages::{PAGE_URL, page};
use limner_types::{Operation, request};
use serde_json::{Value, json};

fn brand_with_details(html: &str) -> Value {
    let pairs = [("url", PAGE_URL), ("scope", "all")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    let request = request::parse(Operation::Brand, &pairs).unwrap().request;
    limner_test_pages::result(crate::extract, &page(html), &request)
}

const BASE: &str = "body{margin:0;background:#fff;color:#222;font:16px/1.5 Inter,sans-serif}";

#[test]
fn details_are_there_only_if_asked_for() {
    let html = format!("<style>{BASE}</style><p>{PROSE}</p>");
    let (usual, all) = (brand(&html), brand_with_details(&html));
    for name in ["themes", "contrastReport", "components"] {
        assert!(usual.get(name).is_none() && all[name].is_object(), "{name}");
    }
    let mut rest = all;
    rest.as_object_mut().unwrap().retain(|name, _| usual.get(name).is_some());
    assert_eq!(rest, usual);
}

#[test]
fn schemes_have_their_colors() {
    let dark_rules = ":root{--bg:#101418;--fg:#f5f5f5;--brand:#8ab4ff}";
    for (name, css) in [
        ("media query", format!("@media(prefers-color-scheme:dark){{{dark_rules}}}")),
        ("class", dark_rules.replace(":root", ".dark")),
        ("attribute", dark_rules.replace(":root", "[data-theme=dark]")),
        ("rules for elements", ".dark body{background:#101418;color:#f5f5f5}.dark .go{background:#8ab4ff}".to_owned()),
    ] {
        let html = format!(
            "<style>:root{{--bg:#fff;--fg:#222;--brand:#1a56db}}body{{margin:0;background:var(--bg);color:var(--fg)}}\
             .go{{display:inline-block;padding:14px 28px;background:var(--brand);color:#fff}}{css}</style>\
             <h1>Acme</h1><p>{PROSE}</p><a class=go href=/a>Start now</a>"
        );
        let result = brand_with_details(&html);
        let themes = &result["themes"];
        assert_eq!(themes["light"]["colors"], result["colors"], "{name}");
        assert_eq!(
            themes["dark"]["colors"],
            json!({ "primary": "#8ab4ff", "accent": null, "background": "#101418", "text": "#f5f5f5" }),
            "{name}"
        );
        let listed = themes["dark"]["palette"].as_array().unwrap();
        assert!(
            listed.iter().any(|own| own["hex"] == "#8ab4ff" && own["roles"][0] == "primary"),
            "{name}: {listed:#?}"
        );
    }
    let light = brand_with_details(&format!("<style>{BASE}</style><p>{PROSE}</p>"));
    assert_eq!(light["themes"]["dark"], Value::Null);
}

/// Returns the pairs in a state and scheme: text, background, ratio, size, AA and AAA.
fn pairs(result: &Value, state: &str, theme: &str) -> Vec<Value> {
    let all = result["contrastReport"]["pairs"].as_array().unwrap();
    let own = all.iter().filter(|pair| pair["state"] == state && pair["theme"] == theme);
    own.map(|own| json!([own["text"], own["background"], own["ratio"], own["size"], own["aa"], own["aaa"]])).collect()
}

#[test]
fn contrast_is_that_of_painted_colors() {
    let html = format!(
        "<style>{BASE}h1{{font-size:32px;color:#888}}.bold{{font-size:19px;font-weight:700;color:#888}}.dim{{color:rgba(0,0,0,.5)}}\
         .bar{{background:#000}}.glass{{background:rgba(255,255,255,.5)}}.half{{opacity:.5;color:#000}}</style>\
         <h1>Large grey</h1><p class=bold>Bold grey</p><p class=dim>Half black</p><p style='color:#888'>Small grey</p>\
         <div class=bar><p class=glass style='color:#fff'>White on glass</p></div><p class=half>Faded</p><p>{PROSE}</p>"
    );
    let result = brand_with_details(&html);
    assert_eq!(
        pairs(&result, "rest", "light"),
        [
            json!(["#888888", "#ffffff", 3.54, "normal", false, false]),
            json!(["#ffffff", "#808080", 3.94, "normal", false, false]),
            json!(["#7f7f7f", "#ffffff", 4.0, "normal", false, false]),
            json!(["#888888", "#ffffff", 3.54, "large", true, false]),
            json!(["#222222", "#ffffff", 15.9, "normal", true, true]),
        ]
    );
    let report = &result["contrastReport"];
    assert_eq!((&report["failures"], &report["total"]), (&json!(3), &json!(5)));
    let large = report["pairs"].as_array().unwrap().iter().find(|own| own["size"] == "large").unwrap();
    assert_eq!((&large["elements"], &large["selector"]), (&json!(2), &json!("body > h1")));
}

#[test]
fn contrast_is_reported_in_states_and_schemes() {
    let html = format!(
        "<style>{BASE}@media(prefers-color-scheme:dark){{body{{background:#111;color:#999}}}}\
         .go{{display:inline-block;padding:12px 24px;background:#1a56db;color:#fff}}.go:hover{{background:#9db8f5}}\
         .go:focus-visible{{color:#bbb}}.card{{background:#eee}}.card:hover{{background:#000}}p:focus{{color:red}}</style>\
         <div class=card><p style='color:#444'>Words in a card</p></div><p>{PROSE}</p><a class=go href=/a>Start now</a>"
    );
    let result = brand_with_details(&html);
    let shown = |state, theme| -> Vec<String> {
        let text = |own: &Value| format!("{} on {}", own[0].as_str().unwrap(), own[1].as_str().unwrap());
        let mut all: Vec<String> = pairs(&result, state, theme).iter().map(text).collect();
        all.sort();
        all
    };
    assert_eq!(shown("rest", "light"), ["#222222 on #ffffff", "#444444 on #eeeeee", "#ffffff on #1a56db"]);
    assert_eq!(shown("hover", "light"), ["#444444 on #000000", "#ffffff on #9db8f5"]);
    // A paragraph takes no focus.
    assert_eq!(shown("focus", "light"), ["#bbbbbb on #1a56db"]);
    assert_eq!(shown("rest", "dark"), ["#444444 on #eeeeee", "#999999 on #111111", "#ffffff on #1a56db"]);
}

#[test]
fn texts_on_images_are_counted_and_pairs_are_limited() {
    let many: String = (0..300).map(|n| format!("<p style='color:rgb({},{n},0)'>word</p>", n / 2)).collect::<String>();
    let html = format!(
        "<style>{BASE}.photo{{height:300px;background:url(/photo.jpg) center/cover;color:#fff}}</style>\
         <div class=photo>Words on a photo</div>{}",
        many.replace(",256,", ",255,")
    );
    let report = brand_with_details(&html)["contrastReport"].clone();
    assert_eq!(report["onImages"], 1);
    assert_eq!(report["pairs"].as_array().unwrap().len(), 200);
    assert!(report["total"].as_u64() > Some(200), "{}", report["total"]);
}

#[test]
fn components_have_looks_and_states() {
    let html = format!(
        "<style>{BASE}.btn{{display:inline-block;padding:12px 24px;border-radius:8px;background:#1a56db;color:#fff;border:0;font:600 16px Inter}}\
         .btn:hover{{background:#1e429f}}.btn:focus-visible{{outline:2px solid #f59e0b}}.btn:active{{transform:translateY(1px)}}.btn:disabled{{opacity:.5}}\
         @media(prefers-color-scheme:dark){{.btn{{background:#8ab4ff}}}}\
         input{{padding:8px 12px;border:1px solid #ccc;border-radius:6px;width:300px;height:40px;background:#fff}}input:focus{{border-color:#1a56db}}\
         .card{{width:300px;padding:24px;border:1px solid #e5e7eb;border-radius:12px;box-shadow:0 1px 2px rgba(0,0,0,.1)}}.card:hover{{border-color:#1a56db}}\
         .tag{{display:inline-block;padding:2px 8px;border-radius:999px;background:#def7ec;color:#03543f;font-size:12px}}</style>\
         <h1>Acme</h1><button class=btn>Start now</button> <button class=btn>Start later</button><p><input type=email></p>\
         <div class=card><h3>One</h3><p>{PROSE}</p><span class=tag>Approved</span></div><div class=card><h3>Two</h3><p>{PROSE}</p></div>"
    );
    let found = brand_with_details(&html)["components"].clone();
    let button = &found["button"][0];
    assert_eq!(button["count"], 2, "{found:#}");
    assert_eq!(
        button["style"],
        json!({
            "background-color": "#1a56db", "color": "#ffffff", "border-radius": "8px", "padding": "12px 24px",
            "font-size": "16px", "font-weight": "600",
        })
    );
    assert_eq!(
        button["states"],
        json!({
            "hover": { "background-color": "#1e429f" },
            "focus": { "outline": "2px solid #f59e0b" },
            "active": { "background-color": "#1e429f", "transform": "matrix(1, 0, 0, 1, 0, 1)" },
            "disabled": { "background-color": "#1a56db80", "opacity": "0.5" },
        })
    );
    assert_eq!(button["dark"], json!({ "background-color": "#8ab4ff" }));
    assert_eq!(found["input"][0]["style"]["border"], "1px solid #cccccc");
    assert_eq!(found["input"][0]["states"]["focus"]["border"], "1px solid #1a56db");
    let card = &found["card"][0];
    assert_eq!((&card["count"], &card["style"]["border"]), (&json!(2), &json!("1px solid #e5e7eb")), "{found:#}");
    assert_eq!(card["states"], json!({ "hover": { "border": "1px solid #1a56db" } }));
    assert_eq!(found["badge"][0]["style"]["background-color"], "#def7ec", "{found:#}");
}
