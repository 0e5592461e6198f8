//! Font stacks: `font-family` values, the family part of `font`, and what `var()` may stand for in them.

use cssparser::{ParseError, Parser, Token};
use std::collections::HashMap;

/// Most readings of one value with several `var()`.
const MOST_READINGS: usize = 24;
/// Most substitutions tried for one value.
const MOST_STEPS: usize = 200;
/// Longest value after substitution.
const MOST_BYTES: usize = 8_192;

/// One entry of a stack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry {
    /// A family by name, in lower case.
    Family(String),
    /// `serif`, `system-ui` …: always there, so nothing after it is used.
    Generic,
}

/// `ui-serif`, `-apple-system` and their like exist on some systems only: what follows them counts on the others.
const GENERIC: &[&str] = &["serif", "sans-serif", "cursive", "fantasy", "monospace", "system-ui", "math"];

/// Every stack a value may stand for.
pub(super) fn stacks(value: &str, is_shorthand: bool, custom: &HashMap<String, Vec<String>>) -> Vec<Vec<Entry>> {
    let mut readings = Vec::new();
    let mut steps = MOST_STEPS;
    substitute(value, custom, &mut steps, &mut readings);
    let families = |reading: String| if is_shorthand { shorthand_families(&reading) } else { Some(reading) };
    readings.into_iter().filter_map(families).map(|list| entries(&list)).filter(|stack| !stack.is_empty()).collect()
}

/// Replaces `var()` by every value the page gives the property, or by its fallback when there is none.
fn substitute(value: &str, custom: &HashMap<String, Vec<String>>, steps: &mut usize, readings: &mut Vec<String>) {
    if readings.len() >= MOST_READINGS || *steps == 0 || value.len() > MOST_BYTES {
        return;
    }
    *steps -= 1;
    let Some((before, name, fallback, after)) = first_var(value) else {
        readings.push(value.to_owned());
        return;
    };
    let values = custom.get(name).map(Vec::as_slice).unwrap_or_default();
    for replacement in values.iter().map(String::as_str).chain(fallback.filter(|_| values.is_empty())) {
        substitute(&format!("{before} {replacement} {after}"), custom, steps, readings);
    }
}

/// Text before the first `var()`, its property, its fallback, and the text after it.
fn first_var(value: &str) -> Option<(&str, &str, Option<&str>, &str)> {
    let start = value.to_ascii_lowercase().find("var(")?;
    let inner = &value[start + 4..];
    let mut depth = 1;
    let end = inner.char_indices().find(|(_, c)| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth == 0
    });
    let (arguments, after) = end.map_or((inner, ""), |(at, _)| (&inner[..at], &inner[at + 1..]));
    let (name, fallback) = arguments.split_once(',').map_or((arguments, None), |(name, f)| (name, Some(f)));
    Some((&value[..start], name.trim(), fallback, after))
}

fn entries(list: &str) -> Vec<Entry> {
    let mut parser = Parser::new(list);
    parser.parse_comma_separated_ignoring_errors(|input| -> Result<Entry, ParseError<()>> {
        if let Ok(quoted) = input.try_parse(|input| input.expect_string_cloned()) {
            return Ok(Entry::Family(quoted.to_lowercase()));
        }
        let mut name = input.expect_ident()?.to_lowercase();
        while let Ok(word) = input.try_parse(|input| input.expect_ident_cloned()) {
            name.push(' ');
            name.push_str(&word.to_lowercase());
        }
        let is_generic = GENERIC.contains(&name.as_str());
        Ok(if is_generic { Entry::Generic } else { Entry::Family(name) })
    })
}

