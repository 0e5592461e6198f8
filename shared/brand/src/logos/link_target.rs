//! Links by where they lead: the home page of the site, elsewhere on it, its parent site, away.

use limner_assets::image_references::key;
use limner_page::dom::Element;
use limner_page::site::{registrable_domain, site_label};
use limner_page_view::PageView;
use url::Url;

/// The target of a link around a logo.
pub(super) enum LinkTarget {
    /// The home page of the site.
    Home,
    /// The home page of the parent site.
    Parent,
    /// Another page of the site.
    SameSite,
    /// Another site.
    Elsewhere,
}

impl LinkTarget {
    /// Returns the target of a link on a page with that registrable domain.
    pub(super) fn from_link(view: &PageView<'_>, own_site: Option<&str>, link: &Element) -> Self {
        let Some(href) = link.attr("href").map(str::trim) else { return LinkTarget::SameSite };
        if link.attr_has_token("rel", "home") || matches!(href, "#" | "#top" | "#page-top" | "#home" | "#page" | "") {
            return LinkTarget::Home;
        }
        let Some(url) = view.resolve(href) else { return LinkTarget::SameSite };
        let own = &view.url;
        let same_host = url.host_str() == own.host_str();
        let is_root = is_home_path(url.path());
        let same_site = registrable_domain(&url).as_deref() == own_site;
        match () {
            () if url.fragment().is_some() && key(&url) == key(own) => LinkTarget::SameSite,
            () if same_host && (is_root || is_ancestor_folder(url.path(), own.path())) => LinkTarget::Home,
            () if same_host => LinkTarget::SameSite,
            () if is_root && same_site => LinkTarget::Home,
            // Documentation and blogs link to the parent site.
            () if is_root && shares_domain_label(&url, own) => LinkTarget::Parent,
            () if same_site => LinkTarget::SameSite,
            () => LinkTarget::Elsewhere,
        }
    }
}

/// Returns true for `/`, `/index.html`, `/de`, `/en-us/`.
fn is_home_path(path: &str) -> bool {
    let path = path.trim_matches('/');
    let is_index =
        |name: &str| matches!(name, "index.html" | "index.htm" | "index.php" | "home" | "default.aspx" | "home.html");
    let is_language = |name: &str| {
        let plain = name.len() == 2 || (name.len() == 5 && matches!(name.as_bytes()[2], b'-' | b'_'));
        plain && name.chars().all(|c| c.is_ascii_alphabetic() || matches!(c, '-' | '_'))
    };
    match path.split_once('/') {
        None => path.is_empty() || is_index(path) || is_language(path),
        Some((language, rest)) => is_language(language) && is_index(rest),
    }
}

/// Returns true for the start page of a folder that contains the page: the home of a site below the root.
fn is_ancestor_folder(path: &str, page: &str) -> bool {
    let folder = |path: &str| path.rsplit_once('/').map(|(folder, _)| format!("{folder}/")).unwrap_or_default();
    let file = path.rsplit('/').next().unwrap_or_default();
    let is_start = file.is_empty() || file.starts_with("index.");
    is_start && folder(page).starts_with(&folder(path))
}

/// Returns true if two hosts have the same name, like `docs.acme.test` and `www.acme.org`.
fn shares_domain_label(one: &Url, two: &Url) -> bool {
    let name = site_label(one);
    name.len() >= 3 && name == site_label(two)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn home_paths_are_recognised() {
        for (path, expected) in [
            ("/", true),
            ("", true),
            ("/index.html", true),
            ("/de/", true),
            ("/en-US", true),
            ("/de/index.html", true),
            ("/about", false),
            ("/docs/", false),
        ] {
            assert_eq!(is_home_path(path), expected, "{path}");
        }
        assert!(
            is_ancestor_folder("/docs/", "/docs/guide/start.html")
                && is_ancestor_folder("/docs/index.html", "/docs/a.html")
        );
        assert!(
            !is_ancestor_folder("/blog/", "/docs/a.html") && !is_ancestor_folder("/docs/other.html", "/docs/a.html")
        );
    }
}
