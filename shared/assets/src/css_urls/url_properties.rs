//! Lists properties whose value may refer to a file.

/// The use of a URL by a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum UrlUse {
    /// An image.
    Image,
    /// The use depends on the property that uses the custom property.
    Custom,
    /// An element of an SVG file (`filter`, `clip-path`, `fill` …).
    SvgElement,
}

/// The extent of validation. Values that browsers drop must be dropped here too, so that they
/// override nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueCheck {
    /// A comma-separated list of images or `none`.
    Images,
    /// Layers of at most one image, keywords, lengths and colours.
    Layers,
    /// Anything with balanced parentheses.
    Free,
}

/// A longhand that contains references. Declarations of the same slot override each other.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum PropertySlot {
    Longhand(&'static str),
    Custom(String),
}

/// A property that may refer to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct UrlProperty {
    pub(super) slot: PropertySlot,
    pub(super) role: UrlUse,
    pub(super) grammar: ValueCheck,
}

/// The effect of a declaration.
pub(super) enum DeclarationEffect {
    /// Sets a slot.
    Sets(UrlProperty),
    /// Resets these slots to their initial values.
    Resets(&'static [&'static str]),
    /// Has no effect on references.
    None,
}

/// All longhand slots, which `all` resets.
const ALL: &[&str] = &[
    "background-image",
    "border-image-source",
    "mask-image",
    "mask-border-source",
    "list-style-image",
    "content",
    "cursor",
    "shape-outside",
    "-webkit-box-reflect",
    "filter",
    "backdrop-filter",
    "clip-path",
    "fill",
    "stroke",
    "marker",
    "marker-start",
    "marker-mid",
    "marker-end",
    "offset-path",
];

/// Returns the effect of a property name. Legacy names that Chromium supports are aliases; those of
/// other engines are not.
pub(super) fn effect(name: &str) -> DeclarationEffect {
    if let Some(custom) = name.strip_prefix("--") {
        let slot = PropertySlot::Custom(custom.to_owned());
        return DeclarationEffect::Sets(UrlProperty { slot, role: UrlUse::Custom, grammar: ValueCheck::Free });
    }
    let sets = |slot, role, grammar| {
        DeclarationEffect::Sets(UrlProperty { slot: PropertySlot::Longhand(slot), role, grammar })
    };
    cssparser::match_ignore_ascii_case! { name,
        "background" => sets("background-image", UrlUse::Image, ValueCheck::Layers),
        "background-image" => sets("background-image", UrlUse::Image, ValueCheck::Images),
        "mask" | "-webkit-mask" => sets("mask-image", UrlUse::Image, ValueCheck::Layers),
        "mask-image" | "-webkit-mask-image" => sets("mask-image", UrlUse::Image, ValueCheck::Images),
        "mask-border" | "-webkit-mask-box-image" => sets("mask-border-source", UrlUse::Image, ValueCheck::Free),
        "mask-border-source" | "-webkit-mask-box-image-source" => {
            sets("mask-border-source", UrlUse::Image, ValueCheck::Images)
        },
        "border-image" | "-webkit-border-image" => sets("border-image-source", UrlUse::Image, ValueCheck::Free),
        "border-image-source" => sets("border-image-source", UrlUse::Image, ValueCheck::Images),
        "list-style" => sets("list-style-image", UrlUse::Image, ValueCheck::Free),
        "list-style-image" => sets("list-style-image", UrlUse::Image, ValueCheck::Images),
        "content" => sets("content", UrlUse::Image, ValueCheck::Free),
        "cursor" => sets("cursor", UrlUse::Image, ValueCheck::Free),
        "shape-outside" | "-webkit-shape-outside" => sets("shape-outside", UrlUse::Image, ValueCheck::Free),
        "-webkit-box-reflect" => sets("-webkit-box-reflect", UrlUse::Image, ValueCheck::Free),
        "filter" | "-webkit-filter" => sets("filter", UrlUse::SvgElement, ValueCheck::Free),
        "backdrop-filter" => sets("backdrop-filter", UrlUse::SvgElement, ValueCheck::Free),
        "clip-path" | "-webkit-clip-path" => sets("clip-path", UrlUse::SvgElement, ValueCheck::Free),
        "fill" => sets("fill", UrlUse::SvgElement, ValueCheck::Free),
        "stroke" => sets("stroke", UrlUse::SvgElement, ValueCheck::Free),
        "marker" => sets("marker", UrlUse::SvgElement, ValueCheck::Free),
        "marker-start" => sets("marker-start", UrlUse::SvgElement, ValueCheck::Free),
        "marker-mid" => sets("marker-mid", UrlUse::SvgElement, ValueCheck::Free),
        "marker-end" => sets("marker-end", UrlUse::SvgElement, ValueCheck::Free),
        "offset-path" => sets("offset-path", UrlUse::SvgElement, ValueCheck::Free),
        "border" => DeclarationEffect::Resets(&["border-image-source"]),
        "all" => DeclarationEffect::Resets(ALL),
        _ => DeclarationEffect::None,
    }
}

/// Returns true if a keyword is valid in a layer of `background` or `mask`. Browsers drop
/// declarations with hacks such as `no-repeat\9` or with keywords that other engines prefix.
pub(super) fn is_layer_keyword(word: &str) -> bool {
    const KEYWORDS: &[&str] = &[
        "none",
        "repeat",
        "no-repeat",
        "repeat-x",
        "repeat-y",
        "space",
        "round",
        "scroll",
        "fixed",
        "local",
        "left",
        "right",
        "top",
        "bottom",
        "center",
        "x-start",
        "x-end",
        "y-start",
        "y-end",
        "auto",
        "cover",
        "contain",
        "border-box",
        "padding-box",
        "content-box",
        "margin-box",
        "fill-box",
        "stroke-box",
        "view-box",
        "border-area",
        "border",
        "padding",
        "content",
        "text",
        "no-clip",
        "add",
        "subtract",
        "intersect",
        "exclude",
        "alpha",
        "luminance",
        "match-source",
        "currentcolor",
        "transparent",
        "inherit",
        "initial",
        "unset",
        "revert",
        "revert-layer",
        "revert-rule",
        "-webkit-text",
        "-webkit-link",
        "-webkit-activelink",
        "-webkit-focus-ring-color",
    ];
    KEYWORDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(word))
        || cssparser::color::parse_named_color(word).is_ok()
        || is_system_color(word)
}

fn is_system_color(word: &str) -> bool {
    const SYSTEM: &[&str] = &[
        "accentcolor",
        "accentcolortext",
        "activetext",
        "buttonborder",
        "buttonface",
        "buttontext",
        "canvas",
        "canvastext",
        "field",
        "fieldtext",
        "graytext",
        "highlight",
        "highlighttext",
        "linktext",
        "mark",
        "marktext",
        "selecteditem",
        "selecteditemtext",
        "visitedtext",
        "activeborder",
        "activecaption",
        "appworkspace",
        "background",
        "buttonhighlight",
        "buttonshadow",
        "captiontext",
        "inactiveborder",
        "inactivecaption",
        "inactivecaptiontext",
        "infobackground",
        "infotext",
        "menu",
        "menutext",
        "scrollbar",
        "threeddarkshadow",
        "threedface",
        "threedhighlight",
        "threedlightshadow",
        "threedshadow",
        "window",
        "windowframe",
        "windowtext",
    ];
    SYSTEM.iter().any(|color| color.eq_ignore_ascii_case(word))
}
