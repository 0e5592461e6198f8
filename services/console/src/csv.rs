//! Comma-separated values (RFC 4180) that spreadsheets do not run as formulas.

/// Writes a row.
pub(crate) fn row(out: &mut String, fields: &[&str]) {
    for (index, text) in fields.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        out.push_str(&field(text));
    }
    out.push_str("\r\n");
}

/// Quotes a field if needed, and puts an apostrophe before a text that would be a formula.
fn field(text: &str) -> String {
    let is_formula = text.trim_start_matches(' ').starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '|', '%']);
    let text = if is_formula { format!("'{text}") } else { text.to_owned() };
    if text.contains(['"', ',', '\r', '\n', '\'']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_separated_and_formulas_escaped() {
        for (text, written) in [
            ("plain", "plain"),
            ("a,b", "\"a,b\""),
            ("say \"x\"", "\"say \"\"x\"\"\""),
            ("=1+1", "\"'=1+1\""),
            (" =1+1", "\"' =1+1\""),
            ("+1", "\"'+1\""),
            ("-1", "\"'-1\""),
            ("@SUM(A1)", "\"'@SUM(A1)\""),
            ("\t=1", "\"'\t=1\""),
            ("https://example.org/?a=1", "https://example.org/?a=1"),
        ] {
            let mut out = String::new();
            row(&mut out, &[text, "1"]);
            assert_eq!(out, format!("{written},1\r\n"), "{text}");
        }
    }
}
