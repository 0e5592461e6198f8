//! Finds stylesheets that a page's scripts load by declaration: web font loaders, font and icon kits.
//!
//! Scripts do not run in a static read. What these ones load is written in the page all the same, so that their fonts
//! can be read: the configuration of the Web Font Loader (Google Fonts, Adobe Fonts, the site's own stylesheets),
//! kits whose script has a stylesheet with the same fonts, and a stylesheet of a font service whose URL is a string of
//! a script, which inserts the link.
//!
//! <https://github.com/typekit/webfontloader#configuration>

use super::script_literals::{Literal, object_after, string_after, string_around};
use super::{StylesheetReference, StylesheetSource};
use crate::dom::{Document, Element, NodeId};
use aho_corasick::AhoCorasick;
use std::sync::LazyLock;
use url::Url;

/// Maximum number of families of one configuration.
const MAX_FAMILIES: usize = 200;
/// Maximum number of configurations in one script.
const MAX_CONFIGURATIONS: usize = 8;
/// Maximum number of stylesheets that the scripts of a page load.
const MAX_STYLESHEETS: usize = 40;
/// The endpoint that the Web Font Loader requests if the configuration names no other one.
const GOOGLE_FONTS: &str = "https://fonts.googleapis.com/css";
/// The names before a configuration: an argument of the call, or a global that an asynchronous loader reads.
const CONFIGURATIONS: &[&str] = &["WebFont.load", "WebFontConfig"];

/// Hosts of font services, each with the starts of the paths of its stylesheets.
const FONT_SERVICES: &[(&str, &[&str])] = &[
    ("fonts.googleapis.com", &["/css", "/icon"]),
    ("api.fontshare.com", &["/"]),
    ("fonts.bunny.net", &["/css"]),
    ("use.typekit.net", &["/"]),
    ("fonts.cdnfonts.com", &["/css"]),
];
/// Finds the hosts in one pass over a script.
static SERVICE_HOSTS: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::new(FONT_SERVICES.iter().map(|(host, _)| host)).ok());
/// The member with the ID of a kit in the script by which Adobe Fonts loads it.
const KIT_ID: &str = "kitId";

/// Returns the stylesheets that scripts load by declaration, each with its script, in document order.
pub(super) fn stylesheets_of_scripts(document: &Document, base: &Url) -> Vec<(NodeId, StylesheetReference)> {
    let mut found = Vec::new();
    for (node, script) in document.elements_named("script") {
        let urls = match script.attr("src") {
            Some(src) => base.join(src.trim()).ok().and_then(|url| kit_stylesheet(&url)).into_iter().collect(),
            None if is_executed(script) => declared_stylesheets(&document.text_content(node), base),
            None => Vec::new(),
        };
        found.extend(urls.into_iter().map(|url| (node, reference(url))));
        if found.len() >= MAX_STYLESHEETS {
            break;
        }
    }
    found.truncate(MAX_STYLESHEETS);
    found
}

fn reference(url: Url) -> StylesheetReference {
    StylesheetReference {
        element: None,
        source: StylesheetSource::External(url),
        media: String::new(),
        alternate: false,
        integrity: None,
        encoding: None,
    }
}

/// Returns the stylesheet with the fonts that the script of a kit loads.
fn kit_stylesheet(script: &Url) -> Option<Url> {
    let segments: Vec<&str> = script.path_segments()?.collect();
    let kit = |file: &str| file.strip_suffix(".js").filter(|id| is_kit_id(id)).map(str::to_owned);
    let address = match (script.host_str()?, segments.as_slice()) {
        (host @ ("use.typekit.net" | "use.typekit.com" | "kit.fontawesome.com" | "use.fontawesome.com"), [file]) => {
            format!("https://{host}/{}.css", kit(file)?)
        }
        ("fast.fonts.net", ["jsapi", file]) => format!("https://fast.fonts.net/cssapi/{}.css", kit(file)?),
        _ => return None,
    };
    Url::parse(&address).ok()
}

fn is_kit_id(id: &str) -> bool {
    (1..=64).contains(&id.len()) && id.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'-')
}

/// Returns false for data blocks and templates. A type such as `rocketlazyloadscript` delays a script.
fn is_executed(script: &Element) -> bool {
    let kind = script.attr("type").unwrap_or_default().to_ascii_lowercase();
    kind.trim().is_empty() || kind.contains("module") || kind.contains("script")
}

