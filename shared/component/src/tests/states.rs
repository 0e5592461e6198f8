//! Tests interaction states, and the omission of page-specific noise.

use super::{attributes, component, component_for, count, select};
use limner_types::Framework;

pub(super) fn css(body: &str, css: &str) -> String {
    component(body, css)["css"].as_str().unwrap().to_owned()
}

pub(super) fn classes(body: &str, css: &str) -> String {
    component_for(body, css, Framework::Tailwind)["code"].as_str().unwrap().to_owned()
}

/// Returns the block of a rule.
#[track_caller]
fn block<'c>(css: &'c str, selector: &str) -> &'c str {
    let start = css.find(&format!("{selector} {{")).unwrap_or_else(|| panic!("no {selector} in {css}"));
    css[start..].split_once('}').unwrap().0
}

#[test]
fn declared_colours_are_kept_while_an_ancestor_changes() {
    let page = "<a class=l href=/a><b class=own>Own</b><i>Inherited</i></a>";
    let rules = "a{color:#06c} .own{color:#06c} a:hover{color:#c00} .own::after{content:'x';color:#06c}";
    let own = css(page, rules);
    assert!(block(&own, ".hero-own").contains("color: #06c"), "{own}");
    assert!(!block(&own, ".hero-own::after").contains("color"), "inherited from the element: {own}");
    let inherited = css("<a href=/a><b>Bold</b></a>", "a{color:#06c} a:hover{color:#c00}");
    assert_eq!(inherited.matches("color:").count(), 2, "{inherited}");
}

#[test]
fn borders_equal_to_the_text_colour_are_kept_while_the_text_changes() {
    let page = "<p>Text</p><div class=a>Own</div><div class=b>Text's</div><div class=c>None</div>";
    let rules = "section{color:#234567} div{border:1px solid #234567} .b{border-color:currentcolor} .c{border:0 solid #234567} \
                 div:hover{color:#fff}";
    let own = css(page, rules);
    assert_eq!(own.matches("border: 1px solid #234567").count(), 1, "{own}");
    assert_eq!(own.matches("#234567").count(), 2, "of the section and of the border: {own}");
    let code = classes(page, rules);
    assert_eq!(code.matches("border-[#234567]").count(), 1, "{code}");
    // An ancestor may change the text colour, too.
    let around = rules.replace("div:hover", "section:hover");
    assert_eq!(classes(page, &around).matches("border-[#234567]").count(), 1);
    let never = rules.replace("div:hover{color:#fff}", "div:hover{background:#fff}");
    assert_eq!(classes(page, &never).matches("border-[#234567]").count(), 0);
}

#[test]
fn removed_focus_rings_are_those_of_the_browser_unless_another_style_shows_the_focus() {
    for rules in ["a{outline:none}", "*{outline:0}", "a:focus{outline:none}", "a:focus-visible{outline:0}"] {
        let own = css("<a href=/a>Link</a>", rules);
        assert!(!own.contains("outline"), "{rules}: {own}");
        assert_eq!(count(&classes("<a href=/a>Link</a>", rules), "a[class*=outline]"), 0, "{rules}");
        let shadow = format!("{rules} a:focus{{box-shadow:0 0 0 2px red}}");
        let own = css("<a href=/a>Link</a>", &shadow);
        assert!(own.contains("outline: none") || own.contains("outline-style: none"), "{shadow}: {own}");
        assert_eq!(count(&classes("<a href=/a>Link</a>", &shadow), "a[class*=outline-none]"), 1, "{shadow}");
    }
    let own = css("<p>Text</p><a href=/a>Link</a>", "*{outline:0} a:hover{outline:none;color:red} a:focus{color:red}");
    assert_eq!(own.matches("outline").count(), 1, "once, for focusable elements: {own}");
    let own = css("<a href=/a>Link</a>", "a{color:red}");
    assert!(!own.contains("outline"), "{own}");
}

