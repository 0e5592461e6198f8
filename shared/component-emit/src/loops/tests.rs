//! Tests which structures are repetitions, and the items found.

use super::{Cell, LoopList, LoopSyntax, Row, collapse};
use limner_component_model::ir::{
    ConditionalClasses, ItemCondition, Loop, Node, OutputAttribute, OutputElement, Value,
};
use limner_component_model::model::Namespace;

pub(super) const DIALECT: LoopSyntax = LoopSyntax { class: "className", item_name: None, for_scripts: false };

pub(super) fn tag(name: &str, attributes: &[(&str, &str)], children: Vec<Node>) -> Node {
    Node::Tag(OutputElement {
        name: name.to_owned(),
        namespace: if matches!(name, "svg" | "path" | "circle") { Namespace::Svg } else { Namespace::Html },
        attributes: attributes
            .iter()
            .map(|(name, value)| OutputAttribute { name: (*name).to_owned(), value: Value::Fixed((*value).to_owned()) })
            .collect(),
        children,
        whitespace_insignificant: true,
        edge_whitespace_insignificant: true,
        is_block_level: name != "code",
        preserves_whitespace: false,
        semantic_name: name.to_owned(),
        modifiers: Vec::new(),
        repeat: None,
        condition: None,
    })
}

pub(super) fn text(text: &str) -> Node {
    Node::Text(Value::Fixed(text.to_owned()))
}

pub(super) fn root(children: Vec<Node>) -> OutputElement {
    match tag("section", &[], children) {
        Node::Tag(tag) => tag,
        _ => unreachable!("a tag"),
    }
}

fn card(title: &str, href: &str) -> Node {
    tag(
        "article",
        &[("class", "card wide")],
        vec![tag("h3", &[], vec![text(title)]), tag("a", &[("href", href)], vec![text("More")])],
    )
}

pub(super) fn fields(list: &LoopList, row: usize) -> Vec<(&str, &Cell)> {
    match &list.rows[row] {
        Row::Fields(fields) => fields.iter().map(|(name, cell)| (name.as_str(), cell)).collect(),
        Row::Number(_) | Row::Text(_) => Vec::new(),
    }
}

/// Returns elements in one line, separated by these texts.
pub(super) fn line(elements: Vec<Node>, between: &[&str]) -> OutputElement {
    let mut children = Vec::new();
    for (element, between) in elements.into_iter().zip(between.iter().chain(std::iter::repeat(&""))) {
        let Node::Tag(element) = element else { unreachable!("an element") };
        children.push(Node::Tag(OutputElement {
            is_block_level: false,
            whitespace_insignificant: false,
            edge_whitespace_insignificant: false,
            ..element
        }));
        children.extend((!between.is_empty()).then(|| text(between)));
    }
    OutputElement { whitespace_insignificant: false, ..root(children) }
}

pub(super) fn link(at: usize, class: &str) -> Node {
    tag("a", &[("href", &format!("/{at}")), ("class", class)], vec![text(&format!("Link {at}"))])
}

#[test]
fn siblings_of_one_shape_become_a_list() {
    let mut tree =
        root(vec![tag("h2", &[], vec![text("Plans")]), card("One", "/1"), card("Two", "/2"), card("Three", "/3")]);
    let lists = collapse(&mut tree, DIALECT, &[]).lists;
    assert_eq!(tree.children.len(), 2);
    let template = tree.children[1].tag().unwrap();
    let each = template.repeat.as_ref().unwrap();
    assert_eq!((each.list.as_str(), each.item.as_str(), each.key.as_str()), ("articles", "article", "article.title"));
    assert_eq!(template.attribute("class"), Some(&Value::Fixed("card wide".into())));
    assert_eq!(lists.len(), 1);
    assert_eq!(fields(&lists[0], 1), [("title", &Cell::Text("Two".into())), ("href", &Cell::Text("/2".into()))]);
}

