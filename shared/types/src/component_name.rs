//! The name of a component. It is not part of the cache key, so a cached result must work with any name: it is written
//! with a placeholder, which is replaced by the caller's name when the result is served.

use crate::{CodeLanguage, CodeScope, Framework};

/// Placeholder for a component's name. Long enough not to occur by chance.
pub const PLACEHOLDER_NAME: &str = "LimnerUnnamedPart";

/// Maximum length of a title.
const MAX_TITLE: usize = 25;

/// Replaces the placeholder by `name`, in each notation that names have in code.
pub fn replace_placeholder(text: &str, name: &str) -> String {
    text.replace(PLACEHOLDER_NAME, name)
        .replace(&kebab(PLACEHOLDER_NAME), &kebab(name))
        .replace(&title(PLACEHOLDER_NAME), &title(name))
}

/// Converts `PricingTable` to the notation of classes and files: `pricing-table`.
pub fn kebab(name: &str) -> String {
    let mut out = String::new();
    for (c, begins_word) in letters(name) {
        if begins_word && !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
        if matches!(c, '_' | '$') {
            out.push('-');
        } else {
            out.extend(c.to_lowercase());
        }
    }
    out
}

/// Returns the letters of a name; true for those that begin a word. Capitals beside each other are one word, but for the
/// last one before other letters.
fn letters(name: &str) -> impl Iterator<Item = (char, bool)> + '_ {
    let mut chars = name.chars().peekable();
    let mut is_after_capital = false;
    std::iter::from_fn(move || {
        let c = chars.next()?;
        let is_capital = c.is_uppercase();
        let is_before_other = chars.peek().is_some_and(|next| next.is_lowercase());
        let begins_word = is_capital && (!is_after_capital || is_before_other);
        is_after_capital = is_capital;
        Some((c, begins_word))
    })
}

/// Returns the name of the file of a component's code.
pub fn code_file(name: &str, framework: Framework, language: CodeLanguage, scope: CodeScope) -> String {
    let stem = kebab(name);
    match framework {
        Framework::Html | Framework::Tailwind => format!("{stem}.html"),
        Framework::Jsx if language == CodeLanguage::Ts => format!("{name}.tsx"),
        Framework::Jsx => format!("{name}.jsx"),
        Framework::Vue => format!("{name}.vue"),
        Framework::Elementor => format!("{stem}.elementor.json"),
        // A template lists the page's sections.
        Framework::Shopify if scope == CodeScope::Page => format!("templates/page.{stem}.json"),
        Framework::Shopify => format!("{stem}.liquid"),
    }
}

/// Returns the name of the file of its stylesheet.
pub fn stylesheet_file(code_file: &str) -> String {
    let stem = code_file.rsplit_once('.').map_or(code_file, |(stem, _)| stem);
    format!("{}.css", stem.trim_end_matches(".elementor"))
}

/// Converts `PricingTable` to a title of at most 25 characters (Shopify's limit of section names): `Pricing Table`.
pub fn title(name: &str) -> String {
    let mut out = String::new();
    for (c, begins_word) in letters(name).filter(|(c, _)| c.is_alphanumeric()) {
        if begins_word && !out.is_empty() {
            out.push(' ');
        }
        out.push(c);
    }
    let cut: String = out.chars().take(MAX_TITLE).collect();
    if cut.is_empty() { "Section".to_owned() } else { cut.trim_end().to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_the_placeholder_is_replaced() {
        let text = format!(
            "function {PLACEHOLDER_NAME}() .{}-title \"{}\" Hero",
            kebab(PLACEHOLDER_NAME),
            title(PLACEHOLDER_NAME)
        );
        assert_eq!(
            replace_placeholder(&text, "PricingTable"),
            "function PricingTable() .pricing-table-title \"Pricing Table\" Hero"
        );
    }

    #[test]
    fn names_are_converted_to_each_notation() {
        for (name, in_css, for_people) in [
            ("Hero", "hero", "Hero"),
            ("FaqList2", "faq-list2", "Faq List2"),
            ("A_b", "a-b", "Ab"),
            ("NHSInfo", "nhs-info", "NHS Info"),
        ] {
            assert_eq!(kebab(name), in_css);
            assert_eq!(title(name), for_people);
        }
    }

    #[test]
    fn files_are_named_as_their_framework_has_it() {
        use CodeLanguage::{Js, Ts};
        use CodeScope::{Page, Section};
        for (framework, language, scope, code, css) in [
            (Framework::Html, Js, Section, "pricing-table.html", "pricing-table.css"),
            (Framework::Tailwind, Js, Page, "pricing-table.html", "pricing-table.css"),
            (Framework::Jsx, Js, Section, "PricingTable.jsx", "PricingTable.css"),
            (Framework::Jsx, Ts, Section, "PricingTable.tsx", "PricingTable.css"),
            (Framework::Vue, Ts, Page, "PricingTable.vue", "PricingTable.css"),
            (Framework::Elementor, Js, Section, "pricing-table.elementor.json", "pricing-table.css"),
            (Framework::Shopify, Js, Section, "pricing-table.liquid", "pricing-table.css"),
            (Framework::Shopify, Js, Page, "templates/page.pricing-table.json", "templates/page.pricing-table.css"),
        ] {
            let file = code_file("PricingTable", framework, language, scope);
            assert_eq!((file.as_str(), stylesheet_file(&file).as_str()), (code, css));
        }
    }
}
