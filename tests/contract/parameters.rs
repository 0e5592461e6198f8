//! Parameters: invalid ones are rejected with the valid values, unknown ones are named.

use limner_testkit::CannedResponse;
use limner_tests::Fleet;

const PAGE: &str = "<title>Page</title><h1>A page</h1><p>With a little text to read.</p><img src=/a.png alt=A><svg viewBox='0 0 1 1'><path d='M0 0h1'/></svg>";

#[tokio::test]
async fn bad_values_are_named_with_the_valid_ones() {
    let fleet = Fleet::start().await;
    fleet.site.on("/", CannedResponse::html(PAGE));
    let account = fleet.roomy_account();
    let page = ("url", "http://site.test/");
    let table: &[(&str, &[(&str, &str)], &[&str])] = &[
        ("images", &[], &["url"]),
        ("images", &[("url", "")], &["url"]),
        ("images", &[page, page], &["url", "once"]),
        ("images", &[("url", "ftp://site.test/")], &["http", "https"]),
        ("images", &[("url", "http://user:pw@site.test/")], &["user"]),
        ("images", &[("url", "http://")], &[]),
        ("images", &[("url", "http://[::1")], &[]),
        ("images", &[page, ("render", "yes")], &["render", "true, false"]),
        ("images", &[page, ("render", "True")], &["true, false"]),
        ("images", &[page, ("fresh", "1")], &["fresh", "true, false"]),
        ("images", &[page, ("fresh", "true"), ("fresh", "true")], &["fresh", "once"]),
        ("images", &[page, ("screenshot", "true")], &["render=true"]),
        ("images", &[page, ("screenshot", "big"), ("render", "true")], &["true, full, false"]),
        ("images", &[page, ("fields", "pictures")], &["images, count"]),
        ("images", &[page, ("fields", "")], &["images, count"]),
        ("images", &[page, ("fields", "Images")], &["images, count"]),
        ("svg", &[page, ("fields", "images")], &["svgs, count"]),
        ("videos", &[page, ("fields", "images")], &["videos, count"]),
        ("audio", &[page, ("fields", "x")], &["audio, count"]),
        ("lottie", &[page, ("fields", "x")], &["lottie, count"]),
        ("fonts", &[page, ("fields", "x")], &["fonts, families, count"]),
        ("extract", &[page, ("format", "scss")], &["json, css, tailwind, dtcg"]),
        ("extract", &[page, ("scope", "all")], &["sheet, page"]),
        ("extract", &[page, ("fields", "colours")], &["colors, fontSizes"]),
        ("extract", &[page, ("format", "css"), ("fields", "colours")], &["colors"]),
        ("brand", &[page, ("fields", "logo,font")], &["logos", "socials"]),
        ("code", &[page, ("framework", "svelte")], &["tailwind, html, jsx, vue, elementor, shopify"]),
        ("code", &[page, ("framework", "JSX")], &["jsx"]),
        ("code", &[page, ("section", "nav")], &["hero, header, footer, pricing, features, testimonials, faq, cta"]),
        ("code", &[page, ("theme", "auto")], &["light, dark"]),
        ("code", &[page, ("scope", "site")], &["section, page"]),
        ("code", &[page, ("scope", "page"), ("section", "hero")], &["scope=page", "`section`"]),
        ("code", &[page, ("scope", "page"), ("selector", "main")], &["scope=page", "`selector`"]),
        ("code", &[page, ("selector", "div[")], &["selector"]),
        ("code", &[page, ("selector", "")], &["selector"]),
        ("code", &[page, ("framework", "jsx"), ("name", "1 2")], &["name", "PascalCase"]),
    ];
    for (operation, query, says) in table {
        let answer = fleet.call(operation, query, &account).await;
        answer.assert_error(400, "invalid_request");
        for words in *says {
            assert!(
                answer.message().contains(words),
                "{operation} {query:?} should say {words:?}: {}",
                answer.message()
            );
        }
    }
    assert_eq!(fleet.site.requests().len(), 0, "a bad request reads no page");
}

