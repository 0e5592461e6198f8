//! Whole pages: their sections, what they share, and what is around them.

use super::*;
use limner_test_pages::{SITE_CSS, SITE_HTML};

fn whole(html: &str, css: &str, framework: Framework) -> Value {
    let mut request = request(None, Theme::Light, framework);
    let OperationOptions::Code(options) = &mut request.options else { unreachable!() };
    options.scope = CodeScope::Page;
    let page = page_of(html, css);
    let extract = || crate::extract_page(&PageView::new(&page), &request, limner_component_emit::emit_page).unwrap();
    let extraction = extract();
    assert_eq!(extraction.body, extract().body, "the same page gives the same bytes");
    parsed(&extraction)
}

fn paths(result: &Value) -> Vec<&str> {
    result["files"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect()
}

fn file<'r>(result: &'r Value, path: &str) -> &'r str {
    let found = result["files"].as_array().unwrap().iter().find(|file| file["path"] == path);
    found.unwrap_or_else(|| panic!("no {path} in {:?}", paths(result)))["code"].as_str().unwrap()
}

fn code(result: &Value) -> &str {
    result["code"].as_str().unwrap()
}

/// Returns the places of these words in a text, which must have all of them.
fn places(text: &str, words: &[&str]) -> Vec<usize> {
    words.iter().map(|word| text.find(word).unwrap_or_else(|| panic!("no {word} in {text}"))).collect()
}

#[test]
fn sections_are_files_that_the_page_imports_in_document_order() {
    let result = whole(SITE_HTML, SITE_CSS, Framework::Jsx);
    assert_eq!(result["defaultName"], "Page");
    assert_eq!(result["selector"], "body");
    let names = ["Header", "Hero", "Features", "Pricing", "Faq", "Footer"];
    for name in names {
        let own = file(&result, &format!("sections/{name}.jsx"));
        assert!(own.contains(&format!("export default function {name}()")), "{own}");
    }
    let page = code(&result);
    let imports = names.map(|name| format!("import {name} from './sections/{name}';\n"));
    let uses = names.map(|name| format!("<{name} />"));
    places(page, &imports.each_ref().map(String::as_str));
    assert!(places(page, &uses.each_ref().map(String::as_str)).is_sorted(), "{page}");
    // The elements between the page and its sections stay, and no text of a section does.
    assert!(page.contains("<main ") && page.contains("export default function Page()"), "{page}");
    assert!(!page.contains("Coffee") && file(&result, "sections/Features.jsx").contains("Coffee"));
    assert_eq!(result["summary"]["styledCoverage"], 100.0);
}

#[test]
fn elements_that_sections_share_become_one_component() {
    for (framework, extension, base, section, declared) in [
        (Framework::Jsx, "jsx", "", "", "{ href, label }"),
        (Framework::Vue, "vue", "Base", "Section", "defineProps({\n  href: {"),
    ] {
        let result = whole(SITE_HTML, SITE_CSS, framework);
        let button = file(&result, &format!("components/{base}Button.{extension}"));
        assert!(button.contains(declared) && !button.contains("/times"), "{button}");
        let hero = file(&result, &format!("sections/Hero{section}.{extension}"));
        assert!(
            hero.contains(&format!("<{base}Button href=\"https://a.test/times\" label=\"See the times\" />")),
            "{hero}"
        );
        places(hero, &[&format!("import {base}Button from '../components/{base}Button")]);
        // Three of them in a loop.
        let pricing = file(&result, &format!("sections/Pricing{section}.{extension}"));
        places(pricing, &[&format!("<{base}Button "), "'Take the single'", "'Take the year'"]);
        places(file(&result, &format!("components/{base}Heading.{extension}")), &["title"]);
        places(
            file(&result, &format!("sections/Faq{section}.{extension}")),
            &[&format!("<{base}Heading title=\"Questions &")],
        );
    }
}

