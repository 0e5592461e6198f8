//! Maps HTML and SVG attributes to React 19.

use super::js_literals;
use limner_component_model::ir::{Node, OutputAttribute, OutputElement, Value};
use limner_component_model::model::Namespace;

/// Renamed attributes from React's tables, without those that only scripts need.
#[rustfmt::skip]
const NAMES: &[(&str, &str)] = &[
    ("class", "className"), ("for", "htmlFor"), ("tabindex", "tabIndex"), ("readonly", "readOnly"), ("maxlength", "maxLength"),
    ("minlength", "minLength"), ("autocomplete", "autoComplete"), ("autofocus", "autoFocus"), ("autoplay", "autoPlay"),
    ("autocapitalize", "autoCapitalize"), ("autocorrect", "autoCorrect"), ("accept-charset", "acceptCharset"), ("accesskey", "accessKey"),
    ("allowfullscreen", "allowFullScreen"), ("cellpadding", "cellPadding"), ("cellspacing", "cellSpacing"), ("charset", "charSet"),
    ("colspan", "colSpan"), ("rowspan", "rowSpan"), ("contenteditable", "contentEditable"), ("controlslist", "controlsList"),
    ("crossorigin", "crossOrigin"), ("datetime", "dateTime"), ("disablepictureinpicture", "disablePictureInPicture"),
    ("disableremoteplayback", "disableRemotePlayback"), ("enctype", "encType"), ("enterkeyhint", "enterKeyHint"),
    ("fetchpriority", "fetchPriority"), ("formaction", "formAction"), ("formenctype", "formEncType"), ("formmethod", "formMethod"),
    ("formnovalidate", "formNoValidate"), ("formtarget", "formTarget"), ("frameborder", "frameBorder"), ("hreflang", "hrefLang"),
    ("http-equiv", "httpEquiv"), ("imagesizes", "imageSizes"), ("imagesrcset", "imageSrcSet"), ("inputmode", "inputMode"),
    ("itemid", "itemID"), ("itemprop", "itemProp"), ("itemref", "itemRef"), ("itemscope", "itemScope"), ("itemtype", "itemType"),
    ("marginwidth", "marginWidth"), ("marginheight", "marginHeight"), ("nomodule", "noModule"), ("novalidate", "noValidate"),
    ("playsinline", "playsInline"), ("popovertarget", "popoverTarget"), ("popovertargetaction", "popoverTargetAction"),
    ("referrerpolicy", "referrerPolicy"), ("spellcheck", "spellCheck"), ("srcdoc", "srcDoc"), ("srclang", "srcLang"), ("srcset", "srcSet"),
    ("usemap", "useMap"), ("accent-height", "accentHeight"), ("alignment-baseline", "alignmentBaseline"), ("arabic-form", "arabicForm"),
    ("baseline-shift", "baselineShift"), ("cap-height", "capHeight"), ("clip-path", "clipPath"), ("clip-rule", "clipRule"),
    ("color-interpolation", "colorInterpolation"), ("color-interpolation-filters", "colorInterpolationFilters"),
    ("color-profile", "colorProfile"), ("color-rendering", "colorRendering"), ("dominant-baseline", "dominantBaseline"),
    ("enable-background", "enableBackground"), ("fill-opacity", "fillOpacity"), ("fill-rule", "fillRule"),
    ("flood-opacity", "floodOpacity"), ("flood-color", "floodColor"), ("font-family", "fontFamily"), ("font-size", "fontSize"),
    ("font-size-adjust", "fontSizeAdjust"), ("font-stretch", "fontStretch"), ("font-style", "fontStyle"), ("font-variant", "fontVariant"),
    ("font-weight", "fontWeight"), ("glyph-name", "glyphName"), ("glyph-orientation-horizontal", "glyphOrientationHorizontal"),
    ("glyph-orientation-vertical", "glyphOrientationVertical"), ("horiz-adv-x", "horizAdvX"), ("horiz-origin-x", "horizOriginX"),
    ("image-rendering", "imageRendering"), ("letter-spacing", "letterSpacing"), ("lighting-color", "lightingColor"),
    ("marker-end", "markerEnd"), ("marker-mid", "markerMid"), ("marker-start", "markerStart"), ("overline-position", "overlinePosition"),
    ("overline-thickness", "overlineThickness"), ("paint-order", "paintOrder"), ("panose-1", "panose1"),
    ("pointer-events", "pointerEvents"), ("rendering-intent", "renderingIntent"), ("shape-rendering", "shapeRendering"),
    ("stop-color", "stopColor"), ("stop-opacity", "stopOpacity"), ("strikethrough-position", "strikethroughPosition"),
    ("strikethrough-thickness", "strikethroughThickness"), ("stroke-dasharray", "strokeDasharray"),
    ("stroke-dashoffset", "strokeDashoffset"), ("stroke-linecap", "strokeLinecap"), ("stroke-linejoin", "strokeLinejoin"),
    ("stroke-miterlimit", "strokeMiterlimit"), ("stroke-width", "strokeWidth"), ("stroke-opacity", "strokeOpacity"),
    ("text-anchor", "textAnchor"), ("text-decoration", "textDecoration"), ("text-rendering", "textRendering"),
    ("transform-origin", "transformOrigin"), ("underline-position", "underlinePosition"), ("underline-thickness", "underlineThickness"),
    ("unicode-bidi", "unicodeBidi"), ("unicode-range", "unicodeRange"), ("units-per-em", "unitsPerEm"), ("v-alphabetic", "vAlphabetic"),
    ("vector-effect", "vectorEffect"), ("vert-adv-y", "vertAdvY"), ("vert-origin-x", "vertOriginX"), ("vert-origin-y", "vertOriginY"),
    ("v-hanging", "vHanging"), ("v-ideographic", "vIdeographic"), ("v-mathematical", "vMathematical"), ("word-spacing", "wordSpacing"),
    ("writing-mode", "writingMode"), ("x-height", "xHeight"), ("xlink:actuate", "xlinkActuate"), ("xlink:arcrole", "xlinkArcrole"),
    ("xlink:href", "xlinkHref"), ("xlink:role", "xlinkRole"), ("xlink:show", "xlinkShow"), ("xlink:title", "xlinkTitle"),
    ("xlink:type", "xlinkType"), ("xml:base", "xmlBase"), ("xml:lang", "xmlLang"), ("xml:space", "xmlSpace"), ("xmlns:xlink", "xmlnsXlink"),
];

