//! Documents of the programs that banks make them with: `generators/make.py` typesets one ledger
//! with each of them.

use purser_formats::pdf::PdfProof;

use crate::{Rows, read};

macro_rules! documents {
    ($layout:literal) => {
        [
            ("chromium", &include_bytes!(concat!("generators/", $layout, "_chromium.pdf"))[..]),
            ("latex", include_bytes!(concat!("generators/", $layout, "_latex.pdf"))),
            ("libreoffice", include_bytes!(concat!("generators/", $layout, "_libreoffice.pdf"))),
            ("reportlab", include_bytes!(concat!("generators/", $layout, "_reportlab.pdf"))),
            ("wkhtmltopdf", include_bytes!(concat!("generators/", $layout, "_wkhtmltopdf.pdf"))),
        ]
    };
}

/// The rows that the ledger has.
fn expected(table: &str) -> Rows {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let row = |record: Result<csv::StringRecord, csv::Error>| {
        let record = record.unwrap();
        (record[0].to_owned(), record[1].parse().unwrap(), record[2].to_owned())
    };
    reader.records().map(row).collect()
}

/// Reads the documents of a layout, and compares each with the ledger, to the last row.
fn assert_equal(documents: [(&str, &[u8]); 5], table: &str) {
    let expected = expected(table);
    for (program, document) in documents {
        let (facts, rows) = read(document).unwrap();
        assert_eq!(rows, expected, "{program}");
        assert_eq!(facts.proof, PdfProof::Proven, "{program}");
    }
}

#[test]
fn columns_of_money_out_money_in_and_balance_are_read_equal() {
    assert_equal(documents!("plain"), include_str!("generators/plain.csv"));
}

#[test]
fn a_column_with_signs_is_read_equal() {
    assert_equal(documents!("signed"), include_str!("generators/signed.csv"));
}

#[test]
fn sections_with_different_columns_are_read_equal_or_are_not_proven() {
    let expected = expected(include_str!("generators/mixed.csv"));
    for (program, document) in documents!("mixed") {
        let (facts, rows) = read(document).unwrap();
        // The amounts of its second section stand below the money out of the first one.
        let proof = if program == "latex" { PdfProof::Differs } else { PdfProof::Proven };
        assert_eq!(facts.proof, proof, "{program}");
        assert_eq!(rows == expected, proof == PdfProof::Proven, "{program}");
    }
}
