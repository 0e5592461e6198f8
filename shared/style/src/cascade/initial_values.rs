//! Initial values, and what a longhand's grammar says about its values.

use crate::color::{self, Color, Scheme};
use crate::property::Longhand;
use crate::value::syntax::Grammar;
use crate::value::types::Type;
use foldhash::HashMap;
use std::sync::{Arc, LazyLock, OnceLock};

/// Returns the initial `color`: `CanvasText`.
pub(super) fn initial_color(scheme: Scheme) -> Color {
    if scheme == Scheme::Dark { Color::from_rgb(255, 255, 255) } else { Color::BLACK }
}

/// Properties of a longhand's grammar that its computed values depend on.
#[derive(Clone, Copy)]
pub(super) struct GrammarTraits {
    pub(super) zero_is_length: bool,
    pub(super) takes_color: bool,
    pub(super) keeps_case: bool,
    /// True if the grammar has no negative numbers: a calculation with a negative result gives zero.
    pub(super) is_positive: bool,
}

pub(super) static TRAITS: LazyLock<HashMap<Longhand, GrammarTraits>> = LazyLock::new(|| {
    let traits = |longhand: &Longhand| {
        let grammar = longhand.grammar();
        let length = contains_type(grammar, &[Type::Length, Type::LengthPercentage]);
        let number = contains_type(grammar, &[Type::Number, Type::Integer]);
        let zero_is_length = length && !number;
        let takes_color = contains_type(grammar, &[Type::Color, Type::Image, Type::Filter]);
        let keeps_case = contains_type(grammar, &[Type::Ident, Type::Any, Type::LineNames]);
        let is_positive = takes_positive(grammar, true) && !takes_positive(grammar, false);
        (*longhand, GrammarTraits { zero_is_length, takes_color, keeps_case, is_positive })
    };
    Longhand::ALL.iter().map(traits).collect()
});

fn contains_type(grammar: &Grammar, types: &[Type]) -> bool {
    any_type(grammar, &|of, _| types.contains(&of))
}

/// Returns true if the grammar has numbers that must not be negative (`wanted`), or that may be.
fn takes_positive(grammar: &Grammar, wanted: bool) -> bool {
    const NUMBERS: [Type; 5] = [Type::Length, Type::LengthPercentage, Type::Percentage, Type::Number, Type::Integer];
    any_type(grammar, &|of, positive| positive == wanted && NUMBERS.contains(&of))
}

fn any_type(grammar: &Grammar, test: &dyn Fn(Type, bool) -> bool) -> bool {
    match grammar {
        Grammar::Type { of, positive } => test(*of, *positive),
        Grammar::Sequence(list) | Grammar::AllInAnyOrder(list) | Grammar::OneOrMore(list) | Grammar::One(list) => {
            list.iter().any(|item| any_type(item, test))
        }
        Grammar::Repeat { of, .. } => any_type(of, test),
        _ => false,
    }
}

static INITIAL: LazyLock<Vec<OnceLock<Arc<str>>>> =
    LazyLock::new(|| Longhand::ALL.iter().map(|_| OnceLock::new()).collect());

/// Returns the computed initial value. Colours that follow `color` are `currentcolor`.
pub(crate) fn initial(longhand: Longhand) -> Arc<str> {
    INITIAL[longhand as usize].get_or_init(|| initial_value(longhand).into()).clone()
}

/// Like [`initial`], borrowed.
pub(crate) fn initial_text(longhand: Longhand) -> &'static str {
    INITIAL[longhand as usize].get_or_init(|| initial_value(longhand).into())
}

fn initial_value(longhand: Longhand) -> String {
    match longhand {
        Longhand::Color => "rgb(0, 0, 0)".into(),
        Longhand::FontSize => "16px".into(),
        Longhand::FontWeight => "400".into(),
        Longhand::BorderTopWidth
        | Longhand::BorderRightWidth
        | Longhand::BorderBottomWidth
        | Longhand::BorderLeftWidth => "0px".into(),
        Longhand::OutlineWidth | Longhand::ColumnRuleWidth | Longhand::RowRuleWidth => "3px".into(),
        Longhand::MinWidth | Longhand::MinHeight => "0px".into(),
        Longhand::CaretColor => "currentcolor".into(),
        Longhand::OffsetRotate => "auto 0deg".into(),
        Longhand::JustifyItems => "normal".into(),
        _ => {
            let text = longhand.initial();
            match color::parse(text, color::Scheme::Light).filter(|_| !text.eq_ignore_ascii_case("currentcolor")) {
                Some(color) if TRAITS[&longhand].takes_color => color.to_string(),
                _ => text.to_owned(),
            }
        }
    }
}
