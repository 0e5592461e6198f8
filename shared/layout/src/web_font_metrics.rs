//! Web fonts of pages. They are not fetched: text is laid out in an installed fallback font, adjusted to the width and
//! height of the web font by a table of the most used families.

use crate::fonts::{Fonts, family_names, is_generic};
use limner_style::StyleIndex;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// Sorted by family, in lower case and with letters and digits only.
const TABLE: &str = include_str!("web_fonts.txt");

/// Metrics of a family, in em.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FontMetrics {
    ascent: f64,
    descent: f64,
    line_gap: f64,
    regular: f64,
    bold: Option<f64>,
}

/// Mean character widths of web fonts, for families that are not in the table.
const DEFAULT_ADVANCE: f64 = 0.46;
const USUAL_BOLD_CHARACTER: f64 = 0.48;

/// Suffixes that are part of file names or formats, not of the family name.
const ENDINGS: &[&str] =
    &["variable", "regular", "webfont", "web", "var", "vf", "fallback", "medium", "semibold", "bold", "light"];

/// Renamed families, with their names in the table.
const RENAMED: &[(&str, &str)] = &[("sourcesanspro", "sourcesans3"), ("sourceserifpro", "sourceserif4")];

impl FontMetrics {
    /// Looks up a family by its name. Build tools use various spellings: `OpenSans`, `Inter Variable`,
    /// `__Inter_1a2b3c`.
    fn for_family(name: &str) -> Option<Self> {
        let key = |name: &str| -> String {
            name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
        };
        let written = name.strip_prefix("__").and_then(|name| name.split('_').next()).unwrap_or(name);
        let whole = key(written);
        let mut stem = whole.as_str();
        loop {
            if let Some(metrics) = Self::find(stem) {
                return Some(metrics);
            }
            stem = ENDINGS.iter().find_map(|ending| stem.strip_suffix(ending))?;
        }
    }

    fn find(key: &str) -> Option<Self> {
        static ROWS: LazyLock<Vec<&str>> =
            LazyLock::new(|| TABLE.lines().filter(|line| !line.starts_with('#')).collect());
        let key = RENAMED.iter().find(|(old, _)| *old == key).map_or(key, |(_, new)| new);
        let family = |row: &'static str| row.split(' ').next().unwrap_or_default();
        let row = ROWS.binary_search_by(|row| family(row).cmp(key)).ok().map(|at| ROWS[at])?;
        let mut numbers = row.split(' ').skip(1).map_while(|number| number.parse::<f64>().ok()).map(|n| n / 10_000.0);
        Some(Self {
            ascent: numbers.next()?,
            descent: numbers.next()?,
            line_gap: numbers.next()?,
            regular: numbers.next()?,
            bold: numbers.next().filter(|width| *width > 0.0),
        })
    }

    /// Returns the mean width of a character. Weights between regular and bold are interpolated.
    fn character(&self, weight: f64) -> f64 {
        let bold = self.bold.unwrap_or(self.regular);
        self.regular + (bold - self.regular) * ((weight - 400.0) / 300.0).clamp(-1.0, 1.5)
    }

    /// Returns `line-height: normal` at a font size, in pixels: each part is rounded, as in Chromium.
    pub(crate) fn line_height(&self, size: f64) -> f64 {
        [self.ascent, self.descent, self.line_gap].into_iter().map(|part| (part * size).round()).sum()
    }
}

/// The difference between text in a web font and in the installed fallback font.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct MetricsAdjustment {
    /// Extra spacing between characters, in em.
    pub(crate) spacing: f64,
    /// Metrics, if the family is known.
    pub(crate) metrics: Option<FontMetrics>,
    /// True for icon fonts with ligatures, where a word stands for an icon of one em.
    pub(crate) is_icons: bool,
}

/// The web fonts of a page.
#[derive(Debug, Default)]
pub(crate) struct WebFonts {
    /// Loaded by `@font-face`, in lower case.
    families: HashSet<String>,
    cache: HashMap<(String, bool), Option<MetricsAdjustment>>,
}

