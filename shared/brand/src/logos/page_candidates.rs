//! Logo candidates on the page: images, inline SVGs and backgrounds, scored by position and names.

use super::link_target::LinkTarget;
use super::logo_names::{NON_LOGO_WORDS, file_words, has_logo_word, is_logo_word, is_named_logo, own_name_tokens};
use super::variants::source_theme;
use super::{LogoCandidate, SiteContext, image_format, inline_svg};
use crate::name_tokens::{contains_any, split_words};
use crate::page_regions::RegionFlags;
use crate::rendered_page::RenderedPage;
use limner_assets::image_references::{ImageOrigin, ImageReference, key};
use limner_page::dom::Element;
use limner_page::site::registrable_domain;
use limner_page::{Document, NodeId};
use limner_page_view::PageView;
use limner_style::Environment;
use limner_style::image_source::ImageSelector;
use limner_style::layout::Rect;
use limner_style::property::Longhand;
use limner_types::result::{ImageSource, LogoType};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use url::Url;

/// Maximum number of images.
const MAX_IMAGES: usize = 4_000;
/// Maximum length of the URL of a `source`, in bytes: all images of a `picture` may share it.
const MAX_SOURCE_URL_BYTES: usize = 2_048;
/// Maximum number of inline SVGs that are serialized, the most likely first.
const MAX_INLINE_SVGS: usize = 6;
/// Minimum number of equal drawings in a row that are a pattern: the stars of a rating.
const MIN_PATTERN: usize = 3;
/// Maximum number of characters for each image of a logo list: a caption, not running text.
const MAX_CAPTION_CHARACTERS: usize = 40;
/// Points for a score of 1.
const FULL: f64 = 110.0;

pub(super) fn candidates(page: &RenderedPage<'_>, context: &SiteContext<'_>) -> Vec<LogoCandidate> {
    let judge = CandidateScorer::new(page.view, context, Some(page));
    let mut found: Vec<LogoCandidate> = judge.pictures();
    found.extend(judge.backgrounds(page));
    let mut drawings = judge.drawings();
    drawings.sort_by(|a, b| b.score.total_cmp(&a.score));
    drawings.truncate(MAX_INLINE_SVGS);
    for mut candidate in drawings {
        let Some(inline) = candidate.node.and_then(|node| inline_svg::inline(page, node)) else { continue };
        candidate.url = inline.data_url;
        candidate.code = Some(inline.code);
        candidate.alt = candidate.alt.take().or(inline.title);
        found.push(candidate);
    }
    found.retain(|candidate| candidate.score > 0.0);
    found
}

/// Returns files that are likely logos, judged without styles, to be fetched.
pub(super) fn likely_files(view: &PageView<'_>, references: &[ImageReference]) -> Vec<String> {
    let context = SiteContext::new(view, &[], references);
    let judge = CandidateScorer::new(view, &context, None);
    let mut found: Vec<LogoCandidate> = judge.pictures().into_iter().filter(LogoCandidate::is_drawing).collect();
    found.retain(|candidate| candidate.score >= 0.4);
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    found.into_iter().map(|candidate| candidate.url).collect()
}

struct CandidateScorer<'a> {
    view: &'a PageView<'a>,
    document: &'a Document,
    own_site: Option<String>,
    context: &'a SiteContext<'a>,
    /// `None` if the page was not rendered.
    rendered: Option<&'a RenderedPage<'a>>,
    /// References by element.
    by_element: HashMap<NodeId, Vec<&'a ImageReference>>,
    /// For each node, the numbers of images and of characters before it.
    prefix_counts: Vec<(u32, usize)>,
    selector: RefCell<ImageSelector<'a>>,
    /// The `picture` elements whose themed sources are candidates.
    themed_pictures: RefCell<HashSet<NodeId>>,
    /// The `img` in the header, if there is exactly one.
    only_in_header: Option<NodeId>,
    first_image: Option<NodeId>,
    /// True if the page shows logos of several other brands.
    shows_other_logos: bool,
}

