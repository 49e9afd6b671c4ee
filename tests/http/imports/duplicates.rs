//! What comes again: the same file, months that overlap, equal rows, rows with the bank's id, and
//! what a person has changed or deleted in between.

use serde_json::{Value, json};

use super::plan::{counts, verdicts};
use super::{all, balance, both_whole, merged, path, publish, sql, text, transactions, upload};
use crate::support::Family;

const MARCH: &str = "Date,Amount,Name\n2024-03-01,-10.00,Rent\n2024-03-15,-4.00,Cafe\n\
                     2024-03-31,-5.00,Shop\n";
const SINCE_MARCH: &str = "Date,Amount,Name\n2024-03-15,-4.00,Cafe\n2024-03-31,-5.00,Shop\n\
                           2024-04-01,-10.00,Rent\n2024-04-02,-4.50,Cafe\n";

/// Publishes a file into the account; the counts of its plan.
#[track_caller]
fn import(family: &Family, account: &str, csv: &str) -> Vec<String> {
    counts(&publish(&family.api, csv, &json!({ "account_id": account }))["plan"])
}

/// The transaction of a name.
#[track_caller]
fn named(family: &Family, name: &str) -> Value {
    let listed = all(&family.api, "/api/v1/transactions", "transactions");
    let mut found = listed.into_iter().filter(|one| one["name"] == name);
    let one = found.next().unwrap_or_else(|| panic!("no {name}"));
    assert!(found.next().is_none(), "several {name}");
    one
}

fn path_of(transaction: &Value) -> String {
    format!("/api/v1/transactions/{}", text(&transaction["id"]))
}

