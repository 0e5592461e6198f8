//! Import circles of the files of a crate.

use super::sources::{read_sources, root};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Maximum number of files that import each other.
const MAX_CIRCLE: usize = 3;
/// Crates whose subject is a recursion: block layout contains inline layout, which contains block layout.
const RECURSIVE: &[&str] = &["shared/layout/src"];

/// Modules by path, each with the modules that it imports.
type Imports = BTreeMap<String, BTreeSet<String>>;
/// Re-exported names by module, each with the path that its `pub use` names.
type Exports = BTreeMap<String, BTreeMap<String, Vec<String>>>;

/// Maximum number of re-exports on the way to a name.
const MAX_REEXPORTS: usize = 8;

/// Reads a path or a `use` tree at the start of `text`; returns the text after it.
fn read_paths<'t>(text: &'t str, prefix: &[&'t str], paths: &mut Vec<Vec<&'t str>>) -> &'t str {
    let (mut path, mut rest) = (prefix.to_vec(), text);
    loop {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        path.push(&rest[..end]);
        rest = &rest[end..];
        if let Some(mut list) = rest.strip_prefix("::{") {
            loop {
                list = list.trim_start();
                if let Some(after) = list.strip_prefix('}') {
                    return after;
                }
                list = read_paths(list, &path, paths);
                // What is left of an item is its new name.
                let Some(end) = list.find([',', '}']) else { return list };
                list = list[end..].strip_prefix(',').unwrap_or(&list[end..]);
            }
        }
        match rest.strip_prefix("::") {
            Some(next) if next.starts_with(|c: char| c.is_alphabetic() || c == '_') => rest = next,
            _ => break,
        }
    }
    paths.push(path);
    rest
}

/// Returns the paths in a file that begin with `crate` or `super`, without those of its tests.
fn local_paths(text: &str) -> Vec<Vec<&str>> {
    let end = text.find("#[cfg(test)]\nmod tests").unwrap_or(text.len());
    let mut paths = Vec::new();
    for start in ["crate::", "super::"] {
        for (at, _) in text[..end].match_indices(start) {
            let line = &text[text[..at].rfind('\n').map_or(0, |at| at + 1)..at];
            let is_inside = line.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '$'));
            if !is_inside && !line.contains("//") {
                read_paths(&text[at..end], &[], &mut paths);
            }
        }
    }
    paths
}

/// Returns the names that a file re-exports, with their paths.
fn reexports(text: &str) -> BTreeMap<String, Vec<String>> {
    let mut found = BTreeMap::new();
    for (start, _) in text.match_indices("pub use ").chain(text.match_indices("pub(crate) use ")) {
        let tree = &text[start..];
        let tree = &tree[tree.find("use ").unwrap() + "use ".len()..];
        let mut paths = Vec::new();
        read_paths(tree, &[], &mut paths);
        for mut path in paths {
            path.pop_if(|name| *name == "self");
            if let Some(name) = path.last() {
                found.insert((*name).to_owned(), path.iter().map(|name| (*name).to_owned()).collect());
            }
        }
    }
    found
}

