//! Lists attributes in which lazy-loading scripts store image URLs.
//!
//! There is no standard; the names are those of widespread scripts and themes (lazysizes,
//! vanilla-lazyload, lozad, jQuery Lazy, WP Rocket, Jetpack, Flickity, Splide, Shopify, reveal.js
//! …). The value must look like a URL.

use limner_page::dom::Element;
use limner_style::{SubstringSet, is_lazy_background};
use limner_types::result::ImageSource;

/// The syntax of such an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LazyAttribute {
    /// The URL of an image.
    Url(ImageSource),
    /// A URL, which refers to an image only if its file name does.
    UrlWithImageName(ImageSource),
    /// A URL with a path, which refers to an image only if its file name does, or CSS with `url()`: the name of the
    /// attribute is unknown.
    ImagePath(ImageSource),
    /// A list as in `srcset`.
    Srcset(ImageSource),
    /// A background: a URL, or CSS as in `background-image`.
    Background,
}

/// Words in the names of attributes whose value is an image in scripts that are not listed here.
static IMAGE_WORDS: [SubstringSet; 2] = [
    SubstringSet::new(&["image", "img", "bg", "background", "src", "parallax", "poster", "cover"]),
    SubstringSet::new(&["photo", "picture", "thumb", "lazy", "slide", "pattern"]),
];
/// Words in the names of attributes that may hold the URL of an image which the page does not show.
static OTHER_WORDS: [SubstringSet; 2] = [
    SubstringSet::new(&["href", "link", "share", "pin", "title", "caption", "alt", "name"]),
    SubstringSet::new(&["meta", "description", "text", "label", "json", "base64", "srcset"]),
];

fn has_word(words: &[SubstringSet], name: &str) -> bool {
    words.iter().any(|set| set.is_match(name))
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
        | "data-noscript-src"
        | "data-src-webp"
        | "data-src-avif"
        | "data-webp"
        | "data-lazy-webp"
        | "data-src-tablet"
        | "data-src-small"
        | "data-src-medium"
        | "data-src-large"
        | "data-src-fallback"
        | "data-fallback-src" => Some(LazyAttribute::Url(ImageSource::Img)),
        "data-large_image" | "data-large-file" | "data-medium-file" | "data-orig-file" | "data-zoom-image"
        | "data-full" | "data-large" | "data-thumb" => Some(LazyAttribute::UrlWithImageName(ImageSource::Img)),
        _ if is_srcset_name(name) => Some(LazyAttribute::Srcset(ImageSource::Srcset)),
        _ => (!has_word(&OTHER_WORDS, name)).then_some(LazyAttribute::ImagePath(ImageSource::Img)),
    }
}

/// Attributes with the picture that a script shows in place of the one in `src`.
const LATE: [&str; 9] = [
    "data-cfsrc",
    "data-ezsrc",
    "data-lazy",
    "data-lazy-src",
    "data-lazyload",
    "data-ll-src",
    "data-orig-src",
    "data-original",
    "data-src",
];

/// Classes of images that a script loads, besides those with `lazy` in their name.
const LATE_CLASSES: [&str; 4] = ["b-lazy", "lozad", "t-img", "unveil"];

/// Words in the names of files that only keep the place of a picture, and of small copies of it.
const PLACEHOLDERS: [&str; 12] = [
    "1x1",
    "blank",
    "dummy",
    "lazy",
    "loading",
    "lqip",
    "pixel.",
    "placeholder",
    "preload",
    "resize__20x",
    "spacer",
    "transparent",
];

/// Returns true if a script replaces the `src` of an image by the address that another attribute has.
pub fn replaces_source(classes: &str, attribute: &str, source: &str) -> bool {
    let is_late = |class: &str| {
        LATE_CLASSES.contains(&class)
            || class.contains("lazy") && !["lazyloaded", "no-lazy", "skip-lazy"].contains(&class)
    };
    let path = source.split(['?', '#']).next().unwrap_or_default();
    let file = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let is_placeholder = || PLACEHOLDERS.iter().any(|word| file.contains(word)) || path.contains("/resize/20x/");
    LATE.contains(&attribute) && (classes.split_ascii_whitespace().any(is_late) || is_placeholder())
}

