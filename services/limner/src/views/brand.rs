//! `limner extract brand`: a brand board for the terminal. [`super::brand_html`] has the one for a browser.

use super::table::Table;
use super::terminal::{bold, dim};
use super::{count_with_noun, dimensions, text};
use owo_colors::{OwoColorize, Stream};
use serde_json::Value;
use std::fmt::Write;

/// Maximum number of palette colours shown.
const MAX_COLORS: usize = 12;
/// Maximum number of pairs of the contrast report shown.
const MAX_PAIRS: usize = 12;
/// Maximum number of logo candidates shown.
const MAX_LOGOS: usize = 6;

/// Formats name, colours, type, logos and profiles, each with its evidence. Values removed by `fields` are omitted.
pub(super) fn view(result: &Value) -> String {
    let parts = [
        identity(result),
        colors(result),
        palette(result),
        dark(result),
        contrast(result),
        contrast_report(result),
        components(result),
        fonts(result),
        logos(result),
        socials(result),
    ];
    let shown: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    shown.join("\n")
}

fn heading(title: &str) -> String {
    format!("{}\n", bold(title))
}

fn identity(result: &Value) -> String {
    let mut shown = String::new();
    for line in [text(result, "title"), text(result, "description")].into_iter().filter(|line| !line.is_empty()) {
        let _ = writeln!(shown, "  {line}");
    }
    let confidence = result["confidence"].as_f64().map(|figure| format!("confidence {figure:.2}"));
    let facts = [text(result, "siteName").to_owned(), text(result, "theme").to_owned(), confidence.unwrap_or_default()];
    let facts: Vec<String> = facts.into_iter().filter(|fact| !fact.is_empty()).collect();
    if !facts.is_empty() {
        let _ = writeln!(shown, "  {}", dim(&facts.join(" · ")));
    }
    shown
}

