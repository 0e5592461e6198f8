//! The component model: a section of a page in a form that every framework can be written from.
//!
//! Capturing a section settles everything that needs the page: which declaration wins, what a custom property stands
//! for, what is inherited from outside, where an address leads. What is left is a tree of elements that each carry
//! their own rules. Nothing here knows a framework; nothing here refers to the page.
//!
//! # Normal form
//!
//! * An element's rules stand in order, and of two that apply at once **the later one wins**, whatever condition or
//!   state they have. There is no `!important`, no specificity, no layer: who writes the rules must only keep that order.
//!   Rules with a state come after all without one, states in the order of [`UserAction`]; conditions come in the order
//!   of [`Condition::rank`].
//! * Declarations are longhands (or custom properties, where keyframes need them), at most one for each property in a
//!   rule, sorted by name. Writing them shorter is the emitters' affair.
//! * Values are as the author specified them, with `var()` substituted, addresses absolute, and `rem` meaning 16 px.
//! * Rules say only what [`Baseline`] does not say already: with [`Baseline::Preflight`] an element that needs its
//!   browser's margins back has them declared, and `margin: 0` is left out.
//! * What an element inherits from outside of the section is declared on the root.

use super::themes::RootMark;
use limner_types::{SectionRole, Theme};
use std::borrow::Cow;

/// Pixels of a `rem` in a component.
pub(crate) const REM: f64 = 16.0;

/// A section of a page, ready to be written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Component {
    /// In PascalCase: what the caller asked for, or what the section is.
    pub(crate) name: String,
    /// What the section is for.
    pub(crate) role: Option<SectionRole>,
    /// The language of the text, when the section itself does not say it (else it is an attribute of the root).
    pub(crate) lang: Option<String>,
    /// Whether it reads light or dark; `None` when that cannot be told.
    pub(crate) theme: Option<Theme>,
    /// What switches to the dark theme where only a mark on the root of the page does.
    pub(crate) dark_switch: Option<RootMark>,
    /// What holds in the place the component is pasted into.
    pub(crate) baseline: Baseline,
    /// Every element in document order; the first is the root. [`ElementId`] indexes it.
    pub(crate) elements: Vec<Element>,
    /// Elements whose states come to the same for what follows them: lists in document order, never empty. Of siblings a
    /// list may have more than those on the side that a rule is about.
    pub(crate) followed: Vec<Vec<ElementId>>,
    /// The `@keyframes` that rules name.
    pub(crate) keyframes: Vec<Keyframes>,
    /// The `@font-face` rules of families that rules name.
    pub(crate) font_faces: Vec<FontFace>,
    /// `@property` rules of custom properties that animations need.
    pub(crate) registrations: Vec<AtRuleText>,
    /// `@counter-style` rules that lists need.
    pub(crate) counter_styles: Vec<AtRuleText>,
    /// Whether elements were left out because the section has too many.
    pub(crate) truncated: bool,
}

/// What holds for an unstyled element in the place a component is pasted into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Baseline {
    /// The browser's own sheet.
    Browser,
    /// The browser's own sheet under Tailwind v4's preflight.
    Preflight,
}

/// An element by its place in [`Component::elements`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ElementId(pub(crate) usize);

/// An element.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Element {
    /// The local name: lower case for HTML, case-adjusted for SVG and MathML (`linearGradient`).
    pub(crate) tag: String,
    /// Which vocabulary the name is from.
    pub(crate) namespace: Namespace,
    /// Attributes in document order under their HTML names (`class`, `for`, `xlink:href`, `viewBox`), without `class` and
    /// `style`, handlers, and addresses that run scripts.
    pub(crate) attributes: Vec<Attribute>,
    /// Children in order.
    pub(crate) children: Vec<Child>,
    /// In the order of the normal form.
    pub(crate) rules: Vec<Rule>,
    /// A word for what the element is, from its own class, id or role (`card-title`): lower case, dashes, never empty.
    pub(crate) word: String,
    /// What sets the element apart from others like it, as its author named it (`featured`, `off`): lower case, dashes.
    pub(crate) traits: Vec<String>,
    /// White space between this element's children, and at both ends, shows nothing: it may be added and removed freely.
    /// When false, texts have exactly the spaces that show, and none may be added.
    pub(crate) free_space: bool,
    /// White space at both ends shows nothing, whatever is between the children.
    pub(crate) free_ends: bool,
    /// Lines of the parent end before it and begin after it: white space next to it shows nothing.
    pub(crate) breaks_lines: bool,
    /// White space and line breaks in texts are kept as they are (`pre`, `textarea`, `white-space: pre…`).
    pub(crate) preserves_space: bool,
}

impl Element {
    /// The value of an attribute.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|attribute| attribute.name == name).map(|attribute| attribute.value.as_str())
    }
}

/// The vocabulary of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Namespace {
    /// HTML.
    Html,
    /// SVG: the `svg` element and everything in it, except below `foreignObject`.
    Svg,
    /// MathML.
    MathMl,
}

