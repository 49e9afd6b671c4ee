//! Records of depots: trades of securities, and money that moves there.
//!
//! ```text
//! !Type:Invst
//! D1/15'06
//! NBuyX
//! YAcme Inc.
//! I10.50
//! Q20
//! O9.95
//! T219.95
//! L[Giro]
//! $219.95
//! ^
//! ```
//!
//! The action states the direction, so amounts have no sign. An `X` behind it means that the money
//! comes from another account, or goes there: such a record is two, the trade and the side of a
//! transfer. The ratio of a share split stands in `Q`, as new shares for ten old ones.

use std::borrow::Cow;
use std::io::Write;

use purser_core::text::label::name_key;
use purser_core::text::number::{Written, without_signs, written_sign};

use super::record::{Fields, fraction_as_decimal, meaning};
use super::securities::{Securities, SecurityCells};
use super::{NO_DAY, RecordPlace, is_zero};
use crate::programs::RewriteError;
use crate::programs::register::{Entry, Register, TradeCells, tags};

/// The direction of money, seen from the depot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flow {
    In,
    Out,
}

/// What an action means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    /// A trade, by the word that files of trades have for it, and what it is called if that states
    /// more. Its money comes in or goes out; nothing if none moves.
    Trade(&'static str, &'static str, Option<Flow>),
    /// Income of a security; without a security it is money alone.
    Income(&'static str, &'static str),
    /// Money alone, and its name.
    Money(Flow, &'static str),
    /// A transaction of which the amount has a sign.
    Signed,
    /// What can't be represented, and why.
    Refused(&'static str),
}

const NO_RETURN: &str = "A return of capital can't be imported: it lowers what the shares cost without a sale; with a \
     blank Problem its money alone is booked";
const NO_OPTIONS: &str = "Options of employees can't be imported";
const NO_REMINDER: &str = "A reminder is no movement of money or shares";
const MINUS: &str = "The amount has a minus, but the action states that money comes in";

/// The actions, in lower case and without the `x` of money from elsewhere.
#[rustfmt::skip]
const ACTIONS: [(&str, Action); 28] = [
    ("", Action::Signed),
    ("cash", Action::Signed),
    ("buy", Action::Trade("Buy", "", Some(Flow::Out))),
    ("cvrshrt", Action::Trade("Buy", "Cover of a short sale", Some(Flow::Out))),
    ("sell", Action::Trade("Sell", "", Some(Flow::In))),
    ("shtsell", Action::Trade("Sell", "Short sale", Some(Flow::In))),
    ("div", Action::Income("Dividend", "Dividend")),
    ("intinc", Action::Income("Interest", "Interest")),
    ("cglong", Action::Income("Dividend", "Long-term capital gain")),
    ("cgmid", Action::Income("Dividend", "Mid-term capital gain")),
    ("cgshort", Action::Income("Dividend", "Short-term capital gain")),
    ("reinvdiv", Action::Trade("Reinvestment", "", None)),
    ("reinvint", Action::Trade("Reinvestment", "Reinvested interest", None)),
    ("reinvlg", Action::Trade("Reinvestment", "Reinvested long-term capital gain", None)),
    ("reinvmd", Action::Trade("Reinvestment", "Reinvested mid-term capital gain", None)),
    ("reinvsh", Action::Trade("Reinvestment", "Reinvested short-term capital gain", None)),
    ("shrsin", Action::Trade("Shares in", "", None)),
    ("shrsout", Action::Trade("Shares out", "", None)),
    ("stksplit", Action::Trade("Split", "", None)),
    ("miscinc", Action::Money(Flow::In, "Income")),
    ("miscexp", Action::Money(Flow::Out, "Expense")),
    ("margint", Action::Money(Flow::Out, "Margin interest")),
    ("rtrncap", Action::Refused(NO_RETURN)),
    ("reminder", Action::Refused(NO_REMINDER)),
    ("grant", Action::Refused(NO_OPTIONS)),
    ("vest", Action::Refused(NO_OPTIONS)),
    ("exercise", Action::Refused(NO_OPTIONS)),
    ("expire", Action::Refused(NO_OPTIONS)),
];

/// Actions of which the `x` is always there.
const WITH_X: [(&str, Action); 5] = [
    ("xin", Action::Money(Flow::In, "Transfer")),
    ("xout", Action::Money(Flow::Out, "Transfer")),
    ("contribx", Action::Money(Flow::In, "Contribution")),
    ("withdrwx", Action::Money(Flow::Out, "Withdrawal")),
    ("exercisx", Action::Refused(NO_OPTIONS)),
];

/// Actions that are no words of a language, and that move money or shares without a security.
const ONLY_OF_DEPOTS: [&str; 10] = [
    "shrsin", "shrsout", "miscinc", "miscexp", "margint", "intinc", "stksplit", "reinvdiv",
    "reinvint", "cvrshrt",
];

/// What an action means, and whether its money is from elsewhere; nothing if nobody knows it.
fn action_of(text: &str) -> Option<(Action, bool)> {
    let key = text.to_ascii_lowercase();
    let find = |table: &[(&str, Action)], key: &str| {
        table.iter().find(|(name, _)| *name == key).map(|(_, action)| *action)
    };
    if let Some(action) = find(&WITH_X, &key).or_else(|| find(&ACTIONS, &key)) {
        return Some((action, false));
    }
    let (before, action) = key.strip_suffix('x').map(|key| (key, find(&ACTIONS, key)))?;
    let has_x = !matches!(action?, Action::Signed | Action::Trade(_, _, None));
    (has_x && !before.is_empty()).then_some((action?, true))
}

/// Whether only a depot has an action: one of which the money comes from another account or goes
/// there, or one that no program has as a word. Others are words that a check may have for its
/// number (`Div` for *divers*).
pub(super) fn is_of_depot(action: &str) -> bool {
    let is_own = |action: Action| !matches!(action, Action::Signed | Action::Refused(_));
    let key = action.to_ascii_lowercase();
    let is_alone = ONLY_OF_DEPOTS.contains(&key.as_str());
    let is_with_x = WITH_X.iter().any(|(name, _)| *name == key);
    action_of(action)
        .is_some_and(|(action, has_x)| is_own(action) && (has_x || is_alone || is_with_x))
}

/// Writes what a record of a depot stands for.
pub(super) fn write<W: Write>(
    fields: &Fields,
    place: RecordPlace<'_>,
    securities: &Securities,
    register: &mut Register<W>,
) -> Result<(), RewriteError> {
    let text = fields.get('N');
    let record = Record::new(fields, place, securities);
    let name = fields.get('Y');
    let (entry, transfer) = match action_of(text) {
        _ if place.date.is_empty() => (record.refused(text, NO_DAY), None),
        Some((Action::Signed, _)) => {
            return super::write(&fields.without_number(), place, register);
        }
        Some((Action::Refused(reason), _)) => (record.refused(text, reason), None),
        Some((Action::Trade(word, called, flow), is_x)) => {
            (record.trade(word, called), flow.filter(|_| is_x))
        }
        Some((Action::Income(word, called), is_x)) if !name.is_empty() => {
            let called = if called == word { "" } else { called };
            (record.trade(word, called), Some(Flow::In).filter(|_| is_x))
        }
        Some((Action::Income(_, called), is_x)) => {
            (record.money(Flow::In, called, is_x), Some(Flow::In).filter(|_| is_x))
        }
        Some((Action::Money(flow, called), is_x)) => {
            (record.money(flow, called, is_x), Some(flow).filter(|_| is_x))
        }
        // Programs in other languages translate the actions.
        None => (record.trade(text, ""), None),
    };
    record.push(&entry, register)?;
    match transfer {
        Some(flow) => record.push_side(flow, register),
        None => Ok(()),
    }
}

/// A record, and what is the same in everything that it becomes.
struct Record<'a> {
    fields: &'a Fields,
    place: RecordPlace<'a>,
    security: Option<&'a SecurityCells>,
    category: &'a str,
    /// The account that money comes from or goes to.
    other: &'a str,
    tags: String,
    notes: String,
}

