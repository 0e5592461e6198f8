//! Tests that code leaves out layout that changes no box, and what applies only to hidden boxes.

use super::idle_styles::assert_classes;
use super::states::classes;

/// A column of two texts beside the heading of the page.
const COLUMN: &str = "<div class=c><p class=i>Words</p><p>More words</p></div>";
const ONE: &str = "<div class=c><div class=i>Words</div></div>";

#[test]
fn full_widths_that_boxes_have_are_left_out() {
    let column = |more: &str| format!(".c{{display:flex;flex-direction:column;padding:9px}} p{{margin:0}} {more}");
    let w = "w-full";
    assert_classes(&[
        (COLUMN, &column(".i{width:100%}"), w, false),
        (COLUMN, &column(".i{width:100%} .c{align-items:center}"), w, true),
        (COLUMN, &column(".i{width:100%} .i:hover{width:50%}"), w, true),
        (COLUMN, &column(".i{width:100%;margin:0 auto}"), w, true),
        (COLUMN, &column(".i{width:100%} @media(min-width:800px){.i{width:50%}}"), w, true),
        (COLUMN, &column(".c{flex-direction:row} .i{width:100%}"), w, true),
        (COLUMN, ".c{display:flex} .i{width:100%;min-width:0;flex:1 0 0%}", w, false),
        (
            COLUMN,
            ".c{position:relative} .i{position:absolute;inset:0;width:100%;height:100%;background:red}",
            "size-full",
            false,
        ),
        (
            COLUMN,
            ".c{position:relative} .i{position:absolute;top:0;left:0;width:100%;height:100%;background:red}",
            "size-full",
            true,
        ),
        (COLUMN, ".c{float:left} .i{width:100%;overflow:hidden}", w, true),
    ]);
    // Items that fill their column look the same in any alignment.
    let both = column("p{width:100%} .c{align-items:center}");
    assert_classes(&[(COLUMN, &both, w, false), (COLUMN, &both, "items-center", false)]);
}

#[test]
fn shares_of_unknown_heights_are_left_out() {
    const NESTED: &str = "<div class=o><div class=c><p class=i>Words</p></div><p>More</p></div>";
    assert_classes(&[
        (NESTED, ".c{padding:9px;background:red} .i{height:100%;color:red}", "h-full", false),
        (NESTED, ".c{padding:9px;background:red} .i{min-height:100%;color:red}", "min-h-full", false),
        (NESTED, ".c{height:90px} .i{height:100%;color:red}", "h-full", true),
        (NESTED, ".o{display:flex} .c{padding:9px;background:red} .i{height:100%;color:red}", "h-full", true),
        (
            NESTED,
            ".o{display:flex;align-items:center} .c{padding:9px;background:red} .i{height:100%;color:red}",
            "h-full",
            false,
        ),
        (
            NESTED,
            ".o{position:relative} .c{position:absolute;inset:0;background:red} .i{height:100%;color:red}",
            "h-full",
            true,
        ),
        (NESTED, ".c{padding:9px;background:red} .i{height:min-content;color:red}", "h-min", false),
        (NESTED, ".o{display:flex} .c{height:min-content;background:red}", "h-min", true),
    ]);
}

#[test]
fn alignments_without_room_are_left_out() {
    let column = ".c{display:flex;flex-direction:column;padding:9px}";
    let with = |more: &str| format!("{column} {more}");
    assert_classes(&[
        (COLUMN, &with(".c{justify-content:center}"), "justify-center", false),
        (COLUMN, &with(".c{justify-content:center;min-height:90px}"), "justify-center", true),
        (COLUMN, &with(".c{justify-content:center} .c:hover{height:90px}"), "justify-center", true),
        (COLUMN, &with(".i{flex-shrink:0}"), "shrink-0", false),
        (COLUMN, &with(".i{flex-shrink:0} .c{max-height:90px}"), "shrink-0", true),
        (COLUMN, &with(".i{flex-grow:1}"), "grow", false),
        (COLUMN, &with(".i{flex-grow:1} .c{min-height:50vh}"), "grow", true),
        (COLUMN, ".c{display:flex} .i{flex-shrink:0}", "shrink-0", true),
        (COLUMN, ".c{display:flex;flex-wrap:wrap} .c>p{flex-shrink:0;width:50%}", "shrink-0", false),
        (COLUMN, ".c{display:flex;align-content:center}", "content-center", false),
        (COLUMN, ".c{display:flex;flex-wrap:wrap;align-content:center}", "content-center", true),
        (COLUMN, ".c{display:flex;gap:9px 5px}", "gap-y-[9px]", false),
        (COLUMN, ".c{display:flex;gap:8px}", "gap-2", true),
        (ONE, ".c{display:flex;gap:8px;border:1px solid}", "gap-2", false),
        (ONE, ".c{display:flex;align-items:center;border:1px solid}", "items-center", false),
        (ONE, ".c{display:flex;align-items:center;height:90px;border:1px solid}", "items-center", true),
        (COLUMN, ".c{display:flex;align-items:center}", "items-center", true),
        (COLUMN, ".c{display:flex} .i{order:-1}", "-order-1", false),
        (COLUMN, ".c{display:flex} .i{order:1}", "order-1", true),
    ]);
}

