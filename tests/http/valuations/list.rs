//! The list of valuations: its order, its filters, its pages.

use serde_json::json;

use crate::both;
use crate::ledger::{texts, unlimited, value};
use crate::support::{Family, Server};

const PATH: &str = "/api/v1/valuations";
const UNKNOWN: &str = "01900000-0000-7000-8000-000000000000";

/// Two accounts; the family, and the ids of both.
fn fixture(server: &Server) -> (Family, String, String) {
    let family = server.family();
    let (house, boat) = (family.account("House", "property"), family.account("Boat", "vehicle"));
    for (account, date, amount) in [
        (&house, "2026-01-10", "1"),
        (&boat, "2026-01-12", "2"),
        (&house, "2026-01-12", "3"),
        (&boat, "2025-12-31", "4"),
        (&house, "2026-01-11", "5"),
    ] {
        value(&family.api, account, date, amount);
    }
    (family, house, boat)
}

both! {
    fn the_list_is_filtered_by_account_and_days(server) {
        let (family, house, boat) = fixture(&server);
        let upper = house.to_uppercase();
        for (query, amounts) in [
            // Newest day first; of one day, what was made last comes first.
            (String::new(), "$3.00 $2.00 $5.00 $1.00 $4.00"),
            (format!("account_id={house}"), "$3.00 $5.00 $1.00"),
            (format!("account_id={upper}"), "$3.00 $5.00 $1.00"),
            (format!("account_id={boat}"), "$2.00 $4.00"),
            (format!("account_id={UNKNOWN}"), ""),
            ("start_date=2026-01-11".into(), "$3.00 $2.00 $5.00"),
            ("end_date=2026-01-11".into(), "$5.00 $1.00 $4.00"),
            ("start_date=2026-01-10&end_date=2026-01-11".into(), "$5.00 $1.00"),
            ("start_date=2026-01-12&end_date=2026-01-12".into(), "$3.00 $2.00"),
            ("start_date=2026-01-12&end_date=2026-01-10".into(), ""),
            (format!("account_id={boat}&start_date=2026-01-01"), "$2.00"),
            (format!("account_id={boat}&end_date=2026-01-01"), "$4.00"),
            (
                "account_id=&start_date=&end_date=&other=x&other=y".into(),
                "$3.00 $2.00 $5.00 $1.00 $4.00",
            ),
        ] {
            let page = family.api.get(&format!("{PATH}?{query}")).expect_status(200).json();
            assert_eq!(texts(&page["valuations"], "amount").join(" "), amounts, "{query}");
            let count = amounts.split_whitespace().count();
            assert_eq!(
                page["pagination"],
                json!({ "page": 1, "per_page": 25, "total_count": count, "total_pages": 1 }),
                "{query}"
            );
        }
    }

    fn pages_never_overlap(server = unlimited()) {
        let (family, house, _) = fixture(&server);
        for day in 1..=28 {
            value(&family.api, &house, &format!("2024-02-{day:02}"), "9");
        }
        for filter in ["", "start_date=2024-02-01", "end_date=2026-01-11"] {
            let whole = family.api.get(&format!("{PATH}?{filter}&per_page=100")).json();
            let whole = texts(&whole["valuations"], "id");
            for per_page in [1, 7, 33, 34] {
                let pages = whole.len().div_ceil(per_page);
                let mut walked = Vec::new();
                for page in 1..=pages + 1 {
                    let query = format!("{PATH}?{filter}&per_page={per_page}&page={page}");
                    let body = family.api.get(&query).expect_status(200).json();
                    assert_eq!(body["pagination"]["total_pages"], pages, "{query}");
                    assert_eq!(body["pagination"]["total_count"], whole.len(), "{query}");
                    let ids = texts(&body["valuations"], "id");
                    assert_eq!(ids.is_empty(), page > pages, "{query}");
                    walked.extend(ids);
                }
                assert_eq!(walked, whole, "{filter} by {per_page}");
            }
        }
        let far = family.api.get(&format!("{PATH}?page=9007199254740991&per_page=500")).json();
        assert_eq!(far["valuations"], json!([]));
        assert_eq!(
            far["pagination"],
            json!({
                "page": 9_007_199_254_740_991_u64, "per_page": 100, "total_count": 33,
                "total_pages": 1,
            })
        );
    }

    fn an_empty_list_has_one_page(server) {
        let page = server.family().api.get(PATH).expect_status(200).json();
        let pagination = json!({ "page": 1, "per_page": 25, "total_count": 0, "total_pages": 1 });
        assert_eq!(page, json!({ "valuations": [], "pagination": pagination }));
    }

    fn filters_that_make_no_sense_are_refused(server) {
        let family = server.family();
        for (query, problems) in [
            ("account_id=5", 1),
            ("account_id=0190000000007000800000000000000a", 1),
            ("start_date=monday", 1),
            ("end_date=2026-02-29", 1),
            ("start_date=12/01/2026&end_date=2026-1-1&account_id=x", 3),
            ("start_date=2026-01-01&start_date=2026-01-01", 1),
            ("account_id[]=01900000-0000-7000-8000-000000000000", 1),
            ("page=0", 1),
            ("page=two&per_page=-1", 2),
            ("per_page=1.5", 1),
            ("page[]=1", 1),
        ] {
            let refused = family.api.get(&format!("{PATH}?{query}"));
            let refused = refused.expect_error(422, "validation_failed");
            assert_eq!(
                refused["errors"].as_array().map(Vec::len),
                Some(problems),
                "{query}: {refused}"
            );
        }
    }
}
