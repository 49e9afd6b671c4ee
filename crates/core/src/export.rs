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
