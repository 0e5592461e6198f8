//! Merges rules with equal declarations into one rule with several selectors.
//!
//! Each element has exactly one class, so only the order of rules within a class matters. Merging
//! keeps that order.

use super::property_names::is_or_begins;
use crate::model::ElementId;
use std::collections::HashMap;

type Declarations = Vec<(String, String)>;

/// A rule for one class.
pub(crate) struct ClassRule {
    /// The element that owns the class.
    pub owner: ElementId,
    pub selector: String,
    /// States and pseudo-element of the selector; empty for a rule that always applies.
    pub kind: String,
    pub declarations: Declarations,
    /// True if the rule may be split.
    pub is_base: bool,
}

impl ClassRule {
    /// Returns the rule with other declarations.
    fn with(&self, declarations: Declarations) -> Self {
        let Self { owner, ref selector, ref kind, is_base, .. } = *self;
        Self { owner, selector: selector.clone(), kind: kind.clone(), declarations, is_base }
    }
}

/// A rule for any number of classes.
pub(crate) struct MergedRule {
    pub selectors: Vec<String>,
    pub declarations: Declarations,
    kind: String,
    owners: Vec<ElementId>,
}

/// Number of most recent clusters that a rule is compared with, which keeps the time linear in the
/// number of rules.
const CLUSTERS: usize = 16;
/// Bytes of a rule besides its selectors and declarations, and the minimum number of bytes that
/// splitting one must save.
const RULE_BYTES: usize = 6;
const MIN_SAVED_BYTES: usize = 24;

/// Number of times that rules are split: what is left of several rules may have more in common.
const SPLITS: usize = 2;

/// Merges and splits rules so that common declarations are written once.
pub(crate) fn merge_rules(rules: Vec<ClassRule>) -> Vec<MergedRule> {
    let split = (0..SPLITS).fold(rules, |rules, _| split_common(rules));
    merge_backward(merge_forward(split_states(split)))
}

/// Merges each rule into an equal earlier one, unless another rule of its class is in between.
fn merge_forward(rules: Vec<ClassRule>) -> Vec<MergedRule> {
    let mut list = RuleList::default();
    for ClassRule { owner, selector, kind, declarations, .. } in rules {
        let rule = MergedRule { selectors: vec![selector], declarations, kind, owners: vec![owner] };
        list.add(rule, |first, rule| first.selectors.extend(rule.selectors));
    }
    list.rules
}

/// Merges the remaining rules into equal later ones, in the same way.
fn merge_backward(rules: Vec<MergedRule>) -> Vec<MergedRule> {
    let mut list = RuleList::default();
    for rule in rules.into_iter().rev() {
        list.add(rule, |last, rule| {
            last.selectors.splice(0..0, rule.selectors);
        });
    }
    list.rules.reverse();
    list.rules
}

/// Rules in forward or reverse order.
#[derive(Default)]
struct RuleList {
    rules: Vec<MergedRule>,
    /// Position of the rule with a given kind and declarations.
    index: HashMap<(String, Declarations), usize>,
    /// Position of the last rule of each class, which later rules of the class must not precede.
    last: HashMap<ElementId, usize>,
}

impl RuleList {
    fn add(&mut self, rule: MergedRule, join: impl FnOnce(&mut MergedRule, MergedRule)) {
        let last = rule.owners.iter().filter_map(|owner| self.last.get(owner)).max().copied();
        // Adjacent `:hover` and `:focus` rules of one class may be merged.
        let is_own = |own: &MergedRule| {
            own.declarations == rule.declarations && pseudo_element(&own.kind) == pseudo_element(&rule.kind)
        };
        let own = last.filter(|at| is_own(&self.rules[*at]));
        let key = (rule.kind.replace("::after", "::before"), rule.declarations.clone());
        let alike = self.index.get(&key).copied().filter(|at| last.is_none_or(|last| *at >= last));
        let owners = rule.owners.clone();
        let at = own.or(alike).unwrap_or(self.rules.len());
        if at == self.rules.len() {
            self.rules.push(rule);
        } else {
            self.rules[at].owners.extend(&rule.owners);
            join(&mut self.rules[at], rule);
        }
        self.index.insert(key, at);
        self.last.extend(owners.into_iter().map(|owner| (owner, at)));
    }
}

