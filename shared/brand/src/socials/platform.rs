//! Platforms and the URL patterns of their profiles.
//!
//! A pattern is a path: `{}` stands for the handle, which may have a prefix (`@{}`), `*` for a required segment.
//! `old = new` gives the path under which the profile is today. `host|path` is limited to one of the hosts; `{}.` means that the handle is the first label of the host. Segments
//! after the matched ones (`/posts`, `/videos`) are not part of the profile and are dropped, unless the platform's row
//! excludes such paths.

use url::Url;

/// A platform.
pub(super) struct Platform {
    pub(super) slug: &'static str,
    /// Hosts without a prefix for a device, country or language.
    hosts: &'static [&'static str],
    /// The host of the platform; empty if profiles have several.
    canonical: &'static str,
    patterns: &'static [&'static str],
    /// First segments (or handles) that are not profiles: share dialogs, the platform's own pages.
    reserved: &'static [&'static [&'static str]],
    /// True if a URL with more segments than the pattern is not a profile.
    is_exact: bool,
}

/// A parsed profile URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Profile {
    pub(super) slug: &'static str,
    /// The URL, with the host of the link.
    pub(super) url: String,
    /// The URL with the platform's host, in lower case: the same for all links to the profile.
    pub(super) identity: String,
    pub(super) handle: Option<String>,
    /// True for a URL that invites people, as opposed to one that names a profile.
    pub(super) is_invitation: bool,
}

impl Profile {
    /// Returns true if the URL says that it is a person's profile.
    pub(super) fn is_person(&self) -> bool {
        self.slug == "linkedin" && ["/in/", "/pub/"].iter().any(|path| self.url.contains(path))
    }
}

macro_rules! platforms {
    ($($slug:literal: $hosts:expr, $canonical:literal, $patterns:expr $(, not $reserved:expr)? $(; exact $exact:literal)?;)*) => {
        &[$(Platform {
            slug: $slug,
            hosts: &$hosts,
            canonical: $canonical,
            patterns: &$patterns,
            reserved: &[$(&$reserved as &[&str])?],
            is_exact: false $(|| $exact)?,
        }),*]
    };
}

