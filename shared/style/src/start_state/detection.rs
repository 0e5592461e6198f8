//! Finds the start states of a page.

use super::contexts::{is_collapsed, is_hidden_on_purpose, is_named_after_part_that_opens, is_named_current};
use super::library_marks::{Mark, mark, words};
use super::sliders::Slider;
use super::{
    StartEvidence, StartState, StartStates, decorations, first_slides, fusion_slider, hiding, layer_slider,
    lazy_backgrounds, overlays, revolution, script_backgrounds, script_sizes, sliders, stretched_rows, tilda,
    ultimate_addons,
};
use crate::cascade::{ComputedStyle, DeclarationBlock, DeclarationSource};
use crate::computed::Position;
use crate::index::StyleIndex;
use crate::property::Longhand;
use crate::selector::{PseudoElement, StateSet};
use crate::sheet::{Declaration, DeclarationInterner, Origin, parse_inline};
use crate::value::component::serialize;
use crate::{Environment, Styles};
use cssparser::ToCss;
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use limner_page::NodeId;
use limner_page::dom::Element;
use std::sync::Arc;

/// Widths at which elements are looked at, the usual one first: copies for other widths have no box at it.
const VIEWPORTS: [(f64, f64); 3] = [(1_440.0, 900.0), (390.0, 844.0), (1_000.0, 900.0)];

/// Maximum number of ancestors whose collapse hides an element.
const MAX_COLLAPSED: usize = 4;

/// Maximum number of ancestors, and of children of each, that are looked at for boxes over an element.
const MAX_COVERED: usize = 8;
const MAX_COVERING: usize = 24;

/// Maximum number of elements between a slide and what is in it.
const MAX_IN_SLIDE: usize = 6;

/// Maximum number of siblings that are looked at for one element.
const MAX_SIBLINGS: usize = 64;

/// Attributes that a framework removes as soon as it runs, and attributes by which it goes on hiding the element.
const CLOAKS: [&str; 5] = [
    "v-cloak",
    "ng-cloak",
    "x-cloak",
    // Divi swaps in the contents for narrow viewports.
    "data-et-multi-view-load-phone-hidden",
    "data-et-multi-view-load-tablet-hidden",
];
const CONDITIONS: [&str; 6] = ["x-show", "x-if", "v-show", "v-if", "ng-show", "ng-if"];

/// Finds the start states of a page.
pub(super) fn find(index: &StyleIndex<'_>) -> StartStates {
    let mut found = StartStates::default();
    let mut interner = DeclarationInterner::new(index.document.quirks_mode());
    let mut detector = Detector::new(index);
    let sliders = sliders::find(index, &mut detector.styles[0]);
    detector.waiting_slides =
        sliders.iter().flat_map(|own| own.around.iter().chain(own.slides.first())).copied().collect();
    let without_scripts = detector.hidden_without_scripts();
    detector.uncovered = without_scripts.iter().map(|state| state.node).collect();
    let candidates = detector.candidates();
    if !candidates.is_empty() {
        detector.end_transforms = end_transforms(index);
    }
    for node in candidates {
        if let Some(state) = detector.start_state(node, &mut interner) {
            found.insert(state);
        }
    }
    for state in without_scripts.into_iter().chain(detector.cloaks()).chain(detector.held_backgrounds()) {
        found.insert(state);
    }
    for state in lazy_backgrounds::find(index, &mut detector.styles[0], &mut interner) {
        found.insert(state);
    }
    for state in script_backgrounds::find(index, &mut detector.styles[0], &mut interner) {
        found.insert(state);
    }
    for node in overlays::find(index, &mut detector.styles[0]) {
        found.insert(StartState::with_added(node, StartEvidence::LoadingOverlay, "display: none", &mut interner));
    }
    let mut of_builders = revolution::find(index, &mut interner);
    of_builders.extend(fusion_slider::find(index, &mut interner));
    of_builders.extend(layer_slider::find(index, &mut interner));
    of_builders.extend(first_slides::find(index, &mut interner));
    of_builders.extend(stretched_rows::find(index, &mut detector.styles[0], &mut interner));
    of_builders.extend(tilda::find(index, &mut detector.styles[0], &mut interner));
    of_builders.extend(ultimate_addons::find(index, &mut interner));
    of_builders.extend(script_sizes::find(index, &mut detector.styles[0], &mut interner));
    for state in of_builders {
        found.insert(state);
    }
    for slider in &sliders {
        detector.show_first_slide(slider, &mut found, &mut interner);
    }
    found
}

