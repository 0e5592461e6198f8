//! Pseudo-classes and pseudo-elements that Chromium knows.

use super::atom::Atom;
use super::state::State;
use cssparser::{ToCss, serialize_identifier, serialize_string};
use std::fmt;

/// A pseudo-class other than the structural ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PseudoClass {
    State(State),
    /// `:link`, `:any-link`
    Link(&'static str),
    Checked,
    Disabled,
    Enabled,
    Required,
    Optional,
    ReadOnly,
    ReadWrite,
    PlaceholderShown,
    Indeterminate,
    Default,
    Valid,
    Invalid,
    InRange,
    OutOfRange,
    Defined,
    Open,
    Lang(Box<[Box<str>]>),
    Dir(Box<str>),
    HostContext(Box<str>),
    CustomState(Atom),
    Heading,
    Muted,
    /// Valid, but never matches on a page at rest (`:fullscreen`, `:autofill`).
    Never(Box<str>),
}

/// Pseudo-classes without arguments that match no element of a page at rest.
const NEVER_MATCHING: &[&str] = &[
    "-webkit-autofill",
    "-webkit-drag",
    "-webkit-full-page-media",
    "-webkit-full-screen",
    "-webkit-full-screen-ancestor",
    "active-view-transition",
    "autofill",
    "buffering",
    "current",
    "fullscreen",
    "future",
    "has-slotted",
    "interest-source",
    "interest-target",
    "modal",
    "past",
    "picture-in-picture",
    "playing",
    "seeking",
    "stalled",
    "target-after",
    "target-before",
    "target-current",
    "volume-locked",
    "window-inactive",
    "xr-overlay",
];

/// Pseudo-classes that only apply to parts of a scroll bar.
const SCROLLBAR: &[&str] = &[
    "horizontal",
    "vertical",
    "decrement",
    "increment",
    "start",
    "end",
    "double-button",
    "single-button",
    "no-button",
    "corner-present",
];

impl PseudoClass {
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        if let Some(state) = State::from_name(&name) {
            return Some(Self::State(state));
        }
        Some(match name.as_str() {
            "link" => Self::Link("link"),
            "any-link" | "-webkit-any-link" => Self::Link("any-link"),
            "checked" => Self::Checked,
            "disabled" => Self::Disabled,
            "enabled" => Self::Enabled,
            "required" => Self::Required,
            "optional" => Self::Optional,
            "read-only" => Self::ReadOnly,
            "read-write" => Self::ReadWrite,
            "placeholder-shown" => Self::PlaceholderShown,
            "indeterminate" => Self::Indeterminate,
            "default" => Self::Default,
            "valid" => Self::Valid,
            "invalid" => Self::Invalid,
            "in-range" => Self::InRange,
            "out-of-range" => Self::OutOfRange,
            "defined" => Self::Defined,
            "open" => Self::Open,
            "heading" => Self::Heading,
            "muted" => Self::Muted,
            "paused" => Self::Never(name.into()),
            known if NEVER_MATCHING.contains(&known) || SCROLLBAR.contains(&known) => Self::Never(name.into()),
            _ => return None,
        })
    }
}

impl PseudoClass {
    /// Returns the name of a state in which parts of a carousel are at rest: the button towards the start, the marker of
    /// the first item.
    pub(crate) fn state_of_part(&self) -> Option<&'static str> {
        match self {
            Self::Disabled => Some("disabled"),
            Self::Never(name) if name.as_ref() == "target-current" => Some("target-current"),
            _ => None,
        }
    }
}

impl ToCss for PseudoClass {
    fn to_css<W: fmt::Write>(&self, dest: &mut W) -> fmt::Result {
        dest.write_char(':')?;
        match self {
            Self::State(state) => dest.write_str(state.name()),
            Self::Link(name) => dest.write_str(name),
            Self::Checked => dest.write_str("checked"),
            Self::Disabled => dest.write_str("disabled"),
            Self::Enabled => dest.write_str("enabled"),
            Self::Required => dest.write_str("required"),
            Self::Optional => dest.write_str("optional"),
            Self::ReadOnly => dest.write_str("read-only"),
            Self::ReadWrite => dest.write_str("read-write"),
            Self::PlaceholderShown => dest.write_str("placeholder-shown"),
            Self::Indeterminate => dest.write_str("indeterminate"),
            Self::Default => dest.write_str("default"),
            Self::Valid => dest.write_str("valid"),
            Self::Invalid => dest.write_str("invalid"),
            Self::InRange => dest.write_str("in-range"),
            Self::OutOfRange => dest.write_str("out-of-range"),
            Self::Defined => dest.write_str("defined"),
            Self::Open => dest.write_str("open"),
            Self::Heading => dest.write_str("heading"),
            Self::Muted => dest.write_str("muted"),
            Self::Never(name) => dest.write_str(name),
            Self::Lang(ranges) => write_arguments(dest, "lang", ranges),
            Self::Dir(direction) => write!(dest, "dir({direction})"),
            Self::HostContext(selector) => write!(dest, "host-context({selector})"),
            Self::CustomState(name) => {
                dest.write_str("state(")?;
                serialize_identifier(name.as_str(), dest)?;
                dest.write_char(')')
            }
        }
    }
}