/// Number of logos of other brands from which a page is about others: partners, integrations, case studies.
const MAX_FOREIGN_LOGOS: usize = 3;

/// The score of a candidate with its reasons.
struct Score {
    total: f64,
    reasons: Vec<String>,
    /// True if its names are those of something else.
    is_named_otherwise: bool,
}

impl Score {
    fn add(&mut self, points: f64, reason: &str) {
        self.total += points;
        if points > 0.0 {
            self.reasons.push(reason.to_owned());
        }
    }

    fn add_if(&mut self, condition: bool, points: f64, reason: &str) {
        if condition {
            self.add(points, reason);
        }
    }
}

impl<'a> CandidateScorer<'a> {
    fn new(view: &'a PageView<'a>, context: &'a SiteContext<'a>, rendered: Option<&'a RenderedPage<'a>>) -> Self {
        let mut by_element: HashMap<NodeId, Vec<&ImageReference>> = HashMap::new();
        for reference in context.references {
            if let Some(node) = reference.element {
                by_element.entry(node).or_default().push(reference);
            }
        }
        let document = &view.document;
        let prefix_counts = prefix_counts(document);
        let only_in_header = rendered.and_then(|page| {
            let in_header = |node: &NodeId| page.regions.get(*node).has_any(RegionFlags::HEADER);
            let mut pictures = document.elements_named("img").map(|(node, _)| node).filter(in_header);
            pictures.next().filter(|_| pictures.next().is_none())
        });
        let first_image = document.elements_named("img").next().map(|(node, _)| node);
        let others = document.elements_named("img").take(MAX_IMAGES).filter(|(_, e)| names_another_brand(context, e));
        // The site's own logo is repeated in header, menu and footer.
        let others: HashSet<&str> = others.filter_map(|(_, element)| element.attr("src")).collect();
        let shows_other_logos = others.len() >= MAX_FOREIGN_LOGOS;
        Self {
            view,
            document,
            own_site: registrable_domain(&view.url),
            context,
            rendered,
            by_element,
            prefix_counts,
            selector: RefCell::new(ImageSelector::new(document, &Environment::default())),
            themed_pictures: RefCell::default(),
            only_in_header,
            first_image,
            shows_other_logos,
        }
    }

    /// Returns candidates from `img` elements and equivalents.
    fn pictures(&self) -> Vec<LogoCandidate> {
        let is_picture =
            |e: &Element| e.is_html("img") || e.is_html("amp-img") || e.is_html("object") || e.is_html("embed");
        let elements = self.document.elements().filter(|(_, element)| is_picture(element)).take(MAX_IMAGES);
        elements.flat_map(|(node, element)| self.picture(node, element)).collect()
    }

    fn picture(&self, node: NodeId, element: &Element) -> Vec<LogoCandidate> {
        let Some(address) = self.address(node) else { return Vec::new() };
        let source = if element.name() == "img" || element.name() == "amp-img" { "img" } else { "object" };
        let names = file_words(&address);
        let mut points = self.points(node, element, &names);
        let is_hidden = self.rendered.is_some_and(|page| page.boxes.get(node).is_none());
        // Themes come with a logo, in a header that the site may have turned off.
        points.add_if(is_hidden && self.is_of_theme(&address), -120.0, "");
        let shown = self.picture_source(node).unwrap_or(address);
        let mut candidate = LogoCandidate::new(key(&shown).to_owned(), LogoType::Logo, source);
        candidate.format = image_format(&shown, element.attr("type"));
        candidate.alt = element.attr("alt").map(str::trim).filter(|alt| !alt.is_empty()).map(str::to_owned);
        self.finish(&mut candidate, node, points);
        let mut found = vec![candidate];
        found.extend(self.themed_sources(node, &found[0]));
        found
    }

