use crate::test_support::media_pages::{PAGE, answer, items, page};
use limner_page::PageSnapshot;
use limner_types::Operation::Videos;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Returns `source url` of every item.
fn item_lines(html: &str) -> Vec<String> {
    let line = |item: &Value| format!("{} {}", item["source"].as_str().unwrap(), item["url"].as_str().unwrap());
    items(Videos, &page(html)).iter().map(line).collect()
}

fn single_item(html: &str) -> Value {
    let found = items(Videos, &page(html));
    assert_eq!(found.len(), 1, "{html}: {found:?}");
    found[0].clone()
}

const YT: &str = "https://www.youtube.com/watch?v=dQw4w9WgXcQ";

#[test]
fn videos_are_found_in_all_places() {
    for (html, expected) in [
        ("<video src=a.mp4>", "video https://www.site.test/dir/a.mp4"),
        ("<video src='stream'>", "video https://www.site.test/dir/stream"),
        ("<video data-src=/a.mp4>", "video https://www.site.test/a.mp4"),
        ("<video><source src=a.webm></video>", "source https://www.site.test/dir/a.webm"),
        ("<video><source data-src=a.webm></video>", "source https://www.site.test/dir/a.webm"),
        ("<video><source src=a.ogg type='video/ogg'></video>", "source https://www.site.test/dir/a.ogg"),
        ("<video src=//cdn.test/live.m3u8#t=1>", "video https://cdn.test/live.m3u8"),
        ("<video src=a.mpd>", "video https://www.site.test/dir/a.mpd"),
        ("<video src='data:video/mp4;base64,AAAA'>", "video data:video/mp4;base64,AAAA"),
        ("<base href=/b/><video src=a.mp4>", "video https://www.site.test/b/a.mp4"),
        ("<noscript><video src=a.mp4></noscript>", "video https://www.site.test/dir/a.mp4"),
        (
            "<div><template shadowrootmode=open><video src=a.mp4></template></div>",
            "video https://www.site.test/dir/a.mp4",
        ),
        ("<meta property=og:video content=/a.mp4>", "og https://www.site.test/a.mp4"),
        ("<meta property=og:video:secure_url content=https://x.test/v>", "og https://x.test/v"),
        ("<meta name=twitter:player:stream content=/a.mp4>", "twitter https://www.site.test/a.mp4"),
        ("<meta name=twitter:player content=https://x.test/player>", "twitter https://x.test/player"),
        (
            "<iframe src=https://www.youtube.com/embed/dQw4w9WgXcQ></iframe>",
            "embed https://www.youtube.com/watch?v=dQw4w9WgXcQ",
        ),
        (
            "<iframe data-src=//youtube.com/embed/dQw4w9WgXcQ></iframe>",
            "embed https://www.youtube.com/watch?v=dQw4w9WgXcQ",
        ),
        ("<iframe src=https://www.youtube.com/embed/></iframe>", "embed https://www.youtube.com/embed/"),
        (
            "<iframe class=embedly-embed src='//cdn.embedly.com/widgets/media.html?src=https%3A%2F%2Fwww.youtube.com%2Fembed%2FdQw4w9WgXcQ'></iframe>",
            "embed https://www.youtube.com/watch?v=dQw4w9WgXcQ",
        ),
        (
            "<script type=application/json class=w-json>{\"items\":[{\"type\":\"video\",\"url\":\"https://youtu.be/dQw4w9WgXcQ\"}]}</script>",
            "embed https://www.youtube.com/watch?v=dQw4w9WgXcQ",
        ),
        ("<iframe src=https://animoto.com/play/abc123></iframe>", "embed https://animoto.com/play/abc123"),
        ("<div data-embed-url=https://coub.com/embed/abc123></div>", "embed https://coub.com/view/abc123"),
        ("<iframe src=/a.mp4></iframe>", "embed https://www.site.test/a.mp4"),
        ("<embed src=a.mov>", "embed https://www.site.test/dir/a.mov"),
        ("<object data=x type=video/mp4></object>", "embed https://www.site.test/dir/x"),
        (
            "<object><param name=movie value=https://www.youtube.com/v/dQw4w9WgXcQ></object>",
            "embed https://www.youtube.com/watch?v=dQw4w9WgXcQ",
        ),
        ("<lite-youtube videoid=dQw4w9WgXcQ></lite-youtube>", "embed https://www.youtube.com/watch?v=dQw4w9WgXcQ"),
        (
            "<youtube-video src=https://youtu.be/dQw4w9WgXcQ></youtube-video>",
            "embed https://www.youtube.com/watch?v=dQw4w9WgXcQ",
        ),
        ("<div data-plyr-provider=vimeo data-plyr-embed-id=76979871></div>", "embed https://vimeo.com/76979871"),
        (
            "<div class='wistia_embed wistia_async_e4a27b971d x'></div>",
            "embed https://fast.wistia.net/embed/iframe/e4a27b971d",
        ),
        ("<mux-player playback-id=a4nO></mux-player>", "embed https://stream.mux.com/a4nO.m3u8"),
        (
            "<stream src=0123456789abcdef0123456789abcdef></stream>",
            "embed https://watch.cloudflarestream.com/0123456789abcdef0123456789abcdef",
        ),
        (
            "<video-js data-account=17 data-player=abc data-video-id=55></video-js>",
            "embed https://players.brightcove.net/17/abc_default/index.html?videoId=55",
        ),
        (
            "<script src=https://cdn.jwplayer.com/players/nPripu9l-ALJ3XQCI.js></script>",
            "embed https://cdn.jwplayer.com/previews/nPripu9l-ALJ3XQCI",
        ),
        ("<div data-video-urls='a.mp4'></div>", "video https://www.site.test/dir/a.mp4"),
        ("<div data-vide-bg='mp4: path/a.mp4'></div>", "video https://www.site.test/dir/path/a.mp4"),
        ("<div data-vide-bg='mp4: v/one, poster: v/one'></div>", "video https://www.site.test/dir/v/one.mp4"),
        ("<media-player src=youtube/dQw4w9WgXcQ></media-player>", "embed https://www.youtube.com/watch?v=dQw4w9WgXcQ"),
        ("<media-player src=vimeo/76979871></media-player>", "embed https://vimeo.com/76979871"),
        ("<div data-vbg=dQw4w9WgXcQ></div>", "embed https://www.youtube.com/watch?v=dQw4w9WgXcQ"),
        (
            "<iframe src='https://www.facebook.com/plugins/video.php?href=https%3A%2F%2Fwww.facebook.com%2Facme%2Fvideos%2F17%2F'></iframe>",
            "embed https://www.facebook.com/acme/videos/17/",
        ),
        (
            "<blockquote class=instagram-media data-instgrm-permalink='https://www.instagram.com/reel/C1x/?utm_source=ig_embed'></blockquote>",
            "embed https://www.instagram.com/reel/C1x/",
        ),
        (
            "<section data-settings='{\"background_video_link\":\"https:\\/\\/youtu.be\\/dQw4w9WgXcQ\"}'></section>",
            "embed https://www.youtube.com/watch?v=dQw4w9WgXcQ",
        ),
        ("<a href=a.mp4>x</a>", "link https://www.site.test/dir/a.mp4"),
        ("<a href=x type=video/mp4>x</a>", "link https://www.site.test/dir/x"),
        (
            "<a href=https://www.youtube.com/shorts/dQw4w9WgXcQ>x</a>",
            "link https://www.youtube.com/watch?v=dQw4w9WgXcQ",
        ),
        (
            "<p>See <a href=https://youtu.be/dQw4w9WgXcQ><img src=still.jpg></a> now",
            "link https://www.youtube.com/watch?v=dQw4w9WgXcQ",
        ),
        (
            "<p>Or <a href=https://youtu.be/dQw4w9WgXcQ class=js-lightbox>watch it</a>.",
            "link https://www.youtube.com/watch?v=dQw4w9WgXcQ",
        ),
        (
            "<p>Text before.<li><b><a href=https://youtu.be/dQw4w9WgXcQ>The film</a></b>, ",
            "link https://www.youtube.com/watch?v=dQw4w9WgXcQ",
        ),
        ("<p>A <a href=a.mp4>file</a> is one wherever it stands.", "link https://www.site.test/dir/a.mp4"),
        ("<link rel=preload as=video href=a.mp4>", "preload https://www.site.test/dir/a.mp4"),
        ("<link rel=preload as=fetch href=a.m3u8>", "preload https://www.site.test/dir/a.m3u8"),
        ("<link rel=video_src href=https://vimeo.com/76979871>", "link https://vimeo.com/76979871"),
        ("<link rel=alternate type=video/mp4 href=x>", "link https://www.site.test/dir/x"),
    ] {
        assert_eq!(item_lines(html), [expected], "{html}");
    }
}

