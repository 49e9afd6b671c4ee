//! Workbooks of Excel 97 to 2003: records in a compound file, as programs write them.

/// A cell of a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum XlsCell {
    /// A text that cells share.
    Shared(String),
    /// A text in the cell.
    Text(String),
    /// A text that a formula came to.
    Computed(String),
    /// An integer, or hundredths, in 30 bits.
    Short(i32, bool),
    /// A double by its bits.
    Double(u64),
    /// The same as what a formula came to.
    ComputedDouble(u64),
    /// A day by its number, with a style of days.
    Day(u16),
    /// A cell with a truth value.
    Truth(bool),
    /// An error for a number: `#N/A`.
    Error,
}

/// How a workbook is written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct XlsStyle {
    /// The longest part of the shared texts in one record.
    pub(crate) segment: usize,
    /// Letters of two bytes, although one would do.
    pub(crate) is_wide: bool,
    /// Cells from the last to the first.
    pub(crate) is_backwards: bool,
    /// Days are counted from 1904.
    pub(crate) since_1904: bool,
    /// Bytes behind the last record: with them a stream is too long for small sectors.
    pub(crate) padding: usize,
}

impl XlsStyle {
    pub(crate) const PLAIN: Self = Self {
        segment: 8_224,
        is_wide: false,
        is_backwards: false,
        since_1904: false,
        padding: 5_000,
    };
}

/// A sheet: its name, and its cells by row and column, from 0.
pub(crate) type XlsSheet<'s> = (&'s str, Vec<(u16, u16, XlsCell)>);

fn put(target: &mut Vec<u8>, id: u16, data: &[u8]) {
    target.extend(id.to_le_bytes());
    target.extend(u16::try_from(data.len()).unwrap_or(u16::MAX).to_le_bytes());
    target.extend(data);
}

fn letters(text: &str, is_wide: bool) -> (u8, Vec<u8>, usize) {
    let units: Vec<u16> = text.encode_utf16().collect();
    let is_wide = is_wide || units.iter().any(|unit| *unit > 255);
    let bytes = match is_wide {
        true => units.iter().flat_map(|unit| unit.to_le_bytes()).collect(),
        false => units.iter().map(|unit| u8::try_from(*unit).unwrap_or(b'?')).collect(),
    };
    (u8::from(is_wide), bytes, units.len())
}

fn text(text: &str, is_wide: bool, count_bytes: usize) -> Vec<u8> {
    let (flags, bytes, count) = letters(text, is_wide);
    let mut record = count.to_le_bytes()[..count_bytes].to_vec();
    record.push(flags);
    record.extend(bytes);
    record
}

/// The shared texts, cut between letters where a record is full.
fn shared(target: &mut Vec<u8>, texts: &[String], style: XlsStyle) {
    let count = u32::try_from(texts.len()).unwrap_or(u32::MAX).to_le_bytes();
    let mut records: Vec<Vec<u8>> = vec![[count, count].concat()];
    for (at, text) in texts.iter().enumerate() {
        let (flags, bytes, count) = letters(text, style.is_wide);
        // Every third has formats, which stand behind it.
        let formats: u16 = if at % 3 == 2 { 2 } else { 0 };
        let mut head = count.to_le_bytes()[..2].to_vec();
        head.push(flags | if formats > 0 { 8 } else { 0 });
        if formats > 0 {
            head.extend(formats.to_le_bytes());
        }
        if records.last().is_some_and(|record| record.len() + head.len() > style.segment) {
            records.push(Vec::new());
        }
        records.last_mut().into_iter().for_each(|record| record.extend(&head));
        for letter in bytes.chunks(if flags == 1 { 2 } else { 1 }) {
            let is_full = |record: &Vec<u8>| record.len() + letter.len() > style.segment;
            if records.last().is_some_and(is_full) {
                records.push(vec![flags]);
            }
            records.last_mut().into_iter().for_each(|record| record.extend(letter));
        }
        let formats = vec![7; 4 * usize::from(formats)];
        records.last_mut().into_iter().for_each(|record| record.extend(&formats));
    }
    for (at, record) in records.iter().enumerate() {
        put(target, if at == 0 { 0xFC } else { 0x3C }, record);
    }
}

