//! Natural sizes of replaced elements (Images 3, section 4.1).

use limner_page::data_url::DataUrl;
use limner_page::dom::Element;
use limner_page::{Document, NodeId, PageSnapshot};
use limner_style::Environment;
use limner_style::image_source::{ImageSelector, PixelDensity, SelectedImage};
use std::collections::HashMap;
use url::Url;

/// The natural size of a replaced element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum NaturalSize {
    /// A width and a height, in CSS pixels.
    Size(f32, f32),
    /// Width for each unit of height.
    Ratio(f32),
    /// A photograph by its file name, which pages show smaller than its size: 3:2, as cameras produce.
    Photograph,
    /// Unknown.
    Unknown,
    /// Requested, but failed to load.
    Broken,
}

/// Maximum size that layout can calculate with.
const MAX_SIZE: f32 = 100_000.0;

impl NaturalSize {
    fn size(width: f32, height: f32) -> Self {
        let usable = |length: f32| length.is_finite() && length >= 0.0;
        if usable(width) && usable(height) {
            Self::Size(width.min(MAX_SIZE), height.min(MAX_SIZE))
        } else {
            Self::Unknown
        }
    }

    fn ratio(width: f32, height: f32) -> Self {
        let ratio = width / height;
        if ratio.is_finite() && ratio > 0.0 { Self::Ratio(ratio) } else { Self::Unknown }
    }
}

/// Looks natural sizes up in the subresources of a page.
pub(crate) struct ImageSizes<'p> {
    page: &'p PageSnapshot,
    base: Option<Url>,
    environment: &'p Environment,
    cache: HashMap<String, NaturalSize>,
    selector: ImageSelector<'p>,
    /// The sizes of the images that `source` elements name, by element: all images of a `picture` may share one.
    by_source: HashMap<NodeId, NaturalSize>,
}

impl<'p> ImageSizes<'p> {
    pub(crate) fn new(page: &'p PageSnapshot, document: &'p Document, environment: &'p Environment) -> Self {
        let base = Url::parse(&page.url).ok().map(|url| document.base_url(&url));
        let selector = ImageSelector::new(document, environment);
        Self { page, base, environment, cache: HashMap::new(), selector, by_source: HashMap::new() }
    }

    /// Returns the natural size of a replaced HTML element, or of an outer `svg`; `None` for elements that are not
    /// replaced.
    pub(crate) fn natural_size(&mut self, document: &Document, node: NodeId, element: &Element) -> Option<NaturalSize> {
        if element.is_svg("svg") {
            return Some(svg(element));
        }
        if !element.in_html() {
            return None;
        }
        Some(match element.name() {
            "img" => self.image(node, element),
            // Without scripts it shows its fallback content.
            "canvas" if self.environment.scripting => canvas(element),
            "video" => match element.attr("poster").map(|poster| self.picture(poster)) {
                Some(size @ NaturalSize::Size(..)) => size,
                _ if has_video_source(document, node, element) => NaturalSize::Size(1280.0, 720.0),
                _ => NaturalSize::Size(300.0, 150.0),
            },
            "audio" => NaturalSize::Size(300.0, 54.0),
            "iframe" => NaturalSize::Size(300.0, 150.0),
            "embed" if element.attr("src").is_some() => NaturalSize::Size(300.0, 150.0),
            "embed" => NaturalSize::Size(0.0, 0.0),
            "object" if element.attr("data").is_some() && document.child_elements(node).next().is_none() => {
                NaturalSize::Size(300.0, 150.0)
            }
            _ => return None,
        })
    }

    /// Returns the size of the selected image source; that of `src` if it is unknown.
    fn image(&mut self, node: NodeId, element: &Element) -> NaturalSize {
        let Some(shown) = self.selector.select(node) else { return NaturalSize::Unknown };
        let natural = match self.by_source.get(&shown.element) {
            Some(known) => *known,
            None => {
                let natural = self.picture(shown.url);
                self.by_source.insert(shown.element, natural);
                natural
            }
        };
        let own = scaled(natural, shown);
        let plain = element.attr("src").unwrap_or_default();
        if matches!(own, NaturalSize::Size(..) | NaturalSize::Ratio(_) | NaturalSize::Broken)
            || plain.trim() == shown.url
        {
            return own;
        }
        match scaled(self.picture(plain), shown) {
            NaturalSize::Broken => own,
            known => known,
        }
    }

