//! Finds videos in elements: `video`, frames, player elements, links, and attributes from which
//! scripts create players.

use super::{is_sound, item};
use crate::media::dedup::Deduplicated;
use crate::media::media_element;
use crate::media::media_element::MediaElement;
use crate::media::{
    MediaKind, attribute_text, attribute_urls, format, named_players, player_frames, provider, script_players,
};
use limner_page::dom::Element;
use limner_page_view::PageView;
use limner_types::result::{VideoItem, VideoSource};
use std::ops::Deref;
use url::Url;

/// Attributes with the title of a video.
const TITLES: &[&str] = &["title", "aria-label", "data-title", "playlabel"];
/// Custom elements whose `src` is a video file or a provider's URL.
const PLAYER_ELEMENTS: &[&str] = &[
    "youtube-video",
    "vimeo-video",
    "hls-video",
    "dash-video",
    "mux-video",
    "media-player",
    "shaka-video",
    "wistia-video",
    "cloudflare-video",
    "jwplayer-video",
    "video-js",
    "amp-video",
    "amp-video-iframe",
    "amp-iframe",
];

pub(super) fn collect_elements(view: &PageView<'_>, found: &mut Deduplicated<VideoItem>) {
    media_element::visit_elements(view, |place| VideoReader(place).collect(found));
}

/// Finds the videos of one element.
struct VideoReader<'a>(&'a MediaElement<'a>);

impl<'a> Deref for VideoReader<'a> {
    type Target = MediaElement<'a>;

    fn deref(&self) -> &MediaElement<'a> {
        self.0
    }
}