both_whole! {
    fn the_same_file_twice_is_the_same_file_once(server) {
        let family = server.family();
        let main = family.account("Main", "depository");
        import(&family, &main, MARCH);
        let before = all(&family.api, "/api/v1/transactions", "transactions");
        assert_eq!(import(&family, &main, MARCH), ["matched_count 3"]);
        assert_eq!(all(&family.api, "/api/v1/transactions", "transactions"), before);
        assert_eq!(balance(&family, &main), "-19.00");
        // In another order, and with an account column instead of the field.
        let shuffled = "Account,Name,Amount,Date\nmain,Shop,-5.00,2024-03-31\n\
                        MAIN,Rent,-10.00,2024-03-01\nMain,Cafe,-4.00,2024-03-15\n";
        let import = publish(&family.api, shuffled, &json!({}));
        assert_eq!(counts(&import["plan"]), ["matched_count 3"]);
        assert_eq!(transactions(&family).len(), 3);
        // Another account is another matter.
        let other = family.account("Other", "depository");
        let import = publish(&family.api, MARCH, &json!({ "account_id": other }));
        assert_eq!(counts(&import["plan"]), ["create_count 3", "created_count 3"]);
    }

    fn months_that_overlap_add_what_is_new(server) {
        for files in [[MARCH, SINCE_MARCH], [SINCE_MARCH, MARCH]] {
            let family = server.family();
            let main = family.account("Main", "depository");
            for csv in files {
                import(&family, &main, csv);
            }
            assert_eq!(
                transactions(&family),
                [
                    "2024-03-01 -10.00 USD Rent @Main",
                    "2024-03-15 -4.00 USD Cafe @Main",
                    "2024-03-31 -5.00 USD Shop @Main",
                    "2024-04-01 -10.00 USD Rent @Main",
                    "2024-04-02 -4.50 USD Cafe @Main",
                ]
            );
        }
    }

    fn of_equal_rows_as_many_are_created_as_are_missing(server) {
        let family = server.family();
        let main = family.account("Main", "depository");
        let rows = |count: usize| {
            format!("Date,Amount,Name\n{}", "2024-03-01,-2.50,Coffee\n".repeat(count))
        };
        assert_eq!(import(&family, &main, &rows(2)), ["create_count 2", "created_count 2"]);
        assert_eq!(
            import(&family, &main, &rows(5)),
            ["create_count 3", "created_count 3", "matched_count 2"]
        );
        assert_eq!(import(&family, &main, &rows(4)), ["matched_count 4"]);
        assert_eq!(transactions(&family).len(), 5);
    }

    fn the_bank_s_id_is_trusted_with_an_equal_amount(server) {
        let family = server.family();
        let main = family.account("Main", "depository");
        let csv = "Date,Amount,Name,Transaction ID\n2024-03-01,-10.00,Rent,A1\n\
                   2024-03-02,-4.00,Cafe,A2\n2024-03-03,-7.00,Shop,A3\n";
        import(&family, &main, csv);
        let stored = sql::query(&server, "SELECT external_id FROM entries ORDER BY external_id");
        assert_eq!(stored, [["A1"], ["A2"], ["A3"]]);
        // Another day and another name; another amount; another id with the same content.
        let later = "Date,Amount,Name,Transaction ID\n2024-03-20,-10.00,RENT MARCH,A1\n\
                     2024-03-02,-4.10,Cafe,A2\n2024-03-03,-7.00,Shop,A4\n";
        let second = upload(&family.api, later, &json!({ "account_id": main }));
        let found = verdicts(&family.api, &second);
        assert_eq!(
            found[0],
            "1 matched_by_id: It matches the transaction \"Rent\" of 2024-03-01 by the bank's id"
        );
        assert_eq!(found[1], "2 create");
        assert!(found[2].starts_with("3 possible_duplicate: It resembles"), "{found:?}");
        family.api.post(&path(&second, "/publish"), &json!({})).expect_status(202);
        family.api.wait_for_import(text(&second["id"]));
        assert_eq!(transactions(&family).len(), 5);
        // In another account the id means nothing.
        let other = family.account("Other", "depository");
        assert_eq!(import(&family, &other, csv), ["create_count 3", "created_count 3"]);
    }

    fn ids_in_files_need_not_be_unique(server) {
        let family = server.family();
        let main = family.account("Main", "depository");
        let csv = "Date,Amount,Name,Transaction ID\n2024-03-01,-10.00,A,X\n2024-03-01,-11.00,B,X\n\
                   2024-03-02,-10.00,C,X\n";
        assert_eq!(import(&family, &main, csv), ["create_count 3", "created_count 3"]);
        assert_eq!(import(&family, &main, csv), ["matched_count 3"]);
        assert_eq!(transactions(&family).len(), 3);
    }

    fn what_resembles_is_created_and_flagged(server) {
        let family = server.family();
        let main = family.account("Main", "depository");
        import(&family, &main, "Date,Amount,Name\n2024-03-10,-12.00,Shop\n");
        let near = "Date,Amount,Name\n2024-03-06,-12.00,Too early\n2024-03-13,-12.00,Card 1\n\
                    2024-03-13,-12.00,Card 2\n2024-03-10,-12.01,Other amount\n";
        let second = upload(&family.api, near, &json!({ "account_id": main }));
        assert_eq!(counts(&second["plan"]), ["create_count 3", "possible_duplicates_count 1"]);
        let flagged = verdicts(&family.api, &second);
        assert_eq!((flagged[0].as_str(), flagged[3].as_str()), ("1 create", "4 create"));
        family.api.post(&path(&second, "/publish"), &json!({})).expect_status(202);
        let done = family.api.wait_for_import(text(&second["id"]));
        assert_eq!(
            counts(&done["plan"]),
            ["create_count 3", "created_count 4", "possible_duplicates_count 1"]
        );
        assert_eq!(transactions(&family).len(), 5);
    }

    fn a_matched_transaction_gets_what_it_does_not_have(server) {
        let family = server.family();
        let main = family.account("Main", "depository");
        import(
            &family,
            &main,
            "Date,Amount,Name,Category,Notes,Tags\n2024-03-01,-10.00,Rent,,,\n\
             2024-03-02,-4.00,Cafe,Food,mine,old\n2024-03-03,-5.00,Shop,,,\n",
        );
        let untouched = named(&family, "Shop");
        let richer = "Date,Amount,Name,Category,Notes,Tags,Transaction ID\n\
                      2024-03-01,-10.00,Rent,Home,for March,\"flat,monthly\",R1\n\
                      2024-03-02,-4.00,Cafe,Fun,theirs,new,\n2024-03-03,-5.00,Shop,,,,\n";
        assert_eq!(import(&family, &main, richer), ["matched_count 3"]);
        assert_eq!(
            transactions(&family),
            [
                "2024-03-01 -10.00 USD Rent #Home [flat] [monthly] @Main",
                "2024-03-02 -4.00 USD Cafe #Food [old] @Main",
                "2024-03-03 -5.00 USD Shop @Main",
            ]
        );
        assert_eq!(named(&family, "Rent")["notes"], "for March");
        assert_eq!(named(&family, "Cafe")["notes"], "mine");
        assert_eq!(named(&family, "Shop"), untouched);
        let fills = sql::query(&server, "SELECT filled FROM import_fills");
        assert_eq!(fills.len(), 1, "{fills:?}");
        let filled: Value = serde_json::from_str(&fills[0][0]).expect("JSON");
        assert_eq!((&filled["notes"], &filled["external_id"]), (&json!("for March"), &json!("R1")));
        assert_eq!(filled["tag_ids"].as_array().map(Vec::len), Some(2));
        assert_eq!(sql::value(&server, "SELECT COUNT(*) FROM entries WHERE changed_at IS NOT NULL"), "0");
        // The id that was filled in is one to be found by.
        let moved = "Date,Amount,Name,Transaction ID\n2024-03-28,-10.00,Rent paid,R1\n";
        assert_eq!(import(&family, &main, moved), ["matched_count 1"]);
        assert_eq!(import(&family, &main, richer), ["matched_count 3"]);
        assert_eq!(sql::value(&server, "SELECT COUNT(*) FROM import_fills"), "1");
    }

    fn a_transaction_that_was_changed_is_recognised(server) {
        let family = server.family();
        let main = family.account("Main", "depository");
        import(&family, &main, MARCH);
        let rent = path_of(&named(&family, "Rent"));
        let change = json!({ "name": "Flat", "amount": "11.00", "date": "2024-02-28" });
        family.api.patch(&rent, &change).expect_status(200);
        let again = upload(&family.api, MARCH, &json!({ "account_id": main }));
        assert_eq!(counts(&again["plan"]), ["matched_count 3"]);
        let reason = verdicts(&family.api, &again)[0].clone();
        assert_eq!(
            reason,
            "1 matched_by_content: It matches the transaction \"Flat\" of 2024-02-28, which was \
             changed since: account, day, amount and name were the same when it came in"
        );
        // Its name by now comes from a person and not from a source, so it is only a resemblance.
        let flat = "Date,Amount,Name\n2024-02-28,-11.00,Flat\n";
        assert_eq!(
            import(&family, &main, flat),
            ["created_count 1", "possible_duplicates_count 1"]
        );
    }

    fn a_transaction_that_was_changed_is_resembled_as_it_is_now(server) {
        let family = server.family();
        let main = family.account("Main", "depository");
        let csv = "Date,Amount,Name\n2024-03-10,-10.00,Shop\n";
        import(&family, &main, csv);
        let shop = path_of(&named(&family, "Shop"));
        family.api.patch(&shop, &json!({ "amount": "12.00" })).expect_status(200);
        let planned = |csv: &str| {
            let import = upload(&family.api, csv, &json!({ "account_id": main }));
            (verdicts(&family.api, &import), counts(&import["plan"]))
        };
        // As it is now.
        let (rows, _) = planned("Date,Amount,Name\n2024-03-10,-12.00,Shop\n");
        assert_eq!(
            rows,
            ["1 possible_duplicate: It resembles the transaction \"Shop\" of 2024-03-10: the \
              amount is the same, and the days are close together"]
        );
        // As it was: a day later that is nothing, the same day it is the row that it came from.
        let (rows, _) = planned("Date,Amount,Name\n2024-03-11,-10.00,Shop\n");
        assert_eq!(rows, ["1 create"]);
        assert_eq!(planned(csv).1, ["matched_count 1"]);
        // Whoever stands for it keeps others from resembling it.
        let both = "Date,Amount,Name\n2024-03-10,-12.00,Shop\n2024-03-10,-10.00,Shop\n";
        assert_eq!(planned(both).1, ["create_count 1", "matched_count 1"]);
        // Its day counts as it is now, too, and one entry flags one row.
        family.api.patch(&shop, &json!({ "date": "2024-04-20" })).expect_status(200);
        let moved = "Date,Amount,Name\n2024-03-10,-12.00,A\n2024-04-20,-12.00,B\n\
                     2024-04-21,-12.00,C\n";
        let (rows, counted) = planned(moved);
        assert_eq!(counted, ["create_count 2", "possible_duplicates_count 1"]);
        assert!(rows[1].starts_with(
            "2 possible_duplicate: It resembles the transaction \"Shop\" of 2024-04-20:"
        ), "{rows:?}");
        assert_eq!(import(&family, &main, csv), ["matched_count 1"]);
        assert_eq!(transactions(&family), ["2024-04-20 -12.00 USD Shop @Main"]);
    }

    fn what_was_deleted_stays_deleted(server) {
        let family = server.family();
        let main = family.account("Main", "depository");
        import(&family, &main, MARCH);
        family.api.delete(&path_of(&named(&family, "Cafe"))).expect_status(200);
        let again = upload(&family.api, MARCH, &json!({ "account_id": main }));
        assert_eq!(counts(&again["plan"]), ["deleted_before_count 1", "matched_count 2"]);
        assert_eq!(
            verdicts(&family.api, &again)[1],
            "2 deleted_before: It matches the transaction \"Cafe\" of 2024-03-15, which was deleted"
        );
        family.api.post(&path(&again, "/publish"), &json!({})).expect_status(202);
        family.api.wait_for_import(text(&again["id"]));
        assert_eq!(
            transactions(&family),
            ["2024-03-01 -10.00 USD Rent @Main", "2024-03-31 -5.00 USD Shop @Main"]
        );
        assert_eq!(balance(&family, &main), "-15.00");
    }

    fn another_family_s_transactions_match_nothing(server) {
        let [one, two] = [server.family(), server.family()];
        let [ours, theirs] = [&one, &two].map(|family| family.account("Main", "depository"));
        import(&one, &ours, MARCH);
        assert_eq!(import(&two, &theirs, MARCH), ["create_count 3", "created_count 3"]);
    }

    fn rows_that_are_valid_only_count_once_with_invalid_ones_between(server) {
        let family = server.family();
        let main = family.account("Main", "depository");
        let csv = "Date,Amount,Name\n2024-03-01,-1.00,A\n2024-03-02,x,B\n2024-03-03,-3.00,C\n";
        let fields = merged(&json!({ "account_id": main }), &json!({ "skip_invalid": true }));
        for expected in [
            ["create_count 2", "created_count 2", "invalid_count 1"].as_slice(),
            &["invalid_count 1", "matched_count 2"],
        ] {
            assert_eq!(counts(&publish(&family.api, csv, &fields)["plan"]), expected);
        }
    }
}
