//! Classifies sections by landmarks, names, contents and position.

use crate::page_stats::{BAND_HEIGHT, BAND_WIDTH, PageStats, SubtreeCounts};
use crate::role_keywords;
use limner_page::NodeId;
use limner_page::dom::Element;
use limner_style::layout::Rect;
use limner_types::SectionRole;

/// Returns the roles of sections in document order. At most one is the hero.
pub(crate) fn roles(stats: &PageStats<'_>, sections: &[NodeId]) -> Vec<Option<SectionRole>> {
    let mut roles: Vec<Option<SectionRole>> = sections.iter().map(|node| page_frame(stats, *node)).collect();
    called_footers(stats, sections, &mut roles);
    announcements(stats, sections, &mut roles);
    let hero = hero(stats, sections, &roles);
    find_headers_footers(stats, sections, hero, &mut roles);
    let last = roles.iter().rposition(|role| *role != Some(SectionRole::Footer));
    for (at, node) in sections.iter().enumerate() {
        if Some(at) == hero {
            roles[at] = Some(SectionRole::Hero);
        } else if roles[at].is_none() && !is_navigation_sidebar(stats, *node) {
            roles[at] = content(stats, *node, last == Some(at));
        }
    }
    // On a page without another call to action, a contact form at the end is one.
    if let Some(at) = last.filter(|at| roles[*at].is_none() && !roles.contains(&Some(SectionRole::Cta))) {
        let counts = stats.subtree_counts(sections[at]);
        roles[at] = (counts.fields > 0 && is_short_call(&counts)).then_some(SectionRole::Cta);
    }
    roles
}

/// Returns the secondary role of the hero: pricing, if the page has nothing else, or a header with
/// a title.
pub(crate) fn secondary_role(stats: &PageStats<'_>, node: NodeId, is_last: bool) -> Option<SectionRole> {
    let is_header = |element: &Element| element.is_html("header") || element.attr_has_token("role", "banner");
    let called = || match stats.document.element(node) {
        Some(element) if is_header(element) => Some(SectionRole::Header),
        _ => has_role_keyword(stats, node, role_keywords::FOOTERS).then_some(SectionRole::Footer),
    };
    page_frame(stats, node).or_else(called).or_else(|| content(stats, node, is_last))
}

/// Marks footers by name. On a page with a footer element, sections before it are no footers
/// whatever their name.
fn called_footers(stats: &PageStats<'_>, sections: &[NodeId], roles: &mut [Option<SectionRole>]) {
    let from = roles.iter().position(|role| *role == Some(SectionRole::Footer)).unwrap_or(0);
    for (role, node) in roles.iter_mut().zip(sections).skip(from) {
        if role.is_none()
            && has_role_keyword(stats, *node, role_keywords::FOOTERS)
            && !has_role_keyword(stats, *node, &["cta"])
        {
            *role = Some(SectionRole::Footer);
        }
    }
}

/// Removes the header role from announcement banners above the header with the navigation.
fn announcements(stats: &PageStats<'_>, sections: &[NodeId], roles: &mut [Option<SectionRole>]) {
    let leads = |node: NodeId| stats.subtree_counts(node).links >= 3 || contains_element(stats, node, "nav");
    let is_header = |role: &Option<SectionRole>| *role == Some(SectionRole::Header);
    let leading = roles.iter().zip(sections).position(|(role, node)| is_header(role) && leads(*node));
    for (role, node) in roles.iter_mut().zip(sections).take(leading.unwrap_or(0)) {
        // The name of the site may be above its navigation.
        let counts = stats.subtree_counts(*node);
        if is_header(role) && counts.characters >= 15 && counts.headings == 0 {
            *role = None;
        }
    }
}

/// Maximum height of a bar, in CSS pixels.
pub(crate) const BAR: f32 = 180.0;
/// Maximum height of a footer without a name, in CSS pixels.
const LOW: f32 = 700.0;

