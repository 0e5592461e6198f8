//! Drawings: what `use` makes of others, references, paths, files of symbols.

use super::{BRAND, IMAGES, READ, SVG};
use crate::case::{Case, nested, repeated};
use crate::page::Page;
use crate::subject::CODE;

/// Markup that is repeated in one inline SVG.
const PARTS: &[(&str, &str)] = &[
    ("paths", "<path d='M0 0h{i}v1z'/>"),
    ("paths-same", "<path d='M0 0h1v1z'/>"),
    ("groups", "<g id=g{i}><path d='M0 0'/></g>"),
    ("symbols", "<symbol id=s{i}><path d='M0 0h{i}'/></symbol><use href='#s{i}'/>"),
    ("symbols-chain", "<symbol id=s{i}><path d='M0 0h{i}'/><use href='#s{next}'/></symbol><use href='#s{i}'/>"),
    ("uses", "<use href='#logo'/>"),
    ("uses-absent", "<use href='#nope{i}'/>"),
    ("gradients", "<linearGradient id=g{i} href='#g{next}'/><rect fill='url(#g{i})'/>"),
    ("patterns", "<pattern id=p{i}><rect fill='url(#p{next})'/></pattern><rect fill='url(#p{i})'/>"),
    ("masks", "<mask id=m{i}><g mask='url(#m{next})'/></mask><rect mask='url(#m{i})'/>"),
    ("filters", "<filter id=f{i}><feGaussianBlur stdDeviation={i} /></filter><rect filter='url(#f{i})'/>"),
    ("stops", "<linearGradient id=g{i}><stop offset=0 stop-color=red /></linearGradient>"),
    ("styles", "<style>.a{i}{fill:red}</style><path class=a{i} d='M0 0'/>"),
    ("ids-same", "<path id=a d='M0 0'/>"),
    ("titles", "<title>{i}</title><desc>x</desc>"),
    ("texts", "<text x={i}>word{i}</text>"),
    ("images", "<image href=/i{i}.png />"),
    ("foreign", "<foreignObject><p>{i}</p></foreignObject>"),
    ("animations", "<animate attributeName=x values='1;2' dur={i}s />"),
    ("links", "<a href=/{i}><path d='M0 0'/></a>"),
    ("scripts", "<script>var a{i}</script>"),
    ("switches", "<switch><g systemLanguage=l{i} /></switch>"),
    ("attributes-styled", "<path style='fill:#{i};stroke:url(#a{i})'/>"),
    ("labels", "<path aria-labelledby='t{i}' id=t{i} />"),
];

/// Markup that is nested in itself in one inline SVG.
const NESTED: &[(&str, &str)] = &[
    ("groups", "<g>{inner}</g>"),
    ("drawings", "<svg>{inner}</svg>"),
    ("symbols", "<symbol id=s{i}>{inner}</symbol><use href='#s{i}'/>"),
    ("definitions", "<defs>{inner}</defs>"),
    ("links", "<a>{inner}</a>"),
    ("masks", "<mask id=m{i}>{inner}</mask>"),
    ("switches", "<switch>{inner}</switch>"),
    ("uses", "<g id=u{i}>{inner}<use href='#u{i}'/></g>"),
    ("texts", "<text><tspan>{inner}</tspan></text>"),
];

/// Drawings that are repeated.
const DRAWINGS: &[(&str, &str)] = &[
    ("inline", "<svg viewBox='0 0 {i} 9'><path d='M0 {i}h9'/></svg>"),
    ("same", "<svg viewBox='0 0 9 9'><path d='M0 0h9'/></svg>"),
    (
        "gradients",
        "<svg><linearGradient id=g{i}><stop offset=0 stop-color=red /></linearGradient><path fill='url(#g{i})' d='M0 {i}h9'/></svg>",
    ),
    (
        "ids-same",
        "<svg><linearGradient id=g><stop offset=0 /></linearGradient><path fill='url(#g)' d='M0 {i}h9'/></svg>",
    ),
    ("styles", "<svg><style>.a{i}{fill:red}</style><path class=a{i} d='M0 0'/></svg>"),
    ("logos", "<a href=/ class=logo><svg class=logo><path d='M0 0h{i}'/></svg></a>"),
    ("uses", "<svg><use href='#s{i}'/></svg><svg><symbol id=s{i}><path d='M0 0h{i}'/></symbol></svg>"),
    ("sprite", "<svg><use href='/sp.svg#s{i}'/></svg>"),
    ("sprites", "<svg><use href='/sp{i}.svg#s{i}'/></svg>"),
    ("files", "<img src=/a{i}.svg><object data=/b{i}.svg></object>"),
    (
        "data-urls",
        "<img src=\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'%3E%3Cpath d='M0 {i}'/%3E%3C/svg%3E\">",
    ),
];

