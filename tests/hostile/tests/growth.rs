//! No page makes the work grow faster than itself.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use limner_hostile::case::Case;
use limner_hostile::cases;
use limner_hostile::growth::{Effort, Verdict, examine};
use limner_hostile::known_cases::{KNOWN_CASES, Known};
use limner_hostile::subject::Subject;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Mutex;

/// Judges every pair, as many at once as there are processors; gives those whose work does not grow in proportion.
fn faults<'a>(pairs: &[(&'a Case, Subject)], effort: Effort) -> Vec<(&'a Case, Subject, Verdict)> {
    let hostile = Path::new(env!("CARGO_BIN_EXE_hostile"));
    let queue = Mutex::new(pairs.iter());
    let found = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().unwrap().get();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().unwrap().next();
                    let Some((case, subject)) = next else { return };
                    let verdict = examine(hostile, case, *subject, effort).unwrap();
                    if verdict != Verdict::Proportional {
                        found.lock().unwrap().push((*case, *subject, verdict));
                    }
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap();
    found.sort_by(|a, b| a.0.name.cmp(&b.0.name));
    found
}

fn lines(faults: &[(&Case, Subject, Verdict)]) -> String {
    let lines: Vec<String> =
        faults.iter().map(|(case, subject, verdict)| format!("{} {subject}: {verdict}", case.name)).collect();
    lines.join("\n")
}

#[test]
fn cases_have_names_of_their_own_and_known_faults_have_cases() {
    let cases = cases::all_cases();
    let names: BTreeSet<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names.len(), cases.len());
    let has_case = |row: &&Known| names.iter().any(|name| name.starts_with(row.case));
    assert!(KNOWN_CASES.iter().all(|row| has_case(&row)));
    let grammars: BTreeSet<&str> = cases.iter().map(Case::grammar).collect();
    assert_eq!(grammars.into_iter().collect::<Vec<_>>(), GRAMMARS, "each grammar has a soak");
}

/// Every case of a grammar in every subject, as far as [`Effort::SOAK`] says.
fn soak(grammar: &str) {
    let cases = cases::all_cases();
    let cases = cases.iter().filter(|case| case.grammar() == grammar);
    let pairs: Vec<(&Case, Subject)> =
        cases.flat_map(|case| case.all_subjects().into_iter().map(move |subject| (case, subject))).collect();
    let found = faults(&pairs, Effort::SOAK);
    assert!(found.is_empty(), "\n{}", lines(&found));
}

macro_rules! soaks {
    ($($name:ident $grammar:literal),+ $(,)?) => {
        const GRAMMARS: &[&str] = &[$($grammar),+];
        $(
            #[test]
            #[ignore = "takes minutes"]
            fn $name() {
                soak($grammar);
            }
        )+
    };
}

soaks! {
    work_on_emitted_code_grows_in_proportion "code",
    work_on_custom_properties_grows_in_proportion "custom",
    work_on_files_and_data_grows_in_proportion "data",
    work_on_headers_grows_in_proportion "headers",
    work_on_markup_grows_in_proportion "html",
    work_on_layout_grows_in_proportion "layout",
    work_on_pictures_and_films_grows_in_proportion "media",
    work_on_rules_grows_in_proportion "rules",
    work_on_selectors_grows_in_proportion "selectors",
    work_on_drawings_grows_in_proportion "svg",
    work_on_values_grows_in_proportion "values",
}
