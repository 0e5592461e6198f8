//! Finds the themes of a page: by media query, or by a class or attribute of its root.

use limner_component_model::theme_selector::ThemeSelector;
use limner_page::{Document, NodeId, PageSnapshot};
use limner_style::color::Scheme;
use limner_style::property::Longhand;
use limner_style::selector::ScopeSelector;
use limner_style::{Environment, StyleIndex, StyleRuleRef};
use limner_tokens::theme_detection::{declared_scheme, is_theme_switch_name, scheme_of_attribute, scheme_of_mark};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the theme selector that a selector's scope names.
fn theme_selector(mark: ScopeSelector<'_>) -> ThemeSelector {
    match mark {
        ScopeSelector::Class(name) => ThemeSelector::Class(name.to_owned()),
        ScopeSelector::Attribute { name, value } => {
            ThemeSelector::Attribute(name.to_owned(), value.unwrap_or_default().to_owned())
        }
    }
}

/// Theme selectors that are inferred from the declarations of their rules or from an attribute's
/// name, with the number of rules.
#[derive(Debug, Default)]
struct InferredThemeSelectors(BTreeMap<(bool, ThemeSelector), usize>);

impl InferredThemeSelectors {
    fn record_rule(&mut self, document: &Document, rule: &StyleRuleRef<'_>) {
        let declared = declared_scheme(rule.declarations());
        let marks: RefCell<Vec<(Scheme, ThemeSelector)>> = RefCell::default();
        let look = |mark: ScopeSelector<'_>| {
            let by_name = match mark {
                ScopeSelector::Attribute { name, value: Some(value) } => scheme_of_attribute(name, value),
                _ => None,
            };
            let scheme = by_name.or_else(|| declared.filter(|_| belongs_to_root(document, mark)))?;
            marks.borrow_mut().push((scheme, theme_selector(mark)));
            Some(scheme)
        };
        if rule.scope_scheme(&look).is_some() {
            for (scheme, mark) in marks.into_inner() {
                *self.0.entry((scheme == Scheme::Dark, mark)).or_default() += 1;
            }
        }
    }

    /// Returns the theme selector of a scheme that most rules require.
    fn most_required(&self, scheme: Scheme, fits: impl Fn(&ThemeSelector) -> bool) -> Option<ThemeSelector> {
        let own = self.0.iter().filter(|((dark, mark), _)| *dark == (scheme == Scheme::Dark) && fits(mark));
        own.max_by_key(|(_, count)| **count).map(|((_, mark), _)| mark.clone())
    }
}

/// Returns true if a class or attribute belongs to the root or the body, with any value, or names a
/// theme. `color-scheme` in a rule for another element is about that element only.
fn belongs_to_root(document: &Document, mark: ScopeSelector<'_>) -> bool {
    let mut roots = document.document_element().into_iter().chain(document.body());
    match mark {
        ScopeSelector::Class(name) => {
            roots.any(|root| matches_selector(document, root, &ThemeSelector::Class(name.to_owned())))
        }
        ScopeSelector::Attribute { value: None | Some(""), .. } => false,
        ScopeSelector::Attribute { name, .. } => {
            let has = |root: NodeId| document.element(root).is_some_and(|element| element.attr(name).is_some());
            is_theme_switch_name(name) || roots.any(has)
        }
    }
}

/// The theme selectors of a page.
#[derive(Debug, Clone, Default)]
pub(super) struct Themes {
    /// The theme selector that most rules of the theme require.
    light: Option<ThemeSelector>,
    dark: Option<ThemeSelector>,
    /// Other values of these attributes that rules require: `[data-theme=sepia]`.
    other_selectors: BTreeSet<ThemeSelector>,
    /// Media queries, `light-dark()` or `color-scheme` follow the visitor.
    follows_visitor: bool,
}

