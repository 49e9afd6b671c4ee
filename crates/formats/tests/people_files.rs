//! Files as banks and programs write them, each with what it must be understood as.
//!
//! A case is a folder in `fixtures/`: `input.*`, the bytes as they would be uploaded, and
//! `expected.json`: what was sent along (if anything), the layout, and every row on one line. The
//! files are made by hand after descriptions of the formats; there is no real data in them. All
//! cases run, and for each that differs both sides are printed.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed test should stop")]

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use purser_core::import::dispatch;
use purser_core::import::kind::{Context, TargetAccount};
use purser_core::import::kinds::Kind;
use purser_core::import::layout::{AmountSource, Layout};
use purser_core::import::layout_problem::texts;
use purser_core::import::mapping::MappingKind;
use purser_core::import::row_edit::RowEdits;
use purser_core::import::settings::{Separator, Settings, Signage};
use purser_core::ledger::account::Classification;
use purser_core::money::Currency;
use purser_formats::decode::{self, ContentKind, content_kind};
use purser_formats::records::{Analysis, Visited, analyse, visit};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The day on which the files are uploaded.
const AS_OF: &str = "2026-06-30";
/// Fewer cases than this mean that some were lost.
const CASES_MIN: usize = 50;

/// What a case sends and expects.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// What the file shows.
    about: String,
    /// Fields of the upload.
    #[serde(default)]
    sent: HashMap<String, String>,
    /// The currency of amounts if the file has none.
    #[serde(default)]
    family_currency: Option<String>,
    /// The currency of the account that the import goes into, if one was sent.
    #[serde(default)]
    account_currency: Option<String>,
    /// Whether the account holds money or a debt; money if an account but no kind was sent.
    #[serde(default)]
    account_classification: Option<Classification>,
    /// The layout and the rows that are expected.
    expected: Value,
}

#[test]
fn files_of_people_are_understood() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut cases: Vec<PathBuf> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    assert!(cases.len() >= CASES_MIN, "only {} cases", cases.len());
    let mut differences = String::new();
    let mut failed = 0;
    for folder in &cases {
        let text = fs::read_to_string(folder.join("expected.json")).unwrap();
        let case: Case = serde_json::from_str(&text)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let found = understood(&input(folder), &case);
        if found != case.expected {
            failed += 1;
            let name = folder.file_name().unwrap().to_string_lossy();
            let (expected, found) = (shown(&case.expected), shown(&found));
            writeln!(
                differences,
                "== {name}: {}\n-- expected\n{expected}\n-- found\n{found}\n",
                case.about
            )
            .unwrap();
        }
    }
    assert!(failed == 0, "{failed} of {} cases differ\n\n{differences}", cases.len());
}

fn shown(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap()
}

/// The bytes of a case's `input.*`.
fn input(folder: &Path) -> Vec<u8> {
    let is_input = |path: &PathBuf| path.file_stem().is_some_and(|stem| stem == "input");
    let mut inputs = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let path = inputs.find(is_input).unwrap_or_else(|| panic!("no input in {}", folder.display()));
    fs::read(path).unwrap()
}

/// What the file is understood as, all stages together.
fn understood(bytes: &[u8], case: &Case) -> Value {
    assert_eq!(
        content_kind(&bytes[..bytes.len().min(decode::HEAD_BYTES)], None),
        ContentKind::Text
    );
    let encoding = decode::detect(&mut Cursor::new(bytes)).unwrap();
    let mut text = Vec::new();
    decode::transcode(&mut Cursor::new(bytes), &mut text, &encoding).unwrap();
    let settings = Settings::from_fields(|name| case.sent.get(name).cloned()).unwrap();
    let account_currencies = HashMap::new();
    let currency =
        |code: &Option<String>| code.as_deref().map(|code| Currency::parse(code).unwrap());
    let context = Context {
        as_of: AS_OF.parse().unwrap(),
        family_currency: currency(&case.family_currency).unwrap_or(Currency::EUR),
        account: currency(&case.account_currency).map(|currency| TargetAccount {
            currency,
            classification: case.account_classification.unwrap_or(Classification::Asset),
        }),
        account_currencies: &account_currencies,
        row_set: None,
    };
    let open = || Ok(Cursor::new(&text[..]));
    let analysis =
        match analyse(open, Kind::Transaction, &encoding, &settings, context, &RowEdits::new()) {
            Ok(analysis) => analysis,
            Err(error) => return json!({ "refused": error.to_string() }),
        };
    let mut found = described(&analysis.layout);
    if analysis.layout.is_readable() {
        let rows = rows(&text, &analysis, context);
        let counted = analysis.rows_count + analysis.left_out;
        assert_eq!(rows.len() as u64, counted, "counted once and read again");
        found.insert("rows".to_owned(), json!(rows));
        set(&mut found, "skipped", (analysis.skipped > 0).then_some(json!(analysis.skipped)));
        let accounts: Vec<String> = analysis
            .names_of(MappingKind::Account)
            .iter()
            .map(|account| {
                let codes: Vec<_> = account.currencies.iter().map(|c| c.code()).collect();
                format!("{}: {}", account.spelling, codes.join(", "))
            })
            .collect();
        set(&mut found, "accounts", (!accounts.is_empty()).then(|| json!(accounts)));
    }
    Value::Object(found)
}

fn set(found: &mut Map<String, Value>, name: &str, value: Option<Value>) {
    if let Some(value) = value {
        found.insert(name.to_owned(), value);
    }
}

