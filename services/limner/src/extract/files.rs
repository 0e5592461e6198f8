//! `--out DIR`: the result as files that other programs can use.

use crate::views;
use anyhow::Context;
use limner_types::{Operation, OperationOptions, Request, TokenFormat};
use serde_json::Value;
use std::path::Path;

/// Writes a result that is not JSON.
pub(super) fn write_text(dir: Option<&Path>, request: &Request, text: &str) -> anyhow::Result<()> {
    let extension = match &request.options {
        OperationOptions::Extract { format: TokenFormat::Css | TokenFormat::Tailwind } => "css",
        _ => "txt",
    };
    write(dir, &format!("{}.{extension}", stem(request.operation)), text)
}

/// Writes a JSON result; inline SVGs and animations as files of their own, a brand as a board.
pub(super) fn write_result(dir: Option<&Path>, request: &Request, result: &Value) -> anyhow::Result<()> {
    write(dir, &format!("{}.json", stem(request.operation)), &format!("{result:#}\n"))?;
    let inline = result["svgs"].as_array().into_iter().flatten().filter_map(|svg| svg["code"].as_str());
    for (index, code) in inline.enumerate() {
        write(dir, &format!("svg-{:03}.svg", index + 1), code)?;
    }
    if request.operation == Operation::Brand {
        write(dir, "brand.html", &views::brand_board(result))?;
    }
    for (name, animation) in views::lottie_files(result) {
        write(dir, &name, &animation)?;
    }
    Ok(())
}

/// The operation as the command line names it.
fn stem(operation: Operation) -> String {
    match operation {
        Operation::Extract => "tokens".to_owned(),
        operation => operation.to_string(),
    }
}

/// Writes a file into the folder, when there is one.
pub(super) fn write(dir: Option<&Path>, name: &str, text: &str) -> anyhow::Result<()> {
    let Some(dir) = dir else { return Ok(()) };
    let path = dir.join(name);
    std::fs::create_dir_all(dir)
        .and_then(|()| std::fs::write(&path, text))
        .with_context(|| format!("writing {}", path.display()))
}
