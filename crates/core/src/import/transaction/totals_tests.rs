use jiff::civil::date;

use super::*;
use crate::import::cells::CellsBuf;
use crate::import::register::Parts;

fn totals(rows: &[(&str, Currency, i8, i64)]) -> Vec<AccountTotals> {
    let tags = CellsBuf::default();
    let mut totals = Totals::default();
    for (account, currency, day, amount) in rows {
        totals.row(&Row {
            date: date(2024, 3, *day),
            amount: *amount,
            currency: *currency,
            name: "x",
            category: None,
            tags: tags.as_cells(),
            notes: None,
            account: Some(account),
            external_id: None,
            transfer: None,
            parts: Parts::default(),
        });
    }
    totals.finish()
}

#[test]
fn each_account_and_currency_is_counted_apart() {
    let found = totals(&[
        ("A", Currency::EUR, 5, 20_000),
        ("A", Currency::EUR, 3, -70_000),
        ("A", Currency::USD, 4, 10_000),
        ("B", Currency::EUR, 9, 0),
        ("A", Currency::EUR, 7, 30_000),
    ]);
    assert_eq!(
        found[0].shown(),
        json!({
            "account": "A", "currency": "EUR", "rows_count": 3, "first_day": "2024-03-03",
            "last_day": "2024-03-07", "money_in": "7.00", "money_out": "5.00",
        })
    );
    let rows: Vec<(&str, u64)> = found.iter().map(|its| (its.account.as_str(), its.rows)).collect();
    assert_eq!(rows, [("A", 3), ("A", 1), ("B", 1)]);
}

#[test]
fn nothing_is_shown_of_sums_that_no_account_can_hold() {
    assert_eq!(totals(&[("A", Currency::EUR, 1, i64::MAX), ("A", Currency::EUR, 1, 1)]), []);
    assert_eq!(totals(&[("A", Currency::EUR, 1, i64::MIN)]), []);
    let names: Vec<String> = (0..=BALANCE_ENDS_MAX).map(|n| n.to_string()).collect();
    let rows: Vec<(&str, Currency, i8, i64)> =
        names.iter().map(|name| (name.as_str(), Currency::EUR, 1, 1)).collect();
    assert_eq!(totals(&rows[1..]).len(), BALANCE_ENDS_MAX);
    assert_eq!(totals(&rows), []);
}
