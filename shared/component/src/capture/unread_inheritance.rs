//! Finds inherited properties that no content reads: the colour of a box whose texts all have colours of their own.
//!
//! Before → after: `.hero { color: #333 } .hero h2 { color: #000 }` around the heading only → `.hero h2 { color: #000 }`.

use super::context::SectionContext;
use limner_component_model::model::{Child, Declaration, ElementId, Namespace, PseudoElement, Rule};
use limner_style::ComputedStyle;
use limner_style::property::Longhand as L;
use std::borrow::Cow;

/// The properties, all of which only text, inline boxes, markers and what is generated read.
const PROPERTIES: [L; 17] = [
    L::Color,
    L::FontFamily,
    L::FontSize,
    L::FontStyle,
    L::FontWeight,
    L::LetterSpacing,
    L::LineHeight,
    L::TextAlign,
    L::TextTransform,
    L::WordSpacing,
    L::ListStyleImage,
    L::ListStylePosition,
    L::ListStyleType,
    L::TextUnderlineOffset,
    L::Fill,
    L::Stroke,
    L::StrokeWidth,
];
/// Those of shapes.
const OF_SHAPES: [L; 3] = [L::Fill, L::Stroke, L::StrokeWidth];
/// Those of markers.
const OF_MARKERS: [L; 3] = [L::ListStyleImage, L::ListStylePosition, L::ListStyleType];
const COLOR: usize = 0;
const FONT_SIZE: usize = 2;
/// Units that depend on the font or on the line height. `rem` and `rlh` depend on the root element's.
const FONT_UNITS: [&str; 6] = ["em", "ex", "ch", "ic", "lh", "cap"];
/// The properties that give a line box its height and its place, even if there is no text in it.
const OF_LINES: [L; 5] = [L::FontFamily, L::FontSize, L::FontWeight, L::LineHeight, L::TextAlign];
/// Elements that browsers draw with the font and the colour of their text.
const DRAWN: &[&str] = &[
    "button", "hr", "input", "legend", "math", "meter", "optgroup", "option", "progress", "select", "summary",
    "textarea",
];

/// One flag for each of [`PROPERTIES`].
type Flags = [bool; PROPERTIES.len()];

/// The properties of each element that something reads, in the element or, by inheritance, in its descendants.
#[derive(Debug, Default)]
pub(super) struct UnreadInheritance {
    read: Vec<Flags>,
}

impl UnreadInheritance {
    /// Determines what is read, from the styles of all elements and their rules.
    pub(super) fn from_rules(context: &SectionContext<'_>, rules: &[Cow<'_, [Rule]>]) -> Self {
        let mut read = vec![[false; PROPERTIES.len()]; rules.len()];
        for (at, own) in rules.iter().enumerate().rev() {
            let reads = read_by_element(context, at, own);
            for (flag, reads) in read[at].iter_mut().zip(reads) {
                *flag |= reads;
            }
            let Some(parent) = context.tree.origins[at].parent else { continue };
            for (property, longhand) in PROPERTIES.iter().enumerate() {
                let inherits = !declares_always(own, longhand.name()) && read[at][property];
                read[parent.0][property] |= inherits || refers_to_parent(own, longhand.name());
            }
        }
        Self { read }
    }

    /// Returns true if nothing reads a property of an element.
    pub(super) fn contains(&self, element: ElementId, longhand: L) -> bool {
        let property = PROPERTIES.iter().position(|own| *own == longhand);
        property.zip(self.read.get(element.0)).is_some_and(|(property, read)| !read[property])
    }

    /// Same for the name of a longhand.
    pub(super) fn contains_name(&self, element: ElementId, name: &str) -> bool {
        PROPERTIES.iter().any(|longhand| longhand.name() == name && self.contains(element, *longhand))
    }
}