#[test]
fn files_of_other_types_are_not_listed_as_videos() {
    for html in [
        "",
        "<video></video>",
        "<video src=''>",
        "<video src='#'>",
        "<video src='blob:https://x/1'>",
        "<video src='javascript:x'>",
        "<video><source src=a.mp3></video>",
        "<video><source src=a type=audio/mpeg></video>",
        "<audio src=a.mp4></audio>",
        "<audio><source src=a.mp4></audio>",
        "<picture><source src=a.mp4></picture>",
        "<template><video src=a.mp4></template>",
        "<iframe src=https://maps.test/></iframe>",
        "<iframe src=https://open.spotify.com/embed/track/1></iframe>",
        "<script src=https://player.vimeo.com/api/player.js></script>",
        "<script src=https://www.youtube.com/iframe_api></script>",
        "<a href=https://www.youtube.com/@channel>x</a>",
        "<p>Works on <em><a href=https://youtu.be/dQw4w9WgXcQ>bad networks</a></em> as well.",
        "<a href='https://share.test/?u=https://youtu.be/dQw4w9WgXcQ'>x</a>",
        "<div data-x='v1.mp4x'></div>",
        "<meta property=og:image content=a.mp4>",
        "<meta name=twitter:player content=https://open.spotify.com/embed/track/1>",
        "<link rel=stylesheet href=a.mp4>",
    ] {
        assert_eq!(item_lines(html), [""; 0], "{html}");
    }
}

