//! Captures a section of a page as a [`Component`].
//!
//! 1. [`EnvironmentMatrix`]: the section's rules determine the environments that may look different (widths, themes,
//!    preferences).
//! 2. [`SectionTree`](tree::SectionTree): the section's DOM is copied and normalized. The copy is parsed again on its own, in the document
//!    that the component is pasted into: the unstyled [`BaselineDocument`].
//! 3. [`ResolvedRules`]: in every environment each element is computed twice, on its page, and as an unstyled element
//!    below the same parent. The differences have to be declared ([diff::rule_resolver]): as the author specified them
//!    where the author did, and with as few declarations as possible ([diff::range_cover]).
//! 4. [`Draft`]: tree and rules are put together, and [`PASSES`] make of them what is written.
//! 5. [`Verified`]: the draft is written, parsed and computed again ([verify]). Differences from the page are declared,
//!    and steps 3 to 5 repeated for their elements.
//!
//! Each step takes the value of the one before it. Before → after: `.card { padding: 1rem; display: block }` on a `div`
//! → `padding-top: 1rem`, … without `display`, which an unstyled `div` has already.

mod at_rules;
mod attributes;
mod baseline;
mod color_scheme;
mod context;
mod counters;
mod diff;
mod element_context;
mod environments;
mod float_layout;
mod flow;
mod fonts;
mod hidden_rules;
mod idle_layout;
mod idle_positions;
mod idle_styles;
mod measured_boxes;
mod off_canvas;
mod overlap;
mod passes;
mod property_key;
mod pseudo_elements;
mod quirks;
mod request;
mod root;
mod stacking_levels;
mod state;
mod tokens;
mod tree;
mod unpainted_corners;
mod unread_inheritance;
mod variables;
mod verify;

pub(super) use baseline::PREFLIGHT;
pub(super) use request::CaptureRequest;
pub(super) use tree::is_omitted;

use baseline::BaselineDocument;
use context::SectionContext;
use diff::rule_resolver::{ResolvedRules, RuleResolver};
use environments::EnvironmentMatrix;
use limner_assets::svg::svg_sources::SvgSources;
use limner_component_model::model::Component;
use limner_page::{Document, NodeId};
use limner_page_view::PageView;
use limner_style::StyleIndex;
use limner_types::result::TokenGroups;
use passes::Part::{Animations, Attributes, CounterStyles, FontFaces, Keyframes, Registrations, Rules, Text, Tree};
use passes::{
    Draft, Pass, PassContext, collapse_white_space, collect_at_rules, collect_keyframes, declare_keyframe_variables,
    declare_variables, drop_identity_transforms, drop_presentation_attributes, flex_to_block, mark_up_contents,
    normalize_initial_states, prune_transitions, prune_wrappers, register_properties, rename_keyframes,
    resolve_source_media,
};
use verify::Comparison;

/// The passes in their order, each with the parts of the component that it reads and writes. The header of each file
/// says why its pass stands where it does.
#[rustfmt::skip]
const PASSES: &[Pass] = &[
    // Of the tree.
    Pass::new("collapse-white-space", collapse_white_space::collapse_white_space, &[Text, Rules], &[Text]),
    Pass::new("resolve-source-media", resolve_source_media::resolve_source_media, &[Attributes], &[Attributes]),
    // Of at-rules: fonts need the final texts; keyframes need the page's names until `rename-keyframes`.
    Pass::new("collect-at-rules", collect_at_rules::collect_at_rules, &[Text, Attributes, Rules], &[FontFaces, CounterStyles, Animations]),
    Pass::new("collect-keyframes", collect_keyframes::collect_keyframes, &[Rules, Animations], &[Keyframes, Animations]),
    Pass::new("register-properties", register_properties::register_properties, &[Rules, Keyframes], &[Registrations, Rules, Keyframes]),
    Pass::new("declare-keyframe-variables", declare_keyframe_variables::declare_keyframe_variables, &[Rules, Animations], &[Rules]),
    Pass::new("rename-keyframes", rename_keyframes::rename_keyframes, &[Rules, Keyframes], &[Rules, Keyframes]),
    // Of declarations that are longer than they need to be.
    Pass::new("prune-transitions", prune_transitions::prune_transitions, &[Rules, Registrations], &[Rules]),
    Pass::new("drop-identity-transforms", drop_identity_transforms::drop_identity_transforms, &[Rules], &[Rules]),
    Pass::new("drop-presentation-attributes", drop_presentation_attributes::drop_presentation_attributes, &[Attributes, Rules], &[Attributes]),
    Pass::new("normalize-initial-states", normalize_initial_states::normalize_initial_states, &[Rules], &[Rules]),
    // What only page builders need.
    Pass::new("flex-to-block", flex_to_block::flex_to_block, &[Tree, Text, Rules], &[Text, Rules]),
    // Once it is known which declarations are left.
    Pass::new("declare-variables", declare_variables::declare_variables, &[Rules], &[Rules]),
    // Removes and renumbers elements, once it is known which have neither rules nor attributes.
    Pass::new("prune-wrappers", prune_wrappers::prune_wrappers, &[Tree, Text, Attributes, Rules, Keyframes], &[Tree, Text, Rules, Keyframes]),
    // Names of elements and links, once no element is removed any more.
    Pass::new("mark-up-contents", mark_up_contents::mark_up_contents, &[Tree, Text, Attributes, Rules], &[Tree, Attributes]),
];

