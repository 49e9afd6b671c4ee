//! A transaction: `STMTTRN`, pending as `STMTTRNP`.

use std::borrow::Cow;

use super::super::amount::{Amount, DecimalMark};
use super::super::markup::Element;
use super::super::model::{
    Counterparty, Doubt, Entry, EntryStatus, EntryTexts, Location, OriginalAmount, UnreadableEntry,
};
use super::super::text::{currency, decimals, filled, quoted, reference};
use super::account::account;
use super::dates::day;

/// Types that only money out has.
const OUT: [&str; 4] = ["DEBIT", "CHECK", "FEE", "SRVCHG"];
/// Types that only money in has.
const IN: [&str; 4] = ["CREDIT", "DIRECTDEP", "DEP", "DIV"];

/// Types that are money out, but for what comes back.
const USUALLY_OUT: [&str; 6] = ["POS", "ATM", "CASH", "DIRECTDEBIT", "PAYMENT", "REPEATPMT"];
/// Those of them that a card has for what is paid to it.
const TO_CARDS: [&str; 2] = ["PAYMENT", "REPEATPMT"];

/// The type of an entry that is usually money out, whichever way this one goes.
pub(super) fn usually_out(entry: &Entry, is_card: bool) -> Option<&str> {
    let kind = entry.texts.type_code.as_deref()?;
    let is_usual = USUALLY_OUT.contains(&kind) && !(is_card && TO_CARDS.contains(&kind));
    (is_usual && !entry.amount.is_zero()).then_some(kind)
}

/// Reads a transaction of a statement in `statement_currency`.
pub(super) fn transaction(
    element: &Element,
    statement_currency: Option<&str>,
) -> Result<Entry, UnreadableEntry> {
    let mut reasons = Vec::new();
    let is_pending = element.name == "STMTTRNP";
    let foreign = element.at("CURRENCY").and_then(converted);
    let amount_currency = foreign.as_ref().map(|its| its.currency.clone());
    let decimals = decimals(amount_currency.as_deref().or(statement_currency));
    let amount = amount_at(element, "TRNAMT", decimals, &mut reasons);
    let booked_on = day_at(element, "DTPOSTED", &mut reasons);
    let paid_on = day_at(element, "DTUSER", &mut reasons);
    let paid_on = paid_on.or_else(|| day_at(element, "DTTRAN", &mut reasons));
    let value_on = day_at(element, "DTAVAIL", &mut reasons);
    if amount.is_none() && reasons.is_empty() {
        reasons.push("It has no TRNAMT".to_owned());
    }
    let booked_on = booked_on.or(if is_pending { paid_on } else { None });
    if booked_on.is_none() && !reasons.iter().any(|reason| reason.starts_with("DT")) {
        reasons.push("It has no DTPOSTED".to_owned());
    }
    let location = location(element, if is_pending { "STMTTRNP" } else { "STMTTRN" });
    let (Some(amount), true) = (amount, reasons.is_empty()) else {
        return Err(UnreadableEntry { location, reasons });
    };
    let text = |path: &str| element.text_at(path).and_then(filled);
    let kind = text("TRNTYPE").map(|kind| kind.to_ascii_uppercase());
    let mut doubts = Vec::new();
    if contradicts(kind.as_deref(), amount) {
        doubts.push(Doubt::SignAgainstType);
    }
    if element.at("CORRECTFITID").is_some() || element.at("CORRECTACTION").is_some() {
        doubts.push(Doubt::Correction);
    }
    let original = element.at("ORIGCURRENCY").and_then(converted);
    let texts = EntryTexts {
        bank_reference: element.text_at("FITID").and_then(reference),
        check_number: element.text_at("CHECKNUM").and_then(reference),
        end_to_end_id: element.text_at("REFNUM").and_then(reference),
        counterparty: counterparty(element),
        remittance: text("MEMO").into_iter().collect(),
        type_code: kind,
        original,
        ..EntryTexts::default()
    };
    let status = if is_pending { EntryStatus::Pending } else { EntryStatus::Booked };
    Ok(Entry {
        booked_on,
        value_on,
        paid_on,
        amount,
        currency: amount_currency,
        status,
        texts,
        doubts,
        location,
        ..Entry::default()
    })
}

pub(super) fn location(element: &Element, path: &'static str) -> Location {
    Location { line: element.line, offset: element.offset, path: Cow::Borrowed(path) }
}

/// The amount of an element, if there is one.
pub(super) fn amount_at(
    element: &Element,
    name: &str,
    decimals: Option<u32>,
    reasons: &mut Vec<String>,
) -> Option<Amount> {
    let text = element.text_at(name)?;
    match Amount::parse(text, DecimalMark::Any, decimals) {
        Ok(amount) => Some(amount),
        Err(error) => {
            reasons.push(format!("{name} is {}: {error}", quoted(text)));
            None
        }
    }
}

/// The day of an element, if there is one.
pub(super) fn day_at(
    element: &Element,
    name: &str,
    reasons: &mut Vec<String>,
) -> Option<jiff::civil::Date> {
    let text = element.text_at(name)?;
    let day = day(text);
    if day.is_none() {
        reasons.push(format!("{name} is {}, which is no day", quoted(text)));
    }
    day
}

/// The name is in `NAME`, longer in `EXTDNAME`, or in `PAYEE` with an address.
fn counterparty(element: &Element) -> Counterparty {
    let name = element.text_at_any(&["PAYEE/NAME", "EXTDNAME", "NAME"]).and_then(filled);
    let to = element.at("BANKACCTTO").or_else(|| element.at("CCACCTTO"));
    Counterparty { name, account: to.map(account).unwrap_or_default() }
}

/// The currency of a transaction and its rate. In `ORIGCURRENCY` the amount was converted already,
/// so what was paid is not in the file.
fn converted(element: &Element) -> Option<OriginalAmount> {
    let currency = element.text_at("CURSYM").and_then(currency)?;
    let rate = element.text_at("CURRATE").and_then(filled);
    Some(OriginalAmount { amount: None, currency, rate })
}

/// Banks that write amounts without signs leave the direction to the type.
fn contradicts(kind: Option<&str>, amount: Amount) -> bool {
    let Some(kind) = kind else { return false };
    let is_out = OUT.contains(&kind);
    let is_in = IN.contains(&kind);
    !amount.is_zero() && (is_out && !amount.is_negative() || is_in && amount.is_negative())
}
