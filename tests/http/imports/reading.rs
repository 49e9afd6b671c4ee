//! How files are read: separators, lines around the table, quotes, encodings. What the database
//! stores of it is tested elsewhere, so these tests use one.

use serde_json::{Value, json};

use super::{IMPORTS, assert_whole, rows, upload};
use crate::support::{Backend, Family, Multipart, Server};

/// The rows of a file that is sent as it is.
#[track_caller]
fn file(family: &Family, content: &[u8], fields: &[(&str, &str)]) -> (Value, Vec<String>) {
    let form = Multipart::new().file("file", "bank.csv", "text/csv", content);
    let form = fields.iter().fold(form, |form, (name, value)| form.text(name, value));
    let import = family.api.post_form(IMPORTS, &form).expect_status(201).json()["data"].clone();
    let rows = rows(&family.api, &import);
    (import, rows)
}

#[test]
fn separators_are_found_or_given() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    for (separator, name) in [(",", ","), (";", ";"), ("\t", "\t"), ("|", "|")] {
        let csv = ["Date,Amount,Name", "2024-01-02,-12.50,Coffee", "2024-01-03,7.00,Refund"]
            .map(|line| line.replace(',', separator))
            .join("\n");
        for fields in [json!({}), json!({ "col_sep": separator })] {
            let import = upload(&family.api, &csv, &fields);
            assert_eq!(import["source"]["col_sep"], name);
            assert_eq!(
                rows(&family.api, &import),
                ["2024-01-02 12.50 USD Coffee", "2024-01-03 -7.00 USD Refund"],
                "{separator:?} {fields}"
            );
        }
    }
    // Commas inside cells are no separators when others are.
    let csv = "Datum;Betrag;Text\n\
               02.01.2024;-12,50;Brot, Käse\n03.01.2024;1.234,56;Lohn, Januar\n";
    let import = upload(&family.api, csv, &json!({}));
    assert_eq!(
        rows(&family.api, &import),
        ["2024-01-02 12.50 USD Brot, Käse", "2024-01-03 -1234.56 USD Lohn, Januar"]
    );
    assert_eq!(import["configuration"]["date_format"], "%d.%m.%Y");
    assert_eq!(import["configuration"]["number_format"], "1.234,56");
    assert_whole(&server);
}

#[test]
fn lines_around_the_table_are_passed_over() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    let expected = ["2024-01-02 12.50 USD Coffee", "2024-01-03 -7.00 USD Refund"];
    let table = "Date,Amount,Name\n2024-01-02,-12.50,Coffee\n2024-01-03,7.00,Refund\n";
    for (before, after, header_line) in [
        ("", "", 1),
        ("\n\n", "\n\n,,\n", 3),
        ("Bank of Somewhere\nStatement of account 12345\n\n", "", 4),
        ("\"Account\",\"DE00 1234\"\n\"From\",\"01.01.2024\"\n", "", 3),
        ("", "Total,-5.50,\n", 1),
        ("", ",-5.50,\n", 1),
        ("", "End of statement\n", 1),
        ("", "Closing balance,,100.00\n\n", 1),
    ] {
        let csv = format!("{before}{table}{after}");
        let import = upload(&family.api, &csv, &json!({}));
        let shown = rows(&family.api, &import);
        assert_eq!(&shown[..2], expected, "{csv:?}");
        // A line that may be a broken row is one: nothing vanishes because it looks odd.
        let odd = after == ",-5.50,\n";
        assert_eq!(shown.len(), if odd { 3 } else { 2 }, "{csv:?}: {shown:?}");
        assert_eq!(import["source"]["header_line"], header_line, "{csv:?}");
        assert_eq!(import["stats"]["rows_count"], shown.len());
    }
    let skipped = format!("Date,Amount,Name\nnot the table\n{table}");
    let import = upload(&family.api, &skipped, &json!({ "rows_to_skip": "2" }));
    assert_eq!(rows(&family.api, &import), expected);
}

#[test]
fn quotes_and_line_ends_are_as_programs_write_them() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    for (csv, expected) in [
        (
            "Date,Amount,Name\r\n2024-01-02,1,A\r\n2024-01-03,2,B\r\n",
            vec!["2024-01-02 -1.00 USD A", "2024-01-03 -2.00 USD B"],
        ),
        (
            "Date,Amount,Name\r2024-01-02,1,A\r2024-01-03,2,B",
            vec!["2024-01-02 -1.00 USD A", "2024-01-03 -2.00 USD B"],
        ),
        (
            "Date,Amount,Name,Notes\n\
             2024-01-02,1,\"two\nlines\",\"a \"\"quoted\"\" word\"\n2024-01-03,x,B,\n",
            vec![
                "2024-01-02 -1.00 USD two\nlines | a \"quoted\" word",
                "line 4: Amount \"x\" is not an amount",
            ],
        ),
        (
            "\"Date\",\"Amount\",\"Name\"\n\"2024-01-02\",\"1,234.50\",\"A, B\"\n",
            vec!["2024-01-02 -1234.50 USD A, B"],
        ),
        ("Date,Amount,Name\n2024-01-02,1,5\" pipe\n", vec!["2024-01-02 -1.00 USD 5\" pipe"]),
        ("Date,Amount,Name\n 2024-01-02 , 1.00 ,  spaced  \n", vec!["2024-01-02 -1.00 USD spaced"]),
        ("Date,Amount,Name\n2024-01-02,1\n", vec!["2024-01-02 -1.00 USD Imported transaction"]),
        ("Date,Amount,Name\n2024-01-02,1,A,,\n", vec!["2024-01-02 -1.00 USD A"]),
        (
            "Date,Amount,Name\n2024-01-02,1,A,more\n",
            vec!["line 2: The record has 4 cells, the header only 3"],
        ),
        ("Date,Amount,Name,Name\n2024-01-02,1,A,B\n", vec!["2024-01-02 -1.00 USD A"]),
        ("DATE *,  Amount  ,name\n2024-01-02,1,A\n", vec!["2024-01-02 -1.00 USD A"]),
    ] {
        let known = json!({ "signage_convention": "inflows_positive" });
        let import = upload(&family.api, csv, &known);
        assert_eq!(rows(&family.api, &import), expected, "{csv:?} {import}");
    }
    let import = upload(
        &family.api,
        "Date,Amount,Name\n2024-01-02,1,\"never closed\n2024-01-03,2,B\n",
        &json!({}),
    );
    assert_eq!(import["status_detail"]["configured"], false, "half a file is no import: {import}");
    assert_eq!(import["stats"]["rows_count"], 0);
}