#[test]
fn equal_parts_of_one_section_stay_in_it() {
    let section =
        |class: &str| format!("<section class={class}><h2>{class} of all</h2><p>{}</p></section>", "word ".repeat(60));
    let html = format!("<main>{}{}</main>", section("a"), section("b"));
    let css =
        ".a{padding:50px;min-height:300px} .b{padding:70px;min-height:300px} .a h2{font-size:31px;margin:0 0 3px}";
    let result = whole(&html, css, Framework::Jsx);
    assert!(paths(&result).iter().all(|path| path.starts_with("sections/")), "{:?}", paths(&result));
}

#[test]
fn page_of_html_has_one_stylesheet_with_the_names_of_its_sections() {
    let result = whole(SITE_HTML, SITE_CSS, Framework::Html);
    assert!(result.get("files").is_none());
    let css = result["css"].as_str().unwrap();
    assert!(css.starts_with("body {\n  margin: 0;\n}\n"), "{css}");
    places(css, &["\n.hero {", "\n.pricing-price {", "\n.page-heading {"]);
    // What the buttons of several sections have is said once.
    assert_eq!(css.matches("border-radius: 8px").count(), 1, "{css}");
    assert_eq!(count(code(&result), "[class=page-btn]"), 4);
}

/// The background of a body is that of the canvas, wherever the body's own box ends.
#[test]
fn background_of_the_page_covers_the_canvas() {
    let html = "<!doctype html><body><section><h1>Title of it</h1><p>Words of this section, which are enough to be one.</p></section>";
    let narrow = whole(html, "body{margin:0 auto;max-width:700px;background:#f6f1e7}", Framework::Html);
    let css = narrow["css"].as_str().unwrap();
    assert_eq!(count(code(&narrow), "html > div[class=page]"), 1, "{}", code(&narrow));
    places(
        css,
        &[
            ".page {\n  display: flow-root;\n  min-height: 100vh;\n  background-color: #f6f1e7;\n  isolation: isolate;\n}",
        ],
    );
    places(css, &["max-width: 700px"]);
    let variable =
        ":root{--paper:#f6f1e7}body{margin:0 auto;max-width:700px;background:var(--paper);color:var(--paper)}";
    let named = whole(html, variable, Framework::Html);
    let css = named["css"].as_str().unwrap();
    let page = &css[css.find(".page {").unwrap()..];
    assert!(page[..page.find('}').unwrap()].contains("--paper: #f6f1e7"), "{css}");
    let plain = whole(html, "body{margin:0;background:#f6f1e7}", Framework::Html);
    places(plain["css"].as_str().unwrap(), &["min-height: 100vh", "background-color: #f6f1e7"]);
    assert_eq!(count(code(&plain), "div"), 1, "{}", code(&plain));
    // Where the root element has a background, too, the body's is that of its own box.
    let both = whole(html, "html{background:#111 url(tile.png)} body{margin:0 9px;background:#fff}", Framework::Html);
    let css = both["css"].as_str().unwrap();
    places(css, &["https://a.test/tile.png", "#111", "min-height: 100vh", "background-color: #fff"]);
    let none = whole(html, "body{margin:0}", Framework::Html);
    assert!(!none["css"].as_str().unwrap().contains("100vh"));
}

