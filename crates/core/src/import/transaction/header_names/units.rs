//! Units of amounts that are parts of a currency's unit or many of them: cents, thousands.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::balances::balance_rank;
use super::{Role, is_fee, known, known_key, split_brackets};
use crate::money::Currency;

/// Whether brackets beside a name state that its amounts count something else than a currency's
/// unit: `Amount (cents)`, `Betrag (T€)`, `金額（千円）`.
pub(in crate::import) fn is_in_another_unit(header: &str) -> bool {
    let Some((_, inner)) = split_brackets(header) else { return has_unit_behind(header) };
    let key = known_key(inner);
    // Beside other words a letter is a mark for the direction: `T/J`.
    let mut words = key.split(' ').filter(|word| *word != "in" && !is_code(word));
    let is_letter = matches!((words.next(), words.next()), (Some("k" | "t" | "m" | "p"), None));
    let is_it = |word: &str| {
        // `kEUR`, `TCHF`.
        let of_currency = word.strip_prefix(['k', 't', 'm']);
        let is_many = of_currency.is_some_and(is_code);
        is_many || WORDS.contains(word) || PART_KEYS.iter().any(|part| word.contains(part))
    };
    inner.contains('¢') || is_letter || key.split(' ').any(is_it)
}

/// `amount_cents`, `Betrag in Cent`: the name of an amount or a balance with words behind it that
/// are units and nothing else.
fn has_unit_behind(header: &str) -> bool {
    let key = known_key(header);
    let words: Vec<&str> = key.split(' ').collect();
    let is_unit =
        |word: &&str| SURE_UNITS.contains(word) || BETWEEN.contains(word) || is_code(word);
    let name = words.iter().take_while(|word| !is_unit(word)).copied().collect::<Vec<_>>();
    let units = &words[name.len()..];
    let is_in_units =
        units.iter().any(|word| SURE_UNITS.contains(word)) && units.iter().all(is_unit);
    // `amountCents`, `amountMinorUnits`.
    let one_word = || {
        let name = key.strip_suffix("units").unwrap_or(&key);
        let name = ENDINGS.iter().find_map(|unit| name.strip_suffix(unit))?;
        Some(name.strip_suffix("in").unwrap_or(name).to_owned())
    };
    let name = if is_in_units { Some(name.join(" ")) } else { one_word() };
    name.is_some_and(|name| {
        let role = known(&name).map(|(role, _)| role);
        matches!(role, Some(Role::Amount | Role::Debit | Role::Credit))
            || balance_rank(&name).is_some()
            || is_fee(&name)
    })
}

fn is_code(word: &str) -> bool {
    word.len() == 3 && word.is_ascii() && Currency::parse(&word.to_ascii_uppercase()).is_some()
}

/// Words that mean a unit without brackets, too, as keys.
#[rustfmt::skip]
const SURE_UNITS: [&str; 22] = [
    "cent", "cents", "ct", "eurocent", "eurocents", "pence", "pennies", "minor", "centimes",
    "centimos", "centavos", "centesimi", "centen", "groszy", "groszach", "haleru", "thousands",
    "tsd", "tausend", "tys", "millions", "копейках",
];

/// What stands between a name and its unit, or behind the unit.
const BETWEEN: [&str; 9] = ["in", "en", "em", "w", "v", "im", "в", "у", "units"];

/// Units at the end of names in one word.
const ENDINGS: [&str; 6] = ["cents", "cent", "pence", "minor", "centavos", "centimes"];

static WORDS: LazyLock<HashSet<String>> =
    LazyLock::new(|| NAMES.iter().map(|name| known_key(name)).collect());

static PART_KEYS: LazyLock<Vec<String>> =
    LazyLock::new(|| PARTS.iter().map(|part| known_key(part)).collect());

/// What words of languages without spaces or with many endings have within them.
#[rustfmt::skip]
const PARTS: [&str; 17] = [
    "千", "万", "萬", "億", "亿", "銭", "천원", "만원", "백만", "копе", "копі", "тысяч", "тисяч",
    "миллион", "мільйон", "พัน", "ล้าน",
];

