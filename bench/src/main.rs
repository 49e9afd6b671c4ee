//! `purser-bench`: measurements of the release binary, each against something that bounds it.
//!
//! `cargo xtask bench NAME` builds what is needed and runs it. Numbers of a busy machine are worth
//! little alone, so each benchmark that has a peer runs both in turn and reports the ratio.

mod arguments;
mod backup;
mod copy;
mod detection;
mod documents;
mod export;
mod families;
mod generate;
mod http;
mod import;
mod ledger;
mod load;
mod native;
mod peer;
mod peers;
mod prng;
mod processor_time;
mod reads;
mod scale;
mod server;
mod start;
mod statements;
mod statistics;
mod sync;
mod table;
mod timed;
mod types;
mod undo;
mod waits;

use std::process::ExitCode;

/// Any failure ends the program with its text.
type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const HELP: &str = "\
Usage: cargo xtask bench NAME [OPTION…]

  import     upload and publish a 10 MiB CSV beside 100,000 entries, against the sqlite3 program
             on the same files; and the same file once more
             --pairs N (5)  --rows N (instead of 10 MiB)  --existing N (100000)
             --database sqlite|postgres
  scale      the same for growing files on an empty database: wall time and memory
             --rows N,N,… (10000,100000,300000,1000000)  --database sqlite|postgres
  native     a file in the server's own format against a CSV with the same transactions: wall
             time, undo and memory
             --rows N,N,… (10000,100000,1000000)  --database sqlite|postgres
  types      a file of each type of import, against a bank's table of as many rows
             --pairs N (5)  --only TYPE  --rows N (at most)  --database sqlite|postgres
  waits      how long another family's writes take while a file is published, and how large SQLite's
             log gets
             --rows N,N,… (135000,1000000)  --format csv|native (csv)
             --database sqlite|postgres
  undo       publish a 10 MiB CSV beside 100,000 entries, and undo it
             --rounds N (5)  --rows N  --existing N (100000)  --database sqlite|postgres
  copy       the same import on PostgreSQL, against COPY of the rows that it made
             --pairs N (5)  --rows N  --existing N (100000)
  backup     backup, verification and restore of a database with many entries, against copying the
             database file and the import of the entries
             --rows N (1000000)  --rounds N (3)  --database sqlite|postgres
  export     exports of a family with many entries, in every format
             --rows N (1000000)  --rounds N (3)  --database sqlite|postgres
  peers      10,000 rows through the programs that people would otherwise use
             --rows N (10000)  --only NAME  --prepare yes|no (yes: install what is missing)
  start      time to ready on a database with a 10 MiB import, memory when idle, binary size
             --starts N (10)  --database sqlite|postgres
  reads      requests a second and p99 with many entries
             --rows N (1000000)  --connections N (8)  --seconds N (5)
             --database sqlite|postgres|both  --statistics none|fresh (of PostgreSQL)
  ledger     balances, holdings, positions and reports of a large family, against their goals
             --entries N (1000000)  --securities N (500)  --database sqlite|postgres
  load       hundreds of requests at once by one key: memory, and another family's latencies
             --rows N (400000)  --requests N (500)  --rest SECONDS (30)  --only TEXT
             --database sqlite|postgres
  families   a read, a write, a sign-in, an import and the idle server beside many families
             --families N,N,… (1,1000,100000)  --database sqlite|postgres
  statements OFX, CAMT, MT940 and XLSX of 10 MiB, each against the CSV of the same rows
             --rounds N (3)  --database sqlite|postgres
  sync       connections of many families synced by one node, and another family's reads meanwhile;
             the same when nothing is new; a first sync against the import of the same rows
             --connections N (1000)  --families N (250)  --answer-ms N (250)  --rows N (100000)
             --pairs N (3)  --database sqlite|postgres
  generate   write the CSV:  --rows N | --bytes N  --out FILE
";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("purser-bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let arguments = arguments::Arguments::from_command_line();
    match arguments.command() {
        Some("backup") => backup::run(arguments),
        Some("copy") => copy::run(arguments),
        Some("export") => export::run(arguments),
        Some("families") => families::run(arguments),
        Some("import") => import::run(arguments),
        Some("ledger") => ledger::run(arguments),
        Some("load") => load::run(arguments),
        Some("native") => native::run(arguments),
        Some("peers") => peers::run(arguments),
        Some("scale") => scale::run(arguments),
        Some("sync") => sync::run(arguments),
        Some("types") => types::run(arguments),
        Some("undo") => undo::run(arguments),
        Some("waits") => waits::run(arguments),
        Some("start") => start::run(arguments),
        Some("statements") => statements::run(arguments),
        Some("reads") => reads::run(arguments),
        Some("generate") => generate_file(arguments),
        None | Some("help" | "--help" | "-h") => {
            print!("{HELP}");
            Ok(())
        }
        Some(other) => Err(format!("there is no benchmark '{other}'\n\n{HELP}").into()),
    }
}

fn generate_file(mut arguments: arguments::Arguments) -> Result<()> {
    let size = match (arguments.number("--rows")?, arguments.number("--bytes")?) {
        (Some(rows), None) => generate::Size::Rows(rows),
        (None, Some(bytes)) => generate::Size::Bytes(bytes),
        (None, None) => generate::TEN_MEBIBYTES,
        (Some(_), Some(_)) => return Err("--rows or --bytes, not both".into()),
    };
    let out = arguments.text("--out")?.ok_or("--out FILE is missing")?;
    arguments.finish()?;
    let rows = generate::write(out.as_ref(), size, generate::SEED)?;
    println!("{rows} rows, {} bytes", std::fs::metadata(&out)?.len());
    Ok(())
}
