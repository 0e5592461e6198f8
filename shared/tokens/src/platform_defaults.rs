//! Custom properties that a platform declares on every page that it makes.

/// Prefix of the presets of WordPress: those of its block editor, and those of a theme.
const WORDPRESS: &str = "--wp--preset--";

/// The presets that WordPress has by itself (its `theme.json`), by kind and name.
const WORDPRESS_DEFAULTS: &[(&str, &[&str])] = &[
    (
        "color",
        &[
            "black",
            "cyan-bluish-gray",
            "white",
            "pale-pink",
            "vivid-red",
            "luminous-vivid-orange",
            "luminous-vivid-amber",
            "light-green-cyan",
            "vivid-green-cyan",
            "pale-cyan-blue",
            "vivid-cyan-blue",
            "vivid-purple",
        ],
    ),
    (
        "gradient",
        &[
            "vivid-cyan-blue-to-vivid-purple",
            "light-green-cyan-to-vivid-green-cyan",
            "luminous-vivid-amber-to-luminous-vivid-orange",
            "luminous-vivid-orange-to-vivid-red",
            "very-light-gray-to-cyan-bluish-gray",
            "cool-to-warm-spectrum",
            "blush-light-purple",
            "blush-bordeaux",
            "luminous-dusk",
            "pale-ocean",
            "electric-grass",
            "midnight",
        ],
    ),
    ("shadow", &["natural", "deep", "sharp", "outlined", "crisp"]),
];

/// Returns true for a custom property whose value is the same on the pages of all sites of a platform.
pub(crate) fn is_platform_default(variable: &str) -> bool {
    let Some((kind, name)) = variable.strip_prefix(WORDPRESS).and_then(|preset| preset.split_once("--")) else {
        return false;
    };
    WORDPRESS_DEFAULTS.iter().any(|(known, names)| *known == kind && names.contains(&name))
}
