//! Reports: figures over many accounts and days, computed when they are asked for.

pub mod gains;
pub mod net_worth;

use purser_core::error::{Error, Result};

/// Refuses a report that would take more memory than one request may: `what` names the things that
/// it would have more than `most` of.
pub(crate) fn require_at_most(most: usize, count: usize, what: &str) -> Result<()> {
    if count <= most {
        return Ok(());
    }
    let message = format!(
        "The report has more than {most} {what}; ask for a shorter time, or for a longer interval \
         where there is one"
    );
    Err(Error::invalid_code("report_too_large", message))
}
