//! Parses durations_are_parsed.

/// Maximum plausible duration in seconds: 31 days. Longer ones are typing errors.
const MAX_SECONDS: f64 = 31.0 * 86_400.0;

/// Parses ISO 8601 (`PT1H2M3.5S`, `P1DT2H`) into seconds. Years and months have no fixed length and
/// are rejected.
pub(crate) fn iso8601(text: &str) -> Option<f64> {
    let text = text.trim();
    let mut rest = text.strip_prefix(['P', 'p'])?;
    let (mut seconds, mut in_time, mut parts) = (0.0, false, 0);
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix(['T', 't']) {
            (rest, in_time) = (after, true);
            continue;
        }
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',')?;
        let amount: f64 = rest[..digits].replace(',', ".").parse().ok()?;
        let unit = rest[digits..].chars().next()?;
        seconds += amount
            * match (unit.to_ascii_uppercase(), in_time) {
                ('W', false) => 604_800.0,
                ('D', false) => 86_400.0,
                ('H', true) => 3_600.0,
                ('M', true) => 60.0,
                ('S', true) => 1.0,
                _ => return None,
            };
        parts += 1;
        rest = &rest[digits + unit.len_utf8()..];
    }
    (parts > 0).then_some(seconds).and_then(believable)
}

/// Parses `HH:MM:SS`, `MM:SS` or seconds, as in feeds.
pub(crate) fn clock(text: &str) -> Option<f64> {
    let parts: Vec<&str> = text.trim().split(':').collect();
    if parts.len() > 3 {
        return None;
    }
    let mut seconds = 0.0;
    for part in parts {
        let part = part.trim();
        if part.is_empty() || !part.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
            return None;
        }
        seconds = seconds * 60.0 + part.parse::<f64>().ok()?;
    }
    believable(seconds)
}

/// Parses either form.
pub(crate) fn parse_duration(text: &str) -> Option<f64> {
    iso8601(text).or_else(|| clock(text))
}

fn believable(seconds: f64) -> Option<f64> {
    (seconds > 0.0 && seconds <= MAX_SECONDS).then_some(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_parsed() {
        for (text, seconds) in [
            ("PT1H2M3S", Some(3723.0)),
            (" pt90s ", Some(90.0)),
            ("PT0H05M30S", Some(330.0)),
            ("P1DT1H", Some(90_000.0)),
            ("PT1,5S", Some(1.5)),
            ("P1W", Some(604_800.0)),
            ("PT", None),
            ("P1Y", None),
            ("PT1M1", None),
            ("P1M", None),
            ("1:02:03", Some(3723.0)),
            ("62:03", Some(3723.0)),
            ("3723", Some(3723.0)),
            ("12.5", Some(12.5)),
            ("0", None),
            ("1:2:3:4", None),
            ("-5", None),
            ("a:b", None),
            ("", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(parse_duration(text), seconds, "{text}");
        }
    }
}
