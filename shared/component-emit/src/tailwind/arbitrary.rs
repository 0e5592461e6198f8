//! Writes any CSS value as the text between the brackets of an arbitrary value.

use limner_css_values::value::{Component, format_number, format_percentage, function_name, parse_components};
use std::fmt::Write;

/// Returns the value with `_` for significant spaces and without the others. Characters that would
/// end the class or have a meaning in HTML, JavaScript or a template are escaped. `None` if the
/// value cannot be written so.
pub(super) fn arbitrary(value: &str) -> Option<String> {
    let components = parse_components(value)?;
    let mut out = String::with_capacity(value.len());
    list(&components, false, &mut out)?;
    (!out.is_empty()).then_some(out)
}

/// Writes component values. In `math`, spaces around operators are omitted: Tailwind adds the ones
/// that CSS requires.
fn list(components: &[Component], math: bool, out: &mut String) -> Option<()> {
    let mut tight = true;
    for component in components {
        let separator = match component {
            Component::Comma => Some(','),
            Component::Slash => Some('/'),
            Component::Delim(operator @ ('*' | '+' | '-')) if math => Some(*operator),
            Component::Delim(':') => Some(':'),
            _ => None,
        };
        if let Some(separator) = separator {
            out.push(separator);
            tight = true;
            continue;
        }
        if !tight {
            out.push('_');
        }
        tight = false;
        match component {
            // Tailwind does not know the function as a mathematical one, and adds no spaces.
            Component::Delim(operator @ ('*' | '+' | '-')) => out.push(*operator),
            component => write_component(component, math, out)?,
        }
    }
    Some(())
}

fn write_component(component: &Component, math: bool, out: &mut String) -> Option<()> {
    match component {
        Component::Ident(name) => out.push_str(&identifier(name)?),
        Component::Hash(name) => out.push_str(&format!("#{}", name_characters(name, name.len())?)),
        Component::Number { value, .. } => out.push_str(&value.to_string()),
        Component::Percentage(value) => out.push_str(&format!("{}%", format_percentage(denoised(*value)))),
        Component::Dimension { value, unit } => {
            out.push_str(&format!("{}{}", format_number(denoised(*value)), identifier(unit)?))
        }
        Component::String(text) => out.push_str(&string(text)),
        Component::Url(address) => out.push_str(&url(address)),
        Component::Function { name, arguments } if &**name == "url" => match arguments.as_slice() {
            [Component::String(address)] => out.push_str(&url(address)),
            _ => return None,
        },
        Component::Function { name, arguments } => {
            out.push_str(&format!("{}(", identifier(function_name(name))?));
            list(arguments, is_math(name), out)?;
            out.push(')');
        }
        Component::Block('(', inner) => {
            out.push('(');
            list(inner, math, out)?;
            out.push(')');
        }
        Component::Block('[', inner) => {
            out.push('[');
            list(inner, false, out)?;
            out.push(']');
        }
        Component::Block(..) | Component::Comma | Component::Slash | Component::Delim(_) => return None,
    }
    Some(())
}

/// Returns a number without the noise of a computation: `1.49999` is 1.5. Any other digit counts, because what is below moves
/// with it.
fn denoised(value: f64) -> f64 {
    const NOISE: f64 = 2e-5;
    let short = (value * 100.0).round() / 100.0;
    if short != 0.0 && (short - value).abs() <= NOISE { short } else { value }
}

/// Returns an identifier, with escapes where CSS needs them. `None` if it is empty.
fn identifier(name: &str) -> Option<String> {
    if name == "-" {
        return Some("\\2d".to_owned());
    }
    let hyphens = usize::from(name.starts_with('-') && !name.starts_with("--"));
    name_characters(name, hyphens)
}

/// Returns the characters of a name with escapes where CSS needs them; a digit at `start` needs one. `None` if it is
/// empty.
fn name_characters(name: &str, start: usize) -> Option<String> {
    let is_usual = |c: char| c.is_ascii_alphanumeric() || c == '-' || (c > '\u{a0}' && !is_invisible(c));
    let mut out = String::with_capacity(name.len());
    for (at, c) in name.char_indices() {
        match c {
            '_' => out.push_str("\\_"),
            c if c.is_ascii_digit() && at == start || !is_usual(c) => {
                escape(c, name[at + c.len_utf8()..].chars().next(), &mut out)
            }
            c => out.push(c),
        }
    }
    (!name.is_empty()).then_some(out)
}

/// Returns true for the math functions in which Tailwind adds the spaces around operators.
fn is_math(name: &str) -> bool {
    const MATH: &[&str] = &[
        "calc", "min", "max", "clamp", "mod", "rem", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "pow",
        "sqrt", "hypot", "log", "exp", "round",
    ];
    MATH.iter().any(|math| name.eq_ignore_ascii_case(math))
}

/// Returns a string in single quotes. Characters that could end the class, the attribute or the
/// literal are escaped.
fn string(text: &str) -> String {
    let mut out = String::from("'");
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let next = characters.peek().copied();
        match c {
            ' ' => out.push('_'),
            '_' => out.push_str("\\_"),
            '"' | '\'' | '\\' | '<' | '>' | '&' | '{' | '}' | '[' | ']' | '(' | ')' | ';' | '$' | '`' => {
                escape(c, next, &mut out)
            }
            c if c.is_control() || c.is_whitespace() || is_invisible(c) => escape(c, next, &mut out),
            c => out.push(c),
        }
    }
    out.push('\'');
    out
}

