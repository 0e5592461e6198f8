//! Implements `/fonts`: lists every `@font-face` rule of all stylesheets, including imported ones,
//! as a browser keeps it.
//!
//! The rules were derived from Chromium and agree with CSS Fonts 4: a descriptor that is invalid or
//! `!important` is dropped; a source in an unsupported format or with an unsupported technology
//! (`embedded-opentype`, `svg`, `features-graphite`, …) is dropped, and a `src` without a remaining
//! source leaves the previous `src` in effect; a rule without family or `src` creates no face;
//! `@font-face` inside a style rule, `@keyframes` or `@page` is invalid. Faces under `@media` and
//! `@supports` are listed regardless of the condition.

mod axes;
mod descriptors;
mod families;
mod origin;
mod sheet;
pub(crate) mod src;
#[cfg(test)]
mod tests;
mod texts;
mod usage;

use crate::media::{address, format};
use crate::{ExtractError, Extraction, PageView};
use limner_page::PageSnapshot;
use limner_types::Request;
use limner_types::result::{FontFace, FontPreload, FontsResult};
use sheet::{Collected, Face};
use std::collections::{HashMap, HashSet};

/// Returns the result of `/fonts`.
pub(crate) fn extract(view: &PageView<'_>, _request: &Request) -> Result<Extraction, ExtractError> {
    Extraction::json(&read(view))
}

/// Returns no URLs: `/fonts` needs no subresources.
pub(crate) fn needs(_page: &PageSnapshot) -> Vec<String> {
    Vec::new()
}

fn read(view: &PageView<'_>) -> FontsResult {
    let collected = sheet::collect(view.page);
    let used = usage::used_faces(view, &collected.faces);
    let mut preloads = preloads(view);
    let site = origin::Site::of(&view.page.url);
    let mut fonts = Vec::with_capacity(collected.faces.len());
    let by_url: HashMap<String, usize> =
        preloads.iter().enumerate().map(|(index, preload)| (preload.url.clone(), index)).collect();
    for (face, used) in collected.faces.iter().zip(used) {
        let preloaded: Vec<usize> = face.urls().filter_map(|url| by_url.get(url)).copied().collect();
        for index in &preloaded {
            preloads[*index].family.get_or_insert_with(|| face.family.clone());
        }
        fonts.push(item(face, &collected, &site, used, !preloaded.is_empty()));
    }
    let mut room = view.room();
    let mut families = families::Sizes::default();
    let fonts = room.keep_with(fonts, |face| families.grow_by(face));
    let preloads = room.keep(preloads);
    let mut common = view.common();
    common.truncated = (room.is_cut() || collected.is_full).then_some(true);
    FontsResult { common, families: families::group(&fonts), count: fonts.len(), fonts, preloads }
}

fn item(face: &Face, collected: &Collected, site: &origin::Site, used: bool, preload: bool) -> FontFace {
    let file = face.src.iter().find(|src| src.url.is_some());
    FontFace {
        family: face.family.clone(),
        weight: face.weight.to_string(),
        style: face.style.to_string(),
        stretch: face.stretch.as_ref().map(ToString::to_string),
        display: face.display.map(str::to_owned),
        unicode_range: face.unicode_range.as_deref().map(descriptors::written),
        variable: axes::of(face, collected.sheet_of(face)),
        url: file.and_then(|src| src.url.clone()),
        format: file.and_then(|src| src.format.clone()),
        source: site.source_of(file.and_then(|src| src.url.as_deref())),
        src: face.src.clone(),
        used,
        preload,
        media: face.media.as_deref().map(str::to_owned),
        sheet: collected.sheet_of(face).map(str::to_owned),
    }
}

/// Returns `link rel=preload as=font`, each URL once.
fn preloads(view: &PageView<'_>) -> Vec<FontPreload> {
    let mut found: Vec<FontPreload> = Vec::new();
    let mut known: HashSet<String> = HashSet::new();
    for (_, link) in view.document.elements_named("link") {
        let is_font = link.attr("as").is_some_and(|kind| kind.trim().eq_ignore_ascii_case("font"));
        if !link.attr_has_token("rel", "preload") || !is_font {
            continue;
        }
        let Some(url) = link.attr("href").and_then(|href| address::web_absolute(view, href)) else { continue };
        let declared = link.attr("type").and_then(format::essence).and_then(|t| src::format_of_type(&t));
        let format = declared.or_else(|| src::format_of_name(&url)).map(str::to_owned);
        let url = url.to_string();
        if known.insert(url.clone()) {
            found.push(FontPreload { url, format, family: None });
        }
    }
    found
}
