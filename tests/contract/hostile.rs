//! Hostile pages: each is answered or refused in time, no resource grows without bound, and the fleet works afterwards.

use limner_testkit::CannedResponse;
use limner_tests::{Answer, Fleet, FleetOptions};
use std::time::{Duration, Instant};

const TEXT: &str = "<title>Page</title><h1>A page</h1><p>With a little text to read.</p>";
const LIST_OPERATIONS: &[&str] = &["images", "svg", "videos", "audio", "lottie", "fonts"];

/// Time limit of reads of slow origins.
const STATIC_READ: Duration = Duration::from_secs(4);
/// A larger limit, for busy machines.
const IN_TIME: Duration = Duration::from_secs(30);
/// Maximum memory of all roles, without servers.
const MAX_RESIDENT_BYTES: u64 = 1_500_000_000;

/// Starts a fleet with a short time limit for slow origins.
async fn impatient_fleet() -> Fleet {
    let extra_config = format!("[limits]\nstatic_read = \"{}s\"\n", STATIC_READ.as_secs());
    Fleet::start_with(FleetOptions { extra_config, ..FleetOptions::default() }).await
}

async fn ask(fleet: &Fleet, operation: &str, path: &str, account: &limner_tests::Account) -> Answer {
    let started = Instant::now();
    let answer = fleet.call(operation, &[("url", &format!("http://site.test{path}"))], account).await;
    assert!(started.elapsed() < IN_TIME, "{operation} {path} took {:?}", started.elapsed());
    answer
}

/// Returns the peak memory of the fleet's process, in bytes.
fn peak_memory(fleet: &mut Fleet) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", fleet.process().id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1_024
}

fn zeros_as_zstd(bytes: usize) -> Vec<u8> {
    zstd::bulk::compress(&vec![b' '; bytes], 19).unwrap()
}

#[tokio::test]
async fn pages_of_monstrous_shape_are_answered() {
    let mut fleet = Fleet::start().await;
    let account = fleet.roomy_account();
    let deep = format!("{TEXT}<img src=/before.png>{}<img src=/inside.png>", "<div>".repeat(100_000));
    let inline = format!("{TEXT}{}", "<b><i><a href=/>".repeat(33_000));
    let wide: String = (0..100_000).map(|n| format!("<img src=/{n}.png>")).collect();
    let shapes: String = (0..100_000).map(|n| format!("<svg><path d='M0 {n}h1'/></svg>")).collect();
    let faces: String = (0..100_000).map(|n| format!("@font-face{{font-family:F{n};src:url(/{n}.woff2)}}")).collect();
    let attributes: String = (0..100_000).map(|n| format!(" a{n}={n}")).collect();
    let nested_rules = format!("<style>{}a{{color:red}}</style>{TEXT}", "@media all{".repeat(100_000));
    let parentheses = format!("<style>a{{width:{}}}</style>{TEXT}", "calc(".repeat(100_000));
    let templates = format!("{TEXT}{}", "<template>".repeat(50_000));
    fleet
        .site
        .on("/deep", CannedResponse::html(deep))
        .on("/inline", CannedResponse::html(inline))
        .on("/wide", CannedResponse::html(format!("{TEXT}{wide}")))
        .on("/shapes", CannedResponse::html(format!("{TEXT}{shapes}")))
        .on("/faces", CannedResponse::html(format!("{TEXT}<style>{faces}</style>")))
        .on("/attributes", CannedResponse::html(format!("{TEXT}<img src=/a.png{attributes}>")))
        .on("/nested-rules", CannedResponse::html(nested_rules))
        .on("/parentheses", CannedResponse::html(parentheses))
        .on("/templates", CannedResponse::html(templates));
    for path in
        ["/deep", "/inline", "/wide", "/shapes", "/faces", "/attributes", "/nested-rules", "/parentheses", "/templates"]
    {
        for operation in LIST_OPERATIONS {
            ask(&fleet, operation, path, &account).await.usage();
        }
    }
    let images = async |path: &str| ask(&fleet, "images", path, &account).await.json["count"].as_u64().unwrap();
    assert_eq!(images("/deep").await, 2, "content at a depth of 100,000 is found");
    assert_eq!(images("/wide").await, 100_000);
    assert_eq!(images("/attributes").await, 1);
    assert!(peak_memory(&mut fleet) < MAX_RESIDENT_BYTES, "{} bytes", peak_memory(&mut fleet));
    assert_eq!(fleet.log().matches("panicked").count(), 0);
}

