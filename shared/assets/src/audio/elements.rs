//! Finds audio in elements: `audio`, frames of known players, links, and attributes from which
//! scripts create players.

use super::item;
use crate::media::dedup::Deduplicated;
use crate::media::media_element;
use crate::media::media_element::MediaElement;
use crate::media::{MediaKind, attribute_text, attribute_urls, format, player_frames, provider, script_players};
use limner_page::dom::Element;
use limner_page_view::PageView;
use limner_types::result::{AudioItem, AudioSource};
use std::ops::Deref;
use url::Url;

/// Attributes with the title of an audio file.
const TITLES: &[&str] = &["title", "aria-label", "data-title"];

pub(super) fn collect_elements(view: &PageView<'_>, found: &mut Deduplicated<AudioItem>) {
    media_element::visit_elements(view, |place| AudioReader(place).collect(found));
}

/// Finds the audio of one element.
struct AudioReader<'a>(&'a MediaElement<'a>);

impl<'a> Deref for AudioReader<'a> {
    type Target = MediaElement<'a>;

    fn deref(&self) -> &MediaElement<'a> {
        self.0
    }
}

impl AudioReader<'_> {
    fn collect(&self, found: &mut Deduplicated<AudioItem>) {
        match self.element.name() {
            "audio" | "amp-audio" | "bgsound" => self.sound(AudioSource::Audio, found),
            "source" => match self.media_parent() {
                Some("audio") => self.sound(AudioSource::Source, found),
                Some("video") if self.is_sound() => self.sound(AudioSource::Source, found),
                _ => {}
            },
            "iframe" | "frame" | "embed" => self.frames("src", found),
            "object" => self.frames("data", found),
            "script" => self.script(found),
            "a" | "area" => self.link(found),
            "link" => self.link_element(found),
            _ => {}
        }
        self.ids(found);
        self.data_attributes(found);
    }

    fn declares_sound(&self) -> bool {
        self.declared_kind() == Some(MediaKind::Audio)
    }

    /// Returns true if the element's file is audio by its declared type, or else by file name;
    /// `.ogg` in a `video` is video.
    fn is_sound(&self) -> bool {
        let by_name = |url: &Url| {
            let may_be_film = format::extension(url).is_some_and(|extension| extension.eq_ignore_ascii_case("ogg"));
            MediaKind::from_url(url) == Some(MediaKind::Audio) && !may_be_film
        };
        match self.declared_kind() {
            Some(kind) => kind == MediaKind::Audio,
            None => self.url("src").is_some_and(|url| by_name(&url)),
        }
    }

    /// Returns the name of the enclosing media element.
    fn media_parent(&self) -> Option<&str> {
        let found =
            self.media_ancestors().map(Element::name).find(|name| matches!(*name, "video" | "audio" | "amp-audio"));
        found.map(|name| if name == "amp-audio" { "audio" } else { name })
    }

    fn push(&self, mut item: AudioItem, found: &mut Deduplicated<AudioItem>) {
        let owner = if self.element.is_html("source") {
            self.document.parent(self.node).and_then(|parent| self.document.element(parent)).unwrap_or(self.element)
        } else {
            self.element
        };
        item.title = attribute_text::first_text_attribute(owner, TITLES);
        found.push(self.position, item);
    }

    /// Adds the file of an `audio` element, which is audio whatever its name.
    fn sound(&self, source: AudioSource, found: &mut Deduplicated<AudioItem>) {
        let Some(url) = self.url("src") else { return };
        let declared = self.declared_type().filter(|declared| MediaKind::from_media_type(declared).is_some());
        let mut item = item::file(url, source);
        item.media_type = declared.or(item.media_type);
        self.push(item, found);
    }

    fn frames(&self, attribute: &str, found: &mut Deduplicated<AudioItem>) {
        for url in self.frame_urls(attribute) {
            self.frame(url, found);
        }
    }

    /// Finds the sources of players that an inline script creates.
    fn script(&self, found: &mut Deduplicated<AudioItem>) {
        let urls = script_players::sources(self).into_iter().filter_map(|source| self.absolute(&source));
        for url in urls.filter(|url| MediaKind::from_url(url) == Some(MediaKind::Audio)) {
            found.push(self.position, item::file(url, AudioSource::Audio));
        }
    }

    fn frame(&self, url: Url, found: &mut Deduplicated<AudioItem>) {
        if let Some(hosted) = item::player(&url) {
            self.push(item::hosted(hosted, &url, AudioSource::Link), found);
        } else if MediaKind::from_url(&url) == Some(MediaKind::Audio) || self.declares_sound() {
            self.push(item::file(url, AudioSource::Link), found);
        } else if provider::recognise(&url).is_none()
            && player_frames::player_kind(self.element, &url) == Some(MediaKind::Audio)
        {
            let embed_url = Some(url.to_string());
            self.push(AudioItem { embed_url, ..item::file(url, AudioSource::Link) }, found);
        }
    }

    fn link(&self, found: &mut Deduplicated<AudioItem>) {
        let Some(url) = self.url("href") else { return };
        if MediaKind::from_url(&url) == Some(MediaKind::Audio) || self.declares_sound() {
            self.linked(url, found);
        }
    }

    fn link_element(&self, found: &mut Deduplicated<AudioItem>) {
        let has = |token: &str| self.element.attr_has_token("rel", token);
        let Some(url) = self.url("href") else { return };
        let is_preload = has("preload") && self.attr("as").is_some_and(|kind| kind.eq_ignore_ascii_case("audio"));
        let is_link = ["preload", "prefetch", "alternate", "enclosure", "audio_src"].iter().any(|rel| has(rel));
        let is_sound = MediaKind::from_url(&url) == Some(MediaKind::Audio) || self.declares_sound();
        if is_preload || (is_link && is_sound) {
            self.linked(url, found);
        }
    }

    fn linked(&self, url: Url, found: &mut Deduplicated<AudioItem>) {
        let mut item = item::file(url, AudioSource::Link);
        item.media_type = self.declared_type().filter(|_| self.declares_sound()).or(item.media_type);
        self.push(item, found);
    }

    /// Finds IDs in attributes (`<amp-soundcloud data-trackid>`).
    fn ids(&self, found: &mut Deduplicated<AudioItem>) {
        for attribute in self.element.attributes() {
            let hosted = provider::from_id_attribute(self.element.name(), &attribute.name.local, &attribute.value);
            let Some(hosted) = hosted.filter(|hosted| hosted.kind == MediaKind::Audio) else { continue };
            let Ok(url) = Url::parse(&hosted.page) else { continue };
            self.push(item::hosted(hosted, &url, AudioSource::Link), found);
        }
    }

    /// Finds lazy players: URLs in `data-` attributes that are audio files or audio players of a
    /// provider.
    fn data_attributes(&self, found: &mut Deduplicated<AudioItem>) {
        for attribute in self.element.attributes() {
            let is_data = attribute.name.local.starts_with("data-");
            if !is_data
                || !(provider::may_contain_player(&attribute.value)
                    || format::contains_extension(&attribute.value, MediaKind::Audio))
            {
                continue;
            }
            for address in attribute_urls::addresses(&attribute.value) {
                let Some(url) = self.absolute(&address) else { continue };
                let player = item::player(&url).filter(|h| h.form == provider::UrlForm::Player && h.id.is_some());
                if MediaKind::from_url(&url) == Some(MediaKind::Audio) {
                    let in_video = self.media_parent() == Some("video") || self.element.is_html("video");
                    if !in_video {
                        self.push(item::file(url, AudioSource::Audio), found);
                    }
                } else if let Some(hosted) = player {
                    self.push(item::hosted(hosted, &url, AudioSource::Link), found);
                }
            }
        }
    }
}
