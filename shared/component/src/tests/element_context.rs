//! Tests the effects of ancestors on a section, and values that must be declared differently
//! outside of its page.

use super::{ask_for, ask_of, component, component_for, count, page_of};
use limner_types::{Framework, Theme};
use serde_json::Value;

fn code(css: &str, inside: &str) -> Value {
    let html = format!(
        "<!doctype html><html><body><div class=o><main><section class=h><h1>Words on a page</h1><p>More of them, so \
         that there is something to read.</p>{inside}</section></main></div></body></html>"
    );
    let page = page_of(html, css);
    ask_of(&page, Some(".h"), Theme::Light).unwrap()
}

#[test]
fn ancestors_impose_a_minimum_width() {
    for (css, width) in [
        (".o{min-width:995px}", Some("995px")),
        (".o{width:960px;padding:0 10px;box-sizing:border-box} main{padding:5px}", Some("930px")),
        (".o{width:960px;padding:0 10px} .h{margin:0 20px}", Some("920px")),
        (".o{width:960px} main{min-width:1000px}", Some("1000px")),
        (".o{min-width:995px} .h{width:100%}", Some("995px")),
        (".o{min-width:995px} .h{width:100%;padding:5px;box-sizing:border-box}", Some("995px")),
        (".o{min-width:995px} .h{width:100%;padding:5px}", None),
        (".o{min-width:995px} .h{width:100%;margin:0 -15px;box-sizing:border-box}", Some("995px")),
        (".o{min-width:995px} .h{width:100%;max-width:600px;margin:0 auto}", None),
        (".o{min-width:995px} .h{max-width:600px}", None),
        (".o{min-width:995px} .h{max-width:100%}", Some("995px")),
        (".o{float:left;width:700px}", Some("700px")),
        // No wider than a phone, or than the viewport allows.
        (".o{min-width:380px}", None),
        (".o{width:960px;max-width:100%}", None),
        ("@media (min-width:1200px){.o{width:1170px}}", None),
        // The width depends on something else.
        (".o{min-width:995px} .h{width:50%}", None),
        (".o{min-width:995px} main{float:left}", None),
        (".o{min-width:995px} main{overflow:auto}", None),
        (".o{min-width:995px;display:flex}", None),
        (".o{min-width:995px;display:grid}", Some("995px")),
        (".o{min-width:995px;display:grid;grid-template-columns:1fr 1fr}", None),
        (".o{min-width:995px;display:grid;grid-auto-flow:column}", None),
        (".o{min-width:995px;display:grid} main{justify-self:start}", None),
        (".o{min-width:995px;display:flex;flex-direction:column}", Some("995px")),
        (".o{min-width:995px;display:flex;flex-direction:column} main{align-self:center}", None),
        (".o{min-width:995px;display:flex;flex-direction:column;align-items:center}", None),
        // Flex items have it only while there is room.
        ("body{display:flex} .o{width:700px}", None),
        ("body{display:flex} .o{width:700px;flex-shrink:0}", Some("700px")),
        ("body{display:flex} .o{min-width:700px}", Some("700px")),
    ] {
        let result = code(css, "");
        let written = result["css"].as_str().unwrap();
        match width {
            Some(px) => assert!(written.contains(&format!("min-width: {px};")), "{css}: {written}"),
            None => assert!(
                !written.contains(";\n  min-width: ") && !written.contains("{\n  min-width: "),
                "{css}: {written}"
            ),
        }
    }
    let css =
        ".o{min-width:600px} @media (min-width:1000px){.o{min-width:900px}} @media (max-width:500px){.o{min-width:0}}";
    let result = code(css, "");
    let written = result["css"].as_str().unwrap();
    assert!(written.contains("min-width: 600px;") && !written.contains("min-width: 900px;"), "{written}");
}

#[test]
fn percentage_widths_are_omitted_except_on_centred_sections() {
    for (css, width) in [
        (".h{width:50%}", None),
        (".h{width:calc((100% - 40px)/2 + 5px)}", None),
        (".h{max-width:80%;margin:0 auto 0 0}", None),
        (".h{width:95%;margin:auto}", Some("  width: 95%;")),
        (".h{max-width:80%;margin:0 auto}", Some("  max-width: 80%;")),
        (".h{float:left;width:25%;margin:0 auto}", None),
        (".h{width:calc(100% - 2rem)}", Some("  width: calc(100% - 2rem);")),
    ] {
        let result = code(css, "");
        let written = result["css"].as_str().unwrap();
        match width {
            Some(width) => assert!(written.contains(width), "{css}: {written}"),
            None => assert!(!written.contains("width: "), "{css}: {written}"),
        }
    }
}

