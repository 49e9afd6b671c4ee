//! The machines that Citus spreads the tables over. Each keeps its commits by settings of its own.

use purser_core::error::Result;

use super::PgConnection;
use super::settings::refused;

/// Whether there is Citus, by the function that asks its machines.
const SPREAD: &str = "SELECT to_regproc('run_command_on_workers') IS NOT NULL";

/// Each machine with its answer: the settings, a space between two.
const SETTINGS: &str = "SELECT nodename || ':' || nodeport, success, result
    FROM run_command_on_workers($$SELECT current_setting('fsync') || ' '
        || current_setting('synchronous_commit') || ' '
        || current_setting('full_page_writes')$$)";

/// Refuses machines that may forget what they acknowledged. One that doesn't answer acknowledges
/// nothing either, and keeps only its own families waiting; its settings are looked at by the next
/// start.
pub(super) fn check_workers(connection: &mut PgConnection) -> Result<()> {
    let mut is_spread = false;
    connection.for_each(SPREAD, Vec::new(), &mut |row| {
        is_spread = row.bool(0)?;
        Ok(())
    })?;
    if !is_spread {
        return Ok(());
    }
    connection.for_each(SETTINGS, Vec::new(), &mut |row| {
        let (worker, answer) = (row.text(0)?, row.opt_text(2)?);
        if !row.bool(1)? {
            tracing::warn!(worker, answer, "a PostgreSQL worker can't be reached");
            return Ok(());
        }
        match problem(answer) {
            None => Ok(()),
            Some(problem) => Err(refused(format!("The PostgreSQL worker {worker} {problem}"))),
        }
    })
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
        check_workers(&mut connection).unwrap();
        for (success, second) in [(true, "on on on"), (false, "failed to connect to two:5433")] {
            connection.script(&stand_in(success, second)).unwrap();
            check_workers(&mut connection).unwrap();
            // A start goes on with the families of the machines that are there.
            let store = Store::open(options(&fixture.target, &fixture.clock)).unwrap();
            assert!(store.read_directory_blocking(crate::users::is_any).is_ok());
        }
        connection.script(&stand_in(true, "on off on")).unwrap();
        let error = check_workers(&mut connection).unwrap_err().to_string();
        assert!(
            error.contains("worker two:5433 has the setting synchronous_commit off"),
            "{error}"
        );
    }
}
