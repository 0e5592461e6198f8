//! Tests of choosing colours.

use super::{PROSE, brand};
use limner_types::WireEnum;
use limner_types::result::EvidenceKind;
use serde_json::{Value, json};

/// The relevant parts of Bootstrap.
const BOOTSTRAP: &str = ":root{--bs-blue:#0d6efd;--bs-primary:#0d6efd;--bs-danger:#dc3545}\
    body{margin:0;font-family:system-ui,sans-serif;color:#212529;background:#fff}a{color:#0d6efd}\
    .btn{display:inline-block;padding:6px 12px;border:1px solid transparent;text-decoration:none}\
    .btn-primary{background:#0d6efd;color:#fff}.btn-danger{background:#dc3545;color:#fff}";

#[test]
fn primary_role_goes_to_the_most_prominent_colour() {
    let header = "<header style='height:72px'><a href='/'>Acme</a></header>";
    for (name, html, expected) in [
        (
            "a call to action outvotes links",
            format!(
                "<style>body{{color:#222}}a{{color:#1a56a8}}.cta{{background:#e4572e;color:#fff;padding:14px 28px;display:inline-block}}</style>{header}\
                 <main><h1>Light</h1><p>{PROSE}<a href=/a>one</a> <a href=/b>two</a></p><a class=cta href=/start>Start now</a></main>"
            ),
            json!("#e4572e"),
        ),
        (
            "a button that has a size rather than a padding",
            format!(
                "<style>body{{color:#222}}a{{color:#1a56a8}}.atom{{background:#e4572e;color:#fff;width:336px;height:72px;text-align:center;display:block}}</style>{header}\
                 <main><h1>Light</h1><p>{PROSE}<a href=/a>one</a> <a href=/b>two</a></p><a class=atom href=/start>Start now</a></main>"
            ),
            json!("#e4572e"),
        ),
        (
            "a framework's blue loses to the brand's own colour",
            format!(
                "<style>{BOOTSTRAP}.site-header{{background:#0b7a4b;height:80px}}</style><header class=site-header>Acme</header>\
                 <main><p>{PROSE}</p><a class='btn btn-primary' href=/a>More</a><a class='btn btn-primary' href=/b>More</a></main>"
            ),
            json!("#0b7a4b"),
        ),
        (
            "errors and warnings are no brand",
            format!(
                "<style>{BOOTSTRAP}.hero{{background:#5b21b6;color:#fff;padding:80px}}</style><section class=hero><h1>Acme</h1></section>\
                 <p>{PROSE}</p><a class='btn btn-danger' href=/a>Delete</a><div class='alert' style='background:#dc3545'>Failed</div>"
            ),
            json!("#5b21b6"),
        ),
        (
            "a consent banner is somebody else's",
            format!(
                "<style>body{{color:#222}}.btn{{padding:12px 24px;display:inline-block;color:#fff}}</style>{header}<p>{PROSE}</p>\
                 <a class=btn style='background:#7c3aed' href=/buy>Buy</a>\
                 <div id=onetrust-banner-sdk style='position:fixed;bottom:0;left:0;right:0;background:#0a7cff;height:300px'>\
                 <button class=btn style='background:#ff0066'>Accept all</button></div>"
            ),
            json!("#7c3aed"),
        ),
        (
            "a builder's button loses to the band that the site coloured",
            format!(
                "<style>body{{margin:0;color:#333}}.w-button{{background:#3898ec;color:#fff;padding:9px 15px;display:inline-block}}\
                 .hero{{background:#00bdf4;height:600px}}</style><div class=hero><h1>Thrive</h1></div><p>{PROSE}</p>\
                 <a class=w-button href=/find>Find your school</a>"
            ),
            json!("#00bdf4"),
        ),
        (
            "a builder's default under the name primary is not the site's choice",
            format!(
                "<style>body{{--e-global-color-primary:#6ec1e4;color:#333}}h2{{color:var(--e-global-color-primary)}}.link{{color:#b3005e}}</style>\
                 <h2>More</h2><p>{PROSE} <a class=link href=/a>a long enough link to the rest of what is said here</a></p>"
            ),
            json!("#b3005e"),
        ),
        (
            "a builder's default that nothing shows is none",
            format!("<style>body{{color:#333}}.t396__ui{{background:#fa876b}}</style><h2>More</h2><p>{PROSE}</p>"),
            json!(null),
        ),
        (
            "a preset that the theme names primary",
            format!(
                "<style>:root{{--wp--preset--color--primary:#7a2e8f;--wp--preset--color--vivid-red:#cf2e2e}}body{{color:#333}}\
                 .rule{{border-top:1px solid var(--wp--preset--color--primary)}}</style><p class=rule>{PROSE}</p>"
            ),
            json!("#7a2e8f"),
        ),
        (
            "a variable with the channels of a colour",
            format!(
                "<style>:root{{--color-primary:20, 110, 60}}body{{color:#333}}.rule{{border-top:1px solid rgb(var(--color-primary))}}</style>\
                 <p class=rule>{PROSE}</p>"
            ),
            json!("#146e3c"),
        ),
        (
            "a call to action whose target a script sets",
            format!(
                "<style>body{{color:#333}}.btn-start{{background:#0c176a;color:#fff;padding:10px 25px;display:inline-block}}h2{{color:#c2410c}}</style>\
                 {header}<a class=btn-start>Call us</a><h2>Cool</h2><p>{PROSE}</p>"
            ),
            json!("#0c176a"),
        ),
        (
            "highlighted code is its highlighter's",
            format!(
                "<style>body{{color:#222}}.k{{color:#d73a49}}.s{{color:#032f62}}pre{{background:#fdf6e3}}a{{color:#0f766e}}</style><p>{PROSE} \
                 <a href=/x>the guide to everything there is to know</a></p><pre class=highlight>{}</pre>",
                "<span class=k>let</span> <span class=s>'words'</span> ".repeat(60)
            ),
            json!("#0f766e"),
        ),
        (
            "logos of customers are theirs",
            format!(
                "<style>body{{color:#222}}a{{color:#047857}}</style><p>{PROSE}<a href=/x>linked words of our own colour</a></p>\
                 <section><h2>Trusted by</h2>{}</section>",
                "<svg viewBox='0 0 90 30' width=90 height=30><path fill='#e50914' d='M0 0h90v30H0z'/></svg>".repeat(6)
            ),
            json!("#047857"),
        ),
        (
            "buttons of other sites wear their colours",
            format!(
                "<style>body{{color:#222}}.btn{{padding:12px 24px;display:inline-block;color:#fff}}</style><p>{PROSE}</p>\
                 <a class='btn btn-facebook' style='background:#1877f2' href=/f>Continue with Facebook</a>\
                 <a class='btn btn-google' style='background:#db4437' href=/g>Continue with Google</a>\
                 <a class='btn' style='background:#0e9f6e' href=/s>Sign up</a>"
            ),
            json!("#0e9f6e"),
        ),
        (
            "a page with nothing but the browser's colours has none",
            format!("<h1>Acme</h1><p>{PROSE}<a href=/a>one</a> <a href=/b>two</a></p>"),
            json!(null),
        ),
        (
            "a coloured link to the page shown, beside links in a builder's default",
            format!(
                "<style>body{{color:#666}}p a{{color:#2ea3f2}}nav a{{color:#333}}.current-menu-item a{{color:#800080}}</style><nav><ul>\
                 <li class=current-menu-item><a href=/>Home</a><li><a href=/t>Tools</a></ul></nav><p>{PROSE}<a href=/b>download it</a></p>"
            ),
            json!("#800080"),
        ),
        (
            "a framework's default that the page shows nowhere is none",
            format!("<style>:root{{--ui-primary:#00c950}}body{{color:#111}}</style><h1>Acme</h1><p>{PROSE}</p>"),
            json!(null),
        ),
        (
            "greys are no brand colour",
            format!(
                "<style>body{{color:#333;background:#fafafa}}a{{color:#555}}h1{{color:#111}}</style><h1>Acme</h1><p>{PROSE}<a href=/a>x</a></p>"
            ),
            json!(null),
        ),
        (
            "nor is that of a single button at the end of the page",
            format!(
                "<style>body{{color:#333;background:#fff}}.btn{{background:#111;color:#fff;padding:14px 28px;display:inline-block}}</style>\
                 <h1 style='height:1200px'>Acme</h1><p>{PROSE}</p><a class=btn href=/a>Send</a>"
            ),
            json!(null),
        ),
        (
            "unless all buttons are black",
            format!(
                "<style>body{{color:#333;background:#fff}}.btn{{background:#111;color:#fff;padding:14px 28px;display:inline-block}}</style>\
                 <h1>Acme</h1><p>{PROSE}</p><a class=btn href=/a>Start</a> <a class=btn href=/b>Talk to us</a>"
            ),
            json!("#111111"),
        ),
        (
            "a declared variable decides between two",
            format!(
                "<style>:root{{--brand:#c026d3;--other:#0891b2}}body{{color:#222}}.btn{{padding:12px 24px;display:inline-block;color:#fff}}</style><p>{PROSE}</p>\
                 <a class=btn style='background:var(--other)' href=/a>One</a> <a class=btn style='background:var(--brand)' href=/b>Two</a>"
            ),
            json!("#c026d3"),
        ),
        (
            "theme-color counts when it is a colour",
            format!(
                "<meta name=theme-color content='#b91c1c'><style>body{{color:#222}}h1{{color:#b91c1c}}</style><h1>Acme</h1><p>{PROSE}</p>"
            ),
            json!("#b91c1c"),
        ),
        (
            "what is hidden does not count",
            format!(
                "<style>body{{color:#222}}.btn{{padding:12px 24px;display:inline-block;color:#fff}}.off{{display:none}}</style><p>{PROSE}</p>\
                 <div class=off>{}</div><a class=btn style='background:#be185d' href=/b>Two</a>",
                "<a class=btn style='background:#16a34a' href=/a>One</a>".repeat(9)
            ),
            json!("#be185d"),
        ),
        (
            "what is called info is no message by that alone",
            format!(
                "<style>body{{color:#222}}.further-info{{background:#c13832;padding:60px 0;color:#fff}}</style><p>{PROSE}</p>\
                 <div class=further-info>{PROSE}</div>"
            ),
            json!("#c13832"),
        ),
        (
            "a page that is said to have a header is none",
            format!(
                "<style>body{{color:#222;margin:0}}.layout--fixed-header{{min-height:2000px}}.link{{color:#5a8f1d}}\
                 .demo{{position:fixed;bottom:20px;right:20px;background:#ff4081;color:#fff;padding:8px 20px}}</style>\
                 <div class=layout--fixed-header><h1>Acme</h1><p>{PROSE}</p><a class=link href=/a>Lamps for the workshop</a> \
                 <a class=link href=/b>Lamps for the desk and the bed</a></div><a class='button demo' href=/s>View source</a>"
            ),
            json!("#5a8f1d"),
        ),
        (
            "the background of selected text is a choice",
            format!(
                "<style>body{{color:#222}}::selection{{background:#0f766e;color:#fff}}h2{{border-bottom:2px solid #0f766e}}</style>\
                 <h2>Acme</h2><p>{PROSE}</p>"
            ),
            json!("#0f766e"),
        ),
        (
            "gradients have colours",
            format!(
                "<style>body{{color:#222}}.btn{{padding:14px 28px;display:inline-block;color:#fff;background:linear-gradient(90deg,#7c3aed,#6d28d9)}}</style>\
                 <p>{PROSE}</p><a class=btn href=/a>Start</a>"
            ),
            json!("#7c3aed"),
        ),
        (
            "a sentence about customers makes no wall of the page",
            format!(
                "<style>body{{background:#f2ede4;color:#1b1b1b}}</style><div><p>Designer working with museums and a bakery.</p>\
                 <a href=/x style='background:#ff4d00;color:#fff;padding:16px 30px;display:inline-block'>Write</a>{}</div>",
                "<img src=a.png width=600 height=400>".repeat(3)
            ),
            json!("#ff4d00"),
        ),
        (
            "a builder's gradient is not the site's choice",
            format!(
                "<style>body{{color:#666}}.band{{background:linear-gradient(180deg,#2b87da,#29c4a9);height:400px}}</style><p>{PROSE}</p><div class=band></div>"
            ),
            json!(null),
        ),
        (
            "a variable of a widget",
            format!(
                "<style>:root{{--jdgm-primary-color:#2f8f46}}body{{color:#333}}</style><p>{PROSE}</p><div class=jdgm style='color:#2f8f46'>.</div>"
            ),
            json!(null),
        ),
        (
            "a variable that nothing shows",
            format!("<style>:root{{--primary:#c026d3}}body{{color:#333}}</style><h1>Acme</h1><p>{PROSE}</p>"),
            json!(null),
        ),
        (
            "the class of a status that is the look of all buttons",
            format!(
                "<style>{BOOTSTRAP}.btn-warning{{background:#e8a317;color:#000}}h2{{color:#3b5a8c}}</style><h2>Pharmacies for sale</h2><p>{PROSE}</p>\
                 <a class='btn btn-warning' href=/a>Contact us</a> <a class='btn btn-warning' href=/b>See all of them</a>"
            ),
            json!("#e8a317"),
        ),
        (
            "a call to action of many colours is still one",
            format!(
                "<style>body{{color:#222}}.go{{display:inline-block;padding:12px 24px;color:#fff;\
                 background:linear-gradient(122deg,#a719ce,#c318c8,#d43196,#d74b69)}}.band{{height:500px;background:linear-gradient(#4f49e6,#f7166d)}}</style>\
                 <a class=go href=/a>Get tickets</a><p>{PROSE}</p><div class=band></div>"
            ),
            json!("#c318c8"),
        ),
        (
            "ink that grounds and headings share is no brand",
            format!(
                "<style>body{{margin:0;color:#0f172b;background:#fff}}.btn{{display:inline-block;background:#7f22fe;color:#fff;padding:12px 24px}}\
                 h2{{color:#7f22fe}}.dark{{background:#0f172b;color:#fff;height:600px}}.new{{background:#7f22fe;padding:0 8px}}</style>\
                 <h1>Plan and ship products together</h1><h2>News</h2><h3>{PROSE}</h3><p>{PROSE}</p>\
                 <a class=btn href=/a>Start</a><div class=dark><span class=new>New</span>{PROSE}</div>"
            ),
            json!("#7f22fe"),
        ),
    ] {
        let result = brand(&html);
        assert_eq!(result["colors"]["primary"], expected, "{name}: {:#}", result["evidence"]);
    }
}

