//! Statements of investments: trades, income, positions, securities.
//!
//! The amount of an entry is what the trade did to the cash (`TOTAL`); without it, nothing moved:
//! shares were split or transferred.

use super::super::amount::{Amount, DecimalMark};
use super::super::markup::Element;
use super::super::model::{
    Entry, EntryTexts, PositionFacts, SecurityFacts, TradeFacts, UnreadableEntry,
};
use super::super::text::{currency, decimals, filled, reference};
use super::transaction::{amount_at, day_at, location, transaction};

/// The aggregates of `INVTRANLIST`: what was done.
pub(super) const ACTIONS: [&str; 20] = [
    "BUYDEBT",
    "BUYMF",
    "BUYOPT",
    "BUYOTHER",
    "BUYSTOCK",
    "CLOSUREOPT",
    "INCOME",
    "INVEXPENSE",
    "JRNLFUND",
    "JRNLSEC",
    "MARGININTEREST",
    "REINVEST",
    "RETOFCAP",
    "SELLDEBT",
    "SELLMF",
    "SELLOPT",
    "SELLOTHER",
    "SELLSTOCK",
    "SPLIT",
    "TRANSFER",
];
/// The aggregates of `INVPOSLIST`: what is held.
pub(super) const POSITIONS: [&str; 5] = ["POSDEBT", "POSMF", "POSOPT", "POSOTHER", "POSSTOCK"];
/// The aggregates of `SECLIST`, each a security.
pub(super) const SECURITIES: [&str; 5] =
    ["DEBTINFO", "MFINFO", "OPTINFO", "OTHERINFO", "STOCKINFO"];
/// What a trade may cost besides its price.
const CHARGES: [&str; 8] = [
    "COMMISSION",
    "TAXES",
    "FEES",
    "LOAD",
    "WITHHOLDING",
    "STATEWITHHOLDING",
    "PENALTY",
    // Cash for what a split left over.
    "FRACCASH",
];

/// Cash that moved in an account of investments: `INVBANKTRAN`.
pub(super) fn cash(
    element: &Element,
    statement_currency: Option<&str>,
) -> Result<Entry, UnreadableEntry> {
    match element.at("STMTTRN") {
        Some(inner) => transaction(inner, statement_currency),
        None => Err(UnreadableEntry {
            location: location(element, "INVBANKTRAN"),
            reasons: vec!["It has no STMTTRN".to_owned()],
        }),
    }
}

/// A trade, a dividend, a split: any of [`ACTIONS`].
pub(super) fn trade(
    element: &Element,
    statement_currency: Option<&str>,
) -> Result<Entry, UnreadableEntry> {
    let mut reasons = Vec::new();
    // A purchase has its facts in INVBUY, a sale in INVSELL, the rest directly.
    let body = element.at("INVBUY").or_else(|| element.at("INVSELL")).unwrap_or(element);
    let facts = body.at("INVTRAN");
    let currency = body.text_at("CURRENCY/CURSYM").and_then(currency);
    let decimals = decimals(currency.as_deref().or(statement_currency));
    let booked_on = facts.and_then(|facts| day_at(facts, "DTTRADE", &mut reasons));
    let value_on = facts.and_then(|facts| day_at(facts, "DTSETTLE", &mut reasons));
    if booked_on.is_none() && reasons.is_empty() {
        reasons.push("It has no DTTRADE".to_owned());
    }
    let amount = amount_at(body, "TOTAL", decimals, &mut reasons);
    let has_amount = amount.is_some();
    if !has_amount && matters(&element.name) && reasons.is_empty() {
        reasons.push("It has no TOTAL".to_owned());
    }
    // A number of units has any number of decimals, so that its only mark is a decimal one.
    let units = amount_at(body, "UNITS", Some(3), &mut reasons);
    let unit_price = amount_at(body, "UNITPRICE", Some(3), &mut reasons);
    let mut charges = Vec::new();
    for name in CHARGES {
        let charge = amount_at(body, name, decimals, &mut reasons);
        charges.extend(charge.filter(|charge| !charge.is_zero()).map(|it| (name.to_owned(), it)));
    }
    let location = location(element, "INVTRANLIST");
    if !reasons.is_empty() {
        return Err(UnreadableEntry { location, reasons });
    }
    let kind = element.text_at_any(&["BUYTYPE", "SELLTYPE", "INCOMETYPE", "TFERACTION"]);
    let action = match kind {
        Some(kind) => format!("{} {kind}", element.name),
        None => element.name.clone(),
    };
    let texts = EntryTexts {
        bank_reference: facts.and_then(|its| its.text_at("FITID")).and_then(reference),
        remittance: facts
            .and_then(|its| its.text_at("MEMO"))
            .and_then(filled)
            .into_iter()
            .collect(),
        type_code: Some(action.clone()),
        ..EntryTexts::default()
    };
    let split = ratio(element);
    let security = security_id(body);
    let trade = TradeFacts { action, security, units, unit_price, charges, split };
    Ok(Entry {
        booked_on,
        value_on,
        amount: amount.unwrap_or_default(),
        currency,
        texts,
        trade: Some(trade),
        location,
        ..Entry::default()
    })
}

