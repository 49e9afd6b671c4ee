//! What the import of a document asks a person about.

use std::collections::HashMap;
use std::io::Cursor;

use jiff::civil::date;
use purser_core::import::kind::{Context, TargetAccount};
use purser_core::import::kinds::Kind;
use purser_core::import::layout_problem::texts;
use purser_core::import::row_edit::RowEdits;
use purser_core::import::settings::Settings;
use purser_core::import::source_file::{FileFormat, SourceFile};
use purser_core::ledger::account::Classification;
use purser_core::money::Currency;
use purser_formats::decode::{Encoding, UTF_8};
use purser_formats::pdf::{PdfError, PdfFacts, PdfProof, write_table};
use purser_formats::records::analyse;

/// A document as the import has it.
pub(crate) struct Judged {
    pub(crate) facts: PdfFacts,
    pub(crate) table: String,
    /// Questions, and rows that can't be imported.
    pub(crate) asked: Vec<String>,
    /// What the next document of the account is read with.
    pub(crate) stated_is_debt: Option<bool>,
}

impl Judged {
    /// The amounts and balances of all rows, those at the ends too, whatever their order.
    pub(crate) fn money(&self) -> Vec<String> {
        self.cells(&["Amount", "Money in", "Money out", "Balance", "Account (of several)"])
    }

    /// The same without the accounts, and perhaps without the balances.
    pub(crate) fn amounts(&self, has_balances: bool) -> Vec<String> {
        let names = ["Amount", "Money in", "Money out", "Balance"];
        self.cells(&names[..if has_balances { 4 } else { 3 }])
    }

    fn cells(&self, names: &[&str]) -> Vec<String> {
        let mut reader = csv::Reader::from_reader(self.table.as_bytes());
        let header = reader.headers().unwrap().clone();
        let of_record = |record: Result<csv::StringRecord, csv::Error>| {
            let record = record.unwrap();
            let cells = header.iter().zip(&record).filter(|(name, _)| names.contains(name));
            cells.map(|(_, cell)| cell).collect::<Vec<_>>().join(" ")
        };
        let mut rows: Vec<String> = reader.records().map(of_record).collect();
        rows.sort_unstable();
        rows
    }
}

/// Reads a document as its import does, into an account of the kind or those that it names, with
/// answers and what is known of earlier ones.
pub(crate) fn judge(
    document: &[u8],
    classification: Option<Classification>,
    settings: &Settings,
) -> Result<Judged, PdfError> {
    let mut table = Vec::new();
    let facts = write_table(document, "", &mut table, std::io::sink())?;
    let currencies = HashMap::new();
    let context = Context {
        as_of: date(2026, 2, 15),
        family_currency: Currency::EUR,
        account: classification
            .map(|classification| TargetAccount { currency: Currency::EUR, classification }),
        account_currencies: &currencies,
        row_set: None,
    };
    let encoding = Encoding { name: UTF_8, bom_len: 0, certain: true };
    let open = || Ok(Cursor::new(&table[..]));
    let mut analysis =
        analyse(open, Kind::Pdf, &encoding, settings, context, &RowEdits::new()).unwrap();
    let is_unproven = facts.proof == PdfProof::Nothing;
    analysis.of_file(SourceFile {
        unproven: is_unproven.then(|| "Not proven".to_owned()).into_iter().collect(),
        unstated_ends: facts.unstated_ends.clone(),
        ..SourceFile::of(FileFormat::Pdf)
    });
    let invalid = analysis.findings.iter().map(|finding| finding.reasons.join("; "));
    let asked = texts(&analysis.layout.problems).into_iter().chain(invalid).collect();
    let stated_is_debt = analysis.layout.stated_is_debt;
    Ok(Judged { facts, table: String::from_utf8(table).unwrap(), asked, stated_is_debt })
}
