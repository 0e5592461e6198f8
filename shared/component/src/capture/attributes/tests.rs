//! Tests `attributes`.

use super::*;

#[test]
fn tables_are_sorted() {
    for table in [ELEMENT_ATTRIBUTES, URL_ATTRIBUTES] {
        assert!(table.is_sorted_by_key(|(name, _)| *name));
    }
}

#[test]
fn images_have_an_alt_and_no_default_values() {
    for (given, written) in [
        (&[("src", "a.png"), ("sizes", "100vw"), ("fetchpriority", "auto"), ("loading", "eager")][..], "src alt"),
        (
            &[("src", "a.png"), ("srcset", "a.png 2x"), ("sizes", "100vw"), ("loading", "lazy")],
            "src srcset sizes loading alt",
        ),
        (&[("alt", "A cat"), ("fetchpriority", "high")], "alt fetchpriority"),
        (&[("src", "/up/IMG_12.jpg?v=1"), ("alt", "img_12"), ("title", "IMG_12.jpg")], "src alt"),
        (&[("src", "/up/hall_b-1024x683.png"), ("alt", ""), ("title", "hall_b")], "src alt"),
        (&[("src", "logo.png"), ("alt", "logo"), ("title", "A cat")], "src alt title"),
        (&[("src", "a.png"), ("alt", "A cat"), ("title", "A cat")], "src alt"),
    ] {
        let attribute = |(name, value): &(&str, &str)| Attribute { name: (*name).into(), value: (*value).into() };
        let mut kept = given.iter().map(attribute).collect();
        tidy_image(&mut kept);
        let names: Vec<&str> = kept.iter().map(|attribute| attribute.name.as_str()).collect();
        assert_eq!(names.join(" "), written);
        assert!(kept.iter().all(|own| own.name != "alt" || !own.value.contains('_')), "{kept:?}");
    }
}

#[test]
fn alternatives_that_say_nothing_of_an_image_are_empty() {
    for (source, given, written) in [
        ("a.png", "Image", ""),
        ("a.png", " banner image ", ""),
        ("/lock-solid.svg", "lock", ""),
        ("/people-group-solid.svg", "people-group", ""),
        ("/lock-solid.svg", "Lock", ""),
        ("/ada-lovelace.jpg", "ada", "ada"),
        ("/ada-lovelace.jpg", "Ada Lovelace", "Ada Lovelace"),
    ] {
        let attribute = |(name, value): (&str, &str)| Attribute { name: name.into(), value: value.into() };
        let mut kept = vec![attribute(("src", source)), attribute(("alt", given))];
        tidy_image(&mut kept);
        assert_eq!(kept[1].value, written, "{source} {given}");
    }
}

#[test]
fn attributes_that_say_the_default_are_dropped() {
    for (element, given, written) in [
        ("a", &[("href", "/a"), ("role", "button"), ("tabindex", "0"), ("title", " ")][..], "href"),
        ("a", &[("href", "#faq"), ("role", "button"), ("tabindex", "0")], "href role"),
        ("a", &[("href", "https://a.test/"), ("target", "_self"), ("title", "https://a.test")], "href"),
        ("a", &[("href", "/"), ("target", "_blank"), ("title", "Shop")], "href target title"),
        ("a", &[("role", "button"), ("tabindex", "0")], "role tabindex"),
        ("div", &[("role", "button"), ("tabindex", "0")], "role tabindex"),
        ("button", &[("tabindex", "-1"), ("title", "Close")], "tabindex title"),
        ("input", &[("type", "Email"), ("value", "")], "type"),
        ("input", &[("value", "a"), ("tabindex", "0")], "value"),
        ("input", &[("type", "checkbox"), ("value", "")], "type value"),
    ] {
        let attribute = |(name, value): &(&str, &str)| Attribute { name: (*name).into(), value: (*value).into() };
        let mut kept = given.iter().map(attribute).collect();
        drop_defaults(element, &mut kept);
        let names: Vec<&str> = kept.iter().map(|attribute| attribute.name.as_str()).collect();
        assert_eq!(names.join(" "), written, "{element} {given:?}");
    }
}

#[test]
fn dimensions_are_written_as_html_reads_them() {
    for (given, written) in [
        ("1182.0", "1182"),
        ("500vh", "500"),
        ("120px", "120"),
        ("50.0%", "50.0%"),
        ("33.3%", "33.3%"),
        ("7.25em", "7.25"),
        ("3.", "3"),
        ("3.%", "3.%"),
        (" 64.00", "64"),
        ("64", "64"),
        ("50%", "50%"),
        ("1.5", "1.5"),
        (".0", ".0"),
        ("auto", "auto"),
    ] {
        assert_eq!(dimension(given), written);
    }
}

#[test]
fn roles_of_elements_are_their_own() {
    for (element, role, expected) in [
        ("nav", "navigation", true),
        ("hr", " Separator", true),
        ("div", "", true),
        ("div", "navigation", false),
        ("ul", "list", false),
    ] {
        assert_eq!(is_own_role(element, role), expected, "{element} {role}");
    }
}