/// Returns the syntax of an attribute of `source` in a `picture`.
pub fn for_source(name: &str) -> Option<LazyAttribute> {
    match name {
        "data-src" | "data-lazy-src" => Some(LazyAttribute::Url(ImageSource::Picture)),
        _ => is_srcset_name(name).then_some(LazyAttribute::Srcset(ImageSource::Picture)),
    }
}

/// Returns the syntax of an attribute of other elements.
pub(super) fn for_element(element: &str, name: &str) -> Option<LazyAttribute> {
    match (element, name) {
        (_, "data-poster" | "data-poster-src" | "data-poster-url" | "data-poster-image" | "data-video-poster") => {
            Some(LazyAttribute::Url(ImageSource::Poster))
        }
        ("video" | "audio" | "source" | "script" | "iframe" | "link" | "track", _) => None,
        (_, name) if is_lazy_background(name) => Some(LazyAttribute::Background),
        (_, "data-bgset") => Some(LazyAttribute::Srcset(ImageSource::Css)),
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
        ) => Some(LazyAttribute::UrlWithImageName(ImageSource::Css)),
        (_, name) if has_word(&IMAGE_WORDS, name) && !has_word(&OTHER_WORDS, name) => {
            Some(LazyAttribute::ImagePath(ImageSource::Css))
        }
        _ => None,
    }
}

fn is_srcset_name(name: &str) -> bool {
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
            | "data-srcset-webp"
            | "data-srcset-avif"
            | "data-lazy-srcset-webp"
    )
}

/// Returns true if a value is a URL rather than a flag, a number, a colour, a function or a
/// template. Scripts assign the value to `src`, so that a file name may have any character.
pub fn is_url_like(value: &str) -> bool {
    let value = value.trim();
    if value.starts_with("data:") {
        return true;
    }
    let is_number = || value.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'%'));
    let is_prose = || value.contains(char::is_whitespace) && !starts_like_path(value) && !has_extension(value);
    let has_structure = value.contains(['/', '.']) && value.len() <= 4_096;
    has_structure && !is_number() && !is_function(value) && !is_template(value) && !is_prose()
}

/// Returns true if a value is the URL of one file, with a path: not a file name alone, nor a list.
pub(super) fn is_path(value: &str) -> bool {
    let is_list = || [",/", ",http", ", ", "|", ";"].iter().any(|mark| value.contains(mark));
    value.contains('/') && !is_list() && is_url_like(value)
}

/// Returns true if a template engine has yet to fill the value: it has braces, angle brackets or a
/// name such as `__IMAGE__`, or is a quoted string or list.
fn is_template(value: &str) -> bool {
    let is_encoded = || {
        value.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("%7B"))
            || ["%7B%7B", "%7Bwidth%7D"].iter().any(|encoded| value.contains(encoded))
    };
    value.contains(['{', '}', '<', '>'])
        || value.starts_with(['"', '\'', '[', '@'])
        || is_encoded()
        || has_placeholder(value)
}

/// Returns true for `__NAME__`, which names a placeholder as long as it is in capitals.
fn has_placeholder(value: &str) -> bool {
    let mut parts = value.split("__");
    parts.next();
    let is_name = |part: &str| {
        part.len() > 2
            && part.bytes().any(|b| b.is_ascii_uppercase())
            && part.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
    };
    let parts: Vec<&str> = parts.collect();
    parts.len() > 1 && parts[..parts.len() - 1].iter().any(|part| is_name(part))
}

