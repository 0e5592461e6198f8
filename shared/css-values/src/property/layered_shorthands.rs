//! Layered shorthands: backgrounds, masks, transitions and animations.

use super::longhand_values::{LonghandValue, initial, prefix};
use crate::color;
use crate::value::component::{Component, split_commas};
use crate::value::syntax::Grammar;
use std::sync::LazyLock;

pub(super) const BACKGROUND: &[&str] = &[
    "background-image",
    "background-position-x",
    "background-position-y",
    "background-size",
    "background-repeat",
    "background-attachment",
    "background-origin",
    "background-clip",
    "background-color",
];
pub(super) const MASK: &[&str] = &[
    "mask-image",
    "mask-position",
    "mask-size",
    "mask-repeat",
    "mask-origin",
    "mask-clip",
    "mask-composite",
    "mask-mode",
];
pub(super) const TRANSITION: &[&str] = &[
    "transition-duration",
    "transition-timing-function",
    "transition-delay",
    "transition-behavior",
    "transition-property",
];
pub(super) const ANIMATION: &[&str] = &[
    "animation-duration",
    "animation-timing-function",
    "animation-delay",
    "animation-iteration-count",
    "animation-direction",
    "animation-fill-mode",
    "animation-play-state",
    "animation-name",
    "animation-timeline",
    "animation-range-start",
    "animation-range-end",
    "animation-composition",
];

static POSITION: LazyLock<Grammar> = LazyLock::new(|| Grammar::parse("<position>").unwrap_or(Grammar::One(Vec::new())));
static SIZE: LazyLock<Grammar> = LazyLock::new(|| Grammar::parse("<bg-size>").unwrap_or(Grammar::One(Vec::new())));

/// One layer's values by longhand.
struct Layer<'p> {
    parts: &'p [&'static str],
    values: Vec<Option<Vec<Component>>>,
}

impl<'p> Layer<'p> {
    fn new(parts: &'p [&'static str]) -> Self {
        Self { parts, values: vec![None; parts.len()] }
    }

    fn index(&self, name: &str) -> usize {
        self.parts.iter().position(|part| *part == name).unwrap_or(0)
    }

    fn is_open(&self, name: &str) -> bool {
        self.values[self.index(name)].is_none()
    }

    fn set(&mut self, name: &str, value: &[Component]) {
        let index = self.index(name);
        self.values[index] = Some(value.to_vec());
    }
}

/// Joins layers into one comma-separated list for each longhand.
fn join_layers(parts: &[&'static str], layers: Vec<Layer<'_>>) -> Vec<LonghandValue> {
    let mut all: Vec<LonghandValue> = parts.iter().map(|part| (*part, Vec::new())).collect();
    for (at, layer) in layers.into_iter().enumerate() {
        for ((part, list), value) in all.iter_mut().zip(layer.values) {
            if at > 0 {
                list.push(Component::Comma);
            }
            list.extend(value.unwrap_or_else(|| initial(part)));
        }
    }
    all
}

pub(super) fn background(value: &[Component]) -> Option<Vec<LonghandValue>> {
    let parts = split_commas(value);
    let last = parts.len() - 1;
    let mut color = initial("background-color");
    let mut layers = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let (layer, own_color) = background_layer(part)?;
        if let Some(own_color) = own_color {
            if index != last {
                return None;
            }
            color = vec![own_color];
        }
        layers.push(layer);
    }
    let mut all = join_layers(&BACKGROUND[..8], layers);
    all.push(("background-color", color));
    Some(all)
}

fn background_layer(value: &[Component]) -> Option<(Layer<'static>, Option<Component>)> {
    let mut layer = Layer::new(&BACKGROUND[..8]);
    let mut own_color = None;
    let mut rest = value;
    if rest.is_empty() {
        return None;
    }
    while let Some(first) = rest.first() {
        let single = ["background-image", "background-repeat", "background-attachment"];
        let open = single.iter().find_map(|name| {
            if layer.is_open(name) { first_layer(name, rest).map(|taken| (*name, taken)) } else { None }
        });
        let taken = if let Some((name, taken)) = open {
            layer.set(name, &rest[..taken]);
            taken
        } else if let Some(taken) = first_layer("background-clip", rest) {
            let boxed = &rest[..taken];
            if layer.is_open("background-origin") && !first.is_ident("text") {
                layer.set("background-origin", boxed);
                layer.set("background-clip", boxed);
            } else {
                layer.set("background-clip", boxed);
            }
            taken
        } else if own_color.is_none() && color::is_color(first) {
            own_color = Some(first.clone());
            1
        } else {
            if !layer.is_open("background-position-x") {
                return None;
            }
            let taken = POSITION.longest(rest)?;
            let (x, y) = position_axes(&rest[..taken])?;
            layer.set("background-position-x", &x);
            layer.set("background-position-y", &y);
            match &rest[taken..] {
                [Component::Slash, size @ ..] => {
                    let length = SIZE.longest(size)?;
                    layer.set("background-size", &size[..length]);
                    taken + 1 + length
                }
                _ => taken,
            }
        };
        rest = &rest[taken..];
    }
    Some((layer, own_color))
}

/// Returns the number of components that one layer of a longhand takes from the start of a value without commas.
fn first_layer(name: &str, value: &[Component]) -> Option<usize> {
    prefix(name, value)
}

