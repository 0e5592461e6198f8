//! Custom functions: `@function` (Mixins 1, section 2). The types of parameters and results are not checked.

use super::element_values::ElementValues;
use super::substitution::{References, ValueTemplate, split_at, text_before};
use crate::ConditionId;
use crate::condition::media::MediaQueryList;
use crate::condition::queried_features::QueriedFeatures;
use crate::condition::supports::supports;
use crate::condition::{Conditions, Evaluated};
use crate::sheet::AtRule;
use cssparser::{Parser, Token};
use foldhash::HashMap;
use limner_page::dom::QuirksMode;
use std::sync::Arc;

/// Maximum nesting of calls, and of conditions in the body of a function.
const MAX_DEPTH: usize = 8;

/// Cost of a call, in steps of the page's budget.
const WORK_PER_CALL: u64 = 64;

/// The custom functions of a page.
#[derive(Debug, Clone, Default)]
pub(crate) struct CustomFunctions {
    /// The functions of a name with the conditions of their rules, in the order of the stylesheets.
    by_name: HashMap<Box<str>, Vec<(ConditionId, Arc<CustomFunction>)>>,
}

#[derive(Debug)]
struct CustomFunction {
    parameters: Vec<Parameter>,
    body: Vec<BodyDeclaration>,
}

#[derive(Debug)]
struct BodyDeclaration {
    conditions: Vec<Arc<BodyCondition>>,
    name: Box<str>,
    value: Box<str>,
}

#[derive(Debug)]
enum BodyCondition {
    Media(MediaQueryList),
    Supports(bool),
    Unknown,
}

impl CustomFunctions {
    pub(crate) fn from_rules(rules: &[AtRule], mode: QuirksMode) -> Self {
        let mut functions = Self::default();
        for rule in rules.iter().filter(|rule| &*rule.name == "function") {
            if let Some((name, parameters)) = signature(&rule.prelude) {
                let mut body = Vec::new();
                read_body(&mut Parser::new(&rule.body), &[], mode, &mut body);
                let function = Arc::new(CustomFunction { parameters, body });
                functions.by_name.entry(name).or_default().push((rule.condition, function));
            }
        }
        functions
    }

    /// Returns all values in the bodies and all default values.
    pub(crate) fn values(&self) -> impl Iterator<Item = &str> {
        self.by_name.values().flatten().flat_map(|(_, function)| {
            let defaults = function.parameters.iter().filter_map(|(_, default)| default.as_deref());
            function.body.iter().map(|own| &*own.value).chain(defaults)
        })
    }

    /// Adds the features that conditions in the bodies query.
    pub(crate) fn add_queried_features(&self, questions: &mut QueriedFeatures) {
        let bodies = self.by_name.values().flatten().flat_map(|(_, function)| &function.body);
        for condition in bodies.flat_map(|own| &own.conditions) {
            if let BodyCondition::Media(list) = &**condition {
                questions.add_media(list);
            }
        }
        self.values().for_each(|value| questions.add_features_in_value(value));
    }

    fn find(&self, name: &str, holds: &[Evaluated]) -> Option<&Arc<CustomFunction>> {
        let all = self.by_name.get(name)?.iter().rev();
        let mut valid = all.filter(|(condition, _)| Conditions::evaluation_of(holds, *condition) == Evaluated::Always);
        valid.next().map(|(_, function)| function)
    }
}

/// The name of a parameter, and its default value.
type Parameter = (Box<str>, Option<Box<str>>);

/// Parses `--name(--parameter type: default, …) returns type`.
fn signature(prelude: &str) -> Option<(Box<str>, Vec<Parameter>)> {
    let (name, rest) = prelude.trim().split_once('(')?;
    let end = rest.rfind(')')?;
    // The type of the result may be a function.
    let end = split_at(rest, &Token::CloseParenthesis).first().map_or(end, |list| list.len());
    let list = rest.get(..end)?;
    let parameter = |text: &&str| {
        let (declared, default) = match text.split_once(':') {
            Some((declared, default)) => (declared, Some(default.trim().into())),
            None => (*text, None),
        };
        let name = declared.split_whitespace().next().filter(|name| name.starts_with("--"))?;
        Some((name.into(), default))
    };
    let parts = split_at(list, &Token::Comma);
    let parameters = parts.iter().filter(|part| !part.trim().is_empty()).map(parameter).collect::<Option<_>>()?;
    name.starts_with("--").then(|| (name.trim().into(), parameters))
}

