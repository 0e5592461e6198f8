//! Resolves `prefers-color-scheme` in the `media` of pictures' sources: a dark component is dark in any document.
//!
//! Before → after: `<source media="(prefers-color-scheme: dark) and (min-width: 600px)">` → `<source media="(min-width:
//! 600px)">`.
//!
//! Reads and changes attributes. It depends on no other pass; it stands with those about the tree, before those about
//! rules.

use crate::capture::passes::{Draft, PassContext};
use limner_style::color::Scheme;

/// Resolves `prefers-color-scheme` in the `media` attribute of each `<source>` of a dark component.
pub(crate) fn resolve_source_media(context: &PassContext<'_, '_>, draft: &mut Draft) {
    if context.section.request.scheme != Scheme::Dark {
        return;
    }
    for source in draft.component.elements.iter_mut().filter(|element| element.tag == "source") {
        let Some(at) = source.attributes.iter().position(|attribute| attribute.name == "media") else { continue };
        match media_in(&source.attributes[at].value) {
            Some(media) if media.is_empty() => {
                source.attributes.remove(at);
            }
            Some(media) => source.attributes[at].value = media,
            None => {}
        }
    }
}

/// Evaluates `prefers-color-scheme` in a media query, with dark preferred. Returns the rest of the query; `None` if it
/// does not depend on the scheme, or is a list.
fn media_in(query: &str) -> Option<String> {
    if query.contains(',') {
        return None;
    }
    let feature = |part: &str| part.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
    let parts: Vec<&str> = query.split(" and ").collect();
    let asks = |scheme: &str| parts.iter().any(|part| feature(part) == format!("(prefers-color-scheme:{scheme})"));
    if asks("light") {
        return Some("not all".to_owned());
    }
    let others = parts.iter().filter(|part| feature(part) != "(prefers-color-scheme:dark)");
    asks("dark").then(|| others.copied().collect::<Vec<_>>().join(" and ").trim().to_owned())
}

#[cfg(test)]
mod tests;