#[test]
fn background_and_text_roles_are_assigned() {
    for (name, html, background, text) in [
        ("the browser's", format!("<p>{PROSE}</p>"), "#ffffff", "#000000"),
        (
            "declared",
            format!("<style>body{{background:#0f172a;color:#e2e8f0}}</style><p>{PROSE}</p>"),
            "#0f172a",
            "#e2e8f0",
        ),
        (
            "the root's ground shows only where the page ends",
            format!(
                "<style>html{{background:#ccc}}body{{margin:0;background:#f0f4f5;color:#212b32;min-height:2000px}}</style><p>{PROSE}</p>"
            ),
            "#f0f4f5",
            "#212b32",
        ),
        (
            "the body covers the page, and the end of it has the root's ground",
            format!(
                "<style>html{{background:#f3f2f1}}body{{margin:0;background:#fff;color:#0b0c0c}}main{{min-height:1500px}}footer{{background:#f3f2f1;height:420px}}</style>\
                 <main><h1>Apply</h1><p>{PROSE}</p></main><footer>Help</footer>"
            ),
            "#ffffff",
            "#0b0c0c",
        ),
        (
            "the body is a sheet that covers less than half",
            format!(
                "<style>html{{background:#ccc}}body{{margin:0 auto;width:600px;background:#fff;color:#212b32;min-height:2000px}}</style><p>{PROSE}</p>"
            ),
            "#cccccc",
            "#212b32",
        ),
        (
            "a wrapper covers the page",
            format!(
                "<style>body{{margin:0}}#root{{background:#101014;color:#fafafa;min-height:3000px}}</style><div id=root><p>{PROSE}</p></div>"
            ),
            "#101014",
            "#fafafa",
        ),
        ("a dark scheme", format!("<style>:root{{color-scheme:dark}}</style><p>{PROSE}</p>"), "#121212", "#ffffff"),
        (
            "links are not the text of a page whose text cannot be read",
            format!(
                "<style>.slide{{color:#fff}}a{{color:#42affa}}</style><div class=slide>{PROSE} {PROSE} <a href=/a>one</a></div>"
            ),
            "#ffffff",
            "#000000",
        ),
        (
            "nothing is written",
            "<style>body{background:#ccc;margin:0}div{background:#333;height:1200px}</style><div></div>".to_owned(),
            "#333333",
            "#000000",
        ),
        ("translucent", format!("<style>body{{color:rgba(0,0,0,.87)}}</style><p>{PROSE}</p>"), "#ffffff", "#000000de"),
    ] {
        let result = brand(&html);
        assert_eq!(result["colors"]["background"], background, "{name}");
        assert_eq!(result["colors"]["text"], text, "{name}");
        assert_eq!(result["theme"], if background < "#888" { "dark" } else { "light" }, "{name}");
    }
}

