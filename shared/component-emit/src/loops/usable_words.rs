//! Tells which words may name lists and fields.

/// Words without meaning for an element: generic names, positions and states.
#[rustfmt::skip]
const GENERIC: &[&str] = &[
    "a", "active", "area", "article", "atom", "block", "body", "bottom", "box", "btn", "button", "cell", "center", "col",
    "column", "component", "container", "content", "current", "dd", "default", "details", "disabled", "div", "dl",
    "dt", "elem", "element", "even", "figure", "first", "flex", "footer", "full", "grid", "group", "h1", "h2", "h3", "h4",
    "h5", "h6", "half", "has", "have", "header", "hidden", "holder", "img", "inner", "inside", "item", "items",
    "last", "layer", "left", "li", "list", "main", "middle", "module", "odd", "ol", "open", "outer", "p", "path",
    "right", "row", "section", "selected", "show", "side", "span", "svg", "td", "text", "th", "tn", "top", "tr", "ul",
    "widget", "wrap", "wrapper",
];

/// Returns true if a field may have this name: some are properties of every object, and others are
/// reserved for classes.
pub(super) fn is_field(name: &str) -> bool {
    const OBJECT_MEMBERS: &[&str] =
        &["constructor", "hasOwnProperty", "prototype", "toLocaleString", "toString", "valueOf"];
    !OBJECT_MEMBERS.contains(&name) && !name.starts_with("class") && !name.starts_with("aria")
}

/// Returns true for a word without meaning for an element.
pub(super) fn is_generic(word: &str) -> bool {
    // An abbreviation in `s` has no plural: `tos`.
    let is_short = word.len() < 3 || (word.len() == 3 && word.ends_with('s'));
    let is_known = |word: &str| GENERIC.contains(&word);
    is_short
        || is_known(word)
        || word.strip_suffix('s').is_some_and(is_known)
        || !word.starts_with(|c: char| c.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::is_generic;

    #[test]
    fn words_that_say_nothing_of_an_item_are_generic() {
        for (word, expected) in [
            ("module", true),
            ("modules", true),
            ("tos", true),
            ("tab", false),
            ("plan", false),
            ("left", true),
            ("atom", true),
        ] {
            assert_eq!(is_generic(word), expected, "{word}");
        }
    }
}
