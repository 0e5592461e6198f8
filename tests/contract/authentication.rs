//! Keys, and the headers of every response.

use http::Method;
use limner_tests::Fleet;

const OPERATIONS: &[&str] = &["code", "brand", "extract", "images", "svg", "videos", "audio", "lottie", "fonts"];

#[tokio::test]
async fn only_live_keys_are_accepted() {
    let fleet = Fleet::start().await;
    let account = fleet.roomy_account();
    let mut typo = account.key.clone();
    typo.pop();
    let bearer = |key: &str| format!("Bearer {key}");
    let unknown = format!("lm_live_{}", "0".repeat(49));
    let refused: Vec<Option<String>> = vec![
        None,
        Some(String::new()),
        Some("Bearer".to_owned()),
        Some("Bearer ".to_owned()),
        Some(account.key.clone()),
        Some(format!("Basic {}", account.key)),
        Some(bearer(&typo)),
        Some(bearer(&format!("{}x", account.key))),
        Some(bearer(&account.key.to_uppercase())),
        Some(bearer(&unknown)),
        Some(format!("Bearer {} {}", account.key, account.key)),
    ];
    for operation in OPERATIONS {
        for credentials in &refused {
            let headers: Vec<(&str, &str)> =
                credentials.iter().map(|value| ("authorization", value.as_str())).collect();
            let answer =
                fleet.send(Method::GET, &format!("/{operation}"), &[("url", "http://site.test/")], &headers).await;
            answer.assert_error(401, "invalid_api_key");
            assert!(answer.header("www-authenticate").starts_with("Bearer"), "{credentials:?}: {answer:?}");
        }
    }
    assert_eq!(fleet.site.requests().len(), 0, "no page is read without a key");
    let answer =
        fleet.send(Method::GET, "/images", &[], &[("authorization", &format!("bearer {}", account.key))]).await;
    answer.assert_error(400, "invalid_request");
}

#[tokio::test]
async fn revoked_key_is_refused_within_a_second() {
    let fleet = Fleet::start().await;
    fleet
        .site
        .on("/", limner_testkit::CannedResponse::html("<p>Read me, I am a page with a little text.<img src=/a.png>"));
    let account = fleet.roomy_account();
    let second = fleet.admin(&["key", "create", &account.id, "--name", "second"]);
    let second = limner_tests::Account { id: account.id.clone(), key: second["api_key"].as_str().unwrap().to_owned() };
    fleet.call("images", &[("url", "http://site.test/")], &account).await.usage();
    fleet.call("images", &[("url", "http://site.test/")], &second).await.usage();
    fleet.admin(&["key", "revoke", &second.key]);
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    fleet.call("images", &[("url", "http://site.test/")], &second).await.assert_error(401, "invalid_api_key");
    fleet.call("images", &[("url", "http://site.test/")], &account).await.usage();
    let log = fleet.log();
    assert!(!log.contains(&account.key) && !log.contains(&second.key), "keys never appear in logs");
}

#[tokio::test]
async fn unknown_paths_and_methods_get_the_error_body() {
    let fleet = Fleet::start().await;
    let account = fleet.roomy_account();
    let authorization = format!("Bearer {}", account.key);
    let headers = [("authorization", authorization.as_str())];
    for path in ["", "/", "/nothing", "/images/", "/Images", "/images/x", "/../images"] {
        let answer = fleet.send(Method::GET, path, &[("url", "http://site.test/")], &headers).await;
        if path != "/../images" {
            answer.assert_error(404, "not_found");
        }
    }
    for operation in OPERATIONS {
        for method in [Method::POST, Method::PUT, Method::DELETE, Method::PATCH] {
            let answer = fleet.send(method, &format!("/{operation}"), &[("url", "http://site.test/")], &headers).await;
            answer.assert_error(405, "invalid_request");
            assert!(answer.header("allow").contains("GET"), "{answer:?}");
        }
    }
    let own_id = [("authorization", authorization.as_str()), ("x-request-id", "req_mine")];
    let answer = fleet.send(Method::GET, "/images", &[], &own_id).await;
    assert_ne!(answer.header("x-request-id"), "req_mine", "a caller's request id is not adopted");
}
