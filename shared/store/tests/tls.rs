//! TLS connections to a real server.

#![allow(clippy::unwrap_used, reason = "a helper of a test fails the test")]

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use limner_local_servers::Postgres;
use limner_store::{Store, StoreConfig};
use limner_testkit::{CertificateAuthority, ServerCertificate};
use std::time::Duration;

/// A certificate for `name` of a new CA, whose certificate is in a file.
struct Identity {
    folder: tempfile::TempDir,
    authority: CertificateAuthority,
    issued: ServerCertificate,
}

impl Identity {
    fn new(name: &str) -> Self {
        let (folder, authority) = (tempfile::tempdir().unwrap(), CertificateAuthority::new());
        std::fs::write(folder.path().join("ca.pem"), authority.pem()).unwrap();
        Self { folder, issued: authority.issue(&[name]), authority }
    }

    /// Replaces the certificate by one of the same CA that ends with a year.
    fn renew_until(&mut self, name: &str, year: i32) {
        self.issued = self.authority.issue_until(&[name], year);
    }

    fn authority(&self) -> String {
        self.folder.path().join("ca.pem").display().to_string()
    }
}

/// Installs the identity in the server, which writes the files itself so that it owns them.
async fn identify(postgres: &Postgres, identity: &Identity) {
    let store = store(postgres, "sslmode=prefer").await.unwrap();
    let client = store.client().await.unwrap();
    let folder: String = client.query_one("SHOW data_directory", &[]).await.unwrap().get(0);
    for (name, text) in [("server.crt", &identity.issued.certificate), ("server.key", &identity.issued.key)] {
        let text = BASE64_STANDARD.encode(text);
        let write = format!("umask 077; echo {text} | base64 -d > {folder}/{name}");
        client.batch_execute(&format!("COPY (SELECT 1) TO PROGRAM '{write}'")).await.unwrap();
    }
    client.batch_execute("ALTER SYSTEM SET ssl = on").await.unwrap();
    client.batch_execute("SELECT pg_reload_conf()").await.unwrap();
    let shows_it = async {
        while client.query_one("SHOW ssl", &[]).await.unwrap().get::<_, String>(0) != "on" {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(20), shows_it).await.unwrap();
}

async fn store(postgres: &Postgres, words: &str) -> Result<Store, String> {
    let config = StoreConfig { url: format!("{}?{words}", postgres.url()), ..StoreConfig::default() };
    Store::connect(config).await.map_err(|cause| cause.to_string())
}

/// Returns true if the connection is encrypted; an error if there is none.
async fn is_encrypted(postgres: &Postgres, words: &str) -> Result<bool, String> {
    const SQL: &str = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
    Ok(store(postgres, words).await?.query_one(SQL, &[]).await.unwrap().get("ssl"))
}

#[tokio::test]
async fn connections_to_a_server_without_certificate_follow_sslmode() {
    let postgres = Postgres::temporary().await.unwrap();
    for words in ["", "sslmode=disable", "sslmode=prefer"] {
        assert_eq!(is_encrypted(&postgres, words).await, Ok(false), "{words}");
    }
    for words in ["sslmode=require", "sslmode=verify-ca", "sslmode=verify-full"] {
        is_encrypted(&postgres, words).await.unwrap_err();
    }
}

#[tokio::test]
async fn every_mode_verifies_as_documented() {
    let postgres = Postgres::temporary().await.unwrap();
    let (host, other_host) = (Identity::new("127.0.0.1"), Identity::new("db.example.org"));
    let stranger = Identity::new("stranger");
    for (identity, is_host) in [(&host, true), (&other_host, false)] {
        identify(&postgres, identity).await;
        let trusted = identity.authority();
        for (words, expected) in [
            ("sslmode=disable".to_owned(), Some(false)),
            ("sslmode=prefer".to_owned(), Some(true)),
            ("sslmode=require".to_owned(), Some(true)),
            (format!("sslmode=require&sslrootcert={}", stranger.authority()), None),
            (format!("sslmode=require&sslrootcert={trusted}"), Some(true)),
            (format!("sslmode=verify-ca&sslrootcert={trusted}"), Some(true)),
            (format!("sslmode=verify-ca&sslrootcert={}", stranger.authority()), None),
            // No public CA has issued it.
            ("sslmode=verify-ca&sslrootcert=system".to_owned(), None),
            ("sslmode=verify-full".to_owned(), None),
            (format!("sslmode=verify-full&sslrootcert={trusted}"), is_host.then_some(true)),
        ] {
            let answer = is_encrypted(&postgres, &words).await;
            assert_eq!(answer.clone().ok(), expected, "{words}: {answer:?}");
        }
    }
    let nowhere = is_encrypted(&postgres, "sslmode=verify-full&sslrootcert=/nowhere.pem").await.unwrap_err();
    assert!(nowhere.contains("/nowhere.pem"), "{nowhere}");
}

/// Ends all other connections, as a server does that restarts.
async fn end_connections(postgres: &Postgres) {
    let sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
               WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";
    store(postgres, "sslmode=prefer").await.unwrap().query(sql, &[]).await.unwrap();
}

#[tokio::test]
async fn expired_certificate_is_refused_until_it_is_replaced() {
    const SQL: &str = "SELECT 1 AS one";
    const SOON: Duration = Duration::from_millis(50);
    const PATIENCE: Duration = Duration::from_secs(20);
    let postgres = Postgres::temporary().await.unwrap();
    let mut identity = Identity::new("127.0.0.1");
    identify(&postgres, &identity).await;
    let words = format!("sslmode=verify-full&sslrootcert={}", identity.authority());
    let running = store(&postgres, &words).await.unwrap();
    running.query(SQL, &[]).await.unwrap();
    identity.renew_until("127.0.0.1", 2020);
    identify(&postgres, &identity).await;
    // The server reads its certificate again soon, not at once.
    let refused = async {
        loop {
            match store(&postgres, &words).await {
                Err(cause) => break cause,
                Ok(_) => tokio::time::sleep(SOON).await,
            }
        }
    };
    let refused = tokio::time::timeout(PATIENCE, refused).await.unwrap();
    assert!(refused.to_lowercase().contains("expired"), "{refused}");
    end_connections(&postgres).await;
    assert!(running.query(SQL, &[]).await.is_err());
    identity.renew_until("127.0.0.1", 2090);
    identify(&postgres, &identity).await;
    let accepted = async {
        while running.query(SQL, &[]).await.is_err() {
            tokio::time::sleep(SOON).await;
        }
    };
    tokio::time::timeout(PATIENCE, accepted).await.expect("the new certificate is accepted without a restart");
}
