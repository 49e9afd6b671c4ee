use std::io::Cursor;

use proptest::prelude::*;

use super::*;

fn decode(bytes: &[u8]) -> (Encoding, String) {
    let encoding = detect(&mut Cursor::new(bytes)).unwrap();
    let mut text = Vec::new();
    let length = transcode(&mut Cursor::new(bytes), &mut text, &encoding).unwrap();
    assert_eq!(length, text.len() as u64);
    (encoding, String::from_utf8(text).unwrap())
}

fn encoded(label: &str, text: &str) -> Vec<u8> {
    let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
    let (bytes, _, failed) = encoding.encode(text);
    assert!(!failed, "{text} in {label}");
    bytes.into_owned()
}

fn utf16(text: &str, to_bytes: impl Fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(to_bytes).collect()
}

#[test]
fn utf8_is_utf8_even_with_one_accent() {
    for text in ["", "plain", "Café\n", "\u{80}", "日付,金額"] {
        let (encoding, decoded) = decode(text.as_bytes());
        assert_eq!(encoding, Encoding { name: UTF_8, bom_len: 0, certain: true });
        assert_eq!(decoded, text);
    }
}

#[test]
fn a_mark_decides_and_is_dropped() {
    let text = "Date,Ämter\n1,€";
    let marked = format!("\u{feff}{text}");
    for (bytes, name, bom_len) in [
        (marked.clone().into_bytes(), "UTF-8", 3),
        (utf16(&marked, u16::to_le_bytes), "UTF-16LE", 2),
        (utf16(&marked, u16::to_be_bytes), "UTF-16BE", 2),
    ] {
        let (encoding, decoded) = decode(&bytes);
        assert_eq!(encoding, Encoding { name, bom_len, certain: true });
        assert_eq!(decoded, text);
    }
}

#[test]
fn utf16_without_a_mark_is_found_by_its_zeros() {
    let text = "Date;Amount;Name\n2024-01-01;1,00;Zażółć\n";
    for (bytes, name) in
        [(utf16(text, u16::to_le_bytes), "UTF-16LE"), (utf16(text, u16::to_be_bytes), "UTF-16BE")]
    {
        let (encoding, decoded) = decode(&bytes);
        assert_eq!(encoding, Encoding { name, bom_len: 0, certain: false });
        assert_eq!(decoded, text);
        assert_eq!(content_kind(&bytes, None), ContentKind::Text);
    }
}

#[test]
fn single_byte_encodings_are_guessed() {
    let german = "Datum;Empfänger;Betrag\n01.02.2024;Bäckerei Müller Größe;1,50 €\n";
    let french = "Date;Libellé;Débit;Crédit\n01/02/2024;Café à l'hôtel;1,50;\n";
    let polish = "Data księgowania;Tytuł;Kwota\n2024-02-01;Zażółć gęślą jaźń, łódź;1,50\n";
    let czech = "Datum;Částka;Zpráva pro příjemce\n1.2.2024;1,50;Příliš žluťoučký kůň úpěl\n";
    let russian = "Дата;Описание операции;Сумма\n01.02.2024;Магазин на углу;1,50\n";
    for (label, text) in [
        ("windows-1252", german),
        ("iso-8859-1", french),
        ("windows-1250", polish),
        ("iso-8859-2", polish),
        ("windows-1250", czech),
        ("windows-1251", russian),
    ] {
        assert_eq!(decode(&encoded(label, text)).1, text, "{label}");
    }
}

#[test]
fn a_guess_that_a_hint_could_change_is_not_certain() {
    // é is at the same place in every encoding in which the word makes sense.
    let (encoding, text) = decode(b"Date,Name\n2024-01-01,Caf\xe9\n");
    assert_eq!(text, "Date,Name\n2024-01-01,Caf\u{e9}\n");
    assert!(encoding.certain);
    // One letter that is another one in the next country.
    for bytes in [&b"Ka\xb9e,1"[..], b"a\xbeb", b"pre\xba", b"\xa3ukasz"] {
        assert!(!decode(bytes).0.certain, "{bytes:?}");
    }
}

#[test]
fn signs_of_money_alone_are_those_of_western_europe() {
    for (bytes, text) in [
        (&b"Amount (\xa3)\n\xa35.00\n"[..], "Amount (£)\n£5.00\n"),
        (b"5,00 \x80\n1\xa0000\xa0\x80", "5,00 €\n1\u{a0}000\u{a0}€"),
    ] {
        let (encoding, decoded) = decode(bytes);
        assert_eq!((encoding.name, decoded.as_str()), ("windows-1252", text));
        assert!(!encoding.certain);
    }
}

#[test]
fn broken_utf8_is_an_error_and_not_another_encoding() {
    let mut bytes = "é".repeat(10).into_bytes();
    bytes.push(0xE9);
    bytes.extend_from_slice(b" abc");
    let error = detect(&mut Cursor::new(&bytes)).unwrap_err();
    assert_eq!(error.to_string(), "Byte 20 of the file is not valid UTF-8");
}

