//! Declares what many utilities would repeat once, on the root: a colour that is in no theme, a long font stack.
//!
//! Before → after: `text-[#2c3e50]` on four elements → `text-(--text)` on them, and `[--text:#2c3e50]` on the root. It
//! stands after [`inline_variables`](super::inline_variables): what is left has no name of the author. A colour that has a
//! name, of the author or of this file, is written by it everywhere, in shadows and with an opacity, too.

use super::inline_variables::{Place, Repetition, count};
use super::{color, font_stack};
use limner_component_model::css::references::referenced_names;
use limner_component_model::css::split_list::split_commas;
use limner_component_model::model::{Component, Condition, Declaration, Rule};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Minimum number of utilities with a colour.
const MIN_COLOR_USES: usize = 4;
/// Minimum number of utilities with a font stack.
const MIN_FONT_USES: usize = 3;
/// Suffixes of two colours of one family. The number of a shade would be that of another colour.
const TONES: &[&str] = &["", "-alt"];
/// Chroma from which on a colour is an accent rather than a shade of grey.
const VIVID: f64 = 0.07;
/// Maximum number of declared values.
const MAX_VALUES: usize = 8;

/// Returns the component with references in the place of values that many declarations have. Equal elements of a loop count
/// once.
pub(super) fn name_repeated_values(component: Cow<'_, Component>, repetition: Repetition) -> Cow<'_, Component> {
    let named = NamedColors::of_author(&component);
    let mut component = component;
    if !named.0.is_empty() {
        named.refer(component.to_mut());
    }
    let uses = |kind: Kind, places: &[Place]| match kind {
        Kind::Color => count(&component, places, repetition),
        // The utility of a stack is short; a name pays for stacks of several kinds of elements.
        Kind::FontStack => count(&component, places, Repetition::Looped),
    };
    let mut repeated: Vec<(usize, Kind, String, Vec<Place>)> = colors_and_stacks(&component)
        .into_iter()
        .map(|((kind, value), places)| (uses(kind, &places), kind, value, places))
        .filter(|(uses, kind, value, _)| kind.is_worth(*uses, value))
        .collect();
    if repeated.is_empty() {
        return component;
    }
    // The most frequent one has the shortest name.
    repeated.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.2.cmp(&other.2)));
    let mut taken = known_names(&component);
    let mut component = component.into_owned();
    let mut declared: Vec<(String, String)> = Vec::new();
    let mut colors = NamedColors::default();
    for (_, kind, value, places) in repeated.into_iter().take(MAX_VALUES) {
        let Some(name) = kind.unique_name(&value, &component, &places, &taken) else { continue };
        for (element, rule, index) in places {
            component.elements[element].rules[rule].declarations[index].value = format!("var({name})");
        }
        taken.insert(name.clone());
        if kind == Kind::Color {
            colors.0.insert(value.clone(), name.clone());
        }
        declared.push((name, value));
    }
    colors.refer(&mut component);
    // Declarations on the root change the places of others there.
    declared.into_iter().for_each(|(name, value)| declare(&mut component, &name, value));
    Cow::Owned(component)
}

/// Colours in their canonical spelling, with the custom properties that have them.
#[derive(Debug, Default)]
struct NamedColors(BTreeMap<String, String>);

impl NamedColors {
    /// Collects the colours that the root declares once, under all conditions.
    fn of_author(component: &Component) -> Self {
        let mut declared: BTreeMap<&str, Option<&str>> = BTreeMap::new();
        for (at, element) in component.elements.iter().enumerate() {
            for rule in &element.rules {
                let is_constant = at == 0 && rule.condition.is_empty() && rule.state.is_none() && rule.pseudo.is_none();
                for own in rule.declarations.iter().filter(|own| own.name.starts_with("--")) {
                    let value = declared.entry(&own.name).or_insert(Some(own.value.as_str()).filter(|_| is_constant));
                    *value = value.filter(|value| *value == own.value && is_constant);
                }
            }
        }
        let animated = |name: &str| component.registrations.iter().any(|own| own.prelude == name);
        let colors = declared.into_iter().filter(|(name, _)| !animated(name)).filter_map(|(name, value)| {
            let canonical = Kind::Color.canonical(value?);
            canonical.starts_with('#').then(|| (canonical, name.to_owned()))
        });
        // Of several names of one colour, the first one.
        Self(colors.rev().collect())
    }

