//! Expands a declaration to the longhands it sets.

use super::{Longhand, Quirk, flow, shorthand};
use crate::value::{Component, parse_components};
use limner_page::dom::QuirksMode;
use std::sync::Arc;

/// A CSS-wide keyword, which every property accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CssWide {
    /// `initial`
    Initial,
    /// `inherit`
    Inherit,
    /// `unset`
    Unset,
    /// `revert`
    Revert,
    /// `revert-layer`
    RevertLayer,
}

impl CssWide {
    /// Returns the keyword of that name, in any case.
    pub fn from_keyword(keyword: &str) -> Option<Self> {
        const KEYWORDS: [(&str, CssWide); 5] = [
            ("initial", CssWide::Initial),
            ("inherit", CssWide::Inherit),
            ("unset", CssWide::Unset),
            ("revert", CssWide::Revert),
            ("revert-layer", CssWide::RevertLayer),
        ];
        KEYWORDS.iter().find(|(name, _)| keyword.eq_ignore_ascii_case(name)).map(|(_, own)| *own)
    }

    /// Returns the keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Initial => "initial",
            Self::Inherit => "inherit",
            Self::Unset => "unset",
            Self::Revert => "revert",
            Self::RevertLayer => "revert-layer",
        }
    }
}

/// The value that a declaration gives a longhand.
#[derive(Debug, Clone, PartialEq)]
pub enum DeclaredValue {
    /// A CSS-wide keyword.
    Wide(CssWide),
    /// A valid value.
    Components(Arc<[Component]>),
    /// Known only after substitution of `var()` and similar functions.
    Pending,
}

/// One longhand of a declaration.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpandedLonghand {
    /// The longhand in left-to-right text.
    pub longhand: Longhand,
    /// The longhand in right-to-left text.
    pub rtl: Longhand,
    /// True if the name is relative to the flow (`margin-block-start`), so that the longhand depends on the writing mode.
    pub is_flow_relative: bool,
    /// The value it is set to.
    pub value: DeclaredValue,
}

