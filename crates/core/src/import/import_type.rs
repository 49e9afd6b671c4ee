//! The twelve types of imports.

use crate::named::text_enum;

text_enum! {
    /// What an import's file holds.
    ImportType {
        /// A bank's transactions as CSV.
        Transaction = "TransactionImport",
        /// Trades in a CSV file.
        Trade = "TradeImport",
        /// Accounts in a CSV file.
        Account = "AccountImport",
        /// The export of Mint.
        Mint = "MintImport",
        /// The export of Actual Budget.
        Actual = "ActualImport",
        /// The export of a YNAB register.
        Ynab = "YnabImport",
        /// Categories in a CSV file.
        Category = "CategoryImport",
        /// Rules in a CSV file.
        Rule = "RuleImport",
        /// Merchants in a CSV file.
        Merchant = "MerchantImport",
        /// A statement as a PDF document.
        Pdf = "PdfImport",
        /// Transactions in a QIF file.
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
}
