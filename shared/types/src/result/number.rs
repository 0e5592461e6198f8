//! Serialization of numbers.

use serde::Serializer;

/// Writes `25` rather than `25.0`. For serde's `serialize_with`.
pub(super) fn plain<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    /// Larger integers are not exact.
    const MAX_EXACT_INTEGER: f64 = 9_007_199_254_740_992.0;
    match value {
        Some(number) if number.fract() == 0.0 && number.abs() < MAX_EXACT_INTEGER => {
            serializer.serialize_i64(*number as i64)
        }
        Some(number) => serializer.serialize_f64(*number),
        None => serializer.serialize_none(),
    }
}

/// Like [`plain`], for a number that is always present.
pub(super) fn plain_always<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    plain(&Some(*value), serializer)
}

/// Like [`plain`], for a list.
pub(super) fn plain_list<S: Serializer>(values: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    struct Plain(f64);
    impl serde::Serialize for Plain {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            plain_always(&self.0, serializer)
        }
    }
    serializer.collect_seq(values.iter().copied().map(Plain))
}

#[cfg(test)]
mod tests {
    use serde::Serialize;

    #[derive(Serialize)]
    struct Holder(#[serde(serialize_with = "super::plain")] Option<f64>);

    #[test]
    fn whole_numbers_have_no_point() {
        for (number, written) in [
            (Some(25.0), "25"),
            (Some(-12.0), "-12"),
            (Some(0.0), "0"),
            (Some(29.97), "29.97"),
            (Some(1e300), "1e+300"),
            (None, "null"),
        ] {
            assert_eq!(serde_json::to_string(&Holder(number)).unwrap(), written);
        }
    }
}
