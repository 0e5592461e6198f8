//! HIT, MISS and BYPASS, and their charges.

use limner_testkit::CannedResponse;
use limner_tests::Fleet;
use std::time::Duration;

const PAGE: &str = "<title>Page</title><h1>A page</h1><p>With a little text to read.</p><img src=/a.png alt=A>";

#[tokio::test]
async fn repeat_is_free_and_fresh_replaces_the_copy() {
    let fleet = Fleet::start().await;
    fleet.site.on("/", CannedResponse::html(PAGE));
    let (first, second) = (fleet.account("free", &[]), fleet.account("free", &[]));
    let page = ("url", "http://site.test/");

    let miss = fleet.call("images", &[page], &first).await;
    assert_eq!(miss.header("x-cache"), "MISS");
    assert_eq!((&miss.usage()["creditsSpent"], &miss.usage()["cached"]), (&1.into(), &false.into()));
    assert_eq!((miss.number("x-quota-limit"), miss.number("x-quota-remaining")), (300, 299));
    assert_eq!(miss.json["url"], "http://site.test/");

    for account in [&first, &second] {
        let hit = fleet.call("images", &[page], account).await;
        assert_eq!(hit.header("x-cache"), "HIT", "the cache is shared");
        assert_eq!((&hit.usage()["creditsSpent"], &hit.usage()["cached"]), (&0.into(), &true.into()));
        assert_eq!(hit.json["images"], miss.json["images"]);
    }
    for same in ["site.test", "HTTP://SITE.TEST:80", "http://site.test/#part"] {
        let same = if same == "site.test" { "http://site.test" } else { same };
        assert_eq!(fleet.call("images", &[("url", same)], &first).await.header("x-cache"), "HIT", "{same}");
    }

    fleet.site.on("/", CannedResponse::html(PAGE.replace("a.png", "b.png")));
    let bypass = fleet.call("images", &[page, ("fresh", "true")], &first).await;
    assert_eq!((bypass.header("x-cache"), &bypass.usage()["creditsSpent"]), ("BYPASS", &1.into()));
    assert_eq!(bypass.json["images"][0]["url"], "http://site.test/b.png");
    let hit = fleet.call("images", &[page], &first).await;
    assert_eq!((hit.header("x-cache"), &hit.json["images"][0]["url"]), ("HIT", &"http://site.test/b.png".into()));
    assert_eq!(hit.usage()["creditsThisMonth"], 2);
    assert_eq!(hit.usage()["remaining"], 298);
}

#[tokio::test]
async fn nine_operations_on_one_page_are_one_read() {
    let fleet = Fleet::start().await;
    let account = fleet.roomy_account();
    let animation = r#"{"v":"5.7","w":10,"h":10,"fr":30,"ip":0,"op":60,"layers":[]}"#;
    let feed =
        "<rss><channel><item><title>One</title><enclosure url='/one.mp3' type='audio/mpeg'/></item></channel></rss>";
    // More files than one operation reads, so that an operation that counted files requested by others would lack its
    // own.
    let players: String = (0..50).map(|n| format!("<lottie-player src=/{n}.json></lottie-player>")).collect();
    let html = format!(
        "{PAGE}<link rel=manifest href=/m.json><link rel=alternate type=application/rss+xml href=/feed>\
         <svg><use href=/sprite.svg#i></use></svg>{players}"
    );
    fleet.site.fallback(move |_| CannedResponse::new("application/json", animation));
    for (path, reply) in [
        ("/there", CannedResponse::html(html.clone())),
        ("/back", CannedResponse::html(html)),
        ("/m.json", CannedResponse::new("application/manifest+json", r#"{"icons":[{"src":"/icon.png"}]}"#)),
        ("/feed", CannedResponse::new("application/rss+xml", feed)),
        (
            "/sprite.svg",
            CannedResponse::svg(
                "<svg xmlns='http://www.w3.org/2000/svg'><symbol id=i><path d='M0 0h9v9z'/></symbol></svg>",
            ),
        ),
    ] {
        fleet.site.on(path, reply);
    }
    let operations = ["lottie", "images", "audio", "svg", "videos", "fonts", "extract", "brand", "code"];
    let result = async |path: &str, operation: &str| {
        let answer = fleet.call(operation, &[("url", &format!("http://site.test{path}"))], &account).await;
        answer.usage();
        let mut json = answer.json;
        json.as_object_mut().unwrap().remove("usage");
        json.to_string().replace(path, "/page")
    };
    let mut there = Vec::new();
    for operation in operations {
        there.push(result("/there", operation).await);
    }
    for (operation, there) in operations.iter().zip(&there).rev() {
        assert_eq!(&result("/back", operation).await, there, "{operation}: independent of earlier reads");
    }
    assert_eq!((fleet.site.count("/there"), fleet.site.count("/back")), (1, 1));
    for (index, part) in [(0, "\"valid\":"), (1, "/icon.png"), (2, "/one.mp3"), (3, "M0 0h9v9z")] {
        assert!(there[index].contains(part), "{}: {}", operations[index], there[index]);
    }
}

#[tokio::test]
async fn two_hundred_identical_calls_are_one_read_and_one_charge() {
    let fleet = Fleet::start().await;
    fleet.site.on("/", CannedResponse::html(PAGE).after(Duration::from_millis(500)));
    let account = fleet.roomy_account();
    let calls = (0..200).map(|_| fleet.call("images", &[("url", "http://site.test/")], &account));
    let answers = futures::future::join_all(calls).await;
    let spent: u64 = answers.iter().map(|answer| answer.usage()["creditsSpent"].as_u64().unwrap()).sum();
    let misses = answers.iter().filter(|answer| answer.header("x-cache") == "MISS").count();
    assert_eq!((fleet.site.count("/"), misses, spent), (1, 1, 1));
    let last = fleet.call("images", &[("url", "http://site.test/")], &account).await;
    assert_eq!(last.usage()["creditsThisMonth"], 1);
}

#[tokio::test]
async fn disconnecting_does_not_stop_a_call() {
    let fleet = Fleet::start().await;
    fleet.site.on("/", CannedResponse::html(PAGE).after(Duration::from_millis(800)));
    let account = fleet.account("free", &[]);
    let call = fleet.call("images", &[("url", "http://site.test/")], &account);
    assert!(
        tokio::time::timeout(Duration::from_millis(300), call).await.is_err(),
        "disconnected while the page was read"
    );
    fleet.site.wait_for("/", 1).await;
    let answer = fleet.call("images", &[("url", "http://site.test/")], &account).await;
    assert_eq!(answer.header("x-cache"), "HIT", "it waits for the call that continues");
    assert_eq!((fleet.site.count("/"), &answer.usage()["creditsThisMonth"]), (1, &1.into()));
}
