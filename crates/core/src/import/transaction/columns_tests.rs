use super::*;
use crate::error::texts;
use crate::import::columns::{duplicates, listed};

fn headers(line: &str) -> Vec<String> {
    line.split(';').map(str::to_owned).collect()
}

fn found(line: &str) -> Columns {
    resolve(&headers(line), &Labels::default()).unwrap()
}

/// Headers of real exports, one or more for each language: date, amount or debit and credit, the
/// first column of the name, notes.
#[test]
fn headers_of_banks_are_understood() {
    let signed = |date, amount, name, notes: Option<usize>| (date, amount, None, name, notes);
    let split =
        |date, debit, credit, name, notes: Option<usize>| (date, debit, Some(credit), name, notes);
    for (line, (date, amount, credit, name, notes)) in [
        // English
        (
            "Details;Posting Date;Description;Amount;Type;Balance;Check or Slip #",
            signed(1, 3, 2, Some(0)),
        ),
        (
            "Transaction Date;Post Date;Description;Category;Type;Amount;Memo",
            signed(1, 5, 2, Some(6)),
        ),
        ("Date;Transaction Type;Description;Paid out;Paid in;Balance", split(0, 3, 4, 2, None)),
        ("Date;Payee;Memo;Outflow;Inflow", split(0, 3, 4, 1, Some(2))),
        (
            "Date;Narration;Chq./Ref.No.;Value Dt;Withdrawal Amt.;Deposit Amt.",
            split(0, 4, 5, 1, None),
        ),
        // German
        (
            "Auftragskonto;Buchungstag;Valutadatum;Buchungstext;Verwendungszweck;\
             Beguenstigter/Zahlungspflichtiger;Kontonummer/IBAN;BIC;Betrag;Waehrung;Info",
            signed(1, 8, 5, Some(4)),
        ),
        (
            "Buchungsdatum;Wertstellung;Status;Zahlungspflichtige*r;Zahlungsempfänger*in;\
             Verwendungszweck;Umsatztyp;IBAN;Betrag (€)",
            signed(0, 8, 4, Some(5)),
        ),
        (
            "Buchung;Valuta;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Saldo;Betrag",
            signed(0, 6, 2, Some(4)),
        ),
        ("Datum;Text;Soll;Haben", split(0, 2, 3, 1, None)),
        // French
        ("Date;Date de valeur;Débit;Crédit;Libellé;Solde", split(0, 2, 3, 4, None)),
        ("dateOp;dateVal;label;category;amount;comment", signed(0, 4, 2, Some(5))),
        ("Date opération;Libellé;Montant (EUROS)", signed(0, 2, 1, None)),
        // Spanish
        ("F. CONTABLE;F. VALOR;CONCEPTO;IMPORTE;SALDO;OBSERVACIONES", signed(0, 3, 2, Some(5))),
        ("Fecha;Descripción;Cargo;Abono;Saldo", split(0, 2, 3, 1, None)),
        // Italian
        (
            "Data contabile;Data valuta;Dare;Avere;Divisa;Descrizione operazione",
            split(0, 2, 3, 5, None),
        ),
        (
            "Data;Operazione;Dettagli;Conto o carta;Contabilizzazione;Categoria;Valuta;Importo",
            signed(0, 7, 1, Some(2)),
        ),
        // Portuguese
        (
            "Data Mov.;Data Valor;Descrição do Movimento;Débito;Crédito;Saldo",
            split(0, 3, 4, 2, None),
        ),
        ("Data Lançamento;Histórico;Descrição;Valor;Saldo", signed(0, 3, 1, Some(2))),
        // Dutch
        (
            "Datum;Naam / Omschrijving;Rekening;Tegenrekening;Code;Af Bij;Bedrag (EUR);\
             Mutatiesoort;Mededelingen",
            signed(0, 6, 1, Some(8)),
        ),
        (
            "IBAN/BBAN;Munt;BIC;Volgnr;Datum;Rentedatum;Bedrag;Naam tegenpartij;Omschrijving-1",
            signed(4, 6, 7, Some(8)),
        ),
        // Swedish
        (
            "Bokföringsdag;Belopp;Avsändare;Mottagare;Namn;Rubrik;Saldo;Valuta",
            signed(0, 1, 3, Some(5)),
        ),
        ("Datum;Text;Insättning;Uttag;Saldo", split(0, 3, 2, 1, None)),
        // Danish
        ("Dato;Tekst;Beløb;Saldo;Status;Afstemt", signed(0, 2, 1, None)),
        ("Bogført dato;Rentedato;Tekst;Indtægt;Udgift;Saldo", split(0, 4, 3, 2, None)),
        // Norwegian
        ("Dato;Forklaring;Rentedato;Ut fra konto;Inn på konto", split(0, 3, 4, 1, None)),
        (
            "Utført dato;Bokført dato;Beskrivelse;Type;Undertype;Beløp inn;Beløp ut",
            split(1, 6, 5, 2, None),
        ),
        // Finnish
        ("Kirjauspäivä;Määrä;Maksaja;Maksunsaaja;Nimi;Otsikko;Viesti", signed(0, 1, 4, Some(6))),
        (
            "Kirjauspäivä;Arvopäivä;Määrä EUROA;Laji;Selitys;Saaja/Maksaja;Viesti",
            signed(0, 2, 5, Some(6)),
        ),
        // Polish
        (
            "#Data operacji;#Data księgowania;#Opis operacji;#Tytuł;#Nadawca/Odbiorca;#Kwota",
            signed(1, 5, 4, Some(3)),
        ),
        (
            "Data transakcji;Opis transakcji;Obciążenia;Uznania;Saldo;Waluta",
            split(0, 2, 3, 1, None),
        ),
        // Czech
        (
            "ID pohybu;Datum;Objem;Měna;Protiúčet;Název protiúčtu;Zpráva pro příjemce;Poznámka",
            signed(1, 2, 5, Some(7)),
        ),
        ("Datum zaúčtování;Datum provedení;Popis;Příjmy;Výdaje", split(0, 4, 3, 2, None)),
        // Hungarian
        ("Könyvelés dátuma;Partner neve;Közlemény;Összeg;Devizanem", signed(0, 3, 1, Some(2))),
        ("Dátum;Megnevezés;Terhelés;Jóváírás", split(0, 2, 3, 1, None)),
        // Turkish
        ("Tarih;Açıklama;İşlem Tutarı;Bakiye", signed(0, 2, 1, None)),
        ("İşlem Tarihi;Valör;Açıklama;Borç;Alacak", split(0, 3, 4, 2, None)),
        // Romanian
        ("Data;Descriere;Suma;Sold", signed(0, 2, 1, None)),
        ("Data tranzacției;Detalii tranzacție;Debit;Credit", split(0, 2, 3, 1, None)),
    ] {
        let columns = found(line);
        assert_eq!(columns.date, Some(date), "date of {line}");
        match credit {
            None => assert_eq!((columns.amount, columns.debit), (Some(amount), None), "{line}"),
            Some(_) => {
                assert_eq!((columns.debit, columns.credit), (Some(amount), credit), "{line}");
                assert_eq!(columns.amount, None, "{line}");
            }
        }
        assert_eq!(columns.names.first(), Some(&name), "name of {line}");
        assert_eq!(columns.notes, notes, "notes of {line}");
    }
}

