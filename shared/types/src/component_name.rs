//! The name of a component. It is not part of the cache key, so a cached result must work with any name: it is written
//! with a placeholder, which is replaced by the caller's name when the result is served.

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
    for c in name.chars() {
        if c.is_uppercase() && !out.is_empty() && !out.ends_with('-') {
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

/// Converts `PricingTable` to a title of at most 25 characters (Shopify's limit of section names): `Pricing Table`.
pub fn title(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars().filter(|c| c.is_alphanumeric()) {
        if c.is_uppercase() && !out.is_empty() {
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
        for (name, in_css, for_people) in
            [("Hero", "hero", "Hero"), ("FaqList2", "faq-list2", "Faq List2"), ("A_b", "a-b", "Ab")]
        {
            assert_eq!(kebab(name), in_css);
            assert_eq!(title(name), for_people);
        }
    }
}
