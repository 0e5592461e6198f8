//! The files of `--out`.

use super::{extract, site, text, walk};
use limner_testkit::CannedResponse;
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

/// Returns the files below a directory, by their paths in it.
fn names(folder: &Path) -> Vec<String> {
    let path = |file: &std::path::PathBuf| file.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
    let mut names: Vec<String> = walk(folder).iter().map(path).collect();
    names.sort();
    names
}

const GALLERY: &str = "<!doctype html><title>Gallery</title><style>@font-face{font-family:'Lamp Sans';font-weight:600;\
    src:url(/f/x1.woff2) format('woff2')}</style>\
    <img src=/1f3a.png alt='A Lamp'><img src=/2b4c alt='a lamp'><img src=/wide%20shot.webp><img src=/run.sh alt='../../x'>\
    <img src=/gone.png alt=Gone><img src=/page.png alt=Page><img src=http://10.0.0.1/private.png alt=Private>\
    <img src='data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==' alt=Dot width=9 height=9>\
    <svg viewBox='0 0 1 1' class='icon icon-cart'><path d='M0 0h1'/></svg>\
    <svg viewBox='0 0 2 2'><title>A Bell</title><path d='M0 0h2'/></svg>\
    <iframe src=https://www.youtube.com/embed/abcdefghijk></iframe><video src=/film.mp4 title='The film'></video>";

#[tokio::test]
async fn files_that_a_result_lists_are_downloaded() {
    let (site, folder) = site().await;
    site.on("/", CannedResponse::html(GALLERY));
    for path in ["/1f3a.png", "/run.sh"] {
        site.on(path, CannedResponse::new(if path == "/run.sh" { "text/plain" } else { "image/png" }, path.to_owned()));
    }
    site.on("/2b4c", CannedResponse::new("image/jpeg; charset=binary", "jpeg"));
    site.on("/wide%20shot.webp", CannedResponse::new("application/octet-stream", "webp"));
    site.on("/page.png", CannedResponse::html("<p>Not found"));
    site.on("/f/x1.woff2", CannedResponse::new("font/woff2", "woff2"));
    site.on("/film.mp4", CannedResponse::new("video/mp4", "film"));
    let out = folder.path().join("out");
    let written = async |operation: &str, more: &[&str]| {
        let args = [&[operation, "http://site.test/", "--out", out.to_str().unwrap()], more].concat();
        let output = extract(folder.path(), &args).await;
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stderr)
    };
    let stderr = written("images", &["--no-download"]).await;
    assert_eq!(names(&out), ["images.json"]);
    assert_eq!(site.count("/1f3a.png"), 0, "{stderr}");

    for _ in 0..2 {
        let stderr = written("images", &[]).await;
        let mut images = names(&out.join("images"));
        images.retain(|name| !name.starts_with("favicon"));
        assert_eq!(images, ["a-lamp.jpg", "a-lamp.png", "dot.gif", "wide-shot.webp", "x.bin"], "{stderr}");
        for said in ["gone.png: the site answered 404", "page.png: the site answered with a page", "private.png: "] {
            assert!(stderr.contains(said), "{said}: {stderr}");
        }
    }
    assert_eq!(std::fs::read_to_string(out.join("images/a-lamp.jpg")).unwrap(), "jpeg");
    let list: Value = serde_json::from_slice(&std::fs::read(out.join("images.files.json")).unwrap()).unwrap();
    assert_eq!(list["http://site.test/1f3a.png"], "images/a-lamp.png");
    assert_eq!(list.get("http://site.test/gone.png"), None);

    // All operations can share a folder.
    written("svg", &["--no-download"]).await;
    assert_eq!(names(&out.join("svg")), ["a-bell.svg", "icon-cart.svg"]);
    written("fonts", &[]).await;
    assert_eq!(names(&out.join("fonts")), ["lamp-sans-600-normal.woff2"]);
    let stderr = written("videos", &[]).await;
    assert_eq!(names(&out.join("videos")), ["the-film.mp4"], "{stderr}");
    assert!(!stderr.contains("youtube"), "{stderr}");
}

#[tokio::test]
async fn file_of_tokens_has_the_extension_of_its_format() {
    let (_site, folder) = site().await;
    let out = folder.path().join("out");
    let out = out.to_str().unwrap();
    for format in ["json", "css", "tailwind", "dtcg", "dtcg-resolver", "design-md"] {
        for _ in 0..2 {
            let output =
                extract(folder.path(), &["tokens", "http://site.test/shop/", "--format", format, "--out", out]).await;
            assert!(output.status.success(), "{format}: {}", text(&output.stderr));
        }
    }
    let expected =
        ["DESIGN.md", "design.resolver.json", "design.tokens.json", "tailwind.css", "tokens.css", "tokens.json"];
    assert_eq!(names(Path::new(out)), expected);
    std::fs::write(Path::new(out).join("DESIGN.md"), "Ours, written by hand").unwrap();
    std::fs::remove_file(Path::new(out).join("tokens.json")).unwrap();
    let output =
        extract(folder.path(), &["tokens", "http://site.test/shop/", "--format", "design-md", "--out", out]).await;
    assert!(text(&output.stderr).contains("has DESIGN.md already"), "{}", text(&output.stderr));
}

#[tokio::test]
async fn downloads_and_batches_show_their_progress_on_a_terminal_only() {
    let (site, folder) = site().await;
    site.on("/", CannedResponse::html("<!doctype html><title>A</title><img src=/a.png><img src=/b.png>"));
    let slow = CannedResponse::html("<!doctype html><title>B</title><img src=/a.png>");
    site.on("/slow", slow.after(Duration::from_millis(300)));
    for (path, delay) in [("/a.png", 100), ("/b.png", 400)] {
        site.on(path, CannedResponse::new("image/png", "x").after(Duration::from_millis(delay)));
    }
    let out = folder.path().join("out");
    let out = out.to_str().unwrap();
    for (pages, things) in
        [(&["http://site.test/"][..], "files"), (&["http://site.test/", "http://site.test/slow"], "pages")]
    {
        let args = [&["images"], pages, &["--out", out, "--no-browser"]].concat();
        let (status, seen) = super::extract_on_terminal(folder.path(), &args).await;
        let steps = seen.matches(&format!(" {things} (")).count();
        assert!(status == Some(0) && seen.contains("/2 ") && steps > 1, "{things}: {steps} steps: {seen:?}");
        let piped = extract(folder.path(), &args).await;
        assert!(!text(&piped.stderr).contains("/2 "), "{}", text(&piped.stderr));
    }
}
