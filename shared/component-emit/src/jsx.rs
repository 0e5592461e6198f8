//! Writes `jsx`: a React 19 component with Tailwind utilities.

pub(super) mod js_literals;
pub(super) mod react_attributes;
mod shared_drawings;
pub(super) mod ts_types;

use super::loops::LoopList;
use super::module::{Module, ModuleWriter, collapse_loops, emit_component, is_reference};
use super::tailwind;
use limner_component_model::html_syntax::{escape_class, starts_with_line_break};
use limner_component_model::ir::{Loop, Node, OutputElement, Value};
use limner_component_model::model::{Component, Emitted, Namespace};
use limner_component_model::printer::{TargetSyntax, print, print_inline, print_inside};
use limner_types::CodeLanguage;
use ts_types::ListTypes;

/// Writes a component.
pub(super) fn emit(component: &Component, language: CodeLanguage) -> Emitted {
    let writer = Writer(language);
    tailwind::emit_with_loops(component, &|styles| emit_component(component, styles, &writer))
}

/// Writes modules, of a component or of a page.
pub(super) struct Writer(pub(super) CodeLanguage);

impl ModuleWriter for Writer {
    fn extension(&self) -> &'static str {
        if self.0 == CodeLanguage::Ts { "tsx" } else { "jsx" }
    }

    fn prepare(&self, root: &mut OutputElement) {
        react_attributes::adapt_elements(root);
    }

    fn write(&self, module: Module<'_>) -> (String, usize) {
        write(module, self.0)
    }
}

/// Writes a module, and returns the number of its loops.
fn write(mut module: Module<'_>, language: CodeLanguage) -> (String, usize) {
    let mut reserved: Vec<&str> = vec![module.name];
    reserved.extend(module.imports.iter().map(|(name, _)| name.as_str()));
    let has_props = !module.props.is_empty();
    let lists = collapse_loops(&mut module.root, has_props, "className", module.role, &reserved);
    let name = function_name(module.name);
    reserved[0] = name;
    let drawings = shared_drawings::hoist(&mut module.root, &lists, &reserved);
    let root = &module.root;
    let data = match language {
        CodeLanguage::Js => js_literals::declarations(&lists.lists, &markup, &|_| String::new()),
        CodeLanguage::Ts => typed_data(&lists.lists, root, &reserved),
    };
    let body = match &module.faces {
        Some(faces) => with_at_rules(module.name, faces, root),
        None => print(&Jsx, root, 2),
    };
    let mut imports: String =
        module.imports.iter().map(|(name, address)| format!("import {name} from '{address}';\n")).collect();
    if !(imports.is_empty() || data.starts_with("import ")) {
        imports.push('\n');
    }
    let (types, parameters) = properties(name, &module.props, language);
    let code = format!(
        "{imports}{data}{drawings}{types}export default function {name}({parameters}) {{\n  return (\n{body}  );\n}}\n"
    );
    (code, lists.lists.len())
}

/// Returns the type of a component's properties, and its parameter.
fn properties(name: &str, props: &[String], language: CodeLanguage) -> (String, String) {
    if props.is_empty() {
        return (String::new(), String::new());
    }
    let parameter = format!("{{ {} }}", props.join(", "));
    if language == CodeLanguage::Js {
        return (String::new(), parameter);
    }
    let members: String = props.iter().map(|name| format!("  {name}: string;\n")).collect();
    (format!("interface {name}Props {{\n{members}}}\n\n"), format!("{parameter}: {name}Props"))
}

