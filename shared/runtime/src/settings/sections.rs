//! The sections of the configuration: names, defaults and descriptions. This is the only definition: validation,
//! unknown names and `config dump` are derived from it.

use super::Settings;
use super::billing::BillingSettings;
use super::console::{ConsoleSettings, SingleLine};
use super::http::HttpSettings;
use super::layered_reader::LayeredReader;
use super::mcp::McpSettings;
use super::values::{
    AccountPlaces, BaseUrl, ByteSize, HostMap, LogFilter, LogFormat, NatsCredentials, ObjectsUrl, QueueStorage,
    Setting, Share, SharedSecret,
};
use crate::Secret;
use ipnet::IpNet;
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};
use std::path::PathBuf;
use std::time::Duration;

/// `[gateway]`
#[derive(Debug, Clone)]
pub struct GatewaySettings {
    /// Listening address.
    pub listen: SocketAddr,
    /// Memory budget for results that are being sent to callers.
    pub response_memory: ByteSize,
    /// Header in which a trusted proxy passes the client address.
    pub client_address_header: Option<SingleLine>,
    /// Maximum number of screenshots requested by one address per minute.
    pub screenshots_per_minute: usize,
}

/// `[grpc]`
#[derive(Debug, Clone)]
pub struct GrpcSettings {
    /// True if extractors and metering describe their services to any client.
    pub reflection: bool,
}

/// `[admin]`
#[derive(Debug, Clone)]
pub struct AdminSettings {
    /// Listening address of `/healthz`, `/readyz` and `/metrics`.
    pub listen: SocketAddr,
}

/// `[postgres]`
#[derive(Debug, Clone)]
pub struct PostgresSettings {
    /// URL of the database; `None`: a private one (`limner up` only).
    pub url: Option<Secret>,
    /// Number of connections per process.
    pub pool_size: usize,
}

/// `[redis]`
#[derive(Debug, Clone)]
pub struct RedisSettings {
    /// URL of the cache; `None`: a private one (`limner up` only).
    pub url: Option<Secret>,
}

/// `[nats]`
#[derive(Debug, Clone)]
pub struct NatsSettings {
    /// URL of the queue; `None`: a private one (`limner up` only).
    pub url: Option<Secret>,
    /// Contents of a `.creds` file or the seed of an nkey; `None`: what the URL says.
    pub credentials: Option<NatsCredentials>,
    /// A PEM file with CA certificates to trust besides the public ones.
    pub extra_ca: Option<PathBuf>,
    /// Time after which a silent worker's job is redelivered.
    pub ack_wait: Duration,
    /// Maximum number of deliveries of a job.
    pub max_deliveries: usize,
    /// Age at which an unclaimed job is dropped.
    pub max_job_age: Duration,
    /// Number of jobs of paying accounts that a worker takes for each job of a free one while both wait.
    pub paid_weight: usize,
    /// Number of replicas of each stream in a cluster.
    pub replicas: usize,
    /// Storage of the streams on the servers.
    pub storage: QueueStorage,
    /// Maximum number of unfinished jobs of each stream.
    pub waiting_jobs: usize,
    /// Maximum number of jobs of each queue that all workers together have in progress.
    pub jobs_in_hand: usize,
    /// Maximum size of each stream; `None`: none.
    pub stream_bytes: Option<ByteSize>,
}

/// `[places]`: calls of an account that do work at once, by plan.
#[derive(Debug, Clone)]
pub struct PlacesSettings {
    /// Free plan.
    pub free: AccountPlaces,
    /// Developer plan.
    pub developer: AccountPlaces,
    /// Growth plan.
    pub growth: AccountPlaces,
    /// Scale plan.
    pub scale: AccountPlaces,
    /// Business plan.
    pub business: AccountPlaces,
    /// Time of failed calls in a minute, for each place, beyond which an account has half as many places.
    pub failure_budget: Duration,
}

/// `[objects]`
#[derive(Debug, Clone)]
pub struct ObjectsSettings {
    /// URL of the store of screenshots; `None`: a directory in `data_dir`.
    pub url: Option<ObjectsUrl>,
}

/// `[fetcher]`
#[derive(Debug, Clone)]
pub struct FetcherSettings {
    /// Maximum number of concurrent page reads per process.
    pub concurrency: usize,
    /// Maximum number of concurrent connections per host.
    pub per_host: usize,
    /// Maximum number of jobs in progress per process, waiting ones included.
    pub jobs: usize,
}