/// Finds the header and footer of pages without landmarks: the bar with links at the start, and the
/// copyright notice at the end.
fn find_headers_footers(
    stats: &PageStats<'_>,
    sections: &[NodeId],
    hero: Option<usize>,
    roles: &mut [Option<SectionRole>],
) {
    let has_header = roles.contains(&Some(SectionRole::Header));
    if let ([first, ..], [role @ None, ..]) = (sections, &mut *roles)
        && !has_header
        && hero != Some(0)
        && is_thin_bar(stats, *first)
        && stats.subtree_counts(*first).links >= 2
        && !has_role_keyword(stats, *first, role_keywords::NOTICES)
    {
        *role = Some(SectionRole::Header);
    }
    if let ([.., last], [.., role @ None]) = (sections, &mut *roles)
        && sections.len() > 1
        && hero != Some(sections.len() - 1)
        && stats.rect(*last).is_some_and(|rect| rect.height <= LOW)
        && is_notice(stats, *last)
    {
        *role = Some(SectionRole::Footer);
    }
}

/// Returns the bar inside the hero, on a page without a header.
pub(crate) fn header_in_hero(
    stats: &PageStats<'_>,
    sections: &[NodeId],
    roles: &[Option<SectionRole>],
) -> Option<NodeId> {
    if roles.contains(&Some(SectionRole::Header)) || sections.iter().any(|node| is_navigation_sidebar(stats, *node)) {
        return None;
    }
    let hero = sections[roles.iter().position(|role| *role == Some(SectionRole::Hero))?];
    let navigates = |node: &NodeId| {
        let element = stats.document.element(*node);
        let says_so = element.is_some_and(|element| {
            element.is_html("nav")
                || element.is_html("header")
                || element.attr("role").is_some_and(|role| matches!(role, "navigation" | "banner"))
        });
        says_so
            && stats.subtree_counts(*node).links >= 2
            && is_thin_bar(stats, *node)
            && stats.has_visible_content(*node)
    };
    let navigation = stats.document.light_descendants(hero).find(navigates)?;
    let around = stats.document.ancestors(navigation).take_while(|node| *node != hero);
    Some(around.take_while(|node| is_thin_bar(stats, *node)).last().unwrap_or(navigation))
}

/// Returns true if a part is a low bar without large text at the top of the page.
fn is_thin_bar(stats: &PageStats<'_>, node: NodeId) -> bool {
    stats.rect(node).is_some_and(|rect| rect.height <= BAR && rect.y <= BAR)
        && stats.largest_font_size(node) < HEADLINE
        && stats.subtree_counts(node).characters < 150
}

/// Returns true if a part contains a copyright notice.
fn is_notice(stats: &PageStats<'_>, node: NodeId) -> bool {
    let text = stats.text(node, 4_000).to_lowercase();
    role_keywords::NOTICE_OF_RIGHTS.iter().any(|words| text.contains(words))
}

/// Minimum font size of a headline, in any element.
pub(crate) const HEADLINE: f32 = 26.0;

/// Returns the role of the page's headers and footers.
fn page_frame(stats: &PageStats<'_>, node: NodeId) -> Option<SectionRole> {
    let element = stats.document.element(node)?;
    let counts = stats.subtree_counts(node);
    let landmark = element.attr("role").unwrap_or_default();
    let name = element.name();
    if landmark == "contentinfo" || name == "footer" {
        return Some(SectionRole::Footer);
    }
    if name != "header" && landmark != "banner" && is_side_bar(stats, node) {
        return None;
    }
    let navigates =
        name == "nav" || landmark == "navigation" || contains_element(stats, node, "nav") || is_linked(&counts);
    let is_header = name == "header" || landmark == "banner" || name == "nav" || is_named_header(stats, node);
    let is_titled_twice = || counts.headings > 1 && !contains_element(stats, node, "nav") && !is_linked(&counts);
    // Large linked text in a header is the name of the site.
    let has_copy = stats.largest_unlinked_font_size(node) >= HEADLINE
        && (counts.paragraphs > 0 || counts.buttons > 0 || is_titled_twice())
        && counts.characters >= counts.linked + 15;
    let greets = has_copy || is_title_band(stats, node, &counts);
    let is_bar = is_header && !greets && (navigates || counts.characters < 150);
    (is_bar && (landmark == "banner" || !is_in_lower_half(stats, node))).then_some(SectionRole::Header)
}

