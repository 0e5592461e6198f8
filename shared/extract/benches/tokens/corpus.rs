//! Saved real pages, where there is a folder of them (`LIMNER_CORPUS`): `sites/<name>/` with a `site.json` that names host
//! and entry page, and `cdn/<host>/` for the files of others.

use limner_page::references::{SheetSource, sheets};
use limner_page::{Document, PageSnapshot, Sheet, SheetOwner};
use std::path::{Path, PathBuf};
use url::Url;

/// The entry page of every site, by its name.
pub(crate) fn pages() -> Vec<(String, PageSnapshot)> {
    let Ok(corpus) = std::env::var("LIMNER_CORPUS") else { return Vec::new() };
    let corpus = PathBuf::from(corpus);
    let sites = std::fs::read_dir(corpus.join("sites")).into_iter().flatten().flatten();
    let mut pages: Vec<_> = sites.filter_map(|site| page(&corpus, &site.path())).collect();
    pages.sort_by(|a, b| a.0.cmp(&b.0));
    pages
}

fn page(corpus: &Path, site: &Path) -> Option<(String, PageSnapshot)> {
    let about: serde_json::Value = serde_json::from_slice(&std::fs::read(site.join("site.json")).ok()?).ok()?;
    let (host, entry) = (about["host"].as_str()?, about["entry"].as_str()?);
    let html = read(&site.join(entry))?;
    let url = Url::parse(&format!("http://{host}/{entry}")).ok()?;
    let document = Document::parse(&html);
    let base = document.base_url(&url);
    let file = |url: &Url| {
        let own = url.host_str() == Some(host);
        let folder = if own { site.to_owned() } else { corpus.join("cdn").join(url.host_str()?) };
        read(&folder.join(url.path().trim_start_matches('/')))
    };
    let sheets = sheets(&document, &base).into_iter().map(|reference| {
        let sheet = Sheet { element: reference.element, media: reference.media, ..Sheet::default() };
        match reference.source {
            SheetSource::Inline(text) => {
                Sheet { owner: SheetOwner::Style, text: Some(text), base_url: base.to_string(), ..sheet }
            }
            SheetSource::External(url) | SheetSource::Unread(url) => {
                Sheet { text: file(&url), href: Some(url.to_string()), base_url: url.into(), ..sheet }
            }
        }
    });
    let sheets = sheets.collect();
    let name = about["name"].as_str()?.to_owned();
    Some((name, PageSnapshot { url: url.into(), status: 200, html, sheets, ..PageSnapshot::default() }))
}

fn read(file: &Path) -> Option<String> {
    Some(String::from_utf8_lossy(&std::fs::read(file).ok()?).into_owned())
}
