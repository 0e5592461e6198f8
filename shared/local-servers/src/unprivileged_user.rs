//! The user of a private server. PostgreSQL does not run as root, and the others need not.

use crate::ServerError;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};

/// Unprivileged users for servers if this process is root, in order of preference.
const CANDIDATES: [&str; 2] = ["postgres", "nobody"];

/// An unprivileged user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct User {
    pub(crate) name: String,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

/// Returns the user for a server with its data in `dir`; `None` if this process is not root and the server runs as its
/// user.
///
/// The owner of existing data is used, so a directory created by an ordinary user still works under root.
pub(crate) fn for_data_in(dir: &Path) -> Result<Option<User>, ServerError> {
    if !rustix::process::geteuid().is_root() {
        return Ok(None);
    }
    let passwd = std::fs::read_to_string("/etc/passwd").map_err(ServerError::io("reading /etc/passwd"))?;
    let users: Vec<User> = passwd.lines().filter_map(parse).collect();
    if let Ok(metadata) = std::fs::metadata(dir)
        && metadata.uid() != 0
    {
        let (uid, gid) = (metadata.uid(), metadata.gid());
        let name = users.iter().find(|user| user.uid == uid).map_or_else(|| uid.to_string(), |user| user.name.clone());
        return Ok(Some(User { name, uid, gid }));
    }
    CANDIDATES
        .iter()
        .find_map(|name| users.iter().find(|user| user.name == *name))
        .cloned()
        .map(Some)
        .ok_or(ServerError::NoUnprivilegedUser)
}

fn parse(line: &str) -> Option<User> {
    let mut fields = line.split(':');
    let (name, _password) = (fields.next()?, fields.next()?);
    Some(User { name: name.to_owned(), uid: fields.next()?.parse().ok()?, gid: fields.next()?.parse().ok()? })
}

/// Creates the directory, private to the server's user.
pub(crate) fn prepare_dir(dir: &Path, user: Option<&User>) -> Result<(), ServerError> {
    let doing = format!("preparing {}", dir.display());
    let prepare = || {
        std::fs::create_dir_all(dir)?;
        std::fs::set_permissions(dir, std::fs::Permissions::from_mode(0o700))?;
        user.map_or(Ok(()), |user| chown(dir, Some(user.uid), Some(user.gid)))
    };
    prepare().map_err(ServerError::io(doing))?;
    match user.and_then(|user| Some((user, blocked_at(dir, user)?))) {
        None => Ok(()),
        Some((user, blocked_at)) => {
            Err(ServerError::Unreachable { user: user.name.clone(), dir: dir.to_owned(), blocked_at })
        }
    }
}

/// Writes a file that only the server's user can read.
pub(crate) fn write_private(path: &Path, text: &str, user: Option<&User>) -> Result<(), ServerError> {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    let write = || {
        let mut file = std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
        file.write_all(text.as_bytes())?;
        user.map_or(Ok(()), |user| chown(path, Some(user.uid), Some(user.gid)))
    };
    write().map_err(ServerError::io(format!("writing {}", path.display())))
}

/// Returns the outermost directory in the path of `dir` that the user cannot enter.
fn blocked_at(dir: &Path, user: &User) -> Option<PathBuf> {
    let absolute = dir.canonicalize().ok()?;
    let mut ancestors: Vec<&Path> = absolute.ancestors().collect();
    ancestors.reverse();
    ancestors.into_iter().find(|ancestor| !can_enter(ancestor, user)).map(Path::to_owned)
}

fn can_enter(dir: &Path, user: &User) -> bool {
    let Ok(metadata) = std::fs::metadata(dir) else { return false };
    let class = if metadata.uid() == user.uid {
        0o100
    } else if metadata.gid() == user.gid {
        0o010
    } else {
        0o001
    };
    metadata.mode() & class != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwd_lines_are_parsed() {
        let postgres = User { name: "postgres".to_owned(), uid: 101, gid: 104 };
        assert_eq!(parse("postgres:x:101:104:PostgreSQL:/var/lib/postgresql:/bin/bash"), Some(postgres));
        for broken in ["", "a", "a:x", "a:x:b:c"] {
            assert_eq!(parse(broken), None, "{broken}");
        }
    }

    #[test]
    fn inaccessible_directory_is_named() {
        let stranger = User { name: "stranger".to_owned(), uid: 54_321, gid: 54_321 };
        let closed = tempfile::tempdir().unwrap();
        let inside = closed.path().join("a/b");
        std::fs::create_dir_all(&inside).unwrap();
        std::fs::set_permissions(closed.path(), std::fs::Permissions::from_mode(0o700)).unwrap();
        let expected = closed.path().canonicalize().unwrap();
        assert_eq!(blocked_at(&inside, &stranger), Some(expected));
        std::fs::set_permissions(closed.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(blocked_at(&inside, &stranger), None);
    }
}