#[test]
fn optional_elements_become_conditions() {
    let plan = |name: &str, badge: Option<&str>| {
        let mut children = vec![tag("h3", &[], vec![text(name)]), tag("p", &[], vec![text("For all of your team")])];
        children.extend(badge.map(|badge| tag("span", &[("class", "badge")], vec![text(badge)])));
        tag("div", &[("class", if badge.is_some() { "plan best" } else { "plan" })], children)
    };
    let mut tree = root(vec![plan("A", None), plan("B", Some("Popular")), plan("C", None)]);
    let lists = collapse(&mut tree, DIALECT, &[]).lists;
    let template = tree.children[0].tag().unwrap();
    let best = switch("plan", ItemCondition::Flag("card.text".into()), "best", "");
    assert_eq!(template.attribute("class"), Some(&best));
    let badge = template.children[2].tag().unwrap();
    assert_eq!(badge.condition.as_deref(), Some("card.text"));
    let expected = [("title", &Cell::Text("B".into())), ("text", &Cell::Text("Popular".into()))];
    assert_eq!(fields(&lists[0], 1), expected);
    assert_eq!(fields(&lists[0], 0).len(), 1, "no badge, no field");
}

fn switch(fixed: &str, test: ItemCondition, then: &str, otherwise: &str) -> Value {
    let [fixed, then, otherwise] = [fixed, then, otherwise].map(str::to_owned);
    Value::Conditional(Box::new(ConditionalClasses {
        fixed,
        condition: test,
        if_true: then,
        if_false: otherwise,
        index: Loop::INDEX.to_owned(),
    }))
}

const ITEM: &str = "flex rounded-lg border border-gray-200 p-4";

/// Returns the class, lists and loop of items with these classes and a text each.
fn classed(name: &str, classes: &[&str]) -> (Value, Vec<LoopList>, Loop) {
    let item = |(at, class): (usize, &&str)| {
        let class = format!("{ITEM} {class}");
        tag(name, &[("class", &class)], vec![text(&format!("Item {at}"))])
    };
    let mut tree = root(classes.iter().enumerate().map(item).collect());
    let lists = collapse(&mut tree, DIALECT, &[]).lists;
    let template = tree.children[0].tag().unwrap();
    (template.attribute("class").unwrap().clone(), lists, *template.repeat.clone().unwrap())
}

#[test]
fn classes_by_place_are_a_choice_in_the_template() {
    for (classes, test, then, otherwise) in [
        (&["", "mt", "mt"][..], ItemCondition::First, "", "mt"),
        (&["mb", "mb", "mb", ""], ItemCondition::Last("items".into()), "", "mb"),
        (&["a", "b", "a", "b"], ItemCondition::Odd, "a", "b"),
        (&["", "bg-sky-50", "", ""], ItemCondition::Flag("item.isFeatured".into()), "bg-sky-50", ""),
        (&["", "md:hidden", "", ""], ItemCondition::Flag("item.isHidden".into()), "md:hidden", ""),
        (&["", "mt-2", "", ""], ItemCondition::Flag("item.isSpecial".into()), "mt-2", ""),
        (&["a", "a", "", "a"], ItemCondition::Flag("item.isPlain".into()), "", "a"),
    ] {
        let (class, lists, each) = classed("div", classes);
        assert_eq!(each.uses_index, test.depends_on_position(), "{classes:?}");
        let has_flag = matches!(test, ItemCondition::Flag(_));
        assert_eq!(class, switch(ITEM, test, then, otherwise), "{classes:?}");
        let is_flagged =
            |row: &Row| matches!(row, Row::Fields(fields) if fields.iter().any(|(_, cell)| *cell == Cell::Flag));
        assert_eq!(lists[0].rows.iter().filter(|row| is_flagged(row)).count(), usize::from(has_flag), "{classes:?}");
    }
    // Neither of two is the exception, and three kinds have no condition.
    for classes in [&["a", "b", "a", "a", "b", "b"][..], &["a", "b", "c"], &["a['x']", "b", "b"]] {
        assert!(matches!(classed("div", classes).0, Value::FixedAndField(..)), "{classes:?}");
    }
    // Striped table rows.
    assert_eq!(classed("tr", &["", "odd", ""]).0, switch(ITEM, ItemCondition::Odd, "", "odd"));
}

