//! The form of log lines: messages in lower case without a full stop, dotted field names with units.

use super::sources::{read_sources, root};

const LEVELS: &[&str] = &["error", "warn", "info", "debug", "trace"];
/// Proper names with which messages may begin, apart from acronyms.
const PROPER_NAMES: &[&str] = &["Chromium", "Postgres", "Redis", "Stripe"];
/// Field names without a dot: the cause of a line.
const PLAIN_FIELDS: &[&str] = &["error"];
/// Last words of names whose value has a unit, which the name has to state.
const QUANTITIES: &[&str] =
    &["age", "backoff", "delay", "duration", "elapsed", "latency", "memory", "pause", "size", "time", "timeout", "ttl"];

/// A log line in the source: its fields and its message, if that is a literal.
#[derive(Debug, Default, PartialEq)]
struct LogLine<'s> {
    fields: Vec<&'s str>,
    message: Option<&'s str>,
}

/// Returns the arguments of a macro call, from the text after its opening parenthesis.
fn arguments(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut in_string, mut is_escaped) = (0_usize, 0, false, false);
    let mut found = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if in_string => is_escaped = true,
            '"' => in_string = !in_string,
            _ if in_string => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth > 0 => depth -= 1,
            ')' | ']' | '}' | ',' if depth == 0 => {
                found.push(text[start..at].trim());
                start = at + 1;
                if c != ',' {
                    break;
                }
            }
            _ => {}
        }
    }
    found.retain(|argument| !argument.is_empty());
    found
}

/// Returns the log lines of a source file.
fn log_lines(source: &str) -> Vec<LogLine<'_>> {
    let mut lines = Vec::new();
    for (at, _) in source.match_indices("tracing::") {
        let is_comment = source[..at].rsplit('\n').next().is_some_and(|line| line.trim_start().starts_with("//"));
        let call = &source[at + "tracing::".len()..];
        let Some((_, rest)) = call.split_once("!(").filter(|(level, _)| LEVELS.contains(level) && !is_comment) else {
            continue;
        };
        let mut line = LogLine::default();
        for argument in arguments(rest) {
            if let Some(literal) = argument.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
                line.message = Some(literal);
                // Values for the message follow.
                break;
            }
            let name = argument.split('=').next().unwrap_or_default().trim().trim_start_matches(['%', '?']);
            if !["target:", "parent:", "name:"].iter().any(|option| argument.starts_with(option)) {
                line.fields.push(name);
            }
        }
        lines.push(line);
    }
    lines
}

/// Returns what is wrong with a message, if anything.
fn message_fault(message: &str) -> Option<&'static str> {
    let word = message.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let is_acronym = word.len() > 1 && word.chars().all(|c| c.is_uppercase() || c.is_ascii_digit());
    let is_shouted = message
        .split_whitespace()
        .nth(1)
        .is_some_and(|next| next.ends_with(':') && next.len() > 2 && next.to_uppercase() == next)
        || message.split_whitespace().next().is_some_and(|first| first.ends_with(':') && is_acronym);
    if is_shouted {
        return Some("begins in capitals");
    }
    if message.starts_with(char::is_uppercase) && !is_acronym && !PROPER_NAMES.contains(&word) {
        return Some("begins with a capital letter");
    }
    message.ends_with(['.', '!']).then_some("ends like a sentence")
}

/// Returns what is wrong with a field's name, if anything.
fn field_fault(name: &str) -> Option<&'static str> {
    if PLAIN_FIELDS.contains(&name) {
        return None;
    }
    if !name.contains('.') || name.chars().any(|c| !(c.is_ascii_lowercase() || c.is_ascii_digit() || "._".contains(c)))
    {
        return Some("is not a dotted name in lower case");
    }
    let last = name.rsplit(['.', '_']).next().unwrap_or_default();
    QUANTITIES.contains(&last).then_some("has no unit")
}

#[test]
fn faults_of_log_lines_are_found() {
    let source = "// tracing::info!(\"A comment.\");\n\
                  tracing::warn!(job.id = %id(a, \"b\"), error = %cause, why, \"cannot {x}, but \\\"y\\\"\", x = 1);\n\
                  tracing::info!(\n    call.duration = 5,\n    \"done\"\n);\n\
                  tracing::info_span!(\"request\");";
    let lines = log_lines(source);
    let expected = [
        LogLine { fields: vec!["job.id", "error", "why"], message: Some("cannot {x}, but \\\"y\\\"") },
        LogLine { fields: vec!["call.duration"], message: Some("done") },
    ];
    assert_eq!(lines, expected);
    for (name, fault) in [
        ("error", None),
        ("call.duration_ms", None),
        ("why", Some("is not a dotted name in lower case")),
        ("call.Id", Some("is not a dotted name in lower case")),
        ("call.duration", Some("has no unit")),
        ("call.wall_time", Some("has no unit")),
    ] {
        assert_eq!(field_fault(name), fault, "{name}");
    }
    for (message, fault) in [
        ("cannot read a page", None),
        ("NATS connection lost", None),
        ("Redis did not answer in time", None),
        ("{what} rejected", None),
        ("Cannot read a page", Some("begins with a capital letter")),
        ("cannot read a page.", Some("ends like a sentence")),
        ("EGRESS: open", Some("begins in capitals")),
        ("NO BROWSER: none", Some("begins in capitals")),
    ] {
        assert_eq!(message_fault(message), fault, "{message}");
    }
}

#[test]
fn log_lines_of_all_crates_have_no_faults() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (path, source) in ["shared", "services"].iter().flat_map(|folder| read_sources(&root().join(folder))) {
        for line in log_lines(&source) {
            count += 1;
            let faults = line.fields.iter().filter_map(|name| Some((*name, field_fault(name)?)));
            let message =
                line.message.map_or(Some(("a line", "has no message")), |text| Some((text, message_fault(text)?)));
            wrong.extend(faults.chain(message).map(|(text, fault)| format!("{}: {text:?} {fault}", path.display())));
        }
    }
    assert!(count > 150, "{count} log lines were found");
    assert!(wrong.is_empty(), "log lines: {wrong:#?}");
}
