//! Transactions of an account.

use serde::Deserialize;

use crate::Result;
use crate::error::Call;
use crate::snapshot::{RowProblem, StatedCurrency, TransactionSnapshot};
use crate::window::Part;
use crate::wire::{Rows, Scalar, body};

#[derive(Deserialize)]
struct Answer<'a> {
    #[serde(borrow)]
    transactions: Rows<'a>,
    #[serde(default)]
    total: Scalar,
    /// Nothing of the kind is documented; if it is there, the answer isn't whole.
    #[serde(default)]
    has_more: Scalar,
    #[serde(default)]
    next_cursor: Scalar,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Row {
    id: Scalar,
    amount: Scalar,
    currency: Scalar,
    date: Scalar,
    merchant: Scalar,
    description: Scalar,
    is_pending: Scalar,
}

/// Reads the transactions of an answer.
pub(super) fn read(bytes: &[u8]) -> Result<Part> {
    let answer: Answer<'_> = body(Call::Transactions, bytes)?;
    let (rows, unreadable) = answer.transactions.read(transaction);
    let has_more = answer.has_more.flag() || !answer.next_cursor.is_blank();
    Ok(Part { rows, unreadable, total: answer.total.count(), has_more, unwanted: 0 })
}

fn transaction(
    row: &Row,
) -> std::result::Result<TransactionSnapshot, (RowProblem, Option<String>)> {
    let id = row.id.id().map_err(|()| (RowProblem::Id, None))?;
    let problem = |problem| (problem, id.clone());
    let amount = row.amount.decimal().ok_or_else(|| problem(RowProblem::Amount))?;
    let moment = row.date.moment().ok_or_else(|| problem(RowProblem::Date))?;
    let currency = row.currency.currency();
    if currency == StatedCurrency::Unknown {
        return Err(problem(RowProblem::Currency));
    }
    Ok(TransactionSnapshot {
        id,
        amount,
        currency,
        date: moment.date,
        moment: moment.time,
        payee: row.merchant.label(),
        description: row.description.label(),
        pending: row.is_pending.flag(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(list: &str) -> Part {
        read(format!(r#"{{"transactions":[{list}],"total":1}}"#).as_bytes()).unwrap()
    }

    #[test]
    fn rows_are_read_in_every_form() {
        let part = rows(
            r#"{"id":"0af3","accountId":17,"amount":-12.34,"currency":"EUR","date":"2026-03-01",
                "merchant":"Shop","description":null,"isPending":false},
               {"id":"","amount":"-3.50","currency":"EUR","date":"2026-03-02T09:00:00+02:00",
                "merchant":" ","description":"CARD 12","isPending":"true"},
               {"id":null,"amount":"1e3","date":"2026-03-02","isPending":null},
               {"amount":0,"date":1772323200,"isPending":1}"#,
        );
        assert_eq!(part.unreadable, []);
        let short: Vec<_> = part
            .rows
            .iter()
            .map(|row| {
                let amount = row.amount.to_string();
                (row.id.as_deref(), amount, row.date.to_string(), row.pending)
            })
            .collect();
        let expected = [
            (Some("0af3"), "-12.34", "2026-03-01", false),
            (None, "-3.5", "2026-03-02", true),
            (None, "1000", "2026-03-02", false),
            (None, "0", "2026-03-01", true),
        ]
        .map(|(id, amount, date, pending)| (id, amount.to_owned(), date.to_owned(), pending));
        assert_eq!(short, expected);
        assert_eq!(part.rows[0].payee.as_deref(), Some("Shop"));
        assert_eq!(part.rows[1].payee, None);
        assert_eq!(part.rows[2].currency, StatedCurrency::Absent);
    }

    #[test]
    fn rows_that_cannot_be_read_are_named_and_the_others_stay() {
        let part = rows(
            r#"{"id":"a","amount":"12,50","date":"2026-03-01"},
               {"id":"b","amount":1,"date":"soon"},
               {"id":"c","amount":1,"date":"2026-03-01","currency":"ZZZ"},
               {"id":{"x":1},"amount":1,"date":"2026-03-01"},
               7,
               {"id":"d","amount":1,"date":"2026-03-01"}"#,
        );
        assert_eq!(part.rows.len(), 1);
        let problems: Vec<_> =
            part.unreadable.iter().map(|row| (row.id.as_deref(), row.problem)).collect();
        assert_eq!(
            problems,
            [
                (Some("a"), RowProblem::Amount),
                (Some("b"), RowProblem::Date),
                (Some("c"), RowProblem::Currency),
                (None, RowProblem::Id),
                (None, RowProblem::Shape),
            ]
        );
    }

    #[test]
    fn what_reports_more_rows_is_recognised() {
        let more = |rest: &str| {
            let part = read(format!(r#"{{"transactions":[]{rest}}}"#).as_bytes()).unwrap();
            (part.total, part.has_more)
        };
        assert_eq!(more(""), (None, false));
        assert_eq!(more(r#","total":"7""#), (Some(7), false));
        assert_eq!(more(r#","total":-1,"has_more":false,"next_cursor":null"#), (None, false));
        assert_eq!(more(r#","has_more":true"#), (None, true));
        assert_eq!(more(r#","next_cursor":"abc""#), (None, true));
    }
}
