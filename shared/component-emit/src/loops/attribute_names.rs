//! Names the fields of attributes, those of pictures by what the pictures are.

use super::fixed_text::fixed;
use super::naming::camel;
use limner_component_model::ir::OutputElement;

/// Returns the field name of an attribute.
pub(super) fn attribute_field_name(tag: &OutputElement, name: &str, class: &str) -> String {
    match (tag.name.as_str(), name) {
        (_, "class") => class.to_owned(),
        ("img", "src") => picture_word(tag).to_owned(),
        // A single address, without a width.
        ("img" | "source", "srcset") if !is_list(tag, name) => picture_word(tag).to_owned(),
        ("img", "alt") if picture_word(tag) != "image" => format!("{}Alt", picture_word(tag)),
        ("path", "d") => "path".to_owned(),
        (_, "datetime") => "dateTime".to_owned(),
        // A property name may be any word, even one that is reserved for variables.
        (_, name) => camel(name),
    }
}

/// Returns true if an attribute lists several addresses, or one with its width.
fn is_list(tag: &OutputElement, name: &str) -> bool {
    tag.attribute(name).and_then(fixed).is_some_and(|value| value.trim_ascii().contains(' '))
}

/// Returns what a picture is, by its author's name or its address.
fn picture_word(tag: &OutputElement) -> &'static str {
    const WORDS: &[&str] = &["avatar", "badge", "banner", "cover", "flag", "icon", "logo", "portrait", "thumbnail"];
    let last = tag.semantic_name.rsplit('-').next().unwrap_or_default();
    let address = tag.attribute("src").and_then(fixed).unwrap_or_default();
    let file = address.rsplit('/').next().unwrap_or_default();
    let is_icon = file.split(|c: char| !c.is_ascii_alphabetic()).any(|word| matches!(word, "icon" | "icons"));
    match WORDS.iter().find(|word| **word == last) {
        Some(word) => word,
        None if is_icon => "icon",
        None => "image",
    }
}

#[cfg(test)]
mod tests {
    use super::attribute_field_name;
    use crate::loops::tests::tag;
    use limner_component_model::ir::Node;

    #[test]
    fn pictures_are_called_what_they_are() {
        for (source, expected) in
            [("/img/care-icon.svg", "icon"), ("/img/care.svg", "image"), ("/icons/care.svg", "image")]
        {
            let Node::Tag(picture) = tag("img", &[("src", source), ("srcset", source)], Vec::new()) else { continue };
            assert_eq!(attribute_field_name(&picture, "src", "class"), expected, "{source}");
            assert_eq!(attribute_field_name(&picture, "srcset", "class"), expected, "one address");
        }
        let Node::Tag(picture) = tag("img", &[("srcset", "/a.png 2x")], Vec::new()) else { return };
        assert_eq!(attribute_field_name(&picture, "srcset", "class"), "srcset");
    }
}
