//! Completes the two longhands of `white-space`: together they are a well-known keyword, while the single longhands are
//! hardly known.

use super::style_pair::{RequiredValues, StylePair};
use crate::capture::environments::EnvMap;
use limner_style::property::Longhand;

/// Declares the other longhand where one is declared and both correspond to a keyword.
pub(crate) fn complete(values: &mut RequiredValues, seen: &EnvMap<StylePair>) {
    const PARTS: [Longhand; 2] = [Longhand::WhiteSpaceCollapse, Longhand::TextWrapMode];
    for (own, other) in [(PARTS[0], PARTS[1]), (PARTS[1], PARTS[0])] {
        let Some(texts) = values.get(&own).filter(|_| !values.contains_key(&other)) else { continue };
        let is_word = seen.iter().all(|seen| {
            let [collapse, mode] = PARTS.map(|part| seen.specification.style.get(part));
            mode == "wrap" || matches!(collapse, "collapse" | "preserve")
        });
        if is_word {
            let said = |(text, seen): (&Option<String>, &StylePair)| {
                text.as_ref().map(|_| seen.specification.style.get(other).to_owned())
            };
            values.insert(other, texts.iter().zip(seen).map(said).collect());
        }
    }
}