#[test]
fn classes_of_optional_parts_are_kept() {
    let button = |at: usize, icon: Option<&str>| {
        let icon = icon.map(|class| tag("i", &[("class", class)], vec![]));
        let label = tag("b", &[], vec![text(&format!("Button {at}"))]);
        tag("div", &[("class", ITEM)], icon.into_iter().chain([label]).collect())
    };
    let of = |icons: [Option<&str>; 4]| {
        let mut tree = root(icons.into_iter().enumerate().map(|(at, icon)| button(at, icon)).collect());
        let lists = collapse(&mut tree, DIALECT, &[]).lists;
        (tree, lists)
    };
    let (tree, lists) = of([None, Some("size-4 text-sky-600"), Some("size-6 text-sky-600"), None]);
    let icon = tree.children[0].tag().unwrap().children[0].tag().unwrap();
    let condition = icon.condition.as_deref().and_then(|when| when.strip_prefix("item.")).unwrap();
    let has = |row: usize| fields(&lists[0], row).iter().any(|(name, _)| *name == condition);
    assert_eq!([0, 1, 2, 3].map(has), [false, true, true, false], "{lists:?}");
}

#[test]
fn parts_of_all_items_stay_in_the_template() {
    // The same links in every item.
    let links = || tag("ul", &[], (1..=4).map(|at| tag("li", &[], vec![link(at, "text-sm")])).collect());
    let card = |name: &str| tag("div", &[("class", "card")], vec![tag("h3", &[], vec![text(name)]), links()]);
    let mut tree = root(["A", "B", "C"].map(card).into());
    let lists = collapse(&mut tree, DIALECT, &[]).lists;
    assert_eq!(lists.len(), 2, "{lists:?}");
    assert!(lists.iter().all(|list| !list.rows.iter().any(|row| format!("{row:?}").contains("Rows"))), "{lists:?}");
    // The same space before every price.
    let price = |at: usize| tag("div", &[], vec![tag("b", &[], vec![text("x")]), text(&format!(" {at}"))]);
    let mut tree = line((1..=3).map(price).collect(), &[""; 3]);
    tree.tags_mut().for_each(|tag| tag.is_block_level = true);
    let lists = collapse(&mut tree, DIALECT, &[]).lists;
    assert_eq!(lists[0].rows, ["1", "2", "3"].map(|price| Row::Text(price.to_owned())));
    assert!(tree.children[0].tag().unwrap().children[1].is_space(), "{tree:?}");
}

#[test]
fn adjacent_children_become_a_nested_list() {
    let social = |name: &str, at: usize| {
        let label = format!("{name} on {at}");
        tag("a", &[("class", "btn btn-social"), ("href", "#"), ("aria-label", &label)], vec![tag("i", &[], vec![])])
    };
    let member = |name: &str| {
        let mut children = vec![tag("h4", &[], vec![text(name)]), tag("p", &[], vec![text(&format!("About {name}"))])];
        children.extend((1..=3).map(|at| social(name, at)));
        tag("div", &[("class", "member")], children)
    };
    let mut tree = root(["Ann", "Ben", "Cid"].map(member).into());
    let lists = collapse(&mut tree, DIALECT, &[]).lists;
    let template = tree.children[0].tag().unwrap();
    assert_eq!(template.children.len(), 3, "{template:?}");
    let each = template.children[2].tag().unwrap().repeat.as_ref().unwrap();
    assert!(each.list.starts_with("card."), "{each:?}");
    let fields = fields(&lists[0], 1);
    let Cell::Rows(rows) = fields[2].1 else { panic!("{fields:?}") };
    assert_eq!(rows, &[1, 2, 3].map(|at| Row::Text(format!("Ben on {at}"))));
    // A name and a role are different things.
    let person = |name: &str| {
        let line = |own: String| tag("p", &[("class", "text-sm")], vec![text(&own)]);
        let lines = ["Name", "Role", "Place"].map(|what| line(format!("{what} of {name}")));
        tag("div", &[], [vec![tag("h4", &[], vec![text(name)])], lines.into()].concat())
    };
    let mut tree = root(["Ann", "Ben", "Cid"].map(person).into());
    let template = collapse(&mut tree, DIALECT, &[]);
    assert_eq!(tree.children[0].tag().unwrap().children.len(), 4, "{:?}", template.lists);
}

