//! Lines that are no rows: totals, closing balances, remarks of the bank.
//!
//! Such a line is passed over and counted apart. In doubt it is a row, and an invalid one: a
//! transaction must not vanish because it looks odd. So only four shapes count. Where the date
//! cell is no date (which the caller knows): a single cell of words, a line that starts with a
//! word for a sum, and the header once more, as on each page of a printed statement. And with a
//! date: a line without any amount that names a balance, which is carried forward.

use std::sync::LazyLock;

use super::header_names::known_key;
use crate::import::cells::Cells;
use crate::limits::HEADER_CHARS_MAX;

/// Words that a total starts with, folded.
#[rustfmt::skip]
pub(super) const TOTALS: &[&str] = &[
    "total", "totals", "totale", "totali", "totaal", "totalt", "totais", "totales", "toplam",
    "genel toplam", "ara toplam", "grand total", "subtotal", "sub total", "sum", "sums", "summe",
    "summa", "suma", "somme", "soma", "gesamt", "gesamtsumme", "gesamtbetrag", "zwischensumme",
    "razem", "lacznie", "celkem", "spolu", "soucet", "osszesen", "mindosszesen", "yhteensa",
    "valisumma", "kokku", "i alt", "ialt", "sammanlagt", "delsumma", "ogolem", "podsumowanie",
    "ukupno", "kaive", "apgrozijums", "apyvarta", "totaux", "sous total", "totale generale",
    "total general", "total geral", "kopa",
    "iš viso", "viso", "итого", "всего", "усього", "разом", "всього", "підсумок", "σύνολο",
    "合計", "小計", "総計", "总计", "合计", "小计", "總計", "합계",
    "סה כ", "סך הכל", "المجموع", "الإجمالي", "รวม", "ยอดรวม", "tổng", "tổng cộng",
    // How many there were.
    "number of transactions", "number of records", "transaction count", "anzahl buchungen",
    "anzahl umsatze", "nombre d operations", "nombre d ecritures", "numero de movimientos",
    "numero movimenti", "numero de movimentos", "aantal transacties", "liczba operacji",
    "liczba transakcji", "pocet transakci", "pocet pohybu", "pocet polozek", "antal transaktioner",
    "tapahtumia yhteensa", "tetelek szama", "islem sayisi",
];

/// Words that a balance starts with, folded.
#[rustfmt::skip]
pub(super) const BALANCES: &[&str] = &[
    "saldo", "saldi", "solde", "soldes", "bakiye", "sold", "kontostand", "anfangskontostand",
    "endkontostand", "endsaldo", "alter kontostand", "neuer kontostand", "anfangssaldo",
    "anfangsbestand", "endbestand", "alter saldo",
    "neuer saldo", "saldovortrag", "ubertrag", "balance", "opening balance", "closing balance",
    "ending balance", "beginning balance", "starting balance", "final balance", "account balance",
    "available balance", "previous balance", "current balance", "brought forward",
    "balance brought forward", "balance carried forward", "carried forward", "ancien solde",
    "nouveau solde", "report", "zustatek", "pocatecni zustatek", "konecny zustatek", "zostatok",
    "pociatocny zostatok", "konecny zostatok", "stav uctu", "egyenleg", "nyitoegyenleg",
    "zaroegyenleg", "nyito egyenleg", "zaro egyenleg", "ingaende saldo", "utgaende saldo",
    "slutsaldo", "startsaldo", "begynnelsesaldo", "primosaldo", "ultimosaldo", "inngaende saldo",
    "alkusaldo", "loppusaldo", "beginsaldo", "eindsaldo", "begin saldo", "eind saldo",
    "oud saldo", "nieuw saldo", "saldo poczatkowe", "saldo koncowe", "saldo contabilistico",
    "saldo contabile",
    "saldo contable", "saldo disponivel", "saldo disponible", "saldo disponibile",
    "algsaldo", "loppsaldo", "sakuma atlikums", "beigu atlikums", "likutis pradziai",
    "likutis pabaigai", "pradinis likutis", "galutinis likutis", "onceki bakiye",
    "devreden bakiye", "donem sonu bakiyesi", "devir", "sold initial", "sold final",
    "остаток", "входящий остаток", "исходящий остаток", "баланс", "залишок", "вхідний залишок",
    "вихідний залишок", "残高", "前月残高", "繰越残高", "繰越", "前期繰越", "余额", "期初余额", "期末余额",
    "餘額", "期初餘額", "期末餘額", "잔액", "次月繰越", "이월잔액", "기초잔액", "기말잔액", "최종잔액",
    "υπολοιπο", "αρχικο υπολοιπο", "τελικο υπολοιπο", "προηγουμενο υπολοιπο", "νεο υπολοιπο",
    "יתרה", "יתרת פתיחה", "יתרת סגירה", "الرصيد", "الرصيد الافتتاحي", "الرصيد الختامي",
    "ยอดยกมา", "ยอดยกไป", "ยอดคงเหลือ", "số dư", "số dư đầu kỳ", "số dư cuối kỳ",
];

