//! What many elements of a kind have is said once, by what contains them.

use super::states::classes;

const RULES: &str = ".list a{color:#005eb8;text-decoration:underline;padding:4px 8px;font-weight:600}\
                     .list a:hover{color:#7c2855;background:#ffeb3b} .list li{margin-bottom:8px}";

fn list(more: &str) -> String {
    let item = |n: usize| format!("<li><a href=/{n}>Link {n}</a></li>");
    let items: String = (0..12).map(item).collect();
    format!("<h1>Links</h1><p><a href=/home>Home</a></p><ul class=list>{items}{more}</ul>")
}

#[test]
fn links_of_a_list_share_their_utilities() {
    let code = classes(&list(""), RULES);
    let around = code.split("<ul").nth(1).unwrap().split('>').next().unwrap();
    for class in ["[&_a]:text-[#005eb8]", "[&_a]:hover:text-[#7c2855]", "[&_a]:underline", "[&_a]:px-2"] {
        assert!(around.contains(class), "{class} in {code}");
    }
    assert!(code.contains("<li class=\"mb-2\"><a href=\"https://a.test/3\">Link 3</a></li>"), "{code}");
    assert_eq!(code.matches("hover:text-[#7c2855]").count(), 1, "{code}");
}

#[test]
fn one_that_looks_otherwise_keeps_all_apart() {
    let code = classes(&list("<li><a href=/x style=color:red>Other</a></li>"), RULES);
    assert!(!code.contains("[&_a]") && code.matches("hover:text-[#7c2855]").count() >= 12, "{code}");
}

#[test]
fn names_that_are_no_selectors_and_other_vocabularies_stay_apart() {
    let odd = |open: &str, close: &str| format!("<li>{open}Words{close}</li>").repeat(12);
    let rules = "li *{color:#005eb8;text-decoration:underline;padding:4px 8px;font-weight:600;letter-spacing:3px}";
    for items in [odd("<fb:like>", "</fb:like>"), odd("<my_item>", "</my_item>"), odd("<x.y>", "</x.y>")] {
        let code = classes(&format!("<h1>Links</h1><ul>{items}</ul>"), rules);
        assert!(!code.contains("[&_") && code.matches("text-[#005eb8]").count() == 12, "{code}");
    }
    let svg = "<li><svg viewBox='0 0 9 9'><a href=/s><path d='M0 0h9'/></a></svg></li>";
    let code = classes(&list(svg), RULES.split_once(".list a:hover").unwrap().0);
    assert!(!code.contains("[&_a]"), "{code}");
}

#[test]
fn few_speak_for_themselves() {
    let code =
        classes("<h1>Links</h1><ul class=list><li><a href=/1>One</a></li><li><a href=/2>Two</a></li></ul>", RULES);
    assert!(!code.contains("[&_") && code.matches("hover:text-[#7c2855]").count() == 2, "{code}");
}
