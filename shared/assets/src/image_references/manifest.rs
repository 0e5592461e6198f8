//! Collects images of a web app manifest: icons, screenshots, shortcut icons.

use super::link::largest_size;
use super::{ImageOrigin, ImageReference, key};
use limner_page::PageSnapshot;
use limner_types::result::ImageSource;
use serde_json::Value;
use url::Url;

/// Returns the images of the manifest at `url`, if it was fetched and is valid.
pub(super) fn images(page: &PageSnapshot, url: &Url) -> Vec<ImageReference> {
    let Some(resource) = page.resources.get(key(url)).filter(|resource| (200..300).contains(&resource.status)) else {
        return Vec::new();
    };
    let body = resource.body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&resource.body);
    let (Ok(manifest), Ok(base)) = (serde_json::from_slice::<Value>(body), Url::parse(&resource.url)) else {
        return Vec::new();
    };
    let shortcuts = members(&manifest, "shortcuts").flat_map(|shortcut| members(shortcut, "icons"));
    let icons = members(&manifest, "icons").filter_map(|image| reference(image, &base));
    let others = members(&manifest, "screenshots").chain(shortcuts).filter_map(|image| reference(image, &base));
    icons.map(|icon| ImageReference { is_app_icon: true, ..icon }).chain(others).collect()
}

fn members<'a>(object: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    object.get(name).and_then(Value::as_array).into_iter().flatten()
}

fn reference(image: &Value, base: &Url) -> Option<ImageReference> {
    let text = |name: &str| image.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    let url = base.join(text("src")?).ok()?;
    let (width, height) = text("sizes").and_then(largest_size).unzip();
    Some(ImageReference {
        width,
        height,
        alt: text("label").map(str::to_owned),
        media_type: text("type").map(str::to_owned),
        ..ImageReference::new(url, ImageOrigin::Image(ImageSource::Manifest))
    })
}
