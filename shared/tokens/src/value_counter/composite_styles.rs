//! Borders and transitions that elements have as a whole, from one declaration: `border: 1px solid #ddd`.

use crate::custom_properties::ContextId;
use crate::value::values;
use foldhash::HashMap;
use limner_style::AuthoredDeclaration;
use limner_style::property::{DeclaredValue, ExpandedLonghand, Longhand, expand};
use limner_style::value::{Component, split_commas};
use limner_types::Theme;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// Index of a border or transition.
pub(super) type CompositeId = u32;

/// Width, style and colour of each side.
const SIDES: [[Longhand; 3]; 4] = [
    [Longhand::BorderTopWidth, Longhand::BorderTopStyle, Longhand::BorderTopColor],
    [Longhand::BorderRightWidth, Longhand::BorderRightStyle, Longhand::BorderRightColor],
    [Longhand::BorderBottomWidth, Longhand::BorderBottomStyle, Longhand::BorderBottomColor],
    [Longhand::BorderLeftWidth, Longhand::BorderLeftStyle, Longhand::BorderLeftColor],
];

/// The longhands that are part of a border without a design value of their own.
pub(crate) const BORDER_STYLES: [Longhand; 4] = [SIDES[0][1], SIDES[1][1], SIDES[2][1], SIDES[3][1]];

/// Maximum number of borders and of transitions.
const MAX_COMPOSITES: usize = 256;

/// A border, in CSS.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Border {
    pub(crate) width: String,
    pub(crate) style: String,
    /// In its own colour spaces.
    pub(crate) color: String,
}

/// A transition without its property, in CSS.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Transition {
    pub(crate) duration: String,
    pub(crate) easing: String,
    pub(crate) delay: String,
}

impl Border {
    /// Returns the value of `border`.
    pub(crate) fn css(&self) -> String {
        format!("{} {} {}", self.width, self.style, self.color)
    }
}

impl Transition {
    /// Returns the value of `transition`, without a property and a delay of nothing.
    pub(crate) fn css(&self) -> String {
        let Self { duration, easing, delay } = self;
        if delay == "0ms" { format!("{duration} {easing}") } else { format!("{duration} {easing} {delay}") }
    }
}

/// Borders and transitions with the number of elements that have them, the most frequent first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Composites {
    pub(crate) borders: Vec<(Border, usize)>,
    pub(crate) transitions: Vec<(Transition, usize)>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Composite {
    Border(Border),
    Transition(Transition),
}

type Key = (usize, ContextId, Theme);

/// Reads the composite values of styles.
#[derive(Default)]
pub(super) struct CompositeReader {
    all: Vec<Composite>,
    ids: HashMap<Composite, CompositeId>,
    /// By the address of a declaration's longhands, with its context: those of each side, or of the transition first.
    known: HashMap<Key, Rc<[Vec<CompositeId>; 4]>>,
}