/// Returns true for a CSS function such as `rgba(0,0,0,.5)`.
fn is_function(value: &str) -> bool {
    let Some((name, _)) = value.split_once('(').filter(|_| value.ends_with(')')) else { return false };
    name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

fn starts_like_path(value: &str) -> bool {
    ["/", "./", "../", "http:", "https:"].iter().any(|start| value.starts_with(start))
}

/// Returns true if the path ends with a file extension.
fn has_extension(value: &str) -> bool {
    let path = value.split(['?', '#']).next().unwrap_or_default();
    let extension = path.rsplit_once('.').map(|(_, extension)| extension).unwrap_or_default();
    (2..=5).contains(&extension.len()) && extension.bytes().all(|b| b.is_ascii_alphanumeric())
}

/// Returns true if a background is CSS rather than a URL, which may have brackets too.
pub(super) fn is_css_image(value: &str) -> bool {
    let value = value.to_ascii_lowercase();
    ["url(", "image-set(", "gradient(", "image(", "cross-fade("].iter().any(|function| value.contains(function))
}

/// The width that a script would put into a template whose element declares none.
const DEFAULT_WIDTH: u32 = 1_080;
/// Maximum number of widths of one template.
const MAX_WIDTHS: usize = 40;

/// Returns the URLs of a template such as `lamp_{width}x.jpg`, each with its width: those in
/// `data-widths` (lazysizes' `rias` plugin, which shops use). Empty if the value is no template or
/// has further placeholders.
pub(super) fn template_urls(element: &Element, value: &str) -> Vec<(String, u32)> {
    const WIDTH: &[&str] = &["{width}", "%7Bwidth%7D", "{w}"];
    let Some(placeholder) = WIDTH.iter().find(|name| value.contains(**name)) else { return Vec::new() };
    let ratio = element.attr("data-aspectratio").and_then(|ratio| ratio.trim().parse::<f64>().ok());
    let mut widths: Vec<u32> = element
        .attr("data-widths")
        .unwrap_or_default()
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|width| width.parse().ok().filter(|width| *width > 0))
        .take(MAX_WIDTHS)
        .collect();
    if widths.is_empty() {
        widths.push(DEFAULT_WIDTH);
    }
    let fill = |width: u32| {
        let url = value.replace(placeholder, &width.to_string());
        let height = ratio.filter(|ratio| *ratio > 0.0).map(|ratio| (f64::from(width) / ratio).round().to_string());
        match height {
            Some(height) => url.replace("{height}", &height),
            None => url,
        }
    };
    widths.into_iter().map(|width| (fill(width), width)).filter(|(url, _)| is_url_like(url)).collect()
}

#[cfg(test)]
mod tests {
    use super::is_url_like;

    #[test]
    fn urls_are_recognized() {
        for (value, expected) in [
            ("a.jpg", true),
            ("/img/a", true),
            ("https://cdn.example/i?w=1", true),
            ("data:image/gif;base64,R0lGOD", true),
            ("a b.jpg", true),
            ("/up/WhatsApp Image 2021-04-12 at 10.29.24 (1)-sm.jpeg", true),
            ("/up/hero__large.jpg", true),
            ("/up/HERO__large__2.jpg", true),
            ("/up/It's_yoga.jpg", true),
            ("/up/a|b.jpg", true),
            ("/up/a (1)", true),
            ("image(1).png", true),
            ("", false),
            ("true", false),
            ("#fff", false),
            ("0.5", false),
            ("50%", false),
            ("rgba(0,0,0,.5)", false),
            ("linear-gradient(#fff 1.5px, red)", false),
            ("{{ image.src }}", false),
            ("%7B%7Bimage.src%7D%7D", false),
            ("<%= image.src %>", false),
            ("/up/__IMAGE_URL__.jpg", false),
            ("[\"a.jpg\"]", false),
            ("@@src.jpg", false),
            ("Loading. Please wait", false),
        ] {
            assert_eq!(is_url_like(value), expected, "{value}");
        }
    }
}