/// Returns true if an element is named a header. With an `h1` inside `main`, the name is about an
/// article's header.
pub(crate) fn is_named_header(stats: &PageStats<'_>, node: NodeId) -> bool {
    let is_main = |around| stats.document.element(around).is_some_and(|element| element.is_html("main"));
    has_role_keyword(stats, node, role_keywords::HEADERS)
        && !(contains_element(stats, node, "h1") && stats.document.ancestors(node).any(is_main))
}

/// Returns true if a part is in the lower half of the page and below the first viewport. Links
/// there are pagination.
fn is_in_lower_half(stats: &PageStats<'_>, node: NodeId) -> bool {
    let page = stats.document.body().and_then(|body| stats.rect(body));
    let top = stats.rect(node).map_or(0.0, |rect| rect.y);
    top > WINDOW && page.is_some_and(|page| top > page.y + page.height / 2.0)
}

/// The height and width of the viewport, in CSS pixels.
const WINDOW: f32 = 900.0;
const WINDOW_WIDTH: f32 = 1_440.0;

/// Returns true if a part is a sidebar, with any content.
fn is_side_bar(stats: &PageStats<'_>, node: NodeId) -> bool {
    stats.rect(node).is_some_and(|rect| rect.width <= SIDE_BAR && rect.height >= HIGH)
}

/// Returns true if a part is a sidebar that navigates the site.
pub(crate) fn is_navigation_sidebar(stats: &PageStats<'_>, node: NodeId) -> bool {
    let says_so = stats
        .document
        .element(node)
        .is_some_and(|element| element.is_html("nav") || element.attr_has_token("role", "navigation"));
    is_side_bar(stats, node) && (says_so || is_linked(&stats.subtree_counts(node)))
}

/// Maximum width and minimum height of a sidebar, in CSS pixels.
const SIDE_BAR: f32 = 480.0;
const HIGH: f32 = 600.0;

/// Minimum height of a band with a prominent title, in CSS pixels.
const TITLE_BAND: f32 = 240.0;
/// Minimum height of such a band if it contains the site's bar as well.
const BAND_WITH_BAR: f32 = 280.0;

/// Returns true if a header element is a title band rather than the site's bar. Without links the title need not be a
/// heading element.
fn is_title_band(stats: &PageStats<'_>, node: NodeId, counts: &SubtreeCounts) -> bool {
    let least = if contains_element(stats, node, "nav") { BAND_WITH_BAR } else { TITLE_BAND };
    (counts.headings > 0 || counts.links == 0)
        && stats.largest_font_size(node) >= HEADLINE
        && counts.characters >= counts.linked + 15
        && !is_linked(counts)
        && stats.rect(node).is_some_and(|rect| rect.height >= least)
}

/// Returns true if most of the text is links.
fn is_linked(counts: &SubtreeCounts) -> bool {
    counts.links >= 3 && counts.linked * 3 > counts.characters * 2
}

fn contains_element(stats: &PageStats<'_>, node: NodeId, name: &str) -> bool {
    let document = stats.document;
    document.light_descendants(node).any(|inner| document.element(inner).is_some_and(|element| element.is_html(name)))
}

/// Maximum depth of wrappers whose names count for the section.
const MAX_WRAPPERS: usize = 8;

/// Returns true for a cookie consent banner, which is no part of the page's content.
pub(crate) fn is_consent_banner(stats: &PageStats<'_>, node: NodeId) -> bool {
    has_role_keyword(stats, node, role_keywords::CONSENT) && stats.subtree_counts(node).buttons > 0
}

