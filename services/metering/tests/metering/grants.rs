//! OAuth grants: which secrets are valid, and which are not any more.

use crate::support::{account, ledger, ledger_with_clock};
use limner_metering::{CodeExchange, ExchangeOutcome, Ledger, LedgerError, NewGrant, NewTokens, Refresh};
use limner_types::Plan;
use std::time::Duration;

const RESOURCE: &str = "https://mcp.example.org/mcp";
const OTHER: &str = "https://other.example.org/mcp";
const CLIENT: &str = "https://client.example/oauth.json";

/// Returns a hash that stands for the `n`th secret.
fn secret(n: u8) -> [u8; 32] {
    [n; 32]
}

fn grant(account: &str, code: u8) -> NewGrant {
    NewGrant {
        account_id: account.to_owned(),
        client_id: CLIENT.to_owned(),
        client_name: "A client".to_owned(),
        scopes: vec!["extract".to_owned(), "more".to_owned()],
        resource: RESOURCE.to_owned(),
        redirect_uri: "http://127.0.0.1/callback".to_owned(),
        code_challenge: "challenge".to_owned(),
        code_sha256: secret(code),
        code_ttl: Duration::from_secs(60),
    }
}

fn tokens(access: u8, refresh: u8) -> NewTokens {
    NewTokens {
        access_sha256: secret(access),
        access_ttl: Duration::from_secs(3_600),
        refresh_sha256: secret(refresh),
        refresh_ttl: Duration::from_secs(30 * 86_400),
    }
}

fn exchange(code: u8, access: u8, refresh: u8) -> CodeExchange {
    CodeExchange {
        code_sha256: secret(code),
        client_id: CLIENT.to_owned(),
        redirect_uri: Some("http://127.0.0.1/callback".to_owned()),
        code_challenge: "challenge".to_owned(),
        resource: Some(RESOURCE.to_owned()),
        tokens: tokens(access, refresh),
    }
}

fn refresh(used: u8, access: u8, next: u8) -> Refresh {
    Refresh {
        refresh_sha256: secret(used),
        client_id: CLIENT.to_owned(),
        resource: None,
        scopes: Vec::new(),
        tokens: tokens(access, next),
    }
}

async fn active(ledger: &Ledger, token: u8) -> bool {
    ledger.introspect(secret(token), RESOURCE).await.unwrap().is_some()
}

/// Creates an account with a grant whose code is 1, access token 2 and refresh token 3.
async fn signed_in(ledger: &Ledger) -> String {
    let account = account(ledger, Plan::Free).await.state.account_id;
    ledger.create_grant(&grant(&account, 1)).await.unwrap();
    let issued = ledger.exchange_code(&exchange(1, 2, 3)).await.unwrap();
    assert!(matches!(issued, ExchangeOutcome::Issued { .. }), "{issued:?}");
    account
}

#[tokio::test]
async fn code_becomes_a_token_that_names_account_and_client() {
    let ledger = ledger().await;
    let account = signed_in(&ledger).await;
    let found = ledger.introspect(secret(2), RESOURCE).await.unwrap().unwrap();
    assert_eq!((found.grant.account_id.as_str(), found.grant.client_id.as_str()), (account.as_str(), CLIENT));
    assert_eq!(
        (found.scopes.as_slice(), found.state.account_id),
        (["extract".into(), "more".into()].as_slice(), account)
    );
    assert!(ledger.introspect(secret(2), OTHER).await.unwrap().is_none(), "not for another resource server");
    for other in [1, 3, 9] {
        assert!(!active(&ledger, other).await, "{other} is no access token");
    }
}

#[tokio::test]
async fn authorization_code_works_once_and_its_second_use_revokes_the_grant() {
    let ledger = ledger().await;
    let account = signed_in(&ledger).await;
    assert!(active(&ledger, 2).await);
    let again = ledger.exchange_code(&exchange(1, 4, 5)).await.unwrap();
    assert!(matches!(&again, ExchangeOutcome::Reused(grant) if grant.account_id == account), "{again:?}");
    for token in [2, 4] {
        assert!(!active(&ledger, token).await, "{token}");
    }
    assert_eq!(ledger.refresh(&refresh(3, 6, 7)).await.unwrap(), ExchangeOutcome::Invalid);
    assert!(ledger.grants(&account).await.unwrap().is_empty());
}

