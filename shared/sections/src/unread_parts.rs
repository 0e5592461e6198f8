//! Hints about parts of a section that were not read: declarations that only browsers understand, frames without an
//! address, and fonts that a script loads.
//!
//! `styledCoverage` compares the component with the page as it was read, so it cannot tell of these.

use limner_page::dom::Element;
use limner_page::{Document, NodeId, PageSnapshot};
use limner_style::computed::Display;
use limner_style::property::Longhand;
use limner_style::value::{Component, parse_components, split_commas};
use limner_style::{Environment, StyleIndex, Styles, declarations_in};
use std::collections::BTreeSet;

/// Maximum number of names in a hint.
const MAX_NAMES: usize = 4;
/// Maximum number of elements of a section that are looked at.
const MAX_ELEMENTS: usize = 4_000;
/// Minimum number of letters in a font that is worth a hint.
const MIN_LETTERS: usize = 3;

/// Families of systems and browsers, in lower case, and generic ones. Where a list begins with one of these, nothing is
/// missing.
const SYSTEM_FONTS: &[&str] = &[
    "-apple-system",
    "american typewriter",
    "andale mono",
    "apple color emoji",
    "arial",
    "arial black",
    "arial narrow",
    "avenir",
    "avenir next",
    "baskerville",
    "big caslon",
    "blinkmacsystemfont",
    "bodoni mt",
    "book antiqua",
    "bookman old style",
    "brush script mt",
    "calibri",
    "cambria",
    "candara",
    "cantarell",
    "cascadia code",
    "century gothic",
    "charter",
    "cochin",
    "comic sans ms",
    "consolas",
    "constantia",
    "copperplate",
    "corbel",
    "courier",
    "courier new",
    "cursive",
    "dejavu sans",
    "dejavu sans mono",
    "didot",
    "emoji",
    "fangsong",
    "fantasy",
    "franklin gothic medium",
    "futura",
    "garamond",
    "geneva",
    "georgia",
    "gill sans",
    "gill sans mt",
    "helvetica",
    "helvetica neue",
    "hiragino kaku gothic pro",
    "hiragino kaku gothic pron",
    "hiragino sans",
    "hiragino sans gb",
    "hoefler text",
    "impact",
    "liberation mono",
    "liberation sans",
    "lucida bright",
    "lucida console",
    "lucida grande",
    "lucida sans",
    "lucida sans unicode",
    "malgun gothic",
    "math",
    "meiryo",
    "menlo",
    "microsoft jhenghei",
    "microsoft sans serif",
    "microsoft yahei",
    "monaco",
    "monospace",
    "ms gothic",
    "ms pgothic",
    "ms sans serif",
    "new york",
    "noto color emoji",
    "optima",
    "palatino",
    "palatino linotype",
    "perpetua",
    "pingfang hk",
    "pingfang sc",
    "pingfang tc",
    "rockwell",
    "sans-serif",
    "segoe print",
    "segoe ui",
    "segoe ui emoji",
    "segoe ui symbol",
    "serif",
    "sf mono",
    "sf pro",
    "sf pro display",
    "sf pro text",
    "sfmono-regular",
    "simhei",
    "simsun",
    "snell roundhand",
    "songti sc",
    "symbol",
    "system-ui",
    "tahoma",
    "times",
    "times new roman",
    "trebuchet ms",
    "ubuntu",
    "ui-monospace",
    "ui-rounded",
    "ui-sans-serif",
    "ui-serif",
    "verdana",
    "webdings",
    "wingdings",
    "yu gothic",
    "yu mincho",
];

/// Parts of the addresses of scripts that load fonts, and calls that do.
const FONT_SCRIPTS: &[&str] = &["fast.fonts", "fontloader", "fonts.com", "typekit", "typography.com", "webfont"];
const FONT_CALLS: &[&str] = &["FontFace(", "Typekit.load", "WebFont.load", "WebFontConfig"];

