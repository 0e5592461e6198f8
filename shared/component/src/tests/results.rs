//! Tests the other parts of a result: the selected section, its assets, hints.

use super::{ask_for, ask_of, component, component_for, count, page_of};
use limner_page::{PageSnapshot, Stylesheet};
use limner_page_view::ExtractError;
use limner_types::{CodeOptions, Framework, OperationOptions, SectionRole, Theme, WireEnum};
use serde_json::Value;

fn ask_section(html: &str, role: SectionRole, selector: Option<&str>, theme: Theme) -> Result<Value, ExtractError> {
    let mut request = super::request(selector, theme, Framework::Html);
    let OperationOptions::Code(options) = &mut request.options else { panic!("of /code") };
    *options = CodeOptions { section: Some(role), ..options.clone() };
    super::extract(&page_of(html, ""), &request).map(|extraction| super::parsed(&extraction))
}

#[test]
fn heroes_match_requests_for_their_secondary_role() {
    let header = "<header><nav><a href=/a>One</a> <a href=/b>Two</a> <a href=/c>Three</a></nav></header>";
    for (html, role) in [
        (
            format!(
                "{header}<section class=pricing id=pricing><h1>Pricing plans</h1><p>Starter $9/month</p><p>Pro $19/month</p>\
                     <a class=button href=/buy>Buy</a></section><footer>© 2026 Us</footer>"
            ),
            SectionRole::Pricing,
        ),
        (
            format!(
                "{header}<section class=faq id=faq><h1>Questions</h1><p>Can I pay later?</p><p>Of course.</p></section>"
            ),
            SectionRole::Faq,
        ),
        (
            "<header><h1>Only this</h1><p>A header that greets whoever comes, with a sentence or two.</p></header>"
                .to_owned(),
            SectionRole::Header,
        ),
        (
            "<footer><p>© 2026 Us. All rights reserved, and a line more of it.</p></footer>".to_owned(),
            SectionRole::Footer,
        ),
    ] {
        let own = ask_section(&html, role, None, Theme::Light).unwrap_or_else(|error| panic!("{role}: {error:?}"));
        assert_eq!(own["sections"][0]["selector"], own["selector"], "{html}");
        assert_eq!(own["sections"][0]["role"], "hero", "{html}");
        assert_eq!(own["autoDetected"], true);
        assert!(matches!(
            ask_section(&html, SectionRole::Testimonials, None, Theme::Light),
            Err(ExtractError::NotFound { .. })
        ));
    }
}

#[test]
fn plans_and_questions_that_open_a_page_are_named_after_them() {
    let plans = "<h2>Pricing</h2><p>Free $0 a month</p><p>Pro $20 a month</p><a class=btn href=/buy>Buy</a>";
    let questions = "<h2>Questions</h2><p>Can I pay later?</p><p>Of course.</p>";
    let banner = "<h1>Plans for every team</h1><p>All of it from one price, with words enough.</p><a href=/buy>Buy</a>";
    for (section, name, class) in [
        (format!("<section id=pricing>{plans}</section>"), "Pricing", "pricing"),
        (format!("<section id=faq>{questions}</section>"), "Faq", "faq"),
        (format!("<section id=top>{banner}</section>"), "Hero", "hero"),
    ] {
        let html = format!("<!doctype html><html lang=en><body><main>{section}</main>");
        let page = page_of(html, "section{padding:60px} h2,h1{color:red}");
        let jsx = ask_for(&page, None, Theme::Light, Framework::Jsx).unwrap();
        assert!(jsx["code"].as_str().unwrap().contains(&format!("function {name}()")), "{jsx}");
        assert_eq!(jsx["sections"][0]["role"], "hero");
        let html = ask_for(&page, None, Theme::Light, Framework::Html).unwrap();
        assert_eq!(count(html["code"].as_str().unwrap(), &format!("section.{class}")), 1, "{html}");
    }
}

