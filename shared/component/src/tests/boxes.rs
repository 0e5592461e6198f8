//! Tests boxes that page builders lay out with flex containers, floats and clearfixes where blocks do.

use super::{component_for, select};
use limner_types::Framework;

/// Returns the classes of all elements, in document order, without the section's own.
fn boxes(body: &str, css: &str) -> Vec<String> {
    let css = format!("*{{box-sizing:border-box;margin:0}} {css}");
    let result = component_for(body, &css, Framework::Tailwind);
    assert_eq!(result["summary"]["styledCoverage"], 100.0, "{body} {css}");
    let code = result["code"].as_str().unwrap();
    select(code, "html > * *", |element| {
        let class = element.attr("class").unwrap_or_default();
        format!("{} {class}", element.value().name()).trim().to_owned()
    })
}

const TEXT: &str = "<h2>Title</h2><p>Words of a text</p>";

#[test]
fn flex_containers_of_full_lines_are_blocks() {
    let body = format!("<div class=a><div class=b>{TEXT}</div></div>");
    let padded = ".a{display:flex;flex-wrap:wrap;align-content:flex-start;padding:10px}";
    for (css, expected) in [
        (format!("{padded} .b{{width:100%}}"), "p-2.5"),
        (format!("{padded} .b{{flex:1 0 auto}}"), "p-2.5"),
        (".a{display:grid;grid-template-columns:minmax(0,1fr);padding:10px}".to_owned(), "p-2.5"),
        (".a{display:flex;flex-direction:column;padding:10px}".to_owned(), "p-2.5"),
        (".a{display:flex;padding:10px}".to_owned(), "flex p-2.5"),
        (format!("{padded} .b{{width:100%;margin-left:4px}}"), "flex flex-wrap content-start p-2.5"),
        (".a{display:flex;height:300px;align-items:center} .b{width:100%}".to_owned(), "flex h-75 items-center"),
    ] {
        assert_eq!(boxes(&body, &css)[0], format!("div {expected}"), "{css}");
    }
}

#[test]
fn margins_that_would_collapse_keep_the_flex_container() {
    let body = format!("<div class=a><div class=b>{TEXT}</div></div>");
    for (css, expected) in [
        (".a{display:flex;padding:1px} .b{width:100%} h2{margin-top:20px}", "div p-px"),
        (".a{display:flex} .b{width:100%} h2{margin-top:20px}", "div flex"),
        (".a{display:flex;padding:1px} .b{width:100%;margin-top:4px} h2{margin-top:20px}", "div flex p-px"),
    ] {
        assert_eq!(boxes(&body, css)[0], expected, "{css}");
    }
}

#[test]
fn gutters_around_one_column_are_left_out() {
    let body = format!("<div class=c><div class=row><div class=col>{TEXT}</div></div><p>More</p></div>");
    let row = ".c{padding:0 12px;background:red} .row{display:flex;flex-wrap:wrap;margin:0 -12px} .col{width:100%;";
    assert_eq!(boxes(&body, &format!("{row}padding:0 12px}}"))[1], "div");
    assert_eq!(boxes(&body, &format!("{row}padding:0 8px}}"))[1], "div -mx-3 px-2");
}

#[test]
fn floating_columns_are_a_flex_row() {
    let columns = format!("<div class=row><div class=a>{TEXT}</div><div class=b>{TEXT}</div></div>");
    let clearfix = ".row::before,.row::after{content:' ';display:table} .row::after{clear:both}";
    let wide = "@media(min-width:768px){.a,.b{float:left;width:50%}}";
    let found = boxes(&columns, &format!("{clearfix} {wide}"));
    assert_eq!([&found[0], &found[1], &found[4]], ["div md:flex", "div md:w-1/2", "div md:w-1/2"]);
    let three = columns.replace("<div class=b>", &format!("<div class=b>{TEXT}</div><div class=b>"));
    let found = boxes(&three, &format!("{clearfix} .a,.b{{float:left;width:50%}}"));
    assert!(found[1].contains("float-left"), "one of them may be below the shorter column: {found:?}");
    let found = boxes(&three, &format!("{clearfix} .a,.b{{float:left;width:50%}} .b+.b{{clear:left}}"));
    assert_eq!([&found[0], &found[7]], ["div flex flex-wrap", "div w-1/2"]);
    let found = boxes(&columns, &format!("{clearfix} .a,.b{{float:left;width:60%}} .b{{clear:left}}"));
    assert!(found[0] == "div w-3/5", "columns below each other: {found:?}");
    let found = boxes(&columns, ".a,.b{float:left;width:50%}");
    assert!(found[0].contains("float-left"), "what follows is beside them: {found:?}");
    let painted = boxes(&columns, &format!("{clearfix} .a,.b{{float:left;width:50%;background:red}}"));
    assert_eq!(painted[0], "div flex items-start", "columns of different heights");
}