/// Returns the hints about a section.
pub fn hints(page: &PageSnapshot, index: &StyleIndex<'_>, section: NodeId) -> Vec<String> {
    let document = index.document();
    let mut styles = index.styles(&Environment::default());
    // A visitor sees the next family, as in the component, unless a script loads the one that is named.
    let faces = loaded_families(page, index).filter(|_| loads_fonts_by_script(document));
    let (mut unread, mut frames, mut missing) = ((0, BTreeSet::new()), 0, BTreeSet::new());
    let inside = std::iter::once(section).chain(document.light_descendants(section));
    let mut hidden_until = 0;
    for node in inside.filter(|node| document.element(*node).is_some()).take(MAX_ELEMENTS) {
        let Some(element) = document.element(node).filter(|_| node.index() >= hidden_until) else { continue };
        if styles.get(node).is_none_or(|style| style.display() == Display::None) {
            hidden_until = document.subtree_end(node);
            continue;
        }
        for declaration in styles.unread_declarations(node) {
            unread.0 += 1;
            unread.1.insert(declaration.name.to_owned());
        }
        if element.is_html("iframe") {
            // The component has a frame with an address as the page does.
            frames += usize::from(!has_address(element));
        }
        if let Some(faces) = &faces
            && has_words(document, node)
        {
            missing.extend(first_family(&mut styles, node).filter(|family| !faces.contains(&family.to_lowercase())));
        }
    }
    let mut hints = Vec::new();
    if unread.0 > 0 {
        let (count, names) = (unread.0, listed(&unread.1));
        let noun = if count == 1 { "declaration" } else { "declarations" };
        hints.push(format!("Only a browser reads {count} {noun} of this section ({names}): the component lacks them."));
    }
    if frames > 0 {
        let counted = if frames == 1 { "a frame".to_owned() } else { format!("{frames} frames") };
        hints.push(format!("The contents of {counted} of this section were not read."));
    }
    if !missing.is_empty() {
        let names = listed(&missing);
        hints.push(format!(
            "A script may load fonts that the stylesheets only name ({names}): the component uses the next family."
        ));
    }
    hints
}

/// Returns true if a script of the page loads fonts: a service's, a loader, or one that makes faces.
fn loads_fonts_by_script(document: &Document) -> bool {
    document.elements_named("script").any(|(node, script)| {
        let address = script.attr("src").unwrap_or_default().to_ascii_lowercase();
        let is_service = FONT_SCRIPTS.iter().any(|name| address.contains(name));
        let texts = || document.children(node).filter_map(|child| document.text(child));
        is_service || texts().any(|text| FONT_CALLS.iter().any(|call| text.contains(call)))
    })
}

fn listed(names: &BTreeSet<String>) -> String {
    names.iter().take(MAX_NAMES).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Returns true for a frame with the address of a document.
fn has_address(element: &Element) -> bool {
    let address = element.attr("src").or_else(|| element.attr("data-src")).unwrap_or_default().trim();
    !address.is_empty() && !["about:", "javascript:"].iter().any(|scheme| address.starts_with(scheme))
}

/// Returns the families, in lower case, for which the page has faces or that systems have; `None` if a stylesheet could
/// not be read, which may have others.
fn loaded_families(page: &PageSnapshot, index: &StyleIndex<'_>) -> Option<BTreeSet<String>> {
    if page.sheets.iter().any(|sheet| sheet.text.is_none()) {
        return None;
    }
    let own = index.at_rules().iter().filter(|rule| &*rule.name == "font-face");
    let own =
        own.flat_map(|rule| declarations_in(&rule.body)).filter(|(name, _)| name.eq_ignore_ascii_case("font-family"));
    let own = own.map(|(_, value)| value.trim().trim_matches(['"', '\'']).to_lowercase());
    Some(own.chain(SYSTEM_FONTS.iter().map(|name| (*name).to_owned())).collect())
}

/// Returns the family that a text is meant to have.
fn first_family(styles: &mut Styles<'_>, node: NodeId) -> Option<String> {
    let style = styles.get(node)?;
    let list = parse_components(style.get(Longhand::FontFamily))?;
    let first = split_commas(&list).into_iter().next()?;
    let words = first.iter().filter_map(|part| match part {
        Component::Ident(word) => Some(word.to_string()),
        Component::String(text) => Some(text.to_string()),
        _ => None,
    });
    let family = words.collect::<Vec<_>>().join(" ");
    (!family.is_empty()).then_some(family)
}

/// Returns true if an element has words of its own.
fn has_words(document: &Document, node: NodeId) -> bool {
    let texts = document.children(node).filter_map(|child| document.text(child));
    texts.flat_map(str::chars).filter(|letter| letter.is_alphabetic()).take(MIN_LETTERS).count() == MIN_LETTERS
}
