//! Reads the podcast feeds that a page links to.

use super::item;
use crate::feed::{self, Enclosure};
use crate::media::dedup::Deduplicated;
use crate::media::{MediaKind, format, urls};
use limner_page::dom::Element;
use limner_page::{DocumentBase, NodeId};
use limner_page_view::PageView;
use limner_types::result::{AudioItem, AudioSource};
use url::Url;

/// Maximum number of feeds per page.
const MAX_FEEDS: usize = 5;
/// Media types of feeds.
const FEED_TYPES: &[&str] =
    &["application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json"];
/// Words in the names of feeds.
const FEED_WORDS: &[&str] = &["rss", "feed", "podcast", "atom"];

/// Returns the URLs of feeds that the snapshot lacks.
pub(super) fn missing_feeds(view: &PageView<'_>) -> Vec<String> {
    urls::missing(view, linked(view).feeds.into_iter(), MAX_FEEDS)
}

/// Adds the enclosures of the feeds after the items of the page, feed by feed; returns true if the page links to more
/// feeds than are read.
pub(super) fn collect_enclosures(view: &PageView<'_>, found: &mut Deduplicated<AudioItem>) -> bool {
    let LinkedFeeds { feeds, has_more } = linked(view);
    for url in feeds {
        let Some(resource) = urls::resource(view, url.as_str()) else { continue };
        let base = feed::base(&resource.url, &view.base);
        // An invalid or rejected feed has no episodes.
        for enclosure in feed::enclosures(resource).unwrap_or_default() {
            if let Some(mut item) = sound(&base, enclosure) {
                item.feed = Some(url.to_string());
                found.push(usize::MAX, item);
            }
        }
    }
    has_more
}

/// The feeds that a page links to.
#[derive(Default)]
struct LinkedFeeds {
    /// Declared feeds, then links that look like feeds, each URL once and in document order.
    feeds: Vec<Url>,
    /// True if there are more.
    has_more: bool,
}

fn linked(view: &PageView<'_>) -> LinkedFeeds {
    let declared = view.document.elements().filter(|(_, element)| is_feed_link(element));
    let others = view.document.elements().filter(|(node, element)| looks_like_feed_link(view, *node, element));
    let mut found = LinkedFeeds::default();
    for (_, element) in declared.chain(others) {
        let Some(url) = element.attr("href").and_then(|href| urls::absolute(view, href)) else { continue };
        if found.feeds.contains(&url) {
            continue;
        }
        if found.feeds.len() == MAX_FEEDS {
            found.has_more = true;
            break;
        }
        found.feeds.push(url);
    }
    found
}

fn is_feed_link(element: &Element) -> bool {
    let links = element.is_html("a") || (element.is_html("link") && element.attr_has_token("rel", "alternate"));
    let declared = || element.attr("type").and_then(format::essence);
    links && declared().is_some_and(|declared| FEED_TYPES.contains(&declared.as_str()))
}

/// Returns true for a link whose URL or text is that of a feed and whose media type, if any, does
/// not contradict.
fn looks_like_feed_link(view: &PageView<'_>, node: NodeId, element: &Element) -> bool {
    let media_type = element.attr("type").and_then(format::essence);
    let is_xml = media_type.as_deref().is_some_and(|own| matches!(own, "text/xml" | "application/xml"));
    let is_json = media_type.as_deref() == Some("application/json");
    let Some(url) = element.attr("href").and_then(|href| urls::absolute(view, href)) else { return false };
    let says = |text: &str| FEED_WORDS.iter().any(|word| text.contains(word));
    if element.is_html("link") {
        // Pages also declare APIs of their content management system as JSON.
        let is_feed = is_xml || (is_json && url.path_segments().and_then(Iterator::last).is_some_and(says));
        return is_feed && element.attr_has_token("rel", "alternate");
    }
    if !element.is_html("a") || !(media_type.is_none() || is_xml) {
        return false;
    }
    let name = url.path_segments().and_then(|segments| segments.rev().find(|part| !part.is_empty()));
    let name = name.unwrap_or_default().to_ascii_lowercase();
    match name.rsplit_once('.') {
        Some((stem, "xml")) => says(stem) || says(&view.document.text_content(node).to_lowercase()),
        Some((_, extension)) => matches!(extension, "rss" | "atom"),
        None => matches!(name.as_str(), "feed" | "rss" | "rss2" | "atom"),
    }
}

/// Returns the item of an enclosure that is audio: by its type, else by file name if the type is
/// generic, and by default if neither says anything.
fn sound(base: &DocumentBase, enclosure: Enclosure) -> Option<AudioItem> {
    let url = urls::absolute_from(base, &enclosure.url)?;
    let declared = format::essence(&enclosure.media_type);
    let by_type = declared.as_deref().and_then(MediaKind::from_media_type);
    let says_nothing =
        declared.as_deref().is_none_or(|t| matches!(t, "application/octet-stream" | "binary/octet-stream"));
    let is_sound = match (by_type, MediaKind::from_url(&url)) {
        (Some(kind), _) => kind == MediaKind::Audio,
        (None, Some(kind)) => says_nothing && kind == MediaKind::Audio,
        (None, None) => says_nothing && !enclosure.is_uncertain && !is_picture(&url),
    };
    let mut item = Some(item::file(url, AudioSource::Enclosure)).filter(|_| is_sound)?;
    item.media_type = declared.filter(|_| by_type.is_some()).or(item.media_type);
    item.title = enclosure.title;
    item.length = enclosure.length;
    item.duration = enclosure.duration;
    Some(item)
}

fn is_picture(url: &Url) -> bool {
    let pictures = ["jpg", "jpeg", "png", "gif", "webp", "avif", "svg", "pdf", "zip"];
    format::extension(url).is_some_and(|extension| pictures.iter().any(|p| extension.eq_ignore_ascii_case(p)))
}