const PLATFORMS: &[Platform] = platforms! {
    "x": ["x.com", "twitter.com"], "x.com", ["{}"],
        not ["share", "intent", "home", "search", "hashtag", "i", "login", "signup", "explore", "settings", "privacy", "tos", "about",
             "widgets", "statuses", "messages", "download"]; exact true;
    "facebook": ["facebook.com", "fb.com", "web.facebook.com", "business.facebook.com"], "www.facebook.com",
        ["groups/{}", "pg/{} = {}", "pages/category/*/{}", "pages/{}/*", "pages/{}", "people/{}/*", "people/{}", "p/{}", "{}"],
        not ["sharer", "sharer.php", "share.php", "share", "dialog", "plugins", "login", "login.php", "tr", "policies", "help", "hashtag",
             "events", "watch", "photo.php", "photo", "story.php", "l.php", "privacy", "legal", "settings", "marketplace", "posts",
             "permalink.php", "business", "docs", "media"];
    "instagram": ["instagram.com"], "www.instagram.com", ["{}"],
        not ["p", "reel", "reels", "explore", "accounts", "stories", "tv", "about", "legal", "developer", "share"];
    "threads": ["threads.net", "threads.com"], "www.threads.net", ["@{}"];
    "linkedin": ["linkedin.com"], "www.linkedin.com",
        ["company/{}", "company-beta/{} = company/{}", "in/{}", "school/{}", "showcase/{}", "groups/{}", "pub/{}"];
    "youtube": ["youtube.com"], "www.youtube.com", ["@{}", "channel/{}", "c/{}", "user/{}", "{}"],
        not ["watch", "playlist", "embed", "shorts", "feed", "results", "live", "t", "about", "premium", "redirect", "hashtag", "clip",
             "howyoutubeworks", "iframe_api", "oembed", "ads", "creators", "player_api", "attribution_link", "post", "v"];
    "github": ["github.com"], "github.com", ["orgs/{}", "{}/{}", "{}"],
        not ["features", "about", "pricing", "login", "join", "marketplace", "explore", "topics", "sponsors", "settings", "site", "security",
             "contact", "enterprise", "collections", "trending", "notifications", "search", "readme", "customer-stories", "apps", "new",
             "solutions", "resources", "copilot", "team", "codespaces", "actions", "signup", "events", "users"]; exact true;
    "gitlab": ["gitlab.com"], "gitlab.com", ["{}/{}", "{}"],
        not ["users", "explore", "help", "pricing", "search", "dashboard", "-"]; exact true;
    "bitbucket": ["bitbucket.org"], "bitbucket.org", ["{}/{}", "{}"], not ["product", "account", "repo"]; exact true;
    "codeberg": ["codeberg.org"], "codeberg.org", ["{}/{}", "{}"], not ["explore", "user"]; exact true;
    "sourceforge": ["sourceforge.net"], "sourceforge.net", ["projects/{}", "p/{}"];
    "tiktok": ["tiktok.com"], "www.tiktok.com", ["@{}"];
    "pinterest": ["pinterest.com", "pinterest.co.uk", "pinterest.de", "pinterest.fr", "pinterest.es", "pinterest.it", "pinterest.ca",
                  "pinterest.at", "pinterest.ch", "pinterest.se", "pinterest.jp", "pinterest.com.au", "pinterest.com.mx"],
        "www.pinterest.com", ["{}"],
        not ["pin", "search", "ideas", "business", "about", "login", "_", "password", "today"];
    "reddit": ["reddit.com", "old.reddit.com", "new.reddit.com"], "www.reddit.com", ["r/{}", "user/{}", "u/{}"];
    "discord": ["discord.gg", "discord.com", "discordapp.com"], "", ["invite/{}", "servers/{}", "discord.gg|{}"],
        not ["channels", "download", "login", "register", "users", "api", "oauth2", "nitro", "developers", "terms", "privacy", "blog",
             "safety", "company", "jobs", "branding", "moderation", "guidelines", "app", "invite", "servers", "community"];
    "slack": ["slack.com", "join.slack.com"], "", ["t/{}", "{}."],
        not ["intl", "features", "pricing", "help", "signin", "get-started", "downloads", "app", "api", "www", "join", "status"];
    "telegram": ["t.me", "telegram.me", "telegram.dog"], "t.me", ["s/{}", "joinchat/{}", "{}"],
        not ["share", "addstickers", "iv", "proxy", "socks", "login", "addtheme"];
    "whatsapp": ["wa.me", "whatsapp.com", "chat.whatsapp.com"], "", ["channel/{}", "message/{}", "wa.me|{}", "chat.whatsapp.com|{}"],
        not ["send", "share", "download", "legal", "business", "faq", "contact", "about", "features", "catalog"];
    "snapchat": ["snapchat.com"], "www.snapchat.com", ["add/{}", "@{}"];
    "bluesky": ["bsky.app"], "bsky.app", ["profile/{}"];
    "medium": ["medium.com"], "", ["@{}", "{}.", "{}"],
        not ["m", "tag", "search", "about", "policy", "membership", "new-story", "p", "me", "plans", "jobs-at-medium", "share"];
    "substack": ["substack.com"], "", ["@{}", "{}."], not ["www", "support", "open", "on"];
    "dev": ["dev.to"], "dev.to", ["{}"], not ["t", "about", "enter", "search", "settings", "new", "faq", "privacy", "terms"];
    "hashnode": ["hashnode.com", "hashnode.dev"], "", ["@{}", "{}."], not ["www", "townhall"];
    "dribbble": ["dribbble.com"], "dribbble.com", ["{}"], not ["shots", "tags", "search", "jobs", "session", "signup", "designers"];
    "behance": ["behance.net"], "www.behance.net", ["{}"], not ["gallery", "search", "galleries", "joblist", "assets", "hire"];
    "figma": ["figma.com"], "www.figma.com", ["@{}"];
    "codepen": ["codepen.io"], "codepen.io", ["team/{}", "{}"],
        not ["pen", "search", "topics", "tag", "features", "trending", "spark", "accounts", "pens"]; exact true;
    "vimeo": ["vimeo.com"], "vimeo.com", ["channels/{}", "user/{}", "{}"],
        not ["share", "watch", "upgrade", "blog", "features", "help", "ott", "categories", "stock", "album", "showcase", "about", "terms"];
    "twitch": ["twitch.tv"], "www.twitch.tv", ["{}"],
        not ["videos", "directory", "p", "login", "signup", "downloads", "jobs", "turbo", "settings"];
    "kick": ["kick.com"], "kick.com", ["{}"], not ["categories", "browse", "video"];
    "soundcloud": ["soundcloud.com"], "soundcloud.com", ["{}"],
        not ["discover", "search", "stream", "upload", "pages", "you", "player", "terms-of-use"];
    "spotify": ["open.spotify.com"], "open.spotify.com", ["user/{}", "artist/{}", "show/{}"];
    "apple-podcasts": ["podcasts.apple.com"], "podcasts.apple.com", ["podcast/{}"];
    "bandcamp": ["bandcamp.com"], "", ["{}."], not ["www", "daily", "get"];
    "mixcloud": ["mixcloud.com"], "www.mixcloud.com", ["{}"], not ["discover", "search", "upload", "about"];
    "lastfm": ["last.fm"], "www.last.fm", ["user/{}", "group/{}"];
    "flickr": ["flickr.com"], "www.flickr.com", ["photos/{}", "people/{}", "groups/{}"], not ["tags"];
    "500px": ["500px.com"], "500px.com", ["p/{}"];
    "unsplash": ["unsplash.com"], "unsplash.com", ["@{}"];
    "deviantart": ["deviantart.com"], "www.deviantart.com", ["{}"], not ["tag", "search", "about", "join", "users"];
    "artstation": ["artstation.com"], "www.artstation.com", ["{}"], not ["artwork", "search", "marketplace", "jobs", "learning"];
    "tumblr": ["tumblr.com"], "", ["blog/{}", "{}.", "{}"],
        not ["share", "www", "login", "register", "search", "tagged", "widgets", "explore", "about", "policy", "assets", "dashboard"];
    "quora": ["quora.com"], "www.quora.com", ["profile/{}", "topic/{}"];
    "stackoverflow": ["stackoverflow.com"], "stackoverflow.com", ["users/{}", "teams/{}", "c/{}"];
    "producthunt": ["producthunt.com"], "www.producthunt.com", ["products/{}", "posts/{}", "@{}"];
    "indiehackers": ["indiehackers.com"], "www.indiehackers.com", ["product/{}", "group/{}"];
    "patreon": ["patreon.com"], "www.patreon.com", ["c/{}", "{}"],
        not ["login", "about", "posts", "join", "explore", "policy", "signup", "bepatron", "creators", "product"];
    "ko-fi": ["ko-fi.com"], "ko-fi.com", ["{}"], not ["s", "post", "home", "about", "explore", "shop"];
    "buymeacoffee": ["buymeacoffee.com", "coff.ee"], "www.buymeacoffee.com", ["{}"], not ["about", "explore-creators", "login"];
    "opencollective": ["opencollective.com"], "opencollective.com", ["{}"], not ["discover", "create", "help", "search", "signin"];
    "liberapay": ["liberapay.com"], "liberapay.com", ["{}"], not ["about", "explore", "sign-up"];
    "npm": ["npmjs.com"], "www.npmjs.com", ["~{}", "org/{}"];
    "docker-hub": ["hub.docker.com"], "hub.docker.com", ["u/{}", "r/{}/{}", "r/{}", "orgs/{}"];
    "huggingface": ["huggingface.co"], "huggingface.co", ["{}"],
        not ["models", "datasets", "spaces", "docs", "pricing", "blog", "join", "login", "papers", "tasks", "chat", "collections"];
    "kaggle": ["kaggle.com"], "www.kaggle.com", ["{}"],
        not ["datasets", "code", "competitions", "models", "learn", "discussions", "c", "docs", "search", "account", "work"];
    "orcid": ["orcid.org"], "orcid.org", ["{}"], not ["signin", "register", "about"];
    "researchgate": ["researchgate.net"], "www.researchgate.net", ["profile/{}", "institution/{}"];
    "goodreads": ["goodreads.com"], "www.goodreads.com", ["user/show/{}", "author/show/{}"];
    "letterboxd": ["letterboxd.com"], "letterboxd.com", ["{}"], not ["film", "films", "lists", "members", "journal", "about"];
    "strava": ["strava.com"], "www.strava.com", ["clubs/{}", "athletes/{}"];
    "steam": ["steamcommunity.com"], "steamcommunity.com", ["groups/{}", "id/{}", "profiles/{}"];
    "itch": ["itch.io"], "", ["{}."], not ["www"];
    "meetup": ["meetup.com"], "www.meetup.com", ["pro/{}", "{}"],
        not ["find", "about", "topics", "login", "register", "apps", "cities", "blog", "help", "media"];
    "vk": ["vk.com"], "vk.com", ["{}"], not ["share.php", "share", "about", "login", "feed", "video", "wall", "away.php", "js"];
    "ok": ["ok.ru"], "ok.ru", ["group/{}", "profile/{}", "{}"], not ["dk", "offer", "video", "live"];
    "weibo": ["weibo.com", "m.weibo.cn"], "weibo.com", ["u/{}", "p/{}", "{}"], not ["share", "login", "signup", "tv"];
    "bilibili": ["space.bilibili.com"], "space.bilibili.com", ["{}"];
    "zhihu": ["zhihu.com"], "www.zhihu.com", ["people/{}", "org/{}", "column/{}"];
    "douyin": ["douyin.com"], "www.douyin.com", ["user/{}"];
    "xiaohongshu": ["xiaohongshu.com"], "www.xiaohongshu.com", ["user/profile/{}"];
    "line": ["line.me", "lin.ee", "page.line.me"], "", ["R/ti/p/{}", "ti/p/{}", "lin.ee|{}", "page.line.me|{}"], not ["en", "lineit", "share"];
    "kakao": ["pf.kakao.com", "story.kakao.com"], "", ["{}"], not ["share"];
    "xing": ["xing.com"], "www.xing.com", ["pages/{}", "companies/{}", "company/{}", "profile/{}"];
    "rumble": ["rumble.com"], "rumble.com", ["c/{}", "user/{}"];
    "odysee": ["odysee.com"], "odysee.com", ["@{}"];
    "crunchbase": ["crunchbase.com"], "www.crunchbase.com", ["organization/{}", "person/{}"];
    "glassdoor": ["glassdoor.com", "glassdoor.de", "glassdoor.co.uk"], "", ["Overview/{}"];
    "linktree": ["linktr.ee"], "linktr.ee", ["{}"], not ["s", "login", "register", "marketplace"];
    "gumroad": ["gumroad.com"], "", ["{}."], not ["www", "app", "discover", "help"];
    "etsy": ["etsy.com"], "www.etsy.com", ["shop/{}"];
    "tripadvisor": ["tripadvisor.com"], "www.tripadvisor.com", ["members/{}", "profile/{}"];
    "note": ["note.com"], "note.com", ["{}"], not ["n", "topic", "search", "login", "signup", "hashtag", "ranking"];
    "wellfound": ["wellfound.com", "angel.co"], "wellfound.com", ["company/{}", "u/{}"];
    "houzz": ["houzz.com", "houzz.de", "houzz.co.uk"], "", ["professionals/*/{}", "pro/{}", "user/{}"];
    "yelp": ["yelp.com"], "www.yelp.com", ["biz/{}"];
};

