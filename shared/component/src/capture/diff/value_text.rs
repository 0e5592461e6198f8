//! Value texts of the component's declarations.

use super::value_equivalence::defaults_to_current_color;
use super::value_reader::find_function;
use crate::capture::color_scheme::resolve_light_dark;
use limner_component_model::calc_simplify;
use limner_component_model::calc_simplify::RemArithmetic;
use limner_style::property::Longhand;
use limner_style::{ComputedStyle, Origin, SpecifiedStyle, SpecifiedValue};

/// Returns the text that gives a longhand its value in this style: as the author specified it, or the computed value
/// where no author did.
pub(crate) fn value_text(specification: &SpecifiedStyle, longhand: Longhand) -> String {
    let own = specification.get(longhand).filter(|own| own.origin != Origin::UserAgent);
    // For a property that is not inherited, `inherit` would need the parent's declaration, which the component may
    // omit: that of `box-sizing` where it has no effect.
    let is_handed_down = |value: &str| longhand.is_inherited() || !value.eq_ignore_ascii_case("inherit");
    match own.filter(|own| is_handed_down(&own.value)) {
        Some(own) if !own.value.contains("-internal-") && !is_relative(&own.value) => {
            declared(own, &specification.style)
        }
        _ => computed(&specification.style, longhand),
    }
}

/// Returns true for keywords that are relative to the parent's value. Some are not supported by every browser
/// (`match-parent`), others have no name outside of CSS.
fn is_relative(value: &str) -> bool {
    matches!(value, "bolder" | "lighter" | "match-parent" | "-webkit-match-parent")
}

/// Returns the author's value with its references to custom properties, `initial` written out, `light-dark()` resolved and
/// `calc()` simplified.
pub(crate) fn declared(own: &SpecifiedValue, style: &ComputedStyle) -> String {
    if own.value == "initial" {
        return initial(own.longhand, style);
    }
    let value = resolve_light_dark(reference(own).unwrap_or(&own.value), style.scheme());
    calc_simplify::simplified(own.longhand.name(), &value, RemArithmetic::Symbolic).unwrap_or(value)
}

/// Returns the author's value with references to custom properties, where they say more than the value itself: products of
/// `calc()` are shorter without. A presentation attribute is replaced because its custom property may be out of reach.
fn reference(own: &SpecifiedValue) -> Option<&str> {
    let is_kept = may_refer(own.longhand) && own.origin != Origin::Hint;
    own.reference.as_deref().filter(|text| is_kept && !text.contains("calc("))
}

/// Returns true for longhands whose declarations may refer to custom properties: those of colours, of fonts and of
/// lengths that people keep in variables.
fn may_refer(longhand: Longhand) -> bool {
    let name = longhand.name();
    let is_length = ["padding-", "margin-", "min-", "max-"].iter().any(|prefix| name.starts_with(prefix))
        || ["-gap", "-radius", "-width"].iter().any(|suffix| name.ends_with(suffix));
    is_length
        || name.ends_with("color")
        || matches!(
            longhand,
            Longhand::Fill
                | Longhand::Stroke
                | Longhand::BackgroundImage
                | Longhand::BoxShadow
                | Longhand::TextShadow
                | Longhand::FontFamily
                | Longhand::FontSize
                | Longhand::Width
                | Longhand::Height
                | Longhand::FlexBasis
        )
}

/// Returns the initial value as an explicit value. Only the browser knows the initial font family.
fn initial(longhand: Longhand, style: &ComputedStyle) -> String {
    if longhand == Longhand::FontFamily {
        return "initial".to_owned();
    }
    if defaults_to_current_color(longhand) { "currentcolor".to_owned() } else { computed(style, longhand) }
}

/// Same as [`written`] on a page whose root font size changes with the viewport: values of the browser's stylesheet in
/// multiples of the font size are kept.
pub(crate) fn fluid_value_text(specification: &SpecifiedStyle, longhand: Longhand) -> String {
    let own = specification.get(longhand).filter(|own| own.origin == Origin::UserAgent && is_multiple(&own.value));
    own.map_or_else(|| value_text(specification, longhand), |own| own.value.clone())
}

/// Returns true for `0.67em`.
fn is_multiple(value: &str) -> bool {
    value.strip_suffix("em").is_some_and(|number| number.parse::<f64>().is_ok())
}

