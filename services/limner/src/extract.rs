//! `limner extract`: one extraction in this process, with no servers and no key.

mod component;
mod files;
mod read_page;
mod render;
mod summary;

use crate::cli::ExtractArgs;
use crate::exit::{self, ExitReason, UsageError};
use crate::progress::ProgressLine;
use crate::{output, service_configs, subprocesses};
use files::OutputDir;
use limner_extract::{ExtractError, Extraction, Options};
use limner_page::{PageSnapshot, TargetUrl};
use limner_runtime::Settings;
use limner_types::request::{self, known_parameters};
use limner_types::{
    CodeOptions, ErrorBody, ErrorCode, InvalidParameter, Operation, OperationOptions, OperationRequest, TokenFormat,
    WireEnum,
};
use read_page::PageRead;
use serde_json::Value;
use std::time::Instant;

/// Runs the command. A failure prints the API's error body on standard error, with exit status 1.
pub(crate) async fn run(settings: &Settings, args: ExtractArgs) -> Result<(), ExitReason> {
    let request = parse(&args)?;
    let preview = args.out.as_ref().and_then(|_| component::preview_request(&request));
    match extract(settings, &request, preview, !args.no_browser).await {
        Ok((extraction, preview)) => deliver(&args, &request, extraction, preview),
        Err(body) => Err(refuse(&body)),
    }
}

/// Returns the response body of the HTTP API to these parameters, without `usage`, and its media type.
pub(crate) async fn answer(
    settings: &Settings,
    operation: Operation,
    pairs: &[(String, String)],
) -> Result<(Vec<u8>, String), ErrorBody> {
    let parsed = request::parse(operation, pairs).map(|parsed| parsed.request).and_then(with_valid_selector);
    let request = parsed.map_err(|fault| failure(ErrorCode::InvalidRequest, fault.message))?;
    let (extraction, _) = extract(settings, &request, None, true).await?;
    // Files are complete, whatever `fields` is.
    let is_file = matches!(request.options, OperationOptions::Extract { format, .. } if format != TokenFormat::Json);
    let content_type = extraction.content_type.to_owned();
    let Some(fields) = request.fields.filter(|_| !is_file) else {
        return Ok((extraction.body, content_type));
    };
    let result = serde_json::from_slice(&extraction.body).map(|mut result: Value| {
        project(&mut result, &fields);
        result.to_string().into_bytes()
    });
    let body = result.map_err(|cause| internal(&cause.into()))?;
    Ok((body, content_type))
}

/// Reports an error like the API does.
fn refuse(body: &ErrorBody) -> ExitReason {
    let text = serde_json::to_string_pretty(body).unwrap_or_else(|_| body.status_message.clone());
    output::complain(&text);
    ExitReason::Silent(1)
}

fn failure(code: ErrorCode, message: impl Into<String>) -> ErrorBody {
    ErrorBody::new(code, message, None)
}

