//! The system user that runs the server.
//!
//! PostgreSQL refuses to run as root. A run by root (usual in containers) therefore starts the
//! server as `postgres`, which the package creates, or as `nobody`; any other user runs it as
//! themselves.

use std::fs;
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use crate::Result;

/// Users that may stand in for root, best first.
const INSTEAD_OF_ROOT: &[&str] = &["postgres", "nobody"];

/// Who runs the server.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Account {
    /// Whoever runs the tests.
    Own,
    /// Somebody else, because root runs the tests.
    Other { uid: u32, gid: u32 },
}

impl Account {
    /// Chooses the user that runs the server.
    pub(crate) fn choose() -> Result<Self> {
        if !is_root() {
            return Ok(Self::Own);
        }
        let users = fs::read_to_string("/etc/passwd")
            .map_err(|error| format!("cannot read /etc/passwd: {error}"))?;
        INSTEAD_OF_ROOT.iter().find_map(|name| find_user(&users, name)).ok_or_else(|| {
            format!("PostgreSQL does not run as root, and there is no user {INSTEAD_OF_ROOT:?}")
        })
    }

    /// Makes the program run as this user.
    pub(crate) fn run_as(self, command: &mut Command) -> &mut Command {
        match self {
            Self::Own => command,
            // Dropping root this way drops the supplementary groups too.
            Self::Other { uid, gid } => command.uid(uid).gid(gid),
        }
    }

    /// Gives the path to this user.
    pub(crate) fn own(self, path: &Path) -> Result<()> {
        match self {
            Self::Own => Ok(()),
            Self::Other { uid, gid } => chown(path, Some(uid), Some(gid))
                .map_err(|error| format!("cannot change the owner of {path:?}: {error}")),
        }
    }
}

/// Whether root runs this program. The owner of a process's folder is its effective user; without
/// `/proc`, the command `id` is asked.
pub(crate) fn is_root() -> bool {
    match fs::metadata("/proc/self") {
        Ok(metadata) => metadata.uid() == 0,
        Err(_) => crate::process::output_of(Command::new("id").arg("-u")).as_deref() == Some("0"),
    }
}

fn find_user(users: &str, name: &str) -> Option<Account> {
    users.lines().find_map(|line| {
        let mut fields = line.split(':');
        let [user, _, uid, gid] = std::array::from_fn(|_| fields.next().unwrap_or_default());
        if user != name {
            return None;
        }
        Some(Account::Other { uid: uid.parse().ok()?, gid: gid.parse().ok()? })
    })
}

#[cfg(test)]
mod tests {
    use super::{Account, find_user};

    #[test]
    fn a_user_is_found_by_its_whole_name() {
        let users = "postgres2:x:7:8::/:/bin/sh\npostgres:x:104:106:PostgreSQL,,,:/var/lib:/bin/sh";
        let found = find_user(users, "postgres");
        assert!(matches!(found, Some(Account::Other { uid: 104, gid: 106 })), "{found:?}");
        assert!(find_user(users, "nobody").is_none());
    }
}
