//! The bodies of requests about trades.
//!
//! Money that belongs to no security is sent as a trade, too, and becomes a transaction. So the
//! members of a new trade can be read in two ways, and its type decides which one counts.

use purser_app::trades::CashInput;
use purser_core::error::{Problem, Problems, Result};
use purser_core::ids;
use purser_core::ledger::cash_move::{CashMove, NewTradeType};
use purser_core::ledger::new_trade::{TradeInput, TradeValues};
use purser_core::ledger::new_transaction::TransactionInput;
use purser_core::ledger::security::TICKER_CHARS_MAX;
use purser_core::ledger::trade::{ActivityLabel, TradeType};
use purser_core::ledger::transaction_values::TransactionValues;
use purser_core::limits::{LABEL_CHARS_MAX, NAME_CHARS_MAX, NOTES_CHARS_MAX, SPLIT_PART_MAX};
use purser_core::named;

use crate::api::securities::MarketCode;
use crate::http::body::kinds::{
    AnyText, CurrencyCode, DayOrTime, Decimal, Flag, Formed, Id, OneOf, Text, Whole,
};
use crate::http::body::presence::{Nullable, OnlyNew, Optional, Required};
use crate::http::body::{Checked, body};

body! {
    /// The members of a trade. Its type decides which of them it needs. Quantities and amounts have
    /// no sign.
    pub(super) struct TradeFields as "Trade" in ["trade"] {
        /// The id of an account of the type `investment` or `crypto`.
        account_id: OnlyNew<Required<Id>>,
        /// The type of the trade. `buy` and `sell` need `qty` and `price` and take `fee`.
        /// `reinvestment` is like `buy`, but no money moves. `dividend` and `interest` need
        /// `amount` and take `fee`; `fee` needs `amount`. `split` needs `split_to` and
        /// `split_from`. `transfer_in` needs `qty` and takes `price` and `cost`; `transfer_out`
        /// needs `qty` and takes `price` and `to_account_id`.
        ///
        /// `deposit` and `withdrawal`, and `interest` and `fee` without a security, are money
        /// alone: they need `amount`, take `category_id`, become a transaction and are answered as
        /// one. A deposit or a withdrawal also takes `transfer_account_id`. A trade that exists
        /// can't become one of these.
        #[example("buy")]
        r#type: Required<OneOf<NewTradeType>>,
        /// The day of the trade. A timestamp stands for its day in the offset that it names.
        date: Required<DayOrTime>,
        /// The id of a security of the family; instead of it, `ticker` may name one. The id counts
        /// if both are sent.
        security_id: Optional<Id>,
        /// The symbol that the security is traded under. The security is created if the family
        /// doesn't have it.
        #[example("VTI")]
        ticker: Optional<Text<0, TICKER_CHARS_MAX>>,
        /// An alias of `ticker`, which counts if both are sent.
        manual_ticker: Optional<AnyText>,
        /// The code of the market (ISO 10383). It is refused without a ticker.
        #[example("ARCX")]
        exchange_operating_mic: Optional<Formed<MarketCode>>,
        /// The name of a security that has none yet. It is refused without a ticker. A key that is
        /// restricted to chosen accounts only names securities that it creates.
        #[example("Vanguard Total Stock Market")]
        security_name: Optional<Text<0, LABEL_CHARS_MAX>>,
        /// The number of shares.
        #[example("10.0")]
        qty: Optional<Decimal>,
        /// The price of one share.
        #[example("187.1234")]
        price: Optional<Decimal>,
        /// The fee that was paid in addition.
        #[example("1.50")]
        fee: Optional<Decimal>,
        /// The amount of income, or of a fee; of income before `fee` is subtracted.
        amount: Optional<Decimal>,
        /// The cost of shares that come with `transfer_in`; unknown if null or missing.
        cost: Nullable<Decimal>,
        /// The code of the currency of price, fee, amount and cost; the account's currency if
        /// missing. A split and a move between accounts of the family take no other.
        #[example("EUR")]
        currency: OnlyNew<Optional<Formed<CurrencyCode>>>,
        /// The value of one unit of the currency in the currency of the account; for a move, of the
        /// account that the shares come to. If it is null, or missing in a new trade, the best rate
        /// that is known for the day is used, now and later. While none is known, amounts are
        /// booked as zero and the account is incomplete.
        #[example("1.0943")]
        exchange_rate: Nullable<Decimal>,
        /// The number of shares that every `split_from` shares become in a split.
        split_to: Optional<Whole<1, { SPLIT_PART_MAX as i64 }>>,
        /// The number of shares that become `split_to` shares in a split.
        split_from: Optional<Whole<1, { SPLIT_PART_MAX as i64 }>>,
        /// The id of the account of the family that the shares of `transfer_out` move to, with
        /// their cost. Both sides are created.
        to_account_id: OnlyNew<Optional<Id>>,
        /// The id of the category of money without a security. A trade in a security has none, so
        /// it is ignored there.
        category_id: OnlyNew<Optional<Id>>,
        /// The id of the account of the family that the money of a deposit comes from, or that the
        /// money of a withdrawal goes to. Its transaction is created, too, and both are a confirmed
        /// transfer.
        transfer_account_id: OnlyNew<Optional<Id>>,
        /// The label that other programs have for the type. It follows from the type, so what is
        /// sent is ignored.
        #[example("Buy")]
        investment_activity_label: OnlyNew<Optional<OneOf<ActivityLabel>>>,
        /// The name that people see. Null stands for one that follows from type, quantity and
        /// ticker. In a move between accounts, only this side has it.
        name: Nullable<Text<0, NAME_CHARS_MAX>>,
        /// Free text about the trade. Null clears it. In a move between accounts, only this side
        /// has it.
        notes: Nullable<Text<0, NOTES_CHARS_MAX>>,
        /// The client's own id of the trade, unique in the account and for the `source`. If it is
        /// sent again, nothing is created, and the answer is 200 with the trade that exists.
        #[example("order-1234")]
        external_id: OnlyNew<Optional<Text<0, LABEL_CHARS_MAX>>>,
        /// The name of the client, together with `external_id`; `api` if missing.
        #[example("broker")]
        source: OnlyNew<Optional<Text<0, LABEL_CHARS_MAX>>>,
        /// Whether it is created even if a person deleted the one with this `external_id`. Without
        /// `true`, that is refused with 409 `deleted_before`.
        restore: OnlyNew<Optional<Flag>>,
    }
}