#[test]
fn focus_visible_rings_are_kept() {
    let hidden = "button:focus:not(:focus-visible){outline:0}";
    let own = css("<button>Go</button>", hidden);
    assert!(!own.contains("outline"), "browsers draw no ring there: {own}");
    assert_eq!(count(&classes("<button>Go</button>", hidden), "button:not([class*=outline])"), 1);
    let own = css("<button>Go</button>", &format!("{hidden} button:focus{{outline:0;color:red}}"));
    assert_eq!(own.matches("outline: none").count(), 1, "{own}");
    let own = css("<button>Go</button>", &format!("{hidden} button:focus{{outline:2px solid red}}"));
    assert!(own.contains("outline: 2px solid red") && own.contains("outline: none"), "{own}");
}

#[test]
fn default_focus_rings_keep_offset_and_colour() {
    let rules = "a{outline-offset:4px;outline-color:#0af} p{outline-offset:4px}";
    let own = css("<p>Text</p><a href=/a>Link</a>", rules);
    assert_eq!(own.matches("outline").count(), 2, "{own}");
    assert!(own.contains("outline-offset: 4px;") && own.contains("outline-color: #0af;"), "{own}");
    let code = classes("<p>Text</p><a href=/a>Link</a>", rules);
    assert!(code.contains("outline-offset-4") && code.contains("outline-[#0af]"), "{code}");
    // A removed outline has no shape.
    let own = css("<p>Text</p><a href=/a>Link</a>", "a{outline:0;outline-offset:4px}");
    assert!(!own.contains("outline-offset"), "{own}");
}

#[test]
fn outlines_restored_by_a_state_are_declared() {
    let rules = "button{outline:none} button:focus-visible{outline:2px solid red}";
    let code = classes("<button>Go</button>", rules);
    for class in ["outline-none", "focus-visible:outline-2", "focus-visible:outline-solid"] {
        assert!(code.contains(class), "{class} in {code}");
    }
    let code = classes("<button>Go</button>", "button:hover{outline:none;color:red}");
    assert!(!code.contains("outline"), "the outline is never visible: {code}");
}

#[test]
fn custom_focus_rings_are_declared_completely() {
    for (rules, ring) in [
        ("a:focus{outline:medium solid red}", "outline: medium solid red;"),
        ("a:focus-visible{outline:3px solid red}", "outline: 3px solid red;"),
    ] {
        let own = css("<a href=/a>Link</a>", rules);
        assert!(own.contains(ring), "the browser's ring is 1px wide: {own}");
        let code = classes("<a href=/a>Link</a>", rules);
        assert!(code.contains(":outline-3"), "{code}");
    }
}

#[test]
fn siblings_of_the_hovered_item_are_dimmed() {
    let page = "<ul class=list><li><a href=/a>A</a></li><li><a href=/b>B</a></li></ul>";
    let own = css(page, ".list:hover li:not(:hover) a{opacity:.5}");
    let places = |text: &str| own.match_indices(text).map(|(at, _)| at).collect::<Vec<_>>();
    let (back, again) = (places("opacity: 0.5"), places("opacity: 1;"));
    assert!(back.len() == 1 && again.len() == 1, "both links share their rules: {own}");
    assert!(back[0] < again[0] && own[back[0]..again[0]].contains("item"), "the item's rule comes last: {own}");
}

#[test]
fn checked_open_and_disabled_states_are_captured() {
    let page = "<label><input type=checkbox><b>Box</b></label><label><input type=checkbox checked><i>On</i></label>\
                <details><summary>More</summary><p>Text</p></details><button>Go</button>";
    let rules = "input:checked+b,input:checked+i{color:red} details[open] p{color:red} button:disabled{opacity:.5}";
    let own = css(page, rules);
    for selector in [":checked + .hero-i", "[open] .hero-text", ".hero-button:disabled"] {
        assert!(own.contains(&format!("{selector} {{")), "{selector} in {own}");
    }
    assert!(own.contains(":checked + .hero-b,"), "{own}");
    let code = classes(page, rules);
    for class in ["peer-checked", "group-open", "disabled:opacity-50"] {
        assert!(code.contains(class), "{class} in {code}");
    }
    let plain = css(page, "input{color:red} p{color:red} button{opacity:.5}");
    assert!(![":checked", "[open]", ":disabled"].iter().any(|state| plain.contains(state)), "{plain}");
}

#[test]
fn inner_states_restore_values_changed_by_ancestor_states() {
    let own = css(
        "<div class=card><a href=/a>A</a></div>",
        "a{color:#06c} .card:hover a{color:#c00} .card a:hover{color:#06c}",
    );
    let (around, itself) = (own.find(":where(.hero-card):hover .hero-link {"), own.find(".hero-link:hover {"));
    assert!(around.is_some() && around < itself, "{own}");
}