/// Aliases of property names.
const ALIASES: &[(&str, &str)] = &[
    ("-epub-text-transform", "text-transform"),
    ("-epub-word-break", "word-break"),
    ("-webkit-align-content", "align-content"),
    ("-webkit-align-items", "align-items"),
    ("-webkit-align-self", "align-self"),
    ("-webkit-animation", "animation"),
    ("-webkit-animation-delay", "animation-delay"),
    ("-webkit-animation-direction", "animation-direction"),
    ("-webkit-animation-duration", "animation-duration"),
    ("-webkit-animation-fill-mode", "animation-fill-mode"),
    ("-webkit-animation-iteration-count", "animation-iteration-count"),
    ("-webkit-animation-name", "animation-name"),
    ("-webkit-animation-play-state", "animation-play-state"),
    ("-webkit-animation-timing-function", "animation-timing-function"),
    ("-webkit-appearance", "appearance"),
    ("-webkit-backface-visibility", "backface-visibility"),
    ("-webkit-background-clip", "background-clip"),
    ("-webkit-background-origin", "background-origin"),
    ("-webkit-background-size", "background-size"),
    ("-webkit-border-bottom-left-radius", "border-bottom-left-radius"),
    ("-webkit-border-bottom-right-radius", "border-bottom-right-radius"),
    ("-webkit-border-radius", "border-radius"),
    ("-webkit-border-top-left-radius", "border-top-left-radius"),
    ("-webkit-border-top-right-radius", "border-top-right-radius"),
    ("-webkit-box-decoration-break", "box-decoration-break"),
    ("-webkit-box-shadow", "box-shadow"),
    ("-webkit-box-sizing", "box-sizing"),
    ("-webkit-clip-path", "clip-path"),
    ("-webkit-column-count", "column-count"),
    ("-webkit-column-gap", "column-gap"),
    ("-webkit-column-rule", "column-rule"),
    ("-webkit-column-rule-color", "column-rule-color"),
    ("-webkit-column-rule-style", "column-rule-style"),
    ("-webkit-column-rule-width", "column-rule-width"),
    ("-webkit-column-span", "column-span"),
    ("-webkit-column-width", "column-width"),
    ("-webkit-columns", "columns"),
    ("-webkit-filter", "filter"),
    ("-webkit-flex", "flex"),
    ("-webkit-flex-basis", "flex-basis"),
    ("-webkit-flex-direction", "flex-direction"),
    ("-webkit-flex-flow", "flex-flow"),
    ("-webkit-flex-grow", "flex-grow"),
    ("-webkit-flex-shrink", "flex-shrink"),
    ("-webkit-flex-wrap", "flex-wrap"),
    ("-webkit-font-feature-settings", "font-feature-settings"),
    ("-webkit-hyphenate-character", "hyphenate-character"),
    ("-webkit-justify-content", "justify-content"),
    ("-webkit-margin-after", "margin-block-end"),
    ("-webkit-margin-before", "margin-block-start"),
    ("-webkit-margin-end", "margin-inline-end"),
    ("-webkit-margin-start", "margin-inline-start"),
    ("-webkit-mask", "mask"),
    ("-webkit-mask-clip", "mask-clip"),
    ("-webkit-mask-composite", "mask-composite"),
    ("-webkit-mask-image", "mask-image"),
    ("-webkit-mask-origin", "mask-origin"),
    ("-webkit-mask-position", "mask-position"),
    ("-webkit-mask-repeat", "mask-repeat"),
    ("-webkit-mask-size", "mask-size"),
    ("-webkit-opacity", "opacity"),
    ("-webkit-order", "order"),
    ("-webkit-padding-after", "padding-block-end"),
    ("-webkit-padding-before", "padding-block-start"),
    ("-webkit-padding-end", "padding-inline-end"),
    ("-webkit-padding-start", "padding-inline-start"),
    ("-webkit-perspective", "perspective"),
    ("-webkit-perspective-origin", "perspective-origin"),
    ("-webkit-shape-margin", "shape-margin"),
    ("-webkit-shape-outside", "shape-outside"),
    ("-webkit-text-emphasis", "text-emphasis"),
    ("-webkit-text-emphasis-color", "text-emphasis-color"),
    ("-webkit-text-emphasis-style", "text-emphasis-style"),
    ("-webkit-text-size-adjust", "text-size-adjust"),
    ("-webkit-transform", "transform"),
    ("-webkit-transform-origin", "transform-origin"),
    ("-webkit-transform-style", "transform-style"),
    ("-webkit-transition", "transition"),
    ("-webkit-transition-delay", "transition-delay"),
    ("-webkit-transition-duration", "transition-duration"),
    ("-webkit-transition-property", "transition-property"),
    ("-webkit-transition-timing-function", "transition-timing-function"),
    ("-webkit-user-select", "user-select"),
    ("-webkit-writing-mode", "writing-mode"),
    ("font-width", "font-stretch"),
    ("grid-column-gap", "column-gap"),
    ("grid-gap", "gap"),
    ("grid-row-gap", "row-gap"),
    ("page-break-after", "break-after"),
    ("page-break-before", "break-before"),
    ("page-break-inside", "break-inside"),
    ("word-wrap", "overflow-wrap"),
];