#[test]
fn stores_and_page_builders_get_sections_that_are_complete() {
    let result = whole(SITE_HTML, SITE_CSS, Framework::Shopify);
    let template: Value = serde_json::from_str(code(&result)).unwrap();
    let order: Vec<&str> = template["order"].as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect();
    assert_eq!(order, ["header", "hero", "features", "pricing", "faq", "footer"]);
    assert!(template["sections"]["pricing"]["block_order"].as_array().unwrap().len() >= 3, "{template}");
    let hero = file(&result, "sections/hero.liquid");
    // It has its own ground, width and font, and of the paddings around all sections the one above.
    places(hero, &["max-width: 1180px", "background-color: var(--sand)", "--sand: #f6f1e7", "Georgia"]);
    let main = |section: &str| file(&result, &format!("sections/{section}.liquid")).contains("padding: 24px 32px 0;");
    assert_eq!(["hero", "features", "faq"].map(main), [true, false, false]);
    let main = |section: &str| count(file(&result, &format!("sections/{section}.liquid")), "main");
    assert_eq!(["hero", "features", "faq"].map(main), [0; 3], "a page has one `main`");
    assert!(!hero.contains("Coffee") && file(&result, "sections/features.liquid").contains("Coffee"));

    let face = "@font-face{font-family:Quay;src:url(quay.woff2)}:root{--body:Quay,serif}body{font-family:var(--body)}";
    let result = whole(SITE_HTML, &format!("{SITE_CSS}{face}"), Framework::Shopify);
    places(file(&result, "sections/hero.liquid"), &["@font-face", "quay.woff2"]);
    // A family whose name begins with that of another one is no use of that.
    let faces = "@font-face{font-family:Quay;src:url(quay.woff2)}@font-face{font-family:'Quay Display';src:url(display.woff2)}\
        h1{font-family:'quay display',serif}#pricing{font-family:Quay,serif}";
    let result = whole(SITE_HTML, &format!("{SITE_CSS}{faces}"), Framework::Shopify);
    let hero = file(&result, "sections/hero.liquid");
    assert!(hero.contains("display.woff2") && !hero.contains("quay.woff2"), "{hero}");
    places(file(&result, "sections/pricing.liquid"), &["quay.woff2"]);

    let result = whole(SITE_HTML, SITE_CSS, Framework::Elementor);
    let template: Value = serde_json::from_str(code(&result)).unwrap();
    assert_eq!(template["type"], "page");
    let containers = template["content"].as_array().unwrap();
    let ids: std::collections::BTreeSet<&str> = containers.iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert_eq!((containers.len(), ids.len()), (6, 6));
}

/// An element beside which others are is no column: its sections stay together.
#[test]
fn sections_beside_each_other_stay_together() {
    let part = |id: &str| format!("<section id={id}><h2>{id} of it</h2><p>{}</p></section>", "word ".repeat(70));
    let html = format!("<main>{}{}</main><footer>{}</footer>", part("a"), part("b"), "end ".repeat(40));
    let count = |css: &str| {
        let result = whole(&html, css, Framework::Elementor);
        let template: Value = serde_json::from_str(code(&result)).unwrap();
        template["content"].as_array().unwrap().len()
    };
    let tall = "section{min-height:400px}";
    assert_eq!(count(tall), 3);
    assert_eq!(count(&format!("{tall} main{{display:flex;flex-direction:column}}")), 3);
    assert_eq!(count(&format!("{tall} main{{display:grid;grid-template-columns:1fr 1fr}}")), 2);
    assert_eq!(count(&format!("{tall} body{{box-shadow:inset 0 0 9px red}}")), 1);
}

#[test]
fn sections_beyond_the_limit_stay_in_the_page() {
    let section = |at: usize| {
        format!("<section class=s><h2>Title {at}</h2><p>{} {at}</p></section>", "Words of a section. ".repeat(6))
    };
    let html = format!("<main>{}</main>", (0..5_000).map(section).collect::<String>());
    let result = whole(&html, ".s{padding:40px 0;min-height:300px}", Framework::Jsx);
    let sections = paths(&result).iter().filter(|path| path.starts_with("sections/")).count();
    assert_eq!(sections, 60);
    assert!(result["hint"].as_str().unwrap().contains("Only 60 sections"), "{}", result["hint"]);
    let everything: String =
        result["files"].as_array().unwrap().iter().map(|file| file["code"].as_str().unwrap()).collect();
    let everything = everything + code(&result);
    let cut = result["summary"]["truncated"] == true;
    assert!(cut || everything.contains("Title 4999"), "a page that lacks a section says so");
}

