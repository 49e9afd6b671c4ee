//! Several answers about overlapping days, as one list.

use std::collections::{HashMap, HashSet};

use crate::snapshot::TransactionSnapshot;

/// The rows of several answers: each as often as in the answer that has it most often.
///
/// Rows are the same if everything about them is: ids aren't relied on, because some banks give the
/// same one (`NONREF`) to many rows, and pending rows may have none.
#[derive(Debug, Default)]
pub struct Collected {
    rows: Vec<TransactionSnapshot>,
    counts: HashMap<TransactionSnapshot, Occurrences>,
    answers: usize,
}

/// How often a row is there.
#[derive(Debug, Default)]
struct Occurrences {
    /// In the answer that has it most often.
    most: usize,
    /// In the last answer that has it, and which one that is.
    last: (usize, usize),
}

impl Collected {
    /// Adds the rows of an answer; returns how many weren't known.
    pub fn add(&mut self, answer: Vec<TransactionSnapshot>) -> usize {
        self.drop_superseded(&answer);
        self.answers += 1;
        let mut added = 0;
        for row in answer {
            let Occurrences { most, last } = self.counts.entry(row.clone()).or_default();
            let before = if last.0 == self.answers { last.1 } else { 0 };
            *last = (self.answers, before + 1);
            if last.1 > *most {
                *most = last.1;
                added += 1;
                self.rows.push(row);
            }
        }
        added
    }

    /// A pending row that was booked between two answers, under the same id, is in the later one as
    /// booked only. An id that several rows have shows nothing of the kind.
    fn drop_superseded(&mut self, answer: &[TransactionSnapshot]) {
        if !self.rows.iter().any(|row| row.pending) {
            return;
        }
        let (known, new) = (count_ids(&self.rows), count_ids(answer));
        let booked: HashSet<&str> = answer
            .iter()
            .filter(|row| !row.pending)
            .filter_map(|row| row.id.as_deref())
            .filter(|id| known.get(id) == Some(&1) && new.get(id) == Some(&1))
            .collect();
        let counts = &mut self.counts;
        self.rows.retain(|row| {
            let is_booked = row.id.as_deref().is_some_and(|id| booked.contains(id));
            let is_superseded = row.pending && is_booked;
            if is_superseded {
                counts.remove(row);
            }
            !is_superseded
        });
    }

    /// How many rows there are so far.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The rows, in the order in which they came.
    pub fn into_rows(self) -> Vec<TransactionSnapshot> {
        self.rows
    }
}

/// How many rows have each id.
fn count_ids(rows: &[TransactionSnapshot]) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    for id in rows.iter().filter_map(|row| row.id.as_deref()) {
        *counts.entry(id).or_default() += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use rust_decimal::Decimal;

    use super::*;
    use crate::snapshot::StatedCurrency;

    fn row(id: Option<&str>, amount: i64, pending: bool) -> TransactionSnapshot {
        TransactionSnapshot {
            id: id.map(str::to_owned),
            amount: Decimal::new(amount, 2),
            currency: StatedCurrency::Absent,
            date: date(2026, 3, 1),
            moment: None,
            payee: None,
            description: Some("Coffee".to_owned()),
            pending,
        }
    }

    fn collected(answers: &[&[TransactionSnapshot]]) -> (Vec<usize>, Vec<TransactionSnapshot>) {
        let mut collected = Collected::default();
        let added = answers.iter().map(|answer| collected.add(answer.to_vec())).collect();
        (added, collected.into_rows())
    }

    #[test]
    fn two_equal_rows_of_one_answer_are_two_and_of_two_answers_one() {
        let coffee = row(None, -350, true);
        let twice = [coffee.clone(), coffee.clone()];
        let (added, rows) = collected(&[&twice, std::slice::from_ref(&coffee), &twice]);
        assert_eq!(added, [2, 0, 0]);
        assert_eq!(rows.len(), 2);
    }

    #[test]
    fn one_id_of_many_rows_keeps_them_apart() {
        let (added, rows) =
            collected(&[&[row(Some("NONREF"), -1, false), row(Some("NONREF"), -2, false)]]);
        assert_eq!((added, rows.len()), (vec![2], 2));
    }

    #[test]
    fn a_row_that_was_booked_meanwhile_is_booked() {
        let (added, rows) =
            collected(&[&[row(Some("a"), -100, true)], &[row(Some("a"), -120, false)]]);
        assert_eq!(added, [1, 1]);
        assert_eq!(rows, [row(Some("a"), -120, false)]);
    }

    #[test]
    fn a_pending_row_stays_beside_booked_ones_of_an_id_that_many_have() {
        let pending = row(Some("NONREF"), -100, true);
        let booked = [row(Some("NONREF"), -1, false), row(Some("NONREF"), -2, false)];
        let (_, rows) = collected(&[&[pending.clone(), booked[0].clone()], &booked]);
        assert_eq!(rows, [pending, booked[0].clone(), booked[1].clone()]);
    }
}