#[test]
fn palettes_have_no_near_duplicates_and_list_roles() {
    let html = format!(
        "<style>:root{{--brand:#0f766e}}body{{color:#222;background:#fff;margin:0}}header{{background:#0f766e;height:120px}}a{{color:#0f766f}}h1{{color:#222223}}</style>\
         <header><a href=/ style='color:#fff'>Acme</a></header><h1>Acme</h1><p>{PROSE}<a href=/a>and a link</a></p>"
    );
    let result = brand(&html);
    let palette = result["palette"].as_array().unwrap();
    let hexes: Vec<&str> = palette.iter().map(|color| color["hex"].as_str().unwrap()).collect();
    assert_eq!(hexes, ["#ffffff", "#0f766e", "#222222"]);
    let brand = &palette[1];
    assert_eq!(brand["roles"], json!(["primary", "link", "surface"]));
    assert_eq!((&brand["declared"], &brand["variable"]), (&json!(true), &json!("--brand")));
    assert_eq!(brand["properties"], json!(["background-color", "color"]));
    assert!(brand["area"].as_f64().unwrap() > 0.05 && brand["name"].is_string());
    assert_eq!(result["colorNames"]["background"], "White");
    let pair = &result["contrast"][0];
    assert_eq!(
        (&pair["text"], &pair["background"], &pair["level"]),
        (&json!("#222222"), &json!("#ffffff"), &json!("AAA"))
    );
    assert_eq!(pair["ratio"], 15.9);
}