#[test]
fn table_rows_keep_their_layout_without_the_table() {
    const ROW: &str = ".h{display:table-row} .h>*{display:table-cell} .h h1{width:41.66666667%}";
    for (table, expected) in [
        (
            "main{display:table;table-layout:fixed;width:100%}",
            ["display: table;", "table-layout: fixed;", "  width: 100%;"],
        ),
        ("main{display:table;width:960px}", ["display: table;", "", "  width: 100%;"]),
        ("main{display:table}", ["display: table-row;", "", ""]),
        (
            "main{display:table;width:100%} .h{padding:5px;margin:4px;width:300px;border:1px solid}",
            ["display: table;", "", "  width: 100%;"],
        ),
        // Of another table.
        (".o{display:table;width:100%} main{display:table-cell}", ["display: table-row;", "", ""]),
    ] {
        let result = code(&format!("{table} {ROW}"), "");
        let written = result["css"].as_str().unwrap();
        // Twelfths keep all their digits.
        for expected in expected.into_iter().chain(["width: 41.666667%;"]) {
            assert!(written.contains(expected), "{expected} {written}");
        }
        let widths = if expected[2].is_empty() { 1 } else { 2 };
        assert_eq!(written.matches(" width: ").count(), widths, "{written}");
        assert!(["padding:", "margin:", "border:"].iter().all(|edge| !written.contains(edge)), "{written}");
        assert_eq!(result["summary"]["styledCoverage"], 100.0, "{written}");
    }
}

#[test]
fn centring_transforms_are_removed() {
    for (css, transform) in [
        ("top:50%;left:50%;transform:translate(-50%,-50%)", None),
        ("top:50%;transform:translateY(-50%)", None),
        ("left:50%;translate:-50% 0", None),
        ("right:50%;transform:translate3d(50%,0,0)", None),
        ("left:50%;transform:translateX(-50%) rotate(3deg)", Some("transform: rotate(3deg);")),
        ("left:50%;transform:translate(-50%,10px)", Some("transform: translate(0, 10px);")),
        ("left:50%;translate:-50% 10px", Some("translate: 0 10px;")),
        // A containing block for its descendants is kept.
        ("left:50%;transform:translateX(-50%)} .h h1{position:fixed", Some("transform: translate(0);")),
        ("left:50%;translate:-50%} .h::before{content:'';position:absolute;z-index:-1", Some("translate: 0;")),
        // The start of a transition is kept.
        (
            "left:50%;transform:translateX(-50%)} .h:hover{transform:translateX(-50%) scale(2)",
            Some("transform: translateX(-50%);"),
        ),
        (
            "left:50%;transform:translateX(-50%);animation:a 1s} @keyframes a{0%{transform:none}",
            Some("transform: translateX(-50%);"),
        ),
        // Off-screen until an interaction shows it.
        ("left:0%;transform:translateX(-100%)", Some("transform: translateX(-100%);")),
        ("left:0;transform:translateX(-100%)", Some("transform: translateX(-100%);")),
    ] {
        for position in ["absolute", "fixed"] {
            let result = code(&format!(".h{{position:{position};{css}}}"), "");
            let written = result["css"].as_str().unwrap();
            match transform {
                Some(transform) => assert!(written.contains(transform), "{css}: {written}"),
                None => assert!(!written.contains("trans"), "{css}: {written}"),
            }
        }
        // For `position: relative` the offsets apply, so the transform is kept.
        let result = code(&format!(".h{{position:relative;{css}}}"), "");
        assert!(result["css"].as_str().unwrap().contains("trans"), "{css}: {result}");
    }
}