/// What becomes of a record.
struct Entries<'a> {
    payee: &'a str,
    category: &'a str,
    transfer: &'a str,
    amount: Cow<'a, str>,
    problem: Cow<'a, str>,
    /// The word for the type, if it is a trade.
    word: &'a str,
}

impl<'a> Record<'a> {
    fn new(fields: &'a Fields, place: RecordPlace<'a>, securities: &'a Securities) -> Self {
        // `Category|[Account]` names both.
        let label = fields.get('L');
        let both = label.split_once('|').map(|(category, account)| [category, account]);
        let meanings = both.map_or([meaning(label), meaning("")], |both| both.map(meaning));
        let [first, second] = meanings;
        let category = if first.category.is_empty() { second.category } else { first.category };
        let other = if first.account.is_empty() { second.account } else { first.account };
        let is_own = name_key(other) == name_key(place.account);
        Self {
            fields,
            place,
            security: securities.get(fields.get('Y')),
            // Those that the program gives by itself stand for the action.
            category: if category.starts_with('_') { "" } else { category },
            other: if is_own { "" } else { other },
            tags: tags([first.class, fields.standing()].into_iter()),
            notes: fields.get('M').to_owned(),
        }
    }

    fn payee(&self, called: &'a str) -> &'a str {
        match self.fields.get('P') {
            "" => called,
            payee => payee,
        }
    }

    fn refused(&self, action: &str, reason: &'a str) -> Entries<'a> {
        let called = if is_return(action) { "Return of capital" } else { "" };
        Entries { problem: Cow::Borrowed(reason), ..self.trade("", called) }
    }

    fn trade(&self, word: &'a str, called: &'a str) -> Entries<'a> {
        let amount = self.fields.amount();
        let twin = self.security.and_then(|one| one.twin.as_ref().map(|twin| (one, twin)));
        let problem = match twin {
            Some((SecurityCells { name, ticker, .. }, twin)) => Cow::Owned(format!(
                "The securities {name} and {twin} would both be called {ticker}: the file has no \
                 symbols for them"
            )),
            None if word == "Reinvestment" && is_negative(amount) => Cow::Borrowed(MINUS),
            None => Cow::Borrowed(""),
        };
        Entries {
            payee: self.payee(called),
            category: "",
            transfer: "",
            amount: Cow::Borrowed(amount),
            problem,
            word,
        }
    }

    /// Money alone. It has a category, or an account that it comes from or goes to; if it goes on
    /// to that one, the transfer is a record of its own.
    fn money(&self, flow: Flow, called: &'a str, goes_on: bool) -> Entries<'a> {
        let amount = self.fields.amount();
        let is_wrong = flow == Flow::In && is_negative(amount);
        Entries {
            payee: self.payee(called),
            category: self.category,
            transfer: if goes_on { "" } else { self.other },
            amount: directed(amount, flow),
            problem: Cow::Borrowed(if is_wrong { MINUS } else { "" }),
            word: "",
        }
    }

    fn push<W: Write>(
        &self,
        entry: &Entries<'_>,
        register: &mut Register<W>,
    ) -> Result<(), RewriteError> {
        let is_trade = !entry.word.is_empty();
        let none = SecurityCells::default();
        let security = self.security.unwrap_or(&none);
        // A trade has neither a category nor tags; money has no security.
        let beside = match is_trade {
            true => [self.category, self.fields.standing()],
            false => [security.name.as_str(), ""],
        };
        let notes = [self.notes.as_str()].into_iter().chain(beside);
        let notes: Vec<&str> = notes.filter(|text| !text.is_empty()).collect();
        let (quantity, ratio) = match (entry.word, self.fields.get('Q')) {
            ("Split", quantity) => (String::new(), ratio_of(quantity)),
            (_, quantity) => (fraction_as_decimal(quantity), String::new()),
        };
        let trade = TradeCells {
            word: entry.word,
            ticker: &security.ticker,
            isin: &security.isin,
            security: &security.name,
            quantity: &quantity,
            price: &fraction_as_decimal(self.fields.get('I')),
            fee: self.fields.get('O'),
            ratio: &ratio,
        };
        Ok(register.push(&Entry {
            line: self.fields.line,
            account: self.place.account,
            date: self.place.date,
            payee: entry.payee,
            category: entry.category,
            tags: if is_trade { "" } else { &self.tags },
            notes: &notes.join("; "),
            transfer: entry.transfer,
            amounts: &[entry.amount.as_ref()],
            trade: if is_trade { trade } else { TradeCells::default() },
            problem: &entry.problem,
            ..Entry::default()
        })?)
    }

    /// The money that came from elsewhere for a trade, or went there.
    fn push_side<W: Write>(
        &self,
        flow: Flow,
        register: &mut Register<W>,
    ) -> Result<(), RewriteError> {
        let amount = match self.fields.get('$') {
            "" => self.fields.amount(),
            amount => amount,
        };
        let amount = without_signs(amount);
        if is_zero(&amount) {
            return Ok(());
        }
        let back = if flow == Flow::In { Flow::Out } else { Flow::In };
        Ok(register.push(&Entry {
            line: self.fields.line,
            account: self.place.account,
            date: self.place.date,
            payee: self.payee("Transfer"),
            tags: &self.tags,
            notes: &self.notes,
            transfer: self.other,
            amounts: &[directed(&amount, back).as_ref()],
            ..Entry::default()
        })?)
    }
}

fn is_return(action: &str) -> bool {
    action.to_ascii_lowercase().starts_with("rtrncap")
}

/// Whether an amount has a minus, wherever that stands.
fn is_negative(amount: &str) -> bool {
    written_sign(amount) == Written::Minus
}

/// An amount with the sign of its direction.
fn directed(amount: &str, flow: Flow) -> Cow<'_, str> {
    match flow {
        Flow::Out if !amount.is_empty() => Cow::Owned(format!("-{}", without_signs(amount))),
        _ => Cow::Borrowed(amount),
    }
}

/// The ratio of a share split: `Q` has the new shares for ten old ones, perhaps with decimals.
/// Three digits behind a separator may be thousands: such a number stays as it is, which is no
/// ratio.
fn ratio_of(quantity: &str) -> String {
    let (whole, decimals) = quantity.split_once(['.', ',']).unwrap_or((quantity, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if decimals.len() == 3 && matches!(whole.len(), 1..=3) && !whole.starts_with('0') {
        return quantity.to_owned();
    }
    let decimals = decimals.trim_end_matches('0');
    if whole.len() + decimals.len() > RATIO_DIGITS_MAX || !is_number(whole) || !is_number(decimals)
    {
        return quantity.to_owned();
    }
    let Ok(to) = format!("{whole}{decimals}").parse::<u64>() else { return quantity.to_owned() };
    let from = 10_u64.pow(1 + decimals.len() as u32);
    let divisor = greatest_common_divisor(to, from);
    match to.checked_div(divisor) {
        Some(to) if to > 0 => format!("{to}:{}", from / divisor),
        _ => quantity.to_owned(),
    }
}

/// Digits of a ratio that is read.
const RATIO_DIGITS_MAX: usize = 9;

fn greatest_common_divisor(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { greatest_common_divisor(other, one % other) }
}

#[cfg(test)]
#[path = "investments_tests.rs"]
mod tests;
