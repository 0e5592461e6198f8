//! The picture in README.md: the answers about the demo page, drawn from nothing else.

#![expect(clippy::unwrap_used, reason = "a test may fail anywhere")]

use limner_testkit::{CannedResponse, OriginServer};
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

const WIDTH: usize = 880;
const HEIGHT: usize = 500;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Serves the files of the demo page.
async fn demo() -> OriginServer {
    let site = OriginServer::start().await;
    site.fallback(|request| {
        let path = if request.path == "/" { "/index.html" } else { &request.path };
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("demo").join(&path[1..]);
        let kind = match file.extension().and_then(|extension| extension.to_str()) {
            Some("html") => "text/html; charset=utf-8",
            Some("css") => "text/css",
            Some("svg") => "image/svg+xml",
            Some("png") => "image/png",
            Some("woff2") => "font/woff2",
            _ => "application/octet-stream",
        };
        match std::fs::read(file) {
            Ok(bytes) => CannedResponse::new(kind, bytes),
            Err(_) => CannedResponse::html("<p>Not found").status(404),
        }
    });
    site
}

async fn answer(config: &Path, args: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_limner"));
    command
        .arg("extract")
        .args(args)
        .args(["http://demo.limner.test/", "--json", "--no-browser", "--config"])
        .arg(config);
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A drawing, from top to bottom.
struct Drawing(String);

impl Drawing {
    fn text(&mut self, x: usize, y: usize, class: &str, text: &str) {
        writeln!(self.0, "<text x=\"{x}\" y=\"{y}\" class=\"{class}\">{}</text>", escaped(text)).unwrap();
    }

    fn swatch(&mut self, (x, y): (usize, usize), (width, height): (usize, usize), color: &str) {
        let shape = format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"6\"");
        writeln!(self.0, "<rect {shape} fill=\"{color}\" stroke=\"#0000001f\"/>").unwrap();
    }
}

fn draw(brand: &Value, tokens: &Value, code: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut drawing = Drawing(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\">\n\
         <title>Brand, tokens and a component of the demo page, as limner extract returns them</title>\n\
         <style>text{{font:13px system-ui,sans-serif;fill:#24292f}}.h{{font-weight:600;font-size:15px}}.d{{fill:#57606a}}\
         .c{{font:12px ui-monospace,monospace;white-space:pre}}</style>\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"12\" fill=\"#ffffff\" stroke=\"#d0d7de\"/>\n"
    ));
    drawing.text(24, 38, "c d", "limner extract brand");
    drawing.text(24, 64, "h", &text(&brand["siteName"]));
    let roles = ["primary", "accent", "background", "text"].map(|role| (role, text(&brand["colors"][role])));
    for (at, (role, color)) in roles.iter().filter(|(_, color)| !color.is_empty()).enumerate() {
        let x = 24 + 104 * at;
        drawing.swatch((x, 80), (92, 52), color);
        drawing.text(x, 150, "", role);
        drawing.text(x, 168, "c d", color);
    }
    for (at, role) in ["heading", "primary"].iter().enumerate() {
        let font = text(&brand["fonts"][*role]);
        let label = if *role == "heading" { "headings" } else { "text" };
        drawing.text(24, 200 + 20 * at, "", &format!("{label}: {font}"));
    }
    drawing.text(456, 38, "c d", "limner extract tokens");
    let mut colors: Vec<(&String, &Value)> = tokens["colors"].as_object().unwrap().iter().collect();
    colors.sort_by_key(|(_, usage)| std::cmp::Reverse(usage["used"].as_u64()));
    for (at, (color, usage)) in colors.iter().take(8).enumerate() {
        let (x, y) = (456 + 204 * (at / 4), 56 + 30 * (at % 4));
        drawing.swatch((x, y), (22, 22), color);
        let (name, scheme) = (text(&usage["variables"][0]), text(&usage["themes"][0]));
        drawing.text(x + 32, y + 16, "c", &format!("{name} {scheme}"));
    }
    let sizes: Vec<String> = tokens["fontSizes"].as_object().unwrap().keys().take(4).cloned().collect();
    drawing.text(456, 200, "", &format!("sizes: {}", sizes.join(", ")));
    let families: Vec<&str> =
        tokens["fontFamilies"].as_object().unwrap().keys().filter_map(|family| family.split(',').next()).collect();
    drawing.text(456, 220, "", &format!("families: {}", families.join(", ")));
    drawing.text(24, 262, "c d", "limner extract code --framework jsx");
    for (at, line) in text(&code["code"]).lines().take(12).enumerate() {
        let line: String =
            if line.chars().count() > 112 { line.chars().take(111).chain(['…']).collect() } else { line.to_owned() };
        drawing.text(24, 286 + 17 * at, "c", &line);
    }
    drawing.0 + "</svg>\n"
}

#[tokio::test]
async fn picture_of_the_readme_shows_the_answers_of_today() {
    let site = demo().await;
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("limner.toml");
    let settings = format!(
        "[egress]\nallow = [\"127.0.0.1/32\"]\n[egress.hosts]\n\"demo.limner.test\" = \"{}\"\n",
        site.address()
    );
    std::fs::write(&config, settings).unwrap();
    let brand = answer(&config, &["brand"]).await;
    let tokens = answer(&config, &["tokens", "--scope", "page"]).await;
    let code = answer(&config, &["code", "--framework", "jsx"]).await;
    let drawn = draw(&brand, &tokens, &code);
    let kept = root().join("docs/examples/answers.svg");
    if std::env::var("LIMNER_EXAMPLES").is_ok_and(|wish| wish == "write") {
        std::fs::write(&kept, &drawn).unwrap();
    }
    assert!(
        std::fs::read_to_string(&kept).unwrap_or_default() == drawn,
        "{} is not of today: LIMNER_EXAMPLES=write cargo nextest run -p limner --test picture",
        kept.display()
    );
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    assert!(readme.contains("(docs/examples/answers.svg)"), "README.md shows it");
}
