//! Finds the sources of players that inline scripts create, without running them: the arguments of
//! known calls, and blocks of JSON that playlists are built from.

use super::media_element::MediaElement;
use super::provider::{self, ProviderMatch};
use crate::js_literals::{JsLexer, JsToken, strings, strings_in_arguments};

/// Calls that create a player or give it a source. Strings in their arguments count if they are
/// media files by name.
const CALLS: &[&str] = &[
    "setup",
    "videojs",
    "Playerjs",
    "flowplayer",
    "Player",
    "DPlayer",
    "APlayer",
    "Artplayer",
    "loadSource",
    "attachSource",
    "Plyr",
    "jPlayer",
    "setMedia",
    "Howl",
    "Audio",
    "createSound",
    "create",
    "src",
    "load",
    "initialize",
    "fluidPlayer",
    "MediaElementPlayer",
    "TcPlayer",
    "TCPlayer",
    "Aliplayer",
];
/// Maximum number of bytes of the arguments of a call.
const MAX_ARGUMENT_BYTES: usize = 20_000;
/// Maximum number of calls of one name in a script.
const MAX_CALLS: usize = 60;
/// Maximum size of a script that is searched, in bytes.
const MAX_SCRIPT_BYTES: usize = 2 * 1024 * 1024;
/// Words that mark a block of JSON as that of a player.
const JSON_WORDS: &[&str] = &["playlist", "player", "video", "audio", "media", "lightbox", "w-json"];

/// Returns the strings from which an inline script, or a block of JSON, creates a player. The
/// caller decides which ones refer to media.
pub(crate) fn sources(place: &MediaElement<'_>) -> Vec<String> {
    if place.attr("src").is_some() {
        return Vec::new();
    }
    let kind = place.attr("type").unwrap_or_default().to_ascii_lowercase();
    if kind.contains("ld+json") || kind.contains("template") || kind.contains("html") {
        return Vec::new();
    }
    let text = place.document.text_content(place.node);
    if text.len() > MAX_SCRIPT_BYTES {
        return Vec::new();
    }
    if kind.ends_with("json") {
        let marks = [place.element.attr("class"), place.element.attr("id"), Some(kind.as_str())];
        let marks = marks.into_iter().flatten().collect::<String>().to_ascii_lowercase();
        let is_player = JSON_WORDS.iter().any(|word| marks.contains(word));
        return if is_player { strings(&text).into_iter().map(|string| string.value).collect() } else { Vec::new() };
    }
    let calls = CALLS.iter().flat_map(|name| arguments(&text, name));
    calls.flat_map(strings_in_arguments).map(|string| string.value).collect()
}

/// Returns the videos that an inline script plays by ID: `new YT.Player('x', {videoId: 'ID'})` and
/// `new Vimeo.Player('x', {id: 76979871})`.
pub(crate) fn hosted(place: &MediaElement<'_>) -> Vec<ProviderMatch> {
    if place.attr("src").is_some() {
        return Vec::new();
    }
    let text = place.document.text_content(place.node);
    let by_provider = [("YT.Player", "videoId", "youtube"), ("Vimeo.Player", "id", "vimeo")];
    let matches = by_provider.into_iter().flat_map(|(call, member, provider)| {
        let ids = arguments(&text, call).filter_map(move |arguments| constant_member(arguments, member));
        ids.filter_map(move |id| provider::from_named_provider(provider, &id)).collect::<Vec<_>>()
    });
    matches.collect()
}

/// Returns the source text behind the opening parenthesis of each call of that name.
fn arguments<'t>(script: &'t str, name: &str) -> impl Iterator<Item = &'t str> {
    let length = name.len();
    let calls = script.match_indices(name).filter_map(move |(at, _)| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let is_whole = !script[..at].ends_with(is_part);
        let rest = script[at + length..].trim_start().strip_prefix('(').filter(|_| is_whole)?;
        Some(&rest[..rest.floor_char_boundary(MAX_ARGUMENT_BYTES)])
    });
    calls.take(MAX_CALLS)
}

/// Returns the string or number of a member in the arguments of a call.
fn constant_member(arguments: &str, member: &str) -> Option<String> {
    let mut lexer = JsLexer::new(arguments);
    let mut depth = 1_usize;
    while let Some(token) = lexer.next_token() {
        match token {
            JsToken::Open(_) => depth += 1,
            JsToken::Close(_) => depth = depth.checked_sub(1).filter(|depth| *depth > 0)?,
            JsToken::Word(name) | JsToken::Text(name) if name == member && lexer.is_before_colon() => {
                lexer.next_token();
                match lexer.next_token()? {
                    JsToken::Text(value) | JsToken::Number(value) => return Some(value),
                    _ => return None,
                }
            }
            _ => {}
        }
    }
    None
}
