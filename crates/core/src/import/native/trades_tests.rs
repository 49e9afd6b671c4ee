use rust_decimal::Decimal;

use super::super::tests::{read_all, read_one};
use super::*;
use crate::import::native::Record;

fn trade(data: &str) -> Trade {
    let data = format!("{{\"account_id\":\"i\",\"date\":\"2024-01-05\",\"ticker\":\"A\",{data}}}");
    match read_one("Trade", &data) {
        Ok(Record::Trade(trade)) => *trade,
        other => panic!("{data}: {other:?}"),
    }
}

#[test]
fn the_amount_is_the_money_that_moved_whatever_a_broker_rounds() {
    for (data, price, fee) in [
        (r#""qty":"3","price":"33.33","amount":"99.99""#, "33.33", 0),
        // A broker's rounding, of a purchase and of a sale, with a fee and without.
        (r#""qty":"3","price":"33.33","amount":"100.00""#, "33.333333333333333333", 0),
        (r#""qty":"-3","price":"33.33","amount":"-100.00""#, "33.333333333333333333", 0),
        (
            r#""qty":"3","price":"33.33","amount":"101.00","fee":"1""#,
            "33.333333333333333333",
            10_000,
        ),
        (r#""qty":"0.1235","price":"81","amount":"10""#, "80.971659919028340081", 0),
        // No price at all.
        (r#""qty":"4","price":"0","amount":"10""#, "2.5", 0),
        // Costs within the amount, of a program without a field for them.
        (r#""qty":"10","price":"90","amount":"901""#, "90", 10_000),
        (r#""qty":"-10","price":"90","amount":"-899""#, "90", 10_000),
        // A price with a zero at its end: a fee of less than a hundredth, not another price.
        (r#""qty":"1000","price":"10.50","amount":"10540""#, "10.5", 400_000),
        (r#""qty":"1000","price":"10.50","amount":"10509.99""#, "10.5", 99_900),
        // A fund with its charge, and a small trade.
        (r#""qty":"10","price":"100","amount":"1050""#, "100", 500_000),
        (r#""qty":"1","price":"40","amount":"49.99""#, "40", 99_900),
        // A sale that costs more than it brings.
        (r#""qty":"-1","price":"2","amount":"3","fee":"5""#, "2", 50_000),
    ] {
        let trade = trade(data);
        assert_eq!((trade.price.to_string().as_str(), trade.fee), (price, fee), "{data}");
        let value = trade.effect().unwrap().value;
        assert_eq!(value + trade.fee, trade.facts.amount, "{data}");
    }
}

#[test]
fn only_what_is_as_little_as_a_fee_is_one() {
    for data in [
        r#""qty":"10","price":"100","amount":"1400""#,
        r#""qty":"10","price":"100","amount":"1050.01""#,
        r#""qty":"-10","price":"100","amount":"-600""#,
        r#""qty":"10","price":"100","amount":"1170""#,
        r#""qty":"10","price":"1","amount":"16""#,
        r#""qty":"1000.5","price":"99.5","amount":"99500""#,
    ] {
        let all =
            format!("{{\"account_id\":\"i\",\"date\":\"2024-01-05\",\"ticker\":\"A\",{data}}}");
        let reasons = read_one("Trade", &all).expect_err(data);
        assert!(reasons.iter().any(|one| one.contains(" is not")), "{data}: {reasons:?}");
    }
    for (data, named) in [
        (r#""qty":"10","price":"90","amount":"901""#, Some("has 1.00 beside the shares")),
        (r#""qty":"10","price":"90","amount":"901","fee":"1""#, None),
        (r#""qty":"10","price":"90","amount":"900""#, None),
        (
            r#""qty":"10","price":"90","amount":"900","investment_activity_label":"Transfer""#,
            Some("taken as a trade of type buy"),
        ),
        (
            r#""qty":"-10","price":"90","amount":"-900","investment_activity_label":"Transfer""#,
            Some("taken as a trade of type sell"),
        ),
        (r#""qty":"10","price":"90","amount":"0","investment_activity_label":"Transfer""#, None),
    ] {
        let found = trade(data).inferred();
        assert_eq!(found.is_some(), named.is_some(), "{data}");
        assert!(found.is_none_or(|found| found.contains(named.unwrap())), "{data}");
    }
}

#[test]
fn a_report_with_another_value_is_no_reason_to_refuse_the_file() {
    for (amount, is_other) in [("20", false), ("20.00", false), ("200", true)] {
        let data = format!(
            r#"{{"account_id":"i","date":"2024-01-05","ticker":"A","qty":"2","price":"10","amount":"{amount}"}}"#
        );
        let Ok(Record::Holding(one)) = read_one("Holding", &data) else { panic!("{amount}") };
        assert_eq!(one.difference.is_some(), is_other, "{:?}", one.difference);
    }
}

#[test]
fn labels_of_the_older_server_decide_where_no_type_is_stated() {
    for (data, expected) in [
        (
            r#""qty":"0","price":"0","amount":"-5","investment_activity_label":"Dividend""#,
            "dividend",
        ),
        (r#""qty":"0","price":"0","amount":"-5","activity_label":"interest""#, "interest"),
        (r#""qty":"0","price":"0","amount":"5","activity_label":"Fee""#, "fee"),
        (r#""qty":"1","price":"5","amount":"5","activity_label":"Reinvestment""#, "buy"),
        (r#""qty":"1","price":"5","amount":"0","activity_label":"Reinvestment""#, "reinvestment"),
        (r#""qty":"-1","price":"5","amount":"0","activity_label":"Transfer""#, "transfer_out"),
        (r#""qty":"1","price":"5","amount":"0","activity_label":"Transfer""#, "transfer_in"),
        (r#""qty":"-1","price":"5","amount":"-5","activity_label":"Other""#, "sell"),
        (r#""qty":"-1","price":"5","amount":"-5","activity_label":"Exchange""#, "sell"),
        (r#""qty":"1","price":"5","amount":"5""#, "buy"),
    ] {
        assert_eq!(trade(data).trade_type.as_str(), expected, "{data}");
    }
    let income =
        trade(r#""qty":"2","price":"5","amount":"0","fee":"1","trade_type":"reinvestment""#);
    assert_eq!(income.cost, Some(110_000), "what the shares cost, and the fee");
    assert_eq!(income.quantity, Decimal::TWO);
}

#[test]
fn both_sides_of_a_move_name_each_other() {
    let lines = |qty: &str, back: &str| {
        let account = |id: &str| {
            format!(
                "{{\"type\":\"Account\",\"data\":{{\"id\":\"{id}\",\"name\":\"{id}\",\
                 \"balance\":\"0\",\"accountable_type\":\"Crypto\"}}}}\n"
            )
        };
        let side = |id: &str, account: &str, kind: &str, qty: &str, other: &str| {
            format!(
                "{{\"type\":\"Trade\",\"data\":{{\"id\":\"{id}\",\"account_id\":\"{account}\",\
                 \"date\":\"2024-01-05\",\"ticker\":\"A\",\"trade_type\":\"{kind}\",\
                 \"qty\":\"{qty}\",\"price\":\"0\",\"amount\":\"0\",\
                 \"counterpart_id\":\"{other}\"}}}}\n"
            )
        };
        let text = [
            account("a"),
            account("b"),
            side("out", "a", "transfer_out", "-2", "in"),
            side("in", "b", "transfer_in", qty, back),
        ];
        read_all(&text.concat()).into_iter().filter_map(Result::err).flatten().collect::<Vec<_>>()
    };
    assert_eq!(lines("2.0", "out"), Vec::<String>::new());
    for refused in [lines("3", "out"), lines("2", "in")] {
        assert_eq!(refused.len(), 2, "{refused:?}");
        assert!(refused.iter().all(|one| one.contains("as many shares back")), "{refused:?}");
    }
}

#[test]
fn the_cost_of_a_position_is_kept_exactly() {
    for (cost, expected) in [("9.5", (95_000, "1")), ("33.33333", (3_333_333, "10"))] {
        let data = format!(
            "{{\"account_id\":\"i\",\"date\":\"2024-01-05\",\"ticker\":\"A\",\"qty\":\"3\",\
             \"price\":\"33.3333\",\"amount\":\"100\",\"cost_basis\":\"{cost}\"}}"
        );
        let Ok(Record::Holding(holding)) = read_one("Holding", &data) else { panic!("{data}") };
        let (total, of) = holding.cost.unwrap();
        assert_eq!((total, of.to_string().as_str()), expected);
    }
}
