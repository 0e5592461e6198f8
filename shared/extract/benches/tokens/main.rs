//! `/extract` by rules and by elements, each at 1×, 4× and 16× (values for a second stay the same where time grows
//! linearly), and against others on the same page: an analyser of style sheets, and a browser that loads the page from
//! loopback and reads the declared values. The others need Node and `npm ci` in `tests/bench`, and are skipped without.
//! With `LIMNER_CORPUS`, a folder of saved real pages, they are compared on each of these too.

#![allow(clippy::print_stdout, reason = "a benchmark's figures are its output")]

#[path = "../../../../tests/formats/corpus.rs"]
#[allow(clippy::unwrap_used, reason = "shared with tests")]
mod corpus;

use criterion::{BenchmarkId, Criterion, Throughput};
use limner_page::{PageSnapshot, SheetOwner, Stylesheet};
use limner_types::{Operation, request};
use mimalloc::MiMalloc;
use std::fmt::Write;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// The allocator of the binary.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

const SCALES: [usize; 3] = [1, 4, 16];
const RULES: usize = 1_000;
/// Rules of one component.
const RULES_EACH: usize = 5;
const ELEMENTS: usize = 1_000;
const RUNS: usize = 9;
/// Number of measurements of each; the least one counts.
const ROUNDS: usize = 3;
/// Minimum ratio of the time of other programs to ours.
const FASTER_THAN_ANALYZER: f64 = 10.0;
const FASTER_THAN_CHROMIUM: f64 = 30.0;
/// Frameworks of components, and where npm puts their sheets.
const FRAMEWORKS: [(&str, &str); 2] =
    [("bootstrap", "bootstrap/dist/css/bootstrap.css"), ("bulma", "bulma/css/bulma.css")];
