//! Defines the declarations under one guard, from which each group of properties takes those it expresses.

use super::shadow::Shadows;
use super::utility::Utility;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Facts about the element beyond the declarations of one block.
#[derive(Debug, Clone, Default)]
pub(super) struct ElementFacts {
    /// The block has no condition and no state.
    pub(super) unconditional: bool,
    /// The element has child elements, which inherit from it.
    pub(super) has_children: bool,
    /// The element preserves white space (`white-space: pre` and alike).
    pub(super) preserves_whitespace: bool,
    /// Some block declares a font size without a line height, so line heights get utilities of
    /// their own.
    pub(super) splits_leading: bool,
    /// The unconditional block declares a line height.
    pub(super) has_leading: bool,
    /// The line height of the unconditional block is a CSS-wide keyword such as `inherit`. No
    /// `leading-*` utility sets the variable then that theme sizes read their line height from.
    pub(super) takes_leading: bool,
    /// The inherited line height as specified, if it is a multiple of the font size.
    pub(super) inherited_leading: Option<String>,
    /// A descendant has its own font size, so an inherited multiple gives another height there.
    pub(super) has_font_size_changes: bool,
    /// The contents fit into a narrow column: no track grows with them.
    pub(super) contents_fit: bool,
    /// All blocks use the same filter functions, or `none`.
    pub(super) has_uniform_filters: bool,
    /// All blocks use the same functions in the `transform` that remains after splitting it into
    /// properties.
    pub(super) has_uniform_transforms: bool,
    /// The properties that states or the theme change.
    pub(super) changing: Rc<[String]>,
    /// Every transition lasts as long as Tailwind's default, 150 ms.
    pub(super) has_usual_times: bool,
    /// Every transition uses Tailwind's default easing.
    pub(super) has_usual_easing: bool,
    /// The axes along which some block translates the element: x, y.
    pub(super) moves: [bool; 2],
    /// At most one block sets a background image.
    pub(super) has_one_image: bool,
    /// Every font size is a theme size whose default line height is the declared one.
    pub(super) uses_size_line_heights: bool,
    /// Some block declares `flex-shrink`.
    pub(super) says_shrink: bool,
    /// Facts about the shadows of all blocks.
    pub(super) shadows: Shadows,
    /// Some block declares a border style other than `solid`.
    pub(super) styles_borders: bool,
    /// The sides that have a border in some block: top, right, bottom, left.
    pub(super) draws_borders: [bool; 4],
    /// Some block hides the outline (`outline-style: none`), which would carry over to the others.
    pub(super) hides_outline: bool,
    /// No block declares more of the outline than Tailwind's hidden outline.
    pub(super) only_hides_outline: bool,
    /// Some block declares an outline width.
    pub(super) says_outline_width: bool,
    /// Lines may be vertical, so that the inline axis is not the horizontal one.
    pub(super) is_vertical: bool,
    /// Width and height are equal lengths in all blocks.
    pub(super) is_square: bool,
    /// Utilities of this pseudo-element declare an empty `content` themselves.
    pub(super) implies_content: bool,
}

/// The declarations of a block that are not expressed yet. Each group of utilities takes the ones
/// it can express.
pub(super) struct DeclarationBlock<'a> {
    declared: BTreeMap<&'a str, &'a str>,
    pub(super) facts: &'a ElementFacts,
    utilities: Vec<Utility>,
}

impl<'a> DeclarationBlock<'a> {
    /// Creates a block of these declarations, without utilities.
    pub(super) fn new(declarations: impl IntoIterator<Item = (&'a str, &'a str)>, facts: &'a ElementFacts) -> Self {
        Self { declared: declarations.into_iter().collect(), facts, utilities: Vec::new() }
    }

    /// Returns the utilities, with one for each declaration that is left and that `utility` expresses, and the number
    /// of those that it does not.
    pub(super) fn into_utilities(mut self, utility: impl Fn(&str, &str) -> Option<Utility>) -> (Vec<Utility>, usize) {
        let (all, left) = (self.utilities.len(), self.declared.len());
        self.utilities.extend(self.declared.into_iter().filter_map(|(property, value)| utility(property, value)));
        let dropped = all + left - self.utilities.len();
        (self.utilities, dropped)
    }

    /// Returns the value of a property that no utility expresses yet.
    pub(super) fn get(&self, property: &str) -> Option<&'a str> {
        self.declared.get(property).copied()
    }

    /// Removes a property and returns its value, for the caller to express.
    pub(super) fn take(&mut self, property: &str) -> Option<&'a str> {
        self.declared.remove(property)
    }

    /// Removes these properties.
    pub(super) fn forget(&mut self, properties: &[impl AsRef<str>]) {
        self.declared.retain(|own, _| !properties.iter().any(|property| *own == property.as_ref()));
    }

    /// Returns true if the block has utilities or declarations other than this property.
    pub(super) fn has_other_than(&self, property: &str) -> bool {
        !self.utilities.is_empty() || self.declared.keys().any(|name| *name != property)
    }

    /// Returns true if the property is declared with this value, compared without case.
    pub(super) fn has_value(&self, property: &str, value: &str) -> bool {
        self.get(property).is_some_and(|own| own.eq_ignore_ascii_case(value))
    }

    /// Removes all of these declarations if every one is present with this value; returns true if
    /// so.
    pub(super) fn take_all(&mut self, declarations: &[(&str, &str)]) -> bool {
        let all = declarations.iter().all(|(property, value)| self.has_value(property, value));
        if all {
            self.declared.retain(|own, _| !declarations.iter().any(|(property, _)| own == property));
        }
        all
    }

    /// Adds a utility.
    pub(super) fn push(&mut self, utility: Utility) {
        self.utilities.push(utility);
    }

    /// Adds a utility without variants that declares these properties.
    pub(super) fn add(&mut self, class: impl Into<String>, properties: &[&'static str]) {
        self.push(Utility::new(class, properties));
    }
}
