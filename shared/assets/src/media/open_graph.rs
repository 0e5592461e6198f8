//! Parses Open Graph and Twitter card tags of a media kind.

use super::attribute_text;
use limner_page::{Document, NodeId};

/// A media object described by `meta` tags (ogp.me, "structured properties").
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct TaggedMedia {
    /// The node index of the object's first tag.
    pub(crate) node: usize,
    /// `og:video`, `og:video:url` and `og:video:secure_url` as written, without duplicates.
    pub(crate) urls: Vec<String>,
    /// The declared media type.
    pub(crate) media_type: Option<String>,
    /// The declared width.
    pub(crate) width: Option<u32>,
    /// The declared height.
    pub(crate) height: Option<u32>,
    /// The duration in seconds.
    pub(crate) duration: Option<f64>,
    /// `og:audio:title`.
    pub(crate) title: Option<String>,
}

/// Returns every `meta` with a name and content: its node, its `property` or `name` in lower case,
/// and the content.
pub(crate) fn metas(document: &Document) -> impl Iterator<Item = (NodeId, String, &str)> {
    document.elements_named("meta").filter_map(|(node, meta)| {
        let name = meta.attr("property").or_else(|| meta.attr("name"))?.trim().to_ascii_lowercase();
        let content = meta.attr("content")?.trim();
        (!name.is_empty() && !content.is_empty()).then_some((node, name, content))
    })
}

/// Returns the objects of `og:video` or `og:audio`.
pub(crate) fn open_graph(document: &Document, root: &str) -> Vec<TaggedMedia> {
    let mut objects: Vec<TaggedMedia> = Vec::new();
    // True once the current object has its root or `:url`; another one starts the next object.
    let mut has_address = false;
    for (node, name, content) in metas(document) {
        let Some(property) = name.strip_prefix(root) else { continue };
        let is_address = matches!(property, "" | ":url");
        let repeats = objects.last().is_some_and(|object| object.urls.iter().any(|url| url == content));
        let opens = objects.is_empty() || (is_address && has_address && !repeats);
        if opens && matches!(property, "" | ":url" | ":secure_url") {
            objects.push(TaggedMedia { node: node.index(), ..TaggedMedia::default() });
            has_address = false;
        }
        has_address |= is_address;
        if let Some(object) = objects.last_mut() {
            object.apply_property(property, content);
        }
    }
    objects
}

/// Maximum number of URLs of one object: its own, the `https:` variant, and some duplicates.
const MAX_URLS: usize = 32;

impl TaggedMedia {
    fn is_full(&self) -> bool {
        self.urls.len() >= MAX_URLS
    }

    fn apply_property(&mut self, property: &str, content: &str) {
        match property {
            "" | ":url" | ":secure_url" if self.is_full() || self.urls.iter().any(|url| url == content) => {}
            "" | ":url" | ":secure_url" => self.urls.push(content.to_owned()),
            ":type" => self.media_type = super::format::essence(content),
            ":width" => self.width = attribute_text::pixels(content),
            ":height" => self.height = attribute_text::pixels(content),
            ":duration" => self.duration = super::duration::parse_duration(content),
            ":title" | ":alt" => self.title = attribute_text::tidy(content),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn objects(html: &str) -> Vec<(Vec<String>, Option<String>, Option<u32>)> {
        let read = open_graph(&Document::parse(html), "og:video");
        read.into_iter().map(|o| (o.urls, o.media_type, o.width)).collect()
    }

    #[test]
    fn structured_properties_belong_to_the_tag_before_them() {
        let html = r#"<meta property="og:video:width" content="1"><meta property="og:video" content="/a.mp4">
            <meta property="og:video:secure_url" content="https://s.test/a.mp4"><meta name="OG:Video:Type" content="video/mp4">
            <meta property="og:video:url" content="/a.mp4"><meta property="og:video:width" content="640">
            <meta property="og:video" content="/b.webm"><meta property="og:video:type" content="video/webm">
            <meta property="og:video" content=" "><meta property="og:video:tag" content="x">"#;
        let expected = vec![
            (vec!["/a.mp4".to_owned(), "https://s.test/a.mp4".to_owned()], Some("video/mp4".to_owned()), Some(640)),
            (vec!["/b.webm".to_owned()], Some("video/webm".to_owned()), None),
        ];
        assert_eq!(objects(html), expected);
    }

    #[test]
    fn urls_after_their_secure_variant_belong_to_the_same_object() {
        let html = r#"<meta property="og:video:secure_url" content="https://s/a"><meta property="og:video:url" content="http://s/a">
            <meta property="og:video:url" content="http://s/b">"#;
        assert_eq!(objects(html).len(), 2);
    }
}
