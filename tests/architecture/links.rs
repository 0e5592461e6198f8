//! Links and paths in the documents lead to files and headings that exist.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders without documents of this repository.
const SKIPPED: &[&str] = &["target", "node_modules"];

fn collect_documents(folder: &Path, documents: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let (path, name) = (entry.path(), entry.file_name().into_string().unwrap());
        if entry.file_type().unwrap().is_dir() && !name.starts_with('.') && !SKIPPED.contains(&name.as_str()) {
            collect_documents(&path, documents);
        } else if name.ends_with(".md") {
            documents.push(path);
        }
    }
}

/// Returns the targets of inline links (`[text](target)`) outside of code blocks.
fn link_targets(document: &str) -> Vec<&str> {
    let mut is_code = false;
    let lines = document.lines().filter(|line| {
        is_code ^= line.trim_start().starts_with("```");
        !is_code
    });
    lines.flat_map(|line| line.split("](").skip(1)).filter_map(|rest| Some(rest.split_once(')')?.0)).collect()
}

/// Returns the anchor that hosting services give a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().chars();
    kept.filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
        .map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() })
        .collect()
}

fn has_anchor(document: &Path, wanted: &str) -> bool {
    let text = fs::read_to_string(document).unwrap();
    text.lines().filter(|line| line.starts_with('#')).any(|heading| anchor(heading) == wanted)
}

#[test]
fn links_in_documents_lead_to_files_and_headings() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut documents = Vec::new();
    collect_documents(root, &mut documents);
    assert!(documents.len() > 40, "{} documents", documents.len());
    let mut broken = Vec::new();
    for document in &documents {
        let text = fs::read_to_string(document).unwrap();
        // Other links lead to other sites, or to pages of the console.
        let is_relative = |target: &&str| !target.contains(':') && !target.starts_with('/');
        for target in link_targets(&text).into_iter().filter(is_relative) {
            let (path, heading) = target.split_once('#').unwrap_or((target, ""));
            let file = if path.is_empty() { document.clone() } else { document.parent().unwrap().join(path) };
            if !file.exists() || (!heading.is_empty() && !has_anchor(&file, heading)) {
                broken.push(format!("{}: {target}", document.strip_prefix(root).unwrap().display()));
            }
        }
    }
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
}

/// Returns the paths of files and folders of the repository that a document names as code, placeholders excepted.
fn code_paths(document: &str) -> Vec<&str> {
    const FOLDERS: &[&str] = &["deploy/", "docs/", "helm/", "proto/", "sdk/", "services/", "shared/", "tests/"];
    let spans = document.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
    let is_path = |text: &&str| {
        FOLDERS.iter().any(|folder| text.starts_with(folder))
            && text.chars().all(|c| c.is_alphanumeric() || "/._-".contains(c))
            && !text.contains("NAME")
    };
    spans.filter(is_path).collect()
}

#[test]
fn paths_in_documents_exist() {
    let text = "See `shared/page/src/work.rs`, `shared/x/NAME.rs`, `cargo test tests/`, `docs` and `tests/hostile`.";
    assert_eq!(code_paths(text), ["shared/page/src/work.rs", "tests/hostile"]);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut documents = Vec::new();
    collect_documents(root, &mut documents);
    let mut missing = Vec::new();
    let mut count = 0;
    for document in &documents {
        let text = fs::read_to_string(document).unwrap();
        for path in code_paths(&text) {
            count += 1;
            // A path may be relative to the folder of its document.
            let exists = root.join(path).exists() || document.parent().unwrap().join(path).exists();
            if !exists {
                missing.push(format!("{}: {path}", document.strip_prefix(root).unwrap().display()));
            }
        }
    }
    assert!(count > 50, "{count} paths were found");
    assert!(missing.is_empty(), "paths that do not exist:\n{}", missing.join("\n"));
}
