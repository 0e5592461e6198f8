//! Descriptions of all metrics, for `# HELP`. `docs/operations/observability.md` has the same sentences, which a test
//! compares.

use Kind::{Counter, Gauge, Histogram};

enum Kind {
    Counter,
    Gauge,
    Histogram,
}

/// Kind, name and description, in the order of the documentation.
const DESCRIPTIONS: &[(Kind, &str, &str)] = &[
    (Gauge, "limner_build_info", "The release of the process, as a label of a gauge that is always 1"),
    (
        Counter,
        "limner_gateway_requests_total",
        "Responses. code: ok or the error's; cache: none if no result was requested",
    ),
    (Histogram, "limner_gateway_request_duration_seconds", "From the head of a request to the head of its response"),
    (
        Counter,
        "limner_gateway_unsettled_holds_total",
        "Commits and releases that failed: metering refused, or their time had expired",
    ),
    (Counter, "limner_gateway_usage_records_dropped_total", "Hits missing in the usage history; they are free"),
    (Counter, "limner_gateway_cancellations_total", "Calls cancelled by their client"),
    (Histogram, "limner_gateway_result_bytes", "Compressed size of a new result, as it is cached"),
    (Counter, "limner_gateway_panics_total", "Requests whose handling panicked: a defect"),
    (
        Histogram,
        "limner_gateway_place_wait_seconds",
        "Time for which a call that found no free place of its account waited: static or browser",
    ),
    (
        Counter,
        "limner_gateway_place_shortages_total",
        "Calls that failed because their account's places were taken for too long",
    ),
    (
        Counter,
        "limner_gateway_shed_calls_total",
        "Calls that failed at once because the calls in progress would take longer than they have time",
    ),
    (Counter, "limner_fetcher_pages_total", "Pages read for jobs, from the cache or the origin"),
    (Histogram, "limner_fetcher_read_duration_seconds", "Reading a page and its stylesheets"),
    (Counter, "limner_fetcher_shared_reads_total", "Jobs that joined a read of the same page in progress"),
    (
        Counter,
        "limner_renderer_visits_total",
        "Visits in a browser, asked for by callers or as fallback; read or the error's code",
    ),
    (Histogram, "limner_renderer_visit_duration_seconds", "A visit, from opening to closing its page"),
    (Counter, "limner_renderer_snapshots_reused_total", "Pages served from a cached snapshot, without a visit"),
    (Counter, "limner_renderer_content_waits_total", "Visits that waited for a page without content to fill"),
    (Counter, "limner_renderer_unscrolled_pages_total", "Pages that were not scrolled because nothing on them reacts"),
    (Counter, "limner_renderer_unsettled_pages_total", "Pages that were read although they kept changing"),
    (
        Counter,
        "limner_renderer_flooded_pages_total",
        "Pages abandoned because they sent events faster than they were handled",
    ),
    (
        Counter,
        "limner_renderer_unreadable_events_total",
        "Events that cannot be parsed with the protocol version of this build: a newer Chromium",
    ),
    (Counter, "limner_renderer_costly_pages_total", "Pages that were ended because they used up their processor time"),
    (Counter, "limner_renderer_popups_closed_total", "Windows that pages opened"),
    (Histogram, "limner_renderer_page_network_bytes", "Network bytes of a page, as counted by the egress proxy"),
    (Gauge, "limner_renderer_busy_slots", "Jobs in progress"),
    (Gauge, "limner_renderer_open_pages", "Open pages of the current browser"),
    (Gauge, "limner_renderer_browser_up", "1 if a browser is running"),
    (Gauge, "limner_renderer_browser_memory_bytes", "Memory of the browser's processes"),
    (
        Counter,
        "limner_renderer_browser_ends_total",
        "Browsers that ended or were replaced: pages, age, memory, sick, hung, crash",
    ),
    (Counter, "limner_renderer_failed_starts_total", "Failed starts of a browser"),
    (
        Counter,
        "limner_renderer_memory_pressure_seconds_total",
        "Time without capacity for pages because memory was short",
    ),
    (
        Counter,
        "limner_renderer_short_of_processor_seconds_total",
        "Time with reduced capacity because processors were busy",
    ),
    (
        Counter,
        "limner_egress_requests_total",
        "Requests of browsers: tunnel, forward, report; passed or the reason of the refusal",
    ),
    (Counter, "limner_egress_bytes_total", "Bytes of pages in both directions"),
    (Gauge, "limner_egress_pages", "Page accounts, which exist until their token expires"),
    (Counter, "limner_egress_exhausted_pages_total", "Pages that exhausted their budget"),
    (Counter, "limner_worker_known_failures_total", "Calls answered with the cached failure of the same call"),
    (
        Counter,
        "limner_extractor_calls_total",
        "Extractions; ok, the error's code, or busy, broke_off and cancelled for those without a result",
    ),
    (Histogram, "limner_extractor_call_duration_seconds", "Duration of an extraction"),
    (Gauge, "limner_extractor_waiting_calls", "Calls that wait for a slot"),
    (Gauge, "limner_extractor_background_calls", "Calls that continue without a slot, at the lowest priority"),
    (Counter, "limner_extractor_yielded_slots_total", "Calls that yielded their slot to a waiting call"),
    (Counter, "limner_extractor_panics_total", "Pages on which the core panicked: a defect"),
    (
        Counter,
        "limner_extractor_processes_lost_total",
        "Extraction processes lost during a call: processor_time, crashed (an abort, nearly always for lack of memory), deadline, cancelled, lost",
    ),
    (
        Counter,
        "limner_extractor_client_retries_total",
        "In fetchers and renderers: retries with another extractor after one failed",
    ),
    (Histogram, "limner_metering_call_duration_seconds", "Calls over gRPC"),
    (Counter, "limner_metering_holds_total", "Holds: granted, or the reason of the denial"),
    (
        Counter,
        "limner_metering_commits_total",
        "Charged calls by credit source; late: after the hold had expired or was lost",
    ),
    (Counter, "limner_metering_charged_credits_total", "Charged credits"),
    (Counter, "limner_metering_releases_total", "Released holds"),
    (Counter, "limner_metering_expired_holds_total", "Holds that were not settled in time"),
    (Gauge, "limner_metering_ledger_mismatches", "Balances that do not match their entries, as of the last audit"),
    (Counter, "limner_metering_job_failures_total", "Failed runs of periodic jobs, which are retried"),
    (
        Gauge,
        "limner_metering_job_completed_timestamp_seconds",
        "Unix time at which a job of all processes last ended well: check_ledger, reconcile",
    ),
    (Counter, "limner_metering_write_through_failures_total", "Account states that could not be written to Redis"),
    (Counter, "limner_metering_token_exchanges_total", "Exchanges of OAuth codes and refresh tokens"),
    (Counter, "limner_metering_overpayments_total", "Overpayments, which an operator has to refund"),
    (
        Counter,
        "limner_metering_reconciliation_differences_total",
        "What the billing provider knew otherwise: checkout, subscription, invoice, returned_payment, credit_note, unknown_payment",
    ),
    (
        Counter,
        "limner_metering_payment_returns_total",
        "Refunds, disputes and credit notes of payments: refunded, restored, disputed, dispute_won, dispute_lost, credit_note",
    ),
    (Counter, "limner_metering_unrecovered_credits_total", "Credits of returned payments that were spent already"),
    (Counter, "limner_metering_billing_messages_total", "Webhook events of the billing provider, by response status"),
    (Counter, "limner_console_mails_total", "sent, refused for good (55x), or failed after the last try"),
    (Counter, "limner_console_throttled_total", "Attempts beyond a rate limit"),
    (Counter, "limner_console_password_checks_total", "Password checks, including those for unknown addresses"),
    (Histogram, "limner_console_playground_duration_seconds", "Duration of playground calls"),
    (Counter, "limner_console_provider_refusals_total", "Rejected sign-ins with the OpenID Connect provider"),
    (Counter, "limner_mcp_calls_total", "Tool calls: ok or error"),
    (Histogram, "limner_mcp_call_duration_seconds", "Duration of tool calls"),
    (Counter, "limner_mcp_refusals_total", "Requests without a valid token"),
    (Gauge, "limner_bus_connected_state", "1 if connected to NATS: gateway, fetcher, renderer, metering"),
    (
        Counter,
        "limner_bus_jobs_total",
        "Jobs that left a worker: answered, failed, handed_over, retried, exhausted, deadline …",
    ),
    (Histogram, "limner_bus_job_duration_seconds", "Processing of a job in a worker"),
    (Histogram, "limner_bus_job_wait_seconds", "From queueing a job to its delivery to a worker"),
    (Gauge, "limner_bus_waiting_jobs", "Jobs waiting when the last one was taken"),
    (Counter, "limner_bus_dropped_jobs_total", "Jobs that could not serve a caller any more: deadline, unreadable"),
    (Counter, "limner_bus_refused_jobs_total", "Jobs that the queue did not accept"),
    (Histogram, "limner_cache_command_duration_seconds", "Commands to Redis: ok, refused, unavailable"),
    (
        Counter,
        "limner_cache_reconnects_total",
        "Connections to Redis that were replaced because its server was not the primary (READONLY, LOADING, MASTERDOWN)",
    ),
    (
        Counter,
        "limner_cache_snapshots_displaced_total",
        "Cached pages evicted for others because cache.snapshot_share is used up",
    ),
    (
        Counter,
        "limner_http_cut_peers_total",
        "Clients of any HTTP server that exceeded a time limit: silent, slow_sender, slow_reader; or sent a flood of frames",
    ),
    (
        Counter,
        "limner_http_refused_connections_total",
        "Connections refused because their address has reached its limit",
    ),
    (
        Counter,
        "limner_http_room_shortages_total",
        "Responses for which no memory was released in time; those to be compressed are sent uncompressed",
    ),
    (Counter, "limner_netguard_requests_total", "Outgoing requests (fetcher, console): answered or the failure"),
    (Histogram, "limner_netguard_duration_seconds", "Outgoing requests, including redirects"),
    (Counter, "limner_netguard_redirects_total", "Followed redirects"),
    (
        Counter,
        "limner_netguard_connections_total",
        "Outgoing connections, including the egress proxy's: connected or the failure",
    ),
    (Counter, "limner_netguard_wire_bytes_total", "Bytes of bodies on the wire"),
    (Counter, "limner_netguard_body_bytes_total", "Bytes of bodies after decompression"),
    (Counter, "limner_screenshots_stored_bytes_total", "Stored screenshots"),
    (Counter, "limner_screenshots_deleted_total", "Expired screenshots that were removed"),
    (Counter, "limner_cache_object_bytes_total", "Bodies of results that are too large for Redis"),
    (Counter, "limner_store_reconnects_total", "Statements repeated because their connection was lost"),
    (
        Counter,
        "limner_store_abandoned_statements_total",
        "Statements without an answer whose connection was closed: their caller gave up, or the database did not answer in time",
    ),
];

/// Describes all metrics to the recorder; those that a process does not record are not exported.
pub(crate) fn describe_all() {
    for (kind, name, text) in DESCRIPTIONS {
        match kind {
            Counter => metrics::describe_counter!(*name, *text),
            Gauge => metrics::describe_gauge!(*name, *text),
            Histogram => metrics::describe_histogram!(*name, *text),
        }
    }
}
