//! The twelve types of imports.

use super::kinds::Kind;
use crate::ledger::account::text_enum;

text_enum! {
    /// What an import's file holds.
    ImportType {
        /// A bank's transactions as CSV.
        Transaction = "TransactionImport",
        /// Trades as CSV.
        Trade = "TradeImport",
        /// Accounts as CSV.
        Account = "AccountImport",
        /// Mint's export.
        Mint = "MintImport",
        /// Actual Budget's export.
        Actual = "ActualImport",
        /// YNAB's register export.
        Ynab = "YnabImport",
        /// Categories as CSV.
        Category = "CategoryImport",
        /// Rules as CSV.
        Rule = "RuleImport",
        /// Merchants as CSV.
        Merchant = "MerchantImport",
        /// A PDF statement.
        Pdf = "PdfImport",
        /// A QIF file.
        Qif = "QifImport",
        /// This server's own NDJSON.
        Native = "NativeImport",
    }
}

impl ImportType {
    /// As [`ImportType::parse`], and `SureImport` for [`ImportType::Native`]: clients written for
    /// the older server send it.
    pub fn parse_alias(text: &str) -> Option<Self> {
        if text == "SureImport" { Some(Self::Native) } else { Self::parse(text) }
    }

    /// Whether this version can read the type.
    pub fn is_supported(self) -> bool {
        Kind::of(self).is_some()
    }
}
