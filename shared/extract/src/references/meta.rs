//! Collects images of `meta` elements: Open Graph, Twitter cards, Windows tiles, microdata.

use super::element::pixels;
use super::{Collector, Origin, Place, Reference};
use limner_types::result::ImageSource;

/// The meaning of a `meta` element.
enum Said {
    /// The URL of an image.
    Image(ImageSource),
    /// A property of the preceding image.
    About(ImageSource, Property),
}

enum Property {
    Width,
    Height,
    Alt,
    Type,
}

impl Collector<'_> {
    pub(super) fn meta(&mut self, place: &Place<'_>) {
        let meta = place.element;
        let Some(content) = meta.attr("content").map(str::trim).filter(|content| !content.is_empty()) else { return };
        let named = meta.attr("property").and_then(said).or_else(|| meta.attr("name").and_then(said));
        let microdata = || meta.attr_has_token("itemprop", "image").then_some(Said::Image(ImageSource::Og));
        match named.or_else(microdata) {
            Some(Said::Image(source)) => self.named_image(place, content, source),
            Some(Said::About(source, property)) => self.about_image(content, source, &property),
            None => {}
        }
    }

    fn named_image(&mut self, place: &Place<'_>, content: &str, source: ImageSource) {
        let Some(url) = self.resolve(content) else { return };
        let element = place.in_page.then_some(place.node);
        let before = self.found.len();
        self.add(Reference { element, ..Reference::new(url, Origin::Image(source)) });
        if let Some(slot) = slot(source) {
            self.described[slot] = (self.found.len() > before).then_some(before);
        }
    }

    fn about_image(&mut self, content: &str, source: ImageSource, property: &Property) {
        let described = slot(source).and_then(|slot| self.described[slot]);
        let Some(reference) = described.and_then(|at| self.found.get_mut(at)) else { return };
        match property {
            Property::Width => reference.width = reference.width.or_else(|| pixels(content)),
            Property::Height => reference.height = reference.height.or_else(|| pixels(content)),
            Property::Alt => reference.alt = reference.alt.take().or_else(|| Some(content.to_owned())),
            Property::Type => reference.media_type = Some(content.to_owned()),
        }
    }
}

fn slot(source: ImageSource) -> Option<usize> {
    match source {
        ImageSource::Og => Some(0),
        ImageSource::Twitter => Some(1),
        _ => None,
    }
}

fn said(name: &str) -> Option<Said> {
    let name = name.trim().to_ascii_lowercase();
    if let Some(rest) = name.strip_prefix("og:image") {
        return of_image(rest, ImageSource::Og);
    }
    if let Some(rest) = name.strip_prefix("twitter:image") {
        return of_image(rest, ImageSource::Twitter);
    }
    let tile = name.strip_prefix("msapplication-")?;
    matches!(tile, "tileimage" | "square70x70logo" | "square150x150logo" | "wide310x150logo" | "square310x310logo")
        .then_some(Said::Image(ImageSource::Favicon))
}

/// Returns the meaning of the rest after `og:image` or `twitter:image`; the latter is numbered in
/// galleries.
fn of_image(rest: &str, source: ImageSource) -> Option<Said> {
    match rest {
        "" | ":url" | ":secure_url" | ":src" | "0" | "1" | "2" | "3" => Some(Said::Image(source)),
        ":width" => Some(Said::About(source, Property::Width)),
        ":height" => Some(Said::About(source, Property::Height)),
        ":alt" => Some(Said::About(source, Property::Alt)),
        ":type" => Some(Said::About(source, Property::Type)),
        _ => None,
    }
}
