//! A row of the table.

use crate::page::Page;
use crate::subject::Subject;
use std::fmt;

/// A way to make a page of any size.
pub struct Case {
    /// The grammar and the place in it: `selectors/list`.
    pub name: String,
    /// The part that ordinary tests measure; the soak measures everything.
    pub subjects: Vec<Subject>,
    /// The smallest size that says something. The ordinary tests double it twice.
    pub from: usize,
    page: Box<dyn Fn(usize) -> Page + Send + Sync>,
}

impl Case {
    /// A case by what makes its page.
    pub fn new(
        name: impl Into<String>,
        subjects: &[Subject],
        from: usize,
        page: impl Fn(usize) -> Page + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), subjects: subjects.to_vec(), from, page: Box::new(page) }
    }

    /// The page of that size.
    pub fn page(&self, size: usize) -> Page {
        (self.page)(size)
    }

    /// Everything that is done for pages; `/code` in every framework where the case is about what emitters write.
    pub fn all_subjects(&self) -> Vec<Subject> {
        Subject::list(self.grammar() == "code")
    }

    /// The grammar that the case is about.
    pub fn grammar(&self) -> &str {
        self.name.split('/').next().unwrap_or_default()
    }
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Case").field("name", &self.name).field("from", &self.from).finish_non_exhaustive()
    }
}

/// The template `size` times, with `{i}` for the number of each and `{next}` for the one after.
pub fn repeated(template: &str, size: usize) -> String {
    let mut text = String::with_capacity(template.len() * size);
    for number in 0..size {
        text.push_str(&template.replace("{i}", &number.to_string()).replace("{next}", &(number + 1).to_string()));
    }
    text
}

/// The same with a comma between each two.
pub fn comma_repeated(template: &str, size: usize) -> String {
    let mut text = repeated(&format!("{template},"), size);
    text.pop();
    text
}

/// The template in itself `size` times: `{inner}` is where the next one goes, and the core goes into the last.
pub fn nested(template: &str, core: &str, size: usize) -> String {
    let (open, close) = template.split_once("{inner}").unwrap_or((template, ""));
    let mut text = String::with_capacity((open.len() + close.len()) * size + core.len());
    for number in 0..size {
        text.push_str(&open.replace("{i}", &number.to_string()));
    }
    text.push_str(core);
    for _ in 0..size {
        text.push_str(close);
    }
    text
}
