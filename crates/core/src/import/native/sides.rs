//! What a transfer has to know of its two transactions: money goes out of one account and comes
//! into another one, once.

use std::collections::HashMap;

use rust_decimal::Decimal;

use super::ids::key;
use super::object::Fields;
use super::{SourceId, Transfer};
use crate::error::Problems;
use crate::money::Currency;
use crate::transfers::{Maker, TransferStatus};

/// A transaction that may be the side of a transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Side {
    account: u128,
    /// Positive is money out.
    amount: Decimal,
    /// None is the currency of the family.
    currency: Option<Currency>,
}

/// The transactions of a file, and how many confirmed transfers each is in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Sides {
    transactions: HashMap<u128, Side>,
    confirmed: HashMap<u128, u32>,
}

impl Sides {
    /// Takes a transaction of the file.
    pub(super) fn transaction(&mut self, id: &SourceId, fields: &mut Fields<'_, '_>) {
        let amount = fields.decimal("amount").or_else(|| fields.decimal("amount_decimal"));
        if let (Some(account), Some(amount)) = (fields.id("account_id"), amount) {
            let currency = fields.currency("currency");
            let side = Side { account: key(&account), amount, currency };
            self.transactions.insert(key(id), side);
        }
    }

    /// Takes a transfer of the file.
    pub(super) fn transfer(&mut self, fields: &mut Fields<'_, '_>) {
        if fields.named("status") != Some(TransferStatus::Confirmed) {
            return;
        }
        for name in ["outflow_transaction_id", "inflow_transaction_id"] {
            if let Some(id) = fields.id(name) {
                *self.confirmed.entry(key(&id)).or_default() += 1;
            }
        }
    }

    /// Ends the first pass: transactions without a currency have that of their account.
    pub(super) fn finish(&mut self, of_accounts: &HashMap<u128, Currency>) {
        for side in self.transactions.values_mut() {
            side.currency = side.currency.or_else(|| of_accounts.get(&side.account).copied());
        }
    }

    /// Finds out whether the sides of a transfer fit. A side that is missing is the problem of its
    /// reference.
    pub(super) fn judge(
        &self,
        transfer: &Transfer,
        family_currency: Currency,
        problems: &mut Problems,
    ) {
        let (outflow, inflow) = ("outflow_transaction_id", "inflow_transaction_id");
        for (id, field) in [(&transfer.outflow, outflow), (&transfer.inflow, inflow)] {
            let is_confirmed = transfer.status == TransferStatus::Confirmed;
            if is_confirmed && self.confirmed.get(&key(id)).is_some_and(|times| *times > 1) {
                problems.field(field, "is in another confirmed transfer of the file");
            }
        }
        let side = |id: &SourceId| self.transactions.get(&key(id));
        let (Some(out), Some(into)) = (side(&transfer.outflow), side(&transfer.inflow)) else {
            return;
        };
        if out.account == into.account {
            problems.field(inflow, "is in the account of the other one");
        }
        if out.amount <= Decimal::ZERO {
            problems.field(outflow, "is no money out");
        }
        if into.amount >= Decimal::ZERO {
            problems.field(inflow, "is no money in");
        }
        let currency = |side: &Side| side.currency.unwrap_or(family_currency);
        if currency(out) == currency(into) {
            if out.amount != -into.amount {
                problems.field(inflow, "has another amount than the other one");
            }
        } else if transfer.made_by != Maker::Person {
            problems.field(inflow, "is in another currency, which only a person pairs");
        }
    }
}
