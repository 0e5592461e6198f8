//! Computes the share of a box that each colour of a gradient covers (Images 4), transparent parts included.
//!
//! The box is sampled on a grid; a sample between two stops is split between them. The input is computed values, in
//! which every stop is a colour with at most one position.

use super::color::Rgba;
use limner_style::value::{Component, function_name, serialize, split_commas};

/// Number of samples in each direction.
const GRID: usize = 16;
/// Number of samples in one period of a gradient that repeats within a fraction of its box.
const PERIOD_POINTS: usize = 64;
/// Maximum number of stops.
const MAX_STOPS: usize = 32;

/// A colour, which may be translucent, with its share of the box.
pub(super) type ColorShare = (Rgba, f64);

/// Returns the colours of a gradient in a box of that size, in the order of its stops; `None` for other images.
pub(super) fn color_shares(image: &Component, width: f64, height: f64) -> Option<Vec<ColorShare>> {
    let (name, arguments) = image.as_function()?;
    let name = function_name(name);
    let parts = split_commas(arguments);
    let plain = name.trim_start_matches("-webkit-");
    let (is_repeating, kind) = match plain.strip_prefix("repeating-") {
        Some(kind) => (true, kind),
        None => (false, plain),
    };
    let is_prefixed = plain.len() != name.len();
    let first = parts.first().copied().unwrap_or_default();
    let line = if color(first).is_some() { &[][..] } else { first };
    let line = match kind {
        "linear-gradient" => GradientLine::linear(line, is_prefixed, width, height),
        "radial-gradient" => GradientLine::radial(line, width, height),
        "conic-gradient" => GradientLine::conic(line, width, height),
        "gradient" => return Some(evenly(&parts)),
        _ => return None,
    };
    let stops = GradientStops::parse(&parts, line.length());
    Some(stops.shares(&line, is_repeating, width, height))
}

/// Returns the colour of a stop.
fn color(part: &[Component]) -> Option<Rgba> {
    match part.first()? {
        first @ (Component::Function { .. } | Component::Hash(_)) => {
            Rgba::parse(&serialize(std::slice::from_ref(first)))
        }
        _ => None,
    }
}

/// Splits the box evenly between the colours of `-webkit-gradient()`, whose stops are functions.
fn evenly(parts: &[&[Component]]) -> Vec<ColorShare> {
    let inside = |part: &&[Component]| {
        let (_, arguments) = part.first()?.as_function()?;
        split_commas(arguments).into_iter().find_map(color)
    };
    let found: Vec<Rgba> = parts.iter().filter_map(inside).take(MAX_STOPS).collect();
    let share = 1.0 / found.len().max(1) as f64;
    found.into_iter().map(|shade| (shade, share)).collect()
}

/// The gradient line, which maps a point of the box to a position.
enum GradientLine {
    /// A unit vector, and the length of the line.
    Linear { direction: (f64, f64), length: f64 },
    /// The centre, and the radii of the ending shape.
    Radial { center: (f64, f64), radius: (f64, f64) },
    /// The centre, and the starting angle in degrees.
    Conic { center: (f64, f64), from: f64 },
}

impl GradientLine {
    fn linear(line: &[Component], is_prefixed: bool, width: f64, height: f64) -> Self {
        let is = |side: &str| line.iter().any(|word| word.is_ident(side));
        let side = |less: &str, more: &str| f64::from(u8::from(is(more))) - f64::from(u8::from(is(less)));
        let (x, y) = match (line.iter().find_map(degrees), (side("left", "right"), side("top", "bottom"))) {
            (Some(angle), _) if is_prefixed => (angle.to_radians().cos(), -angle.to_radians().sin()),
            (Some(angle), _) => (angle.to_radians().sin(), -angle.to_radians().cos()),
            (None, (0.0, 0.0)) => (0.0, 1.0),
            // Prefixed gradients name the side at which they begin.
            (None, (x, y)) if is_prefixed => (-x, -y),
            (None, (x, y)) => (x, y),
        };
        // Towards a corner, the 50 % line goes through the two neighbouring corners.
        let (x, y) = if x.abs() == 1.0 && y.abs() == 1.0 { (x * height, y * width) } else { (x, y) };
        let norm = x.hypot(y).max(f64::MIN_POSITIVE);
        let direction = (x / norm, y / norm);
        Self::Linear { direction, length: (width * direction.0).abs() + (height * direction.1).abs() }
    }