#[test]
fn colours_following_the_text_are_omitted() {
    let own = css("<a href=/a>Link</a>", "a{color:#06c;border-bottom:1px solid} a:hover{color:#c00}");
    assert_eq!(own.matches("#c00").count(), 1, "{own}");
}

#[test]
fn box_sizing_is_declared_where_it_has_an_effect() {
    let reset = "*{box-sizing:border-box} .pad{padding:8px;width:50%} p{margin:0}";
    let own = css("<p>Text</p><div class=pad>Box</div><div>Plain</div>", reset);
    assert_eq!(own.matches("box-sizing").count(), 2, "the root, and elements with size and padding: {own}");
    let code = classes("<p>Text <b>bold</b></p><div class=pad>Box</div>", ".pad{padding:8px;width:50%}");
    assert_eq!(code.matches("box-content").count(), 1, "the root has no size: {code}");
}

#[test]
fn inherited_box_sizing_is_declared_as_computed() {
    let reset = "html{box-sizing:border-box} *{box-sizing:inherit} .pad{padding:8px;width:50%}";
    let own = css("<div><div class=pad>Box</div></div>", reset);
    assert!(block(&own, ".hero-pad").contains("box-sizing: border-box;"), "its parent needs none: {own}");
    assert!(!own.contains("inherit"), "{own}");
}

#[test]
fn font_size_multiples_are_inherited_as_multiples() {
    let rules = "body{line-height:1.6} h1{font-size:48px} p{font-size:20px;line-height:1.2} b{font-size:24px}";
    let own = css("<h1>Big</h1><p>Words <b>bold</b></p>", rules);
    assert_eq!(own.matches("line-height").count(), 2, "{own}");
    let code = classes("<h1>Big</h1>", "body{line-height:1.5} h1{font-size:48px}");
    assert!(code.contains("text-5xl/normal") && !code.contains("leading-"), "preflight says the same: {code}");
}

#[test]
fn fragments_are_resolved_against_the_base_url() {
    let mut page = super::page();
    page.html =
        "<!doctype html><head><base href='https://cdn.test/x/'></head><body><main><section id=top><h2 id=in>Title</h2>\
                 <a href=#out>Out</a><a href=#in>In</a></section></main>"
            .into();
    let code = super::ask_of(&page, Some("#top"), limner_types::Theme::Light).unwrap();
    let code = code["code"].as_str().unwrap();
    assert_eq!(super::texts(code, "a[href='https://cdn.test/x/#out']"), ["Out"], "{code}");
    assert_eq!(super::texts(code, "a[href='#in']"), ["In"], "{code}");
}

#[test]
fn fluid_root_font_sizes_scale_the_component() {
    for (root, title, padding) in [
        ("1.25vw", "3.75vw", "2.5vw"),
        ("clamp(14px, 1.2vw, 20px)", "calc(3 * clamp(14px, 1.2vw, 20px))", "calc(2 * clamp(14px, 1.2vw, 20px))"),
        ("calc(62.5% + 0.4vw)", "calc(30px + 1.2vw)", "calc(20px + 0.8vw)"),
    ] {
        let own = css(
            "<h1>Big</h1><p>Words</p>",
            &format!("html{{font-size:{root}}} #top{{padding:2rem}} h1{{font-size:3rem}}"),
        );
        assert!(own.contains(&format!("font-size: {title};")), "{root}: {own}");
        assert!(own.contains(&format!("padding: {padding};")), "{root}: {own}");
        assert!(!own.contains("margin"), "default margins need no declaration: {own}");
    }
    let fixed = css("<h1>Big</h1>", "html{font-size:62.5%} h1{font-size:3rem}");
    assert!(fixed.contains("font-size: 30px"), "{fixed}");
    let code = classes("<h1>Big</h1><p>Words</p>", "html{font-size:1.25vw} h1{font-size:3rem} p{font-size:1rem}");
    assert!(code.contains("text-[3.75vw]") && code.contains("my-[1em]"), "{code}");
}