#[test]
fn limits_that_are_never_reached_are_left_out() {
    const NESTED: &str = "<div class=o><div class=i><p>Words</p><p>More</p></div><p>More</p></div>";
    let outer = |more: &str| format!(".o{{max-width:600px;border:1px solid}} .i{{border:1px solid}} {more}");
    assert_classes(&[
        (NESTED, &outer(".i{max-width:700px}"), "max-w-175", false),
        (NESTED, &outer(".i{max-width:500px}"), "max-w-125", true),
        (NESTED, &outer(".i{max-width:700px} .o{max-width:90vw}"), "max-w-175", true),
        (NESTED, &outer(".i{max-width:100%}"), "max-w-full", false),
        (NESTED, &outer(".i{max-width:100%} .o{display:flex}"), "max-w-full", true),
        (NESTED, &outer(".i{margin:0 auto}"), "mx-auto", false),
        (NESTED, &outer(".i{margin:0 auto;max-width:500px}"), "mx-auto", true),
        (NESTED, &outer(".i{margin:0 auto} .o{display:flex}"), "mx-auto", true),
        (NESTED, &outer(".i{margin:0 auto;display:table}"), "mx-auto", true),
    ]);
}

#[test]
fn items_of_a_list_stay_alike() {
    let list = "<ul class=l><li class=c><p>A</p><p>B</p></li><li class=c><p>A</p></li></ul>";
    let code = classes(list, ".c{display:flex;align-items:center;gap:8px} ul,p{margin:0}");
    assert_eq!(code.matches("items-center").count(), 2, "{code}");
}

#[test]
fn corners_that_nobody_sees_are_left_out() {
    let utility = "rounded-[5px]";
    assert_classes(&[
        (COLUMN, ".c{border-radius:5px;padding:9px}", utility, false),
        (COLUMN, ".c{border-radius:5px;padding:9px;background:red}", utility, true),
        (COLUMN, ".c{border-radius:5px;padding:9px;overflow:hidden}", utility, true),
        (COLUMN, ".c{border-radius:5px;padding:9px} .c:hover{background:red}", utility, true),
        (COLUMN, ".c{border-radius:5px;padding:9px} .i{border-radius:inherit;background:red}", utility, true),
        ("<a class=c href=/x>Words</a>", ".c{border-radius:5px;padding:9px}", utility, true),
    ]);
}

#[test]
fn rules_of_hidden_boxes_are_left_out() {
    const BODY: &str = "<div class=s><p class=i>Words</p><p>More</p></div>";
    let narrow = "@media(min-width:800px){.s{display:none} .i{width:50%;color:red}}";
    assert_classes(&[
        (BODY, narrow, "min-[800px]:w-1/2", false),
        (BODY, narrow, "min-[800px]:hidden", true),
        (BODY, &format!("{narrow} h1:hover+.s{{display:block}}"), "min-[800px]:w-1/2", true),
        (BODY, ".s{display:none} @media(min-width:800px){.i{width:50%}}", "min-[800px]:w-1/2", true),
    ]);
}

#[test]
fn positions_that_stacking_contexts_do_not_need_are_left_out() {
    const PAIR: &str = "<div class=c><p class=r>Words</p><p>More</p></div><i class=a>x</i>";
    const COVERED: &str = "<i class=a>x</i><div class=c><p class=r>Words</p><p>More</p></div>";
    let with = |more: &str| {
        format!(
            ".c{{display:flex;border:1px solid}} .a{{position:absolute;z-index:2;inset:0}} .r{{position:relative;z-index:3;{more}}}"
        )
    };
    assert_classes(&[
        (PAIR, &with(""), "relative", false),
        (PAIR, &with(""), "z-3", true),
        (PAIR, &with("top:1px"), "relative", true),
        (PAIR, &format!("{} .c{{display:block}}", with("")), "relative", true),
        (COVERED, ".a{position:absolute;inset:0} .r{position:relative;opacity:.9}", "relative", false),
        (COVERED, ".a{position:absolute;inset:0} .r{position:relative}", "relative", true),
        // The level orders nothing beside the position: one of the two stays.
        (COVERED, ".c{display:flex} .a{position:absolute;inset:0} .r{position:relative;z-index:3}", "relative", true),
    ]);
}
