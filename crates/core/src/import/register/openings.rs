//! What accounts held before everything else in a file, as a program states it.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::import::transaction::Row;
use crate::money::Currency;
use crate::money::decimal::amount_text;
use crate::text::label::name_key;

/// The opening balance of an account of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatedOpening {
    /// The account as the file calls it first.
    pub account: String,
    /// The currency of the amount.
    pub currency: Currency,
    /// As money of the account: a debt is negative.
    pub amount: i64,
}

impl StatedOpening {
    /// The opening for people.
    pub(in crate::import) fn shown(&self) -> Value {
        json!({
            "account": self.account,
            "currency": self.currency,
            "amount": amount_text(i128::from(self.amount), self.currency),
        })
    }
}

/// Collects the openings of a file: rows of one account are added up.
#[derive(Debug, Default)]
pub struct StatedOpenings {
    found: Vec<(String, StatedOpening)>,
}

impl StatedOpenings {
    /// Adds what a row states.
    pub fn add(&mut self, row: &Row<'_>) {
        let name = row.account.unwrap_or_default();
        let key = name_key(name);
        let of_account = |(its, opening): &&mut (String, StatedOpening)| {
            *its == key && opening.currency == row.currency
        };
        match self.found.iter_mut().find(of_account) {
            Some((_, opening)) => opening.amount = opening.amount.saturating_sub(row.amount),
            None => {
                let amount = row.amount.saturating_neg();
                let (account, currency) = (name.to_owned(), row.currency);
                self.found.push((key, StatedOpening { account, currency, amount }));
            }
        }
    }

    /// The openings in the order of their appearance.
    pub fn finish(self) -> Vec<StatedOpening> {
        self.found.into_iter().map(|(_, opening)| opening).collect()
    }
}