/// A workbook with these sheets; the third is hidden.
pub(crate) fn workbook(sheets: &[XlsSheet<'_>], style: XlsStyle) -> Vec<u8> {
    let mut texts: Vec<String> = Vec::new();
    let mut parts: Vec<Vec<u8>> = Vec::new();
    for (_, cells) in sheets {
        let mut part = Vec::new();
        put(&mut part, 0x809, &[0, 6, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        let mut cells: Vec<&(u16, u16, XlsCell)> = cells.iter().collect();
        if style.is_backwards {
            cells.reverse();
        }
        for (row, column, cell) in cells {
            put_cell(&mut part, (*row, *column), cell, &mut texts, style);
        }
        put(&mut part, 0x0A, &[]);
        parts.push(part);
    }
    let globals = |starts: &[usize]| {
        let mut globals = Vec::new();
        put(&mut globals, 0x809, &[0, 6, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        put(&mut globals, 0x22, &[u8::from(style.since_1904), 0]);
        let code = text("yyyy\\-mm\\-dd", style.is_wide, 2);
        put(&mut globals, 0x41E, &[&[164, 0][..], &code].concat());
        for format in [0_u8, 164, 14] {
            put(&mut globals, 0xE0, &[&[0, 0, format, 0][..], &[0; 16]].concat());
        }
        for (at, (name, _)) in sheets.iter().enumerate() {
            let start = u32::try_from(starts.get(at).copied().unwrap_or_default());
            let mut sheet = start.unwrap_or(u32::MAX).to_le_bytes().to_vec();
            sheet.extend([u8::from(at == 2), 0]);
            sheet.extend(text(name, style.is_wide, 1));
            put(&mut globals, 0x85, &sheet);
        }
        shared(&mut globals, &texts, style);
        put(&mut globals, 0x0A, &[]);
        globals
    };
    let mut starts = Vec::new();
    let mut length = globals(&[]).len();
    for part in &parts {
        starts.push(length);
        length += part.len();
    }
    let mut stream = globals(&starts);
    stream.extend(parts.concat());
    stream.extend(vec![0; style.padding]);
    compound("Workbook", &stream)
}

fn put_cell(
    part: &mut Vec<u8>,
    (row, column): (u16, u16),
    cell: &XlsCell,
    texts: &mut Vec<String>,
    style: XlsStyle,
) {
    let mut put_with = |id: u16, format: u8, more: &[u8]| {
        let place = [row.to_le_bytes(), column.to_le_bytes(), [format, 0]].concat();
        put(part, id, &[&place[..], more].concat());
    };
    let formula = |value: [u8; 8]| [&value[..], &[0; 6], &[3, 0, 0x1E, 1, 0]].concat();
    let short = |number: i32, more: i32| (number << 2 | more).to_le_bytes();
    match cell {
        XlsCell::Shared(text) => {
            let at = u32::try_from(texts.len()).unwrap_or(u32::MAX);
            texts.push(text.clone());
            put_with(0xFD, 0, &at.to_le_bytes());
        }
        XlsCell::Text(its) => put_with(0x204, 0, &text(its, style.is_wide, 2)),
        XlsCell::Computed(its) => {
            put_with(0x06, 0, &formula([0, 0, 0, 0, 0, 0, 0xFF, 0xFF]));
            put(part, 0x207, &text(its, style.is_wide, 2));
        }
        XlsCell::Short(number, is_hundredths) => {
            put_with(0x27E, 0, &short(*number, 2 | i32::from(*is_hundredths)));
        }
        XlsCell::Double(bits) => put_with(0x203, 0, &bits.to_le_bytes()),
        XlsCell::ComputedDouble(bits) => put_with(0x06, 0, &formula(bits.to_le_bytes())),
        XlsCell::Day(day) => {
            let since = if style.since_1904 { 1_462 } else { 0 };
            // Several numbers may be in one record.
            let number = short(i32::from(*day) - since, 2);
            put_with(
                0xBD,
                1 + u8::try_from(day % 2).unwrap_or(0),
                &[&number[..], &[0, 0]].concat(),
            );
        }
        XlsCell::Truth(truth) => put_with(0x205, 0, &[u8::from(*truth), 0]),
        XlsCell::Error => put_with(0x205, 0, &[0x2A, 1]),
    }
}

/// A compound file with one stream, in small sectors if it is short.
pub(crate) fn compound(name: &str, stream: &[u8]) -> Vec<u8> {
    const END: u32 = 0xFFFF_FFFE;
    let is_small = stream.len() < 4096;
    let sectors = |bytes: usize, of: usize| u32::try_from(bytes.div_ceil(of)).unwrap_or(u32::MAX);
    let content = sectors(stream.len().max(1), 512);
    // The content, the directory, the table of small sectors, the table.
    let tables = 1 + content / 100;
    let (directory, mini_table) = (content, content + 1);
    let mut table: Vec<u32> = (1..content).chain([END]).collect();
    table.extend([END, END]);
    table.extend(vec![0xFFFF_FFFD; tables as usize]);
    table.resize(tables as usize * 128, u32::MAX);
    let small = sectors(stream.len().max(1), 64);
    let mut mini: Vec<u32> = (1..small).chain([END]).collect();
    mini.resize(128, u32::MAX);
    let entry = |name: &str, kind: u8, child: u32, start: u32, length: usize| {
        let mut entry: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let letters = entry.len() + 2;
        entry.resize(64, 0);
        entry.extend(&letters.to_le_bytes()[..2]);
        entry.extend([kind, 1]);
        entry.extend([u32::MAX, u32::MAX, child].into_iter().flat_map(u32::to_le_bytes));
        entry.resize(116, 0);
        entry.extend(start.to_le_bytes());
        entry.extend(&length.to_le_bytes()[..8]);
        entry
    };
    let mut file = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".to_vec();
    file.resize(24, 0);
    file.extend([0x3E, 0, 3, 0, 0xFE, 0xFF, 9, 0, 6, 0]);
    file.resize(44, 0);
    for number in [tables, directory, 0, 4096, mini_table, 1, END, 0] {
        file.extend(number.to_le_bytes());
    }
    let places = (0..109).map(|at| if at < tables { mini_table + 1 + at } else { u32::MAX });
    file.extend(places.flat_map(u32::to_le_bytes));
    file.extend(stream);
    file.resize(512 + 512 * content as usize, 0);
    let (root_start, root_length) = if is_small { (0, stream.len()) } else { (END, 0) };
    file.extend(entry("Root Entry", 5, 1, root_start, root_length));
    file.extend(entry(name, 2, u32::MAX, 0, stream.len()));
    file.resize(512 + 512 * (content as usize + 1), 0);
    file.extend(mini.into_iter().flat_map(u32::to_le_bytes));
    file.extend(table.into_iter().flat_map(u32::to_le_bytes));
    file
}
