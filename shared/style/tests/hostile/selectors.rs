//! Selectors made to be slow, deep or long.

use super::{page, paragraph};
use limner_page::Document;
use limner_style::color::Scheme;
use limner_style::selector::{Matcher, ScopeSelector, State, StateSet, is_valid, select};
use limner_style::{Environment, StyleIndex};
use std::time::{Duration, Instant};

/// Ways to nest a selector in another one.
const NESTING: &[(&str, &str)] = &[
    (":is(", ")"),
    (":where(", ")"),
    (":not(", ")"),
    (":has(", ")"),
    (":is(:not(:has(", ")))"),
    (":nth-child(1 of ", ")"),
    (":nth-last-child(2n+1 of b ", ")"),
    (":host(", ")"),
    (":host-context(", ")"),
    ("::slotted(", ")"),
    (":-webkit-any(", ")"),
    (":unknown(", ")"),
    ("::part(", ")"),
    ("[", "]"),
    ("{", "}"),
];

#[test]
fn selectors_nested_ten_thousand_deep_do_not_overflow() {
    for (open, close) in NESTING {
        let deep = format!("{}p{}", open.repeat(10_000), close.repeat(10_000));
        assert!(!is_valid(&deep), "{open}");
        assert!(select(&Document::parse("<p>x"), &deep).is_empty(), "{open}");
        let css = format!("{deep}{{color:red}} p{{color:blue}} @supports selector({deep}){{p{{color:red}}}}");
        assert_eq!(paragraph("", &css)[0], "rgb(0, 0, 255)", "{open}");
        // Unclosed, it discards the rest of the stylesheet, but not the rules before it.
        let css = format!("p{{color:blue}} {}p", open.repeat(10_000));
        assert_eq!(paragraph("", &css)[0], "rgb(0, 0, 255)", "{open}");
    }
}

#[test]
fn selectors_nested_as_deep_as_pages_do_still_match() {
    let wrapped = |open: &str, n: usize| format!("{}p{}", open.repeat(n), ")".repeat(n));
    for (selector, matches) in [
        (wrapped(":is(", 20), true),
        (wrapped(":where(", 20), true),
        (wrapped(":not(", 20), true),
        (wrapped(":not(", 21), false),
        (wrapped(":nth-child(n of ", 20), true),
    ] {
        let css = format!("p{{width:1px}} {selector}{{width:2px!important}}");
        let width = if matches { "2px" } else { "1px" };
        assert_eq!(paragraph("", &css)[1], width, "{selector}");
    }
}

/// Time for everything that is done with a selector of the maximum nesting. Walked once it takes a third of that in a
/// development build; twice at each level would take years.
const NESTED_TIME: Duration = Duration::from_millis(10);

/// Number of measurements, of which the shortest counts: others are disturbed by other processes.
const MEASUREMENTS: usize = 20;

#[test]
fn selectors_nested_to_the_cap_are_walked_once() {
    for (open, close, levels) in [
        (":is(", ",.c)", 1),
        (":where(.c,", ")", 1),
        (":not(", ",.c)", 1),
        (":nth-child(1 of ", ",.c)", 1),
        (":is(:not(", ",.c),.d)", 2),
        (":where(:nth-last-child(n of ", ",.c):hover,.d)", 2),
    ] {
        for inner in [".a,.dark .b", ".a:has(.b:hover,.c),.b:focus", ".dark:not([open])"] {
            let taken = 1 + inner.matches('(').count().min(1) + inner.matches('[').count();
            let depth = (48 - taken) / levels;
            let selector = format!("{}{inner}{}", open.repeat(depth), close.repeat(depth));
            let time = || {
                let started = Instant::now();
                run_all_operations(&selector);
                started.elapsed()
            };
            let shortest = (0..MEASUREMENTS).map(|_| time()).find(|taken| *taken < NESTED_TIME);
            assert!(shortest.is_some(), "{selector} takes {:?}", time());
        }
    }
}