#[test]
fn two_cards_in_each_column_are_a_list() {
    let card = |at: usize| {
        let number = tag("b", &[], vec![text(&format!("{at}"))]);
        let name = tag("span", &[], vec![text(&format!("Card {at}"))]);
        tag("div", &[("class", "card")], vec![tag("div", &[("class", "head")], vec![number]), name])
    };
    let column = |from: usize| tag("div", &[("class", "column")], vec![card(from), card(from + 1)]);
    let mut tree = root(vec![column(1), column(3)]);
    let lists = collapse(&mut tree, DIALECT, &[]).lists;
    assert_eq!(lists.len(), 1, "{lists:?}");
    let template = tree.children[0].tag().unwrap();
    assert!(template.children.len() == 1 && template.children[0].tag().unwrap().repeat.is_some(), "{template:?}");
}

#[test]
fn equal_lists_are_one() {
    let menu = || tag("ul", &[], (1..=4).map(|at| tag("li", &[], vec![link(at, "text-sm")])).collect());
    let mut tree = root(vec![tag("nav", &[], vec![menu()]), tag("footer", &[], vec![menu()])]);
    let lists = collapse(&mut tree, DIALECT, &[]).lists;
    assert_eq!(lists.len(), 1);
    for part in tree.tags() {
        let item = part.tags().next().and_then(|menu| menu.tags().next()).unwrap();
        assert_eq!(item.repeat.as_ref().unwrap().list, lists[0].name);
    }
}

#[test]
fn paragraphs_of_a_text_are_no_list() {
    let count = |words: usize| {
        let own = |at: usize| tag("p", &[("class", "mt-4")], vec![text(&format!("{at} {}", "word ".repeat(words)))]);
        collapse(&mut root((1..=4).map(own).collect()), DIALECT, &[]).lists.len()
    };
    assert_eq!((count(3), count(60)), (1, 0));
}

#[test]
fn nested_lists_become_nested_loops() {
    let plan = |name: &str, features: &[&str]| {
        let items = features.iter().map(|feature| tag("li", &[("class", "feature")], vec![text(feature)])).collect();
        tag("div", &[], vec![tag("h3", &[], vec![text(name)]), tag("ul", &[("class", "features")], items)])
    };
    let mut tree = root(vec![plan("A", &["x", "y"]), plan("B", &["x", "y", "z"])]);
    let lists = collapse(&mut tree, DIALECT, &[]).lists;
    assert_eq!(lists.len(), 1);
    let rows = Cell::Rows(vec![Row::Text("x".into()), Row::Text("y".into()), Row::Text("z".into())]);
    assert_eq!(fields(&lists[0], 1)[1].1, &rows);
    let list = tree.children[0].tag().unwrap().children[1].tag().unwrap();
    let item = list.children[0].tag().unwrap();
    let each = item.repeat.as_ref().unwrap();
    assert!(each.list.starts_with("card."), "{}", each.list);
    assert_eq!(item.children, [Node::Text(Value::Field(each.item.clone()))]);
}

