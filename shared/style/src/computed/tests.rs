//! One table for each predicate, by the specification it is named after. The answers on stacking contexts, block
//! formatting contexts and containing blocks are Chromium's (version 156), found by painting order, by floats and by the
//! places of boxes.

use super::*;
use crate::{Environment, StyleIndex};
use limner_page::{Document, PageSnapshot};
use std::sync::Arc;

/// Returns the styles of an element with these declarations and of its parent.
fn styles(parent: &str, own: &str) -> [Arc<ComputedStyle>; 2] {
    let html = format!("<!doctype html><div style=\"{parent}\"><p style=\"{own}\">");
    let page = PageSnapshot { html, ..PageSnapshot::default() };
    let document = Document::parse(&page.html);
    let index = StyleIndex::new(&page, &document);
    let mut styles = index.styles(&Environment::default());
    ["div", "p"].map(|name| {
        let (node, _) = document.elements_named(name).next().unwrap();
        styles.get(node).unwrap()
    })
}

fn style(own: &str) -> Arc<ComputedStyle> {
    let [_, own] = styles("", own);
    own
}

/// Asserts that a predicate is true of the displays in the list, and of no others.
fn check_display(predicate: fn(Display) -> bool, expected: &[Display]) {
    for display in Display::ALL {
        assert_eq!(predicate(*display), expected.contains(display), "{display:?}");
    }
}

#[test]
fn initial_values_are_those_of_the_properties() {
    let keywords = style("all:initial");
    for longhand in TYPED {
        assert_eq!(parsed(*longhand, longhand.initial()), Some(keywords.get(*longhand)), "{longhand:?}");
    }
    assert_eq!(keywords.display(), Display::default());
}

#[test]
fn every_keyword_of_the_grammar_is_parsed() {
    for longhand in TYPED.iter().filter(|longhand| **longhand != Longhand::Display) {
        for keyword in longhand.syntax().split('|') {
            let expected = if keyword == "overlay" { "auto" } else { keyword };
            assert_eq!(parsed(*longhand, keyword), Some(expected), "{longhand:?}");
        }
    }
}

/// (declared, computed, computed of a flex item)
const DISPLAYS: &[(&str, &str, &str)] = &[
    ("none", "none", "none"),
    ("contents", "contents", "contents"),
    ("inline-block", "inline-block", "block"),
    ("inline-table", "inline-table", "table"),
    ("inline-flex", "inline-flex", "flex"),
    ("inline-grid", "inline-grid", "grid"),
    ("table-row-group", "table-row-group", "block"),
    ("table-header-group", "table-header-group", "block"),
    ("table-footer-group", "table-footer-group", "block"),
    ("table-row", "table-row", "block"),
    ("table-cell", "table-cell", "block"),
    ("table-column-group", "table-column-group", "block"),
    ("table-column", "table-column", "block"),
    ("table-caption", "table-caption", "block"),
    ("ruby-text", "ruby-text", "block"),
    ("-webkit-box", "-webkit-box", "-webkit-box"),
    ("-webkit-inline-box", "-webkit-inline-box", "-webkit-box"),
    ("-webkit-flex", "flex", "flex"),
    ("-webkit-inline-flex", "inline-flex", "flex"),
    ("list-item", "list-item", "list-item"),
    ("flow", "block", "block"),
    ("flow list-item", "list-item", "list-item"),
    ("flow-root", "flow-root", "flow-root"),
    ("flow-root list-item", "flow-root list-item", "flow-root list-item"),
    ("table", "table", "table"),
    ("flex", "flex", "flex"),
    ("GRID", "grid", "grid"),
    ("ruby", "ruby", "block ruby"),
    ("block", "block", "block"),
    ("block list-item", "list-item", "list-item"),
    ("block flow", "block", "block"),
    ("list-item flow block", "list-item", "list-item"),
    ("block flow-root", "flow-root", "flow-root"),
    ("block flow-root list-item", "flow-root list-item", "flow-root list-item"),
    ("block table", "table", "table"),
    ("block flex", "flex", "flex"),
    ("block grid", "grid", "grid"),
    ("block ruby", "block ruby", "block ruby"),
    ("inline", "inline", "block"),
    ("inline list-item", "inline list-item", "list-item"),
    ("inline flow", "inline", "block"),
    ("inline flow list-item", "inline list-item", "list-item"),
    ("inline flow-root", "inline-block", "block"),
    ("inline flow-root list-item", "inline flow-root list-item", "flow-root list-item"),
    ("inline table", "inline-table", "table"),
    ("flex inline", "inline-flex", "flex"),
    ("inline grid", "inline-grid", "grid"),
    ("inline ruby", "ruby", "block ruby"),
];

