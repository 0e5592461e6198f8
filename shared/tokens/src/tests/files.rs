//! Names, aliases and the order of the files.

use super::file;
use limner_page_view::PageView;
use limner_test_pages::{PAGE_URL, page};
use limner_types::{Operation, request};
use serde_json::{Value, json};

/// Returns the declarations of a file, without comments and themes.
fn declarations(text: &str) -> Vec<&str> {
    let block = text.split_once('{').and_then(|(_, rest)| rest.split_once("\n}")).unwrap().0;
    block.lines().map(str::trim).filter(|line| line.starts_with("--")).collect()
}

fn of_page(format: &str, css: &str, body: &str) -> String {
    let pairs = [("url", PAGE_URL), ("format", format), ("scope", "page")];
    let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let request = request::parse(Operation::Extract, &pairs).unwrap().request;
    let page = page(&format!("<style>{css}</style>{body}"));
    String::from_utf8(crate::extract(&PageView::new(&page), &request).unwrap().body).unwrap()
}

const ALIASES: &str = ":root{--white:#fff;--bg:var(--white);--surface:#fff;--ink:#111;--brand:#ffc800;--link:var(--brand)}
    @media(prefers-color-scheme:dark){:root{--bg:#000}}
    p{color:var(--ink);background:var(--bg);border-color:var(--link)}.modal{--modal-bg:#fff;background:var(--modal-bg)}";

#[test]
fn further_names_of_a_value_are_aliases() {
    let css = file("css", ALIASES);
    for expected in [
        "--white: #ffffff;",
        "--surface: var(--white);",
        "--bg: var(--white);",
        "--brand: #ffc800;",
        "--link: var(--brand);",
        "--modal-bg: var(--white);",
    ] {
        assert!(declarations(&css).contains(&expected), "{expected} in {css}");
    }
    // The value of a theme is on the name that has it.
    assert!(css.contains("  :root {\n    --bg: #000000;\n  }"), "{css}");
    let (page, rest) = css.split_once("The rest of the stylesheets").unwrap();
    assert!(page.contains("--surface:") && rest.contains("--modal-bg:"), "{css}");
    assert!(!of_page("css", ALIASES, "<p>a").contains("--modal-bg"));
    let theme = file("tailwind", ALIASES);
    assert!(theme.contains("--color-bg: var(--color-white);") && theme.contains("--color-bg: #000000;"), "{theme}");
    let dtcg: Value = serde_json::from_str(&file("dtcg", ALIASES)).unwrap();
    assert_eq!(dtcg["color"]["link"]["$value"], "{color.brand}");
    assert_eq!(dtcg["color"]["brand"]["$value"]["hex"], "#ffc800");
    assert_eq!(dtcg["dark"]["color"]["bg"]["$value"]["hex"], "#000000");
}

#[test]
fn names_that_builders_generate_name_no_values() {
    const ID: &str = "--token-7d46519b-7ae3-4c0a-9383-88033d4deee8";
    let declared = format!(
        ":root{{{ID}:#ffc800;--e-global-color-75ddf03:#123456;--e-global-color-primary:#123456}}
         p{{color:var({ID});fill:var(--e-global-color-75ddf03);stroke:var(--e-global-color-primary)}}"
    );
    let css = file("css", &declared);
    assert!(!css.contains("--token") && !css.contains("75ddf03"), "{css}");
    assert!(declarations(&css).contains(&"--e-global-color-primary: #123456;") && css.contains(": #ffc800;"), "{css}");
    // A theme is on its own name.
    let themed = file("css", &format!("{declared}@media(prefers-color-scheme:dark){{:root{{{ID}:#111}}}}"));
    assert!(themed.contains(&format!("{ID}: #111111;")), "{themed}");
}

/// A name whose value differs in dark is no alias of one that has the value in both.
#[test]
fn names_that_part_in_a_theme_are_no_aliases() {
    let css = file(
        "css",
        ":root{--a:#fff;--b:#fff}@media(prefers-color-scheme:dark){:root{--a:#111;--b:#222}}p{color:var(--a);fill:var(--b)}",
    );
    assert!(declarations(&css).contains(&"--a: #ffffff;") && declarations(&css).contains(&"--b: #ffffff;"), "{css}");
}

/// A value that a name has in dark only is lost if that name is its only one: it applies in light as well.
#[test]
fn values_of_both_themes_are_no_names_of_one() {
    let css = ":root{--ink:#111}@media(prefers-color-scheme:dark){:root{--ink:#fff}}
               body{background:white;color:var(--ink)}";
    let text = file("css", css);
    assert_eq!(declarations(&text), ["--color-white: #ffffff;", "--ink: #111111;"], "{text}");
    assert!(text.contains("  :root {\n    --ink: #ffffff;\n  }"), "{text}");
    let dtcg: Value = serde_json::from_str(&file("dtcg", css)).unwrap();
    assert_eq!(dtcg["color"]["white"]["$value"]["hex"], "#ffffff");
    // A value of dark alone has the name that it has there.
    let text = file("css", ":root{--ink:#111}@media(prefers-color-scheme:dark){:root{--ink:#fff}}p{color:var(--ink)}");
    assert_eq!(declarations(&text), ["--ink: #111111;"], "{text}");
}

#[test]
fn utility_classes_and_variables_name_values() {
    let css = ".card{padding:3rem;color:#123456}.text-xs{font-size:.75rem;line-height:1rem}.bg-slate-700{--o:1;background-color:rgb(51 65 85/var(--o))}
        .rounded-lg{border-radius:.5rem}.shadow-md{box-shadow:0 4px 6px #0003}.fw-bold{font-weight:700!important}
        .p-4{padding:1rem}.mt-2{margin-top:.5rem}:root{--space-6:1.5rem}.p-6{padding:var(--space-6)}";
    let body = "<p class='text-xs bg-slate-700 rounded-lg shadow-md fw-bold p-4 card'><b class='mt-2 p-6'>a</b><i class=card>b</i>";
    let theme = of_page("tailwind", css, body);
    assert_eq!(
        declarations(&theme),
        [
            "--color-slate-700: #334155;",
            "--color-blue-950: #123456;",
            "--color-black-a20: #00000033;",
            "--text-xs: 0.75rem;",
            "--font-weight-bold: 700;",
            "--leading-1rem: 1rem;",
            "--spacing-2: 0.5rem;",
            "--spacing-4: 1rem;",
            "--spacing-6: 1.5rem;",
            "--spacing-3rem: 3rem;",
            "--radius-lg: 0.5rem;",
            "--shadow-md: 0 4px 6px 0 #00000033;",
        ]
    );
}

#[test]
fn opacities_are_those_of_the_author() {
    let css = "p{color:rgba(23,19,43,.06);background:rgb(0 0 0/18%);box-shadow:0 0 1px rgb(0 0 0/.3),0 0 2px #0003}";
    let found: Value = serde_json::from_str(&of_page("dtcg", css, "<p>a")).unwrap();
    let alphas: Vec<&Value> =
        found["color"].as_object().unwrap().values().map(|token| &token["$value"]["alpha"]).collect();
    assert_eq!(alphas, [&json!(0.3), &json!(0.2), &json!(0.18), &json!(0.06)]);
    let text = of_page("css", css, "<p>a");
    for expected in ["rgb(23 19 43 / 0.06)", "rgb(0 0 0 / 0.18)", "0 0 1px 0 rgb(0 0 0 / 0.3), 0 0 2px 0 #00000033"] {
        assert!(text.contains(expected), "{expected} in {text}");
    }
}

const THEMED: &str = ":root{--brand:#5b3df5;--bg:#fff;--space-4:1rem;--radius-md:8px}
    @media(prefers-color-scheme:dark){:root{--bg:#111}}
    body{background:var(--bg);font:16px/1.5 Inter,sans-serif;padding:var(--space-4)}
    h1{font-size:2rem;letter-spacing:-.5px}.btn{background:var(--brand);color:#fff;padding:8px 1rem;border-radius:var(--radius-md)}
    .card{box-shadow:0 1px 2px #0003;margin:5%}@media(min-width:600px){.card{padding:2rem}}";
const THEMED_BODY: &str = "<h1>a</h1><p>b<p>c<a class=btn>d</a><button class=btn>e</button><div class=card>f</div>";

#[test]
fn resolver_document_has_themes_as_contexts() {
    let found: Value = serde_json::from_str(&of_page("dtcg-resolver", THEMED, THEMED_BODY)).unwrap();
    let value = |path: &str| found.pointer(path).unwrap_or_else(|| panic!("{path} in {found:#}"));
    assert_eq!(value("/version"), "2025.10");
    assert_eq!(value("/sets/base/sources/0/color/bg/$value/hex"), "#ffffff");
    assert_eq!(value("/modifiers/theme/contexts/dark/0/color/bg/$value/hex"), "#111111");
    // Readers may merge it with the colour that it replaces.
    assert_eq!(value("/modifiers/theme/contexts/dark/0/color/bg/$value/alpha"), 1);
    assert_eq!(value("/modifiers/theme/contexts/light"), &json!([]));
    assert_eq!(value("/modifiers/theme/default"), "light");
    assert_eq!(value("/resolutionOrder"), &json!([{ "$ref": "#/sets/base" }, { "$ref": "#/modifiers/theme" }]));
    assert!(found["sets"]["base"]["sources"][0].get("dark").is_none(), "{found:#}");
    let plain: Value = serde_json::from_str(&of_page("dtcg-resolver", "p{color:red}", "<p>a")).unwrap();
    assert!(plain.get("modifiers").is_none() && plain["resolutionOrder"].as_array().unwrap().len() == 1, "{plain:#}");
}

#[test]
fn text_styles_are_composite_tokens() {
    let found: Value = serde_json::from_str(&of_page("dtcg", THEMED, THEMED_BODY)).unwrap();
    assert_eq!(
        found["typography"]["h1"],
        json!({
            "$type": "typography",
            "$value": {
                "fontFamily": ["Inter", "sans-serif"],
                "fontSize": { "value": 2, "unit": "rem" },
                "fontWeight": 700,
                "lineHeight": 1.5,
                "letterSpacing": { "value": -0.5, "unit": "px" },
            },
            "$extensions": { "dev.limner": { "used": 1 } },
        })
    );
    assert_eq!(found["typography"]["body"]["$value"]["fontSize"], json!({ "value": 16, "unit": "px" }));
}

#[test]
fn text_styles_that_dtcg_lacks_are_listed_in_css() {
    let css = "h1{font:700 2em/1.2 Inter;letter-spacing:-.02em}";
    let found: Value = serde_json::from_str(&of_page("dtcg", css, "<h1>a</h1>")).unwrap();
    let left_out = found["$extensions"]["dev.limner"]["unrepresented"].as_array().unwrap();
    let own: Vec<&Value> = left_out.iter().filter(|own| own["group"] == "typography").collect();
    let value = "font-family: Inter; font-size: 2em; font-weight: 700; line-height: 1.2; letter-spacing: -0.02em";
    assert_eq!(own, [&json!({ "group": "typography", "name": "h1", "value": value })]);
    assert!(found.get("typography").is_none(), "{found:#}");
}

const COMPOSITES: &str = ":root{--line:#e5e7eb}.a{border:1px solid var(--line);transition:color .2s ease,opacity 300ms cubic-bezier(.4,0,.2,1) 50ms}
    .b{border-top:2px dashed red;transition:all 1s steps(2)}.c{border:1em solid red}.d{border:1px solid var(--line);border-left-style:none}
    .e{border:1px solid red;border-color:blue;transition:none}.f{border-width:3px;border-style:solid;border-color:lime}";
const COMPOSITES_BODY: &str = "<p class=a>a<p class=a>b<p class=b>c<p class=c>d<p class=d>e<p class=e>f<p class=f>g";

/// Values of one declaration are one token, unless another declaration changes a part of them.
#[test]
fn borders_and_transitions_are_composite_tokens() {
    let found: Value = serde_json::from_str(&of_page("dtcg", COMPOSITES, COMPOSITES_BODY)).unwrap();
    let names = |group: &str| found[group].as_object().unwrap().keys().map(String::as_str).collect::<Vec<_>>();
    assert_eq!(names("border"), ["1px-line", "2px-dashed-red-500"]);
    assert_eq!(
        found["border"]["1px-line"],
        json!({
            "$type": "border",
            "$value": {
                "color": { "colorSpace": "srgb", "components": [0.898039, 0.905882, 0.921569], "hex": "#e5e7eb" },
                "width": { "value": 1, "unit": "px" },
                "style": "solid",
            },
            "$extensions": { "dev.limner": { "used": 3 } },
        })
    );
    assert_eq!(names("transition"), ["200ms-ease", "300ms-curve-after-50ms"]);
    assert_eq!(
        found["transition"]["300ms-curve-after-50ms"],
        json!({
            "$type": "transition",
            "$value": {
                "duration": { "value": 300, "unit": "ms" },
                "delay": { "value": 50, "unit": "ms" },
                "timingFunction": [0.4, 0, 0.2, 1],
            },
            "$extensions": { "dev.limner": { "used": 2 } },
        })
    );
    let left_out = found["$extensions"]["dev.limner"]["unrepresented"].as_array().unwrap();
    for (group, value) in [("border", "1em solid #ff0000"), ("transition", "1000ms steps(2)")] {
        assert!(left_out.iter().any(|own| own["group"] == group && own["value"] == value), "{left_out:#?}");
    }
    let json: Value = serde_json::from_str(&of_page("json", COMPOSITES, COMPOSITES_BODY)).unwrap();
    let composites = &json["composites"];
    assert_eq!(
        composites["borders"],
        json!({
            "1px solid #e5e7eb": { "width": "1px", "style": "solid", "color": "#e5e7eb", "used": 3 },
            "1em solid #ff0000": { "width": "1em", "style": "solid", "color": "#ff0000", "used": 1 },
            "2px dashed #ff0000": { "width": "2px", "style": "dashed", "color": "#ff0000", "used": 1 },
        })
    );
    assert_eq!(composites["transitions"]["200ms ease"]["used"], 2);
}

#[test]
fn design_file_has_tokens_and_evidence() {
    let text = of_page("design-md", THEMED, THEMED_BODY);
    let (front, sections) = text.strip_prefix("---\n").unwrap().split_once("\n---\n").unwrap();
    for line in [
        "version: alpha",
        "name: \"page.example\"",
        "  \"primary\": \"#5b3df5\"",
        "  \"brand\": \"#5b3df5\"",
        "  h1:",
        "    fontFamily: \"Inter, sans-serif\"",
        "    fontSize: \"2rem\"",
        "    fontWeight: 700",
        "    lineHeight: 1.5",
        "    letterSpacing: \"-0.5px\"",
        "rounded:\n  \"md\": \"8px\"",
        "  \"4\": \"1rem\"",
        "    backgroundColor: \"{colors.brand}\"",
        "    textColor: \"#ffffff\"",
        "    rounded: \"{rounded.md}\"",
        "    padding: \"8px 1rem\"",
    ] {
        assert!(format!("{front}\n").contains(&format!("{line}\n")), "{line} in {text}");
    }
    // The format has no percentages.
    assert!(!front.contains("5%"), "{text}");
    for line in [
        "- **brand** `#5b3df5`: `--brand`, 2 elements, as `background-color`, in `.btn`.",
        "- **bg** `#ffffff`: `--bg`, `#111111` in dark, ",
        "- **h1**: Inter, sans-serif, 2rem, 700, 1.5, -0.5px. 1 element.",
        "The layout changes at 600px.",
        "## Elevation & Depth\n\n- **drop** `0 1px 2px 0 #00000033`: 1 element, as `box-shadow`, in `.card`.",
    ] {
        assert!(sections.contains(line), "{line} in {text}");
    }
    let headings: Vec<&str> = sections.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    let expected = ["Overview", "Colors", "Typography", "Layout", "Elevation & Depth", "Shapes", "Components"];
    assert_eq!(headings, expected, "{text}");
}

/// Text of the page ends no line, no code and no front matter.
#[test]
fn design_file_is_safe_from_its_page() {
    let css = "p{font-family:'a\\a ---\\a `<b>';color:red}.x\\`y{color:red}[title='<script>`']{color:red}";
    let text = of_page("design-md", css, "<p class='x`y' title='<script>`'>a");
    assert_eq!(text.matches("\n---\n").count(), 1, "{text}");
    assert!(!text.contains("<script") && !text.contains("<b>`") && !text.contains("\n`"), "{text}");
}

#[test]
fn primary_color_of_a_design_file_may_be_another_name_of_a_value() {
    let css = ":root{--link:#ffc800;--primary:#ffc800;--ink:#212529}a{color:var(--link)}p{color:var(--ink)}\
               button{background:var(--ink)}";
    let text = of_page("design-md", css, "<a>a</a><a>b</a><p>c</p><button>d</button>");
    assert!(text.contains("\"primary\": \"#ffc800\""), "{text}");
}

#[test]
fn files_tell_what_results_have_besides_values() {
    let shown = |format: &str, is_read_whole: bool| {
        let pairs = [("url", PAGE_URL), ("format", format)].map(|(name, value)| (name.to_owned(), value.to_owned()));
        let request = request::parse(Operation::Extract, &pairs).unwrap().request;
        let mut page = page("<style>p{color:#111}</style><p>Text");
        if !is_read_whole {
            page.screenshot = Some("https://shots.example/*/1.png".to_owned());
            page.screenshot_cut = true;
        }
        String::from_utf8(crate::extract(&PageView::new(&page), &request).unwrap().body).unwrap()
    };
    let hint = "The screenshot shows the upper part of the page";
    for format in ["css", "tailwind", "design-md", "dtcg", "dtcg-resolver"] {
        let whole = shown(format, true);
        let lower = whole.to_lowercase();
        assert!(!lower.contains("screenshot") && !lower.contains("hint"), "{format}: {whole}");
        let cut = shown(format, false);
        assert!(cut.contains(hint) && cut.contains("https://shots.example/"), "{format}: {cut}");
        match format {
            "css" | "tailwind" => assert!(cut.contains("/* Screenshot: https://shots.example/*%2F1.png */\n"), "{cut}"),
            "design-md" => assert!(cut.contains("\n\nScreenshot: "), "{cut}"),
            _ => {
                let file: Value = serde_json::from_str(&cut).unwrap();
                let own = &file["$extensions"]["dev.limner"];
                assert_eq!(own["screenshot"], "https://shots.example/*/1.png", "{own}");
                assert!(own["hint"].as_str().unwrap().starts_with(hint) && own["unrepresented"].is_array(), "{own}");
            }
        }
    }
}
