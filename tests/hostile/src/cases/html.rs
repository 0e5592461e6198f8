//! Markup: nesting, attributes, text, and what the tree builder mends.

use super::{AUDIO, BRAND, IMAGES, READ, VIDEOS};
use crate::case::{Case, nested, repeated};
use crate::page::Page;
use crate::subject::CODE;

/// Markup that is repeated in the body.
const REPEATED: &[(&str, &str)] = &[
    ("siblings", "<i>x</i>"),
    ("siblings-with-classes", "<div class='c{i} d'><a href=/{i}>t{i}</a></div>"),
    ("paragraphs", "<p>Paragraph {i} is a text of some words."),
    ("headings", "<h2>Head {i}</h2><p>Paragraph {i} is a long text of words."),
    (
        "sections",
        "<section id=s{i}><h2>Head {i}</h2><p>Words that go on and on for a while</p><button>Go</button></section>",
    ),
    ("articles", "<article><h3>Title {i}</h3><img src=/{i}.png><a href=/{i}>More</a></article>"),
    ("navigations", "<nav><a href=/{i}>Item {i}</a></nav>"),
    ("headers", "<header><a href=/ class=logo><img src=/logo{i}.png alt='logo {i}'></a></header>"),
    ("footers", "<footer><a href='https://twitter.com/u{i}'>Follow us</a></footer>"),
    ("logos", "<a href=/ class=logo><img src=/logo{i}.png alt='logo {i}' class=logo></a>"),
    ("social-links", "<a href='https://twitter.com/u{i}'>Follow us</a>"),
    ("same-ids", "<i id=a>x</i><a href='#a'>y</a><label for=a>z</label>"),
    ("ids", "<i id=a{i}>x</i><a href='#a{next}'>y</a><label for=a{i}>z</label>"),
    ("forms", "<form><input id=i{i}><label for=i{i}>x</label><select><option>{i}</select></form>"),
    ("buttons", "<button class='btn b{i}'>Go {i}</button>"),
    ("labels", "<i aria-labelledby='l{i} l{next}' id=l{i}>x</i>"),
    ("maps", "<img usemap='#m{i}' src=/i{i}.png><map name=m{i}><area href=/{i}></map>"),
    ("noscript", "<noscript><img src=/{i}.png></noscript>"),
    ("templates", "<template><style>b{color:red}</style><b>x</b></template>"),
    (
        "shadow-roots",
        "<div><template shadowrootmode=open><style>b{color:red}:host{margin:{i}px}</style><b>x{i}</b><slot></slot></template><i>y</i></div>",
    ),
    ("named-slots", "<i slot=s{i}>x</i>"),
    ("tables", "<table><tr><td>{i}<td>x</table>"),
    ("rows", "<tr><td>{i}<td>x"),
    ("foster-parents", "<table><b>x"),
    ("entities", "&amp;&lt;&notit;&#x41;"),
    ("comments", "<!--x-->"),
    ("breaks", "x<br>"),
    ("formatting-unclosed", "<b a={i}>"),
    ("formatting-misnested", "<b><i></b>"),
    ("adoption", "<a><b><i><u><div>"),
    ("adoption-closed", "<a><b><p></a></b></p>"),
    ("paragraphs-unclosed", "<p>x<b a={i}>"),
    ("end-tags", "</li>"),
    ("end-tags-p", "</p>"),
    ("end-tags-unknown", "</x>"),
    ("end-tags-br", "</br>"),
    ("options", "<option><optgroup>"),
    ("select", "<select><option>{i}</select>"),
    ("bodies", "<body a{i}=b>"),
    ("roots", "<html a{i}=b>"),
    ("lists", "<ul><li>{i}</ul>"),
    ("items-unclosed", "<li>{i}"),
    ("definitions", "<dt>{i}<dd>x"),
    ("ruby", "<ruby>x<rt>y<rp>z</ruby>"),
    ("details", "<details><summary>{i}</summary>x</details>"),
    ("style-attributes", "<p style='color:#{i};margin:{i}px;font:{i}px a{i}'>x</p>"),
    ("bases", "<base href=/b{i}/><img src=x{i}.png>"),
    ("metas", "<meta name=a{i} content=b>"),
    ("iframes", "<iframe src=/f{i}.html></iframe>"),
    ("scripts", "<script src=/s{i}.js></script>"),
    ("inline-scripts", "<script>var a{i}={\"x\":[{i}]};</script>"),
    ("unknown-elements", "<x-a{i}>x</x-a{i}>"),
    ("wide-characters", "<p>\u{4e00}\u{1f600}\u{301}{i}"),
    ("left-to-right-marks", "\u{202e}\u{202c}{i}"),
];

/// Markup that is nested in itself in the body.
const NESTED: &[(&str, &str)] = &[
    ("div", "<div>{inner}</div>"),
    ("div-with-text", "<div>a<p>b</p>{inner}</div>"),
    ("div-unclosed", "<div>{inner}"),
    ("sections", "<section class=s{i}>{inner}</section>"),
    ("paragraphs", "<p>{inner}"),
    ("formatting", "<b>{inner}</b>"),
    ("formatting-distinct", "<b a={i}>{inner}</b>"),
    ("lists", "<ul><li>{inner}</ul>"),
    ("tables", "<table><tr><td>{inner}</table>"),
    ("tables-broken", "<table>{inner}"),
    ("templates", "<template>{inner}</template>"),
    ("shadow-roots", "<div><template shadowrootmode=open>{inner}<slot></slot></template>y</div>"),
    ("drawings", "<svg><foreignObject>{inner}</foreignObject></svg>"),
    ("formulas", "<math><mtext>{inner}</mtext></math>"),
    ("buttons", "<button>{inner}</button>"),
    ("forms", "<form>{inner}</form>"),
    ("selects", "<select>{inner}</select>"),
    ("objects", "<object>{inner}</object>"),
    ("links", "<a href=/>{inner}</a>"),
    ("framesets", "<frameset>{inner}</frameset>"),
    ("noscript", "<noscript>{inner}</noscript>"),
    ("ruby", "<ruby><rt>{inner}</ruby>"),
    ("details", "<details><summary>{inner}</summary></details>"),
    ("two-children", "<div><span>a</span>{inner}<span>b</span></div>"),
];

