//! Writes the rules of a component as a stylesheet.

use super::class_names::ClassAssignment;
use super::merge_rules::{ClassRule, MergedRule, merge_rules};
use super::shorten_values::tidied;
use crate::background_shorthand::BackgroundUses;
use crate::model::{Component, Condition, Declaration, DescriptorAtRule, FontFace, Keyframes, Rule};
use crate::shorthand::{self, RuleContext};
use crate::undeclared::{self, SoleLonghands, UndeclaredLonghands};
use cssparser::{Parser, Token};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

/// Writes the stylesheet.
pub fn write(component: &Component, classes: &ClassAssignment) -> String {
    write_in("", component, classes)
}

/// Writes the stylesheet with all rules scoped. `scope` is a selector with a trailing space, or
/// empty.
pub fn write_in(scope: &str, component: &Component, classes: &ClassAssignment) -> String {
    let mut out = String::new();
    font_faces(&mut out, &component.font_faces);
    registrations(&mut out, "property", &component.registrations);
    registrations(&mut out, "counter-style", &component.counter_styles);
    let mut rules = component.elements.iter().flat_map(|element| &element.rules);
    let is_horizontal = !rules.any(|rule| rule.declarations.iter().any(|own| own.name == "writing-mode"));
    let shares_box_sizing =
        shares_box_sizing(component) && classes.own_names.first().is_some_and(|name| !name.is_empty());
    let unusual = unusual_classes(component, classes);
    let has_sole_list_styles =
        undeclared::has_sole_list_styles(component.elements.iter().flat_map(|element| &element.rules));
    let backgrounds = BackgroundUses::of_rules(component, classes.owners.iter().map(|owner| owner.0));
    let mut always = Vec::new();
    let mut conditional: BTreeMap<(_, &Condition), Vec<ClassRule>> = BTreeMap::new();
    for owner in &classes.owners {
        let element = &component.elements[owner.0];
        // Elements that their tag selects have no name; all are like the first.
        let is_plain = undeclared::is_plain(element) && !unusual.contains(classes.own_names[owner.0].as_str());
        let sole = SoleLonghands::of_element(element, is_plain, has_sole_list_styles);
        for rule in &element.rules {
            let is_base = rule.condition.is_empty() && rule.state.is_none();
            let base = is_base.then(|| UndeclaredLonghands::of_rule(element, rule, is_plain));
            let context = RuleContext {
                base,
                sole: sole.get(&rule.pseudo).copied().unwrap_or_default(),
                has_own_background: backgrounds.is_alone(rule),
                collapses: !element.preserves_whitespace,
                is_horizontal,
            };
            let mut declarations = declarations(&rule.declarations, &context);
            if shares_box_sizing && rule.state.is_none() && rule.pseudo.is_none() {
                declarations.retain(|(name, value)| name != BOX_SIZING || value != "border-box");
                if declarations.is_empty() {
                    continue;
                }
            }
            let mut selector = format!("{scope}{}", classes.selector(*owner, rule));
            if let Some(switch) = component.dark_switch.as_ref().filter(|_| rule.condition.dark) {
                selector = format!(":where({}) {selector}", switch.selector());
            }
            let list = if rule.condition.is_empty() {
                &mut always
            } else {
                conditional.entry((rule.condition.rank(), &rule.condition)).or_default()
            };
            let kind = kind(rule);
            let is_base = is_base && kind.is_empty();
            list.push(ClassRule { owner: *owner, selector, kind, declarations, is_base });
        }
    }
    if shares_box_sizing {
        let root = format!("{scope}.{}", classes.own_names[0]);
        block(&mut out, 0, &format!("{root},\n{root} *"), &[(BOX_SIZING.to_owned(), "border-box".to_owned())]);
    }
    for MergedRule { selectors, declarations, .. } in merge_rules(always) {
        block(&mut out, 0, &selectors.join(",\n"), &declarations);
    }
    for ((_, condition), rules) in conditional {
        group(&mut out, &preludes(condition, component.dark_switch.is_none()), merge_rules(rules));
    }
    keyframes(&mut out, &component.keyframes);
    harmless(&out)
}

