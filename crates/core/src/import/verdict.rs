//! Verdicts: what is to become of each row of a file.
//!
//! A plan is one verdict per row, and for some of them the entry that they refer to. It is made
//! before anything is published, is what every preview shows, and is what the publish executes.

use crate::named::text_enum;

text_enum! {
    /// What is to become of a row.
    Verdict {
        /// A new transaction that resembles none.
        Create = "create",
        /// A new transaction that resembles an entry: same amount, at most three days apart. It is
        /// never merged by itself.
        PossibleDuplicate = "possible_duplicate",
        /// The entry with the same id of the bank, in the same account, with the same amount.
        MatchedById = "matched_by_id",
        /// An entry with an equal origin: account, day, amount, currency, name.
        MatchedByContent = "matched_by_content",
        /// What a person deleted: it stays deleted.
        DeletedBefore = "deleted_before",
        /// It can't be read; the reasons are found again when the row is shown.
        Invalid = "invalid",
        /// A person left it out.
        LeftOut = "left_out",
        /// A person must choose first what its account stands for.
        NeedsChoice = "needs_choice",
        /// It stands for a record of the family by its name, and changes nothing of it.
        MatchedByName = "matched_by_name",
        /// It stands for a record of the family by its name, which gets other values.
        Change = "change",
        /// An earlier row stands for the same record, and acts for this one too.
        Repeats = "repeats",
        /// An entry that was made of, or matched with, the same record of an earlier file, which
        /// was read otherwise: another name, day or amount.
        MatchedByRecord = "matched_by_record",
    }
}

impl Verdict {
    /// The byte that stands in a stored plan.
    pub fn code(self) -> u8 {
        match self {
            Self::Create => 0,
            Self::PossibleDuplicate => 1,
            Self::MatchedById => 2,
            Self::MatchedByContent => 3,
            Self::DeletedBefore => 4,
            Self::Invalid => 5,
            Self::LeftOut => 6,
            Self::NeedsChoice => 7,
            Self::MatchedByName => 8,
            Self::Change => 9,
            Self::Repeats => 10,
            Self::MatchedByRecord => 11,
        }
    }

    /// The verdict of a byte.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.iter().copied().find(|verdict| verdict.code() == code)
    }

    /// Whether a publish makes a transaction of the row.
    pub fn creates(self) -> bool {
        matches!(self, Self::Create | Self::PossibleDuplicate)
    }

    /// Whether a publish leaves nothing of the row in the ledger.
    pub fn leaves_nothing(self) -> bool {
        matches!(self, Self::LeftOut | Self::DeletedBefore | Self::Invalid)
    }

    /// Whether it refers to an entry, living or deleted, or to another record.
    pub fn refers(self) -> bool {
        use Verdict::{Change, DeletedBefore, MatchedByName, PossibleDuplicate};
        self.matches() || matches!(self, PossibleDuplicate | DeletedBefore | MatchedByName | Change)
    }

    /// Whether the row stands for an entry that exists.
    pub fn matches(self) -> bool {
        matches!(self, Self::MatchedById | Self::MatchedByContent | Self::MatchedByRecord)
    }
}

/// How many rows have each verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Counts {
    /// See [`Verdict::Create`]; those that resemble an entry are not among them.
    pub create: u64,
    /// Rows with the verdict [`Verdict::PossibleDuplicate`].
    pub possible_duplicate: u64,
    /// Rows with the verdict [`Verdict::MatchedById`].
    pub matched_by_id: u64,
    /// Rows with the verdict [`Verdict::MatchedByContent`].
    pub matched_by_content: u64,
    /// Rows with the verdict [`Verdict::DeletedBefore`].
    pub deleted_before: u64,
    /// Rows with the verdict [`Verdict::Invalid`].
    pub invalid: u64,
    /// Rows with the verdict [`Verdict::LeftOut`].
    pub left_out: u64,
    /// Rows with the verdict [`Verdict::NeedsChoice`].
    pub needs_choice: u64,
    /// Rows with the verdict [`Verdict::MatchedByName`].
    pub matched_by_name: u64,
    /// Rows with the verdict [`Verdict::Change`].
    pub change: u64,
    /// Rows with the verdict [`Verdict::Repeats`].
    pub repeats: u64,
    /// Rows with the verdict [`Verdict::MatchedByRecord`].
    pub matched_by_record: u64,
}

impl Counts {
    /// Counts one row with its verdict.
    pub fn add(&mut self, verdict: Verdict) {
        let count = match verdict {
            Verdict::Create => &mut self.create,
            Verdict::PossibleDuplicate => &mut self.possible_duplicate,
            Verdict::MatchedById => &mut self.matched_by_id,
            Verdict::MatchedByContent => &mut self.matched_by_content,
            Verdict::DeletedBefore => &mut self.deleted_before,
            Verdict::Invalid => &mut self.invalid,
            Verdict::LeftOut => &mut self.left_out,
            Verdict::NeedsChoice => &mut self.needs_choice,
            Verdict::MatchedByName => &mut self.matched_by_name,
            Verdict::Change => &mut self.change,
            Verdict::Repeats => &mut self.repeats,
            Verdict::MatchedByRecord => &mut self.matched_by_record,
        };
        *count += 1;
    }

    /// How many rows have a verdict.
    pub fn of(&self, verdict: Verdict) -> u64 {
        match verdict {
            Verdict::Create => self.create,
            Verdict::PossibleDuplicate => self.possible_duplicate,
            Verdict::MatchedById => self.matched_by_id,
            Verdict::MatchedByContent => self.matched_by_content,
            Verdict::DeletedBefore => self.deleted_before,
            Verdict::Invalid => self.invalid,
            Verdict::LeftOut => self.left_out,
            Verdict::NeedsChoice => self.needs_choice,
            Verdict::MatchedByName => self.matched_by_name,
            Verdict::Change => self.change,
            Verdict::Repeats => self.repeats,
            Verdict::MatchedByRecord => self.matched_by_record,
        }
    }

    /// All rows that have a verdict.
    pub fn all(&self) -> u64 {
        Verdict::ALL.iter().map(|verdict| self.of(*verdict)).sum()
    }

    /// Transactions or other records that a publish makes.
    pub fn created(&self) -> u64 {
        self.create + self.possible_duplicate
    }

    /// Rows that stand for what exists, and change nothing of it.
    pub fn matched(&self) -> u64 {
        let entries = self.matched_by_id + self.matched_by_content + self.matched_by_record;
        entries + self.matched_by_name + self.repeats
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verdict_has_a_code_of_its_own() {
        for verdict in Verdict::ALL {
            assert_eq!(Verdict::from_code(verdict.code()), Some(*verdict));
        }
        assert_eq!(Verdict::from_code(Verdict::ALL.len() as u8), None);
    }
}
