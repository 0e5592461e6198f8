//! Computes the rules of every element: the declarations with which an unstyled element looks as on its page.

use super::ineffective::{EDGES, SIZES, has_no_effect, is_instant};
use super::registered_properties::RegisteredProperty;
use super::rule_builder::RuleBuilder;
use super::style_pair::{RequiredValues, StylePair};
use super::value_equivalence::{
    equals_current_color, is_alias_of_default, is_compensated_by_width, is_empty_border, is_equivalent,
    is_same_em_multiple, is_suppressed_border, overflows_by_negative_margin,
};
use super::{native_appearance, registered_properties, rem_scaling, value_text, white_space_shorthand};
use crate::capture::baseline::BaselineDocument;
use crate::capture::context::SectionContext;
use crate::capture::environments::{EnvId, EnvMap};
use crate::capture::float_layout::FloatLayout;
use crate::capture::flow;
use crate::capture::flow::Flow;
use crate::capture::idle_styles::IdleStyles;
use crate::capture::property_key::{BoxId, PropertyKey};
use crate::capture::pseudo_elements::{has_no_default_style, is_unset};
use crate::capture::root::RootContext;
use crate::capture::root::containing_block::ContainingBlock;
use crate::capture::state::inherited_state_styles::InheritedStateStyles;
use crate::capture::state::state_sources::StateSources;
use crate::capture::tree::presentation_attributes;
use crate::capture::variables::PageVariables;
use crate::capture::{color_scheme, counters};
use limner_component_model::model::{Baseline, ElementId, Rule};
use limner_style::property::Longhand;
use limner_style::selector::PseudoElement as Pseudo;
use limner_style::{ComputedStyle, Origin, SpecifiedStyle, Styles};
use limner_types::Theme;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The result of resolving: rules and facts about the layout, by element.
pub(crate) struct ResolvedRules {
    pub(crate) rules: Vec<Vec<Rule>>,
    pub(crate) flow: Vec<Flow>,
    pub(crate) theme: Option<Theme>,
    /// The root's style in an ordinary desktop environment.
    pub(crate) root: Arc<ComputedStyle>,
    /// The rules of the root that declare the custom properties to which declarations may refer, by name.
    pub(crate) variables: HashMap<String, Vec<Rule>>,
}

/// The rules of a section's elements, and what they are computed from.
///
/// There is no value of this type before [`Self::resolve`]: styles of all elements and facts about the whole section are
/// complete wherever one is seen outside of this file.
pub(crate) struct RuleResolver<'r> {
    pub(crate) section: SectionContext<'r>,
    /// Custom properties that keyframes animate.
    pub(crate) registered: Vec<RegisteredProperty>,
    /// Custom properties to which declarations may refer.
    pub(crate) variables: PageVariables,
    /// The styles of the page.
    pub(crate) styles: EnvMap<Styles<'r>>,
    pub(crate) baseline: BaselineDocument<'r>,
    /// The styles of the baseline.
    baseline_styles: EnvMap<Styles<'r>>,
    pub(crate) root: RootContext,
    facts: SectionFacts,
    /// True if the root's font size changes with the viewport.
    has_fluid_root: bool,
    /// True if the root's font size differs between environments.
    pub(crate) has_stepped_root: bool,
    /// Elements whose font size is not constant within an environment: it follows the viewport, or a state or an
    /// animation changes it, or the font size of an ancestor.
    pub(crate) dynamic_font_size: BTreeSet<ElementId>,
    /// Properties to declare although an unstyled element seems to have the value.
    pinned: BTreeSet<PropertyKey>,
    /// The properties of `pinned` that are declared with their computed values, because the specified value computes to
    /// another one in the component.
    pub(crate) pinned_to_computed: BTreeSet<PropertyKey>,
    /// The lists of elements whose states rules depend on.
    pub(crate) state_sources: StateSources,
    pub(crate) carried: InheritedStateStyles,
}