#[test]
fn spaces_next_to_generated_content_are_kept() {
    let css = ".a::after{content:'>'} .b::before{content:'<'} .c::after{content:'>';position:absolute} .d{display:flex} \
               .d::after{content:'>'} @media (max-width:600px){.e::after{content:'>'}}";
    for (class, kept) in
        [("a", "words </p>"), ("b", "> words</p>"), ("c", ">words</p>"), ("d", ">words</p>"), ("e", "words </p>")]
    {
        let result = code(css, &format!("<p class={class}> <b>Some</b> words </p><p class={class}> words </p>"));
        let written = result["code"].as_str().unwrap();
        assert!(written.contains(kept), "{class}: {written}");
    }
}

#[test]
fn line_breaks_with_clear_are_kept() {
    for inside in ["<br clear=both>", "<br clear=all>", "<br class=clear>"] {
        let result = code(".clear{clear:both} i{float:left}", &format!("<p><i>Aside</i> Words{inside}More</p>"));
        assert!(result["css"].as_str().unwrap().contains("clear: both;"), "{inside}: {result}");
    }
}

#[test]
fn values_that_would_compute_differently_are_declared_as_computed() {
    // A multiple of the `monospace` default size gives another size once it is declared.
    let css = "body{font-size:1.125em} tt{font-family:monospace} tt span{font-family:X;font-size:.85em}";
    let result = code(css, "<p>Words <tt><span>code</span></tt></p>");
    let written = result["css"].as_str().unwrap();
    assert!(written.contains("font-size: 14.625px;") && written.contains("font-size: 15.3px;"), "{written}");
    assert_eq!(result["summary"]["styledCoverage"], 100.0, "{result}");
}

#[test]
fn block_formatting_contexts_are_kept() {
    let float = "<div style='float:left'>Beside</div>";
    for (css, inside, expected) in [
        (".h{float:left}", "", true),
        (".h{position:absolute}", "", true),
        ("main{display:flex}", "", true),
        ("main{display:grid} div{display:contents}", "", true),
        (
            ".h{position:fixed} h1,p,div{margin:0}",
            "<div style='margin:auto'><p style='margin-bottom:9px'>x</p></div>",
            true,
        ),
        (".h{float:left;padding:1px}", float, true),
        (".h{float:left;padding:1px}", "<div><p style='margin:0'>Deep</p><div style='float:right'>x</div></div>", true),
        // Enclosed as little on its page as elsewhere.
        ("", float, false),
        (".o{display:flex}", "", false),
        // Another element encloses them, or there is nothing to enclose.
        (".h{float:left;overflow:hidden}", float, false),
        (".h{float:left;padding:1px}", "", false),
        (".h{float:left;border:1px solid}", "<div style='overflow:auto'><i style='float:left'>x</i></div>", false),
        (".h{float:left} h1,p{margin:0}", "", false),
        (".h{float:left;display:flex}", float, false),
    ] {
        let result = code(css, inside);
        let written = result["css"].as_str().unwrap();
        assert_eq!(written.contains("display: flow-root;"), expected, "{css} {inside}: {written}");
    }
    let result = code("@media (min-width:900px){main{display:flex}}", "");
    let written = result["css"].as_str().unwrap();
    let (base, wide) = written.split_once("@media").unwrap();
    assert!(!base.contains("flow-root") && wide.contains("flow-root"), "{written}");
}

#[test]
fn negative_margins_escaping_the_section_are_omitted() {
    for (css, expected) in [
        ("h1{margin:-2em 0 0}", None),
        ("h1{margin:0} .h::before{content:none} h1{margin-top:-5%}", None),
        // Between contents, or inside of a padding or border, margins belong to the section.
        (".h{padding-top:1px} h1{margin:-32px 0 0}", Some("margin: -32px 0 0")),
        (".h{display:flex} h1{margin:-32px 0 0}", Some("margin: -32px 0 0")),
        ("h1{margin:0} h1 + p{margin:-3px 0 0}", Some("margin: -3px 0 0")),
        ("h1{margin:32px 0 0}", Some("margin: 32px 0 0")),
    ] {
        let result = code(css, "");
        let written = result["css"].as_str().unwrap();
        let found = expected.map_or_else(|| !written.contains(": -"), |margin| written.contains(margin));
        assert!(found, "{css}: {written}");
        // A margin that is not copied counts as a different value.
        let coverage = result["summary"]["styledCoverage"].as_f64().unwrap();
        assert!(if expected.is_none() { (99.0..100.0).contains(&coverage) } else { coverage == 100.0 }, "{result}");
    }
}

