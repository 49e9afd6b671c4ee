//! What a matched entry gets from a file, beyond what the undo's tests see.

use serde_json::{Value, json};

use super::plan::counts;
use super::{all, both_whole, path, publish, sql, text, upload};

const PLAIN: &str = "Date,Amount,Name\n2024-02-01,-20.00,Shop\n";
const WITH_ID: &str = "Date,Amount,Name,Transaction ID\n2024-02-01,-20.00,Shop,T77\n";
/// As the bank books it in the end.
const BOOKED: &str = "Date,Amount,Name,Transaction ID\n2024-02-02,-20.00,SHOP 123 CITY,T77\n";

both_whole! {
    /// An id that was filled in later counts as reported by the source, whatever a person changed
    /// before.
    fn an_id_that_is_filled_into_a_changed_entry_is_known(server) {
        for deletes in [false, true] {
            let family = server.family();
            let main = json!({ "account_id": family.account("Main", "depository") });
            publish(&family.api, PLAIN, &main);
            let shop = all(&family.api, "/api/v1/transactions", "transactions")[0].clone();
            let shop = format!("/api/v1/transactions/{}", text(&shop["id"]));
            family.api.patch(&shop, &json!({ "notes": "mine" })).expect_status(200);
            let filled = publish(&family.api, WITH_ID, &main);
            assert_eq!(counts(&filled["plan"]), ["matched_count 1"]);
            let mut expected = "matched_count 1";
            if deletes {
                family.api.delete(&shop).expect_status(200);
                expected = "deleted_before_count 1";
            }
            let plan = upload(&family.api, BOOKED, &main);
            assert_eq!(counts(&plan["plan"]), [expected], "{plan}");
        }
    }

    /// Else it would be published by itself later, in the middle of somebody's work on it.
    fn a_wish_to_publish_ends_with_the_configuration_that_it_was_for(server) {
        let family = server.family();
        let main = json!({ "account_id": family.account("Main", "depository") });
        let import: Value = upload(&family.api, PLAIN, &main);
        let wish = "UPDATE imports SET publish_wanted = TRUE";
        sql::run(&server, wish);
        let change = json!({ "signage_convention": "inflows_negative" });
        family.api.patch(&path(&import, ""), &change).expect_status(200);
        let wanted = "SELECT COUNT(*) FROM imports WHERE publish_wanted";
        assert_eq!(sql::value(&server, wanted), "0");
        let shown = family.api.get(&path(&import, "")).expect_status(200).json();
        assert_eq!(shown["data"]["status"], "pending");
    }
}
