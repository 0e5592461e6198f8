//! Writes lists as JavaScript literals.

use crate::loops::{Cell, LoopList, Row};
use limner_component_model::ir::OutputElement;

/// Maximum width of an object on one line.
const WIDTH: usize = 100;

/// Writes `const plans = [ … ];` for each list. `markup` writes fields of markup as an expression, `annotation` the type of
/// a list: nothing in JavaScript.
pub(crate) fn declarations(
    lists: &[LoopList],
    markup: &dyn Fn(&OutputElement) -> String,
    annotation: &dyn Fn(&str) -> String,
) -> String {
    let writer = JsWriter { markup };
    let declaration = |list: &LoopList| {
        format!("const {}{} = {};\n\n", list.name, annotation(&list.name), writer.rows(&list.rows, 0))
    };
    lists.iter().map(declaration).collect()
}

struct JsWriter<'w> {
    markup: &'w dyn Fn(&OutputElement) -> String,
}

impl JsWriter<'_> {
    fn rows(&self, rows: &[Row], depth: usize) -> String {
        let items: Vec<String> = rows.iter().map(|row| self.row(row, depth + 1)).collect();
        if rows.iter().all(|row| matches!(row, Row::Number(_))) {
            return format!("[{}]", items.join(", "));
        }
        bracketed("[", "]", &items, depth)
    }

    fn row(&self, row: &Row, depth: usize) -> String {
        let fields = match row {
            Row::Number(number) => return number.to_string(),
            Row::Text(text) => return string(text),
            Row::Fields(fields) => fields,
        };
        let items: Vec<String> =
            fields.iter().map(|(name, cell)| format!("{}: {}", property(name), self.cell(cell, depth + 1))).collect();
        if items.is_empty() {
            return "{}".to_owned();
        }
        let short = !items.iter().any(|item| item.contains('\n'))
            && items.iter().map(|item| item.len() + 2).sum::<usize>() < WIDTH;
        if short { format!("{{ {} }}", items.join(", ")) } else { bracketed("{", "}", &items, depth) }
    }

    fn cell(&self, cell: &Cell, depth: usize) -> String {
        match cell {
            Cell::Text(text) => string(text),
            Cell::Flag => "true".to_owned(),
            Cell::Literal(literal) => literal.clone(),
            Cell::Markup(tag) => (self.markup)(tag),
            Cell::Rows(rows) => {
                let texts: Vec<String> = rows.iter().map(|row| self.row(row, depth + 1)).collect();
                let is_short = rows.iter().all(|row| matches!(row, Row::Text(_) | Row::Number(_)))
                    && texts.iter().map(|text| text.len() + 2).sum::<usize>() < WIDTH - 20;
                if is_short { format!("[{}]", texts.join(", ")) } else { bracketed("[", "]", &texts, depth) }
            }
        }
    }
}

fn bracketed(open: &str, close: &str, items: &[String], depth: usize) -> String {
    if items.is_empty() {
        return format!("{open}{close}");
    }
    let indent = "  ".repeat(depth + 1);
    let lines: String = items.iter().map(|item| format!("{indent}{item},\n")).collect();
    format!("{open}\n{lines}{}{close}", "  ".repeat(depth))
}

/// Returns a property name, quoted if it is no identifier.
pub(crate) fn property(name: &str) -> String {
    let is_identifier = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_identifier { name.to_owned() } else { string(name) }
}

/// Returns a string literal that is safe in a `script` element.
pub(crate) fn string(text: &str) -> String {
    // Tailwind finds a class with a backslash only if it is unescaped in the source.
    let is_class_with_backslash = text.contains('\\') && !text.contains('<') && is_literal(text);
    if is_class_with_backslash { format!("String.raw`{text}`") } else { quoted(text) }
}

/// Returns a string of markup. Classes with quotes and backslashes stay unescaped, so that Tailwind
/// finds them.
pub(crate) fn markup(markup: &str) -> String {
    let ends_script = markup.match_indices('<').any(|(at, _)| ends_script(&markup[at + 1..]));
    if ends_script || !is_literal(markup) {
        return quoted(markup);
    }
    match (markup.contains('\\'), markup.contains('\'')) {
        (true, _) => format!("String.raw`{markup}`"),
        (false, true) => format!("`{markup}`"),
        (false, false) => format!("'{markup}'"),
    }
}

