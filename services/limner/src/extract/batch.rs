//! Several pages at once: a bar on a terminal, a line for each page, and one exit status.

use super::delivery::{Delivery, OutputForm};
use super::merge::merge_tokens;
use super::source::{Answer, Call, Source};
use super::{refuse, sentence};
use crate::cli::ExtractArgs;
use crate::exit::ExitReason;
use crate::output;
use crate::progress::{ProgressBarLine, ProgressLine};
use futures::StreamExt;
use limner_listed_files::{FileNames, slug};
use limner_types::ErrorBody;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// Maximum number of pages that are read at once.
const CONCURRENCY: usize = 4;

/// Extracts from every page. Results are delivered in the order of the pages, each as soon as those before it are.
pub(super) async fn run(
    source: &Source<'_>,
    args: &ExtractArgs,
    form: OutputForm,
    calls: Vec<Call>,
) -> Result<(), ExitReason> {
    let total = calls.len();
    let folders = folders(args.out.as_deref(), &calls);
    let mut bar = ProgressBarLine::start(total as u64, "pages");
    let read = |(call, folder): (Call, Option<PathBuf>)| async {
        let answer = source.extract(&call, folder.is_some(), &ProgressLine::hidden()).await;
        (call, folder, answer)
    };
    let (sender, mut answers) = tokio::sync::mpsc::unbounded_channel();
    // Side by side: a page that is read has a deadline, which the downloads of another one must not use up.
    let reading = async move {
        let reads = futures::stream::iter(calls.into_iter().zip(folders)).map(read).buffered(CONCURRENCY);
        let mut reads = std::pin::pin!(reads);
        while let Some(answer) = reads.next().await {
            let _ = sender.send(answer);
        }
        Ok::<_, ExitReason>(())
    };
    let delivering = async {
        let mut failed = 0;
        while let Some((call, folder, answer)) = answers.recv().await {
            let url = call.request.url.clone();
            bar.pause();
            let delivered = match answer {
                Ok(answer) => match Delivery::new(&call.request, form, answer, folder.as_deref(), args.no_download) {
                    Ok(delivery) => deliver(&url, delivery, source).await,
                    Err(fault) => {
                        complain(&url, &fault);
                        Err(())
                    }
                },
                Err(body) => {
                    report(&url, &body, form)?;
                    Err(())
                }
            };
            failed += usize::from(delivered.is_err());
            bar.advance();
        }
        Ok(failed)
    };
    let ((), failed) = tokio::try_join!(reading, delivering)?;
    drop(bar);
    if output::errors_are_read_by_people() {
        output::complain(&format!("{} of {total} pages read{}", total - failed, failed_note(failed)));
    }
    if failed > 0 { Err(ExitReason::Silent(1)) } else { Ok(()) }
}

/// Extracts tokens from every page, and delivers them as one result.
pub(super) async fn run_merged(
    source: &Source<'_>,
    args: &ExtractArgs,
    form: OutputForm,
    calls: Vec<Call>,
) -> Result<(), ExitReason> {
    let mut bar = ProgressBarLine::start(calls.len() as u64, "pages");
    let read = |call: Call| async { (source.extract(&call, false, &ProgressLine::hidden()).await, call) };
    let mut reads = std::pin::pin!(futures::stream::iter(calls).map(read).buffered(CONCURRENCY));
    let (mut merged, mut failed) = (None::<(Call, Answer, Map<String, Value>)>, false);
    while let Some((answer, call)) = reads.next().await {
        bar.pause();
        match answer {
            Ok(answer) => {
                let page: Map<String, Value> = serde_json::from_slice(&answer.body).map_err(anyhow::Error::from)?;
                match &mut merged {
                    Some((.., all)) => merge_tokens(all, page),
                    None => merged = Some((call, answer, page)),
                }
            }
            Err(body) => {
                let _ = refuse(&call.request.url, &body, args.json);
                failed = true;
            }
        }
        bar.advance();
    }
    drop(bar);
    if let Some((call, answer, all)) = merged {
        let answer = Answer { body: Value::Object(all).to_string().into_bytes(), ..answer };
        let delivery = Delivery::new(&call.request, form, answer, args.out.as_deref(), args.no_download)?;
        delivery.print()?;
        delivery.write(source).await?;
    }
    if failed { Err(ExitReason::Silent(1)) } else { Ok(()) }
}

fn failed_note(failed: usize) -> String {
    if failed == 0 { String::new() } else { format!(", {failed} failed") }
}

async fn deliver(url: &str, delivery: Delivery<'_>, source: &Source<'_>) -> Result<(), ()> {
    let delivered = async {
        delivery.print_among_others()?;
        delivery.write(source).await
    };
    delivered.await.map_err(|fault| complain(url, &fault))?;
    if output::errors_are_read_by_people() {
        output::complain(&format!("✓ {url}"));
    }
    Ok(())
}

fn complain(url: &str, fault: &anyhow::Error) {
    output::complain(&format!("limner: {url}: {}", crate::exit::with_causes(fault)));
}

/// Reports a page that failed. With `--json` the error is a line of the output too, so that there is one for each page.
fn report(url: &str, body: &ErrorBody, form: OutputForm) -> std::io::Result<()> {
    if output::errors_are_read_by_people() {
        output::complain(&format!("✗ {}", sentence(url, body)));
    } else if form != OutputForm::Json {
        let _ = refuse(url, body, true);
    }
    if form != OutputForm::Json {
        return Ok(());
    }
    let mut line = Map::from_iter([("url".to_owned(), Value::from(url))]);
    if let Ok(Value::Object(members)) = serde_json::to_value(body) {
        line.extend(members);
    }
    output::print_exactly(&Value::Object(line).to_string())
}

/// Returns a directory for each page, named by its address.
fn folders(out: Option<&Path>, calls: &[Call]) -> Vec<Option<PathBuf>> {
    let mut names = FileNames::default();
    let folder = |call: &Call| {
        let address = call.request.url.split_once("://").map_or(call.request.url.as_str(), |(_, rest)| rest);
        let name = Some(slug(address)).filter(|name| !name.is_empty()).unwrap_or_else(|| "page".to_owned());
        Some(out?.join(names.unique(&name, "")))
    };
    calls.iter().map(folder).collect()
}
