//! Maps font names to installed fonts.
//!
//! Names are looked up as Chromium does on Linux: an installed family is used directly, then a family with the same
//! metrics under another name (Liberation Sans for Arial); all other names are skipped, since web fonts are not
//! fetched. `sans-serif` is Arial and `serif` is Times New Roman, or their metric-compatible families; `monospace` and
//! `system-ui` are the system's. Other generic families do not exist on Linux. Every list ends with Times New Roman, or
//! with the system's font if that is not installed.
//!
//! The differences of text in web fonts are computed in `web_fonts`.

use limner_style::ZeroAdvances;
use parley::FontContext;
use parley::fontique::{
    Blob, Collection, CollectionOptions, FontStyle, FontWeight, FontWidth, GenericFamily, SourceCache,
};
use skrifa::MetadataProvider;
use skrifa::instance::{LocationRef, Size};
use skrifa::raw::TableProvider;
use std::collections::HashMap;
use std::fmt::Write;
use std::sync::{Arc, LazyLock};

/// Folders that are read if fontconfig is unavailable.
const FOLDERS: &[&str] = &["/usr/share/fonts", "/usr/local/share/fonts"];

/// Families with the same advance widths, in the order of preference.
const SAME_METRICS: &[&[&str]] = &[
    &["Arial", "Liberation Sans", "Arimo", "Helvetica", "Nimbus Sans", "Albany AMT"],
    &["Times New Roman", "Liberation Serif", "Tinos", "Times", "Nimbus Roman", "Thorndale AMT"],
    &["Courier New", "Liberation Mono", "Cousine", "Courier", "Nimbus Mono PS", "Cumberland AMT"],
    &["Calibri", "Carlito"],
    &["Cambria", "Caladea"],
    &["Georgia", "Gelasio"],
];

/// Candidates for generic families, in the order of preference.
const SANS_SERIF: &[&str] = &["Arial", "DejaVu Sans", "Noto Sans", "Roboto", "Open Sans"];
const SERIF: &[&str] = &["Times New Roman", "DejaVu Serif", "Noto Serif"];
const MONOSPACE: &[&str] = &["DejaVu Sans Mono", "Liberation Mono", "Noto Sans Mono", "Courier New"];

const GENERIC: [&str; 4] = ["serif", "sans-serif", "monospace", "system-ui"];

/// Maximum number of installed families for which the advance of `0` is measured.
const MAX_MEASURED: usize = 200;

/// The system's fonts and the mapping of names to them. Creating it reads every installed font; using it is cheap.
pub struct Fonts {
    context: FontContext,
    resolved_names: HashMap<String, Option<String>>,
    lists: HashMap<String, Arc<str>>,
    widths: HashMap<Arc<str>, CharacterWidths>,
    /// Advances of the first characters of Unicode.
    advances: HashMap<Arc<str>, Arc<[f32]>>,
    digits: Option<ZeroAdvances>,
}

impl std::fmt::Debug for Fonts {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Fonts").field("known", &self.resolved_names).finish_non_exhaustive()
    }
}

impl Default for Fonts {
    fn default() -> Self {
        Self::from_system()
    }
}

impl Fonts {
    /// Loads the installed fonts.
    pub fn from_system() -> Self {
        let mut collection = Collection::new(CollectionOptions { shared: false, system_fonts: true });
        if collection.family_names().next().is_none() {
            collection.load_fonts_from_paths(FOLDERS);
        }
        // The engine draws list markers with it.
        collection.register_fonts(Blob::new(Arc::new(blitz_dom::BULLET_FONT) as _), None);
        let context = FontContext { collection, source_cache: SourceCache::new_shared() };
        let mut fonts = Self {
            context,
            resolved_names: HashMap::new(),
            lists: HashMap::new(),
            widths: HashMap::new(),
            advances: HashMap::new(),
            digits: None,
        };
        for (generic, wanted) in [
            (GenericFamily::SansSerif, SANS_SERIF),
            (GenericFamily::Serif, SERIF),
            (GenericFamily::Monospace, MONOSPACE),
        ] {
            fonts.prefer(generic, wanted);
        }
        fonts
    }

    /// Puts the first installed family of `wanted` before the system's families for a generic family.
    fn prefer(&mut self, generic: GenericFamily, wanted: &[&str]) {
        let Some(first) = wanted.iter().find_map(|name| self.installed(name)) else { return };
        let collection = &mut self.context.collection;
        let Some(first) = collection.family_id(&first) else { return };
        let mut families = vec![first];
        families.extend(collection.generic_families(generic).filter(|family| *family != first));
        collection.set_generic_families(generic, families.into_iter());
    }

    /// Returns a font context for a document; shares the loaded fonts.
    pub(crate) fn context(&self) -> FontContext {
        self.context.clone()
    }

