//! Writes at-rules that utilities cannot express.

use limner_component_model::css::stylesheet;
use limner_component_model::model::{Component, Keyframes};

/// Returns the `@font-face` and `@counter-style` rules; `None` if there are none.
pub(super) fn faces(component: &Component) -> Option<String> {
    let mut out = String::new();
    stylesheet::font_faces(&mut out, &component.font_faces);
    stylesheet::registrations(&mut out, "counter-style", &component.counter_styles);
    (!out.is_empty()).then(|| stylesheet::harmless(&out))
}

/// Returns the keyframes for which nothing else provides, and the custom properties that they animate; `None` if there are none.
pub(super) fn keyframes(component: &Component, is_provided: &dyn Fn(&Keyframes) -> bool) -> Option<String> {
    let own: Vec<&Keyframes> = component.keyframes.iter().filter(|own| !is_provided(own)).collect();
    if own.is_empty() && component.registrations.is_empty() {
        return None;
    }
    let mut out = String::new();
    stylesheet::registrations(&mut out, "property", &component.registrations);
    stylesheet::keyframes(&mut out, own);
    Some(stylesheet::harmless(&out))
}
