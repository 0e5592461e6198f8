//! Recognizes the widgets of captchas.

use crate::dom::Element;

/// (part of a class, id, name or URL, vendor): widgets that ordinary forms use too.
const WIDGETS: &[(&str, &str)] = &[
    ("g-recaptcha", "reCAPTCHA"),
    ("recaptcha/", "reCAPTCHA"),
    ("h-captcha", "hCaptcha"),
    ("hcaptcha.com", "hCaptcha"),
    ("cf-turnstile", "Turnstile"),
    ("challenges.cloudflare.com/turnstile", "Turnstile"),
    ("geetest", "GeeTest"),
    ("captcha", "captcha"),
];

/// Returns the widget that an element is part of. Scripts of widgets do not count, since many sites load them for
/// ordinary forms.
pub(super) fn captcha_widget(element: &Element) -> Option<&'static str> {
    if !matches!(
        element.name(),
        "div" | "iframe" | "img" | "input" | "textarea" | "form" | "span" | "section" | "canvas"
    ) {
        return None;
    }
    let places = ["class", "id", "name", "src"].into_iter().filter_map(|name| element.attr(name));
    let places: Vec<String> = places.filter(|place| place.len() < 2_000).map(str::to_ascii_lowercase).collect();
    let is_at = |(part, _): &&(&str, &str)| places.iter().any(|place| place.contains(part));
    WIDGETS.iter().find(is_at).map(|(_, vendor)| *vendor)
}
