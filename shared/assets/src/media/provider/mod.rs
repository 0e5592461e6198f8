//! Recognizes players and video pages of known providers, with the ID in a URL, the canonical page
//! URL and the embed URL.
//!
//! Providers are data ([`table`]). To add one, add rows there and to the table of the tests.

mod pattern;
mod table;
#[cfg(test)]
mod tests;

use super::MediaKind;
use aho_corasick::AhoCorasick;
use pattern::Captures;
use std::collections::HashMap;
use std::sync::LazyLock;
use url::Url;

/// The kind of a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UrlForm {
    /// A player that is embedded in a frame.
    Player,
    /// A page about one video, or a script or file that stands for it.
    Page,
}

/// A URL form of a provider.
#[derive(Debug)]
struct UrlPattern {
    form: UrlForm,
    /// Host (itself or a parent domain) and pattern of path and query; see [`pattern`].
    at: &'static str,
    /// Template of the canonical page URL.
    page: &'static str,
    /// Template of the embed URL; empty if the ID alone is not sufficient.
    embed: &'static str,
}

/// A provider.
#[derive(Debug)]
struct Provider {
    name: &'static str,
    kind: MediaKind,
    /// Returns true for valid IDs.
    is_id: fn(&str) -> bool,
    rows: &'static [UrlPattern],
    /// Attributes that contain an ID, per element name (`*` matches any).
    attributes: &'static [(&'static str, &'static str)],
}

/// A URL recognized as that of a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProviderMatch {
    /// The slug of the provider.
    pub(crate) provider: &'static str,
    /// The media kind.
    pub(crate) kind: MediaKind,
    /// The kind of the given URL.
    pub(crate) form: UrlForm,
    /// The ID of the content, unless the URL only refers to a player.
    pub(crate) id: Option<String>,
    /// The canonical page URL.
    pub(crate) page: String,
    /// The embed URL, if one is known.
    pub(crate) embed: Option<String>,
}

/// Captures that replace the ID for content other than a single video.
const OTHER_IDS: &[&str] = &["list", "channel", "clip", "av"];

/// Recognizes the URL of a provider, also within that of a frame that an embedding service puts around it.
pub(crate) fn recognise(url: &Url) -> Option<ProviderMatch> {
    recognise_within(url, 0)
}

/// Maximum number of URLs within each other.
const MAX_NESTED_URLS: usize = 3;

fn recognise_within(url: &Url, depth: usize) -> Option<ProviderMatch> {
    if depth == MAX_NESTED_URLS {
        return None;
    }
    let inner = embedded(url).and_then(|inner| recognise_directly(&inner, depth + 1));
    inner.map(|inner| ProviderMatch { form: UrlForm::Player, ..inner }).or_else(|| recognise_directly(url, depth))
}

/// Embedding services: the host and path of their frames.
const EMBEDDING_SERVICES: &[(&str, &str)] =
    &[("cdn.embedly.com", "/widgets/media.html"), ("cdn.iframe.ly", "/api/iframe"), ("iframely.net", "/api/iframe")];

/// Returns the URL that the frame of an embedding service shows.
fn embedded(url: &Url) -> Option<Url> {
    if !EMBEDDING_SERVICES.iter().any(|(host, path)| url.host_str() == Some(*host) && url.path() == *path) {
        return None;
    }
    let value = |name: &str| url.query_pairs().find(|(own, _)| own == name).map(|(_, value)| value.into_owned());
    ["url", "src"].iter().filter_map(|name| value(name)).find_map(|address| url.join(&address).ok())
}

fn recognise_directly(url: &Url, depth: usize) -> Option<ProviderMatch> {
    let host = url.host_str()?;
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    let mut rows: Vec<RowIndex> = host_and_parents(host).filter_map(|host| ROWS.get(host)).flatten().copied().collect();
    rows.sort_unstable();
    rows.into_iter().find_map(|(provider, row)| {
        let provider = PROVIDERS.get(provider)?;
        let row = provider.rows.get(row)?;
        provider.hosted(row, &pattern::captures(row.at, host, url)?, depth)
    })
}

