//! PDF documents, written as programs write them: a few fonts and encodings, with and without
//! compression.
//!
//! Every letter is half as wide as its font is high, in all fonts but Courier, so that texts can
//! end at a place.

use std::collections::BTreeMap;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// How the letters of a document are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Letters {
    /// Courier, one of the fonts of every program, as plain text.
    Plain,
    /// A font with own widths and names for its codes; spaces are gaps.
    Named,
    /// Codes of two bytes, and a table of what they stand for.
    Double,
}

/// How a document is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Style {
    pub(crate) letters: Letters,
    pub(crate) is_compressed: bool,
    /// Objects stand in compressed streams.
    pub(crate) has_object_streams: bool,
}

impl Style {
    /// Everything can be read in the file itself.
    pub(crate) const PLAIN: Self =
        Self { letters: Letters::Plain, is_compressed: false, has_object_streams: false };
}

/// Texts at places of a page, in thousandths of a point from the lower left corner.
#[derive(Debug, Clone, Default)]
pub(crate) struct Page {
    texts: Vec<(i64, i64, String)>,
}

/// The size of the letters in points.
const SIZE: i64 = 9;

/// The width of a letter in thousandths of the size.
fn letter_width(letters: Letters) -> i64 {
    if letters == Letters::Plain { 600 } else { 500 }
}

impl Page {
    /// A text that begins at a place.
    pub(crate) fn left(&mut self, x: i64, y: i64, text: &str) {
        self.texts.push((x * 1000, y * 1000, text.to_owned()));
    }

    /// A text that ends at a place.
    pub(crate) fn right(&mut self, x: i64, y: i64, text: &str, style: Style) {
        let letters = i64::try_from(text.chars().count()).unwrap();
        let width = letters * SIZE * letter_width(style.letters);
        self.texts.push((x * 1000 - width, y * 1000, text.to_owned()));
    }
}

fn points(thousandths: i64) -> String {
    let sign = if thousandths < 0 { "-" } else { "" };
    let value = thousandths.abs();
    format!("{sign}{}.{:03}", value / 1000, value % 1000)
}

/// Writes a document with these pages.
pub(crate) fn document(pages: &[Page], style: Style) -> Vec<u8> {
    let mut codes: BTreeMap<char, u16> = BTreeMap::new();
    for c in pages.iter().flat_map(|page| &page.texts).flat_map(|(_, _, text)| text.chars()) {
        let next = u16::try_from(codes.len()).unwrap() + 35;
        codes.entry(c).or_insert(next);
    }
    let mut objects: Vec<(u32, Vec<u8>, bool)> = Vec::new();
    let kids: Vec<String> = (0..pages.len()).map(|at| format!("{} 0 R", 20 + 2 * at)).collect();
    let catalog = "<< /Type /Catalog /Pages 2 0 R >>".to_owned();
    let tree = format!(
        "<< /Type /Pages /Kids [{}] /Count {} /Resources << /Font << /F1 5 0 R >> >> >>",
        kids.join(" "),
        pages.len()
    );
    objects.push((1, catalog.into_bytes(), false));
    objects.push((2, tree.into_bytes(), false));
    objects.extend(font(&codes, style));
    for (at, page) in (0..).zip(pages) {
        let number = 20 + 2 * at;
        let dict = format!("<< /Type /Page /Parent 2 0 R /Contents {} 0 R >>", number + 1);
        objects.push((number, dict.into_bytes(), false));
        let content = content(page, &codes, style);
        objects.push((number + 1, stream("", &content, style.is_compressed), true));
    }
    file(objects, style)
}

fn content(page: &Page, codes: &BTreeMap<char, u16>, style: Style) -> Vec<u8> {
    let mut content = format!("BT /F1 {SIZE} Tf\n").into_bytes();
    for (x, y, text) in &page.texts {
        content.extend(format!("1 0 0 1 {} {} Tm ", points(*x), points(*y)).bytes());
        let code = |c: char| codes[&c];
        match style.letters {
            Letters::Plain => {
                let bytes = text.chars().map(windows_1252);
                content.push(b'(');
                for byte in bytes {
                    if matches!(byte, b'(' | b')' | b'\\') {
                        content.push(b'\\');
                    }
                    content.push(byte);
                }
                content.extend(b") Tj\n");
            }
            Letters::Named => {
                content.push(b'[');
                for (at, word) in text.split(' ').enumerate() {
                    if at > 0 {
                        content.extend(b" -500 ");
                    }
                    let hex = word.chars().map(|c| format!("{:02x}", code(c)));
                    content.extend(format!("<{}>", hex.collect::<String>()).bytes());
                }
                content.extend(b"] TJ\n");
            }
            Letters::Double => {
                let hex = text.chars().map(|c| format!("{:04x}", code(c)));
                content.extend(format!("<{}> Tj\n", hex.collect::<String>()).bytes());
            }
        }
    }
    content.extend(b"ET");
    content
}

