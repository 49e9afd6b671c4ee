use std::io::Cursor;

use proptest::prelude::*;

use super::*;

/// Line, offset and cells of every record.
type Records = Vec<(u64, u64, Vec<String>)>;

/// A source that gives few bytes at a time.
struct Slow<'b>(&'b [u8], usize);

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.1.min(self.0.len()).min(buffer.len());
        buffer[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

fn read_from(input: impl Read, offset: u64, line: u64) -> Result<Records, ReadError> {
    let mut reader = Reader::at(input, b',', offset, line);
    let mut records = Vec::new();
    while let Some(record) = reader.read()? {
        let cells = (0..record.cells.len()).map(|column| record.cells.raw(column).to_owned());
        records.push((record.line, record.offset, cells.collect()));
    }
    Ok(records)
}

fn read(text: &[u8]) -> Result<Records, ReadError> {
    read_from(text, 0, 1)
}

fn cells(text: &str) -> Vec<Vec<String>> {
    read(text.as_bytes()).unwrap().into_iter().map(|(_, _, cells)| cells).collect()
}

fn error(text: &[u8]) -> String {
    read(text).unwrap_err().to_string()
}

#[test]
fn cells_are_split_as_people_expect() {
    for (text, expected) in [
        ("", vec![]),
        ("a", vec![vec!["a"]]),
        ("a,b\n", vec![vec!["a", "b"]]),
        (
            "a,b\r\nc,d\re,f\ng,h",
            vec![vec!["a", "b"], vec!["c", "d"], vec!["e", "f"], vec!["g", "h"]],
        ),
        (" a , b ", vec![vec![" a ", " b "]]),
        ("a,,\n,b", vec![vec!["a", "", ""], vec!["", "b"]]),
        ("\"a\",\"b,c\"", vec![vec!["a", "b,c"]]),
        ("\"a\nb\",c", vec![vec!["a\nb", "c"]]),
        ("\"a\r\nb\"\r\nc", vec![vec!["a\r\nb"], vec!["c"]]),
        ("\"say \"\"hi\"\"\",x", vec![vec!["say \"hi\"", "x"]]),
        ("\"\"\"\"", vec![vec!["\""]]),
        ("\"\",x", vec![vec!["", "x"]]),
        ("6\" pipe,the \"best\" one", vec![vec!["6\" pipe", "the \"best\" one"]]),
        ("\"Joe\" s Pizza,5", vec![vec!["Joe s Pizza", "5"]]),
        ("\"a\"b\"c\",5", vec![vec!["ab\"c\"", "5"]]),
        ("\"é\"\"ü\",€", vec![vec!["é\"ü", "€"]]),
    ] {
        assert_eq!(cells(text), expected, "{text:?}");
    }
}

#[test]
fn lines_and_offsets_are_physical() {
    let text = "a,b\r\n\r\n\n\"c\nd\re\r\nf\",g\r,,\n \t \nh\r\"i\n\n\",j\nk";
    let places: Vec<(u64, u64)> = read(text.as_bytes())
        .unwrap()
        .into_iter()
        .map(|(line, offset, _)| (line, offset))
        .collect();
    let starts: Vec<u64> =
        ["a,b", "\"c", "h", "\"i", "k"].map(|start| text.find(start).unwrap() as u64).into();
    assert_eq!(places, [1, 4, 10, 11, 14].into_iter().zip(starts).collect::<Vec<_>>());
}

#[test]
fn blank_records_are_passed_over() {
    for text in ["\n\n", "\r", "\r\n\r", ",,\n", " , \u{a0}\n", "\"\",\" \"\n"] {
        assert_eq!(cells(text), [[""; 0]; 0], "{text:?}");
    }
}

#[test]
fn an_open_quote_is_an_error_at_its_line() {
    assert_eq!(error(b"a\nb,\"c\nd\ne"), "Line 2: A quoted cell starts here and is never closed");
    assert_eq!(error(b"a\n\"x\ny\",\"c"), "Line 3: A quoted cell starts here and is never closed");
    let long = format!("a\nb,\"{}", "x\n".repeat(CSV_RECORD_BYTES_MAX));
    assert_eq!(
        error(long.as_bytes()),
        "Line 2: A quoted cell starts here and is not closed within 262144 bytes"
    );
}

#[test]
fn records_have_a_limit_and_the_limit_fits() {
    let fits = format!("a\n{}\nb", "x".repeat(CSV_RECORD_BYTES_MAX));
    assert_eq!(read(fits.as_bytes()).unwrap().len(), 3);
    for end in ["", "\n", "y\nb"] {
        let long = format!("a\n\n{}y{end}", "x".repeat(CSV_RECORD_BYTES_MAX));
        assert_eq!(error(long.as_bytes()), "Line 3: The record is longer than 262144 bytes");
    }
    let endless = format!("a\n{}", "x,".repeat(2 * CSV_RECORD_BYTES_MAX));
    assert_eq!(error(endless.as_bytes()), "Line 2: The record is longer than 262144 bytes");
}

#[test]
fn of_too_many_cells_one_more_than_allowed_is_delivered() {
    for (count, delivered) in [(512, 512), (513, 513), (2000, 513)] {
        let line = vec!["\"x\"\"y\""; count].join(",");
        let records = cells(&line);
        assert_eq!(records[0].len(), delivered);
        assert!(records[0].iter().all(|cell| cell == "x\"y"));
    }
}

#[test]
fn text_that_is_not_utf8_is_an_error_at_its_line() {
    assert_eq!(error(b"a\nb\xff,c\n"), "Line 2: The record is not valid UTF-8");
}

#[test]
fn a_source_that_fails_is_reported() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("disk"))
        }
    }
    let result = Reader::new(Cursor::new(b"a,b").chain(Broken), b',').read().map(drop);
    assert!(matches!(result, Err(ReadError::Io(_))));
}

