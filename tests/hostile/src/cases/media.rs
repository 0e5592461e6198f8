//! Pictures, films, sounds and their candidates.

use super::{AUDIO, BRAND, FONTS, IMAGES, LAYOUT, LOTTIE, READ, VIDEOS};
use crate::case::{Case, comma_repeated, repeated};
use crate::page::Page;
use crate::subject::CODE;

/// Markup that is repeated in the body.
const REPEATED: &[(&str, &str)] = &[
    ("images", "<img src=/i{i}.png alt='picture {i}' width={i} height=9>"),
    ("images-same", "<img src=/i.png>"),
    ("images-in-links", "<a href=/p{i}><img src=/i{i}.png></a>"),
    (
        "pictures",
        "<picture><source media='(min-width:{i}px)' srcset='/a{i}.png 1x, /b{i}.png 2x'><img src=/x{i}.png></picture>",
    ),
    ("srcsets", "<img srcset='/a{i}.png 1x, /b{i}.png 2x' sizes='(min-width:{i}px) 50vw,100vw'>"),
    ("lazy", "<img data-src=/l{i}.png data-srcset='/m{i}.png 2x' src=data:,>"),
    ("backgrounds", "<div style='background-image:url(/b{i}.png)'>x</div>"),
    (
        "data-attributes",
        "<div data-src='/d{i}.png' data-bg='url(/e{i}.png)' data-settings='{\"background\":[\"/f{i}.jpg\"]}'>x</div>",
    ),
    ("data-json", "<div data-options='{\"a\":[{\"b\":\"/v{i}.mp4\"}]}'>x</div>"),
    ("videos", "<video poster=/p{i}.png><source src=/v{i}.mp4><source src=/w{i}.webm></video>"),
    ("videos-same", "<video src=/v.mp4></video>"),
    ("video-tracks", "<video src=/v.mp4><track src=/t{i}.vtt></video>"),
    ("audios", "<audio><source src=/a{i}.mp3><source src=/a{i}.ogg></audio>"),
    ("players", "<iframe src='https://www.youtube.com/embed/a{i}'></iframe>"),
    ("players-other", "<iframe src='https://player.vimeo.com/video/{i}?h=a{i}' title='film {i}'></iframe>"),
    ("players-in-documents", "<iframe srcdoc='<video src=/{i}.mp4></video>'></iframe>"),
    ("links-to-films", "<a href=/f{i}.mp4>film {i}</a>"),
    ("links-to-sounds", "<a href=/f{i}.mp3>sound {i}</a>"),
    ("links-to-players", "<a href='https://youtu.be/a{i}'>film {i}</a>"),
    ("lotties", "<lottie-player src=/l{i}.json></lottie-player><div data-animation-path=/k{i}.json></div>"),
    ("objects", "<object data=/b{i}.svg><embed src=/c{i}.svg></object>"),
    ("inputs", "<input type=image src=/i{i}.png>"),
    ("data-urls", "<img src='data:image/png;base64,AAAA{i}'>"),
    ("data-urls-same", "<img src='data:image/png;base64,AAAA'>"),
    (
        "microdata",
        "<div itemscope itemtype='https://schema.org/VideoObject'><meta itemprop=contentUrl content=/v{i}.mp4></div>",
    ),
];

