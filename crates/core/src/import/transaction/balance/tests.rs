use super::*;

fn ends(opening: Option<i64>, sum: Option<i64>, closing: Option<i64>) -> BalanceEnds {
    BalanceEnds {
        account: "Main".to_owned(),
        currency: Currency::EUR,
        first_day: "2026-01-02".parse().unwrap(),
        opening,
        last_day: "2026-01-31".parse().unwrap(),
        closing,
        sum,
    }
}

#[test]
fn the_ends_are_compared_with_the_rows() {
    let units = |amount: i64| Some(amount * 10_i64.pow(Currency::EUR.scale() - 2));
    let before = "€1,234.56 before 2026-01-02";
    let both = format!("{before} → €4,812.33 after 2026-01-31");
    for (opening, sum, closing, expected) in [
        (
            units(123_456),
            units(357_777),
            units(481_233),
            Some(format!("{both}; the rows add up to it")),
        ),
        (
            units(123_456),
            units(357_677),
            units(481_233),
            Some(format!("{both}; the rows come to €1.00 less than the file")),
        ),
        (
            units(123_456),
            units(357_778),
            units(481_233),
            Some(format!("{both}; the rows come to €0.01 more than the file")),
        ),
        (units(123_456), None, units(481_233), Some(both.clone())),
        (units(123_456), units(1), None, Some(before.to_owned())),
        (None, units(1), units(-5), Some("-€0.05 after 2026-01-31".to_owned())),
        (None, units(1), None, None),
    ] {
        let ends = ends(opening, sum, closing);
        assert_eq!(ends.text(|day| day.to_string()), expected);
    }
}

#[test]
fn what_is_known_of_the_ends_is_shown_in_plain_numbers() {
    let unit = 10_i64.pow(Currency::EUR.scale());
    assert_eq!(
        ends(Some(unit), Some(2 * unit), Some(4 * unit)).shown(),
        json!({ "account": "Main", "currency": "EUR", "first_day": "2026-01-02",
            "opening_balance": "1.00", "last_day": "2026-01-31", "closing_balance": "4.00",
            "rows_sum": "2.00", "difference": "-1.00" })
    );
}

#[test]
fn an_account_counts_a_balance_in_its_own_sense() {
    for (sense, classification, expected) in [
        (Sense::Money, Classification::Asset, Some(5)),
        (Sense::Money, Classification::Liability, Some(-5)),
        (Sense::Debt, Classification::Asset, Some(-5)),
        (Sense::Debt, Classification::Liability, Some(5)),
    ] {
        assert_eq!(sense.in_account(5, classification), expected);
    }
    assert_eq!(Sense::Debt.in_account(i64::MIN, Classification::Asset), None);
}
