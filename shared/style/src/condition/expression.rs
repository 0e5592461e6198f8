//! The common syntax of media, container and supports conditions: `not`, `and`, `or` and three-valued logic.

use crate::value::Component;

/// A condition over features of type `F`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ConditionExpression<F> {
    Feature(F),
    Not(Box<ConditionExpression<F>>),
    And(Vec<ConditionExpression<F>>),
    Or(Vec<ConditionExpression<F>>),
    /// Valid syntax with an unknown meaning (`<general-enclosed>`).
    Unknown,
}

impl<F> ConditionExpression<F> {
    /// Evaluates in Kleene's logic: `None` is unknown.
    pub(crate) fn evaluate(&self, feature: &dyn Fn(&F) -> Option<bool>) -> Option<bool> {
        match self {
            Self::Feature(own) => feature(own),
            Self::Not(inner) => inner.evaluate(feature).map(|value| !value),
            Self::And(list) => fold(list, feature, false),
            Self::Or(list) => fold(list, feature, true),
            Self::Unknown => None,
        }
    }
}

/// Returns `decisive` if any operand equals it; else unknown if any operand is.
fn fold<F>(list: &[ConditionExpression<F>], feature: &dyn Fn(&F) -> Option<bool>, decisive: bool) -> Option<bool> {
    let mut unknown = false;
    for item in list {
        match item.evaluate(feature) {
            Some(value) if value == decisive => return Some(decisive),
            Some(_) => {}
            None => unknown = true,
        }
    }
    if unknown { None } else { Some(!decisive) }
}

/// Parses a condition. `leaf` parses a bracket block or function; `allow_or` is false after a media type. Returns
/// `None` for a syntax error.
pub(crate) fn parse<F>(
    words: &[Component],
    allow_or: bool,
    leaf: &dyn Fn(&Component) -> Option<ConditionExpression<F>>,
) -> Option<ConditionExpression<F>> {
    match words {
        [not, inner] if not.is_ident("not") => Some(ConditionExpression::Not(Box::new(leaf(inner)?))),
        [only] => leaf(only),
        [first, rest @ ..] => {
            let operator = rest.first()?.as_ident()?.to_ascii_lowercase();
            if operator != "and" && !(operator == "or" && allow_or) {
                return None;
            }
            let mut list = vec![leaf(first)?];
            for pair in rest.chunks(2) {
                let [word, operand] = pair else { return None };
                if !word.is_ident(&operator) {
                    return None;
                }
                list.push(leaf(operand)?);
            }
            Some(if operator == "and" { ConditionExpression::And(list) } else { ConditionExpression::Or(list) })
        }
        [] => None,
    }
}

/// A comparison operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
}

impl Comparison {
    pub(crate) fn holds(self, a: f64, b: f64) -> bool {
        let equal = (a - b).abs() < 1e-6;
        match self {
            Self::Less => a < b && !equal,
            Self::LessOrEqual => a < b || equal,
            Self::Greater => a > b && !equal,
            Self::GreaterOrEqual => a > b || equal,
            Self::Equal => equal,
        }
    }

    fn mirrored(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Greater => Self::Less,
            Self::GreaterOrEqual => Self::LessOrEqual,
            Self::Equal => Self::Equal,
        }
    }
}

/// A feature test: `(width)`, `(min-width: 1px)`, `(1px < width <= 2px)`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Feature {
    /// Lower case, without `min-` and `max-`.
    pub(crate) name: Box<str>,
    /// Empty for a test of the feature alone.
    pub(crate) bounds: Vec<(Comparison, Vec<Component>)>,
}

impl Feature {
    /// Parses the contents of the brackets.
    pub(crate) fn parse(words: &[Component]) -> Option<Self> {
        match words {
            [Component::Ident(name)] => Some(Self { name: name.to_ascii_lowercase().into(), bounds: Vec::new() }),
            [Component::Ident(name), Component::Delim(':'), value @ ..] if !value.is_empty() => {
                let name = name.to_ascii_lowercase();
                let (name, comparison) = match (prefixed(&name, "min-"), prefixed(&name, "max-")) {
                    (Some(plain), _) => (plain, Comparison::GreaterOrEqual),
                    (_, Some(plain)) => (plain, Comparison::LessOrEqual),
                    _ => (name, Comparison::Equal),
                };
                Some(Self { name: name.into(), bounds: vec![(comparison, value.to_vec())] })
            }
            _ => Self::range(words),
        }
    }

    fn range(words: &[Component]) -> Option<Self> {
        let mut parts: Vec<Vec<Component>> = vec![Vec::new()];
        let mut operators = Vec::new();
        let mut rest = words;
        while let Some((word, after)) = rest.split_first() {
            rest = after;
            let operator = match word {
                Component::Delim('=') => Comparison::Equal,
                Component::Delim(sign @ ('<' | '>')) => {
                    let or_equal = rest.first() == Some(&Component::Delim('='));
                    rest = &rest[usize::from(or_equal)..];
                    match (sign, or_equal) {
                        ('<', false) => Comparison::Less,
                        ('<', true) => Comparison::LessOrEqual,
                        (_, false) => Comparison::Greater,
                        (_, true) => Comparison::GreaterOrEqual,
                    }
                }
                other => {
                    parts.last_mut()?.push(other.clone());
                    continue;
                }
            };
            operators.push(operator);
            parts.push(Vec::new());
        }
        let name_of = |part: &[Component]| match part {
            [Component::Ident(name)] => Some(Box::from(name.to_ascii_lowercase())),
            _ => None,
        };
        match (parts.as_slice(), operators.as_slice()) {
            ([a, b], [operator]) => match name_of(a) {
                Some(name) => Some(Self { name, bounds: vec![(*operator, b.clone())] }),
                None => Some(Self { name: name_of(b)?, bounds: vec![(operator.mirrored(), a.clone())] }),
            },
            ([a, name, b], [first, second]) => {
                Some(Self { name: name_of(name)?, bounds: vec![(first.mirrored(), a.clone()), (*second, b.clone())] })
            }
            _ => None,
        }
    }
}

fn prefixed(name: &str, prefix: &str) -> Option<String> {
    if let Some(plain) = name.strip_prefix(prefix) {
        return Some(plain.to_owned());
    }
    name.strip_prefix("-webkit-").and_then(|rest| rest.strip_prefix(prefix)).map(|plain| format!("-webkit-{plain}"))
}
