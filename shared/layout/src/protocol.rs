//! The protocol between a process that needs boxes and the child that computes them.
//!
//! A question is JSON. An answer is one byte (1 if there are boxes), the number of nodes, and for each node with a box
//! its index and four floats, little-endian. Both are sent as frames of `limner_subprocess`.

use limner_page::{PageSnapshot, Resource, Stylesheet, snapshot::ImportedSheet};
use limner_style::Environment;
use limner_style::layout::{Boxes, Rect};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// Maximum length of a frame in bytes: a page at its limits, written as JSON.
pub(crate) const MAX_FRAME: usize = 256 * 1024 * 1024;
/// Maximum number of bytes of an image: only the beginning is needed.
const MAX_RESOURCE: usize = 64 * 1024;

/// A page and an environment.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct LayoutRequest<'q> {
    url: Cow<'q, str>,
    html: Cow<'q, str>,
    sheets: Cow<'q, [Stylesheet]>,
    imports: Cow<'q, BTreeMap<String, ImportedSheet>>,
    /// Beginnings of images, each byte as a character.
    pictures: BTreeMap<String, String>,
    /// Images that failed to load.
    broken: BTreeSet<String>,
    environment: Cow<'q, Environment>,
}

impl<'q> LayoutRequest<'q> {
    pub(crate) fn new(page: &'q PageSnapshot, environment: &'q Environment) -> Self {
        let is_picture = |resource: &&Resource| resource.content_type.starts_with("image/");
        let begin = |resource: &Resource| {
            resource.body.iter().take(MAX_RESOURCE).map(|byte| char::from(*byte)).collect::<String>()
        };
        let pictures = page.resources.iter().filter(|(_, resource)| is_picture(resource));
        let broken = page.resources.iter().filter(|(_, resource)| resource.status >= 400);
        Self {
            url: Cow::Borrowed(&page.url),
            html: Cow::Borrowed(&page.html),
            sheets: Cow::Borrowed(&page.sheets),
            imports: Cow::Borrowed(&page.imports),
            pictures: pictures.map(|(url, resource)| (url.clone(), begin(resource))).collect(),
            broken: broken.map(|(url, _)| url.clone()).collect(),
            environment: Cow::Borrowed(environment),
        }
    }

    pub(crate) fn into_page(self) -> (PageSnapshot, Environment) {
        let resource = |text: String| Resource {
            body: text.chars().map(|c| u8::try_from(c).unwrap_or_default()).collect(),
            ..Resource::default()
        };
        let pictures = self.pictures.into_iter().map(|(url, text)| (url, resource(text)));
        let missing = || Resource { status: 404, ..Resource::default() };
        let broken = self.broken.into_iter().map(|url| (url, missing()));
        let page = PageSnapshot {
            url: self.url.into_owned(),
            html: self.html.into_owned(),
            sheets: self.sheets.into_owned(),
            imports: self.imports.into_owned(),
            resources: pictures.chain(broken).collect(),
            ..PageSnapshot::default()
        };
        (page, self.environment.into_owned())
    }

    pub(crate) fn encode(&self) -> io::Result<Vec<u8>> {
        serde_json::to_vec(self).map_err(io::Error::other)
    }

    pub(crate) fn decode(frame: &[u8]) -> io::Result<LayoutRequest<'static>> {
        serde_json::from_slice(frame).map_err(io::Error::other)
    }
}

pub(crate) fn encode_answer(boxes: Option<&Boxes>) -> Vec<u8> {
    let Some(boxes) = boxes else { return vec![0] };
    let nodes = boxes.by_node();
    let mut frame = Vec::with_capacity(5 + nodes.len() * 20);
    frame.push(1);
    frame.extend(u32::try_from(nodes.len()).unwrap_or(u32::MAX).to_le_bytes());
    for (number, rect) in nodes.iter().enumerate() {
        let Some(rect) = rect else { continue };
        frame.extend(u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
        for side in [rect.x, rect.y, rect.width, rect.height] {
            frame.extend(side.to_le_bytes());
        }
    }
    frame
}

/// Decodes an answer: the inner value is `None` if the page could not be laid out; an error if the frame is malformed.
pub(crate) fn decode_answer(frame: &[u8]) -> io::Result<Option<Boxes>> {
    let broken = || io::Error::new(io::ErrorKind::InvalidData, "not an answer");
    let (has_boxes, rest) = frame.split_first().ok_or_else(broken)?;
    if *has_boxes == 0 {
        return Ok(None);
    }
    let (count, rest) = rest.split_first_chunk::<4>().ok_or_else(broken)?;
    let count = u32::from_le_bytes(*count) as usize;
    if count > MAX_FRAME / 4 {
        return Err(broken());
    }
    let mut by_node = vec![None; count];
    let (rows, rest) = rest.as_chunks::<20>();
    if !rest.is_empty() {
        return Err(broken());
    }
    for row in rows {
        let (words, _) = row.as_chunks::<4>();
        let number = u32::from_le_bytes(words[0]) as usize;
        let side = |at: usize| f32::from_le_bytes(words[at]);
        let slot = by_node.get_mut(number).ok_or_else(broken)?;
        *slot = Some(Rect { x: side(1), y: side(2), width: side(3), height: side(4) });
    }
    Ok(Some(Boxes::new(by_node)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_request_round_trips() {
        let mut page =
            PageSnapshot { url: "https://a.test/".into(), html: "<p>\u{0}é".into(), ..PageSnapshot::default() };
        page.sheets.push(Stylesheet { text: Some("p{color:red}".into()), ..Stylesheet::default() });
        let picture = Resource { body: vec![0, 128, 255], content_type: "image/gif".into(), ..Resource::default() };
        page.resources.insert("https://a.test/a.gif".into(), picture);
        page.resources.insert("https://a.test/feed".into(), Resource::default());
        let missing = Resource { status: 404, ..Resource::default() };
        page.resources.insert("https://a.test/b.gif".into(), missing);
        let environment = Environment { width: 390.0, ..Environment::default() };
        let frame = LayoutRequest::new(&page, &environment).encode().unwrap();
        let (arrived, environment_arrived) = LayoutRequest::decode(&frame).unwrap().into_page();
        assert_eq!((arrived.html, arrived.url, arrived.sheets), (page.html, page.url, page.sheets));
        assert_eq!(arrived.resources["https://a.test/a.gif"].body, [0, 128, 255]);
        assert_eq!(arrived.resources["https://a.test/b.gif"].status, 404);
        assert_eq!(arrived.resources.len(), 2);
        assert_eq!(environment_arrived, environment);
    }

    #[test]
    fn layout_response_round_trips() {
        let rect = Rect { x: -1.5, y: 2.0, width: 3.25, height: 0.0 };
        for boxes in [None, Some(Boxes::new(vec![])), Some(Boxes::new(vec![None, Some(rect), None]))] {
            assert_eq!(decode_answer(&encode_answer(boxes.as_ref())).unwrap(), boxes);
        }
    }

    #[test]
    fn malformed_answer_is_an_error() {
        let far = [&[1, 1, 0, 0, 0, 9, 0, 0, 0][..], &[0; 16]].concat();
        for frame in [&[][..], &[1], &[1, 0, 0], &[1, 255, 255, 255, 255], &[1, 1, 0, 0, 0, 7], &far] {
            assert!(decode_answer(frame).is_err(), "{frame:?}");
        }
    }
}