#[test]
fn bytes_without_a_character_are_errors_with_their_place() {
    let fail = |name, bytes: &[u8]| {
        let encoding = Encoding { name, bom_len: 0, certain: true };
        let error = transcode(&mut Cursor::new(bytes), &mut io::sink(), &encoding).unwrap_err();
        error.to_string()
    };
    assert_eq!(fail("windows-1252", b"\xe9a\x81b"), "Byte 2 of the file is not valid windows-1252");
    assert_eq!(fail("windows-1253", b"abc\xd2"), "Byte 3 of the file is not valid windows-1253");
    assert_eq!(fail("UTF-8", b"ab\xff"), "Byte 2 of the file is not valid UTF-8");
    assert_eq!(fail("UTF-8", b"ab\xe2\x82"), "Byte 2 of the file is not valid UTF-8");
    assert_eq!(fail("UTF-16LE", b"a\0\0\xd8b\0"), "Byte 2 of the file is not valid UTF-16LE");
    let far = [vec![b'a'; 3 * CHUNK_BYTES], vec![0x81]].concat();
    assert_eq!(fail("windows-1252", &far), "Byte 196608 of the file is not valid windows-1252");
}

#[test]
fn characters_on_the_border_of_a_chunk_are_whole() {
    for shift in 0..4 {
        let text = format!("{}{}", "a".repeat(CHUNK_BYTES - shift), "é€😀\n".repeat(20_000));
        let (encoding, decoded) = decode(text.as_bytes());
        assert!(encoding.certain && encoding.is_utf8());
        assert_eq!(decoded, text);
        let bytes = utf16(&format!("\u{feff}{text}"), u16::to_le_bytes);
        assert_eq!(decode(&bytes).1, text);
    }
    let text = format!("{}Grüße 5 €\n", "plain line\n".repeat(20_000));
    assert_eq!(decode(&encoded("windows-1252", &text)).1, text);
}

#[test]
fn content_is_recognised_by_its_start() {
    for (bytes, looks) in [
        (&b"%PDF-1.7\n%\xe2\xe3"[..], ContentKind::Pdf),
        (b"PK\x03\x04....[Content_Types].xml", ContentKind::Spreadsheet),
        (b"PK\x03\x04....all.ndjson", ContentKind::Zip),
        (b"!Type:Bank\nD1/2'24\n", ContentKind::Qif),
        (b"\xEF\xBB\xBF!ACCOUNT\n", ContentKind::Qif),
        (b"{\"type\":\"Account\",\"data\":{}}\n{\"type\"", ContentKind::Ndjson),
        (b"\n{\"type\":\"Account\"", ContentKind::Ndjson),
        (b"{Date},Amount\n1,2\n", ContentKind::Text),
        (b"Date,Amount\n", ContentKind::Text),
        (b"Date;Caf\xe9\n", ContentKind::Text),
        (b"", ContentKind::Text),
        (b"\xFF\xFED\0a\0", ContentKind::Text),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\x01\x02\0\0", ContentKind::Binary),
        (b"Date,Amount\n\0\x01", ContentKind::Binary),
        (b"\x1f\x8b\x08\x08\x01\x02\x03\x04\x05\x06", ContentKind::Binary),
    ] {
        assert_eq!(content_kind(bytes, None), looks, "{}", String::from_utf8_lossy(bytes));
    }
}

#[test]
fn a_name_counts_where_the_content_does_not_decide() {
    for (bytes, name, looks) in [
        (&b"D1/2'24\nT-1.00\n^\n"[..], "bank.QIF", ContentKind::Qif),
        (b"{\n  \"type\":", "all.ndjson", ContentKind::Ndjson),
        (b"\0\x01%PDF", "a.b.pdf", ContentKind::Pdf),
        (b"\xd0\xcf\x11\xe0\0\0", "bank.xls", ContentKind::Spreadsheet),
        (b"Date,Amount\n", "bank.qif", ContentKind::Text),
        (b"%PDF-1.7\n", "bank.qif", ContentKind::Pdf),
        (b"no table", "bank.txt", ContentKind::Text),
        (b"no table", "qif", ContentKind::Text),
    ] {
        assert_eq!(content_kind(bytes, Some(name)), looks, "{name}");
    }
}

proptest! {
    #[test]
    fn any_bytes_are_text_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        content_kind(&bytes, None);
        if let Ok(encoding) = detect(&mut Cursor::new(&bytes)) {
            let mut text = Vec::new();
            if transcode(&mut Cursor::new(&bytes), &mut text, &encoding).is_ok() {
                prop_assert!(String::from_utf8(text).is_ok());
            }
        }
    }

    #[test]
    fn valid_text_is_never_changed(text in any::<String>()) {
        prop_assume!(!text.starts_with('\u{feff}') && !text.contains('\0'));
        let (encoding, decoded) = decode(text.as_bytes());
        prop_assert!(encoding.certain);
        prop_assert_eq!(decoded, text);
    }
}