/// Adds the declarations of a body, and those in its conditional rules.
fn read_body(
    input: &mut Parser<'_>,
    conditions: &[Arc<BodyCondition>],
    mode: QuirksMode,
    body: &mut Vec<BodyDeclaration>,
) {
    while let Ok(token) = input.next() {
        match token.clone() {
            Token::AtKeyword(name) => {
                let (prelude, is_last) = text_before(input, &Token::CurlyBracketBlock);
                if is_last {
                    return;
                }
                let condition = match &*name.to_ascii_lowercase() {
                    "media" => BodyCondition::Media(MediaQueryList::parse(prelude)),
                    "supports" => BodyCondition::Supports(supports(prelude, mode)),
                    _ => BodyCondition::Unknown,
                };
                let inner: Vec<_> = conditions.iter().cloned().chain([Arc::new(condition)]).collect();
                let _ = input.parse_nested_block(|input| {
                    if inner.len() <= MAX_DEPTH {
                        read_body(input, &inner, mode, body);
                    }
                    Ok::<_, cssparser::ParseError<()>>(())
                });
            }
            Token::Ident(name) if input.try_parse(|input| input.expect_colon()).is_ok() => {
                let (value, _) = text_before(input, &Token::Semicolon);
                let value = value.trim().into();
                body.push(BodyDeclaration { conditions: conditions.to_vec(), name: (&*name).into(), value });
            }
            _ => {}
        }
    }
}

/// Returns the result of a call; an argument of `None` is invalid.
pub(super) fn call(name: &str, arguments: Vec<Option<Arc<str>>>, references: &mut dyn References) -> Option<Arc<str>> {
    if references.depth() >= MAX_DEPTH {
        return None;
    }
    let element = references.element()?;
    if !element.budget.spend(WORK_PER_CALL) {
        return None;
    }
    let function = element.functions.find(name, element.holds)?.clone();
    if arguments.len() > function.parameters.len() {
        return None;
    }
    let holds = |own: &&BodyDeclaration| own.conditions.iter().all(|condition| condition.holds(element));
    let body: Vec<_> = function.body.iter().filter(holds).collect();
    let result = body.iter().rev().find(|own| own.name.eq_ignore_ascii_case("result"))?;
    let mut scope = FunctionScope { references, locals: HashMap::default(), body: &body, open: Vec::new() };
    let mut arguments = arguments.into_iter();
    for (name, default) in &function.parameters {
        let argument = arguments.next().flatten();
        let value = argument.or_else(|| ValueTemplate::new(default.as_deref()?).fill_for(&mut scope));
        scope.locals.insert(name.clone(), value);
    }
    ValueTemplate::new(&result.value).fill_for(&mut scope)
}

impl BodyCondition {
    fn holds(&self, element: ElementValues<'_>) -> bool {
        match self {
            Self::Media(list) => list.matches(element.environment),
            Self::Supports(holds) => *holds,
            Self::Unknown => false,
        }
    }
}

/// The custom properties that the body of a function sees: its own, its parameters, and those of the caller.
struct FunctionScope<'s, 'b> {
    references: &'s mut dyn References,
    locals: HashMap<Box<str>, Option<Arc<str>>>,
    body: &'b [&'b BodyDeclaration],
    /// The body's own properties that are being evaluated.
    open: Vec<Box<str>>,
}

impl References for FunctionScope<'_, '_> {
    fn variable(&mut self, name: &str) -> Option<Arc<str>> {
        let body = self.body;
        let own = body.iter().rev().find(|own| &*own.name == name);
        if let Some(own) = own.filter(|_| !self.open.iter().any(|open| &**open == name)) {
            self.open.push(name.into());
            let value = ValueTemplate::new(&own.value).fill_for(self);
            self.open.pop();
            return value;
        }
        match self.locals.get(name) {
            Some(value) => value.clone(),
            None => self.references.variable(name),
        }
    }

    fn element(&self) -> Option<ElementValues<'_>> {
        self.references.element()
    }

    fn depth(&self) -> usize {
        self.references.depth() + 1
    }
}
