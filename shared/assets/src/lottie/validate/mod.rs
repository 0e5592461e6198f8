//! Validates animations against the Lottie 1.0 specification.
//!
//! The objects of the specification are tables ([`schema`]); this module checks a value against
//! them. Constructs that the specification does not define (other layer and shape types, additional
//! members) are allowed, as it requires. The JSON parser limits the depth.

mod property;
mod references;
mod schema;
#[cfg(test)]
mod tests;

use property::PropertyKind;
use serde_json::{Map, Value};
use std::fmt::Write;

/// Maximum number of problems per animation; validation stops there.
const MAX_PROBLEMS: usize = 20;

/// The constraint on a member.
#[derive(Debug, Clone, Copy)]
enum FieldSchema {
    Number,
    /// A positive number.
    Positive,
    Integer,
    /// An integer of at least this value.
    IntegerFrom(i64),
    Text,
    Boolean,
    /// 0 or 1.
    IntBoolean,
    OneOf(&'static [i64]),
    OneOfWords(&'static [&'static str]),
    HexColor,
    Property(PropertyKind),
    List(&'static FieldSchema),
    Object(&'static ObjectSchema),
    /// An object whose shape depends on its `ty` or another member.
    Kind(fn(&Map<String, Value>) -> Option<&'static ObjectSchema>),
    /// Any members, all of this shape.
    Members(&'static ObjectSchema),
    Anything,
}

/// An object type with its required and optional members.
#[derive(Debug)]
struct ObjectSchema {
    /// The name in messages.
    name: &'static str,
    /// Shapes whose members it inherits.
    extends: &'static [&'static ObjectSchema],
    required: &'static [(&'static str, FieldSchema)],
    optional: &'static [(&'static str, FieldSchema)],
    /// A check beyond individual members.
    also: Option<fn(&mut Validator, &Map<String, Value>)>,
}

/// Returns the problems of an animation, each with a JSON pointer; empty if it is valid.
pub(super) fn problems(animation: &Value) -> Vec<String> {
    let mut checker = Validator { path: String::new(), problems: Vec::new() };
    checker.rule(animation, &FieldSchema::Object(&schema::ANIMATION));
    references::check(&mut checker, animation);
    checker.problems
}

struct Validator {
    path: String,
    problems: Vec<String>,
}

impl Validator {
    fn is_full(&self) -> bool {
        self.problems.len() >= MAX_PROBLEMS
    }

    fn problem(&mut self, message: &str) {
        if !self.is_full() {
            let at = if self.path.is_empty() { "/" } else { &self.path };
            self.problems.push(format!("{at}: {message}"));
        }
    }

    /// Checks a part of the current value.
    fn check_part(&mut self, part: impl std::fmt::Display, check: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        // Writing to a String cannot fail.
        let _ = write!(self.path, "/{part}");
        check(self);
        self.path.truncate(length);
    }

    fn expect(&mut self, holds: bool, message: &str) {
        if !holds {
            self.problem(message);
        }
    }

    fn rule(&mut self, value: &Value, rule: &FieldSchema) {
        if self.is_full() {
            return;
        }
        match rule {
            FieldSchema::Anything => {}
            FieldSchema::Number => self.expect(value.is_number(), "must be a number"),
            FieldSchema::Positive => self.expect(value.as_f64().is_some_and(|n| n > 0.0), "must be a number above 0"),
            FieldSchema::Integer => self.expect(integer(value).is_some(), "must be an integer"),
            FieldSchema::IntegerFrom(least) => {
                self.expect(
                    integer(value).is_some_and(|n| n >= *least),
                    &format!("must be an integer of at least {least}"),
                );
            }
            FieldSchema::Text => self.expect(value.is_string(), "must be a string"),
            FieldSchema::Boolean => self.expect(value.is_boolean(), "must be true or false"),
            FieldSchema::IntBoolean => self.expect(matches!(integer(value), Some(0 | 1)), "must be 0 or 1"),
            FieldSchema::OneOf(allowed) => {
                let holds = integer(value).is_some_and(|n| allowed.contains(&n));
                self.expect(holds, &format!("must be one of {allowed:?}"));
            }
            FieldSchema::OneOfWords(allowed) => {
                let holds = value.as_str().is_some_and(|word| allowed.contains(&word));
                self.expect(holds, &format!("must be one of {allowed:?}"));
            }
            FieldSchema::HexColor => {
                self.expect(value.as_str().is_some_and(is_hex_color), "must be a colour such as #ff00aa")
            }
            FieldSchema::Property(kind) => self.property(value, *kind),
            FieldSchema::List(item) => self.list(value, item),
            FieldSchema::Object(shape) => self.object(value, shape),
            FieldSchema::Kind(kind_of) => match value.as_object() {
                Some(object) => {
                    if let Some(shape) = kind_of(object) {
                        self.object(value, shape);
                    }
                }
                None => self.problem("must be an object"),
            },
            FieldSchema::Members(shape) => match value.as_object() {
                Some(members) => {
                    members.iter().for_each(|(name, value)| self.check_part(name, |inner| inner.object(value, shape)));
                }
                None => self.problem("must be an object"),
            },
        }
    }

    fn list(&mut self, value: &Value, item: &FieldSchema) {
        let Some(items) = value.as_array() else { return self.problem("must be an array") };
        for (index, value) in items.iter().enumerate() {
            if self.is_full() {
                return;
            }
            self.check_part(index, |inner| inner.rule(value, item));
        }
    }

    fn object(&mut self, value: &Value, shape: &ObjectSchema) {
        let Some(object) = value.as_object() else { return self.problem("must be an object") };
        self.members(object, shape, shape.name);
    }

    fn members(&mut self, object: &Map<String, Value>, shape: &ObjectSchema, name: &str) {
        for base in shape.extends {
            self.members(object, base, name);
        }
        for (member, rule) in shape.required {
            match object.get(*member) {
                Some(value) => self.check_part(member, |inner| inner.rule(value, rule)),
                None => self.problem(&format!("{name} lacks `{member}`")),
            }
        }
        for (member, rule) in shape.optional {
            if let Some(value) = object.get(*member) {
                self.check_part(member, |inner| inner.rule(value, rule));
            }
        }
        if let Some(check) = shape.also {
            check(self, object);
        }
    }
}

/// Returns an integer as in JSON Schema: 3 and 3.0.
fn integer(value: &Value) -> Option<i64> {
    let number = value.as_f64().filter(|n| n.fract() == 0.0 && n.abs() < 9e15)?;
    Some(number as i64)
}

fn is_vector(value: &Value) -> bool {
    value.as_array().is_some_and(|items| items.iter().all(Value::is_number))
}

fn is_hex_color(text: &str) -> bool {
    text.strip_prefix('#').is_some_and(|digits| digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit()))
}
