//! Tests that the code is readable: concise, and idiomatic in its framework.

use super::states::classes;
use super::{ask_for, component, component_for, count, page_of};
use limner_types::{Framework, Theme};

fn css(body: &str, css: &str) -> String {
    component(body, css)["css"].as_str().unwrap().to_owned()
}

#[test]
fn values_keep_the_authors_form() {
    let body = "<h1>Ship it</h1><p class=p>Words</p>";
    for (rules, expected) in [
        (".p{width:60%}", "  width: 60%;"),
        (".p{margin-left:33.3333%}", "  margin-left: 33.3333%;"),
        (".p{scale:105%}", "  scale: 105%;"),
        (".p{background:linear-gradient(red 33.3%,blue 66.6%)}", "linear-gradient(red 33.3%, blue 66.6%)"),
        (":root{--s:.25rem} .p{height:calc(var(--s)*14)}", "  height: 3.5rem;"),
        (".p{position:relative;z-index:calc(10 * -1)}", "  z-index: -10;"),
        (".p{translate:calc(calc(1 / 2 * 100%) * -1) 0}", "  translate: -50% 0"),
        (".p{background:red;border-radius:calc(8px * 1)}", "  border-radius: 8px;"),
        (".p{background:red;border-radius:calc(1em + 1px)}", "  border-radius: calc(1em + 1px);"),
        (".p{animation:m 1s} @keyframes m{to{width:calc(2 * 3rem)}}", "    width: 6rem;"),
        (".p{position:absolute;right:0px;top:0px;padding:0px 4px}", "  right: 0;"),
    ] {
        let own = css(body, rules);
        assert!(own.contains(expected), "{rules}: {own}");
    }
    let own = css(body, ".p{padding-left:calc(1px - 2px);height:calc(1px - 5px)}");
    assert!(own.contains("height: calc(1px - 5px);"), "clamping keeps the value from being negative: {own}");
}

#[test]
fn text_without_a_size_has_none_under_tailwind() {
    for rules in [".p{font-size:0}", ".p{font-size:0;line-height:1}"] {
        let code = classes("<h1>Ship it</h1><p class=p>Words</p>", rules);
        assert!(code.contains("text-[0px]"), "a bare zero would be read as a colour: {code}");
    }
}

#[test]
fn undefined_variables_fall_back_to_the_initial_value() {
    let body = "<h1>Ship it</h1><a class=p href=/>Link</a>";
    let rules = ".p{color:#06c;background:var(--none);box-shadow:var(--none);border-radius:var(--none)} \
                 .p:hover{background:var(--none);box-shadow:var(--none);color:#c00}";
    let own = css(body, rules);
    assert!(own.contains("color: #c00") && !own.contains("initial"), "{own}");
    assert!(!own.contains("box-shadow") && !own.contains("background"), "{own}");
    let own = css(body, ".p{background:red} .p:hover{background:var(--none)}");
    assert!(own.contains("background-color: transparent;"), "{own}");
    let code = classes(body, ".p{background:red} .p:hover{background:var(--none)}");
    assert!(code.contains("hover:bg-transparent"), "{code}");
}

#[test]
fn text_decoration_is_one_declaration() {
    let body = "<h1>Ship it</h1><a class=p href=/>Link</a>";
    let own = css(body, ".p{text-decoration:none} .p:hover{text-decoration:underline}");
    assert!(own.contains("text-decoration: underline;"), "{own}");
    assert!(!own.contains("solid") && !own.contains("auto"), "{own}");
    let code = classes(body, ".p{text-decoration:none} .p:hover{text-decoration:underline}");
    assert!(code.contains("hover:underline") && !code.contains("hover:decoration"), "{code}");
    let own = css(body, ".p{text-decoration:none} .p:hover{text-decoration:underline dotted 2px}");
    assert!(own.contains("dotted") && own.contains("2px"), "{own}");
}

#[test]
fn transition_properties_are_listed_once() {
    let body = "<h1>Ship it</h1><a class=p href=/>Link</a>";
    let rules = ".p{transition:.2s cubic-bezier(.4,0,.2,1);transition-property:color,opacity,background-color,--x,-webkit-transform,transform} \
                 .p:hover{color:red} @media (prefers-reduced-motion:reduce){.p{transition:none}}";
    let own = css(body, rules);
    assert!(own.contains("transition-property: color, opacity, background-color, transform;"), "{own}");
    assert!(own.contains("transition-duration: 0.2s;") && own.contains("transition: none;"), "{own}");
    let code = classes(body, rules);
    assert!(code.contains("motion-reduce:transition-none") && !code.contains("motion-reduce:duration"), "{code}");
    let rules = ".p{transition:opacity .15s cubic-bezier(.4,0,.2,1)} .p:hover{opacity:.5}";
    let code = classes(body, rules);
    assert!(code.contains("transition-opacity") && !code.contains("duration") && !code.contains("ease"), "{code}");
    let slow = format!("{rules} @media (min-width:900px){{.p{{transition-duration:1s}}}}");
    assert!(classes(body, &slow).contains("duration-150"), "declared where other transitions take longer");
}