/// The members of a trade, with the problems of reading them.
#[derive(Debug)]
pub(super) struct TradeRequest {
    fields: TradeFields,
    problems: Problems,
}

impl Checked for TradeFields {
    type Output = TradeRequest;

    fn check(self, problems: Problems) -> Result<TradeRequest> {
        let mut fields = self;
        for text in [
            &mut fields.ticker,
            &mut fields.manual_ticker,
            &mut fields.exchange_operating_mic,
            &mut fields.security_name,
            &mut fields.currency,
            &mut fields.external_id,
            &mut fields.source,
        ] {
            *text = text.take().filter(|text| !text.trim().is_empty());
        }
        Ok(TradeRequest { fields, problems })
    }
}

impl TradeRequest {
    /// The trade, new or changed.
    pub(super) fn trade(&self) -> TradeInput {
        let fields = self.fields.clone();
        let mut problems = self.problems.clone();
        let trade_type = trade_type(&fields, &mut problems);
        if fields.category_id.as_deref().is_some_and(|id| ids::read(id).is_err()) {
            problems.push(Problem::unknown("category_id", "category"));
        }
        if fields.transfer_account_id.is_some() {
            problems.field("transfer_account_id", "is not for a trade of this type");
        }
        let values = TradeValues {
            trade_type,
            date: fields.date,
            quantity: fields.qty,
            price: fields.price,
            fee: fields.fee,
            amount: fields.amount,
            cost: fields.cost,
            currency: fields.currency,
            rate: fields.exchange_rate,
            split_to: fields.split_to.map(|number| number.to_string()),
            split_from: fields.split_from.map(|number| number.to_string()),
            name: fields.name,
            notes: fields.notes,
            problems: problems.into_list(),
        };
        TradeInput {
            account: fields.account_id,
            to_account: fields.to_account_id,
            security: fields.security_id,
            ticker: fields.ticker.or(fields.manual_ticker),
            exchange_operating_mic: fields.exchange_operating_mic,
            security_name: fields.security_name,
            source: fields.source,
            external_id: fields.external_id,
            restore: fields.restore.unwrap_or_default(),
            values,
        }
    }

    /// The money, if the type is one without a security.
    pub(super) fn cash(&self) -> Option<CashInput> {
        let fields = self.fields.clone();
        let has_security = fields.security_id.is_some()
            || fields.ticker.is_some()
            || fields.manual_ticker.is_some();
        let kind = fields.r#type?.cash_move(has_security)?;
        let mut problems = self.problems.clone();
        refuse_trade_members(&fields, kind, &mut problems);
        let name = fields.name.flatten().filter(|name| !name.trim().is_empty());
        let values = TransactionValues {
            date: fields.date,
            amount: fields.amount,
            rate: fields.exchange_rate,
            nature: Some(kind.nature()),
            name: Some(Some(name.unwrap_or_else(|| kind.default_name().to_owned()))),
            notes: fields.notes,
            category: fields.category_id.map(Some),
            problems: problems.into_list(),
            ..TransactionValues::default()
        };
        let transaction = TransactionInput {
            account: fields.account_id,
            currency: fields.currency,
            external_id: fields.external_id,
            source: fields.source,
            restore: fields.restore.unwrap_or_default(),
            values,
        };
        let other_account = fields.transfer_account_id;
        Some(CashInput { transaction, nature: kind.nature(), other_account })
    }
}

