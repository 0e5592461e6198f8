//! Usage pages: a summary of the month, and every call.

use super::auth::DoneQuery;
use crate::error::HttpError;
use crate::identity::{RequestIdentity, SignedInUser};
use crate::layout::PageLayout;
use crate::security_headers::PageKind;
use crate::state::AppState;
use crate::text_format::{capital, day_text, milliseconds, moment, money, number};
use crate::view::chart::Chart;
use crate::view::demo_results::{DEMO_RESULTS, DemoResults};
use crate::view::results::Mark;
use askama::Template;
use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::header;
use limner_proto::{v1, with_trace};
use limner_runtime::csv::to_csv;
use limner_types::{ErrorCode, Operation, WireEnum};
use serde::Deserialize;
use std::sync::Arc;
use time::format_description::well_known::Rfc3339;
use time::macros::format_description;
use time::{Date, Duration, OffsetDateTime};

const PAGE: u32 = 50;
const CSV_PAGE: u32 = 1_000;
/// Maximum number of rows of one export.
const MAX_CSV_ROWS: u32 = 200_000;
const LATEST: u32 = 6;

/// A call, as shown to its owner.
pub(crate) struct CallRow {
    pub(crate) request_id: String,
    /// To the minute, for people.
    pub(crate) at: String,
    /// RFC 3339 with milliseconds, for programs.
    exact_time: String,
    pub(crate) operation: String,
    pub(crate) url: String,
    pub(crate) key: String,
    /// Origin of the call: `api`, `playground` or `mcp`.
    pub(crate) via: &'static str,
    pub(crate) outcome: String,
    pub(crate) is_ok: bool,
    pub(crate) cached: bool,
    pub(crate) credits: u64,
    pub(crate) duration_ms: Option<u32>,
    pub(crate) source: &'static str,
    pub(crate) remarks: Vec<&'static str>,
}

impl CallRow {
    /// Returns how long the call took, for people; empty if nobody measured it.
    pub(crate) fn duration(&self) -> String {
        self.duration_ms.map(milliseconds).unwrap_or_default()
    }

    fn new(call: v1::AccountCall) -> Self {
        let via = purpose_name(call.key_purpose());
        let entry = call.entry.unwrap_or_default();
        let remark = |is: bool, text| is.then_some(text);
        let at = OffsetDateTime::from_unix_timestamp_nanos(i128::from(entry.at_unix_ms) * 1_000_000);
        Self {
            source: source(entry.source()),
            via,
            at: at.map(moment).unwrap_or_default(),
            exact_time: at.ok().and_then(|at| at.format(&Rfc3339).ok()).unwrap_or_default(),
            is_ok: entry.outcome == "ok",
            remarks: [
                remark(entry.cached, "served from the cache"),
                remark(entry.auto_render, "read in the browser, at no extra cost"),
                remark(entry.late, "charged late"),
                remark(entry.refunded, "given back"),
            ]
            .into_iter()
            .flatten()
            .collect(),
            request_id: entry.request_id,
            operation: entry.operation,
            url: entry.url,
            key: if call.key_name.is_empty() { call.key_id } else { call.key_name },
            outcome: entry.outcome,
            cached: entry.cached,
            credits: entry.credits,
            duration_ms: entry.duration_ms,
        }
    }
}

fn purpose_name(purpose: v1::KeyPurpose) -> &'static str {
    match purpose {
        v1::KeyPurpose::Unspecified | v1::KeyPurpose::Api => "api",
        v1::KeyPurpose::Playground => "playground",
        v1::KeyPurpose::Mcp => "mcp",
    }
}

fn source(source: v1::CreditSource) -> &'static str {
    match source {
        v1::CreditSource::Unspecified => "",
        v1::CreditSource::Plan => "plan",
        v1::CreditSource::Pack => "pack",
        v1::CreditSource::Overage => "overage",
        v1::CreditSource::Unlimited => "unlimited",
    }
}

#[derive(Template)]
#[template(path = "landing.html")]
struct LandingPage {
    shell: PageLayout,
    api_url: String,
    landing: &'static DemoResults,
}

#[derive(Template)]
#[template(path = "overview.html")]
struct OverviewPage {
    shell: PageLayout,
    plan: String,
    suspended: bool,
    spent: String,
    /// Usage of the plan's credits; `None`: unlimited.
    limit: Option<QuotaMeter>,
    pack_balance: String,
    overage: Option<String>,
    resets: String,
    calls: String,
    cached: String,
    failed: String,
    chart: Chart,
    latest: Vec<CallRow>,
}

/// Used share of the plan.
struct QuotaMeter {
    used: u64,
    of: u64,
    used_text: String,
    of_text: String,
    left: String,
}

