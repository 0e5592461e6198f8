//! Steps that are known to grow faster than the page: the budget of work ends them, since what is counted multiplies by its
//! nature. A row that nothing shows any more fails the test of counts.

use crate::subject::Subject;

/// Steps of some cases that grow faster than the page.
#[derive(Debug)]
pub struct Known {
    /// The case, or how the names of the cases begin.
    pub case: &'static str,
    /// The subjects it shows in, by name; none means in any.
    pub subjects: &'static [&'static str],
    /// Why nothing but the budget ends it.
    pub reason: &'static str,
}

/// Each selector without a class, an id or a name that rules it out is tried on each element.
const RULES_BY_ELEMENTS: &str = "as many selectors as elements, each of which may match each element";
/// No index tells which of the elements before one a selector is about.
const SIBLINGS: &str = "what is before an element is walked for each element that follows";

/// All of them.
pub const KNOWN_CASES: &[Known] = &[
    Known { case: "selectors/product-", subjects: &[], reason: RULES_BY_ELEMENTS },
    Known { case: "selectors/wide-", subjects: &[], reason: SIBLINGS },
    Known { case: "code/nth", subjects: &[], reason: RULES_BY_ELEMENTS },
    Known { case: "code/optional-parts", subjects: &[], reason: RULES_BY_ELEMENTS },
    Known { case: "code/siblings", subjects: &[], reason: RULES_BY_ELEMENTS },
    Known { case: "code/attributes", subjects: &[], reason: RULES_BY_ELEMENTS },
    Known { case: "code/checked", subjects: &[], reason: SIBLINGS },
    Known { case: "code/hover-", subjects: &[], reason: "rules under a state, by elements that may be in it" },
];

/// The row of the case and the subject.
pub fn find_known(case: &str, subject: Subject) -> Option<&'static Known> {
    let name = subject.to_string();
    let is_about = |row: &&Known| row.subjects.is_empty() || row.subjects.contains(&name.as_str());
    KNOWN_CASES.iter().filter(is_about).find(|row| case.starts_with(row.case))
}
