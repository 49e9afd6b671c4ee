//! What every format of bank statements has in common.
//!
//! Amounts have the sign that they have for the account: what is paid in is positive, what is paid
//! out is negative, a reversal included. (The ledger has the opposite sign.) Texts are as the bank
//! wrote them, without white space around them; what is blank, or a word that stands for nothing
//! (`NOTPROVIDED`, `NONREF`), is none.

use std::borrow::Cow;

use jiff::civil::Date;

use super::amount::Amount;

/// Where something stands in a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Location {
    /// The line, counted from 1.
    pub line: u64,
    /// The byte in the text as UTF-8, counted from 0.
    pub offset: u64,
    /// The element or the field: `Stmt/Ntry/Amt`, `STMTTRN/TRNAMT`, `:61:`.
    pub path: Cow<'static, str>,
}

/// What identifies an account in a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AccountIdentifiers {
    /// The international account number, without spaces.
    pub iban: Option<String>,
    /// The number in the form that the bank uses.
    pub number: Option<String>,
    /// The bank's code in its country: a routing number, a sort code.
    pub bank: Option<String>,
    /// The bank's international code (BIC).
    pub bic: Option<String>,
    /// The kind of the account in the format's words: `CHECKING`, `CACC`, `CREDITCARD`.
    pub kind: Option<String>,
    /// What the bank calls the account.
    pub name: Option<String>,
    /// The owner of the account.
    pub holder: Option<String>,
}

impl AccountIdentifiers {
    /// Whether nothing in it identifies an account.
    pub fn is_empty(&self) -> bool {
        self.iban.is_none() && self.number.is_none()
    }
}

/// What a balance of a statement is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BalanceKind {
    /// Booked, before the first entry.
    Opening,
    /// Booked, after the last entry.
    Closing,
    /// Booked, at a moment of a day that isn't over.
    Interim,
    /// What can be spent, before the first entry.
    OpeningAvailable,
    /// What can be spent, after the last entry.
    ClosingAvailable,
    /// Another one, with the format's word for it.
    Other(String),
}

/// A balance that the bank states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedBalance {
    /// Which balance of the statement it is.
    pub kind: BalanceKind,
    /// The amount; what is owed is negative.
    pub amount: Amount,
    /// The code as it stands in the file.
    pub currency: Option<String>,
    /// The day of which it is the balance.
    pub on: Option<Date>,
    /// Whether it only links two pages of one statement.
    pub is_between_pages: bool,
    /// The place of it in the file.
    pub location: Location,
}

/// Which entries a total is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TotalOf {
    /// All entries: the number, and the sum without signs.
    All,
    /// What was paid in.
    Credits,
    /// What was paid out; the sum is without its sign.
    Debits,
    /// All entries with their signs.
    Net,
}

/// A number and a sum of entries that the bank states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedTotal {
    /// The entries that it is about.
    pub of: TotalOf,
    /// How many there are.
    pub count: Option<u64>,
    /// What they come to.
    pub sum: Option<Amount>,
    /// The code as it stands in the file.
    pub currency: Option<String>,
    /// The place of it in the file.
    pub location: Location,
}

/// Something of a statement that isn't an entry and couldn't be read, or contradicts something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementProblem {
    /// What it is about.
    pub about: ProblemAbout,
    /// The place of it in the file.
    pub location: Location,
    /// A sentence without a full stop.
    pub reason: String,
}

/// What a problem of a statement is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProblemAbout {
    /// A balance, so that nothing can be proven by it.
    Balance,
    /// A total of entries.
    Total,
    /// What the amounts of entries mean: their signs, or their currency.
    Amounts,
    /// Anything else, such as the period.
    Statement,
}

/// A statement without its entries.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BankStatement {
    /// The account of all its entries.
    pub account: AccountIdentifiers,
    /// The currency of the account, as the file states it.
    pub currency: Option<String>,
    /// The bank's identifier of the statement.
    pub id: Option<String>,
    /// The number in the year, perhaps with the number of the page: `12/1`.
    pub number: Option<String>,
    /// The first day that it is about.
    pub from: Option<Date>,
    /// The last day that it is about.
    pub to: Option<Date>,
    /// The day at the end of which its positions were held, if the file states it.
    pub as_of: Option<Date>,
    /// All balances that it states, in the order of the file.
    pub balances: Vec<StatedBalance>,
    /// All totals that it states.
    pub totals: Vec<StatedTotal>,
    /// The first problems, but for those of entries.
    pub problems: Vec<StatementProblem>,
    /// How many problems more there are.
    pub more_problems: u64,
    /// The place at which it starts.
    pub location: Location,
}

impl BankStatement {
    /// The currency of the account; if none is stated, that of the balances.
    pub fn currency(&self) -> Option<&str> {
        let of_balances = || self.balances.iter().find_map(|balance| balance.currency.as_deref());
        self.currency.as_deref().or_else(of_balances)
    }

    /// The balances of a kind, in the order of the file.
    pub fn balances_of(&self, kind: &BalanceKind) -> impl Iterator<Item = &StatedBalance> {
        self.balances.iter().filter(move |balance| balance.kind == *kind)
    }
}

/// Whether an entry is in the books.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EntryStatus {
    /// It is part of the booked balance.
    #[default]
    Booked,
    /// The bank expects it; a later statement may have it as booked, under another id perhaps.
    Pending,
    /// For information only; no money moves.
    Information,
}

/// Who is on the other side of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Counterparty {
    /// The name as the bank wrote it.
    pub name: Option<String>,
    /// The account at the other side.
    pub account: AccountIdentifiers,
}

