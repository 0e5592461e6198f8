//! Pictures that pages show as an `object` or `embed`. Both can run things; what they show of a picture an `img` shows too.

use super::attributes::Addresses;
use crate::code::model::Attribute;
use limner_page::dom::Element;

/// Whether an element is one of them and shows a picture, by its type or the name of the file.
pub(super) fn is_picture(element: &Element) -> bool {
    address(element).is_some()
}

/// The attributes of the `img` that stands for a picture, besides those that it keeps. `fallback` is what is inside.
pub(super) fn attributes(element: &Element, fallback: &str, addresses: &Addresses<'_>) -> Option<Vec<Attribute>> {
    let src = addresses.absolute(address(element)?, true)?;
    let alt = fallback.split_whitespace().collect::<Vec<_>>().join(" ");
    let attribute = |name: &str, value: String| Attribute { name: name.to_owned(), value };
    Some(vec![attribute("src", src), attribute("alt", alt)])
}

fn address(element: &Element) -> Option<&str> {
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