#[test]
fn display_4_values() {
    for (declared, computed, of_item) in DISPLAYS {
        let own = format!("display:{declared}");
        let ([_, own], [_, item]) = (styles("", &own), styles("display:flex", &own));
        assert_eq!((own.get(Longhand::Display), own.display().as_str()), (*computed, *computed), "{declared}");
        assert_eq!((item.get(Longhand::Display), item.display().as_str()), (*of_item, *of_item), "{declared}");
    }
    for display in Display::ALL {
        assert_eq!(Display::parse(display.as_str()), Some(*display));
    }
}

#[test]
fn displays_that_chromium_has_not_are_invalid() {
    for declared in ["run-in", "run-in flow", "masonry", "table list-item", "inline flex list-item", "ruby list-item"] {
        assert_eq!(style(&format!("display:inline;display:{declared}")).display(), Display::Inline, "{declared}");
    }
}

#[test]
fn typed_values_follow_the_cascade() {
    let of = |parent: &str, own: &str| {
        let [_, own] = styles(parent, own);
        (own.visibility(), own.direction(), own.position(), own.float())
    };
    use {Direction::*, Float as F, Position as P, Visibility as V};
    let cases = [
        ("", "", (V::Visible, Ltr, P::Static, F::None)),
        ("visibility:hidden;direction:rtl;position:fixed", "", (V::Hidden, Rtl, P::Static, F::None)),
        ("visibility:hidden", "visibility:visible;float:left", (V::Visible, Ltr, P::Static, F::Left)),
        ("visibility:collapse;position:sticky", "position:inherit", (V::Collapse, Ltr, P::Sticky, F::None)),
        ("direction:rtl", "direction:initial;position:sticky;position:unset", (V::Visible, Ltr, P::Static, F::None)),
        // CSS 2, section 9.7.
        ("", "float:left;position:absolute", (V::Visible, Ltr, P::Absolute, F::None)),
    ];
    for (parent, own, expected) in cases {
        assert_eq!(of(parent, own), expected, "{parent} {own}");
    }
    // Overflow 3, section 3.1.
    for (own, expected) in [
        ("overflow:overlay", [Overflow::Auto, Overflow::Auto]),
        ("overflow-x:hidden", [Overflow::Hidden, Overflow::Auto]),
        ("overflow-x:clip", [Overflow::Clip, Overflow::Visible]),
        ("overflow-x:clip;overflow-y:scroll", [Overflow::Hidden, Overflow::Scroll]),
    ] {
        let style = style(own);
        assert_eq!([style.overflow_x(), style.overflow_y()], expected, "{own}");
        assert_eq!(style.get(Longhand::OverflowX), expected[0].as_str(), "{own}");
    }
}

#[test]
fn display_4_box_generation() {
    check_display(|display| !display.generates_box(), &[Display::None, Display::Contents]);
}

#[test]
fn display_4_block_level() {
    use Display::*;
    let expected = [Block, FlowRoot, ListItem, FlowRootListItem, Flex, Grid, WebkitBox, Table, BlockRuby, BlockMath];
    check_display(Display::is_block_level, &expected);
}