fn run_all_operations(selector: &str) {
    let html = "<body><div class=a><p class='b dark'>x</p><p>y</p></div>";
    let dark = |mark: ScopeSelector<'_>| (mark == ScopeSelector::Class("dark")).then_some(Scheme::Dark);
    let document = Document::parse(html);
    assert!(is_valid(selector), "{selector}");
    let matcher = Matcher::parse(selector).unwrap();
    let all: Vec<_> = document.elements().map(|(node, _)| node).collect();
    let matching: Vec<_> = all.iter().copied().filter(|node| matcher.matches(&document, *node)).collect();
    assert_eq!(select(&document, selector), matching, "{selector}");
    let css = format!(
        "{selector}{{color:red;--a:1}}@scope ({selector}) to ({selector}){{p{{color:red}}}}\
         .a{{{selector} &{{color:red}}}}@supports selector({selector}){{p{{width:3px}}}}"
    );
    let page = page(html, &css);
    let index = StyleIndex::new(&page, &document);
    assert_eq!(index.rules().count(), 4, "{selector}");
    for rule in index.rules() {
        let _ = (rule.scope_scheme(&dark), rule.selectors().count());
    }
    let mut probe = index.state_probe();
    let mut styles = index.styles(&Environment::default());
    for node in &all {
        assert!(styles.get(*node).is_some());
        let blocks = index.declarations(*node, None);
        let _ = blocks.iter().filter_map(|block| block.scope_scheme(&dark)).count();
        let candidates = index.candidates(*node, None);
        let _ = candidates.iter().filter_map(|own| own.scope_scheme(&dark).and(own.selector())).count();
        for block in index.state_blocks(*node) {
            index.has_targets(&block, &all).for_each(drop);
            probe.matches(*node, &block, StateSet::from_iter([State::Hover]), all[1]);
        }
    }
}

#[test]
fn long_selectors_match_in_time() {
    for (long, matches) in [
        (format!("{}p", "html ".repeat(100_000)), false),
        (format!("{}p", "* ".repeat(10_000)), false),
        (format!("p{}", ":not(a)".repeat(5_000)), true),
        (format!("p{}", ".a".repeat(20_000)), false),
        (format!("p{}", "#a".repeat(20_000)), false),
        (format!("p{}", "[a]".repeat(20_000)), false),
        (format!("{}p", "a,".repeat(20_000)), true),
        (format!("p:is({}p)", "a,".repeat(20_000)), true),
        (format!("p:not({}a)", "b,".repeat(20_000)), true),
        (format!("p{}", "+p".repeat(20_000)), false),
        (format!(".{}", "x".repeat(60_000)), false),
    ] {
        let css = format!("p{{width:1px}} {long}{{width:2px!important}} p{{color:blue}}");
        let width = if matches { "2px" } else { "1px" };
        assert_eq!(paragraph("", &css), ["rgb(0, 0, 255)", width], "{} bytes: {}", long.len(), &long[..20]);
    }
}

/// Selectors that search much of the document for every element.
const COSTLY: &[&str] = &[
    ":has(.nowhere)",
    ":has(~ .nowhere)",
    ":has(+ * ~ * .nowhere)",
    ":not(:has(:not(b))):has(:not(.nowhere))",
    "* * * * * * * * * * * * .nowhere",
    "* ~ * ~ * ~ * ~ * ~ * ~ .nowhere",
    "* > * * ~ * * ~ * * ~ * * ~ *:not(.a .b .c .d ~ .e ~ .f)",
    "body:has(*) :is(* *, * ~ *, :not(* > *)) :is(* *, * ~ *, :not(* > *)) ~ :is(* *, * ~ *)",
    "*:is(*:is(*:is(* * *) * *) * *) * * .nowhere ~ *",
    ":is(:hover, :focus, :active) :is(:hover, :focus, :active) ~ * :hover",
    ":root:has(*:hover) *:has(~ *:focus)",
];

#[test]
fn costly_selectors_in_wide_and_deep_documents_end() {
    let wide = format!("<body>{}", "<i><b class=x></b></i>".repeat(4_000));
    let deep = format!("<body>{}", "<i>".repeat(390));
    for html in [&wide, &deep] {
        let css: String = COSTLY.iter().map(|selector| format!("{selector}{{color:red}}")).collect();
        let page = page(html, &format!("{css} b{{color:blue}}"));
        let document = Document::parse(&page.html);
        let index = StyleIndex::new(&page, &document);
        let mut styles = index.styles(&Environment::default());
        assert!(document.elements().all(|(node, _)| styles.get(node).is_some()));
        for selector in COSTLY {
            assert!(is_valid(selector), "{selector}");
            let _ = select(&document, selector);
        }
    }
}

