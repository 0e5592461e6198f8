//! The declarations that hold under one condition, and the utilities that say them together.

use super::shadow::Shadows;
use super::utility::Utility;
use super::{effects, layout, motion, paint, scale, shadow, sides, text, transform};
use std::collections::BTreeMap;

/// What has to be known of the element, beyond the declarations of one block.
#[derive(Debug, Clone, Default)]
pub(super) struct Facts {
    /// Nothing holds the block back: it is not in a condition or state.
    pub(super) unconditional: bool,
    /// The element holds elements, which inherit.
    pub(super) has_children: bool,
    /// White space in the element stays as it is.
    pub(super) preserves_space: bool,
    /// Some block of the element says a font size without a line height, so line heights are utilities of their own.
    pub(super) splits_leading: bool,
    /// The unconditional block says a line height.
    pub(super) has_leading: bool,
    /// It is the one around (`inherit`): the variable that sizes of the theme look for one in stands for none then.
    pub(super) takes_leading: bool,
    /// The line height that the element inherits, as specified, when it is a multiple of the font size.
    pub(super) inherited_leading: Option<String>,
    /// Something in the element has a font size of its own, of which an inherited multiple is another height.
    pub(super) sizes_inside: bool,
    /// Every block has the same filter functions, or none.
    pub(super) filters_alike: bool,
    /// The same of what is left of transforms.
    pub(super) turns_alike: bool,
    /// Every transition takes as long as those of Tailwind.
    pub(super) has_usual_times: bool,
    /// Every transition is eased as those of Tailwind are.
    pub(super) has_usual_easing: bool,
    /// The axes along which some block moves the element.
    pub(super) moves: [bool; 2],
    /// No more than one block paints an image behind the element.
    pub(super) has_one_image: bool,
    /// Every line height is the one that comes with the font size next to it.
    pub(super) leads_by_size: bool,
    /// Some block says how an item shrinks.
    pub(super) says_shrink: bool,
    /// How the shadows of all blocks can be said.
    pub(super) shadows: Shadows,
    /// Some block says a border style other than solid.
    pub(super) styles_borders: bool,
    /// The sides that have a border in some block: top, right, bottom, left.
    pub(super) draws_borders: [bool; 4],
    /// Some block says that there is no outline, which the others would keep.
    pub(super) hides_outline: bool,
    /// No block says more of the outline than how it is hidden.
    pub(super) only_hides_outline: bool,
    /// Some block says how wide the outline is.
    pub(super) says_outline_width: bool,
    /// Pseudo-element utilities come with an empty `content` of their own.
    pub(super) implies_content: bool,
}

/// Declarations that are taken one after another by those that can say them.
pub(super) struct Block<'a> {
    declared: BTreeMap<&'a str, &'a str>,
    pub(super) facts: &'a Facts,
    utilities: Vec<Utility>,
}

impl<'a> Block<'a> {
    /// The value of a property that no utility says yet.
    pub(super) fn get(&self, property: &str) -> Option<&'a str> {
        self.declared.get(property).copied()
    }

    /// Takes the value of a property: its utility is being written.
    pub(super) fn take(&mut self, property: &str) -> Option<&'a str> {
        self.declared.remove(property)
    }

    /// Takes the values of all of these.
    pub(super) fn forget(&mut self, properties: &[impl AsRef<str>]) {
        self.declared.retain(|own, _| !properties.iter().any(|property| *own == property.as_ref()));
    }

    /// Whether there is more to say than this property.
    pub(super) fn has_more_than(&self, property: &str) -> bool {
        !self.utilities.is_empty() || self.declared.keys().any(|name| *name != property)
    }

    /// Whether a property is declared so.
    pub(super) fn is(&self, property: &str, value: &str) -> bool {
        self.get(property).is_some_and(|own| own.eq_ignore_ascii_case(value))
    }

    /// Takes all of these when every one is declared so.
    pub(super) fn take_all(&mut self, declarations: &[(&str, &str)]) -> bool {
        let all = declarations.iter().all(|(property, value)| self.is(property, value));
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

/// The utilities that say these declarations. What no class can say is left out.
pub(super) fn utilities<'a>(
    declarations: impl IntoIterator<Item = (&'a str, &'a str)>,
    facts: &'a Facts,
) -> Vec<Utility> {
    let mut block = Block { declared: declarations.into_iter().collect(), facts, utilities: Vec::new() };
    layout::hidden_text(&mut block);
    text::all(&mut block);
    layout::all(&mut block);
    sides::boxes(&mut block);
    sides::borders(&mut block);
    sides::radii(&mut block);
    paint::all(&mut block);
    shadow::all(&mut block);
    effects::all(&mut block);
    transform::all(&mut block);
    motion::all(&mut block);
    for (property, value) in std::mem::take(&mut block.declared) {
        if let Some(utility) = scale::utility(property, value) {
            block.push(utility);
        }
    }
    block.utilities
}
