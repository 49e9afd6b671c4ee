//! The words of banks for money that came in or went out.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::header_names::known_key;

/// The direction of money, as seen from the account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::import) enum Direction {
    In,
    Out,
}

/// The direction that a cell names, if it is one of the words that leave no doubt.
pub(in crate::import) fn direction(cell: &str) -> Option<Direction> {
    match cell {
        "+" => return Some(Direction::In),
        "-" | "−" => return Some(Direction::Out),
        _ => {}
    }
    let is_word = |word: &&&str| cell.eq_ignore_ascii_case(word);
    if cell.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        // The usual case, without making a key.
        return IN
            .iter()
            .find(is_word)
            .map(|_| Direction::In)
            .or_else(|| OUT.iter().find(is_word).map(|_| Direction::Out));
    }
    BY_KEY.get(known_key(cell).as_str()).copied()
}

static BY_KEY: LazyLock<HashMap<String, Direction>> = LazyLock::new(|| {
    let of = |words: &'static [&str], way| words.iter().map(move |word| (known_key(word), way));
    of(IN, Direction::In).chain(of(OUT, Direction::Out)).collect()
});

#[rustfmt::skip]
const IN: &[&str] = &[
    "credit", "cr", "c", "k", "kredits", "kreedit", "kreditas", "crdt", "in", "inflow", "income",
    "deposit", "money in", "credited",
    "incoming", "received", "paid in",
    "haben", "h", "eingang", "gutschrift", "einnahme", "einzahlung", "zahlungseingang",
    "recette", "encaissement", "entree", "au credit",
    "abono", "haber", "credito", "ingreso", "entrada", "deposito", "ingresos",
    "avere", "entrata", "accredito", "entrate", "receita", "a credito",
    "bij", "bijschrijving", "inkomsten",
    "insattning", "inkomst", "inbetalning", "indtaegt", "ind", "indbetaling", "indsat", "inn",
    "innbetaling", "inntekt", "innskudd", "pano", "tulo", "hyvitys",
    "uznanie", "uznania", "ma", "wplyw", "wplata", "przychod", "przychodzacy", "przychodzaca",
    "kredit", "prijem", "prichozi", "prichozi platba", "prijata platba", "ve prospech", "vklad",
    "prichadzajuca", "v prospech", "jovairas", "bevetel", "bejovo", "j",
    "alacak", "gelir", "giris", "gelen", "intrare", "incasare",
    "приход", "кредит", "зачисление", "поступление", "пополнение", "доход", "входящий",
    "прихід", "дохід", "надходження", "зарахування", "поповнення",
    "入金", "収入", "預入", "入", "收入", "收", "贷", "贷方", "貸", "貸方", "入账", "入帳", "存入", "转入",
    "存款", "입금",
    "πιστωση", "πιστωσεις", "π", "זכות", "הפקדה", "הכנסה", "دائن", "إيداع", "ฝาก", "ฝากเงิน",
    "เครดิต",
    "có", "ghi có", "pemasukan", "setoran",
];

#[rustfmt::skip]
const OUT: &[&str] = &[
    "debit", "dr", "d", "debets", "deebet", "debetas", "dbit", "out", "outflow", "expense",
    "withdrawal", "money out", "debited",
    "outgoing", "spent", "paid out",
    "soll", "s", "ausgang", "belastung", "lastschrift", "ausgabe", "auszahlung",
    "zahlungsausgang", "depense", "decaissement", "sortie", "au debit",
    "cargo", "debe", "debito", "gasto", "salida", "egreso", "retiro", "gastos",
    "dare", "uscita", "addebito", "uscite", "saida", "despesa", "a debito",
    "af", "debet", "afschrijving", "uitgave", "uitgaven",
    "uttag", "utgift", "utbetalning", "udgift", "ud", "udbetaling", "haevet", "ut", "utbetaling",
    "uttak", "otto", "meno", "veloitus",
    "obciazenie", "obciazenia", "wn", "wydatek", "wyplata", "rozchod", "wychodzacy",
    "wychodzaca", "vydaj", "vydej", "vydavok", "odchozi", "odchozi platba", "odeslana platba",
    "na vrub", "vyber", "odchadzajuca", "na tarchu", "terheles", "kiadas", "kimeno", "t",
    "borc", "gider", "cikis", "giden", "iesire", "plata",
    "расход", "дебет", "списание", "исходящий", "витрата", "видаток", "списання",
    "出金", "支出", "引出", "出", "支", "借", "借方", "出账", "出帳", "转出", "取款", "支取", "출금",
    "χρεωση", "χρεωσεις", "χ", "חובה", "משיכה", "הוצאה", "مدين", "سحب", "ถอน", "ถอนเงิน", "เดบิต",
    "nợ", "ghi nợ", "db", "pengeluaran", "penarikan",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_understood_in_any_case_and_none_is_both() {
        for (cell, expected) in [
            ("Credit", Some(Direction::In)),
            ("CRDT", Some(Direction::In)),
            ("Dr.", Some(Direction::Out)),
            ("Crédit", Some(Direction::In)),
            ("Af", Some(Direction::Out)),
            ("-", Some(Direction::Out)),
            ("Расход", Some(Direction::Out)),
            ("Прихід", Some(Direction::In)),
            ("收入", Some(Direction::In)),
            ("Jóváírás", Some(Direction::In)),
            ("Příchozí", Some(Direction::In)),
            ("Einsatz", None),
            ("pending", None),
            ("", None),
        ] {
            assert_eq!(direction(cell), expected, "{cell}");
        }
        assert!(IN.iter().all(|word| !OUT.contains(word)));
        let folded = |word: &&&str| known_key(word) == **word || !word.is_ascii();
        assert!(IN.iter().chain(OUT).all(|word| folded(&word)));
    }
}
