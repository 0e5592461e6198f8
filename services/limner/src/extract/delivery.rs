//! A result as it is printed and written to files.

use super::files::OutputDir;
use super::source::{Answer, Source};
use super::{component, downloads, project, summary};
use crate::cli::ExtractArgs;
use crate::exit::{ExitReason, UsageError};
use crate::output;
use limner_listed_files::ListedFile;
use limner_types::{Framework, Operation, OperationOptions, OperationRequest, TokenFormat};
use serde_json::Value;
use std::io::{self, IsTerminal};
use std::path::Path;

/// The form of a result on standard output. Files (`--format css`) have only one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OutputForm {
    /// A view for people.
    Summary,
    /// The code of a component.
    Code,
    /// The result as the API gives it.
    Json,
}

impl OutputForm {
    /// Chooses the form. Code that goes into a pipe or a file is printed as it is.
    pub(super) fn choose(args: &ExtractArgs, request: &OperationRequest) -> Result<Self, ExitReason> {
        let is_code = request.operation == Operation::Code;
        if args.print && !is_code && !is_file(request) {
            let message =
                "--print is for `code`, and for `tokens` with --format; --json prints the result of any operation";
            return Err(UsageError(message.to_owned()).into());
        }
        let is_piped = !io::stdout().is_terminal() && args.out.is_none() && request.fields.is_none();
        let form = match (args.json, args.print || is_piped) {
            (true, _) => Self::Json,
            (false, true) if is_code => Self::Code,
            _ => Self::Summary,
        };
        if args.merge && (request.operation != Operation::Extract || is_file(request) || args.urls.len() < 2) {
            let message = "--merge is for `tokens` of several pages, and for their JSON, not for files (--format)";
            return Err(UsageError(message.to_owned()).into());
        }
        if args.urls.len() > 1 && args.out.is_none() && (form == Self::Code || is_file(request)) {
            let instead = if is_file(request) { "" } else { " or --json" };
            let message =
                format!("the files of several pages cannot be told apart in one output: give --out DIR{instead}");
            return Err(UsageError(message).into());
        }
        Ok(form)
    }
}

/// Returns true if the result is a file of tokens.
pub(super) fn is_file(request: &OperationRequest) -> bool {
    matches!(request.options, OperationOptions::Extract { format, .. } if format != TokenFormat::Json)
}

/// A result that is ready to be delivered.
pub(super) struct Delivery<'a> {
    operation: Operation,
    shown: Shown,
    folder: OutputDir<'a>,
    listed: Vec<ListedFile>,
    screenshot: Option<String>,
}

enum Shown {
    /// Text for people.
    Text(String),
    /// JSON as it is.
    Json(Value),
    /// A file as it is; the note is for people.
    File { text: String, note: Option<&'static str> },
}

impl<'a> Delivery<'a> {
    /// Prepares a result. `out`: the directory for its files.
    pub(super) fn new(
        request: &OperationRequest,
        form: OutputForm,
        answer: Answer,
        out: Option<&'a Path>,
        no_download: bool,
    ) -> anyhow::Result<Self> {
        let mut folder = OutputDir::new(out);
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        let mut listed = Vec::new();
        let shown = if let OperationOptions::Extract { format: TokenFormat::Dtcg | TokenFormat::DtcgResolver, .. } =
            request.options
        {
            let file: Value = serde_json::from_str(&text)?;
            folder.add_result(request, &file);
            Shown::Json(file)
        } else if !answer.content_type.starts_with("application/json") {
            folder.add_text(request, &text);
            Shown::File { text: text.trim_end().to_owned(), note: None }
        } else {
            let mut result: Value = serde_json::from_str(&text)?;
            let preview = answer.preview.map(|preview| serde_json::from_slice(&preview)).transpose()?;
            let shown = preview.as_ref().or(is_shown_by_browsers(request).then_some(&result));
            for (name, text) in component::files(request, &result, shown) {
                folder.add(&name, &text);
            }
            if out.is_some() {
                listed = limner_listed_files::list(request.operation, &result);
                listed.retain(|file| file.code.is_some() || !no_download);
            }
            let printed = (form == OutputForm::Code).then(|| component::print(request, &result));
            if let Some(fields) = &request.fields {
                project(&mut result, fields);
            }
            folder.add_result(request, &result);
            match (form, printed) {
                (OutputForm::Json, _) => Shown::Json(result),
                (_, Some((text, note))) => Shown::File { text, note },
                _ => {
                    let fit = output::fit_for_views(&result);
                    Shown::Text(summary::summarize(request.operation, &fit, out.is_some()).trim_end().to_owned())
                }
            }
        };
        Ok(Self { operation: request.operation, shown, folder, listed, screenshot: answer.screenshot })
    }

    /// Prints the result on standard output.
    pub(super) fn print(&self) -> io::Result<()> {
        match &self.shown {
            Shown::Text(text) => output::print(text),
            Shown::Json(result) => output::print_json(result),
            Shown::File { text, note } => {
                if let Some(note) = note {
                    output::complain(note);
                }
                output::print_file(text)
            }
        }
    }

    /// Prints the result as one of several: a summary, a line of JSON, or nothing for files.
    pub(super) fn print_among_others(&self) -> io::Result<()> {
        match &self.shown {
            Shown::Text(text) => output::print(&format!("{text}\n")),
            Shown::Json(result) if self.is_result() => output::print_exactly(&result.to_string()),
            Shown::Json(_) | Shown::File { .. } => Ok(()),
        }
    }

    fn is_result(&self) -> bool {
        matches!(&self.shown, Shown::Json(result) if result["url"].is_string())
    }

    /// Writes the files, downloads those that the result lists, and reports them on standard error.
    pub(super) async fn write(mut self, source: &Source<'_>) -> anyhow::Result<()> {
        let Some(dir) = self.folder.dir() else { return Ok(()) };
        if let Some(url) = &self.screenshot {
            match source.screenshot(url).await {
                Some(png) => self.folder.add_bytes("screenshot.png", png),
                None => output::complain(&format!("The screenshot could not be read: {url}")),
            }
        }
        self.folder.write(self.operation)?;
        self.folder.report();
        let downloaded = downloads::download(source.settings(), dir, self.operation, self.listed).await?;
        downloaded.report(dir);
        Ok(())
    }
}

fn is_shown_by_browsers(request: &OperationRequest) -> bool {
    matches!(&request.options, OperationOptions::Code(options) if options.framework == Framework::Html)
}
