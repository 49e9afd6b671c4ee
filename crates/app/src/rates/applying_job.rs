//! The job that brings a family's ledger up to date with rates that changed.

use purser_core::error::Result;
use purser_store::rates::applying::{self, ApplyRates};

use crate::jobs::job::{Job, Work};

impl Job for ApplyRates {
    const KIND: &'static str = applying::KIND;

    fn run(&self, work: &Work<'_>) -> Result<()> {
        ApplyRates::run(self, work.store, work.claim)
    }
}
