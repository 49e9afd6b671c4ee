//! What PostgreSQL's errors mean.

use std::error::Error as _;

use purser_core::error::Error;
use tokio_postgres::error::SqlState;

use crate::driver::error::{DatabaseError, Kind};

/// A failed statement as an error of the domain. The detail is left out: it has values.
pub(super) fn failed(sql: &str, error: &tokio_postgres::Error) -> Error {
    let (kind, message, constraints) = match error.as_db_error() {
        Some(error) => (
            kind(error.code(), error.message()),
            format!("{} ({})", error.message(), error.code().code()),
            error.constraint().map(str::to_owned).into_iter().collect(),
        ),
        None => {
            let network = error.is_closed()
                || error.source().is_some_and(|source| source.is::<std::io::Error>());
            let kind = if network { Kind::Lost } else { Kind::Other };
            let cause = error.source().map(|source| format!(": {source}")).unwrap_or_default();
            (kind, format!("{error}{cause}"), Vec::new())
        }
    };
    DatabaseError { kind, message, sql: sql.to_owned(), constraints }.into_error()
}

/// How Citus reports that the machine with the rows is gone; the code is that of an internal error.
const MACHINE_GONE: &str = "failure on connection marked as essential";

fn kind(state: &SqlState, message: &str) -> Kind {
    match *state {
        SqlState::INTERNAL_ERROR if message.starts_with(MACHINE_GONE) => Kind::Lost,
        SqlState::UNIQUE_VIOLATION => Kind::Unique,
        SqlState::FOREIGN_KEY_VIOLATION => Kind::ForeignKey,
        SqlState::T_R_SERIALIZATION_FAILURE | SqlState::T_R_DEADLOCK_DETECTED => Kind::Retry,
        SqlState::LOCK_NOT_AVAILABLE | SqlState::TOO_MANY_CONNECTIONS => Kind::Busy,
        SqlState::QUERY_CANCELED => Kind::TimeLimit,
        SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT => Kind::Lost,
        SqlState::READ_ONLY_SQL_TRANSACTION => Kind::ReadOnly,
        SqlState::DATA_CORRUPTED | SqlState::INDEX_CORRUPTED => Kind::Damaged,
        _ => match state.code().get(..2) {
            Some("08" | "57" | "58") => Kind::Lost,
            Some("53") => Kind::Full,
            _ => Kind::Other,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_sorted_by_code_and_a_gone_machine_by_its_message() {
        let gone = "failure on connection marked as essential: worker-2:5432";
        for (code, message, expected) in [
            ("XX000", gone, Kind::Lost),
            ("XX000", "failure", Kind::Other),
            ("22000", gone, Kind::Other),
            ("08006", "", Kind::Lost),
            ("57P01", "", Kind::Lost),
            ("53100", "", Kind::Full),
            ("57014", "", Kind::TimeLimit),
            ("55P03", "", Kind::Busy),
            ("40001", "", Kind::Retry),
        ] {
            assert_eq!(kind(&SqlState::from_code(code), message), expected, "{code} {message}");
        }
    }
}
