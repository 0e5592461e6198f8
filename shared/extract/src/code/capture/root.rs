//! The root of a component: what it has from around it on its page, and what it leaves behind there.

use super::resolve::Resolver;
use super::{theme_of, value};
use crate::code::model::Namespace;
use limner_page::NodeId;
use limner_style::color::{self, Color, Scheme, Space};
use limner_style::property::Longhand;
use limner_style::{Origin, Specification};
use limner_types::Theme;
use std::collections::BTreeMap;

/// What the surroundings of the root give it, by cell.
pub(super) struct Root {
    /// By cell: specified values of ancestors, the nearest first.
    inherited: Vec<Vec<Specification>>,
    /// By cell: the colour behind the section, when it is none that an empty page has.
    backdrop: Vec<Option<String>>,
    /// Longhands whose value came from the place in the page.
    placed: Vec<bool>,
    pub(super) theme: Option<Theme>,
    has: Contents,
}

/// What is in a section, as far as inherited properties are about it.
#[derive(Debug, Clone, Copy, Default)]
struct Contents {
    lists: bool,
    tables: bool,
    svg: bool,
}

impl Root {
    pub(super) fn of(resolver: &mut Resolver<'_>) -> Self {
        let document = &resolver.view.document;
        let section = resolver.skeleton.bones[0].node;
        let around: Vec<NodeId> =
            document.ancestors(section).filter(|node| document.element(*node).is_some()).collect();
        let mut inherited = Vec::new();
        let mut backdrop = Vec::new();
        let mut placed = Vec::new();
        for cell in 0..resolver.grid.len() {
            let base = &resolver.view.base;
            let styles = &mut resolver.styles[cell];
            let specifications: Vec<Specification> =
                around.iter().filter_map(|node| styles.specified(*node, None, base, &|_| None)).collect();
            backdrop.push(backdrop_of(&specifications, &resolver.computed[0][cell]));
            placed.push(matches!(resolver.computed[0][cell].get(Longhand::Position), "absolute" | "fixed"));
            inherited.push(specifications);
        }
        let theme = theme(resolver, &inherited);
        Self { inherited, backdrop, placed, theme, has: contents(resolver) }
    }

    /// What the root declares for a longhand that differs from an unstyled root's; `None`: nothing.
    pub(super) fn value(&self, longhand: Longhand, cell: usize, own: &Specification) -> Option<String> {
        if self.is_left_behind(longhand, cell, own) {
            return None;
        }
        if longhand == Longhand::Position && self.placed[cell] {
            return Some("relative".to_owned());
        }
        let declared = own.get(longhand).filter(|declared| declared.origin != Origin::UserAgent);
        if let Some(declared) = declared.filter(|declared| declared.value != "inherit") {
            let changed = matches!(longhand, Longhand::Display)
                || (longhand.is_inherited() && !value::is_portable(&declared.value));
            return Some(if changed { value::computed(&own.style, longhand) } else { declared.value.clone() });
        }
        if longhand.is_inherited() {
            return Some(self.inherited(longhand, cell, own));
        }
        Some(value::computed(&own.style, longhand))
    }

    /// An inherited value, as the nearest ancestor that declares it has it.
    fn inherited(&self, longhand: Longhand, cell: usize, own: &Specification) -> String {
        let computed = || value::computed(&own.style, longhand);
        for ancestor in &self.inherited[cell] {
            let Some(declared) = ancestor.get(longhand) else { continue };
            if declared.value == "inherit" {
                continue;
            }
            let same = ancestor.style.get(longhand) == own.style.get(longhand) || longhand == Longhand::LineHeight;
            let usable = declared.origin != Origin::UserAgent && same && value::is_portable(&declared.value);
            return if usable { declared.value.clone() } else { computed() };
        }
        computed()
    }

