//! Selectors: what is nested in functions, what is repeated, and what the matcher walks.

use super::{BRAND, FONTS, IMAGES, STYLES, SVG, TOKENS};
use crate::case::{Case, comma_repeated, nested, repeated};
use crate::page::Page;
use crate::subject::CODE;

/// Constructs that take a selector.
const FUNCTIONS: &[(&str, &str)] = &[
    ("is", ":is({inner})"),
    ("is-beside", ":is({inner},.c)"),
    ("is-around", ":is(.b,{inner},.c)"),
    ("where", ":where({inner})"),
    ("not", ":not({inner})"),
    ("not-beside", ":not({inner},.x)"),
    ("has", ":has({inner})"),
    ("has-child", ":has(> {inner})"),
    ("host", ":host({inner})"),
    ("host-context", ":host-context({inner})"),
    ("slotted", "::slotted({inner})"),
    ("nth-of", ":nth-child(n of {inner})"),
    ("nth-last-of", ":nth-last-child(2n+1 of {inner})"),
    ("is-not", ":is(:not({inner}))"),
    ("is-descendant", ":is(i {inner})"),
    ("not-is", ":not(:is({inner}),.x)"),
    ("is-parent", ":is(& {inner})"),
    ("any", ":-webkit-any({inner})"),
    ("current", ":current({inner})"),
    ("is-hover", ":is(:hover {inner})"),
    ("has-hover", ":has(:hover,{inner})"),
    ("where-nth", ":where(:nth-child(n of {inner}))"),
    ("part", "::part(a){inner}"),
    ("unknown", ":unknown({inner})"),
];

/// Positions of a nested selector, with its core.
const PLACES: &[(&str, &str, &str)] = &[
    ("rule", "{selector}{color:red}", ".a"),
    ("state", "i{selector}{color:blue}", ".a:hover"),
    ("theme", ".dark {selector} p{margin:1px}", ".dark"),
    ("dark-media", "@media (prefers-color-scheme:dark){{selector}{color:green}}", ".a"),
    ("scope", "@scope ({selector}){p{color:red}}", ".a"),
    ("scope-end", "@scope (main) to ({selector}){p{color:red}}", ".a"),
    ("supports", "@supports selector({selector}){h1{color:red}}", ".a"),
    ("root", "{selector}{--x:red}", ":root"),
];

/// Rules that are repeated before a few hundred elements.
const RULES: &[(&str, &str)] = &[
    ("types", "i{color:#{i}}"),
    ("classes", ".c{i}{color:red}"),
    ("classes-same", ".a{color:red;margin:{i}px}"),
    ("ids", "#d{i}{color:red}"),
    ("attributes", "[data-a{i}]{color:red}"),
    ("attribute-words", "[data-a~='{i}']{color:red}"),
    ("attribute-parts", "[class*='{i}']{color:red}"),
    ("universal", "*{margin:{i}px}"),
    ("not", ":not(.c{i}){margin:{i}px}"),
    ("is", ":is(.a,.c{i}){margin:{i}px}"),
    ("descendants", ".a .c{i} .b{color:red}"),
    ("children", ".a > .c{i} > .b{color:red}"),
    ("siblings", ".a ~ .c{i} ~ .b{color:red}"),
    ("neighbours", ".a + .c{i} + .b{color:red}"),
    ("has", ":has(.q{i}){color:red}"),
    ("has-child", ".a:has(> .q{i}){color:red}"),
    ("has-sibling", ".a:has(~ .q{i}){color:red}"),
    ("has-state", ":has(.q{i}:hover:focus:active){color:red}"),
    ("nth", "i:nth-child({i}n+1){color:red}"),
    ("nth-last", "i:nth-last-child({i}n+1){color:red}"),
    ("nth-of-type", "i:nth-of-type({i}n+1){color:red}"),
    ("nth-of", ":nth-child({i}n+1 of .a){color:red}"),
    ("nth-of-other", ":nth-child(n of .c{i}){color:red}"),
    ("states", ".a:hover .c{i}:focus{color:red}"),
    ("states-of-ancestors", ".a:hover .b:focus .c{i}:active:not(:disabled){color:red}"),
    ("states-of-same", ".a:hover{margin:{i}px}"),
    ("pseudo-elements", ".a::before{content:'{i}'}"),
    ("selection", ".a::selection{color:#{i}}"),
    ("placeholders", ".c{i}::placeholder{color:red}"),
    ("hosts", ":host(.c{i}){color:red}"),
    ("parts", "x-a::part(p{i}){color:red}"),
    ("languages", ":lang(l{i}){color:red}"),
    ("directions", ":dir(ltr) .c{i}{color:red}"),
    ("themes", ".dark .c{i}{color:red}"),
    ("theme-marks", "[data-theme='t{i}'] p{color:red}"),
    ("roots", ":root{--a{i}:{i}px}"),
    ("checked", "#i{i}:checked ~ .c{i}{color:red}"),
    ("targets", "#i{i}:target{color:red}"),
    ("escapes", ".\\31 {i}\\:x{color:red}"),
    ("invalid", ".a:no{i}{color:red}"),
    ("unclosed", ".a:is(.c{i}{color:red}"),
];

