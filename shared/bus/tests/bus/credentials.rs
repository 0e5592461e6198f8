//! Credentials in files, certificates of an own CA, and a server that comes later.

use crate::support::Worker;
use crate::support::{TIMEOUT, answer, body_of, config, job, options};
use futures::StreamExt;
use limner_bus::{AccountChange, Bus, BusConfig, BusError, Stage};
use limner_local_servers::Nats;
use limner_testkit::CertificateAuthority;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;
use tokio::time::Instant;

/// Made for tests: an operator, an account and a user of it.
const OPERATOR: &str = include_str!("credentials/operator.conf");
const USER: &str = include_str!("credentials/user.creds");
/// The user's own key.
const PUBLIC_KEY: &str = "UDZEO7SM2QOOP47UQGO3MTVHJNNEYGECRDBYGCX2TRKRJTD2LTUNZQQP";
const SEED: &str = "SUAB3K7XW3XLZVEMC44U2I35W5W4LUFELRLMKV6AUZ52PMFXWBWY44XZ6A";

fn with_credentials(nats: &Nats, credentials: Option<&str>) -> BusConfig {
    let credentials = credentials.map(str::to_owned);
    BusConfig { credentials, ..config(format!("nats://{}", nats.address()), "credentials") }
}

/// A certificate for `localhost` of a new CA, in files that the server's user can read.
struct Identity {
    folder: tempfile::TempDir,
    authority: CertificateAuthority,
}

impl Identity {
    fn new() -> Self {
        let (folder, authority) = (tempfile::tempdir().unwrap(), CertificateAuthority::new());
        std::fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        std::fs::write(folder.path().join("ca.pem"), authority.pem()).unwrap();
        Self { folder, authority }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name).with_extension("pem")
    }

    /// Writes a new certificate that expires with a year.
    fn renew_until(&self, year: i32) {
        let issued = self.authority.issue_until(&["localhost"], year);
        std::fs::write(self.file("certificate"), issued.certificate).unwrap();
        std::fs::write(self.file("key"), issued.key).unwrap();
    }

    fn server_options(&self) -> String {
        let [certificate, key] = ["certificate", "key"].map(|name| self.file(name));
        format!("tls {{ cert_file: \"{}\", key_file: \"{}\" }}", certificate.display(), key.display())
    }
}

#[tokio::test]
async fn users_are_known_by_a_creds_file_or_an_nkey() {
    let operator = Nats::temporary_with(OPERATOR).await.unwrap();
    let nkey = Nats::temporary_with(&format!("authorization {{ users: [ {{ nkey: {PUBLIC_KEY} }} ] }}")).await.unwrap();
    for (nats, credentials, what) in [(&operator, USER, "a .creds file"), (&nkey, SEED, "an nkey")] {
        let bus = Bus::connect(with_credentials(nats, Some(credentials))).await.unwrap_or_else(|cause| {
            panic!("{what}: {cause}");
        });
        assert!(bus.is_connected(), "{what}");
        let refused = Bus::connect(with_credentials(nats, None)).await;
        assert!(matches!(refused.err(), Some(BusError::Connect(_))), "without {what}");
    }
    let broken = Bus::connect(with_credentials(&operator, Some("no credentials"))).await;
    assert!(matches!(broken.err(), Some(BusError::Connect(_))));
}

#[tokio::test]
async fn server_with_a_certificate_of_an_own_ca_is_trusted_if_it_is_configured() {
    let identity = Identity::new();
    identity.renew_until(2090);
    let nats = Nats::temporary_with(&identity.server_options()).await.unwrap();
    let url = format!("tls://localhost:{}", nats.address().port());
    let trusting = BusConfig { extra_ca: Some(identity.file("ca")), ..config(url.clone(), "ca") };
    assert!(Bus::connect(trusting).await.unwrap().is_connected());
    let distrusting = BusConfig { connect_timeout: Duration::from_millis(500), ..config(url, "ca") };
    assert!(matches!(Bus::connect(distrusting).await.err(), Some(BusError::Connect(_))));
}

#[tokio::test]
async fn expired_certificate_is_refused_until_it_is_replaced() {
    let identity = Identity::new();
    identity.renew_until(2020);
    let nats = Nats::temporary_with(&identity.server_options()).await.unwrap();
    let url = format!("tls://localhost:{}", nats.address().port());
    let connect_timeout = Duration::from_millis(500);
    let trusting = BusConfig { extra_ca: Some(identity.file("ca")), connect_timeout, ..config(url, "expired") };
    let bus = Bus::connect_or_retry(trusting.clone()).await.unwrap();
    assert!(!bus.is_connected());
    assert!(matches!(Bus::connect(trusting).await.err(), Some(BusError::Connect(_))));
    identity.renew_until(2090);
    nats.reload();
    let mut state = bus.connection_state();
    tokio::time::timeout(TIMEOUT, state.wait_for(|up| *up)).await.unwrap().unwrap();
}

#[tokio::test]
async fn process_starts_without_a_server_and_uses_it_once_it_is_there() {
    let mut nats = Nats::temporary().await.unwrap();
    nats.stop();
    let connect_timeout = Duration::from_millis(300);
    let started = Instant::now();
    let bus = Bus::connect_or_retry(BusConfig { connect_timeout, ..config(nats.url(), "later") }).await.unwrap();
    let mut changes = bus.account_changes().await.unwrap();
    let inbox = bus.reply_inbox().await.unwrap();
    let renderers = bus.renderers().await.unwrap();
    assert!(started.elapsed() < Duration::from_secs(3), "nothing waits for the server: {:?}", started.elapsed());
    assert!(!bus.is_connected() && !*bus.connection_state().borrow() && !renderers.any());
    assert!(bus.publish_job(Stage::Fetch, &job("early", inbox.subject("early"))).await.is_err());

    nats.restart().await.unwrap();
    let mut state = bus.connection_state();
    tokio::time::timeout(TIMEOUT, state.wait_for(|up| *up)).await.unwrap().unwrap();
    bus.declare().await.unwrap();
    let worker = Worker::start(&bus, Stage::Fetch, options(1), async |context| answer(&context, "done"));
    let pending = inbox.register("later");
    bus.publish_job(Stage::Fetch, &job("later", inbox.subject("later"))).await.unwrap();
    assert_eq!(body_of(pending.wait(Instant::now() + TIMEOUT).await.unwrap()), b"done");
    let change = AccountChange { account_id: "a".to_owned(), key_sha256: None };
    bus.announce_account_change(change.clone()).await.unwrap();
    assert_eq!(tokio::time::timeout(TIMEOUT, changes.next()).await.unwrap(), Some(change));
    worker.stop().await;
}

#[tokio::test]
async fn process_does_not_start_with_rejected_credentials() {
    let nats = Nats::temporary_with(OPERATOR).await.unwrap();
    let refused = Bus::connect_or_retry(with_credentials(&nats, None)).await;
    assert!(matches!(refused.err(), Some(BusError::Connect(_))));
}
