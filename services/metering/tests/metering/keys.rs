//! API keys.

use crate::support::{account, hold, ledger, refused, store};
use limner_metering::{Ledger, LedgerError, api_key};
use limner_types::{ApiKey, Plan};

#[tokio::test]
async fn key_opens_its_account_until_it_is_revoked() {
    let ledger = ledger().await;
    let id = account(&ledger, Plan::Free).await.state.account_id;
    for by_id in [false, true] {
        let made = ledger.create_key(&id, "laptop").await.unwrap();
        assert!(ApiKey::parse(made.key.expose()).is_ok());
        assert!(made.key.expose().starts_with(&made.record.prefix));
        let hash = api_key::sha256(&made.key);
        let owner = ledger.authenticate(hash).await.unwrap();
        assert_eq!((owner.state.account_id.as_str(), &owner.key_id), (id.as_str(), &made.record.key_id));
        let handle = if by_id { &made.record.key_id } else { made.key.expose() };
        let revoked = ledger.revoke_key(handle).await.unwrap();
        assert!(revoked.revoked_at.is_some());
        assert!(matches!(ledger.authenticate(hash).await, Err(LedgerError::UnknownKey)));
        assert_eq!(ledger.revoke_key(handle).await.unwrap(), revoked, "revoking again changes nothing");
    }
    let listed = ledger.keys(&id).await.unwrap();
    assert_eq!(listed.len(), 2);
    assert!(listed.iter().all(|key| key.name == "laptop" && key.revoked_at.is_some()));
}

#[tokio::test]
async fn unknown_keys_are_not_authenticated() {
    let ledger = ledger().await;
    assert!(matches!(ledger.authenticate([0; 32]).await, Err(LedgerError::UnknownKey)));
    for handle in ["key_none", "", api_key::generate().expose(), "lm_live_malformed"] {
        assert!(matches!(ledger.revoke_key(handle).await, Err(LedgerError::UnknownKey)), "{handle}");
    }
}

#[tokio::test]
async fn database_does_not_contain_the_key_itself() {
    let store = store().await;
    let ledger = Ledger::new(store.clone(), None, None);
    let id = account(&ledger, Plan::Free).await.state.account_id;
    let made = ledger.create_key(&id, "k").await.unwrap();
    let rows = store.query("SELECT k::text AS row FROM metering.api_key k", &[]).await.unwrap();
    let events = store.query("SELECT e::text AS row FROM metering.account_event e", &[]).await.unwrap();
    assert_eq!(rows.len(), 1);
    let secret = &made.key.expose()[made.record.prefix.len()..];
    for row in rows.iter().chain(&events) {
        let text: String = row.get("row");
        assert!(!text.contains(secret), "{text}");
    }
}

#[tokio::test]
async fn additional_keys_share_the_quota_of_their_account() {
    let ledger = ledger().await;
    let id = account(&ledger, Plan::Free).await.state.account_id;
    for n in 0..3 {
        let made = ledger.create_key(&id, "k").await.unwrap();
        let owner = ledger.authenticate(api_key::sha256(&made.key)).await.unwrap();
        hold(&ledger, &owner.state.account_id, &format!("r{n}"), 100).await;
    }
    refused(&ledger, &id, "more", 1, &["quota of 300"]).await;
}

#[tokio::test]
async fn keys_are_limited_and_names_short() {
    let ledger = ledger().await;
    let id = account(&ledger, Plan::Free).await.state.account_id;
    assert!(matches!(ledger.create_key(&id, &"n".repeat(101)).await, Err(LedgerError::Invalid(_))));
    let mut last = None;
    for _ in 0..100 {
        last = Some(ledger.create_key(&id, "k").await.unwrap());
    }
    assert!(matches!(ledger.create_key(&id, "k").await, Err(LedgerError::Invalid(_))));
    ledger.revoke_key(&last.unwrap().record.key_id).await.unwrap();
    ledger.create_key(&id, "k").await.unwrap();
}
