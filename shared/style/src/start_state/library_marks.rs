//! The classes and attributes by which animation libraries and site builders find the elements that they show.

use limner_page::dom::Element;

/// Attributes that say nothing but that an entrance is played.
const ATTRIBUTES: &[&str] = &[
    "data-anim",
    "data-animate",
    "data-animate-in",
    // Tilda.
    "data-animate-style",
    "data-animation",
    "data-aos",
    "data-appear",
    "data-appear-animation",
    "data-cue",
    "data-entrance",
    "data-entrance-animation",
    "data-fade",
    "data-framer-appear-id",
    "data-gsap",
    "data-in-view",
    "data-interaction-hidden-on-load",
    "data-inview",
    "data-motion",
    "data-os-animation",
    "data-reveal",
    "data-sal",
    "data-scroll",
    "data-scroll-container",
    "data-scroll-reveal",
    "data-scroll-section",
    "data-split",
    "data-splitting",
    "data-sr",
    "data-sr-id",
    "data-uk-scrollspy",
    "data-vc-animate",
    "data-w-id",
    "data-wow-delay",
    "data-wow-duration",
    "uk-scrollspy",
];

/// Classes that one library or builder uses.
const CLASSES: &[&str] = &[
    "animate-box",
    "animate__animated",
    "aos-init",
    "appear-animation",
    "elementor-invisible",
    "et-waypoint",
    "et_animated",
    "et_pb_animated",
    "ftco-animate",
    "fusion-animated",
    "load-hidden",
    "rs-layer",
    "t-animate",
    "tp-caption",
    "wow",
    "wpb_animate_when_almost_visible",
];

/// Words in classes that authors give to elements with an entrance of their own.
const WORDS: &[&str] = &[
    "animate",
    "animated",
    "animation",
    "appear",
    "entrance",
    "fadein",
    "fadeindown",
    "fadeinleft",
    "fadeinright",
    "fadeinup",
    "fadeup",
    "gsap",
    "inview",
    "reveal",
    "scrollreveal",
    "slidein",
    "slideinup",
    "slideup",
    "waypoint",
];

/// Two words that mean the same as one of [`WORDS`].
const PAIRS: &[(&str, &[&str])] = &[
    ("fade", &["in", "up", "down", "left", "right"]),
    ("slide", &["in", "up", "down"]),
    ("in", &["view", "viewport"]),
    ("on", &["scroll"]),
];

/// Certainty of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark<'e> {
    /// The attribute or class of a library.
    Library(&'e str),
    /// A class whose words are about an entrance.
    Named(&'e str),
}

impl<'e> Mark<'e> {
    /// Returns the attribute or class.
    pub(super) fn name(self) -> &'e str {
        match self {
            Self::Library(name) | Self::Named(name) => name,
        }
    }
}

/// Returns the mark of an element.
pub(super) fn mark(element: &Element) -> Option<Mark<'_>> {
    let attribute = ATTRIBUTES.iter().copied().find(|name| element.attr(name).is_some());
    let class = || element.classes().iter().map(|class| &**class).find(|class| CLASSES.contains(class));
    // Elementor's settings of a widget.
    let by_settings = || element.attr("data-settings").filter(|settings| settings.contains("animation"));
    let by_library = attribute.or_else(class).or_else(|| by_settings().map(|_| "data-settings"));
    let named = || element.classes().iter().map(|class| &**class).find(|class| is_about_entrance(class));
    by_library.map(Mark::Library).or_else(|| named().map(Mark::Named))
}

fn is_about_entrance(class: &str) -> bool {
    let words = words(class);
    words.iter().any(|word| WORDS.contains(&word.as_str()))
        || words
            .windows(2)
            .any(|pair| PAIRS.iter().any(|(first, seconds)| pair[0] == *first && seconds.contains(&pair[1].as_str())))
}

/// Returns the words of a class or id in lower case: `sub-menu`, `sub_menu` and `subMenu` have two.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for letter in name.chars() {
        if !letter.is_alphanumeric() || (letter.is_uppercase() && was_lower) {
            words.push(String::new());
        }
        was_lower = letter.is_lowercase();
        if letter.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}
