//! Writes `vue`: a single-file component with Tailwind utilities.

use super::jsx::js_literals;
use super::jsx::ts_types::ListTypes;
use super::module::{Module, ModuleWriter, collapse_loops, emit_component, is_reference};
use super::tailwind;
use limner_component_model::html_syntax::{escape_attribute, escape_class, needs_value, starts_with_line_break};
use limner_component_model::ir::{Loop, Node, OutputElement, Value};
use limner_component_model::model::{Component, Emitted, Namespace};
use limner_component_model::printer::{TargetSyntax, print, print_inside};
use limner_types::CodeLanguage;

/// Writes a component.
pub(super) fn emit(component: &Component, language: CodeLanguage) -> Emitted {
    let writer = Writer(language);
    tailwind::emit_with_loops(component, &|styles| emit_component(component, styles, &writer))
}

/// Writes modules, of a component or of a page.
pub(super) struct Writer(pub(super) CodeLanguage);

impl ModuleWriter for Writer {
    fn extension(&self) -> &'static str {
        "vue"
    }

    /// Vue's style guide wants several words, so that no element of HTML is ever called the same.
    fn section_name(&self, name: &str) -> String {
        if is_single_word(name) { format!("{name}Section") } else { name.to_owned() }
    }

    fn shared_name(&self, name: &str) -> String {
        format!("Base{name}")
    }

    fn prepare(&self, _root: &mut OutputElement) {}

    fn write(&self, module: Module<'_>) -> (String, usize) {
        write(module, self.0)
    }
}

/// Writes a module, and returns the number of its loops.
fn write(mut module: Module<'_>, language: CodeLanguage) -> (String, usize) {
    let mut reserved: Vec<&str> = vec![module.name];
    reserved.extend(module.imports.iter().map(|(name, _)| name.as_str()));
    let has_props = !module.props.is_empty();
    let lists = collapse_loops(&mut module.root, has_props, "class", module.role, &reserved);
    let root = &mut module.root;
    preserve_whitespace(root);
    let (data, attribute) = match language {
        CodeLanguage::Js => (js_literals::declarations(&lists.lists, &markup, &|_| String::new()), ""),
        CodeLanguage::Ts => {
            let types = ListTypes::from_lists(&lists.lists, root, "string", &reserved);
            let data = js_literals::declarations(&lists.lists, &markup, &|list| types.annotation(list));
            (types.declarations + &data, " lang=\"ts\"")
        }
    };
    let mut imports: String =
        module.imports.iter().map(|(name, address)| format!("import {name} from '{address}.vue';\n")).collect();
    if !imports.is_empty() {
        imports.push('\n');
    }
    let script = imports + &properties(&module.props, language) + &data;
    let script = match script.trim_end() {
        "" => String::new(),
        script => format!("<script setup{attribute}>\n{script}\n</script>\n\n"),
    };
    let style = module.faces.map(|faces| without_bindings(&faces));
    let style = style.map(|faces| format!("\n<style>\n{faces}</style>\n")).unwrap_or_default();
    let code = format!("{script}<template>\n{}</template>\n{style}", print(&Vue, root, 1));
    (code, lists.lists.len())
}

fn is_single_word(name: &str) -> bool {
    !name.chars().skip(1).any(char::is_uppercase)
}

/// Returns the declaration of a component's properties.
fn properties(props: &[String], language: CodeLanguage) -> String {
    if props.is_empty() {
        return String::new();
    }
    let members = |suffix: &str| props.iter().map(|name| format!("  {name}: {suffix}\n")).collect::<String>();
    match language {
        CodeLanguage::Js => format!("defineProps({{\n{}}});\n\n", members("{ type: String, required: true },")),
        CodeLanguage::Ts => format!("defineProps<{{\n{}}}>();\n\n", members("string;")),
    }
}

/// Escapes `v-bind(…)`, which the compiler replaces anywhere in a stylesheet, even in strings.
fn without_bindings(css: &str) -> String {
    css.replace("v-bind", "v-\\62 ind")
}

/// Turns texts with significant white space into expressions where the compiler would condense it:
/// everywhere except in `pre` and `textarea` (`condenseWhitespace` of `@vue/compiler-core`).
fn preserve_whitespace(tag: &mut OutputElement) {
    if matches!(tag.name.as_str(), "pre" | "textarea") {
        return;
    }
    let last = tag.children.len().saturating_sub(1);
    for (at, child) in tag.children.iter_mut().enumerate() {
        match child {
            Node::Tag(child) => preserve_whitespace(child),
            Node::Text(Value::Fixed(text)) => {
                let is_dropped = !tag.whitespace_insignificant
                    && (at == 0 || at == last)
                    && text.chars().all(|c| c.is_ascii_whitespace());
                if is_dropped || (tag.preserves_whitespace && is_condensed(text)) {
                    *child = Node::Text(Value::Field(interpolated(text)));
                }
            }
            Node::Text(_) | Node::Slot(_) => {}
        }
    }
}

/// Returns true if a text has white space other than single spaces, which would be condensed.
fn is_condensed(text: &str) -> bool {
    text.contains("  ") || text.contains(|c: char| c != ' ' && c.is_ascii_whitespace())
}

