//! Comma-separated values (RFC 4180) that no spreadsheet runs as formulas.

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

/// Quoted where needed; kept from being a formula by a leading apostrophe.
fn field(text: &str) -> String {
    let is_formula = text.trim_start_matches(' ').starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '|', '%']);
    let text = if is_formula { format!("'{text}") } else { text.to_owned() };
    if text.contains(['"', ',', '\r', '\n', '\'']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_stay_apart_and_run_nothing() {
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
