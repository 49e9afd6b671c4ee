//! Statements of banks in the formats of their interfaces: one neutral form for all of them.
//!
//! A reader delivers [`Event`]s in the order of the file: a statement begins, its entries, and at
//! the end all that was stated about it, with what the entries come to ([`Tally`]). Only one entry
//! is in memory at a time. [`proof::check`] shows whether the balances prove the entries.
//!
//! * [`model`]: statements, balances, entries, and what couldn't be read, with its place.
//! * [`amount`]: exact decimals. [`limits`]: what a file may have at most.
//! * [`table`]: a file, or those of an archive, as one table in CSV, which imports read.
//!   [`trades`]: statements of investments as a table of trades.
//! * [`encoding`]: which encoding a file claims, and which one it has.
//! * `camt`: ISO 20022. `mt940`: SWIFT. `ofx`: OFX 1 (SGML), OFX 2 (XML) and QFX.
//!
//! Sources are text in UTF-8 ([`crate::decode`]). A file is read to its end or refused with the
//! place and the reason ([`StatementError`]); what was delivered before a refusal is to be dropped.
//! An entry that can't be read doesn't end the file: it is an event of its own, and the balances
//! then prove nothing.

pub mod amount;
mod camt;
pub mod encoding;
mod error;
mod files;
mod found;
mod holdings;
mod labels;
pub mod limits;
pub(crate) mod markup;
pub mod model;
mod mt940;
mod ofx;
pub mod proof;
#[cfg(test)]
mod proof_tests;
mod recognise;
mod repeats;
mod reporter;
mod survey;
pub mod table;
mod tally;
mod text;
pub mod trades;
mod unproven;
mod window;

use std::io::Read;
use std::ops::ControlFlow;

pub use error::{Refusal, StatementError};
pub use files::{ArchivedFiles, OneFile, StatementFiles};
pub use recognise::{StatementFormat, file_format, has_investments, recognise};
pub use tally::{CountedSum, CurrencySums, Tally};

use error::Halt;
use model::{BankStatement, Entry, PositionFacts, SecurityFacts, UnreadableEntry};
use reporter::Reporter;

/// What a reader delivers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A statement begins. What the file states only behind the first entry isn't in it yet.
    Begin(Box<BankStatement>),
    /// An entry of the statement.
    Entry(Box<Entry>),
    /// An entry of the statement that couldn't be read.
    Unreadable(UnreadableEntry),
    /// A position of the statement's account.
    Position(Box<PositionFacts>),
    /// A security that entries and positions of any statement of the file may name.
    Security(Box<SecurityFacts>),
    /// The statement ends: everything that the file states about it, and what its entries come to.
    End(Box<BankStatement>, Box<Tally>),
}

/// Reads a file from its start to its end, or until `each` needs no more.
pub fn read(
    format: StatementFormat,
    source: impl Read,
    each: &mut dyn FnMut(Event) -> ControlFlow<()>,
) -> Result<(), StatementError> {
    let reporter = Reporter::new(each);
    let result = match format {
        StatementFormat::Ofx => ofx::read(source, reporter),
        StatementFormat::Camt => camt::read(source, reporter),
        StatementFormat::Mt940 => mt940::read(source, reporter),
    };
    match result {
        Ok(()) | Err(Halt::Stopped) => Ok(()),
        Err(Halt::Failed(error)) => Err(error),
    }
}