#[test]
fn parents_that_multiply_in_nested_rules_are_bounded() {
    let html = "<i><i><i><i><i><i>";
    let deep = format!("{}&{}", ":is(".repeat(45), ")".repeat(45));
    for (rule, depth) in [
        ("& &", 60),
        ("&, & &", 60),
        ("&:is(&, &)", 60),
        ("& ~ &, & > &, &:has(&)", 40),
        ("a &, b &", 60),
        (deep.as_str(), 60),
    ] {
        let css =
            format!("i, p{{{}color:red{} p{{color:blue}}", format!("{rule}{{").repeat(depth), "}".repeat(depth + 1));
        assert_eq!(paragraph(html, &css)[0], "rgb(0, 0, 255)", "{rule}");
    }
}

/// With its debug assertions the `selectors` crate counts the siblings of every element again, and treats the end of
/// its step budget as a bug: the development profile disables them.
#[test]
fn thousands_of_siblings_are_counted() {
    let count = 12_000;
    let html = format!("<body>{}", "<i></i><b></b>".repeat(count / 2));
    let css = "i:nth-child(2n+1){width:1px} b:nth-last-child(odd){width:2px} b:nth-of-type(3n){width:3px}
        i:nth-child(3n of i){width:4px} body > :nth-last-of-type(1){width:5px}";
    let page = page(&html, css);
    let document = Document::parse(&page.html);
    let index = StyleIndex::new(&page, &document);
    let mut styles = index.styles(&Environment::default());
    let mut widths = |name: &str| -> Vec<String> {
        let nodes = document.elements_named(name).map(|(node, _)| node);
        nodes.map(|node| styles.get(node).unwrap().get(limner_style::property::Longhand::Width).to_owned()).collect()
    };
    let (italic, bold) = (widths("i"), widths("b"));
    assert_eq!((italic.len(), bold.len()), (count / 2, count / 2));
    for (at, width) in italic.iter().enumerate() {
        assert_eq!(width, ["1px", "1px", "4px"][at % 3], "i {at}");
    }
    for (at, width) in bold.iter().enumerate() {
        let expected = if at + 1 == bold.len() { "5px" } else { ["2px", "2px", "3px"][at % 3] };
        assert_eq!(width, expected, "b {at}");
    }
}

#[test]
fn rules_about_neighbours_take_steps_in_proportion() {
    let css: String = (0..100)
        .map(|n| format!(".x{n} + b{{width:1px}} .x{n} > b{{width:2px}} [data-n='{n}']{{width:3px}}"))
        .chain([".a ~ .a + .a ~ .b, :checked ~ .b, :hover ~ .b, .a:hover ~ .b, .b ~ .c:not(:hover) ~ .b{color:red}"
            .to_owned()])
        .collect();
    let steps = |count: usize| {
        let page = page(&"<i class='a y' data-n=7>x</i><b class=b></b>".repeat(count), &css);
        let document = Document::parse(&page.html);
        let before = document.work_budget().steps();
        assert!(!StyleIndex::new(&page, &document).truncated());
        before - document.work_budget().steps()
    };
    let [few, many] = [1_000, 4_000].map(steps);
    assert!(many < few * 5, "{few}, then {many} steps");
    assert!(many < 4_000 * 500, "{many} steps");
}

#[test]
fn scopes_take_steps_in_proportion() {
    let steps = |rules: usize, depth: usize| {
        let css: String =
            (0..rules).map(|n| format!("@scope (.a) to (.b){{i{{width:{n}px}} :scope i{{height:1px}}}}")).collect();
        let page = page(&format!("{}<i>x</i>{}", "<div class=c>".repeat(depth), "</div>".repeat(depth)), &css);
        let document = Document::parse(&page.html);
        let before = document.work_budget().steps();
        assert!(!StyleIndex::new(&page, &document).truncated());
        before - document.work_budget().steps()
    };
    let [few, more_rules, deeper] = [(400, 100), (1_600, 100), (400, 400)].map(|(rules, depth)| steps(rules, depth));
    assert!(more_rules < few * 5, "{few}, then {more_rules} steps");
    assert!(deeper < few * 5, "{few}, then {deeper} steps");
}
