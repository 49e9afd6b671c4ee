//! PDF documents of many pages: the time and the memory of the process that reads one, and the time
//! of the whole import.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use purser_app::imports::pdf_process::READ_PDF_COMMAND;
use serde_json::json;

use crate::Result;
use crate::http::{Client, upload_body_of};
use crate::server::{Data, Server, binary};
use crate::statistics::median;
use crate::table::{Table, mebibytes};

/// Pages of the measured documents.
const PAGES: [u64; 3] = [1, 100, 500];
const ROWS_OF_PAGE: u64 = 55;
/// The goals are about a document of so many pages.
const GOAL_PAGES: u64 = 100;
/// The goal: the time of the whole import.
const IMPORT_MAX: Duration = Duration::from_secs(2);
/// The goal: the memory of the process that reads the document.
const READ_KIB_MAX: u64 = 256 * 1024;
/// Between two looks at the memory of the process.
const LOOK: Duration = Duration::from_millis(1);

/// The largest of the measured documents.
pub(crate) fn large() -> Result<Vec<u8>> {
    document(PAGES[PAGES.len() - 1])
}

/// A statement with a day, a text, an amount and the balance in each row, and lines with the
/// balances at its ends.
fn document(pages: u64) -> Result<Vec<u8>> {
    let mut file = "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n".to_owned();
    let kids: Vec<String> = (0..pages).map(|page| format!("{} 0 R", 10 + 2 * page)).collect();
    write!(
        file,
        "2 0 obj\n<< /Type /Pages /Count {pages} /Kids [{}] /Resources << /Font << /F1 5 0 R >> >> \
         >>\nendobj\n5 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding \
         /WinAnsiEncoding >>\nendobj\n",
        kids.join(" ")
    )?;
    let mut balance = 1_000_000_u64;
    for page in 0..pages {
        let mut content = "BT /F1 9 Tf\n".to_owned();
        let mut put =
            |x: u64, y: u64, text: &str| writeln!(content, "1 0 0 1 {x} {y} Tm ({text}) Tj");
        put(40, 800, "Statement 2024-01-01 to 2024-12-31")?;
        if page == 0 {
            put(40, 790, "Opening balance")?;
            put(490, 790, "10000.00")?;
        }
        for (x, name) in [(40, "Date"), (110, "Description"), (400, "Amount"), (490, "Balance")] {
            put(x, 780, name)?;
        }
        for row in 0..ROWS_OF_PAGE {
            let number = page * ROWS_OF_PAGE + row;
            let (day, y) = (number * 360 / (pages * ROWS_OF_PAGE), 768 - 12 * row);
            let cents = 101 + number * 37 % 9_000;
            balance += cents;
            put(40, y, &format!("2024-{:02}-{:02}", 1 + day / 30, 1 + day % 28))?;
            put(110, y, &format!("Grocer and Sons {number}"))?;
            put(400, y, &format!("{}.{:02}", cents / 100, cents % 100))?;
            put(490, y, &format!("{}.{:02}", balance / 100, balance % 100))?;
        }
        if page + 1 == pages {
            put(40, 90, "Closing balance")?;
            put(490, 90, &format!("{}.{:02}", balance / 100, balance % 100))?;
        }
        content.push_str("ET\n");
        write!(
            file,
            "{} 0 obj\n<< /Type /Page /Parent 2 0 R /Contents {} 0 R >>\nendobj\n{} 0 obj\n\
             << /Length {} >>\nstream\n{content}endstream\nendobj\n",
            10 + 2 * page,
            11 + 2 * page,
            11 + 2 * page,
            content.len()
        )?;
    }
    file.push_str("trailer << /Root 1 0 R /Size 100000 >>\n%%EOF\n");
    Ok(file.into_bytes())
}

/// Reads a document as the server has it read: the time, and the most memory, in KiB.
fn read(document: &[u8]) -> Result<(Duration, u64)> {
    let folder = tempfile::tempdir()?;
    let (source, table) = (folder.path().join("statement.pdf"), folder.path().join("table.csv"));
    fs::write(&source, document)?;
    let started = Instant::now();
    let mut child = Command::new(binary()?)
        .arg(READ_PDF_COMMAND)
        .env_clear()
        .env("MIMALLOC_ARENA_RESERVE", "65536")
        .stdin(File::open(&source)?)
        .stdout(File::create(&table)?)
        .stderr(Stdio::null())
        .spawn()?;
    let mut peak = 0;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        peak = peak.max(memory_kib(&child).unwrap_or(0));
        sleep(LOOK);
    };
    let wall = started.elapsed();
    if !status.success() || fs::metadata(&table)?.len() == 0 {
        return Err("the document was not read".into());
    }
    Ok((wall, peak))
}

/// The most memory that a process has had so far.
fn memory_kib(child: &Child) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The time of one import, from the first byte of the upload on.
fn import(document: &[u8], rows: u64, database: Option<&str>) -> Result<Duration> {
    let data = Data::fresh(database)?;
    let server = Server::start(&data)?;
    let client = Client::new(&server.address, &data.family()?);
    let account = json!({ "name": "Main", "account_type": "depository", "currency": "USD" });
    let made = client.post("/api/v1/accounts", &json!({ "account": account }))?;
    let account = made["id"].as_str();
    let body = upload_body_of("PdfImport", account, document, true);
    let started = Instant::now();
    let import = client.wait_until_complete(&client.upload(&body)?)?;
    let wall = started.elapsed();
    crate::import::expect_valid(&import, rows)?;
    Ok(wall)
}

/// Prints the table; the goals that were missed.
pub(crate) fn print(rounds: u64, database: Option<&str>) -> Result<Vec<String>> {
    println!(
        "goals for {GOAL_PAGES} pages: {} s for the import, {} MiB to read the document",
        IMPORT_MAX.as_secs(),
        mebibytes(READ_KIB_MAX)
    );
    let mut missed = Vec::new();
    let header = ["pages", "rows", "MiB", "read ms", "peak MiB of it", "whole import ms"];
    let mut table = Table::new(&header);
    for pages in PAGES {
        let (document, rows) = (document(pages)?, pages * ROWS_OF_PAGE);
        let (mut reads, mut imports, mut peak) = (Vec::new(), Vec::new(), 0);
        for _ in 0..rounds {
            let (wall, memory) = read(&document)?;
            reads.push(wall);
            peak = memory.max(peak);
            imports.push(import(&document, rows, database)?);
        }
        let median = |walls: &[Duration]| median(walls).ok_or("no round was measured");
        let whole = median(&imports)?;
        if pages == GOAL_PAGES && whole > IMPORT_MAX {
            missed.push(format!("time of {pages} pages"));
        }
        if pages == GOAL_PAGES && peak > READ_KIB_MAX {
            missed.push(format!("memory of {pages} pages"));
        }
        table.row(&[
            &pages,
            &rows,
            &mebibytes(document.len() as u64 / 1024),
            &median(&reads)?.as_millis(),
            &mebibytes(peak),
            &whole.as_millis(),
        ]);
    }
    println!();
    table.print();
    Ok(missed)
}

#[cfg(test)]
mod tests {
    use purser_formats::pdf::{PdfProof, write_table};

    use super::*;

    #[test]
    fn a_document_is_imported_without_a_question() {
        for pages in [1, 3] {
            let document = document(pages).unwrap();
            let facts = write_table(&document, "", Vec::new(), std::io::sink()).unwrap();
            assert_eq!((facts.rows, facts.proof), (pages * ROWS_OF_PAGE, PdfProof::Proven));
            assert_eq!(facts.unstated_ends, Vec::<String>::new());
        }
    }
}
