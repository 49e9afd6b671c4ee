use std::collections::HashMap;
use std::io::{Cursor, Seek, SeekFrom};
use std::ops::ControlFlow;

use proptest::prelude::*;
use purser_core::import::dispatch;
use purser_core::import::kind::Context;
use purser_core::import::kinds::Kind;
use purser_core::import::layout::Position;
use purser_core::import::layout_problem::texts;
use purser_core::import::mapping::MappingKind;
use purser_core::import::row_edit::{RowChoice, RowEdit, RowEdits};
use purser_core::import::settings::{Settings, Signage};
use purser_core::limits::{IMPORT_FINDINGS_MAX, IMPORT_MAPPINGS_MAX};
use purser_core::money::Currency;
use purser_core::text::number::NumberFormat;

use super::*;
use crate::csv::OffsetIndex;
use crate::decode::{Encoding, UTF_8};

const ENCODING: Encoding = Encoding { name: UTF_8, bom_len: 0, certain: true };

fn with_context<T>(run: impl FnOnce(Context<'_>) -> T) -> T {
    let account_currencies = HashMap::new();
    run(Context {
        as_of: "2024-06-15".parse().unwrap(),
        family_currency: Currency::USD,
        account: None,
        account_currencies: &account_currencies,
        row_set: None,
    })
}

/// Amounts here have no signs: which way they went is another question.
fn as_income(settings: &Settings) -> Settings {
    Settings { signage: Some(Signage::InflowsPositive), ..settings.clone() }
}

fn analysed(text: &str, settings: &Settings) -> Result<Analysis, AnalyseError> {
    with_context(|context| {
        analyse(
            || Ok(Cursor::new(text.as_bytes())),
            Kind::Transaction,
            &ENCODING,
            &as_income(settings),
            context,
            &RowEdits::new(),
        )
    })
}

fn found(text: &str) -> Analysis {
    analysed(text, &Settings::default()).unwrap()
}

fn settings(fields: &[(&str, &str)]) -> Settings {
    let field = |name: &str| {
        fields.iter().find(|(field, _)| *field == name).map(|(_, value)| (*value).to_owned())
    };
    Settings::from_fields(field).unwrap()
}

/// Row number, line, and name or reasons, from a place on.
fn rows(
    text: &str,
    analysis: &Analysis,
    from: Position,
) -> Vec<(u64, u64, Result<String, Vec<String>>)> {
    let mut file = Cursor::new(text.as_bytes());
    file.seek(SeekFrom::Start(from.offset)).unwrap();
    let mut rows = Vec::new();
    with_context(|context| {
        visit(file, &analysis.layout, context, &RowEdits::new(), from, usize::MAX, |visited| {
            let outcome = visited.outcome.map(|row| {
                let dispatch::Row::Transaction(row) = row else { panic!("{row:?}") };
                format!("{} {}", row.amount, row.name)
            });
            rows.push((visited.row, visited.line, outcome));
            ControlFlow::Continue(())
        })
    })
    .unwrap();
    rows
}

#[test]
fn a_real_statement_is_understood_without_any_setting() {
    let text = "\u{feff}Kontonummer;DE02 1203 0000 0000 2020 51;\n\
        Zeitraum;01.01.2024 - 31.01.2024;\n\
        \n\
        Buchungstag;Wertstellung;Empfänger;Verwendungszweck;Kategorie;Betrag (EUR);Währung\n\
        31.01.2024;31.01.2024;\"Bäckerei \"\"Krume\"\"\";\"Brot;\nBrötchen\";Essen;-1.234,56;EUR\n\
        \n\
        30.01.2024;30.01.2024;Arbeitgeber;Lohn;;2.000,00;EUR\n\
        xx.01.2024;;Kaputt;;ESSEN;eins;EUR\n\
        29.01.2024;29.01.2024;Markt;;essen ;-5,00;EUR\n\
        ;;;;;;\n\
        Kontostand am 31.01.2024;;;;;760,44;EUR\n\
        Alle Angaben ohne Gewähr\n";
    let analysis = found(text);
    let layout = &analysis.layout;
    assert_eq!(layout.problems, []);
    assert_eq!((layout.header_line, layout.date_format.as_deref()), (4, Some("%d.%m.%Y")));
    assert_eq!(layout.configuration().number_format, Some(NumberFormat::DotComma));
    assert_eq!(
        (analysis.rows_count, analysis.valid, analysis.invalid, analysis.skipped),
        (4, 3, 1, 2)
    );
    let finding = &analysis.findings[0];
    assert_eq!((finding.row, finding.line), (3, 9));
    assert_eq!(finding.reasons.len(), 2, "{:?}", finding.reasons);
    let [category] = analysis.names_of(MappingKind::Category) else {
        panic!("{:?}", analysis.names)
    };
    assert_eq!((category.spelling.as_str(), category.key.as_str()), ("Essen", "essen"));
    assert_eq!(category.rows, 2);
    assert_eq!(analysis.currencies, [Currency::EUR]);
    let names: Vec<_> = rows(text, &analysis, layout.start)
        .into_iter()
        .map(|(row, line, outcome)| (row, line, outcome.ok()))
        .collect();
    let named = |text: &str| Some(text.to_owned());
    assert_eq!(
        names,
        [
            (1, 5, named("12345600 Bäckerei \"Krume\"")),
            (2, 8, named("-20000000 Arbeitgeber")),
            (3, 9, None),
            (4, 10, named("50000 Markt")),
        ]
    );
}

#[test]
fn accounts_and_tags_are_counted_with_their_currencies() {
    let analysis = found(
        "date,amount,account,currency,tags\n\
         2024-01-31,1.50,Cash,EUR,\"a,b\"\n\
         2024-01-31,1.50,Bank,,B\n\
         2024-01-31,1.50, CASH ,GBP,\n\
         2024-01-31,1.50,cash,EUR,c|A\n\
         2024-01-31,x,Other,CHF,d\n",
    );
    let names = |names: &[Name]| {
        names.iter().map(|name| (name.spelling.clone(), name.rows)).collect::<Vec<_>>()
    };
    let counted = |pairs: &[(&str, u64)]| {
        pairs.iter().map(|(name, rows)| ((*name).to_owned(), *rows)).collect::<Vec<_>>()
    };
    assert_eq!(
        names(analysis.names_of(MappingKind::Account)),
        counted(&[("Cash", 3), ("Bank", 1)])
    );
    assert_eq!(
        names(analysis.names_of(MappingKind::Tag)),
        counted(&[("a", 2), ("b", 2), ("c", 1)])
    );
    let gbp = Currency::parse("GBP").unwrap();
    assert_eq!(analysis.names_of(MappingKind::Account)[0].currencies, [Currency::EUR, gbp]);
    assert_eq!(analysis.names_of(MappingKind::Account)[1].currencies, [Currency::USD]);
    assert_eq!(analysis.currencies, [Currency::EUR, Currency::USD, gbp]);
}

#[test]
fn labels_that_are_missing_refuse_the_upload() {
    let settings = settings(&[("date_col_label", "When"), ("name_col_label", "Name")]);
    match analysed("Date,Amount\n2024-01-01,1\n", &settings) {
        Err(AnalyseError::Labels(labels)) => assert_eq!(labels.len(), 2, "{labels:?}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_makes_a_file_unreadable_is_reported() {
    let open = "Date,Amount,Name\n2024-01-31,1,a\n2024-01-31,1,\"b\n";
    let given = [("date_format", "%Y-%m-%d"), ("number_format", "1,234.56")];
    for (text, fields, problem) in [
        ("", &[][..], "The file is empty"),
        ("Date,Amount\n", &[], "The file has a header, but no rows"),
        ("Date,Amount\n", &given, "The file has a header, but no rows"),
        ("Date,Amount\nEnd of file\n", &given, "The file has a header, but no rows"),
        (
            "Date,Name\n2024-01-31,x\n",
            &[],
            "No column holds the amount; headers found: \"Date\", \"Name\"",
        ),
        (open, &[], "Line 3: A quoted cell starts here and is never closed"),
        (open, &given, "Line 3: A quoted cell starts here and is never closed"),
        (
            "Date,Amount\n03/04/2024,1.50\n",
            &[],
            "The date format is ambiguous: %d/%m/%Y and %m/%d/%Y fit equally well \
             (for example \"03/04/2024\")",
        ),
        (
            "2024-01-31,15\n",
            &[],
            "The amount may be in \"#2\" (for example \"15\"); say whether it is",
        ),
    ] {
        let analysis = analysed(text, &settings(fields)).unwrap();
        assert_eq!(texts(&analysis.layout.problems), [problem], "{text:?}");
        assert!(!analysis.layout.is_readable());
        assert_eq!((analysis.rows_count, analysis.offsets.len()), (0, 0), "{text:?}");
    }
}

#[test]
fn a_format_that_was_sent_is_used_strictly() {
    let settings = settings(&[("date_format", "%m/%d/%Y"), ("number_format", "1,234.56")]);
    let text = "Date,Amount\n03/04/2024,1.50\n13/04/2024,1\n03/04/2024,\"12,50\"\n";
    let analysis = analysed(text, &settings).unwrap();
    assert_eq!((analysis.valid, analysis.invalid), (1, 2));
}

#[test]
fn only_the_first_findings_are_kept() {
    let mut text = "Date,Amount\n2024-01-31,1.50\n".to_owned();
    text.push_str(&"2024-01-31,x\n".repeat(IMPORT_FINDINGS_MAX + 5));
    let analysis = found(&text);
    assert_eq!(analysis.invalid as usize, IMPORT_FINDINGS_MAX + 5);
    assert_eq!(analysis.findings.len(), IMPORT_FINDINGS_MAX);
    assert_eq!(analysis.findings[0].row, 2);
}

#[test]
fn too_many_different_names_are_a_problem() {
    let file = |count: usize| {
        let lines = (0..count).map(|n| format!("2024-01-31,1.50,c{},t{}\n", n / 2, n / 2));
        format!("Date,Amount,Category,Tags\n{}", lines.collect::<String>())
    };
    let analysis = found(&file(IMPORT_MAPPINGS_MAX));
    assert_eq!(analysis.layout.problems, []);
    assert_eq!(
        analysis.names.iter().map(|(_, names)| names.len()).sum::<usize>(),
        IMPORT_MAPPINGS_MAX
    );
    let analysis = found(&file(IMPORT_MAPPINGS_MAX + 1));
    assert_eq!(
        texts(&analysis.layout.problems),
        ["the rows name more than 10000 different accounts, categories or tags"]
    );
    assert_eq!(analysis.rows_count, 0);
}

#[test]
fn only_as_many_rows_as_asked_for_have_reasons() {
    let text = "Date,Amount\n2024-01-31,1.5\nx,1\n2024-01-31,y\nx,z\n";
    let analysis = found(text);
    let file = || &text.as_bytes()[analysis.layout.start.offset as usize..];
    for explained in 0..=4 {
        let mut reported = Vec::new();
        with_context(|context| {
            let start = analysis.layout.start;
            visit(
                file(),
                &analysis.layout,
                context,
                &RowEdits::new(),
                start,
                explained,
                |visited| {
                    reported.extend(visited.outcome.err().map(|reasons| reasons.len()));
                    ControlFlow::Continue(())
                },
            )
        })
        .unwrap();
        let expected = [1, 1, 2].iter().enumerate();
        let expected = expected.map(|(at, reasons)| if at < explained { *reasons } else { 0 });
        assert_eq!(reported, expected.collect::<Vec<_>>());
    }
}

#[test]
fn reports_on_a_hostile_file_stay_small() {
    let header = "x".repeat(10_000);
    let text = format!("Date,Amount,{header}\n{}", "no day,no amount,\n".repeat(50));
    let labels = settings(&[
        ("tags_col_label", &header),
        ("date_format", "%Y-%m-%d"),
        ("number_format", "1,234.56"),
    ]);
    let tags: String = (0..40).map(|tag| format!("{tag}{};", "y".repeat(300))).collect();
    let bad_tags = format!("Date,Amount,{header}\n{}", format!("2024-01-31,1,{tags}\n").repeat(5));
    for text in [text, bad_tags] {
        let analysis = analysed(&text, &labels).unwrap();
        assert!(analysis.invalid >= 5);
        let layout = serde_json::to_string(&analysis.layout).unwrap();
        assert!(layout.len() < 2_000, "{}", layout.len());
        let findings = serde_json::to_string(&analysis.findings).unwrap();
        assert!(findings.len() < analysis.findings.len() * 1_500, "{}", findings.len());
    }
    let cells = (0..2).map(|n| format!("{header}{n}")).collect::<Vec<_>>().join(",");
    for (text, labels) in [
        (format!("{cells}{}\n1,2\n", ",h".repeat(600)), settings(&[])),
        (format!("{cells}\n1,2\n"), settings(&[("date_col_label", &header)])),
    ] {
        let reported = match analysed(&text, &labels) {
            Ok(analysis) => serde_json::to_string(&analysis.layout).unwrap(),
            Err(error) => error.to_string(),
        };
        assert!(reported.len() < 10_000, "{}", reported.len());
    }
}

#[test]
fn a_visit_may_end_early() {
    let text = "Date,Amount\n2024-01-31,1.5\n2024-01-31,2.5\n";
    let analysis = found(text);
    let mut seen = 0;
    let start = analysis.layout.start;
    let file = &text.as_bytes()[start.offset as usize..];
    with_context(|context| {
        visit(file, &analysis.layout, context, &RowEdits::new(), start, 0, |_| {
            seen += 1;
            ControlFlow::Break(())
        })
    })
    .unwrap();
    assert_eq!(seen, 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_row_read_through_the_index_is_the_row_read_from_the_start(
        lines in prop::collection::vec(
            prop::sample::select(vec![
                "2024-01-31,1.50,plain\n", "2024-01-31,x,bad\r\n", "\n", ",,\r",
                "2024-01-31,1.50,\"two\nlines\"\n", "Total,,\n",
                "2024-01-31,-2.25,\"a \"\"b\"\"\"\r",
            ]),
            1..400),
        wanted in 1u64..400,
    ) {
        let text = format!("Date,Amount,Name\n2024-01-30,1.5,first\n{}", lines.concat());
        let analysis = found(&text);
        let all = rows(&text, &analysis, analysis.layout.start);
        prop_assert_eq!(all.len() as u64, analysis.rows_count);
        let place = OffsetIndex::new(&analysis.offsets).before(wanted);
        let Some(place) = place else {
            prop_assert!(wanted > analysis.rows_count);
            return Ok(());
        };
        let rest = rows(&text, &analysis, place);
        prop_assert_eq!(&rest[..], &all[place.row as usize - 1..]);
        prop_assert!(wanted - place.row < 64);
    }

    #[test]
    fn any_text_is_analysed_without_panic(
        text in "(Date|Amount|[a,;\"\r\n\t|0-9./ -]){0,80}",
        header in prop::sample::select(vec!["", "Date,Amount,Name\n", "Datum;Soll;Haben\r\n"]),
    ) {
        let text = format!("{header}{text}");
        let analysis = found(&text);
        prop_assert_eq!(analysis.rows_count, analysis.valid + analysis.invalid);
        if analysis.layout.is_readable() {
            let all = rows(&text, &analysis, analysis.layout.start);
            prop_assert_eq!(all.len() as u64, analysis.rows_count);
        }
    }
}

#[test]
fn corrections_meet_the_rows_that_they_are_for() {
    let text = "Date,Amount,Name\n2024-01-02,1.00,A\nTotal,1.00,\n2024-01-03,2.00,B\n";
    let read = |edits: &RowEdits| {
        let open = || Ok(Cursor::new(text.as_bytes()));
        with_context(|context| {
            analyse(
                open,
                Kind::Transaction,
                &ENCODING,
                &as_income(&Settings::default()),
                context,
                edits,
            )
        })
        .unwrap()
    };
    let plain = read(&RowEdits::new());
    assert_eq!((plain.rows_count, plain.skipped), (2, 1));
    let edit = |cells: &[(usize, &str)], choice| {
        let cells = cells.iter().map(|(column, text)| (*column, (*text).to_owned())).collect();
        RowEdit { cells, choice }
    };
    // The total is before the second row, and stays a total although there is an edit for row 2.
    let left_out = read(&RowEdits::from([(2, edit(&[], RowChoice::LeaveOut))]));
    assert_eq!((left_out.rows_count, left_out.left_out, left_out.skipped), (1, 1, 1));
    assert_eq!(left_out.edited, [(2, 47)]);
    // A row that looks like a total when it is corrected stays a row.
    let total = [(0, "Total"), (2, "")];
    let looks = read(&RowEdits::from([(1, edit(&total, RowChoice::Plan))]));
    assert_eq!((looks.valid, looks.invalid, looks.skipped), (1, 1, 1));
    assert_eq!(looks.edited, [(1, 17)]);
}