/// `[extractor]`
#[derive(Debug, Clone)]
pub struct ExtractorSettings {
    /// Listening address; `None`: [`ExtractorSettings::DEFAULT_LISTEN`], or a free port in `limner up`.
    pub listen: Option<SocketAddr>,
    /// URL of extractors for workers.
    pub url: BaseUrl,
    /// Slots: maximum number of concurrent extractions; `None`: one per core.
    pub concurrency: Option<usize>,
    /// Time after which an extraction gives its slot up to one that waits.
    pub slot_time: Duration,
    /// Maximum number of extractions that have given up their slot; `None`: four per slot.
    pub background: Option<usize>,
    /// Maximum processor time of one extraction, including layout.
    pub processor_time: Duration,
}

/// `[metering]`
#[derive(Debug, Clone)]
pub struct MeteringSettings {
    /// Listening address; `None`: [`MeteringSettings::DEFAULT_LISTEN`], or a free port in `limner up`.
    pub listen: Option<SocketAddr>,
    /// URL of metering for gateways.
    pub url: BaseUrl,
    /// Token that metering requires of its clients; `None`: none.
    pub token: Option<SharedSecret>,
    /// Lifetime of a hold that is neither committed nor released, because its gateway died, say.
    pub hold_life: Duration,
    /// Retention of the usage history.
    pub history_retention: Duration,
    /// True if cache hits are rows of the usage history, and not only in its sums.
    pub history_hits: bool,
    /// URL of the log of erasures and revocations; `None`: there is none.
    pub erasure_log: Option<ObjectsUrl>,
}

impl ExtractorSettings {
    /// Default listening address of an extractor.
    pub const DEFAULT_LISTEN: SocketAddr = loopback(50051);
}

impl MeteringSettings {
    /// Default listening address of metering.
    pub const DEFAULT_LISTEN: SocketAddr = loopback(50052);
}

/// `[renderer]`
#[derive(Debug, Clone)]
pub struct RendererSettings {
    /// True if this fleet has a browser.
    pub enabled: bool,
    /// Path of the browser; `None`: detected.
    pub chromium: Option<PathBuf>,
    /// URL of the egress proxy: a browser's only network access.
    pub proxy: BaseUrl,
    /// Maximum number of pages in the browser; `None`: two per core.
    pub concurrency: Option<usize>,
    /// Memory that must be free before another page is taken.
    pub spare_memory: ByteSize,
}

/// `[egress]`
#[derive(Debug, Clone)]
pub struct EgressSettings {
    /// Listening address; `None`: [`EgressSettings::DEFAULT_LISTEN`], or a free port in `limner up`.
    pub listen: Option<SocketAddr>,
    /// Secret shared by proxy and renderers for signing egress tokens; `None`: generated (`limner up` only).
    pub secret: Option<SharedSecret>,
    /// Networks outside the public Internet that names may resolve to.
    pub allow: Vec<IpNet>,
    /// Names that resolve to a socket, whatever the scheme and port.
    pub hosts: HostMap,
    /// A file with additional CA certificates.
    pub extra_ca: Option<PathBuf>,
}

impl EgressSettings {
    /// Default listening address of the egress proxy.
    pub const DEFAULT_LISTEN: SocketAddr = loopback(50053);
}

/// `[cache]`
#[derive(Debug, Clone)]
pub struct CacheSettings {
    /// Lifetime of a cached result.
    pub result_ttl: Duration,
    /// Lifetime of a cached page for other operations.
    pub snapshot_ttl: Duration,
    /// Maximum size of a result in Redis, compressed.
    pub result_bytes: ByteSize,
    /// Maximum size of a cached page, compressed.
    pub snapshot_bytes: ByteSize,
    /// Maximum size of all cached pages in Redis.
    pub snapshot_share: ByteSize,
}

/// `[limits]`
#[derive(Debug, Clone)]
pub struct LimitSettings {
    /// Maximum length of a URL.
    pub url_bytes: ByteSize,
    /// Maximum number of redirects.
    pub redirects: usize,
    /// Maximum size of the HTML after decompression.
    pub html_bytes: ByteSize,
    /// Maximum size of all CSS of a page after decompression.
    pub css_bytes: ByteSize,
    /// Maximum number of stylesheets of a page, including imported ones.
    pub stylesheets: usize,
    /// Time limit of a static read.
    pub static_read: Duration,
    /// Time limit of a browser read.
    pub browser_read: Duration,
    /// Time limit of a whole call.
    pub call: Duration,
    /// Maximum time from the arrival of a call to the start of its read.
    pub queue: Duration,
    /// Maximum number of pages of a registrable domain that the whole fleet reads at once; 0: any number.
    pub per_site: usize,
    /// Maximum size of a result.
    pub result_bytes: ByteSize,
}

