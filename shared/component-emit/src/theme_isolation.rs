//! Isolates a component from its host theme, in a Shopify store and on a WordPress page. All rules
//! are scoped to one element and override the theme's rules for elements; inside of it, the theme's
//! declarations are reset, lengths do not depend on the theme's root font size, and animation names
//! are unique.

use data_encoding::HEXLOWER;
use limner_component_model::model::{Component, Condition, Declaration, Element, Namespace, REM, Rule};
use limner_css_values::value::{self, parse_components, serialize_exact};
use limner_page::dimension::Dimension;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fmt::Write;

/// Elements that `all: revert` would change: attributes style them (size, colours in inline SVG),
/// browsers treat the padding of cells as an attribute, or they are hidden. The specificity is at
/// most that of an element.
const ATTRIBUTE_STYLED_ELEMENTS: &str =
    "canvas, iframe, img, math, math *, svg, svg *, td, th, video, :where([hidden], input[type=image], ol[type])";

/// Properties that are reverted on these elements as well, since no attribute sets them.
const ADDITIONALLY_REVERTED: [(&str, &[&str]); 3] = [
    (
        "canvas, iframe, img, svg, td, th, video",
        &[
            "background",
            "border",
            "border-radius",
            "box-shadow",
            "box-sizing",
            "float",
            "margin",
            "max-height",
            "max-width",
            "vertical-align",
        ],
    ),
    ("canvas, iframe, img, video", &["display", "padding"]),
    ("td, th", &["color", "display", "font", "letter-spacing", "text-align", "text-transform"]),
];

/// Returns rules that style the contents of an element as on an empty page. They are weaker than
/// any scoped rule with a class.
pub(crate) fn reset_rules(scope: &str) -> String {
    let mut out = format!(
        "{scope} {{\n  all: initial;\n  display: block;\n}}\n\n\
         {scope} :not({ATTRIBUTE_STYLED_ELEMENTS}),\n{scope} ::before,\n{scope} ::after {{\n  all: revert;\n}}\n"
    );
    for (elements, properties) in ADDITIONALLY_REVERTED {
        let properties: String = properties.iter().map(|property| format!("  {property}: revert;\n")).collect();
        let _ = write!(out, "\n{scope} :is({elements}) {{\n{properties}}}\n");
    }
    out
}

/// Returns the component with lengths that do not depend on the root font size and with unique
/// animation names.
pub(crate) fn isolate(component: &Component) -> Component {
    let mut apart = component.clone();
    let names: HashMap<String, String> = component
        .keyframes
        .iter()
        .map(|own| (own.name.clone(), format!("{}-{}", own.name, digest(&format!("{own:?}")))))
        .collect();
    for keyframes in &mut apart.keyframes {
        keyframes.name.clone_from(&names[&keyframes.name]);
        for (_, value) in keyframes.frames.iter_mut().flat_map(|(_, frame)| frame) {
            *value = rem_to_pixels(value);
        }
    }
    for element in &mut apart.elements {
        declare_attribute_size(element);
        let is_svg = element.namespace == Namespace::Svg;
        let lengths = element.attributes.iter_mut().filter(|own| is_svg && own.value.ends_with("rem"));
        lengths.for_each(|own| own.value = rem_to_pixels(&own.value));
        for rule in &mut element.rules {
            for query in &mut rule.condition.at_rules {
                if let Some(prelude) = query.strip_prefix("@container ") {
                    *query = format!("@container {}", rem_to_pixels(prelude));
                }
            }
            rule.declarations.iter_mut().for_each(|declaration| rename_animations(declaration, &names));
        }
    }
    apart
}

/// Declares the size that attributes give an image: themes' rules for images override attributes. Of the elements with
/// these attributes (<https://html.spec.whatwg.org/multipage/rendering.html#attributes-for-embedded-content-and-images>)
/// those that themes have rules for.
fn declare_attribute_size(element: &mut Element) {
    if !matches!(element.tag.as_str(), "canvas" | "iframe" | "img" | "video") {
        return;
    }
    let is_base = |rule: &Rule| rule.condition.is_empty() && rule.state.is_none() && rule.pseudo.is_none();
    for name in ["height", "width"] {
        let said = |rule: &Rule| is_base(rule) && rule.declarations.iter().any(|own| own.name == name);
        let value = element.attribute(name).and_then(length).filter(|_| !element.rules.iter().any(said));
        let Some(value) = value else { continue };
        let at = element.rules.iter().position(is_base).unwrap_or_else(|| {
            let (condition, declarations) = (Condition::default(), Vec::new());
            element.rules.insert(0, Rule { condition, state: None, pseudo: None, declarations });
            0
        });
        let declarations = &mut element.rules[at].declarations;
        declarations.push(Declaration { name: name.into(), computed: value.clone(), value });
        declarations.sort_by(|a, b| a.name.cmp(&b.name));
    }
}

/// Returns the length or percentage that a dimension attribute stands for, as CSS.
fn length(value: &str) -> Option<String> {
    Dimension::parse(value).filter(|own| own.number() < 1e6).map(|own| own.to_css())
}

fn rename_animations(declaration: &mut Declaration, names: &HashMap<String, String>) {
    if declaration.name == "animation-name" {
        let own = declaration.value.split(',').map(str::trim);
        let own: Vec<&str> = own.map(|name| names.get(name).map_or(name, String::as_str)).collect();
        declaration.value = own.join(", ");
    } else {
        declaration.value = rem_to_pixels(&declaration.value);
    }
}

fn rem_to_pixels(value: &str) -> String {
    if !value.to_ascii_lowercase().contains("rem") {
        return value.to_owned();
    }
    parse_components(value).map_or_else(
        || value.to_owned(),
        |components| serialize_exact(&components.iter().map(absolute_lengths).collect::<Vec<_>>()),
    )
}

fn absolute_lengths(component: &value::Component) -> value::Component {
    use value::Component as C;
    let all = |list: &[C]| list.iter().map(absolute_lengths).collect();
    match component {
        C::Dimension { value, unit } if unit.eq_ignore_ascii_case("rem") => {
            C::Dimension { value: value * REM, unit: "px".into() }
        }
        C::Function { name, arguments } => C::Function { name: name.clone(), arguments: all(arguments) },
        C::Block(open, inner) => C::Block(*open, all(inner)),
        other => other.clone(),
    }
}

/// Returns a digest of seven hexadecimal digits.
pub(crate) fn digest(content: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(content)[..4])[..7].to_owned()
}

#[cfg(test)]
mod tests {
    use super::rem_to_pixels;

    #[test]
    fn lengths_do_not_depend_on_the_root_font_size() {
        for (value, expected) in [
            ("1.5rem", "24px"),
            ("calc(100% - 2REM)", "calc(100% - 32px)"),
            ("clamp(1rem, 2vw + .5rem, 2em)", "clamp(16px, 2vw + 8px, 2em)"),
            ("\"1rem\" url(\"1rem.png\")", "\"1rem\" url(\"1rem.png\")"),
            ("0 1px 2px remote", "0 1px 2px remote"),
        ] {
            assert_eq!(rem_to_pixels(value), expected, "{value}");
        }
    }
}