/// Facts about a section that follow from the first rules of all its elements. While those are computed there are none yet,
/// as on a page where nothing is to be replaced.
#[derive(Default)]
struct SectionFacts {
    placement: ContainingBlock,
    /// The floats and clearfixes for which something else stands.
    floats: FloatLayout,
    idle: IdleStyles,
    /// Boxes that get a size under a state.
    state_sized: BTreeSet<BoxId>,
}

impl<'r> RuleResolver<'r> {
    /// Computes the rules of every element.
    pub(crate) fn resolve(section: SectionContext<'r>, baseline: BaselineDocument<'r>) -> (Self, ResolvedRules) {
        let mut resolver = Self::new(section, baseline);
        let resolved = resolver.resolve_all();
        (resolver, resolved)
    }

    fn new(mut section: SectionContext<'r>, baseline: BaselineDocument<'r>) -> Self {
        let (request, environments) = (section.request, section.environments);
        let has_fluid_root = environments.styles(request.index, environments.desktop()).has_fluid_root();
        let root = section.view.document.document_element();
        let roots = environments.envs().map(|env| environments.page_styles(request, env).get(root?));
        let has_stepped_root = !has_fluid_root && rem_scaling::has_stepped_root(roots);
        // The component declares the root's font size if lengths in its contents are multiples of it, or if its text is
        // `monospace`, whose default size is smaller. Both must not depend on the document it is pasted into.
        let says_size = has_stepped_root || rem_scaling::uses_monospace_default_size(request, environments);
        let root_font_size = says_size.then_some(PropertyKey::new(ElementId(0), None, Longhand::FontSize));
        let registered = registered_properties::animated(request.index);
        let names: Vec<&str> = registered.iter().map(|property| property.name.as_str()).collect();
        let variables = PageVariables::from_section(&section, &names, has_fluid_root || has_stepped_root);
        let styles = |env| {
            let styles = environments.page_styles(request, env).preserving_registered(names.iter().copied());
            styles.with_references(variables.of_env(env))
        };
        let mut styles = environments.map(styles);
        let own = |env| page_specification(&section, &mut styles[env], (ElementId(0), None), env, None).style;
        let own = environments.map(own);
        section.computed.push(own);
        let root = RootContext::from_section(&section, &mut styles);
        Self {
            styles,
            baseline_styles: environments.map(|env| baseline.styles(&environments.environment(env))),
            baseline,
            root,
            facts: SectionFacts::default(),
            has_fluid_root,
            has_stepped_root,
            dynamic_font_size: BTreeSet::new(),
            pinned: root_font_size
                .into_iter()
                .chain(presentation_attributes::properties_to_pin(section.tree))
                .collect(),
            pinned_to_computed: BTreeSet::new(),
            state_sources: StateSources::default(),
            carried: InheritedStateStyles::default(),
            variables,
            registered,
            section,
        }
    }

    fn resolve_all(&mut self) -> ResolvedRules {
        let (mut rules, flow) = self.first_rules();
        let again = self.determine_facts(&rules, &flow);
        self.resolve_again(&mut rules, &again);
        self.facts.idle = {
            let placed = self.facts.placement.elements();
            IdleStyles::from_rules(&self.section, &rules, &self.facts.floats, &placed)
        };
        for (at, own) in rules.iter_mut().enumerate() {
            self.facts.idle.strip(&self.section, ElementId(at), own);
        }
        let root = self.section.computed[0][self.section.environments.desktop()].clone();
        let variables = self.variable_rules();
        ResolvedRules { rules, flow, theme: self.root.theme, root, variables }
    }

