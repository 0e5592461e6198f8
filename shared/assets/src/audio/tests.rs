use crate::test_support::media_pages::{PAGE, answer, items, page, with_file};
use crate::test_support::required_subresources;
use limner_page::{PageSnapshot, Resource};
use limner_types::Operation::Audio;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Returns `source url` of every item.
fn lines(page: &PageSnapshot) -> Vec<String> {
    let line = |item: &Value| format!("{} {}", item["source"].as_str().unwrap(), item["url"].as_str().unwrap());
    items(Audio, page).iter().map(line).collect()
}

fn item_lines(html: &str) -> Vec<String> {
    lines(&page(html))
}

#[test]
fn audio_is_found_in_all_places() {
    for (html, expected) in [
        ("<audio src=a.mp3></audio>", "audio https://www.site.test/dir/a.mp3"),
        ("<audio src=stream></audio>", "audio https://www.site.test/dir/stream"),
        ("<audio src=a.mp4></audio>", "audio https://www.site.test/dir/a.mp4"),
        ("<audio data-src=a.mp3></audio>", "audio https://www.site.test/dir/a.mp3"),
        ("<audio><source src=a.ogg type=audio/ogg></audio>", "source https://www.site.test/dir/a.ogg"),
        ("<audio><source src=a></audio>", "source https://www.site.test/dir/a"),
        ("<video><source src=a.mp3></video>", "source https://www.site.test/dir/a.mp3"),
        ("<noscript><audio src=a.mp3></audio></noscript>", "audio https://www.site.test/dir/a.mp3"),
        ("<meta property=og:audio content=/a.mp3>", "og https://www.site.test/a.mp3"),
        ("<meta property=og:audio:secure_url content=https://x.test/a>", "og https://x.test/a"),
        ("<iframe src=https://open.spotify.com/embed/track/1a></iframe>", "link https://open.spotify.com/track/1a"),
        (
            "<iframe src='https://w.soundcloud.com/player/?url=https%3A//api.soundcloud.com/tracks/293'></iframe>",
            "link https://api.soundcloud.com/tracks/293",
        ),
        (
            "<iframe data-src=https://embed.podcasts.apple.com/us/podcast/x/id12></iframe>",
            "link https://podcasts.apple.com/us/podcast/x/id12",
        ),
        (
            "<iframe src=https://bandcamp.com/EmbeddedPlayer/album=1/track=2/></iframe>",
            "link https://bandcamp.com/EmbeddedPlayer/track=2/",
        ),
        ("<iframe src=a.mp3></iframe>", "link https://www.site.test/dir/a.mp3"),
        (
            "<meta name=twitter:player content=https://open.spotify.com/embed/track/1a>",
            "link https://open.spotify.com/track/1a",
        ),
        ("<amp-soundcloud data-trackid=293></amp-soundcloud>", "link https://api.soundcloud.com/tracks/293"),
        ("<a href=a.mp3>x</a>", "link https://www.site.test/dir/a.mp3"),
        ("<a href=x type=audio/mpeg>x</a>", "link https://www.site.test/dir/x"),
        ("<link rel=preload as=audio href=a>", "link https://www.site.test/dir/a"),
        ("<div data-mp3='/a.mp3'></div>", "audio https://www.site.test/a.mp3"),
        (
            "<script type=application/ld+json>{\"@type\":\"AudioObject\",\"contentUrl\":\"/a.mp3\"}</script>",
            "jsonld https://www.site.test/a.mp3",
        ),
        (
            "<script type=application/ld+json>{\"@type\":\"PodcastEpisode\",\"associatedMedia\":{\"@type\":\"MediaObject\",\"contentUrl\":\"/a\"}}</script>",
            "jsonld https://www.site.test/a",
        ),
        (
            "<script type=application/ld+json>{\"@type\":\"PodcastEpisode\",\"audio\":\"/a.mp3\"}</script>",
            "jsonld https://www.site.test/a.mp3",
        ),
    ] {
        assert_eq!(item_lines(html), [expected], "{html}");
    }
}