/// An amount before it was converted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OriginalAmount {
    /// The amount without a sign, if the file has it.
    pub amount: Option<Amount>,
    /// The code as it stands in the file.
    pub currency: String,
    /// The rate as it stands in the file.
    pub rate: Option<String>,
}

/// What an entry and a part of a batch have in common.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EntryTexts {
    /// The bank's own identifier: a FITID, the account servicer's reference.
    pub bank_reference: Option<String>,
    /// The payer's identifier, which goes through to the payee.
    pub end_to_end_id: Option<String>,
    /// The mandate of a direct debit.
    pub mandate_id: Option<String>,
    /// The number of a cheque.
    pub check_number: Option<String>,
    /// The other side of the payment.
    pub counterparty: Counterparty,
    /// What the payer wrote, and structured references, each as a text.
    pub remittance: Vec<String>,
    /// What the bank wrote about it.
    pub additional: Option<String>,
    /// The kind of transaction in the format's words: `DEBIT`, `PMNT-RCDT-ESCT`, `NMSC 166`.
    pub type_code: Option<String>,
    /// What was paid before a conversion.
    pub original: Option<OriginalAmount>,
}

/// A part of an entry that books several payments at once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EntryDetail {
    /// The amount with its sign, if the file has one for the part.
    pub amount: Option<Amount>,
    /// The code as it stands in the file.
    pub currency: Option<String>,
    /// What is known of the payment.
    pub texts: EntryTexts,
    /// The line at which it starts.
    pub line: u64,
}

/// Something about an entry that a person should decide. The entry was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Doubt {
    /// The type has another direction than the amount.
    #[error("its type and the sign of its amount have different directions")]
    SignAgainstType,
    /// The identifier isn't one.
    #[error("line {line} has the same identifier")]
    ReferenceRepeated {
        /// The line of the first entry with it.
        line: u64,
    },
    /// The parts of the batch come to something else.
    #[error("its parts don't add up to its amount")]
    PartsDiffer,
    /// The batch has another number of parts than it states.
    #[error("it has another number of parts than it states")]
    PartsMissing,
    /// More parts than are kept.
    #[error("it has more parts than are read")]
    PartsLeftOut,
    /// The bank marks it as a correction of an earlier entry.
    #[error("it corrects or deletes an earlier entry")]
    Correction,
}

/// What a trade in securities adds to an entry.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TradeFacts {
    /// The format's word for what was done: `BUYSTOCK`, `INCOME DIV`.
    pub action: String,
    /// The identifier of the security, and the kind of identifier: `CUSIP`, `ISIN`.
    pub security: Option<(String, String)>,
    /// Units with their sign.
    pub units: Option<Amount>,
    /// The price of one unit.
    pub unit_price: Option<Amount>,
    /// Commission, fees, taxes and withholding, each with the format's word.
    pub charges: Vec<(String, Amount)>,
    /// The ratio of a share split: `2:1` if one share became two.
    pub split: Option<String>,
}

/// A booking of a statement, or one that the bank expects.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Entry {
    /// The day of the booking. If a file has only the value date, it is that.
    pub booked_on: Option<Date>,
    /// The day from which on it counts for interest.
    pub value_on: Option<Date>,
    /// The day on which the person paid.
    pub paid_on: Option<Date>,
    /// What is paid in is positive.
    pub amount: Amount,
    /// The code as it stands in the file; none if it is the statement's.
    pub currency: Option<String>,
    /// Whether it is in the books.
    pub status: EntryStatus,
    /// Whether it takes back an earlier one. The sign of the amount is its own.
    pub is_reversal: bool,
    /// References, counterparty and texts.
    pub texts: EntryTexts,
    /// The payments of a batch, in the order of the file.
    pub details: Vec<EntryDetail>,
    /// What it has to do with a security.
    pub trade: Option<TradeFacts>,
    /// What a person should decide.
    pub doubts: Vec<Doubt>,
    /// The place at which it starts.
    pub location: Location,
}

/// An entry that couldn't be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableEntry {
    /// The place at which it starts.
    pub location: Location,
    /// Every reason, as sentences without a full stop.
    pub reasons: Vec<String>,
}

/// A security that a file describes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SecurityFacts {
    /// The identifier in the file, and its kind.
    pub id: (String, String),
    /// The name of the security.
    pub name: Option<String>,
    /// The symbol at the exchange.
    pub ticker: Option<String>,
    /// The format's word for what it is: `STOCKINFO`.
    pub kind: String,
    /// The price of one unit, and the day of it; or why it can't be read.
    pub price: Option<Result<(Amount, Date), String>>,
    /// The code of the price's currency, if it isn't that of the statements.
    pub currency: Option<String>,
    /// The line at which it starts.
    pub line: u64,
}

/// Units of a security that an account held when the statement was made.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PositionFacts {
    /// The identifier of the security in the file, and its kind.
    pub security: (String, String),
    /// The format's word for what it is: `POSSTOCK`.
    pub kind: String,
    /// Units; of a short position below zero.
    pub units: Option<Amount>,
    /// Whether the file calls it a short one.
    pub is_short: bool,
    /// The price of one unit.
    pub unit_price: Option<Amount>,
    /// What they were worth.
    pub value: Option<Amount>,
    /// The code of the currency of both, if it isn't that of the statement.
    pub currency: Option<String>,
    /// The day of the price.
    pub on: Option<Date>,
    /// The line at which it starts.
    pub line: u64,
}

impl PositionFacts {
    /// Whether nothing shows on which side of zero it is.
    pub fn is_unsure(&self) -> bool {
        self.is_short && self.units.is_some_and(|units| !units.is_negative() && !units.is_zero())
    }
}
