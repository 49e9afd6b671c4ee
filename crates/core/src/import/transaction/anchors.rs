//! Lines with an amount that are no movement of money: balances before and after the rows, totals.
//!
//! A name that leaves no doubt (`Opening balance`, `Saldo am 31.12.2025`) makes a line an anchor:
//! it is left out with that reason, and balances are compared with the rows ([`super::stated`]). A
//! word alone that could be a shop's too (`Total`, `Saldo`) is a doubt, which a person decides.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::footer::{BALANCES, TOTALS};
use super::header_names::known_key;
use crate::import::left_out::AnchorKind;

/// What the name of a row makes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    /// It is a balance or a total.
    Anchor(AnchorKind),
    /// It may be one, or something with that name.
    Doubt,
}

/// What a name is, if it is that of a balance or a total. Millions of names pass through, so most
/// are recognised as something else by their first letters.
pub(super) fn named(name: &str) -> Option<Named> {
    if !may_be_named(name) {
        return None;
    }
    let key = key_of(name);
    for (kind, keys) in ANCHOR_KEYS.iter() {
        if keys.iter().any(|phrase| is_phrase(&key, phrase)) {
            return Some(Named::Anchor(*kind));
        }
    }
    if let Some(rest) = BALANCE_WORDS.iter().find_map(|word| key.strip_prefix(word.as_str()))
        && rest.contains(|c: char| c.is_ascii_digit())
        && is_when(rest)
    {
        return Some(Named::Anchor(AnchorKind::Balance));
    }
    DOUBTFUL.contains(&key).then_some(Named::Doubt)
}

/// Which balance or total a name is, if it leaves no doubt.
pub fn kind_of(name: &str) -> Option<AnchorKind> {
    match named(name)? {
        Named::Anchor(kind) => Some(kind),
        Named::Doubt => None,
    }
}

/// Whether a name is that of an opening balance, without doubt.
pub fn names_opening(name: &str) -> bool {
    kind_of(name) == Some(AnchorKind::Opening)
}

/// How many letters of a name show that it is something else.
const HEAD_CHARS: usize = 4;
/// More letters with spaces between them are a word.
const LETTERS_APART_MIN: usize = 3;
/// A longer name is a text about something.
const NAME_BYTES_MAX: usize = 120;

fn may_be_named(name: &str) -> bool {
    if name.len() > NAME_BYTES_MAX {
        return false;
    }
    if let Some(head) = name.as_bytes().first_chunk::<HEAD_CHARS>()
        && head.iter().all(u8::is_ascii_alphabetic)
    {
        return PLAIN_HEADS.contains(&head.map(|byte| byte.to_ascii_lowercase()));
    }
    // With accents or quotation marks in front, the key has the letters.
    let end = name.char_indices().nth(2 * HEAD_CHARS).map_or(name.len(), |(at, _)| at);
    let head = head_of(&key_of(&name[..end]));
    head.chars().count() < HEAD_CHARS
        || HEADS.contains(&head)
        || SHORT_HEADS.iter().any(|short| head.starts_with(short.as_str()))
}

/// The key of a name, also of one with a space behind each letter: `S A L D O`.
fn key_of(name: &str) -> String {
    let key = known_key(name);
    let mut words = key.split(' ');
    if key.len() > 2 * LETTERS_APART_MIN && words.all(|word| word.chars().count() == 1) {
        return key.split(' ').collect();
    }
    key
}

fn head_of(key: &str) -> String {
    key.chars().take(HEAD_CHARS).collect()
}

/// The first letters of the keys of all names.
static HEADS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let phrases = ANCHOR_KEYS.iter().flat_map(|(_, keys)| keys);
    phrases.chain(BALANCE_WORDS.iter()).chain(DOUBTFUL.iter()).map(|key| head_of(key)).collect()
});

/// Names that are shorter than that.
static SHORT_HEADS: LazyLock<Vec<&String>> =
    LazyLock::new(|| HEADS.iter().filter(|head| head.chars().count() < HEAD_CHARS).collect());

