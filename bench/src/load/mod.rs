//! Much at a time by one key: the memory of the server, and what another family notices.
//!
//! One family has many entries. For each kind of load its key sends many requests at once, each on
//! a connection of its own; meanwhile a client of another family reads and writes, one request
//! after the other. Printed are the answers, the memory at most and some time after the last
//! answer, the other family's latencies, and which of the [`goals`] are missed. If any is, the
//! command fails.

mod goals;
mod kinds;
mod memory;
mod other;
mod requests;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::Result;
use crate::arguments::Arguments;
use crate::server::{Data, Server};
use crate::table::{Table, mebibytes, seconds};
use kinds::Sender;
use other::{Latencies, OtherFamily};
use requests::{Answers, send_all};

const ROWS_DEFAULT: u64 = 400_000;
const REQUESTS_DEFAULT: u64 = 500;
const REST_DEFAULT: u64 = 30;
/// How long the other family's client is watched while nothing else happens.
const QUIET: Duration = Duration::from_secs(3);
/// What the goals are compared with.
struct Row {
    peak_kib: u64,
    after_kib: u64,
    slowest_read: Duration,
    slowest_write: Duration,
    unanswered: usize,
    /// Kinds of requests without a good answer.
    never_good: usize,
}

pub(crate) fn run(mut arguments: Arguments) -> Result<()> {
    let rows = arguments.number("--rows")?.unwrap_or(ROWS_DEFAULT).max(1);
    let count = arguments.number("--requests")?.unwrap_or(REQUESTS_DEFAULT).max(1);
    let rest = Duration::from_secs(arguments.number("--rest")?.unwrap_or(REST_DEFAULT));
    let database = arguments.text("--database")?;
    let only = arguments.text("--only")?;
    arguments.finish()?;

    let data = Data::fresh(database.as_deref())?;
    let server = Server::start(&data)?;
    let sender = Sender::new(&data, &server, rows)?;
    let other = OtherFamily::new(&data, &server)?;
    println!("{rows} entries, {count} requests at once, memory again after {} s", rest.as_secs());
    println!("{}\n", goals::text());
    let mut rows = Rows { table: Table::new(&HEADER), server: &server, rest, missed: Vec::new() };
    let quiet = watched(&server, &other, || {
        std::thread::sleep(QUIET);
        Ok(Answers::default())
    });
    rows.add("nothing", quiet?, false)?;
    for (name, requests) in sender.loads(count) {
        if only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
            continue;
        }
        let measured = watched(&server, &other, || send_all(&server.address, requests))?;
        rows.add(name, measured, true)?;
    }
    if only.is_none() {
        let measured = watched(&server, &other, || sender.publish_and_undo())?;
        rows.add("a publish and its undo", measured, true)?;
    }
    rows.table.print();
    if rows.missed.is_empty() {
        println!("\nall goals are kept");
        return Ok(());
    }
    Err(format!("goals are missed: {}", rows.missed.join("; ")).into())
}

const HEADER: [&str; 14] = [
    "load",
    "s",
    "good",
    "503",
    "other",
    "none",
    "MiB at most",
    "of helpers",
    "MiB after",
    "read p50 ms",
    "read slowest",
    "write p50 ms",
    "write slowest",
    "missed",
];

/// What a load did.
struct Measured {
    answers: Answers,
    wall: Duration,
    latencies: Latencies,
    peak_kib: u64,
    helpers_kib: u64,
}

fn watched(
    server: &Server,
    other: &OtherFamily,
    work: impl FnOnce() -> Result<Answers>,
) -> Result<Measured> {
    server.forget_peak()?;
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watch = scope.spawn(|| other.use_until(&stop).map_err(|error| error.to_string()));
        let memory = scope.spawn(|| memory::watch(server, &stop));
        let started = Instant::now();
        let answers = work();
        let wall = started.elapsed();
        stop.store(true, Ordering::Relaxed);
        let latencies = watch.join().map_err(|_| "the other family's client panicked")??;
        let (most, helpers_kib) = memory.join().map_err(|_| "the watch of memory panicked")?;
        let peak_kib = memory::peak_kib(server, most)?;
        Ok(Measured { answers: answers?, wall, latencies, peak_kib, helpers_kib })
    })
}

/// The rows of the table, and the goals that they miss.
struct Rows<'a> {
    table: Table,
    server: &'a Server,
    rest: Duration,
    missed: Vec<String>,
}

impl Rows<'_> {
    /// Adds what a load did, once the server has rested after it if it is to.
    fn add(&mut self, name: &str, measured: Measured, rests: bool) -> Result<()> {
        if rests {
            std::thread::sleep(self.rest);
        }
        let Measured { answers, wall, latencies, peak_kib, helpers_kib } = measured;
        let (slowest_read, slowest_write) = latencies.slowest();
        let after_kib = self.server.memory_kib("VmRSS")?;
        let unanswered = answers.none;
        let never_good = answers.never_good.len();
        let row = Row { peak_kib, after_kib, slowest_read, slowest_write, unanswered, never_good };
        for kind in &answers.never_good {
            eprintln!("{name}: no good answer to {kind}");
        }
        let missed = goals::missed(&row).join(", ");
        let [read, slowest_read, write, slowest_write] = latencies.cells();
        let (peak, after) = (mebibytes(peak_kib), mebibytes(after_kib));
        // The table is printed at the end, which may be minutes away.
        eprintln!(
            "{name}: {} s, {} good, {} 503, {} other, {} none; {peak} MiB, helpers {}, after \
             {after}; read {slowest_read} ms, write {slowest_write} ms {missed}",
            seconds(wall),
            answers.good,
            answers.busy,
            answers.other,
            answers.none,
            mebibytes(helpers_kib)
        );
        self.table.row(&[
            &name,
            &seconds(wall),
            &answers.good,
            &answers.busy,
            &answers.other,
            &answers.none,
            &peak,
            &mebibytes(helpers_kib),
            &after,
            &read,
            &slowest_read,
            &write,
            &slowest_write,
            &missed,
        ]);
        if !missed.is_empty() {
            self.missed.push(format!("{name}: {missed}"));
        }
        Ok(())
    }
}
