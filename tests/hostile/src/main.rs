//! Runs the cases: for the tests, which start it as a child process, and for people who look for a cause.

#![expect(clippy::print_stdout, reason = "the figures are the output")]

use anyhow::{Context, bail};
use limner_hostile::case::Case;
use limner_hostile::cases;
use limner_hostile::growth::{Effort, examine};
use limner_hostile::subject::Subject;
use limner_hostile::work_meter::Meter;
use rustix::process::{Resource, Rlimit, setrlimit};
use std::io::Write;

const USAGE: &str = "hostile list                                            the cases and what they are measured with
hostile check PREFIX [SUBJECT]                          judges cases as the soak does
hostile grow CASE SUBJECT DOUBLINGS ENOUGH_MS LIMIT_S   prints size, bytes, work, unit and steps while the page grows
hostile once CASE SUBJECT SIZE                          does the work once, for a profiler
hostile page CASE SIZE                                  prints the page";

/// Most memory of a measurement. A page has a few MB.
const MEMORY_BYTES: u64 = 3 << 30;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["list"] => list(),
        ["check", prefix] => check(prefix, None),
        ["check", prefix, name] => check(prefix, Some(subject(name)?)),
        ["grow", name, about, doublings, enough, limit] => {
            let effort = Effort { doublings: doublings.parse()?, enough: enough.parse()?, limit: limit.parse()? };
            grow(&case(name)?, subject(about)?, effort)
        }
        ["once", name, about, size] => {
            let page = case(name)?.page(size.parse()?);
            subject(about)?.prepare(&page).hostile_work();
            Ok(())
        }
        ["page", name, size] => {
            println!("{}", case(name)?.page(size.parse()?).html);
            Ok(())
        }
        _ => bail!("{USAGE}"),
    }
}

fn case(name: &str) -> anyhow::Result<Case> {
    cases::all_cases().into_iter().find(|case| case.name == name).with_context(|| format!("no case {name}"))
}

fn subject(name: &str) -> anyhow::Result<Subject> {
    Subject::from_name(name).with_context(|| format!("no subject {name}"))
}

fn list() -> anyhow::Result<()> {
    for case in cases::all_cases() {
        let subjects: Vec<String> = case.subjects.iter().map(Subject::to_string).collect();
        println!("{} from {}: {}", case.name, case.from, subjects.join(" "));
    }
    Ok(())
}

fn check(prefix: &str, only: Option<Subject>) -> anyhow::Result<()> {
    let hostile = std::env::current_exe()?;
    for case in cases::all_cases().iter().filter(|case| case.name.starts_with(prefix)) {
        let subjects = only.map_or_else(|| case.all_subjects(), |only| vec![only]);
        for subject in subjects {
            let verdict = examine(&hostile, case, subject, Effort::SOAK)?;
            println!("{} {subject}: {verdict}", case.name);
        }
    }
    Ok(())
}

fn grow(case: &Case, subject: Subject, effort: Effort) -> anyhow::Result<()> {
    limit(Resource::Cpu, effort.limit)?;
    limit(Resource::As, MEMORY_BYTES)?;
    limit(Resource::Core, 0)?;
    let mut meter = Meter::open();
    let unit = meter.unit();
    let doubled = (0..=effort.doublings).map_while(|times| case.from.checked_shl(times));
    for size in std::iter::once(1).chain(doubled) {
        let page = case.page(size);
        if page.is_past_limits() {
            break;
        }
        let mut work = subject.prepare(&page);
        let mut steps = 0;
        let cost = meter.measure_least(|| steps = work.hostile_work());
        println!("{size} {} {cost} {unit} {steps}", page.bytes());
        std::io::stdout().flush()?;
        if cost >= effort.enough * unit.per_millisecond() {
            break;
        }
    }
    Ok(())
}

fn limit(resource: Resource, most: u64) -> anyhow::Result<()> {
    setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) }).context("a limit of the process")
}
