//! Words in names of elements and files that say what an image is.

use crate::name_tokens::split_words;
use limner_page::dom::Element;
use url::Url;

/// Words of logos.
const LOGO: &[&str] =
    &["logo", "logos", "logotype", "logomark", "wordmark", "brandmark", "brand", "sitelogo", "masthead"];
/// Words of images that are not logos.
pub(super) const NON_LOGO_WORDS: &[&str] = &[
    "flag",
    "flags",
    "avatar",
    "profile",
    "user",
    "author",
    "team",
    "photo",
    "badge",
    "badges",
    "appstore",
    "playstore",
    "googleplay",
    "arrow",
    "menu",
    "hamburger",
    "burger",
    "search",
    "close",
    "chevron",
    "cart",
    "caret",
    "toggle",
    "play",
    "star",
    "rating",
    "payment",
    "visa",
    "mastercard",
    "paypal",
    "banner",
    "hero",
    "background",
    "bg",
    "pixel",
    "tracking",
    "spacer",
    "captcha",
    "facebook",
    "twitter",
    "instagram",
    "linkedin",
    "youtube",
    "github",
    "sun",
    "moon",
    "theme",
    "language",
    "lang",
    "download",
    "sponsor",
    "partner",
    "client",
    "customer",
    "testimonial",
    "screenshot",
    "placeholder",
    "blank",
    "loader",
    "spinner",
    "phone",
    "call",
    "mail",
    "email",
    "envelope",
    "whatsapp",
    "telegram",
    "discord",
    "tiktok",
];

/// Returns the words of the id and the classes of an element, and of the name of its layer in Framer.
pub(super) fn own_name_tokens(element: &Element) -> Vec<String> {
    let names = element.id().into_iter().chain(element.classes()).take(16).map(|name| &**name);
    names.chain(element.attr("data-framer-name")).flat_map(split_words).collect()
}

/// Words of Italian, Spanish and Portuguese that end like a name of logos.
const NO_LOGOS: &[&str] = &["analogo", "catalogo", "dialogo", "epilogo", "monologo", "prologo"];

/// Returns true if a class or the id of an element has a word of logos.
pub(super) fn is_named_logo(element: &Element) -> bool {
    has_logo_word(&own_name_tokens(element))
}

/// Returns true if one of the words is one of logos.
pub(super) fn has_logo_word(words: &[String]) -> bool {
    words.iter().any(|word| is_logo_word(word))
}

/// Returns true for a word of logos, and for one that ends in `logo` (`imglogo`).
pub(super) fn is_logo_word(word: &str) -> bool {
    LOGO.contains(&word) || (word.ends_with("logo") && !NO_LOGOS.contains(&word))
}

/// Returns the words of a file's name.
pub(super) fn file_words(url: &Url) -> Vec<String> {
    /// Folders that say what is in them: the flags of a language menu are named like countries.
    const FOLDERS: &[&str] = &["flag", "flags", "lang", "langs", "language", "languages", "locales"];
    if url.scheme() == "data" {
        return Vec::new();
    }
    let mut parts = url.path().rsplit('/');
    let mut words = split_words(parts.next().unwrap_or_default());
    words.extend(parts.next().filter(|folder| FOLDERS.contains(folder)).map(|_| "flag".to_owned()));
    words
}