#[test]
fn attributes_of_a_video_apply_to_its_sources() {
    let html = r#"<video width=640 height="360px" poster=/p.jpg title=" The  film ">
        <source src=a.webm type='video/webm; codecs="vp9"'><source src=a.mp4></video>"#;
    let described = |url: &str, media_type: &str| json!({ "url": url, "source": "source", "type": media_type, "poster": "https://www.site.test/p.jpg", "width": 640, "height": 360, "title": "The film" });
    let expected = [
        described("https://www.site.test/dir/a.webm", "video/webm"),
        described("https://www.site.test/dir/a.mp4", "video/mp4"),
    ];
    assert_eq!(items(Videos, &page(html)), expected);
}

#[test]
fn duplicate_videos_are_one_item() {
    let html = r#"<meta property="og:video:url" content="https://www.youtube.com/embed/dQw4w9WgXcQ">
        <meta property="og:video:type" content="text/html"><meta property="og:video:width" content="1280">
        <script type="application/ld+json">{"@type":"VideoObject","name":"Film","embedUrl":"https://www.youtube.com/embed/dQw4w9WgXcQ",
          "thumbnailUrl":["/t.jpg"],"duration":"PT1M30S"}</script>
        <a href="https://youtu.be/dQw4w9WgXcQ">x</a>
        <iframe src="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?rel=0#x" title="Player"></iframe>"#;
    let expected = json!({
        "url": YT, "source": "og", "sources": ["og", "embed", "jsonld", "link"], "provider": "youtube", "id": "dQw4w9WgXcQ",
        "embedUrl": "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?rel=0", "poster": "https://www.site.test/t.jpg",
        "width": 1280, "title": "Film", "duration": 90
    });
    assert_eq!(single_item(html), expected);
}

#[test]
fn json_ld_video_objects_are_listed() {
    let script = |object: Value| format!("<script type=application/ld+json>{object}</script>");
    let file = single_item(&script(json!({
        "@type": "VideoObject", "contentUrl": "/a.mp4", "embedUrl": "https://player.test/1", "encodingFormat": "video/mp4",
        "width": { "@type": "QuantitativeValue", "value": 1920 }, "height": "1080"
    })));
    let expected = json!({ "url": "https://www.site.test/a.mp4", "source": "jsonld", "type": "video/mp4", "embedUrl": "https://player.test/1", "width": 1920, "height": 1080 });
    assert_eq!(file, expected);
    let player = single_item(&script(json!({ "@type": "VideoObject", "embedUrl": "https://player.test/1" })));
    assert_eq!(
        (&player["url"], &player["embedUrl"]),
        (&json!("https://player.test/1"), &json!("https://player.test/1"))
    );
    let several =
        json!({ "@type": "VideoObject", "name": "V", "duration": "PT9S", "contentUrl": ["/a.mp4", "/a.webm"] });
    let files = items(Videos, &page(&script(several)));
    let file = |name: &str, media_type: &str| json!({ "url": format!("https://www.site.test/{name}"), "source": "jsonld", "type": media_type, "title": "V", "duration": 9 });
    assert_eq!(json!(files), json!([file("a.mp4", "video/mp4"), file("a.webm", "video/webm")]));
    let page_of_provider =
        single_item(&script(json!({ "@type": "VideoObject", "url": "https://youtu.be/dQw4w9WgXcQ" })));
    assert_eq!(page_of_provider["url"], YT);
    assert!(
        item_lines(&script(json!({ "@type": "VideoObject", "name": "x", "url": "https://site.test/page" }))).is_empty()
    );
}

