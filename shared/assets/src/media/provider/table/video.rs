//! Lists the providers of video.

use super::super::Provider;
use super::super::UrlForm::{Page, Player};
use super::{bilibili_id, digits, jw_id, row, stream_id, uuid, word, word_or_reference, youtube_id};
use crate::media::MediaKind::Video;

const YOUTUBE: &str = "https://www.youtube.com/watch?v={id}";
const YOUTUBE_EMBED: &str = "https://www.youtube.com/embed/{id}";
const YOUTUBE_LIST: &str = "https://www.youtube.com/playlist?list={list}";
const YOUTUBE_LIST_EMBED: &str = "https://www.youtube.com/embed/videoseries?list={list}";
const YOUTUBE_QUIET: &str = "https://www.youtube-nocookie.com/embed/{id}";
const VIMEO: &str = "https://vimeo.com/{id}[/{hash}]";
const VIMEO_EMBED: &str = "https://player.vimeo.com/video/{id}[?h={hash}]";
const WISTIA: &str = "https://fast.wistia.net/embed/iframe/{id}";
const DAILYMOTION: &str = "https://www.dailymotion.com/video/{id}";
const DAILYMOTION_EMBED: &str = "https://www.dailymotion.com/embed/video/{id}";
const LOOM: &str = "https://www.loom.com/share/{id}";
const LOOM_EMBED: &str = "https://www.loom.com/embed/{id}";
const TWITCH: &str = "https://www.twitch.tv/videos/{id}";
const TWITCH_EMBED: &str = "https://player.twitch.tv/?video={id}";
const TWITCH_CLIP: &str = "https://clips.twitch.tv/{clip}";
const TWITCH_CLIP_EMBED: &str = "https://clips.twitch.tv/embed?clip={clip}";
const BILIBILI: &str = "https://www.bilibili.com/video/{id}";
const BILIBILI_EMBED: &str = "https://player.bilibili.com/player.html?bvid={id}";
const BRIGHTCOVE: &str = "https://players.brightcove.net/{account}/{player}/index.html?videoId={id}";
const MUX: &str = "https://stream.mux.com/{id}.m3u8";
const MUX_EMBED: &str = "https://player.mux.com/{id}";
const CLOUDFLARE: &str = "https://watch.cloudflarestream.com/{id}";
const CLOUDFLARE_EMBED: &str = "https://iframe.cloudflarestream.com/{id}";
const CLOUDFLARE_CUSTOMER: &str = "https://{host}/{id}/watch";
const CLOUDFLARE_CUSTOMER_EMBED: &str = "https://{host}/{id}/iframe";
const JWPLAYER: &str = "https://cdn.jwplayer.com/previews/{id}[-{player}]";
const JWPLAYER_EMBED: &str = "https://cdn.jwplayer.com/players/{id}-{player}.html";
const VIDYARD: &str = "https://share.vidyard.com/watch/{id}";
const VIDYARD_EMBED: &str = "https://play.vidyard.com/{id}";
const STREAMABLE: &str = "https://streamable.com/{id}";
const STREAMABLE_EMBED: &str = "https://streamable.com/e/{id}";
const TIKTOK_EMBED: &str = "https://www.tiktok.com/player/v1/{id}";
const TED: &str = "https://www.ted.com/talks/{id}";
const TED_EMBED: &str = "https://embed.ted.com/talks/{id}";
const BUNNY: &str = "https://{host}/play/{library}/{id}";
const BUNNY_EMBED: &str = "https://{host}/embed/{library}/{id}";
const FACEBOOK: &str = "https://www.facebook.com/watch/?v={id}";
const FACEBOOK_EMBED: &str =
    "https://www.facebook.com/plugins/video.php?href=https%3A%2F%2Fwww.facebook.com%2Fwatch%2F%3Fv%3D{id}";
const INSTAGRAM: &str = "https://www.instagram.com/reel/{id}/";
const INSTAGRAM_EMBED: &str = "https://www.instagram.com/reel/{id}/embed/";
const RUMBLE: &str = "https://rumble.com/embed/{id}/";

