//! The component model: a section of a page in a framework-neutral form that every emitter can write.
//!
//! Capturing resolves everything that needs the page: which declaration wins the cascade, the value of a custom
//! property, values inherited from outside the section, the target of a URL. The result is a tree of elements, each
//! with its own rules. The model depends on no framework and refers to no page.
//!
//! # Normal form
//!
//! * An element's rules are ordered, and of two rules that apply at once **the later one wins**, whatever condition or
//!   state they have. There is no `!important`, no specificity and no layer: an emitter only has to keep that order.
//!   Rules with a state come after all rules without one, states in the order of [`InteractionState`], conditions in the
//!   order of [`Condition::rank`].
//! * Declarations are longhands (or custom properties, where keyframes need them, or where values refer to them), at most
//!   one for each property in a rule, sorted by name. Emitters join them into shorthands.
//! * Values are as the author specified them, URLs absolute, and `rem` meaning 16 px. `var()` is substituted, unless the
//!   root declares the custom property and no other element does.
//! * Rules contain only declarations that differ from [`Baseline`]: with [`Baseline::Preflight`] an element that needs
//!   its browser's margins back has them declared, and `margin: 0` is left out.
//! * Values that an element inherits from outside of the section are declared on the root.

use super::theme_selector::ThemeSelector;
use limner_page::dom::categories;
use limner_types::{SectionRole, Theme};
use std::borrow::Cow;

/// Number of pixels of a `rem` in a component.
pub const REM: f64 = 16.0;

/// A section of a page in the normal form.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Component {
    /// In PascalCase: the name that the caller asked for, or one derived from the section.
    pub name: String,
    /// The purpose of the section (header, hero, …).
    pub role: Option<SectionRole>,
    /// The language of the text, unless the section's own element declares it (then it is an attribute of the root).
    pub lang: Option<String>,
    /// Light or dark; `None` if it cannot be determined.
    pub theme: Option<Theme>,
    /// The class or attribute on the page's root that switches to the dark theme, where the page does so by nothing
    /// else.
    pub dark_switch: Option<ThemeSelector>,
    /// The styles of unstyled elements in the document that the component is pasted into.
    pub baseline: Baseline,
    /// Every element in document order; the first is the root. [`ElementId`] indexes it.
    pub elements: Vec<Element>,
    /// State sources: lists of elements whose states other elements' rules depend on. The states of the elements of one
    /// list have the same effect. Each list is in document order and never empty. A list of siblings may also hold
    /// elements on another side than the one that a rule names.
    pub state_sources: Vec<Vec<ElementId>>,
    /// The `@keyframes` that rules refer to.
    pub keyframes: Vec<Keyframes>,
    /// The `@font-face` rules of the families that rules name.
    pub font_faces: Vec<FontFace>,
    /// `@property` rules of custom properties that animations need.
    pub registrations: Vec<DescriptorAtRule>,
    /// `@counter-style` rules that lists need.
    pub counter_styles: Vec<DescriptorAtRule>,
    /// True if the widths and heights of all elements include their padding and borders, under all conditions.
    pub is_border_box: bool,
    /// True if elements were left out because the section has too many.
    pub truncated: bool,
}

/// The styles of an unstyled element in the document that a component is pasted into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Baseline {
    /// The browser's own stylesheet.
    #[default]
    Browser,
    /// The browser's own stylesheet, followed by Tailwind v4's preflight.
    Preflight,
}

/// An element's index in [`Component::elements`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ElementId(pub usize);

/// An element.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Element {
    /// The local name: lower case for HTML, case-adjusted for SVG and MathML (`linearGradient`).
    pub tag: String,
    /// The vocabulary that the name is from.
    pub namespace: Namespace,
    /// Attributes in document order under their HTML names (`class`, `for`, `xlink:href`, `viewBox`), without `class`,
    /// `style`, event handlers and URLs that run scripts.
    pub attributes: Vec<Attribute>,
    /// Children in order.
    pub children: Vec<Child>,
    /// Rules in the order of the normal form.
    pub rules: Vec<Rule>,
    /// Semantic name of the element, from its own class, id or role (`card-title`): lower case, dashes, never empty.
    pub semantic_name: String,
    /// Modifiers in the author's words, which set the element apart from others with the same semantic name
    /// (`featured`, `off`): lower case, dashes.
    pub modifiers: Vec<String>,
    /// True if white space between this element's children, and at both ends, is never rendered: it may be added and
    /// removed freely. If false, texts have exactly the spaces that are rendered, and none may be added.
    pub whitespace_insignificant: bool,
    /// True if white space at both ends is never rendered, whatever the children are.
    pub edge_whitespace_insignificant: bool,
    /// True if the parent's line ends before this element and a new one begins after it: white space next to it is not
    /// rendered.
    pub is_block_level: bool,
    /// True if white space and line breaks in texts are preserved (`pre`, `textarea`, `white-space: pre…`).
    pub preserves_whitespace: bool,
}

