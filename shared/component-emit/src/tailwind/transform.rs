//! Writes transforms: splits `transform` into the properties that have named utilities, and writes
//! those.

use super::arbitrary::arbitrary;
use super::declaration_block::DeclarationBlock;
use super::normalize::GuardedDeclarations;
use super::parse_value::{degrees, function, is_integer, number, percent, plain, px, split_commas, split_spaces};
use super::scale::{is_css_wide, length_suffix};
use limner_component_model::calc_simplify::changes_nothing;
use limner_css_values::value::parse_components;

/// Takes `translate`, `scale`, `rotate` and `transform`.
pub(super) fn take_transforms(block: &mut DeclarationBlock<'_>) {
    translate(block);
    scale(block);
    rotate(block);
    take_skews_and_rotations(block);
}

/// A `transform` split into the properties that are applied before it, in this order, and the
/// remainder.
#[derive(Debug, Default, PartialEq, Eq)]
struct TransformParts {
    translate: Option<AxisPair>,
    rotate: Option<String>,
    scale: Option<AxisPair>,
    remaining: Vec<String>,
    /// All functions are identities. The element is still a stacking context.
    is_layer: bool,
}

/// Values of the x and y axis.
type AxisPair = [Option<String>; 2];

impl TransformParts {
    /// Splits a transform. `None` if the functions are in another order than the properties or set
    /// a value twice.
    fn parse(transform: &str) -> Option<Self> {
        let mut parts = Self::default();
        if transform == "none" {
            return Some(parts);
        }
        for text in split_spaces(transform) {
            let (name, inside) = function(text)?;
            let is_identity = parse_components(text).is_some_and(|own| own.iter().all(changes_nothing));
            if !is_identity {
                parts.add(text, name, &split_commas(inside))?;
            }
        }
        parts.is_layer = parts == Self::default();
        Some(parts)
    }

    fn add(&mut self, text: &str, name: &str, arguments: &[&str]) -> Option<()> {
        let is_late = !self.remaining.is_empty();
        match (name, arguments) {
            ("translate", [x]) => self.add_translation([Some(x), None]),
            ("translate", [x, y]) => self.add_translation([Some(x), Some(y)]),
            ("translateX", [x]) => self.add_translation([Some(x), None]),
            ("translateY", [y]) => self.add_translation([None, Some(y)]),
            ("rotate", [angle]) => {
                let is_first = self.rotate.is_none() && self.scale.is_none() && !is_late;
                self.rotate = Some((*angle).to_owned());
                is_first.then_some(())
            }
            ("scale", [both]) => self.scaled([Some(both), Some(both)]),
            ("scale", [x, y]) => self.scaled([Some(x), Some(y)]),
            ("scaleX", [x]) => self.scaled([Some(x), None]),
            ("scaleY", [y]) => self.scaled([None, Some(y)]),
            ("skewX" | "skewY" | "rotateX" | "rotateY" | "rotateZ", [_]) => {
                self.remaining.push((*text).to_owned());
                Some(())
            }
            _ => None,
        }
    }

    /// Returns the values of `translate`, `rotate`, `scale` and `transform`.
    fn values(self) -> [Option<String>; 4] {
        let rest = (!self.remaining.is_empty()).then(|| self.remaining.join(" "));
        [self.translate.map(|own| pair(own, "0")), self.rotate, self.scale.map(|own| pair(own, "1")), rest]
    }

    fn add_translation(&mut self, by: [Option<&&str>; 2]) -> Option<()> {
        let is_early = self.rotate.is_none() && self.scale.is_none() && self.remaining.is_empty();
        is_early.then_some(())?;
        fill(self.translate.get_or_insert_default(), by)
    }

    fn scaled(&mut self, by: [Option<&&str>; 2]) -> Option<()> {
        self.remaining.is_empty().then_some(())?;
        fill(self.scale.get_or_insert_default(), by)
    }
}

