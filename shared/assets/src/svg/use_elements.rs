//! Replaces `use` elements by the elements they refer to (SVG 2, "The use element").
//!
//! Ten nested lines can stand for a billion elements, so the expansion is limited by depth, by
//! rejecting cycles, and by size. A `use` beyond the limits stays, and its target is copied into
//! `defs`. Components have their own expansion, which builds a tree: `Builder::expand_use` in the crate `component`.
//!
//! <https://svgwg.org/svg2-draft/struct.html#UseElement>

use super::serialize::{MarkupNamespace, SerializeItem, SvgWriter, UseChain};
use super::svg_sources::SourceNode;
use super::xml::push_attribute;
use limner_page::dom::{Element, NodeKind};

/// Maximum size of an SVG, in bytes, before further `use` elements are left in place.
const MAX_EXPANDED_BYTES: usize = 1024 * 1024;
/// Maximum nesting of expanded `use` elements.
const MAX_DEPTH: usize = 16;

/// Attributes of `use` that do not apply to the referenced element.
const USE_ATTRIBUTES: &[&str] = &["href", "xlink:href", "x", "y", "width", "height", "transform", "id"];
/// Attributes of `symbol` that define its viewport; the replacement has its own.
const VIEWPORT: &[&str] = &["id", "x", "y", "width", "height", "refX", "refY"];

/// A root that contains only one `use` of a symbol, without geometry of its own.
pub(super) struct SingleUse {
    root: SourceNode,
    use_node: SourceNode,
    symbol: SourceNode,
}

