//! Mint: transactions of all accounts in one CSV, the format of which doesn't change any more.
//!
//! ```text
//! "Date","Description","Original Description","Amount","Transaction Type","Category",
//! "Account Name","Labels","Notes"
//! ```
//!
//! Amounts have no sign; the type is `debit` or `credit`. Labels stand with spaces between them.
//! Transfers have a category and no other account, so both sides are transactions that are matched
//! like those of banks.

use std::io::{Read, Write};

use purser_core::import::register::{Amounts, Program};
use purser_core::text::label::name_key;

use super::RewriteError;
use super::register::{Entry, Register};
use super::table;

const DATE: &[&str] = &["date"];
const PAYEE: &[&str] = &["description"];
const ORIGINAL: &[&str] = &["original description"];
const AMOUNT: &[&str] = &["amount"];
const DIRECTION: &[&str] = &["transaction type"];
const CATEGORY: &[&str] = &["category"];
const ACCOUNT: &[&str] = &["account name"];
const LABELS: &[&str] = &["labels"];
const NOTES: &[&str] = &["notes"];
const CURRENCY: &[&str] = &["currency"];

/// The category of transactions that have none.
const NO_CATEGORY: &str = "uncategorized";

/// The columns that every export has.
pub(super) const REQUIRED: [&[&str]; 5] = [DATE, PAYEE, AMOUNT, DIRECTION, ACCOUNT];

pub(super) fn rewrite(input: impl Read, output: impl Write) -> Result<(), RewriteError> {
    let mut table = table::open(input, Program::Mint.as_str(), &REQUIRED)?;
    let columns =
        [DATE, PAYEE, ORIGINAL, AMOUNT, DIRECTION, CATEGORY, ACCOUNT, LABELS, NOTES, CURRENCY]
            .map(|names| table.column(names));
    let mut register = Register::begin(output, Amounts::Directed)?;
    while let Some(record) = table.read()? {
        let cells = columns.map(|column| column.map_or("", |column| record.cells.get(column)));
        let [date, payee, original, amount, way, category, account, labels, notes, currency] =
            cells;
        register.push(&Entry {
            line: record.line,
            account,
            date,
            payee,
            category: if name_key(category) == NO_CATEGORY { "" } else { category },
            tags: &tags(labels),
            notes: &with_original(notes, original, payee),
            currency,
            amounts: &[amount, way],
            ..Entry::default()
        })?;
    }
    register.finish().map_err(RewriteError::Io)
}

/// Labels have spaces between them, unless something else separates them.
fn tags(labels: &str) -> String {
    if labels.contains([',', ';', '|']) {
        return labels.to_owned();
    }
    super::register::tags(labels.split_whitespace())
}

/// The notes, and what the bank had called the transaction, if that is something else.
fn with_original(notes: &str, original: &str, payee: &str) -> String {
    let is_known = original.is_empty() || name_key(original) == name_key(payee);
    match (notes.is_empty(), is_known) {
        (_, true) => notes.to_owned(),
        (true, false) => original.to_owned(),
        (false, false) => format!("{notes}; {original}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::programs::testing::rewritten;

    const HEADER: &str = "\"Date\",\"Description\",\"Original Description\",\"Amount\",\
         \"Transaction Type\",\"Category\",\"Account Name\",\"Labels\",\"Notes\"\n";

    fn records(rows: &str) -> Vec<Vec<String>> {
        rewritten(Program::Mint, format!("{HEADER}{rows}").as_bytes()).unwrap()
    }

    #[test]
    fn a_record_is_kept_as_it_was_written() {
        let rows = "\"5/26/2014\",\"Coffee\",\"SQ *COFFEE 123\",\"4.50\",\"debit\",\
             \"Coffee Shops\",\"Checking\",\"work travel\",\"with Ann\"\n";
        let records = records(rows);
        assert_eq!(
            records[1],
            [
                "2",
                "",
                "Checking",
                "5/26/2014",
                "Coffee",
                "Coffee Shops",
                "work,travel",
                "with Ann; SQ *COFFEE 123",
                "",
                "",
                "",
                "",
                "4.50",
                "debit"
            ]
        );
        assert_eq!(records[0].len(), records[1].len());
    }

    #[test]
    fn labels_are_divided_by_spaces_unless_something_else_divides_them() {
        for (labels, expected) in [
            ("", ""),
            ("one", "one"),
            ("one  two", "one,two"),
            ("summer trip, tax", "summer trip, tax"),
            ("a\\b c", "a\\\\b,c"),
        ] {
            assert_eq!(tags(labels), expected, "{labels:?}");
        }
    }

    #[test]
    fn marks_separators_and_lines_before_the_header_make_no_difference() {
        let row = "1/2/2024;A;A;1;credit;Uncategorized;Cash;;\n";
        let header = HEADER.replace(',', ";");
        let text = format!("\u{feff}Transactions\n{header}{row}");
        let records = rewritten(Program::Mint, text.as_bytes()).unwrap();
        assert_eq!(records[1][..6], ["3", "", "Cash", "1/2/2024", "A", ""]);
        let tab = format!("{header}{row}").replace(';', "\t");
        assert_eq!(rewritten(Program::Mint, tab.as_bytes()).unwrap()[1][2], "Cash");
    }

    #[test]
    fn another_table_is_refused_with_what_it_lacks() {
        let text = "Date,Description,Amount,Account Name\n1/2/2024,A,1,Cash\n";
        let refused = rewritten(Program::Mint, text.as_bytes()).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "this is no export of Mint: no line of it has the column \"transaction type\""
        );
    }

    #[test]
    fn a_quote_that_is_never_closed_is_named() {
        let refused = rewritten(Program::Mint, format!("{HEADER}\"1/2/2024,A\n").as_bytes());
        assert!(matches!(refused, Err(RewriteError::Broken(_))), "{refused:?}");
    }
}
