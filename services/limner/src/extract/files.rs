//! `--out DIR`: the result as files that other programs can use.

use crate::cli::OperationName;
use crate::{output, views};
use anyhow::bail;
use limner_types::{Operation, OperationOptions, OperationRequest};
use serde_json::Value;
use std::path::Path;

/// The output directory, and the files to be written there. Without a directory nothing is written.
pub(super) struct OutputDir<'a> {
    dir: Option<&'a Path>,
    files: Vec<(String, Vec<u8>)>,
}

impl<'a> OutputDir<'a> {
    pub(super) fn new(dir: Option<&'a Path>) -> Self {
        OutputDir { dir, files: Vec::new() }
    }

    /// Returns the directory, if there is one.
    pub(super) fn dir(&self) -> Option<&'a Path> {
        self.dir
    }

    /// Adds a file of text.
    pub(super) fn add(&mut self, name: &str, text: &str) {
        self.add_bytes(name, text.into());
    }

    /// Adds a file.
    pub(super) fn add_bytes(&mut self, name: &str, bytes: Vec<u8>) {
        self.files.push((name.to_owned(), bytes));
    }

    /// Writes every file into the directory, if there is one. A file with a common name is only replaced if it is next
    /// to an earlier result of the same operation: a home page must not become a preview.
    pub(super) fn write(&self, operation: Operation) -> anyhow::Result<()> {
        let Some(dir) = self.dir else { return Ok(()) };
        let own = format!("{}.", OperationName(operation));
        let is_own = |name: &str| name.starts_with(&own) || is_result_file(&dir.join(name));
        let is_there = |name: &str| !is_own(name) && dir.join(name).symlink_metadata().is_ok();
        let there: Vec<&str> = self.files.iter().map(|(name, _)| name.as_str()).filter(|name| is_there(name)).collect();
        if !there.is_empty() && !is_result(&dir.join(format!("{own}json"))) {
            bail!(
                "{} has {} already, and no earlier {own}json: choose another folder",
                dir.display(),
                there.join(", ")
            );
        }
        for (name, bytes) in &self.files {
            output::write_file(&dir.join(name), bytes)?;
        }
        Ok(())
    }

    /// Adds a result that is not JSON.
    pub(super) fn add_text(&mut self, request: &OperationRequest, text: &str) {
        self.add(&result_name(request, "txt"), text);
    }

    /// Adds a JSON result; animations as separate files, a brand as an HTML board.
    pub(super) fn add_result(&mut self, request: &OperationRequest, result: &Value) {
        self.add(&result_name(request, "json"), &format!("{result:#}\n"));
        if request.operation == Operation::Brand {
            self.add("brand.html", &views::brand_board(result));
        }
        for (name, animation) in views::lottie_files(result) {
            self.add(&name, &animation);
        }
    }

    /// Reports the written files on standard error, so that standard output contains only the result.
    pub(super) fn report(&self) {
        let (Some(dir), false) = (self.dir, self.files.is_empty()) else { return };
        let names: Vec<&str> = self.files.iter().map(|(name, _)| name.as_str()).collect();
        output::complain(&format!("Written to {}: {}", dir.display(), names.join(", ")));
    }
}

/// Returns true if a file is a result: all of them contain the page's URL.
fn is_result(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    serde_json::from_str::<Value>(&text).is_ok_and(|result| result["url"].is_string())
}

/// Returns true for a file that this command may have written, and only a program writes.
fn is_result_file(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let text = || std::fs::read_to_string(path).unwrap_or_default();
    match name {
        "design.tokens.json" | "design.resolver.json" | "tailwind.css" | "screenshot.png" => true,
        "DESIGN.md" => text().contains("\ndescription: \"Design tokens of "),
        _ => false,
    }
}

/// Returns the name of a result's own file, with the extension of its format.
fn result_name(request: &OperationRequest, extension: &str) -> String {
    match &request.options {
        OperationOptions::Extract { format, .. } => format.file_name().to_owned(),
        _ => format!("{}.{extension}", OperationName(request.operation)),
    }
}
