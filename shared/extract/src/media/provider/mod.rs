//! Players and video pages of known providers: which one an address is, the id in it, the address people share and the
//! address for a frame.
//!
//! Providers are data ([`table`]). Adding one is adding rows there and to the table of the tests.

mod pattern;
mod table;
#[cfg(test)]
mod tests;

use super::MediaKind;
use pattern::Captures;
use url::Url;

/// What an address form is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// It plays in a frame.
    Player,
    /// It is a page about one video, or a script or file that stands for it.
    Page,
}

/// One form of address of a provider.
#[derive(Debug)]
struct Row {
    form: Form,
    /// Host (itself or a parent domain) and pattern of path and query; see [`pattern`].
    at: &'static str,
    /// Template of the address people share.
    page: &'static str,
    /// Template of the address for a frame; empty when an id alone does not make one.
    embed: &'static str,
}

/// A provider.
#[derive(Debug)]
struct Provider {
    name: &'static str,
    kind: MediaKind,
    /// What its ids look like.
    is_id: fn(&str) -> bool,
    rows: &'static [Row],
    /// Attributes that hold an id, per element name (`*` is any).
    attributes: &'static [(&'static str, &'static str)],
}

/// An address recognised as a provider's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hosted {
    /// Slug of the provider.
    pub(crate) provider: &'static str,
    /// Film or sound.
    pub(crate) kind: MediaKind,
    /// Whether the given address plays in a frame itself.
    pub(crate) form: Form,
    /// The id of what plays, unless the address only names a player.
    pub(crate) id: Option<String>,
    /// The address people share.
    pub(crate) page: String,
    /// The address for a frame, if one is known.
    pub(crate) embed: Option<String>,
}

/// Captures that stand in for an id, where something else than one film plays.
const OTHER_IDS: &[&str] = &["list", "channel", "clip", "av"];

/// Which provider's an address is.
pub(crate) fn recognise(url: &Url) -> Option<Hosted> {
    let host = url.host_str()?;
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    table::providers().find_map(|provider| {
        let mut matching = provider.rows.iter().filter_map(|row| Some((row, pattern::captures(row.at, host, url)?)));
        matching.find_map(|(row, captures)| provider.hosted(row, &captures))
    })
}

/// What an id attribute of an element makes: `<lite-youtube videoid>`, `<mux-player playback-id>`.
pub(crate) fn from_attribute(element: &str, attribute: &str, value: &str) -> Option<Hosted> {
    let names = |provider: &&Provider| {
        provider.attributes.iter().any(|(tag, name)| (*tag == "*" || *tag == element) && *name == attribute)
    };
    table::providers().filter(names).find_map(|provider| provider.with_id(value))
}

/// What the id of a named provider makes (`data-plyr-provider="vimeo" data-plyr-embed-id="76979871"`).
pub(crate) fn from_name(name: &str, id: &str) -> Option<Hosted> {
    table::providers().find(|provider| provider.name.eq_ignore_ascii_case(name))?.with_id(id)
}

/// Whether the text could hold an address of a provider: a cheap test before a closer look.
pub(crate) fn mentions(text: &str) -> bool {
    table::MARKS.iter().any(|mark| text.contains(mark))
}

impl Provider {
    fn hosted(&self, row: &Row, captures: &Captures) -> Option<Hosted> {
        let id = captures.get("id").map(str::to_owned);
        let is_hash = |hash: &str| hash.bytes().all(|b| b.is_ascii_hexdigit());
        if id.as_deref().is_some_and(|id| !(self.is_id)(id)) || captures.get("hash").is_some_and(|h| !is_hash(h)) {
            return None;
        }
        let embed = Some(row.embed).filter(|template| !template.is_empty());
        Some(Hosted {
            provider: self.name,
            kind: self.kind,
            form: row.form,
            // Playlists, channels and clips have ids too.
            id: id
                .or_else(|| OTHER_IDS.iter().find_map(|name| captures.get(name)).map(str::to_owned))
                .or_else(|| recognise(&Url::parse(captures.get("url")?).ok()?)?.id),
            page: pattern::fill(row.page, captures)?,
            embed: embed.and_then(|template| pattern::fill(template, captures)),
        })
    }

    /// By the first row whose addresses need nothing but the id.
    fn with_id(&self, id: &str) -> Option<Hosted> {
        let captures = Captures::of_id(id.trim());
        let made = self.rows.iter().find_map(|row| self.hosted(row, &captures))?;
        made.id.is_some().then_some(Hosted { form: Form::Page, ..made })
    }
}
