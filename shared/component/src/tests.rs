use limner_page::{PageSnapshot, SheetOwner, Stylesheet};
use limner_page_view::{ExtractError, Extraction, PageView};
use limner_style::layout::Layout;
use limner_types::component_name::{PLACEHOLDER_NAME, replace_placeholder};
use limner_types::{
    CodeLanguage, CodeOptions, CodeScope, Framework, Operation, OperationOptions, OperationRequest, Theme,
};
use scraper::{ElementRef, Html, Selector};
use serde_json::Value;

mod backgrounds;
mod blocks;
mod borders;
mod boxes;
mod breakpoint_copies;
mod color_schemes;
mod columns;
mod compound_states;
mod containers;
mod definitions;
mod documented_component;
mod element_context;
mod flex_grid_items;
mod has;
mod idle_layout;
mod idle_styles;
mod loops;
mod markup;
mod new_features;
mod noscript_images;
mod output_quality;
mod page_themes;
mod pages;
mod quirks;
mod results;
mod root_themes;
mod rule_merging;
mod segmentation;
mod slots;
mod start_states;
mod states;
mod tag_selectors;
mod tokens;
mod transitions;
mod variables;
mod whitespace;
mod wrapper_pruning;

const CSS: &str = ":root{--brand:#06c} body{margin:0;font:16px/1.5 Inter,sans-serif;color:#222} .hero{padding:2rem;background:var(--brand)} \
                   .hero h1{font-size:3rem} .cta{color:#fff;text-decoration:none} .cta:hover{color:#ff0} .card:hover .more{opacity:1} .more{opacity:0} \
                   @media (min-width:768px){.hero{padding:4rem}} .dark .hero{background:#111}";

const HTML: &str = "<html lang=en><body><header><nav><a href=/a>A</a> <a href=/b>B</a> <a href=/c>C</a></nav></header>\
                    <main><section class=hero id=top><h1>Ship it today</h1><p>All the words that a hero needs to be one.</p>\
                    <a class=cta href=/start onclick=steal()>Start</a><a href='javascript:steal()'>x</a><script>steal()</script>\
                    <div class=card><b class=more>More</b></div></section><section class=b><h2>Features of it</h2><p>And a lot more text.</p></section></main>";

/// Returns a page with one stylesheet.
fn page_of(html: impl Into<String>, css: &str) -> PageSnapshot {
    let sheet = Stylesheet { owner: SheetOwner::Adopted, text: Some(css.into()), ..Stylesheet::default() };
    PageSnapshot { url: "https://a.test/".into(), html: html.into(), sheets: vec![sheet], ..PageSnapshot::default() }
}

fn page() -> PageSnapshot {
    let mut page = page_of(format!("<!doctype html>{HTML}"), CSS);
    page.sheets[0].base_url = "https://a.test/".into();
    page
}

fn ask(selector: Option<&str>, theme: Theme) -> Result<Value, ExtractError> {
    ask_of(&page(), selector, theme)
}

fn ask_of(page: &PageSnapshot, selector: Option<&str>, theme: Theme) -> Result<Value, ExtractError> {
    ask_for(page, selector, theme, Framework::Html)
}

fn ask_for(
    page: &PageSnapshot,
    selector: Option<&str>,
    theme: Theme,
    framework: Framework,
) -> Result<Value, ExtractError> {
    extract(page, &request(selector, theme, framework)).map(|extraction| parsed(&extraction))
}

fn ask_laid_out(page: &PageSnapshot, selector: Option<&str>, layout: &dyn Layout) -> Value {
    let view = PageView::with_layout(page, layout);
    let request = request(selector, Theme::Light, Framework::Html);
    parsed(&crate::extract(&view, &request, limner_component_emit::emit).unwrap())
}