impl VideoReader<'_> {
    fn collect(&self, found: &mut Deduplicated<VideoItem>) {
        match self.element.name() {
            "video" => self.file("src", VideoSource::Video, found),
            "source" if self.media_parent().is_some() => self.file("src", VideoSource::Source, found),
            "iframe" | "frame" | "embed" => self.frames("src", found),
            "object" => self.frames("data", found),
            "oembed" => self.oembed(found),
            "param" => self.param(found),
            "a" | "area" => self.link(found),
            "link" => self.link_element(found),
            "script" => {
                self.script(found);
                self.inline_script(found);
            }
            name if PLAYER_ELEMENTS.contains(&name) => self.player_element(found),
            _ => {}
        }
        self.ids(found);
        self.vide(found);
        self.data_attributes(found);
    }

    /// Returns the `video` that a `source` belongs to.
    fn media_parent(&self) -> Option<&Element> {
        self.media_ancestors()
            .find(|element| matches!(element.name(), "video" | "audio"))
            .filter(|element| element.is_html("video"))
    }

    /// Returns the element with size, poster and title.
    fn owner(&self) -> &Element {
        if self.element.is_html("source") { self.media_parent().unwrap_or(self.element) } else { self.element }
    }

    fn push(&self, mut item: VideoItem, found: &mut Deduplicated<VideoItem>) {
        let owner = self.owner();
        let pixels = |name: &str| owner.attr(name).and_then(attribute_text::pixels);
        let poster = ["poster", "data-poster", "data-poster-url"].iter().find_map(|name| owner.attr(name));
        let poster = poster.filter(|poster| !poster.trim().is_empty());
        item.poster =
            item.poster.or_else(|| poster.and_then(|poster| self.base.join(poster.trim()).ok()).map(String::from));
        (item.width, item.height) = (pixels("width"), pixels("height"));
        item.title = attribute_text::first_text_attribute(owner, TITLES);
        found.push(self.position, item);
    }

    /// Adds the file of a media element, which is a video unless its type or name is audio.
    fn file(&self, attribute: &str, source: VideoSource, found: &mut Deduplicated<VideoItem>) {
        let Some(url) = self.url(attribute) else { return };
        let declared = self.declared_type();
        let kind = declared.as_deref().and_then(MediaKind::from_media_type);
        if kind.unwrap_or(if is_sound_in_video(&url) { MediaKind::Audio } else { MediaKind::Video }) == MediaKind::Audio
        {
            return;
        }
        let mut item = item::file(url, source);
        item.media_type = declared.filter(|_| kind.is_some()).or(item.media_type);
        self.push(item, found);
    }

    fn frames(&self, attribute: &str, found: &mut Deduplicated<VideoItem>) {
        for url in self.frame_urls(attribute) {
            self.frame(url, found);
        }
    }

    fn frame(&self, url: Url, found: &mut Deduplicated<VideoItem>) {
        let declared = self.declared_kind();
        // In a frame, any page of a provider's player is a player, even if the ID has an unknown
        // format.
        let recognised = provider::recognise(&url);
        let is_unknown = recognised.is_none() && MediaKind::from_url(&url).is_none();
        let hosted = recognised.filter(|hosted| hosted.kind == MediaKind::Video);
        if MediaKind::from_url(&url) == Some(MediaKind::Video) || declared == Some(MediaKind::Video) {
            self.push(item::file(url, VideoSource::Embed), found);
        } else if let Some(hosted) = hosted {
            let mut item = item::hosted(hosted, Some(&url), VideoSource::Embed);
            // A page in a frame plays there.
            item.embed_url.get_or_insert_with(|| url.to_string());
            self.push(item, found);
        } else if is_unknown && player_frames::player_kind(self.element, &url) == Some(MediaKind::Video) {
            self.push(item::player(&url, VideoSource::Embed), found);
        }
    }

    /// Finds `<oembed url="…">`, which editors write for a video to be embedded.
    fn oembed(&self, found: &mut Deduplicated<VideoItem>) {
        let url = self.url("url");
        if let Some(item) = url.and_then(|url| item::classify(&url, VideoSource::Video, VideoSource::Embed)) {
            self.push(item, found);
        }
    }

    /// Finds `<object><param name="movie" value="…">`.
    fn param(&self, found: &mut Deduplicated<VideoItem>) {
        let names = ["movie", "src", "filename", "url"];
        let named = self.attr("name").is_some_and(|name| names.iter().any(|n| name.eq_ignore_ascii_case(n)));
        let url = self.url("value").filter(|_| named);
        if let Some(item) = url.and_then(|url| item::classify(&url, VideoSource::Embed, VideoSource::Embed)) {
            self.push(item, found);
        }
    }

    fn link(&self, found: &mut Deduplicated<VideoItem>) {
        let Some(url) = self.url("href") else { return };
        let declared =
            self.declared_type().filter(|declared| MediaKind::from_media_type(declared) == Some(MediaKind::Video));
        let item = match declared {
            Some(declared) => Some(VideoItem { media_type: Some(declared), ..item::file(url, VideoSource::Link) }),
            None => item::classify(&url, VideoSource::Link, VideoSource::Link),
        };
        if let Some(item) = item.filter(|item| item.provider.is_none() || !self.is_in_prose()) {
            self.push(item, found);
        }
    }

    fn link_element(&self, found: &mut Deduplicated<VideoItem>) {
        let has = |token: &str| self.element.attr_has_token("rel", token);
        let Some(url) = self.url("href") else { return };
        let declared =
            self.declared_type().filter(|declared| MediaKind::from_media_type(declared) == Some(MediaKind::Video));
        let is_named = MediaKind::from_url(&url) == Some(MediaKind::Video);
        let is_preload = has("preload") && self.attr("as").is_some_and(|kind| kind.eq_ignore_ascii_case("video"));
        let is_link = ["preload", "prefetch", "alternate", "enclosure", "video_src"].iter().any(|rel| has(rel));
        let source = match () {
            () if is_preload || (has("preload") && is_named) => VideoSource::Preload,
            () if is_link && (is_named || declared.is_some() || has("video_src")) => VideoSource::Link,
            () => return,
        };
        let mut item = item::classify(&url, source, source).unwrap_or_else(|| item::file(url, source));
        item.media_type = declared.or(item.media_type);
        found.push(self.position, item);
    }

    /// Finds the sources of players that an inline script creates.
    fn inline_script(&self, found: &mut Deduplicated<VideoItem>) {
        for hosted in script_players::hosted(self) {
            self.push(item::hosted(hosted, None, VideoSource::Embed), found);
        }
        let urls = script_players::sources(self).into_iter().filter_map(|source| self.absolute(&source));
        for item in urls.filter_map(|url| item::classify(&url, VideoSource::Video, VideoSource::Embed)) {
            found.push(self.position, item);
        }
    }

    /// Finds players that are included as a script (`cdn.jwplayer.com/players/ID-PLAYER.js`).
    fn script(&self, found: &mut Deduplicated<VideoItem>) {
        let Some(url) =
            self.attr("src").filter(|src| provider::may_contain_provider(src)).and_then(|_| self.url("src"))
        else {
            return;
        };
        let hosted =
            provider::recognise(&url).filter(|h| h.kind == MediaKind::Video && h.form == provider::UrlForm::Page);
        if let Some(hosted) = hosted.filter(|hosted| hosted.id.is_some()) {
            self.push(item::hosted(hosted, None, VideoSource::Embed), found);
        }
    }

    fn player_element(&self, found: &mut Deduplicated<VideoItem>) {
        if let Some(hosted) = self.vidstack() {
            return self.push(item::hosted(hosted, None, VideoSource::Embed), found);
        }
        let item = self.url("src").and_then(|url| item::classify(&url, VideoSource::Video, VideoSource::Embed));
        if let Some(item) = item {
            self.push(item, found);
        }
    }

    /// Finds `<media-player src="youtube/ID">`.
    fn vidstack(&self) -> Option<provider::ProviderMatch> {
        let (name, id) = self.attr("src").filter(|_| self.element.name() == "media-player")?.split_once('/')?;
        provider::from_named_provider(Some(name).filter(|name| matches!(*name, "youtube" | "vimeo"))?, id)
    }

    /// Finds IDs in attributes and classes.
    fn ids(&self, found: &mut Deduplicated<VideoItem>) {
        let by_attribute = self.element.attributes().iter().filter_map(|attribute| {
            provider::from_id_attribute(self.element.name(), &attribute.name.local, &attribute.value)
        });
        let known: Vec<provider::ProviderMatch> = by_attribute.chain(self.plyr()).chain(self.wistia()).collect();
        // A name and an ID in different attributes are a guess that nothing more precise may contradict.
        let named = named_players::named_player(self.element).filter(|_| known.is_empty());
        for hosted in known.into_iter().chain(named).filter(|hosted| hosted.kind == MediaKind::Video) {
            self.push(item::hosted(hosted, None, VideoSource::Embed), found);
        }
        if let Some(item) = self.brightcove() {
            self.push(item, found);
        }
    }

    /// Finds `data-plyr-provider="youtube" data-plyr-embed-id="…"`.
    fn plyr(&self) -> Option<provider::ProviderMatch> {
        provider::from_named_provider(self.attr("data-plyr-provider")?, self.attr("data-plyr-embed-id")?)
    }

    /// Finds `class="wistia_embed wistia_async_ID"`.
    fn wistia(&self) -> Option<provider::ProviderMatch> {
        let class = self.element.classes().iter().find_map(|class| class.strip_prefix("wistia_async_"))?;
        provider::from_named_provider("wistia", class)
    }

    /// Finds `<video-js data-account data-player data-video-id>` and `<amp-brightcove …>`.
    fn brightcove(&self) -> Option<VideoItem> {
        let (account, id) = (self.attr("data-account")?, self.attr("data-video-id")?);
        let player = self.attr("data-player").or_else(|| self.attr("data-player-id")).unwrap_or("default");
        let embed = self.attr("data-embed").unwrap_or("default");
        let url = format!("https://players.brightcove.net/{account}/{player}_{embed}/index.html?videoId={id}");
        let url = Url::parse(&url).ok()?;
        let hosted = provider::recognise(&url).filter(|hosted| hosted.id.is_some())?;
        Some(item::hosted(hosted, Some(&url), VideoSource::Embed))
    }

    /// Finds `data-vide-bg="mp4: path/film, poster: path/still"`, to which the script adds the
    /// extensions.
    fn vide(&self, found: &mut Deduplicated<VideoItem>) {
        let Some(value) = self.attr("data-vide-bg") else { return };
        for (label, path) in value.split(',').filter_map(|entry| entry.split_once(':')) {
            let (label, path) = (label.trim(), path.trim());
            let ends_alike = self.absolute(path).and_then(|url| MediaKind::from_url(&url)).is_some();
            if ends_alike || path.is_empty() || !matches!(label, "mp4" | "webm" | "ogv") {
                continue;
            }
            if let Some(url) = self.absolute(&format!("{path}.{label}")) {
                self.push(item::file(url, VideoSource::Video), found);
            }
        }
    }

    /// Finds background videos and lazy players: URLs in `data-` attributes that are video files or
    /// videos of a provider.
    fn data_attributes(&self, found: &mut Deduplicated<VideoItem>) {
        let file_source = if self.element.is_html("source") { VideoSource::Source } else { VideoSource::Video };
        for attribute in self.element.attributes() {
            let is_data = attribute.name.local.starts_with("data-");
            if !is_data
                || !(provider::may_contain_player(&attribute.value)
                    || format::contains_extension(&attribute.value, MediaKind::Video))
            {
                continue;
            }
            let urls = attribute_urls::addresses(&attribute.value).into_iter().filter_map(|a| self.absolute(&a));
            for item in urls.filter_map(|url| item::classify(&url, file_source, VideoSource::Embed)) {
                self.push(item, found);
            }
        }
    }
}

/// Returns true for an audio file in a `video` element; `.ogg` may be either and counts as video
/// there.
fn is_sound_in_video(url: &Url) -> bool {
    is_sound(url) && !format::extension(url).is_some_and(|extension| extension.eq_ignore_ascii_case("ogg"))
}
