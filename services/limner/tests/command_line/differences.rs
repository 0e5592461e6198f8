//! `limner diff`.

use super::{extract, limner, site, text};
use limner_testkit::{CannedResponse, OriginServer};
use serde_json::Value;
use std::path::Path;
use std::process::Output;

async fn diff(folder: &Path, args: &[&str]) -> Output {
    let config = folder.join("limner.toml");
    let mut command = limner(&[&["diff"], args, &["--config", config.to_str().unwrap()]].concat());
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

/// Shows a page with a brand of its own: the colour of its button, and of its links if there are any.
fn show(site: &OriginServer, button: &str, gap: &str) {
    let page = format!(
        "<!doctype html><title>Lamps</title><style>:root{{--glow:{button};--gap:{gap}}}body{{background:#fff;color:#222}}\
         .cta{{background:var(--glow);color:#fff;padding:var(--gap)}}h1{{margin:var(--gap)}}</style>\
         <main><section id=hero><h1>Light for long evenings</h1><p>All the words that a hero needs to be one.</p>\
         <a class=cta href=/go>See the lamps</a></section></main>"
    );
    site.on("/", CannedResponse::html(page));
}

#[tokio::test]
async fn page_is_compared_with_an_earlier_result() {
    let (site, folder) = site().await;
    let kept = |name: &str| folder.path().join(name);
    show(&site, "#d9622b", "16px");
    for (operation, framework) in [("tokens", None), ("brand", None), ("code", Some("html"))] {
        let options: Vec<&str> = framework.map(|framework| ["--framework", framework]).into_iter().flatten().collect();
        let output =
            extract(folder.path(), &[&[operation, "http://site.test/", "--json"], &options[..]].concat()).await;
        assert!(output.status.success(), "{}", text(&output.stderr));
        std::fs::write(kept(&format!("{operation}.json")), &output.stdout).unwrap();
    }
    let files = ["tokens.json", "brand.json", "code.json"].map(|name| kept(name).to_str().unwrap().to_owned());
    let [tokens, brand, code] = &files;
    for file in &files {
        let output = diff(folder.path(), &[file, "http://site.test/"]).await;
        assert_eq!(output.status.code(), Some(0), "{file}: {}{}", text(&output.stdout), text(&output.stderr));
        assert!(text(&output.stdout).contains("No differences"), "{}", text(&output.stdout));
    }

    // One step of a channel is not seen.
    show(&site, "#d9632b", "16px");
    assert_eq!(diff(folder.path(), &[tokens, "http://site.test/"]).await.status.code(), Some(0));
    let exact = diff(folder.path(), &[tokens, "http://site.test/", "--tolerance", "0"]).await;
    assert_eq!(exact.status.code(), Some(1), "{}", text(&exact.stdout));

    show(&site, "#2b62d9", "24px");
    let output = diff(folder.path(), &[tokens, "http://site.test/"]).await;
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{shown}");
    for part in [
        "~ --glow  ",
        "#d9622b → ",
        "#2b62d9",
        "ΔE ",
        "~ --gap  16px → 24px",
        "2 differences: 2 changed",
        "Drift: --threshold allows 0.",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let output = diff(folder.path(), &[tokens, "http://site.test/", "--threshold", "2", "--json"]).await;
    assert_eq!(output.status.code(), Some(0), "as many as are allowed");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&found["drift"], &found["count"], &found["operation"]), (&false.into(), &2.into(), &"tokens".into()));
    let glow = found["differences"].as_array().unwrap().iter().find(|one| one["name"] == "--glow").unwrap();
    assert_eq!(
        (&glow["before"], &glow["after"], &glow["change"]),
        (&"#d9622b".into(), &"#2b62d9".into(), &"changed".into())
    );
    assert!(glow["deltaE"].as_f64().unwrap() > 20.0, "{glow}");

    let shown = text(&diff(folder.path(), &[brand, "http://site.test/"]).await.stdout);
    assert!(shown.contains("~ primary  ") && shown.contains("#2b62d9"), "{shown}");
    assert!(shown.contains("contrast") && shown.contains("#ffffff on #2b62d9"), "{shown}");
    let shown = text(&diff(folder.path(), &[code, "http://site.test/"]).await.stdout);
    // The component keeps the page's custom properties.
    assert!(shown.contains("~ --glow  ") && shown.contains("~ --gap  16px → 24px"), "{shown}");
    // A selector that is gone is no drift but an error.
    site.on("/", CannedResponse::html("<!doctype html><title>Other</title><p>Nothing of it is left here.</p>"));
    let output = diff(folder.path(), &[code, "http://site.test/"]).await;
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
    assert!(text(&output.stderr).contains("not_found"), "{}", text(&output.stderr));
    let output = diff(folder.path(), &[tokens, brand]).await;
    let said = format!("{tokens} is a result of `tokens`, but {brand} is a result of `brand`");
    assert!(text(&output.stderr).contains(&said), "{}", text(&output.stderr));
    assert_eq!(output.status.code(), Some(2));
    let output = diff(folder.path(), &[tokens, "http://site.test/", "--op", "brand"]).await;
    let said = format!("--op is `brand`, but {tokens} is a result of `tokens`");
    assert!(text(&output.stderr).contains(&said), "{}", text(&output.stderr));
    assert_eq!(output.status.code(), Some(2));
}