#[test]
fn stepped_root_font_sizes_are_declared_only_on_the_root() {
    let rules = "@media (min-width:600px){html{font-size:112.5%}} @media (min-width:1200px){html{font-size:20px}}\
                 #top{padding:2rem} h1{font-size:3rem;margin:0 0 1rem} a{border-radius:.25rem;padding:4px}\
                 a:focus{box-shadow:0 0 0 .125rem red}";
    let body = "<h1>Big</h1><p>Words</p><a href=/>Link</a>";
    let own = css(body, rules);
    for expected in [
        "padding: 2em;",
        "font-size: 3em;",
        "margin: 0 0 0.333334em;",
        "border-radius: 0.25em;",
        "padding: 4px;",
        "box-shadow: 0 0 0 0.125em red;",
        "font-size: 16px;",
        "font-size: 18px;",
        "font-size: 20px;",
    ] {
        assert!(own.contains(expected), "{expected} in {own}");
    }
    assert_eq!(own.matches("@media").count(), 2, "{own}");
    assert_eq!(own.matches("font-size").count(), 4, "{own}");
    let code = classes(body, rules);
    assert!(code.contains("p-[2em]") && code.contains("rounded-[0.25em]"), "{code}");
}

#[test]
fn changing_font_sizes_are_no_base_for_ems() {
    const STEPS: &str =
        "@media (min-width:700px){html{font-size:18px}} @media (min-width:1100px){html{font-size:20px}}";
    for (rules, expected, wrong) in [
        ("a{padding:1rem} a:hover{font-size:2rem}", "padding: 20px;", "padding: 1em;"),
        (".l:hover{font-size:2rem} .l a{font-size:1rem}", "font-size: 20px;", "font-size: 1em;"),
        (".l:hover{font-size:2rem} .l:hover a{font-size:1.5rem}", "font-size: 30px;", "font-size: 1.5em;"),
        ("h1{font-size:clamp(2rem,4vw,3.5rem);margin-bottom:1rem}", "margin-bottom: 20px;", "margin-bottom: 0."),
        (".l{animation:x 1s} @keyframes x{to{font-size:9px}} .l a{padding:1rem}", "padding: 20px;", "padding: 1em;"),
    ] {
        let own = css("<h1>Title</h1><div class=l><a href=/>Link</a></div>", &format!("{STEPS}{rules}"));
        assert!(own.contains(expected) && !own.contains(wrong), "{rules}: {own}");
    }
}

#[test]
fn file_selector_button_is_kept_only_on_file_inputs() {
    let own = css(
        "<input><input type=File>",
        "::file-selector-button{color:red} input:hover::file-selector-button{color:blue}",
    );
    assert_eq!(own.matches("::file-selector-button").count(), 2, "{own}");
}

#[test]
fn selected_options_become_default_values() {
    let body = "<select multiple><option value=a selected>A<option>B<option selected>C</select><select><option>1<option selected>2</select>";
    let code = component_for(body, "", Framework::Jsx);
    let code = code["code"].as_str().unwrap();
    assert!(code.contains("defaultValue={['a', 'C']}") && code.contains("defaultValue=\"2\""), "{code}");
}

#[test]
fn icon_from_a_sprite_has_no_boxes_inside() {
    let body = "<svg width=24 height=24><use href='#i'/></svg><svg hidden><symbol id=i viewBox='0 0 24 24'><path d='M0 0h9'/></symbol></svg>";
    let code = classes(body, "");
    assert_eq!(attributes(&code, "svg[viewBox='0 0 24 24'] > path", "d"), ["M0 0h9"], "{code}");
}

#[test]
fn ancestor_variables_of_sprite_icons_are_resolved() {
    let symbol = "<svg hidden><symbol id=i viewBox='0 0 24 24'><path fill='var(--ink, red)' stroke='blue' d='M0 0h9'/></symbol></svg>";
    let body = format!("<p class=a><svg><use href='#i'/></svg></p><p class=b><svg><use href='#i'/></svg></p>{symbol}");
    for framework in [Framework::Html, Framework::Tailwind] {
        let result = component_for(&body, ".a{--ink:#123456} .b{--ink:#654321}", framework);
        let written = format!("{}{}", result["code"], result["css"]);
        let drawings = select(result["code"].as_str().unwrap(), "path", |path| path.html());
        assert_eq!(drawings.len(), 2, "{written}");
        assert!(drawings.iter().all(|own| !own.contains("var(")), "{written}");
        assert!(written.contains("#123456") && written.contains("#654321"), "{written}");
        assert!(drawings[0].contains("blue"), "values without references stay: {written}");
    }
}

