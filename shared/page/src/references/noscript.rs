//! Finds the stylesheets of a page whose scripts do not run: also those inside `noscript`, which authors provide for
//! visitors without scripts, and those that scripts load by declaration.

use super::script_stylesheets::stylesheets_of_scripts;
use super::{StylesheetReference, StylesheetSource, stylesheets_by_element};
use crate::DocumentBase;
use crate::dom::{Document, NodeId};
use std::collections::HashSet;

/// Returns every stylesheet of a page whose scripts do not run, in document order. Those inside `noscript` are
/// included: they show elements that scripts would fade in, and set the colours of a theme that a script would choose.
///
/// So are those that scripts load by declaration, such as the fonts of the Web Font Loader.
///
/// A stylesheet that the page applies with scripts as well is not repeated. Images count as loaded even if scripts load
/// them lazily, so a stylesheet that hides lazy images in favour of a copy inside `noscript` is left out.
pub fn stylesheets_with_scripting_disabled(document: &Document, base: &DocumentBase) -> Vec<StylesheetReference> {
    let mut all = stylesheets_by_element(document, base);
    let key = |sheet: &StylesheetReference| (sheet.source.clone(), sheet.media.clone());
    let known: HashSet<(StylesheetSource, String)> = all.iter().map(|(_, sheet)| key(sheet)).collect();
    let mut added: Vec<(NodeId, StylesheetReference)> = Vec::new();
    for (at, contents) in document.noscript_contents() {
        let inside = stylesheets_by_element(&contents, base)
            .into_iter()
            .map(|(_, sheet)| StylesheetReference { element: None, ..sheet });
        let own = inside.filter(|sheet| !known.contains(&key(sheet)) && !hides_lazy_images(&sheet.source));
        added.extend(own.map(|sheet| (at, sheet)));
    }
    let loaded = stylesheets_of_scripts(document, base);
    added.extend(loaded.into_iter().filter(|(_, sheet)| !known.contains(&key(sheet))));
    all.append(&mut added);
    // Stable: stylesheets of one element keep their order.
    all.sort_by_key(|(node, _)| *node);
    all.into_iter().map(|(_, sheet)| sheet).collect()
}

/// Returns true for `<style>.lazyload{display:none}</style>` and `<style>[data-src]{display:none}</style>`.
fn hides_lazy_images(sheet: &StylesheetSource) -> bool {
    let StylesheetSource::Inline(text) = sheet else { return false };
    text.contains("none") && ["lazy", "data-src"].iter().any(|word| text.contains(word))
}
