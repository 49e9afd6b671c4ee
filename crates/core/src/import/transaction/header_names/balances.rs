//! Names of columns that hold the balance after each row.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::units::is_in_another_unit;
use super::{known_key, plain_letters, split_brackets, split_currency};

/// The rank of a name that means the balance of the account.
const BALANCE: u8 = 0;
/// The rank of a name that means what can be spent, which may include a credit line.
pub(in crate::import::transaction) const AVAILABLE: u8 = 1;

/// What a header is known as: the rank as the name of a balance, the lowest first.
pub(in crate::import::transaction) fn balance_rank(header: &str) -> Option<u8> {
    let key = known_key(header);
    let found = find(&key).or_else(|| match split_brackets(header) {
        Some((name, _)) => find(&known_key(&name)),
        None => find(split_currency(&key)?.0),
    });
    found.filter(|_| !is_in_another_unit(header))
}

fn find(key: &str) -> Option<u8> {
    BY_NAME.get(&plain_letters(key)).copied()
}

static BY_NAME: LazyLock<HashMap<String, u8>> = LazyLock::new(|| {
    let lists = NAMES.iter().flat_map(|(rank, names)| names.iter().map(|name| (*name, *rank)));
    lists.map(|(name, rank)| (plain_letters(&known_key(name)), rank)).collect()
});

