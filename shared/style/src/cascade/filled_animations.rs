//! Finished animations (Animations 1, section 3): applies the last keyframe of an animation that fills forwards.
//! Animations that run for ever or do not fill forwards have no effect here.

use super::ComputedStyle;
use crate::condition::{ConditionId, Conditions, Evaluated};
use crate::property::Longhand;
use crate::sheet::{AtRule, Declaration, DeclarationInterner, frame_rules, parse_inline};
use foldhash::HashMap;

/// Maximum number of `@keyframes` rules of a page, and maximum length of one in bytes.
const MAX_RULES: usize = 5_000;
const MAX_BYTES: usize = 64 * 1024;
/// Maximum number of animations of one element.
const MAX_ANIMATIONS: usize = 16;

/// The first and the last frame of every `@keyframes` rule, by name.
#[derive(Debug, Default)]
pub(crate) struct Keyframes(HashMap<Box<str>, Vec<KeyframesRule>>);

#[derive(Debug)]
struct KeyframesRule {
    condition: ConditionId,
    from: Vec<Declaration>,
    to: Vec<Declaration>,
}

impl Keyframes {
    pub(crate) fn from_rules(rules: &[AtRule], interner: &mut DeclarationInterner) -> Self {
        let mut found = Self::default();
        let keyframes = rules.iter().filter(|rule| &*rule.name == "keyframes");
        for rule in keyframes.filter(|rule| rule.body.len() <= MAX_BYTES).take(MAX_RULES) {
            let mut kept = KeyframesRule { condition: rule.condition, from: Vec::new(), to: Vec::new() };
            for (selectors, declarations) in frame_rules(&rule.body) {
                kept.add(selectors, || parse_inline(declarations, &mut *interner));
            }
            found.0.entry(name(&rule.prelude).into()).or_default().push(kept);
        }
        found
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the frames that apply to an element of that style after its animations, weakest first.
    pub(super) fn end_frames(&self, style: &ComputedStyle, holds: &[Evaluated]) -> Vec<&[Declaration]> {
        let names = style.get(Longhand::AnimationName);
        if self.is_empty() || names == "none" {
            return Vec::new();
        }
        let rests = |at: usize| -> Option<&[Declaration]> {
            let name = item(names, at);
            let rule = self.rule(name.trim_matches('"'), holds)?;
            let of = |longhand| item(style.get(longhand), at);
            let ends = of(Longhand::AnimationPlayState) == "running" && of(Longhand::AnimationTimeline) == "auto";
            let fills = matches!(of(Longhand::AnimationFillMode), "forwards" | "both");
            if !ends || !fills {
                return None;
            }
            let count: f64 = of(Longhand::AnimationIterationCount).parse().ok().filter(|count: &f64| *count >= 1.0)?;
            let forwards = match of(Longhand::AnimationDirection) {
                "reverse" => false,
                "alternate" => count % 2.0 == 1.0,
                "alternate-reverse" => count % 2.0 == 0.0,
                _ => true,
            };
            (count.fract() == 0.0).then_some(if forwards { &rule.to } else { &rule.from })
        };
        (0..names.split(',').count().min(MAX_ANIMATIONS)).filter_map(rests).collect()
    }

    /// Returns the rule of a name: the last one whose condition holds.
    fn rule(&self, name: &str, holds: &[Evaluated]) -> Option<&KeyframesRule> {
        let holding = |rule: &&KeyframesRule| Conditions::evaluation_of(holds, rule.condition) == Evaluated::Always;
        self.0.get(name)?.iter().rev().find(holding)
    }
}

impl KeyframesRule {
    fn add(&mut self, selectors: &str, declarations: impl FnOnce() -> Vec<Declaration>) {
        let of = |wanted: [&str; 2]| {
            selectors.split(',').any(|selector| wanted.iter().any(|own| selector.trim().eq_ignore_ascii_case(own)))
        };
        let (is_first, is_last) = (of(["from", "0%"]), of(["to", "100%"]));
        if !is_first && !is_last {
            return;
        }
        let mut declarations = declarations();
        // Section 3: `!important` declarations and animation properties are ignored in keyframes.
        declarations.retain(|declaration| !declaration.important && !declaration.name.starts_with("animation"));
        if is_first {
            self.from.extend(declarations.iter().cloned());
        }
        if is_last {
            self.to.extend(declarations);
        }
    }
}

/// Returns the name of an `@keyframes` rule, which may be a string.
fn name(prelude: &str) -> String {
    let mut parser = cssparser::Parser::new(prelude);
    parser.expect_ident_or_string().map_or_else(|_| prelude.trim().to_owned(), |name| name.to_string())
}

/// Returns the item of a list for the animation at `at`: lists that are too short repeat.
fn item(list: &str, at: usize) -> &str {
    let count = list.split(',').count();
    list.split(',').nth(at % count).unwrap_or_default().trim()
}
