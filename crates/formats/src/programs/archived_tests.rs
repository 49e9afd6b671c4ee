use std::io::Cursor;

use purser_core::import::register::Program;

use super::{rewrite_archive, unpack_native};
use crate::archive::writer::ArchiveWriter;
use crate::csv::Reader;

const REGISTER: &str = "Account,Flag,Date,Payee,Category Group,Category,Memo,Outflow,Inflow,\
     Cleared\nGiro,,13/02/2026,Bakery,Food,Bread,,3.50,0.00,Cleared\n";
const PLAN: &str = "\u{feff}\"Month\",\"Category Group/Category\",\"Category Group\",\"Category\",\
     \"Assigned\",\"Activity\",\"Available\"\n\
     \"Feb 2026\",\"Food: Bread\",\"Food\",\"Bread\",\"50.00\",\"-3.50\",\"46.50\"\n\
     \"Feb 2026\",\"Food: Fruit\",\"Food\",\"Fruit\",\"0.00\",\"0.00\",\"0.00\"\n\
     \"2026-03\",\"Food: Bread\",\"Food\",\"Bread\",\"-1.00\",\"0.00\",\"0.00\"\n\
     \"Then\",\"Food: Bread\",\"Food\",\"Bread\",\"1.00\",\"0.00\",\"0.00\"\n";

fn zip(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = ArchiveWriter::new(Vec::new());
    for (name, text) in parts {
        archive.part(name, |part| part.write_all(text.as_bytes())).unwrap();
    }
    archive.finish().unwrap()
}

/// The records of the register without the header, or why there is none.
fn read(program: Program, archive: Vec<u8>) -> Result<Vec<String>, String> {
    let mut register = Vec::new();
    rewrite_archive(program, Cursor::new(archive), &mut register)
        .map_err(|error| error.to_string())?;
    let mut reader = Reader::new(Cursor::new(register), b',');
    let mut records = Vec::new();
    while let Some(record) = reader.read().unwrap() {
        let kept: Vec<&str> = record.cells.iter().filter(|cell| !cell.is_empty()).collect();
        records.push(kept.join(" | "));
    }
    Ok(records.split_off(1))
}

#[test]
fn the_register_and_the_plan_of_ynab_are_one_register() {
    let parts = [
        ("My Budget - Plan.csv", PLAN),
        ("__MACOSX/._My Budget - Register.csv", "\u{0}"),
        ("My Budget - Register.csv", REGISTER),
        ("read me.md", "hello"),
    ];
    assert_eq!(
        read(Program::Ynab, zip(&parts)).unwrap(),
        [
            "2 | Giro | 13/02/2026 | Bakery | Food:Bread | Cleared | 3.50 | 0.00",
            "2 | budget | 2026-02-01 | Food:Bread | 50.00",
            "4 | budget | 2026-03-01 | Food:Bread | -1.00",
            "5 | budget | Then | Food:Bread | \"Then\" is no month that is understood | 1.00",
        ]
    );
    let alone = read(Program::Ynab, zip(&[("register.tsv", &REGISTER.replace(',', "\t"))]));
    assert_eq!(alone.unwrap().len(), 1);
}

#[test]
fn archives_that_hold_something_else_are_refused() {
    let actual = "Account,Date,Payee,Notes,Category_Group,Category,Amount,Split_Amount,Cleared\n\
                  Giro,2026-02-13,Bakery,,Food,Bread,-3.50,0,Cleared\n";
    let many: Vec<(String, &str)> = (0..17).map(|at| (format!("{at}.csv"), "a,b\n")).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    type Parts<'a> = &'a [(&'a str, &'a str)];
    let cases: [(Program, Parts, &str); 8] = [
        (Program::Ynab, &[("a.csv", actual)], "no export of YNAB"),
        (Program::Ynab, &[("a.csv", REGISTER), ("b.csv", REGISTER)], "several exports"),
        (Program::Ynab, &[("a.csv", REGISTER), ("A.CSV", PLAN)], "two parts of one name"),
        (Program::Ynab, &[("../a.csv", REGISTER)], "leads out of its folder"),
        (Program::Ynab, &[("/a.csv", REGISTER)], "leads out of its folder"),
        (Program::Ynab, &[("c:\\a.csv", REGISTER)], "leads out of its folder"),
        (Program::Actual, &[("db.sqlite", "SQLite"), ("metadata.json", "{}")], "database"),
        (Program::Ynab, &many, "more than 16 tables"),
    ];
    for (program, parts, why) in cases {
        let error = read(program, zip(parts)).unwrap_err();
        assert!(error.contains(why), "{why}: {error}");
    }
    assert_eq!(read(Program::Actual, zip(&[("a.csv", actual)])).unwrap().len(), 1);
    assert!(read(Program::Ynab, b"PK\x03\x04 and no more".to_vec()).is_err());
}

#[test]
fn a_part_that_inflates_to_more_than_is_read_is_refused() {
    let mut archive = ArchiveWriter::new(Vec::new());
    let lines = vec![b'\n'; 1024 * 1024];
    let written = archive.part("a.csv", |part| {
        part.write_all(REGISTER.as_bytes())?;
        (0..=64).try_for_each(|_| part.write_all(&lines))
    });
    written.unwrap();
    let bomb = archive.finish().unwrap();
    assert!(bomb.len() < 1_000_000, "{} bytes", bomb.len());
    let error = read(Program::Ynab, bomb).unwrap_err();
    assert!(error.contains("larger than is read"), "{error}");
}

#[test]
fn the_native_file_is_the_only_one_of_its_name() {
    let unpack = |parts: &[(&str, &str)]| {
        let mut native = Vec::new();
        let unpacked = unpack_native(Cursor::new(zip(parts)), &mut native);
        unpacked.map(|()| native).map_err(|error| error.to_string())
    };
    assert_eq!(unpack(&[("all.ndjson", "{}\n"), ("tags.csv", "a\n")]).unwrap(), b"{}\n");
    let twice = unpack(&[("all.ndjson", "{}\n"), ("ALL.ndjson", "{}\n")]).unwrap_err();
    assert!(twice.contains("two parts of one name"), "{twice}");
    let none = unpack(&[("folder/all.ndjson", "{}\n")]).unwrap_err();
    assert!(none.contains("all.ndjson"), "{none}");
}

#[test]
fn parts_that_inflate_to_more_than_they_state_are_refused() {
    let mut archive = zip(&[("a.csv", &format!("{REGISTER}{}", "x".repeat(200_000)))]);
    let directory = archive.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").unwrap();
    archive[directory + 24..directory + 28].copy_from_slice(&1_000_u32.to_le_bytes());
    let error = read(Program::Ynab, archive).unwrap_err();
    assert!(error.contains("larger than its directory states"), "{error}");
}
