//! Shorthands: which longhands they set, and to what.

use super::{Longhand, layers};
use crate::value::Component;
use crate::value::component::parse_components;
use crate::value::types::Type;

/// A longhand's name and its value.
pub(super) type Part = (&'static str, Vec<Component>);

/// How a shorthand's value is shared out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// One to four values: top, right, bottom, left.
    Sides,
    /// One or two values.
    Pair,
    /// Values in any order, told apart by what they are.
    AnyOrder,
    /// Something of its own.
    Special,
}

macro_rules! sides {
    ($($prefix:literal $suffix:literal),*) => { [$(
        concat!($prefix, "top", $suffix), concat!($prefix, "right", $suffix),
        concat!($prefix, "bottom", $suffix), concat!($prefix, "left", $suffix),
    )*] };
}

const BORDER: &[&str] = &[
    "border-top-width",
    "border-right-width",
    "border-bottom-width",
    "border-left-width",
    "border-top-style",
    "border-right-style",
    "border-bottom-style",
    "border-left-style",
    "border-top-color",
    "border-right-color",
    "border-bottom-color",
    "border-left-color",
    "border-image-source",
    "border-image-slice",
    "border-image-width",
    "border-image-outset",
    "border-image-repeat",
];
const RADII: &[&str] =
    &["border-top-left-radius", "border-top-right-radius", "border-bottom-right-radius", "border-bottom-left-radius"];
const FONT: &[&str] = &[
    "font-style",
    "font-variant-caps",
    "font-weight",
    "font-stretch",
    "font-size",
    "line-height",
    "font-family",
    "font-variant-ligatures",
    "font-variant-numeric",
    "font-variant-east-asian",
    "font-variant-alternates",
    "font-variant-position",
    "font-variant-emoji",
    "font-feature-settings",
    "font-variation-settings",
    "font-kerning",
    "font-optical-sizing",
    "font-size-adjust",
    "font-language-override",
];
const FONT_VARIANT: &[&str] = &[
    "font-variant-ligatures",
    "font-variant-caps",
    "font-variant-numeric",
    "font-variant-east-asian",
    "font-variant-alternates",
    "font-variant-position",
    "font-variant-emoji",
];
const GRID_TEMPLATE: &[&str] = &["grid-template-rows", "grid-template-columns", "grid-template-areas"];
const GRID: &[&str] = &[
    "grid-template-rows",
    "grid-template-columns",
    "grid-template-areas",
    "grid-auto-rows",
    "grid-auto-columns",
    "grid-auto-flow",
];