/// Fediverse servers with `@name` profiles. Other servers are recognised by the page's link.
const MASTODON: &[&str] = &[
    "mastodon.social",
    "mastodon.online",
    "fosstodon.org",
    "hachyderm.io",
    "mas.to",
    "mstdn.social",
    "infosec.exchange",
    "techhub.social",
    "indieweb.social",
    "mastodon.world",
    "chaos.social",
    "social.coop",
    "ruby.social",
    "phpc.social",
    "toot.cafe",
    "front-end.social",
    "floss.social",
    "mathstodon.xyz",
    "universeodon.com",
    "c.im",
    "toot.community",
    "masto.ai",
    "me.dm",
    "mstdn.jp",
    "pawoo.net",
    "social.lol",
    "ohai.social",
    "newsie.social",
    "journa.host",
    "mastodon.art",
    "mastodon.green",
    "mastodon.scot",
    "mastodon.nl",
    "mastodon.ie",
    "mastodonapp.uk",
    "mozilla.social",
    "vivaldi.social",
    "social.network.europa.eu",
    "elk.zone",
    "sigmoid.social",
    "genomic.social",
    "tech.lgbt",
    "types.pl",
    "functional.cafe",
];

/// The page's statement about a link's target, if the URL does not identify it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fediverse {
    /// The page declares it as its profile or names the network.
    Declared,
    /// Unknown: only the listed servers count.
    Unknown,
}