/// Flow-relative longhands: name, physical longhand in left-to-right text, and in right-to-left text, both horizontal.
const FLOW_RELATIVE: &[(&str, Longhand, Longhand)] = &[
    ("block-size", Longhand::Height, Longhand::Height),
    ("border-block-end-color", Longhand::BorderBottomColor, Longhand::BorderBottomColor),
    ("border-block-end-style", Longhand::BorderBottomStyle, Longhand::BorderBottomStyle),
    ("border-block-end-width", Longhand::BorderBottomWidth, Longhand::BorderBottomWidth),
    ("border-block-start-color", Longhand::BorderTopColor, Longhand::BorderTopColor),
    ("border-block-start-style", Longhand::BorderTopStyle, Longhand::BorderTopStyle),
    ("border-block-start-width", Longhand::BorderTopWidth, Longhand::BorderTopWidth),
    ("border-end-end-radius", Longhand::BorderBottomRightRadius, Longhand::BorderBottomLeftRadius),
    ("border-end-start-radius", Longhand::BorderBottomLeftRadius, Longhand::BorderBottomRightRadius),
    ("border-inline-end-color", Longhand::BorderRightColor, Longhand::BorderLeftColor),
    ("border-inline-end-style", Longhand::BorderRightStyle, Longhand::BorderLeftStyle),
    ("border-inline-end-width", Longhand::BorderRightWidth, Longhand::BorderLeftWidth),
    ("border-inline-start-color", Longhand::BorderLeftColor, Longhand::BorderRightColor),
    ("border-inline-start-style", Longhand::BorderLeftStyle, Longhand::BorderRightStyle),
    ("border-inline-start-width", Longhand::BorderLeftWidth, Longhand::BorderRightWidth),
    ("border-start-end-radius", Longhand::BorderTopRightRadius, Longhand::BorderTopLeftRadius),
    ("border-start-start-radius", Longhand::BorderTopLeftRadius, Longhand::BorderTopRightRadius),
    ("contain-intrinsic-block-size", Longhand::ContainIntrinsicHeight, Longhand::ContainIntrinsicHeight),
    ("contain-intrinsic-inline-size", Longhand::ContainIntrinsicWidth, Longhand::ContainIntrinsicWidth),
    ("inline-size", Longhand::Width, Longhand::Width),
    ("inset-block-end", Longhand::Bottom, Longhand::Bottom),
    ("inset-block-start", Longhand::Top, Longhand::Top),
    ("inset-inline-end", Longhand::Right, Longhand::Left),
    ("inset-inline-start", Longhand::Left, Longhand::Right),
    ("margin-block-end", Longhand::MarginBottom, Longhand::MarginBottom),
    ("margin-block-start", Longhand::MarginTop, Longhand::MarginTop),
    ("margin-inline-end", Longhand::MarginRight, Longhand::MarginLeft),
    ("margin-inline-start", Longhand::MarginLeft, Longhand::MarginRight),
    ("max-block-size", Longhand::MaxHeight, Longhand::MaxHeight),
    ("max-inline-size", Longhand::MaxWidth, Longhand::MaxWidth),
    ("min-block-size", Longhand::MinHeight, Longhand::MinHeight),
    ("min-inline-size", Longhand::MinWidth, Longhand::MinWidth),
    ("overflow-block", Longhand::OverflowY, Longhand::OverflowY),
    ("overflow-inline", Longhand::OverflowX, Longhand::OverflowX),
    ("overscroll-behavior-block", Longhand::OverscrollBehaviorY, Longhand::OverscrollBehaviorY),
    ("overscroll-behavior-inline", Longhand::OverscrollBehaviorX, Longhand::OverscrollBehaviorX),
    ("padding-block-end", Longhand::PaddingBottom, Longhand::PaddingBottom),
    ("padding-block-start", Longhand::PaddingTop, Longhand::PaddingTop),
    ("padding-inline-end", Longhand::PaddingRight, Longhand::PaddingLeft),
    ("padding-inline-start", Longhand::PaddingLeft, Longhand::PaddingRight),
    ("scroll-margin-block-end", Longhand::ScrollMarginBottom, Longhand::ScrollMarginBottom),
    ("scroll-margin-block-start", Longhand::ScrollMarginTop, Longhand::ScrollMarginTop),
    ("scroll-margin-inline-end", Longhand::ScrollMarginRight, Longhand::ScrollMarginLeft),
    ("scroll-margin-inline-start", Longhand::ScrollMarginLeft, Longhand::ScrollMarginRight),
    ("scroll-padding-block-end", Longhand::ScrollPaddingBottom, Longhand::ScrollPaddingBottom),
    ("scroll-padding-block-start", Longhand::ScrollPaddingTop, Longhand::ScrollPaddingTop),
    ("scroll-padding-inline-end", Longhand::ScrollPaddingRight, Longhand::ScrollPaddingLeft),
    ("scroll-padding-inline-start", Longhand::ScrollPaddingLeft, Longhand::ScrollPaddingRight),
];

