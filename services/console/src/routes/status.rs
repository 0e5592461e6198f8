//! The public status page, from the results of the probes.

use crate::background_jobs;
use crate::background_jobs::ComponentHealth;
use crate::error::Fault;
use crate::identity::RequestIdentity;
use crate::layout::PageLayout;
use crate::state::AppState;
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
pub(crate) async fn page(State(app): State<Arc<AppState>>, visitor: RequestIdentity) -> Result<Response, Fault> {
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
        Some(true) => ("Answers", "up"),
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
        let share = hour.up.map_or_else(|| "nobody looked".to_owned(), percent);
        Bar { x: index * 8, tone, title: format!("{ago} h ago: {share}") }
    };
    Row {
        label: part.label,
        state,
        tone,
        month: part.month.map_or_else(|| "–".to_owned(), percent),
        bars: part.hours.iter().enumerate().map(bar).collect(),
    }
}

/// Rounds down, so that a component that was ever down is not shown as 100 %.
fn percent(share: f64) -> String {
    let hundredths = (share * 10_000.0).floor() / 100.0;
    format!("{hundredths} %")
}
