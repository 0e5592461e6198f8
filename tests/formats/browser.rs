//! A headless Chromium that loads one document and returns it after its scripts ran.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// Returns the document after its scripts ran, as markup. `None` if no browser is installed.
pub(crate) fn dump(html: &str) -> Option<String> {
    let Some(chromium) = limner_local_servers::chromium_path() else {
        eprintln!("no Chromium is here: nothing was loaded");
        return None;
    };
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    let (file, home) = (folder.path().join("page.html"), folder.path().join("home"));
    fs::write(&file, html).unwrap();
    fs::create_dir(&home).unwrap();
    let mut command = Command::new(chromium);
    if let Some((uid, gid)) = limner_tests::browser_user() {
        chown(&home, Some(uid), Some(gid)).unwrap();
        command.uid(uid).gid(gid);
    }
    let output =
        command.args(arguments(&home, &file)).env_clear().env("HOME", &home).current_dir(&home).output().unwrap();
    let markup = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && !markup.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(markup)
}

fn arguments(home: &Path, file: &Path) -> Vec<String> {
    let mut all: Vec<String> = [
        "--headless",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--dump-dom",
    ]
    .map(str::to_owned)
    .into();
    all.push(format!("--user-data-dir={}", home.join("profile").display()));
    all.push(format!("file://{}", file.display()));
    all
}