/// Resolves an alias; names are in lower case.
fn canonical(name: &str) -> &str {
    match ALIASES.binary_search_by(|(alias, _)| (*alias).cmp(name)) {
        Ok(index) => ALIASES[index].1,
        Err(_) => name,
    }
}

/// The longhands of a name for left-to-right and for right-to-left text, both horizontal, and true if the name is relative
/// to the flow.
type LonghandPair = (Longhand, Longhand, bool);

fn longhand_pair(name: &str) -> Option<LonghandPair> {
    if let Some(longhand) = Longhand::from_name(name) {
        return Some((longhand, longhand, false));
    }
    let index = FLOW_RELATIVE.binary_search_by(|(known, _, _)| (*known).cmp(name)).ok()?;
    Some((FLOW_RELATIVE[index].1, FLOW_RELATIVE[index].2, true))
}

/// Returns true if a value contains a function that is substituted before the value is parsed.
fn has_substitution(components: &[Component]) -> bool {
    components.iter().any(|component| match component {
        Component::Function { name, arguments } => {
            let is_replaced = match &**name {
                "var" | "env" | "if" | "sibling-index" | "sibling-count" => true,
                "attr" => !is_plain_attr(arguments),
                name => name.starts_with("--"),
            };
            is_replaced || has_substitution(arguments)
        }
        Component::Block(_, inner) => has_substitution(inner),
        _ => false,
    })
}

/// Returns true for `attr(name)`, which `content` itself evaluates.
fn is_plain_attr(arguments: &[Component]) -> bool {
    matches!(arguments, [Component::Ident(_)])
}

/// A property that declarations set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Property {
    /// The longhands in left-to-right and in right-to-left text, and true if they are relative to the flow.
    Longhand(Longhand, Longhand, bool),
    /// A shorthand by its name.
    Shorthand(&'static str),
}

impl Property {
    /// Returns the property of a name in lower case; `None` for custom properties.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = canonical(name);
        let longhand = longhand_pair(name).map(|(ltr, rtl, flows)| Self::Longhand(ltr, rtl, flows));
        longhand.or_else(|| shorthand::static_name(name).map(Self::Shorthand))
    }

    /// Returns the longhands that a declaration of it sets, or `None` if it is invalid. With `var()` in the value,
    /// every longhand is pending. `quirk` is the value quirk that applies.
    pub fn expand(self, text: &str, quirk: Option<Quirk>) -> Option<Arc<[ExpandedLonghand]>> {
        let mut components = parse_components(text)?;
        if let [Component::Ident(keyword)] = components.as_slice()
            && let Some(wide) = CssWide::from_keyword(keyword)
        {
            return self.longhands_set_to(&DeclaredValue::Wide(wide));
        }
        if has_substitution(&components) {
            return self.longhands_set_to(&DeclaredValue::Pending);
        }
        if let Some(quirk) = quirk {
            quirk.complete(&mut components, text);
        }
        match self {
            Self::Longhand(longhand, rtl, is_flow_relative) => {
                let value = DeclaredValue::Components(accepted(longhand, components)?.into());
                Some(Arc::new([ExpandedLonghand { longhand, rtl, is_flow_relative, value }]))
            }
            Self::Shorthand(name) => checked_longhands(shorthand::expand(name, &components)?).map(Into::into),
        }
    }

    /// Returns true if it sets a longhand for which `like` returns true; `like` takes the left-to-right and the
    /// right-to-left longhand.
    pub fn sets_matching(self, mut like: impl FnMut(Longhand, Longhand) -> bool) -> bool {
        let mut is_like = |(longhand, rtl, is_flow_relative): LonghandPair| {
            like(longhand, rtl)
                || (is_flow_relative && flow::alternatives(longhand).iter().any(|other| like(*other, *other)))
        };
        match self {
            Self::Longhand(longhand, rtl, is_flow_relative) => is_like((longhand, rtl, is_flow_relative)),
            Self::Shorthand("all") => true,
            Self::Shorthand(name) => {
                let mut parts = shorthand::longhands(name).into_iter().flatten().filter_map(|part| longhand_pair(part));
                parts.any(is_like)
            }
        }
    }

    /// Returns all its longhands, set to the same value.
    fn longhands_set_to(self, value: &DeclaredValue) -> Option<Arc<[ExpandedLonghand]>> {
        let declared = |(longhand, rtl, is_flow_relative)| {
            let value = value.clone();
            ExpandedLonghand { longhand, rtl, is_flow_relative, value }
        };
        match self {
            Self::Longhand(longhand, rtl, flows) => Some(Arc::new([declared((longhand, rtl, flows))])),
            Self::Shorthand("all") => {
                let kept = [Longhand::Direction, Longhand::UnicodeBidi];
                let reset = Longhand::ALL.iter().filter(|longhand| !kept.contains(longhand));
                Some(reset.map(|longhand| declared((*longhand, *longhand, false))).collect())
            }
            Self::Shorthand(name) => {
                shorthand::longhands(name)?.iter().map(|part| longhand_pair(part).map(declared)).collect()
            }
        }
    }
}