/// Markup that is repeated in the head.
const HEAD: &[(&str, &str)] = &[
    ("icons", "<link rel='icon shortcut' href=/i{i}.png sizes={i}x{i}>"),
    ("touch-icons", "<link rel=apple-touch-icon href=/i{i}.png>"),
    ("preloads", "<link rel=preload as=image href=/i{i}.png imagesrcset='/a{i}.png 1x,/b{i}.png 2x'>"),
    ("preloaded-fonts", "<link rel=preload as=font href=/f{i}.woff2>"),
    ("open-graph-images", "<meta property=og:image content=/i{i}.png><meta property=og:image:width content={i}>"),
    ("open-graph-images-same", "<meta property=og:image content=/i.png>"),
    ("open-graph-videos", "<meta property=og:video content=/i{i}.mp4><meta property=og:video:type content=video/mp4>"),
    ("open-graph-addresses", "<meta property=og:video:secure_url content=/i{i}.mp4>"),
    ("open-graph-audios", "<meta property=og:audio content=/i{i}.mp3>"),
    ("twitter-images", "<meta name=twitter:image content=/i{i}.png>"),
    ("theme-colors", "<meta name=theme-color content='#{i}' media='(min-width:{i}px)'>"),
    ("alternates", "<link rel=alternate hreflang=l{i} href=/l{i}>"),
    ("site-names", "<meta property=og:site_name content='Site {i}'>"),
    ("authors", "<meta name=author content='Author {i}'>"),
    ("manifests", "<link rel=manifest href=/m{i}.json>"),
    ("feeds", "<link rel=alternate type='application/rss+xml' href=/f{i}.xml>"),
    ("font-services", "<link rel=stylesheet href='https://fonts.googleapis.com/css2?family=F{i}:wght@400'>"),
    ("profiles", "<link rel=me href='https://twitter.com/u{i}'>"),
];

pub(super) fn cases() -> Vec<Case> {
    let subjects = &[IMAGES, VIDEOS, AUDIO, LOTTIE, BRAND, CODE];
    let mut cases = Vec::new();
    for (place, template) in REPEATED {
        cases.push(Case::new(format!("media/{place}"), subjects, 200, |size| Page::of_body(&repeated(template, size))));
    }
    for (place, template) in HEAD {
        cases.push(Case::new(format!("media/head-{place}"), &[READ, IMAGES, VIDEOS, BRAND, FONTS], 200, |size| {
            Page::of_parts(&repeated(template, size), "")
        }));
    }
    cases.extend(candidates());
    cases
}

