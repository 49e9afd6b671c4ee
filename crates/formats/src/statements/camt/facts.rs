//! What a statement has besides its entries: account, period, balances, totals.

use std::borrow::Cow;

use jiff::civil::Date;

use super::super::amount::{Amount, DecimalMark};
use super::super::markup::Element;
use super::super::model::{
    AccountIdentifiers, BalanceKind, BankStatement, Location, ProblemAbout, StatedBalance,
    StatedTotal, TotalOf,
};
use super::super::reporter::Reporter;
use super::super::text::{currency, filled, iban, iso_day, quoted};

/// Takes a child of a statement that is no entry.
pub(super) fn take(element: &Element, reporter: &mut Reporter<'_>) {
    match element.name.as_str() {
        "Bal" => balance(element, reporter),
        "TxsSummry" => totals(element, reporter),
        _ => {
            if let Some(statement) = reporter.statement() {
                fact(element, statement);
            }
        }
    }
}

fn fact(element: &Element, statement: &mut BankStatement) {
    match element.name.as_str() {
        "Id" => statement.id = filled(&element.text),
        "ElctrncSeqNb" | "LglSeqNb" => {
            let page = statement.number.take().filter(|number| number.starts_with('/'));
            let number = filled(&element.text).unwrap_or_default();
            statement.number = Some(format!("{number}{}", page.unwrap_or_default()));
        }
        "StmtPgntn" | "RptPgntn" | "NtfctnPgntn" => {
            if let Some(page) = element.text_at("PgNb") {
                let number = statement.number.take().unwrap_or_default();
                statement.number = Some(format!("{number}/{page}"));
            }
        }
        "FrToDt" => {
            let day = |paths: &[&str]| element.text_at_any(paths).and_then(iso_day);
            statement.from = day(&["FrDtTm", "FrDt"]);
            statement.to = day(&["ToDtTm", "ToDt"]);
        }
        "Acct" => {
            statement.currency = element.text_at("Ccy").and_then(currency);
            statement.account = account(element);
        }
        _ => {}
    }
}

/// The identifiers of an account: of the statement, or of the other side.
pub(super) fn account(element: &Element) -> AccountIdentifiers {
    let text = |paths: &[&str]| element.text_at_any(paths).and_then(filled);
    let other = text(&["Id/Othr/Id", "Id/PrtryAcct/Id", "Id/BBAN"]);
    let bank = element.at("Svcr/FinInstnId");
    let of_bank = |paths: &[&str]| bank?.text_at_any(paths).and_then(filled);
    AccountIdentifiers {
        iban: element.text_at("Id/IBAN").or(other.as_deref()).and_then(iban),
        number: other.or_else(|| text(&["Id/IBAN"])),
        bank: of_bank(&["ClrSysMmbId/MmbId", "Othr/Id", "Nm"]),
        bic: of_bank(&["BICFI", "BIC"]),
        kind: text(&["Tp/Cd", "Tp/Prtry"]),
        name: text(&["Nm"]),
        holder: text(&["Ownr/Nm", "Ownr/Pty/Nm"]),
    }
}

/// The day of a choice between a day and a moment.
pub(super) fn day(element: &Element) -> Option<Date> {
    element.text_at_any(&["Dt", "DtTm"]).and_then(iso_day)
}

/// An amount, which has no sign of its own, with the currency in its attribute.
pub(super) fn unsigned(element: &Element) -> Result<(Amount, Option<String>), String> {
    let text = element.text.trim();
    let amount = Amount::parse(text, DecimalMark::Point, None)
        .map_err(|error| format!("{} is {}: {error}", element.name, quoted(text)))?;
    if amount.is_negative() {
        return Err(format!("{} is {}: it must not be negative", element.name, quoted(text)));
    }
    let code = match element.attribute("Ccy") {
        Some(code) => match currency(&code) {
            Some(code) => Some(code),
            None => return Err(format!("{} is not the code of a currency", quoted(&code))),
        },
        None => None,
    };
    Ok((amount, code))
}

/// Whether `CdtDbtInd` means money out; the standard writes words, in capital letters.
pub(super) fn is_debit(element: &Element) -> Result<bool, String> {
    match element.text_at("CdtDbtInd") {
        Some("CRDT") => Ok(false),
        Some("DBIT") => Ok(true),
        Some(other) => Err(format!("CdtDbtInd is {}", quoted(other))),
        None => Err("It has no CdtDbtInd".to_owned()),
    }
}