/// Returns the longhands that a declaration of a property sets, or `None` if it is invalid. With `var()` in the value,
/// every longhand is pending.
pub fn expand(name: &str, text: &str) -> Option<Arc<[ExpandedLonghand]>> {
    Property::from_name(name)?.expand(text, None)
}

/// Returns true if a declaration of a property is valid on a page in this mode.
pub fn is_valid(name: &str, text: &str, mode: QuirksMode) -> bool {
    Property::from_name(name).is_some_and(|property| property.expand(text, Quirk::for_property(name, mode)).is_some())
}

/// Checks the longhands of a shorthand. Most are set to their initial values, or to the value of the longhand before:
/// those need no match with the grammar.
fn checked_longhands(parts: Vec<super::longhand_values::LonghandValue>) -> Option<Vec<ExpandedLonghand>> {
    let mut all: Vec<ExpandedLonghand> = Vec::with_capacity(parts.len());
    for (part, value) in parts {
        let (longhand, rtl, is_flow_relative) = longhand_pair(part)?;
        let initial = longhand.initial_components();
        let before = all.last().filter(|last| last.longhand.syntax() == longhand.syntax());
        let value = match before.map(|last| &last.value) {
            _ if **initial == *value => initial.clone(),
            Some(DeclaredValue::Components(known)) if **known == *value => known.clone(),
            _ => accepted(longhand, value)?.into(),
        };
        let value = DeclaredValue::Components(value);
        all.push(ExpandedLonghand { longhand, rtl, is_flow_relative, value });
    }
    Some(all)
}

fn accepted(longhand: Longhand, value: Vec<Component>) -> Option<Vec<Component>> {
    // Fonts 4, section 2.2: weights go from 1 to 1000.
    let is_weight = longhand == Longhand::FontWeight;
    if is_weight && matches!(value.as_slice(), [Component::Number { value, .. }] if !(1.0..=1000.0).contains(value)) {
        return None;
    }
    longhand.accepts(&value).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_and_name_existing_properties() {
        assert!(ALIASES.is_sorted_by_key(|(alias, _)| *alias));
        assert!(FLOW_RELATIVE.is_sorted_by_key(|(name, _, _)| *name));
        for (alias, name) in ALIASES {
            assert!(longhand_pair(name).is_some() || shorthand::longhands(name).is_some(), "{alias}");
        }
    }
}
