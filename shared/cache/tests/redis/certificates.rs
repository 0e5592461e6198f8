//! A server with a certificate of an own authority, which expires. Authorities are those of the system or of
//! `SSL_CERT_FILE`, so that the test runs in a process of its own.

use super::key_record;
use limner_cache::{Cache, CacheConfig};
use limner_local_servers::Redis;
use limner_testkit::CertificateAuthority;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tokio::time::Instant;

const TEST: &str = "certificates::expired_certificate_is_refused_until_it_is_replaced";
/// Variable of that process: the folder with the authority.
const FOLDER: &str = "LIMNER_TEST_CERTIFICATES";
const HOST: &str = "127.0.0.1";
const PATIENCE: Duration = Duration::from_secs(10);

/// Writes a certificate that ends with a year, and its key, where the server's user can read them.
fn certify_until(year: i32, authority: &CertificateAuthority, folder: &Path) -> [PathBuf; 2] {
    let issued = authority.issue_until(&[HOST], year);
    [("certificate", issued.certificate), ("key", issued.key)].map(|(name, text)| {
        let path = folder.join(format!("{name}-{year}.pem"));
        std::fs::write(&path, text).unwrap();
        path
    })
}

/// Waits until the server has, or has not, accepted a connection and a command.
async fn wait_until(cache: &Cache, accepted: bool) {
    let until = Instant::now() + PATIENCE;
    while cache.put_key([7; 32], &key_record()).await.is_ok() != accepted {
        assert!(Instant::now() < until, "accepted: {accepted}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn use_certificates(folder: &Path) {
    let authority = CertificateAuthority::new();
    std::fs::write(folder.join("ca.pem"), authority.pem()).unwrap();
    let redis = Redis::temporary().await.unwrap();
    let port = limner_local_servers::free_port().unwrap();
    let certify = async |year| {
        let [certificate, key] = certify_until(year, &authority, folder);
        redis.serve_tls(port, &certificate, &key).await.unwrap();
    };
    certify(2090).await;
    let url = redis.url().replace("redis://", "rediss://");
    let url = url.replace(&redis.address().to_string(), &format!("{HOST}:{port}"));
    let cache = Cache::connect(CacheConfig { url, ..CacheConfig::default() }).await.unwrap();
    wait_until(&cache, true).await;
    certify(2020).await;
    wait_until(&cache, true).await;
    redis.close_connections().await.unwrap();
    wait_until(&cache, false).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    wait_until(&cache, false).await;
    certify(2090).await;
    wait_until(&cache, true).await;
}

#[test]
fn expired_certificate_is_refused_until_it_is_replaced() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        return runtime.block_on(use_certificates(Path::new(&folder)));
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    let ended = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", TEST, "--nocapture"])
        .env(FOLDER, folder.path())
        .env("SSL_CERT_FILE", folder.path().join("ca.pem"))
        .output()
        .unwrap();
    let said = [ended.stdout, ended.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(ended.status.success() && said[0].contains("1 passed"), "{said:?}");
}