#[test]
fn the_other_columns_are_found_too() {
    let columns = found("Date,Amount".replace(',', ";").as_str());
    assert_eq!(columns, Columns { date: Some(0), amount: Some(1), ..Columns::default() });
    let line = "date*;amount*;name;currency;category;tags;account;notes;Transaction ID;Type";
    let columns = found(line);
    let expected = Columns {
        date: Some(0),
        amount: Some(1),
        names: vec![2],
        currency: Some(3),
        category: Some(4),
        tags: Some(5),
        account: Some(6),
        notes: Some(7),
        external_id: Some(8),
        direction: Some(9),
        ..Columns::default()
    };
    assert_eq!(columns, expected);
}

#[test]
fn labels_are_compared_leniently_and_win() {
    let labels = Labels {
        date: Some("value_DATE".to_owned()),
        name: Some("CAFE\u{301}".to_owned()),
        amount: Some("Paid".to_owned()),
        ..Labels::default()
    };
    let headers = headers("Date;Value - Date*;Café;Paid;Amount;Debit;Credit;Description");
    let columns = resolve(&headers, &labels).unwrap();
    assert_eq!((columns.date, columns.amount, columns.debit), (Some(1), Some(3), None));
    assert_eq!(columns.names, [2]);
    assert_eq!(columns.notes, Some(7));
}

#[test]
fn a_column_that_a_label_took_is_nothing_else() {
    let labels = Labels { name: Some("Notes".to_owned()), ..Labels::default() };
    let columns = resolve(&headers("Date;Amount;Notes"), &labels).unwrap();
    assert_eq!((columns.names, columns.notes), (vec![2], None));
}

#[test]
fn every_missing_label_is_reported_with_the_headers_found() {
    let labels = Labels {
        date: Some("When".to_owned()),
        amount: Some("Amount".to_owned()),
        currency: Some("Ccy".to_owned()),
        ticker: Some("only for trades".to_owned()),
        ..Labels::default()
    };
    let refused = resolve(&headers("Date;Amount"), &labels).unwrap_err();
    assert_eq!(
        texts(&refused),
        [
            "The date_col_label \"When\" is not in the header; headers found: \"Date\", \"Amount\"",
            "The currency_col_label \"Ccy\" is not in the header; headers found: \"Date\", \"Amount\"",
        ]
    );
    let settings: Vec<_> = refused.iter().map(Problem::path).collect();
    assert_eq!(settings, [Some("date_col_label"), Some("currency_col_label")]);
}