#[test]
fn all_colors_have_evidence() {
    let html = format!(
        "<style>:root{{--brand:#e4572e}}body{{color:#222}}.cta{{background:var(--brand);color:#fff;padding:14px 28px;display:inline-block}}</style>\
         <p>{PROSE}</p><a class=cta href=/start>Start now</a>"
    );
    let result = brand(&html);
    let evidence = &result["evidence"]["colors.primary"];
    assert_eq!(evidence["basis"], EvidenceKind::Declared.as_str());
    assert_eq!(evidence["from"], json!(["100 % of button fill", "--brand"]));
    for role in ["primary", "background", "text"] {
        assert!(result["evidence"][format!("colors.{role}")]["from"].is_array(), "{role}");
    }
}

#[test]
fn all_roles_are_entries_of_the_palette() {
    let button = "display:inline-block;color:#fff;padding:14px 28px";
    for (name, html, primary, accent, text) in [
        (
            "nothing is written in the browser's black",
            format!("<style>a{{color:#42affa}}</style><div style='color:#fff'>{PROSE}</div>"),
            json!(null),
            json!(null),
            "#000000",
        ),
        (
            "the colour of the body is one of two that look alike",
            format!("<style>body{{color:#323232}}p{{color:#333}}</style>Acme<p>{PROSE}</p>"),
            json!(null),
            json!(null),
            "#323232",
        ),
        (
            "translucent text is what the body declares",
            format!("<style>body{{color:rgba(0,0,0,.87)}}</style><p>{PROSE}</p><p style='color:#000'>Acme</p>"),
            json!(null),
            json!(null),
            "#000000de",
        ),
        (
            "brand colours are pigments, however thin they are laid on",
            format!(
                "<style>body{{margin:0;color:#222}}header{{background:rgba(23,43,77,.65);height:80px}}a{{{button};background:#7c3aedcc}}</style>\
                 <header></header><p>{PROSE}</p><a href=/a>Start</a>"
            ),
            json!("#7c3aed"),
            json!("#172b4d"),
            "#222222",
        ),
        (
            "a thin coat and the pigment itself are one colour",
            format!(
                "<style>body{{margin:0;color:#222}}header{{background:rgba(23,43,77,.65);height:80px}}a{{{button};background:#7c3aed}}\
                 h2{{color:#172b4d}}</style><header></header><h2>Acme</h2><p>{PROSE}</p><a href=/a>Start</a>"
            ),
            json!("#7c3aed"),
            json!("#172b4d"),
            "#222222",
        ),
    ] {
        let result = brand(&html);
        let colors = &result["colors"];
        assert_eq!((&colors["primary"], &colors["accent"]), (&primary, &accent), "{name}");
        assert_eq!(colors["text"], text, "{name}");
        let palette = result["palette"].as_array().unwrap();
        for role in ["primary", "accent", "background", "text"] {
            // Texts in other colours have the role as well.
            let is_holder = |color: &&Value| color["roles"].as_array().unwrap().contains(&json!(role));
            let holders = || palette.iter().filter(is_holder).map(|color| &color["hex"]);
            let is_listed = colors[role].is_null() || holders().any(|hex| *hex == colors[role]);
            let others = holders().filter(|hex| **hex != colors[role]).count();
            assert!(is_listed && (role == "text" || others == 0), "{name}: {role} in {palette:#?}");
        }
        let mut hexes: Vec<_> = palette.iter().map(|color| color["hex"].as_str().unwrap()).collect();
        hexes.sort_unstable();
        assert!(hexes.windows(2).all(|pair| pair[0] != pair[1]), "{name}: {hexes:?}");
    }
}

