//! A backup that is not what was written is refused, and nothing is there afterwards.

use std::fs;
use std::io::Read as _;

use flate2::read::MultiGzDecoder;

use super::{check, path, refusal, run};
use crate::support::{Backend, Dice, Options, Server, Sql, State};

/// A small backup, and an empty place of each kind.
fn backup() -> (Server, Vec<u8>) {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    let account = family.account("Main", "depository");
    family.import(&account, "Date,Amount,Name\n2024-01-02,-1.00,A\n");
    let backup = path(&server, "backup.tar.gz");
    run(&server, &["backup"], &backup);
    let content = fs::read(backup).unwrap();
    (server, content)
}

/// Damages of a file, each with its name.
fn damages(content: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut dice = Dice::seeded();
    let mut damages: Vec<(String, Vec<u8>)> = vec![
        ("nothing".to_owned(), Vec::new()),
        ("another file".to_owned(), b"Date,Amount\n".to_vec()),
        ("the last byte".to_owned(), content[..content.len() - 1].to_vec()),
        ("twice".to_owned(), [content, content].concat()),
    ];
    for _ in 0..4 {
        let cut = dice.between(1, content.len() as u64) as usize;
        damages.push((format!("cut at {cut}"), content[..cut].to_vec()));
        // What is before it in the header of gzip has no meaning.
        let at = dice.between(10, content.len() as u64) as usize;
        let mut flipped = content.to_vec();
        flipped[at] ^= 1 << dice.between(0, 8);
        // Between blocks of compressed data are bits that nothing reads.
        if unpacked(&flipped) != unpacked(content) {
            damages.push((format!("a bit of byte {at}"), flipped));
        }
    }
    damages
}

/// What compressed content unpacks to; nothing if it can't be unpacked.
fn unpacked(content: &[u8]) -> Option<Vec<u8>> {
    let mut plain = Vec::new();
    MultiGzDecoder::new(content).read_to_end(&mut plain).ok().map(|_| plain)
}

#[test]
fn a_damaged_backup_leaves_no_database() {
    let (server, content) = backup();
    for (what, damaged) in damages(&content) {
        let empty = Server::prepared(Backend::Sqlite, Options::new());
        let file = path(&server, "damaged.tar.gz");
        fs::write(&file, &damaged).unwrap();
        let text = refusal(&empty, &["restore"], &file);
        assert!(text.contains("The backup can't be restored: "), "{what}: {text}");
        let left: Vec<_> = fs::read_dir(empty.data_folder()).unwrap().collect();
        let names = left.iter().map(|entry| entry.as_ref().unwrap().file_name());
        assert!(!names.into_iter().any(|name| name.to_str().unwrap().contains(".db")), "{what}");
        let text = refusal(&empty, &["backup", "--verify"], &file);
        assert!(text.contains("The backup can't be restored: "), "{what}: {text}");
    }
}

#[test]
fn a_damaged_backup_leaves_postgresql_as_it_was() {
    let (server, content) = backup();
    let mut old = Server::start(Backend::Postgres);
    old.family().account("Old", "depository");
    assert!(old.stop().success());
    let before = State::read(&Sql::open(&old));
    for (what, damaged) in damages(&content) {
        let file = path(&server, "damaged.tar.gz");
        fs::write(&file, &damaged).unwrap();
        let text = refusal(&old, &["restore", "--replace"], &file);
        assert!(text.contains("The backup can't be restored: "), "{what}: {text}");
        State::read(&Sql::open(&old)).assert_is(&before, &what);
    }
    check(&old);
}

#[test]
fn a_full_disk_leaves_no_half_of_a_backup() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    family.account("Main", "depository");
    let backup = path(&server, "backup.tar.gz");
    let mut command = server.command();
    let program = command.get_program().to_owned();
    // As a shell would do it: a write beyond the limit is an error, and no signal.
    let script = "trap '' XFSZ; exec prlimit --fsize=1024: \"$0\" backup \"$1\"";
    let mut limited = std::process::Command::new("sh");
    limited.args(["-c", script]).arg(program).arg(&backup).env_clear();
    limited.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let failed = limited.output().unwrap();
    assert!(!failed.status.success());
    let text = String::from_utf8(failed.stderr).unwrap();
    assert!(text.contains("no space left"), "{text}");
    assert!(!backup.exists() && !path(&server, "backup.tar.gz.partial").exists());
    command.arg("backup").arg(&backup);
    assert!(command.status().unwrap().success());
}
