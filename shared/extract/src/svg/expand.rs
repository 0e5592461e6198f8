//! `use` elements replaced by what they show (SVG 2, "The use element").
//!
//! Bounded three ways, since ten nested lines can stand for a billion elements: by depth, by refusing cycles, and by
//! bytes. A `use` beyond the bounds stays, and its target comes along in `defs`.

use super::library::Part;
use super::write::{Link, Namespace, Work, Writer};
use super::xml::push_attribute;
use limner_page::dom::{Element, NodeKind};

/// Bytes of one SVG after which further `use` elements stay.
const MAX_EXPANDED_BYTES: usize = 1024 * 1024;
/// Deepest nesting of `use` elements that is replaced.
const MAX_DEPTH: usize = 16;

/// What `use` takes for itself rather than passing on to what it shows.
const OWN: &[&str] = &["href", "xlink:href", "x", "y", "width", "height", "transform", "id"];
/// What a `symbol` says about its own viewport, which the written element says anew.
const VIEWPORT: &[&str] = &["id", "x", "y", "width", "height", "refX", "refY"];

/// The only thing a root shows: a symbol, by a `use` that adds no geometry.
pub(super) struct SingleUse {
    root: Part,
    place: Part,
    symbol: Part,
}

impl<'l> Writer<'l, '_> {
    /// Replaces a `use`. False: write it as it stands.
    pub(super) fn expand(&mut self, part: Part, element: &'l Element, parent: Namespace, link: Option<usize>) -> bool {
        let address = element.href().unwrap_or_default();
        let Some(shown) = self.library.used(part.source, address) else { return false };
        let Some(target) = self.element(shown).filter(|target| target.in_svg()) else { return true };
        if self.is_cycle(part, shown, link) {
            // A browser shows nothing.
            return true;
        }
        let depth = link.map_or(0, |link| self.links[link].depth) + 1;
        if depth > MAX_DEPTH || self.bytes_written() > MAX_EXPANDED_BYTES {
            return false;
        }
        self.links.push(Link { shown, outer: link, depth });
        let link = Some(self.links.len() - 1);
        let close = self.open_group(part, element, parent);
        self.work.push(Work::Raw(close));
        self.show(shown, target, element, link);
        true
    }

    /// Whether `shown` holds the `use` itself, or is being shown already.
    fn is_cycle(&self, part: Part, shown: Part, link: Option<usize>) -> bool {
        let document = &self.library.source(part.source).document;
        let holds_itself = part.source == shown.source && document.is_inside(part.node, shown.node);
        let mut outer = link;
        while let Some(index) = outer {
            if self.links[index].shown == shown {
                return true;
            }
            outer = self.links[index].outer;
        }
        holds_itself
    }

    /// Writes the group that stands in the place of the `use`, if it says anything; gives what closes it.
    fn open_group(&mut self, part: Part, element: &Element, parent: Namespace) -> String {
        let given = |name: &str| element.attr(name).map(str::trim).filter(|value| !value.is_empty());
        let offset = |name: &str| given(name).filter(|value| value.parse::<f64>() != Ok(0.0));
        let (x, y) = (offset("x"), offset("y"));
        let is_number = |value: Option<&str>| value.is_none_or(|value| value.parse::<f64>().is_ok());
        let translates = is_number(x) && is_number(y) && (x.is_some() || y.is_some());
        let start = self.out.len();
        self.out.push_str("<g");
        let bare = self.out.len();
        if parent != Namespace::Svg {
            push_attribute(&mut self.out, "xmlns", "http://www.w3.org/2000/svg");
        }
        self.attributes(part.source, element, OWN);
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
            // `translate()` takes numbers only; a nested viewport takes lengths and percentages.
            self.out.push_str("<svg");
            x.into_iter().for_each(|x| push_attribute(&mut self.out, "x", x));
            y.into_iter().for_each(|y| push_attribute(&mut self.out, "y", y));
            self.out.push_str(" overflow=\"visible\">");
            close.insert_str(0, "</svg>");
        }
        close
    }

    /// Writes the element a `use` shows. A `symbol` or `svg` gets the size of the `use`.
    fn show(&mut self, shown: Part, target: &'l Element, place: &Element, link: Option<usize>) {
        if !matches!(target.name(), "symbol" | "svg") {
            self.work.push(Work::Node { part: shown, parent: Namespace::Svg, link });
            return;
        }
        self.out.push_str("<svg");
        self.attributes(shown.source, target, VIEWPORT);
        for name in ["width", "height"] {
            if let Some(value) = place.attr(name).or_else(|| target.attr(name)) {
                push_attribute(&mut self.out, name, value);
            }
        }
        self.finish_element(shown, "svg", Namespace::Svg, link, false);
    }

    /// The symbol that is all a root without `viewBox` shows: its `viewBox` then serves the root, which spares a
    /// nested viewport.
    pub(super) fn symbol_of_single_use(&self, root: Part, element: &Element) -> Option<SingleUse> {
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
        let symbol = self.library.used(root.source, place.href()?)?;
        let target = self.element(symbol)?;
        let lends = target.is_svg("symbol") && ["width", "height"].iter().all(|name| target.attr(name).is_none());
        let is_plain = ["width", "height"].into_iter().all(fills) && ["x", "y"].into_iter().all(stays);
        let found = lends
            && target.attr("viewBox").is_some()
            && is_plain
            && !self.is_cycle(Part { node, ..root }, symbol, None);
        found.then_some(SingleUse { root, place: Part { node, ..root }, symbol })
    }

    /// Writes the contents of a root that shows one symbol.
    pub(super) fn lend(&mut self, single: &SingleUse) {
        let (Some(symbol), Some(place)) = (self.element(single.symbol), self.element(single.place)) else { return };
        for name in ["viewBox", "preserveAspectRatio"] {
            self.lent.extend(symbol.attr(name).map(|value| (name, value.to_owned())));
        }
        self.links.push(Link { shown: single.symbol, outer: None, depth: 1 });
        let link = Some(self.links.len() - 1);
        let document = &self.library.source(single.root.source).document;
        for (node, _) in document.child_elements(single.root.node).filter(|(node, _)| *node != single.place.node) {
            self.work.push(Work::Node { part: Part { node, ..single.root }, parent: Namespace::Svg, link: None });
        }
        self.work.reverse();
        self.run();
        let outer = self.open_group(single.place, place, Namespace::Svg);
        let inner = self.open_symbol_group(single.symbol, symbol);
        self.work.push(Work::Raw(format!("{inner}{outer}")));
        self.children(single.symbol, Namespace::Svg, link);
    }

    /// What a symbol says apart from its viewport, as a group.
    fn open_symbol_group(&mut self, part: Part, symbol: &Element) -> &'static str {
        let start = self.out.len();
        self.out.push_str("<g");
        let bare = self.out.len();
        let mut without = VIEWPORT.to_vec();
        without.extend(["viewBox", "preserveAspectRatio", "overflow"]);
        self.attributes(part.source, symbol, &without);
        if self.out.len() == bare {
            self.out.truncate(start);
            return "";
        }
        self.out.push('>');
        "</g>"
    }
}
