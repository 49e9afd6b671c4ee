//! What each type of trade needs, refuses and keeps.

use jiff::civil::date;

use super::*;

fn text(text: &str) -> Option<AmountText> {
    Some(AmountText::Text(text.into()))
}

fn of_type(trade_type: &str) -> TradeValues {
    TradeValues {
        trade_type: TradeType::parse(trade_type),
        date: Some("2026-01-12".into()),
        ..TradeValues::default()
    }
}

fn buy() -> TradeValues {
    TradeValues { quantity: text("10"), price: text("187.1234"), ..of_type("buy") }
}

fn check(
    values: &TradeValues,
    before: Option<&CheckedTrade>,
) -> std::result::Result<CheckedTrade, Vec<String>> {
    let mut problems = Problems::new();
    let currencies = TradeCurrencies { home: Currency::USD, to: None };
    let checked = values.check(before, currencies, date(2026, 2, 1), &mut problems);
    if problems.is_empty() { Ok(checked.unwrap()) } else { Err(problems.texts()) }
}

#[test]
fn each_type_needs_its_fields() {
    for (values, expected) in [
        (TradeValues::default(), vec!["Date is required", "The type is required"]),
        (of_type("buy"), vec!["The qty is required", "The price is required"]),
        (of_type("reinvestment"), vec!["The qty is required", "The price is required"]),
        (of_type("transfer_out"), vec!["The qty is required"]),
        (of_type("dividend"), vec!["Amount is required"]),
        (of_type("split"), vec!["The split_to is required", "The split_from is required"]),
    ] {
        assert_eq!(check(&values, None).unwrap_err(), expected);
    }
}

#[test]
fn what_means_nothing_is_refused() {
    let values = TradeValues {
        amount: text("5"),
        cost: Some(text("5")),
        split_to: Some("2".into()),
        ..buy()
    };
    let errors = check(&values, None).unwrap_err();
    assert_eq!(errors.len(), 3, "{errors:?}");
    assert_eq!(errors[0], "The amount is not for a trade of type buy");
}

#[test]
fn values_are_exact_and_in_range() {
    let checked = check(&TradeValues { fee: text("1.5"), ..buy() }, None).unwrap();
    let effect = checked.effect().unwrap();
    assert_eq!((effect.cash, effect.value), (18_727_340, 18_712_340));
    for values in [
        TradeValues { quantity: text("0"), ..buy() },
        TradeValues { quantity: text("-1"), ..buy() },
        TradeValues { quantity: text("1000000000000001"), ..buy() },
        TradeValues { quantity: text("1000000000000000"), ..buy() },
        TradeValues { price: text("1e3"), ..buy() },
        TradeValues { fee: text("-1"), ..buy() },
        TradeValues { fee: text("0.00001"), ..buy() },
    ] {
        assert_eq!(check(&values, None).unwrap_err().len(), 1, "{values:?}");
    }
    for part in ["0", "-1", "1.5", "x", "1000001"] {
        let split_to = Some(part.to_owned());
        let split = TradeValues { split_to, split_from: Some("1".into()), ..of_type("split") };
        assert_eq!(check(&split, None).unwrap_err().len(), 1, "{part}");
    }
}

#[test]
fn in_a_change_what_is_missing_stays() {
    let before = check(&TradeValues { notes: Some(Some("n".into())), ..buy() }, None).unwrap();
    assert_eq!(check(&TradeValues::default(), Some(&before)).unwrap(), before);
    let price = TradeValues { price: text("2"), notes: Some(None), ..TradeValues::default() };
    let after = check(&price, Some(&before)).unwrap();
    assert_eq!((after.terms.price, after.notes.as_deref()), (Decimal::TWO, None));
    assert_eq!(after.terms.quantity, before.terms.quantity);
    let dividend = TradeValues { trade_type: Some(TradeType::Dividend), ..Default::default() };
    assert_eq!(check(&dividend, Some(&before)).unwrap_err(), ["Amount is required"]);
    let dividend = TradeValues { amount: text("3"), ..dividend };
    let after = check(&dividend, Some(&before)).unwrap();
    assert_eq!(after.terms.quantity, Decimal::ZERO);
    assert_eq!(after.effect().unwrap().cash, -30_000);
}

