//! The names that banks and programs give their columns, in many languages.
//!
//! Names are compared folded: lower case, without accents, punctuation as single spaces
//! ([`known_key`]), so that `Date d'opération`, `DATE D'OPERATION` and `date_d_operation` are one;
//! and once more with the two letters that stand for an accent on plain keyboards as one, so that
//! `Empfaenger` is `Empfänger`, and without spaces, so that `BookingDate` is `Booking date`. What
//! stands in brackets doesn't count, unless it makes the column one of fees, of balances, of
//! amounts in other currencies or in other units (`units`). A lower rank is preferred when a file
//! has several columns for one role: the booking date comes before the value date, the other party
//! before the description.
//! Names that mean different things in different languages stand where the data can correct them:
//! a direction, currency or account column that was only recognised by its name is dropped if its
//! cells don't look like it. Names of fees and of amounts in other currencies are not here, so that
//! no such column is ever taken by its name; names of balances are apart, in `balances`.

pub(super) mod balances;
mod money;
pub(super) mod statuses;
pub(in crate::import) mod taxes;
mod texts;
pub(in crate::import) mod units;

use std::collections::HashMap;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::money::Currency;
use crate::money::former::Former;
use crate::text::number::named_currency;

/// What a column is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// The day of the transaction.
    Date,
    /// The amount, signed or with a direction beside it.
    Amount,
    /// Money out of the account.
    Debit,
    /// Money into the account.
    Credit,
    /// The other party, who pays or is paid.
    Payee,
    /// What the bank writes about the transaction.
    Description,
    /// What the payer wrote: a name if there is no better one, else notes.
    Purpose,
    /// Notes of the account holder.
    Notes,
    /// The category of the transaction.
    Category,
    /// The tags of the transaction.
    Tags,
    /// The account that the row belongs to.
    Account,
    /// The currency of the amount.
    Currency,
    /// Whether money went in or out.
    Direction,
    /// The bank's own id of the transaction.
    ExternalId,
}

/// The rank of an amount in the currency of the account, and of that currency: what was booked.
pub(super) const BOOKED: u8 = 0;
/// The rank of an amount and a currency that could be either.
pub(super) const PLAIN: u8 = 1;
/// The rank of an amount in the currency of the purchase, and of that currency.
pub(super) const TRANSACTION: u8 = 2;

/// What a header is known as: the role and the rank in it.
pub fn known(header: &str) -> Option<(Role, u8)> {
    let key = known_key(header);
    let found = find(&key).or_else(|| match split_brackets(header) {
        Some((_, inner)) if is_about_another_amount(inner) => None,
        Some((name, _)) => find(&known_key(&name)),
        None => find(split_currency(&key)?.0),
    });
    found.filter(|(role, _)| {
        let is_money = matches!(role, Role::Amount | Role::Debit | Role::Credit);
        !(is_money && units::is_in_another_unit(header))
    })
}

/// Whether a header is the name of a balance.
pub fn is_balance(header: &str) -> bool {
    balances::balance_rank(header).is_some()
}

/// Whether a header is the name of what can be spent, which may include a credit line.
pub fn is_available_balance(header: &str) -> bool {
    balances::balance_rank(header) == Some(balances::AVAILABLE)
}

/// Whether a header is the name of a fee.
pub(super) fn is_fee(header: &str) -> bool {
    let key = known_key(header);
    // `Transaction fee`, `Bankkosten`.
    let is_it = |word: &str| {
        let word = word.strip_suffix('s').unwrap_or(word);
        word == "fee" || word == "charge" || FEE_ENDINGS.iter().any(|end| word.ends_with(end))
    };
    let has_fee = key.split(' ').any(is_it) && !is_about_fees(&key);
    (begins_with_fee(&key) || has_fee) && find(&key).is_none()
}

/// Whether a header is about an amount in another currency than that of the account.
pub(super) fn is_about_another_currency(header: &str) -> bool {
    let key = known_key(header);
    let begins = |word: &str| OTHER_CURRENCIES.iter().any(|its| word.starts_with(&known_key(its)));
    key.split(' ').any(begins) || begins(&key)
}

/// Whether a header is that of an amount in another currency, and not of a code or a text beside
/// it.
pub(super) fn is_amount_in_another_currency(header: &str) -> bool {
    let key = known_key(header);
    let is_day = key.contains("dat") || key.contains("fecha");
    let is_it = |word: &str| {
        let names = AMOUNTS.iter().map(|name| known_key(name));
        let ends = |name: String| match name.is_ascii() {
            true => word.strip_suffix('s').unwrap_or(word).ends_with(&name),
            false => word.contains(&name),
        };
        names.into_iter().any(ends)
    };
    (is_about_another_currency(header) || is_of_purchase(header))
        && !is_day
        && key.split(' ').any(is_it)
}

/// Whether a header beside amounts or codes has a word for the currency of a purchase.
pub(super) fn is_of_purchase(header: &str) -> bool {
    let key = known_key(header);
    let begins = |word: &str| ABROAD.iter().any(|beginning| word.starts_with(beginning));
    key.split(' ').any(begins)
}

