//! Tests selectors by tag, and classes of elements whose state others depend on.

use super::states::css;

#[test]
fn elements_of_one_style_need_no_class_where_their_tag_tells_them() {
    let list = "<ul class=list><li><a href=/a>A</a></li><li><a href=/b>B</a></li><li><a href=/c>C</a></li></ul>";
    let rules = "li{margin:4px} a{color:#06c} a:hover{color:#c00} .list{padding:9px}";
    let own = css(list, rules);
    for part in [".hero-list li {", ".hero-list a {", ".hero-list a:hover {"] {
        assert!(own.contains(part), "{part} in {own}");
    }
    let own = css(&format!("{list}<p><a class=more href=/d>More</a></p>"), &format!("{rules} .more{{color:#000}}"));
    assert!(own.contains(".hero-list a {") && own.contains(".hero-more {"), "the other link is elsewhere: {own}");
    let own = css(&list.replace("href=/b", "class=more href=/b"), &format!("{rules} .more{{color:#000}}"));
    assert!(own.contains(".hero-link {") && !own.contains("-list a"), "one of them is another: {own}");
    let two = list.replace("<li><a href=/c>C</a></li>", "");
    assert!(css(&two, rules).contains(".hero-link {"), "two are no list");
    let labels = "<div><span>A</span><span>B</span><span>C</span></div>";
    assert!(!css(labels, "span{color:#06c}").contains(".hero span"), "a tag that says nothing");
}

#[test]
fn classes_of_state_sources_count_where_the_order_stays() {
    let card = "<div class=card><a href=/a>A</a></div>";
    let own = css(card, "a{color:#06c} .card:hover a{color:#c00} a:focus{opacity:.5}");
    assert!(own.contains(".hero-card:hover .hero-link {"), "{own}");
    let own = css(card, "a{color:#06c} .card:hover a{color:#c00} a:focus{color:#060}");
    assert!(own.contains(":where(.hero-card):hover .hero-link {"), "its own state comes later: {own}");
}
