//! Field 86: what the bank knows of an entry, in the dialects of banks.
//!
//! * German and Polish: `166?00TEXT?20EREF+1?21SVWZ+Rent?31DE…?32NAME`, also with another sign than
//!   the question mark. Parts of 27 letters are one text.
//! * Dutch: `/TRTP/SEPA/IBAN/NL…/NAME/X/REMI/text/EREF/1`, and `/CNTP/IBAN/BIC/NAME/CITY//REMI/…`.
//! * Everything else is text.

use super::super::limits::REMITTANCE_TEXTS_MAX;
use super::super::model::EntryTexts;
use super::super::text::{filled, iban, reference};

/// Letters of a part of a structured text.
const PART_CHARS: usize = 27;
/// Letters of a line of a message.
const LINE_CHARS: usize = 65;
/// Code words of Dutch banks.
const WORDS: [&str; 24] = [
    "ADDR", "BENM", "BIC", "CNTP", "CSID", "EREF", "IBAN", "ID", "INFO", "ISDT", "KREF", "MARF",
    "NAME", "ORDP", "PREF", "PURP", "REMI", "RTRN", "SVCL", "TRCD", "TRTP", "UDTR", "ULTC", "ULTD",
];
/// Words in German texts, each with a plus behind it.
const KEYS: [&str; 15] = [
    "ABWA", "ABWE", "BIC", "COAM", "CRED", "DDAT", "DEBT", "EREF", "IBAN", "KREF", "MREF", "OAMT",
    "PURP", "RREF", "SVWZ",
];

/// Adds what a field 86 has to an entry.
pub(super) fn add(texts: &mut EntryTexts, field: &str) {
    let joined: String = field.split('\n').map(|line| line.trim_end_matches('\r')).collect();
    if let Some((code, parts)) = parts(&joined) {
        add_parts(texts, code, &parts);
    } else if let Some(words) = words(&joined) {
        add_words(texts, &words);
    } else {
        let lines = field.split('\n').map(|line| (line, line.chars().count() == LINE_CHARS));
        push(&mut texts.remittance, &join(lines));
    }
}

/// Texts that are one; a full one goes on without a space.
fn join<'t>(parts: impl Iterator<Item = (&'t str, bool)>) -> String {
    let mut text = String::new();
    let mut was_full = true;
    for (part, is_full) in parts {
        if !was_full {
            text.push(' ');
        }
        text.push_str(part);
        was_full = is_full;
    }
    text
}

fn push(remittance: &mut Vec<String>, text: &str) {
    if remittance.len() < REMITTANCE_TEXTS_MAX {
        remittance.extend(filled(text));
    }
}

fn note(additional: &mut Option<String>, text: &str) {
    let texts = [additional.take(), filled(text)];
    *additional = filled(&texts.into_iter().flatten().collect::<Vec<_>>().join(" "));
}

/// The code of the transaction and the numbered parts, if the text has them.
fn parts(text: &str) -> Option<(&str, Vec<(u8, &str)>)> {
    let code_length = text.bytes().take_while(u8::is_ascii_digit).count();
    if code_length != 0 && code_length != 3 {
        return None;
    }
    let (code, rest) = text.split_at(code_length);
    let sign = rest.chars().next()?;
    let is_sign = sign.is_ascii_punctuation() && !"/:,.-'()".contains(sign);
    let number = |text: &str| {
        let digits = text.get(..2).filter(|it| it.bytes().all(|byte| byte.is_ascii_digit()))?;
        digits.parse::<u8>().ok()
    };
    number(&rest[sign.len_utf8()..]).filter(|_| is_sign)?;
    let mut parts: Vec<(u8, &str)> = Vec::new();
    let mut from = sign.len_utf8();
    while let Some(number) = number(&rest[from..]) {
        let begin = from + 2;
        let mut end = begin;
        // A sign without a number behind it is a part of the text.
        let next = loop {
            let Some(at) = rest[end..].find(sign) else { break None };
            end += at;
            let behind = end + sign.len_utf8();
            let is_part = rest.get(behind..behind + 2);
            if is_part.is_some_and(|it| it.bytes().all(|byte| byte.is_ascii_digit())) {
                break Some(behind);
            }
            end = behind;
        };
        let end = if next.is_some() { end } else { rest.len() };
        parts.push((number, &rest[begin..end]));
        match next {
            Some(next) => from = next,
            None => break,
        }
    }
    Some((code, parts))
}