/// Boolean attributes.
#[rustfmt::skip]
const BOOLEAN: &[&str] = &[
    "allowfullscreen", "async", "autofocus", "autoplay", "checked", "controls", "default", "defer", "disabled",
    "disablepictureinpicture", "disableremoteplayback", "formnovalidate", "hidden", "inert", "itemscope", "loop", "multiple", "muted",
    "nomodule", "novalidate", "open", "playsinline", "readonly", "required", "reversed", "selected",
];

/// Attributes of type number.
const NUMERIC: &[&str] =
    &["tabindex", "colspan", "rowspan", "cols", "rows", "maxlength", "minlength", "span", "start", "size"];

/// Attributes that are reserved by React or useful only to scripts.
const OMITTED_ATTRIBUTES: &[&str] = &[
    "children",
    "dangerouslysetinnerhtml",
    "innerhtml",
    "is",
    "key",
    "ref",
    "style",
    "defaultvalue",
    "defaultchecked",
    "slot",
    "part",
];

/// Returns the name of an attribute. `None` if it cannot be used in JSX.
pub(crate) fn name(tag: &OutputElement, name: &str) -> Option<String> {
    let lower = name.to_ascii_lowercase();
    let has_form = lower.starts_with(|c: char| c.is_ascii_alphabetic())
        && lower.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | ':' | '_'));
    if !has_form
        || OMITTED_ATTRIBUTES.contains(&lower.as_str())
        || lower.starts_with("on")
        || lower.starts_with("suppress")
    {
        return None;
    }
    let is_input = tag.namespace == Namespace::Html && tag.name == "input";
    if is_input && lower == "value" && is_text_editable(tag) {
        return Some("defaultValue".to_owned());
    }
    if is_input && lower == "checked" {
        return Some("defaultChecked".to_owned());
    }
    if let Some((_, react)) = NAMES.iter().find(|(html, _)| *html == lower) {
        return Some((*react).to_owned());
    }
    // React writes no other attributes with a colon.
    if lower.contains(':') {
        return None;
    }
    // SVG attribute names are case-sensitive.
    Some(if tag.namespace == Namespace::Html { lower } else { name.to_owned() })
}

/// Returns true for inputs with a value that the visitor edits: React requires `onChange` or
/// `defaultValue` for `value`.
fn is_text_editable(tag: &OutputElement) -> bool {
    let kind = match tag.attribute("type") {
        Some(Value::Fixed(kind)) => kind.to_ascii_lowercase(),
        _ => "text".to_owned(),
    };
    !matches!(kind.as_str(), "button" | "checkbox" | "hidden" | "image" | "radio" | "reset" | "submit")
}

