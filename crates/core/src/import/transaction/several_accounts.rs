//! Tables that were made of statements of several accounts.
//!
//! Their column of accounts has a name that no bank writes. If one account was chosen for all rows,
//! that is a mistake: it leaves open where the rows of the others go.

use crate::import::cells::Cells;
use crate::import::kind::{Context, Detect};
use crate::import::layout::Layout;
use crate::import::layout_problem::LayoutProblem;

/// The header of the account in such a table.
pub const ACCOUNT_OF_SEVERAL: &str = "Account (of several)";

/// Adds the problem once everything else is known.
struct IntoOne {
    inner: Option<Box<dyn Detect>>,
}

/// The detector that also sees whether rows of several accounts are to go into one.
pub(super) fn watched(
    inner: Option<Box<dyn Detect>>,
    layout: &Layout,
    context: Context<'_>,
) -> Option<Box<dyn Detect>> {
    let is_of_several = layout.headers.iter().any(|header| header == ACCOUNT_OF_SEVERAL);
    match context.account {
        Some(_) if is_of_several => Some(Box::new(IntoOne { inner })),
        _ => inner,
    }
}

impl Detect for IntoOne {
    fn observe(&mut self, cells: Cells<'_>) {
        if let Some(inner) = &mut self.inner {
            inner.observe(cells);
        }
    }

    fn is_done(&self) -> bool {
        self.inner.as_ref().is_none_or(|inner| inner.is_done())
    }

    fn finish(self: Box<Self>, layout: &mut Layout) {
        layout.problems.push(LayoutProblem::SeveralAccounts);
        if let Some(inner) = self.inner {
            inner.finish(layout);
        }
    }
}