#[tokio::test]
async fn code_exchange_must_match_its_grant() {
    let ledger = ledger().await;
    let account = account(&ledger, Plan::Free).await.state.account_id;
    type Forge = fn(&mut CodeExchange);
    let table: [(Forge, ExchangeOutcome); 4] = [
        (|e| e.client_id = "https://evil.example/".to_owned(), ExchangeOutcome::Invalid),
        (|e| e.redirect_uri = Some("http://127.0.0.1/other".to_owned()), ExchangeOutcome::Invalid),
        (|e| e.code_challenge = "another".to_owned(), ExchangeOutcome::Invalid),
        (|e| e.resource = Some(OTHER.to_owned()), ExchangeOutcome::WrongResource),
    ];
    for (code, (forge, outcome)) in (10..).zip(table) {
        ledger.create_grant(&grant(&account, code)).await.unwrap();
        let right = exchange(code, code + 100, code + 200);
        let mut forged = right.clone();
        forge(&mut forged);
        assert_eq!(ledger.exchange_code(&forged).await.unwrap(), outcome, "{forged:?}");
        let late = ledger.exchange_code(&right).await.unwrap();
        assert!(matches!(late, ExchangeOutcome::Reused(_)), "nobody tries a code twice: {late:?}");
        assert!(!active(&ledger, code + 100).await);
    }
}

#[tokio::test]
async fn refresh_tokens_rotate_and_a_used_one_ends_the_grant() {
    let ledger = ledger().await;
    signed_in(&ledger).await;
    let other_client = Refresh { client_id: "https://evil.example/".to_owned(), ..refresh(3, 4, 5) };
    assert_eq!(ledger.refresh(&other_client).await.unwrap(), ExchangeOutcome::Invalid);
    let other_resource = Refresh { resource: Some(OTHER.to_owned()), ..refresh(3, 4, 5) };
    assert_eq!(ledger.refresh(&other_resource).await.unwrap(), ExchangeOutcome::WrongResource);
    let more = Refresh { scopes: vec!["extract".to_owned(), "admin".to_owned()], ..refresh(3, 4, 5) };
    assert_eq!(ledger.refresh(&more).await.unwrap(), ExchangeOutcome::WrongScope);

    let less = Refresh { scopes: vec!["extract".to_owned()], ..refresh(3, 4, 5) };
    let issued = ledger.refresh(&less).await.unwrap();
    assert!(matches!(&issued, ExchangeOutcome::Issued { scopes, .. } if *scopes == ["extract"]), "{issued:?}");
    let issued = ledger.refresh(&refresh(5, 6, 7)).await.unwrap();
    assert!(
        matches!(&issued, ExchangeOutcome::Issued { scopes, .. } if scopes.len() == 2),
        "all that was granted: {issued:?}"
    );
    for token in [2, 4, 6] {
        assert!(active(&ledger, token).await, "{token}");
    }
    let stolen = ledger.refresh(&refresh(3, 8, 9)).await.unwrap();
    assert!(matches!(stolen, ExchangeOutcome::Reused(_)), "{stolen:?}");
    for token in [2, 4, 6, 8] {
        assert!(!active(&ledger, token).await, "{token}");
    }
    assert_eq!(ledger.refresh(&refresh(7, 10, 11)).await.unwrap(), ExchangeOutcome::Invalid);
}

#[tokio::test]
async fn concurrent_uses_of_a_secret_issue_tokens_at_most_once() {
    let ledger = ledger().await;
    let account = account(&ledger, Plan::Free).await.state.account_id;
    ledger.create_grant(&grant(&account, 1)).await.unwrap();
    let exchanges: Vec<CodeExchange> = (0..8).map(|n| exchange(1, 100 + n, 200 + n)).collect();
    let outcomes = futures::future::join_all(exchanges.iter().map(|one| ledger.exchange_code(one))).await;
    let issued = outcomes.iter().filter(|outcome| matches!(outcome, Ok(ExchangeOutcome::Issued { .. }))).count();
    assert_eq!(issued, 1, "{outcomes:?}");
    for n in 0..8 {
        assert!(!active(&ledger, 100 + n).await, "the other uses ended the grant");
    }
}

