//! An entry (`Ntry`): a booking, perhaps of many payments.

use std::borrow::Cow;

use super::super::amount::Amount;
use super::super::markup::Element;
use super::super::model::{
    Doubt, Entry, EntryDetail, EntryStatus, EntryTexts, Location, UnreadableEntry,
};
use super::super::text::{filled, quoted};
use super::details::{Details, texts};
use super::facts::{day, is_debit, signed};

/// Reads an entry of a statement in `currency`. In a statement what has no status is booked; in a
/// report of a day it may be anything.
pub(super) fn entry(
    element: &Element,
    details: Details,
    currency: Option<&str>,
    is_statement: bool,
) -> Result<Entry, UnreadableEntry> {
    let mut reasons = Vec::new();
    let mut note = |reason: String| reasons.push(reason);
    let amount = signed(element).map_err(&mut note).ok();
    let status = status(element, is_statement).map_err(&mut note).ok();
    let is_reversal = match element.text_at("RvslInd") {
        None | Some("false" | "0") => false,
        Some("true" | "1") => true,
        Some(other) => {
            note(format!("RvslInd is {}", quoted(other)));
            false
        }
    };
    let mut day_of = |name: &str| {
        let day = element.at(name).map(day);
        if day == Some(None) {
            note(format!("{name} is no day"));
        }
        day.flatten()
    };
    let (booked_on, value_on) = (day_of("BookgDt"), day_of("ValDt"));
    let booked_on = booked_on.or(value_on);
    if booked_on.is_none() && status == Some(EntryStatus::Booked) && reasons.is_empty() {
        reasons.push("It has neither BookgDt nor ValDt".to_owned());
    }
    for part in &details.parts {
        reasons.extend(part.problem.clone());
    }
    reasons.truncate(REASONS_MAX);
    let location =
        Location { line: element.line, offset: element.offset, path: Cow::Borrowed("Stmt/Ntry") };
    let (Some((amount, own_currency)), Some(status), true) = (amount, status, reasons.is_empty())
    else {
        return Err(UnreadableEntry { location, reasons });
    };
    let mut entry = Entry {
        booked_on,
        value_on,
        amount,
        currency: own_currency,
        status,
        is_reversal,
        texts: texts(element),
        location,
        ..Entry::default()
    };
    add_details(&mut entry, element, details, currency);
    Ok(entry)
}

/// Reasons that are listed for one entry.
const REASONS_MAX: usize = 10;

/// Before version 8 the status is a text, from then on it is a code in an element.
fn status(element: &Element, is_statement: bool) -> Result<EntryStatus, String> {
    let status = element.text_at_any(&["Sts/Cd", "Sts/Prtry", "Sts"]);
    match status {
        Some("BOOK") => Ok(EntryStatus::Booked),
        Some("PDNG" | "FUTR") => Ok(EntryStatus::Pending),
        Some("INFO") => Ok(EntryStatus::Information),
        Some(other) => Err(format!("Sts is {}", quoted(other))),
        None if is_statement => Ok(EntryStatus::Booked),
        None => Err("It has no Sts".to_owned()),
    }
}

/// One part is the payment itself; several are a batch.
fn add_details(entry: &mut Entry, element: &Element, details: Details, currency: Option<&str>) {
    let currency = entry.currency.as_deref().or(currency);
    let is_out = is_debit(element).unwrap_or_default();
    let left_out = details.left_out;
    let parts = details.parts.into_iter();
    let mut parts: Vec<EntryDetail> =
        parts.map(|part| part.into_detail(is_out, entry.is_reversal, currency)).collect();
    let stated = element.text_at("NtryDtls/Btch/NbOfTxs").and_then(|text| text.parse::<u64>().ok());
    if left_out > 0 {
        entry.doubts.push(Doubt::PartsLeftOut);
    } else if stated.is_some_and(|stated| !parts.is_empty() && stated != parts.len() as u64) {
        entry.doubts.push(Doubt::PartsMissing);
    }
    if parts.len() == 1 && left_out == 0 {
        merge(&mut entry.texts, parts.remove(0).texts);
        return;
    }
    if left_out == 0 && !parts.is_empty() && !adds_up(&parts, entry.amount, currency) {
        entry.doubts.push(Doubt::PartsDiffer);
    }
    entry.details = parts;
}

/// Whether the parts come to the amount. Parts without amounts, and those in other currencies, show
/// nothing.
fn adds_up(parts: &[EntryDetail], amount: Amount, currency: Option<&str>) -> bool {
    let of_part = |part: &EntryDetail| {
        let is_same = part.currency.is_none() || part.currency.as_deref() == currency;
        part.amount.filter(|_| is_same)
    };
    let Some(amounts) = parts.iter().map(of_part).collect::<Option<Vec<_>>>() else { return true };
    let sum = amounts.iter().try_fold(Amount::default(), |sum, part| sum.checked_add(*part));
    sum == Some(amount)
}

/// What the only part of an entry adds to it. The entry's own reference stays: it is the one by
/// which the bank knows the booking.
fn merge(entry: &mut EntryTexts, part: EntryTexts) {
    entry.bank_reference = entry.bank_reference.take().or(part.bank_reference);
    entry.end_to_end_id = part.end_to_end_id;
    entry.mandate_id = part.mandate_id;
    entry.check_number = part.check_number;
    entry.counterparty = part.counterparty;
    entry.remittance = part.remittance;
    entry.type_code = entry.type_code.take().or(part.type_code);
    entry.original = part.original.or(entry.original.take());
    let additional = [entry.additional.take(), part.additional];
    let texts: Vec<String> = additional.into_iter().flatten().collect();
    entry.additional = filled(&texts.join(" "));
}
