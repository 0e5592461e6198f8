//! Implements `/fonts`: lists every `@font-face` rule of all stylesheets, including imported ones,
//! as a browser keeps it.
//!
//! The rules were derived from Chromium and agree with CSS Fonts 4: a descriptor that is invalid or
//! `!important` is dropped; a source in an unsupported format or with an unsupported technology
//! (`embedded-opentype`, `svg`, `features-graphite`, …) is dropped, and a `src` without a remaining
//! source leaves the previous `src` in effect; a rule without family or `src` creates no face;
//! `@font-face` inside a style rule, `@keyframes` or `@page` is invalid. Faces under `@media` and
//! `@supports` are listed regardless of the condition.

mod descriptor_syntax;
mod descriptors;
mod families;
pub mod file_origin;
mod font_face_rules;
mod font_query;
mod rendered_text;
pub mod src_descriptor;
#[cfg(test)]
mod tests;
mod usage;
mod variation_axes;

use crate::empty_list_hints;
use crate::media::{format, urls};
use font_face_rules::{FontFaceRule, FontFaceRules};
use limner_page::{PageSnapshot, WorkBudget};
use limner_page_view::{ExtractError, Extraction, PageView};
use limner_types::result::{FontFace, FontPreload, FontsResult};
use limner_types::{Operation, OperationRequest};
use std::collections::{HashMap, HashSet};

/// Returns the result of `/fonts`.
///
/// # Errors
/// Returns [`ExtractError::Serialise`] if the result cannot be serialized.
pub fn extract(view: &PageView<'_>, _request: &OperationRequest) -> Result<Extraction, ExtractError> {
    Extraction::json(&extract_fonts(view))
}

/// Returns no URLs: `/fonts` needs no subresources.
pub fn required_subresources(_: &PageSnapshot, _: &WorkBudget) -> Vec<String> {
    Vec::new()
}

fn extract_fonts(view: &PageView<'_>) -> FontsResult {
    let collected = font_face_rules::collect(view.page);
    let used = usage::used_faces(view, &collected.faces);
    let mut preloads = preloads(view);
    let site = file_origin::PageSite::from_url(&view.page.url);
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
    let mut room = view.size_budget();
    let mut families = families::FamilySizes::default();
    let fonts = room.retain_fitting_with(fonts, |face| families.grow_by(face));
    let preloads = room.retain_fitting(preloads);
    let mut common = empty_list_hints::common(view, Operation::Fonts, fonts.len());
    common.truncated = (room.is_truncated() || collected.is_full).then_some(true);
    FontsResult { common, families: families::group(&fonts), count: fonts.len(), fonts, preloads }
}

fn item(
    face: &FontFaceRule,
    collected: &FontFaceRules,
    site: &file_origin::PageSite,
    used: bool,
    preload: bool,
) -> FontFace {
    let file = face.src.iter().find(|src| src.url.is_some());
    FontFace {
        family: face.family.clone(),
        weight: face.weight.to_string(),
        style: face.style.to_string(),
        stretch: face.stretch.as_ref().map(ToString::to_string),
        display: face.display.map(str::to_owned),
        unicode_range: face.unicode_range.as_deref().map(descriptors::unicode_range_text),
        variable: variation_axes::variable_font(face, collected.stylesheet_url(face)),
        url: file.and_then(|src| src.url.clone()),
        format: file.and_then(|src| src.format.clone()),
        source: site.classify(file.and_then(|src| src.url.as_deref())),
        src: face.src.clone(),
        used,
        preload,
        media: face.media.as_deref().map(str::to_owned),
        sheet: collected.stylesheet_url(face).map(str::to_owned),
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
        let Some(url) = link.attr("href").and_then(|href| urls::web_absolute(view, href)) else { continue };
        let declared = link.attr("type").and_then(format::essence).and_then(|t| src_descriptor::format_of_type(&t));
        let format = declared.or_else(|| src_descriptor::format_of_name(&url)).map(str::to_owned);
        let url = url.to_string();
        if known.insert(url.clone()) {
            found.push(FontPreload { url, format, family: None });
        }
    }
    found
}
