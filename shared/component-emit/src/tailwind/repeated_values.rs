//! Declares what many utilities would repeat once, on the root: a colour that is in no theme, a long font stack.
//!
//! Before → after: `text-[#2c3e50]` on five elements → `text-(--slate)` on them, and `[--slate:#2c3e50]` on the root. It
//! stands after [`inline_variables`](super::inline_variables): what is left has no name of the author.

use super::inline_variables::{Place, Repetition, UtilityKind, count};
use super::{color, font_stack};
use limner_component_model::css::references::referenced_names;
use limner_component_model::css::split_list::split_commas;
use limner_component_model::model::{Component, Condition, Declaration, Rule};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Minimum number of utilities with a colour.
const MIN_COLOR_USES: usize = 5;
/// Number of equal elements from which on an ancestor may have their utilities.
const MIN_SHARED: usize = 12;
/// Minimum number of utilities with a font stack.
const MIN_FONT_USES: usize = 3;
/// Suffixes of two colours of one family. The number of a shade would be that of another colour.
const TONES: &[&str] = &["", "-alt"];
/// Maximum number of declared values.
const MAX_VALUES: usize = 8;

/// Returns the component with references in the place of values that many declarations have. Equal elements of a loop count
/// once.
pub(super) fn name_repeated_values(component: Cow<'_, Component>, repetition: Repetition) -> Cow<'_, Component> {
    let uses = |kind: Kind, places: &[Place]| match (kind, repetition) {
        (Kind::Color, Repetition::Written) => written_uses(&component, places),
        // The utility of a stack is short; a name pays for stacks of several kinds of elements.
        _ => count(&component, places, Repetition::Looped),
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
    for (_, kind, value, places) in repeated.into_iter().take(MAX_VALUES) {
        let Some(name) = kind.unique_name(&value, &taken) else { continue };
        for (element, rule, index) in places {
            component.elements[element].rules[rule].declarations[index].value = format!("var({name})");
        }
        taken.insert(name.clone());
        declared.push((name, value));
    }
    // Declarations on the root change the places of others there.
    declared.into_iter().for_each(|(name, value)| declare(&mut component, &name, value));
    Cow::Owned(component)
}

/// Returns the number of utilities of these declarations where each element has its own, but those that many equal elements
/// share.
fn written_uses(component: &Component, places: &[Place]) -> usize {
    let mut kinds: HashMap<_, HashSet<usize>> = HashMap::new();
    for place in places {
        kinds.entry(UtilityKind::of_place(component, *place)).or_default().insert(place.0);
    }
    kinds.values().map(|elements| if elements.len() < MIN_SHARED { elements.len() } else { 1 }).sum()
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
                let name = "family-name:".len() + self.names(value).first().map_or(0, String::len);
                let is_plain = !value.contains("var(") && font_stack::system_stack(value).is_none();
                is_plain && uses >= MIN_FONT_USES && value.len() + name + 4 + uses * name < uses * value.len()
            }
        }
    }

    /// Returns the names that a value may have, the best one first.
    fn names(self, value: &str) -> Vec<String> {
        match self {
            Self::Color => {
                let Some(hue) = color::family(value) else { return Vec::new() };
                TONES.iter().map(|tone| format!("--{hue}{tone}")).collect()
            }
            Self::FontStack => {
                let first = split_commas(value).first().map(|family| family.trim().trim_matches(['"', '\'']));
                let name = first.unwrap_or_default().to_ascii_lowercase().replace(' ', "-");
                let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
                let is_name = !name.is_empty() && name.len() <= 24 && name.chars().all(is_plain);
                if is_name { vec![format!("--{name}")] } else { Vec::new() }
            }
        }
    }

    fn unique_name(self, value: &str, taken: &BTreeSet<String>) -> Option<String> {
        self.names(value).into_iter().find(|name| !taken.contains(name))
    }
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
        let one = declared(&[("color", "#2c3e50"); 5]);
        let name = one[0].strip_suffix(":#2c3e50").unwrap();
        assert_eq!(one.len(), 1);
        assert!(declared(&[("color", "#2c3e50"); 4]).is_empty(), "too few");
        assert!(declared(&[("color", "#fff"); 9]).is_empty(), "a name of the theme");
        let notations = [&[("color", "#2c3e50"); 3][..], &[("color", "rgba(44, 62, 80, 1)"); 2]].concat();
        assert_eq!(declared(&notations), one, "of one colour");
        let two = [&[("color", "#2c3e50"); 7][..], &[("background-color", "#2a3c4d"); 6]].concat();
        let both = declared(&two);
        assert_eq!(both, [format!("{name}:#2c3e50"), format!("{name}-alt:#2a3c4d")]);
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
        assert!(declared_by(&[five[0]; 12], Repetition::Written, true).is_empty(), "an ancestor has their utilities");
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
