//! Validates animated properties of the Lottie 1.0 specification and their keyframes.

use super::{Validator, integer, is_vector};
use serde_json::{Map, Value};

/// The value type of a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PropertyKind {
    Scalar,
    Vector,
    Position,
    /// A position, or one property per coordinate.
    SplittablePosition,
    Color,
    Bezier,
    Gradient,
}

use PropertyKind::{Bezier, Color, Gradient, Position, Scalar, SplittablePosition, Vector};

impl Validator {
    pub(super) fn property(&mut self, value: &Value, kind: PropertyKind) {
        let Some(property) = value.as_object() else { return self.problem("must be a property") };
        match kind {
            SplittablePosition if property.get("s") == Some(&Value::Bool(true)) => self.split_position(property),
            SplittablePosition => self.animatable(property, Position),
            // The number of colours is next to the values.
            Gradient => {
                if let Some(count) = property.get("p") {
                    self.check_part("p", |inner| inner.expect(count.is_number(), "must be a number"));
                }
                if let Some(values) = property.get("k") {
                    self.check_part("k", |inner| match values.as_object() {
                        Some(values) => inner.animatable(values, Gradient),
                        None => inner.problem("must be a property"),
                    });
                }
            }
            kind => self.animatable(property, kind),
        }
    }

    fn split_position(&mut self, property: &Map<String, Value>) {
        for member in ["x", "y"] {
            match property.get(member) {
                Some(value) => self.check_part(member, |inner| inner.property(value, Scalar)),
                None => self.problem(&format!("a split position lacks `{member}`")),
            }
        }
    }

    /// Checks `k`, which contains a value or keyframes depending on `a`. A slot may replace both.
    fn animatable(&mut self, property: &Map<String, Value>, kind: PropertyKind) {
        let may_be_slot = matches!(kind, Scalar | Vector | Color);
        let is_slot = may_be_slot && property.contains_key("sid");
        for member in ["a", "k"].iter().filter(|member| !is_slot && !property.contains_key(**member)) {
            self.problem(&format!("a property lacks `{member}`"));
        }
        let is_animated = property.get("a").map(integer);
        if let Some(None | Some(2..) | Some(..=-1)) = is_animated {
            self.check_part("a", |inner| inner.problem("must be 0 or 1"));
            return;
        }
        let Some(value) = property.get("k") else { return };
        match is_animated {
            Some(Some(1)) => self.check_part("k", |inner| inner.keyframes(value, kind)),
            Some(_) => self.check_part("k", |inner| inner.value(value, kind)),
            None => {}
        }
    }

    fn value(&mut self, value: &Value, kind: PropertyKind) {
        match kind {
            Scalar => self.expect(value.is_number(), "must be a number"),
            Vector | Position | SplittablePosition => self.expect(is_vector(value), "must be an array of numbers"),
            Color => self.expect(is_color(value), "must be a colour of 3 or 4 numbers from 0 to 1"),
            Gradient => self.expect(is_unit_interval(value), "must be an array of numbers from 0 to 1"),
            Bezier => self.bezier(value),
        }
    }

    fn keyframes(&mut self, value: &Value, kind: PropertyKind) {
        let Some(frames) = value.as_array() else { return self.problem("must be an array of keyframes") };
        for (index, frame) in frames.iter().enumerate() {
            if self.is_full() {
                return;
            }
            self.check_part(index, |inner| match frame.as_object() {
                Some(frame) => inner.keyframe(frame, kind),
                None => inner.problem("must be a keyframe"),
            });
        }
    }

    fn keyframe(&mut self, frame: &Map<String, Value>, kind: PropertyKind) {
        match frame.get("t") {
            Some(time) => self.check_part("t", |inner| inner.expect(time.is_number(), "must be a number")),
            None => self.problem("a keyframe lacks `t`"),
        }
        if let Some(hold) = frame.get("h") {
            self.check_part("h", |inner| inner.expect(matches!(integer(hold), Some(0 | 1)), "must be 0 or 1"));
        }
        for member in ["i", "o"] {
            if let Some(handle) = frame.get(member) {
                self.check_part(member, |inner| inner.easing_handle(handle));
            }
        }
        let tangents = ["ti", "to"].into_iter().filter(|_| kind == Position);
        for (member, tangent) in tangents.filter_map(|member| Some((member, frame.get(member)?))) {
            self.check_part(member, |inner| inner.expect(is_vector(tangent), "must be an array of numbers"));
        }
        match frame.get("s") {
            Some(value) => self.check_part("s", |inner| inner.keyframe_value(value, kind)),
            None => self.problem("a keyframe lacks `s` (files before Lottie 1.0 leave it out of the last one)"),
        }
    }

    fn keyframe_value(&mut self, value: &Value, kind: PropertyKind) {
        match (kind, value.as_array().map(Vec::as_slice)) {
            (Scalar, _) => self.value(value, Vector),
            (Bezier, Some([shape])) => self.check_part(0, |inner| inner.bezier(shape)),
            (Bezier, _) => self.problem("must be an array of one shape"),
            (kind, _) => self.value(value, kind),
        }
    }

    fn easing_handle(&mut self, handle: &Value) {
        let Some(handle) = handle.as_object() else { return self.problem("must be an easing handle") };
        let all = |value: &Value, holds: fn(f64) -> bool| match value {
            Value::Array(items) => !items.is_empty() && items.iter().all(|item| item.as_f64().is_some_and(holds)),
            value => value.as_f64().is_some_and(holds),
        };
        match handle.get("x") {
            Some(x) => {
                let holds = all(x, |n| (0.0..=1.0).contains(&n));
                self.check_part("x", |inner| inner.expect(holds, "must be numbers from 0 to 1"));
            }
            None => self.problem("an easing handle lacks `x`"),
        }
        match handle.get("y") {
            Some(y) => self.check_part("y", |inner| inner.expect(all(y, |_| true), "must be numbers")),
            None => self.problem("an easing handle lacks `y`"),
        }
    }

    fn bezier(&mut self, value: &Value) {
        let Some(shape) = value.as_object() else { return self.problem("must be a bezier shape") };
        if let Some(closed) = shape.get("c") {
            self.check_part("c", |inner| inner.expect(closed.is_boolean(), "must be true or false"));
        }
        for member in ["i", "v", "o"] {
            let is_points = |value: &Value| value.as_array().is_some_and(|points| points.iter().all(is_vector));
            match shape.get(member) {
                Some(points) => {
                    self.check_part(member, |inner| inner.expect(is_points(points), "must be an array of points"));
                }
                None => self.problem(&format!("a bezier shape lacks `{member}`")),
            }
        }
    }
}

fn is_unit_interval(value: &Value) -> bool {
    let within = |item: &Value| item.as_f64().is_some_and(|n| (0.0..=1.0).contains(&n));
    value.as_array().is_some_and(|items| items.iter().all(within))
}

fn is_color(value: &Value) -> bool {
    is_unit_interval(value) && value.as_array().is_some_and(|items| matches!(items.len(), 3 | 4))
}
