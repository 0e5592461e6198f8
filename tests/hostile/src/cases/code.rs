//! Input of the emitters of `/code`: structures that repeat, looks that differ, states, themes, sizes.

use super::BRAND;
use crate::case::{Case, comma_repeated, nested, repeated};
use crate::page::Page;
use crate::subject::{CODE, Subject};
use limner_types::Framework;

/// Markup that is repeated in the emitted section, with the rule of each.
const REPEATED: &[(&str, &str, &str)] = &[
    (
        "cards",
        "",
        "<div class='c c{i}'><h3>Title {i}</h3><p>Text {i} <a href=/{i}>more</a></p><img src=/{i}.png></div>",
    ),
    ("cards-of-looks", ".c{i}{color:#{i}}.c{i}:hover{padding:{i}px}", "<div class='c c{i}'><h3>Title {i}</h3></div>"),
    ("paragraphs", "", "<p>text {i}</p>"),
    ("paragraphs-same", "", "<p>text</p>"),
    ("looks", ".c{i}{color:#{i};margin:{i}px}", "<p class='c{i}'>text {i}</p>"),
    (
        "looks-of-two-classes",
        ".c{i}{color:#{i}}@media(min-width:{i}px){.c{i}{margin:{i}px}}",
        "<p class='c{i} c{next}'>text {i}</p>",
    ),
    ("inline-looks", "", "<p style='color:#{i};margin:{i}px;--a{i}:1px;padding:var(--a{i})'>text {i}</p>"),
    ("sizes", "@media(min-width:{i}px){.c{i}{margin:{i}px;color:#{i}}}", "<p class=c{i}>text {i}</p>"),
    ("containers", "@container(min-width:{i}px){.c{i}{margin:{i}px}}", "<p class=c{i}>text {i}</p>"),
    ("themes", "@media(prefers-color-scheme:dark){.c{i}{color:#{i}}}", "<p class=c{i}>text {i}</p>"),
    ("theme-marks", ".dark .c{i}{color:#{i}}", "<p class=c{i}>text {i}</p>"),
    ("hover", ".c{i}:hover{color:#{i}}", "<a class=c{i} href=/{i}>x</a>"),
    ("hover-inside", ".c{i}:hover b{color:#{i}}", "<a class=c{i} href=/{i}><b>x</b></a>"),
    ("hover-beside", ".c{i}:hover + .d{i}{color:#{i}}", "<a class=c{i} href=/{i}>x</a><i class=d{i}>y</i>"),
    ("hover-after", ".c{i}:hover ~ .d{i}{color:#{i}}", "<a class=c{i} href=/{i}>x</a><i class=d{i}>y</i>"),
    ("hover-within", ".target:has(.c{i}:hover) .d{i}{color:#{i}}", "<a class=c{i} href=/{i}>x</a><i class=d{i}>y</i>"),
    ("focus-within", ".c{i}:focus-within b{color:#{i}}", "<label class=c{i}><input><b>x</b></label>"),
    (
        "checked",
        "#i{i}:checked~.d{i}{color:red}#i{i}:focus+label{color:blue}",
        "<input type=checkbox id=i{i}><label for=i{i}>l</label><div class=d{i}>x</div>",
    ),
    ("attributes", "[data-a~='{i}']:hover{color:#{i}}", "<p data-a='{i} {next}' data-b={i}>text {i}</p>"),
    (
        "animations",
        "@keyframes k{i}{from{margin:{i}px}50%{margin:1px}}.c{i}{animation:k{i} 1s}",
        "<p class=c{i}>text {i}</p>",
    ),
    ("animations-same", "@keyframes k{from{margin:1px}}.c{i}{animation:k {i}s}", "<p class=c{i}>text {i}</p>"),
    (
        "pseudo-elements",
        ".c{i}::before{content:'{i}'}.c{i}::after{content:'x';color:red}.c{i}::marker{color:red}",
        "<li class=c{i} data-x=q>text {i}</li>",
    ),
    ("letters", ".c{i}::first-letter{color:#{i}}.c{i}::first-line{margin:{i}px}", "<p class=c{i}>text {i}</p>"),
    ("counters", ".c{i}{counter-increment:n{i}}.c{i}::before{content:counter(n{i})}", "<p class=c{i}>text {i}</p>"),
    ("grid-places", ".c{i}{grid-column:{i}/span 3;grid-row:{i}}", "<p class=c{i}>text {i}</p>"),
    ("nth", ".target p:nth-child({i}n+1){color:#{i}}", "<p>text {i}</p>"),
    ("nth-child-of-each", ".target p:nth-child({i}){color:#{i}}", "<p>text {i}</p>"),
    ("siblings", ".target .c{i} + p{margin:{i}px}", "<p class=c{i}>text {i}</p>"),
    ("tables", "", "<table><tr><td>{i}</td><td>x</td></tr></table>"),
    ("rows", "", "<ul><li><a href=/{i}>Item {i}</a></li><li>x</li></ul>"),
    (
        "drawings",
        "",
        "<svg viewBox='0 0 {i} 9'><defs><linearGradient id=g{i}><stop offset=0 stop-color=red /></linearGradient></defs><path fill='url(#g{i})' d='M0 {i}h9'/></svg>",
    ),
    ("icons", "", "<a href=/{i}><svg viewBox='0 0 9 9'><path d='M0 {i}h9'/></svg> Item {i}</a>"),
    (
        "images",
        "",
        "<figure><img src=/i{i}.png alt='picture {i}' srcset='/a{i}.png 2x'><figcaption>{i}</figcaption></figure>",
    ),
    ("backgrounds", ".c{i}{background-image:url(/b{i}.png)}", "<div class=c{i}>x</div>"),
    ("gradients", ".c{i}{background:linear-gradient({i}deg,#{i},red)}", "<div class=c{i}>x</div>"),
    (
        "forms",
        "",
        "<form><label>Name {i}<input name=n{i} placeholder='p {i}'></label><select><option>{i}</select></form>",
    ),
    ("fonts", "@font-face{font-family:F{i};src:url(/f{i}.woff2)}.c{i}{font-family:F{i}}", "<p class=c{i}>text {i}</p>"),
    ("ids", "#d{i}{margin:{i}px}", "<p id=d{i}>text <a href='#d{next}'>x</a></p>"),
    ("kinds-mixed", "", "<b>x{i}</b><i>y</i><p>z<em>{i}</em></p><hr><h4>{i}</h4>"),
    (
        "optional-parts",
        ".c:nth-child(3n) p{color:red}",
        "<div class=c><h3>Title {i}</h3><p>{i}</p></div><div class=c><h3>Title</h3></div>",
    ),
    ("texts", "", "word{i} <br>"),
    ("inline", "", "<b>word{i}</b> and <i>{i}</i> "),
    ("iframes", "", "<iframe src='https://www.youtube.com/embed/a{i}'></iframe>"),
    ("videos", "", "<video src=/v{i}.mp4 poster=/p{i}.png></video>"),
    (
        "shadow-roots",
        "",
        "<div><template shadowrootmode=open><style>b{color:red}:host{margin:{i}px}</style><b>x{i}</b><slot></slot></template><i>y</i></div>",
    ),
    ("vue-braces", "", "<p title='{{ {i} }}'>{{ a{i} }} {% if %} { x } ${y}</p>"),
    ("quotes", "", "<p title='\"&apos;`\\{i}'>\"'`\\ &lt;{i}</p>"),
];