/// All providers in order.
static PROVIDERS: LazyLock<Vec<&'static Provider>> = LazyLock::new(|| table::providers().collect());

/// A provider's index and that of its row, in order of precedence.
type RowIndex = (usize, usize);

/// The rows by the host of their pattern.
static ROWS: LazyLock<HashMap<&'static str, Vec<RowIndex>>> = LazyLock::new(|| {
    let mut by_host: HashMap<&'static str, Vec<RowIndex>> = HashMap::new();
    for (provider, rows) in PROVIDERS.iter().map(|provider| provider.rows).enumerate() {
        for (row, pattern) in rows.iter().enumerate() {
            let host = pattern.at.split('/').next().unwrap_or_default();
            by_host.entry(host).or_default().push((provider, row));
        }
    }
    by_host
});

/// Returns a host, its parent domains, and `*` for any host.
fn host_and_parents(host: &str) -> impl Iterator<Item = &str> {
    let parents = std::iter::successors(Some(host), |host| host.split_once('.').map(|(_, parent)| parent));
    parents.chain(std::iter::once(pattern::ANY_HOST))
}

/// Recognizes an ID attribute of an element: `<lite-youtube videoid>`, `<mux-player playback-id>`.
pub(crate) fn from_id_attribute(element: &str, attribute: &str, value: &str) -> Option<ProviderMatch> {
    let names = |provider: &&Provider| {
        provider.attributes.iter().any(|(tag, name)| (*tag == "*" || *tag == element) && *name == attribute)
    };
    // A signed ID carries its token as a query.
    let id = value.split('?').next().unwrap_or_default();
    table::providers().filter(names).find_map(|provider| provider.for_id(id))
}

/// Recognizes the ID of a named provider
/// (`data-plyr-provider="vimeo" data-plyr-embed-id="76979871"`).
pub(crate) fn from_named_provider(name: &str, id: &str) -> Option<ProviderMatch> {
    table::providers().find(|provider| provider.name.eq_ignore_ascii_case(name))?.for_id(id)
}

/// Returns true if the text may contain a URL of a provider. A cheap check before a more precise
/// one.
pub(crate) fn may_contain_provider(text: &str) -> bool {
    static HOST_MARKERS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| AhoCorasick::new(table::HOST_MARKERS).ok());
    HOST_MARKERS.as_ref().is_some_and(|marks| marks.is_match(text))
}

/// Returns true if an attribute value may contain the URL of a player, known by its frames too. A
/// cheap check before a more precise one.
pub(crate) fn may_contain_player(text: &str) -> bool {
    ["embed", "player", "iframe"].iter().any(|word| text.contains(word)) || may_contain_provider(text)
}

impl Provider {
    fn hosted(&self, row: &UrlPattern, captures: &Captures, depth: usize) -> Option<ProviderMatch> {
        let id = captures.get("id").map(str::to_owned);
        let is_hash = |hash: &str| hash.bytes().all(|b| b.is_ascii_hexdigit());
        if id.as_deref().is_some_and(|id| !(self.is_id)(id)) || captures.get("hash").is_some_and(|h| !is_hash(h)) {
            return None;
        }
        let embed = Some(row.embed).filter(|template| !template.is_empty());
        Some(ProviderMatch {
            provider: self.name,
            kind: self.kind,
            form: row.form,
            // Playlists, channels and clips have IDs too.
            id: id
                .or_else(|| OTHER_IDS.iter().find_map(|name| captures.get(name)).map(str::to_owned))
                .or_else(|| recognise_within(&Url::parse(captures.get("url")?).ok()?, depth + 1)?.id),
            page: pattern::fill(row.page, captures)?,
            embed: embed.and_then(|template| pattern::fill(template, captures)),
        })
    }

    /// Builds URLs from an ID, with the first row that needs nothing else.
    fn for_id(&self, id: &str) -> Option<ProviderMatch> {
        let captures = Captures::from_id(id.trim());
        let made = self.rows.iter().find_map(|row| self.hosted(row, &captures, 0))?;
        made.id.is_some().then_some(ProviderMatch { form: UrlForm::Page, ..made })
    }
}