/// Lists in one attribute.
fn candidates() -> Vec<Case> {
    let subjects = &[IMAGES, BRAND, CODE];
    let image = |name: &str, attributes: fn(usize) -> String| {
        Case::new(format!("media/{name}"), subjects, 200, move |size| {
            Page::of_body(&format!("<img src=a.png {}>", attributes(size)))
        })
    };
    let pictures = |name: &str, body: fn(usize) -> String| {
        let subjects = &[CODE, BRAND, IMAGES, LAYOUT];
        Case::new(format!("media/{name}"), subjects, 200, move |size| Page::of_body(&body(size)))
    };
    vec![
        image("srcset-widths", |size| format!("sizes=100vw srcset='{}'", comma_repeated("/i{i}.png {next}w", size))),
        image("srcset-densities", |size| format!("srcset='{}'", comma_repeated("/i{i}.png {next}x", size))),
        image("srcset-same", |size| format!("srcset='{}'", comma_repeated("/i.png 1x", size))),
        image("srcset-without-descriptors", |size| format!("srcset='{}'", comma_repeated("/i{i}.png", size))),
        image("srcset-descriptors", |size| format!("srcset='/i.png {}'", repeated("{i}w ", size))),
        image("srcset-parentheses", |size| format!("srcset='/i.png {}'", repeated("(", size))),
        image("srcset-commas", |size| format!("srcset='{}'", repeated(",", size * 10))),
        image("srcset-spaces", |size| format!("srcset='{}'", repeated(" \t", size * 10))),
        image("srcset-data-urls", |size| {
            format!("srcset='{}'", comma_repeated("data:image/png;base64,AAAA{i} {next}w", size))
        }),
        image("sizes", |size| format!("srcset='a.png 1w' sizes='{}'", comma_repeated("(min-width:{i}px) {i}px", size))),
        image("sizes-calc", |size| format!("srcset='a.png 1w' sizes='calc({}1px)'", repeated("{i}px + ", size))),
        image("sizes-nested", |size| {
            format!("srcset='a.png 1w' sizes='{}1px{}'", "calc(".repeat(size), ")".repeat(size))
        }),
        image("sizes-and-srcset", |size| {
            let (sizes, candidates) =
                (comma_repeated("(min-width:{i}px) {i}px", size), comma_repeated("/i{i}.png {next}w", size));
            format!("sizes='{sizes}' srcset='{candidates}'")
        }),
        Case::new("media/picture-sources", subjects, 200, |size| {
            let sources = repeated("<source media='(min-width:{i}px)' srcset='/a{i}.png 1x, /b{i}.png 2x'>", size);
            Page::of_body(&format!("<picture>{sources}<img src=/x.png></picture>"))
        }),
        pictures("picture-sources-and-images", |size| {
            let pairs = repeated("<source media='(min-width:9999px)' srcset=/a{i}.png><img src=/x{i}.png>", size);
            format!("<picture>{pairs}</picture>")
        }),
        pictures("picture-sources-before-images", |size| {
            let sources = repeated("<source media='(min-width:9999px)' srcset=/a{i}.png>", size);
            format!("<picture>{sources}{}</picture>", repeated("<img src=/x{i}.png>", size))
        }),
        pictures("picture-images-of-one-source", |size| {
            format!("<picture><source srcset=/a.png>{}</picture>", repeated("<img src=/x{i}.png>", size))
        }),
        pictures("picture-images-of-one-long-source", |size| {
            let images = repeated("<img src=/x{i}.png>", size);
            format!("<picture><source srcset=/{}.png>{images}</picture>", "a".repeat(size * 10))
        }),
        pictures("picture-text-and-images", |size| {
            format!("<picture>{}</picture>", repeated("<b>x</b> text <img src=/x{i}.png>", size))
        }),
        pictures("pictures-of-paper", |size| {
            repeated("<picture><source media=print srcset=/a{i}.png><img src=/x{i}.png></picture>", size)
        }),
        pictures("pictures-open", |size| {
            repeated("<picture><source media=print srcset=/a{i}.png><img src=/x{i}.png>", size)
        }),
        pictures("images-without-size", |size| repeated("<img src=/x{i}.png>", size)),
        pictures("images-same-set", |size| {
            let sizes = comma_repeated("(min-width:{i}px) {i}px", 20);
            repeated(&format!("<img sizes='{sizes}' srcset='/x{{i}}.png 1w, /y{{i}}.png 900w'>"), size)
        }),
        Case::new("media/video-sources", &[VIDEOS, AUDIO, IMAGES], 200, |size| {
            Page::of_body(&format!("<video>{}</video>", repeated("<source src=/v{i}.mp4>", size)))
        }),
        Case::new("media/data-url-long", &[READ, IMAGES, BRAND, CODE], 4_000, |size| {
            Page::of_body(&format!("<img src='data:image/png;base64,{}'>", "A".repeat(size * 4)))
        }),
        Case::new("media/data-url-percent", &[READ, IMAGES, BRAND, CODE], 4_000, |size| {
            Page::of_body(&format!("<img src='data:image/svg+xml,{}'>", "%41".repeat(size)))
        }),
        Case::new("media/data-url-parameters", &[READ, IMAGES, BRAND, CODE], 400, |size| {
            Page::of_body(&format!("<img src='data:image/png{},x'>", repeated(";a{i}=b", size)))
        }),
        Case::new("media/data-url-in-css", &[IMAGES, BRAND, CODE, FONTS], 4_000, |size| {
            let data = "A".repeat(size * 4);
            let face = format!("@font-face{{font-family:F;src:url(data:font/woff2;base64,{data})}}");
            Page::styled(&format!("{face}.hero{{font-family:F;background:url(data:image/png;base64,{data})}}"), "")
        }),
        Case::new("media/microdata-nested", &[VIDEOS, AUDIO, IMAGES, BRAND], 40, |size| {
            Page::of_body(&crate::case::nested(
                "<div itemscope itemprop=video itemtype='https://schema.org/VideoObject'>{inner}</div>",
                "x",
                size,
            ))
        }),
        Case::new("media/frames-nested", &[VIDEOS, AUDIO, IMAGES], 4, |size| {
            let inner = (0..size.min(12)).fold("<video src=/v.mp4></video>".to_owned(), |inner, _| {
                format!("<iframe srcdoc=\"{}\"></iframe>", inner.replace('&', "&amp;").replace('"', "&quot;"))
            });
            Page::of_body(&inner)
        }),
    ]
}
