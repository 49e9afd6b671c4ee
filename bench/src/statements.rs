//! Statements of banks and spreadsheets of 10 MiB, each against the CSV of the same rows: wall time
//! until `complete`, and the most memory there was; then PDF documents ([`documents`]).
//!
//! Each file gets a fresh database and a fresh server. The two of a pair run in turn; the ratio is
//! that of their medians.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use jiff::ToSpan as _;
use jiff::civil::{Date, date};
use purser_formats::archive::writer::ArchiveWriter;

use crate::Result;
use crate::arguments::Arguments;
use crate::documents;
use crate::http::{Client, upload_body};
use crate::import::{expect_count, expect_valid};
use crate::prng::Prng;
use crate::server::{Data, Server};
use crate::statistics::median;
use crate::table::{Table, mebibytes, seconds};

const ROUNDS_DEFAULT: u64 = 3;
/// Bytes of the measured files, at most.
const BYTES: u64 = 10 * 1024 * 1024;
/// Rows from which the size of one is estimated.
const SAMPLE_ROWS: u64 = 20_000;
/// The goal: the time of a file at most, against the CSV of the same rows.
const RATIO_MAX: f64 = 2.0;
const ACCOUNT: &str = "DE89370400440532013000";
const NAMES: [&str; 8] = [
    "Bakery Blom",
    "Grocer and Sons",
    "City Transport",
    "Landlord",
    "Employer",
    "Pharmacy",
    "Bookshop",
    "Power Company",
];

/// An entry: its day, hundredths (negative for money out), its name.
struct Entry {
    day: Date,
    hundredths: i64,
    name: String,
}

/// The same entries every time.
fn entries(count: u64) -> Result<Vec<Entry>> {
    let mut prng = Prng::new(0x5374_6174);
    let first = date(2020, 1, 1);
    let mut entries = Vec::new();
    for number in 0..count {
        let day = first.checked_add(i64::try_from(number * 1_800 / count)?.days())?;
        let hundredths = i64::from(prng.below(20_000)) - 15_000;
        let hundredths = if hundredths == 0 { -1 } else { hundredths };
        let name = format!("{} {number}", prng.pick(&NAMES));
        entries.push(Entry { day, hundredths, name });
    }
    Ok(entries)
}

impl Entry {
    fn unsigned(&self) -> String {
        let hundredths = self.hundredths.abs();
        format!("{}.{:02}", hundredths / 100, hundredths % 100)
    }

    fn signed(&self) -> String {
        format!("{}{}", if self.hundredths < 0 { "-" } else { "" }, self.unsigned())
    }
}

/// The balance after entries, on the day of the last one, of an account that began with nothing.
fn closing(entries: &[Entry]) -> Result<Entry> {
    let day = entries.last().ok_or("there are no entries")?.day;
    let hundredths = entries.iter().map(|entry| entry.hundredths).sum();
    Ok(Entry { day, hundredths, name: String::new() })
}

/// How a format writes entries.
type WriteFile = fn(&[Entry]) -> Result<Vec<u8>>;

const FORMATS: [(&str, WriteFile); 4] =
    [("OFX", ofx), ("CAMT.053", camt), ("MT940", mt940), ("XLSX", xlsx)];

fn csv(entries: &[Entry]) -> Result<Vec<u8>> {
    let mut text = "Date,Amount,Name,Account,Currency\n".to_owned();
    for entry in entries {
        writeln!(text, "{},{},{},{ACCOUNT},USD", entry.day, entry.signed(), entry.name)?;
    }
    Ok(text.into_bytes())
}

fn ofx(entries: &[Entry]) -> Result<Vec<u8>> {
    let mut text = format!(
        "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nENCODING:USASCII\nCHARSET:1252\n\n<OFX>\
         <BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>1<ACCTID>{ACCOUNT}\
         <ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>\n"
    );
    for (number, entry) in entries.iter().enumerate() {
        let kind = if entry.hundredths < 0 { "DEBIT" } else { "CREDIT" };
        let day = entry.day.strftime("%Y%m%d");
        writeln!(
            text,
            "<STMTTRN><TRNTYPE>{kind}<DTPOSTED>{day}<TRNAMT>{}<FITID>F{number}<NAME>{}</STMTTRN>",
            entry.signed(),
            entry.name
        )?;
    }
    let closing = closing(entries)?;
    write!(
        text,
        "</BANKTRANLIST><LEDGERBAL><BALAMT>{}<DTASOF>{}</LEDGERBAL></STMTRS></STMTTRNRS>\
         </BANKMSGSRSV1></OFX>",
        closing.signed(),
        closing.day.strftime("%Y%m%d")
    )?;
    Ok(text.into_bytes())
}

