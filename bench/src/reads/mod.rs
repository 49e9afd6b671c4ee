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
use crate::server::{Data, Server};
use crate::statistics::percentile;
use crate::table::Table;

const ROWS_DEFAULT: u64 = 1_000_000;
const CONNECTIONS_DEFAULT: u64 = 8;
const SECONDS_DEFAULT: u64 = 5;

pub(crate) fn run(mut arguments: Arguments) -> Result<()> {
    let rows = arguments.number("--rows")?.unwrap_or(ROWS_DEFAULT).max(1);
    let connections = arguments.number("--connections")?.unwrap_or(CONNECTIONS_DEFAULT).max(1);
    let seconds = arguments.number("--seconds")?.unwrap_or(SECONDS_DEFAULT).max(1);
    let database = arguments.text("--database")?;
    arguments.finish()?;

    let data = Data::fresh(database.as_deref())?;
    let server = Server::start(&data)?;
    let seeded = seed::fill(&data, &server, rows)?;
    println!(
        "{} entries, {} imports, {connections} connections, {seconds} s each\n",
        seeded.entries, seeded.imports
    );

    let mut table = Table::new(&["request", "requests/s", "p50 ms", "p99 ms", "slowest ms"]);
    for (name, path) in seeded.requests() {
        // One connection shows the latency, several the throughput.
        for count in [1, connections] {
            let plan = load::Plan {
                address: &server.address,
                key: &seeded.key,
                path: &path,
                connections: count,
                bound: Duration::from_secs(seconds),
            };
            let mut result = load::run(&plan)?;
            let milliseconds = |time: Duration| format!("{:.3}", time.as_secs_f64() * 1000.0);
            table.row(&[
                &format!("{name}, {count} at once"),
                &format!("{:.0}", result.samples.len() as f64 / result.wall.as_secs_f64()),
                &milliseconds(percentile(&mut result.samples, 50)),
                &milliseconds(percentile(&mut result.samples, 99)),
                &milliseconds(percentile(&mut result.samples, 100)),
            ]);
        }
    }
    table.print();
    println!(
        "\nserver memory: {} KiB, at most {} KiB",
        server.memory_kib("VmRSS")?,
        server.memory_kib("VmHWM")?
    );
    Ok(())
}
