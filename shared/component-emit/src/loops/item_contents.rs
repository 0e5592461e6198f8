//! Names items by the words of their author, and by what is in them where neither tag nor class says what they are.

use super::elements;
use super::field_roles::{is_contact, is_number};
use super::fixed_text::fixed;
use super::similarity::{TITLES, has_any};
use super::usable_words::is_generic;
use limner_component_model::ir::{Node, OutputElement};

/// Last words of classes of titles.
const TITLE_WORDS: &[&str] = &["title", "heading", "headline"];

/// Returns what a semantic name of three and more words ends in: `about-single-title` → `title`, `footer-menu-item` →
/// `menu-item`. The words before say where it is.
pub(super) fn last_words(name: &str) -> &str {
    let mut ends = name.rmatch_indices('-').map(|(at, _)| &name[at + 1..]);
    match (ends.next(), ends.next()) {
        (Some(last), Some(two)) => {
            if is_generic(last) {
                two
            } else {
                last
            }
        }
        _ => name,
    }
}

/// Returns a name for an item by what is in it.
pub(super) fn name_for_contents(item: &OutputElement) -> &'static str {
    match () {
        () if elements(item) <= 2 && has_any(item, TITLES) => "title",
        () if has_any(item, TITLES) => "card",
        () if has_any(item, &["input", "textarea", "select"]) => "field",
        () if is_contact_detail(item) => "contactDetail",
        () if elements(item) <= 3 && has_any(item, &["img", "picture"]) && !has_text(item) => "image",
        () if elements(item) <= 3 && has_any(item, &["a"]) => "link",
        () if is_figure_with_label(item) => "stat",
        () if item.name != "li" && item.tags().any(has_title_class) => "card",
        () => "item",
    }
}

/// Returns true if an element or a descendant has the class of a title.
fn has_title_class(tag: &OutputElement) -> bool {
    let is_title = tag.semantic_name.rsplit('-').next().is_some_and(|last| TITLE_WORDS.contains(&last));
    is_title || tag.tags().any(has_title_class)
}

fn has_text(item: &OutputElement) -> bool {
    let mut all = Vec::new();
    push_texts(item, &mut all);
    !all.is_empty()
}

/// Returns true if an item says a number and what it counts, and leads nowhere.
fn is_figure_with_label(item: &OutputElement) -> bool {
    let mut all = Vec::new();
    push_texts(item, &mut all);
    matches!(all[..], [one, other] if is_number(one) != is_number(other)) && !has_any(item, &["a", "button"])
}

/// Returns true if an item says a telephone number or an e-mail address after what it is.
fn is_contact_detail(item: &OutputElement) -> bool {
    let mut all = Vec::new();
    push_texts(item, &mut all);
    matches!(all[..], [label, value, ..] if all.len() <= 3 && !is_contact(label) && is_contact(value))
}

fn push_texts<'a>(tag: &'a OutputElement, texts: &mut Vec<&'a str>) {
    for child in &tag.children {
        match child {
            Node::Tag(child) => push_texts(child, texts),
            Node::Text(text) => texts.extend(fixed(text).map(str::trim).filter(|text| !text.is_empty())),
            Node::Slot(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{last_words, name_for_contents};
    use crate::loops::tests::{tag, text};
    use limner_component_model::ir::Node;

    /// Returns the name for an element with these children.
    fn name(element: &'static str, children: Vec<Node>) -> &'static str {
        let Node::Tag(item) = tag(element, &[], children) else { unreachable!("a tag") };
        name_for_contents(&item)
    }

    fn part(element: &'static str, words: &str) -> Node {
        tag(element, &[], vec![text(words)])
    }

    fn titled(words: &str) -> Node {
        let Node::Tag(mut own) = part("div", words) else { unreachable!("a tag") };
        "card-heading".clone_into(&mut own.semantic_name);
        Node::Tag(own)
    }

    #[test]
    fn number_with_label_is_a_stat() {
        assert_eq!(name("div", vec![part("p", "Total clients"), part("p", "6389")]), "stat");
        assert_eq!(name("li", vec![part("b", "99.9 %"), part("span", "Uptime")]), "stat");
        assert_eq!(name("div", vec![part("p", "Total clients"), part("p", "All of them")]), "item");
        assert_eq!(name("div", vec![part("p", "Seats"), part("p", "3"), part("p", "Each")]), "item");
        assert_eq!(name("div", vec![part("p", "Cart"), part("p", "3"), part("button", "")]), "item");
    }

    #[test]
    fn picture_with_a_text_is_no_image() {
        assert_eq!(name("div", vec![tag("img", &[], Vec::new())]), "image");
        assert_eq!(name("div", vec![tag("img", &[], Vec::new()), part("p", "Ask for a date")]), "item");
    }

    #[test]
    fn class_of_a_title_makes_a_card() {
        let card = || vec![tag("div", &[], vec![titled("Threads")]), part("p", "Illustration")];
        assert_eq!(name("div", card()), "card");
        assert_eq!(name("li", card()), "item", "list items have titles in menus");
    }

    #[test]
    fn long_names_are_their_last_words() {
        for (name, expected) in [
            ("card", "card"),
            ("nav-link", "nav-link"),
            ("value-prop-card", "card"),
            ("footer-menu-wrapper-footer-link", "link"),
            ("footer-menu-item", "menu-item"),
        ] {
            assert_eq!(last_words(name), expected);
        }
    }
}
