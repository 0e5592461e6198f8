//! The files that a result lists, and what they may be called.

use crate::file_names::slug;
use limner_types::{Operation, WireEnum};
use percent_encoding::percent_decode_str;
use serde_json::Value;

/// A file that a result lists: by its URL, or an SVG by its markup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedFile {
    /// URL, which may be `data:`; empty for markup.
    pub url: String,
    /// Markup of an inline SVG.
    pub code: Option<String>,
    /// Names without extension, best first; none is empty.
    pub names: Vec<String>,
}

/// Returns the directory for the files that an operation lists.
pub fn directory(operation: Operation) -> &'static str {
    match operation {
        Operation::Brand => "logos",
        Operation::Code => "assets",
        operation => operation.as_str(),
    }
}

/// Lists the files of a result, each once. Players and streams of other sites are no files.
pub fn list(operation: Operation, result: &Value) -> Vec<ListedFile> {
    let mut files = match operation {
        Operation::Images => collect(&result["images"], &["alt"], &["descriptor"], "image"),
        Operation::Svg => collect(&result["svgs"], &["title"], &[], "drawing"),
        Operation::Videos => collect(&result["videos"], &["title"], &[], "video"),
        Operation::Audio => collect(&result["audio"], &["title"], &[], "audio"),
        Operation::Fonts => collect(&result["fonts"], &["family", "weight", "style"], &[], "font"),
        Operation::Brand => {
            let mut logos = collect(&result["logos"], &["type"], &["theme"], "logo");
            logos.extend(file(&result["ogImage"], &["social-image".to_owned()]));
            logos
        }
        Operation::Code => assets(&result["assets"]),
        Operation::Extract | Operation::Lottie => Vec::new(),
    };
    let mut seen = std::collections::HashSet::new();
    files.retain(|file| seen.insert((file.url.clone(), file.code.clone())));
    files
}

fn assets(assets: &Value) -> Vec<ListedFile> {
    [
        collect(&assets["images"], &["alt"], &[], "image"),
        collect(&assets["svgs"], &[], &[], "drawing"),
        collect(&assets["fonts"], &["family", "weight", "style"], &[], "font"),
        collect(&assets["videos"], &[], &[], "video"),
        collect(&assets["lottie"], &[], &[], "animation"),
    ]
    .concat()
}

/// Returns the items of a list that have a URL of their own, or markup. They are named by the texts of `members`, in one name, and
/// with `details` if that is taken; otherwise by their file name, otherwise as their `role`.
fn collect(items: &Value, members: &[&str], details: &[&str], role: &str) -> Vec<ListedFile> {
    let items = items.as_array().map(Vec::as_slice).unwrap_or_default();
    let listed = |item: &Value| match item["code"].as_str() {
        Some(code) => {
            let own = members.iter().find_map(|member| item[*member].as_str()).map(slug);
            let name = own.filter(|name| !name.is_empty()).unwrap_or_else(|| drawing_name(item));
            Some(ListedFile { url: String::new(), code: Some(code.to_owned()), names: vec![name] })
        }
        None => file(&item["url"], &names(item, members, details, role)),
    };
    items.iter().filter(|item| is_file(item)).filter_map(listed).collect()
}

/// Returns true unless the item is a player's, or a list of a stream's parts.
fn is_file(item: &Value) -> bool {
    let media_type = item["type"].as_str().unwrap_or_default().to_ascii_lowercase();
    let is_stream = media_type.contains("mpegurl") || media_type.contains("dash+xml");
    item["provider"].is_null() && item["source"] != "embed" && !is_stream
}

fn file(url: &Value, names: &[String]) -> Option<ListedFile> {
    let url = url.as_str().filter(|url| !url.is_empty())?;
    Some(ListedFile { url: url.to_owned(), code: None, names: names.to_vec() })
}

fn names(item: &Value, members: &[&str], details: &[&str], role: &str) -> Vec<String> {
    let texts = |members: &[&str]| -> Vec<&str> { members.iter().filter_map(|member| item[member].as_str()).collect() };
    let own = slug(&texts(members).join(" "));
    let detailed = slug(&[&[own.as_str()][..], &texts(details)].concat().join(" "));
    let by_file = item["url"].as_str().map(file_stem).unwrap_or_default();
    let first = if own.is_empty() { Vec::new() } else { vec![own, detailed] };
    let mut names: Vec<String> = first.into_iter().chain([by_file, role.to_owned()]).collect();
    names.retain(|name| !name.is_empty());
    names.dedup();
    names
}