    /// Computes the styles and rules of every element in document order, as if there were no facts about the section.
    fn first_rules(&mut self) -> (Vec<Vec<Rule>>, Vec<Flow>) {
        let count = self.section.tree.elements.len();
        let mut rules = Vec::with_capacity(count);
        let mut flow = Vec::with_capacity(count);
        for at in 0..count {
            let element = ElementId(at);
            let seen = self.inspect_all(element, None);
            if at > 0 {
                self.section.computed.push(seen.iter().map(|seen| seen.specification.style.clone()).collect());
            }
            flow.push(self.compute_flow(element));
            self.mark_dynamic_font_size(element, seen.iter().map(|seen| &seen.specification));
            rules.push(self.rules_of(element, &seen));
        }
        (rules, flow)
    }

    /// Determines the facts about the section but `idle`, for which the rules have to follow from the others. Returns the
    /// elements whose rules have to be computed again.
    fn determine_facts(&mut self, rules: &[Vec<Rule>], flow: &[Flow]) -> BTreeSet<ElementId> {
        let placement = ContainingBlock::from_section(&self.section);
        self.pinned.extend(placement.pinned_properties());
        let mut again = placement.elements();
        again.extend(self.elements_resized_by_states(rules));
        let state_sized = self.sized_by_states(rules);
        again.extend(state_sized.iter().map(|own| own.element));
        let own = &self.section.computed[0][self.section.environments.desktop()];
        if self.root.apply_rules(own, rules, &self.section.tree.elements, flow) {
            again.insert(ElementId(0));
        }
        let counted = counters::counters_in_effect(&self.section, rules);
        if !counted.is_empty() {
            self.root.counters = counted;
            again.insert(ElementId(0));
        }
        let floats = FloatLayout::from_rules(&self.section, rules);
        self.pinned.extend(floats.properties().map(|(id, longhand)| PropertyKey::new(id, None, longhand)));
        again.extend(floats.properties().map(|(id, _)| id));
        self.facts = SectionFacts { placement, floats, state_sized, idle: IdleStyles::default() };
        again
    }

    /// Determines the layout facts of an element, including the content that it generates.
    fn compute_flow(&mut self, element: ElementId) -> Flow {
        let (own, computed) = (&self.section.tree.elements[element.0], &self.section.computed[element.0]);
        let flow = Flow::from_styles(own, computed);
        if own.children.is_empty() && flow.is_block {
            return flow;
        }
        let (section, styles) = (&self.section, &mut self.styles);
        let styled = section.pseudo_elements(element);
        let mut generates = |pseudo| {
            let mut all = styles.entries_mut();
            styled.contains(&pseudo)
                && all.any(|(env, styles)| flow::generates(section, (element, pseudo), env, styles))
        };
        let (has_before, has_after) = (generates(Pseudo::Before), generates(Pseudo::After));
        Flow { has_before, has_after, ..flow }
    }

    /// Declares the properties in `missing`, and computes the rules of their elements again.
    pub(crate) fn pin_and_resolve(&mut self, resolved: &mut ResolvedRules, missing: BTreeSet<PropertyKey>) {
        let elements: BTreeSet<ElementId> = missing.iter().map(|key| key.element).collect();
        self.pinned.extend(missing);
        self.resolve_again(&mut resolved.rules, &elements);
    }

    /// Same as [`Self::pin_and_resolve`] with computed values, for properties whose specified values did not help.
    pub(crate) fn pin_computed_and_resolve(&mut self, resolved: &mut ResolvedRules, missing: BTreeSet<PropertyKey>) {
        self.pinned_to_computed.clone_from(&missing);
        self.pin_and_resolve(resolved, missing);
    }

    /// Computes the rules of some elements again.
    fn resolve_again(&mut self, rules: &mut [Vec<Rule>], elements: &BTreeSet<ElementId>) {
        for element in elements {
            let seen = self.inspect_all(*element, None);
            rules[element.0] = self.rules_of(*element, &seen);
            self.facts.idle.strip(&self.section, *element, &mut rules[element.0]);
        }
    }

