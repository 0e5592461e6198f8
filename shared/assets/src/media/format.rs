//! Classifies files and media types.

use limner_page::data_url::declared_media_type;
use url::Url;

/// The kind of a media file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MediaKind {
    /// Video, and manifests of video streams.
    Video,
    /// Audio.
    Audio,
}

/// A file format: its extensions and its media type.
struct Format {
    kind: MediaKind,
    extensions: &'static [&'static str],
    media_type: &'static str,
}

const fn video(extensions: &'static [&'static str], media_type: &'static str) -> Format {
    Format { kind: MediaKind::Video, extensions, media_type }
}

const fn audio(extensions: &'static [&'static str], media_type: &'static str) -> Format {
    Format { kind: MediaKind::Audio, extensions, media_type }
}

const FORMATS: &[Format] = &[
    video(&["mp4"], "video/mp4"),
    video(&["webm"], "video/webm"),
    video(&["m3u8"], "application/vnd.apple.mpegurl"),
    video(&["mpd"], "application/dash+xml"),
    video(&["mov", "qt"], "video/quicktime"),
    video(&["m4v"], "video/x-m4v"),
    video(&["ogv"], "video/ogg"),
    video(&["mkv"], "video/x-matroska"),
    video(&["avi"], "video/x-msvideo"),
    video(&["mpg", "mpeg"], "video/mpeg"),
    video(&["wmv"], "video/x-ms-wmv"),
    video(&["flv"], "video/x-flv"),
    video(&["3gp"], "video/3gpp"),
    audio(&["mp3"], "audio/mpeg"),
    audio(&["m4a", "m4b"], "audio/mp4"),
    audio(&["aac"], "audio/aac"),
    audio(&["ogg", "oga", "opus"], "audio/ogg"),
    audio(&["wav"], "audio/wav"),
    audio(&["flac"], "audio/flac"),
    audio(&["weba"], "audio/webm"),
    audio(&["aif", "aiff"], "audio/aiff"),
    audio(&["wma"], "audio/x-ms-wma"),
    audio(&["mid", "midi"], "audio/midi"),
];

/// Media types with another top-level type.
const OTHER_TYPES: &[(&str, MediaKind)] = &[
    ("application/vnd.apple.mpegurl", MediaKind::Video),
    ("application/x-mpegurl", MediaKind::Video),
    ("application/mpegurl", MediaKind::Video),
    ("audio/mpegurl", MediaKind::Video),
    ("audio/x-mpegurl", MediaKind::Video),
    ("application/dash+xml", MediaKind::Video),
    ("application/vnd.ms-sstr+xml", MediaKind::Video),
    ("application/mp4", MediaKind::Video),
];

/// Types of player plug-ins or stream segments, which are no media files.
const NON_VIDEO_TYPES: &[&str] =
    &["video/youtube", "video/vimeo", "video/mp2t", "video/iso.segment", "audio/iso.segment"];

impl MediaKind {
    /// Returns the kind of a media type (lower case, without parameters).
    pub(crate) fn from_media_type(essence: &str) -> Option<Self> {
        if NON_VIDEO_TYPES.contains(&essence) {
            return None;
        }
        if let Some((_, kind)) = OTHER_TYPES.iter().find(|(name, _)| *name == essence) {
            return Some(*kind);
        }
        match essence.split_once('/')?.0 {
            "video" => Some(Self::Video),
            "audio" => Some(Self::Audio),
            _ => None,
        }
    }

    /// Returns the kind of a file by its name, or of a `data:` URL by its type.
    pub(crate) fn from_url(url: &Url) -> Option<Self> {
        if url.scheme() == "data" {
            return Self::from_media_type(&declared_media_type(url)?);
        }
        format_for_url(url).map(|format| format.kind)
    }
}

/// Returns the media type of a file by its name.
pub(crate) fn media_type_of_url(url: &Url) -> Option<String> {
    if url.scheme() == "data" {
        return declared_media_type(url).filter(|essence| !essence.is_empty());
    }
    format_for_url(url).map(|format| format.media_type.to_owned())
}

/// Returns the media type of a declaration such as `video/mp4; codecs="avc1"`: in lower case,
/// without parameters.
pub(crate) fn essence(declared: &str) -> Option<String> {
    let essence = declared.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_token = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '+' | '-' | '.' | '_');
    let well_formed = essence.split_once('/').is_some_and(|(kind, name)| !kind.is_empty() && !name.is_empty());
    (well_formed && essence.chars().all(is_token)).then_some(essence)
}