/// Name of the component before the first pass.
const BEFORE_PASSES: &str = "tree-and-rules";

/// Receives the component before the passes and after each of them, by name. The passes run once for each repair.
pub(super) type Observer<'o> = &'o mut dyn FnMut(&'static str, &Component);

/// The passes to run, and their observer.
type PassRun<'o> = (&'o [Pass], Observer<'o>);

/// A captured section.
pub(super) struct CaptureResult {
    pub(super) component: Component,
    /// The page's node of each element; `None` for those that are not in the page's document.
    pub(super) nodes: Vec<Option<NodeId>>,
    /// Share of the section's computed values that the component reproduces, in percent.
    pub(super) coverage: f64,
    /// The design tokens of the component's declarations.
    pub(super) tokens: TokenGroups,
    /// The number of slides and panels that only a script shows, and that are left out.
    pub(super) left_out_alternatives: usize,
    /// True if container queries are answered by the width of the viewport.
    pub(super) assumes_containers: bool,
}

/// Captures a section.
pub(super) fn capture(
    view: &PageView<'_>,
    library: &SvgSources<'_>,
    request: &CaptureRequest<'_>,
    observer: Observer<'_>,
) -> CaptureResult {
    capture_with(view, library, request, PASSES, observer)
}

fn capture_with(
    view: &PageView<'_>,
    library: &SvgSources<'_>,
    request: &CaptureRequest<'_>,
    passes: &[Pass],
    observer: Observer<'_>,
) -> CaptureResult {
    let environments = EnvironmentMatrix::for_section(view, request);
    let tree = tree::build(view, library, request, &environments);
    let page = baseline::baseline_page(&tree, request.baseline);
    let document = Document::parse(&page.html).with_budget(view.document.work_budget());
    let index = StyleIndex::new(&page, &document);
    let section = SectionContext::new(view, request, &tree, &environments);
    let (mut resolver, resolved) = RuleResolver::resolve(section, BaselineDocument::new(&index, &tree));
    let Verified { mut draft, comparison } = repair(&mut resolver, resolved, (passes, observer));
    let tokens = tokens::collect_tokens(&mut resolver, &draft);
    fonts::build_names::restore(&mut draft.component);
    limner_component_model::assistance::assist(&mut draft.component);
    let assumes_containers = environments.assumes_containers();
    let nodes =
        draft.origins.iter().map(|origin| tree.node(*origin).filter(|_| !tree.origins[origin.0].is_copy)).collect();
    CaptureResult {
        left_out_alternatives: draft.left_out_alternatives,
        component: draft.component,
        nodes,
        coverage: comparison.coverage(),
        tokens,
        assumes_containers,
    }
}

/// A component after all passes, and its comparison with the page.
struct Verified {
    draft: Draft,
    comparison: Comparison,
}

impl Verified {
    /// Puts the tree and its rules together, runs the passes, and compares the result with the page.
    fn from_rules(
        resolver: &mut RuleResolver<'_>,
        resolved: &ResolvedRules,
        (passes, observer): &mut PassRun<'_>,
    ) -> Self {
        let context = PassContext {
            section: &resolver.section,
            baseline: &resolver.baseline,
            registered: &resolver.registered,
            resolved,
        };
        let mut draft = Draft::new(&context, resolver.state_sources.lists());
        (*observer)(BEFORE_PASSES, &draft.component);
        for pass in *passes {
            (pass.run)(&context, &mut draft);
            (*observer)(pass.name, &draft.component);
        }
        Self { comparison: verify::compare(resolver, &draft), draft }
    }
}

/// Builds the component and declares what differs from the page: first as the page specifies it, then, if that is not
/// enough, with the computed values.
fn repair(resolver: &mut RuleResolver<'_>, mut resolved: ResolvedRules, mut run: PassRun<'_>) -> Verified {
    let first = Verified::from_rules(resolver, &resolved, &mut run);
    let mut missing = first.comparison.missing.clone();
    missing.append(&mut resolver.pins_against_state_changes(&resolved.rules));
    if missing.is_empty() {
        return first;
    }
    resolver.pin_and_resolve(&mut resolved, missing);
    let second = Verified::from_rules(resolver, &resolved, &mut run);
    if second.comparison.missing.is_empty() {
        return second;
    }
    resolver.pin_computed_and_resolve(&mut resolved, second.comparison.missing.clone());
    let third = Verified::from_rules(resolver, &resolved, &mut run);
    if third.comparison.missing.len() < second.comparison.missing.len() { third } else { second }
}
