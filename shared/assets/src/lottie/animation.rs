//! Parses, describes and validates one animation.

use super::validate;
use serde_json::Value;
use serde_json::value::RawValue;

/// Maximum size of an animation, in bytes: the maximum size of a result.
pub(super) const MAX_BYTES: usize = 8 * 1024 * 1024;

/// A parsed animation.
#[derive(Debug)]
pub(super) struct Animation {
    pub(super) name: Option<String>,
    pub(super) version: Option<String>,
    pub(super) width: Option<f64>,
    pub(super) height: Option<f64>,
    pub(super) frame_rate: Option<f64>,
    pub(super) duration_seconds: Option<f64>,
    pub(super) layers: usize,
    pub(super) problems: Vec<String>,
    pub(super) json: Box<RawValue>,
}

/// The reason why a file is no animation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum AnimationError {
    /// It was not fetched.
    #[error("The file could not be read.")]
    Unavailable,
    /// It exceeds a limit.
    #[error("The file goes past the limits: at most 8 MB of one animation are read.")]
    TooLarge,
    /// It is not JSON.
    #[error("The file is not JSON.")]
    NotJson,
    /// It is nested too deeply for parsers.
    #[error("The JSON is nested too deeply.")]
    TooDeep,
    /// It is JSON of another kind.
    #[error("The JSON is not a Lottie animation: it has no layers and timing.")]
    NotLottie,
    /// It is not an archive.
    #[error("The file is not a readable .lottie archive.")]
    NotAnArchive,
    /// It exceeds the limits of archives.
    #[error("The archive goes past the limits on entries, size or compression ratio.")]
    ArchiveTooLarge,
    /// It has paths that lead out of the archive.
    #[error("The archive has entries with unsafe paths.")]
    UnsafePaths,
    /// It is an archive without animations.
    #[error("The archive has no animations.")]
    EmptyArchive,
    /// The manifest names an entry that does not exist.
    #[error("The archive lacks the animation that its manifest names.")]
    MissingEntry,
}

/// Parses an animation.
///
/// # Errors
/// See [`AnimationError`].
pub(super) fn parse(text: &str) -> Result<Animation, AnimationError> {
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.len() > MAX_BYTES {
        return Err(AnimationError::TooLarge);
    }
    let value = parse_value(text)?;
    if !is_lottie(&value) {
        return Err(AnimationError::NotLottie);
    }
    let json = RawValue::from_string(text.to_owned()).map_err(|_| AnimationError::NotJson)?;
    Ok(describe(&value, json))
}

/// Describes an animation that was changed after parsing.
pub(super) fn from_value(value: &Value) -> Result<Animation, AnimationError> {
    if !is_lottie(value) {
        return Err(AnimationError::NotLottie);
    }
    let json = serde_json::value::to_raw_value(value).map_err(|_| AnimationError::NotJson)?;
    Ok(describe(value, json))
}

pub(super) fn parse_value(text: &str) -> Result<Value, AnimationError> {
    serde_json::from_str(text).map_err(|cause| {
        // serde_json distinguishes the recursion limit from syntax errors only in the message.
        if cause.to_string().starts_with("recursion limit") { AnimationError::TooDeep } else { AnimationError::NotJson }
    })
}

/// Returns true if a value has the members of every Lottie version: layers, and most of size and
/// timing.
pub(super) fn is_lottie(value: &Value) -> bool {
    let Some(animation) = value.as_object() else { return false };
    let numbers =
        ["w", "h", "fr", "ip", "op"].iter().filter(|name| animation.get(**name).is_some_and(Value::is_number));
    animation.get("layers").is_some_and(Value::is_array) && numbers.count() >= 3
}

fn describe(value: &Value, json: Box<RawValue>) -> Animation {
    let number = |name: &str| value.get(name).and_then(Value::as_f64);
    let (start, end, rate) = (number("ip"), number("op"), number("fr"));
    let duration_seconds = match (start, end, rate) {
        (Some(start), Some(end), Some(rate)) if rate > 0.0 && end >= start => {
            // Rounded to milliseconds, to remove the error of the division.
            Some(((end - start) / rate * 1000.0).round() / 1000.0)
        }
        _ => None,
    };
    let name = value.get("nm").and_then(Value::as_str);
    Animation {
        name: name.and_then(crate::media::attribute_text::tidy),
        version: version(value),
        width: number("w"),
        height: number("h"),
        frame_rate: rate,
        duration_seconds: duration_seconds.filter(|seconds| seconds.is_finite()),
        layers: value.get("layers").and_then(Value::as_array).map_or(0, Vec::len),
        problems: validate::problems(value),
        json,
    }
}

/// Returns the version: `v` is the exporter's, `ver` the specification's as `MMmmpp`.
fn version(value: &Value) -> Option<String> {
    let of_specification = || {
        let number = value.get("ver")?.as_u64()?;
        Some(format!("{}.{}.{}", number / 10_000, number / 100 % 100, number % 100))
    };
    match value.get("v") {
        Some(Value::String(version)) if !version.is_empty() => Some(version.chars().take(40).collect()),
        Some(Value::Number(version)) => Some(version.to_string()),
        _ => of_specification(),
    }
}