#[test]
fn cells_of_different_kinds_are_fields_of_their_row() {
    let row = |name: &str, role: &str, price: &str| {
        let person = vec![
            tag("img", &[("alt", name)], vec![]),
            tag("div", &[], vec![tag("p", &[], vec![text(name)]), tag("p", &[], vec![text(role)])]),
        ];
        let cells = [vec![tag("div", &[("class", "flex")], person)], vec![text(price)], vec![text("open")]];
        tag("tr", &[], cells.map(|cell| tag("td", &[("class", "px-4 py-3")], cell)).into())
    };
    let mut tree = root(vec![row("Ann", "Lead", "$5"), row("Ben", "Dev", "$6"), row("Cid", "Ops", "$7")]);
    let lists = collapse(&mut tree, DIALECT, &[]).lists;
    let cells: Vec<&Cell> = fields(&lists[0], 1).into_iter().map(|(_, cell)| cell).collect();
    assert_eq!(cells, ["Ben", "Dev", "$6"].map(|own| Cell::Text(own.into())).iter().collect::<Vec<_>>());
    assert_eq!(tree.children[0].tag().unwrap().children.len(), 3);
}

#[test]
fn icons_without_a_common_shape_are_fields() {
    let feature = |name: &str, shapes: Vec<Node>| {
        tag("div", &[], vec![tag("svg", &[("viewBox", "0 0 24 24")], shapes), tag("h3", &[], vec![text(name)])])
    };
    let path = |d: &str| tag("path", &[("d", d)], vec![]);
    let circle = || tag("circle", &[("r", "4")], vec![]);
    let mut tree = root(vec![
        feature("A", vec![path("M0"), path("M1"), path("M2")]),
        feature("B", vec![circle(), circle(), circle(), circle(), circle()]),
        feature("C", vec![path("M3"), circle(), path("M4"), circle(), path("M5"), circle(), path("M5")]),
    ]);
    let lists = collapse(&mut tree, DIALECT, &[]).lists;
    assert!(matches!(fields(&lists[0], 0)[0], ("icon", Cell::Markup(_))), "{:?}", fields(&lists[0], 0));
}

#[test]
fn icons_with_shared_shapes_stay_whole() {
    let path = |d: &str| tag("path", &[("d", d)], vec![]);
    let rect = || tag("rect", &[("x", "3")], vec![]);
    let icon = |shapes: Vec<Node>, name: &str| {
        let svg = tag("svg", &[("class", "size-5 shrink-0"), ("viewBox", "0 0 24 24")], shapes);
        tag("a", &[("class", "flex gap-2")], vec![svg, text(name)])
    };
    let of = |icons: Vec<Vec<Node>>| {
        let mut tree =
            root(icons.into_iter().zip(["One", "Two", "Three"]).map(|(own, name)| icon(own, name)).collect());
        let mut lists = collapse(&mut tree, DIALECT, &[]).lists;
        lists.remove(0)
    };
    let list = of(vec![vec![path("M1")], vec![rect(), path("M2")], vec![path("M3")]]);
    assert!(matches!(fields(&list, 1)[..], [("icon", Cell::Markup(_)), ("label", _)]), "{list:?}");
    let list = of(vec![vec![path("M1")], vec![path("M2")], vec![path("M3")]]);
    assert_eq!(fields(&list, 1)[0], ("path", &Cell::Text("M2".into())));
}

