//! What stands below the header that a page repeats, and pages that are pictures.

use purser_formats::pdf::{PdfError, PdfFacts, PdfProof, write_table};

use crate::writing::{Page, Style, document};

/// Lines of a page: the day, the text, an amount and a balance.
type Lines<'l> = &'l [[&'l str; 4]];

const HEADER: [&str; 4] = ["Date", "Description", "Amount", "Balance"];

fn page(lines: Lines<'_>) -> Page {
    let mut page = Page::default();
    for (at, [day, text, amount, balance]) in (0..).zip(lines) {
        let y = 760 - 16 * at;
        page.left(40, y, day);
        page.left(120, y, text);
        page.right(440, y, amount, Style::PLAIN);
        page.right(560, y, balance, Style::PLAIN);
    }
    page
}

fn read(document: &[u8]) -> Result<(PdfFacts, String), PdfError> {
    let mut table = Vec::new();
    let facts = write_table(document, "", &mut table, std::io::sink())?;
    Ok((facts, String::from_utf8(table).unwrap()))
}

fn pages(all: &[Lines<'_>]) -> Vec<u8> {
    document(&all.iter().map(|lines| page(lines)).collect::<Vec<_>>(), Style::PLAIN)
}

#[test]
fn a_heading_below_a_repeated_header_is_no_text() {
    let file = pages(&[
        &[
            ["Opening balance", "", "", "100.00"],
            HEADER,
            ["", "Deposits", "", ""],
            ["2026-01-02", "Salary", "50.00", ""],
            ["2026-01-05", "Interest", "5.00", ""],
        ],
        &[
            HEADER,
            ["", "Withdrawals", "", ""],
            ["2026-01-03", "Bakery", "10.00", ""],
            ["2026-01-06", "Rent", "40.00", ""],
            ["Closing balance", "", "", "105.00"],
        ],
    ]);
    let (facts, table) = read(&file).unwrap();
    assert_eq!(facts.proof, PdfProof::Proven, "{table}");
    assert!(table.contains("2026-01-03,Bakery,10.00,"), "{table}");
    assert!(!table.contains("Withdrawals"), "{table}");
}

#[test]
fn an_account_below_a_repeated_header_is_no_text() {
    let account = |name: &'static str| ["", name, "", ""];
    let file = pages(&[
        &[
            account("Account number 12-345678"),
            HEADER,
            ["Opening balance", "", "", "100.00"],
            ["2026-01-02", "Salary", "50.00", "150.00"],
            ["2026-01-05", "Rent", "-30.00", "120.00"],
        ],
        &[
            HEADER,
            account("Account number 98-765432"),
            ["Opening balance", "", "", "10.00"],
            ["2026-01-03", "Interest", "1.00", "11.00"],
            ["2026-01-06", "Fee", "-2.00", "9.00"],
        ],
    ]);
    let (facts, table) = read(&file).unwrap();
    let accounts: Vec<&str> = facts.statements.iter().map(|one| one.account.as_str()).collect();
    assert_eq!(accounts, ["12-345678", "98-765432"], "{table}");
}

/// The document with a picture on each page that has no text.
fn with_pictures(document: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(document)
        .replace("BT /F1 9 Tf\nET", "/P Do         ")
        .replace("/Resources <<", "/Resources << /XObject << /P 900 0 R >>");
    let picture = "\n900 0 obj\n<< /Type /XObject /Subtype /Image /Width 1240 /Height 1754 \
                   /BitsPerComponent 8 /ColorSpace /DeviceGray /Length 1 >>\nstream\n0\n\
                   endstream\nendobj\n";
    format!("{text}{picture}").into_bytes()
}

#[test]
fn pages_that_are_pictures_are_named_unless_the_others_are_whole() {
    let first: Lines<'_> = &[
        ["Opening balance", "", "", "100.00"],
        HEADER,
        ["2026-01-02", "Salary", "50.00", "150.00"],
        ["2026-01-03", "Rent", "-30.00", "120.00"],
        ["2026-01-04", "Bakery", "-5.00", "115.00"],
    ];
    let carried: Vec<[&str; 4]> =
        [first, &[["Balance carried forward", "", "", "115.00"]]].concat();
    let closed: Vec<[&str; 4]> = [first, &[["Closing balance", "", "", "115.00"]]].concat();
    let blank: Lines<'_> = &[];
    let letter: Lines<'_> = &[["", "Dear customer, see the next pages.", "", ""]];
    let read = |all: &[Lines<'_>]| read(&with_pictures(&pages(all))).map(|(facts, _)| facts.proof);
    for (all, named) in [
        (&[first, blank, blank][..], "Pages 2 and 3 of the document are pictures"),
        (&[blank, first, blank][..], "Pages 1 and 3 of the document are pictures"),
        (&[&carried[..], blank][..], "Page 2 of the document is a picture"),
        (&[letter, blank][..], "Page 2 of the document is a picture"),
    ] {
        let refused = read(all).unwrap_err().to_string();
        assert!(refused.starts_with(named), "{refused}");
    }
    assert_eq!(read(&[&closed[..], blank]), Ok(PdfProof::Proven));
    assert_eq!(read(&[first]), Ok(PdfProof::Proven));
}

#[test]
fn ends_that_no_line_states_are_named() {
    let rows: Lines<'_> = &[
        ["2026-01-02", "Salary", "50.00", "150.00"],
        ["2026-01-03", "Rent", "-30.00", "120.00"],
        ["2026-01-04", "Bakery", "-5.00", "115.00"],
        ["2026-01-05", "Market", "-15.00", "100.00"],
    ];
    // The amount of the first row can't be read.
    let unread: Vec<[&str; 4]> =
        [&[["2026-01-02", "Salary", "5O.O0", "150.00"]], &rows[1..]].concat();
    let opening = ["Opening balance", "", "", "100.00"];
    let closing = ["Closing balance", "", "", "100.00"];
    let ends = |lines: &[[&str; 4]]| {
        let (facts, table) = read(&pages(&[lines])).unwrap();
        assert_eq!(facts.proof, PdfProof::Proven, "{table}");
        let has = |text: &str| facts.unstated_ends.iter().any(|end| end.contains(text));
        (has("before the first row"), has("after the last row"))
    };
    assert_eq!(ends(&[&[opening, HEADER], rows, &[closing]].concat()), (false, false));
    assert_eq!(ends(&[&[HEADER, opening], rows].concat()), (false, true));
    assert_eq!(ends(&[&[HEADER], rows, &[closing]].concat()), (true, false));
    assert_eq!(ends(&[&[HEADER], rows].concat()), (true, true));
    assert_eq!(ends(&[&[HEADER], &unread[..], &[closing]].concat()), (true, false));
    let newest_first: Vec<[&str; 4]> = rows.iter().rev().copied().collect();
    assert_eq!(ends(&[&[HEADER, closing], &newest_first[..]].concat()), (true, false));
}

#[test]
fn a_balance_far_from_its_name_is_not_left_out_of_a_proof() {
    let mut page = Page::default();
    for (x, name) in [(30, "Date"), (80, "Balance"), (180, "Description")] {
        page.left(x, 744, name);
    }
    page.right(580, 744, "Amount", Style::PLAIN);
    // The ends agree with the amounts, and the balances beside these with nothing.
    let lines = [
        ("", "Opening balance", "", "100.00"),
        ("2026-01-02", "Bakery", "95.00", "-10.00"),
        ("2026-01-05", "Salary", "300.00", "50.00"),
        ("2026-01-06", "Rent", "20.00", "-5.00"),
        ("", "Closing balance", "", "135.00"),
    ];
    for (at, (day, text, balance, amount)) in (0..).zip(lines) {
        let y = 728 - 16 * at;
        page.left(30, y, day);
        page.left(180, y, text);
        page.right(500, y, balance, Style::PLAIN);
        page.right(580, y, amount, Style::PLAIN);
    }
    let (facts, table) = read(&document(&[page], Style::PLAIN)).unwrap();
    assert_eq!((facts.rows, facts.proof), (3, PdfProof::Nothing), "{table}");
}

/// The table has the name that the document has, so that what can be spent opens no account.
#[test]
fn a_column_with_what_can_be_spent_keeps_its_name() {
    for (name, header) in [
        ("Balance", "Date,Name,Amount,Balance"),
        ("Available balance", "Date,Name,Amount,Available balance"),
        ("Saldo disponible", "Date,Name,Amount,Available balance"),
    ] {
        let file = pages(&[&[
            ["Date", "Description", "Amount", name],
            ["2026-01-02", "Salary", "50.00", "150.00"],
            ["2026-01-03", "Rent", "-30.00", "120.00"],
            ["2026-01-04", "Bakery", "-5.00", "115.00"],
        ]]);
        let (_, table) = read(&file).unwrap();
        let written =
            table.lines().next().unwrap_or_default().replace("Money out,Money in", "Amount");
        assert!(written.starts_with(header), "{table}");
    }
}
