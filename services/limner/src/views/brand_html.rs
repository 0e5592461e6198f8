//! `limner extract brand --out DIR`: a brand board as one HTML file, with swatches, type specimens and logos; on paper it
//! takes one or two pages.
//!
//! All data on it comes from an untrusted page: text is escaped, colours and sizes are validated before they become
//! CSS, images are only loaded from `http`, `https` and image `data:` URLs, fonts from `http` and `https`, and the board
//! contains no scripts and allows none.

use super::text;
use serde_json::Value;
use std::fmt::Write;

const STYLE: &str = include_str!("board.css");
/// Scripts never run; inline SVG is shown as an image, in which its own scripts cannot run either.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src http: https: data:; font-src http: https:";

/// Returns the file's contents.
pub(crate) fn html(result: &Value) -> String {
    let title = ["siteName", "title", "url"].into_iter().map(|name| text(result, name)).find(|name| !name.is_empty());
    let title = escaped(title.unwrap_or("Brand"));
    let sections = [
        header(result, &title),
        section("Colours", "roles", &roles(result)),
        section("Palette", "palette", &palette(result)),
        section("Contrast", "pairs", &pairs(result)),
        section("Type", "type", &specimens(result)),
        section("Logos", "logos", &logos(result)),
        section("Profiles", "profiles", &profiles(result)),
    ];
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <title>{title} · brand board</title>\n<style>\n{STYLE}{}</style>\n</head>\n<body>\n<main>\n{}</main>\n</body>\n</html>\n",
        font_faces(result),
        sections.concat()
    )
}

/// Returns a rule for the first file of each family, so that its specimens are set in it where its server lets other
/// sites load it.
fn font_faces(result: &Value) -> String {
    let mut rules = String::new();
    for family in items(&result["fonts"], "families") {
        let file = family["files"][0].as_str().and_then(|file| url::Url::parse(file).ok());
        // What ends a string or the style element is escaped in a URL, except for a backslash in a query.
        let file =
            file.filter(|file| matches!(file.scheme(), "http" | "https") && !file.as_str().contains(['"', '\\', '<']));
        if let Some(file) = file {
            let family = css_name(text(family, "family"));
            let _ = writeln!(rules, "@font-face{{font-family:'{family}';font-weight:1 1000;src:url(\"{file}\")}}");
        }
    }
    rules
}

fn section(title: &str, class: &str, contents: &str) -> String {
    if contents.is_empty() {
        return String::new();
    }
    format!("<section>\n<h2>{title}</h2>\n<div class=\"{class}\">\n{contents}</div>\n</section>\n")
}

fn header(result: &Value, title: &str) -> String {
    let url = text(result, "url");
    let mut facts = vec![link(url)];
    facts.extend(
        Some(text(result, "theme")).filter(|theme| !theme.is_empty()).map(|theme| format!("{} theme", escaped(theme))),
    );
    facts.extend(result["confidence"].as_f64().map(|figure| format!("confidence {figure:.2}")));
    let facts: String = facts.iter().map(|fact| format!("<span>{fact}</span>")).collect();
    let description = escaped(text(result, "description"));
    format!("<header>\n<h1>{title}</h1>\n<p>{description}</p>\n<div class=\"facts\">{facts}</div>\n</header>\n")
}

/// Returns a link for an http or https URL, otherwise the text.
fn link(url: &str) -> String {
    let shown = escaped(url);
    let is_web = url.starts_with("https://") || url.starts_with("http://");
    if is_web { format!("<a href=\"{shown}\" rel=\"noreferrer\">{shown}</a>") } else { shown }
}

fn roles(result: &Value) -> String {
    let mut shown = String::new();
    for (role, hex) in result["colors"].as_object().into_iter().flatten() {
        let role = escaped(role);
        let Some(hex) = hex.as_str().filter(|hex| is_hex(hex)) else {
            let _ = writeln!(
                shown,
                "<div class=\"role\"><div class=\"patch none\">not told</div><div><strong>{role}</strong></div></div>"
            );
            continue;
        };
        let name = escaped(text(&result["colorNames"], &role));
        let why =
            result["evidence"][format!("colors.{role}")]["from"].as_array().map(Vec::as_slice).unwrap_or_default();
        let why: Vec<&str> = why.iter().filter_map(Value::as_str).take(3).collect();
        let _ = writeln!(
            shown,
            "<div class=\"role\"><div class=\"patch\" style=\"background:{hex}\"></div><div><strong>{role}</strong>\
             <span>{name}</span><code>{hex}</code><span class=\"why\">{}</span></div></div>",
            escaped(&why.join(", "))
        );
    }
    shown
}