/// Whether only the word `local` makes it an amount abroad: it may be that of the account as well.
pub(super) fn is_local_alone(header: &str) -> bool {
    let key = known_key(header);
    let mut words = ABROAD.iter().filter(|word| key.split(' ').any(|its| its.starts_with(**word)));
    words.next() == Some(&"local") && words.next().is_none() && !is_about_another_currency(header)
}

/// Three capitals in brackets beside the name of an amount that are no currency of today:
/// `Betrag (DEM)`. In a header of capitals they may be any word.
pub(super) fn unknown_code_in(header: &str) -> Option<&str> {
    let inner = split_brackets(header).map(|(_, inner)| inner.trim());
    let code = inner.or_else(|| header.split_whitespace().last())?;
    let is_code = code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase());
    let beside = header.replacen(code, "", 1);
    let is_of_capitals =
        beside.contains(char::is_uppercase) && !beside.contains(char::is_lowercase);
    let is_word = inner.is_none() || is_of_capitals || NO_CURRENCIES.contains(&code);
    let is_known = !is_code || currency_in(header).is_some() || named_currency(code).is_some();
    (!is_known && (!is_word || Former::parse(code).is_some())).then_some(code)
}

/// Three capitals that are no currency beside an amount: whether taxes are in it, which way it
/// went.
const NO_CURRENCIES: [&str; 16] = [
    "NET", "TTC", "VAT", "TVA", "IVA", "PVM", "DPH", "TAX", "GST", "OUT", "INC", "EXC", "LCY",
    "ACC", "DTE", "CTE",
];

/// Whether a key begins with a word for a fee. A short one must be the whole word: `Tipo` is no
/// tip; and a number or a code of fees, or of costs, is no amount.
fn begins_with_fee(key: &str) -> bool {
    if is_about_fees(key) {
        return false;
    }
    let first = key.split(' ').next().unwrap_or_default();
    let is_it = |word: &&str| match word.len() {
        0..=3 => first.strip_suffix('s').unwrap_or(first) == *word,
        _ => key.starts_with(&known_key(word)),
    };
    FEES.iter().any(is_it)
}

/// Whether a key is that of something beside a fee.
fn is_about_fees(key: &str) -> bool {
    ABOUT_FEES.iter().any(|end| key.ends_with(end))
}

/// The currency that the name of an amount column ends with: `Betrag (EUR)`, `Amount in USD`.
pub fn currency_in(header: &str) -> Option<Currency> {
    match split_brackets(header) {
        Some((_, inner)) => {
            named_currency(inner.trim()).or_else(|| split_currency(&known_key(inner))?.1)
        }
        None => {
            split_currency(&known_key(header)).and_then(|(_, currency)| currency).or_else(|| {
                // Signs are no part of the key.
                let sign = header.split_whitespace().last()?;
                named_currency(sign).filter(|_| !sign.contains(char::is_alphanumeric))
            })
        }
    }
    .filter(|currency| {
        // `Amount all` is in no currency of Albania.
        !matches!(currency.code(), "ALL" | "TOP" | "CUP") || header.contains(currency.code())
    })
}

fn find(key: &str) -> Option<(Role, u8)> {
    BY_NAME
        .get(key)
        .or_else(|| BY_PLAIN_LETTERS.get(&plain_letters(key)))
        .or_else(|| BY_LETTERS_ALONE.get(&letters_alone(key)?))
        .copied()
}

/// `Betrag (EUR)` or `Booked (EUR) amount` as the name without the last brackets and what is in
/// them.
fn split_brackets(header: &str) -> Option<(String, &str)> {
    let closing = header.rfind([')', ']', '）', '}', '】'])?;
    let bracket = header[closing..].chars().next()?;
    let opening = match bracket {
        ')' => '(',
        ']' => '[',
        '}' => '{',
        '】' => '【',
        _ => '（',
    };
    let at = header[..closing].rfind(opening)?;
    let inner = &header[at + opening.len_utf8()..closing];
    let behind = &header[closing + bracket.len_utf8()..];
    Some((format!("{} {behind}", &header[..at]), inner))
}

/// Whether the text in brackets beside a name means that the amount is not the booked one: it is in
/// another currency, or it is a fee or a balance.
pub(super) fn is_about_another_amount(inner: &str) -> bool {
    let key = known_key(inner);
    let begins = |words: &[&str]| words.iter().any(|word| key.starts_with(&known_key(word)));
    begins(&OTHER_CURRENCIES)
        || begins_with_fee(&key)
        || key == "tax"
        || balances::balance_rank(inner).is_some()
}

/// Words for amounts in a currency other than that of the account.
const OTHER_CURRENCIES: [&str; 21] = [
    "foreign",
    "original",
    "fremd",
    "ausland",
    "devise",
    "divisa extranjera",
    "estera",
    "estrangeira",
    "obca",
    "obce",
    "obcy",
    "ciz",
    "utland",
    "vreemd",
    "valutassa",
    "иностран",
    "иноземн",
    "外币",
    "外幣",
    "外貨",
    "transaction",
];