    fn picture(&mut self, address: &str) -> NaturalSize {
        let address = address.trim();
        if address.is_empty() {
            return NaturalSize::Unknown;
        }
        if let Some(known) = self.cache.get(address) {
            return *known;
        }
        let size = self.look_up(address).unwrap_or(NaturalSize::Unknown);
        self.cache.insert(address.to_owned(), size);
        size
    }

    fn look_up(&self, address: &str) -> Option<NaturalSize> {
        if address.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:")) {
            let data = DataUrl::parse(&Url::parse(address).ok()?)?;
            return Some(from_image_bytes(&data.bytes));
        }
        let mut url = self.base.as_ref()?.join(address).ok()?;
        url.set_fragment(None);
        let resource = self.page.resources.get(url.as_str());
        if resource.is_some_and(|resource| resource.status >= 400) {
            return Some(NaturalSize::Broken);
        }
        let fetched = resource.map(|resource| from_image_bytes(&resource.body));
        fetched.filter(|natural| *natural != NaturalSize::Unknown).or_else(|| {
            let path = url.path().to_ascii_lowercase();
            let photograph = [".jpg", ".jpeg", ".webp", ".avif"].iter().any(|extension| path.ends_with(extension));
            photograph.then_some(NaturalSize::Photograph)
        })
    }
}

/// Returns true if a `video` has a file. It is not fetched; most are 16:9.
fn has_video_source(document: &Document, node: NodeId, element: &Element) -> bool {
    element.attr("src").is_some() || document.child_elements(node).any(|(_, child)| child.is_html("source"))
}

/// Converts a size to CSS pixels by the `srcset` descriptor.
#[allow(clippy::cast_possible_truncation, reason = "CSS pixels of a page fit")]
fn scaled(natural: NaturalSize, shown: SelectedImage<'_>) -> NaturalSize {
    match (natural, shown.size) {
        (NaturalSize::Size(width, height), PixelDensity::Density(density)) => {
            NaturalSize::size(width / density as f32, height / density as f32)
        }
        (NaturalSize::Size(width, height), PixelDensity::Width(wanted)) if width > 0.0 => {
            NaturalSize::size(wanted as f32, wanted as f32 * height / width)
        }
        (NaturalSize::Ratio(ratio), PixelDensity::Width(wanted)) => {
            NaturalSize::size(wanted as f32, wanted as f32 / ratio)
        }
        (natural, _) => natural,
    }
}

/// Reads the size from an image's first bytes.
fn from_image_bytes(bytes: &[u8]) -> NaturalSize {
    if let Ok(size) = imagesize::blob_size(bytes) {
        return NaturalSize::size(size.width as f32, size.height as f32);
    }
    let head = &bytes[..bytes.len().min(16 * 1024)];
    let text = String::from_utf8_lossy(head);
    let Some(start) = text.find("<svg") else { return NaturalSize::Unknown };
    let document = Document::parse(&text[start..]);
    document
        .elements()
        .find(|(_, element)| element.is_svg("svg"))
        .map_or(NaturalSize::Unknown, |(_, element)| svg(element))
}

fn canvas(element: &Element) -> NaturalSize {
    let number = |name: &str| element.attr(name).and_then(|text| text.trim().parse::<f32>().ok());
    NaturalSize::size(number("width").unwrap_or(300.0), number("height").unwrap_or(150.0))
}

