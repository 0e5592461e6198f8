//! Tests `second_reader`.

use super::*;
use crate::model::{Attribute, Baseline};

fn element(tag: &str, attributes: &[(&str, &str)], children: Vec<Child>) -> Element {
    let attribute = |(name, value): &(&str, &str)| Attribute { name: (*name).to_owned(), value: (*value).to_owned() };
    Element {
        tag: tag.to_owned(),
        namespace: Namespace::Html,
        attributes: attributes.iter().map(attribute).collect(),
        children,
        rules: Vec::new(),
        semantic_name: tag.to_owned(),
        modifiers: Vec::new(),
        whitespace_insignificant: true,
        edge_whitespace_insignificant: true,
        is_block_level: true,
        preserves_whitespace: false,
    }
}

fn component() -> Component {
    let text = |text: &str| Child::Text(text.to_owned());
    let elements = vec![
        element("section", &[], vec![Child::Element(ElementId(1)), Child::Element(ElementId(2))]),
        element("h2", &[("id", "a")], vec![text("Ship it")]),
        element("p", &[], vec![text("today")]),
    ];
    Component {
        name: "Hero".to_owned(),
        role: None,
        lang: Some("en".to_owned()),
        theme: None,
        dark_switch: None,
        baseline: Baseline::Browser,
        elements,
        state_sources: Vec::new(),
        keyframes: Vec::new(),
        font_faces: Vec::new(),
        registrations: Vec::new(),
        counter_styles: Vec::new(),
        is_border_box: false,
        truncated: false,
    }
}

#[test]
fn differences_from_the_component_are_reported() {
    for (markup, told) in [
        ("<section lang=en class=x>\n<h2 id=a>Ship it</h2>\n<p>to<!-- -->day</p></section>", None),
        ("<section><h2 id=a>Ship it</h2><p>today</p></section>", Some("has [], not")),
        ("<section lang=en><h2>Ship it</h2><p>today</p></section>", Some("has [], not")),
        ("<section lang=en><h2 id=a title=b>Ship it</h2><p>today</p></section>", Some("title")),
        ("<section lang=en><h2 id=a>Ship</h2><p>today</p></section>", Some("holds [Text(\"Ship\")]")),
        ("<section lang=en>x<h2 id=a>Ship it</h2><p>today</p></section>", Some("holds [Text(\"x\")")),
        ("<section lang=en><h2 id=a>Ship it</h2></section><p>today</p>", Some("<section>, holds")),
        ("<section lang=en><h2 id=a>Ship it</h2><div>today</div></section>", Some("is <div>")),
        ("<section lang=en><h2 id=a>Ship it</h2></section>", Some("holds [Element(1)]")),
        ("", Some("<section>, is missing")),
        ("<section lang=en><h2 id=a>Ship it</h2><p>today</p></section><i></i>", Some("<i> is not of the component")),
    ] {
        let found = difference(&component(), markup);
        let is_told = found.as_deref().zip(told).is_some_and(|(found, told)| found.contains(told));
        assert!(is_told || found.is_none() && told.is_none(), "{markup}: {found:?}");
    }
    let code = |framework| fault(&component(), framework, "<p>today</p>", &[]).unwrap();
    assert_eq!([Framework::Vue, Framework::Elementor, Framework::Shopify].map(code), ["there is no template"; 3]);
}

/// (framework, code, files, whether something is found)
#[test]
fn active_content_of_frameworks_is_found_in_code_and_files() {
    let vue = |text: &str, markup: &str| {
        format!("<script setup>\nconst a = '{text}';\n</script>\n\n<template>\n{markup}</template>\n")
    };
    let elementor = |markup: &str| {
        let block = |html: &str| serde_json::json!({ "elements": [{ "settings": { "html": html } }] });
        serde_json::json!({ "content": [block("<p>x</p>"), block(markup)] }).to_string()
    };
    let liquid = |markup: &str| format!("{markup}\n{{% schema %}}\n{{ \"name\": \"<script>\" }}\n{{% endschema %}}\n");
    let (calm, active) = ("<p>x</p>\n", "<p onclick=steal()>x</p>\n");
    for (framework, code, file, is_found) in [
        (Framework::Vue, vue("<p onclick=a()>", calm), None, false),
        (Framework::Vue, format!("<template>\n{calm}</template>\n"), None, false),
        (Framework::Vue, vue("", "<template v-if=a>\n<p>x</p>\n</template>\n"), None, false),
        (Framework::Vue, vue("", "<p>{{ '</p><p onclick=a()>' }}</p>\n"), None, false),
        (Framework::Vue, vue("", "<p title=\"{{\">x</p>\n<p onclick=a() title=\"}}\">x</p>\n"), None, true),
        (Framework::Vue, vue("", active), None, true),
        (Framework::Vue, vue("", calm), Some(vue("", calm)), false),
        (Framework::Vue, vue("", calm), Some(vue("", active)), true),
        (Framework::Shopify, liquid(calm), None, false),
        (Framework::Shopify, liquid(active), None, true),
        (Framework::Shopify, "{}".to_owned(), Some(liquid(calm)), false),
        (Framework::Shopify, "{}".to_owned(), Some(liquid(active)), true),
        (Framework::Elementor, elementor(calm), None, false),
        (Framework::Elementor, elementor(active), None, true),
    ] {
        let files: Vec<_> = file.into_iter().map(|file| ("sections/a".to_owned(), file)).collect();
        let found = fault(&component(), framework, &code, &files);
        assert_eq!(found.is_some(), is_found, "{framework}: {code} {files:?}: {found:?}");
    }
}

#[test]
fn active_content_and_unsafe_addresses_are_found() {
    for markup in [
        "<script>steal()</script>",
        "<p><svg><script>steal()</script></svg>",
        "<p onclick=steal()>x</p>",
        "<svg><path onload=steal() /></svg>",
        "<a href='javascript:steal()'>x</a>",
        "<a href=' JavaScript:steal()'>x</a>",
        "<a href=/relative>x</a>",
        "<a href='data:image/svg+xml,x'>x</a>",
        "<img src='data:text/html,x'>",
        "<img srcset='https://a.test/a.png 1x, /b.png 2x'>",
        "<svg><a xlink:href='javascript:steal()'>x</a></svg>",
        "<svg><a><animate attributeName=xlink:href to=javascript:steal() /></a></svg>",
        "<iframe srcdoc='<script>'></iframe>",
        "<p style='color:red'>x</p>",
        "<object data=https://a.test/x></object>",
        "<base href=https://a.test/>",
        "<p>x</p><style>p{}</style>",
        "<template><p>x</p></template>",
        "<template v-if=a><p onclick=steal()>x</p></template>",
    ] {
        assert!(hazard(&read(markup)).is_some(), "{markup}");
    }
    for markup in [
        "<a href=https://a.test/>x</a><a href=#x>y</a><a href=mailto:jane@example.org>z</a>",
        "<img src='data:image/png;base64,AAAA' srcset='https://a.test/a.png 1x, https://a.test/b.png 2x'>",
        "<template v-for='item in items' :key=item.a><p>x</p></template>",
        "<style>@font-face{}</style><p title='onclick=steal()'>&lt;script&gt;</p>",
    ] {
        assert_eq!(hazard(&read(markup)), None, "{markup}");
    }
}