#[test]
fn blockified_elements_omit_display() {
    let body = "<h1>Ship it</h1><p class=p>Words <b class=b>bold</b></p>";
    let rules = ".p{position:relative} .b{display:block;position:absolute;top:0} .p::after{content:'';display:block;float:left;width:4px;height:4px;background:red}";
    let own = css(body, rules);
    assert!(!own.contains("display"), "{own}");
    let own =
        css(body, "h1{display:none} .b{display:none;position:absolute} @media (min-width:900px){.b{display:block}}");
    assert!(own.contains("display: none"), "{own}");
}

#[test]
fn named_tailwind_utilities_are_used() {
    let body = "<h1 class=h>Ship it</h1><div class=f><p class=p>Words</p></div>";
    for (rules, expected) in [
        (".p{box-shadow:#1e26330a 0 2px 4px 0}", "shadow-[0_2px_4px_0_#1e26330a]"),
        (".p{text-shadow:#1e26330a 0 2px 4px}", "text-shadow-[0_2px_4px_#1e26330a]"),
        (".p{filter:drop-shadow(#1e26330a 0 2px 4px)}", "drop-shadow-[0_2px_4px_#1e26330a]"),
        (".p{box-shadow:0 0 #0000,0 0 0 calc(1px + 0px) oklch(92.9% .013 255.508)}", "ring-1 ring-slate-200"),
        (".p{background:color-mix(in oklab,oklch(20.8% .042 265.755) 5%,transparent)}", "bg-slate-900/5"),
        (
            ".p{background-image:linear-gradient(to right in oklab,#fff 0%,#000 100%)}",
            "bg-linear-to-r from-white to-black",
        ),
        (".f{display:flex} .p{flex:1}", "flex-1"),
        (".p{width:30%}", "w-3/10"),
        (".p{max-width:95%}", "max-w-19/20"),
        (".p{width:12.5%}", "w-1/8"),
        (".p{width:31%}", "w-[31%]"),
        (".p{translate:calc(calc(1 / 2 * 100%) * -1) 0}", "-translate-x-1/2"),
        (".p:hover{scale:105% 105%}", "hover:scale-105"),
        (".p:hover{transform:translateX(0);translate:0 -4px}", "hover:-translate-y-1"),
        (".h{font-size:2.25rem;line-height:1.1111} @media (min-width:900px){.p{color:red}}", "text-4xl"),
        (".p{white-space-collapse:preserve} .p{text-wrap-mode:nowrap}", "whitespace-pre"),
        (".f{white-space-collapse:preserve} .p{text-wrap-mode:nowrap}", " whitespace-pre\""),
        (".f{white-space:pre} .p{text-wrap-mode:nowrap;overflow:hidden;text-overflow:ellipsis}", "text-ellipsis"),
        (".p{font-size:1.25em;line-height:1px}", "text-[1.25em]/[1px]"),
        (".p{position:absolute;left:0em}", " left-0"),
        (".p{text-decoration:underline max(1px,.1em)}", "decoration-[max(1px,0.1em)]"),
        (".p{border-top:max(1px,.1em) solid}", "border-t-[max(1px,0.1em)]"),
        (".p{position:relative;bottom:calc(max(3px,.2em) * -1)}", "-bottom-[max(3px,0.2em)]"),
        (".p{margin-top:calc((max(1px,.2em) + 1px) * -1)}", "-mt-[(max(1px,0.2em)+1px)]"),
        (".p{margin-top:calc(max(3px,.2em) * -.5)}", "\"mt-[calc(max(3px,0.2em)*-0.5)]"),
        (".p{letter-spacing:calc(max(1px,.2em) * -1)}", "-tracking-[max(1px,0.2em)]"),
        (".p:hover{outline:5px auto -webkit-focus-ring-color}", "hover:[outline:5px_auto_-webkit-focus-ring-color]"),
        (
            ".p:hover{outline-style:auto;outline-color:-webkit-focus-ring-color}",
            "hover:[outline:auto_-webkit-focus-ring-color]",
        ),
        (".p{outline:2px solid red} .p:hover{outline-style:auto;outline-color:blue}", "hover:[outline-style:auto]"),
    ] {
        let code = classes(body, rules);
        assert!(code.contains(expected), "{rules}: {code}");
        assert!(!code.contains("leading-none") && !code.contains("translate-x-0"), "{rules}: {code}");
    }
    let glyph = "h1,.f{text-rendering:optimizeLegibility} .p{text-rendering:auto}";
    assert!(!classes(body, glyph).contains("rendering:auto"), "a reset for icon fonts has no effect");
    let large = ".h{font-size:3rem;line-height:1} @media (min-width:900px){.h{font-size:3.75rem}}";
    let code = classes(body, large);
    assert!(code.contains("text-5xl") && code.contains("text-6xl") && !code.contains("leading-none"), "{code}");
}

