//! Finds animations in inline scripts without running them: arguments of known calls, URLs in
//! strings, and JSON.

use super::animation;
use limner_types::result::LottieSource;
use serde_json::Value;
use serde_json::value::RawValue;

/// Maximum number of bytes searched after the start of a call.
const MAX_ARGUMENT_BYTES: usize = 20_000;
/// Maximum number of calls, of strings, and of JSON values searched in one script.
const MAX_TRIES: usize = 60;
/// Maximum size of a JSON block, in bytes.
const MAX_BLOCK_BYTES: usize = 10 * 1024 * 1024;
/// Maximum number of values visited in one block.
const MAX_VALUES: usize = 500_000;
/// Maximum number of animations per block or script.
const MAX_ANIMATIONS: usize = 50;

/// A finding in a script.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ScriptFinding {
    /// A URL, as written.
    Path { path: String, source: LottieSource, is_certain: bool },
    /// JSON of an animation.
    Animation(String),
}

/// Calls that play an animation, and the members of their argument that contain the URL.
const CALLS: &[(&str, &[&str], LottieSource)] = &[
    ("loadAnimation", &["path"], LottieSource::Script),
    ("DotLottie", &["src"], LottieSource::Dotlottie),
    ("DotLottieWorker", &["src"], LottieSource::Dotlottie),
];

