//! Comma-separated values (RFC 4180) that no spreadsheet runs as formulas.

use csv::{Terminator, WriterBuilder};

/// Writes rows. A text that a spreadsheet would run as a formula is kept from it by a leading apostrophe.
pub fn to_csv<Row: IntoIterator<Item: AsRef<str>>>(rows: impl IntoIterator<Item = Row>) -> String {
    let mut writer = WriterBuilder::new().terminator(Terminator::CRLF).flexible(true).from_writer(Vec::new());
    for row in rows {
        // Writing to memory does not fail.
        let _ = writer.write_record(row.into_iter().map(|field| harmless(field.as_ref())));
    }
    let written = writer.into_inner().unwrap_or_default();
    String::from_utf8_lossy(&written).into_owned()
}

fn harmless(text: &str) -> String {
    let is_formula = text.trim_start_matches(' ').starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '|', '%']);
    if is_formula { format!("'{text}") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_fields_are_quoted_and_formulas_disabled() {
        for (text, written) in [
            ("plain", "plain"),
            ("a,b", "\"a,b\""),
            ("say \"x\"", "\"say \"\"x\"\"\""),
            ("=1+1", "'=1+1"),
            (" =1+1", "' =1+1"),
            ("=1,2", "\"'=1,2\""),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            ("|cmd", "'|cmd"),
            ("%1", "'%1"),
            ("\n=1", "\"'\n=1\""),
            ("a\nb", "\"a\nb\""),
            ("o'neill", "o'neill"),
            ("https://example.org/?a=1", "https://example.org/?a=1"),
        ] {
            assert_eq!(to_csv([[text, "1"], ["", ""]]), format!("{written},1\r\n,\r\n"), "{text}");
        }
    }
}