/// The words of both lists, folded for comparison.
static TOTAL_KEYS: LazyLock<Vec<String>> =
    LazyLock::new(|| TOTALS.iter().chain(BALANCES).map(|word| known_key(word)).collect());
static BALANCE_KEYS: LazyLock<Vec<String>> =
    LazyLock::new(|| BALANCES.iter().map(|word| known_key(word)).collect());

/// Letters that make a single cell a remark rather than a broken row.
const REMARK_LETTERS: usize = 3;

/// Whether a record without a date in its date cell is plainly no row.
pub(in crate::import) fn is_footer(cells: Cells<'_>, date: usize, amounts: &[usize]) -> bool {
    let mut filled = (0..cells.len()).filter(|column| !cells.get(*column).is_empty());
    let Some(first) = filled.next() else { return true };
    let is_alone = filled.next().is_none();
    let is_amount = amounts.contains(&first);
    if is_alone && !is_amount {
        let cell = cells.get(first);
        return cell.chars().filter(|c| c.is_alphabetic()).count() >= REMARK_LETTERS;
    }
    // Words with a number behind them are no amount, whatever column they stand in.
    let is_label = !is_amount || (!is_alone && !has_digit(cells.get(first)));
    // A total stands before everything else, in the date's place or after a blank date.
    (first == date || cells.get(date).is_empty()) && is_label && starts_with_total(cells.get(first))
}

fn has_digit(cell: &str) -> bool {
    cell.bytes().any(|byte| byte.is_ascii_digit())
}

/// Whether a record is the header once more: the same words, and nothing behind them.
pub(in crate::import) fn repeats_header(cells: Cells<'_>, headers: &[String]) -> bool {
    let is_same = |(column, header): (usize, &String)| {
        let (cell, header) = (cells.get(column), header.trim());
        cell == header || (cell.len() > header.len() && cell.starts_with(header) && is_cut(header))
    };
    // The header's first cells may be blank, but not all of them.
    cells.iter().filter(|cell| !cell.is_empty()).nth(1).is_some()
        && headers.iter().enumerate().all(is_same)
        && (headers.len()..cells.len()).all(|column| cells.get(column).is_empty())
}

/// Whether a header is as long as one may be that is kept, so that it may have been longer.
fn is_cut(header: &str) -> bool {
    header.chars().nth(HEADER_CHARS_MAX - 1).is_some()
}

/// Whether a record with a date, but without any amount, only names a balance.
pub(super) fn is_balance<'a>(mut texts: impl Iterator<Item = &'a str>) -> bool {
    texts.any(|cell| !cell.is_empty() && starts_with(cell, &BALANCE_KEYS))
}

fn starts_with_total(cell: &str) -> bool {
    starts_with(cell, &TOTAL_KEYS)
}

fn starts_with(cell: &str, words: &[String]) -> bool {
    let key = known_key(cell);
    words.iter().any(|word| {
        key.strip_prefix(word.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
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
            "Alter Kontostand;;1.000,00 EUR",
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

    #[test]
    fn a_header_is_repeated_only_as_a_whole() {
        let headers = ["Date", "", "Amount"].map(str::to_owned);
        let repeats = |line: &str| {
            let cells: CellsBuf = line.split(';').collect();
            repeats_header(cells.as_cells(), &headers)
        };
        assert!(repeats("Date;;Amount") && repeats(" Date ;; Amount;;"));
        assert!(!repeats("Date;x;Amount") && !repeats("Date;;") && !repeats("Date;;Amount;more"));
        assert!(!repeats_header(Cells::new("", &[]), &[]));
        let long = ["Date".to_owned(), "x".repeat(HEADER_CHARS_MAX)];
        let cells: CellsBuf = ["Date", &"x".repeat(HEADER_CHARS_MAX + 9)].into_iter().collect();
        assert!(repeats_header(cells.as_cells(), &long));
    }

    #[test]
    fn a_balance_is_no_name_of_a_shop() {
        let is = |cell: &str| is_balance([cell].into_iter());
        assert!(is("Balance brought forward") && is("SALDO ANTERIOR") && is("余额"));
        assert!(!is("New Balance") && !is("Total") && !is("Saldoni") && !is(""));
    }
}
