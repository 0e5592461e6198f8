//! Multi-column layout. Expected numbers are Chromium's.

use crate::rect;

fn body(markup: &str) -> String {
    format!("<!doctype html><style>body{{margin:0}}</style><body>{markup}")
}

#[test]
fn multicol_1_boxes_are_in_columns() {
    let container = |style: &str, inner: &str| {
        format!("<div id=c style='column-gap:20px;width:420px;line-height:20px;{style}'>{inner}</div>")
    };
    let block = |id: &str, height: u32| format!("<div id={id} style='height:{height}px'></div>");
    let lines = |count: usize| format!("<p id=a style='margin:0'>{}</p>", ["x"; 9][..count].join("<br>"));
    let margin = |id: &str| format!("<p id={id} style='margin:16px 0;height:40px'></p>");
    let whole = "<div id=a style='break-inside:avoid;padding:10px'><div style='height:30px'></div><div style='height:30px'></div></div>";
    let spanner = "<h2 id=h style='column-span:all;margin:0;height:30px'></h2>";
    let three = format!("{}{}{}", block("a", 100), block("b", 60), block("d", 40));
    let forties = format!("{}{}{}", block("a", 40), block("b", 40), block("d", 40));
    for (markup, id, expected) in [
        // Side by side, equally high.
        (container("columns:2", &three), "c", [0.0, 0.0, 420.0, 100.0]),
        (container("columns:2", &three), "a", [0.0, 0.0, 200.0, 100.0]),
        (container("columns:2", &three), "b", [220.0, 0.0, 200.0, 60.0]),
        (container("columns:2", &three), "d", [220.0, 60.0, 200.0, 40.0]),
        // Lines are never broken, paragraphs are.
        (container("columns:2", &lines(6)), "a", [0.0, 0.0, 420.0, 60.0]),
        (container("columns:2", &lines(3)), "c", [0.0, 0.0, 420.0, 40.0]),
        (container("columns:2", &block("a", 100)), "a", [0.0, 0.0, 420.0, 50.0]),
        // Margins collapse at a break.
        (container("columns:2", &format!("{}{}", margin("a"), margin("b"))), "c", [0.0, 0.0, 420.0, 64.0]),
        (container("columns:2", &format!("{}{}", margin("a"), margin("b"))), "b", [220.0, 0.0, 200.0, 40.0]),
        // Unbreakable content makes columns higher.
        (container("columns:2", &format!("{whole}{}", block("b", 20))), "c", [0.0, 0.0, 420.0, 80.0]),
        (container("columns:2", &format!("{whole}{}", block("b", 20))), "b", [220.0, 0.0, 200.0, 20.0]),
        // A spanning element separates two sets of columns.
        (
            container("columns:2", &format!("{spanner}{}{}", block("a", 40), block("b", 40))),
            "h",
            [0.0, 0.0, 420.0, 30.0],
        ),
        (
            container("columns:2", &format!("{spanner}{}{}", block("a", 40), block("b", 40))),
            "b",
            [220.0, 30.0, 200.0, 40.0],
        ),
        // As many as fit, and no higher than their container.
        (container("columns:120px", &forties), "d", [293.33, 0.0, 126.66, 40.0]),
        (container("columns:2;height:50px", &forties), "b", [0.0, 0.0, 420.0, 50.0]),
        (container("columns:1", &forties), "d", [0.0, 80.0, 420.0, 40.0]),
    ] {
        let found = rect(&body(&markup), id);
        let found = [found.x, found.y, found.width, found.height];
        let is_near = found.iter().zip(expected).all(|(one, other)| (one - other).abs() < 0.05);
        assert!(is_near, "{id} {found:?} {expected:?}: {markup}");
    }
}