/// Returns the profile of a URL; `None` for other URLs.
pub(super) fn profile(url: &Url, fediverse: Fediverse) -> Option<Profile> {
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    let host = LinkHost::from_url(url)?;
    let segments: Vec<&str> = url.path_segments()?.filter(|segment| !segment.is_empty()).take(8).collect();
    let known = PLATFORMS.iter().find_map(|platform| platform.profile(host, &segments, url));
    known.or_else(|| mastodon(host.plain, &segments, fediverse))
}

/// The host of a link to a platform.
#[derive(Debug, Clone, Copy)]
struct LinkHost<'u> {
    /// The host as the link has it, except for devices (`m.`, `mobile.`).
    written: &'u str,
    /// The host without a prefix for a device, country or language (`www.`, `m.`, `de.`, `es-la.`).
    plain: &'u str,
}

impl<'u> LinkHost<'u> {
    fn from_url(url: &'u Url) -> Option<Self> {
        let written = url.host_str()?;
        let host = written.strip_prefix("www.").unwrap_or(written);
        let is_known = |host: &str| PLATFORMS.iter().any(|platform| platform.hosts.contains(&host));
        Some(match host.split_once('.').filter(|(_, rest)| is_known(rest)) {
            Some(("m" | "mobile", rest)) => Self { written: rest, plain: rest },
            Some((first, rest)) if first.len() <= 2 || is_locale(first) => Self { written, plain: rest },
            _ => Self { written, plain: host },
        })
    }
}