/// Returns the horizontal and vertical part of a position.
fn position_axes(value: &[Component]) -> Option<(Vec<Component>, Vec<Component>)> {
    let is_x = |c: &Component| c.is_ident("left") || c.is_ident("right");
    let is_y = |c: &Component| c.is_ident("top") || c.is_ident("bottom");
    let center = || vec![Component::ident("center")];
    match value {
        [one] if is_y(one) => Some((center(), vec![one.clone()])),
        [one] => Some((vec![one.clone()], center())),
        [a, b] if is_y(a) || is_x(b) => Some((vec![b.clone()], vec![a.clone()])),
        [a, b] => Some((vec![a.clone()], vec![b.clone()])),
        more => {
            let (mut x, mut y) = (Vec::new(), Vec::new());
            let mut rest = more;
            while let [keyword, after @ ..] = rest {
                let offset = after.first().filter(|c| c.as_ident().is_none());
                let mut pair = vec![keyword.clone()];
                pair.extend(offset.cloned());
                rest = &after[usize::from(offset.is_some())..];
                let to_x = is_x(keyword) || (!is_y(keyword) && x.is_empty() && !rest.iter().any(is_x));
                if to_x { x = pair } else { y = pair }
            }
            (!x.is_empty() && !y.is_empty()).then_some((x, y))
        }
    }
}

pub(super) fn background_position(value: &[Component]) -> Option<Vec<LonghandValue>> {
    let (mut xs, mut ys) = (Vec::new(), Vec::new());
    for (index, part) in split_commas(value).into_iter().enumerate() {
        if !POSITION.matches(part) {
            return None;
        }
        let (x, y) = position_axes(part)?;
        if index > 0 {
            xs.push(Component::Comma);
            ys.push(Component::Comma);
        }
        xs.extend(x);
        ys.extend(y);
    }
    Some(vec![("background-position-x", xs), ("background-position-y", ys)])
}

pub(super) fn mask(value: &[Component]) -> Option<Vec<LonghandValue>> {
    let mut layers = Vec::new();
    for part in split_commas(value) {
        let mut layer = Layer::new(MASK);
        let mut rest = part;
        if rest.is_empty() {
            return None;
        }
        while !rest.is_empty() {
            let single = ["mask-image", "mask-repeat", "mask-composite", "mask-mode"];
            let open = single.iter().find_map(|name| {
                if layer.is_open(name) { first_layer(name, rest).map(|taken| (*name, taken)) } else { None }
            });
            let taken = if let Some((name, taken)) = open {
                layer.set(name, &rest[..taken]);
                taken
            } else if let Some(taken) = first_layer("mask-clip", rest) {
                if layer.is_open("mask-origin") && !rest[0].is_ident("no-clip") {
                    layer.set("mask-origin", &rest[..taken]);
                }
                layer.set("mask-clip", &rest[..taken]);
                taken
            } else {
                let taken = POSITION.longest(rest).filter(|_| layer.is_open("mask-position"))?;
                layer.set("mask-position", &rest[..taken]);
                match &rest[taken..] {
                    [Component::Slash, size @ ..] => {
                        let length = SIZE.longest(size)?;
                        layer.set("mask-size", &size[..length]);
                        taken + 1 + length
                    }
                    _ => taken,
                }
            };
            rest = &rest[taken..];
        }
        layers.push(layer);
    }
    Some(join_layers(MASK, layers))
}

/// Splits each layer by trying the first `tried` longhands in order; the longhand after those takes any component that
/// is left.
fn split_in_order(value: &[Component], parts: &'static [&'static str], tried: usize) -> Option<Vec<LonghandValue>> {
    let mut layers = Vec::new();
    for part in split_commas(value) {
        let mut layer = Layer::new(parts);
        let mut rest = part;
        if rest.is_empty() {
            return None;
        }
        while !rest.is_empty() {
            let open = parts[..tried].iter().filter(|name| layer.is_open(name));
            let (name, taken) = open.filter_map(|name| Some((*name, first_layer(name, rest)?))).next()?;
            layer.set(name, &rest[..taken]);
            rest = &rest[taken..];
        }
        layers.push(layer);
    }
    Some(join_layers(parts, layers))
}

pub(super) fn transition(value: &[Component]) -> Option<Vec<LonghandValue>> {
    // `none` is only valid as the property of a single transition.
    let is_list = value.contains(&Component::Comma);
    split_in_order(value, TRANSITION, TRANSITION.len())
        .filter(|_| !(is_list && value.iter().any(|c| c.is_ident("none"))))
}

pub(super) fn animation(value: &[Component]) -> Option<Vec<LonghandValue>> {
    split_in_order(value, ANIMATION, 9)
}

/// Splits each range into start and end: `entry 10% exit`. Without an end, the range ends with its named range
/// (Scroll-driven Animations, section 4.3).
pub(super) fn animation_range(value: &[Component]) -> Option<Vec<LonghandValue>> {
    let (mut starts, mut ends) = (Vec::new(), Vec::new());
    for range in split_commas(value) {
        let (start, end) = range.split_at(edge(range)?);
        if !end.is_empty() && edge(end)? != end.len() {
            return None;
        }
        let named = start.first().filter(|first| first.as_ident().is_some() && !first.is_ident("normal"));
        let end = match named {
            _ if !end.is_empty() => end.to_vec(),
            Some(name) => vec![name.clone()],
            None => vec![Component::ident("normal")],
        };
        for (list, edge) in [(&mut starts, start.to_vec()), (&mut ends, end)] {
            list.extend((!list.is_empty()).then_some(Component::Comma));
            list.extend(edge);
        }
    }
    Some(vec![("animation-range-start", starts), ("animation-range-end", ends)])
}

/// Returns the number of components that make up one end of a range: a name, an offset, or both.
fn edge(range: &[Component]) -> Option<usize> {
    let is_named = range.first()?.as_ident().is_some();
    let may_have_offset = is_named && !range[0].is_ident("normal");
    let has_offset = may_have_offset && range.get(1).is_some_and(|offset| offset.as_ident().is_none());
    Some(1 + usize::from(has_offset))
}