    fn radial(line: &[Component], width: f64, height: f64) -> Self {
        let center = center(line, width, height);
        let shape = line.split(|word| word.is_ident("at")).next().unwrap_or_default();
        let is = |word: &str| shape.iter().any(|own| own.is_ident(word));
        let sizes: Vec<f64> = shape.iter().zip([width, height]).filter_map(|(size, of)| length(size, of)).collect();
        let farthest = (center.0.max(width - center.0), center.1.max(height - center.1));
        let closest = (center.0.min(width - center.0).max(0.0), center.1.min(height - center.1).max(0.0));
        let sides = if is("closest-side") || is("closest-corner") { closest } else { farthest };
        let to_side = is("closest-side") || is("farthest-side");
        let radius = match sizes.as_slice() {
            [one] => (*one, *one),
            [x, y, ..] => (*x, *y),
            [] if is("circle") && !to_side => (sides.0.hypot(sides.1), sides.0.hypot(sides.1)),
            [] if is("circle") && is("closest-side") => (sides.0.min(sides.1), sides.0.min(sides.1)),
            [] if is("circle") => (sides.0.max(sides.1), sides.0.max(sides.1)),
            [] if to_side => sides,
            [] => (sides.0 * std::f64::consts::SQRT_2, sides.1 * std::f64::consts::SQRT_2),
        };
        Self::Radial { center, radius: (radius.0.max(0.01), radius.1.max(0.01)) }
    }

    fn conic(line: &[Component], width: f64, height: f64) -> Self {
        Self::Conic { center: center(line, width, height), from: line.iter().find_map(degrees).unwrap_or(0.0) }
    }

    /// Returns the length of 100 %: in pixels, or degrees.
    fn length(&self) -> f64 {
        match self {
            Self::Linear { length, .. } => length.max(0.01),
            Self::Radial { radius, .. } => radius.0,
            Self::Conic { .. } => 360.0,
        }
    }

    fn offset_at(&self, x: f64, y: f64, width: f64, height: f64) -> f64 {
        match self {
            Self::Linear { direction, length } => {
                (x - width / 2.0) * direction.0 + (y - height / 2.0) * direction.1 + length / 2.0
            }
            Self::Radial { center, radius } => ((x - center.0) / radius.0).hypot((y - center.1) / radius.1) * radius.0,
            Self::Conic { center, from } => ((x - center.0).atan2(center.1 - y).to_degrees() - from).rem_euclid(360.0),
        }
    }
}

/// Returns the position after `at`, or the centre of the box.
fn center(line: &[Component], width: f64, height: f64) -> (f64, f64) {
    let at = line.iter().position(|word| word.is_ident("at")).map(|at| &line[at + 1..]).unwrap_or_default();
    let axis = |number: usize, of: f64| at.get(number).and_then(|size| length(size, of)).unwrap_or(of / 2.0);
    (axis(0, width), axis(1, height))
}

/// Returns a length in pixels; percentages are of `of`.
pub(super) fn length(component: &Component, of: f64) -> Option<f64> {
    match component {
        Component::Dimension { value, unit } if &**unit == "px" => Some(*value),
        Component::Percentage(percent) => Some(percent / 100.0 * of),
        Component::Number { value: 0.0, .. } => Some(0.0),
        _ => None,
    }
}

fn degrees(component: &Component) -> Option<f64> {
    let Component::Dimension { value, unit } = component else { return None };
    match &**unit {
        "deg" => Some(*value),
        "grad" => Some(value * 0.9),
        "rad" => Some(value.to_degrees()),
        "turn" => Some(value * 360.0),
        _ => None,
    }
}

/// Colours with their positions on the line, in order.
struct GradientStops(Vec<(Rgba, f64)>);

impl GradientStops {
    /// Reads stops and fills in missing positions (Images 4, section 3.5.3).
    fn parse(parts: &[&[Component]], whole: f64) -> Self {
        let place = |part: &[Component]| part.get(1).and_then(|at| degrees(at).or_else(|| length(at, whole)));
        let found = parts.iter().filter_map(|part| Some((color(part)?, place(part))));
        let mut found: Vec<(Rgba, Option<f64>)> = found.take(MAX_STOPS).collect();
        if let Some(first) = found.first_mut() {
            first.1.get_or_insert(0.0);
        }
        if let Some(last) = found.last_mut() {
            last.1.get_or_insert(whole);
        }
        let mut placed: Vec<(Rgba, f64)> = Vec::with_capacity(found.len());
        for (number, (shade, own)) in found.iter().enumerate() {
            let before = placed.last().map_or(f64::NEG_INFINITY, |(_, at)| *at);
            let at = own.unwrap_or_else(|| {
                let next = found[number..].iter().enumerate().find_map(|(far, (_, at))| Some((far, (*at)?)));
                next.map_or(before, |(far, at)| before + (at - before).max(0.0) / (far + 1) as f64)
            });
            placed.push((*shade, at.max(before)));
        }
        Self(placed)
    }