/// Returns the module that a path in the module `own` leads to, through re-exports.
fn resolve(own: &str, path: &[&str], exports: &Exports) -> Option<String> {
    let child =
        |module: &str, name: &str| if module.is_empty() { name.to_owned() } else { format!("{module}::{name}") };
    let (mut module, mut path) = (own.to_owned(), path.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
    for _ in 0..MAX_REEXPORTS {
        let mut rest = path.iter();
        let reexport = loop {
            let Some(name) = rest.next() else { break None };
            match name.as_str() {
                "crate" => module.clear(),
                "self" => {}
                "super" => module.truncate(module.rfind("::").unwrap_or(0)),
                name if exports.contains_key(&child(&module, name)) => module = child(&module, name),
                name => break exports.get(&module).and_then(|names| names.get(name)),
            }
        };
        // A re-export of another crate's item leads to no module of this one.
        let is_local = |first: &String| {
            ["crate", "self", "super"].contains(&first.as_str()) || exports.contains_key(&child(&module, first))
        };
        let Some(target) = reexport.filter(|target| is_local(&target[0])) else { break };
        path = target.iter().chain(rest).cloned().collect();
    }
    // Generated code is in a folder that is no module.
    Some(module).filter(|module| module != own && !module.is_empty() && exports.contains_key(module))
}

fn imports(files: &[(String, String)]) -> Imports {
    let exports: Exports = files.iter().map(|(module, text)| (module.clone(), reexports(text))).collect();
    let of_file = |(module, text): &(String, String)| {
        let paths = local_paths(text);
        (module.clone(), paths.iter().filter_map(|path| resolve(module, path, &exports)).collect())
    };
    files.iter().map(of_file).collect()
}

/// Returns all modules that a module imports, directly or not.
fn reachable<'i>(from: &str, imports: &'i Imports) -> BTreeSet<&'i str> {
    let mut found = BTreeSet::new();
    let mut work: Vec<&str> = imports[from].iter().map(String::as_str).collect();
    while let Some(module) = work.pop() {
        if found.insert(imports.get_key_value(module).unwrap().0.as_str()) {
            work.extend(imports[module].iter().map(String::as_str));
        }
    }
    found
}

/// Returns the sets of modules that import each other.
fn circles(imports: &Imports) -> BTreeSet<Vec<&str>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        imports.keys().map(|module| (module.as_str(), reachable(module, imports))).collect();
    let circle = |module: &str| -> Vec<&str> {
        reached[module].iter().copied().filter(|other| reached[other].contains(module)).collect()
    };
    reached.keys().map(|module| circle(module)).filter(|circle| !circle.is_empty()).collect()
}

#[test]
fn import_circle_is_found_through_lists_parents_and_reexports() {
    let files = [
        ("a", "use crate::{b::{self, B as Other}, x::y};\nfn f() {} // crate::d::f()"),
        ("b", "use crate::b::c::C;\nuse other::crate::d;"),
        ("b::c", "fn f() { super::super::a::f() }\n#[cfg(test)]\nmod tests { use crate::d; }"),
        ("d", "use crate::a::{\n    self,\n};"),
        ("", "mod e;\npub use e::{F, G};"),
        ("e", "mod f;\npub(crate) use f::F;"),
        ("e::f", "use crate::h;"),
        ("h", "use crate::F;"),
    ];
    let files = files.map(|(module, text)| (module.to_owned(), text.to_owned()));
    let imports = imports(&files);
    let circles: Vec<_> = circles(&imports).into_iter().collect();
    assert_eq!(circles, [vec!["a", "b", "b::c"], vec!["e::f", "h"]]);
}

#[test]
fn import_circles_have_at_most_three_files() {
    let mut crates: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for (path, text) in ["shared", "services"].iter().flat_map(|folder| read_sources(&root().join(folder))) {
        let path = path.strip_prefix(root()).unwrap().with_extension("");
        let names: Vec<&str> = path.iter().map(|name| name.to_str().unwrap()).collect();
        let Some(at) = names.iter().position(|name| *name == "src") else { continue };
        let (folder, mut module) = (names[..=at].iter().collect::<PathBuf>(), names[at + 1..].to_vec());
        if module.contains(&"tests") {
            continue;
        }
        module.pop_if(|name| matches!(*name, "mod" | "lib" | "main"));
        crates.entry(folder.to_str().unwrap().to_owned()).or_default().push((module.join("::"), text));
    }
    assert!(crates.len() > 20, "crates were found: {:?}", crates.keys());
    let mut wrong = Vec::new();
    for (folder, files) in crates.iter().filter(|(folder, _)| !RECURSIVE.contains(&folder.as_str())) {
        let imports = imports(files);
        let large = circles(&imports).into_iter().filter(|circle| circle.len() > MAX_CIRCLE);
        wrong.extend(large.map(|circle| format!("{folder}: {}", circle.join(", "))));
    }
    assert!(wrong.is_empty(), "files that import each other: {wrong:#?}");
}