#[test]
fn open_graph_videos_are_split_into_players_and_files() {
    let html = r#"<meta property="og:video" content="http://x.test/a.mp4"><meta property="og:video:secure_url" content="https://x.test/a.mp4">
        <meta property="og:video:type" content="video/mp4"><meta property="og:video:height" content="720">
        <meta property="og:video" content="https://x.test/player"><meta property="og:video:type" content="text/html">"#;
    let found = items(Videos, &page(html));
    let urls: Vec<&str> = found.iter().map(|item| item["url"].as_str().unwrap()).collect();
    assert_eq!(urls, ["http://x.test/a.mp4", "https://x.test/a.mp4", "https://x.test/player"]);
    assert_eq!((&found[1]["type"], &found[1]["height"]), (&json!("video/mp4"), &json!(720)));
    assert_eq!((&found[2]["type"], &found[2]["embedUrl"]), (&Value::Null, &json!("https://x.test/player")));
}

#[test]
fn items_are_in_document_order() {
    let html = "<link rel=preload as=video href=c.mp4><a href=a.mp4>x</a><video src=b.mp4></video><noscript><video src=d.mp4></noscript><a href=c.mp4>x</a>";
    let expected = ["link c.mp4", "link a.mp4", "video b.mp4", "video d.mp4"];
    let short: Vec<String> =
        item_lines(html).iter().map(|line| line.replace("https://www.site.test/dir/", "")).collect();
    assert_eq!(short, expected);
}

#[test]
fn page_that_is_a_video_file_lists_itself() {
    let film = PageSnapshot { html: String::new(), content_type: "video/mp4".to_owned(), ..page("") };
    assert_eq!(items(Videos, &film), [json!({ "url": PAGE, "source": "file", "type": "video/mp4" })]);
}

#[test]
fn videos_loaded_by_the_browser_are_listed() {
    let mut page = page("<video src='blob:https://x/1'></video>");
    let loaded = [
        ("https://cdn.test/master.m3u8", "application/vnd.apple.mpegurl"),
        ("https://cdn.test/seg1.ts", "video/mp2t"),
        ("https://cdn.test/seg1.m4s", "video/mp4"),
        ("https://cdn.test/a.mp3", "audio/mpeg"),
        ("https://cdn.test/film", "video/mp4"),
        ("https://cdn.test/x.js", "text/javascript"),
    ];
    page.network = loaded.iter().map(|(url, media_type)| ((*url).to_owned(), (*media_type).to_owned())).collect();
    let urls: Vec<Value> = items(Videos, &page).into_iter().map(|item| item["url"].clone()).collect();
    assert_eq!(urls, ["https://cdn.test/film", "https://cdn.test/master.m3u8"]);
}

#[test]
fn video_result_has_the_documented_shape() {
    let html = r#"<title>x</title><video src=a.mp4 poster=p.jpg width=16 height=9></video>
        <iframe src="https://player.vimeo.com/video/76979871?h=8272103f6e" title="Demo" width=640 height=360></iframe>"#;
    insta::assert_json_snapshot!(answer(Videos, &page(html)));
}

#[test]
fn hostile_pages_are_capped() {
    let many = "<video src=a.mp4></video>".repeat(30_000);
    let capped = answer(Videos, &page(&many));
    assert_eq!((&capped["count"], &capped["truncated"]), (&json!(1), &json!(true)));
    let long =
        format!("<div data-x='{}.mp4'></div><video src='{}.mp4'></video>", "a".repeat(9_000_000), "b".repeat(100));
    assert_eq!(item_lines(&long).len(), 1);
    let list = format!("<div data-x='{}'></div>", "/a.mp4,".repeat(8_000));
    assert_eq!(item_lines(&list).len(), 1);
}

