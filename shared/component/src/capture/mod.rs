//! Captures a section of a page as a [`Component`].
//!
//! 1. The section's DOM is copied and normalized ([tree]). The copy is parsed again on its own, in the document
//!    that the component is pasted into: the unstyled baseline.
//! 2. The section's rules determine the environments that may look different ([environments]): widths, themes, preferences.
//! 3. In every environment each element is computed twice: on its page, and as an unstyled element below the same
//!    parent. The differences have to be declared ([diff::rule_resolver]): as the author specified them where the author did, and
//!    with as few declarations as possible ([diff::range_cover]).
//! 4. The component is written, parsed and computed again; differences from the page are repaired ([verify]).
//!
//! Before → after: `.card { padding: 1rem; display: block }` on a `div` → `padding-top: 1rem`, … without `display`,
//! which an unstyled `div` has already.

mod at_rules;
mod attributes;
mod color_scheme;
mod counters;
mod diff;
mod element_context;
mod environments;
mod flow;
mod keyframes;
mod off_canvas;
mod passes;
mod pseudo_elements;
mod quirks;
mod reference_layouts;
mod root;
mod state;
mod tokens;
mod tree;
mod verify;

pub(super) use tree::semantic_names::author_words;
pub(super) use tree::{embedded_images, is_omitted};

use super::root_theme::RootTheme;
use diff::rule_resolver::{ResolvedRules, RuleResolver};
use environments::EnvironmentMatrix;
use limner_assets::svg::svg_sources::SvgSources;
use limner_component_model::model::{Attribute, Baseline, Component, Element, ElementId, Namespace};
use limner_component_model::theme_selector::ThemeSelector;
use limner_page::{Document, NodeId, PageSnapshot, SheetOwner, Stylesheet};
use limner_page_view::PageView;
use limner_style::color::Scheme;
use limner_style::property::Longhand;
use limner_style::{Environment, QueriedFeatures, StyleIndex};
use limner_types::result::TokenGroups;
use limner_types::{SectionRole, Theme};

/// The section to capture, and how.
pub(super) struct CaptureRequest<'a> {
    /// The root of the section.
    pub(super) section: NodeId,
    /// The styles of the document that the component is pasted into.
    pub(super) baseline: Baseline,
    /// The component's name.
    pub(super) name: String,
    /// The purpose of the section.
    pub(super) role: Option<SectionRole>,
    /// The page's rules under the theme that forms the component.
    pub(super) index: &'a StyleIndex<'a>,
    /// The color scheme of that theme.
    pub(super) scheme: Scheme,
    /// The theme that the page's root element declares.
    pub(super) root_theme: RootTheme,
    /// The page's rules under its dark theme, if the component has both themes.
    pub(super) dark: Option<&'a StyleIndex<'a>>,
    /// The class or attribute on the root element that enables the dark theme, if nothing else does.
    pub(super) dark_switch: Option<ThemeSelector>,
}

/// The part of Tailwind v4's preflight that styles elements (tailwindcss 4, `preflight.css`).
const PREFLIGHT: &str = include_str!("preflight.css");

/// A captured section.
pub(super) struct CaptureResult {
    pub(super) component: Component,
    /// Share of the section's computed values that the component reproduces, in percent.
    pub(super) coverage: f64,
    /// The design tokens of the component's declarations.
    pub(super) tokens: TokenGroups,
}

