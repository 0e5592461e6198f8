//! Tests elements that are in several states at once, and which of several state rules wins.

use super::states::classes;
use super::{attributes, component, component_for};
use limner_types::Framework;

fn css(body: &str, css: &str) -> String {
    component(body, css)["css"].as_str().unwrap().to_owned()
}

/// Returns the classes of the first element with a tag.
fn classes_of_tag(tag: &str, code: &str) -> String {
    attributes(code, tag, "class").into_iter().next().unwrap_or_else(|| panic!("no {tag} in {code}"))
}

#[test]
fn rules_for_two_states_require_both() {
    let rules = "input{appearance:none;border:1px solid #999} input:focus{border-color:#00f} input:checked{border-color:#0a0} \
                 input:checked:focus{border-color:#f00}";
    let own = classes_of_tag("input", &classes("<input type=checkbox>", rules));
    assert!(own.contains("checked:border-[#0a0]") && own.contains("focus:border-[#00f]"), "{own}");
    assert!(own.contains("focus:checked:border-[#f00]"), "{own}");
    let own = classes_of_tag("input", &classes("<input type=checkbox checked>", rules));
    assert!(own.contains(" border-[#999] ") && own.contains(" checked:border-[#0a0] focus:border-[#f00]"), "{own}");
    assert!(own.contains("focus:not-checked:border-[#00f]"), "{own}");
    let sheet = css("<input type=checkbox>", rules);
    assert!(sheet.contains(":where(:focus):checked {\n  border-color: #f00;"), "specificity of one class: {sheet}");
}

#[test]
fn field_is_valid_or_not_while_it_has_the_focus() {
    let rules =
        "input{border:1px solid #999} input:invalid:focus{border-color:#f00} input:valid:focus{border-color:#0a0}";
    let empty = classes_of_tag("input", &classes("<input required>", rules));
    assert!(empty.contains(" focus:border-[#f00]") && empty.contains("focus:valid:border-[#0a0]"), "{empty}");
    let filled = classes_of_tag("input", &classes("<input type=email value=a@b.example>", rules));
    assert!(filled.contains(" focus:border-[#0a0]") && filled.contains("focus:invalid:border-[#f00]"), "{filled}");
}

#[test]
fn rules_excluding_a_second_state_end_in_it() {
    let own = classes_of_tag("a", &classes("<a href=/a>Link</a>", "a{color:#06c} a:hover:not(:focus){color:#f00}"));
    assert!(own.contains("hover:text-[#f00]") && own.contains("hover:focus:text-[#06c]"), "{own}");
    let button = "button{background:#eee} button:hover{background:#ddd} button:disabled:hover{background:#eee}";
    let own = classes_of_tag("button", &classes("<button>Go</button>", button));
    assert!(own.contains("hover:bg-[#ddd]") && own.contains("hover:disabled:bg-[#eee]"), "{own}");
}

#[test]
fn conflicting_states_have_the_winner_of_the_page() {
    let last = |last: &str| format!("a{{color:#06c}} a:hover{{color:#f00}} a:focus{{color:#0a0}} {last}");
    let focus = classes_of_tag("a", &classes("<a href=/a>Link</a>", &last("")));
    assert!(!focus.contains("hover:focus"), "the later one wins here as well: {focus}");
    let hover = classes_of_tag("a", &classes("<a href=/a>Link</a>", &last("a:hover{color:#f00}")));
    assert!(hover.contains("hover:focus:text-[#f00]"), "{hover}");
    let same = classes_of_tag("a", &classes("<a href=/a>Link</a>", "a{color:#06c} a:focus,a:hover{color:#f00}"));
    assert!(!same.contains("hover:focus"), "{same}");
}

#[test]
fn hovered_items_are_restored_under_every_condition() {
    let list = "<ul class=l><li class=i>A</li><li class=i>B</li></ul>";
    let wide = css(list, "@media (min-width:768px){.l:hover .i:not(:hover){opacity:.5}}");
    let (_, inside) = wide.split_once("@media (min-width: 768px)").unwrap();
    let (dim, own) = (inside.find("opacity: 0.5").unwrap(), inside.find("opacity: 1").unwrap());
    assert!(dim < own, "the later one wins: {wide}");
    let dark = css(list, ":root{--m:#777}.dark{--m:#999}.l:hover .i:not(:hover){color:var(--m)}");
    let (dimmed, own) =
        (dark.find("color: var(--m)").unwrap(), dark.find(".hero-item:hover {\n  color: #000;").unwrap());
    assert!(dimmed < own && dark.contains(":where(.dark) .hero {\n  --m: #999;"), "the later one wins: {dark}");
}

