//! Every filter alone and every pair of filters, against a direct reading of the same rows.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde_json::{Value, json};

use crate::both;
use crate::ledger::{text, texts, unlimited};
use crate::support::{Family, Server, Sql};

const PATH: &str = "/api/v1/transactions";
const UNKNOWN: &str = "01900000-0000-7000-8000-000000000000";
const MERCHANT: &str = "01900000-0000-7000-8000-0000000000aa";

/// A row: account, day, name, money in, category, tags, notes. Names are unique.
type Row = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
);

const ROWS: &[Row] = &[
    ("Checking", "2026-01-01", "Salary", "2500.00", "Income", "", "January"),
    ("Checking", "2026-01-02", "Bakery", "-3.50", "Food:Bakery", "daily", ""),
    ("Checking", "2026-01-02", "Market", "-80.25", "Food", "daily,family", "weekly SHOP"),
    ("Checking", "2026-01-03", "Nothing", "0", "", "", "zero"),
    ("Checking", "2026-02-10", "Refund", "10.00", "Food", "", "of the shop"),
    ("Card", "2026-01-03", "Cinema", "-12.0001", "Leisure", "family", ""),
    ("Card", "2026-01-31", "Books", "-10.00", "Leisure", "", ""),
    ("Card", "2026-02-10", "Hotel", "-999.99", "", "travel", "shopping trip"),
    ("Card", "2026-02-11", "Payment", "500", "", "", ""),
    ("Wallet", "2026-01-03", "Coins", "-10.00000001", "", "travel", ""),
    ("Wallet", "2026-02-01", "Mining", "0.00000001", "Income", "", ""),
];

/// A parameter, its value, and the rows that it lets through.
struct Filter {
    group: &'static str,
    query: String,
    lets: Box<dyn Fn(&Row) -> bool>,
}

fn filter(group: &'static str, query: String, lets: impl Fn(&Row) -> bool + 'static) -> Filter {
    Filter { group, query, lets: Box::new(lets) }
}

/// Money out, as amounts are stored.
fn out(row: &Row) -> Decimal {
    -row.3.parse::<Decimal>().unwrap()
}

both! {
    fn filters_alone_and_together(server = unlimited()) {
        let (family, ids) = fixture(&server);
        let filters = filters(&ids);
        for (at, one) in filters.iter().enumerate() {
            expect(&family, &one.query, |row| (one.lets)(row));
            for two in filters.iter().skip(at + 1).filter(|two| two.group != one.group) {
                let query = format!("{}&{}", one.query, two.query);
                expect(&family, &query, |row| (one.lets)(row) && (two.lets)(row));
            }
        }
        let blank = "search=&account_id=&type=&min_amount=&start_date=&uncategorized=&tag_ids[]=";
        expect(&family, blank, |_| true);
        let everything = format!(
            "account_id={}&category_id={}&tag_ids[]={}&start_date=2026-01-01&end_date=2026-01-31\
             &min_amount=1&max_amount=100&type=expense&search=shop&uncategorized=false",
            ids["Checking"], ids["Food"], ids["daily"]
        );
        expect(&family, &everything, |row| row.2 == "Market");
        let merchant = format!("merchant_id={MERCHANT}");
        expect(&family, &merchant, |row| matches!(row.2, "Bakery" | "Hotel"));
        expect(&family, &format!("{merchant}&type=expense&max_amount=5"), |row| row.2 == "Bakery");
    }

    fn what_filters_cannot_mean_is_refused(server) {
        let family = server.family();
        for (query, problems) in [
            ("account_id=5", 1),
            ("account_ids[]=5", 1),
            ("category_id=x", 1),
            ("category_ids[]=x", 1),
            ("merchant_id=x", 1),
            ("merchant_ids[]=x", 1),
            ("tag_ids[]=x", 1),
            ("tag_id=x", 1),
            ("start_date=monday", 1),
            ("end_date=2026-02-30", 1),
            ("start_date=01/02/2026", 1),
            ("min_amount=abc", 1),
            ("max_amount=1e3", 1),
            ("min_amount=1,5", 1),
            ("max_amount=NaN", 1),
            ("min_amount=--1", 1),
            ("max_amount=-", 1),
            ("type=transfer", 1),
            ("type=Income", 1),
            ("uncategorized=maybe", 1),
            ("search=%00", 1),
            ("search[]=a", 1),
            ("type=income&type=income", 1),
            ("page=0", 1),
            ("per_page=x", 1),
            ("page=1&page=2", 1),
            (
                "account_id=1&category_id=2&merchant_id=3&tag_ids[]=4&start_date=5&end_date=6\
              &min_amount=x&max_amount=y&type=z&uncategorized=7&search=%00",
                11,
            ),
        ] {
            let refused = family.api.get(&format!("{PATH}?{query}"));
            let refused = refused.expect_error(422, "validation_failed");
            let errors = refused["errors"].as_array().map(Vec::len);
            assert_eq!(errors, Some(problems), "{query}: {refused}");
        }
        let tag = format!("tag_ids[]={UNKNOWN}&");
        family.api.get(&format!("{PATH}?{}", tag.repeat(64))).expect_status(200);
        family
            .api
            .get(&format!("{PATH}?{}", tag.repeat(65)))
            .expect_error(422, "validation_failed");
        for length in [200, 201] {
            let status = if length == 200 { 200 } else { 422 };
            let letters = "a".repeat(length);
            family.api.get(&format!("{PATH}?search={letters}")).expect_status(status);
        }
    }
}

