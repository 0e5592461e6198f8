//! Finds the start states of a page.

use super::contexts::{is_collapsed, is_hidden_on_purpose, is_named_after_part_that_opens, is_named_current};
use super::library_marks::{Mark, mark};
use super::{StartEvidence, StartState, StartStates, hiding, overlays, sliders};
use crate::cascade::{ComputedStyle, DeclarationBlock, DeclarationSource};
use crate::computed::Position;
use crate::index::StyleIndex;
use crate::property::Longhand;
use crate::selector::StateSet;
use crate::sheet::{Declaration, DeclarationInterner, Origin, parse_inline};
use crate::{Environment, Styles};
use cssparser::ToCss;
use limner_page::NodeId;
use limner_page::dom::Element;
use std::sync::Arc;

/// Widths at which elements are looked at, the usual one first: copies for other widths have no box at it.
const VIEWPORTS: [(f64, f64); 3] = [(1_440.0, 900.0), (390.0, 844.0), (1_000.0, 900.0)];

/// Maximum number of ancestors whose collapse hides an element.
const MAX_COLLAPSED: usize = 4;

/// Attributes that a framework removes as soon as it runs, and attributes by which it goes on hiding the element.
const CLOAKS: [&str; 3] = ["v-cloak", "ng-cloak", "x-cloak"];
const CONDITIONS: [&str; 6] = ["x-show", "x-if", "v-show", "v-if", "ng-show", "ng-if"];

/// Finds the start states of a page.
pub(super) fn find(index: &StyleIndex<'_>) -> StartStates {
    let mut found = StartStates::default();
    let mut interner = DeclarationInterner::new(index.document.quirks_mode());
    let mut detector = Detector::new(index);
    for node in detector.candidates() {
        if let Some(state) = detector.start_state(node, &mut interner) {
            found.insert(state);
        }
    }
    for state in detector.cloaks() {
        found.insert(state);
    }
    let without_box = |node, evidence, interner: &mut DeclarationInterner| StartState {
        node,
        evidence,
        dropped: Vec::new(),
        added: parse_inline("display: none", interner),
    };
    for node in overlays::find(index, &mut detector.styles[0]) {
        found.insert(without_box(node, StartEvidence::LoadingOverlay, &mut interner));
    }
    for slider in sliders::find(index, &mut detector.styles[0]) {
        let shows_one = sliders::shows_one(index.document, &slider);
        for (at, slide) in slider.slides.iter().copied().chain([slider.track]).enumerate() {
            let is_waiting = shows_one && at > 0 && slide != slider.track;
            if is_waiting {
                found.insert(without_box(slide, StartEvidence::Slider, &mut interner));
            } else if sliders::has_no_box(&mut detector.styles[0], slide) {
                let dropped = detector.declarations_without_box(slide);
                found.insert(StartState { node: slide, evidence: StartEvidence::Slider, dropped, added: Vec::new() });
            }
        }
    }
    found
}

struct Detector<'i, 'd> {
    index: &'i StyleIndex<'d>,
    /// One for each of [`VIEWPORTS`].
    styles: Vec<Styles<'i>>,
    /// By rule: it may hide an element.
    hiding_rules: Vec<bool>,
}

impl<'i, 'd> Detector<'i, 'd> {
    fn new(index: &'i StyleIndex<'d>) -> Self {
        let environment = |(width, height)| Environment { width, height, ..Environment::default() };
        let hides = |declarations: &[Declaration]| declarations.iter().any(hiding::may_hide);
        Self {
            index,
            styles: VIEWPORTS.into_iter().map(|viewport| index.styles(&environment(viewport))).collect(),
            hiding_rules: index.sheets.rules.iter().map(|rule| hides(index.rule_declarations(rule))).collect(),
        }
    }

