//! The error of a database that refuses a statement, in one shape for both.
//!
//! Only the kind, the message and the statement's text are kept. PostgreSQL's detail and SQLite's
//! expanded text are left out: they contain values, and this error goes to the log.

use purser_core::error::Error;

/// Why a statement failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A unique index or a primary key.
    Unique,
    /// A foreign key was violated.
    ForeignKey,
    /// Another transaction was in the way; running again may succeed.
    Retry,
    /// A lock stopped the statement, or a read took too long that somebody waits for.
    Busy,
    /// The time limit of statements ended it.
    TimeLimit,
    /// No room on the disk, or no memory.
    Full,
    /// The disk refused to read or write: a quota, a limit, a damage.
    Disk,
    /// The connection was lost.
    Lost,
    /// The database takes no writes: a standby, or a disk that is mounted so.
    ReadOnly,
    /// A page of the database is not what was written.
    Damaged,
    /// The files that are open are not those of the database any more.
    Replaced,
    /// Anything else: a defect.
    Other,
}

impl Kind {
    /// What people read about an error that is no defect.
    pub(crate) fn sentence(self) -> Option<&'static str> {
        Some(match self {
            Self::Unique | Self::ForeignKey | Self::Other => return None,
            Self::Retry | Self::Busy | Self::TimeLimit => "The database is busy. Try again.",
            Self::Full => "There is no space left for the database.",
            Self::Disk => "The disk of the database is full or fails.",
            Self::Lost => "The database can't be reached.",
            Self::ReadOnly => "The database takes no writes just now.",
            Self::Damaged => {
                "The database is damaged: whoever runs the server must stop it and run \
                 `purser check`."
            }
            Self::Replaced => {
                "The database was removed or replaced: whoever runs the server must put it back \
                 and start the server again."
            }
        })
    }
}

/// The private half of a database error.
#[derive(Debug, thiserror::Error)]
#[error("{message} (in: {sql})")]
pub struct DatabaseError {
    pub(crate) kind: Kind,
    pub(crate) message: String,
    pub(crate) sql: String,
    /// The constraints that were violated, as PostgreSQL names them.
    pub(crate) constraints: Vec<String>,
}

impl DatabaseError {
    /// Converts it to an error of the domain.
    pub(crate) fn into_error(self) -> Error {
        match self.kind.sentence() {
            None => Error::internal(self),
            Some(message) => {
                Error::Unavailable { message: message.to_owned(), cause: Box::new(self) }
            }
        }
    }
}

/// The database error inside, if there is one.
pub(crate) fn database_error(error: &Error) -> Option<&DatabaseError> {
    match error {
        Error::Internal { cause } | Error::Unavailable { cause, .. } => cause.downcast_ref(),
        Error::WithDetails { source, .. } => database_error(source),
        _ => None,
    }
}

/// Whether a statement failed because of this unique index (or `<table>_pkey`).
pub fn is_unique_violation(error: &Error, index: &str) -> bool {
    database_error(error).is_some_and(|error| {
        error.kind == Kind::Unique && error.constraints.iter().any(|name| is_named(name, index))
    })
}

/// Whether a constraint has this name. Where tables are spread over machines, it is followed by
/// the number of its shard, such as `_102008`.
fn is_named(constraint: &str, name: &str) -> bool {
    let Some(rest) = constraint.strip_prefix(name) else { return false };
    let shard = rest.strip_prefix('_').unwrap_or_default();
    rest.is_empty() || (!shard.is_empty() && shard.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether a statement failed because what it points to doesn't exist, or is still pointed to.
pub fn is_foreign_key_violation(error: &Error) -> bool {
    database_error(error).is_some_and(|error| error.kind == Kind::ForeignKey)
}

/// Whether the time limit of statements ended one.
pub fn is_time_limit(error: &Error) -> bool {
    database_error(error).is_some_and(|error| error.kind == Kind::TimeLimit)
}

/// Whether a statement failed only because of a conflict with another transaction.
pub(crate) fn is_conflict(error: &Error) -> bool {
    database_error(error).is_some_and(|error| error.kind == Kind::Retry)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::waits_for;

    #[test]
    fn constraints_of_shards_are_known_by_their_names() {
        for name in ["tags_name", "tags_name_102008", "tags_name_1"] {
            assert!(is_named(name, "tags_name"), "{name}");
        }
        for name in ["tags_pkey", "tags_name_", "tags_name_x1", "tags_name102008", "tags", ""] {
            assert!(!is_named(name, "tags_name"), "{name}");
        }
        let error = DatabaseError {
            kind: Kind::Unique,
            message: String::new(),
            sql: String::new(),
            constraints: vec!["tags_name_102008".to_owned()],
        };
        assert!(is_unique_violation(&error.into_error(), "tags_name"));
    }

    #[test]
    fn disks_lost_connections_and_time_limits_are_the_environments_fault() {
        let waits = |kind| {
            let (message, sql) = (String::new(), String::new());
            let error = DatabaseError { kind, message, sql, constraints: Vec::new() };
            waits_for(&error.into_error()).is_some()
        };
        let kinds = [
            Kind::Busy,
            Kind::TimeLimit,
            Kind::Full,
            Kind::Disk,
            Kind::Lost,
            Kind::ReadOnly,
            Kind::Damaged,
            Kind::Replaced,
        ];
        assert!(kinds.into_iter().all(waits));
        assert!(![Kind::Retry, Kind::Other, Kind::Unique].into_iter().any(waits));
        assert_eq!(waits_for(&Error::invalid("no")), None);
    }
}