#[test]
fn each_tab_shows_its_own_panel() {
    let tab = |n: u8, more: &str| format!("<input type=radio name=t id=t{n} {more}><label for=t{n}>{n}</label>");
    let page = format!("{}{}{}<div class=row><p>Panels</p></div>", tab(1, "checked"), tab(2, ""), tab(3, ""));
    let rules = "input{position:absolute;opacity:0} .row{margin-left:-200%} #t1:checked~.row{margin-left:0}\
                 #t2:checked~.row{margin-left:-100%} input:checked+label{color:red}";
    let own = css(&page, rules);
    let shows = |input: &str, margin: &str| {
        let selector = format!(".hero-{input}:checked ~ .hero-");
        let at = own.find(&selector).unwrap_or_else(|| panic!("no {selector} in {own}"));
        assert!(own[at..].split_once('}').unwrap().0.contains(margin), "{own}");
    };
    shows("input-2", "margin-left: -100%");
    assert!(!own.contains(".hero-input:checked ~ .hero-row"), "it is checked at first: {own}");
    assert!(own.contains(".hero-input:not(:checked) ~ .hero-row {"), "{own}");
    let code = classes(&page, rules);
    assert!(code.contains("peer-checked/input-2:"), "{code}");
}

#[test]
fn adjacent_siblings_share_a_class() {
    let item = "<input type=checkbox><label>Question</label><p>Answer</p>";
    let rules = "input:checked+label{color:red} input:checked+label+p{display:block} p{display:none}";
    let own = css(&item.repeat(2), "input:checked+label{color:red}");
    assert!(own.contains(".hero-input:checked + .hero-label {"), "{own}");
    assert!(!own.contains("hero-label-2"), "{own}");
    let own = css(&item.repeat(2), rules);
    for (input, answer) in [("hero-input", "hero-text"), ("hero-input-2", "hero-text-2")] {
        assert!(own.contains(&format!(".{input}:checked ~ .{answer}")), "{own}");
    }
}

/// (markup, rules, selector in the stylesheet, class)
#[test]
fn filled_in_fields_are_styled() {
    const FLOAT: &str =
        "label{top:9px;position:absolute} input:focus~label,input:not(:placeholder-shown)~label{top:0;font-size:10px}";
    for (body, rules, selector, class) in [
        (
            "<input placeholder=x><label>Name</label>",
            FLOAT,
            ":not(:placeholder-shown) + .hero-label",
            "peer-not-placeholder-shown:top-0",
        ),
        ("<input placeholder=x><label>Name</label>", FLOAT, ":focus + .hero-label", "peer-focus:top-0"),
        (
            "<input placeholder=x value=y><label>Name</label>",
            FLOAT,
            ":placeholder-shown + .hero-label",
            "peer-placeholder-shown:top-2.25",
        ),
        (
            "<textarea placeholder=x></textarea>",
            "textarea:placeholder-shown{color:red}",
            "textarea:not(:placeholder-shown) {",
            "not-placeholder-shown:text-",
        ),
        (
            "<input required><label>Name</label>",
            "input:valid~label{top:0;position:absolute}",
            ":valid + .hero-label",
            "peer-valid:top-0",
        ),
        (
            "<input type=email><label>Name</label>",
            "input:invalid+label{opacity:0}",
            ":invalid + .hero-label",
            "peer-invalid:opacity-0",
        ),
        (
            "<input type=email placeholder=x><b>No</b>",
            "input:not(:placeholder-shown):invalid~b{opacity:0}",
            ":invalid + .hero-b",
            "peer-invalid:opacity-0",
        ),
    ] {
        let own = css(body, rules);
        assert!(own.contains(selector), "{selector} in {own}");
        let code = classes(body, rules);
        assert!(code.contains(class), "{class} in {code}");
    }
    for body in ["<input><label>Name</label>", "<input type=checkbox placeholder=x><label>Name</label>"] {
        let own = css(body, FLOAT);
        assert!(!own.contains("placeholder-shown"), "it has no placeholder: {own}");
    }
}

