//! `limner extract videos`.

use super::table::Table;
use super::{clock, dimensions, heading, kind, text};
use serde_json::Value;

/// Columns: source, provider or type, size, length, URL; the title below.
pub(super) fn view(items: &[Value], _: &Value) -> String {
    let mut table = Table::new();
    for item in items {
        let source = text(item, "source").to_owned();
        let length = clock(item["duration"].as_f64());
        table.row([source, kind(item), dimensions(item), length, text(item, "url").to_owned()]);
        if !text(item, "title").is_empty() {
            table.add_note(text(item, "title"));
        }
    }
    format!("{}{}", heading(items, "video", "videos"), table.print())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn video_view_has_a_line_per_item() {
        let items = [
            json!({ "url": "https://a.test/a.mp4", "source": "source", "type": "video/mp4", "width": 640, "height": 360 }),
            json!({ "url": "https://youtu.be/x", "source": "embed", "provider": "youtube", "title": "Film", "duration": 90 }),
        ];
        let expected = "2 videos: 1 source, 1 embed\n\n\
            \u{20} source  mp4      640×360        https://a.test/a.mp4\n\
            \u{20} embed   youtube           1:30  https://youtu.be/x\n\
            \u{20}     Film\n";
        assert_eq!(view(&items, &Value::Null), expected);
    }
}
