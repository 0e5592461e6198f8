//! The rules of CONTRIBUTING on names and doc summaries, checked on the text of the sources.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Words that say nothing as the whole name of a public free function.
const BARE_WORDS: &[&str] = &[
    "about",
    "above",
    "after",
    "again",
    "all",
    "along",
    "among",
    "any",
    "apart",
    "around",
    "as_it_is",
    "asked",
    "at",
    "before",
    "behind",
    "below",
    "beside",
    "between",
    "both",
    "by",
    "done",
    "each",
    "either",
    "else_where",
    "elsewhere",
    "found",
    "for_each_one",
    "from",
    "given",
    "here",
    "held",
    "in_full",
    "inside",
    "instead",
    "into",
    "kept",
    "known",
    "made",
    "meant",
    "most",
    "named",
    "near",
    "none",
    "nothing",
    "now",
    "of",
    "off",
    "on",
    "once",
    "one",
    "only",
    "other",
    "out",
    "over",
    "own",
    "said",
    "same",
    "seen",
    "sent",
    "settle",
    "settled",
    "shown",
    "such",
    "taken",
    "then",
    "there",
    "told",
    "under",
    "until",
    "up",
    "wanted",
    "whole",
    "with",
    "within",
    "without",
    "written",
];

/// Module names of the project's former private vocabulary, and words that are no noun.
const HOUSE_MODULES: &[&str] = &[
    "acts",
    "alike",
    "around",
    "asked",
    "at_first",
    "at_once",
    "authored",
    "bare",
    "beside",
    "besides",
    "carried",
    "choose",
    "contained",
    "crew",
    "crowds",
    "desk",
    "door",
    "embedded",
    "ending",
    "entrance",
    "followed",
    "found",
    "ground",
    "grounds",
    "heads",
    "held_open",
    "hollow",
    "inks",
    "kit",
    "known",
    "landing",
    "leaving",
    "leftovers",
    "lone",
    "miss",
    "of",
    "own",
    "pictures",
    "places",
    "quirky",
    "seen",
    "sheltered",
    "shown",
    "side",
    "sized",
    "skeleton",
    "strut",
    "surroundings",
    "tidy",
    "together",
    "unhide",
    "visitor",
    "walls",
    "windows",
    "words",
];

/// Words of the former private vocabulary, which no public name contains. (Those that are terms of another field as
/// well, such as `cell` or `order`, are left to the reader.)
const HOUSE_WORDS: &[&str] = &[
    "alike",
    "coat",
    "crew",
    "crowd",
    "crowds",
    "desk",
    "door",
    "ending",
    "foreseen",
    "heed",
    "heir",
    "hollow",
    "inks",
    "least",
    "lone",
    "lookout",
    "most",
    "patience",
    "photograph",
    "pigment",
    "refusal",
    "remembered",
    "settle",
    "sheltered",
    "skeleton",
    "standing",
    "survey",
    "tally",
    "undone",
    "veil",
];

/// Returns the Rust sources below `folders` of the repository with their text, generated code excepted.
fn sources(folders: &[&str]) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut work: Vec<PathBuf> = folders.iter().map(|folder| root.join(folder)).collect();
    let mut found = Vec::new();
    while let Some(folder) = work.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                if !["gen", "node_modules", "target"].contains(&name.as_str()) {
                    work.push(path);
                }
            } else if name.ends_with(".rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                found.push((path.strip_prefix(root).unwrap().to_owned(), text));
            }
        }
    }
    found.sort();
    assert!(found.len() > 100, "the sources were not found");
    found
}

