//! `/extract`: the design tokens, group by group.

use super::text;
use crate::view::color::Swatch;
use serde_json::Value;

/// Maximum number of entries shown per group; the JSON has all.
const MAX_ENTRIES_PER_GROUP: usize = 60;

/// All groups.
pub(crate) struct TokensView {
    pub(crate) colors: Vec<Swatch>,
    pub(crate) more_colors: usize,
    pub(crate) schemes: String,
    pub(crate) groups: Vec<Group>,
}

/// A group that is shown as text.
pub(crate) struct Group {
    pub(crate) label: &'static str,
    pub(crate) entries: Vec<(String, String)>,
    pub(crate) more: usize,
}

const GROUPS: [(&str, &str); 16] = [
    ("fontFamilies", "Font families"),
    ("fontSizes", "Font sizes"),
    ("fontWeights", "Font weights"),
    ("lineHeights", "Line heights"),
    ("letterSpacings", "Letter spacing"),
    ("spacing", "Spacing"),
    ("borderRadiuses", "Corner radii"),
    ("borderWidths", "Border widths"),
    ("boxShadows", "Box shadows"),
    ("textShadows", "Text shadows"),
    ("gradients", "Gradients"),
    ("opacities", "Opacities"),
    ("durations", "Durations"),
    ("easings", "Easings"),
    ("breakpoints", "Breakpoints"),
    ("zIndexes", "Stacking"),
];

impl TokensView {
    pub(super) fn new(value: &Value) -> Self {
        let entries = |group: &str| value[group].as_object().cloned().unwrap_or_default();
        let colors = entries("colors");
        let swatch = |(hex, usage): (&String, &Value)| Swatch::new(hex, variable(usage), uses_text(usage));
        let group = |(name, label): (&&str, &&'static str)| {
            let all = entries(name);
            let shown = all
                .iter()
                .take(MAX_ENTRIES_PER_GROUP)
                .map(|(value, usage)| (value.clone(), uses_text(usage)))
                .collect();
            Group { label, more: all.len().saturating_sub(MAX_ENTRIES_PER_GROUP), entries: shown }
        };
        let groups = GROUPS.iter().map(|(name, label)| group((name, label)));
        let schemes = value["colorSchemes"].as_array().into_iter().flatten().map(text);
        Self {
            more_colors: colors.len().saturating_sub(MAX_ENTRIES_PER_GROUP),
            colors: colors.iter().take(MAX_ENTRIES_PER_GROUP).filter_map(swatch).collect(),
            schemes: schemes.collect::<Vec<_>>().join(" and "),
            groups: groups.filter(|group| !group.entries.is_empty()).collect(),
        }
    }
}

fn variable(usage: &Value) -> String {
    usage["variables"].as_array().and_then(|variables| variables.first()).map(text).unwrap_or_default()
}

fn uses_text(usage: &Value) -> String {
    match usage["count"].as_u64() {
        Some(1) => "1 use".to_owned(),
        Some(count) => format!("{count} uses"),
        None => String::new(),
    }
}
