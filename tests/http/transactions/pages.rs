//! The order is total, so pages never overlap and never miss an entry, even if all are of one day.

use std::collections::BTreeSet;

use serde_json::json;

use crate::both;
use crate::ledger::{text, texts, unlimited};
use crate::support::Family;

const PATH: &str = "/api/v1/transactions";
const ENTRIES: usize = 500;

both! {
    fn pages_of_one_day_never_overlap(server = unlimited()) {
        let family = server.family();
        let (one, two) = (family.account("One", "depository"), family.account("Two", "loan"));
        // Two files for one account and one for the other, so entries differ in time and place.
        fill(&family, &one, 0..200);
        fill(&family, &two, 200..400);
        fill(&family, &one, 400..ENTRIES);
        for (filter, count) in [
            (String::new(), ENTRIES),
            (format!("account_id={one}"), 300),
            (format!("account_id={two}"), 200),
            ("start_date=2026-01-05&end_date=2026-01-05".to_owned(), ENTRIES),
            ("type=expense".to_owned(), ENTRIES / 2),
            ("search=entry".to_owned(), ENTRIES),
            (format!("account_ids[]={one}&type=income&search=ENTRY"), 150),
        ] {
            let whole = walk(&family, &filter, 100);
            assert_eq!(whole.len(), count, "{filter}");
            assert_eq!(whole.iter().collect::<BTreeSet<_>>().len(), count, "{filter}");
            for per_page in [37, 75] {
                assert_eq!(walk(&family, &filter, per_page), whole, "{filter} by {per_page}");
            }
        }
    }

    fn the_newest_day_comes_first_and_of_a_day_what_came_last(server) {
        let family = server.family();
        let account = family.account("One", "depository");
        family.import(
            &account,
            "Date,Description,Amount\n2026-01-05,a,1\n2026-01-06,b,1\n2026-01-05,c,1\n",
        );
        family.import(&account, "Date,Description,Amount\n2026-01-05,d,1\n2026-01-04,e,1\n");
        let page = family.api.get(PATH).json();
        assert_eq!(texts(&page["transactions"], "name"), ["b", "d", "c", "a", "e"]);
    }

    fn the_ends_of_the_list_are_marked(server) {
        let family = server.family();
        let empty = family.api.get(PATH).json();
        let pagination = json!({ "page": 1, "per_page": 25, "total_count": 0, "total_pages": 1 });
        assert_eq!(empty, json!({ "transactions": [], "pagination": pagination }));
        let account = family.account("One", "depository");
        fill(&family, &account, 0..30);
        for (query, length, pagination) in [
            ("", 25, (1, 25, 2)),
            ("page=2", 5, (2, 25, 2)),
            ("page=3", 0, (3, 25, 2)),
            ("per_page=500", 30, (1, 100, 1)),
            ("per_page=30", 30, (1, 30, 1)),
            ("page=9007199254740991&per_page=100", 0, (9_007_199_254_740_991_u64, 100, 1)),
            ("page=9007199254740991&type=income", 0, (9_007_199_254_740_991, 25, 1)),
        ] {
            let body = family.api.get(&format!("{PATH}?{query}")).expect_status(200).json();
            assert_eq!(body["transactions"].as_array().map(Vec::len), Some(length), "{query}");
            let (page, per_page, total_pages) = pagination;
            let count = if query.contains("income") { 15 } else { 30 };
            assert_eq!(
                body["pagination"],
                json!({
                    "page": page, "per_page": per_page, "total_count": count,
                    "total_pages": total_pages,
                }),
                "{query}"
            );
        }
    }
}

/// Entries of one day, every other one money out.
fn fill(family: &Family, account: &str, numbers: std::ops::Range<usize>) {
    let mut csv = "Date,Description,Amount\n".to_owned();
    for number in numbers {
        let amount = if number % 2 == 0 { "-1.5" } else { "1.5" };
        csv.push_str(&format!("2026-01-05,Entry {number},{amount}\n"));
    }
    family.import(account, &csv);
}

/// The ids of all pages; every page has the same total.
fn walk(family: &Family, filter: &str, per_page: usize) -> Vec<String> {
    let mut ids = Vec::new();
    for page in 1.. {
        let query = format!("{PATH}?{filter}&per_page={per_page}&page={page}");
        let body = family.api.get(&query).expect_status(200).json();
        let found = body["transactions"].as_array().unwrap();
        ids.extend(found.iter().map(|one| text(one, "id")));
        let (pages, total) =
            (&body["pagination"]["total_pages"], &body["pagination"]["total_count"]);
        if found.len() < per_page || *pages == page {
            assert_eq!(*total, ids.len(), "{query}");
            assert_eq!(*pages, page, "{query}");
            return ids;
        }
    }
    ids
}
