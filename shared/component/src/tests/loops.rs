//! Tests loops in `jsx` for lists that pages repeat in markup.

use super::{ask_for, component_for, page};
use limner_types::{Framework, Theme};

fn jsx(body: &str, css: &str) -> String {
    component_for(body, css, Framework::Jsx)["code"].as_str().unwrap().to_owned()
}

fn assert_all(code: &str, expected: &[&str]) {
    for part in expected {
        assert!(code.contains(part), "{part}: {code}");
    }
}

const PLANS: &str = "<h1>Pricing</h1><div class=plans>
<div class=plan><h3>Free</h3><div class=price><p class=cur>$</p><p class=amt>0</p><p class=per>/mo</p></div><ul><li>1 seat</li><li>Chat</li><li class=off>Domain</li></ul></div>
<div class=plan><h3>Pro</h3><div class=price><p class=cur>$</p><p class=amt>29</p><p class=per>/mo</p></div><ul><li>9 seats</li><li>Mail</li><li>Domain</li></ul></div>
<div class=plan><h3>Big</h3><div class=price><p class=amt>Ask us</p></div><ul><li>All seats</li><li>Phone</li></ul></div></div>";

#[test]
fn texts_are_named_after_classes_and_flags_after_modifiers() {
    let css = ".cur{font-size:20px} .amt{font-size:48px} .per{color:gray} .off{text-decoration:line-through}";
    let code = jsx(PLANS, css);
    assert_all(&code, &["cur: '$'", "amt: '29'", "per: '/mo'", "amt: 'Ask us'", "{plan.cur && ("]);
    assert_all(&code, &["{ text: 'Domain', isOff: true }", "item.isOff ? 'line-through' : ''"]);
    assert!(!code.contains("text2"), "{code}");
}

#[test]
fn answers_become_markup_fields() {
    let code = jsx(
        "<h1>Questions</h1><div class=list><div class=item><h3>What?</h3><div class=a><p>An <b>API</b>.</p></div></div>
        <div class=item><h3>How?</h3><div class=a><p>So.</p><p>And so.</p></div></div>
        <div class=item><h3>Where?</h3><div class=a><ul><li>Here</li><li>There</li></ul></div></div></div>",
        "",
    );
    assert_all(&code, &["answer: <p", "answer: <><p", "answer: <ul", "<div>{question.answer}</div>"]);
    assert_eq!(code.matches("<h2").count(), 1, "{code}");
}

#[test]
fn links_of_varying_number_become_a_nested_list() {
    let person = |name: &str, links: &str| format!("<div class=person><h3>{name}</h3><p>Role</p>{links}</div>");
    let [one, two] = ["<a href=/x>X</a>", "<a href=/x>X</a> <a href=/in>In</a>"];
    let body = format!("<h1>Team</h1><div>{}{}{}</div>", person("A", two), person("B", one), person("C", ""));
    let code = jsx(&body, "a{color:red}");
    assert_all(&code, &["{person.links.map(", "links: [] }", "label: 'In' }"]);
    assert_eq!(code.matches("<a ").count(), 1, "{code}");
    // Differently styled buttons are different fields.
    let two = "<a class=main href=/x>X</a> <a class=more href=/in>In</a>";
    let body = format!("<h1>Team</h1><div>{}{}{}</div>", person("A", two), person("B", two), person("C", one));
    let code = jsx(&body, ".main{color:red} .more{color:blue}");
    assert!(!code.contains("links"), "{code}");
}

#[test]
fn table_rows_are_no_items_beside_their_headings() {
    let code = jsx(
        "<h1>Compare</h1><table><tbody><tr><td colspan=3>Core</td></tr><tr><td>Seats</td><td>1</td><td>9</td></tr>
        <tr><td>Places</td><td>2</td><td>8</td></tr><tr><td>Users</td><td>3</td><td>7</td></tr>
        <tr><td colspan=3>More</td></tr><tr><td>Mail</td><td>no</td><td>yes</td></tr></tbody></table>",
        "td{padding:8px}",
    );
    assert_all(&code, &["cells: ['Users', '3', '7']", "colSpan={3}>Core<", ">Mail</td>"]);
    assert_eq!(code.matches(".map(").count(), 2, "cells of a single row are no list: {code}");
}

