//! Programs that some tests run besides the fleet.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::process::Command;

/// Returns true if there is a Node that these tests' programs run on.
pub fn has_node() -> bool {
    let version = Command::new("node").arg("--version").output().map(|output| output.stdout).unwrap_or_default();
    let version = String::from_utf8_lossy(&version).into_owned();
    let major = version.trim_start_matches('v').split('.').next().and_then(|major| major.parse::<u32>().ok());
    major.is_some_and(|major| major >= 20)
}

/// Returns user and group for a browser if this process is root: Chromium's sandbox does not work for root.
pub fn browser_user() -> Option<(u32, u32)> {
    if fs::metadata("/proc/self").unwrap().uid() != 0 {
        return None;
    }
    let users = fs::read_to_string("/etc/passwd").unwrap();
    let mut users = users.lines().map(|line| line.split(':').collect::<Vec<_>>());
    let nobody = users.find(|fields| fields[0] == "nobody").expect("a user to run the browser as");
    Some((nobody[2].parse().unwrap(), nobody[3].parse().unwrap()))
}
