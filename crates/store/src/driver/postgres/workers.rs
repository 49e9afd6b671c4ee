//! The machines that Citus spreads the tables over. Each keeps its commits by settings of its own.

use std::sync::{Mutex, MutexGuard, PoisonError};

use purser_core::error::{Error, Result};

use super::PgConnection;
use super::settings::refused;

/// Whether there is Citus, by the function that asks its machines.
const SPREAD: &str = "SELECT to_regproc('run_command_on_workers') IS NOT NULL";

/// Each machine with its answer: the settings, a space between two.
const SETTINGS: &str = "SELECT nodename || ':' || nodeport, success, result
    FROM run_command_on_workers($$SELECT current_setting('fsync') || ' '
        || current_setting('synchronous_commit') || ' '
        || current_setting('full_page_writes')$$)";

/// What writes have to know of the machines: whether one may forget what it acknowledges.
#[derive(Debug, Default)]
pub(crate) struct Workers(Mutex<WorkerPromises>);

#[derive(Debug, Default, PartialEq, Eq)]
enum WorkerPromises {
    /// All keep what they acknowledge, or there are none.
    #[default]
    Fine,
    /// Some haven't been asked yet: they were away.
    Unasked,
    /// One may forget it.
    Bad(String),
}

impl Workers {
    /// Asks the machines before the first write, and refuses one that may forget what it
    /// acknowledged. One that is away acknowledges nothing, and keeps only its own families
    /// waiting: it is asked again.
    pub(super) fn ask_first(connection: &mut PgConnection) -> Result<Self> {
        let all_answered = check_workers(connection, Unanswered::Refused)?;
        Ok(Self(Mutex::new(if all_answered {
            WorkerPromises::Fine
        } else {
            WorkerPromises::Unasked
        })))
    }

    /// Whether there is nothing to ask any more.
    pub(crate) fn is_settled(&self) -> bool {
        *self.known() == WorkerPromises::Fine
    }