#[tokio::test]
async fn endless_and_oversized_bodies_are_rejected() {
    let mut fleet = impatient_fleet().await;
    let account = fleet.account("free", &[]);
    let bomb = |content_type: &str| {
        CannedResponse::new(content_type, zeros_as_zstd(200_000_000)).header("content-encoding", "zstd")
    };
    fleet
        .site
        .on("/bomb", bomb("text/html"))
        .on("/endless", CannedResponse::endless("text/html", "<p>and so on"))
        .on("/trickle", CannedResponse::trickle("text/html", "<p>and", Duration::from_millis(50)))
        .on("/stalled", CannedResponse::stalled("text/html", "<p>and then nothing"))
        .on("/broken", CannedResponse::broken("text/html", ""))
        .on("/silent", CannedResponse::silent())
        .on("/large", CannedResponse::html(format!("{TEXT}{}", " ".repeat(10_000_001))))
        .on("/headers", CannedResponse::html(TEXT).header("x-large", &"x".repeat(1_000_000)));
    for (path, code) in [
        ("/bomb", "unprocessable_content"),
        ("/endless", "unprocessable_content"),
        ("/large", "unprocessable_content"),
        ("/trickle", "target_timeout"),
        ("/stalled", "target_timeout"),
        ("/silent", "target_timeout"),
        ("/headers", "unprocessable_content"),
    ] {
        ask(&fleet, "images", path, &account).await.assert_error(422, code);
    }
    // A failing stylesheet or subresource does not fail the page.
    fleet.site.on("/bomb.css", bomb("text/css")).on("/endless.css", CannedResponse::endless("text/css", "a{b:c}"));
    fleet.site.on("/silent.css", CannedResponse::silent()).on("/bomb.json", bomb("application/json"));
    let links = "<link rel=stylesheet href=/bomb.css><link rel=stylesheet href=/endless.css><link rel=stylesheet href=/silent.css>\
                 <link rel=manifest href=/bomb.json><img src=/a.png>";
    fleet.site.on("/page", CannedResponse::html(format!("{TEXT}{links}")));
    let answer = ask(&fleet, "images", "/page", &account).await;
    assert_eq!((answer.usage()["creditsThisMonth"].as_u64(), answer.json["count"].as_u64()), (Some(1), Some(1)));
    assert!(answer.json["hint"].is_string(), "the caller learns that something is missing: {}", answer.text);
    assert!(peak_memory(&mut fleet) < MAX_RESIDENT_BYTES, "{} bytes", peak_memory(&mut fleet));
}

#[tokio::test]
async fn stylesheets_are_read_up_to_their_limits() {
    let mut fleet = Fleet::start().await;
    let account = fleet.roomy_account();
    let rules: String = (0..).map(|n| format!(".c{n}{{background:url(/{})}}\n", n % 10_000)).take(610_000).collect();
    assert!((19_000_000..20_000_000).contains(&rules.len()), "{} bytes of CSS", rules.len());
    fleet
        .site
        .on("/large.css", CannedResponse::css(rules))
        .on("/import.css", CannedResponse::css("@import '/import.css';@import '/b.css';"));
    fleet.site.on("/b.css", CannedResponse::css("@import url(import.css);a{background:url(/from-b.png)}"));
    let chain = |request: &limner_testkit::RecordedRequest| {
        let n: u32 = request.query.parse().unwrap_or_default();
        CannedResponse::css(format!("@import '/chain.css?{}';a{{background:url(/{n}.png)}}", n + 1))
    };
    fleet.site.on_request("/chain.css", chain);
    for sheet in ["large", "import", "chain"] {
        let page = format!("{TEXT}<link rel=stylesheet href=/{sheet}.css>");
        fleet.site.on(&format!("/{sheet}"), CannedResponse::html(page));
    }
    // The chain is fetched up to the limit of stylesheets, and read 32 imports deep.
    for (path, count) in [("/large", 10_000), ("/import", 1), ("/chain", 33)] {
        let answer = ask(&fleet, "images", path, &account).await;
        assert_eq!(answer.usage()["creditsSpent"], 1);
        assert_eq!(answer.json["count"], count, "{path}");
        assert_eq!(answer.json["hint"].is_string(), path == "/chain", "{path}: {:?}", answer.json["hint"]);
    }
    assert_eq!((fleet.site.count("/import.css"), fleet.site.count("/b.css")), (1, 1), "a cycle is read once");
    for operation in LIST_OPERATIONS {
        ask(&fleet, operation, "/large", &account).await.usage();
    }
    assert!(peak_memory(&mut fleet) < MAX_RESIDENT_BYTES, "{} bytes", peak_memory(&mut fleet));
}