fn mastodon(host: &str, segments: &[&str], fediverse: Fediverse) -> Option<Profile> {
    let [name] = segments else { return None };
    let handle = name.strip_prefix('@').filter(|handle| is_handle(handle))?;
    let is_known = MASTODON.contains(&host) || host.starts_with("mastodon.") || host.starts_with("mstdn.");
    if !is_known && fediverse == Fediverse::Unknown {
        return None;
    }
    let address = if handle.contains('@') { handle.to_owned() } else { format!("{handle}@{host}") };
    let url = format!("https://{host}/{name}");
    Some(Profile { slug: "mastodon", identity: url.to_lowercase(), url, handle: Some(address), is_invitation: false })
}

/// Maximum length of a handle as a URL has it, in bytes.
const MAX_HANDLE_BYTES: usize = 400;

fn is_handle(text: &str) -> bool {
    // A letter of another script has six bytes or more in a URL.
    let length = text.split('%').skip(1).fold(text.len(), |length, _| length.saturating_sub(2));
    (1..=160).contains(&length) && text.len() <= MAX_HANDLE_BYTES && text.chars().any(char::is_alphanumeric)
}

impl Platform {
    fn profile(&self, host: LinkHost<'_>, segments: &[&str], url: &Url) -> Option<Profile> {
        if !self.hosts.contains(&host.plain) {
            return self.match_subdomain(host.plain);
        }
        let is_localised = LOCALISED.contains(&self.slug) && segments.len() > 1 && is_locale(segments[0]);
        let segments = if is_localised { &segments[1..] } else { segments };
        if self.slug == "facebook" && segments.first() == Some(&"profile.php") {
            let (_, id) = url.query_pairs().find(|(name, _)| name == "id")?;
            let id =
                Some(id.into_owned()).filter(|id| !id.is_empty() && id.chars().all(|digit| digit.is_ascii_digit()))?;
            let path = format!("profile.php?id={id}");
            return Some(self.profile_at(host, &path, Some(id), false));
        }
        if let Some(profile) = self.profile_in_dialog(host, segments, url) {
            return Some(profile);
        }
        if self.is_reserved(segments.first()?) && !self.patterns.iter().any(|pattern| starts_with(pattern, segments[0]))
        {
            return None;
        }
        self.patterns.iter().find_map(|pattern| self.matched(pattern, host, segments))
    }

    /// Returns the profile of a URL that leads to it through a page of the platform: the dialog that follows an account,
    /// and a link that an app made to share a page. The other dialogs share the page that links to them.
    fn profile_in_dialog(&self, host: LinkHost<'_>, segments: &[&str], url: &Url) -> Option<Profile> {
        match (self.slug, segments) {
            ("x", ["intent", "follow" | "user"]) => {
                let (_, name) = url.query_pairs().find(|(name, _)| name == "screen_name")?;
                let handle = name.trim_start_matches('@').to_owned();
                let is_name = is_handle(&handle) && handle.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_');
                is_name.then(|| self.profile_at(host, name.trim_start_matches('@'), Some(handle), false))
            }
            ("facebook", ["share", id]) => {
                let is_id = id.len() >= 8 && id.bytes().all(|letter| letter.is_ascii_alphanumeric());
                is_id.then(|| self.profile_at(host, &format!("share/{id}"), None, false))
            }
            _ => None,
        }
    }

