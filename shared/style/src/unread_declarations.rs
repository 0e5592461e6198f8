//! Declarations that browsers understand and this crate does not: what is computed without them is incomplete.

use crate::Styles;
use crate::selector::StateSet;
use crate::sheet::{Declaration, DeclarationMeaning, Origin};
use limner_page::NodeId;

/// A declaration that applies to an element but could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnreadDeclaration<'i> {
    /// The name of the property, in lower case.
    pub name: &'i str,
    /// The value as written.
    pub value: &'i str,
}

/// Properties of Chromium that are not in the table of properties and change how a page looks.
const PROPERTIES: &[&str] = &[
    "-webkit-text-combine",
    "baseline-shift",
    "border-shape",
    "column-height",
    "column-wrap",
    "frame-sizing",
    "margin-trim",
    "math-shift",
    "ruby-overhang",
    "text-fit",
];

/// Starts of the names of such properties, of which there are many for sides and corners.
const PREFIXES: &[&str] = &[
    "-webkit-border-after",
    "-webkit-border-before",
    "-webkit-border-end",
    "-webkit-border-start",
    "-webkit-mask-box-image",
    "-webkit-perspective-origin-",
    "-webkit-transform-origin-",
    "column-rule-inset",
    "corner-",
    "row-rule-inset",
    "rule-inset",
];

/// Functions of Chromium in values. A value with one of them that could not be read is more than a mistake.
const FUNCTIONS: &[&str] = &[
    "abs(",
    "anchor(",
    "anchor-size(",
    "attr(",
    "calc-size(",
    "color-mix(",
    "contrast-color(",
    "cross-fade(",
    "if(",
    "image-set(",
    "inherit(",
    "light-dark(",
    "path(",
    "progress(",
    "random(",
    "random-item(",
    "round(",
    "shape(",
    "sibling-count(",
    "sibling-index(",
    "sign(",
    "superellipse(",
    "xywh(",
];

impl<'i> Styles<'i> {
    /// Returns the declarations of the page that apply to an element while no interaction state holds, and that only a
    /// browser can read. Names with the prefixes of other browsers, hacks and fallbacks are none of them.
    pub fn unread_declarations(&self, node: NodeId) -> Vec<UnreadDeclaration<'i>> {
        let index = self.index();
        let mut found = Vec::new();
        for matched in index.matches_for(node).iter() {
            let entry = &index.entries[matched.entry as usize];
            let rule = &index.sheets.rules[entry.rule as usize];
            let is_meant = entry.pseudo.is_none() && !entry.ignored && rule.origin == Origin::Author;
            let applies = matched.matches_under(entry.mentioned(), StateSet::NONE)
                && self.condition_holds(rule.condition) != Some(false);
            if is_meant && applies {
                found.extend(unread(index.rule_declarations(rule)));
            }
        }
        found.extend(index.inline.get(&node).into_iter().flat_map(|own| unread(own)));
        found
    }
}

/// Returns the declarations of a block that only a browser can read. One that a later declaration of its property
/// replaces says nothing.
fn unread(block: &[Declaration]) -> impl Iterator<Item = UnreadDeclaration<'_>> {
    block.iter().enumerate().filter_map(|(at, own)| {
        let is_unread = matches!(own.effect, DeclarationMeaning::Invalid) && is_for_browsers(&own.name, &own.value);
        let is_read = |other: &Declaration| !matches!(other.effect, DeclarationMeaning::Invalid);
        let is_replaced = || block[at + 1..].iter().any(|other| other.name == own.name && is_read(other));
        (is_unread && !is_replaced()).then(|| UnreadDeclaration { name: &own.name, value: &own.value })
    })
}

fn is_for_browsers(name: &str, value: &str) -> bool {
    if PROPERTIES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix)) {
        return !matches!(value, "initial" | "unset" | "revert" | "none" | "auto" | "normal");
    }
    let is_known = crate::property::Property::from_name(name).is_some();
    let value = value.to_ascii_lowercase();
    let is_hack = ["-ms-", "-moz-", "-o-", "progid", "expression(", "\\"].iter().any(|word| value.contains(word));
    let calls = |function: &str| {
        let is_start =
            |at: usize| !value[..at].ends_with(|letter: char| letter.is_ascii_alphanumeric() || letter == '-');
        value.match_indices(function).any(|(at, _)| is_start(at))
    };
    is_known && !is_hack && FUNCTIONS.iter().any(|function| calls(function))
}

#[cfg(test)]
mod tests {
    use crate::{Environment, StyleIndex};
    use limner_page::{Document, PageSnapshot};

    fn unread(css: &str, style: &str) -> Vec<String> {
        let html = format!("<!doctype html><style>{css}</style><p style='{style}'>One");
        let page = PageSnapshot { sheets: Vec::new(), html, ..PageSnapshot::default() };
        let text =
            page.html.split_once("<style>").and_then(|(_, rest)| rest.split_once("</style>")).map(|(css, _)| css);
        let sheet = limner_page::Stylesheet {
            owner: limner_page::SheetOwner::Adopted,
            text: text.map(str::to_owned),
            ..limner_page::Stylesheet::default()
        };
        let page = PageSnapshot { sheets: vec![sheet], ..page };
        let document = Document::parse(&page.html);
        let index = StyleIndex::new(&page, &document);
        let (node, _) = document.elements_named("p").next().unwrap();
        let styles = index.styles(&Environment::default());
        styles.unread_declarations(node).iter().map(|own| format!("{}: {}", own.name, own.value)).collect()
    }

    #[test]
    fn declarations_that_only_a_browser_reads_are_counted() {
        assert_eq!(unread("p{margin-trim:block;color:red}", ""), ["margin-trim: block"]);
        assert_eq!(unread("", "column-rule-inset:4px"), ["column-rule-inset: 4px"]);
        assert_eq!(unread("p{width:random(1px, 2px 3px, )}", ""), ["width: random(1px, 2px 3px, )"]);
        assert_eq!(
            unread("@media print{p{margin-trim:block}} p:hover{margin-trim:block} i{margin-trim:block}", ""),
            [""; 0]
        );
    }

    #[test]
    fn hacks_and_fallbacks_are_not_counted() {
        for css in [
            "*zoom:1",
            "-moz-osx-font-smoothing:grayscale",
            "filter:progid:DXImageTransform.Microsoft.gradient(startColorstr=#0)",
            "width:-moz-calc(100% - 2px)",
            "display:-ms-flexbox",
            "colour:red",
            "color:nonsense",
            "width:random(oops",
            "width:round(oops);width:3px",
            "margin-trim:none",
        ] {
            assert_eq!(unread(&format!("p{{{css}}}"), ""), [""; 0], "{css}");
        }
    }
}
