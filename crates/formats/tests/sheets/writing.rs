//! Workbooks as programs write them.

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::DeflateEncoder;

use crate::random::Random;

/// What a cell has, and by that how it is written.
#[derive(Debug, Clone)]
pub(crate) enum Cell {
    Blank,
    /// A text, shared or not.
    Text(String),
    /// A number as its program stored it.
    Number(&'static str),
    /// A formula with the value that was computed last.
    Formula(&'static str),
    /// A number of days since the end of 1899, and the style: 1 to 3 in `STYLES`.
    Moment(i64, &'static str, usize),
    Truth(bool),
}

/// Numbers as they are stored, and as people see them.
const NUMBERS: [(&str, &str); 8] = [
    ("1234.56", "1234.56"),
    ("-0.30000000000000004", "-0.3"),
    ("1.2345E3", "1234.5"),
    ("100", "100"),
    ("0", "0"),
    ("-1E-2", "-0.01"),
    ("1234.5599999999999", "1234.56"),
    ("5.0", "5"),
];
const TEXTS: [&str; 7] =
    ["Müller & Söhne", "a<b", "  x  ", "two\nlines", "Date", "1.234,56", "\"quoted\", text"];
const STYLES: &str = "<styleSheet><numFmts>\
    <numFmt numFmtId='164' formatCode='yyyy\\-mm\\-dd hh:mm'/>\
    <numFmt numFmtId=\"165\" formatCode=\"[$-407]#,##0.00 &quot;d&quot;\"/></numFmts>\
    <cellStyleXfs><xf numFmtId='14'/></cellStyleXfs>\
    <cellXfs><xf numFmtId='0'/><xf numFmtId='14'/><xf numFmtId='164'/><xf numFmtId='165'/>\
    </cellXfs>\
    <cellStyles><cellStyle/></cellStyles><dxfs><dxf/></dxfs></styleSheet>";

/// The numbers of rows, and what is in them.
pub(crate) type Rows<T> = Vec<(u64, Vec<T>)>;
/// The names of sheets, and their rows.
pub(crate) type Sheets<T> = Vec<(String, Rows<T>)>;

#[derive(Debug, Clone)]
pub(crate) struct Book {
    pub(crate) sheets: Sheets<Cell>,
    since_1904: bool,
    shared: bool,
    /// Cells and rows have their places.
    places: bool,
    prefix: &'static str,
    absolute: bool,
    folder: &'static str,
}

impl Book {
    pub(crate) fn small() -> Self {
        let rows = vec![
            (1, vec![Cell::Text("Date".to_owned()), Cell::Text("Amount".to_owned())]),
            (2, vec![Cell::Moment(45_322, "", 1), Cell::Number("1234.56")]),
            (3, vec![Cell::Blank, Cell::Formula("1.2345E3"), Cell::Truth(true)]),
        ];
        Self {
            sheets: vec![("A".to_owned(), rows)],
            since_1904: false,
            shared: true,
            places: true,
            prefix: "",
            absolute: false,
            folder: "xl",
        }
    }

    pub(crate) fn new(random: &mut Random) -> Self {
        let places = !random.one_in(4);
        let sheets = (0..1 + random.below(3))
            .map(|number| {
                let mut row = 0;
                let rows = (0..random.below(10)).map(|_| {
                    row += 1 + if places { random.below(3) as u64 } else { 0 };
                    let cells = (0..1 + random.below(8)).map(|_| cell(random)).collect();
                    (row, cells)
                });
                (format!("Sheet & {number}"), rows.collect())
            })
            .collect();
        Self {
            sheets,
            since_1904: random.one_in(3),
            shared: random.one_in(2),
            places,
            prefix: random.pick::<&str>(&["", "", "x:"]),
            absolute: random.one_in(3),
            folder: random.pick::<&str>(&["xl", "xl", "other/place"]),
        }
    }

    /// What must be read: rows that have a text, up to their last cell with one.
    pub(crate) fn expected(&self) -> Sheets<String> {
        let row = |(number, cells): &(u64, Vec<Cell>)| {
            let mut texts: Vec<String> = cells.iter().map(Cell::expected).collect();
            while texts.last().is_some_and(|text| text.trim().is_empty()) {
                texts.pop();
            }
            (*number, texts)
        };
        let rows = |rows: &[(u64, Vec<Cell>)]| {
            rows.iter().map(row).filter(|(_, texts)| !texts.is_empty()).collect()
        };
        self.sheets.iter().map(|(name, its)| (name.clone(), rows(its))).collect()
    }

    pub(crate) fn written(&self, random: &mut Random) -> Vec<u8> {
        let mut texts = Vec::new();
        let folder = self.folder;
        let mut parts: Vec<(String, String)> = Vec::new();
        let mut relationships = String::new();
        let mut sheets = String::new();
        for (at, (name, rows)) in self.sheets.iter().enumerate() {
            let part = format!("sheets/sheet{at}.xml");
            let target = if self.absolute { format!("/{folder}/{part}") } else { part.clone() };
            let _ = write!(
                relationships,
                "<Relationship Id=\"r{at}\" Type=\"http://x/worksheet\" Target=\"{target}\"/>"
            );
            let name = escaped(name);
            let hidden = if at == 2 { " state='hidden'" } else { "" };
            let _ =
                write!(sheets, "<sheet name=\"{name}\" sheetId=\"{at}\" r:id=\"r{at}\"{hidden}/>");
            let body = self.sheet(rows, &mut texts, random);
            parts.push((format!("{folder}/{part}"), body));
        }
        let since = if self.since_1904 { "<workbookPr date1904=\"1\"/>" } else { "<workbookPr/>" };
        let book = format!("<workbook>{since}<sheets>{sheets}</sheets></workbook>");
        parts.push((format!("{folder}/book.xml"), book));
        relationships.push_str(
            "<Relationship Id=\"s\" Type=\"http://x/styles\" Target=\"styles.xml\"/>\
             <Relationship Id=\"t\" Type=\"http://x/sharedStrings\" Target=\"./../",
        );
        let _ = write!(relationships, "{}/texts.xml\"/>", folder.rsplit('/').next().unwrap());
        let relationships = format!("<Relationships>{relationships}</Relationships>");
        parts.push((format!("{folder}/_rels/book.xml.rels"), relationships));
        parts.push((format!("{folder}/styles.xml"), STYLES.to_owned()));
        let shared: String = texts.iter().map(|text| shared(text)).collect();
        parts.push((format!("{folder}/texts.xml"), format!("<sst>{shared}</sst>")));
        let root = format!(
            "<Relationships><Relationship Id=\"1\" Type=\"http://x/officeDocument\" \
             Target=\"{folder}/book.xml\"/></Relationships>"
        );
        parts.push(("_rels/.rels".to_owned(), root));
        let parts: Vec<(&str, String)> =
            parts.iter().map(|(name, text)| (name.as_str(), prefixed(text, self.prefix))).collect();
        let parts: Vec<(&str, &[u8], bool)> =
            parts.iter().map(|(name, text)| (*name, text.as_bytes(), random.one_in(2))).collect();
        zip(&parts)
    }

    fn sheet(
        &self,
        rows: &[(u64, Vec<Cell>)],
        texts: &mut Vec<String>,
        random: &mut Random,
    ) -> String {
        let mut body = String::new();
        for (number, cells) in rows {
            let place = if self.places { format!(" r=\"{number}\"") } else { String::new() };
            let _ = write!(body, "<row{place} spans=\"1:9\">");
            for (column, cell) in cells.iter().enumerate() {
                if matches!(cell, Cell::Blank) && self.places && random.one_in(2) {
                    continue;
                }
                let column = char::from(b'A' + u8::try_from(column).unwrap());
                let place = match self.places {
                    true => format!(" r=\"{column}{number}\""),
                    false => String::new(),
                };
                body.push_str(&self.cell(cell, &place, texts));
            }
            body.push_str("</row>\n");
        }
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<worksheet><sheetData>{body}</sheetData>\
             <mergeCells><mergeCell ref=\"A1:B2\"/></mergeCells></worksheet>"
        )
    }

    fn cell(&self, cell: &Cell, place: &str, texts: &mut Vec<String>) -> String {
        match cell {
            Cell::Blank => format!("<c{place} s=\"1\"/>"),
            Cell::Text(text) if self.shared => {
                texts.push(text.clone());
                format!("<c{place} t=\"s\"><v>{}</v></c>", texts.len() - 1)
            }
            Cell::Text(text) => {
                let text = escaped(text);
                format!(
                    "<c{place} t=\"inlineStr\"><is><r><t xml:space=\"preserve\">{text}</t></r></is></c>"
                )
            }
            Cell::Number(number) => format!("<c{place} s=\"3\"><v>{number}</v></c>"),
            Cell::Formula(number) => format!("<c{place}><f>SUM(A1:A9)+1</f><v>{number}</v></c>"),
            Cell::Moment(days, fraction, style) => {
                let days = if self.since_1904 { days - 1_462 } else { *days };
                format!("<c{place} s=\"{style}\" t=\"n\"><v>{days}{fraction}</v></c>")
            }
            Cell::Truth(truth) => format!("<c{place} t=\"b\"><v>{}</v></c>", u8::from(*truth)),
        }
    }
}

impl Cell {
    fn expected(&self) -> String {
        let number = |text: &str| NUMBERS.iter().find(|(stored, _)| *stored == text).unwrap().1;
        match self {
            Self::Blank => String::new(),
            Self::Text(text) => text.clone(),
            Self::Number(stored) | Self::Formula(stored) => number(stored).to_owned(),
            Self::Moment(days, fraction, style) => {
                let first = jiff::civil::date(1899, 12, 30);
                let day = first.checked_add(jiff::Span::new().days(*days)).unwrap();
                match (*fraction, *style) {
                    (".25", 2) => format!("{day} 06:00:00"),
                    _ => day.to_string(),
                }
            }
            Self::Truth(truth) => if *truth { "TRUE" } else { "FALSE" }.to_owned(),
        }
    }
}

fn cell(random: &mut Random) -> Cell {
    match random.below(7) {
        0 => Cell::Blank,
        1 | 2 => Cell::Text((*random.pick(&TEXTS)).to_owned()),
        3 => Cell::Number(random.pick(&NUMBERS).0),
        4 => Cell::Formula(random.pick(&NUMBERS).0),
        5 => {
            let fraction = random.pick::<&str>(&["", ".25"]);
            Cell::Moment(random.between(2_000, 60_000), fraction, 1 + random.below(2))
        }
        _ => Cell::Truth(random.one_in(2)),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// A shared text in pieces with formats, and with the pronunciation that programs add.
fn shared(text: &str) -> String {
    let middle = text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at);
    let (first, second) = text.split_at(middle);
    format!(
        "<si><r><rPr><b/></rPr><t xml:space=\"preserve\">{}</t></r><r><t>{}</t></r>\
         <rPh sb=\"0\" eb=\"1\"><t>trap</t></rPh></si>",
        escaped(first),
        escaped(second)
    )
}

fn prefixed(text: &str, prefix: &str) -> String {
    if prefix.is_empty() {
        return text.to_owned();
    }
    let text =
        text.replace("</", "\u{1}").replace("<?", "\u{2}").replace('<', &format!("<{prefix}"));
    text.replace('\u{1}', &format!("</{prefix}")).replace('\u{2}', "<?")
}

/// An archive of parts: name, content, whether it is deflated.
pub(crate) fn zip(parts: &[(&str, &[u8], bool)]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for (name, content, is_deflated) in parts {
        let packed = match is_deflated {
            true => {
                let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
                encoder.write_all(content).unwrap();
                encoder.finish().unwrap()
            }
            false => content.to_vec(),
        };
        let size = |bytes: usize| u32::try_from(bytes).unwrap().to_le_bytes();
        let short = |number: usize| u16::try_from(number).unwrap().to_le_bytes();
        let header = size(file.len());
        let mut common = Vec::new();
        common.extend(short(20));
        common.extend(short(0));
        common.extend(short(if *is_deflated { 8 } else { 0 }));
        common.extend([0; 4]);
        common.extend(crc32fast::hash(content).to_le_bytes());
        common.extend(size(packed.len()));
        common.extend(size(content.len()));
        common.extend(short(name.len()));
        common.extend(short(0));
        file.extend(b"PK\x03\x04");
        file.extend(&common);
        file.extend(name.as_bytes());
        file.extend(&packed);
        directory.extend(b"PK\x01\x02");
        directory.extend(short(20));
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend(header);
        directory.extend(name.as_bytes());
    }
    let start = u32::try_from(file.len()).unwrap();
    let count = u16::try_from(parts.len()).unwrap().to_le_bytes();
    file.extend(&directory);
    file.extend(b"PK\x05\x06\0\0\0\0");
    file.extend(count);
    file.extend(count);
    file.extend(u32::try_from(directory.len()).unwrap().to_le_bytes());
    file.extend(start.to_le_bytes());
    file.extend([0; 2]);
    file
}