/// Returns the part, then its only child, and so on.
fn wrapped<'s>(stats: &'s PageStats<'_>, node: NodeId) -> impl Iterator<Item = NodeId> + use<'s> {
    let inner = |node: &NodeId| match stats.visible_children(*node).as_slice() {
        [only] => Some(*only),
        _ => None,
    };
    std::iter::successors(Some(node), inner).take(MAX_WRAPPERS)
}

/// Returns true if the ID or a class of the section, or of its only descendants, contains one of
/// these words.
fn has_role_keyword(stats: &PageStats<'_>, node: NodeId, words: &[&str]) -> bool {
    wrapped(stats, node).any(|node| has_keyword(stats, node, words))
}

fn parts(name: &str) -> impl Iterator<Item = &str> {
    name.split(['-', '_', ' '])
}

fn has_keyword(stats: &PageStats<'_>, node: NodeId, words: &[&str]) -> bool {
    let Some(element) = stats.document.element(node) else { return false };
    let classes = element.classes().iter().map(|class| &**class);
    // The layer name from the design tool Framer.
    let names = classes.chain(element.id().map(|id| &**id)).chain(element.attr("data-framer-name"));
    let is_of_another = |name: &&str| {
        parts(name)
            .next()
            .is_some_and(|first| role_keywords::RELATION_PREFIXES.iter().any(|word| first.eq_ignore_ascii_case(word)))
    };
    names
        .filter(|name| !is_of_another(name))
        .flat_map(parts)
        .any(|part| words.iter().any(|word| part.eq_ignore_ascii_case(word)))
}

/// Returns the largest heading, the first of several.
pub(crate) fn main_heading(stats: &PageStats<'_>, node: NodeId) -> Option<NodeId> {
    let inside = std::iter::once(node).chain(stats.document.light_descendants(node));
    let headings =
        inside.filter(|inner| stats.heading_size(*inner) > 0.0 && stats.subtree_counts(*inner).characters > 0);
    headings.reduce(|best, next| if stats.heading_size(next) > stats.heading_size(best) * 1.1 { next } else { best })
}

/// Returns the index of the hero.
fn hero(stats: &PageStats<'_>, sections: &[NodeId], roles: &[Option<SectionRole>]) -> Option<usize> {
    let candidates = || sections.iter().enumerate().filter(|(at, _)| roles[*at].is_none());
    let banner = candidates().map(|(_, node)| *node).find(|node| opens_page(stats, *node));
    let scored = candidates().enumerate().map(|(order, (at, node))| (at, score(stats, *node, order, banner)));
    let best = scored.reduce(|best, next| if next.1 > best.1 { next } else { best });
    // A page with only a header or footer still has a first section.
    best.map(|(at, _)| at).or_else(|| (!sections.is_empty()).then_some(0))
}

