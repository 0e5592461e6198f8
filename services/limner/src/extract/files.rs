//! `--out DIR`: the result as files that other programs can use.

use crate::{output, views};
use anyhow::{Context, bail};
use limner_types::{Operation, OperationOptions, Request, TokenFormat};
use serde_json::Value;
use std::path::Path;

/// The folder that the caller named, and what is to be written there. Without a folder nothing is written.
pub(super) struct Folder<'a> {
    dir: Option<&'a Path>,
    files: Vec<(String, String)>,
}

impl<'a> Folder<'a> {
    pub(super) fn new(dir: Option<&'a Path>) -> Self {
        Folder { dir, files: Vec::new() }
    }

    /// Adds a file.
    pub(super) fn add(&mut self, name: &str, text: &str) {
        self.files.push((name.to_owned(), text.to_owned()));
    }

    /// Writes every file into the folder, when there is one. What has a name that others may have is only replaced beside an
    /// earlier result of the same operation: a home page must not become a preview.
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
    pub(super) fn add_text(&mut self, request: &Request, text: &str) {
        let extension = match &request.options {
            OperationOptions::Extract { format: TokenFormat::Css | TokenFormat::Tailwind } => "css",
            _ => "txt",
        };
        self.add(&format!("{}.{extension}", stem(request.operation)), text);
    }

    /// Adds a JSON result; inline SVGs and animations as files of their own, a brand as a board.
    pub(super) fn add_result(&mut self, request: &Request, result: &Value) {
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

    /// Says on standard error what was written, so that standard output stays the result.
    pub(super) fn report(&self) {
        let (Some(dir), false) = (self.dir, self.files.is_empty()) else { return };
        let names: Vec<&str> = self.files.iter().map(|(name, _)| name.as_str()).collect();
        output::complain(&format!("Written to {}: {}", dir.display(), names.join(", ")));
    }
}

/// Whether a file is a result: all of them tell the page.
fn is_result(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    serde_json::from_str::<Value>(&text).is_ok_and(|result| result["url"].is_string())
}

/// The operation as the command line names it.
fn stem(operation: Operation) -> String {
    match operation {
        Operation::Extract => "tokens".to_owned(),
        operation => operation.to_string(),
    }
}
