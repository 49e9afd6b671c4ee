//! Archives come back as they were written, and whatever else is in a file is refused.

use std::io::{Read as _, Write as _};

use flate2::read::MultiGzDecoder;
use proptest::prelude::*;
use uuid::Uuid;

use super::cells::{read_row, write_row};
use super::error::ArchiveError;
use super::tar::{BLOCK, header};
use super::*;

type Files = Vec<(FileName, Vec<u8>)>;

/// What an archive has.
#[derive(Debug, Clone, PartialEq)]
struct Contents {
    tables: Vec<Vec<Vec<Cell<'static>>>>,
    files: Files,
}

fn manifest(types: &[Vec<CellType>]) -> Manifest {
    let table = |(at, types): (usize, &Vec<CellType>)| TableColumns {
        name: format!("table_{at}"),
        columns: types.iter().enumerate().map(|(at, one)| (format!("c{at}"), *one)).collect(),
    };
    let tables = types.iter().enumerate().map(table).collect();
    Manifest::new(15, Uuid::from_u128(7), "2024-05-17T10:00:00Z".parse().unwrap(), "0.1", tables)
}

fn write(manifest: &Manifest, contents: &Contents) -> Vec<u8> {
    let mut writer = Writer::begin(Vec::new(), manifest).unwrap();
    for table in &contents.tables {
        writer.next_table().unwrap();
        table.iter().for_each(|row| writer.row(row).unwrap());
    }
    for (name, content) in &contents.files {
        writer.file(*name, content.len() as u64, &mut content.as_slice()).unwrap();
    }
    compressed(&writer.finish().unwrap().0)
}

/// Reads all of an archive, as whoever restores it does.
fn read(archive: &[u8]) -> Result<Contents, ArchiveError> {
    let mut reader = Reader::open(archive)?;
    let manifest = reader.manifest().clone();
    let mut tables = vec![Vec::new(); manifest.tables.len()];
    let mut files = Vec::new();
    loop {
        match reader.next_member()? {
            Member::Rows { table, lines } => {
                let types: Vec<CellType> =
                    manifest.tables[table].columns.iter().map(|(_, one)| *one).collect();
                for line in lines.split_inclusive(|byte| *byte == b'\n') {
                    let row = read_row(line, &types).map_err(error::damaged)?;
                    tables[table].push(row.into_iter().map(owned).collect());
                }
            }
            Member::File { name, mut content } => {
                let (mut all, mut buffer) = (Vec::new(), [0; 1000]);
                loop {
                    match content.read(&mut buffer)? {
                        0 => break,
                        got => all.extend_from_slice(&buffer[..got]),
                    }
                }
                files.push((name, all));
            }
            Member::End(_) => return Ok(Contents { tables, files }),
        }
    }
}

fn owned(cell: Cell<'_>) -> Cell<'static> {
    match cell {
        Cell::Null => Cell::Null,
        Cell::Int(number) => Cell::Int(number),
        Cell::Text(text) => Cell::Text(text.into_owned().into()),
        Cell::Uuid(id) => Cell::Uuid(id),
        Cell::Bytes(bytes) => Cell::Bytes(bytes.into_owned().into()),
        Cell::Bool(value) => Cell::Bool(value),
    }
}

fn any_type() -> impl Strategy<Value = CellType> {
    use CellType::*;
    prop::sample::select(vec![Int, Text, Uuid, Bytes, Bool])
}

fn any_cell(of: CellType) -> BoxedStrategy<Cell<'static>> {
    let value = match of {
        CellType::Int => any::<i64>().prop_map(Cell::Int).boxed(),
        CellType::Text => any::<String>().prop_map(|text| Cell::Text(text.into())).boxed(),
        CellType::Uuid => any::<u128>().prop_map(|id| Cell::Uuid(Uuid::from_u128(id))).boxed(),
        CellType::Bytes => any::<Vec<u8>>().prop_map(|bytes| Cell::Bytes(bytes.into())).boxed(),
        CellType::Bool => any::<bool>().prop_map(Cell::Bool).boxed(),
    };
    prop_oneof![1 => Just(Cell::Null), 5 => value].boxed()
}

fn any_contents() -> impl Strategy<Value = (Vec<Vec<CellType>>, Contents)> {
    let types = prop::collection::vec(prop::collection::vec(any_type(), 1..6), 0..5);
    types.prop_flat_map(|types| {
        let row =
            |types: &Vec<CellType>| -> Vec<_> { types.iter().copied().map(any_cell).collect() };
        let tables: Vec<_> =
            types.iter().map(|types| prop::collection::vec(row(types), 0..6)).collect();
        let file = (1_i64.., any::<u128>(), prop::collection::vec(any::<u8>(), 0..1500)).prop_map(
            |(family, id, content)| (FileName { family, id: Uuid::from_u128(id) }, content),
        );
        let files = prop::collection::vec(file, 0..3);
        (Just(types), (tables, files).prop_map(|(tables, files)| Contents { tables, files }))
    })
}

