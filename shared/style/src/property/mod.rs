//! Properties: longhands, shorthands, and what a declaration sets.

mod expand;
mod fonts;
mod grid;
mod layers;
mod shorthand;
mod table;

pub use expand::{CssWide, Declared, Value, expand};
pub use table::Longhand;

use crate::value::Component;
use crate::value::syntax::Grammar;
use foldhash::HashMap;
use std::sync::{LazyLock, OnceLock};

static BY_NAME: LazyLock<HashMap<&'static str, Longhand>> =
    LazyLock::new(|| table::ALL.iter().map(|longhand| (longhand.name(), *longhand)).collect());

static GRAMMARS: [OnceLock<Grammar>; table::ROWS.len()] = [const { OnceLock::new() }; table::ROWS.len()];

impl Longhand {
    /// Every longhand.
    pub const ALL: &'static [Self] = table::ALL;

    /// The property's name.
    pub fn name(self) -> &'static str {
        table::ROWS[self as usize].name
    }

    /// Whether the property is inherited.
    pub fn is_inherited(self) -> bool {
        table::ROWS[self as usize].inherited
    }

    /// The initial value, as specified (not computed).
    pub fn initial(self) -> &'static str {
        table::ROWS[self as usize].initial
    }

    /// The longhand of that name (lower case); aliases and flow-relative names are not looked up.
    pub fn from_name(name: &str) -> Option<Self> {
        BY_NAME.get(name).copied()
    }

    pub(crate) fn grammar(self) -> &'static Grammar {
        // An unreadable grammar in the table fails its test; here nothing would match.
        GRAMMARS[self as usize]
            .get_or_init(|| Grammar::parse(table::ROWS[self as usize].syntax).unwrap_or(Grammar::One(Vec::new())))
    }

    pub(crate) fn accepts(self, value: &[Component]) -> bool {
        self.grammar().matches(value)
    }
}

#[cfg(test)]
mod tests;