fn camt(entries: &[Entry]) -> Result<Vec<u8>> {
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Document \
         xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.02\"><BkToCstmrStmt><Stmt><Id>1</Id>\
         <Acct><Id><IBAN>{ACCOUNT}</IBAN></Id></Acct>\n"
    );
    let closing = closing(entries)?;
    let opening = Entry { hundredths: 0, day: date(2020, 1, 1), name: String::new() };
    for (kind, balance) in [("OPBD", &opening), ("CLBD", &closing)] {
        let sign = if balance.hundredths < 0 { "DBIT" } else { "CRDT" };
        writeln!(
            text,
            "<Bal><Tp><CdOrPrtry><Cd>{kind}</Cd></CdOrPrtry></Tp><Amt Ccy=\"USD\">{}</Amt>\
             <CdtDbtInd>{sign}</CdtDbtInd><Dt><Dt>{}</Dt></Dt></Bal>",
            balance.unsigned(),
            balance.day
        )?;
    }
    for (number, entry) in entries.iter().enumerate() {
        let (sign, party) = if entry.hundredths < 0 { ("DBIT", "Cdtr") } else { ("CRDT", "Dbtr") };
        writeln!(
            text,
            "<Ntry><Amt Ccy=\"USD\">{}</Amt><CdtDbtInd>{sign}</CdtDbtInd><Sts>BOOK</Sts><BookgDt>\
             <Dt>{}</Dt></BookgDt><AcctSvcrRef>R{number}</AcctSvcrRef><NtryDtls><TxDtls><RltdPties>\
             <{party}><Nm>{}</Nm></{party}></RltdPties></TxDtls></NtryDtls></Ntry>",
            entry.unsigned(),
            entry.day,
            entry.name
        )?;
    }
    text.push_str("</Stmt></BkToCstmrStmt></Document>");
    Ok(text.into_bytes())
}

fn mt940(entries: &[Entry]) -> Result<Vec<u8>> {
    let mut text = format!(":20:1\n:25:{ACCOUNT}\n:28C:1/1\n:60F:C200101USD0,00\n");
    for entry in entries {
        let sign = if entry.hundredths < 0 { "D" } else { "C" };
        let (day, amount) = (entry.day.strftime("%y%m%d"), entry.unsigned().replace('.', ","));
        writeln!(text, ":61:{day}{sign}{amount}NTRFNONREF\n:86:{}", entry.name)?;
    }
    let closing = closing(entries)?;
    let sign = if closing.hundredths < 0 { "D" } else { "C" };
    let (day, amount) = (closing.day.strftime("%y%m%d"), closing.unsigned().replace('.', ","));
    writeln!(text, ":62F:{sign}{day}USD{amount}\n-")?;
    Ok(text.into_bytes())
}

fn xlsx(entries: &[Entry]) -> Result<Vec<u8>> {
    let text = |text: &str| format!("<c t=\"inlineStr\"><is><t>{text}</t></is></c>");
    let header = ["Date", "Amount", "Name", "Account", "Currency"].map(text).concat();
    let mut rows = format!("<row>{header}</row>");
    let first = date(1899, 12, 30);
    for entry in entries {
        let days = entry.day.since((jiff::Unit::Day, first))?.get_days();
        write!(
            rows,
            "<row><c s=\"1\"><v>{days}</v></c><c><v>{}</v></c>{}{}{}</row>",
            entry.signed(),
            text(&entry.name),
            text(ACCOUNT),
            text("USD")
        )?;
    }
    let sheet = format!("<worksheet><sheetData>{rows}</sheetData></worksheet>");
    let parts = [
        ("[Content_Types].xml", "<Types/>"),
        (
            "_rels/.rels",
            "<R><Relationship Id=\"1\" Type=\"/officeDocument\" Target=\"xl/workbook.xml\"/></R>",
        ),
        ("xl/workbook.xml", "<w><sheets><sheet name=\"Rows\" id=\"r\"/></sheets></w>"),
        (
            "xl/_rels/workbook.xml.rels",
            "<R><Relationship Id=\"r\" Type=\"/worksheet\" Target=\"sheet.xml\"/>\
             <Relationship Id=\"s\" Type=\"/styles\" Target=\"styles.xml\"/></R>",
        ),
        ("xl/styles.xml", "<s><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/></cellXfs></s>"),
        ("xl/sheet.xml", sheet.as_str()),
    ];
    let mut archive = ArchiveWriter::new(Vec::new());
    for (name, content) in parts {
        archive.part(name, |part| part.write_all(content.as_bytes()))?;
    }
    Ok(archive.finish()?)
}