#[test]
fn text_with_words_marked_up_in_a_few_items_is_one_field() {
    let code = |own: &str| tag("code", &[("class", "rounded bg-gray-100 px-1 text-xs")], vec![text(own)]);
    let of = |texts: Vec<Vec<Node>>| {
        let named = texts.into_iter().zip(["One", "Two", "Three", "Four"]);
        let items = named.map(|(own, name)| {
            let p = tag("p", &[("class", "mt-2 text-sm leading-6")], own);
            tag("div", &[], vec![tag("h3", &[], vec![text(name)]), p])
        });
        let mut tree = root(items.collect());
        (collapse(&mut tree, DIALECT, &[]).lists, tree)
    };
    let marked = || vec![text("Reads "), code("a"), text(" and "), code("b"), text(".")];
    let (lists, tree) = of(vec![vec![text("Plain")], marked(), vec![text("Words")], vec![text("Only")]]);
    let item = tree.children[0].tag().unwrap();
    assert_eq!(
        item.children[1].tag().unwrap().children,
        [Node::Slot(format!("{}.text", lists[0].name.trim_end_matches('s')))]
    );
    for (row, children) in [(0, 1), (1, 5)] {
        let ("text", Cell::Markup(own)) = fields(&lists[0], row)[1] else { panic!("{lists:?}") };
        assert_eq!(own.children.len(), children);
    }
    // Common parts are written once; missing parts are omitted.
    let (lists, _) =
        of(vec![vec![text("A "), code("a"), text(".")], vec![text("B "), code("b")], vec![code("c"), text(".")]]);
    assert!(matches!(fields(&lists[0], 0)[..], [_, (_, Cell::Text(_)), ..]), "{lists:?}");
    assert!(fields(&lists[0], 2).len() < fields(&lists[0], 0).len(), "{lists:?}");
    // Paragraphs are no items.
    let mut tree = root([vec![text("Plain")], marked(), vec![text("Words")]].map(|own| tag("p", &[], own)).into());
    collapse(&mut tree, DIALECT, &[]);
    assert!(tree.tags().all(|tag| !matches!(tag.children[..], [Node::Slot(_)])), "{tree:?}");
}

#[test]
fn different_or_few_siblings_stay() {
    let cases = [
        vec![tag("p", &[], vec![text("a")]), tag("p", &[], vec![text("b")])],
        vec![card("One", "/1")],
        // A price, the previous price, and the discount.
        ["text-3xl font-semibold", "text-base line-through", "rounded bg-red-50 px-2"]
            .map(|class| tag("span", &[("class", class)], vec![tag("b", &[], vec![text(class)])]))
            .into(),
        // A background image, a text and a wave have only their parent in common.
        ["absolute inset-0 bg-cover bg-center", "absolute mx-auto max-w-7xl", "absolute bottom-0 w-full"]
            .into_iter()
            .zip([
                vec![tag("span", &[("class", "size-full bg-black opacity-75")], vec![])],
                vec![tag("h1", &[], vec![text("A title")]), tag("p", &[], vec![text("Some words")])],
                vec![tag("svg", &[("viewBox", "0 0 1 1")], vec![tag("path", &[("d", "M0 0h1v1")], vec![])])],
            ])
            .map(|(class, children)| tag("div", &[("class", class)], children))
            .collect(),
        vec![card("One", "/1"), tag("div", &[], vec![text("x")]), card("Two", "/2")],
        vec![card("One", "/1"), text("and"), card("Two", "/2")],
        vec![card("Same", "/"), card("Same", "/")],
        vec![tag("br", &[], vec![]), tag("br", &[], vec![]), tag("br", &[], vec![])],
    ];
    for case in cases {
        let mut tree = root(case.clone());
        assert_eq!(collapse(&mut tree, DIALECT, &[]).lists, [], "{case:?}");
        assert_eq!(tree.children, case);
    }
}

#[test]
fn texts_are_called_by_the_last_word_of_their_class() {
    let named = |name: &str, word: &str, own: &str| {
        let Node::Tag(mut tag) = tag(name, &[("class", "text-sm")], vec![text(own)]) else { unreachable!("a tag") };
        tag.semantic_name = word.to_owned();
        Node::Tag(tag)
    };
    let quote = |name: &str, role: &str| {
        let more = format!("More of {name}");
        let children = [
            ("div", "author-name", name),
            ("span", "testimonial-role", role),
            ("h4", "card-label", &*more),
            ("span", "label", &more[5..]),
        ];
        tag("div", &[("class", "card")], children.map(|(tag, word, own)| named(tag, word, own)).into())
    };
    let mut tree = root(vec![quote("Ann", "Lead"), quote("Ben", "Dev"), quote("Cid", "Ops")]);
    let lists = collapse(&mut tree, DIALECT, &[]).lists;
    let names: Vec<&str> = fields(&lists[0], 0).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["name", "role", "title", "text"], "a heading is a title, and a class of every span is no name");
}