/// Heads of names that are plain.
static PLAIN_HEADS: LazyLock<HashSet<[u8; HEAD_CHARS]>> = LazyLock::new(|| {
    HEADS.iter().filter_map(|head| head.as_bytes().first_chunk().copied()).collect()
});

/// Whether a key is the phrase, with nothing but a day, an amount or a currency behind it.
fn is_phrase(key: &str, phrase: &str) -> bool {
    key.strip_prefix(phrase).is_some_and(|rest| rest.is_empty() || is_when(rest))
}

/// Whether words behind a phrase only state a time or an amount.
fn is_when(rest: &str) -> bool {
    rest.starts_with(' ')
        && rest
            .split_whitespace()
            .all(|word| word.contains(|c: char| c.is_ascii_digit()) || BESIDE.contains(&word))
}

/// Words that stand beside a day or an amount.
#[rustfmt::skip]
const BESIDE: &[&str] = &[
    "as", "of", "on", "at", "per", "from", "to", "am", "vom", "zum", "im", "au", "du", "le", "al",
    "a", "del", "de", "dia", "em", "op", "van", "den", "pr", "pa", "dato", "na", "dzien", "k", "ke",
    "dni", "ku", "dnu", "la", "data", "на", "за", "dnia", "do", "the", "eur", "usd", "gbp", "chf",
    "pln", "czk", "sek", "nok", "dkk", "huf", "ron", "try", "rub", "uah", "cad", "aud", "brl",
    "account", "konto", "compte", "cuenta", "conto",
];

type Phrases = (AnchorKind, &'static [&'static str]);

static ANCHOR_KEYS: LazyLock<Vec<(AnchorKind, Vec<String>)>> = LazyLock::new(|| {
    let keys = |phrases: &[&str]| phrases.iter().map(|phrase| known_key(phrase)).collect();
    ANCHORS.iter().map(|(kind, phrases)| (*kind, keys(phrases))).collect()
});

/// Words for a balance, which need a day beside them.
static BALANCE_WORDS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let words = [
        "balance",
        "account balance",
        "saldo",
        "kontostand",
        "solde",
        "sold",
        "bakiye",
        "zustatek",
        "zostatok",
        "egyenleg",
        "остаток",
        "залишок",
        "баланс",
    ];
    words.iter().map(|word| known_key(word)).collect()
});

/// Words that are a balance or a total, or the name of somebody.
static DOUBTFUL: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let words = TOTALS.iter().chain(BALANCES).map(|word| known_key(word));
    let anchors: HashSet<&String> = ANCHOR_KEYS.iter().flat_map(|(_, keys)| keys).collect();
    words.filter(|word| !anchors.contains(word) && !OTHERS.contains(&word.as_str())).collect()
});

/// Words for a balance or a total that mean other things, too: a transfer, a sale.
const OTHERS: [&str; 5] = ["ubertrag", "report", "suma", "sold", "devir"];