/// Returns a value of each element of emitted HTML that a selector matches, in document order.
#[track_caller]
fn select<T>(code: &str, selector: &str, value: impl Fn(ElementRef<'_>) -> T) -> Vec<T> {
    let (html, selector) = (Html::parse_fragment(code), Selector::parse(selector).unwrap());
    html.select(&selector).map(value).collect()
}

/// Returns the text of each element of emitted HTML that a selector matches.
#[track_caller]
fn texts(code: &str, selector: &str) -> Vec<String> {
    select(code, selector, |element| element.text().collect())
}

/// Returns the name of each element of emitted HTML that a selector matches.
#[track_caller]
fn names(code: &str, selector: &str) -> Vec<String> {
    select(code, selector, |element| element.value().name().to_owned())
}

/// Returns an attribute of each element of emitted HTML that a selector matches.
#[track_caller]
fn attributes(code: &str, selector: &str, name: &str) -> Vec<String> {
    select(code, selector, |element| element.attr(name).map(str::to_owned)).into_iter().flatten().collect()
}

/// Returns the number of elements of emitted HTML that a selector matches.
#[track_caller]
fn count(code: &str, selector: &str) -> usize {
    select(code, selector, |_| ()).len()
}

fn extract(page: &PageSnapshot, request: &OperationRequest) -> Result<Extraction, ExtractError> {
    crate::extract(&PageView::new(page), request, limner_component_emit::emit)
}

fn parsed(extraction: &Extraction) -> Value {
    serde_json::from_slice(&extraction.body).unwrap()
}

fn request(selector: Option<&str>, theme: Theme, framework: Framework) -> OperationRequest {
    let options = CodeOptions {
        selector: selector.map(str::to_owned),
        section: None,
        framework,
        name: None,
        theme,
        language: CodeLanguage::Js,
        preview: false,
        scope: CodeScope::Section,
    };
    OperationRequest {
        operation: Operation::Code,
        url: "a.test".into(),
        render: false,
        fresh: false,
        screenshot: None,
        fields: None,
        options: OperationOptions::Code(options),
    }
}

#[test]
fn hero_is_found_and_stands_alone() {
    let result = ask(None, Theme::Light).unwrap();
    assert_eq!((&result["selector"], &result["autoDetected"]), (&"#top".into(), &true.into()));
    assert_eq!(result["sections"][0]["role"], "hero");
    let (code, css) = (result["code"].as_str().unwrap(), result["css"].as_str().unwrap());
    assert_eq!(texts(code, "section > h1"), ["Ship it today"], "{code}");
    assert_eq!(texts(code, "a[href='https://a.test/start']"), ["Start"], "{code}");
    assert_eq!(texts(code, "a[href='#']"), ["x"], "the keyboard reaches a link that ran a script: {code}");
    for hostile in ["steal", "javascript", "onclick", "<script"] {
        assert!(!code.contains(hostile), "{hostile} in {code}");
    }
    for part in ["#06c", "@media (min-width: 768px)", ":hover", ":where(.dark) .hero {", "#111", "Inter"] {
        assert!(css.contains(part), "{part} in {css}");
    }
    assert_eq!((css.matches("--brand: #06c;").count(), css.matches("var(").count()), (1, 1), "{css}");
    assert!(result["tokens"]["colors"].as_object().is_some_and(|colors| !colors.is_empty()));
}

/// Frameworks write a width of 0 where CSS sizes the picture.
#[test]
fn pictures_that_css_sizes_are_no_trackers() {
    for (size, attributes, is_kept) in [
        (0, "style='width:100%;height:auto'", true),
        (0, "class='w-full h-auto' srcset='/a.png 1x, /b.png 2x'", true),
        (0, "class='w-full h-auto' alt='Our office'", true),
        (0, "style='display:none' alt=''", false),
        (0, "style='width:1px !important;height:1px'", false),
        (1, "alt='A counter of visits'", false),
    ] {
        let picture = format!("<img src=/a.png width={size} height={size} {attributes}>");
        let html = format!("<!doctype html><body><section class=hero><h1>Words of the page</h1>{picture}</section>");
        let result = ask_for(&page_of(html, ""), Some(".hero"), Theme::Light, Framework::Html).unwrap();
        let images = count(result["code"].as_str().unwrap(), "img[src='https://a.test/a.png']");
        assert_eq!(images, usize::from(is_kept), "{attributes}: {result}");
    }
}

#[test]
fn templates_do_not_depend_on_the_cached_name() {
    let under = |name: &str| {
        let mut request = request(Some(".hero"), Theme::Light, Framework::Elementor);
        let OperationOptions::Code(options) = &mut request.options else { panic!("of /code") };
        options.name = Some(name.to_owned());
        parsed(&extract(&page(), &request).unwrap())["code"].as_str().unwrap().to_owned()
    };
    assert!(under("Hero").contains(".hero-more"), "class names start with the component's");
    assert_eq!(replace_placeholder(&under(PLACEHOLDER_NAME), "Hero"), under("Hero"));
}

#[test]
fn dark_theme_that_follows_the_visitor_is_a_media_query() {
    let mut page = page();
    page.sheets[0].text =
        Some(CSS.replace(".dark .hero{background:#111}", "@media (prefers-color-scheme:dark){.hero{background:#111}}"));
    let result = ask_of(&page, None, Theme::Light).unwrap();
    let css = result["css"].as_str().unwrap();
    assert!(css.contains("@media (prefers-color-scheme: dark)") && !css.contains(":where(.dark)"), "{css}");
}

#[test]
fn dark_theme_forms_the_component() {
    let result = ask(None, Theme::Dark).unwrap();
    let css = result["css"].as_str().unwrap();
    assert!(css.contains("#111") && !css.contains("prefers-color-scheme") && !css.contains(":where(.dark)"), "{css}");
    assert_eq!(result["theme"], "dark");
}

#[test]
fn selector_that_matches_nothing_lists_the_sections() {
    for selector in [".nothing", "script", "head"] {
        let Err(ExtractError::NotFound { message, sections }) = ask(Some(selector), Theme::Light) else {
            panic!("{selector} was found")
        };
        assert!(message.contains("#top") && sections.len() >= 3, "{message}");
    }
    assert_eq!(ask(Some("html"), Theme::Light).unwrap()["autoDetected"], false);
}

#[test]
fn templates_and_shadow_trees_cannot_be_selected() {
    let hidden = "<template><p class=kept>Kept for later</p></template>\
                  <div><template shadowrootmode=open><p class=shade>In the shade</p></template></div>";
    let html = format!("<!doctype html><body><section id=top><h1>Title</h1><p class=open>Text</p></section>{hidden}");
    let page = page_of(html, "");
    for selector in ["template", "template p", ".kept", ".shade"] {
        let result = ask_for(&page, Some(selector), Theme::Light, Framework::Html);
        assert!(matches!(result, Err(ExtractError::NotFound { .. })), "{selector}: {result:?}");
    }
    assert!(ask_for(&page, Some(".open"), Theme::Light, Framework::Html).is_ok());
}

#[test]
fn parts_of_an_svg_select_the_whole() {
    let html = "<main><section id=top><h1>T</h1><svg id=s viewBox='0 0 1 1'><g><path id=p d=M0 /></g><iframe srcdoc=x></iframe>\
                <foreignObject><b id=b>In</b></foreignObject></svg><math id=m><mi id=i>x</mi><style>y</style></math></section></main>";
    let page = page_of(format!("<!doctype html>{html}"), "");
    for (selector, root, is_part) in
        [("#p", "svg", true), ("#s", "svg", false), ("#i", "math", true), ("#b", "b", false)]
    {
        let result = ask_of(&page, Some(selector), Theme::Light).unwrap();
        assert_eq!(names(result["code"].as_str().unwrap(), "html > *"), [root], "{selector}: {result}");
        assert_eq!(result.to_string().contains("a part of a picture"), is_part, "{selector}: {result}");
    }
    for selector in ["svg iframe", "math style"] {
        assert!(
            matches!(ask_of(&page, Some(selector), Theme::Light), Err(ExtractError::NotFound { .. })),
            "{selector}"
        );
    }
}

#[test]
fn results_are_deterministic() {
    assert_eq!(ask(None, Theme::Light).unwrap(), ask(None, Theme::Light).unwrap());
}

/// Extracts the only section of a page as HTML.
fn component(body: &str, css: &str) -> Value {
    component_for(body, css, Framework::Html)
}

fn component_for(body: &str, css: &str, framework: Framework) -> Value {
    let mut page = page();
    page.html = format!("<!doctype html><html><body><main><section id=top>{body}</section></main></body></html>");
    page.sheets[0].text = Some(css.into());
    ask_for(&page, Some("#top"), Theme::Light, framework).unwrap()
}

#[test]
fn line_heights_equal_those_of_the_page() {
    // 1.42857 × 14 px is 19.98 px, which browsers truncate to 19 63/64 px: the lines of a long text
    // would end a pixel higher.
    let css = "body{font:15px/1.42857143 serif} p{line-height:calc(9 / 7)}";
    for (framework, expected) in [
        (Framework::Html, &["line-height: 1.4285715;", "line-height: 1.2857143;"]),
        (Framework::Tailwind, &["/[1.4285715]", "leading-[1.2857143]"]),
    ] {
        let result = component_for("<h1>Ship it</h1><p>Words</p>", css, framework);
        let code = format!("{}{}", result["css"], result["code"]);
        assert!(expected.iter().all(|part| code.contains(part)), "{code}");
        assert_eq!(result["summary"]["styledCoverage"], 100.0);
    }
}

#[test]
fn coincidentally_equal_line_heights_are_declared() {
    // 1.5 times the heading's default 32 px and 1 times 48 px are the same height.
    let result = component(
        "<h1>Ship it</h1><p>Words</p>",
        "body{line-height:1.5} h1{font-size:48px;line-height:1} p{font-size:20px;margin:16px 0}",
    );
    let css = result["css"].as_str().unwrap();
    assert!(css.contains("line-height: 1;") && css.contains("margin-block: 16px"), "{css}");
    assert_eq!(result["summary"]["styledCoverage"], 100.0);
}

#[test]
fn hidden_sections_are_shown() {
    let css = component("<h1>Ship it</h1><p>Words</p>", "#top{display:none} p{display:none}");
    let css = css["css"].as_str().unwrap();
    assert_eq!(css.matches("display: none").count(), 1, "hidden descendants stay hidden: {css}");
    let css = component("<h1>Ship it</h1>", "#top{display:none} @media (min-width:700px){#top{display:flex}}");
    assert!(css["css"].as_str().unwrap().contains("display: none"), "hidden on phones: {css}");
}

#[test]
fn lazily_loaded_images_are_included() {
    let result = component(
        "<h1>Ship it</h1><img src='' data-src=l.png alt=A><img src='data:image/gif;base64,R0lG' data-lazy-src=/m.png \
         alt=B><picture><source data-srcset='w.webp 1x'><img src=n.png data-src=o.png alt=C></picture><img src='' alt=D>",
        "h1{color:#123}",
    );
    let code = result["code"].as_str().unwrap();
    for picture in [
        "img[src='https://a.test/l.png'][alt=A]",
        "img[src='https://a.test/m.png'][alt=B]",
        "picture > source[srcset='https://a.test/w.webp 1x']",
        "picture > img[src='https://a.test/n.png'][alt=C]",
    ] {
        assert_eq!(texts(code, picture).len(), 1, "{picture} in {code}");
    }
    assert!(!code.contains("R0lG") && !code.contains("o.png"), "{code}");
    assert_eq!(texts(code, "[src='https://a.test/']"), [""; 0], "{code}");
}

/// A script replaces small copies and pictures that only keep the place.
#[test]
fn placeholders_of_images_are_replaced() {
    for (image, shown) in [
        ("<img class=t-img src=a__-__resize__20x__b.png data-original=a__b.png alt=A>", "a__b.png"),
        ("<img class='blur lazyload' src=a_20x.jpg data-src=a_900x.jpg alt=A>", "a_900x.jpg"),
        ("<img src=/plugins/revslider/dummy.png data-lazyload=b.jpg alt=A>", "b.jpg"),
        ("<img class=lazyloaded src=a.jpg data-src=b.jpg alt=A>", "a.jpg"),
        ("<img class=lazyload src=a.jpg data-src='b_{width}x.jpg' alt=A>", "a.jpg"),
        ("<img class=lazy src=a.jpg data-zoom-image=b.jpg alt=A>", "a.jpg"),
    ] {
        let result = component(&format!("<h1>Ship it</h1>{image}"), "h1{color:#123}");
        let code = result["code"].as_str().unwrap();
        assert_eq!(texts(code, &format!("img[src='https://a.test/{shown}']")).len(), 1, "{image}: {code}");
    }
}

#[test]
fn roots_drop_escaping_margins_and_isolate_negative_z_index() {
    let result =
        component("<i class=under>x</i><b>Words</b>", "#top{margin:-24px 0 0} .under{position:relative;z-index:-1}");
    let css = result["css"].as_str().unwrap();
    assert!(!css.contains("margin-top: -24px") && css.contains("isolation: isolate"), "{css}");
}

#[test]
fn parts_of_controls_and_attributes_in_content_are_kept() {
    let css =
        "input::-webkit-slider-thumb{appearance:none;width:20px} b::after{content:attr(data-tip)} b:focus{color:red}";
    let result = component("<input type=range><b data-tip='A \"tip\"'>Words</b>", css);
    let css = result["css"].as_str().unwrap();
    for part in ["::-webkit-slider-thumb {", "width: 20px", r#"content: "A \"tip\"""#] {
        assert!(css.contains(part), "{part} in {css}");
    }
    // Text cannot have the focus.
    assert!(!css.contains(":focus"), "{css}");
}

#[test]
fn container_queries_travel_with_their_containers() {
    let rules = ".t{font-size:1rem} @container card (min-width:400px){.t{font-size:2rem}} @container card (min-width:1000px){.t{font-size:3rem}} \
                 @container card (max-width:200px){.t{color:red}}";
    let own = format!(".card{{container:card/inline-size}} {rules}");
    let body = "<div class=card><p class=t>Words</p></div>";
    let result = component(body, &own);
    let css = result["css"].as_str().unwrap();
    assert!(css.contains("container-name: card") && css.contains("container-type: inline-size"), "{css}");
    assert!(!css.contains("@media"), "{css}");
    let places = ["(max-width:200px)", "(min-width:400px)", "(min-width:1000px)"]
        .map(|part| css.find(part).unwrap_or_else(|| panic!("{part} in {css}")));
    assert!(places.is_sorted(), "{css}");
    assert_eq!(result["summary"]["styledCoverage"], 100.0);
    let result = component_for(body, &own, Framework::Tailwind);
    let code = result["code"].as_str().unwrap();
    assert!(code.contains("@container/card") && code.contains("@min-[400px]/card:text-[2rem]"), "{code}");
    // A container that is an ancestor of the section is not copied: its width follows from the
    // viewport.
    let around = format!("main{{container:card/inline-size}} {rules}");
    let css = component("<p class=t>Words</p>", &around)["css"].as_str().unwrap().to_owned();
    assert!(!css.contains("@container") && css.contains("@media"), "{css}");
}

#[test]
fn animated_custom_properties_are_registered() {
    let css = "@property --angle{syntax:'<angle>';inherits:false;initial-value:0deg} @property --unused{syntax:'<number>';inherits:true;initial-value:0} \
               @keyframes turn{to{--angle:360deg;--unused:1}} .ring{background:conic-gradient(from var(--angle),red,blue);animation:turn 2s linear infinite} \
               .start{--angle:90deg}";
    let body = "<i class=ring>a</i><i class='ring start'>b</i>";
    let result = component(body, css);
    let sheet = result["css"].as_str().unwrap();
    for part in ["@property --angle {", "inherits: false", "from var(--angle)", "--angle: 360deg", "--angle: 90deg"] {
        assert!(sheet.contains(part), "{part} in {sheet}");
    }
    assert!(!sheet.contains("--unused") && !sheet.contains("700"), "{sheet}");
    let result = component_for(body, css, Framework::Tailwind);
    let (code, sheet) = (result["code"].as_str().unwrap(), result["css"].as_str().unwrap());
    assert!(code.contains("from_var(--angle)") && code.contains("[--angle:90deg]"), "{code}");
    assert!(sheet.contains("@property --angle {") && sheet.contains("--angle: 360deg"), "{sheet}");
}

#[test]
fn utilities_without_effect_are_omitted() {
    let css = "body{margin:0;-webkit-text-size-adjust:100%;-webkit-tap-highlight-color:transparent} a{color:#06c} .row{display:flex} \
               @media (max-width:600px){.hide{display:none}}";
    let body = "<div class=row><div class=hide>a</div><a href=/b>Link</a></div>";
    let result = component_for(body, css, Framework::Tailwind);
    let code = result["code"].as_str().unwrap();
    for noise in ["tab-", "tap-highlight", "size-adjust", "unicode-bidi", "decoration-", "min-w-0", "min-h-0"] {
        assert!(!code.contains(noise), "{noise} in {code}");
    }
    assert!(code.contains("underline") && code.contains("hidden"), "{code}");
    assert_eq!(result["summary"]["styledCoverage"], 100.0, "{code}");
    let tabs = component_for("<pre>a\tb</pre>", css, Framework::Tailwind)["code"].as_str().unwrap().to_owned();
    assert!(tabs.contains("tab-8"), "{tabs}");
}

#[test]
fn pseudo_elements_are_generated_only_under_their_conditions() {
    for (css, is_stated) in [
        ("p::after{content:unset;margin-left:4px} @media (max-width:900px){p::after{content:'';color:red}}", true),
        ("p::after{color:red} @media (max-width:500px){p::after{content:'';display:block}}", true),
        ("p::after{content:'';color:red} @media (max-width:900px){p::after{content:none}}", true),
        ("@media (max-width:900px){p::after{content:'';margin-left:4px}}", false),
        ("p::after{color:red} p:hover::after{content:'x'}", true),
        ("p::after{content:'';margin-left:4px} @media (max-width:900px){p::after{content:'x'}}", false),
    ] {
        let code = component_for("<h1>Ship it</h1><p>Words</p>", css, Framework::Tailwind)["code"].to_string();
        assert!(code.contains("after:"), "{css}: {code}");
        assert_eq!(code.contains("after:content-none"), is_stated, "{css}: {code}");
    }
}

#[test]
fn phrases_stay_whole_on_their_line() {
    let css = ".hero{letter-spacing:.0123em;padding:1.2345rem 2.3456rem;background:#123456;color:#fedcba;border:3px solid #abcdef}";
    let phrase = "A headline of several words that starts far to the right";
    let long = "word ".repeat(60);
    let mut page = page();
    page.sheets[0].text = Some(css.into());
    page.html = format!("<!doctype html><main><div class=hero><b class=hero>{phrase}</b> <i>{long}</i></div></main>");
    for framework in [Framework::Tailwind, Framework::Jsx, Framework::Vue, Framework::Html] {
        let result = ask_for(&page, Some("div"), Theme::Light, framework).unwrap();
        let code = result["code"].as_str().unwrap();
        assert!(code.contains(phrase), "{code}");
        assert!(!code.contains(long.trim()), "longer text is filled: {code}");
    }
}

#[test]
fn full_height_drawers_keep_their_height() {
    for (offsets, height) in [
        ("top:0;bottom:0", Some("height: 100vh")),
        ("inset:56px auto 0 0", Some("height: calc(100vh - 56px)")),
        ("top:0", None),
        ("top:0;bottom:0;height:300px", Some("height: 300px")),
        ("inset:0;padding:10px", Some("height: calc(100vh - 20px)")),
        ("inset:0;padding:10px;box-sizing:border-box", Some("height: 100vh")),
    ] {
        let rule = format!("#top{{position:fixed;{offsets};width:250px}}");
        let css = component("<p>Words</p>", &rule)["css"].as_str().unwrap().to_owned();
        match height {
            Some(height) => assert!(css.contains(height), "{offsets}: {css}"),
            None => assert!(!css.contains("\n  height:"), "{offsets}: {css}"),
        }
    }
}

#[test]
fn quirks_mode_bodies_fill_the_viewport() {
    for (doctype, style, height) in [
        ("", "margin:8px", Some("min-height: calc(100vh - 16px)")),
        ("", "margin:auto", Some("min-height: 100vh")),
        ("", "margin:0;border-top:2px solid;padding:4px", Some("min-height: calc(100vh - 10px)")),
        ("", "margin:0;padding:4px;box-sizing:border-box", Some("min-height: 100vh")),
        ("", "height:300px", None),
        ("", "min-height:300px", Some("min-height: 300px")),
        ("", "margin:0;display:flex", Some("min-height: 100vh")),
        ("", "display:table", None),
        ("", "max-height:300px", None),
        ("", "float:left", None),
        ("<!doctype html>", "", None),
    ] {
        let mut page = page();
        page.html = format!("{doctype}<body style='color:#123;{style}'><p>Words</p>");
        let result = ask_for(&page, Some("body"), Theme::Light, Framework::Html).unwrap();
        let css = result["css"].as_str().unwrap();
        match height {
            Some(height) => assert!(css.contains(height), "{style}: {css}"),
            None => assert!(!css.contains("min-height"), "{style}: {css}"),
        }
        assert_eq!(result["summary"]["styledCoverage"], 100.0, "{style}: {css}");
    }
}