/// Returns the size of an `svg` from `width`, `height` and `viewBox` (SVG 2, section 8.2).
fn svg(element: &Element) -> NaturalSize {
    let (width, height) = (element.attr("width").and_then(length), element.attr("height").and_then(length));
    let sides = element.attr("viewBox").and_then(view_box);
    match (width, height, sides) {
        (Some(width), Some(height), _) => NaturalSize::size(width, height),
        (Some(width), None, Some((w, h))) if w > 0.0 => NaturalSize::size(width, width * h / w),
        (None, Some(height), Some((w, h))) if h > 0.0 => NaturalSize::size(height * w / h, height),
        (None, None, Some((w, h))) => NaturalSize::ratio(w, h),
        (width, height, _) => NaturalSize::size(width.unwrap_or(300.0), height.unwrap_or(150.0)),
    }
}

fn view_box(text: &str) -> Option<(f32, f32)> {
    let numbers: Vec<f32> = text
        .split([' ', ',', '\t', '\n', '\r'])
        .filter(|part| !part.is_empty())
        .map_while(|part| part.parse().ok())
        .collect();
    match numbers.as_slice() {
        [_, _, width, height, ..] if *width > 0.0 && *height > 0.0 => Some((*width, *height)),
        _ => None,
    }
}

/// Parses an absolute length; returns `None` for percentages and font-relative units.
fn length(text: &str) -> Option<f32> {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '+' | '-'))).unwrap_or(text.len());
    let number: f32 = text[..end].parse().ok()?;
    let factor = match text[end..].trim() {
        "" | "px" => 1.0,
        "pt" => 4.0 / 3.0,
        "pc" | "em" | "rem" => 16.0,
        "mm" => 96.0 / 25.4,
        "cm" => 96.0 / 2.54,
        "in" => 96.0,
        _ => return None,
    };
    Some(number * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn svg_2_section_8_2_natural_sizes() {
        for (attributes, natural) in [
            ("width=10 height=20", NaturalSize::Size(10.0, 20.0)),
            ("width='1in' height='10px'", NaturalSize::Size(96.0, 10.0)),
            ("viewBox='0 0 20 10'", NaturalSize::Ratio(2.0)),
            ("viewBox='0,0,20,10' width=40", NaturalSize::Size(40.0, 20.0)),
            ("viewBox='0 0 20 10' height=40", NaturalSize::Size(80.0, 40.0)),
            ("viewBox='0 0 20 10' width='100%'", NaturalSize::Ratio(2.0)),
            ("viewBox='0 0 0 10'", NaturalSize::Size(300.0, 150.0)),
            ("viewBox='a b'", NaturalSize::Size(300.0, 150.0)),
            ("", NaturalSize::Size(300.0, 150.0)),
            ("width=NaN height=1e99", NaturalSize::Size(300.0, 150.0)),
        ] {
            let document = Document::parse(&format!("<svg {attributes}></svg>"));
            let (_, element) = document.elements().find(|(_, e)| e.is_svg("svg")).unwrap();
            assert_eq!(svg(element), natural, "{attributes}");
        }
    }

    #[test]
    fn images_in_the_snapshot_are_measured() {
        let gif = b"GIF89a\x20\x00\x10\x00\x80\x00\x00";
        let mut page = PageSnapshot { url: "https://a.test/p/".into(), ..PageSnapshot::default() };
        let resource = limner_page::Resource { body: gif.to_vec(), ..limner_page::Resource::default() };
        page.resources.insert("https://a.test/p/a.gif".into(), resource);
        for (source, natural) in [
            ("a.gif", NaturalSize::Size(32.0, 16.0)),
            ("b.gif", NaturalSize::Unknown),
            ("/c.JPG?w=1", NaturalSize::Photograph),
            ("data:image/gif;base64,R0lGODlhIAAQAIAAAA==", NaturalSize::Size(32.0, 16.0)),
            ("data:image/svg+xml,%3Csvg viewBox='0 0 4 1'%3E%3C/svg%3E", NaturalSize::Ratio(4.0)),
            ("data:,", NaturalSize::Unknown),
            ("", NaturalSize::Unknown),
        ] {
            let document = Document::parse(&format!("<img src=\"{source}\">"));
            let (node, element) = document.elements_named("img").next().unwrap();
            let environment = Environment::default();
            let mut pictures = ImageSizes::new(&page, &document, &environment);
            assert_eq!(pictures.natural_size(&document, node, element), Some(natural), "{source}");
        }
    }
}