#[test]
fn preview_is_the_same_component_for_every_framework() {
    let html = "<html lang=en><section id=top class=top><h1>Ship it</h1><p>Words &lt;/style></p></section>";
    let css = ".top { background: #123456 } h1 { color: #fedcba; font-size: 40px }";
    for framework in Framework::ALL {
        let mut request = super::request(Some("#top"), Theme::Light, *framework);
        let without = super::parsed(&super::extract(&page_of(html, css), &request).unwrap());
        assert_eq!(without.get("preview"), None, "{framework}");
        if let OperationOptions::Code(options) = &mut request.options {
            options.preview = true;
        }
        let result = super::parsed(&super::extract(&page_of(html, css), &request).unwrap());
        assert_eq!((&result["code"], &result["css"]), (&without["code"], &without["css"]), "{framework}");
        let document = result["preview"].as_str().unwrap();
        assert_eq!(super::texts(document, "section > h1"), ["Ship it"], "{framework}: {document}");
        assert_eq!(super::texts(document, "section > p"), ["Words </style>"], "{framework}");
        let sheets = super::texts(document, "style").concat();
        assert!(sheets.contains("#123456") && sheets.contains("#fedcba"), "{framework}: {sheets}");
        // What a heading looks like without styles depends on the framework's own stylesheet.
        let is_utility = matches!(framework, Framework::Tailwind | Framework::Jsx | Framework::Vue);
        assert_eq!(sheets.contains("::file-selector-button"), is_utility, "{framework}: {sheets}");
    }
}

#[test]
fn hints_of_sections_are_joined() {
    let html = "<section id=top><h1>Ship it</h1><p>Words</p></section>";
    let own = ask_section(html, SectionRole::Faq, Some("#top"), Theme::Dark).unwrap();
    let hint = own["hint"].as_str().unwrap();
    assert!(hint.contains("`section=faq` was ignored") && hint.contains("no dark theme"), "{hint}");
}

/// Parts that scripts draw, write or show are not in the HTML: the result says so, and only then.
#[test]
fn parts_that_scripts_make_are_hinted_at() {
    let hint = |body: &str, css: &str| {
        let answer = component_for(&format!("<h1>Ship it</h1>{body}"), css, Framework::Html);
        answer["hint"].as_str().unwrap_or_default().to_owned()
    };
    for (body, css, part) in [
        ("<canvas></canvas><canvas></canvas>", "", "draws 2 parts of this section (`canvas`)"),
        ("<i data-lucide=anchor></i>", "", "draws 1 part of this section (`data-lucide`)"),
        ("<dotlottie-player src=a.lottie></dotlottie-player>", "", "(`dotlottie-player`)"),
        ("<b data-count=120>0</b> boats", "", "writes 1 text of this section (`data-count`)"),
        ("<p>We <b class=typed></b></p>", "", "writes 1 text of this section (`typed`)"),
        ("<div class=et_pb_slider><p>A slide</p></div>", "", "lays out 1 part of this section (`et_pb_slider`)"),
        ("<rs-module><rs-row></rs-row></rs-module>", "", "lays out 1 part of this section (`rs-row`)"),
        ("<div data-masonry='{}'><p>A tile</p></div>", "", "(`data-masonry`)"),
        (
            "<div data-settings='{\"background_slideshow_gallery\":[],\"background_slideshow_slide_duration\":3000}'>a</div>",
            "",
            "(`background_slideshow_gallery`)",
        ),
        ("<div class=t396__artboard data-artboard-upscale=window><p>A boat</p></div>", "", "(`data-artboard-upscale`)"),
        ("<div data-settings='{\"autoplay\":\"yes\",\"autoplay_speed\":\"0\"}'>a</div>", "", "(`autoplay:yes`)"),
        ("<div class='carousel slide' data-bs-interval=3000><p>A slide</p></div>", "", "moves 1 part of this section"),
        ("<p class=t>Words</p>", ".t{background:url(a.jpg) fixed}", "stays in place while the page scrolls"),
        ("<p class=later>On the quay</p>", ".later{opacity:0}", "hides 1 of this section's elements"),
        (
            "<i class='fa-solid fa-anchor'></i><script src=https://kit.fontawesome.com/a1.js></script>",
            "",
            "draws 1 part of this section (`fa-anchor`)",
        ),
        ("<video src=a.mp4 autoplay muted></video>", "", "moves 1 part of this section (`video`)"),
        ("<iframe srcdoc='<p>A map</p>'></iframe>", "", "contents of a frame of this section were not read"),
        ("<p class=t>Words</p>", ".t{margin-trim:block}", "1 declaration of this section (`margin-trim`)"),
        (
            "<p class=t>Words</p><script>WebFont.load({google: {families: ['Quay Sans']}})</script>",
            ".t{font-family:'Quay Sans',serif}",
            "only name (`Quay Sans`)",
        ),
    ] {
        assert!(hint(body, css).contains(part), "{body}: {}", hint(body, css));
    }
    for (body, css) in [
        ("<canvas>A chart</canvas>", ""),
        ("<rs-module><rs-layer></rs-layer></rs-module>", ""),
        ("<div class=t396__artboard data-artboard-upscale=grid><p>A boat</p></div>", ""),
        ("<p class=t>Words</p>", ".t{background:linear-gradient(red,blue) fixed}"),
        ("<x-card><p>Words</p></x-card>", ""),
        ("<canvas class=no></canvas>", ".no{display:none}"),
        ("<b data-count=120>120</b>", ""),
        ("<div class='et_pb_slider no'><p>A slide</p></div>", ".no{display:none}"),
        ("<p class=reveal>On the quay</p>", ".reveal{opacity:0}"),
        ("<p>Words</p>", ""),
        ("<i class='fa-solid fa-anchor'></i>", ""),
        (
            "<i class='fa-solid fa-anchor'></i><script src=/js/fontawesome.js></script>",
            ".fa-anchor::before{content:'\\f13d'}",
        ),
        ("<iframe src=https://maps.test/embed?x=1></iframe>", ""),
        ("<iframe class=no srcdoc='<p>A map</p>'></iframe>", ".no{display:none}"),
        ("<div class='carousel slide' data-bs-ride=carousel data-bs-interval=7000><p>A slide</p></div>", ""),
        ("<div role=region aria-roledescription=carousel><p>A slide</p></div>", ""),
        ("<div data-settings='{\"autoplay\":\"yes\",\"autoplay_speed\":5000}'><p>A slide</p></div>", ""),
        ("<div data-settings='{\"autoplay\":\"no\",\"autoplay_speed\":300}'><p>A slide</p></div>", ""),
        (
            "<p class=t>Words</p>",
            "@font-face{font-family:'Quay Sans';src:url(q.woff2)} .t{font-family:'quay sans',serif}",
        ),
        (
            "<p class=t>Words</p><script src=/webfont.js></script>",
            ".t{font-family:system-ui,Inter} h2{font-family:Missing}",
        ),
        // A visitor has the next family as well.
        ("<p class=t>Words</p>", ".t{font-family:'Quay Sans',serif}"),
    ] {
        assert_eq!(hint(body, css), "", "{body}");
    }
}