/// An attribute. The value is text, not markup: nothing in it is escaped.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Attribute {
    /// As HTML writes it.
    pub(crate) name: String,
    /// Empty for attributes without value (`disabled`).
    pub(crate) value: String,
}

/// What is inside an element.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Child {
    /// An element.
    Element(ElementId),
    /// Text, not markup: nothing in it is escaped. Runs of collapsible white space are one space.
    Text(String),
}

/// Declarations and when they apply.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Rule {
    /// What must hold of the viewer.
    pub(crate) condition: Condition,
    /// What the visitor must be doing.
    pub(crate) state: Option<State>,
    /// The part of the element it is about; `None` is the element itself.
    pub(crate) pseudo: Option<PseudoElement>,
    /// Sorted by name; never empty.
    pub(crate) declarations: Vec<Declaration>,
}

/// What must hold of the viewer; everything at once. The default holds always.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub(crate) struct Condition {
    /// The viewport is at least this wide, in CSS pixels (16 px are 1 rem).
    pub(crate) min_width: Option<u32>,
    /// The viewport is **narrower** than this, in CSS pixels: 768 is what authors write as `max-width: 767px`.
    pub(crate) below_width: Option<u32>,
    /// The dark scheme, when the component itself is light.
    pub(crate) dark: bool,
    /// `prefers-reduced-motion: reduce`
    pub(crate) reduced_motion: bool,
    /// Other at-rules around the declarations, from the outermost, as they are to be written: `@container card (min-width:
    /// 400px)`, `@supports (…)`, `@media (orientation: landscape)`.
    pub(crate) within: Vec<String>,
}

/// Where a condition stands in the order of the normal form.
pub(crate) type ConditionRank = (bool, bool, bool, u8, i64, u32, i64);

impl Condition {
    /// The order of the normal form: no bounds, falling upper bounds, rising lower bounds, both bounds; the same in the
    /// dark; then with little motion; then within other rules, of which those about widths in the same order. Of two
    /// conditions that hold at once, a property is decided by the later one.
    pub(crate) fn rank(&self) -> ConditionRank {
        let (kind, upper, lower) = match (self.min_width, self.below_width) {
            (None, None) => (0, 0, 0),
            (None, Some(below)) => (1, -i64::from(below), 0),
            (Some(min), None) => (2, 0, min),
            (Some(min), Some(below)) => (3, -i64::from(below), min),
        };
        let inner = self.within.last().map_or(0, |rule| width_rank(rule));
        (!self.within.is_empty(), self.reduced_motion, self.dark, kind, upper, lower, inner)
    }

    /// Whether it holds always.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Falling upper bounds, then rising lower bounds: the first width that an at-rule names.
fn width_rank(rule: &str) -> i64 {
    let Some(start) = rule.find(|c: char| c.is_ascii_digit()) else { return 0 };
    let (before, rest) = rule.split_at(start);
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    let unit = if rest[end..].starts_with("em") || rest[end..].starts_with("rem") { 16.0 } else { 1.0 };
    let width = (rest[..end].parse::<f64>().unwrap_or(0.0) * unit).min(1e6) as i64;
    if before.contains("max-") || before.contains('<') { width - 2_000_000 } else { width }
}

/// User-action states that an element must be in.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct State {
    /// Which element.
    pub(crate) of: StateOf,
    /// All of these at once; never empty.
    pub(crate) all: Vec<UserAction>,
    /// What the element that has the rule is in meanwhile, where that is another.
    pub(crate) meanwhile: Vec<UserAction>,
}

/// Whose state a rule is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum StateOf {
    /// The element that has the rule.
    Itself,
    /// An element around it (`group-hover`).
    Ancestor(ElementId),
    /// Any of these beside the element (`peer-focus`) or beside one around it.
    Sibling(Side, FollowedId),
    /// Any of these inside it (`:has(:focus)`).
    Descendant(FollowedId),
    /// Any of these inside of an element around it, wherever else they are (`form:has(:checked) p`).
    Within(ElementId, FollowedId),
}

/// Which siblings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Side {
    /// All earlier ones.
    Before,
    /// The one directly before.
    JustBefore,
    /// All later ones.
    After,
    /// The one directly after.
    JustAfter,
}

/// Elements by the place of their list in [`Component::followed`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct FollowedId(pub(crate) usize);

/// What a visitor does to an element, or what becomes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum UserAction {
    /// `:focus-within`
    FocusWithin,
    /// `:hover`
    Hover,
    /// `:focus`
    Focus,
    /// `:focus-visible`
    FocusVisible,
    /// `:active`
    Active,
    /// `:checked`, of what is not checked at first.
    Checked,
    /// Not `:checked`, of what is checked at first.
    Unchecked,
    /// `[open]`, of what is closed at first.
    Open,
    /// Not `[open]`, of what is open at first.
    Closed,
    /// `:disabled`, of what is enabled at first.
    Disabled,
    /// `:enabled`, of what is disabled at first.
    Enabled,
    /// `:placeholder-shown`, of what has a value at first.
    PlaceholderShown,
    /// Not `:placeholder-shown`, of what is empty at first.
    Filled,
    /// `:valid`, of what is not at first.
    Valid,
    /// `:invalid`, of what is valid at first.
    Invalid,
    /// `:user-valid`
    UserValid,
    /// `:user-invalid`
    UserInvalid,
    /// `:popover-open`
    PopoverOpen,
}