#[test]
fn pages_with_as_many_sections_as_the_limit_have_no_hint_about_it() {
    let section = |at: usize| {
        format!("<section class=s><h2>Title {at}</h2><p>Words of section {at}, and some more of them.</p></section>")
    };
    for (count, is_cut) in [(60, false), (61, true)] {
        let html = format!("<main>{}</main>", (0..count).map(section).collect::<String>());
        let result = whole(&html, ".s{padding:40px 0;min-height:300px}", Framework::Html);
        assert_eq!(result["sections"].as_array().unwrap().len(), 60, "{count}");
        assert_eq!(result["hint"].as_str().unwrap_or_default().contains("Only 60 sections"), is_cut, "{count}");
    }
}

#[test]
fn repeated_groups_are_counted_in_pages_of_all_frameworks() {
    let frameworks = [
        Framework::Html,
        Framework::Tailwind,
        Framework::Jsx,
        Framework::Vue,
        Framework::Elementor,
        Framework::Shopify,
    ];
    for framework in frameworks {
        let result = whole(SITE_HTML, SITE_CSS, framework);
        assert!(result["summary"]["repeatedGroups"].as_u64().unwrap() >= 3, "{framework:?}: {}", result["summary"]);
    }
}

/// Each shape that sections share costs a walk over the page, so only the largest ones are considered.
#[test]
fn shared_components_come_from_the_largest_shapes_only() {
    let has_button = |shapes: usize| {
        // Two texts of one kind have no names, so that none of these blocks becomes a component.
        let block = |section: usize, at: usize| {
            format!("<div class='b b{at}'><p>One {section}</p><p>Two {section}</p><p>Of all sections</p></div>")
        };
        let section = |own: usize| {
            let blocks: String = (0..shapes).map(|at| block(own, at)).collect();
            format!("<section class=s><h2>Title {own}</h2>{blocks}<a class=btn href=/{own}>Go {own}</a></section>")
        };
        let own: String = (0..shapes).map(|at| format!(".b{at}{{margin-left:{at}px}}")).collect();
        let css = format!(
            ".s{{padding:40px 0;min-height:300px}} .b{{padding:9px 11px 13px 17px;background:#eee;border-radius:7px}}\
             .btn{{display:inline-block;padding:9px 21px;border-radius:7px;background:#0a5c7a;color:#fff}}{own}"
        );
        let result = whole(&format!("<main>{}{}</main>", section(1), section(2)), &css, Framework::Jsx);
        paths(&result).contains(&"components/Button.jsx")
    };
    assert!(has_button(3));
    assert!(!has_button(90));
}

#[test]
fn section_beyond_the_limit_of_elements_is_truncated_with_a_hint() {
    let items: String = (0..60_000).map(|at| format!("<i>{at}</i>")).collect();
    let html = format!("<header><a href=/>Home</a></header><section><h1>Title</h1><p>{items}</p></section>");
    let result = whole(&html, "header{padding:20px} section{padding:60px}", Framework::Vue);
    assert_eq!(result["summary"]["truncated"], true);
    assert!(result["hint"].as_str().unwrap().contains("elements"), "{}", result["hint"]);
}

/// Names of components are unique, and none of those that code needs for something else.
#[test]
fn names_of_sections_clash_with_nothing() {
    let section = |title: &str| {
        format!("<section aria-label='{title}'><h2>{title}</h2><p>{}</p></section>", "Words of it. ".repeat(20))
    };
    let titles = ["String", "Page", "Transition", "Team", "Team", "Map", "Page"];
    let html = format!("<main>{}</main>", titles.iter().map(|title| section(title)).collect::<String>());
    let result = whole(&html, "section{padding:60px 0;min-height:300px}", Framework::Vue);
    let mut own = paths(&result);
    own.sort_unstable();
    own.dedup();
    assert_eq!(own.len(), result["files"].as_array().unwrap().len());
    for name in ["String", "Page", "Transition"] {
        assert!(!own.contains(&format!("sections/{name}.vue").as_str()), "{own:?}");
    }
}
