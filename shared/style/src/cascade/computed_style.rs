//! Computed styles.

use super::cascade_order::DeclarationSource;
use super::container_chain::ContainerChain;
use super::custom_property_map::CustomProperties;
use super::initial_values::{self, initial_color};
use crate::color::{Color, Scheme};
use crate::computed::Keywords;
use crate::environment::Environment;
use crate::property::{Flow, Longhand};
use crate::selector::Atom;
use crate::value::Lengths;
use crate::zero_advance::ZeroAdvances;
use std::sync::Arc;

/// A computed `line-height`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum LineHeight {
    Normal,
    Factor(f64),
    Px(f64),
}

/// A value that is not the initial one.
#[derive(Debug, Clone)]
pub(crate) struct NonInitialValue {
    longhand: Longhand,
    value: Arc<str>,
    source: Option<DeclarationSource>,
}

/// The computed values of an element or pseudo-element, serialized as `getComputedStyle` does, except that values which
/// depend on layout stay as computed: percentages and `auto` are not turned into pixels.
#[derive(Debug, Clone)]
pub struct ComputedStyle {
    /// Values of properties that are not inherited, sorted once finished.
    non_inherited: Vec<NonInitialValue>,
    /// Values of inherited properties, shared with the parent while they are equal.
    inherited: Arc<Vec<NonInitialValue>>,
    pub(crate) keywords: Keywords,
    pub(crate) custom: Arc<CustomProperties>,
    pub(crate) color: Color,
    pub(crate) scheme: Scheme,
    pub(crate) flow: Flow,
    /// True if the element or an ancestor has `display: none`.
    pub(crate) hidden: bool,
    /// True if its children are items of a flex or grid container.
    pub(crate) lays_out_items: bool,
    pub(crate) font_size: f64,
    pub(crate) root_font_size: f64,
    pub(crate) root_line_height: f64,
    pub(crate) line_height: LineHeight,
    /// True if the font family is just `monospace`, which has a different default size.
    pub(crate) monospace: bool,
    /// Advance width of `0`, in em.
    pub(crate) digit_width: f64,
    /// The size keyword that `font-size` comes from, if any.
    pub(crate) size_keyword: Option<&'static str>,
    pub(crate) absolute_size: bool,
    /// Width of the content box, estimated without layout.
    pub(crate) width_estimate: f64,
    pub(crate) containers: Option<Arc<ContainerChain>>,
}

impl ComputedStyle {
    /// Returns the initial values, which the root inherits.
    pub(crate) fn initial(environment: &Environment, digits: &ZeroAdvances) -> Self {
        Self {
            non_inherited: Vec::new(),
            inherited: Arc::new(Vec::new()),
            keywords: Keywords::default(),
            custom: Arc::new(CustomProperties::default()),
            color: initial_color(Scheme::Light),
            scheme: Scheme::Light,
            flow: Flow::default(),
            hidden: false,
            lays_out_items: false,
            font_size: 16.0,
            root_font_size: 16.0,
            root_line_height: 18.0,
            line_height: LineHeight::Normal,
            monospace: false,
            digit_width: digits.advance(initial_values::initial_text(Longhand::FontFamily)),
            size_keyword: Some("medium"),
            absolute_size: false,
            width_estimate: environment.width,
            containers: None,
        }
    }

    pub(crate) fn inheriting(parent: &Self, custom: Arc<CustomProperties>) -> Self {
        let (inherited, containers) = (parent.inherited.clone(), parent.containers.clone());
        let keywords = parent.keywords.inherited();
        Self { non_inherited: Vec::new(), inherited, keywords, custom, containers, ..*parent }
    }

    pub(crate) fn put(&mut self, longhand: Longhand, value: Arc<str>, source: Option<DeclarationSource>) {
        self.keywords.set(longhand, &value);
        let list = if longhand.is_inherited() {
            let known = self.inherited.iter().find(|own| own.longhand == longhand);
            if known.is_some_and(|own| own.value == value && source.is_none()) {
                return;
            }
            Arc::make_mut(&mut self.inherited)
        } else {
            &mut self.non_inherited
        };
        match list.iter_mut().find(|own| own.longhand == longhand) {
            Some(own) => (own.value, own.source) = (value, source),
            None => list.push(NonInitialValue { longhand, value, source }),
        }
    }

    /// Replaces a value and keeps its source.
    pub(crate) fn replace(&mut self, longhand: Longhand, value: Arc<str>) {
        let source = self.find(longhand).and_then(|own| own.source);
        self.put(longhand, value, source);
    }

    pub(crate) fn put_initial(&mut self, longhand: Longhand) {
        self.keywords.set(longhand, longhand.initial());
        self.non_inherited.retain(|own| own.longhand != longhand);
    }

    /// Returns the bytes it uses besides those shared with its parent.
    pub(crate) fn unshared_bytes(&self, parent: Option<&Self>) -> usize {
        let is_shared = parent.is_some_and(|parent| Arc::ptr_eq(&parent.inherited, &self.inherited));
        let inherited = if is_shared { 0 } else { self.inherited.len() };
        size_of::<Self>() + (self.non_inherited.len() + inherited) * size_of::<NonInitialValue>()
    }