#[test]
fn an_amount_of_zero_stays_in_a_change() {
    let before = check(&TradeValues { amount: text("0"), ..of_type("dividend") }, None).unwrap();
    for trade_type in [None, Some(TradeType::Dividend), Some(TradeType::Interest)] {
        let date = Some("2026-01-13".into());
        let redated = TradeValues { date, trade_type, ..TradeValues::default() };
        let after = check(&redated, Some(&before)).unwrap();
        assert_eq!((after.date, after.terms.amount), (jiff::civil::date(2026, 1, 13), 0));
    }
}

#[test]
fn shares_from_elsewhere_may_have_a_cost() {
    let arrive = TradeValues { quantity: text("10"), ..of_type("transfer_in") };
    assert_eq!(check(&arrive, None).unwrap().cost, None);
    let known = check(&TradeValues { cost: Some(text("0")), ..arrive }, None).unwrap();
    assert_eq!(known.effect().unwrap().cost, Some(0));
    let unknown = TradeValues { cost: Some(None), ..TradeValues::default() };
    assert_eq!(check(&unknown, Some(&known)).unwrap().cost, None);
}

#[test]
fn a_trade_may_be_in_another_currency_with_a_rate_or_without() {
    let euro = TradeValues { currency: Some("eur".into()), ..buy() };
    let checked = check(&euro, None).unwrap();
    assert_eq!((checked.currency, checked.rate), (Currency::EUR, None));
    assert_eq!(checked.effect().unwrap().cash, 18_712_340, "in its own currency");
    let rated = TradeValues { rate: Some(text("1.25")), ..euro.clone() };
    let rated = check(&rated, None).unwrap();
    assert_eq!(rated.rate, Some(Decimal::new(125, 2)));
    // In a change the rate stays until another one is sent, or `null`.
    let same = TradeValues { currency: Some("EUR".into()), ..TradeValues::default() };
    assert_eq!(check(&same, Some(&rated)).unwrap(), rated);
    let looked_up = TradeValues { rate: Some(None), ..TradeValues::default() };
    assert_eq!(check(&looked_up, Some(&rated)).unwrap().rate, None);
    for (values, before) in [
        (TradeValues { currency: Some("XYZ".into()), ..buy() }, None),
        (TradeValues { rate: Some(text("1.25")), ..buy() }, None),
        (TradeValues { rate: Some(text("0")), ..euro.clone() }, None),
        (TradeValues { rate: Some(text("x")), ..euro }, None),
        (TradeValues { currency: Some("USD".into()), ..buy() }, Some(&rated)),
    ] {
        assert_eq!(check(&values, before).unwrap_err().len(), 1, "{values:?}");
    }
    let parts = (Some("2".to_owned()), Some("1".to_owned()));
    let currency = Some("EUR".to_owned());
    let split =
        TradeValues { currency, split_to: parts.0, split_from: parts.1, ..of_type("split") };
    assert_eq!(check(&split, None).unwrap_err().len(), 1);
}

#[test]
fn a_move_is_in_the_currency_that_it_leaves() {
    let out = TradeValues { quantity: text("10"), ..of_type("transfer_out") };
    let check = |values: TradeValues, to| {
        let mut problems = Problems::new();
        let currencies = TradeCurrencies { home: Currency::USD, to: Some(to) };
        let checked = values.check(None, currencies, date(2026, 2, 1), &mut problems);
        if problems.is_empty() { Ok(checked.unwrap().rate) } else { Err(problems.texts()) }
    };
    let rated = TradeValues { rate: Some(text("0.8")), ..out.clone() };
    assert_eq!(check(rated.clone(), Currency::EUR), Ok(Some(Decimal::new(8, 1))));
    assert_eq!(check(rated, Currency::USD).unwrap_err().len(), 1);
    let euro = TradeValues { currency: Some("EUR".into()), ..out };
    assert_eq!(check(euro, Currency::EUR).unwrap_err().len(), 1);
}