fn write_arguments<W: fmt::Write>(dest: &mut W, name: &str, arguments: &[Box<str>]) -> fmt::Result {
    write!(dest, "{name}(")?;
    for (index, argument) in arguments.iter().enumerate() {
        if index > 0 {
            dest.write_str(", ")?;
        }
        serialize_string(argument, dest)?;
    }
    dest.write_char(')')
}

impl selectors::parser::NonTSPseudoClass for PseudoClass {
    fn is_active_or_hover(&self) -> bool {
        matches!(self, Self::State(State::Active | State::Hover))
    }

    fn is_user_action_state(&self) -> bool {
        // Pseudo-classes of scroll-bar parts are valid only after a pseudo-element.
        let of_scrollbar = matches!(self, Self::Never(name) if name.as_ref() == "window-inactive" || SCROLLBAR.contains(&name.as_ref()));
        let of_carousel = self.state_of_part().is_some();
        of_scrollbar
            || of_carousel
            || matches!(self, Self::State(State::Active | State::Hover | State::Focus | State::FocusVisible))
    }
}

/// A pseudo-element whose styles can be computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PseudoElement {
    /// `::before`
    Before,
    /// `::after`
    After,
    /// `::marker`
    Marker,
    /// `::placeholder`
    Placeholder,
    /// `::selection`
    Selection,
    /// `::backdrop`
    Backdrop,
    /// `::first-line`
    FirstLine,
    /// `::first-letter`
    FirstLetter,
    /// `::file-selector-button`
    FileSelectorButton,
    /// A part of a form control, of a scroll bar, of details or of a carousel, by its name without the colons before it:
    /// `-webkit-slider-thumb`, `scroll-button(*)`. A state that parts are in at rest belongs to the name.
    Part(&'static str),
}

/// The parts whose styles can be computed.
const PARTS: &[&str] = &[
    "-webkit-calendar-picker-indicator",
    "-webkit-color-swatch",
    "-webkit-color-swatch-wrapper",
    "-webkit-date-and-time-value",
    "-webkit-datetime-edit",
    "-webkit-datetime-edit-fields-wrapper",
    "-webkit-details-marker",
    "-webkit-inner-spin-button",
    "-webkit-meter-bar",
    "-webkit-meter-even-less-good-value",
    "-webkit-meter-inner-element",
    "-webkit-meter-optimum-value",
    "-webkit-meter-suboptimum-value",
    "-webkit-outer-spin-button",
    "-webkit-progress-bar",
    "-webkit-progress-inner-element",
    "-webkit-progress-value",
    "-webkit-scrollbar",
    "-webkit-scrollbar-button",
    "-webkit-scrollbar-corner",
    "-webkit-scrollbar-thumb",
    "-webkit-scrollbar-track",
    "-webkit-scrollbar-track-piece",
    "-webkit-search-cancel-button",
    "-webkit-search-decoration",
    "-webkit-slider-runnable-track",
    "-webkit-slider-thumb",
    "checkmark",
    "details-content",
    "picker(select)",
    "picker-icon",
    "scroll-button(*)",
    "scroll-button(*):disabled",
    "scroll-button(block-end)",
    "scroll-button(block-start)",
    "scroll-button(down)",
    "scroll-button(inline-end)",
    "scroll-button(inline-start)",
    "scroll-button(left)",
    "scroll-button(right)",
    "scroll-button(up)",
    "scroll-marker",
    "scroll-marker-group",
    "scroll-marker:target-current",
];

impl PseudoElement {
    /// Every pseudo-element whose styles can be computed, except for the parts of controls.
    const NAMED: [Self; 9] = [
        Self::Before,
        Self::After,
        Self::Marker,
        Self::Placeholder,
        Self::Selection,
        Self::Backdrop,
        Self::FirstLine,
        Self::FirstLetter,
        Self::FileSelectorButton,
    ];

