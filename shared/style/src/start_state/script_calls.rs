//! Calls in the page's scripts that start a plugin for an element: `jQuery("#slides").camera({height: "400px"})`. Scripts
//! in files of their own are not read.

use limner_page::Document;
use limner_page::dom::Element;

/// Maximum number of calls of all methods, and maximum length of the text before and inside the parentheses of one.
const MAX_CALLS: usize = 32;
const MAX_TARGET: usize = 120;
const MAX_ARGUMENTS: usize = 4_000;

/// A call of a plugin's method.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ScriptCall {
    pub(super) method: &'static str,
    /// The simple selector of the elements: `#id`, `.class`, or a name.
    target: String,
    /// The arguments without comments, and without white space outside of strings.
    arguments: String,
}

/// Returns the calls of these methods, which begin with a full stop.
pub(super) fn find(document: &Document, methods: &[&'static str]) -> Vec<ScriptCall> {
    let scripts = document.elements_named("script").map(|(node, _)| node);
    let texts = scripts.flat_map(|node| document.children(node)).filter_map(|child| document.text(child));
    let mut found = Vec::new();
    for text in texts {
        for method in methods {
            let calls = text.match_indices(method).take(MAX_CALLS);
            let calls = calls.filter_map(|(at, _)| call(text, at, method));
            found.extend(calls);
            if found.len() >= MAX_CALLS {
                return found;
            }
        }
    }
    found
}

fn call(text: &str, at: usize, method: &'static str) -> Option<ScriptCall> {
    let arguments = arguments(text[at + method.len()..].strip_prefix('(')?);
    let mut start = at.saturating_sub(MAX_TARGET);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let target = target(&text[start..at])
        // `MasterSlider.setup("id", {…})` and `Sliderman.slider({container: "id", …})`.
        .or_else(|| first_text(&arguments).map(|id| format!("#{id}")))
        .or_else(|| text_value(&arguments, "container").map(|id| format!("#{id}")))
        // `$.backstretch("a.jpg")` is about the page.
        .or_else(|| ["$", "jQuery"].iter().any(|name| text[start..at].ends_with(name)).then(|| "body".to_owned()))?;
    Some(ScriptCall { method, target, arguments })
}

/// Returns the last simple selector of a call of jQuery: `.list` of `$("#slides .list")`.
fn target(before: &str) -> Option<String> {
    let inner = before.trim_end().strip_suffix(')')?.trim_end();
    let quote = inner.chars().next_back().filter(|letter| matches!(letter, '"' | '\''))?;
    let (_, selector) = inner[..inner.len() - 1].rsplit_once(quote)?;
    let simple = selector.rsplit([' ', '>', ',']).next()?;
    let name = simple.strip_prefix(['#', '.']).unwrap_or(simple);
    (!name.is_empty() && name.chars().all(is_in_name)).then(|| simple.to_owned())
}

fn is_in_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '-' | '_')
}

/// Returns the arguments of a call, given the text after the opening parenthesis.
fn arguments(text: &str) -> String {
    let mut found = String::new();
    let (mut quote, mut depth) = (None, 0);
    let mut letters = text.chars().take(MAX_ARGUMENTS).peekable();
    while let Some(letter) = letters.next() {
        match quote {
            Some(open) if letter == open => quote = None,
            Some(_) => {}
            None => match letter {
                '"' | '\'' => quote = Some(letter),
                '/' if letters.peek() == Some(&'/') => {
                    while letters.next_if(|next| *next != '\n').is_some() {}
                    continue;
                }
                '(' | '{' | '[' => depth += 1,
                ')' if depth == 0 => break,
                ')' | '}' | ']' => depth -= 1,
                _ if letter.is_whitespace() => continue,
                _ => {}
            },
        }
        found.push(if letter == '\'' { '"' } else { letter });
    }
    found
}

/// Returns the string with which arguments begin.
fn first_text(arguments: &str) -> Option<&str> {
    arguments.strip_prefix('"')?.split('"').next().filter(|id| !id.is_empty() && id.chars().all(is_in_name))
}

