//! Tells values of a template that are the same for all items from those that differ.

use limner_component_model::ir::Value;

/// Returns the text of a value that is the same for all items.
pub(super) fn fixed(value: &Value) -> Option<&str> {
    match value {
        Value::Fixed(text) => Some(text),
        Value::Field(_) | Value::FixedAndField(..) | Value::Conditional(_) => None,
    }
}
