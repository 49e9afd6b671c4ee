//! Runs the simulated banks, so that anyone can try bank connections without a subscription.

use std::net::SocketAddr;

use clap::Parser;
use jiff::civil::Date;
use purser_bank_simulator::world::World;
use purser_bank_simulator::{API_KEY, Fault, Quirk, Simulator};

/// Banks that misbehave, behind the interfaces of bank-data providers.
#[derive(Debug, Parser)]
#[command(version, about)]
struct Options {
    /// The address and port to listen on.
    #[arg(long, default_value = "127.0.0.1:8090")]
    listen: SocketAddr,
    /// The day on which clients ask; without it the day in UTC.
    #[arg(long)]
    today: Option<Date>,
    /// The first day of the world, if days have passed since; the same as `--today` otherwise.
    /// Histories begin 400 days before it.
    #[arg(long)]
    first_day: Option<Date>,
    /// The same seed and first day make the same histories.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// What the banks do wrong: blank-ids, tips, …; may be repeated.
    #[arg(long)]
    quirk: Vec<Quirk>,
    /// What requests meet: KIND[@PATH][*TIMES], such as `wrapped-429=37@balance*2`; may be
    /// repeated.
    #[arg(long)]
    fault: Vec<Fault>,
}

fn main() -> std::io::Result<()> {
    let options = Options::parse();
    tokio::runtime::Runtime::new()?.block_on(run(options))
}

async fn run(options: Options) -> std::io::Result<()> {
    let today = options.today.unwrap_or_else(day_in_utc);
    let mut world = World::new(options.seed, options.first_day.unwrap_or(today));
    world.today = today;
    world.quirks = options.quirk;
    let simulator = Simulator::start(options.listen, world).await?;
    for fault in options.fault {
        simulator.add_fault(fault);
    }
    println!("lunchflow: {} with the key {API_KEY}", simulator.lunchflow_base());
    println!("simplefin: setup token {}", simulator.setup_token());
    simulator.run().await;
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "a program of its own, without the server's clock")]
fn day_in_utc() -> Date {
    jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date()
}
