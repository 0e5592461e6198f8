//! `limner inspect`: the style engine's view of one page, in one environment; or what the capture passes do to a component.

use crate::cli::InspectArgs;
use crate::exit::{ExitReason, UsageError};
use crate::progress::ProgressLine;
use crate::{demo, extract, output, service_configs, subprocesses, views};
use anyhow::Context;
use limner_extract::{Options, PassOutput};
use limner_fetcher::ReadPurpose;
use limner_page::{PageSnapshot, TargetUrl};
use limner_runtime::Settings;
use limner_style::color::Scheme;
use limner_style::selector::State;
use limner_style::{Environment, inspect};
use limner_types::{Operation, OperationRequest, request};
use std::time::Instant;

/// Reads the page and prints the computed values of its elements.
pub(crate) async fn run(settings: &Settings, args: InspectArgs) -> Result<(), ExitReason> {
    let environment = environment(&args)?;
    let component = args.passes.then(|| component_request(&args)).transpose()?;
    let target = TargetUrl::parse(&args.url, settings.limits.url_bytes.0).map_err(|fault| UsageError(fault.message))?;
    let policy = demo::policy_for(settings, &[target.url()]).await?;
    policy.check_url(target.url()).map_err(|forbidden| UsageError(extract::forbidden_message(&forbidden)))?;
    let reader = service_configs::reader(settings, policy)?;
    let progress = ProgressLine::start(format!("Reading {target}"));
    let deadline = Instant::now() + settings.limits.call;
    // Boxes need the same subresources as the operations that need a layout.
    let page =
        reader.read(&target, ReadPurpose::Of(Operation::Code), deadline).await.context("the page could not be read")?;
    if let Some(request) = component {
        progress.now(format!("Capturing a component of {}", page.url));
        let text = tokio::task::spawn_blocking(move || passes_text(&page, &request)).await??;
        drop(progress);
        return Ok(output::print(&text)?);
    }
    progress.now(format!("Working out the style of {}", page.url));
    let report =
        tokio::task::spawn_blocking(move || inspect::report(&page, &environment, &subprocesses::layout())).await?;
    drop(progress);
    if args.json {
        return Ok(output::print_exactly(&report.to_string())?);
    }
    Ok(output::print(&views::tree(&output::fit_for_views(&report)))?)
}

/// Returns the `/code` request whose passes are printed.
fn component_request(args: &InspectArgs) -> Result<OperationRequest, UsageError> {
    let parameters =
        [("url", Some(&args.url)), ("framework", Some(&args.framework)), ("selector", args.selector.as_ref())];
    let query: Vec<(String, String)> =
        parameters.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?.clone()))).collect();
    let parsed = request::parse(Operation::Code, &query).map_err(|fault| UsageError(fault.message))?;
    Ok(parsed.request)
}

/// Returns the component after each pass, where it differs from the one before.
fn passes_text(page: &PageSnapshot, request: &OperationRequest) -> Result<String, ExitReason> {
    let options = Options { layout: &subprocesses::layout(), ..Options::default() };
    let outputs = limner_extract::trace_passes(page, request, &options).context("no component was captured")?;
    let mut text = String::new();
    let mut before: Option<&PassOutput> = None;
    for output in &outputs {
        let PassOutput { name, markup, css } = output;
        let is_same = before.is_some_and(|before| (&before.markup, &before.css) == (markup, css));
        text += &if is_same {
            format!("== {name}: changes nothing\n")
        } else {
            format!("== {name}\n{}\n{}\n", markup.trim_end(), css.trim_end())
        };
        before = Some(output);
    }
    Ok(text)
}

fn environment(args: &InspectArgs) -> Result<Environment, ExitReason> {
    let size = args.viewport.split_once('x').and_then(|(w, h)| Some((w.parse::<u16>().ok()?, h.parse::<u16>().ok()?)));
    let Some((width, height)) = size else {
        return Err(UsageError(format!("--viewport {} is not WIDTHxHEIGHT", args.viewport)).into());
    };
    let scheme = match args.scheme.as_str() {
        "light" => Scheme::Light,
        "dark" => Scheme::Dark,
        other => return Err(UsageError(format!("--scheme {other} is neither light nor dark")).into()),
    };
    let known =
        |name: &String| State::from_name(name).ok_or_else(|| UsageError(format!("--state {name} is not known")));
    let states = args.state.iter().map(known).collect::<Result<_, _>>()?;
    Ok(Environment {
        width: width.into(),
        height: height.into(),
        scheme,
        states,
        scripting: false,
        ..Environment::default()
    })
}
