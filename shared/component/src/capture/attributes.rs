//! Filters the attributes that a component keeps, and rewrites the URLs in them.
//!
//! Attributes of HTML elements are kept by an allow list: an attribute that no standard defines belongs to a script of
//! the page, and the list has no attribute that runs scripts.

use super::tree::tag_names::is_attribute;
use limner_assets::image_references::lazy;
use limner_assets::image_references::lazy::LazyAttribute;
use limner_assets::image_references::srcset;
use limner_assets::svg::urls::{rewrite_urls, runs_script};
use limner_component_model::model::{Attribute, Namespace};
use limner_page::dimension::Dimension;
use limner_page::dom::Element;
use limner_types::result::ImageSource;
use std::collections::HashSet;
use url::Url;

/// Attributes of every HTML element.
#[rustfmt::skip]
const GLOBAL: &[&str] = &[
    "abbr", "accesskey", "alt", "autocapitalize", "dir", "enterkeyhint", "hidden", "inert", "inputmode", "lang",
    "popover", "role", "spellcheck", "tabindex", "title", "translate",
];

/// Attributes that are integers: any other value means the same as none.
const INTEGERS: &[&str] = &["cols", "colspan", "maxlength", "minlength", "rows", "rowspan", "size", "span", "tabindex"];

/// Attributes of single HTML elements; sorted by element.
const ELEMENT_ATTRIBUTES: &[(&str, &[&str])] = &[
    ("a", &["download", "hreflang", "rel", "target", "type"]),
    ("area", &["coords", "rel", "shape", "target"]),
    ("audio", &["autoplay", "controls", "loop", "muted", "preload"]),
    (
        "button",
        &[
            "command",
            "commandfor",
            "disabled",
            "form",
            "formmethod",
            "formnovalidate",
            "name",
            "popovertarget",
            "popovertargetaction",
            "type",
            "value",
        ],
    ),
    ("canvas", &["height", "width"]),
    ("col", &["span"]),
    ("colgroup", &["span"]),
    ("data", &["value"]),
    ("del", &["datetime"]),
    ("details", &["name", "open"]),
    ("dialog", &["open"]),
    ("embed", &["height", "width"]),
    ("fieldset", &["disabled", "form", "name"]),
    ("form", &["autocomplete", "enctype", "method", "name", "novalidate", "target"]),
    ("iframe", &["allow", "allowfullscreen", "height", "loading", "name", "referrerpolicy", "width"]),
    ("img", &["fetchpriority", "height", "ismap", "loading", "sizes", "usemap", "width"]),
    (
        "input",
        &[
            "accept",
            "autocomplete",
            "capture",
            "checked",
            "dirname",
            "disabled",
            "form",
            "formmethod",
            "height",
            "list",
            "max",
            "maxlength",
            "min",
            "minlength",
            "multiple",
            "name",
            "pattern",
            "placeholder",
            "popovertarget",
            "readonly",
            "required",
            "size",
            "step",
            "type",
            "value",
            "width",
        ],
    ),
    ("ins", &["datetime"]),
    ("label", &["for"]),
    ("li", &["value"]),
    ("map", &["name"]),
    ("meter", &["high", "low", "max", "min", "optimum", "value"]),
    ("object", &["height", "width"]),
    ("ol", &["reversed", "start", "type"]),
    ("optgroup", &["disabled", "label"]),
    ("option", &["disabled", "label", "selected", "value"]),
    ("output", &["for", "form", "name"]),
    ("progress", &["max", "value"]),
    ("select", &["autocomplete", "disabled", "form", "multiple", "name", "required", "size"]),
    ("source", &["height", "media", "sizes", "type", "width"]),
    ("td", &["colspan", "headers", "rowspan"]),
    (
        "textarea",
        &[
            "autocomplete",
            "cols",
            "dirname",
            "disabled",
            "form",
            "maxlength",
            "minlength",
            "name",
            "placeholder",
            "readonly",
            "required",
            "rows",
            "wrap",
        ],
    ),
    ("th", &["colspan", "headers", "rowspan", "scope"]),
    ("time", &["datetime"]),
    ("track", &["default", "kind", "label", "srclang"]),
    ("video", &["autoplay", "controls", "height", "loop", "muted", "playsinline", "poster", "preload", "width"]),
];

