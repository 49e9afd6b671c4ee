//! Files as banks write them, each with the transactions that it must be read as, or the question
//! that it must lead to, with nothing set.
//!
//! They stand in `files.txt`, one after the other: `== NAME CURRENCY money|debt`, the file, and
//! behind a line `--` its transactions: day, amount (positive is money in) and name, if the name is
//! compared. They are made by hand after descriptions of the formats; nothing in them is real.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed test should stop")]

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Cursor;
use std::ops::ControlFlow;

use purser_core::import::dispatch::Row;
use purser_core::import::kind::{Context, TargetAccount};
use purser_core::import::kinds::Kind;
use purser_core::import::layout_problem::texts;
use purser_core::import::row_edit::RowEdits;
use purser_core::import::settings::Settings;
use purser_core::ledger::account::Classification;
use purser_core::money::Currency;
use purser_formats::decode::{Encoding, UTF_8};
use purser_formats::records::{Visited, analyse, visit};

const FILES: &str = include_str!("files.txt");
/// The day on which the files are uploaded.
const AS_OF: &str = "2026-11-24";
const ENCODING: Encoding = Encoding { name: UTF_8, bom_len: 0, certain: true };
/// Fewer files than this mean that some were lost.
const FILES_MIN: usize = 140;
/// So many of a hundred files are read with nothing set.
const READ_OF_HUNDRED_MIN: usize = 90;

/// A file and what it must be read as.
struct File<'t> {
    name: &'t str,
    currency: Currency,
    classification: Classification,
    content: String,
    expected: Vec<&'t str>,
}

fn files() -> Vec<File<'static>> {
    let sections = FILES.split("\n== ").map(|section| section.trim_start_matches("== "));
    sections.map(file).collect()
}

fn file(section: &'static str) -> File<'static> {
    let (head, rest) = section.split_once('\n').unwrap();
    let (content, expected) = rest.split_once("\n--\n").unwrap();
    let mut words = head.split(' ');
    let name = words.next().unwrap();
    let currency = Currency::parse(words.next().unwrap()).unwrap();
    let classification = match words.next().unwrap() {
        "debt" => Classification::Liability,
        "money" => Classification::Asset,
        other => panic!("{name}: {other}"),
    };
    let content = content.replace('\n', "\r\n") + "\r\n";
    let expected = expected.lines().filter(|line| !line.is_empty()).collect();
    File { name, currency, classification, content, expected }
}

#[test]
fn files_of_banks_are_read_or_asked_about() {
    let files = files();
    assert!(files.len() >= FILES_MIN, "only {} files", files.len());
    let mut differences = String::new();
    let mut asked = 0;
    for file in &files {
        let found = read(file);
        let is_question = file.expected.first().is_some_and(|line| line.starts_with("question: "));
        asked += usize::from(is_question);
        if !is_as_expected(&file.expected, &found) {
            let (expected, found) = (file.expected.join("\n"), found.join("\n"));
            writeln!(differences, "== {}\n{expected}\n-- found\n{found}\n", file.name).unwrap();
        }
    }
    assert!(differences.is_empty(), "{differences}");
    let read = 100 * (files.len() - asked) / files.len();
    assert!(read >= READ_OF_HUNDRED_MIN, "{read} of a hundred files are read with nothing set");
}

/// Whether each transaction was found once, in any order, or the question was.
fn is_as_expected(expected: &[&str], found: &[String]) -> bool {
    if let [line] = expected
        && let Some(question) = line.strip_prefix("question: ")
    {
        return found.iter().any(|line| line.starts_with("question: ") && line.contains(question));
    }
    let mut left: Vec<&String> = found.iter().collect();
    let is_there = |line: &&str| {
        let is_same = |found: &String| {
            let has_name = line.split(' ').nth(2).is_some();
            found.as_str() == *line || (!has_name && found.starts_with(&format!("{line} ")))
        };
        let at = left.iter().position(|found| is_same(found));
        at.map(|at| left.remove(at)).is_some()
    };
    expected.iter().all(is_there) && left.is_empty()
}

/// The transactions of a file, or its questions.
fn read(file: &File<'_>) -> Vec<String> {
    let account_currencies = HashMap::new();
    let context = Context {
        as_of: AS_OF.parse().unwrap(),
        family_currency: file.currency,
        account: Some(TargetAccount {
            currency: file.currency,
            classification: file.classification,
        }),
        account_currencies: &account_currencies,
        row_set: None,
    };
    let (edits, settings) = (RowEdits::new(), Settings::default());
    let open = || Ok(Cursor::new(file.content.as_bytes()));
    let analysis = analyse(open, Kind::Transaction, &ENCODING, &settings, context, &edits).unwrap();
    let layout = &analysis.layout;
    if !layout.is_readable() {
        let problems = texts(&layout.problems).into_iter();
        return problems.map(|problem| format!("question: {problem}")).collect();
    }
    let from = usize::try_from(layout.start.offset).unwrap();
    let content = &file.content.as_bytes()[from..];
    let mut found = Vec::new();
    let each = |visited: Visited<'_>| {
        if !visited.is_left_out() {
            found.push(match visited.outcome {
                Ok(row) => rendered(&row),
                Err(reasons) => format!("question: {}", reasons.join("; ")),
            });
        }
        ControlFlow::Continue(())
    };
    visit(content, layout, context, &edits, layout.start, usize::MAX, each).unwrap();
    found
}

fn rendered(row: &Row<'_>) -> String {
    let Row::Transaction(row) = row else { panic!("{row:?}") };
    let (scale, precision) = (row.currency.scale(), row.currency.precision());
    let unit = 10_u64.pow(scale - precision);
    let amount = row.amount.unsigned_abs();
    assert_eq!(amount % unit, 0, "more decimals than the currency has");
    let digits = format!("{:0width$}", amount / unit, width = precision as usize + 1);
    let (whole, decimals) = digits.split_at(digits.len() - precision as usize);
    let sign = if row.amount > 0 { "-" } else { "" };
    let point = if decimals.is_empty() { "" } else { "." };
    format!("{} {sign}{whole}{point}{decimals} {}", row.date, row.name)
}