/// Name, kind and longhands; sorted by name.
const SHORTHANDS: &[(&str, Kind, &[&str])] = &[
    ("-webkit-text-stroke", Kind::AnyOrder, &["-webkit-text-stroke-width", "-webkit-text-stroke-color"]),
    ("all", Kind::Special, &[]),
    ("animation", Kind::Special, layers::ANIMATION),
    ("animation-range", Kind::Pair, &["animation-range-start", "animation-range-end"]),
    ("background", Kind::Special, layers::BACKGROUND),
    ("background-position", Kind::Special, &["background-position-x", "background-position-y"]),
    ("border", Kind::Special, BORDER),
    (
        "border-block",
        Kind::Special,
        &[
            "border-block-start-width",
            "border-block-end-width",
            "border-block-start-style",
            "border-block-end-style",
            "border-block-start-color",
            "border-block-end-color",
        ],
    ),
    ("border-block-color", Kind::Pair, &["border-block-start-color", "border-block-end-color"]),
    (
        "border-block-end",
        Kind::AnyOrder,
        &["border-block-end-width", "border-block-end-style", "border-block-end-color"],
    ),
    (
        "border-block-start",
        Kind::AnyOrder,
        &["border-block-start-width", "border-block-start-style", "border-block-start-color"],
    ),
    ("border-block-style", Kind::Pair, &["border-block-start-style", "border-block-end-style"]),
    ("border-block-width", Kind::Pair, &["border-block-start-width", "border-block-end-width"]),
    ("border-bottom", Kind::AnyOrder, &["border-bottom-width", "border-bottom-style", "border-bottom-color"]),
    ("border-color", Kind::Sides, &sides!("border-" "-color")),
    (
        "border-image",
        Kind::Special,
        &[
            "border-image-source",
            "border-image-slice",
            "border-image-width",
            "border-image-outset",
            "border-image-repeat",
        ],
    ),
    (
        "border-inline",
        Kind::Special,
        &[
            "border-inline-start-width",
            "border-inline-end-width",
            "border-inline-start-style",
            "border-inline-end-style",
            "border-inline-start-color",
            "border-inline-end-color",
        ],
    ),
    ("border-inline-color", Kind::Pair, &["border-inline-start-color", "border-inline-end-color"]),
    (
        "border-inline-end",
        Kind::AnyOrder,
        &["border-inline-end-width", "border-inline-end-style", "border-inline-end-color"],
    ),
    (
        "border-inline-start",
        Kind::AnyOrder,
        &["border-inline-start-width", "border-inline-start-style", "border-inline-start-color"],
    ),
    ("border-inline-style", Kind::Pair, &["border-inline-start-style", "border-inline-end-style"]),
    ("border-inline-width", Kind::Pair, &["border-inline-start-width", "border-inline-end-width"]),
    ("border-left", Kind::AnyOrder, &["border-left-width", "border-left-style", "border-left-color"]),
    ("border-radius", Kind::Special, RADII),
    ("border-right", Kind::AnyOrder, &["border-right-width", "border-right-style", "border-right-color"]),
    ("border-style", Kind::Sides, &sides!("border-" "-style")),
    ("border-top", Kind::AnyOrder, &["border-top-width", "border-top-style", "border-top-color"]),
    ("border-width", Kind::Sides, &sides!("border-" "-width")),
    ("column-rule", Kind::AnyOrder, &["column-rule-width", "column-rule-style", "column-rule-color"]),
    ("columns", Kind::AnyOrder, &["column-width", "column-count"]),
    ("contain-intrinsic-size", Kind::Pair, &["contain-intrinsic-width", "contain-intrinsic-height"]),
    ("container", Kind::Special, &["container-name", "container-type"]),
    ("flex", Kind::Special, &["flex-grow", "flex-shrink", "flex-basis"]),
    ("flex-flow", Kind::AnyOrder, &["flex-direction", "flex-wrap"]),
    ("font", Kind::Special, FONT),
    ("font-synthesis", Kind::Special, &["font-synthesis-weight", "font-synthesis-style", "font-synthesis-small-caps"]),
    ("font-variant", Kind::Special, FONT_VARIANT),
    ("gap", Kind::Pair, &["row-gap", "column-gap"]),
    ("grid", Kind::Special, GRID),
    ("grid-area", Kind::Special, &["grid-row-start", "grid-column-start", "grid-row-end", "grid-column-end"]),
    ("grid-column", Kind::Special, &["grid-column-start", "grid-column-end"]),
    ("grid-row", Kind::Special, &["grid-row-start", "grid-row-end"]),
    ("grid-template", Kind::Special, GRID_TEMPLATE),
    ("inset", Kind::Sides, &["top", "right", "bottom", "left"]),
    ("inset-block", Kind::Pair, &["inset-block-start", "inset-block-end"]),
    ("inset-inline", Kind::Pair, &["inset-inline-start", "inset-inline-end"]),
    ("list-style", Kind::Special, &["list-style-position", "list-style-image", "list-style-type"]),
    ("margin", Kind::Sides, &sides!("margin-" "")),
    ("margin-block", Kind::Pair, &["margin-block-start", "margin-block-end"]),
    ("margin-inline", Kind::Pair, &["margin-inline-start", "margin-inline-end"]),
    ("marker", Kind::Special, &["marker-start", "marker-mid", "marker-end"]),
    ("mask", Kind::Special, layers::MASK),
    ("offset", Kind::Special, &["offset-path", "offset-distance", "offset-rotate", "offset-anchor", "offset-position"]),
    ("outline", Kind::AnyOrder, &["outline-color", "outline-style", "outline-width"]),
    ("overflow", Kind::Pair, &["overflow-x", "overflow-y"]),
    ("overscroll-behavior", Kind::Pair, &["overscroll-behavior-x", "overscroll-behavior-y"]),
    ("padding", Kind::Sides, &sides!("padding-" "")),
    ("padding-block", Kind::Pair, &["padding-block-start", "padding-block-end"]),
    ("padding-inline", Kind::Pair, &["padding-inline-start", "padding-inline-end"]),
    ("place-content", Kind::Special, &["align-content", "justify-content"]),
    ("place-items", Kind::Special, &["align-items", "justify-items"]),
    ("place-self", Kind::Special, &["align-self", "justify-self"]),
    ("position-try", Kind::AnyOrder, &["position-try-order", "position-try-fallbacks"]),
    ("scroll-margin", Kind::Sides, &sides!("scroll-margin-" "")),
    ("scroll-margin-block", Kind::Pair, &["scroll-margin-block-start", "scroll-margin-block-end"]),
    ("scroll-margin-inline", Kind::Pair, &["scroll-margin-inline-start", "scroll-margin-inline-end"]),
    ("scroll-padding", Kind::Sides, &sides!("scroll-padding-" "")),
    ("scroll-padding-block", Kind::Pair, &["scroll-padding-block-start", "scroll-padding-block-end"]),
    ("scroll-padding-inline", Kind::Pair, &["scroll-padding-inline-start", "scroll-padding-inline-end"]),
    ("scroll-timeline", Kind::AnyOrder, &["scroll-timeline-axis", "scroll-timeline-name"]),
    ("text-box", Kind::AnyOrder, &["text-box-trim", "text-box-edge"]),
    (
        "text-decoration",
        Kind::AnyOrder,
        &["text-decoration-line", "text-decoration-thickness", "text-decoration-style", "text-decoration-color"],
    ),
    ("text-emphasis", Kind::AnyOrder, &["text-emphasis-style", "text-emphasis-color"]),
    ("text-wrap", Kind::AnyOrder, &["text-wrap-mode", "text-wrap-style"]),
    ("transition", Kind::Special, layers::TRANSITION),
    ("view-timeline", Kind::AnyOrder, &["view-timeline-axis", "view-timeline-name"]),
    ("white-space", Kind::Special, &["white-space-collapse", "text-wrap-mode"]),
];