#[test]
fn elements_inside_a_later_sibling_depend_on_the_state() {
    let menu = "<input type=checkbox id=mt><div class=wrap><ul class=nav><li>Link</li></ul></div>";
    let rules = "#mt:checked~.wrap .nav{display:block} .nav{display:none}";
    let code = classes(menu, rules);
    assert!(code.contains(" [:where(.peer):checked~*_&]:block"), "{code}");
    let two = "<input type=checkbox id=a><input type=checkbox id=b><div><p class=a>A</p><p class=b>B</p></div>";
    let code = classes(two, "#a:checked~div .a,#b:checked~div .b{opacity:.5}");
    for class in [
        "peer/input ",
        "peer/input-2 ",
        r"[:where(.peer\/input):checked~*_&]:opacity-50",
        r"[:where(.peer\/input-2):checked~*_&]:opacity-50",
    ] {
        assert!(code.contains(class), "{class} in {code}");
    }
    let nested = "<input type=checkbox id=a><div class=w><input type=checkbox id=b><div><p>Text</p></div></div>";
    let code = classes(nested, "#a:checked~.w{opacity:.5} #b:checked~div p{opacity:.5}");
    assert!(code.contains("peer/input-2 "), "the outer one is not taken for the inner one: {code}");
}

/// (markup, rules, selector in the stylesheet, class)
#[test]
fn states_of_several_siblings_become_one_rule() {
    for (body, rules, selector, class) in [
        (
            "<input type=radio><input type=radio><input type=radio><label>Gold</label>",
            "input:checked~label{opacity:.5}",
            ".hero-input:checked ~ .hero-label",
            "peer-checked:opacity-50",
        ),
        (
            "<ul><li>1<li>2<li>3</ul>",
            "li:hover~li{opacity:.5}",
            ":where(.hero-item, .hero-item-2):hover ~ .hero-item-2",
            "peer-hover:opacity-50",
        ),
        (
            "<ul><li>1<li>2<li>3</ul>",
            "li:hover+li{opacity:.5}",
            ":where(.hero-item, .hero-item-2):hover + .hero-item-2",
            "[:where(.peer):hover+&]:opacity-50",
        ),
        (
            "<input type=radio><input type=radio><div><p>Text</p></div>",
            "input:checked~div p{opacity:.5}",
            ".hero-input:checked ~ * .hero-text",
            "[:where(.peer):checked~*_&]:opacity-50",
        ),
    ] {
        let own = css(body, rules);
        assert_eq!(own.matches("opacity: 0.5").count(), 1, "{rules}: {own}");
        assert!(own.contains(&format!("{selector} {{")), "{selector} in {own}");
        let code = classes(body, rules);
        assert!(code.contains(class) && !code.contains("peer/"), "{class} in {code}");
    }
}

#[test]
fn sibling_states_are_captured_for_any_number_of_siblings() {
    let many = format!("{}<label>Last</label>", "<input type=radio>".repeat(60));
    let own = css(&many, "input:checked~label{opacity:.5}");
    assert!(own.contains(".hero-input:checked ~ .hero-label {"), "{own}");
    assert_eq!(own.matches(":checked").count(), 1, "{own}");
    let list = format!("<ul>{}</ul>", "<li>Item</li>".repeat(100));
    let own = css(&list, "li:hover~li{opacity:.5} li:hover+li{color:red}");
    assert_eq!(own.matches(":hover").count(), 3, "the second item has but one before it: {own}");
    // Elements with different styles have different classes; an additional class is common to all.
    let colors: String = (0..50).map(|n| format!("<li style='margin-left:{n}px'>Item</li>")).collect();
    let result = component(&format!("<ul>{colors}</ul>"), "li:hover~li{opacity:.5}");
    let own = result["css"].as_str().unwrap();
    assert!(own.contains(".hero-any-item:hover ~ .hero-item-49"), "{own}");
    let code = result["code"].as_str().unwrap();
    assert_eq!(code.matches(" hero-any-item\"").count(), 50, "{code}");
    let code = classes(&list, "li:hover~li{opacity:.5}");
    assert_eq!(code.matches("\"peer").count(), 100, "{code}");
}

