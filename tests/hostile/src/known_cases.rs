//! Faults that are known and not mended yet. What is mended leaves this table: the soak fails on a row that nothing proves.

use crate::subject::Subject;

/// A fault of some cases.
#[derive(Debug)]
pub struct Known {
    /// The case, or how the names of the cases begin.
    pub case: &'static str,
    /// The subjects it shows in, by name; none means in any.
    pub subjects: &'static [&'static str],
    /// The cause.
    pub reason: &'static str,
}

/// All of them.
pub const KNOWN_CASES: &[Known] = &[
    Known { case: "selectors/product-", subjects: &[], reason: "style/matcher.rs does not bound rules by elements" },
    Known { case: "selectors/rules-", subjects: &[], reason: "style/matcher.rs does not bound rules by elements" },
    Known { case: "code/nth", subjects: &[], reason: "style/matcher.rs does not bound rules by elements" },
    Known {
        case: "selectors/wide-",
        subjects: &[],
        reason: "a sibling combinator walks all siblings before each element",
    },
    Known { case: "rules/scopes-nested-elements", subjects: &[], reason: "style/matcher.rs does not bound scopes" },
    Known {
        case: "code/attributes",
        subjects: &[],
        reason: "extract/code/capture/triggers.rs does not bound rules by elements that they react to",
    },
    Known {
        case: "code/checked",
        subjects: &[],
        reason: "extract/code/capture/triggers.rs does not bound rules by elements that they react to",
    },
    Known {
        case: "code/hover-",
        subjects: &[],
        reason: "extract/code/capture/triggers.rs does not bound rules by elements that they react to",
    },
    Known {
        case: "custom/by-media",
        subjects: &["code:html"],
        reason: "extract/code/capture/tokens evaluates each condition for each cell of the grid",
    },
    Known {
        case: "custom/cross-references",
        subjects: &["extract"],
        reason: "extract/tokens/variables.rs follows a chain anew from each of its members, up to a limit",
    },
];

/// The row of the case and the subject.
pub fn find_known(case: &str, subject: Subject) -> Option<&'static Known> {
    let name = subject.to_string();
    let is_about = |row: &&Known| row.subjects.is_empty() || row.subjects.contains(&name.as_str());
    KNOWN_CASES.iter().filter(is_about).find(|row| case.starts_with(row.case))
}
