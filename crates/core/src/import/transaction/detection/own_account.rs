//! The account of the rows of a file without a header.
//!
//! Beside the other party's account a column may have the own one, and nothing names either. It is
//! taken only if every row has an account there that the family has, by its name or by a name that
//! stood for it in an earlier file.

use std::collections::HashSet;

use crate::import::cells::Cells;
use crate::import::kind::Context;
use crate::import::layout::Layout;
use crate::import::settings::Settings;
use crate::import::transaction::balance::readings::columns_of;
use crate::text::label::name_key;

/// Columns in which every row has an account that is known, so far.
#[derive(Debug)]
pub(super) struct OwnAccount {
    columns: Vec<usize>,
    /// The keys of names of accounts.
    known: HashSet<String>,
    rows: usize,
}

impl OwnAccount {
    /// The columns that nothing takes, if an account is wanted.
    pub(super) fn of(layout: &Layout, settings: &Settings, context: Context<'_>) -> Option<Self> {
        let is_wanted = layout.shape.is_some()
            && context.account.is_none()
            && layout.columns.account.is_none()
            && settings.labels.account.is_none();
        if !is_wanted || context.account_currencies.is_empty() {
            return None;
        }
        let amounts = layout.amount.as_ref().map(columns_of);
        let names = &layout.columns.names;
        // A text that is no better name than another one may be the name of an account.
        let is_open = |column: &usize| {
            (!layout.columns.uses(*column) || names.iter().skip(1).any(|name| name == column))
                && !amounts.is_some_and(|amounts| amounts.contains(column))
        };
        Some(Self {
            columns: (0..layout.headers.len()).filter(is_open).collect(),
            known: context.account_currencies.keys().cloned().collect(),
            rows: 0,
        })
    }

    /// Looks at a row.
    pub(super) fn observe(&mut self, cells: Cells<'_>) {
        self.rows += 1;
        self.columns.retain(|column| self.known.contains(&name_key(cells.get(*column))));
    }

    /// Takes the column, if there is only one.
    pub(super) fn finish(self, layout: &mut Layout) {
        let [column] = self.columns[..] else { return };
        if self.rows == 0 {
            return;
        }
        layout.columns.account = Some(column);
        layout.columns.names.retain(|name| *name != column);
        layout.columns.other_texts.retain(|other| *other != column);
        layout.columns.notes = layout.columns.notes.filter(|notes| *notes != column);
        for list in [&mut layout.found, &mut layout.found_by_content] {
            list.push("account_col_label".to_owned());
        }
    }
}