fn palette(result: &Value) -> String {
    let mut shown = String::new();
    for color in items(result, "palette") {
        let hex = text(color, "hex");
        if !is_hex(hex) {
            continue;
        }
        let roles: Vec<&str> = color["roles"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let variable = escaped(text(color, "variable"));
        let _ = writeln!(
            shown,
            "<div class=\"chip\"><div class=\"patch\" style=\"background:{hex}\"></div><div><strong>{}</strong><code>{hex}</code>\
             <span class=\"why\">{}</span><code class=\"why\">{variable}</code></div></div>",
            escaped(text(color, "name")),
            escaped(&roles.join(", "))
        );
    }
    shown
}

fn pairs(result: &Value) -> String {
    let mut shown = String::new();
    for pair in items(result, "contrast") {
        let (ink, ground) = (text(pair, "text"), text(pair, "background"));
        let Some(ratio) = pair["ratio"].as_f64().filter(|_| is_hex(ink) && is_hex(ground)) else { continue };
        let level = escaped(text(pair, "level"));
        let _ = writeln!(
            shown,
            "<div class=\"pair\" style=\"color:{ink};background:{ground}\"><strong>{ratio:.2} : 1</strong><span>{level}</span></div>"
        );
    }
    shown
}

fn specimens(result: &Value) -> String {
    let mut shown = String::new();
    for (role, family) in result["fonts"].as_object().into_iter().flatten() {
        let Some(family) = family.as_str() else { continue };
        let _ = writeln!(
            shown,
            "<div class=\"specimen\"><small>{}</small><p style=\"font:600 28px {}\">{}</p></div>",
            escaped(role),
            font_stack(family),
            escaped(family)
        );
    }
    for (element, style) in
        result["typography"].as_object().into_iter().flatten().filter(|(_, style)| style.is_object())
    {
        let part = |name: &str| text(style, name);
        let size = checked(part("fontSize"));
        let (weight, height, spacing) =
            (checked(part("fontWeight")), checked(part("lineHeight")), checked(part("letterSpacing")));
        let _ = writeln!(
            shown,
            "<div class=\"specimen\"><small>{}<br>{size} / {height} · {weight}</small>\
             <p style=\"font-family:{};font-size:min({size},64px);font-weight:{weight};letter-spacing:{spacing};line-height:1.2\">\
             The quick brown fox</p></div>",
            escaped(element),
            font_stack(part("fontFamily"))
        );
    }
    shown
}

/// Returns the family and those after it, for an attribute.
fn font_stack(family: &str) -> String {
    format!("'{}',system-ui,sans-serif", css_name(family))
}

/// Returns a name without what could end a CSS string, an attribute or an element.
fn css_name(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_')).collect()
}

fn logos(result: &Value) -> String {
    let primary = text(result, "logo");
    let mut shown = String::new();
    for logo in items(result, "logos") {
        let url = text(logo, "url");
        let is_picture = ["https://", "http://", "data:image/"].iter().any(|start| url.starts_with(start));
        if !is_picture || text(logo, "type") == "og" {
            continue;
        }
        let class = if !primary.is_empty() && url == primary { " class=\"primary\"" } else { "" };
        let ground = if text(logo, "theme") == "dark" { "ground dark" } else { "ground" };
        let facts = [text(logo, "type"), text(logo, "format"), text(logo, "alt")];
        let facts: Vec<String> = facts.into_iter().filter(|fact| !fact.is_empty()).map(escaped).collect();
        let _ = writeln!(
            shown,
            "<figure{class}><div class=\"{ground}\"><img src=\"{}\" alt=\"\" referrerpolicy=\"no-referrer\"></div>\
             <figcaption>{}</figcaption></figure>",
            escaped(url),
            facts.join(" · ")
        );
    }
    shown
}

fn profiles(result: &Value) -> String {
    let profile =
        |social: &Value| format!("<li>{} {}</li>\n", escaped(text(social, "platform")), link(text(social, "url")));
    let list: String = items(result, "socials").iter().map(profile).collect();
    if list.is_empty() { list } else { format!("<ul>\n{list}</ul>\n") }
}

fn items<'a>(result: &'a Value, name: &str) -> &'a [Value] {
    result[name].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn is_hex(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or_default();
    matches!(digits.len(), 6 | 8) && digits.chars().all(|digit| digit.is_ascii_hexdigit())
}

/// Returns a number, a length or a keyword; anything else becomes `normal`.
fn checked(value: &str) -> &str {
    let is_plain =
        !value.is_empty() && value.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '%'));
    if is_plain { value } else { "normal" }
}

