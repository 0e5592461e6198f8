//! Tests of URLs of profiles, platform by platform.

use super::*;
use std::collections::BTreeSet;

fn parse_profile(address: &str) -> Option<(String, String, Option<String>)> {
    let profile = profile(&Url::parse(address).unwrap(), Fediverse::Unknown)?;
    Some((profile.slug.to_owned(), profile.url, profile.handle))
}

#[test]
fn profile_urls_are_normalized() {
    for (address, slug, url, handle) in [
        ("https://twitter.com/CouchDB?ref=x", "x", "https://x.com/CouchDB", "CouchDB"),
        ("http://www.facebook.com/acme/", "facebook", "https://www.facebook.com/acme", "acme"),
        (
            "https://www.facebook.com/profile.php?id=42&x=1",
            "facebook",
            "https://www.facebook.com/profile.php?id=42",
            "42",
        ),
        ("https://es-la.facebook.com/pg/acme/services/", "facebook", "https://es-la.facebook.com/acme", "acme"),
        ("https://web.facebook.com/acme", "facebook", "https://web.facebook.com/acme", "acme"),
        (
            "https://tr-tr.facebook.com/profile.php?id=42",
            "facebook",
            "https://tr-tr.facebook.com/profile.php?id=42",
            "42",
        ),
        ("https://mobile.twitter.com/acme", "x", "https://x.com/acme", "acme"),
        ("https://fb.com/acme", "facebook", "https://fb.com/acme", "acme"),
        ("https://www.facebook.com/groups/acme", "facebook", "https://www.facebook.com/groups/acme", "acme"),
        ("https://de.linkedin.com/company/acme", "linkedin", "https://de.linkedin.com/company/acme", "acme"),
        ("https://m.facebook.com/acme", "facebook", "https://www.facebook.com/acme", "acme"),
        ("https://www.linkedin.com/company-beta/acme/", "linkedin", "https://www.linkedin.com/company/acme", "acme"),
        ("https://www.linkedin.com/company/acme/posts/", "linkedin", "https://www.linkedin.com/company/acme", "acme"),
        ("https://www.youtube.com/@acme/videos", "youtube", "https://www.youtube.com/@acme", "acme"),
        ("https://youtube.com/channel/UC123", "youtube", "https://www.youtube.com/channel/UC123", "UC123"),
        ("https://github.com/apache/couchdb", "github", "https://github.com/apache/couchdb", "apache/couchdb"),
        ("https://www.github.com/acme?ref=y#z", "github", "https://github.com/acme", "acme"),
        ("https://github.com/orgs/acme", "github", "https://github.com/orgs/acme", "acme"),
        ("https://t.me/s/acme", "telegram", "https://t.me/s/acme", "acme"),
        ("https://www.tiktok.com/@acme", "tiktok", "https://www.tiktok.com/@acme", "acme"),
        ("https://bsky.app/profile/acme.dev", "bluesky", "https://bsky.app/profile/acme.dev", "acme.dev"),
        ("https://acme.medium.com/", "medium", "https://acme.medium.com/", "acme"),
        ("https://medium.com/@acme", "medium", "https://medium.com/@acme", "acme"),
        ("https://fosstodon.org/@acme", "mastodon", "https://fosstodon.org/@acme", "acme@fosstodon.org"),
        ("https://acme.substack.com/about", "substack", "https://acme.substack.com/", "acme"),
        ("https://www.reddit.com/r/acme/", "reddit", "https://www.reddit.com/r/acme", "acme"),
        ("https://wa.me/4915112345", "whatsapp", "https://wa.me/4915112345", "4915112345"),
        (
            "https://facebook.com/pages/Acme-Lamps/123456?ref=x",
            "facebook",
            "https://www.facebook.com/pages/Acme-Lamps/123456",
            "Acme-Lamps",
        ),
        (
            "https://www.facebook.com/people/Acme/1000123/",
            "facebook",
            "https://www.facebook.com/people/Acme/1000123",
            "Acme",
        ),
        ("https://instagram.com/acme.lamps/?hl=en", "instagram", "https://www.instagram.com/acme.lamps", "acme.lamps"),
        ("https://www.threads.com/@acme", "threads", "https://www.threads.com/@acme", "acme"),
        ("https://gitlab.com/acme/lamps", "gitlab", "https://gitlab.com/acme/lamps", "acme/lamps"),
        ("https://codeberg.org/acme", "codeberg", "https://codeberg.org/acme", "acme"),
        ("https://www.pinterest.de/acme/_created/", "pinterest", "https://www.pinterest.de/acme", "acme"),
        ("https://www.snapchat.com/add/acme", "snapchat", "https://www.snapchat.com/add/acme", "acme"),
        ("https://dev.to/acme", "dev", "https://dev.to/acme", "acme"),
        ("https://dribbble.com/acme", "dribbble", "https://dribbble.com/acme", "acme"),
        ("https://www.behance.net/acme", "behance", "https://www.behance.net/acme", "acme"),
        ("https://www.figma.com/@acme", "figma", "https://www.figma.com/@acme", "acme"),
        ("https://vimeo.com/acme", "vimeo", "https://vimeo.com/acme", "acme"),
        ("https://www.twitch.tv/acme", "twitch", "https://www.twitch.tv/acme", "acme"),
        ("https://soundcloud.com/acme/tracks", "soundcloud", "https://soundcloud.com/acme", "acme"),
        ("https://open.spotify.com/show/4rOo?si=1", "spotify", "https://open.spotify.com/show/4rOo", "4rOo"),
        ("https://acme.bandcamp.com/album/x", "bandcamp", "https://acme.bandcamp.com/", "acme"),
        ("https://www.flickr.com/photos/acme/", "flickr", "https://www.flickr.com/photos/acme", "acme"),
        ("https://acme.tumblr.com", "tumblr", "https://acme.tumblr.com/", "acme"),
        (
            "https://www.producthunt.com/products/acme",
            "producthunt",
            "https://www.producthunt.com/products/acme",
            "acme",
        ),
        ("https://www.patreon.com/acme", "patreon", "https://www.patreon.com/acme", "acme"),
        ("https://ko-fi.com/acme", "ko-fi", "https://ko-fi.com/acme", "acme"),
        ("https://opencollective.com/acme", "opencollective", "https://opencollective.com/acme", "acme"),
        ("https://www.npmjs.com/~acme", "npm", "https://www.npmjs.com/~acme", "acme"),
        ("https://hub.docker.com/r/acme/lamps", "docker-hub", "https://hub.docker.com/r/acme/lamps", "acme/lamps"),
        ("https://open.spotify.com/intl-de/artist/4rOo", "spotify", "https://open.spotify.com/artist/4rOo", "4rOo"),
        ("https://huggingface.co/acme", "huggingface", "https://huggingface.co/acme", "acme"),
        (
            "https://orcid.org/0000-0001-2345-6789",
            "orcid",
            "https://orcid.org/0000-0001-2345-6789",
            "0000-0001-2345-6789",
        ),
        ("https://www.meetup.com/de-DE/acme-berlin/", "meetup", "https://www.meetup.com/acme-berlin", "acme-berlin"),
        ("https://vk.com/acme", "vk", "https://vk.com/acme", "acme"),
        ("https://weibo.com/u/123456", "weibo", "https://weibo.com/u/123456", "123456"),
        ("https://space.bilibili.com/123", "bilibili", "https://space.bilibili.com/123", "123"),
        ("https://lin.ee/AbC", "line", "https://lin.ee/AbC", "AbC"),
        ("https://www.xing.com/pages/acme", "xing", "https://www.xing.com/pages/acme", "acme"),
        ("https://linktr.ee/acme", "linktree", "https://linktr.ee/acme", "acme"),
        ("https://www.yelp.com/biz/acme-lamps", "yelp", "https://www.yelp.com/biz/acme-lamps", "acme-lamps"),
        ("https://www.etsy.com/shop/AcmeLamps?ref=x", "etsy", "https://www.etsy.com/shop/AcmeLamps", "AcmeLamps"),
        ("https://note.com/acme", "note", "https://note.com/acme", "acme"),
        (
            "https://www.crunchbase.com/organization/acme",
            "crunchbase",
            "https://www.crunchbase.com/organization/acme",
            "acme",
        ),
    ] {
        assert_eq!(
            parse_profile(address),
            Some((slug.to_owned(), url.to_owned(), Some(handle.to_owned()))),
            "{address}"
        );
    }
}