    /// Returns the URL that a browser shows to visitors, not the placeholder of a lazy-loading script.
    fn address(&self, node: NodeId) -> Option<Url> {
        let references = self.by_element.get(&node)?;
        let stands_in = |reference: &&&ImageReference| {
            let is_data = reference.url.scheme() == "data";
            (is_data && reference.url.as_str().len() < 400)
                || contains_any(&file_words(&reference.url), &["blank", "placeholder", "spacer"])
        };
        let is_picture = |reference: &&&ImageReference| {
            matches!(
                reference.origin,
                ImageOrigin::Image(ImageSource::Img | ImageSource::Srcset) | ImageOrigin::Object | ImageOrigin::Embed
            )
        };
        let fitting = || references.iter().filter(is_picture);
        // An ordinary screen shows the candidate of its density in place of `src`.
        let is_plain = |reference: &&&ImageReference| match reference.descriptor.as_deref() {
            // A candidate without a descriptor is one for `1x`.
            None => reference.origin == ImageOrigin::Image(ImageSource::Srcset),
            Some(descriptor) => descriptor == "1x",
        };
        let shown = || fitting().find(|reference| is_plain(reference) && !stands_in(reference));
        let written = || fitting().find(|reference| !stands_in(reference));
        let chosen = shown().or_else(written).or_else(|| fitting().next())?;
        Some(chosen.url.clone())
    }

    /// Returns the URL that a browser shows in place of the fallback of a `picture`.
    fn picture_source(&self, node: NodeId) -> Option<Url> {
        let parent = self.document.element(self.document.parent(node)?)?;
        if !parent.is_html("picture") {
            return None;
        }
        let shown = self.selector.borrow_mut().select(node).filter(|shown| shown.url.len() <= MAX_SOURCE_URL_BYTES)?;
        let url = self.view.resolve(shown.url)?;
        (url.scheme() != "data").then_some(url)
    }

    /// Returns the `source` elements of a `picture` for another colour scheme, for the first of its images.
    fn themed_sources(&self, node: NodeId, shown: &LogoCandidate) -> Vec<LogoCandidate> {
        let Some(parent) = self.document.parent(node) else { return Vec::new() };
        let is_picture = self.document.element(parent).is_some_and(|element| element.is_html("picture"));
        if !is_picture || !self.themed_pictures.borrow_mut().insert(parent) {
            return Vec::new();
        }
        let sources = self.document.child_elements(parent).filter(|(_, child)| child.is_html("source"));
        let variant = |(source, _): (NodeId, &Element)| {
            let reference = self.by_element.get(&source)?.first()?;
            let theme = source_theme(reference.media.as_deref())?;
            let url = key(&reference.url).to_owned();
            let format = image_format(&reference.url, reference.media_type.as_deref());
            let score = shown.score - 0.05;
            let is_visible = false;
            Some(LogoCandidate {
                url,
                source: "picture",
                theme: Some(theme),
                format,
                score,
                is_visible,
                ..shown.clone()
            })
        };
        sources.filter_map(variant).collect()
    }

    /// Returns candidates from outermost inline SVGs; their markup is serialized later.
    fn drawings(&self) -> Vec<LogoCandidate> {
        let drawings = self.outermost_drawings();
        let runs = drawings.chunk_by(|one, other| are_copies(self.document, *one, *other));
        let singular = runs.filter(|run| run.len() < MIN_PATTERN).flatten().copied();
        let mut found = Vec::new();
        for node in singular {
            let Some(element) = self.document.element(node) else { continue };
            let mut points = self.points(node, element, &[]);
            let area = self.area(node);
            let is_small = area.is_some_and(|area| area.width <= 26.0 && area.height <= 26.0);
            // Most small SVGs are icons, except at the logo's position.
            points.add_if(is_small && !points.reasons.iter().any(|reason| reason == "links home"), -30.0, "");
            let mut candidate = LogoCandidate::new(String::new(), LogoType::Logo, "svg");
            candidate.format = Some("svg".to_owned());
            candidate.alt =
                element.attr("aria-label").map(str::trim).filter(|label| !label.is_empty()).map(str::to_owned);
            self.finish(&mut candidate, node, points);
            if candidate.score >= 0.3 {
                found.push(candidate);
            }
        }
        found
    }

