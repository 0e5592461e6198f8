//! `--out DIR`: the result as files that other programs can use.

use crate::{output, views};
use anyhow::{Context, bail};
use limner_types::{Operation, OperationOptions, OperationRequest, TokenFormat};
use serde_json::Value;
use std::path::Path;

/// The output directory, and the files to be written there. Without a directory nothing is written.
pub(super) struct OutputDir<'a> {
    dir: Option<&'a Path>,
    files: Vec<(String, String)>,
}

impl<'a> OutputDir<'a> {
    pub(super) fn new(dir: Option<&'a Path>) -> Self {
        OutputDir { dir, files: Vec::new() }
    }

    /// Adds a file.
    pub(super) fn add(&mut self, name: &str, text: &str) {
        self.files.push((name.to_owned(), text.to_owned()));
    }

    /// Writes every file into the directory, if there is one. A file with a common name is only replaced if it is next
    /// to an earlier result of the same operation: a home page must not become a preview.
    pub(super) fn write(&self, operation: Operation) -> anyhow::Result<()> {
        let Some(dir) = self.dir else { return Ok(()) };
        let own = format!("{}.", stem(operation));
        let is_there = |name: &str| !name.starts_with(&own) && dir.join(name).symlink_metadata().is_ok();
        let there: Vec<&str> = self.files.iter().map(|(name, _)| name.as_str()).filter(|name| is_there(name)).collect();
        if !there.is_empty() && !is_result(&dir.join(format!("{own}json"))) {
            bail!(
                "{} has {} already, and no earlier {own}json: choose another folder",
                dir.display(),
                there.join(", ")
            );
        }
        for (name, text) in &self.files {
            let path = dir.join(name);
            std::fs::create_dir_all(dir)
                .and_then(|()| std::fs::write(&path, text))
                .with_context(|| format!("writing {}", path.display()))?;
        }
        Ok(())
    }

    /// Adds a result that is not JSON.
    pub(super) fn add_text(&mut self, request: &OperationRequest, text: &str) {
        let extension = match &request.options {
            OperationOptions::Extract { format: TokenFormat::Css | TokenFormat::Tailwind, .. } => "css",
            OperationOptions::Extract { format: TokenFormat::DesignMd, .. } => "md",
            _ => "txt",
        };
        self.add(&format!("{}.{extension}", stem(request.operation)), text);
    }

    /// Adds a JSON result; inline SVGs and animations as separate files, a brand as an HTML board.
    pub(super) fn add_result(&mut self, request: &OperationRequest, result: &Value) {
        self.add(&format!("{}.json", stem(request.operation)), &format!("{result:#}\n"));
        let inline = result["svgs"].as_array().into_iter().flatten().filter_map(|svg| svg["code"].as_str());
        for (index, code) in inline.enumerate() {
            self.add(&format!("svg-{:03}.svg", index + 1), code);
        }
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

/// Returns the operation's name on the command line.
fn stem(operation: Operation) -> String {
    match operation {
        Operation::Extract => "tokens".to_owned(),
        operation => operation.to_string(),
    }
}