/// `[demo]`
#[derive(Debug, Clone)]
pub struct DemoSettings {
    /// True if `limner up` serves the built-in site and creates a demo account.
    pub enabled: bool,
}

/// `[log]`
#[derive(Debug, Clone)]
pub struct LogSettings {
    /// Format of log lines.
    pub format: LogFormat,
    /// Filter of log lines.
    pub level: LogFilter,
}

/// `[telemetry]`
#[derive(Debug, Clone)]
pub struct TelemetrySettings {
    /// The OTLP collector (gRPC) that receives traces; `None`: none.
    pub otlp_endpoint: Option<BaseUrl>,
    /// Share of calls that are traced.
    pub sampling: Share,
}

/// `[shutdown]`
#[derive(Debug, Clone)]
pub struct ShutdownSettings {
    /// Time limit for work in progress at shutdown.
    pub grace: Duration,
}

/// Maximum processor time of one extraction. Development builds are several times slower.
const EXTRACTION_TIME: Duration = seconds(if cfg!(debug_assertions) { 15 } else { 8 });

const fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

const fn loopback(port: u16) -> SocketAddr {
    SocketAddr::V4(SocketAddrV4::new(Ipv4Addr::LOCALHOST, port))
}

/// Parses a default that is written like an operator's value.
fn text<T: Setting>(default: &str) -> T {
    T::from_text(default).expect("defaults are valid, which a test checks")
}

