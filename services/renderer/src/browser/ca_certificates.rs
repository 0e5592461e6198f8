//! Additional CA certificates of a browser. Chromium on Linux reads them from the user's NSS database; the browser's
//! `$HOME` is its profile.

use std::io;
use std::os::unix::fs::chown;
use std::path::Path;
use std::process::{Command, Stdio};

/// Path of the database below the browser's home.
const DATABASE: &str = ".pki/nssdb";
const BEGIN: &str = "-----BEGIN CERTIFICATE-----";
const END: &str = "-----END CERTIFICATE-----";

/// Creates a database in `home` with the certificates of `pem`, readable by the browser's user.
///
/// # Errors
/// `certutil` (Debian: libnss3-tools) is missing or fails.
pub(super) fn authorities(pem: &str, home: &Path, user: Option<(u32, u32)>) -> io::Result<()> {
    let folder = home.join(DATABASE);
    std::fs::create_dir_all(&folder)?;
    let database = format!("sql:{}", folder.display());
    certutil(&["-N", "-d", &database, "--empty-password"])?;
    for (index, certificate) in certificates(pem).enumerate() {
        let file = home.join("authority.pem");
        std::fs::write(&file, certificate)?;
        // C: trusted for server certificates.
        let (name, file) = (format!("extra-{index}"), file.display().to_string());
        certutil(&["-A", "-d", &database, "-t", "C,,", "-n", &name, "-i", &file])?;
    }
    let Some((uid, gid)) = user else { return Ok(()) };
    let above = folder.ancestors().take_while(|path| *path != home).map(Path::to_owned);
    let within = std::fs::read_dir(&folder)?.flatten().map(|entry| entry.path());
    for path in above.chain(within) {
        chown(&path, Some(uid), Some(gid))?;
    }
    Ok(())
}

/// Splits a PEM file into its certificates: `certutil` reads only the first of a file.
fn certificates(pem: &str) -> impl Iterator<Item = String> + '_ {
    pem.split(BEGIN).skip(1).filter_map(|rest| {
        let (body, _) = rest.split_once(END)?;
        Some(format!("{BEGIN}{body}{END}\n"))
    })
}

fn certutil(arguments: &[&str]) -> io::Result<()> {
    let mut command = Command::new("certutil");
    command.args(arguments).stdin(Stdio::null());
    let output = command.output().map_err(|cause| {
        io::Error::new(cause.kind(), format!("certutil (Debian: libnss3-tools) is needed for egress.extra_ca: {cause}"))
    })?;
    if output.status.success() {
        return Ok(());
    }
    Err(io::Error::other(format!("certutil: {}", String::from_utf8_lossy(&output.stderr).trim())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certificate_bundles_are_split() {
        let pem = format!("a comment\n{BEGIN}\nAA\n{END}\nbetween\n{BEGIN}\nBB\n{END}\n{BEGIN}\nno end");
        let found: Vec<String> = certificates(&pem).collect();
        assert_eq!(found, [format!("{BEGIN}\nAA\n{END}\n"), format!("{BEGIN}\nBB\n{END}\n")]);
        assert_eq!(certificates("").count(), 0);
    }
}