    fn outermost_drawings(&self) -> Vec<NodeId> {
        let mut end_of_last = 0;
        let mut found = Vec::new();
        for (node, element) in self.document.elements() {
            if node.index() >= end_of_last && element.is_svg("svg") {
                end_of_last = self.document.subtree_end(node);
                found.push(node);
            }
        }
        found
    }

    /// Returns candidates from background images of links and of elements named logo.
    fn backgrounds(&self, page: &RenderedPage<'_>) -> Vec<LogoCandidate> {
        let mut found = Vec::new();
        for seen in &page.elements {
            let image = seen.style.get(Longhand::BackgroundImage);
            let Some(address) = image.strip_prefix("url(\"").and_then(|rest| rest.split('"').next()) else { continue };
            let Some(element) = self.document.element(seen.node) else { continue };
            let is_box = seen.area.width < 700.0 && seen.area.height < 400.0;
            let is_called_so = is_named_logo(element);
            let may_be =
                is_called_so || (seen.flags.has_any(RegionFlags::HEADER) && seen.flags.has_any(RegionFlags::LINK));
            // URLs in attributes are not resolved.
            let absolute = || Url::parse(address).ok().or_else(|| page.view.resolve(address));
            let Some(url) = absolute().filter(|_| is_box && may_be) else { continue };
            let points = self.points(seen.node, element, &file_words(&url));
            let mut candidate = LogoCandidate::new(key(&url).to_owned(), LogoType::Logo, "css");
            let name = ["aria-label", "title"].iter().find_map(|name| element.attr(name)).map(str::to_owned);
            let text = || self.document.text_content(seen.node).split_whitespace().collect::<Vec<_>>().join(" ");
            candidate.alt = name.or_else(|| Some(text()).filter(|text| !text.is_empty() && text.len() < 100));
            self.finish(&mut candidate, seen.node, points);
            found.push(candidate);
        }
        found
    }

    fn area(&self, node: NodeId) -> Option<Rect> {
        self.rendered.and_then(|page| page.boxes.get(node))
    }

    fn finish(&self, candidate: &mut LogoCandidate, node: NodeId, points: Score) {
        candidate.node = Some(node);
        candidate.score = (points.total / FULL).max(0.0);
        candidate.reasons = points.reasons;
        candidate.is_visible = self.rendered.is_none_or(|page| page.visible_element(node).is_some());
        let element = self.document.element(node);
        let declared =
            |name: &str| element.and_then(|e| e.attr(name)).and_then(limner_assets::media::attribute_text::pixels);
        let laid_out = self.area(node).filter(|_| self.rendered.is_some_and(|page| page.is_laid_out));
        let shown = |length: f32| (length >= 1.0).then(|| length.round() as u32);
        candidate.width = declared("width").or_else(|| laid_out.and_then(|area| shown(area.width)));
        candidate.height = declared("height").or_else(|| laid_out.and_then(|area| shown(area.height)));
    }

    fn points(&self, node: NodeId, element: &Element, file: &[String]) -> Score {
        let mut points = Score { total: 0.0, reasons: Vec::new(), is_named_otherwise: false };
        self.score_position(node, &mut points);
        self.score_link(node, element, &mut points);
        self.score_name(node, element, file, &mut points);
        self.score_appearance(node, element, &mut points);
        self.score_top_bar(node, element, &mut points);
        points
    }

    /// Scores an image in the first rows of a page whose header has no name, if something else says that it is the logo.
    fn score_top_bar(&self, node: NodeId, element: &Element, points: &mut Score) {
        let Some(page) = self.rendered else { return };
        let in_bar = page.boxes.get(node).is_some_and(is_in_top_bar);
        let says = |reason: &str| points.reasons.iter().any(|own| own == reason);
        let is_logo = says("named like the site")
            || (!points.is_named_otherwise
                && element.is_html("img")
                && ["links home", "file named logo", "the first picture"].into_iter().any(says));
        points.add_if(in_bar && is_logo && !says("in the header"), 16.0, "in a bar at the top");
    }

