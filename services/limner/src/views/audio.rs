//! `limner extract audio`.

use super::table::Table;
use super::{bytes, clock, heading, kind, text};
use serde_json::Value;

/// Columns: source, provider or type, length, size, URL; the title below.
pub(super) fn view(items: &[Value], _: &Value) -> String {
    let mut table = Table::new();
    for item in items {
        let source = text(item, "source").to_owned();
        let (length, size) = (clock(item["duration"].as_f64()), bytes(item["length"].as_u64()));
        table.row([source, kind(item), length, size, text(item, "url").to_owned()]);
        if !text(item, "title").is_empty() {
            table.add_note(text(item, "title"));
        }
    }
    format!("{}{}", heading(items, "sound", "sounds"), table.print())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn audio_view_has_a_line_per_item() {
        let items = [
            json!({ "url": "https://a.test/1.mp3", "source": "enclosure", "type": "audio/mpeg", "title": "One", "length": 3_400_000, "duration": 3723 }),
        ];
        let expected = "1 sound: 1 enclosure\n\n  enclosure  mpeg  1:02:03  3.4 MB  https://a.test/1.mp3\n      One\n";
        assert_eq!(view(&items, &Value::Null), expected);
    }
}
