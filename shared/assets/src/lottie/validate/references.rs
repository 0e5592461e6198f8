//! Validates references inside an animation: assets by ID, parents by index.

use super::{Validator, integer};
use serde_json::Value;
use std::collections::HashSet;

/// Checks every `refId` and `parent`.
pub(super) fn check(checker: &mut Validator, animation: &Value) {
    let empty = Vec::new();
    let assets = animation.get("assets").and_then(Value::as_array).unwrap_or(&empty);
    let ids: HashSet<&str> = assets.iter().filter_map(|asset| asset.get("id")?.as_str()).collect();
    composition(checker, animation, &ids);
    checker.check_part("assets", |inner| {
        for (index, asset) in assets.iter().enumerate() {
            inner.check_part(index, |inner| composition(inner, asset, &ids));
        }
    });
}

fn composition(checker: &mut Validator, composition: &Value, ids: &HashSet<&str>) {
    let Some(layers) = composition.get("layers").and_then(Value::as_array) else { return };
    let indices: HashSet<i64> = layers.iter().filter_map(|layer| integer(layer.get("ind")?)).collect();
    checker.check_part("layers", |inner| {
        for (index, layer) in layers.iter().enumerate() {
            inner.check_part(index, |inner| {
                // Only precomposition and image layers refer to assets of the specification.
                let refers = matches!(layer.get("ty").and_then(integer), Some(0 | 2));
                let asset = layer.get("refId").and_then(Value::as_str).filter(|_| refers);
                if asset.is_some_and(|id| !ids.contains(id)) {
                    inner.check_part("refId", |inner| inner.problem("must be the id of an asset"));
                }
                let parent = layer.get("parent").and_then(integer);
                if parent.is_some_and(|parent| !indices.contains(&parent)) {
                    inner.check_part("parent", |inner| inner.problem("must be the `ind` of a layer"));
                }
            });
        }
    });
}