/// Writes the lists with their types, and the imports that these need.
fn typed_data(lists: &[LoopList], root: &OutputElement, reserved: &[&str]) -> String {
    const MARKUP: &str = "ReactNode";
    const ATTRIBUTES: &str = "HTMLAttributes";
    let types = ListTypes::from_lists(lists, root, MARKUP, reserved);
    let untyped = ts_types::untyped_elements(root);
    let imports = [(!untyped.is_empty()).then_some(ATTRIBUTES), types.has_markup.then_some(MARKUP)];
    let imports: Vec<&str> = imports.into_iter().flatten().collect();
    let import = match imports.as_slice() {
        [] => String::new(),
        names => format!("import type {{ {} }} from 'react';\n\n", names.join(", ")),
    };
    let member = |name: &String| format!("      '{name}': {ATTRIBUTES}<HTMLElement> & Record<string, unknown>;\n");
    let members: String = untyped.iter().map(member).collect();
    let elements = if members.is_empty() {
        String::new()
    } else {
        format!(
            "declare module 'react' {{\n  namespace JSX {{\n    interface IntrinsicElements {{\n{members}    }}\n  }}\n}}\n\n"
        )
    };
    let data = js_literals::declarations(lists, &markup, &|list| types.annotation(list));
    format!("{import}{elements}{}{data}", types.declarations)
}

/// Avoids component names that the component's data needs as a global.
fn function_name(name: &str) -> &str {
    if name == "String" { "StringSection" } else { name }
}

/// Wraps the element and its at-rules. React moves a style with `href` and `precedence` to the head
/// once for all instances.
fn with_at_rules(name: &str, faces: &str, root: &OutputElement) -> String {
    let indented: String =
        faces.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("        {line}\n") }).collect();
    format!(
        "    <>\n      <style href=\"{}-fonts\" precedence=\"default\">{{`\n{}      `}}</style>\n{}    </>\n",
        limner_types::component_name::kebab(name),
        js_literals::template(&indented),
        print(&Jsx, root, 3),
    )
}

/// Returns the content of an icon or of running text as an expression.
fn markup(tag: &OutputElement) -> String {
    match tag.children.as_slice() {
        [Node::Tag(one)] => print_inline(&Jsx, one),
        [Node::Text(Value::Fixed(text))] => js_literals::string(text),
        _ => format!("<>{}</>", print_inside(&Jsx, tag)),
    }
}

struct Jsx;

impl TargetSyntax for Jsx {
    fn start(&self, tag: &OutputElement, self_closing: bool) -> String {
        let mut out = format!("<{}", tag.name);
        if let Some(each) = &tag.repeat {
            out.push_str(&format!(" key={{{}}}", each.key()));
        }
        for attribute in &tag.attributes {
            let Some(name) = react_name(tag, &attribute.name) else { continue };
            out.push(' ');
            out.push_str(&name);
            out.push_str(&value(&attribute.name, &attribute.value));
        }
        out.push_str(if self_closing { " />" } else { ">" });
        // React itself writes the line break that parsers drop, if the text is the only child.
        if !self_closing && tag.children.len() > 1 && starts_with_line_break(tag) {
            out.push_str("{'\\n'}");
        }
        out
    }

    fn is_self_closing(&self, _tag: &OutputElement) -> bool {
        true
    }

    fn text(&self, text: &str) -> String {
        // JSX drops spaces at the end of a line and texts of spaces only.
        if text.trim_ascii().is_empty() && !text.is_empty() {
            return if text == " " { "{' '}".to_owned() } else { format!("{{{}}}", js_literals::string(text)) };
        }
        // A text that looks like a comment.
        let spaces = text.len() - text.trim_ascii_start().len();
        if ["//", "/*"].iter().any(|start| text[spaces..].starts_with(start)) {
            return format!("{}&#47;{}", &text[..spaces], escape(&text[spaces + 1..]));
        }
        escape(text)
    }

