//! Collects images that elements of the body display.

use super::lazy;
use super::lazy::LazyAttribute;
use super::{ImageOrigin, ImageReference, ReferenceCollector, ReferenceElement, is_image_url, srcset};
use crate::css_urls::CssReader;
use crate::js_literals::NamedString;
use crate::media::attribute_urls;
use limner_page::NodeId;
use limner_page::data_url::declared_media_type;
use limner_page::dimension::Dimension;
use limner_page::dom::Element;
use limner_style::SubstringSet;
use limner_types::result::ImageSource;
use url::Url;

/// Maximum number of nodes after a `source` that are searched for its `img`.
const MAX_SIBLINGS: usize = 64;

/// Attributes of an `img` or `source` that describe all of its images.
#[derive(Default)]
struct ImageAttributes<'a> {
    alt: Option<&'a str>,
    width: Option<u32>,
    height: Option<u32>,
    media: Option<&'a str>,
    media_type: Option<&'a str>,
}

impl ReferenceCollector<'_> {
    /// Collects all references of one element.
    pub(super) fn element(&mut self, place: &ReferenceElement<'_>) {
        if place.element.in_html() {
            self.html_element(place);
        } else if place.element.in_svg() {
            self.svg_element(place);
        }
        self.attributes(place);
    }

    fn html_element(&mut self, place: &ReferenceElement<'_>) {
        let element = place.element;
        match element.name() {
            "img" | "amp-img" | "amp-anim" => self.img(place),
            "source" if parent_is(place, "picture") => self.collect_picture_source(place),
            "input" if element.attr("type").is_some_and(|kind| kind.trim().eq_ignore_ascii_case("image")) => {
                let described = ImageAttributes { alt: element.attr("alt"), ..dimensions(element) };
                self.attribute(place, "src", ImageSource::Img, &described);
            }
            "video" | "amp-video" => self.attribute(place, "poster", ImageSource::Poster, &ImageAttributes::default()),
            "body" | "table" | "thead" | "tbody" | "tfoot" | "tr" | "td" | "th" => {
                self.attribute(place, "background", ImageSource::Img, &ImageAttributes::default());
            }
            "object" => self.embedded(place, "data", ImageOrigin::Object),
            "embed" => self.embedded(place, "src", ImageOrigin::Embed),
            "iframe" => self.embedded(place, "src", ImageOrigin::Iframe),
            "link" => self.link(place),
            "meta" => self.meta(place),
            _ if is_custom(element) => self.custom_element(place),
            _ => {}
        }
    }

    /// Collects what a custom element displays by the conventions of players and galleries: its
    /// poster, and a source that is an image by its name.
    fn custom_element(&mut self, place: &ReferenceElement<'_>) {
        let element = place.element;
        const POSTERS: &[&str] = &["poster", "poster-portrait-src", "poster-square-src", "poster-landscape-src"];
        for name in POSTERS {
            self.attribute(place, name, ImageSource::Poster, &ImageAttributes::default());
        }
        let described = ImageAttributes { alt: element.attr("alt"), ..dimensions(element) };
        let is_poster = element.name().contains("poster");
        let source = if is_poster { ImageSource::Poster } else { ImageSource::Img };
        for name in ["src", "image", "publisher-logo-src"] {
            let url = element.attr(name).and_then(|address| self.resolve(address));
            if let Some(url) = url.filter(|url| is_poster || is_image_url(url)) {
                self.image_at(place, url, ImageOrigin::Image(source), &described, None);
            }
        }
        if let Some(candidates) = element.attr("srcset") {
            self.srcset(place, candidates, ImageSource::Srcset, &described);
        }
    }

    fn svg_element(&mut self, place: &ReferenceElement<'_>) {
        let origin = match place.element.name() {
            "image" | "feImage" => ImageOrigin::Image(ImageSource::Img),
            "use" => ImageOrigin::Use,
            _ => return,
        };
        let Some(address) = place.element.href().filter(|href| !href.trim_start().starts_with('#')) else { return };
        self.image(place, address, origin, &dimensions(place.element), None);
    }

    fn img(&mut self, place: &ReferenceElement<'_>) {
        let described = ImageAttributes { alt: place.element.attr("alt"), ..dimensions(place.element) };
        self.attribute(place, "src", ImageSource::Img, &described);
        if let Some(candidates) = place.element.attr("srcset") {
            self.srcset(place, candidates, ImageSource::Srcset, &described);
        }
    }

    fn collect_picture_source(&mut self, place: &ReferenceElement<'_>) {
        if let Some(candidates) = place.element.attr("srcset") {
            self.srcset(place, candidates, ImageSource::Picture, &source_described(place));
        }
    }

    fn attribute(
        &mut self,
        place: &ReferenceElement<'_>,
        name: &str,
        source: ImageSource,
        described: &ImageAttributes<'_>,
    ) {
        if let Some(address) = place.element.attr(name) {
            self.image(place, address, ImageOrigin::Image(source), described, None);
        }
    }

    fn srcset(
        &mut self,
        place: &ReferenceElement<'_>,
        text: &str,
        source: ImageSource,
        described: &ImageAttributes<'_>,
    ) {
        for candidate in srcset::parse(text) {
            self.image(place, candidate.url, ImageOrigin::Image(source), described, candidate.descriptor);
        }
    }

    /// Collects `object`, `embed` and `iframe` if the type or file name is that of an image; they
    /// may contain other media.
    fn embedded(&mut self, place: &ReferenceElement<'_>, name: &str, origin: ImageOrigin) {
        let media_type = place.element.attr("type").map(str::trim).filter(|media_type| !media_type.is_empty());
        let Some(url) = place.element.attr(name).and_then(|address| self.resolve(address)) else { return };
        let declared = media_type.filter(|_| origin != ImageOrigin::Iframe).map(str::to_ascii_lowercase);
        let is_image = declared.map_or_else(|| is_image_url(&url), |media_type| media_type.starts_with("image/"));
        if is_image {
            let described = ImageAttributes { media_type, ..dimensions(place.element) };
            self.image_at(place, url, origin, &described, None);
        }
    }

    fn image(
        &mut self,
        place: &ReferenceElement<'_>,
        address: &str,
        origin: ImageOrigin,
        described: &ImageAttributes<'_>,
        descriptor: Option<String>,
    ) {
        if self.is_full() {
            return;
        }
        if let Some(url) = self.resolve(address) {
            self.image_at(place, url, origin, described, descriptor);
        }
    }

    fn image_at(
        &mut self,
        place: &ReferenceElement<'_>,
        url: Url,
        origin: ImageOrigin,
        described: &ImageAttributes<'_>,
        descriptor: Option<String>,
    ) {
        if declared_media_type(&url).is_some_and(|media_type| !may_be_image(&media_type)) {
            return;
        }
        self.add(ImageReference {
            element: node_in_page(place),
            alt: described.alt.map(str::to_owned),
            width: described.width,
            height: described.height,
            descriptor,
            media: described.media.map(str::to_owned),
            media_type: described.media_type.map(str::to_owned),
            ..ImageReference::new(url, origin)
        });
    }

    /// Collects references in `style`, presentation attributes and lazy-loading attributes of any
    /// element.
    fn attributes(&mut self, place: &ReferenceElement<'_>) {
        for attribute in place.element.attributes() {
            let name: &str = &attribute.name.local;
            let value: &str = &attribute.value;
            if name == "style" {
                self.declarations(place, value);
            } else if (name.starts_with("data-") || is_custom(place.element)) && may_hold_image_files(value) {
                self.settings(place, value);
            } else if name.starts_with("data-") {
                self.lazy_attribute(place, name, value);
            } else if place.element.in_svg() && may_reference_file(name) && value.contains('(') {
                self.declarations(place, &format!("{name}:{value}"));
            }
        }
    }

    fn declarations(&mut self, place: &ReferenceElement<'_>, declarations: &str) {
        let base = self.base;
        let references = CssReader::style_attribute(declarations, base);
        self.css_references(references, node_in_page(place));
    }

    fn lazy_attribute(&mut self, place: &ReferenceElement<'_>, name: &str, value: &str) {
        let element = place.element;
        let in_picture = element.is_html("source") && parent_is(place, "picture");
        let is_img = element.is_html("img") || element.is_html("amp-img");
        let lazy = if is_img {
            lazy::for_img(name)
        } else if in_picture {
            lazy::for_source(name)
        } else {
            lazy::for_element(element.name(), name)
        };
        let Some(lazy) = lazy else { return };
        let described = match lazy {
            _ if is_img => ImageAttributes { alt: element.attr("alt"), ..dimensions(element) },
            _ if in_picture => source_described(place),
            _ => ImageAttributes::default(),
        };
        match lazy {
            LazyAttribute::Srcset(source) => self.lazy_candidates(place, value, source, &described),
            LazyAttribute::Background if lazy::is_css_image(value) => {
                self.declarations(place, &format!("background-image:{value}"));
            }
            LazyAttribute::Background => self.lazy_image(place, value, ImageSource::Css, &described),
            LazyAttribute::Url(source) => self.lazy_image(place, value, source, &described),
            LazyAttribute::UrlWithImageName(source) if !lazy::is_url_like(value) => {
                self.lazy_template(place, value, source, &described);
            }
            LazyAttribute::UrlWithImageName(source) => self.image_by_name(place, value, source, &described),
            LazyAttribute::ImagePath(source) if lazy::is_path(value) => {
                self.image_by_name(place, value, source, &described);
            }
            LazyAttribute::ImagePath(_) if value.contains("url(") => {
                self.declarations(place, &format!("background-image:{value}"));
            }
            LazyAttribute::ImagePath(_) => {}
        }
    }

    /// Collects a URL if its file name is that of an image.
    fn image_by_name(
        &mut self,
        place: &ReferenceElement<'_>,
        address: &str,
        source: ImageSource,
        described: &ImageAttributes<'_>,
    ) {
        if let Some(url) = self.resolve(address).filter(is_image_url) {
            self.image_at(place, url, ImageOrigin::Image(source), described, None);
        }
    }

    fn lazy_candidates(
        &mut self,
        place: &ReferenceElement<'_>,
        value: &str,
        source: ImageSource,
        described: &ImageAttributes<'_>,
    ) {
        for candidate in srcset::parse(value) {
            if lazy::is_url_like(candidate.url) {
                self.image(place, candidate.url, ImageOrigin::Image(source), described, candidate.descriptor);
            } else {
                self.lazy_template(place, candidate.url, source, described);
            }
        }
    }

    fn lazy_image(
        &mut self,
        place: &ReferenceElement<'_>,
        value: &str,
        source: ImageSource,
        described: &ImageAttributes<'_>,
    ) {
        if lazy::is_url_like(value) {
            self.image(place, value, ImageOrigin::Image(source), described, None);
        } else {
            self.lazy_template(place, value, source, described);
        }
    }

    /// Collects the images of a template, for each width that its element declares.
    fn lazy_template(
        &mut self,
        place: &ReferenceElement<'_>,
        value: &str,
        source: ImageSource,
        described: &ImageAttributes<'_>,
    ) {
        for (url, width) in lazy::template_urls(place.element, value) {
            self.image(place, &url, ImageOrigin::Image(source), described, Some(format!("{width}w")));
        }
    }

    /// Collects the image files in settings of page builders, galleries and players.
    fn settings(&mut self, place: &ReferenceElement<'_>, value: &str) {
        for NamedString { name, value } in attribute_urls::named_addresses(value) {
            let name = name.to_ascii_lowercase();
            let is_poster = name.contains("poster") || name.contains("thumb");
            let source = match place.element.name() {
                _ if is_poster => ImageSource::Poster,
                "img" => ImageSource::Img,
                _ => ImageSource::Css,
            };
            let candidates = if name.contains("srcset") {
                srcset::parse(&value)
            } else {
                vec![srcset::SrcsetCandidate { url: &value, descriptor: None }]
            };
            // A bare extension is a setting too.
            let is_file =
                |url: &str| lazy::is_url_like(url) && !url.rsplit('/').next().is_some_and(|file| file.starts_with('.'));
            for candidate in candidates.into_iter().filter(|candidate| is_file(candidate.url)) {
                let Some(url) = self.resolve(candidate.url).filter(is_image_url) else { continue };
                let origin = ImageOrigin::Image(source);
                self.image_at(place, url, origin, &ImageAttributes::default(), candidate.descriptor);
            }
        }
    }
}

