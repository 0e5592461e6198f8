//! The two sides of a comparison: a page, or a file with an earlier result.

use crate::cli::DiffArgs;
use crate::exit::{ExitReason, UsageError};
use crate::extract::{self, Source};
use crate::progress::ProgressLine;
use anyhow::{Context, anyhow};
use limner_types::Operation;
use serde_json::Value;
use std::path::Path;

/// One side of a comparison.
pub(super) enum Operand {
    /// The URL of a page.
    Page(String),
    /// An earlier result.
    Kept { result: Value, operation: Operation },
}

impl Operand {
    /// Returns the side that an argument names: a file if there is one, otherwise a page.
    pub(super) fn new(argument: &str) -> Result<Self, ExitReason> {
        let path = Path::new(argument);
        if !path.is_file() {
            return match argument.ends_with(".json") && !argument.contains("://") {
                true => Err(UsageError(format!("there is no file {argument}")).into()),
                false => Ok(Self::Page(argument.to_owned())),
            };
        }
        let text = std::fs::read_to_string(path).with_context(|| format!("reading {argument}"))?;
        let result: Value = serde_json::from_str(&text).with_context(|| format!("{argument} is not JSON"))?;
        let operation = operation_of(&result).ok_or_else(|| {
            anyhow!("{argument} is not a result of `limner extract tokens`, `brand` or `code` with --json or --out")
        })?;
        if operation == Operation::Code {
            check_looks(&result).map_err(|advice| anyhow!("{argument}: {advice}"))?;
        }
        Ok(Self::Kept { result, operation })
    }

    /// Returns the operation of an earlier result.
    pub(super) fn operation(&self) -> Option<Operation> {
        match self {
            Self::Page(_) => None,
            Self::Kept { operation, .. } => Some(*operation),
        }
    }

    /// Returns the earlier result.
    pub(super) fn kept(&self) -> Option<&Value> {
        match self {
            Self::Page(_) => None,
            Self::Kept { result, .. } => Some(result),
        }
    }

    /// Returns the result: the earlier one, or that of the page now. A section is the one that `other` is of.
    pub(super) async fn result(
        &self,
        source: &Source<'_>,
        args: &DiffArgs,
        operation: Operation,
        other: Option<&Value>,
    ) -> Result<Value, ExitReason> {
        let url = match self {
            Self::Page(url) => url,
            Self::Kept { result, .. } => return Ok(result.clone()),
        };
        let parameters = match operation {
            Operation::Code => args.parameters.for_looks(other),
            Operation::Brand => args.parameters.for_brand(other),
            _ => args.parameters.clone(),
        };
        let call = extract::call(operation, &parameters, url)?;
        let progress = ProgressLine::start(format!("Reading {url}"));
        let answer = source.extract(&call, false, &progress).await;
        drop(progress);
        let answer = answer.map_err(|body| extract::refuse(url, &body, args.json))?;
        Ok(serde_json::from_slice(&answer.body).context("the result is not JSON")?)
    }
}

/// Returns the operation of a result, by its members: those that were kept of it, if it has only some.
fn operation_of(result: &Value) -> Option<Operation> {
    result["url"].as_str()?;
    let has = |field: &str| result.get(field).is_some();
    // A list of fonts is a result of `/fonts`, and only a brand has colours by role.
    let is_brand = |field: &str| match field {
        "fonts" => result["fonts"].is_object(),
        "colors" => result["colors"].get("primary").is_some(),
        field => has(field),
    };
    if has("count") {
        None
    } else if has("code") || has("css") {
        Some(Operation::Code)
    } else if Operation::Brand.fields().iter().any(|field| is_brand(field)) {
        Some(Operation::Brand)
    } else if Operation::Extract.fields().iter().any(|field| has(field)) {
        Some(Operation::Extract)
    } else {
        None
    }
}

/// Checks that a component has what its looks are compared by.
fn check_looks(result: &Value) -> Result<(), &'static str> {
    if result.get("framework").is_some_and(|framework| framework != "html") {
        return Err("the looks of a section are compared in HTML: keep it with --framework html");
    }
    match result["css"].is_string() && result["selector"].is_string() {
        true => Ok(()),
        false => Err("the looks of a section are in `css`, and it is found by `selector`: keep it without --fields"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn results_are_known_by_their_members() {
        for (result, operation) in [
            (json!({ "url": "u", "colors": {}, "colorSchemes": [] }), Some(Operation::Extract)),
            (json!({ "url": "u", "spacing": {} }), Some(Operation::Extract)),
            (json!({ "url": "u", "colors": {}, "palette": [] }), Some(Operation::Brand)),
            (json!({ "url": "u", "code": "", "framework": "html", "selector": "main" }), Some(Operation::Code)),
            (json!({ "url": "u", "colors": { "primary": null } }), Some(Operation::Brand)),
            (json!({ "url": "u", "fonts": { "primary": "Lato" } }), Some(Operation::Brand)),
            (json!({ "url": "u", "logo": null }), Some(Operation::Brand)),
            (json!({ "url": "u", "css": null }), Some(Operation::Code)),
            (json!({ "url": "u", "fonts": [] }), None),
            (json!({ "url": "u", "images": [], "count": 0 }), None),
            (json!({ "colors": {} }), None),
            (json!([]), None),
        ] {
            assert_eq!(operation_of(&result), operation, "{result}");
        }
    }

    #[test]
    fn component_needs_a_stylesheet_and_a_selector() {
        for (result, advice) in [
            (json!({ "framework": "html", "css": ".a{}", "selector": "main" }), None),
            (json!({ "framework": "jsx", "css": ".a{}", "selector": "main" }), Some("--framework html")),
            (json!({ "css": ".a{}" }), Some("without --fields")),
            (json!({ "framework": "html", "selector": "main" }), Some("without --fields")),
        ] {
            let checked = check_looks(&result).err();
            assert_eq!(checked.is_some(), advice.is_some(), "{result}");
            assert!(checked.unwrap_or_default().contains(advice.unwrap_or_default()), "{result}");
        }
    }
}