/// Returns the properties that an element itself reads.
fn read_by_element(context: &SectionContext<'_>, at: usize, rules: &[Rule]) -> Flags {
    let mut read = read_by_text(context, at, rules);
    let styles = &context.computed[at];
    let declares = |name: &str, test: &dyn Fn(&str) -> bool| {
        rules.iter().flat_map(|rule| &rule.declarations).any(|own| own.name == name && test(&own.value))
    };
    let has_marker = styles.iter().any(|style| style.display().is_list_item())
        || declares("display", &|value| value.contains("list-item"))
        || rules.iter().any(|rule| rule.pseudo == Some(PseudoElement::Marker));
    // What a state changes stays complete.
    let changes = |rule: &Rule| {
        rule.state.is_some() && rule.declarations.iter().any(|own| own.name == L::TextUnderlineOffset.name())
    };
    let has_line = styles.iter().any(|style| style.get(L::TextDecorationLine) != "none")
        || rules.iter().any(changes)
        || declares("text-decoration-line", &|value| value != "none");
    let is_shape = context.tree.elements[at].namespace == Namespace::Svg;
    for (flag, longhand) in read.iter_mut().zip(PROPERTIES) {
        if OF_SHAPES.contains(&longhand) {
            *flag = is_shape;
        }
        if OF_MARKERS.contains(&longhand) {
            *flag = has_marker;
        } else if longhand == L::TextUnderlineOffset {
            *flag = has_line;
        }
    }
    read
}

/// Returns the properties that the texts, lines and drawn parts of an element read.
fn read_by_text(context: &SectionContext<'_>, at: usize, rules: &[Rule]) -> Flags {
    let element = &context.tree.elements[at];
    let styles = &context.computed[at];
    let has_text = element.children.iter().any(|child| matches!(child, Child::Text(text) if !text.trim().is_empty()));
    let has_line = || {
        let is_line = |child: &Child| match child {
            Child::Element(child) => context.computed[child.0].iter().any(|style| style.display().is_inline_level()),
            Child::Text(_) => false,
        };
        styles.iter().any(|style| !style.is_flex_or_grid_container()) && element.children.iter().any(is_line)
    };
    let draws = || {
        DRAWN.contains(&&*element.tag)
            || styles.iter().any(|style| style.display().is_list_item() && style.get(L::ListStyleType) != "none")
            || has_generated_text(rules)
    };
    if has_text || draws() {
        return [true; PROPERTIES.len()];
    }
    // The alternative text of a picture that is not there is laid out like any other.
    let has_line = has_line() || element.tag == "img" || generated(rules).next().is_some();
    let mut read = PROPERTIES.map(|longhand| has_line && OF_LINES.contains(&longhand));
    let declared = || rules.iter().flat_map(|rule| &rule.declarations);
    read[COLOR] = has_uncoloured_lines(styles.iter().map(|style| &**style), rules)
        || declared().any(reads_color)
        || element.attributes.iter().any(|attribute| reads_keyword(&attribute.value));
    read[FONT_SIZE] |= declared().any(|own| own.name != "font-size" && has_font_unit(&own.value))
        || element.attributes.iter().any(|attribute| has_font_unit(&attribute.value));
    read
}

/// Returns the rules of the boxes that an element generates.
fn generated(rules: &[Rule]) -> impl Iterator<Item = &Rule> {
    rules.iter().filter(|rule| matches!(rule.pseudo, Some(PseudoElement::Before | PseudoElement::After)))
}

/// Returns true if a generated box may have text in it, or a border or line in the colour of the text.
fn has_generated_text(rules: &[Rule]) -> bool {
    let is_empty = |value: &str| matches!(value, "''" | "\"\"" | "none" | "normal");
    let mut declared = generated(rules).flat_map(|rule| &rule.declarations);
    let is_coloured = has_border_colors(generated(rules).filter(|rule| rule.condition.is_empty()));
    let draws_lines = |own: &Declaration| {
        let is_border = own.name.starts_with("border");
        let is_line = ["outline", "column-rule", "text-decoration"].iter().any(|part| own.name.starts_with(part));
        (is_line || (is_border && !is_coloured)) && !own.name.ends_with("radius")
    };
    let says_content = |rule: &Rule| rule.declarations.iter().any(|own| own.name == "content");
    declared.any(|own| (own.name == "content" && !is_empty(&own.value)) || draws_lines(own))
        || (generated(rules).next().is_some() && !generated(rules).any(says_content))
}

