//! Open Graph and Twitter card tags of a media kind.

use super::text;
use limner_page::{Document, NodeId};

/// One media object that `meta` tags describe (ogp.me, "structured properties").
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct TaggedMedia {
    /// The first tag of the object.
    pub(crate) node: usize,
    /// `og:video`, `og:video:url` and `og:video:secure_url` as written, each once.
    pub(crate) urls: Vec<String>,
    /// Declared media type.
    pub(crate) media_type: Option<String>,
    /// Declared width.
    pub(crate) width: Option<u32>,
    /// Declared height.
    pub(crate) height: Option<u32>,
    /// Seconds.
    pub(crate) duration: Option<f64>,
    /// `og:audio:title`.
    pub(crate) title: Option<String>,
}

/// Every `meta` with a name and content: its node, `property` or `name` in lower case, and content.
pub(crate) fn metas(document: &Document) -> impl Iterator<Item = (NodeId, String, &str)> {
    document.elements_named("meta").filter_map(|(node, meta)| {
        let name = meta.attr("property").or_else(|| meta.attr("name"))?.trim().to_ascii_lowercase();
        let content = meta.attr("content")?.trim();
        (!name.is_empty() && !content.is_empty()).then_some((node, name, content))
    })
}

/// The objects of `og:video` or `og:audio`.
pub(crate) fn open_graph(document: &Document, root: &str) -> Vec<TaggedMedia> {
    let mut objects: Vec<TaggedMedia> = Vec::new();
    // Whether the current object already has its root or `:url`; another one opens the next object.
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
            object.read(property, content);
        }
    }
    objects
}

/// Most addresses of one object: its own, those for `https:`, and some that repeat.
const MOST_ADDRESSES: usize = 32;

impl TaggedMedia {
    fn is_full(&self) -> bool {
        self.urls.len() >= MOST_ADDRESSES
    }

    fn read(&mut self, property: &str, content: &str) {
        match property {
            "" | ":url" | ":secure_url" if self.is_full() || self.urls.iter().any(|url| url == content) => {}
            "" | ":url" | ":secure_url" => self.urls.push(content.to_owned()),
            ":type" => self.media_type = super::format::essence(content),
            ":width" => self.width = text::pixels(content),
            ":height" => self.height = text::pixels(content),
            ":duration" => self.duration = super::duration::any(content),
            ":title" | ":alt" => self.title = text::tidy(content),
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
    fn an_address_after_its_secure_twin_is_the_same_object() {
        let html = r#"<meta property="og:video:secure_url" content="https://s/a"><meta property="og:video:url" content="http://s/a">
            <meta property="og:video:url" content="http://s/b">"#;
        assert_eq!(objects(html).len(), 2);
    }
}
