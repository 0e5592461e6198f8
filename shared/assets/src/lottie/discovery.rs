//! Finds the places of a page that may contain animations.

use super::inline_scripts;
use crate::media::{attribute_urls, format};
use limner_page::data_url::declared_media_type;
use limner_page::dom::Element;
use limner_page::{Document, DocumentBase, NodeId};
use limner_page_view::PageView;
use limner_types::result::LottieSource;
use url::Url;

/// Maximum number of candidates per page.
const MAX_CANDIDATES: usize = 2_000;
/// Maximum number of files among those the browser loaded.
const MAX_FROM_NETWORK: usize = 12;

/// A place that may contain an animation.
#[derive(Debug)]
pub(super) struct AnimationCandidate {
    pub(super) source: LottieSource,
    pub(super) target: CandidateSource,
    /// True if a player refers to it, so that it is listed whatever the file contains.
    pub(super) is_certain: bool,
}

#[derive(Debug)]
pub(super) enum CandidateSource {
    File(Url),
    /// JSON in the page.
    Inline(String),
}

impl CandidateSource {
    pub(super) fn into_url(self) -> Option<Url> {
        match self {
            Self::File(url) => Some(url),
            Self::Inline(_) => None,
        }
    }
}

/// Player elements, the attribute with the URL, and the source they are listed as.
const PLAYERS: &[(&str, &str, LottieSource)] = &[
    ("lottie-player", "src", LottieSource::LottiePlayer),
    ("lottie-animation", "src", LottieSource::LottiePlayer),
    ("lottie-animation-view", "src", LottieSource::LottiePlayer),
    ("lottie-interactive", "path", LottieSource::LottiePlayer),
    ("amp-bodymovin-animation", "src", LottieSource::LottiePlayer),
    ("lord-icon", "src", LottieSource::LottiePlayer),
    ("dotlottie-player", "src", LottieSource::Dotlottie),
    ("dotlottie-wc", "src", LottieSource::Dotlottie),
    ("dotlottie-worker-wc", "src", LottieSource::Dotlottie),
];
/// Attributes of any element from which players read a URL.
const PLAYER_ATTRIBUTES: &[&str] = &[
    "data-animation-path",
    "data-bm-path",
    "bm-path",
    "data-anim-path",
    "data-lottie",
    "data-lottie-src",
    "data-lottie-url",
    "data-lottie-path",
    "data-lottie-file",
    "data-lottie-json",
];

/// Returns all candidates in document order.
pub(super) fn candidates(view: &PageView<'_>) -> Vec<AnimationCandidate> {
    let mut finder = CandidateFinder { view, base: &view.base, candidates: Vec::new() };
    let mut inner_documents = view.inner_documents().iter().peekable();
    for (node, element) in view.document.elements() {
        finder.element(&view.document, node, element);
        while let Some(inner) = inner_documents.next_if(|inner| inner.owner == node) {
            finder.base = &inner.base;
            for (node, element) in inner.document.elements() {
                finder.element(&inner.document, node, element);
            }
            finder.base = &view.base;
        }
        if finder.candidates.len() >= MAX_CANDIDATES {
            break;
        }
    }
    finder.network();
    finder.candidates
}

/// Returns the files of players inside an element, without duplicates.
pub(super) fn player_files_in(view: &PageView<'_>, root: NodeId) -> Vec<Url> {
    let document = &view.document;
    let mut finder = CandidateFinder { view, base: &view.base, candidates: Vec::new() };
    for node in std::iter::once(root).chain(document.descendants(root)) {
        if let Some(element) = document.element(node) {
            finder.element(document, node, element);
        }
    }
    let mut files: Vec<Url> = Vec::new();
    let named = finder.candidates.into_iter().filter(|candidate| candidate.is_certain);
    for url in named.filter_map(|candidate| candidate.target.into_url()) {
        if matches!(url.scheme(), "http" | "https") && !files.contains(&url) {
            files.push(url);
        }
    }
    files
}

struct CandidateFinder<'a> {
    view: &'a PageView<'a>,
    /// The base of the document that is read.
    base: &'a DocumentBase,
    candidates: Vec<AnimationCandidate>,
}