/// Markup that is nested in itself in the emitted section.
const NESTED: &[(&str, &str)] = &[
    ("divs", "<div>{inner}</div>"),
    ("divs-of-looks", "<div style='padding:{i}px'>{inner}</div>"),
    ("divs-beside", "<div><span>a</span><p>b</p>{inner}</div>"),
    ("lists", "<ul><li>x{inner}</ul>"),
    ("two-lists", "<ul><li>a</li><li>b</li><li>{inner}</li></ul>"),
    ("formatting", "<b>{inner}</b>"),
    ("tables", "<table><tr><td>{inner}</table>"),
    ("sections", "<section><h2>x</h2>{inner}</section>"),
];

/// Rules that are repeated for one element.
const RULES: &[(&str, &str)] = &[
    ("states", ".b:hover:not(.c{i}){margin:{i}px}"),
    ("sizes", "@media(min-width:{i}px){.b{margin:{i}px}}"),
    ("size-ranges", "@media(min-width:{i}px) and (max-width:{next}px){.b{margin:{i}px}}"),
    ("themes", "[data-theme=t{i}] .b{margin:{i}px}"),
    ("supports", "@supports(width:{i}px){.b{margin:{i}px}}"),
    ("containers", "@container c{i} (min-width:{i}px){.b{margin:{i}px}}"),
    ("media-features", "@media(hover:hover) and (min-height:{i}px){.b{margin:{i}px}}"),
    ("variables", ".b{--v{i}:{i}px;margin:var(--v{i})}"),
    ("keyframes", "@keyframes k{{i}%{margin:{i}px}}.b{animation:k 1s}"),
    ("backgrounds", ".b:nth-child(n+{i}){background:url(/{i}.png)}"),
];