#[test]
fn links_through_any_host_lead_to_one_profile() {
    for addresses in [
        ["https://www.facebook.com/acme", "https://web.facebook.com/Acme/", "https://tr-tr.facebook.com/pg/acme"],
        ["https://x.com/acme", "https://mobile.twitter.com/acme", "https://twitter.com/intent/user?screen_name=Acme"],
        ["https://www.pinterest.com/acme", "https://pinterest.de/acme", "https://br.pinterest.com/acme"],
        ["https://houzz.de/pro/acme", "https://www.houzz.de/pro/acme", "https://m.houzz.de/pro/Acme"],
    ] {
        let identities: BTreeSet<String> = addresses
            .iter()
            .map(|address| profile(&Url::parse(address).unwrap(), Fediverse::Unknown).unwrap().identity)
            .collect();
        assert_eq!(identities.len(), 1, "{identities:?}");
    }
}

#[test]
fn sign_in_dialogs_lead_to_their_profile() {
    for (address, slug, url, handle) in [
        (
            "https://twitter.com/intent/follow?screen_name=HarbourWorks",
            "x",
            "https://x.com/HarbourWorks",
            Some("HarbourWorks"),
        ),
        ("https://x.com/intent/user?ref=a&screen_name=@acme", "x", "https://x.com/acme", Some("acme")),
        ("https://www.facebook.com/share/1AbCdEfGhI/", "facebook", "https://www.facebook.com/share/1AbCdEfGhI", None),
    ] {
        let expected = (slug.to_owned(), url.to_owned(), handle.map(str::to_owned));
        assert_eq!(parse_profile(address), Some(expected), "{address}");
    }
    for address in [
        "https://x.com/intent/follow",
        "https://x.com/intent/follow?screen_name=a/b",
        "https://x.com/intent/post?screen_name=acme",
        "https://www.facebook.com/share/p/1AbCdEfGhI/",
        "https://www.facebook.com/share?u=https://a.test",
    ] {
        assert_eq!(parse_profile(address), None, "{address}");
    }
}