#[test]
fn of_equal_headers_the_first_counts() {
    let line = "Date;Amount;amount ;Date;;";
    let columns = found(line);
    assert_eq!((columns.date, columns.amount), (Some(0), Some(1)));
    assert_eq!(duplicates(&headers(line)), ["amount ", "Date"]);
}

#[test]
fn one_of_debit_and_credit_is_not_enough() {
    let columns = found("Date;Debit;Description");
    assert_eq!((columns.amount, columns.debit, columns.credit), (None, None, None));
}

#[test]
fn headers_score_higher_than_what_stands_before_them() {
    let score = |line: &str| header_score(&headers(line), &Labels::default());
    assert!(score("Date;Description;Amount") > score("Account;Checking"));
    assert_eq!(score("IBAN;DE02120300000000202051"), 0);
    assert_eq!(score("Date;Value date;Booking date"), 1);
    let labels = Labels { date: Some("Wann".to_owned()), ..Labels::default() };
    assert_eq!(header_score(&headers("wann;was"), &labels), 4);
}

#[test]
fn a_message_lists_few_headers_and_little_of_each() {
    let long: Vec<String> = (0..500).map(|n| format!("{n}{}", "é".repeat(500))).collect();
    let shown = listed(&long);
    assert!(shown.ends_with(" and 470 more"), "{shown}");
    assert!(shown.chars().count() < 30 * 70, "{shown}");
    assert_eq!(listed(&long[..30]).matches('…').count(), 30);
    assert_eq!(listed(&["a".to_owned(), "b".to_owned()]), "\"a\", \"b\"");
}

#[test]
fn the_currency_goes_with_the_amount() {
    let chosen = |line: &str| {
        let columns = found(line);
        (columns.amount, columns.currency)
    };
    for (line, expected) in [
        ("Date;Amount;Currency;Account currency", (Some(1), Some(2))),
        (
            "Date;Transaction amount;Transaction currency;Billing amount;Billing currency",
            (Some(3), Some(4)),
        ),
        ("Date;Transaction amount;Transaction currency;Account currency", (Some(1), Some(2))),
        ("Date;Amount;Transaction currency", (Some(1), Some(2))),
        ("Date;Amount;Transaction amount;Transaction currency", (Some(1), None)),
        ("Date;Amount;Original amount;Transaction currency", (Some(1), None)),
        ("Date;Amount;Transaction amount;Transaction currency;Currency", (Some(1), Some(4))),
        ("Date;Booked amount;Transaction currency", (Some(1), None)),
        ("Date;Amount (EUR);Currency", (Some(1), None)),
        ("Date;Amount;Original amount;Original currency", (Some(1), None)),
    ] {
        assert_eq!(chosen(line), expected, "{line}");
    }
}

#[test]
fn two_columns_with_the_same_right_are_a_doubt() {
    for (line, doubts) in [
        ("Date;Amount (EUR);Amount (USD)", 1),
        ("Date;Betrag;Umsatz", 1),
        ("Posting date;Booking date;Amount", 1),
        ("Date;Debit;Withdrawals;Credit;Deposits", 2),
        ("Date;Value date;Amount;Balance", 0),
        ("Date;Amount;Amount", 0),
    ] {
        assert_eq!(found(line).doubts.len(), doubts, "{line}");
    }
    let labels = Labels { amount: Some("Umsatz".to_owned()), ..Labels::default() };
    assert_eq!(resolve(&headers("Date;Betrag;Umsatz"), &labels).unwrap().doubts, []);
}

#[test]
fn a_day_with_an_amount_makes_a_header() {
    let score = |line: &str| header_score(&headers(line), &Labels::default());
    let table_of_accounts = "Account;Account number;Currency;Category;Notes;Type";
    assert!(score("Date;Payee;Amount") > score(table_of_accounts));
}

#[test]
fn a_currency_is_left_aside_only_beside_an_amount_in_it() {
    for (other, is_abroad) in [
        ("Transaction amount", true),
        ("Original value", true),
        ("Fremdbetrag", true),
        ("Transaction code", false),
        ("Transaction time", false),
        ("Transaction reference", false),
        ("Transaction branch", false),
        ("Original text", false),
    ] {
        let columns = found(&format!("Date;Description;Amount;Transaction currency;{other}"));
        assert_eq!(columns.currency.is_none(), is_abroad, "{other}");
    }
}
