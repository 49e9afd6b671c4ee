//! The same 10,000 rows through the programs that people would otherwise use, twice each.
//!
//! What each does is in `bench/peers`; what it needs is installed under `target/peers` or by the
//! system's package manager, and a program that can't be had is named with the reason. A run that
//! takes longer than two minutes is ended. Memory is the most that any process of a run ever had.

mod process;
mod programs;

use std::path::{Path, PathBuf};
use std::time::Duration;

use process::{Ran, Run, run_bounded};
use programs::{PROGRAMS, Program};

use crate::Result;
use crate::arguments::Arguments;
use crate::generate::{self, Size};
use crate::server::{Data, scratch};
use crate::table::{Table, mebibytes, seconds};

const ROWS_DEFAULT: u64 = 10_000;
const LIMIT: Duration = Duration::from_secs(120);

/// The Python that has Beancount, once it is installed.
pub(crate) fn beancount_python() -> Result<PathBuf> {
    Ok(programs::python(&programs::tools()?))
}

pub(crate) fn run(mut arguments: Arguments) -> Result<()> {
    let rows = arguments.number("--rows")?.unwrap_or(ROWS_DEFAULT);
    let only = arguments.text("--only")?;
    let prepare = match arguments.text("--prepare")?.as_deref() {
        None | Some("yes") => true,
        Some("no") => false,
        Some(other) => return Err(format!("--prepare {other}: yes or no").into()),
    };
    arguments.finish()?;

    let files = scratch()?;
    let csv = files.path().join("bank.csv");
    generate::write(&csv, Size::Rows(rows), generate::SEED)?;
    println!("{rows} rows, {} bytes, each file twice\n", std::fs::metadata(&csv)?.len());

    let header =
        ["program", "first s", "second s", "peak MiB", "after the first", "after the second"];
    let mut table = Table::new(&header);
    let mut missing = Vec::new();
    if only.is_none() {
        let data = Data::fresh(None)?;
        data.family()?;
        let once = || -> Result<Run> {
            let mut command = data.command()?;
            command.arg("import").arg(&csv);
            let mut run = run_bounded(command, LIMIT)?;
            if let Run::Ended(ran) = &mut run {
                ran.count = Some(data.count_transactions()?);
            }
            Ok(run)
        };
        table.row(&cells("Purser", &once()?, &once()?).each_ref().map(|cell| cell as _));
    }
    for program in PROGRAMS {
        if only.as_deref().is_some_and(|only| only != program.folder) {
            continue;
        }
        match of_program(program, prepare, &csv) {
            Ok((name, first, second)) => {
                table.row(&cells(&name, &first, &second).each_ref().map(|cell| cell as _));
            }
            Err(error) => missing.push(format!("{}: {error}", program.name)),
        }
    }
    table.print();
    for missing in missing {
        println!("\nnot measured: {missing}");
    }
    Ok(())
}

fn of_program(program: &Program, prepare: bool, csv: &Path) -> Result<(String, Run, Run)> {
    let tools = programs::tools()?;
    if prepare {
        (program.prepare)(&tools)?;
    }
    let version = (program.version)(&tools)?;
    let books = scratch()?;
    let once = || run_bounded((program.command)(&tools, csv, books.path())?, LIMIT);
    Ok((format!("{} {version}", program.name), once()?, once()?))
}

fn cells(name: &str, first: &Run, second: &Run) -> [String; 6] {
    let time = |run: &Run| match run {
        Run::Ended(ran) => seconds(ran.wall),
        Run::TooLong => format!("over {}", LIMIT.as_secs()),
    };
    let count = |run: &Run| match run {
        Run::Ended(Ran { count: Some(count), .. }) => count.to_string(),
        _ => "?".to_owned(),
    };
    let peak = [first, second].into_iter().filter_map(|run| match run {
        Run::Ended(ran) => Some(ran.peak_kib),
        Run::TooLong => None,
    });
    [
        name.to_owned(),
        time(first),
        time(second),
        peak.max().map(mebibytes).unwrap_or_default(),
        count(first),
        count(second),
    ]
}