#[test]
fn constant_ems_become_named_utilities() {
    let body = "<h1 class=h>Ship it</h1><div class=f><p class=p>Words</p></div>";
    for (rules, expected) in [
        (".p{padding:1em}", " p-4"),
        (".f{font-size:20px} .p{font-size:80%;margin-left:.5em}", "ml-2 "),
        (".p{font-size:14px;line-height:2em}", "text-sm/7"),
        (".p{background:red;border-radius:.25em}", "rounded-sm"),
        (".p::before{content:'x';font-size:2em;padding-left:.5em}", "before:pl-4"),
        // Nearly a whole number of pixels.
        (".p{font-size:24px;padding-left:.6666em}", "pl-4"),
        (".p{padding-left:.26em}", "pl-[0.26em]"),
        // Not a whole number of pixels, or not on the scale.
        (".p{padding-left:.33em}", "pl-[0.33em]"),
        (".p{background:red;border-radius:.3em}", "rounded-[0.3em]"),
        // Several font sizes, or an unknown one.
        (".p{padding-left:1em} @media (min-width:900px){.f{font-size:20px}}", "pl-[1em]"),
        (".p{padding-left:1em} .p:hover{font-size:20px}", "pl-[1em]"),
        (".f{font-size:calc(1rem + 1vw)} .p{padding-left:1em}", "pl-[1em]"),
        (".f{font-size:calc(1rem + 1vw)} .p{font-size:16px;padding-left:1em}", "pl-4"),
        (".p{padding-left:1em;animation:a 1s} @keyframes a{to{font-size:20px}}", "pl-[1em]"),
    ] {
        let code = format!(" {} ", classes(body, rules));
        assert!(code.contains(expected), "{rules}: {code}");
    }
}

#[test]
fn values_that_look_like_a_step_take_its_name() {
    for (rules, expected) in [
        (".p{padding:16.2px 15.8px}", " p-4 "),
        (".p{padding:16.3px}", " p-[16.3px] "),
        // Not on the scale that people design with.
        (".p{padding:22.8px}", " p-[22.8px] "),
        (".p{width:208.2px}", " w-52 "),
        // A wider box may not fit beside its siblings.
        (".p{width:207.8px}", " w-[207.8px] "),
        (".p{color:#334155}", " text-slate-700 "),
        (".p{background:red;border-radius:999px}", " rounded-full "),
        (".p{background:red;border-radius:50%;width:48px;height:48px}", " rounded-full "),
        (
            ".p{background:red;border-radius:50%;width:48px;height:48px;min-width:48px;min-height:48px}",
            " rounded-full ",
        ),
        (".p{background:red;border-radius:50%;width:48px;height:48px;min-width:60px}", " rounded-[50%] "),
        (".p{background:red;border-radius:50%;width:48px}", " rounded-[50%] "),
        (".p{background:red;border-radius:50%;width:48px;height:48px} .p:hover{width:60px}", " rounded-[50%] "),
        (".p{font-family:Inter,system-ui,Arial,sans-serif,'Noto Color Emoji'}", " font-[Inter,sans-serif] "),
        (".p{font-family:SFMono-Regular,Menlo,monospace}", " font-mono "),
        (".p{transition:color .15s} .p:hover{color:red}", " transition-colors "),
    ] {
        let code = format!(" {} ", classes("<p class=p>Words</p>", rules).replace(['"', '\n'], " "));
        assert!(code.contains(expected), "{rules}: {code}");
    }
    let code = classes("<p class=p>Words</p>", ".p{transition:color .15s} .p:hover{color:red}");
    assert!(!code.contains("ease-"), "{code}");
}