impl<'l> SvgWriter<'l, '_> {
    /// Expands a `use`. Returns false if it must be written unchanged.
    pub(super) fn expand(
        &mut self,
        part: SourceNode,
        element: &'l Element,
        parent: MarkupNamespace,
        link: Option<usize>,
    ) -> bool {
        let address = element.href().unwrap_or_default();
        let Some(shown) = self.library.resolve_use(part.source, address) else { return false };
        let Some(target) = self.element(shown).filter(|target| target.in_svg()) else { return true };
        if self.is_cyclic(part, shown, link) {
            // Browsers render nothing for a cycle.
            return true;
        }
        let depth = link.map_or(0, |link| self.links[link].depth) + 1;
        if depth > MAX_DEPTH || self.bytes_written() > MAX_EXPANDED_BYTES {
            return false;
        }
        self.links.push(UseChain { shown, outer: link, depth });
        let link = Some(self.links.len() - 1);
        let close = self.start_group(part, element, parent);
        self.work.push(SerializeItem::Raw(close));
        self.write_use_target(shown, target, element, link);
        true
    }

    /// Returns true if `shown` contains the `use` itself, or is already being expanded.
    fn is_cyclic(&self, part: SourceNode, shown: SourceNode, link: Option<usize>) -> bool {
        let document = &self.library.source(part.source).document;
        let holds_itself = part.source == shown.source && document.is_inclusive_descendant(part.node, shown.node);
        let mut outer = link;
        while let Some(index) = outer {
            if self.links[index].shown == shown {
                return true;
            }
            outer = self.links[index].outer;
        }
        holds_itself
    }

    /// Writes the start of the group that replaces the `use`, if it needs attributes, and returns
    /// the end.
    fn start_group(&mut self, part: SourceNode, element: &Element, parent: MarkupNamespace) -> String {
        let given = |name: &str| element.attr(name).map(str::trim).filter(|value| !value.is_empty());
        let offset = |name: &str| given(name).filter(|value| value.parse::<f64>() != Ok(0.0));
        let (x, y) = (offset("x"), offset("y"));
        let is_number = |value: Option<&str>| value.is_none_or(|value| value.parse::<f64>().is_ok());
        let translates = is_number(x) && is_number(y) && (x.is_some() || y.is_some());
        let start = self.out.len();
        self.out.push_str("<g");
        let bare = self.out.len();
        if parent != MarkupNamespace::Svg {
            push_attribute(&mut self.out, "xmlns", "http://www.w3.org/2000/svg");
        }
        self.attributes(part, element, USE_ATTRIBUTES);
        let translation = translates.then(|| format!("translate({} {})", x.unwrap_or("0"), y.unwrap_or("0")));
        let transform: Vec<&str> = given("transform").into_iter().chain(translation.as_deref()).collect();
        if !transform.is_empty() {
            push_attribute(&mut self.out, "transform", &transform.join(" "));
        }
        let mut close = "</g>".to_owned();
        if self.out.len() == bare {
            self.out.truncate(start);
            close.clear();
        } else {
            self.out.push('>');
        }
        if !translates && (x.is_some() || y.is_some()) {
            // `translate()` accepts only numbers; a nested viewport accepts lengths and
            // percentages.
            self.out.push_str("<svg");
            x.into_iter().for_each(|x| push_attribute(&mut self.out, "x", x));
            y.into_iter().for_each(|y| push_attribute(&mut self.out, "y", y));
            self.out.push_str(" overflow=\"visible\">");
            close.insert_str(0, "</svg>");
        }
        close
    }

    /// Writes the element that a `use` refers to. A `symbol` or `svg` gets the size of the `use`.
    fn write_use_target(&mut self, shown: SourceNode, target: &'l Element, place: &Element, link: Option<usize>) {
        if !matches!(target.name(), "symbol" | "svg") {
            self.work.push(SerializeItem::Node { part: shown, parent: MarkupNamespace::Svg, link });
            return;
        }
        self.out.push_str("<svg");
        self.attributes(shown, target, VIEWPORT);
        for name in ["width", "height"] {
            if let Some(value) = place.attr(name).or_else(|| target.attr(name)) {
                push_attribute(&mut self.out, name, value);
            }
        }
        self.finish_element(shown, "svg", MarkupNamespace::Svg, link, false);
    }

    /// Returns the symbol that is the only content of a root without `viewBox`. The root takes over
    /// the symbol's `viewBox`, which avoids a nested viewport.
    pub(super) fn sole_symbol(&self, root: SourceNode, element: &Element) -> Option<SingleUse> {
        if element.attr("viewBox").is_some() {
            return None;
        }
        let document = &self.library.source(root.source).document;
        let mut single = None;
        for child in document.children(root.node) {
            match document.kind(child) {
                NodeKind::Element(e) if e.is_svg("title") || e.is_svg("desc") => {}
                NodeKind::Element(e) if e.is_svg("use") && single.is_none() => single = Some((child, e)),
                NodeKind::Element(_) => return None,
                NodeKind::Text(text) if !text.trim().is_empty() => return None,
                _ => {}
            }
        }
        let (node, place) = single?;
        let fills = |name| place.attr(name).is_none_or(|value| value.trim() == "100%");
        let stays = |name| place.attr(name).is_none_or(|value| value.trim() == "0");
        let symbol = self.library.resolve_use(root.source, place.href()?)?;
        let target = self.element(symbol)?;
        let lends = target.is_svg("symbol") && ["width", "height"].iter().all(|name| target.attr(name).is_none());
        let is_plain = ["width", "height"].into_iter().all(fills) && ["x", "y"].into_iter().all(stays);
        let found = lends
            && target.attr("viewBox").is_some()
            && is_plain
            && !self.is_cyclic(SourceNode { node, ..root }, symbol, None);
        found.then_some(SingleUse { root, use_node: SourceNode { node, ..root }, symbol })
    }

    /// Writes the contents of a root with a single symbol.
    pub(super) fn write_symbol_contents(&mut self, single: &SingleUse) {
        let (Some(symbol), Some(place)) = (self.element(single.symbol), self.element(single.use_node)) else { return };
        for name in ["viewBox", "preserveAspectRatio"] {
            self.lent.extend(symbol.attr(name).map(|value| (name, value.to_owned())));
        }
        self.links.push(UseChain { shown: single.symbol, outer: None, depth: 1 });
        let link = Some(self.links.len() - 1);
        let document = &self.library.source(single.root.source).document;
        for (node, _) in document.child_elements(single.root.node).filter(|(node, _)| *node != single.use_node.node) {
            self.work.push(SerializeItem::Node {
                part: SourceNode { node, ..single.root },
                parent: MarkupNamespace::Svg,
                link: None,
            });
        }
        self.work.reverse();
        self.write_pending();
        let outer = self.start_group(single.use_node, place, MarkupNamespace::Svg);
        let inner = self.open_symbol_group(single.symbol, symbol);
        self.work.push(SerializeItem::Raw(format!("{inner}{outer}")));
        self.children(single.symbol, MarkupNamespace::Svg, link);
    }

    /// Writes the start of a group with the symbol's attributes other than its viewport, and
    /// returns the end.
    fn open_symbol_group(&mut self, part: SourceNode, symbol: &Element) -> &'static str {
        let start = self.out.len();
        self.out.push_str("<g");
        let bare = self.out.len();
        let mut without = VIEWPORT.to_vec();
        without.extend(["viewBox", "preserveAspectRatio", "overflow"]);
        self.attributes(part, symbol, &without);
        if self.out.len() == bare {
            self.out.truncate(start);
            return "";
        }
        self.out.push('>');
        "</g>"
    }
}
