//! OFX 1 (SGML), OFX 2 (XML) and Quicken's QFX: statements of banks, cards, loans, investments.
//!
//! Read as banks write it: closing tags of values may be missing in either version, tags may have
//! small letters, `&` may stand for itself, and what isn't known is passed over. What must be
//! there is the end: a file without `</OFX>` is cut off and refused.

mod account;
mod dates;
mod investment;
mod items;
mod transaction;

use std::borrow::Cow;
use std::io::Read;

use super::error::{Halt, Refusal, StatementError};
use super::markup::Element;
use super::model::{AccountIdentifiers, BalanceKind, Location, ProblemAbout, StatedBalance};
use super::reporter::Reporter;
use super::text::{currency, decimals, filled, quoted};
use account::account;
use investment::{ACTIONS, POSITIONS, SECURITIES};
use items::{Aggregate, Item, Items};

/// Aggregates that are a statement of one account.
const STATEMENTS: [&str; 4] = ["STMTRS", "CCSTMTRS", "LOANSTMTRS", "INVSTMTRS"];
/// Aggregates with the identifiers of the statement's account.
const ACCOUNTS: [&str; 4] = ["BANKACCTFROM", "CCACCTFROM", "LOANACCTFROM", "INVACCTFROM"];
/// Aggregates that are read as a whole, besides accounts and those of investments.
const WHOLE: [&str; 8] =
    ["STMTTRN", "STMTTRNP", "LOANSTMTTRN", "LEDGERBAL", "AVAILBAL", "BAL", "INVBANKTRAN", "INVBAL"];

/// What a `LEDGERBAL` of a later day is called.
pub(super) const LATER: &str = "LEDGERBAL";

/// Reads a file to its end.
pub(super) fn read(source: impl Read, mut reporter: Reporter<'_>) -> Result<(), Halt> {
    let mut items = Items::new(source);
    let mut outside = Outside::default();
    let mut aggregate: Option<Aggregate> = None;
    while let Some(item) = items.next()? {
        if let Some(mut current) = aggregate.take() {
            if ends(&current, &item) {
                finish(current.into_element(), &mut reporter)?;
                if matches!(&item, Item::Close { .. }) && !closes_list(&item) {
                    continue;
                }
            } else {
                current.push(item).map_err(|refusal| items.refuse(refusal))?;
                aggregate = Some(current);
                continue;
            }
        }
        match item {
            Item::Open { name, line, offset, .. } if is_whole(&name) => {
                aggregate = Some(Aggregate::new(name, line, offset));
            }
            Item::Open { name, text, line, offset } => {
                let location = Location { line, offset, path: Cow::Owned(name.clone()) };
                outside.open(&name, &text, location, &mut reporter)?;
            }
            Item::Close { name, .. } => outside.close(&name, &mut reporter)?,
        }
    }
    if let Some(open) = aggregate {
        let what = format!("<{}>", open.name);
        return Err(items.refuse(Refusal::CutOff { what }).into());
    }
    if !outside.is_over {
        let what = "<OFX>".to_owned();
        let refusal = if outside.is_ofx { Refusal::CutOff { what } } else { Refusal::NoStatement };
        return Err(items.refuse(refusal).into());
    }
    end(&mut reporter)?;
    reporter.finish(items.location())
}

fn is_whole(name: &str) -> bool {
    [&WHOLE[..], &ACCOUNTS, &ACTIONS, &POSITIONS, &SECURITIES].iter().any(|its| its.contains(&name))
}

/// Whether an item ends an aggregate: its closing tag; or, where a bank left that out, the next
/// transaction or the end of the list.
fn ends(current: &Aggregate, item: &Item) -> bool {
    match item {
        Item::Close { name, .. } if *name == current.name => true,
        Item::Open { name, .. } => {
            *name == current.name && ["STMTTRN", "STMTTRNP", "LOANSTMTTRN"].contains(&name.as_str())
        }
        Item::Close { .. } => closes_list(item),
    }
}