/// One selector that is repeated inside a list or a chain.
const PARTS: &[(&str, &str, &str)] = &[
    ("list", ".c{i},", ".a"),
    ("list-of-chains", ".q{i} .r{i}>.s{i},", ".a"),
    ("descendants", ".a ", ".b"),
    ("descendants-universal", "* ", "i"),
    ("descendants-absent", ".a .q{i} ", ".b"),
    ("children", ".a>", ".b"),
    ("siblings", ".a~", ".b"),
    ("neighbours", ".a+", ".b"),
    ("mixed-combinators", ".a .a>.a~", ".b"),
    ("classes", ".a", ".b"),
    ("attributes", "[a{i}]", ".b"),
    ("nots", ":not(.q{i})", ".b"),
    ("iss", ":is(.a,.c{i})", ".b"),
    ("is-nested-lists", ":is(.a,.b,:is(.c,.d,:not(.e,.f)))", ""),
    ("hass", ":has(.a,.c{i})", ".b"),
    ("states", ":hover", ".b"),
    ("parents", "&", ".b"),
    ("nth", ":nth-child(n+{i})", ".b"),
];

/// Rules about alike elements below an ancestor each.
const BELOW: &[(&str, &str)] = &[
    ("type", ".c{i} i{margin:{i}px}"),
    ("type-in-state", ".c{i}:hover i{margin:{i}px}"),
    ("class", ".c{i} .a{margin:{i}px}"),
    ("attribute", ".c{i} [title=t]{margin:{i}px}"),
    ("universal", ".c{i} *{margin:{i}px}"),
    ("sibling", ".c{i} ~ .c{next} i{margin:{i}px}"),
];

/// Rules that walk, on elements that are repeated.
const WALKS: &[(&str, &str)] = &[
    ("siblings", ".a ~ .a + .a ~ .b{color:red}"),
    ("siblings-many", ".a~.a~.a~.a~.a~.a~.a~.q{color:red}"),
    ("has-sibling", "*:has(~ .q){color:blue}"),
    ("has-neighbour", "*:has(+ * .q){margin:1px}"),
    ("has-descendant", ":has(.q){padding:1px}"),
    ("not-has", ":not(:has(.q)){padding:1px}"),
    ("has-both", "div:has(.x ~ .y .z){color:red}"),
    ("nth", "i:nth-child(odd){color:red}"),
    ("nth-last", "i:nth-last-of-type(3n+2){color:blue}"),
    ("nth-of", ":nth-child(2n+1 of :nth-last-child(3n+1 of i)){color:red}"),
    ("empty", ":empty:only-child,:first-child:last-child{color:red}"),
    ("checked", ":checked ~ .b{color:red}"),
    ("hover-sibling", ".a:hover ~ .b{color:red}"),
    ("focus-within", ":focus-within .a{color:red}"),
    ("states", ".a:has(:hover) .b,.a:hover + .b,.a:active ~ .b{color:red}"),
];

