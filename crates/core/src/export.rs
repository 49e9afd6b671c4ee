//! Exports of everything that a family has.

use crate::named::text_enum;

text_enum! {
    /// The state of an export.
    ExportStatus {
        /// The export waits for a worker.
        Pending = "pending",
        /// The file is being written.
        Processing = "processing",
        /// The file can be downloaded.
        Completed = "completed",
        /// There is no file, because of an error.
        Failed = "failed",
    }
}

text_enum! {
    /// What an export is written as.
    ExportFormat {
        /// The server's own records, one on each line.
        Ndjson = "ndjson",
        /// An archive with the same and with tables for spreadsheets.
        CsvZip = "csv_zip",
        /// A journal for hledger.
        Hledger = "hledger",
        /// A journal for Beancount.
        Beancount = "beancount",
    }
}

impl ExportFormat {
    /// What names of such files end with.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Ndjson => "ndjson",
            Self::CsvZip => "zip",
            Self::Hledger => "journal",
            Self::Beancount => "beancount",
        }
    }

    /// The type of the content, as HTTP names it.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Ndjson => "application/x-ndjson",
            Self::CsvZip => "application/zip",
            Self::Hledger | Self::Beancount => "text/plain; charset=utf-8",
        }
    }
}