#[test]
fn names_describe_the_elements() {
    let rules = "i{color:red} p{color:blue}";
    for (classes, expected) in [
        ("d-flex w-full teaser", ".hero-teaser {"),
        ("wow fadeInUp note", ".hero-note {"),
        ("active lazyloaded m-auto", ".hero-i {"),
        ("card__toolTip--open", ".hero-tool-tip {"),
    ] {
        let own = css(&format!("<p>Words</p><i class='{classes}'>of</i>"), rules);
        assert!(own.contains(expected), "{classes}: {own}");
    }
}

#[test]
fn corner_shape_is_kept_where_corners_are_round() {
    let (body, rules) = ("<p>Words</p><i>of</i>", "*{corner-shape:squircle} i{border-radius:8px}");
    let own = css(body, rules);
    assert!(own.matches("corner-shape: squircle;").count() == 1 && !own.contains("corner-top"), "{own}");
    assert!(classes(body, rules).contains("[corner-shape:squircle]"));
    let own = css(body, "i{border-radius:8px;corner-shape:bevel round}");
    // Corners that are already round need no declaration.
    for corner in ["top-left", "bottom-right"] {
        assert!(own.contains(&format!("corner-{corner}-shape: bevel;")), "{own}");
    }
    assert_eq!(own.matches("corner-").count(), 2, "{own}");
}

#[test]
fn markup_is_broken_only_at_insignificant_white_space() {
    let code = |framework: Framework, body: &str, css: &str| {
        let page = page_of(format!("<!doctype html><body><section class=h>{body}</section>"), css);
        let result = ask_for(&page, Some(".h"), Theme::Light, framework).unwrap();
        result["code"].as_str().unwrap().to_owned()
    };
    let body = "<h2><small>New</small>Ship it today</h2> Some words, <b>and more</b> <p>A text.</p> <a href=/a>See</a>";
    let block = "h2 small{display:block}";
    for framework in [Framework::Html, Framework::Tailwind, Framework::Vue, Framework::Jsx] {
        let written = code(framework, body, block);
        for line in ["Ship it today", "Some words, <b", "<p", "<a"] {
            let is_line = |own: &str| own.trim_start().starts_with(line);
            assert!(written.lines().any(is_line), "{line} ({framework}): {written}");
        }
        // Elements that are inline in a narrow viewport stay on their line.
        let narrow = "@media (max-width:600px){h2 small{display:inline}}";
        let written = code(framework, body, &format!("{block}{narrow}"));
        assert!(written.contains("</small>Ship it"), "{framework}: {written}");
    }
    let row = "<div><a href=/first-of-the-pages>The first of the pages</a> <b>Some bold words about it</b> \
               <i>And slanted ones, of which there are more</i> <u>And the last</u></div>";
    for (framework, end) in [(Framework::Html, "</a>"), (Framework::Jsx, "</a>{' '}")] {
        let written = code(framework, row, "");
        let lines: Vec<&str> = written.lines().map(str::trim).collect();
        assert!(lines.iter().any(|line| line.starts_with("<a") && line.ends_with(end)), "{framework}: {written}");
        assert!(lines.contains(&"<u>And the last</u>"), "{framework}: {written}");
    }
    // Vue removes white space with a line break; short contents stay on one line.
    let short = "<div><b>One</b> <i>Two</i></div>";
    for (framework, body) in [(Framework::Vue, row), (Framework::Html, short), (Framework::Jsx, short)] {
        let written = code(framework, body, "");
        assert!(written.contains("</b> <i>") || written.contains("</b>{' '}<i>"), "{framework}: {written}");
    }
}

#[test]
fn deep_icons_are_printed_in_linear_time() {
    let before = std::time::Instant::now();
    for leaf in ["", "<text><tspan style='white-space:pre'>a\nb</tspan></text>"] {
        let icons = format!("<svg>{}{leaf}{}</svg>", "<g>".repeat(34), "</g>".repeat(34)).repeat(20);
        for framework in [Framework::Html, Framework::Jsx] {
            let page = page_of(format!("<!doctype html><body><section class=h>{icons}</section>"), "");
            assert!(ask_for(&page, Some(".h"), Theme::Light, framework).is_ok());
        }
    }
    assert!(before.elapsed().as_secs() < 30, "{:?}", before.elapsed());
}