    /// Returns the rules of an element. `seen` are the element's styles by environment.
    fn rules_of(&mut self, element: ElementId, seen: &EnvMap<StylePair>) -> Vec<Rule> {
        let mut collector = RuleBuilder::default();
        self.collect(element, None, seen, &mut collector);
        let (mut not_shown, mut shown) = (Vec::new(), Vec::new());
        for pseudo in self.section.pseudo_elements(element) {
            if !self.may_have_box(element, pseudo) {
                continue;
            }
            let seen = self.inspect_all(element, Some(pseudo));
            if generates_box(pseudo, &seen) {
                self.collect(element, Some(pseudo), &seen, &mut collector);
                shown.push(pseudo);
            } else {
                not_shown.push((pseudo, seen));
            }
        }
        self.collect_states(element, &mut collector);
        // A pseudo-element that is generated only under a state has its resting styles declared as well.
        not_shown.retain(|(pseudo, _)| collector.generates(*pseudo));
        for pseudo in [Pseudo::Before, Pseudo::After] {
            if !shown.contains(&pseudo) && !collector.generates(pseudo) {
                collector.remove(pseudo);
            }
        }
        for (pseudo, seen) in not_shown {
            self.collect(element, Some(pseudo), &seen, &mut collector);
            if self.section.request.baseline == Baseline::Preflight {
                collector.add_nothing(pseudo);
            }
        }
        collector.rules()
    }

    /// Returns false for content that no rule generates: it has styles where a rule is about all pseudo-elements.
    fn may_have_box(&self, element: ElementId, pseudo: Pseudo) -> bool {
        let is_generated = matches!(pseudo, Pseudo::Before | Pseudo::After);
        let mut indexes = std::iter::once(self.section.request.index).chain(self.section.request.dark);
        let node = self.section.tree.node(element).filter(|_| is_generated);
        node.is_none_or(|node| indexes.any(|index| index.may_generate_content(node, pseudo)))
    }

    /// Returns a value other than the page's with which the component looks as on the page.
    pub(crate) fn replacement_value(
        &self,
        PropertyKey { element, pseudo, longhand }: PropertyKey,
        env: EnvId,
        style: &ComputedStyle,
    ) -> Option<String> {
        if let Some(instead) = self.facts.floats.replacement(element, longhand, env).filter(|_| pseudo.is_none()) {
            return Some(instead.to_owned());
        }
        let is_about_lines =
            matches!(longhand, Longhand::VerticalAlign | Longhand::LineHeight | Longhand::TextWrapMode);
        let is_meant = is_about_lines || self.facts.placement.is_quirky(element, longhand, env);
        (is_meant && pseudo.is_none())
            .then(|| self.facts.placement.replacement_value(element, longhand, env, style.get(longhand)))
            .flatten()
    }

    /// Returns true if a property has an effect on an element in one environment.
    pub(crate) fn is_visible(
        &self,
        PropertyKey { element, pseudo, longhand }: PropertyKey,
        env: EnvId,
        style: &ComputedStyle,
    ) -> bool {
        !self.facts.idle.contains(PropertyKey::new(element, pseudo, longhand))
            && !has_no_effect(longhand, style, self.section.element_context(element, pseudo, env))
    }

    /// Returns true if nobody sees the value of a property in an environment, because its element is hidden there.
    pub(crate) fn is_hidden(&self, key: PropertyKey, env: EnvId) -> bool {
        self.facts.idle.is_hidden(key, env)
    }

