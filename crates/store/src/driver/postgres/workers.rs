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

/// Refuses machines that may forget what they acknowledged.
pub(super) fn check_workers(connection: &mut PgConnection) -> Result<()> {
    let mut is_spread = false;
    connection.for_each(SPREAD, Vec::new(), &mut |row| {
        is_spread = row.bool(0)?;
        Ok(())
    })?;
    if !is_spread {
        return Ok(());
    }
    connection.for_each(SETTINGS, Vec::new(), &mut |row| match problem(
        row.bool(1)?,
        row.opt_text(2)?,
    ) {
        None => Ok(()),
        Some(problem) => Err(refused(format!("The PostgreSQL worker {} {problem}", row.text(0)?))),
    })
}

/// What is wrong with a machine, by its answer. Commits that also wait for a standby are as good.
fn problem(success: bool, answer: Option<&str>) -> Option<String> {
    let settings: Vec<&str> = answer.unwrap_or_default().split(' ').collect();
    let [fsync, synchronous_commit, full_page_writes] = settings.as_slice() else {
        return Some("doesn't show its settings.".to_owned());
    };
    if !success {
        return Some("doesn't show its settings.".to_owned());
    }
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
    use crate::store::Target;
    use crate::testing::Fixture;

    #[test]
    fn a_machine_that_may_forget_commits_is_named() {
        let lost = |name: &str| {
            let text =
                format!("has the setting {name} off: a power cut would lose data. Turn it on.");
            Some(text)
        };
        let unknown = || Some("doesn't show its settings.".to_owned());
        for (success, answer, expected) in [
            (true, Some("on on on"), None),
            (true, Some("on remote_apply on"), None),
            (true, Some("off on on"), lost("fsync")),
            (true, Some("on off on"), lost("synchronous_commit")),
            (true, Some("on on off"), lost("full_page_writes")),
            (true, Some("on on"), unknown()),
            (true, Some(""), unknown()),
            (true, None, unknown()),
            (false, Some("could not connect to the worker"), unknown()),
            (false, Some("on on on"), unknown()),
        ] {
            assert_eq!(problem(success, answer), expected, "{success} {answer:?}");
        }
    }

    /// A function in the place of Citus's, which answers for two machines.
    fn stand_in(second: &str) -> String {
        format!(
            "CREATE OR REPLACE FUNCTION run_command_on_workers(command text,
                parallel boolean DEFAULT TRUE, OUT nodename text, OUT nodeport integer,
                OUT success boolean, OUT result text) RETURNS SETOF record LANGUAGE sql AS
            $$ VALUES ('one', 5432, TRUE, 'on on on'), ('two', 5433, TRUE, '{second}') $$"
        )
    }

    #[test]
    fn every_machine_is_asked() {
        let fixture = Fixture::postgres();
        let Target::Postgres(url) = &fixture.target else { panic!("another database") };
        let mut connection = Settings::parse(url).unwrap().connect().unwrap();
        check_workers(&mut connection).unwrap();
        connection.script(&stand_in("on on on")).unwrap();
        check_workers(&mut connection).unwrap();
        connection.script(&stand_in("on off on")).unwrap();
        let error = check_workers(&mut connection).unwrap_err().to_string();
        assert!(
            error.contains("worker two:5433 has the setting synchronous_commit off"),
            "{error}"
        );
    }
}