/// Three accounts with the rows; the ids of accounts, categories and tags by name.
fn fixture(server: &Server) -> (Family, BTreeMap<String, String>) {
    let family = server.family();
    let mut ids = BTreeMap::new();
    for (name, account_type, currency) in [
        ("Checking", "depository", "USD"),
        ("Card", "credit_card", "USD"),
        ("Wallet", "crypto", "BTC"),
    ] {
        let fields = json!({ "name": name, "account_type": account_type, "currency": currency });
        let id = family.account_with(fields);
        let mut csv = "Date,Description,Amount,Category,Tags,Notes\n".to_owned();
        for (account, date, title, amount, category, tags, notes) in ROWS {
            if *account == name {
                csv.push_str(&format!("{date},{title},{amount},{category},\"{tags}\",{notes}\n"));
            }
        }
        family.import(&id, &csv);
        ids.insert(name.to_owned(), id);
    }
    // No route makes merchants yet.
    let sql = Sql::open(server);
    let (merchant, account) = (sql.uuid(MERCHANT), sql.uuid(&ids["Card"]));
    sql.run(&format!(
        "INSERT INTO merchants (family_id, id, name, name_key, created_at, updated_at)
            SELECT family_id, {merchant}, 'Corner', 'corner', 0, 0 FROM accounts
                WHERE id = {account};
         UPDATE entries SET merchant_id = {merchant} WHERE name IN ('Bakery', 'Hotel');"
    ));
    let page = family.api.get(PATH).expect_status(200).json();
    for transaction in page["transactions"].as_array().unwrap() {
        let tags = transaction["tags"].as_array().unwrap().iter();
        for named in tags.chain([&transaction["category"]]).filter(|one| one.is_object()) {
            ids.insert(text(named, "name"), text(named, "id"));
        }
    }
    (family, ids)
}