/// `GET /`: the landing page, or the overview for a signed-in user.
pub(crate) async fn home(
    State(app): State<Arc<AppState>>,
    visitor: RequestIdentity,
    Query(query): Query<DoneQuery>,
) -> Result<Response, HttpError> {
    match visitor.session {
        Some(_) => overview(&app, visitor.member()?, query.done.as_deref()).await,
        None => {
            let shell =
                PageLayout { notice: crate::layout::notice(query.done.as_deref()), ..visitor.shell("Limner", "home") };
            let page = LandingPage { shell, api_url: app.config.api_url.clone(), landing: &DEMO_RESULTS };
            Ok(visitor.show_as(&page, PageKind::Framing))
        }
    }
}

/// `GET /landing/component`: the component of the landing page, in a document without scripts and origin.
pub(crate) async fn landing_component() -> Response {
    let mut response = axum::response::Html(DEMO_RESULTS.code.preview.clone()).into_response();
    response.extensions_mut().insert(PageKind::Preview);
    response
}

async fn overview(app: &AppState, member: SignedInUser, done: Option<&str>) -> Result<Response, HttpError> {
    let account_id = member.account_id();
    let today = OffsetDateTime::now_utc().date();
    let since = today - Duration::days(29);
    let days = v1::ListUsageDaysRequest {
        account_id: account_id.clone(),
        since: since.to_string(),
        until: (today + Duration::days(1)).to_string(),
    };
    let latest = v1::ListCallsRequest { account_id: account_id.clone(), limit: LATEST, ..Default::default() };
    let (mut one, mut two, mut three) = (app.metering.accounts(), app.metering.accounts(), app.metering.accounts());
    let (account, days, latest) = tokio::try_join!(
        one.describe_account(with_trace(v1::DescribeAccountRequest { account_id })),
        two.list_usage_days(with_trace(days)),
        three.list_calls(with_trace(latest)),
    )?;
    let (details, days) = (account.into_inner(), days.into_inner().days);
    let account = details.account.unwrap_or_default();
    let month = OffsetDateTime::from_unix_timestamp(account.period_start_unix).map_or(today, OffsetDateTime::date);
    let in_month = || days.iter().filter(|day| day.day.as_str() >= month.to_string().as_str());
    let sum = |of: fn(&v1::UsageDay) -> u64| number(in_month().map(of).sum());
    let page = OverviewPage {
        shell: member.shell("Overview", "home", done),
        plan: capital(&account.plan),
        suspended: account.suspended,
        spent: number(account.spent_this_month),
        limit: account.monthly_limit.map(|limit| QuotaMeter {
            used: account.plan_spent.min(limit),
            of: limit.max(1),
            used_text: number(account.plan_spent),
            of_text: number(limit),
            left: number(limit.saturating_sub(account.plan_spent)),
        }),
        pack_balance: number(account.pack_balance),
        overage: details.overage_rate_cents.map(|cents| overage(&account, cents, &details.currency)),
        resets: day_text(&next_month(month).to_string()),
        calls: sum(|day| day.calls),
        cached: sum(|day| day.cached),
        failed: sum(|day| day.failed),
        chart: Chart::new(since, 30, &days),
        latest: latest.into_inner().calls.into_iter().map(CallRow::new).collect(),
    };
    Ok(member.visitor.render(&page))
}

fn overage(account: &v1::Account, cents: u32, currency: &str) -> String {
    if !account.overage_enabled {
        return "off".to_owned();
    }
    let owed = (account.overage_spent * u64::from(cents)).div_ceil(1_000);
    match account.overage_spent {
        0 => "on, none used".to_owned(),
        spent => format!("{} credits, about {}", number(spent), money(owed, currency)),
    }
}

fn next_month(month: Date) -> Date {
    (month.replace_day(28).unwrap_or(month) + Duration::days(4)).replace_day(1).unwrap_or(month)
}

/// The fields of the filter form, empty if not set.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Filter {
    operation: String,
    outcome: String,
    key: String,
    url: String,
    since: String,
    until: String,
    request_id: String,
    cursor: String,
}

impl Filter {
    /// # Errors
    /// A date is invalid, or the form has no such operation or outcome: without an error, a mistyped link would show an
    /// empty history.
    fn request(&self, account_id: String, limit: u32) -> Result<v1::ListCallsRequest, HttpError> {
        check_choice("operation", &self.operation, &operations())?;
        check_choice("outcome", &self.outcome, &outcomes())?;
        let given = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        let begin_of = |date: Date| date.midnight().assume_utc().unix_timestamp();
        Ok(v1::ListCallsRequest {
            account_id,
            limit,
            cursor: given(&self.cursor),
            request_id: given(&self.request_id),
            operation: given(&self.operation),
            key_id: given(&self.key),
            outcome: given(&self.outcome),
            url_part: given(&self.url),
            since_unix: date(&self.since)?.map(begin_of),
            until_unix: date(&self.until)?.and_then(Date::next_day).map(begin_of),
        })
    }

