//! Logo candidates on the page: images, inline SVGs and backgrounds, scored by position and names.

use super::variants::of_source;
use super::{Candidate, Context, drawing, format_of};
use crate::PageView;
use crate::brand::region::Marks;
use crate::brand::survey::Survey;
use crate::brand::words::{any_of, words};
use crate::references::{Origin, Reference, key};
use limner_page::dom::Element;
use limner_page::{Document, NodeId};
use limner_style::layout::Rect;
use limner_style::property::Longhand;
use limner_types::result::{ImageSource, LogoType};
use std::collections::HashMap;
use url::Url;

/// Maximum number of images.
const MOST_PICTURES: usize = 4_000;
/// Maximum number of inline SVGs that are serialized, the most likely first.
const MOST_DRAWINGS: usize = 6;
/// Maximum number of characters for each image of a logo list: a caption, not running text.
const MOST_CAPTION: usize = 40;
/// Points for a score of 1.
const FULL: f64 = 110.0;

/// Words of logos.
const LOGO: &[&str] =
    &["logo", "logos", "logotype", "logomark", "wordmark", "brandmark", "brand", "sitelogo", "masthead"];
/// Words of images that are not logos.
const OTHERS: &[&str] = &[
    "flag",
    "flags",
    "avatar",
    "profile",
    "user",
    "author",
    "team",
    "photo",
    "badge",
    "badges",
    "appstore",
    "playstore",
    "googleplay",
    "arrow",
    "menu",
    "hamburger",
    "burger",
    "search",
    "close",
    "chevron",
    "cart",
    "caret",
    "toggle",
    "play",
    "star",
    "rating",
    "payment",
    "visa",
    "mastercard",
    "paypal",
    "banner",
    "hero",
    "background",
    "bg",
    "pixel",
    "tracking",
    "spacer",
    "captcha",
    "facebook",
    "twitter",
    "instagram",
    "linkedin",
    "youtube",
    "github",
    "sun",
    "moon",
    "theme",
    "language",
    "lang",
    "download",
    "sponsor",
    "partner",
    "client",
    "customer",
    "testimonial",
    "screenshot",
    "placeholder",
    "blank",
    "loader",
    "spinner",
];

pub(super) fn candidates(survey: &Survey<'_>, context: &Context<'_>) -> Vec<Candidate> {
    let judge = Judge::new(survey.view, context, Some(survey));
    let mut found: Vec<Candidate> = judge.pictures();
    found.extend(judge.backgrounds(survey));
    let mut drawings = judge.drawings();
    drawings.sort_by(|a, b| b.score.total_cmp(&a.score));
    drawings.truncate(MOST_DRAWINGS);
    for mut candidate in drawings {
        let Some(inline) = candidate.node.and_then(|node| drawing::inline(survey, node)) else { continue };
        candidate.url = inline.data_url;
        candidate.code = Some(inline.code);
        candidate.alt = candidate.alt.take().or(inline.title);
        found.push(candidate);
    }
    found.retain(|candidate| candidate.score > 0.0);
    found
}

/// Returns files that are likely logos, judged without styles, to be fetched.
pub(super) fn likely_files(view: &PageView<'_>, references: &[Reference]) -> Vec<String> {
    let context = Context::new(view, &[], references);
    let judge = Judge::new(view, &context, None);
    let mut found: Vec<Candidate> = judge.pictures().into_iter().filter(Candidate::is_drawing).collect();
    found.retain(|candidate| candidate.score >= 0.4);
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    found.into_iter().map(|candidate| candidate.url).collect()
}

struct Judge<'a> {
    view: &'a PageView<'a>,
    document: &'a Document,
    context: &'a Context<'a>,
    /// `None` if the page was not rendered.
    survey: Option<&'a Survey<'a>>,
    /// References by element.
    by_element: HashMap<NodeId, Vec<&'a Reference>>,
    /// For each node, the numbers of images and of characters before it.
    before: Vec<(u32, usize)>,
    /// The `img` in the header, if there is exactly one.
    only_in_header: Option<NodeId>,
    first_picture: Option<NodeId>,
    /// True if the page shows logos of several other brands.
    shows_others: bool,
}

/// Number of logos of other brands from which a page is about others: partners, integrations, case studies.
const MANY_OTHERS: usize = 3;

/// The score of a candidate with its reasons.
struct Points {
    total: f64,
    reasons: Vec<String>,
}