/// Markup that is repeated inside 380 open elements, where the tree builder looks for what a tag closes.
const REPEATED_DEEP: &[(&str, &str)] = &[
    ("end-tags-li", "</li>"),
    ("end-tags-p", "</p>"),
    ("end-tags-unknown", "</x>"),
    ("headings", "<b></b></h1>"),
    ("buttons", "<button><p></button>"),
    ("items", "<li>x"),
    ("elements", "<i>x</i>"),
];

pub(super) fn cases() -> Vec<Case> {
    let subjects = &[READ, IMAGES, CODE, BRAND];
    let repeated_in_body = REPEATED.iter().map(|(place, template)| {
        Case::new(format!("html/{place}"), subjects, 400, |size| Page::of_body(&repeated(template, size)))
    });
    let nested_in_body = NESTED.iter().map(|(place, template)| {
        Case::new(format!("html/nested-{place}"), subjects, 60, |size| Page::of_body(&nested(template, "x", size)))
    });
    let repeated_deep = REPEATED_DEEP.iter().map(|(place, template)| {
        Case::new(format!("html/deep-{place}"), &[READ, IMAGES], 400, |size| {
            Page::of_body(&nested("<div>{inner}</div>", &repeated(template, size), 380))
        })
    });
    repeated_in_body.chain(nested_in_body).chain(repeated_deep).chain(long()).collect()
}

/// One long thing.
fn long() -> Vec<Case> {
    let subjects = &[READ, IMAGES, CODE, BRAND];
    let element = |name: &str, page: fn(usize) -> String| {
        Case::new(format!("html/{name}"), subjects, 400, move |size| Page::of_body(&page(size)))
    };
    vec![
        element("attributes", |size| format!("<div {}>x</div>", repeated("a{i}=b ", size))),
        element("attributes-same", |size| format!("<div {}>x</div>", repeated("a=b ", size))),
        element("attributes-data", |size| format!("<div {}>x</div>", repeated("data-src{i}=/i{i}.png ", size))),
        element("attribute-long", |size| format!("<div title='{}'>x</div>", repeated("word{i} ", size))),
        element("classes", |size| format!("<div class='{}'>x</div>", repeated("c{i} ", size))),
        element("classes-same", |size| format!("<div class='{}'>x</div>", repeated("c ", size))),
        element("class-long", |size| format!("<div class='{}'>x</div>", repeated("c", size * 10))),
        element("id-long", |size| format!("<div id='{}'>x</div>", repeated("c", size * 10))),
        element("style-attribute-long", |size| format!("<p style='{}'>x</p>", repeated("margin:{i}px;", size))),
        element("style-attribute-custom", |size| format!("<p style='{}'>x</p>", repeated("--a{i}:{i}px;", size))),
        element("rel-long", |size| format!("<a rel='{}' href=/>x</a>", repeated("r{i} ", size))),
        element("text-long", |size| format!("<p>{}", repeated("word{i} ", size))),
        element("text-without-spaces", |size| format!("<p>{}", repeated("word{i}", size))),
        element("text-of-spaces", |size| format!("<p>{}x", repeated(" \n", size))),
        element("heading-long", |size| format!("<h2>{}</h2>", repeated("word{i} ", size))),
        element("link-long", |size| format!("<a href=/>{}</a>", repeated("word{i} ", size))),
        element("address-long", |size| format!("<img src='/{}'>", repeated("a/../b{i}/", size))),
        element("address-query-long", |size| format!("<img src='/?{}'>", repeated("a{i}=%20&", size))),
        element("comment-long", |size| format!("<!--{}-->", repeated("-!>", size))),
        element("tag-unclosed", |size| format!("<div {}", repeated("a{i}='b'", size))),
        element("script-long", |size| format!("<script>{}</script>", repeated("<!--<script>", size))),
        element("textarea-long", |size| format!("<textarea>{}</textarea>", repeated("</text", size))),
        element("element-name-long", |size| format!("<x{}>x", repeated("a", size * 10))),
        Case::new("html/doctype-long", &[READ, IMAGES], 4_000, |size| Page {
            html: format!("<!doctype {}>{}", repeated("x", size), Page::of_body("").html),
            ..Page::default()
        }),
        Case::new("html/title-long", &[READ, IMAGES, CODE, BRAND], 400, |size| {
            Page::of_parts(&format!("<title>{}</title>", repeated("word{i} | ", size)), "")
        }),
        Case::new("html/nothing-but-text", &[READ, IMAGES, BRAND, CODE], 400, |size| Page {
            html: repeated("word{i} ", size),
            ..Page::default()
        }),
        Case::new("html/nothing-but-elements", &[READ, IMAGES, BRAND, CODE, VIDEOS, AUDIO], 400, |size| Page {
            html: repeated("<i>x</i>", size),
            ..Page::default()
        }),
        Case::new("html/wide-and-deep", &[READ, IMAGES, CODE, BRAND], 20, |size| {
            let level = format!("<div>{}{{inner}}</div>", "<i>x</i>".repeat(size));
            Page::of_body(&nested(&level, "x", 40))
        }),
    ]
}