/// Returns the pseudo-element in a kind, one name for those that all browsers know. A browser drops a whole selector list
/// with an unknown pseudo-element.
fn pseudo_element(kind: &str) -> Option<&str> {
    kind.split_once("::").map(|(_, name)| if name == "after" { "before" } else { name })
}

/// Splits rules that have much in common into the common part and the rest.
fn split_common(rules: Vec<ClassRule>) -> Vec<ClassRule> {
    let clusters = clusters(&rules);
    let mut all = Vec::with_capacity(rules.len());
    for (rule, cluster) in rules.into_iter().zip(clusters) {
        let Some(common) = cluster.filter(|common| common.len() < rule.declarations.len()) else {
            all.push(rule);
            continue;
        };
        let rest = rule.declarations.iter().filter(|one| !common.contains(one)).cloned().collect();
        all.push(rule.with(common));
        all.push(rule.with(rest));
    }
    all
}

/// Splits the rules of two states of a class that have much in common, such as `:hover` and `:focus`.
fn split_states(rules: Vec<ClassRule>) -> Vec<ClassRule> {
    let mut all: Vec<ClassRule> = Vec::with_capacity(rules.len());
    for rule in rules {
        let Some(common) = all.last().and_then(|before| common_of_states(before, &rule)) else {
            all.push(rule);
            continue;
        };
        let Some(before) = all.pop() else { continue };
        let rest = |of: &ClassRule| of.declarations.iter().filter(|one| !common.contains(one)).cloned().collect();
        let parts =
            [(&before, common.clone()), (&rule, common.clone()), (&before, rest(&before)), (&rule, rest(&rule))];
        all.extend(
            parts
                .map(|(of, declarations)| of.with(declarations))
                .into_iter()
                .filter(|part| !part.declarations.is_empty()),
        );
    }
    all
}

/// Returns what two rules have in common, if they are for states of one class and shorter with it apart.
fn common_of_states(one: &ClassRule, other: &ClassRule) -> Option<Declarations> {
    let are_states = one.owner == other.owner
        && [one, other].iter().all(|rule| rule.kind.starts_with(':') && !rule.kind.starts_with("::"))
        && pseudo_element(&one.kind) == pseudo_element(&other.kind);
    if !are_states {
        return None;
    }
    let common: Declarations =
        one.declarations.iter().filter(|own| other.declarations.contains(own)).cloned().collect();
    let rest = |rule: &ClassRule| rule.declarations.len() > common.len();
    let overrides = |rule: &ClassRule| {
        let mut apart = rule.declarations.iter().filter(|own| !common.contains(own));
        apart.any(|(name, _)| common.iter().any(|(own, _)| may_override(name, own)))
    };
    let rules = [one, other];
    let apart: usize = rules.iter().filter(|rule| rest(rule)).map(|rule| rule.selector.len() + RULE_BYTES).sum();
    let is_shorter = apart > 0 && bytes(&common) >= apart + MIN_SAVED_BYTES;
    (is_shorter && !rules.iter().any(|rule| overrides(rule))).then_some(common)
}

/// Rules with a common part.
struct RuleCluster {
    common: Declarations,
    members: usize,
}

/// Returns the common part of each rule's cluster, if it is in one.
fn clusters(rules: &[ClassRule]) -> Vec<Option<Declarations>> {
    let mut clusters: Vec<RuleCluster> = Vec::new();
    let mut of_rule: Vec<Option<usize>> = Vec::with_capacity(rules.len());
    for rule in rules {
        if !rule.is_base {
            of_rule.push(None);
            continue;
        }
        let recent = clusters.len().saturating_sub(CLUSTERS)..clusters.len();
        let fits = recent.filter_map(|at| {
            let common = common_declarations(&clusters[at].common, &rule.declarations);
            bytes_saved(&clusters[at], &common, rule).map(|saved| (saved, at, common))
        });
        match fits.max_by_key(|(saved, at, _)| (*saved, *at)) {
            Some((_, at, common)) => {
                clusters[at].members += 1;
                clusters[at].common = common;
                of_rule.push(Some(at));
            }
            None => {
                of_rule.push(Some(clusters.len()));
                clusters.push(RuleCluster { common: rule.declarations.clone(), members: 1 });
            }
        }
    }
    let common = |at: usize| (clusters[at].members > 1).then(|| clusters[at].common.clone());
    of_rule.into_iter().map(|cluster| cluster.and_then(common)).collect()
}

