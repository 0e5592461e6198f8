//! Determines the fonts of a component's texts: families with the weights and slants in which they are drawn.

use crate::capture::at_rules::{identifiers, is_slanted};
use crate::capture::passes::{Draft, PassContext};
use cssparser::{Parser, Token};
use limner_component_model::model::{Child, Component, Declaration, Element, PseudoElement, Rule};
use limner_style::ComputedStyle;
use limner_style::property::Longhand;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of fonts of one element that are told apart by environment.
const MAX_VARIANTS: usize = 8;

/// The fonts and characters of a component's texts.
#[derive(Debug, Default)]
pub(crate) struct UsedFonts {
    pub(crate) characters: BTreeSet<u32>,
    /// The weights by style; families in lower case.
    pub(crate) weights: BTreeMap<FontStyle, BTreeSet<u32>>,
    /// Weights and slants that any text may get.
    pub(crate) any_weights: BTreeSet<u32>,
    pub(crate) any_slants: BTreeSet<bool>,
}

/// A family, and whether its text is slanted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FontStyle {
    pub(crate) family: String,
    pub(crate) is_slanted: bool,
}

impl UsedFonts {
    /// Collects the fonts of all texts, in all environments and states.
    pub(crate) fn from_draft(context: &PassContext<'_, '_>, draft: &Draft) -> Self {
        let component = &draft.component;
        let mut fonts: BTreeSet<Font<'_>> = BTreeSet::new();
        // Descendants inherit what a state changes.
        let in_states =
            component.elements.iter().flat_map(|element| &element.rules).filter(|rule| rule.state.is_some());
        let mut anywhere = FontChange::from_rules(in_states);
        for (element, origin) in component.elements.iter().zip(&draft.origins) {
            let has_lines = has_lines(component, element);
            if !has_lines && element.rules.iter().all(|rule| rule.pseudo.is_none()) {
                continue;
            }
            let styles = context.section.computed[origin.0].iter();
            let own: BTreeSet<Font<'_>> = styles.map(|style| Font::from_style(style)).collect();
            for change in changes_of_pseudo_elements(element) {
                match change.applied_to(&own) {
                    Some(changed) => fonts.extend(changed),
                    None => {
                        fonts.extend(&own);
                        anywhere.merge(change);
                    }
                }
            }
            if has_lines {
                fonts.extend(own);
            }
        }
        Self::from_fonts(&fonts, anywhere, letters(&component.elements))
    }

    fn from_fonts(fonts: &BTreeSet<Font<'_>>, anywhere: FontChange<'_>, characters: BTreeSet<u32>) -> Self {
        let mut used =
            Self { characters, any_weights: anywhere.weights, any_slants: anywhere.slants, ..Self::default() };
        let mut lists: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for font in fonts {
            let families = lists.entry(font.families).or_insert_with(|| families(font.families));
            for family in families.iter() {
                let style = FontStyle { family: family.clone(), is_slanted: font.is_slanted };
                used.weights.entry(style).or_default().insert(font.weight);
            }
        }
        let all_weights: BTreeSet<u32> = fonts.iter().map(|font| font.weight).collect();
        for family in anywhere.families.into_iter().flat_map(families) {
            let style = FontStyle { family, is_slanted: false };
            used.weights.entry(style).or_default().extend(&all_weights);
        }
        used
    }
}

/// A list of families with one weight and slant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Font<'d> {
    families: &'d str,
    weight: u32,
    is_slanted: bool,
}

impl<'d> Font<'d> {
    fn from_style(style: &'d ComputedStyle) -> Self {
        Self {
            families: style.get(Longhand::FontFamily),
            weight: weight_of(style.get(Longhand::FontWeight)).unwrap_or(400),
            is_slanted: is_slanted(style.get(Longhand::FontStyle)),
        }
    }
}

/// Families, weights and slants that rules declare.
#[derive(Debug, Default)]
struct FontChange<'d> {
    families: BTreeSet<&'d str>,
    weights: BTreeSet<u32>,
    slants: BTreeSet<bool>,
    /// Properties that are declared without a condition or state: their inherited values are not used.
    replaced: BTreeSet<&'d str>,
}