pub(super) fn cases() -> Vec<Case> {
    let subjects = &[SVG, BRAND, CODE];
    let drawing = |content: &str| {
        Page::of_body(&format!("<a href=/ class=logo><svg id=logo class=logo viewBox='0 0 99 40'>{content}</svg></a>"))
    };
    let mut cases = Vec::new();
    for (place, part) in PARTS {
        cases.push(Case::new(format!("svg/{place}"), subjects, 200, move |size| drawing(&repeated(part, size))));
        cases.push(Case::new(format!("svg/selected-{place}"), &[CODE], 100, |size| {
            Page::of_body(&format!("<section class=target><p>x</p><svg>{}</svg></section>", repeated(part, size)))
                .selecting(".target")
        }));
    }
    for (place, part) in NESTED {
        cases.push(Case::new(format!("svg/nested-{place}"), subjects, 40, move |size| {
            drawing(&nested(part, "<path d='M0 0'/>", size))
        }));
    }
    for (place, template) in DRAWINGS {
        let files = || repeated("<symbol id='s{i}'><use href='#s{next}'/><path d='M0 0h{i}'/></symbol>", 100);
        cases.push(Case::new(format!("svg/drawings-{place}"), &[SVG, IMAGES, BRAND, CODE], 100, move |size| {
            let sprite = format!("<svg xmlns='http://www.w3.org/2000/svg'>{}</svg>", files());
            Page::of_body(&repeated(template, size)).with_file("sp.svg", sprite.clone()).with_file("sp1.svg", sprite)
        }));
    }
    cases.extend(other_cases(drawing));
    cases
}

