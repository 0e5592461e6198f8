//! Gives fonts the names that their author wrote, where a build tool added a hash.
//!
//! `__DM_Sans_ed0e3a` → `DM Sans`, `__DM_Sans_Fallback_ed0e3a` → `DM Sans Fallback`. It changes what the component is
//! compared by, so it follows the verification.

use limner_component_model::model::Component;

/// Length of the hash at the end of a name.
const HASH: usize = 6;

/// Renames the families of a component's faces, and of the values that name them.
pub(in crate::capture) fn restore(component: &mut Component) {
    let names: Vec<(String, String)> = renamed_families(component);
    if names.is_empty() {
        return;
    }
    let rename = |text: &mut String| {
        for (from, to) in names.iter().filter(|(from, _)| text.contains(from.as_str())).collect::<Vec<_>>() {
            *text = text.replace(from, to);
        }
    };
    for face in &mut component.font_faces {
        rename(&mut face.family);
        // The stylesheet is written from the descriptors.
        face.descriptors.iter_mut().filter(|(name, _)| name == "font-family").for_each(|(_, family)| rename(family));
    }
    let rules = component.elements.iter_mut().flat_map(|element| &mut element.rules);
    for own in rules.flat_map(|rule| &mut rule.declarations) {
        if own.name == "font-family" || own.name.starts_with("--") {
            rename(&mut own.value);
            rename(&mut own.computed);
        }
    }
}

/// Returns the families that have a hash, with their names without one.
fn renamed_families(component: &Component) -> Vec<(String, String)> {
    let mut names: Vec<(String, String)> = Vec::new();
    for face in &component.font_faces {
        let Some(name) = without_hash(&face.family) else { continue };
        let is_taken = |family: &str| family.eq_ignore_ascii_case(&name) && family != face.family;
        let is_free = component.font_faces.iter().all(|other| !is_taken(&other.family))
            && names.iter().all(|(from, to)| *from == face.family || !is_taken(to));
        if is_free && names.iter().all(|(from, _)| *from != face.family) {
            names.push((face.family.clone(), name));
        }
    }
    names
}

/// Returns a family's name without the hash around it; `None` for other names, and for words that need quotes.
fn without_hash(family: &str) -> Option<String> {
    let (name, hash) = family.strip_prefix("__")?.rsplit_once('_')?;
    let is_hash = hash.len() == HASH && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let are_words = || name.split('_').all(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()));
    let is_plain = || name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    (is_hash && are_words() && is_plain()).then(|| name.replace('_', " "))
}

#[cfg(test)]
mod tests;