fn parse(args: &ExtractArgs) -> Result<OperationRequest, ExitReason> {
    let operation = args.operation.0;
    let mut pairs = args.parameters.pairs();
    let known = known_parameters(operation);
    if let Some((foreign, _)) = pairs.iter().find(|(name, _)| !known.contains(&name.as_str())) {
        let options: Vec<String> =
            known.iter().filter(|name| **name != "url").map(|name| format!("--{name}")).collect();
        let message = format!("--{foreign} is not an option of `{operation}`; valid options: {}", options.join(", "));
        return Err(UsageError(message).into());
    }
    pairs.push(("url".to_owned(), args.url.clone()));
    let parsed = request::parse(operation, &pairs).map(|parsed| parsed.request).and_then(with_valid_selector);
    parsed.map_err(|fault| refuse(&failure(ErrorCode::InvalidRequest, fault.message)))
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

/// Returns the result of a request, and that of another one for the same page. `allows_fallback`: a browser may read a
/// page that is empty or refused without one.
async fn extract(
    settings: &Settings,
    request: &OperationRequest,
    preview: Option<OperationRequest>,
    allows_fallback: bool,
) -> Result<(Extraction, Option<Extraction>), ErrorBody> {
    let invalid = |message: String| failure(ErrorCode::InvalidRequest, message);
    let target = TargetUrl::parse(&request.url, settings.limits.url_bytes.0).map_err(|fault| invalid(fault.message))?;
    let policy = service_configs::policy(settings);
    policy.check_url(target.url()).map_err(|forbidden| invalid(forbidden.message()))?;
    if !limner_extract::is_served(request.operation) {
        return Err(not_served(request.operation));
    }
    let progress = ProgressLine::start(format!("Reading {target}"));
    let deadline = Instant::now() + settings.limits.call;
    let read = PageRead { settings, policy, target: &target, request, allows_fallback, deadline };
    let page = read.run(&progress).await?;
    progress.now(format!("Extracting {} from {}", request.operation, page.url));
    let request = request.clone();
    let result_bytes = settings.limits.result_bytes.0;
    let both = move || {
        let extraction = extract_page(&page, &request, result_bytes)?;
        let preview = preview.map(|request| extract_page(&page, &request, result_bytes)).transpose()?;
        Ok((extraction, preview))
    };
    let extracted = tokio::task::spawn_blocking(both).await;
    extracted.map_err(|fault| internal(&fault.into()))?
}

fn extract_page(page: &PageSnapshot, request: &OperationRequest, result_bytes: usize) -> Result<Extraction, ErrorBody> {
    let options = Options { layout: &subprocesses::layout(), result_bytes, ..Options::default() };
    limner_extract::extract_with(page, request, &options).map_err(|fault| {
        let mut body = failure(fault.code(), fault.to_string());
        if let ExtractError::NotFound { sections, .. } = fault {
            body.data.sections = Some(sections);
        }
        body
    })
}

fn not_served(operation: Operation) -> ErrorBody {
    let served: Vec<&str> = Operation::ALL
        .iter()
        .filter(|operation| limner_extract::is_served(**operation))
        .map(|operation| operation.as_str())
        .collect();
    let message = format!("`{operation}` is not part of this version yet. Available: {}.", served.join(", "));
    ErrorBody { status_code: 503, ..failure(ErrorCode::InternalError, message) }
}

fn internal(fault: &anyhow::Error) -> ErrorBody {
    tracing::error!(error = exit::with_causes(fault), "extraction failed");
    failure(ErrorCode::InternalError, "The extraction failed because of an internal error. Try again.")
}

fn deliver(
    args: &ExtractArgs,
    request: &OperationRequest,
    extraction: Extraction,
    preview: Option<Extraction>,
) -> Result<(), ExitReason> {
    let text = String::from_utf8_lossy(&extraction.body).into_owned();
    let mut folder = OutputDir::new(args.out.as_deref());
    if matches!(
        request.options,
        OperationOptions::Extract { format: TokenFormat::Dtcg | TokenFormat::DtcgResolver, .. }
    ) {
        let file: Value = serde_json::from_str(&text)?;
        folder.add_result(request, &file);
        output::print_json(&file)?;
    } else if !extraction.content_type.starts_with("application/json") {
        folder.add_text(request, &text);
        output::print_file(text.trim_end())?;
    } else {
        let mut result: Value = serde_json::from_str(&text)?;
        let preview = preview.map(|preview| serde_json::from_slice(&preview.body)).transpose()?;
        for (name, text) in component::files(request, &result, preview.as_ref().unwrap_or(&result)) {
            folder.add(&name, &text);
        }
        if let Some(fields) = &request.fields {
            project(&mut result, fields);
        }
        folder.add_result(request, &result);
        if args.json {
            output::print_json(&result)?;
        } else {
            let view = summary::summarize(request.operation, &output::fit_for_views(&result), args.out.is_some());
            output::print(view.trim_end())?;
        }
    }
    folder.write(request.operation)?;
    folder.report();
    Ok(())
}

/// Keeps the named fields, and those that every result has.
fn project(result: &mut Value, fields: &[String]) {
    let Some(object) = result.as_object_mut() else { return };
    object.retain(|name, _| {
        matches!(name.as_str(), "url" | "hint" | "screenshot") || fields.iter().any(|field| field == name)
    });
}