#[test]
fn files_of_other_types_are_not_listed_as_audio() {
    for html in [
        "",
        "<audio></audio>",
        "<audio src=''></audio>",
        "<video src=a.mp4></video>",
        "<video><source src=a.ogg></video>",
        "<video><source src=a.mp4></video>",
        "<iframe src=https://www.youtube.com/embed/dQw4w9WgXcQ></iframe>",
        "<a href=https://open.spotify.com/track/1>x</a>",
        "<template><audio src=a.mp3></audio></template>",
        "<script type=application/ld+json>{\"@type\":\"PodcastEpisode\",\"url\":\"/page\"}</script>",
    ] {
        assert_eq!(item_lines(html), [""; 0], "{html}");
    }
}

#[test]
fn episodes_complete_their_media() {
    let html = r#"<script type="application/ld+json">{"@graph":[{"@type":"PodcastEpisode","name":"Episode","timeRequired":"PT1H",
        "associatedMedia":{"@type":"AudioObject","contentUrl":"https://x.test/e.mp3","encodingFormat":"audio/mpeg"}}]}</script>"#;
    let expected = json!({ "url": "https://x.test/e.mp3", "source": "jsonld", "type": "audio/mpeg", "title": "Episode", "duration": 3600 });
    assert_eq!(items(Audio, &page(html)), [expected]);
}

const FEED: &str = "https://www.site.test/feed.xml";
const FEED_LINK: &str = "<link rel=alternate type='application/rss+xml; charset=utf-8' href=/feed.xml>";

fn with_feed(feed: &str) -> PageSnapshot {
    with_file(page(FEED_LINK), FEED, feed)
}

#[test]
fn feeds_are_asked_for_and_read() {
    assert_eq!(required_subresources(Audio, &page(FEED_LINK)), [FEED]);
    let feed = "<rss><channel><item><title>One</title><itunes:duration>90</itunes:duration>\
        <enclosure url='/1.mp3' length='1000' type='audio/mpeg'/></item></channel></rss>";
    let page = with_feed(feed);
    assert!(required_subresources(Audio, &page).is_empty());
    let expected = json!({ "url": "https://www.site.test/1.mp3", "source": "enclosure", "type": "audio/mpeg", "title": "One",
        "length": 1000, "duration": 90, "feed": FEED });
    assert_eq!(items(Audio, &page), [expected]);
}

#[test]
fn json_feeds_are_feeds() {
    const JSON_FEED: &str = "https://www.site.test/feed.json";
    for (link, is_feed) in [
        ("<link rel=alternate type=application/feed+json href=/feed.json>", true),
        ("<link rel=alternate type=application/json href=/feed.json>", true),
        ("<link rel=alternate type=application/json href=/wp-json/wp/v2/pages/2>", false),
    ] {
        assert_eq!(required_subresources(Audio, &page(link)).len(), usize::from(is_feed), "{link}");
    }
    let feed = r#"{"version":"https://jsonfeed.org/version/1.1","items":[{"title":"One",
        "attachments":[{"url":"/1.mp3","mime_type":"audio/mpeg"},{"url":"/1.mp4","mime_type":"video/mp4"}]}]}"#;
    let page = with_file(page("<link rel=alternate type=application/feed+json href=/feed.json>"), JSON_FEED, feed);
    let expected = json!({ "url": "https://www.site.test/1.mp3", "source": "enclosure", "type": "audio/mpeg",
        "title": "One", "feed": JSON_FEED });
    assert_eq!(items(Audio, &page), [expected]);
}

#[test]
fn enclosures_are_classified() {
    for (enclosure, is_sound) in [
        ("url='a.mp3' type='audio/mpeg'", true),
        ("url='a' type='audio/x-m4a'", true),
        ("url='a.mp3' type=''", true),
        ("url='a.mp3' type='application/octet-stream'", true),
        ("url='a'", true),
        ("url='a.mp4' type='video/mp4'", false),
        ("url='a.mp4'", false),
        ("url='a.jpg' type='image/jpeg'", false),
        ("url='a.jpg'", false),
        ("url='a.pdf' type='application/pdf'", false),
        ("url='javascript:x' type='audio/mpeg'", false),
        ("url='' type='audio/mpeg'", false),
    ] {
        let page = with_feed(&format!("<rss><item><enclosure {enclosure}/></item></rss>"));
        assert_eq!(lines(&page).len(), usize::from(is_sound), "{enclosure}");
    }
}