/// Returns true if rules give all borders a colour of their own.
fn has_border_colors<'r>(rules: impl Iterator<Item = &'r Rule>) -> bool {
    let declared: Vec<&Declaration> = rules.flat_map(|rule| &rule.declarations).collect();
    let colors = [L::BorderTopColor, L::BorderRightColor, L::BorderBottomColor, L::BorderLeftColor];
    colors.iter().all(|color| declared.iter().any(|own| own.name == color.name() && !reads_keyword(&own.value)))
}

/// Returns true if an element has a value of its own whatever other rules apply.
fn declares_always(rules: &[Rule], name: &str) -> bool {
    rules
        .iter()
        .filter(|rule| rule.condition.is_empty() && rule.state.is_none() && rule.pseudo.is_none())
        .any(|rule| rule.declarations.iter().any(|own| own.name == name))
}

/// Returns true if a value of an element is computed from the parent's in any condition.
fn refers_to_parent(rules: &[Rule], name: &str) -> bool {
    const RELATIVE: [&str; 8] =
        ["inherit", "unset", "revert", "bolder", "lighter", "larger", "smaller", "match-parent"];
    let is_relative = |value: &str| {
        RELATIVE.contains(&value)
            || value.contains("var(")
            || (name == "font-size" && (value.contains('%') || has_font_unit(value)))
            || (name == "color" && reads_keyword(value))
    };
    let own = rules.iter().filter(|rule| rule.pseudo.is_none());
    own.flat_map(|rule| &rule.declarations).any(|own| own.name == name && is_relative(&own.value))
}

/// Returns true if borders or outlines may have the colour of the text.
fn has_uncoloured_lines<'s>(mut styles: impl Iterator<Item = &'s ComputedStyle>, rules: &[Rule]) -> bool {
    const BORDERS: [(L, L); 4] = [
        (L::BorderTopStyle, L::BorderTopWidth),
        (L::BorderRightStyle, L::BorderRightWidth),
        (L::BorderBottomStyle, L::BorderBottomWidth),
        (L::BorderLeftStyle, L::BorderLeftWidth),
    ];
    let has_border = styles.any(|style| {
        BORDERS.iter().any(|(line, width)| !matches!(style.get(*line), "none" | "hidden") && style.get(*width) != "0px")
    });
    let colors = [L::BorderTopColor, L::BorderRightColor, L::BorderBottomColor, L::BorderLeftColor];
    let is_coloured = colors.iter().all(|color| declares_always(rules, color.name()));
    let declares = |part: &str, none: &[&str]| {
        let mut declared = rules.iter().flat_map(|rule| &rule.declarations);
        declared.any(|own| own.name.starts_with(part) && !none.contains(&own.value.as_str()))
    };
    // Without a style, browsers draw outlines in a colour of their own.
    (has_border && !is_coloured)
        || declares("outline-style", &["none", "auto", "revert"])
        || declares("column-rule", &[])
        || declares("text-decoration-line", &["none"])
}

/// Returns true if a declaration draws with the text's colour: by its keyword, or because a shadow names no colour.
fn reads_color(own: &Declaration) -> bool {
    let names_color =
        |value: &str| ["#", "rgb", "hsl", "hwb", "lab(", "lch(", "color"].iter().any(|sign| value.contains(sign));
    reads_keyword(&own.value)
        || own.value.contains("drop-shadow(")
        || (own.name == "box-shadow" && own.value != "none" && !names_color(&own.value))
}

fn reads_keyword(value: &str) -> bool {
    value.to_ascii_lowercase().contains("currentcolor")
}

/// Returns true if a value has a length in a unit of the font.
fn has_font_unit(value: &str) -> bool {
    let bytes = value.as_bytes();
    let starts = |at: usize| at > 0 && (bytes[at - 1].is_ascii_digit() || bytes[at - 1] == b'.');
    let ends = |at: usize| !bytes.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'-');
    FONT_UNITS.iter().any(|unit| value.match_indices(unit).any(|(at, _)| starts(at) && ends(at + unit.len())))
}

#[cfg(test)]
mod tests;
