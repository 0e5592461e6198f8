//! Turns the declarations under one guard into utilities, group of properties by group of properties.

use super::declaration_block::{DeclarationBlock, ElementFacts};
use super::utility::Utility;
use super::{backgrounds, box_sides, filters, layout, scale, shadow, transform, transitions, typography};

/// Returns the utilities for these declarations, and the number of declarations that no class can
/// express, which are left out.
pub(super) fn utilities<'a>(
    declarations: impl IntoIterator<Item = (&'a str, &'a str)>,
    facts: &'a ElementFacts,
) -> (Vec<Utility>, usize) {
    let mut block = DeclarationBlock::new(declarations, facts);
    layout::take_sr_only(&mut block);
    typography::take_typography(&mut block);
    layout::take_layout(&mut block);
    box_sides::boxes(&mut block);
    box_sides::borders(&mut block);
    box_sides::radii(&mut block);
    backgrounds::take_backgrounds(&mut block);
    shadow::take_shadow(&mut block);
    filters::take_filters(&mut block);
    transform::take_transforms(&mut block);
    transitions::take_transitions(&mut block);
    block.into_utilities(scale::utility)
}