#[rustfmt::skip]
const ANCHORS: &[Phrases] = &[
    (AnchorKind::Opening, &[
        "opening balance", "starting balance", "beginning balance", "initial balance",
        "previous balance", "balance brought forward", "brought forward", "balance b f",
        "balance bf", "balance forward", "opening ledger balance", "start balance",
        "anfangssaldo", "anfangskontostand", "anfangsbestand", "alter saldo", "alter kontostand",
        "saldovortrag", "eroffnungssaldo", "startsaldo", "kontostand alt", "saldo alt",
        "ancien solde", "solde initial", "solde precedent", "solde anterieur", "solde d ouverture",
        "report a nouveau", "solde de depart", "solde debut", "solde reporte",
        "saldo anterior", "saldo inicial", "saldo de apertura", "saldo previo",
        "saldo iniziale", "saldo precedente", "saldo di apertura", "saldo de abertura",
        "beginsaldo", "begin saldo", "oud saldo", "vorig saldo", "openingssaldo",
        "ingaende saldo", "ingaende balans", "begynnelsesaldo", "primosaldo", "inngaende saldo",
        "alkusaldo", "saldo poczatkowe", "saldo otwarcia", "pocatecni zustatek",
        "pociatocny zostatok", "pocetno stanje", "pocetni saldo", "nyitoegyenleg",
        "nyito egyenleg", "devreden bakiye", "onceki bakiye", "acilis bakiyesi", "sold initial",
        "sold precedent",
        "входящий остаток", "начальный остаток", "остаток на начало", "остаток на начало периода",
        "вхідний залишок", "початковий залишок", "залишок на початок", "залишок на початок періоду",
        "αρχικο υπολοιπο", "προηγουμενο υπολοιπο", "υπολοιπο εκ μεταφορας",
        "前月残高", "繰越残高", "前期繰越", "前月繰越", "期首残高", "繰越", "期初余额", "上期余额", "期初餘額",
        "上期結餘", "承前餘額", "承前余额", "기초잔액", "이월잔액", "전월이월", "יתרת פתיחה", "יתרה קודמת",
        "الرصيد الافتتاحي", "رصيد افتتاحي", "ยอดยกมา", "số dư đầu kỳ", "số dư đầu", "saldo awal",
        "algsaldo", "sakuma atlikums", "likutis pradziai", "pradinis likutis",
    ]),
    (AnchorKind::Closing, &[
        "closing balance", "ending balance", "final balance", "end balance",
        "balance carried forward", "carried forward", "balance c f", "balance cf",
        "closing ledger balance",
        "endsaldo", "endkontostand", "endbestand", "neuer saldo", "neuer kontostand",
        "schlusssaldo", "abschlusssaldo", "kontostand neu", "saldo neu",
        "nouveau solde", "solde final", "solde de cloture", "solde de fin", "solde fin de periode",
        "saldo final", "saldo finale", "saldo de cierre", "saldo di chiusura",
        "eindsaldo", "eind saldo", "nieuw saldo", "utgaende saldo", "utgaende balans", "slutsaldo",
        "ultimosaldo", "sluttsaldo", "loppusaldo", "saldo koncowe", "saldo zamkniecia",
        "konecny zustatek", "konecny zostatok", "zavrsno stanje", "zavrsni saldo",
        "zaroegyenleg", "zaro egyenleg", "donem sonu bakiyesi", "kapanis bakiyesi", "sold final",
        "исходящий остаток", "конечный остаток", "остаток на конец", "остаток на конец периода",
        "вихідний залишок", "кінцевий залишок", "залишок на кінець", "залишок на кінець періоду",
        "τελικο υπολοιπο", "υπολοιπο εις μεταφορα",
        "次期繰越", "次月繰越", "期末残高", "期末余额", "期末餘額", "本期结余", "本期結餘", "기말잔액", "차월이월",
        "יתרת סגירה", "יתרה סופית", "الرصيد الختامي", "رصيد ختامي", "ยอดยกไป", "số dư cuối kỳ",
        "saldo akhir", "loppsaldo", "beigu atlikums", "likutis pabaigai", "galutinis likutis",
    ]),
    (AnchorKind::Total, &[
        "grand total", "sub total", "subtotal", "total debits", "total credits", "total debit",
        "total credit", "total deposits", "total withdrawals", "total payments", "total charges",
        "total money in", "total money out", "total paid in", "total paid out", "total in",
        "total out", "total income", "total expenses", "total transactions", "total turnover",
        "turnover", "total amount", "total for period", "total movements", "total purchases",
        "total balance", "net total", "totals for period",
        "gesamtsumme", "gesamtbetrag", "zwischensumme", "summe soll", "summe haben",
        "summe der umsatze", "summe umsatze", "gesamtumsatz", "umsatzsumme", "summe eingange",
        "summe ausgange", "summe gutschriften", "summe lastschriften", "summe belastungen",
        "summe einnahmen", "summe ausgaben", "umsatze gesamt",
        "total des operations", "total debits credits", "total des debits", "total des credits",
        "total mouvements", "total des mouvements", "sous total", "total general",
        "total cargos", "total abonos", "total ingresos", "total gastos", "total movimientos",
        "total debe", "total haber", "totale generale", "totale entrate", "totale uscite",
        "totale addebiti", "totale accrediti", "totale movimenti", "totale dare", "totale avere",
        "total geral", "total de debitos", "total de creditos", "total debitos", "total creditos",
        "total de movimentos", "totaal af", "totaal bij", "totaal uit", "totaal in",
        "totaal bedrag", "summa insattningar", "summa uttag", "delsumma", "sum inn", "sum ut",
        "i alt ind", "i alt ud", "panot yhteensa", "otot yhteensa",
        "suma obciazen", "suma uznan", "obroty", "obroty wn", "obroty ma", "suma operacji",
        "suma wplywow", "suma wydatkow", "celkem prijmy", "celkem vydaje", "obrat celkem",
        "celkove obraty", "soucet prijmu", "soucet vydaju", "spolu prijmy", "spolu vydavky",
        "osszes jovairas", "osszes terheles", "mindosszesen", "genel toplam", "ara toplam",
        "toplam borc", "toplam alacak", "total debitari", "total creditari", "total rulaje",
        "оборот", "обороты", "обороты за период", "итого обороты", "итого приход", "итого расход",
        "итого по дебету", "итого по кредиту", "всего операций", "итого за период",
        "обороти", "обороти за період", "усього за період", "разом за період", "всього за період",
        "συνολο χρεωσεων", "συνολο πιστωσεων", "合計", "総計", "小計", "出金合計", "入金合計",
        "合计", "总计", "小计", "收入合计", "支出合计", "本期合计", "總計", "합계", "총계", "입금합계", "출금합계",
        "סה כ", "סהכ", "المجموع", "الإجمالي", "ยอดรวม", "รวมทั้งสิ้น", "tổng cộng", "tổng",
        "total mutasi", "kaive", "apgrozijums", "apyvarta",
    ]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn balances_and_totals_are_named() {
        use AnchorKind::{Balance, Closing, Opening, Total};
        for (name, kind) in [
            ("Opening Balance", Opening),
            ("OPENING BALANCE 01/01/2026", Opening),
            ("Opening balance as of 1.1.2026 EUR", Opening),
            ("Solde précédent", Opening),
            ("Počáteční zůstatek", Opening),
            ("期初余额", Opening),
            ("Closing balance", Closing),
            ("Endsaldo per 31.01.2026", Closing),
            ("Исходящий остаток", Closing),
            ("Saldo al 31/12/2025", Balance),
            ("Kontostand am 31.01.2026", Balance),
            ("Total debits", Total),
            ("Summe Umsätze", Total),
            ("Mindösszesen", Total),
        ] {
            assert_eq!(named(name), Some(Named::Anchor(kind)), "{name}");
        }
    }

    #[test]
    fn a_word_alone_is_a_doubt() {
        for name in ["Total", "SALDO", "S A L D O", "Solde", "balance", "Razem", "Kontostand"] {
            assert_eq!(named(name), Some(Named::Doubt), "{name}");
        }
    }

    #[test]
    fn shops_and_payments_are_no_balances() {
        for name in [
            "",
            "A",
            "Ü",
            "Total Wine",
            "TOTAL 1234 PARIS",
            "TotalEnergies",
            "New Balance",
            "Balance Yoga",
            "Saldo Restaurant 7",
            "Opening balance fee",
            "Balance transfer",
            "Übertrag",
            "Closing costs",
            "Turnover tax",
            "Final balance of the holiday flat",
            "Starting line 5",
        ] {
            assert_eq!(named(name), None, "{name}");
        }
    }

    #[test]
    fn every_phrase_is_found_and_listed_once() {
        let mut seen = HashSet::new();
        for (kind, phrases) in ANCHORS {
            for phrase in *phrases {
                assert_eq!(named(phrase), Some(Named::Anchor(*kind)), "{phrase}");
                assert!(seen.insert(known_key(phrase)), "{phrase} is listed twice");
            }
        }
    }
}
