//! Streamed content: React sends a fallback first, and its replacement further down the page, with a script that puts it
//! into its place. This does the same while the document is built.
//!
//! `<!--$?--><template id="B:0"></template>…fallback…<!--/$-->` is a boundary, `<div hidden id="S:0">…</div>` its
//! contents; `<template id="P:1"></template>` stands for the contents of `S:1`.

use super::tree_sink::{ArenaSink, Handle};
use std::collections::HashMap;

/// Maximum number of places: pages have a few dozen.
const MAX_PLACES: usize = 2_000;
/// Maximum depth of a place, which is walked once for each.
const MAX_DEPTH: usize = 512;

/// The places and the contents of a page, by the number in their ids.
#[derive(Default)]
struct Streamed {
    /// The templates, in document order; true for boundaries with a fallback.
    places: Vec<(Handle, String, bool)>,
    contents: HashMap<String, Handle>,
}

/// Moves streamed contents into their places.
pub(super) fn put_in_place(sink: &ArenaSink) {
    let streamed = find(sink);
    if streamed.contents.is_empty() {
        return;
    }
    for (place, number, is_boundary) in streamed.places {
        let Some(contents) = streamed.contents.get(&number).copied() else { continue };
        if is_inside(sink, place, contents) {
            continue;
        }
        if is_boundary {
            remove_fallback(sink, place);
        }
        while let Some(child) = sink.first_child(contents) {
            sink.move_before(child, place);
        }
        sink.remove(place);
        sink.remove(contents);
    }
}

fn find(sink: &ArenaSink) -> Streamed {
    let mut found = Streamed::default();
    sink.each_id(|node, name, id, is_hidden| {
        // The application may give its ids a prefix.
        let number = |mark: &str| id.rfind(mark).map(|at| &id[at + mark.len()..]).filter(|number| is_number(number));
        if name == "template" {
            let boundary = number("B:").map(|number| (number, true));
            let place = boundary.or_else(|| number("P:").map(|number| (number, false)));
            if let Some((number, is_boundary)) = place.filter(|_| found.places.len() < MAX_PLACES) {
                found.places.push((node, number.to_owned(), is_boundary));
            }
        } else if let Some(number) = number("S:").filter(|_| is_hidden || is_table_part(name)) {
            found.contents.entry(number.to_owned()).or_insert(node);
        }
    });
    found
}

/// Returns true for the elements that carry parts of tables: the table around them is hidden.
fn is_table_part(name: &str) -> bool {
    matches!(name, "tbody" | "tr" | "colgroup")
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.len() <= 8 && text.bytes().all(|digit| digit.is_ascii_hexdigit())
}

/// Returns true if a place is inside the contents meant for it, or too deep to know.
fn is_inside(sink: &ArenaSink, place: Handle, contents: Handle) -> bool {
    let mut at = Some(place);
    for _ in 0..MAX_DEPTH {
        match at {
            None => return false,
            Some(node) if node == contents => return true,
            Some(node) => at = sink.parent(node),
        }
    }
    true
}

/// Removes what follows a boundary up to its end, `<!--/$-->`. Boundaries nest.
fn remove_fallback(sink: &ArenaSink, boundary: Handle) {
    let mut depth = 0;
    while let Some(next) = sink.next_sibling(boundary) {
        match sink.comment(next).as_deref() {
            Some("/$") if depth == 0 => return,
            Some("/$") => depth -= 1,
            Some("$" | "$?" | "$!" | "$~") => depth += 1,
            _ => {}
        }
        sink.remove(next);
    }
}
