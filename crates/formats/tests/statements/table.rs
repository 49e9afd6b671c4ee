//! Files of statements as tables, read as imports read a CSV.

use std::collections::HashMap;
use std::io::Cursor;
use std::ops::ControlFlow;

use jiff::civil::date;
use purser_core::import::dispatch::Row;
use purser_core::import::kind::Context;
use purser_core::import::kinds::Kind;
use purser_core::import::layout_problem::texts;
use purser_core::import::row_edit::RowEdits;
use purser_core::import::settings::Settings;
use purser_core::import::source_file::{FileFormat, SourceFile};
use purser_core::money::Currency;
use purser_formats::decode::{Encoding, UTF_8};
use purser_formats::records::{Analysis, Visited, analyse, visit};
use purser_formats::statements::OneFile;
use purser_formats::statements::StatementFormat;
use purser_formats::statements::model::EntryStatus;
use purser_formats::statements::table::{TableFacts, write_table};

use crate::ledger::{Allowed, Ledger, ledger};
use crate::random::Random;
use crate::reading::text;
use crate::{camt_writing, mt940_writing, ofx_writing};

const ENCODING: Encoding = Encoding { name: UTF_8, bom_len: 0, certain: true };

fn table(format: StatementFormat, file: &[u8]) -> (TableFacts, Vec<u8>) {
    let (_, text) = text(file);
    let mut table = Vec::new();
    let facts = write_table(&mut OneFile(format, || Ok(&text[..])), &mut table).unwrap();
    (facts, table)
}

/// The rows as an import has them: the day, hundredths with money in as positive, the name.
fn imported(table: &[u8]) -> (Analysis, Vec<(String, i64, bool)>, Vec<String>) {
    let currencies = HashMap::new();
    let context = Context {
        as_of: date(2026, 1, 15),
        family_currency: Currency::USD,
        account: None,
        account_currencies: &currencies,
        row_set: None,
    };
    let (settings, edits) = (Settings::default(), RowEdits::new());
    let open = || Ok(Cursor::new(table));
    let analysis = analyse(open, Kind::Transaction, &ENCODING, &settings, context, &edits).unwrap();
    let (mut rows, mut invalid) = (Vec::new(), Vec::new());
    if analysis.layout.is_readable() {
        let start = analysis.layout.start;
        let from = usize::try_from(start.offset).unwrap();
        let each = |visited: Visited<'_>| {
            let is_left_out = visited.is_left_out();
            match visited.outcome {
                Ok(Row::Transaction(row)) => {
                    let is_anchor = row.name.ends_with(" balance");
                    if !is_anchor {
                        rows.push((row.date.to_string(), -row.amount / 100, is_left_out));
                    }
                }
                Ok(row) => panic!("{row:?}"),
                Err(reasons) => invalid.push(reasons.join("; ")),
            }
            ControlFlow::Continue(())
        };
        visit(&table[from..], &analysis.layout, context, &edits, start, 99, each).unwrap();
    }
    (analysis, rows, invalid)
}

/// What the format of a file is called.
fn format_of(format: StatementFormat) -> FileFormat {
    match format {
        StatementFormat::Ofx => FileFormat::Ofx,
        StatementFormat::Camt => FileFormat::Camt053,
        StatementFormat::Mt940 => FileFormat::Mt940,
    }
}

/// What keeps the import of a file from being published without a person: questions, rows that
/// can't be read, a refusal.
pub(crate) fn objections(format: FileFormat, of: StatementFormat, file: &[u8]) -> Vec<String> {
    let mut table = Vec::new();
    let facts = match write_table(&mut OneFile(of, || Ok(file)), &mut table) {
        Ok(facts) => facts,
        Err(error) => return vec![error.to_string()],
    };
    if let Some(obstacle) = facts.obstacle() {
        return vec![obstacle];
    }
    let (mut analysis, _, invalid) = imported(&table);
    let unproven = facts.unproven(format);
    analysis.of_file(SourceFile { unproven, ..SourceFile::of(format) });
    texts(&analysis.layout.problems).into_iter().chain(invalid).collect()
}

/// Whether anything keeps it from being published.
pub(crate) fn is_noticed(of: StatementFormat, file: &[u8]) -> bool {
    !objections(format_of(of), of, file).is_empty()
}

