//! Lists the providers. Within a provider the first matching row wins. IDs in attributes use the
//! first row that needs only the ID, so that row must yield the canonical URL.

mod audio;
mod audio_frames;
mod frames;
mod oembed;
mod video;

use super::{Provider, UrlForm, UrlPattern};

/// Parts of host names; every URL of a provider contains one of them.
pub(super) const HOST_MARKERS: &[&str] = &[
    "youtu",
    "vimeo",
    "wistia",
    "dailymotion",
    "dai.ly",
    "loom.com",
    "twitch.tv",
    "bilibili",
    "brightcove",
    "mux.com",
    "cloudflarestream",
    "videodelivery",
    "jwplayer",
    "jwplatform",
    "vidyard",
    "streamable",
    "tiktok",
    "ted.com",
    "mediadelivery.net",
    "facebook.com",
    "instagram.com",
    "rumble.com",
    "spotify",
    "soundcloud",
    "podcasts.apple",
    "music.apple",
    "bandcamp",
    "mixcloud",
    "deezer",
    "simplecast",
    "transistor.fm",
];

const fn row(form: UrlForm, at: &'static str, page: &'static str, embed: &'static str) -> UrlPattern {
    UrlPattern { form, at, page, embed }
}

/// Returns all providers.
pub(super) fn providers() -> impl Iterator<Item = &'static Provider> {
    named_providers().chain(frame_providers())
}

/// Returns the providers with several forms of URLs.
pub(super) fn named_providers() -> impl Iterator<Item = &'static Provider> {
    video::PROVIDERS.iter().chain(audio::PROVIDERS)
}

/// Returns the providers that are known by their frames.
pub(super) fn frame_providers() -> impl Iterator<Item = &'static Provider> {
    frames::PROVIDERS.iter().chain(audio_frames::PROVIDERS).chain(oembed::PROVIDERS).chain(frames::SELF_HOSTED)
}

fn is_word(id: &str) -> bool {
    !id.is_empty() && id.len() <= 100 && id.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
}

pub(super) fn word(id: &str) -> bool {
    is_word(id)
}

/// Returns true for words, `ref:NAME` of Brightcove and `pl.…` of Apple.
pub(super) fn word_or_reference(id: &str) -> bool {
    is_word(id.strip_prefix("ref:").or_else(|| id.strip_prefix("pl.")).unwrap_or(id))
}

pub(super) fn digits(id: &str) -> bool {
    is_word(id) && id.bytes().all(|b| b.is_ascii_digit())
}

pub(super) fn youtube_id(id: &str) -> bool {
    // Two words in player URLs have eleven letters, the length of an ID.
    id.len() == 11 && is_word(id) && !matches!(id, "videoseries" | "live_stream")
}

pub(super) fn bilibili_id(id: &str) -> bool {
    is_word(id) && (id.starts_with("BV") || id.starts_with("av"))
}

/// Returns true for 32 hexadecimal digits or a signed token.
pub(super) fn stream_id(id: &str) -> bool {
    let is_token = id.len() > 100 && id.len() < 600 && id.matches('.').count() == 2;
    let is_hex = id.len() == 32 && id.bytes().all(|b| b.is_ascii_hexdigit());
    is_hex || is_token
}

/// Returns true for hexadecimal digits in the groups of a UUID.
pub(super) fn uuid(id: &str) -> bool {
    let groups = id.split('-').map(str::len);
    groups.eq([8, 4, 4, 4, 12]) && id.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-')
}

pub(super) fn jw_id(id: &str) -> bool {
    id.len() == 8 && id.bytes().all(|b| b.is_ascii_alphanumeric())
}
