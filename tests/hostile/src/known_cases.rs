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

/// Each of the rules matches, or is tried on, each of the elements, which is what they say.
const RULES_BY_ELEMENTS: &str = "as many selectors as elements, each of which may match each element";
/// The subject alone tells nothing about the ancestors.
const RULES_BY_NAME: &str = "rules about the same type below different ancestors are all tried on each element of it";

/// All of them.
pub const KNOWN_CASES: &[Known] = &[
    Known { case: "selectors/product-classes-same", subjects: &[], reason: RULES_BY_ELEMENTS },
    Known { case: "selectors/product-not", subjects: &[], reason: RULES_BY_ELEMENTS },
    Known { case: "selectors/product-has", subjects: &[], reason: RULES_BY_ELEMENTS },
    Known { case: "selectors/product-nth", subjects: &[], reason: RULES_BY_ELEMENTS },
    Known {
        case: "selectors/wide-has-sibling",
        subjects: &[],
        reason: "what comes after an element is searched for each element before it",
    },
    Known {
        case: "selectors/deep-has-neighbour",
        subjects: &[],
        reason: "each element of a chain, which is as long as documents are deep, is looked for below each one before it",
    },
    Known { case: "code/nth", subjects: &[], reason: RULES_BY_ELEMENTS },
    Known { case: "code/optional-parts", subjects: &[], reason: RULES_BY_ELEMENTS },
    Known { case: "code/hover-within", subjects: &[], reason: RULES_BY_NAME },
];

/// The row of the case and the subject.
pub fn find_known(case: &str, subject: Subject) -> Option<&'static Known> {
    let name = subject.to_string();
    let is_about = |row: &&Known| row.subjects.is_empty() || row.subjects.contains(&name.as_str());
    KNOWN_CASES.iter().filter(is_about).find(|row| case.starts_with(row.case))
}
