//! `limner extract fonts`.

use super::table::Table;
use super::{count_with_noun, text};
use serde_json::Value;

/// Formats the families first, then each face with its file.
pub(super) fn view(faces: &[Value], result: &Value) -> String {
    let families = result["families"].as_array().map(Vec::as_slice).unwrap_or_default();
    let used = families.iter().filter(|family| family["used"] == true).count();
    let mut heading = count_with_noun(faces.len(), "face", "faces");
    if !families.is_empty() {
        heading = format!("{} ({used} in use), {heading}", count_with_noun(families.len(), "family", "families"));
    }
    let mut text = format!("{heading}\n");
    for table in [table_of_families(families), table_of_faces(faces)] {
        if !table.is_empty() {
            text.push('\n');
            text.push_str(&table);
        }
    }
    text
}

fn table_of_families(families: &[Value]) -> String {
    let mut table = Table::new();
    for family in families {
        let files = family["files"].as_u64().map(|count| count_with_noun(count as usize, "file", "files"));
        table.row([
            mark(family),
            text(family, "family").to_owned(),
            list(&family["weights"]),
            list(&family["styles"]),
            files.unwrap_or_default(),
        ]);
    }
    table.print()
}

fn table_of_faces(faces: &[Value]) -> String {
    let mut table = Table::new();
    for face in faces {
        let axes = face["variable"]["axes"].as_array().map(Vec::as_slice).unwrap_or_default();
        let axes: Vec<String> = axes.iter().map(axis).collect();
        table.row([
            mark(face),
            text(face, "family").to_owned(),
            text(face, "weight").to_owned(),
            text(face, "style").to_owned(),
            axes.join(", "),
            text(face, "format").to_owned(),
            text(face, "source").to_owned(),
            file(face),
        ]);
    }
    table.print()
}

fn mark(item: &Value) -> String {
    if item["used"] == true { "●" } else { "○" }.to_owned()
}

fn list(values: &Value) -> String {
    let values = values.as_array().map(Vec::as_slice).unwrap_or_default();
    values.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", ")
}

/// Formats an axis: `wght 100–900`.
fn axis(axis: &Value) -> String {
    let number = |member: &str| axis[member].as_f64().unwrap_or_default();
    format!("{} {}–{}", text(axis, "tag"), number("min"), number("max"))
}

/// Returns the URL; for `data:` URLs their size; without a file the local names.
fn file(face: &Value) -> String {
    let url = text(face, "url");
    if url.starts_with("data:") {
        return format!("in the sheet ({})", super::bytes(Some(url.len() as u64)));
    }
    if !url.is_empty() {
        return url.to_owned();
    }
    let sources = face["src"].as_array().map(Vec::as_slice).unwrap_or_default();
    sources.iter().filter_map(|source| source["local"].as_str()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn font_view_lists_families_and_faces() {
        let result = json!({
            "fonts": [
                { "family": "Inter", "weight": "100 900", "style": "normal", "format": "woff2", "source": "google", "used": true,
                  "url": "https://fonts.gstatic.com/i.woff2", "variable": { "axes": [{ "tag": "wght", "min": 100, "max": 900 }] } },
                { "family": "Icons", "weight": "400", "style": "normal", "format": "woff", "source": "data", "used": false,
                  "url": "data:font/woff;base64,AAAA" },
                { "family": "Sys", "weight": "400", "style": "normal", "source": "local", "used": false, "url": null, "src": [{ "local": "Arial" }] },
            ],
            "families": [
                { "family": "Inter", "weights": ["100 900"], "styles": ["normal"], "files": 1, "used": true },
                { "family": "Icons", "weights": ["400"], "styles": ["normal"], "files": 1, "used": false },
            ]
        });
        let expected = "2 families (1 in use), 3 faces\n\n\
            \u{20} ●  Inter  100 900  normal  1 file\n\
            \u{20} ○  Icons  400      normal  1 file\n\n\
            \u{20} ●  Inter  100 900  normal  wght 100–900  woff2  google  https://fonts.gstatic.com/i.woff2\n\
            \u{20} ○  Icons  400      normal                woff   data    in the sheet (26 B)\n\
            \u{20} ○  Sys    400      normal                       local   Arial\n";
        assert_eq!(view(result["fonts"].as_array().unwrap(), &result), expected);
        assert_eq!(view(&[], &Value::Null), "0 faces\n");
    }
}