#[test]
fn elements_with_text_declare_their_line_height_in_lines_without_strut() {
    let html = "<body><main class=h><h1>Words on a page</h1><p><span class=m>Words <em>and</em></span></p></main>";
    let css =
        "@media (min-width:600px) and (max-width:900px){.m{font-size:10px}} p::after{content:'.';position:absolute}";
    let page = page_of(html, css);
    let result = ask_of(&page, Some(".h"), Theme::Light).unwrap();
    let written = result["css"].as_str().unwrap();
    for (selector, height) in [(".hero-text {", "0px"), (".hero-label {", "normal"), (".hero-text::after {", "normal")]
    {
        let rules = written.split("}\n").filter(|rule| rule.contains(selector));
        let says = |rule: &str| rule.contains(&format!("line-height: {height};"));
        assert!(rules.into_iter().any(says), "{selector} {written}");
    }
}

#[test]
fn keyframes_resolve_variables_of_their_elements() {
    let boxes = "<p class='n a'>One</p><p class='n b'>Two</p>";
    for (css, inside, wanted) in [
        (".n{--d:50px;animation:mv 1s both} @keyframes mv{to{left:var(--d)}}", boxes, &["left: 50px;"][..]),
        (".n{--d:50px;animation:mv 1s both} @keyframes mv{to{left:var(--e,var(--d))}}", boxes, &["left: 50px;"]),
        (":root{--g:1rem} .n{--g:2rem;animation:mv 1s} @keyframes mv{to{left:var(--g)}}", boxes, &["left: 2rem;"]),
        (
            ".a{--d:50px} .b{--d:70px} .n{animation:mv 1s both} @keyframes mv{to{left:var(--d,0px)}}",
            boxes,
            &["left: var(--d,0px);", "--d: 50px;", "--d: 70px;"],
        ),
        (
            "html{font-size:62.5%} .n{animation:mv 1s} @keyframes mv{to{left:calc(1% + 2rem)}}",
            boxes,
            &["left: calc(1% + 20px);"],
        ),
        (".n{animation:mv 1s} @keyframes mv{to{left:2rem}}", boxes, &["left: 2rem;"]),
    ] {
        let css_of = code(css, inside)["css"].as_str().unwrap().to_owned();
        for wanted in wanted {
            assert!(css_of.contains(wanted), "{css}: {css_of}");
        }
        assert!(wanted.len() > 1 || !css_of.contains("var("), "{css}: {css_of}");
    }
}

#[test]
fn context_dependent_properties_are_declared_only_where_effective() {
    for (css, wanted) in [
        (".g{columns:3} .g>p{break-inside:avoid}", Some("break-inside: avoid;")),
        (".g>p{break-inside:avoid}", None),
        (".g{overflow:auto;scroll-behavior:smooth}", Some("scroll-behavior: smooth;")),
        (".g{scroll-behavior:smooth}", None),
        (".g>img{content:url(https://a.test/dark.svg)}", Some("content: url(")),
        (".g>p{content:'word'}", None),
        (".g>p{rotate:y 9deg} .g>p{backface-visibility:hidden}", Some("backface-visibility: hidden;")),
        (".g>p{backface-visibility:hidden}", None),
    ] {
        let own = code(css, "<div class=g><p>Words</p><img src=a.png></div>")["css"].as_str().unwrap().to_owned();
        let property = css.rsplit_once('{').unwrap().1.trim_start_matches("overflow:auto;").split(':').next().unwrap();
        match wanted {
            Some(wanted) => assert!(own.contains(wanted), "{css}: {own}"),
            None => assert!(!own.contains(&format!("{property}:")), "{css}: {own}"),
        }
    }
}

/// (rules, true if the attribute is removed, class)
#[test]
fn shown_elements_with_hidden_attribute_are_shown_under_preflight() {
    for (rules, goes, class) in [
        (".force[hidden]{display:flex}", true, "flex"),
        ("@media (min-width:700px){.force{display:flex}}", true, "hidden"),
        ("b:hover+.force{display:block}", true, "peer-hover:block"),
        ("p{color:red}", false, "text-[#f00]"),
    ] {
        let body = "<b>Bold</b><p class=force hidden>Text</p>";
        let code = component_for(body, rules, Framework::Tailwind);
        let code = code["code"].as_str().unwrap();
        assert_eq!(count(code, "p[hidden]") == 0, goes, "{rules}: {code}");
        assert_eq!(count(code, &format!("p[class~='{class}']")), 1, "{class} in {code}");
        let own = component(body, rules);
        assert_eq!(count(own["code"].as_str().unwrap(), "p[hidden]"), 1, "no default rule overrides it: {own}");
    }
}