    /// Returns the name, without colons.
    pub fn name(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
            Self::Marker => "marker",
            Self::Placeholder => "placeholder",
            Self::Selection => "selection",
            Self::Backdrop => "backdrop",
            Self::FirstLine => "first-line",
            Self::FirstLetter => "first-letter",
            Self::FileSelectorButton => "file-selector-button",
            Self::Part(name) => name,
        }
    }

    /// Returns the part in the state that a selector names after it; the part itself for other states.
    pub(crate) fn in_state(self, state: &str) -> Self {
        Self::from_name(&format!("{}:{state}", self.name())).unwrap_or(self)
    }

    /// Returns true for a part in a state.
    pub(crate) fn is_part_in_state(self) -> bool {
        matches!(self, Self::Part(name) if name.contains(':'))
    }

    fn from_name(name: &str) -> Option<Self> {
        let part = || PARTS.binary_search(&name).ok().map(|at| Self::Part(PARTS[at]));
        Self::NAMED.into_iter().find(|known| known.name() == name).or_else(part)
    }
}

/// A pseudo-element in a selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PseudoName {
    Known(PseudoElement),
    /// Valid, but its style is not computed (`::-webkit-scrollbar`).
    Other(Box<str>),
}

/// Pseudo-elements without arguments that Chromium supports besides `::-webkit-…`.
const OTHER: &[&str] = &[
    "column",
    "cue",
    "grammar-error",
    "interest-hint",
    "search-text",
    "spelling-error",
    "target-text",
    "view-transition",
];

/// Pseudo-elements with arguments.
const FUNCTIONAL: &[&str] = &[
    "cue",
    "highlight",
    "picker",
    "scroll-button",
    "view-transition-group",
    "view-transition-group-children",
    "view-transition-image-pair",
    "view-transition-new",
    "view-transition-old",
];

impl PseudoName {
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let known = PseudoElement::from_name(&name);
        match (known, name.as_str()) {
            (Some(known), _) => Some(Self::Known(known)),
            (None, "-webkit-input-placeholder") => Some(Self::Known(PseudoElement::Placeholder)),
            (None, "-webkit-file-upload-button") => Some(Self::Known(PseudoElement::FileSelectorButton)),
            (None, other) if other.starts_with("-webkit-") || OTHER.contains(&other) => Some(Self::Other(name.into())),
            _ => None,
        }
    }

    /// Returns the pseudo-element of a name with arguments.
    pub(crate) fn from_function(name: &str, arguments: &str) -> Self {
        let full = format!("{}({})", name.to_ascii_lowercase(), arguments.trim().to_ascii_lowercase());
        PseudoElement::from_name(&full).map_or_else(|| Self::Other(full.into()), Self::Known)
    }

    pub(crate) fn is_functional(name: &str) -> bool {
        FUNCTIONAL.iter().any(|known| known.eq_ignore_ascii_case(name))
    }
}

impl ToCss for PseudoName {
    fn to_css<W: fmt::Write>(&self, dest: &mut W) -> fmt::Result {
        match self {
            Self::Known(known) => write!(dest, "::{}", known.name()),
            Self::Other(name) => write!(dest, "::{name}"),
        }
    }
}

impl selectors::parser::PseudoElement for PseudoName {
    fn accepts_state_pseudo_classes(&self) -> bool {
        true
    }

    fn valid_after_slotted(&self) -> bool {
        self.is_before_or_after()
    }

    fn valid_after_before_or_after(&self) -> bool {
        matches!(self, Self::Known(PseudoElement::Marker))
    }

    fn is_before_or_after(&self) -> bool {
        matches!(self, Self::Known(PseudoElement::Before | PseudoElement::After))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pseudo_elements_are_found_by_name() {
        assert!(PARTS.is_sorted());
        for (name, expected) in [
            ("Before", Some(PseudoName::Known(PseudoElement::Before))),
            ("-webkit-slider-thumb", Some(PseudoName::Known(PseudoElement::Part("-webkit-slider-thumb")))),
            ("-webkit-input-placeholder", Some(PseudoName::Known(PseudoElement::Placeholder))),
            ("-webkit-made-up", Some(PseudoName::Other("-webkit-made-up".into()))),
            ("-moz-range-thumb", None),
        ] {
            assert_eq!(PseudoName::from_name(name), expected, "{name}");
        }
    }
}
