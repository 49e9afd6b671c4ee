//! The folder of which the server imports every file.

mod restarts;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::both;
use crate::support::{Dice, Family, Options, Server, sql, until};

/// A server that looks into a folder, which has one for the account.
struct Inbox {
    folder: PathBuf,
    family: Family,
}

impl Inbox {
    /// Starts the server again with the folder.
    fn of(server: &mut Server) -> Self {
        assert!(server.stop().success());
        let folder = server.data_folder().with_file_name("inbox");
        fs::create_dir_all(folder.join("Checking")).unwrap();
        server.start_again_with(options(&folder));
        let family = server.family();
        family.account("Checking", "depository");
        Self { folder, family }
    }

    /// Drops a file as programs should: written elsewhere, and moved.
    fn drop_file(&self, path: &str, content: &str) {
        let target = self.folder.join(path);
        let hidden = self.folder.join(".being-written");
        fs::write(&hidden, content).unwrap();
        fs::rename(hidden, target).unwrap();
    }

    /// Waits until the file has gone to a folder; the reason beside it.
    #[track_caller]
    fn wait_for(&self, path: &str) -> String {
        let place = self.folder.join(path);
        until(path, || place.exists().then_some(()));
        let reason = self.folder.join(format!("{path}.reason.txt"));
        fs::read_to_string(reason).unwrap_or_default()
    }

    fn imports(&self) -> Vec<Value> {
        let listed = self.family.api.get("/api/v1/imports").expect_status(200).json();
        listed["data"].as_array().unwrap().clone()
    }

    /// The number of transactions, once nothing is being imported.
    fn transactions(&self) -> u64 {
        for import in self.imports().iter().filter(|import| import["status"] == "importing") {
            self.family.api.wait_for_import(import["id"].as_str().unwrap());
        }
        let listed = self.family.api.get("/api/v1/transactions").expect_status(200).json();
        listed["pagination"]["total_count"].as_u64().unwrap()
    }

    /// Publishes the only import that waits, as a person would.
    fn publish(&self) {
        let waiting: Vec<_> =
            self.imports().into_iter().filter(|import| import["status"] == "pending").collect();
        let [only] = waiting.as_slice() else { panic!("{waiting:?}") };
        let id = only["id"].as_str().unwrap();
        let path = format!("/api/v1/imports/{id}/publish");
        self.family.api.post(&path, &Value::Null).expect_status(202);
        let import = self.family.api.wait_for_import(id);
        assert_eq!(import["status"], "complete", "{import}");
    }
}

fn options(folder: &Path) -> Options {
    Options::new().env("PURSER_INBOX", folder.display()).env("PURSER_INBOX_QUIET", "1")
}

/// A statement with rows of its own.
fn statement(month: u32) -> String {
    let rows = (1..=9).map(|day| format!("2024-{month:02}-{day:02},-{day}.50,Shop {month}\n"));
    format!("Date,Amount,Text\n{}", rows.collect::<String>())
}

/// A statement of SWIFT with one entry of 10.00.
fn of_bank(account: &str, month: u32, [opening, closing]: [&str; 2]) -> String {
    format!(
        ":20:STARTUMS\n:25:10010010/{account}\n:28C:{month}/1\n:60F:C24{month:02}01USD{opening}\n\
         :61:24{month:02}02D10,00NTRF\n:86:Shop of {month}\n:62F:C24{month:02}28USD{closing}\n-\n"
    )
}