/// Returns what follows each occurrence of a key.
fn values<'t>(arguments: &'t str, key: &str) -> impl Iterator<Item = &'t str> + use<'t> {
    let key = key.to_owned();
    let found: Vec<usize> = arguments.match_indices(&key).map(|(at, _)| at).collect();
    found.into_iter().filter_map(move |at| {
        let (before, after) = (&arguments[..at], &arguments[at + key.len()..]);
        let is_quoted = before.ends_with('"') && after.starts_with('"');
        let before = before.strip_suffix('"').filter(|_| is_quoted).unwrap_or(before);
        let after = after.strip_prefix('"').filter(|_| is_quoted).unwrap_or(after);
        after.strip_prefix(':').filter(|_| before.ends_with(['{', ',']))
    })
}

fn text_value<'t>(arguments: &'t str, key: &str) -> Option<&'t str> {
    values(arguments, key).next()?.strip_prefix('"')?.split('"').next()
}

impl ScriptCall {
    /// Returns true if the call is about an element.
    pub(super) fn is_about(&self, element: &Element) -> bool {
        match (self.target.strip_prefix('#'), self.target.strip_prefix('.')) {
            (Some(id), _) => element.id().is_some_and(|own| **own == *id),
            (_, Some(class)) => element.attr_has_token("class", class),
            _ => element.is_html(&self.target),
        }
    }

    /// Returns the values of a key as they are written, without quotes, in the order of the text.
    pub(super) fn texts<'c>(&'c self, key: &str) -> impl Iterator<Item = &'c str> + use<'c> {
        values(&self.arguments, key).filter_map(|value| match value.strip_prefix('"') {
            Some(text) => text.split('"').next(),
            None => value.split([',', '}', ']']).next(),
        })
    }

    /// Returns the first value of a key.
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.texts(key).next()
    }

    /// Returns a number of pixels.
    pub(super) fn number(&self, key: &str) -> Option<f64> {
        let text = self.text(key)?;
        let number = text.strip_suffix("px").unwrap_or(text).parse().ok()?;
        (1.0..=10_000.0).contains(&number).then_some(number)
    }

    /// Returns true if the call is about the whole page.
    pub(super) fn is_about_page(&self) -> bool {
        self.target == "body"
    }

    /// Returns true if the call is a command to a plugin that has started: `$("#a").cycle("pause")`.
    pub(super) fn is_command(&self) -> bool {
        self.arguments.starts_with('"')
    }

    /// Returns the strings of the arguments.
    pub(super) fn strings(&self) -> impl Iterator<Item = &str> {
        self.arguments.split('"').skip(1).step_by(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_have_their_target_and_options() {
        for (script, target, height) in [
            ("jQuery( '#a' ).camera({ height: '400px', // 50%\n loader: true })", "#a", Some(400.0)),
            ("$('.b .c').camera({\"loader\":\"bar\",\"height\":300})", ".c", Some(300.0)),
            ("$('#a').camera({minHeight: 20})", "#a", None),
            ("$(function(){ $.camera({height: 9}) })", "body", Some(9.0)),
            ("x.camera('a-b', {height: 9})", "#a-b", Some(9.0)),
            ("X.camera({container: 'b', height: 9})", "#b", Some(9.0)),
            ("jQuery.camera({height: '50%'})", "body", None),
        ] {
            let document = Document::parse(&format!("<script>{script}</script>"));
            let [call] = &find(&document, &[".camera"])[..] else { panic!("{script}") };
            assert_eq!((&*call.target, call.number("height")), (target, height), "{script}");
        }
    }

    #[test]
    fn calls_without_target_are_left_out() {
        let scripts = "$('#a').camera; $('#b').cameras({}); $('é#a').camera(); $(this).camera({}); slider.camera()";
        let document = Document::parse(&format!("<script>{scripts}</script><script>.camera(</script>"));
        assert_eq!(find(&document, &[".camera"]), []);
    }
}
