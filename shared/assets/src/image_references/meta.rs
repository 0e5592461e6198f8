//! Collects images of `meta` elements: Open Graph, Twitter cards, Windows tiles, microdata.

use super::{ImageOrigin, ImageReference, ReferenceCollector, ReferenceElement};
use limner_page::dimension::Dimension;
use limner_types::result::ImageSource;

/// The meaning of a `meta` element.
enum MetaContent {
    /// The URL of an image.
    Image(ImageSource),
    /// A property of the preceding image.
    About(ImageSource, ImageMetaProperty),
}

enum ImageMetaProperty {
    Width,
    Height,
    Alt,
    Type,
}

impl ReferenceCollector<'_> {
    pub(super) fn meta(&mut self, place: &ReferenceElement<'_>) {
        let meta = place.element;
        let Some(content) = meta.attr("content").map(str::trim).filter(|content| !content.is_empty()) else { return };
        let named = meta.attr("property").and_then(meta_content).or_else(|| meta.attr("name").and_then(meta_content));
        let microdata = || meta.attr_has_token("itemprop", "image").then_some(MetaContent::Image(ImageSource::Og));
        match named.or_else(microdata) {
            Some(MetaContent::Image(source)) => self.named_image(place, content, source),
            Some(MetaContent::About(source, property)) => self.image_property(content, source, &property),
            None => {}
        }
    }

    fn named_image(&mut self, place: &ReferenceElement<'_>, content: &str, source: ImageSource) {
        let Some(url) = self.resolve(content) else { return };
        let element = place.in_page.then_some(place.node);
        let before = self.references.len();
        self.add(ImageReference { element, ..ImageReference::new(url, ImageOrigin::Image(source)) });
        if let Some(slot) = size_slot(source) {
            self.described[slot] = (self.references.len() > before).then_some(before);
        }
    }

    fn image_property(&mut self, content: &str, source: ImageSource, property: &ImageMetaProperty) {
        let described = size_slot(source).and_then(|slot| self.described[slot]);
        let Some(reference) = described.and_then(|at| self.references.get_mut(at)) else { return };
        match property {
            ImageMetaProperty::Width => {
                reference.width = reference.width.or_else(|| Dimension::parse(content)?.pixels())
            }
            ImageMetaProperty::Height => {
                reference.height = reference.height.or_else(|| Dimension::parse(content)?.pixels())
            }
            ImageMetaProperty::Alt => reference.alt = reference.alt.take().or_else(|| Some(content.to_owned())),
            ImageMetaProperty::Type => reference.media_type = Some(content.to_owned()),
        }
    }
}

fn size_slot(source: ImageSource) -> Option<usize> {
    match source {
        ImageSource::Og => Some(0),
        ImageSource::Twitter => Some(1),
        _ => None,
    }
}

fn meta_content(name: &str) -> Option<MetaContent> {
    let name = name.trim().to_ascii_lowercase();
    if let Some(rest) = name.strip_prefix("og:image") {
        return for_image_property(rest, ImageSource::Og);
    }
    if let Some(rest) = name.strip_prefix("twitter:image") {
        return for_image_property(rest, ImageSource::Twitter);
    }
    let tile = name.strip_prefix("msapplication-")?;
    matches!(tile, "tileimage" | "square70x70logo" | "square150x150logo" | "wide310x150logo" | "square310x310logo")
        .then_some(MetaContent::Image(ImageSource::Favicon))
}

/// Returns the meaning of the rest after `og:image` or `twitter:image`; the latter is numbered in
/// galleries.
fn for_image_property(rest: &str, source: ImageSource) -> Option<MetaContent> {
    match rest {
        "" | ":url" | ":secure_url" | ":src" | "0" | "1" | "2" | "3" => Some(MetaContent::Image(source)),
        ":width" => Some(MetaContent::About(source, ImageMetaProperty::Width)),
        ":height" => Some(MetaContent::About(source, ImageMetaProperty::Height)),
        ":alt" => Some(MetaContent::About(source, ImageMetaProperty::Alt)),
        ":type" => Some(MetaContent::About(source, ImageMetaProperty::Type)),
        _ => None,
    }
}