/// Returns the stylesheets that an inline script declares, each once.
fn declared_stylesheets(script: &str, base: &Url) -> Vec<Url> {
    let mut found = configured_stylesheets(script, base);
    let kits = script.match_indices(KIT_ID).take(MAX_CONFIGURATIONS);
    let kits = kits.filter_map(|(at, name)| string_after(&script[at + name.len()..])).filter(|id| is_kit_id(id));
    found.extend(kits.filter_map(|id| Url::parse(&format!("https://use.typekit.net/{id}.css")).ok()));
    for url in addressed_stylesheets(script) {
        if !found.contains(&url) {
            found.push(url);
        }
    }
    found
}

/// Returns the stylesheets of font services whose URL is a string of the script, by service.
fn addressed_stylesheets(script: &str) -> Vec<Url> {
    let mut places = [const { Vec::new() }; FONT_SERVICES.len()];
    for found in SERVICE_HOSTS.iter().flat_map(|hosts| hosts.find_iter(script)) {
        let places: &mut Vec<usize> = &mut places[found.pattern().as_usize()];
        if places.len() < MAX_CONFIGURATIONS {
            places.push(found.start());
        }
    }
    let mut all = Vec::new();
    for ((host, paths), places) in FONT_SERVICES.iter().zip(places) {
        let urls = places.into_iter().filter_map(|at| url_around(script, at));
        let urls: Vec<Url> = urls.filter(|url| url.host_str() == Some(*host)).collect();
        for path in *paths {
            all.extend(urls.iter().filter(|url| url.path().starts_with(path)).cloned());
        }
    }
    all
}

/// Returns the whole URL that a string of the script is.
fn url_around(script: &str, at: usize) -> Option<Url> {
    let address = string_around(script, at)?;
    let address = address.strip_prefix("//").map_or_else(|| address.clone(), |rest| format!("https://{rest}"));
    let url = Url::parse(&address).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    // The rest of an unfinished URL is known to the script alone.
    let is_whole = url.path().ends_with(".css") || url.query().is_some_and(|query| !query.ends_with('='));
    is_whole.then_some(url)
}

/// Returns the stylesheets of the Web Font Loader's configurations in a script.
fn configured_stylesheets(script: &str, base: &Url) -> Vec<Url> {
    let mut found = Vec::new();
    for name in CONFIGURATIONS {
        for (at, _) in script.match_indices(name).take(MAX_CONFIGURATIONS) {
            if let Some(configuration) = object_after(&script[at + name.len()..]) {
                found.extend(stylesheets_of(&configuration, base));
            }
        }
    }
    found
}

fn stylesheets_of(configuration: &Literal, base: &Url) -> Vec<Url> {
    let google = configuration.member("google").and_then(google_stylesheet);
    let id = configuration.member("typekit").and_then(|module| module.member("id")?.text());
    let adobe =
        id.filter(|id| is_kit_id(id)).and_then(|id| Url::parse(&format!("https://use.typekit.net/{id}.css")).ok());
    let own = configuration.member("custom").and_then(|module| module.member("urls")).map(Literal::texts);
    let own = own.unwrap_or_default().into_iter().filter_map(|address| base.join(address.trim()).ok());
    let is_web = |url: &Url| matches!(url.scheme(), "http" | "https");
    google.into_iter().chain(adobe).chain(own.filter(is_web)).collect()
}

/// Returns the URL that the loader requests for the families of its Google module.
fn google_stylesheet(module: &Literal) -> Option<Url> {
    let mut families = Vec::new();
    let mut subsets: Vec<&str> = Vec::new();
    for family in module.member("families")?.texts().into_iter().take(MAX_FAMILIES) {
        let mut parts: Vec<&str> = family.split(':').collect();
        if parts.len() == 3 {
            subsets.extend(parts.pop());
        }
        let separator = if matches!(parts.as_slice(), [_, variants] if !variants.is_empty()) { ":" } else { "" };
        families.push(parts.join(separator).replace(' ', "+"));
    }
    if families.is_empty() {
        return None;
    }
    let endpoint = module.member("api").and_then(Literal::text).unwrap_or(GOOGLE_FONTS);
    let endpoint = endpoint.strip_prefix("//").map_or_else(|| endpoint.to_owned(), |rest| format!("https://{rest}"));
    let mut address = format!("{endpoint}?family={}", families.join("%7C"));
    if !subsets.is_empty() {
        address.push_str("&subset=");
        address.push_str(&subsets.join(","));
    }
    Url::parse(&address).ok().filter(|url| matches!(url.scheme(), "http" | "https"))
}
