//! `limner extract code`: files and pipes.

use super::{extract, extract_on_terminal, site, text};
use limner_testkit::CannedResponse;
use scraper::{Html, Selector};

#[tokio::test]
async fn component_is_written_as_files_of_its_framework() {
    let (site, folder) = site().await;
    let page = "<!doctype html><main><section><h1>Ship it</h1><p>All the words that a hero needs to be one.</p><img src=a.png></section></main>";
    site.on("/hero/", CannedResponse::html(page));
    let out = folder.path().join("out");
    let asked =
        ["code", "http://site.test/hero/", "--framework", "jsx", "--name", "Landing", "--out", out.to_str().unwrap()];
    let output = extract(folder.path(), &asked).await;
    assert!(output.status.success(), "{}", text(&output.stderr));
    let read = |name: &str| std::fs::read_to_string(out.join(name)).unwrap();
    for (name, part) in [
        ("Landing.jsx", "export default function Landing"),
        ("assets.json", "http://site.test/hero/a.png"),
        ("code.json", "\"framework\": \"jsx\""),
    ] {
        assert!(read(name).contains(part), "{name}: {}", read(name));
    }
    let preview = Html::parse_document(&read("index.html"));
    let headings: Vec<String> = preview.select(&Selector::parse("h1").unwrap()).map(|h1| h1.inner_html()).collect();
    assert_eq!(headings, ["Ship it"], "{}", preview.html());
    assert_eq!(preview.select(&Selector::parse("[classname]").unwrap()).count(), 0, "{}", preview.html());
    let summary = text(&output.stdout);
    assert!(summary.contains("jsx component of") && !summary.contains("--out"), "{summary}");
    let written = format!("Written to {}: Landing.jsx, assets.json, index.html, code.json", out.display());
    assert!(text(&output.stderr).contains(&written), "{}", text(&output.stderr));
    assert!(extract(folder.path(), &asked).await.status.success(), "an earlier result is replaced");
    let home = folder.path().join("home");
    std::fs::create_dir(&home).unwrap();
    std::fs::write(home.join("index.html"), "a home page").unwrap();
    for _ in 0..2 {
        let sheet = ["tokens", "http://site.test/hero/", "--format", "css", "--out", home.to_str().unwrap()];
        assert!(extract(folder.path(), &sheet).await.status.success(), "names of its own");
    }
    let output = extract(folder.path(), &["code", "http://site.test/hero/", "--out", home.to_str().unwrap()]).await;
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("has index.html already"), "{}", text(&output.stderr));
    assert_eq!(std::fs::read_to_string(home.join("index.html")).unwrap(), "a home page");
    assert_eq!(std::fs::read_dir(&home).unwrap().count(), 2, "nothing of the component was written");
    let (_, seen) = extract_on_terminal(folder.path(), &["code", "http://site.test/hero/"]).await;
    assert!(seen.contains("--out DIR writes it") && seen.contains("--print prints it"), "{seen}");
}

#[tokio::test]
async fn component_in_a_pipe_is_its_code() {
    let (site, folder) = site().await;
    let page = "<!doctype html><style>h1{color:#d9622b;animation:a 1s}@keyframes a{to{opacity:0}}</style><main><section>\
        <h1>Ship it</h1><p>All the words that a hero needs to be one.</p></section></main>";
    site.on("/hero/", CannedResponse::html(page));
    let code = async |more: &[&str]| {
        let output = extract(folder.path(), &[&["code", "http://site.test/hero/"], more].concat()).await;
        assert!(output.status.success(), "{}", text(&output.stderr));
        (text(&output.stdout), text(&output.stderr))
    };
    let (html, _) = code(&["--framework", "html"]).await;
    assert!(html.starts_with("<style>\n") && html.contains("@keyframes") && html.contains("#d9622b"), "{html}");
    let page = Html::parse_document(&html);
    assert_eq!(page.select(&Selector::parse("section > h1").unwrap()).count(), 1, "{html}");
    assert!(!html.contains("http://site.test/hero/\n"), "no summary: {html}");
    let (jsx, note) = code(&["--framework", "jsx"]).await;
    assert!(jsx.starts_with("export default function"), "{jsx}");
    assert!(note.contains("stylesheet is not printed"), "{note}");
    let (vue, _) = code(&["--framework", "vue"]).await;
    assert!(vue.contains("<template>") && vue.trim_end().ends_with("</style>"), "{vue}");
    let (narrowed, _) = code(&["--fields", "selector"]).await;
    assert!(narrowed.contains("selector") && !narrowed.contains("<section"), "{narrowed}");
    let (_, printed) =
        extract_on_terminal(folder.path(), &["code", "http://site.test/hero/", "--framework", "jsx", "--print"]).await;
    assert!(printed.contains("export default function") && !printed.contains("component of"), "{printed}");
}