pub(super) const PROVIDERS: &[Provider] = &[
    Provider {
        name: "youtube",
        kind: Video,
        is_id: youtube_id,
        attributes: &[
            ("lite-youtube", "videoid"),
            ("youtube-lite", "videoid"),
            ("amp-youtube", "data-videoid"),
            ("*", "data-youtube-id"),
            ("*", "data-yt-id"),
            ("*", "data-youtube"),
            ("*", "data-yt"),
            ("*", "data-ytid"),
            ("*", "data-youtube-video-id"),
            ("*", "data-youtubeid"),
            ("*", "data-yt-video"),
            ("*", "data-vbg"),
        ],
        rows: &[
            row(Player, "youtube.com/embed/videoseries?list={list}", YOUTUBE_LIST, YOUTUBE_LIST_EMBED),
            row(Player, "youtube-nocookie.com/embed/videoseries?list={list}", YOUTUBE_LIST, YOUTUBE_LIST_EMBED),
            row(
                Player,
                "youtube.com/embed/live_stream?channel={channel}",
                "https://www.youtube.com/channel/{channel}/live",
                "https://www.youtube.com/embed/live_stream?channel={channel}",
            ),
            row(Player, "youtube.com/embed?listType=playlist&list={list}", YOUTUBE_LIST, YOUTUBE_LIST_EMBED),
            row(Page, "youtube.com/watch?v={id}", YOUTUBE, YOUTUBE_EMBED),
            row(Player, "youtube.com/embed/{id}", YOUTUBE, YOUTUBE_EMBED),
            row(Player, "youtube-nocookie.com/embed/{id}", YOUTUBE, YOUTUBE_QUIET),
            row(Player, "youtube.com/embed?v={id}", YOUTUBE, YOUTUBE_EMBED),
            row(Page, "youtu.be/{id}", YOUTUBE, YOUTUBE_EMBED),
            row(Page, "youtube.com/shorts/{id}", YOUTUBE, YOUTUBE_EMBED),
            row(Page, "youtube.com/live/{id}", YOUTUBE, YOUTUBE_EMBED),
            row(Player, "youtube.com/v/{id}", YOUTUBE, YOUTUBE_EMBED),
            row(Player, "youtube-nocookie.com/v/{id}", YOUTUBE, YOUTUBE_QUIET),
            row(Player, "youtube.com/e/{id}", YOUTUBE, YOUTUBE_EMBED),
            row(Player, "youtube.com/embed/**", "{address}", "{address}"),
            row(Player, "youtube-nocookie.com/embed/**", "{address}", "{address}"),
        ],
    },
    Provider {
        name: "vimeo",
        kind: Video,
        is_id: digits,
        attributes: &[
            ("lite-vimeo", "videoid"),
            ("amp-vimeo", "data-videoid"),
            ("*", "data-vimeo-id"),
            ("*", "data-vimeo"),
            ("*", "data-vimeo-video-id"),
            ("*", "data-vimeoid"),
            ("*", "data-vimeo-video"),
        ],
        rows: &[
            row(Player, "player.vimeo.com/video/{id}?h={hash?}", VIMEO, VIMEO_EMBED),
            row(Page, "vimeo.com/{id}", VIMEO, VIMEO_EMBED),
            row(Page, "vimeo.com/{id}/{hash}", VIMEO, VIMEO_EMBED),
            row(Page, "vimeo.com/channels/*/{id}", VIMEO, VIMEO_EMBED),
            row(Page, "vimeo.com/groups/*/videos/{id}", VIMEO, VIMEO_EMBED),
            row(Page, "vimeo.com/album/*/video/{id}", VIMEO, VIMEO_EMBED),
            row(Page, "vimeo.com/showcase/*/video/{id}", VIMEO, VIMEO_EMBED),
            row(Page, "vimeo.com/ondemand/*/{id}", VIMEO, VIMEO_EMBED),
            row(
                Player,
                "vimeo.com/event/{id}/embed",
                "https://vimeo.com/event/{id}",
                "https://vimeo.com/event/{id}/embed",
            ),
            row(Page, "vimeo.com/event/{id}", "https://vimeo.com/event/{id}", "https://vimeo.com/event/{id}/embed"),
            row(
                Page,
                "vimeo.com/event/{id}/{hash}",
                "https://vimeo.com/event/{id}/{hash}",
                "https://vimeo.com/event/{id}/embed/{hash}",
            ),
            row(
                Player,
                "vimeo.com/showcase/{list}/embed",
                "https://vimeo.com/showcase/{list}",
                "https://vimeo.com/showcase/{list}/embed",
            ),
            row(Player, "player.vimeo.com/**", "{address}", "{address}"),
        ],
    },
    Provider {
        name: "wistia",
        kind: Video,
        is_id: word,
        attributes: &[
            ("wistia-player", "media-id"),
            ("amp-wistia-player", "data-media-hashed-id"),
            ("*", "data-wistia-id"),
        ],
        rows: &[
            row(Player, "wistia.net/embed/iframe/{id}", WISTIA, WISTIA),
            row(Player, "wistia.com/embed/iframe/{id}", WISTIA, WISTIA),
            row(
                Player,
                "wistia.net/embed/playlists/{list}",
                "https://fast.wistia.net/embed/playlists/{list}",
                "https://fast.wistia.net/embed/playlists/{list}",
            ),
            row(
                Player,
                "wistia.net/embed/channel/{list}",
                "https://fast.wistia.net/embed/channel/{list}",
                "https://fast.wistia.net/embed/channel/{list}",
            ),
            row(Page, "wistia.net/embed/medias/{id}.jsonp", WISTIA, WISTIA),
            row(Page, "wistia.com/embed/medias/{id}.jsonp", WISTIA, WISTIA),
            row(Page, "wistia.com/embed/{id}.js", WISTIA, WISTIA),
            row(Page, "wistia.net/medias/{id}", "https://{host}/medias/{id}", WISTIA),
            row(Page, "wistia.com/medias/{id}", "https://{host}/medias/{id}", WISTIA),
            row(Player, "wistia.net/embed/**", "{address}", "{address}"),
            row(Player, "wistia.com/embed/**", "{address}", "{address}"),
        ],
    },
    Provider {
        name: "dailymotion",
        kind: Video,
        is_id: word,
        attributes: &[("amp-dailymotion", "data-videoid"), ("*", "data-dailymotion-id")],
        rows: &[
            row(Player, "dailymotion.com/embed/video/{id}", DAILYMOTION, DAILYMOTION_EMBED),
            row(Player, "geo.dailymotion.com/player.html?video={id}", DAILYMOTION, DAILYMOTION_EMBED),
            row(Player, "geo.dailymotion.com/player/*?video={id}", DAILYMOTION, DAILYMOTION_EMBED),
            row(
                Player,
                "dailymotion.com/embed/playlist/{list}",
                "https://www.dailymotion.com/playlist/{list}",
                "https://www.dailymotion.com/embed/playlist/{list}",
            ),
            row(Page, "dailymotion.com/video/{id}", DAILYMOTION, DAILYMOTION_EMBED),
            row(Page, "dai.ly/{id}", DAILYMOTION, DAILYMOTION_EMBED),
            row(Player, "dailymotion.com/embed/**", "{address}", "{address}"),
        ],
    },
    Provider {
        name: "loom",
        kind: Video,
        is_id: word,
        attributes: &[("*", "data-loom-id")],
        rows: &[
            row(Player, "loom.com/embed/{id}", LOOM, LOOM_EMBED),
            row(Page, "loom.com/share/{id}", LOOM, LOOM_EMBED),
            row(Page, "loom.com/i/{id}", LOOM, LOOM_EMBED),
            row(Player, "loom.com/embed/**", "{address}", "{address}"),
        ],
    },
    Provider {
        name: "twitch",
        kind: Video,
        is_id: word,
        attributes: &[],
        rows: &[
            row(Player, "player.twitch.tv/?video=v{id}", TWITCH, TWITCH_EMBED),
            row(Player, "player.twitch.tv/?video={id}", TWITCH, TWITCH_EMBED),
            row(
                Player,
                "player.twitch.tv/?collection={list}",
                "https://www.twitch.tv/collections/{list}",
                "https://player.twitch.tv/?collection={list}",
            ),
            row(
                Player,
                "player.twitch.tv/?channel={channel}",
                "https://www.twitch.tv/{channel}",
                "https://player.twitch.tv/?channel={channel}",
            ),
            row(Player, "clips.twitch.tv/embed?clip={clip}", TWITCH_CLIP, TWITCH_CLIP_EMBED),
            row(Page, "clips.twitch.tv/{clip}", TWITCH_CLIP, TWITCH_CLIP_EMBED),
            row(Page, "twitch.tv/*/clip/{clip}", TWITCH_CLIP, TWITCH_CLIP_EMBED),
            row(Page, "twitch.tv/videos/{id}", TWITCH, TWITCH_EMBED),
            row(Player, "player.twitch.tv/**", "{address}", "{address}"),
        ],
    },
    Provider {
        name: "bilibili",
        kind: Video,
        is_id: bilibili_id,
        attributes: &[("*", "data-bilibili-id")],
        rows: &[
            row(Player, "player.bilibili.com/player.html?bvid={id}", BILIBILI, BILIBILI_EMBED),
            row(
                Player,
                "player.bilibili.com/player.html?aid={av}",
                "https://www.bilibili.com/video/av{av}",
                "https://player.bilibili.com/player.html?aid={av}",
            ),
            row(Player, "bilibili.com/blackboard/html5mobileplayer.html?bvid={id}", BILIBILI, BILIBILI_EMBED),
            row(Page, "bilibili.com/video/{id}", BILIBILI, BILIBILI_EMBED),
            row(Player, "player.bilibili.com/**", "{address}", "{address}"),
        ],
    },
    Provider {
        name: "brightcove",
        kind: Video,
        is_id: word_or_reference,
        attributes: &[],
        rows: &[
            row(Player, "players.brightcove.net/{account}/{player}/index.html?videoId={id}", BRIGHTCOVE, BRIGHTCOVE),
            row(Player, "players.brightcove.net/**", "{address}", "{address}"),
            row(Page, "bcove.video/{id}", "{address}", ""),
        ],
    },
    Provider {
        name: "mux",
        kind: Video,
        is_id: word,
        attributes: &[
            ("mux-player", "playback-id"),
            ("mux-video", "playback-id"),
            ("mux-audio", "playback-id"),
            ("*", "data-mux-playback-id"),
        ],
        rows: &[
            row(Page, "stream.mux.com/{id}.m3u8", MUX, MUX_EMBED),
            row(Player, "player.mux.com/{id}", MUX, MUX_EMBED),
            row(Page, "stream.mux.com/{id}/**", MUX, MUX_EMBED),
        ],
    },
    Provider {
        name: "cloudflare-stream",
        kind: Video,
        is_id: stream_id,
        attributes: &[("stream", "src")],
        rows: &[
            row(Player, "iframe.cloudflarestream.com/{id}", CLOUDFLARE, CLOUDFLARE_EMBED),
            row(Player, "iframe.videodelivery.net/{id}", CLOUDFLARE, CLOUDFLARE_EMBED),
            row(Page, "watch.cloudflarestream.com/{id}", CLOUDFLARE, CLOUDFLARE_EMBED),
            row(Page, "watch.videodelivery.net/{id}", CLOUDFLARE, CLOUDFLARE_EMBED),
            row(Page, "embed.cloudflarestream.com/embed/*?video={id}", CLOUDFLARE, CLOUDFLARE_EMBED),
            row(Page, "embed.videodelivery.net/embed/*?video={id}", CLOUDFLARE, CLOUDFLARE_EMBED),
            row(Page, "videodelivery.net/{id}/manifest/*", CLOUDFLARE, CLOUDFLARE_EMBED),
            row(Player, "cloudflarestream.com/{id}/iframe", CLOUDFLARE_CUSTOMER, CLOUDFLARE_CUSTOMER_EMBED),
            row(Page, "cloudflarestream.com/{id}/watch", CLOUDFLARE_CUSTOMER, CLOUDFLARE_CUSTOMER_EMBED),
            row(Page, "cloudflarestream.com/{id}/manifest/*", CLOUDFLARE_CUSTOMER, CLOUDFLARE_CUSTOMER_EMBED),
        ],
    },
    Provider {
        name: "jwplayer",
        kind: Video,
        is_id: jw_id,
        attributes: &[("*", "data-jw-id"), ("amp-jwplayer", "data-media-id")],
        rows: &[
            row(Player, "cdn.jwplayer.com/players/{id}-{player}.html", JWPLAYER, JWPLAYER_EMBED),
            row(Page, "cdn.jwplayer.com/players/{id}-{player}.js", JWPLAYER, JWPLAYER_EMBED),
            row(Player, "content.jwplatform.com/players/{id}-{player}.html", JWPLAYER, JWPLAYER_EMBED),
            row(Page, "content.jwplatform.com/players/{id}-{player}.js", JWPLAYER, JWPLAYER_EMBED),
            row(Player, "cdn.jwplayer.com/previews/{id}-{player}", JWPLAYER, JWPLAYER_EMBED),
            row(Player, "cdn.jwplayer.com/previews/{id}", JWPLAYER, ""),
            row(Page, "cdn.jwplayer.com/manifests/{id}.m3u8", JWPLAYER, ""),
            row(Page, "content.jwplatform.com/manifests/{id}.m3u8", JWPLAYER, ""),
            row(Page, "cdn.jwplayer.com/videos/{id}-{rendition}.mp4", JWPLAYER, ""),
        ],
    },
    Provider {
        name: "vidyard",
        kind: Video,
        is_id: word,
        attributes: &[("*", "data-vidyard-id")],
        rows: &[
            row(Player, "play.vidyard.com/{id}", VIDYARD, VIDYARD_EMBED),
            row(Player, "play.vidyard.com/{id}.html", VIDYARD, VIDYARD_EMBED),
            row(Page, "vidyard.com/watch/{id}", VIDYARD, VIDYARD_EMBED),
        ],
    },
    Provider {
        name: "streamable",
        kind: Video,
        is_id: word,
        attributes: &[],
        rows: &[
            row(Player, "streamable.com/e/{id}", STREAMABLE, STREAMABLE_EMBED),
            row(Player, "streamable.com/o/{id}", STREAMABLE, STREAMABLE_EMBED),
        ],
    },
    Provider {
        name: "tiktok",
        kind: Video,
        is_id: digits,
        attributes: &[],
        rows: &[
            row(Player, "tiktok.com/player/v1/{id}", TIKTOK_EMBED, TIKTOK_EMBED),
            row(Player, "tiktok.com/embed/v2/{id}", TIKTOK_EMBED, TIKTOK_EMBED),
            row(Player, "tiktok.com/embed/{id}", TIKTOK_EMBED, TIKTOK_EMBED),
            row(Page, "tiktok.com/{user}/video/{id}", "https://www.tiktok.com/{user}/video/{id}", TIKTOK_EMBED),
        ],
    },
    Provider {
        name: "ted",
        kind: Video,
        is_id: word,
        attributes: &[],
        rows: &[
            row(Player, "embed.ted.com/talks/{id}", TED, TED_EMBED),
            row(Player, "embed-ssl.ted.com/talks/{id}.html", TED, TED_EMBED),
        ],
    },
    Provider {
        name: "bunny",
        kind: Video,
        is_id: uuid,
        attributes: &[],
        rows: &[
            row(Player, "iframe.mediadelivery.net/embed/{library}/{id}", BUNNY, BUNNY_EMBED),
            row(Player, "player.mediadelivery.net/embed/{library}/{id}", BUNNY, BUNNY_EMBED),
            row(Page, "iframe.mediadelivery.net/play/{library}/{id}", BUNNY, BUNNY_EMBED),
            row(Page, "player.mediadelivery.net/play/{library}/{id}", BUNNY, BUNNY_EMBED),
        ],
    },
    Provider {
        name: "facebook",
        kind: Video,
        is_id: digits,
        attributes: &[],
        rows: &[
            row(
                Player,
                "facebook.com/plugins/video.php?href={url}",
                "{url}",
                "https://www.facebook.com/plugins/video.php?href={url%}",
            ),
            row(Page, "facebook.com/watch?v={id}", FACEBOOK, FACEBOOK_EMBED),
            row(Page, "facebook.com/*/videos/{id}", FACEBOOK, FACEBOOK_EMBED),
            row(Page, "facebook.com/*/videos/*/{id}", FACEBOOK, FACEBOOK_EMBED),
            row(Page, "facebook.com/reel/{id}", "https://www.facebook.com/reel/{id}", ""),
        ],
    },
    Provider {
        name: "instagram",
        kind: Video,
        is_id: word,
        attributes: &[],
        rows: &[
            row(Player, "instagram.com/reel/{id}/embed", INSTAGRAM, INSTAGRAM_EMBED),
            row(Player, "instagram.com/reel/{id}/embed/captioned", INSTAGRAM, INSTAGRAM_EMBED),
            row(Page, "instagram.com/reel/{id}", INSTAGRAM, INSTAGRAM_EMBED),
        ],
    },
    Provider {
        name: "rumble",
        kind: Video,
        is_id: word,
        attributes: &[],
        // The ID in the page URL differs from the embed ID. An optional prefix of the ID names the
        // publisher.
        rows: &[
            row(Player, "rumble.com/embed/{publisher}.{id}", RUMBLE, RUMBLE),
            row(Player, "rumble.com/embed/{id}", RUMBLE, RUMBLE),
            row(Page, "rumble.com/shorts/{id}", "{address}", ""),
        ],
    },
];
