//! What the request that made an import knows beyond the values of its settings.

use super::Settings;

impl Settings {
    /// Settings that were made from some of these: what the caller knows of the amount holds as
    /// long as it is in the column that was named.
    #[must_use]
    pub fn with_caller(&self, other: Self) -> Self {
        let is_same = other.labels.amount == self.labels.amount;
        Self { names_amount: self.names_amount && is_same, ..other }
    }

    /// The same, sent by a caller who names the column of the amount only if the convention of its
    /// signs is known.
    #[must_use]
    pub fn of_caller(self) -> Self {
        Self { names_amount: self.labels.amount.is_some(), ..self }
    }
}
