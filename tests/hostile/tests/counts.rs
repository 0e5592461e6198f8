//! No page makes the counts of work grow faster than itself: every case at two sizes, judged by counts that are the same
//! at each run.

use limner_hostile::case::Case;
use limner_hostile::cases;
use limner_hostile::counts::{Counts, Excess, excesses};
use limner_hostile::known_cases::{KNOWN_CASES, find_known};
use limner_hostile::page::Page;
use limner_hostile::subject::Subject;
use peak_alloc::PeakAlloc;
use std::sync::{Mutex, PoisonError};

/// Counts what all threads allocate.
#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;
/// Held while a grammar is checked, where tests share a process.
static ALONE: Mutex<()> = Mutex::new(());

/// Number of a case's subjects that are counted, with boxes and without: those that it is most about come first.
const SUBJECTS: usize = 2;

/// Enough for the recursions of the core over documents of the greatest depth, as in extraction processes.
const STACK_BYTES: usize = 64 << 20;

fn count(page: &Page, subject: Subject) -> Counts {
    let mut work = subject.prepare(page);
    let before = HEAP.current_usage();
    HEAP.reset_peak_usage();
    let steps = work.hostile_work();
    Counts { steps, peak: HEAP.peak_usage().saturating_sub(before) as u64 }
}

/// Returns the excesses of a case that are not known.
fn unknown_excesses(case: &Case, subject: Subject, shown: &mut Vec<&'static str>) -> Vec<Excess> {
    let [base, smaller, larger] = [1, case.from, case.from * 2].map(|size| count(&case.page(size), subject));
    let mut found = excesses(base, smaller, larger);
    if let Some(row) = find_known(&case.name, subject) {
        found.retain(|excess| match excess {
            Excess::Steps(_) => {
                shown.push(row.case);
                false
            }
            Excess::Memory(_) => true,
        });
    }
    found
}

fn check(grammar: &str) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let cases = cases::all_cases();
    let (mut shown, mut faults) = (Vec::new(), Vec::new());
    for case in cases.iter().filter(|case| case.grammar() == grammar) {
        let subjects = case.subjects.iter().take(SUBJECTS);
        for subject in subjects.flat_map(|subject| [Some(*subject), subject.with_boxes()]).flatten() {
            // Tables that are made once.
            count(&Page::of_body(""), subject);
            let found = unknown_excesses(case, subject, &mut shown);
            faults.extend(found.into_iter().map(|excess| format!("{} {subject}: {excess}", case.name)));
        }
    }
    assert!(faults.is_empty(), "from a page to one of twice its size:\n{}", faults.join("\n"));
    let rows = KNOWN_CASES.iter().map(|row| row.case).filter(|case| case.split('/').next() == Some(grammar));
    let mended: Vec<&str> = rows.filter(|case| !shown.contains(case)).collect();
    assert!(mended.is_empty(), "these grow in proportion: {mended:?}");
}

macro_rules! counts {
    ($($name:ident $grammar:literal),+ $(,)?) => {
        const GRAMMARS: &[&str] = &[$($grammar),+];
        $(
            #[test]
            fn $name() {
                let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(|| check($grammar)).unwrap();
                if let Err(panic) = thread.join() {
                    std::panic::resume_unwind(panic);
                }
            }
        )+
    };
}

counts! {
    counts_of_emitted_code_grow_in_proportion "code",
    counts_of_custom_properties_grow_in_proportion "custom",
    counts_of_files_and_data_grow_in_proportion "data",
    counts_of_headers_grow_in_proportion "headers",
    counts_of_markup_grow_in_proportion "html",
    counts_of_layout_grow_in_proportion "layout",
    counts_of_pictures_and_films_grow_in_proportion "media",
    counts_of_rules_grow_in_proportion "rules",
    counts_of_selectors_grow_in_proportion "selectors",
    counts_of_drawings_grow_in_proportion "svg",
    counts_of_values_grow_in_proportion "values",
}

#[test]
fn every_case_is_counted() {
    assert!(cases::all_cases().iter().all(|case| GRAMMARS.contains(&case.grammar())));
}
