//! Ledgers made by chance, each statement as a file of its own in an archive, in any order.

use std::io::Cursor;

use purser_formats::archive::writer::ArchiveWriter;
use purser_formats::statements::table::{TableFacts, write_table};
use purser_formats::statements::{ArchivedFiles, OneFile, StatementFiles as _, StatementFormat};

use crate::ledger::{Allowed, Ledger, ledger};
use crate::random::Random;
use crate::reading::text;
use crate::{camt_writing, mt940_writing};

fn archived(files: &[(String, Vec<u8>)]) -> (TableFacts, Vec<u8>) {
    let mut archive = ArchiveWriter::new(Vec::new());
    for (name, content) in files {
        archive.part(name, |part| part.write_all(content)).unwrap();
    }
    let archive = archive.finish().unwrap();
    let mut opened = ArchivedFiles::open(Cursor::new(archive)).unwrap().unwrap();
    assert_eq!(opened.count(), files.len());
    let mut table = Vec::new();
    let facts = write_table(&mut opened, &mut table).unwrap();
    (facts, table)
}

/// One ledger for each statement.
fn apart(ledger: &Ledger) -> Vec<Ledger> {
    let statements = ledger.statements.iter();
    statements.map(|its| Ledger { statements: vec![its.clone()], ..ledger.clone() }).collect()
}

fn assert_same(random: &mut Random, format: StatementFormat, whole: &[u8], parts: Vec<Vec<u8>>) {
    let (_, text) = text(whole);
    let mut expected = Vec::new();
    write_table(&mut OneFile(format, || Ok(&text[..])), &mut expected).unwrap();
    let name = |(at, part): (usize, Vec<u8>)| (format!("folder/{at}.xml"), part);
    let mut files: Vec<(String, Vec<u8>)> = parts.into_iter().enumerate().map(name).collect();
    for at in (1..files.len()).rev() {
        files.swap(at, random.below(at + 1));
    }
    let (facts, table) = archived(&files);
    assert_eq!(facts.repeated, None);
    // A statement of SWIFT may have several pages.
    assert!(facts.statements >= files.len() as u64);
    assert_eq!(String::from_utf8_lossy(&table), String::from_utf8_lossy(&expected));
}

#[test]
fn an_archive_of_statements_is_the_table_of_the_file_with_all_of_them() {
    for seed in 9_000..9_100 {
        let mut random = Random::new(seed);
        let all = Allowed { pending: true, reversals: true, batches: true, plain: false };
        let of_camt = ledger(&mut random, all);
        let habits = camt_writing::Habits::new(&mut random);
        let parts = apart(&of_camt).iter().map(|its| camt_writing::written(its, &habits)).collect();
        let whole = camt_writing::written(&of_camt, &habits);
        assert_same(&mut random, StatementFormat::Camt, &whole, parts);
        let of_swift = ledger(&mut random, Allowed { batches: false, plain: true, ..all });
        let habits = mt940_writing::Habits::new(&mut random);
        let parts =
            apart(&of_swift).iter().map(|its| mt940_writing::written(its, &habits)).collect();
        let whole = mt940_writing::written(&of_swift, &habits);
        assert_same(&mut random, StatementFormat::Mt940, &whole, parts);
    }
}