/// Returns true if a text needs no escapes in a template literal.
fn is_literal(text: &str) -> bool {
    let is_special = |c: char| c == '`' || c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}');
    !text.contains("${") && !text.ends_with('\\') && !text.contains(is_special)
}

/// Returns true if `rest` after a `<` would end the `script` element or hide its remainder.
fn ends_script(rest: &str) -> bool {
    let is = |end: &str| rest.get(..end.len()).is_some_and(|start| start.eq_ignore_ascii_case(end));
    is("/script") || is("!--")
}

/// Returns a literal with quotes, in all cases.
pub(crate) fn quoted(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    let mut previous = ' ';
    for (at, c) in text.char_indices() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '/' | '!' if previous == '<' && ends_script(&text[at..]) => {
                out.push('\\');
                out.push(c);
            }
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                out.push_str(&format!("\\u{{{:x}}}", c as u32));
            }
            c => out.push(c),
        }
        previous = c;
    }
    out.push(quote);
    out
}

/// Returns a template literal of classes followed by an expression. Classes with a backslash stay
/// unescaped, as in [`string`].
pub(crate) fn classes(fixed: &str, expression: &str) -> String {
    match fixed.contains('\\') && is_literal(fixed) && !fixed.contains("</") {
        true => format!("String.raw`{fixed} ${{{expression}}}`"),
        false => format!("`{} ${{{expression}}}`", template(fixed)),
    }
}

/// Returns the text of a template literal.
pub(crate) fn template(text: &str) -> String {
    lines(text).replace("</", "<\\/")
}

/// Returns the text of a template literal outside of a `script` element.
pub(crate) fn lines(text: &str) -> String {
    text.replace('\\', "\\\\").replace('`', "\\`").replace("${", "\\${")
}

#[cfg(test)]
mod tests {
    use super::{classes, markup, string, template};

    #[test]
    fn js_strings_keep_their_text() {
        let cases = [
            ("plain", "'plain'"),
            ("it's", "\"it's\""),
            ("it's \"q\"", "'it\\'s \"q\"'"),
            ("</script><!--", "'<\\/script><\\!--'"),
            ("<p></p><!doctype>", "'<p></p><!doctype>'"),
            ("a\nb", "'a\\nb'"),
            ("\u{2028}", "'\\u{2028}'"),
            ("content-['\\00f105']", "String.raw`content-['\\00f105']`"),
            ("`${x}\\", "'`${x}\\\\'"),
            ("\\${x}", "'\\\\${x}'"),
        ];
        for (text, expected) in cases {
            assert_eq!(string(text), expected, "{text}");
        }
    }

    #[test]
    fn constant_classes_precede_the_expression() {
        let cases = [
            ("flex p-4", "`flex p-4 ${item.className}`"),
            (r"before:content-['\f105']", r"String.raw`before:content-['\f105'] ${item.className}`"),
            ("[&_a]:text-[`]", "`[&_a]:text-[\\`] ${item.className}`"),
        ];
        for (fixed, expected) in cases {
            assert_eq!(classes(fixed, "item.className"), expected);
        }
    }

    #[test]
    fn markup_that_ends_no_script_stays_unescaped() {
        let cases = [
            ("<b>a</b>", "'<b>a</b>'"),
            ("<b>it's</b>", "`<b>it's</b>`"),
            (r"<i class='\f105'></i>", r"String.raw`<i class='\f105'></i>`"),
            (r"a\", r"'a\\'"),
            (r"\${x}", r"'\\${x}'"),
            ("`<b>`", "'`<b>`'"),
            ("</SCRIPT>", "'<\\/SCRIPT>'"),
            ("<!--", "'<\\!--'"),
            ("a\u{2028}", "'a\\u{2028}'"),
        ];
        for (text, expected) in cases {
            assert_eq!(markup(text), expected, "{text}");
        }
    }

    #[test]
    fn js_templates_keep_their_text() {
        assert_eq!(template("a`b${c}\\d</style>"), "a\\`b\\${c}\\\\d<\\/style>");
    }
}
