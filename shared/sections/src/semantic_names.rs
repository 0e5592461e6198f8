//! Derives semantic names of elements from the names that their authors chose.
//!
//! Examples: `card__title` → `title`, `home_card__1yR4b` → `card`, `sc-jSFiLV` → no name.

use limner_page::dom;

/// Returns the semantic name of an element.
pub fn semantic_name(element: &dom::Element) -> String {
    let of_layout = || layout_word(element).unwrap_or_else(|| name_for_tag(element.name())).to_owned();
    author_words(element).next().unwrap_or_else(of_layout)
}

/// Returns the part of a grid system that an element is, where its author gave it no name: says more than `box`.
fn layout_word(element: &dom::Element) -> Option<&'static str> {
    const BREAKPOINTS: &[&str] = &["xs", "sm", "md", "lg", "xl", "xxl"];
    let is_share = |part: &str| part == "auto" || part.bytes().all(|byte| byte.is_ascii_digit());
    let is_column = |rest: &str| {
        let (first, second) = rest.split_once('-').unwrap_or((rest, ""));
        if BREAKPOINTS.contains(&first) { is_share(second) } else { second.is_empty() && is_share(first) }
    };
    let word = |class: &str| match strip_library_prefix(class) {
        "container" => Some("container"),
        "row" => Some("row"),
        "grid" => Some("grid"),
        "col" => Some("col"),
        own if own.starts_with("container-") => Some("container"),
        own => own.strip_prefix("col-").filter(|rest| is_column(rest)).map(|_| "col"),
    };
    element.classes().iter().filter(|_| element.name() == "div").find_map(|class| word(class))
}

/// Returns the words in an element's attributes that its author chose.
pub fn author_words(element: &dom::Element) -> impl Iterator<Item = String> {
    let classes = element.classes().iter().map(|class| &**class);
    let id = element.id().map(|id| &**id).filter(|id| !is_generated_id(id));
    // Names the parts of components whose classes are all utilities.
    element.attr("data-slot").into_iter().chain(classes).chain(id).filter_map(readable)
}

/// Returns true if a library generated an id by numbering its elements.
fn is_generated_id(id: &str) -> bool {
    let lower = id.to_ascii_lowercase();
    ["radix-", "react-aria", "headlessui-", "mantine-", "reka-", "_r_"].iter().any(|start| lower.starts_with(start))
        || lower.contains("-_r_")
}

/// Returns the modifiers of an element in its classes: known words for one of several elements, the modifiers of BEM
/// names, and what a class adds to another one of the element (`btn btn-primary`).
pub fn modifiers(element: &dom::Element) -> Vec<String> {
    let classes: Vec<&str> = element.classes().iter().map(|class| &**class).collect();
    let extension = |class: &&str| {
        let rest = classes.iter().find_map(|base| class.strip_prefix(*base)?.strip_prefix('-'))?;
        if rest.starts_with('-') { None } else { readable(rest) }
    };
    let mut modifiers: Vec<String> = classes.iter().filter_map(|class| modifier(class)).collect();
    modifiers.extend(classes.iter().filter_map(extension));
    modifiers.sort_unstable();
    modifiers.dedup();
    modifiers
}

/// Returns the modifier in a class name.
fn modifier(class: &str) -> Option<String> {
    #[rustfmt::skip]
    const MODIFIER_WORDS: &[&str] = &[
        "active", "available", "best", "checked", "closed", "collapsed", "complete", "completed", "current", "danger",
        "disabled", "discontinued", "done", "empty", "error", "excluded", "expanded", "external", "failed", "featured",
        "highlight", "highlighted", "inactive", "included", "latest", "locked", "missing", "muted", "new", "off", "on",
        "open", "pending", "pinned", "popular", "preferred", "premium", "promoted", "read", "recommended", "reversed",
        "sale", "selected", "sold", "soldout", "special", "success", "today", "unavailable", "unread", "upcoming",
        "urgent", "verified", "warning",
    ];
    let modifier = class.rsplit_once("--").and_then(|(_, modifier)| readable(modifier));
    let last = || {
        class.rsplit(['-', '_']).next().map(str::to_ascii_lowercase).filter(|last| MODIFIER_WORDS.contains(&&**last))
    };
    modifier.or_else(last)
}