    /// Scores the position.
    fn score_position(&self, node: NodeId, points: &mut Score) {
        let Some(page) = self.rendered else {
            let in_header = self.document.ancestors(node).filter_map(|n| self.document.element(n));
            let mut frames =
                in_header.filter(|element| matches!(element.name(), "header" | "nav" | "footer" | "article"));
            let is_first = frames.next().is_some_and(|frame| matches!(frame.name(), "header" | "nav"));
            return points.add_if(is_first, 30.0, "in the header");
        };
        let marks = page.regions.get(node);
        let in_header = marks.has_any(RegionFlags::HEADER);
        let in_footer = marks.has_any(RegionFlags::FOOTER);
        let is_first_in_bar = self.is_first_in_bar(node);
        let is_foreign = marks.has_any(RegionFlags::FOREIGN)
            || marks.has_any(RegionFlags::PLATFORM)
            || marks.has_any(RegionFlags::SHARE);
        points.add_if(in_header, 30.0, "in the header");
        points.add_if(self.only_in_header == Some(node), 14.0, "the only picture there");
        points.add_if(self.first_image == Some(node), 10.0, "the first picture");
        points.add_if(!in_header && marks.has_any(RegionFlags::NAV) && !in_footer, 15.0, "in navigation");
        points.add_if(in_footer, -10.0, "");
        points.add_if(marks.has_any(RegionFlags::SECTION) && !in_header && !is_first_in_bar, -12.0, "");
        points.add_if(is_foreign || marks.has_any(RegionFlags::CODE), -60.0, "");
        let is_in_group = !in_header && !is_first_in_bar && self.is_in_image_group(node);
        points.add_if(marks.has_any(RegionFlags::CUSTOMERS) || is_in_group, -40.0, "");
        points.add_if(marks.has_any(RegionFlags::SOCIAL), -40.0, "");
        if let Some(area) = page.boxes.get(node) {
            points.add_if(area.y < 160.0 && area.x < 1_440.0, 8.0, "at the top");
            let is_huge = area.width > 900.0 || area.height > 520.0;
            points.add_if(is_huge, -30.0, "");
        }
        points.add_if(page.visible_element(node).is_none(), -15.0, "");
    }

    /// Returns true for an image in the folder of a WordPress theme that has not the site's name.
    fn is_of_theme(&self, address: &Url) -> bool {
        let theme = address.path().split_once("/wp-content/themes/").and_then(|(_, rest)| rest.split('/').next());
        theme.is_some_and(|theme| !self.context.mentions_site(theme))
    }

    /// Returns true for the first image of the page in a bar at its top.
    fn is_first_in_bar(&self, node: NodeId) -> bool {
        self.first_image == Some(node) && self.area(node).is_some_and(is_in_top_bar)
    }

    /// Returns true if it is one of several images near each other, with little text between them.
    fn is_in_image_group(&self, node: NodeId) -> bool {
        let is_wall = |ancestor: NodeId| {
            let (start, end) =
                (self.prefix_counts[ancestor.index()], self.prefix_counts[self.document.subtree_end(ancestor)]);
            let (pictures, characters) = (end.0 - start.0, end.1 - start.1);
            pictures >= 4 && characters <= pictures as usize * MAX_CAPTION_CHARACTERS
        };
        self.document.ancestors(node).take(3).any(is_wall)
    }

    /// Scores the target of its link.
    fn score_link(&self, node: NodeId, element: &Element, points: &mut Score) {
        let around = std::iter::once(node).chain(self.document.ancestors(node)).take(6);
        let mut elements = around.filter_map(|node| self.document.element(node));
        let Some(link) = elements.find(|element| element.is_html("a")) else { return };
        match LinkTarget::from_link(self.view, self.own_site.as_deref(), link) {
            LinkTarget::Home => points.add(34.0, "links home"),
            LinkTarget::Parent => points.add(14.0, "links to the parent site"),
            LinkTarget::SameSite => points.add(-6.0, ""),
            // A logo of its own may link to its owner.
            LinkTarget::Elsewhere if (is_named_logo(link) || is_named_logo(element)) && self.is_first_in_bar(node) => {}
            LinkTarget::Elsewhere => points.add(-26.0, ""),
        }
    }

