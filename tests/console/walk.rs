//! The walk in Chromium: `walk.mjs` with a fleet that has a browser of its own, and a page with something of everything.

use crate::fleet;
use limner_testkit::{Reply, chromium_path};
use limner_tests::Fleet;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A page with something for every operation, and things that would run if they were more than text.
fn add_site(fleet: &Fleet) {
    let animation = json!({ "v": "5.7.0", "fr": 30, "ip": 0, "op": 60, "w": 120, "h": 120, "nm": "Pulse", "layers": [{
        "ty": 4, "nm": "<img src=x onerror=hacked=1>", "ip": 0, "op": 60, "st": 0,
        "ks": { "o": { "k": 100 }, "r": { "k": 0 }, "p": { "k": [60, 60, 0] }, "a": { "k": [0, 0, 0] }, "s": { "k": [100, 100, 100] } },
        "shapes": [{ "ty": "el", "p": { "k": [0, 0] }, "s": { "k": [80, 80] } },
            { "ty": "fl", "c": { "k": [0.66, 0.19, 0.1, 1] }, "o": { "k": 100 } }] }] });
    let site = &fleet.site;
    site.on("/", Reply::html(include_str!("site.html")));
    site.on("/main.css", Reply::css(include_str!("site.css")));
    site.on("/pulse.json", Reply::json(animation.to_string()));
    site.on(
        "/mark.svg",
        Reply::svg("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 10 10'><circle cx='5' cy='5' r='5'/></svg>"),
    );
}

/// Where the walk may write: its browser is no root's.
fn open_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o777)).unwrap();
    folder
}

/// node, as somebody whom Chromium lets have its sandbox.
fn node() -> Command {
    if !is_root() {
        return Command::new("node");
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=nobody", "--regid=nogroup", "--clear-groups", "node"]);
    command
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().unwrap();
    String::from_utf8_lossy(&id.stdout).trim() == "0"
}

/// Mail is for its owner alone, who is not the walk's user.
fn share(mail: &Path) {
    let _ = std::fs::set_permissions(mail, std::fs::Permissions::from_mode(0o755));
    for entry in std::fs::read_dir(mail).into_iter().flatten().flatten() {
        let _ = std::fs::set_permissions(entry.path(), std::fs::Permissions::from_mode(0o644));
    }
}

/// People approve orders here.
fn approve(fleet: &Fleet) {
    let orders = fleet.admin(&["order", "list"]);
    let open = orders["orders"].as_array().unwrap().iter().filter(|order| order["state"] == "open");
    for id in open.map(|order| order["id"].as_str().unwrap()) {
        fleet.admin(&["order", "approve", id]);
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "minutes: two people, two screens, nine operations each, every page with axe-core"]
async fn every_flow_in_a_browser() {
    let (fleet, url, _) = fleet(true).await;
    add_site(&fleet);
    let folder = open_folder();
    let pictures = folder.path().join("pictures");
    let mail = fleet.folder().join("data/mail");
    std::fs::create_dir_all(&mail).unwrap();
    for shared in [fleet.folder(), &fleet.folder().join("data")] {
        std::fs::set_permissions(shared, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let told: Value = json!({
        "url": url, "api": fleet.base_url.trim_end_matches("/v1"), "mail": mail, "pictures": pictures,
        "profile": folder.path().join("profile"), "chromium": chromium_path().unwrap(), "site": "http://site.test/",
    });
    let walk = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("console/walk.mjs");
    assert!(walk.with_file_name("node_modules").exists(), "npm packages are missing: run `make setup`");
    let mut command = node();
    command.arg(walk).arg(told.to_string()).env("HOME", folder.path()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let watching = tokio::spawn({
        let mail = mail.clone();
        async move {
            loop {
                share(&mail);
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            }
        }
    });
    let said = tokio::task::block_in_place(|| {
        let mut said = Vec::new();
        for line in lines.map(Result::unwrap) {
            println!("{line}");
            if line.starts_with("approve ") {
                approve(&fleet);
            }
            said.push(line);
        }
        said
    });
    watching.abort();
    let ended = child.wait().unwrap();
    // `LIMNER_PICTURES=docs/console` keeps the pictures for the documentation.
    if let Some(to) = std::env::var_os("LIMNER_PICTURES") {
        for entry in std::fs::read_dir(&pictures).unwrap().map(Result::unwrap) {
            std::fs::copy(entry.path(), Path::new(&to).join(entry.file_name())).unwrap();
        }
    }
    assert!(ended.success(), "{}\n{}", said.join("\n"), fleet.log());
}