/// Returns the file name in a URL without its extension.
fn file_stem(url: &str) -> String {
    let Ok(url) = url::Url::parse(url) else { return String::new() };
    if url.cannot_be_a_base() {
        return String::new();
    }
    let last = url.path_segments().and_then(|mut segments| segments.rfind(|segment| !segment.is_empty()));
    let last = last.unwrap_or_default();
    slug(&percent_decode_str(last.rsplit_once('.').map_or(last, |(stem, _)| stem)).decode_utf8_lossy())
}

/// Returns a name for markup of an SVG: its title, its id, its last class, or where it is.
fn drawing_name(svg: &Value) -> String {
    let code = svg["code"].as_str().unwrap_or_default();
    let tag = code.split('>').next().unwrap_or_default();
    let attribute = |name: &str| {
        let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
        rest.split('"').next()
    };
    let class = attribute("class").and_then(|classes| classes.split_whitespace().last());
    let title = svg["title"].as_str().or_else(|| attribute("aria-label"));
    let candidates = [title, attribute("id"), class, svg["selector"].as_str().map(parent)];
    let named = candidates.into_iter().flatten().map(slug).find(|name| !name.is_empty());
    named.unwrap_or_else(|| "drawing".to_owned())
}

/// Returns the element that a selector's last one is in.
fn parent(selector: &str) -> &str {
    let parents = selector.rsplit(" > ").skip(1).map(|step| step.split(':').next().unwrap_or_default());
    parents.into_iter().find(|step| !matches!(*step, "a" | "div" | "span" | "button" | "li" | "p")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn first_names(files: &[ListedFile]) -> Vec<&str> {
        files.iter().map(|file| file.names[0].as_str()).collect()
    }

    #[test]
    fn files_are_named_by_what_they_are() {
        let images = json!({ "images": [
            { "url": "https://a.test/x/1f3a.png", "alt": "A round lamp!", "descriptor": "2x" },
            { "url": "https://a.test/hero%20wide.webp?w=1", "alt": "" },
            { "url": "https://a.test/", "alt": null },
            { "url": "https://a.test/" },
            { "url": "data:image/png;base64,AA==" },
        ] });
        let files = list(Operation::Images, &images);
        assert_eq!(first_names(&files), ["a-round-lamp", "hero-wide", "image", "image"]);
        assert_eq!(files[0].names, ["a-round-lamp", "a-round-lamp-2x", "1f3a", "image"]);

        let fonts = json!({ "fonts": [
            { "url": "https://a.test/f.woff2", "family": "Source Sans 3", "weight": "200 900", "style": "normal" },
            { "url": null, "family": "Arial", "weight": "400", "style": "normal" },
        ] });
        assert_eq!(first_names(&list(Operation::Fonts, &fonts)), ["source-sans-3-200-900-normal"]);

        let videos = json!({ "videos": [
            { "url": "https://youtu.be/x", "source": "embed", "provider": "youtube" },
            { "url": "https://a.test/live.m3u8", "source": "source", "type": "application/vnd.apple.mpegurl" },
            { "url": "https://a.test/film.mp4", "source": "video", "type": "video/mp4", "title": "The film" },
        ] });
        assert_eq!(first_names(&list(Operation::Videos, &videos)), ["the-film"]);

        let brand = json!({ "logos": [{ "url": "https://a.test/a.svg", "type": "logo", "source": "header", "theme": "dark" }],
            "ogImage": "https://a.test/og.jpg" });
        let files = list(Operation::Brand, &brand);
        assert_eq!(first_names(&files), ["logo", "social-image"]);
        assert_eq!(files[0].names[1], "logo-dark");
    }

    #[test]
    fn inline_drawings_are_named_by_what_they_are() {
        for (svg, name) in [
            (json!({ "code": "<svg id=\"a\">", "title": "Shopping cart" }), "shopping-cart"),
            (json!({ "code": "<svg aria-label=\"Menu\" class=\"icon\">" }), "menu"),
            (json!({ "code": "<svg class=\"icon icon-cart\"><g id=\"x\">" }), "icon-cart"),
            (json!({ "code": "<svg>", "selector": "body > header > a:nth-of-type(2) > svg" }), "header"),
            (json!({ "code": "<svg>" }), "drawing"),
        ] {
            assert_eq!(drawing_name(&svg), name, "{svg}");
        }
    }
}