    /// Scores the names of the element, the file and the ancestors.
    fn score_name(&self, node: NodeId, element: &Element, file: &[String], points: &mut Score) {
        let own = own_name_tokens(element);
        let around = self.document.ancestors(node).take(3).filter_map(|node| self.document.element(node));
        let around: Vec<String> =
            around.filter(|e| !e.is_html("body") && !e.is_html("html")).flat_map(own_name_tokens).collect();
        let called: Vec<String> = ["alt", "aria-label", "title"]
            .iter()
            .filter_map(|name| element.attr(name))
            .flat_map(split_words)
            .take(24)
            .collect();
        let file_says = has_logo_word(file);
        points.add_if(file_says, 20.0, "file named logo");
        let is_named = is_named_logo(element);
        points.add_if(is_named, 26.0, "named logo");
        points.add_if(!is_named && has_logo_word(&around), 20.0, "in what is named logo");
        points.add_if(has_logo_word(&called), 12.0, "alt says logo");
        points.add_if(element.attr_has_token("itemprop", "logo"), 30.0, "itemprop logo");
        let text = ["alt", "aria-label", "title"].iter().filter_map(|name| element.attr(name));
        let label = text.chain(self.svg_title(node)).find(|text| !text.trim().is_empty());
        points.add_if(label.is_some_and(|label| self.context.mentions_site(label)), 16.0, "named like the site");
        let stem = file.join("");
        points.add_if(
            stem.len() >= 4 && self.context.names.iter().any(|name| stem.contains(name.as_str())),
            6.0,
            "file named like the site",
        );
        // Pages whose header is text, or has none, sign with their logo.
        points.add_if(self.signs_page(node, element, points), 26.0, "named in the footer");
        points.add_if(self.shows_other_logos && names_another_brand(self.context, element), -50.0, "");
        let is_other = contains_any(file, NON_LOGO_WORDS)
            || contains_any(&own, NON_LOGO_WORDS)
            || (contains_any(&called, NON_LOGO_WORDS) && !has_logo_word(&called));
        let says_so =
            file_says || (has_logo_word(&called) && label.is_some_and(|label| self.context.mentions_site(label)));
        points.is_named_otherwise = is_other && !says_so;
        points.add_if(points.is_named_otherwise, -34.0, "");
        points.add_if(contains_any(file, &["icon", "icons", "ico"]) && !file_says, -12.0, "");
    }

    /// Returns true for a small image in the footer that has the site's name, and whose file is named like the site or a logo.
    fn signs_page(&self, node: NodeId, element: &Element, points: &Score) -> bool {
        let says = |reasons: &[&str]| points.reasons.iter().any(|own| reasons.contains(&own.as_str()));
        let in_footer = || self.rendered.is_some_and(|page| page.regions.get(node).has_any(RegionFlags::FOOTER));
        let declared = |name: &str| element.attr(name).and_then(limner_assets::media::attribute_text::pixels);
        let is_small = || match (declared("width"), declared("height")) {
            (Some(width), Some(height)) => width <= 420 && height <= 200,
            _ => self.area(node).is_some_and(|area| area.width <= 420.0 && area.height <= 200.0),
        };
        says(&["named like the site"])
            && says(&["file named logo", "file named like the site"])
            && in_footer()
            && is_small()
    }

