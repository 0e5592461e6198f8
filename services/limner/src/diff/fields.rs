//! The fields that are compared: those that were asked for, and that both results have.

use crate::exit::UsageError;
use limner_types::Operation;
use limner_types::request::HEADER_FIELDS;
use serde_json::Value;

/// Removes fields that are not compared from both results, and returns the others, unless all are compared. A result
/// that was kept with `fields` has fewer than a complete one, which is no difference.
pub(super) fn narrow(
    operation: Operation,
    asked: Option<&[&str]>,
    one: &mut Value,
    other: &mut Value,
) -> Result<Option<Vec<String>>, UsageError> {
    let is_partial = |result: &Value| operation.fields().iter().any(|field| result.get(*field).is_none());
    if let Some(asked) = asked {
        check_names(operation, asked)?;
    }
    // Members of a component are not compared one by one.
    if operation == Operation::Code || asked.is_none() && !is_partial(one) && !is_partial(other) {
        return Ok(None);
    }
    let mut kept: Vec<String> = Vec::new();
    for field in one.as_object().into_iter().flatten().map(|(field, _)| field) {
        let is_asked = asked.is_none_or(|asked| asked.contains(&field.as_str()));
        if !HEADER_FIELDS.contains(&field.as_str()) && is_asked && other.get(field).is_some() {
            kept.push(field.clone());
        }
    }
    if kept.is_empty() {
        let message = "the results have no field in common that is compared: keep them with the same --fields";
        return Err(UsageError(message.to_owned()));
    }
    for result in [one, other] {
        if let Some(members) = result.as_object_mut() {
            members.retain(|field, _| kept.contains(field));
        }
    }
    Ok(Some(kept))
}

/// Files are not read with these parameters, so that nothing else checks them.
fn check_names(operation: Operation, asked: &[&str]) -> Result<(), UsageError> {
    if operation == Operation::Code {
        return Err(UsageError("--fields is for tokens and brand: a section is compared whole".to_owned()));
    }
    let valid = operation.fields();
    match asked.iter().find(|name| !valid.contains(name)) {
        None => Ok(()),
        Some(name) => {
            let message = format!("`{name}` is not a valid value of `--fields`. Valid values: {}.", valid.join(", "));
            Err(UsageError(message))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Returns a complete result of `/extract`.
    fn complete() -> Value {
        let fields = Operation::Extract.fields().iter().map(|field| ((*field).to_owned(), json!({})));
        Value::Object([("url".to_owned(), json!("u"))].into_iter().chain(fields).collect())
    }

    #[test]
    fn only_fields_of_both_sides_are_compared() {
        let narrowed = |asked: Option<&[&str]>, mut one: Value| {
            let mut other = complete();
            narrow(Operation::Extract, asked, &mut one, &mut other).map(|fields| (fields, other)).ok()
        };
        assert_eq!(narrowed(None, complete()), Some((None, complete())));
        let colors = Some(vec!["colors".to_owned()]);
        let kept = json!({ "url": "u", "colors": {} });
        assert_eq!(narrowed(None, kept.clone()), Some((colors.clone(), json!({ "colors": {} }))));
        assert_eq!(narrowed(Some(&["colors"]), complete()), Some((colors, json!({ "colors": {} }))));
        assert_eq!(narrowed(Some(&["spacing"]), kept), None);
        assert_eq!(narrowed(Some(&["colors", "spacng"]), complete()), None, "no such field");
        let (mut one, mut other) = (json!({ "url": "u" }), json!({ "url": "u" }));
        assert!(narrow(Operation::Code, Some(&["css"]), &mut one, &mut other).is_err());
    }
}