/// An amount with the sign of its indicator.
pub(super) fn signed(element: &Element) -> Result<(Amount, Option<String>), String> {
    let amount = element.at("Amt").ok_or("It has no Amt")?;
    let (amount, currency) = unsigned(amount)?;
    Ok((if is_debit(element)? { amount.negated() } else { amount }, currency))
}

fn balance(element: &Element, reporter: &mut Reporter<'_>) {
    let location =
        Location { line: element.line, offset: element.offset, path: Cow::Borrowed("Stmt/Bal") };
    let code = element.text_at_any(&["Tp/CdOrPrtry/Cd", "Tp/CdOrPrtry/Prtry", "Tp/Cd"]);
    let kind = match code {
        Some("OPBD" | "PRCD") => BalanceKind::Opening,
        Some("CLBD") => BalanceKind::Closing,
        Some("ITBD") => BalanceKind::Interim,
        Some("OPAV") => BalanceKind::OpeningAvailable,
        Some("CLAV") => BalanceKind::ClosingAvailable,
        other => BalanceKind::Other(other.and_then(filled).unwrap_or_default()),
    };
    // One without a code may be any of them.
    let decides = match &kind {
        BalanceKind::Opening | BalanceKind::Closing | BalanceKind::Interim => true,
        BalanceKind::Other(code) => code.is_empty(),
        _ => false,
    };
    match signed(element) {
        Ok((amount, currency)) => reporter.balance(StatedBalance {
            kind,
            amount,
            currency,
            on: element.at("Dt").and_then(day),
            is_between_pages: element.text_at("Tp/SubTp/Cd") == Some("INTM"),
            location,
        }),
        Err(reason) => {
            let about = if decides { ProblemAbout::Balance } else { ProblemAbout::Statement };
            reporter.problem(about, location, reason);
        }
    }
}

fn totals(element: &Element, reporter: &mut Reporter<'_>) {
    let groups = [
        ("TtlNtries", TotalOf::All),
        ("TtlCdtNtries", TotalOf::Credits),
        ("TtlDbtNtries", TotalOf::Debits),
    ];
    for (name, of) in groups {
        let Some(group) = element.at(name) else { continue };
        let location = Location {
            line: group.line,
            offset: group.offset,
            path: Cow::Owned(format!("TxsSummry/{name}")),
        };
        match total(group, of, &location) {
            Ok(totals) => totals.into_iter().for_each(|total| reporter.total(total)),
            Err(reason) => reporter.problem(ProblemAbout::Total, location, reason),
        }
    }
}

fn total(group: &Element, of: TotalOf, location: &Location) -> Result<Vec<StatedTotal>, String> {
    let decimal = |text: &str| {
        Amount::parse(text, DecimalMark::Point, None)
            .map_err(|error| format!("{} is no sum: {error}", quoted(text)))
    };
    let count = group
        .text_at("NbOfNtries")
        .map(|text| text.parse::<u64>().map_err(|_| format!("NbOfNtries is {}", quoted(text))));
    let sum = group.text_at("Sum").map(decimal).transpose()?;
    let mut totals = Vec::new();
    let stated =
        |of, count, sum| StatedTotal { of, count, sum, currency: None, location: location.clone() };
    let count = count.transpose()?;
    if count.is_some() || sum.is_some() {
        totals.push(stated(of, count, sum));
    }
    // Before version 4 the net amount and its direction stood beside each other.
    let net = match group.at("TtlNetNtry") {
        Some(net) => net.text_at("Amt").map(|text| (text, is_debit(net))),
        None => group.text_at("TtlNetNtryAmt").map(|text| (text, is_debit(group))),
    };
    if let Some((text, is_debit)) = net {
        let amount = decimal(text)?;
        let amount = if is_debit? { amount.negated() } else { amount };
        totals.push(stated(TotalOf::Net, None, Some(amount)));
    }
    Ok(totals)
}

/// A report of a day that begins with a booked balance ends with what is booked so far, if it has
/// only one such balance.
pub(super) fn close_report(statement: &mut BankStatement) {
    let count = |kind| statement.balances_of(&kind).count();
    let [opening, interim, closing] =
        [BalanceKind::Opening, BalanceKind::Interim, BalanceKind::Closing].map(count);
    if (opening, interim, closing) == (1, 1, 0) {
        let interim = statement.balances.iter_mut().find(|it| it.kind == BalanceKind::Interim);
        if let Some(balance) = interim {
            balance.kind = BalanceKind::Closing;
        }
    }
}
