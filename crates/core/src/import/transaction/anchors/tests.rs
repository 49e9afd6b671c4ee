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
        ("Opening balance as of January 1, 2026", Opening),
        ("OPENING BALANCE 01 JAN 2026", Opening),
        ("Opening Bal.", Opening),
        ("Balance b/fwd", Opening),
        ("B/F", Opening),
        ("c/f 1.1.2026", Closing),
        ("Bal. as at 31 Dec 2025", Balance),
        ("Saldo en cuenta", Balance),
        ("Ancien solde créditeur au 31.12.2025", Opening),
        ("Saldo inicial del período", Opening),
        ("Saldo mes anterior", Opening),
        ("Počáteční stav", Opening),
        ("Primo saldo", Opening),
        ("Входящее сальдо", Opening),
        ("Bilans otwarcia", Opening),
        ("期初余额2026年1月1日", Opening),
        ("Balance at 31 Dec 2025", Balance),
        ("Kontostand am 31. Dezember 2025", Balance),
        ("Saldo per 31 december 2025", Balance),
        ("Saldo a fecha 31/12/2025", Balance),
        ("Saldo contabile al 31/12/2025", Balance),
        ("Solde créditeur au 31.12.2025", Balance),
        ("Solde débiteur au 31.12.2025", Balance),
        ("SALDO DO DIA", Balance),
        ("Saldo total disponível", Balance),
    ] {
        assert_eq!(named(name), Some(Named::Anchor(kind)), "{name}");
    }
}

#[test]
fn what_may_be_a_balance_or_a_total_is_a_doubt() {
    for name in [
        "Total",
        "SALDO",
        "S A L D O",
        "Solde",
        "balance",
        "Razem",
        "Kontostand",
        "Solde créditeur",
        "Saldo disponible",
        "Saldo vorige maand",
        "Saldo na początek okresu",
        "Saldo na koniec",
        "Solde en début de période",
        "Solde en fin de mois",
        "Zůstatek na začátku období",
        "Kontostand zu Beginn",
        "Saldo vid årets början",
        "Saldo ved periodens start",
        "Total for January",
        "Total des opérations créditrices",
        "Summe der Buchungen im Januar",
        "Totaal 31-12-2025",
        "Solde de votre Livret A au 31.12.2025",
        "Kontostand Extrakonto per 31. Dezember 2025",
        "Closing balance of sub account Holidays",
        "Opening balance fee",
        "Final balance of the holiday flat",
    ] {
        assert_eq!(named(name), Some(Named::Doubt), "{name}");
    }
}

#[test]
fn shops_and_payments_are_no_balances() {
    for name in [
        "",
        "A",
        "Ü",
        "TotalEnergies",
        "New Balance",
        "Übertrag",
        "Übertrag vom Sparkonto 31.12.2025",
        "Closing costs",
        "Starting line 5",
    ] {
        assert_eq!(named(name), None, "{name}");
    }
}

#[test]
fn shops_may_begin_like_a_balance() {
    for name in [
        "Total Energies",
        "Total Wine",
        "TOTAL 1234 PARIS",
        "TOTAL 1234",
        "TOTAL ENERGIES LE 05/12/2025",
        "Saldo Fitness GmbH",
        "Saldo Restaurant 7",
        "Balance Coffee",
        "B & F",
        "C&F",
        "B. F.",
        "b f",
        "C.F. Møller Architects",
        "B&F Baumarkt",
        "BALANCE COFFEE ON 05 DEC",
        "Balance Yoga",
        "Balance transfer",
        "Summe & Söhne KG",
        "Turnover tax",
        "余额宝转入",
    ] {
        assert_eq!(named(name), Some(Named::Alike), "{name}");
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
