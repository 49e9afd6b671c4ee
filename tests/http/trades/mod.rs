//! Trades over HTTP.

mod cash;
mod change;
mod create;
mod currencies;
mod list;
pub(crate) mod moves;
mod removal;
mod visibility;

use serde_json::{Value, json};

use crate::support::{Answer, Client, Family};

pub(crate) const PATH: &str = "/api/v1/trades";

/// An investment account with so much money before everything.
#[track_caller]
pub(crate) fn broker(family: &Family, name: &str, opening: &str) -> String {
    family.account_with(json!({
        "name": name, "account_type": "investment", "opening_balance": opening
    }))
}

/// A trade in VTI of an account; `fields` come on top.
pub(crate) fn fields(account: &str, trade_type: &str, date: &str, fields: Value) -> Value {
    let mut all = json!({
        "account_id": account, "type": trade_type, "date": date, "ticker": "VTI",
        "exchange_operating_mic": "XNAS",
    });
    let object = all.as_object_mut().unwrap();
    object.extend(fields.as_object().unwrap().clone());
    json!({ "trade": all })
}

/// Makes a trade that is expected to be right.
#[track_caller]
pub(crate) fn trade(
    api: &Client,
    account: &str,
    trade_type: &str,
    date: &str,
    more: Value,
) -> Value {
    api.post(PATH, &fields(account, trade_type, date, more)).expect_status(201).json()
}

/// Buys or sells so many at a price.
#[track_caller]
pub(crate) fn exchange(
    api: &Client,
    account: &str,
    trade_type: &str,
    date: &str,
    qty: &str,
    price: &str,
) -> Value {
    trade(api, account, trade_type, date, json!({ "qty": qty, "price": price }))
}

/// States what one unit of a currency is worth; gives the rate's id.
#[track_caller]
pub(crate) fn rate(api: &Client, pair: (&str, &str), date: &str, rate: &str) -> String {
    let stated = json!({ "base": pair.0, "quote": pair.1, "date": date, "rate": rate });
    api.post("/api/v1/exchange_rates", &stated).expect_status(201).id()
}

/// What the only position of an account cost; null if nobody knows.
#[track_caller]
pub(crate) fn cost(api: &Client, account: &str) -> Value {
    let list = format!("/api/v1/holdings?account_id={account}");
    let holdings = api.get(&list).expect_status(200).json()["holdings"].clone();
    assert_eq!(holdings.as_array().map(Vec::len), Some(1), "{holdings}");
    holdings[0]["cost_basis_decimal"].clone()
}

/// The problems of a refusal.
#[track_caller]
pub(crate) fn errors(answer: Answer) -> Vec<String> {
    let body = answer.expect_error(422, "validation_failed");
    let errors = body["errors"].as_array().expect("errors");
    errors.iter().map(|error| error.as_str().unwrap().to_owned()).collect()
}
