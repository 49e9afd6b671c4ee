//! The rows of a file of accounts in relation to each other: rows of one account must not
//! contradict each other.

use std::collections::BTreeMap;

use jiff::civil::Date;

use super::type_words::{self, Meaning};
use super::{AccountKind, Row};
use crate::import::kind::{RowSet, Survey};
use crate::import::layout_problem::LayoutProblem;
use crate::import::settings::DebtSign;
use crate::import::whole::rows::{OwnedRow, SurveyedRows, by_identity, contradictions};
use crate::ledger::account::AccountType;
use crate::money::Currency;
use crate::text::label::name_key;

/// A row with its own texts.
#[derive(Debug, Clone)]
pub(super) struct AccountRow {
    number: u64,
    line: u64,
    pub(super) name: String,
    pub(super) type_text: String,
    /// What the text for the type means, if it is known.
    pub(super) meaning: Option<Meaning>,
    pub(super) subtype: Option<String>,
    pub(super) balance: i64,
    pub(super) is_marked: bool,
    pub(super) currency: Currency,
    pub(super) date: Option<Date>,
    pub(super) debt_sign: Option<DebtSign>,
}

/// What an account is identified by in a file: the key of its name, and its type; where that isn't
/// known, the text for it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Identity {
    name: String,
    account_type: Option<AccountType>,
    type_text: Option<String>,
}

impl AccountRow {
    pub(super) fn of(number: u64, line: u64, row: &Row<'_>) -> Self {
        Self {
            number,
            line,
            name: row.name.to_owned(),
            type_text: row.type_text.to_owned(),
            meaning: type_words::meaning(row.type_text),
            subtype: row.subtype.map(str::to_owned),
            balance: row.balance,
            is_marked: row.is_marked,
            currency: row.currency,
            date: row.date,
            debt_sign: row.debt_sign,
        }
    }
}

impl OwnedRow for AccountRow {
    type Identity = Identity;

    fn number(&self) -> u64 {
        self.number
    }

    fn line(&self) -> u64 {
        self.line
    }

    fn identity(&self) -> Identity {
        let account_type = self.meaning.map(|(account_type, _)| account_type);
        let type_text = account_type.is_none().then(|| name_key(&self.type_text));
        Identity { name: name_key(&self.name), account_type, type_text }
    }
}

/// Collects the rows of a file.
#[derive(Debug, Default)]
pub(super) struct AccountSurvey(SurveyedRows<AccountRow>);

impl Survey<AccountKind> for AccountSurvey {
    fn row(&mut self, number: u64, line: u64, row: &Row<'_>) {
        self.0.push(|| AccountRow::of(number, line, row));
    }

    fn finish(self: Box<Self>) -> Result<RowSet, LayoutProblem> {
        let rows = self.0.into_rows()?;
        let mut reasons = BTreeMap::new();
        for same in by_identity(&rows).values() {
            contradictions(same, ("account", "balance"), |row| Some(&row.balance), &mut reasons);
            contradictions(same, ("account", "currency"), |row| Some(&row.currency), &mut reasons);
            contradictions(same, ("account", "day"), |row| row.date.as_ref(), &mut reasons);
        }
        Ok(RowSet { reasons, ..RowSet::default() })
    }
}