impl UserAction {
    /// The name of Tailwind's variant.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Checked => "checked",
            Self::Unchecked => "not-checked",
            Self::Open => "open",
            Self::Closed => "not-open",
            Self::Disabled => "disabled",
            Self::Enabled => "enabled",
            Self::PlaceholderShown => "placeholder-shown",
            Self::Filled => "not-placeholder-shown",
            Self::Valid => "valid",
            Self::Invalid => "invalid",
            Self::UserValid => "user-valid",
            Self::UserInvalid => "user-invalid",
            Self::PopoverOpen => "open",
            Self::FocusWithin => "focus-within",
            Self::Hover => "hover",
            Self::Focus => "focus",
            Self::FocusVisible => "focus-visible",
            Self::Active => "active",
        }
    }

    /// The selector, worth one class.
    pub(crate) fn selector(self) -> &'static str {
        match self {
            Self::FocusWithin => ":focus-within",
            Self::Hover => ":hover",
            Self::Focus => ":focus",
            Self::FocusVisible => ":focus-visible",
            Self::Active => ":active",
            Self::Checked => ":checked",
            Self::Unchecked => ":not(:checked)",
            Self::Open => "[open]",
            Self::Closed => ":not([open])",
            Self::Disabled => ":disabled",
            Self::Enabled => ":enabled",
            Self::PlaceholderShown => ":placeholder-shown",
            Self::Filled => ":not(:placeholder-shown)",
            Self::Valid => ":valid",
            Self::Invalid => ":invalid",
            Self::UserValid => ":user-valid",
            Self::UserInvalid => ":user-invalid",
            Self::PopoverOpen => ":popover-open",
        }
    }
}

/// A part of an element that has styles of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum PseudoElement {
    /// `::before`; always with `content`.
    Before,
    /// `::after`; always with `content`.
    After,
    /// `::marker`
    Marker,
    /// `::placeholder`
    Placeholder,
    /// `::selection`
    Selection,
    /// `::first-line`
    FirstLine,
    /// `::first-letter`
    FirstLetter,
    /// `::file-selector-button`
    FileSelectorButton,
    /// `::backdrop`
    Backdrop,
    /// A part of a form control, of a scroll bar or of details: `-webkit-slider-thumb`.
    Part(&'static str),
}

impl PseudoElement {
    /// The name, without colons.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
            Self::Marker => "marker",
            Self::Placeholder => "placeholder",
            Self::Selection => "selection",
            Self::FirstLine => "first-line",
            Self::FirstLetter => "first-letter",
            Self::FileSelectorButton => "file-selector-button",
            Self::Backdrop => "backdrop",
            Self::Part(name) => name,
        }
    }
}

/// A declaration.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Declaration {
    /// A longhand in lower case, or a custom property.
    pub(crate) name: Cow<'static, str>,
    /// The specified value: `1.5rem`, `#fff`, `clamp(1rem, 2vw, 2rem)`, `inherit`. Valid for its property.
    pub(crate) value: String,
    /// What `getComputedStyle` writes where this rule wins: `24px`, `rgb(255, 255, 255)`. The same as the value where it
    /// depends on layout.
    pub(crate) computed: String,
}

/// `@keyframes`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Keyframes {
    /// The name as an identifier is written in CSS.
    pub(crate) name: String,
    /// Selectors and declarations of each frame in order: `("0%, 50%", [("opacity", "0")])`.
    pub(crate) frames: Vec<(String, Vec<(String, String)>)>,
}

/// `@font-face`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct FontFace {
    /// The family's name, unquoted.
    pub(crate) family: String,
    /// Descriptors in order, addresses absolute: `("src", "url(\"…\") format(\"woff2\")")`.
    pub(crate) descriptors: Vec<(String, String)>,
}

/// An at-rule whose block is nothing but descriptors.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct AtRuleText {
    /// What stands between the at-rule's name and its block.
    pub(crate) prelude: String,
    /// Descriptors in order.
    pub(crate) descriptors: Vec<(String, String)>,
}

/// A component as one framework writes it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Emitted {
    /// The component.
    pub(crate) code: String,
    /// The companion style sheet: always there for `html`; else only when keyframes are needed.
    pub(crate) css: Option<String>,
    /// Declarations that a named utility says.
    pub(crate) mapped_to_tailwind: usize,
    /// Declarations that took an arbitrary value or property.
    pub(crate) arbitrary: usize,
    /// Structures collapsed into a loop.
    pub(crate) repeated_groups: usize,
}