impl Themes {
    /// Collects the themes from the rules of a page.
    pub(super) fn from_rules(index: &StyleIndex<'_>) -> Self {
        let counts: RefCell<BTreeMap<(bool, ThemeSelector), usize>> = RefCell::default();
        let others: RefCell<BTreeSet<ThemeSelector>> = RefCell::default();
        let look = |mark: ScopeSelector<'_>| {
            let Some(scheme) = scheme_of_mark(mark) else {
                if let ScopeSelector::Attribute { value: Some(_), .. } = mark {
                    others.borrow_mut().insert(theme_selector(mark));
                }
                return None;
            };
            *counts.borrow_mut().entry((scheme == Scheme::Dark, theme_selector(mark))).or_default() += 1;
            Some(scheme)
        };
        let mut follows_visitor = false;
        let mut scoped = [false; 2];
        let mut declared = InferredThemeSelectors::default();
        for rule in index.rules() {
            declared.record_rule(index.document(), &rule);
            // A rule for visitors who prefer light implies that the page is dark for the others.
            follows_visitor |= index.condition_facts(rule.condition()).scheme.is_some();
            follows_visitor |= rule.declarations().any(|declaration| {
                declaration.name == "color-scheme"
                    && declaration.value.contains("dark")
                    && declaration.value.contains("light")
            });
            if let Some(scheme) = rule.scope_scheme(&look) {
                scoped[usize::from(scheme == Scheme::Dark)] = true;
            }
        }
        let counts = counts.into_inner();
        let most = |dark: bool| {
            let own = counts.iter().filter(|((is_dark, _), _)| *is_dark == dark && scoped[usize::from(dark)]);
            own.max_by_key(|(_, count)| **count).map(|((_, mark), _)| mark.clone())
        };
        let (mut light, mut dark) = (most(false), most(true));
        if dark.is_none() {
            dark = declared.most_required(Scheme::Dark, |_| true);
            let switches = |mark: &ThemeSelector| dark.as_ref().is_some_and(|dark| dark.is_alternative_to(mark));
            light = light.or_else(|| declared.most_required(Scheme::Light, switches));
        }
        let is_alternative = |mark: &ThemeSelector| {
            let known = || [&light, &dark].into_iter().flatten();
            known().all(|own| own != mark) && known().any(|own| own.is_alternative_to(mark))
        };
        let mut other_selectors = others.into_inner();
        other_selectors.retain(is_alternative);
        // A page with a dark theme selector may apply the preference only if its root has no theme
        // selector.
        let follows_visitor = follows_visitor && (dark.is_none() || depends_on_preference(index));
        Self { light, dark, other_selectors, follows_visitor }
    }

    /// Returns true if there is a theme selector for the scheme.
    pub(super) fn has_selector(&self, scheme: Scheme) -> bool {
        if scheme == Scheme::Dark { self.dark.is_some() } else { self.light.is_some() }
    }

    /// Returns true if the page follows the visitor's system preference.
    pub(super) fn follows_system_preference(&self) -> bool {
        self.follows_visitor
    }

    /// Returns true if the page declares a dark theme.
    pub(super) fn has_dark(&self) -> bool {
        self.dark.is_some() || self.follows_visitor
    }

    /// Returns true if the page may look different in a dark theme. A page with only a light theme
    /// selector may be dark without it.
    pub(super) fn may_differ(&self) -> bool {
        self.has_dark() || self.light.is_some()
    }

    /// Returns the theme selector that enables the dark theme, unless the page follows the
    /// visitor's system preference.
    pub(super) fn switch(&self) -> Option<&ThemeSelector> {
        self.dark.as_ref().filter(|_| !self.follows_visitor)
    }

    /// Returns the document with the theme selector of a scheme on its root; `None` if it already
    /// has it or there is none.
    pub(super) fn marked(&self, document: &Document, scheme: Scheme) -> Option<Document> {
        let (wanted, other) =
            if scheme == Scheme::Dark { (&self.dark, &self.light) } else { (&self.light, &self.dark) };
        let roots: Vec<NodeId> = document.document_element().into_iter().chain(document.body()).collect();
        let has = |mark: &ThemeSelector| roots.iter().any(|root| matches_selector(document, *root, mark));
        // A theme with another name is the page's current appearance; it is not known to be dark.
        let has_another = scheme == Scheme::Light && self.other_selectors.iter().any(has);
        let is_right = (has_another || wanted.as_ref().is_none_or(has)) && !other.as_ref().is_some_and(has);
        if is_right {
            return None;
        }
        let mut marked = document.clone();
        for root in &roots {
            if let Some(other) = other {
                change(&mut marked, *root, other, false);
            }
            if let Some(wanted) = wanted {
                change(&mut marked, *root, wanted, true);
            }
        }
        Some(marked)
    }
}

