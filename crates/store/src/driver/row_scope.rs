//! Of which families PostgreSQL shows a transaction rows, and lets it write them.
//!
//! The setting `purser.family` has it, and a policy of every table compares with it (see
//! [`crate::migrations`]). It ends with its transaction, so that a pool between this program and
//! the database may give the connection to somebody else.

use purser_core::error::Result;

use super::Tx;

/// The rows that a transaction may reach. SQLite shows all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum RowScope {
    /// Nobody's, as long as nothing else was set.
    #[default]
    Nobody,
    /// Those of the family with this number.
    Family(i64),
    /// Those of every family.
    EveryFamily,
}

impl RowScope {
    /// The statement that sets it, for the rest of a transaction.
    pub(super) fn set_local(self) -> String {
        match self {
            Self::Nobody => "SET LOCAL purser.family = ''".to_owned(),
            Self::Family(number) => format!("SET LOCAL purser.family = '{number}'"),
            Self::EveryFamily => "SET LOCAL purser.family = 'all'".to_owned(),
        }
    }
}

impl Tx<'_> {
    /// Runs a part of the transaction that may reach these rows only.
    pub(crate) fn with_row_scope<T>(
        &mut self,
        scope: RowScope,
        work: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let before = self.set_row_scope(scope);
        let result = work(self);
        self.set_row_scope(before);
        result
    }
}
