//! Lines that are no rows: totals, closing balances, remarks of the bank.
//!
//! Such a line is passed over and counted apart. In doubt it is a row, and an invalid one: a
//! transaction must not vanish because it looks odd. So only two shapes count, and only where the
//! date cell is no date (which the caller knows): a single cell of words, and a line without a
//! date that starts with a word for a sum.

use super::cells::Cells;
use super::header_names::known_key;

/// Words that a total starts with, folded.
#[rustfmt::skip]
const TOTALS: &[&str] = &[
    "total", "totals", "totale", "totali", "totaal", "totalt", "toplam", "grand total", "subtotal",
    "sub total", "sum", "sums", "summe", "summa", "suma", "somme", "soma", "gesamt", "gesamtsumme",
    "zwischensumme", "razem", "celkem", "osszesen", "yhteensa", "kokku", "i alt", "sammanlagt",
    "ogolem", "ukupno", "spolu", "saldo", "saldi", "solde", "bakiye", "sold", "kontostand",
    "endsaldo", "anfangssaldo", "balance", "opening balance", "closing balance", "ending balance",
    "beginning balance", "starting balance", "final balance", "account balance",
    "available balance", "zustatek", "zarobene saldo", "egyenleg", "nyitoegyenleg", "zaroegyenleg",
    "ingaende saldo", "utgaende saldo", "slutsaldo", "begynnelsesaldo", "итого", "合計", "总计",
];

/// Letters that make a single cell a remark rather than a broken row.
const REMARK_LETTERS: usize = 3;

/// Whether a record whose date cell is not a date is plainly no row.
pub(super) fn is_footer(cells: Cells<'_>, date: usize, amounts: &[usize]) -> bool {
    let mut filled = (0..cells.len()).filter(|column| !cells.get(*column).is_empty());
    let Some(first) = filled.next() else { return true };
    if filled.next().is_none() && !amounts.contains(&first) {
        let cell = cells.get(first);
        return cell.chars().filter(|c| c.is_alphabetic()).count() >= REMARK_LETTERS;
    }
    // A total stands before everything else, in the date's place or after a blank date.
    (first == date || cells.get(date).is_empty())
        && !amounts.contains(&first)
        && starts_with_total(cells.get(first))
}

fn starts_with_total(cell: &str) -> bool {
    let key = known_key(cell);
    TOTALS.iter().any(|total| {
        key.strip_prefix(total).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::cells::CellsBuf;

    /// Columns: date, name, amount.
    fn footer(line: &str) -> bool {
        let cells: CellsBuf = line.split(';').collect();
        is_footer(cells.as_cells(), 0, &[2])
    }

    #[test]
    fn totals_and_remarks_are_no_rows() {
        for line in [
            "Total;;123.45",
            "TOTAL:;3 transactions;123.45",
            ";Total;123.45",
            ";Closing balance;1,000.00",
            ";Összesen;12",
            "Saldo final;;1.234,56",
            "Kontostand vom 01.02.2024;;12,00",
            "End of statement",
            "* Pending transactions are not shown;;",
            ";;",
        ] {
            assert!(footer(line), "{line}");
        }
    }

    #[test]
    fn in_doubt_it_is_a_row() {
        for line in [
            ";Coffee;3.50",
            "31/02/2024;Coffee;3.50",
            "31/02/2024;;",
            ";;12.00",
            ";;Total",
            "12;;",
            "pending;Coffee;3.50",
            "tomorrow;Total Wine;12.00",
            ";Totally Spies;12.00",
        ] {
            assert!(!footer(line), "{line}");
        }
    }
}