/// Returns the identifier at the start of `text`.
fn identifier(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

/// Returns what follows the visibility of a public item (`pub`, `pub(crate)`, …), or `None` for private ones.
fn after_visibility(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("pub")?;
    match rest.strip_prefix('(') {
        Some(rest) => rest.split_once(')').map(|(_, rest)| rest.trim_start()),
        None => rest.strip_prefix(' '),
    }
}

#[test]
fn module_names_are_terms_of_the_field() {
    let named = |(path, _): &(PathBuf, String)| {
        path.iter().any(|part| {
            let part = part.to_string_lossy();
            HOUSE_MODULES.contains(&part.strip_suffix(".rs").unwrap_or(&part))
        })
    };
    let wrong: Vec<_> =
        sources(&["shared", "services", "tests"]).into_iter().filter(named).map(|(path, _)| path).collect();
    assert!(wrong.is_empty(), "modules named by words of no field: {wrong:?}");
}

#[test]
fn public_free_functions_are_named_by_a_verb() {
    let mut wrong = Vec::new();
    for (path, text) in sources(&["shared", "services"]) {
        for line in text.lines() {
            let Some(item) = after_visibility(line) else { continue };
            let item = item.strip_prefix("async ").unwrap_or(item);
            let item = item.strip_prefix("const ").unwrap_or(item);
            let Some(name) = item.strip_prefix("fn ").map(identifier) else { continue };
            if BARE_WORDS.contains(&name) {
                wrong.push(format!("{}: {name}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "functions named by a bare preposition, pronoun or participle: {wrong:#?}");
}

#[test]
fn public_types_of_a_crate_have_names_of_their_own() {
    let mut places: BTreeMap<(PathBuf, String), Vec<PathBuf>> = BTreeMap::new();
    for (path, text) in sources(&["shared", "services"]) {
        let Some(at) = path.iter().position(|part| part == "src") else { continue };
        if path.iter().any(|part| part == "tests" || part == "tests.rs") {
            continue;
        }
        let crate_folder: PathBuf = path.iter().take(at).collect();
        for line in text.lines() {
            // A type of a private module may repeat a name; what the crate or others can see may not.
            let line = line.trim_start();
            if !line.starts_with("pub ") && !line.starts_with("pub(crate) ") {
                continue;
            }
            let Some(item) = after_visibility(line) else { continue };
            let name = ["struct ", "enum ", "trait ", "union "].iter().find_map(|kind| item.strip_prefix(kind));
            if let Some(name) = name.map(identifier) {
                places.entry((crate_folder.clone(), name.to_owned())).or_default().push(path.clone());
            }
        }
    }
    let twice: Vec<_> = places.into_iter().filter(|(_, paths)| paths.len() > 1).collect();
    assert!(twice.is_empty(), "two types of one name in a crate: {twice:#?}");
}

#[test]
fn doc_summaries_start_with_a_verb_or_a_term() {
    let mut wrong = Vec::new();
    for (path, text) in sources(&["shared", "services", "tests"]) {
        let mut before = "";
        for (number, line) in text.lines().enumerate() {
            let line = line.trim_start();
            let is_doc = |line: &str| line.starts_with("///") || line.starts_with("//!");
            if is_doc(line) && !is_doc(before) {
                let summary = line[3..].trim_start();
                if ["What", "Whether", "How", "Where", "Who"].contains(&identifier(summary)) {
                    wrong.push(format!("{}:{}: {summary}", path.display(), number + 1));
                }
            }
            before = line;
        }
    }
    assert!(wrong.is_empty(), "doc summaries that are relative clauses: {wrong:#?}");
}

#[test]
fn debug_output_names_its_type() {
    let mut wrong = Vec::new();
    for (path, text) in sources(&["shared", "services"]) {
        let mut implementor = "";
        for (number, line) in text.lines().enumerate() {
            if let Some((_, rest)) = line.split_once("Debug for ") {
                implementor = identifier(rest);
            }
            for helper in ["debug_struct(\"", "debug_tuple(\""] {
                let Some((_, rest)) = line.split_once(helper) else { continue };
                let name = identifier(rest);
                if name != implementor {
                    wrong.push(format!("{}:{}: {implementor} is shown as {name}", path.display(), number + 1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "types that Debug shows under another name: {wrong:#?}");
}

/// Returns the words of an identifier in snake, camel or upper case.
fn words(identifier: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut previous = '_';
    for c in identifier.chars() {
        if c == '_' || (c.is_uppercase() && previous.is_lowercase()) {
            words.push(String::new());
        }
        if let (Some(word), true) = (words.last_mut(), c != '_') {
            word.extend(c.to_lowercase());
        }
        previous = c;
    }
    words
}

/// Returns the name that a line declares for other modules: of an item or of a field.
fn public_name(line: &str) -> Option<&str> {
    const KEYWORDS: &[&str] =
        &["async", "const", "unsafe", "fn", "struct", "enum", "trait", "type", "static", "mod", "mut"];
    let mut rest = after_visibility(line.trim_start())?;
    while let Some((_, behind)) = rest.split_once(' ').filter(|(word, _)| KEYWORDS.contains(word)) {
        rest = behind;
    }
    let name = identifier(rest);
    (!name.is_empty() && name != "use").then_some(name)
}

#[test]
fn public_names_have_no_words_of_the_former_vocabulary() {
    let mut wrong = Vec::new();
    for (path, text) in sources(&["shared", "services"]) {
        for name in text.lines().filter_map(public_name) {
            if words(name).iter().any(|word| HOUSE_WORDS.contains(&word.as_str())) {
                wrong.push(format!("{}: {name}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "public names of no field: {wrong:#?}");
}

#[test]
fn words_of_identifiers_are_found() {
    assert_eq!(words("MOST_BYTES"), ["most", "bytes"]);
    assert_eq!(words("HasScopeSelector"), ["has", "scope", "selector"]);
    assert_eq!(public_name("    pub(crate) lookout: HasScope,"), Some("lookout"));
    assert_eq!(public_name("pub async fn settle(&self) {"), Some("settle"));
    assert_eq!(public_name("pub use crate::settle;"), None);
    assert_eq!(public_name("fn settle() {"), None);
}

/// Words with which the name of a test does not begin: its subject stands there (`<subject>_<condition>_<result>`). Words for a
/// number (`every`, `each`, `only`, `no`, `all`, `any`) may stand before it: they say to how many subjects the result applies.
const NO_SUBJECTS: &[&str] = &[
    "a", "an", "another", "are", "as", "by", "for", "from", "how", "if", "in", "is", "it", "never", "nobody", "none",
    "not", "nothing", "of", "on", "other", "others", "so", "that", "the", "then", "there", "these", "they", "this",
    "those", "what", "whatever", "when", "where", "who", "whoever", "with", "without",
];
/// Minimum number of words in the name of a test: a noun alone has no result.
const MIN_TEST_WORDS: usize = 3;

/// Returns the names of the tests in a source file.
fn test_names(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut is_test = false;
    for line in text.lines().map(str::trim_start) {
        let item = line.strip_prefix("async ").unwrap_or(line);
        if let Some(name) = item.strip_prefix("fn ").map(identifier) {
            // A macro's variable has no name yet.
            names.extend((is_test && !name.is_empty()).then_some(name));
            is_test = false;
        } else if line.starts_with("#[") {
            is_test |= ["#[test]", "#[tokio::test"].iter().any(|attribute| line.starts_with(attribute));
        } else if !line.starts_with("//") {
            is_test = false;
        }
    }
    names
}

#[test]
fn test_names_begin_with_their_subject_and_have_a_result() {
    let found =
        test_names("#[test]\n#[ignore]\n// Why.\nfn a_b_c() {}\nfn helper() {}\n#[tokio::test]\nasync fn d() {}");
    assert_eq!(found, ["a_b_c", "d"]);
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (path, text) in sources(&["shared", "services", "tests"]) {
        for name in test_names(&text) {
            count += 1;
            let words = words(name);
            if words.len() < MIN_TEST_WORDS || NO_SUBJECTS.contains(&words[0].as_str()) {
                wrong.push(format!("{}: {name}", path.display()));
            }
        }
    }
    assert!(count > 2_000, "{count} tests were found");
    assert!(wrong.is_empty(), "tests that don't name their subject and result: {wrong:#?}");
}

/// Maximum number of lines of source in a crate of `shared/`, tests excluded: the crate is a unit of compilation.
const MAX_CRATE_LINES: usize = 20_000;

#[test]
fn crates_below_shared_stay_within_their_size() {
    let mut lines: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for (path, text) in sources(&["shared"]) {
        let Some(at) = path.iter().position(|part| part == "src") else { continue };
        if !path.iter().any(|part| part == "tests" || part.to_string_lossy().ends_with("tests.rs")) {
            *lines.entry(path.iter().take(at).collect()).or_default() += text.lines().count();
        }
    }
    assert!(lines.len() > 20, "crates were found: {:?}", lines.keys());
    lines.retain(|_, count| *count > MAX_CRATE_LINES);
    assert!(lines.is_empty(), "crates to be cut by subject: {lines:?}");
}

/// Minimum number of lines of a crate's README: a title, what the crate does, what it never does.
const MIN_README_LINES: usize = 4;

#[test]
fn crates_have_a_readme_that_says_what_they_are() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = ["shared", "services"].iter().flat_map(|folder| std::fs::read_dir(root.join(folder)).unwrap());
    let crates = folders.map(|folder| folder.unwrap().path()).filter(|folder| folder.join("Cargo.toml").exists());
    let (mut wrong, mut count) = (Vec::new(), 0);
    for folder in crates {
        count += 1;
        let text = std::fs::read_to_string(folder.join("README.md")).unwrap_or_default();
        if !text.starts_with("# ") || text.lines().count() < MIN_README_LINES {
            wrong.push(folder);
        }
    }
    assert!(count > 30, "{count} crates were found");
    assert!(wrong.is_empty(), "crates without a README: {wrong:#?}");
}