    /// Whether a value is about the place in the page, or about things that the section has none of.
    fn is_left_behind(&self, longhand: Longhand, cell: usize, own: &Specification) -> bool {
        use Longhand as L;
        let style = &own.style;
        let specified = own.get(longhand).map_or("", |own| own.value.as_str());
        match longhand {
            L::Float | L::Clear => true,
            L::Top | L::Right | L::Bottom | L::Left => self.placed[cell],
            L::MinWidth | L::MinHeight if style.get(longhand) == "auto" => true,
            L::Width | L::MinWidth | L::MaxWidth => is_share(specified),
            L::Height | L::MinHeight | L::MaxHeight => specified.contains('%'),
            L::ListStyleType | L::ListStylePosition | L::ListStyleImage => !self.has.lists,
            L::BorderCollapse | L::BorderSpacing | L::CaptionSide | L::EmptyCells => !self.has.tables,
            L::Fill
            | L::FillOpacity
            | L::FillRule
            | L::Stroke
            | L::StrokeWidth
            | L::StrokeOpacity
            | L::StrokeLinecap
            | L::StrokeLinejoin
            | L::StrokeMiterlimit
            | L::StrokeDasharray
            | L::StrokeDashoffset => !self.has.svg,
            _ => false,
        }
    }

    /// Adds what the section has behind it on its page.
    pub(super) fn adjust(&self, values: &mut BTreeMap<Longhand, Vec<Option<String>>>) {
        if self.backdrop.iter().any(Option::is_some) {
            let cells = values.entry(Longhand::BackgroundColor).or_insert_with(|| vec![None; self.backdrop.len()]);
            for (cell, backdrop) in cells.iter_mut().zip(&self.backdrop) {
                if cell.is_none() {
                    cell.clone_from(backdrop);
                }
            }
        }
    }
}

/// A width that is a share of the parent's.
fn is_share(specified: &str) -> bool {
    specified.contains('%')
        && !specified.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == '%')).any(|part| part == "100%")
}

/// The colour that shows through a section without background of its own.
fn backdrop_of(around: &[Specification], own: &limner_style::ComputedStyle) -> Option<String> {
    if !is_clear(own.get(Longhand::BackgroundColor)) {
        return None;
    }
    let painted = around.iter().find(|ancestor| !is_clear(ancestor.style.get(Longhand::BackgroundColor)));
    match painted {
        Some(ancestor) => {
            let color = value::written(ancestor, Longhand::BackgroundColor);
            let is_plain =
                ancestor.style.get(Longhand::BackgroundColor) == "rgb(255, 255, 255)" && own.scheme() == Scheme::Light;
            (!is_plain).then_some(color)
        }
        None => (own.scheme() == Scheme::Dark).then(|| "Canvas".to_owned()),
    }
}

fn is_clear(color: &str) -> bool {
    color == "transparent" || color.ends_with(", 0)")
}

/// Whether the section reads light or dark: by what is behind its text, or by the scheme the page declares.
fn theme(resolver: &Resolver<'_>, inherited: &[Vec<Specification>]) -> Option<Theme> {
    let cell = resolver.grid.desktop();
    let own = &resolver.computed[0][cell];
    let around = inherited[cell].iter().map(|ancestor| &ancestor.style);
    let painted = std::iter::once(own).chain(around).map(|style| style.get(Longhand::BackgroundColor));
    let ground = painted.filter(|value| !is_clear(value)).find_map(|value| color::parse(value, own.scheme()));
    match ground {
        Some(ground) => Some(if lightness(&ground) < 0.5 { Theme::Dark } else { Theme::Light }),
        None if own.get(Longhand::ColorScheme) != "normal" => Some(theme_of(own.scheme())),
        None => None,
    }
}

/// Perceived lightness from 0 to 1.
fn lightness(color: &Color) -> f64 {
    let [lightness, _, _] = color.to_space(Space::Oklab).components();
    if lightness.is_nan() { 1.0 } else { lightness }
}

fn contents(resolver: &Resolver<'_>) -> Contents {
    let mut found = Contents::default();
    for element in &resolver.skeleton.elements {
        found.lists |= matches!(element.tag.as_str(), "li" | "summary" | "ul" | "ol");
        found.tables |= element.tag == "table";
        found.svg |= element.namespace == Namespace::Svg;
    }
    found
}