fn other_cases(drawing: impl Fn(&str) -> Page + Copy + Send + Sync + 'static) -> Vec<Case> {
    let subjects = &[SVG, BRAND, CODE];
    let svg = "http://www.w3.org/2000/svg";
    vec![
        Case::new("svg/path-long", subjects, 400, move |size| {
            drawing(&format!("<path d='M0 0{}'/>", "l1 1a1 1 0 1 0 .1 .1".repeat(size)))
        }),
        Case::new("svg/points-long", subjects, 400, move |size| {
            drawing(&format!("<polygon points='{}'/>", repeated("{i},1 ", size)))
        }),
        Case::new("svg/transform-long", subjects, 400, move |size| {
            drawing(&format!("<g transform='{}'><path d='M0 0h9'/></g>", repeated("rotate({i})", size)))
        }),
        Case::new("svg/attributes", subjects, 200, move |size| {
            drawing(&format!("<path {} d='M0 0'/>", repeated("a{i}=b ", size)))
        }),
        Case::new("svg/classes", subjects, 200, move |size| {
            drawing(&format!("<path class='{}' d='M0 0'/>", repeated("c{i} ", size)))
        }),
        Case::new("svg/style-rules", subjects, 100, move |size| {
            let paths = repeated("<path class=a{i} d='M0 0'/>", size);
            drawing(&format!("<style>{}</style>{paths}", repeated(".a{i}{fill:url(#g{i})}", size)))
        }),
        Case::new("svg/uses-multiplied", subjects, 10, move |size| {
            let groups: String = (1..size.min(40))
                .map(|i| format!("<g id=u{i}>{}</g>", format!("<use href='#u{}'/>", i - 1).repeat(10)))
                .collect();
            drawing(&format!("<defs><path id=u0 d='M0 0h1v1z'/>{groups}</defs><use href='#u{}'/>", size.min(40) - 1))
        }),
        Case::new("svg/uses-multiplied-wide", subjects, 20, move |size| {
            let group = format!("<g id=b>{}</g>", "<use href='#a'/>".repeat(size));
            let symbol = format!("<g id=a>{}</g>", "<path d='M0 0h1'/>".repeat(20));
            drawing(&format!("<defs>{symbol}{group}</defs>{}", "<use href='#b'/>".repeat(10)))
        }),
        Case::new("svg/sprite-symbols", &[SVG, IMAGES, CODE], 100, move |size| {
            let symbols = repeated("<symbol id='s{i}'><path d='M0 0h{i}'/></symbol>", size);
            Page::of_body(&repeated("<svg><use href='/sp.svg#s{i}'/></svg>", size))
                .with_file("sp.svg", format!("<svg xmlns='{svg}'>{symbols}</svg>"))
        }),
        Case::new("svg/sprite-chain", &[SVG, IMAGES, CODE], 100, move |size| {
            let symbols = repeated("<symbol id='s{i}'><use href='#s{next}'/><path d='M0 0h{i}'/></symbol>", size);
            Page::of_body("<svg><use href='/sp.svg#s0'/></svg>")
                .with_file("sp.svg", format!("<svg xmlns='{svg}'>{symbols}</svg>"))
        }),
        Case::new("svg/sprite-nested", &[SVG, IMAGES, CODE], 40, move |size| {
            let groups = nested("<g>{inner}</g>", "<path d='M0 0'/>", size);
            Page::of_body("<svg><use href='/sp.svg#s'/></svg>")
                .with_file("sp.svg", format!("<svg xmlns='{svg}'><symbol id='s'>{groups}</symbol></svg>"))
        }),
        Case::new("svg/sprite-attributes", &[SVG, IMAGES, CODE], 200, move |size| {
            let attributes = repeated("a{i}='b' ", size);
            Page::of_body("<svg><use href='/sp.svg#s'/></svg>")
                .with_file("sp.svg", format!("<svg xmlns='{svg}'><symbol id='s'><path {attributes}/></symbol></svg>"))
        }),
        Case::new("svg/sprite-namespaces", &[SVG, IMAGES, CODE], 200, move |size| {
            let names = repeated("xmlns:n{i}='b{i}' ", size);
            let uses = repeated("<n{i}:a/>", size);
            Page::of_body("<svg><use href='/sp.svg#s'/></svg>")
                .with_file("sp.svg", format!("<svg xmlns='{svg}' {names}><symbol id='s'>{uses}</symbol></svg>"))
        }),
        Case::new("svg/sprite-entities", &[SVG, IMAGES, CODE], 3, move |size| {
            let entities: String =
                (1..size.min(60)).map(|i| format!("<!ENTITY e{i} '{}'>", format!("&e{};", i - 1).repeat(10))).collect();
            let file = format!(
                "<!DOCTYPE svg [<!ENTITY e0 'x'>{entities}]><svg xmlns='{svg}'><symbol id='s'><text>&e{};</text></symbol></svg>",
                size.min(60) - 1
            );
            Page::of_body("<svg><use href='/sp.svg#s'/></svg>").with_file("sp.svg", file)
        }),
        Case::new("svg/document", &[READ, SVG, IMAGES], 200, move |size| {
            Page::of_body(&format!("<svg xmlns='{svg}'>{}</svg>", repeated("<path d='M{i} 0'/>", size)))
        }),
        Case::new("svg/definitions-elsewhere", &[SVG, CODE], 100, move |size| {
            let definitions = repeated("<linearGradient id=g{i}><stop offset=0 /></linearGradient>", size);
            let uses = repeated("<svg><rect fill='url(#g{i})'/></svg>", size);
            Page::of_body(&format!("<svg><defs>{definitions}</defs></svg><section class=target>{uses}</section>"))
                .selecting(".target")
        }),
    ]
}