/// Returns true for boolean attributes.
pub(crate) fn is_boolean(name: &str) -> bool {
    BOOLEAN.contains(&name)
}

/// Returns true if React types the attribute as a number and the value is one.
pub(crate) fn is_number(name: &str, value: &str) -> bool {
    NUMERIC.contains(&name) && is_plain_number(value)
}

/// ARIA attributes of type number.
const ARIA_NUMBERS: &[&str] = &[
    "aria-colcount",
    "aria-colindex",
    "aria-colspan",
    "aria-level",
    "aria-posinset",
    "aria-rowcount",
    "aria-rowindex",
    "aria-rowspan",
    "aria-setsize",
    "aria-valuemax",
    "aria-valuemin",
    "aria-valuenow",
];

/// Returns true if the values of an attribute are all numbers or all booleans in React's types. As
/// such literals they render the same.
pub(crate) fn are_literals<'v>(name: &str, mut values: impl Iterator<Item = &'v str>) -> bool {
    if ARIA_NUMBERS.contains(&name) || NUMERIC.contains(&name) {
        return values.all(is_plain_number);
    }
    name.starts_with("aria-") && values.all(|value| matches!(value, "true" | "false"))
}

fn is_plain_number(value: &str) -> bool {
    value.len() < 10 && value.parse::<i64>().is_ok_and(|number| number.to_string() == value)
}

/// Adapts elements to React: moves form values to its attributes (the text of a `textarea` and the selected options of a
/// `select`), and gives links that open a window the `rel` without which its linter warns.
pub(crate) fn adapt_elements(tag: &mut OutputElement) {
    for child in &mut tag.children {
        if let Node::Tag(child) = child {
            adapt_elements(child);
        }
    }
    if tag.namespace != Namespace::Html {
        return;
    }
    match tag.name.as_str() {
        "a" if tag.attribute("target").is_some_and(|target| *target == Value::Fixed("_blank".to_owned())) => {
            hide_referrer(tag);
        }
        "textarea" => {
            let text: String = tag
                .children
                .drain(..)
                .filter_map(|child| match child {
                    Node::Text(Value::Fixed(text)) => Some(text),
                    _ => None,
                })
                .collect();
            if !text.is_empty() {
                set(tag, "defaultValue", text);
            }
        }
        "select" => {
            let mut chosen = Vec::new();
            extract_selected(tag, &mut chosen);
            if tag.attribute("multiple").is_none() {
                // The last option with the attribute is selected.
                chosen.into_iter().next_back().into_iter().for_each(|chosen| set(tag, "defaultValue", chosen));
            } else if !chosen.is_empty() {
                let list: Vec<String> = chosen.iter().map(|value| js_literals::string(value)).collect();
                let value = Value::Field(format!("[{}]", list.join(", ")));
                tag.attributes.push(OutputAttribute { name: "defaultValue".to_owned(), value });
            }
        }
        _ => {}
    }
}

/// Adds `noreferrer` to the `rel` of a link.
fn hide_referrer(tag: &mut OutputElement) {
    const NO_REFERRER: &str = "noreferrer";
    match tag.attributes.iter_mut().find(|attribute| attribute.name == "rel") {
        Some(OutputAttribute { value: Value::Fixed(own), .. }) => {
            if !own.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case(NO_REFERRER)) {
                *own = format!("{own} {NO_REFERRER}").trim_start().to_owned();
            }
        }
        Some(_) => {}
        None => set(tag, "rel", NO_REFERRER.to_owned()),
    }
}

fn set(tag: &mut OutputElement, name: &str, value: String) {
    tag.attributes.push(OutputAttribute { name: name.to_owned(), value: Value::Fixed(value) });
}

/// Removes `selected` from options and collects the values of the selected ones.
fn extract_selected(tag: &mut OutputElement, chosen: &mut Vec<String>) {
    for child in &mut tag.children {
        let Node::Tag(option) = child else { continue };
        if option.name == "option" && option.attribute("selected").is_some() {
            option.attributes.retain(|attribute| attribute.name != "selected");
            chosen.extend(match option.attribute("value") {
                Some(Value::Fixed(value)) => Some(value.clone()),
                _ => option.children.iter().find_map(|child| match child {
                    Node::Text(Value::Fixed(text)) => Some(text.trim_ascii().to_owned()),
                    _ => None,
                }),
            });
        }
        extract_selected(option, chosen);
    }
}
