//! Selects the image source of an `img` in an environment (HTML, sections 4.8.4.2.2 and 4.8.4.3) from `srcset`, `sizes`
//! and the `source` elements of a `picture`.

use crate::Environment;
use crate::condition::media::MediaQueryList;
use crate::value::component::split_commas;
use crate::value::math::{Kind, quantity};
use crate::value::{Component, Lengths, parse_components, serialize};
use limner_page::dom::Element;
use limner_page::{Document, NodeId};
use std::collections::HashMap;

/// Maximum number of candidates of one `srcset`.
const MAX_CANDIDATES: usize = 200;

/// A selected image source and its intended size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SelectedImage<'d> {
    /// The element that names it: the `img`, or a `source`.
    pub element: NodeId,
    /// URL as written; relative URLs are not resolved.
    pub url: &'d str,
    /// Its size if no CSS sets one.
    pub size: PixelDensity,
}

/// The conversion from image pixels to CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PixelDensity {
    /// Pixel density: that many image pixels are one CSS pixel.
    Density(f64),
    /// Width in CSS pixels.
    Width(f64),
}

/// Selects the image sources of a document's `img` elements in one environment. Each `source` is examined once, however
/// many images its `picture` has. The bytes that are parsed are steps of the document's work budget.
///
/// In `<picture><source media=print srcset=a><img id=1 src=b><source srcset=c><img id=2 src=d></picture>` the first image
/// selects `b`, the second one `c`.
#[derive(Debug)]
pub struct ImageSelector<'d> {
    document: &'d Document,
    environment: Environment,
    pictures: HashMap<NodeId, PictureSources<'d>>,
}

/// The sources of a `picture` that were examined.
#[derive(Debug)]
struct PictureSources<'d> {
    /// The first child that was not examined.
    next: Option<NodeId>,
    /// The image of the first source that fits. Every `img` behind that source selects it.
    found: Option<SelectedImage<'d>>,
}

impl<'d> ImageSelector<'d> {
    /// Creates a selector.
    pub fn new(document: &'d Document, environment: &Environment) -> Self {
        Self { document, environment: environment.clone(), pictures: HashMap::new() }
    }

    /// Returns the image source that an `img` selects; `None` if it names none.
    pub fn select(&mut self, node: NodeId) -> Option<SelectedImage<'d>> {
        let document = self.document;
        let element = document.element(node)?;
        let is_picture = |parent: &NodeId| document.element(*parent).is_some_and(|parent| parent.is_html("picture"));
        if let Some(picture) = document.parent(node).filter(is_picture)
            && let Some(found) = self.first_fitting_source(picture, node)
        {
            return Some(found);
        }
        let plain = element.attr("src").map(str::trim).filter(|source| !source.is_empty());
        self.candidate_of(node, element, plain)
    }

    /// Returns the image of the first `source` before `image` that fits.
    fn first_fitting_source(&mut self, picture: NodeId, image: NodeId) -> Option<SelectedImage<'d>> {
        let document = self.document;
        let first = || PictureSources { next: document.first_child(picture), found: None };
        let PictureSources { mut next, mut found } = self.pictures.remove(&picture).unwrap_or_else(first);
        // Children have ascending ids.
        while let Some(child) = next.filter(|child| found.is_none() && *child < image) {
            document.work_budget().spend(1);
            found = document.element(child).and_then(|source| self.fitting_source(child, source));
            next = document.next_sibling(child);
        }
        self.pictures.insert(picture, PictureSources { next, found });
        found.filter(|found| found.element < image)
    }

    fn fitting_source(&self, node: NodeId, source: &'d Element) -> Option<SelectedImage<'d>> {
        let media = source.attr("media");
        self.document.work_budget().spend(media.map_or(0, str::len) as u64);
        let fits = source.is_html("source")
            && media.is_none_or(|media| MediaQueryList::parse(media).matches(&self.environment))
            && is_shown_type(source.attr("type").unwrap_or_default());
        if fits { self.candidate_of(node, source, None) } else { None }
    }

    /// Returns the image of the element's own `srcset`, or of `plain`.
    fn candidate_of(&self, node: NodeId, element: &'d Element, plain: Option<&'d str>) -> Option<SelectedImage<'d>> {
        let set = element.attr("srcset").unwrap_or_default();
        let bytes = set.len() + element.attr("sizes").map_or(0, str::len);
        self.document.work_budget().spend(bytes as u64);
        select_from_set(set, plain, element, &self.environment).map(|(url, size)| SelectedImage {
            element: node,
            url,
            size,
        })
    }
}

