//! Collects images of `link` elements: icons, preloads, and those of the manifest.

use super::{ImageOrigin, ImageReference, ReferenceCollector, ReferenceElement, manifest, srcset};
use limner_page::dom::Element;
use limner_types::result::ImageSource;

impl ReferenceCollector<'_> {
    pub(super) fn link(&mut self, place: &ReferenceElement<'_>) {
        let link = place.element;
        if link.attr_has_token("rel", "manifest") {
            // Browsers use only the first one.
            if std::mem::replace(&mut self.has_manifest, true) {
                return;
            }
            let icons = link.attr("href").and_then(|href| self.resolve(href));
            let icons = icons.map(|url| manifest::images(self.view.page, &url)).unwrap_or_default();
            icons.into_iter().for_each(|icon| self.add(icon));
            return;
        }
        let Some(source) = link_image_source(link) else { return };
        let reference = |url| {
            let (width, height) = link.attr("sizes").and_then(largest_size).unzip();
            let given =
                |name| link.attr(name).map(str::trim).filter(|value: &&str| !value.is_empty()).map(str::to_owned);
            ImageReference {
                element: place.in_page.then_some(place.node),
                width,
                height,
                media: given("media"),
                media_type: given("type"),
                ..ImageReference::new(url, ImageOrigin::Image(source))
            }
        };
        if let Some(url) = link.attr("href").and_then(|href| self.resolve(href)) {
            self.add(reference(url));
        }
        for candidate in srcset::parse(link.attr("imagesrcset").unwrap_or_default()) {
            if self.is_full() {
                return;
            }
            if let Some(url) = self.resolve(candidate.url) {
                self.add(ImageReference { descriptor: candidate.descriptor, ..reference(url) });
            }
        }
    }
}

/// Returns the kind of image that a link's relation refers to; `None` if it is no image.
fn link_image_source(link: &Element) -> Option<ImageSource> {
    let rel = link.attr("rel").unwrap_or_default().to_ascii_lowercase();
    let tokens: Vec<&str> = rel.split_ascii_whitespace().collect();
    let has = |token: &str| tokens.contains(&token);
    if has("mask-icon") {
        Some(ImageSource::MaskIcon)
    } else if tokens.iter().any(|token| token.starts_with("apple-touch-")) {
        Some(ImageSource::TouchIcon)
    } else if has("icon") || has("fluid-icon") {
        Some(ImageSource::Favicon)
    } else if (has("preload") || has("prefetch")) && loads_image(link) || has("image_src") {
        Some(ImageSource::Preload)
    } else if link.attr_has_token("itemprop", "image") {
        Some(ImageSource::Og)
    } else {
        None
    }
}

fn loads_image(link: &Element) -> bool {
    let says = |name: &str| link.attr(name).unwrap_or_default().trim().to_ascii_lowercase();
    match says("as").as_str() {
        "image" => true,
        "" => says("type").starts_with("image/"),
        _ => false,
    }
}

/// Returns the largest size in `16x16 32x32`; `any` does not count.
pub(super) fn largest_size(sizes: &str) -> Option<(u32, u32)> {
    let read = |size: &str| {
        let (width, height) = size.split_once(['x', 'X'])?;
        Some((width.parse().ok()?, height.parse().ok()?))
    };
    sizes
        .split_ascii_whitespace()
        .filter_map(read)
        .max_by_key(|(width, height): &(u32, u32)| (u64::from(*width) * u64::from(*height), *width))
}