impl Element {
    /// Returns the value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|attribute| attribute.name == name).map(|attribute| attribute.value.as_str())
    }

    /// Returns true for replaced elements, see [`categories::is_replaced`].
    pub fn is_replaced(&self) -> bool {
        let can_be = self.namespace == Namespace::Html || self.tag == "svg";
        can_be && categories::is_replaced(&self.tag, |name| self.attribute(name))
    }

    /// Returns true if the element may be in a paragraph, in another element that may be there or not: phrasing content (see
    /// [`categories::is_phrasing`]), a drawing or formula with its parts, or one of the elements that only phrasing content
    /// consists of (<https://html.spec.whatwg.org/multipage/indices.html#elements-3>).
    pub fn may_be_in_paragraph(&self) -> bool {
        let is_part = matches!(self.tag.as_str(), "optgroup" | "option" | "rp" | "rt" | "source" | "track");
        self.namespace != Namespace::Html || is_part || categories::is_phrasing(&self.tag)
    }

    /// Returns true for interactive content, see [`categories::is_interactive`].
    pub fn is_interactive(&self) -> bool {
        self.namespace == Namespace::Html && categories::is_interactive(&self.tag, |name| self.attribute(name))
    }
}

/// The vocabulary of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Namespace {
    /// HTML.
    #[default]
    Html,
    /// SVG: the `svg` element and everything in it, except below `foreignObject`.
    Svg,
    /// MathML.
    MathMl,
}

/// An attribute. The value is text, not markup: nothing in it is escaped.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Attribute {
    /// The name as in HTML.
    pub name: String,
    /// Empty for attributes without value (`disabled`).
    pub value: String,
}

/// A child node of an element.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Child {
    /// An element.
    Element(ElementId),
    /// Text, not markup: nothing in it is escaped. Runs of collapsible white space are one space.
    Text(String),
}

/// Declarations and the circumstances under which they apply.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Rule {
    /// The media and other conditions under which the rule applies.
    pub condition: Condition,
    /// The interaction states under which the rule applies; `None`: always.
    pub state: Option<StateCondition>,
    /// The pseudo-element that the rule styles; `None` is the element itself.
    pub pseudo: Option<PseudoElement>,
    /// Declarations, sorted by name; never empty.
    pub declarations: Vec<Declaration>,
}

/// Media and other conditions, all of which must hold. The default always holds.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Condition {
    /// The viewport is at least this wide, in CSS pixels (16 px are 1 rem).
    pub min_width: Option<u32>,
    /// The viewport is **narrower** than this, in CSS pixels: 768 is what authors write as `max-width: 767px`.
    pub max_width_exclusive: Option<u32>,
    /// The dark scheme is preferred, and the component itself is light.
    pub dark: bool,
    /// `prefers-reduced-motion: reduce`
    pub reduced_motion: bool,
    /// Other at-rules that enclose the declarations, from the outermost, as they are to be written: `@container card
    /// (min-width: 400px)`, `@supports (…)`, `@media (orientation: landscape)`.
    pub at_rules: Vec<String>,
}

/// Sort key of a condition in the normal form.
pub type ConditionRank = (bool, bool, bool, u8, i64, u32, i64);

impl Condition {
    /// Returns the sort key of the normal form: no bounds, falling upper bounds, rising lower bounds, both bounds; then
    /// the same for the dark scheme; then for reduced motion; then for rules inside of other at-rules, which are
    /// ordered by their widths in the same way. Of two conditions that hold at once, the later one decides a property.
    pub fn rank(&self) -> ConditionRank {
        let (kind, upper, lower) = match (self.min_width, self.max_width_exclusive) {
            (None, None) => (0, 0, 0),
            (None, Some(below)) => (1, -i64::from(below), 0),
            (Some(min), None) => (2, 0, min),
            (Some(min), Some(below)) => (3, -i64::from(below), min),
        };
        let inner = self.at_rules.last().map_or(0, |rule| width_rank(rule));
        (!self.at_rules.is_empty(), self.reduced_motion, self.dark, kind, upper, lower, inner)
    }

    /// Returns true if the condition always holds.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Returns a sort key for the first width that an at-rule names: falling upper bounds, then rising lower bounds.
fn width_rank(rule: &str) -> i64 {
    let Some(start) = rule.find(|c: char| c.is_ascii_digit()) else { return 0 };
    let (before, rest) = rule.split_at(start);
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    let unit = if rest[end..].starts_with("em") || rest[end..].starts_with("rem") { 16.0 } else { 1.0 };
    let width = (rest[..end].parse::<f64>().unwrap_or(0.0) * unit).min(1e6) as i64;
    if before.contains("max-") || before.contains('<') { width - 2_000_000 } else { width }
}

/// The interaction states under which a rule applies.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateCondition {
    /// The element that must be in the states.
    pub target: StateTarget,
    /// The states that must hold at once; never empty.
    pub all_of: Vec<InteractionState>,
    /// The states of the element that has the rule, which must hold as well if the target is another element. May be
    /// empty.
    pub own: Vec<InteractionState>,
}

