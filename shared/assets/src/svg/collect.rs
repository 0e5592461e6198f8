//! Collects the SVG items of a page: inline markup and files, without duplicates, in document
//! order.

use super::inline::{self, InlineSvg};
use super::page_paint::{PagePaint, paint_index, paint_styles};
use super::svg_sources::{SourceNode, SvgSources};
use crate::image_references;
use crate::image_references::{ImageOrigin, ImageReference, References, extension, key};
use limner_page::charset::decode_html;
use limner_page::data_url::{DataUrl, declared_media_type};
use limner_page::media_type::MediaType;
use limner_page::{Document, NodeId};
use limner_page_view::PageView;
use limner_types::WireEnum;
use limner_types::result::{ImageSource, SvgItem};
use sha2::{Digest, Sha256};
use std::collections::HashMap;

/// Maximum size of all markup written for one page, in bytes, duplicates included.
const MAX_WRITTEN_BYTES: usize = 64 * 1024 * 1024;
/// Maximum size of one SVG, in bytes: the maximum size of a result.
const MAX_CODE_BYTES: usize = limner_page_view::size_budget::MAX_RESULT_BYTES;

/// File extensions of other images.
const RASTER_EXTENSIONS: &[&str] = &["png", "jpg", "jpeg", "gif", "webp", "avif", "ico", "bmp"];

pub(super) struct SvgCollector<'a> {
    view: &'a PageView<'a>,
    items: Vec<SvgItem>,
    by_markup: HashMap<[u8; 32], usize>,
    by_file: HashMap<String, SvgFile>,
    /// The item of each `data:` URL, or `None` if it is no SVG.
    by_data_url: HashMap<String, Option<usize>>,
    bytes_left: usize,
    too_much: bool,
    /// The first element of each markup in the page, with the index of its item.
    in_page: Vec<(usize, NodeId)>,
}

struct SvgFile {
    index: usize,
    origin: ImageOrigin,
}

impl<'a> SvgCollector<'a> {
    pub(super) fn new(view: &'a PageView<'a>) -> Self {
        Self {
            view,
            items: Vec::new(),
            by_markup: HashMap::new(),
            by_file: HashMap::new(),
            by_data_url: HashMap::new(),
            bytes_left: MAX_WRITTEN_BYTES,
            too_much: false,
            in_page: Vec::new(),
        }
    }

    /// Returns the items, and true if some were left out because of their size.
    pub(super) fn finish(self) -> (Vec<SvgItem>, bool) {
        (self.items, self.too_much)
    }

    /// Collects all items of a page.
    pub(super) fn page(&mut self) {
        let view = self.view;
        let library = SvgSources::from_page(view);
        let used = library.use_targets();
        let References { list, is_cut } = image_references::collect(view);
        self.too_much |= is_cut;
        let mut references = list.into_iter().peekable();
        for (at, part) in outermost(view) {
            // References inside an SVG follow it.
            while let Some(reference) = references.next_if(|reference| reference.position < at) {
                self.reference(reference);
            }
            if inline::should_list(&library, part, &used) {
                let element = (part.source == 0).then_some(part.node);
                self.inline(&library, part, element);
            }
        }
        references.for_each(|reference| self.reference(reference));
        self.add_paint(&library);
    }

    /// Adds the markup with the paint of the page's stylesheets.
    fn add_paint(&mut self, library: &SvgSources<'_>) {
        if self.in_page.is_empty() {
            return;
        }
        let index = paint_index(self.view);
        let styles = paint_styles(&index);
        for (item, node) in std::mem::take(&mut self.in_page) {
            let SvgItem::Inline { code, painted, .. } = &mut self.items[item] else { continue };
            let part = SourceNode { source: 0, node };
            let paint = PagePaint::new(&index, &styles, (node, code));
            let limit = MAX_CODE_BYTES.min(self.bytes_left);
            *painted = inline::serialize_painted(library, part, (&paint, code), limit);
            self.bytes_left = self.bytes_left.saturating_sub(painted.as_ref().map_or(0, String::len));
        }
    }

    fn inline(&mut self, library: &SvgSources<'_>, part: SourceNode, element: Option<NodeId>) -> Option<usize> {
        let limit = MAX_CODE_BYTES.min(self.bytes_left);
        let Some(inline) = inline::serialize_inline(library, part, limit) else {
            self.too_much = true;
            // Markup that exceeded the limit counts as written, too.
            self.bytes_left -= limit;
            return None;
        };
        self.bytes_left = self.bytes_left.saturating_sub(inline.code.len());
        Some(self.add_inline(inline, element))
    }

    fn add_inline(&mut self, inline: InlineSvg, element: Option<NodeId>) -> usize {
        let hash: [u8; 32] = Sha256::digest(inline.code.as_bytes()).into();
        if let Some(index) = self.by_markup.get(&hash) {
            increment_count(&mut self.items[*index]);
            return *index;
        }
        let InlineSvg { code, width, height, view_box, title } = inline;
        let selector = element.map(|node| self.view.document.unique_selector(node));
        let is_svg = |node: &NodeId| self.view.document.element(*node).is_some_and(|element| element.is_svg("svg"));
        self.in_page.extend(element.filter(is_svg).map(|node| (self.items.len(), node)));
        self.items.push(SvgItem::Inline { code, painted: None, width, height, view_box, title, count: 1, selector });
        self.by_markup.insert(hash, self.items.len() - 1);
        self.items.len() - 1
    }