/// Returns the part of a class name that a person chose: the element of a BEM name, without hashes, utilities and
/// prefixes of libraries.
fn readable(name: &str) -> Option<String> {
    let element = chosen(name)?;
    let element = element.split("--").next().unwrap_or(element);
    if element.split(['-', '_']).any(is_generated_hash) {
        return None;
    }
    let mut word = String::new();
    for (at, c) in element.char_indices() {
        match c {
            c if starts_camel_word(element, at) && !word.ends_with('-') => {
                word.push('-');
                word.push(c.to_ascii_lowercase());
            }
            c if c.is_ascii_alphanumeric() => word.push(c.to_ascii_lowercase()),
            '-' | '_' if !word.is_empty() && !word.ends_with('-') => word.push('-'),
            '-' | '_' => {}
            // A utility such as `md:w-1/2` describes the appearance, not the purpose.
            _ => return None,
        }
    }
    let word = strip_library_prefix(word.trim_end_matches('-'));
    let is_word = word.len() >= 3
        && word.len() <= 32
        && word.starts_with(|c: char| c.is_ascii_lowercase())
        && !word.contains(|c: char| c.is_ascii_digit());
    (is_word && !is_utility(word)).then(|| word.to_owned())
}

/// Returns true if an upper-case letter begins a word: the `N` and the `B` of `VPNavBar`.
fn starts_camel_word(name: &str, at: usize) -> bool {
    let bytes = name.as_bytes();
    let is = |at: usize, test: fn(&u8) -> bool| bytes.get(at).is_some_and(test);
    at > 0
        && is(at, u8::is_ascii_uppercase)
        && (is(at - 1, u8::is_ascii_lowercase)
            || is(at - 1, u8::is_ascii_uppercase) && is(at + 1, u8::is_ascii_lowercase))
}

/// Strips the parts of a class name that a tool added.
fn chosen(name: &str) -> Option<&str> {
    // styled-components: `Card-sc-1q3kx9-2`, `sc-jSFiLV`.
    let name = name.split_once("-sc-").map_or(name, |(chosen, _)| chosen);
    if name.starts_with("sc-") || ["astro-", "svelte-"].iter().any(|tool| has_scope(name, tool)) {
        return None;
    }
    // Carbon: `cds--btn`.
    let name = ["cds--", "bx--"].iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    // CSS modules: `home_card__1yR4b`, `_card_1a2b3_12`.
    if let Some((chosen, hash)) = name.rsplit_once("__")
        && hash.len() == 5
        && (is_generated_hash(hash)
            || hash.contains(|c: char| c.is_ascii_digit() || c.is_ascii_uppercase() || "-_".contains(c)))
        && let Some((_, chosen)) = chosen.rsplit_once('_')
    {
        return Some(chosen);
    }
    if let Some(module) = name.strip_prefix('_')
        && let Some((rest, line)) = module.rsplit_once('_')
        && line.bytes().all(|byte| byte.is_ascii_digit())
    {
        return rest.rsplit_once('_').map(|(chosen, _)| chosen);
    }
    // Docusaurus: `iconLink_nPIU`.
    if let Some((chosen, hash)) = name.rsplit_once('_')
        && hash.len() == 4
        && hash.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && hash.bytes().skip(1).any(|byte| byte.is_ascii_uppercase())
        && !chosen.is_empty()
    {
        return chosen.rsplit("__").next();
    }
    // Chakra: `card__root` is the card itself.
    name.strip_suffix("__root").unwrap_or(name).rsplit("__").next()
}