/// Captures a section.
pub(super) fn capture(view: &PageView<'_>, library: &SvgSources<'_>, order: &CaptureRequest<'_>) -> CaptureResult {
    let path = required_table_ancestors(&view.document, order.section);
    let mut skeleton = tree::build(view, library, order.index, order.section, &path);
    if is_right_to_left(&view.document, order.section) {
        write_right_to_left(&mut skeleton.elements[0]);
    }
    let grid = build_environments(view, order);
    if order.baseline == Baseline::Preflight {
        tree::hidden_attribute::remove_hidden_attributes(&mut skeleton, order, &grid);
    }
    let bare_page = baseline_page(&skeleton, order.baseline);
    let bare_document = Document::parse(&bare_page.html).with_budget(view.document.work_budget());
    let bare = StyleIndex::new(&bare_page, &bare_document);
    let mut resolver = RuleResolver::new(view, order, &skeleton, &grid, &bare);
    let (mut component, coverage) = capture_verified(&mut resolver);
    let tokens = tokens::collect_tokens(&mut resolver, &component);
    passes::initial_state::normalize_initial_states(&mut resolver, &mut component);
    passes::prune_wrappers::prune(&resolver, &mut component);
    CaptureResult { component, coverage, tokens }
}

/// Builds the component, compares it with the page and repairs it at most twice. Returns it with the percentage of
/// computed values that are equal.
fn capture_verified(resolver: &mut RuleResolver<'_>) -> (Component, f64) {
    let order = resolver.order;
    let mut resolved = resolver.resolve();
    let component = build_component(resolver, &resolved);
    let mut found = verify::compare(order, resolver, &component);
    found.missing.append(&mut resolver.pins_against_state_changes(&resolved.rules));
    if found.missing.is_empty() {
        return (component, found.coverage());
    }
    resolver.pin_and_resolve(&mut resolved, std::mem::take(&mut found.missing));
    let component = build_component(resolver, &resolved);
    let found = verify::compare(order, resolver, &component);
    if found.missing.is_empty() {
        return (component, found.coverage());
    }
    let before = (found.missing.len(), found.coverage());
    resolver.pin_computed_and_resolve(&mut resolved, found.missing);
    let settled = build_component(resolver, &resolved);
    let found = verify::compare(order, resolver, &settled);
    if found.missing.len() < before.0 { (settled, found.coverage()) } else { (component, before.1) }
}

/// Builds the component from the resolved rules, and applies the passes that shorten it. Their order matters: the
/// keyframes of the animations found by [`at_rules::used`] are collected, their custom properties determine the
/// registrations, and these determine which transitions are kept.
fn build_component(resolver: &RuleResolver<'_>, resolved: &ResolvedRules) -> Component {
    let (view, order, skeleton) = (resolver.view, resolver.order, resolver.skeleton);
    let mut elements = skeleton.elements.clone();
    for (element, rules) in elements.iter_mut().zip(&resolved.rules) {
        element.rules.clone_from(rules);
    }
    if let Some(ElementId(at)) = skeleton.definitions {
        elements[at].rules = tree::svg_defs::hidden_svg_rules();
    }
    passes::whitespace::collapse_whitespace(&mut elements, &resolved.flow);
    color_scheme::resolve_source_media(&mut elements, order.scheme);
    let used = at_rules::collect_used(order.index, &elements, resolved);
    let (mut keyframes, taken) = keyframes::collect_keyframes(resolver, resolved, &elements, &used.animations);
    let registrations =
        passes::registered_properties::emit_registrations(&resolver.registered, &mut elements, &mut keyframes);
    keyframes::declare(resolver, &mut elements, &taken);
    keyframes::rename(&mut keyframes, &mut elements);
    passes::prune_transitions::prune(&mut elements, &registrations);
    passes::identity_transforms::drop_identity(&mut elements);
    passes::presentation_attributes::drop_declared_attributes(&mut elements);
    Component {
        name: order.name.clone(),
        role: order.role,
        lang: language(&view.document, order.section),
        theme: resolved.theme,
        dark_switch: order.dark_switch.clone(),
        baseline: order.baseline,
        elements,
        state_sources: resolver.followed.lists(),
        keyframes,
        font_faces: used.font_faces,
        registrations,
        counter_styles: used.counter_styles,
        truncated: skeleton.truncated,
    }
}