proptest! {
    #[test]
    fn what_is_written_comes_back((types, contents) in any_contents()) {
        let manifest = manifest(&types);
        let archive = write(&manifest, &contents);
        let reader = Reader::open(archive.as_slice()).unwrap();
        prop_assert_eq!(reader.manifest(), &manifest);
        prop_assert_eq!(read(&archive).unwrap(), contents.clone());
        prop_assert_eq!(write(&manifest, &contents), archive, "the same again");
    }

    #[test]
    fn what_is_cut_off_is_refused(
        (types, contents) in any_contents(),
        at in any::<prop::sample::Index>(),
    ) {
        let archive = write(&manifest(&types), &contents);
        let cut = &archive[..at.index(archive.len())];
        prop_assert!(matches!(read(cut), Err(ArchiveError::Damaged(_))));
    }

    #[test]
    fn any_flipped_bit_is_noticed(
        (types, contents) in any_contents(),
        at in any::<prop::sample::Index>(),
        bit in 0..8,
    ) {
        let archive = write(&manifest(&types), &contents);
        let mut flipped = archive.clone();
        flipped[at.index(archive.len())] ^= 1_u8 << bit;
        // Some bits mean nothing: in the header of gzip, and up to the next whole byte behind what
        // is compressed.
        if let Ok(read) = read(&flipped) {
            prop_assert_eq!(read, contents);
        }
    }

    #[test]
    fn a_line_is_read_as_the_row_that_it_was(
        (types, row) in prop::collection::vec(any_type(), 0..12).prop_flat_map(|types| {
            let cells: Vec<_> = types.iter().copied().map(any_cell).collect();
            (Just(types), cells)
        }),
    ) {
        let mut line = Vec::new();
        write_row(&mut line, &row);
        prop_assert_eq!(line.iter().filter(|byte| **byte == b'\n').count(), 1);
        prop_assert_eq!(&read_row(&line, &types).unwrap(), &row);
        let fewer = types.len().checked_sub(1).map(|fewer| &types[..fewer]);
        prop_assert!(fewer.is_none_or(|types| read_row(&line, types).is_err()));
        prop_assert!(read_row(&line, &[&types[..], &[CellType::Int]].concat()).is_err());
    }
}

#[test]
fn lines_are_json_that_people_can_read() {
    let row = [
        Cell::Null,
        Cell::Int(-5),
        Cell::Text("Ä \"b\"\n".into()),
        Cell::Uuid(Uuid::from_u128(1)),
        Cell::Bytes(vec![0, 0xAF].into()),
        Cell::Bool(true),
    ];
    let mut line = Vec::new();
    write_row(&mut line, &row);
    assert_eq!(
        String::from_utf8(line).unwrap(),
        "[null,-5,\"Ä \\\"b\\\"\\n\",\"00000000-0000-0000-0000-000000000001\",\"00af\",true]\n"
    );
}

#[test]
fn values_of_another_type_are_refused() {
    use CellType::*;
    for (line, of) in [
        ("[\"5\"]", Int),
        ("[1.0]", Int),
        ("[9223372036854775808]", Int),
        ("[5]", Text),
        ("[1]", Bool),
        ("[\"0f\"]", Uuid),
        ("[\"0\"]", Bytes),
        ("[\"0F\"]", Bytes),
        ("[\"0g\"]", Bytes),
        ("{\"a\":1}", Int),
        ("[1", Int),
        ("[1]]", Int),
        ("", Int),
    ] {
        assert!(read_row(line.as_bytes(), &[of]).is_err(), "{line} as {of:?}");
    }
}

/// An archive of these members, compressed; its end fits to what is before it.
fn archive_of(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut tar = Vec::new();
    for (name, content) in members {
        tar.extend_from_slice(&header(name, content.len() as u64, 0).unwrap());
        tar.extend_from_slice(content);
        tar.resize(tar.len().next_multiple_of(BLOCK), 0);
    }
    compressed(&tar)
}

fn compressed(tar: &[u8]) -> Vec<u8> {
    let mut gzip = super::compressed(Vec::new());
    gzip.write_all(tar).unwrap();
    gzip.finish().unwrap()
}