#[tokio::test]
async fn earlier_result_is_compared_with_the_same_scope() {
    let (site, folder) = site().await;
    show(&site, "#d9622b", "16px");
    for options in [["code", "page"], ["brand", "all"]] {
        let [operation, scope] = options;
        let framework: &[&str] = if operation == "code" { &["--framework", "html"] } else { &[] };
        let options = [&[operation, "http://site.test/", "--scope", scope, "--json"], framework].concat();
        let output = extract(folder.path(), &options).await;
        let file = folder.path().join("earlier.json");
        std::fs::write(&file, &output.stdout).unwrap();
        for given in [&[][..], &["--scope", scope]] {
            let sides = [&[file.to_str().unwrap(), "http://site.test/"], given].concat();
            let output = diff(folder.path(), &sides).await;
            assert_eq!(output.status.code(), Some(0), "{sides:?}: {}{}", text(&output.stdout), text(&output.stderr));
        }
    }
}

#[tokio::test]
async fn only_the_fields_of_an_earlier_result_are_compared() {
    let (site, folder) = site().await;
    show(&site, "#d9622b", "16px");
    for operation in ["tokens", "brand"] {
        let output = extract(folder.path(), &[operation, "http://site.test/", "--fields", "colors", "--json"]).await;
        let file = folder.path().join(format!("{operation}.json"));
        std::fs::write(&file, &output.stdout).unwrap();
        let file = file.to_str().unwrap();
        let output = diff(folder.path(), &[file, "http://site.test/"]).await;
        let shown = text(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{shown}{}", text(&output.stderr));
        assert!(shown.contains("Only colors") && shown.contains("No differences."), "{shown}");
        let output = diff(folder.path(), &[file, "http://site.test/", "--fields", "logo"]).await;
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
    }
    site.on("/other", CannedResponse::html("<title>x</title><style>p{color:#d9622b;margin:3px}</style><p>Some words."));
    let sides = ["http://site.test/", "http://site.test/other", "--fields", "spacing", "--json"];
    let found: Value = serde_json::from_slice(&diff(folder.path(), &sides).await.stdout).unwrap();
    assert_eq!(found["fields"], serde_json::json!(["spacing"]));
    let groups: Vec<&Value> = found["differences"].as_array().unwrap().iter().map(|one| &one["group"]).collect();
    assert!(!groups.is_empty() && groups.iter().all(|group| *group == "spacing"), "{groups:?}");
}

#[tokio::test]
async fn two_pages_are_compared() {
    let (site, folder) = site().await;
    show(&site, "#d9622b", "16px");
    let hostile = "<!doctype html><title>x</title><style>:root{--e\\1b x:4px;--glow:#d9622b}a{padding:var(--e\\1b x);color:var(--glow)}\
        b{font-family:'z\\1b [2J'}</style><p>Some words.<a href=/>Go</a><b>b</b>";
    site.on("/other", CannedResponse::html(hostile));
    let output = diff(folder.path(), &["http://site.test/", "http://site.test/other"]).await;
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(shown.contains("- --gap") && shown.contains('\u{fffd}'), "{shown}");
    assert!(!shown.chars().any(|c| c.is_control() && c != '\n'), "{shown:?}");
}