#[test]
fn state_resets_the_effect_of_another() {
    let field = "<input required placeholder=x><b>No</b>";
    let own = css(field, "b{opacity:0} input:not(:placeholder-shown):invalid~b{opacity:1}");
    let (wrong, right) = (own.find(":not(:placeholder-shown) + .hero-b {"), own.find(":valid + .hero-b {"));
    assert!(wrong.is_some() && wrong < right, "{own}");
    let own = css("<a href=/>Link</a>", "a:hover:not(:active){opacity:.5}");
    assert!(block(&own, ".hero-link:active").contains("opacity: 1;"), "{own}");
}

#[test]
fn details_open_as_they_do_on_the_page() {
    let one = |name: &str| format!("<details name=faq><summary>{name}</summary><p>Answer to {name}</p></details>");
    let page = format!("{}{}", one("One"), one("Two"));
    let rules = ":root{interpolate-size:allow-keywords} details::details-content{block-size:0;opacity:0;overflow:clip;\
                 transition:block-size .3s,content-visibility .3s allow-discrete}\
                 details[open]::details-content{block-size:auto;opacity:1} p::details-content{color:red}";
    let result = component(&page, rules);
    let (code, own) = (result["code"].as_str().unwrap(), result["css"].as_str().unwrap());
    assert_eq!(code.matches("name=\"faq\"").count(), 2, "{code}");
    let closed = block(own, ".hero-details::details-content");
    for declaration in ["height: 0;", "opacity: 0;", "overflow: clip;", "allow-discrete"] {
        assert!(closed.contains(declaration), "{declaration} in {own}");
    }
    let open = block(own, ".hero-details[open]::details-content");
    assert!(open.contains("height: auto;") && open.contains("opacity: 1;"), "{own}");
    assert!(own.contains("interpolate-size: allow-keywords;") && !own.contains("red"), "{own}");
    let code = classes(&page, rules);
    for class in ["details-content:h-0", "open:details-content:h-auto", "open:details-content:opacity-100"] {
        assert!(code.contains(class), "{class} in {code}");
    }
}

#[test]
fn changing_custom_properties_affect_descendants() {
    let page = "<a class=t href=/1><b>One <i class=i>icon</i></b> <svg viewBox='0 0 9 9'><path d='M0 0h9'/></svg></a>\
                <p class=o>Other <i class=i>icon</i></p>";
    let rules = ".t{--fg:#112;--x:0px;color:var(--fg);background:#eef} .t::after{content:'>';color:var(--fg)} \
                 .i{translate:var(--x);color:color-mix(in srgb,var(--fg,red),transparent 40%)} svg{fill:var(--fg)} \
                 .t:hover{--fg:#ffe;--x:8px} .t:hover b{letter-spacing:1px}";
    let own = css(page, rules);
    assert!(block(&own, ".hero-link:hover").contains("color: #ffe"), "{own}");
    assert!(block(&own, ".hero-link:hover::after").contains("color: #ffe"), "{own}");
    assert!(block(&own, ".hero-link:hover .hero-i").contains("translate: 8px"), "{own}");
    assert!(block(&own, ".hero-link:hover .hero-i").contains("#ffe"), "{own}");
    assert!(own.contains("fill: #ffe"), "{own}");
    let bold = own.lines().filter(|line| line.contains("letter-spacing: 1px")).count();
    assert_eq!(
        (bold, own.matches("  color: #ffe").count()),
        (1, 2),
        "elements that inherit the colour do not declare it: {own}"
    );
    let tailwind = classes(page, rules);
    assert!(tailwind.contains("group-hover:translate-") && tailwind.contains("group-hover:fill-"), "{tailwind}");
}

#[test]
fn states_affecting_thousands_of_descendants_take_bounded_time() {
    let rows: String = (0..6_000).map(|n| format!("<li class=r><b>{n}</b></li>")).collect();
    let rules = "ul{--c:#111} ul:hover{--c:#eee} .r{color:var(--c)} .r:hover{--c:red} b{background:var(--c)}";
    let started = std::time::Instant::now();
    let own = css(&format!("<ul>{rows}</ul>"), rules);
    assert!(own.contains("#eee"), "{own}");
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
}

