//! Finds stylesheets inside `noscript`, which authors provide for visitors without scripts.

use super::{SheetReference, SheetSource, placed};
use crate::dom::{Document, NodeId};
use std::collections::HashSet;
use url::Url;

/// Returns every stylesheet of a page whose scripts do not run, in document order. Those inside `noscript` are
/// included: they show elements that scripts would fade in, and set the colours of a theme that a script would choose.
///
/// A stylesheet that the page applies with scripts as well is not repeated. Images count as loaded even if scripts load
/// them lazily, so a stylesheet that hides lazy images in favour of a copy inside `noscript` is left out.
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
    // Stable: stylesheets of one element keep their order.
    all.sort_by_key(|(node, _)| *node);
    all.into_iter().map(|(_, sheet)| sheet).collect()
}

/// Returns true for `<style>.lazyload{display:none}</style>` and `<style>[data-src]{display:none}</style>`.
fn hides_late_pictures(sheet: &SheetSource) -> bool {
    let SheetSource::Inline(text) = sheet else { return false };
    text.contains("none") && ["lazy", "data-src"].iter().any(|word| text.contains(word))
}
