use super::*;

mod oembed;

/// URL; provider, ID, canonical page URL, embed URL.
type Case = (&'static str, &'static str, &'static str, &'static str, &'static str);

const YT: &str = "https://www.youtube.com/watch?v=dQw4w9WgXcQ";
const YT_EMBED: &str = "https://www.youtube.com/embed/dQw4w9WgXcQ";
const YT_LIST: &str = "https://www.youtube.com/playlist?list=PL123";
const YT_LIST_EMBED: &str = "https://www.youtube.com/embed/videoseries?list=PL123";
const CF: &str = "0123456789abcdef0123456789ABCDEF";

const CASES: &[Case] = &[
    ("https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=42s", "youtube", "dQw4w9WgXcQ", YT, YT_EMBED),
    ("https://m.youtube.com/watch?app=desktop&v=dQw4w9WgXcQ", "youtube", "dQw4w9WgXcQ", YT, YT_EMBED),
    ("http://youtube.com/embed/dQw4w9WgXcQ?rel=0", "youtube", "dQw4w9WgXcQ", YT, YT_EMBED),
    ("https://youtu.be/dQw4w9WgXcQ?si=x", "youtube", "dQw4w9WgXcQ", YT, YT_EMBED),
    ("https://www.youtube.com/shorts/dQw4w9WgXcQ", "youtube", "dQw4w9WgXcQ", YT, YT_EMBED),
    ("https://www.youtube.com/live/dQw4w9WgXcQ?feature=share", "youtube", "dQw4w9WgXcQ", YT, YT_EMBED),
    ("https://www.youtube.com/v/dQw4w9WgXcQ", "youtube", "dQw4w9WgXcQ", YT, YT_EMBED),
    (
        "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ",
        "youtube",
        "dQw4w9WgXcQ",
        YT,
        "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ",
    ),
    ("https://www.youtube.com/embed/videoseries?list=PL123", "youtube", "PL123", YT_LIST, YT_LIST_EMBED),
    ("https://www.youtube.com/embed?listType=playlist&list=PL123", "youtube", "PL123", YT_LIST, YT_LIST_EMBED),
    (
        "https://www.youtube.com/embed/live_stream?channel=UC1",
        "youtube",
        "UC1",
        "https://www.youtube.com/channel/UC1/live",
        "https://www.youtube.com/embed/live_stream?channel=UC1",
    ),
    (
        "https://player.vimeo.com/video/76979871",
        "vimeo",
        "76979871",
        "https://vimeo.com/76979871",
        "https://player.vimeo.com/video/76979871",
    ),
    (
        "https://player.vimeo.com/video/76979871?h=8272103f6e&dnt=1",
        "vimeo",
        "76979871",
        "https://vimeo.com/76979871/8272103f6e",
        "https://player.vimeo.com/video/76979871?h=8272103f6e",
    ),
    (
        "https://vimeo.com/76979871",
        "vimeo",
        "76979871",
        "https://vimeo.com/76979871",
        "https://player.vimeo.com/video/76979871",
    ),
    (
        "https://vimeo.com/76979871/8272103f6e",
        "vimeo",
        "76979871",
        "https://vimeo.com/76979871/8272103f6e",
        "https://player.vimeo.com/video/76979871?h=8272103f6e",
    ),
    (
        "https://vimeo.com/channels/staff/76979871",
        "vimeo",
        "76979871",
        "https://vimeo.com/76979871",
        "https://player.vimeo.com/video/76979871",
    ),
    (
        "https://vimeo.com/event/12/embed",
        "vimeo",
        "12",
        "https://vimeo.com/event/12",
        "https://vimeo.com/event/12/embed",
    ),
    (
        "https://fast.wistia.net/embed/iframe/e4a27b971d?videoFoam=true",
        "wistia",
        "e4a27b971d",
        "https://fast.wistia.net/embed/iframe/e4a27b971d",
        "https://fast.wistia.net/embed/iframe/e4a27b971d",
    ),
    (
        "https://acme.wistia.com/medias/e4a27b971d",
        "wistia",
        "e4a27b971d",
        "https://acme.wistia.com/medias/e4a27b971d",
        "https://fast.wistia.net/embed/iframe/e4a27b971d",
    ),
    (
        "https://fast.wistia.com/embed/medias/e4a27b971d.jsonp",
        "wistia",
        "e4a27b971d",
        "https://fast.wistia.net/embed/iframe/e4a27b971d",
        "https://fast.wistia.net/embed/iframe/e4a27b971d",
    ),
    (
        "https://www.dailymotion.com/embed/video/x84sh87?autoplay=1",
        "dailymotion",
        "x84sh87",
        "https://www.dailymotion.com/video/x84sh87",
        "https://www.dailymotion.com/embed/video/x84sh87",
    ),
    (
        "https://geo.dailymotion.com/player/x1.html?video=x84sh87",
        "dailymotion",
        "x84sh87",
        "https://www.dailymotion.com/video/x84sh87",
        "https://www.dailymotion.com/embed/video/x84sh87",
    ),
    (
        "https://dai.ly/x84sh87",
        "dailymotion",
        "x84sh87",
        "https://www.dailymotion.com/video/x84sh87",
        "https://www.dailymotion.com/embed/video/x84sh87",
    ),
    (
        "https://www.loom.com/embed/0281766f",
        "loom",
        "0281766f",
        "https://www.loom.com/share/0281766f",
        "https://www.loom.com/embed/0281766f",
    ),
    (
        "https://www.loom.com/share/0281766f?sid=1",
        "loom",
        "0281766f",
        "https://www.loom.com/share/0281766f",
        "https://www.loom.com/embed/0281766f",
    ),
    (
        "https://player.twitch.tv/?channel=monstercat&parent=a.test",
        "twitch",
        "monstercat",
        "https://www.twitch.tv/monstercat",
        "https://player.twitch.tv/?channel=monstercat",
    ),
    (
        "https://player.twitch.tv/?video=v123456&parent=a",
        "twitch",
        "123456",
        "https://www.twitch.tv/videos/123456",
        "https://player.twitch.tv/?video=123456",
    ),
    (
        "https://www.twitch.tv/videos/123456",
        "twitch",
        "123456",
        "https://www.twitch.tv/videos/123456",
        "https://player.twitch.tv/?video=123456",
    ),
    (
        "https://clips.twitch.tv/embed?clip=AbC&parent=a",
        "twitch",
        "AbC",
        "https://clips.twitch.tv/AbC",
        "https://clips.twitch.tv/embed?clip=AbC",
    ),
    (
        "https://player.bilibili.com/player.html?aid=1&bvid=BV1xx411c7mD&cid=2",
        "bilibili",
        "BV1xx411c7mD",
        "https://www.bilibili.com/video/BV1xx411c7mD",
        "https://player.bilibili.com/player.html?bvid=BV1xx411c7mD",
    ),
    (
        "https://player.bilibili.com/player.html?aid=170001",
        "bilibili",
        "170001",
        "https://www.bilibili.com/video/av170001",
        "https://player.bilibili.com/player.html?aid=170001",
    ),
    (
        "https://www.bilibili.com/video/BV1xx411c7mD/?spm=1",
        "bilibili",
        "BV1xx411c7mD",
        "https://www.bilibili.com/video/BV1xx411c7mD",
        "https://player.bilibili.com/player.html?bvid=BV1xx411c7mD",
    ),
    (
        "https://players.brightcove.net/1752604059001/default_default/index.html?videoId=5550679964001&x=1",
        "brightcove",
        "5550679964001",
        "https://players.brightcove.net/1752604059001/default_default/index.html?videoId=5550679964001",
        "https://players.brightcove.net/1752604059001/default_default/index.html?videoId=5550679964001",
    ),
    (
        "https://stream.mux.com/a4nOgmxGWg6gULfcBbAa00.m3u8",
        "mux",
        "a4nOgmxGWg6gULfcBbAa00",
        "https://stream.mux.com/a4nOgmxGWg6gULfcBbAa00.m3u8",
        "https://player.mux.com/a4nOgmxGWg6gULfcBbAa00",
    ),
    (
        "https://player.mux.com/a4nOgmxGWg6gULfcBbAa00?x=1",
        "mux",
        "a4nOgmxGWg6gULfcBbAa00",
        "https://stream.mux.com/a4nOgmxGWg6gULfcBbAa00.m3u8",
        "https://player.mux.com/a4nOgmxGWg6gULfcBbAa00",
    ),
    (
        "https://iframe.videodelivery.net/0123456789abcdef0123456789ABCDEF",
        "cloudflare-stream",
        CF,
        "https://watch.cloudflarestream.com/0123456789abcdef0123456789ABCDEF",
        "https://iframe.cloudflarestream.com/0123456789abcdef0123456789ABCDEF",
    ),
    (
        "https://customer-x1.cloudflarestream.com/0123456789abcdef0123456789ABCDEF/iframe?muted=true",
        "cloudflare-stream",
        CF,
        "https://customer-x1.cloudflarestream.com/0123456789abcdef0123456789ABCDEF/watch",
        "https://customer-x1.cloudflarestream.com/0123456789abcdef0123456789ABCDEF/iframe",
    ),
    (
        "https://cdn.jwplayer.com/players/nPripu9l-ALJ3XQCI.html",
        "jwplayer",
        "nPripu9l",
        "https://cdn.jwplayer.com/previews/nPripu9l-ALJ3XQCI",
        "https://cdn.jwplayer.com/players/nPripu9l-ALJ3XQCI.html",
    ),
    (
        "https://content.jwplatform.com/players/nPripu9l-ALJ3XQCI.js",
        "jwplayer",
        "nPripu9l",
        "https://cdn.jwplayer.com/previews/nPripu9l-ALJ3XQCI",
        "https://cdn.jwplayer.com/players/nPripu9l-ALJ3XQCI.html",
    ),
    (
        "https://play.vidyard.com/kp6Xs",
        "vidyard",
        "kp6Xs",
        "https://share.vidyard.com/watch/kp6Xs",
        "https://play.vidyard.com/kp6Xs",
    ),
    ("https://streamable.com/e/moo", "streamable", "moo", "https://streamable.com/moo", "https://streamable.com/e/moo"),
    (
        "https://www.tiktok.com/embed/v2/7106594312292453675",
        "tiktok",
        "7106594312292453675",
        "https://www.tiktok.com/player/v1/7106594312292453675",
        "https://www.tiktok.com/player/v1/7106594312292453675",
    ),
    (
        "https://embed.ted.com/talks/some_talk",
        "ted",
        "some_talk",
        "https://www.ted.com/talks/some_talk",
        "https://embed.ted.com/talks/some_talk",
    ),
    (
        "https://open.spotify.com/embed/track/11dFghVXANMlKmJXsNCbNl?utm_source=generator",
        "spotify",
        "11dFghVXANMlKmJXsNCbNl",
        "https://open.spotify.com/track/11dFghVXANMlKmJXsNCbNl",
        "https://open.spotify.com/embed/track/11dFghVXANMlKmJXsNCbNl",
    ),
    (
        "https://open.spotify.com/embed-podcast/show/4rOo",
        "spotify",
        "4rOo",
        "https://open.spotify.com/show/4rOo",
        "https://open.spotify.com/embed/show/4rOo",
    ),
    (
        "https://w.soundcloud.com/player/?url=https%3A//api.soundcloud.com/tracks/293&color=%23ff5500",
        "soundcloud",
        "293",
        "https://api.soundcloud.com/tracks/293",
        "https://w.soundcloud.com/player/?url=https%3A%2F%2Fapi%2Esoundcloud%2Ecom%2Ftracks%2F293",
    ),
    (
        "https://embed.podcasts.apple.com/us/podcast/some-show/id1200361736?i=1000523",
        "apple-podcasts",
        "1200361736",
        "https://podcasts.apple.com/us/podcast/some-show/id1200361736?i=1000523",
        "https://embed.podcasts.apple.com/us/podcast/some-show/id1200361736?i=1000523",
    ),
    (
        "https://embed.podcasts.apple.com/us/podcast/id1200361736",
        "apple-podcasts",
        "1200361736",
        "https://podcasts.apple.com/us/podcast/id1200361736",
        "https://embed.podcasts.apple.com/us/podcast/id1200361736",
    ),
    (
        "https://embed.music.apple.com/us/album/some-album/1440/?i=1441",
        "apple-music",
        "1440",
        "https://music.apple.com/us/album/some-album/1440?i=1441",
        "https://embed.music.apple.com/us/album/some-album/1440?i=1441",
    ),
    (
        "https://bandcamp.com/EmbeddedPlayer/album=3460825363/size=large/track=12/",
        "bandcamp",
        "12",
        "https://bandcamp.com/EmbeddedPlayer/track=12/",
        "https://bandcamp.com/EmbeddedPlayer/track=12/",
    ),
    (
        "https://bandcamp.com/EmbeddedPlayer/album=3460825363/size=large/",
        "bandcamp",
        "3460825363",
        "https://bandcamp.com/EmbeddedPlayer/album=3460825363/",
        "https://bandcamp.com/EmbeddedPlayer/album=3460825363/",
    ),
    (
        "https://widget.deezer.com/widget/dark/track/3135556",
        "deezer",
        "3135556",
        "https://www.deezer.com/track/3135556",
        "https://widget.deezer.com/widget/auto/track/3135556",
    ),
    (
        "https://player.simplecast.com/ab-12?dark=true",
        "simplecast",
        "ab-12",
        "https://player.simplecast.com/ab-12",
        "https://player.simplecast.com/ab-12",
    ),
    (
        "https://share.transistor.fm/e/ab12",
        "transistor",
        "ab12",
        "https://share.transistor.fm/s/ab12",
        "https://share.transistor.fm/e/ab12",
    ),
    (
        "https://iframe.mediadelivery.net/embed/759/eb1c4f77-0cda-46be-b47d-1118ad7c2ffe?autoplay=true",
        "bunny",
        "eb1c4f77-0cda-46be-b47d-1118ad7c2ffe",
        "https://iframe.mediadelivery.net/play/759/eb1c4f77-0cda-46be-b47d-1118ad7c2ffe",
        "https://iframe.mediadelivery.net/embed/759/eb1c4f77-0cda-46be-b47d-1118ad7c2ffe",
    ),
    (
        "https://player.mediadelivery.net/embed/759/eb1c4f77-0cda-46be-b47d-1118ad7c2ffe?autoplay=true",
        "bunny",
        "eb1c4f77-0cda-46be-b47d-1118ad7c2ffe",
        "https://player.mediadelivery.net/play/759/eb1c4f77-0cda-46be-b47d-1118ad7c2ffe",
        "https://player.mediadelivery.net/embed/759/eb1c4f77-0cda-46be-b47d-1118ad7c2ffe",
    ),
    (
        "https://www.facebook.com/plugins/video.php?height=314&href=https%3A%2F%2Fwww.facebook.com%2Facme%2Fvideos%2F10153231379946729%2F&width=560",
        "facebook",
        "10153231379946729",
        "https://www.facebook.com/acme/videos/10153231379946729/",
        "https://www.facebook.com/plugins/video.php?href=https%3A%2F%2Fwww%2Efacebook%2Ecom%2Facme%2Fvideos%2F10153231379946729%2F",
    ),
    (
        "https://m.facebook.com/watch/?v=10153231379946729",
        "facebook",
        "10153231379946729",
        "https://www.facebook.com/watch/?v=10153231379946729",
        "https://www.facebook.com/plugins/video.php?href=https%3A%2F%2Fwww.facebook.com%2Fwatch%2F%3Fv%3D10153231379946729",
    ),
    (
        "https://www.instagram.com/reel/C1x_Yz-2/embed/captioned/?v=14",
        "instagram",
        "C1x_Yz-2",
        "https://www.instagram.com/reel/C1x_Yz-2/",
        "https://www.instagram.com/reel/C1x_Yz-2/embed/",
    ),
    (
        "https://rumble.com/embed/v5pv5f/?pub=4",
        "rumble",
        "v5pv5f",
        "https://rumble.com/embed/v5pv5f/",
        "https://rumble.com/embed/v5pv5f/",
    ),
    (
        "https://rumble.com/embed/u1.v5pv5f",
        "rumble",
        "v5pv5f",
        "https://rumble.com/embed/v5pv5f/",
        "https://rumble.com/embed/v5pv5f/",
    ),
];

fn hosted(url: &str) -> Option<ProviderMatch> {
    recognise(&Url::parse(url).unwrap())
}

#[test]
fn urls_of_all_providers_are_recognized() {
    for (url, provider, id, page, embed) in CASES {
        let found = hosted(url).unwrap_or_else(|| panic!("not recognised: {url}"));
        let read = (found.provider, found.id.as_deref(), found.page.as_str(), found.embed.as_deref());
        assert_eq!(read, (*provider, Some(*id), *page, Some(*embed)), "{url}");
        assert!(may_contain_provider(url), "{url} passes the cheap test");
    }
}

#[test]
fn all_providers_with_ids_have_a_case() {
    for provider in table::named_providers() {
        let tested = CASES.iter().any(|case| case.1 == provider.name) || provider.name == "mixcloud";
        assert!(tested, "{}", provider.name);
    }
}

#[test]
fn embed_urls_are_recognized_as_the_same_video() {
    for (url, _, id, page, embed) in CASES {
        let again = hosted(embed).unwrap_or_else(|| panic!("not recognised: {embed}"));
        assert_eq!((again.id.as_deref(), again.form), (Some(*id), UrlForm::Player), "{url}");
        // Details that the ID does not include (account host, quiet player) may differ.
        assert!(again.page == *page || page.contains("wistia"), "{url}: {} is not {page}", again.page);
    }
}

#[test]
fn urls_outside_of_the_table_have_no_provider() {
    for url in [
        "https://www.youtube.com/",
        "https://www.youtube.com/@channel",
        "https://www.youtube.com/channel/UC1",
        "https://www.youtube.com/watch?v=short",
        "https://www.youtube.com/iframe_api",
        "https://notyoutube.com/watch?v=dQw4w9WgXcQ",
        "https://youtube.com.evil.test/embed/dQw4w9WgXcQ",
        "https://evil.test/youtube.com/embed/dQw4w9WgXcQ",
        "ftp://youtu.be/dQw4w9WgXcQ",
        "https://vimeo.com/about",
        "https://vimeo.com/76979871/description",
        "https://www.twitch.tv/monstercat",
        "https://www.loom.com/pricing",
        "https://open.spotify.com/",
        "https://soundcloud.com/artist/track",
        "https://cdn.jwplayer.com/libraries/ALJ3XQCI.js",
        "https://fast.wistia.com/assets/external/E-v1.js",
        "https://www.bilibili.com/",
        "https://iframe.mediadelivery.net/embed/759/12",
        "https://www.facebook.com/acme",
        "https://www.facebook.com/plugins/page.php?href=https%3A%2F%2Fwww.facebook.com%2Facme",
        "https://www.instagram.com/acme/",
        "https://www.instagram.com/p/C1x_Yz-2/",
        "https://rumble.com/c/acme",
    ] {
        assert_eq!(hosted(url), None, "{url}");
    }
}

/// Webflow writes its videos as frames of Embedly.
#[test]
fn frames_of_embedding_services_are_recognized_by_what_they_show() {
    for (query, page) in [
        ("src=https%3A%2F%2Fwww.youtube.com%2Fembed%2FdQw4w9WgXcQ%3Ffeature%3Doembed&image=x.jpg", YT),
        ("src=x&url=http%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3DdQw4w9WgXcQ&key=1", YT),
        ("src=%2F%2Fplayer.vimeo.com%2Fvideo%2F76979871", "https://vimeo.com/76979871"),
    ] {
        let found = hosted(&format!("https://cdn.embedly.com/widgets/media.html?{query}")).expect(query);
        assert_eq!((found.page.as_str(), found.form), (page, UrlForm::Player), "{query}");
    }
    assert_eq!(hosted("https://cdn.embedly.com/widgets/media.html?src=https%3A%2F%2Fa.test%2F"), None);
    assert_eq!(hosted("https://a.test/widgets/media.html?url=https%3A%2F%2Fyoutu.be%2FdQw4w9WgXcQ"), None);
}

#[test]
fn players_without_an_id_are_recognized() {
    let found = hosted("https://www.youtube.com/embed/?autoplay=1").unwrap();
    assert_eq!((found.id, found.page.as_str()), (None, "https://www.youtube.com/embed/?autoplay=1"));
}

#[test]
fn query_values_are_encoded_in_urls() {
    let found = hosted("https://player.twitch.tv/?channel=a%26x%3D1%23%20b").unwrap();
    assert_eq!(found.page, "https://www.twitch.tv/a%26x%3D1%23%20b");
    assert_eq!(hosted("https://w.soundcloud.com/player/?url=javascript:alert(1)").unwrap().id, None);
}

#[test]
fn players_within_players_are_followed_to_a_limit() {
    let mut player = "https://api.soundcloud.com/tracks/293".to_owned();
    for nesting in 1..=8 {
        let query: String = url::form_urlencoded::byte_serialize(player.as_bytes()).collect();
        player = format!("https://w.soundcloud.com/player/?url={query}");
        let is_followed = hosted(&player).is_some_and(|found| found.id.as_deref() == Some("293"));
        assert_eq!(is_followed, nesting < MAX_NESTED_URLS, "{nesting} players within each other");
    }
}

#[test]
fn ids_in_attributes_are_recognized() {
    for (element, attribute, id, page) in [
        ("lite-youtube", "videoid", "dQw4w9WgXcQ", YT),
        ("div", "data-youtube-id", "dQw4w9WgXcQ", YT),
        ("lite-vimeo", "videoid", "76979871", "https://vimeo.com/76979871"),
        ("wistia-player", "media-id", "e4a27b971d", "https://fast.wistia.net/embed/iframe/e4a27b971d"),
        ("mux-player", "playback-id", "a4nO", "https://stream.mux.com/a4nO.m3u8"),
        ("stream", "src", CF, "https://watch.cloudflarestream.com/0123456789abcdef0123456789ABCDEF"),
        ("amp-dailymotion", "data-videoid", "x84sh87", "https://www.dailymotion.com/video/x84sh87"),
        ("div", "data-vbg", "dQw4w9WgXcQ", YT),
        ("div", "data-jw-id", "nPripu9l", "https://cdn.jwplayer.com/previews/nPripu9l"),
    ] {
        let found = from_id_attribute(element, attribute, id).unwrap_or_else(|| panic!("{element} {attribute}"));
        assert_eq!((found.id.as_deref(), found.page.as_str()), (Some(id), page), "{element} {attribute}");
    }
    assert_eq!(from_id_attribute("lite-youtube", "videoid", "not an id"), None);
    assert_eq!(from_id_attribute("div", "videoid", "dQw4w9WgXcQ"), None);
    assert_eq!(from_named_provider("YouTube", "dQw4w9WgXcQ").map(|h| h.page), Some(YT.to_owned()));
    assert_eq!(from_named_provider("nobody", "dQw4w9WgXcQ"), None);
}

/// Every pattern of a provider that is known by its frames matches a URL that is made from it.
#[test]
fn provider_frames_are_recognized() {
    for provider in table::frame_providers() {
        for row in provider.rows {
            let (mut url, mut rest) = (String::from("https://"), row.at.replace("**", "x").replace('*', "any"));
            while let Some((before, after)) = rest.split_once('{') {
                url.push_str(before);
                let is_peertube = provider.name == "peertube";
                url.push_str(if is_peertube { "9c9de5e8-0a1e-484a-b099-e80766180a6d" } else { "abc123" });
                rest = after.split_once('}').unwrap().1.to_owned();
            }
            let url = (url + &rest).replacen("https://any/", "https://tube.example.org/", 1);
            let found = hosted(&url).unwrap_or_else(|| panic!("not recognised: {url}"));
            assert_eq!((found.provider, found.form == row.form), (provider.name, true), "{url}");
            let has_id = ["{id}", "{list}", "{channel}"].iter().any(|id| row.at.contains(id));
            assert!(found.id.is_some() || !has_id, "{url}");
        }
    }
}

#[test]
fn federated_players_are_recognized_by_path() {
    for (url, provider, id, page) in [
        (
            "https://tube.example.org/videos/embed/9c9de5e8-0a1e-484a-b099-e80766180a6d",
            "peertube",
            "9c9de5e8-0a1e-484a-b099-e80766180a6d",
            "https://tube.example.org/w/9c9de5e8-0a1e-484a-b099-e80766180a6d",
        ),
        (
            "https://rutube.ru/play/embed/10b3a03fc01d5bbcc632a2f3514e8aab",
            "rutube",
            "10b3a03fc01d5bbcc632a2f3514e8aab",
            "https://rutube.ru/video/10b3a03fc01d5bbcc632a2f3514e8aab/",
        ),
        (
            "https://vk.com/video_ext.php?oid=-77521&id=162222515&hash=87b0",
            "vk",
            "162222515",
            "https://vk.com/video-77521_162222515",
        ),
        (
            "https://player.youku.com/embed/XNTk0MDY4Mg==",
            "youku",
            "XNTk0MDY4Mg==",
            "https://v.youku.com/v_show/id_XNTk0MDY4Mg%3D%3D.html",
        ),
        (
            "https://v.qq.com/txp/iframe/player.html?vid=w0029t1kqp3",
            "tencent",
            "w0029t1kqp3",
            "https://v.qq.com/x/page/w0029t1kqp3.html",
        ),
        ("https://archive.org/embed/Cops1922", "archive", "Cops1922", "https://archive.org/details/Cops1922"),
    ] {
        let found = hosted(url).unwrap_or_else(|| panic!("not recognised: {url}"));
        assert_eq!((found.provider, found.id.as_deref(), found.page.as_str()), (provider, Some(id), page));
    }
    assert_eq!(hosted("https://tube.example.org/videos/embed/about"), None);
    assert_eq!(from_id_attribute("mux-player", "playback-id", "a4nO?token=x.y.z").unwrap().id.as_deref(), Some("a4nO"));
}
