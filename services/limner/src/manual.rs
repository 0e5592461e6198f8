//! `limner completions` and `limner man`: what shells and manuals know of the command line, from its definition.

use crate::cli::Cli;
use crate::output;
use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;
use std::io;
use std::path::Path;

/// Prints the completions of a shell.
pub(crate) fn print_completions(shell: Shell) -> io::Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "limner", &mut text);
    output::print_exactly(String::from_utf8_lossy(&text).trim_end())
}

/// Prints the manual page of the program; with a directory, writes that of every command there.
pub(crate) fn print_manual(out: Option<&Path>) -> io::Result<()> {
    if let Some(dir) = out {
        std::fs::create_dir_all(dir)?;
        return clap_mangen::generate_to(Cli::command(), dir);
    }
    let mut text = Vec::new();
    Man::new(Cli::command()).render(&mut text)?;
    output::print_exactly(String::from_utf8_lossy(&text).trim_end())
}
