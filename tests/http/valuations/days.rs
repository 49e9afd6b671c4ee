//! Days are written one way only, from 1900 to a year from the family's today.

use jiff::Span;
use jiff::civil::Date;
use serde_json::json;

use crate::both;
use crate::ledger::{today, value};
use crate::support::{Answer, Family};

both! {
    fn a_day_is_written_one_way(server) {
        let family = server.family();
        let house = family.account("House", "property");
        for date in [
            json!("12/01/2026"),
            json!("2026-1-12"),
            json!("2026-01-12T00:00:00Z"),
            json!("2026-02-29"),
            json!("2026-02-30"),
            json!("2026-13-01"),
            json!("2026-00-10"),
            json!("2026-01-00"),
            json!("20260112"),
            json!("2026-W03-1"),
            json!("2026-012"),
            json!(" 2026-01-12"),
            json!("2026-01-12 "),
            json!("yesterday"),
            json!("٢٠٢٦-٠١-١٢"),
            json!("+2026-01-12"),
            json!("-026-01-12"),
            json!("2026/01/12"),
            json!("0"),
            json!(20_260_112),
            json!(1.5),
            json!(true),
            json!([]),
            json!({}),
            json!(["2026-01-12"]),
        ] {
            let refused = send(&family, &house, &date).expect_error(422, "validation_failed");
            let sentence = "The date must be a calendar date such as 2026-01-31";
            assert_eq!(refused["errors"], json!([sentence]), "{date}");
        }
        let leap = send(&family, &house, &json!("2024-02-29")).expect_status(201).json();
        assert_eq!(leap["date"], "2024-02-29");
    }

    fn days_go_from_1900_to_a_year_from_today(server) {
        let family = server.family();
        let house = family.account("House", "property");
        // The day may change while the test runs; then it runs again.
        while !range(&family, &house) {}
    }
}

fn range(family: &Family, house: &str) -> bool {
    let before = today(family);
    let last = before.checked_add(Span::new().years(1)).unwrap();
    let first = Date::constant(1900, 1, 1);
    let accepted = [first, last].map(|day| send(family, house, &json!(day.to_string())).status);
    let outside = [first.yesterday().unwrap(), last.tomorrow().unwrap(), Date::MIN, Date::MAX];
    let refused: Vec<Answer> =
        outside.iter().map(|day| send(family, house, &json!(day.to_string()))).collect();
    if today(family) != before {
        return false;
    }
    assert_eq!(accepted, [201, 201]);
    let range = format!("The date must be from 1900-01-01 to {last}");
    let form = "The date must be a calendar date such as 2026-01-31";
    // A negative year is no calendar date.
    for (answer, sentence) in refused.into_iter().zip([&range[..], &range, form, &range]) {
        let refused = answer.expect_error(422, "validation_failed");
        assert_eq!(refused["errors"], json!([sentence]));
    }
    assert_eq!(value(&family.api, house, "1900-01-01", "1")["date"], "1900-01-01");
    true
}

fn send(family: &Family, account: &str, date: &serde_json::Value) -> Answer {
    let fields = json!({ "account_id": account, "amount": 1, "date": date });
    family.api.post("/api/v1/valuations", &json!({ "valuation": fields }))
}