/// Returns the extension of the last path segment, as written.
pub(crate) fn extension(url: &Url) -> Option<&str> {
    let file = url.path().rsplit('/').next()?;
    // Some shops and players serve files at URLs such as `…/video.mp4/`.
    let file = if file.is_empty() { url.path().trim_end_matches('/').rsplit('/').next()? } else { file };
    let (stem, extension) = file.rsplit_once('.')?;
    (!stem.is_empty()).then_some(extension)
}

fn format_for_url(url: &Url) -> Option<&'static Format> {
    let extension = extension(url)?.to_ascii_lowercase();
    FORMATS.iter().find(|format| format.extensions.contains(&extension.as_str()))
}

/// Returns true if the text contains an extension of this kind. A cheap check before a more precise
/// one.
pub(crate) fn contains_extension(text: &str, kind: MediaKind) -> bool {
    let bytes = text.as_bytes();
    let mut from = 0;
    while let Some(found) = bytes[from..].iter().position(|b| *b == b'.') {
        from += found + 1;
        let end = bytes[from..].iter().take(5).position(|b| !b.is_ascii_alphanumeric());
        let word = &bytes[from..from + end.unwrap_or_else(|| (bytes.len() - from).min(5))];
        let named = |format: &Format| {
            format.kind == kind && format.extensions.iter().any(|e| word.eq_ignore_ascii_case(e.as_bytes()))
        };
        if !word.is_empty() && FORMATS.iter().any(named) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use MediaKind::{Audio, Video};

    #[test]
    fn media_files_are_classified_by_extension() {
        for (url, kind, media_type) in [
            ("https://a.test/x.mp4", Some(Video), Some("video/mp4")),
            ("https://a.test/X.MP4?raw=true#t=1", Some(Video), Some("video/mp4")),
            ("https://a.test/hls/master.m3u8", Some(Video), Some("application/vnd.apple.mpegurl")),
            ("https://a.test/x.mpd", Some(Video), Some("application/dash+xml")),
            ("https://a.test/x.mp4/", Some(Video), Some("video/mp4")),
            ("https://a.test/x.mp3", Some(Audio), Some("audio/mpeg")),
            ("https://a.test/a.ogg", Some(Audio), Some("audio/ogg")),
            ("https://a.test/?file=x.mp4", None, None),
            ("https://a.test/mp4", None, None),
            ("https://a.test/.mp4", None, None),
            ("https://mov/", None, None),
            ("data:video/webm;base64,AAAA", Some(Video), Some("video/webm")),
            ("data:audio/wav,x", Some(Audio), Some("audio/wav")),
            ("https://a.test/theme.mid", Some(Audio), Some("audio/midi")),
            ("data:text/html,x.mp4", None, Some("text/html")),
        ] {
            let url = Url::parse(url).unwrap();
            assert_eq!((MediaKind::from_url(&url), media_type_of_url(&url).as_deref()), (kind, media_type), "{url}");
        }
    }

    #[test]
    fn declared_media_types_are_classified() {
        for (declared, expected, kind) in [
            ("video/mp4; codecs=\"avc1\"", Some("video/mp4"), Some(Video)),
            (" Video/WebM ", Some("video/webm"), Some(Video)),
            ("application/x-mpegURL", Some("application/x-mpegurl"), Some(Video)),
            ("audio/mpeg", Some("audio/mpeg"), Some(Audio)),
            ("video/youtube", Some("video/youtube"), None),
            ("text/html", Some("text/html"), None),
            ("mp4", None, None),
            ("video/", None, None),
            ("", None, None),
        ] {
            let essence = essence(declared);
            assert_eq!(essence.as_deref(), expected, "{declared}");
            assert_eq!(essence.and_then(|e| MediaKind::from_media_type(&e)), kind, "{declared}");
        }
    }

    #[test]
    fn texts_with_media_extensions_are_recognized() {
        for (text, found) in [
            ("{\"src\":\"a.mp4\"}", true),
            ("a.MP4", true),
            ("a.m3u8?x", true),
            ("mp4", false),
            ("a.mp4x", false),
            ("v1.2.3", false),
            (".", false),
            ("a.", false),
            ("a.mp", false),
        ] {
            assert_eq!(contains_extension(text, Video), found, "{text}");
        }
    }
}