    /// Returns the elements that a declaration may hide, in document order.
    fn candidates(&self) -> Vec<NodeId> {
        let index = self.index;
        let of_list = |list: &Arc<[crate::index::Match]>| {
            list.iter().any(|found| {
                let entry = &index.entries[found.entry as usize];
                let rule = entry.rule as usize;
                let is_meant = entry.pseudo.is_none() && !entry.ignored && self.hiding_rules[rule];
                is_meant && index.sheets.rules[rule].origin == Origin::Author
            })
        };
        let lists: Vec<bool> = index.lists.iter().map(of_list).collect();
        let by_rule = |node: &NodeId| lists.get(index.list_of[node.index()] as usize).copied().unwrap_or(false);
        let by_attribute = |node: &NodeId| index.inline.get(node).is_some_and(|own| own.iter().any(hiding::may_hide));
        let elements = index.document.elements().map(|(node, _)| node);
        elements.filter(|node| by_rule(node) || by_attribute(node)).collect()
    }

    fn start_state(&mut self, node: NodeId, interner: &mut DeclarationInterner) -> Option<StartState> {
        let element = self.index.document.element(node).filter(|element| element.in_html() || element.is_svg("svg"))?;
        let at = (0..self.styles.len()).find(|at| self.has_box(node, *at))?;
        let style = self.styles[at].get(node)?;
        let parent = self.parent(node).and_then(|parent| self.styles[at].get(parent));
        let hidden_by = hiding::hidden_by(&style, parent.as_deref())?;
        let evidence = self.evidence(node, element, &style, hidden_by, at)?;
        let (dropped, kept) = self.dropped(node, element, &style);
        let added = kept.map_or_else(Vec::new, |kept| parse_inline(&format!("transform: {kept}"), interner));
        Some(StartState { node, evidence, dropped, added })
    }

    fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.index.flat.parent(self.index.document, node)
    }

    fn around(&self, node: NodeId) -> impl Iterator<Item = NodeId> + use<'i, 'd> {
        let index = self.index;
        std::iter::successors(index.flat.parent(index.document, node), move |node| {
            index.flat.parent(index.document, *node)
        })
    }

    /// Returns true if the element and all around it have boxes at the viewport of that index.
    fn has_box(&mut self, node: NodeId, at: usize) -> bool {
        let around = self.around(node);
        let mut chain = std::iter::once(node).chain(around);
        chain.all(|node| self.styles[at].get(node).is_some_and(|style| style.get(Longhand::Display) != "none"))
    }

    fn evidence(
        &mut self,
        node: NodeId,
        element: &Element,
        style: &ComputedStyle,
        hidden_by: Longhand,
        at: usize,
    ) -> Option<StartEvidence> {
        let mark = mark(element);
        if is_hidden_on_purpose(element) || self.is_in_closed_part(node, style, at) {
            return None;
        }
        if matches!(mark, Some(Mark::Library(_))) {
            return Some(StartEvidence::LibraryMark);
        }
        if self.is_shown_by_interaction(node) || self.waits_for_its_turn(node, element, style, at) {
            return None;
        }
        if mark.is_some() {
            return Some(StartEvidence::LibraryMark);
        }
        if element.attr_has_token("aria-hidden", "true") {
            return None;
        }
        let is_placed = style.is_absolutely_positioned();
        if is_media(element) && hidden_by == Longhand::Opacity && style.position() != Position::Fixed {
            return Some(StartEvidence::FadingMedia);
        }
        if !self.has_content(node) {
            return None;
        }
        if self.is_hidden_and_moved_inline(node) && style.position() != Position::Fixed {
            return Some(StartEvidence::InlineStyle);
        }
        if !is_placed && matches!(hidden_by, Longhand::Opacity | Longhand::Visibility) {
            return (!self.keeps_place(node, style, at)).then_some(StartEvidence::Gap);
        }
        self.contains_headline(node).then_some(StartEvidence::Headline)
    }

    /// Returns true if the element is inside a part that opens or unfolds.
    fn is_in_closed_part(&mut self, node: NodeId, style: &ComputedStyle, at: usize) -> bool {
        if is_collapsed(style) {
            return true;
        }
        let document = self.index.document;
        self.around(node).take(MAX_COLLAPSED).any(|around| {
            let Some(style) = self.styles[at].get(around) else { return false };
            let opens = || document.element(around).is_some_and(is_named_after_part_that_opens);
            is_collapsed(&style) || style.is_absolutely_positioned() && opens()
        })
    }

    /// Returns true if the visitor shows the element by pointing at something, by opening or by checking it: a rule
    /// about a state shows it, or hides it until that state (`:not(:has(:checked)) .panel`).
    fn is_shown_by_interaction(&self, node: NodeId) -> bool {
        let index = self.index;
        index.matches_for(node).iter().any(|found| {
            let entry = &index.entries[found.entry as usize];
            let holds = found.matches_under(entry.mentioned(), StateSet::NONE);
            let decides = |declaration: &Declaration| {
                hiding::values(declaration).any(|(longhand, value)| {
                    matches!(longhand, Longhand::Opacity | Longhand::Visibility)
                        && value.is_none_or(|value| hiding::hides(longhand, value) == holds)
                })
            };
            let rule = &index.sheets.rules[entry.rule as usize];
            let depends = entry.pseudo.is_none() && !entry.mentioned().is_empty();
            depends && index.rule_declarations(rule).iter().any(decides)
        })
    }

    /// Returns true if a sibling of the same kind is shown in place of the element.
    fn waits_for_its_turn(&mut self, node: NodeId, element: &Element, style: &ComputedStyle, at: usize) -> bool {
        let document = self.index.document;
        let Some(parent) = document.parent(node) else { return false };
        let is_alike = |other: &Element| {
            let (own, others) = (element.classes(), other.classes());
            let shares = own.iter().any(|class| others.contains(class)) || own.is_empty() && others.is_empty();
            other.name() == element.name() && shares
        };
        let alike: Vec<(NodeId, &Element)> =
            document.child_elements(parent).filter(|(sibling, other)| *sibling != node && is_alike(other)).collect();
        let is_stacked = |style: &ComputedStyle| {
            let is_in_cell =
                style.get(Longhand::GridRowStart) != "auto" && style.get(Longhand::GridColumnStart) != "auto";
            style.is_absolutely_positioned() || is_in_cell
        };
        alike.into_iter().any(|(sibling, other)| {
            let Some(own) = self.styles[at].get(sibling) else { return false };
            let is_shown = !own.is_hidden() && hiding::hidden_by(&own, None).is_none();
            let is_current = is_shown && is_named_current(other) && !is_named_current(element);
            let is_before = sibling < node || is_shown;
            is_current || is_before && is_stacked(style) && is_stacked(&own) && !own.is_hidden()
        })
    }

    /// Returns true if an invisible text only keeps the place for one that is drawn over it.
    fn keeps_place(&mut self, node: NodeId, style: &ComputedStyle, at: usize) -> bool {
        let document = self.index.document;
        let Some(parent) = document.parent(node) else { return false };
        let is_inline = style.get(Longhand::Display).starts_with("inline");
        let siblings = document.child_elements(parent).filter(|(sibling, _)| *sibling != node);
        is_inline
            && siblings.into_iter().any(|(sibling, _)| {
                self.styles[at].get(sibling).is_some_and(|own| own.is_absolutely_positioned() && own.is_visible())
            })
    }

    fn has_content(&self, node: NodeId) -> bool {
        let document = self.index.document;
        std::iter::once(node).chain(document.descendants(node)).any(|inner| match document.element(inner) {
            Some(element) => is_media(element) || matches!(element.name(), "svg" | "canvas" | "iframe"),
            None => document.text(inner).is_some_and(|text| text.contains(char::is_alphanumeric)),
        })
    }

    fn contains_headline(&self, node: NodeId) -> bool {
        let document = self.index.document;
        let mut inside = std::iter::once(node).chain(document.light_descendants(node));
        inside.any(|inner| document.element(inner).is_some_and(|element| element.is_html("h1")))
    }

    /// Returns true if the `style` attribute hides the element and moves, scales or blurs it as well.
    fn is_hidden_and_moved_inline(&self, node: NodeId) -> bool {
        let Some(own) = self.index.inline.get(&node) else { return false };
        let is_moved = |declaration: &Declaration| {
            hiding::values(declaration).any(|(longhand, value)| {
                let is_none = value.is_some_and(|value| matches!(value, [only] if only.is_ident("none")));
                hiding::is_companion(longhand) && longhand != Longhand::PointerEvents && !is_none
            })
        };
        own.iter().any(hiding::may_hide) && own.iter().any(is_moved)
    }

    /// Returns the blocks that apply to an element while no interaction state holds.
    fn blocks_at_rest(&self, node: NodeId) -> Vec<(DeclarationBlock<'i>, Option<String>)> {
        let index = self.index;
        let of_rules = index.matches_for(node).iter().filter_map(|found| {
            let entry = &index.entries[found.entry as usize];
            let rule = &index.sheets.rules[entry.rule as usize];
            let is_meant = entry.pseudo.is_none() && !entry.ignored && rule.origin == Origin::Author;
            let holds = found.matches_under(entry.mentioned(), StateSet::NONE);
            let selector = &rule.selectors.slice()[entry.selector as usize];
            (is_meant && holds).then(|| (index.rule_block(entry, *found), Some(selector.to_css_string())))
        });
        let of_attribute = index.attribute_blocks(node).into_iter();
        let of_attribute = of_attribute.filter(|block| matches!(block.source, DeclarationSource::Inline(_)));
        of_rules.chain(of_attribute.map(|block| (block, None))).collect()
    }

    /// Returns the declarations that only the start of an element has, and the transform that stays.
    fn dropped(
        &self,
        node: NodeId,
        element: &Element,
        style: &ComputedStyle,
    ) -> (Vec<(DeclarationSource, Longhand)>, Option<String>) {
        let mark = mark(element).map(Mark::name);
        let (mut dropped, mut kept) = (Vec::new(), None);
        for (block, selector) in self.blocks_at_rest(node) {
            let is_of_start = block.declarations.iter().any(hiding::may_hide)
                || selector.is_some_and(|selector| mark.is_some_and(|mark| selector.contains(mark)));
            for (longhand, value) in block.declarations.iter().flat_map(hiding::values) {
                let hides = match value {
                    Some(value) => hiding::hides(longhand, value),
                    None => style.source(longhand) == Some(block.source),
                };
                let is_own = matches!(longhand, Longhand::Opacity | Longhand::Visibility) && hides;
                if !(is_own || is_of_start && hiding::is_companion(longhand)) {
                    continue;
                }
                let centring = value.filter(|_| longhand == Longhand::Transform).and_then(hiding::centring);
                kept = centring.or(kept);
                dropped.push((block.source, longhand));
            }
        }
        (dropped, kept)
    }

    /// Returns the elements whose cloak a framework removes.
    fn cloaks(&self) -> Vec<StartState> {
        let has = |element: &Element, names: &[&str]| names.iter().any(|name| element.attr(name).is_some());
        let cloaked = self.index.document.elements().filter(|(_, own)| has(own, &CLOAKS) && !has(own, &CONDITIONS));
        let state = |(node, _)| {
            let dropped = self.declarations_without_box(node);
            StartState { node, evidence: StartEvidence::Cloak, dropped, added: Vec::new() }
        };
        cloaked.map(state).collect()
    }

    /// Returns the declarations of rules at rest that leave an element without a box.
    fn declarations_without_box(&self, node: NodeId) -> Vec<(DeclarationSource, Longhand)> {
        let mut found = Vec::new();
        for (block, _) in self.blocks_at_rest(node) {
            let mut values = block.declarations.iter().flat_map(hiding::values);
            let removes = values.any(|(longhand, value)| {
                longhand == Longhand::Display
                    && value.is_some_and(|value| matches!(value, [only] if only.is_ident("none")))
            });
            if removes {
                found.push((block.source, Longhand::Display));
            }
        }
        found
    }
}

fn is_media(element: &Element) -> bool {
    element.in_html() && matches!(element.name(), "img" | "picture" | "video")
}
