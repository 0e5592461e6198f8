//! Finds animations in inline scripts without running them: arguments of known calls, URLs in
//! strings, and JSON.

use super::animation;
use crate::js_literals::{self, JsLexer, JsToken};
use limner_types::result::LottieSource;
use serde::de::IgnoredAny;
use serde_json::Value;

/// Maximum number of bytes searched after the start of a call.
const MAX_ARGUMENT_BYTES: usize = 20_000;
/// Maximum number of times that a script is parsed on account of objects in objects.
const MAX_READINGS: usize = 8;
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
    // An animation may be handed to its player by another script.
    let has_animation = ["layers", "assets", "ks"].iter().all(|member| script.contains(member));
    if !(is_about_lottie || has_animation) || script.len() > MAX_BLOCK_BYTES {
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
    let mut lexer = JsLexer::new(&arguments[..arguments.floor_char_boundary(MAX_ARGUMENT_BYTES)]);
    let (mut depth, mut found) = (1, Vec::new());
    let mut key: Option<String> = None;
    let mut after_colon = false;
    while let Some(token) = lexer.next_token() {
        match token {
            JsToken::Open(_) => depth += 1,
            JsToken::Close(_) => {
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
            JsToken::Comma | JsToken::Number(_) | JsToken::Other(_) => {}
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
            let path = &script[start..script.floor_char_boundary(stop.min(start + 2_000))];
            let is_path = !path.contains([' ', '<', '>', '{', '}', '(', ')']) && !path.contains("${");
            let path = path.replace("\\/", "/");
            if is_path && !found.contains(&path) {
                found.push(path);
            }
        }
    }
    found
}

/// Returns the animations in a script: objects with the members of one, whatever their order, as
/// JSON or as minifiers write it, and JSON in strings.
fn animations_in_script(script: &str) -> Vec<String> {
    let mut scan = ObjectScan { left_bytes: MAX_READINGS * script.len(), ..ObjectScan::default() };
    let mut lexer = JsLexer::new(script);
    while let Some(token) = lexer.next_token() {
        if let JsToken::Text(text) | JsToken::Word(text) = &token
            && lexer.is_before_colon()
        {
            scan.member(text);
            continue;
        }
        match token {
            JsToken::Open('{') => scan.open.push(OpenObject { start: lexer.position() - 1, ..OpenObject::default() }),
            JsToken::Close('}') => scan.close(script, lexer.position()),
            JsToken::Text(text) if text.contains("\"layers\"") => scan.json_in_text(&text),
            _ => {}
        }
    }
    scan.found.truncate(MAX_ANIMATIONS);
    scan.found.into_iter().map(|(_, json)| json).collect()
}

/// The open objects of a script, and the animations among those that were closed.
#[derive(Default)]
struct ObjectScan {
    open: Vec<OpenObject>,
    /// Each with the position of its start.
    found: Vec<(usize, String)>,
    /// Number of bytes that may still be parsed: objects in objects are parsed once for each level.
    left_bytes: usize,
}

#[derive(Default)]
struct OpenObject {
    start: usize,
    has_layers: bool,
    /// Number of members for size and timing.
    measures: usize,
}

impl ObjectScan {
    fn member(&mut self, name: &str) {
        let Some(object) = self.open.last_mut() else { return };
        match name {
            "layers" => object.has_layers = true,
            "w" | "h" | "fr" | "ip" | "op" => object.measures += 1,
            _ => {}
        }
    }

    fn close(&mut self, script: &str, end: usize) {
        let Some(object) = self.open.pop() else { return };
        if !object.has_layers || object.measures < 3 {
            return;
        }
        let source = &script[object.start..end];
        let Some(left) = self.left_bytes.checked_sub(source.len()) else { return };
        self.left_bytes = left;
        let json = if serde_json::from_str::<IgnoredAny>(source).is_ok() {
            Some(source.to_owned())
        } else {
            js_literals::to_json(source)
        };
        let is_animation = |json: &String| animation::parse_value(json).is_ok_and(|value| animation::is_lottie(&value));
        if let Some(json) = json.filter(is_animation) {
            // Compositions inside of it are parts of this animation.
            self.found.retain(|(start, _)| *start < object.start);
            self.found.push((object.start, json));
        }
    }

    /// Adds the animations of a string: JSON to be parsed, or data that a framework streams.
    fn json_in_text(&mut self, text: &str) {
        let start = self.open.last().map_or(0, |object| object.start);
        let from = text.find('{').unwrap_or(text.len());
        let mut values = serde_json::Deserializer::from_str(&text[from..]).into_iter::<Value>();
        if let Some(Ok(value)) = values.next() {
            self.found.extend(animations_in_json(&value.to_string()).into_iter().map(|json| (start, json)));
        }
    }
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
    fn animation_json_in_scripts_and_blocks_is_found() {
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
    fn animations_are_recognized_by_structure() {
        let members =
            r#""v":"5.7.5","fr":30,"ip":0,"op":60,"w":10,"h":10,"layers":[{"ks":{"o":{"a":0,"k":100}}}],"assets":[]"#;
        let first = format!(r#"{{"metadata":{{"html":"<!DOCTYPE html><!-- {{"}},{members}}}"#);
        let minified =
            "{v:\"5.7.5\",fr:30,ip:0,op:60,w:10,h:10,nm:'It\\'s',ddd:!1,layers:[{ks:{o:{a:0,k:.5}}}],assets:[]}";
        let as_json = r#"{"v":"5.7.5","fr":30,"ip":0,"op":60,"w":10,"h":10,"nm":"It's","ddd":false,"layers":[{"ks":{"o":{"a":0,"k":0.5}}}],"assets":[]}"#;
        let in_string = format!("{{{members}}}");
        for (script, expected) in [
            (format!("const animationData = {first}; c.load(animationData);"), first.as_str()),
            (format!("/'/.test(x); const data={minified};"), as_json),
            (format!("lottie.loadAnimation({{animationData: JSON.parse('{in_string}')}})"), in_string.as_str()),
        ] {
            assert_eq!(find_animations(&script), [ScriptFinding::Animation(expected.to_owned())], "{script}");
        }
        let computed = "const layers = {w: 1, h: 2, fr: 3, layers: [assets.map(ks => ks)]}";
        assert!(find_animations(computed).is_empty());
    }

    #[test]
    fn hostile_scripts_take_bounded_time() {
        assert!(find_animations(&format!("lottie {}", "{\"v\":".repeat(500_000))).is_empty());
        assert!(find_animations(&"loadAnimation({".repeat(200_000)).is_empty());
        assert!(find_animations(&format!("lottie {}", ".json".repeat(500_000))).is_empty());
        let nested = format!("lottie {}{}", "{w:1,h:1,fr:1,layers:[".repeat(50_000), "]}".repeat(50_000));
        assert!(find_animations(&nested).len() <= 1);
        assert!(animations_in_json(&format!("{{\"layers\":1,\"op\":{}", "[".repeat(1_000_000))).is_empty());
    }

    proptest! {
        #[test]
        fn arbitrary_scripts_do_not_panic_the_lottie_reader(script in ".{0,200}", cut in 0_usize..200) {
            find_animations(&format!("loadAnimation({{{script}"));
            let cut = script.floor_char_boundary(cut);
            find_animations(&format!("lottie {}.json'", &script[..cut]));
            animations_in_json(&format!("\"layers\" \"op\" {script}"));
        }
    }
}
