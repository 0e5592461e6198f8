//! The drift gate of `sdk/action`: its shell step, run as a runner would.

use super::{extract, site, text};
use limner_testkit::CannedResponse;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn action() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sdk/action")
}

/// The step `compare` of the action: its command, and the input behind each of its environment variables.
fn step() -> (String, BTreeMap<String, String>) {
    let yaml = std::fs::read_to_string(action().join("action.yml")).unwrap();
    let step = yaml.split_once("- id: compare").unwrap().1;
    let run = step.lines().find_map(|line| line.trim().strip_prefix("run: ")).unwrap().to_owned();
    let variables = step.lines().filter_map(|line| {
        let (name, value) = line.trim().split_once(": ${{ inputs.")?;
        Some((name.to_owned(), value.strip_suffix(" }}").unwrap().to_owned()))
    });
    let variables: BTreeMap<String, String> = variables.collect();
    for input in variables.values() {
        assert!(yaml.contains(&format!("\n  {input}:\n")), "input {input} is declared");
    }
    (run, variables)
}

async fn gate(folder: &Path, inputs: &[(&str, &str)]) -> (Output, String, String) {
    let (run, variables) = step();
    let binary = Path::new(env!("CARGO_BIN_EXE_limner"));
    let path = format!("{}:{}", binary.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut command = Command::new("bash");
    command.args(["-e", "-o", "pipefail", "-c", &run]).current_dir(folder).env("PATH", path);
    for (name, input) in &variables {
        let value = inputs.iter().find(|(given, _)| given == input).map_or("", |(_, value)| value);
        command.env(name, value);
    }
    let (outputs, summary) = (folder.join("outputs"), folder.join("summary"));
    for file in [&outputs, &summary] {
        std::fs::write(file, "").unwrap();
    }
    command.env("GITHUB_ACTION_PATH", action()).env("GITHUB_OUTPUT", &outputs).env("GITHUB_STEP_SUMMARY", &summary);
    command.env("RUNNER_TEMP", folder).env("LIMNER_CONFIG", folder.join("limner.toml"));
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    (output, std::fs::read_to_string(outputs).unwrap(), std::fs::read_to_string(summary).unwrap())
}

#[tokio::test]
async fn gate_fails_on_drift_and_on_errors() {
    let (site, folder) = site().await;
    let page = |color: &str| {
        CannedResponse::html(format!(
            "<!doctype html><style>:root{{--glow:{color}}}a{{color:var(--glow)}}</style><p>Words.<a href=/>Go</a>"
        ))
    };
    site.on("/", page("#d9622b"));
    let kept = extract(folder.path(), &["tokens", "http://site.test/", "--json"]).await;
    std::fs::write(folder.path().join("kept tokens.json"), &kept.stdout).unwrap();
    let inputs =
        [("before", "kept tokens.json"), ("after", "http://site.test/"), ("arguments", "--scope=page\n--no-browser\n")];

    let (output, outputs, summary) = gate(folder.path(), &inputs).await;
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    assert!(outputs.contains("drift=false\ncount=0\n"), "{outputs}");
    assert!(summary.contains("0 differences"), "{summary}");

    site.on("/", page("#2b62d9"));
    let (output, outputs, summary) = gate(folder.path(), &inputs).await;
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(outputs.contains("drift=true\ncount=1\n") && summary.contains("#2b62d9"), "{outputs}{summary}");
    assert!(text(&output.stdout).contains("::error title=Design drift::1 differences"), "{}", text(&output.stdout));
    let report = outputs.lines().find_map(|line| line.strip_prefix("report=")).unwrap();
    let report: Value = serde_json::from_slice(&std::fs::read(report).unwrap()).unwrap();
    assert_eq!(report["differences"][0]["name"], "--glow");
    let (output, _, _) = gate(folder.path(), &[&inputs[..], &[("threshold", "1")]].concat()).await;
    assert!(output.status.success(), "{}", text(&output.stdout));

    let injected = [("before", "kept tokens.json"), ("after", "http://site.test/gone;touch pwned$(touch pwned)")];
    let (output, outputs, _) = gate(folder.path(), &injected).await;
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(outputs.is_empty() && !folder.path().join("pwned").exists(), "{outputs}");
}

/// Runs the action's installation with programs that note what they are called with. Returns its status, and the calls.
fn install(folder: &Path, package: &str, sha256: &str) -> (bool, String) {
    let (tools, calls) = (folder.join("tools"), folder.join("calls"));
    std::fs::create_dir_all(&tools).unwrap();
    std::fs::write(&calls, "").unwrap();
    // `curl … -o FILE URL` writes a package; `sudo` does what it is told.
    let programs = [
        ("curl", "echo \"curl $*\" >>\"$CALLS\"; while [ \"$1\" != -o ]; do shift; done; printf package >\"$2\""),
        ("apt-get", "echo \"apt-get $*\" >>\"$CALLS\"; for last; do :; done; cat \"$last\" >>\"$CALLS\""),
        ("sudo", "exec \"$@\""),
    ];
    for (name, script) in programs {
        let path = tools.join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
    let mut command = Command::new("bash");
    command.arg(action().join("install.sh").canonicalize().unwrap()).current_dir(folder).env("PATH", path);
    let output = command.env("PACKAGE", package).env("SHA256", sha256).env("CALLS", &calls).output().unwrap();
    (output.status.success(), std::fs::read_to_string(calls).unwrap())
}

#[test]
fn install_step_takes_paths_and_urls_and_compares_the_sum() {
    // `printf package | sha256sum`
    const SUM: &str = "bc4a71180870f7945155fbb02f4b0a2e3faa2a62d6d31b7039013055ed19869a";
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("found packages")).unwrap();
    std::fs::write(folder.path().join("found packages/limner.deb"), "package").unwrap();
    let url = "https://example.com/limner_0.1.0_amd64.deb";
    for (package, sha256, is_installed) in [
        ("found packages/limner.deb", "", true),
        ("found packages/limner.deb", SUM, true),
        ("found packages/limner.deb", &SUM.replace('b', "c"), false),
        (url, SUM, true),
        (url, &SUM.replace('b', "c"), false),
    ] {
        let (succeeded, calls) = install(folder.path(), package, sha256);
        assert_eq!(succeeded, is_installed, "{package} {sha256}: {calls}");
        assert_eq!(calls.contains("apt-get install -y --no-install-recommends /"), is_installed, "{package}: {calls}");
        assert_eq!(calls.ends_with(".deb\npackage"), is_installed, "the file itself, by its whole path: {calls}");
        assert_eq!(calls.contains("curl ") && calls.contains(url), package == url, "{calls}");
    }
}