#[test]
fn listings_are_no_lists() {
    let lists = |name: &str, preserves_whitespace: bool| {
        let words = ["def", "class", "return", "yield"]
            .map(|word| tag(name, &[("class", "text-sky-600 font-bold")], vec![tag("b", &[], vec![text(word)])]));
        let tree = OutputElement { preserves_whitespace, ..root(words.into()) };
        collapse(&mut root(vec![Node::Tag(tree)]), DIALECT, &[]).lists.len()
    };
    assert_eq!((lists("code", true), lists("code", false)), (0, 1));
    assert_eq!(lists("div", true), 1, "blocks are no words");
}

#[test]
fn fields_of_a_form_are_no_items() {
    let input =
        |of: &str| tag("input", &[("type", of), ("class", "rounded border border-gray-300"), ("name", of)], vec![]);
    let mut tree = root(vec![input("text"), input("email"), input("submit")]);
    assert_eq!(collapse(&mut tree, DIALECT, &[]).lists.len(), 0);
}

#[test]
fn differences_of_two_items_are_no_exceptions() {
    let column = |is_long: bool| {
        let mut children = vec![tag("img", &[("src", if is_long { "/a.svg" } else { "/b.svg" })], vec![])];
        if is_long {
            // Long enough for a nested loop to be shorter.
            let class = "relative inline-block rounded-md border border-black/20 px-2.5 py-1.5 text-center select-none";
            let links = (1..=6).map(|at| link(at, class)).collect();
            children.push(tag("p", &[], vec![text("A paragraph of words that only one of them has")]));
            children.push(tag("nav", &[], vec![tag("div", &[], links)]));
        }
        tag("div", &[("class", "column half")], children)
    };
    let mut tree = root(vec![column(true), column(false)]);
    collapse(&mut tree, DIALECT, &[]);
    assert_eq!(tree.children.len(), 2);
}

#[test]
fn names_are_not_taken_twice() {
    let links = |from: u8| {
        let link = |at: u8| {
            tag(
                "a",
                &[("href", &format!("/{at}")), ("class", "text-sm text-gray-500 hover:text-black")],
                vec![text(&at.to_string())],
            )
        };
        (from..from + 4).map(link).collect()
    };
    let mut tree = root(vec![tag("nav", &[], links(1)), tag("footer", &[], links(5))]);
    let lists = collapse(&mut tree, DIALECT, &["links"]).lists;
    let names: Vec<&str> = lists.iter().map(|list| list.name.as_str()).collect();
    assert_eq!(names, ["navLinks", "footerLinks"]);
}

#[test]
fn deep_ambiguous_markup_stays_within_the_budget() {
    fn deep(depth: usize, twice: bool) -> Node {
        let mut children = if depth == 0 { vec![text("x")] } else { vec![deep(depth - 1, twice)] };
        if twice {
            children.push(tag("div", &[], vec![]));
        }
        tag("div", &[], children)
    }
    let mut tree = root(vec![deep(200, false), deep(200, true), deep(200, false)]);
    collapse(&mut tree, DIALECT, &[]);
}

#[test]
fn equal_items_become_a_list() {
    let mut tree = root(vec![card("Same", "/go"), card("Same", "/go"), card("Same", "/go")]);
    let lists = collapse(&mut tree, DIALECT, &[]).lists;
    assert_eq!(lists[0].rows.len(), 3);
    assert!(fields(&lists[0], 2).contains(&("title", &Cell::Text("Same".into()))), "{lists:?}");
    assert!(fields(&lists[0], 2).contains(&("href", &Cell::Text("/go".into()))), "{lists:?}");
    let each = tree.children[0].tag().unwrap().repeat.clone().unwrap();
    assert_eq!(each.key, Loop::INDEX, "the items are equal");
}

