//! The computation of one element's style: the strongest declaration of each longhand, then its computed value.

use super::cascade_order::{AppliedDeclaration, DeclarationSource};
use super::compute_context::ComputeContext;
use super::custom_property_map::CustomProperties;
use super::winners::{WinnerTable, Winners};
use super::{ComputedStyle, Styles, compute, custom_properties, fonts, initial_values, style_adjustments};
use crate::color::{Scheme, SupportedSchemes};
use crate::property::{CssWide, DeclaredValue, ExpandedLonghand, Flow, Longhand, WritingMode};
use crate::selector::PseudoElement;
use crate::sheet::{DeclarationMeaning, Origin};
use crate::value::component::Component;
use foldhash::HashMap;
use limner_page::NodeId;
use limner_page::dom::QuirksMode;
use std::sync::Arc;

/// The computation of one style.
pub(super) struct StyleComputation<'c> {
    pub(super) styles: &'c Styles<'c>,
    pub(super) node: NodeId,
    pub(super) parent: Option<&'c Arc<ComputedStyle>>,
    /// The parent's style, or initial values.
    pub(super) inherited: &'c ComputedStyle,
    pub(super) pseudo: Option<PseudoElement>,
    pub(super) custom: Arc<CustomProperties>,
    pub(super) applied: &'c [AppliedDeclaration<'c>],
}

/// The outcome of the cascade for a longhand.
pub(super) enum CascadeOutcome {
    Inherit,
    Initial,
    Components(Arc<[Component]>, DeclarationSource),
}

