//! Utility classes that set one value, as its names: `.rounded-lg`, `.p-4`.

use super::{Block, ValueCounter, ValueId};
use crate::token_names::class_name;
use limner_style::AuthoredDeclaration;
use limner_style::property::DeclaredValue;
use limner_types::WireEnum;
use limner_types::result::TokenKind;

/// Maximum number of declarations of a utility class, custom properties left out: a size with its line height.
const MAX_DECLARATIONS: usize = 2;

impl<'i> ValueCounter<'i> {
    /// Names the values of a rule whose selector is a class.
    pub(crate) fn name_by_class(&mut self, class: &str, declarations: &[AuthoredDeclaration<'i>]) {
        let set = || declarations.iter().filter(|own| own.longhands().is_some());
        if set().count() > MAX_DECLARATIONS || TokenKind::ALL.iter().all(|kind| class_name(*kind, class).is_none()) {
            return;
        }
        self.variables.begin_rule();
        let own: Vec<(&str, &str)> =
            declarations.iter().filter(|own| own.longhands().is_none()).map(|own| (own.name, own.value)).collect();
        let block = Block { number: u32::MAX, theme: None, own: &own, contexts: &[] };
        let mut found: Vec<ValueId> = Vec::new();
        for declaration in set() {
            let Some(longhands) = declaration.longhands() else { continue };
            let is_pending = longhands.first().is_some_and(|declared| declared.value == DeclaredValue::Pending);
            let occurrences = if is_pending {
                self.pending(declaration, longhands, block)
            } else {
                self.literal(declaration, longhands)
            };
            let whole = occurrences.iter().filter(|own| own.provenance == super::Provenance::Declared);
            found.extend(whole.map(|own| own.value));
        }
        found.sort_unstable();
        found.dedup();
        let kind_of = |value: &ValueId| self.entries[*value as usize].kind;
        let only = found.iter().filter(|own| found.iter().filter(|other| kind_of(other) == kind_of(own)).count() == 1);
        let only: Vec<ValueId> = only.copied().collect();
        for value in only {
            let entry = &mut self.entries[value as usize];
            if entry.class.is_none() {
                entry.class = class_name(entry.kind, class).map(String::into_boxed_str);
            }
        }
    }
}
