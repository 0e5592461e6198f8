//! `/extract`: the design tokens, group by group, each with a picture where its value has a look.

use super::marks::{Mark, quantity};
use super::text;
use crate::view::color::Swatch;
use serde_json::{Map, Value};

/// Maximum number of entries shown per group; the JSON has all.
const MAX_ENTRIES_PER_GROUP: usize = 60;

/// All groups.
pub(crate) struct TokensView {
    pub(crate) colors: Vec<Swatch>,
    pub(crate) more_colors: usize,
    pub(crate) schemes: String,
    pub(crate) groups: Vec<Group>,
}

/// A group of values.
pub(crate) struct Group {
    pub(crate) label: &'static str,
    pub(crate) entries: Vec<Entry>,
    pub(crate) more: usize,
    /// True if no entry has a picture.
    pub(crate) is_plain: bool,
}

/// A value.
pub(crate) struct Entry {
    pub(crate) value: String,
    /// Its custom property.
    pub(crate) name: String,
    pub(crate) uses: String,
    pub(crate) mark: Mark,
}

/// Fields and labels, and true for scales, which are sorted.
const GROUPS: [(&str, &str, bool); 16] = [
    ("fontFamilies", "Font families", false),
    ("fontSizes", "Font sizes", true),
    ("fontWeights", "Font weights", true),
    ("lineHeights", "Line heights", true),
    ("letterSpacings", "Letter spacing", true),
    ("spacing", "Spacing", true),
    ("borderRadiuses", "Corner radii", true),
    ("borderWidths", "Border widths", true),
    ("boxShadows", "Box shadows", false),
    ("textShadows", "Text shadows", false),
    ("gradients", "Gradients", false),
    ("opacities", "Opacities", true),
    ("durations", "Durations", true),
    ("easings", "Easings", false),
    ("breakpoints", "Breakpoints", true),
    ("zIndexes", "Stacking order", true),
];

impl TokensView {
    pub(crate) fn new(value: &Value) -> Self {
        let none = Map::new();
        let colors = value["colors"].as_object().unwrap_or(&none);
        let swatch = |(hex, usage): (&String, &Value)| Swatch::new(hex, variable(usage), uses_text(usage));
        let group = |(field, label, is_scale): (&str, &'static str, bool)| {
            Group::new(field, label, is_scale, value[field].as_object().unwrap_or(&none))
        };
        let schemes = value["colorSchemes"].as_array().into_iter().flatten().map(text);
        Self {
            more_colors: colors.len().saturating_sub(MAX_ENTRIES_PER_GROUP),
            colors: colors.iter().take(MAX_ENTRIES_PER_GROUP).filter_map(swatch).collect(),
            schemes: schemes.collect::<Vec<_>>().join(" and "),
            groups: GROUPS.into_iter().map(group).filter(|group| !group.entries.is_empty()).collect(),
        }
    }
}

impl Group {
    fn new(field: &str, label: &'static str, is_scale: bool, values: &Map<String, Value>) -> Self {
        let mut shown: Vec<(&String, &Value)> = values.iter().take(MAX_ENTRIES_PER_GROUP).collect();
        let size = |value: &str| quantity(value).unwrap_or(f64::INFINITY);
        if is_scale {
            shown.sort_by(|(a, _), (b, _)| size(a).total_cmp(&size(b)));
        }
        let largest = shown.iter().filter_map(|(value, _)| quantity(value)).fold(0.0, f64::max);
        let entry = |(value, usage): (&String, &Value)| Entry {
            value: value.clone(),
            name: variable(usage),
            uses: uses_text(usage),
            mark: Mark::new(field, value, largest),
        };
        let entries: Vec<Entry> = shown.into_iter().map(entry).collect();
        let is_plain = entries.iter().all(|entry| entry.mark == Mark::None);
        Self { label, more: values.len().saturating_sub(MAX_ENTRIES_PER_GROUP), entries, is_plain }
    }
}

fn variable(usage: &Value) -> String {
    usage["variables"].as_array().and_then(|variables| variables.first()).map(text).unwrap_or_default()
}

/// Returns the numbers of elements and declarations, and the themes if the value does not belong to all.
fn uses_text(usage: &Value) -> String {
    let counted = |member: &str, one: &str, many: &str| match usage[member].as_u64()? {
        1 => Some(format!("1 {one}")),
        count => Some(format!("{count} {many}")),
    };
    let themes: Vec<String> = usage["themes"].as_array().into_iter().flatten().map(text).collect();
    let parts = [
        counted("used", "element", "elements"),
        counted("count", "declaration", "declarations"),
        Some(themes.join(", ")).filter(|themes| !themes.is_empty()),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn scales_are_sorted_and_uses_are_counted() {
        let tokens = TokensView::new(&json!({
            "spacing": {
                "2rem": { "count": 1, "used": 3, "variables": ["--gap"] },
                "calc(1px + 1em)": { "count": 1 },
                "8px": { "count": 2, "used": 1, "themes": ["dark"] },
            },
            "zIndexes": { "10": { "count": 1 } },
        }));
        let [spacing, stacking] = &tokens.groups[..] else { panic!("two groups") };
        let shown: Vec<(&str, &str, &str)> =
            spacing.entries.iter().map(|entry| (&*entry.value, &*entry.name, &*entry.uses)).collect();
        let expected = [
            ("8px", "", "1 element · 2 declarations · dark"),
            ("2rem", "--gap", "3 elements · 1 declaration"),
            ("calc(1px + 1em)", "", "1 declaration"),
        ];
        assert_eq!(shown, expected);
        assert_eq!(spacing.entries[0].mark, Mark::Bar { length: "28".to_owned() });
        assert!(!spacing.is_plain && stacking.is_plain);
    }
}