    /// Returns the installed family for `name`, if any.
    pub fn installed(&mut self, name: &str) -> Option<String> {
        if let Some(known) = self.resolved_names.get(name) {
            return known.clone();
        }
        let collection = &mut self.context.collection;
        let same = SAME_METRICS.iter().find(|class| class.iter().any(|other| other.eq_ignore_ascii_case(name)));
        let mut candidates = std::iter::once(name).chain(same.into_iter().flat_map(|class| class.iter().copied()));
        let found = candidates.find_map(|candidate| {
            let id = collection.family_id(candidate)?;
            collection.family_name(id).map(str::to_owned)
        });
        // Names come from pages, so their number is unbounded.
        if self.resolved_names.len() < 10_000 {
            self.resolved_names.insert(name.to_owned(), found.clone());
        }
        found
    }

    /// Returns a computed `font-family` with installed families only, and fallbacks for characters that none of them
    /// has.
    pub(crate) fn resolve(&mut self, computed: &str) -> Arc<str> {
        if let Some(known) = self.lists.get(computed) {
            return known.clone();
        }
        let mut list = String::new();
        for name in family_names(computed).iter().map(String::as_str).chain(["Times New Roman"]) {
            if let Some(generic) = generic(name) {
                list.push_str(generic);
                list.push(',');
            } else if let Some(installed) = self.installed(name) {
                // Writing to a String cannot fail.
                let _ = write!(list, "\"{}\",", installed.replace(['"', '\\', '\n'], " "));
            }
        }
        list.push_str("system-ui");
        let list: Arc<str> = list.into();
        if self.lists.len() < 10_000 {
            self.lists.insert(computed.to_owned(), list.clone());
        }
        list
    }

    /// Returns the advance of `0` in the generic and in the installed families, under all their names.
    pub fn digit_widths(&mut self) -> ZeroAdvances {
        if let Some(known) = &self.digits {
            return known.clone();
        }
        let installed = self.context.collection.family_names().map(str::to_owned).take(MAX_MEASURED);
        let aliases = SAME_METRICS.iter().flat_map(|class| class.iter().map(|name| (*name).to_owned()));
        let names: Vec<String> = installed.chain(aliases).collect();
        let mut widths = Vec::new();
        for generic in GENERIC {
            widths.extend(self.digit_width(generic).map(|em| (generic.to_owned(), em)));
        }
        for name in names {
            let em = self.installed(&name).and_then(|family| self.digit_width(&family));
            widths.extend(em.map(|em| (name, em)));
        }
        let last = self.installed("Times New Roman").unwrap_or_else(|| "system-ui".to_owned());
        let other = self.digit_width(&last).unwrap_or_else(|| ZeroAdvances::default().advance(""));
        self.digits.insert(ZeroAdvances::new(widths, other)).clone()
    }

    fn digit_width(&mut self, family: &str) -> Option<f64> {
        self.face(family, 400.0, &|font| {
            let em = f64::from(font.head().ok()?.units_per_em()).max(1.0);
            let advances = font.glyph_metrics(Size::unscaled(), LocationRef::default());
            Some(f64::from(advances.advance_width(font.charmap().map('0')?)?) / em)
        })
    }

    /// Returns average and maximum width of a character in the first font of a computed `font-family`, in em.
    pub(crate) fn character_widths(&mut self, computed: &str) -> CharacterWidths {
        let list = self.resolve(computed);
        if let Some(known) = self.widths.get(&list) {
            return *known;
        }
        let first = family_names(&list).into_iter().next().unwrap_or_default();
        let widths = self.measure(&first).unwrap_or(CharacterWidths::UNKNOWN);
        self.widths.insert(list, widths);
        widths
    }

    /// Returns the mean width of a character of running text in the first font of a computed `font-family`, in em.
    pub(crate) fn mean_character(&mut self, computed: &str, bold: bool) -> f32 {
        let widths = self.character_widths(computed);
        if bold { widths.bold } else { widths.regular }
    }

    /// Returns the approximate width of a text in the first font of a computed `font-family`, in em: the first 256
    /// characters of Unicode have their advances, others the average.
    pub(crate) fn text_width(&mut self, computed: &str, text: &str) -> f32 {
        let average = self.character_widths(computed).average;
        let list = self.resolve(computed);
        let advances = match self.advances.get(&list) {
            Some(known) => known.clone(),
            None => {
                let first = family_names(&list).into_iter().next().unwrap_or_default();
                let measured: Arc<[f32]> = self.latin(&first).unwrap_or_default().into();
                self.advances.insert(list, measured.clone());
                measured
            }
        };
        text.chars().map(|c| advances.get(c as usize).copied().unwrap_or(average)).sum()
    }

    /// Returns the advances of the characters below U+0100, in em.
    fn latin(&mut self, family: &str) -> Option<Vec<f32>> {
        self.face(family, 400.0, &|font| {
            let em = f32::from(font.head().ok()?.units_per_em()).max(1.0);
            let advances = font.glyph_metrics(Size::unscaled(), LocationRef::default());
            let charmap = font.charmap();
            let width = |c: u32| advances.advance_width(charmap.map(c)?).map(|advance| advance / em);
            Some((0..256).map(|c| width(c).unwrap_or(0.5)).collect())
        })
    }

    fn measure(&mut self, family: &str) -> Option<CharacterWidths> {
        let regular = self.face(family, 400.0, &CharacterWidths::from_font)?;
        let bold =
            self.face(family, 700.0, &CharacterWidths::from_font).map_or(regular.regular, |widths| widths.regular);
        Some(CharacterWidths { bold, ..regular })
    }

