//! `/extract`: design tokens.

use super::ResultHeader;
use crate::Theme;
use crate::wire_enum::wire_enum;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

wire_enum! {
    /// A kind of design value, named as the field of the result that holds it.
    pub enum TokenKind {
        /// Colours.
        Colors = "colors",
        /// `font-size`.
        FontSizes = "fontSizes",
        /// `font-family` stacks.
        FontFamilies = "fontFamilies",
        /// `font-weight`.
        FontWeights = "fontWeights",
        /// `letter-spacing`.
        LetterSpacings = "letterSpacings",
        /// `line-height`.
        LineHeights = "lineHeights",
        /// Margins, paddings and gaps.
        Spacing = "spacing",
        /// Corner radii.
        BorderRadiuses = "borderRadiuses",
        /// Border widths.
        BorderWidths = "borderWidths",
        /// `box-shadow` lists.
        BoxShadows = "boxShadows",
        /// `text-shadow` lists.
        TextShadows = "textShadows",
        /// `opacity`.
        Opacities = "opacities",
        /// Gradients, one entry each.
        Gradients = "gradients",
        /// Durations of transitions and animations.
        Durations = "durations",
        /// Timing functions of transitions and animations.
        Easings = "easings",
        /// `z-index`.
        ZIndexes = "zIndexes",
    }
}

/// Result of `/extract` with `format=json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct TokensResult {
    /// `url`, `hint`, `screenshot`.
    #[serde(flatten)]
    pub common: ResultHeader,
    /// The values by kind.
    #[serde(flatten)]
    pub tokens: TokenGroups,
    /// The schemes the page declares: `["light"]` or `["light","dark"]`.
    #[serde(rename = "colorSchemes")]
    pub color_schemes: Vec<Theme>,
    /// The values that differ between light and dark; absent if the page declares no dark scheme.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub themes: Option<ThemeTokens>,
    /// Text styles, borders and transitions that elements of the page have as a whole; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub composites: Option<CompositeTokens>,
}

/// The values of each scheme that elements or custom properties have otherwise in the other one, by group and value:
/// `{"light": {"colors": {"#ffffff": {"used": 3, "variables": ["--bg"]}}}, "dark": …}`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct ThemeTokens {
    /// In light.
    #[cfg_attr(feature = "utoipa", schema(value_type = std::collections::HashMap<String, std::collections::HashMap<String, ThemeUsage>>))]
    pub light: BTreeMap<String, TokenGroup<ThemeUsage>>,
    /// In dark.
    #[cfg_attr(feature = "utoipa", schema(value_type = std::collections::HashMap<String, std::collections::HashMap<String, ThemeUsage>>))]
    pub dark: BTreeMap<String, TokenGroup<ThemeUsage>>,
}

/// The usage of a value in one scheme.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct ThemeUsage {
    /// Number of elements of the page with the computed value in this scheme, on a desktop or a phone.
    pub used: usize,
    /// Custom properties that have the value in this scheme and another one in the other.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub variables: Vec<String>,
}

/// Values that consist of several, as elements of the page have them. Borders and transitions are those of one
/// declaration, the most frequent first.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct CompositeTokens {
    /// The style of most headings (`h1` to `h6`), running text (`body`) and buttons (`button`).
    pub typography: BTreeMap<String, TextStyleToken>,
    /// Keyed by width, style and colour: `1px solid #e5e7eb`.
    #[cfg_attr(feature = "utoipa", schema(value_type = std::collections::HashMap<String, BorderToken>))]
    pub borders: TokenGroup<BorderToken>,
    /// Keyed by duration, timing function and delay, without the property: `200ms ease-in-out`.
    #[cfg_attr(feature = "utoipa", schema(value_type = std::collections::HashMap<String, TransitionToken>))]
    pub transitions: TokenGroup<TransitionToken>,
}

/// A text style.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct TextStyleToken {
    /// The whole stack.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub font_family: Option<String>,
    /// As authored.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub font_size: Option<String>,
    /// A number.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub font_weight: Option<String>,
    /// A number, length or percentage.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub line_height: Option<String>,
    /// As authored.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub letter_spacing: Option<String>,
    /// Number of elements with this style.
    pub used: usize,
}

/// A border that elements have from one declaration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct BorderToken {
    /// A length.
    pub width: String,
    /// `solid`, `dashed`, …
    pub style: String,
    /// In CSS, as authored.
    pub color: String,
    /// Number of elements with such a border on any side.
    pub used: usize,
}

/// A transition that elements have from one declaration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct TransitionToken {
    /// In milliseconds.
    pub duration: String,
    /// The timing function.
    pub easing: String,
    /// In milliseconds.
    pub delay: String,
    /// Number of elements with such a transition of any property.
    pub used: usize,
}

