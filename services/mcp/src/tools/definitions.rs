//! Names and descriptions of the tools. Every description is in every agent's context: it must help the model to
//! choose, and be short.

use super::arguments::{KINDS, ToolName};
use limner_types::operation::RENDER_SURCHARGE;
use limner_types::{
    BrandScope, CodeLanguage, CodeScope, Framework, Operation, SectionRole, TokenFormat, TokenScope, WireEnum,
};
use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Returns every tool. `is_charged`: calls cost credits. How long results are cached is a setting of the gateway.
pub(crate) fn list_tools(is_charged: bool) -> Vec<Tool> {
    ToolName::ALL.into_iter().map(|tool| definition(tool, is_charged)).collect()
}

fn definition(tool: ToolName, is_charged: bool) -> Tool {
    let annotations =
        ToolAnnotations::with_title(title(tool)).read_only(true).destructive(false).idempotent(true).open_world(true);
    let price = if is_charged { format!(" {}", price(tool)) } else { String::new() };
    let description = format!("{}{price}", description(tool));
    Tool::new(tool.as_str(), description, object(input(tool, is_charged)))
        .with_title(title(tool))
        .with_raw_output_schema(object(output(tool)))
        .with_annotations(annotations)
}

fn object(schema: Value) -> Arc<Map<String, Value>> {
    match schema {
        Value::Object(map) => Arc::new(map),
        _ => Arc::default(),
    }
}

fn title(tool: ToolName) -> &'static str {
    match tool {
        ToolName::DesignTokens => "Design tokens of a web page",
        ToolName::Svgs => "SVGs of a web page",
        ToolName::Code => "A section of a web page as component code",
        ToolName::Brand => "Brand identity of a web page",
        ToolName::Assets => "Images, videos, audio, animations and fonts of a web page",
    }
}

fn description(tool: ToolName) -> &'static str {
    match tool {
        ToolName::DesignTokens => {
            "Every colour, font size, weight, spacing, radius, shadow, gradient, easing and breakpoint that a public web \
             page uses, most used first, with counts, CSS properties and custom properties. Use it to build a theme or to \
             study a design system; format `tailwind`, `css`, `dtcg` or `design-md` gives a file to save. For the handful \
             of colours, fonts and the logo that make the brand use extract_brand."
        }
        ToolName::Brand => {
            "Brand identity of a public web page: primary, accent, background and text colour, palette with names, fonts, \
             type scale, logo and icons, social profiles, title and description. Use it when something should look like \
             that company."
        }
        ToolName::Code => {
            "One section of a public web page (hero, pricing, footer …) as a self-contained component: Tailwind HTML, \
             plain HTML with CSS, React, Vue, Elementor or Shopify. Use it to recreate or adapt a section. Without \
             `section` and `selector` the hero is taken; the answer lists the other sections with selectors to pass back."
        }
        ToolName::Svgs => {
            "Every SVG of a public web page: inline ones as cleaned markup, external ones as URLs. Use it for icons, \
             logos and illustrations."
        }
        ToolName::Assets => {
            "URLs of the media files of a public web page, with where each was found: images, videos, audio, \
             Lottie animations, font files. Use extract_svgs for SVG markup."
        }
    }
}

/// Returns the price of a call.
fn price(tool: ToolName) -> String {
    match tool.operation().map(Operation::credits) {
        Some(1) => "Costs 1 credit; a repeat is free while the result is cached.".to_owned(),
        Some(credits) => format!("Costs {credits} credits; a repeat is free while the result is cached."),
        None => {
            let prices: Vec<String> = KINDS.iter().map(|kind| format!("{kind} {}", kind.credits())).collect();
            let prices = prices.join(", ");
            format!("Each kind is charged by itself (credits: {prices}); a repeat is free while the result is cached.")
        }
    }
}

fn enum_values<T: WireEnum>(choices: &[T]) -> Vec<&'static str> {
    choices.iter().map(|choice| choice.as_str()).collect()
}