    /// Reads a value from the face of a family in that weight.
    fn face<T>(&mut self, family: &str, weight: f32, read: &dyn Fn(&skrifa::FontRef<'_>) -> Option<T>) -> Option<T> {
        let collection = &mut self.context.collection;
        let id = match family {
            "serif" => collection.generic_families(GenericFamily::Serif).next(),
            "sans-serif" => collection.generic_families(GenericFamily::SansSerif).next(),
            "monospace" => collection.generic_families(GenericFamily::Monospace).next(),
            "system-ui" => collection.generic_families(GenericFamily::SystemUi).next(),
            name => collection.family_id(name),
        };
        let family = collection.family(id?)?;
        let font = family.match_font(FontWidth::NORMAL, FontStyle::Normal, FontWeight::new(weight), false)?;
        let data = font.load(Some(&mut self.context.source_cache))?;
        read(&skrifa::FontRef::from_index(data.as_ref(), font.index()).ok()?)
    }
}

/// Character widths of a font, in em.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CharacterWidths {
    /// Average width in the font's tables.
    pub(crate) average: f32,
    pub(crate) max: f32,
    /// Mean in running text.
    regular: f32,
    /// Mean in running text of the bold face.
    bold: f32,
}

impl CharacterWidths {
    /// For fonts that cannot be read.
    const UNKNOWN: Self = Self { average: 0.5, max: 2.0, regular: 0.45, bold: 0.48 };

    /// Measures one face; the bold width is that of the same face.
    fn from_font(font: &skrifa::FontRef<'_>) -> Option<Self> {
        let head = font.head().ok()?;
        let em = f32::from(head.units_per_em()).max(1.0);
        let average = f32::from(font.os2().ok()?.x_avg_char_width());
        let max = f32::from(head.x_max()) - f32::from(head.x_min());
        let advances = font.glyph_metrics(Size::unscaled(), LocationRef::default());
        let characters = TEXT.chars().filter_map(|character| advances.advance_width(font.charmap().map(character)?));
        let mean = characters.sum::<f32>() / TEXT.len() as f32 / em;
        Some(Self { average: average / em, max: max / em, regular: mean, bold: mean })
    }
}

/// Characters in running text, each as often as in about a hundred.
const TEXT: &str =
    "               eeeeeeeeettttttt aaaaaaaiiiiiioooooonnnnnnsssss rrrrrhhhhlllldddcccuuummppffggyywwbbvk,.TASC0";

/// Returns [`Fonts::digit_widths`] of the installed fonts, which are read once.
pub(crate) fn digit_widths_of_system() -> ZeroAdvances {
    static WIDTHS: LazyLock<ZeroAdvances> = LazyLock::new(|| Fonts::from_system().digit_widths());
    WIDTHS.clone()
}

/// Returns true if a name is a generic family, which always exists.
pub(crate) fn is_generic(name: &str) -> bool {
    generic(name).is_some()
}

/// Returns the generic family as the engine spells it.
fn generic(name: &str) -> Option<&'static str> {
    GENERIC.into_iter().find(|known| *known == name)
}

/// Returns the names in a computed `font-family`.
pub(crate) fn family_names(computed: &str) -> Vec<String> {
    let mut parser = cssparser::Parser::new(computed);
    let names = parser.parse_comma_separated(|parser| {
        let mut words: Vec<String> = Vec::new();
        while let Ok(token) = parser.next() {
            match token {
                cssparser::Token::QuotedString(name) | cssparser::Token::Ident(name) => words.push(name.to_string()),
                _ => {}
            }
        }
        Ok::<_, cssparser::ParseError<()>>(words.join(" "))
    });
    names.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_not_installed_are_skipped() {
        let mut fonts = Fonts::from_system();
        let last = fonts.resolve("");
        assert!(last.ends_with("system-ui"), "{last}");
        for (computed, kept) in [
            ("\"No Such Font\", sans-serif", "sans-serif,"),
            ("Nowhere", ""),
            ("ui-monospace, \"Nobody's\", monospace, serif", "monospace,serif,"),
            ("cursive, \"a\\\"b\", system-ui", "system-ui,"),
        ] {
            assert_eq!(&*fonts.resolve(computed), format!("{kept}{last}"), "{computed}");
        }
    }

    #[test]
    fn installed_names_are_kept() {
        let mut fonts = Fonts::from_system();
        let last = fonts.resolve("");
        let Some(name) = fonts.context.collection.family_names().next().map(str::to_owned) else { return };
        let list = fonts.resolve(&format!("Nowhere, \"{name}\", monospace"));
        assert_eq!(&*list, format!("\"{name}\",monospace,{last}"));
    }

    #[test]
    fn fonts_have_character_widths() {
        let mut fonts = Fonts::from_system();
        for family in ["serif", "monospace", "Nowhere"] {
            let widths = fonts.character_widths(family);
            assert!(widths.average > 0.2 && widths.average < 1.2 && widths.max >= widths.average, "{widths:?}");
        }
    }
}