#[test]
fn unreadable_feeds_have_no_items() {
    for body in ["", "<html></html>", "<opml><item><enclosure url='a.mp3'/></item></opml>"] {
        assert!(lines(&with_feed(body)).is_empty(), "{body}");
    }
    let mut missing = with_feed("<rss><item><enclosure url='a.mp3'/></item></rss>");
    missing.resources.insert(FEED.to_owned(), Resource { status: 404, ..missing.resources[FEED].clone() });
    assert!(lines(&missing).is_empty());
}

#[test]
fn relative_enclosures_are_resolved_against_the_feed() {
    let mut page = with_feed("<rss><item><enclosure url='a.mp3'/></item></rss>");
    page.resources.get_mut(FEED).unwrap().url = "https://feeds.test/show/rss".to_owned();
    assert_eq!(lines(&page), ["enclosure https://feeds.test/show/a.mp3"]);
}

#[test]
fn feeds_beyond_the_fifth_are_not_read() {
    let links: String = (0..20).map(|n| format!("<link rel=alternate type=application/atom+xml href=/{n}>")).collect();
    let mut page = page(&links);
    assert_eq!(required_subresources(Audio, &page).len(), 5);
    for url in required_subresources(Audio, &page) {
        page = with_file(page, &url, "<feed/>");
    }
    assert!(required_subresources(Audio, &page).is_empty());
    assert_eq!(answer(Audio, &page)["truncated"], true, "the result lacks episodes of the other feeds");
    let links: String =
        (0..6).map(|n| format!("<link rel=alternate type=application/atom+xml href=/{}>", n % 5)).collect();
    assert!(answer(Audio, &crate::test_support::media_pages::page(&links)).get("truncated").is_none());
}

#[test]
fn alternates_of_other_types_are_not_read_as_feeds() {
    let html = "<link rel=alternate hreflang=de href=/de><link rel=alternate type=application/json href=/j><link rel=stylesheet type=application/rss+xml href=/x>";
    assert!(required_subresources(Audio, &page(html)).is_empty());
}

#[test]
fn feeds_without_type_are_recognized_by_url_and_text() {
    for (link, is_feed) in [
        ("<a href=/pod1.xml>RSS</a>", true),
        ("<a href=/show/feed/>Listen</a>", true),
        ("<a href=/shows/one.rss>Listen</a>", true),
        ("<a href=/podcast.xml?x=1>Listen</a>", true),
        ("<link rel=alternate type=text/xml href=/pod3>", true),
        ("<a href=/sitemap.xml>Sitemap</a>", false),
        ("<a href=/podcast>Podcast</a>", false),
        ("<a href=/feed type=text/html>Feed</a>", false),
        ("<a href=mailto:feed>Feed</a>", false),
        ("<link rel=preload type=text/xml href=/pod3>", false),
    ] {
        assert_eq!(!required_subresources(Audio, &page(link)).is_empty(), is_feed, "{link}");
    }
    let both = page(&format!("<a href=/rss>RSS</a>{FEED_LINK}"));
    assert_eq!(required_subresources(Audio, &both)[0], FEED, "declared feeds come first");
}

#[test]
fn duplicate_audio_is_one_item() {
    let html = format!("{FEED_LINK}<a href=/1.mp3 title=Link>x</a><audio src=/1.mp3></audio>");
    let page =
        with_file(page(&html), FEED, "<rss><item><title>T</title><enclosure url='/1.mp3' length='7'/></item></rss>");
    let expected = json!({ "url": "https://www.site.test/1.mp3", "source": "audio", "sources": ["audio", "enclosure", "link"],
        "type": "audio/mpeg", "title": "Link", "length": 7, "feed": FEED });
    assert_eq!(items(Audio, &page), [expected]);
}

