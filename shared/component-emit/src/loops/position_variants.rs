//! Writes what only the first, the last or every other item looks like as variants of its utilities.
//!
//! `className={index === 0 ? 'pl-0' : 'pl-4'}` → `className="pl-4 first:pl-0"`. Stylesheets count elements, so that
//! the items must be all elements of their parent.

use limner_component_model::ir::{ItemCondition, OutputElement, Value};

/// Beginnings of utilities with one property each, of which a variant overrides another.
const SINGLE: &[&str] = &[
    "p", "px", "py", "pt", "pr", "pb", "pl", "m", "mx", "my", "mt", "mr", "mb", "ml", "-m", "-mx", "-my", "-mt", "-mr",
    "-mb", "-ml", "w", "h", "size", "order", "opacity", "z", "top", "right", "bottom", "left", "gap",
];

/// Replaces the condition of an item's classes on its position, if there is one.
pub(super) fn write_variants(template: &mut OutputElement) {
    for attribute in template.attributes.iter_mut().filter(|attribute| attribute.name == "class") {
        let Value::Conditional(switch) = &attribute.value else { continue };
        let (then, otherwise) = match switch.condition {
            ItemCondition::First => ("first", "not-first"),
            ItemCondition::Last(_) => ("last", "not-last"),
            ItemCondition::Odd => ("odd", "even"),
            ItemCondition::Flag(_) => continue,
        };
        let classes = |text: &'_ str| text.split_ascii_whitespace().map(str::to_owned).collect::<Vec<String>>();
        let (rare, usual) = (classes(&switch.if_true), classes(&switch.if_false));
        let is_marker = |class: &String| ["group", "peer"].contains(&class.split('/').next().unwrap_or_default());
        if rare.iter().chain(&usual).any(is_marker) {
            continue;
        }
        let fixed = classes(&switch.fixed);
        let guarded: Vec<&str> = fixed.iter().filter(|class| class.contains(':')).map(|class| family(class)).collect();
        if rare.iter().chain(&usual).any(|class| guarded.contains(&family(class))) {
            continue;
        }
        let is_overridden =
            |class: &String| property(class).is_some_and(|own| rare.iter().any(|other| property(other) == Some(own)));
        let mut all = fixed;
        let (plain, apart): (Vec<String>, Vec<String>) = usual.into_iter().partition(is_overridden);
        all.extend(plain);
        all.extend(apart.into_iter().map(|class| format!("{otherwise}:{class}")));
        all.extend(rare.into_iter().map(|class| format!("{then}:{class}")));
        attribute.value = Value::Fixed(all.join(" "));
    }
}

/// Returns the word that utilities of one kind have in common (`p` for `md:-pl-4`). A position is a pseudo-class, so that
/// its variant would win over one for a viewport or a theme that all items have.
fn family(class: &str) -> &str {
    let utility = class.rsplit(':').next().unwrap_or(class).trim_start_matches('-');
    let word = utility.split('-').next().unwrap_or(utility);
    const DISPLAYS: &[&str] = &["block", "contents", "flex", "grid", "hidden", "inline", "table"];
    if DISPLAYS.contains(&word) {
        return "display";
    }
    if word.len() == 2 && word.starts_with(['p', 'm']) { &word[..1] } else { word }
}

/// Returns the beginning of a utility that declares one property, without variants.
fn property(class: &str) -> Option<&str> {
    let (start, _) = class.rsplit_once('-').filter(|_| !class.contains([':', '[', '(']))?;
    SINGLE.contains(&start).then_some(start)
}

#[cfg(test)]
mod tests {
    use super::write_variants;
    use limner_component_model::ir::{ConditionalClasses, ItemCondition, OutputAttribute, OutputElement, Value};

    #[test]
    fn positions_become_variants() {
        for (condition, if_true, if_false, expected) in [
            (ItemCondition::First, "pl-0", "pl-4", "flex pl-4 first:pl-0"),
            (ItemCondition::First, "", "border-t", "flex not-first:border-t"),
            (ItemCondition::Last(String::new()), "md:mr-0", "mr-2", "flex not-last:mr-2 last:md:mr-0"),
            (ItemCondition::Odd, "bg-white", "bg-gray-50", "flex even:bg-gray-50 odd:bg-white"),
            (ItemCondition::Odd, "text-sm", "text-red-500", "flex even:text-red-500 odd:text-sm"),
        ] {
            assert_eq!(written("flex", condition, if_true, if_false), Value::Fixed(expected.to_owned()));
        }
    }

    #[test]
    fn positions_do_not_win_over_the_viewports_and_themes_of_all_items() {
        for (fixed, if_true, if_false) in [
            ("md:pl-8", "pl-0", "pl-4"),
            ("dark:border-gray-700", "", "border-gray-200"),
            ("md:-mx-2", "mt-1", "mt-2"),
            ("md:block", "hidden", "flex"),
        ] {
            let value = written(fixed, ItemCondition::First, if_true, if_false);
            assert!(matches!(value, Value::Conditional(_)), "{fixed}: {value:?}");
        }
    }

    /// Returns the value of `class` after [`write_variants`].
    fn written(fixed: &str, condition: ItemCondition, if_true: &str, if_false: &str) -> Value {
        let value = Value::Conditional(Box::new(ConditionalClasses {
            fixed: fixed.to_owned(),
            condition,
            if_true: if_true.to_owned(),
            if_false: if_false.to_owned(),
            index: "index".to_owned(),
        }));
        let attributes = vec![OutputAttribute { name: "class".to_owned(), value }];
        let mut tag = OutputElement { attributes, ..OutputElement::default() };
        write_variants(&mut tag);
        tag.attributes.remove(0).value
    }
}
