//! Exports design tokens as files: custom properties, a Tailwind theme, a Design Tokens file.

mod css;
mod dtcg;
mod tailwind;

pub(super) use css::write as css;
pub(super) use dtcg::write as dtcg;
pub(super) use tailwind::write as tailwind;

use super::ThemeSwitches;
use std::fmt::Write;

/// Writes a block of custom properties: `selector { name: value; … }`.
fn block(out: &mut String, indent: &str, selector: &str, lines: &[(String, &str)]) {
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{indent}{selector} {{");
    for (name, value) in lines {
        let _ = writeln!(out, "{indent}  {name}: {value};");
    }
    let _ = writeln!(out, "{indent}}}");
}

/// Writes the values of one theme inside the conditions under which the page switches to it.
fn theme_overrides(out: &mut String, scheme: &str, scopes: &ThemeSwitches, lines: &[(String, &str)]) {
    if lines.is_empty() {
        return;
    }
    if scopes.by_media || scopes.selectors.is_empty() {
        let _ = writeln!(out, "\n@media (prefers-color-scheme: {scheme}) {{");
        block(out, "  ", ":root", lines);
        out.push_str("}\n");
    }
    if !scopes.selectors.is_empty() {
        out.push('\n');
        block(out, "", &scopes.selectors.join(", "), lines);
    }
}

/// Returns the comment at the beginning of a file. A URL can't end it.
fn heading(url: &str) -> String {
    format!("/* Design tokens of {} */\n", url.replace("*/", "*%2F"))
}