/// Sets the value of axes that have none yet. `None` if an axis already has one.
fn fill(pair: &mut AxisPair, by: [Option<&&str>; 2]) -> Option<()> {
    for (own, value) in pair.iter_mut().zip(by) {
        let Some(value) = value else { continue };
        if own.replace((*value).to_owned()).is_some() {
            return None;
        }
    }
    Some(())
}

/// Returns both axes in the syntax of the property.
fn pair([x, y]: AxisPair, missing: &str) -> String {
    let [x, y] = [x, y].map(|own| own.unwrap_or_else(|| missing.to_owned()));
    format!("{x} {y}")
}

/// Splits `transform` into `translate`, `rotate` and `scale`, which have named utilities: if every
/// rule allows it, and no rule sets these properties or an animation.
pub(super) fn split_transform(guarded: &mut [GuardedDeclarations]) {
    let any = |name: &str| guarded.iter().any(|(_, declarations)| declarations.contains_key(name));
    if !any("transform") || ["translate", "rotate", "scale", "animation-name"].into_iter().any(any) {
        return;
    }
    let parts: Option<Vec<_>> = guarded
        .iter()
        .map(|(_, declarations)| {
            declarations.get("transform").map_or(Some(None), |value| TransformParts::parse(value).map(Some))
        })
        .collect();
    let Some(parts) = parts else { return };
    let known = || parts.iter().flatten();
    let is_layer =
        known().all(|parts| *parts == TransformParts::default() || parts.is_layer) && known().any(|own| own.is_layer);
    let used = [
        ("translate", is_layer || known().any(|parts| parts.translate.is_some()), "0"),
        ("rotate", known().any(|parts| parts.rotate.is_some()), "0deg"),
        ("scale", known().any(|parts| parts.scale.is_some()), "1"),
        ("transform", known().any(|parts| !parts.remaining.is_empty()), "none"),
    ];
    let Some((first, ..)) = used[..3].iter().find(|(_, used, _)| *used) else { return };
    for ((guard, declarations), parts) in guarded.iter_mut().zip(parts) {
        let Some(parts) = parts else { continue };
        declarations.remove("transform");
        let is_layer = parts.is_layer;
        for ((property, used, identity), value) in used.iter().zip(parts.values()) {
            // An unconditional rule needs no identity: it is the initial value.
            let is_said = *used && (!guard.is_open() || (is_layer && property == first));
            let value = value.or_else(|| is_said.then(|| (*identity).to_owned()));
            if let Some(value) = value {
                declarations.insert((*property).to_owned(), value);
            }
        }
    }
    let names: Vec<&str> = used.iter().filter(|(_, used, _)| *used).map(|(name, ..)| *name).collect();
    for (_, declarations) in guarded.iter_mut() {
        if let Some(list) = declarations.get_mut("transition-property") {
            *list = expand_transform_parts(list, &names);
        }
    }
}

/// Expands `transform` to its parts in a list of transitioned properties. Alone it may stay: its
/// utility names all of them.
fn expand_transform_parts(list: &str, parts: &[&str]) -> String {
    let names = split_commas(list);
    if names.len() < 2 || !names.contains(&"transform") {
        return list.to_owned();
    }
    let expanded: Vec<&str> =
        names.into_iter().flat_map(|name| if name == "transform" { parts.to_vec() } else { vec![name] }).collect();
    expanded.join(", ")
}

