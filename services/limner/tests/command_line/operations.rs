//! The operators' pages: every command that they tell exists, with its flags.

use super::{run, text};
use std::path::Path;

/// Returns the commands in the code of a page, as words, without what follows them in a pipe or a comment.
fn commands(page: &str) -> Vec<Vec<String>> {
    let indented = page.lines().filter_map(|line| line.strip_prefix("    ")).map(str::to_owned);
    let prose = page.lines().filter(|line| !line.starts_with("    ")).collect::<Vec<_>>().join(" ");
    let spans: Vec<String> = prose.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    let code = indented.chain(spans);
    code.filter_map(|code| {
        let from = code.find("limner ").filter(|at| *at == 0 || code[..*at].ends_with([' ', '(']))?;
        let words = code[from..].split(['|', '#', ';', '>', ')', '"', '\'']).next()?.split_whitespace();
        Some(words.skip(1).map(str::to_owned).collect())
    })
    .collect()
}

#[test]
fn commands_of_the_operators_pages_exist() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/operations");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        for words in commands(&std::fs::read_to_string(&path).unwrap()) {
            let is_ours = ["admin", "migrate", "config", "healthcheck", "extract", "inspect"];
            let Some(first) = words.first().filter(|word| is_ours.contains(&word.as_str())) else { continue };
            seen += 1;
            // Placeholders and values end the names of commands.
            let is_name = |word: &&String| word.starts_with(|c: char| c.is_ascii_lowercase());
            let names: Vec<&str> = words.iter().take_while(is_name).map(String::as_str).collect();
            // Of the others, what follows is an argument.
            let names = if first == "admin" { names.as_slice() } else { &names[..1] };
            let help = run(&[names, &["--help"]].concat());
            let (page, told) = (path.display(), words.join(" "));
            assert!(help.status.success(), "{page}: limner {told}: {}", text(&help.stderr));
            let help = text(&help.stdout);
            assert!(
                first != "admin" || names.len() < 2 || !help.contains("\nCommands:"),
                "{page}: limner {told} is no command"
            );
            for flag in words.iter().filter(|word| word.starts_with("--")) {
                assert!(help.contains(flag.trim_end_matches([',', '…'])), "{page}: limner {told}: no {flag}");
            }
        }
    }
    assert!(seen > 30, "{seen} commands");
}
