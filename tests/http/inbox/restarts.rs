//! What a process that starts knows of files that the one before has taken, and odd names.

use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;

use super::{Inbox, statement};
use crate::both;
use crate::support::until;

both! {
    fn what_was_imported_in_part_waits_after_a_restart_as_well(server) {
        let inbox = Inbox::of(&mut server);
        inbox.drop_file("Checking/january.csv", &statement(1));
        inbox.wait_for("waiting/january.csv");
        inbox.publish();
        let whole = statement(2);
        let at = whole.find("-4.50,Shop").unwrap() + "-4.50,Shop".len();
        inbox.drop_file("Checking/half.csv", &whole[..at]);
        inbox.wait_for("imported/half.csv");
        server.kill();
        server.start_again();
        let before = inbox.transactions();
        inbox.drop_file("Checking/half.csv", &whole);
        let reason = inbox.wait_for("waiting/half.csv");
        assert!(reason.contains("undo that import"), "{reason}");
        assert_eq!(inbox.transactions(), before);
        // A file that grows by whole rows goes by itself.
        inbox.drop_file("Checking/grown.csv", &(statement(1) + "2024-01-20,-3.00,More\n"));
        inbox.wait_for("imported/grown.csv");
        assert_eq!(inbox.transactions(), before + 1);
    }

    fn what_was_moved_is_watched_after_a_restart_as_before(server) {
        let inbox = Inbox::of(&mut server);
        inbox.drop_file("Checking/january.csv", &statement(1));
        inbox.wait_for("waiting/january.csv");
        inbox.publish();
        // Its writer is at work when the file is taken, and while the server isn't there.
        let write = |month: u32, path: &str| {
            let mut writer = fs::File::create(inbox.folder.join(path)).unwrap();
            writer.write_all(statement(month).as_bytes()).unwrap();
            writer
        };
        let (mut meanwhile, mut later) = (write(2, "Checking/b.csv"), write(3, "Checking/c.csv"));
        let mut waits = write(4, "No such account.csv");
        waits.write_all(b"2024-02-31,no amount,X\n").unwrap();
        for place in ["imported/b.csv", "imported/c.csv", "waiting/No such account.csv"] {
            inbox.wait_for(place);
        }
        let before = inbox.transactions();
        server.kill();
        meanwhile.write_all(b"2024-02-20,-1.00,More\n").unwrap();
        waits.write_all(b"2024-02-20,-1.00,More\n").unwrap();
        server.start_again();
        let reason = inbox.wait_for("waiting/b.csv");
        assert!(reason.contains("undo that import"), "{reason}");
        later.write_all(b"2024-03-20,-1.00,More\n").unwrap();
        let reason = inbox.wait_for("waiting/c.csv");
        assert!(reason.contains("undo that import"), "{reason}");
        let account = inbox.imports()[0]["account_id"].clone();
        assert!(account.is_string(), "the account of its folder is known: {account}");
        let reason = inbox.folder.join("waiting/No such account.csv.reason.txt");
        until("the notice", || {
            fs::read_to_string(&reason).unwrap().contains("only a part").then_some(())
        });
        assert_eq!(inbox.transactions(), before, "nothing is lost, and nothing comes twice");
    }

    fn a_file_with_a_name_that_is_no_text_is_taken(server) {
        let inbox = Inbox::of(&mut server);
        inbox.drop_file("Checking/january.csv", &statement(1));
        inbox.wait_for("waiting/january.csv");
        inbox.publish();
        let name = OsStr::from_bytes(b"f\xe9vrier.csv");
        let hidden = inbox.folder.join(".being-written");
        fs::write(&hidden, statement(2)).unwrap();
        fs::rename(hidden, inbox.folder.join("Checking").join(name)).unwrap();
        inbox.wait_for("imported/f\u{fffd}vrier.csv");
        assert_eq!(inbox.transactions(), 18);
        assert_eq!(fs::read_dir(inbox.folder.join("Checking")).unwrap().count(), 0);
    }
}