    fn svg_title(&self, node: NodeId) -> Option<&'a str> {
        let (title, _) = self.document.child_elements(node).find(|(_, child)| child.is_svg("title"))?;
        self.document.first_child(title).and_then(|text| self.document.text(text))
    }

    /// Scores the shape and the containing elements.
    fn score_appearance(&self, node: NodeId, element: &Element, points: &mut Score) {
        let mut near = self.document.ancestors(node).take(3).filter_map(|node| self.document.element(node));
        let in_button = near.any(|e| e.is_html("button") || e.attr("role") == Some("button"));
        points.add_if(in_button, -34.0, "");
        let declared = |name: &str| element.attr(name).and_then(limner_assets::media::attribute_text::pixels);
        let speck =
            declared("width").is_some_and(|width| width <= 2) || declared("height").is_some_and(|height| height <= 2);
        points.add_if(speck, -80.0, "");
        if let Some(seen) = self.rendered.and_then(|page| page.visible_element(node)) {
            let radius = seen.style.get(Longhand::BorderTopLeftRadius);
            let is_round = radius.ends_with('%') && radius != "0%"
                || radius
                    .trim_end_matches("px")
                    .parse::<f32>()
                    .is_ok_and(|radius| radius >= 16.0 && radius * 2.0 >= seen.area.height - 1.0);
            points.add_if(is_round && element.is_html("img"), -24.0, "");
        }
        let is_photo =
            element.attr("src").is_some_and(|src| src.contains("unsplash.com") || src.contains("gravatar.com"));
        points.add_if(is_photo, -40.0, "");
    }
}

/// Returns true for a box as large as a logo in the first rows of the page, where the header is that no name marks.
fn is_in_top_bar(area: Rect) -> bool {
    let is_at_top = area.y >= 0.0 && area.y + area.height <= 150.0 && area.x < 1_440.0;
    is_at_top && area.height >= 14.0 && (14.0..=420.0).contains(&area.width)
}

/// For each node, counts the images and characters before it; one more entry for the end.
fn prefix_counts(document: &Document) -> Vec<(u32, usize)> {
    let mut before = vec![(0, 0); document.len() + 1];
    for node in document.descendants(document.root()) {
        let is_picture = document.element(node).is_some_and(|e| e.is_html("img") || e.is_svg("svg"));
        let is_text = document.parent(node).and_then(|parent| document.element(parent)).is_none_or(|e| e.in_html());
        let text = document.text(node).filter(|_| is_text).map_or(0, |text| text.trim().len());
        before[node.index() + 1] = (u32::from(is_picture), text);
    }
    let mut total = (0, 0);
    for entry in &mut before {
        total = (total.0 + entry.0, total.1 + entry.1);
        *entry = total;
    }
    before
}

/// Returns true if an image is named as a logo of another brand than the site's.
fn names_another_brand(context: &SiteContext<'_>, element: &Element) -> bool {
    let alt = element.attr("alt").unwrap_or_default();
    let called = split_words(alt);
    let source = element.attr("src").and_then(|src| src.split(['?', '#']).next()?.rsplit('/').next());
    let is_logo = has_logo_word(&called)
        || is_named_logo(element)
        || source.is_some_and(|file| has_logo_word(&split_words(file)));
    let has_name = called.iter().any(|word| !is_logo_word(word));
    is_logo && has_name && !context.mentions_site(alt)
}

/// Returns true if two drawings that follow each other in one element, each perhaps in an element of its own, are alike.
fn are_copies(document: &Document, one: NodeId, other: NodeId) -> bool {
    /// Maximum number of elements of which a drawing is compared.
    const MAX_COMPARED: usize = 16;
    let mut around = document.ancestors(one).take(2).zip(document.ancestors(other).take(2));
    if !around.any(|(one, other)| one == other) {
        return false;
    }
    let elements = |root: NodeId| document.descendants(root).filter_map(|node| document.element(node));
    let drawn = |element: &Element| ["d", "points", "href"].map(|name| element.attr(name).map(str::to_owned));
    let shapes =
        |root: NodeId| elements(root).take(MAX_COMPARED).map(|element| (element.name().to_owned(), drawn(element)));
    let mut pairs = shapes(one).zip(shapes(other)).peekable();
    pairs.peek().is_some() && pairs.all(|(one, other)| one == other)
}