fn input(tool: ToolName, is_charged: bool) -> Value {
    let mut properties = Map::new();
    let mut add = |name: &str, schema: Value| properties.insert(name.to_owned(), schema);
    add(
        "url",
        json!({ "type": "string", "description": "A public page: `stripe.com`, `https://example.org/pricing`." }),
    );
    for name in tool.specific_arguments() {
        add(name, specific_argument(tool, name));
    }
    let if_charged = |text: String| if is_charged { text } else { String::new() };
    let surcharge = if_charged(format!(" (+{RENDER_SURCHARGE} credits)"));
    let free = if_charged(", free".to_owned());
    let render = format!(
        "Run the page's scripts in a browser first{surcharge}. Only when a `hint` advises it: pages that plainly need a \
         browser get one by themselves{free}."
    );
    add("render", json!({ "type": "boolean", "default": false, "description": render }));
    add(
        "screenshot",
        json!({ "type": "string", "enum": ["viewport", "full"], "description": "Show a picture of the page too: the first 1440x900 or the full height. Implies `render`." }),
    );
    let fresh = format!("Read the page again despite a cached result.{}", if_charged(" Charged again.".to_owned()));
    add("fresh", json!({ "type": "boolean", "default": false, "description": fresh }));
    let page = format!(
        "Which page of a long result. Repeat the other arguments{}.",
        if_charged("; further pages are free".to_owned())
    );
    add("page", json!({ "type": "integer", "minimum": 1, "default": 1, "description": page }));
    let required = if tool == ToolName::Assets { json!(["url", "kinds"]) } else { json!(["url"]) };
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn specific_argument(tool: ToolName, name: &str) -> Value {
    match name {
        "fields" => {
            let fields = tool.operation().map(Operation::fields).unwrap_or_default();
            let about = match tool {
                ToolName::Code => "Only these parts of the result. By default all but `tokens` and `assets`.",
                ToolName::DesignTokens => "Only these groups. Name the ones you need: it saves context.",
                _ => "Only these parts of the result.",
            };
            json!({ "type": "array", "items": { "type": "string", "enum": fields }, "description": about })
        }
        "format" => {
            json!({ "type": "string", "enum": enum_values(TokenFormat::ALL), "default": "json", "description": "`json`: counted groups. `css`: a :root block. `tailwind`: a v4 @theme block. `dtcg`: a W3C Design Tokens file. `dtcg-resolver`: the same with themes as contexts. `design-md`: a DESIGN.md for coding agents, with the evidence for each value." })
        }
        "scope" if tool == ToolName::Brand => {
            json!({ "type": "string", "enum": enum_values(BrandScope::ALL), "default": "brand", "description": "`all`: also the dark palette, a WCAG contrast report, and component looks." })
        }
        "scope" if tool == ToolName::Code => {
            json!({ "type": "string", "enum": enum_values(CodeScope::ALL), "default": "section", "description": "`page`: the whole page, in `files` too; without `section` or `selector`." })
        }
        "scope" => {
            json!({ "type": "string", "enum": enum_values(TokenScope::ALL), "default": "sheet", "description": "`sheet`: all values of the stylesheets. `page`: only those that elements of the page have, and the root's custom properties. Shorter on sites with a framework." })
        }
        "framework" => {
            json!({ "type": "string", "enum": enum_values(Framework::ALL), "default": "tailwind", "description": "What the component is written in." })
        }
        "section" => {
            json!({ "type": "string", "enum": enum_values(SectionRole::ALL), "description": "Which part of the page." })
        }
        "selector" => {
            json!({ "type": "string", "description": "CSS selector of the part, such as one from `sections` of an earlier answer. Wins over `section`." })
        }
        "theme" => {
            json!({ "type": "string", "enum": ["light", "dark"], "default": "light", "description": "Which of the page's themes forms the component." })
        }
        "language" => {
            json!({ "type": "string", "enum": enum_values(CodeLanguage::ALL), "default": "js", "description": "Language of `jsx` and `vue`." })
        }
        "name" => json!({ "type": "string", "description": "Component name in PascalCase, for `jsx`." }),
        "kinds" => {
            json!({ "type": "array", "minItems": 1, "items": { "type": "string", "enum": enum_values(&KINDS) }, "description": "What to list." })
        }
        _ => {
            json!({ "type": "boolean", "default": false, "description": "lottie: include each animation's JSON, which may be long." })
        }
    }
}

/// Returns the members common to all results.
fn output(tool: ToolName) -> Value {
    let mut properties = json!({
        "url": { "type": "string", "description": "The URL that was read in the end." },
        "hint": { "type": "string", "description": "Advice about a degraded result." },
        "screenshot": { "type": "string", "description": "URL of the picture, good for 7 days." },
        "usage": { "type": "object", "description": "Credits: `creditsSpent` by this call, `remaining` this month, `cached`." },
        "page": {
            "type": "object",
            "description": "The part of a long result.",
            "properties": { "number": { "type": "integer" }, "of": { "type": "integer" }, "next": { "type": ["integer", "null"] } },
            "required": ["number", "of", "next"]
        },
    });
    let own = specific_output(tool);
    if let (Value::Object(all), Value::Object(own)) = (&mut properties, own) {
        all.extend(own);
    }
    json!({ "type": "object", "properties": properties, "required": ["url", "page"] })
}

fn specific_output(tool: ToolName) -> Value {
    let nullable = |about: &str| json!({ "type": ["string", "null"], "description": about });
    let list = |about: &str| json!({ "type": "array", "items": { "type": "object" }, "description": about });
    match tool {
        ToolName::DesignTokens => json!({
            "colors": { "type": "object", "description": "By hex: `count`, `properties`, `variables`, `themes`. The other groups (fontSizes, spacing, …) are alike, keyed by value." },
            "colorSchemes": { "type": "array", "items": { "type": "string" } },
            "totals": { "type": "object", "description": "How many values each group has on all pages." },
            "text": { "type": "string", "description": "With `format` other than json: the file." }
        }),
        ToolName::Brand => json!({
            "title": nullable("Page title."),
            "siteName": nullable("Name of the site."),
            "colors": { "type": "object", "description": "`primary`, `accent`, `background`, `text`: hex or null." },
            "palette": list("Colours with names and counts."),
            "fonts": { "type": "object", "description": "`primary`, `mono`, `heading`." },
            "typography": { "type": "object" },
            "logo": nullable("URL of the logo."),
            "logos": list("All candidates, best first; `code` is inline SVG."),
            "socials": list("`platform`, `url`, `handle`."),
            "confidence": { "type": "number", "description": "0 to 1: declared by the site or inferred." },
            "themes": { "type": "object" },
            "contrastReport": { "type": "object" },
            "components": { "type": "object" }
        }),
        ToolName::Code => json!({
            "code": { "type": "string", "description": "The component. With several pages: this page's part of it, to be joined without anything between." },
            "files": list("Of a whole page: `path`, `code`."),
            "css": nullable("Companion stylesheet."),
            "framework": { "type": "string" },
            "theme": { "type": "string" },
            "selector": { "type": "string", "description": "Which section it is." },
            "autoDetected": { "type": "boolean" },
            "sections": list("The page's sections: `selector`, `label`, `role`."),
            "tokens": { "type": "object" },
            "assets": { "type": "object" }
        }),
        ToolName::Svgs => json!({
            "svgs": list("`type` inline with `code` (and `painted`, with the paint of the page's stylesheets), or file with `url`."),
            "count": { "type": "integer", "description": "On all pages." }
        }),
        ToolName::Assets => json!({
            "images": list("`url`, `source`, `alt`, size."),
            "videos": list("`url`, `source`, `provider`, `title`."),
            "audio": list("`url`, `source`, `title`."),
            "lottie": list("`url`, `format`, size, `durationSeconds`; `animation` when asked for."),
            "fonts": list("`family`, `weight`, `style`, `src`."),
            "families": list("Fonts by family."),
            "counts": { "type": "object", "description": "How many of each kind on all pages." },
            "failed": { "type": "object", "description": "Kinds that could not be read, and why." }
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_complete_and_short() {
        let tools = list_tools(true);
        assert_eq!(tools.len(), 5);
        for tool in &tools {
            let schema = tool.input_schema.as_ref();
            let properties = schema["properties"].as_object().unwrap();
            assert!(
                properties
                    .values()
                    .all(|property| property["description"].as_str().is_some_and(|text| text.len() > 10))
            );
            let annotations = tool.annotations.as_ref().unwrap();
            assert_eq!((annotations.read_only_hint, annotations.open_world_hint), (Some(true), Some(true)));
            assert!(tool.output_schema.is_some() && tool.title.is_some());
        }
        let listed = serde_json::to_string(&tools).unwrap();
        assert!(listed.len() < 16_000, "{} bytes in every context", listed.len());
        assert!(listed.contains("Costs 25 credits;") && listed.contains("(+5 credits)"), "{listed}");
    }

    #[test]
    fn tools_without_charges_name_no_prices() {
        for tool in list_tools(false) {
            let texts = format!("{:?}{}", tool.description, serde_json::to_string(&tool.input_schema).unwrap());
            for word in ["redit", "free", "harged"] {
                assert!(!texts.contains(word), "{word}: {texts}");
            }
        }
    }
}
