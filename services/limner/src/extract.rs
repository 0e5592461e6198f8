//! `limner extract`: extractions in this process, with no servers and no key, or by a Limner that runs elsewhere.

mod batch;
mod component;
mod delivery;
mod downloads;
mod files;
mod hosted;
mod local;
mod merge;
mod option_names;
mod read_page;
mod render;
mod source;
mod summary;

use crate::cli::{ExtractArgs, OperationName, Parameters};
use crate::exit::{self, ExitReason, UsageError};
use crate::output;
use crate::progress::ProgressLine;
use delivery::{Delivery, OutputForm};
use limner_runtime::Settings;
use limner_types::request::{self, HEADER_FIELDS, known_parameters};
use limner_types::{
    CodeOptions, ErrorBody, ErrorCode, InvalidParameter, Operation, OperationOptions, OperationRequest,
};
use option_names::with_option_names;
use serde_json::Value;

pub(crate) use hosted::api_base;
pub(crate) use local::forbidden_message;
pub(crate) use source::{Call, Source};

/// Runs the command. A failure prints the API's error body on standard error, as a sentence if that is a terminal, with
/// exit status 1.
pub(crate) async fn run(settings: &Settings, args: ExtractArgs) -> Result<(), ExitReason> {
    let parse = |url: &String| call(args.operation.0, &args.parameters, url);
    let calls: Vec<Call> = args.urls.iter().map(parse).collect::<Result<_, _>>()?;
    if let Some(file) = args.out.as_deref().filter(|out| out.exists() && !out.is_dir()) {
        return Err(UsageError(format!("--out: {} is not a directory", file.display())).into());
    }
    let source = Source::new(settings, &args.read)?;
    let form = OutputForm::choose(&args, &calls[0].request)?;
    report_without_effect(&calls[0]);
    if args.merge {
        return batch::run_merged(&source, &args, form, calls).await;
    }
    if calls.len() > 1 {
        return batch::run(&source, &args, form, calls).await;
    }
    let call = &calls[0];
    let progress = ProgressLine::start(format!("Reading {}", call.request.url));
    let previewed = args.out.is_some();
    let answer = source.extract(call, previewed, &progress).await;
    drop(progress);
    let answer = answer.map_err(|body| refuse(&call.request.url, &body, args.json))?;
    let delivery = Delivery::new(&call.request, form, answer, args.out.as_deref(), args.no_download)?;
    delivery.print()?;
    delivery.write(&source).await?;
    Ok(())
}

/// Returns the response body of the HTTP API to these parameters, without `usage`, and its media type.
pub(crate) async fn answer(
    settings: &Settings,
    operation: Operation,
    pairs: &[(String, String)],
) -> Result<(Vec<u8>, String), ErrorBody> {
    let parsed = request::parse(operation, pairs).map(|parsed| parsed.request).and_then(with_valid_selector);
    let request = parsed.map_err(|fault| failure(ErrorCode::InvalidRequest, fault.message))?;
    let progress = ProgressLine::start(format!("Reading {}", request.url));
    let answer = local::extract(settings, &request, None, true, &progress).await?;
    // Files are complete, whatever `fields` is.
    let is_file = delivery::is_file(&request);
    let Some(fields) = request.fields.filter(|_| !is_file) else {
        return Ok((answer.body, answer.content_type));
    };
    let result = serde_json::from_slice(&answer.body).map(|mut result: Value| {
        project(&mut result, &fields);
        result.to_string().into_bytes()
    });
    let body = result.map_err(|cause| internal(&cause.into()))?;
    Ok((body, answer.content_type))
}

/// Reports an error as the API does, or to a person at a terminal as a sentence.
pub(crate) fn refuse(url: &str, body: &ErrorBody, as_json: bool) -> ExitReason {
    if output::errors_are_read_by_people() && !as_json {
        output::complain(&format!("limner: {}", sentence(url, body)));
    } else {
        let text = serde_json::to_string_pretty(body).unwrap_or_else(|_| body.status_message.clone());
        output::complain(&text);
    }
    ExitReason::Silent(1)
}

/// Returns an error as a sentence, followed by the sections that the page does have.
fn sentence(url: &str, body: &ErrorBody) -> String {
    let mut text = format!("{url}: {} ({})", with_option_names(&body.status_message), body.data.code);
    for section in body.data.sections.iter().flatten() {
        text.push_str(&format!("\n  --selector '{}'  {}", section.selector, section.label));
    }
    text
}

fn failure(code: ErrorCode, message: impl Into<String>) -> ErrorBody {
    ErrorBody::new(code, message, None)
}

/// Returns the call for a page.
pub(crate) fn call(operation: Operation, parameters: &Parameters, url: &str) -> Result<Call, UsageError> {
    let misuse = |fault: InvalidParameter| UsageError(with_option_names(&fault.message));
    if url.trim().is_empty() {
        let message = "the URL is empty: give that of a public web page, such as www.rust-lang.org";
        return Err(UsageError(message.to_owned()));
    }
    let mut pairs = parameters.pairs();
    let known = known_parameters(operation);
    if let Some((foreign, _)) = pairs.iter().find(|(name, _)| !known.contains(&name.as_str())) {
        let options: Vec<String> =
            known.iter().filter(|name| **name != "url").map(|name| format!("--{name}")).collect();
        let name = OperationName(operation);
        let message = format!("--{foreign} is not an option of `{name}`; valid options: {}", options.join(", "));
        return Err(UsageError(message));
    }
    pairs.push(("url".to_owned(), url.to_owned()));
    let parsed = request::parse(operation, &pairs).map_err(misuse)?;
    let request = with_valid_selector(parsed.request).map_err(misuse)?;
    Ok(Call { request, pairs, without_effect: parsed.without_effect })
}

/// Tells a person which options have no effect, once for all pages.
fn report_without_effect(call: &Call) {
    for name in &call.without_effect {
        output::complain(&format!("--{name} has no effect with this --framework"));
    }
}

fn with_valid_selector(request: OperationRequest) -> Result<OperationRequest, InvalidParameter> {
    match &request.options {
        OperationOptions::Code(CodeOptions { selector: Some(selector), .. })
            if !limner_style::selector::is_valid(selector) =>
        {
            Err(InvalidParameter::selector(selector))
        }
        _ => Ok(request),
    }
}

fn internal(fault: &anyhow::Error) -> ErrorBody {
    tracing::error!(error = exit::with_causes(fault), "extraction failed");
    failure(ErrorCode::InternalError, "The extraction failed because of an internal error. Try again.")
}

/// Keeps the named fields, and those that every result has.
fn project(result: &mut Value, fields: &[String]) {
    let Some(object) = result.as_object_mut() else { return };
    object.retain(|name, _| HEADER_FIELDS.contains(&name.as_str()) || fields.iter().any(|field| field == name));
}