/// The element whose state a rule depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StateTarget {
    /// The element that has the rule.
    SelfElement,
    /// An ancestor (`group-hover`).
    Ancestor(ElementId),
    /// Any of these siblings of the element (`peer-focus`) or of one of its ancestors.
    Sibling(SiblingSide, StateSourceListId),
    /// Any of these descendants (`:has(:focus)`).
    Descendant(StateSourceListId),
    /// Any of these descendants of an ancestor, wherever else they are (`form:has(:checked) p`).
    Within(ElementId, StateSourceListId),
}

/// The siblings of an element that a rule depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SiblingSide {
    /// All earlier siblings.
    Before,
    /// The sibling directly before.
    JustBefore,
    /// All later siblings.
    After,
    /// The sibling directly after.
    JustAfter,
}

/// The index of a list of elements in [`Component::state_sources`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateSourceListId(pub usize);

/// An interaction state: something a visitor does to an element (`:hover`), or a state that the element gets
/// (`:valid`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum InteractionState {
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
    /// `:checked`, for an element that starts unchecked.
    Checked,
    /// Not `:checked`, for an element that starts checked.
    Unchecked,
    /// `[open]`, for an element that starts closed.
    Open,
    /// Not `[open]`, for an element that starts open.
    Closed,
    /// `:disabled`, for an element that starts enabled.
    Disabled,
    /// `:enabled`, for an element that starts disabled.
    Enabled,
    /// `:placeholder-shown`, for a field that starts with a value.
    PlaceholderShown,
    /// Not `:placeholder-shown`, for a field that starts empty.
    Filled,
    /// `:valid`, for a field that starts invalid.
    Valid,
    /// `:invalid`, for a field that starts valid.
    Invalid,
    /// `:user-valid`
    UserValid,
    /// `:user-invalid`
    UserInvalid,
    /// `:popover-open`
    PopoverOpen,
}

impl InteractionState {
    /// Returns the name of Tailwind's variant.
    pub fn name(self) -> &'static str {
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

    /// Returns the selector, which has the specificity of one class.
    pub fn selector(self) -> &'static str {
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

/// A pseudo-element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PseudoElement {
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
    /// A vendor pseudo-element of a form control, a scroll bar or `details`: `-webkit-slider-thumb`.
    Part(&'static str),
}

impl PseudoElement {
    /// Returns the name without colons.
    pub fn name(self) -> &'static str {
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
pub struct Declaration {
    /// A longhand in lower case, or a custom property.
    pub name: Cow<'static, str>,
    /// The specified value: `1.5rem`, `#fff`, `clamp(1rem, 2vw, 2rem)`, `inherit`, `var(--brand)`. Valid for its property.
    pub value: String,
    /// The computed value as `getComputedStyle` serializes it where this rule wins: `24px`, `rgb(255, 255, 255)`. Equal
    /// to the specified value where that depends on layout.
    pub computed: String,
}

/// `@keyframes`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Keyframes {
    /// The name, escaped as a CSS identifier.
    pub name: String,
    /// The selector and the declarations of each frame, in order: `("0%, 50%", [("opacity", "0")])`.
    pub frames: Vec<(String, Vec<(String, String)>)>,
}

/// `@font-face`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FontFace {
    /// The family's name, unquoted.
    pub family: String,
    /// Descriptors in order, URLs absolute: `("src", "url(\"…\") format(\"woff2\")")`.
    pub descriptors: Vec<(String, String)>,
    /// The stylesheet of a font service that declares the face, to which a page may link instead.
    pub service: Option<String>,
}

/// An at-rule whose block has descriptors only.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DescriptorAtRule {
    /// The text between the at-rule's name and its block.
    pub prelude: String,
    /// Descriptors in order.
    pub descriptors: Vec<(String, String)>,
}

/// A component in the syntax of one framework.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Emitted {
    /// The component.
    pub code: String,
    /// The companion stylesheet: always present for `html`; else only when keyframes are needed.
    pub css: Option<String>,
    /// Number of declarations that became named utilities.
    pub mapped_to_tailwind: usize,
    /// Number of declarations that became an arbitrary value or property.
    pub arbitrary: usize,
    /// Number of declarations that the syntax of the framework cannot express.
    pub dropped: usize,
    /// Number of repeated structures, which are loops in targets that have them.
    pub repeated_groups: usize,
    /// Advice on what a project needs for the code to look as on the page.
    pub setup_hint: Option<String>,
}
