//! Splits titles of pages.

/// Splits a title: sites add their name, before or after.
pub(super) fn title_parts(title: &str) -> impl Iterator<Item = &str> {
    [" | ", " - ", " – ", " — ", " · ", ": "].into_iter().flat_map(|mark| title.split(mark)).map(str::trim)
}