#[test]
fn scroll_driven_animations_have_duration_auto() {
    for (rules, expected) in [
        (
            "animation:f linear both;animation-timeline:view();animation-range:entry 0% cover 50%",
            "animate-[f_linear_both]",
        ),
        ("animation:f linear;animation-duration:auto;animation-timeline:scroll()", "animate-[f_linear]"),
        ("animation:f 2s linear;animation-timeline:view()", "animate-[f_2s_linear]"),
        ("animation:f 0s 1s;animation-timeline:view()", "animate-[f_auto_1s]"),
        ("animation:f 0s 1s", "animate-[f_0s_1s]"),
    ] {
        let rules = format!("p{{{rules}}} @keyframes f{{from{{opacity:0}}}}");
        let code = component_for("<p>Text</p>", &rules, Framework::Tailwind);
        let code = code["code"].as_str().unwrap();
        assert!(code.contains(expected), "{expected} in {code}");
        assert!(!rules.contains("entry") || code.contains("[animation-range-end:cover_50%]"), "{code}");
    }
}

#[test]
fn unstyled_controls_are_reverted_under_preflight() {
    let own = |body: &str, css: &str| super::states::classes(body, css);
    for control in ["<button>Go</button>", "<input value=x>", "<select><option>One</select>", "<progress></progress>"] {
        let code = own(control, "main{color:red}");
        for class in ["[border:revert]", "bg-[revert]", "rounded-[revert]"] {
            assert!(code.contains(class), "{class} in {code}");
        }
        for styled in ["border:1px solid #ccc", "background:#eee", "border-radius:4px", "appearance:none"] {
            let code = own(control, &format!("button,input,select,progress{{{styled}}}"));
            assert!(!code.contains("revert"), "{styled}: {code}");
        }
        assert!(!super::component(control, "")["css"].as_str().unwrap().contains("revert"));
    }
    let code = own("<input type=checkbox>", "");
    assert!(!code.contains("revert"), "{code}");
    let code = own("<input type=file>", "");
    assert!(
        code.contains("file:[border:revert]") && code.contains("file:px-1.5") && !code.contains(" [border"),
        "{code}"
    );
    let code = own("<input placeholder=x>", "");
    assert!(code.contains("placeholder:text-neutral-500"), "{code}");
}

#[test]
fn default_margins_scale_with_fluid_fonts() {
    let body = "<div class=u><p>Words</p><h3>More</h3></div><p>Still</p>";
    let code = super::states::classes(body, ".u{font-size:clamp(1.2rem,2vw + 1rem,3rem)}");
    let paragraphs = |class: &str| super::texts(&code, &format!("p[class='{class}']"));
    assert_eq!((paragraphs("my-[1em]"), paragraphs("my-4")), (vec!["Words".into()], vec!["Still".into()]), "{code}");
    assert!(code.contains("my-[1em]") && code.contains("text-[1.17em]"), "{code}");
}

#[test]
fn ems_of_fluid_font_sizes_are_kept() {
    for (css, expected) in [
        (
            "html{font-size:clamp(14px,1.2vw,20px)} .o{font-size:1.5em} main{font-size:80%}",
            "calc(1.2 * clamp(14px, 1.2vw, 20px))",
        ),
        ("html{font-size:clamp(14px,1.2vw,20px)} .h{font-size:1.25em}", "calc(1.25 * clamp(14px, 1.2vw, 20px))"),
        (".o{font-size:2vw} main{font-size:2em}", "calc(2 * 2vw)"),
        ("html{font-size:10px} .o{font-size:1.5em}", "15px"),
        (".o{font-size:2vw} main{font-size:20px} .h{font-size:1.5em}", "30px"),
    ] {
        let result = code(css, "");
        let written = result["css"].as_str().unwrap();
        assert!(written.contains(&format!("font-size: {expected};")), "{css}: {written}");
    }
}

