//! Tests `:has()` with anchors in and outside of the section.

use super::component;
use super::states::classes;

fn css(body: &str, css: &str) -> String {
    component(body, css)["css"].as_str().unwrap().to_owned()
}

/// (markup, rules, selector in the stylesheet, classes)
#[test]
fn has_arguments_match_elements_of_the_component() {
    for (body, rules, selector, expected) in [
        (
            "<form class=form><p class=panel>Text</p><p><input type=checkbox class=toggle></p></form>",
            ".form:has(.toggle:checked) .panel{opacity:.5}",
            ":where(.hero-form):has(:where(.hero-toggle):checked) .hero-panel",
            &["group-has-[.peer:checked]:opacity-50", "\"group\"", "\"peer "][..],
        ),
        (
            "<p><label>Name</label><input></p><p><label>Mail</label><input></p>",
            "label:has(+ input:focus){opacity:.5}",
            ".hero-label:has(+ :where(.hero-input):focus)",
            &["has-[+.peer:focus]:opacity-50"],
        ),
        (
            "<div><label>Name</label><input><label>Mail</label><input></div>",
            "label:has(+ input:focus){opacity:.5}",
            ".hero-label:has(+ :where(.hero-input):focus)",
            &["has-[+.peer:focus]:opacity-50"],
        ),
        (
            "<ul><li class=card>1<li class=card>2<li class=card>3<li class=card>4</ul>",
            ".card:has(~ .card:hover){opacity:.5}",
            ".hero-card:has(~ :where(.hero-card, .hero-card-2):hover)",
            &["has-[~.peer:hover]:opacity-50"],
        ),
        (
            "<ul><li class=star><i>1</i><li class=star><i>2</i><li class=star><i>3</i></ul>",
            ".star:has(~ .star:hover) i{opacity:.5}",
            ":where(.hero-star):has(~ :where(.hero-star):hover) .hero-i",
            &["group-has-[~.peer:hover]:opacity-50"],
        ),
        (
            "<nav><p><a href=/a>A</a></p></nav><div><input type=checkbox></div>",
            "section:has(input:checked) nav a{opacity:.5}",
            ":where(.hero):has(:where(.hero-input):checked) .hero-link",
            &["group-has-[.peer:checked]:opacity-50"],
        ),
        (
            "<div class=field><a href=/a>A</a><a href=/b>B</a></div>",
            ".field:has(a:hover){opacity:.5}",
            ".hero-field:has(:where(.hero-link):hover)",
            &["has-[a:hover]:opacity-50"],
        ),
        (
            "<div class=field><a class=x href=/a>A</a><a href=/b>B</a></div>",
            ".field:has(.x:hover){opacity:.5}",
            ".hero-field:has(:where(.hero-link):hover)",
            &["has-[.peer:hover]:opacity-50"],
        ),
        (
            "<details><summary>S</summary></details><p><b>Text</b></p>",
            "section:has(details[open]) p b{opacity:.5}",
            ".hero-details[open] + * .hero-b",
            &["[:where(.peer)[open]~*_&]:opacity-50"],
        ),
        (
            "<p class=a>A</p><p><input type=checkbox></p>",
            ".a{opacity:.5} section:not(:has(:checked)) .a{opacity:0}",
            ":where(.hero):has(:where(.hero-input):checked) .hero-text",
            &["group-has-[.peer:checked]:opacity-50"],
        ),
    ] {
        let own = css(body, rules);
        assert!(own.contains(&format!("{selector} {{")), "{selector} in {own}");
        let code = classes(body, rules);
        for class in expected {
            assert!(code.contains(class), "{class} in {code}");
        }
    }
}

#[test]
fn tabs_of_cousins_show_their_own_panel() {
    let page = "<div class=tabs><p><input type=radio name=t id=t1 checked><input type=radio name=t id=t2></p>\
                <div><p class=p1>One</p><p class=p2>Two</p></div></div>";
    let rules = ".p1,.p2{display:none} .tabs:has(#t1:checked) .p1,.tabs:has(#t2:checked) .p2{display:block}";
    let own = css(page, rules);
    for selector in [
        ":where(.hero-tabs):has(:where(.hero-input):not(:checked)) .hero-text",
        ":where(.hero-tabs):has(:where(.hero-input-2):checked) .hero-text-2",
    ] {
        assert!(own.contains(&format!("{selector} {{")), "{selector} in {own}");
    }
    let code = classes(page, rules);
    for class in ["group-has-[.peer\\/input:not(:checked)]:hidden", "group-has-[.peer\\/input-2:checked]:block"] {
        assert!(code.contains(class), "{class} in {code}");
    }
}