impl CompositeReader {
    /// Returns the composite values of a style, given the declarations that its longhands come from. `text` returns a
    /// declaration's text without references.
    pub(super) fn read<'i>(
        &mut self,
        declared: impl Iterator<Item = (Longhand, AuthoredDeclaration<'i>)>,
        mut text: impl FnMut(&AuthoredDeclaration<'i>) -> Option<Arc<str>>,
        (context, theme): (ContextId, Theme),
    ) -> Vec<CompositeId> {
        let mut found: Vec<CompositeId> = Vec::new();
        let mut of_sides: [[usize; 3]; 4] = [[0; 3]; 4];
        let mut of_transition: [usize; 2] = [0; 2];
        for (longhand, declaration) in declared {
            let address = declaration.longhands().map_or(0, |longhands| longhands.as_ptr() as usize);
            let (side, is_whole) = match longhand {
                Longhand::TransitionDuration | Longhand::TransitionTimingFunction => {
                    of_transition[usize::from(longhand == Longhand::TransitionDuration)] = address;
                    (0, of_transition == [address; 2])
                }
                _ => {
                    let place = SIDES
                        .iter()
                        .enumerate()
                        .find_map(|(side, longhands)| Some((side, longhands.iter().position(|own| *own == longhand)?)));
                    let Some((side, part)) = place else { continue };
                    of_sides[side][part] = address;
                    (side, of_sides[side] == [address; 3])
                }
            };
            if is_whole {
                let of_declaration = self.of_declaration(&declaration, &mut text, (address, context, theme));
                found.extend(&of_declaration[side]);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn of_declaration<'i>(
        &mut self,
        declaration: &AuthoredDeclaration<'i>,
        text: &mut impl FnMut(&AuthoredDeclaration<'i>) -> Option<Arc<str>>,
        key: Key,
    ) -> Rc<[Vec<CompositeId>; 4]> {
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let longhands = declaration.longhands().cloned();
        let is_pending =
            |own: &Arc<[ExpandedLonghand]>| own.first().is_some_and(|own| own.value == DeclaredValue::Pending);
        let longhands = match longhands {
            Some(own) if is_pending(&own) => {
                text(declaration).and_then(|text| expand(declaration.name, &text)).unwrap_or_default()
            }
            own => own.unwrap_or_default(),
        };
        let theme = key.2;
        let found: [Vec<Composite>; 4] = if declaration.name.ends_with("transition") {
            [transitions(&longhands), Vec::new(), Vec::new(), Vec::new()]
        } else {
            SIDES.map(|side| border(&longhands, side, theme).into_iter().collect())
        };
        let found = found.map(|own| own.into_iter().filter_map(|composite| self.intern(composite)).collect());
        let found = Rc::new(found);
        self.known.insert(key, found.clone());
        found
    }

    fn intern(&mut self, composite: Composite) -> Option<CompositeId> {
        if let Some(known) = self.ids.get(&composite) {
            return Some(*known);
        }
        let next = CompositeId::try_from(self.all.len()).ok().filter(|_| self.all.len() < 2 * MAX_COMPOSITES)?;
        self.all.push(composite.clone());
        self.ids.insert(composite, next);
        Some(next)
    }

    /// Adds up the elements with the same styles, for each composite value once.
    pub(super) fn count<I: Iterator<Item = CompositeId>>(&self, sets: impl Iterator<Item = (I, usize)>) -> Composites {
        let mut used: BTreeMap<&Composite, usize> = BTreeMap::new();
        for (composites, elements) in sets {
            let mut own: Vec<CompositeId> = composites.collect();
            own.sort_unstable();
            own.dedup();
            for composite in own {
                *used.entry(&self.all[composite as usize]).or_default() += elements;
            }
        }
        let mut sorted: Vec<(&Composite, usize)> = used.into_iter().collect();
        sorted.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        let mut all = Composites::default();
        for (composite, used) in sorted {
            match composite {
                Composite::Border(own) => all.borders.push((own.clone(), used)),
                Composite::Transition(own) => all.transitions.push((own.clone(), used)),
            }
        }
        all.borders.truncate(MAX_COMPOSITES);
        all.transitions.truncate(MAX_COMPOSITES);
        all
    }
}

fn components(longhands: &[ExpandedLonghand], longhand: Longhand) -> Option<&[Component]> {
    match &longhands.iter().rfind(|own| own.longhand == longhand)?.value {
        DeclaredValue::Components(components) => Some(components),
        _ => None,
    }
}

/// Returns the only design value of a longhand in a theme.
fn value(longhands: &[ExpandedLonghand], longhand: Longhand, theme: Theme) -> Option<String> {
    let found = values(longhand, components(longhands, longhand)?);
    let mut found = found.into_iter().filter(|own| own.theme.is_none_or(|of| of == theme));
    let only = found.next().filter(|_| found.next().is_none())?;
    Some(only.css.unwrap_or(only.key))
}

/// Returns the border of a side, if it is visible.
fn border(longhands: &[ExpandedLonghand], [width, style, color]: [Longhand; 3], theme: Theme) -> Option<Composite> {
    let [Component::Ident(style)] = components(longhands, style)? else { return None };
    let style = style.to_ascii_lowercase();
    let width = value(longhands, width, theme).filter(|width| width != "0")?;
    let color = value(longhands, color, theme)?;
    (!matches!(style.as_str(), "none" | "hidden")).then_some(Composite::Border(Border { width, style, color }))
}

/// Returns the transitions that take time.
fn transitions(longhands: &[ExpandedLonghand]) -> Vec<Composite> {
    let list = |longhand: Longhand| components(longhands, longhand).map(split_commas).unwrap_or_default();
    let durations = list(Longhand::TransitionDuration);
    let (easings, delays) = (list(Longhand::TransitionTimingFunction), list(Longhand::TransitionDelay));
    let at = |list: &[&[Component]], number: usize| list.get(number % list.len().max(1)).map(|part| part.to_vec());
    let transition = |number: usize| {
        let duration = crate::value::duration(&at(&durations, number)?)?;
        let easing = at(&easings, number).and_then(|part| crate::value::easing(&part));
        let delay = at(&delays, number).and_then(|part| crate::value::duration(&part));
        let transition = Transition {
            duration,
            easing: easing.unwrap_or_else(|| "ease".to_owned()),
            delay: delay.unwrap_or_else(|| "0ms".to_owned()),
        };
        (transition.duration != "0ms").then_some(Composite::Transition(transition))
    };
    (0..durations.len()).filter_map(transition).collect()
}
