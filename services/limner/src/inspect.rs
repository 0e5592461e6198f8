//! `limner inspect`: the style engine's view of one page, in one environment.

use crate::cli::InspectArgs;
use crate::exit::{Exit, Misuse};
use crate::progress::Progress;
use crate::{output, subprocesses, views, wiring};
use anyhow::Context;
use limner_fetcher::Needs;
use limner_page::TargetUrl;
use limner_runtime::Settings;
use limner_style::color::Scheme;
use limner_style::selector::State;
use limner_style::{Environment, inspect};
use limner_types::Operation;
use std::time::Instant;

/// Reads the page and prints the computed values of its elements.
pub(crate) async fn run(settings: &Settings, args: InspectArgs) -> Result<(), Exit> {
    let environment = environment(&args)?;
    let target = TargetUrl::parse(&args.url, settings.limits.url_bytes.0).map_err(|fault| Misuse(fault.message))?;
    let policy = wiring::policy(settings);
    policy.check_url(target.url()).map_err(|forbidden| Misuse(forbidden.message()))?;
    let reader = wiring::reader(settings, policy)?;
    let progress = Progress::start(format!("Reading {target}"));
    let deadline = Instant::now() + settings.limits.call;
    // Boxes need the same subresources as the operations that need a layout.
    let page =
        reader.read(&target, Needs::Of(Operation::Code), deadline).await.context("the page could not be read")?;
    progress.now(format!("Working out the style of {}", page.url));
    let report =
        tokio::task::spawn_blocking(move || inspect::report(&page, &environment, &subprocesses::layout())).await?;
    drop(progress);
    if args.json {
        return Ok(output::print_exactly(&report.to_string())?);
    }
    Ok(output::print(&views::tree(&output::fit_for_views(&report)))?)
}

fn environment(args: &InspectArgs) -> Result<Environment, Exit> {
    let size = args.viewport.split_once('x').and_then(|(w, h)| Some((w.parse::<u16>().ok()?, h.parse::<u16>().ok()?)));
    let Some((width, height)) = size else {
        return Err(Misuse(format!("--viewport {} is not WIDTHxHEIGHT", args.viewport)).into());
    };
    let scheme = match args.scheme.as_str() {
        "light" => Scheme::Light,
        "dark" => Scheme::Dark,
        other => return Err(Misuse(format!("--scheme {other} is neither light nor dark")).into()),
    };
    let known = |name: &String| State::from_name(name).ok_or_else(|| Misuse(format!("--state {name} is not known")));
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