pub(super) fn cases() -> Vec<Case> {
    let few = "<div class='a c dark'><i class='a c'>x</i><i class='b c'>y</i></div>".repeat(3);
    let mut cases = Vec::new();
    for (function, template) in FUNCTIONS {
        let body = few.clone();
        cases.push(Case::new(format!("selectors/nested-{function}"), &[CODE, BRAND, TOKENS, SVG], 6, move |size| {
            let rule = |(_, rule, core): &(&str, &str, &str)| rule.replace("{selector}", &nested(template, core, size));
            Page::styled(&PLACES.iter().map(rule).collect::<String>(), &body)
        }));
    }
    for (place, rule) in RULES {
        let body =
            format!("<div class='a dark'>{}</div>", repeated("<i class='a c{i}' id=d{i}>x</i><b class=b></b>", 100));
        cases.push(Case::new(format!("selectors/rules-{place}"), STYLES, 100, move |size| {
            Page::styled(&repeated(rule, size), &body)
        }));
    }
    for (place, part, end) in PARTS {
        let body = nested("<div class=a>{inner}</div>", &"<i class='a b'>x</i>".repeat(20), 40);
        cases.push(Case::new(
            format!("selectors/one-of-{place}"),
            &[CODE, BRAND, TOKENS, FONTS, IMAGES],
            100,
            move |size| Page::styled(&format!("{}{end}{{color:red}}", repeated(part, size)), &body),
        ));
    }
    for (place, rule) in WALKS {
        cases.push(Case::new(format!("selectors/wide-{place}"), &[CODE, BRAND], 200, |size| {
            Page::styled(rule, &repeated("<i class='a y'>x</i><b class=b></b>", size))
        }));
        cases.push(Case::new(format!("selectors/deep-{place}"), &[CODE, BRAND], 50, |size| {
            Page::styled(rule, &nested("<div class='a x'><i class=y></i>{inner}</div>", "<i class=b>x</i>", size))
        }));
    }
    cases.extend(products());
    for (place, rule) in BELOW {
        cases.push(Case::new(format!("selectors/below-{place}"), &[TOKENS, BRAND, CODE], 400, |size| {
            Page::styled(&repeated(rule, size), &repeated("<div class='c{i}'><i class=a title=t>x</i></div>", size))
        }));
    }
    cases.extend([
        Case::new("selectors/functions-list-long", STYLES, 100, |size| {
            Page::styled(&format!(":is({}){{color:red}}", comma_repeated(".c{i}", size)), "<i class=c1>x</i>")
        }),
        Case::new("selectors/name-long", STYLES, 400, |size| {
            let name = "c".repeat(size * 10);
            Page::styled(&format!(".{name}{{color:red}}#{name}{{color:red}}"), &format!("<i class={name}>x</i>"))
        }),
        Case::new("selectors/attribute-value-long", STYLES, 400, |size| {
            let value = "ab".repeat(size * 5);
            Page::styled(&format!("[title*='{value}b']{{color:red}}"), &format!("<i title='{value}{value}'>x</i>"))
        }),
    ]);
    cases
}

/// Rules and elements that are repeated together.
fn products() -> Vec<Case> {
    const PAIRS: &[(&str, &str, &str)] = &[
        ("universal", "*{margin:{i}px}", "<i>x</i>"),
        ("classes", ".c{i}{margin:{i}px}", "<i class='c{i}'>x</i>"),
        ("classes-same", ".a{margin:{i}px}", "<i class=a>x</i>"),
        ("not", ":not(.c{i}){margin:{i}px}", "<i class='c{i}'>x</i>"),
        ("has", ":has(.q{i}){color:red}", "<i>x</i>"),
        ("descendants", ".a .c{i}{margin:{i}px}", "<i class='a c{i}'>x</i>"),
        ("siblings", ".a ~ .c{i}{margin:{i}px}", "<i class='a c{i}'>x</i>"),
        ("nth", "i:nth-child({i}n+1){color:red}", "<i>x</i>"),
        ("states", ".c{i}:hover ~ .c{next}{margin:{i}px}", "<i class='c{i}'>x</i>"),
    ];
    let product = |(place, rule, element): &'static (&str, &str, &str)| {
        Case::new(format!("selectors/product-{place}"), &[CODE, BRAND], 100, |size| {
            Page::styled(&repeated(rule, size), &repeated(element, size))
        })
    };
    PAIRS.iter().map(product).collect()
}
