use purser_core::import::settings::Labels;

use super::*;

fn found(text: &str) -> Dialect {
    sniff(text.as_bytes(), Kind::Transaction, &Settings::default()).unwrap()
}

fn header(text: &str) -> (Separator, u64, Vec<String>) {
    let dialect = found(text);
    (dialect.separator, dialect.header_line, dialect.headers)
}

#[test]
fn separators_are_found() {
    for (text, separator) in [
        ("Date,Amount,Name\n2024-01-01,1,x", Separator::Comma),
        ("Date;Amount;Name\n2024-01-01;1,00;x, y", Separator::Semicolon),
        ("Date\tAmount\tName\n2024-01-01\t1\tx", Separator::Tab),
        ("Date|Amount|Name\n2024-01-01|1|x", Separator::Pipe),
        ("\"Date\";\"Amount, net\"\n", Separator::Semicolon),
        ("wann;wieviel, brutto;was\nx;1,5;y\nz;2,5;y", Separator::Semicolon),
        ("Date\n2024-01-01\n", Separator::Comma),
    ] {
        assert_eq!(found(text).separator, separator, "{text:?}");
    }
}

#[test]
fn lines_before_the_header_are_passed_over() {
    let preface =
        "My Bank;\n\"Account number\";\"DE02 1203\";\nBalance;1.234,56 EUR\n\nDate range;x\n";
    let text = format!("{preface}Datum;Betrag;Verwendungszweck\n01.02.2024;1,00;x\n");
    let dialect = found(&text);
    assert_eq!(dialect.header_line, 6);
    assert_eq!(dialect.headers, ["Datum", "Betrag", "Verwendungszweck"]);
    assert_eq!(dialect.start.line, 7);
    assert_eq!(usize::try_from(dialect.start.offset).unwrap(), text.find("01.02").unwrap());
    assert_eq!(header("sep=;\r\nDate;Amount\r\n1;2").1, 2);
    assert_eq!(header("Account;Checking\nDate;Amount;Name\n").1, 2);
    assert_eq!(header("Account;Checking\nWann;Wieviel;Was\na;b;c\nd;e;f\n").1, 2);
}

#[test]
fn a_mark_at_the_start_is_no_part_of_the_header() {
    for text in ["\u{feff}Date,Amount\n", "\u{feff}\"Date\",\"Amount\"\n"] {
        assert_eq!(found(text).headers, ["Date", "Amount"], "{text:?}");
        assert_eq!(found(text).header_line, 1);
    }
}

#[test]
fn what_was_sent_is_used() {
    let text = "a,b\nDate;Amount,Name\nDatum;Betrag\n";
    let mut settings = Settings { separator: Some(Separator::Comma), ..Settings::default() };
    assert_eq!(
        sniff(text.as_bytes(), Kind::Transaction, &settings).unwrap().separator,
        Separator::Comma
    );
    settings = Settings { rows_to_skip: Some(2), ..Settings::default() };
    let dialect = sniff(text.as_bytes(), Kind::Transaction, &settings).unwrap();
    assert_eq!((dialect.header_line, dialect.headers.len()), (3, 2));
    assert_eq!(dialect.start, Position { offset: text.len() as u64, line: 4, row: 1 });
    settings.rows_to_skip = Some(3);
    assert_eq!(
        sniff(text.as_bytes(), Kind::Transaction, &settings),
        Err(LayoutProblem::SkipsEverything { rows_to_skip: 3 })
    );
    let settings = Settings {
        labels: Labels {
            date: Some("Wann".to_owned()),
            amount: Some("Wieviel".to_owned()),
            ..Labels::default()
        },
        ..Settings::default()
    };
    let text = "Datum;Konto;Name\nWann;Wieviel\n";
    assert_eq!(sniff(text.as_bytes(), Kind::Transaction, &settings).unwrap().header_line, 2);
}

#[test]
fn skipped_lines_are_physical_whatever_ends_them() {
    let settings = Settings { rows_to_skip: Some(3), ..Settings::default() };
    let text = "\u{feff}a \"\r\n\rb\nDate,Amount\n";
    let dialect = sniff(text.as_bytes(), Kind::Transaction, &settings).unwrap();
    assert_eq!((dialect.header_line, dialect.headers), (4, vec!["Date".into(), "Amount".into()]));
}