/// Returns true if a class only identifies the source file of an element: `astro-kmkmnagf`, `svelte-1tky8bj`.
fn has_scope(name: &str, tool: &str) -> bool {
    let scope = name.strip_prefix(tool).unwrap_or_default();
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    matches!((tool, scope.len()), ("astro-", 8) | ("svelte-", 5..=8)) && scope.bytes().all(is_letter)
}

/// Returns true if part of a name has letters beside each other that no English word has: `wuiqsim`, `vvubrbo`.
fn is_unpronounceable(part: &str) -> bool {
    const STRANGERS: &[&str] = &[
        "bq", "cj", "cx", "fq", "fx", "gx", "hx", "jb", "jd", "jf", "jg", "jk", "jl", "jm", "jn", "jp", "jr", "jt",
        "jv", "jw", "jx", "jz", "kx", "mx", "pz", "sx", "vb", "vc", "vd", "vf", "vg", "vh", "vj", "vk", "vm", "vn",
        "vq", "vt", "vw", "vx", "vz", "wq", "wv", "wx", "xj", "xk", "xz", "zf", "zj", "zr", "zx",
    ];
    let lower = part.to_ascii_lowercase();
    let bytes = lower.as_bytes();
    let is_consonant = |byte: &u8| byte.is_ascii_lowercase() && !b"aeiouy".contains(byte);
    let lonely_q = lower.split('q').skip(1).any(|rest| !rest.starts_with('u'));
    let doubled_start = bytes.len() > 1 && bytes[0] == bytes[1] && is_consonant(&bytes[0]) && bytes[0] != b'l';
    let crowded = bytes.windows(6).any(|six| six.iter().all(is_consonant));
    part.len() >= 5
        && part.bytes().all(|byte| byte.is_ascii_lowercase())
        && (lonely_q || doubled_start || crowded || STRANGERS.iter().any(|pair| lower.contains(pair)))
}

/// Returns true if part of a name is machine-generated: unpronounceable, or with random changes of case.
fn is_generated_hash(part: &str) -> bool {
    let has_vowel = part.char_indices().any(|(at, c)| "aeiouAEIOU".contains(c) || at > 0 && "yY".contains(c));
    // `hUnVWd` has camel-case parts of one letter, `goToTop` has none.
    let humps: Vec<usize> = camel_case_part_lengths(part).collect();
    let is_mixed = part.len() <= 8 && humps.len() > 2 && humps.contains(&1);
    part.len() >= 5 && (!has_vowel || is_mixed || is_unpronounceable(part))
}

/// Returns the lengths of the camel-case parts of a name.
fn camel_case_part_lengths(part: &str) -> impl Iterator<Item = usize> + '_ {
    let rises = |at: &usize| *at > 0 && part.as_bytes()[*at].is_ascii_uppercase();
    let starts = std::iter::once(0).chain((0..part.len()).filter(rises));
    let ends = (0..part.len()).filter(rises).chain(std::iter::once(part.len()));
    starts.zip(ends).map(|(start, end)| end - start)
}