/// Writes skews and rotations around an axis. Each has a utility, and Tailwind applies them in a
/// fixed order. One that a block sets carries over to the others, so all blocks must use the same
/// functions.
fn take_skews_and_rotations(block: &mut DeclarationBlock<'_>) {
    let Some(value) = block.get("transform").filter(|value| !is_css_wide(value) && *value != "none") else { return };
    if matches!(value, "translateZ(0)" | "translateZ(0px)" | "translate3d(0, 0, 0)" | "translate3d(0px, 0px, 0px)") {
        block.take("transform");
        return block.add("transform-gpu", &["transform"]);
    }
    let Some(functions) = split_spaces(value).into_iter().map(function).collect::<Option<Vec<_>>>() else { return };
    if let [("skewX", x), ("skewY", y)] = functions.as_slice()
        && x == y
        && block.facts.has_uniform_transforms
        && let Some(class) = angle("skew", x)
    {
        block.take("transform");
        return block.add(class, &["--tw-skew-x", "--tw-skew-y", "transform"]);
    }
    let places: Option<Vec<usize>> =
        functions.iter().map(|(name, _)| ROTATIONS.iter().position(|(known, ..)| known == name)).collect();
    let Some(places) = places.filter(|places| places.is_sorted_by(|a, b| a < b) && block.facts.has_uniform_transforms)
    else {
        return;
    };
    let classes: Option<Vec<String>> =
        places.iter().zip(&functions).map(|(at, (_, inside))| angle(ROTATIONS[*at].1, inside)).collect();
    let Some(classes) = classes else { return };
    block.take("transform");
    for (at, class) in places.into_iter().zip(classes) {
        block.add(class, &[ROTATIONS[at].2, "transform"]);
    }
}

/// Functions in the order in which Tailwind applies them, their utilities, and the custom
/// properties of these.
const ROTATIONS: [(&str, &str, &str); 5] = [
    ("rotateX", "rotate-x", "--tw-rotate-x"),
    ("rotateY", "rotate-y", "--tw-rotate-y"),
    ("rotateZ", "rotate-z", "--tw-rotate-z"),
    ("skewX", "skew-x", "--tw-skew-x"),
    ("skewY", "skew-y", "--tw-skew-y"),
];

fn angle(root: &str, value: &str) -> Option<String> {
    Some(match degrees(value).filter(|degrees| is_integer(*degrees)) {
        Some(degrees) if degrees < 0.0 => format!("-{root}-{}", plain(-degrees)),
        Some(degrees) => format!("{root}-{}", plain(degrees)),
        None => format!("{root}-[{}]", arbitrary(value)?),
    })
}

fn translate(block: &mut DeclarationBlock<'_>) {
    let Some(value) = block.get("translate").filter(|value| !is_css_wide(value)) else { return };
    if value == "none" {
        block.take("translate");
        return block.add("translate-none", &["translate"]);
    }
    let (x, y) = match split_spaces(value).as_slice() {
        [x] => ((*x).to_owned(), "0".to_owned()),
        [x, y] => ((*x).to_owned(), (*y).to_owned()),
        _ => return,
    };
    let suffix =
        |value: &str| length_suffix(value, true).or_else(|| arbitrary(value).map(|value| format!("[{value}]")));
    let (Some(x), Some(y)) = (suffix(&x), suffix(&y)) else { return };
    block.take("translate");
    let class = |root: &str, suffix: &str| match suffix.strip_prefix('-') {
        Some(rest) => format!("-{root}-{rest}"),
        None => format!("{root}-{suffix}"),
    };
    if x == y {
        return block.add(class("translate", &x), &["translate", "--tw-translate-x", "--tw-translate-y"]);
    }
    // The other axis needs no utility in the unconditional block, nor where no block moves along
    // it.
    let [moves_x, moves_y] = block.facts.moves;
    if x != "0" || (!block.facts.unconditional && moves_x) {
        block.add(class("translate-x", &x), &["translate", "--tw-translate-x"]);
    }
    if y != "0" || (!block.facts.unconditional && moves_y) {
        block.add(class("translate-y", &y), &["translate", "--tw-translate-y"]);
    }
}