/// Returns the score of a section as the hero. `banner` is the part that opens the page with a title, if there is one.
fn score(stats: &PageStats<'_>, node: NodeId, order: usize, banner: Option<NodeId>) -> f64 {
    let counts = stats.subtree_counts(node);
    let mut score = 0.0;
    let is_h1 = |heading| stats.document.element(heading).is_some_and(|element| element.is_html("h1"));
    let is_titled = main_heading(stats, node).is_some_and(is_h1);
    score += if is_titled { 3.0 } else { 0.0 };
    let headline = stats.largest_font_size(node);
    score += if headline >= HEADLINE || counts.headings > 0 { f64::from(headline / 16.0).min(5.0) } else { 0.0 };
    score += if has_role_keyword(stats, node, role_keywords::HEROES) { 4.0 } else { 0.0 };
    score += if counts.buttons > 0 { 1.5 } else { 0.0 };
    score += if counts.paragraphs > 0 || counts.characters >= 60 { 1.0 } else { 0.0 };
    let is_picture = is_opening_picture(stats, node);
    let is_banner = is_banner(stats, node);
    let is_bare = !is_picture && !opens_page(stats, node);
    let is_empty = counts.characters < MIN_TEXT_CHARACTERS && counts.media == 0 && is_bare;
    score -= if is_empty { 3.0 } else { 0.0 };
    score -= if is_linked(&counts) { 4.0 } else { 0.0 };
    score -=
        if has_role_keyword(stats, node, role_keywords::NOTICES) || is_named_sidebar(stats, node) { 6.0 } else { 0.0 };
    // A price list follows the greeting.
    score -= if prices(stats, node) >= 2 { 2.0 } else { 0.0 };
    // Waiting slides have `aria-hidden`.
    let waits = stats.document.element(node).is_some_and(|element| element.attr_has_token("aria-hidden", "true"));
    score -= if waits { 6.0 } else { 0.0 };
    match stats.rect(node) {
        Some(rect) => {
            // Earlier sections are favoured: half a viewport costs one point.
            score -= f64::from(rect.y.max(0.0)) / 450.0;
            // Slides overlap; the first one is on top.
            score -= 0.15 * order.min(6) as f64;
            score += if is_banner { 1.5 } else { 0.0 };
            let is_below = banner.is_some_and(|banner| follows_title(stats, node, banner));
            score += if fills_first_window(stats, node, rect) && !is_below { FILLS_WINDOW } else { 0.0 };
            score += if is_picture { OPENING_PICTURE } else { 0.0 };
            // A section of several viewports is the page's content, not its greeting.
            score -= if rect.height > 3.0 * WINDOW { 1.5 } else { 0.0 };
            let area = f64::from(rect.area()) / f64::from(1440.0 * WINDOW);
            let small = if is_titled { -1.0 } else { -3.0 };
            score += if area < 0.04 { small } else { area.min(1.0) };
        }
        None => score -= order as f64,
    }
    score
}

/// Maximum width of a part that is named a sidebar, in CSS pixels; a wider one is named after the
/// sidebar it contains.
const MAIN: f32 = 1_000.0;

/// Returns true if a part is named a sidebar itself, rather than after one that it contains.
fn is_named_sidebar(stats: &PageStats<'_>, node: NodeId) -> bool {
    has_role_keyword(stats, node, role_keywords::SIDES) && stats.rect(node).is_none_or(|rect| rect.width <= MAIN)
}

/// Minimum height of a banner that opens a page rather than being a line above it, in CSS pixels.
const OPENING_HEIGHT: f32 = 200.0;

/// Returns true for a banner of some height.
fn opens_page(stats: &PageStats<'_>, node: NodeId) -> bool {
    is_banner(stats, node) && stats.rect(node).is_some_and(|rect| rect.height >= OPENING_HEIGHT)
}

/// Returns true if a part is a title with its own background at the start of the page. The title of a high one may be any
/// element.
fn is_banner(stats: &PageStats<'_>, node: NodeId) -> bool {
    let counts = stats.subtree_counts(node);
    let Some(rect) = stats.rect(node).filter(|_| counts.characters <= 400) else { return false };
    let has_headline = || rect.height >= OPENING_HEIGHT && stats.largest_font_size(node) >= HEADLINE;
    (counts.headings > 0 || has_headline())
        && rect.y <= BAR
        && rect.height >= 100.0
        && rect.height <= WINDOW
        && has_own_background(stats, node)
}

/// Returns true if a part is below the banner and has no larger title: it is what the banner announces.
fn follows_title(stats: &PageStats<'_>, node: NodeId, banner: NodeId) -> bool {
    let rects = stats.rect(banner).zip(stats.rect(node));
    rects.is_some_and(|(above, own)| own.y >= above.y + above.height - 1.0)
        && stats.largest_font_size(node) <= stats.largest_font_size(banner)
}