/// Attributes of HTML elements whose value is a URL; sorted by element.
const URL_ATTRIBUTES: &[(&str, &[&str])] = &[
    ("a", &["href"]),
    ("area", &["href"]),
    ("audio", &["src"]),
    ("blockquote", &["cite"]),
    ("button", &["formaction"]),
    ("del", &["cite"]),
    ("form", &["action"]),
    ("iframe", &["src"]),
    ("img", &["src"]),
    ("input", &["formaction", "src"]),
    ("ins", &["cite"]),
    ("q", &["cite"]),
    ("source", &["src"]),
    ("track", &["src"]),
    ("video", &["poster", "src"]),
];

/// Attributes whose value is a list of element ids.
#[rustfmt::skip]
const REFERENCES: &[&str] = &[
    "aria-activedescendant", "aria-controls", "aria-describedby", "aria-details", "aria-errormessage", "aria-flowto",
    "aria-labelledby", "aria-owns", "commandfor", "for", "form", "headers", "list", "popovertarget",
];

/// Returns true if a table lists an attribute for an element.
fn table_contains(table: &[(&str, &[&str])], element: &str, attribute: &str) -> bool {
    table.binary_search_by(|(name, _)| (*name).cmp(element)).is_ok_and(|at| table[at].1.contains(&attribute))
}

/// Resolves the URLs of a section.
pub(super) struct UrlResolver<'a> {
    /// The base URL.
    pub(super) base: &'a Url,
    /// Ids of elements inside the section.
    pub(super) ids: &'a HashSet<String>,
}

impl UrlResolver<'_> {
    /// Returns the URL that the component writes: absolute, or a fragment of an element inside the section; `None` if
    /// following it could run a script.
    pub(super) fn absolute(&self, address: &str, may_hold_data: bool) -> Option<String> {
        let address = address.trim();
        if let Some(fragment) = address.strip_prefix('#') {
            let stays = fragment.is_empty() || self.ids.contains(fragment);
            return Some(if stays { address.to_owned() } else { self.base.join(address).ok()?.into() });
        }
        let url = self.base.join(address).ok()?;
        match url.scheme() {
            "http" | "https" | "mailto" | "tel" | "sms" => Some(url.into()),
            "data" if may_hold_data && is_media(url.path()) => Some(url.into()),
            _ => None,
        }
    }

    /// Returns a `srcset` with absolute URLs; `None` if no candidate is left.
    fn candidates(&self, value: &str) -> Option<String> {
        let written = srcset::parse(value).into_iter().filter_map(|candidate| {
            // In a `srcset`, a comma at either end of a URL would be read as a separator.
            let url = self.absolute(candidate.url, true)?;
            let url = url.trim_matches(',');
            Some(match candidate.descriptor {
                Some(descriptor) => format!("{url} {descriptor}"),
                None => url.to_owned(),
            })
        });
        let list: Vec<String> = written.collect();
        (!list.is_empty()).then(|| list.join(", "))
    }
}

/// Returns true for a role that an element has without the attribute, or for none.
fn is_own_role(element: &str, role: &str) -> bool {
    const ROLES: &[(&str, &str)] = &[
        ("a", "link"),
        ("article", "article"),
        ("aside", "complementary"),
        ("button", "button"),
        ("dialog", "dialog"),
        ("h1", "heading"),
        ("h2", "heading"),
        ("h3", "heading"),
        ("h4", "heading"),
        ("h5", "heading"),
        ("h6", "heading"),
        ("hr", "separator"),
        ("img", "img"),
        ("main", "main"),
        ("nav", "navigation"),
        ("p", "paragraph"),
        ("table", "table"),
    ];
    let role = role.trim();
    role.is_empty() || ROLES.iter().any(|(known, own)| *known == element && role.eq_ignore_ascii_case(own))
}

fn is_media(path: &str) -> bool {
    let kind = path.trim_start().to_ascii_lowercase();
    ["image/", "video/", "audio/", "font/"].iter().any(|known| kind.starts_with(known))
}

