//! The import on PostgreSQL, against `COPY` of the rows that it made.
//!
//! The peer's tables have the columns, keys, indexes, checks and foreign keys of the program's own
//! (read from the catalogue, so they can't drift apart) and hold the same existing rows. What the
//! import added is written to a file first; measured are the two `COPY` from it and their commit.
//! Nothing of what else an import does is in the peer's time: no search for duplicates, no
//! balances, no reading of a CSV.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use postgres::{Client as Postgres, NoTls};

use crate::Result;
use crate::arguments::Arguments;
use crate::generate::{self, Size};
use crate::http::Client;
use crate::import::{EXISTING_DEFAULT, Files, expect_count};
use crate::server::{Data, Server};
use crate::statistics::median;
use crate::table::{Table, seconds};

const PAIRS_DEFAULT: u64 = 5;
/// The tables into which an import inserts rows, in the order of their foreign keys.
const TABLES: [&str; 2] = ["entries", "entry_tags"];

pub(crate) fn run(mut arguments: Arguments) -> Result<()> {
    let pairs = arguments.number("--pairs")?.unwrap_or(PAIRS_DEFAULT).max(1);
    let size = arguments.number("--rows")?.map_or(generate::TEN_MEBIBYTES, Size::Rows);
    let existing = arguments.number("--existing")?.unwrap_or(EXISTING_DEFAULT);
    if let Some(other) = arguments.text("--database")?.filter(|name| name != "postgres") {
        return Err(format!("--database {other}: COPY is PostgreSQL's").into());
    }
    arguments.finish()?;

    let files = Files::write(size, existing)?;
    let body = files.body(true)?;
    println!();
    let header = ["pair", "purser s", "201 after s", "COPY s", "ratio"];
    let mut table = Table::new(&header);
    let mut all = Vec::new();
    for pair in 0..=pairs {
        let measured = measure(&files, &body)?;
        let (wall, answered, copy) = measured;
        let ratio = wall.as_secs_f64() / copy.as_secs_f64();
        let name = if pair == 0 { "warm-up".to_owned() } else { pair.to_string() };
        let shown = format!("{ratio:.2}");
        table.row(&[&name, &seconds(wall), &seconds(answered), &seconds(copy), &shown]);
        if pair > 0 {
            all.push((wall, answered, copy, ratio));
        }
    }
    let duration = |value: fn(&(Duration, Duration, Duration, f64)) -> Duration| {
        median(&all.iter().map(value).collect::<Vec<_>>()).unwrap_or_default()
    };
    let ratio = median(&all.iter().map(|one| one.3).collect::<Vec<_>>()).unwrap_or_default();
    table.row(&[
        &"median",
        &seconds(duration(|one| one.0)),
        &seconds(duration(|one| one.1)),
        &seconds(duration(|one| one.2)),
        &format!("{ratio:.2}"),
    ]);
    table.print();
    Ok(())
}

fn measure(files: &Files, body: &[u8]) -> Result<(Duration, Duration, Duration)> {
    let data = Data::fresh(Some("postgres"))?;
    let server = Server::start(&data)?;
    let client = Client::new(&server.address, &data.family()?);
    files.fill(&client)?;
    let mut database = Postgres::connect(&data.database_url().ok_or("no PostgreSQL")?, NoTls)?;
    database.batch_execute("SET purser.family = 'all'")?;
    prepare(&mut database)?;

    let started = Instant::now();
    let id = client.upload(body)?;
    let answered = started.elapsed();
    client.wait_until_complete(&id)?;
    let wall = started.elapsed();
    expect_count(&client, files.existing + files.rows)?;

    let rows = added(&mut database)?;
    let copy = copy(&mut database, &rows)?;
    verify(&mut database)?;
    Ok((wall, answered, copy))
}

/// Makes tables like the program's own, in a schema of their own, with what is there already.
fn prepare(database: &mut Postgres) -> Result<()> {
    database.batch_execute("CREATE SCHEMA peer")?;
    for table in TABLES {
        database.batch_execute(&format!(
            "CREATE TABLE peer.{table} (LIKE public.{table} INCLUDING ALL);
             INSERT INTO peer.{table} SELECT * FROM public.{table};"
        ))?;
        let keys = database.query(
            "SELECT pg_get_constraintdef(oid) FROM pg_constraint
             WHERE conrelid = $1::text::regclass AND contype = 'f'",
            &[&format!("public.{table}")],
        )?;
        for key in keys {
            let definition: String = key.get(0);
            // Tags belong to the peer's entries.
            let definition = definition.replace("REFERENCES entries(", "REFERENCES peer.entries(");
            database.batch_execute(&format!("ALTER TABLE peer.{table} ADD {definition}"))?;
        }
        database.batch_execute(&format!("ANALYZE peer.{table}"))?;
    }
    Ok(())
}

/// The rows that the peer's tables lack, as `COPY` writes them.
fn added(database: &mut Postgres) -> Result<Vec<Vec<u8>>> {
    let mut all = Vec::new();
    for table in TABLES {
        let mut rows = Vec::new();
        let missing = format!("SELECT * FROM public.{table} EXCEPT ALL SELECT * FROM peer.{table}");
        let sorted = format!("COPY (SELECT * FROM ({missing}) AS new ORDER BY 1, 2) TO STDOUT");
        database.copy_out(&sorted)?.read_to_end(&mut rows)?;
        all.push(rows);
    }
    Ok(all)
}

fn copy(database: &mut Postgres, rows: &[Vec<u8>]) -> Result<Duration> {
    database.batch_execute("CHECKPOINT")?;
    let started = Instant::now();
    let mut tx = database.transaction()?;
    for (table, rows) in TABLES.iter().zip(rows) {
        let mut writer = tx.copy_in(&format!("COPY peer.{table} FROM STDIN"))?;
        writer.write_all(rows)?;
        writer.finish()?;
    }
    tx.commit()?;
    Ok(started.elapsed())
}

fn verify(database: &mut Postgres) -> Result<()> {
    for table in TABLES {
        let counts = format!(
            "SELECT (SELECT count(*) FROM public.{table}), (SELECT count(*) FROM peer.{table})"
        );
        let row = database.query_one(&counts, &[])?;
        let (own, peer): (i64, i64) = (row.get(0), row.get(1));
        if own != peer {
            return Err(format!("{table}: {own} rows, the peer has {peer}").into());
        }
    }
    Ok(())
}
