//! Which cost a position has.

use super::*;

#[test]
fn a_stated_cost_is_of_all_units_or_of_one() {
    // Quantity, price, stated cost, and the cost of all in hundredths of hundredths.
    let cases: [(&str, &str, &str, Option<i64>); 11] = [
        ("10", "100", "900", Some(9_000_000)),
        ("10", "100", "90", Some(9_000_000)),
        ("-10", "100", "-900", Some(9_000_000)),
        ("1", "100", "3", Some(30_000)),
        ("2", "100", "200", Some(2_000_000)),
        ("2", "100", "130", None),
        ("1000", "100", "100", Some(1_000_000_000)),
        ("100", "100", "1000", None),
        ("10", "", "900", None),
        ("10", "100", "0", None),
        ("0.5", "40000", "15000", Some(150_000_000)),
    ];
    for (quantity, price, stated, expected) in cases {
        let answer = whole_answer([row(ticker("A"), quantity, price, stated)]);
        let plan = plan(&nothing(), &answer, TODAY);
        assert_eq!(plan.changes[0].cost, expected, "{quantity} × {price}, {stated}");
        let is_unclear = plan.warnings == [Warning::CostUnclear];
        assert_eq!(is_unclear, expected.is_none() && stated != "0", "{stated}");
    }
    let mut foreign = row(ticker("A"), "10", "100", "900");
    foreign.currency = Some(Currency::EUR);
    let plan = plan(&nothing(), &whole_answer([foreign]), TODAY);
    assert_eq!((plan.changes[0].cost, plan.warnings), (None, vec![Warning::CostCurrencyDiffers]));
    assert_eq!(plan.changes[0].price, Some((dec("100"), Currency::EUR)));
}

#[test]
fn what_was_paid_for_one_unit_decides() {
    let mut one = row(ticker("A"), "2", "100", "130");
    one.purchase_price = Some(dec("65"));
    let cost = |row: &ReportedHolding| {
        plan(&nothing(), &whole_answer([row.clone()]), TODAY).changes[0].cost
    };
    assert_eq!(cost(&one), Some(1_300_000));
    one.purchase_price = Some(dec("130"));
    assert_eq!(cost(&one), Some(2_600_000));
    one.stated_cost = None;
    assert_eq!(cost(&one), Some(2_600_000), "the price of one");
}

#[test]
fn a_reading_that_was_decided_stays_while_the_price_moves() {
    let first = whole_answer([row(ticker("A"), "3", "100", "300")]);
    let plan_before = plan(&nothing(), &first, TODAY);
    let known = applied(nothing(), &plan_before);
    let risen = whole_answer([row(ticker("A"), "3", "290", "300")]);
    let again = plan(&known, &risen, TODAY);
    assert!(again.changes.is_empty() && again.warnings.is_empty(), "{again:?}");
    assert_eq!(again.prices.len(), 1);
}

#[test]
fn a_reading_that_was_decided_stays_for_all_lots_together() {
    let lots = |price: &str| {
        whole_answer([row(ticker("A"), "3", price, "300"), row(ticker("A"), "1", price, "90")])
    };
    let known = applied(nothing(), &plan(&nothing(), &lots("100"), TODAY));
    let again = plan(&known, &lots("290"), TODAY);
    assert!(again.changes.is_empty() && again.warnings.is_empty(), "{again:?}");
}

#[test]
fn the_cost_of_another_number_of_units_decides_nothing() {
    // 90.00 was the cost of all; now it is that of one, as the price shows.
    let before = plan(&nothing(), &whole_answer([row(ticker("A"), "1.4", "70", "90")]), TODAY);
    assert_eq!(before.changes[0].cost, Some(900_000));
    let known = applied(nothing(), &before);
    let answer = whole_answer([row(ticker("A"), "0.1", "100", "90")]);
    let later = plan(&known, &answer, TODAY);
    assert_eq!(later.changes[0].cost, Some(90_000));
    assert!(plan(&applied(known, &later), &answer, TODAY).is_empty());
}