/// Returns the attributes that an element keeps, in their order.
pub(super) fn retained_attributes(
    element: &Element,
    namespace: Namespace,
    addresses: &UrlResolver<'_>,
    keeps_id: bool,
) -> Vec<Attribute> {
    let mut kept: Vec<Attribute> = Vec::new();
    for attribute in element.attributes() {
        let local = &*attribute.name.local;
        let name = match &attribute.name.prefix {
            Some(prefix) if !prefix.is_empty() => format!("{prefix}:{local}"),
            _ => local.to_owned(),
        };
        if !is_attribute(&name) {
            continue;
        }
        let value = match namespace {
            Namespace::Html => html(element.name(), &name, &attribute.value, addresses, keeps_id),
            Namespace::Svg | Namespace::MathMl => foreign(element, &name, &attribute.value, addresses, keeps_id),
        };
        if let Some(value) = value.filter(|_| !kept.iter().any(|other| other.name == name)) {
            kept.push(Attribute { name, value });
        }
    }
    if namespace == Namespace::Html {
        add_lazy_sources(element, addresses, &mut kept);
    }
    if namespace == Namespace::Html {
        drop_defaults(element.name(), &mut kept);
        let has = |name: &str| kept.iter().any(|own| own.name == name);
        // Phones start no other videos by themselves.
        if element.name() == "video" && has("autoplay") && has("muted") && !has("playsinline") {
            kept.push(Attribute { name: "playsinline".to_owned(), value: String::new() });
        }
        if element.name() == "img" {
            tidy_image(&mut kept);
        }
    }
    kept
}

/// Types of fields in which text is typed: those of them without a type are of the first one.
const TEXT_FIELDS: &[&str] = &["text", "email", "number", "password", "search", "tel", "url"];

/// Removes what an element says of itself without the attribute: an empty title, the `tabindex` of what has the focus anyway,
/// the role of a button on a link that leads to a page, the empty value of a field; and a title that repeats the address.
fn drop_defaults(element: &str, kept: &mut Vec<Attribute>) {
    let value = |name: &str| kept.iter().find(|own| own.name == name).map(|own| own.value.as_str());
    let leads = element == "a" && value("href").is_some_and(|href| !href.starts_with('#'));
    let has_focus = (element == "a" && value("href").is_some())
        || matches!(element, "button" | "select" | "summary" | "textarea")
        || (element == "input" && value("type") != Some("hidden"));
    let is_typed = element == "input"
        && value("type").is_none_or(|kind| TEXT_FIELDS.iter().any(|known| kind.eq_ignore_ascii_case(known)));
    let href = value("href").map(str::to_owned);
    kept.retain(|Attribute { name, value }| match name.as_str() {
        "title" => !value.trim().is_empty() && href.as_deref().is_none_or(|href| !is_address(value, href)),
        "target" => !value.trim().eq_ignore_ascii_case("_self"),
        "tabindex" => !(has_focus && value.trim() == "0"),
        "role" => !(leads && value.trim().eq_ignore_ascii_case("button")),
        "value" => !(is_typed && value.is_empty()),
        _ => true,
    });
}

/// Returns true for a title that says the address of its link.
fn is_address(title: &str, href: &str) -> bool {
    let plain = |text: &str| text.trim().trim_end_matches('/').to_ascii_lowercase();
    plain(title) == plain(href)
}

/// Returns the name of the file of a URL, with and without its extension.
fn file_names(address: &str) -> Option<[&str; 2]> {
    let path = address.split(['?', '#']).next()?;
    let file = path.rsplit('/').next().filter(|file| !file.is_empty())?;
    Some([file, file.rsplit_once('.').map_or(file, |(stem, _)| stem)])
}

/// Returns the name of a file without the size that WordPress adds to it: `hall-1024x683` → `hall`.
fn without_size(stem: &str) -> &str {
    let is_size = |size: &str| {
        let numbers = size.split_once('x').map(|(width, height)| [width, height]);
        numbers.is_some_and(|own| own.iter().all(|side| !side.is_empty() && side.bytes().all(|c| c.is_ascii_digit())))
    };
    match stem.rsplit_once('-') {
        // A file of the same name gets a number.
        Some((before, last)) if last == "scaled" || is_size(last) || matches!(last, "1" | "2" | "3") => before,
        _ => stem,
    }
}

/// Alternative texts that only say that something is an image.
const NO_ALTERNATIVES: &[&str] = &[
    "background",
    "background image",
    "banner",
    "banner image",
    "bg",
    "featured image",
    "icon",
    "image",
    "img",
    "photo",
    "picture",
    "placeholder",
    "slide",
    "slider",
    "thumbnail",
];