pub(super) fn cases() -> Vec<Case> {
    let emitted = [CODE, Subject::Code(Framework::Jsx), Subject::Code(Framework::Shopify)];
    let mut cases = Vec::new();
    for (place, rule, element) in REPEATED {
        // Limits on looks that are compared lie between 64 and 480.
        let from = if *place == "paragraphs-same" { 120 } else { 60 };
        cases.push(Case::new(format!("code/{place}"), &emitted, from, |size| {
            target(&repeated(rule, size), &repeated(element, size))
        }));
    }
    for (place, element) in NESTED {
        cases.push(Case::new(format!("code/nested-{place}"), &emitted, 20, |size| {
            target("", &nested(element, "x", size))
        }));
    }
    for (place, rule) in RULES {
        cases.push(Case::new(format!("code/rules-{place}"), &emitted, 50, |size| {
            target(&repeated(rule, size), "<p class=b>x</p><p class=b>y</p>")
        }));
    }
    cases.extend([
        Case::new("code/grid-tracks", &emitted, 50, |size| {
            let tracks = repeated("[l{i}] minmax(1px,{i}fr) ", size);
            target(&format!(".target{{display:grid;grid-template-columns:{tracks}}}"), "<p>x</p>")
        }),
        Case::new("code/grid-areas", &emitted, 20, |size| {
            let areas = format!("'{}' ", repeated("a{i} ", size)).repeat(5);
            let items = repeated("<i style='grid-area:a{i}'>x</i>", size);
            target(&format!(".target{{display:grid;grid-template-areas:{areas}}}"), &items)
        }),
        Case::new("code/table-cells", &emitted, 10, |size| {
            let row = format!("<tr>{}</tr>", repeated("<td>{i}</td>", 20));
            target(".target td:nth-child(odd){color:red}", &format!("<table>{}</table>", row.repeat(size)))
        }),
        Case::new("code/class-names", &emitted, 50, |size| {
            target("", &format!("<p class='{}'>x</p>", repeated("c{i} ", size)))
        }),
        Case::new("code/attributes-of-one", &emitted, 50, |size| {
            target("", &format!("<p {}>x</p>", repeated("data-a{i}=b ", size)))
        }),
        Case::new("code/text-long", &emitted, 200, |size| {
            target("", &format!("<p>{}</p>", repeated("word{i} ", size)))
        }),
        Case::new("code/transitions", &emitted, 50, |size| {
            target(&format!(".b{{transition:{}}}", comma_repeated("margin-{i} {i}ms", size)), "<p class=b>x</p>")
        }),
        Case::new("code/tree", &emitted, 30, |size| {
            let leaves = (0..size).map(|i| format!("<i>{i}</i>")).collect();
            target("", &tree(leaves))
        }),
        Case::new("code/page-of-sections", &[CODE, BRAND], 50, |size| {
            Page::of_body(&repeated("<section class=s{i}><h2>Head {i}</h2><p>Words go on {i}</p></section>", size))
        }),
    ]);
    cases
}

/// A tree in which every element has two children.
fn tree(mut nodes: Vec<String>) -> String {
    while nodes.len() > 1 {
        nodes = nodes.chunks(2).map(|pair| format!("<div>{}</div>", pair.concat())).collect();
    }
    nodes.concat()
}

/// A page whose section is asked for.
fn target(css: &str, content: &str) -> Page {
    Page::styled(css, &format!("<section class=target>{content}</section>")).selecting(".target")
}