struct Detector<'i, 'd> {
    index: &'i StyleIndex<'d>,
    /// One for each of [`VIEWPORTS`].
    styles: Vec<Styles<'i>>,
    /// By rule: it may hide an element.
    hiding_rules: Vec<bool>,
    /// The transforms with which entrances end, by the selector of the start: `[data-aos].aos-animate` ends
    /// `[data-aos]`.
    end_transforms: HashMap<String, String>,
    /// First slides, and the elements around sliders, that may wait for the slider's script.
    waiting_slides: HashSet<NodeId>,
    /// Elements that rules for visitors without scripts hide.
    uncovered: HashSet<NodeId>,
}

impl<'i, 'd> Detector<'i, 'd> {
    fn new(index: &'i StyleIndex<'d>) -> Self {
        let environment = |(width, height)| Environment { width, height, ..Environment::default() };
        let hides = |declarations: &[Declaration]| declarations.iter().any(hiding::may_hide);
        Self {
            index,
            styles: VIEWPORTS.into_iter().map(|viewport| index.styles(&environment(viewport))).collect(),
            hiding_rules: index.sheets.rules.iter().map(|rule| hides(index.rule_declarations(rule))).collect(),
            end_transforms: HashMap::new(),
            waiting_slides: HashSet::new(),
            uncovered: HashSet::new(),
        }
    }

    /// Returns the elements that a declaration may hide, in document order.
    fn candidates(&self) -> Vec<NodeId> {
        let index = self.index;
        let by_rule = self.matched_by(&self.hiding_rules);
        let by_attribute = |node: &NodeId| index.inline.get(node).is_some_and(|own| own.iter().any(hiding::may_hide));
        let elements = index.document.elements().map(|(node, _)| node);
        elements.filter(|node| by_rule(node) || by_attribute(node)).collect()
    }

    /// Returns a test for the elements that one of these rules of the page matches, in any state.
    fn matched_by(&self, rules: &[bool]) -> impl Fn(&NodeId) -> bool + use<'i, 'd> {
        let index = self.index;
        let of_list = |list: &Arc<[crate::index::Match]>| {
            list.iter().any(|found| {
                let entry = &index.entries[found.entry as usize];
                let rule = entry.rule as usize;
                let is_meant = entry.pseudo.is_none() && !entry.ignored && rules[rule];
                is_meant && index.sheets.rules[rule].origin == Origin::Author
            })
        };
        let lists: Vec<bool> = index.lists.iter().map(of_list).collect();
        move |node| lists.get(index.list_of[node.index()] as usize).copied().unwrap_or(false)
    }

    /// Returns the elements whose background a rule holds back until it is loaded.
    fn held_backgrounds(&self) -> Vec<StartState> {
        let index = self.index;
        let rules = index.sheets.rules.iter();
        let holding: Vec<bool> = rules
            .map(|rule| lazy_backgrounds::may_hold_back(index.rule_declarations(rule), rule.selectors.texts()))
            .collect();
        if !holding.contains(&true) {
            return Vec::new();
        }
        let is_matched = self.matched_by(&holding);
        let nodes = index.document.elements().map(|(node, _)| node).filter(is_matched);
        let state = |node| {
            let dropped = lazy_backgrounds::held_back(&self.blocks_at_rest(node));
            StartState { node, evidence: StartEvidence::LazyBackground, dropped, added: Vec::new() }
        };
        nodes.map(state).collect()
    }