#[tokio::test]
async fn tokens_and_grants_are_revoked_only_by_their_owner() {
    let ledger = ledger().await;
    let account = signed_in(&ledger).await;
    let other = crate::support::account(&ledger, Plan::Free).await.state.account_id;
    let id = ledger.grants(&account).await.unwrap()[0].grant_id.clone();
    assert!(ledger.revoke_token(secret(2), "https://evil.example/").await.unwrap().is_none());
    assert!(matches!(ledger.revoke_grant(&other, &id).await, Err(LedgerError::UnknownGrant(_))));
    assert!(active(&ledger, 2).await, "tokens of other clients stay");

    ledger.refresh(&refresh(3, 4, 5)).await.unwrap();
    assert!(
        ledger.revoke_token(secret(2), CLIENT).await.unwrap().is_none(),
        "revoking an access token keeps the grant"
    );
    assert!(!active(&ledger, 2).await && active(&ledger, 4).await);
    for ended in [true, false] {
        assert_eq!(ledger.revoke_token(secret(5), CLIENT).await.unwrap().is_some(), ended);
        assert!(!active(&ledger, 4).await, "revoking a refresh token ends the grant");
    }
    assert!(ledger.revoke_token(secret(77), CLIENT).await.unwrap().is_none(), "unknown tokens are no error");

    ledger.create_grant(&grant(&account, 11)).await.unwrap();
    ledger.exchange_code(&exchange(11, 12, 13)).await.unwrap();
    let id = ledger.grants(&account).await.unwrap()[0].grant_id.clone();
    for _ in 0..2 {
        assert_eq!(ledger.revoke_grant(&account, &id).await.unwrap().client_name, "A client");
        assert!(!active(&ledger, 12).await);
    }
    ledger.create_grant(&grant(&account, 21)).await.unwrap();
    ledger.exchange_code(&exchange(21, 22, 23)).await.unwrap();
    ledger.create_grant(&grant(&account, 31)).await.unwrap();
    assert_eq!(ledger.revoke_grants(&account).await.unwrap().len(), 1, "a grant with only a code is not active");
    assert!(!active(&ledger, 22).await);
    assert_eq!(ledger.exchange_code(&exchange(31, 32, 33)).await.unwrap(), ExchangeOutcome::Invalid, "codes end too");
}

#[tokio::test]
async fn closed_account_has_no_grants_and_gets_none() {
    let ledger = ledger().await;
    let account = signed_in(&ledger).await;
    ledger.close_account(&account).await.unwrap();
    assert!(!active(&ledger, 2).await);
    assert!(matches!(ledger.create_grant(&grant(&account, 4)).await, Err(LedgerError::UnknownAccount(_))));
    assert!(matches!(ledger.create_grant(&grant("acc_none", 4)).await, Err(LedgerError::UnknownAccount(_))));
}

#[tokio::test]
async fn codes_tokens_and_grants_expire() {
    let (ledger, clock) = ledger_with_clock("2026-11-22 12:00Z").await;
    let account = account(&ledger, Plan::Free).await.state.account_id;
    ledger.create_grant(&grant(&account, 1)).await.unwrap();
    clock.set("2026-11-22 12:01Z").await;
    assert_eq!(
        ledger.exchange_code(&exchange(1, 2, 3)).await.unwrap(),
        ExchangeOutcome::Invalid,
        "a code of a minute ago"
    );
    ledger.create_grant(&grant(&account, 4)).await.unwrap();
    ledger.exchange_code(&exchange(4, 5, 6)).await.unwrap();
    assert!(active(&ledger, 5).await);
    clock.set("2026-11-22 13:01Z").await;
    assert!(!active(&ledger, 5).await);
    ledger.refresh(&refresh(6, 7, 8)).await.unwrap();
    assert!(active(&ledger, 7).await);
    assert_eq!(ledger.purge_grants(Duration::from_secs(86_400)).await.unwrap(), 0);
    clock.set("2026-12-22 13:01Z").await;
    assert_eq!(ledger.refresh(&refresh(8, 9, 10)).await.unwrap(), ExchangeOutcome::Invalid, "unused for 30 days");
    assert!(ledger.grants(&account).await.unwrap().is_empty());
    clock.set("2026-12-23 13:02Z").await;
    assert!(ledger.purge_grants(Duration::from_secs(86_400)).await.unwrap() >= 2);
}

#[tokio::test]
async fn least_recently_used_of_too_many_grants_ends() {
    let (ledger, clock) = ledger_with_clock("2026-11-22 12:00Z").await;
    let account = account(&ledger, Plan::Free).await.state.account_id;
    for n in 0..100_u8 {
        clock.set(&format!("2026-11-22 12:{:02}:{:02}Z", n / 60, n % 60)).await;
        ledger.create_grant(&grant(&account, n)).await.unwrap();
        ledger.exchange_code(&exchange(n, 100 + n, 200_u8.wrapping_add(n))).await.unwrap();
    }
    clock.set("2026-11-22 12:05Z").await;
    assert_eq!(ledger.grants(&account).await.unwrap().len(), 100);
    // Its use makes it the most recently used.
    assert!(active(&ledger, 100).await);
    ledger.create_grant(&grant(&account, 100)).await.unwrap();
    assert!(active(&ledger, 100).await && !active(&ledger, 101).await);
}