/// Returns the computed value, as an author would write it.
pub(crate) fn computed(style: &ComputedStyle, longhand: Longhand) -> String {
    if let Some(factor) = style.line_height_factor().filter(|_| longhand == Longhand::LineHeight) {
        #[expect(clippy::cast_possible_truncation, reason = "browsers store the factor in single precision")]
        return (factor.min(f64::from(f32::MAX)) as f32).to_string();
    }
    match style.get(longhand) {
        "rgba(0, 0, 0, 0)" => "transparent".to_owned(),
        value => rgb_to_hex(value),
    }
}

/// Replaces each `attr()` in a value of `content` by the attribute's value: the component does not keep every
/// attribute.
pub(crate) fn with_attributes<'a>(value: &str, attribute: &dyn Fn(&str) -> Option<&'a str>) -> String {
    let mut out = String::with_capacity(value.len());
    let (mut rest, mut quote) = (value, None);
    while let Some(c) = rest.chars().next() {
        let function = rest.strip_prefix("attr(").filter(|_| quote.is_none());
        if let Some((arguments, after)) = function.and_then(|inside| inside.split_once(')')) {
            let name = arguments.split([',', ' ']).find(|word| !word.is_empty()).unwrap_or_default();
            out.push_str(&quoted(attribute(name).unwrap_or_default()));
            rest = after;
            continue;
        }
        match (c, quote) {
            ('"' | '\'', None) => quote = Some(c),
            (c, Some(open)) if c == open => quote = None,
            _ => {}
        }
        let length = if c == '\\' { rest.chars().take(2).map(char::len_utf8).sum() } else { c.len_utf8() };
        out.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    out
}

fn quoted(text: &str) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = cssparser::serialize_string(text, &mut out);
    out
}

/// Writes opaque `rgb()` colours as hex.
pub(crate) fn rgb_to_hex(value: &str) -> String {
    /// Maximum length of the arguments: three numbers with white space between them.
    const MAX_ARGUMENT_BYTES: usize = 32;
    const FUNCTION: &str = "rgb(";
    if !value.contains(FUNCTION) {
        return value.to_owned();
    }
    let mut out = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(start) = find_function(rest, FUNCTION) {
        let is_word = start == 0 || !rest.as_bytes()[start - 1].is_ascii_alphanumeric();
        let (before, inside) = rest.split_at(start + FUNCTION.len());
        let end = inside.bytes().take(MAX_ARGUMENT_BYTES).position(|byte| byte == b')');
        match end.filter(|_| is_word).and_then(|end| Some((hex(&inside[..end])?, end))) {
            Some((hex, end)) => {
                out.push_str(&before[..start]);
                out.push_str(&hex);
                rest = &inside[end + 1..];
            }
            None => {
                out.push_str(before);
                rest = inside;
            }
        }
    }
    out.push_str(rest);
    out
}

fn hex(arguments: &str) -> Option<String> {
    let mut channels = arguments.split(',').map(|channel| channel.trim().parse::<u8>().ok());
    let (red, green, blue) = (channels.next()??, channels.next()??, channels.next()??);
    if channels.next().is_some() {
        return None;
    }
    let full = format!("#{red:02x}{green:02x}{blue:02x}");
    let digits = full.as_bytes();
    let short = digits[1] == digits[2] && digits[3] == digits[4] && digits[5] == digits[6];
    Some(if short { format!("#{}{}{}", &full[1..2], &full[3..4], &full[5..6]) } else { full })
}

/// Returns true if a specified value means the same wherever it is inherited.
pub(crate) fn is_portable(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let relative = |unit: &str| {
        lower.match_indices(unit).any(|(at, _)| {
            let before = lower[..at].chars().next_back().is_some_and(|c| c.is_ascii_digit() || c == '.');
            let after = lower[at + unit.len()..].chars().next().is_none_or(|c| !c.is_ascii_alphanumeric());
            before && after
        })
    };
    let keyword = ["inherit", "bolder", "lighter", "smaller", "larger", "currentcolor", "-internal", "initial"];
    !(keyword.iter().any(|word| lower.contains(word))
        || ["em", "ex", "ch", "ic", "cap", "lh", "%", "cqw", "cqi", "cqh", "cqb"].iter().any(|unit| relative(unit)))
}

#[cfg(test)]
mod tests;