    fn reference(&mut self, reference: ImageReference) {
        if reference.url.scheme() == "data" {
            self.data_url(&reference);
        } else if self.is_svg_file(&reference) {
            self.add_file(&reference);
        }
    }

    fn add_file(&mut self, reference: &ImageReference) {
        let url = key(&reference.url);
        let Some(file) = self.by_file.get_mut(url) else {
            let file = SvgFile { index: self.items.len(), origin: reference.origin };
            self.by_file.insert(url.to_owned(), file);
            let source = origin_name(reference.origin).to_owned();
            self.items.push(SvgItem::File { url: url.to_owned(), source, count: 1 });
            return;
        };
        let item = &mut self.items[file.index];
        increment_count(item);
        if reference.origin < file.origin {
            file.origin = reference.origin;
            if let SvgItem::File { source, .. } = item {
                origin_name(reference.origin).clone_into(source);
            }
        }
    }

    /// Adds the markup in a `data:` URL of an element; equal URLs are decoded once. Images in
    /// stylesheets are decoration and no SVG of the page; `/images` lists them.
    fn data_url(&mut self, reference: &ImageReference) {
        let is_svg = declared_media_type(&reference.url).as_deref() == Some("image/svg+xml");
        if !is_svg || matches!(reference.origin, ImageOrigin::Use | ImageOrigin::Image(ImageSource::Css)) {
            return;
        }
        let address = reference.url.as_str();
        if let Some(known) = self.by_data_url.get(address) {
            known.iter().for_each(|index| increment_count(&mut self.items[*index]));
            return;
        }
        let text = DataUrl::parse_with_fragment(&reference.url).map(|data| {
            let media_type = MediaType { charset: None, ..data.media_type };
            decode_html(&data.bytes, &media_type, None).text
        });
        let index = text.and_then(|text| self.file(&text, None, reference.element));
        self.by_data_url.insert(address.to_owned(), index);
    }

    /// Adds the markup of a standalone file.
    fn file(&mut self, text: &str, url: Option<&url::Url>, element: Option<NodeId>) -> Option<usize> {
        let library = SvgSources::from_file(text, url);
        let part = SourceNode { source: 0, node: library.source(0).root_svg()? };
        // Placeholders of lazily loaded images draw nothing.
        if !inline::should_list(&library, part, &library.use_targets()) || inline::is_blank(&library, part) {
            return None;
        }
        self.inline(&library, part, element)
    }

    fn is_svg_file(&self, reference: &ImageReference) -> bool {
        let page = self.view.page;
        let is_svg = |media_type: &str| media_type.trim().eq_ignore_ascii_case("image/svg+xml");
        let url = key(&reference.url);
        let extension = extension(&reference.url);
        let is_named = |names: &[&str]| extension.as_deref().is_some_and(|own| names.contains(&own));
        // A template's `<link rel="icon" type="image/svg+xml">` keeps its type when its file is replaced.
        let is_declared = || reference.media_type.as_deref().is_some_and(is_svg) && !is_named(RASTER_EXTENSIONS);
        // `use`, and properties that take an element, can only refer to SVG.
        matches!(reference.origin, ImageOrigin::Use | ImageOrigin::SvgElement)
            || is_declared()
            || is_named(&["svg", "svgz"])
            || page.network.get(url).is_some_and(|media_type| is_svg(media_type))
            || page.resources.get(url).is_some_and(|resource| is_svg(&resource.content_type))
    }
}

fn increment_count(item: &mut SvgItem) {
    match item {
        SvgItem::Inline { count, .. } | SvgItem::File { count, .. } => *count += 1,
    }
}

fn origin_name(origin: ImageOrigin) -> &'static str {
    match origin {
        ImageOrigin::Image(source) => source.as_str(),
        ImageOrigin::Object => "object",
        ImageOrigin::Embed => "embed",
        ImageOrigin::Iframe => "iframe",
        ImageOrigin::Use => "use",
        ImageOrigin::SvgElement => ImageSource::Css.as_str(),
    }
}

/// Returns every outermost `svg` element with its position in document order. Those in an inner
/// document have the position of its owner.
fn outermost(view: &PageView<'_>) -> Vec<(usize, SourceNode)> {
    let mut found: Vec<(usize, SourceNode)> =
        outermost_svgs(&view.document).map(|node| (node.index(), SourceNode { source: 0, node })).collect();
    for (index, inner) in view.inner_documents().iter().enumerate() {
        let svgs = outermost_svgs(&inner.document);
        found.extend(svgs.map(|node| (inner.owner.index(), SourceNode { source: index + 1, node })));
    }
    // The sort is stable: elements of one inner document keep their order.
    found.sort_by_key(|(at, _)| *at);
    found
}

fn outermost_svgs(document: &Document) -> impl Iterator<Item = NodeId> {
    let mut end_of_last = 0;
    document.elements().filter_map(move |(node, element)| {
        if node.index() < end_of_last || !element.is_svg("svg") {
            return None;
        }
        end_of_last = document.subtree_end(node);
        Some(node)
    })
}