    fn shares(&self, line: &GradientLine, is_repeating: bool, width: f64, height: f64) -> Vec<ColorShare> {
        let (Some((_, start)), Some((_, end))) = (self.0.first(), self.0.last()) else { return Vec::new() };
        let period = end - start;
        let mut weights = vec![0.0; self.0.len()];
        if is_repeating && period < line.length() / GRID as f64 * 2.0 {
            for point in 0..PERIOD_POINTS {
                self.add_weight(start + (point as f64 + 0.5) / PERIOD_POINTS as f64 * period, &mut weights);
            }
        } else {
            let place = |number: usize, of: f64| (number as f64 + 0.5) / GRID as f64 * of;
            for (row, column) in (0..GRID).flat_map(|row| (0..GRID).map(move |column| (row, column))) {
                let at = line.offset_at(place(column, width), place(row, height), width, height);
                let at = if is_repeating { start + (at - start).rem_euclid(period) } else { at };
                self.add_weight(at, &mut weights);
            }
        }
        let total = weights.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        let rounded = |weight: f64| (weight / total * 1e6).round() / 1e6;
        let color_shares = self.0.iter().zip(weights).map(|((shade, _), weight)| (*shade, rounded(weight)));
        color_shares.filter(|(_, share)| *share > 0.0).collect()
    }

    /// Adds a sample to the weights of the stops on both sides.
    fn add_weight(&self, at: f64, weights: &mut [f64]) {
        let after = self.0.partition_point(|(_, place)| *place <= at);
        match (after.checked_sub(1), self.0.get(after)) {
            (None, _) => weights[0] += 1.0,
            (Some(before), None) => weights[before] += 1.0,
            (Some(before), Some((_, next))) => {
                let share = (at - self.0[before].1) / (next - self.0[before].1).max(f64::MIN_POSITIVE);
                weights[before] += 1.0 - share;
                weights[after] += share;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use limner_style::value::parse_components;

    #[test]
    fn gradient_colors_cover_their_share_of_a_box() {
        for (image, width, height, expected) in [
            ("linear-gradient(rgb(255, 0, 0), rgb(0, 0, 255))", 400.0, 200.0, "#ff0000 50 #0000ff 50"),
            (
                "linear-gradient(90deg, rgb(255, 0, 0), rgb(0, 0, 255), rgb(0, 0, 0))",
                400.0,
                200.0,
                "#ff0000 25 #0000ff 50 #000000 25",
            ),
            ("linear-gradient(to right top, rgb(255, 0, 0), rgb(0, 0, 255))", 400.0, 200.0, "#ff0000 50 #0000ff 50"),
            ("linear-gradient(rgba(0, 0, 0, 0) 80%, rgb(17, 17, 17))", 1440.0, 700.0, "#00000000 90 #111111 10"),
            ("linear-gradient(rgb(229, 231, 235) 1px, rgba(0, 0, 0, 0) 1px)", 16.0, 16.0, "#e5e7eb 6 #00000000 94"),
            ("radial-gradient(rgb(229, 231, 235) 1px, rgba(0, 0, 0, 0) 1px)", 16.0, 16.0, "#e5e7eb 2 #00000000 98"),
            (
                "radial-gradient(circle closest-side, rgb(255, 0, 0) 100%, rgb(0, 0, 255) 100%)",
                100.0,
                100.0,
                "#ff0000 81 #0000ff 19",
            ),
            (
                "radial-gradient(50px 25px at 0px 0px, rgb(255, 0, 0) 100%, rgb(0, 0, 255) 0px)",
                100.0,
                100.0,
                "#ff0000 10 #0000ff 90",
            ),
            ("conic-gradient(rgb(255, 0, 0) 25%, rgb(0, 0, 255) 25%)", 100.0, 100.0, "#ff0000 25 #0000ff 75"),
            (
                "repeating-linear-gradient(45deg, rgb(255, 0, 0), rgb(255, 0, 0) 1px, rgba(0, 0, 0, 0) 1px, rgba(0, 0, 0, 0) 4px)",
                1440.0,
                900.0,
                "#ff0000 25 #00000000 75",
            ),
            (
                "-webkit-linear-gradient(left, rgb(255, 0, 0) 25%, rgb(0, 0, 255) 25%)",
                100.0,
                100.0,
                "#ff0000 25 #0000ff 75",
            ),
            (
                "-webkit-gradient(linear, 0% 0%, 0% 100%, from(rgb(255, 0, 0)), to(rgb(0, 0, 255)))",
                9.0,
                9.0,
                "#ff0000 50 #0000ff 50",
            ),
            ("linear-gradient(rgb(255, 0, 0) 0px, rgb(0, 0, 255) 0px)", 0.0, 0.0, "#0000ff 100"),
        ] {
            let image = parse_components(image).unwrap();
            let mut merged: Vec<ColorShare> = Vec::new();
            for (shade, share) in color_shares(&image[0], width, height).unwrap() {
                match merged.iter_mut().find(|known| known.0 == shade) {
                    Some(known) => known.1 += share,
                    None => merged.push((shade, share)),
                }
            }
            let written: Vec<String> =
                merged.iter().map(|(shade, share)| format!("{} {:.0}", shade.hex(), share * 100.0)).collect();
            assert_eq!(written.join(" "), expected, "{image:?}");
        }
        assert_eq!(color_shares(&parse_components("url(a.png)").unwrap()[0], 9.0, 9.0), None);
    }
}