impl<'d> FontChange<'d> {
    fn from_rules(rules: impl Iterator<Item = &'d Rule>) -> Self {
        let mut change = Self::default();
        for (rule, declaration) in rules.flat_map(|rule| rule.declarations.iter().map(move |own| (rule, own))) {
            let Declaration { name, value, computed } = declaration;
            match &**name {
                // The computed value has the families of a custom property.
                "font-family" if value.contains("var(") => change.families.extend([computed.as_str()]),
                "font-family" => change.families.extend([value.as_str()]),
                "font-weight" if weight_of(computed).is_some() => change.weights.extend(weight_of(computed)),
                "font-style" => change.slants.extend([is_slanted(computed)]),
                _ => continue,
            }
            if rule.state.is_none() && rule.condition.is_empty() {
                change.replaced.insert(&**name);
            }
        }
        change
    }

    fn merge(&mut self, other: Self) {
        self.families.extend(other.families);
        self.weights.extend(other.weights);
        self.slants.extend(other.slants);
    }

    /// Returns the fonts to which a change turns others; `None` if there are too many.
    fn applied_to(&self, fonts: &BTreeSet<Font<'d>>) -> Option<Vec<Font<'d>>> {
        if [fonts.len(), self.families.len(), self.weights.len()].iter().any(|count| *count > MAX_VARIANTS) {
            return None;
        }
        let is_inherited = |name| !self.replaced.contains(name);
        let mut found = Vec::new();
        for own in fonts {
            let inherited = is_inherited("font-family").then_some(own.families);
            for families in self.families.iter().copied().chain(inherited) {
                let inherited = is_inherited("font-weight").then_some(own.weight);
                for weight in self.weights.iter().copied().chain(inherited) {
                    let inherited = is_inherited("font-style").then_some(own.is_slanted);
                    let slants = self.slants.iter().copied().chain(inherited);
                    found.extend(slants.map(|is_slanted| Font { families, weight, is_slanted }));
                }
            }
        }
        Some(found)
    }
}

/// Returns what is declared about the fonts of each of an element's pseudo-elements.
fn changes_of_pseudo_elements(element: &Element) -> impl Iterator<Item = FontChange<'_>> {
    let pseudos: BTreeSet<PseudoElement> = element.rules.iter().filter_map(|rule| rule.pseudo).collect();
    let rules_of = move |pseudo| element.rules.iter().filter(move |rule| rule.pseudo == Some(pseudo));
    pseudos.into_iter().map(move |pseudo| FontChange::from_rules(rules_of(pseudo)))
}

/// Returns true if an element has lines of its own: text, or other inline content, whose lines are as high as its font.
fn has_lines(component: &Component, element: &Element) -> bool {
    const FIELDS: &[&str] = &["button", "input", "option", "select", "textarea"];
    FIELDS.contains(&element.tag.as_str())
        || element.children.iter().any(|child| match child {
            Child::Text(text) => !text.trim().is_empty(),
            Child::Element(id) => !component.elements[id.0].is_block_level,
        })
}

pub(super) fn weight_of(value: &str) -> Option<u32> {
    value.parse::<f64>().ok().map(|weight| weight as u32)
}

/// Returns the families of a list in lower case, their names unquoted.
fn families(value: &str) -> Vec<String> {
    let mut parser = Parser::new(value);
    let mut found = Vec::new();
    let mut current: Vec<String> = Vec::new();
    loop {
        match parser.next() {
            Ok(Token::Ident(word) | Token::QuotedString(word)) => current.push(word.to_ascii_lowercase()),
            Ok(Token::Comma) => found.push(std::mem::take(&mut current).join(" ")),
            Ok(_) => {}
            Err(_) => break,
        }
    }
    found.push(current.join(" "));
    found
}

/// Returns the code points of the texts (as written and in upper case), of field values and of generated content. The
/// space is always included: in a line with only images, the face that has the space determines the line's height (CSS
/// 2.1 §10.8.1, "strut"; Fonts 4, "first available font").
fn letters(elements: &[Element]) -> BTreeSet<u32> {
    let mut found = BTreeSet::from([u32::from(' ')]);
    for element in elements {
        for child in &element.children {
            if let Child::Text(text) = child {
                found.extend(text.chars().flat_map(|c| c.to_uppercase().chain(std::iter::once(c))).map(u32::from));
            }
        }
        let attributes = element.attributes.iter().filter(|a| matches!(a.name.as_str(), "placeholder" | "value"));
        found.extend(attributes.flat_map(|attribute| attribute.value.chars()).map(u32::from));
        let contents = element.rules.iter().flat_map(|rule| &rule.declarations).filter(|d| d.name == "content");
        for declaration in contents {
            found.extend(identifiers(&declaration.value).iter().flat_map(|word| word.chars()).map(u32::from));
        }
    }
    found
}

#[cfg(test)]
mod tests;
