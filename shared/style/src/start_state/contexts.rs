//! Elements that stay hidden until the visitor acts, and texts for screen readers.

use super::library_marks::words;
use crate::cascade::ComputedStyle;
use crate::property::Longhand;
use limner_page::dom::Element;

/// Elements that are invisible on purpose: controls below a drawn one, and parts that open.
const ELEMENTS: &[&str] = &[
    "button", "datalist", "dialog", "input", "menu", "noscript", "option", "script", "select", "style", "template",
    "textarea",
];

/// Roles of parts that open.
const ROLES: &[&str] = &["alert", "alertdialog", "dialog", "listbox", "menu", "status", "tabpanel", "tooltip"];

/// Words in names of parts that open or appear on an act.
const WORDS: &[&str] = &[
    "consent",
    "cookie",
    "cursor",
    "dialog",
    "drawer",
    "dropdown",
    "feedback",
    "flyout",
    "lightbox",
    "megamenu",
    "modal",
    "offcanvas",
    "placeholder",
    "popover",
    "popup",
    "ripple",
    "snackbar",
    "submenu",
    "toast",
    "tooltip",
];

/// Two words that mean the same as one of [`WORDS`].
const PAIRS: &[(&str, &str)] = &[
    ("back", "top"),
    ("mega", "menu"),
    ("mobile", "menu"),
    ("mobile", "nav"),
    ("off", "canvas"),
    ("screen", "reader"),
    ("scroll", "top"),
    ("sr", "only"),
    ("sub", "menu"),
    ("tab", "pane"),
    ("tab", "panel"),
    ("to", "top"),
    ("visually", "hidden"),
];

/// Words in classes of the one of several parts that is shown: `active` among slides and tabs.
const CURRENT: &[&str] = &["active", "current", "open", "selected", "show", "shown", "showing", "visible"];

/// Returns true for an element that is hidden for its purpose.
pub(super) fn is_hidden_on_purpose(element: &Element) -> bool {
    let role = element.attr("role").unwrap_or_default();
    let state = element.attr("data-state").unwrap_or_default();
    ELEMENTS.contains(&element.name())
        || ROLES.contains(&role)
        || matches!(state, "closed" | "inactive")
        || ["popover", "inert", "aria-modal"].iter().any(|name| element.attr(name).is_some())
        || is_named_after_part_that_opens(element)
}

fn names(element: &Element) -> impl Iterator<Item = &str> {
    element.classes().iter().map(|class| &**class).chain(element.id().map(|id| &**id))
}

/// Returns true if a class or the id names a part that opens.
pub(super) fn is_named_after_part_that_opens(element: &Element) -> bool {
    names(element).any(|name| {
        let words = words(name);
        // `has-dropdown` and `popup-link` are about another element.
        let is_own = !matches!(words.first().map(String::as_str), Some("has" | "no" | "with" | "without"))
            && !matches!(words.last().map(String::as_str), Some("btn" | "button" | "link" | "opener" | "trigger"));
        is_own
            && (words.iter().any(|word| WORDS.contains(&word.as_str()))
                || words.windows(2).any(|pair| PAIRS.contains(&(pair[0].as_str(), pair[1].as_str()))))
    })
}

/// Returns true if a class says that the element is the one that is shown.
pub(super) fn is_named_current(element: &Element) -> bool {
    let is_current = |class: &str| words(class).iter().any(|word| CURRENT.contains(&word.as_str()));
    element.classes().iter().any(|class| is_current(class))
        || element.attr("aria-hidden") == Some("false")
        || element.attr("data-state").is_some_and(|state| matches!(state, "active" | "open"))
}

/// Returns true for a box that is collapsed, like the closed part of an accordion.
pub(super) fn is_collapsed(style: &ComputedStyle) -> bool {
    let is_zero = |longhand| matches!(style.get(longhand), "0px" | "0%");
    let clips = style.get(Longhand::OverflowY) != "visible";
    let is_flat = is_zero(Longhand::MaxHeight) || is_zero(Longhand::Height) && style.get(Longhand::MinHeight) == "0px";
    let is_narrow = is_zero(Longhand::MaxWidth) || is_zero(Longhand::Width) && style.get(Longhand::MinWidth) == "0px";
    clips && (is_flat || is_narrow)
}