/// Minimum share of the first window that a part fills for it to be what a visitor sees first.
const FIRST_SIGHT: f32 = 0.5;
/// Maximum height of such a part, in CSS pixels: a higher one is the page's content.
const MAX_FIRST_SIGHT: f32 = 1.2 * WINDOW;
/// Score of such a part: more than a large title below it has.
const FILLS_WINDOW: f64 = 8.0;

/// Returns true if a part with words, or a picture, fills most of the first window. A price list follows the greeting.
fn fills_first_window(stats: &PageStats<'_>, node: NodeId, rect: Rect) -> bool {
    let top = rect.y.max(0.0);
    let height = (rect.y + rect.height).min(WINDOW) - top;
    let window = Rect { y: top, height: height.max(0.0), ..rect };
    let shows = || stats.subtree_counts(node).characters >= MIN_TEXT_CHARACTERS || is_opening_picture(stats, node);
    rect.height <= MAX_FIRST_SIGHT
        && visible_area(&window) >= FIRST_SIGHT * WINDOW_WIDTH * WINDOW
        && shows()
        && prices(stats, node) < 2
}

/// Score of a picture that opens the page: more than the text below it has, unless that has the page's headline and the
/// picture is no more than half of the window.
const OPENING_PICTURE: f64 = 5.0;
/// Number of characters from which a part has words.
const MIN_TEXT_CHARACTERS: usize = 15;
/// Minimum share of a part's area for a picture to be what it shows.
const FILLED: f32 = 0.4;

/// Maximum number of characters of the links on a picture whose words are part of it.
const MAX_LINK_CHARACTERS: usize = 40;

/// Maximum height of the bars above an opening picture, in CSS pixels: notices, a logo, navigation.
const BARS: f32 = 240.0;

/// Returns true if a part at the top of the page is nothing but a picture as wide as the page's content, and links to
/// what it shows.
pub(crate) fn is_opening_picture(stats: &PageStats<'_>, node: NodeId) -> bool {
    let counts = stats.subtree_counts(node);
    let is_wordless = counts.characters < MIN_TEXT_CHARACTERS
        || counts.linked == counts.characters && counts.characters <= MAX_LINK_CHARACTERS;
    let Some(rect) = stats.rect(node).filter(|_| is_wordless) else { return false };
    let is_band = rect.width >= BAND_WIDTH && (BAND_HEIGHT..=1.2 * WINDOW).contains(&rect.height);
    let is_image = |inner: NodeId| {
        stats.document.element(inner).is_some_and(|element| element.is_html("img") || element.is_html("video"))
    };
    let fills = |inner: NodeId| stats.rect(inner).is_some_and(|own| visible_area(&own) >= FILLED * visible_area(&rect));
    let shows = |inner: NodeId| (is_image(inner) || stats.has_background_picture(inner)) && fills(inner);
    // A picture that is fixed or placed behind the page is no part of it.
    let is_part = is_band && rect.y <= BARS && !stats.is_out_of_flow(node);
    is_part && std::iter::once(node).chain(stats.document.light_descendants(node)).any(shows)
}

/// Returns the area of the part of a box that is as wide as the viewport at most.
fn visible_area(rect: &Rect) -> f32 {
    let width = (rect.x + rect.width).min(WINDOW_WIDTH) - rect.x.max(0.0);
    width.max(0.0) * rect.height
}