/// The section itself may be what a script lays out.
#[test]
fn sections_that_scripts_lay_out_are_hinted_at() {
    let html =
        "<!doctype html><body><main><section class=h data-artboard-upscale=window><h1>Ship it</h1></section></main>";
    let result = ask_of(&page_of(html, ""), Some(".h"), Theme::Light).unwrap();
    assert!(result["hint"].to_string().contains("data-artboard-upscale"), "{result}");
}

/// Fonts that a stylesheet which could not be read may have are not missing.
#[test]
fn fonts_of_unread_stylesheets_are_not_missing() {
    let page = |sheets: Vec<Stylesheet>| {
        let html =
            "<!doctype html><body><main><section class=h><h1>Ship it</h1></section></main><script src=/webfont.js></script>".to_owned();
        PageSnapshot { html, sheets, ..page_of("", "") }
    };
    let own = || page_of("", "h1{font-family:Quay}").sheets.remove(0);
    let hint = |page: &PageSnapshot| ask_of(page, Some(".h"), Theme::Light).unwrap()["hint"].to_string();
    assert!(hint(&page(vec![own()])).contains("`Quay`"));
    assert!(!hint(&page(vec![own(), Stylesheet::default()])).contains("`Quay`"));
}

#[test]
fn container_queries_about_elements_around_are_hinted_at() {
    let css = "main{container-type:inline-size} .h{padding:9px} @container (min-width:700px){.h{padding:90px}}";
    let html = "<!doctype html><body><main><section class=h><h1>Ship it</h1><p>Words</p></section></main>";
    let hint = |css: &str| ask_of(&page_of(html, css), Some(".h"), Theme::Light).unwrap()["hint"].to_string();
    assert!(hint(css).contains("Container queries"), "{}", hint(css));
    assert!(!hint(&css.replace("700px", "1px")).contains("Container queries"));
}

#[test]
fn repeated_structures_are_counted_in_every_framework() {
    let card =
        |n: u32| format!("<div class=card><img src=/{n}.png alt={n}><h3>Berth {n}</h3><p>Deep water at {n}</p></div>");
    let cards: String = (1..=6).map(card).collect();
    let html =
        format!("<!doctype html><body><main><section class=h><h1>Ship it</h1><div>{cards}</div></section></main>");
    let page = page_of(html, ".card{padding:9px}");
    for framework in
        [Framework::Html, Framework::Tailwind, Framework::Jsx, Framework::Vue, Framework::Elementor, Framework::Shopify]
    {
        let result = ask_for(&page, Some(".h"), Theme::Light, framework).unwrap();
        assert_eq!(result["summary"]["repeatedGroups"], 1, "{framework}");
    }
}