#[test]
fn short_contents_stay_on_the_line_of_their_element() {
    let body = "<ul><li><a href=/first-of-all-the-pages-there-are><code>first(page, options)</code></a></li>\
                <li>See <a href=/the-address-of-something-that-is-far-away-and-has-a-long-name-indeed>what it \
                says</a> of it.</li></ul>";
    let page = page_of(format!("<!doctype html><body><section class=h><h2>Links</h2>{body}</section>"), "");
    let result = ask_for(&page, Some(".h"), Theme::Light, Framework::Html).unwrap();
    let written = result["code"].as_str().unwrap();
    let lines: Vec<&str> = written.lines().map(str::trim).filter(|line| line.contains("<li")).collect();
    assert!(lines.len() == 2 && lines.iter().all(|line| line.ends_with("</li>")), "{written}");
}

#[test]
fn optional_blocks_have_their_own_lines_at_insignificant_white_space() {
    let card = |middle: &str| {
        let cards = [("A", ""), ("B", middle), ("C", "")];
        let cards =
            cards.map(|(title, own)| format!("<div><h3>Title {title}</h3>{own}<i>Slanted</i> words</div>")).concat();
        format!("<!doctype html><body><section class=h>{cards}</section>")
    };
    let code = |middle: &str, css: &str, framework: Framework| {
        let result = ask_for(&page_of(card(middle), css), Some(".h"), Theme::Light, framework).unwrap();
        result["code"].as_str().unwrap().to_owned()
    };
    for framework in [Framework::Jsx, Framework::Vue] {
        let written = code("<p>Some text</p>", "", framework);
        let starts = |start: &str| written.lines().any(|line| line.trim_start().starts_with(start));
        assert!(starts("<p") && starts("<i>"), "{framework}: {written}");
        // Without it, text follows text, and a space between them would be visible.
        let written = code("<p>Some text</p>", "h3{display:inline}", framework);
        assert!(written.lines().any(|line| line.contains("</h3>") && line.contains("<p")), "{framework}: {written}");
    }
}

#[test]
fn white_space_longhands_become_the_shorthand_keyword() {
    let page = "<p class=a>a  b</p><p class=b>a  b</p><p class=c>a  b</p><p class=d>a  b</p><pre class=a>a</pre><pre class=d>a</pre>";
    let rules = ".a{white-space:pre-wrap} .b{white-space:pre-line} .c{white-space:break-spaces} .d{white-space:nowrap}";
    let css = css(page, rules);
    for word in ["pre-wrap", "pre-line", "break-spaces", "nowrap"] {
        assert!(css.contains(&format!("white-space: {word};")), "{word} in {css}");
    }
    assert!(!css.contains("white-space-collapse") && !css.contains("text-wrap-mode"), "{css}");
    let code = classes(page, rules);
    for (word, times) in [("pre-wrap", 2), ("pre-line", 1), ("break-spaces", 1), ("nowrap", 2)] {
        assert_eq!(code.matches(&format!("whitespace-{word}")).count(), times, "{word} in {code}");
    }
}

#[test]
fn transforms_become_named_utilities() {
    let all = "translate(0,var(--y,0)) rotate(0) skewX(0) skewY(0) scaleX(var(--s,1)) scaleY(var(--s,1))";
    let page = "<p class='t a'>A</p><p class='t b'>B</p><p class=t>C</p><p class='t c'>D</p>";
    let rules = format!(
        ".t{{transform:{all}}} .a{{--y:-50%}} .b:hover{{--s:1.05;transform:{all}}} .c{{animation:x 1s}} @keyframes x{{to{{opacity:0}}}}"
    );
    let css = css(page, &rules);
    assert!(css.contains("transform: translate(0, -50%);"), "{css}");
    assert!(
        css.contains("transform: scaleX(1) scaleY(1);") && css.contains("transform: scaleX(1.05) scaleY(1.05);"),
        "{css}"
    );
    assert!(css.contains("transform: translate(0, 0);"), "a stacking context: {css}");
    assert!(
        css.contains("transform: translate(0, 0) rotate(0) skewX(0)"),
        "what an animation may begin from stays: {css}"
    );
    let code = classes(page, &rules);
    for class in ["-translate-y-1/2", "scale-100 hover:scale-105", "translate-0"] {
        assert!(code.contains(class), "{class} in {code}");
    }
    let along = classes("<p>A</p>", "p{transform:translateX(-50%)} p:hover{transform:translateY(-4px)}");
    assert!(along.contains("-translate-x-1/2 hover:translate-x-0 hover:-translate-y-1"), "{along}");
    let drawn = "<svg viewBox='0 0 9 9'><g class=x transform='rotate(45)'><path d='M0 0h9v9'/></g></svg>";
    let drawn = classes(drawn, ".x{transform:translateX(4px)}");
    assert!(drawn.contains("transform-[translateX(4px)]"), "the property overrides the attribute: {drawn}");
    let turned = classes("<p>A</p>", "p{transform:skewX(6deg) skewY(6deg)} p:hover{transform:rotateY(12deg)}");
    assert!(turned.contains("transform-[skewX(6deg)_skewY(6deg)] hover:transform-[rotateY(12deg)]"), "{turned}");
}

