//! The benchmark's pages, with the content and sizes of real ones.

use limner_testkit::{CannedResponse, OriginServer};
use std::fmt::Write;

/// Paths of the pages, one of each kind.
pub(crate) const PAGES: [&str; 4] = ["/article", "/shop", "/app", "/docs"];

/// Paths of the pages that load or show more when they are scrolled.
pub(crate) const LAZY_PAGES: [&str; 2] = ["/shop", "/app"];

const LOREM_TEXT: &str = "Every lamp we make is turned by hand from ash that grew within a day's ride of the workshop, and is \
    wired, tested and packed by whoever turned it.";

/// Serves the pages on a site.
pub(crate) fn serve_pages(site: &OriginServer) {
    site.on("/article", CannedResponse::html(document("Article", "/base.css", &article())));
    site.on("/shop", CannedResponse::html(document("Shop", "/base.css", &shop())));
    site.on(
        "/app",
        CannedResponse::html(document("App", "/base.css", "<div id=root></div><script src=/app.js></script>")),
    );
    site.on("/docs", CannedResponse::html(document("Docs", "/docs.css", &docs())));
    site.on("/base.css", CannedResponse::css(sheet(600)));
    site.on("/docs.css", CannedResponse::css(format!("@import url(/base.css);\n{}", sheet(200))));
    site.on("/library.js", CannedResponse::new("text/javascript", library()));
    site.on("/app.js", CannedResponse::new("text/javascript", APP));
    site.on("/shop.js", CannedResponse::new("text/javascript", SHOP));
    site.on("/products.json", CannedResponse::json(products()));
    for n in 0..IMAGES {
        site.on(&format!("/picture-{n}.png"), CannedResponse::new("image/png", picture(n)));
    }
}

const IMAGES: usize = 24;

/// A page that builds itself from fetched data.
const APP: &str = r#"
const root = document.getElementById('root');
const make = (name, text, ...within) => {
  const element = document.createElement(name);
  element.className = 'c' + (text?.length ?? 0) % 40;
  if (text) element.textContent = text;
  element.append(...within);
  return element;
};
fetch('/products.json').then(answer => answer.json()).then(products => {
  const cards = products.map(({ name, text, picture }) => {
    const image = make('img');
    image.src = picture;
    image.loading = 'lazy';
    image.width = 300;
    image.height = 200;
    return make('article', '', image, make('h3', name), make('p', text), make('button', 'Order'));
  });
  root.append(make('header', '', make('h1', 'Lamps')), make('main', '', ...cards), make('footer', 'The workshop'));
});
"#;

/// A page that reveals parts when they scroll into view, and measures some.
const SHOP: &str = r#"
const seen = new IntersectionObserver(entries => {
  for (const { isIntersecting, target } of entries) if (isIntersecting) {
    target.classList.add('shown');
    target.style.setProperty('--width', target.getBoundingClientRect().width + 'px');
    seen.unobserve(target);
  }
});
document.querySelectorAll('article').forEach(card => seen.observe(card));
"#;

fn document(title: &str, sheet: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>{title}</title>\
         <meta name=viewport content=\"width=device-width\"><link rel=stylesheet href={sheet}>\
         <script src=/library.js defer></script></head><body>{body}</body></html>"
    )
}

fn navigation(entries: usize) -> String {
    let mut links = String::new();
    for n in 0..entries {
        let _ = write!(links, "<li class=c{}><a href=/chapter/{n}>Chapter {n}</a></li>", n % 40);
    }
    format!("<nav class=c1><ul>{links}</ul></nav>")
}

fn article() -> String {
    let mut text = String::new();
    for n in 0..40 {
        let _ = write!(text, "<h2 class=c{}>Part {n}</h2>", n % 40);
        for _ in 0..3 {
            let _ = write!(text, "<p>{LOREM_TEXT} <a href=/note/{n}>A note.</a> {LOREM_TEXT}</p>");
        }
        if n % 4 == 0 {
            let _ = write!(text, "<img src=/picture-{}.png width=600 height=400 alt='Picture {n}'>", n % IMAGES);
        }
    }
    format!("<header>{}</header><main>{text}</main><footer>The workshop</footer>", navigation(12))
}

fn shop() -> String {
    let mut cards = String::new();
    for n in 0..60 {
        let picture = n % IMAGES;
        let _ = write!(
            cards,
            "<article class=c{}><img src=/picture-{picture}.png loading=lazy width=300 height=200 alt='Lamp {n}'>\
             <h3>Lamp {n}</h3><p>{LOREM_TEXT}</p><svg viewBox='0 0 24 24' width=24><path d='M2 2h20v20H2z'/></svg>\
             <button>Order</button></article>",
            n % 40
        );
    }
    format!("<header>{}</header><main>{cards}</main><script src=/shop.js></script>", navigation(30))
}

fn docs() -> String {
    let mut text = String::new();
    for n in 0..60 {
        let _ = write!(text, "<section id=s{n}><h2>Command {n}</h2><p>{LOREM_TEXT}</p><pre><code>");
        for line in 0..12 {
            let _ = writeln!(text, "<span class=c{line}>limner</span> <b>--flag-{line}</b> value");
        }
        text.push_str("</code></pre></section>");
    }
    format!("{}<main>{text}</main>", navigation(200))
}

/// Returns a stylesheet of `rules` rules, like a design system's: most match nothing on the page.
fn sheet(rules: usize) -> String {
    let mut text = String::from(
        "body { margin: 0; font: 16px/1.5 sans-serif } main { display: grid; grid-template-columns: repeat(3, 1fr); gap: 24px }\
         article { padding: 16px; border-radius: 8px; box-shadow: 0 2px 8px rgb(0 0 0 / .2); transition: opacity .2s }\
         @keyframes pulse { 50% { opacity: .5 } } header { animation: pulse 2s infinite }\n",
    );
    for n in 0..rules {
        let _ = writeln!(
            text,
            ".c{n}, .block-{n} > .part:not(:first-child) {{ color: rgb({}, 60, 90); padding: {}px {}px; margin: 0 0 {}px }}\n\
             @media (min-width: {}px) {{ .block-{n} .part::before {{ background: url(/picture-{}.png) }} }}",
            n % 256,
            n % 20,
            n % 30,
            n % 10,
            400 + n,
            n % IMAGES
        );
    }
    text
}

/// Returns a script of a framework's size, which is parsed and partly run.
fn library() -> String {
    let mut text = String::from("const library = {};\n");
    for n in 0..1_500 {
        let _ = writeln!(
            text,
            "library.f{n} = (a, b) => {{ const all = []; for (let i = 0; i < {}; i++) all.push(a * i + b); return all.reverse(); }};",
            n % 50
        );
    }
    text + "for (const run of Object.values(library)) run(2, 3);\n"
}

fn products() -> String {
    let all: Vec<serde_json::Value> = (0..80)
        .map(|n| {
            let picture = format!("/picture-{}.png", n % IMAGES);
            serde_json::json!({"name": format!("Lamp {n}"), "text": LOREM_TEXT, "picture": picture})
        })
        .collect();
    serde_json::Value::from(all).to_string()
}

/// Returns an image with enough detail to take time to decode.
fn picture(n: usize) -> Vec<u8> {
    let (width, height) = (600, 400);
    let mut pixels = Vec::with_capacity(width * height * 3);
    for y in 0..height {
        for x in 0..width {
            let wave = ((x * (n + 3)) ^ (y * 5)) / 16;
            pixels.extend([(x / 3 + n * 9) as u8, (y / 2) as u8, wave as u8]);
        }
    }
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    bytes
}