    /// Asks the machines again. From the first bad answer on nothing is written until there is a
    /// good one. A machine that can't answer for whatever reason is no bad answer: one that hangs
    /// would stop the writes of all.
    pub(crate) fn ask_again(&self, connection: &mut PgConnection) -> Result<()> {
        let answer = check_workers(connection, Unanswered::AskedAgain);
        let mut known = self.known();
        match answer {
            Ok(true) => *known = WorkerPromises::Fine,
            // What isn't fine stays so.
            Ok(false) => {}
            Err(Error::Conflict { message, .. }) => {
                tracing::error!(message, "nothing is written: commits could be lost");
                *known = WorkerPromises::Bad(message);
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Refuses to write while a machine may forget what it acknowledges.
    pub(crate) fn refuse(&self) -> Result<()> {
        match &*self.known() {
            WorkerPromises::Fine | WorkerPromises::Unasked => Ok(()),
            WorkerPromises::Bad(message) => Err(Error::Unavailable {
                message: "The database could lose what is written: whoever runs the server must \
                          look into its log."
                    .to_owned(),
                cause: message.clone().into(),
            }),
        }
    }

    fn known(&self) -> MutexGuard<'_, WorkerPromises> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What becomes of a machine to which there is a connection, but which doesn't show its settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unanswered {
    /// A right or a function is missing: it must be put right before the start.
    Refused,
    /// As one that is away.
    AskedAgain,
}

/// Refuses machines that may forget what they acknowledged. False if one has to be asked again.
fn check_workers(connection: &mut PgConnection, unanswered: Unanswered) -> Result<bool> {
    let mut is_spread = false;
    connection.for_each(SPREAD, Vec::new(), &mut |row| {
        is_spread = row.bool(0)?;
        Ok(())
    })?;
    let mut all_answered = true;
    if !is_spread {
        return Ok(all_answered);
    }
    connection.for_each(SETTINGS, Vec::new(), &mut |row| {
        let (worker, answer) = (row.text(0)?, row.opt_text(2)?);
        let problem = match row.bool(1)? {
            true => problem(answer),
            false if unanswered == Unanswered::AskedAgain || answer.is_some_and(is_away) => {
                tracing::warn!(worker, answer, "a PostgreSQL worker doesn't answer");
                all_answered = false;
                None
            }
            false => Some(format!("doesn't show its settings: {}", answer.unwrap_or_default())),
        };
        match problem {
            None => Ok(()),
            Some(problem) => Err(refused(format!("The PostgreSQL worker {worker} {problem}"))),
        }
    })?;
    Ok(all_answered)
}

/// Whether a machine gave no answer because there is no connection to it, by the text that Citus
/// or the client of PostgreSQL has for that: there is no code.
fn is_away(answer: &str) -> bool {
    let answer = answer.to_lowercase();
    ["failed to connect", "could not connect", "server closed the connection", "timeout expired"]
        .iter()
        .chain(&["terminating connection", "connection not open", "connection refused"])
        .any(|text| answer.contains(text))
}

/// What is wrong with a machine that answered. Commits that also wait for a standby are as good.
fn problem(answer: Option<&str>) -> Option<String> {
    let settings: Vec<&str> = answer.unwrap_or_default().split(' ').collect();
    let [fsync, synchronous_commit, full_page_writes] = settings.as_slice() else {
        return Some("doesn't show its settings.".to_owned());
    };
    let found = [
        ("fsync", *fsync == "on"),
        (
            "synchronous_commit",
            ["on", "local", "remote_write", "remote_apply"].contains(synchronous_commit),
        ),
        ("full_page_writes", *full_page_writes == "on"),
    ];
    let (name, _) = found.into_iter().find(|(_, is_kept)| !is_kept)?;
    Some(format!("has the setting {name} off: a power cut would lose data. Turn it on."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::postgres::Settings;
    use crate::store::{Store, Target};
    use crate::testing::{Fixture, options};

    #[test]
    fn a_machine_that_may_forget_commits_is_named() {
        let lost = |name: &str| {
            let text =
                format!("has the setting {name} off: a power cut would lose data. Turn it on.");
            Some(text)
        };
        let unknown = || Some("doesn't show its settings.".to_owned());
        for (answer, expected) in [
            (Some("on on on"), None),
            (Some("on remote_apply on"), None),
            (Some("off on on"), lost("fsync")),
            (Some("on off on"), lost("synchronous_commit")),
            (Some("on on off"), lost("full_page_writes")),
            (Some("on on"), unknown()),
            (Some(""), unknown()),
            (None, unknown()),
        ] {
            assert_eq!(problem(answer), expected, "{answer:?}");
        }
    }

    /// A function in the place of Citus's, which answers for two machines.
    fn stand_in(success: bool, second: &str) -> String {
        format!(
            "CREATE OR REPLACE FUNCTION run_command_on_workers(command text,
                parallel boolean DEFAULT TRUE, OUT nodename text, OUT nodeport integer,
                OUT success boolean, OUT result text) RETURNS SETOF record LANGUAGE sql AS
            $$ VALUES ('one', 5432, TRUE, 'on on on'), ('two', 5433, {success}, '{second}') $$"
        )
    }

    #[test]
    fn every_machine_is_asked() {
        let fixture = Fixture::postgres();
        let Target::Postgres(url) = &fixture.target else { panic!("another database") };
        let mut connection = Settings::parse(url).unwrap().connect().unwrap();
        assert!(check_workers(&mut connection, Unanswered::Refused).unwrap());
        for (success, second) in [(true, "on on on"), (false, "failed to connect to two:5433")] {
            connection.script(&stand_in(success, second)).unwrap();
            assert_eq!(check_workers(&mut connection, Unanswered::Refused).unwrap(), success);
            // A start goes on with the families of the machines that are there.
            let store = Store::open(options(&fixture.target, &fixture.clock)).unwrap();
            assert!(store.read_directory_blocking(crate::users::is_any).is_ok());
        }
        for (success, second, expected) in [
            (true, "on off on", "worker two:5433 has the setting synchronous_commit off"),
            // Who answers is not away.
            (false, "permission denied", "two:5433 doesn't show its settings: permission denied"),
        ] {
            connection.script(&stand_in(success, second)).unwrap();
            let error =
                check_workers(&mut connection, Unanswered::Refused).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn a_machine_that_was_away_is_asked_again() {
        let fixture = Fixture::postgres();
        let Target::Postgres(url) = &fixture.target else { panic!("another database") };
        let mut connection = Settings::parse(url).unwrap().connect().unwrap();
        let away = stand_in(false, "failed to connect to two:5433");
        connection.script(&away).unwrap();
        let workers = Workers::ask_first(&mut connection).unwrap();
        assert_eq!((workers.is_settled(), workers.refuse().is_ok()), (false, true));
        let mut ask = |answer: &str| {
            connection.script(answer).unwrap();
            workers.ask_again(&mut connection).unwrap();
            (workers.is_settled(), workers.refuse().is_ok())
        };
        assert_eq!(ask(&away), (false, true));
        assert_eq!(ask(&stand_in(false, "canceling statement")), (false, true));
        assert_eq!(ask(&stand_in(true, "off on on")), (false, false));
        // It may be back with the same settings.
        assert_eq!(ask(&away), (false, false));
        assert_eq!(ask(&stand_in(false, "canceling statement")), (false, false));
        assert_eq!(ask(&stand_in(true, "on on on")), (true, true));
    }
}