#[test]
fn assets_are_in_document_order_and_each_is_one_file() {
    let body = "<h1>Ship it</h1><img src=/1.png#a><p class=b>Words</p><img src=/1.png#b><img src=/3.png>\
                <img src=/4.svg#view><img src=/4.svg><video src=/5.mp4#t=1></video><video src=/5.mp4#t=9></video>";
    let answer = component_for(body, ".b{background:url(/2.png#x)}", Framework::Html);
    let urls = |kind: &str| -> Vec<String> {
        let list = answer["assets"][kind].as_array().unwrap();
        list.iter().map(|own| own["url"].as_str().unwrap().replace("https://a.test/", "")).collect()
    };
    assert_eq!(urls("images"), ["1.png", "2.png", "3.png"]);
    assert_eq!((urls("svgs"), urls("videos")), (vec!["4.svg".to_owned()], vec!["5.mp4".to_owned()]));
    assert!(answer["code"].as_str().unwrap().contains("1.png#b"), "the component keeps the fragment");
}

#[test]
fn paint_server_urls_are_absolute() {
    let body = "<h1>Ship it</h1><svg viewBox='0 0 9 9'><linearGradient id=g /><rect fill='url(p.svg#a)' stroke=\"url('p.svg#b')\" \
                mask='url(#g)' clip-path='url(javascript:x)' filter='url(/f.svg#f)'/></svg>";
    for framework in [Framework::Html, Framework::Tailwind, Framework::Jsx, Framework::Vue] {
        let answer = component_for(body, "", framework);
        let code = answer["code"].as_str().unwrap();
        for part in
            ["url(https://a.test/p.svg#a)", "url(https://a.test/p.svg#b)", "url(#g)", "url(https://a.test/f.svg#f)"]
        {
            assert!(code.contains(part), "{part} in {code}");
        }
        assert!(!code.contains("=\"url(javascript"), "{code}");
    }
}

#[test]
fn embedded_images_become_images() {
    let body = "<h1>Ship it</h1><object data=/logo.svg type=image/svg+xml width=60>The logo</object><embed src='/b.png#x' height=9>\
                <object data=/film.swf type=application/x-shockwave-flash><param name=a value=b><p>No film</p><embed src=/film.swf></object>\
                <object type=image/png data='javascript:alert(1)'>x</object><object data=/c.svg><img src=/c.png alt=Company><script>1</script></object>\
                <object style='display:none' data=x.swf><p>Unseen</p></object>";
    for framework in [Framework::Html, Framework::Tailwind, Framework::Jsx, Framework::Vue] {
        let answer = component_for(body, "", framework);
        let code = answer["code"].as_str().unwrap();
        assert!(
            code.contains("https://a.test/logo.svg")
                && code.contains("The logo")
                && code.contains("https://a.test/b.png"),
            "{code}"
        );
        assert!(code.contains("No film") && !code.contains("film.swf") && !code.contains("javascript"), "{code}");
        assert!(!code.contains("<object") && !code.contains("<embed"), "{code}");
        assert!(code.contains("alt=\"Company\"") && !code.contains("c.png"), "{code}");
        assert!(
            !code.contains("Unseen")
                || code.contains("hidden")
                || answer["css"].as_str().unwrap().contains("display: none"),
            "{code}"
        );
        assert_eq!(answer["assets"]["svgs"][0]["url"], "https://a.test/logo.svg");
    }
}

