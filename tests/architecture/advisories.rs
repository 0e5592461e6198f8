//! `make check` says so when the database of advisories cannot be reached.

use std::process::Command;

#[test]
fn advisories_without_a_database_are_reported_as_not_checked() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let empty = tempfile::tempdir().unwrap();
    let output = Command::new("deploy/checks/advisories.sh")
        .current_dir(root)
        .env("CARGO_HOME", empty.path())
        .env("GIT_CONFIG_COUNT", "1")
        .env("GIT_CONFIG_KEY_0", "url.file:///nowhere/.insteadOf")
        .env("GIT_CONFIG_VALUE_0", "https://")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    assert!(text.starts_with("advisories: not checked, the database cannot be reached\n"), "{output:?}");
    assert!(text.contains("failed to clone"), "the cause is shown: {output:?}");
}
