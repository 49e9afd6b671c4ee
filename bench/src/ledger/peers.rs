//! What others need for the same: the `sqlite3` program for the sums of a rebuild, Beancount for
//! lots. Times are those of the whole process, less those of one with nothing to do.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use purser_core::ledger::trade::{CostMethod, TradeType};

use super::books::Traded;
use super::{Figure, median_time};
use crate::Result;

const RUNS: u32 = 5;

/// Sums the account's entries up by day, and adds the days up, as text.
const SUM_BY_DAY: &str = "SELECT date, inflow, outflow, entries,
    SUM(inflow - outflow) OVER (ORDER BY date)
FROM (
    SELECT date, SUM(CASE WHEN amount < 0 THEN -amount ELSE 0 END) AS inflow,
        SUM(CASE WHEN amount > 0 THEN amount ELSE 0 END) AS outflow, count(*) AS entries
    FROM entries WHERE account_id = ACCOUNT AND family_id = (SELECT min(id) FROM families)
    GROUP BY date)";

/// The sums of an account by the `sqlite3` program.
pub(super) fn sum_by_day(database: &Path, account: impl std::fmt::Display) -> Result<Figure> {
    let id = format!("x'{}'", account.to_string().replace('-', ""));
    let statement = SUM_BY_DAY.replace("ACCOUNT", &id);
    let time = median_time(RUNS, |_| {
        let output = Command::new("sqlite3")
            .args(["-batch", "-readonly", "-init", "/dev/null"])
            .arg(database)
            .arg(&statement)
            .stderr(Stdio::inherit())
            .output()?;
        if output.status.success() && !output.stdout.is_empty() {
            Ok(())
        } else {
            Err(format!("sqlite3 failed: {}", output.status).into())
        }
    })?;
    let what = format!("peer: sqlite3 {} sums the same rows by day", crate::peer::version()?);
    Ok(Figure::new(what, time))
}

/// Beancount loads books with the trades; nothing where it isn't installed, or can't count so.
pub(super) fn beancount(
    folder: &Path,
    method: CostMethod,
    traded: &[Traded],
) -> Result<Option<Figure>> {
    let python = crate::peers::beancount_python()?;
    let booking = match method {
        CostMethod::Average => return Ok(None),
        CostMethod::Fifo => "FIFO",
        CostMethod::Lifo => "LIFO",
    };
    if !python.exists() {
        return Ok(None);
    }
    let (full, empty) = (folder.join("lots.beancount"), folder.join("empty.beancount"));
    std::fs::write(&full, journal(booking, traded)?)?;
    std::fs::write(&empty, journal(booking, &[])?)?;
    let time = load(&python, &full)?.saturating_sub(load(&python, &empty)?);
    Ok(Some(Figure::new(format!("peer: Beancount loads the same trades, {booking}"), time)))
}

fn load(python: &Path, books: &Path) -> Result<Duration> {
    // A cache would make the next run a different one.
    let program = "import sys
from beancount import loader
entries, errors, options = loader.load_file(sys.argv[1])
sys.exit(len(errors) > 0)";
    let started = Instant::now();
    let status = Command::new(python)
        .args(["-c", program])
        .arg(books)
        .env("BEANCOUNT_DISABLE_LOAD_CACHE", "1")
        .status()?;
    let time = started.elapsed();
    if status.success() { Ok(time) } else { Err(format!("Beancount failed: {status}").into()) }
}

fn journal(booking: &str, traded: &[Traded]) -> Result<String> {
    let mut text = format!(
        "1970-01-01 open Assets:Shares \"{booking}\"\n1970-01-01 open Assets:Cash\n\
         1970-01-01 open Income:Gains\n"
    );
    for Traded { date, trade_type, quantity, price, .. } in traded {
        let line = match trade_type {
            TradeType::Sell => format!(
                "  Assets:Shares -{quantity} VTI {{}} @ {price} USD\n\
                 \x20 Assets:Cash {} USD\n  Income:Gains\n",
                quantity * price
            ),
            _ => format!("  Assets:Shares {quantity} VTI {{{price} USD}}\n  Assets:Cash\n"),
        };
        write!(text, "{date} *\n{line}")?;
    }
    Ok(text)
}