#[test]
fn page_that_is_an_audio_file_lists_itself() {
    let sound = PageSnapshot { html: String::new(), content_type: "audio/mpeg".to_owned(), ..page("") };
    assert_eq!(items(Audio, &sound), [json!({ "url": PAGE, "source": "file", "type": "audio/mpeg" })]);
}

#[test]
fn audio_result_has_the_documented_shape() {
    let html = "<audio src=a.mp3 title=Song></audio><iframe src=https://open.spotify.com/embed/track/11dF></iframe>";
    insta::assert_json_snapshot!(answer(Audio, &page(html)));
}

#[test]
fn all_files_of_an_audio_object_are_listed() {
    let html = "<script type=application/ld+json>{\"@type\":\"AudioObject\",\"name\":\"A\",\"contentUrl\":[\"/a.mp3\",\"/a.ogg\"]}</script>";
    let file = |name: &str, media_type: &str| json!({ "url": format!("https://www.site.test/{name}"), "source": "jsonld", "type": media_type, "title": "A" });
    assert_eq!(json!(items(Audio, &page(html))), json!([file("a.mp3", "audio/mpeg"), file("a.ogg", "audio/ogg")]));
}

#[test]
fn long_feeds_are_listed_and_endless_ones_truncate_the_result() {
    for (episodes, count, truncated) in [(3_000, 3_000, json!(null)), (21_000, 20_000, json!(true))] {
        let items: String = (0..episodes).map(|n| format!("<item><enclosure url='/{n}.mp3'/></item>")).collect();
        let result = answer(Audio, &with_feed(&format!("<rss>{items}")));
        assert_eq!((&result["count"], &result["truncated"]), (&json!(count), &truncated));
    }
}

proptest! {
    #[test]
    fn arbitrary_pages_do_not_panic_the_audio_reader(value in ".{0,80}", element in "(audio|source|iframe|a|link|meta|div)") {
        item_lines(&format!("<audio><{element} src=\"{value}\" href=\"{value}\" data-x=\"a.mp3{value}\" content='{value}' property=og:audio>"));
        lines(&with_feed(&format!("<rss><item>{value}<enclosure url='{value}'/></item></rss>")));
    }
}

#[test]
fn declared_entities_do_not_hide_a_feed() {
    let feed = "<!DOCTYPE x [<!ENTITY nbsp '&#160;'>]><rss><item><enclosure url='a.mp3'/></item></rss>";
    assert_eq!(lines(&with_feed(feed)).len(), 1);
}

#[test]
fn frames_and_scripts_of_players_are_found() {
    for (html, expected) in [
        (
            "<iframe src=https://www.buzzsprout.com/1/22-title?client_source=small></iframe>",
            "link https://www.buzzsprout.com/1/22-title?client_source=small",
        ),
        (
            "<iframe src=https://www.podbean.com/player-v2/?i=abc-1-pb></iframe>",
            "link https://www.podbean.com/player-v2/?i=abc-1-pb",
        ),
        (
            "<iframe data-lazy-src=https://embed.acast.com/show/episode></iframe>",
            "link https://embed.acast.com/show/episode",
        ),
        (
            "<iframe src=https://omny.fm/shows/show/episode/embed></iframe>",
            "link https://omny.fm/shows/show/episode/embed",
        ),
        (
            "<iframe src=https://cast.someone.test/embed/episode/1></iframe>",
            "link https://cast.someone.test/embed/episode/1",
        ),
        ("<iframe srcdoc=\"<audio src='/a b.mp3'></audio>\"></iframe>", "audio https://www.site.test/a%20b.mp3"),
        ("<script>new Howl({src: ['/a.mp3'], html5: true})</script>", "audio https://www.site.test/a.mp3"),
        (
            "<div data-track='{\"file\":\"Track 01.mp3\",\"title\":\"x.mp3\"}'></div>",
            "audio https://www.site.test/dir/Track%2001.mp3",
        ),
    ] {
        assert_eq!(lines(&page(html)), [expected], "{html}");
    }
}