impl Points {
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

impl<'a> Judge<'a> {
    fn new(view: &'a PageView<'a>, context: &'a Context<'a>, survey: Option<&'a Survey<'a>>) -> Self {
        let mut by_element: HashMap<NodeId, Vec<&Reference>> = HashMap::new();
        for reference in context.references {
            if let Some(node) = reference.element {
                by_element.entry(node).or_default().push(reference);
            }
        }
        let document = &view.document;
        let before = contents_before(document);
        let only_in_header = survey.and_then(|survey| {
            let in_header = |node: &NodeId| survey.regions.get(*node).has_any(Marks::HEADER);
            let mut pictures = document.elements_named("img").map(|(node, _)| node).filter(in_header);
            pictures.next().filter(|_| pictures.next().is_none())
        });
        let first_picture = document.elements_named("img").next().map(|(node, _)| node);
        let mut others = document.elements_named("img").take(MOST_PICTURES).filter(|(_, e)| names_other(context, e));
        let shows_others = others.nth(MANY_OTHERS - 1).is_some();
        Self { view, document, context, survey, by_element, before, only_in_header, first_picture, shows_others }
    }

    /// Returns candidates from `img` elements and equivalents.
    fn pictures(&self) -> Vec<Candidate> {
        let is_picture =
            |e: &Element| e.is_html("img") || e.is_html("amp-img") || e.is_html("object") || e.is_html("embed");
        let elements = self.document.elements().filter(|(_, element)| is_picture(element)).take(MOST_PICTURES);
        elements.flat_map(|(node, element)| self.picture(node, element)).collect()
    }

    fn picture(&self, node: NodeId, element: &Element) -> Vec<Candidate> {
        let Some(address) = self.address(node) else { return Vec::new() };
        let source = if element.name() == "img" || element.name() == "amp-img" { "img" } else { "object" };
        let names = file_words(&address);
        let points = self.points(node, element, &names);
        let mut candidate = Candidate::new(key(&address).to_owned(), LogoType::Logo, source);
        candidate.format = format_of(&address, element.attr("type"));
        candidate.alt = element.attr("alt").map(str::trim).filter(|alt| !alt.is_empty()).map(str::to_owned);
        self.finish(&mut candidate, node, points);
        let mut found = vec![candidate];
        found.extend(self.other_sources(node, &found[0]));
        found
    }

    /// Returns the URL that a browser shows to visitors, not the placeholder of a lazy-loading script.
    fn address(&self, node: NodeId) -> Option<Url> {
        let references = self.by_element.get(&node)?;
        let stands_in = |reference: &&&Reference| {
            let is_data = reference.url.scheme() == "data";
            (is_data && reference.url.as_str().len() < 400)
                || any_of(&file_words(&reference.url), &["blank", "placeholder", "spacer"])
        };
        let is_picture = |reference: &&&Reference| {
            matches!(
                reference.origin,
                Origin::Image(ImageSource::Img | ImageSource::Srcset) | Origin::Object | Origin::Embed
            )
        };
        let fitting = || references.iter().filter(is_picture);
        let chosen = fitting().find(|reference| !stands_in(reference)).or_else(|| fitting().next())?;
        Some(chosen.url.clone())
    }

    /// Returns the `source` elements of a `picture` for another colour scheme.
    fn other_sources(&self, node: NodeId, shown: &Candidate) -> Vec<Candidate> {
        let Some(parent) = self.document.parent(node) else { return Vec::new() };
        if !self.document.element(parent).is_some_and(|element| element.is_html("picture")) {
            return Vec::new();
        }
        let sources = self.document.child_elements(parent).filter(|(_, child)| child.is_html("source"));
        let variant = |(source, _): (NodeId, &Element)| {
            let reference = self.by_element.get(&source)?.first()?;
            let theme = of_source(reference.media.as_deref())?;
            let url = key(&reference.url).to_owned();
            let format = format_of(&reference.url, reference.media_type.as_deref());
            let score = shown.score - 0.05;
            let is_visible = false;
            Some(Candidate { url, source: "picture", theme: Some(theme), format, score, is_visible, ..shown.clone() })
        };
        sources.filter_map(variant).collect()
    }

