//! Finds videos in the head of a page: Open Graph, Twitter cards, JSON-LD.

use super::item;
use crate::json_ld::{self, JsonLd};
use crate::media::dedup::Deduplicated;
use crate::media::{MediaKind, attribute_text, format, open_graph, provider, urls};
use limner_page_view::PageView;
use limner_types::result::{VideoItem, VideoSource};
use url::Url;

pub(super) fn collect_metadata(view: &PageView<'_>, found: &mut Deduplicated<VideoItem>) {
    open_graph(view, found);
    twitter(view, found);
    for (node, object) in JsonLd::from_document(&view.document).nodes() {
        if json_ld::has_type(object, "VideoObject") || json_ld::has_type(object, "MusicVideoObject") {
            json_ld_videos(view, node, object, found);
        }
    }
}

/// Returns the item of a URL that is declared to be a video: of a provider, of a player or of a
/// file.
fn described(url: &Url, media_type: Option<&str>, source: VideoSource) -> VideoItem {
    let is_file = MediaKind::from_url(url) == Some(MediaKind::Video);
    match provider::recognise(url).filter(|hosted| hosted.id.is_some() && !is_file) {
        Some(hosted) => item::hosted(hosted, Some(url), source),
        None if media_type == Some("text/html") => item::player(url, source),
        None => item::file(url.clone(), source),
    }
}

fn open_graph(view: &PageView<'_>, found: &mut Deduplicated<VideoItem>) {
    for tagged in open_graph::open_graph(&view.document, "og:video") {
        for url in tagged.urls.iter().filter_map(|url| urls::absolute(view, url)) {
            let mut item = described(&url, tagged.media_type.as_deref(), VideoSource::Og);
            (item.width, item.height, item.duration) = (tagged.width, tagged.height, tagged.duration);
            // `text/html` is the type of the player, not of the video.
            let declared = tagged.media_type.clone().filter(|media_type| media_type != "text/html");
            item.media_type = declared.or(item.media_type);
            found.push(tagged.node, item);
        }
    }
}

/// Finds `twitter:player` (a frame) and `twitter:player:stream` (a file) with their common size.
fn twitter(view: &PageView<'_>, found: &mut Deduplicated<VideoItem>) {
    let metas: Vec<_> =
        open_graph::metas(&view.document).filter(|(_, name, _)| name.starts_with("twitter:player")).collect();
    let content = |wanted: &str| metas.iter().find(|(_, name, _)| name == wanted).map(|(_, _, content)| *content);
    let size = |name: &str| content(name).and_then(attribute_text::pixels);
    let stream_type = content("twitter:player:stream:content_type").and_then(format::essence);
    for (node, name, content) in &metas {
        let is_player = name == "twitter:player";
        if !is_player && name != "twitter:player:stream" {
            continue;
        }
        let Some(url) = urls::absolute(view, content) else { continue };
        if sounds(&url, is_player, stream_type.as_deref()) {
            continue;
        }
        let mut item = described(&url, is_player.then_some("text/html"), VideoSource::Twitter);
        if !is_player {
            item.media_type = stream_type.clone().or(item.media_type);
        }
        (item.width, item.height) = (size("twitter:player:width"), size("twitter:player:height"));
        found.push(node.index(), item);
    }
}

/// Returns true for an audio player, which belongs to `/audio`.
fn sounds(url: &Url, is_player: bool, stream_type: Option<&str>) -> bool {
    let by_provider = || provider::recognise(url).map(|hosted| hosted.kind);
    let by_type = || stream_type.filter(|_| !is_player).and_then(MediaKind::from_media_type);
    by_type().or_else(|| MediaKind::from_url(url)).or_else(by_provider) == Some(MediaKind::Audio)
}

fn json_ld_videos(
    view: &PageView<'_>,
    node: usize,
    object: &json_ld::JsonLdObject,
    found: &mut Deduplicated<VideoItem>,
) {
    let first =
        |property: &str| json_ld::strings(object, property).into_iter().find_map(|url| urls::absolute(view, url));
    let mut contents = json_ld::strings(object, "contentUrl").into_iter().filter_map(|url| urls::absolute(view, url));
    let (content, embed) = (contents.next(), first("embedUrl"));
    let player = embed.as_ref().and_then(provider::recognise).filter(|hosted| hosted.id.is_some());
    let mut item = match (content, &embed, player) {
        (Some(content), _, player) => {
            let mut item = described(&content, None, VideoSource::Jsonld);
            item.provider = item.provider.or_else(|| player.as_ref().map(|hosted| hosted.provider.to_owned()));
            item.id = item.id.or_else(|| player.and_then(|hosted| hosted.id));
            item.embed_url = embed.map(String::from).or(item.embed_url);
            item
        }
        (None, Some(embed), Some(hosted)) => item::hosted(hosted, Some(embed), VideoSource::Jsonld),
        (None, Some(embed), None) => item::player(embed, VideoSource::Jsonld),
        (None, None, _) => match first("url").as_ref().and_then(provider::recognise).filter(|h| h.id.is_some()) {
            Some(hosted) => item::hosted(hosted, None, VideoSource::Jsonld),
            None => return,
        },
    };
    let pictures = ["thumbnailUrl", "thumbnail", "image"];
    let picture = pictures.iter().find_map(|property| json_ld::strings(object, property).into_iter().next());
    item.poster = picture.and_then(|picture| view.resolve(picture)).map(String::from);
    item.title = json_ld::title(object);
    item.duration = json_ld::seconds(object, "duration");
    (item.width, item.height) = (json_ld::pixels(object, "width"), json_ld::pixels(object, "height"));
    // Further files have the same picture, and formats of their own.
    let others: Vec<VideoItem> = contents
        .map(|url| VideoItem {
            poster: item.poster.clone(),
            title: item.title.clone(),
            duration: item.duration,
            ..described(&url, None, VideoSource::Jsonld)
        })
        .collect();
    item.media_type = json_ld::string(object, "encodingFormat").and_then(format::essence).or(item.media_type);
    found.push(node, item);
    others.into_iter().for_each(|other| found.push(node, other));
}