proptest! {
    #[test]
    fn arbitrary_pages_do_not_panic_the_video_reader(attribute in "[a-z-]{1,12}", value in ".{0,80}", element in "(video|source|iframe|a|link|meta|div|lite-youtube)") {
        item_lines(&format!("<video><{element} {attribute}=\"{value}\" src=\"{value}\" href=\"{value}\" data-x=\"a.mp4{value}\" content='{value}' property=og:video>"));
    }

    #[test]
    fn urls_are_absolute_and_unique(paths in proptest::collection::vec("[a-z/.:?#]{0,12}", 0..8)) {
        let html: String = paths.iter().map(|path| format!("<video src='{path}'></video>")).collect();
        let urls: Vec<String> = item_lines(&html).into_iter().map(|line| line["video ".len()..].to_owned()).collect();
        let mut unique = urls.clone();
        unique.sort();
        unique.dedup();
        prop_assert_eq!(unique.len(), urls.len());
        prop_assert!(urls.iter().all(|url| url.starts_with("http") && !url.contains('#')));
    }
}

#[test]
fn players_of_all_kinds_are_found() {
    for (html, expected) in [
        ("<div class=youtube-player data-id=dQw4w9WgXcQ></div>", "embed https://www.youtube.com/watch?v=dQw4w9WgXcQ"),
        (
            "<div data-type=youtube data-video-id=dQw4w9WgXcQ></div>",
            "embed https://www.youtube.com/watch?v=dQw4w9WgXcQ",
        ),
        ("<mux-player playback-id='a4nO?token=x.y.z'></mux-player>", "embed https://stream.mux.com/a4nO.m3u8"),
        ("<iframe src=https://ok.ru/videoembed/20079905452></iframe>", "embed https://ok.ru/video/20079905452"),
        (
            "<iframe data-cookieblock-src=https://rumble.com/embed/v1abc/></iframe>",
            "embed https://rumble.com/embed/v1abc/",
        ),
        ("<iframe src=https://tv.someone.test/embed/12></iframe>", "embed https://tv.someone.test/embed/12"),
        (
            "<iframe srcdoc=\"<iframe src='https://www.youtube.com/embed/dQw4w9WgXcQ'></iframe>\"></iframe>",
            "embed https://www.youtube.com/watch?v=dQw4w9WgXcQ",
        ),
        ("<iframe srcdoc=\"<base href='/x/'><video src=a.mp4>\"></iframe>", "video https://www.site.test/x/a.mp4"),
        ("<oembed url=https://youtu.be/dQw4w9WgXcQ></oembed>", "embed https://www.youtube.com/watch?v=dQw4w9WgXcQ"),
        (
            "<script>jwplayer('x').setup({file: \"/v/jw.mp4\", image: '/v/jw.jpg'});</script>",
            "video https://www.site.test/v/jw.mp4",
        ),
        ("<script>hls.loadSource('https://cdn.test/live.m3u8')</script>", "video https://cdn.test/live.m3u8"),
        (
            "<script>new YT.Player('x', {height: 1, videoId: 'dQw4w9WgXcQ'})</script>",
            "embed https://www.youtube.com/watch?v=dQw4w9WgXcQ",
        ),
        ("<script>new Vimeo.Player('x', {id: 76979871})</script>", "embed https://vimeo.com/76979871"),
        (
            "<script type=application/json class=wp-playlist-script>{\"tracks\":[{\"src\":\"/v/pl.mp4\"}]}</script>",
            "video https://www.site.test/v/pl.mp4",
        ),
        (
            "<video class=video-js data-setup='{\"sources\":[{\"src\":\"/v/my film (1).mp4\"}]}'></video>",
            "video https://www.site.test/v/my%20film%20(1).mp4",
        ),
        ("<div data-video=\"/v/it's.mp4\"></div>", "video https://www.site.test/v/it's.mp4"),
    ] {
        assert_eq!(item_lines(html), [expected], "{html}");
    }
    for html in [
        "<script>var a = '/v/a.mp4'</script><script id=__DATA__ type=application/json>{\"src\":\"/v/a.mp4\"}</script>",
        "<iframe src=https://www.google.com/maps/embed?pb=x allowfullscreen></iframe>",
        "<div class=youtube-links data-id=12></div>",
    ] {
        assert!(item_lines(html).is_empty(), "{html}");
    }
}