fn add_parts(texts: &mut EntryTexts, code: &str, parts: &[(u8, &str)]) {
    if !code.is_empty() {
        let kind = [texts.type_code.take(), Some(code.to_owned())];
        texts.type_code = Some(kind.into_iter().flatten().collect::<Vec<_>>().join(" "));
    }
    let is_full = |text: &str| text.chars().count() == PART_CHARS;
    let of = |wanted: &'static [u8]| {
        let its = parts.iter().filter(move |(number, _)| wanted.contains(number));
        filled(&join(its.map(|(_, text)| (*text, is_full(text)))))
    };
    note(&mut texts.additional, &of(&[0]).unwrap_or_default());
    let account = &mut texts.counterparty.account;
    if let Some(number) = of(&[31, 38]) {
        account.iban = iban(&number);
        account.number = Some(number);
    }
    match of(&[30]) {
        Some(bank) if bank.starts_with(|c: char| c.is_ascii_alphabetic()) => {
            account.bic = Some(bank);
        }
        bank => account.bank = bank,
    }
    texts.counterparty.name = of(&[32, 33]);
    // Parts with a key begin an item; those behind it go on with it.
    let mut items: Vec<(&str, Vec<(&str, bool)>)> = Vec::new();
    let is_text = |number: u8| (20..=29).contains(&number) || (60..=63).contains(&number);
    for (_, text) in parts.iter().filter(|(number, _)| is_text(*number)) {
        let key = text.split_once('+').filter(|(key, _)| KEYS.contains(key));
        match (key, items.last_mut()) {
            (Some((key, value)), _) => items.push((key, vec![(value, is_full(text))])),
            (None, Some((_, values))) => values.push((text, is_full(text))),
            (None, None) => items.push(("", vec![(text, is_full(text))])),
        }
    }
    for (key, values) in items {
        let value = join(values.into_iter());
        match key {
            "EREF" => texts.end_to_end_id = reference(&value).or(texts.end_to_end_id.take()),
            "MREF" => texts.mandate_id = reference(&value),
            "" | "SVWZ" => push(&mut texts.remittance, &value),
            _ => note(&mut texts.additional, &format!("{key}+{value}")),
        }
    }
}

/// Code words with their values, if the text begins with one.
fn words(text: &str) -> Option<Vec<(&str, Vec<&str>)>> {
    let mut words: Vec<(&str, Vec<&str>)> = Vec::new();
    let first = text.trim_start().strip_prefix('/')?;
    for piece in first.split('/') {
        // Free text goes on until a code word that follows texts: in it a slash is a sign.
        match words.last_mut() {
            _ if WORDS.contains(&piece) => words.push((piece, Vec::new())),
            Some((_, values)) => values.push(piece),
            None => return None,
        }
    }
    Some(words)
}

fn add_words(texts: &mut EntryTexts, words: &[(&str, Vec<&str>)]) {
    for (word, values) in words {
        let value = values.join("/");
        let value = value.trim_matches('/');
        let account = &mut texts.counterparty.account;
        match *word {
            "IBAN" => {
                account.iban = iban(value);
                account.number = filled(value);
            }
            "BIC" => account.bic = filled(value),
            "NAME" => texts.counterparty.name = filled(value),
            "CNTP" => {
                let at = |at: usize| values.get(at).and_then(|value| filled(value));
                account.iban = at(0).as_deref().and_then(iban);
                account.number = at(0);
                account.bic = at(1);
                texts.counterparty.name = at(2);
            }
            "EREF" => texts.end_to_end_id = reference(value).or(texts.end_to_end_id.take()),
            "MARF" => texts.mandate_id = reference(value),
            "REMI" => {
                let free = value.strip_prefix("USTD//").or(value.strip_prefix("STRD/CUR/"));
                push(&mut texts.remittance, free.unwrap_or(value));
            }
            _ if value.is_empty() => {}
            _ => note(&mut texts.additional, &format!("{word} {value}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let mut texts = EntryTexts::default();
        add(&mut texts, text);
        let account = texts.counterparty.account;
        format!(
            "{:?} {:?} {}",
            [
                texts.type_code,
                texts.counterparty.name,
                account.iban,
                account.bic,
                texts.end_to_end_id,
                texts.mandate_id,
                texts.additional
            ]
            .map(Option::unwrap_or_default),
            texts.remittance.len(),
            texts.remittance.join("|"),
        )
    }

    #[test]
    fn dialects_are_read() {
        for (text, expected) in [
            ("Rent\nof May", r#"["", "", "", "", "", "", ""] 1 Rent of May"#),
            (
                "166?00TRANSFER?109?20EREF+E 1?21MREF+M1?22SVWZ+Rent and power of \n\
                 apa?23rtment?24CRED+X?30GENODEF1?31DE89370400440532013000?32Land?33lord?34997",
                concat!(
                    r#"["166", "Land lord", "DE89370400440532013000", "GENODEF1", "E 1", "M1", "#,
                    r#""TRANSFER CRED+X"] 1 Rent and power of apa rtment"#
                ),
            ),
            (
                "020~00POST~20abcdefghijklmnopqrstuvwxyz1~2123~32N",
                r#"["020", "N", "", "", "", "", "POST"] 1 abcdefghijklmnopqrstuvwxyz123"#,
            ),
            ("?20What? no?21", r#"["", "", "", "", "", "", ""] 1 What? no"#),
            (
                "/TRTP/SEPA/IBAN/NL91ABNA0417164300/BIC/ABNANL2A/NAME/J/REMI/a/b/EREF/NOTPROVIDED",
                r#"["", "J", "NL91ABNA0417164300", "ABNANL2A", "", "", "TRTP SEPA"] 1 a/b"#,
            ),
            (
                "/EREF/1//CNTP/NL91ABNA0417164300/INGBNL2A/Jan/Delft//REMI/USTD//text/",
                r#"["", "Jan", "NL91ABNA0417164300", "INGBNL2A", "1", "", ""] 1 text"#,
            ),
            ("/just/a path", r#"["", "", "", "", "", "", ""] 1 /just/a path"#),
            ("1234?20x", r#"["", "", "", "", "", "", ""] 1 1234?20x"#),
            ("", r#"["", "", "", "", "", "", ""] 0 "#),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}