#[test]
fn lists_are_named_after_the_role_of_the_section() {
    let ask = |html: &str, selector: &str| {
        let mut page = page();
        let hero = "<section><h1>Acme reads pages</h1><p>As browsers do, without one</p><a href=/go>Go</a></section>";
        page.html = format!("<!doctype html><html><body><main>{hero}{html}</main></body></html>");
        page.sheets[0].text = Some(String::new());
        ask_for(&page, Some(selector), Theme::Light, Framework::Jsx).unwrap()
    };
    let faq = "<section id=q><h2>Frequently asked questions</h2><div><div><h3>What is it?</h3><p>An API for pages.</p></div>
        <div><h3>How does it work?</h3><p>Like a browser does.</p></div><div><h3>Where is it?</h3><p>Here and there.</p></div></div></section>";
    let result = ask(faq, "#q");
    assert_eq!(result["defaultName"], "Faq");
    assert_all(result["code"].as_str().unwrap(), &["const questions = [", "{questions.map((question) => ("]);
    for (html, name) in [
        (
            "<section id=s class='section team-grid'><p>We are here for you every day of the week</p></section>",
            "TeamGrid",
        ),
        (
            "<section id=s class='section section--wide'><h2>What’s new</h2><p>We are here for you</p></section>",
            "WhatsNew",
        ),
        ("<section id=s><p>We are here for you every day of the week</p></section>", "Section"),
    ] {
        assert_eq!(ask(html, "#s")["defaultName"], name, "{html}");
    }
}

#[test]
fn last_items_may_differ_in_border_and_radius() {
    let item =
        |title: &str| format!("<div class=item><div class=head>{title}</div><div class=body>It is so.</div></div>");
    let body = format!("<h1>Questions</h1><div class=all>{}{}{}</div>", item("What?"), item("How?"), item("Where?"));
    let css = ".head{padding:12px} .body{padding:16px} .item{border-bottom:1px solid #ccc} \
               .item:last-child{border-bottom:0;border-radius:0 0 8px 8px}";
    let code = jsx(&body, css);
    assert_eq!(code.matches("p-3").count(), 1, "one loop: {code}");
}

#[test]
fn fields_have_conventional_names() {
    let card = |state: &str| {
        format!("<div class='chakra-card__root'><h3>{state} one</h3><button aria-expanded={state}>Go</button></div>")
    };
    let body = format!("<h1>Cards</h1><div>{}{}</div>", card("true"), card("false"));
    let code = jsx(&body, ".chakra-card__root{padding:12px;border:1px solid red}");
    assert_all(&code, &["const cards = [", "key={card.title}"]);
}

#[test]
fn components_are_named_after_their_library() {
    let card = |name: &str| {
        format!(
            "<div data-slot=card class='flex p-4'><div data-slot=card-title class='leading-none'>{name}</div>\
             <div data-slot=card-description class='text-sm'>About {name}</div></div>"
        )
    };
    let body = format!("<h1>Cards</h1><div>{}{}{}</div>", card("One"), card("Two"), card("Three"));
    let code = jsx(&body, "[data-slot=card]{padding:12px} .text-sm{font-size:14px}");
    assert_all(&code, &["const cards = [", "{ title: 'Two', description: 'About Two' }"]);
}

#[test]
fn fields_of_classes_and_flags_keep_their_names() {
    let seat =
        |kind: &str| format!("<div class=c><div class=flight-num>A</div><div class=flight-class>{kind}</div></div>");
    let body = format!("<h1>Seats</h1><div>{}{}{}{}</div>", seat("Eco"), seat("Eco"), seat("Eco"), seat("First"));
    for framework in [Framework::Jsx, Framework::Vue] {
        let code = component_for(&body, ".c{padding:8px}", framework)["code"].as_str().unwrap().to_owned();
        assert_eq!(code.matches("'First'").count(), 1, "{code}");
    }
    let row = |cells: &str, class: &str| format!("<tr class='{class}'>{cells}</tr>");
    let plain = |name: &str| row(&format!("<td>{name}</td><td>1</td><td></td>"), "");
    let body = format!(
        "<h1>Prices</h1><table><thead><tr><th>Name<th>Price<th>Note</thead><tbody>{}{}{}{}</tbody></table>",
        plain("A"),
        plain("B"),
        plain("C"),
        row("<td>D</td><td>4</td><td>Sale</td>", "hl")
    );
    let code = jsx(&body, ".hl{background:#ffc}");
    assert_all(&code, &["note: 'Sale'", "row.note ? 'bg-[#ffc]' : ''"]);
}

