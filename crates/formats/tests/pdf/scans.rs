//! Documents with pictures of pages in the place of text.

use purser_formats::pdf::{
    Frame, PdfError, PdfProof, PictureOf, Scan, draw, rows_of_pages, scans, write_recognised,
    write_scan, write_table,
};

use crate::ledger::{Layout, Ledger, pages};
use crate::random::Random;
use crate::writing::{Style, document};

const FAX: &[u8] = include_bytes!("scans/fax.pdf");
const JPEG: &[u8] = include_bytes!("scans/jpeg.pdf");
const PIXELS: &[u8] = include_bytes!("scans/pixels.pdf");
const SIZE: usize = 1240 * 1754;

/// The grey values of the only picture.
fn pixels(document: &[u8]) -> Result<Vec<u8>, PdfError> {
    let mut nothing = Vec::new();
    assert_eq!(write_table(document, "", &mut nothing, std::io::sink()), Err(PdfError::NoText));
    let found = scans(document, "").unwrap();
    let [scan] = found[..] else { panic!("{} pictures", found.len()) };
    assert_eq!((scan.page, scan.width, scan.height), (1, 1240, 1754));
    let mut written = Vec::new();
    write_scan(document, "", scan.object, &mut written)?;
    Ok(written.strip_prefix(b"P5 1240 1754 255\n").unwrap().to_vec())
}

#[test]
fn pictures_are_the_same_pixels_however_they_are_stored() {
    let plain = pixels(PIXELS).unwrap();
    assert_eq!(plain.len(), SIZE);
    assert!(plain[..1240].iter().all(|pixel| *pixel == 255), "paper is white");
    assert!(plain.contains(&0), "letters are black");
    assert!(pixels(FAX).unwrap() == plain, "a fax loses nothing");
    let lossy = pixels(JPEG).unwrap();
    assert_eq!(lossy.len(), SIZE);
    let other = plain.iter().zip(&lossy).filter(|(one, two)| one.abs_diff(**two) > 127).count();
    // Letters have grey edges there.
    assert!(other < SIZE / 100, "{other}");
}

/// With some bytes in the place of others of the same length.
fn changed(document: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let at = document.windows(from.len()).position(|part| part == from).unwrap();
    let mut changed = document.to_vec();
    changed[at..at + to.len()].copy_from_slice(to);
    changed
}

#[test]
fn only_pictures_that_are_what_they_are_called_are_handed_on() {
    // A file of another format, or of names of files, is no JPEG.
    let jpeg = b"\xff\xd8\xff\xe0";
    for start in [b"\x89PNG", b"II*\0", b"/etc", b"GIF8"] {
        let other = changed(JPEG, jpeg, start);
        assert_eq!(pixels(&other), Err(PdfError::UnknownPicture), "{start:?}");
    }
    let jbig = changed(FAX, b"CCITTFaxDecode", b"JBIG2Decode   ");
    assert_eq!(pixels(&jbig), Err(PdfError::UnknownPicture));
    let wide = changed(FAX, b"/Columns 1240", b"/Columns 1728");
    assert_eq!(pixels(&wide), Err(PdfError::UnknownPicture));
    let huge = changed(FAX, b"/Width 1240 ", b"/Width 99999");
    assert_eq!(scans(&huge, ""), Err(PdfError::TooComplex));
    let tiny = changed(FAX, b"/Width 1240 ", b"/Width 0012 ");
    assert_eq!(scans(&tiny, ""), Err(PdfError::NoPictures));
    let coarse = changed(FAX, b"/Width 1240 ", b"/Width 1199 ");
    assert_eq!(scans(&coarse, ""), Err(PdfError::TooCoarse));
    let strip = changed(FAX, b"/Height 1754 ", b"/Height 0099 ");
    assert_eq!(scans(&strip, ""), Err(PdfError::UnknownPicture));
    let cut = changed(PIXELS, b"/Height 1754 ", b"/Height 1755 ");
    let written = write_scan(&cut, "", scans(&cut, "").unwrap()[0].object, std::io::sink());
    assert!(matches!(written, Err(PdfError::Damaged(_))), "{written:?}");
}

#[test]
fn any_byte_of_a_picture_may_be_another_one() {
    let mut random = Random::new(31);
    for document in [FAX, JPEG, PIXELS] {
        for _ in 0..40 {
            let mut broken = document.to_vec();
            for _ in 0..4 {
                let at = 400 + random.below(document.len() - 700);
                broken[at] = u8::try_from(random.below(256)).unwrap();
            }
            for Scan { object, .. } in scans(&broken, "").unwrap_or_default() {
                let _ = write_scan(&broken, "", object, std::io::sink());
            }
        }
    }
}

#[test]
fn a_document_with_text_is_no_scan() {
    let ledger = Ledger::new(&mut Random::new(7), 3);
    let file = document(&pages(&ledger, Layout::Card, Style::PLAIN), Style::PLAIN);
    assert_eq!(scans(&file, ""), Ok(Vec::new()));
}