#[test]
fn filters_have_names_in_the_order_of_the_utilities() {
    for (filter, names) in [
        ("filter:blur(8px) brightness(.5)", "blur-sm brightness-50"),
        ("backdrop-filter:blur(12px) saturate(1.5)", "backdrop-blur-md backdrop-saturate-150"),
        ("backdrop-filter:opacity(50%)", "backdrop-opacity-50"),
        ("backdrop-filter:saturate(1.5) blur(12px)", "backdrop-filter-[saturate(1.5)_blur(12px)]"),
        ("filter:opacity(50%)", "filter-[opacity(50%)]"),
    ] {
        let code = classes("<p>A</p>", &format!("p{{{filter}}}"));
        assert!(code.contains(names), "{filter}: {code}");
    }
    let code = classes("<p>A</p>", "p{filter:blur(8px)} p:hover{filter:brightness(.5)}");
    assert!(code.contains("filter-[blur(8px)] hover:filter-[brightness(0.5)]"), "{code}");
}

#[test]
fn border_colours_are_declared_once_for_drawn_sides() {
    let body = "<h1>Ship it</h1><p class=p>Words</p>";
    let of = |css: &str| classes(body, css);
    for (rules, expected, missing) in [
        (".p{border-top:1px solid #a5b6c7}", "border-t border-[#a5b6c7]", "border-t-["),
        (".p{border:1px solid #123;border-left:0}", "border-y border-r border-[#123]", "border-r-["),
        (".p{border-top:1px solid #a5b6c7} .p:hover{border-top-color:#123}", "hover:border-[#123]", "border-t-["),
        // A border that appears under another condition has its own colour.
        (".p{border-top:1px solid #a5b6c7} .p:hover{border-bottom:2px solid #123}", "border-t-[#a5b6c7]", "\"border-["),
        (".p{border-top:1px solid #456;border-left:2px solid #123}", "border-t-[#456]", " border-["),
    ] {
        let code = of(rules);
        assert!(code.contains(expected) && !code.contains(missing), "{rules}: {code}");
    }
    let code =
        classes("<h1>Ship it</h1><hr>", "hr{border-width:1px 0;border-style:dashed;border-color:#c5c5c5 red #fedcba}");
    assert!(code.contains("border-t-[#c5c5c5]") && code.contains("border-b-[#fedcba]"), "{code}");
}

#[test]
fn keywords_relative_to_the_parent_are_computed() {
    let body = "<h1>Ship it</h1><p class=p>Words <b class=l>thin</b></p>";
    let code = classes(
        body,
        ".p{font-weight:bolder;text-align:inherit;text-align:-webkit-match-parent} .l{font-weight:lighter}",
    );
    assert!(code.contains("font-bold") && code.contains("font-normal"), "{code}");
    assert!(!code.contains("match-parent") && !code.contains("bolder") && !code.contains("lighter"), "{code}");
}

#[test]
fn outlines_for_forced_colours_become_outline_hidden() {
    let body = "<h1>Ship it</h1><a class=p href=/>Link</a>";
    let hidden = "outline:2px solid transparent;outline-offset:2px";
    let code = classes(body, &format!(".p:focus{{{hidden}}}"));
    assert!(code.contains("focus:outline-hidden") && !code.contains("outline-2"), "{code}");
    let code = classes(body, &format!(".p{{{hidden}}} .p:focus{{outline:2px solid red}}"));
    assert!(code.contains("outline-2 outline-offset-2 outline-transparent focus:outline-[#f00]"), "{code}");
}

#[test]
fn transition_property_all_is_written_with_other_easings() {
    let body = "<h1>Ship it</h1><a class=p href=/>Link</a>";
    let rule = |transition: &str| format!(".p{{transition:{transition}}} .p:hover{{color:red}}");
    assert!(classes(body, &rule("all .3s linear")).contains("transition-all duration-300 ease-linear"));
    // The default easing of the utility differs.
    let code = classes(body, &rule("all .3s"));
    assert!(code.contains("duration-300") && !code.contains("transition-all"), "{code}");
}