/// Strips a library's prefix from a word. Libraries use it for names that describe the appearance.
fn strip_library_prefix(word: &str) -> &str {
    #[rustfmt::skip]
    const LIBRARIES: &[&str] = &[
        "wp-block-", "elementor-", "chakra-", "mantine-", "framer-", "mui-", "mat-mdc-", "mat-", "mdc-", "mdl-", "ant-",
        "uk-", "sqs-", "cds-", "bx-", "rt-", "fui-", "slds-", "govuk-", "nhsuk-", "et-pb-", "et-", "swiper-", "slick-", "owl-",
        "stm-", "uagb-", "kt-", "fusion-", "vc-", "wpb-", "brxe-", "lucide-",
    ];
    // Prefixes that begin ordinary words as well: stripped only before the names in `PARTS`.
    const SHORT: &[&str] = &["el-", "n-", "q-", "usa-", "v-"];
    #[rustfmt::skip]
    const PARTS: &[&str] = &[
        "alert", "avatar", "badge", "banner", "breadcrumb", "btn", "button", "card", "carousel", "checkbox", "chip", "col",
        "collapse", "container", "dialog", "drawer", "expansion", "field", "footer", "form", "header", "icon", "image",
        "img", "input", "item", "layout", "link", "list", "menu", "pagination", "panel", "progress", "radio", "row",
        "select", "sheet", "slider", "step", "stepper", "steps", "switch", "tab", "table", "tabs", "tag", "timeline",
        "toolbar", "tooltip",
    ];
    let is_part = |own: &&str| own.split('-').next().is_some_and(|first| PARTS.contains(&first));
    let short = || SHORT.iter().find_map(|prefix| word.strip_prefix(prefix)).filter(is_part);
    let own = LIBRARIES.iter().find_map(|prefix| word.strip_prefix(prefix)).or_else(short);
    own.map_or(word, |own| own.strip_suffix("-root").unwrap_or(own))
}

/// Returns true if the first part of a class name describes the appearance or what a script has done, not the purpose.
fn is_utility(word: &str) -> bool {
    #[rustfmt::skip]
    const UTILITY_WORDS: &[&str] = &[
        "absolute", "active", "align", "animate", "animated", "antialiased", "aos", "aspect", "basis", "bg",
        "block", "blur", "border", "bottom", "break", "capitalize", "center", "clear", "clearfix", "col",
        "columns", "container", "css", "cursor", "d", "decoration", "delay", "display", "divide", "duration",
        "backdrop", "brightness", "contrast", "ease", "end", "fade", "fill", "from", "grayscale", "invert", "fixed", "flex", "float", "focus", "font", "fs", "fw", "g", "gap", "grid", "grow",
        "gx", "gy", "h", "has", "height", "hidden", "indent", "inline", "inset", "is", "isolate", "italic",
        "items", "js", "justify", "lazy", "lazyload", "lazyloaded", "leading", "left", "lg", "lh", "list",
        "loaded", "lowercase", "lucide", "m", "margin", "max", "mb", "md", "me", "min", "ml", "mr", "ms", "mt", "mx", "my",
        "object", "offset", "opacity", "order", "origin", "outline", "overflow", "p", "padding", "pb", "pe",
        "peer", "pl", "place", "pointer", "position", "pr", "ps", "pt", "pull", "px", "py", "ratio", "relative",
        "reset", "resize", "right", "ring", "rotate", "rounded", "row", "saturate", "scale", "self", "shadow",
        "show", "shrink", "size", "skew", "sm", "snap", "space", "sr", "start", "subpixel", "sticky", "stretched", "stroke", "styled",
        "table", "text", "to", "top", "touch", "tracking", "transform", "transition", "translate", "truncate", "u",
        "underline", "uppercase", "vh", "via", "visible", "vw", "w", "whitespace", "width", "wow", "xl",
        "xs", "xxl", "z",
    ];
    let first = word.split('-').next().unwrap_or(word);
    UTILITY_WORDS.contains(&first)
}

fn name_for_tag(tag: &str) -> &str {
    match tag {
        "a" => "link",
        "p" => "text",
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => "title",
        "ul" | "ol" | "dl" | "menu" => "list",
        "li" | "dt" | "dd" => "item",
        "img" | "picture" | "figure" => "image",
        "svg" => "icon",
        "path" | "g" | "circle" | "rect" | "line" | "polygon" | "polyline" | "ellipse" => "shape",
        "div" => "box",
        "span" => "label",
        "td" | "th" => "cell",
        "tr" => "row",
        "html" | "body" => "page",
        tag if tag.chars().all(|c| c.is_ascii_lowercase()) => tag,
        _ => "element",
    }
}

#[cfg(test)]
mod tests;