#[test]
fn records_longer_than_the_window_are_whole() {
    let long = "é".repeat(WINDOW_BYTES / 2);
    let text = format!("a,b\n{long},\"{long}\"\"\"\nc");
    assert_eq!(cells(&text), [vec!["a", "b"], vec![&long, &format!("{long}\"")], vec!["c"]]);
}

fn as_the_csv_crate_reads(text: &[u8]) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text);
    let record = |record: Result<csv::StringRecord, csv::Error>| {
        record.unwrap().iter().map(str::to_owned).collect()
    };
    reader.records().map(record).collect()
}

proptest! {
    #[test]
    fn what_the_csv_crate_writes_is_read_as_it_reads_it(
        records in prop::collection::vec(
            prop::collection::vec("[a-z\",\n\r é€;\\t]{0,6}", 1..5), 0..20),
        terminator in prop::sample::select(vec![
            csv::Terminator::CRLF, csv::Terminator::Any(b'\n'), csv::Terminator::Any(b'\r')]),
        always in any::<bool>(),
        step in 1usize..9,
    ) {
        let style = if always { csv::QuoteStyle::Always } else { csv::QuoteStyle::Necessary };
        let mut writer = csv::WriterBuilder::new()
            .flexible(true).terminator(terminator).quote_style(style).from_writer(Vec::new());
        for record in &records {
            writer.write_record(record).unwrap();
        }
        let text = writer.into_inner().unwrap();
        let is_blank = |cells: &Vec<String>| cells.iter().all(|cell| cell.trim().is_empty());
        let written: Vec<_> = records.into_iter().filter(|cells| !is_blank(cells)).collect();
        let expected: Vec<_> =
            as_the_csv_crate_reads(&text).into_iter().filter(|cells| !is_blank(cells)).collect();
        let slow = read_from(Slow(&text, step), 0, 1).unwrap();
        let found: Vec<_> = slow.into_iter().map(|(_, _, cells)| cells).collect();
        prop_assert_eq!(&found, &expected);
        prop_assert_eq!(&found, &written);
    }

    #[test]
    fn any_bytes_end_and_any_record_can_be_read_from_its_place(
        text in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..80),
            "[ab,\"\r\n é]{0,60}".prop_map(String::into_bytes),
        ],
        pick in any::<prop::sample::Index>(),
    ) {
        let Ok(records) = read(&text) else { return Ok(()) };
        if records.is_empty() {
            return Ok(());
        }
        let (line, offset, _) = records[pick.index(records.len())].clone();
        let start = usize::try_from(offset).unwrap();
        let rest = read_from(&text[start..], offset, line).unwrap();
        let expected: Records =
            records.into_iter().filter(|record| record.1 >= offset).collect();
        prop_assert_eq!(rest, expected);
    }
}