    fn is_reserved(&self, word: &str) -> bool {
        self.reserved.iter().copied().flatten().any(|reserved| reserved.eq_ignore_ascii_case(word))
    }

    /// Returns the profile at a path. A link says which country or language of the platform it leads to, so its host stays.
    fn profile_at(&self, host: LinkHost<'_>, path: &str, handle: Option<String>, is_invitation: bool) -> Profile {
        let written = host.written.strip_prefix("www.").unwrap_or(host.written);
        let is_plain = self.canonical.strip_prefix("www.").unwrap_or(self.canonical) == written;
        let (shown, canonical) = match self.canonical {
            "" => (written, host.plain),
            canonical if is_plain || written == "twitter.com" || written.starts_with("m.") => (canonical, canonical),
            canonical => (host.written, canonical),
        };
        Profile {
            slug: self.slug,
            url: format!("https://{shown}/{path}"),
            identity: format!("https://{canonical}/{path}").to_lowercase(),
            handle,
            is_invitation,
        }
    }

    fn matched(&self, pattern: &str, host: LinkHost<'_>, segments: &[&str]) -> Option<Profile> {
        let (pattern, target) =
            pattern.split_once(" = ").map_or((pattern, None), |(pattern, target)| (pattern, Some(target)));
        let (only_on, path) = pattern.split_once('|').unwrap_or((host.plain, pattern));
        if only_on != host.plain {
            return None;
        }
        let wanted: Vec<&str> = path.split('/').filter(|part| !part.ends_with('.')).collect();
        let fits_length = if self.is_exact { wanted.len() == segments.len() } else { wanted.len() <= segments.len() };
        if wanted.is_empty() || !fits_length {
            return None;
        }
        let mut handles = Vec::new();
        for (part, segment) in wanted.iter().zip(segments) {
            match part.strip_suffix("{}") {
                Some(before) => {
                    let handle = segment.strip_prefix(before).filter(|handle| is_handle(handle))?;
                    handles.push(handle.trim_start_matches('@').to_owned());
                }
                None if *part == "*" || part.eq_ignore_ascii_case(segment) => {}
                None => return None,
            }
        }
        let is_fixed = !wanted[0].contains("{}");
        if !is_fixed && self.is_reserved(&handles[0]) {
            return None;
        }
        // Handles that look like file names are pages of the platform.
        if wanted.len() == 1 && [".php", ".html", ".js", ".png", ".svg"].iter().any(|end| segments[0].ends_with(end)) {
            return None;
        }
        let path = target
            .map_or_else(|| segments[..wanted.len()].join("/"), |target| target.replace("{}", &handles.join("/")));
        let is_invitation =
            matches!(self.slug, "discord" | "slack") || pattern.starts_with("joinchat") || handles[0].starts_with('+');
        let handle = (!is_invitation || self.slug == "slack").then(|| handles.join("/"));
        Some(self.profile_at(host, &path, handle, is_invitation))
    }

    /// Matches `name.medium.com`.
    fn match_subdomain(&self, host: &str) -> Option<Profile> {
        if !self.patterns.contains(&"{}.") {
            return None;
        }
        let parent = self.hosts.iter().find(|parent| host.len() > parent.len() + 1 && host.ends_with(**parent))?;
        let label = host[..host.len() - parent.len()].strip_suffix('.')?;
        let is_name = !label.contains('.') && is_handle(label) && !self.is_reserved(label);
        let url = format!("https://{host}/");
        is_name.then(|| Profile {
            slug: self.slug,
            identity: url.clone(),
            url,
            handle: Some(label.to_owned()),
            is_invitation: self.slug == "slack",
        })
    }
}

/// Platforms whose URLs may begin with a language.
const LOCALISED: &[&str] = &["meetup", "etsy", "spotify", "tripadvisor", "glassdoor", "houzz", "vimeo"];

/// Returns true for `de`, `de-DE`, `intl-de`.
fn is_locale(segment: &str) -> bool {
    let tag = segment.strip_prefix("intl-").unwrap_or(segment);
    let parts: Vec<&str> = tag.split(['-', '_']).collect();
    parts.len() <= 2 && parts.iter().all(|part| part.len() == 2 && part.chars().all(|c| c.is_ascii_alphabetic()))
}

/// Returns true if a pattern begins with this fixed segment.
fn starts_with(pattern: &str, segment: &str) -> bool {
    pattern.split('/').next().is_some_and(|first| first.eq_ignore_ascii_case(segment))
}

#[cfg(test)]
mod tests;
