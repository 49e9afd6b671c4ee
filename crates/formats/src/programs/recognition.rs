//! Which type of import a file is for: by its first bytes, by what an archive holds, else by
//! columns that only one program or one kind of file has.
//!
//! It is a proposal, for the pages and the command line. A table that has nothing of its own is one
//! of a bank; that is nothing to propose.

use std::io::{self, Read, Seek, SeekFrom};

use purser_core::import::import_type::ImportType;
use purser_core::import::kinds::Kind;
use purser_core::import::trade;

use super::archived::type_in_archive;
use super::{table, ynab};
use crate::decode::{ContentKind, HEAD_BYTES, content_kind, fill};
use crate::sheets::{self, Workbook};
use crate::statements::has_investments;

/// Columns of which each has one of the names, whatever else there is.
type Signature = &'static [&'static [&'static str]];

/// Tables that are known by their columns. The first that fits counts.
const SIGNATURES: [(ImportType, Signature); 8] = [
    (
        ImportType::Mint,
        &[
            &["date"],
            &["original description"],
            &["amount"],
            &["transaction type"],
            &["account name"],
        ],
    ),
    (
        ImportType::Ynab,
        &[&["account"], &["date"], &["payee"], &["outflow"], &["inflow"], &["flag", "cleared"]],
    ),
    (ImportType::Ynab, &ynab::PLAN),
    (
        ImportType::Actual,
        &[&["account"], &["date"], &["payee"], &["notes"], &["amount"], &["cleared"]],
    ),
    (ImportType::Rule, &[&["conditions"], &["actions"]]),
    (ImportType::Category, &[&["name"], &["parent category", "lucide icon"]]),
    (ImportType::Merchant, &[&["name"], &["website url"]]),
    (
        ImportType::Account,
        &[
            &["name", "account name"],
            &["account type", "accountable type", "subtype"],
            &["balance", "opening balance", "starting balance"],
        ],
    ),
];

/// Types of which the tables have neither days nor amounts of money that moved.
const OF_RECORDS: [ImportType; 4] =
    [ImportType::Rule, ImportType::Category, ImportType::Merchant, ImportType::Account];

/// What every table of transactions has, whatever else there is: programs export the parents of
/// categories and the types of accounts beside them.
const TRANSACTIONS: Signature = &[
    &["date", "transaction date", "posting date", "posted date", "booking date"],
    &["amount", "debit", "credit", "outflow"],
];

/// The type of import that content is for, if it is plain; the name of the file decides only where
/// the content shows nothing.
///
/// # Errors
/// If reading fails.
pub fn import_type_of(
    mut content: impl Read + Seek,
    name: Option<&str>,
) -> io::Result<Option<ImportType>> {
    let mut head = vec![0; HEAD_BYTES];
    content.seek(SeekFrom::Start(0))?;
    let filled = fill(&mut content, &mut head, 0)?;
    head.truncate(filled);
    Ok(match content_kind(&head, name) {
        ContentKind::Pdf => Some(ImportType::Pdf),
        ContentKind::Ndjson => Some(ImportType::Native),
        ContentKind::Qif => Some(ImportType::Qif),
        ContentKind::Zip => type_in_archive(content),
        ContentKind::Spreadsheet => type_of_spreadsheet(content),
        ContentKind::Binary => None,
        ContentKind::Text if has_investments(&head) => Some(ImportType::Trade),
        ContentKind::Text => type_of_table(&head),
    })
}

/// The type of the tables in a spreadsheet, if all that have one have the same.
fn type_of_spreadsheet(content: impl Read + Seek) -> Option<ImportType> {
    let heads = sheets::heads(&mut Workbook::open(content).ok()?).ok()?;
    let mut types = heads.iter().filter_map(|head| type_of_table(head));
    let first = types.next().filter(|found| Kind::of(*found).reads_sheets())?;
    types.all(|other| other == first).then_some(first)
}

/// Columns of movements: a table that has one of them beside a balance is no list of accounts.
const MOVEMENTS: &[&str] = &[
    "amount",
    "transaction amount",
    "debit",
    "credit",
    "money in",
    "money out",
    "withdrawal",
    "deposit",
    "transaction date",
    "transaction type",
];

/// The type of a table by its first bytes.
pub(super) fn type_of_table(head: &[u8]) -> Option<ImportType> {
    let has = |signature: Signature| table::open(head, "", signature).is_ok();
    let is_one = |(import_type, signature): &&(ImportType, Signature)| {
        has(signature) && !(OF_RECORDS.contains(import_type) && has(TRANSACTIONS))
    };
    let trades = || table::has_header(head, trade::is_header).then_some(ImportType::Trade);
    let known = SIGNATURES.iter().find(is_one).map(|(import_type, _)| *import_type);
    match known.or_else(trades) {
        Some(ImportType::Account) if has(&[MOVEMENTS]) => None,
        found => found,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::archive::writer::ArchiveWriter;

    #[test]
    fn files_are_recognised_by_what_only_they_have() {
        let ynab =
            "\u{feff}\"Account\",\"Flag\",\"Date\",\"Payee\",\"Memo\",\"Outflow\",\"Inflow\"\n";
        let mut archive = ArchiveWriter::new(Vec::new());
        archive.part("B - Register.csv", |part| part.write_all(ynab.as_bytes())).unwrap();
        archive.part("B - Plan.csv", |part| part.write_all(b"Month,Category\n")).unwrap();
        let archive = archive.finish().unwrap();
        let mut other = ArchiveWriter::new(Vec::new());
        other.part("photo.jpg", |part| part.write_all(b"photo")).unwrap();
        let other = other.finish().unwrap();
        let cases: [(&[u8], Option<ImportType>); 26] = [
            (b"%PDF-1.7\n", Some(ImportType::Pdf)),
            (b"{\"type\":\"Tag\",\"data\":{}}\n", Some(ImportType::Native)),
            (b"!Type:Bank\nD1/2/06\n", Some(ImportType::Qif)),
            (b"OFXHEADER:100\n\n<OFX><INVSTMTMSGSRSV1>", Some(ImportType::Trade)),
            (b"OFXHEADER:100\n\n<OFX><BANKMSGSRSV1>", None),
            (ynab.as_bytes(), Some(ImportType::Ynab)),
            (&archive, Some(ImportType::Ynab)),
            (&other, None),
            (
                b"\"Date\",\"Description\",\"Original Description\",\"Amount\",\"Transaction Type\",\
                  \"Category\",\"Account Name\",\"Labels\",\"Notes\"\n",
                Some(ImportType::Mint),
            ),
            (
                b"Account,Date,Payee,Notes,Category,Amount,Cleared,Reconciled\n",
                Some(ImportType::Actual),
            ),
            (b"name,conditions,actions\n", Some(ImportType::Rule)),
            (b"Name;Color;Parent_Category\n", Some(ImportType::Category)),
            (b"name,color,website_url\n", Some(ImportType::Merchant)),
            (b"Date\tSymbol\tQuantity\tPrice\n", Some(ImportType::Trade)),
            ("Datum;Typ;ISIN;St\u{fc}ck;Kurs\n".as_bytes(), Some(ImportType::Trade)),
            (b"TradeDate,Buy/Sell,Symbol,Quantity,TradePrice\n", Some(ImportType::Trade)),
            (
                b"Month,Category Group,Category,Budgeted,Outflows,Category Balance\n",
                Some(ImportType::Ynab),
            ),
            (b"Account type,Name,Balance\n", Some(ImportType::Account)),
            (
                b"name,account type,subtype,opening balance,currency,balance date\n",
                Some(ImportType::Account),
            ),
            (b"Date,Name,Amount,Balance\n", None),
            (b"Account Name,Account Type,Date,Description,Debit,Credit,Balance\n", None),
            (b"Date,Payee,Memo,Outflow,Inflow\n", None),
            (b"Buchungstag;Betrag;Name\n", None),
            (b"date,name,amount,status,category,parent category,account\n", None),
            (b"Date,Account Name,Account Type,Amount,Balance\n", None),
            (b"", None),
        ];
        for (content, expected) in cases {
            let found = import_type_of(Cursor::new(content), None).unwrap();
            assert_eq!(found, expected, "{}", String::from_utf8_lossy(content));
        }
    }
}
