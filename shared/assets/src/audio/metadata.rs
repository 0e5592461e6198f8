//! Finds audio in the head of a page: Open Graph, Twitter cards, JSON-LD.

use super::item;
use crate::json_ld::{self, JsonLd, JsonLdObject};
use crate::media::dedup::Deduplicated;
use crate::media::{MediaKind, format, open_graph, urls};
use limner_page_view::PageView;
use limner_types::result::{AudioItem, AudioSource};
use url::Url;

pub(super) fn collect_metadata(view: &PageView<'_>, found: &mut Deduplicated<AudioItem>) {
    open_graph(view, found);
    twitter(view, found);
    for (node, object) in JsonLd::from_document(&view.document).nodes() {
        if json_ld::has_type(object, "AudioObject") || json_ld::has_type(object, "Audiobook") {
            json_ld_sounds(view, node, object, None, found);
        } else if json_ld::has_type(object, "PodcastEpisode") || json_ld::has_type(object, "RadioEpisode") {
            episode(view, node, object, found);
        }
    }
}

fn open_graph(view: &PageView<'_>, found: &mut Deduplicated<AudioItem>) {
    for tagged in open_graph::open_graph(&view.document, "og:audio") {
        for url in tagged.urls.iter().filter_map(|url| urls::absolute(view, url)) {
            let mut item = described(&url, AudioSource::Og);
            item.media_type = tagged.media_type.clone().filter(|t| t != "text/html").or(item.media_type);
            item.title.clone_from(&tagged.title);
            item.duration = tagged.duration;
            found.push(tagged.node, item);
        }
    }
}

/// Finds `twitter:player` of an audio provider.
fn twitter(view: &PageView<'_>, found: &mut Deduplicated<AudioItem>) {
    for (node, name, content) in open_graph::metas(&view.document) {
        let is_player = matches!(name.as_str(), "twitter:player" | "twitter:player:stream");
        let Some(url) = urls::absolute(view, content).filter(|_| is_player) else { continue };
        if let Some(hosted) = item::player(&url) {
            found.push(node.index(), item::hosted(hosted, &url, AudioSource::Link));
        } else if MediaKind::from_url(&url) == Some(MediaKind::Audio) {
            found.push(node.index(), item::file(url, AudioSource::Link));
        }
    }
}

fn described(url: &Url, source: AudioSource) -> AudioItem {
    match item::player(url).filter(|hosted| hosted.id.is_some()) {
        Some(hosted) => item::hosted(hosted, url, source),
        None => item::file(url.clone(), source),
    }
}

/// Adds the file of an `AudioObject`; `episode` provides properties that the object lacks.
fn json_ld_sounds(
    view: &PageView<'_>,
    node: usize,
    object: &JsonLdObject,
    episode: Option<&JsonLdObject>,
    found: &mut Deduplicated<AudioItem>,
) {
    let first =
        |property: &str| json_ld::strings(object, property).into_iter().find_map(|url| urls::absolute(view, url));
    let is_file = |url: &Url| MediaKind::from_url(url) == Some(MediaKind::Audio);
    let embed = first("embedUrl");
    let mut contents = json_ld::strings(object, "contentUrl").into_iter().filter_map(|url| urls::absolute(view, url));
    let content = contents.next().or_else(|| first("url").filter(is_file));
    let Some(url) = content.or_else(|| embed.clone()) else { return };
    let mut item = described(&url, AudioSource::Jsonld);
    item.embed_url = embed.map(String::from).or(item.embed_url);
    let of_either = |object: &JsonLdObject| {
        (json_ld::title(object), ["duration", "timeRequired"].iter().find_map(|p| json_ld::seconds(object, p)))
    };
    let (title, duration) = of_either(object);
    let (episode_title, episode_duration) = episode.map_or((None, None), of_either);
    item.title = title.or(episode_title);
    item.duration = duration.or(episode_duration);
    // Further files are other formats.
    let others: Vec<AudioItem> = contents
        .map(|url| AudioItem {
            title: item.title.clone(),
            duration: item.duration,
            ..described(&url, AudioSource::Jsonld)
        })
        .collect();
    item.media_type = json_ld::string(object, "encodingFormat").and_then(format::essence).or(item.media_type);
    found.push(node, item);
    others.into_iter().for_each(|other| found.push(node, other));
}

/// Adds the media of an episode: objects of any media type, or URLs.
fn episode(view: &PageView<'_>, node: usize, object: &JsonLdObject, found: &mut Deduplicated<AudioItem>) {
    for property in ["associatedMedia", "audio", "encoding"] {
        let values = match object.get(property) {
            Some(serde_json::Value::Array(values)) => values.iter().collect(),
            Some(value) => vec![value],
            None => Vec::new(),
        };
        for value in values {
            match value {
                serde_json::Value::Object(media) => json_ld_sounds(view, node, media, Some(object), found),
                serde_json::Value::String(url) => {
                    let media = JsonLdObject::from_iter([("contentUrl".to_owned(), url.as_str().into())]);
                    json_ld_sounds(view, node, &media, Some(object), found);
                }
                _ => {}
            }
        }
    }
    // Some episodes contain the file's properties themselves.
    json_ld_sounds(view, node, object, None, found);
}