/// Removes what says nothing of an image, and adds the `alt` that it must have. Without one, screen readers read its file
/// name. Names of files as alternative text or title are from the upload.
fn tidy_image(kept: &mut Vec<Attribute>) {
    let own = |name: &str| kept.iter().find(|own| own.name == name).map(|own| own.value.trim().to_owned());
    let (source, alt) = (own("src").unwrap_or_default(), own("alt").unwrap_or_default());
    let names = file_names(&source).unwrap_or_default().map(str::to_ascii_lowercase);
    let is_technical = |text: &str| text.contains(|c: char| c.is_ascii_digit() || matches!(c, '-' | '_' | '.'));
    let is_file = |text: &str| {
        let text = text.trim().to_ascii_lowercase();
        let begins = || names[1].strip_prefix(&*text).is_some_and(|rest| rest.starts_with(['-', '_']));
        let is_drawing = names[0].ends_with(".svg") && text.bytes().all(|c| c.is_ascii_lowercase());
        is_technical(&text) && (names.contains(&text) || without_size(&names[1]) == text || begins())
            || is_drawing && !text.is_empty() && begins()
    };
    let says_nothing = |text: &str| NO_ALTERNATIVES.contains(&text.trim().to_ascii_lowercase().as_str());
    kept.retain(|own| own.name != "title" || !(is_file(&own.value) || own.value.trim() == alt));
    for own in kept.iter_mut().filter(|own| own.name == "alt" && (is_file(&own.value) || says_nothing(&own.value))) {
        own.value.clear();
    }
    let has_candidates = kept.iter().any(|attribute| attribute.name == "srcset");
    kept.retain(|Attribute { name, value }| match name.as_str() {
        "sizes" => has_candidates,
        "fetchpriority" => !value.trim().eq_ignore_ascii_case("auto"),
        "loading" => !value.trim().eq_ignore_ascii_case("eager"),
        _ => true,
    });
    if !kept.iter().any(|attribute| attribute.name == "alt") {
        kept.push(Attribute { name: "alt".to_owned(), value: String::new() });
    }
}

/// Adds the `src` and `srcset` that a script of the page would have set when the element came into view: the component
/// has no script.
fn add_lazy_sources(element: &Element, addresses: &UrlResolver<'_>, kept: &mut Vec<Attribute>) {
    let kind = |name: &str| match element.name() {
        "img" => lazy::for_img(name),
        "source" => lazy::for_source(name).filter(|kind| matches!(kind, LazyAttribute::Srcset(_))),
        "iframe" | "video" if name == "data-src" => Some(LazyAttribute::Url(ImageSource::Img)),
        _ => None,
    };
    let own = |name: &str| kept.iter().find(|attribute| attribute.name == name).map(|attribute| &attribute.value);
    let shows = |name: &str| own(name).is_some_and(|value| !value.starts_with("data:"));
    let (has_source, has_set) = (shows("src"), shows("srcset"));
    let (classes, source) = (element.attr("class").unwrap_or_default(), element.attr("src").unwrap_or_default());
    let is_replaced = |name: &str| element.is_html("img") && !has_set && lazy::replaces_source(classes, name, source);
    let mut late: Vec<Attribute> = Vec::new();
    for attribute in element.attributes() {
        let (name, value) = match kind(&attribute.name.local) {
            Some(LazyAttribute::Url(_))
                if (!has_source || is_replaced(&attribute.name.local)) && lazy::is_url_like(&attribute.value) =>
            {
                ("src", addresses.absolute(&attribute.value, false))
            }
            Some(LazyAttribute::Srcset(_)) if !has_set => ("srcset", addresses.candidates(&attribute.value)),
            _ => continue,
        };
        if let Some(value) = value.filter(|_| !late.iter().any(|other| other.name == name)) {
            late.push(Attribute { name: name.to_owned(), value });
        }
    }
    kept.retain(|attribute| !late.iter().any(|other| other.name == attribute.name));
    kept.append(&mut late);
}

fn html(element: &str, name: &str, value: &str, addresses: &UrlResolver<'_>, keeps_id: bool) -> Option<String> {
    if name == "id" {
        return keeps_id.then(|| value.to_owned());
    }
    if name == "role" && is_own_role(element, value) {
        return None;
    }
    if table_contains(URL_ATTRIBUTES, element, name) {
        if name == "src" && value.trim().is_empty() {
            // An empty `src` does not load the page as an image (HTML, "update the image data").
            return None;
        }
        let may_hold_data = !matches!(element, "a" | "area" | "button" | "form" | "iframe");
        // A link that only ran a script stays a link: it is styled as one, and can be reached by keyboard.
        let leads_nowhere = || matches!(element, "a" | "area") && runs_script(value);
        return addresses.absolute(value, may_hold_data).or_else(|| leads_nowhere().then(|| "#".to_owned()));
    }
    if name == "srcset" && matches!(element, "img" | "source") {
        return addresses.candidates(value);
    }
    let is_empty_size =
        matches!(name, "height" | "width") && !value.trim_start().starts_with(|c: char| c.is_ascii_digit());
    if is_empty_size || (INTEGERS.contains(&name) && !begins_with_integer(value)) {
        return None;
    }
    // No event handler (`on…`) begins with `aria-`, so the prefix is sufficient.
    let known =
        GLOBAL.contains(&name) || name.starts_with("aria-") || table_contains(ELEMENT_ATTRIBUTES, element, name);
    known.then(|| if matches!(name, "height" | "width") { dimension(value) } else { value.to_owned() })
}