    /// Returns true if a property needs no declaration because it has no effect. `box-sizing` and the minimum sizes are
    /// declared in all environments or in none: to reset them in some takes more declarations than to set them in all.
    fn is_ineffective(&self, place: PropertyKey, env: EnvId, style: &ComputedStyle) -> bool {
        let PropertyKey { element, pseudo, longhand } = place;
        if longhand == Longhand::BoxSizing && element == ElementId(0) {
            // The root may still get a size, from [`RootContext::adjust`].
            return false;
        }
        if longhand == Longhand::BoxSizing && self.facts.state_sized.contains(&BoxId { element, pseudo }) {
            return false;
        }
        let is_minimum = matches!(longhand, Longhand::MinWidth | Longhand::MinHeight);
        let says_all = longhand == Longhand::BoxSizing || (is_minimum && style.display().generates_box());
        if says_all && pseudo.is_none() {
            let mut all = self.section.computed[element.0].entries();
            return all.all(|(env, style)| !self.is_visible(place, env, style));
        }
        !self.is_visible(place, env, style)
    }

    /// Returns the styles of an element or pseudo-element: on the page and unstyled.
    fn inspect_all(&mut self, element: ElementId, pseudo: Option<Pseudo>) -> EnvMap<StylePair> {
        let environments = self.section.environments;
        environments.map(|env| self.inspect(element, pseudo, env))
    }

    /// Returns the styles of an element in one environment: on the page and unstyled.
    pub(crate) fn inspect(&mut self, element: ElementId, pseudo: Option<Pseudo>, env: EnvId) -> StylePair {
        let own = self.section.computed.get(element.0).map(|styles| styles[env].clone());
        let origin = self.section.tree.origins[element.0];
        let parent = origin.parent.map(|parent| self.section.computed[parent.0][env].clone());
        let over = if pseudo.is_some() { own } else { parent.clone() };
        let baseline = self.baseline_style(element, pseudo, env, over.clone());
        let specification = if origin.source != 0 {
            SpecifiedStyle { values: Arc::default(), style: baseline.clone() }
        } else {
            page_specification(&self.section, &mut self.styles[env], (element, pseudo), env, over.as_ref())
        };
        StylePair { specification, baseline }
    }

    /// Returns the style of the unstyled element below the same parent.
    pub(crate) fn baseline_style(
        &mut self,
        element: ElementId,
        pseudo: Option<Pseudo>,
        env: EnvId,
        over: Option<Arc<ComputedStyle>>,
    ) -> Arc<ComputedStyle> {
        self.baseline.style(&mut self.baseline_styles[env], (element, pseudo), over)
    }

    /// Adds the rules of an element or pseudo-element at rest.
    fn collect(
        &mut self,
        element: ElementId,
        pseudo: Option<Pseudo>,
        seen: &EnvMap<StylePair>,
        collector: &mut RuleBuilder,
    ) {
        for (longhand, wanted) in self.required_values(element, pseudo, seen) {
            // At rest both values draw no outline, but `revert` lets the browser draw its focus ring.
            let has_ring = longhand == Longhand::OutlineStyle
                && pseudo.is_none()
                && self.section.tree.node(element).is_some_and(|node| self.is_focusable(node));
            let undone = |env: EnvId| match has_ring && !has_author_declaration(&seen[env], longhand) {
                true => "revert".to_owned(),
                false => reset_value(pseudo, longhand, &seen[env]),
            };
            let computed = |env: EnvId| seen[env].specification.style.value(longhand.name());
            let name = Cow::Borrowed(longhand.name());
            self.declare(name, pseudo, &wanted, &undone, &computed, collector);
        }
        self.collect_registered(pseudo, seen, collector);
    }