fn content(stats: &PageStats<'_>, node: NodeId, is_last: bool) -> Option<SectionRole> {
    let counts = stats.subtree_counts(node);
    let title = title(stats, node);
    let says = |words: &[&str]| words.iter().any(|word| title.contains(word));
    let is = |role: &role_keywords::RoleKeywords| has_role_keyword(stats, node, role.names) || says(role.titles);
    let prices = prices(stats, node);
    if is(&role_keywords::PRICING)
        && (prices >= 2 || (prices == 1 && role_keywords::PRICING.titles.contains(&title.as_str())))
    {
        return Some(SectionRole::Pricing);
    }
    if is(&role_keywords::FAQ) || answers(stats, node) >= 3 || questions(stats, node) >= 3 {
        return Some(SectionRole::Faq);
    }
    let is_quoted = quotes(stats, node) >= 2 && counts.characters < 4_000;
    if is(&role_keywords::TESTIMONIALS) || is_quoted || is_one_quote(stats, node, &counts) {
        return Some(SectionRole::Testimonials);
    }
    let is_called =
        has_role_keyword(stats, node, &["pricing"]) || role_keywords::PRICING.titles.contains(&title.as_str());
    if is_called || (prices >= 2 && counts.buttons >= 2) {
        return Some(SectionRole::Pricing);
    }
    if is(&role_keywords::FEATURES) {
        return Some(SectionRole::Features);
    }
    if has_role_keyword(stats, node, role_keywords::CTA.names)
        || is_cta(stats, node, is_last, says(role_keywords::CTA.titles))
    {
        return Some(SectionRole::Cta);
    }
    let first_words = if title.is_empty() { stats.text(node, 60).to_lowercase() } else { title };
    let are_articles =
        first_words.split(|c: char| !c.is_alphanumeric()).any(|word| role_keywords::ARTICLES.contains(&word))
            || count(stats, node, "time") >= 2;
    (max_repeated_items(stats, node) >= 3 && !are_articles).then_some(SectionRole::Features)
}

/// Returns true if a section is a call to action, by its words, its position or its prominence.
fn is_cta(stats: &PageStats<'_>, node: NodeId, is_last: bool, says_so: bool) -> bool {
    let counts = stats.subtree_counts(node);
    // A contact form is no call to action; a newsletter form is.
    let is_form = counts.fields >= 2;
    let stands_out =
        || counts.characters <= 250 && counts.media == 0 && counts.buttons <= 2 && has_own_background(stats, node);
    is_short_call(&counts) && (says_so || !is_form && (is_last || stands_out()))
}

/// Returns true for a title and a button with little else.
fn is_short_call(counts: &SubtreeCounts) -> bool {
    counts.buttons >= 1 && counts.characters <= 400 && (1..=2).contains(&counts.headings)
}

/// Returns true if a section, or its only descendants, has its own background or border.
pub(crate) fn has_own_background(stats: &PageStats<'_>, node: NodeId) -> bool {
    wrapped(stats, node).any(|node| stats.is_painted(node))
}

/// Returns true if a section is a quotation with its author.
fn is_one_quote(stats: &PageStats<'_>, node: NodeId, counts: &SubtreeCounts) -> bool {
    let is_quote = |inner: &NodeId| {
        stats.document.element(*inner).is_some_and(|element| element.is_html("blockquote")) && stats.is_visible(*inner)
    };
    let quote = stats.document.light_descendants(node).find(is_quote);
    let says_who = || counts.media > 0 || ["figcaption", "cite"].into_iter().any(|name| count(stats, node, name) > 0);
    quote.is_some_and(|quote| stats.subtree_counts(quote).characters * 2 > counts.characters)
        && counts.characters < 1_000
        && says_who()
}

/// Returns the heading or else the accessible name of a section, in lower case.
fn title(stats: &PageStats<'_>, node: NodeId) -> String {
    let heading = main_heading(stats, node).map(|heading| stats.text(heading, 120));
    let label = stats.document.element(node).and_then(|element| element.attr("aria-label"));
    let title = heading.or_else(|| label.map(|label| label.trim().chars().take(120).collect()));
    title.unwrap_or_default().to_lowercase()
}

/// Returns the number of headings, terms, buttons and summaries that are questions.
fn questions(stats: &PageStats<'_>, node: NodeId) -> usize {
    let is_question = |inner: &NodeId| {
        let element = stats.document.element(*inner);
        let asks = element.is_some_and(|element| {
            element.in_html()
                && matches!(element.name(), "h2" | "h3" | "h4" | "h5" | "h6" | "dt" | "button" | "summary")
        });
        asks && stats.is_visible(*inner) && stats.text(*inner, 300).trim_end().ends_with(['?', '\u{ff1f}', '\u{61f}'])
    };
    stats.document.light_descendants(node).filter(is_question).count()
}

