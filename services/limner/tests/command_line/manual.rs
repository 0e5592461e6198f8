//! `limner completions` and `limner man`.

use super::{run, text};

#[test]
fn shells_and_manuals_know_the_command_line() {
    for (shell, part) in [("bash", "complete -F _limner"), ("zsh", "#compdef limner"), ("fish", "complete -c limner")] {
        let output = run(&["completions", shell]);
        let script = text(&output.stdout);
        assert!(
            output.status.success() && script.contains(part) && script.contains("no-download"),
            "{shell}: {script}"
        );
    }
    let bash = text(&run(&["completions", "bash"]).stdout);
    for values in ["tailwind html jsx vue elementor shopify", "json css tailwind dtcg", "section page sheet brand all"]
    {
        assert!(bash.contains(values), "{values}: {bash}");
    }
    let page = text(&run(&["man"]).stdout);
    assert!(page.contains(".TH limner 1") && page.contains("limner\\-extract(1)"), "{page}");
    assert!(!page.contains("layout\\-worker"), "hidden commands are left out: {page}");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("man");
    assert!(run(&["man", "--out", out.to_str().unwrap()]).status.success());
    let page = std::fs::read_to_string(out.join("limner-diff.1")).unwrap();
    for part in ["\\-\\-threshold", "Exit status: 0"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(out.join("limner-admin-account-create.1").is_file());
    // The program that formats it has no complaint, where it is installed.
    if let Ok(output) = std::process::Command::new("man").args(["--warnings", "-l"]).arg(out.join("limner.1")).output()
    {
        assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
    }
}