/// Further ones, which mean that beside a word for an amount alone.
const ABROAD: [&str; 8] =
    ["local", "orig", "utl", "purchase", "ursprung", "puvodn", "origen", "divisa"];

/// Parts of the names of amounts.
#[rustfmt::skip]
const AMOUNTS: [&str; 20] = [
    "amount", "amt", "betrag", "montant", "importe", "importo", "montante", "bedrag", "belopp",
    "beløb", "kwota", "částka", "suma", "summa", "value", "valor", "wert", "сумма", "сума", "金",
];

/// The words with which brackets call an amount a fee.
#[rustfmt::skip]
const FEES: [&str; 36] = [
    "fee", "tip", "charges", "cashback", "commission", "gebuhr", "gebuehr", "entgelt", "provision",
    "spesen", "frais",
    "comision", "commissioni", "comissao", "taxa", "kosten", "avgift", "gebyr", "kulu",
    "palvelumaksu", "oplata", "prowizja", "poplat", "jutalek", "komisyon", "masraf",
    "комисси", "комісі", "手数料", "手续费", "手續費", "עמלה", "رسوم", "ค่าธรรมเนียม", "수수료", "biaya",
];

/// What names end with that are beside fees and costs: their kind, number or place.
#[rustfmt::skip]
const ABOUT_FEES: [&str; 24] = [
    "stelle", "art", "arten", "trager", "nummer", "nr", "plaats", "soort", "typ", "type", "code",
    "schlussel", "konto", "account", "text", "number", "name", "rate", "percent", "satz", "prozent",
    "currency", "wahrung", "date",
];

/// What one word ends with that is a fee.
#[rustfmt::skip]
const FEE_ENDINGS: [&str; 10] = [
    "gebuhr", "gebuehr", "gebuhren", "gebuehren", "entgelt", "kosten", "spesen", "avgift", "gebyr",
    "provision",
];

/// `betrag in eur` as the name without the preposition, and the currency.
fn split_currency(key: &str) -> Option<(&str, Option<Currency>)> {
    let (rest, word) = key.rsplit_once(' ').unwrap_or(("", key));
    let currency = match word {
        "euro" | "euros" | "euroa" | "eura" => Some(Currency::EUR),
        _ => named_currency(word),
    }?;
    let (before, last) = rest.rsplit_once(' ').unwrap_or(("", rest));
    let is_preposition = matches!(last, "in" | "en" | "em" | "i" | "w" | "v" | "im" | "в" | "у");
    Some((if is_preposition && !before.is_empty() { before } else { rest }, Some(currency)))
}

/// The key with one letter for the two by which keyboards without accents write it.
fn plain_letters(key: &str) -> String {
    let mut plain = String::with_capacity(key.len());
    for c in key.chars() {
        let doubled = match c {
            'e' => plain.ends_with(['a', 'o', 'u']),
            'a' => plain.ends_with('a'),
            _ => false,
        };
        if !doubled {
            plain.push(c);
        }
    }
    plain
}

/// The key without its spaces, as `BookingDate` is written; none for what is too short to be sure.
fn letters_alone(key: &str) -> Option<String> {
    const LETTERS_MIN: usize = 5;
    let letters: String = plain_letters(key).split(' ').collect();
    (letters.chars().count() >= LETTERS_MIN).then_some(letters)
}

/// The header in lower case without accents, words separated by single spaces.
pub fn known_key(header: &str) -> String {
    let mut key = String::with_capacity(header.len());
    let mut gap = false;
    for c in header.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase) {
        if c == '*' {
            continue;
        }
        if !c.is_alphanumeric() {
            gap = true;
            continue;
        }
        if gap && !key.is_empty() {
            key.push(' ');
        }
        gap = false;
        match c {
            'ß' => key.push_str("ss"),
            'æ' => key.push_str("ae"),
            'œ' => key.push_str("oe"),
            'ø' => key.push('o'),
            'ł' => key.push('l'),
            'đ' | 'ð' => key.push('d'),
            'ı' => key.push('i'),
            _ if is_combining_mark(c) => {}
            _ => key.push(c),
        }
    }
    key
}

static BY_NAME: LazyLock<HashMap<String, (Role, u8)>> =
    LazyLock::new(|| names().map(|(name, known)| (known_key(name), known)).collect());

static BY_PLAIN_LETTERS: LazyLock<HashMap<String, (Role, u8)>> = LazyLock::new(|| {
    names().map(|(name, known)| (plain_letters(&known_key(name)), known)).collect()
});

static BY_LETTERS_ALONE: LazyLock<HashMap<String, (Role, u8)>> = LazyLock::new(|| {
    names().filter_map(|(name, known)| Some((letters_alone(&known_key(name))?, known))).collect()
});

/// Every name with its role and rank.
fn names() -> impl Iterator<Item = (&'static str, (Role, u8))> {
    let lists = money::NAMES.iter().chain(texts::NAMES);
    lists.flat_map(|(role, rank, names)| names.iter().map(|name| (*name, (*role, *rank))))
}

#[cfg(test)]
mod tests;