/// The layout, as far as anything was found.
fn described(layout: &Layout) -> Map<String, Value> {
    let mut found = Map::new();
    let doubt = if layout.encoding_certain { "" } else { "?" };
    found.insert("encoding".to_owned(), json!(format!("{}{doubt}", layout.encoding)));
    if layout.headers.is_empty() {
        found.insert("problems".to_owned(), json!(texts(&layout.problems)));
        return found;
    }
    found.insert("separator".to_owned(), json!(separator(layout.separator)));
    set(&mut found, "header_line", layout.shape.is_none().then(|| json!(layout.header_line)));
    let label = |column: Option<usize>| column.map(|column| json!(layout.header(column)));
    let columns = &layout.columns;
    set(&mut found, "date", label(columns.date));
    match &layout.amount {
        None => {}
        Some(AmountSource::Signed { column } | AmountSource::ByBalance { column }) => {
            set(&mut found, "amount", label(Some(*column)))
        }
        Some(AmountSource::DebitCredit { debit, credit }) => {
            set(&mut found, "debit", label(Some(*debit)));
            set(&mut found, "credit", label(Some(*credit)));
        }
        Some(AmountSource::Directed { amount, direction, .. }) => {
            set(&mut found, "amount", label(Some(*amount)));
            set(&mut found, "direction", label(Some(*direction)));
        }
    }
    let names: Vec<String> = columns.names.iter().map(|column| layout.header(*column)).collect();
    set(&mut found, "names", (!names.is_empty()).then(|| json!(names)));
    set(&mut found, "category", label(columns.category));
    set(&mut found, "tags", label(columns.tags));
    set(&mut found, "notes", label(columns.notes));
    set(&mut found, "account", label(columns.account));
    set(&mut found, "currency", label(columns.currency));
    set(&mut found, "amount_currency", layout.amount_currency.map(|currency| json!(currency)));
    set(&mut found, "id", label(columns.external_id));
    set(&mut found, "status", label(columns.status));
    set(&mut found, "date_format", layout.date_format.as_ref().map(|format| json!(format)));
    set(&mut found, "number_format", layout.number_format.map(|format| json!(format.as_str())));
    let is_negative = layout.signage == Signage::InflowsNegative;
    set(&mut found, "inflows", is_negative.then(|| json!("negative")));
    let longer = &layout.longer_rows;
    set(&mut found, "longer_rows", (longer.count > 0).then(|| json!(longer.lines)));
    let balance = layout.balance.as_ref().map(|balance| {
        let (order, sense) = (balance.order.as_str(), balance.sense.as_str());
        json!(format!("{}: {order}, {sense}, {}", layout.header(balance.column), balance.proofs))
    });
    set(&mut found, "balance", balance);
    let stated = layout.stated.as_ref().and_then(|ends| ends.text(|day| day.to_string()));
    set(&mut found, "stated", stated.map(|text| json!(text)));
    set(&mut found, "problems", (!layout.is_readable()).then(|| json!(texts(&layout.problems))));
    found
}

fn separator(separator: Separator) -> &'static str {
    match separator {
        Separator::Comma => "comma",
        Separator::Semicolon => "semicolon",
        Separator::Tab => "tab",
        Separator::Pipe => "pipe",
    }
}

/// Every row on one line: `5: 2024-01-31 | -12.50 EUR | Bakery | category: Food`.
fn rows(text: &[u8], analysis: &Analysis, context: Context<'_>) -> Vec<String> {
    let start = analysis.layout.start;
    let offset = usize::try_from(start.offset).unwrap();
    let mut rows = Vec::new();
    let each = |visited: Visited<'_>| {
        let rendered = match visited.outcome {
            _ if visited.left_out.is_some() => {
                let reason = visited.left_out.map(|it| it.reason(&analysis.layout));
                format!("left out: {}", reason.unwrap_or_default())
            }
            Ok(row) => rendered(&row),
            Err(reasons) => format!("invalid: {}", reasons.join("; ")),
        };
        rows.push(format!("{}: {rendered}", visited.line));
        ControlFlow::Continue(())
    };
    let edits = RowEdits::new();
    visit(&text[offset..], &analysis.layout, context, &edits, start, usize::MAX, each).unwrap();
    rows
}

/// A row, income positive.
fn rendered(row: &dispatch::Row<'_>) -> String {
    let dispatch::Row::Transaction(row) = row else { panic!("{row:?}") };
    let mut rendered = format!("{} | {} | {}", row.date, money(row.amount, row.currency), row.name);
    let tags: Vec<&str> = row.tags.iter().collect();
    let tags = Some(tags.join(", ")).filter(|tags| !tags.is_empty());
    for (what, text) in [
        ("category", row.category),
        ("tags", tags.as_deref()),
        ("notes", row.notes),
        ("account", row.account),
        ("id", row.external_id),
    ] {
        if let Some(text) = text {
            write!(rendered, " | {what}: {text}").unwrap();
        }
    }
    rendered
}

/// An amount with as many decimals as the currency shows, or more if it has more.
fn money(amount: i64, currency: Currency) -> String {
    let scale = currency.scale() as usize;
    let digits = format!("{:0width$}", amount.unsigned_abs(), width = scale + 1);
    let (whole, decimals) = digits.split_at(digits.len() - scale);
    let shown = decimals.trim_end_matches('0').len().max(currency.precision() as usize);
    let sign = if amount > 0 { "-" } else { "" };
    let point = if shown > 0 { "." } else { "" };
    format!("{sign}{whole}{point}{} {currency}", &decimals[..shown])
}
