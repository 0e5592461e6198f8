//! Implements `/lottie`: returns every animation that the page plays, as standard Lottie JSON.
//!
//! An animation that a player refers to is always listed, with the reason if it could not be read
//! or does not conform to the Lottie 1.0 specification. Other candidates (a preloaded JSON file, a
//! string in a script) are listed only if they are animations.

mod animation;
mod discovery;
mod dotlottie;
mod inline_scripts;
#[cfg(test)]
mod tests;
mod validate;

use crate::empty_list_hints;
use crate::media::urls;
use animation::{Animation, AnimationError};
use discovery::{AnimationCandidate, CandidateSource};
use limner_page::data_url::DataUrl;
use limner_page::{PageSnapshot, WorkBudget};
use limner_page_view::{ExtractError, Extraction, PageView, inner_documents};
use limner_style::layout::NoLayout;
use limner_types::result::{LottieFormat, LottieItem, LottieResult};
use limner_types::{Operation, OperationRequest};
use sha2::{Digest, Sha256};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use url::Url;

/// Maximum number of files that are read for a page.
const MAX_FILES: usize = 40;
/// Maximum number of animations per page.
const MAX_ITEMS: usize = 200;

/// Returns the files of the animations that players inside an element display.
pub fn files_in(view: &PageView<'_>, root: limner_page::NodeId) -> Vec<url::Url> {
    discovery::player_files_in(view, root)
}

/// Returns the result of `/lottie`.
///
/// # Errors
/// Returns [`ExtractError::Serialise`] if the result cannot be serialized.
pub fn extract(view: &PageView<'_>, _request: &OperationRequest) -> Result<Extraction, ExtractError> {
    Extraction::json(&extract_lottie(view))
}

/// Returns the files that may be animations, those of players first.
pub fn required_subresources(page: &PageSnapshot, budget: &WorkBudget) -> Vec<String> {
    let view = PageView::within(page, &NoLayout, budget);
    let (certain, possible): (Vec<AnimationCandidate>, Vec<AnimationCandidate>) =
        discovery::candidates(&view).into_iter().partition(|candidate| candidate.is_certain);
    let urls = certain.into_iter().chain(possible).filter_map(|candidate| candidate.target.into_url());
    // Files that were already fetched count, so that repeated calls do not exceed the limit.
    let mut first: Vec<Url> = Vec::new();
    for url in urls {
        if first.len() < MAX_FILES && !first.contains(&url) {
            first.push(url);
        }
    }
    let mut wanted = inner_documents::missing_frames(&view);
    wanted.extend(urls::missing(&view, first.into_iter(), MAX_FILES));
    wanted
}

fn extract_lottie(view: &PageView<'_>) -> LottieResult {
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut items: Vec<LottieItem> = Vec::new();
    let mut is_cut = false;
    for item in discovery::candidates(view).into_iter().flat_map(|candidate| candidate_items(view, candidate)) {
        match known.entry(identity(&item)) {
            // The source of a player is preferred to that of the preloading link.
            Entry::Occupied(same) => items[*same.get()].source = items[*same.get()].source.min(item.source),
            Entry::Vacant(new) if items.len() < MAX_ITEMS => {
                new.insert(items.len());
                items.push(item);
            }
            Entry::Vacant(_) => is_cut = true,
        }
    }
    let files: HashSet<&str> = items.iter().filter_map(|item| item.url.as_deref()).collect();
    is_cut |= files.len() > MAX_FILES;
    let mut room = view.size_budget();
    let lottie = room.retain_fitting(items);
    let mut common = empty_list_hints::common(view, Operation::Lottie, lottie.len());
    common.truncated = (is_cut || room.is_truncated()).then_some(true);
    LottieResult { common, count: lottie.len(), lottie }
}

/// Returns the identity of an item: URL and ID in the archive, or the content if it is inline.
fn identity(item: &LottieItem) -> String {
    match (&item.url, &item.animation) {
        (Some(url), _) => format!("{url}#{}", item.id.as_deref().unwrap_or_default()),
        (None, Some(animation)) => format!("{:x}", Sha256::digest(animation.get())),
        (None, None) => String::new(),
    }
}

fn candidate_items(view: &PageView<'_>, candidate: AnimationCandidate) -> Vec<LottieItem> {
    let AnimationCandidate { source, target, is_certain, .. } = candidate;
    let blank = |url: Option<String>, format: LottieFormat| LottieItem {
        url,
        source,
        format,
        name: None,
        id: None,
        version: None,
        width: None,
        height: None,
        frame_rate: None,
        duration_seconds: None,
        layers: None,
        valid: false,
        problems: Vec::new(),
        animation: None,
    };
    match target {
        CandidateSource::Inline(json) => match animation::parse(&json) {
            Ok(animation) => vec![filled(blank(None, LottieFormat::Inline), animation)],
            // The text only resembled an animation.
            Err(_) => Vec::new(),
        },
        CandidateSource::File(url) => {
            let is_archive = dotlottie::has_lottie_extension(&url);
            let format = if is_archive { LottieFormat::Dotlottie } else { LottieFormat::Json };
            match read_file(view, &url) {
                Ok(AnimationFile::Json(animation)) => {
                    vec![filled(blank(Some(url.into()), LottieFormat::Json), animation)]
                }
                Ok(AnimationFile::Archive(animations)) => animations
                    .into_iter()
                    .map(|(id, read)| {
                        let item = LottieItem { id: Some(id), ..blank(Some(url.to_string()), LottieFormat::Dotlottie) };
                        match read {
                            Ok(animation) => filled(item, animation),
                            Err(reason) => LottieItem { problems: vec![reason.to_string()], ..item },
                        }
                    })
                    .collect(),
                Err(reason) if is_certain => {
                    vec![LottieItem { problems: vec![reason.to_string()], ..blank(Some(url.into()), format) }]
                }
                Err(_) => Vec::new(),
            }
        }
    }
}

fn filled(blank: LottieItem, animation: Animation) -> LottieItem {
    LottieItem {
        name: animation.name,
        version: animation.version,
        width: animation.width,
        height: animation.height,
        frame_rate: animation.frame_rate,
        duration_seconds: animation.duration_seconds,
        layers: Some(animation.layers),
        valid: animation.problems.is_empty(),
        problems: animation.problems,
        animation: Some(animation.json),
        ..blank
    }
}

enum AnimationFile {
    Json(Animation),
    /// Animations by ID.
    Archive(Vec<(String, Result<Animation, AnimationError>)>),
}

fn read_file(view: &PageView<'_>, url: &Url) -> Result<AnimationFile, AnimationError> {
    if url.scheme() == "data" {
        let data = DataUrl::parse_with_fragment(url).ok_or(AnimationError::Unavailable)?;
        return animation::parse(&String::from_utf8_lossy(&data.bytes)).map(AnimationFile::Json);
    }
    let resource = urls::resource(view, url.as_str()).ok_or(AnimationError::Unavailable)?;
    if resource.truncated {
        return Err(AnimationError::TooLarge);
    }
    if dotlottie::is_archive(&resource.body) {
        return dotlottie::unpack(&resource.body).map(AnimationFile::Archive);
    }
    animation::parse(&String::from_utf8_lossy(&resource.body)).map(AnimationFile::Json)
}