    fn space_at_end(&self) -> Option<&'static str> {
        Some("{' '}")
    }

    fn verbatim(&self, text: &str) -> String {
        // A listing keeps its lines in the source.
        if text.trim_ascii().contains('\n') && !text.contains(['\r', '\u{2028}', '\u{2029}']) {
            return format!("{{`{}`}}", js_literals::lines(text));
        }
        if text.contains(['\r', '\t']) || text.contains("  ") {
            return format!("{{{}}}", js_literals::string(text));
        }
        // Compilers keep the spaces of a text that ends in the line in which it begins.
        text.split('\n').map(escape).collect::<Vec<_>>().join("{'\\n'}")
    }

    fn field(&self, expression: &str) -> String {
        format!("{{{expression}}}")
    }

    fn slot(&self, expression: &str) -> String {
        format!("{{{expression}}}")
    }

    fn loop_wrapper(&self, each: &Loop) -> Option<(String, String)> {
        if each.is_space_separated {
            return Some((format!("{{{}.map(({}, {}) => [", each.list, each.item, each.index), "])}".to_owned()));
        }
        let index = if each.needs_index() { format!(", {}", each.index) } else { String::new() };
        Some((format!("{{{}.map(({}{index}) => (", each.list, each.item), "))}".to_owned()))
    }

    fn space_between(&self, each: &Loop) -> Option<String> {
        Some(format!("{} > 0 && ' ',", each.index))
    }

    fn condition_wrapper(&self, expression: &str) -> Option<(String, String)> {
        Some((format!("{{{expression} && ("), ")}".to_owned()))
    }
}

fn react_name(tag: &OutputElement, name: &str) -> Option<String> {
    if is_reference(tag) {
        return Some(name.to_owned());
    }
    if name == "defaultValue" && tag.namespace == Namespace::Html {
        return Some(name.to_owned());
    }
    react_attributes::name(tag, name)
}

fn value(name: &str, value: &Value) -> String {
    match value {
        Value::Field(field) => format!("={{{field}}}"),
        Value::FixedAndField(fixed, field) => format!("={{{}}}", js_literals::classes(fixed, field)),
        Value::Conditional(switch) => {
            let (test, then, otherwise) = switch.branches();
            let choice = format!("{test} ? '{then}' : '{otherwise}'");
            let is_alone = switch.fixed.is_empty();
            format!("={{{}}}", if is_alone { choice } else { js_literals::classes(&switch.fixed, &choice) })
        }
        Value::Fixed(_) if react_attributes::is_boolean(name) => String::new(),
        Value::Fixed(text) if react_attributes::is_number(name, text) => format!("={{{text}}}"),
        Value::Fixed(text) if name == "class" => format!("=\"{}\"", escape_class(text)),
        Value::Fixed(text)
            if text.contains(['"', '\n', '\r', '\t', '\\']) || text.contains('&') && has_reference(text) =>
        {
            format!("={{{}}}", js_literals::string(text))
        }
        Value::Fixed(text) => format!("=\"{text}\""),
    }
}

/// Returns true if the parser could read a character reference.
fn has_reference(text: &str) -> bool {
    text.find('&').is_some_and(|at| text[at..].contains(';'))
}

/// Escapes text between tags, including the braces of JSX.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // Valid as they are, but linters report them.
            '\'' => out.push_str("&apos;"),
            '"' => out.push_str("&quot;"),
            '{' => out.push_str("&#123;"),
            '}' => out.push_str("&#125;"),
            '\u{a0}' => out.push_str("&nbsp;"),
            // Compilers trim more white space than HTML does.
            c if (c.is_whitespace() && !c.is_ascii()) || matches!(c, '\u{180e}' | '\u{200b}' | '\u{feff}') => {
                out.push_str(&format!("&#{};", u32::from(c)))
            }
            '\n' | '\r' | '\t' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::Jsx;
    use limner_component_model::printer::TargetSyntax;

    #[test]
    fn preserved_texts_are_strings_only_where_compilers_change_them() {
        for (text, expected) in [
            ("Mint is a ", "Mint is a "),
            (" \nfor payments", " {'\\n'}for payments"),
            ("two  spaces", "{'two  spaces'}"),
            ("a\nb", "{`a\nb`}"),
        ] {
            assert_eq!(Jsx.verbatim(text), expected);
        }
    }
}
