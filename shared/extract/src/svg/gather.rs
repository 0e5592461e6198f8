//! Collects the SVG items of a page: inline markup and files, without duplicates, in document
//! order.

use super::inline::{self, Inline};
use super::library::{Library, Part};
use crate::PageView;
use crate::references::{self, Origin, Reference, References, data_media_type, extension, key};
use limner_page::charset::decode_html;
use limner_page::data_url::DataUrl;
use limner_page::media_type::MediaType;
use limner_page::{Document, NodeId};
use limner_types::Choice;
use limner_types::result::{ImageSource, SvgItem};
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};

/// Maximum size of all markup written for one page, in bytes, duplicates included.
const MAX_WRITTEN_BYTES: usize = 64 * 1024 * 1024;
/// Maximum size of one SVG, in bytes: the maximum size of a result.
const MAX_CODE_BYTES: usize = crate::result_size::MAX_RESULT_BYTES;

pub(super) struct Gather<'a> {
    view: &'a PageView<'a>,
    items: Vec<SvgItem>,
    by_markup: HashMap<[u8; 32], usize>,
    by_file: HashMap<String, File>,
    /// The item of each `data:` URL, or `None` if it is no SVG.
    by_data_url: HashMap<String, Option<usize>>,
    left_to_write: usize,
    too_much: bool,
}

struct File {
    index: usize,
    origin: Origin,
}

impl<'a> Gather<'a> {
    pub(super) fn new(view: &'a PageView<'a>) -> Self {
        Self {
            view,
            items: Vec::new(),
            by_markup: HashMap::new(),
            by_file: HashMap::new(),
            by_data_url: HashMap::new(),
            left_to_write: MAX_WRITTEN_BYTES,
            too_much: false,
        }
    }

    /// Returns the items, and true if some were left out because of their size.
    pub(super) fn finish(self) -> (Vec<SvgItem>, bool) {
        (self.items, self.too_much)
    }

    /// Collects all items of a page.
    pub(super) fn page(&mut self) {
        let view = self.view;
        let library = Library::of_page(view);
        let used = library.all_used();
        let References { list, is_cut } = references::collect(view);
        self.too_much |= is_cut;
        let mut references = list.into_iter().peekable();
        for (at, part) in outermost(view) {
            // References inside an SVG follow it.
            while let Some(reference) = references.next_if(|reference| reference.at < at) {
                self.reference(reference);
            }
            if inline::is_worth_listing(&library, part, &used) {
                let element = (part.source == 0).then_some(part.node);
                self.inline(&library, part, element);
            }
        }
        references.for_each(|reference| self.reference(reference));
    }

    fn inline(&mut self, library: &Library<'_>, part: Part, element: Option<NodeId>) -> Option<usize> {
        let limit = MAX_CODE_BYTES.min(self.left_to_write);
        let Some(inline) = inline::read(library, part, limit) else {
            self.too_much = true;
            // Markup that exceeded the limit counts as written, too.
            self.left_to_write -= limit;
            return None;
        };
        self.left_to_write = self.left_to_write.saturating_sub(inline.code.len());
        Some(self.add_inline(inline, element))
    }

    fn add_inline(&mut self, inline: Inline, element: Option<NodeId>) -> usize {
        let hash: [u8; 32] = Sha256::digest(inline.code.as_bytes()).into();
        if let Some(index) = self.by_markup.get(&hash) {
            count_again(&mut self.items[*index]);
            return *index;
        }
        let Inline { code, width, height, view_box, title } = inline;
        let selector = element.map(|node| self.view.document.unique_selector(node));
        self.items.push(SvgItem::Inline { code, width, height, view_box, title, count: 1, selector });
        self.by_markup.insert(hash, self.items.len() - 1);
        self.items.len() - 1
    }

    fn reference(&mut self, reference: Reference) {
        if reference.url.scheme() == "data" {
            self.data_url(&reference);
        } else if self.is_svg_file(&reference) {
            self.add_file(&reference);
        }
    }