/// Design values by kind. Each group is an object keyed by the normalized value, ordered by count, then by value.
///
/// Counts cover whole stylesheets and `style` attributes as declared, whether or not they match an element: one for
/// each declaration that a browser keeps, so that `margin: 8px` counts once. `var()` counts as its
/// default value. A value that a variable has only in another theme or in a variant of a component counts the
/// declarations that may resolve to it, and a colour that occurs only in shadows and gradients counts these. Keyframes,
/// print-only rules, and keywords without a value of their own (`auto`, `none`, `inherit`, `currentcolor`) are left
/// out. Custom properties of the root are listed even if nothing refers to them, where value and name show what they
/// are for.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct TokenGroups {
    /// Keyed by lower-case hex, with eight digits if not opaque. Includes colours in shadows and gradients.
    #[cfg_attr(feature = "utoipa", schema(value_type = std::collections::HashMap<String, TokenUsage>))]
    pub colors: TokenGroup<TokenUsage>,
    /// Lengths, percentages and the absolute size keywords.
    #[cfg_attr(feature = "utoipa", schema(value_type = std::collections::HashMap<String, TokenUsage>))]
    pub font_sizes: TokenGroup<TokenUsage>,
    /// Whole stacks: `Inter, "Open Sans", sans-serif`.
    #[cfg_attr(feature = "utoipa", schema(value_type = std::collections::HashMap<String, TokenUsage>))]
    pub font_families: TokenGroup<TokenUsage>,
    /// Numbers: `normal` is `400`, `bold` is `700`.
    #[cfg_attr(feature = "utoipa", schema(value_type = std::collections::HashMap<String, TokenUsage>))]
    pub font_weights: TokenGroup<TokenUsage>,
    /// Lengths and percentages.
    #[cfg_attr(feature = "utoipa", schema(value_type = std::collections::HashMap<String, TokenUsage>))]
    pub letter_spacings: TokenGroup<TokenUsage>,
    /// Numbers, lengths and percentages.
    #[cfg_attr(feature = "utoipa", schema(value_type = std::collections::HashMap<String, TokenUsage>))]
    pub line_heights: TokenGroup<TokenUsage>,
    /// Lengths and percentages of margins, paddings and gaps.
    #[cfg_attr(feature = "utoipa", schema(value_type = std::collections::HashMap<String, TokenUsage>))]
    pub spacing: TokenGroup<TokenUsage>,
    /// Single radii: the two of an elliptical corner are two values.
    #[cfg_attr(feature = "utoipa", schema(value_type = std::collections::HashMap<String, TokenUsage>))]
    pub border_radiuses: TokenGroup<TokenUsage>,
    /// Lengths, `thin` and `thick`.
    #[cfg_attr(feature = "utoipa", schema(value_type = std::collections::HashMap<String, TokenUsage>))]
    pub border_widths: TokenGroup<TokenUsage>,
    /// Whole lists: for each layer x, y, blur, spread, colour and `inset`.
    #[cfg_attr(feature = "utoipa", schema(value_type = std::collections::HashMap<String, TokenUsage>))]
    pub box_shadows: TokenGroup<TokenUsage>,
    /// Whole lists: for each layer x, y, blur and colour.
    #[cfg_attr(feature = "utoipa", schema(value_type = std::collections::HashMap<String, TokenUsage>))]
    pub text_shadows: TokenGroup<TokenUsage>,
    /// Numbers from 0 to 1; values beyond that are keyed by their clamped value.
    #[cfg_attr(feature = "utoipa", schema(value_type = std::collections::HashMap<String, TokenUsage>))]
    pub opacities: TokenGroup<TokenUsage>,
    /// One gradient each, however many layers a background has; colours in hex.
    #[cfg_attr(feature = "utoipa", schema(value_type = std::collections::HashMap<String, TokenUsage>))]
    pub gradients: TokenGroup<TokenUsage>,
    /// In milliseconds: `300ms`.
    #[cfg_attr(feature = "utoipa", schema(value_type = std::collections::HashMap<String, TokenUsage>))]
    pub durations: TokenGroup<TokenUsage>,
    /// Keywords, `cubic-bezier()`, `steps()` and `linear()`.
    #[cfg_attr(feature = "utoipa", schema(value_type = std::collections::HashMap<String, TokenUsage>))]
    pub easings: TokenGroup<TokenUsage>,
    /// Viewport and container widths in pixels: `768px`.
    #[cfg_attr(feature = "utoipa", schema(value_type = std::collections::HashMap<String, BreakpointUsage>))]
    pub breakpoints: TokenGroup<BreakpointUsage>,
    /// Integers.
    #[cfg_attr(feature = "utoipa", schema(value_type = std::collections::HashMap<String, TokenUsage>))]
    pub z_indexes: TokenGroup<TokenUsage>,
}

impl TokenGroups {
    /// Returns the values of a kind.
    pub fn group(&self, kind: TokenKind) -> &TokenGroup<TokenUsage> {
        match kind {
            TokenKind::Colors => &self.colors,
            TokenKind::FontSizes => &self.font_sizes,
            TokenKind::FontFamilies => &self.font_families,
            TokenKind::FontWeights => &self.font_weights,
            TokenKind::LetterSpacings => &self.letter_spacings,
            TokenKind::LineHeights => &self.line_heights,
            TokenKind::Spacing => &self.spacing,
            TokenKind::BorderRadiuses => &self.border_radiuses,
            TokenKind::BorderWidths => &self.border_widths,
            TokenKind::BoxShadows => &self.box_shadows,
            TokenKind::TextShadows => &self.text_shadows,
            TokenKind::Opacities => &self.opacities,
            TokenKind::Gradients => &self.gradients,
            TokenKind::Durations => &self.durations,
            TokenKind::Easings => &self.easings,
            TokenKind::ZIndexes => &self.z_indexes,
        }
    }