#[test]
fn focus_rings_stay_in_themes_without_a_rule() {
    let link = "<a href=/a>Link</a>";
    for rules in [".dark a:focus{outline:3px solid #fc0}", ".dark a:focus-visible{outline:3px solid #fc0}"] {
        let own = css(link, rules);
        assert_eq!(own.matches("outline").count(), 1, "{own}");
        assert!(own.contains(":where(.dark) .hero-link:focus"), "{own}");
    }
    let own = css(link, "a{outline:3px solid transparent} a:focus{outline-color:#00f}");
    assert!(own.contains("outline: 3px solid transparent"), "as wide with the focus as without: {own}");
}

#[test]
fn controls_keep_browser_defaults_while_ancestors_change() {
    let code = classes("<div>T <button>Go</button></div>", "div:hover{color:#c00;font-weight:700}");
    let own = classes_of_tag("button", &code);
    assert!(own.contains("text-black") && own.contains("font-normal"), "preflight lets it inherit: {own}");
    let calm = classes_of_tag("button", &classes("<div>T <button>Go</button></div>", "div:hover{background:#c00}"));
    assert!(!calm.contains("text-black") && !calm.contains("font-normal"), "{calm}");
}

#[test]
fn interaction_states_combine_with_states_of_other_elements() {
    let tab = "<input type=checkbox class=t><label class=k>s</label>";
    let rules = ".k{background:#ccc} .t:checked+.k{background:#fc0} .k:hover{background:#555}";
    let own = classes_of_tag("label", &classes(tab, rules));
    assert!(own.contains("peer-checked:hover:bg-[#fc0]"), "`:checked` has the higher specificity: {own}");
    let sheet = css(tab, rules);
    assert!(sheet.contains(":checked + .hero-label:where(:hover) {\n  background-color: #fc0;"), "{sheet}");
    // For the initially open tab, `:hover` has an effect only once another tab is open.
    let open = classes_of_tag("label", &classes(&tab.replace("class=t", "class=t checked"), rules));
    assert!(open.contains("peer-not-checked:hover:bg-[#555]"), "{open}");
    for (body, rules, class) in [
        (tab, ".t:checked+.k:hover{color:#00f}", "peer-checked:hover:text-[#00f]"),
        (
            "<label class=o><input type=checkbox>a</label>",
            ".o:has(:checked):hover{color:#00f}",
            "has-[input:checked]:hover:text-[#00f]",
        ),
    ] {
        let own = classes_of_tag("label", &classes(body, rules));
        assert!(own.contains(class), "{own}");
    }
    let details = classes("<details><summary>S</summary>x</details>", "details[open]>summary:hover{color:#0f0}");
    assert!(classes_of_tag("summary", &details).contains("group-open:hover:text-[#0f0]"), "{details}");
    let calm = classes_of_tag("label", &classes(tab, ".t:checked+.k{background:#fc0} .k:hover{color:#555}"));
    assert!(!calm.contains("peer-checked:hover"), "the properties differ: {calm}");
}

#[test]
fn focus_rings_removed_in_the_dark_theme_are_absent_there() {
    let link = "<a href=/a>Link</a>";
    let dark = css(link, "@media (prefers-color-scheme:dark){a{outline:none}}");
    let (base, inside) = dark.split_once("@media (prefers-color-scheme: dark)").unwrap();
    assert!(inside.contains("outline: none") && !base.contains("outline"), "{dark}");
    let wide = css(link, "@media (min-width:768px){a{outline:none}}");
    assert!(wide.contains("@media (min-width: 768px)") && !wide.contains("revert"), "{wide}");
}

#[test]
fn ring_of_the_light_theme_is_the_browsers_in_the_dark() {
    let own = css("<a href=/a>Link</a>", "html:not(.dark) a:focus{outline:3px solid #fc0} .dark a{color:#fff}");
    let (_, dark) = own.split_once(":where(.dark) .hero-link:focus {").unwrap();
    assert!(dark.contains("outline-style: revert") && !dark.contains("outline: "), "{own}");
    let both = css("<input type=checkbox>", "input{appearance:none} input:checked:focus{outline:none}");
    assert!(both.contains(":where(:focus):checked {\n  outline: none;"), "the ring of two states: {both}");
}