#[test]
fn invitations_have_no_handle() {
    for address in
        ["https://discord.gg/abc", "https://discord.com/invite/abc", "https://t.me/+AbC", "https://t.me/joinchat/AbC"]
    {
        let profile = profile(&Url::parse(address).unwrap(), Fediverse::Unknown).unwrap();
        assert_eq!((profile.url.as_str(), profile.handle, profile.is_invitation), (address, None, true));
    }
}

#[test]
fn share_links_and_pages_of_platforms_are_not_profiles() {
    for address in [
        "https://twitter.com/intent/tweet?url=x",
        "https://twitter.com/share",
        "https://twitter.com/acme/status/1",
        "https://twitter.com/",
        "https://www.facebook.com/sharer/sharer.php?u=x",
        "https://www.facebook.com/dialog/share",
        "https://www.linkedin.com/shareArticle?url=x",
        "https://www.linkedin.com/sharing/share-offsite/?url=x",
        "https://www.youtube.com/watch?v=1",
        "https://youtu.be/1",
        "https://www.instagram.com/p/abc/",
        "https://pinterest.com/pin/create/button/?url=x",
        "https://www.reddit.com/submit?url=x",
        "https://t.me/share/url?url=x",
        "https://wa.me/?text=x",
        "https://api.whatsapp.com/send?text=x",
        "https://github.com/acme/app/issues",
        "https://github.com/acme/app/blob/main/README.md",
        "https://github.com/features",
        "https://pages.github.com/",
        "https://discord.com/partners",
        "https://www.whatsapp.com/security",
        "https://slack.com/",
        "https://www.tumblr.com/share/link?url=x",
        "https://vk.com/share.php?url=x",
        "https://example.com/@acme",
        "https://mastodon.social/share?text=x",
        "mailto:acme@example.com",
    ] {
        assert_eq!(parse_profile(address), None, "{address}");
    }
}

#[test]
fn profiles_on_unknown_servers_need_a_declaration_of_the_page() {
    let url = Url::parse("https://social.acme.example/@acme").unwrap();
    assert_eq!(profile(&url, Fediverse::Unknown), None);
    assert_eq!(profile(&url, Fediverse::Declared).unwrap().handle.as_deref(), Some("acme@social.acme.example"));
}

#[test]
fn rows_are_distinct_and_readable() {
    let slugs: BTreeSet<&str> = PLATFORMS.iter().map(|platform| platform.slug).collect();
    assert_eq!(slugs.len(), PLATFORMS.len());
    assert!(slugs.len() >= 60);
    for platform in PLATFORMS {
        for pattern in platform.patterns {
            assert_eq!(pattern.matches("{}").count().clamp(1, 2), pattern.matches("{}").count(), "{pattern}");
        }
        assert!(platform.hosts.iter().all(|host| !host.starts_with("www.")), "{}", platform.slug);
    }
}