#[test]
fn box_sizing_is_kept_for_sizes_set_by_a_state() {
    const CONTENT_BOX: &str = "h1 ~ [class*=box-content], h1 ~ * [class*=box-content]";
    let body = "<h1>Ship it</h1><div class=w><a class=a href=/>Go</a></div><p class=b>Words</p><input class=c>";
    for rules in [
        ".a{display:block;padding:10px}.a:hover{width:200px}",
        ".a{display:block;border:2px solid}.w:hover .a{height:200px}",
        ".a::before{content:'';display:block;padding:5px}.a:hover::before{width:40px}",
        ".c{padding:8px}.c:focus{width:300px}",
        ".a{display:block;width:300px}.a:hover{border:5px solid red}",
        ".a{display:block}.a:hover{padding:20px;width:200px}",
    ] {
        let code = classes(body, rules);
        assert_ne!(count(&code, CONTENT_BOX), 0, "{rules}: {code}");
        let border_box = format!("*,*::before{{box-sizing:border-box}} {rules}");
        assert!(!classes(body, &border_box).contains("box-"), "{rules}: {code}");
    }
    assert_eq!(count(&classes(body, ".b:hover{padding:2px}"), CONTENT_BOX), 0);
    let code = classes(body, ".b:hover{width:200px}");
    assert_eq!(count(&code, CONTENT_BOX), 0, "no size to measure otherwise: {code}");
}

#[test]
fn user_valid_and_popover_open_states_are_captured() {
    let body = "<h1>Ship it</h1><input class=i type=email required><button popovertarget=p>Open</button><div popover id=p class=p>In</div>";
    let rules = ".i{border:1px solid #999} .i:user-invalid{border-color:#c00} .i:user-valid{border-color:#0c0} .p{opacity:0} \
                 .p:popover-open{opacity:1} .p::backdrop{background:#0008} p:popover-open{color:red}";
    let own = component(body, rules)["css"].as_str().unwrap().to_owned();
    for (selector, expected) in [
        (".hero-input:user-invalid", "#c00"),
        (".hero-input:user-valid", "#0c0"),
        (".hero-box:popover-open", "opacity: 1"),
        (".hero-box::backdrop", "#0008"),
    ] {
        assert!(block(&own, selector).contains(expected), "{own}");
    }
    assert!(!own.contains("display"), "browsers show an open popover: {own}");
    let code = classes(body, rules);
    for part in ["user-invalid:border-[#c00]", "user-valid:border-[#0c0]", "open:opacity-100", "backdrop:bg-[#0008]"] {
        assert!(code.contains(part), "{part} in {code}");
    }
}

#[test]
fn enabled_styles_exclude_browser_defaults_for_disabled_controls() {
    let rules = "input{padding:8px;border:1px solid #ccc} input:disabled{background:#eee;opacity:.6}";
    let own = css("<input value=a disabled>", rules);
    let enabled = block(&own, ".hero-input:enabled");
    assert!(enabled.contains("background-color: #fff;") && enabled.contains("opacity: 1;"), "{enabled}");
    let own = css("<input value=a>", rules);
    let disabled = block(&own, ".hero-input:disabled");
    assert!(disabled.contains("background-color: #eee;") && disabled.contains("opacity: 0.6;"), "{disabled}");
    assert_eq!(disabled.matches(';').count(), 2, "the browser declares the rest: {disabled}");
    // General rules of the page apply to disabled controls as well.
    let own = css("<select><option>A</select>", "select{color:red} select:disabled{opacity:1;color:blue}");
    assert!(block(&own, ".hero-select:disabled").contains("opacity: 1;"), "{own}");
}

#[test]
fn pseudo_elements_that_nothing_generates_have_no_rules() {
    let rules = "a:hover{--c:red} a::before,a::after{text-decoration-color:var(--c,blue)}";
    for more in ["", "a:hover::before{content:none}"] {
        let code = classes("<a href=/a>Link</a>", &format!("{rules} a{{--c:tan}} {more}"));
        assert!(!code.contains("before:") && !code.contains("after:"), "{code}");
    }
    let code = classes("<a href=/a>Link</a>", &format!("{rules} a:hover::before{{content:'x'}}"));
    assert!(code.contains("hover:before:content-['x']") && !code.contains("after:"), "{code}");
}