    fn start_state(&mut self, node: NodeId, interner: &mut DeclarationInterner) -> Option<StartState> {
        let element = self.index.document.element(node).filter(|element| element.in_html() || element.is_svg("svg"))?;
        let at = (0..self.styles.len()).find(|at| self.has_box(node, *at))?;
        let style = self.styles[at].get(node)?;
        let parent = self.parent(node).and_then(|parent| self.styles[at].get(parent));
        let hidden_by = hiding::hidden_by(&style, parent.as_deref())?;
        let evidence = self.evidence(node, element, &style, hidden_by, at)?;
        let (dropped, kept, end) = self.dropped(node, element, &style);
        let kept = kept.or(end.filter(|_| self.would_be_covered(node, &style)));
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
        chain.all(|node| {
            let style = self.styles[at].get(node);
            style.is_some_and(|style| style.get(Longhand::Display) != "none" || self.uncovered.contains(&node))
        })
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
        if hiding::is_out_of_sight(style) {
            return self.is_first_slide(node, element, at).then_some(StartEvidence::Slider);
        }
        if matches!(mark, Some(Mark::Library(_))) {
            return Some(StartEvidence::LibraryMark);
        }
        if self.is_shown_by_interaction(node) {
            return None;
        }
        if hidden_by == Longhand::Opacity && self.is_decoration(node, style, at) {
            return Some(StartEvidence::InlineStyle);
        }
        if self.waits_for_its_turn(node, element, style, at) {
            return None;
        }
        if mark.is_some() {
            return Some(StartEvidence::LibraryMark);
        }
        if element.attr_has_token("aria-hidden", "true") {
            return None;
        }
        if matches!(hidden_by, Longhand::Opacity | Longhand::Visibility) && self.waits_for_slider(node) {
            return self.has_content(node).then_some(StartEvidence::Slider);
        }
        let is_placed = style.is_absolutely_positioned();
        if is_media(element) && hidden_by == Longhand::Opacity && style.position() != Position::Fixed {
            return Some(StartEvidence::FadingMedia);
        }
        if self.is_hidden_and_moved_inline(node) && style.position() != Position::Fixed && self.shows_something(node) {
            return Some(StartEvidence::InlineStyle);
        }
        if !self.has_content(node) {
            return None;
        }
        if !is_placed && matches!(hidden_by, Longhand::Opacity | Longhand::Visibility) {
            // Nobody writes that in the `style` attribute unless a script ends it.
            let is_inline = self.index.inline.get(&node).is_some_and(|own| own.iter().any(hiding::may_hide));
            let evidence = if is_inline { StartEvidence::InlineStyle } else { StartEvidence::Gap };
            return (!self.keeps_place(node, style, at)).then_some(evidence);
        }
        self.contains_headline(node).then_some(StartEvidence::Headline)
    }

