//! Transactions as lists show them: by day, newest first.

use jiff::civil::Date;
use purser_app::transactions::Transaction;
use purser_core::transfers::TransferStatus;

use crate::web::view::{self, Amount};

/// A day and its transactions.
pub(crate) struct Day {
    /// The day, such as `17 May 2024`.
    pub(crate) title: String,
    /// Whether the day is after today.
    pub(crate) future: bool,
    /// The last one added first.
    pub(crate) rows: Vec<Row>,
}

/// A transaction of a list.
pub(crate) struct Row {
    /// Where it can be changed; knows the way back.
    pub(crate) link: String,
    /// What it is called.
    pub(crate) name: String,
    /// The account, and what the transaction was for.
    pub(crate) detail: String,
    /// The names of its tags.
    pub(crate) tags: Vec<String>,
    /// Money in is positive.
    pub(crate) amount: Amount,
    /// Authorised, not yet posted.
    pub(crate) pending: bool,
}

/// Whether a list names the account of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Of {
    /// All are of the same account.
    OneAccount,
    /// An account of any type.
    AnyAccount,
}

/// Puts a page of a list together by day; `back` is the address of the list.
pub(crate) fn by_day(found: Vec<Transaction>, of: Of, back: &str, today: Date) -> Vec<Day> {
    let back: String = form_urlencoded::byte_serialize(back.as_bytes()).collect();
    let mut days: Vec<Day> = Vec::new();
    for transaction in found {
        let title = view::day(transaction.date);
        let future = transaction.date > today;
        let row = row(transaction, of, &back);
        match days.last_mut() {
            Some(day) if day.title == title => day.rows.push(row),
            _ => days.push(Day { title, future, rows: vec![row] }),
        }
    }
    days
}

fn row(transaction: Transaction, of: Of, back: &str) -> Row {
    let mut detail = Vec::new();
    if of == Of::AnyAccount {
        detail.push(transaction.account.name);
    }
    detail.extend(transaction.category.map(|category| category.name));
    if let Some(other) = transaction.transfer {
        let towards = if transaction.amount < 0 { "from" } else { "to" };
        let perhaps = if other.status == TransferStatus::Pending { "perhaps " } else { "" };
        detail.push(format!("{perhaps}{towards} {}", other.account.name));
    }
    Row {
        link: format!("/transactions/{}?back={back}", transaction.id),
        amount: Amount::of_entry(transaction.amount, transaction.currency),
        name: transaction.name,
        detail: detail.join(" · "),
        tags: transaction.tags.into_iter().map(|tag| tag.name).collect(),
        pending: transaction.pending,
    }
}