/// Returns the environments that the section's rules tell apart.
fn build_environments(view: &PageView<'_>, order: &CaptureRequest<'_>) -> EnvironmentMatrix {
    let document = &view.document;
    let mut questions = QueriedFeatures::default();
    let ancestors = document.ancestors(order.section).filter(|node| document.element(*node).is_some());
    let inside = || std::iter::once(order.section).chain(document.descendants(order.section));
    // Rules that only the dark theme has may depend on the width as well.
    let indexes = || std::iter::once(order.index).chain(order.dark);
    for node in ancestors.chain(inside()) {
        indexes().for_each(|index| index.add_queried_features(node, &mut questions));
    }
    let mut styles = order.index.styles(&Environment::default());
    let mut is_container =
        |node| styles.get(node).is_some_and(|style| style.get(Longhand::ContainerType).contains("size"));
    let has_containers = !questions.container_sizes.is_empty() && inside().any(&mut is_container);
    EnvironmentMatrix::new(&questions, order.scheme, order.dark.is_some(), has_containers)
}

/// Returns the ancestors that a part of a table needs to be parsed, from the outermost; none for other sections.
fn required_table_ancestors(document: &Document, section: NodeId) -> Vec<NodeId> {
    let is_part = |node: NodeId| {
        document.element(node).is_some_and(|element| {
            element.in_html()
                && matches!(
                    element.name(),
                    "caption" | "col" | "colgroup" | "tbody" | "td" | "tfoot" | "th" | "thead" | "tr"
                )
        })
    };
    let mut path = Vec::new();
    let mut at = section;
    while is_part(at) {
        let Some(parent) = document.parent(at).filter(|parent| document.element(*parent).is_some()) else { break };
        path.push(parent);
        at = parent;
    }
    path.reverse();
    path
}

/// Builds the baseline page: the section's elements with no style but the baseline's. Each element has the class `e`
/// followed by its index.
fn baseline_page(skeleton: &tree::SectionTree, baseline: Baseline) -> PageSnapshot {
    let sheet = Stylesheet { owner: SheetOwner::Adopted, text: Some(PREFLIGHT.to_owned()), ..Stylesheet::default() };
    PageSnapshot {
        html: tree::markup(&skeleton.elements),
        sheets: if baseline == Baseline::Preflight { vec![sheet] } else { Vec::new() },
        ..PageSnapshot::default()
    }
}

/// Returns the language that the section inherits from an ancestor; `None` if the section's own element declares one.
fn language(document: &Document, section: NodeId) -> Option<String> {
    let own = document.element(section).and_then(|element| element.attr("lang"));
    if own.is_some() {
        return None;
    }
    let mut inherited = document.ancestors(section).filter_map(|node| document.element(node)?.attr("lang"));
    inherited.next().map(str::trim).filter(|lang| !lang.is_empty()).map(str::to_owned)
}

/// Returns true if the section inherits `dir="rtl"` from an ancestor's attribute.
fn is_right_to_left(document: &Document, section: NodeId) -> bool {
    let dir = |node| document.element(node)?.attr("dir");
    dir(section).is_none()
        && document.ancestors(section).find_map(dir).is_some_and(|dir| dir.trim().eq_ignore_ascii_case("rtl"))
}

/// Sets `dir="rtl"` on a root that is a block. Browsers apply the attribute to more than the property `direction`: to
/// form fields and `:dir()`, too. The attribute also isolates the text from its surroundings, which blocks do in any
/// case.
fn write_right_to_left(root: &mut Element) {
    const BLOCKS: [&str; 16] = [
        "div",
        "section",
        "header",
        "footer",
        "main",
        "nav",
        "article",
        "aside",
        "ul",
        "ol",
        "dl",
        "form",
        "figure",
        "p",
        "blockquote",
        "table",
    ];
    if root.namespace == Namespace::Html && BLOCKS.contains(&root.tag.as_str()) {
        root.attributes.push(Attribute { name: "dir".to_owned(), value: "rtl".to_owned() });
    }
}

/// Returns the theme that corresponds to a color scheme.
pub(super) fn theme_for(scheme: Scheme) -> Theme {
    if scheme == Scheme::Dark { Theme::Dark } else { Theme::Light }
}