fn refusal(archive: &[u8]) -> String {
    match read(archive) {
        Err(ArchiveError::Damaged(text) | ArchiveError::Newer(text)) => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn names_that_are_no_names_of_a_backup_are_refused() {
    let manifest = serde_json::to_vec(&manifest(&[vec![CellType::Int]])).unwrap();
    for name in [
        "files/../../etc/passwd",
        "files/1/../00000000-0000-0000-0000-000000000001",
        "/files/1/00000000-0000-0000-0000-000000000001",
        "files/1/00000000-0000-0000-0000-00000000000A",
        "files/01/00000000-0000-0000-0000-000000000001",
        "files/0/00000000-0000-0000-0000-000000000001",
        "files/-1/00000000-0000-0000-0000-000000000001",
        "files/1/00000000000000000000000000000001",
        "tables/table_0/1.jsonl",
        "tables/table_0/000001.jsonl",
        "tables/table_1/000000.jsonl",
        "tables/table_0",
        "manifest.json",
        "purser.db",
        "",
    ] {
        let archive = archive_of(&[(MANIFEST, &manifest), (name, b"[1]\n")]);
        let text = refusal(&archive);
        assert!(text.contains("the backup has a"), "{name}: {text}");
    }
}

#[test]
fn headers_of_other_things_than_files_are_refused() {
    let manifest = serde_json::to_vec(&manifest(&[])).unwrap();
    let mut tar = Vec::new();
    MultiGzDecoder::new(archive_of(&[(MANIFEST, &manifest)]).as_slice())
        .read_to_end(&mut tar)
        .unwrap();
    let name = "files/1/00000000-0000-0000-0000-000000000001";
    let good = header(name, 0, 0).unwrap();
    // A link, a folder, an unknown kind, another owner, a target, more rights.
    for (at, value) in
        [(156, b'2'), (156, b'5'), (156, b'x'), (108, b'1'), (157, b'/'), (102, b'7')]
    {
        let mut other = good;
        other[at] = value;
        other[148..156].fill(b' ');
        let sum: u32 = other.iter().map(|byte| u32::from(*byte)).sum();
        other[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        let text = refusal(&compressed(&[&tar[..], &other].concat()));
        assert!(text.contains("something else"), "{at}: {text}");
    }
}

#[test]
fn other_files_are_no_backups() {
    let zip = b"PK\x03\x04 and so on, long enough to be looked into";
    for file in [&b""[..], b"a", b"date,amount\n", zip, &compressed(b""), &compressed(&[0; 4096])] {
        let text = refusal(file);
        let expected = text.contains("not a backup") || text.contains("ends before");
        assert!(expected, "{text}");
    }
}

#[test]
fn a_newer_format_is_named_whatever_else_it_has() {
    let manifest = format!("{{\"format\":\"{FORMAT}\",\"format_version\":9,\"tables\":7}}");
    let text = refusal(&archive_of(&[(MANIFEST, manifest.as_bytes())]));
    assert!(text.contains("version 9 of the format"), "{text}");
}

#[test]
fn an_archive_with_an_end_that_does_not_fit_is_refused() {
    let types = [vec![CellType::Int]];
    let contents = Contents { tables: vec![vec![vec![Cell::Int(1)]]], files: Vec::new() };
    let archive = write(&manifest(&types), &contents);
    let mut tar = Vec::new();
    MultiGzDecoder::new(archive.as_slice()).read_to_end(&mut tar).unwrap();
    let refused = |from: &[u8], to: &[u8]| {
        let at = tar.windows(from.len()).rposition(|bytes| bytes == from).unwrap();
        let mut other = tar.clone();
        other[at..at + from.len()].copy_from_slice(to);
        refusal(&compressed(&other))
    };
    assert!(refused(b"[1]\n", b"[2]\n").contains("checksum"));
    assert!(refused(b"\"files\": 0", b"\"files\": 1").contains("missing"));
    let followed = [&archive[..], &compressed(b"more")].concat();
    assert!(refusal(&followed).contains("after the end"));
    assert!(!refusal(&[&archive[..], b"x"].concat()).is_empty());
}

#[test]
fn large_tables_are_written_in_parts_and_a_file_may_be_left_unread() {
    let row = [Cell::Text("x".repeat(300_000).into())];
    let manifest = manifest(&[vec![CellType::Text], vec![CellType::Int]]);
    let name = FileName { family: 3, id: Uuid::from_u128(9) };
    let mut writer = Writer::begin(Vec::new(), &manifest).unwrap();
    writer.next_table().unwrap();
    (0..10).for_each(|_| writer.row(&row).unwrap());
    writer.next_table().unwrap();
    writer.file(name, 5000, &mut [7; 5000].as_slice()).unwrap();
    writer.note_missing(name);
    let (archive, ending) = writer.finish().unwrap();
    assert_eq!(
        (&ending.rows[..], ending.files, &ending.missing[..]),
        (&[10, 0][..], 1, &[name][..])
    );
    let archive = compressed(&archive);
    let mut reader = Reader::open(archive.as_slice()).unwrap();
    for rows in [4, 4, 2] {
        let Member::Rows { table: 0, lines } = reader.next_member().unwrap() else {
            panic!("rows")
        };
        assert_eq!(lines.iter().filter(|byte| **byte == b'\n').count(), rows);
    }
    let Member::File { name: found, .. } = reader.next_member().unwrap() else { panic!("a file") };
    assert_eq!(found, name);
    assert!(matches!(reader.next_member(), Ok(Member::End(end)) if end == ending));
}

#[test]
fn tables_and_rows_that_were_not_announced_cannot_be_written() {
    let mut writer = Writer::begin(Vec::new(), &manifest(&[vec![CellType::Int]])).unwrap();
    assert!(writer.row(&[Cell::Int(1)]).is_err(), "no table was begun");
    assert!(writer.finish().is_err(), "a table is missing");
    let mut writer = Writer::begin(Vec::new(), &manifest(&[])).unwrap();
    let name = FileName { family: 1, id: Uuid::nil() };
    assert!(writer.file(name, 6, &mut b"short".as_slice()).is_err(), "a file became shorter");
}
