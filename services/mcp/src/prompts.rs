//! Prompts for the most common tasks.

use rmcp::model::{GetPromptResult, Prompt, PromptArgument, PromptMessage, Role};
use serde_json::{Map, Value};

const RECREATE: &str = "recreate_section";
const THEME: &str = "theme_from_site";

/// Returns every prompt.
pub(crate) fn list_prompts() -> Vec<Prompt> {
    let url = || PromptArgument::new("url").with_description("The page, such as stripe.com").with_required(true);
    let optional = |name: &str, about: &str| PromptArgument::new(name).with_description(about).with_required(false);
    let section =
        optional("section", "hero, header, footer, pricing, features, testimonials, faq or cta; default: hero");
    let framework =
        optional("framework", "tailwind, html, jsx, vue, elementor or shopify; default: what the project uses");
    let format = optional("format", "tailwind, css, dtcg, dtcg-resolver or design-md; default: what the project uses");
    vec![
        Prompt::new(
            RECREATE,
            Some("Rebuild one section of a web page in this project"),
            Some(vec![url(), section, framework]),
        )
        .with_title("Recreate this section"),
        Prompt::new(THEME, Some("Build a theme for this project from a web page"), Some(vec![url(), format]))
            .with_title("Make a theme from this site"),
    ]
}

/// Returns a prompt with its arguments filled in.
///
/// # Errors
/// There is no such prompt, or an argument is missing.
pub(crate) fn get(name: &str, arguments: &Map<String, Value>) -> Result<GetPromptResult, String> {
    let given = |name: &str| arguments.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    let url = given("url").ok_or("the argument `url` is missing: the page to start from");
    let text = match name {
        RECREATE => recreate(url?, given("section"), given("framework")),
        THEME => theme(url?, given("format")),
        _ => return Err(format!("there is no prompt `{name}`")),
    };
    Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]))
}

fn recreate(url: &str, section: Option<&str>, framework: Option<&str>) -> String {
    let section = section.unwrap_or("hero");
    let framework = framework.map_or_else(
        || "Choose `framework` by what this project uses (tailwind when in doubt).".to_owned(),
        |framework| format!("Use framework `{framework}`."),
    );
    format!(
        "Recreate the {section} section of {url} in this project.\n\
         1. Call extract_code with url `{url}` and section `{section}`. {framework}\n\
         2. If the answer has a `hint`, follow it. If the section does not exist, pick the closest one from `sections` and \
         pass its selector.\n\
         3. Fit the code to this project: its components, its tokens, its conventions. Replace names, texts, logos and \
         pictures that belong to the site's owner with placeholders.\n\
         4. Show what you made, and say what differs from the page."
    )
}

fn theme(url: &str, format: Option<&str>) -> String {
    let format = format.map_or_else(
        || "Choose `format` by what this project uses: tailwind, css, dtcg or design-md.".to_owned(),
        |format| format!("Use format `{format}`."),
    );
    format!(
        "Make a theme for this project from {url}.\n\
         1. Call extract_brand with url `{url}` for the colours with their roles and the fonts.\n\
         2. Call extract_design_tokens with url `{url}`. {format}\n\
         3. Name the values by what they are for (background, text, primary, border, radius, shadow …), keep the ones that \
         are used often and drop the rest. Keep text readable: a contrast of at least 4.5 to 1.\n\
         4. If the page declares a dark scheme, give the theme one too.\n\
         5. Write the theme where this project keeps its tokens, and list what you decided."
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn prompts_need_a_page_and_name_real_tools() {
        for prompt in list_prompts() {
            let arguments = json!({ "url": "a.com", "section": "faq", "framework": "vue", "format": "dtcg" });
            let filled = get(&prompt.name, arguments.as_object().unwrap()).unwrap();
            let text = serde_json::to_string(&filled).unwrap();
            assert!(text.contains("a.com") && text.contains("extract_"), "{text}");
            assert!(text.contains("`vue`") || text.contains("`dtcg`"), "{text}");
            assert!(get(&prompt.name, &Map::new()).is_err());
        }
        assert!(get("nonsense", json!({ "url": "a.com" }).as_object().unwrap()).is_err());
    }
}
