//! The style sheets inside `noscript`: what a page's author gives it to look right where no script runs.

use super::{SheetReference, SheetSource, placed};
use crate::dom::{Document, NodeId};
use std::collections::HashSet;
use url::Url;

/// Every style sheet of a page whose scripts do not run, in document order: those inside `noscript` too, which show what
/// scripts would have faded in, and bring the colours of a theme that a script would have chosen.
///
/// A sheet that the page has anyway, once a script has switched it on, is not there twice. And pictures count as loaded
/// however late their scripts load them, so a sheet that hides them in favour of a copy inside `noscript` is none.
pub fn sheets_without_scripts(document: &Document, base: &Url) -> Vec<SheetReference> {
    let mut all = placed(document, base);
    let key = |sheet: &SheetReference| (sheet.source.clone(), sheet.media.clone());
    let known: HashSet<(SheetSource, String)> = all.iter().map(|(_, sheet)| key(sheet)).collect();
    let mut added: Vec<(NodeId, SheetReference)> = Vec::new();
    for (at, contents) in document.noscript_contents() {
        let inside = placed(&contents, base).into_iter().map(|(_, sheet)| SheetReference { element: None, ..sheet });
        let own = inside.filter(|sheet| !known.contains(&key(sheet)) && !hides_late_pictures(&sheet.source));
        added.extend(own.map(|sheet| (at, sheet)));
    }
    all.append(&mut added);
    // Stable: sheets of one element keep their order.
    all.sort_by_key(|(node, _)| *node);
    all.into_iter().map(|(_, sheet)| sheet).collect()
}

/// `<style>.lazyload{display:none}</style>`, `<style>[data-src]{display:none}</style>`.
fn hides_late_pictures(sheet: &SheetSource) -> bool {
    let SheetSource::Inline(text) = sheet else { return false };
    text.contains("none") && ["lazy", "data-src"].iter().any(|word| text.contains(word))
}
