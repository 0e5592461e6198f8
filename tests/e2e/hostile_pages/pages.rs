//! The pages of the attack: each once stopped a fleet, or took its processors or its memory for minutes.

use limner_hostile::cases::all_cases;
use limner_testkit::{CannedResponse, OriginServer};
use std::collections::HashMap;

/// A page, by its generator and size, and the operation that it was made for.
#[derive(Debug, Clone, Copy)]
pub(super) struct HostilePage {
    pub(super) case: &'static str,
    size: usize,
    pub(super) operation: &'static str,
}

const fn page(case: &'static str, size: usize, operation: &'static str) -> HostilePage {
    HostilePage { case, size, operation }
}

/// Selectors nested to the cap, products of rules and elements, of rules and states, long chains of custom properties
/// under many conditions, scopes, siblings, imports, end tags, what `:has()` keeps, sheets that import each other, what
/// substitution keeps, and a feed of one element with endless attributes.
pub(super) const PAGES: &[HostilePage] = &[
    page("selectors/nested-is", 45, "code"),
    page("selectors/product-not", 4_000, "code"),
    page("selectors/product-states", 4_000, "code"),
    page("code/checked", 2_000, "code"),
    page("custom/cross-references", 1_500, "code"),
    page("rules/scopes-nested-elements", 2_000, "code"),
    page("html/siblings", 100_000, "code"),
    page("rules/imports-with-conditions", 100_000, "extract"),
    page("html/deep-end-tags-li", 1_900_000, "images"),
    page("selectors/product-has", 5_600, "brand"),
    page("rules/imports-tree", 12, "brand"),
    page("custom/large-value-in-elements", 40_000, "brand"),
    page("data/feed-attributes", 800_000, "audio"),
];

/// The pages at a site: `/{number of the page}/{any text}/`.
pub(super) struct Attack {
    selectors: Vec<Option<&'static str>>,
}

impl Attack {
    /// Serves the pages at every path that has no other response.
    pub(super) fn serve(site: &OriginServer) -> Self {
        let cases = all_cases();
        let (mut files, mut selectors) = (HashMap::new(), Vec::new());
        for (number, page) in PAGES.iter().enumerate() {
            let case = cases.iter().find(|case| case.name == page.case).unwrap_or_else(|| panic!("no {}", page.case));
            let made = case.page(page.size);
            selectors.push(made.selector);
            files.insert((number, String::new()), CannedResponse::html(made.html));
            files.extend(made.files.into_iter().map(|(path, bytes)| {
                let media_type = if path.ends_with(".css") { "text/css" } else { "application/xml" };
                ((number, path), CannedResponse::new(media_type, bytes))
            }));
        }
        site.fallback(move |request| {
            let mut parts = request.path.splitn(4, '/').skip(1);
            let number = parts.next().and_then(|number| number.parse().ok());
            let file = parts.nth(1).unwrap_or_default().to_owned();
            let found = number.and_then(|number| files.get(&(number, file)).cloned());
            found.unwrap_or_else(|| CannedResponse::html("").status(404))
        });
        Self { selectors }
    }

    /// Returns operation and query of a call for page `number`; each `name` is another address.
    pub(super) fn call(&self, number: usize, name: &str) -> (&'static str, Vec<(&'static str, String)>) {
        let mut query = vec![("url", format!("http://hostile.test/{number}/{name}/"))];
        query.extend(self.selectors[number].map(|selector| ("selector", selector.to_owned())));
        (PAGES[number].operation, query)
    }
}