fn assert_imported(format: StatementFormat, file: &[u8], ledger: &Ledger, has_opening: bool) {
    let (facts, table) = table(format, file);
    let shown = String::from_utf8_lossy(&table).into_owned();
    let entries: Vec<_> = ledger.statements.iter().flat_map(|its| &its.entries).collect();
    assert_eq!(facts.rows, entries.len() as u64);
    assert_eq!(facts.contradictions(), Vec::<String>::new());
    assert_eq!((facts.accounts.len(), facts.trades), (1, 0));
    let (analysis, rows, invalid) = imported(&table);
    if entries.is_empty() {
        return;
    }
    assert_eq!(invalid, Vec::<String>::new(), "{shown}");
    let expected: Vec<_> = entries
        .iter()
        .map(|it| (it.booked_on.to_string(), it.cents, it.status == EntryStatus::Pending))
        .collect();
    let all_are_pending = expected.iter().all(|(_, _, is_pending)| *is_pending);
    if all_are_pending {
        return;
    }
    assert_eq!(texts(&analysis.layout.problems), Vec::<String>::new(), "{shown}");
    assert_eq!(rows, expected, "{shown}");
    assert_eq!(facts.unproven(format_of(format)), Vec::<String>::new(), "{shown}");
    let sum: i64 = expected.iter().filter(|row| !row.2).map(|row| row.1).sum();
    if has_opening && sum != 0 {
        let ends = analysis.layout.stated.unwrap_or_else(|| panic!("no ends in {shown}"));
        assert!(ends.is_proven(), "{ends:?}");
    }
}

#[test]
fn an_import_has_the_rows_of_the_ledger() {
    for seed in 5_000..5_150 {
        let mut random = Random::new(seed);
        let all = Allowed { pending: true, reversals: true, batches: true, plain: false };
        let of_camt = ledger(&mut random, all);
        let file = camt_writing::written(&of_camt, &camt_writing::Habits::new(&mut random));
        assert_imported(StatementFormat::Camt, &file, &of_camt, true);
        let of_swift = ledger(&mut random, Allowed { batches: false, plain: true, ..all });
        let file = mt940_writing::written(&of_swift, &mt940_writing::Habits::new(&mut random));
        assert_imported(StatementFormat::Mt940, &file, &of_swift, true);
        let of_ofx = ledger(&mut random, Allowed::default());
        let file = ofx_writing::written(&of_ofx, &ofx_writing::Habits::new(&mut random));
        assert_imported(StatementFormat::Ofx, &file, &of_ofx, false);
    }
}

const HEAD: &str = ":20:1\n:25:10010010/123\n:28C:1/1\n:60F:C240101EUR100,00\n";

#[test]
fn a_contradiction_is_a_question_of_the_import() {
    let file = |closing: &str| {
        format!(
            "{HEAD}:61:240102D10,00NTRF\n:86:Shop\n:61:240103C5,50NTRF\n:86:Friend\n\
             :62F:C240131EUR{closing}\n-\n"
        )
    };
    let (facts, written) = table(StatementFormat::Mt940, file("95,50").as_bytes());
    assert_eq!((facts.proven, facts.contradictions().len()), (1, 0));
    assert_eq!(
        String::from_utf8(written).unwrap(),
        "Date,Name,Money out,Money in,Currency,Notes,Account,Transaction ID,Status,\
         Line of a bank statement\n\
         2024-01-01,Opening balance,,100.00,EUR,,123,,,opening\n\
         2024-01-02,Shop,10.00,,EUR,,123,,Booked,\n\
         2024-01-03,Friend,,5.50,EUR,,123,,Booked,\n\
         2024-01-31,Closing balance,,95.50,EUR,,123,,,closing\n"
    );
    let (facts, written) = table(StatementFormat::Mt940, file("95,51").as_bytes());
    let sentence = "Statement 1/1 (line 1): 100.00 and entries of -4.50 don't come to 95.51, but \
                    differ by 0.01";
    assert_eq!(facts.contradictions(), [sentence]);
    let (analysis, ..) = imported(&written);
    let problems = texts(&analysis.layout.problems);
    assert!(problems.len() == 1 && problems[0].contains("95.51"), "{problems:?}");
}

#[test]
fn what_couldnt_be_read_is_a_row_that_cant_be() {
    let file = format!(
        "{HEAD}:61:240102D10,00NTRF\n:86:Shop\n:61:240103X5,50NTRF\n:86:Friend\n\
         :62F:C240131EUR95,50\n-\n"
    );
    let (facts, written) = table(StatementFormat::Mt940, file.as_bytes());
    assert_eq!((facts.rows, facts.proven), (2, 0));
    let (_, rows, invalid) = imported(&written);
    assert_eq!((rows.len(), invalid.len()), (1, 1), "{}", String::from_utf8_lossy(&written));
    let text = String::from_utf8(written).unwrap();
    assert!(text.contains("Line 7 of the file: \"\"X5,50NTRF\"\" doesn't begin with"), "{text}");
}
