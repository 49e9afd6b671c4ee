//! Journals of plain-text accounting, made of everything that moves a family's balances: see
//! `docs/journals.md`.
//!
//! The sections come one after the other, each in the order of days: accounts and commodities,
//! prices and rates, openings, transactions, trades security by security, adjustments, and what
//! every account must have at the end, so that the program that reads the journal checks it.

mod chart;
mod flows;
mod lots;
mod values;

use std::io::{self, Write};

use purser_core::error::{Error, Result};
use purser_formats::journal::{Dialect, Journal};
use purser_store::{FamilyTx, families};

use chart::Chart;

/// What the writing of a journal needs.
struct Writer<'w> {
    journal: Journal<'w>,
    chart: Chart,
    /// How many entries were written.
    entries: u64,
}

/// Writes a journal of everything that is booked, and returns how many entries it has. It is for
/// those who see all accounts.
///
/// # Errors
/// Those of the output.
pub(super) fn write_journal(
    tx: &mut FamilyTx<'_>,
    dialect: Dialect,
    output: &mut dyn Write,
) -> Result<u64> {
    if tx.accounts().is_restricted() {
        return Err(Error::internal("a journal has all accounts"));
    }
    let family = families::get(tx)?;
    let chart = Chart::read(tx, dialect)?;
    let begun = Journal::begin(dialect, output, &family.name, family.currency);
    let mut writer = Writer { journal: begun.map_err(failed)?, chart, entries: 0 };
    writer.declare(tx, family.currency)?;
    writer.prices(tx, family.currency)?;
    writer.openings()?;
    writer.flows(tx)?;
    writer.trades(tx)?;
    writer.adjustments(tx)?;
    writer.ends(tx)?;
    writer.declare_categories()?;
    Ok(writer.entries)
}

fn failed(error: io::Error) -> Error {
    super::tables::failed(error)
}
