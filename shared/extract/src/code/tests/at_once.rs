//! States that an element is in at once.

use super::component;
use super::states::classes;

fn css(body: &str, css: &str) -> String {
    component(body, css)["css"].as_str().unwrap().to_owned()
}

/// The classes of the first element with a tag.
fn of(tag: &str, code: &str) -> String {
    let start = code.find(&format!("<{tag} class=\"")).unwrap_or_else(|| panic!("no {tag} in {code}"));
    code[start..].split('"').nth(1).unwrap().to_owned()
}

#[test]
fn a_rule_for_two_states_asks_for_both() {
    let rules = "input{appearance:none;border:1px solid #999} input:focus{border-color:#00f} input:checked{border-color:#0a0} \
                 input:checked:focus{border-color:#f00}";
    let own = of("input", &classes("<input type=checkbox>", rules));
    assert!(own.contains("checked:border-[#0a0]") && own.contains("focus:border-[#00f]"), "{own}");
    assert!(own.contains("focus:checked:border-[#f00]"), "{own}");
    let own = of("input", &classes("<input type=checkbox checked>", rules));
    assert!(own.contains("not-checked:border-[#999]") && own.contains(" focus:border-[#f00]"), "{own}");
    assert!(own.contains("focus:not-checked:border-[#00f]"), "{own}");
    let sheet = css("<input type=checkbox>", rules);
    assert!(sheet.contains(":where(:focus):checked {\n  border-color: #f00;"), "worth one class: {sheet}");
}

#[test]
fn a_field_is_valid_or_not_while_it_has_the_focus() {
    let rules =
        "input{border:1px solid #999} input:invalid:focus{border-color:#f00} input:valid:focus{border-color:#0a0}";
    let empty = of("input", &classes("<input required>", rules));
    assert!(empty.contains(" focus:border-[#f00]") && empty.contains("focus:valid:border-[#0a0]"), "{empty}");
    let filled = of("input", &classes("<input type=email value=a@b.example>", rules));
    assert!(filled.contains(" focus:border-[#0a0]") && filled.contains("focus:invalid:border-[#f00]"), "{filled}");
}

#[test]
fn what_one_state_ends_in_another_is_over() {
    let own = of("a", &classes("<a href=/a>Link</a>", "a{color:#06c} a:hover:not(:focus){color:#f00}"));
    assert!(own.contains("hover:text-[#f00]") && own.contains("hover:focus:text-[#06c]"), "{own}");
    let button = "button{background:#eee} button:hover{background:#ddd} button:disabled:hover{background:#eee}";
    let own = of("button", &classes("<button>Go</button>", button));
    assert!(own.contains("hover:bg-[#ddd]") && own.contains("hover:disabled:bg-[#eee]"), "{own}");
}

#[test]
fn of_two_states_the_one_wins_that_wins_on_the_page() {
    let last = |last: &str| format!("a{{color:#06c}} a:hover{{color:#f00}} a:focus{{color:#0a0}} {last}");
    let focus = of("a", &classes("<a href=/a>Link</a>", &last("")));
    assert!(!focus.contains("hover:focus"), "the later one wins here as well: {focus}");
    let hover = of("a", &classes("<a href=/a>Link</a>", &last("a:hover{color:#f00}")));
    assert!(hover.contains("hover:focus:text-[#f00]"), "{hover}");
    let same = of("a", &classes("<a href=/a>Link</a>", "a{color:#06c} a:focus,a:hover{color:#f00}"));
    assert!(!same.contains("hover:focus"), "{same}");
}
