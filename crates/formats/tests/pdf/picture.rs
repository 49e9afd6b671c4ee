//! Pictures of pages: the words of the page with the row, and its lines marked.

use purser_formats::pdf::{PdfError, write_picture};

use crate::ledger::{Layout, Ledger, pages};
use crate::random::Random;
use crate::writing::{Page, Style, document};

fn picture(document: &[u8], line: u64) -> Result<String, PdfError> {
    let mut svg = Vec::new();
    write_picture(document, "", line, &mut svg)?;
    Ok(String::from_utf8(svg).unwrap())
}

#[test]
fn the_lines_of_a_row_are_marked_on_its_page() {
    let ledger = Ledger::new(&mut Random::new(5), 90);
    let file = document(&pages(&ledger, Layout::American, Style::PLAIN), Style::PLAIN);
    // Above the rows the table has the names of its columns and the opening balance.
    for at in [0, 1, 40, 89] {
        let one = &ledger.bookings[at];
        let svg = picture(&file, u64::try_from(at).unwrap() + 3).unwrap();
        assert_eq!(svg.matches("<rect").count(), 1 + one.text.len(), "row {at}: {svg}");
        // The mark is around the height of the words of the row.
        let cents = one.cents.abs();
        let amount = format!("{}.{:02}</text>", cents / 100 % 1000, cents % 100);
        assert!(svg.contains(&amount), "row {at}: {svg}");
        let number = |from: &str, key: &str| -> i64 {
            let rest = &from[from.find(key).unwrap() + key.len()..];
            rest[..rest.find('"').unwrap()].replace('.', "").parse().unwrap()
        };
        let mark = svg.split("<rect").nth(2).unwrap();
        let (top, height) = (number(mark, " y=\""), number(mark, " height=\""));
        let word = svg.rfind(&amount).unwrap();
        let y = number(&svg[svg[..word].rfind("<text").unwrap()..], " y=\"");
        assert!(y > top && y < top + height, "row {at}: {y} {top} {height}");
    }
    assert!(picture(&file, 2).unwrap().contains(">First</text>"));
    assert_ne!(picture(&file, 3).unwrap(), picture(&file, 92).unwrap(), "another page");
    for none in [0, 1, 94, u64::MAX] {
        assert_eq!(picture(&file, none).unwrap_err(), PdfError::NoSuchLine, "{none}");
    }
}

#[test]
fn balances_have_their_page_without_a_mark_and_texts_are_no_tags() {
    let ledger = Ledger::new(&mut Random::new(6), 4);
    let mut all: Vec<Page> = pages(&ledger, Layout::Card, Style::PLAIN);
    all[0].left(40, 20, "<script>alert('&')</script>");
    let file = document(&all, Style::PLAIN);
    let svg = picture(&file, 2).unwrap();
    assert_eq!(svg.matches("<rect").count(), 1, "the opening balance: {svg}");
    assert!(svg.contains("&lt;script&gt;alert('&amp;')&lt;/script&gt;"), "{svg}");
    assert!(!svg.contains("<script"), "{svg}");
    assert_eq!(
        picture(&file, 3).unwrap().matches("<rect").count(),
        1 + ledger.bookings[0].text.len()
    );
}