#[rustfmt::skip]
const NAMES: &[(u8, &[&str])] = &[
    (BALANCE, &[
        "balance", "running balance", "account balance", "closing balance", "ending balance",
        "balance after", "balance after transaction", "booked balance", "current balance",
        "ledger balance", "new balance", "book balance", "balance amount", "running bal",
        "balance after booking", "resulting balance", "end balance", "bal", "cleared balance",
        "saldo", "kontostand", "neuer kontostand", "saldo nach buchung", "kontosaldo",
        "neuer saldo", "saldo nach der buchung", "kontostand nach buchung", "endsaldo",
        "solde", "solde apres operation", "solde du compte", "nouveau solde", "solde comptable",
        "solde courant", "solde progressif", "solde en compte", "solde fin",
        "saldo contable", "saldo final", "saldo posterior", "saldo resultante", "saldo cuenta",
        "saldo de la cuenta", "saldo tras el movimiento", "saldo despues del movimiento",
        "saldo contabile", "saldo progressivo", "saldo finale", "saldo conto", "saldo attuale",
        "saldo contabilistico", "saldo apos movimento", "saldo apos operacao", "saldo atual",
        "saldo da conta", "saldo apos o movimento", "saldo do dia",
        "saldo na mutatie", "saldo na boeking", "nieuw saldo", "saldo na trn", "eindsaldo",
        "saldo na transactie", "resulterend saldo",
        "bokfort saldo", "kontosaldo efter", "behallning", "saldo efter transaktion",
        "saldo efter", "saldo bogfort", "bogfort saldo", "saldo etter", "utgaende saldo",
        "saldo efter bogforing", "saldo efter postering", "saldo etter transaksjon",
        "tilin saldo", "saldo tapahtuman jalkeen", "saldo kirjauksen jalkeen",
        "saldo po operacji", "saldo po transakcji", "saldo rachunku", "saldo koncowe",
        "saldo ksiegowe", "saldo po ksiegowaniu", "stan konta", "stan rachunku",
        "zustatek", "zustatek po pohybu", "zustatek na uctu", "konecny zustatek", "stav uctu",
        "zustatek po transakci", "ucetni zustatek", "zustatek po operaci",
        "zostatok", "zostatok po pohybe", "zostatok na ucte", "konecny zostatok",
        "zostatok po transakcii", "uctovny zostatok", "stanje", "saldo racuna",
        "egyenleg", "konyvelt egyenleg", "szamlaegyenleg", "zaroegyenleg", "konyvelesi egyenleg",
        "tranzakcio utani egyenleg", "egyenleg a tranzakcio utan", "uj egyenleg",
        "bakiye", "kalan bakiye", "hesap bakiyesi", "islem sonrasi bakiye", "son bakiye",
        "guncel bakiye",
        "sold", "sold final", "sold cont", "sold dupa tranzactie", "sold contabil",
        "sold dupa operatiune", "sold curent",
        "остаток", "баланс", "остаток на счете", "остаток после операции", "исходящий остаток",
        "баланс после операции", "остаток по счету", "сальдо", "текущий остаток", "остаток счета",
        "залишок", "залишок після операції", "залишок на кінець періоду", "залишок на рахунку",
        "вихідний залишок", "баланс після операції", "залишок після транзакції",
        "υπολοιπο", "λογιστικο υπολοιπο", "τρεχον υπολοιπο", "νεο υπολοιπο",
        "残高", "差引残高", "取引後残高", "お取引後残高", "口座残高", "現在残高", "お預り残高", "残高金額",
        "余额", "账户余额", "交易后余额", "本次余额", "当前余额", "帐户余额", "联机余额", "账面余额",
        "餘額", "帳戶餘額", "結餘", "交易後餘額", "帳面餘額", "存款餘額", "結存",
        "יתרה", "היתרה", "יתרה בשח", "יתרה בש ח", "יתרה לאחר פעולה", "יתרה לאחר תנועה", "الرصيد", "رصيد", "الرصيد بعد العملية",
        "ยอดคงเหลือ", "คงเหลือ", "số dư", "số dư sau giao dịch", "số dư cuối", "saldo akhir",
        "잔액", "거래후잔액", "거래후 잔액", "거래 후 잔액", "계좌잔액", "통장잔액", "잔고",
    ]),
    (AVAILABLE, &[
        "available balance", "available", "available funds", "available credit",
        "verfugbarer betrag", "verfugbarer saldo", "verfugbar", "solde disponible", "disponible",
        "saldo disponible", "saldo disponibile", "disponibilita", "saldo disponivel",
        "beschikbaar saldo", "disponibelt belopp", "disponibelt saldo", "disponibel saldo",
        "disponibelt", "tillgangligt belopp", "kaytettavissa", "dostepne srodki",
        "saldo dostepne", "disponibilni zustatek", "disponibilny zostatok", "elerheto egyenleg",
        "kullanilabilir bakiye", "kullanilabilir limit", "sold disponibil",
        "доступный остаток", "доступно", "доступний залишок", "διαθεσιμο υπολοιπο",
        "利用可能残高", "お引出可能残高", "可用余额", "可用餘額", "출금가능금액",
    ]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::transaction::header_names::known;

    #[test]
    fn every_name_is_listed_once_and_means_nothing_else() {
        let mut seen = HashMap::new();
        for (rank, names) in NAMES {
            for name in *names {
                let key = plain_letters(&known_key(name));
                assert_eq!(seen.insert(key, rank), None, "{name} is listed twice");
                assert_eq!(known(name), None, "{name}");
            }
        }
    }

    #[test]
    fn balances_are_known_in_every_language() {
        for header in [
            "Balance",
            "RUNNING_BALANCE",
            "Closing Balance",
            "Saldo (EUR)",
            "Kontostand in EUR",
            "Solde",
            "Saldo contabilístico",
            "Saldo na mutatie",
            "Bokfört saldo",
            "Saldo",
            "#Saldo po operacji",
            "Zůstatek",
            "Zostatok",
            "Egyenleg",
            "Bakiye",
            "Sold",
            "Остаток",
            "Залишок на кінець періоду",
            "Υπόλοιπο",
            "残高",
            "余额",
            "잔액",
            "יתרה",
            "الرصيد",
            "ยอดคงเหลือ",
            "Số dư",
            "Saldo akhir",
        ] {
            assert_eq!(balance_rank(header), Some(BALANCE), "{header}");
        }
        assert_eq!(balance_rank("Verfügbarer Betrag"), Some(AVAILABLE));
        for header in ["Amount", "Betrag", "Fee", "Total", "", "(EUR)"] {
            assert_eq!(balance_rank(header), None, "{header}");
        }
    }
}