#[rustfmt::skip]
const NAMES: &[&str] = &[
    // Hundredths.
    "cent", "cents", "ct", "cts", "eurocent", "eurocents", "penny", "pence", "pennies",
    "minor", "subunit", "subunits", "hundredths", "centen", "centime", "centimes", "céntimo",
    "céntimos", "centavo", "centavos", "centesimo", "centesimi", "grosz",
    "grosze", "groszy", "groszach", "haléř", "haléře", "haléřů", "haléřích", "halier", "haliere",
    "halierov", "halieroch", "öre", "aurar", "sentti", "senttiä", "sent", "senti", "sents",
    "fillér", "fillérben", "kuruş", "ban", "bani", "lipa", "lipe", "para", "стотинки", "коп",
    "λεπτά", "分", "角", "agorot", "אגורות", "באגורות", "هللة", "فلس", "قرش", "สตางค์", "xu", "sen",
    "paisa", "paise", "santim", "santimi", "centų", "centai",
    // Thousands.
    "thousand", "thousands", "thsd", "000", "000s", "1000", "1000s", "x1000", "100", "x100",
    "tsd", "tausend", "mille", "millier", "milliers", "mil", "miles", "milhar", "milhares",
    "migliaia", "mila", "duizend", "duizenden", "tusen", "tusental", "tusind", "tuhat", "tuhansia",
    "tuhansina", "tys", "tysiąc", "tysiące", "tysięcy", "tysiącach", "tis", "tisíc", "tisíce",
    "tisících", "tisícoch", "ezer", "ezres", "bin", "mii", "тыс", "тис", "хиляди", "χιλιάδες",
    "χιλ", "אלפים", "אלפי", "באלפים", "באלפי", "ألف", "آلاف", "بالآلاف", "nghìn", "ngàn", "ribu",
    "ribuan", "rb",
    // Millions.
    "mio", "mln", "mill", "million", "millions", "millionen", "millón", "millones", "milhão",
    "milhões", "milione", "milioni", "miljoen", "miljoenen", "miljoner", "millioner", "miljoonaa",
    "milion", "miliony", "milionów", "milionů", "milionech", "milyon", "millió", "milioane", "млн",
    "εκατ", "εκατομμύρια", "מיליון", "מיליונים", "مليون", "triệu", "juta", "jt",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_is_listed_once() {
        assert_eq!(WORDS.len(), NAMES.len(), "a unit is listed twice");
    }

    #[test]
    fn amounts_and_balances_in_another_unit_are_not_known() {
        for (header, unit) in [
            ("Amount", "cents"),
            ("Amount", "in Cents"),
            ("Amount", "pence"),
            ("Amount", "minor units"),
            ("Amount", "000s"),
            ("Amount", "'000"),
            ("Amount", "USD thousands"),
            ("Amount", "¢"),
            ("Betrag", "Cent"),
            ("Betrag", "Tsd. EUR"),
            ("Betrag", "TEUR"),
            ("Betrag", "T€"),
            ("Montant", "centimes"),
            ("Montant", "k€"),
            ("Importe", "céntimos"),
            ("Valor", "centavos"),
            ("Importo", "migliaia"),
            ("Bedrag", "centen"),
            ("Kwota", "groszy"),
            ("Kwota", "tys. zł"),
            ("Částka", "haléře"),
            ("Částka", "tis. Kč"),
            ("Belopp", "öre"),
            ("Beløb", "øre"),
            ("Määrä", "senttiä"),
            ("Összeg", "ezer Ft"),
            ("Tutar", "kuruş"),
            ("Сумма", "копейки"),
            ("Сумма", "тыс. руб."),
            ("Сума", "копійки"),
            ("金額", "千円"),
            ("金額", "百万円"),
            ("金额", "分"),
            ("金额", "万元"),
            ("금액", "천원"),
            ("סכום", "אגורות"),
            ("Debit", "cents"),
        ] {
            let in_unit = format!("{header} ({unit})");
            assert_eq!((known(&in_unit), is_in_another_unit(&in_unit)), (None, true), "{in_unit}");
            assert!(known(header).is_some(), "{header}");
            assert_eq!(balance_rank(&format!("Saldo [{unit}]")), None, "{unit}");
        }
        for header in [
            "Amount (EUR)",
            "Amount ($)",
            "Amount (centre)",
            "Betrag (Konto)",
            "Kwota (PLN)",
            "金額（円）",
            "金额（元）",
            "금액(원)",
            "Сумма (руб.)",
            "Withdrawal [Dr]",
            "Összeg (T/J)",
            "Kwota (w PLN)",
        ] {
            assert!(known(header).is_some() && !is_in_another_unit(header), "{header}");
        }
        // Days and texts have no such unit.
        assert_eq!(known("Data (ore)").map(|(role, _)| role), Some(Role::Date));
        assert_eq!(balance_rank("Saldo (EUR)"), balance_rank("Saldo"));
    }

    #[test]
    fn units_may_stand_behind_the_name() {
        for header in [
            "amount_cents",
            "Amount in cents",
            "balance_cents",
            "Betrag in Cent",
            "Saldo in Cent",
            "Montant en centimes",
            "amount minor units",
            "amountCents",
            "amountInCents",
            "amountMinorUnits",
            "balanceCents",
            "Valor em centavos",
            "Betrag in Tsd. EUR",
            "fee_cents",
        ] {
            assert!(is_in_another_unit(header) && known(header).is_none(), "{header}");
        }
    }
}
