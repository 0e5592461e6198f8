use crate::StyleIndex;
use crate::selector::select;
use crate::sheet::Origin;
use limner_page::{Document, NodeId, PageSnapshot, SheetOwner, Stylesheet};

/// Numbers that are the same at each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn one_of(&mut self, choices: &[&'static str]) -> &'static str {
        choices[self.below(choices.len())]
    }
}

fn tree(numbers: &mut Numbers, depth: usize) -> String {
    let children = (0..1 + numbers.below(6)).map(|_| {
        let (name, class) = (numbers.one_of(&["p", "i", "div"]), numbers.one_of(&["a", "b", "a b", "c", "A"]));
        let inside = if depth > 0 && name == "div" { tree(numbers, depth - 1) } else { "x".to_owned() };
        format!("<{name} class='{class}' data-n='{}'>{inside}</{name}> ", numbers.one_of(&["1", "2 1", ""]))
    });
    children.collect()
}

fn selector(numbers: &mut Numbers) -> String {
    const COMPOUNDS: &[&str] = &[
        ".a",
        ".b",
        ".a.b",
        ".c",
        "p",
        "i",
        "div",
        "*",
        "i.a",
        ":not(.a)",
        ":first-child",
        ":nth-child(2n)",
        ":is(.a,.c)",
        ":has(.c)",
        "[data-n]",
        "[data-n='2 1']",
        "[data-n~='1']",
        ".a:not(:hover)",
        ":is(.a ~ .b)",
    ];
    let mut text = numbers.one_of(COMPOUNDS).to_owned();
    for _ in 0..numbers.below(5) {
        text += numbers.one_of(&[" ~ ", " ~ ", " + ", " > ", " "]);
        text += numbers.one_of(COMPOUNDS);
    }
    text
}

/// Returns the elements that the rule matches.
fn matched(doctype: &str, body: &str, rule: &str) -> (Document, Vec<NodeId>) {
    let sheet = Stylesheet {
        owner: SheetOwner::Adopted,
        base_url: "https://a.test/".into(),
        text: Some(format!("{rule}{{z-index:7}}")),
        ..Stylesheet::default()
    };
    let page = PageSnapshot { html: format!("{doctype}{body}"), sheets: vec![sheet], ..PageSnapshot::default() };
    let document = Document::parse(&page.html);
    let index = StyleIndex::new(&page, &document);
    let is_author = |node: &NodeId| index.declarations(*node, None).iter().any(|block| block.origin == Origin::Author);
    let found = document.elements().map(|(node, _)| node).filter(is_author).collect();
    drop(index);
    (document, found)
}

#[test]
fn rules_match_the_elements_that_their_selectors_select() {
    let mut numbers = Numbers(7);
    for round in 0..2_000 {
        let doctype = if round % 4 == 0 { "" } else { "<!doctype html>" };
        let (body, rule) = (tree(&mut numbers, 3), selector(&mut numbers));
        let (document, found) = matched(doctype, &body, &rule);
        assert_eq!(found, select(&document, &rule), "{rule} in {doctype}{body}");
    }
}

#[test]
fn pseudo_elements_and_states_follow_earlier_siblings() {
    let body = "<i class=a>1</i><b>2</b><i class=c>3</i><p>4</p>";
    let names = |rule: &str| {
        let (document, found) = matched("<!doctype html>", body, rule);
        found.iter().map(|node| document.element(*node).unwrap().name().to_owned()).collect::<String>()
    };
    assert_eq!(names(".a ~ b ~ i:hover"), "i");
    assert_eq!(names(".a:hover ~ b"), "b");
    assert_eq!(names(".a:hover ~ .c:not(:hover)"), "i");
    assert_eq!(names(".a:not(:hover) ~ .c:hover + p"), "p");
    assert_eq!(names(".b:hover ~ .c"), "");
}

#[test]
fn hover_alone_matches_links_only_in_quirks_mode() {
    let body = "<p>x</p><i class=b>y</i><a href=z>z</a><i class=b>y</i>";
    for (doctype, rule, expected) in [
        ("", ":hover ~ .b", 1),
        ("", ".c:hover ~ .b", 0),
        ("", "p:hover ~ .b", 2),
        ("<!doctype html>", ":hover ~ .b", 2),
    ] {
        assert_eq!(matched(doctype, body, rule).1.len(), expected, "{doctype} {rule}");
    }
}