fn closes_list(item: &Item) -> bool {
    let Item::Close { name, .. } = item else { return false };
    let lists = [
        "BANKTRANLIST",
        "BANKTRANLISTP",
        "LOANTRANLIST",
        "INVTRANLIST",
        "INVPOSLIST",
        "SECLIST",
        "OFX",
    ];
    lists.contains(&name.as_str()) || STATEMENTS.contains(&name.as_str())
}

/// Where the reader is outside of aggregates that are read as a whole.
#[derive(Default)]
struct Outside {
    is_ofx: bool,
    is_over: bool,
    /// The list in which the period of the statement is.
    is_in_list: bool,
}

impl Outside {
    fn open(
        &mut self,
        name: &str,
        text: &str,
        location: Location,
        reporter: &mut Reporter<'_>,
    ) -> Result<(), Halt> {
        match name {
            // Some programs put several documents into one file.
            "OFX" => (self.is_ofx, self.is_over) = (true, false),
            _ if STATEMENTS.contains(&name) => {
                end(reporter)?;
                reporter.begin(location)?;
            }
            "BANKTRANLIST" | "LOANTRANLIST" | "INVTRANLIST" => self.is_in_list = true,
            "BANKTRANLISTP" => self.is_in_list = false,
            "CURDEF" => {
                let code = currency(text);
                if code.is_none() && !text.is_empty() {
                    let reason = format!("{} is not the code of a currency", quoted(text));
                    reporter.problem(ProblemAbout::Amounts, location, reason);
                }
                if let Some(statement) = reporter.statement() {
                    statement.currency = code;
                }
            }
            "DTSTART" | "DTEND" if self.is_in_list => {
                let day = dates::day(text);
                if day.is_none() {
                    let reason = format!("{name} is {}, which is no day", quoted(text));
                    reporter.problem(ProblemAbout::Statement, location, reason);
                }
                if let Some(statement) = reporter.statement() {
                    let end =
                        if name == "DTSTART" { &mut statement.from } else { &mut statement.to };
                    *end = day;
                }
            }
            // That of a balance or of a security is inside of what is read as a whole.
            "DTASOF" => {
                let day = dates::day(text);
                if day.is_none() {
                    let reason = format!("{name} is {}, which is no day", quoted(text));
                    reporter.problem(ProblemAbout::Statement, location, reason);
                }
                if let Some(statement) = reporter.statement() {
                    statement.as_of = day;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn close(&mut self, name: &str, reporter: &mut Reporter<'_>) -> Result<(), Halt> {
        match name {
            "OFX" => {
                self.is_over = true;
                end(reporter)?;
            }
            _ if STATEMENTS.contains(&name) => end(reporter)?,
            "BANKTRANLIST" | "LOANTRANLIST" | "INVTRANLIST" => self.is_in_list = false,
            _ => {}
        }
        Ok(())
    }
}

/// Hands on what an aggregate is.
fn finish(element: Element, reporter: &mut Reporter<'_>) -> Result<(), Halt> {
    let name = element.name.as_str();
    if SECURITIES.contains(&name) {
        return investment::security(&element).map_or(Ok(()), |its| reporter.security(its));
    }
    let Some(statement) = reporter.statement() else {
        let is_entry = name.starts_with("STMTTRN") || ACTIONS.contains(&name);
        return match is_entry {
            true => {
                let location = transaction::location(&element, "STMTTRN");
                let refusal = Refusal::EntryOutside;
                Err(StatementError::Refused { location, refusal }.into())
            }
            false => Ok(()),
        };
    };
    if ACCOUNTS.contains(&name) {
        statement.account = account(&element);
        return Ok(());
    }
    let currency = statement.currency.clone();
    let currency = currency.as_deref();
    let entry = match name {
        "STMTTRN" | "STMTTRNP" | "LOANSTMTTRN" => transaction::transaction(&element, currency),
        "INVBANKTRAN" => investment::cash(&element, currency),
        _ if ACTIONS.contains(&name) => investment::trade(&element, currency),
        _ if POSITIONS.contains(&name) => {
            return match investment::position(&element) {
                Ok(position) => reporter.position(position),
                Err(reason) => {
                    let location = transaction::location(&element, "INVPOSLIST");
                    reporter.problem(ProblemAbout::Statement, location, reason);
                    Ok(())
                }
            };
        }
        _ => {
            balance(&element, reporter);
            return Ok(());
        }
    };
    match entry {
        Ok(entry) => {
            let is_card = reporter.statement().is_some_and(|its| is_card(&its.account));
            if let Some(kind) = transaction::usually_out(&entry, is_card) {
                reporter.note_usually_out(kind, !entry.amount.is_negative());
            }
            reporter.entry(entry)
        }
        Err(unreadable) => reporter.unreadable(unreadable),
    }
}

fn is_card(account: &AccountIdentifiers) -> bool {
    account.kind.as_deref().is_some_and(|kind| kind.to_ascii_uppercase().starts_with("CREDIT"))
}

/// Ends the open statement. A list of purchases without signs is no income. What is booked at a
/// later day than its last one isn't what its entries come to: a month may be downloaded long after
/// it. Days are those of different clocks, and `DTEND` may be the day after.
fn end(reporter: &mut Reporter<'_>) -> Result<(), Halt> {
    let last = reporter.last_day().and_then(|last| last.tomorrow().ok());
    if let (Some(last), Some(statement)) = (last, reporter.statement()) {
        let is_later = |balance: &&mut StatedBalance| {
            balance.kind == BalanceKind::Closing && balance.on.is_some_and(|on| on > last)
        };
        for balance in statement.balances.iter_mut().filter(is_later) {
            balance.kind = BalanceKind::Other(LATER.to_owned());
        }
    }
    if let Some(reason) = reporter.unusual_signs() {
        let location = reporter.statement().map(|its| its.location.clone()).unwrap_or_default();
        reporter.problem(ProblemAbout::Amounts, location, reason);
    }
    reporter.end()
}

/// `LEDGERBAL` is what is booked at the end, `AVAILBAL` what can be spent. `BAL` has a name.
fn balance(element: &Element, reporter: &mut Reporter<'_>) {
    if element.name == "INVBAL" {
        for (name, kind) in [("AVAILCASH", "AVAILCASH"), ("MARGINBALANCE", "MARGINBALANCE")] {
            if element.at(name).is_some() {
                stated(element, name, BalanceKind::Other(kind.to_owned()), reporter);
            }
        }
        return;
    }
    match element.name.as_str() {
        "LEDGERBAL" => stated(element, "BALAMT", BalanceKind::Closing, reporter),
        "AVAILBAL" => stated(element, "BALAMT", BalanceKind::ClosingAvailable, reporter),
        _ => {
            let name = element.text_at("NAME").and_then(filled).unwrap_or_default();
            stated(element, "VALUE", BalanceKind::Other(name), reporter);
        }
    }
}

fn stated(element: &Element, name: &str, kind: BalanceKind, reporter: &mut Reporter<'_>) {
    let location = Location {
        line: element.line,
        offset: element.offset,
        path: Cow::Owned(format!("{}/{name}", element.name)),
    };
    // What proves nothing may be missing without a problem for the proof.
    let about = match kind {
        BalanceKind::Closing => ProblemAbout::Balance,
        _ => ProblemAbout::Statement,
    };
    let code = element.text_at("CURRENCY/CURSYM").and_then(currency);
    let code = code.or_else(|| reporter.statement().and_then(|its| its.currency.clone()));
    let mut reasons = Vec::new();
    let amount = transaction::amount_at(element, name, decimals(code.as_deref()), &mut reasons);
    let on = transaction::day_at(element, "DTASOF", &mut Vec::new());
    let Some(amount) = amount else {
        let reason = reasons.pop().unwrap_or_else(|| format!("There is no {name}"));
        reporter.problem(about, location, reason);
        return;
    };
    reporter.balance(StatedBalance {
        kind,
        amount,
        currency: code,
        on,
        is_between_pages: false,
        location,
    });
}