    fn add_file(&mut self, reference: &Reference) {
        let url = key(&reference.url);
        let Some(file) = self.by_file.get_mut(url) else {
            let file = File { index: self.items.len(), origin: reference.origin };
            self.by_file.insert(url.to_owned(), file);
            let source = word(reference.origin).to_owned();
            self.items.push(SvgItem::File { url: url.to_owned(), source, count: 1 });
            return;
        };
        let item = &mut self.items[file.index];
        count_again(item);
        if reference.origin < file.origin {
            file.origin = reference.origin;
            if let SvgItem::File { source, .. } = item {
                word(reference.origin).clone_into(source);
            }
        }
    }

    /// Adds the markup in a `data:` URL of an element; equal URLs are decoded once. Images in
    /// stylesheets are decoration and no SVG of the page; `/images` lists them.
    fn data_url(&mut self, reference: &Reference) {
        let is_svg = data_media_type(&reference.url).as_deref() == Some("image/svg+xml");
        if !is_svg || matches!(reference.origin, Origin::Use | Origin::Image(ImageSource::Css)) {
            return;
        }
        let address = reference.url.as_str();
        if let Some(known) = self.by_data_url.get(address) {
            known.iter().for_each(|index| count_again(&mut self.items[*index]));
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
        let library = Library::of_file(text, url);
        let part = Part { source: 0, node: library.source(0).root_svg()? };
        // Placeholders of lazily loaded images draw nothing.
        if !inline::is_worth_listing(&library, part, &library.all_used()) {
            return None;
        }
        self.inline(&library, part, element)
    }

    fn is_svg_file(&self, reference: &Reference) -> bool {
        let page = self.view.page;
        let is_svg = |media_type: &str| media_type.trim().eq_ignore_ascii_case("image/svg+xml");
        let url = key(&reference.url);
        // `use`, and properties that take an element, can only refer to SVG.
        matches!(reference.origin, Origin::Use | Origin::SvgElement)
            || reference.media_type.as_deref().is_some_and(is_svg)
            || extension(&reference.url).is_some_and(|extension| matches!(extension.as_str(), "svg" | "svgz"))
            || page.network.get(url).is_some_and(|media_type| is_svg(media_type))
            || page.resources.get(url).is_some_and(|resource| is_svg(&resource.content_type))
    }
}

fn count_again(item: &mut SvgItem) {
    match item {
        SvgItem::Inline { count, .. } | SvgItem::File { count, .. } => *count += 1,
    }
}

fn word(origin: Origin) -> &'static str {
    match origin {
        Origin::Image(source) => source.as_str(),
        Origin::Object => "object",
        Origin::Embed => "embed",
        Origin::Iframe => "iframe",
        Origin::Use => "use",
        Origin::SvgElement => ImageSource::Css.as_str(),
    }
}

/// Returns every outermost `svg` element with its position in document order. Those in a `noscript`
/// have its position.
fn outermost(view: &PageView<'_>) -> Vec<(usize, Part)> {
    let mut found: Vec<(usize, Part)> =
        outermost_of(&view.document).map(|node| (node.index(), Part { source: 0, node })).collect();
    for (index, (at, document)) in view.noscripts().iter().enumerate() {
        found.extend(outermost_of(document).map(|node| (at.index(), Part { source: index + 1, node })));
    }
    // The sort is stable: elements of one `noscript` keep their order.
    found.sort_by_key(|(at, _)| *at);
    found
}

fn outermost_of(document: &Document) -> impl Iterator<Item = NodeId> {
    let mut end_of_last = 0;
    document.elements().filter_map(move |(node, element)| {
        if node.index() < end_of_last || !element.is_svg("svg") {
            return None;
        }
        end_of_last = document.subtree_end(node);
        Some(node)
    })
}

/// Elements that a `use` refers to.
pub(super) type Used = HashSet<Part>;
