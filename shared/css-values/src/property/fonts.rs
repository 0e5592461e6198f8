//! Font shorthands, and the names of generic families.

use super::longhand_values::{LonghandValue, ident, initials, prefix};
use crate::value::Component;

/// Generic font families that every browser has had for years (CSS Fonts 4, 2.1.4).
const GENERIC_FAMILIES: [&str; 7] = ["serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui", "math"];

/// Generic families of user interfaces.
const UI_FAMILIES: [&str; 4] = ["ui-serif", "ui-sans-serif", "ui-monospace", "ui-rounded"];

/// Returns true for a generic font family in any case, those of user interfaces left out.
pub fn is_generic_family(name: &str) -> bool {
    GENERIC_FAMILIES.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Returns true for a generic font family of user interfaces in any case.
pub fn is_ui_family(name: &str) -> bool {
    UI_FAMILIES.iter().any(|known| known.eq_ignore_ascii_case(name))
}

pub(super) const FONT: &[&str] = &[
    "font-style",
    "font-variant-caps",
    "font-weight",
    "font-stretch",
    "font-size",
    "line-height",
    "font-family",
    "font-variant-ligatures",
    "font-variant-numeric",
    "font-variant-east-asian",
    "font-variant-alternates",
    "font-variant-position",
    "font-variant-emoji",
    "font-feature-settings",
    "font-variation-settings",
    "font-kerning",
    "font-optical-sizing",
    "font-size-adjust",
    "font-language-override",
];
pub(super) const FONT_VARIANT: &[&str] = &[
    "font-variant-ligatures",
    "font-variant-caps",
    "font-variant-numeric",
    "font-variant-east-asian",
    "font-variant-alternates",
    "font-variant-position",
    "font-variant-emoji",
];

pub(super) fn font(value: &[Component]) -> Option<Vec<LonghandValue>> {
    let mut all = initials(FONT);
    let mut set = |name: &str, value: Vec<Component>| {
        if let Some(part) = all.iter_mut().find(|(part, _)| *part == name) {
            part.1 = value;
        }
    };
    if let [only] = value {
        let system = ["caption", "icon", "menu", "message-box", "small-caption", "status-bar"];
        if system.iter().any(|keyword| only.is_ident(keyword)) {
            set("font-size", vec![Component::px(13.333_3)]);
            set("font-family", ident("system-ui"));
            return Some(all);
        }
    }
    let mut rest = value;
    let leading = ["font-style", "font-variant-caps", "font-weight", "font-stretch"];
    let mut given = [false; 4];
    while let Some(first) = rest.first() {
        if first.is_ident("normal") {
            rest = &rest[1..];
            continue;
        }
        let found = leading.iter().enumerate().filter(|(index, _)| !given[*index]).find_map(|(index, name)| {
            // A percentage is a size here, and only the keywords of CSS 2 are allowed for caps.
            let allowed = match *name {
                "font-stretch" => first.as_ident().is_some(),
                "font-variant-caps" => first.is_ident("small-caps"),
                // In `0/0 a` it is the size.
                "font-weight" => !matches!(first, Component::Number { value, .. } if *value < 1.0),
                _ => true,
            };
            if allowed { prefix(name, rest).map(|taken| (index, *name, taken)) } else { None }
        });
        let Some((index, name, taken)) = found else { break };
        given[index] = true;
        set(name, rest[..taken].to_vec());
        rest = &rest[taken..];
    }
    let taken = prefix("font-size", rest).filter(|taken| *taken == 1)?;
    set("font-size", rest[..taken].to_vec());
    rest = &rest[taken..];
    if let [Component::Slash, height, after @ ..] = rest {
        set("line-height", vec![height.clone()]);
        rest = after;
    }
    if rest.is_empty() {
        return None;
    }
    set("font-family", rest.to_vec());
    Some(all)
}

pub(super) fn font_variant(value: &[Component]) -> Option<Vec<LonghandValue>> {
    let mut all = initials(FONT_VARIANT);
    if let [only] = value {
        if only.is_ident("normal") {
            return Some(all);
        }
        if only.is_ident("none") {
            all[0].1 = ident("none");
            return Some(all);
        }
    }
    for component in value {
        let name = component.as_ident()?.to_ascii_lowercase();
        let target = match name.as_str() {
            "small-caps" | "all-small-caps" | "petite-caps" | "all-petite-caps" | "unicase" | "titling-caps" => 1,
            "lining-nums" | "oldstyle-nums" | "proportional-nums" | "tabular-nums" | "diagonal-fractions"
            | "stacked-fractions" | "ordinal" | "slashed-zero" => 2,
            "jis78" | "jis83" | "jis90" | "jis04" | "simplified" | "traditional" | "full-width"
            | "proportional-width" | "ruby" => 3,
            "historical-forms" => 4,
            "sub" | "super" => 5,
            "text" | "emoji" | "unicode" => 6,
            ligatures if ligatures.ends_with("ligatures") || ligatures.ends_with("contextual") => 0,
            _ => return None,
        };
        if all[target].1.first().is_some_and(|first| first.is_ident("normal")) {
            all[target].1.clear();
        }
        all[target].1.push(Component::ident(&name));
    }
    Some(all)
}

pub(super) fn font_synthesis(value: &[Component], parts: &[&'static str]) -> Vec<LonghandValue> {
    let on = |word: &str| value.iter().any(|component| component.is_ident(word));
    let set = |part: &&'static str| {
        let word = part.trim_start_matches("font-synthesis-");
        (*part, ident(if on(word) { "auto" } else { "none" }))
    };
    parts.iter().map(set).collect()
}
