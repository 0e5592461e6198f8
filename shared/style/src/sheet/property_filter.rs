//! A filter of declarations and rules for callers that need only some properties.

use crate::SubstringSet;
use crate::property::{Longhand, Property};
use foldhash::HashMap;
use std::cell::RefCell;

/// The requested properties and marks.
pub(crate) struct Filter<'w> {
    /// For each longhand, true if it is requested.
    requested: Vec<bool>,
    /// Rules are kept whole if their prelude, or that of an enclosing rule, contains one of these words.
    needles: Option<&'w SubstringSet>,
    /// True if the caller needs the matches of few rules.
    matches_few: bool,
    /// Cache: true if a property (its name in lower case) can set a requested longhand.
    cache: RefCell<HashMap<Box<str>, bool>>,
}

impl<'w> Filter<'w> {
    pub(crate) fn new(wanted: &[Longhand]) -> Self {
        let mut is_wanted = vec![false; Longhand::ALL.len()];
        wanted.iter().for_each(|longhand| is_wanted[*longhand as usize] = true);
        Self { requested: is_wanted, needles: None, matches_few: false, cache: RefCell::default() }
    }

    /// Like [`Self::new`], for callers that need declarations but match few selectors, so that selectors are parsed
    /// lazily. Rules marked by one of these words are kept.
    pub(crate) fn for_declarations(wanted: &[Longhand], marks: &'w SubstringSet) -> Self {
        Self { needles: Some(marks), matches_few: true, ..Self::new(wanted) }
    }

    /// Returns true if selectors can be parsed lazily.
    pub(super) fn has_lazy_selectors(&self) -> bool {
        self.matches_few
    }

    /// Returns true if rules are marked by words in their prelude.
    pub(super) fn has_marks(&self) -> bool {
        self.needles.is_some()
    }

    pub(super) fn is_marked(&self, prelude: &str) -> bool {
        self.needles.is_some_and(|marks| marks.is_match(prelude))
    }

    /// Returns true if a declaration of that name can influence the requested properties.
    pub(super) fn concerns(&self, name: &str) -> bool {
        if name.starts_with("--") {
            // Any value may refer to a custom property.
            return true;
        }
        // Most names are written in lower case.
        if let Some(known) = self.cache.borrow().get(name) {
            return *known;
        }
        let name = name.to_ascii_lowercase();
        if let Some(known) = self.cache.borrow().get(name.as_str()) {
            return *known;
        }
        let sets =
            |longhand: Longhand, rtl: Longhand| self.requested[longhand as usize] || self.requested[rtl as usize];
        let concerns = Property::from_name(&name).is_some_and(|property| property.sets_matching(sets));
        self.cache.borrow_mut().insert(name.into(), concerns);
        concerns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn concerns_names_that_set_requested_properties() {
        let filter = Filter::new(&[Longhand::FontFamily, Longhand::MarginLeft]);
        for (name, concerns) in [
            ("font-family", true),
            ("FONT", true),
            ("all", true),
            ("--x", true),
            ("margin", true),
            ("margin-inline", true),
            ("margin-top", false),
            ("color", false),
            ("x", false),
            ("", false),
        ] {
            assert_eq!([filter.concerns(name), filter.concerns(name)], [concerns; 2], "{name}");
        }
    }

    #[test]
    fn prelude_with_a_mark_is_marked() {
        let marks = SubstringSet::new(&["dark"]);
        assert!(Filter::for_declarations(&[], &marks).is_marked(".Dark b"));
        assert!(!Filter::for_declarations(&[], &marks).is_marked(".a"));
        assert!(!Filter::new(&[]).is_marked(".dark"));
    }
}
