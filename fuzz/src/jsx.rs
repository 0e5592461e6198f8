//! Emitted JavaScript as oxc reads it.

use crate::markup::check_attribute;
use crate::texts::{NAMES, Texts};
use oxc_allocator::Allocator;
use oxc_ast::ast::{
    AssignmentExpression, CallExpression, Expression, ImportExpression, JSXAttribute, JSXAttributeItem,
    JSXAttributeName, JSXAttributeValue, JSXChild, JSXElement, JSXElementName, JSXExpression, JSXFragment,
    NewExpression, Program, StringLiteral, TaggedTemplateExpression, TemplateLiteral,
};
use oxc_ast_visit::{Visit, walk};
use oxc_parser::Parser;
use oxc_span::SourceType;

/// Names that emitted code may call.
const CALLABLE: [&str; 1] = ["map"];

/// The findings of a parser in a script.
#[derive(Debug, Default)]
pub struct Found {
    /// String literals, templates and texts of elements.
    pub texts: Vec<String>,
    /// The same, and values of attributes.
    pub values: Vec<String>,
    /// Constructs that emitted code must not have.
    pub faults: Vec<String>,
}

/// Reads a module, or an expression, in `js` or `ts`.
///
/// # Panics
/// When it is not valid.
pub fn read(code: &str, language: &str) -> Found {
    let allocator = Allocator::default();
    let source_type = if language == "ts" { SourceType::tsx() } else { SourceType::jsx() };
    let parsed = Parser::new(&allocator, code, source_type).parse();
    let errors = &parsed.diagnostics;
    assert!(!parsed.panicked && errors.is_empty(), "{errors:?} in {code}");
    let mut found = Found::default();
    found.visit_program(&parsed.program);
    assert!(found.faults.is_empty(), "{:?} in {code}", found.faults);
    found
}

/// Holds an emitted component against the texts that are in it.
pub fn check(texts: &Texts, code: &str) {
    let found = read(code, texts.language);
    texts.check_shown(&found.texts, code);
    texts.check_titles(&found.values, code);
}

impl Found {
    fn text(&mut self, text: String) {
        self.values.push(text.clone());
        self.texts.push(text);
    }
}

impl<'a> Visit<'a> for Found {
    fn visit_program(&mut self, program: &Program<'a>) {
        if !program.directives.is_empty() {
            self.faults.push("a directive".to_owned());
        }
        walk::walk_program(self, program);
    }

    fn visit_string_literal(&mut self, literal: &StringLiteral<'a>) {
        self.text(literal.value.to_string());
    }

    fn visit_template_literal(&mut self, template: &TemplateLiteral<'a>) {
        self.text(cooked(template));
        walk::walk_template_literal(self, template);
    }

    fn visit_tagged_template_expression(&mut self, tagged: &TaggedTemplateExpression<'a>) {
        let is_raw = matches!(&tagged.tag, Expression::StaticMemberExpression(member)
            if member.property.name == "raw" && matches!(&member.object, Expression::Identifier(id) if id.name == "String"));
        if !is_raw {
            self.faults.push("a tagged template".to_owned());
        }
        self.text(tagged.quasi.quasis.iter().map(|quasi| quasi.value.raw.as_str()).collect());
        self.visit_expressions(&tagged.quasi.expressions);
    }

    fn visit_jsx_element(&mut self, element: &JSXElement<'a>) {
        let name = match &element.opening_element.name {
            JSXElementName::Identifier(name) => name.name.as_str(),
            JSXElementName::IdentifierReference(name) => name.name.as_str(),
            _ => "?",
        };
        if !NAMES.contains(&name) {
            self.faults.push(format!("<{name}>"));
        }
        for attribute in &element.opening_element.attributes {
            if let JSXAttributeItem::SpreadAttribute(_) = attribute {
                self.faults.push("attributes that are spread".to_owned());
            }
        }
        let text: String = element.children.iter().map(text_of_child).collect();
        self.text(text);
        walk::walk_jsx_element(self, element);
    }

    fn visit_jsx_fragment(&mut self, fragment: &JSXFragment<'a>) {
        let text: String = fragment.children.iter().map(text_of_child).collect();
        self.text(text);
        walk::walk_jsx_fragment(self, fragment);
    }

    fn visit_jsx_attribute(&mut self, attribute: &JSXAttribute<'a>) {
        let name = match &attribute.name {
            JSXAttributeName::Identifier(name) => name.name.to_string(),
            JSXAttributeName::NamespacedName(name) => format!("{}:{}", name.namespace.name, name.name.name),
        };
        if name == "dangerouslySetInnerHTML" || name == "ref" {
            self.faults.push(name.clone());
        }
        match &attribute.value {
            Some(JSXAttributeValue::StringLiteral(literal)) => {
                let value = decoded(&literal.value);
                check_attribute(&name, &value, &value);
                // React shows it: the text of a `textarea`.
                if name == "defaultValue" {
                    self.texts.push(value.clone());
                }
                self.values.push(value);
            }
            Some(value) => {
                check_attribute(&name, "", "");
                self.visit_jsx_attribute_value(value);
            }
            None => {}
        }
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        let is_known = matches!(&call.callee, Expression::StaticMemberExpression(member)
            if CALLABLE.contains(&member.property.name.as_str()));
        if !is_known {
            self.faults.push("a call".to_owned());
        }
        walk::walk_call_expression(self, call);
    }

    fn visit_assignment_expression(&mut self, _: &AssignmentExpression<'a>) {
        self.faults.push("an assignment".to_owned());
    }

    fn visit_new_expression(&mut self, _: &NewExpression<'a>) {
        self.faults.push("new".to_owned());
    }

    fn visit_import_expression(&mut self, _: &ImportExpression<'a>) {
        self.faults.push("import()".to_owned());
    }
}

fn text_of_child(child: &JSXChild<'_>) -> String {
    match child {
        JSXChild::Text(text) => decoded(&text.value),
        JSXChild::ExpressionContainer(container) => match &container.expression {
            JSXExpression::StringLiteral(literal) => literal.value.to_string(),
            JSXExpression::TemplateLiteral(template) => cooked(template),
            JSXExpression::TaggedTemplateExpression(tagged) => {
                tagged.quasi.quasis.iter().map(|quasi| quasi.value.raw.as_str()).collect()
            }
            _ => "\0".to_owned(),
        },
        _ => "\0".to_owned(),
    }
}

fn cooked(template: &TemplateLiteral<'_>) -> String {
    let parts: Vec<&str> =
        template.quasis.iter().map(|quasi| quasi.value.cooked.as_ref().map_or("", |text| text.as_str())).collect();
    parts.join("\0")
}

/// Decodes the character references that compilers of JSX know and emitters write.
fn decoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let reference = rest.find(';').filter(|end| *end <= 10).map(|end| &rest[1..end]);
        match reference.and_then(|reference| character(reference).map(|c| (reference.len(), c))) {
            Some((length, c)) => {
                out.push(c);
                rest = &rest[length + 2..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out + rest
}

fn character(reference: &str) -> Option<char> {
    let number = |digits: &str, radix| u32::from_str_radix(digits, radix).ok().and_then(char::from_u32);
    match reference {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some('\u{a0}'),
        _ => match reference.strip_prefix('#')? {
            hex if hex.starts_with('x') => number(&hex[1..], 16),
            digits => number(digits, 10),
        },
    }
}