#[test]
fn spaces_between_words_stay_in_loops() {
    let cards = ["", "<a href=/1>one</a> <a href=/2>two</a> <a href=/3>three</a>", "word", "<time>May</time> signal"];
    let body: String = cards.iter().map(|inner| format!("<div class=i>{inner}</div>")).collect();
    let code = jsx(&format!("<h1>Words</h1><div>{body}</div>"), ".i{padding:8px;border:1px solid red}");
    let compact = code.replace("{' '}", " ");
    for joined in ["onetwo", "twothree", "Maysignal"] {
        assert!(!compact.contains(joined), "{code}");
    }
    // A text after an element keeps the space before it.
    assert!(code.contains("' signal'") || compact.contains("</time> signal"), "{code}");
}

#[test]
fn classes_common_to_a_nested_list_move_to_the_item() {
    let card = |title: &str, class: &str, parts: &str| {
        let parts: String = parts.split(' ').map(|part| format!("<li class={class}>{part}</li>")).collect();
        format!("<div class=card><h3>{title}</h3><ul>{parts}</ul></div>")
    };
    let cards = [card("A", "x", "One Two"), card("B", "on", "Four Five Six"), card("C", "x", "Seven Eight")];
    let body = format!("<h1>Cards</h1><div>{}</div>", cards.concat());
    let code = jsx(&body, ".on{color:red}");
    assert_all(&code, &["['Four', 'Five', 'Six']", "card.isOn ? 'text-[#f00]' : ''"]);
    assert_eq!(code.matches("isOn: true").count(), 1, "{code}");
    // If only some items have the class, it stays with the items.
    let mixed = "<div class=card><h3>D</h3><ul><li class=x>Nine</li><li class=on>Ten</li></ul></div>";
    let code = jsx(&format!("<h1>Cards</h1><div>{}{mixed}</div>", cards.concat()), ".on{color:red}");
    assert_all(&code, &["{ className: 'text-[#f00]', text: 'Ten' }"]);
}

#[test]
fn numbers_and_booleans_are_literals() {
    let bar = |now: u32| format!("<div role=progressbar aria-label=N{now} aria-valuenow={now}><i></i></div>");
    let bars = jsx(&format!("<h1>Progress</h1><div>{}{}{}</div>", bar(25), bar(50), bar(75)), "i{color:red}");
    assert_all(&bars, &["ariaLabel: 'N25', ariaValuenow: 25", "key={item.ariaLabel}"]);
    let fold = |n: u32, is_open: bool| {
        format!("<div><button aria-expanded={is_open} aria-controls=p{n}>Q{n}</button><p id=p{n}>Answer {n}</p></div>")
    };
    let folds = jsx(&format!("<h1>Accordion</h1><div>{}{}{}</div>", fold(1, true), fold(2, false), fold(3, false)), "");
    assert_all(&folds, &["ariaExpanded: true", "ariaExpanded: false", "aria-expanded={item.ariaExpanded}"]);
    let link = |n: u32, current: &str| format!("<li><a href=/{n} aria-current={current}>Page {n}</a></li>");
    let links = jsx(&format!("<nav><ul>{}{}{}</ul></nav>", link(1, "page"), link(2, "false"), link(3, "false")), "");
    assert_all(&links, &["ariaCurrent: 'page'", "ariaCurrent: 'false'"]);
}

#[test]
fn nested_loops_have_their_own_index() {
    // Nothing tells all items apart, so that their positions are the keys.
    let card = |n: u32| format!("<div class=card><h3>T{n}</h3><ul><li>A{n}</li><li>A{n}</li><li>C{n}</li></ul></div>");
    let body = format!("<h1>Cards</h1><div>{}{}{}</div>", card(1), card(1), card(3));
    let css = ".card{padding:1px}li{margin:4px}";
    assert_all(&jsx(&body, css), &["map((card, index) =>", "map((item, index2) =>"]);
    let vue = component_for(&body, css, Framework::Vue)["code"].as_str().unwrap().to_owned();
    assert_all(&vue, &["(card, index) in cards", "(item, index2) in card.items"]);
}

