//! The other commands, beside a server that runs and without one.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::both;
use crate::imports::{IMPORTS, assert_whole, balance, count, transactions};
use crate::support::{Family, Outcome, Server};

pub(crate) const CSV: &str = "Datum;Betrag;Text\n02.01.2024;-1,50;A\n03.01.2024;-2,00;B\n";
pub(crate) const BAD: &str =
    "Date,Amount,Name\n2024-01-02,-1.00,A\n2024-13-03,-2.00,B\n2024-01-04,oops,C\n";

pub(crate) fn file(server: &Server, name: &str, content: &str) -> String {
    let path: PathBuf = server.data_folder().parent().expect("a folder").join(name);
    std::fs::write(&path, content).expect("a file");
    path.to_str().expect("a path").to_owned()
}

/// A command that must fail with the code and print all of the texts.
#[track_caller]
pub(crate) fn fails(server: &Server, arguments: &[&str], code: i32, texts: &[&str]) -> Outcome {
    let outcome = server.run(arguments, "");
    assert_eq!(outcome.status.code(), Some(code), "{arguments:?}: {outcome:?}");
    for text in texts {
        assert!(outcome.stderr.contains(text), "{arguments:?} says {text:?}: {outcome:?}");
    }
    assert!(!outcome.stderr.contains("panicked"), "{outcome:?}");
    outcome
}

#[track_caller]
pub(crate) fn works(server: &Server, arguments: &[&str]) -> String {
    let outcome = server.run(arguments, "");
    assert!(outcome.status.success(), "{arguments:?}: {outcome:?}");
    outcome.stdout
}

fn api_again(server: &Server, family: &Family) -> crate::support::Client {
    server.client().with_key(&server.key(&family.email, crate::support::Scope::Read))
}