/// Returns the bytes saved if a rule joins a cluster that has this common part afterwards, if that
/// is worthwhile.
fn bytes_saved(cluster: &RuleCluster, common: &Declarations, rule: &ClassRule) -> Option<usize> {
    let lost = bytes(&cluster.common) - bytes(common);
    let apart = rule.selector.len() + RULE_BYTES;
    // Each member declares what is no longer common itself, once more than before, in an additional rule if it had none.
    let members = if lost > 0 { (cluster.members - 1) * lost + cluster.members * apart } else { 0 };
    let rest = if common.len() < rule.declarations.len() { apart } else { 0 };
    bytes(common).checked_sub(members + rest).filter(|saved| *saved >= MIN_SAVED_BYTES)
}

fn bytes(declarations: &Declarations) -> usize {
    declarations.iter().map(|(name, value)| name.len() + value.len() + 6).sum()
}

/// Returns the common declarations of two rules, without those that would move before a declaration
/// they may override.
fn common_declarations(first: &Declarations, second: &Declarations) -> Declarations {
    let mut common: Declarations = first.iter().filter(|one| second.contains(one)).cloned().collect();
    loop {
        let is_moved = |(name, value): &(String, String)| {
            [first, second].into_iter().any(|list| {
                let before = list.iter().take_while(|(other, known)| (other, known) != (name, value));
                before.filter(|one| !common.contains(one)).any(|(other, _)| may_override(name, other))
            })
        };
        let kept: Declarations = common.iter().filter(|one| !is_moved(one)).cloned().collect();
        if kept.len() == common.len() {
            return common;
        }
        common = kept;
    }
}

/// Families in which only a shorthand and its longhands override each other, and the name of a shorthand is the beginning of
/// those of its longhands.
const PREFIXED: &[&str] = &[
    "animation",
    "background",
    "box",
    "flex",
    "font",
    "list",
    "mask",
    "max",
    "min",
    "object",
    "outline",
    "radius",
    "text",
    "transition",
];

/// Returns true if two properties have longhands in common, or may have.
fn may_override(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|name| name.strip_prefix("-webkit-").unwrap_or(name));
    let shared = family(one);
    if shared != family(other) {
        return false;
    }
    // `font` sets `line-height`, and `white-space` the wrapping of lines.
    let wraps = |name: &str| name.starts_with("white-space") || name.starts_with("text-wrap");
    let is_whole = |name: &str| name == "font" || name == "border-radius" || name == "flex-flow";
    !PREFIXED.contains(&shared)
        || [one, other].iter().any(|name| is_whole(name))
        || (wraps(one) && wraps(other))
        || is_or_begins(one, other)
        || is_or_begins(other, one)
}