fn scale(block: &mut DeclarationBlock<'_>) {
    let Some(value) = block.get("scale").filter(|value| !is_css_wide(value)) else { return };
    if value == "none" {
        block.take("scale");
        return block.add("scale-none", &["scale"]);
    }
    let parts = split_spaces(value);
    let whole = |part: &str| {
        let share = percent(part).or_else(|| number(part).map(|number| number * 100.0))?;
        is_integer(share).then_some(share.round())
    };
    let class = |root: &str, share: f64| {
        if share < 0.0 { format!("-{root}-{}", plain(-share)) } else { format!("{root}-{}", plain(share)) }
    };
    let shares: Option<Vec<f64>> = parts.iter().map(|part| whole(part)).collect();
    let (x, y) = match shares.as_deref() {
        Some([both]) => (*both, *both),
        Some([x, y]) => (*x, *y),
        _ => {
            if let Some(value) = arbitrary(value) {
                block.take("scale");
                block.add(format!("scale-[{value}]"), &["scale"]);
            }
            return;
        }
    };
    block.take("scale");
    if x == y {
        return block.add(class("scale", x), &["scale", "--tw-scale-x", "--tw-scale-y", "--tw-scale-z"]);
    }
    if x != 100.0 || !block.facts.unconditional {
        block.add(class("scale-x", x), &["scale", "--tw-scale-x"]);
    }
    if y != 100.0 || !block.facts.unconditional {
        block.add(class("scale-y", y), &["scale", "--tw-scale-y"]);
    }
}

fn rotate(block: &mut DeclarationBlock<'_>) {
    let Some(value) = block.get("rotate").filter(|value| !is_css_wide(value)) else { return };
    let class = match degrees(value).filter(|degrees| is_integer(*degrees)) {
        Some(degrees) if degrees < 0.0 => format!("-rotate-{}", plain(-degrees)),
        Some(degrees) => format!("rotate-{}", plain(degrees)),
        None if value == "none" => "rotate-none".to_owned(),
        None => match arbitrary(value) {
            Some(value) => format!("rotate-[{value}]"),
            None => return,
        },
    };
    block.take("rotate");
    block.add(class, &["rotate"]);
}

/// Returns whether a `translate` moves along the x and y axis; values that cannot be parsed may
/// move along both.
pub(super) fn axes(value: &str) -> [bool; 2] {
    let moves = |part: &str| px(part) != Some(0.0) && percent(part) != Some(0.0);
    match split_spaces(value).as_slice() {
        ["none"] => [false; 2],
        [x] if !is_css_wide(x) => [moves(x), false],
        [x, y] => [moves(x), moves(y)],
        _ => [true; 2],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transforms_are_split_in_application_order() {
        for (transform, expected) in [
            ("none", Some(["", "", "", ""])),
            ("translate(-50%)", Some(["-50% 0", "", "", ""])),
            ("translate(4px, 2px) rotate(3deg) scale(-1, 1)", Some(["4px 2px", "3deg", "-1 1", ""])),
            ("translateX(-50%)", Some(["-50% 0", "", "", ""])),
            ("translateY(2px) translateX(1px)", Some(["1px 2px", "", "", ""])),
            ("scaleX(0)", Some(["", "", "0 1", ""])),
            ("scale(2) skewX(3deg)", Some(["", "", "2 2", "skewX(3deg)"])),
            // The form that older versions of Tailwind write: all functions, in this order.
            ("translate(0, -50%) rotate(0) skewX(0) skewY(0) scaleX(1) scaleY(1)", Some(["0 -50%", "", "", ""])),
            ("translate(0, 0) rotate(0) skewX(0) skewY(0) scaleX(.95) scaleY(.95)", Some(["", "", ".95 .95", ""])),
            ("translate(0, 0) rotate(0) scale(1)", Some(["", "", "", ""])),
            ("translate(-50%) translate(1px)", None),
            ("translateX(-50%) translate(1px, 2px)", None),
            ("scale(2) translate(1px)", None),
            ("skewX(3deg) scale(2)", None),
            ("rotate(3deg) rotate(4deg)", None),
            ("matrix(1, 0, 0, 1, 0, 0)", None),
        ] {
            let found = TransformParts::parse(transform).map(|parts| {
                assert_eq!(parts.is_layer, transform.ends_with("scale(1)"), "{transform}");
                parts.values().map(Option::unwrap_or_default)
            });
            assert_eq!(found, expected.map(|parts| parts.map(str::to_owned)), "{transform}");
        }
    }
}