/// Returns true for settings (JSON or an object literal) that may name an image file.
fn may_hold_image_files(value: &str) -> bool {
    const EXTENSIONS: SubstringSet =
        SubstringSet::new(&[".jp", ".png", ".webp", ".avif", ".gif", ".svg", ".JP", ".PNG"]);
    let value = value.trim_start();
    let is_settings = value.starts_with(['{', '[', '"']) || value.starts_with("%7B") || value.starts_with("%5B");
    is_settings && EXTENSIONS.is_match(value)
}

fn is_custom(element: &Element) -> bool {
    element.in_html() && element.name().contains('-')
}

fn node_in_page(place: &ReferenceElement<'_>) -> Option<NodeId> {
    place.in_page.then_some(place.node)
}

fn parent_is(place: &ReferenceElement<'_>, name: &str) -> bool {
    let parent = place.document.parent(place.node).and_then(|parent| place.document.element(parent));
    parent.is_some_and(|parent| parent.is_html(name))
}

/// Describes the images of a `source` in a `picture`. The `img` after it displays them, so they have its
/// alternative text.
fn source_described<'a>(place: &ReferenceElement<'a>) -> ImageAttributes<'a> {
    let source = place.element;
    let given = |name| source.attr(name).map(str::trim).filter(|value: &&str| !value.is_empty());
    let mut siblings =
        std::iter::successors(Some(place.node), |node| place.document.next_sibling(*node)).take(MAX_SIBLINGS);
    let img = siblings.find_map(|node| place.document.element(node).filter(|element| element.is_html("img")));
    let alt = img.and_then(|img| img.attr("alt"));
    ImageAttributes { alt, media: given("media"), media_type: given("type"), ..dimensions(source) }
}

fn dimensions(element: &Element) -> ImageAttributes<'_> {
    let dimension = |name| Dimension::parse(element.attr(name)?)?.pixels();
    ImageAttributes { width: dimension("width"), height: dimension("height"), ..ImageAttributes::default() }
}

/// Returns true for SVG presentation attributes whose value may refer to a file.
fn may_reference_file(name: &str) -> bool {
    matches!(
        name,
        "mask" | "filter" | "clip-path" | "fill" | "stroke" | "marker-start" | "marker-mid" | "marker-end" | "cursor"
    )
}

/// Returns true if an `img` may have this type: browsers sniff the bytes, so a missing or generic
/// type is accepted.
fn may_be_image(media_type: &str) -> bool {
    media_type.starts_with("image/") || matches!(media_type, "" | "application/octet-stream" | "binary/octet-stream")
}
