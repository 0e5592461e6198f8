use crate::property::Longhand;
use crate::selector::{State, StateSet};
use crate::{Environment, QueriedFeatures, StyleIndex, Variable};
use limner_page::{Document, NodeId, PageSnapshot, SheetOwner, Stylesheet};
use url::Url;

fn page(css: &str, html: &str) -> PageSnapshot {
    let sheet = Stylesheet {
        owner: SheetOwner::Adopted,
        base_url: "https://a.test/css/".into(),
        text: Some(css.into()),
        ..Stylesheet::default()
    };
    PageSnapshot { html: format!("<!doctype html>{html}"), sheets: vec![sheet], ..PageSnapshot::default() }
}

fn by_id(document: &Document, id: &str) -> NodeId {
    document.elements().find(|(_, element)| element.attr("id") == Some(id)).map(|(node, _)| node).unwrap()
}

#[test]
fn specified_values_are_portable() {
    for (css, longhand, expected) in [
        ("p{padding:1rem 2em}", Longhand::PaddingLeft, Some("2em")),
        ("p{padding:1rem 2em}", Longhand::PaddingTop, Some("1rem")),
        ("html{font-size:62.5%} p{padding:1.6rem}", Longhand::PaddingTop, Some("16px")),
        (":root{--a:#fff;--b:var(--a)} p{color:var(--b,red)}", Longhand::Color, Some("#fff")),
        ("p{color:red!important} p{color:blue}", Longhand::Color, Some("red")),
        ("p{width:clamp(1rem,2vw,3rem)}", Longhand::Width, Some("clamp(1rem, 2vw, 3rem)")),
        ("p{background:url(x.png)}", Longhand::BackgroundImage, Some("url(\"https://a.test/css/x.png\")")),
        ("p{fill:url(#x)}", Longhand::Fill, Some("url(\"#x\")")),
        ("p{order:1} p{order:unset}", Longhand::Order, Some("initial")),
        ("p{color:red} p{color:unset}", Longhand::Color, Some("inherit")),
        ("p{font:14px/1.42857143 a}", Longhand::LineHeight, Some("1.4285715")),
        ("p{line-height:1.50}", Longhand::LineHeight, Some("1.5")),
        ("p{line-height:33.33333%}", Longhand::LineHeight, Some("33.333333%")),
        ("a{order:1}", Longhand::Order, None),
    ] {
        let page = page(css, "<p id=x>");
        let document = Document::parse(&page.html);
        let index = StyleIndex::new(&page, &document);
        let base = Url::parse("https://a.test/").unwrap();
        let mut styles = index.styles(&Environment::default());
        let specified = styles.specified(by_id(&document, "x"), None, &base, &|_| None).unwrap();
        assert_eq!(specified.get(longhand).map(|value| value.value.as_str()), expected, "{css}");
    }
}

#[test]
fn urls_in_attributes_resolve_against_the_document() {
    let page = page("", "<p id=x style='background-image: image-set(\"a.png\" 1x)'>");
    let document = Document::parse(&page.html);
    let index = StyleIndex::new(&page, &document);
    let base = Url::parse("https://a.test/dir/").unwrap();
    let specified = index.styles(&Environment::default()).specified(by_id(&document, "x"), None, &base, &|_| None);
    let image = specified.unwrap().get(Longhand::BackgroundImage).unwrap().value.clone();
    assert_eq!(image, "image-set(url(\"https://a.test/dir/a.png\") 1x)");
}

/// (css, id of the one hovered element, whether the block then applies to `#x`)
#[test]
fn state_probe_finds_the_element_whose_state_a_block_depends_on() {
    let html = "<div id=o><i id=s></i><b id=p><s id=e></s><u id=x></u></b></div>";
    for (css, at, expected) in [
        ("u:hover{order:1}", "x", true),
        ("u:hover{order:1}", "p", false),
        ("b:hover u{order:1}", "p", true),
        ("b:hover u{order:1}", "o", false),
        ("b:hover u{order:1}", "x", true),
        ("i:hover ~ b u{order:1}", "s", true),
        ("i:hover ~ b u{order:1}", "p", false),
        ("b:hover u:not(:hover){order:1}", "p", true),
        ("b:hover u:not(:hover){order:1}", "x", false),
        ("div:hover b:not(:hover) u{order:1}", "o", true),
        ("div:hover b:not(:hover) u{order:1}", "s", true),
        ("div:hover b:not(:hover) u{order:1}", "x", false),
        ("s:hover + u:not(:hover){order:1}", "e", true),
    ] {
        let page = page(css, html);
        let document = Document::parse(&page.html);
        let index = StyleIndex::new(&page, &document);
        let node = by_id(&document, "x");
        let blocks = index.state_blocks(node);
        assert_eq!(blocks.len(), 1, "{css}");
        let hover = StateSet::from(State::Hover);
        let matches = index.state_probe().matches(node, &blocks[0], hover, by_id(&document, at));
        assert_eq!(matches, expected, "{css} at {at}");
        let base = Url::parse("https://a.test/").unwrap();
        let mut styles = index.styles(&Environment::default());
        let holds = |number: usize| (number == blocks[0].number).then_some(matches);
        let specified = styles.specified(node, None, &base, &holds).unwrap();
        assert_eq!(specified.style.get(Longhand::Order), if expected { "1" } else { "0" }, "{css} at {at}");
    }
}