/// Returns the classes of elements that have margins at the sides or borders from the browser.
fn unusual_classes<'c>(component: &Component, classes: &'c ClassAssignment) -> HashSet<&'c str> {
    let names = component.elements.iter().zip(&classes.own_names);
    let names = names.filter(|(element, name)| !name.is_empty() && !undeclared::is_plain(element));
    names.map(|(_, name)| name.as_str()).collect()
}

const BOX_SIZING: &str = "box-sizing";

/// Minimum number of elements whose `box-sizing` one rule for all elements says.
const MIN_BOXES: usize = 4;

/// Returns true if one rule sets the `box-sizing` of all elements.
fn shares_box_sizing(component: &Component) -> bool {
    let is_said = |rule: &Rule| rule.pseudo.is_none() && rule.declarations.iter().any(|own| own.name == BOX_SIZING);
    let elements = component.elements.iter().filter(|element| element.rules.iter().any(is_said));
    component.is_border_box && elements.take(MIN_BOXES).count() == MIN_BOXES
}

/// Returns the states and the pseudo-element of a rule's selector.
fn kind(rule: &Rule) -> String {
    let states = rule
        .state
        .iter()
        .flat_map(|state| state.all_of.iter().chain(&state.own))
        .map(|action| action.selector().to_owned());
    states.chain(rule.pseudo.map(|pseudo| format!("::{}", pseudo.name()))).collect()
}

/// Returns the declarations of a rule, with the prefixed property that Safari still needs.
fn declarations(list: &[Declaration], context: &RuleContext) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for (name, value) in shorthand::join_shorthands(list, context) {
        if name == "user-select" {
            all.push((format!("-webkit-{name}"), value.clone()));
        }
        all.push((name, value));
    }
    all
}

/// Writes `@font-face` rules. Before those that a font service declares, a comment names its stylesheet.
pub fn font_faces(out: &mut String, faces: &[FontFace]) {
    let mut service = None;
    for face in faces {
        let named = face.service.as_deref().filter(|link| service != Some(*link));
        separate(out);
        if let Some(link) = named {
            let _ =
                writeln!(out, "/* The same as <link rel=\"stylesheet\" href=\"{}\"> */", link.replace("*/", "*%2F"));
        }
        service = face.service.as_deref();
        let mut rule = String::new();
        block(&mut rule, 0, "@font-face", &face.descriptors);
        out.push_str(&rule);
    }
}

/// Writes at-rules with descriptors (`@property`, `@counter-style`).
pub fn registrations(out: &mut String, kind: &str, rules: &[DescriptorAtRule]) {
    for rule in rules {
        block(out, 0, &format!("@{kind} {}", rule.prelude), &rule.descriptors);
    }
}

fn group(out: &mut String, preludes: &[String], rules: Vec<MergedRule>) {
    separate(out);
    for (depth, prelude) in preludes.iter().enumerate() {
        let _ = writeln!(out, "{}{prelude} {{", "  ".repeat(depth));
    }
    let between = format!(",\n{}", "  ".repeat(preludes.len()));
    for MergedRule { selectors, declarations, .. } in rules {
        block(out, preludes.len(), &selectors.join(&between), &declarations);
    }
    for depth in (0..preludes.len()).rev() {
        let _ = writeln!(out, "{}}}", "  ".repeat(depth));
    }
}

/// Returns the at-rules of a condition. The dark theme is one if it follows the visitor's
/// preference.
fn preludes(condition: &Condition, dark_follows: bool) -> Vec<String> {
    let mut features = Vec::new();
    if condition.dark && dark_follows {
        features.push("(prefers-color-scheme: dark)".to_owned());
    }
    if condition.reduced_motion {
        features.push("(prefers-reduced-motion: reduce)".to_owned());
    }
    if let Some(min) = condition.min_width {
        features.push(format!("(min-width: {min}px)"));
    }
    if let Some(below) = condition.max_width_exclusive {
        features.push(format!("(max-width: {}px)", below.saturating_sub(1)));
    }
    let media = (!features.is_empty()).then(|| format!("@media {}", features.join(" and ")));
    media.into_iter().chain(condition.at_rules.iter().cloned()).collect()
}

/// Writes the `@keyframes` of a component.
pub fn keyframes<'k>(out: &mut String, all: impl IntoIterator<Item = &'k Keyframes>) {
    for keyframes in all {
        separate(out);
        let _ = writeln!(out, "@keyframes {} {{", keyframes.name);
        for (selector, declarations) in &keyframes.frames {
            block(out, 1, selector, declarations);
        }
        out.push_str("}\n");
    }
}

