//! Merges references to the same URL into one item.

use crate::image_references::{ImageReference, key};
use limner_types::result::{ImageItem, ImageSource};
use std::collections::HashMap;

/// Collects references into items, in the order of the first reference to each URL.
#[derive(Default)]
pub(super) struct ImageMerger {
    items: Vec<ImageItem>,
    by_url: HashMap<String, usize>,
}

impl ImageMerger {
    pub(super) fn add(&mut self, reference: ImageReference, source: ImageSource) {
        // In a `data:` URL, an unescaped `#` is most likely part of the image, so nothing is cut
        // off.
        let is_data = reference.url.scheme() == "data";
        let url = if is_data { reference.url.as_str() } else { key(&reference.url) };
        match self.by_url.get(url) {
            Some(index) => merge(&mut self.items[*index], reference, source),
            None => {
                let url = url.to_owned();
                self.by_url.insert(url.clone(), self.items.len());
                self.items.push(item(url, reference, source));
            }
        }
    }

    pub(super) fn into_items(self) -> Vec<ImageItem> {
        let only_when_several = |mut item: ImageItem| {
            item.sources.sort_unstable();
            if item.sources.len() < 2 {
                item.sources.clear();
            }
            item
        };
        self.items.into_iter().map(only_when_several).collect()
    }
}

fn item(url: String, reference: ImageReference, source: ImageSource) -> ImageItem {
    let ImageReference { alt, width, height, descriptor, media, media_type, .. } = reference;
    ImageItem { url, source, sources: vec![source], alt, width, height, descriptor, media, media_type }
}

/// Merges a reference into an item. The source with the highest precedence wins; others fill in
/// missing values.
fn merge(item: &mut ImageItem, reference: ImageReference, source: ImageSource) {
    let newcomer_leads = source < item.source;
    let unconditional = if newcomer_leads {
        reference.media.is_none()
    } else {
        item.media.is_none() || (source == item.source && reference.media.is_none())
    };
    let (alt_first, alt_second) = ordered(newcomer_leads, item.alt.take(), reference.alt);
    // An empty `alt` marks a decorative use; a description of another use wins.
    let described = alt_first.clone().filter(|alt| !alt.is_empty());
    item.alt = described.or_else(|| alt_second.filter(|alt| !alt.is_empty())).or(alt_first);
    item.width = first_present(newcomer_leads, item.width, reference.width);
    item.height = first_present(newcomer_leads, item.height, reference.height);
    item.descriptor = first_present(newcomer_leads, item.descriptor.take(), reference.descriptor);
    item.media_type = first_present(newcomer_leads, item.media_type.take(), reference.media_type);
    item.media = first_present(newcomer_leads, item.media.take(), reference.media).filter(|_| !unconditional);
    item.source = item.source.min(source);
    if !item.sources.contains(&source) {
        item.sources.push(source);
    }
}

fn ordered<T>(newcomer_leads: bool, present: T, newcomer: T) -> (T, T) {
    if newcomer_leads { (newcomer, present) } else { (present, newcomer) }
}

fn first_present<T>(newcomer_leads: bool, present: Option<T>, newcomer: Option<T>) -> Option<T> {
    let (first, second) = ordered(newcomer_leads, present, newcomer);
    first.or(second)
}