#[test]
fn a_file_without_header_starts_with_its_first_row() {
    for (text, columns, line) in [
        ("2024-01-01,-5.00,Coffee\n2024-01-02,3.00,Tea\n", 3, 1),
        ("Coffee;01.02.2024;1,50\nTea;02.02.2024;2,50\n", 3, 1),
        ("x,$1,234.50\n", 3, 1),
        // Neither digits alone nor names of months make a header.
        ("20240101;Coffee;5\n20240102;Tea;3\n", 3, 1),
        ("1 Jan 2024;Coffee;5\n2 Jan 2024;Tea;3\n", 3, 1),
        // A first row that is shorter than the others is a row.
        ("2024-01-01;-5.00;Coffee\n2024-01-02;3.00;Tea;x;y\n2024-01-03;3.00;Tea;x;y\n", 5, 1),
        ("2024-01-01;-5.00\n2024-01-02;3.00;Tea;x;y\n2024-01-03;3.00;Tea;x;y\n", 5, 1),
        // What stands above it is none.
        ("Account;Checking\nPeriod;01.01.2024;31.01.2024\n\n01.01.2024;a;-5,00;1,00;EUR;x\n", 6, 4),
        ("My Bank\n01.01.2024;a;-5,00\n02.01.2024;b;7,00\n", 3, 2),
        // Words of headers below the rows make none.
        ("01.01.2024;a;-5,00\n02.01.2024;b;7,00\nAccount;Balance;x\n", 3, 1),
    ] {
        let dialect = found(text);
        let labels: Vec<String> = (1..=columns).map(|place| format!("#{place}")).collect();
        assert_eq!(dialect.headers, labels, "{text:?}");
        assert_eq!((dialect.header_line, dialect.start.line), (line, line), "{text:?}");
        let start = usize::try_from(dialect.start.offset).unwrap();
        let lines = usize::try_from(line - 1).unwrap();
        assert_eq!(text[..start].matches('\n').count(), lines, "{text:?}");
        assert!(dialect.shape.is_some(), "{text:?}");
    }
}

#[test]
fn whether_there_is_a_header_can_be_stated() {
    let data = "2024;x;10\n2025;y;20\n";
    let stated = |has_header, rows_to_skip, text: &str| {
        let settings = Settings { has_header, rows_to_skip, ..Settings::default() };
        sniff(text.as_bytes(), Kind::Transaction, &settings).unwrap()
    };
    assert_eq!(stated(None, None, data).headers, ["2024", "x", "10"]);
    let without = stated(Some(false), None, data);
    assert_eq!((without.headers.join(" "), without.start.line), ("#1 #2 #3".to_owned(), 1));
    let days = "01.01.2024;02.01.2024\nx;5,00\ny;7,00\n";
    assert_eq!(stated(Some(true), None, days).headers, ["01.01.2024", "02.01.2024"]);
    let header = "Date;Amount;Name\n2024-01-01;5.00;x\n2024-01-02;5.00;y\n";
    assert_eq!(stated(None, None, header).headers, ["Date", "Amount", "Name"]);
    let without = stated(Some(false), Some(0), header);
    assert_eq!((without.headers.len(), without.start.line), (3, 1));
    assert_eq!(stated(Some(false), Some(1), header).start.line, 2);
}

#[test]
fn categories_need_a_header_or_places() {
    let text = "2024-01-01;Food\n2024-01-02;Rent\n";
    let mut settings = Settings::default();
    let found = |settings: &Settings| sniff(text.as_bytes(), Kind::Category, settings);
    let cell = "2024-01-01".to_owned();
    assert_eq!(found(&settings), Err(LayoutProblem::NoHeader { line: 1, cell }));
    settings.labels.name = Some("#2".to_owned());
    assert_eq!(found(&settings).unwrap().headers, ["#1", "#2"]);
}

#[test]
fn an_empty_file_is_reported() {
    for text in ["", "\n \r\n", "\u{feff}", ",,,\n;;\n"] {
        let result = sniff(
            text.as_bytes(),
            Kind::Transaction,
            &Settings { separator: Some(Separator::Comma), ..Settings::default() },
        );
        let expected = if text.contains(';') { Ok(";;") } else { Err(LayoutProblem::Empty) };
        assert_eq!(result.map(|_| ";;"), expected, "{text:?}");
    }
    assert_eq!(sniff(b"", Kind::Transaction, &Settings::default()), Err(LayoutProblem::Empty));
}