#[test]
fn clearfix_that_keeps_margins_is_a_flow_root() {
    let body = format!("<div class=row>{TEXT}</div><p>More</p>");
    let clearfix = ".row::before,.row::after{content:' ';display:table} .row::after{clear:both}";
    assert_eq!(
        boxes(&body, &format!("{clearfix} .row{{background:red}} h2{{margin-top:20px}}"))[0],
        "div flow-root bg-[#f00]"
    );
    assert_eq!(
        boxes(&body, &format!("{clearfix} .row{{background:red}} h2{{margin-bottom:20px}}"))[0],
        "div bg-[#f00]"
    );
    let after = ".row::after{content:' ';display:table;clear:both} .row{background:red} h2{margin-top:20px}";
    let found = boxes(
        &format!("<div class=row><a class=e href=/></a>{TEXT}</div><p>More</p>"),
        &format!("{after} .e{{display:block}}"),
    );
    assert!(!found[0].contains("flow-root"), "the margin leaves the row at the top, through an empty box: {found:?}");
}

#[test]
fn empty_boxes_that_clear_nothing_are_left_out() {
    let css = ".clear{clear:both;width:0;height:0;overflow:hidden;visibility:hidden}";
    assert_eq!(boxes(&format!("{TEXT}<div class=clear></div><p>More</p>"), css).len(), 3);
    let apart = format!("{css} p{{margin:20px 0}}");
    assert_eq!(boxes(&format!("{TEXT}<div class=clear></div><p>More</p>"), &apart).len(), 4, "margins would collapse");
}

#[test]
fn layers_without_others_have_no_level() {
    let body = format!("<div class=a><div class=b>{TEXT}</div></div>");
    assert_eq!(boxes(&body, ".a,.b{position:relative;z-index:1;padding:4px}")[0], "div p-1");
    let over = format!("{body}<div class=c></div>");
    let css = ".a,.b{position:relative;z-index:1;padding:4px} .c{position:absolute;inset:0;background:red}";
    let found = boxes(&over, css);
    assert_eq!(found[..2], ["div relative z-1 p-1", "div p-1"]);
}

#[test]
fn spacers_are_margins_of_what_is_before_them() {
    let body = "<h2>Title</h2><div class=s></div><p>Words of a text</p>";
    assert_eq!(boxes(body, ".s{height:32px}"), ["h2 mb-8 text-[24px] font-bold", "p"]);
    assert_eq!(
        boxes(body, ".s{height:32px} @media(min-width:768px){.s{height:64px}}"),
        ["h2 mb-8 text-[24px] font-bold md:mb-16", "p"]
    );
    assert_eq!(boxes(body, ".s{height:32px} p{margin-top:8px}")[1], "div h-8", "margins would collapse");
    assert_eq!(boxes(body, ".s{height:32px;background:red}")[1], "div h-8 bg-[#f00]");
    assert_eq!(boxes("<h2>Title</h2><div class=s></div>", ".s{height:32px}")[1], "div h-8", "nothing is below it");
}

#[test]
fn padding_that_keeps_a_ratio_is_an_aspect_ratio() {
    let picture = "<img class=i src=a.png alt=A>";
    let body = format!("<h2>Title</h2><div class=r><div class=s></div>{picture}</div>");
    let css = ".r{position:relative} .i{position:absolute;inset:0;width:100%;height:100%}";
    assert_eq!(boxes(&body, &format!("{css} .s{{padding-bottom:75%}}"))[1], "div relative aspect-4/3");
    assert_eq!(boxes(&body, &format!("{css} .s{{padding-bottom:75%;background:red}}"))[2], "div bg-[#f00] pb-[75%]");
    let body = format!("<h2>Title</h2><div class=r>{picture}</div>");
    let part = ".r::before{content:'';display:block;padding-top:56.25%}";
    assert_eq!(boxes(&body, &format!("{css} {part}"))[1], "div relative aspect-video");
    let stated = format!("{css} {part} @media(min-width:768px){{.r::before{{padding-top:50%}}}}");
    assert!(boxes(&body, &stated)[1].contains("before:"), "of each width");
}
