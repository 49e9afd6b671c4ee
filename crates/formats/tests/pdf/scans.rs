//! Documents with pictures of pages in the place of text.

use purser_formats::pdf::{
    Frame, PdfError, PdfProof, write_pictures, write_recognised, write_recognised_picture,
    write_table,
};

const FAX: &[u8] = include_bytes!("scans/fax.pdf");
const JPEG: &[u8] = include_bytes!("scans/jpeg.pdf");
const PIXELS: &[u8] = include_bytes!("scans/pixels.pdf");

fn pictures(document: &[u8]) -> Vec<Frame> {
    let mut written = Vec::new();
    write_pictures(document, "", &mut written).unwrap();
    let mut source = &written[..];
    std::iter::from_fn(|| Frame::read(&mut source, u64::MAX).unwrap()).collect()
}

#[test]
fn pictures_are_files_that_other_programs_read() {
    for (document, start) in
        [(FAX, &b"II*\0"[..]), (JPEG, b"\xff\xd8\xff"), (PIXELS, b"P5 1240 1754 255\n")]
    {
        let mut nothing = Vec::new();
        assert_eq!(write_table(document, "", &mut nothing), Err(PdfError::NoText));
        let found = pictures(document);
        let [picture] = found.as_slice() else { panic!("{} pictures", found.len()) };
        assert_eq!((picture.page, picture.width, picture.height), (1, 1240, 1754));
        assert!(picture.content.starts_with(start));
    }
    let grey = &pictures(PIXELS)[0].content[17..];
    assert_eq!(grey.len(), 1240 * 1754);
    assert!(grey[..1240].iter().all(|pixel| *pixel == 255), "paper is white");
    assert!(grey.contains(&0), "letters are black");
}

/// Words at their places, as a program recognises them.
fn words(rows: &[(&str, &str, &str, &str)]) -> Vec<u8> {
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
    line([(100, "Opening balance"), (0, ""), (0, ""), (1000, "100.00")]);
    line([(100, "Date"), (300, "Description"), (700, "Amount"), (1000, "Balance")]);
    for (day, text, amount, balance) in rows {
        line([(100, day), (300, text), (700, amount), (1000, balance)]);
    }
    let frame = Frame { page: 1, width: 1240, height: 1754, content: table.into_bytes() };
    let mut written = Vec::new();
    frame.write(&mut written).unwrap();
    written
}

#[test]
fn words_that_balances_prove_are_a_statement() {
    let mut rows = vec![
        ("2026-01-02", "Bakery", "-12.50", "87.50"),
        ("2026-01-03", "Salary", "100.00", "187.50"),
        ("2026-01-05", "Rent", "-80.00", "107.50"),
    ];
    let mut table = Vec::new();
    let facts = write_recognised(&words(&rows)[..], &mut table).unwrap();
    assert_eq!((facts.proof, facts.rows, facts.pages), (PdfProof::Proven, 3, 1));
    let mut picture = Vec::new();
    write_recognised_picture(&words(&rows)[..], 2, &mut picture).unwrap();
    assert!(String::from_utf8(picture).unwrap().contains(">Bakery</text>"));
    // A digit that was taken for another one, in an amount or in a day.
    for (at, wrong) in [
        (1, ("2026-01-03", "Salary", "108.00", "187.50")),
        (1, ("2026-01-03", "Salary", "100.00", "181.50")),
        (1, ("2026-01-08", "Salary", "100.00", "187.50")),
    ] {
        let right = std::mem::replace(&mut rows[at], wrong);
        let refused = write_recognised(&words(&rows)[..], &mut Vec::new());
        assert_eq!(refused.map(|facts| facts.proof), Err(PdfError::ScanNotProven), "{wrong:?}");
        rows[at] = right;
    }
    assert_eq!(write_recognised(&b""[..], &mut Vec::new()), Err(PdfError::NoText));
    let broken = write_recognised(&b"1 2\n"[..], &mut Vec::new());
    assert!(matches!(broken, Err(PdfError::Damaged(_))));
}
