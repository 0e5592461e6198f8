//! Grid shorthands.

use super::longhand_values::{LonghandValue, ident, initials, split_slash};
use crate::value::Component;

pub(super) const GRID_TEMPLATE: &[&str] = &["grid-template-rows", "grid-template-columns", "grid-template-areas"];
pub(super) const GRID: &[&str] = &[
    "grid-template-rows",
    "grid-template-columns",
    "grid-template-areas",
    "grid-auto-rows",
    "grid-auto-columns",
    "grid-auto-flow",
];

pub(super) fn grid_lines(value: &[Component], parts: &[&'static str]) -> Option<Vec<LonghandValue>> {
    let lines: Vec<&[Component]> = value.split(|component| *component == Component::Slash).collect();
    if lines.len() > parts.len() || lines.iter().any(|line| line.is_empty()) {
        return None;
    }
    let is_name = |line: &[Component]| matches!(line, [Component::Ident(name)] if !name.eq_ignore_ascii_case("auto"));
    let mut all: Vec<LonghandValue> = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        // A missing end repeats the start's name, else is auto.
        let from = if index == 3 { 1 } else { 0 };
        let value = match lines.get(index) {
            Some(line) => line.to_vec(),
            None => all.get(from).filter(|(_, start)| is_name(start)).map_or_else(|| ident("auto"), |(_, v)| v.clone()),
        };
        all.push((part, value));
    }
    Some(all)
}

pub(super) fn grid_template(value: &[Component]) -> Option<Vec<LonghandValue>> {
    let has_areas = value.iter().any(|component| matches!(component, Component::String(_)));
    let (rows, columns) = split_slash(value);
    let none = || ident("none");
    if !has_areas {
        if let [only] = value
            && only.is_ident("none")
        {
            return Some(vec![(GRID_TEMPLATE[0], none()), (GRID_TEMPLATE[1], none()), (GRID_TEMPLATE[2], none())]);
        }
        return Some(vec![
            (GRID_TEMPLATE[0], rows.to_vec()),
            (GRID_TEMPLATE[1], columns?.to_vec()),
            (GRID_TEMPLATE[2], none()),
        ]);
    }
    let areas: Vec<Component> = rows.iter().filter(|c| matches!(c, Component::String(_))).cloned().collect();
    let mut tracks = Vec::new();
    let mut open = false;
    for component in rows {
        match component {
            Component::String(_) => {
                if open {
                    tracks.push(Component::ident("auto"));
                }
                open = true;
            }
            Component::Block('[', _) => {
                if open {
                    tracks.push(Component::ident("auto"));
                    open = false;
                }
                tracks.push(component.clone());
            }
            track => {
                tracks.push(track.clone());
                open = false;
            }
        }
    }
    if open {
        tracks.push(Component::ident("auto"));
    }
    let columns = columns.map_or_else(none, <[_]>::to_vec);
    Some(vec![(GRID_TEMPLATE[0], tracks), (GRID_TEMPLATE[1], columns), (GRID_TEMPLATE[2], areas)])
}

pub(super) fn grid(value: &[Component]) -> Option<Vec<LonghandValue>> {
    let mut all = initials(GRID);
    let flows = |part: &[Component]| part.iter().any(|component| component.is_ident("auto-flow"));
    if !flows(value) {
        for (part, value) in grid_template(value)? {
            if let Some(slot) = all.iter_mut().find(|(known, _)| *known == part) {
                slot.1 = value;
            }
        }
        return Some(all);
    }
    let (rows, columns) = split_slash(value);
    let columns = columns?;
    let (template, automatic, by_row) = if flows(rows) { (columns, rows, true) } else { (rows, columns, false) };
    let dense = automatic.iter().any(|component| component.is_ident("dense"));
    let sizes: Vec<Component> =
        automatic.iter().filter(|c| !c.is_ident("auto-flow") && !c.is_ident("dense")).cloned().collect();
    let (fixed, sized) = if by_row { (1, 3) } else { (0, 4) };
    all[fixed].1 = template.to_vec();
    if !sizes.is_empty() {
        all[sized].1 = sizes;
    }
    let mut flow = ident(if by_row { "row" } else { "column" });
    if dense {
        flow.push(Component::ident("dense"));
    }
    all[5].1 = flow;
    Some(all)
}
