//! Loads the first image of a section that opens the page at once: it is seen before a visitor scrolls.
//!
//! Before → after: `<img src="hero.jpg" loading="lazy">` → `<img src="hero.jpg">`.

use super::SectionTree;
use crate::capture::request::CaptureRequest;
use limner_types::SectionRole;

/// Removes `loading="lazy"` from the first image of a hero.
pub(super) fn load_first_image(tree: &mut SectionTree, request: &CaptureRequest<'_>) {
    if request.role != Some(SectionRole::Hero) {
        return;
    }
    if let Some(image) = tree.elements.iter_mut().find(|element| element.tag == "img") {
        image.attributes.retain(|own| !(own.name == "loading" && own.value.trim().eq_ignore_ascii_case("lazy")));
    }
}
