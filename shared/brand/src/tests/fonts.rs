//! Tests of the names and roles of fonts.

use super::{PROSE, brand};
use serde_json::json;

/// A family draws only the characters that its faces declare.
#[test]
fn fonts_are_those_that_draw_the_letters() {
    let japanese = "明日の天気は晴れです。海辺の工房では凧を作っています。見学は平日のみです。".repeat(4);
    for (name, css, text, expected) in [
        (
            "figures",
            "@font-face{font-family:Figures;src:url(f.woff2);unicode-range:U+30-39}@font-face{font-family:Letters;src:url(l.woff2)}\
             body{font-family:Figures,Letters,sans-serif}",
            PROSE,
            "Letters",
        ),
        (
            "another script",
            "@font-face{font-family:Latin;src:url(l.woff2);unicode-range:U+0-FF,U+131}\
             @font-face{font-family:Kana;src:url(k.woff2);unicode-range:U+3???,U+4E00-9FFF}body{font-family:Latin,Kana,sans-serif}",
            &japanese,
            "Kana",
        ),
        (
            "subsets of one family",
            "@font-face{font-family:Whole;src:url(a.woff2);unicode-range:U+400-4FF}@font-face{font-family:Whole;src:url(b.woff2);unicode-range:U+0-FF}\
             body{font-family:Whole,serif}",
            PROSE,
            "Whole",
        ),
        (
            "letters in another case than the markup has",
            "@font-face{font-family:Capitals;src:url(c.woff2);unicode-range:U+41-5A}\
             body{font-family:Capitals,serif;text-transform:uppercase}",
            PROSE,
            "Capitals",
        ),
        ("none of the page's", "body{font-family:Local,serif}", PROSE, "Local"),
    ] {
        let result = brand(&format!("<style>{css}</style><h1>2024</h1><p>{text}</p>"));
        assert_eq!(result["fonts"]["primary"], json!(expected), "{name}");
    }
}

#[test]
fn files_are_those_of_the_family_that_draws_the_letters() {
    let result = brand(&format!(
        "<style>@font-face{{font-family:Figures;src:url(f.woff2);unicode-range:U+30-39}}body{{font-family:Figures,Local,serif}}\
         </style><h1>Bread from the quay</h1><p>{PROSE}</p>"
    ));
    let families = [
        json!({ "family": "Local", "roles": ["primary"], "origin": "system", "weights": ["400", "700"], "files": [] }),
    ];
    assert_eq!(result["fonts"]["families"], json!(families));
}

#[test]
fn fonts_of_hosts_have_their_common_names() {
    let result = brand(&format!(
        "<style>body{{font-family:avenir-lt-w01_35-light1475496,sans-serif}}h1{{font-family:playfairdisplay-bold,'playfair display',serif}}\
         </style><h1>Bread from the quay</h1><p>{PROSE}</p>"
    ));
    let system = |family: &str, role: &str, weight: &str| json!({ "family": family, "roles": [role], "origin": "system", "weights": [weight], "files": [] });
    let families = [system("Avenir LT", "primary", "400"), system("Playfair Display", "heading", "700")];
    assert_eq!(
        result["fonts"],
        json!({ "primary": "Avenir LT", "mono": null, "heading": "Playfair Display", "families": families })
    );
}

#[test]
fn families_have_origin_weights_and_files() {
    for (source, origin, files) in [
        (
            "url(/fonts/brand.woff2) format('woff2'),url(b.woff)",
            "self-hosted",
            json!(["https://page.example/fonts/brand.woff2"]),
        ),
        (
            "local('Brand'),url('https://fonts.gstatic.com/s/b.woff2#x')",
            "google",
            json!(["https://fonts.gstatic.com/s/b.woff2"]),
        ),
        ("url(https://use.typekit.net/af/1/l)", "adobe", json!(["https://use.typekit.net/af/1/l"])),
        ("url(https://files.example.org/b.woff2)", "cdn", json!(["https://files.example.org/b.woff2"])),
        ("url(data:font/woff2;base64,AAAA)", "self-hosted", json!([])),
    ] {
        let result = brand(&format!(
            "<style>@font-face{{font-family:Brand;src:{source}}}body{{font-family:Brand,serif}}b{{font-weight:650}}\
             code{{font-family:Menlo,monospace}}</style><h1>Acme</h1><p>{PROSE} <b>bold</b> <code>let a</code></p>"
        ));
        assert_eq!(
            result["fonts"]["families"],
            json!([
                { "family": "Brand", "roles": ["primary"], "origin": origin, "weights": ["400", "650", "700"], "files": files },
                { "family": "Menlo", "roles": ["mono"], "origin": "system", "weights": ["400"], "files": [] },
            ]),
            "{source}"
        );
    }
}

#[test]
fn generic_families_are_null() {
    for stack in ["sans-serif", "serif", "SANS-SERIF", "monospace", "ui-serif,serif"] {
        let result = brand(&format!(
            "<style>body{{font-family:{stack}}}code{{font-family:monospace}}</style><p>{PROSE} <code>let a</code></p>"
        ));
        assert_eq!(result["fonts"], json!({ "primary": null, "mono": null }), "{stack}");
        assert!(result["evidence"].get("fonts.primary").is_none(), "{stack}");
    }
    let result = brand(&format!("<style>body{{font-family:HelveticaNeue-Light,sans-serif}}</style><p>{PROSE}</p>"));
    assert_eq!(result["fonts"]["primary"], "Helvetica Neue");
}