/// Returns a swatch of a colour, six columns wide; blank if the terminal has no colours.
fn swatch(hex: &str) -> String {
    let channel = |at: usize| hex.get(at..at + 2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
    let patch = "      ";
    match (channel(1), channel(3), channel(5)) {
        (Some(red), Some(green), Some(blue)) => {
            patch.if_supports_color(Stream::Stdout, |patch| patch.on_truecolor(red, green, blue)).to_string()
        }
        _ => patch.to_owned(),
    }
}

fn reasons(result: &Value, name: &str) -> String {
    let from = result["evidence"][name]["from"].as_array().map(Vec::as_slice).unwrap_or_default();
    from.iter().filter_map(Value::as_str).take(3).collect::<Vec<_>>().join(", ")
}

fn colors(result: &Value) -> String {
    let Some(colors) = result["colors"].as_object() else { return String::new() };
    let mut shown = heading("Colours");
    for (role, hex) in colors {
        let Some(hex) = hex.as_str() else {
            let _ = writeln!(shown, "  {}  {role:<11}{}", swatch(""), dim("–"));
            continue;
        };
        let name = text(&result["colorNames"], role);
        let why = dim(&reasons(result, &format!("colors.{role}")));
        let _ = writeln!(shown, "  {}  {role:<11}{hex:<10} {name:<22} {why}", swatch(hex));
    }
    shown
}

fn palette(result: &Value) -> String {
    let Some(palette) = result["palette"].as_array().filter(|palette| !palette.is_empty()) else {
        return String::new();
    };
    let mut shown = heading("Palette");
    for color in palette.iter().take(MAX_COLORS) {
        let hex = text(color, "hex");
        let roles: Vec<&str> = color["roles"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let area = color["area"].as_f64().filter(|area| *area >= 0.005).map(|area| format!("{:.0} %", area * 100.0));
        let uses = format!("×{}", color["count"].as_u64().unwrap_or(0));
        let variable = dim(text(color, "variable"));
        let _ = writeln!(
            shown,
            "  {}  {hex:<10} {:<22} {uses:>6} {:>5}  {} {variable}",
            swatch(hex),
            text(color, "name"),
            area.unwrap_or_default(),
            roles.join(", ")
        );
    }
    if palette.len() > MAX_COLORS {
        let _ = writeln!(shown, "  {}", dim(&format!("and {} more", palette.len() - MAX_COLORS)));
    }
    shown
}

fn contrast(result: &Value) -> String {
    let Some(pairs) = result["contrast"].as_array().filter(|pairs| !pairs.is_empty()) else { return String::new() };
    let mut table = Table::new();
    for pair in pairs.iter().take(4) {
        let ratio = pair["ratio"].as_f64().map(|ratio| format!("{ratio:.2} : 1")).unwrap_or_default();
        let pairing = format!("{} on {}", text(pair, "text"), text(pair, "background"));
        table.row([pairing, ratio, text(pair, "level").to_owned()]);
    }
    heading("Contrast") + &table.print()
}

/// Formats the colours of the dark scheme.
fn dark(result: &Value) -> String {
    let Some(colors) = result["themes"]["dark"]["colors"].as_object() else { return String::new() };
    let mut shown = heading("Dark");
    for (role, hex) in colors.iter().filter_map(|(role, hex)| Some((role, hex.as_str()?))) {
        let _ = writeln!(shown, "  {}  {role:<11}{hex}", swatch(hex));
    }
    shown
}

/// Formats the pairs with the least contrast.
fn contrast_report(result: &Value) -> String {
    let report = &result["contrastReport"];
    let Some(pairs) = report["pairs"].as_array() else { return String::new() };
    let mut table = Table::new();
    for pair in pairs.iter().filter(|pair| pair["aa"] == false).take(MAX_PAIRS) {
        let ratio = pair["ratio"].as_f64().map(|ratio| format!("{ratio:.2} : 1")).unwrap_or_default();
        let pairing = format!("{} on {}", text(pair, "text"), text(pair, "background"));
        let part = |member: &str| text(pair, member).to_owned();
        table.row([pairing, ratio, part("size"), part("state"), part("theme"), part("selector")]);
    }
    let summary = format!("  {} of {} pairs fail AA\n", report["failures"], report["total"]);
    heading("Contrast report") + &summary + &table.print()
}

/// Formats the most frequent look of each component.
fn components(result: &Value) -> String {
    let Some(kinds) = result["components"].as_object() else { return String::new() };
    let mut shown = heading("Components");
    for (kind, look) in kinds.iter().filter_map(|(kind, looks)| Some((kind, looks.get(0)?))) {
        let style = declarations(&look["style"]);
        let _ = writeln!(shown, "  {kind:<9}×{}  {style}", look["count"]);
        for (state, changes) in look["states"].as_object().into_iter().flatten() {
            let _ = writeln!(shown, "           {}", dim(&format!("{state}: {}", declarations(changes))));
        }
    }
    shown
}

fn declarations(style: &Value) -> String {
    let all = style.as_object().into_iter().flatten();
    all.filter_map(|(name, value)| Some(format!("{name}: {}", value.as_str()?))).collect::<Vec<_>>().join("; ")
}

fn fonts(result: &Value) -> String {
    let fonts = result["fonts"].as_object();
    let styles = result["typography"].as_object();
    if fonts.is_none() && styles.is_none() {
        return String::new();
    }
    let mut shown = heading("Type");
    for (role, family) in fonts.into_iter().flatten().filter_map(|(role, family)| Some((role, family.as_str()?))) {
        let _ = writeln!(shown, "  {role:<9}{family}  {}", dim(&reasons(result, &format!("fonts.{role}"))));
    }
    for family in result["fonts"]["families"].as_array().into_iter().flatten() {
        let weights: Vec<&str> = family["weights"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let files = count_with_noun(family["files"].as_array().map_or(0, Vec::len), "file", "files");
        let facts = format!("{}, {files}, {}", text(family, "origin"), weights.join(" "));
        let _ = writeln!(shown, "  {}  {}", text(family, "family"), dim(&facts));
    }
    let mut table = Table::new();
    for (element, style) in styles.into_iter().flatten().filter(|(_, style)| style.is_object()) {
        let part = |member: &str| text(style, member).to_owned();
        table.row([
            element.clone(),
            part("fontSize"),
            part("fontWeight"),
            part("lineHeight"),
            part("letterSpacing"),
            part("fontFamily"),
        ]);
    }
    shown.push_str(&table.print());
    if let Some(scale) = result["typography"]["scale"].as_array().filter(|scale| !scale.is_empty()) {
        let sizes: Vec<String> = scale.iter().map(Value::to_string).collect();
        let _ = writeln!(shown, "  scale    {}", sizes.join(" "));
    }
    shown
}

fn logos(result: &Value) -> String {
    let Some(logos) = result["logos"].as_array().filter(|logos| !logos.is_empty()) else { return String::new() };
    let primary = text(result, "logo");
    let mut table = Table::new();
    for logo in logos.iter().take(MAX_LOGOS) {
        let url = text(logo, "url");
        let mark = if !primary.is_empty() && url == primary { "●" } else { " " };
        let size = dimensions(logo);
        let shown = if logo["code"].is_string() { "in the page" } else { url };
        table.row([
            mark.to_owned(),
            text(logo, "type").to_owned(),
            text(logo, "format").to_owned(),
            size,
            text(logo, "theme").to_owned(),
            logo["score"].as_f64().map(|score| format!("{score:.2}")).unwrap_or_default(),
            shown.to_owned(),
        ]);
    }
    if logos.len() > MAX_LOGOS {
        table.add_note(&format!("and {} more", count_with_noun(logos.len() - MAX_LOGOS, "candidate", "candidates")));
    }
    heading("Logos") + &table.print()
}

fn socials(result: &Value) -> String {
    let Some(socials) = result["socials"].as_array().filter(|socials| !socials.is_empty()) else {
        return String::new();
    };
    let mut table = Table::new();
    for social in socials {
        table.row([
            text(social, "platform").to_owned(),
            text(social, "handle").to_owned(),
            text(social, "url").to_owned(),
        ]);
    }
    heading("Profiles") + &table.print()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use serde_json::json;

    pub(crate) fn result() -> Value {
        json!({
            "url": "https://acme.test/", "title": "Acme <Lamps>", "description": "Light.", "siteName": "Acme", "theme": "light",
            "themeColor": "#fbf6ee",
            "colors": { "primary": "#d9622b", "accent": null, "background": "#ffffff", "text": "#1b1b1b" },
            "colorNames": { "primary": "Burnt Orange", "accent": null, "background": "White", "text": "Black" },
            "palette": [{ "hex": "#d9622b", "name": "Burnt Orange", "count": 7, "area": 0.021, "roles": ["primary", "button"],
                "properties": ["background-color"], "declared": true, "variable": "--brand" }],
            "contrast": [{ "text": "#1b1b1b", "background": "#ffffff", "ratio": 17.2, "level": "AAA", "characters": 900 }],
            "fonts": { "primary": "Inter", "mono": null, "heading": "Fraunces", "families": [{ "family": "Inter",
                "roles": ["primary"], "origin": "google", "weights": ["400", "700"], "files": ["https://acme.test/a.woff2"] }] },
            "themes": { "light": {}, "dark": { "colors": { "primary": "#ff8855", "accent": null }, "palette": [] } },
            "contrastReport": { "failures": 1, "total": 2, "onImages": 0, "pairs": [{ "text": "#888888", "background": "#ffffff",
                "ratio": 3.54, "size": "normal", "aa": false, "aaa": false, "state": "hover", "theme": "light", "elements": 1,
                "characters": 9, "selector": "p.note" }] },
            "components": { "button": [{ "count": 2, "selector": ".btn", "style": { "color": "#ffffff", "padding": "8px" },
                "states": { "hover": { "color": "#eeeeee" } } }], "input": [], "card": [], "badge": [] },
            "typography": { "h1": { "fontFamily": "Fraunces", "fontSize": "48px", "fontWeight": "700", "lineHeight": "52.8px",
                "letterSpacing": "normal" }, "scale": [14, 16, 48] },
            "logo": "https://acme.test/logo.svg",
            "logos": [
                { "url": "https://acme.test/logo.svg", "type": "logo", "source": "img", "theme": "light", "width": 120, "height": 32,
                    "format": "svg", "score": 0.93 },
                { "url": "javascript:alert(1)", "type": "icon", "source": "link", "theme": null, "score": 0.2 },
            ],
            "ogImage": "https://acme.test/og.png",
            "socials": [{ "platform": "github", "url": "https://github.com/acme", "handle": "acme" }],
            "confidence": 0.87,
            "evidence": { "colors.primary": { "basis": "declared", "from": ["80 % of button fill", "--brand"] } },
        })
    }

    #[test]
    fn board_names_everything_with_its_reasons() {
        let board = view(&result());
        for part in [
            "Acme <Lamps>",
            "Acme · light · confidence 0.87",
            "primary    #d9622b    Burnt Orange",
            "80 % of button fill, --brand",
            "accent     –",
            "×7",
            "2 %",
            "#1b1b1b on #ffffff  17.20 : 1  AAA",
            "heading  Fraunces",
            "Inter  google, 1 file, 400 700",
            "primary    #ff8855",
            "1 of 2 pairs fail AA",
            "#888888 on #ffffff  3.54 : 1  normal  hover  light  p.note",
            "button   ×2  color: #ffffff; padding: 8px",
            "hover: color: #eeeeee",
            "h1  48px  700  52.8px  normal  Fraunces",
            "scale    14 16 48",
            "●  logo  svg  120×32  light  0.93  https://acme.test/logo.svg",
            "github  acme  https://github.com/acme",
        ] {
            assert!(board.contains(part), "{part}\n{board}");
        }
    }

    #[test]
    fn values_removed_by_fields_are_omitted() {
        let narrowed = json!({ "url": "https://acme.test/", "logo": null, "confidence": 0.5 });
        assert_eq!(view(&narrowed), "  confidence 0.50\n");
        assert_eq!(view(&json!({ "url": "u", "colors": { "primary": null } })).lines().count(), 2);
    }
}
