//! What follows from rates: amounts in other currencies are converted again when a better rate
//! comes, and balances with them.

use serde_json::json;

use super::{IMPORT, PATH, stated};
use crate::both;
use crate::support::Family;

/// The balance of the family's only account.
#[track_caller]
fn balance(family: &Family) -> String {
    let body = family.api.get("/api/v1/accounts").expect_status(200).json();
    body["accounts"][0]["balance_decimal"].as_str().unwrap().to_owned()
}

/// Money out of an account.
#[track_caller]
pub(super) fn spend(family: &Family, account: &str, date: &str, amount: i64, currency: &str) {
    let transaction = json!({ "account_id": account, "date": date, "amount": amount,
        "currency": currency, "name": "Spent" });
    let body = json!({ "transaction": transaction });
    family.api.post("/api/v1/transactions", &body).expect_status(201);
}

both! {
    fn a_rate_that_arrives_converts_what_waits_for_it(server) {
        let family = server.family();
        let account = family.account("Everyday", "depository");
        for (date, amount, currency) in
            [("2026-01-05", 100, "EUR"), ("2026-01-09", 10, "EUR"), ("2026-01-09", 1, "USD")]
        {
            spend(&family, &account, date, amount, currency);
        }
        assert_eq!(balance(&family), "-1.00", "never one to one");
        // Only a later one: it counts for both.
        let later = family.api.post(PATH, &stated("EUR", "USD", "2026-01-20", "2")).id();
        assert_eq!(balance(&family), "-221.00");
        // An earlier one is better for both, the day's own for one of them.
        family.api.post(PATH, &stated("USD", "EUR", "2026-01-02", "0.8")).expect_status(201);
        assert_eq!(balance(&family), "-138.50");
        let table = "date,base,quote,rate\n2026-01-09,EUR,GBP,0.5\n2026-01-09,GBP,USD,3\n";
        family.api.post(IMPORT, &json!({ "raw_file_content": table })).expect_status(201);
        assert_eq!(balance(&family), "-141.00");
        let own = family.api.post(PATH, &stated("EUR", "USD", "2026-01-05", "1.1")).id();
        assert_eq!(balance(&family), "-126.00");
        let again = family.api.post(PATH, &stated("EUR", "USD", "2026-01-05", "1.2"));
        again.expect_status(200);
        assert_eq!(balance(&family), "-136.00");
        crate::accounts::consistent(&server);
        family.api.delete(&format!("{PATH}/{own}")).expect_status(200);
        family.api.delete(&format!("{PATH}/{later}")).expect_status(200);
        assert_eq!(balance(&family), "-141.00");
        crate::accounts::consistent(&server);
    }
}
