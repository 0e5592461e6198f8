//! The chart, the alerts, the dashboards and the images, validated with their ecosystems' tools, and the operators'
//! documentation, compared with the code. `make setup` installs the tools.
#![allow(clippy::unwrap_used, reason = "a test says by panicking what is wrong")]

mod alerts;
mod autoscaling;
mod chart;
mod images;
mod install;
mod operations;
mod platforms;
mod secret_versions;
mod values;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Returns the repository's root.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Runs a tool in the repository.
fn run(tool: &str, args: &[&str]) -> Output {
    let program = root().join(".tools/charts/bin").join(tool);
    assert!(program.exists(), "{} is not here: run `make setup`", program.display());
    Command::new(program).args(args).current_dir(root()).output().unwrap()
}

/// Runs a tool that must succeed, and returns its output.
#[track_caller]
fn pass(tool: &str, args: &[&str]) -> String {
    let output = run(tool, args);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{tool} {}:\n{printed}{errors}", args.join(" "));
    printed
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}
