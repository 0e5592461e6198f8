//! The parts of Limner that a page is put to.

use crate::page::{PAGE_URL, Page};
use crate::stacked_boxes::StackedBoxes;
use limner_extract::{Options, extract_within};
use limner_layout::BlitzLayout;
use limner_page::work_budget::MAX_READING_STEPS;
use limner_page::{PageSnapshot, WorkBudget};
use limner_style::Environment;
use limner_style::layout::{Layout, NoLayout};
use limner_types::{Framework, Operation, WireEnum, request};
use std::fmt;
use std::hint::black_box;
use std::sync::LazyLock;

/// Work that is done for one page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// Recognising, decoding and judging the document, and finding its sheets.
    Read,
    /// Laying the page out.
    Layout,
    /// An operation, in its usual form.
    Operation(Operation),
    /// `/code` in that framework.
    Code(Framework),
    /// An operation in its usual form, with a box for each element: most of the code that reads boxes does nothing without.
    Boxed(Operation),
}

/// One thread, which reads the fonts of the system once.
static LAYOUT: LazyLock<BlitzLayout> = LazyLock::new(|| BlitzLayout::new(1));

/// `/code` in its usual form.
pub const CODE: Subject = Subject::Code(Framework::Html);

/// The operations that lay a page out.
const LAID_OUT: [Operation; 2] = [Operation::Brand, Operation::Code];

impl Subject {
    /// Everything that is done for pages; `/code` in every framework where the page is about those.
    pub fn list(with_frameworks: bool) -> Vec<Self> {
        let operations = Operation::ALL.iter().copied().filter(|operation| *operation != Operation::Code);
        let frameworks = Framework::ALL.iter().copied().filter(|form| with_frameworks || *form == Framework::Html);
        let code = frameworks.map(Self::Code);
        let boxed = LAID_OUT.into_iter().map(Self::Boxed);
        [Self::Read, Self::Layout].into_iter().chain(operations.map(Self::Operation)).chain(code).chain(boxed).collect()
    }

    /// The same operation with boxes, if it reads any.
    pub fn with_boxes(self) -> Option<Self> {
        let operation = match self {
            Self::Operation(operation) => operation,
            CODE => Operation::Code,
            _ => return None,
        };
        LAID_OUT.contains(&operation).then_some(Self::Boxed(operation))
    }

    /// The subject of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::list(true).into_iter().find(|subject| subject.to_string() == name)
    }

    /// Does everything that comes before the work.
    pub fn prepare(self, page: &Page) -> Measurement<'_> {
        let snapshot = (self != Self::Read).then(|| page.snapshot());
        if self == Self::Layout {
            LAYOUT.boxes(&Page::of_body("").snapshot(), &Environment::default());
        }
        let boxes = snapshot.as_ref().filter(|_| matches!(self, Self::Boxed(_))).map(StackedBoxes::new);
        Measurement { subject: self, page, snapshot, boxes }
    }

    fn operation(self) -> Option<(Operation, &'static str)> {
        match self {
            Self::Read | Self::Layout => None,
            Self::Boxed(Operation::Code) => CODE.operation(),
            Self::Operation(operation) | Self::Boxed(operation) => Some((operation, "")),
            Self::Code(framework) => Some((Operation::Code, framework.as_str())),
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read => f.write_str("read"),
            Self::Layout => f.write_str("layout"),
            Self::Operation(operation) => operation.fmt(f),
            Self::Code(framework) => write!(f, "code:{framework}"),
            Self::Boxed(operation) => write!(f, "boxed:{operation}"),
        }
    }
}

/// Work that is ready to be done, and measured.
#[derive(Debug)]
pub struct Measurement<'a> {
    subject: Subject,
    page: &'a Page,
    snapshot: Option<PageSnapshot>,
    boxes: Option<StackedBoxes>,
}

impl Measurement<'_> {
    /// Does the work, and returns the steps of the page's budget that it took. Callgrind counts what happens inside this
    /// function, so it is one of its own.
    #[inline(never)]
    pub fn hostile_work(&mut self) -> u64 {
        let budget = WorkBudget::default();
        let before = budget.steps();
        let Some(snapshot) = &mut self.snapshot else {
            black_box(self.page.snapshot_within(&budget));
            return before - budget.steps();
        };
        let Some((operation, framework)) = self.subject.operation() else {
            black_box(LAYOUT.boxes(snapshot, &Environment::default()));
            return 0;
        };
        snapshot.resources.clear();
        // The fetcher's budget is one of its own, and smaller.
        let reading = WorkBudget::with_steps(MAX_READING_STEPS);
        self.page.complete(snapshot, operation, &reading);
        let mut query = vec![("url".to_owned(), PAGE_URL.to_owned())];
        if operation == Operation::Code {
            query.push(("framework".to_owned(), framework.to_owned()));
            query.extend(self.page.selector.map(|selector| ("selector".to_owned(), selector.to_owned())));
        }
        // A page without what is asked for is an answer like any other; a query that is none is a mistake in here.
        let call = request::parse(operation, &query).unwrap_or_else(|fault| unreachable!("{query:?}: {fault}"));
        let layout: &dyn Layout = self.boxes.as_ref().map_or(&NoLayout, |boxes| boxes);
        let options = Options { layout, ..Options::default() };
        let _ = black_box(extract_within(snapshot, &call.request, &options, &budget));
        before - budget.steps() + (MAX_READING_STEPS - reading.steps())
    }
}
