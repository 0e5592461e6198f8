//! Makes background images that are set in the stylesheet (`background-image` with `cover`)
//! choosable in the theme editor.

use super::liquid::without_liquid_in_css;
use super::settings::Settings;
use limner_component_model::css::class_names::ClassAssignment;
use limner_component_model::css::stylesheet::is_self_contained;
use limner_component_model::model::{Component, Declaration, Rule};
use std::fmt::Write;

/// Maximum number of background image settings per section.
const MAX_BACKGROUNDS: usize = 3;

/// Returns rules with the chosen images, to follow the component's rules. Only an image that covers
/// its box becomes a setting: others are bullets, arrows and patterns.
pub(super) fn write(scope: &str, component: &Component, classes: &ClassAssignment, settings: &mut Settings) -> String {
    let mut out = String::new();
    let rules =
        classes.owners.iter().flat_map(|owner| component.elements[owner.0].rules.iter().map(|rule| (*owner, rule)));
    let found = rules.filter_map(|(owner, rule)| Some((owner, rule, split_around_image_url(rule)?)));
    for (owner, rule, (before, after)) in found.take(MAX_BACKGROUNDS) {
        let Some(setting) = settings.add("image_picker", "background", None) else { break };
        let selector = classes.selector(owner, rule);
        let chosen = format!("url(\"{{{{ {setting} | image_url: width: 2400 }}}}\")");
        let [before, after] = [before, after].map(without_liquid_in_css);
        let _ = writeln!(
            out,
            "\n{{% if {setting} %}}\n{scope}{selector} {{\n  background-image: {before}{chosen}{after};\n}}\n{{% endif %}}"
        );
    }
    out
}

/// Returns the text before and after the URL of the only image of an unconditional rule.
fn split_around_image_url(rule: &Rule) -> Option<(&str, &str)> {
    let value =
        |name: &str| rule.declarations.iter().find(|own| own.name == name).map(|own: &Declaration| own.value.as_str());
    let image = value("background-image")?;
    let is_base = rule.condition.is_empty() && rule.state.is_none();
    if !is_base || !value("background-size")?.contains("cover") || !is_self_contained("background-image", image) {
        return None;
    }
    let (before, rest) = image.split_once("url(")?;
    let quote = rest.chars().next().filter(|first| matches!(first, '"' | '\''));
    let (address, after) = match quote {
        Some(quote) => rest[1..].split_once(&format!("{quote})"))?,
        None => rest.split_once(')')?,
    };
    let is_picture = address.starts_with("http") && !address.contains('\\');
    (is_picture && !after.contains("url(")).then_some((before, after))
}