/// Returns a text as an expression. `}}` would end the expression, and the compiler decodes
/// character references (`&#39;`) before parsing it.
fn interpolated(text: &str) -> String {
    js_literals::quoted(text).replace("}}", "}\\x7d").replace('&', "\\x26")
}

/// Returns the content of an icon or of running text as a string of markup.
fn markup(tag: &OutputElement) -> String {
    js_literals::markup(&print_inside(&limner_component_model::html_syntax::Html, tag))
}

struct Vue;

impl TargetSyntax for Vue {
    fn start(&self, tag: &OutputElement, self_closing: bool) -> String {
        let mut out =
            if is_custom(tag) { format!("<component :is=\"'{}'\"", tag.name) } else { format!("<{}", tag.name) };
        // In the order of Vue's style guide.
        let each = tag.repeat.as_ref().filter(|each| !each.is_space_separated);
        if let Some(each) = each {
            let item = if each.needs_index() { format!("({}, {})", each.item, each.index) } else { each.item.clone() };
            out.push_str(&format!(" v-for=\"{item} in {}\"", each.list));
        }
        if let Some(when) = &tag.condition {
            out.push_str(&format!(" v-if=\"{when}\""));
        }
        let (ids, others): (Vec<_>, Vec<_>) = tag.attributes.iter().partition(|attribute| attribute.name == "id");
        ids.into_iter().for_each(|id| out.push_str(&format!(" {}", attribute_text(&id.name, &id.value))));
        if let Some(each) = each {
            out.push_str(&format!(" :key=\"{}\"", each.key()));
        }
        for attribute in others.into_iter().filter(|attribute| is_plain(&attribute.name)) {
            out.push_str(&format!(" {}", attribute_text(&attribute.name, &attribute.value)));
        }
        if let Some(Node::Slot(slot)) = tag.children.first() {
            out.push_str(&format!(" v-html=\"{slot}\""));
        }
        out.push_str(if self_closing { " />" } else { ">" });
        if !self_closing && starts_with_line_break(tag) {
            out.push('\n');
        }
        out
    }

    fn end(&self, tag: &OutputElement) -> String {
        if is_custom(tag) { "</component>".to_owned() } else { format!("</{}>", tag.name) }
    }

    fn is_self_closing(&self, tag: &OutputElement) -> bool {
        tag.is_void() || tag.namespace != Namespace::Html || is_reference(tag)
    }

    fn text(&self, text: &str) -> String {
        escape(text)
    }

    /// The compiler removes white space that contains a line break.
    fn space_at_end(&self) -> Option<&'static str> {
        None
    }

    fn verbatim(&self, text: &str) -> String {
        escape(text)
    }

    fn field(&self, expression: &str) -> String {
        format!("{{{{ {expression} }}}}")
    }

    fn slot(&self, _expression: &str) -> String {
        String::new()
    }

    fn loop_wrapper(&self, each: &Loop) -> Option<(String, String)> {
        let Loop { list, item, index, is_space_separated: is_spaced, .. } = each;
        is_spaced.then(|| {
            let start = format!("<template v-for=\"({item}, {index}) in {list}\" :key=\"{}\">", each.key());
            (format!("{start}{{{{ {index} > 0 ? ' ' : '' }}}}"), "</template>".to_owned())
        })
    }

    fn condition_wrapper(&self, _expression: &str) -> Option<(String, String)> {
        None
    }
}

/// Returns true for custom elements and elements unknown to Vue, for which Vue would look for a
/// component.
fn is_custom(tag: &OutputElement) -> bool {
    tag.namespace == Namespace::Html && (tag.name.contains('-') || tag.name == "search")
}

/// Returns true for attributes that are neither directives nor reserved by Vue.
fn is_plain(name: &str) -> bool {
    let has_form = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | ':' | '_'));
    let lower = name.to_ascii_lowercase();
    has_form
        && !lower.starts_with("v-")
        && !lower.starts_with("on")
        && !matches!(lower.as_str(), "key" | "ref" | "is" | "slot" | "style")
}

fn attribute_text(name: &str, value: &Value) -> String {
    match value {
        Value::Field(field) => format!(":{name}=\"{field}\""),
        Value::FixedAndField(fixed, field) => format!("{name}=\"{}\" :{name}=\"{field}\"", escape_class(fixed)),
        Value::Conditional(switch) => {
            let (test, then, otherwise) = switch.branches();
            let [fixed, then, otherwise] = [switch.fixed.as_str(), then, otherwise].map(escape_class);
            let choice = match otherwise.is_empty() {
                true => format!("{test} && '{then}'"),
                false => format!("{test} ? '{then}' : '{otherwise}'"),
            };
            let fixed = if fixed.is_empty() { String::new() } else { format!("{name}=\"{fixed}\" ") };
            format!("{fixed}:{name}=\"{choice}\"")
        }
        Value::Fixed(text) if text.is_empty() && !needs_value(name) => name.to_owned(),
        Value::Fixed(text) if name == "class" => format!("{name}=\"{}\"", escape_class(text)),
        Value::Fixed(text) => format!("{name}=\"{}\"", escape_attribute(text)),
    }
}

/// Escapes text between tags, including the start of an interpolation.
fn escape(text: &str) -> String {
    limner_component_model::html_syntax::escape_text(text).replace("{{", "&#123;&#123;").replace('\u{a0}', "&nbsp;")
}
