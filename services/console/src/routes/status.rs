//! The public status page, from the results of the probes.

use crate::background_jobs;
use crate::background_jobs::ComponentHealth;
use crate::error::HttpError;
use crate::identity::RequestIdentity;
use crate::layout::PageLayout;
use crate::state::AppState;
use crate::text_format::number;
use askama::Template;
use axum::extract::State;
use axum::response::Response;
use std::sync::Arc;

/// A component, as shown on the page.
struct Row {
    label: &'static str,
    state: &'static str,
    /// CSS class.
    tone: &'static str,
    month: String,
    /// The time that the share is of; `None` if there was no check.
    checked: Option<String>,
    bars: Vec<Bar>,
}

/// A bar of the chart: one hour.
struct Bar {
    x: usize,
    tone: &'static str,
    title: String,
}

#[derive(Template)]
#[template(path = "status.html")]
struct StatusPage {
    shell: PageLayout,
    headline: &'static str,
    tone: &'static str,
    rows: Vec<Row>,
}

/// `GET /status`
pub(crate) async fn page(State(app): State<Arc<AppState>>, visitor: RequestIdentity) -> Result<Response, HttpError> {
    let health = background_jobs::health(&app).await?;
    let (headline, tone) = if health.iter().any(|part| part.is_up == Some(false)) {
        ("Some components are down", "down")
    } else if health.iter().any(|part| part.is_up.is_none()) {
        ("No data yet", "unknown")
    } else {
        ("All systems operational", "up")
    };
    let rows = health.iter().map(row).collect();
    Ok(visitor.render(&StatusPage { shell: visitor.shell("Status", "status"), headline, tone, rows }))
}

fn row(part: &ComponentHealth) -> Row {
    let (state, tone) = match part.is_up {
        Some(true) => ("Operational", "up"),
        Some(false) => ("Down", "down"),
        None => ("Unknown", "unknown"),
    };
    let bar = |(index, hour): (usize, &background_jobs::HealthHour)| {
        let tone = match hour.up {
            None => "unknown",
            Some(up) if up >= 0.999 => "up",
            Some(up) if up >= 0.9 => "shaky",
            Some(_) => "down",
        };
        let ago = part.hours.len() - 1 - index;
        let share = hour.up.map_or_else(|| "not checked".to_owned(), |share| format!("{} available", percent(share)));
        Bar { x: index * 8, tone, title: format!("{ago} h ago: {share}") }
    };
    Row {
        label: part.label,
        state,
        tone,
        month: part.month.map_or_else(|| "–".to_owned(), percent),
        checked: (part.checks > 0).then(|| checked(part.checks)),
        bars: part.hours.iter().enumerate().map(bar).collect(),
    }
}

/// Tones of the bars and what they mean.
const LEGEND: [(&str, &str); 4] = [
    ("up", "available"),
    ("shaky", "partly available (90 % and more)"),
    ("down", "less than 90 %"),
    ("unknown", "not checked"),
];

/// Describes the time that the checks of the last 30 days cover, one a minute: a share of two minutes is not one of a month.
fn checked(checks: i64) -> String {
    match checks {
        1 => "1 check".to_owned(),
        // Most of 30 days.
        40_000.. => "the last 30 days".to_owned(),
        checks => format!("{} checks in the last 30 days", number(u64::try_from(checks).unwrap_or_default())),
    }
}

/// Rounds down, so that a component that was ever down is not shown as 100 %.
fn percent(share: f64) -> String {
    let hundredths = (share * 10_000.0).floor() / 100.0;
    format!("{hundredths} %")
}
