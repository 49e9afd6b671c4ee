//! Exchange rates of a family and of the feed.

mod applying_job;

pub use purser_store::rates::find;

/// What the feed of rates did.
pub mod feed {
    pub use purser_store::rates::feed::{RATES, Status, status};
}

/// Lists of rates, with filters.
pub mod listing {
    pub use purser_store::rates::listing::{Selection, list};
}

/// Rates that a family states itself.
pub mod own {
    pub use purser_store::rates::own::{Imported, OwnRate, get, import, remove, set};
}