    /// Returns the values of a kind, mutably.
    pub fn group_mut(&mut self, kind: TokenKind) -> &mut TokenGroup<TokenUsage> {
        match kind {
            TokenKind::Colors => &mut self.colors,
            TokenKind::FontSizes => &mut self.font_sizes,
            TokenKind::FontFamilies => &mut self.font_families,
            TokenKind::FontWeights => &mut self.font_weights,
            TokenKind::LetterSpacings => &mut self.letter_spacings,
            TokenKind::LineHeights => &mut self.line_heights,
            TokenKind::Spacing => &mut self.spacing,
            TokenKind::BorderRadiuses => &mut self.border_radiuses,
            TokenKind::BorderWidths => &mut self.border_widths,
            TokenKind::BoxShadows => &mut self.box_shadows,
            TokenKind::TextShadows => &mut self.text_shadows,
            TokenKind::Opacities => &mut self.opacities,
            TokenKind::Gradients => &mut self.gradients,
            TokenKind::Durations => &mut self.durations,
            TokenKind::Easings => &mut self.easings,
            TokenKind::ZIndexes => &mut self.z_indexes,
        }
    }
}

/// One value and its usage.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct TokenUsage {
    /// Number of declarations with the value; a shorthand counts once: `margin: 8px 8px 4px` counts once for `8px`.
    /// Declarations of other themes, and colours within shadows and gradients, count only if there are no others.
    pub count: usize,
    /// Number of elements of the page with the computed value, which they may inherit: at rest, on a desktop or a phone,
    /// in light or dark. The generated content of an element counts as the element. Absent in the tokens of a section.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub used: Option<usize>,
    /// The longhands it is declared for, in alphabetical order.
    pub properties: Vec<String>,
    /// Custom properties it comes from, the one most used first.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub variables: Vec<String>,
    /// The themes it belongs to; absent if it applies in every theme.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub themes: Vec<Theme>,
    /// The first selectors that declare it, at most three.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[cfg_attr(feature = "utoipa", schema(max_items = 3))]
    pub selectors: Vec<String>,
    /// Its first notation, if that differs from the key.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub original: Option<String>,
}

wire_enum! {
    /// The end of a range of widths that a breakpoint is.
    pub enum RangeEnd {
        /// From this width on.
        Min = "min",
        /// Up to this width.
        Max = "max",
    }
}

/// A width at which the layout changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct BreakpointUsage {
    /// Number of different media and container queries with this width.
    pub count: usize,
    /// Number of at-rules, imports and links with one of these queries.
    pub rules: usize,
    /// The end of the range that it is most often.
    #[serde(rename = "type")]
    pub bound: RangeEnd,
    /// The most frequent feature query for that end: `(min-width: 48em)`.
    pub query: String,
    /// Every distinct feature query, the most frequent first, if there is more than one.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub queries: Vec<String>,
    /// Its first notation, if that differs from the key.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub original: Option<String>,
}

/// Values with their usage, in order: a JSON object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenGroup<T>(pub Vec<(String, T)>);

impl<T> TokenGroup<T> {
    /// Returns the usage of a value.
    pub fn get(&self, value: &str) -> Option<&T> {
        self.0.iter().find(|(known, _)| known == value).map(|(_, usage)| usage)
    }
}

impl<T> Default for TokenGroup<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Serialize> Serialize for TokenGroup<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(value, usage)| (value, usage)))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for TokenGroup<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Read<T> {
            type Value = TokenGroup<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of values")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<TokenGroup<T>, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(TokenGroup(entries))
            }
        }
        deserializer.deserialize_map(Read(PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_keep_their_order() {
        let usage = |count| TokenUsage { count, ..TokenUsage::default() };
        let group = TokenGroup(vec![("b".to_owned(), usage(2)), ("a".to_owned(), usage(1))]);
        let text = serde_json::to_string(&group).unwrap();
        assert_eq!(text, r#"{"b":{"count":2,"properties":[]},"a":{"count":1,"properties":[]}}"#);
        assert_eq!(serde_json::from_str::<TokenGroup<TokenUsage>>(&text).unwrap(), group);
    }

    #[test]
    fn every_kind_is_a_field_of_the_operation() {
        use crate::{Operation, WireEnum};
        let result = TokensResult {
            common: ResultHeader::default(),
            tokens: TokenGroups::default(),
            color_schemes: vec![Theme::Light],
            themes: None,
            composites: None,
        };
        let value = serde_json::to_value(&result).unwrap();
        let mut names: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
        names.retain(|name| *name != "url");
        let mut fields = Operation::Extract.fields().to_vec();
        for kind in TokenKind::ALL {
            assert!(names.contains(&kind.as_str()), "{kind}");
        }
        names.sort_unstable();
        fields.sort_unstable();
        assert_eq!(names, fields);
    }
}
