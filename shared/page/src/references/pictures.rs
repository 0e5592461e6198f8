//! Pictures whose size is known from their file alone.

use crate::dom::{Document, Element};
use std::collections::HashSet;
use url::Url;

/// Addresses, without fragment, of the pictures that a layout needs the natural size of: those of `img` elements that
/// say no width and height themselves. In document order, each once.
pub fn pictures_without_size(document: &Document, base: &Url) -> Vec<Url> {
    let mut seen = HashSet::new();
    let addresses = document.elements_named("img").filter(|(_, element)| !says_its_size(element));
    let urls = addresses.filter_map(|(_, element)| {
        let source = element.attr("src").map(str::trim).filter(|source| !source.is_empty())?;
        let mut url = base.join(source).ok()?;
        url.set_fragment(None);
        matches!(url.scheme(), "http" | "https").then_some(url)
    });
    urls.filter(|url| seen.insert(url.clone())).collect()
}

fn says_its_size(element: &Element) -> bool {
    ["width", "height"].into_iter().all(|name| {
        let number = element.attr(name).and_then(|text| text.trim().trim_end_matches("px").parse::<f32>().ok());
        number.is_some_and(|number| number > 0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pictures_that_layout_knows_nothing_of() {
        let base = Url::parse("https://a.test/p/").unwrap();
        for (html, expected) in [
            ("<img src=a.png>", vec!["https://a.test/p/a.png"]),
            (
                "<img src=a.png><img src='a.png#x'><img src=/b.png>",
                vec!["https://a.test/p/a.png", "https://a.test/b.png"],
            ),
            ("<img src=a.png width=10>", vec!["https://a.test/p/a.png"]),
            ("<img src=a.png width='100%' height=10>", vec!["https://a.test/p/a.png"]),
            ("<img src=a.png width=10 height=10px>", vec![]),
            ("<img src='data:image/gif;base64,R0lGODlh'><img><img src=''>", vec![]),
            ("<img src='file:///a.png'><img src='http://['>", vec![]),
        ] {
            let found = pictures_without_size(&Document::parse(html), &base);
            let found: Vec<&str> = found.iter().map(Url::as_str).collect();
            assert_eq!(found, expected, "{html}");
        }
    }
}