fn find(name: &str) -> Option<&'static (&'static str, Kind, &'static [&'static str])> {
    let index = SHORTHANDS.binary_search_by(|(known, _, _)| (*known).cmp(name)).ok()?;
    Some(&SHORTHANDS[index])
}

/// The longhands of a shorthand.
pub(super) fn longhands(name: &str) -> Option<&'static [&'static str]> {
    find(name).map(|(_, _, parts)| *parts)
}

/// What a shorthand's value sets. Values are held against the longhands' grammars by the caller.
pub(super) fn expand(name: &str, value: &[Component]) -> Option<Vec<Part>> {
    let (name, kind, parts) = find(name)?;
    match kind {
        Kind::Sides => sides(value, parts),
        Kind::Pair => pair(value, parts),
        Kind::AnyOrder => any_order(value, parts),
        Kind::Special => special(name, value, parts),
    }
}

fn special(name: &str, value: &[Component], parts: &'static [&'static str]) -> Option<Vec<Part>> {
    match name {
        "animation" => layers::animation(value),
        "background" => layers::background(value),
        "background-position" => layers::background_position(value),
        "mask" => layers::mask(value),
        "transition" => layers::transition(value),
        "border" => border(value),
        "border-block" | "border-inline" => {
            let one = any_order(value, &["border-top-width", "border-top-style", "border-top-color"])?;
            Some(parts.chunks(2).zip(one).flat_map(|(two, (_, v))| [(two[0], v.clone()), (two[1], v)]).collect())
        }
        "border-image" => border_image(value),
        "border-radius" => radius(value),
        "container" => {
            let (names, kind) = split_slash(value);
            let kind = kind.map_or_else(|| ident("normal"), <[_]>::to_vec);
            Some(vec![("container-name", names.to_vec()), ("container-type", kind)])
        }
        "flex" => flex(value),
        "font" => font(value),
        "font-variant" => font_variant(value),
        "font-synthesis" => Some(font_synthesis(value, parts)),
        "grid" => grid(value),
        "grid-template" => grid_template(value),
        "grid-area" | "grid-column" | "grid-row" => grid_lines(value, parts),
        "list-style" => list_style(value),
        "marker" => Some(parts.iter().map(|part| (*part, value.to_vec())).collect()),
        "offset" => {
            let mut all = initials(parts);
            all[0].1 = value.to_vec();
            Some(all)
        }
        "place-content" | "place-items" | "place-self" => place(value, parts),
        "white-space" => white_space(value),
        _ => None,
    }
}

fn ident(keyword: &str) -> Vec<Component> {
    vec![Component::ident(keyword)]
}

/// The initial value of a longhand.
pub(super) fn initial(part: &str) -> Vec<Component> {
    Longhand::from_name(part).and_then(|longhand| parse_components(longhand.initial())).unwrap_or_default()
}

