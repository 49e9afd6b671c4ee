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

/// A position of a ledger that is certain of the cost, and what the next answer makes of it.
fn after(before: (&str, &str, &str), now: (&str, &str, &str)) -> (Option<i64>, Vec<Warning>) {
    let answer = |(quantity, price, cost)| whole_answer([row(ticker("A"), quantity, price, cost)]);
    let known = applied(nothing(), &plan(&nothing(), &answer(before), TODAY));
    assert!(known.positions.values().all(|one| one.cost.is_some()), "{before:?}");
    let later = plan(&known, &answer(now), TODAY);
    assert!(plan(&applied(known, &later), &answer(now), TODAY).is_empty(), "{now:?}");
    (later.changes[0].cost, later.warnings)
}

#[test]
fn a_cost_stays_when_units_are_given_for_nothing() {
    let known = |cost| (Some(cost), vec![]);
    // The price has risen from 100 to 290, to which 300 is nearer than 95.24.
    assert_eq!(after(("3", "100", "300"), ("3.15", "290", "300")), known(3_000_000));
    assert_eq!(after(("3", "100", "300"), ("3.15", "", "300")), known(3_000_000), "no price");
    assert_eq!(after(("-3", "100", "-300"), ("-3.15", "290", "-300")), known(3_000_000));
    // Stated for one unit: 1.5 of 100 became 3 of 50. The price is nearer to 16.67.
    assert_eq!(after(("1.5", "100", "100"), ("3", "20", "50")), known(1_500_000));
    // The cost of one unit was also that of all. Now there is a second one of the same cost.
    assert_eq!(after(("1", "100", "100"), ("2", "130", "100")), known(2_000_000));
    assert_eq!(after(("1", "30", "33.33333"), ("1.3", "33", "33.33333")), known(433_333));
    // 90 of 100 units are sold: what one cost is the same, and not what all cost.
    assert_eq!(after(("100", "100", "10000"), ("10", "250", "1000")), known(10_000_000));
}

#[test]
fn lots_of_one_position_are_read_in_one_way() {
    // Both costs are those of all units. By the price alone 100 is that of one.
    let lots = |price: &str| {
        whole_answer([row(ticker("A"), "10", price, "900"), row(ticker("A"), "2", price, "100")])
    };
    let first = plan(&nothing(), &lots("110"), TODAY);
    assert_eq!((first.changes[0].cost, &first.warnings[..]), (None, &[Warning::CostUnclear][..]));
    let known = applied(nothing(), &first);
    assert!(plan(&known, &lots("110"), TODAY).is_empty());
    let fallen = plan(&known, &lots("60"), TODAY);
    assert_eq!((fallen.changes[0].cost, fallen.warnings.len()), (Some(10_000_000), 0));
    let risen = plan(&applied(known, &fallen), &lots("110"), TODAY);
    assert!(risen.changes.is_empty() && risen.warnings.is_empty(), "{risen:?}");
}

proptest! {
    /// While nothing moves but the price, a cost that is known never becomes another one.
    #[test]
    fn a_price_never_changes_a_cost(
        lots in prop::collection::vec((1..120_i64, 1..1_200_i64), 1..4),
        prices in prop::collection::vec(5..300_i64, 2..8),
    ) {
        let mut known = nothing();
        for price in prices {
            let rows = lots.iter().map(|(units, cost)| {
                let quantity = Decimal::new(*units, 1).to_string();
                row(ticker("A"), &quantity, &price.to_string(), &cost.to_string())
            });
            let before = known.positions.values().next().and_then(|one| one.cost.clone());
            known = applied(known.clone(), &plan(&known, &whole_answer(rows), TODAY));
            let after = known.positions.values().next().and_then(|one| one.cost.clone());
            prop_assert!(before.is_none() || before == after, "{:?}: {:?}", before, after);
        }
    }
}