#[test]
fn cards_that_look_the_same_share_their_rules() {
    let card = "<li class=card><p class=text>Text</p><p><input type=checkbox></p></li>";
    let own = css(&card.repeat(3), ".card:has(:checked) .text{opacity:.5} .card:has(:focus){color:red}");
    assert_eq!(own.matches(":has(").count(), 2, "{own}");
    assert!(!own.contains("-2"), "{own}");
    let nested = "<div class=w><p class=t>A</p><p><input type=checkbox></p>\
                  <div class=w><p class=t>B</p><p><input type=checkbox></p></div></div>";
    let code = classes(nested, ".w:has(> p > :checked) > .t{opacity:.5}");
    assert_eq!(code.matches("group-has-[.peer\\/input").count(), 2, "each card has its own: {code}");
}

#[test]
fn forms_of_any_length_are_searched() {
    let row = "<p class=row><label>Name</label><input></p>";
    let page = format!("<form class=f>{}<p class=hint>Hint</p></form>", row.repeat(200));
    let own = css(&page, ".f:has(input:focus) .hint{opacity:.5} .row:has(:focus) label{color:red}");
    assert_eq!(own.matches(":has(").count(), 2, "{own}");
    assert!(own.contains(":where(.hero-form):has(:where(.hero-input):focus) .hero-hint {"), "{own}");
}

#[test]
fn long_sections_take_time_in_proportion() {
    let rules = ".f:has(input:checked) .row{opacity:.5} .row:has(~ .row:hover){color:red} .row:hover~.row{margin:1px}\
                 .row:hover+.row b{color:blue} .f:has(.x1:hover, .y2:hover) b{opacity:.4} b:has(~ *:hover){top:1px}";
    let page = |count: usize| {
        let row = |n| format!("<p class='row x{} y{}'><b>Name</b><i>x</i><input type=checkbox></p>", n % 3, n % 7);
        format!("<div class=f>{}</div>", (0..count).map(row).collect::<String>())
    };
    let length = |count: usize| [css(&page(count), rules).len(), classes(&page(count), rules).len()];
    for (few, many) in length(200).into_iter().zip(length(800)) {
        assert!(many < few * 5, "{many} bytes after {few}");
    }
    let started = std::time::Instant::now();
    let own = css(&page(4_000), rules);
    assert!(started.elapsed() < std::time::Duration::from_secs(60), "{:?}", started.elapsed());
    assert!(own.contains(":where(.hero-box):has("), "{own}");
}

/// Checking a radio button unchecks the one that is checked in the markup, so that its rules end.
#[test]
fn radio_button_unchecks_the_others_of_its_group() {
    let body = "<form class=w><input type=radio name=g id=a><input type=radio name=g id=b checked><p class=box>Text</p></form>";
    for rules in [
        ".w:has(#a:checked) .box{color:#123456} .w:has(#b:checked) .box{color:red;padding:9px}",
        "#a:checked ~ .box{color:#123456} #b:checked ~ .box{color:red;padding:9px}",
    ] {
        let written = css(body, rules);
        let rule_with = |declaration: &str| {
            let rules: Vec<&str> = written.split('}').filter(|rule| rule.contains(declaration)).collect();
            assert_eq!(rules.len(), 1, "{declaration} for {rules:?}: {written}");
            rules[0].split_once('{').unwrap()
        };
        let (when_chosen, chosen) = rule_with("#123456");
        assert!(when_chosen.contains(":checked") && !chosen.contains("9px"), "{rules}: {written}");
        let (at_rest, _) = rule_with("padding: 9px");
        assert!(at_rest.contains(":checked") || chosen.contains("padding: 0"), "{rules}: {written}");
    }
}
