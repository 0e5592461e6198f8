//! Recognizes frames that plainly are players, although their provider is unknown.

use super::MediaKind;
use limner_page::dom::Element;
use url::Url;

/// Domains whose frames are something else: maps, forms, calendars, documents, widgets, measurement.
const OTHER_FRAMES: &[&str] = &[
    "google.com",
    "googletagmanager.com",
    "gstatic.com",
    "recaptcha.net",
    "doubleclick.net",
    "googlesyndication.com",
    "facebook.com",
    "twitter.com",
    "x.com",
    "linkedin.com",
    "pinterest.com",
    "calendly.com",
    "typeform.com",
    "jotform.com",
    "hsforms.com",
    "stripe.com",
    "paypal.com",
    "openstreetmap.org",
    "mapbox.com",
    "codepen.io",
    "codesandbox.io",
    "stackblitz.com",
    "jsfiddle.net",
    "figma.com",
    "canva.com",
    "issuu.com",
    "scribd.com",
    "slideshare.net",
    "airtable.com",
    "notion.site",
    "matterport.com",
    "kuula.co",
    "sketchfab.com",
    "spline.design",
    "lottie.host",
    "lottiefiles.com",
    "giphy.com",
    "tenor.com",
    "disqus.com",
    "tradingview.com",
    "datawrapper.de",
    "infogram.com",
    "flourish.studio",
    "genial.ly",
    "prezi.com",
    "padlet.com",
];
/// Words in host or path that name a player by themselves.
const PLAYER_WORDS: &[&str] = &[
    "player",
    "videoplayer",
    "audioplayer",
    "embedplayer",
    "playerembed",
    "iframeplayer",
    "videoembed",
    "embedvideo",
    "videoframe",
    "playout",
];
/// Words that name media, and with `embed`, `iframe` or a fitting permission a player of it.
const MEDIA_WORDS: &[&str] = &[
    "video",
    "videos",
    "vid",
    "clip",
    "clips",
    "film",
    "movie",
    "vod",
    "live",
    "livestream",
    "stream",
    "streaming",
    "watch",
    "play",
    "media",
    "medias",
    "mediathek",
    "tv",
    "webtv",
    "trailer",
    "webinar",
];
/// Words that name audio.
const AUDIO_WORDS: &[&str] = &[
    "audio",
    "podcast",
    "podcasts",
    "episode",
    "episodes",
    "sound",
    "sounds",
    "radio",
    "song",
    "songs",
    "music",
    "track",
    "tracks",
    "album",
    "audioplayer",
    "listen",
    "mp3",
];

/// Returns true if a frame is known to show something else than media: a map, a form, a calendar.
pub(crate) fn is_widget(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().to_ascii_lowercase();
    let is_under = |domain: &str| host.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    OTHER_FRAMES.iter().any(|domain| is_under(domain))
}

/// Returns the kind of media that a frame plays; `None` unless its URL or its permissions are those
/// of a player.
pub(crate) fn player_kind(frame: &Element, url: &Url) -> Option<MediaKind> {
    let host = url.host_str()?.to_ascii_lowercase();
    if !matches!(url.scheme(), "http" | "https") || is_widget(url) {
        return None;
    }
    // The top-level domain says nothing, although some are called `tv`, `video` or `audio`.
    let labels = host.rsplit_once('.').map_or("", |(labels, _)| labels);
    let place = format!("{labels}/{}", url.path()).to_ascii_lowercase();
    let words: Vec<&str> = place.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
    let permits = |name: &str| frame.attr("allow").is_some_and(|list| list.to_ascii_lowercase().contains(name));
    let is_embedded = has(&["embed", "embeds", "embedded", "iframe"]) || permits("autoplay");
    let is_player = has(PLAYER_WORDS)
        || permits("encrypted-media")
        || permits("picture-in-picture")
        || (is_embedded && (has(MEDIA_WORDS) || has(AUDIO_WORDS)));
    let kind = if has(AUDIO_WORDS) { MediaKind::Audio } else { MediaKind::Video };
    is_player.then_some(kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use limner_page::Document;

    fn kind(markup: &str) -> Option<MediaKind> {
        let document = Document::parse(markup);
        let (_, frame) = document.elements_named("iframe").next().unwrap();
        player_kind(frame, &Url::parse(frame.attr("src").unwrap()).unwrap())
    }

    #[test]
    fn frames_that_plainly_are_players() {
        for (markup, expected) in [
            ("<iframe src='https://player.someone.test/abc'>", Some(MediaKind::Video)),
            ("<iframe src='https://www.someone.test/embed/video/12'>", Some(MediaKind::Video)),
            ("<iframe src='https://tv.someone.test/iframe/12'>", Some(MediaKind::Video)),
            ("<iframe src='https://someone.test/x' allow='autoplay; encrypted-media'>", Some(MediaKind::Video)),
            ("<iframe src='https://someone.test/watch/1' allow=autoplay>", Some(MediaKind::Video)),
            ("<iframe src='https://cast.someone.test/embed/episode/12'>", Some(MediaKind::Audio)),
            ("<iframe src='https://podcast.someone.test/player/12'>", Some(MediaKind::Audio)),
            ("<iframe src='https://someone.test/embed/form'>", None),
            ("<iframe src='https://someone.tv/booking'>", None),
            ("<iframe src='https://someone.test/team/players'>", None),
            ("<iframe src='https://www.google.com/maps/embed?pb=x' allowfullscreen>", None),
            ("<iframe src='https://calendly.com/player/x'>", None),
        ] {
            assert_eq!(kind(markup), expected, "{markup}");
        }
    }
}
