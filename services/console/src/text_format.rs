//! Formats numbers, money and times for people.

use time::format_description::BorrowedFormatItem;
use time::macros::format_description;
use time::{Date, OffsetDateTime};

const MOMENT: &[BorrowedFormatItem<'_>] = format_description!("[year]-[month]-[day] [hour]:[minute] UTC");
const DAY: &[BorrowedFormatItem<'_>] = format_description!("[day padding:none] [month repr:short] [year]");

/// `12,345`
pub(crate) fn number(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `€19`, `$4.50`
pub(crate) fn money(cents: u64, currency: &str) -> String {
    let sign = if currency == "usd" { "$" } else { "€" };
    match cents % 100 {
        0 => format!("{sign}{}", number(cents / 100)),
        rest => format!("{sign}{}.{rest:02}", number(cents / 100)),
    }
}

/// `<1 ms`, `340 ms`, `2.4 s`
pub(crate) fn milliseconds(value: u32) -> String {
    match value {
        0 => "<1 ms".to_owned(),
        1..1_000 => format!("{value} ms"),
        _ => format!("{:.1} s", f64::from(value) / 1_000.0),
    }
}

/// `2026-11-22 02:10 UTC`
pub(crate) fn moment(at: OffsetDateTime) -> String {
    at.to_offset(time::UtcOffset::UTC).format(&MOMENT).unwrap_or_default()
}

/// Like [`moment`], from seconds since the epoch.
pub(crate) fn moment_unix(seconds: i64) -> String {
    OffsetDateTime::from_unix_timestamp(seconds).map(moment).unwrap_or_default()
}

/// `22 Nov 2026`
pub(crate) fn day(date: Date) -> String {
    date.format(&DAY).unwrap_or_default()
}

/// Like [`day`], from text such as `2026-11-22`; other texts are returned unchanged.
pub(crate) fn day_text(text: &str) -> String {
    let parsed = Date::parse(text, format_description!("[year]-[month]-[day]"));
    parsed.map_or_else(|_| text.to_owned(), day)
}

/// `top-up` → `Top-up`
pub(crate) fn capital(word: &str) -> String {
    let mut characters = word.chars();
    characters.next().map(char::to_uppercase).into_iter().flatten().chain(characters.by_ref()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_money_and_times_are_formatted() {
        for (value, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(number(value), text);
        }
        for (cents, currency, text) in [(1_900, "eur", "€19"), (450, "usd", "$4.50"), (199_005, "eur", "€1,990.05")]
        {
            assert_eq!(money(cents, currency), text);
        }
        for (value, text) in [(0, "<1 ms"), (999, "999 ms"), (1_000, "1.0 s"), (61_250, "61.2 s")] {
            assert_eq!(milliseconds(value), text);
        }
        assert_eq!(moment_unix(1_795_305_600), "2026-11-22 00:00 UTC");
        assert_eq!((day_text("2026-11-02").as_str(), day_text("x").as_str()), ("2 Nov 2026", "x"));
        assert_eq!(capital("top-up"), "Top-up");
    }
}
