//! Groups faces by family.

use limner_page_view::size_budget::json_bytes;
use limner_types::result::{FontFace, FontFamily};
use std::collections::{HashMap, HashSet};

/// Returns one group per family name (compared without case), in order of first appearance.
pub(super) fn group(fonts: &[FontFace]) -> Vec<FontFamily> {
    let mut families: Vec<FontFamily> = Vec::new();
    let mut files: Vec<HashSet<&str>> = Vec::new();
    let mut at: HashMap<String, usize> = HashMap::new();
    for face in fonts {
        let index = *at.entry(face.family.to_lowercase()).or_insert_with(|| {
            let (weights, styles) = (Vec::new(), Vec::new());
            families.push(FontFamily { family: face.family.clone(), weights, styles, files: 0, used: false });
            files.push(HashSet::new());
            families.len() - 1
        });
        let family = &mut families[index];
        add(&mut family.weights, &face.weight);
        add(&mut family.styles, &face.style);
        family.used |= face.used;
        files[index].extend(face.src.iter().filter_map(|src| src.url.as_deref()));
    }
    for (family, files) in families.iter_mut().zip(&files) {
        family.files = files.len();
        family.weights.sort_by(|a, b| weight_order(a).total_cmp(&weight_order(b)).then_with(|| a.cmp(b)));
        family.styles.sort_by_key(|style| (style != "normal", style.clone()));
    }
    families
}

/// Computes the bytes that the groups add to a result: an upper bound if faces are left out later.
#[derive(Default)]
pub(super) struct FamilySizes {
    seen: HashSet<String>,
}

impl FamilySizes {
    /// Bytes of punctuation and member names in a group.
    const FRAME_BYTES: usize = 80;

    /// Returns the number of bytes by which the groups grow with one more face.
    pub(super) fn grow_by(&mut self, face: &FontFace) -> usize {
        let values = json_bytes(&face.weight) + json_bytes(&face.style) + 2;
        let is_new = self.seen.insert(face.family.to_lowercase());
        values + if is_new { json_bytes(&face.family) + Self::FRAME_BYTES } else { 0 }
    }
}

fn add(list: &mut Vec<String>, value: &str) {
    if !list.iter().any(|known| known == value) {
        list.push(value.to_owned());
    }
}

/// Returns the sort key of a weight; a range counts by its lower end.
fn weight_order(weight: &str) -> f64 {
    weight.split(' ').next().and_then(|low| low.parse().ok()).unwrap_or(0.0)
}