/// The ratio of a split in whole numbers, as the file states it or by the units.
fn ratio(element: &Element) -> Option<String> {
    let part = |name: &str| {
        let text = element.text_at(name).and_then(filled)?;
        Amount::parse(&text, DecimalMark::Any, Some(3)).ok().filter(|it| !it.is_negative())
    };
    let stated = part("NUMERATOR").zip(part("DENOMINATOR"));
    let (new, old) = stated.or_else(|| part("NEWUNITS").zip(part("OLDUNITS")))?;
    let [new, old] = Amount::in_one_unit(new, old)?;
    let mut divisor = (new, old);
    while divisor.1 > 0 {
        divisor = (divisor.1, divisor.0 % divisor.1);
    }
    (new > 0 && old > 0).then(|| format!("{}:{}", new / divisor.0, old / divisor.0))
}

/// Whether an action always moves cash.
fn matters(action: &str) -> bool {
    action.starts_with("BUY")
        || action.starts_with("SELL")
        || ["INCOME", "INVEXPENSE", "JRNLFUND", "MARGININTEREST", "RETOFCAP"].contains(&action)
}

fn security_id(element: &Element) -> Option<(String, String)> {
    let id = element.at("SECID")?;
    let kind = id.text_at("UNIQUEIDTYPE").and_then(filled).unwrap_or_default();
    Some((id.text_at("UNIQUEID").and_then(filled)?, kind))
}

/// What the account held of a security: any of [`POSITIONS`].
pub(super) fn position(element: &Element) -> Result<PositionFacts, String> {
    let body = element.at("INVPOS").unwrap_or(element);
    let security = security_id(body).ok_or("It has no SECID")?;
    let mut reasons = Vec::new();
    let units = amount_at(body, "UNITS", Some(3), &mut reasons);
    let unit_price = amount_at(body, "UNITPRICE", Some(3), &mut reasons);
    let value = amount_at(body, "MKTVAL", Some(3), &mut reasons);
    let on = day_at(body, "DTPRICEASOF", &mut reasons);
    if units.is_none() && reasons.is_empty() {
        reasons.push("It has no UNITS".to_owned());
    }
    if !reasons.is_empty() {
        return Err(reasons.join("; "));
    }
    let currency = body.text_at("CURRENCY/CURSYM").and_then(currency);
    let (kind, line) = (element.name.clone(), element.line);
    let is_short = body.text_at("POSTYPE") == Some("SHORT");
    Ok(PositionFacts { security, kind, units, is_short, unit_price, value, currency, on, line })
}

/// A security: any of [`SECURITIES`].
pub(super) fn security(element: &Element) -> Option<SecurityFacts> {
    let body = element.at("SECINFO")?;
    let text = |name: &str| body.text_at(name).and_then(filled);
    let mut reasons = Vec::new();
    let price = amount_at(body, "UNITPRICE", Some(3), &mut reasons);
    let price = price.filter(|price| !price.is_zero());
    let on = price.and_then(|_| day_at(body, "DTASOF", &mut reasons));
    let price = match price.zip(on) {
        _ if !reasons.is_empty() => Some(Err(reasons.join("; "))),
        None if price.is_some() => Some(Err("The price has no DTASOF".to_owned())),
        price => price.map(Ok),
    };
    Some(SecurityFacts {
        id: security_id(body)?,
        name: text("SECNAME"),
        ticker: text("TICKER"),
        kind: element.name.clone(),
        price,
        currency: body.text_at("CURRENCY/CURSYM").and_then(currency),
        line: element.line,
    })
}