#[test]
fn compound_states_are_emitted_under_each_media_condition() {
    let button = "<div class=x><button class=b>B</button></div>";
    for (rules, selector) in [
        (".b:focus{color:#222} @media(min-width:768px){.b:focus{color:#444}} .x .b:hover{color:#555}", ":focus"),
        (".b:hover{color:#222} @media(min-width:768px){.b:hover{color:#444}} .x .b:focus{color:#555}", ":hover"),
    ] {
        let sheet = css(button, rules);
        for condition in ["(max-width: 767px)", "(min-width: 768px)"] {
            let (_, inside) = sheet.split_once(condition).unwrap();
            let single = inside.find(&format!(".hero-button{selector} {{")).unwrap();
            let both = inside.find(".hero-button:where(:hover):focus {").unwrap();
            assert!(single < both, "{condition}: {sheet}");
        }
    }
}

#[test]
fn active_and_disabled_rules_come_last() {
    let rules = ".k{background:#ccc} .k:hover{background:#555} .t:checked+.k{background:#fc0} .w .k:active{background:#f00} \
                 .w .k:disabled{background:#eee}";
    let sheet = css("<div class=w><input type=checkbox class=t><button class=k>s</button></div>", rules);
    let at = |selector: &str| sheet.find(selector).unwrap_or_else(|| panic!("no {selector} in {sheet}"));
    assert!(at(".hero-button:where(:hover) {") < at(".hero-button:active {"), "{sheet}");
    assert!(at(".hero-button:where(:hover) {") < at(".hero-button:disabled {"), "{sheet}");
    let over = css("<a href=/a>L</a>", "a:hover:focus:not(:active){color:#00f}");
    assert!(over.contains(":where(:focus):active"), "`:active` ends the rule: {over}");
}

#[test]
fn two_states_must_hold_for_the_same_element() {
    let fields = "<form class=f><input required><input required></form>";
    let form = classes_of_tag("form", &classes(fields, ".f:has(input:focus:invalid){color:#f00}"));
    assert!(form.contains("has-[") && !form.contains(":has-["), "{form}");
    let boxes = "<input type=checkbox class=u><input type=checkbox class=u><p class=p>Text</p>";
    let text = classes_of_tag("p", &classes(boxes, ".u:focus:checked ~ .p{color:#f00}"));
    assert!(text.contains("[:where(.peer):focus:checked~&]"), "{text}");
}

#[test]
fn initially_open_or_checked_elements_share_the_rules_of_the_others() {
    let item =
        |attribute: &str, title: &str| format!("<details {attribute}><summary>{title}</summary><p>Words</p></details>");
    let body = format!("<h1>Questions</h1>{}{}{}", item("open", "What?"), item("", "How?"), item("", "Where?"));
    let rules = "summary::after{content:'+'} details[open] summary::after{content:'-'}";
    let code = component_for(&body, rules, Framework::Jsx)["code"].as_str().unwrap().to_owned();
    assert!(code.contains("after:content-['+'] group-open:after:content-['-']"), "{code}");
    assert!(code.contains("{ open: true, question: 'What?' }") && !code.contains("not-open"), "one list: {code}");
    let css = component_for(&body, rules, Framework::Html)["css"].as_str().unwrap().to_owned();
    assert_eq!(css.matches("content:").count(), 2, "one class: {css}");
    assert!(!css.contains("summary-2"), "{css}");

    let switch = |attribute: &str| format!("<label><input type=checkbox {attribute}><span>News</span></label>");
    let body = format!("<h1>Switches</h1><div>{}{}{}</div>", switch("checked"), switch(""), switch(""));
    // A rule for the dark theme keeps the initial state as it is.
    for (rules, is_turned) in [
        ("span{background:#999} :checked+span{background:#06c}", true),
        (":checked+span{background:#06c}", true),
        ("span{color:#999} :checked+span{color:#06c} @media(prefers-color-scheme:dark){span{color:#333}}", false),
    ] {
        let css = component_for(&body, rules, Framework::Html)["css"].as_str().unwrap().to_owned();
        assert_eq!(!css.contains(":not(:checked)"), is_turned, "{rules}: {css}");
        assert!(!is_turned || !css.contains("label-2"), "one class: {css}");
        assert!(!css.contains("transparent"), "transparent is the initial value: {css}");
    }
}
