//! Growing files on an empty database: whether the time is linear and the memory flat.
//!
//! Each size gets a fresh database and a fresh server, so that the most memory there ever was is
//! that of its own import.

use std::time::Instant;

use crate::Result;
use crate::arguments::Arguments;
use crate::generate::Size;
use crate::http::Client;
use crate::import::{Files, expect_count, expect_valid};
use crate::server::{Data, Server};
use crate::table::{Table, mebibytes, seconds};

const ROWS_DEFAULT: [u64; 4] = [10_000, 100_000, 300_000, 1_000_000];

pub(crate) fn run(mut arguments: Arguments) -> Result<()> {
    let sizes = arguments.numbers("--rows", &ROWS_DEFAULT)?;
    let database = arguments.text("--database")?;
    arguments.finish()?;

    let header = ["rows", "MiB", "purser s", "201 after s", "µs a row", "idle MiB", "peak MiB"];
    let mut table = Table::new(&header);
    for rows in sizes {
        let files = Files::write(Size::Rows(rows), 0)?;
        let body = files.body(true)?;
        let data = Data::fresh(database.as_deref())?;
        let server = Server::start(&data)?;
        let client = Client::new(&server.address, &data.family()?);
        let idle = server.memory_kib("VmRSS")?;

        let started = Instant::now();
        let id = client.upload(&body)?;
        let answered = started.elapsed();
        let import = client.wait_until_complete(&id)?;
        let wall = started.elapsed();
        expect_valid(&import, rows)?;
        expect_count(&client, rows)?;

        table.row(&[
            &rows,
            &mebibytes(body.len() as u64 / 1024),
            &seconds(wall),
            &seconds(answered),
            &format!("{:.2}", wall.as_secs_f64() * 1e6 / rows.max(1) as f64),
            &mebibytes(idle),
            &mebibytes(server.memory_kib("VmHWM")?),
        ]);
    }
    println!();
    table.print();
    Ok(())
}