/// Returns the part of a dimension that HTML reads, without decimals that are all zero: `1182.0` → `1182`, `500vh` → `500`.
fn dimension(value: &str) -> String {
    Dimension::parse(value).map_or_else(|| value.trim().to_owned(), |own| own.to_attribute())
}

/// Returns true if HTML reads an integer in a value; it ignores the characters after one.
fn begins_with_integer(value: &str) -> bool {
    let value = value.trim_ascii_start();
    value.strip_prefix(['-', '+']).unwrap_or(value).starts_with(|c: char| c.is_ascii_digit())
}

/// Maximum number of bytes that a value may grow by when its URLs become absolute.
const MAX_ADDED: usize = 16 << 10;

/// Returns the value of an SVG or MathML attribute. These vocabularies have too many attributes for an allow list;
/// attributes that run scripts or belong to scripts are dropped by name.
fn foreign(element: &Element, name: &str, value: &str, addresses: &UrlResolver<'_>, keeps_id: bool) -> Option<String> {
    let lower = name.to_ascii_lowercase();
    if lower.starts_with("on") || lower.starts_with("data-") || lower.starts_with("xmlns") || lower.contains(['@', '{'])
    {
        return None;
    }
    match lower.as_str() {
        "class" | "style" | "src" | "nonce" | "part" | "slot" | "actiontype" => None,
        // Of older versions of SVG; browsers ignore them.
        "baseprofile" | "contentscripttype" | "contentstyletype" | "enable-background" | "version" | "zoomandpan" => {
            None
        }
        "x" | "y" if element.is_svg("svg") && matches!(value.trim(), "0" | "0px") => None,
        "id" => keeps_id.then(|| value.to_owned()),
        "href" | "xlink:href" => {
            let may_hold_data = element.is_svg("image") || element.is_svg("feImage");
            let inside = value.trim().starts_with('#') && !element.is_svg("a");
            if inside { Some(value.trim().to_owned()) } else { addresses.absolute(value, may_hold_data) }
        }
        name if name.contains(':') && !name.starts_with("xml:") && !name.starts_with("xlink:") => None,
        // Collapses the line breaks and indents between numbers.
        "d" | "points" => Some(value.split_ascii_whitespace().collect::<Vec<&str>>().join(" ")),
        // Paints, clip paths, masks and markers may be in another file.
        _ => {
            let absolute = |address: &str| addresses.absolute(address, true).unwrap_or_else(|| "#".to_owned());
            let written = rewrite_urls(value, |own| (!own.starts_with('#')).then(|| absolute(own)));
            // Thousands of relative URLs and a long base do not occur in real graphics.
            Some(if written.len() > value.len() + MAX_ADDED { value.to_owned() } else { written })
        }
    }
}

/// Adds the ids that an element's attributes refer to.
pub(super) fn referenced_ids(element: &Element, found: &mut HashSet<String>) {
    for attribute in element.attributes() {
        let value = &*attribute.value;
        match &*attribute.name.local {
            name if REFERENCES.contains(&name) => found.extend(value.split_ascii_whitespace().map(str::to_owned)),
            "href" => found.extend(value.trim().strip_prefix('#').map(str::to_owned)),
            "usemap" => {}
            _ => found.extend(fragments(value).map(str::to_owned)),
        }
    }
}

/// Returns the ids in `url(#id)`.
pub(super) fn fragments(value: &str) -> impl Iterator<Item = &str> {
    value.split("url(").skip(1).filter_map(|rest| {
        let inside = rest.split(')').next()?.trim().trim_matches(['"', '\'']);
        inside.strip_prefix('#')
    })
}

#[cfg(test)]
mod tests;