    /// Returns the required values by longhand and environment. `None` where the unstyled element is right.
    fn required_values(&self, element: ElementId, pseudo: Option<Pseudo>, seen: &EnvMap<StylePair>) -> RequiredValues {
        let forced = self.pinned.range(PropertyKey::new(element, pseudo, Longhand::ALL[0])..);
        let forced = forced.take_while(|key| (key.element, key.pseudo) == (element, pseudo));
        let mut longhands: BTreeSet<Longhand> = forced.map(|key| key.longhand).collect();
        for seen in seen {
            if !matches!(pseudo, Some(Pseudo::Part(_))) {
                longhands.extend(seen.specification.style.differences(&seen.baseline));
                let follows = |style: &ComputedStyle| style.line_height_factor();
                if follows(&seen.specification.style) != follows(&seen.baseline) {
                    longhands.insert(Longhand::LineHeight);
                }
            }
            if self.hides_focus_ring(element, pseudo, seen) {
                longhands.insert(Longhand::OutlineStyle);
            }
            if self.has_outline(element, pseudo, seen) {
                longhands.insert(Longhand::OutlineWidth);
            }
            if self.section.has_unknown_default_style(pseudo) {
                let declared = seen.specification.values.iter().filter(|own| own.origin != Origin::UserAgent);
                longhands.extend(declared.map(|own| own.longhand));
            }
        }
        if has_no_default_style(pseudo) {
            longhands.retain(|longhand| seen.iter().any(|seen| !is_unset(*longhand, &seen.specification.style)));
        }
        let mut values = RequiredValues::new();
        for longhand in longhands {
            let required = seen.entries().map(|(env, seen)| self.required_value(element, pseudo, longhand, env, seen));
            let required: EnvMap<Option<String>> = required.collect();
            // A root that is out of flow on its page is in flow in the component: there `display: block` takes effect.
            let is_root = element.0 == 0 && pseudo.is_none();
            let says_nothing = (!is_root && flow::is_blockified(longhand, &required, seen))
                || (longhand == Longhand::TransitionDuration
                    && seen.iter().all(|own| is_instant(&own.specification.style)));
            if required.iter().any(Option::is_some) && !says_nothing {
                let styles = seen.iter().map(|seen| Some(&*seen.specification.style));
                values.insert(
                    longhand,
                    self.normalize_to_font_size(PropertyKey::new(element, pseudo, longhand), required, styles),
                );
            }
        }
        white_space_shorthand::complete(&mut values, seen);
        let tag = &self.section.tree.elements[element.0].tag;
        if self.section.request.baseline == Baseline::Preflight && native_appearance::is_native(tag, pseudo, seen) {
            values.extend(native_appearance::DRAWN.map(|longhand| (longhand, seen.filled(Some("revert".to_owned())))));
        }
        if element == ElementId(0) && pseudo.is_none() {
            self.root.adjust(&mut values);
            self.facts.placement.adjust(&mut values);
            if let Some(scheme) = color_scheme::metadata_color_scheme(self.section.request) {
                values.entry(Longhand::ColorScheme).or_insert_with(|| seen.filled(Some(scheme.to_owned())));
            }
            self.drop_irrelevant_box_sizing(&mut values);
        }
        for own in values.get_mut(&Longhand::ColorScheme).into_iter().flat_map(EnvMap::iter_mut).flatten() {
            *own = color_scheme::color_scheme(own, self.section.request.scheme).to_owned();
        }
        values
    }

    /// Removes the `box-sizing` of the root if its box has no declared size, or neither padding nor border. Only preflight
    /// leaves all elements without these.
    fn drop_irrelevant_box_sizing(&self, values: &mut RequiredValues) {
        let says = |longhands: [Longhand; 8]| longhands.iter().any(|longhand| values.contains_key(longhand));
        let is_sized = says(SIZES) || self.facts.state_sized.contains(&BoxId { element: ElementId(0), pseudo: None });
        if self.section.request.baseline == Baseline::Preflight && !(is_sized && says(EDGES)) {
            values.remove(&Longhand::BoxSizing);
        }
    }

