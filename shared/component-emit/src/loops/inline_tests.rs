//! Lists in a line of text, whose items have spaces between them.

use super::tests::{DIALECT, fields, line, link, root, tag, text};
use super::{Cell, LoopSyntax, Node, OutputElement, Value, collapse};

#[test]
fn inline_items_become_a_list_with_spaces() {
    for (between, expected) in [
        (&[" ", " ", " "][..], Some((1, true))),
        (&[], Some((1, false))),
        // The list ends where the spaces end.
        (&[" ", " "], Some((2, true))),
        (&[", ", ", ", " and "], None),
        (&[" ", "\u{a0}", " "], None),
    ] {
        let links = (1..=4).map(|at| link(at, "text-sm underline")).collect();
        let mut tree = line(links, between);
        collapse(&mut tree, DIALECT, &[]);
        let each = tree.children[0].tag().and_then(|tag| tag.repeat.as_ref());
        assert_eq!(each.map(|each| (tree.children.len(), each.is_space_separated)), expected, "{between:?}");
    }
    let lists = |links: Vec<Node>, preserves_whitespace: bool| {
        let mut tree = OutputElement { preserves_whitespace, ..line(links, &[" ", " ", " "]) };
        collapse(&mut tree, DIALECT, &[]).lists.len()
    };
    let parts = ["text-sky-600 select-none font-mono", "text-red-600 font-mono", "text-amber-600 font-bold font-mono"];
    assert_eq!(lists((1..=3).map(|at| link(at, parts[at - 1])).collect(), false), 0, "parts of a text");
    assert_eq!(lists((1..=3).map(|at| link(at, "underline")).collect(), true), 0, "a listing");
    let word = |word: &str| tag("em", &[], vec![text(word)]);
    assert_eq!(lists(["one", "two", "three"].map(word).into(), false), 0, "words of a text");
}

#[test]
fn few_items_with_spaces_are_no_data_of_scripts() {
    let lists = |count: usize, for_scripts: bool| {
        let links = (1..=count).map(|at| link(at, "text-sm underline")).collect();
        let mut tree = line(links, &[" "; 8][..count - 1]);
        collapse(&mut tree, LoopSyntax { for_scripts, ..DIALECT }, &[]).lists.len()
    };
    assert_eq!([lists(4, false), lists(4, true), lists(5, true)], [1, 0, 1]);
}

#[test]
fn lists_in_a_line_nest() {
    let group = |from: usize, count: usize| {
        let links = (from..from + count).map(|at| link(at, "text-sm underline")).collect();
        Node::Tag(OutputElement { name: "p".to_owned(), ..line(links, &[" "; 8][..count - 1]) })
    };
    let mut tree = root(vec![group(1, 3), group(4, 2), group(6, 4)]);
    let lists = collapse(&mut tree, DIALECT, &[]).lists;
    assert_eq!((lists.len(), tree.children.len()), (1, 1));
    let inner = tree.children[0].tag().unwrap();
    let each = inner.children[0].tag().unwrap().repeat.as_ref().unwrap();
    assert!(each.is_space_separated && inner.children.len() == 1, "{inner:?}");
}

#[test]
fn optional_spaces_depend_on_the_adjacent_element() {
    let item = |at: usize, is_new: bool| {
        let Node::Tag(mut link) = link(at, "text-sm underline") else { unreachable!("a tag") };
        link.whitespace_insignificant = false;
        if is_new {
            link.children.extend([text(" "), tag("b", &[("class", "badge")], vec![text("New")])]);
        }
        Node::Tag(link)
    };
    let mut tree = root(vec![item(1, true), item(2, false), item(3, true)]);
    let lists = collapse(&mut tree, DIALECT, &[]).lists;
    let expected = [("href", &Cell::Text("/2".into())), ("label", &Cell::Text("Link 2".into()))];
    assert_eq!(fields(&lists[0], 1), expected);
    let space = &tree.children[0].tag().unwrap().children[1];
    assert!(matches!(space, Node::Text(Value::Field(field)) if field.ends_with(" && ' '")), "{space:?}");
}

#[test]
fn unattached_spaces_become_texts() {
    let item = |at: usize| {
        let Node::Tag(mut item) = tag("li", &[("class", "item")], vec![link(at, "underline")]) else {
            unreachable!("a tag")
        };
        item.whitespace_insignificant = false;
        item.children.extend(at.is_multiple_of(2).then(|| text(" ")));
        item.children.push(tag("b", &[], vec![text(&format!("New {at}"))]));
        Node::Tag(item)
    };
    let mut tree = root((1..=4).map(item).collect());
    let lists = collapse(&mut tree, DIALECT, &[]).lists;
    assert_eq!((lists.len(), tree.children.len()), (1, 1));
    assert!(fields(&lists[0], 1).iter().any(|(_, cell)| **cell == Cell::Text(" ".into())), "{lists:?}");
}
