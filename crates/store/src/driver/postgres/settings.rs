//! How a PostgreSQL connection is opened, and what the server must promise.

use std::collections::HashMap;
use std::time::Duration;

use purser_core::error::{Error, Result};
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

use super::PgConnection;
use super::handshake::Connector;
use super::role::check_role;
use super::tls::Options;
use super::workers::Workers;
use crate::secret::Secret;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Bytes that the server doesn't acknowledge for so long mean that it is gone.
const UNACKNOWLEDGED_TIMEOUT: Duration = Duration::from_secs(30);
const VERSION_MIN: i64 = 150_000;

/// The settings of every session. A publish sends statements of thousands of rows, none of a
/// minute. A transaction of a process that is silent for as long as a job's lease lasts is ended by
/// the database: a process that was stopped or has lost its network would otherwise keep its family
/// locked, and no other node could do the work that it lost. Plans aren't compiled: a walk along an
/// index seems long to the planner, but ends with the page, before a compiler would have ended.
/// Which rows may be reached is up to each transaction, whatever the role or the database has as
/// its default; a cluster of Citus passes that on to its machines, others ignore the setting.
const SESSION: &str = "SET synchronous_commit = on; SET statement_timeout = '60s'; \
    SET lock_timeout = '30s'; SET idle_in_transaction_session_timeout = '15s'; \
    SET default_transaction_isolation = 'read committed'; SET timezone = 'UTC'; \
    SET jit = off; SET purser.family = ''; SET citus.propagate_set_commands = 'local'";

/// The names and values that are read back in every session.
const SESSION_CHECKED: [(&str, &str); 6] = [
    ("synchronous_commit", "on"),
    ("statement_timeout", "1min"),
    ("lock_timeout", "30s"),
    ("idle_in_transaction_session_timeout", "15s"),
    ("default_transaction_isolation", "read committed"),
    ("purser.family", ""),
];

/// What is accepted of a server and a role although it takes a promise away.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Accepted {
    /// Commits may be forgotten in a power cut: for tests and measurements.
    pub(crate) volatile: bool,
    /// Row-level security doesn't apply to the role.
    pub(crate) superuser: bool,
}

/// Where to connect to.
#[derive(Clone)]
pub(crate) struct Settings {
    config: Config,
    tls: Connector,
}

impl Settings {
    /// Reads an address like `postgres://user:password@host:5432/name?sslmode=verify-full`.
    pub(crate) fn parse(url: &Secret) -> Result<Self> {
        let (url, tls) = Options::take(url.reveal())?;
        let mut config: Config = url
            .parse()
            // The parser's message may quote the address, password included.
            .map_err(|_| refused("The address of the PostgreSQL database can't be read."))?;
        // A socket of this machine needs no encryption, and a server has none for it.
        let is_local = config.get_hosts().iter().all(|host| matches!(host, Host::Unix(_)));
        config
            .ssl_mode(if is_local { SslMode::Disable } else { tls.mode() })
            .application_name("purser")
            .connect_timeout(CONNECT_TIMEOUT)
            .tcp_user_timeout(UNACKNOWLEDGED_TIMEOUT);
        Ok(Self { config, tls: Connector(tls.client()?) })
    }

    /// Opens a connection and checks its session.
    pub(crate) fn connect(&self) -> Result<PgConnection> {
        let mut connection = PgConnection::open(&self.config, self.tls.clone())?;
        connection.script(SESSION)?;
        for (name, wanted) in SESSION_CHECKED {
            let found = show(&mut connection, name)?;
            if found != wanted {
                return Err(refused(format!(
                    "PostgreSQL's setting {name} is {found} where {wanted} is needed."
                )));
            }
        }
        Ok(connection)
    }
}

/// What the whole server must promise, and the role that the program has there. Returns what is
/// known of the machines behind it.
pub(crate) fn check_server(connection: &mut PgConnection, accepted: Accepted) -> Result<Workers> {
    let names =
        ["server_version_num", "server_encoding", "fsync", "full_page_writes", "data_checksums"];
    let mut found = HashMap::new();
    for name in names {
        found.insert(name, show(connection, name)?);
    }
    let version = found["server_version_num"].parse().unwrap_or(0);
    if version < VERSION_MIN {
        return Err(refused("PostgreSQL 15 or newer is needed."));
    }
    if found["server_encoding"] != "UTF8" {
        return Err(refused("The PostgreSQL database must have the encoding UTF8."));
    }
    for name in ["fsync", "full_page_writes"] {
        if found[name] != "on" && !accepted.volatile {
            return Err(refused(format!(
                "PostgreSQL's setting {name} is off: a power cut would lose data. Turn it on."
            )));
        }
    }
    let workers = match accepted.volatile {
        true => Workers::default(),
        false => Workers::ask_first(connection)?,
    };
    if found["data_checksums"] != "on" {
        tracing::warn!("PostgreSQL runs without data checksums: silent damage stays unnoticed");
    }
    check_role(connection, accepted.superuser)?;
    Ok(workers)
}

/// A setting as the server shows it.
fn show(connection: &mut PgConnection, name: &str) -> Result<String> {
    let mut value = String::new();
    connection.for_each("SELECT current_setting($1)", vec![&name], &mut |row| {
        value = row.string(0)?;
        Ok(())
    })?;
    Ok(value)
}

/// What is wrong with the address or the server, as a sentence for whoever configures it.
pub(super) fn refused(message: impl Into<String>) -> Error {
    Error::Conflict { code: "storage_refused", message: message.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_error(url: &str) -> String {
        match Settings::parse(&Secret::new(url)) {
            Ok(_) => panic!("{url} was accepted"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn addresses_that_would_not_be_honoured_are_refused_without_showing_them() {
        for query in ["sslmode=verify-full", "sslmode=maybe", "sslcert=x", "port=a"] {
            let text = parse_error(&format!("postgres://u:hunter2@db/purser?{query}"));
            assert!(!text.contains("hunter2"), "{text}");
        }
        assert!(Settings::parse(&Secret::new("postgres://u@db/purser")).is_ok());
    }
}
