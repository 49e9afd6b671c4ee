//! Histories: what happens at banks, on the way to them and at home, from a seed.
//!
//! A test lives through a history with the program under test, lets the banks be quiet, and
//! compares ([`compare`]). If that fails, the history is made shorter as long as it still fails
//! ([`shrunk`]).

mod compare;
mod draw;
mod shrink;

use std::fmt;

use jiff::civil::Date;
use jiff::tz::TimeZone;

pub use compare::{KnownLine, Line, LineState, compare, count};
pub use shrink::shrunk;

use crate::misbehaviour::{Fault, Quirk};
use crate::world::{ACCOUNTS, Account, Row, World};

/// Days of purchases before a history begins: fewer than a first sync asks for.
pub const DAYS_BEFORE: i64 = 24;
/// What the program calls a transaction without any text.
const NAMELESS: &str = "Transaction";
/// Days that banks with a short history show.
pub const SHORT_HISTORY_DAYS: i64 = 30;

/// The interface through which the banks are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interface {
    /// Four GET calls and a key.
    Lunchflow,
    /// The open protocol with one call for everything.
    Simplefin,
}

/// What a person does with a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// The transaction is deleted.
    Delete,
    /// It gets another name.
    Rename,
    /// It gets notes of the person.
    Note,
    /// It gets another amount.
    Amount,
    /// It is moved to another linked account.
    Move,
}

/// One thing that happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// So many days pass.
    Days(u8),
    /// What the banks do wrong from now on, beside what they always do.
    Misbehave(Vec<Quirk>),
    /// What the next requests meet.
    Meet(Fault),
    /// A run to its end.
    Sync,
    /// A run of which the process dies at a moment.
    Die(u16),
    /// A run that stops at a moment, and goes on when another process has had its turn.
    Sleep(u16),
    /// The server starts with pending rows wanted or not.
    Pending(bool),
    /// A person does something with one of the transactions.
    Person(Deed, u16),
    /// A person does something with one of the transactions that no sync knows.
    PersonBefore(Deed, u16),
    /// A person imports the bank's own file of so many days.
    Import(u8),
    /// A person decides on the pairs that may be one transaction.
    Decide,
    /// A person undoes the newest run.
    Undo,
    /// A person ends the links and makes them anew.
    Relink,
}

/// Everything that happens, in its order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct History {
    /// What is bought follows from it.
    pub seed: u64,
    /// The interface of the provider.
    pub interface: Interface,
    /// The time zone of the family.
    pub zone: &'static str,
    /// The numbers of the accounts that are linked.
    pub accounts: Vec<u64>,
    /// What the banks do wrong all the time.
    pub nature: Vec<Quirk>,
    /// What happens, in this order.
    pub steps: Vec<Step>,
}

impl History {
    /// The banks on the day on which the history begins.
    pub fn world(&self, today: Date) -> World {
        let mut world = World::with_days(self.seed, today, DAYS_BEFORE);
        world.quirks.clone_from(&self.nature);
        world
    }

    /// The accounts that are linked.
    pub fn linked(&self) -> impl Iterator<Item = &'static Account> + '_ {
        ACCOUNTS.iter().filter(|account| self.accounts.contains(&account.id))
    }

    /// What the banks have, whatever they show at the moment.
    pub fn truth(&self, world: &World) -> World {
        let mut truth = world.clone();
        truth.quirks.clone_from(&self.nature);
        truth
    }

    /// Whether the banks may show less than they have for a while.
    pub fn is_cut_short(&self) -> bool {
        self.steps
            .iter()
            .any(|step| matches!(step, Step::Misbehave(on) if on.contains(&Quirk::ShortHistory)))
    }

    /// Whether people make the ledger another than what the banks report.
    pub fn changes_amounts(&self) -> bool {
        let is_change = |step: &Step| match step {
            Step::Person(deed, _) => matches!(deed, Deed::Delete | Deed::Amount | Deed::Move),
            Step::Import(_) | Step::PersonBefore(..) => true,
            _ => false,
        };
        self.steps.iter().any(is_change)
    }

    /// What the banks report of an account, as the family has it: the days in its time zone.
    pub fn lines(&self, world: &World, account: &Account, pending: bool) -> Vec<Line> {
        let zone = TimeZone::get(self.zone).unwrap_or(TimeZone::UTC);
        let rows = world.rows(account, pending).into_iter();
        rows.map(|row| Line {
            date: self.day_of(world, row.date, &zone),
            amount: row.amount,
            name: self.name_of(world, &row),
            pending: row.pending,
        })
        .collect()
    }

    /// The name that a row has at home: the other side, else the text of the bank.
    fn name_of(&self, world: &World, row: &Row) -> String {
        let (payee, description) = match self.interface {
            Interface::Lunchflow => row.texts(world),
            Interface::Simplefin => (Some(row.payee), None),
        };
        payee.or(description).unwrap_or(NAMELESS).to_owned()
    }

    /// The family's day of a row: a provider may send a time instead of a day.
    fn day_of(&self, world: &World, date: Date, zone: &TimeZone) -> Date {
        let in_utc = |date: Date, hour: i8, minute: i8| {
            let time = date.at(hour, minute, 0, 0).to_zoned(TimeZone::UTC).ok()?;
            Some(time.with_time_zone(zone.clone()).date())
        };
        let day = match self.interface {
            Interface::Simplefin => in_utc(date, 12, 0),
            Interface::Lunchflow if world.has(Quirk::EpochDates) => in_utc(date, 12, 0),
            // Half past eleven in the evening, nine hours behind.
            Interface::Lunchflow if world.has(Quirk::ClockSkew) => {
                date.tomorrow().ok().and_then(|date| in_utc(date, 8, 30))
            }
            Interface::Lunchflow => Some(date),
        };
        day.unwrap_or(date)
    }
}

impl fmt::Display for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, interface, zone, accounts, nature, steps } = self;
        writeln!(f, "seed {seed}, {interface:?}, {zone}, accounts {accounts:?}, {nature:?}")?;
        for step in steps {
            writeln!(f, "  {step:?}")?;
        }
        Ok(())
    }
}
