//! Natural sizes of replaced elements (Images 3, section 4.1).

use limner_page::data_url::DataUrl;
use limner_page::dom::Element;
use limner_page::{Document, NodeId, PageSnapshot};
use limner_style::Environment;
use limner_style::pictures::{self, Intrinsic, Picture};
use std::collections::HashMap;
use url::Url;

/// The natural size of a replaced element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Natural {
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
const LARGEST: f32 = 100_000.0;

impl Natural {
    fn size(width: f32, height: f32) -> Self {
        let usable = |length: f32| length.is_finite() && length >= 0.0;
        if usable(width) && usable(height) {
            Self::Size(width.min(LARGEST), height.min(LARGEST))
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
pub(crate) struct Pictures<'p> {
    page: &'p PageSnapshot,
    base: Option<Url>,
    environment: &'p Environment,
    known: HashMap<String, Natural>,
}

impl<'p> Pictures<'p> {
    pub(crate) fn new(page: &'p PageSnapshot, document: &Document, environment: &'p Environment) -> Self {
        let base = Url::parse(&page.url).ok().map(|url| document.base_url(&url));
        Self { page, base, environment, known: HashMap::new() }
    }

    /// Returns the natural size of a replaced HTML element, or of an outer `svg`; `None` for elements that are not
    /// replaced.
    pub(crate) fn of(&mut self, document: &Document, node: NodeId, element: &Element) -> Option<Natural> {
        if element.is_svg("svg") {
            return Some(svg(element));
        }
        if !element.in_html() {
            return None;
        }
        Some(match element.name() {
            "img" => self.image(document, node, element),
            // Without scripts it shows its fallback content.
            "canvas" if self.environment.scripting => canvas(element),
            "video" => match element.attr("poster").map(|poster| self.picture(poster)) {
                Some(size @ Natural::Size(..)) => size,
                _ => Natural::Size(300.0, 150.0),
            },
            "audio" => Natural::Size(300.0, 54.0),
            "iframe" => Natural::Size(300.0, 150.0),
            "embed" if element.attr("src").is_some() => Natural::Size(300.0, 150.0),
            "embed" => Natural::Size(0.0, 0.0),
            "object" if element.attr("data").is_some() && document.child_elements(node).next().is_none() => {
                Natural::Size(300.0, 150.0)
            }
            _ => return None,
        })
    }

    /// Returns the size of the selected image source; that of `src` if it is unknown.
    fn image(&mut self, document: &Document, node: NodeId, element: &Element) -> Natural {
        let Some(shown) = pictures::shown(document, node, self.environment) else { return Natural::Unknown };
        let own = scaled(self.picture(shown.address), shown);
        let plain = element.attr("src").unwrap_or_default();
        if matches!(own, Natural::Size(..) | Natural::Ratio(_) | Natural::Broken) || plain.trim() == shown.address {
            return own;
        }
        match scaled(self.picture(plain), shown) {
            Natural::Broken => own,
            known => known,
        }
    }

    fn picture(&mut self, address: &str) -> Natural {
        let address = address.trim();
        if address.is_empty() {
            return Natural::Unknown;
        }
        if let Some(known) = self.known.get(address) {
            return *known;
        }
        let size = self.look_up(address).unwrap_or(Natural::Unknown);
        self.known.insert(address.to_owned(), size);
        size
    }

    fn look_up(&self, address: &str) -> Option<Natural> {
        if address.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:")) {
            let data = DataUrl::parse(&Url::parse(address).ok()?)?;
            return Some(of_bytes(&data.bytes));
        }
        let mut url = self.base.as_ref()?.join(address).ok()?;
        url.set_fragment(None);
        let resource = self.page.resources.get(url.as_str());
        if resource.is_some_and(|resource| resource.status >= 400) {
            return Some(Natural::Broken);
        }
        let fetched = resource.map(|resource| of_bytes(&resource.body));
        fetched.filter(|natural| *natural != Natural::Unknown).or_else(|| {
            let path = url.path().to_ascii_lowercase();
            let photograph = [".jpg", ".jpeg", ".webp", ".avif"].iter().any(|extension| path.ends_with(extension));
            photograph.then_some(Natural::Photograph)
        })
    }
}

/// Converts a size to CSS pixels by the `srcset` descriptor.
#[allow(clippy::cast_possible_truncation, reason = "CSS pixels of a page fit")]
fn scaled(natural: Natural, shown: Picture<'_>) -> Natural {
    match (natural, shown.size) {
        (Natural::Size(width, height), Intrinsic::Density(density)) => {
            Natural::size(width / density as f32, height / density as f32)
        }
        (Natural::Size(width, height), Intrinsic::Width(wanted)) if width > 0.0 => {
            Natural::size(wanted as f32, wanted as f32 * height / width)
        }
        (Natural::Ratio(ratio), Intrinsic::Width(wanted)) => Natural::size(wanted as f32, wanted as f32 / ratio),
        (natural, _) => natural,
    }
}

/// Reads the size from an image's first bytes.
fn of_bytes(bytes: &[u8]) -> Natural {
    if let Ok(size) = imagesize::blob_size(bytes) {
        return Natural::size(size.width as f32, size.height as f32);
    }
    let head = &bytes[..bytes.len().min(16 * 1024)];
    let text = String::from_utf8_lossy(head);
    let Some(start) = text.find("<svg") else { return Natural::Unknown };
    let document = Document::parse(&text[start..]);
    document.elements().find(|(_, element)| element.is_svg("svg")).map_or(Natural::Unknown, |(_, element)| svg(element))
}

fn canvas(element: &Element) -> Natural {
    let number = |name: &str| element.attr(name).and_then(|text| text.trim().parse::<f32>().ok());
    Natural::size(number("width").unwrap_or(300.0), number("height").unwrap_or(150.0))
}

/// Returns the size of an `svg` from `width`, `height` and `viewBox` (SVG 2, section 8.2).
fn svg(element: &Element) -> Natural {
    let (width, height) = (element.attr("width").and_then(length), element.attr("height").and_then(length));
    let sides = element.attr("viewBox").and_then(view_box);
    match (width, height, sides) {
        (Some(width), Some(height), _) => Natural::size(width, height),
        (Some(width), None, Some((w, h))) if w > 0.0 => Natural::size(width, width * h / w),
        (None, Some(height), Some((w, h))) if h > 0.0 => Natural::size(height * w / h, height),
        (None, None, Some((w, h))) => Natural::ratio(w, h),
        (width, height, _) => Natural::size(width.unwrap_or(300.0), height.unwrap_or(150.0)),
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
            ("width=10 height=20", Natural::Size(10.0, 20.0)),
            ("width='1in' height='10px'", Natural::Size(96.0, 10.0)),
            ("viewBox='0 0 20 10'", Natural::Ratio(2.0)),
            ("viewBox='0,0,20,10' width=40", Natural::Size(40.0, 20.0)),
            ("viewBox='0 0 20 10' height=40", Natural::Size(80.0, 40.0)),
            ("viewBox='0 0 20 10' width='100%'", Natural::Ratio(2.0)),
            ("viewBox='0 0 0 10'", Natural::Size(300.0, 150.0)),
            ("viewBox='a b'", Natural::Size(300.0, 150.0)),
            ("", Natural::Size(300.0, 150.0)),
            ("width=NaN height=1e99", Natural::Size(300.0, 150.0)),
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
            ("a.gif", Natural::Size(32.0, 16.0)),
            ("b.gif", Natural::Unknown),
            ("/c.JPG?w=1", Natural::Photograph),
            ("data:image/gif;base64,R0lGODlhIAAQAIAAAA==", Natural::Size(32.0, 16.0)),
            ("data:image/svg+xml,%3Csvg viewBox='0 0 4 1'%3E%3C/svg%3E", Natural::Ratio(4.0)),
            ("data:,", Natural::Unknown),
            ("", Natural::Unknown),
        ] {
            let document = Document::parse(&format!("<img src=\"{source}\">"));
            let (node, element) = document.elements_named("img").next().unwrap();
            let environment = Environment::default();
            let mut pictures = Pictures::new(&page, &document, &environment);
            assert_eq!(pictures.of(&document, node, element), Some(natural), "{source}");
        }
    }
}