impl WebFonts {
    /// Collects the families of `@font-face` rules that load a file. Rules that only name installed fonts are left out:
    /// they are fallbacks for fonts of other systems, which are not installed here.
    pub(crate) fn from_rules(index: &StyleIndex<'_>) -> Self {
        let brings = |body: &str| body.to_ascii_lowercase().contains("url(");
        let faces = index.at_rules().iter().filter(|rule| &*rule.name == "font-face" && brings(&rule.body));
        let families = faces.filter_map(|face| {
            let mut declarations = face.body.split(';').filter_map(|declaration| declaration.split_once(':'));
            let (_, name) = declarations.find(|(name, _)| name.trim().eq_ignore_ascii_case("font-family"))?;
            family_names(name).into_iter().next().map(|name| name.to_lowercase())
        });
        Self { families: families.collect(), cache: HashMap::new() }
    }

    /// Returns the difference for text in a computed `font-family` of that weight; `None` if no web font is used.
    pub(crate) fn difference(&mut self, computed: &str, weight: f64, fonts: &mut Fonts) -> Option<MetricsAdjustment> {
        if self.families.is_empty() {
            return None;
        }
        let key = (computed.to_owned(), weight >= 600.0);
        if let Some(known) = self.cache.get(&key) {
            return *known;
        }
        let difference = self.web_font(computed, fonts).map(|family| {
            let metrics = FontMetrics::for_family(&family);
            let usual = if key.1 { USUAL_BOLD_CHARACTER } else { DEFAULT_ADVANCE };
            let width = metrics.map_or(usual, |metrics| metrics.character(weight));
            let spacing = width - f64::from(fonts.mean_character(computed, key.1));
            let is_icons = family.starts_with("material icons") || family.starts_with("material symbols");
            // Metrics of unknown families are a guess, and monospaced fallbacks are likely to be as wide.
            let is_sure = metrics.is_some() || !computed.contains("monospace");
            MetricsAdjustment { spacing: if is_sure { spacing.clamp(-0.25, 0.25) } else { 0.0 }, metrics, is_icons }
        });
        self.cache.insert(key, difference);
        difference
    }

    /// Returns the first available family, if it is a web font.
    fn web_font(&self, computed: &str, fonts: &mut Fonts) -> Option<String> {
        for name in family_names(computed) {
            if self.families.contains(&name.to_lowercase()) {
                return Some(name.to_lowercase());
            }
            if is_generic(&name) || fonts.installed(&name).is_some() {
                return None;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_is_sorted_and_complete() {
        let rows: Vec<&str> = TABLE.lines().filter(|line| !line.starts_with('#')).collect();
        let families: Vec<&str> = rows.iter().map(|row| row.split(' ').next().unwrap()).collect();
        assert!(families.is_sorted() && families.len() > 1_500);
        for family in families {
            let metrics = FontMetrics::for_family(family).unwrap_or_else(|| panic!("{family}"));
            assert!(metrics.regular > 0.05 && metrics.line_height(100.0) > 20.0, "{family}: {metrics:?}");
        }
    }

    #[test]
    fn families_are_found_in_all_spellings_of_tools() {
        let inter = FontMetrics::for_family("Inter");
        assert!(inter.is_some());
        for name in ["inter", "Inter Variable", "InterVar", "inter-regular", "__Inter_a1b2c3", "Inter-SemiBold"] {
            assert_eq!(FontMetrics::for_family(name), inter, "{name}");
        }
        assert_eq!(FontMetrics::for_family("OpenSans"), FontMetrics::for_family("Open Sans"));
        for name in ["", "Variable", "Nobody's Own", "__", "日本"] {
            assert_eq!(FontMetrics::for_family(name), None, "{name}");
        }
    }

    #[test]
    fn character_width_grows_with_weight() {
        let inter = FontMetrics::for_family("Inter").unwrap();
        let widths = [100.0, 300.0, 400.0, 600.0, 700.0, 900.0].map(|weight| inter.character(weight));
        assert!(widths.is_sorted(), "{widths:?}");
    }
}