    /// Returns the value that a longhand requires in one environment; `None` where the unstyled element is right.
    fn required_value(
        &self,
        element: ElementId,
        pseudo: Option<Pseudo>,
        longhand: Longhand,
        env: EnvId,
        seen: &StylePair,
    ) -> Option<String> {
        let style = &seen.specification.style;
        if let Some(instead) = self.facts.floats.replacement(element, longhand, env).filter(|_| pseudo.is_none()) {
            return (seen.baseline.get(longhand) != instead).then(|| instead.to_owned());
        }
        let is_pinned = self.pinned.contains(&PropertyKey::new(element, pseudo, longhand));
        if is_pinned
            && self.facts.floats.concerns(element, longhand)
            && style.get(longhand) == seen.baseline.get(longhand)
        {
            return None;
        }
        if pseudo.is_none()
            && let Some(instead) = self.facts.placement.replacement_value(element, longhand, env, style.get(longhand))
        {
            let is_there =
                self.facts.placement.is_quirky(element, longhand, env) && seen.baseline.get(longhand) == instead;
            return Some(instead).filter(|_| !is_there);
        }
        if longhand == Longhand::Content && pseudo.is_some() {
            let content = style.get(longhand);
            return (!matches!(content, "none" | "normal"))
                .then(|| self.declaration_text(element, &seen.specification, longhand));
        }
        if self.section.has_unknown_default_style(pseudo) {
            let declared = seen.specification.get(longhand).is_some_and(|own| own.origin != Origin::UserAgent);
            // The shorthand `border` also resets `border-image`, which hardly any page sets.
            let is_reset = longhand.name().starts_with("border-image-") && style.get(longhand) == longhand.initial();
            if declared && !is_reset {
                return Some(value_text::value_text(&seen.specification, longhand));
            }
        }
        if longhand == Longhand::OutlineStyle && self.hides_focus_ring(element, pseudo, seen) {
            return Some("none".to_owned());
        }
        if longhand == Longhand::OutlineWidth && self.has_outline(element, pseudo, seen) {
            return Some(value_text::value_text(&seen.specification, longhand));
        }
        let comes_along = self.section.request.baseline == Baseline::Browser && is_same_em_multiple(longhand, seen);
        let is_there = (comes_along || is_equivalent(longhand, style, &seen.baseline))
            && !self.pinned.contains(&PropertyKey::new(element, pseudo, longhand));
        if is_there || is_empty_border(longhand, style, &seen.baseline) || equals_current_color(longhand, seen) {
            return None;
        }
        let is_shown = || !self.is_ineffective(PropertyKey::new(element, pseudo, longhand), env, style);
        if !self.customizes_focus_ring(element, pseudo, longhand, seen) && !is_shown() {
            return None;
        }
        if element == ElementId(0) && pseudo.is_none() {
            if overflows_by_negative_margin(longhand, style) && !is_compensated_by_width(longhand, style) {
                return (seen.baseline.get(longhand) != "0px").then(|| "0".to_owned());
            }
            return self.root.value(longhand, env, &seen.specification);
        }
        let declared = seen.specification.get(longhand).map_or("", |own| own.value.as_str());
        let travels = || self.section.is_relative_to_own_container(element, pseudo.is_some(), env, declared);
        if self.pinned_to_computed.contains(&PropertyKey::new(element, pseudo, longhand)) && !travels() {
            return Some(value_text::computed(style, longhand));
        }
        Some(self.declaration_text(element, &seen.specification, longhand))
    }

    /// Returns the text of a property's value, for an element or one of its pseudo-elements.
    pub(crate) fn declaration_text(
        &self,
        element: ElementId,
        specification: &SpecifiedStyle,
        longhand: Longhand,
    ) -> String {
        let value = if self.has_fluid_root || self.dynamic_font_size.contains(&element) {
            value_text::fluid_value_text(specification, longhand)
        } else {
            value_text::value_text(specification, longhand)
        };
        if longhand != Longhand::Content || !value.contains("attr(") {
            return value;
        }
        let own = self.section.tree.node(element).and_then(|node| self.section.view.document.element(node));
        value_text::with_attributes(&value, &|name| own?.attr(name))
    }