/// Returns true if browsers support images of that media type.
fn is_shown_type(media_type: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let known = ["avif", "webp", "png", "apng", "jpeg", "jpg", "gif", "svg+xml", "bmp", "x-icon", "vnd.microsoft.icon"];
    essence.is_empty() || essence.strip_prefix("image/").is_some_and(|kind| known.contains(&kind))
}

/// Returns the best candidate of a `srcset`. `src` is one of density 1, unless the set has such a candidate or widths.
fn select_from_set<'d>(
    set: &'d str,
    plain: Option<&'d str>,
    element: &'d Element,
    environment: &Environment,
) -> Option<(&'d str, PixelDensity)> {
    let mut candidates = candidates(set);
    let by_width = candidates.iter().any(|(_, descriptor)| matches!(descriptor, Descriptor::Width(_)));
    let has_one = candidates.iter().any(|(_, descriptor)| *descriptor == Descriptor::Density(1.0));
    if let Some(plain) = plain.filter(|_| !by_width && !has_one) {
        candidates.push((plain, Descriptor::Density(1.0)));
    }
    let shown_width = if by_width { source_size(element.attr("sizes").unwrap_or_default(), environment) } else { 0.0 };
    let densities = candidates.into_iter().map(|(address, descriptor)| match descriptor {
        Descriptor::Density(density) => (density, (address, PixelDensity::Density(density))),
        Descriptor::Width(width) => {
            (width / shown_width.max(f64::MIN_POSITIVE), (address, PixelDensity::Width(shown_width)))
        }
    });
    let mut densities: Vec<(f64, (&'d str, PixelDensity))> = densities.collect();
    densities.sort_by(|a, b| a.0.total_cmp(&b.0));
    // The smallest with enough pixels, or the largest if none has enough.
    let enough = densities.iter().find(|(density, _)| *density >= environment.resolution);
    enough.or(densities.last()).map(|(_, picture)| *picture)
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Descriptor {
    Density(f64),
    Width(f64),
}

/// Section 4.8.4.3.9, "parse a srcset attribute"; candidates with invalid descriptors are left out.
fn candidates(set: &str) -> Vec<(&str, Descriptor)> {
    let mut found = Vec::new();
    let mut rest = set;
    while found.len() < MAX_CANDIDATES {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        if rest.is_empty() {
            break;
        }
        let end = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
        let (address, after) = rest.split_at(end);
        let bare = address.trim_end_matches(',');
        if bare.len() < address.len() {
            found.push((bare, Descriptor::Density(1.0)));
            rest = after;
            continue;
        }
        let end = after.find(',').unwrap_or(after.len());
        found.extend(descriptor(&after[..end]).map(|descriptor| (address, descriptor)));
        rest = &after[end..];
    }
    found
}

fn descriptor(text: &str) -> Option<Descriptor> {
    let number = |word: &str, unit: char| {
        let number: Option<f64> = word.strip_suffix(unit)?.parse().ok();
        number.filter(|number| number.is_finite() && *number > 0.0)
    };
    let mut found = Descriptor::Density(1.0);
    for word in text.split_ascii_whitespace() {
        found = match word.chars().last()? {
            'w' => Descriptor::Width(number(word, 'w')?),
            'x' => Descriptor::Density(number(word, 'x')?),
            // "Future-compat-h": the height is parsed and ignored.
            'h' => found,
            _ => return None,
        };
    }
    Some(found)
}

/// Section 4.8.4.3.10, "parse a sizes attribute", in CSS pixels.
fn source_size(sizes: &str, environment: &Environment) -> f64 {
    let lengths = Lengths::initial(environment.width, environment.height);
    let components = parse_components(sizes).unwrap_or_default();
    for entry in split_commas(&components) {
        let Some((length, condition)) = entry.split_last() else { continue };
        let Some(px) = resolve_length(length, &lengths) else { continue };
        let condition = serialize(condition);
        if condition.trim().is_empty() || MediaQueryList::parse(&condition).matches(environment) {
            return px;
        }
    }
    environment.width
}

fn resolve_length(component: &Component, lengths: &Lengths) -> Option<f64> {
    let found = quantity(component, lengths)?;
    let is_zero = found.kind == Kind::Number && found.value == 0.0;
    ((found.kind == Kind::Length || is_zero) && found.value >= 0.0).then_some(found.value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown_in(html: &str, width: f64) -> Option<(String, PixelDensity)> {
        let document = Document::parse(html);
        let (node, _) = document.elements_named("img").next().unwrap();
        let environment = Environment { width, ..Environment::default() };
        ImageSelector::new(&document, &environment).select(node).map(|picture| (picture.url.to_owned(), picture.size))
    }

    #[test]
    fn images_of_one_picture_select_the_first_fitting_source_before_them() {
        let html = "<picture><img src=a><source media=print srcset=b><img src=c><p><img src=d></p><source srcset=e>\
                    <img src=f><source srcset=g><img src=h></picture><img src=i>";
        let document = Document::parse(html);
        let images: Vec<NodeId> = document.elements_named("img").map(|(node, _)| node).collect();
        let expected = ["a", "c", "d", "e", "e", "i"];
        let mut selector = ImageSelector::new(&document, &Environment::default());
        let mut select = |at: &usize| selector.select(images[*at]).unwrap().url;
        let in_order: Vec<&str> = (0..6).collect::<Vec<_>>().iter().map(&mut select).collect();
        assert_eq!(in_order, expected);
        let again: Vec<&str> = [5, 4, 3, 2, 1, 0].iter().map(&mut select).collect();
        assert!(again.iter().eq(expected.iter().rev()), "{again:?}");
        let mut backwards = ImageSelector::new(&document, &Environment::default());
        let urls: Vec<&str> = images.iter().rev().map(|image| backwards.select(*image).unwrap().url).collect();
        assert!(urls.iter().eq(expected.iter().rev()), "{urls:?}");
    }

    #[test]
    fn sources_are_examined_once_for_all_images_of_a_picture() {
        let steps = |pairs: usize| {
            let pairs = "<source media='(min-width:9999px)' srcset=a><img src=x>".repeat(pairs);
            let document = Document::parse(&format!("<picture>{pairs}</picture>"));
            let images: Vec<NodeId> = document.elements_named("img").map(|(node, _)| node).collect();
            let before = document.work_budget().steps();
            let mut selector = ImageSelector::new(&document, &Environment::default());
            assert!(images.iter().all(|image| selector.select(*image).is_some()));
            before - document.work_budget().steps()
        };
        assert!(steps(400) <= 2 * steps(200) + 10, "{} {}", steps(400), steps(200));
    }

    #[test]
    fn html_section_4_8_4_3_selecting_an_image_source() {
        let sized =
            "<img src=s.png srcset='a.png 400w, b.png 800w,c.png 1600w' sizes='(max-width: 600px) 100vw, 50vw'>";
        let art = "<picture><source media='(max-width: 600px)' srcset=tall.jpg><source type=image/jxl srcset=new.jxl>\
                   <source type=image/webp srcset='wide.webp, twice.webp 2x'><img src=plain.jpg></picture>";
        for (html, width, address, size) in [
            ("<img src=a.png>", 1440.0, "a.png", PixelDensity::Density(1.0)),
            ("<img src=a.png srcset='b.png 2x'>", 1440.0, "a.png", PixelDensity::Density(1.0)),
            ("<img srcset='b.png 2x'>", 1440.0, "b.png", PixelDensity::Density(2.0)),
            ("<img src=a.png srcset='b.png 1x, c.png 1.5x'>", 1440.0, "b.png", PixelDensity::Density(1.0)),
            ("<img src=a.png srcset='b.png 0.5x'>", 1440.0, "a.png", PixelDensity::Density(1.0)),
            (sized, 1440.0, "b.png", PixelDensity::Width(720.0)),
            (sized, 390.0, "a.png", PixelDensity::Width(390.0)),
            (sized, 3600.0, "c.png", PixelDensity::Width(1800.0)),
            ("<img srcset='a.png 100w, b.png 900w'>", 500.0, "b.png", PixelDensity::Width(500.0)),
            ("<img srcset='a.png 100w' sizes='calc(100vw - 20px)'>", 500.0, "a.png", PixelDensity::Width(480.0)),
            (
                "<img srcset='a.png 100w' sizes='auto, (nonsense) 3px, 50%, 30vw'>",
                500.0,
                "a.png",
                PixelDensity::Width(150.0),
            ),
            (art, 390.0, "tall.jpg", PixelDensity::Density(1.0)),
            (art, 1440.0, "wide.webp", PixelDensity::Density(1.0)),
            ("<img src=a.png srcset='b.png -1x, c.png 0w, d.png 2y'>", 390.0, "a.png", PixelDensity::Density(1.0)),
            ("<img srcset='data:,a,b 1x,  , e.png, f.png 3x'>", 390.0, "data:,a,b", PixelDensity::Density(1.0)),
        ] {
            assert_eq!(shown_in(html, width), Some((address.to_owned(), size)), "{html} at {width}");
        }
        assert_eq!(shown_in("<img srcset=' , ' src=''>", 390.0), None);
        assert_eq!(shown_in("<img>", 390.0), None);
    }
}