/// Reads all settings, in the order of `config dump`.
pub(super) fn read_settings(from: &mut LayeredReader) -> Settings {
    Settings {
        data_dir: from.value(
            "data_dir",
            text("/var/lib/limner"),
            "where private servers, screenshots and the profiles of browsers are kept",
        ),
        public_url: from.value(
            "public_url",
            text("http://127.0.0.1:8080"),
            "how callers reach the gateway; the API is at this + /v1",
        ),
        gateway: gateway(from),
        http: HttpSettings::read(from),
        grpc: GrpcSettings {
            reflection: from.value(
                "grpc.reflection",
                false,
                "true: extractors and metering describe their services (grpcurl)",
            ),
        },
        admin: AdminSettings {
            listen: from.value("admin.listen", loopback(9090), "/healthz /readyz /metrics; not for the public"),
        },
        postgres: PostgresSettings {
            url: from.secret("postgres.url", "absent: a private one (limner up only)"),
            pool_size: from.value("postgres.pool_size", 16, "connections of one process"),
        },
        redis: RedisSettings { url: from.secret("redis.url", "absent: a private one (limner up only)") },
        nats: nats(from),
        places: places(from),
        objects: ObjectsSettings {
            url: from.optional("objects.url", "screenshots: file:///… or s3://bucket; absent: a folder in data_dir"),
        },
        fetcher: FetcherSettings {
            concurrency: from.value("fetcher.concurrency", 32, "pages that one process reads at once"),
            per_host: from.value(
                "fetcher.per_host",
                6,
                "pages of one registrable domain that one process reads at once",
            ),
            jobs: from.value("fetcher.jobs", 128, "jobs that one process has in hand, those that wait included"),
        },
        extractor: ExtractorSettings {
            listen: from.optional("extractor.listen", "where an extractor listens (gRPC); absent: 127.0.0.1:50051"),
            url: from.value("extractor.url", text("http://127.0.0.1:50051"), "where workers find it"),
            concurrency: from.optional(
                "extractor.concurrency",
                "slots: extractions at once, and of one account at once; absent: one for each core",
            ),
            slot_time: from.value(
                "extractor.slot_time",
                Duration::from_millis(500),
                "time after which an extraction gives its slot up to one that waits, and goes on in the background",
            ),
            background: from.optional(
                "extractor.background",
                "extractions in the background at once, each a process more; absent: four for each slot",
            ),
            processor_time: from.value(
                "extractor.processor_time",
                EXTRACTION_TIME,
                "processor time of one extraction, layout included; a page that needs more is unprocessable",
            ),
        },
        metering: MeteringSettings {
            listen: from.optional("metering.listen", "where metering listens (gRPC); absent: 127.0.0.1:50052"),
            url: from.value("metering.url", text("http://127.0.0.1:50052"), "where gateways find it"),
            token: from.secret(
                "metering.token",
                "asked of gateways, console and MCP server by metering; absent: nothing is; two with a comma while one replaces the other",
            ),
            hold_life: from.value(
                "metering.hold_life",
                seconds(120),
                "how long after the hold credits stay reserved for a call that nobody settles (its gateway died)",
            ),
            history_retention: from.value(
                "metering.history_retention",
                seconds(400 * 24 * 3_600),
                "how long calls stay in the usage history, and then to the end of a month; what they add up to stays for good",
            ),
            history_hits: from.value(
                "metering.history_hits",
                true,
                "false: cache hits are counted by day and operation, but not listed; half a kilobyte less for each",
            ),
            erasure_log: from.optional(
                "metering.erasure_log",
                "log of erased accounts and revoked keys outside of the database, to repeat after a restore: file:///… or s3://bucket/prefix",
            ),
        },
        billing: BillingSettings::read(from, text("https://api.stripe.com")),
        console: ConsoleSettings::read(from),
        mcp: McpSettings::read(from),
        renderer: RendererSettings {
            enabled: from.value("renderer.enabled", true, "false: a fleet without a browser"),
            chromium: from.optional("renderer.chromium", "the browser's program; absent: found on its own"),
            proxy: from.value("renderer.proxy", text("http://127.0.0.1:50053"), "where the egress proxy is"),
            concurrency: from
                .optional("renderer.concurrency", "pages in the browser at once; absent: two for each core"),
            spare_memory: from.value(
                "renderer.spare_memory",
                ByteSize::megabytes(300),
                "memory that must be left before another page is taken",
            ),
        },
        egress: EgressSettings {
            listen: from.optional("egress.listen", "where the browser's proxy listens; absent: 127.0.0.1:50053"),

            secret: from.secret(
                "egress.secret",
                "shared by proxy and renderers; absent: made anew (limner up only); two with a comma while one replaces the other",
            ),
            allow: from.value(
                "egress.allow",
                Vec::new(),
                "networks outside the public Internet that names may lead to",
            ),
            hosts: from.value(
                "egress.hosts",
                HostMap::new(),
                "names that lead to a socket, which must be allowed above",
            ),
            extra_ca: from.optional("egress.extra_ca", "a PEM file with certificates that are trusted as well"),
        },
        cache: CacheSettings {
            result_ttl: from.value("cache.result_ttl", seconds(24 * 3_600), "how long a result is served again"),
            snapshot_ttl: from.value("cache.snapshot_ttl", seconds(300), "how long a page serves other operations"),
            result_bytes: from.value(
                "cache.result_bytes",
                ByteSize::megabytes(8),
                "largest result in Redis, compressed; the gateway keeps larger ones in objects.url. The same for all roles",
            ),
            snapshot_bytes: from.value(
                "cache.snapshot_bytes",
                ByteSize::megabytes(4),
                "largest page that is kept for other operations, compressed",
            ),
            snapshot_share: from.value(
                "cache.snapshot_share",
                ByteSize::megabytes(64),
                "what all kept pages of the fleet may take of Redis; results have the rest",
            ),
        },
        limits: limits(from),
        demo: DemoSettings {
            enabled: from.value("demo.enabled", true, "limner up: a built-in site and an account to try things out"),
        },
        log: LogSettings {
            format: from.value("log.format", LogFormat::Auto, "auto (pretty on a terminal), json or pretty"),
            level: from.value(
                "log.level",
                text(LogFilter::DEFAULT),
                "a level, or directives such as info,limner_fetcher=debug",
            ),
        },
        telemetry: TelemetrySettings {
            otlp_endpoint: from.optional("telemetry.otlp_endpoint", "OTLP collector for traces (gRPC); absent: none"),
            sampling: from.value("telemetry.sampling", Share(1.0), "share of calls that are traced, from 0 to 1"),
        },
        shutdown: ShutdownSettings {
            grace: from.value("shutdown.grace", seconds(50), "how long work in flight may take to finish"),
        },
        effective: Vec::new(),
    }
}