#[test]
fn display_4_inline_level() {
    use Display::*;
    let atomic =
        [InlineBlock, InlineFlowRootListItem, InlineFlex, InlineGrid, WebkitInlineBox, InlineTable, Math].to_vec();
    check_display(Display::is_atomic_inline, &atomic);
    check_display(Display::is_inline_level, &[atomic, vec![Inline, InlineListItem, Ruby]].concat());
}

#[test]
fn display_4_block_containers() {
    use Display::*;
    let expected =
        [Block, FlowRoot, ListItem, FlowRootListItem, InlineBlock, InlineFlowRootListItem, TableCell, TableCaption];
    check_display(Display::is_block_container, &expected);
}

#[test]
fn flexbox_and_grid_containers() {
    use Display::*;
    check_display(Display::is_flex_container, &[Flex, InlineFlex]);
    check_display(Display::is_grid_container, &[Grid, InlineGrid]);
    check_display(Display::is_flex_or_grid_container, &[Flex, InlineFlex, Grid, InlineGrid]);
    check_display(Display::is_legacy_flex_container, &[WebkitBox, WebkitInlineBox]);
}

#[test]
fn lists_3_list_items() {
    use Display::*;
    check_display(Display::is_list_item, &[ListItem, FlowRootListItem, InlineListItem, InlineFlowRootListItem]);
}

#[test]
fn tables_3_parts_are_recognized() {
    use Display::*;
    let internal =
        [TableRowGroup, TableHeaderGroup, TableFooterGroup, TableRow, TableCell, TableColumnGroup, TableColumn]
            .to_vec();
    check_display(Display::is_table, &[Table, InlineTable]);
    check_display(Display::is_internal_table, &internal);
    check_display(Display::is_layout_internal, &[internal, vec![TableCaption]].concat());
}