both! {
    fn the_first_file_of_a_kind_waits_and_the_next_is_imported(server) {
        let inbox = Inbox::of(&mut server);
        inbox.drop_file("Checking/january.csv", &statement(1));
        let reason = inbox.wait_for("waiting/january.csv");
        assert!(reason.contains("first file of its kind"), "{reason}");
        assert_eq!(inbox.transactions(), 0);
        inbox.publish();
        assert_eq!(inbox.transactions(), 9);
        inbox.drop_file("Checking/february.csv", &statement(2));
        assert_eq!(inbox.wait_for("imported/february.csv"), "");
        assert_eq!(inbox.transactions(), 18);
        // The same bytes again, under another name and the same: nothing is made of them.
        inbox.drop_file("Checking/february again.csv", &statement(2));
        inbox.wait_for("imported/february again.csv");
        inbox.drop_file("Checking/february.csv", &statement(2));
        inbox.wait_for("imported/february (2).csv");
        assert_eq!((inbox.imports().len(), inbox.transactions()), (2, 18));
        let metrics = inbox.family.api.get("/metrics").text();
        assert!(metrics.contains("purser_inbox_files_total{result=\"waits\"} 1"), "{metrics}");
        assert!(metrics.contains("purser_inbox_files_total{result=\"imported\"} 3"), "{metrics}");
    }

    fn what_a_person_must_decide_waits_with_the_reason(server) {
        let inbox = Inbox::of(&mut server);
        fs::create_dir(inbox.folder.join("Nobody's")).unwrap();
        inbox.drop_file("Nobody's/a.csv", &statement(1));
        let reason = inbox.wait_for("waiting/a.csv");
        assert_eq!(reason, "There is no account Nobody's; there are: Checking\n");
        inbox.drop_file("picture.csv", "\u{1}\u{2}\u{3}PNG");
        assert!(!inbox.wait_for("waiting/picture.csv").is_empty());
        assert!(inbox.imports().iter().all(|import| import["status"] == "pending"));
        let before = inbox.imports().len();
        inbox.drop_file("Checking/dates.csv", "Date,Amount,Text\n03/04/2024,-1.00,A\n");
        let reason = inbox.wait_for("waiting/dates.csv");
        assert!(reason.contains("03/04/2024"), "{reason}");
        assert_eq!(inbox.imports().len(), before + 1);
        // Of a kind that is known, with a row that nobody can read.
        inbox.drop_file("Checking/january.csv", &statement(1));
        inbox.wait_for("waiting/january.csv");
        let api = &inbox.family.api;
        let newest = inbox.imports().remove(0);
        let january = newest["id"].as_str().unwrap();
        api.post(&format!("/api/v1/imports/{january}/publish"), &Value::Null).expect_status(202);
        api.wait_for_import(january);
        inbox.drop_file("Checking/broken.csv", "Date,Amount,Text\n2024-02-01,-1.x0,A\n");
        let reason = inbox.wait_for("waiting/broken.csv");
        assert!(reason.contains("-1.x0"), "{reason}");
        // A day later, the same amount and another name: perhaps the same.
        let similar = "Date,Amount,Text\n2024-01-02,-1.50,Shop One\n";
        inbox.drop_file("Checking/similar.csv", similar);
        let reason = inbox.wait_for("waiting/similar.csv");
        assert!(reason.contains("One row may be there already"), "{reason}");
        assert_eq!(inbox.transactions(), 9);
    }

    fn statements_go_by_themselves_if_they_prove_themselves(server) {
        let inbox = Inbox::of(&mut server);
        let january = of_bank("70001111", 1, ["100,00", "90,00"]);
        inbox.drop_file("Checking/1.sta", &january);
        let reason = inbox.wait_for("waiting/1.sta");
        assert!(reason.contains("first file of its kind"), "{reason}");
        inbox.publish();
        inbox.drop_file("Checking/2.sta", &of_bank("70001111", 2, ["90,00", "80,00"]));
        assert_eq!(inbox.wait_for("imported/2.sta"), "");
        let march = of_bank("70001111", 3, ["80,00", "70,00"]);
        let cut = &march[..march.find(":62F:").unwrap()];
        for (name, file, why) in [
            ("cut.sta", cut, "no closing balance"),
            ("wrong.sta", &march.replace("70,00\n", "71,00\n"), "do not agree"),
            ("savings.sta", &of_bank("70002222", 3, ["80,00", "70,00"]), "…2222"),
        ] {
            inbox.drop_file(&format!("Checking/{name}"), file);
            let reason = inbox.wait_for(&format!("waiting/{name}"));
            assert!(reason.contains(why), "{reason}");
        }
        assert_eq!(inbox.transactions(), 2);
    }

    fn accounts_of_statements_are_known_one_by_one(server) {
        let inbox = Inbox::of(&mut server);
        let of = |month, [one, other]: [bool; 2]| {
            let balances = [format!("{},00", 110 - 10 * month), format!("{},00", 100 - 10 * month)];
            let balances = [balances[0].as_str(), &balances[1]];
            let files = [("70001111", one), ("70002222", other)];
            let wanted = files.into_iter().filter(|(_, is_there)| *is_there);
            wanted.map(|(account, _)| of_bank(account, month, balances)).collect::<String>()
        };
        inbox.drop_file("both.sta", &of(1, [true, true]));
        let reason = inbox.wait_for("waiting/both.sta");
        assert!(reason.contains("first file of its kind"), "{reason}");
        inbox.publish();
        // A bank leaves out accounts in which nothing happened.
        for (name, month, accounts) in
            [("2", 2, [true, false]), ("3", 3, [false, true]), ("4", 4, [true, true])]
        {
            inbox.drop_file(&format!("{name}.sta"), &of(month, accounts));
            assert_eq!(inbox.wait_for(&format!("imported/{name}.sta")), "");
        }
        assert_eq!(inbox.transactions(), 6);
        let third = of_bank("70003333", 5, ["60,00", "50,00"]);
        inbox.drop_file("third.sta", &(of(5, [true, false]) + &third));
        let reason = inbox.wait_for("waiting/third.sta");
        assert!(reason.contains("first file of its kind"), "{reason}");
    }

    fn a_statement_of_one_account_of_a_file_is_not_known_in_the_other(server) {
        let inbox = Inbox::of(&mut server);
        // Two numbers that end alike, as all of some banks do.
        let of = |account, month, balances| of_bank(account, month, balances);
        let both = of("11110000", 1, ["100,00", "90,00"]) + &of("22220000", 1, ["50,00", "40,00"]);
        inbox.drop_file("both.sta", &both);
        inbox.wait_for("waiting/both.sta");
        inbox.publish();
        for account in ["11110000", "22220000"] {
            fs::create_dir(inbox.folder.join(account)).unwrap();
        }
        let next = of("11110000", 2, ["90,00", "80,00"]);
        inbox.drop_file("22220000/next.sta", &next);
        let reason = inbox.wait_for("waiting/next.sta");
        assert!(reason.contains("first file of its kind"), "{reason}");
        inbox.drop_file("11110000/next.sta", &next.replace("2/1", "2"));
        assert_eq!(inbox.wait_for("imported/next.sta"), "");
        assert_eq!(inbox.transactions(), 3);
    }

    fn statements_without_a_number_are_known_where_they_went(server) {
        let inbox = Inbox::of(&mut server);
        inbox.family.account("Savings", "depository");
        fs::create_dir_all(inbox.folder.join("Savings")).unwrap();
        let of = |month, balances| of_bank("", month, balances).replace(":25:10010010/", ":25:");
        inbox.drop_file("Checking/1.sta", &of(1, ["100,00", "90,00"]));
        inbox.wait_for("waiting/1.sta");
        inbox.publish();
        inbox.drop_file("Savings/2.sta", &of(2, ["90,00", "80,00"]));
        let reason = inbox.wait_for("waiting/2.sta");
        assert!(reason.contains("first file of its kind"), "{reason}");
        inbox.drop_file("Checking/3.sta", &of(2, ["90,00", "80,00"]).replace("2/1", "2"));
        assert_eq!(inbox.wait_for("imported/3.sta"), "");
    }

    fn a_statement_of_one_number_in_another_currency_waits(server) {
        let inbox = Inbox::of(&mut server);
        let rate = json!({ "base": "EUR", "quote": "USD", "date": "2024-01-01", "rate": "2" });
        inbox.family.api.post("/api/v1/exchange_rates", &rate).expect_status(201);
        inbox.drop_file("Checking/january.sta", &of_bank("123456", 1, ["100,00", "90,00"]));
        inbox.wait_for("waiting/january.sta");
        inbox.publish();
        let euros = |month, ends| of_bank("123456", month, ends).replace("USD", "EUR");
        inbox.drop_file("Checking/february.sta", &euros(2, ["90,00", "80,00"]));
        let reason = inbox.wait_for("waiting/february.sta");
        assert!(reason.contains("an account in EUR, and Checking is one in USD"), "{reason}");
        assert_eq!(inbox.transactions(), 1);
        let import = inbox.imports().into_iter().find(|it| it["status"] == "pending").unwrap();
        let path = format!("/api/v1/imports/{}", import["id"].as_str().unwrap());
        let api = &inbox.family.api;
        api.patch(&path, &json!({ "balance_check": "ignore_account" })).expect_status(200);
        inbox.publish();
        assert_eq!(inbox.transactions(), 2);
        inbox.drop_file("Checking/march.sta", &euros(3, ["80,00", "70,00"]));
        inbox.wait_for("imported/march.sta");
    }

    fn accounts_of_one_number_are_known_by_their_kind(server) {
        let inbox = Inbox::of(&mut server);
        let of = |kind: &str, month: u32, balance: &str| format!(
            "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS>\
             <CURDEF>USD<BANKACCTFROM><BANKID>1<ACCTID>12345<ACCTTYPE>{kind}</BANKACCTFROM>\
             <BANKTRANLIST><DTSTART>2024{month:02}01<DTEND>2024{month:02}28<STMTTRN>\
             <TRNTYPE>DEBIT<DTPOSTED>2024{month:02}02<TRNAMT>-10.00<FITID>{kind}{month}<NAME>Shop\
             </STMTTRN></BANKTRANLIST><LEDGERBAL><BALAMT>{balance}<DTASOF>2024{month:02}28\
             </LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"
        );
        inbox.drop_file("Checking/january.ofx", &of("CHECKING", 1, "-10.00"));
        inbox.wait_for("waiting/january.ofx");
        inbox.publish();
        inbox.drop_file("Checking/february.ofx", &of("CHECKING", 2, "-20.00"));
        inbox.wait_for("imported/february.ofx");
        // Its balance happens to follow, and it has no folder of its own.
        inbox.drop_file("savings.ofx", &of("SAVINGS", 3, "-30.00"));
        inbox.wait_for("waiting/savings.ofx");
        assert_eq!(inbox.transactions(), 2);
    }

    fn a_publish_that_fails_waits_with_the_reason(server) {
        let inbox = Inbox::of(&mut server);
        inbox.drop_file("Checking/january.csv", &statement(1));
        inbox.wait_for("waiting/january.csv");
        inbox.publish();
        sql::refuse_where(&server, "entries", "NEW.name = 'Shop 2'");
        inbox.drop_file("Checking/february.csv", &statement(2));
        let place = inbox.folder.join("waiting/february.csv");
        until("the publish to be given up", || {
            sql::run(&server, "UPDATE jobs SET run_at = 0 WHERE state = 'queued'");
            place.exists().then_some(())
        });
        let reason = inbox.wait_for("waiting/february.csv");
        assert!(!reason.is_empty() && !reason.contains("planted"), "{reason}");
        assert!(!inbox.folder.join("imported/february.csv").exists());
        assert_eq!(inbox.imports()[0]["status"], "failed");
        assert_eq!(inbox.transactions(), 9);
    }

    fn what_is_written_on_after_it_was_imported_waits(server) {
        let inbox = Inbox::of(&mut server);
        inbox.drop_file("Checking/january.csv", &statement(1));
        inbox.wait_for("waiting/january.csv");
        inbox.publish();
        // What is there first ends within a name, or with a line.
        for (month, name, at) in [(2, "a.csv", "-4.50,a."), (3, "b.csv", "-5.50,b.csv 3\n")] {
            let whole = statement(month).replace("Shop", name);
            let at = whole.find(at).unwrap() + at.len();
            let path = format!("Checking/{name}");
            let mut writer = fs::File::create(inbox.folder.join(path)).unwrap();
            writer.write_all(&whole.as_bytes()[..at]).unwrap();
            let place = format!("imported/{name}");
            inbox.wait_for(&place);
            let before = inbox.transactions();
            writer.write_all(&whole.as_bytes()[at..]).unwrap();
            drop(writer);
            let reason = inbox.wait_for(&format!("waiting/{name}"));
            assert!(reason.contains("undo that import"), "{reason}");
            assert!(!inbox.folder.join(place).exists());
            let kept = fs::read_to_string(inbox.folder.join(format!("waiting/{name}"))).unwrap();
            assert_eq!((kept, inbox.transactions()), (whole, before));
            assert_eq!(inbox.imports()[0]["status"], "pending");
        }
    }

    fn a_file_that_waits_is_left_to_who_corrects_it(server) {
        let inbox = Inbox::of(&mut server);
        inbox.drop_file("Checking/january.csv", &statement(1));
        inbox.wait_for("waiting/january.csv");
        let place = inbox.folder.join("waiting/january.csv");
        let mut editor = fs::File::options().append(true).open(&place).unwrap();
        editor.write_all(b"2024-01-20,-1.00,More\n").unwrap();
        let reason = inbox.folder.join("waiting/january.csv.reason.txt");
        until("the notice", || {
            fs::read_to_string(&reason).unwrap().contains("only a part").then_some(())
        });
        // The next file is taken, and the other one has stayed.
        inbox.drop_file("Checking/february.csv", &statement(2));
        inbox.wait_for("waiting/february.csv");
        assert!(place.exists() && inbox.imports().len() == 2);
    }

    fn a_file_is_taken_once_nobody_writes_to_it(server) {
        let inbox = Inbox::of(&mut server);
        inbox.drop_file("Checking/january.csv", &statement(1));
        inbox.wait_for("waiting/january.csv");
        inbox.publish();
        let whole = statement(2);
        let path = inbox.folder.join("Checking/february.csv");
        // Each part comes before the file has rested for a second.
        let (mut written, mut dice) = (String::new(), Dice::seeded());
        for part in whole.as_bytes().chunks(whole.len() / 8) {
            written += std::str::from_utf8(part).unwrap();
            fs::write(&path, &written).unwrap();
            dice.pause(200_000, 300_000);
        }
        inbox.wait_for("imported/february.csv");
        assert_eq!(inbox.transactions(), 18);
    }

    fn whenever_the_server_dies_each_file_is_imported_once(server) {
        let inbox = Inbox::of(&mut server);
        inbox.drop_file("Checking/1.csv", &statement(1));
        inbox.wait_for("waiting/1.csv");
        inbox.publish();
        for month in 2..=7 {
            inbox.drop_file(&format!("Checking/{month}.csv"), &statement(month));
        }
        let mut dice = Dice::seeded();
        for _ in 0..3 {
            // They are taken once they have rested for a second.
            dice.pause(1_000_000, 1_500_000);
            server.kill();
            server.start_again();
        }
        for month in 2..=7 {
            inbox.wait_for(&format!("imported/{month}.csv"));
        }
        assert_eq!(inbox.transactions(), 7 * 9);
        let checked = server.run(&["check"], "");
        assert!(checked.status.success(), "{checked:?}");
    }
}