/// Searches a script. Scripts that do not mention Lottie are skipped.
pub(super) fn find_animations(script: &str) -> Vec<ScriptFinding> {
    let is_about_lottie = ["ottie", "odymovin", "loadAnimation"].iter().any(|word| script.contains(word));
    if !is_about_lottie || script.len() > MAX_BLOCK_BYTES {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (name, members, source) in CALLS {
        for (at, _) in script.match_indices(name).take(MAX_TRIES) {
            let arguments = &script[at + name.len()..];
            if let Some(object) = arguments.trim_start().strip_prefix('(') {
                let paths = string_members(object, members).into_iter();
                found.extend(paths.map(|path| ScriptFinding::Path { path, source: *source, is_certain: true }));
            }
        }
    }
    for path in file_names(script) {
        let is_known =
            found.iter().any(|found| matches!(found, ScriptFinding::Path { path: known, .. } if *known == path));
        if !is_known {
            found.push(ScriptFinding::Path { path, source: LottieSource::Script, is_certain: false });
        }
    }
    found.extend(animations_in_script(script).into_iter().map(ScriptFinding::Animation));
    found
}

/// Returns the string values of these members in the first argument:
/// `{ container: x, path: 'a.json' }`.
fn string_members(arguments: &str, members: &[&str]) -> Vec<String> {
    let mut lexer = JsLexer { rest: &arguments[..floor(arguments, MAX_ARGUMENT_BYTES)] };
    let (mut depth, mut found) = (1, Vec::new());
    let mut key: Option<String> = None;
    let mut after_colon = false;
    while let Some(token) = lexer.next_token() {
        match token {
            JsToken::Open => depth += 1,
            JsToken::Close => {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            }
            // Members of the argument object have depth two: the parenthesis and the brace.
            JsToken::Text(text) if after_colon => {
                if depth == 2 && key.as_deref().is_some_and(|key| members.contains(&key)) {
                    found.push(text);
                }
            }
            JsToken::Text(text) | JsToken::Word(text) => key = Some(text),
            JsToken::Colon => {
                after_colon = true;
                continue;
            }
            JsToken::Other => {}
        }
        after_colon = false;
    }
    found
}

/// Returns strings with the extension of an animation file.
fn file_names(script: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for extension in [".json", ".lottie"] {
        for (at, _) in script.match_indices(extension).take(MAX_TRIES) {
            let end = at + extension.len();
            let after = script[end..].chars().next();
            let start = script[..at].rfind(['"', '\'', '`', '\n']).map(|quote| quote + 1);
            let Some(start) = start.filter(|start| at - start < 1_000) else { continue };
            let quote = script[..start].chars().next_back();
            let stop = match (after, quote) {
                (Some('"' | '\'' | '`'), _) => end,
                (Some('?' | '#'), Some(quote)) => script[end..].find(quote).map_or(end, |length| end + length),
                _ => continue,
            };
            let path = &script[start..floor(script, stop.min(start + 2_000))];
            let is_path = !path.contains([' ', '<', '>', '{', '}', '(', ')']) && !path.contains("${");
            let path = path.replace("\\/", "/");
            if is_path && !found.contains(&path) {
                found.push(path);
            }
        }
    }
    found
}

/// Returns JSON values in a script that start like an exported animation.
fn animations_in_script(script: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut from = 0;
    for _ in 0..MAX_TRIES {
        let Some(at) = next_start(&script[from..]).map(|at| from + at) else { break };
        let mut values = serde_json::Deserializer::from_str(&script[at..]).into_iter::<Box<RawValue>>();
        match values.next() {
            Some(Ok(value)) => {
                from = at + value.get().len();
                let is_animation = animation::parse_value(value.get()).is_ok_and(|value| animation::is_lottie(&value));
                if is_animation && found.len() < MAX_ANIMATIONS {
                    found.push(value.get().to_owned());
                }
            }
            _ => from = at + 1,
        }
    }
    found
}

/// Returns the start of an object whose first member is one that exporters write first.
fn next_start(script: &str) -> Option<usize> {
    const FIRST_MEMBERS: &[&str] = &[
        "\"v\"",
        "\"nm\"",
        "\"ver\"",
        "\"fr\"",
        "\"ip\"",
        "\"w\"",
        "\"h\"",
        "\"assets\"",
        "\"layers\"",
        "\"meta\"",
        "\"op\"",
        "\"ddd\"",
    ];
    script.match_indices('{').map(|(at, _)| at).find(|at| {
        let inside = script[at + 1..].trim_start();
        FIRST_MEMBERS.iter().any(|member| inside.starts_with(member))
    })
}

/// Returns the animations in a block of JSON: the block itself, or objects anywhere in it.
pub(super) fn animations_in_json(block: &str) -> Vec<String> {
    let may_have = block.contains("\"layers\"") && block.contains("\"op\"");
    if !may_have || block.len() > MAX_BLOCK_BYTES {
        return Vec::new();
    }
    let Ok(value) = animation::parse_value(block.trim()) else { return Vec::new() };
    if animation::is_lottie(&value) {
        return vec![block.trim().to_owned()];
    }
    let mut found = Vec::new();
    let mut work = vec![&value];
    let mut visited = 0;
    while let Some(value) = work.pop() {
        visited += 1;
        if visited > MAX_VALUES || found.len() >= MAX_ANIMATIONS {
            break;
        }
        match value {
            animation if animation::is_lottie(animation) => found.push(animation.to_string()),
            Value::Array(items) => work.extend(items.iter().rev()),
            Value::Object(members) => work.extend(members.values().rev()),
            _ => {}
        }
    }
    found
}

/// Returns the largest character boundary at or below `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The subset of JavaScript tokens needed to find members.
enum JsToken {
    Open,
    Close,
    Colon,
    Word(String),
    Text(String),
    Other,
}

struct JsLexer<'a> {
    rest: &'a str,
}