/// The call to action counts although a script fades it in, and an overlay that goes away does not.
#[test]
fn start_states_do_not_hide_the_brand() {
    let found = brand(
        "<style>body{margin:0;background:#fff;color:#222}.loader{position:fixed;top:0;left:0;width:100%;height:100%;\
         background:#e0115f;z-index:99}.go{opacity:0;transform:translateY(9px);background:#0b6e4f;color:#fff;\
         padding:14px 26px;display:inline-block}</style><div class=loader></div><main><h1>Boats that last</h1>\
         <p>Repairs, winter storage and paint on the north quay, all year round.</p>\
         <a class='go reveal' href=/contact>Talk to us</a></main>",
    );
    assert_eq!(found["colors"]["primary"], "#0b6e4f", "{found}");
    assert_eq!(found["colors"]["background"], "#ffffff", "{found}");
}

/// Highlighted words and the ground of selected text are the browser's habits, not the brand's accent.
#[test]
fn highlights_are_no_accent() {
    let page = |extra: &str| {
        format!(
            "<style>body{{margin:0;background:#0b0b0b;color:#fff}}mark,::selection{{background:#ff0;color:#000}}{extra}\
             .go{{display:inline-block;background:#d9480f;color:#fff;padding:14px 28px}}</style>\
             <h1>Acme</h1><p>{PROSE} <mark>anywhere</mark></p><div class=band>{PROSE}</div><a class=go href=/a>Start</a>"
        )
    };
    let result = brand(&page(""));
    assert_eq!(result["colors"]["primary"], "#d9480f");
    assert_eq!(result["colors"]["accent"], Value::Null, "{:#}", result["evidence"]);
    let listed = result["palette"].as_array().unwrap();
    assert!(listed.iter().any(|color| color["hex"] == "#ffff00"), "{listed:#?}");
    // A colour that the page uses otherwise as well is an accent.
    assert_eq!(brand(&page(".band{background:#ff0;color:#000;height:400px}"))["colors"]["accent"], "#ffff00");
}