fn windows_1252(c: char) -> u8 {
    match c {
        '€' => 0x80,
        c => u8::try_from(u32::from(c)).unwrap(),
    }
}

fn font(codes: &BTreeMap<char, u16>, style: Style) -> Vec<(u32, Vec<u8>, bool)> {
    let plain = |text: String| text.into_bytes();
    match style.letters {
        Letters::Plain => {
            let font = "<< /Type /Font /Subtype /Type1 /BaseFont /Courier \
                        /Encoding /WinAnsiEncoding >>";
            vec![(5, plain(font.to_owned()), false)]
        }
        Letters::Named => {
            let mut by_code: Vec<(u16, char)> = codes.iter().map(|(c, code)| (*code, *c)).collect();
            by_code.sort_unstable();
            let names: String =
                by_code.iter().map(|(_, c)| format!("/uni{:04X} ", u32::from(*c))).collect();
            let widths = "500 ".repeat(by_code.len());
            let font = format!(
                "<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+Own /FirstChar 35 \
                 /Widths [{widths}] /Encoding << /Differences [35 {names}] >> >>"
            );
            vec![(5, plain(font), false)]
        }
        Letters::Double => {
            let font = "<< /Type /Font /Subtype /Type0 /BaseFont /Own /Encoding /Identity-H \
                        /DescendantFonts [6 0 R] /ToUnicode 7 0 R >>";
            let child = "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Own /DW 500 >>";
            let pairs: String = codes
                .iter()
                .map(|(c, code)| format!("<{code:04x}> <{:04x}>\n", u32::from(*c)))
                .collect();
            let map = format!(
                "begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange\n\
                 {} beginbfchar\n{pairs}endbfchar endcmap",
                codes.len()
            );
            let map = stream("", map.as_bytes(), style.is_compressed);
            vec![
                (5, plain(font.to_owned()), false),
                (6, plain(child.to_owned()), false),
                (7, map, true),
            ]
        }
    }
}

/// A stream with what its dictionary has besides.
pub(crate) fn stream(more: &str, content: &[u8], is_compressed: bool) -> Vec<u8> {
    let (content, filter) = match is_compressed {
        true => {
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(content).unwrap();
            (encoder.finish().unwrap(), "/Filter /FlateDecode ")
        }
        false => (content.to_vec(), ""),
    };
    let dict = format!("<< {more} {filter}/Length {} >>\nstream\n", content.len());
    [dict.as_bytes(), &content, b"\nendstream"].concat()
}

/// Puts objects into a file; each is marked if it is a stream, which can't stand in another one.
pub(crate) fn file(objects: Vec<(u32, Vec<u8>, bool)>, style: Style) -> Vec<u8> {
    let mut file = b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n".to_vec();
    let (inner, outer): (Vec<_>, Vec<_>) =
        objects.into_iter().partition(|(_, _, is_stream)| style.has_object_streams && !is_stream);
    let mut offsets = Vec::new();
    let mut put = |file: &mut Vec<u8>, number: u32, object: &[u8]| {
        offsets.push((number, file.len()));
        file.extend(format!("{number} 0 obj\n").bytes());
        file.extend(object);
        file.extend(b"\nendobj\n");
    };
    for (number, object, _) in &outer {
        put(&mut file, *number, object);
    }
    if !inner.is_empty() {
        let (mut directory, mut body) = (String::new(), Vec::new());
        for (number, object, _) in &inner {
            directory.push_str(&format!("{number} {} ", body.len()));
            body.extend(object);
            body.push(b'\n');
        }
        let more = format!("/Type /ObjStm /N {} /First {}", inner.len(), directory.len());
        let content = [directory.as_bytes(), &body].concat();
        put(&mut file, 9, &stream(&more, &content, true));
    }
    let start = file.len();
    file.extend(b"xref\n0 1\n0000000000 65535 f \n");
    for (number, offset) in &offsets {
        file.extend(format!("{number} 1\n{offset:010} 00000 n \n").bytes());
    }
    file.extend(format!("trailer << /Root 1 0 R /Size 1000 >>\nstartxref\n{start}\n%%EOF").bytes());
    file
}