#[test]
fn repeated_stars_become_a_count() {
    let star = || {
        tag(
            "svg",
            &[("class", "size-4 text-amber-400"), ("viewBox", "0 0 24 24")],
            vec![tag("path", &[("d", "M0 0h24v24")], vec![])],
        )
    };
    let mut tree = root((0..5).map(|_| star()).collect());
    let lists = collapse(&mut tree, DIALECT, &[]).lists;
    assert_eq!(lists[0].rows, (1..=5).map(Row::Number).collect::<Vec<_>>());
    let each = tree.children[0].tag().unwrap().repeat.clone().unwrap();
    assert_eq!(each.key, each.item);

    let review = |name: &str, stars: usize| {
        tag(
            "article",
            &[],
            vec![tag("h3", &[], vec![text(name)]), tag("div", &[], (0..stars).map(|_| star()).collect())],
        )
    };
    for (counts, expected) in [([5, 5, 5], "[1, 2, 3, 4, 5]"), ([5, 4, 3], "article.")] {
        let mut tree = root(counts.iter().zip(["A", "B", "C"]).map(|(count, name)| review(name, *count)).collect());
        let lists = collapse(&mut tree, DIALECT, &[]).lists;
        assert_eq!((lists.len(), lists[0].rows.len()), (1, 3));
        let template = tree.children[0].tag().unwrap().children[1].tag().unwrap().children[0].tag().unwrap();
        let list = &template.repeat.as_ref().unwrap().list;
        assert!(list.starts_with(expected), "{list}");
    }
}

#[test]
fn track_of_a_marquee_and_its_copy_are_one_block() {
    let logo = |at: usize| tag("img", &[("class", "h-8"), ("src", &*format!("/{at}.svg")), ("alt", "")], Vec::new());
    let track = || tag("div", &[("class", "flex gap-4")], (1..=5).map(logo).collect());
    let scripts = LoopSyntax { for_scripts: true, ..DIALECT };
    let mut tree = root(vec![tag("div", &[("class", "animate-marquee flex")], vec![track(), track()])]);
    let lists = collapse(&mut tree, scripts, &[]).lists;
    let names: Vec<&str> = lists.iter().map(|list| list.name.as_str()).collect();
    assert_eq!(names, ["copies", "images"]);
    let block = tree.children[0].tag().unwrap().children[0].tag().unwrap();
    assert_eq!(block.attribute("aria-hidden"), Some(&Value::Field("copy > 1".to_owned())));
    let mut still = root(vec![tag("div", &[("class", "flex")], vec![track(), track()])]);
    collapse(&mut still, scripts, &[]);
    assert_eq!(still.children[0].tag().unwrap().children[0].tag().unwrap().attribute("aria-hidden"), None);
}

#[test]
fn files_for_several_widths_are_no_list_of_scripts() {
    let source = |at: usize| {
        tag("source", &[("srcset", &*format!("/{at}.webp")), ("media", &*format!("(min-width: {at}00px)"))], Vec::new())
    };
    let count = |for_scripts: bool| {
        let mut tree = root(vec![tag("picture", &[], (1..=5).map(source).collect())]);
        collapse(&mut tree, LoopSyntax { for_scripts, ..DIALECT }, &[]).lists.len()
    };
    assert_eq!([count(true), count(false)], [0, 1]);
}

#[test]
fn links_to_networks_are_social_links() {
    let link =
        |host: &str| tag("a", &[("class", "size-6"), ("href", &*format!("https://www.{host}/ada"))], vec![text(host)]);
    let hosts = ["facebook.com", "instagram.com", "youtube.com"];
    let mut tree = root(hosts.iter().map(|host| link(host)).collect());
    let lists = collapse(&mut tree, DIALECT, &[]).lists;
    assert_eq!(lists[0].name, "socialLinks");
}