#[tokio::test]
async fn private_addresses_are_refused_before_any_connection() {
    let fleet = Fleet::start().await;
    let account = fleet.roomy_account();
    let port = fleet.site.port();
    // This fleet may reach 127.0.0.0/8, but only by name.
    let inside = [
        format!("http://127.0.0.1:{port}/"),
        "http://127.1/".to_owned(),
        "http://2130706433/".to_owned(),
        "http://0x7f000001/".to_owned(),
        "http://0177.0.0.1/".to_owned(),
        "http://[::ffff:127.0.0.1]/".to_owned(),
        "http://localhost/".to_owned(),
        format!("http://localhost:{port}/"),
        "http://10.0.0.1/".to_owned(),
        "http://192.168.1.1/".to_owned(),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        "http://[::1]/".to_owned(),
        format!("http://[::1]:{port}/"),
        "http://[fe80::1]/".to_owned(),
        "http://[fd00::1]/".to_owned(),
        "http://0.0.0.0/".to_owned(),
        "http://172.16.0.1/".to_owned(),
        "http://100.64.0.1/".to_owned(),
        "http://0xa000001/".to_owned(),
        "http://167772161/".to_owned(),
        "http://10.1/".to_owned(),
        "http://[::ffff:10.0.0.1]/".to_owned(),
        "http://[64:ff9b::a00:1]/".to_owned(),
        "http://224.0.0.1/".to_owned(),
        "http://255.255.255.255/".to_owned(),
        "http://app.localhost/".to_owned(),
    ];
    for url in &inside {
        fleet.call("images", &[("url", url)], &account).await.assert_error(400, "invalid_request");
    }
    assert_eq!(fleet.site.requests().len(), 0);
}

#[tokio::test]
async fn unknown_parameters_are_named_and_cost_nothing_more() {
    let fleet = Fleet::start().await;
    fleet.site.on("/", CannedResponse::html(PAGE));
    let account = fleet.roomy_account();
    let answer = fleet
        .call("images", &[("url", "http://site.test/"), ("Fresh", "true"), ("format", "css"), ("x", "1")], &account)
        .await;
    assert_eq!(answer.usage()["creditsSpent"], 1);
    let ignored: Vec<&str> = answer.header("x-ignored-params").split(',').map(str::trim).collect();
    assert_eq!(ignored, ["Fresh", "format", "x"]);
    let answer = fleet.call("images", &[("url", "http://site.test/")], &account).await;
    assert_eq!(answer.header("x-cache"), "HIT", "unknown parameters are not part of the cache key");
    assert_eq!(answer.header("x-ignored-params"), "");
}

#[tokio::test]
async fn fields_narrow_the_answer_and_never_the_price() {
    let fleet = Fleet::start().await;
    fleet.site.on("/", CannedResponse::html(PAGE));
    let account = fleet.roomy_account();
    let keys = |answer: &limner_tests::Answer| answer.json.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let page = ("url", "http://site.test/");
    let answer = fleet.call("images", &[page, ("fields", "count")], &account).await;
    assert_eq!(answer.usage()["creditsSpent"], 1);
    let mut narrow = keys(&answer);
    narrow.sort();
    assert_eq!(narrow, ["count", "url", "usage"]);
    let answer = fleet.call("images", &[page], &account).await;
    assert_eq!(
        (answer.header("x-cache"), answer.json["images"].as_array().unwrap().len()),
        ("HIT", 1),
        "fields come after the cache"
    );
    let answer = fleet.call("images", &[page, ("fields", " images , count ")], &account).await;
    assert_eq!(answer.json["count"], 1);
    // As most generated clients send a list.
    let repeated = fleet.call("images", &[page, ("fields", "images"), ("fields", "count")], &account).await;
    assert_eq!((repeated.header("x-cache"), &repeated.json["images"]), ("HIT", &answer.json["images"]));
    assert_eq!(keys(&repeated), keys(&answer));
}