#[test]
fn scrollbar_pseudo_elements_keep_their_declarations() {
    let body = "<h1>Ship it</h1><div class=p><p>Words</p></div>";
    let bar = ".p{overflow:auto;height:50px} .p::-webkit-scrollbar{width:8px} .p::-webkit-scrollbar-track{background:0 0}\
               .p::-webkit-scrollbar-thumb{background:#456;border-radius:4px}";
    let code = classes(body, bar);
    assert!(
        code.contains("[&::-webkit-scrollbar]:w-2") && code.contains("[&::-webkit-scrollbar-thumb]:bg-[#456]"),
        "{code}"
    );
    assert!(!code.contains("scrollbar-track") && !code.contains("bg-none") && !code.contains("bg-scroll"), "{code}");
}

#[test]
fn redundant_declarations_are_omitted() {
    let body = "<h1>Ship it</h1><div class=p><p class=c>Words</p><img class=c src=/a.png alt=A></div>";
    let own = css(body, ".p{display:flex;align-items:stretch} .c{width:50%;max-width:100%;flex:none}");
    assert!(!own.contains("align-items") && own.matches("max-width").count() == 1, "images may be wider: {own}");
    let wide = "@media (min-width:800px){.p{align-items:center} .c{max-width:300px}}";
    let own =
        css(body, &format!(".p{{display:flex;align-items:stretch}} .c{{width:50%;max-width:100%;flex:none}} {wide}"));
    assert!(own.contains("align-items: center;") && own.contains("max-width: 300px;"), "{own}");
    let own = css(body, ".p{display:grid;align-items:stretch} .c{width:120%;max-width:100%}");
    assert!(own.contains("align-items: stretch;") && own.contains("max-width: 100%;"), "{own}");
}

#[test]
fn line_heights_become_steps_where_not_inherited_by_other_sizes() {
    let rules = ".p{font-size:36px;line-height:1.16667}";
    for body in ["<p class=p>Words</p>", "<p class=p>Words <b>and</b><br>more</p>", "<p class=p><em>Words</em></p>"] {
        let code = classes(&format!("<h1>Ship it</h1>{body}"), rules);
        assert!(code.contains("text-4xl/10.5"), "36 times 1.16667 is 42: {code}");
    }
    for (body, more) in [
        ("<p class=p>Words <small>and</small></p>", ""),
        ("<p class=p>Words <i><b class=s>and</b></i></p>", ".s{font-size:30px}"),
        ("<p class=p>Words</p>", ".p::before{content:'!';font-size:30px}"),
        ("<p class=p>Words <b class=s>and</b></p>", "@media (min-width:900px){.s{font-size:30px}}"),
    ] {
        let code = classes(&format!("<h1>Ship it</h1>{body}"), &format!("{rules} {more}"));
        assert!(code.contains("/[1.16667]"), "larger text in it has a higher line: {code}");
    }
    for ratio in ["1.47", "1.47368"] {
        let code =
            classes("<h1>Ship it</h1><p class=p>Words</p>", &format!(".p{{font-size:19px;line-height:{ratio}}}"));
        assert!(code.contains(&format!("/[{ratio}]")), "27.99992 px is a 64th of a pixel less than 28: {code}");
    }
}

#[test]
fn hidden_inputs_have_no_declarations() {
    let body = "<h1>Ship it</h1><form><input type=hidden name=a value=b><input name=c></form>";
    let rules = "input{border:3px solid #999;font-size:smaller;padding:2px 4px} input:focus{color:red}";
    for framework in [Framework::Html, Framework::Tailwind] {
        let answer = component_for(body, rules, framework);
        let code = answer["code"].as_str().unwrap();
        assert_eq!(count(code, "input[type=hidden][name=a][value=b]:not([class])"), 1, "{code}");
        assert_eq!(answer["summary"]["styledCoverage"], 100.0, "{code}");
    }
}

#[test]
fn tab_size_is_declared_where_tabs_are_preserved() {
    for (body, says) in
        [("<pre>a\tb</pre>", true), ("\t<p>a\tb</p>", false), ("<p style='white-space:pre-wrap'>a\tb</p>", true)]
    {
        let code = classes(&format!("<h1>Ship it</h1>{body}"), "");
        assert_eq!(code.contains("tab-8"), says, "{code}");
    }
}

