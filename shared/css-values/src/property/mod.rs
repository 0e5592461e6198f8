//! Properties: longhands, shorthands, and the effects of declarations.

mod expand;
mod flow;
mod fonts;
mod grid;
mod layered_shorthands;
mod longhand_values;
mod quirks;
mod shorthand;
mod table;

pub use expand::{CssWide, DeclaredValue, ExpandedLonghand, expand};
pub use expand::{Property, is_valid};
pub use flow::{Flow, WritingMode};
pub use fonts::{is_generic_family, is_ui_family};
pub use quirks::Quirk;
pub use table::Longhand;

/// Longhands with a value for each `background-image` (Backgrounds 3, section 2.3).
pub const BACKGROUND_LISTS: &[Longhand] = &[
    Longhand::BackgroundPositionX,
    Longhand::BackgroundPositionY,
    Longhand::BackgroundSize,
    Longhand::BackgroundRepeat,
    Longhand::BackgroundAttachment,
    Longhand::BackgroundOrigin,
    Longhand::BackgroundClip,
    Longhand::BackgroundBlendMode,
];

/// Longhands with a value for each `mask-image` (Masking 1, section 7).
pub const MASK_LISTS: &[Longhand] = &[
    Longhand::MaskPosition,
    Longhand::MaskSize,
    Longhand::MaskRepeat,
    Longhand::MaskOrigin,
    Longhand::MaskClip,
    Longhand::MaskComposite,
    Longhand::MaskMode,
];

use crate::value::syntax::Grammar;
use crate::value::{Component, parse_components};
use foldhash::HashMap;
use std::sync::{Arc, LazyLock, OnceLock};

static BY_NAME: LazyLock<HashMap<&'static str, Longhand>> =
    LazyLock::new(|| table::ALL.iter().map(|longhand| (longhand.name(), *longhand)).collect());

static INITIALS: [OnceLock<Arc<[Component]>>; table::ROWS.len()] = [const { OnceLock::new() }; table::ROWS.len()];

static GRAMMARS: [OnceLock<Grammar>; table::ROWS.len()] = [const { OnceLock::new() }; table::ROWS.len()];

impl Longhand {
    /// Every longhand.
    pub const ALL: &'static [Self] = table::ALL;

    /// Returns the property's name.
    #[inline]
    pub fn name(self) -> &'static str {
        table::ROWS[self as usize].name
    }

    /// Returns true if the property is inherited.
    #[inline]
    pub fn is_inherited(self) -> bool {
        table::ROWS[self as usize].inherited
    }

    /// Returns the initial value, as specified (not computed).
    #[inline]
    pub fn initial(self) -> &'static str {
        table::ROWS[self as usize].initial
    }

    /// Returns the initial value as components.
    pub(crate) fn initial_components(self) -> &'static Arc<[Component]> {
        INITIALS[self as usize].get_or_init(|| parse_components(self.initial()).unwrap_or_default().into())
    }

    /// Returns the grammar of its values, as written in the table.
    pub fn syntax(self) -> &'static str {
        table::ROWS[self as usize].syntax
    }

    /// Returns the longhand of that name (lower case); aliases and flow-relative names are not resolved.
    pub fn from_name(name: &str) -> Option<Self> {
        BY_NAME.get(name).copied()
    }

    /// Returns the grammar of its values.
    #[inline]
    pub fn grammar(self) -> &'static Grammar {
        // An invalid grammar in the table fails its test; here it matches no value.
        GRAMMARS[self as usize].get_or_init(|| Grammar::parse(self.syntax()).unwrap_or(Grammar::One(Vec::new())))
    }

    pub(crate) fn accepts(self, value: &[Component]) -> bool {
        self.grammar().matches(value)
    }
}

#[cfg(test)]
mod tests;