/// Escapes text for element content and double-quoted attributes.
pub(crate) fn escaped(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => written.push_str("&amp;"),
            '<' => written.push_str("&lt;"),
            '>' => written.push_str("&gt;"),
            '"' => written.push_str("&quot;"),
            '\'' => written.push_str("&#39;"),
            letter => written.push(letter),
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::super::brand::tests::result;
    use super::*;
    use scraper::{Html, Selector};
    use serde_json::json;

    /// Returns what each element that a selector matches has under a name: its text or an attribute.
    fn found(board: &str, selector: &str, attribute: Option<&str>) -> Vec<String> {
        let (document, selector) = (Html::parse_document(board), Selector::parse(selector).unwrap());
        let of = |element: scraper::ElementRef<'_>| match attribute {
            Some(name) => element.attr(name).map(str::to_owned),
            None => Some(element.text().collect()),
        };
        document.select(&selector).filter_map(of).collect()
    }

    #[test]
    fn board_shows_colours_type_and_logos() {
        let board = html(&result());
        assert_eq!(found(&board, "h1", None), ["Acme"]);
        for (selector, count) in [
            (".role > .patch[style='background:#d9622b']", 1),
            (".pair[style='color:#1b1b1b;background:#ffffff']", 1),
            (".specimen p[style*=\"font-family:'Fraunces',system-ui,sans-serif;font-size:min(48px,64px)\"]", 1),
            ("figure.primary", 1),
            (".specimen p[style*=\"600 28px 'Inter',\"]", 1),
            ("a[href='https://github.com/acme']", 1),
            ("[href^='javascript:']", 0),
        ] {
            assert_eq!(found(&board, selector, None).len(), count, "{selector}\n{board}");
        }
        let rule = "@font-face{font-family:'Inter';font-weight:1 1000;src:url(\"https://acme.test/a.woff2\")}";
        assert!(found(&board, "style", None).concat().contains(rule), "{board}");
        let reasons = found(&board, ".why", None).concat();
        assert!(reasons.contains("80 % of button fill, --brand"), "{reasons}");
    }

    #[test]
    fn board_for_paper_has_a_page_size_and_all_its_pictures() {
        let board = html(&result());
        let style = found(&board, "style", None).concat();
        assert!(style.contains("@page { size: A4;") && style.contains("print-color-adjust: exact"), "{style}");
        // Browsers do not load lazy pictures below the window before they print.
        assert_eq!(found(&board, "img[loading]", None), [""; 0]);
    }

    #[test]
    fn hostile_text_is_escaped() {
        let evil = "\"><script>alert(1)</script><img src=x onerror='alert(1)'>";
        let mut hostile = result();
        for member in ["title", "description", "siteName", "theme", "logo", "url"] {
            hostile[member] = json!(evil);
        }
        hostile["colors"]["primary"] = json!("#fff;background:url(https://evil.test)");
        hostile["palette"][0]["name"] = json!(evil);
        hostile["palette"][0]["variable"] = json!(evil);
        hostile["fonts"]["primary"] = json!("x';background:url(//evil.test)");
        hostile["fonts"]["families"] = json!([
            { "family": "a'}*{background:url(//evil.test)}", "files": ["https://acme.test/</style><script>alert(1)</script>\")}*{x:y}"] },
            { "family": "b", "files": ["https://acme.test/?\\\"}*{x:y}"] },
            { "family": "c", "files": ["javascript:alert(1)"] },
        ]);
        hostile["typography"]["h1"]["fontSize"] = json!("1px;background:url(//evil.test)");
        hostile["logos"][0]["url"] = json!(format!("https://acme.test/{evil}"));
        hostile["logos"][0]["alt"] = json!(evil);
        hostile["socials"][0]["url"] = json!("javascript:alert(1)");
        let board = html(&hostile);
        let document = Html::parse_document(&board);
        let elements = document.root_element().descendent_elements();
        let handlers = elements.flat_map(|element| element.value().attrs()).filter(|(name, _)| name.starts_with("on"));
        assert_eq!(handlers.collect::<Vec<_>>(), []);
        assert_eq!(found(&board, "script", None), [""; 0]);
        assert!(found(&board, "[style]", Some("style")).iter().all(|style| !style.contains("url(")), "{board}");
        assert_eq!(found(&board, "a", Some("href")), [""; 0], "hostile URLs are no links");
        let style = found(&board, "style", None).concat();
        let own = style.trim_start().strip_prefix(STYLE).unwrap();
        assert!(
            own.starts_with("@font-face{font-family:'abackgroundurleviltest';") && own.lines().count() == 1,
            "{own}"
        );
        assert!(own.contains("url(\"https://acme.test/%3C/style%3E%3Cscript%3E"), "{own}");
    }

    #[test]
    fn narrowed_result_still_makes_a_board() {
        let board = html(&json!({ "url": "https://acme.test/", "logo": null }));
        assert_eq!(found(&board, "h1", None), ["https://acme.test/"]);
        assert_eq!(found(&board, "section", None), [""; 0]);
    }
}