impl JsLexer<'_> {
    fn next_token(&mut self) -> Option<JsToken> {
        self.skip_blank();
        let first = self.rest.chars().next()?;
        let token = match first {
            '{' | '[' | '(' => JsToken::Open,
            '}' | ']' | ')' => JsToken::Close,
            ':' => JsToken::Colon,
            '"' | '\'' | '`' => return Some(self.text(first)),
            c if c.is_alphanumeric() || c == '_' || c == '$' => {
                let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
                let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
                let word = self.rest[..end].to_owned();
                self.rest = &self.rest[end..];
                return Some(JsToken::Word(word));
            }
            _ => JsToken::Other,
        };
        self.rest = &self.rest[first.len_utf8()..];
        Some(token)
    }

    fn skip_blank(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            let after = match () {
                () if self.rest.starts_with("//") => self.rest.find('\n'),
                () if self.rest.starts_with("/*") => self.rest.find("*/").map(|at| at + 2),
                () => return,
            };
            self.rest = after.map_or("", |at| &self.rest[at..]);
        }
    }

    /// Parses a string; a template with a substitution has no constant value.
    fn text(&mut self, quote: char) -> JsToken {
        let mut text = String::new();
        let mut letters = self.rest.char_indices().skip(1);
        while let Some((at, letter)) = letters.next() {
            match letter {
                '\\' => text.extend(letters.next().map(|(_, escaped)| escaped)),
                letter if letter == quote => {
                    self.rest = &self.rest[at + 1..];
                    let is_template = quote == '`' && text.contains("${");
                    return if is_template { JsToken::Other } else { JsToken::Text(text) };
                }
                letter => text.push(letter),
            }
        }
        self.rest = "";
        JsToken::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn paths(script: &str) -> Vec<(String, bool)> {
        let path = |found| match found {
            ScriptFinding::Path { path, is_certain, .. } => Some((path, is_certain)),
            ScriptFinding::Animation(_) => None,
        };
        find_animations(script).into_iter().filter_map(path).collect()
    }

    #[test]
    fn urls_in_scripts_are_found() {
        for (script, expected) in [
            ("lottie.loadAnimation({container: x, path: 'a.json', loop: true})", vec![("a.json", true)]),
            ("bodymovin.loadAnimation({ \"path\" : \"/x/a.json?v=1\" });", vec![("/x/a.json?v=1", true)]),
            ("loadAnimation({ path: `a.json` })", vec![("a.json", true)]),
            ("loadAnimation( { // path: 'no'\n /* path: 'no2' */ path: 'data' } )", vec![("data", true)]),
            ("loadAnimation({rendererSettings: {path: 'no'}, path: \"y\"})", vec![("y", true)]),
            (
                "new DotLottie({ canvas: c, src: 'https://lottie.host/a.lottie' })",
                vec![("https://lottie.host/a.lottie", true)],
            ),
            ("var o = {path: 'data.json'}; lottie.loadAnimation(o)", vec![("data.json", false)]),
            ("loadAnimation({path: base + '/a.json'})", vec![("/a.json", false)]),
            ("loadAnimation({path: `${base}/a.json`})", vec![]),
            ("loadAnimation({path", vec![]),
            ("loadAnimation({path: 'x", vec![]),
            ("loadAnimation", vec![]),
            ("fetch('a.json')", vec![]),
        ] {
            let expected: Vec<(String, bool)> = expected.into_iter().map(|(p, c)| (p.to_owned(), c)).collect();
            assert_eq!(paths(script), expected, "{script}");
        }
    }

    const ANIMATION: &str = r#"{"v":"5.5.7","fr":30,"ip":0,"op":60,"w":10,"h":10,"layers":[]}"#;

    #[test]
    fn json_in_scripts_and_blocks() {
        let script =
            format!("var a = {{}}; lottie.loadAnimation({{animationData: {ANIMATION}, x: 1}}); var b = {{\"v\": 1}}");
        assert_eq!(find_animations(&script), [ScriptFinding::Animation(ANIMATION.to_owned())]);
        assert_eq!(animations_in_json(&format!(" {ANIMATION}\n")), [ANIMATION]);
        let nested = format!(r#"{{"props":[{{"anim":{ANIMATION}}},{ANIMATION}]}}"#);
        assert_eq!(animations_in_json(&nested).len(), 2);
        for other in ["{\"layers\":[],\"op\":1}", "{\"layers\":", "[]", ""] {
            assert!(animations_in_json(other).is_empty(), "{other}");
        }
    }

    #[test]
    fn hostile_scripts_take_bounded_time() {
        assert!(find_animations(&format!("lottie {}", "{\"v\":".repeat(500_000))).is_empty());
        assert!(find_animations(&"loadAnimation({".repeat(200_000)).is_empty());
        assert!(find_animations(&format!("lottie {}", ".json".repeat(500_000))).is_empty());
        assert!(animations_in_json(&format!("{{\"layers\":1,\"op\":{}", "[".repeat(1_000_000))).is_empty());
    }

    proptest! {
        #[test]
        fn never_panics(script in ".{0,200}", cut in 0_usize..200) {
            find_animations(&format!("loadAnimation({{{script}"));
            let cut = floor(&script, cut);
            find_animations(&format!("lottie {}.json'", &script[..cut]));
            animations_in_json(&format!("\"layers\" \"op\" {script}"));
        }
    }
}