both! {
    fn a_file_is_imported_by_the_server_or_without_one(server) {
        let family = server.family();
        let account = family.account("Giro Konto", "depository");
        let path = file(&server, "bank.csv", CSV);
        let started = Instant::now();
        let shown = works(&server, &["import", &path, "--account", " GIRO konto"]);
        assert!(started.elapsed() < Duration::from_secs(4), "{:?}", started.elapsed());
        assert!(shown.starts_with("2 transactions created (import "), "{shown}");
        let by_id = server.run_json(&["import", &path, "--account", &account], "");
        assert_eq!(
            (&by_id["status"], &by_id["rows_count"], &by_id["created_count"]),
            (&json!("complete"), &json!(2), &json!(0))
        );
        assert_eq!(by_id["plan"]["matched_by_content"], 2);
        assert_eq!(balance(&family, &account), "-3.50");

        server.stop();
        let path = file(&server, "more.csv", &CSV.replace("2024", "2025"));
        let alone = server.run_json(&["import", &path, "--account", "Giro Konto"], "");
        assert_eq!(alone["status"], "complete");
        let again = works(&server, &["import", &path, "--account", "Giro Konto"]);
        assert!(again.starts_with("0 transactions created, 2 there already"), "{again}");
        server.start_again();
        assert_eq!(api_again(&server, &family).get(IMPORTS).json()["meta"]["total_count"], 4);
        assert_eq!(balance(&family, &account), "-7.00");
        assert_eq!(transactions(&family).len(), 4);
        assert_whole(&server);
    }

    fn settings_are_those_of_the_api(server) {
        let family = server.family();
        family.account("Main", "depository");
        let path = file(&server, "a.csv", "When,HowMuch,What\n01/02/2024,5,X\n");
        let import = ["import", &path, "--account", "Main"];
        fails(&server, &import, 1, &["The date may be in \"When\"", "\"HowMuch\""]);
        assert_eq!(count(&family.api), 0, "what is refused leaves no trace");
        let settings = [
            "date_col_label=When",
            "amount_col_label=HowMuch",
            "name_col_label=What",
            "date_format=%m/%d/%Y",
            "signage_convention=inflows_negative",
        ];
        let settings = settings.map(|setting| ["--set", setting]).concat();
        works(&server, &[&import[..], &settings].concat());
        assert_eq!(transactions(&family), ["2024-01-02 -5.00 USD X @Main"]);
        let path = file(&server, "b.csv", "2024-01-13,2024-01-12,-7,Y\n");
        works(&server, &["import", &path, "--account", "Main", "--set", "date_col_label=#2"]);
        for (setting, code, text) in [
            ("date_col_label=Nope", 1, "\"When\""),
            ("number_format=x", 1, "The number_format must be one of"),
            ("type=NativeImport", 1, "Line 1: The line is not a JSON object"),
            ("no value", 2, "NAME=VALUE"),
        ] {
            fails(&server, &[&import[..], &["--set", setting]].concat(), code, &[text]);
        }
        assert_whole(&server);
    }

    fn problems_of_a_file_are_printed(server) {
        let family = server.family();
        for name in ["Main", "Savings", "Twin", "twin"] {
            family.account(name, "depository");
        }
        let good = file(&server, "good.csv", CSV);
        fails(
            &server,
            &["import", &good, "--account", "Nobody"],
            1,
            &["Nobody", "Main", "Savings"],
        );
        fails(&server, &["import", &good, "--account", "Twin"], 2, &["There are 2", "id"]);
        fails(
            &server,
            &["import", "/nowhere/at/all.csv", "--account", "Main"],
            1,
            &["/nowhere/at/all.csv"],
        );
        let folder = server.data_folder();
        fails(&server, &["import", folder.to_str().unwrap(), "--account", "Main"], 1, &[]);
        fails(&server, &["import"], 2, &["<FILE>"]);
        let bad = file(&server, "bad.csv", BAD);
        fails(
            &server,
            &["import", &bad, "--account", "Main"],
            1,
            &["2 rows of 3", "Line 3: ", "Line 4: "],
        );
        works(&server, &["import", &bad, "--account", "Main", "--skip-invalid"]);
        let empty = file(&server, "empty.csv", " \n");
        fails(&server, &["import", &empty, "--account", "Main"], 1, &["no content"]);
        let pdf = file(&server, "a.pdf", "%PDF-1.7\n");
        fails(&server, &["import", &pdf, "--account", "Main"], 1, &["The document is damaged"]);
        let large = file(&server, "large.csv", &CSV.repeat(100));
        fails(
            &server,
            &["import", &large, "--account", "Main", "--max-csv-bytes", "100"],
            1,
            &["100 bytes"],
        );
        server.family();
        fails(&server, &["import", &good, "--account", "Main"], 2, &["several families"]);
        works(&server, &["import", &good, "--account", "Main", "--user", &family.email]);
        fails(
            &server,
            &["import", &good, "--user", "nobody@example.com"],
            1,
            &["nobody@example.com"],
        );
        assert_eq!(transactions(&family).len(), 3);
        assert_whole(&server);
    }

    fn users_are_added_changed_and_closed(server) {
        let family = server.family();
        let password = "correct horse battery staple\n";
        let add = |arguments: &[&str], input: &str| {
            server.run(&[&["user", "add", "--password-stdin"], arguments].concat(), input)
        };
        let added = add(&["--email", "Bob@Example.org ", "--name", "Bob"], password);
        assert!(added.status.success() && added.stdout.contains("(member)"), "{added:?}");
        for (arguments, input, code) in [
            (&["--email", "bob@example.org"][..], password, 1),
            (&["--email", "not an address"], password, 1),
            (&["--email", "short@example.org"], "short\n", 1),
            (&["--email", "empty@example.org"], "", 1),
            (&["--email", "x@example.org", "--family", "F", "--role", "member"], password, 2),
            (&["--email", "x@example.org", "--family", "F", "--currency", "XYZ"], password, 2),
            (&["--email", "x@example.org", "--family", "F", "--time-zone", "Nowhere"], password, 2),
            (&["--email", "x@example.org", "--family-of", "nobody@example.org"], password, 1),
            (
                &["--email", "x@example.org", "--family", "F", "--family-of", &family.email],
                password,
                2,
            ),
            (&[], password, 2),
        ] {
            let refused = add(arguments, input);
            assert_eq!(refused.status.code(), Some(code), "{arguments:?}: {refused:?}");
            assert!(
                !refused.stderr.contains("panicked") && !refused.stderr.contains("horse"),
                "{refused:?}"
            );
        }
        let listed = server.run_json(&["user", "list"], "");
        assert_eq!(listed["users"].as_array().map(Vec::len), Some(2), "{listed}");
        assert!(works(&server, &["user", "list"]).contains("bob@example.org"));
        let changed = server.run(
            &["user", "password", "bob@example.org", "--password-stdin"],
            "another good password\n",
        );
        assert!(changed.status.success(), "{changed:?}");
        fails(
            &server,
            &["user", "password", "nobody@example.org", "--password-stdin"],
            1,
            &["nobody@example.org"],
        );
        fails(&server, &["user", "deactivate", &family.email], 1, &["last active admin"]);
        works(&server, &["user", "deactivate", "bob@example.org"]);
        fails(
            &server,
            &["key", "add", "--user", "bob@example.org", "--name", "x"],
            1,
            &["deactivated"],
        );
        assert_whole(&server);
    }

    fn keys_are_made_listed_and_revoked(server) {
        let family = server.family();
        family.account("Main", "depository");
        let key = |arguments: &[&str]| {
            server.run_json(
                &[&["key", "add", "--user", &family.email, "--name", "k"], arguments].concat(),
                "",
            )
        };
        let read = key(&[]);
        assert_eq!((&read["scope"], &read["all_accounts"]), (&json!("read"), &json!(true)));
        let secret = read["key"].as_str().expect("the key");
        assert!(secret.starts_with("purser_"), "{secret}");
        server.client().with_key(secret).get(IMPORTS).expect_status(200);
        server
            .client()
            .with_key(secret)
            .post(IMPORTS, &json!({}))
            .expect_error(403, "insufficient_scope");
        let narrow =
            key(&["--scope", "read_write", "--account", "main", "--expires", "2099-12-31"]);
        assert_eq!((&narrow["all_accounts"], &narrow["state"]), (&json!(false), &json!("active")));
        // For scripts: the key alone goes to standard output.
        let alone = works(&server, &["key", "add", "--user", &family.email, "--name", "script"]);
        server.client().with_key(alone.trim()).get(IMPORTS).expect_status(200);
        let listed = works(&server, &["key", "list"]);
        let known = server.run_json(&["key", "list", "--user", &family.email], "");
        assert_eq!(known["keys"].as_array().map(Vec::len), Some(4));
        for shown in [listed, known.to_string()] {
            assert!(
                !shown.contains(secret) && !shown.contains(alone.trim()),
                "keys are shown once"
            );
        }
        let id = read["id"].as_str().unwrap();
        works(&server, &["key", "revoke", id]);
        works(&server, &["key", "revoke", id]);
        server.client().with_key(secret).get(IMPORTS).expect_error(401, "unauthorized");
        let add = ["key", "add", "--user", family.email.as_str(), "--name", "k"];
        fails(&server, &["key", "revoke", "018f0000-0000-7000-8000-000000000000"], 1, &["no key"]);
        fails(&server, &["key", "revoke", "7"], 2, &[]);
        fails(
            &server,
            &["key", "add", "--user", "nobody@example.org", "--name", "k"],
            1,
            &["nobody"],
        );
        fails(&server, &[&add[..], &["--account", "Nope"]].concat(), 1, &["Nope"]);
        fails(&server, &[&add[..], &["--expires", "2001-01-01"]].concat(), 1, &["is over"]);
        fails(&server, &[&add[..], &["--expires", "soon"]].concat(), 2, &["YYYY-MM-DD"]);
        fails(&server, &[&add[..], &["--scope", "all"]].concat(), 2, &["read_write"]);
        assert_whole(&server);
    }

    fn accounts_are_added_and_listed(server) {
        let family = server.family_in("EUR");
        fn add<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
            [&["account", "add"], arguments].concat()
        }
        let made = server.run_json(
            &add(&[
                "--name",
                "Giro",
                "--type",
                "depository",
                "--opening-balance",
                "-12.34",
                "--opening-date",
                "2024-01-01",
                "--institution",
                "Bank",
            ]),
            "",
        );
        assert_eq!(
            (&made["balance_decimal"], &made["currency"], &made["institution_name"]),
            (&json!("-12.34"), &json!("EUR"), &json!("Bank"))
        );
        assert_eq!(balance(&family, made["id"].as_str().unwrap()), "-12.34");
        assert!(works(&server, &["account", "list"]).contains("-€12.34"));
        let listed = server.run_json(&["account", "list"], "");
        assert_eq!(listed["accounts"][0]["id"], made["id"]);
        for (arguments, code, text) in [
            (&["--name", "X", "--type", "wallet"][..], 1, "must be one of depository"),
            (&["--name", "X", "--type", "loan", "--currency", "XYZ"], 1, "urrency"),
            (&["--name", "X", "--type", "loan", "--opening-balance", "1,5"], 1, "opening_balance"),
            (
                &["--name", "X", "--type", "loan", "--opening-date", "2024-01-01"],
                2,
                "--opening-balance",
            ),
            (&["--name", " ", "--type", "loan"], 1, "ame"),
            (&["--name", "X"], 2, "--type"),
        ] {
            fails(&server, &add(arguments), code, &[text]);
        }
        assert_whole(&server);
    }

    fn a_check_looks_and_a_mistyped_folder_is_no_empty_database(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        family.import(&account, "Date,Amount,Name\n2024-01-02,-1.00,A\n");
        let report = server.run_json(&["check"], "");
        assert_eq!(report["ok"], true);
        crate::imports::sql::run(&server, "UPDATE balances SET end_amount = end_amount + 1");
        let broken = fails(&server, &["check"], 1, &["hold"]);
        assert!(broken.stdout.contains("PROBLEM"), "{broken:?}");
        if server.backend() == crate::support::Backend::Sqlite {
            let nowhere = server.data_folder().join("nowhere");
            for command in ["check", "user list", "key list", "account list"] {
                let words: Vec<&str> = command.split(' ').collect();
                let arguments = [&["--data-dir", nowhere.to_str().unwrap()], &words[..]].concat();
                fails(&server, &arguments, 1, &["There is no data"]);
            }
            assert!(!nowhere.exists(), "looking creates nothing");
        }
        fails(&server, &["frobnicate"], 2, &["frobnicate"]);
        assert!(works(&server, &["--help"]).contains("import"));
        assert!(works(&server, &["--version"]).starts_with("purser "));
    }
}

#[test]
fn a_second_server_on_the_folder_is_refused() {
    let server = Server::start(crate::support::Backend::Sqlite);
    let second = server.run(&["serve", "--listen", "127.0.0.1:0"], "");
    assert_eq!(second.status.code(), Some(1), "{second:?}");
    assert!(second.stderr.contains("Another Purser server is running"), "{second:?}");
    server.client().get("/readyz").expect_status(200);
}