/// (css, markup, inverted state, whether the rule then applies; at rest the opposite holds)
#[test]
fn assumed_states_invert_the_markup() {
    for (css, html, state, expected) in [
        ("input:checked + u{order:1}", "<input type=checkbox id=c><u id=x></u>", State::Checked, true),
        ("input:checked + u{order:1}", "<input type=radio checked id=c><u id=x></u>", State::Checked, false),
        ("input:not(:checked) + u{order:1}", "<input type=radio checked id=c><u id=x></u>", State::Checked, true),
        ("[open] u{order:1}", "<details id=c><u id=x></u></details>", State::Open, true),
        ("details:not([open]) u{order:1}", "<details id=c><u id=x></u></details>", State::Open, false),
        ("details:open u{order:1}", "<details open id=c><u id=x></u></details>", State::Open, false),
        ("button:disabled u{order:1}", "<button id=c><u id=x></u></button>", State::Disabled, true),
        ("fieldset[disabled] u{order:1}", "<fieldset disabled id=c><u id=x></u></fieldset>", State::Disabled, false),
        ("button:enabled u{order:1}", "<button disabled id=c><u id=x></u></button>", State::Disabled, true),
    ] {
        let page = page(css, html);
        let document = Document::parse(&page.html);
        let index = StyleIndex::new(&page, &document);
        let node = by_id(&document, "x");
        let at_rest = index.styles(&Environment::default()).get(node).unwrap().get(Longhand::Order) == "1";
        assert_eq!(at_rest, !expected, "{css} on {html}");
        let blocks = index.state_blocks(node);
        assert_eq!(blocks.len(), 1, "{css}");
        let matches = index.state_probe().matches(node, &blocks[0], StateSet::from(state), by_id(&document, "c"));
        assert_eq!(matches, expected, "{css} on {html}");
    }
    assert_eq!(State::from_name("checked"), None, "states of markup cannot be requested by name");
}

#[test]
fn questions_about_an_element_list_the_widths_of_its_conditions() {
    let css = "@media (max-width:767px){p{order:1}} @media (min-width:48em){p{order:2}} @media (max-width:991.98px){p{order:3}} \
               @media (400px < width <= 500px){p{order:4}} @media (orientation:landscape) and (prefers-color-scheme:dark){p{order:5}} \
               @media (min-width:9px){b{order:6}}";
    let page = page(css, "<p id=x>");
    let document = Document::parse(&page.html);
    let index = StyleIndex::new(&page, &document);
    let mut questions = QueriedFeatures::default();
    index.add_queried_features(by_id(&document, "x"), &mut questions);
    assert_eq!(questions.widths.iter().copied().collect::<Vec<_>>(), [401, 501, 768, 992]);
    assert!(questions.shape && questions.scheme && !questions.reduced_motion && questions.container_sizes.is_empty());
}

/// (css, longhand, the value with references)
#[test]
fn values_refer_to_variables_of_the_expected_value() {
    for (css, longhand, expected) in [
        ("p{color:var(--ink)}", Longhand::Color, Some("var(--ink)")),
        ("p{border:1px solid var(--ink, red)}", Longhand::BorderTopColor, Some("var(--ink)")),
        (
            "p{background:linear-gradient(red, var(--ink))}",
            Longhand::BackgroundImage,
            Some("linear-gradient(red, var(--ink))"),
        ),
        ("p{padding:calc(2 * var(--gap)) 1rem}", Longhand::PaddingTop, Some("calc(2 * var(--gap))")),
        ("p{padding:calc(2 * var(--gap)) 1rem}", Longhand::PaddingLeft, None),
        ("p{font:1rem/1.5 var(--body)}", Longhand::FontFamily, Some("var(--body)")),
        ("p{font:1rem/1.5 var(--body)}", Longhand::LineHeight, None),
        ("p{box-shadow:var(--lift)}", Longhand::BoxShadow, Some("var(--lift)")),
        ("p{--ink:red;color:var(--ink)}", Longhand::Color, None),
        ("p{color:var(--other)}", Longhand::Color, None),
        ("p{color:#123}", Longhand::Color, None),
        ("html{font-size:62.5%} p{padding:var(--gap)}", Longhand::PaddingTop, Some("var(--gap)")),
    ] {
        let root = ":root{--ink:#123;--gap:1rem;--body:Inter, sans-serif;--lift:0 1px 2px #0003;--other:#123}";
        let page = page(&format!("{root} {css}"), "<p id=x>");
        let document = Document::parse(&page.html);
        let index = StyleIndex::new(&page, &document);
        let known =
            [("--ink", "#123"), ("--gap", "1rem"), ("--body", "Inter, sans-serif"), ("--lift", "0 1px 2px #0003")];
        let known = known.map(|(name, value)| Variable { name: name.into(), value: value.into(), scheme: None });
        let mut styles = index.styles(&Environment::default()).with_references(&known);
        let base = Url::parse("https://a.test/").unwrap();
        let plain = index.styles(&Environment::default()).specified(by_id(&document, "x"), None, &base, &|_| None);
        let specified = styles.specified(by_id(&document, "x"), None, &base, &|_| None).unwrap();
        let own = specified.get(longhand).unwrap();
        assert_eq!(own.reference.as_deref(), expected, "{css}");
        assert_eq!(Some(&own.value), plain.unwrap().get(longhand).map(|own| &own.value), "{css}");
    }
}
