//! The ledger of a large family: balances of an account with a million entries, holdings of many
//! securities, positions with many trades, and reports over ten years; each against its goal.
//!
//! What is measured are the functions that requests, jobs and checks call, in this process and on
//! a database that the program made, and one list over HTTP. Writes go through the ledger's
//! executor and end with their commit. Each figure is the median of some runs. Peers read the very
//! same rows, or books with the very same trades.

mod books;
mod entries;
mod holdings;
mod lots;
mod peers;

use std::time::{Duration, Instant};

use jiff::civil::Date;
use purser_store::audit::Actor;
use purser_store::{Access, Store, calendar};

use crate::Result;
use crate::arguments::Arguments;
use crate::server::Data;
use crate::statistics::median;
use crate::table::Table;

const ENTRIES_DEFAULT: u64 = 1_000_000;
const SECURITIES_DEFAULT: u64 = 500;
/// Ten years, in days.
const DAYS: i64 = 3_653;

/// What was measured, and what it should be.
#[derive(Debug)]
struct Figure {
    what: String,
    time: Duration,
    goal: Option<Duration>,
}

impl Figure {
    fn new(what: impl Into<String>, time: Duration) -> Self {
        Self { what: what.into(), time, goal: None }
    }

    fn below(self, milliseconds: u64) -> Self {
        Self { goal: Some(Duration::from_millis(milliseconds)), ..self }
    }

    /// Whether the figure reaches its goal; empty if there is no goal.
    fn verdict(&self) -> &'static str {
        match self.goal {
            Some(goal) if self.time < goal => "yes",
            Some(_) => "NO",
            None => "",
        }
    }
}

pub(crate) fn run(mut arguments: Arguments) -> Result<()> {
    let entries = arguments.number("--entries")?.unwrap_or(ENTRIES_DEFAULT).max(1);
    let securities = arguments.number("--securities")?.unwrap_or(SECURITIES_DEFAULT).max(2);
    let database = arguments.text("--database")?;
    arguments.finish()?;

    let data = Data::fresh(database.as_deref())?;
    let mut figures = entries::measure(&data, entries)?;
    figures.extend(holdings::measure(&data, securities)?);
    figures.extend(lots::measure(&data)?);

    let mut table = Table::new(&["what", "ms", "goal ms", "met"]);
    for figure in &figures {
        let goal = figure.goal.map_or_else(String::new, |goal| goal.as_millis().to_string());
        table.row(&[&figure.what, &milliseconds(figure.time), &goal, &figure.verdict()]);
    }
    table.print();
    Ok(())
}

/// Milliseconds with as many digits as are worth reading.
fn milliseconds(time: Duration) -> String {
    let value = time.as_secs_f64() * 1000.0;
    if value < 100.0 { format!("{value:.1}") } else { format!("{value:.0}") }
}

/// The median time of several runs. Each run gets its number.
fn median_time(runs: u32, mut work: impl FnMut(u32) -> Result<()>) -> Result<Duration> {
    let mut times = Vec::new();
    for run in 0..runs {
        let started = Instant::now();
        work(run)?;
        times.push(started.elapsed());
    }
    Ok(median(&times).unwrap_or_default())
}

/// Access to the family that was made last, and its today.
fn newest_family(store: &Store) -> Result<(Access, Date)> {
    let families = store.read_directory_blocking(purser_store::families::list)?;
    let family = families.into_iter().last().ok_or("there is no family")?;
    let access = family.access(Actor::CommandLine);
    let today = store.read_blocking(access.clone(), calendar::today)?;
    Ok((access, today))
}

/// A day, counted from ten years before today.
fn day(today: Date, number: i64) -> Result<Date> {
    Ok(today.checked_add(jiff::Span::new().days(number - DAYS))?)
}

/// Every day of ten years, today included.
fn all_days(today: Date) -> Result<Vec<Date>> {
    (0..=DAYS).map(|number| day(today, number)).collect()
}