    /// Returns candidates from outermost inline SVGs; their markup is serialized later.
    fn drawings(&self) -> Vec<Candidate> {
        let mut end_of_last = 0;
        let mut found = Vec::new();
        for (node, element) in self.document.elements() {
            if node.index() < end_of_last || !element.is_svg("svg") {
                continue;
            }
            end_of_last = self.document.subtree_end(node);
            let mut points = self.points(node, element, &[]);
            let area = self.area(node);
            let is_small = area.is_some_and(|area| area.width <= 26.0 && area.height <= 26.0);
            // Most small SVGs are icons, except at the logo's position.
            points.add_if(is_small && !points.reasons.iter().any(|reason| reason == "links home"), -30.0, "");
            let mut candidate = Candidate::new(String::new(), LogoType::Logo, "svg");
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

    /// Returns candidates from background images of links and of elements named logo.
    fn backgrounds(&self, survey: &Survey<'_>) -> Vec<Candidate> {
        let mut found = Vec::new();
        for seen in &survey.seen {
            let image = seen.style.get(Longhand::BackgroundImage);
            let Some(address) = image.strip_prefix("url(\"").and_then(|rest| rest.split('"').next()) else { continue };
            let Some(element) = self.document.element(seen.node) else { continue };
            let is_box = seen.area.width < 700.0 && seen.area.height < 400.0;
            let is_called_so = any_of(&own_words(element), LOGO);
            let may_be = is_called_so || (seen.marks.has_any(Marks::HEADER) && seen.marks.has_any(Marks::LINK));
            // URLs in attributes are not resolved.
            let absolute = || Url::parse(address).ok().or_else(|| survey.view.resolve(address));
            let Some(url) = absolute().filter(|_| is_box && may_be) else { continue };
            let points = self.points(seen.node, element, &file_words(&url));
            let mut candidate = Candidate::new(key(&url).to_owned(), LogoType::Logo, "css");
            let name = ["aria-label", "title"].iter().find_map(|name| element.attr(name)).map(str::to_owned);
            let text = || self.document.text_content(seen.node).split_whitespace().collect::<Vec<_>>().join(" ");
            candidate.alt = name.or_else(|| Some(text()).filter(|text| !text.is_empty() && text.len() < 100));
            self.finish(&mut candidate, seen.node, points);
            found.push(candidate);
        }
        found
    }

    fn area(&self, node: NodeId) -> Option<Rect> {
        self.survey.and_then(|survey| survey.boxes.get(node))
    }

    fn finish(&self, candidate: &mut Candidate, node: NodeId, points: Points) {
        candidate.node = Some(node);
        candidate.score = (points.total / FULL).clamp(0.0, 1.0);
        candidate.reasons = points.reasons;
        candidate.is_visible = self.survey.is_none_or(|survey| survey.seen_at(node).is_some());
        let element = self.document.element(node);
        let declared = |name: &str| element.and_then(|e| e.attr(name)).and_then(crate::media::text::pixels);
        let laid_out = self.area(node).filter(|_| self.survey.is_some_and(|survey| survey.is_laid_out));
        let shown = |length: f32| (length >= 1.0).then(|| length.round() as u32);
        candidate.width = declared("width").or_else(|| laid_out.and_then(|area| shown(area.width)));
        candidate.height = declared("height").or_else(|| laid_out.and_then(|area| shown(area.height)));
    }

    fn points(&self, node: NodeId, element: &Element, file: &[String]) -> Points {
        let mut points = Points { total: 0.0, reasons: Vec::new() };
        self.by_place(node, &mut points);
        self.by_link(node, &mut points);
        self.by_name(node, element, file, &mut points);
        self.by_looks(node, element, &mut points);
        points
    }

    /// Scores the position.
    fn by_place(&self, node: NodeId, points: &mut Points) {
        let Some(survey) = self.survey else {
            let in_header = self.document.ancestors(node).filter_map(|n| self.document.element(n));
            let mut frames =
                in_header.filter(|element| matches!(element.name(), "header" | "nav" | "footer" | "article"));
            let is_first = frames.next().is_some_and(|frame| matches!(frame.name(), "header" | "nav"));
            return points.add_if(is_first, 30.0, "in the header");
        };
        let marks = survey.regions.get(node);
        let in_header = marks.has_any(Marks::HEADER);
        let in_footer = marks.has_any(Marks::FOOTER);
        let is_foreign = marks.has_any(Marks::FOREIGN) || marks.has_any(Marks::PLATFORM) || marks.has_any(Marks::SHARE);
        points.add_if(in_header, 30.0, "in the header");
        points.add_if(self.only_in_header == Some(node), 14.0, "the only picture there");
        points.add_if(self.first_picture == Some(node), 10.0, "the first picture");
        points.add_if(!in_header && marks.has_any(Marks::NAV) && !in_footer, 15.0, "in navigation");
        points.add_if(in_footer, -10.0, "");
        points.add_if(marks.has_any(Marks::SECTION) && !in_header, -12.0, "");
        points.add_if(is_foreign || marks.has_any(Marks::CODE), -60.0, "");
        points.add_if(marks.has_any(Marks::CUSTOMERS) || (!in_header && self.is_among_many(node)), -40.0, "");
        points.add_if(marks.has_any(Marks::SOCIAL), -40.0, "");
        if let Some(area) = survey.boxes.get(node) {
            points.add_if(area.y < 160.0 && area.x < 1_440.0, 8.0, "at the top");
            let is_huge = area.width > 900.0 || area.height > 520.0;
            points.add_if(is_huge, -30.0, "");
        }
        points.add_if(survey.seen_at(node).is_none(), -15.0, "");
    }

    /// Returns true if it is one of several images near each other, with little text between them.
    fn is_among_many(&self, node: NodeId) -> bool {
        let is_wall = |ancestor: NodeId| {
            let (start, end) = (self.before[ancestor.index()], self.before[self.document.subtree_end(ancestor)]);
            let (pictures, characters) = (end.0 - start.0, end.1 - start.1);
            pictures >= 4 && characters <= pictures as usize * MOST_CAPTION
        };
        self.document.ancestors(node).take(3).any(is_wall)
    }

    /// Scores the target of its link.
    fn by_link(&self, node: NodeId, points: &mut Points) {
        let around = std::iter::once(node).chain(self.document.ancestors(node)).take(6);
        let mut elements = around.filter_map(|node| self.document.element(node));
        let Some(link) = elements.find(|element| element.is_html("a")) else { return };
        match self.target(link) {
            Target::Home => points.add(34.0, "links home"),
            Target::Parent => points.add(14.0, "links to the parent site"),
            Target::Within => points.add(-6.0, ""),
            Target::Elsewhere => points.add(-26.0, ""),
        }
    }

    fn target(&self, link: &Element) -> Target {
        let Some(href) = link.attr("href").map(str::trim) else { return Target::Within };
        if link.attr_has_token("rel", "home") || matches!(href, "#" | "#top" | "#page-top" | "#home" | "#page" | "") {
            return Target::Home;
        }
        let Some(url) = self.view.resolve(href) else { return Target::Within };
        let own = &self.view.url;
        let same_host = url.host_str() == own.host_str();
        let is_root = is_home_path(url.path());
        let same_site =
            psl::domain_str(url.host_str().unwrap_or_default()) == psl::domain_str(own.host_str().unwrap_or_default());
        match () {
            () if url.fragment().is_some() && key(&url) == key(own) => Target::Within,
            () if same_host && (is_root || is_around(url.path(), own.path())) => Target::Home,
            () if same_host => Target::Within,
            () if is_root && same_site => Target::Home,
            // Documentation and blogs link to the parent site.
            () if is_root && is_same_label(&url, own) => Target::Parent,
            () if same_site => Target::Within,
            () => Target::Elsewhere,
        }
    }

    /// Scores the names of the element, the file and the ancestors.
    fn by_name(&self, node: NodeId, element: &Element, file: &[String], points: &mut Points) {
        let own = own_words(element);
        let around = self.document.ancestors(node).take(3).filter_map(|node| self.document.element(node));
        let around: Vec<String> =
            around.filter(|e| !e.is_html("body") && !e.is_html("html")).flat_map(own_words).collect();
        let called: Vec<String> = ["alt", "aria-label", "title"]
            .iter()
            .filter_map(|name| element.attr(name))
            .flat_map(words)
            .take(24)
            .collect();
        let file_says = any_of(file, LOGO);
        points.add_if(file_says, 20.0, "file named logo");
        points.add_if(any_of(&own, LOGO), 26.0, "named logo");
        points.add_if(!any_of(&own, LOGO) && any_of(&around, LOGO), 20.0, "in what is named logo");
        points.add_if(any_of(&called, LOGO), 12.0, "alt says logo");
        points.add_if(element.attr_has_token("itemprop", "logo"), 30.0, "itemprop logo");
        let text = ["alt", "aria-label", "title"].iter().filter_map(|name| element.attr(name));
        let label = text.chain(self.svg_title(node)).find(|text| !text.trim().is_empty());
        points.add_if(label.is_some_and(|label| self.context.names_site(label)), 16.0, "named like the site");
        let stem = file.join("");
        points.add_if(
            stem.len() >= 4 && self.context.names.iter().any(|name| stem.contains(name.as_str())),
            6.0,
            "file named like the site",
        );
        points.add_if(self.shows_others && names_other(self.context, element), -50.0, "");
        let is_other =
            any_of(file, OTHERS) || any_of(&own, OTHERS) || (any_of(&called, OTHERS) && !any_of(&called, LOGO));
        points.add_if(is_other && !file_says, -34.0, "");
        points.add_if(any_of(file, &["icon", "icons", "ico"]) && !file_says, -12.0, "");
    }

    fn svg_title(&self, node: NodeId) -> Option<&'a str> {
        let (title, _) = self.document.child_elements(node).find(|(_, child)| child.is_svg("title"))?;
        self.document.first_child(title).and_then(|text| self.document.text(text))
    }

    /// Scores the shape and the containing elements.
    fn by_looks(&self, node: NodeId, element: &Element, points: &mut Points) {
        let mut near = self.document.ancestors(node).take(3).filter_map(|node| self.document.element(node));
        let in_button = near.any(|e| e.is_html("button") || e.attr("role") == Some("button"));
        points.add_if(in_button, -34.0, "");
        let declared = |name: &str| element.attr(name).and_then(crate::media::text::pixels);
        let speck =
            declared("width").is_some_and(|width| width <= 2) || declared("height").is_some_and(|height| height <= 2);
        points.add_if(speck, -80.0, "");
        if let Some(seen) = self.survey.and_then(|survey| survey.seen_at(node)) {
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

/// For each node, counts the images and characters before it; one more entry for the end.
fn contents_before(document: &Document) -> Vec<(u32, usize)> {
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

enum Target {
    /// The home page of the site.
    Home,
    /// The home page of the parent site.
    Parent,
    /// Another page of the site.
    Within,
    /// Another site.
    Elsewhere,
}

/// Returns true for `/`, `/index.html`, `/de`, `/en-us/`.
fn is_home_path(path: &str) -> bool {
    let path = path.trim_matches('/');
    let is_index =
        |name: &str| matches!(name, "index.html" | "index.htm" | "index.php" | "home" | "default.aspx" | "home.html");
    let is_language = |name: &str| {
        let plain = name.len() == 2 || (name.len() == 5 && matches!(name.as_bytes()[2], b'-' | b'_'));
        plain && name.chars().all(|c| c.is_ascii_alphabetic() || matches!(c, '-' | '_'))
    };
    match path.split_once('/') {
        None => path.is_empty() || is_index(path) || is_language(path),
        Some((language, rest)) => is_language(language) && is_index(rest),
    }
}

/// Returns true for the start page of a folder that contains the page: the home of a site below the root.
fn is_around(path: &str, page: &str) -> bool {
    let folder = |path: &str| path.rsplit_once('/').map(|(folder, _)| format!("{folder}/")).unwrap_or_default();
    let file = path.rsplit('/').next().unwrap_or_default();
    let is_start = file.is_empty() || file.starts_with("index.");
    is_start && folder(page).starts_with(&folder(path))
}

/// Returns true if two hosts have the same name, like `docs.acme.test` and `www.acme.org`.
fn is_same_label(one: &Url, two: &Url) -> bool {
    let label = |url: &Url| {
        let host = url.host_str().unwrap_or_default();
        let registered = psl::domain_str(host).unwrap_or(host);
        registered.split('.').next().unwrap_or_default().to_owned()
    };
    let name = label(one);
    name.len() >= 3 && name == label(two)
}

/// Returns true if an image is named as a logo of another brand than the site's.
fn names_other(context: &Context<'_>, element: &Element) -> bool {
    let alt = element.attr("alt").unwrap_or_default();
    let called = words(alt);
    let source = element.attr("src").and_then(|src| src.split(['?', '#']).next()?.rsplit('/').next());
    let is_logo = any_of(&called, LOGO)
        || any_of(&own_words(element), LOGO)
        || source.is_some_and(|file| any_of(&words(file), LOGO));
    let has_name = called.iter().any(|word| !any_of(std::slice::from_ref(word), LOGO));
    is_logo && has_name && !context.names_site(alt)
}

fn own_words(element: &Element) -> Vec<String> {
    let names = element.id().into_iter().chain(element.classes()).take(16);
    names.flat_map(|name| words(name)).collect()
}

/// Returns the words of a file's name.
fn file_words(url: &Url) -> Vec<String> {
    if url.scheme() == "data" {
        return Vec::new();
    }
    words(url.path().rsplit('/').next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn home_paths_are_recognised() {
        for (path, expected) in [
            ("/", true),
            ("", true),
            ("/index.html", true),
            ("/de/", true),
            ("/en-US", true),
            ("/de/index.html", true),
            ("/about", false),
            ("/docs/", false),
        ] {
            assert_eq!(is_home_path(path), expected, "{path}");
        }
        assert!(is_around("/docs/", "/docs/guide/start.html") && is_around("/docs/index.html", "/docs/a.html"));
        assert!(!is_around("/blog/", "/docs/a.html") && !is_around("/docs/other.html", "/docs/a.html"));
    }
}