/// Words at their places, as a program recognises them, of an account that begins with a hundred.
fn words(rows: &[(&str, &str, &str, &str)]) -> Vec<u8> {
    words_in(1240, "100.00", rows)
}

fn words_in(width: u32, opening: &str, rows: &[(&str, &str, &str, &str)]) -> Vec<u8> {
    let mut table = String::new();
    let mut y = 100;
    let mut line = |cells: [(u32, &str); 4]| {
        for (x, text) in cells {
            for (at, word) in text.split_whitespace().enumerate() {
                let x = x + 150 * u32::try_from(at).unwrap();
                table += &format!("5\t1\t1\t1\t1\t1\t{x}\t{y}\t100\t20\t95\t{word}\n");
            }
        }
        y += 40;
    };
    line([(100, "Opening balance"), (0, ""), (0, ""), (1000, opening)]);
    line([(100, "Date"), (300, "Description"), (700, "Amount"), (1000, "Balance")]);
    for (day, text, amount, balance) in rows {
        line([(100, day), (300, text), (700, amount), (1000, balance)]);
    }
    let frame = Frame { page: 1, width, height: 1754, content: table.into_bytes() };
    let mut written = Vec::new();
    frame.write(&mut written).unwrap();
    written
}

type Row = (&'static str, &'static str, &'static str, &'static str);

/// Whether it was refused because something in it isn't proven.
fn is_refused<T>(read: &Result<T, PdfError>) -> bool {
    matches!(read, Err(PdfError::ScanNotProven(_)))
}

fn recognised(rows: &[Row], closing: Option<&'static str>) -> Result<(String, Vec<u8>), PdfError> {
    let mut rows = rows.to_vec();
    rows.extend(closing.map(|closing| ("Closing balance", "", "", closing)));
    let (mut table, mut pages) = (Vec::new(), Vec::new());
    let facts = write_recognised(&words(&rows)[..], &mut table, &mut pages)?;
    assert_eq!((facts.proof, facts.pages), (PdfProof::Proven, 1));
    Ok((String::from_utf8(table).unwrap(), pages))
}

#[test]
fn words_that_balances_prove_are_a_statement() {
    let mut rows = vec![
        ("2026-01-02", "Bakery", "-12.50", "87.50"),
        ("2026-01-03", "Salary", "100.00", "187.50"),
        ("2026-01-05", "Rent", "-80.00", "107.50"),
    ];
    let (table, pages) = recognised(&rows, Some("107.50")).unwrap();
    assert!(table.lines().next().unwrap().ends_with("Recognised in pictures"), "{table}");
    assert_eq!(table.lines().count(), 6);
    let rows_of = rows_of_pages(&pages[..]).unwrap();
    assert_eq!((rows_of.len(), &rows_of[0].lines[..]), (1, &[3, 4, 5][..]));
    let mut picture = Vec::new();
    assert!(draw(&pages[..], &PictureOf::Lines(vec![3]), &mut picture).unwrap());
    let picture = String::from_utf8(picture).unwrap();
    assert!(picture.contains(">Bakery</text>") && picture.matches("<rect").count() == 2);
    let mut picture = Vec::new();
    assert!(draw(&pages[..], &PictureOf::Page(1), &mut picture).unwrap());
    assert_eq!(String::from_utf8(picture).unwrap().matches("<rect").count(), 4);
    assert!(!draw(&pages[..], &PictureOf::Page(2), Vec::new()).unwrap());
    // A row at the end could be missing.
    assert!(is_refused(&recognised(&rows, None)));
    assert!(is_refused(&recognised(&rows[..2], Some("107.50"))));
    // A digit that was taken for another one, in an amount or in a day.
    for (at, wrong) in [
        (1, ("2026-01-03", "Salary", "108.00", "187.50")),
        (1, ("2026-01-03", "Salary", "100.00", "181.50")),
        (1, ("2026-01-08", "Salary", "100.00", "187.50")),
    ] {
        let right = std::mem::replace(&mut rows[at], wrong);
        let refused = recognised(&rows, Some("107.50"));
        assert!(is_refused(&refused), "{wrong:?}: {refused:?}");
        rows[at] = right;
    }
    let nothing = |frames: &[u8]| write_recognised(frames, std::io::sink(), std::io::sink());
    assert_eq!(nothing(b""), Err(PdfError::NoWords));
    assert!(matches!(nothing(b"1 2\n"), Err(PdfError::Damaged(_))));
}

