//! Spreadsheets: any bytes as an archive or a compound file, any text as a sheet and any bytes as
//! the records of an old workbook are read or refused; rows come in their order, and each is
//! one record of the CSV that is made of them.
#![no_main]

use std::io::Cursor;
use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use purser_formats::sheets::{CsvWriter, Workbook};

fuzz_target!(|bytes: &[u8]| {
    rows(bytes);
    rows(&workbook(bytes));
    rows(&archive(&[("mimetype", b"application/vnd.oasis"), ("content.xml", bytes)]));
    let document = [DOCUMENT, bytes, b"</table></spreadsheet></body></document-content>"].concat();
    rows(&archive(&[("mimetype", b"application/vnd.oasis"), ("content.xml", &document)]));
    rows(&old_workbook(bytes));
});

/// What stands before the rows of the only sheet of OpenDocument.
const DOCUMENT: &[u8] = b"<document-content><body><spreadsheet><table name='s'>";

/// A compound file with these bytes as the records of an old workbook.
fn old_workbook(records: &[u8]) -> Vec<u8> {
    const END: u32 = 0xFFFF_FFFE;
    let mut stream = records[..records.len().min(60_000)].to_vec();
    // Too long for small sectors.
    stream.resize(stream.len().max(4096).next_multiple_of(512), 0);
    let sectors = (stream.len() / 512) as u32;
    let mut file = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".to_vec();
    file.resize(24, 0);
    file.extend([0x3E, 0, 3, 0, 0xFE, 0xFF, 9, 0, 6, 0]);
    file.resize(44, 0);
    let numbers = [1, sectors, 0, 4096, END, 0, END, 0, sectors + 1];
    file.extend(numbers.into_iter().flat_map(u32::to_le_bytes));
    file.resize(512, 0xFF);
    file.extend(&stream);
    for (name, kind, child, length) in
        [("Root Entry", 5_u8, 1, 0), ("Workbook", 2, u32::MAX, stream.len() as u32)]
    {
        let mut entry: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let letters = entry.len() as u16 + 2;
        entry.resize(64, 0);
        entry.extend(letters.to_le_bytes());
        entry.extend([kind, 1]);
        entry.extend([u32::MAX, u32::MAX, child].into_iter().flat_map(u32::to_le_bytes));
        entry.resize(120, 0);
        entry.extend(u64::from(length).to_le_bytes());
        file.extend(entry);
    }
    file.resize(512 * (sectors as usize + 2), 0);
    let table = (1..sectors).chain([END, END, 0xFFFF_FFFD]);
    file.extend(table.flat_map(u32::to_le_bytes));
    file.resize(512 * (sectors as usize + 3), 0xFF);
    file
}

fn rows(file: &[u8]) {
    let Ok(mut book) = Workbook::open(Cursor::new(file)) else { return };
    for sheet in 0..book.sheets().len().min(3) {
        let mut text = Vec::new();
        let mut writer = CsvWriter::new(&mut text);
        let mut last = 0;
        let _ = book.rows(sheet, |row| {
            assert!(row.number > last && !row.cells.is_empty(), "{row:?}");
            last = row.number;
            // Rows far down would only be many empty lines.
            if row.number > 1_000 {
                return ControlFlow::Break(());
            }
            writer.write(row).expect("memory takes all of it");
            ControlFlow::Continue(())
        });
        let lines = text.iter().filter(|byte| **byte == b'\n').count() as u64;
        assert!(lines == last || last > 1_000, "{lines} lines for row {last}");
    }
}

/// A workbook with this text as its only sheet, stored as it is.
fn workbook(sheet: &[u8]) -> Vec<u8> {
    const ROOT: &[u8] = b"<R><Relationship Id='1' Type='/officeDocument' Target='b'/></R>";
    const RELS: &[u8] = b"<R><Relationship Id='1' Type='/worksheet' Target='s'/></R>";
    const BOOK: &[u8] = b"<b><sheet name='s' id='1'/></b>";
    archive(&[("_rels/.rels", ROOT), ("_rels/b.rels", RELS), ("b", BOOK), ("s", sheet)])
}

/// An archive with these parts, stored as they are.
fn archive(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in parts {
        let content: &[u8] = content;
        let start = file.len() as u32;
        let length = (content.len() as u32).to_le_bytes();
        let common = [
            &[20, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            &crc32fast::hash(content).to_le_bytes()[..],
            &length,
            &length,
            &(name.len() as u16).to_le_bytes(),
            &[0, 0],
        ]
        .concat();
        file.extend([b"PK\x03\x04", &common[..], name.as_bytes(), content].concat());
        let more = [&[0; 10], &start.to_le_bytes()[..], name.as_bytes()].concat();
        directory.extend([b"PK\x01\x02\x14\0", &common[..], &more].concat());
    }
    let (start, size) = ((file.len() as u32).to_le_bytes(), (directory.len() as u32).to_le_bytes());
    file.extend(directory);
    let count = (parts.len() as u16).to_le_bytes();
    file.extend([b"PK\x05\x06\0\0\0\0", &count[..], &count, &size, &start, &[0, 0]].concat());
    file
}