/// The type as that of a trade in a security.
fn trade_type(fields: &TradeFields, problems: &mut Problems) -> Option<TradeType> {
    match fields.r#type? {
        NewTradeType::Trade(trade_type) => Some(trade_type),
        NewTradeType::Deposit | NewTradeType::Withdrawal => {
            problems.field("type", format!("must be {}", named::list::<TradeType>()));
            None
        }
    }
}

fn refuse_trade_members(fields: &TradeFields, kind: CashMove, problems: &mut Problems) {
    for (name, was_sent) in [
        ("qty", fields.qty.is_some()),
        ("price", fields.price.is_some()),
        ("cost", matches!(fields.cost, Some(Some(_)))),
        ("split_to", fields.split_to.is_some()),
        ("split_from", fields.split_from.is_some()),
        ("to_account_id", fields.to_account_id.is_some()),
        ("security_id", fields.security_id.is_some()),
        ("ticker", fields.ticker.is_some()),
        ("manual_ticker", fields.manual_ticker.is_some()),
        ("exchange_operating_mic", fields.exchange_operating_mic.is_some()),
        ("security_name", fields.security_name.is_some()),
        ("fee", fields.fee.is_some()),
    ] {
        if was_sent {
            problems.field(name, format!("is not for a {}", kind.default_name().to_lowercase()));
        }
    }
    if fields.transfer_account_id.is_some() && !kind.may_be_transfer() {
        problems.field("transfer_account_id", "is only for deposits and withdrawals");
    }
}

#[cfg(test)]
mod tests {
    use purser_core::ledger::input::AmountText;
    use purser_core::ledger::nature::Nature;
    use serde_json::{Value, json};

    use super::*;
    use crate::http::body::read_checked;

    fn read(json: &Value) -> TradeRequest {
        read_checked::<TradeFields>(&serde_json::from_str(&json.to_string()).unwrap()).unwrap()
    }

    #[test]
    fn a_trade_is_read() {
        let input = read(&json!({ "account_id": "a", "manual_ticker": "VTI", "ticker": " ",
            "type": "split", "date": "2026-01-02", "cost": null, "split_to": 2, "name": null }));
        let input = input.trade();
        assert_eq!((input.account.as_deref(), input.ticker.as_deref()), (Some("a"), Some("VTI")));
        let values = &input.values;
        assert_eq!(values.trade_type, Some(TradeType::Split));
        assert_eq!(values.split_to.as_deref(), Some("2"));
        assert_eq!((&values.cost, &values.name), (&Some(None), &Some(None)));
        assert!(values.problems.is_empty());
    }

    #[test]
    fn members_that_a_trade_has_no_use_for_are_ignored() {
        let category = "0190f5f0-7c00-7a10-8000-00000000000a";
        let odd = read(&json!({ "type": "buy", "nature": 5, "category_id": category,
            "investment_activity_label": "Reinvestment" }));
        assert!(odd.trade().values.problems.is_empty());
        let lost = read(&json!({ "type": "buy", "transfer_account_id": "a", "category_id": "c",
            "investment_activity_label": "Gift" }));
        assert_eq!(lost.trade().values.problems.len(), 3);
        assert_eq!(read(&json!({ "type": "deposit" })).trade().values.problems.len(), 1);
    }

    #[test]
    fn money_without_a_security_is_a_transaction() {
        let deposit = json!({ "type": "deposit", "amount": "5", "transfer_account_id": "b" });
        let deposit = read(&deposit).cash().unwrap();
        let values = &deposit.transaction.values;
        assert_eq!(values.nature, Some(Nature::Income));
        assert_eq!(values.name, Some(Some("Deposit".into())));
        assert_eq!(values.amount, Some(AmountText::Text("5".into())));
        assert_eq!(deposit.other_account.as_deref(), Some("b"));
        let fee = read(&json!({ "type": "fee", "name": "Custody", "ticker": "" })).cash().unwrap();
        assert_eq!(fee.transaction.values.nature, Some(Nature::Expense));
        for trade in
            [json!({ "type": "fee", "ticker": "VTI" }), json!({ "type": "dividend" }), json!({})]
        {
            assert_eq!(read(&trade).cash(), None);
        }
    }

    #[test]
    fn members_of_a_trade_are_refused_for_money() {
        let odd = json!({ "type": "deposit", "qty": 1, "fee": 2, "ticker": "A" });
        assert_eq!(read(&odd).cash().unwrap().transaction.values.problems.len(), 3);
        let odd = json!({ "type": "fee", "transfer_account_id": "b" });
        assert_eq!(read(&odd).cash().unwrap().transaction.values.problems.len(), 1);
    }
}