    /// Refers to these colours wherever the component has one of them.
    fn refer(&self, component: &mut Component) {
        for own in
            component.elements.iter_mut().flat_map(|element| &mut element.rules).flat_map(|rule| &mut rule.declarations)
        {
            match Kind::from_property(&own.name) {
                Some(Kind::Color) => {
                    let reference = self.reference(&own.value);
                    own.value = reference.unwrap_or_else(|| std::mem::take(&mut own.value));
                }
                None if own.name == "box-shadow" && own.value.contains('#') => {
                    let words = own.value.split(' ').map(|word| {
                        let (color, end) = word.strip_suffix(',').map_or((word, ""), |color| (color, ","));
                        let reference = self.reference(color).filter(|_| color.starts_with('#'));
                        reference.map_or_else(|| word.to_owned(), |reference| format!("{reference}{end}"))
                    });
                    own.value = words.collect::<Vec<_>>().join(" ");
                }
                _ => {}
            }
        }
    }

    /// Returns a reference to a colour, or to the one that it is a translucent shade of.
    fn reference(&self, value: &str) -> Option<String> {
        let canonical = Kind::Color.canonical(value);
        if let Some(name) = self.0.get(&canonical) {
            return Some(format!("var({name})"));
        }
        let digits = canonical.strip_prefix('#').filter(|digits| digits.len() == 8)?;
        let (solid, alpha) = digits.split_at_checked(6)?;
        let solid = Kind::Color.canonical(&format!("#{solid}"));
        let alpha = u8::from_str_radix(alpha, 16).ok()?;
        let percent = (1..100_u32).find(|percent| (percent * 255 + 50) / 100 == u32::from(alpha))?;
        Some(format!("color-mix(in srgb, var({}) {percent}%, transparent)", self.0.get(&solid)?))
    }
}

/// Returns the places of all colours and font stacks by their spelling.
fn colors_and_stacks(component: &Component) -> BTreeMap<(Kind, String), Vec<Place>> {
    let mut places: BTreeMap<(Kind, String), Vec<Place>> = BTreeMap::new();
    let mut spellings: BTreeMap<(Kind, &str), String> = BTreeMap::new();
    for (at, element) in component.elements.iter().enumerate() {
        for (number, rule) in element.rules.iter().enumerate() {
            for (index, own) in rule.declarations.iter().enumerate() {
                if let Some(kind) = Kind::from_property(&own.name) {
                    let spelling =
                        spellings.entry((kind, own.value.as_str())).or_insert_with(|| kind.canonical(&own.value));
                    places.entry((kind, spelling.clone())).or_default().push((at, number, index));
                }
            }
        }
    }
    places
}

/// The kinds of values that get names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Color,
    FontStack,
}

impl Kind {
    fn from_property(name: &str) -> Option<Self> {
        match name {
            "font-family" => Some(Self::FontStack),
            "fill" | "stroke" => Some(Self::Color),
            name if name.ends_with("color") && !name.starts_with("--") => Some(Self::Color),
            _ => None,
        }
    }

    /// Returns a value as it is written; one colour has several notations.
    fn canonical(self, value: &str) -> String {
        let suffix = (self == Self::Color).then(|| color::suffix(value)).flatten();
        let hex = suffix.and_then(|own| Some(own.strip_prefix('[')?.strip_suffix(']')?.to_owned()));
        hex.filter(|hex| hex.starts_with('#')).unwrap_or_else(|| value.to_owned())
    }

    /// Returns true if no theme has a name for a value, and it is used so often that a name for it pays.
    fn is_worth(self, uses: usize, value: &str) -> bool {
        match self {
            Self::Color => uses >= MIN_COLOR_USES && color::suffix(value).is_some_and(|own| own.starts_with("[#")),
            Self::FontStack => {
                // `[--font:…]` once, and `family-name:--font` in the place of each stack.
                let name = "family-name:".len() + font_name(value).map_or(0, |name| name.len());
                let is_plain = !value.contains("var(") && font_stack::system_stack(value).is_none();
                is_plain && uses >= MIN_FONT_USES && value.len() + name + 4 + uses * name < uses * value.len()
            }
        }
    }

    /// Returns the best name for a value that is not taken.
    fn unique_name(
        self,
        value: &str,
        component: &Component,
        places: &[Place],
        taken: &BTreeSet<String>,
    ) -> Option<String> {
        let names = match self {
            Self::Color => color_names(value, component, places),
            Self::FontStack => font_name(value).into_iter().collect(),
        };
        names.into_iter().find(|name| !taken.contains(name))
    }
}

/// Returns the names that a colour may have, the best one first: what it is for, else what the eye sees.
fn color_names(value: &str, component: &Component, places: &[Place]) -> Vec<String> {
    let hue = color::family(value);
    let Some((hue, (lightness, chroma))) = hue.zip(color::lightness_and_chroma(value)) else { return Vec::new() };
    let (mut text, mut ground, mut border) = (0, 0, 0);
    for (element, rule, index) in places {
        match &*component.elements[*element].rules[*rule].declarations[*index].name {
            "background-color" => ground += 4,
            // Borders are declared for each side.
            name if name.starts_with("border-") => border += 1,
            _ => text += 4,
        }
    }
    let role = match lightness {
        _ if text + ground == 0 => "--border",
        _ if chroma >= VIVID => "--accent",
        _ if border > text && border > ground => "--border",
        _ if ground > text => "--surface",
        lightness if lightness < 0.45 => "--text",
        lightness if lightness < 0.8 => "--muted",
        _ => "--text-light",
    };
    let is_of_states =
        places.iter().all(|(element, rule, _)| component.elements[*element].rules[*rule].state.is_some());
    let role = if is_of_states { format!("{role}-hover") } else { role.to_owned() };
    std::iter::once(role).chain(TONES.iter().map(|tone| format!("--{hue}{tone}"))).collect()
}

