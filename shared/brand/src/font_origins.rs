//! Origin, weights and files of the families that a brand's roles have.

use super::font_coverage::FontCoverage;
use limner_assets::fonts::file_origin::PageSite;
use limner_assets::fonts::src_descriptor::supported;
use limner_style::value::{Component, parse_components};
use limner_style::{StyleIndex, declarations_in};
use limner_types::result::{FontOrigin, FontSource};
use url::Url;

/// Maximum number of files of a family.
const MAX_FILES: usize = 24;
/// Maximum length of a file's URL.
const MAX_URL_BYTES: usize = 2_048;

/// Returns the origin of a family, by the name that stacks request, and its files.
pub(super) fn origin(
    index: &StyleIndex<'_>,
    coverage: &FontCoverage,
    page_url: &str,
    requested: &[&str],
) -> (FontOrigin, Vec<String>) {
    let site = PageSite::from_url(page_url);
    let mut files: Vec<String> = Vec::new();
    let mut origin = None;
    for rule in requested.iter().flat_map(|name| coverage.faces_of(name)) {
        let Some(face) = index.at_rules().get(*rule) else { continue };
        let descriptors = declarations_in(&face.body);
        let source = descriptors.iter().rev().find(|(name, _)| name.eq_ignore_ascii_case("src"));
        let Some(file) = source.and_then(|(_, value)| first_url(&supported(value)?)) else { continue };
        if file.starts_with("data:") {
            origin.get_or_insert(FontOrigin::SelfHosted);
            continue;
        }
        let base = index.sheets().get(face.sheet as usize).and_then(|sheet| Url::parse(&sheet.base_url).ok());
        let Some(mut url) = base.and_then(|base| base.join(&file).ok()) else { continue };
        url.set_fragment(None);
        if !matches!(url.scheme(), "http" | "https") || url.as_str().len() > MAX_URL_BYTES {
            continue;
        }
        origin.get_or_insert(match site.classify(Some(url.as_str())) {
            FontSource::Google => FontOrigin::Google,
            FontSource::Adobe => FontOrigin::Adobe,
            FontSource::Cdn => FontOrigin::Cdn,
            FontSource::SelfHosted | FontSource::Data | FontSource::Local => FontOrigin::SelfHosted,
        });
        let url = url.to_string();
        if files.len() < MAX_FILES && !files.contains(&url) {
            files.push(url);
        }
    }
    (origin.unwrap_or(FontOrigin::System), files)
}

/// Returns the first URL in a list of sources.
fn first_url(sources: &str) -> Option<String> {
    parse_components(sources)?.iter().find_map(|component| match component {
        Component::Url(url) => Some(url.to_string()),
        Component::Function { name, arguments } if &**name == "url" => match arguments.first() {
            Some(Component::String(url)) => Some(url.to_string()),
            _ => None,
        },
        _ => None,
    })
}
