//! Pages as they are saved: those of the repository, and real ones if there is a directory of them (`LIMNER_CORPUS`):
//! `sites/<name>/` with a `site.json` that names host and entry page, and `cdn/<host>/` for files of other hosts.

use limner_page::references::{StylesheetReference, StylesheetSource, sheets};
use limner_page::{Document, PageSnapshot, SheetOwner, Stylesheet};
use serde_json::Value;
use std::path::{Path, PathBuf};
use url::Url;

/// Directories with pages of the repository: the demo site, and pages with the markup of builders and frameworks.
const OWN: &[&str] = &["../services/limner/demo", "../shared/brand/src/tests/sites"];

/// Returns the pages of the repository and the entry page of every real site, by name.
pub(crate) fn pages() -> Vec<(String, PageSnapshot)> {
    let mut pages: Vec<_> = own_pages();
    assert!(pages.len() > 10, "only {} pages in {OWN:?}", pages.len());
    pages.extend(sites().into_iter().map(|site| site.page()));
    pages.sort_by(|a, b| a.0.cmp(&b.0));
    pages
}

fn own_pages() -> Vec<(String, PageSnapshot)> {
    let folders = OWN.iter().map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
    let files = folders.flat_map(|folder| std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()));
    let pages = files.filter(|file| file.extension().is_some_and(|kind| kind == "html"));
    pages
        .map(|file| {
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            let page = read_page("a.test", &name, file.parent().unwrap(), Path::new("none"));
            (name, page)
        })
        .collect()
}

/// Returns every site, unread.
pub(crate) fn sites() -> Vec<Site> {
    let Ok(corpus) = std::env::var("LIMNER_CORPUS") else { return Vec::new() };
    let corpus = PathBuf::from(corpus);
    let folders = std::fs::read_dir(corpus.join("sites")).unwrap();
    folders.map(|folder| Site { corpus: corpus.clone(), folder: folder.unwrap().path() }).collect()
}

/// A saved site.
pub(crate) struct Site {
    corpus: PathBuf,
    pub(crate) folder: PathBuf,
}

impl Site {
    /// Reads the entry page with its stylesheets; returns it with the site's name.
    pub(crate) fn page(&self) -> (String, PageSnapshot) {
        page(&self.corpus, &self.folder)
    }
}

fn page(corpus: &Path, site: &Path) -> (String, PageSnapshot) {
    let about: Value = serde_json::from_slice(&std::fs::read(site.join("site.json")).unwrap()).unwrap();
    let text = |name: &str| about[name].as_str().unwrap();
    (text("name").to_owned(), read_page(text("host"), text("entry"), site, &corpus.join("cdn")))
}

/// Reads a page of a site with its stylesheets.
fn read_page(host: &str, entry: &str, site: &Path, cdn: &Path) -> PageSnapshot {
    let html = read(&site.join(entry)).unwrap();
    let url = Url::parse(&format!("http://{host}/{entry}")).unwrap();
    let document = Document::parse(&html);
    let base = document.base_url(&url);
    let file = |url: &Url| {
        let folder = if url.host_str() == Some(host) { site.to_owned() } else { cdn.join(url.host_str()?) };
        read(&folder.join(url.path().trim_start_matches('/')))
    };
    let sheets =
        sheets(&document, &base.clone().into()).into_iter().map(|reference| sheet(reference, &base, &file)).collect();
    PageSnapshot { url: url.into(), status: 200, html, sheets, ..PageSnapshot::default() }
}

fn sheet(reference: StylesheetReference, base: &Url, file: &dyn Fn(&Url) -> Option<String>) -> Stylesheet {
    let own = Stylesheet {
        element: reference.element,
        media: reference.media,
        alternate: reference.alternate,
        base_url: base.to_string(),
        ..Stylesheet::default()
    };
    match reference.source {
        StylesheetSource::Inline(text) => Stylesheet { owner: SheetOwner::Style, text: Some(text), ..own },
        StylesheetSource::External(url) | StylesheetSource::Unread(url) => {
            Stylesheet { text: file(&url), href: Some(url.to_string()), base_url: url.into(), ..own }
        }
    }
}

fn read(file: &Path) -> Option<String> {
    Some(String::from_utf8_lossy(&std::fs::read(file).ok()?).into_owned())
}