/// Returns the name for a font stack: its first family.
fn font_name(stack: &str) -> Option<String> {
    let first = split_commas(stack).first().map(|family| family.trim().trim_matches(['"', '\'']));
    let name = first.unwrap_or_default().to_ascii_lowercase().replace(' ', "-");
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let is_name = !name.is_empty() && name.len() <= 24 && name.chars().all(is_plain);
    is_name.then(|| format!("--{name}"))
}

/// Returns the custom properties that a component names.
fn known_names(component: &Component) -> BTreeSet<String> {
    let rules = component.elements.iter().flat_map(|element| &element.rules);
    let mut names = BTreeSet::new();
    for own in rules.flat_map(|rule| &rule.declarations) {
        if own.name.starts_with("--") {
            names.insert(own.name.to_string());
        }
        names.extend(referenced_names(&own.value).map(str::to_owned));
    }
    names.extend(component.registrations.iter().map(|own| own.prelude.clone()));
    names
}

/// Declares a custom property on the root.
fn declare(component: &mut Component, name: &str, value: String) {
    let Some(root) = component.elements.first_mut() else { return };
    let declaration = Declaration { name: Cow::Owned(name.to_owned()), computed: value.clone(), value };
    let is_base = |rule: &&mut Rule| rule.condition.is_empty() && rule.state.is_none() && rule.pseudo.is_none();
    match root.rules.iter_mut().find(is_base) {
        Some(rule) => {
            rule.declarations.push(declaration);
            rule.declarations.sort_by(|a, b| a.name.cmp(&b.name));
        }
        None => {
            let rule =
                Rule { condition: Condition::default(), state: None, pseudo: None, declarations: vec![declaration] };
            root.rules.insert(0, rule);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use limner_component_model::model::Element;

    /// Returns what the root declares if elements, each of a kind of its own, have these values.
    fn declared(values: &[(&'static str, &str)]) -> Vec<String> {
        declared_by(values, Repetition::Looped, false)
    }

    /// Like [`declared`]; the elements may be all of one kind.
    fn declared_by(values: &[(&'static str, &str)], repetition: Repetition, are_equal: bool) -> Vec<String> {
        let element = |(at, (name, value)): (usize, &(&'static str, &str))| {
            let own =
                Declaration { name: Cow::Borrowed(*name), value: (*value).to_owned(), computed: (*value).to_owned() };
            let rule = Rule { condition: Condition::default(), state: None, pseudo: None, declarations: vec![own] };
            let semantic_name = if are_equal { "text".to_owned() } else { format!("text-{at}") };
            Element { tag: "p".to_owned(), semantic_name, rules: vec![rule], ..Element::default() }
        };
        let root = Element { tag: "div".to_owned(), ..Element::default() };
        let elements = std::iter::once(root).chain(values.iter().enumerate().map(element)).collect();
        let component = Component { elements, ..Component::default() };
        let named = name_repeated_values(Cow::Borrowed(&component), repetition);
        let own = named.elements[0].rules.iter().flat_map(|rule| &rule.declarations);
        own.map(|own| format!("{}:{}", own.name, own.value)).collect()
    }

    #[test]
    fn colors_of_no_theme_that_are_repeated_get_a_name() {
        let one = declared(&[("color", "#2c3e50"); 4]);
        assert_eq!(one, ["--text:#2c3e50"]);
        assert!(declared(&[("color", "#2c3e50"); 3]).is_empty(), "too few");
        assert!(declared(&[("color", "#fff"); 9]).is_empty(), "a name of the theme");
        let notations = [&[("color", "#2c3e50"); 2][..], &[("color", "rgba(44, 62, 80, 1)"); 2]].concat();
        assert_eq!(declared(&notations), one, "of one colour");
    }

    #[test]
    fn colors_are_named_by_what_they_are_for() {
        let vivid =
            [&[("color", "#e0362c"); 7][..], &[("background-color", "#1f7a4d"); 6], &[("fill", "#e0a12c"); 4]].concat();
        assert_eq!(declared(&vivid), ["--accent:#e0362c", "--amber:#e0a12c", "--emerald:#1f7a4d"]);
        let pale = [&[("background-color", "#f7f1e8"); 6][..], &[("color", "#f7f1e9"); 5], &[("color", "#7a6a5e"); 4]];
        assert_eq!(declared(&pale.concat()), ["--muted:#7a6a5e", "--surface:#f7f1e8", "--text-light:#f7f1e9"]);
        assert_eq!(declared(&[("background-color", "#321325"); 4]), ["--surface:#321325"]);
        let borders = [("border-top-color", "#ececef"), ("border-left-color", "#ececef")].repeat(4);
        assert_eq!(declared(&borders), ["--border:#ececef"]);
    }

    #[test]
    fn named_colors_are_referred_to_everywhere() {
        let declaration = |name: &'static str, value: &str| Declaration {
            name: Cow::Borrowed(name),
            value: value.to_owned(),
            computed: value.to_owned(),
        };
        let element = |declarations: Vec<Declaration>| {
            let rule = Rule { condition: Condition::default(), state: None, pseudo: None, declarations };
            Element { tag: "p".to_owned(), rules: vec![rule], ..Element::default() }
        };
        let root = element(vec![declaration("--brand", "#2d2945")]);
        let other = element(vec![
            declaration("background-color", "#2d2945e6"),
            declaration("box-shadow", "0 0 0 2px #fff, 0 0 0 4px #2d2945"),
            declaration("color", "rgb(45, 41, 69)"),
        ]);
        let component = Component { elements: vec![root, other.clone()], ..Component::default() };
        let values = |component: Component| {
            let named = name_repeated_values(Cow::Owned(component), Repetition::Looped).into_owned();
            named.elements[1].rules[0].declarations.iter().map(|own| own.value.clone()).collect::<Vec<_>>()
        };
        assert_eq!(
            values(component.clone()),
            [
                "color-mix(in srgb, var(--brand) 90%, transparent)",
                "0 0 0 2px #fff, 0 0 0 4px var(--brand)",
                "var(--brand)"
            ]
        );
        let mut changed = component;
        changed.elements.push(element(vec![declaration("--brand", "red")]));
        assert_eq!(values(changed)[2], "rgb(45, 41, 69)", "the property has another value elsewhere");
    }

    /// The root has one of the values, which is declared there too.
    #[test]
    fn values_of_the_root_itself_get_their_own_name() {
        let own = |name: &'static str, value: &str| Declaration {
            name: Cow::Borrowed(name),
            value: value.to_owned(),
            computed: value.to_owned(),
        };
        let element = |number: usize, declarations: Vec<Declaration>| {
            let rule = Rule { condition: Condition::default(), state: None, pseudo: None, declarations };
            Element { tag: "p".to_owned(), semantic_name: number.to_string(), rules: vec![rule], ..Element::default() }
        };
        let both = |number: usize| element(number, vec![own("background-color", "#2a3c4d"), own("color", "#8b3e50")]);
        let root = element(0, vec![own("background-color", "#2a3c4d"), own("line-height", "1.6")]);
        let more = element(9, vec![own("color", "#8b3e50")]);
        let elements = std::iter::once(root).chain((1..6).map(both)).chain([more.clone(), more]).collect();
        let component = Component { elements, ..Component::default() };
        let named = name_repeated_values(Cow::Borrowed(&component), Repetition::Written);
        let own = named.elements[0].rules[0].declarations.iter();
        let own: BTreeMap<&str, &str> = own.map(|own| (&*own.name, own.value.as_str())).collect();
        let ground = own["background-color"].strip_prefix("var(").unwrap().trim_end_matches(')');
        assert_eq!((own[ground], own["line-height"], own.len()), ("#2a3c4d", "1.6", 4), "{own:?}");
        let text = named.elements[1].rules[0].declarations[1].value.as_str();
        assert_eq!(own[text.strip_prefix("var(").unwrap().trim_end_matches(')')], "#8b3e50", "{own:?}");
    }

    #[test]
    fn equal_elements_count_where_each_is_written() {
        let five = [("color", "#2c3e50"); 5];
        assert!(declared_by(&five, Repetition::Looped, true).is_empty());
        assert_eq!(declared_by(&five, Repetition::Written, true), declared(&five));
        let stacks = [("font-family", "\"Open Sans\", \"Helvetica Neue\", Helvetica, Arial, sans-serif"); 5];
        assert!(declared_by(&stacks, Repetition::Written, true).is_empty(), "its utility is short");
    }

    #[test]
    fn long_font_stacks_that_are_repeated_get_a_name() {
        let long = "\"Open Sans\", \"Helvetica Neue\", Helvetica, Arial, sans-serif";
        assert_eq!(declared(&[("font-family", long); 3]), [format!("--open-sans:{long}")]);
        assert!(declared(&[("font-family", "Kanit, sans-serif"); 9]).is_empty(), "short as it is");
        assert!(declared(&[("font-family", "system-ui, sans-serif"); 9]).is_empty());
    }
}