/// Returns the number of collapsed texts. A summary of code is no question.
fn answers(stats: &PageStats<'_>, node: NodeId) -> usize {
    let document = stats.document;
    let is = |node: NodeId, name: &str| document.element(node).is_some_and(|element| element.is_html(name));
    let is_of_words = |inner: &NodeId| {
        let mut summaries = document.child_elements(*inner).filter(|(node, _)| is(*node, "summary"));
        is(*inner, "details") && !summaries.any(|(summary, _)| contains_element(stats, summary, "code"))
    };
    document.light_descendants(node).filter(is_of_words).count()
}

/// Returns the number of quotations in a section.
fn quotes(stats: &PageStats<'_>, node: NodeId) -> usize {
    let document = stats.document;
    let is_quote = |inner: &NodeId| {
        let text = document.text(*inner).map(str::trim_start).unwrap_or_default();
        let is_shown = document.parent(*inner).is_some_and(|parent| stats.is_visible(parent));
        is_shown
            && text.starts_with(['\u{201c}', '\u{201e}', '\u{ab}', '\u{300c}', '"'])
            && text.chars().nth(40).is_some()
    };
    let is_called_one =
        |inner: &NodeId| stats.is_visible(*inner) && has_keyword(stats, *inner, role_keywords::TESTIMONIALS.names);
    let written = document.light_descendants(node).filter(is_quote).count();
    let called = document.light_descendants(node).filter(is_called_one).count();
    written.max(called).max(count(stats, node, "blockquote"))
}

fn count(stats: &PageStats<'_>, node: NodeId, name: &str) -> usize {
    let document = stats.document;
    document
        .light_descendants(node)
        .filter(|inner| document.element(*inner).is_some_and(|element| element.is_html(name)))
        .count()
}

/// Returns the number of amounts of money.
fn prices(stats: &PageStats<'_>, node: NodeId) -> usize {
    let text = stats.text(node, 6_000);
    let mut sums = 0;
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        let follows = letters.peek().is_some_and(|next| next.is_ascii_digit() || *next == ' ');
        sums += usize::from(matches!(c, '$' | '€' | '£' | '¥') && follows);
    }
    sums
}

/// Returns the maximum number of similar titled children of any element.
fn max_repeated_items(stats: &PageStats<'_>, node: NodeId) -> usize {
    let document = stats.document;
    let parents = std::iter::once(node).chain(document.light_descendants(node)).take(400);
    let items = |parent: NodeId| {
        let mut keys: Vec<_> = document
            .child_elements(parent)
            .filter(|(child, _)| {
                let counts = stats.subtree_counts(*child);
                let is_titled = counts.headings == 1 || counts.headings == 0 && has_term(stats, *child);
                is_titled && counts.characters >= 20 && stats.is_visible(*child)
            })
            .map(|(child, element)| {
                let title = main_heading(stats, child).and_then(|title| document.element(title));
                // Utility classes differ between similar items; the rank of their titles does not.
                let rank = title.map(Element::name).filter(|name| matches!(*name, "h3" | "h4" | "h5" | "h6"));
                (element.name(), rank.or_else(|| element.classes().first().map(|class| &**class)))
            })
            .collect();
        keys.sort();
        keys.chunk_by(|a, b| a == b).map(<[_]>::len).max().unwrap_or(0)
    };
    parents.map(items).max().unwrap_or(0)
}

/// Returns true if a part contains a term of a description list, or an element that is named a
/// title.
fn has_term(stats: &PageStats<'_>, node: NodeId) -> bool {
    let document = stats.document;
    let mut inside = document.light_descendants(node);
    inside.any(|inner| {
        document.element(inner).is_some_and(|element| element.is_html("dt"))
            || has_keyword(stats, inner, &["title", "heading"])
    })
}
