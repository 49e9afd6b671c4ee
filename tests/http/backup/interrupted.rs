//! A restore, and a backup, that are killed at any moment.

use std::fs;
use std::path::Path;

use super::{check, filled, path, run};
use crate::both;
use crate::support::{Backend, Dice, Server, Sql, State};

/// Restores that are killed, of each database.
const KILLS: usize = 12;

/// Whether the database is one or the other, as it should be, with its files.
fn is_either(server: &Server, old: &State, new: &State) -> bool {
    check(server);
    let now = State::read(&Sql::open(server)).without(&["schema_version"]);
    assert!(now == *old || now == *new, "half of a restore");
    now == *new
}

/// Starts a command, and kills it after a while, unless it has ended by then. Whether it had.
fn kill(server: &Server, arguments: &[&str], file: &Path, dice: &mut Dice, most: u64) -> bool {
    let mut child = server.command().args(arguments).arg(file).spawn().unwrap();
    dice.pause(1_000, most);
    let _ = child.kill();
    child.wait().unwrap().success()
}

both! {
    fn a_restore_that_is_killed_leaves_the_old_or_the_new(server) {
        let mut dice = Dice::seeded();
        let backend = server.backend();
        drop(server);
        let (mut source, _) = filled(Backend::Sqlite);
        assert!(source.stop().success());
        let new_backup = path(&source, "new.tar.gz");
        run(&source, &["backup"], &new_backup);

        let mut target = Server::start(backend);
        let old_family = target.family();
        old_family.account("Old", "depository");
        assert!(target.stop().success());
        let old_backup = path(&target, "old.tar.gz");
        run(&target, &["backup"], &old_backup);
        let state = |server: &Server| State::read(&Sql::open(server)).without(&["schema_version"]);
        let old = state(&target);
        let started = std::time::Instant::now();
        run(&target, &["restore", "--replace"], &new_backup);
        let whole = u64::try_from(started.elapsed().as_micros()).unwrap();
        let new = state(&target);
        let (mut ended, mut is_new) = (0, true);
        for _ in 0..KILLS {
            let next = if is_new { &old_backup } else { &new_backup };
            ended += usize::from(kill(&target, &["restore", "--replace"], next, &mut dice, whole));
            is_new = is_either(&target, &old, &new);
        }
        assert!(ended < KILLS, "every restore ended before it was killed");
        // Nothing that was left keeps the next one from its work.
        run(&target, &["restore", "--replace"], &new_backup);
        assert!(is_either(&target, &old, &new), "the new one");
    }
}

#[test]
fn a_backup_that_is_killed_leaves_no_file_with_its_name() {
    let mut dice = Dice::seeded();
    let (server, _) = filled(Backend::Sqlite);
    let backup = path(&server, "backup.tar.gz");
    for _ in 0..KILLS {
        if !kill(&server, &["backup"], &backup, &mut dice, 60_000) && !backup.exists() {
            continue;
        }
        let partial = path(&server, "backup.tar.gz.partial");
        assert!(!partial.exists(), "it has its name when it is whole");
        run(&server, &["backup", "--verify"], &backup);
        fs::remove_file(&backup).unwrap();
    }
    run(&server, &["backup"], &backup);
}
