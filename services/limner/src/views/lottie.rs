//! `limner extract lottie`, and the files of `--out`.

use super::table::Table;
use super::{clock, count_with_noun, dimensions, heading, text};
use serde_json::Value;

/// Maximum number of problems shown per animation.
const MAX_PROBLEMS: usize = 3;

/// Columns: validity, name, size, rate, length, layers, URL; problems below.
pub(super) fn view(items: &[Value], _: &Value) -> String {
    let mut table = Table::new();
    for item in items {
        let mark = if item["valid"] == true { "✓" } else { "✗" };
        let rate = item["frameRate"].as_f64().map(|rate| format!("{} fps", (rate * 100.0).round() / 100.0));
        let layers = item["layers"].as_u64().map(|count| count_with_noun(count as usize, "layer", "layers"));
        let name = ["name", "id"].into_iter().map(|member| text(item, member)).find(|name| !name.is_empty());
        table.row([
            mark.to_owned(),
            text(item, "source").to_owned(),
            name.unwrap_or_default().to_owned(),
            dimensions(item),
            rate.unwrap_or_default(),
            clock(item["durationSeconds"].as_f64()),
            layers.unwrap_or_default(),
            item["url"].as_str().unwrap_or("in the page").to_owned(),
        ]);
        let problems = item["problems"].as_array().map(Vec::as_slice).unwrap_or_default();
        for problem in problems.iter().take(MAX_PROBLEMS).filter_map(Value::as_str) {
            table.add_note(problem);
        }
        if problems.len() > MAX_PROBLEMS {
            table.add_note(&format!("and {} more", problems.len() - MAX_PROBLEMS));
        }
    }
    format!("{}{}", heading(items, "animation", "animations"), table.print())
}

/// Returns name and contents of a file for each readable animation. Names are unique and safe on every system.
pub(crate) fn files(result: &Value) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = Vec::new();
    for item in result["lottie"].as_array().into_iter().flatten().filter(|item| item["animation"].is_object()) {
        let stem = file_stem(item);
        let taken = |name: &str| files.iter().any(|(known, _)| known.eq_ignore_ascii_case(name));
        let first = format!("{stem}.json");
        let name = if taken(&first) {
            (2..).map(|number| format!("{stem}-{number}.json")).find(|name| !taken(name)).unwrap_or(first)
        } else {
            first
        };
        files.push((name, item["animation"].to_string()));
    }
    files
}

/// Returns the id in the archive, otherwise the name of the file, otherwise the name of the animation.
fn file_stem(item: &Value) -> String {
    let path = text(item, "url").split(['?', '#']).next().unwrap_or_default();
    let file = path.rsplit('/').next().unwrap_or_default();
    let file = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let candidates = [text(item, "id"), file, text(item, "name")];
    let safe = candidates.into_iter().map(safe_name).find(|name| !name.is_empty());
    // `lottie.json` is the result itself.
    match safe {
        Some(name) if !name.eq_ignore_ascii_case("lottie") => name,
        _ => "animation".to_owned(),
    }
}

fn safe_name(name: &str) -> String {
    let letter = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_') { c } else { '-' };
    let safe: String = name.chars().take(60).map(letter).collect();
    safe.trim_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lottie_view_has_a_line_per_animation() {
        let items = [
            json!({ "url": "https://a.test/a.json", "source": "webflow", "name": "Demo", "width": 100, "height": 200, "frameRate": 29.970_001,
                "durationSeconds": 2, "layers": 1, "valid": true }),
            json!({ "url": null, "source": "script", "valid": false, "problems": ["1", "2", "3", "4", "5"] }),
        ];
        let expected = "2 animations: 1 webflow, 1 script\n\n\
            \u{20} ✓  webflow  Demo  100×200  29.97 fps  2.0 s  1 layer  https://a.test/a.json\n\
            \u{20} ✗  script                                             in the page\n\
            \u{20}     1\n\u{20}     2\n\u{20}     3\n\u{20}     and 2 more\n";
        assert_eq!(view(&items, &Value::Null), expected);
    }

    #[test]
    fn lottie_view_writes_a_file_per_animation() {
        let animation = json!({ "layers": [] });
        let result = json!({ "lottie": [
            { "url": "https://a.test/x/hero.json?v=1", "animation": animation },
            { "url": "https://b.test/HERO.json", "animation": animation },
            { "url": "https://a.test/pack.lottie", "id": "../../etc", "animation": animation },
            { "url": null, "name": "Ünï cöde", "animation": animation },
            { "url": "https://a.test/lottie.json", "animation": animation },
            { "url": null, "animation": animation },
            { "url": "https://a.test/gone.json", "animation": null },
        ] });
        let names: Vec<String> = files(&result).into_iter().map(|(name, _)| name).collect();
        assert_eq!(
            names,
            ["hero.json", "HERO-2.json", "etc.json", "Ünï-cöde.json", "animation.json", "animation-2.json"]
        );
        assert_eq!(files(&result)[0].1, r#"{"layers":[]}"#);
        assert!(files(&Value::Null).is_empty());
    }
}
