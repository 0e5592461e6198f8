//! Simplifies mathematical functions as far as units allow (Values 4, section 10.10), keeping the author's units.

use limner_style::value::LinearSum;
use limner_style::value::{Component, format_decimal, serialize_plain, split_commas};

/// Returns the result of `read` if a mathematical function simplifies to one quantity (`calc(0.25rem * 4)` is `1rem`),
/// else its canonical spelling.
pub(crate) fn parse(component: &Component, read: fn(&Component) -> Option<String>) -> Option<String> {
    match single(component) {
        Some(quantity) => read(&quantity),
        None => canonicalize(component),
    }
}

/// Returns the single quantity that a sum simplifies to.
pub(crate) fn single(component: &Component) -> Option<Component> {
    let total = match component.as_function()? {
        ("min" | "max", _) => evaluate(std::slice::from_ref(component))?,
        (name, arguments) => LinearSum::from_calc(name, arguments)?,
    };
    match drop_zero_terms(total).0.as_slice() {
        [(_, value)] if !value.is_finite() => None,
        [(unit, value)] => Some(match &**unit {
            "" => Component::Number { value: *value, integer: value.fract() == 0.0 },
            "%" => Component::Percentage(*value),
            unit => Component::Dimension { value: *value, unit: unit.into() },
        }),
        _ => None,
    }
}

/// Evaluates an expression without the function around it.
fn evaluate(expression: &[Component]) -> Option<LinearSum> {
    LinearSum::from_calc("calc", expression)
}

/// Returns the canonical spelling of a mathematical function: `calc(1rem + 100%)` is `calc(100% + 1rem)`, and
/// `clamp(1rem, calc(2vw + 1rem), calc(2 * 2rem))` is `clamp(1rem, 1rem + 2vw, 4rem)`. What is no sum stays as it is.
pub(crate) fn canonicalize(component: &Component) -> Option<String> {
    let (name, arguments) = component.as_function()?;
    let text = match name {
        "calc" | "-webkit-calc" => match LinearSum::from_calc(name, arguments) {
            Some(total) => format!("calc({})", sum_text(total)?),
            None => format!("calc({})", spaced(arguments)),
        },
        "min" | "max" | "clamp" => {
            let of_argument = |part: &[Component]| evaluate(part).and_then(sum_text).unwrap_or_else(|| spaced(part));
            format!("{name}({})", split_commas(arguments).into_iter().map(of_argument).collect::<Vec<_>>().join(", "))
        }
        _ => spaced(std::slice::from_ref(component)),
    };
    Some(text)
}

fn sum_text(mut total: LinearSum) -> Option<String> {
    if total.0.iter().any(|(_, value)| !value.is_finite()) {
        return None;
    }
    total = drop_zero_terms(total);
    // Percentages first, as browsers write sums; then by unit.
    total.0.sort_by(|(a, _), (b, _)| (&**a != "%", a).cmp(&(&**b != "%", b)));
    let mut text = String::new();
    for (index, (unit, value)) in total.0.iter().enumerate() {
        let shown = if index == 0 { *value } else { value.abs() };
        if index > 0 {
            text.push_str(if *value < 0.0 { " - " } else { " + " });
        }
        text.push_str(&format_decimal(shown));
        text.push_str(unit);
    }
    Some(if text.is_empty() { "0px".to_owned() } else { text })
}

/// Removes zero terms from a sum of several.
fn drop_zero_terms(mut total: LinearSum) -> LinearSum {
    if total.0.len() > 1 {
        total.0.retain(|(_, value)| *value != 0.0);
    }
    total
}

/// Serializes components; operators have white space around them.
fn spaced(components: &[Component]) -> String {
    serialize_plain(components).replace("( ", "(").to_ascii_lowercase()
}