#[test]
fn button_borders_keep_currentcolor() {
    let body =
        "<h1>Ship it</h1><button class=b>Go</button><a class=b href=/>Go</a><input class=b type=submit value=Go>";
    for rules in [".b{border:2px solid currentColor;color:#0a58ca}", ".b{border:2px solid;color:#0a58ca}"] {
        let own = css(body, rules);
        let buttons = own.split("\n\n").find(|rule| rule.contains("border")).unwrap();
        assert!(own.to_lowercase().contains("currentcolor"), "the browser's own border is black: {buttons}");
    }
    let own = css("<h1>Ship it</h1><a class=b href=/>Go</a>", ".b{border:2px solid;color:#0a58ca}");
    assert!(!own.to_lowercase().contains("currentcolor"), "{own}");
}

#[test]
fn border_styles_are_merged_only_if_equal() {
    let body = "<h1>Ship it</h1><p class=p>Words</p>";
    for (rules, whole, part) in [
        (".p{border:1px solid #ccc;border-bottom:2px dashed red}", " border-dashed", "[border-bottom-style:dashed]"),
        (
            ".p{border-left:3px solid red;border-bottom:2px dotted blue}",
            " border-dotted",
            "[border-bottom-style:dotted]",
        ),
    ] {
        let code = classes(body, rules);
        assert!(code.contains(part) && !code.contains(whole), "the other sides are solid: {code}");
    }
    for rules in [".p{border-bottom:2px dashed red}", ".p{border-bottom:2px dashed red;border-top:2px dashed red}"] {
        let code = classes(body, rules);
        assert!(code.contains(" border-dashed") && !code.contains("[border"), "{code}");
    }
}

#[test]
fn control_and_listing_sections_keep_their_size() {
    let page = page_of(
        "<!doctype html><body><div><pre id=p>code</pre><button id=b>Go</button><input type=file id=f></div>",
        "body{font:16px/24px Arial} input{font:inherit}",
    );
    for (selector, expected) in
        [("#p", "text-[16px]"), ("#b", "text-[13.3333px]/[normal]"), ("#f", "file:leading-[normal]")]
    {
        let answer = ask_for(&page, Some(selector), Theme::Light, Framework::Tailwind).unwrap();
        let code = answer["code"].as_str().unwrap();
        assert!(code.contains(expected) || code.contains(&expected.replace("[16px]", "base")), "{expected} in {code}");
    }
}

#[test]
fn generated_text_has_the_line_height_of_its_element() {
    for (rules, expected) in [
        (".p{line-height:2}.p::after{content:'x';font-size:14px}", "after:text-sm/loose"),
        (".p{line-height:32px}.p::after{content:'x';font-size:14px}", "after:text-sm/8"),
        ("body{line-height:2}.p::after{content:'x';font-size:14px}", "after:text-sm/loose"),
    ] {
        let code = classes("<h1>Ship it</h1><p class=p>Words</p>", rules);
        assert!(code.contains(expected), "{rules}: {code}");
    }
}

#[test]
fn pseudo_elements_generated_by_a_state_keep_their_styles() {
    let body = "<h1>Ship it</h1><a class=t data-tip=Tip href=/>Words</a>";
    let rules = ".t::after{position:absolute;top:100%;background:#222;color:#fff;padding:4px 8px} .t:hover::after{content:attr(data-tip)}";
    let own = css(body, rules);
    assert!(own.contains(".hero-link::after {\n  position: absolute;") && own.contains("content: \"Tip\""), "{own}");
    let code = classes(body, rules);
    for part in ["after:absolute", "after:bg-[#222]", "hover:after:content-['Tip']", "after:content-none"] {
        assert!(code.contains(part), "{part} in {code}");
    }
}

#[test]
fn families_with_escapes_are_quoted_and_inherited_lines_stay_so() {
    let code = classes("<p>Words</p>", "p{font-family:Georgia,\\.SFNSText-Regular,serif}");
    assert!(code.contains("font-[Georgia,'.SFNSText-Regular',serif]"), "{code}");
    // `text-sm` would take the line height from an unset variable.
    let rules = "section{line-height:1.75} select{font:inherit;appearance:none} \
                 @media (min-width:50rem){select{font-size:.875rem}}";
    let code = classes("<div><label>Pick <select><option>Auto</select></label></div>", rules);
    assert!(code.contains("text-[0.875rem]") && !code.contains("text-sm"), "{code}");
}

#[test]
fn mixed_colours_have_their_names_and_rounded_lengths_are_inherited() {
    let code = classes("<p>Words</p>", "p{color:color-mix(in srgb,#000 87%,transparent)}");
    assert!(code.contains("text-black/87"), "{code}");
    let rules = "div{font-size:14px;letter-spacing:.0178571429em}";
    let code = classes("<div><p>Words</p><ul><li>One</li></ul></div>", rules);
    assert_eq!(code.matches("tracking-").count(), 1, "{code}");
}
