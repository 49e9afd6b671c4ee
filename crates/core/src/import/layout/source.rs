//! What was found in a file beyond its configuration, as it is shown to people.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{AmountSource, Layout};
use crate::import::columns::listed;
use crate::import::layout_problem::texts;
use crate::import::register::{StatedAccountType, StatedOpening};
use crate::import::settings::AmountStrategy;
use crate::import::template::TemplateUse;
use crate::import::trade::signs::SignRule;
use crate::import::transaction::balance::BalanceEnds;
use crate::import::transaction::of_statements::LINE_OF_STATEMENT;
use crate::import::transaction::totals::AccountTotals;

impl Layout {
    /// Everything else that was found, for people.
    pub fn source(&self) -> Value {
        if !self.kind.has_transactions() {
            return self.source_of_fields();
        }
        let label = |column: Option<usize>| column.map(|column| self.header(column));
        let more_names: Vec<String> =
            self.columns.names.iter().skip(1).map(|column| self.header(*column)).collect();
        json!({
            "format": self.file.format,
            "files": self.file.files,
            "sheet": self.file.sheet,
            "sheets": self.file.sheets,
            "encoding": self.encoding,
            "encoding_certain": self.encoding_certain,
            "col_sep": self.separator.as_str(),
            "has_header": self.shape.is_none(),
            "header_line": self.header_line_shown(),
            "headers": self.headers,
            "duplicate_headers": self.duplicate_headers,
            "amount": self.amount_source_shown(),
            "currency_col_label": label(self.columns.currency),
            "balance": self.balance_shown(),
            "totals": self.totals.iter().map(AccountTotals::shown).collect::<Vec<_>>(),
            "amount_currency": self.amount_currency,
            "longer_rows": self.longer_rows,
            "stated_balances": self.stated.as_ref().map(BalanceEnds::shown),
            "openings": self.openings.iter().map(StatedOpening::shown).collect::<Vec<_>>(),
            "account_types": self
                .account_types
                .iter()
                .map(StatedAccountType::shown)
                .collect::<Vec<_>>(),
            "status_col_label": label(self.columns.status),
            "left_out_rows": self.left_out,
            "external_id_col_label": label(self.columns.external_id),
            "further_name_col_labels": more_names,
            "own_name": self.own_name,
            "unused_headers": self.unused_columns(),
            "found": self.found,
            "found_by_content": self.found_by_content,
            "problems": texts(&self.problems),
            "template": self.template.as_ref().map(TemplateUse::shown),
        })
    }

    /// The columns that are used for nothing, as a part of a sentence; nothing if there are none.
    pub fn unused_text(&self) -> Option<String> {
        if self.columns.register.is_some() {
            // These are the program's, and nobody chooses among them.
            return None;
        }
        let unused = match self.kind.has_transactions() {
            true => return self.unused_of_transactions(),
            false => self.unused_fields(),
        };
        (!unused.is_empty()).then(|| listed(&unused))
    }

    /// The labels of columns that are used for nothing.
    fn unused_columns(&self) -> Vec<String> {
        let balance = self.balance.as_ref().map(|balance| balance.column);
        let is_mark = |column: usize| self.headers[column] == LINE_OF_STATEMENT;
        let is_unused = |column: &usize| {
            !self.columns.uses(*column) && balance != Some(*column) && !is_mark(*column)
        };
        (0..self.headers.len()).filter(is_unused).map(|column| self.header(column)).collect()
    }

    /// The same of transactions, with columns that give the name only where the one before them
    /// is blank.
    fn unused_of_transactions(&self) -> Option<String> {
        let shown = |column: usize| listed(&[self.header(column)]);
        let names = self.columns.names.windows(2);
        let spare = names.filter(|two| self.columns.notes != Some(two[1]));
        let spare =
            spare.map(|two| format!("{} where {} has a text", shown(two[1]), shown(two[0])));
        let unused = self.unused_columns();
        let unused = (!unused.is_empty()).then(|| listed(&unused));
        let all: Vec<String> = unused.into_iter().chain(spare).collect();
        (!all.is_empty()).then(|| all.join(", "))
    }

    /// The headers of kinds with plain columns that have no field.
    fn unused_fields(&self) -> Vec<String> {
        let is_unused = |column: &usize| !self.fields.values().any(|known| known == column);
        let unused = (0..self.headers.len()).filter(is_unused);
        unused.filter_map(|column| self.headers.get(column).cloned()).collect()
    }

    /// The same for kinds with plain columns: a column without a field isn't imported.
    fn source_of_fields(&self) -> Value {
        let columns: BTreeMap<&str, String> = self
            .fields
            .iter()
            .map(|(field, column)| (field.as_str(), self.header(*column)))
            .collect();
        json!({
            "format": self.file.format,
            "sheet": self.file.sheet,
            "sheets": self.file.sheets,
            "encoding": self.encoding,
            "encoding_certain": self.encoding_certain,
            "col_sep": self.separator.as_str(),
            "has_header": self.shape.is_none(),
            "header_line": self.header_line_shown(),
            "headers": self.headers,
            "duplicate_headers": self.duplicate_headers,
            "columns": columns,
            "unused_headers": self.unused_fields(),
            "debt_sign": self.debt_sign,
            "sign_rule": self.sign_rule.as_ref().map(SignRule::sentence),
            "left_out_rows": self.left_out,
            "found": self.found,
            "found_by_content": self.found_by_content,
            "problems": texts(&self.problems),
            "template": self.template.as_ref().map(TemplateUse::shown),
        })
    }

    fn balance_shown(&self) -> Value {
        self.balance.as_ref().map_or(Value::Null, |balance| {
            json!({
                "balance_col_label": self.header(balance.column),
                "order": balance.order,
                "sense": balance.sense,
                "proofs": balance.proofs,
                "breaks": balance.breaks.len(),
                "accounts": balance.ends.iter().map(BalanceEnds::shown).collect::<Vec<_>>(),
            })
        })
    }

    fn amount_source_shown(&self) -> Value {
        match &self.amount {
            None => Value::Null,
            Some(AmountSource::Signed { column }) => json!({
                "strategy": AmountStrategy::SignedAmount.as_str(),
                "amount_col_label": self.header(*column),
                "fee": self.columns.fee.map(|column| self.header(column)),
                "further_fees": self.columns.further_fees.iter().map(|column| self.header(*column))
                    .collect::<Vec<_>>(),
            }),
            Some(AmountSource::ByBalance { column }) => json!({
                "strategy": "by_balance",
                "amount_col_label": self.header(*column),
            }),
            Some(AmountSource::DebitCredit { debit, credit }) => json!({
                "strategy": "debit_credit",
                "debit_col_label": self.header(*debit),
                "credit_col_label": self.header(*credit),
            }),
            Some(AmountSource::Directed { amount, direction, inflow_value }) => json!({
                "strategy": AmountStrategy::CustomColumn.as_str(),
                "amount_col_label": self.header(*amount),
                "entity_type_col_label": self.header(*direction),
                "amount_type_inflow_value": inflow_value,
            }),
        }
    }
}
