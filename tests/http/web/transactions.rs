//! The pages of transactions: filters, changes, deletion.

use crate::both;
use crate::support::{Answer, Family, Sql};

const CSV: &str = "Date,Description,Amount,Category,Tags\n\
    2024-01-02,Corner shop,-5.25,Food:Bars,\n\
    2024-01-03,Salary,1000.00,Work,\n\
    2024-02-03,Train,-12.00,,holiday\n";

fn filled(family: &Family) -> String {
    let account = family.account("Checking", "depository");
    family.import(&account, CSV);
    account
}

/// The fields of the form that a page shows, as a browser would send them.
fn form(page: &Answer) -> Vec<(String, String)> {
    let names = ["version", "back", "name", "date", "amount"];
    names.map(|name| (name.to_owned(), page.field(name).expect(name))).to_vec()
}

fn with<'a>(form: &'a [(String, String)], more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let kept = form.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    more.iter().copied().chain(kept).collect()
}

both! {
    fn filters_are_applied_together(server) {
        let family = server.family();
        let account = filled(&family);
        let visitor = server.signed_in(&family);
        let page = visitor.get("/transactions").expect_page(200, "3 transactions");
        let food = page.text();
        let (before, _) = food.split_once(">Food</option>").unwrap();
        let food = before.rsplit_once("value=\"").unwrap().1.trim_end_matches('"').to_owned();
        for (query, shown) in [
            ("q=CORNER", vec!["Corner shop"]),
            ("direction=in", vec!["Salary"]),
            ("from=2024-01-03&to=2024-01-31", vec!["Salary"]),
            ("category=none", vec!["Train"]),
            (&format!("category={food}"), vec!["Corner shop"]),
            (&format!("account={account}&direction=out"), vec!["Corner shop", "Train"]),
            ("q=%25", vec![]),
        ] {
            let text = visitor.get(&format!("/transactions?{query}")).expect_status(200).text();
            for name in ["Corner shop", "Salary", "Train"] {
                assert_eq!(text.contains(&format!(">{name}<")), shown.contains(&name), "{query}");
            }
        }
        visitor.get("/transactions?q=%25").expect_page(200, "Nothing matches");
        visitor.get("/transactions?from=soon").expect_page(200, "The from must be a calendar date");
    }

    fn pages_keep_the_filter(server) {
        let family = server.family();
        let account = family.account("Checking", "depository");
        let rows: String = (1..=120).map(|n| format!("2024-01-02,Shop {n},-{n}.00\n")).collect();
        family.import(&account, &format!("Date,Description,Amount\n{rows}"));
        let visitor = server.signed_in(&family);
        let first = visitor.get("/transactions?q=shop").expect_page(200, "1–50 of 120");
        let second = visitor.get(&first.link("/transactions?q=shop&#38;page="));
        let third = visitor.get("/transactions?q=shop&page=3").expect_page(200, "101–120 of 120");
        assert!(second.expect_page(200, "51–100 of 120").text().contains("rel=\"prev\""));
        assert!(!third.text().contains("rel=\"next\""));
        for page in ["4", "9999", "1000000000"] {
            let last = visitor.get(&format!("/transactions?q=shop&page={page}"));
            let last = last.expect_page(200, "101–120 of 120");
            assert!(last.text().contains("rel=\"prev\"") && !last.text().contains("rel=\"next\""));
        }
        visitor.get("/transactions?page=99999999999999999999").expect_page(200, "1–50 of 120");
        visitor.get("/transactions?q=nothing&page=7").expect_page(200, "Nothing matches");
    }

    fn a_transaction_is_changed_and_keeps_its_origin(server) {
        let family = server.family();
        let account = filled(&family);
        let visitor = server.signed_in(&family);
        let list = visitor.get("/transactions?q=train").expect_status(200);
        let link = list.link("/transactions/");
        let page = visitor.get(&link).expect_page(200, "12.00");
        let (path, form) = (link.split('?').next().unwrap().to_owned(), form(&page));
        assert_eq!(form[1].1, "/transactions?q=train");
        let changes = [("name", ""), ("direction", "expense")];
        visitor.post(&path, &with(&form, &changes)).expect_page(422, "The name must have 1 to");
        let changes = [("name", "Night train"), ("direction", "expense"), ("notes", "a\r\nb")];
        let saved = visitor.post(&path, &with(&form, &changes));
        saved.expect_redirect("/transactions?q=train&done=transaction-saved");
        let id = path.rsplit('/').next().unwrap();
        let now = family.api.get(&format!("/api/v1/transactions/{id}")).expect_status(200).json();
        assert_eq!(now["name"], "Night train");
        assert_eq!(now["notes"], "a\nb");
        assert_eq!(now["signed_amount_decimal"], "-12.00");
        assert_eq!(now["tags"], serde_json::json!([]), "unticked");
        // The page was open all the time: what it shows is of yesterday.
        let changes = [("name", "Other"), ("direction", "income")];
        let stale = visitor.post(&path, &with(&form, &changes));
        let stale = stale.expect_page(422, "Somebody changed this transaction");
        assert_eq!(stale.field("name").as_deref(), Some("Other"), "what was typed stays");
        let now = "The name is \u{201c}Night train\u{201d} now";
        assert!(stale.text().contains(now), "{}", stale.text());
        // The file brings it no second time.
        family.import(&account, CSV);
        visitor.get("/transactions").expect_page(200, "3 transactions");
    }

    fn a_pending_transaction_has_a_badge(server) {
        let family = server.family();
        let account = filled(&family);
        let sql = Sql::open(&server);
        sql.run(&format!("UPDATE entries SET pending = {}", sql.flag(true)));
        let visitor = server.signed_in(&family);
        let badge = "<span class=\"tag\">Pending</span>";
        let list = visitor.get("/transactions").expect_page(200, badge);
        for page in [list.link("/transactions/"), format!("/accounts/{account}")] {
            visitor.get(&page).expect_page(200, badge);
        }
    }

    fn a_deleted_transaction_stays_deleted(server) {
        let family = server.family();
        let account = filled(&family);
        let visitor = server.signed_in(&family);
        let link = visitor.get("/transactions?q=train").expect_status(200).link("/transactions/");
        visitor.get(&link).expect_status(200);
        let path = format!("{}/delete", link.split('?').next().unwrap());
        let gone = visitor.post(&path, &[("back", "//evil.example")]);
        gone.expect_redirect("/transactions?done=transaction-deleted");
        visitor.post(&path, &[]).expect_page(404, "Transaction not found");
        family.import(&account, CSV);
        visitor.get("/transactions").expect_page(200, "2 transactions");
    }
}