#[test]
fn encodings_are_recognised_and_the_file_stays_as_it_came() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    let csv = "Date,Amount,Name\n2024-01-02,-12.50,Café für 10 €\n\
               2024-01-03,+1.00,Jürgen Groß\n\
               2024-01-04,+2.00,naïve façade déjà vu\n";
    let expected = [
        "2024-01-02 12.50 USD Café für 10 €",
        "2024-01-03 -1.00 USD Jürgen Groß",
        "2024-01-04 -2.00 USD naïve façade déjà vu",
    ];
    let windows: Vec<u8> = csv
        .chars()
        .map(|c| match c {
            '€' => 0x80,
            c => u8::try_from(u32::from(c)).expect("a character of Latin-1"),
        })
        .collect();
    let utf16 = |order: fn(u16) -> [u8; 2]| csv.encode_utf16().flat_map(order).collect::<Vec<u8>>();
    for (bytes, name, certain) in [
        (csv.as_bytes().to_vec(), "UTF-8", Some(true)),
        ([b"\xEF\xBB\xBF", csv.as_bytes()].concat(), "UTF-8", Some(true)),
        ([&b"\xFF\xFE"[..], &utf16(u16::to_le_bytes)].concat(), "UTF-16LE", Some(true)),
        ([&b"\xFE\xFF"[..], &utf16(u16::to_be_bytes)].concat(), "UTF-16BE", Some(true)),
        (utf16(u16::to_le_bytes), "UTF-16LE", None),
        (windows, "windows-1252", Some(false)),
    ] {
        let (import, shown) = file(&family, &bytes, &[]);
        assert_eq!(shown, expected, "{name}: {}", import["source"]);
        assert_eq!(import["source"]["encoding"], name);
        if let Some(certain) = certain {
            assert_eq!(import["source"]["encoding_certain"], certain, "{name}");
        }
        let sums = super::sql::query(&server, "SELECT bytes FROM files ORDER BY created_at, id");
        assert!(sums.iter().any(|row| row[0] == bytes.len().to_string()), "as it came: {sums:?}");
    }
    // A single letter beyond ASCII is enough to recognise UTF-8.
    let (_, shown) = file(&family, "Date,Amount,Name\n2024-01-02,+1,Café\n".as_bytes(), &[]);
    assert_eq!(shown, ["2024-01-02 -1.00 USD Café"]);
    // Bytes that no statistics of letters can distinguish are read, and the doubt is reported.
    let (import, shown) = file(&family, b"Date,Amount,Name\n2024-01-02,+1,10 \x80\n", &[]);
    assert_eq!(shown, ["2024-01-02 -1.00 USD 10 €"]);
    assert_eq!(import["source"]["encoding_certain"], false, "{}", import["source"]);
    assert_whole(&server);
}

#[test]
fn headers_of_many_languages_are_known() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    let expected = ["2024-01-20 12.50 USD Coffee"];
    for header in [
        "Buchungstag;Betrag;Verwendungszweck",
        "Datum;Umsatz;Empfänger",
        "Fecha;Importe;Concepto",
        "Date;Montant;Libellé",
        "Data;Importo;Descrizione",
        "Datum;Bedrag;Omschrijving",
        "Data;Valor;Descrição",
        "Data operacji;Kwota;Opis",
        "Datum;Belopp;Text",
        "Transaction Date;Amount;Description",
        "BOOKING DATE;AMOUNT;PAYEE",
        "Posting_Date;Amount;Memo",
        "Dátum;Összeg;Közlemény",
        "Tarih;Tutar;Açıklama",
        "Дата;Сумма;Описание",
        "日付;金額;摘要",
    ] {
        let import =
            upload(&family.api, &format!("{header}\n20.01.2024;-12,50;Coffee\n"), &json!({}));
        assert_eq!(rows(&family.api, &import), expected, "{header}: {}", import["source"]);
    }
}

#[test]
fn labels_are_matched_as_people_write_them() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    let csv = "Cafe\u{301} Datum,Betrag (EUR),Text,Amount\n2024-01-02,-1.00,A,9.00\n";
    for label in ["Café Datum", " café   datum ", "CAFÉ_DATUM", "Cafe\u{301}-Datum"] {
        let fields = json!({
            "date_col_label": label, "amount_col_label": "betrag (eur)",
            "name_col_label": "TEXT",
        });
        let import = upload(&family.api, csv, &fields);
        // The header names the currency of the amounts, whatever the family's currency.
        assert_eq!(rows(&family.api, &import), ["2024-01-02 1.00 EUR A"], "{label}");
        assert_eq!(import["source"]["amount_currency"], "EUR");
        assert_eq!(import["configuration"]["amount_col_label"], "Betrag (EUR)");
    }
}