/// (declarations, positioned, absolutely positioned, floating, out of flow, in flow)
type Flow = (&'static str, bool, bool, bool, bool, bool);

#[test]
fn display_4_out_of_flow() {
    let cases: &[Flow] = &[
        ("", false, false, false, false, true),
        ("position:relative", true, false, false, false, true),
        ("position:sticky", true, false, false, false, true),
        ("position:absolute", true, true, false, true, false),
        ("position:fixed", true, true, false, true, false),
        ("float:left", false, false, true, true, false),
        ("float:inline-end", false, false, true, true, false),
        ("float:left;position:relative", true, false, true, true, false),
        ("float:left;position:absolute", true, true, false, true, false),
        // Without a box nothing is taken out of the flow.
        ("display:contents;position:absolute", true, true, false, false, true),
        ("display:contents;float:left", false, false, true, false, true),
        ("display:none;position:absolute", true, true, false, false, false),
        ("display:none", false, false, false, false, false),
    ];
    for (own, positioned, absolute, floating, out, in_flow) in cases {
        let style = style(own);
        assert_eq!(style.is_positioned(), *positioned, "{own}");
        assert_eq!(style.is_absolutely_positioned(), *absolute, "{own}");
        assert_eq!(style.is_floating(), *floating, "{own}");
        assert_eq!(style.is_out_of_flow(), *out, "{own}");
        assert_eq!(style.is_in_flow(), *in_flow, "{own}");
    }
}

#[test]
fn display_4_visibility() {
    for (own, expected) in [("", true), ("visibility:hidden", false), ("visibility:collapse", false)] {
        assert_eq!(style(own).is_visible(), expected, "{own}");
    }
}

#[test]
fn overflow_3_scroll_containers() {
    for (own, expected) in [
        ("", false),
        ("overflow:clip", false),
        ("overflow:hidden", true),
        ("overflow:scroll", true),
        ("overflow:auto", true),
        ("overflow-x:auto", true),
        ("overflow-y:hidden", true),
        ("overflow-x:clip;overflow-y:visible", false),
    ] {
        assert_eq!(style(own).is_scroll_container(), expected, "{own}");
    }
}

#[test]
fn multicol_1_containers() {
    for (own, expected) in [
        ("", false),
        ("columns:2", true),
        ("column-width:9em", true),
        ("columns:auto", false),
        ("columns:2;display:flex", false),
        ("columns:2;display:inline", false),
        ("columns:2;display:inline-block", true),
    ] {
        assert_eq!(style(own).is_multi_column_container(), expected, "{own}");
    }
}

/// (parent, own, stacking context, block formatting context, containing block for fixed and for absolute boxes)
type Contexts = (&'static str, &'static str, bool, bool, bool, bool);

#[rustfmt::skip]
const CONTEXTS: &[Contexts] = &[
    ("", "", false, false, false, false),
    ("", "z-index:1", false, false, false, false),
    ("", "position:relative", false, false, false, true),
    ("", "position:relative;z-index:0", true, false, false, true),
    ("", "position:relative;will-change:z-index", true, false, false, true),
    ("", "position:absolute", false, true, false, true),
    ("", "position:absolute;z-index:0", true, true, false, true),
    ("", "position:fixed", true, true, false, true),
    ("", "position:sticky", true, false, false, true),
    ("", "opacity:.5", true, false, false, false),
    ("", "opacity:1", false, false, false, false),
    ("", "opacity:2", false, false, false, false),
    ("", "mix-blend-mode:multiply", true, false, false, false),
    ("", "isolation:isolate", true, false, false, false),
    ("", "transform:rotate(1deg)", true, false, true, true),
    ("", "transform:none", false, false, false, false),
    ("", "translate:1px", true, false, true, true),
    ("", "rotate:1deg", true, false, true, true),
    ("", "scale:1.1", true, false, true, true),
    ("", "perspective:100px", true, false, true, true),
    ("", "transform-style:preserve-3d", true, false, true, true),
    ("", "offset-path:path('M0 0L9 9')", true, false, true, true),
    ("", "filter:blur(1px)", true, false, true, true),
    ("", "backdrop-filter:blur(1px)", true, false, true, true),
    ("", "clip-path:inset(0)", true, false, false, false),
    ("", "mask-image:linear-gradient(black, black)", true, false, false, false),
    ("", "mask-image:none, none", false, false, false, false),
    ("", "-webkit-mask-box-image-source:linear-gradient(black, black)", true, false, false, false),
    ("", "contain:layout", true, true, true, true),
    ("", "contain:paint", true, true, true, true),
    ("", "contain:content", true, true, true, true),
    ("", "contain:strict", true, true, true, true),
    ("", "contain:style", false, false, false, false),
    ("", "contain:size", false, false, false, false),
    ("", "contain:inline-size", false, false, false, false),
    // Chromium skips their contents when they are not seen; the rest is Containment 2, section 4.
    ("", "content-visibility:auto", true, true, true, true),
    ("", "content-visibility:hidden", true, true, true, true),
    ("", "container-type:inline-size", false, true, false, false),
    ("", "container-type:size", false, true, false, false),
    ("", "view-transition-name:a", true, false, false, false),
    ("", "will-change:auto", false, false, false, false),
    ("", "will-change:top", false, false, false, false),
    ("", "will-change:z-index", false, false, false, false),
    ("", "will-change:contents", false, false, false, false),
    ("", "will-change:scroll-position", false, false, false, false),
    ("", "will-change:container-type", false, false, false, false),
    ("", "will-change:content-visibility", false, false, false, false),
    ("", "will-change:opacity", true, false, false, false),
    ("", "will-change:position", true, false, false, true),
    ("", "will-change:transform", true, false, true, true),
    ("", "will-change:color, transform", true, false, true, true),
    ("", "will-change:-webkit-transform", true, false, true, true),
    ("", "will-change:translate", true, false, true, true),
    ("", "will-change:rotate", true, false, true, true),
    ("", "will-change:scale", true, false, true, true),
    ("", "will-change:perspective", true, false, true, true),
    ("", "will-change:offset-path", true, false, true, true),
    ("", "will-change:offset", true, false, true, true),
    ("", "will-change:transform-style", true, false, true, true),
    ("", "will-change:filter", true, false, true, true),
    ("", "will-change:backdrop-filter", true, false, true, true),
    ("", "will-change:clip-path", true, false, false, false),
    ("", "will-change:mask", true, false, false, false),
    ("", "will-change:-webkit-mask-image", true, false, false, false),
    ("", "will-change:isolation", true, false, false, false),
    ("", "will-change:mix-blend-mode", true, false, false, false),
    ("", "will-change:view-transition-name", true, false, false, false),
    ("", "overflow:hidden", false, true, false, false),
    ("", "overflow:auto", false, true, false, false),
    ("", "overflow:clip", false, false, false, false),
    ("", "overflow-x:hidden;overflow-y:clip", false, true, false, false),
    ("", "float:left", false, true, false, false),
    ("", "display:flow-root", false, true, false, false),
    ("", "display:inline-block", false, true, false, false),
    ("", "display:table-cell", false, true, false, false),
    ("", "display:table-caption", false, true, false, false),
    ("", "display:flow-root list-item", false, true, false, false),
    ("", "display:inline flow-root list-item", false, true, false, false),
    ("", "display:list-item", false, false, false, false),
    ("", "display:list-item;float:left", false, true, false, false),
    ("", "display:list-item;overflow:hidden", false, true, false, false),
    ("", "column-count:2", false, true, false, false),
    ("", "column-width:100px", false, true, false, false),
    ("", "column-span:all", false, true, false, false),
    ("", "align-content:center", false, true, false, false),
    ("", "writing-mode:vertical-rl", false, true, false, false),
    // They establish other formatting contexts than that of blocks.
    ("", "display:flex", false, false, false, false),
    ("", "display:grid", false, false, false, false),
    ("", "display:table", false, false, false, false),
    // Transforms and containment do not apply to inline boxes, nor all of it to parts of tables.
    ("", "display:inline;transform:rotate(1deg)", false, false, false, false),
    ("", "display:inline;perspective:10px", false, false, false, false),
    ("", "display:inline;transform-style:preserve-3d", false, false, false, false),
    ("", "display:inline;will-change:transform", false, false, false, false),
    ("", "display:inline;contain:layout", false, false, false, false),
    ("", "display:inline;will-change:contain", false, false, false, false),
    ("", "display:inline;content-visibility:hidden", false, false, false, false),
    ("", "display:inline;opacity:.5", true, false, false, false),
    ("", "display:inline;isolation:isolate", true, false, false, false),
    ("", "display:inline;filter:blur(1px)", true, false, true, true),
    ("", "display:inline;will-change:filter", true, false, true, true),
    ("", "display:inline;position:relative", false, false, false, true),
    ("", "display:inline;position:relative;z-index:1", true, false, false, true),
    ("", "display:inline;z-index:1", false, false, false, false),
    ("", "display:inline;position:sticky", true, false, false, true),
    ("", "display:inline list-item;transform:rotate(1deg)", false, false, false, false),
    ("", "display:ruby;transform:rotate(1deg)", false, false, false, false),
    ("", "display:block ruby;transform:rotate(1deg)", true, false, true, true),
    ("", "display:inline-block;transform:rotate(1deg)", true, true, true, true),
    ("", "display:inline-table;transform:rotate(1deg)", true, false, true, true),
    ("", "display:inline-flex;contain:layout", true, false, true, true),
    ("", "display:table;contain:layout", true, false, true, true),
    ("", "display:table-row;opacity:.5", true, false, false, false),
    ("", "display:table-row;position:relative;z-index:1", true, false, false, true),
    ("", "display:table-row;contain:layout", false, false, false, false),
    ("", "display:table-row-group;contain:layout", false, false, false, false),
    ("", "display:table-row-group;transform:rotate(1deg)", true, false, true, true),
    ("", "display:table-column;transform:rotate(1deg)", false, false, false, false),
    ("", "display:table-cell;contain:layout", true, true, true, true),
    ("", "display:table-caption;contain:layout", true, true, true, true),
    // Without a box there is none of it.
    ("", "display:none;opacity:.5", false, false, false, false),
    ("", "display:contents;opacity:.5", false, false, false, false),
    ("", "display:contents;transform:rotate(1deg)", false, false, false, false),
    ("", "display:contents;position:relative", false, false, false, false),
    // Items.
    ("display:flex", "", false, true, false, false),
    ("display:grid", "", false, true, false, false),
    ("display:flex", "z-index:1", true, true, false, false),
    ("display:grid", "z-index:0", true, true, false, false),
    ("display:grid", "will-change:z-index", true, true, false, false),
    ("display:flex", "display:inline;z-index:1", true, true, false, false),
    ("display:flex", "display:inline;transform:rotate(1deg)", true, true, true, true),
    ("display:flex", "display:table-row;contain:layout", true, true, true, true),
    ("display:flex", "display:flex", false, false, false, false),
    // What the parent is does not make a context of a child.
    ("opacity:.5;overflow:hidden", "", false, false, false, false),
    ("writing-mode:vertical-rl", "", false, false, false, false),
    ("writing-mode:vertical-rl", "writing-mode:horizontal-tb", false, true, false, false),
];

#[test]
fn css_2_appendix_e_stacking_contexts() {
    for (parent, own, expected, ..) in CONTEXTS {
        let [around, style] = styles(parent, own);
        assert_eq!(style.establishes_stacking_context(Some(&around)), *expected, "{parent} {own}");
    }
    assert!(style("").establishes_stacking_context(None), "the root");
}

#[test]
fn display_4_block_formatting_contexts() {
    for (parent, own, _, expected, ..) in CONTEXTS {
        let [around, style] = styles(parent, own);
        assert_eq!(style.establishes_block_formatting_context(Some(&around)), *expected, "{parent} {own}");
    }
    assert!(style("").establishes_block_formatting_context(None), "the root");
}

#[test]
fn position_3_containing_blocks() {
    for (parent, own, .., fixed, absolute) in CONTEXTS {
        let [_, style] = styles(parent, own);
        assert_eq!(style.is_containing_block_for_fixed(), *fixed, "{parent} {own}");
        assert_eq!(style.is_containing_block_for_absolute(), *absolute, "{parent} {own}");
    }
}

#[test]
fn backgrounds_4_text_clip_is_recognized() {
    for (own, expected) in [("", false), ("background-clip:padding-box", false), ("-webkit-background-clip:text", true)]
    {
        assert_eq!(style(own).clips_background_to_text(), expected, "{own}");
    }
}

#[test]
fn flexbox_1_directions_are_rows_or_columns() {
    for (own, is_row) in [
        ("", true),
        ("flex-direction:row", true),
        ("flex-direction:row-reverse", true),
        ("flex-direction:column", false),
        ("flex-direction:column-reverse", false),
    ] {
        let direction = style(own).flex_direction();
        assert_eq!((direction.is_row(), direction.is_column()), (is_row, !is_row), "{own}");
    }
}

#[test]
fn overflow_3_scrolling_values_are_recognized() {
    for (own, expected) in [
        ("", false),
        ("overflow:visible", false),
        ("overflow:clip", false),
        ("overflow:hidden", true),
        ("overflow:scroll", true),
        ("overflow:auto", true),
        ("overflow:overlay", true),
    ] {
        assert_eq!(style(own).overflow_x().scrolls(), expected, "{own}");
    }
}

#[test]
fn position_3_absolute_values_are_recognized() {
    for (own, expected) in
        [("static", false), ("relative", false), ("absolute", true), ("fixed", true), ("sticky", false)]
    {
        assert_eq!(Position::parse(own).map(Position::is_absolute), Some(expected), "{own}");
    }
    assert_eq!(Position::parse("var(--a)"), None);
}
