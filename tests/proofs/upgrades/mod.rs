//! A schema that is being made survives the death of the process (R14).

mod filled;

use std::process::{Command, Stdio};
use std::time::Instant;

use crate::support::{Backend, Dice, Options, Rounds, Server, Sql, rounds};

/// Deaths before a schema may be finished.
const DEATHS: u64 = 3;

/// Runs the program for a random part of the time that a start takes.
fn serve_and_die(mut command: Command, dice: &mut Dice, start_micros: u64) {
    command.args(["serve", "--listen", "127.0.0.1:0"]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the program starts");
    dice.pause(0, start_micros);
    child.kill().expect("its end");
    child.wait().expect("its status");
}

fn survive(backend: Backend, lives: Rounds) {
    let mut dice = Dice::seeded();
    let began = Instant::now();
    drop(Server::start(backend));
    let start = u64::try_from(began.elapsed().as_micros()).expect("a short time");
    for _ in lives {
        let mut server = Server::prepared(backend, Options::new());
        for _ in 0..DEATHS {
            serve_and_die(server.command(), &mut dice, start);
        }
        server.start_again();
        server.family().account("Main", "depository");
        let checked = server.run(&["check"], "");
        assert!(checked.status.success(), "{}{}", checked.stdout, checked.stderr);
    }
}

#[test]
fn upgrades_survive_kills_on_sqlite() {
    survive(Backend::Sqlite, rounds(6, 67));
}

#[test]
fn upgrades_survive_kills_on_postgres() {
    survive(Backend::Postgres, rounds(3, 67));
}

/// What the server prints when it can't start.
fn refusal(server: &Server) -> String {
    let ended = server.run(&["serve", "--listen", "127.0.0.1:0"], "");
    assert!(!ended.status.success(), "it started");
    ended.stderr
}

#[test]
fn upgrades_refuse_a_schema_that_is_newer() {
    for backend in [Backend::Sqlite, Backend::Postgres] {
        let mut server = Server::start(backend);
        let sql = Sql::open(&server);
        sql.run("INSERT INTO schema_version (version, name, applied_at) VALUES (999, 'later', 0)");
        server.kill();
        let refusal = refusal(&server);
        assert!(refusal.contains("999"), "{refusal}");
        assert_eq!(refusal.lines().count(), 1, "{refusal}");
    }
}

#[test]
fn upgrades_find_a_step_that_was_made_by_half() {
    let mut server = Server::start(Backend::Sqlite);
    let sql = Sql::open(&server);
    // As if the tables of step 14 had been made without its version: the later one makes none here.
    sql.run("DELETE FROM schema_version WHERE version >= 14");
    server.kill();
    let refusal = refusal(&server);
    assert!(refusal.contains("exists") || refusal.contains("duplicate"), "{refusal}");
}