#[test]
fn looks_of_positions_are_variants() {
    let card = |n: u32| format!("<div class=card><h3>T{n}</h3><ul><li>A{n}</li><li>B{n}</li><li>C{n}</li></ul></div>");
    let body = format!("<h1>Cards</h1><div>{}{}{}</div>", card(1), card(2), card(3));
    let css = ".card{padding:1px}.card:last-child{padding:4px}li{margin:4px}li:last-child{margin:0}";
    for framework in [Framework::Jsx, Framework::Vue] {
        let code = component_for(&body, css, framework)["code"].as_str().unwrap().to_owned();
        assert_all(&code, &["last:p-1", "not-last:m-1"]);
        assert!(!code.contains("index"), "{code}");
    }
}

#[test]
fn texts_and_identifiers_are_written_as_linters_want_them() {
    let body = "<h1 id=top class=t>It's \"nice\"</h1><my-part class=t id=part><p>One\u{200b}two</p></my-part>";
    assert_all(&jsx(body, ".t{color:red}"), &["It&apos;s &quot;nice&quot;", "One&#8203;two"]);
    let vue = component_for(body, ".t{color:red}", Framework::Vue)["code"].as_str().unwrap().to_owned();
    assert_all(&vue, &["<component :is=\"'my-part'\""]);
}

#[test]
fn item_classes_in_nested_lists_do_not_depend_on_the_index() {
    let card = |title: &str, parts: &[(&str, &str)]| {
        let parts: String = parts.iter().map(|(class, part)| format!("<li class={class}>{part}</li>")).collect();
        format!("<div class=card><h3>{title}</h3><ul>{parts}</ul></div>")
    };
    let x = |parts: &[&'static str]| parts.iter().map(|part| ("x", *part)).collect::<Vec<_>>();
    let on = |parts: &[&'static str]| parts.iter().map(|part| ("on", *part)).collect::<Vec<_>>();
    let cards = [card("A", &x(&["a", "b"])), card("B", &x(&["c", "d"])), card("C", &on(&["e", "f", "g"]))].concat();
    let last = jsx(&format!("<h1>Cards</h1><div>{cards}</div>"), ".on{color:red}");
    assert!(!last.contains("index"), "{last}");
    let cards = [card("A", &x(&["a", "b"])), card("B", &on(&["c", "d"])), card("C", &x(&["e", "f"]))].concat();
    let none = "<div class=card><h3>D</h3><ul></ul></div>";
    let middle = jsx(&format!("<h1>Cards</h1><div>{cards}{none}</div>"), ".on{color:red}");
    assert!(!middle.contains("index"), "{middle}");
    let part = |part: &str| format!("<b>{part}</b> more");
    let parts = |class: &'static str| [(class, part("a")), (class, part("b")), (class, part("c"))];
    let card = |title: &str, class: &'static str| {
        let parts = parts(class).map(|(class, part)| format!("<li class={class}>{part}</li>")).concat();
        format!("<div class=card><h3>{title}</h3><ul>{parts}</ul></div>")
    };
    let cards = [card("A", "on"), card("B", "x"), card("C", "x")].concat();
    let css = ".on{color:red} .x{color:blue} li:first-child b{color:green}";
    let both = jsx(&format!("<h1>Cards</h1><div>{cards}</div>"), css);
    assert!(!both.contains("index === 0 ? 'text-[#f00]'"), "{both}");
}

#[test]
fn items_are_not_named_index() {
    let card = |n: u32| {
        format!(
            "<li class=index><h3>T{n}</h3><ul class=indexes><li class=index>A{n}</li><li class=index>B{n}</li><li class=index>C{n}</li></ul></li>"
        )
    };
    let body = format!("<h1>Indexes</h1><ul class=indexes>{}{}{}</ul>", card(1), card(2), card(3));
    let code = jsx(&body, "li{padding:1px}li:last-child{padding:4px}");
    assert!(!code.contains("(index2, index2)") && !code.contains("(index, index)"), "{code}");
}
