//! Elements that a component leaves out, and those that an image replaces.

use limner_page::dom::{Element, is_tiny_size};

/// Returns true for HTML elements that render nothing by themselves, run something, or track the visitor.
pub fn is_omitted(element: &Element) -> bool {
    if !element.in_html() {
        return false;
    }
    let inert = matches!(
        element.name(),
        "applet"
            | "base"
            | "frame"
            | "frameset"
            | "head"
            | "link"
            | "meta"
            | "noembed"
            | "noframes"
            | "noscript"
            | "param"
            | "script"
            | "style"
            | "template"
            | "title"
    );
    let runs = element.name() == "embed" && !is_embedded_image(element);
    inert || runs || is_tracker(element)
}

/// Returns true for images and frames of one pixel, unless they are contents that CSS sizes: `width=0` with a width in
/// `style`, or with files for several sizes or an alternative text, where a class does. Trackers of one pixel have
/// alternative texts too.
pub fn is_tracker(element: &Element) -> bool {
    if !matches!(element.name(), "img" | "iframe") {
        return false;
    }
    let declarations = element.attr("style").unwrap_or_default().split(';').filter_map(|one| one.split_once(':'));
    let mut widths = declarations.filter(|(name, _)| name.trim().eq_ignore_ascii_case("width"));
    let is_zero = |size: &str| matches!(size.trim(), "0" | "0px");
    let is_empty = ["width", "height"].iter().all(|name| element.attr(name).is_some_and(is_zero));
    let describes = |name: &&str| !element.attr(name).unwrap_or_default().is_empty();
    let is_content = is_empty && ["srcset", "sizes", "alt"].iter().any(describes);
    let is_tiny = element.is_tiny("width") && element.is_tiny("height");
    is_tiny && !is_content && widths.all(|(_, size)| is_tiny_size(size))
}

/// Returns true for an `object` or `embed` that renders an image, by its type or file name.
pub fn is_embedded_image(element: &Element) -> bool {
    embedded_image_url(element).is_some()
}

/// Returns the URL of the image that an `object` or `embed` renders.
pub fn embedded_image_url(element: &Element) -> Option<&str> {
    const FILES: [&str; 8] = ["avif", "gif", "ico", "jpeg", "jpg", "png", "svg", "webp"];
    let address = match element.name() {
        "object" if element.in_html() => element.attr("data"),
        "embed" if element.in_html() => element.attr("src"),
        _ => None,
    };
    let address = address.map(str::trim).filter(|address| !address.is_empty() && !address.starts_with('#'))?;
    let kind = element.attr("type").unwrap_or_default().trim().to_ascii_lowercase();
    let path = address.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    let by_name =
        || path.rsplit_once('.').is_some_and(|(_, end)| FILES.contains(&end)) || path.starts_with("data:image/");
    let shows = if kind.is_empty() { by_name() } else { kind.starts_with("image/") };
    shows.then_some(address)
}