fn initials(parts: &[&'static str]) -> Vec<Part> {
    parts.iter().map(|part| (*part, initial(part))).collect()
}

fn sides(value: &[Component], parts: &[&'static str]) -> Option<Vec<Part>> {
    let one = |component: &Component| vec![component.clone()];
    let [top, right, bottom, left] = four(value)?;
    Some(vec![(parts[0], one(top)), (parts[1], one(right)), (parts[2], one(bottom)), (parts[3], one(left))])
}

/// One to four values, filled up as for margins.
fn four<T>(values: &[T]) -> Option<[&T; 4]> {
    Some(match values {
        [a] => [a, a, a, a],
        [a, b] => [a, b, a, b],
        [a, b, c] => [a, b, c, b],
        [a, b, c, d] => [a, b, c, d],
        _ => return None,
    })
}

fn pair(value: &[Component], parts: &[&'static str]) -> Option<Vec<Part>> {
    let (a, b) = match value {
        [a] => (a, a),
        [a, b] => (a, b),
        _ => return None,
    };
    Some(vec![(parts[0], vec![a.clone()]), (parts[1], vec![b.clone()])])
}

/// The start of the value that a longhand takes.
pub(super) fn prefix(part: &str, value: &[Component]) -> Option<usize> {
    let longhand = flow_relative_grammar(part)?;
    longhand.grammar().longest(value)
}

/// The longhand whose grammar a part has.
fn flow_relative_grammar(part: &str) -> Option<Longhand> {
    let physical = ["block-start", "block-end", "inline-start", "inline-end"]
        .iter()
        .find(|side| part.contains(**side))
        .map(|side| part.replace(side, "top"));
    Longhand::from_name(physical.as_deref().unwrap_or(part))
}

fn any_order(value: &[Component], parts: &[&'static str]) -> Option<Vec<Part>> {
    let mut found: Vec<Option<Vec<Component>>> = vec![None; parts.len()];
    let mut rest = value;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let open = parts.iter().enumerate().filter(|(index, _)| found[*index].is_none());
        let (index, taken) = open.filter_map(|(index, part)| Some((index, prefix(part, rest)?))).next()?;
        found[index] = Some(rest[..taken].to_vec());
        rest = &rest[taken..];
    }
    let fill = |(part, value): (&&'static str, Option<Vec<Component>>)| {
        let value = value.unwrap_or_else(|| flow_relative_grammar(part).map_or_else(Vec::new, |l| initial(l.name())));
        (*part, value)
    };
    Some(parts.iter().zip(found).map(fill).collect())
}

fn border(value: &[Component]) -> Option<Vec<Part>> {
    let one = any_order(value, &["border-top-width", "border-top-style", "border-top-color"])?;
    let mut all: Vec<Part> = BORDER[..12]
        .chunks(4)
        .zip(&one)
        .flat_map(|(four, (_, v))| four.iter().map(|part| (*part, v.clone())))
        .collect();
    all.extend(initials(&BORDER[12..]));
    Some(all)
}

fn split_slash(value: &[Component]) -> (&[Component], Option<&[Component]>) {
    match value.iter().position(|component| *component == Component::Slash) {
        Some(at) => (&value[..at], Some(&value[at + 1..])),
        None => (value, None),
    }
}

fn radius(value: &[Component]) -> Option<Vec<Part>> {
    let (horizontal, vertical) = split_slash(value);
    let horizontal = four(horizontal)?;
    let vertical = match vertical {
        Some(vertical) => Some(four(vertical)?),
        None => None,
    };
    let corner = |index: usize| {
        let mut radii = vec![horizontal[index].clone()];
        radii.extend(vertical.map(|vertical| vertical[index].clone()));
        radii
    };
    Some(RADII.iter().enumerate().map(|(index, part)| (*part, corner(index))).collect())
}

fn border_image(value: &[Component]) -> Option<Vec<Part>> {
    let parts = &["border-image-source", "border-image-slice", "border-image-repeat"];
    let sections: Vec<&[Component]> = value.split(|component| *component == Component::Slash).collect();
    let (last, middle) = sections.split_last()?;
    let mut plain = middle.first().map_or_else(Vec::new, |first| first.to_vec());
    // After slashes come width and outset; what follows them is the rest.
    let sizes = |section: &[Component]| {
        let size = |c: &Component| {
            Type::LengthPercentage.matches(c, true) || Type::Number.matches(c, true) || c.is_ident("auto")
        };
        section.iter().take_while(|c| size(c)).count()
    };
    let (mut width, mut outset) = (initial("border-image-width"), initial("border-image-outset"));
    if middle.is_empty() {
        plain = last.to_vec();
    } else {
        let taken = sizes(last);
        plain.extend(last[taken..].iter().cloned());
        let mut given = middle[1..].iter().map(|section| section.to_vec()).collect::<Vec<_>>();
        given.push(last[..taken].to_vec());
        if let Some(first) = given.first().filter(|first| !first.is_empty()) {
            width.clone_from(first);
        }
        if let Some(second) = given.get(1) {
            outset.clone_from(second);
        }
    }
    let mut all = any_order(&plain, parts)?;
    all.push(("border-image-width", width));
    all.push(("border-image-outset", outset));
    Some(all)
}

fn flex(value: &[Component]) -> Option<Vec<Part>> {
    let set = |grow: f64, shrink: f64, basis: Vec<Component>| {
        Some(vec![
            ("flex-grow", vec![Component::number(grow)]),
            ("flex-shrink", vec![Component::number(shrink)]),
            ("flex-basis", basis),
        ])
    };
    if let [only] = value {
        match only.as_ident().map(str::to_ascii_lowercase).as_deref() {
            Some("none") => return set(0.0, 0.0, ident("auto")),
            Some("auto") => return set(1.0, 1.0, ident("auto")),
            _ => {}
        }
    }
    let (mut grow, mut shrink, mut basis): (Option<&Component>, Option<&Component>, Option<&Component>) =
        (None, None, None);
    for component in value {
        if Type::Number.matches(component, true)
            && shrink.is_none()
            && !(grow.is_some() && basis.is_some() && shrink.is_some())
        {
            if grow.is_none() {
                grow = Some(component);
            } else {
                shrink = Some(component);
            }
        } else if basis.is_none() {
            basis = Some(component);
        } else {
            return None;
        }
    }
    if grow.is_none() && basis.is_none() {
        return None;
    }
    let number = |component: Option<&Component>| component.cloned().unwrap_or(Component::number(1.0));
    let basis = basis.cloned().unwrap_or(Component::Percentage(0.0));
    Some(vec![("flex-grow", vec![number(grow)]), ("flex-shrink", vec![number(shrink)]), ("flex-basis", vec![basis])])
}

fn font(value: &[Component]) -> Option<Vec<Part>> {
    let mut all = initials(FONT);
    let mut set = |name: &str, value: Vec<Component>| {
        if let Some(part) = all.iter_mut().find(|(part, _)| *part == name) {
            part.1 = value;
        }
    };
    if let [only] = value {
        let system = ["caption", "icon", "menu", "message-box", "small-caption", "status-bar"];
        if system.iter().any(|keyword| only.is_ident(keyword)) {
            set("font-size", vec![Component::px(13.333_3)]);
            set("font-family", ident("system-ui"));
            return Some(all);
        }
    }
    let mut rest = value;
    let leading = ["font-style", "font-variant-caps", "font-weight", "font-stretch"];
    let mut given = [false; 4];
    while let Some(first) = rest.first() {
        if first.is_ident("normal") {
            rest = &rest[1..];
            continue;
        }
        let found = leading.iter().enumerate().filter(|(index, _)| !given[*index]).find_map(|(index, name)| {
            // A percentage is a size here, and caps are CSS 2's only.
            let allowed = match *name {
                "font-stretch" => first.as_ident().is_some(),
                "font-variant-caps" => first.is_ident("small-caps"),
                _ => true,
            };
            if allowed { prefix(name, rest).map(|taken| (index, *name, taken)) } else { None }
        });
        let Some((index, name, taken)) = found else { break };
        given[index] = true;
        set(name, rest[..taken].to_vec());
        rest = &rest[taken..];
    }
    let taken = prefix("font-size", rest).filter(|taken| *taken == 1)?;
    set("font-size", rest[..taken].to_vec());
    rest = &rest[taken..];
    if let [Component::Slash, height, after @ ..] = rest {
        set("line-height", vec![height.clone()]);
        rest = after;
    }
    if rest.is_empty() {
        return None;
    }
    set("font-family", rest.to_vec());
    Some(all)
}

fn font_variant(value: &[Component]) -> Option<Vec<Part>> {
    let mut all = initials(FONT_VARIANT);
    if let [only] = value {
        if only.is_ident("normal") {
            return Some(all);
        }
        if only.is_ident("none") {
            all[0].1 = ident("none");
            return Some(all);
        }
    }
    for component in value {
        let name = component.as_ident()?.to_ascii_lowercase();
        let target = match name.as_str() {
            "small-caps" | "all-small-caps" | "petite-caps" | "all-petite-caps" | "unicase" | "titling-caps" => 1,
            "lining-nums" | "oldstyle-nums" | "proportional-nums" | "tabular-nums" | "diagonal-fractions"
            | "stacked-fractions" | "ordinal" | "slashed-zero" => 2,
            "jis78" | "jis83" | "jis90" | "jis04" | "simplified" | "traditional" | "full-width"
            | "proportional-width" | "ruby" => 3,
            "historical-forms" => 4,
            "sub" | "super" => 5,
            "text" | "emoji" | "unicode" => 6,
            ligatures if ligatures.ends_with("ligatures") || ligatures.ends_with("contextual") => 0,
            _ => return None,
        };
        if all[target].1.first().is_some_and(|first| first.is_ident("normal")) {
            all[target].1.clear();
        }
        all[target].1.push(Component::ident(&name));
    }
    Some(all)
}

fn font_synthesis(value: &[Component], parts: &[&'static str]) -> Vec<Part> {
    let on = |word: &str| value.iter().any(|component| component.is_ident(word));
    let set = |part: &&'static str| {
        let word = part.trim_start_matches("font-synthesis-");
        (*part, ident(if on(word) { "auto" } else { "none" }))
    };
    parts.iter().map(set).collect()
}

fn list_style(value: &[Component]) -> Option<Vec<Part>> {
    let nones = value.iter().filter(|component| component.is_ident("none")).count();
    let rest: Vec<Component> = value.iter().filter(|component| !component.is_ident("none")).cloned().collect();
    let parts = &["list-style-position", "list-style-image", "list-style-type"];
    let mut all = if rest.is_empty() { initials(parts) } else { any_order(&rest, parts)? };
    let given = |index: usize| all[index].1 != initial(parts[index]);
    match (nones, given(1), given(2)) {
        (0, _, _) => {}
        (1, _, false) => all[2].1 = ident("none"),
        (1, false, true) => {}
        (2, false, false) => all[2].1 = ident("none"),
        _ => return None,
    }
    Some(all)
}

fn place(value: &[Component], parts: &[&'static str]) -> Option<Vec<Part>> {
    let taken = prefix(parts[0], value)?;
    let (first, rest) = value.split_at(taken);
    let baseline = first.iter().any(|component| component.is_ident("baseline"));
    let second = match rest {
        [] if baseline && parts[1] == "justify-content" => ident("start"),
        [] => first.to_vec(),
        rest => rest.to_vec(),
    };
    Some(vec![(parts[0], first.to_vec()), (parts[1], second)])
}

fn white_space(value: &[Component]) -> Option<Vec<Part>> {
    let set = |collapse: &str, wrap: &str| {
        Some(vec![("white-space-collapse", ident(collapse)), ("text-wrap-mode", ident(wrap))])
    };
    if let [Component::Ident(keyword)] = value {
        match &*keyword.to_ascii_lowercase() {
            "normal" => return set("collapse", "wrap"),
            "nowrap" | "-webkit-nowrap" => return set("collapse", "nowrap"),
            "pre" => return set("preserve", "nowrap"),
            "pre-wrap" => return set("preserve", "wrap"),
            "pre-line" => return set("preserve-breaks", "wrap"),
            "break-spaces" => return set("break-spaces", "wrap"),
            _ => {}
        }
    }
    any_order(value, &["white-space-collapse", "text-wrap-mode"])
}

fn grid_lines(value: &[Component], parts: &[&'static str]) -> Option<Vec<Part>> {
    let lines: Vec<&[Component]> = value.split(|component| *component == Component::Slash).collect();
    if lines.len() > parts.len() || lines.iter().any(|line| line.is_empty()) {
        return None;
    }
    let is_name = |line: &[Component]| matches!(line, [Component::Ident(name)] if !name.eq_ignore_ascii_case("auto"));
    let mut all: Vec<Part> = Vec::new();
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

fn grid_template(value: &[Component]) -> Option<Vec<Part>> {
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

fn grid(value: &[Component]) -> Option<Vec<Part>> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shorthands_are_sorted() {
        assert!(SHORTHANDS.is_sorted_by_key(|(name, _, _)| *name));
    }
}