    /// Returns true if it leaves anything out.
    fn is_set(&self) -> bool {
        !self.query("").is_empty() || !self.request_id.is_empty()
    }

    /// Returns the filter as a query, with another cursor.
    fn query(&self, cursor: &str) -> String {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        for (name, value) in [
            ("operation", &self.operation),
            ("outcome", &self.outcome),
            ("key", &self.key),
            ("url", &self.url),
            ("since", &self.since),
            ("until", &self.until),
        ] {
            if !value.is_empty() {
                query.append_pair(name, value);
            }
        }
        if !cursor.is_empty() {
            query.append_pair("cursor", cursor);
        }
        query.finish()
    }
}

/// Returns the values of the filter `operation`.
fn operations() -> Vec<&'static str> {
    Operation::ALL.iter().map(|operation| operation.as_str()).collect()
}

/// Returns the values of the filter `outcome`.
fn outcomes() -> Vec<&'static str> {
    ["ok", "failed", "cached"].into_iter().chain(ErrorCode::ALL.iter().map(|code| code.as_str())).collect()
}

fn check_choice(name: &str, value: &str, valid: &[&str]) -> Result<(), HttpError> {
    let value = value.trim();
    if value.is_empty() || valid.contains(&value) {
        return Ok(());
    }
    Err(HttpError::Invalid(format!("There is no such {name}. Valid values: {}.", valid.join(", "))))
}

fn date(text: &str) -> Result<Option<Date>, HttpError> {
    if text.is_empty() {
        return Ok(None);
    }
    let date = Date::parse(text, format_description!("[year]-[month]-[day]"));
    date.map(Some).map_err(|_| HttpError::Invalid("Dates are written as 2026-11-22.".to_owned()))
}

#[derive(Template)]
#[template(path = "usage.html")]
struct HistoryPage {
    shell: PageLayout,
    filter: Filter,
    operations: Vec<&'static str>,
    outcomes: Vec<&'static str>,
    keys: Vec<(String, String)>,
    calls: Vec<CallRow>,
    csv: String,
    older: Option<String>,
    is_first: bool,
}

/// `GET /usage`
pub(crate) async fn history(
    State(app): State<Arc<AppState>>,
    member: SignedInUser,
    Query(filter): Query<Filter>,
) -> Result<Response, HttpError> {
    let request = filter.request(member.account_id(), PAGE)?;
    let keys = v1::ListKeysRequest { account_id: member.account_id() };
    let (mut one, mut two) = (app.metering.accounts(), app.metering.accounts());
    let (calls, keys) = tokio::try_join!(one.list_calls(with_trace(request)), two.list_keys(with_trace(keys)))?;
    let (calls, keys) = (calls.into_inner(), keys.into_inner().keys);
    let page = HistoryPage {
        shell: member.shell("Usage", "usage", None),
        operations: operations(),
        outcomes: outcomes(),
        keys: keys
            .into_iter()
            .filter(is_listed)
            .map(|key| (key.key_id, format!("{} ({}…)", key.name, key.prefix)))
            .collect(),
        calls: calls.calls.into_iter().map(CallRow::new).collect(),
        csv: format!("/usage.csv?{}", filter.query("")),
        older: calls.next_cursor.map(|cursor| format!("/usage?{}", filter.query(&cursor))),
        is_first: filter.cursor.is_empty(),
        filter,
    };
    Ok(member.visitor.render(&page))
}

/// Returns true if a key is listed in the filter. Keys of the MCP server are not: they change often.
fn is_listed(key: &v1::Key) -> bool {
    key.purpose() != v1::KeyPurpose::Mcp || key.revoked_at_unix.is_none()
}

#[derive(Template)]
#[template(path = "call.html")]
struct CallPage {
    shell: PageLayout,
    call: CallRow,
    hint: Option<&'static str>,
}

/// `GET /usage/{request_id}`
pub(crate) async fn call(
    State(app): State<Arc<AppState>>,
    member: SignedInUser,
    Path(request_id): Path<String>,
) -> Result<Response, HttpError> {
    let account_id = member.account_id();
    let request = v1::ListCallsRequest { account_id, request_id: Some(request_id), ..Default::default() };
    let found = app.metering.accounts().list_calls(with_trace(request)).await?.into_inner().calls.into_iter().next();
    let call = CallRow::new(found.ok_or(HttpError::NotFound)?);
    let hint = ErrorCode::parse(&call.outcome).map(crate::view::errors::remedy);
    Ok(member.visitor.render(&CallPage { shell: member.shell("One call", "usage", None), call, hint }))
}