/// Adds an empty line before a top-level rule.
fn separate(out: &mut String) {
    if !out.is_empty() && !out.ends_with("{\n") && !out.ends_with("\n\n") {
        out.push('\n');
    }
}

/// Writes a rule; nothing if it is a top-level rule without declarations and not for a class.
pub fn block(out: &mut String, depth: usize, prelude: &str, declarations: &[(String, String)]) {
    if declarations.is_empty() && depth == 0 && !prelude.starts_with('.') {
        return;
    }
    separate(out);
    let indent = "  ".repeat(depth);
    let _ = writeln!(out, "{indent}{prelude} {{");
    for (name, value) in declarations.iter().filter(|(name, value)| is_self_contained(name, value)) {
        let _ = writeln!(out, "{indent}  {name}: {};", tidied(name, value));
    }
    let _ = writeln!(out, "{indent}}}");
}

/// Returns true if a declaration cannot affect its neighbours: its name needs no escapes, and its
/// value closes every string, bracket and comment. Pages may contain others, with escapes or at the
/// end of a stylesheet.
pub fn is_self_contained(name: &str, value: &str) -> bool {
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
    let is_plain = |c: char| c.is_ascii_alphanumeric() || " #.,%+-_".contains(c);
    is_name && (value.chars().all(is_plain) || is_closed(value))
}

fn is_closed(value: &str) -> bool {
    let ended = format!("{value};");
    let mut parser = Parser::new(&ended);
    let (mut ends, mut is_at_end) = (0, false);
    while let Ok(token) = parser.next_including_whitespace_and_comments() {
        is_at_end = matches!(token, Token::Semicolon);
        ends += usize::from(is_at_end);
        let is_broken = matches!(
            token,
            Token::BadString(_)
                | Token::BadUrl(_)
                | Token::CloseCurlyBracket
                | Token::CloseParenthesis
                | Token::CloseSquareBracket
        );
        if is_broken {
            return false;
        }
    }
    // An unclosed construct includes the semicolon.
    ends == 1 && is_at_end
}

/// Escapes everything that could end an enclosing `style` element. `</` occurs only in strings and
/// URLs, where an escaped solidus is equivalent.
pub fn harmless(css: &str) -> String {
    css.replace("</", "<\\/").replace("<!--", "<\\!--")
}

#[cfg(test)]
mod tests {
    use super::{FontFace, font_faces, is_self_contained};

    #[test]
    fn faces_of_a_font_service_are_below_its_link() {
        let face = |family: &str, service: Option<&str>| FontFace {
            family: family.to_owned(),
            descriptors: vec![("font-family".to_owned(), family.to_owned())],
            service: service.map(str::to_owned),
        };
        let link = Some("https://fonts.test/css?family=A*/");
        let mut css = String::new();
        font_faces(&mut css, &[face("A", link), face("B", link), face("C", None)]);
        let rule = |family: &str| format!("@font-face {{\n  font-family: {family};\n}}\n");
        let comment = "/* The same as <link rel=\"stylesheet\" href=\"https://fonts.test/css?family=A*%2F\"> */\n";
        assert_eq!(css, format!("{comment}{}\n{}\n{}", rule("A"), rule("B"), rule("C")));
    }

    #[test]
    fn unclosed_declarations_are_detected() {
        for (name, value, expected) in [
            ("color", "red", true),
            ("--a-b_1", "{ a: [b] }", true),
            ("--gr\u{f6}\u{df}e", "1px", true),
            ("content", "\"a;b}\" '\\'' /* c */", true),
            ("src", "url(a.woff2) format(\"woff2\"), url(\"b)\")", true),
            ("}body{background:red}x", "y", false),
            ("a b", "y", false),
            ("", "y", false),
            ("symbols", "\"a\" foo(", false),
            ("--x", "bar([{", false),
            ("--x", "a; b: c", false),
            ("--x", "a } b", false),
            ("content", "\"a", false),
            ("content", "a /*", false),
            ("content", "a\\", false),
        ] {
            assert_eq!(is_self_contained(name, value), expected, "{name}: {value}");
        }
    }
}
