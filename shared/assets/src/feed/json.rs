//! Parses JSON Feed 1.1 for the attachments of its items.

use super::{Enclosure, MAX_ENCLOSURES};
use crate::media::attribute_text;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct JsonFeed {
    /// The URL of the feed's version, which distinguishes it from other JSON.
    version: String,
    /// Deserialized one by one, so that an invalid item does not affect the others.
    items: Vec<Value>,
}

#[derive(Deserialize)]
struct JsonFeedItem {
    #[serde(default)]
    title: Value,
    #[serde(default)]
    attachments: Vec<Value>,
}

#[derive(Deserialize)]
struct Attachment {
    #[serde(default)]
    url: String,
    #[serde(default)]
    mime_type: String,
    #[serde(default)]
    size_in_bytes: Value,
    #[serde(default)]
    duration_in_seconds: Value,
}

/// Returns the attachments in order; `None` if the document is no JSON Feed.
pub(super) fn enclosures(json: &str) -> Option<Vec<Enclosure>> {
    let feed: JsonFeed = serde_json::from_str(json).ok()?;
    if !feed.version.contains("jsonfeed.org/version/") {
        return None;
    }
    let items = feed.items.into_iter().filter_map(|item| serde_json::from_value::<JsonFeedItem>(item).ok());
    let of_item = |item: JsonFeedItem| {
        let title = item.title.as_str().and_then(attribute_text::tidy);
        let attachments = item.attachments.into_iter().filter_map(|own| serde_json::from_value(own).ok());
        attachments.filter_map(move |attachment| enclosure(attachment, title.clone()))
    };
    Some(items.flat_map(of_item).take(MAX_ENCLOSURES).collect())
}

fn enclosure(attachment: Attachment, title: Option<String>) -> Option<Enclosure> {
    let url = attachment.url.trim().to_owned();
    (!url.is_empty()).then_some(Enclosure {
        url,
        media_type: attachment.mime_type,
        length: attachment.size_in_bytes.as_u64().filter(|length| *length > 0),
        title,
        duration: attachment.duration_in_seconds.as_f64().filter(|seconds| *seconds > 0.0),
        is_uncertain: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_feed_attachments_become_enclosures() {
        let feed = r#"{"version":"https://jsonfeed.org/version/1.1","title":"Show","items":[
            {"id":"1","title":" One ","attachments":[
                {"url":"1.mp3","mime_type":"audio/mpeg","size_in_bytes":123,"duration_in_seconds":90.5},{"url":" "}]},
            {"id":"2","title":7,"attachments":[7,{"url":9},{"url":"2.mp3","size_in_bytes":"x"}]},{"id":"3"},
            {"id":"4","attachments":null},7]}"#;
        let first = Enclosure {
            url: "1.mp3".to_owned(),
            media_type: "audio/mpeg".to_owned(),
            length: Some(123),
            title: Some("One".to_owned()),
            duration: Some(90.5),
            is_uncertain: false,
        };
        let second = Enclosure { url: "2.mp3".to_owned(), ..Enclosure::default() };
        assert_eq!(enclosures(feed), Some(vec![first, second]));
    }

    #[test]
    fn json_without_feed_version_is_rejected() {
        for other in
            ["{}", "{\"version\":\"1\",\"items\":[]}", "{\"items\":[]}", "[1", "{\"version\":\"https://jsonfeed"]
        {
            assert_eq!(enclosures(other), None, "{other}");
        }
        let deep = "{\"a\":".repeat(100_000);
        assert_eq!(enclosures(&deep), None);
    }
}
