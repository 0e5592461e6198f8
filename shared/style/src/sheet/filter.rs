//! Which declarations and rules somebody asks for, when not all of them are.

use crate::Words;
use crate::property::{Longhand, Property};
use foldhash::HashMap;
use std::cell::RefCell;

/// What is asked for.
pub(crate) struct Filter<'w> {
    /// By longhand, whether it is asked for.
    wanted: Vec<bool>,
    /// Rules with any of these in what stands before their block, or before that of a rule around them, are kept as they
    /// are.
    marks: Option<&'w Words>,
    /// Whether what rules match is asked of few of them.
    matches_few: bool,
    /// Whether a property has a say in the values of those, by name in lower case.
    known: RefCell<HashMap<Box<str>, bool>>,
}

impl<'w> Filter<'w> {
    pub(crate) fn new(wanted: &[Longhand]) -> Self {
        let mut is_wanted = vec![false; Longhand::ALL.len()];
        wanted.iter().for_each(|longhand| is_wanted[*longhand as usize] = true);
        Self { wanted: is_wanted, marks: None, matches_few: false, known: RefCell::default() }
    }

    /// The same for whoever reads what rules declare and hardly what they match. Rules that are marked by one of these
    /// words are kept.
    pub(crate) fn of_declarations(wanted: &[Longhand], marks: &'w Words) -> Self {
        Self { marks: Some(marks), matches_few: true, ..Self::new(wanted) }
    }

    /// Whether selectors need not be parsed before somebody asks.
    pub(super) fn matches_few(&self) -> bool {
        self.matches_few
    }

    /// Whether rules are told by words before their block.
    pub(super) fn has_marks(&self) -> bool {
        self.marks.is_some()
    }

    pub(super) fn is_marked(&self, prelude: &str) -> bool {
        self.marks.is_some_and(|marks| marks.are_in(prelude))
    }

    /// Whether a declaration of that name may have a say in what is asked for.
    pub(super) fn concerns(&self, name: &str) -> bool {
        if name.starts_with("--") {
            // Any value may refer to it.
            return true;
        }
        // Most names are written in lower case.
        if let Some(known) = self.known.borrow().get(name) {
            return *known;
        }
        let name = name.to_ascii_lowercase();
        if let Some(known) = self.known.borrow().get(name.as_str()) {
            return *known;
        }
        let sets = |longhand: Longhand, rtl: Longhand| self.wanted[longhand as usize] || self.wanted[rtl as usize];
        let concerns = Property::of(&name).is_some_and(|property| property.sets_any(sets));
        self.known.borrow_mut().insert(name.into(), concerns);
        concerns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_concern_what_is_wanted() {
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
    fn marks_are_words_of_a_prelude() {
        let marks = Words::new(&["dark"]);
        assert!(Filter::of_declarations(&[], &marks).is_marked(".Dark b"));
        assert!(!Filter::of_declarations(&[], &marks).is_marked(".a"));
        assert!(!Filter::new(&[]).is_marked(".dark"));
    }
}