impl CandidateFinder<'_> {
    fn add(&mut self, source: LottieSource, target: CandidateSource, is_certain: bool) {
        if self.candidates.len() < MAX_CANDIDATES {
            self.candidates.push(AnimationCandidate { source, target, is_certain });
        }
    }

    /// Adds a value that is either a URL or JSON.
    fn value(&mut self, source: LottieSource, value: &str, is_certain: bool) {
        let value = value.trim();
        if value.starts_with(['{', '[']) {
            self.add(source, CandidateSource::Inline(value.to_owned()), false);
        } else if let Some(url) = self.address(value) {
            self.add(source, CandidateSource::File(url), is_certain);
        }
    }

    /// Resolves a URL: http, https, or `data:` with JSON.
    fn address(&self, value: &str) -> Option<Url> {
        let value = value.trim();
        let mut url = self.base.join(value).ok().filter(|_| !value.is_empty())?;
        url.set_fragment(None);
        let usable = match url.scheme() {
            "http" | "https" => url.as_str() != self.view.page.url,
            "data" => declared_media_type(&url)
                .is_some_and(|own| matches!(own.as_str(), "application/json" | "text/json" | "text/plain")),
            _ => false,
        };
        usable.then_some(url)
    }

    fn element(&mut self, document: &Document, node: NodeId, element: &Element) {
        if !element.in_html() {
            return;
        }
        for (tag, attribute, source) in PLAYERS {
            if element.name() == *tag
                && let Some(value) = element.attr(attribute)
            {
                self.value(*source, value, true);
            }
        }
        match element.name() {
            "script" => self.script(document, node, element),
            "a" | "area" | "link" => self.link(element),
            "iframe" => self.frame(element),
            _ => {}
        }
        self.attributes(element);
    }

    fn script(&mut self, document: &Document, node: NodeId, element: &Element) {
        if element.attr("src").is_some() {
            return;
        }
        let kind = element.attr("type").unwrap_or_default().trim().to_ascii_lowercase();
        if kind.contains("ld+json") {
            return;
        }
        let text = document.text_content(node);
        if kind.ends_with("json") {
            for json in inline_scripts::animations_in_json(&text) {
                self.add(LottieSource::Script, CandidateSource::Inline(json), false);
            }
            return;
        }
        for found in inline_scripts::find_animations(&text) {
            match found {
                inline_scripts::ScriptFinding::Path { path, source, is_certain } => {
                    self.value(source, &path, is_certain)
                }
                inline_scripts::ScriptFinding::Animation(json) => {
                    self.add(LottieSource::Script, CandidateSource::Inline(json), false)
                }
            }
        }
    }

    fn link(&mut self, element: &Element) {
        let Some(url) = element.attr("href").and_then(|href| self.address(href)) else { return };
        let is_loaded = element.is_html("link")
            && ["preload", "prefetch"].iter().any(|rel| element.attr_has_token("rel", rel))
            && has_extension(&url, "json");
        let is_archive = has_extension(&url, "lottie");
        if is_archive || is_loaded || names_lottie_json(&url) {
            self.add(LottieSource::Link, CandidateSource::File(url), is_archive);
        }
    }

    /// Adds the file of a frame: `https://lottie.host/embed/…` displays the file at the path
    /// without `embed`.
    fn frame(&mut self, element: &Element) {
        let Some(mut url) = element.attr("src").and_then(|src| self.address(src)) else { return };
        if url.host_str() == Some("lottie.host")
            && let Some(path) = url.path().strip_prefix("/embed/").map(|path| format!("/{path}"))
        {
            url.set_path(&path);
            self.add(LottieSource::LottiePlayer, CandidateSource::File(url), true);
        }
    }

    fn attributes(&mut self, element: &Element) {
        let is_webflow = element.attr("data-animation-type").is_some_and(|kind| kind.eq_ignore_ascii_case("lottie"));
        let webflow_source = element.attr("data-src").filter(|_| is_webflow);
        if let Some(value) = webflow_source {
            self.value(LottieSource::Webflow, value, true);
        }
        for attribute in element.attributes() {
            let (name, value) = (&*attribute.name.local, &*attribute.value);
            if PLAYER_ATTRIBUTES.contains(&name) {
                let is_path = value.contains(['/', '.']) || value.trim_start().starts_with('{');
                if is_path {
                    self.value(LottieSource::Attribute, value, has_file_name(value));
                }
            } else if name.starts_with("data-") && webflow_source.is_none() && mentions_file(value) {
                self.settings(name, value, element);
            }
        }
    }

    /// Searches other `data-` attributes, such as settings of page builders, of elements that
    /// mention Lottie.
    fn settings(&mut self, name: &str, value: &str, element: &Element) {
        let says_lottie = |text: &str| text.to_ascii_lowercase().contains("lottie");
        let widget = element.attr("data-widget_type").unwrap_or_default();
        let class = element.attr("class").unwrap_or_default();
        let is_about_lottie = [name, widget, class, element.name()].into_iter().any(says_lottie);
        for address in attribute_urls::addresses(value) {
            let Some(url) = self.address(&address) else { continue };
            let is_archive = has_extension(&url, "lottie");
            if is_archive || names_lottie_json(&url) || (is_about_lottie && has_extension(&url, "json")) {
                self.add(LottieSource::Attribute, CandidateSource::File(url), is_archive);
            }
        }
    }

    /// Adds files that the browser loaded.
    fn network(&mut self) {
        let loaded = self.view.page.network.keys().filter_map(|url| self.address(url));
        let possible = loaded.filter(|url| {
            let is_file = has_extension(url, "json") || has_extension(url, "lottie");
            is_file || url.as_str().to_ascii_lowercase().contains("lottie")
        });
        let is_script = |url: &Url| ["js", "mjs", "wasm", "css", "html"].iter().any(|e| has_extension(url, e));
        let files: Vec<Url> = possible.filter(|url| !is_script(url)).take(MAX_FROM_NETWORK).collect();
        for url in files {
            self.add(LottieSource::Script, CandidateSource::File(url), false);
        }
    }
}

pub(super) fn has_extension(url: &Url, wanted: &str) -> bool {
    format::extension(url).is_some_and(|extension| extension.eq_ignore_ascii_case(wanted))
}

/// Returns true for a JSON file whose URL mentions Lottie.
fn names_lottie_json(url: &Url) -> bool {
    has_extension(url, "json") && url.as_str().to_ascii_lowercase().contains("lottie")
}

fn has_file_name(value: &str) -> bool {
    let path = value.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    path.ends_with(".json") || path.ends_with(".lottie")
}

fn mentions_file(value: &str) -> bool {
    value.contains(".json") || value.contains(".lottie")
}