    pub(crate) fn finish(&mut self) {
        self.non_inherited.sort_unstable_by_key(|own| own.longhand);
        self.non_inherited.shrink_to_fit();
    }

    /// Returns true if the value is not the initial one.
    pub(crate) fn is_non_initial(&self, longhand: Longhand) -> bool {
        self.find(longhand).is_some()
    }

    fn find(&self, longhand: Longhand) -> Option<&NonInitialValue> {
        let list: &[NonInitialValue] = if longhand.is_inherited() { &self.inherited } else { &self.non_inherited };
        list.iter().find(|own| own.longhand == longhand)
    }

    /// Returns the longhands whose computed values differ, in no particular order, each once. Cheap if two styles share
    /// their inherited values.
    pub fn differences(&self, other: &Self) -> Vec<Longhand> {
        let mut found = Vec::new();
        let own = self.non_inherited.iter().chain(
            other.non_inherited.iter().filter(|own| !self.non_inherited.iter().any(|o| o.longhand == own.longhand)),
        );
        found.extend(own.map(|own| own.longhand).filter(|longhand| self.get(*longhand) != other.get(*longhand)));
        if !Arc::ptr_eq(&self.inherited, &other.inherited) {
            let theirs =
                other.inherited.iter().filter(|own| !self.inherited.iter().any(|o| o.longhand == own.longhand));
            let inherited = self.inherited.iter().chain(theirs).map(|own| own.longhand);
            found.extend(inherited.filter(|longhand| self.get(*longhand) != other.get(*longhand)));
        }
        found
    }

    /// Returns true if its children are items of a flex or grid container, which with `display: contents` may be an
    /// ancestor's.
    pub fn has_flex_or_grid_items(&self) -> bool {
        self.lays_out_items
    }

    /// Returns a computed value.
    pub fn get(&self, longhand: Longhand) -> &str {
        self.find(longhand).map_or_else(|| initial_values::initial_text(longhand), |own| &own.value)
    }

    pub(crate) fn shared_value(&self, longhand: Longhand) -> Arc<str> {
        self.find(longhand).map_or_else(|| initial_values::initial(longhand), |own| own.value.clone())
    }

    /// Returns a computed value by name: a longhand in lower case or a custom property. Colours that follow `color` are
    /// resolved, and line heights are in pixels, as in `getComputedStyle`.
    pub fn value(&self, name: &str) -> Option<String> {
        if name.starts_with("--") {
            return self.custom_property(name).map(str::to_owned);
        }
        let longhand = Longhand::from_name(name)?;
        Some(match self.get(longhand) {
            "currentcolor" => self.color.to_string(),
            value => value.to_owned(),
        })
    }

    /// Returns a custom property's value, substituted.
    pub fn custom_property(&self, name: &str) -> Option<&str> {
        self.custom.get(&Atom::from(name)).map(|value| &**value)
    }

    /// Returns all custom properties with their values, substituted, sorted by name.
    pub fn custom_properties(&self) -> Vec<(&str, &str)> {
        self.custom.valid()
    }

    /// Returns a number that is equal for styles which share their custom properties, valid while they live.
    pub fn custom_properties_number(&self) -> usize {
        Arc::as_ptr(&self.custom) as usize
    }

    /// The text colour.
    pub fn color(&self) -> Color {
        self.color
    }

    /// The font size in CSS pixels.
    pub fn font_size(&self) -> f64 {
        self.font_size
    }

    /// Returns true if the element or an ancestor has `display: none`.
    pub fn is_hidden(&self) -> bool {
        self.hidden
    }

    /// The directions of lines and text.
    pub fn flow(&self) -> Flow {
        self.flow
    }

    /// The used colour scheme.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Returns the rule or attribute that a value comes from; `None` for initial values.
    pub(crate) fn source(&self, longhand: Longhand) -> Option<DeclarationSource> {
        self.find(longhand)?.source
    }

    /// Returns the line height in CSS pixels; `normal` counts as 1.15 em.
    pub fn line_height(&self) -> f64 {
        match self.line_height {
            LineHeight::Normal => self.font_size * 1.15,
            LineHeight::Factor(factor) => factor * self.font_size,
            LineHeight::Px(px) => px,
        }
    }

    /// Returns the unitless line height, which heirs multiply by their font size.
    pub fn line_height_factor(&self) -> Option<f64> {
        match self.line_height {
            LineHeight::Factor(factor) => Some(factor),
            LineHeight::Normal | LineHeight::Px(_) => None,
        }
    }

    pub(crate) fn lengths(&self, environment: &Environment) -> Lengths {
        Lengths {
            font_size: self.font_size,
            root_font_size: self.root_font_size,
            line_height: self.line_height(),
            root_line_height: self.root_line_height,
            container_width: self
                .containers
                .as_ref()
                .and_then(|chain| chain.nearest_width())
                .unwrap_or(environment.width),
            digit_width: self.digit_width,
            ..Lengths::initial(environment.width, environment.height)
        }
    }
}
