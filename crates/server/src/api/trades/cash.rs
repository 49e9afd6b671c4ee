//! Reading money that is written as a trade but belongs to no security.

use purser_app::trades::CashInput;
use purser_core::error::Problems;
use purser_core::ledger::cash_move::CashMove;
use purser_core::ledger::new_transaction::TransactionInput;
use purser_core::ledger::transaction_values::TransactionValues;

use crate::http::fields::Fields;

/// Fields of trades that mean nothing here.
const OF_TRADES: [&str; 9] = [
    "qty",
    "price",
    "cost",
    "split_to",
    "split_from",
    "to_account_id",
    "security_id",
    "ticker",
    "manual_ticker",
];

/// The input, if the type says that no security is traded.
pub(super) fn cash(fields: &Fields) -> Option<CashInput> {
    let is_sent = |name: &str| fields.written(name).is_some_and(|text| !text.trim().is_empty());
    let has_security = ["security_id", "ticker", "manual_ticker"].into_iter().any(is_sent);
    let kind = CashMove::parse(fields.written("type")?.trim(), has_security)?;
    let mut problems = Problems::new();
    for name in OF_TRADES.into_iter().chain(["fee"]).filter(|name| is_sent(name)) {
        problems.push(format!("{name} is not for a {}", kind.default_name().to_lowercase()));
    }
    let other_account =
        fields.written("transfer_account_id").filter(|text| !text.trim().is_empty());
    if other_account.is_some() && !kind.may_be_transfer() {
        problems.push("transfer_account_id is only for deposits and withdrawals");
    }
    let name = fields.text("name", &mut problems).filter(|text| !text.trim().is_empty());
    let blank = |text: &String| !text.trim().is_empty();
    let values = TransactionValues {
        date: fields.written("date").filter(blank),
        amount: fields.amount("amount"),
        rate: fields.has("exchange_rate").then(|| fields.amount("exchange_rate")),
        nature: Some(if kind.comes_in() { "income" } else { "expense" }.to_owned()),
        name: Some(Some(name.unwrap_or_else(|| kind.default_name().to_owned()))),
        notes: fields.nullable_text("notes", &mut problems),
        category: fields.nullable_text("category_id", &mut problems),
        ..TransactionValues::default()
    };
    let mut text = |name: &str| fields.text(name, &mut problems);
    let transaction = TransactionInput {
        account: fields.written("account_id").filter(blank),
        currency: text("currency"),
        external_id: text("external_id"),
        source: text("source"),
        restore: fields.flag("restore", &mut problems).unwrap_or_default(),
        values,
    };
    let values = TransactionValues { problems: problems.into_list(), ..transaction.values };
    let transaction = TransactionInput { values, ..transaction };
    Some(CashInput { transaction, comes_in: kind.comes_in(), other_account })
}

#[cfg(test)]
mod tests {
    use purser_core::ledger::input::AmountText;

    use super::*;

    fn read(json: &str) -> Option<CashInput> {
        cash(&serde_json::from_str(json).unwrap())
    }

    #[test]
    fn the_type_says_which_way_the_money_goes() {
        let deposit = read(r#"{"type": "deposit", "amount": "5", "transfer_account_id": "b"}"#);
        let deposit = deposit.unwrap();
        let values = &deposit.transaction.values;
        assert_eq!(values.nature.as_deref(), Some("income"));
        assert_eq!(values.name, Some(Some("Deposit".into())));
        assert_eq!(values.amount, Some(AmountText::Text("5".into())));
        assert_eq!((deposit.comes_in, deposit.other_account.as_deref()), (true, Some("b")));
        let fee = read(r#"{"type": "fee", "name": "Custody", "ticker": ""}"#).unwrap();
        assert_eq!(fee.transaction.values.nature.as_deref(), Some("expense"));
        assert_eq!(fee.transaction.values.name, Some(Some("Custody".into())));
        assert_eq!(read(r#"{"type": "fee", "ticker": "VTI"}"#), None);
        assert_eq!(read(r#"{"type": "dividend"}"#), None);
        assert_eq!(read("{}"), None);
    }

    #[test]
    fn what_means_nothing_is_refused() {
        let odd = read(r#"{"type": "deposit", "qty": 1, "fee": 2, "ticker": "A"}"#).unwrap();
        assert_eq!(odd.transaction.values.problems.len(), 3);
        let odd = read(r#"{"type": "fee", "transfer_account_id": "b"}"#).unwrap();
        assert_eq!(odd.transaction.values.problems.len(), 1);
    }
}
