//! Font size, family and line height, which other values are relative to.

use super::CascadeOutcome;
use super::component_values::clamp;
use super::compute::font_family;
use super::computed_style::{ComputedStyle, LineHeight};
use super::initial_values;
use crate::environment::Environment;
use crate::property::Longhand;
use crate::value::component::Component;
use crate::value::math::{Kind, clamp_calculation, quantity};
use crate::value::number::format_number;
use crate::zero_advance::ZeroAdvances;

/// Chromium's sizes for a default of 16 px, and of 13 px for `monospace`.
const KEYWORDS: &[(&str, f64, f64)] = &[
    ("xx-small", 9.0, 9.0),
    ("x-small", 10.0, 10.0),
    ("small", 13.0, 12.0),
    ("medium", 16.0, 13.0),
    ("large", 18.0, 16.0),
    ("x-large", 24.0, 20.0),
    ("xx-large", 32.0, 26.0),
    ("xxx-large", 48.0, 39.0),
];

/// Chromium's maximum font size.
const MAX_FONT_SIZE: f64 = 10_000.0;
/// Chromium's scale factor for `monospace`.
const MONOSPACE: f64 = 13.0 / 16.0;

fn keyword_size(keyword: &str, monospace: bool) -> Option<(&'static str, f64)> {
    let (name, size, mono) = KEYWORDS.iter().find(|(name, _, _)| name.eq_ignore_ascii_case(keyword))?;
    Some((name, if monospace { *mono } else { *size }))
}

pub(super) fn family(style: &mut ComputedStyle, specified: &CascadeOutcome, digits: &ZeroAdvances) {
    let (text, source) = match specified {
        CascadeOutcome::Inherit => return,
        CascadeOutcome::Initial => (initial_values::initial(Longhand::FontFamily), None),
        CascadeOutcome::Components(value, source) => (font_family(value).into(), Some(*source)),
    };
    style.monospace = &*text == "monospace";
    style.digit_width = digits.advance(&text);
    style.put(Longhand::FontFamily, text, source);
}

pub(super) fn size(
    style: &mut ComputedStyle,
    specified: &CascadeOutcome,
    inherited: &ComputedStyle,
    root: Option<&ComputedStyle>,
    environment: &Environment,
) {
    let source = match specified {
        CascadeOutcome::Components(_, source) => Some(*source),
        _ => None,
    };
    match specified {
        CascadeOutcome::Inherit => {}
        CascadeOutcome::Initial => set_keyword(style, "medium"),
        CascadeOutcome::Components(value, _) => {
            let Some(component) = value.first() else { return };
            declared(style, component, inherited, root, environment);
        }
    }
    if style.monospace != inherited.monospace && !style.absolute_size {
        // The default size depends on the family; sizes not given in absolute units scale with it.
        if let Some((_, size)) = style.size_keyword.and_then(|keyword| keyword_size(keyword, style.monospace)) {
            style.font_size = size;
        } else {
            style.font_size *= if inherited.monospace { 1.0 / MONOSPACE } else { MONOSPACE };
        }
    }
    style.font_size = style.font_size.clamp(0.0, 10_000.0);
    let text = format!("{}px", format_number(style.font_size));
    style.put(Longhand::FontSize, text.into(), source);
}

fn set_keyword(style: &mut ComputedStyle, keyword: &str) {
    if let Some((name, size)) = keyword_size(keyword, style.monospace) {
        style.font_size = size;
        style.size_keyword = Some(name);
        style.absolute_size = false;
    }
}

fn declared(
    style: &mut ComputedStyle,
    component: &Component,
    inherited: &ComputedStyle,
    root: Option<&ComputedStyle>,
    environment: &Environment,
) {
    if let Some(keyword) = component.as_ident() {
        match &*keyword.to_ascii_lowercase() {
            "smaller" => style.font_size = inherited.font_size / 1.2,
            "larger" => style.font_size = inherited.font_size * 1.2,
            keyword => return set_keyword(style, keyword),
        }
        style.size_keyword = None;
        style.absolute_size = inherited.absolute_size;
        return;
    }
    // Relative units refer to the parent here.
    let mut lengths = inherited.lengths(environment);
    if root.is_none() {
        lengths.root_font_size = 16.0;
    }
    let Some(found) = quantity(component, &lengths).filter(|q| !q.opaque) else { return };
    let size = match found.kind {
        Kind::Length => found.value,
        Kind::Percentage | Kind::LengthPercentage => found.value + found.percent / 100.0 * inherited.font_size,
        Kind::Number if found.value == 0.0 => 0.0,
        _ => return,
    };
    style.font_size = clamp(size).clamp(0.0, MAX_FONT_SIZE);
    style.size_keyword = None;
    let relative = match component {
        Component::Percentage(_) => true,
        Component::Dimension { unit, .. } => matches!(&**unit, "em" | "ex" | "ch" | "ic" | "cap" | "lh"),
        _ => false,
    };
    style.absolute_size = inherited.absolute_size || !relative;
}

pub(super) fn line_height(
    style: &mut ComputedStyle,
    specified: &CascadeOutcome,
    inherited: &ComputedStyle,
    environment: &Environment,
) {
    let mut source = None;
    match specified {
        CascadeOutcome::Inherit => style.line_height = inherited.line_height,
        CascadeOutcome::Initial => style.line_height = LineHeight::Normal,
        CascadeOutcome::Components(value, own) => {
            source = Some(*own);
            let lengths = crate::value::Lengths { line_height: inherited.line_height(), ..style.lengths(environment) };
            let found = value.first().and_then(|component| quantity(component, &lengths)).filter(|q| !q.opaque);
            style.line_height = match found {
                None => LineHeight::Normal,
                Some(found) => match found.kind {
                    Kind::Number => LineHeight::Factor(found.value.max(0.0)),
                    Kind::Percentage | Kind::LengthPercentage => {
                        LineHeight::Px(clamp(found.value + found.percent / 100.0 * style.font_size).max(0.0))
                    }
                    _ => LineHeight::Px(clamp(found.value).max(0.0)),
                },
            };
        }
    }
    let text = match style.line_height {
        LineHeight::Normal => "normal".to_owned(),
        _ => format!("{}px", format_number(clamp_calculation(style.line_height()))),
    };
    style.put(Longhand::LineHeight, text.into(), source);
}
