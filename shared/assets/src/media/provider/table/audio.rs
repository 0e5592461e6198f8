//! Lists the providers of audio.

use super::super::Provider;
use super::super::UrlForm::{Page, Player};
use super::{digits, row, word, word_or_reference};
use crate::media::MediaKind::Audio;

const SPOTIFY: &str = "https://open.spotify.com/{type}/{id}";
const SPOTIFY_EMBED: &str = "https://open.spotify.com/embed/{type}/{id}";
const APPLE_PODCAST: &str = "https://podcasts.apple.com/{country}/podcast/{slug}/id{id}[?i={episode}]";
const APPLE_PODCAST_EMBED: &str = "https://embed.podcasts.apple.com/{country}/podcast/{slug}/id{id}[?i={episode}]";
const APPLE_SHOW: &str = "https://podcasts.apple.com/{country}/podcast/id{id}[?i={episode}]";
const APPLE_SHOW_EMBED: &str = "https://embed.podcasts.apple.com/{country}/podcast/id{id}[?i={episode}]";
const APPLE_MUSIC: &str = "https://music.apple.com/{country}/{type}/{slug}/{id}[?i={episode}]";
const APPLE_MUSIC_EMBED: &str = "https://embed.music.apple.com/{country}/{type}/{slug}/{id}[?i={episode}]";
const DEEZER: &str = "https://www.deezer.com/{type}/{id}";

pub(super) const PROVIDERS: &[Provider] = &[
    Provider {
        name: "spotify",
        kind: Audio,
        is_id: word,
        attributes: &[],
        rows: &[
            row(Player, "open.spotify.com/embed/{type}/{id}", SPOTIFY, SPOTIFY_EMBED),
            row(Player, "open.spotify.com/embed-podcast/{type}/{id}", SPOTIFY, SPOTIFY_EMBED),
            row(Page, "open.spotify.com/{type}/{id}", SPOTIFY, SPOTIFY_EMBED),
            row(Player, "open.spotify.com/embed/**", "{address}", "{address}"),
        ],
    },
    Provider {
        name: "soundcloud",
        kind: Audio,
        is_id: digits,
        attributes: &[("amp-soundcloud", "data-trackid"), ("*", "data-soundcloud-id")],
        rows: &[
            row(
                Page,
                "api.soundcloud.com/tracks/{id}",
                "https://api.soundcloud.com/tracks/{id}",
                "https://w.soundcloud.com/player/?url=https%3A%2F%2Fapi.soundcloud.com%2Ftracks%2F{id}",
            ),
            row(Player, "w.soundcloud.com/player?url={url}", "{url}", "https://w.soundcloud.com/player/?url={url%}"),
            row(Player, "w.soundcloud.com/player/**", "{address}", "{address}"),
        ],
    },
    Provider {
        name: "apple-podcasts",
        kind: Audio,
        is_id: digits,
        attributes: &[],
        rows: &[
            row(
                Player,
                "embed.podcasts.apple.com/{country}/podcast/{slug}/id{id}?i={episode?}",
                APPLE_PODCAST,
                APPLE_PODCAST_EMBED,
            ),
            row(Player, "embed.podcasts.apple.com/{country}/podcast/id{id}?i={episode?}", APPLE_SHOW, APPLE_SHOW_EMBED),
            row(
                Page,
                "podcasts.apple.com/{country}/podcast/{slug}/id{id}?i={episode?}",
                APPLE_PODCAST,
                APPLE_PODCAST_EMBED,
            ),
            row(Page, "podcasts.apple.com/{country}/podcast/id{id}?i={episode?}", APPLE_SHOW, APPLE_SHOW_EMBED),
        ],
    },
    Provider {
        name: "apple-music",
        kind: Audio,
        is_id: word_or_reference,
        attributes: &[],
        rows: &[row(
            Player,
            "embed.music.apple.com/{country}/{type}/{slug}/{id}?i={episode?}",
            APPLE_MUSIC,
            APPLE_MUSIC_EMBED,
        )],
    },
    Provider {
        name: "bandcamp",
        kind: Audio,
        is_id: digits,
        attributes: &[],
        rows: &[
            row(
                Player,
                "bandcamp.com/EmbeddedPlayer/**?track={id}",
                "https://bandcamp.com/EmbeddedPlayer/track={id}/",
                "https://bandcamp.com/EmbeddedPlayer/track={id}/",
            ),
            row(
                Player,
                "bandcamp.com/EmbeddedPlayer/**?album={id}",
                "https://bandcamp.com/EmbeddedPlayer/album={id}/",
                "https://bandcamp.com/EmbeddedPlayer/album={id}/",
            ),
        ],
    },
    Provider {
        name: "mixcloud",
        kind: Audio,
        is_id: word,
        attributes: &[],
        rows: &[row(
            Player,
            "mixcloud.com/widget/iframe?feed=/{feed}",
            "https://www.mixcloud.com/{feed}",
            "https://www.mixcloud.com/widget/iframe/?feed=%2F{feed%}",
        )],
    },
    Provider {
        name: "deezer",
        kind: Audio,
        is_id: digits,
        attributes: &[],
        rows: &[row(
            Player,
            "widget.deezer.com/widget/{theme}/{type}/{id}",
            DEEZER,
            "https://widget.deezer.com/widget/auto/{type}/{id}",
        )],
    },
    Provider {
        name: "simplecast",
        kind: Audio,
        is_id: word,
        attributes: &[],
        rows: &[row(
            Player,
            "player.simplecast.com/{id}",
            "https://player.simplecast.com/{id}",
            "https://player.simplecast.com/{id}",
        )],
    },
    Provider {
        name: "transistor",
        kind: Audio,
        is_id: word,
        attributes: &[],
        rows: &[row(
            Player,
            "share.transistor.fm/e/{id}",
            "https://share.transistor.fm/s/{id}",
            "https://share.transistor.fm/e/{id}",
        )],
    },
];