#[test]
fn counters_continue_from_the_page() {
    let css = "body{counter-reset:step figure 4} section{counter-increment:step} h2::before{content:counter(step) '. '} \
               i::before{counter-increment:figure;content:counters(figure,'.')} .no{display:none} ol{counter-reset:own}";
    let body = "<section><h2>One</h2><i></i><i></i></section><section class=no><h2>None</h2><i></i></section>\
                <section><h2>Two</h2><div style='counter-reset:figure 90'><i></i></div></section><section id=s><h2>Three</h2><i></i></section>";
    let page = page_of(format!("<!doctype html><html><body>{body}</body></html>"), css);
    let own = ask_for(&page, Some("#s"), Theme::Light, Framework::Html).unwrap();
    let sheet = own["css"].as_str().unwrap();
    assert!(sheet.contains("counter-reset: figure 6 step 2;") && sheet.contains("counter-increment: step"), "{sheet}");
    let first = ask_for(&page, Some("section"), Theme::Light, Framework::Html).unwrap();
    assert!(first["css"].as_str().unwrap().contains("counter-reset: figure 4 step 0;"), "{first}");
    let css = css.replace("section{", "section{counter-reset:step 7;");
    let own = ask_for(&page_of(page.html.clone(), &css), Some("#s"), Theme::Light, Framework::Html).unwrap();
    assert!(own["css"].as_str().unwrap().contains("counter-reset: step 7 figure 6;"), "{own}");
    let after = "<section class=w><section id=s><h2>Three</h2></section></section>";
    let css = ".w{counter-reset:step 5} .w::after{content:'';counter-increment:step 10} h2::before{content:counter(step)} \
               #s{counter-reset:own 1} @media(max-width:600px){#s{counter-reset:own 50}}";
    let own = ask_for(
        &page_of(format!("<!doctype html><body>{after}</body>"), css),
        Some("#s"),
        Theme::Light,
        Framework::Html,
    );
    let own = own.unwrap();
    let sheet = own["css"].as_str().unwrap();
    assert!(sheet.contains("counter-reset: own 1 step 5;"), "later elements are not counted: {sheet}");
    assert!(sheet.contains("counter-reset: own 50 step 5;"), "{sheet}");
    let plain = component_for("<h1>Ship it</h1><p>Words</p>", "p::before{content:'a'}", Framework::Html);
    assert!(!plain["css"].as_str().unwrap().contains("counter"), "{plain}");
}

#[test]
fn frameset_pages_can_be_selected() {
    let page = page_of("<html><head></head><frameset cols=50%,50%><frame src=/a><frame src=/b></frameset></html>", "");
    let own = ask_for(&page, None, Theme::Light, Framework::Html).unwrap();
    let again = ask_for(&page, own["selector"].as_str(), Theme::Light, Framework::Html).unwrap();
    assert_eq!(again["code"], own["code"]);
}

#[test]
fn animations_have_names_that_classes_can_carry() {
    let body = "<h1 class=a>Ship it</h1><p class=b>Words</p><a class=c href=/>Link</a>";
    let css = ".a{animation:k\\.1 1s,none 2s} .b{animation:a\\/b 2s} .c{animation:my_kf 2s} @keyframes k\\.1{to{opacity:0}} \
               @keyframes a\\/b{to{opacity:0}} @keyframes my_kf{to{opacity:0}}";
    for framework in [Framework::Html, Framework::Tailwind, Framework::Jsx, Framework::Vue] {
        let answer = component_for(body, css, framework);
        let all = format!("{}{}", answer["code"].as_str().unwrap(), answer["css"].as_str().unwrap_or_default());
        for name in ["animation-k-1", "animation-a-b"] {
            assert!(all.contains(&format!("@keyframes {name} {{")), "{all}");
            assert!(all.matches(name).count() > 1, "an element uses the animation: {all}");
        }
        assert!(all.contains("@keyframes my_kf {"), "{all}");
    }
    let css = ".a{animation:k\\. 1s} .b{animation:k\\! 2s} .c{animation:animation-k 3s} @keyframes k\\.{to{opacity:0}} \
               @keyframes k\\!{to{opacity:.1}} @keyframes animation-k{to{opacity:.2}}";
    let answer = component_for(body, css, Framework::Html);
    let sheet = answer["css"].as_str().unwrap();
    assert_eq!(sheet.matches("@keyframes animation-k").count(), 3, "{sheet}");
    assert!(sheet.contains("animation: animation-k 3s;"), "{sheet}");
}

#[test]
fn boxes_that_are_landmarks_are_written_as_such() {
    let links = "<a href=/a>A</a> <a href=/b>B</a>";
    for (body, expected) in [
        (format!("<div class=nav-links>{links}</div>"), true),
        ("<div class=nav-links><a href=/a>A</a></div>".to_owned(), false),
        (format!("<div class=nav-links><h2>A</h2>{links}</div>"), false),
        (format!("<div class=nav-links role=toolbar>{links}</div>"), false),
        (format!("<div class=card>{links}</div>"), false),
    ] {
        let code = component(&format!("<h1>Ship it</h1>{body}"), ".nav-links{color:red} .card{color:red}");
        assert_eq!(count(code["code"].as_str().unwrap(), "nav"), usize::from(expected), "{body}");
    }
}