impl StyleComputation<'_> {
    /// Computes the style; `pending` caches the values of declarations with `var()`.
    pub(super) fn compute(&self, pending: &mut PendingCache) -> ComputedStyle {
        let flow = self.flow(pending);
        let winners = self.winners(flow);
        let decide = |computing: &Self, pending: &mut PendingCache, longhand: Longhand| {
            computing.decide(longhand, flow, &winners, pending)
        };
        let environment = &self.styles.environment;
        let mut style = ComputedStyle::inheriting(self.inherited, self.custom.clone());
        style.flow = flow;
        // Values that others depend on come first.
        let root = self.styles.root.as_deref();
        let family = decide(self, pending, Longhand::FontFamily);
        fonts::family(&mut style, &family, &self.styles.index.digits);
        let size = decide(self, pending, Longhand::FontSize);
        fonts::size(&mut style, &size, self.inherited, root, environment);
        let is_root = self.parent.is_none();
        style.root_font_size = if is_root { style.font_size } else { self.inherited.root_font_size };
        let height = decide(self, pending, Longhand::LineHeight);
        fonts::line_height(&mut style, &height, self.inherited, environment);
        style.root_line_height = if is_root { style.line_height() } else { self.inherited.root_line_height };
        let scheme = decide(self, pending, Longhand::ColorScheme);
        style.scheme = self.color_scheme(&scheme);
        let color = decide(self, pending, Longhand::Color);
        self.set_color(&mut style, &color);
        if winners.get(Longhand::Color).is_none() {
            self.color_in_table(&mut style);
        }
        let first = [Longhand::FontFamily, Longhand::FontSize, Longhand::LineHeight, Longhand::Color];
        for longhand in winners.iter().map(|(longhand, _)| longhand).filter(|longhand| !first.contains(longhand)) {
            let specified = decide(self, pending, longhand);
            self.set(&mut style, longhand, &specified);
        }
        style_adjustments::adjust(
            &mut style,
            self.styles.index.document,
            self.node,
            self.parent.map(|p| &**p),
            self.pseudo,
        );
        style.finish();
        style
    }

    /// Gives tables the colour of the body, whatever their ancestors have (quirks mode).
    fn color_in_table(&self, style: &mut ComputedStyle) {
        let document = self.styles.index.document;
        let is_table = document.element(self.node).is_some_and(|element| element.is_html("table"));
        if self.pseudo.is_some() || !is_table || document.quirks_mode() != QuirksMode::Quirks {
            return;
        }
        let is_body = |node: &NodeId| document.element(*node).is_some_and(|element| element.is_html("body"));
        let body = document.ancestors(self.node).find(is_body);
        if let Some(body) = body.and_then(|body| self.styles.computed.get(body.index())?.as_deref()) {
            style.color = body.color;
            style.put(Longhand::Color, body.get(Longhand::Color).into(), None);
        }
    }

    /// Returns the flow of the element, which decides what flow-relative declarations set.
    pub(super) fn flow(&self, pending: &mut PendingCache) -> Flow {
        let (mut direction, mut writing_mode) = (None, None);
        for applied in self.applied.iter().rev() {
            let DeclarationMeaning::Longhands(list) = &applied.declaration.effect else { continue };
            for declared in list.iter() {
                match declared.longhand {
                    Longhand::Direction => direction = direction.or(Some((applied, declared))),
                    Longhand::WritingMode => writing_mode = writing_mode.or(Some((applied, declared))),
                    _ => {}
                }
            }
        }
        let mut keyword = |longhand: Longhand, strongest: Option<(&AppliedDeclaration<'_>, &ExpandedLonghand)>| {
            let (applied, declared) = strongest?;
            match &declared.value {
                DeclaredValue::Components(value) => Some(value.first()?.as_ident()?.to_owned()),
                DeclaredValue::Wide(CssWide::Initial) => Some(longhand.initial().to_owned()),
                DeclaredValue::Wide(_) => None,
                DeclaredValue::Pending => {
                    let substituted = self.substituted(applied, longhand, Flow::default(), pending)?;
                    Some(substituted.first()?.as_ident()?.to_owned())
                }
            }
        };
        let inherited = self.inherited.flow;
        Flow {
            rtl: keyword(Longhand::Direction, direction).map_or(inherited.rtl, |own| own.eq_ignore_ascii_case("rtl")),
            writing_mode: keyword(Longhand::WritingMode, writing_mode)
                .map_or(inherited.writing_mode, |own| WritingMode::from_keyword(&own)),
        }
    }

    /// Returns the strongest declaration of each longhand.
    pub(super) fn winners(&self, flow: Flow) -> Winners {
        let starts = &self.styles.index.start_states;
        let has_start = self.pseudo.is_none() && starts.contains(self.node);
        let mut table = WinnerTable::new();
        for (at, applied) in self.applied.iter().enumerate() {
            let DeclarationMeaning::Longhands(list) = &applied.declaration.effect else { continue };
            for (part, declared) in list.iter().enumerate() {
                if has_start && starts.drops(self.node, applied.block, declared.longhand) {
                    continue;
                }
                table.set(declared.physical(flow), (at, part));
            }
        }
        table.winners()
    }

    pub(super) fn decide(
        &self,
        longhand: Longhand,
        flow: Flow,
        winners: &Winners,
        pending: &mut PendingCache,
    ) -> CascadeOutcome {
        let unset = if longhand.is_inherited() { CascadeOutcome::Inherit } else { CascadeOutcome::Initial };
        let Some((at, part)) = winners.get(longhand) else { return unset };
        let mut at = at;
        let mut part = part;
        loop {
            let applied = &self.applied[at];
            let DeclarationMeaning::Longhands(list) = &applied.declaration.effect else { return unset };
            let wide = match &list[part].value {
                DeclaredValue::Components(value) => return CascadeOutcome::Components(value.clone(), applied.block),
                DeclaredValue::Pending => match self.substituted(applied, longhand, flow, pending) {
                    None => return unset,
                    Some(value) => match value.as_ref() {
                        [Component::Ident(word)] if CssWide::from_keyword(word).is_some() => {
                            CssWide::from_keyword(word)
                        }
                        _ => return CascadeOutcome::Components(value, applied.block),
                    },
                },
                DeclaredValue::Wide(wide) => Some(*wide),
            };
            match wide {
                Some(CssWide::Inherit) => return CascadeOutcome::Inherit,
                Some(CssWide::Initial) => return CascadeOutcome::Initial,
                Some(CssWide::Unset) | None => return unset,
                Some(revert) => match self.rollback_target(at, longhand, flow, revert) {
                    Some(next) => (at, part) = next,
                    None => return unset,
                },
            }
        }
    }

    /// Returns the strongest declaration below the origin or layer of the one at `at`.
    fn rollback_target(&self, at: usize, longhand: Longhand, flow: Flow, revert: CssWide) -> Option<(usize, usize)> {
        let from = self.applied[at].key;
        (0..at).rev().find_map(|index| {
            let candidate = &self.applied[index];
            let lower = match revert {
                CssWide::Revert => candidate.key.origin < from.origin && candidate.key.origin == Origin::UserAgent,
                _ => candidate.key.level() != from.level(),
            };
            if !lower {
                return None;
            }
            let DeclarationMeaning::Longhands(list) = &candidate.declaration.effect else { return None };
            let part = list.iter().rposition(|declared| longhand == declared.physical(flow))?;
            Some((index, part))
        })
    }

    /// Returns the value of a declaration with `var()` for one of its longhands.
    fn substituted(
        &self,
        applied: &AppliedDeclaration<'_>,
        longhand: Longhand,
        flow: Flow,
        pending: &mut PendingCache,
    ) -> Option<Arc<[Component]>> {
        let key = std::ptr::from_ref(applied.declaration) as usize;
        let expanded = pending.entry(key).or_insert_with(|| {
            let (value, element) = (&applied.declaration.value, self.styles.element_values(self.node));
            let text = custom_properties::substitute(value, &self.custom, &self.styles.texts, element)?;
            let text = self.styles.with_tree_counts(text, self.node);
            self.styles.index.document.work_budget().spend(2 * text.len() as u64);
            crate::property::expand(&applied.declaration.name, &text)
        });
        let declared = expanded.as_ref()?.iter().find(|declared| longhand == declared.physical(flow))?;
        match &declared.value {
            DeclaredValue::Components(value) => Some(value.clone()),
            DeclaredValue::Wide(wide) => Some(Arc::from([Component::ident(wide.keyword())])),
            DeclaredValue::Pending => None,
        }
    }

    /// Returns the used scheme of those that an element supports (Color Adjust 1, section 2.2); `normal` means those of
    /// the page.
    fn color_scheme(&self, specified: &CascadeOutcome) -> Scheme {
        let own = match specified {
            CascadeOutcome::Inherit if self.parent.is_some() => return self.inherited.scheme,
            CascadeOutcome::Inherit | CascadeOutcome::Initial => SupportedSchemes::default(),
            CascadeOutcome::Components(words, _) => {
                let has = |keyword: &str| words.iter().any(|word| word.is_ident(keyword));
                SupportedSchemes { light: has("light"), dark: has("dark") }
            }
        };
        let is_normal = own == SupportedSchemes::default();
        let supported = if is_normal { self.styles.index.supported } else { own };
        supported.used_scheme(self.styles.environment.scheme)
    }

    fn set_color(&self, style: &mut ComputedStyle, specified: &CascadeOutcome) {
        let lengths = style.lengths(&self.styles.environment);
        let context =
            crate::color::ColorContext { current: Some(self.inherited.color), scheme: style.scheme, lengths: &lengths };
        let color = match specified {
            CascadeOutcome::Inherit if self.parent.is_some() => self.inherited.color,
            CascadeOutcome::Inherit | CascadeOutcome::Initial => initial_values::initial_color(style.scheme),
            CascadeOutcome::Components(value, source) => {
                let color = value
                    .first()
                    .and_then(|v| crate::color::parse_component(v, &context))
                    .unwrap_or(self.inherited.color);
                style.put(Longhand::Color, color.to_string().into(), Some(*source));
                style.color = color;
                return;
            }
        };
        style.color = color;
        style.put(Longhand::Color, color.to_string().into(), None);
    }

    fn set(&self, style: &mut ComputedStyle, longhand: Longhand, specified: &CascadeOutcome) {
        match specified {
            CascadeOutcome::Inherit => {
                if !longhand.is_inherited() {
                    let value = self.inherited.shared_value(longhand);
                    style.put(longhand, value, None);
                }
            }
            CascadeOutcome::Initial => {
                if longhand.is_inherited() {
                    let value = initial_values::initial(longhand);
                    style.put(longhand, value, None);
                } else {
                    style.put_initial(longhand);
                }
            }
            CascadeOutcome::Components(value, source) => {
                let base = self.base_url(*source);
                let context = ComputeContext::new(style, self.inherited, &self.styles.environment, base);
                if let Some(text) = compute::compute(longhand, value, &context) {
                    style.put(longhand, self.styles.texts.computed(text), Some(*source));
                }
            }
        }
    }

    pub(super) fn base_url(&self, source: DeclarationSource) -> Option<&str> {
        let index = self.styles.index;
        match source {
            DeclarationSource::Rule { rule, .. } => {
                let sheet = index.sheets.rules[rule as usize].sheet;
                Some(&index.sheets.infos[sheet as usize].base_url)
            }
            _ => None,
        }
    }
}

pub(super) type PendingCache = HashMap<usize, Option<Arc<[crate::property::ExpandedLonghand]>>>;