    /// Returns true if the page removes the browser's focus ring from a focusable element.
    fn hides_focus_ring(&self, element: ElementId, pseudo: Option<Pseudo>, seen: &StylePair) -> bool {
        pseudo.is_none()
            && seen.specification.style.get(Longhand::OutlineStyle) == "none"
            && has_author_declaration(seen, Longhand::OutlineStyle)
            && self.section.tree.node(element).is_some_and(|node| self.is_focusable(node))
    }

    /// Returns true if a focusable element has an outline at rest whose style and width the author declares. The
    /// outline keeps this width under focus, where the browser's ring would have another.
    fn has_outline(&self, element: ElementId, pseudo: Option<Pseudo>, seen: &StylePair) -> bool {
        pseudo.is_none()
            && seen.specification.style.get(Longhand::OutlineStyle) != "none"
            && has_author_declaration(seen, Longhand::OutlineStyle)
            && has_author_declaration(seen, Longhand::OutlineWidth)
            && self.section.tree.node(element).is_some_and(|node| self.is_focusable(node))
    }

    /// Returns true if the author declares the colour, offset or width of an outline on a focusable element that has no
    /// outline at rest: these apply to the browser's focus ring.
    fn customizes_focus_ring(
        &self,
        element: ElementId,
        pseudo: Option<Pseudo>,
        longhand: Longhand,
        seen: &StylePair,
    ) -> bool {
        use Longhand as L;
        pseudo.is_none()
            && matches!(longhand, L::OutlineColor | L::OutlineOffset | L::OutlineWidth)
            && seen.specification.style.get(L::OutlineStyle) == "none"
            && has_author_declaration(seen, longhand)
            && !has_author_declaration(seen, L::OutlineStyle)
            && self.section.tree.node(element).is_some_and(|node| self.is_focusable(node))
    }
}

/// Returns the specified style of an element or pseudo-element of the page. `over` is the style that a copy inherits from.
fn page_specification(
    section: &SectionContext<'_>,
    styles: &mut Styles<'_>,
    (element, pseudo): (ElementId, Option<Pseudo>),
    env: EnvId,
    over: Option<&Arc<ComputedStyle>>,
) -> SpecifiedStyle {
    let (node, base) = (section.tree.styled_node(element, env), &section.view.base);
    let is_copy = section.tree.origins[element.0].is_copy;
    let in_place = (!is_copy).then(|| styles.specified(node, pseudo, base, &|_| None));
    in_place.flatten().unwrap_or_else(|| styles.specified_with_parent(node, pseudo, over, base, &|_| None))
}

/// Returns true if the page declares a property of the element or pseudo-element.
fn has_author_declaration(seen: &StylePair, longhand: Longhand) -> bool {
    seen.specification.get(longhand).is_some_and(|own| own.origin != Origin::UserAgent)
}

/// Returns the value that resets a property where the unstyled element is right.
fn reset_value(pseudo: Option<Pseudo>, longhand: Longhand, seen: &StylePair) -> String {
    if longhand == Longhand::Content && pseudo.is_some() {
        return "none".to_owned();
    }
    let style = &seen.specification;
    let declared = style.get(longhand).is_some_and(|own| own.origin != Origin::UserAgent);
    let is_equal = style.style.get(longhand) == seen.baseline.get(longhand);
    if declared && is_equal && !is_suppressed_border(longhand, &style.style, &seen.baseline) {
        return value_text::value_text(style, longhand);
    }
    if is_alias_of_default(longhand, &style.style, &seen.baseline) {
        return value_text::value_text(style, longhand);
    }
    value_text::computed(&seen.baseline, longhand)
}

/// Returns true if a pseudo-element generates a box, or styles a part that exists in any case.
fn generates_box(pseudo: Pseudo, seen: &EnvMap<StylePair>) -> bool {
    let has_content = |seen: &StylePair| !matches!(seen.specification.style.get(Longhand::Content), "none" | "normal");
    !matches!(pseudo, Pseudo::Before | Pseudo::After) || seen.iter().any(has_content)
}
