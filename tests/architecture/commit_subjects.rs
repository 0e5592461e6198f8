//! `make check` looks at the subjects of commits, where there is a history.

use std::path::Path;
use std::process::{Command, Output};

fn git(folder: &Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
    let status = Command::new("git").current_dir(folder).args(identity).args(arguments).status().unwrap();
    assert!(status.success(), "git {arguments:?}");
}

fn check(folder: &Path) -> Output {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../deploy/checks/commit-subjects.sh");
    // A folder below a repository is none.
    let ceiling = folder.parent().unwrap();
    Command::new(script).arg(folder).env("GIT_CEILING_DIRECTORIES", ceiling).output().unwrap()
}

#[test]
fn commit_subjects_are_checked_since_the_main_branch() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let unchecked = |output: &Output| {
        let text = String::from_utf8_lossy(&output.stdout);
        output.status.success() && text.starts_with("commit subjects: not checked")
    };
    assert!(unchecked(&check(folder)), "an archive has no history");
    git(folder, &["init", "-q"]);
    let commit = |subject: &str| git(folder, &["commit", "-q", "--allow-empty", "-m", subject]);
    commit("What was before");
    assert!(unchecked(&check(folder)), "a clone without the main branch");
    git(folder, &["update-ref", "refs/remotes/origin/main", "HEAD"]);
    commit("page, component-emit: dimensions have one reader");
    commit("command line: the brand board prints");
    let output = check(folder);
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    for wrong in ["Dimensions have one reader", "page: ", &format!("page: {}", "long ".repeat(20))] {
        commit(wrong);
        let output = check(folder);
        assert!(!output.status.success() && !output.stderr.is_empty(), "{wrong}: {output:?}");
        git(folder, &["reset", "-q", "--hard", "HEAD~1"]);
    }
}