/// Returns the first word of a property; shorthands and their longhands share it.
fn family(property: &str) -> &str {
    let plain = property.strip_prefix("-webkit-").unwrap_or(property);
    if plain.starts_with("border-") && plain.ends_with("radius") {
        return "radius";
    }
    match plain.split('-').next().unwrap_or(plain) {
        "line" => "font",
        "top" | "right" | "bottom" | "left" => "inset",
        "row" | "column" | "columns" => "gap",
        "align" | "justify" => "place",
        "white" => "text",
        word => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(list: &[(usize, &str, &str)]) -> String {
        let rules = list.iter().map(|(owner, selector, css)| ClassRule {
            owner: ElementId(*owner),
            selector: (*selector).to_owned(),
            kind: selector.find(':').map_or_else(String::new, |at| selector[at..].to_owned()),
            declarations: css
                .split_terminator(';')
                .filter_map(|one| one.split_once(':'))
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            is_base: !selector.contains(':'),
        });
        let written = merge_rules(rules.collect()).into_iter().map(|rule| {
            let css: String = rule.declarations.iter().map(|(name, value)| format!("{name}:{value};")).collect();
            format!("{}{{{css}}}", rule.selectors.join(","))
        });
        written.collect()
    }

    const MUCH: &str = "cursor:pointer;font-family:inherit;transition:color 0.2s ease-in-out;appearance:none;";

    #[test]
    fn equal_rules_are_merged() {
        let list = [(0, ".a", "x:1;"), (0, ".a:hover", "y:1;"), (1, ".b", "x:2;"), (1, ".b:hover", "y:1;")];
        assert_eq!(rules(&list), ".a{x:1;}.b{x:2;}.a:hover,.b:hover{y:1;}");
        let list = [(0, ".a", "x:1;"), (0, ".a:hover", "y:1;"), (1, ".b", "y:1;"), (1, ".b:hover", "x:1;")];
        assert_eq!(rules(&list), ".a{x:1;}.a:hover{y:1;}.b{y:1;}.b:hover{x:1;}", "of different kinds");
        let list = [(0, ".a", "x:1;"), (1, ".b", "x:1;"), (0, ".a:hover", "y:1;"), (1, ".b:hover", "y:1;")];
        assert_eq!(rules(&list), ".a,.b{x:1;}.a:hover,.b:hover{y:1;}");
    }

    #[test]
    fn order_of_the_rules_of_one_class_stays() {
        let list = [(0, ".a:focus", "y:1;"), (0, ".a:hover", "y:2;"), (1, ".b:hover", "y:2;"), (1, ".b:focus", "y:1;")];
        assert_eq!(rules(&list), ".a:focus{y:1;}.a:hover,.b:hover{y:2;}.b:focus{y:1;}");
    }

    #[test]
    fn rules_that_cannot_join_the_first_join_the_last() {
        let list = [
            (0, ".a", "x:1;"),
            (0, ".a:hover", "y:1;"),
            (0, ".a:disabled", "z:1;"),
            (1, ".b", "x:2;"),
            (1, ".b:hover", "y:2;"),
            (1, ".b:focus", "y:2;"),
            (1, ".b:disabled", "z:1;"),
        ];
        let written = ".a{x:1;}.a:hover{y:1;}.b{x:2;}.b:hover,.b:focus{y:2;}.a:disabled,.b:disabled{z:1;}";
        assert_eq!(rules(&list), written);
    }

    #[test]
    fn pseudo_elements_are_not_merged() {
        let list = [(0, ".a::marker", "x:1;"), (0, ".a::-webkit-details-marker", "x:1;"), (1, ".b::marker", "x:1;")];
        assert_eq!(rules(&list), ".a::marker,.b::marker{x:1;}.a::-webkit-details-marker{x:1;}");
        let list = [(0, ".a::before", "x:1;"), (0, ".a::after", "x:1;"), (1, ".b::after", "x:1;")];
        assert_eq!(rules(&list), ".a::before,.a::after,.b::after{x:1;}", "known to all browsers");
    }

    #[test]
    fn rules_with_much_in_common_are_split() {
        let (a, b) = (format!("{MUCH}color:red;"), format!("{MUCH}color:blue;margin:0;"));
        let written = rules(&[(0, ".a", &a), (1, ".b", &b), (1, ".b:hover", "color:red;")]);
        assert_eq!(written, format!(".a,.b{{{MUCH}}}.a{{color:red;}}.b{{color:blue;margin:0;}}.b:hover{{color:red;}}"));
        let (a, b) = ("color:red;margin:0;", "color:blue;margin:0;");
        assert_eq!(rules(&[(0, ".a", a), (1, ".b", b)]), ".a{color:red;margin:0;}.b{color:blue;margin:0;}");
    }

    #[test]
    fn variants_of_one_thing_share_a_rule() {
        let icon =
            |color: &str| format!("border-radius:50%;margin-right:1rem;padding:0.75rem;background-color:{color};");
        let written = rules(&[(0, ".a", &icon("red")), (1, ".b", &icon("tan")), (2, ".c", &icon("blue"))]);
        let own: String = [("a", "red"), ("b", "tan"), ("c", "blue")]
            .map(|(name, color)| format!(".{name}{{background-color:{color};}}"))
            .concat();
        assert_eq!(written, format!(".a,.b,.c{{border-radius:50%;margin-right:1rem;padding:0.75rem;}}{own}"));
    }

    #[test]
    fn longhands_of_one_shorthand_do_not_override_each_other() {
        let icon = |file: &str| format!("{MUCH}background-image:url({file});background-size:contain;");
        let written = rules(&[(0, ".a", &icon("a")), (1, ".b", &icon("b"))]);
        let (a, b) = (".a{background-image:url(a);}", ".b{background-image:url(b);}");
        assert_eq!(written, format!(".a,.b{{{MUCH}background-size:contain;}}{a}{b}"));
        let whole = |file: &str| format!("{MUCH}background:url({file});background-size:contain;");
        let written = rules(&[(0, ".a", &whole("a")), (1, ".b", &whole("b"))]);
        assert!(written.contains(".a{background:url(a);background-size:contain;}"), "{written}");
    }

    #[test]
    fn longhands_of_one_font_and_corners_are_shared() {
        let label = |size: &str, color: &str| {
            format!(
                "border-color:{color};border-radius:9px;font-size:{size};font-weight:500;line-height:1;text-align:center;"
            )
        };
        let written = rules(&[(0, ".a", &label("9px", "red")), (1, ".b", &label("8px", "tan"))]);
        let common = "border-radius:9px;font-weight:500;line-height:1;text-align:center;";
        let (a, b) = (".a{border-color:red;font-size:9px;}", ".b{border-color:tan;font-size:8px;}");
        assert_eq!(written, format!(".a,.b{{{common}}}{a}{b}"));
        assert!(may_override("font", "line-height") && may_override("white-space", "text-wrap-mode"));
        assert!(may_override("border-radius", "border-top-left-radius") && !may_override("border", "border-radius"));
    }

    #[test]
    fn rest_of_split_rules_is_split_again() {
        let button = "padding:7px 12px;white-space:nowrap;color:white;font-size:18px;";
        let (a, b) = (format!("{MUCH}margin:0;{button}"), format!("{MUCH}{button}"));
        let link = format!("{MUCH}font-size:14px;");
        let written = rules(&[(0, ".x", &link), (1, ".a", &a), (2, ".b", &b)]);
        let expected = format!(".x,.a,.b{{{MUCH}}}.x{{font-size:14px;}}.a,.b{{{button}}}.a{{margin:0;}}");
        assert_eq!(written, expected);
    }

    #[test]
    fn states_of_one_class_share_a_rule() {
        let much = "background-color:#3634d2;border-color:#4240d4;color:white;";
        let focus = format!("{much}box-shadow:0 0 2px;");
        let written = rules(&[(0, ".a", "x:1;"), (0, ".a:hover", much), (0, ".a:focus", &focus)]);
        assert_eq!(written, format!(".a{{x:1;}}.a:hover,.a:focus{{{much}}}.a:focus{{box-shadow:0 0 2px;}}"));
        let resets = format!("{much}border-width:2px;");
        let written = rules(&[(0, ".a:hover", much), (0, ".a:focus", &resets)]);
        assert_eq!(written, format!(".a:hover{{{much}}}.a:focus{{{resets}}}"), "one may override the other");
        let written = rules(&[(0, ".a:hover", much), (1, ".b:focus", &focus)]);
        assert_eq!(written, format!(".a:hover{{{much}}}.b:focus{{{focus}}}"), "of different classes");
        let (hover, focus) = (format!("{much}opacity:1;"), format!("{much}opacity:0;"));
        let written = rules(&[(0, ".a:hover", &hover), (0, ".a:focus", &focus)]);
        assert_eq!(written, format!(".a:hover,.a:focus{{{much}}}.a:hover{{opacity:1;}}.a:focus{{opacity:0;}}"));
    }

    #[test]
    fn declarations_do_not_move_before_overridden_ones() {
        let (a, b) = (format!("{MUCH}border:1px;border-top:0;"), format!("{MUCH}border:2px;border-top:0;"));
        let written = rules(&[(0, ".a", &a), (1, ".b", &b)]);
        assert_eq!(written, format!(".a,.b{{{MUCH}}}.a{{border:1px;border-top:0;}}.b{{border:2px;border-top:0;}}"));
    }
}