/// A spreadsheet of the size that is measured.
pub(crate) fn large_spreadsheet() -> Result<Vec<u8>> {
    Ok(pair(xlsx)?.1)
}

/// A file of at most as many bytes, and the CSV of the same entries.
fn pair(write: WriteFile) -> Result<(u64, Vec<u8>, Vec<u8>)> {
    let sample = write(&entries(SAMPLE_ROWS)?)?.len() as u64;
    let mut rows = SAMPLE_ROWS * BYTES / sample;
    loop {
        let entries = entries(rows)?;
        let file = write(&entries)?;
        if file.len() as u64 <= BYTES {
            return Ok((rows, file, csv(&entries)?));
        }
        rows -= rows / 50;
    }
}

/// The time of one import, and the most memory that its server had.
fn measure(body: &[u8], rows: u64, database: Option<&str>) -> Result<(Duration, u64)> {
    let data = Data::fresh(database)?;
    let server = Server::start(&data)?;
    let client = Client::new(&server.address, &data.family()?);
    let started = Instant::now();
    let import = client.wait_until_complete(&client.upload(body)?)?;
    let wall = started.elapsed();
    expect_valid(&import, rows)?;
    expect_count(&client, rows)?;
    Ok((wall, server.memory_kib("VmHWM")?))
}

pub(crate) fn run(mut arguments: Arguments) -> Result<()> {
    let rounds = arguments.number("--rounds")?.unwrap_or(ROUNDS_DEFAULT);
    let database = arguments.text("--database")?;
    arguments.finish()?;

    println!("goal: at most {RATIO_MAX} times the CSV of the same rows");
    let mut missed = Vec::new();
    let header = ["format", "rows", "MiB", "s", "CSV s", "ratio", "peak MiB", "CSV peak MiB"];
    let mut table = Table::new(&header);
    for (name, write) in FORMATS {
        let (rows, file, csv) = pair(write)?;
        let size = file.len() as u64 / 1024;
        let bodies = [upload_body(&file, true), upload_body(&csv, true)];
        drop((file, csv));
        let mut walls = [Vec::new(), Vec::new()];
        let mut peaks = [0, 0];
        for _ in 0..rounds {
            for ((body, walls), peak) in bodies.iter().zip(&mut walls).zip(&mut peaks) {
                let (wall, memory) = measure(body, rows, database.as_deref())?;
                walls.push(wall);
                *peak = memory.max(*peak);
            }
        }
        let median = |walls: &[Duration]| median(walls).ok_or("no round was measured");
        let (wall, of_csv) = (median(&walls[0])?, median(&walls[1])?);
        let ratio = wall.as_secs_f64() / of_csv.as_secs_f64();
        if ratio > RATIO_MAX {
            missed.push(name.to_owned());
        }
        table.row(&[
            &name,
            &rows,
            &mebibytes(size),
            &seconds(wall),
            &seconds(of_csv),
            &format!("{ratio:.2}"),
            &mebibytes(peaks[0]),
            &mebibytes(peaks[1]),
        ]);
    }
    println!();
    table.print();
    missed.extend(documents::print(rounds, database.as_deref())?);
    match missed.is_empty() {
        true => Ok(()),
        false => Err(format!("goals are missed: {}", missed.join(", ")).into()),
    }
}

#[cfg(test)]
mod tests {
    use purser_core::import::source_file::FileFormat;
    use purser_formats::statements::table::write_table;
    use purser_formats::statements::{OneFile, StatementFormat};

    use super::*;

    #[test]
    fn files_are_imported_without_a_question() {
        let entries = entries(100).unwrap();
        for (write, of, format) in [
            (ofx as WriteFile, StatementFormat::Ofx, FileFormat::Ofx),
            (camt, StatementFormat::Camt, FileFormat::Camt053),
            (mt940, StatementFormat::Mt940, FileFormat::Mt940),
        ] {
            let file = write(&entries).unwrap();
            let mut table = Vec::new();
            let facts = write_table(&mut OneFile(of, || Ok(&file[..])), &mut table).unwrap();
            assert_eq!((facts.rows, facts.obstacle()), (100, None), "{format:?}");
            assert_eq!(facts.unproven(format), Vec::<String>::new(), "{format:?}");
        }
    }
}
