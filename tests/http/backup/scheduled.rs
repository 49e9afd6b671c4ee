//! The backups that the server makes by itself.

use std::fs;
use std::path::Path;

use super::{path, run};
use crate::both;
use crate::support::{Backend, Client, Options, Server, until};

fn backups(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_str().unwrap().ends_with(".gz"))
        .collect()
}

fn age(client: &Client) -> Option<String> {
    let text = client.get("/metrics").expect_status(200).text();
    let line = text.lines().find(|line| line.starts_with("purser_backup_age_seconds "))?;
    Some(line.to_owned())
}

#[test]
fn a_node_leaves_alone_what_another_one_has_just_made() {
    let mut server = Server::start(Backend::Postgres);
    assert!(server.stop().success());
    let folder = path(&server, "backups");
    fs::create_dir(&folder).unwrap();
    // What a server left that was killed.
    let partial = folder.join("purser-2026-02-03T04-05-06Z.tar.gz.partial");
    fs::write(&partial, "half").unwrap();
    server.start_again_with(Options::new().env("PURSER_BACKUP_DIR", folder.display()));
    let made = until("a backup", || backups(&folder).pop());
    assert!(!partial.exists());
    let node = server.start_beside();
    until("the age on the other node", || age(&node.client()));
    assert_eq!(backups(&folder), [made]);
}

both! {
    fn a_backup_is_made_at_once_where_there_is_none_and_shows_its_age(server) {
        assert!(server.stop().success());
        let folder = path(&server, "backups");
        fs::create_dir(&folder).unwrap();
        server.start_again_with(Options::new().env("PURSER_BACKUP_DIR", folder.display()));
        let made = until("a backup", || backups(&folder).pop());
        until("its age", || age(&server.client()));
        run(&server, &["backup", "--verify"], &made);
        assert!(server.stop().success());
        // The next one is due in a day.
        server.start_again();
        until("the age again", || age(&server.client()));
        assert_eq!(backups(&folder), [made]);
    }

    fn a_failure_is_in_the_log_and_is_counted(server) {
        assert!(server.stop().success());
        let folder = path(&server, "missing");
        server.start_again_with(Options::new().env("PURSER_BACKUP_DIR", folder.display()));
        let line = server.wait_for_log("the backup failed");
        assert!(line.contains("ERROR") && line.contains(folder.to_str().unwrap()), "{line}");
        let text = server.client().get("/metrics").expect_status(200).text();
        assert!(text.contains("purser_backups_total{result=\"failed\"} 1"), "{text}");
        assert_eq!(age(&server.client()), None);
    }
}