/// Number of elements that are compared to decide if a page follows the visitor's preference.
const SAMPLED: usize = 300;

/// Returns true if a page, with its current theme selectors, looks different to visitors who prefer
/// dark: its root differs, or one in twenty of its elements.
fn depends_on_preference(index: &StyleIndex<'_>) -> bool {
    let document = index.document();
    let dark = Environment { scheme: Scheme::Dark, ..Environment::default() };
    let mut styles = (index.styles(&Environment::default()), index.styles(&dark));
    let mut differs = |node: NodeId| {
        let (light, dark) = (styles.0.get(node), styles.1.get(node));
        light.zip(dark).is_some_and(|(light, dark)| {
            let is_other = |longhand| light.get(longhand) != dark.get(longhand);
            [Longhand::Color, Longhand::BackgroundColor, Longhand::ColorScheme].into_iter().any(is_other)
        })
    };
    if declares_both(index) || document.document_element().into_iter().chain(document.body()).any(&mut differs) {
        return true;
    }
    let nodes: Vec<NodeId> = document.elements().map(|(node, _)| node).collect();
    let sample = nodes.iter().step_by((nodes.len() / SAMPLED).max(1));
    let (all, other) = sample.fold((0, 0), |(all, other), node| (all + 1, other + usize::from(differs(*node))));
    other * 20 > all
}

/// Returns true if the root's style or the page's metadata supports both light and dark.
fn declares_both(index: &StyleIndex<'_>) -> bool {
    let supported = index.supported_schemes();
    (supported.dark && supported.light) || root_names(index, &["dark", "light"])
}

/// Returns true if the root's `color-scheme` names all of these schemes.
fn root_names(index: &StyleIndex<'_>, schemes: &[&str]) -> bool {
    let root = index.document().document_element();
    let style = root.and_then(|root| index.styles(&Environment::default()).get(root));
    style.is_some_and(|style| schemes.iter().all(|scheme| style.get(Longhand::ColorScheme).contains(scheme)))
}

/// Returns true if the root's style or the page's metadata supports dark.
pub(super) fn root_supports_dark(index: &StyleIndex<'_>) -> bool {
    index.supported_schemes().dark || root_names(index, &["dark"])
}

fn matches_selector(document: &Document, node: NodeId, mark: &ThemeSelector) -> bool {
    let Some(element) = document.element(node) else { return false };
    match mark {
        ThemeSelector::Class(name) => element.classes().iter().any(|class| &**class == name),
        ThemeSelector::Attribute(name, value) => element.attr(name).is_some_and(|own| value.is_empty() || own == value),
    }
}

fn change(document: &mut Document, node: NodeId, mark: &ThemeSelector, add: bool) {
    let Some(element) = document.element(node) else { return };
    match mark {
        ThemeSelector::Class(name) => {
            let kept = element.classes().iter().map(|class| class.to_string()).filter(|class| class != name);
            let classes: Vec<String> = kept.chain(add.then(|| name.clone())).collect();
            document.set_attribute(node, "class", Some(&classes.join(" ")));
        }
        ThemeSelector::Attribute(name, value) if add => document.set_attribute(node, name, Some(value)),
        ThemeSelector::Attribute(name, value) => {
            if element.attr(name).is_some_and(|own| value.is_empty() || own == value) {
                document.set_attribute(node, name, None);
            }
        }
    }
}

/// Builds the index of a themed document. All else in the snapshot is the same in every theme.
pub(super) fn build_index<'d>(page: &PageSnapshot, document: Option<&'d Document>) -> Option<StyleIndex<'d>> {
    document.map(|document| StyleIndex::new(page, document).with_start_states_ended())
}