/// `GET /usage.csv`: streams page by page, so that a long history is never in memory.
pub(crate) async fn csv(
    State(app): State<Arc<AppState>>,
    member: SignedInUser,
    Query(filter): Query<Filter>,
) -> Result<Response, HttpError> {
    struct CsvReader {
        app: Arc<AppState>,
        request: v1::ListCallsRequest,
        rows: u32,
        is_over: bool,
    }
    let request = Filter { cursor: String::new(), ..filter }.request(member.account_id(), CSV_PAGE)?;
    // The first page is read before the response starts, so that an error is a response and not a broken file.
    let first = app.metering.accounts().list_calls(with_trace(request.clone())).await?.into_inner();
    const COLUMNS: [&str; 11] = [
        "time",
        "request_id",
        "operation",
        "page",
        "key",
        "outcome",
        "cached",
        "credits",
        "source",
        "via",
        "duration_ms",
    ];
    let head = to_csv([COLUMNS]);
    let (rest, is_over) = (first.next_cursor.clone(), first.next_cursor.is_none());
    let begin = Bytes::from(head + &rows(first.calls));
    let reading = CsvReader { app, request: v1::ListCallsRequest { cursor: rest, ..request }, rows: CSV_PAGE, is_over };
    let following = futures::stream::unfold(reading, |mut reading| async move {
        if reading.is_over || reading.rows >= MAX_CSV_ROWS {
            return None;
        }
        let page = reading.app.metering.accounts().list_calls(with_trace(reading.request.clone())).await;
        let page = match page {
            Ok(page) => page.into_inner(),
            Err(status) => {
                reading.is_over = true;
                return Some((Err(std::io::Error::other(status)), reading));
            }
        };
        reading.is_over = page.next_cursor.is_none();
        reading.rows += CSV_PAGE;
        reading.request.cursor = page.next_cursor;
        Some((Ok(Bytes::from(rows(page.calls))), reading))
    });
    use futures::StreamExt;
    let body = futures::stream::once(async { Ok(begin) }).chain(following);
    Ok(attachment("text/csv; charset=utf-8", "limner-usage.csv", Body::from_stream(body)))
}

fn rows(calls: Vec<v1::AccountCall>) -> String {
    let rows = calls.into_iter().map(CallRow::new).map(|call| {
        let (credits, cached) = (call.credits.to_string(), if call.cached { "yes" } else { "no" });
        let (source, via) = (call.source.to_owned(), call.via.to_owned());
        let duration = call.duration_ms.map(|ms| ms.to_string()).unwrap_or_default();
        [
            call.exact_time,
            call.request_id,
            call.operation,
            call.url,
            call.key,
            call.outcome,
            cached.to_owned(),
            credits,
            source,
            via,
            duration,
        ]
    });
    to_csv(rows)
}

/// Returns a response that browsers save as a file.
pub(crate) fn attachment(content_type: &'static str, name: &'static str, body: impl Into<Body>) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    ([(header::CONTENT_TYPE, content_type.to_owned()), (header::CONTENT_DISPOSITION, disposition)], body.into())
        .into_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::date;

    #[test]
    fn next_month_of_december_is_january() {
        for (month, next) in
            [(date!(2026 - 11 - 01), date!(2026 - 12 - 01)), (date!(2026 - 12 - 01), date!(2027 - 01 - 01))]
        {
            assert_eq!(next_month(month), next);
        }
    }

    #[test]
    fn filters_become_queries_and_back() {
        let filter = Filter { url: "a b&c".to_owned(), since: "2026-11-01".to_owned(), ..Filter::default() };
        assert_eq!(filter.query("x.y"), "url=a+b%26c&since=2026-11-01&cursor=x.y");
        let request = filter.request("acc".to_owned(), 5).unwrap();
        assert_eq!((request.url_part.as_deref(), request.since_unix), (Some("a b&c"), Some(1_793_491_200)));
        for filter in [
            Filter { until: "soon".to_owned(), ..Filter::default() },
            Filter { operation: "paint".to_owned(), ..Filter::default() },
            Filter { outcome: "perhaps".to_owned(), ..Filter::default() },
        ] {
            assert!(filter.request(String::new(), 1).is_err(), "{filter:?}");
        }
        let filter = Filter { operation: "code".to_owned(), outcome: "target_blocked".to_owned(), ..Filter::default() };
        assert!(filter.request(String::new(), 1).is_ok());
    }

    #[test]
    fn exported_times_are_exact() {
        let entry = v1::UsageEntry { at_unix_ms: 1_793_491_200_250, ..Default::default() };
        let exported = rows(vec![v1::AccountCall { entry: Some(entry), ..Default::default() }]);
        assert!(exported.starts_with("2026-11-01T00:00:00.25Z,"), "{exported}");
    }
}
