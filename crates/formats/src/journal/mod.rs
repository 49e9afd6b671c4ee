//! Journals of plain-text accounting: the same directives and transactions, written for hledger or
//! for Beancount.
//!
//! A transaction is a list of [`Posting`]s in accounts that [`names`] made. One of them may be the
//! [`Amount::Rest`]: what makes the others balance. hledger is given the total of each lot, rounded
//! as the whole position is; Beancount is given the exact cost of one share. So the rest is
//! computed by the writer.
//!
//! hledger has no escapes. A character that it would read as syntax is written as another one:
//! `;` as a comma, `|` as a slash, line breaks as spaces.

mod beancount;
mod hledger;
pub mod names;
mod numbers;

use std::borrow::Cow;
use std::io::{self, Write};

use jiff::civil::Date;
use purser_core::money::Currency;
use purser_core::money::exact::Fraction;
use rust_decimal::Decimal;

/// The program that a journal is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// hledger.
    Hledger,
    /// Beancount.
    Beancount,
}

/// The account of what is left when an exact cost meets money that was rounded. It is used only
/// where the rest is too large for Beancount to overlook.
pub const ROUNDING: &str = "Equity:Rounding";

/// Something that is known beside a directive or a posting: a key in lower case, and a text.
pub type Fact<'a> = (&'static str, Cow<'a, str>);

/// A transaction of several postings.
#[derive(Debug)]
pub struct Transaction<'a> {
    /// The day.
    pub date: Date,
    /// With whom, if that is known.
    pub payee: Option<&'a str>,
    /// What it is about.
    pub text: &'a str,
    /// Tags, as [`names`] made them.
    pub tags: Vec<&'a str>,
    /// What else is known.
    pub facts: Vec<Fact<'a>>,
    /// The postings, which balance.
    pub postings: Vec<Posting<'a>>,
}

/// An amount in an account.
#[derive(Debug)]
pub struct Posting<'a> {
    /// The account.
    pub account: &'a str,
    /// The amount.
    pub amount: Amount<'a>,
    /// What else is known.
    pub facts: Vec<Fact<'a>>,
}

/// The amount of a posting; positive is more in the account.
#[derive(Debug)]
pub enum Amount<'a> {
    /// Money, in the scale of its currency.
    Money(i64, Currency),
    /// Money in a currency that counts as so much in another one, with the same sign.
    Converted {
        /// The amount.
        amount: i64,
        /// Its currency.
        currency: Currency,
        /// What it counts as.
        booked: i64,
        /// The currency of that.
        into: Currency,
    },
    /// Shares of one lot.
    Lot {
        /// How many.
        quantity: Decimal,
        /// Of what.
        commodity: &'a str,
        /// The day of the lot.
        opened: Date,
        /// What they cost, with the sign of the quantity, in the currency's scale; zero if that
        /// isn't known.
        cost: Fraction,
        /// Whether the cost is known.
        is_known: bool,
        /// What they add to the rounded cost of the position.
        rounded: i128,
        /// The currency of the cost.
        currency: Currency,
    },
    /// What balances the others in a currency; nothing is written if that is zero.
    Rest(Currency),
}

/// What an account has at the end of a day.
#[derive(Debug, Clone, Copy)]
pub enum EndBalance<'a> {
    /// Money, in the scale of its currency.
    Money(i64, Currency),
    /// Shares.
    Shares(Decimal, &'a str),
}

/// Writes a journal.
pub struct Journal<'o> {
    dialect: Dialect,
    output: &'o mut dyn Write,
    line: String,
}

impl<'o> Journal<'o> {
    /// A journal that is empty so far.
    ///
    /// # Errors
    /// Those of the output, as of every other function.
    pub fn begin(
        dialect: Dialect,
        output: &'o mut dyn Write,
        title: &str,
        currency: Currency,
    ) -> io::Result<Self> {
        let mut journal = Self { dialect, output, line: String::with_capacity(1024) };
        journal.write(|dialect, line| match dialect {
            Dialect::Hledger => hledger::begin(line, title),
            Dialect::Beancount => beancount::begin(line, title, currency),
        })?;
        Ok(journal)
    }

    /// The program that the journal is for.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// A heading for people.
    pub fn heading(&mut self, text: &str) -> io::Result<()> {
        self.write(|_, line| {
            line.push_str("\n; ");
            line.push_str(text);
            line.push_str("\n\n");
        })
    }

    /// Declares a currency.
    pub fn currency(&mut self, first: Date, currency: Currency) -> io::Result<()> {
        self.write(|dialect, line| match dialect {
            Dialect::Hledger => hledger::currency(line, currency),
            Dialect::Beancount => beancount::commodity(line, first, currency.code(), &[]),
        })
    }

    /// Declares a security.
    pub fn commodity(&mut self, first: Date, symbol: &str, facts: &[Fact<'_>]) -> io::Result<()> {
        self.write(|dialect, line| match dialect {
            Dialect::Hledger => hledger::commodity(line, symbol, facts),
            Dialect::Beancount => beancount::commodity(line, first, symbol, facts),
        })
    }

    /// Declares an account.
    pub fn account(&mut self, first: Date, account: &str, facts: &[Fact<'_>]) -> io::Result<()> {
        self.write(|dialect, line| match dialect {
            Dialect::Hledger => hledger::account(line, account, facts),
            Dialect::Beancount => beancount::open(line, first, account, facts),
        })
    }

    /// What one unit is worth on a day, as decimal text.
    pub fn price(&mut self, date: Date, of: &str, price: &str, currency: &str) -> io::Result<()> {
        self.write(|dialect, line| match dialect {
            Dialect::Hledger => hledger::price(line, date, of, price, currency),
            Dialect::Beancount => beancount::price(line, date, of, price, currency),
        })
    }

    /// Writes a transaction.
    pub fn transaction(&mut self, transaction: &Transaction<'_>) -> io::Result<()> {
        self.write(|dialect, line| match dialect {
            Dialect::Hledger => hledger::transaction(line, transaction),
            Dialect::Beancount => beancount::transaction(line, transaction),
        })
    }

    /// What an account must have at the end of a day, or the journal is wrong.
    pub fn assert(&mut self, date: Date, account: &str, stated: EndBalance<'_>) -> io::Result<()> {
        self.write(|dialect, line| match dialect {
            Dialect::Hledger => hledger::assert(line, date, account, stated),
            Dialect::Beancount => beancount::assert(line, date, account, stated),
        })
    }

    fn write(&mut self, put: impl FnOnce(Dialect, &mut String)) -> io::Result<()> {
        self.line.clear();
        put(self.dialect, &mut self.line);
        self.output.write_all(self.line.as_bytes())
    }
}

#[cfg(test)]
mod tests;