fn gateway(from: &mut LayeredReader) -> GatewaySettings {
    GatewaySettings {
        listen: from.value("gateway.listen", loopback(8080), "where callers connect"),
        response_memory: from.value(
            "gateway.answer_memory",
            ByteSize::megabytes(160),
            "for results on their way to callers; further answers wait, and slow callers are cut off earlier",
        ),
        client_address_header: from.optional(
            "gateway.client_address_header",
            "header in which a trusted proxy says where a request comes from, such as x-forwarded-for",
        ),
        screenshots_per_minute: from.value(
            "gateway.screenshots_per_minute",
            120,
            "screenshots that one address may ask for; behind a proxy only with client_address_header",
        ),
    }
}

fn nats(from: &mut LayeredReader) -> NatsSettings {
    NatsSettings {
        url: from.secret("nats.url", "absent: a private one (limner up only)"),
        credentials: from.secret(
            "nats.credentials",
            "contents of a .creds file, or an nkey's seed (LIMNER__NATS__CREDENTIALS_FILE names the file)",
        ),
        extra_ca: from.optional("nats.extra_ca", "a PEM file with CA certificates that NATS servers may have"),
        ack_wait: from.value("nats.ack_wait", seconds(9), "silence of a worker after which its job goes to another"),
        max_deliveries: from.value("nats.max_deliveries", 4, "how often a job is tried"),
        max_job_age: from.value("nats.max_job_age", seconds(300), "age at which an unclaimed job is dropped"),
        paid_weight: from.value("nats.paid_weight", 3, "jobs of paying accounts taken for one of a free account"),
        replicas: from.value("nats.replicas", 1, "copies of each stream in a cluster"),
        storage: from.value(
            "nats.storage",
            QueueStorage::File,
            "file or memory: where the servers keep jobs; memory needs three replicas, and streams that exist keep theirs",
        ),
        waiting_jobs: from.value(
            "nats.waiting_jobs",
            100_000,
            "unfinished jobs of each stream beyond which further ones are refused; limner migrate applies it",
        ),
        jobs_in_hand: from.value(
            "nats.jobs_in_hand",
            20_000,
            "jobs of each queue that all workers have in hand at once; limner migrate applies it",
        ),
        stream_bytes: from.optional(
            "nats.stream_bytes",
            "size of each stream beyond which jobs are refused; absent: none, which accounts with limits do not accept",
        ),
    }
}

fn places(from: &mut LayeredReader) -> PlacesSettings {
    let about = "static reads and browser reads of an account at once; further calls wait behind its own";
    PlacesSettings {
        free: from.value("places.free", AccountPlaces::new(5, 2), about),
        developer: from.value("places.developer", AccountPlaces::new(10, 5), about),
        growth: from.value("places.growth", AccountPlaces::new(25, 10), about),
        scale: from.value("places.scale", AccountPlaces::new(60, 25), about),
        business: from.value("places.business", AccountPlaces::new(120, 50), about),
        failure_budget: from.value(
            "places.failure_budget",
            seconds(30),
            "time of failed calls in a minute, for each place, beyond which an account has half its places",
        ),
    }
}

fn limits(from: &mut LayeredReader) -> LimitSettings {
    let call = from.value("limits.call", seconds(45), "time for a whole call");
    LimitSettings {
        url_bytes: from.value("limits.url_bytes", ByteSize(2_048), "longest address"),
        redirects: from.value("limits.redirects", 10, "redirects that are followed"),
        html_bytes: from.value("limits.html_bytes", ByteSize::megabytes(10), "HTML after decompression"),
        css_bytes: from.value("limits.css_bytes", ByteSize::megabytes(20), "all CSS of a page after decompression"),
        stylesheets: from.value("limits.stylesheets", 100, "style sheets of a page, imported ones included"),
        static_read: from.value("limits.static_read", seconds(15), "time for a static read"),
        browser_read: from.value("limits.browser_read", seconds(30), "time for a browser read"),
        call,
        queue: from.value(
            "limits.queue",
            seconds(20).min(call / 2),
            "time that a call may wait before its read; one that would wait longer fails at once, as busy",
        ),
        per_site: from.value(
            "limits.per_site",
            24,
            "pages of one registrable domain that the whole fleet reads at once; half as many for a minute after 429 or 503; 0: any number",
        ),
        result_bytes: from.value(
            "limits.result_bytes",
            ByteSize::megabytes(8),
            "one result; larger ones are truncated",
        ),
    }
}
