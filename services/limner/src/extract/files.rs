//! `--out DIR`: the result as files that other programs can use.

use crate::views;
use anyhow::Context;
use limner_types::{Operation, OperationOptions, Request, TokenFormat};
use serde_json::Value;
use std::path::Path;

/// The folder that the caller named, and the names of what is written there. Without a folder nothing is written.
pub(super) struct Folder<'a> {
    dir: Option<&'a Path>,
    written: Vec<String>,
}

impl<'a> Folder<'a> {
    pub(super) fn new(dir: Option<&'a Path>) -> Self {
        Folder { dir, written: Vec::new() }
    }

    /// Writes a file into the folder, when there is one.
    pub(super) fn write(&mut self, name: &str, text: &str) -> anyhow::Result<()> {
        let Some(dir) = self.dir else { return Ok(()) };
        let path = dir.join(name);
        std::fs::create_dir_all(dir)
            .and_then(|()| std::fs::write(&path, text))
            .with_context(|| format!("writing {}", path.display()))?;
        self.written.push(name.to_owned());
        Ok(())
    }

    /// Writes a result that is not JSON.
    pub(super) fn write_text(&mut self, request: &Request, text: &str) -> anyhow::Result<()> {
        let extension = match &request.options {
            OperationOptions::Extract { format: TokenFormat::Css | TokenFormat::Tailwind } => "css",
            _ => "txt",
        };
        self.write(&format!("{}.{extension}", stem(request.operation)), text)
    }

    /// Writes a JSON result; inline SVGs and animations as files of their own, a brand as a board.
    pub(super) fn write_result(&mut self, request: &Request, result: &Value) -> anyhow::Result<()> {
        self.write(&format!("{}.json", stem(request.operation)), &format!("{result:#}\n"))?;
        let inline = result["svgs"].as_array().into_iter().flatten().filter_map(|svg| svg["code"].as_str());
        for (index, code) in inline.enumerate() {
            self.write(&format!("svg-{:03}.svg", index + 1), code)?;
        }
        if request.operation == Operation::Brand {
            self.write("brand.html", &views::brand_board(result))?;
        }
        for (name, animation) in views::lottie_files(result) {
            self.write(&name, &animation)?;
        }
        Ok(())
    }

    /// Says on standard error what was written, so that standard output stays the result.
    pub(super) fn report(&self) {
        let (Some(dir), false) = (self.dir, self.written.is_empty()) else { return };
        eprintln!("Written to {}: {}", dir.display(), self.written.join(", "));
    }
}

/// The operation as the command line names it.
fn stem(operation: Operation) -> String {
    match operation {
        Operation::Extract => "tokens".to_owned(),
        operation => operation.to_string(),
    }
}