/// Writes a CSS escape with as few digits as possible: six before another hexadecimal digit, and an
/// extra space before a space, which would be read as the end of the escape.
fn escape(c: char, next: Option<char>, out: &mut String) {
    let number = c as u32;
    // Writing to a String cannot fail.
    let _ = match next {
        Some(' ') => write!(out, "\\{number:x}_"),
        Some(next) if next.is_ascii_hexdigit() => write!(out, "\\{number:06x}"),
        _ => write!(out, "\\{number:x}"),
    };
}

/// Returns true for private-use characters (icon fonts) and invisible formatting characters.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{e000}'..='\u{f8ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{f0000}'..)
}

/// Returns `url()` without quotes. Characters that an unquoted URL may not contain are
/// percent-encoded, which keeps its meaning.
fn url(address: &str) -> String {
    let mut out = String::from("url(");
    let address = address.trim();
    for (at, c) in address.char_indices() {
        match c {
            '&' if may_be_reference(&address[at + 1..]) => escape(c, address[at + 1..].chars().next(), &mut out),
            '"' | '\'' | '\\' | '<' | '>' | '{' | '}' | '[' | ']' | '(' | ')' | '`' | '|' | '^' | '$' => {
                percent(c, &mut out)
            }
            c if c.is_control() || c.is_whitespace() || is_invisible(c) => percent(c, &mut out),
            c => out.push(c),
        }
    }
    out.push(')');
    out
}

/// Returns true if an HTML parser could read an ampersand before `rest` as the start of a character
/// reference. In attributes, a reference followed by an equals sign is plain text.
fn may_be_reference(rest: &str) -> bool {
    let after = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '#');
    after.len() < rest.len() && !after.starts_with('=')
}

fn percent(c: char, out: &mut String) {
    for byte in c.encode_utf8(&mut [0; 4]).bytes() {
        let _ = write!(out, "%{byte:02X}");
    }
}

#[cfg(test)]
mod tests {
    use super::arbitrary;

    #[test]
    fn values_become_class_text() {
        let cases = [
            ("1fr 2fr", Some("1fr_2fr")),
            ("  10px   20px ", Some("10px_20px")),
            ("repeat( auto-fill , minmax(200px, 1fr) )", Some("repeat(auto-fill,minmax(200px,1fr))")),
            ("[full-start] 1fr [full-end]", Some("[full-start]_1fr_[full-end]")),
            ("calc(100% - 2rem)", Some("calc(100%-2rem)")),
            ("clamp(1rem, 2vw + 1rem, 3rem)", Some("clamp(1rem,2vw+1rem,3rem)")),
            ("calc((100% - 1rem) / 3)", Some("calc((100%-1rem)/3)")),
            ("rgb(0 0 0 / 50%)", Some("rgb(0_0_0/50%)")),
            ("1 / span 2", Some("1/span_2")),
            (".5s", Some("0.5s")),
            ("1.1875rem", Some("1.1875rem")),
            ("5.68889em", Some("5.68889em")),
            ("1.49999em", Some("1.5em")),
            ("55.4861px", Some("55.4861px")),
            ("520.5113%", Some("520.5113%")),
            ("14.2857%", Some("14.2857%")),
            ("49.95392%", Some("49.95392%")),
            ("0.706592px", Some("0.706592px")),
            ("2.85714vw", Some("2.85714vw")),
            ("3.125vw", Some("3.125vw")),
            ("-1.875px", Some("-1.875px")),
            ("348.522px", Some("348.522px")),
            ("1.234s", Some("1.234s")),
            ("-.5px", Some("-0.5px")),
            ("\"Open Sans\", sans-serif", Some("'Open_Sans',sans-serif")),
            ("my_area", Some("my\\_area")),
            ("url(\"https://a.b/c_d (1).png?x=1&y=2\")", Some("url(https://a.b/c_d%20%281%29.png?x=1&y=2)")),
            ("url(https://a.b/?x=1&y&lt;&z=2)", Some("url(https://a.b/?x=1\\26y\\26lt;&z=2)")),
            (
                "url(\"data:image/svg+xml,%3Csvg xmlns='x'%3E\")",
                Some("url(data:image/svg+xml,%3Csvg%20xmlns=%27x%27%3E)"),
            ),
            ("'it\\'s \"q\" \\\\'", Some("'it\\27s_\\22q\\22__\\5c'")),
            ("'</style>{{x}}'", Some("'\\3c/style\\3e\\7b\\7bx\\7d\\7d'")),
            ("'\\f105'", Some("'\\f105'")),
            ("'\\f105 \\f106'", Some("'\\f105\\f106'")),
            ("'\\f105  x'", Some("'\\f105__x'")),
            ("'> '", Some("'\\3e__'")),
            ("'\\f105 ax'", Some("'\\00f105ax'")),
            ("'\\f105 éx'", Some("'\\f105éx'")),
            ("'→'", Some("'→'")),
            ("''", Some("''")),
            ("red; color: blue", None),
            ("{x}", None),
            ("a\\ b", Some("a\\000020b")),
            ("a\\:c", Some("a\\00003ac")),
            ("\\31 0", Some("\\0000310")),
            ("calc-size(auto, size * 1.5 + 1px)", Some("calc-size(auto,size_*_1.5_+_1px)")),
            ("calc(abs(1px - 2em) * 2)", Some("calc(abs(1px_-_2em)*2)")),
            ("progress(2vw + 1px, 0px, 1rem)", Some("progress(2vw_+_1px,0px,1rem)")),
            ("<x>", None),
            ("", None),
        ];
        for (value, expected) in cases {
            assert_eq!(arbitrary(value).as_deref(), expected, "{value}");
        }
    }

    #[test]
    fn deep_nesting_is_refused() {
        assert_eq!(arbitrary(&"calc(".repeat(10_000)), None);
    }
}