#[test]
fn positioned_sections_become_blocks_in_flow() {
    let body = "<p>Words</p><a class=h href=/x>To the <b>top</b></a>";
    let rules = ".h{right:10px;bottom:10px;height:36px;padding:0 16px}";
    for (placed, display) in [("fixed", "block"), ("absolute", "block"), ("static", "inline")] {
        let page = page_of(format!("<!doctype html>{body}"), &format!("{rules} .h{{position:{placed}}}"));
        let result = ask_of(&page, Some(".h"), Theme::Light).unwrap();
        let written = result["css"].as_str().unwrap();
        assert_eq!(written.matches("display: block;").count(), usize::from(display == "block"), "{placed}: {written}");
    }
}

#[test]
fn faces_have_the_names_that_values_use() {
    let faces = "@font-face{font-family:__DM_Sans_ed0e3a;src:url(d.woff2)}\
                 @font-face{font-family:__DM_Sans_Fallback_ed0e3a;size-adjust:107%;src:local(Arial)}";
    let rules =
        format!("{faces} .v{{--sans:'__DM_Sans_ed0e3a','__DM_Sans_Fallback_ed0e3a'}} .h{{font-family:var(--sans)}}");
    let result = component("<div class=v><h1 class=h>Ship it</h1></div>", &rules);
    let css = result["css"].as_str().unwrap();
    for part in ["@font-face {\n  font-family: \"DM Sans\";", "@font-face {\n  font-family: \"DM Sans Fallback\";"] {
        assert!(css.contains(part), "{css}");
    }
    assert!(css.contains("\"DM Sans\", \"DM Sans Fallback\"") && !css.contains("ed0e3a"), "{css}");
}

#[test]
fn image_lines_keep_the_height_of_their_font() {
    let faces = "@font-face{font-family:F;src:url(l.woff2);unicode-range:U+0-FF}\
                 @font-face{font-family:F;src:url(g.woff2);unicode-range:U+370-3FF} .h{font-family:F}";
    let page = page_of("<!doctype html><div class=h><img src=a.png alt=''><img src=b.png alt=''></div>", faces);
    let result = ask_of(&page, Some(".h"), Theme::Light).unwrap();
    let written = result["css"].as_str().unwrap();
    assert!(written.contains("l.woff2") && !written.contains("g.woff2"), "{written}");
}

#[test]
fn fonts_have_loadable_formats() {
    let old = "src:url(f.eot); src:url(f.eot?#iefix) format('embedded-opentype'), ";
    for (sources, written) in [
        (format!("{old}url(f.woff2) format('woff2'), url('f.ttf')"), "src: url(f.woff2) format(\"woff2\");"),
        (format!("{old}url(f.svg#f) format('svg'), url(f.woff)"), "src: url(f.woff);"),
        ("src:local('F'), url(f.svg#f), url(f.otf)".to_owned(), "src: local(\"F\"), url(f.otf);"),
        ("src:url(f.woff); src:url(g.eot) format('eot')".to_owned(), "src: url(f.woff);"),
        ("src:url(f.eot)".to_owned(), "src: url(f.eot);"),
    ] {
        let css = format!("@font-face{{font-family:F;{sources}}} .h{{font-family:F}}");
        let page = page_of("<!doctype html><div class=h>Some words</div>", &css);
        let result = ask_of(&page, Some(".h"), Theme::Light).unwrap();
        let css = result["css"].as_str().unwrap();
        assert!(css.contains(written) && css.matches("src:").count() == 1, "{written} in {css}");
    }
}