#[test]
fn any_other_digit_of_an_amount_or_a_balance_is_noticed() {
    let rows = [
        ("2026-01-02", "Bakery", "-12.50", "87.50"),
        ("2026-01-03", "Salary", "100.00", "187.50"),
        ("2026-01-05", "Rent", "-80.00", "107.50"),
    ];
    let mut all: Vec<[String; 4]> =
        rows.iter().map(|row| [row.0, row.1, row.2, row.3].map(str::to_owned)).collect();
    all.push(["Closing balance", "", "", "107.50"].map(str::to_owned));
    let read = |all: &[[String; 4]]| {
        let rows: Vec<(&str, &str, &str, &str)> =
            all.iter().map(|[a, b, c, d]| (&a[..], &b[..], &c[..], &d[..])).collect();
        let mut table = Vec::new();
        write_recognised(&words(&rows)[..], &mut table, std::io::sink()).map(|_| table)
    };
    let right = read(&all).unwrap();
    for row in 0..all.len() {
        for cell in [2, 3] {
            for at in 0..all[row][cell].len() {
                let before = all[row][cell].clone();
                if !before.as_bytes()[at].is_ascii_digit() {
                    continue;
                }
                for digit in '0'..='9' {
                    all[row][cell].replace_range(at..=at, &digit.to_string());
                    if let Ok(table) = read(&all) {
                        assert_eq!(table, right, "{:?}", all[row]);
                    }
                    all[row][cell].clone_from(&before);
                }
            }
        }
    }
}

fn reason(words: &[u8]) -> String {
    let read = write_recognised(words, std::io::sink(), std::io::sink());
    read.map(|facts| format!("{facts:?}")).unwrap_or_else(|error| error.to_string())
}

#[test]
fn signs_and_decimals_that_were_lost_everywhere_are_no_proof() {
    // Overdrawn, with every minus lost: -10.00 to -110.00, and so on.
    let lost = [
        ("2026-01-02", "Bakery", "10.00", "110.00"),
        ("2026-01-03", "Market", "15.00", "125.00"),
        ("2026-01-05", "Rent", "75.00", "200.00"),
        ("Closing balance", "", "", "200.00"),
    ];
    let refused = reason(&words(&lost));
    assert!(refused.contains("lost signs"), "{refused}");
    let whole = [
        ("2026-01-02", "Bakery", "-1250", "8750"),
        ("2026-01-03", "Salary", "10000", "18750"),
        ("2026-01-05", "Rent", "-8000", "10750"),
        ("Closing balance", "", "", "10750"),
    ];
    let refused = reason(&words_in(1240, "10000", &whole));
    assert!(refused.contains("decimal points were lost"), "{refused}");
    let right = [
        ("2026-01-02", "Bakery", "-12.50", "87.50"),
        ("2026-01-03", "Salary", "100.00", "187.50"),
        ("Closing balance", "", "", "187.50"),
    ];
    assert!(reason(&words(&right)).contains("Proven"), "{}", reason(&words(&right)));
    let coarse = reason(&words_in(1199, "100.00", &right));
    assert!(coarse.contains("fewer than 1200 dots"), "{coarse}");
}

#[test]
fn each_row_of_a_scan_needs_its_balance() {
    // -10.00 and 10.00 were both taken for 70.00 and -70.00.
    let cancelled = [
        ("2026-01-02", "Bakery", "70.00", ""),
        ("2026-01-03", "Refund", "-70.00", ""),
        ("2026-01-05", "Rent", "-80.00", "20.00"),
        ("Closing balance", "", "", "20.00"),
    ];
    let refused = reason(&words(&cancelled));
    assert!(refused.contains("not every row has a balance"), "{refused}");
    // Two lines of which nothing but the day was recognised.
    let lost = [
        ("2026-01-02", "Bakery", "-12.50", "87.50"),
        ("2026-01-03", "Market", "", ""),
        ("2026-01-03", "Refund", "", ""),
        ("2026-01-05", "Salary", "100.00", "187.50"),
        ("Closing balance", "", "", "187.50"),
    ];
    let refused = reason(&words(&lost));
    assert!(refused.contains("no amount was recognised"), "{refused}");
}

#[test]
fn a_sign_that_was_recognised_names_no_currency() {
    let rows = |sign: &str| {
        [
            ("2026-01-02", "Bakery", format!("-{sign}12.50"), "87.50"),
            ("2026-01-03", "Salary", format!("{sign}100.00"), "187.50"),
        ]
    };
    for (sign, is_named) in [("\u{a3}", false), ("\u{20ac}", false), ("EUR", true)] {
        let rows = rows(sign);
        let mut shown: Vec<(&str, &str, &str, &str)> = rows
            .iter()
            .map(|(day, text, amount, balance)| (*day, *text, &amount[..], *balance))
            .collect();
        shown.push(("Closing balance", "", "", "187.50"));
        let mut table = Vec::new();
        write_recognised(&words(&shown)[..], &mut table, std::io::sink()).unwrap();
        let table = String::from_utf8(table).unwrap();
        assert_eq!(table.contains("Currency"), is_named, "{sign}: {table}");
    }
}