fn filters(ids: &BTreeMap<String, String>) -> Vec<Filter> {
    let id = |name: &str| ids[name].as_str();
    let in_account = |name: &'static str| move |row: &Row| row.0 == name;
    let tagged = |row: &Row, tag: &str| row.5.split(',').any(|one| one == tag);
    let least = |amount: &str| {
        let bound: Decimal = amount.parse().unwrap();
        filter("min", format!("min_amount={amount}"), move |row| out(row) >= bound)
    };
    let most = |amount: &str| {
        let bound: Decimal = amount.parse().unwrap();
        filter("max", format!("max_amount={amount}"), move |row| out(row) <= bound)
    };
    let found =
        |row: &Row, text: &str| format!("{}\n{}", row.2, row.6).to_lowercase().contains(text);
    vec![
        filter("account", format!("account_id={}", id("Card")), in_account("Card")),
        filter(
            "account",
            format!("account_ids[]={}&account_ids%5B%5D={}", id("Card"), id("Wallet")),
            |row| row.0 != "Checking",
        ),
        filter(
            "account",
            format!("account_id={}&account_ids[]={}", id("Card"), id("Checking")),
            |row| row.0 != "Wallet",
        ),
        filter("account", format!("account_id={UNKNOWN}"), |_| false),
        // A category is itself only, not what is below it.
        filter("category", format!("category_id={}", id("Food")), |row| row.4 == "Food"),
        filter(
            "category",
            format!("category_ids[]={}&category_ids[]={}", id("Bakery"), id("Income")),
            |row| matches!(row.4, "Food:Bakery" | "Income"),
        ),
        filter("category", format!("category_id={UNKNOWN}"), |_| false),
        filter("merchant", format!("merchant_ids[]={MERCHANT}&merchant_ids[]={UNKNOWN}"), |row| {
            matches!(row.2, "Bakery" | "Hotel")
        }),
        filter("tag", format!("tag_ids[]={}", id("daily")), move |row| tagged(row, "daily")),
        filter(
            "tag",
            format!("tag_ids[]={}&tag_ids[]={}", id("family"), id("travel")),
            move |row| tagged(row, "family") || tagged(row, "travel"),
        ),
        filter("uncategorized", "uncategorized=true".into(), |row| row.4.is_empty()),
        filter("uncategorized", "uncategorized=false".into(), |row| !row.4.is_empty()),
        filter("start", "start_date=2026-01-03".into(), |row| row.1 >= "2026-01-03"),
        filter("end", "end_date=2026-01-31".into(), |row| row.1 <= "2026-01-31"),
        filter("end", "end_date=1999-12-31".into(), |_| false),
        least("10"),
        least("10.00000001"),
        least("-10"),
        least("0"),
        least("12.0002"),
        most("10"),
        most("12.0001"),
        most("-0.00000001"),
        most("99999999999999999999"),
        most("12.00005"),
        filter("type", "type=income".into(), |row| out(row) < Decimal::ZERO),
        filter("type", "type=expense".into(), |row| out(row) >= Decimal::ZERO),
        filter("search", "search=shop".into(), move |row| found(row, "shop")),
        filter("search", "search=+SHOP+".into(), move |row| found(row, "shop")),
        filter("search", "search=nobody".into(), |_| false),
        filter("unknown", "other=x&other=y".into(), |_| true),
    ]
}

/// All pages of the query have the rows, in the order of their days, and count them.
fn expect(family: &Family, query: &str, lets: impl Fn(&Row) -> bool) {
    let page = family.api.get(&format!("{PATH}?{query}&per_page=100")).expect_status(200).json();
    let rows: Vec<&Row> = ROWS.iter().filter(|row| lets(row)).collect();
    let mut expected: Vec<&str> = rows.iter().map(|row| row.2).collect();
    let mut names = texts(&page["transactions"], "name");
    let dates = texts(&page["transactions"], "date");
    assert!(dates.is_sorted_by(|one, next| one >= next), "{query}: {dates:?}");
    names.sort_unstable();
    expected.sort_unstable();
    assert_eq!(names, expected, "{query}");
    let total: Value = json!(rows.len());
    assert_eq!(page["pagination"]["total_count"], total, "{query}");
    let small =
        family.api.get(&format!("{PATH}?{query}&per_page=2&page=2")).expect_status(200).json();
    assert_eq!(small["pagination"]["total_count"], total, "{query}");
    let second = page["transactions"].as_array().unwrap().iter().skip(2).take(2);
    assert_eq!(small["transactions"], Value::from_iter(second.cloned()), "{query}");
}