#[test]
fn faces_are_declared_for_texts_of_their_family_only() {
    let face = |family: &str, more: &str, file: &str| {
        format!(
            "@font-face{{font-family:{family};{more};unicode-range:U+20-7E;font-style:normal;src:url({file}.woff2)}}"
        )
    };
    let faces = [
        face("A", "font-weight:400", "a4"),
        face("A", "font-weight:700", "a7"),
        face("B", "font-weight:normal", "b4"),
        face("B", "font-weight:700", "b7"),
    ]
    .concat();
    let css = format!("{faces} .h{{font-family:A}} b{{font-family:B;display:block}} b::before{{content:'x'}}");
    let page = |more: &str, text: &str| {
        page_of(format!("<!doctype html><div class=h>{text}<b>Words</b></div>"), &format!("{css} {more}"))
    };
    let written = |more: &str, text: &str| {
        let result = ask_of(&page(more, text), Some(".h"), Theme::Light).unwrap();
        result["css"].as_str().unwrap().to_owned()
    };
    let files = |css: &str| -> Vec<&str> {
        ["a4", "a7", "b4", "b7"].into_iter().filter(|file| css.contains(&format!("{file}.woff2"))).collect()
    };
    let plain = written("", "Some");
    assert_eq!(files(&plain), ["a4", "b7"], "{plain}");
    assert!(!plain.contains("unicode-range") && !plain.contains("font-style"), "nothing to tell apart: {plain}");
    assert_eq!(files(&written(".h:hover{font-weight:700}", "Some")), ["a4", "a7", "b7"], "under a state");
    assert_eq!(files(&written("b::before{font-weight:400}", "Some")), ["a4", "b4", "b7"], "generated");
    assert_eq!(files(&written("", "")), ["b7"], "no text of its own");
    assert!(written("", "Sóme").contains("unicode-range: U+20-7E;"), "letters that other fonts draw");
}

#[test]
fn right_to_left_direction_is_set_by_attribute() {
    let code = |around: &str, tag: &str, css: &str| {
        let html = format!(
            "<!doctype html><html {around}><body><{tag} class=h><p>Words of a page</p><p>More of them</p></{tag}></body></html>"
        );
        let result = ask_for(&page_of(html, css), Some(".h"), Theme::Light, Framework::Html).unwrap();
        format!("{}{}", result["code"].as_str().unwrap(), result["css"].as_str().unwrap())
    };
    let written = code("dir=RTL", "section", ".h{padding:4px}");
    assert!(written.contains("dir=\"rtl\"") && !written.contains("direction"), "{written}");
    // Set by a property, or overridden by a descendant.
    let written = code("", "section", "html{direction:rtl}");
    assert!(!written.contains("dir=") && written.contains("direction: rtl;"), "{written}");
    let written = code("dir=rtl", "section dir=ltr", ".h{padding:4px}");
    assert!(written.contains("dir=\"ltr\"") && !written.contains("rtl"), "{written}");
    let written = code("dir=rtl", "section", ".h{direction:ltr}");
    assert!(written.contains("direction: ltr;"), "{written}");
    // As an inline element it would be isolated from its context.
    let written = code("dir=rtl", "span", ".h{color:red}");
    assert!(!written.contains("dir=") && written.contains("direction: rtl;"), "{written}");
}

#[test]
fn blocks_are_justified_in_their_width() {
    let result =
        code("h1{justify-self:center} main{justify-items:end} .h{justify-items:end} b{justify-self:end}", "<b>B</b>");
    let css = result["css"].as_str().unwrap();
    assert!(css.contains("justify-self: center") && css.contains("justify-items: end"), "{css}");
    assert!(!css.contains("justify-self: end"), "inline elements are not aligned: {css}");
}

#[test]
fn letter_spacing_and_line_height_ems_of_fluid_fonts_are_kept() {
    let fluid = code("body{font-size:clamp(14px,2.5vw,28px);letter-spacing:.1em;line-height:1.5em}", "");
    let css = fluid["css"].as_str().unwrap();
    assert!(css.contains("letter-spacing: 0.1em") && css.contains("line-height: 1.5em"), "{css}");
    let fixed = code("body{font-size:20px;letter-spacing:.1em;line-height:1.5em}", "");
    let css = fixed["css"].as_str().unwrap();
    assert!(css.contains("letter-spacing: 2px") && css.contains("line-height: 30px"), "{css}");
}

#[test]
fn display_contents_makes_children_grid_items() {
    let css =
        ".h{display:grid;grid-template-columns:1fr 2fr} i{display:contents} b{grid-column:2;order:1;align-self:end}";
    let result = code(css, "<i><b>B</b></i>");
    let css = result["css"].as_str().unwrap();
    for part in ["grid-column-start: 2;", "order: 1;", "align-self: end;"] {
        assert!(css.contains(part), "{part}: {css}");
    }
    assert!(!css.contains("min-"), "no box, no size: {css}");
}
