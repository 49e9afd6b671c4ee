//! "Today" is the family's: an entry counts from its day where the family lives.

use jiff::Span;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::json;

use crate::both;
use crate::ledger::{balance, text, value};
use crate::support::{Family, Scope, Server};

/// The two ends of the day: 26 hours apart, so it is never the same day at both.
const EARLY: &str = "Pacific/Kiritimati";
const LATE: &str = "Etc/GMT+12";

both! {
    fn an_entry_counts_from_the_familys_own_day(server) {
        let early = family_in(&server, EARLY);
        let late = family_in(&server, LATE);
        let day = now(&early).to_zoned(TimeZone::get(EARLY).unwrap()).date();
        for (family, is_there) in [(&early, true), (&late, false)] {
            let account = family.account_with(json!({ "name": "A", "account_type": "depository",
                "opening_balance": "100" }));
            family.import(&account, &format!("Date,Description,Amount\n{day},a,7\n"));
            assert_eq!(balance(&family.api, &account), if is_there { "107.00" } else { "100.00" });
            let made = value(&family.api, &account, &day.to_string(), "5");
            assert_eq!(text(&made, "date"), day.to_string());
            assert_eq!(balance(&family.api, &account), if is_there { "5.00" } else { "100.00" });
        }
        // A year from today is a later day where today is.
        let last = day.saturating_add(Span::new().years(1)).to_string();
        for (family, status) in [(&early, 201), (&late, 422)] {
            let account = family.account("B", "vehicle");
            let fields = json!({ "account_id": account, "amount": 1, "date": last });
            family
                .api
                .post("/api/v1/valuations", &json!({ "valuation": fields }))
                .expect_status(status);
        }
    }
}

fn now(family: &Family) -> Timestamp {
    let answer = family.api.get("/api/v1/usage").expect_status(200);
    jiff::fmt::rfc2822::parse(answer.header("Date").unwrap()).unwrap().timestamp()
}

fn family_in(server: &Server, zone: &str) -> Family {
    let email = format!("{}@example.com", zone.replace(['/', '+'], ".").to_lowercase());
    server.run_json(
        &[
            "user",
            "add",
            "--email",
            &email,
            "--family",
            zone,
            "--currency",
            "USD",
            "--time-zone",
            zone,
            "--password-stdin",
        ],
        "correct horse battery staple\n",
    );
    let api = server.client().with_key(&server.key(&email, Scope::ReadWrite));
    Family { email, api }
}
