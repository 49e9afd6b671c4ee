//! Reads with many entries in the database: requests a second and latency over HTTP.
//!
//! The entries come through imports, as a person's would. Then, for each request, a fixed number
//! of connections ask again and again for a bounded time, see [`load`]. Client and server share
//! the machine's cores, so the numbers are a lower bound.

pub(crate) mod load;
mod seed;

use std::time::Duration;

use crate::Result;
use crate::arguments::Arguments;
use crate::reads::seed::Seeded;
use crate::server::{Data, Server};
use crate::statistics::percentile;
use crate::table::Table;

const ROWS_DEFAULT: u64 = 1_000_000;
const CONNECTIONS_DEFAULT: u64 = 8;
const SECONDS_DEFAULT: u64 = 5;

/// One database with its entries, and the server over it.
struct Side {
    name: &'static str,
    server: Server,
    seeded: Seeded,
    _data: Data,
}

impl Side {
    fn start(name: &'static str, rows: u64, statistics: Option<Statistics>) -> Result<Self> {
        let data = Data::fresh(Some(name))?;
        let server = Server::start(&data)?;
        if let Some(Statistics::None) = statistics {
            data.keep_unanalysed()?;
        }
        let seeded = seed::fill(&data, &server, rows)?;
        if let Some(Statistics::Fresh) = statistics {
            data.analyse()?;
        }
        Ok(Self { name, server, seeded, _data: data })
    }
}

/// What PostgreSQL's planner knows of the entries. By itself it looks about every minute.
#[derive(Debug, Clone, Copy)]
enum Statistics {
    /// Nothing, as right after an import into an empty database.
    None,
    /// All that it keeps.
    Fresh,
}

pub(crate) fn run(mut arguments: Arguments) -> Result<()> {
    let rows = arguments.number("--rows")?.unwrap_or(ROWS_DEFAULT).max(1);
    let connections = arguments.number("--connections")?.unwrap_or(CONNECTIONS_DEFAULT).max(1);
    let seconds = arguments.number("--seconds")?.unwrap_or(SECONDS_DEFAULT).max(1);
    let names: &[&str] = match arguments.text("--database")?.as_deref() {
        None | Some("sqlite") => &["sqlite"],
        Some("postgres") => &["postgres"],
        Some("both") => &["sqlite", "postgres"],
        Some(other) => return Err(format!("--database {other}: sqlite, postgres or both").into()),
    };
    let statistics = match arguments.text("--statistics")?.as_deref() {
        None => None,
        Some("none") => Some(Statistics::None),
        Some("fresh") => Some(Statistics::Fresh),
        Some(other) => return Err(format!("--statistics {other}: none or fresh").into()),
    };
    arguments.finish()?;

    let sides = names.iter().map(|name| Side::start(name, rows, statistics));
    let sides = sides.collect::<Result<Vec<Side>>>()?;
    println!("{rows} entries, {connections} connections, {seconds} s each\n");
    // One connection shows the latency, several the throughput.
    let table = measured(&sides, &[1, connections], Duration::from_secs(seconds))?;
    table.print();
    for Side { name, server, .. } in &sides {
        let (now, most) = (server.memory_kib("VmRSS")?, server.memory_kib("VmHWM")?);
        println!("\nmemory of the server over {name}: {now} KiB, at most {most} KiB");
    }
    Ok(())
}

/// Every request, by every number of connections, on every database; the others' medians as
/// multiples of the first's.
fn measured(sides: &[Side], connections: &[u64], bound: Duration) -> Result<Table> {
    let columns =
        ["request", "clients", "database", "requests/s", "p50 ms", "p99 ms", "slowest ms", "ratio"];
    let mut table = Table::new(&columns);
    let requests: Vec<_> = sides.iter().map(|side| side.seeded.requests()).collect();
    for number in 0..requests.first().map_or(0, Vec::len) {
        for count in connections {
            let mut first = None;
            for (side, requests) in sides.iter().zip(&requests) {
                let (name, path) = &requests[number];
                let plan = load::Plan {
                    address: &side.server.address,
                    key: &side.seeded.key,
                    path,
                    connections: *count,
                    bound,
                };
                let mut result = load::run(&plan)?;
                let milliseconds = |time: Duration| format!("{:.3}", time.as_secs_f64() * 1000.0);
                let per_second = result.samples.len() as f64 / result.wall.as_secs_f64();
                let median = percentile(&mut result.samples, 50);
                let ratio = median.as_secs_f64() / first.get_or_insert(median).as_secs_f64();
                table.row(&[
                    name,
                    &count.to_string(),
                    &side.name,
                    &format!("{per_second:.0}"),
                    &milliseconds(median),
                    &milliseconds(percentile(&mut result.samples, 99)),
                    &milliseconds(percentile(&mut result.samples, 100)),
                    &format!("{ratio:.2}"),
                ]);
            }
        }
    }
    Ok(table)
}