/// The family list of a `font` value: what follows the size and line height.
fn shorthand_families(value: &str) -> Option<String> {
    const SIZES: &[&str] =
        &["xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large", "xxx-large", "smaller", "larger"];
    let mut parser = Parser::new(value);
    let mut rest = None;
    loop {
        let mut after_slash = false;
        let is_size = match parser.next() {
            Ok(Token::Dimension { .. } | Token::Percentage { .. }) => true,
            Ok(Token::Ident(word)) => SIZES.iter().any(|size| size.eq_ignore_ascii_case(word)),
            Ok(Token::Function(_)) => {
                skip_block(&mut parser);
                true
            }
            Ok(Token::Delim('/')) => {
                after_slash = true;
                true
            }
            Ok(Token::Comma) | Err(_) => break,
            Ok(_) => false,
        };
        if after_slash && matches!(parser.next(), Ok(Token::Function(_))) {
            skip_block(&mut parser);
        }
        if is_size {
            rest = Some(parser.position());
        }
    }
    let start = rest?;
    while parser.next().is_ok() {}
    Some(parser.slice_from(start).to_owned())
}

fn skip_block(parser: &mut Parser<'_>) {
    let _: Result<(), ParseError<()>> = parser.parse_nested_block(|inner| {
        while inner.next().is_ok() {}
        Ok(())
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(value: &str, is_shorthand: bool, custom: &[(&str, &[&str])]) -> Vec<String> {
        let own = |(name, values): &(&str, &[&str])| {
            ((*name).to_owned(), values.iter().map(|value| (*value).to_owned()).collect())
        };
        let written = |entry: &Entry| match entry {
            Entry::Family(name) => name.clone(),
            Entry::Generic => "*".to_owned(),
        };
        let stacks = stacks(value, is_shorthand, &custom.iter().map(own).collect());
        stacks.iter().map(|stack| stack.iter().map(written).collect::<Vec<_>>().join(", ")).collect()
    }

    #[test]
    fn families_of_values() {
        for (value, is_shorthand, expected) in [
            ("Inter, \"Open Sans\", sans-serif", false, "inter, open sans, *"),
            ("Open  Sans", false, "open sans"),
            ("-apple-system, Inter", false, "-apple-system, inter"),
            ("'serif'", false, "serif"),
            ("Foo, 3d, Bar", false, "foo, bar"),
            ("italic 700 16px/1.5 Inter, serif", true, "inter, *"),
            ("1em Inter", true, "inter"),
            ("small-caps x-large/normal \"A B\"", true, "a b"),
            ("calc(1px + 2vw)/calc(1 + 1) Inter", true, "inter"),
            ("12px/1 FontAwesome", true, "fontawesome"),
        ] {
            assert_eq!(names(value, is_shorthand, &[]), [expected], "{value}");
        }
        assert!(names("caption", true, &[]).is_empty());
        assert!(names("inherit 3", false, &[]).is_empty());
    }

    #[test]
    fn custom_properties() {
        let custom: &[(&str, &[&str])] = &[
            ("--a", &["Inter, serif", "Lato"]),
            ("--b", &["var(--a)"]),
            ("--loop", &["var(--loop)"]),
            ("--s", &["14px/1 Inter"]),
        ];
        for (value, is_shorthand, expected) in [
            ("var(--a)", false, vec!["inter, *", "lato"]),
            ("Foo, var(--b)", false, vec!["foo, inter, *", "foo, lato"]),
            ("var(--none, Roboto, sans-serif)", false, vec!["roboto, *"]),
            ("var(--none, var(--a))", false, vec!["inter, *", "lato"]),
            ("var(--none)", false, vec![]),
            ("var(--loop)", false, vec![]),
            ("var(--s)", true, vec!["inter"]),
            ("VAR( --a )", false, vec!["inter, *", "lato"]),
            ("var(--a", false, vec!["inter, *", "lato"]),
        ] {
            assert_eq!(names(value, is_shorthand, custom), expected, "{value}");
        }
    }

    #[test]
    fn readings_are_capped() {
        let many: Vec<String> = (0..100).map(|n| format!("F{n}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let value = vec!["var(--x)"; 50].join(",");
        assert!(names(&value, false, &[("--x", &many)]).len() <= MOST_READINGS);
    }
}
