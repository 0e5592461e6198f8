//! Recognizes players whose element names the provider in one place and the video in another:
//! `<div class="youtube-player" data-id="…">`, `<div data-type="youtube" data-video-id="…">`.

use super::provider::{self, ProviderMatch};
use limner_page::dom::Element;

/// Providers that are named this way, with the words of their classes.
const PROVIDERS: &[(&str, &[&str])] = &[
    ("youtube", &["youtube", "yt-video", "yt-player", "yt-embed", "yt-lite", "ytplayer", "yotu-video"]),
    ("vimeo", &["vimeo"]),
    ("wistia", &["wistia"]),
    ("dailymotion", &["dailymotion"]),
    ("vidyard", &["vidyard"]),
    ("tiktok", &["tiktok"]),
    ("loom", &["loom-embed", "loom-video"]),
    ("streamable", &["streamable"]),
    ("bilibili", &["bilibili"]),
    ("jwplayer", &["jwplayer"]),
];
/// Attributes that name the provider.
const NAME_ATTRIBUTES: &[&str] = &[
    "data-type",
    "data-provider",
    "data-source",
    "data-platform",
    "data-service",
    "data-host",
    "data-video-type",
    "data-video-provider",
    "data-video-source",
    "data-video-host",
    "data-video-platform",
    "data-player",
    "data-player-type",
    "data-embed-type",
    "type",
    "provider",
];
/// Attributes that hold the ID.
const ID_ATTRIBUTES: &[&str] = &[
    "data-id",
    "data-embed",
    "data-embed-id",
    "data-embedid",
    "data-video-id",
    "data-videoid",
    "data-video",
    "data-vid",
    "data-key",
    "data-code",
    "data-uuid",
    "data-src",
    "data-ytid",
    "data-media-id",
    "video-id",
    "videoid",
    "video",
    "embed-id",
    "media-id",
    "code",
];

/// Returns the video of an element that names its provider.
pub(crate) fn named_player(element: &Element) -> Option<ProviderMatch> {
    let by_attribute = NAME_ATTRIBUTES.iter().find_map(|attribute| {
        let value = element.attr(attribute)?.trim().to_ascii_lowercase();
        PROVIDERS.iter().find(|(name, _)| value == *name || value == format!("video/{name}"))
    });
    let is_marked = |words: &[&str]| {
        let tag = element.name();
        let in_tag = tag.contains('-') && words.iter().any(|word| tag.contains(word));
        in_tag
            || element.classes().iter().any(|class| {
                let class = class.to_ascii_lowercase();
                words.iter().any(|word| class.contains(word))
            })
    };
    let (name, _) = by_attribute.or_else(|| PROVIDERS.iter().find(|(_, words)| is_marked(words)))?;
    let ids = ID_ATTRIBUTES.iter().filter_map(|attribute| element.attr(attribute));
    ids.map(|id| id.split('?').next().unwrap_or_default().trim()).find_map(|id| {
        // A number of a few digits counts the elements of the page.
        (id.len() >= MIN_ID_LENGTH).then(|| provider::from_named_provider(name, id)).flatten()
    })
}

/// Minimum length of an ID.
const MIN_ID_LENGTH: usize = 6;

#[cfg(test)]
mod tests {
    use super::*;
    use limner_page::Document;

    #[test]
    fn players_are_named_by_classes_types_and_elements() {
        for (markup, expected) in [
            (
                "<div class=youtube-player data-id=aaaaaaaaa-1></div>",
                Some("https://www.youtube.com/watch?v=aaaaaaaaa-1"),
            ),
            (
                "<div class='js-Youtube lazy' data-embed=aaaaaaaaa-1></div>",
                Some("https://www.youtube.com/watch?v=aaaaaaaaa-1"),
            ),
            (
                "<div data-type=youtube data-video-id=aaaaaaaaa-1></div>",
                Some("https://www.youtube.com/watch?v=aaaaaaaaa-1"),
            ),
            ("<div data-video-provider=Vimeo data-video-id=76979871></div>", Some("https://vimeo.com/76979871")),
            ("<my-youtube video-id=aaaaaaaaa-1></my-youtube>", Some("https://www.youtube.com/watch?v=aaaaaaaaa-1")),
            (
                "<img class=vidyard-player-embed data-uuid=vYaaaaaaaaaaaaaaaaaaa1>",
                Some("https://share.vidyard.com/watch/vYaaaaaaaaaaaaaaaaaaa1"),
            ),
            (
                "<blockquote class=tiktok-embed data-video-id=7000000000000000001></blockquote>",
                Some("https://www.tiktok.com/player/v1/7000000000000000001"),
            ),
            ("<div class=vimeo data-id=12></div>", None),
            ("<a class=youtube-link data-id=channel></a>", None),
            ("<div class=card data-id=aaaaaaaaa-1></div>", None),
        ] {
            let document = Document::parse(markup);
            let body = document.body().unwrap();
            let (_, element) = document.child_elements(body).next().unwrap();
            assert_eq!(named_player(element).map(|found| found.page).as_deref(), expected, "{markup}");
        }
    }
}
