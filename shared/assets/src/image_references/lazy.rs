//! Lists attributes in which lazy-loading scripts store image URLs.
//!
//! There is no standard; the names are those of widespread scripts and themes (lazysizes,
//! vanilla-lazyload, lozad, jQuery Lazy, WP Rocket, Jetpack, Flickity, Splide, Shopify, reveal.js
//! …). The value must look like a URL.

use limner_types::result::ImageSource;

/// The syntax of such an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LazyAttribute {
    /// The URL of an image.
    Url(ImageSource),
    /// A URL, which refers to an image only if its file name does.
    Named(ImageSource),
    /// A list as in `srcset`.
    Set(ImageSource),
    /// A background: a URL, or CSS as in `background-image`.
    Background,
}

/// Returns the syntax of an attribute of `img`.
pub fn for_img(name: &str) -> Option<LazyAttribute> {
    match name {
        "data-src"
        | "data-lazy-src"
        | "data-lazy"
        | "data-lazyload"
        | "data-lazyload-src"
        | "data-lazy-image"
        | "data-original"
        | "data-orig-src"
        | "data-ll-src"
        | "data-echo"
        | "data-url"
        | "data-image"
        | "data-image-src"
        | "data-img"
        | "data-img-src"
        | "data-hi-res-src"
        | "data-hires"
        | "data-src-retina"
        | "data-retina"
        | "data-src-mobile"
        | "data-src-desktop"
        | "data-full-src"
        | "data-cfsrc"
        | "data-ezsrc"
        | "data-actualsrc"
        | "data-flickity-lazyload"
        | "data-flickity-lazyload-src"
        | "data-splide-lazy"
        | "data-noscript-src" => Some(LazyAttribute::Url(ImageSource::Img)),
        "data-large_image" | "data-large-file" | "data-medium-file" | "data-orig-file" | "data-zoom-image"
        | "data-full" | "data-large" | "data-thumb" => Some(LazyAttribute::Named(ImageSource::Img)),
        _ => is_set(name).then_some(LazyAttribute::Set(ImageSource::Srcset)),
    }
}

/// Returns the syntax of an attribute of `source` in a `picture`.
pub fn for_source(name: &str) -> Option<LazyAttribute> {
    match name {
        "data-src" | "data-lazy-src" => Some(LazyAttribute::Url(ImageSource::Picture)),
        _ => is_set(name).then_some(LazyAttribute::Set(ImageSource::Picture)),
    }
}

/// Returns the syntax of an attribute of other elements.
pub(super) fn for_element(element: &str, name: &str) -> Option<LazyAttribute> {
    match (element, name) {
        ("video" | "audio" | "source" | "script" | "iframe" | "link" | "track", _) if name != "data-poster" => None,
        (_, "data-poster") => Some(LazyAttribute::Url(ImageSource::Poster)),
        (
            _,
            "data-bg"
            | "data-bg-hidpi"
            | "data-bg-image"
            | "data-bg-img"
            | "data-bg-multi"
            | "data-bg-src"
            | "data-bg-url"
            | "data-background"
            | "data-background-image"
            | "data-background-image-url"
            | "data-background-src"
            | "data-background-url"
            | "data-setbg"
            | "data-lazy-background"
            | "data-lazy-bg"
            | "data-lazybg"
            | "data-ll-bg"
            | "data-lazyload-background",
        ) => Some(LazyAttribute::Background),
        (_, "data-bgset") => Some(LazyAttribute::Set(ImageSource::Css)),
        (
            _,
            "data-src"
            | "data-image"
            | "data-image-src"
            | "data-img"
            | "data-img-src"
            | "data-original"
            | "data-lazy-src"
            | "data-parallax-image"
            | "data-parallax-src"
            | "data-thumb",
        ) => Some(LazyAttribute::Named(ImageSource::Css)),
        _ => None,
    }
}

fn is_set(name: &str) -> bool {
    matches!(
        name,
        "data-srcset"
            | "data-lazy-srcset"
            | "data-lazyload-srcset"
            | "data-original-set"
            | "data-orig-srcset"
            | "data-ll-srcset"
            | "data-flickity-lazyload-srcset"
            | "data-splide-lazy-srcset"
            | "data-cfsrcset"
            | "data-ezsrcset"
            | "data-noscript-srcset"
    )
}

/// Returns true if a value is a URL rather than a flag, a number, a colour or a template.
pub fn is_address(value: &str) -> bool {
    let value = value.trim();
    if value.starts_with("data:") {
        return true;
    }
    let is_template = || value.contains(['{', '}', '<', '>', '"', '(', '|']) || value.contains("__");
    let is_number = || value.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'%'));
    let has_structure = value.contains(['/', '.']);
    has_structure && value.len() <= 4_096 && !value.contains(char::is_whitespace) && !is_number() && !is_template()
}

#[cfg(test)]
mod tests {
    use super::is_address;

    #[test]
    fn urls_are_recognized() {
        for (value, expected) in [
            ("a.jpg", true),
            ("/img/a", true),
            ("https://cdn.example/i?w=1", true),
            ("data:image/gif;base64,R0lGOD", true),
            ("", false),
            ("true", false),
            ("#fff", false),
            ("0.5", false),
            ("50%", false),
            ("rgba(0,0,0,.5)", false),
            ("{{ image.src }}", false),
            ("a b.jpg", false),
        ] {
            assert_eq!(is_address(value), expected, "{value}");
        }
    }
}