    /// Returns true for a shape without content that a framework hides and moves until it has entered.
    fn is_decoration(&mut self, node: NodeId, style: &ComputedStyle, at: usize) -> bool {
        style.position() != Position::Fixed
            && self.is_hidden_and_moved_inline(node)
            && !self.has_content(node)
            && decorations::is_shape(self.index, &mut self.styles[at], node)
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
    /// about a state shows it, or hides it until that state (`:not(:has(:checked)) .panel`). A rule that loses against an
    /// important one does neither.
    fn is_shown_by_interaction(&self, node: NodeId) -> bool {
        let index = self.index;
        let found = index.matches_for(node);
        let of_element = || {
            let entries = found.iter().map(|found| (found, &index.entries[found.entry as usize]));
            entries.filter(|(_, entry)| entry.pseudo.is_none()).map(|(found, entry)| {
                let holds = found.matches_under(entry.mentioned(), StateSet::NONE);
                (holds, entry, index.rule_declarations(&index.sheets.rules[entry.rule as usize]))
            })
        };
        let hides = |declaration: &Declaration, expected: bool| {
            hiding::values(declaration).any(|(longhand, value)| {
                matches!(longhand, Longhand::Opacity | Longhand::Visibility)
                    && value.is_none_or(|value| hiding::hides(longhand, value) == expected)
            })
        };
        let is_forced = of_element().any(|(holds, _, declarations)| {
            holds && declarations.iter().any(|declaration| declaration.important && hides(declaration, true))
        });
        of_element().filter(|(_, entry, _)| !entry.mentioned().is_empty()).any(|(holds, _, declarations)| {
            let counts = |declaration: &&Declaration| declaration.important || !is_forced;
            declarations.iter().filter(counts).any(|declaration| hides(declaration, holds))
        })
    }

    /// Returns the first children of an element, and counts each as work.
    fn near(&self, parent: NodeId) -> impl Iterator<Item = (NodeId, &'d Element)> + use<'i, 'd> {
        let document = self.index.document;
        document.child_elements(parent).take(MAX_SIBLINGS).take_while(|_| document.work_budget().spend(1))
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
        let near = self.near(parent);
        let alike: Vec<(NodeId, &Element)> =
            near.filter(|(sibling, other)| *sibling != node && is_alike(other)).collect();
        let is_stacked = |style: &ComputedStyle| {
            let is_in_cell =
                style.get(Longhand::GridRowStart) != "auto" && style.get(Longhand::GridColumnStart) != "auto";
            style.is_absolutely_positioned() || is_in_cell
        };
        alike.into_iter().any(|(sibling, other)| {
            let Some(own) = self.styles[at].get(sibling) else { return false };
            let is_shown =
                !own.is_hidden() && (hiding::hidden_by(&own, None).is_none() || hiding::is_fainter_than(style, &own));
            let is_current = is_shown && is_named_current(other) && !is_named_current(element);
            let is_before = sibling < node || is_shown;
            is_current || is_before && is_stacked(style) && is_stacked(&own) && !own.is_hidden()
        })
    }

    /// Returns true for the first slide of a slider, for what is in it, and for the elements of the library around it.
    fn waits_for_slider(&self, node: NodeId) -> bool {
        !self.waiting_slides.is_empty()
            && (self.waiting_slides.contains(&node)
                || self.around(node).take(MAX_IN_SLIDE).any(|around| self.is_first_of_slides(around)))
    }

    fn is_first_of_slides(&self, node: NodeId) -> bool {
        // Elements around a track are waiting as well, but not for what is in them.
        self.waiting_slides.contains(&node) && !self.index.document.element(node).is_some_and(sliders::is_around_row)
    }

    /// Shows the first of the slides that fill a slider one by one, and what of a slider has no box until its script runs.
    fn show_first_slide(&mut self, slider: &Slider, found: &mut StartStates, interner: &mut DeclarationInterner) {
        let evidence = StartEvidence::Slider;
        let shows_one = sliders::shows_one(self.index.document, slider);
        for (at, node) in slider.slides.iter().copied().chain([slider.track]).enumerate() {
            let is_slide = node != slider.track;
            if shows_one && slider.is_stacked && at > 0 && is_slide {
                found.insert(StartState::with_added(node, evidence, "display: none", interner));
            } else if !slider.is_row && sliders::has_no_box(&mut self.styles[0], node) {
                let dropped = self.declarations_without_box(node);
                found.insert(StartState { node, evidence, dropped, added: Vec::new() });
            } else if shows_one
                && is_slide
                && let Some(declarations) = sliders::filling(&mut self.styles[0], slider, node)
            {
                found.insert(StartState::with_added(node, evidence, declarations, interner));
            }
        }
    }

    /// Returns true for the first of the slides that a script moves into a slider one after the other.
    fn is_first_slide(&mut self, node: NodeId, element: &Element, at: usize) -> bool {
        let document = self.index.document;
        let Some(parent) = document.parent(node) else { return false };
        let near: Vec<NodeId> = document.child_elements(parent).map(|(child, _)| child).take(MAX_COVERING).collect();
        let is_slide =
            |child: &NodeId| self.styles[at].get(*child).is_some_and(|style| hiding::is_out_of_sight(&style));
        let slides: Vec<NodeId> = near.into_iter().filter(is_slide).collect();
        let is_named = || element.classes().iter().any(|class| words(class).iter().any(|word| word == "slide"));
        slides.first() == Some(&node) && (slides.len() >= 2 || is_named())
    }

    /// Returns true if an invisible text only keeps the place for one that is drawn over it.
    fn keeps_place(&mut self, node: NodeId, style: &ComputedStyle, at: usize) -> bool {
        let document = self.index.document;
        let Some(parent) = document.parent(node) else { return false };
        let is_inline = style.get(Longhand::Display).starts_with("inline");
        let mut siblings = self.near(parent).filter(|(sibling, _)| *sibling != node);
        is_inline
            && siblings.any(|(sibling, _)| {
                self.styles[at].get(sibling).is_some_and(|own| own.is_absolutely_positioned() && own.is_visible())
            })
    }

    /// Returns true for content and for signs: a dash between words that come one by one.
    fn shows_something(&self, node: NodeId) -> bool {
        let document = self.index.document;
        let has_sign =
            || document.children(node).filter_map(|child| document.text(child)).any(|text| !text.trim().is_empty());
        self.has_content(node) || has_sign()
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
                hiding::is_companion(longhand)
                    && longhand != Longhand::PointerEvents
                    && !value.is_some_and(hiding::is_none)
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

    /// Returns true if a positioned box around the element would be painted over it, did the element not establish a
    /// stacking context: transforms keep texts above an overlay.
    fn would_be_covered(&mut self, node: NodeId, style: &ComputedStyle) -> bool {
        if style.is_positioned() {
            return false;
        }
        let mut inner = node;
        let around: Vec<NodeId> = self.around(node).take(MAX_COVERED).collect();
        for parent in around {
            let Some(own) = self.styles[0].get(parent) else { return false };
            let pseudos = [PseudoElement::Before, PseudoElement::After];
            let mut generated = pseudos.into_iter().filter_map(|pseudo| self.styles[0].pseudo(parent, pseudo));
            if generated.any(|own| own.is_absolutely_positioned()) {
                return true;
            }
            let children: Vec<NodeId> =
                self.index.document.child_elements(parent).map(|(child, _)| child).take(MAX_COVERING).collect();
            let covers = |child: NodeId| child != inner && self.is_placed(child);
            if children.into_iter().any(covers) {
                return true;
            }
            let outer = self.parent(parent).and_then(|outer| self.styles[0].get(outer));
            if own.is_positioned() || own.establishes_stacking_context(outer.as_deref()) {
                return false;
            }
            inner = parent;
        }
        false
    }

    fn is_placed(&mut self, node: NodeId) -> bool {
        self.styles[0].get(node).is_some_and(|style| style.is_absolutely_positioned())
    }

    /// Returns the declarations that only the start of an element has, the transform that stays, and the one with which
    /// the entrance ends.
    fn dropped(
        &self,
        node: NodeId,
        element: &Element,
        style: &ComputedStyle,
    ) -> (Vec<(DeclarationSource, Longhand)>, Option<String>, Option<String>) {
        let mark = mark(element).map(Mark::name);
        let (mut dropped, mut kept, mut end) = (Vec::new(), None, None);
        for (block, selector) in self.blocks_at_rest(node) {
            end = selector.as_ref().and_then(|selector| self.end_transforms.get(selector)).cloned().or(end);
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
        (dropped, kept, end)
    }

    /// Returns the elements that a rule for visitors without scripts hides (`html.no-js .gallery{display:none}`) on a page
    /// whose script replaces the class.
    fn hidden_without_scripts(&self) -> Vec<StartState> {
        let index = self.index;
        let is_marked = |element: &Element| {
            matches!(element.name(), "html" | "body") && element.classes().iter().any(|class| &**class == "no-js")
        };
        if !index.document.elements().any(|(_, element)| is_marked(element)) {
            return Vec::new();
        }
        let removes = |declarations: &[Declaration]| {
            let mut values = declarations.iter().flat_map(hiding::values);
            values.any(|(longhand, value)| longhand == Longhand::Display && value.is_some_and(hiding::is_none))
        };
        let rules: Vec<bool> = index.sheets.rules.iter().map(|rule| removes(index.rule_declarations(rule))).collect();
        let is_matched = self.matched_by(&rules);
        let nodes = index.document.elements().map(|(node, _)| node).filter(is_matched);
        let state = |node| {
            let blocks = self.blocks_at_rest(node).into_iter();
            let is_meant = |selector: &Option<String>| selector.as_ref().is_some_and(|text| text.contains(".no-js "));
            let hiding = blocks.filter(|(block, selector)| is_meant(selector) && removes(block.declarations));
            let dropped: Vec<_> = hiding.map(|(block, _)| (block.source, Longhand::Display)).collect();
            (!dropped.is_empty()).then(|| StartState {
                node,
                evidence: StartEvidence::Cloak,
                dropped,
                added: Vec::new(),
            })
        };
        nodes.filter_map(state).collect()
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
            let removes =
                values.any(|(longhand, value)| longhand == Longhand::Display && value.is_some_and(hiding::is_none));
            if removes {
                found.push((block.source, Longhand::Display));
            }
        }
        found
    }
}

/// Returns the transforms of rules that show an element once it has a class more, by the selector without that class.
fn end_transforms(index: &StyleIndex<'_>) -> HashMap<String, String> {
    let mut found = HashMap::new();
    for rule in index.sheets.rules.iter().filter(|rule| rule.origin == Origin::Author) {
        let values = || index.rule_declarations(rule).iter().flat_map(hiding::values);
        let shows = || values().any(|(longhand, value)| value.is_some_and(|value| hiding::shows(longhand, value)));
        let transform = values().find_map(|(longhand, value)| value.filter(|_| longhand == Longhand::Transform));
        let Some(transform) = transform.filter(|value| !hiding::is_none(value) && shows()) else { continue };
        for selector in rule.selectors.slice() {
            if let Some((start, class)) = selector.to_css_string().rsplit_once('.')
                && class.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_'))
            {
                found.insert(start.to_owned(), serialize(transform));
            }
        }
    }
    found
}

fn is_media(element: &Element) -> bool {
    element.in_html() && matches!(element.name(), "img" | "picture" | "video")
}
