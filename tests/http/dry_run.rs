//! `purser import --dry-run`: everything that would happen, and nothing that does.

use serde_json::{Value, json};

use crate::both;
use crate::command_line::{BAD, CSV, fails, file, works};
use crate::imports::{assert_whole, count, transactions};

both! {
    fn a_dry_run_shows_and_stores_nothing(server) {
        let family = server.family();
        family.account("Main", "depository");
        let good = file(&server, "good.csv", CSV);
        let shown = works(&server, &["import", &good, "--account", "Main", "--dry-run"]);
        for part in ["Datum as %d.%m.%Y", "Betrag as 1.234,56", "2 valid, 0 invalid"] {
            assert!(shown.contains(part), "{part}: {shown}");
        }
        let preview = server.run_json(&["import", &good, "--account", "Main", "--dry-run"], "");
        assert_eq!((&preview["valid_rows_count"], &preview["obstacle"]), (&json!(2), &Value::Null));
        let bad = file(&server, "bad.csv", BAD);
        let refused = fails(
            &server,
            &["import", &bad, "--account", "Main", "--dry-run"],
            1,
            &["2 rows of 3"],
        );
        assert!(
            refused.stdout.contains("line 3: ") && refused.stdout.contains("line 4: "),
            "{refused:?}"
        );
        fails(&server, &["import", &good, "--dry-run"], 1, &[]);
        assert_eq!((count(&family.api), transactions(&family).len()), (0, 0));
        assert_whole(&server);
    }

    fn a_dry_run_shows_period_money_balances_and_first_rows(server) {
        let family = server.family();
        let opening = json!({
            "name": "Main", "account_type": "depository", "opening_balance": "10.00",
        });
        family.account_with(opening);
        let good = file(&server, "good.csv", &CSV.replace("-2,00;B", "2,00;B"));
        let shown = works(&server, &["import", &good, "--account", "Main", "--dry-run"]);
        for part in [
            "period    2024-01-02 to 2024-01-03, $2.00 in, $1.50 out\n",
            "balance   Main has $10.00 before 2024-01-02, and will have $10.50 after 2024-01-03\n",
            "first     as they will stand, with a minus for money out\n",
            "  line 2: 2024-01-02  -$1.50  A\n",
            "  line 3: 2024-01-03  $2.00  B\n",
        ] {
            assert!(shown.contains(part), "{part}: {shown}");
        }
        let preview = server.run_json(&["import", &good, "--account", "Main", "--dry-run"], "");
        assert_eq!(preview["amount_sign"], "money_out_positive");
        assert_eq!(preview["rows"][0]["amount"], "1.50", "money out");
        let account = &preview["accounts"][0];
        assert_eq!(account["balance_before"], "10.00");
        assert_eq!(account["balance_after"], "10.50");
        assert_eq!(preview["questions"], json!([]));
    }

    fn a_dry_run_shows_no_row_that_is_left_out_as_one_that_will_stand(server) {
        server.family().account("Main", "depository");
        let csv = "Date,Description,Amount,Status\n2026-01-02,Opening balance,10.00,\n\
            2026-01-03,Books,-1.00,Declined\n2026-01-04,Coffee,-2.00,Completed\n\
            2026-01-05,Closing balance,8.00,\n";
        let csv = file(&server, "lines.csv", csv);
        let shown = works(&server, &["import", &csv, "--account", "Main", "--dry-run"]);
        let (_, first) = shown.split_once("with a minus for money out\n").unwrap();
        let rows = "  line 4: 2026-01-04  -$2.00  Coffee\nplan      1 would be created, 3 left out";
        assert!(first.starts_with(rows), "{shown}");
        // What the lines state is compared with the account.
        let own = "balance   Main has $0.00 before 2026-01-04, $10.00 less than in the file, and \
            will have -$2.00 after 2026-01-04, $10.00 less than in the file\n";
        assert!(shown.contains(own), "{shown}");
    }

    fn a_dry_run_has_a_line_for_each_row(server) {
        let family = server.family();
        family.account("Main", "depository");
        let csv = "Date;Libellé;Montant\n2026-01-30;\"CARTE\nX1 CARREFOUR 29/01\";-45,20\n\
                   2026-01-31;Loyer;-700,00;a;b\n";
        let csv = file(&server, "names.csv", csv);
        let shown = works(&server, &["import", &csv, "--dry-run", "--account", "Main"]);
        assert!(shown.contains(": 2026-01-30  -$45.20  CARTE X1 CARREFOUR 29/01\n"), "{shown}");
        assert!(shown.contains("  1 row has more cells than the header, such as line "), "{shown}");
    }

    fn a_dry_run_names_both_columns_of_amounts(server) {
        server.family().account("Main", "depository");
        let csv = "Date,Description,Debit,Credit\n2026-01-13,A,1.50,\n2026-01-14,B,,2.00\n";
        let csv = file(&server, "columns.csv", csv);
        let shown = works(&server, &["import", &csv, "--account", "Main", "--dry-run"]);
        let columns = "amount    Debit (money out) and Credit (money in) as 1,234.56, ";
        assert!(shown.contains(columns), "{shown}");
    }

    fn each_question_of_a_dry_run_comes_with_its_flag(server) {
        let family = server.family();
        family.account("Main", "depository");
        let unsigned = file(&server, "unsigned.csv", "Date,Amount,Name\n03/04/2024,1.50,A\nx,1,B\n");
        let dry_run = ["import", &*unsigned, "--dry-run"];
        let asked = fails(&server, &dry_run, 1, &["before the questions are answered"]);
        let shown = &asked.stdout;
        for part in [
            "question  The date format is ambiguous: ",
            "  --set date_format=%d/%m/%Y  day, month, year\n    2024-04-03  ",
            "  --set date_format=%m/%d/%Y  month, day, year\n    2024-03-04  ",
            "  --set signage_convention=inflows_negative  money out\n",
        ] {
            assert!(shown.contains(part), "{part}: {shown}");
        }
        // Each sentence once, on the standard output or on that for errors.
        for sentence in ["is ambiguous", "All amounts in"] {
            let count = shown.matches(sentence).count() + asked.stderr.matches(sentence).count();
            assert_eq!(count, 1, "{sentence}: {asked:?}");
        }
        let answers = ["--set", "date_format=%d/%m/%Y", "--set", "signage_convention=inflows_negative"];
        let dry_run = [&dry_run[..], &answers].concat();
        let asked = fails(&server, &dry_run, 1, &[]);
        for part in ["  --account NAME  puts every row", "  --skip-invalid  1 row is left out\n"] {
            assert!(asked.stdout.contains(part), "{part}: {asked:?}");
        }
        // Nothing shows yet whether these are money out or money in.
        let doubled = "Date,Date,Name,Amount\n01/30/2026,01/31/2026,Grocer,12.00\n";
        let doubled = file(&server, "doubled.csv", doubled);
        let shown = fails(&server, &["import", &doubled, "--dry-run", "--account", "Main"], 1, &[]);
        for part in [
            "  --set date_col_label=Date  the date is in \"Date\"\n    2026-01-30  12.00  Grocer\n",
            "  the date is in \"#2\"\n    2026-01-31  12.00  Grocer\n",
        ] {
            assert!(shown.stdout.contains(part), "{part}: {shown:?}");
        }
        // Rows without an account are no lines of their own: the question stands once.
        let sentence = "doesn't say which account the rows belong to";
        let all = format!("{}{}", asked.stdout, asked.stderr);
        assert_eq!(all.matches(sentence).count(), 1, "{asked:?}");
        assert!(asked.stdout.contains("  or correct them on the page of the import"), "{asked:?}");
        works(&server, &[&dry_run[..], &["--account", "Main", "--skip-invalid"]].concat());
        assert_eq!(count(&family.api), 0);
    }

    fn a_dry_run_shows_the_plan_that_is_then_executed(server) {
        let family = server.family();
        family.account("Main", "depository");
        let first = file(&server, "first.csv", CSV);
        works(&server, &["import", &first, "--account", "Main"]);
        let csv = CSV.replace("03.01.2024;-2,00;B", "05.01.2024;-2,00;C\n06.01.2024;-3,00;D");
        let second = file(&server, "second.csv", &csv);
        let import = ["import", &second, "--account", "Main"];
        let dry_run = [&import[..], &["--dry-run"]].concat();
        let shown = works(&server, &dry_run);
        for part in [
            "plan      2 would be created, 1 of them perhaps there already, 1 already there",
            "line 3: It resembles the transaction \"B\" of 2024-01-03",
            "line 2: It matches the transaction \"A\" of 2024-01-02",
        ] {
            assert!(shown.contains(part), "{part}: {shown}");
        }
        let preview = server.run_json(&dry_run, "");
        let verdicts: Vec<&Value> =
            preview["rows"].as_array().unwrap().iter().map(|row| &row["verdict"]).collect();
        assert_eq!(verdicts, ["matched_by_content", "possible_duplicate", "create"]);
        let done = server.run_json(&import, "");
        assert_eq!(done["plan"], preview["plan"]);
        assert_eq!((&done["created_count"], transactions(&family).len()), (&json!(2), 4));
        assert_whole(&server);
    }
}