/// A band that is hardly lighter than the page is a surface, even if the logo stands on the same colour.
#[test]
fn shades_of_the_background_are_no_accent() {
    let page = |band: &str| {
        format!(
            "<style>body{{margin:0;background:#0b1020;color:#f2f0e6}}.band{{background:{band};padding:40px;height:400px}}\
             .go{{display:inline-block;background:#7fe3c4;color:#0b1020;padding:14px 28px}}</style>\
             <h1>Stars</h1><p>{PROSE}</p><a class=go href=/a>Come along</a><div class=band>{PROSE}</div>"
        )
    };
    let result = brand(&page("#161d36"));
    assert_eq!(result["colors"]["primary"], "#7fe3c4");
    assert_eq!(result["colors"]["accent"], Value::Null, "{:#}", result["evidence"]);
    assert_eq!(brand(&page("#4a2fb0"))["colors"]["accent"], "#4a2fb0");
}

/// The colours of labels tell the state of a thing, however often they occur.
#[test]
fn status_pills_are_no_accent() {
    let page = |extra: &str| {
        let row = |state: &str, class: &str| {
            format!("<tr><td>Order</td><td><span class='pill {class}'>{state}</span></td></tr>")
        };
        let rows = [row("Approved", "ok"), row("Approved", "ok"), row("Denied", "no")].concat().repeat(6);
        format!(
            "<style>body{{margin:0;background:#fff;color:#24262d}}.pill{{display:inline-block;padding:4px 8px;border-radius:999px;font-weight:600}}\
             .ok{{background:#def7ec;color:#046c4e;border:1px solid #046c4e}}.no{{background:#fff7bf;color:#4d4712}}\
             .go{{display:inline-block;background:#7e3af2;color:#fff;padding:14px 28px}}{extra}</style>\
             <h1>Orders</h1><a class=go href=/a>New order</a><table>{rows}</table><p>{PROSE}</p><div class=band>{PROSE}</div>"
        )
    };
    let result = brand(&page(""));
    assert_eq!(result["colors"]["primary"], "#7e3af2");
    assert_eq!(result["colors"]["accent"], Value::Null, "{:#}", result["evidence"]);
    assert!(result["palette"].as_array().unwrap().iter().any(|color| color["hex"] == "#046c4e"));
    // A colour that the page uses otherwise as well is an accent.
    let result = brand(&page(".band{background:#046c4e;color:#fff;height:400px}"));
    assert_eq!(result["colors"]["accent"], "#046c4e");
}