const CHROMIUM: &[&str] = &["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/// Components in the manner of design systems: variables, states, media queries, shadows, gradients. And utilities that
/// all set the same variable for themselves.
fn css(rules: usize) -> String {
    let mut css = String::from(":root{--brand:#3b5bdb;--gap:8px;--shadow:0 1px 2px rgb(0 0 0/20%)}");
    for n in 0..rules / RULES_EACH {
        let (size, hue) = (n % 40, n % 360);
        let _ = write!(
            css,
            ".c-{n}{{color:hsl({hue} 60% 40%);font:600 {size}px/1.4 Inter,sans-serif;padding:{size}px var(--gap)}}\
             .c-{n}:hover{{background:linear-gradient(90deg,var(--brand),#fff {size}%);box-shadow:var(--shadow)}}\
             .u-{n}{{--alpha:1;color:rgba(0,{size},{hue},var(--alpha))}}\
             .c-{n}>.b{{border:1px solid #abc;border-radius:{size}px;transition:color .{size}s ease-in-out}}\
             @media (min-width:{n}px){{.c-{n}{{letter-spacing:.0{size}em;opacity:.{size};z-index:{n}}}}}"
        );
    }
    css
}

fn html(elements: usize) -> String {
    let mut html = String::from("<!doctype html><title>Bench</title><link rel=stylesheet href=sheet.css><body>");
    for n in 0..elements / 4 {
        let _ = write!(
            html,
            "<section class='c-{n} card btn btn-primary' style='margin:{}px'><h2 class='b h2'>Heading {n}</h2>\
             <p class='text-muted'>Words</p><a class='btn' href=/{n}>More</a></section>",
            n % 30
        );
    }
    html
}

fn page(html: String, css: String) -> PageSnapshot {
    let url = "https://bench.example/".to_owned();
    let sheet = Stylesheet { owner: SheetOwner::Link, base_url: url.clone(), text: Some(css), ..Stylesheet::default() };
    PageSnapshot { url, content_type: "text/html".to_owned(), html, sheets: vec![sheet], ..PageSnapshot::default() }
}

fn extracted(page: &PageSnapshot) -> usize {
    let pairs = [("url".to_owned(), page.url.clone())];
    let request = request::parse(Operation::Extract, &pairs).expect("a request").request;
    limner_extract::extract(page, &request).expect("a result").body.len()
}

fn linear(criterion: &mut Criterion) {
    for (name, by_rules) in [("rules", true), ("elements", false)] {
        let mut group = criterion.benchmark_group(format!("tokens by {name}"));
        for scale in SCALES {
            let (rules, elements) = if by_rules { (RULES * scale, ELEMENTS) } else { (RULES, ELEMENTS * scale) };
            let page = page(html(elements), css(rules));
            group.throughput(Throughput::Elements(1_000 * scale as u64));
            group.sample_size(10);
            group.bench_with_input(BenchmarkId::from_parameter(format!("{scale}x")), &page, |bencher, page| {
                bencher.iter(|| extracted(black_box(page)));
            });
        }
        group.finish();
    }
}

/// The median of some runs, after one that does not count.
fn median(mut run: impl FnMut()) -> Duration {
    run();
    let time = |run: &mut dyn FnMut()| {
        let started = Instant::now();
        run();
        started.elapsed()
    };
    let mut times: Vec<Duration> = (0..RUNS).map(|_| time(&mut run)).collect();
    times.sort_unstable();
    times[RUNS / 2]
}

/// Milliseconds that each takes for a page.
struct Times {
    own: f64,
    analyzer: f64,
    chromium: Option<f64>,
}

/// The texts of a page's sheets: all of them, or those that are files of their own.
fn sheets(page: &PageSnapshot, all: bool) -> String {
    let wanted = page.sheets.iter().filter(|sheet| all || sheet.owner == SheetOwner::Link);
    wanted.filter_map(|sheet| sheet.text.as_deref()).collect::<Vec<_>>().join("\n")
}

/// The files that others read a page from.
struct Files {
    folder: PathBuf,
    html: PathBuf,
    css: PathBuf,
    linked: PathBuf,
}

impl Files {
    fn write(page: &PageSnapshot) -> std::io::Result<Self> {
        let folder = std::env::temp_dir().join(format!("limner-bench-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let (html, css, linked) = (folder.join("page.html"), folder.join("all.css"), folder.join("linked.css"));
        std::fs::write(&html, &page.html)?;
        std::fs::write(&css, sheets(page, true))?;
        std::fs::write(&linked, sheets(page, false))?;
        Ok(Self { folder, html, css, linked })
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Returns the measurements of `compare.mjs` started with these arguments, or `None` if it could not run.
fn compared(program: &[&str], what: &str, files: &[&Path]) -> Option<f64> {
    let (first, rest) = program.split_first()?;
    let output = Command::new(first).args(rest).arg(tools().join("compare.mjs")).arg(what).args(files).output().ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}

/// The analyser on one core, as the call here: Node collects garbage and compiles on any others that are free. Where
/// `taskset` is missing, on all of them.
fn time_analyzer(files: &Files) -> Option<f64> {
    compared(&["taskset", "--cpu-list", "0", "node"], "analyzer", &[&files.css])
        .or_else(|| compared(&["node"], "analyzer", &[&files.css]))
}

/// The page here and in the analyser, by turns: whatever else the machine does makes one of them slower, and never
/// faster, so that the least of both is what they take.
fn times(page: &PageSnapshot) -> Option<Times> {
    let files = Files::write(page).ok()?;
    let mut least = Times { own: f64::INFINITY, analyzer: f64::INFINITY, chromium: None };
    for _ in 0..ROUNDS {
        let own = median(|| {
            black_box(extracted(page));
        });
        least.own = least.own.min(own.as_secs_f64() * 1_000.0);
        least.analyzer = least.analyzer.min(time_analyzer(&files)?);
    }
    Some(least)
}

/// The page in a browser, on all cores.
fn time_chromium(page: &PageSnapshot) -> Option<f64> {
    let chromium = CHROMIUM.iter().map(Path::new).find(|path| path.exists())?;
    let files = Files::write(page).ok()?;
    compared(&["node"], "chromium", &[&files.html, &files.linked, chromium])
}

fn tools() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/bench")
}

/// Pages in frameworks of components, and the saved ones that have sheets worth a look.
fn pages() -> Vec<(String, PageSnapshot)> {
    let mut pages = Vec::new();
    for (name, file) in FRAMEWORKS {
        match std::fs::read_to_string(tools().join("node_modules").join(file)) {
            Ok(css) => pages.push((name.to_owned(), page(html(ELEMENTS), css))),
            Err(_) => println!("{name}: not compared, since `npm ci` was not run in tests/bench"),
        }
    }
    pages.extend(corpus::pages().into_iter().filter(|(_, page)| sheets(page, true).len() >= 1_000));
    pages
}

fn compare_with_others() {
    let pages = pages();
    // A browser that is about to end takes time from whoever is measured next: all that come after are browsers too.
    let mut all: Vec<(&str, Option<Times>)> = pages.iter().map(|(name, page)| (name.as_str(), times(page))).collect();
    for ((_, page), (name, times)) in pages.iter().zip(&mut all) {
        let Some(times) = times else {
            println!("{name}: not compared, since Node could not run tests/bench/compare.mjs");
            continue;
        };
        times.chromium = (0..ROUNDS).filter_map(|_| time_chromium(page)).reduce(f64::min);
        println!("{name}: {}", verdict(times));
    }
    let is_saved = |name: &str| FRAMEWORKS.iter().all(|(framework, _)| *framework != name);
    let saved: Vec<Times> = all.into_iter().filter(|(name, _)| is_saved(name)).filter_map(|(_, times)| times).collect();
    if !saved.is_empty() {
        let middle = |ratio: &dyn Fn(&Times) -> f64| {
            let mut ratios: Vec<f64> = saved.iter().map(ratio).collect();
            ratios.sort_by(f64::total_cmp);
            ratios[ratios.len() / 2]
        };
        let analyzer = middle(&|times| times.analyzer / times.own);
        let chromium = middle(&|times| times.chromium.unwrap_or(0.0) / times.own);
        let count = saved.len();
        println!("{count} saved pages, in the middle: css-analyzer {analyzer:.1} times, Chromium {chromium:.1} times");
    }
}

fn verdict(times: &Times) -> String {
    let against = |other: &str, theirs: f64, goal: f64| {
        let ratio = theirs / times.own;
        let met = if ratio >= goal { "met" } else { "missed" };
        format!("; {other} {theirs:.1} ms, {ratio:.1} times that (goal: at least {goal}: {met})")
    };
    let chromium = times.chromium.map(|chromium| against("Chromium", chromium, FASTER_THAN_CHROMIUM));
    let analyzer = against("css-analyzer", times.analyzer, FASTER_THAN_ANALYZER);
    format!("{:.1} ms{analyzer}{}", times.own, chromium.unwrap_or_default())
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    linear(&mut criterion);
    criterion.final_summary();
    // `cargo nextest` and `cargo test` run benches too, once, to see that they work.
    if std::env::args().any(|argument| argument == "--bench") {
        compare_with_others();
    }
}
