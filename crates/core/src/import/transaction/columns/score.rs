//! How much a record looks like the header of a file of transactions.

use crate::import::columns::label_key;
use crate::import::settings::Labels;
use crate::import::transaction::header_names::{Role, known};

/// How much a record looks like the header: labels that were sent count most, then the number of
/// different things that its cells are known to name.
pub(in crate::import::transaction) fn header_score(cells: &[String], labels: &Labels) -> usize {
    let wanted: Vec<String> = labels.each().map(label_key).collect();
    let mut roles = Vec::new();
    let mut labelled = 0;
    for cell in cells {
        if !wanted.is_empty() && wanted.contains(&label_key(cell)) {
            labelled += 1;
        }
        if let Some((role, _)) = known(cell)
            && !roles.contains(&role)
        {
            roles.push(role);
        }
    }
    // A day and an amount make a header; a table of accounts above it may know more words.
    let has = |role| roles.contains(&role);
    let is_whole =
        has(Role::Date) && [Role::Amount, Role::Debit, Role::Credit].into_iter().any(has);
    4 * labelled + roles.len() + if is_whole { 4 } else { 0 }
}

impl Labels {
    /// Those that a file of transactions has, as far as they were sent.
    fn each(&self) -> impl Iterator<Item = &str> {
        let labels = [
            &self.date,
            &self.amount,
            &self.name,
            &self.category,
            &self.tags,
            &self.notes,
            &self.account,
            &self.entity_type,
            &self.currency,
            &self.balance,
        ];
        let pair = ["debit_col_label", "credit_col_label"].iter();
        let pair = pair.filter_map(|name| self.more.get(*name)).map(String::as_str);
        labels.into_iter().filter_map(Option::as_deref).chain(pair)
    }
}