/// Text that an image takes the place of is not shown, so its colour is none of the page's.
#[test]
fn text_out_of_sight_has_no_color() {
    for hiding in
        ["text-indent:-9999px;overflow:hidden", "text-indent:110%;white-space:nowrap;overflow:hidden", "font:0/0 a"]
    {
        let html = format!(
            "<style>body{{color:#222}}h1 a{{display:block;width:180px;height:48px;background:url(/l.svg);color:#0000ee;{hiding}}}</style>\
             <h1><a href='/'>Acme</a></h1><p>{PROSE}</p>"
        );
        let result = brand(&html);
        let listed = result["palette"].as_array().unwrap();
        assert!(listed.iter().all(|color| color["hex"] != "#0000ee"), "{hiding}: {listed:#?}");
    }
}

#[test]
fn colors_of_channels_have_their_variables() {
    let html = format!(
        "<style>:root{{--background:30 20% 96%;--primary:262 83% 58%;--surface-rgb:250 204 21}}\
         body{{margin:0;background:hsl(var(--background));color:#222}}.go{{display:inline-block;background:hsl(var(--primary));\
         color:#fff;padding:14px 28px}}.band{{background:rgb(var(--surface-rgb));height:300px}}</style>\
         <p>{PROSE}</p><div class=band></div><a class=go href=/a>Start</a>"
    );
    let result = brand(&html);
    let named: Vec<&str> =
        result["palette"].as_array().unwrap().iter().filter_map(|color| color["variable"].as_str()).collect();
    for name in ["--background", "--primary", "--surface-rgb"] {
        assert!(named.contains(&name), "{name}: {:#}", result["palette"]);
    }
}
